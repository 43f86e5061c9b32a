#!/usr/bin/env python3
"""Files of other libraries through the command: every file under golden/ answers as its manifest says."""

import glob
import json
import os
import struct
import subprocess
import unittest

from support import SEEN, CommandTest, as_text, lines

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden")
OPTIONS = {"keys": "--key-type", "hash": "--hash", "part": "--part", "variant": "--variant"}


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
                done = self.seen("query", "-s", path, *options_of(name, entry), "--hex", "--json", "-k", "keys",
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
                self.seen("query", "-s", "-c", "f", *options_of(name, entry), "--hex", stdin=lines(key), out=b"1\n", err="")

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

    def refused_everywhere(self, line, message, name, *options):
        """Every verb that reads keys refuses this line of hexadecimal digits, wherever it stands, and changes nothing."""
        good = (7).to_bytes(8, "little").hex()
        self.write("bad", lines(good, line, good))
        for verb in (("query", name), ("query", "-c", "-v", name), ("verify", name, "-"), ("add", name), ("remove", name)):
            if verb[0] == "add" and not self.can_add:
                continue
            if verb[0] == "remove" and not self.can_remove:
                continue
            if verb[0] == "verify":  # tells of the lines before, too
                done = self.seen(*verb, "--hex", *options, stdin="bad", status=2, out=b"")
                self.assertRegex(done.err, "\nseen: standard input: line 2: " + message)
                continue
            self.refuses("standard input: line 2: " + message, *verb, "--hex", *options, stdin="bad")
        if "-q" not in options:
            done = self.seen("query", "--json", name, "-k", "bad", "--hex", *options, status=2)
            self.assertEqual(done.out.count(b"\n"), 1)
            self.assertRegex(as_text(done.err), "seen: bad: line 2: " + message)

    def test_hexadecimal_keys_of_the_wrong_length_are_no_numbers(self):
        self.can_add = self.can_remove = False
        long = '"%s" is not a whole number of 64 bits, which the keys of this filter are: 8 bytes in hexadecimal'
        for path, *options in (("xorfilter-go/binaryfuse8.bin",), ("xor-singleheader/xor8_serialize.bin",),
                               ("xor-singleheader/xor8_pack.bin",)):
            for line in ("", "03", "ffffff", "03000000", "00000000000000000000"):
                self.refused_everywhere(line, long % line, os.path.join(GOLDEN, *path.split("/")), *options)
        self.can_add = True
        for name, keys, allowed in (("guava", "long", (8,)), ("guava", "int", (4, 8)), ("spark", "long", (8,)),
                                    ("datasketches", "long", (8,)), ("datasketches", "double", (8,)),
                                    ("parquet", "int32", (4, 8)), ("parquet", "int64", (8,)), ("parquet", "float", (4, 8)),
                                    ("parquet", "double", (8,))):
            options = ("--format", name, "--key-type", keys)
            self.seen("build", "-q", "-f", "-o", "f", "-p", "1e-6", *options, stdin=lines(1, 2), err="")
            for length in (0, 3, 4, 8, 9):
                line = "01" * length if (keys, length) not in (("int", 8), ("int32", 8)) else "0101010100000000"
                if length not in allowed:
                    self.refused_everywhere(line, f'"{line}" is not a (whole )?number.*, which the keys', "f", *options)
                    self.refuses("line 1: .* is not a", "build", "-o", "g", "--hex", *options, stdin=lines(line))
                else:
                    self.seen("query", "f", "--hex", *options, stdin=lines(line), status=1, out=b"", err="")

    def test_hexadecimal_numbers_of_more_than_32_bits_are_refused_as_decimal_ones_are(self):
        self.can_add, self.can_remove = True, False
        for name, keys in (("guava", "int"), ("parquet", "int32")):
            options = ("--format", name, "--key-type", keys)
            self.seen("build", "-q", "-f", "-o", "f", "-p", "1e-6", *options, stdin=lines(1), err="")
            for number in (2**32, 7_000_000_000, -2**31 - 1, 2**63 - 1, -2**63):
                line = (number % 2**64).to_bytes(8, "little").hex()
                self.refused_everywhere(line, f'"{line}" is not a whole number of 32 bits', "f", *options)
                self.refuses("line 1: .* is not a whole number of 32 bits", "build", "-o", "g", "--hex", *options,
                             stdin=lines(line))
            for number in (2**32 - 1, 2**31, -2**31, -1):  # with the sign or without it
                line = (number % 2**64).to_bytes(8, "little").hex()
                self.seen("add", "-q", "f", "--hex", *options, stdin=lines(line), err="")
                self.seen("query", "f", *options, stdin=lines(number), out=lines(number), err="")

    def test_columns_take_the_lengths_that_their_types_have(self):
        types = os.path.join(GOLDEN, "parquet", "types.parquet")
        self.seen("query", types, "--column", "decimal_38", "--hex", stdin=lines("00" * 16, "00" * 8), err="",
                  status=self.run_seen("query", types, "--column", "decimal_38", "--hex", stdin=lines("00" * 16)).status)
        self.refuses('"0000" is not a whole number of 64 bits with its sign', "query", types, "--column", "decimal_38", "--hex",
                     stdin=lines("0000"))

    def test_filters_of_numbers_and_of_bytes_are_asked_one_by_one(self):
        self.build("f", 1, 2)
        numbers = os.path.join(GOLDEN, "xorfilter-go", "binaryfuse8.bin")
        for filters in (("f", numbers), (numbers, "f"), ("f", "f", numbers)):
            self.refuses("a key is (any bytes|a whole number of 64 bits) here, and (any bytes|a whole number of 64 bits) in .*: "
                         "ask them one by one", "query", *(word for each in filters for word in ("-F", each)), stdin=lines(1))
        self.seen("query", "-s", "-c", "-F", numbers, "-F", numbers, stdin=lines(3),
                  status=self.run_seen("query", numbers, stdin=lines(3)).status, err="")

    def test_small_files_that_two_formats_could_have_written_must_be_named(self):
        self.seen("build", "-q", "-o", "c", "--format", "cassandra", "-n", "1", stdin=lines("a"), err="")
        self.refuses("it could be .*cassandra, .*hadoop", "query", "c", stdin=lines("a"))
        self.seen("build", "-q", "-o", "p", "--format", "boomfilters", "--variant", "partitioned", "-n", "20", "-p", "0.6",
                  stdin=lines("a"), err="")
        named = self.seen("info", "p", "--format", "boomfilters", "--json", err="").json()
        self.assertEqual(named["kind"], "partitioned-bloom")

    def test_few_keys_are_not_lost_to_another_format(self):
        for name, options, keys in (
                ("guava", ("-n", "23", "-p", "0.01"), ["18"]),
                ("rust-bloomfilter", ("-n", "57", "-p", "0.01"), ["389"]),
                ("spark", ("--variant", "V1", "-n", "57", "-p", "0.001"), ["599"]),
                ("seiflotfy-cuckoo", ("--variant", "plain", "-n", "20"), ["62", "63"]),
                ("cassandra", ("-n", "50", "-p", "0.5"), ["105"])):
            with self.subTest(name):
                self.seen("build", "-q", "-f", "-o", "f", "--format", name, *options, stdin=lines(*keys), err="")
                before = self.read("f")
                asked = self.run_seen("query", "f", stdin=lines(*keys))
                if asked.status == 0:
                    self.assertEqual(asked.out, lines(*keys))
                else:
                    self.assertEqual(asked.status, 2)
                    self.assertRegex(asked.err, "f: its content does not tell its format; it could be .*" + name)
                added = self.run_seen("add", "-q", "f", stdin=lines("19"))
                if added.status != 0:
                    self.assertRegex(added.err, "name the format .--format NAME")
                    self.assertEqual(self.read("f"), before)
                self.seen("query", "-s", "-c", "f", "--format", name, stdin=lines(*keys),
                          out=lines(len(keys)), err="")

    def test_a_guess_is_asked_and_changed_by_name_alone(self):
        keys = [str(i) for i in range(1000)]
        self.seen("build", "-q", "-o", "g", "--format", "guava", stdin=lines(*keys), err="")
        said = "seen: warning: g: taken for a guava file, its keys for bytes .assumed; --key-type: bytes, utf8, utf16, long, int., which its content does not prove"
        self.seen("query", "-c", "g", stdin=lines(*keys), out=b"1000\n", err=said + "; --format guava says so\n")
        self.seen("query", "-s", "-c", "g", stdin=lines(*keys), out=b"1000\n", err="")
        self.seen("query", "-c", "--format", "guava", "g", stdin=lines(*keys), out=b"1000\n", err=said + "\n")
        self.seen("query", "-c", "--format", "guava", "--key-type", "bytes", "g", stdin=lines(*keys), out=b"1000\n", err="")
        info = self.info("g")
        self.assertEqual((info["key_form"], info["assumed_key_type"], info["assumed_hash"]), ("bytes", "bytes", None))
        self.assertEqual(self.info("g", "--format", "guava", "--key-type", "utf16")["assumed_key_type"], None)
        self.assertIn("  keys are  bytes (assumed; --key-type: bytes, utf8, utf16, long, int)\n", self.seen("info", "g", err="").out.decode())
        self.assertIn("  keys are  a whole number of 64 bits\n",
                      self.seen("info", "g", "--format", "guava", "--key-type", "long", err="").out.decode())
        self.write("keys", lines(*keys))
        self.seen("verify", "g", "keys", "--probes-count", "0", err=said + "; --format guava says so\n")
        self.write("others", lines("other"))
        lost = self.seen("verify", "-q", "g", "others", "--probes-count", "0", status=1, err="").out
        self.assertIn(b"lost 1 of 1 key (or it is not what it was taken for: name its --format, --hash", lost)
        self.assertEqual(self.info("g")["recognised"], "guessed")
        self.assertIn("guessed, as are its hash and keys: to change it, name it (--format)", self.seen("info", "g", err="").out.decode())
        before = self.read("g")
        refusal = "g: {}: this looks like a guava file, but its content does not prove its format and key type: name the format"
        self.refuses(refusal.format("add"), "add", "g", stdin=lines("x"))
        self.refuses(refusal.format("merge"), "merge", "-o", "m", "g", "g")
        self.refuses(refusal.format("intersect"), "intersect", "-o", "m", "g", "g")
        self.refuses(refusal.format("convert"), "convert", "--to", "guava", "g", "-o", "m")
        self.assertEqual((self.read("g"), "m" in self.files()), (before, False))
        self.seen("merge", "-q", "-o", "m", "--format", "guava", "g", "g", err="")
        self.seen("add", "-q", "--format", "guava", "g", stdin=lines("x"), err="")
        self.seen("query", "-c", "-s", "g", stdin=lines("x", *keys), out=b"1001\n", err="")
        self.build("native", "a")
        self.assertEqual(self.info("native")["recognised"], "proven")

    def test_a_hash_that_the_file_does_not_tell_is_a_guess(self):
        keys = [str(i) for i in range(1000)]
        self.seen("build", "-q", "-o", "w", "--format", "willf", "--hash", "fnv1a-64", stdin=lines(*keys), err="")
        before = self.read("w")
        self.seen("query", "-c", "w", stdin=lines(*keys), err="seen: warning: w: taken for a bits-and-blooms file, .*\n")
        self.refuses("w: add: this looks like a bits-and-blooms file, but nothing in it proves it", "add", "w", stdin=lines("x"))
        self.assertEqual(self.read("w"), before)
        self.seen("query", "-c", "--format", "willf", "--hash", "fnv1a-64", "w", stdin=lines(*keys), out=b"1000\n", err="")

    def test_an_alphabet_that_the_file_does_not_tell_is_named(self):
        keys = [str(i) for i in range(300)]
        named = ("--format", "bits-and-blooms")
        for variant in ("json", "json-std"):
            self.seen("build", "-q", "-f", "-o", "j", *named, "--variant", variant, "-n", "300", stdin=b"",
                      err="")
            before = self.read("j")
            self.refuses("j: cannot be written: .*did not tell its base64 alphabet.*--variant json-std", "add", *named, "j", stdin=lines(*keys))
            self.assertEqual(self.read("j"), before)
            self.seen("add", "-q", *named, "--variant", variant, "j", stdin=lines(*keys), err="")
            self.assertEqual(b"+" in self.read("j") or b"/" in self.read("j"), variant == "json-std")
            self.seen("add", "-q", *named, "j", stdin=lines("x"), err="")
            self.assertEqual(self.info("j")["variant"], variant)
            self.refuses("no variant .the alphabet of JSON. jsonx; there are json, json-std, json-std-le, json-le; did you mean json\?\n", "info", *named,
                         "--variant", "jsonx", "j")
        self.seen("build", "-q", "-o", "b", *named, stdin=lines(*keys), err="")
        self.refuses("b: this is not JSON, and has no variant json\n", "info", *named, "--variant", "json", "b")

    def test_a_few_hostile_bytes_do_not_make_gigabytes(self):
        self.write("p", struct.pack("<idQdi", 4, 0.9, 500_000_000, 0.01, 0))
        self.refuses("the next filter would be too large", "add", "--format", "pybloom-live", "p", stdin=lines("a"))

    def test_a_number_is_shown_as_it_was_written(self):
        self.seen("build", "-q", "-o", "f", "--format", "guava", "--key-type", "long", stdin=lines(1), err="")
        self.seen("query", "f", "--format", "guava", "--key-type", "long", "--json", stdin=lines(1),
                  out=b'{"line_number": 1, "key": "1", "may_contain": true}\n', err="")

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
                    opened = ["--variant", variant] if row["name"] == "cassandra" else []
                    self.seen("query", "-s", "-c", "f", "--format", row["name"], *opened, *key_type, "-k", "keys",
                              out=b"1000\n", err="")

    def test_what_the_content_does_not_tell_must_be_named_and_the_candidates_are(self):
        self.write("zeros", bytes(64))
        self.refuses("zeros: its content does not tell its format; it may be seiflotfy-cuckoo, which has to be named", "info", "zeros")
        self.write("text", b"no filter at all, just a sentence of some length.\n")
        refused = self.seen("info", "text", status=2)
        self.assertRegex(refused.err, "text: (not a filter of any format|its content does not tell)")
        self.refuses("no format guavas; there are native, .*guava", "info", "--format", "guavas", "zeros")

    def test_foreign_options_on_native_files_are_refused(self):
        self.build("f", "a")
        for option in ("--hash", "--key-type", "--part", "--variant"):
            self.refuses("f: a native file says itself", "query", "f", option, "bytes", stdin=lines("a"))


class FromAllKeys(CommandTest):
    """Formats whose filters are built at once: FastFilter's."""

    GO, C = ("--format", "xorfilter-go"), ("--format", "xor-singleheader")

    def made(self, *options, keys, name="f"):
        self.seen("build", "-q", "-f", "-o", name, *options, stdin=keys, out=b"", err="")
        return self.read(name)

    def test_formats_says_which_they_are(self):
        rows = self.seen("formats", "--json", err="").json()["formats"]
        self.assertEqual([row["name"] for row in rows if row["static"]], ["xor-singleheader", "xorfilter-go"])
        self.assertTrue(all(row["makes"] for row in rows))

    def test_build_query_info(self):
        self.write("keys", lines(*range(1000)))
        for library, *options, kind, variant, bits in (
            (self.GO, "binary-fuse", "save", 8),
            (self.GO, "--variant", "json", "xor", "json", 8),
            (self.GO, "-p", "1e-9", "binary-fuse", "save", 32),
            (self.C, "binary-fuse", "serialize", 8),
            (self.C, "-p", "0.1%", "binary-fuse", "serialize", 16),
            (self.C, "--kind", "xor", "xor", "serialize", 8),
            (self.C, "--kind", "xor", "--variant", "pack", "--bits-per-fingerprint", "16", "xor", "pack", 16),
            (self.C, "--variant", "serialize-v1", "binary-fuse", "serialize-v1", 8),
        ):
            with self.subTest(library=library, options=options):
                self.seen("build", "-f", "-o", "f", *library, *options, "keys", out=b"",
                          err=rf"seen: f: 1,000 keys in a {kind} filter of \S+ KiB, rate \S+\n")
                info = self.info("f")
                self.assertEqual((info["format"], info["kind"], info["variant"]), (library[1], kind, variant))
                self.assertEqual(info["shape"]["fingerprint-bits"], bits)
                self.seen("query", "-s", "-c", "f", "-k", "keys", *library, out=b"1000\n", err="")

    def test_order_equal_keys_and_the_way_they_come_leave_no_trace(self):
        for library in (self.GO, self.C):
            once = self.made(*library, keys=lines(*range(500)))
            self.assertEqual(self.made(*library, keys=lines(*reversed(range(500)), 7, 7)), once)
            self.assertEqual(self.made(*library, "--key-type", "u64", "--hash", "fmix64", keys=lines(*range(500))), once)
            as_hex = lines(*(i.to_bytes(8, "little").hex() for i in range(500)))
            self.assertEqual(self.made(*library, "--hex", keys=as_hex), once)
            self.assertEqual(self.seen("build", "-q", "-o", "-", *library, stdin=lines(*range(500)), err="").out, once)
            self.made(*library, keys=b"")
            self.seen("query", "-s", "f", *library, stdin=lines(1), status=1, out=b"", err="")

    def test_other_keys_are_hashed_as_in_reading(self):
        words = [f"word {i}" for i in range(300)]
        for library in (self.GO, self.C):
            told = (*library, "--hash", "xxh3-64")
            self.made(*told, "--bits-per-fingerprint", "16", keys=lines(*words))
            self.seen("query", "-s", "-c", "f", *told, stdin=lines(*words), out=b"300\n", err="")
            self.seen("query", "f", *told, stdin=lines("another"), status=1, out=b"", err="")

    def test_what_is_no_key_is_refused_where_it_stands(self):
        self.refuses('line 2: "x" is not a whole number', "build", "-o", "f", *self.GO, stdin=lines(1, "x"))
        self.refuses('line 2: "abcd" is not a whole number of 64 bits', "build", "-o", "f", *self.C, "--hex",
                     stdin=lines("00" * 8, "abcd"))
        self.assertEqual(self.files(), {})

    def test_refusals_come_before_keys_are_read(self):
        for message, *args in [
            ("--capacity: a xorfilter-go filter is built for the keys that come; leave it out", *self.GO, "-n", "5"),
            ("--at-most: a xor-singleheader filter is built for the keys that come; leave it out", *self.C, "--at-most", "5"),
            ("--fpr: the rate follows from --bits-per-fingerprint", *self.GO, "-p", "0.1", "--bits-per-fingerprint", "8"),
            ("--spill-dir: a xorfilter-go filter has no shards", *self.GO, "--memory", "1G", "--spill-dir", "."),
            ("a xorfilter-go filter cannot be told the time .--now.; kinds that can: windowed-bloom", *self.GO, "--now", "7"),
            ("--metadata: the xorfilter-go format has no place for it", *self.GO, "--metadata", "x"),
            ("xorfilter-go: xor filters have fingerprints of 8 bits, not 16", *self.GO, "--kind", "xor",
             "--bits-per-fingerprint", "16"),
            ("xor-singleheader: binary-fuse filters have fingerprints of 8 or 16 bits: the lowest rate is 2\\^-16, and 1e-6 is "
             "asked for", *self.C, "-p", "1e-6"),
            ("xorfilter-go: save is of another kind; a xor filter is written as json", *self.GO, "--kind", "xor", "--variant",
             "save"),
            ("xor-singleheader: the format holds binary-fuse or xor filters, not ribbon", *self.C, "--kind", "ribbon"),
            ("xorfilter-go: no key type long; there are u64", *self.GO, "--key-type", "long"),
            ("xorfilter-go: no hash siphash-2-4; there are fmix64", *self.GO, "--hash", "siphash-2-4"),
        ]:
            with self.subTest(args):
                with subprocess.Popen([SEEN, "build", "-o", "f", *args], cwd=self.dir, env=self.env, stdin=subprocess.PIPE,
                                      stderr=subprocess.PIPE) as child:
                    self.assertEqual(child.wait(timeout=60), 2, args)
                    self.assertRegex(child.stderr.read().decode(), rf"\Aseen: {message}[^\n]*\n\Z")
        self.assertEqual(self.files(), {})

    def test_a_budget_that_is_too_small_says_what_is_needed(self):
        keys = lines(*range(20_000))
        self.refuses("20000 keys need [0-9.]+ KiB beside the filter, whose format has no shards; the budget is 300 KiB",
                     "build", "-q", "-o", "f", *self.C, "--memory", "300KiB", stdin=keys)
        self.refuses("wait in memory, and [0-9]+ bytes are more than the budget of 102400",
                     "build", "-q", "-o", "f", *self.C, "--memory", "100KiB", stdin=keys)
        self.assertEqual(self.files(), {})
        self.made(*self.C, "--memory", "1MiB", keys=keys)


if __name__ == "__main__":
    unittest.main()
