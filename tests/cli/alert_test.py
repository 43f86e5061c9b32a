"""seen info --alert: silence and status 0, or status 1 and a line per finding."""

from support import CommandTest, lines, main


class Alert(CommandTest):
    def test_a_filter_up_to_its_capacity_is_passed_over_in_silence(self):
        for row in self.kinds("can_add"):
            with self.subTest(row["kind"]):
                for keys in (0, 1000):
                    self.seen("build", "-q", "-f", "-o", "f", "-n", 1000, "--kind", row["kind"], stdin=lines(*range(keys)))
                    self.seen("info", "--alert", "f", out=b"", err="")

    def test_twice_the_capacity_is_a_line_per_finding_and_status_1(self):
        for row in self.kinds("can_add"):
            if row["can_grow"] or row["can_forget"] or row["kind"] in ("cuckoo", "quotient"):
                continue
            with self.subTest(row["kind"]):
                self.seen("build", "-q", "-f", "-o", "f", "-n", 1000, "--kind", row["kind"], stdin=lines(*range(2000)))
                self.seen("info", "--alert", "f", status=1, out=b"",
                          err=r"(seen: warning: f: saturated: [78]\d\.\d % in use, and the estimates are weak\n)?"
                              r"seen: warning: f: past capacity: about (1,9\d\d|2,0\d\d) keys, planned for 1,000\n"
                              r"seen: warning: f: above the rate: 0\.\d+ now, 0\.01 asked\n")
                health = self.info("f")["health"]
                self.assertEqual((health["past_capacity"], health["above_fpr"], health["most_fpr"]), (True, True, 0.01))
                self.assertTrue(1000 < health["most_keys"] < 1200)

    def test_counted_keys_are_past_the_capacity_at_once(self):
        for kind in ("cuckoo", "quotient"):
            self.seen("build", "-q", "-f", "-o", "f", "-n", 1000, "--kind", kind, stdin=lines(*range(1000)))
            self.seen("info", "--alert", "f", out=b"", err="")
            self.seen("add", "f", stdin=lines("one more"))
            self.seen("info", "--alert", "f", status=1, out=b"",
                      err=r"seen: warning: f: past capacity: 1,001 keys, planned for 1,000\n(seen: warning: f: above the rate: [^\n]*\n)?")

    def test_kinds_that_grow_forget_or_never_change_do_not_alarm(self):
        for row in self.kinds():
            if row["can_add"] and not row["can_grow"] and not row["can_forget"]:
                continue
            with self.subTest(row["kind"]):
                capacity = ("-n", 500) if row["can_add"] else ()
                self.seen("build", "-q", "-f", "-o", "f", *capacity, "--kind", row["kind"], stdin=lines(*range(2000)))
                self.seen("info", "--alert", "f", out=b"", err="")

    def test_a_file_without_a_capacity_alarms_when_it_is_saturated(self):
        shape = ("--kind", "bloom", "--bits", 1000, "--probes", 7)
        self.seen("build", "-q", "-o", "some", *shape, stdin=lines(*range(120)))
        self.seen("info", "--alert", "some", out=b"", err="")
        self.seen("build", "-q", "-o", "many", *shape, stdin=lines(*range(1000)))
        self.seen("info", "--alert", "many", status=1, out=b"",
                  err=r"seen: warning: many: saturated: 99\.\d % in use, and the estimates are weak\n")
        health = self.info("many")["health"]
        self.assertEqual(health, {"saturated": True, "past_capacity": False, "above_fpr": False, "most_keys": None, "most_fpr": 1})
        self.seen("build", "-q", "--format", "bits-and-blooms", "-o", "theirs", "-n", 100, stdin=lines(*range(1000)))
        self.seen("info", "--alert", "--format", "bits-and-blooms", "theirs", status=1, out=b"", err=r"seen: warning: theirs: saturated: [^\n]*\n")

    def test_a_full_filter_has_too_many_keys_to_tell(self):
        self.seen("build", "-q", "-o", "f", "--kind", "bloom", "-n", 10, stdin=lines(*range(3000)))
        self.seen("info", "--alert", "f", status=1, out=b"",
                  err=r"seen: warning: f: saturated: 100\.0 % in use[^\n]*\nseen: warning: f: past capacity: too many keys to tell, planned for 10\n"
                      r"seen: warning: f: above the rate: 1 now, 0\.01 asked\n")

    def test_a_keyed_filter_needs_no_secret_and_a_broken_one_is_an_error(self):
        self.seen("build", "-q", "-o", "f", "-n", 10, "--hash", "siphash-1-3", "--new-secret", "key", stdin=lines(*range(50)))
        self.seen("info", "--alert", "f", status=1, out=b"", err=r"(seen: warning: f: [^\n]*\n){1,3}")
        self.write("broken", self.read("f")[:-1])
        self.refuses("broken: ", "info", "--alert", "broken")
        self.refuses("nowhere: ", "info", "--alert", "nowhere")
        self.refuses("--alert excludes --json|--json excludes --alert", "info", "--alert", "--json", "f")


if __name__ == "__main__":
    main()
