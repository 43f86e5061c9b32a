"""seen query: reads and answers like grep, from one filter or several."""

import json
import os
import signal
import subprocess
import threading

from support import SEEN, CommandTest, lines, main

DEV_FULL = "/dev/full"


class LikeGrep(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", "alice", "bob", "", options=("-p", "1e-9"))

    def test_prints_the_lines_that_may_be_present(self):
        self.seen("query", "f", stdin=lines("bob", "carol", "alice", "bob"), out=lines("bob", "alice", "bob"), err="")

    def test_v_prints_the_lines_surely_absent(self):
        self.seen("query", "-v", "f", stdin=lines("bob", "carol", "alice", "dave"), out=lines("carol", "dave"), err="")
        self.seen("query", "-v", "f", stdin=lines("bob"), status=1, out=b"", err="")

    def test_c_prints_their_number(self):
        keys = lines("bob", "carol", "alice")
        self.seen("query", "-c", "f", stdin=keys, out=b"2\n", err="")
        self.seen("query", "-v", "-c", "f", stdin=keys, out=b"1\n", err="")
        self.seen("query", "-c", "f", stdin=lines("carol"), status=1, out=b"0\n", err="")

    def test_no_match_is_status_1(self):
        self.seen("query", "f", stdin=lines("carol"), status=1, out=b"", err="")
        self.seen("query", "f", stdin=b"", status=1, out=b"", err="")

    def test_the_empty_key_is_a_key(self):
        self.seen("query", "f", stdin=b"\n", out=b"\n", err="")

    def test_the_last_line_is_printed_with_a_newline(self):
        self.seen("query", "f", stdin=b"alice\nbob", out=b"alice\nbob\n", err="")

    def test_null_ends_what_is_printed_too(self):
        self.seen("query", "-0", "f", stdin=b"bob\0carol\0alice", out=b"bob\0alice\0", err="")

    def test_with_a_field_the_whole_line_is_printed(self):
        self.seen("query", "f", "--field", "2", "-d", ",", stdin=b"1,bob,x\n2,carol,y\n3,alice\n",
                  out=b"1,bob,x\n3,alice\n", err="")

    def test_with_hex_the_line_is_printed_as_it_was(self):
        self.seen("query", "f", "--hex", stdin=lines("626F62", "00", "616c696365"),
                  out=lines("626F62", "616c696365"), err="")

    def test_keys_from_files(self):
        self.write("a", b"bob")
        self.write("b", lines("carol", "alice"))
        self.seen("query", "f", "-h", "-k", "a", "-k", "b", out=lines("bob", "alice"), err="")
        self.seen("query", "-k", "a", "f", "--keys", "-", stdin=lines("alice"), out=b"a:bob\nstandard input:alice\n", err="")
        self.seen("query", "f", "a", "b", out=b"a:bob\nb:alice\n", err="")

    def test_filters_named_like_verbs(self):
        os.rename(self.path("f"), self.path("info"))
        self.seen("query", "info", stdin=lines("bob"), out=lines("bob"), err="")


class SeveralFilters(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("a", "x", "y", options=("-p", "1e-9"))
        self.build("b", "y", "z", options=("-p", "1e-6", "--seed", "5"))

    def test_every_line_says_which_filter_matched(self):
        self.seen("query", "-F", "a", "-F", "b", stdin=lines("x", "y", "w", "z"), out=b"a\tx\na\ty\nb\ty\nb\tz\n", err="")
        self.seen("query", "-F", "a", "-F", "b", stdin=lines("w"), status=1, out=b"", err="")

    def test_v_says_which_filter_surely_lacks_it(self):
        self.seen("query", "-v", "-F", "a", "-F", "b", stdin=lines("x", "y", "w"), out=b"b\tx\na\tw\nb\tw\n", err="")

    def test_c_counts_for_each(self):
        self.seen("query", "-c", "-F", "a", "-F", "b", stdin=lines("x", "y", "z", "y"), out=b"a\t3\nb\t3\n", err="")
        self.seen("query", "-c", "-F", "a", "-F", "b", stdin=lines("w"), status=1, out=b"a\t0\nb\t0\n", err="")

    def test_json_lists_them(self):
        done = self.seen("query", "--json", "-F", "b", "-F", "a", stdin=lines("x", "y", "w"), err="")
        self.assertEqual([json.loads(line) for line in done.out.splitlines()], [
            {"line_number": 1, "key": "x", "may_contain": True, "matched": ["a"]},
            {"line_number": 2, "key": "y", "may_contain": True, "matched": ["b", "a"]},
            {"line_number": 3, "key": "w", "may_contain": False, "matched": []},
        ])


class Json(CommandTest):
    def objects(self, data, *options, status=0):
        done = self.seen("query", "--json", "f", *options, stdin=data, status=status, err="")
        objects = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual([each.pop("line_number") for each in objects], list(range(1, len(objects) + 1)))
        return objects

    def test_one_object_per_key_in_order_matching_or_not(self):
        self.build("f", "b", "d", options=("-p", "1e-9"))
        self.assertEqual(self.objects(lines("a", "b", "c", "d")),
                         [{"key": k, "may_contain": k in "bd"} for k in "abcd"])
        self.assertEqual(self.objects(lines("a"), status=1), [{"key": "a", "may_contain": False}])
        self.seen("query", "--json", "f", stdin=b"", status=1, out=b"", err="")

    def test_text_survives_and_other_bytes_come_in_hexadecimal(self):
        self.build("f")
        text = ['"', "\\", "\x00", "\x1f\x7f", "\t\r", "ü€😀", "/</script>", "", "\u2028", "\ud7ff\ue000\U0010ffff"]
        data = b"".join(t.encode() + b"\n" for t in text)
        self.assertEqual(self.objects(data, status=1), [{"key": t, "may_contain": False} for t in text])
        # Not UTF-8: a lone continuation, a cut sequence, overlong forms, a surrogate, beyond U+10FFFF, and the rest.
        other = [b"\x80", b"\xc3", b"a\xe2\x82", b"\xc0\x80", b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf",
                 b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xc3(", b"\xe2(\xa1"]
        for key in other:
            self.assertRaises(UnicodeDecodeError, key.decode)
        self.assertEqual(self.objects(lines(*other), status=1),
                         [{"key_hex": k.hex(), "may_contain": False} for k in other])

    def test_hexadecimal_keys_stay_hexadecimal(self):
        self.build("f", "b", options=("-p", "1e-9"))
        self.assertEqual(self.objects(lines("62", "FF"), "--hex"),
                         [{"key_hex": "62", "may_contain": True}, {"key_hex": "ff", "may_contain": False}])

    def test_it_goes_with_neither_v_nor_c(self):
        self.build("f")
        self.refuses("excludes", "query", "--json", "-v", "f")
        self.refuses("excludes", "query", "--json", "-c", "f")


class Refusals(CommandTest):
    def test_the_list_before_the_filter(self):
        self.build("f", "a")
        self.write("list", lines("a"))
        self.refuses("list: not a filter .*the filter comes first, then the lists", "query", "list", "f")

    def test_files_that_are_no_filters(self):
        self.write("empty", b"")
        self.write("text", b"this is no filter\n" * 10)
        os.mkdir(self.path("d"))
        self.build("good", "x")
        self.refuses("no-such: open: No such file", "query", "no-such", stdin=lines("x"))
        self.refuses("empty: is empty", "query", "empty", stdin=lines("x"))
        self.refuses("text: not a filter of any format", "query", "text", stdin=lines("x"))
        self.refuses("d: not a regular file", "query", "d", stdin=lines("x"))
        self.refuses("no-such: ", "query", "-F", "good", "-F", "no-such", stdin=lines("x"))
        self.refuses("no-such: open", "query", "good", "no-such")
        self.refuses("good: is not a list of keys but a filter.*seen query -F asks several", "query", "good", "good")
        self.refuses("good: .*", "query", "good", "--format", "portable", stdin=lines("x"))
        self.refuses("no format nonsense; there are native", "query", "good", "--format", "nonsense")
        self.refuses("which filter[?] seen query FILTER, or -F FILTER", "query")

    def test_a_file_without_magic_must_be_named(self):
        self.seen("build", "-q", "-o", "p", "--format", "portable", stdin=lines("x"))
        self.refuses("p: its content does not tell its format; it may be portable, which has to be named", "query", "p", stdin=lines("x"))
        self.holds("p", "x", options=("--format", "portable"))
        self.seen("build", "-q", "-o", "full", "--format", "portable", stdin=lines(*range(1000)))
        self.holds("full", *range(1000), options=("-s",))
        self.write("weak", bytes(64))
        self.refuses(r"weak: its content does not tell its format; it may be .*, which has to be named \(--format NAME",
                     "query", "weak")

    def test_damage_of_any_part_is_noticed(self):
        self.build("f", *range(1000))
        whole = self.read("f")
        for at in [0, 7, 8, 10, 16, 24, 26, 28, 32, 40, 48, 64, 72, 100, 130, 160, 200, 300, 700, len(whole) - 3]:
            with self.subTest(at):
                self.write("damaged", whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:])
                self.refuses("damaged: ", "query", "damaged", stdin=lines("1"))
        for size in (1, 8, 100, 104, len(whole) // 2, len(whole) - 1):
            with self.subTest(size):
                self.write("damaged", whole[:size])
                self.refuses("damaged: ", "query", "damaged", stdin=lines("1"))
        self.write("damaged", whole + b"\0")
        self.refuses("damaged: offset 16: the header says %d bytes, the file has %d" % (len(whole), len(whole) + 1),
                     "query", "damaged", stdin=lines("1"))

    def test_a_newer_file_is_called_newer(self):
        self.build("f", "x")
        whole = self.read("f")
        self.write("newer", whole[:8] + b"\x09" + whole[9:])
        self.refuses("newer: .*(9|newer|release)", "query", "newer", stdin=lines("x"))

    def test_a_keyed_filter_needs_its_key(self):
        self.seen("build", "-q", "-o", "f", "--hash", "siphash-2-4", "--new-secret", "key", stdin=lines("x"))
        self.write("other", b"0" * 16)
        self.refuses(r"f: .*secret.* \(--secret-file FILE\)", "query", "f", stdin=lines("x"))
        self.refuses("f: ", "query", "f", "--secret-file", "other", stdin=lines("x"))
        self.refuses("none: open", "query", "f", "--secret-file", "none", stdin=lines("x"))
        self.holds("f", "x", options=("--secret-file", "key"))

    def test_keys_that_cannot_be_read(self):
        self.build("f", "x")
        os.mkdir(self.path("d"))
        self.refuses("none: open: No such file", "query", "f", "-k", "none")
        self.refuses("d: is a directory", "query", "f", "-k", "d")

    def test_lines_before_a_bad_one_are_answered(self):
        self.build("f", "x")
        done = self.seen("query", "f", "--hex", stdin=lines("78") * 20_000 + lines("7"), status=2,
                         err=r"seen: standard input: line 20001: 1 hexadecimal digit, not an even number \(--on-bad skip .*\)\n")
        self.assertEqual(done.out, lines("78") * 20_000)


class Output(CommandTest):
    def test_a_full_disk_is_an_error(self):
        if not os.path.exists(DEV_FULL):
            self.skip_unless_ci("no /dev/full here")
        self.build("f", "x")
        for args in (["query", "f"], ["query", "-c", "f"], ["query", "--json", "f"], ["info", "f"], ["verify", "f"],
                     ["plan", "-n", "5"], ["formats"], ["--help"], ["build", "--help"], ["--version"],
                     ["build", "-o", "-"]):
            with self.subTest(args), open(DEV_FULL, "wb") as full:
                self.seen(*args, stdin=lines("x"), stdout=full, status=2,
                          err=r'seen: standard output: write: No space left on device\n|{"error": {"code": "io", "message": "standard '
                              r'output: write: No space left on device"}}\n')

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        self.build("f", "x")
        self.write("keys", lines("x") * 500_000)
        for restore in (True, False):  # False: SIGPIPE stays ignored, as Python has it
            with open(self.path("keys"), "rb") as keys:
                child = subprocess.Popen([SEEN, "query", "f"], cwd=self.dir, stdin=keys, stdout=subprocess.PIPE,
                                         stderr=subprocess.PIPE, restore_signals=restore)
            self.assertEqual(child.stdout.read(2), b"x\n")
            child.stdout.close()
            self.assertEqual(child.stderr.read(), b"")
            child.stderr.close()
            self.assertEqual(child.wait(timeout=60), -signal.SIGPIPE)

    def test_what_arrives_is_answered_at_once(self):
        self.build("f", "x", "P")
        child = subprocess.Popen([SEEN, "query", "f"], cwd=self.dir, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        watchdog = threading.Timer(60, child.kill)
        watchdog.start()
        try:
            for key in (b"P\n", b"x\n", b"x\n"):  # P begins like a compressed file
                child.stdin.write(key)
                child.stdin.flush()
                self.assertEqual(child.stdout.readline(), key)
            child.stdin.close()
            self.assertEqual(child.wait(timeout=60), 0)
        finally:
            watchdog.cancel()
            child.stdout.close()


if __name__ == "__main__":
    main()
