"""seen build of static kinds: all keys at once, within a budget of memory, on several threads, taken up after a kill.

Kinds are found in the registry: those that `formats` calls static, with every variant they offer.
"""

import fcntl
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time

from support import SEEN, CommandTest, lines, main

FEW = 1000
SHARDED = ("--shape", "shards=4")  # so that few keys do
SOME = 60_000
MANY = 2_100_000  # 16 MiB of digests: more than BUDGET holds
BUDGET = "28MiB"
FUSE = ("--kind", "binary-fuse")


class StaticTest(CommandTest):
    def static_kinds(self):
        rows = self.seen("formats", "--json", err="").json()["kinds"]
        return [row for row in rows if row["static"]]

    def choices(self):
        """Options that name a kind, and a kind with each of its variants."""
        for row in self.static_kinds():
            yield ("--kind", row["name"])
            for variant in row["variants"]:
                yield ("--kind", row["name"], "--variant", variant)

    def made(self, *options, keys=b"", name="f", err=""):
        """The bytes of a filter."""
        self.seen("build", "-q", "-f", "-o", name, *options, stdin=keys, out=b"", err=err)
        return self.read(name)

    def left(self):
        """Hidden files: what a build keeps beside its output."""
        return [name for name in os.listdir(self.dir) if name.startswith(".")]

    def traced(self, inject, *args, stdin):
        """Runs the command with one fault in a system call."""
        if shutil.which("strace") is None:
            self.skip_unless_ci("strace is not installed")
        env = dict(self.env, ASAN_OPTIONS="detect_leaks=0")  # the leak check does not work under ptrace
        fault = ("-e", f"inject={inject}") if inject else ()
        with open(self.path(stdin), "rb") as keys:
            return subprocess.run(["strace", "-f", "-qq", "-o", self.path("strace.log"), *fault, SEEN, *args], cwd=self.dir,
                                  env=env, stdin=keys, capture_output=True, timeout=120)

    def calls(self):
        """Name, arguments and result of every system call of what was traced last."""
        return re.findall(r"^\d+ +(\w+)\((.*)\) += (\S+)", self.read("strace.log").decode(errors="replace"), re.M)


class EveryStaticKind(StaticTest):
    def test_the_first_three_are_among_them(self):
        self.assertGreaterEqual({row["name"] for row in self.static_kinds()}, {"xor", "binary-fuse", "ribbon"})

    def test_build_query_info_verify(self):
        self.write("keys", lines(*range(FEW)))
        for choice in self.choices():
            with self.subTest(choice):
                self.seen("build", "-f", "-o", "f", *choice, "keys", out=b"",
                          err=rf"seen: f: 1,000 keys in a {choice[1]} filter of \S+ (KiB|bytes), rate 0\.00\d+\n")
                info = self.info("f")
                self.assertEqual((info["kind"], info["keys"], info["keys_exact"]), (choice[1], FEW, True))
                self.assertEqual(info["target"], {"capacity": FEW, "fpr": 0.01})
                self.assertEqual(info["shape"]["keys"], FEW)
                if len(choice) > 2:
                    self.assertEqual(info["variant"], choice[3])
                self.holds("f", *range(FEW))
                report = self.seen("verify", "--json", "--probes-count", "2e4", "f", "keys", err="").json()
                self.assertEqual((report["keys"], report["lost"]), (FEW, 0))
                self.assertLessEqual(report["fpr"]["low"], info["fpr_now"])
                self.assertGreaterEqual(report["fpr"]["high"], info["fpr_now"])
                answer = self.seen("query", "--json", "f", stdin=lines(1), err="").json()
                self.assertEqual(answer, {"line_number": 1, "key": "1", "may_contain": True})

    def test_the_first_variant_is_the_usual_one(self):
        for row in self.static_kinds():
            for variant in row["variants"][:1]:
                kind = ("--kind", row["name"])
                self.assertEqual(self.made(*kind, keys=lines(*range(FEW))),
                                 self.made(*kind, "--variant", variant, keys=lines(*range(FEW))))

    def test_info_names_the_variant_and_counts_in_words(self):
        self.made(*FUSE, "--variant", "4-wise", keys=lines(*range(FEW)))
        self.assertRegex(self.seen("info", "f", err="").out.decode(),
                         r"  kind      binary-fuse, 1,000 keys, 8 fingerprint-bits, 1 shard, 4-wise, segment-length \d+, "
                         r"\d+ segments\n  keys      1,000 of 1,000 planned\n")

    def test_case_11_none_one_and_equal_keys(self):
        self.write("none", b"")
        for choice in self.choices():
            with self.subTest(choice):
                self.seen("build", "-f", "-o", "f", *choice, "none", err=rf"seen: f: 0 keys in a {choice[1]} filter of .*\n")
                self.assertEqual((self.info("f")["keys"], self.info("f")["fpr_now"]), (0, 0))
                self.seen("query", "f", stdin=lines("", "x"), status=1, out=b"", err="")
                self.seen("verify", "f", "none")
                once = self.made(*choice, keys=lines("x"))
                self.holds("f", "x")
                self.assertEqual(self.info("f")["keys"], 1)
                self.assertEqual(self.made(*choice, keys=lines(*["x"] * 5000)), once)
                self.seen("build", "-f", "-o", "f", *choice, stdin=lines("x", "y", "x"),
                          err=r"seen: f: 3 keys, 2 of them different, in a .*\n")

    def test_order_files_threads_and_memory_leave_no_trace(self):
        self.write("a", lines(*range(SOME // 2)))
        self.write("b", lines(*range(SOME // 2, SOME)))
        all_keys = lines(*range(SOME))
        for choice in self.choices():
            with self.subTest(choice):
                expected = self.made(*choice, *SHARDED, keys=all_keys)
                for other in (("a", "b"), ("b", "a"), ("b", "-", "a", "b")):
                    self.assertEqual(self.made(*choice, *SHARDED, *other, keys=lines(7, 7)), expected, other)
                for other in (("-j", "4"), ("-j", "0"), ("--memory", "64M"), ("--memory", "64M", "--spill-dir", ".", "-j3")):
                    self.assertEqual(self.made(*choice, *SHARDED, *other, keys=all_keys), expected, other)
                self.assertNotEqual(self.made(*choice, *SHARDED, "--seed", "1", keys=all_keys), expected)
                self.assertEqual(self.left(), [])

    def test_a_keyed_one_on_standard_output_with_a_note(self):
        for row in self.static_kinds():
            options = ("--kind", row["name"], "--hash", "siphash-1-3", "--secret-file", "key", "--metadata", "note")
            self.write("key", b"k" * 16)
            done = self.seen("build", "-q", "-o", "-", *options, *SHARDED, stdin=lines(*range(FEW)), err="")
            self.assertEqual(done.out, self.made(*options, *SHARDED, keys=lines(*range(FEW))))
            self.holds("f", *range(FEW), options=("--secret-file", "key"))
            self.assertEqual(self.info("f")["metadata"], "note")

    def test_a_device_gets_no_checkpoint_beside_it(self):
        os.mkfifo(self.path("pipe"))
        with subprocess.Popen(["cat", "pipe"], cwd=self.dir, stdout=subprocess.PIPE) as reader:
            self.write(".pipe.seen-build", b"not ours")
            self.seen("build", "-q", "-f", "-o", "pipe", *FUSE, *SHARDED, stdin=lines(*range(FEW)))
            written, _ = reader.communicate(timeout=60)
        self.assertEqual(self.read(".pipe.seen-build"), b"not ours")
        self.assertEqual(written, self.made(*FUSE, *SHARDED, keys=lines(*range(FEW))))


class Shape(StaticTest):
    def test_the_width_of_fingerprints(self):
        for choice in self.choices():
            for bits in (8, 16, 32):
                self.made(*choice, "--bits-per-fingerprint", bits, keys=lines(*range(FEW)))
                info = self.info("f")
                self.assertEqual(info["shape"]["fingerprint-bits"], bits)
                self.assertAlmostEqual(info["fpr_now"], 2.0**-bits, delta=1e-3 * 2.0**-bits)
                named = self.made(*choice, "--shape", f"fingerprint-bits={bits}", keys=lines(*range(FEW)))
                self.assertEqual(named, self.made(*choice, "--bits-per-fingerprint", bits, keys=lines(*range(FEW))))

    def test_the_rate_chooses_the_width(self):
        for rate, slots, ribbon in (("0.3", 8, 2), ("1/256", 8, 8), ("0.0039", 16, 9), ("1e-6", 32, 20)):
            for row in self.static_kinds():
                self.made("--kind", row["name"], "-p", rate, keys=lines(*range(FEW)))
                self.assertEqual(self.info("f")["shape"]["fingerprint-bits"], ribbon if row["name"] == "ribbon" else slots)

    def test_a_variant_is_its_parameter(self):
        keys = lines(*range(FEW))
        self.assertEqual(self.made(*FUSE, "--variant", "4-wise", keys=keys), self.made(*FUSE, "--shape", "arity=4", keys=keys))
        self.assertEqual(self.info("f")["shape"]["arity"], 4)

    def test_shards_are_a_wish(self):
        for row in self.static_kinds():
            self.made("--kind", row["name"], *SHARDED, keys=lines(*range(FEW)))
            self.assertEqual(self.info("f")["shape"]["shards"], 4)
            self.holds("f", *range(FEW))


class Refusals(StaticTest):
    def test_options_that_do_not_go_together(self):
        os.mkdir(self.path("d"))
        self.write("no-directory", b"")
        ribbon = ("--kind", "ribbon")
        for message, *args in [
            ("--capacity: a binary-fuse filter is built for the keys that come; leave it out", *FUSE, "-n", "5"),
            ("--at-most: a binary-fuse filter is built for the keys that come; leave it out", *FUSE, "--at-most", "5"),
            ("--memory: is for static kinds; a bloom filter is filled as its keys are read", "--kind", "bloom", "--memory",
             "1G"),
            ("--spill-dir: is for static kinds; a cuckoo filter is filled", "--kind", "cuckoo", "--spill-dir", "d"),
            ("--spill-dir: nothing is spilled without --memory", *FUSE, "--spill-dir", "d"),
            ("--memory: 0 bytes are not enough", *FUSE, "--memory", "0"),
            ('--memory: "much" is not a number', *FUSE, "--memory", "much"),
            ("build: --memory: is empty", *FUSE, "--memory", ""),
            ("--threads: 5000 is more than 1024", *FUSE, "--threads", "5000"),
            ('--threads: "-1" is not a number', *FUSE, "--threads", "-1"),
            ("(build: )?--threads: is empty", *FUSE, "-j", ""),
            ("a xor filter cannot be told the time .--now.; kinds that can: windowed-bloom", "--kind", "xor", "--now", "7"),
            ("--variant: binary-fuse has no variant 5-wise; there are 3-wise, 4-wise", *FUSE, "--variant", "5-wise"),
            ("--variant: ribbon has no variant 3-wise; there are fast, balanced, compact", *ribbon, "--variant", "3-wise"),
            ("--variant: xor has no variant fast; it offers no choice", "--kind", "xor", "--variant", "fast"),
            ("--shape: arity is given twice", *FUSE, "--variant", "3-wise", "--shape", "arity=4"),
            ("fingerprint-bits is 9; it must be 8, 16 or 32", *FUSE, "--bits-per-fingerprint", "9"),
            ("fingerprint-bits is 9; it must be 8, 16 or 32", "--kind", "xor", "--bits-per-fingerprint", "9"),
            ("fingerprint-bits is 33; it must be", *ribbon, "--bits-per-fingerprint", "33"),
            ("arity is 5; it must be 3 or 4", *FUSE, "--shape", "arity=5"),
            ("setting is 9; it must be", *ribbon, "--shape", "setting=9"),
            ("shards is 3; it must be a power of two", *FUSE, "--shape", "shards=3"),
            ("keys, segment-length and segments follow from the capacity", *FUSE, "--shape", "keys=5"),
            ("--shape: binary-fuse has no field colour; it has keys, fingerprint-bits, .*segments$", *FUSE, "--shape", "colour=3"),
            ("tried before the keys are counted: 1 key at fpr 1e-11", *ribbon, "-p", "1e-11"),
            ("portable: the format holds bloom filters, not binary-fuse", *FUSE, "--format", "portable"),
            ("siphash-1-3 needs a secret", *FUSE, "--hash", "siphash-1-3"),
            ("spill directory: no-such: create a temporary file: No such file", *FUSE, "--memory", "1G", "--spill-dir",
             "no-such"),
            ("spill directory: no-directory: create a temporary file: Not a directory", *FUSE, "--memory", "1G",
             "--spill-dir", "no-directory"),
        ]:
            with self.subTest(args):
                # Told before a key is read: standard input stays open.
                with subprocess.Popen([SEEN, "build", "-o", "f", *args], cwd=self.dir, env=self.env, stdin=subprocess.PIPE,
                                      stderr=subprocess.PIPE) as child:
                    self.assertEqual(child.wait(timeout=60), 2, args)
                    self.assertRegex(child.stderr.read().decode(), rf"\Aseen: {message}[^\n]*\n\Z")
        self.assertEqual(sorted(self.files()), ["d", "no-directory"])

    def test_a_built_filter_is_not_changed(self):
        for row in self.static_kinds():
            kind = row["name"]
            for name in ("f", "g"):
                self.made("--kind", kind, keys=lines(*range(FEW)), name=name)
            for verb, can in (("add", "take more keys"), ("remove", "remove keys")):
                self.refuses(rf"f: a {kind} filter cannot {can}; kinds that can: \S+", verb, "f", stdin=lines(1))
            self.refuses(rf"f: a {kind} filter cannot be merged; kinds that can: \S+", "merge", "-o", "u", "f", "g")
            self.refuses(rf"f: a {kind} filter cannot be intersected; kinds that can: \S+", "intersect", "-o", "u", "f", "g")
            self.refuses(rf"f: a {kind} filter cannot be folded; kinds that can: \S+", "shrink", "f", "-p", "0.5")

    def test_a_budget_that_is_too_small_says_what_is_needed(self):
        self.write("keys", lines(*range(SOME)))
        for row in self.static_kinds():
            small = ("build", "-o", "f", "--kind", row["name"], "--memory", "100k", "keys")
            self.refuses(r"build: 60000 keys in 1 shard need [\d.]+ MiB beside the filter; the budget is 97\.7 KiB \(--memory; --shape shards=N\)$", *small)
            needed = float(re.search(r"need ([\d.]+) MiB", self.run_seen(*small).err).group(1))
            enough = int((needed + 0.01) * (1 << 20))  # what is said is rounded to two digits
            self.made("--kind", row["name"], "--memory", enough, "keys", name="g")
            self.assertEqual(self.read("g"), self.made("--kind", row["name"], "keys", name="h"))

    def test_an_output_that_exists_is_told_first_and_left(self):
        self.write("f", b"precious")
        self.refuses(r"f: exists already \(-f overwrites it\)", "build", "-o", "f", *FUSE, stdin=lines(1))


class Large(StaticTest):
    """Keys that are spilled, and solved for long enough to be caught at it."""

    @classmethod
    def setUpClass(cls):
        cls.shared = tempfile.mkdtemp(prefix="seen-cli-many-")
        cls.addClassCleanup(shutil.rmtree, cls.shared)
        cls.keys = os.path.join(cls.shared, "keys")
        with open(cls.keys, "wb") as f:
            f.write(lines(*range(MANY)))

    def expected(self):
        """What a build without a budget, threads or interruption makes; made once."""
        name = os.path.join(self.shared, "expected")
        if not os.path.exists(name):
            self.seen("build", "-q", "-o", name, *FUSE, *SHARDED, self.keys, out=b"", err="")
        with open(name, "rb") as f:
            return f.read()

    def test_what_exceeds_the_budget_waits_on_disk(self):
        os.mkdir(self.path("spill"))
        self.seen("build", "-o", "f", *FUSE, *SHARDED, "--memory", BUDGET, "--spill-dir", "spill", "-j2", self.keys, out=b"",
                  err=r"seen: f: 2,100,000 keys in a binary-fuse filter of .* MiB, rate 0\.00391\n")
        self.assertEqual(self.info("f")["shape"]["shards"], 4)
        self.assertEqual(self.read("f"), self.expected())
        self.assertEqual((self.left(), os.listdir(self.path("spill"))), ([], []))

    def test_case_26_a_full_disk_under_the_spilled_keys_is_an_error_and_leaves_nothing(self):
        os.mkdir(self.path("spill"))
        os.symlink(self.keys, self.path("keys"))
        for error, in_words in (("ENOSPC", "No space left on device"), ("EIO", "Input/output error")):
            done = self.traced(f"pwrite64:error={error}:when=3", "build", "-o", "f", *FUSE, *SHARDED, "--memory", BUDGET, "--spill-dir",
                               "spill", stdin="keys")
            self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
            self.assertRegex(done.stderr.decode(), rf"\Aseen: spill directory: spill: write: {in_words}\n\Z")
            self.assertEqual(sorted(os.listdir(self.dir)), ["keys", "spill", "strace.log"])
            self.assertEqual(os.listdir(self.path("spill")), [])

    def test_keys_that_cannot_be_read_back_are_an_error(self):
        os.symlink(self.keys, self.path("keys"))
        done = self.traced("pread64:error=EIO:when=20", "build", "-o", "f", *FUSE, *SHARDED, "--memory", BUDGET, "--spill-dir", ".",
                           stdin="keys")
        self.assertEqual((done.returncode, done.stdout), (2, b""), done.stderr)
        self.assertRegex(done.stderr.decode(), r"\Aseen: .*read: Input/output error\n\Z")
        self.assertEqual(sorted(os.listdir(self.dir)), ["keys", "strace.log"])

    def test_case_27_a_build_killed_at_work_is_taken_up_and_ends_with_the_same_bytes(self):
        for _ in range(5):
            with subprocess.Popen([SEEN, "build", "-q", "-f", "-o", "f", *FUSE, *SHARDED, self.keys], cwd=self.dir) as child:
                while child.poll() is None and self.finished_shards() == 0:
                    time.sleep(0.0005)
                child.kill()
            if child.returncode == -signal.SIGKILL and 0 < self.finished_shards() < 4:
                break
        else:
            self.fail("no build was caught at work")
        self.assertFalse(os.path.exists(self.path("f")) and self.read("f") != self.expected())
        done = self.seen("build", "-f", "-o", "f", *FUSE, *SHARDED, self.keys, out=b"",
                         err=r"seen: [\d,]+ keys were in finished shards of an earlier run\nseen: f: 2,100,000 keys in .*\n")
        taken_up = int(done.err.split()[1].replace(",", ""))
        self.assertTrue(MANY // 5 < taken_up < MANY, taken_up)
        self.assertEqual((self.read("f"), self.left()), (self.expected(), []))

    def finished_shards(self):
        """Records of the file that keeps them: docs/building.md says what is in it."""
        try:
            with open(self.path(".f.seen-build"), "rb") as f:
                records = f.read(64 + 4 * 32)[64:]
        except FileNotFoundError:
            return 0
        return sum(state != 0 for _, _, state, _ in struct.iter_unpack("<4Q", records[:len(records) // 32 * 32]))


class Checkpoint(StaticTest):
    """Few keys in four shards: what a kill leaves is made by a kill just before the finished filter gets its name."""

    def killed_before_the_end(self, *options):
        self.write("keys", lines(*range(SOME)))
        # The first fsync is of the checkpoint's header, the second of the filter.
        done = self.traced("fsync:signal=SIGKILL:when=2", "build", "-q", "-o", "f", *FUSE, *SHARDED, *options, stdin="keys")
        self.assertIn(done.returncode, (-signal.SIGKILL, 128 + signal.SIGKILL))
        self.assertIn(".f.seen-build", self.left())
        self.assertNotIn("f", os.listdir(self.dir))

    def takes_up(self, keys, *options):
        remark = rf"seen: {keys} keys were in finished shards of an earlier run\n" if keys else ""
        again = ("-f",) if "f" in os.listdir(self.dir) else ()
        self.seen("build", *again, "-o", "f", *FUSE, *SHARDED, *options, "keys", out=b"", err=remark + r"seen: f: 60,000 keys in .*\n")
        self.assertEqual(self.left(), [])

    def test_a_typing_error_does_not_cost_what_a_killed_build_left(self):
        self.killed_before_the_end()
        left = self.read(".f.seen-build")
        self.seen("build", "-f", "-o", "f", *FUSE, *SHARDED, "--memory", "1k", "keys", status=2, out=b"",
                  err=r"seen: build: 60000 keys in 4 shards need .* MiB beside the filter; the budget is 1000 bytes \(--memory; --shape shards=N\)\n")
        self.assertEqual(self.read(".f.seen-build"), left)
        self.seen("build", "-q", "-f", "-o", "f", *FUSE, stdin=lines(*range(FEW)))  # one shard: nothing to keep
        self.assertEqual(self.read(".f.seen-build"), left)

    def test_case_27_finished_shards_survive_a_kill(self):
        expected = self.made(*FUSE, *SHARDED, keys=lines(*range(SOME)), name="expected")
        self.killed_before_the_end()
        self.takes_up("60,000", "-j2")
        self.assertEqual(self.read("f"), expected)

    def test_quietly_too(self):
        self.killed_before_the_end()
        self.made(*FUSE, *SHARDED, "keys")
        self.assertEqual(self.left(), [])

    def test_a_checkpoint_that_is_damaged_cut_or_foreign_does_no_harm(self):
        expected = self.made(*FUSE, *SHARDED, keys=lines(*range(SOME)), name="expected")
        self.killed_before_the_end()
        whole = self.read(".f.seen-build")
        some = r"[34]\d,\d{3}"  # three of four shards
        cases = {"a table": (whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:], some),
                 "a record": (whole[:64 + 40] + bytes([whole[64 + 40] ^ 1]) + whole[64 + 41:], some),
                 "the header": (whole[:20] + bytes([whole[20] ^ 1]) + whole[21:], None),
                 "its magic": (b"\0" * 8 + whole[8:], None),
                 "its first sector": (os.urandom(512) + whole[512:], None),
                 "its first page, which never reached the disk": (b"\0" * 4096 + whole[4096:], None),
                 "its last bytes": (whole[:-8] + b"\0" * 8, "60,000"),
                 "cut": (whole[:-1], None),
                 "cut to a page": (whole[:4096], None),
                 "cut to 40 bytes": (whole[:40], None),
                 "cut to its magic": (whole[:8], None),
                 "cut within its magic": (whole[:3], None),
                 "longer": (whole + b"\0" * 4096, None),
                 "zeros for a header": (b"\0" * 40, None),
                 "zeros": (b"\0" * len(whole), None),
                 "more zeros": (b"\0" * 300_000, None),
                 "empty": (b"", None)}
        for what, (content, taken_up) in cases.items():
            with self.subTest(what):
                self.write(".f.seen-build", content)
                self.takes_up(taken_up)
                self.assertEqual(self.read("f"), expected)
                os.unlink(self.path("f"))

    def test_a_checkpoint_of_other_keys_or_another_shape_does_no_harm(self):
        self.killed_before_the_end()
        kept = self.read(".f.seen-build")
        for other in (("--variant", "4-wise"), ("--seed", "1"), ("--bits-per-fingerprint", "16")):
            expected = self.made(*FUSE, *SHARDED, *other, "keys", name="expected")
            self.write(".f.seen-build", kept)
            self.takes_up(None, *other)
            self.assertEqual(self.read("f"), expected)

    def refused_before_a_key_is_read(self, why):
        with subprocess.Popen([SEEN, "build", "-o", "f", *FUSE], cwd=self.dir, env=self.env, stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE) as child:  # standard input stays open
            self.assertEqual(child.wait(timeout=60), 2)
            self.assertEqual(child.stderr.read().decode(), f"seen: checkpoint: .f.seen-build: {why} (-f overwrites it)\n")

    def test_what_is_something_else_is_told_before_a_key_is_read_and_overwritten_with_f(self):
        expected = self.made(*FUSE, *SHARDED, keys=lines(*range(FEW)), name="expected")
        for letter in (b"x", b"dear aunt", b"a letter to my aunt\n" * 9000, b"\0" * 5000 + b"a letter", b"\0" * 70_000 + b"x"):
            with self.subTest(letter[:9]):
                self.write(".f.seen-build", letter)
                self.refused_before_a_key_is_read("is there already, and is not a checkpoint")
                self.assertEqual(self.read(".f.seen-build"), letter)
                self.assertEqual(self.made(*FUSE, *SHARDED, keys=lines(*range(FEW))), expected)
                self.assertEqual(self.left(), [])
                os.unlink(self.path("f"))

    def test_what_is_something_else_stays_where_the_build_has_no_checkpoint(self):
        for content in (b"dear aunt", None):
            if content is None:
                os.symlink("nowhere", self.path(".f.seen-build"))
            else:
                self.write(".f.seen-build", content)
            # One shard, which is known when the keys are; and an error before that.
            self.seen("build", "-q", "-f", "-o", "f", *FUSE, stdin=lines(*range(100)), out=b"", err="")
            self.seen("build", "-q", "-f", "-o", "f", *FUSE, *SHARDED, "--hex", status=2, stdin=lines("x"))
            self.assertEqual(sorted(os.listdir(self.dir)), [".f.seen-build", "f"])
            if content is None:
                self.assertEqual(os.readlink(self.path(".f.seen-build")), "nowhere")
            else:
                self.assertEqual(self.read(".f.seen-build"), content)
            os.unlink(self.path(".f.seen-build"))

    def test_a_symbolic_link_of_that_name_is_not_followed(self):
        self.write("letter", b"a letter to my aunt")
        build = ("build", "-q", "-o", "f", *FUSE, *SHARDED)
        for target in ("letter", "absent", "empty"):
            self.write("empty", b"")
            os.symlink(target, self.path(".f.seen-build"))
            self.refused_before_a_key_is_read("is there already, and is not a checkpoint")
            self.assertEqual((self.read("letter"), self.read("empty")), (b"a letter to my aunt", b""))
            self.assertTrue(os.path.islink(self.path(".f.seen-build")))
            self.assertFalse(os.path.exists(self.path("absent")))
            # The link makes way, not what it leads to.
            self.seen(*build, "-f", stdin=lines(*range(FEW)), out=b"", err="")
            self.assertEqual((self.read("letter"), self.read("empty"), self.left()), (b"a letter to my aunt", b"", []))
            self.assertFalse(os.path.exists(self.path("absent")))
            os.unlink(self.path("f"))

    def test_long_names_and_links_have_checkpoints_too(self):
        self.write("keys", lines(*range(FEW)))
        expected = self.made(*FUSE, *SHARDED, "keys", name="expected")
        os.mkdir(self.path("d"))
        os.symlink("d/there", self.path("link"))
        long_names = ["n" * length for length in (243, 244, 245, 246, 255)] + ["\u20ac" * 85]
        for name, file in [(name, name) for name in long_names] + [("link", "d/there")]:
            with self.subTest(len(name.encode())):
                self.traced("fsync:signal=SIGKILL:when=2", "build", "-q", "-o", name, *FUSE, *SHARDED, stdin="keys")
                folder = os.path.dirname(self.path(file))
                left = [n for n in os.listdir(folder) if n.startswith(".")]
                self.assertEqual(sorted(n[n.rindex("."):] for n in left), [".seen-build", ".seen-tmp"])
                self.seen("build", "-o", name, *FUSE, *SHARDED, "keys", out=b"",
                          err=r"seen: 1,000 keys were in finished shards of an earlier run\n[^\n]+: 1,000 keys in .*\n")
                self.assertEqual(self.read(file), expected)
                self.assertEqual([n for n in os.listdir(folder) if n.startswith(".")], [])
        self.assertTrue(os.path.islink(self.path("link")))
        self.refuses("File name too long", "build", "-o", "n" * 256, *FUSE, *SHARDED, "keys")
        os.symlink("round", self.path("round"))
        self.refuses("Too many levels of symbolic links", "build", "-f", "-o", "round", *FUSE, *SHARDED, "keys")

    def test_what_cannot_be_a_checkpoint_is_an_error_with_its_name(self):
        self.write(".f.seen-build", b"a letter to my aunt\n" * 9000)
        self.refuses(r"checkpoint: \.f\.seen-build: is there already, and is not a checkpoint", "build", "-o", "f", *FUSE, *SHARDED,
                     stdin=lines(*range(FEW)))
        os.unlink(self.path(".f.seen-build"))
        os.mkdir(self.path(".f.seen-build"))
        self.refuses(r"checkpoint: \.f\.seen-build: is a directory, and no checkpoint$", "build", "-o", "f", *FUSE, *SHARDED,
                     stdin=lines(*range(FEW)))
        self.refuses(r"checkpoint: \.f\.seen-build: is a directory, and no checkpoint$", "build", "-f", "-o", "f", *FUSE,
                     *SHARDED, stdin=lines(*range(FEW)))
        os.rmdir(self.path(".f.seen-build"))
        os.mkfifo(self.path(".f.seen-build"))
        self.refused_before_a_key_is_read("is there already, and is not a checkpoint")
        self.seen("build", "-q", "-f", "-o", "f", *FUSE, *SHARDED, stdin=lines(*range(FEW)), out=b"", err="")
        self.assertEqual(self.left(), [])

    def test_a_build_that_fails_leaves_none(self):
        self.write("keys", lines(*range(SOME)))
        done = self.traced("fsync:error=EIO:when=2", "build", "-o", "f", *FUSE, *SHARDED, stdin="keys")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r"\Aseen: f: cannot be written: .*Input/output error\n\Z")
        self.assertEqual(sorted(os.listdir(self.dir)), ["keys", "strace.log"])

    def test_case_26_a_checkpoint_that_cannot_be_begun_is_an_error_and_leaves_nothing(self):
        self.write("keys", lines(*range(FEW)))
        self.traced("", "build", "-q", "-o", "f", *FUSE, *SHARDED, stdin="keys")
        counts, faults = {}, []
        for name, arguments, result in self.calls():
            counts[name] = counts.get(name, 0) + 1
            if name == "openat" and arguments.startswith('AT_FDCWD, ".f.seen-build", O_RDWR|O_CREAT'):
                descriptor = result
            elif name in ("ftruncate", "pwrite64", "fsync", "fallocate") and arguments.split(",")[0] == descriptor:
                faults.append((name, counts[name]))
            elif name == "mmap" and "MAP_SHARED" in arguments and arguments.split(", ")[4] == descriptor:
                faults.append((name, counts[name]))
                break
        # The header is on the device before the file grows, so that a power cut leaves nothing that is not known again; and
        # there is room for all that is written to the map.
        self.assertEqual([name for name, _ in faults],
                         ["ftruncate", "pwrite64", "fsync", "ftruncate", "fallocate", "mmap"])
        os.unlink(self.path("f"))
        for name, n in faults:
            for error, in_words in (("ENOSPC", "No space left on device"), ("EIO", "Input/output error")):
                done = self.traced(f"{name}:error={error}:when={n}", "build", "-o", "f", *FUSE, *SHARDED, stdin="keys")
                self.assertEqual(done.returncode, 2, (name, n, done.stderr))
                self.assertRegex(done.stderr.decode(), rf"\Aseen: checkpoint: \.f\.seen-build: \w+: {in_words}\n\Z")
                self.assertEqual(sorted(os.listdir(self.dir)), ["keys", "strace.log"], (name, n))

    def test_case_27_a_kill_at_every_system_call_costs_nothing_but_time(self):
        self.write("keys", lines(*range(FEW)))
        expected = self.made(*FUSE, *SHARDED, "keys", name="expected")
        build = ("build", "-q", "-o", "f", *FUSE, *SHARDED)
        self.traced("fsync:signal=SIGKILL:when=2", *build, "--bits-per-fingerprint", "16", stdin="keys")
        of_another_shape = self.read(".f.seen-build")
        for before in (None, of_another_shape):
            def reset():
                for name in ("f", ".f.seen-build", ".f.seen-tmp"):
                    if name in os.listdir(self.dir):
                        os.unlink(self.path(name))
                if before is not None:
                    self.write(".f.seen-build", before)
            reset()
            self.traced("", *build, stdin="keys")
            counts, moments, begun = {}, [], False
            for name, arguments, _ in self.calls():
                counts[name] = counts.get(name, 0) + 1
                begun = begun or ".f.seen-build" in arguments
                if begun:
                    moments.append((name, counts[name]))
            self.assertLessEqual({"openat", "flock", "ftruncate", "pwrite64", "fsync", "fallocate", "mmap", "link", "unlink"},
                                 {name for name, _ in moments})
            for name, n in moments:
                with self.subTest(f"killed at {name} number {n}, after {before and 'another shape'}"):
                    reset()
                    killed = self.traced(f"{name}:signal=SIGKILL:when={n}", *build, stdin="keys")
                    self.assertIn(killed.returncode, (-signal.SIGKILL, 128 + signal.SIGKILL))
                    again = ("-f",) if "f" in os.listdir(self.dir) else ()
                    self.seen(*build, *again, "keys", out=b"", err="")
                    self.assertEqual((self.read("f"), self.left()), (expected, []))

    def test_two_builds_to_one_output(self):
        """The second is told that the first is at work, and touches nothing of it."""
        self.write("keys", lines(*range(SOME)))
        expected = self.made(*FUSE, *SHARDED, "keys", name="expected")
        self.write(".f.seen-build", b"")
        with open(self.path(".f.seen-build"), "rb+") as first:
            fcntl.flock(first, fcntl.LOCK_EX)
            self.refuses(r"seen: another process is building to the same file: \.f\.seen-build is in use$", "build", "-o", "f", *FUSE, *SHARDED, "keys", status=3)
            self.made(*FUSE, *SHARDED, "keys", name="g")  # another output is nobody's business
        self.takes_up(None)
        self.assertEqual(self.read("f"), expected)

    def test_two_at_once_one_is_refused_or_both_are_whole(self):
        self.write("keys", lines(*range(SOME)))
        expected = self.made(*FUSE, *SHARDED, "keys", name="expected")
        command = [SEEN, "build", "-q", "-f", "-o", "f", *FUSE, *SHARDED, "keys"]
        for _ in range(3):
            pair = [subprocess.Popen(command, cwd=self.dir, stderr=subprocess.PIPE) for _ in range(2)]
            told = [child.communicate(timeout=60)[1].decode() for child in pair]
            self.assertIn(0, [child.returncode for child in pair], told)
            for child, words in zip(pair, told):
                if child.returncode != 0:
                    self.assertRegex(words, r"\Aseen: (another process is building to the same file: |f: cannot be written: )[^\n]*\n\Z")
            self.assertEqual((self.read("f"), self.left()), (expected, []))


if __name__ == "__main__":
    main()
