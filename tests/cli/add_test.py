"""seen add: the file is replaced in one step, or not at all, and by one process at a time."""

import fcntl
import os
import resource
import signal
import stat

from support import CommandTest, lines, main


class Add(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", "a", "b", options=("-n", "100", "--metadata", "note"))

    def test_the_result_is_the_filter_of_all_keys(self):
        self.seen("add", "f", stdin=lines("c", "d"), out=b"", err=r"seen: f: 2 keys added, holds about 4, rate \S+\n")
        self.build("g", "a", "b", "c", "d", options=("-n", "100", "--metadata", "note"))
        self.assertEqual(self.read("f"), self.read("g"))
        self.assertEqual(sorted(self.files()), ["f", "g"])

    def test_keys_from_files_and_options_for_them(self):
        self.write("t", b"1,c\n2,d\n")
        self.write("u", b"3,e")
        self.seen("add", "-q", "f", "t", "-", "u", "--field", "2", "-d", ",", stdin=b"9,z", out=b"", err="")
        self.holds("f", "a", "b", "c", "d", "e", "z")

    def test_nothing_added_changes_nothing(self):
        before = self.read("f")
        self.seen("add", "f", stdin=b"", out=b"", err="seen: f: 0 keys added.*\n")
        self.assertEqual(self.read("f"), before)

    def test_beyond_the_plan_it_says_so(self):
        self.seen("add", "f", stdin=lines(*range(300)), out=b"",
                  err=r"seen: f: 300 keys added.*\nseen: warning: f: planned for 100 keys at 0\.01; build a larger one\n")
        self.holds("f", *range(300), options=("-s",))
        self.seen("query", "f", stdin=lines(7), out=lines(7),
                  err=r"seen: warning: f: too full: its rate is 0\.\d+, and 0\.01 was asked for 100 keys \(-n\); it "
                      r"holds about \d+\n")

    def test_the_permissions_stay(self):
        os.chmod(self.path("f"), 0o640)
        self.seen("add", "-q", "f", stdin=lines("c"), err="")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("f")).st_mode), 0o640)

    def test_a_keyed_filter_needs_its_key_and_keeps_it_out_of_the_file(self):
        self.write("key", bytes(range(100, 116)))
        self.build("k", "a", options=("--hash", "siphash-1-3", "--secret-file", "key", "-n", "10"))
        self.refuses(r"k: .*\(--secret-file FILE\)", "add", "k", stdin=lines("b"))
        self.seen("add", "-q", "k", "--secret-file", "key", stdin=lines("b"), err="")
        self.holds("k", "a", "b", options=("--secret-file", "key"))
        self.assertNotIn(bytes(range(100, 116)), self.read("k"))

    def test_a_stored_key_stays_stored(self):
        self.write("key", bytes(range(100, 116)))
        self.build("k", "a", options=("--hash", "siphash-1-3", "--secret-file", "key", "--store-secret"))
        self.seen("add", "-q", "k", stdin=lines("b"), err="")
        self.holds("k", "a", "b")

    def test_a_foreign_file_stays_one(self):
        self.build("p", "a", options=("--format", "portable", "-n", "10"))
        self.seen("add", "-q", "--format", "portable", "p", stdin=lines("b"), err="")
        self.build("q", "a", "b", options=("--format", "portable", "-n", "10"))
        self.assertEqual(self.read("p"), self.read("q"))


class Refusals(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", "a", "b")

    def test_wrong_files(self):
        self.write("text", b"no filter")
        os.mkdir(self.path("d"))
        self.refuses("none: open: No such file", "add", "none", stdin=lines("x"))
        self.refuses("text: not a filter", "add", "text", stdin=lines("x"))
        self.refuses("d: not a regular file", "add", "d", stdin=lines("x"))
        self.refuses("FILTER is required: seen add ", "add")

    def test_keys_that_cannot_be_read_leave_the_filter_as_it_was(self):
        self.write("ok", lines("61"))
        self.write("bad", lines("61", "6"))
        self.refuses("none: open: No such file", "add", "f", "ok", "none")
        self.refuses("bad: line 2", "add", "f", "ok", "bad", "--hex")

    def test_a_damaged_file_is_not_made_worse(self):
        whole = self.read("f")
        self.write("f", whole[:-1] + bytes([whole[-1] ^ 1]))
        self.refuses("f: offset", "add", "f", stdin=lines("x"))

    def test_the_time_of_a_filter_that_forgets(self):
        window = ("--kind", "windowed-bloom", "-n", "100", "--shape", "period=60")
        self.build("w", "old", options=(*window, "--now", "1000"))
        self.seen("add", "-q", "w", "--now", "1030", stdin=lines("new"), out=b"", err="")
        self.seen("query", "w", stdin=lines("old", "new"), out=b"old\nnew\n", err="")
        self.seen("add", "-q", "w", "--now", "1085", stdin=lines("newer"), out=b"", err="")
        self.seen("query", "w", stdin=lines("old", "new", "newer"), out=b"new\nnewer\n", err="")
        self.refuses("f: a blocked-bloom filter cannot be told the time", "add", "f", "--now", "7", stdin=lines("x"))

    def test_another_process_at_it(self):
        with open(self.path("f"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refuses("f: another process is changing it", "add", "f", stdin=lines("x"), status=3)

    def test_a_full_disk(self):
        self.build("big", "a", options=("-n", "100k"))

        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        self.refuses("big: cannot be written: File too large", "add", "big", stdin=lines("x"), preexec_fn=small_files_only)


if __name__ == "__main__":
    main()
