"""Filters that forget by time: --now in add and query, which never goes back."""

import time

from support import CommandTest, lines, main


class Time(CommandTest):
    def setUp(self):
        super().setUp()
        self.window = ("--kind", "windowed-bloom", "-n", "1000", "-p", "1e-6")

    def test_query_asks_at_a_time_and_leaves_the_file_as_it_is(self):
        self.build("w", "old", options=(*self.window, "--shape", "period=100", "--now", "1000"))
        before = self.read("w")
        self.assertEqual(self.info("w")["clock"], 1000)
        self.seen("query", "w", "--now", "1050", stdin=lines("old"), out=lines("old"), err="")
        self.seen("query", "w", "--now", "2000", stdin=lines("old"), status=1, out=b"", err="")
        self.assertEqual(self.read("w"), before)
        self.seen("query", "w", stdin=lines("old"), out=lines("old"), err="")

    def test_time_does_not_go_back(self):
        self.build("w", "old", options=(*self.window, "--shape", "period=100", "--now", "1000"))
        for verb in ("query", "add"):
            self.refuses("w: time cannot go back: --now is 900, and the filter was told 1000 before", verb, "w", "--now", "900", stdin=lines("x"))
            self.seen(verb, "w", "-s" if verb == "query" else "-q", "--now", "1000", stdin=lines("old"), err="")

    def test_the_time_of_the_clock(self):
        self.build("w", "now", options=(*self.window, "--shape", "period=3600", "--now", "auto"))
        self.assertLess(abs(self.info("w")["clock"] - time.time()), 120)
        self.seen("add", "-q", "w", "--now", "auto", stdin=lines("later"), err="")
        self.seen("query", "w", "--now", "auto", stdin=lines("now", "later"), out=lines("now", "later"), err="")
        self.refuses("--now: \"yesterday\"", "query", "w", "--now", "yesterday", stdin=b"")

    def test_what_has_no_time(self):
        self.build("adds", "x", options=self.window)
        self.build("bloom", "x")
        for verb in ("query", "add"):
            self.refuses("adds: its window is counted in adds, not in time", verb, "adds", "--now", "5", stdin=lines("x"))
            self.refuses("bloom: a blocked-bloom filter cannot be told the time", verb, "bloom", "--now", "5", stdin=lines("x"))
        self.assertEqual(self.info("adds")["clock"], None)

    def test_no_time_and_no_window(self):
        self.refuses('--now: "noon" is not a number .*, and not auto', "query", "f", "--now", "noon", "-e", "a")
        self.refuses("--window: 0 remembers nothing", "build", "-o", "g", "--window", "0", "-n", "5")

    def test_durations(self):
        for text, seconds in (("90s", 90), ("15m", 900), ("1h", 3600), ("7d", 604_800), ("2w", 1_209_600), ("3600", 3600), ("1k", 1000)):
            self.build("w", options=("-f", "--window", text, "-n", "100"))
            self.assertEqual((self.info("w")["kind"], self.info("w")["shape"]["period"]), ("windowed-bloom", seconds))
            self.build("w", options=("-f", "--kind", "windowed-bloom", "--shape", f"period={text}", "-n", "100"))
            self.assertEqual(self.info("w")["shape"]["period"], seconds)
        for wrong in ("1y", "h", "1.5", "x1h", "99999999999999999999d", "20000000000000000000s", "18446744073709551615h"):
            self.refuses("--window: \"", "build", "-o", "n", "--window", wrong, "-n", "100")
        self.refuses("period", "build", "-o", "n", "--kind", "bloom", "--window", "5", "-n", "9")

    def test_an_empty_one_has_a_rate_of_0(self):
        self.build("w", options=self.window)
        self.assertIn(b"rate      0 now", self.seen("info", "w", err="").out)
        self.assertIn(b'"fpr_now": 0.0,', self.seen("info", "--json", "w", err="").out)


if __name__ == "__main__":
    main()
