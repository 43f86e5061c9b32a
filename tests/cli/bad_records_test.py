"""Records that are no keys: everything before one is answered, then the policy applies, however the bytes arrive."""

import os
import struct
import subprocess
import time

from support import SEEN, CommandTest, lines, main

RAGGED = b"a\t5\nb\tx\nragged\nc\t7\n"


class BadRecords(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", *range(20))

    def in_pieces(self, data, sizes, *args):
        """Status, stdout and stderr of a run that is fed piece by piece."""
        run = subprocess.Popen([SEEN, *args], cwd=self.dir, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        at = 0
        for size in sizes:
            run.stdin.write(data[at:at + size])
            run.stdin.flush()
            time.sleep(0.01)
            at += size
        out, err = run.communicate(data[at:])
        return run.returncode, out, err

    def test_every_answer_before_it_is_printed(self):
        good = b"".join(b"x\t%d\n" % (i % 20) for i in range(100_000))
        self.write("list", good + b"ragged\n" + good)
        message = r"seen: %s: line 100001: has 1 field, no field 2 \(--on-bad skip leaves such records out\)\n"
        self.seen("query", "f", "--field", "2", "-k", "list", status=2, out=good, err=message % "list")
        self.seen("query", "f", "--field", "2", stdin=good + b"ragged\n" + good, status=2, out=good,
                  err=message % "standard input")
        self.seen("query", "f", "--field", "2", stdin=RAGGED, status=2, out=b"a\t5\n", err=".*: line 3: .*\n")
        self.seen("query", "f", "--hex", stdin=b"35\n36\nzz\n37\n", status=2, out=b"35\n36\n", err=".*: line 3: .*\n")

    def test_how_the_bytes_arrive_makes_no_difference(self):
        for options in (["--field", "2"], ["--field", "2", "--on-bad", "skip"], ["--field", "1,2", "--on-bad", "empty"]):
            outcomes = {self.in_pieces(RAGGED, sizes, "query", "f", *options)
                        for sizes in ([], [1] * 12, [3, 9], [8, 1, 7], [16])}
            self.assertEqual(len(outcomes), 1, outcomes)

    def test_they_are_skipped_and_counted(self):
        remark = "seen: warning: list: 3 records skipped, the first in line 2: has 1 field, no field 2\n"
        self.write("list", b"a,5\nb\nc,6\nd\ne\nf,7\n")
        options = ["--field", "2", "-d", ",", "--on-bad", "skip"]
        self.seen("query", "f", *options, "-k", "list", out=b"a,5\nc,6\nf,7\n", err=remark)
        self.seen("query", "f", *options, "-k", "list", "-c", out=b"3\n", err=remark)
        self.seen("query", "f", *options, "-k", "list", "-s", err="")
        self.seen("build", "-o", "g", *options, "list", err=remark + "seen: g: 3 keys in .*\n")  # read twice, told once
        self.seen("query", "g", stdin=lines(5, 6, 7), out=lines(5, 6, 7), err="")
        self.seen("verify", "f", *options, "list", "--probes-count", "0", err=remark)
        self.seen("add", "f", *options, "list", err=remark + "seen: f: 3 keys added.*\n")
        self.build("c", 5, 6, 7, options=["--kind", "cuckoo"])
        self.seen("remove", "c", *options, "list", err=remark + "seen: c: 3 keys removed.*\n")

    def test_the_remark_names_the_first_of_several_files(self):
        self.write("one", b"a,5\n")
        self.write("two", b"a,5\nbad\n")
        self.write("three", b"bad\n")
        options = ["--field", "2", "-d", ",", "--on-bad", "skip"]
        self.seen("build", "-o", "g", *options, "one", "two",
                  err="seen: warning: two: 1 record skipped, in line 2: has 1 field, no field 2\nseen: g: 2 keys .*\n")
        self.seen("build", "-f", "-o", "g", *options, "one", "two", "three",
                  err="seen: warning: 2 records skipped, the first in two: line 2: has 1 field, no field 2\nseen: g: 2 keys .*\n")

    def test_they_count_as_the_empty_key(self):
        self.build("g", "", "5")
        self.seen("query", "g", "--field", "2", "--on-bad", "empty", stdin=RAGGED, out=b"a\t5\nragged\n",
                  err="seen: warning: standard input: 1 record taken for the empty key, in line 3: .*\n")
        self.seen("query", "f", "--field", "2", "--on-bad", "empty", "-v", stdin=RAGGED, out=b"b\tx\nragged\n",
                  err="seen: .* taken for the empty key.*\n")

    def test_lines_that_were_left_out_are_not_printed_between_others(self):
        self.seen("query", "f", "--hex", "--on-bad", "skip", stdin=b"35\nzz\n36\n", out=b"35\n36\n", err="seen: .*\n")
        self.seen("query", "f", "--skip-blank", "--comment", "#", stdin=b"5\n\n# six\n6\n", out=b"5\n6\n", err="")

    def test_lost_keys_are_named_by_their_own_lines(self):
        self.seen("verify", "f", "--on-bad", "skip", "--hex", "--probes-count", "0", "-", stdin=b"zz\n35\n7878\n", status=1,
                  err="seen: standard input: line 3: \"xx\" is not in f\nseen: .* skipped.*\n")

    def test_a_filter_of_numbers_takes_no_others(self):
        """From text, hexadecimal digits and fixed width alike, in every verb."""
        self.seen("build", "-q", "-o", "n", "--format", "xorfilter-go", stdin=lines(*range(3, 30)), err="")
        wrong = "is not a whole number of 64 bits, which the keys of this filter are"
        for options, data in [([], b"3\nthree\n"), (["--hex"], b"0300000000000000\n03\n"),
                              (["--hex"], b"0300000000000000\n00000000000000000000\n"),
                              (["--width", "4"], struct.pack("<I", 3))]:
            for verb in (["query", "n", "--format", "xorfilter-go", "--hash", "fmix64"],
                         ["verify", "n", "--format", "xorfilter-go", "--hash", "fmix64", "--probes-count", "0", "-"]):
                with self.subTest(options=options, verb=verb):
                    self.seen(*verb, *options, stdin=data, status=2, err=f".*{wrong}.*\n")
                    done = self.run_seen(*verb, *options, "--on-bad", "skip", stdin=data)
                    self.assertRegex(done.err, "1 record skipped")
        numbers = struct.pack("<QQ", 3, 4)
        self.seen("query", "n", "--format", "xorfilter-go", "--hash", "fmix64", "--width", "8", stdin=numbers, out=numbers, err="")
        self.refuses("--on-bad empty: a key of this filter is a whole number", "query", "n", "--on-bad", "empty")
        self.refuses("--digest: a key of this filter is a whole number", "query", "n", "--digest", "sha1")
        self.refuses('"most" is none of error, skip, empty', "query", "n", "--on-bad", "most")


if __name__ == "__main__":
    main()
