"""What the command does for every kind of the registry, whatever it is: no kind is named here."""

from support import CommandTest, for_every_kind, lines, main

N = 1000


class EveryKind(CommandTest):
    def build_kind(self, row, name, *options, keys=range(N)):
        self.seen("build", "-q", "-f", "-o", name, "--kind", row["kind"], *options, stdin=lines(*keys), out=b"", err="")
        return self.info(name)

    @staticmethod
    def room(row, keys=N):
        """-n, for a kind that is filled; a static one counts its keys."""
        return ("-n", str(keys)) if row["can_add"] else ()

    @staticmethod
    def shape(info):
        """--shape for every parameter of a filter."""
        return [word for name, value in info["shape"].items() for word in ("--shape", f"{name}={value!r}")]

    @for_every_kind()
    def test_build_query_info_verify(self, row):
        self.write("keys", lines(*range(N)))
        info = self.build_kind(row, "f")
        self.assertEqual((info["kind"], info["target"]), (row["kind"], {"capacity": N, "fpr": 0.01}))
        self.assertEqual(list(info["shape"]), [k for k in row if k in info["shape"]])
        if info["keys_exact"]:
            self.assertEqual((info["keys"], type(info["keys"])), (N, int))
        else:
            self.assertAlmostEqual(info["keys"], N, delta=0.2 * N)
        self.assertGreater(info["fpr_now"], 0)
        self.assertIn(f"  kind      {row['kind']}, ", self.seen("info", "f", err="").out.decode())
        self.holds("f", *range(N))
        report = self.seen("verify", "--json", "--probes-count", "2e4", "f", "keys", err="").json()
        self.assertEqual((report["keys"], report["lost"]), (N, 0))
        self.assertLess(report["fpr"]["low"], 0.01)

    @for_every_kind()
    def test_an_empty_set_makes_a_filter_that_says_no(self, row):
        self.assertEqual(self.build_kind(row, "f", keys=())["keys"], 0)
        self.seen("query", "f", stdin=lines("", "x"), status=1, out=b"", err="")

    @for_every_kind()
    def test_a_file_and_a_pipe_give_the_same_bytes(self, row):
        self.write("keys", lines(*range(N)))
        self.build_kind(row, "from-pipe")
        self.seen("build", "-q", "-f", "-o", "from-file", "--kind", row["kind"], "keys", err="")
        self.assertEqual(self.read("from-file"), self.read("from-pipe"))

    @for_every_kind("can_add")
    def test_add(self, row):
        self.build_kind(row, "f", "-n", 2 * N, "--metadata", "note")
        self.seen("add", "f", stdin=lines(*range(N, N + 100)), out=b"",
                  err=r"seen: f: 100 keys added, holds (about )?[\d,]+, rate \S+\n")
        self.assertEqual(self.info("f")["metadata"], "note")
        self.holds("f", *range(N + 100))

    @for_every_kind()
    def test_damage_is_noticed(self, row):
        self.build_kind(row, "f")
        whole = self.read("f")
        for at in (len(whole) // 2, len(whole) - 1):
            self.write("damaged", whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            self.refuses("damaged: ", "verify", "damaged")
            self.refuses("damaged: ", "query", "damaged", stdin=lines(1))
            self.refuses("damaged: ", "add", "damaged", stdin=lines(1))

    # --- more keys than planned

    @for_every_kind("can_add")
    def test_more_keys_than_planned_are_kept_or_refused(self, row):
        keys = lines(*range(N))
        exact = self.build_kind(row, "small", "-n", "100", keys=range(100))["keys_exact"]
        build = ("build", "-f", "-o", "f", "--kind", row["kind"], "-n", "100")
        if row["can_grow"]:
            self.seen(*build, stdin=keys, err=r"seen: f: 1,000 keys in .*\n")
            self.holds("f", *range(N))
            self.assertLess(self.info("f")["fpr_now"], 0.015)
        elif row["can_forget"]:
            self.seen(*build, stdin=keys, err=r"seen: f: 1,000 keys in .*\n")
            self.holds("f", *range(N - 100, N))
            self.assertLess(self.info("f")["fpr_now"], 0.015)
        elif exact:
            self.refuses(rf"the {row['kind']} filter is full after \d+ keys, planned for 100 keys; nothing is written\. Equal keys take a "
                         r"place each: make them unique \(sort -u\), or give a larger -n$", *build, stdin=keys)
            self.refuses(r"small: full after \d+ keys, planned for 100 keys; the file is unchanged\. Equal keys take a place each: make "
                         r"them unique \(sort -u\), or build a larger one \(-n\)$", "add",
                         "small", stdin=keys)
            return
        else:
            self.seen(*build, stdin=keys, err=r"seen: f: 1,000 keys in .*\nseen: warning: f: planned for 100 keys; with 1,000 the "
                                              r"rate is \S+ instead of 0\.01\n")
            self.holds("f", *range(N))
        self.seen("add", "-q", "small", stdin=keys, out=b"", err="")

    @for_every_kind("can_add")
    def test_how_many_fitted_is_what_was_there_before_less(self, row):
        if not self.build_kind(row, "f", "-n", "100", keys=range(100))["keys_exact"] or row["can_grow"]:
            return
        done = self.seen("add", "f", stdin=lines(*range(100, N)), status=2)
        fitted = int(done.err.split(" after ")[1].split(" key")[0])
        self.seen("add", "-q", "f", stdin=lines(*range(100, 100 + fitted)), err="")
        self.holds("f", *range(100 + fitted))
        self.refuses("f: full after 0 keys, planned for 100 keys; the file is unchanged", "add", "f", stdin=lines(100 + fitted))

    @for_every_kind()
    def test_equal_keys_are_kept_or_refused_with_the_remedy(self, row):
        keys = lines(*["same"] * 100)
        build = ("build", "-q", "-f", "-o", "f", "--kind", row["kind"])
        if self.run_seen(*build, stdin=keys).status == 0:
            self.holds("f", "same")
        else:
            self.refuses(r"full after \d+ keys, planned for 100 keys; nothing is written.*sort -u", *build, stdin=keys)

    # --- parameters

    @for_every_kind()
    def test_all_parameters_are_a_shape(self, row):
        planned = self.build_kind(row, "planned")
        if not row["can_add"]:
            self.refuses("seen: keys.* follow from the capacity, and cannot be wished for", "build", "-o", "f", "--kind",
                         row["kind"], *self.shape(planned), stdin=lines(*range(N)))
            return
        shaped = self.build_kind(row, "shaped", *self.shape(planned))
        self.assertEqual(shaped["shape"], planned["shape"])
        self.assertIsNone(shaped["target"])
        self.holds("shaped", *range(N))

    @for_every_kind()
    def test_some_are_wishes_that_the_plan_keeps_or_refuses(self, row):
        planned = self.build_kind(row, "planned")
        alone = ((),) if len(planned["shape"]) > 1 else ()  # one of one is the shape
        for name, value in planned["shape"].items():
            for sized in (self.room(row), ("-p", "0.01"), *alone):
                wish = ("build", "-q", "-f", "-o", "f", "--kind", row["kind"], "--shape", f"{name}={value!r}", *sized)
                done = self.run_seen(*wish, stdin=lines(*range(N)))
                if done.status == 0:
                    info = self.info("f")
                    # Of a static kind bits that are asked for are a rate that is asked for.
                    rate = 0.01 if row["can_add"] or name != "fingerprint-bits" else 2.0 ** -value
                    self.assertEqual((info["shape"][name], info["target"]), (value, {"capacity": N, "fpr": rate}), wish)
                    self.holds("f", *range(N))
                elif row["can_add"]:
                    self.assertRegex(done.err, rf"\Aseen: {row['kind']} takes either a capacity and a rate or its "
                                               r"whole shape: [a-z, -]+\n\Z")
                else:
                    self.assertRegex(done.err, r"\Aseen: [a-z, -]+ follow from the capacity, and cannot be wished for\n\Z")

    @for_every_kind()
    def test_real_parameters_are_typed_and_shown_as_reals(self, row):
        reals = [name for name, value in self.build_kind(row, "f")["shape"].items() if isinstance(value, float)]
        for name in reals:
            self.refuses('--shape: "x" is not a number like 2, 0.5', "build", "-o", "g", "--kind", row["kind"],
                         "--shape", f"{name}=x")
            self.assertRegex(self.seen("info", "f", err="").out.decode(), rf", {name} \d[\d.e-]*[,\n]")
        if "growth" in reals:
            for text, value in [("4", 4), ("2.5", 2.5), ("3/2", 1.5)]:
                info = self.build_kind(row, "f", "-n", "100", "--shape", f"growth={text}")
                self.assertEqual(info["shape"]["growth"], value)
                self.assertIn(f", growth {value:g}", self.seen("info", "f", err="").out.decode())

    # --- unknown numbers of keys

    @for_every_kind()
    def test_at_most_folds_to_what_the_keys_need(self, row):
        kind, can, message = row["kind"], row["can_shrink"], self.cannot(row, "can_shrink", "be folded")
        at_most = ("build", "-o", "f", "-f", "--kind", kind, "--at-most", "50k")
        if not row["can_add"]:
            message = f"a {kind} filter is built for the keys that come; leave it out"
        if not can:
            self.refuses("--at-most: " + message, *at_most, stdin=lines(1))
            return
        self.build("counted", *range(N), options=("-f", "--kind", kind))
        self.seen(*at_most, stdin=lines(*range(N)), err=rf"seen: f: 1,000 keys in a {kind} filter of .*, rate 0\.0\d+\n")
        info = self.info("f")
        self.assertLessEqual(info["bytes"], 2 * self.info("counted")["bytes"] + 64)
        self.assertLessEqual(info["fpr_now"], 0.01)
        self.holds("f", *range(N))
        pipe = self.read("f")
        self.write("keys", lines(*range(N)))
        self.seen(*at_most, "-q", "keys", err="")
        self.assertEqual(self.read("f"), pipe)

    @for_every_kind("can_shrink")
    def test_at_most_with_none_or_all_or_too_many_keys(self, row):
        self.assertLess(self.build_kind(row, "f", "--at-most", "1M", keys=())["bytes"], 1000)
        self.seen("query", "f", stdin=lines("x"), status=1, out=b"", err="")
        self.assertLessEqual(self.build_kind(row, "f", "--at-most", N)["fpr_now"], 0.011)
        self.holds("f", *range(N))
        self.build_kind(row, "f", "--at-most", 10)
        self.holds("f", *range(N))

    @for_every_kind()
    def test_shrink(self, row):
        kind, can, message = row["kind"], row["can_shrink"], self.cannot(row, "can_shrink", "be folded")
        self.build("f", *range(N), options=("-f", "--kind", kind, *self.room(row, 10**6), "-p", "0.01"))
        if not can:
            self.refuses("f: " + message, "shrink", "f", "-p", "0.5")
            return
        large = self.info("f")["bytes"]
        done = self.run_seen("shrink", "f", "-p", "0.3")
        self.assertIn(done.status, (0, 2))  # whether there is a divisor depends on the size planned
        self.assertEqual(self.info("f")["bytes"] < large, done.status == 0)
        self.holds("f", *range(N))

    # --- merging

    @for_every_kind()
    def test_merge(self, row):
        kind, can, message = row["kind"], row["can_merge"], self.cannot(row, "can_merge", "be merged")
        plan = ("-f", "--kind", kind, *self.room(row))
        self.build("a", *range(0, 300), options=plan)
        self.build("b", *range(200, 500), options=plan)
        if not can:
            self.refuses("a: " + message, "merge", "-f", "-o", "u", "a", "b")
            return
        self.seen("merge", "-f", "-o", "u", "a", "b", out=b"", err=rf"seen: u: .* keys in a {kind} filter of .*\n")
        self.holds("u", *range(500))

    @for_every_kind()
    def test_intersect_is_done_or_refused(self, row):
        self.build_kind(row, "a", *self.room(row), keys=range(0, 300))
        self.build_kind(row, "b", *self.room(row), keys=range(200, 500))
        intersect = ("intersect", "-q", "-f", "-o", "i", "a", "b")
        if self.run_seen(*intersect).status == 0:
            self.holds("i", *range(200, 300))
        else:
            self.refuses(rf"a: a {row['kind']} filter cannot be intersected; kinds that can: blocked-bloom, bloom", *intersect)


if __name__ == "__main__":
    main()
