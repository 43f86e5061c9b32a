"""seen plan: every kind side by side, and numbers as people type them."""

import re

from support import CommandTest, as_text, lines, main


class Plan(CommandTest):
    def plan(self, *args, err=""):
        done = self.run_seen("plan", "--json", *args)
        self.assertRegex(as_text(done.err), rf"\A(?:{err})\Z")
        document = done.json()
        self.assertEqual(done.status, 0 if document["advice"]["kind"] else 1)
        return document

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
        kinds = self.seen("formats", "--json").json()["kinds"]
        expected = [(k["name"], variant) for k in kinds for variant in k["variants"] or [None]]
        self.assertEqual([(r["kind"], r.get("variant")) for r in self.plan("-n", "1000")["kinds"]], expected)

    def test_people_get_a_table(self):
        done = self.seen("plan", "-n", "1e6", err="")
        text = done.out.decode()
        self.assertRegex(text, r"\A1,000,000 keys at rate 0\.01; no filter can do with less than 6\.64 bits per key\n\n"
                               r"kind +size +bits/key +rate +k +lines +to build +can\n")
        self.assertRegex(text, r"(?m)^bloom +1\.14 MiB +9\.59 +0\.01 +7 +7 +1\.14 MiB +add merge shrink threads$")
        self.assertRegex(text, r"(?s)\nadvice: \S+: .*\nfuller: .*\n\n  C\+\+ .*\n\Z")

    def test_points_stand_below_one_another(self):
        """And units: of every column of numbers the points, or where they would be, have one place, whatever the numbers."""
        for asked in (("-n", "1e9", "-p", "0.001"), ("-n", 1), ("-n", "1e6", "-p", "1e-7"), ("-n", 1000, "-p", "1/3")):
            rows = [line for line in self.run_seen("plan", *asked).out.decode().splitlines()
                    if re.match(r"[a-z-]+( [a-z0-9-]+)?  +\d", line)]
            self.assertGreater(len(rows), 10)
            sizes = [re.search(r" (\d[\d,]*)(\.\d+)? +(B|[KMGTPE]iB) ", row) for row in rows]
            self.assertEqual(len({match.end(1) for match in sizes}), 1, rows)
            self.assertEqual(len({match.start(3) for match in sizes}), 1, rows)
            rates = [re.search(r"(?: B|iB) +\d+\.\d\d +(\d+)(\.\d+)?(e-\d+)? ", row) for row in rows]
            self.assertEqual(len({match.end(1) for match in rates}), 1, rows)

    def test_probes_are_shown(self):
        text = self.seen("plan", "-n", "1e6", "-p", "0.001", err="").out.decode()
        for row in self.plan("-n", "1e6", "-p", "0.001")["kinds"]:
            if "variant" not in row:
                line = next(line for line in text.splitlines() if line.split()[:1] == [row["kind"]])
                self.assertEqual("probes" in row, bool(re.search(rf" {row.get('probes', 'x')} +{row['cache_lines']} ", line)), line)

    def test_none_is_status_1(self):
        for asked in (("-n", 1000, "--window", "--remove"), ("-n", "1e6", "-p", "0.01", "--memory", "500k"),
                      ("-n", "1e9", "--memory", "10"), ("-p", "0.01", "--memory", "1")):
            done = self.seen("plan", *asked, status=1, err="")
            self.assertIn(b"advice: none: ", done.out)
            self.assertIsNone(self.seen("plan", "--json", *asked, status=1, err="").json()["advice"]["kind"])

    # --- two of three

    def test_keys_and_memory_give_the_rate(self):
        document = self.plan("-n", "1e6", "--memory", "1MiB")
        self.assertEqual(document["solved_for"], "fpr")
        self.assertEqual(document["target"], self.advised(document)["target"])
        for row in document["kinds"]:
            if "error" in row:
                continue
            self.assertEqual(row["target"]["capacity"], 1000000)
            self.assertLessEqual(max(row["bytes"], row["build_bytes"]), 1 << 20)
            if "variant" not in row and row["target"]["fpr"] > 2e-20:  # a little lower would not do
                lower = self.plan("--kind", row["kind"], "-n", "1e6", "-p", row["target"]["fpr"] * 0.89, "--memory", "1MiB")
                self.assertIsNone(lower["advice"]["kind"], row)
        text = self.seen("plan", "-n", "1e6", "--memory", "1MiB", err="").out.decode()
        self.assertRegex(text, r"\A1,000,000 keys in 1 MiB: the lowest rate of each kind; none can be lower than 0\.00298\n")

    def test_rate_and_memory_give_the_keys(self):
        document = self.plan("-p", "0.01", "--memory", "1MiB")
        self.assertEqual(document["solved_for"], "capacity")
        for row in document["kinds"]:
            self.assertEqual(row["target"]["fpr"], 0.01)
            self.assertLessEqual(max(row["bytes"], row["build_bytes"]), 1 << 20)
        keys = {row["kind"]: row["target"]["capacity"] for row in document["kinds"] if row["can_add"]}
        self.assertAlmostEqual(keys["bloom"], (8 << 20) / 9.585, delta=100)
        self.refuses_more("bloom", keys["bloom"])
        self.assertEqual(self.plan("--memory", "1MiB")["kinds"], document["kinds"])  # 0.01 is what is usual
        self.assertLessEqual(keys["bloom"], 1.3 * document["target"]["capacity"])

    def refuses_more(self, kind, keys):
        fits = self.plan("--kind", kind, "-n", keys, "-p", "0.01", "--memory", "1MiB")
        self.assertEqual(fits["advice"]["kind"], kind)
        self.seen("plan", "--json", "--kind", kind, "-n", keys + 100, "-p", "0.01", "--memory", "1MiB", status=1)

    def test_advice_where_something_is_looked_for(self):
        why = self.plan("-n", "1e6", "--memory", "1.25MiB")["advice"]["why"]
        self.assertRegex(why, r"suits|its rate is \S+ instead of \S+")
        self.assertIs(self.advised(self.plan("-n", "1e6", "--memory", "3MiB", "--remove"))["can_remove"], True)
        self.assertIs(self.advised(self.plan("-p", "1e-4", "--memory", "3MiB", "--static"))["can_add"], False)

    # --- fuller than planned

    def test_twice_and_ten_times_the_keys(self):
        document = self.plan("-n", 2000, "-p", "0.01")
        for row in document["kinds"]:
            if row["kind"] in ("cuckoo", "quotient") or not row["can_add"]:
                self.assertEqual((row["fpr_at_2x"], row["fpr_at_10x"]), (None, None), row["kind"])
            elif not row["can_grow"] and not row["can_forget"]:
                self.assertLess(0.1, row["fpr_at_2x"], row["kind"])
                self.assertLess(row["fpr_at_2x"], row["fpr_at_10x"])
        row = next(r for r in document["kinds"] if r["kind"] == "bloom")
        self.seen("build", "-q", "-o", "f", "--kind", "bloom", "-n", 2000, stdin=lines(*range(4000)), err=None)
        self.assertAlmostEqual(self.info("f")["fpr_now"], row["fpr_at_2x"], delta=0.02)
        text = self.seen("plan", "-n", 2000, "--kind", "bloom", err="").out.decode()
        self.assertRegex(text, rf"fuller: with twice as many keys its rate is {row['fpr_at_2x']:.3g}, with ten times as many ")
        for kind, said in (("cuckoo", "refuses keys"), ("scalable-bloom", "it grows"), ("windowed-bloom", "forgets")):
            more = {"scalable-bloom": ["--unknown-n"], "windowed-bloom": ["--window"]}.get(kind, [])
            self.assertRegex(self.seen("plan", "-n", 2000, "--kind", kind, *more, err="").out.decode(), "fuller: it " + said.removeprefix("it "))

    # --- the picture

    def test_the_plot_is_of_plain_characters_and_as_wide_as_it_may_be(self):
        text = self.seen("plan", "-n", "1e6", "--plot", err="").out.decode("ascii")
        self.assertTrue(text.startswith("bits per key for 1,000,000 keys, over the rate\n"))
        rows = text.split("\n\n")[0].splitlines()
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertEqual(len(rows), 1 + 22 + 2)
        for row in self.kinds():
            self.assertRegex(text.replace("\n", " "), rf"\b[a-z] {row['kind']}\b")
        one = self.seen("plan", "-n", "1e6", "--plot", "--kind", "bloom", err="").out.decode()
        marked = [line.find("a") for line in one.splitlines()[1:23] if "a" in line]
        self.assertGreater(len(marked), 15)  # a straight line: bits grow with the logarithm of the rate
        self.assertEqual(marked, sorted(marked, reverse=True))
        self.seen("plan", "--plot", out=text.encode(), err="")
        self.refuses("leave --json out", "plan", "-n", 5, "--plot", "--json")

    def test_the_table_fits_100_columns_whatever_is_asked(self):
        for n in ("1", "12345", "1e9", "1e10", "1e12"):
            for p in ("0.5", "0.01", "1e-6", "1.1e-8"):
                for flags in ([], ["--remove"], ["--unknown-n", "--memory", "1000"]):
                    text = self.run_seen("plan", "-n", n, "-p", p, *flags).out.decode()
                    for line in text.splitlines():
                        self.assertLessEqual(len(line), 100, line)

    def test_one_kind_only(self):
        document = self.plan("-n", "1000", "--kind", "bloom")
        self.assertEqual([r["kind"] for r in document["kinds"]], ["bloom"])
        self.assertEqual(document["advice"]["kind"], "bloom")

    def advised(self, document):
        """The row of the kind that is advised; None where none is."""
        return next((r for r in document["kinds"] if r["kind"] == document["advice"]["kind"]), None)

    def test_advice_is_a_kind_that_can_what_is_needed(self):
        flags = {"--remove": ["can_remove"], "--merge": ["can_merge"], "--threads": ["can_share"],
                 "--window": ["can_forget"], "--unknown-n": ["can_grow", "can_shrink"]}
        for chosen in [[], *[[f] for f in flags], ["--remove", "--threads"], ["--merge", "--unknown-n"]]:
            with self.subTest(chosen):
                document = self.plan("-n", "1000", *chosen)
                suits = [r for r in document["kinds"]
                         if r["can_add"] and all(any(r[can] for can in flags[f]) for f in chosen)
                         and r["can_forget"] == ("--window" in chosen)]
                self.assertEqual(document["advice"]["kind"] is None, not suits)
                if suits:
                    self.assertIn(self.advised(document), suits)
                else:
                    self.assertEqual(document["advice"]["why"], "no kind can do all that was asked for")

    def test_without_a_need_a_plain_kind_is_advised(self):
        for p in ("0.1", "0.01", "1e-4", "1e-6", "1e-9"):
            row = self.advised(self.plan("-n", "1e5", "-p", p))
            self.assertEqual((row["can_remove"], row["can_grow"], row["can_forget"]), (False, False, False), p)

    def test_a_cache_miss_is_worth_30_percent_of_space(self):
        self.assertEqual(self.plan("-n", "1e6", "-p", "1e-6")["advice"]["kind"], "bloom")
        document = self.plan("-n", "1e6", "-p", "0.01")
        plain = [r for r in document["kinds"] if r["can_add"] and not (r["can_remove"] or r["can_grow"] or r["can_forget"])]
        smallest = min(r["bytes"] for r in plain)
        self.assertEqual(self.advised(document)["cache_lines"],
                         min(r["cache_lines"] for r in plain if r["bytes"] <= 1.3 * smallest))

    def test_how_large_it_is_beside_the_smallest_is_said_as_it_is(self):
        said = set()
        for n in ("20", "11352", "1e6", "1e9"):
            for p in ("0.3", "0.09", "0.01", "1/256", "0.001", "1e-5", "1e-8"):
                for chosen in ((), ("--static",), ("--remove",), ("--unknown-n",)):
                    with self.subTest((n, p, chosen)):
                        said.add(self.check_size_of(self.plan("-n", n, "-p", p, *chosen)))
        self.assertEqual(said, {"smallest", "less than 1 % larger", "larger"})

    def check_size_of(self, document):
        """Holds the sentence against the table; says which of the sentences it is."""
        why, best = document["advice"]["why"], self.advised(document)
        self.assertNotIn("-", re.sub(r"[a-z0-9]-[a-z]|--[a-z]", "", why))
        # The smallest of those it was chosen from is named; static ones are among themselves.
        usual = {row["kind"]: row for row in reversed(document["kinds"]) if "bytes" in row}
        if match := re.match(r"the (only|smallest) (?:plain |static )?one that suits; ", why):
            if match[1] == "smallest" and "static" in match[0]:
                self.assertEqual(best["bytes"], min(row["bytes"] for row in usual.values() if not row["can_add"]))
            return "smallest"
        match = re.match(r"a lookup touches (\d+) cache lines?, where the smallest (?:plain |static )?one that suits, (\S+), "
                         r"needs (\d+); it is (less than 1|\d+) % larger", why)
        self.assertTrue(match, why)
        other = usual[match[2]]
        self.assertEqual((best["cache_lines"], other["cache_lines"]), (int(match[1]), int(match[3])))
        self.assertLess(best["cache_lines"], other["cache_lines"])
        extra = 100 * (best["bytes"] / other["bytes"] - 1)
        self.assertGreater(extra, 0)
        if extra < 1:
            self.assertEqual(match[4], "less than 1")
            return "less than 1 % larger"
        self.assertAlmostEqual(extra, int(match[4]), delta=0.5)
        return "larger"

    def test_where_the_number_is_unknown_the_advice_says_what_to_do(self):
        document = self.plan("-n", "1e6", "--unknown-n")
        self.assertRegex(document["advice"]["why"],
                         "it grows with its keys" if self.advised(document)["can_grow"] else "--at-most")

    def test_threads_that_add_are_told_of_the_kind_whose_adds_take_fewest_steps(self):
        document = self.plan("-n", "1e6", "-p", "0.01", "--threads")
        self.assertEqual(document["advice"]["kind"], "blocked-bloom")
        sizes = {r["kind"]: r["bytes"] for r in document["kinds"] if "bytes" in r}
        said = re.search(r"; where threads mostly add, split-block takes 2 locked instructions per new key instead of 4, "
                         r"and (\d+) % more memory", document["advice"]["why"])
        self.assertTrue(said, document["advice"]["why"])
        self.assertAlmostEqual(int(said[1]), 100 * (sizes["split-block"] / sizes["blocked-bloom"] - 1), delta=0.5)
        for more in ((), ("--threads", "--remove"), ("--threads", "--static")):
            self.assertNotIn("locked", self.plan("-n", "1e6", "-p", "0.01", *more)["advice"]["why"])

    def test_a_budget_of_memory(self):
        document = self.plan("-n", "1e6", "--memory", "1.25MiB")
        self.assertEqual(document["memory"], 1310720)
        self.assertLessEqual(self.advised(document)["bytes"], 1310720)
        self.assertIsNone(self.plan("-n", "1e6")["memory"])
        # Larger than the smallest, but not twice: what is advised fits, though another kind might be faster.
        smallest = min(r["bytes"] for r in document["kinds"] if "bytes" in r)
        self.assertLessEqual(self.advised(self.plan("-n", "1e6", "--memory", smallest * 2))["bytes"], smallest * 2)

    def test_where_nothing_fits_the_smallest_need_and_the_rate_that_would(self):
        advice = self.plan("-n", "1e6", "--memory", "500k", "-p", "0.01")["advice"]
        self.assertIsNone(advice["kind"])
        self.assertRegex(advice["why"], r"\Anothing that suits fits in 488 KiB: the smallest, \S+, needs 1\.\d+ MiB; "
                                        r"at rate 0\.\d+ \S+ would fit\Z")
        kind, rate = advice["fits_at"]["kind"], advice["fits_at"]["fpr"]
        self.assertGreater(rate, 0.01)
        self.assertEqual(self.plan("-n", "1e6", "--memory", "500k", "--kind", kind, "-p", rate)["advice"]["kind"], kind)
        below = self.plan("-n", "1e6", "--memory", "500k", "--kind", kind, "-p", rate - 0.01)
        self.assertIsNone(below["advice"]["kind"])
        never = self.plan("-n", "1e6", "--memory", "10")["advice"]
        self.assertRegex(never["why"], "no rate makes one fit")
        self.assertNotIn("fits_at", never)

    # --- static kinds

    def test_a_static_kind_is_advised_where_one_will_do(self):
        for more in ((), ("--threads",), ("--unknown-n",)):
            document = self.plan("-n", "1e6", "-p", "1/256", "--static", *more)
            row = self.advised(document)
            self.assertIs(row["can_add"], False)
            static = [r for r in document["kinds"] if not r["can_add"]]
            self.assertIn(row["cache_lines"], (2, 3))  # ribbon where the processor is made for it, else binary-fuse
            self.assertLessEqual(row["bytes"], 1.15 * min(r["bytes"] for r in static))
            self.assertRegex(document["advice"]["why"], r"static one that suits.* a lookup touches|a lookup touches.*static one")
            self.assertRegex(document["advice"]["why"], r"; --variant (compact|4-wise) takes [45] % less")
        self.assertRegex(document["advice"]["why"], "; it counts its keys as they come")
        for more in (("--remove",), ("--merge",)):
            self.assertIs(self.advised(self.plan("-n", "1e6", "--static", *more))["can_add"], True)
        self.assertIs(self.advised(self.plan("-n", "1e6"))["can_add"], True)

    def test_variants_have_a_row_each(self):
        text = self.seen("plan", "-n", "1e6", "-p", "1/256", "--static", err="").out.decode()
        for name, lines in (("binary-fuse 3-wise", 3), ("binary-fuse 4-wise", 4), ("ribbon fast", 2), ("ribbon balanced", 2),
                            ("ribbon compact", 2), ("xor", 3)):
            self.assertRegex(text, rf"(?m)^{name} +[\d.]+ +[KM]iB +[89]\.\d\d +0\.00391 +{lines} +1[5-9](\.\d)? +MiB  \(static\)$")

    def test_a_plan_of_a_static_kind_is_what_is_built(self):
        most = {("xor", None): 9.90, ("binary-fuse", "3-wise"): 9.05, ("binary-fuse", "4-wise"): 8.65,
                ("ribbon", "fast"): 8.48, ("ribbon", "balanced"): 8.28, ("ribbon", "compact"): 8.08}
        n = 10**6
        self.write("keys", b"".join(b"%d\n" % i for i in range(n)))
        rows = [r for r in self.plan("-n", n, "-p", "1/256")["kinds"] if not r["can_add"]]
        self.assertEqual({(r["kind"], r.get("variant")) for r in rows}, set(most))
        for row in rows:
            choice = ("--variant", row["variant"]) if "variant" in row else ()
            with self.subTest(row["kind"], variant=choice):
                self.assertLessEqual(row["bits_per_key"], most[row["kind"], row.get("variant")])
                self.seen("build", "-q", "-f", "-o", "f", "--kind", row["kind"], "-p", "1/256", *choice, "keys", err="")
                info = self.info("f")
                self.assertEqual({name: row[name] for name in info["shape"]}, info["shape"])
                self.assertEqual((info["bytes"], info["fpr_now"]), (row["bytes"], row["expected_fpr"]))

    def test_real_parameters_are_reals(self):
        for row in self.kinds():
            if "growth" in row:
                self.assertIsInstance(row["growth"], float)

    def test_equal_digests_are_warned_about_and_refused(self):
        document = self.plan("-n", "1e9", "-p", "1e-9", err=r'seen: warning: equal 64-bit digests alone make a rate of '
                                                            r'5\.42e-11, 5 % of what is asked\n')
        self.assertEqual(len(document["warnings"]), 1)
        self.refuses("equal 64-bit digests alone give a rate of 5.42e-10, above the 1e-10", "plan", "-n", "1e10", "-p",
                     "1e-10")

    def test_refusals(self):
        self.refuses("--capacity is required", "plan")
        self.refuses("capacity 0", "plan", "-n", "0")
        self.refuses("--kind: no kind gloom; there are ", "plan", "-n", "5", "--kind", "gloom")
        self.refuses("the limit is 128 GiB", "plan", "-n", "1e15", "-p", "0.0001", "--kind", "bloom")
        self.refuses('--memory: "x" is not a number', "plan", "-n", "5", "--memory", "x")
        self.refuses("--memory: is empty", "plan", "-n", "5", "--memory", "")
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
