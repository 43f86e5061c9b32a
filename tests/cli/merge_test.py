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
            ("probes", "probes differ: 7 here, 5 there"),
            ("bits", "bits differ: 1000 here, 999 there"),
            ("seed", "hashes differ: xxh3-fold seed 0 here, xxh3-fold seed 3 there"),
            ("hash", "hashes differ: xxh3-fold seed 0 here, xxh64 seed 0 there"),
            ("kind", "kinds differ: bloom .* here, partitioned-bloom .* there"),
        ]:
            for verb in ("merge", "intersect"):
                with self.subTest((verb, other)):
                    self.refuses(rf"{other}: {verb}: {message} \(here is a\)", verb, "-o", "u", "a", "a", other)

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
