"""seen formats: the registry, one format or kind in full, and what converts to what, which is what `seen convert` does."""

import re

from support import CommandTest, lines, main


class Formats(CommandTest):
    @classmethod
    def setUpClass(cls):
        cls.rows = None

    def conversions(self):
        if Formats.rows is None:
            Formats.rows = self.seen("formats", "--conversions", "--json", err="").json()
        return Formats.rows

    def in_full(self, name):
        text = self.seen("formats", name, err="").out.decode()
        self.assertLessEqual(max(map(len, text.splitlines())), 100, text)
        return re.sub(r"\n {16,}", " ", text)

    def test_every_format_and_kind_in_full(self):
        document = self.seen("formats", "--json", err="").json()
        for row in document["formats"]:
            with self.subTest(row["name"]):
                text = self.in_full(row["name"])
                self.assertTrue(text.startswith(f"{row['name']}: "))
                for word, names in (("variants", row["variants"]), ("hashes", row["hashes"]), ("key types", row["key_types"])):
                    self.assertEqual(bool(names), bool(re.search(rf"^  {word} ", text, flags=re.M)))
                    for name in names:
                        self.assertRegex(text, rf"(?m)^  {word}.*\b{re.escape(name)}\b")
                self.assertRegex(text, "(?m)^  can +be read and asked, ")
                self.assertRegex(text, "(?m)^  converts to ")
                self.assertRegex(text, "(?m)^  made from ")
                one = self.seen("formats", row["name"], "--json", err="").json()
                self.assertEqual({key: one[key] for key in row}, row)
                self.assertEqual(one["conversions"], [each for each in self.conversions() if each["from"] == row["name"]])
        for row in document["kinds"]:
            with self.subTest(row["name"]):
                text = self.in_full(row["name"])
                for name in (*row["shape"], *row["variants"]):
                    self.assertIn(name, text)
                self.assertRegex(text, "(?m)^  can +" + ("be built from all its keys at once$" if row["static"] else "add"))
                self.assertEqual(self.seen("formats", row["name"], "--json", err="").json(), row)

    def test_what_they_can_is_what_they_do(self):
        for name, can, cannot in (("bloom", ("add", "merge", "intersect", "shrink", "threads"), ("remove", "forget")),
                                  ("cuckoo", ("add", "remove", "count", "threads"), ("merge", "shrink")),
                                  ("windowed-bloom", ("add", "forget"), ("remove", "merge")),
                                  ("scalable-bloom", ("add", "merge", "grow"), ("shrink",)),
                                  ("seiflotfy-cuckoo", ("remove", "add"), ("merge",)),
                                  ("parquet", ("merge", "--part"), ("remove",))):
            said = re.search("(?m)^  can +(.*)$", self.in_full(name))[1]
            for each in can:
                self.assertIn(each, said, name)
            for each in cannot:
                self.assertNotIn(each, said, name)

    def test_unknown_names(self):
        self.refuses('no format or kind is called "gloom"', "formats", "gloom")
        self.refuses("no format", "formats", "gloom", "--conversions")

    def test_known_conversions_are_there(self):
        rows = [(r["from"], r["kind"], r["from_variant"], r["hash"], r["to"], r["variant"]) for r in self.conversions()]
        self.assertEqual(len(rows), len(set(rows)))
        for expected in (("native", "split-block", None, "xxh64", "parquet", None),
                         ("parquet", "split-block", None, "xxh64", "native", None),
                         ("bits-and-blooms", "bloom", "binary", "murmur3-x64-128", "willf", "json"),
                         ("cassandra", "bloom", "new", None, "cassandra", "old"),
                         ("xorfilter-go", "binary-fuse", "save", "fmix64", "xor-singleheader", "pack")):
            if expected[0] in ("cassandra", "xorfilter-go"):  # whatever their hash and kind are called
                self.assertTrue(any((r[0], r[2], r[4], r[5]) == (expected[0], expected[2], expected[4], expected[5]) for r in rows), expected)
            else:
                self.assertIn(expected, rows)
        self.assertFalse([r for r in rows if r[0] == "native" and r[1] == "bloom" and r[4] != "portable"])
        self.assertFalse([r for r in rows if r[0] == r[4] and r[2] == r[5]])

    def test_convert_does_what_the_table_says(self):
        """For a sample of each row and each gap."""
        formats = {row["name"]: row for row in self.seen("formats", "--json", err="").json()["formats"]}
        said = {(r["from"], r["from_variant"], r["hash"] or None, r["to"], r["variant"]) for r in self.conversions() if r["from"] != "native"}
        for name, row in formats.items():
            if name == "native":
                continue
            variant = row["variants"][0] if row["variants"] else None
            hash_name = next((r["hash"] for r in self.conversions() if r["from"] == name and r["from_variant"] == variant), None)
            more = (*(("--variant", variant) if variant else ()), *(("-n", 1000) if not row["static"] else ()))
            self.seen("build", "-q", "-f", "-o", "f", "--format", name, *more, stdin=lines(1, 2, 3), err=None)
            for to in ("native", "parquet", "willf", "xor-singleheader", name):
                other = formats[to]["variants"][-1] if formats[to]["variants"] else None
                if (to, other) == (name, variant):
                    continue
                expected = (name, variant, hash_name, to, other) in said
                with self.subTest(name, to=to, variant=other):
                    opened = ("--format", name)
                    done = self.run_seen("convert", "f", "-f", "-o", "g", "--to", to, *(("--variant", other) if other else ()), *opened)
                    self.assertEqual(done.status, 0 if expected else 2, done.err)

    def test_the_text_says_the_same(self):
        text = re.sub(r"\n {2,}", " ", self.seen("formats", "--conversions", err="").out.decode())
        self.assertIn("native split-block with xxh64 -> parquet\n", text)
        self.assertRegex(text, r"(?m)^bits-and-blooms with murmur3-x64-128 -> each other, willf$")
        self.assertRegex(text, r"(?m)^boomfilters \(classic, classic-gob\).* -> each other$")
        self.assertLessEqual(max(map(len, self.seen("formats", "--conversions").out.decode().splitlines())), 100)
        for row in self.conversions():
            name = row["from"] + (" " + row["kind"] if row["from"] == "native" else "")
            self.assertRegex(text, rf"(?m)^{name}\b.* -> .*({row['to']}|each other)")


if __name__ == "__main__":
    main()
