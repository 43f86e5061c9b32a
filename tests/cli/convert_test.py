#!/usr/bin/env python3
"""seen convert: the same filter as a file of another format, or the reason why not."""

import os
import unittest

from support import CommandTest, lines

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")


def golden(*path):
    return os.path.join(GOLDEN, *path)


class Convert(CommandTest):
    def same(self, name, path):
        with open(path, "rb") as f:
            self.assertEqual(self.read(name), f.read())

    def convert(self, to, path, output, *options):
        return self.seen("convert", "-q", "--to", to, path, "-o", output, *options, err="")

    def test_encodings_of_one_format_become_one_another(self):
        source = golden("bits-and-blooms", "n137p01.bin")
        for variant, file in (("json", "n137p01.json.filter"), ("gob", "n137p01.gob"),
                              ("binary-le", "n137p01.bitset-le.bin")):
            self.convert("bits-and-blooms", source, variant, "--variant", variant, "--format", "bits-and-blooms")
            self.same(variant, golden("bits-and-blooms", file))
            self.convert("bits-and-blooms", variant, variant + "-back", "--variant", "binary", "--format", "bits-and-blooms")
            self.same(variant + "-back", source)
        self.convert("willf", source, "willf", "--format", "bits-and-blooms")
        self.same("willf", source)

    def test_the_layout_of_what_is_read_is_not_that_of_what_is_written(self):
        old, new = golden("cassandra", "n137p0.01-la-Filter.db"), golden("cassandra", "n137p0.01-na-Filter.db")
        named = ("--format", "cassandra", "--variant", "new")
        self.convert("cassandra", old, "new", *named, "--from-variant", "old")
        self.same("new", new)
        self.refuses("cassandra: no variant older; there are new, old", "convert", "--to", "cassandra", old, "-o", "g", *named,
                     "--from-variant", "older")

    def test_a_native_split_block_filter_is_a_parquet_filter_and_the_reverse(self):
        keys = [str(i) for i in range(1000)]
        self.build("f", *keys, options=("--kind", "split-block", "--hash", "xxh64"))
        self.convert("parquet", "f", "f.sbbf")
        self.seen("query", "-s", "-c", "f.sbbf", "--format", "parquet", stdin=lines(*keys), out=b"1000\n", err="")
        self.seen("build", "-q", "-o", "numbers", "--format", "parquet", "--key-type", "int64", stdin=lines(*keys), err="")
        self.refuses("a native filter knows keys of bytes only", "convert", "--to", "native", "--format", "parquet",
                     "--key-type", "int64", "numbers", "-o", "lost")
        self.convert("native", "f.sbbf", "back", "--format", "parquet")
        self.seen("query", "-c", "back", stdin=lines(*keys), out=b"1000\n", err="")

    def test_a_filter_comes_straight_out_of_a_table(self):
        self.convert("parquet", golden("parquet", "duckdb_fpr0.01.parquet"), "b.sbbf", "--column", "b")
        self.same("b.sbbf", golden("parquet", "duckdb_fpr0.01_col_b.sbbf"))

    def test_a_filter_is_already_of_its_own_format(self):
        for name, file in (("guava", "n137p0.01.guava"), ("spark", "v2_n137.spark"), ("hadoop", "bloom_murmur_m1003k5.hadoop")):
            self.convert(name, golden(name, file), name, "--format", name)
            self.same(name, golden(name, file))
        self.refuses("spark places the keys of V2 otherwise than those of this file: build it anew", "convert", "--to",
                     "spark", "--variant", "V2", "--format", "spark", golden("spark", "v1_n137.spark"), "-o", "g")
        self.refuses("convert: this looks like a spark file, but its content does not prove its format and key type: name", "convert", "--to",
                     "spark", golden("spark", "v1_n137.spark"), "-o", "h")
        self.assertNotIn("h", self.files())

    def test_what_would_need_the_keys_is_refused_and_said(self):
        self.build("f", "a")
        self.refuses("f: convert: the bits of a blocked-bloom filter .native. mean something else in a guava file: "
                     "build it anew from its keys", "convert", "--to", "guava", "f", "-o", "g")
        self.refuses("f: convert: .*build it anew", "convert", "--to", "parquet", "f", "-o", "g")
        self.refuses("no format nonsense; there are native", "convert", "--to", "nonsense", "f", "-o", "g")
        self.refuses("guava has no variant nonsense; there are MURMUR128_MITZ_64", "convert", "--to", "guava",
                     "--variant", "nonsense", "f", "-o", "g")
        self.assertNotIn("g", self.files())

    def test_nothing_existing_is_overwritten_and_native_stays_native(self):
        self.build("f", "a")
        self.convert("native", "f", "g")
        self.assertEqual(self.read("g"), self.read("f"))
        self.refuses("g: exists", "convert", "--to", "native", "f", "-o", "g")
        self.refuses("g: exists", "convert", "--to", "native", "none", "-o", "g")  # before the filter is looked for


if __name__ == "__main__":
    unittest.main()
