"""seen build: sizes, sources of keys, secrets, and everything that can be wrong with them."""

import os
import resource
import signal
import stat
import subprocess

from support import SEEN, CommandTest, lines, main


class Size(CommandTest):
    def test_keys_of_files_are_counted(self):
        self.write("a", lines("x", "y"))
        self.write("b", lines("z"))
        self.seen("build", "-o", "f", "a", "b", out=b"",
                  err=r"seen: f: 3 keys in a \S+ filter of 64 bytes, rate \S+\n")
        self.assertEqual(self.info("f")["target"], {"capacity": 3, "fpr": 0.01})
        self.holds("f", "x", "y", "z")

    def test_a_file_a_redirected_file_and_a_pipe_give_the_same_bytes(self):
        keys = lines(*range(5000))
        self.write("keys", keys)
        self.write("empty", b"")
        self.seen("build", "-q", "-o", "from-file", "keys", err="")
        self.seen("build", "-q", "-o", "from-redirection", stdin="keys", err="")
        self.seen("build", "-q", "-o", "from-pipe", "-", stdin=keys, err="")
        self.seen("build", "-q", "-o", "from-both", "-", "empty", stdin=keys, err="")
        expected = self.read("from-file")
        self.assertEqual(self.info("from-file")["target"]["capacity"], 5000)
        for other in ("from-redirection", "from-pipe", "from-both"):
            self.assertEqual(self.read(other), expected, other)

    def test_standard_input_is_read_from_where_it_stands(self):
        self.write("keys", lines("header", "x", "y"))
        self.build("f", "x", "y")
        with open(self.path("keys"), "rb") as keys:
            os.lseek(keys.fileno(), len("header\n"), os.SEEK_SET)
            done = subprocess.run([SEEN, "build", "-q", "-o", "-"], stdin=keys, stdout=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, self.read("f")))

    def test_keys_of_any_length_are_kept_until_a_pipe_ends(self):
        keys = [b"k" * n for n in (0, 1, 126, 127, 128, 129, 16383, 16384, 300_000)] + [b"end"]
        self.write("keys", lines(*keys))
        self.seen("build", "-q", "-o", "from-file", "keys", err="")
        self.seen("build", "-q", "-o", "from-pipe", stdin=lines(*keys), err="")
        self.assertEqual(self.read("from-pipe"), self.read("from-file"))

    def test_a_capacity_that_is_given_is_taken(self):
        self.seen("build", "-o", "f", "-n", "10k", "-p", "1/1000", stdin=lines("x"), err="seen: f: 1 key in .*\n")
        self.assertEqual(self.info("f")["target"], {"capacity": 10000, "fpr": 0.001})

    def test_more_keys_than_planned_are_all_kept_and_remarked_upon(self):
        self.seen("build", "-o", "f", "-n", "100", stdin=lines(*range(200)),
                  err=r"seen: f: 200 keys .*\nseen: warning: f: planned for 100 keys; with 200 the rate is 0\.1\d* instead of 0\.01\n")
        self.holds("f", *range(200))

    def test_a_shape_is_taken_literally(self):
        self.seen("build", "-q", "-o", "f", "--kind", "bloom", "--bits", "1e4", "--probes", "3", stdin=lines("x"))
        info = self.info("f")
        self.assertEqual(info["shape"], {"bits": 10000, "probes": 3})
        self.assertIsNone(info["target"])
        self.seen("build", "-q", "-o", "g", "--kind", "bloom", "--shape", "probes=3", "--shape", "bits=10k", stdin=lines("x"))
        self.assertEqual(self.read("g"), self.read("f"))

    def test_an_empty_set_makes_a_filter_that_says_no(self):
        self.write("empty", b"")
        for source in (("empty",), ("-",), ()):
            self.seen("build", "-f", "-q", "-o", "f", *source, err="")
            self.assertEqual(self.info("f")["keys"], 0)
            self.seen("query", "f", stdin=lines("", "x"), status=1, out=b"", err="")

    def test_equal_keys_seed_and_parameters_give_equal_bytes_in_any_order(self):
        self.build("a", 1, 2, 3, options=("--seed", "7"))
        self.build("b", 3, 1, 2, options=("--seed", "0x7"))
        self.build("c", 1, 2, 3)
        self.assertEqual(self.read("a"), self.read("b"))
        self.assertNotEqual(self.read("a"), self.read("c"))

    def test_duplicates_change_nothing_but_the_count_where_bits_are_set(self):
        self.build("a", 1, 2, 2, 1, options=("-n", "10", "--kind", "bloom"))
        self.build("b", 1, 2, options=("-n", "10", "--kind", "bloom"))
        self.assertEqual(self.read("a"), self.read("b"))


class Refusals(CommandTest):
    def test_wrong_numbers(self):
        keys = lines("x")
        for message, *args in [
            ("capacity 0", "-n", "0"),
            ('--capacity: "x" is not a number', "-n", "x"),
            ('--capacity: "-1" is not a number', "-n", "-1"),
            ('--capacity: "1.5" is not a whole number', "-n", "1.5"),
            ('--capacity: "1e30" is beyond 2\\^64', "-n", "1e30"),
            ("1e18 keys at fpr 0.01 need .* the limit is 128 GiB", "--kind", "bloom", "-n", "1e18"),
            ('--fpr: "0" is not a probability', "-p", "0"),
            ('--fpr: "1" is not a probability', "-p", "1"),
            ('--fpr: "-0.1" is not a probability', "-p", "-0.1"),
            ('--fpr: "nan" is not a rate', "-p", "nan"),
            ('--fpr: "inf" is not a rate', "-p", "inf"),
            ('--fpr: "1e-400" is not a rate', "-p", "1e-400"),
            ('--fpr: "1/0" is not a probability', "-p", "1/0"),
            ('--seed: "y" is not a 64-bit integer', "--seed", "y"),
            ('--seed: "18446744073709551616" is not', "--seed", str(1 << 64)),
            ("bits is 0", "--kind", "bloom", "--bits", "0", "--probes", "7"),
            ("bits is 2199023255552", "--kind", "bloom", "--bits", "2Ti", "--probes", "7"),
            ("probes is 31", "--kind", "bloom", "--bits", "100", "--probes", "31"),
            ("bloom takes either a capacity and a rate or its whole shape: bits, probes", "--kind", "bloom",
             "--bits", "100"),
            ("bloom takes either a capacity and a rate or its whole shape: bits, probes", "--kind", "bloom",
             "--bits", "100", "--probes", "3", "-n", "10"),
            ("capacity 0", "--kind", "bloom", "--bits", "100", "--probes", "3", "-n", "0"),
            ("--shape: bits is given twice", "--kind", "bloom", "--bits", "100", "--shape", "bits=100"),
            ("--shape: probes is given twice", "--kind", "bloom", "--shape", "probes=3", "--shape", "probes=4"),
            ("counting-bloom: counter-bits is 0; leave it out", "--kind", "counting-bloom", "--shape", "counter-bits=0"),
            ("scalable-bloom: tightening is 0; leave it out", "--kind", "scalable-bloom", "--shape", "tightening=0"),
            ("windowed-bloom: window is 0; leave it out", "--kind", "windowed-bloom", "--shape", "window=0"),
            ("fingerprint-bits is 11", "--kind", "cuckoo", "--shape", "fingerprint-bits=11"),
            ("tried before the keys are counted: 1 key at fpr 1e-12: blocked-bloom", "-p", "1e-12"),
            ("a bloom filter cannot be told the time", "--kind", "bloom", "--now", "7"),
            ("no field colour", "--kind", "bloom", "--shape", "colour=3"),
            ('--shape: "bits" is not FIELD=VALUE', "--shape", "bits"),
            ("bloom takes either", "--kind", "bloom", "--bits", "100", "--probes", "3", "-p", "0.1"),
            ('--shape: "1.5" is not a whole number', "--kind", "bloom", "--shape", "bits=1.5"),
            ("no kind gloom; there are .*bloom", "--kind", "gloom"),
            ("no format x; there are native", "--format", "x"),
            ('--hash: no hash is called "md5"; there are xxh3-fold', "--hash", "md5"),
            ("portable: the format's hash takes no seed", "--format", "portable", "--seed", "1"),
            ("portable: no hash xxh64; there are fnv1a-64-splitmix", "--format", "portable", "--hash", "xxh64"),
            ("--metadata: the portable format has no place", "--format", "portable", "--metadata", "m"),
            ('--field: "0x" is not a list of fields', "--field", "0x"),
            ("--field: fields are counted from 1", "--field", "0"),
            ("--delimiter: needs --field", "-d", ","),
            ('--delimiter: "ab" is not one byte', "--csv", "--field", "1", "-d", "ab"),
            ("--delimiter: is empty", "--field", "1", "-d", ""),
            ("--delimiter: is empty", "-d", ""),
            ("--field: is empty", "--field", ""),
            ("--capacity: is empty", "-n", ""),
            ("--at-most: is empty", "--at-most", ""),
            ("--fpr: is empty", "-p", ""),
            ("--kind: is empty", "--kind", ""),
            ("--seed: is empty", "--seed", ""),
            ("--hash: is empty", "--hash", ""),
            ("--bits: is empty", "--bits", ""),
            ("--at-most excludes --capacity", "--at-most", "5", "-n", "5"),
            ("--at-most: capacity 0", "--at-most", "0"),
            ('--at-most: "x" is not a number', "--at-most", "x"),
            ("--at-most: filters of the portable format do not fold", "--at-most", "5", "--format", "portable"),
            ("--delimiter: is what ends the lines", "--field", "1", "-d", "\n"),
            (r"no option is called --frp; did you mean --fpr\?", "--frp", "1"),
        ]:
            with self.subTest(args):
                self.refuses(message, "build", "-o", "f", *args, stdin=keys)

    def test_files_that_cannot_be_read(self):
        os.mkdir(self.path("d"))
        self.refuses("no-such: open: No such file", "build", "-o", "f", "no-such")
        self.refuses("d: is a directory", "build", "-o", "f", "d")
        self.refuses("d: is a directory", "build", "-o", "f", "-n", "5", "-", "d", stdin=lines("x"))
        self.refuses("cannot be read twice", "build", "-o", "f", "-", "-")
        self.refuses("standard input: read: Bad file descriptor", "build", "-o", "f", "-",
                     preexec_fn=lambda: os.close(0))

    def test_an_existing_file_is_not_overwritten_without_force(self):
        self.write("f", b"precious")
        self.refuses(r"f: exists already \(-f overwrites it\)", "build", "-o", "f", stdin=lines("x"))
        self.refuses(r"f: exists already \(-f overwrites it\)", "build", "-o", "f", "none")  # before keys are looked for
        os.mkdir(self.path("d"))
        self.refuses("seen: d: cannot be written: Is a directory$", "build", "-f", "-o", "d", stdin=lines("x"))
        # The file that is written meanwhile has another name, which nobody needs to know.
        self.refuses("seen: nodir/x.seen: cannot be written: No such file or directory$", "build", "-o", "nodir/x.seen", stdin=lines("x"))
        self.seen("build", "-q", "-f", "-o", "f", stdin=lines("x"), err="")
        self.holds("f", "x")

    def test_what_cannot_succeed_fails_before_the_keys_are_read(self):
        self.write("f", b"precious")
        for args in (["-o", "f"], ["-o", "no/f"], ["-o", "g", "--kind", "gloom"], ["-o", "g", "-p", "2"],
                     ["-o", "g", "--hash", "siphash-1-3"]):
            with subprocess.Popen([SEEN, "build", *args], cwd=self.dir, stdin=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as child:
                self.assertEqual(child.wait(timeout=60), 2, args)  # its input is still open

    def test_a_file_that_appears_meanwhile_is_not_overwritten(self):
        with subprocess.Popen([SEEN, "build", "-o", "f"], cwd=self.dir, stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE) as child:
            child.stdin.write(b"x\n" * 200_000)  # more than a pipe holds: it is reading by now
            child.stdin.flush()
            self.write("f", b"precious")
            _, err = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 2)
        self.assertRegex(err, rb"\Aseen: f: .*exists already \(-f overwrites it\)\n\Z")
        self.assertEqual(self.files(), {"f": b"precious"})

    def test_a_directory_that_does_not_exist(self):
        self.refuses("no/f: .*No such file or directory", "build", "-o", "no/f", stdin=lines("x"))

    def test_a_disk_that_is_full_leaves_the_old_file(self):
        self.build("f", "x")

        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        for name in ("f", "new"):
            self.refuses(f"{name}: cannot be written: File too large", "build", "-f", "-o", name, "-n", "1M", "--hash",
                         "siphash-1-3", "--new-secret", "key", stdin=lines("x"), preexec_fn=small_files_only)

    def test_metadata_beyond_64_kib(self):
        self.refuses("metadata", "build", "-o", "f", "--metadata", "x" * 65537, stdin=lines("x"))


class Secrets(CommandTest):
    def keyed(self, name, *more):
        self.seen("build", "-q", "-o", name, "--hash", "siphash-1-3", *more, stdin=lines("x", "y"), out=b"", err="")

    def test_a_new_key_is_for_its_owner_alone_and_opens_the_filter(self):
        self.keyed("f", "--new-secret", "key")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("key")).st_mode), 0o600)
        self.assertRegex(self.read("key"), rb"\A[0-9a-f]{32}\n\Z")
        self.holds("f", "x", "y", options=("--secret-file", "key"))
        self.assertNotIn(bytes.fromhex(self.read("key").decode()), self.read("f"))

    def test_a_new_key_never_replaces_a_file(self):
        self.write("key", b"precious")
        self.refuses("key: exists already; a secret file is never overwritten", "build", "-f", "-o", "f", "--hash",
                     "siphash-1-3", "--new-secret", "key", stdin=lines("x"))

    def test_a_new_key_is_not_the_output(self):
        for force in ((), ("-f",)):
            self.refuses("--new-secret: f is the output too", "build", *force, "-o", "f", "--hash", "siphash-1-3",
                         "--new-secret", "f", stdin=lines("x"))

    def test_raw_and_hexadecimal_key_files_are_the_same_key(self):
        raw = bytes(range(16))
        for name, data in ("raw", raw), ("hex", raw.hex().encode()), ("line", raw.hex().upper().encode() + b"\r\n"):
            self.write(name, data)
            self.keyed("with-" + name, "--secret-file", name)
        self.assertEqual(self.read("with-raw"), self.read("with-hex"))
        self.assertEqual(self.read("with-raw"), self.read("with-line"))

    def test_key_files_that_are_none(self):
        for data, message in [(b"", "is not a secret"), (b"k" * 15, "is not a secret"), (b"k" * 100, "is not a secret"),
                              (b"g" * 32, "not a hexadecimal digit"), (b"0x" + b"0" * 30, "not a hexadecimal digit")]:
            with self.subTest(data):
                self.write("key", data)
                self.refuses("key: .*" + message, "build", "-o", "f", "--hash", "siphash-1-3", "--secret-file", "key",
                             stdin=lines("x"))
        self.refuses("none: open: No such file", "build", "-o", "f", "--hash", "siphash-1-3", "--secret-file", "none")

    def test_secret_and_hash_must_fit(self):
        self.write("key", b"k" * 16)
        self.refuses("a secret needs a keyed hash", "build", "-o", "f", "--secret-file", "key")
        self.refuses("xxh64 takes no secret", "build", "-o", "f", "--hash", "xxh64", "--secret-file", "key")
        self.refuses(r"siphash-2-4 needs a secret \(--secret-file FILE\)", "build", "-o", "f", "--hash", "siphash-2-4")
        self.refuses("--store-secret: needs", "build", "-o", "f", "--store-secret")
        self.refuses("excludes", "build", "-o", "f", "--hash", "siphash-1-3", "--secret-file", "key", "--new-secret", "n")

    def test_a_stored_key_opens_the_filter_by_itself(self):
        self.keyed("f", "--new-secret", "key", "--store-secret")
        self.holds("f", "x", "y")
        self.assertTrue(self.info("f")["hash"]["secret_stored"])


class Output(CommandTest):
    def test_standard_output(self):
        self.build("f", "x", "y")
        self.seen("build", "-q", "-o", "-", stdin=lines("x", "y"), out=self.read("f"), err="")

    def test_no_temporary_file_is_left(self):
        self.build("f", "x")
        self.assertEqual(list(self.files()), ["f"])

    def test_metadata_is_kept(self):
        self.build("f", "x", options=("--metadata", "made on a Monday, häppy"))
        self.assertEqual(self.info("f")["metadata"], "made on a Monday, häppy")


class Remarks(CommandTest):
    def test_equal_keys_are_told_of_by_kinds_that_judge_by_their_fill(self):
        keys = lines(*range(1000)) * 3
        for kind in ("blocked-bloom", "bloom", "counting-bloom"):
            self.seen("build", "-f", "-o", "f", "--kind", kind, stdin=keys, out=b"",
                      err=rf"seen: f: 3,000 keys, about (9\d\d|1,0\d\d) of them different, in a {kind} filter of .*\n"
                          r"seen: warning: f: made for 3,000 keys, most of them equal; -n (9|10)\d\d makes it (2\.9|3\.[01]) times smaller\n")
            self.seen("build", "-f", "-o", "f", "--kind", kind, "-n", 1000, stdin=keys, out=b"",
                      err=rf"seen: f: 3,000 keys, about (9\d\d|1,0\d\d) of them different, in a {kind} filter of [^\n]*\n")
            self.seen("build", "-f", "-o", "f", "--kind", kind, stdin=lines(*range(1000)), err=r"seen: f: 1,000 keys in a [^\n]*\n")

    def test_an_option_that_the_kind_has_no_field_for_names_those_that_have(self):
        self.refuses("--bits: blocked-bloom has no field bits; it has blocks, probes; kinds that have it: bloom, partitioned-bloom",
                     "build", "-o", "f", "--bits", 1000, stdin=lines(1))
        self.refuses("--bits-per-fingerprint: bloom has no field fingerprint-bits; .* kinds that have it: .*cuckoo.*ribbon",
                     "build", "-o", "f", "--kind", "bloom", "--bits-per-fingerprint", 8, stdin=lines(1))

    def test_a_budget_that_is_too_small_names_the_option_that_helps(self):
        self.write("keys", b"".join(b"%d\n" % i for i in range(1200000)))
        self.refuses("the budget is 3.81 MiB. More shards need less \(--memory; --shape shards=N\)", "build", "-q", "-o", "f",
                     "--kind", "ribbon", "--shape", "shards=1", "--memory", "4M", "keys")


class Kinds(CommandTest):
    def test_names_as_in_cpp_and_beginnings(self):
        for name, kind in [("blocked_bloom", "blocked-bloom"), ("xor_filter", "xor"), ("binary_fuse", "binary-fuse"),
                           ("cuck", "cuckoo"), ("bloom", "bloom"), ("blocked_b", "blocked-bloom"), ("split", "split-block")]:
            with self.subTest(name):
                self.build("f", *range(10), options=("-f", "--kind", name))
                self.assertEqual(self.info("f")["kind"], kind)
                self.seen("plan", "-n", "1000", "--kind", name, err="")
        self.refuses("the kind scalable could be any of scalable-bloom, scalable-classic-bloom", "build", "-o", "g",
                     "--kind", "scalable", stdin=lines(1))


if __name__ == "__main__":
    main()
