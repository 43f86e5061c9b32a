"""seen plan: every kind side by side, and numbers as people type them."""

from support import CommandTest, main


class Plan(CommandTest):
    def plan(self, *args, err=""):
        return self.seen("plan", "--json", *args, err=err).json()

    def test_a_million_keys_at_one_percent(self):
        document = self.plan("-n", "1e6", "-p", "0.01")
        self.assertEqual(document["target"], {"capacity": 1000000, "fpr": 0.01})
        row = next(r for r in document["kinds"] if r["kind"] == "bloom")
        self.assertEqual((row["bits"], row["probes"]), (9585059, 7))
        self.assertEqual(row["bytes"], 1198144)  # whole cache lines
        self.assertAlmostEqual(row["bits_per_key"], 9.585, places=3)
        self.assertAlmostEqual(row["expected_fpr"], 0.01, delta=0.0001)
        self.assertEqual((row["cache_lines"], row["build_bytes"]), (7, 1198144))
        self.assertEqual((row["can_add"], row["can_remove"], row["can_merge"]), (True, False, True))
        self.assertIn(document["advice"]["kind"], [r["kind"] for r in document["kinds"]])
        self.assertTrue(document["advice"]["why"])
        self.assertEqual(document["warnings"], [])
        self.assertAlmostEqual(document["lower_bound_bits"], 6643856, delta=1)

    def test_every_kind_of_the_registry_has_its_row_in_order(self):
        names = [k["name"] for k in self.seen("formats", "--json").json()["kinds"]]
        self.assertEqual([r["kind"] for r in self.plan("-n", "1000")["kinds"]], names)

    def test_people_get_a_table(self):
        done = self.seen("plan", "-n", "1e6", err="")
        text = done.out.decode()
        self.assertRegex(text, r"\A1,000,000 keys at rate 0\.01; no filter can do with less than 6\.64 bits a key\n\n"
                               r"kind +size +bits/key +rate +lines +to build +add +remove +merge\n")
        self.assertRegex(text, r"(?m)^bloom +1\.14 MiB +9\.59 +0\.01 +7 +1\.14 MiB +yes +- +yes$")
        self.assertRegex(text, r"\nadvice: \S+: .*\n\Z")

    def test_one_kind_only(self):
        document = self.plan("-n", "1000", "--kind", "bloom")
        self.assertEqual([r["kind"] for r in document["kinds"]], ["bloom"])
        self.assertEqual(document["advice"]["kind"], "bloom")

    def test_advice_takes_needs_into_account(self):
        for flag, field in [("--remove", "can_remove"), ("--merge", "can_merge")]:
            document = self.plan("-n", "1000", flag)
            able = [r["kind"] for r in document["kinds"] if r[field]]
            self.assertIn(document["advice"]["kind"], able or [None], flag)
        needs_add = self.plan("-n", "1000")
        self.assertTrue(next(r for r in needs_add["kinds"] if r["kind"] == needs_add["advice"]["kind"])["can_add"])

    def test_equal_digests_are_warned_about_and_refused(self):
        document = self.plan("-n", "1e9", "-p", "1e-9", err="seen: equal 64-bit digests alone make a rate of "
                                                            r"5\.42e-11, 5 % of what is asked\n")
        self.assertEqual(len(document["warnings"]), 1)
        self.refuses("equal 64-bit digests alone give a rate of 5.42e-10, above the 1e-10", "plan", "-n", "1e10", "-p",
                     "1e-10")

    def test_refusals(self):
        self.refuses("--capacity is required", "plan")
        self.refuses("capacity 0", "plan", "-n", "0")
        self.refuses("--kind: no kind gloom; there are ", "plan", "-n", "5", "--kind", "gloom")
        self.refuses("the limit is 128 GiB", "plan", "-n", "1e15", "-p", "0.0001", "--kind", "bloom")
        self.refuses("not expected: extra", "plan", "-n", "5", "extra")


class Numbers(CommandTest):
    def target(self, n, p):
        return self.seen("plan", "--json", "--kind", "bloom", "-n", n, "-p", p, err="").json()["target"]

    def test_counts(self):
        for text, value in [("1", 1), ("1000000", 10**6), ("1e6", 10**6), ("1E6", 10**6), ("1e+6", 10**6),
                            ("1.5e3", 1500), ("1k", 1000), ("1K", 1000), ("10k", 10**4), ("2M", 2 * 10**6),
                            ("1G", 10**9), ("1kB", 1000), ("1Ki", 1024), ("1KiB", 1024), ("2MiB", 2 << 20),
                            ("1GiB", 1 << 30), ("1.5GiB", 3 << 29), ("0.5k", 500), (".5k", 500), ("3.k", 3000),
                            ("100e-2", 1), ("0.001M", 1000), ("1e-3M", 1000), ("007", 7)]:
            with self.subTest(text):
                self.assertEqual(self.target(text, "0.5")["capacity"], value)

    def test_whole_64_bit_counts_are_exact(self):
        for text, value in [("9007199254740.993k", "9007199254740993"), ("18446744073709551615", "18446744073709551615"),
                            ("18446744073.709551615G", "18446744073709551615"), ("15EiB", "17293822569102704640"),
                            ("1E", "1e18")]:
            with self.subTest(text):
                self.refuses(value + " keys at fpr 0.5", "plan", "-n", text, "-p", "0.5")

    def test_counts_that_are_none(self):
        for text in ["", "k", ".", "1x", "1kk", "1 000", "1_000", "1,000", "+1", "-1", "0x10", "1e", "1e1e1", "1KiBs",
                     "1b", "1mi", "inf", "nan", "1..5", "1e9999", "1e-", "٣"]:
            with self.subTest(text):
                self.refuses('is not a number like 1000000, 1e6, 1M or 1Mi', "plan", "-n=" + text)
        for text in ["1.5", "1e-1", "0.0001k", "1.00001k"]:
            with self.subTest(text):
                self.refuses(f'"{text}" is not a whole number', "plan", "-n", text)
        for text in ["18446744073709551616", "1e20", "20E", "16EiB", "99999999999999999999999"]:
            with self.subTest(text):
                self.refuses(f'"{text}" is beyond 2\\^64 - 1', "plan", "-n", text)

    def test_rates(self):
        for text, value in [("0.001", 0.001), (".5", 0.5), ("1e-3", 1e-3), ("0.1%", 0.001), ("0.7%", 0.007),
                            ("50%", 0.5), ("1e-1%", 0.001), ("1/1000", 0.001), ("1/256", 1 / 256), ("3/7", 3 / 7),
                            ("2^-10", 2**-10), ("2^-1", 0.5), ("10^-3", 1e-3), ("0.5^3", 0.125)]:
            with self.subTest(text):
                self.assertEqual(self.target("1000", text)["fpr"], value)

    def test_rates_that_are_none(self):
        for text in ["", "x", "%", "1/", "/2", "1/2/3", "2^", "2^-", "2^0.5", "^2", "0,01", "1 %", "nan", "inf", "+0.1",
                     "0x1p-3", "--", "1e-400", "0.1%%"]:
            with self.subTest(text):
                self.refuses("is not a rate like 0.001, 0.1%, 1/1000 or 2\\^-10", "plan", "-n5", "-p=" + text)
        for text in ["0", "1", "2", "100%", "0%", "5/5", "1/0", "0/0", "2^0", "2^10", "2^-2000", "-0.1", "-1"]:
            with self.subTest(text):
                self.refuses("is not a probability strictly between 0 and 1", "plan", "-n5", "-p", text)


if __name__ == "__main__":
    main()
