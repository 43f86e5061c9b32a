"""Where keys come from: compressed lists, and files that are no lists."""

import bz2
import gzip
import io
import json
import lzma
import os
import re
import sqlite3
import subprocess
import tarfile
import zipfile
import zlib

from support import KINDS, SEEN, CommandTest, lines, main


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


class Compressed(CommandTest):
    def filter_of(self, data, *options):
        self.write("data", data)
        self.seen("build", "-q", "-f", "-o", "f", *options, "data", err="")
        from_file = self.read("f")
        self.seen("build", "-q", "-f", "-o", "f", *options, stdin=data, err="")
        self.assertEqual(self.read("f"), from_file)
        return from_file

    def needs(self, what, sample):
        """Skips where the command was built without the library."""
        if f"is not a list of keys but {what} data" in self.run_seen("build", "-o", "-", stdin=sample).err:
            self.skip_unless_ci(f"built without {what}")

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

    def test_xz_streams_follow_one_another(self):
        self.needs("xz", lzma.compress(b"a\n"))
        plain = lines(*range(100_000))
        self.assertEqual(self.filter_of(lzma.compress(plain)), self.filter_of(plain))
        padding = bytes(8)  # of zeros between streams, in fours
        joined = lzma.compress(b"a\nb") + padding + lzma.compress(b"") + lzma.compress(b"c\nd\n") + padding
        self.assertEqual(self.filter_of(joined), self.filter_of(b"a\nbc\nd\n"))

    def test_bzip2_streams_follow_one_another(self):
        self.needs("bzip2", bz2.compress(b"a\n"))
        plain = lines(*range(300_000))
        for level in 1, 9:
            self.assertEqual(self.filter_of(bz2.compress(plain, level)), self.filter_of(plain))
        joined = bz2.compress(b"") + bz2.compress(b"a\nb") + bz2.compress(b"") + bz2.compress(b"c\nd\n")
        self.assertEqual(self.filter_of(joined), self.filter_of(b"a\nbc\nd\n"))

    def refused_as(self, what, data):
        """No verb takes these bytes for a list, and the message says what they are; --plain insists."""
        self.write("list", data)
        message = "is not a list of keys but " + what + r".* \(--plain takes its bytes as they are\)"
        self.refuses("list: " + message, "build", "-o", "g", "list")
        self.refuses("standard input: " + message, "add", "f", stdin="list")
        self.refuses("list: " + message, "query", "f", "-k", "list")
        if what != "a filter: seen merge":  # which is verified beside the other one
            self.refuses("list: " + message, "verify", "f", "list")
        self.seen("build", "-q", "-f", "-o", "g", "--plain", "list", err="")
        os.remove(self.path("g"))

    def test_what_is_no_list_of_keys_is_refused_and_named(self):
        self.build("f", "a")
        text = lines(*(f"user-{i}" for i in range(1000)))
        tar, zipped, database = io.BytesIO(), io.BytesIO(), sqlite3.connect(self.path("database"))
        with tarfile.open(fileobj=tar, mode="w", format=tarfile.GNU_FORMAT) as archive:
            archive.add(self.path("f"), "f")
        with zipfile.ZipFile(zipped, "w") as archive:
            archive.writestr("list.txt", text)
        database.execute("create table keys (key text)")
        database.commit()
        database.close()
        with open(SEEN, "rb") as f:
            program = f.read(10_000)
        for what, data in [
            ("zlib data: pigz -dc", zlib.compress(text)), ("zlib data", zlib.compress(text, 1)),
            ("zlib data", zlib.compress(text, 9)), ("zlib data", zlib.compress(b"alice\n")),
            ("lzma data: xz -dc", lzma.compress(text, lzma.FORMAT_ALONE)),
            ("a tar archive: tar -xO", tar.getvalue()), ("a zip archive: unzip -p", zipped.getvalue()),
            ("an SQLite database", self.read("database")), ("a program", program),
            ("a filter: seen merge", self.read("f")),
            # the beginnings that the tools write
            ("lz4 data: lz4 -dc", bytes.fromhex("04224d18 6440a7 06000080") + b"alice\n" + bytes(4)),
            ("compress data: gzip -dc", bytes.fromhex("1f9d90 61d8a419 530a")),
            ("a 7z archive: 7z x -so", b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(24)),
            ("a rar archive: unrar", b"Rar!\x1a\x07\x01\0" + bytes(16)), ("a rar archive", b"Rar!\x1a\x07\0" + bytes(16)),
            ("an ORC file", b"ORC\n\x0b\n\x03\0\0\0\x12\x04" + text), ("an Avro file", b"Obj\x01\x04\x14avro.codec\x08null"),
            ("lzip data", b"LZIP\x01\x0c" + bytes(30)),
        ]:
            with self.subTest(what):
                self.refused_as(what, data)

    def test_filters_of_other_libraries_are_no_lists(self):
        golden = os.path.join(os.path.dirname(__file__), "..", "golden")
        self.build("f", "a")
        for what, name in [
            ("a Parquet file", "parquet/groups.parquet"),
            ("a filter of the libbloom format", "libbloom/n1000p0.01.libbloom"),
            ("a filter of the dcso format", "dcso/n137p01_data.bloom"),
            ("a filter of the rocksdb format", "rocksdb/table_v7.sst"),
            ("a filter of the bits-and-blooms format", "bits-and-blooms/n137p01.json.filter"),
        ]:
            with self.subTest(name), open(os.path.join(golden, name), "rb") as f:
                self.refused_as(what, f.read())

    def test_a_packed_list_holds_a_list(self):
        self.build("f", "a")
        for what, data in [
            ("zstd data inside gzip data: gzip -dc takes off one layer", gzip.compress(ZSTD_SAMPLE)),
            ("gzip data inside gzip data: gzip -dc takes off one layer", gzip.compress(gzip.compress(b"a\n"))),
            ("a zip archive inside gzip data: unzip -p", gzip.compress(b"PK\x03\x04\x14\0\0\0")),
            ("a filter inside gzip data: seen merge", gzip.compress(self.read("f"))),
        ]:
            with self.subTest(what):
                self.refused_as(what, data)
        for empty in gzip.compress(b""), gzip.compress(b"x"):
            self.assertEqual(self.filter_of(empty), self.filter_of(gzip.decompress(empty)))

    def test_text_that_begins_like_them_is_a_list(self):
        for text in (b"BZh91AY&", b"BZh91AY&SX\n", b"PAR1\n", b"PK\n", b"\xfd7zX\n", b"P", b"\x04\x22\x4d\n", b"ORC\norchid\n",
                     b"x^2 + y^2\n" * 100, b"x\x01\n" * 50, b"xz\n", b"]\n", b"Obj\n", b"SQLite format 3\n", b"Rar!\n",
                     b"libbloom2\nlibbloom-dev\n" * 100, b"ustar\n" * 100, b'{"id": 1}\n{"id": 2}\n', b"ab\0cd\n" * 1000):
            self.assertEqual(self.filter_of(text), self.filter_of(text, "--plain"), text)

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
            self.damage(message, data)

    def test_damage_in_xz_and_bzip2(self):
        plain = lines(*range(20_000))
        for what, packed, junk in [("xz", lzma.compress(plain), "damaged"),
                                   ("bzip2", bz2.compress(plain), "what follows is no bzip2 data")]:
            self.needs(what, packed)
            middle = len(packed) // 2
            for message, data in [("the file ends too early", packed[:-1]), ("the file ends too early", packed[:middle]),
                                  ("the file ends too early", packed + packed[:middle]), (junk, packed + b"junk" * 5),
                                  ("damaged", packed[:middle] + bytes([packed[middle] ^ 1]) + packed[middle + 1:])]:
                self.damage(f"{what} data, before offset .*: {message}", data)

    def damage(self, message, data):
        with self.subTest(message):
            self.write("data", data)
            self.refuses("data: " + message, "build", "-o", "f", "data")
            self.refuses("standard input: " + message, "build", "-o", "f", "-n", "1e4", stdin=data)


class Threads(CommandTest):
    """Large files are read in parts by several threads; nothing else is different."""

    @classmethod
    def setUpClass(cls):
        cls.keys = [b"https://example.org/%08x/item?id=%d" % (i * 2654435761 % 2**32, i) for i in range(250_000)]

    def setUp(self):
        super().setUp()
        self.write("keys", lines(*self.keys))  # 11 MB, in parts of 4 MiB
        self.assertGreater(os.path.getsize(self.path("keys")), 10 << 20)

    def test_a_filter_is_the_same_for_any_number_of_threads(self):
        for row in self.kinds():
            if KINDS and row["kind"] not in KINDS:
                continue
            with self.subTest(row["kind"]):
                size = () if row["kind"] in ("ribbon", "binary-fuse", "xor") else ("-n", "250000")
                for threads in "1", "3":
                    self.seen("build", "-q", "-f", "-o", "f" + threads, "--kind", row["kind"], *size, "-j", threads, "keys",
                              err="")
                self.assertEqual(self.read("f1"), self.read("f3"))

    def test_keys_are_counted_by_all_threads(self):
        for threads in "1", "3":
            self.seen("build", "-q", "-o", "f" + threads, "-j", threads, "keys", err="")
            self.seen("build", "-q", "-o", "g" + threads, "-j", threads, stdin="keys", err="")
        self.assertEqual(self.info("f3")["target"]["capacity"], 250_000)
        self.assertEqual({self.read(f) for f in ("f1", "f3", "g1", "g3")}, {self.read("f1")})

    def test_the_last_line_and_lines_longer_than_a_part(self):
        huge = b"h" * 9_000_000
        self.write("list", b"a\n" + huge + b"\n" + lines(*self.keys) + b"last")
        self.seen("build", "-q", "-n", "3e5", "-p", "1e-9", "-o", "f", "-j", "3", "list", err="")
        self.holds("f", "a", huge, "last", self.keys[0], self.keys[-1])
        self.seen("verify", "-q", "-j", "3", "f", "list", "--probes-count", "0", err="")
        self.seen("query", "-c", "f", stdin=lines("", "h", "las"), status=1, out=b"0\n", err="")

    def test_several_lists_keep_their_order_and_their_lines(self):
        self.build("f", *self.keys[:1000], options=("-p", "1e-9"))
        self.write("second", gzip.compress(lines("x", "y"), 1))
        out = self.seen("verify", "-j", "3", "--probes-count", "0", "f", "second", "keys", status=1)
        missing = [line for line in out.err.splitlines() if "is not in f" in line]
        self.assertEqual(len(missing), 10, out.err)
        self.assertRegex(missing[0], 'second: line 1: "x"')
        self.assertRegex(missing[2], f'keys: line 1001: "{re.escape(self.keys[1000].decode())}"')
        self.assertIn(f"lost {250_002 - 1000:,} of 250,002 keys".encode(), out.out)

    def test_a_bad_record_is_named_by_its_line_in_the_file(self):
        data = lines(*(k.hex() for k in self.keys))
        for line in 2, 130_000, 250_000:
            broken = data.split(b"\n")
            broken[line - 1] += b"x"
            self.write("list", b"\n".join(broken))
            for threads in "1", "3":
                self.refuses(f"list: line {line}: ", "build", "-o", "g", "--hex", "-j", threads, "list")
        told = [self.seen("build", "-f", "-o", "g", "--hex", "--on-bad", "skip", "-j", threads, "list").err
                for threads in ("1", "3")]
        self.assertIn("1 record skipped, in line 250,000", told[0])
        self.assertEqual(told[0], told[1])

    def test_threads_are_a_number(self):
        self.refuses("--threads: ", "build", "-o", "g", "-j", "many", "keys")
        self.refuses("--threads: 2000 is more than 1024", "build", "-o", "g", "-j", "2000", "keys")


class OnePass(CommandTest):
    """Where the number of keys is not known, what cannot be read again cheaply is kept as digests: the filter is the same."""

    def test_pipes_and_packed_lists_make_the_filter_of_the_file(self):
        keys = [f"user-{i}" for i in range(70_000)] + [""]
        self.write("plain", lines(*keys))
        self.write("packed.gz", gzip.compress(lines(*keys), 1))
        for options in (), ("--kind", "cuckoo"), ("--hash", "xxh64", "--seed", "7"), ("--kind", "bloom"), \
                ("--format", "guava"), ("--format", "leveldb"), ("-p", "1e-6"):
            with self.subTest(options):
                self.seen("build", "-q", "-f", "-o", "f", *options, "plain", err="")
                for source in ("packed.gz",), ():
                    self.seen("build", "-q", "-f", "-o", "g", *options, *source, stdin=lines(*keys) if not source else b"",
                              err="")
                    self.assertEqual(self.read("f"), self.read("g"))

    def test_a_full_filter_is_refused_from_a_pipe_as_from_a_file(self):
        self.write("plain", b"same\n" * 1000)
        for stdin in "plain", b"same\n" * 1000:
            self.refuses("the cuckoo filter is full", "build", "-o", "f", "--kind", "cuckoo", stdin=stdin)


class PackedFilters(CommandTest):
    """A filter may be packed, or come through a pipe."""

    def packed(self):
        return {"gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress}

    def setUp(self):
        super().setUp()
        self.build("f", *range(1000))

    def test_packed_filters_are_opened(self):
        plain = self.info("f")
        for name, pack in self.packed().items():
            with self.subTest(name):
                self.write("f." + name, pack(self.read("f")))
                if self.run_seen("info", "f." + name).status != 0:
                    self.skip_unless_ci(f"built without {name}")
                self.holds("f." + name, 1, 999)
                self.assertEqual({**self.info("f." + name), "file": "f"}, plain)
                self.seen("verify", "-q", "f." + name, err="")
                self.seen("merge", "-q", "-f", "-o", "both", "f", "f." + name, err="")
                self.assertEqual(self.read("both"), self.read("f"))

    def test_a_filter_comes_through_a_pipe(self):
        data = self.read("f")
        self.write("list", lines(7, "no"))
        self.assertEqual(json.loads(self.seen("info", "--json", "-", stdin=data, err="").out)["target"]["capacity"], 1000)
        self.seen("verify", "-q", "-", "list", "--probes-count", "0", stdin=data, status=1)
        done = subprocess.run(["bash", "-c", f"{SEEN} query <(cat f) < list"], cwd=self.dir, stdout=subprocess.PIPE, check=True)
        self.assertEqual(done.stdout, b"7\n")
        self.seen("info", "-", stdin="f", err="")

    def test_what_is_no_filter_is_named(self):
        self.write("empty", b"")
        self.write("empty.gz", gzip.compress(b""))
        self.write("text.gz", gzip.compress(b"alice\n" * 100))
        self.write("cut.gz", gzip.compress(self.read("f"))[:-1])
        flipped = bytearray(self.read("f"))
        flipped[-1] ^= 1
        self.write("flipped.gz", gzip.compress(bytes(flipped)))
        for message, name in [("empty: is empty", "empty"), ("empty.gz: is empty", "empty.gz"),
                              ("text.gz: not a filter", "text.gz"), ("cut.gz: gzip data, .* ends too early", "cut.gz"),
                              ("flipped.gz: .*checksum", "flipped.gz")]:
            for verb in "query", "info", "verify":
                self.refuses("seen: " + message, verb, name)
        self.refuses("standard input: is empty", "info", "-")

    def test_packed_filters_are_not_changed_in_place(self):
        self.write("f.gz", gzip.compress(self.read("f")))
        for verb in "add", "remove", "shrink":
            self.refuses(r"f.gz: is packed by gzip, .*\(gzip -d unpacks it\)", verb, "f.gz")


if __name__ == "__main__":
    main()
