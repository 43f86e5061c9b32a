"""How keys are cut out of files: lines, fields, hexadecimal, compressed files, and lines of any length."""

import bz2
import gzip
import lzma
import os
import subprocess

from support import CommandTest, lines, main


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def have_zstd():
    return any(os.access(os.path.join(d, "zstd"), os.X_OK) for d in os.environ.get("PATH", "").split(":"))


# "alpha\nbeta\n" as the zstd tool writes it, for machines without the tool: magic, frame header, one raw block, hash.
ZSTD_SAMPLE = bytes.fromhex("28b52ffd24") + bytes([11]) + bytes([11 << 3 | 1, 0, 0]) + b"alpha\nbeta\n"


def xxh64_low32(data):
    """The 32-bit checksum at the end of a zstd frame: XXH64 with seed 0, for less than 32 bytes."""
    p1, p2, p3, p4, p5 = (11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
                          2870177450012600261)
    mask = (1 << 64) - 1
    rotl = lambda x, r: (x << r | x >> (64 - r)) & mask
    h = (p5 + len(data)) & mask
    at = 0
    while at + 8 <= len(data):
        k = rotl(int.from_bytes(data[at:at + 8], "little") * p2 & mask, 31) * p1 & mask
        h = (rotl(h ^ k, 27) * p1 + p4) & mask
        at += 8
    if at + 4 <= len(data):
        h = (rotl(h ^ int.from_bytes(data[at:at + 4], "little") * p1 & mask, 23) * p2 + p3) & mask
        at += 4
    for b in data[at:]:
        h = rotl(h ^ b * p5 & mask, 11) * p1 & mask
    h = (h ^ h >> 33) * p2 & mask
    h = (h ^ h >> 29) * p3 & mask
    return (h ^ h >> 32) & 0xffffffff


ZSTD_SAMPLE += xxh64_low32(b"alpha\nbeta\n").to_bytes(4, "little")


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
        for length in [*range(0, 40), 262143, 262144, 262145]:
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


class Compressed(CommandTest):
    def filter_of(self, data, *options):
        self.write("data", data)
        self.seen("build", "-q", "-f", "-o", "f", *options, "data", err="")
        from_file = self.read("f")
        self.seen("build", "-q", "-f", "-o", "f", *options, stdin=data, err="")
        self.assertEqual(self.read("f"), from_file)
        return from_file

    def test_gzip_is_known_by_its_content(self):
        plain = lines(*range(100_000))
        self.assertEqual(self.filter_of(gzip.compress(plain)), self.filter_of(plain))

    def test_gzip_members_follow_one_another(self):
        joined = gzip.compress(b"a\nb") + gzip.compress(b"") + gzip.compress(b"c\nd\n")
        self.assertEqual(self.filter_of(joined), self.filter_of(b"a\nbc\nd\n"))

    def test_zstd_is_known_by_its_content(self):
        self.assertEqual(self.filter_of(ZSTD_SAMPLE), self.filter_of(lines("alpha", "beta")))

    def test_zstd_frames_follow_one_another(self):
        skippable = bytes.fromhex("5d2a4d18") + (3).to_bytes(4, "little") + b"abc"
        self.assertEqual(self.filter_of(skippable + ZSTD_SAMPLE + skippable + ZSTD_SAMPLE),
                         self.filter_of(lines("alpha", "beta", "alpha", "beta")))

    def test_a_large_zstd_file(self):
        if not have_zstd():
            self.skip_unless_ci("no zstd command here")
        plain = lines(*range(100_000))
        self.assertEqual(self.filter_of(zstd(plain)), self.filter_of(plain))

    def test_what_is_no_list_of_keys_is_refused_and_named(self):
        self.build("f", "a")
        kinds = [("xz data: xz -dc", lzma.compress(b"a\nb\n")), ("bzip2 data: bzip2 -dc", bz2.compress(b"a\nb\n")),
                 ("bzip2 data", bz2.compress(b"a\n" * 100, 1)), ("lz4 data", b"\x04\x22\x4d\x18\x64\x40\xa7"),
                 ("a zip archive", b"PK\x03\x04\x14\0\0\0"), ("a Parquet file", b"PAR1\x15\x04\x15"),
                 ("a filter: seen merge", self.read("f"))]
        for what, data in kinds:
            self.write("list", data)
            message = "is not a list of keys but " + what + r".* \(--plain takes its bytes as they are\)"
            self.refuses("list: " + message, "build", "-o", "g", "list")
            self.refuses("standard input: " + message, "add", "f", stdin="list")
            self.refuses("list: " + message, "query", "f", "-k", "list")
            self.seen("build", "-q", "-f", "-o", "g", "--plain", "list", err="")
            os.remove(self.path("g"))
        for text in (b"BZh91AY&", b"BZh91AY&SX\n", b"PAR1\n", b"PK\n", b"\xfd7zX\n", b"P", b"\x04\x22\x4d\n"):
            self.assertEqual(self.filter_of(text), self.filter_of(text, "--plain"))

    def test_plain_takes_the_bytes_as_they_are(self):
        packed = gzip.compress(b"a\nb\n", mtime=0)
        self.seen("build", "-q", "-n", "9", "-o", "f", "--plain", stdin=packed, err="")
        self.seen("query", "-c", "f", "--plain", stdin=packed, out=b"%d\n" % len(packed.splitlines()), err="")
        self.seen("query", "f", stdin=packed, status=1, out=b"", err="")

    def test_the_beginning_of_a_signature_is_a_key(self):
        for key in (b"\x1f", b"\x1f\x8b", b"\x28\xb5\x2f", b"(", b"P", b"\x1f\x8b\x08\xff"):
            self.seen("build", "-q", "-f", "-o", "f", stdin=key, err="")
            self.seen("query", "f", stdin=key + b"\n", out=key + b"\n", err="")

    def test_damage_is_an_error_and_nothing_is_written(self):
        packed = gzip.compress(lines(*range(2000)))
        flipped = packed[:-6] + bytes([packed[-6] ^ 1]) + packed[-5:]
        for message, data in [
            ("gzip data, before offset %d: the file ends too early" % (len(packed) - 1), packed[:-1]),
            ("gzip data, before offset .*: the file ends too early", packed[:1000]),
            ("gzip data, before offset 10: the file ends too early", packed[:10]),
            ("gzip data, before offset .*: incorrect", flipped),
            ("gzip data, before offset .*: incorrect header check", packed + b"junk"),
            ("zstd data, before offset .*: the file ends too early", ZSTD_SAMPLE[:-1]),
            ("zstd data, before offset .*: the file ends too early", ZSTD_SAMPLE[:9]),
            ("zstd data, before offset .*: ", ZSTD_SAMPLE[:-1] + b"\0"),
            ("zstd data, before offset .*: ", ZSTD_SAMPLE + b"junk"),
        ]:
            with self.subTest(message):
                self.write("data", data)
                self.refuses("data: " + message, "build", "-o", "f", "data")
                self.refuses("standard input: " + message, "build", "-o", "f", "-n", "1e4", stdin=data)


if __name__ == "__main__":
    main()
