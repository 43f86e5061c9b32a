"""seen remove: for kinds that can; the file is replaced in one step, or not at all, and by one process at a time."""

import fcntl
import resource
import signal

from support import CommandTest, for_every_kind, lines, main

PLAN = ("-n", "300", "-p", "1e-4")


class Remove(CommandTest):
    """For every kind that can remove."""

    def filter_of(self, row, *keys):
        """A fresh filter "f" of these keys."""
        self.build("f", *keys, options=("-f", "--kind", row["kind"], "--metadata", "note", *PLAN))

    def absent(self, *keys):
        self.seen("query", "f", stdin=lines(*keys), status=1, out=b"", err="")

    @for_every_kind("can_remove")
    def test_what_is_removed_is_gone_and_what_is_not_stays(self, row):
        self.filter_of(row, *range(100))
        self.seen("remove", "f", stdin=lines(*range(50)), out=b"",
                  err=r"seen: f: 50 keys removed, holds (about )?50, rate \S+\n")
        self.holds("f", *range(50, 100))
        self.absent(*range(50))
        self.assertEqual(self.info("f")["metadata"], "note")
        self.assertEqual(list(self.files()), ["f"])

    @for_every_kind("can_remove")
    def test_keys_that_are_not_there_are_counted(self, row):
        self.filter_of(row, *range(100))
        self.seen("remove", "f", stdin=lines(1, "x", 2, "y", "z"), out=b"",
                  err=r"seen: f: 2 keys removed, [^\n]*\nseen: f: 3 of 5 keys were not there\n")
        self.seen("remove", "f", stdin=lines(3, "x"), out=b"",
                  err=r"seen: f: 1 key removed, [^\n]*\nseen: f: 1 of 2 keys was not there\n")
        self.seen("remove", "-q", "f", stdin=lines(4, "x"), out=b"", err="")

    @for_every_kind("can_remove")
    def test_where_none_is_there_the_file_is_as_it_was_and_the_status_1(self, row):
        self.filter_of(row, *range(100))
        before = self.read("f")
        self.seen("remove", "f", stdin=lines("x", "y"), status=1, out=b"",
                  err="seen: f: 2 of 2 keys were not there; the file is unchanged\n")
        self.seen("remove", "f", stdin=b"", status=1, out=b"",
                  err="seen: f: no keys were given; the file is unchanged\n")
        self.seen("remove", "-q", "f", stdin=lines("x"), status=1, out=b"", err="")
        self.assertEqual(self.read("f"), before)

    @for_every_kind("can_remove")
    def test_a_key_added_twice_is_removed_twice(self, row):
        self.filter_of(row, "a", "b", "b")
        self.seen("remove", "-q", "f", stdin=lines("b"), err="")
        self.holds("f", "a", "b")
        self.seen("remove", "-q", "f", stdin=lines("b"), err="")
        self.absent("b")
        self.holds("f", "a")

    @for_every_kind("can_remove")
    def test_what_was_removed_can_be_added_again(self, row):
        self.filter_of(row, *range(100))
        self.seen("remove", "-q", "f", stdin=lines(*range(100)), err="")
        self.assertAlmostEqual(self.info("f")["keys"], 0)
        self.seen("add", "-q", "f", stdin=lines(*range(200)), err="")
        self.holds("f", *range(200))

    @for_every_kind("can_remove")
    def test_keys_from_files_and_options_for_them(self, row):
        self.filter_of(row, "a", "b", "c", "d")
        self.write("t", b"1,a\n2,b\n")
        self.seen("remove", "-q", "f", "t", "-", "--field", "2", "-d", ",", stdin=b"9,c", out=b"", err="")
        self.holds("f", "d")
        self.absent("a", "b", "c")


class Refusals(CommandTest):
    @for_every_kind()
    def test_kinds_that_cannot_say_which_can_before_a_key_is_read(self, row):
        kind, can, message = row["kind"], row["can_remove"], self.cannot(row, "can_remove", "remove keys")
        self.build("f", *range(100), options=("-f", "--kind", kind))
        if not can:
            self.refuses("f: " + message, "remove", "f", stdin=lines(1))
            self.refuses("f: " + message, "remove", "f", stdin=b"")

    def test_a_foreign_file(self):
        self.build("p", "a", options=("--format", "portable"))
        self.refuses("p: a bloom filter cannot remove keys", "remove", "--format", "portable", "p", stdin=lines("a"))

    def test_wrong_files(self):
        self.write("text", b"no filter")
        self.refuses("none: open: No such file", "remove", "none", stdin=lines("x"))
        self.refuses("text: not a filter", "remove", "text", stdin=lines("x"))
        self.refuses("FILTER is required: seen remove ", "remove")

    @for_every_kind("can_remove")
    def test_what_cannot_be_finished_changes_nothing(self, row):
        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        self.build("f", *range(100), options=("-f", "--kind", row["kind"], "-n", "20k"))
        self.write("bad", lines("30", "3"))
        self.refuses("none: open: No such file", "remove", "f", "none")
        self.refuses("bad: line 2", "remove", "f", "bad", "--hex")
        self.refuses("f: cannot be written: File too large", "remove", "f", stdin=lines(1), preexec_fn=small_files_only)
        with open(self.path("f"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refuses("f: another process is changing it", "remove", "f", stdin=lines(1), status=3)


if __name__ == "__main__":
    main()
