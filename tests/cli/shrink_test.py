"""seen shrink: folds a filter to the size its keys need, or says why not and changes nothing."""

import fcntl

from support import CommandTest, lines, main

LARGE = ("--kind", "bloom", "--bits", str(5040 * 100), "--probes", "7")


class Shrink(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", *range(1000), options=(*LARGE, "--metadata", "note"))

    def test_in_place(self):
        self.seen("shrink", "f", "-p", "0.01", out=b"",
                  err=r"seen: f: 61\.6 KiB became 1\.\d+ KiB, rate \S+ became 0\.00\d+\n")
        info = self.info("f")
        self.assertEqual(504000 % info["shape"]["bits"], 0)
        self.assertLess(info["shape"]["bits"], 15000)
        self.assertLessEqual(info["fpr_now"], 0.01)
        self.assertEqual(info["metadata"], "note")
        self.holds("f", *range(1000))

    def test_into_another_file(self):
        before = self.read("f")
        self.write("exists", b"precious")
        self.refuses(r"exists: exists already \(-f", "shrink", "f", "-p", "0.01", "-o", "exists")
        self.refuses(r"exists: exists already \(-f", "shrink", "none", "-p", "0.01", "-o", "exists")
        self.refuses("--store-secret: needs --output", "shrink", "f", "-p", "0.01", "--store-secret")
        self.seen("shrink", "-q", "f", "-p", "0.01", "-o", "g", out=b"", err="")
        self.assertEqual(self.read("f"), before)
        self.holds("g", *range(1000))
        self.assertLess(len(self.read("g")), len(before) // 10)

    def test_the_rate_that_was_asked_for_is_the_default(self):
        self.refuses("f: does not say which rate was asked for: give --fpr", "shrink", "f")
        self.build("planned", *range(20), options=("--kind", "bloom", "-n", "5040", "-p", "0.01"))
        done = self.run_seen("shrink", "planned")
        self.assertIn(done.status, (0, 2))  # whether there is a divisor depends on the size planned
        self.holds("planned", *range(20))

    def test_where_no_divisor_keeps_the_rate_nothing_changes(self):
        self.refuses("f: shrink: no divisor of 504000 keeps the rate at or below .*; the filter is unchanged", "shrink",
                     "f", "-p", "1e-30")
        self.build("prime", 1, options=("--kind", "bloom", "--bits", "10007", "--probes", "7"))
        self.refuses("prime: shrink: no divisor of 10007", "shrink", "prime", "-p", "1e-9")

    def test_refusals(self):
        self.refuses('--fpr: "2" is not a probability', "shrink", "f", "-p", "2")
        self.refuses("none: open: No such file", "shrink", "none", "-p", "0.1")
        self.build("portable", 1, options=("--format", "portable"))
        self.refuses("portable: ", "shrink", "portable", "-p", "0.1", "--format", "portable")
        with open(self.path("f"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.refuses("f: another process is changing it", "shrink", "f", "-p", "0.01", status=3)


if __name__ == "__main__":
    main()
