"""seen query: grep's words, several filters that decide together, and lines as objects."""

import json
import subprocess
import threading

from support import SEEN, CommandTest, lines, main


class Lists(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", "alice", "bob", options=("-p", "1e-9"))
        self.write("a", lines("alice", "x", "bob"))
        self.write("b", lines("y", "z"))
        self.write("none", b"")

    def test_names_and_numbers_before_lines(self):
        self.seen("query", "f", "a", out=lines("alice", "bob"), err="")
        self.seen("query", "-n", "f", "a", out=b"1:alice\n3:bob\n", err="")
        self.seen("query", "-H", "f", "a", out=b"a:alice\na:bob\n", err="")
        self.seen("query", "-Hn", "f", stdin=lines("x", "bob"), out=b"standard input:2:bob\n", err="")
        self.seen("query", "f", "a", "b", out=b"a:alice\na:bob\n", err="")
        self.seen("query", "-h", "f", "a", "b", out=lines("alice", "bob"), err="")
        self.seen("query", "-vn", "f", "a", "b", out=b"a:2:x\nb:1:y\nb:2:z\n", err="")
        self.seen("query", "-0n", "f", stdin=b"x\0bob\0", out=b"2:bob\0", err="")

    def test_counts_of_each_list_where_it_is_named_and_of_all_where_it_is_not(self):
        self.seen("query", "-c", "f", "a", out=b"2\n", err="")
        self.seen("query", "-c", "f", "a", "none", "b", out=b"a:2\nnone:0\nb:0\n", err="")
        self.seen("query", "-ch", "f", "a", "b", "a", out=b"4\n", err="")
        self.seen("query", "-cv", "f", "a", "b", out=b"a:1\nb:2\n", err="")
        self.seen("query", "-c", "f", "b", "none", status=1, out=b"b:0\nnone:0\n", err="")

    def test_names_of_lists_with_and_without(self):
        self.seen("query", "-l", "f", "b", "a", "none", out=b"a\n", err="")
        self.seen("query", "-L", "f", "b", "a", "none", out=b"b\nnone\n", err="")
        self.seen("query", "-l", "f", "b", status=1, out=b"", err="")
        self.seen("query", "-L", "f", "a", status=1, out=b"", err="")
        self.seen("query", "-lv", "f", "a", "b", out=b"a\nb\n", err="")

    def test_m_stops_reading_each_list(self):
        self.seen("query", "-m", "1", "f", "a", "b", "a", out=b"a:alice\na:alice\n", err="")
        self.seen("query", "-m1", "-v", "-h", "f", "a", "b", out=lines("x", "y"), err="")
        self.seen("query", "-m1", "-c", "f", "a", out=b"1\n", err="")
        self.seen("query", "-m0", "f", "a", status=1, out=b"", err="")
        self.refuses("--max-count: \"x\"", "query", "-m", "x", "f", "a")

    def test_q_is_silent_and_stops_at_the_first(self):
        self.seen("query", "-q", "f", "a", out=b"", err="")
        self.seen("query", "-q", "f", "b", status=1, out=b"", err="")
        self.seen("query", "-qv", "f", "b", out=b"", err="")
        self.seen("query", "-q", "-c", "f", "a", out=b"", err="")
        self.seen("query", "-q", "--json", "f", "a", out=b"", err="")
        self.seen("query", "-q", "-L", "f", "a", status=1, out=b"", err="")
        child = subprocess.Popen([SEEN, "query", "-q", "f"], cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        watchdog = threading.Timer(60, child.kill)
        watchdog.start()
        try:
            child.stdin.write(b"bob\n")
            child.stdin.flush()  # and stays open
            self.assertEqual(child.wait(timeout=60), 0)
        finally:
            watchdog.cancel()
            child.stdout.close()
            child.stdin.close()

    def test_keys_of_the_command_line(self):
        self.seen("query", "f", "-e", "bob", out=lines("bob"), err="")
        self.seen("query", "f", "-e", "x", "-e", "bob", "-e", "y", "-v", out=lines("x", "y"), err="")
        self.seen("query", "f", "-e", "bob", "a", out=b"command line:bob\na:alice\na:bob\n", err="")
        self.seen("query", "f", "-e", "626f62", "--hex", out=lines("626f62"), err="")
        self.seen("query", "-q", "f", "-e", "carol", status=1, out=b"", err="")
        self.refuses(r"bob: open: No such file or directory \(-e asks for a key\)", "query", "f", "bob")
        self.refuses("command line: line 2: 1 hexadecimal digit", "query", "-q", "f", "-e", "00", "-e", "0", "--hex")

    def test_filters_named_by_F_leave_all_arguments_to_lists(self):
        self.seen("query", "-F", "f", "a", out=lines("alice", "bob"), err="")
        self.seen("query", "a", "-F", "f", "b", out=b"a:alice\na:bob\n", err="")
        self.seen("query", "-F", "f", stdin=lines("bob"), out=lines("bob"), err="")

    def test_capitals_are_made_small(self):
        self.seen("query", "f", "-i", "-e", "BOB", "-e", "aLIce", "-e", "x", out=lines("BOB", "aLIce"), err="")
        self.seen("query", "f", "-e", "BOB", status=1, out=b"", err="")
        self.seen("query", "f", "--lower", "-e", "BOB", out=lines("BOB"), err="")

    def test_keys_of_the_command_line_stand_alone(self):
        """What cuts keys out of lines is for lists."""
        self.write("table", b"id,name\n1,bob\n2,x\n")
        self.seen("query", "f", "--csv", "--header", "--field", "name", "-e", "alice", "table",
                  out=b"command line:alice\ntable:1,bob\n", err="")
        self.seen("query", "f", "--comment", "#", "--skip-blank", "-e", "#", "-e", "", "-v", out=lines("#", ""), err="")

    def test_lines_that_are_left_out_keep_their_numbers(self):
        self.seen("query", "-n", "f", "--comment", "#", "--skip-blank", stdin=b"#\n\nbob\n#\nalice\n", out=b"3:bob\n5:alice\n", err="")
        done = self.seen("query", "--json", "f", "--comment", "#", stdin=b"#\nbob\n", err="")
        self.assertEqual(done.json(), {"line_number": 2, "key": "bob", "may_contain": True})

    def test_binary_records(self):
        self.build("w", "ab", "cd", options=("-p", "1e-9"))
        self.seen("query", "w", "--width", "2", stdin=b"xxabyycd", out=b"abcd", err="")
        self.seen("query", "w", "--width", "2", "-e", "cd", out=b"cd", err="")

    def test_several_keys_of_a_line(self):
        self.seen("query", "f", "--field", "1,2", stdin=b"x\tbob\ny\tz\nalice\tq\n", out=b"x\tbob\nalice\tq\n", err="")
        done = self.seen("query", "--json", "f", "--field", "1,2", stdin=b"x\tbob\n", err="")
        self.assertEqual(done.json(), {"line_number": 1, "line": "x\tbob", "keys": [{"key": "x"}, {"key": "bob"}], "may_contain": True})
        self.write("held", lines("alice", "bob"))
        self.seen("query", "f", "--confirm", "held", "--field", "1,2", stdin=b"x\tbob\ny\tz\n", out=b"x\tbob\n", err="")

    def test_words_that_contradict_each_other(self):
        for pair in (("-l", "-L"), ("-l", "-c"), ("-H", "-h"), ("--any", "--all"), ("--json", "-l"), ("--all", "--none")):
            self.refuses("exclude|both|not with", "query", *pair, "f", "a")


class Together(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("a", "1", "2", "3", options=("-p", "1e-9"))
        self.build("b", "2", "3", "4", options=("-p", "1e-9"))
        self.build("c", "3", "5", options=("-p", "1e-9"))
        self.filters = ("-F", "a", "-F", "b", "-F", "c")
        self.write("list", lines(*range(7)))

    def test_any_all_and_none_select_a_line_once(self):
        for word, selected in (("--any", (1, 2, 3, 4, 5)), ("--all", (3,)), ("--none", (0, 6))):
            self.seen("query", word, *self.filters, "list", out=lines(*selected), err="")
            self.seen("query", word, "-v", *self.filters, "list", out=lines(*sorted(set(range(7)) - set(selected))), err="")
            self.seen("query", word, "-c", *self.filters, "list", out=lines(len(selected)), err="")
        self.seen("query", "--none", "a", "list", out=lines(0, 4, 5, 6), err="")
        self.seen("query", "--all", *self.filters, "-e", "1", status=1, out=b"", err="")

    def test_without_them_every_filter_selects(self):
        self.seen("query", *self.filters[:4], "-e", "2", "-e", "1", out=b"a\t2\nb\t2\na\t1\n", err="")
        self.seen("query", "-c", *self.filters, "list", out=b"a\t3\nb\t3\nc\t2\n", err="")
        self.seen("query", "-c", "-H", *self.filters, "list", out=b"a\tlist:3\nb\tlist:3\nc\tlist:2\n", err="")
        self.seen("query", "-l", *self.filters, "-e", "1", "list", out=b"a\tcommand line\na\tlist\nb\tlist\nc\tlist\n", err="")
        self.seen("query", "-m", "2", *self.filters, "list", out=b"a\t1\na\t2\nb\t2\n", err="")

    def test_json_says_who_and_whether_the_line_is_selected(self):
        done = self.seen("query", "--json", "--none", *self.filters, "-e", "9", "-e", "4", err="")
        self.assertEqual([json.loads(line) for line in done.out.splitlines()], [
            {"line_number": 1, "key": "9", "may_contain": False, "matched": [], "selected": True},
            {"line_number": 2, "key": "4", "may_contain": True, "matched": ["b"], "selected": False},
        ])


class Objects(CommandTest):
    def objects(self, *args, **more):
        return [json.loads(line) for line in self.seen("query", "--json", *args, err="", **more).out.splitlines()]

    def setUp(self):
        super().setUp()
        self.build("f", "b", options=("-p", "1e-9"))

    def test_the_line_where_the_key_is_a_part_of_it(self):
        self.assertEqual(self.objects("f", "--field", "2", stdin=b"1\tb\tx\n2\tc\n\xff\tb\n"), [
            {"line_number": 1, "line": "1\tb\tx", "key": "b", "may_contain": True},
            {"line_number": 2, "line": "2\tc", "key": "c", "may_contain": False},
            {"line_number": 3, "line_hex": "ff0962", "key": "b", "may_contain": True},
        ])

    def test_the_list_where_there_are_several(self):
        name = "a\tlist\n"
        self.write(name, lines("x"))
        self.write("other", lines("b"))
        self.assertEqual(self.objects("f", name, "other"), [
            {"list": name, "line_number": 1, "key": "x", "may_contain": False},
            {"list": "other", "line_number": 1, "key": "b", "may_contain": True},
        ])

    def test_every_kind_of_text_at_every_place(self):
        """Text is looked at eight bytes at a time: whatever is not plain must be found at each of them."""
        texts = ["x" * before + odd + "y" * behind for odd in ('"', "\\", "\x1f", "\x00", "\x7f", "é", "€", " ")
                 for before in range(10) for behind in (0, 1, 7, 8, 9)]
        keys = "".join(text + "\0" for text in texts if "\0" not in text).encode()
        found = self.objects("f", "-0", stdin=keys, status=1)
        self.assertEqual([each["key"] for each in found], [text for text in texts if "\0" not in text])

    def test_numbers_of_lines_of_every_length(self):
        """Numbers are counted in decimal; what is left out makes them jump."""
        self.assertEqual([each["line_number"] for each in self.objects("f", stdin=lines(*range(11_005)), status=1)],
                         list(range(1, 11_006)))
        left_out = [n for n in range(1, 3000) if n % 7 == 0 or n % 10 == 9 or 98 < n < 103 or 995 < n < 1005]
        keys = ["#" if n in left_out else str(n) for n in range(1, 3000)]
        numbers = [each["line_number"] for each in self.objects("f", "--comment", "#", stdin=lines(*keys), status=1)]
        self.assertEqual(numbers, [n for n in range(1, 3000) if n not in left_out])
        numbers = self.seen("query", "-nv", "f", stdin=lines(*range(1, 11_006)), err="").out.splitlines()
        self.assertEqual(numbers, [b"%d:%d" % (n, n) for n in range(1, 11_006)])

    def test_more_than_a_block(self):
        keys = [f"key {i}" for i in range(50_000)]
        self.assertEqual([each["key"] for each in self.objects("f", stdin=lines(*keys), status=1)], keys)
        self.assertEqual([each["line_number"] for each in self.objects("f", "-m", "1", stdin=lines("a", "b", "c"))], [1, 2])


if __name__ == "__main__":
    main()
