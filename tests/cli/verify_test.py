"""seen verify: the file's checksums, no key lost, the rate with its interval, and recovery of an unsealed file."""

import json

from support import CommandTest, lines, main


class File(CommandTest):
    def test_a_whole_file(self):
        self.build("f", *range(100))
        self.seen("verify", "f", out=b"f: every checksum matches\n", err="")
        self.assertEqual(self.seen("verify", "--json", "f", err="").json(),
                         {"file": "f", "format": "native", "checksums": True})

    def test_a_keyed_file_needs_no_key_for_that(self):
        self.build("f", "x", options=("--hash", "siphash-1-3", "--new-secret", "key"))
        self.seen("verify", "f", out=b"f: every checksum matches\n", err="")

    def test_every_flip_and_every_length_is_noticed(self):
        self.build("f", *range(20))
        whole = self.read("f")
        for at in range(0, len(whole), 9):
            self.write("damaged", whole[:at] + bytes([whole[at] ^ (1 << at % 8)]) + whole[at + 1:])
            self.seen("verify", "damaged", status=2, out=b"", err="seen: damaged: .*\n")
        for size in range(0, len(whole), 13):
            self.write("damaged", whole[:size])
            self.seen("verify", "damaged", status=2, out=b"", err="seen: damaged: .*\n")

    def test_a_format_without_checksums_cannot_be_verified_alone(self):
        self.build("f", *range(100), options=("--format", "portable"))
        self.refuses("f: the portable format has no checksums; give the keys to verify", "verify", "f", "--format",
                     "portable")
        done = self.seen("verify", "f", "--format", "portable", "-", stdin=lines(*range(100)), err="")
        self.assertIn(b"f: no checksums in the portable format\nf: holds all of 100 keys\n", done.out)

    def test_many_files(self):
        for name in "a", "b":
            self.build(name, *range(10))
        whole = self.read("b")
        self.seen("verify", "a", "b", out=b"a: every checksum matches\nb: every checksum matches\n", err="")
        self.write("bad", whole[:-9] + b"x" + whole[-8:])
        self.seen("verify", "a", "bad", "b", status=2, err="seen: bad: .*\n",
                  out=b"a: every checksum matches\nb: every checksum matches\n")
        rows = self.seen("verify", "--json", "a", "b", err="").out.splitlines()
        self.assertEqual([json.loads(row)["file"] for row in rows], ["a", "b"])
        self.write("keys", lines(*range(10)))
        done = self.seen("verify", "--probes-count", "0", "a", "b", "keys", err="")
        self.assertEqual(done.out.count(b": holds all of 10 keys\n"), 2)
        self.write("more", lines("lost", *range(10)))
        self.seen("verify", "--probes-count", "0", "-q", "a", "b", "more", status=1, err="")
        self.refuses("standard input: is read once", "verify", "a", "b", "-")

    def test_quick_compares_the_header_alone(self):
        self.build("f", *range(10))
        said = b"f: the header's checksums match; the body was not read (--quick)\n"
        self.seen("verify", "--quick", "f", out=said, err="")
        self.assertEqual(self.seen("verify", "--quick", "--json", "f", err="").json(),
                         {"file": "f", "format": "native", "checksums": "header"})
        self.write("keys", b"1\n")
        self.refuses("--quick: reads no bits", "verify", "--quick", "f", "keys")
        self.refuses("--quick: reads no bits", "verify", "--quick", "--recover", "f")
        self.write("f", self.read("f").replace(b"sealed!\n", b"unsealed"))
        self.refuses("f: .*never sealed", "verify", "--quick", "f")

    def test_files_that_are_none(self):
        self.write("text", b"hello")
        self.refuses("none: open: No such file", "verify", "none")
        self.refuses("text: not a filter", "verify", "text")
        self.refuses("FILTER is required: seen verify ", "verify")


class Keys(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("keys", lines(*range(1000)))
        self.build("f", *range(1000))

    def test_no_key_lost_and_the_rate_as_expected(self):
        # The probe keys are fixed, so this is: outside the interval for one filter in a thousand, and not for this one.
        done = self.seen("verify", "f", "keys", err="")
        self.assertRegex(done.out.decode(), r"\Af: every checksum matches\nf: holds all of 1,000 keys\n"
                         r"f: rate 0\.0\d+ \(0\.0\d+ to 0\.0\d+\) on 1,000,000 keys that are not in it; "
                         r"expected 0\.0\d+: as expected\n\Z")

    def test_json(self):
        document = self.seen("verify", "--json", "--probes-count", "2e5", "f", "keys", err="").json()
        fpr = document.pop("fpr")
        self.assertEqual(document, {"file": "f", "format": "native", "checksums": True, "keys": 1000, "lost": 0})
        self.assertEqual(list(fpr), ["measured", "low", "high", "expected", "asked", "probes", "hits"])
        self.assertEqual(fpr["measured"], fpr["hits"] / 200_000)
        self.assertEqual(fpr["expected"], self.info("f")["fpr_now"])
        # 99.9 % of a binomial is 3.29 sigma wide on each side.
        sigma = (fpr["measured"] * (1 - fpr["measured"]) / 200_000) ** 0.5
        self.assertAlmostEqual(fpr["low"], fpr["measured"] - 3.29 * sigma, delta=0.15 * sigma)
        self.assertAlmostEqual(fpr["high"], fpr["measured"] + 3.29 * sigma, delta=0.15 * sigma)

    def test_the_interval_is_exact_where_nothing_is_hit(self):
        self.build("empty")
        fpr = self.seen("verify", "--json", "--probes-count", "1000", "empty", "-", err="").json()["fpr"]
        self.assertEqual((fpr["hits"], fpr["low"], fpr["expected"]), (0, 0, 0))
        self.assertAlmostEqual((1 - fpr["high"]) ** 1000, 0.0005, places=9)

    def test_the_interval_is_exact_where_everything_is_hit(self):
        self.build("full", *range(100), options=("--kind", "bloom", "--bits", "8", "--probes", "2"))
        fpr = self.seen("verify", "--json", "--probes-count", "1000", "full", "-", err="").json()["fpr"]
        self.assertEqual((fpr["hits"], fpr["high"], fpr["expected"]), (1000, 1, 1))
        self.assertAlmostEqual(fpr["low"] ** 1000, 0.0005, places=9)

    def test_the_rate_need_not_be_measured(self):
        self.seen("verify", "--probes-count", "0", "f", "keys", err="",
                  out=b"f: every checksum matches\nf: holds all of 1,000 keys\n")

    def test_a_lost_key_is_named_and_status_1(self):
        self.build("sparse", "here", options=("-n", "1000", "-p", "1e-9"))
        self.write("more", b"here\ngone\n\x1b[31m\xff\n")
        self.seen("verify", "--probes-count", "0", "sparse", "more", status=1,
                  out=b"sparse: every checksum matches\nsparse: lost 2 of 3 keys\n",
                  err=r'seen: more: line 2: "gone" is not in sparse\n'
                      r'seen: more: line 3: "\\x1b\[31m\\xff" is not in sparse\n')
        done = self.seen("verify", "--json", "--quiet", "sparse", "more", status=1, err="")
        self.assertEqual((done.json()["keys"], done.json()["lost"]), (3, 2))

    def test_of_many_lost_keys_ten_are_named(self):
        self.build("sparse", "here", options=("-n", "1000", "-p", "1e-9"))
        done = self.seen("verify", "sparse", "keys", status=1)
        self.assertEqual(done.err.count("\n"), 10)
        self.assertIn(b"lost 1,000 of 1,000 keys", done.out)

    def test_refusals(self):
        self.refuses("none: open: No such file", "verify", "f", "none")
        self.refuses("--probes-count: ", "verify", "f", "keys", "--probes-count", "x")
        self.build("k", "x", options=("--hash", "siphash-1-3", "--new-secret", "key"))
        self.refuses(r"k: .*\(--secret-file FILE\)", "verify", "k", "keys")


class Recover(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", *range(100), options=("--metadata", "note"))
        self.whole = self.read("f")
        self.assertEqual(self.whole.count(b"sealed!\n"), 1)
        # What a process that mapped it for writing leaves behind when it dies.
        self.write("f", self.whole.replace(b"sealed!\n", b"unsealed"))

    def test_an_unsealed_file_answers(self):
        self.seen("query", "f", stdin=lines(*range(100)), out=lines(*range(100)), err="")

    def test_an_unsealed_file_is_refused_where_it_is_checked(self):
        hint = r"f: .*sealed.* \(seen verify --recover FILE\)"
        self.refuses(hint, "verify", "f")
        self.refuses(hint, "verify", "f", "-", stdin=lines("1"))
        self.refuses(hint, "query", "--check", "f", stdin=lines("1"))
        self.refuses(hint, "merge", "-o", "g", "f")

    def test_the_next_add_seals_it(self):
        self.build("g", *range(101), options=("-n", "100", "--metadata", "note"))
        self.seen("add", "f", stdin=lines("100"), out=b"", err="seen: warning: f: a program that added keys .*\nseen: f: 1 key added.*\n")
        self.assertEqual(self.read("f"), self.read("g"))

    def test_recover_seals_it_again(self):
        self.seen("verify", "--recover", "f", out=b"f: every checksum matches\n", err="seen: f: sealed again\n")
        self.assertEqual(self.read("f"), self.whole)
        self.seen("verify", "--recover", "f", out=b"f: every checksum matches\n",
                  err="seen: f: is sealed; nothing to recover\n")
        self.assertEqual(self.read("f"), self.whole)

    def test_recover_and_check_the_keys(self):
        self.seen("verify", "-q", "--recover", "--probes-count", "0", "f", "-", stdin=lines(*range(100)), err="",
                  out=b"f: every checksum matches\nf: holds all of 100 keys\n")

    def test_recover_does_not_mend_other_damage(self):
        self.write("f", self.read("f")[:-1])
        self.refuses("f: ", "verify", "--recover", "f")


if __name__ == "__main__":
    main()
