#!/usr/bin/env python3
"""Files of other libraries through the command: every file under golden/ answers as its manifest says."""

import glob
import json
import os
import struct
import unittest

from support import CommandTest, lines

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")
OPTIONS = {"keys": "--key-type", "hash": "--hash", "part": "--part"}


def load(*path):
    with open(os.path.join(GOLDEN, *path)) as f:
        return json.load(f)


KEYS = load("keys.json")


def vectors():
    """(format, path, entry) of every file that a vectors.json lists."""
    for listing in sorted(glob.glob(os.path.join(GOLDEN, "*", "vectors.json"))):
        listed = load(listing)
        for entry in listed["files"]:
            yield listed["format"], os.path.join(os.path.dirname(listing), entry["file"]), entry


def options_of(name, entry):
    chosen = ["--format", name]
    for field, option in OPTIONS.items():
        if field in entry:
            chosen += [option, entry[field]]
    return chosen


def answers_of(path):
    """The keys of a manifest in hexadecimal, and what the library answered."""
    manifest = load(path + ".json")
    integers = manifest["keyset"] == "u64"

    def key(text):
        return (int(text) % 2**64).to_bytes(8, "little").hex() if integers else text

    added = KEYS["u64_added" if integers else "added_hex"][:manifest["added_count"]]
    refused = set(manifest.get("added_but_answered_false", []))
    expected = [(key(k), i not in refused) for i, k in enumerate(added)]
    absent = KEYS["u64_absent" if integers else "absent_hex"]
    expected += [(key(k), a) for k, a in zip(absent, manifest.get("absent_answers", [])) if a is not None]
    if "probe_positives" not in manifest:
        return expected
    hits = set(manifest["probe_positives"])
    for i in range(manifest.get("probe_count", 2000 if integers else 1000)):
        probe = key(i * 0xA0761D6478BD642F + 0xE7037ED1A0B428DB) if integers else (b"probe-%d" % i).hex()
        expected.append((probe, i in hits))
    return expected


class Foreign(CommandTest):
    def test_every_file_answers_as_its_manifest_says(self):
        for name, path, entry in vectors():
            with self.subTest(path=path, part=entry.get("part")):
                expected = answers_of(path)
                self.write("keys", "".join(k + "\n" for k, _ in expected).encode())
                status = 0 if any(answer for _, answer in expected) else 1
                done = self.seen("query", path, *options_of(name, entry), "--hex", "--json", "-k", "keys",
                                 status=status, err="")
                answers = [json.loads(line)["may_contain"] for line in done.out.splitlines()]
                self.assertEqual(answers, [a for _, a in expected])

    def test_info_says_what_they_are_and_that_nothing_speaks_for_them(self):
        for name, path, entry in vectors():
            with self.subTest(path=path):
                info = self.seen("info", path, *options_of(name, entry), "--json", err="").json()
                self.assertEqual(info["format"], name)
                self.assertEqual(info["file_bytes"], os.path.getsize(path))
                self.assertIs(info["verified"], path.endswith((".ldb", ".sst", ".rdbdump")))

    def test_keys_are_added_and_the_file_is_saved(self):
        for name, path, entry in vectors():
            if not entry.get("adds", True) or entry["writes"] == "no" or entry.get("loses"):
                continue
            with self.subTest(path=path):
                with open(path, "rb") as f:
                    self.write("f", f.read())
                key = (12345).to_bytes(8, "little").hex()
                added = self.run_seen("add", "-q", "f", *options_of(name, entry), "--hex", stdin=lines(key))
                if "f: full" in added.err:
                    with open(path, "rb") as f:
                        self.assertEqual(self.read("f"), f.read())
                    continue
                self.assertEqual((added.status, added.err), (0, ""))
                self.seen("query", "-c", "f", *options_of(name, entry), "--hex", stdin=lines(key), out=b"1\n", err="")

    def test_numbers_are_read_as_numbers_where_keys_are_numbers(self):
        for option in ("long", "int"):
            self.seen("build", "-q", "-o", option, "--format", "guava", "--key-type", option, "-p", "1e-9",
                      stdin=lines(-1, 0, 42), err="")
            self.seen("query", option, "--format", "guava", "--key-type", option, stdin=lines(-1, 7, 42),
                      out=lines(-1, 42), err="")
            self.refuses('line 1: "x" is not a whole number', "query", option, "--format", "guava", "--key-type", option,
                         stdin=lines("x"))
            # In hexadecimal they are bytes: four or eight of an int.
            self.seen("query", "-c", option, "--format", "guava", "--key-type", option, "--hex",
                      stdin=lines((42).to_bytes(8, "little").hex()), out=b"1\n", err="")

    def test_numbers_that_a_column_cannot_hold_are_refused(self):
        for number in ("4294967296", "-2147483649", "1.5", "", "0x10"):
            self.refuses("is not a whole number of 32 bits", "query", "--format", "guava", "--key-type", "int",
                         os.path.join(GOLDEN, "guava", "n137p0.01.guava"), stdin=lines(number))
        types = os.path.join(GOLDEN, "parquet", "types.parquet")
        decimal = ["query", types, "--column", "decimal_38"]
        self.refuses("is not a whole number of 64 bits with its sign", *decimal, stdin=lines(2**63))
        self.seen(*decimal, stdin=lines(2**63 - 1, -2**63), status=1, out=b"", err="")

    def test_small_files_that_two_formats_could_have_written_must_be_named(self):
        self.seen("build", "-q", "-o", "c", "--format", "cassandra", "-n", "1", stdin=lines("a"), err="")
        self.refuses("it could be .*cassandra, .*hadoop", "query", "c", stdin=lines("a"))
        self.seen("build", "-q", "-o", "p", "--format", "boomfilters", "--variant", "partitioned", "-n", "20", "-p", "0.6",
                  stdin=lines("a"), err="")
        self.assertEqual(self.info("p")["kind"], "partitioned-bloom")

    def test_a_few_hostile_bytes_do_not_make_gigabytes(self):
        self.write("p", struct.pack("<idQdi", 4, 0.9, 500_000_000, 0.01, 0))
        self.refuses("the next filter would be too large", "add", "--format", "pybloom-live", "p", stdin=lines("a"))

    def test_a_number_is_shown_as_it_was_written(self):
        self.seen("build", "-q", "-o", "f", "--format", "guava", "--key-type", "long", stdin=lines(1), err="")
        self.seen("query", "f", "--format", "guava", "--key-type", "long", "--json", stdin=lines(1),
                  out=b'{"key": "1", "may_contain": true}\n', err="")

    def test_every_format_that_can_be_made_is_made_of_keys_that_are_counted(self):
        keys = [str(1000 + i) for i in range(1000)]
        self.write("keys", lines(*keys))
        for row in self.seen("formats", "--json", err="").json()["formats"]:
            for variant in (row["variants"] or [None]) if row["makes"] else []:
                with self.subTest(row["name"], variant=variant):
                    chosen = ["--variant", variant] if variant else []
                    key_type = ["--key-type", "u64"] if "u64" in row["key_types"] else []
                    made = self.run_seen("build", "-q", "-o", "f", "-f", "--format", row["name"], *chosen, *key_type, "keys")
                    if "is full" in made.err:  # a cuckoo table is of a power of two, and takes no more than it has
                        continue
                    self.assertEqual((made.status, made.err), (0, ""))
                    if variant and variant.split("-")[0] in ("stable", "inverse"):
                        continue  # they forget
                    opened = ["--part", variant] if row["name"] == "cassandra" else []
                    self.seen("query", "-c", "f", "--format", row["name"], *opened, *key_type, "-k", "keys",
                              out=b"1000\n", err="")

    def test_what_the_content_does_not_tell_must_be_named_and_the_candidates_are(self):
        self.write("zeros", bytes(64))
        self.refuses("zeros: its content does not tell its format; it could be .*name the format", "info", "zeros")
        self.write("text", b"no filter at all, just a sentence of some length.\n")
        refused = self.seen("info", "text", status=2)
        self.assertRegex(refused.err, "text: (not a filter of any format|its content does not tell)")
        self.refuses("no format guavas; there are native, .*guava", "info", "--format", "guavas", "zeros")

    def test_foreign_options_on_native_files_are_refused(self):
        self.build("f", "a")
        for option in ("--hash", "--key-type", "--part"):
            self.refuses("f: a native file says itself", "query", "f", option, "bytes", stdin=lines("a"))


if __name__ == "__main__":
    unittest.main()
