"""seen bench: that it runs, and that what it prints can be read. Nothing here asks for a time."""

import os

from support import as_text, CommandTest, main

SMALL = ("bench", "--sizes", "1000", "--rounds", "1", "-q")


class Bench(CommandTest):
    def test_a_record_has_the_documented_fields(self):
        records = self.seen(*SMALL, "--only", "split_block", "--json", err="").json()
        self.assertEqual({r["filter"] for r in records}, {"split_block", "random line"})
        self.assertEqual({r["call"] for r in records}, {"build", "single", "batch", "dependent", "known"})
        for r in records:
            self.assertEqual(list(r), ["run", "keys", "family", "filter", "peer", "call", "mix", "queries", "threads",
                                       "median_ns", "bits_per_key", "fpr", "over_lower_bound", "ns"])
            self.assertEqual((r["keys"], r["family"], len(r["ns"])), (1000, "block", 1))
        row = next(r for r in records if r["call"] == "build")
        self.assertAlmostEqual(row["bits_per_key"], 12.84, delta=0.6)  # whole cache lines
        self.assertAlmostEqual(row["fpr"], 0.0039, delta=0.001)

    def test_people_get_a_table_of_120_columns(self):
        text = self.seen(*SMALL, "--only", "ribbon fast,quotient", err="").out.decode()
        self.assertRegex(text, r"(?m)^== static: .* \| 1,000 keys \| installed$")
        self.assertRegex(text, r"(?m)^ribbon fast +\d+\.\d\d +0\.\d+ +\d\.\d\dx( +[\d.]+){9}$")
        self.assertRegex(text, r"(?m)^quotient ")
        self.assertRegex(text, r"(?m)^random line at a known address")
        self.assertLessEqual(max(map(len, text.splitlines())), 120)

    def test_pictures_of_two_sizes(self):
        self.seen("bench", "--sizes", "500,1k", "--rounds", "1", "-q", "--only", "blocked_bloom,split_block", "--plot", ".", err="")
        self.assertEqual(sorted(self.files()), ["cost-by-size.svg", "speed-by-space.svg"])
        for name, content in self.files().items():
            self.assertTrue(content.startswith(b"<svg ") and content.endswith(b"</svg>\n"), name)
            self.assertIn(b"blocked_bloom", content)

    def test_progress_goes_to_stderr(self):
        done = self.seen("bench", "--sizes", "1k", "--rounds", "1", "--only", "split_block", "--json")
        self.assertIn("seen: 1000 keys, block: split_block\n", as_text(done.err))
        done.json()

    def test_names_as_the_other_verbs_take_them(self):
        for name in "split-block", "split":
            records = self.seen(*SMALL, "--only", name, "--json", err="").json()
            self.assertEqual({r["filter"] for r in records}, {"split_block", "random line"})

    def test_wrong_words(self):
        self.refuses(r'nothing is called "nonsense"; known: block, ', *SMALL, "--only", "nonsense")
        self.refuses(r"--sizes: takes numbers of keys from 1 to 1e9, not 0", "bench", "--sizes", "0")
        self.refuses(r"--rounds", "bench", "--rounds", "0")
        self.refuses(r"--plot", "bench", "--plot", os.path.join(self.dir, "nowhere"))


if __name__ == "__main__":
    main()
