"""What is taken off lines before they are keys, and what is said of lists that are hardly meant as they are."""

import subprocess

from fields_test import PartsTest
from support import lines, main

RETURNS = r"seen: warning: %s: every key ends in a carriage return, which is taken for a part of it \(--crlf drops it\)\n"
MARK = (r"seen: warning: %s: begins with a byte-order mark, which is taken for a part of its first key "
        r"\(--crlf or --trim drops it\)\n")


class Cleaning(PartsTest):
    def test_carriage_returns(self):
        self.same_keys([b"a", b"b\r", b"", b"c"], b"a\r\nb\r\r\n\r\nc", "--crlf")
        self.same_keys([b"x", b"y"], b"1,x\r\n2,y\r\n", "--crlf", "--field", "2", "-d", ",")

    def test_blanks(self):
        self.same_keys([b"a b", b"", b"c"], b" \ta b\r\n \v\f \nc\n", "--trim")
        self.same_keys([b"x", b"y"], b"\t x\t\n\ty\n", "--trim", "--field", "2")  # a tab at the front is a field's
        self.same_keys([b"\xc2\xa0a"], b" \xc2\xa0a\n", "--trim")

    def test_capitals(self):
        self.same_keys([b"abz@[`{ \xc3\x84"], b"ABZ@[`{ \xc3\x84\n", "--lower")
        self.same_keys([bytes(range(97, 123)) * 9], bytes(range(65, 91)) * 9 + b"\n", "--lower")

    def test_empty_lines_and_keys(self):
        self.same_keys([b"a", b" ", b"b"], b"\na\n\n \nb\n\n", "--skip-blank")
        self.same_keys([b"a", b"b"], b"\na\n\n \nb\n\n", "--skip-blank", "--trim")
        self.same_keys([b"b", b"c"], b"a,b\n\nx,\ny,c\n", "--skip-blank", "--field", "2", "-d", ",")

    def test_comments(self):
        self.same_keys([b"a", b" # b", b"c # d"], b"# one\na\n#\n # b\nc # d\n", "--comment", "#")
        self.same_keys([b"a", b"c // d"], b"// one\na\n\t//b\nc // d\n", "--comment", "//", "--trim")

    def test_the_order_of_the_steps(self):
        self.same_keys([b"\xab\xcd"], b"\xef\xbb\xbf; x\r\n1 | ABCD \r\n\r\n", "--crlf", "--comment", ";", "--skip-blank", "--field", "2",
                       "-d", "|", "--trim", "--lower", "--hex")

    def test_lines_are_printed_as_they_were(self):
        self.build("some", "a")
        self.seen("query", "some", "--trim", "--lower", stdin=b"\xef\xbb\xbf A \r\nb\n", out=b"\xef\xbb\xbf A \r\n", err="")


class Suspicion(PartsTest):
    def test_carriage_returns_are_remarked_on_once(self):
        for count in (1, 999, 1000, 5000):
            data = b"".join(b"key %d\r\n" % i for i in range(count))
            self.write("list", data)
            self.write("more", data.replace(b"key", b"more"))
            self.seen("build", "-f", "-o", "f", "list", err=RETURNS % "list" + "seen: f: .*\n")
            self.seen("build", "-f", "-o", "f", "list", "more", err=RETURNS % "list" + "seen: f: .*\n")
            self.seen("build", "-f", "-o", "f", stdin="list", err=RETURNS % "standard input" + "seen: f: .*\n")
        self.seen("build", "-f", "-q", "-o", "f", "list", err="")
        self.seen("build", "-f", "-o", "f", "--crlf", "list", err="seen: f: .*\n")
        self.seen("query", "f", "--digest", "md5", "-v", stdin=b"other\r\n", out=b"other\r\n", err=RETURNS % "standard input")

    def test_some_are_not(self):
        many = b"".join(b"%04d\r\n" % i for i in range(2000))
        for data in (b"a\r\nb\n", b"a\n" + many, many[:999 * 6] + b"\na\n", b"", b"a"):
            self.seen("build", "-f", "-o", "f", stdin=data, err="seen: f: .*\n")
        self.seen("build", "-f", "-o", "f", "--field", "1", "-d", ":", stdin=b"a:1\r\nb:2\r\n", err="seen: f: .*\n")

    def test_hexadecimal_digits_name_the_option(self):
        self.bad("line 1: 3 hexadecimal digits, not an even number; it ends in a carriage return (--crlf)", b"41\r\n", "--hex")

    def test_byte_order_marks(self):
        self.write("list", b"\xef\xbb\xbfa\nb\n")
        self.seen("build", "-f", "-o", "f", "list", err=MARK % "list" + "seen: f: .*\n")
        self.seen("query", "f", stdin=lines(b"\xef\xbb\xbfa", "a", "b"), out=lines(b"\xef\xbb\xbfa", "b"), err=MARK % "standard input")
        for options in (["--crlf"], ["--trim"]):
            self.same_keys([b"a", b"b"], b"\xef\xbb\xbfa\nb\n", *options)
        self.same_keys([b"a", b"b"], b'\xef\xbb\xbf"a"\n"b"\n', "--csv", "--field", "1")
        self.same_keys([b"a", b"b"], b'\xef\xbb\xbf"a"\n"b"\n', "--json-key", ".")
        self.same_keys([b"a"], b"\xef\xbb\xbfid\na\n", "--header", "--field", "id")

    def test_utf16_is_refused(self):
        self.build("some", "ab")
        for text in ("ab\ncd\n", "ab", "ab\r\n", "\u4e2d\u6587\nab\n"):
            for encoding in ("utf-16", "utf-16-le", "utf-16-be"):
                mark = b"\xfe\xff" if encoding == "utf-16-be" else b"\xff\xfe"
                data = text.encode(encoding)
                if "\u4e2d" in text and not data.startswith(mark):
                    data = mark + data
                with self.subTest(data):
                    done = self.run_seen("query", "some", stdin=data)
                    self.assertEqual(done.status, 2)
                    self.assertRegex(done.err, r"seen: standard input: is UTF-16 text \(iconv -f UTF-16 -t UTF-8 .*--plain .*\)\n\Z")
                    self.seen("query", "some", "--plain", "-s", stdin=data, status=1, err="")
        for data in (b"\xff\xfe\n", b"\xff\xfe", b"a\0b\n", b"\0\n", b"\0a\0b\0\n"[:3] + b"bc\n"):
            self.seen("query", "some", "-s", stdin=data, status=1, err="")
        self.seen("query", "some", "-0", stdin=b"a\0b\0c\0", status=1, err="")


if __name__ == "__main__":
    main()
