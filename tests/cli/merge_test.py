"""seen merge and seen intersect: one filter from several of one shape."""

import os

from support import CommandTest, lines, main

PLAN = ("-n", "1000", "-p", "1e-9")


class Merge(CommandTest):
    def test_the_union_is_the_filter_of_all_keys(self):
        self.build("a", *range(0, 30), options=PLAN)
        self.build("b", *range(20, 50), options=PLAN)
        self.build("c", *range(50, 60), options=PLAN)
        self.build("all", *range(60), options=PLAN)
        self.seen("merge", "-o", "u", "a", "b", "c", out=b"", err=r"seen: u: about \d+ keys in a \S+ filter of .*, rate \S+\n")
        self.assertEqual(self.read("u"), self.read("all"))

    def test_the_intersection_holds_what_both_hold(self):
        self.build("a", *range(0, 30), options=PLAN)
        self.build("b", *range(20, 50), options=PLAN)
        self.seen("intersect", "-q", "-o", "i", "a", "b", out=b"", err="")
        self.seen("query", "i", stdin=lines(*range(60)), out=lines(*range(20, 30)), err="")

    def test_one_filter_is_copied(self):
        self.build("a", 1, 2)
        self.seen("merge", "-q", "-o", "u", "a", err="")
        self.assertEqual(self.read("u"), self.read("a"))

    def test_into_one_of_the_inputs(self):
        self.build("a", 1, options=PLAN)
        self.build("b", 2, options=PLAN)
        self.refuses(r"a: exists already \(-f overwrites it\)", "merge", "-o", "a", "a", "b")
        self.seen("merge", "-q", "-f", "-o", "a", "a", "b", out=b"", err="")
        self.holds("a", 1, 2)

    def test_keyed_filters(self):
        self.build("a", 1, options=(*PLAN, "--hash", "siphash-1-3", "--new-secret", "key"))
        self.build("b", 2, options=(*PLAN, "--hash", "siphash-1-3", "--secret-file", "key"))
        self.refuses(r"a: .*\(--secret-file FILE\)", "merge", "-o", "u", "a", "b")
        self.seen("merge", "-q", "-o", "u", "a", "b", "--secret-file", "key", err="")
        self.holds("u", 1, 2, options=("--secret-file", "key"))

    def test_a_secret_goes_to_a_new_file_only_when_asked_for(self):
        secret = bytes(range(100, 116))
        self.write("key", secret)
        keyed = ("--kind", "bloom", "--bits", "50400", "--probes", "5", "--hash", "siphash-1-3", "--secret-file", "key")
        self.build("stored", 1, options=(*keyed, "--store-secret"))
        self.build("other", 2, options=keyed)
        verbs = (("merge",), ("intersect",), ("shrink", "-p", "0.01"), ("convert", "--to", "native"))
        for verb in verbs:
            with self.subTest(verb[0]):
                self.seen(*verb, "-q", "-f", "-o", "new", "stored", err="")
                self.assertNotIn(secret, self.read("new"))
                self.seen(*verb, "-q", "-f", "-o", "other", "stored", err="")
                self.assertNotIn(secret, self.read("other"))
                self.assertNotIn(secret, self.seen(*verb, "-q", "-o", "-", "stored", err="").out)
                self.assertFalse(self.info("new")["hash"]["secret_stored"])
                self.holds("new", 1, options=("--secret-file", "key"))
                self.seen(*verb, "-q", "-f", "-o", "target", "--store-secret", "stored", err="")
                self.assertIn(secret, self.read("target"))
                self.holds("target", 1)
                self.build("plain", 1, options=("--kind", "bloom", "--bits", "50400", "--probes", "5"))
                self.refuses("--store-secret: the filter has no secret", *verb, "-o", "none", "--store-secret", "plain")
                os.remove(self.path("plain"))
        self.build("others", 2, options=keyed)
        for order in (("stored", "others"), ("others", "stored")):
            self.seen("merge", "-q", "-f", "-o", "new", *order, "--secret-file", "key", err="")
            self.assertNotIn(secret, self.read("new"))

    def test_a_file_that_stores_its_secret_keeps_it_when_it_is_replaced(self):
        self.write("key", bytes(range(100, 116)))
        keyed = ("--kind", "bloom", "--bits", "50400", "--probes", "5", "--hash", "siphash-1-3", "--secret-file", "key")
        self.build("stored", 1, options=(*keyed, "--store-secret"))
        self.build("other", 2, options=keyed)
        for order in (("stored", "other"), ("other", "stored")):  # whichever of them it is
            self.seen("merge", "-q", "-f", "-o", "stored", *order, "--secret-file", "key", err="")
            self.holds("stored", 1, 2)
        self.seen("shrink", "-q", "stored", "-p", "0.01", err="")
        self.seen("add", "-q", "stored", stdin=lines(3), err="")
        self.holds("stored", 1, 2, 3)
        self.build("built", 1, options=(*keyed, "--store-secret"))
        self.seen("build", "-q", "-f", "-o", "built", *keyed, stdin=lines(4), err="")
        self.holds("built", 4)
        # Another secret is not that secret.
        self.write("key", bytes(range(16)))
        self.build("foreign", 1, options=(*keyed, "--store-secret"))
        self.seen("merge", "-q", "-f", "-o", "foreign", "stored", err="")
        self.assertNotIn(bytes(range(100, 116)), self.read("foreign"))

    def test_a_secret_that_only_the_parts_hold_is_told_of(self):
        self.write("key", bytes(range(100, 116)))
        keyed = ("--kind", "bloom", "--bits", "50400", "--probes", "5", "--hash", "siphash-1-3", "--secret-file", "key")
        for name in ("a", "b"):
            self.build(name, 1, options=(*keyed, "--store-secret"))
        told = r"[^\n]+\nseen: warning: %s: does not hold its secret, and no --secret-file gave it: --store-secret puts it in\n"
        for verb in (("merge",), ("intersect",), ("shrink", "-p", "0.01"), ("convert", "--to", "native")):
            with self.subTest(verb[0]):
                parts = ("a", "b") if verb[0] in ("merge", "intersect") else ("a",)
                self.seen(*verb, "-f", "-o", "new", *parts, out=b"", err=told % "new")
                self.seen(*verb, "-o", "-", *parts, err=told % "standard output")
                self.seen(*verb, "-q", "-f", "-o", "new", *parts, err="")
                self.seen(*verb, "-f", "-o", "new", *parts, "--secret-file", "key", err=r"[^\n]+\n")
                self.seen(*verb, "-f", "-o", "new", *parts, "--store-secret", err=r"[^\n]+\n")
                self.seen(*verb, "-f", "-o", "new", *parts, err=r"[^\n]+\n")  # it holds it, and keeps it
                self.holds("new", 1)
                os.unlink(self.path("new"))

    def test_foreign_filters(self):
        foreign = ("--format", "portable", "-n", "50")
        self.build("a", 1, options=foreign)
        self.build("b", 2, options=foreign)
        self.build("all", 1, 2, options=foreign)
        self.seen("merge", "-q", "-o", "u", "a", "b", "--format", "portable", err="")
        self.assertEqual(self.read("u"), self.read("all"))


class Folded(CommandTest):
    """Parts of one kind whose sizes differ are merged in a size that divides each."""

    def both(self, kind, unit, here, there, *more):
        self.build("a", *range(0, 30), options=("-f", *self.shape(kind, unit, here, *more)))
        self.build("b", *range(20, 50), options=("-f", *self.shape(kind, unit, there, *more)))

    def shape(self, kind, unit, size, *probes):
        return ("--kind", kind, "--shape", f"{unit}={size}", *(("--shape", f"probes={probes[0]}") if probes else ()))

    def test_the_union_is_what_the_common_size_would_hold(self):
        for kind, unit, here, there, common, more in [
            ("bloom", "bits", 14400, 9600, 4800, (5,)),
            ("blocked-bloom", "blocks", 36, 24, 12, (8,)),
            ("split-block", "blocks", 36, 72, 36, ()),
        ]:
            with self.subTest(kind):
                self.both(kind, unit, here, there, *more)
                self.build("all", *range(50), options=("-f", *self.shape(kind, unit, common, *more)))
                said = [f"{name} from {size:,}" for name, size in (("a", here), ("b", there)) if size != common]
                self.seen("merge", "-f", "-o", "u", "a", "b", out=b"",
                          err=rf"seen: folded to {common:,} {unit}: {', '.join(said)}\nseen: u: about .*\n")
                self.assertEqual(self.read("u"), self.read("all"))

    def test_of_three_the_last_may_fold_the_others(self):
        for name, blocks in ("a", 48), ("b", 48), ("c", 36):
            self.build(name, name, options=self.shape("blocked-bloom", "blocks", blocks, 8))
        self.seen("merge", "-o", "u", "a", "b", "c",
                  err=r"seen: folded to 12 blocks: a from 48, b from 48, c from 36\nseen: u: about .*\n")
        self.holds("u", "a", "b", "c")

    def test_a_union_that_would_be_full_is_refused(self):
        self.both("bloom", "bits", 192, 256, 4)
        self.refuses("merge: sizes differ, and folded to 64 bits: a from 192, b from 256, the union would be full "
                     r"\(make the parts with the same -n", "merge", "-o", "u", "a", "b")

    def test_sizes_without_a_common_one_are_refused(self):
        self.both("bloom", "bits", 14401, 9600, 5)
        self.refuses(r"b: merge: bits differ: 14401 in a, 9600 in b \(make the parts with the same -n", "merge", "-o", "u",
                     "a", "b")

    def test_only_merge_folds(self):
        self.both("bloom", "bits", 14400, 9600, 5)
        self.refuses("b: intersect: bits differ: 14400 in a, 9600 in b", "intersect", "-o", "u", "a", "b")


class Dcso(CommandTest):
    """DCSO's join: bits united, counts added up, the data of the first."""

    def test_join(self):
        plan = ("--format", "dcso", "-n", "1000", "-p", "0.001")
        self.build("a", *range(0, 300), options=(*plan, "--metadata", "from a"))
        self.build("b", *range(200, 500), options=plan)
        self.build("all", *range(500), options=(*plan, "--metadata", "from a"))
        self.seen("merge", "-q", "-o", "u", "a", "b", err="")
        self.assertEqual(self.read("u")[48:], self.read("all")[48:])
        count = lambda name: int.from_bytes(self.read(name)[40:48], "little")
        self.assertEqual(count("u"), count("a") + count("b"))
        self.assertEqual(self.info("u")["metadata"], "from a")
        self.holds("u", *range(500))

    def test_data_is_shown_and_set(self):
        self.build("f", *range(10), options=("--format", "dcso", "-n", "100000", "--metadata", '{"list": "May"}'))
        self.assertEqual(self.read("f")[-15:], b'{"list": "May"}')
        self.assertRegex(self.seen("info", "f").out.decode(), r'metadata  "\{.*list.*May.*\}"')
        self.assertEqual(self.info("f")["metadata"], '{"list": "May"}')
        self.seen("convert", "-q", "--metadata", "June", "-o", "g", "f", err="")
        self.assertEqual(self.read("g"), self.read("f")[:-15] + b"June")
        self.seen("add", "-q", "g", stdin=lines("x"), err="")
        self.assertEqual(self.read("g")[-4:], b"June")
        self.refuses(r"--to: is required", "convert", "-o", "h", "f")
        self.build("n", 1)
        self.seen("convert", "-q", "--metadata", "a note", "-o", "h", "n", err="")
        self.assertEqual(self.info("h")["metadata"], "a note")
        self.build("p", 1, options=("--format", "portable", "-n", "50"))
        self.refuses("--metadata: the portable format has no place for it; these have: native, dcso", "convert",
                     "--metadata", "x", "-o", "i", "p", "--format", "portable")


class Refusals(CommandTest):
    def test_filters_that_do_not_fit_together(self):
        bloom = ("--kind", "bloom", "--bits", "1000", "--probes", "7")
        self.build("a", 1, options=bloom)
        self.build("probes", 1, options=("--kind", "bloom", "--bits", "1000", "--probes", "5"))
        self.build("bits", 1, options=("--kind", "bloom", "--bits", "999", "--probes", "7"))
        self.build("seed", 1, options=(*bloom, "--seed", "3"))
        self.build("hash", 1, options=(*bloom, "--hash", "xxh64"))
        self.build("kind", 1, options=("--kind", "partitioned-bloom"))
        for other, message in [
            ("probes", "probes differ: 7 in a, 5 in probes"),
            ("bits", "bits differ: 1000 in a, 999 in bits"),
            ("seed", "hashes differ: xxh3-fold seed 0 in a, xxh3-fold seed 3 in seed"),
            ("hash", "hashes differ: xxh3-fold seed 0 in a, xxh64 seed 0 in hash"),
            ("kind", "kinds differ: bloom .* in a, partitioned-bloom .* in kind"),
        ]:
            for verb in ("merge", "intersect"):
                with self.subTest((verb, other)):
                    self.refuses(rf"{other}: {verb}: {message} \(make the parts with the same -n, -p, --hash and --seed\)", verb, "-o", "u", "a", "a", other)

    def test_the_output_is_looked_at_before_the_inputs(self):
        self.write("u", b"precious")
        self.write("text", b"hello")
        for verb in ("merge", "intersect"):
            self.refuses(r"u: exists already \(-f", verb, "-o", "u", "none", "text")
            self.refuses("nowhere/u: .*No such file", verb, "-o", "nowhere/u", "none")

    def test_files_that_are_no_filters(self):
        self.build("a", 1)
        self.write("text", b"hello")
        self.refuses("none: open: No such file", "merge", "-o", "u", "a", "none")
        self.refuses("text: not a filter", "merge", "-o", "u", "text", "a")
        self.refuses("FILTER is required: seen merge ", "merge", "-o", "u")
        self.refuses("--output is required", "merge", "a")


if __name__ == "__main__":
    main()
