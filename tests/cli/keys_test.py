"""How keys are cut out of files: lines, fields, hexadecimal, and lines of any length."""

from support import CommandTest, lines, main


class Lines(CommandTest):
    """Every way to cut keys must agree with a filter of the same keys on plain lines."""

    def same_filter(self, keys, data, *options):
        """Keys cut from `data` make the filter of `keys`, from a file and from a pipe."""
        self.seen("build", "-q", "-f", "-o", "expected", "--hex", stdin=lines(*(k.hex() for k in keys)), err="")
        expected = self.read("expected")
        self.write("data", data)
        self.seen("build", "-q", "-f", "-o", "from-file", *options, "data", err="")
        self.assertEqual(self.read("from-file"), expected, "from a file")
        self.seen("build", "-q", "-f", "-o", "from-pipe", *options, stdin=data, err="")
        self.assertEqual(self.read("from-pipe"), expected, "from a pipe")

    def test_a_key_is_the_bytes_of_a_line(self):
        self.same_filter([b"a", b" b ", b"\xff\xfe", b"c\td"], b"a\n b \n\xff\xfe\nc\td\n")

    def test_the_last_line_needs_no_newline(self):
        self.same_filter([b"a", b"b"], b"a\nb")
        self.same_filter([b"a"], b"a")

    def test_an_empty_line_is_the_empty_key(self):
        self.same_filter([b"", b"a", b""], b"\na\n\n")
        self.same_filter([b""], b"\n")

    def test_a_carriage_return_belongs_to_the_key(self):
        self.same_filter([b"a\r", b"b\r"], b"a\r\nb\r\n")

    def test_null_ends_keys_that_hold_newlines(self):
        self.same_filter([b"a\nb", b"", b"c"], b"a\nb\0\0c\0", "--null")
        self.same_filter([b"a\nb", b"c"], b"a\nb\0c", "-0")

    def test_fields(self):
        self.same_filter([b"b", b"", b"y"], b"a,b,c\nd,\nx,y", "--field", "2", "-d", ",")
        self.same_filter([b"a", b"d"], b"a\tb\nd\n", "--field", "1")
        self.same_filter([b"b", b"e"], b"a\tb\nd\te\n", "--field", "2", "-d", "\\t")
        self.same_filter([b"b\nc", b"e"], b"a,b\nc\0d,e", "--field", "2", "-d", ",", "-0")

    def test_hexadecimal(self):
        self.same_filter([b"\x00\xff\n", b"", b"A"], b"00FF0a\n\n41\n", "--hex")
        self.same_filter([b"\x01\x02"], b"x;0102;y\n", "--hex", "--field", "2", "-d", ";")

    def test_words_that_look_like_terminators_after_an_exact_match(self):
        # 0x0b is the byte after a newline: a borrow in the search for newlines would cut there.
        self.same_filter([b"", b"\x0b\x0b", b"\x0b\x0a"[:1] + b"x", b"\x01\x00\x01"],
                         b"\n\x0b\x0b\n\x0bx\n\x01\x00\x01\n")
        self.same_filter([b"", b"\x01", b"\x01\x01"], b"\0\x01\0\x01\x01\0", "-0")

    def test_lines_of_every_length_around_words_and_blocks(self):
        for length in [*range(0, 20), *range(60, 70), *range(124, 132), 524287, 524288, 524289]:
            keys = [bytes([97 + i]) * length for i in range(3)] + [b"end"]
            data = b"\n".join(keys) + b"\n"
            self.write("data", data)
            self.seen("build", "-q", "-f", "-n", "10", "-o", "f", "data", err="")
            self.seen("query", "f", stdin=data, out=data, err="")

    def test_more_short_lines_than_a_batch_holds(self):
        self.seen("build", "-q", "-o", "f", stdin=b"\n" * 100_000 + b"x\n", err="")
        self.assertEqual(self.info("f")["target"]["capacity"], 100_001)
        self.seen("query", "-c", "f", stdin=b"\n" * 70_001, out=b"70001\n", err="")

    def test_a_huge_line(self):
        huge = b"h" * 5_000_000
        self.seen("build", "-q", "-n", "4", "-o", "f", stdin=b"a\n" + huge + b"\nb", err="")
        self.seen("query", "f", stdin=b"b\n" + huge, out=b"b\n" + huge + b"\n", err="")
        self.seen("query", "f", stdin=huge + b"h", status=1, out=b"", err="")

    def test_what_is_wrong_names_the_line(self):
        for message, data, *options in [
            ("data: line 2: has 1 field, no field 2", b"a,b\nc\n", "--field", "2", "-d", ","),
            ("data: line 1: has 2 fields, no field 3", b"a,b", "--field", "3", "-d", ","),
            ("data: line 3: 3 hexadecimal digits, not an even number", b"00\n11\n123\n", "--hex"),
            ("data: line 1: 1 hexadecimal digit, not an even number", b"1\n", "--hex"),
            ("data: line 1: character 4 is not a hexadecimal digit", b"00fg\n", "--hex"),
            ("data: key 2: character 1 is not a hexadecimal digit", b"00\0\r\n\0", "--hex", "-0"),
        ]:
            with self.subTest(options):
                self.write("data", data)
                self.refuses(message, "build", "-o", "f", *options, "data")
        self.write("more", b"ok,1\nbad\n")
        self.write("data", b"a,1\nb,2\nc,3\n")
        self.refuses("more: line 2: has 1 field", "build", "-o", "f", "--field", "2", "-d", ",", "data", "more")
        self.refuses("standard input: line 70001: ", "build", "-o", "f", "--hex", stdin=b"00\n" * 70_000 + b"x\n")


if __name__ == "__main__":
    main()
