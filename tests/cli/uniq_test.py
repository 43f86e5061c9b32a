"""seen uniq: each line the first time it comes, against a set of Python's."""

import random
import signal
import subprocess

from support import SEEN, CommandTest, lines, main

SUMMARY = r"seen: [\d,]+ lines, [\d,]+ different; [\d.e-]+ of these to be expected wrongly dropped \(--fpr, --exact\)\n"


def firsts(keys):
    known = set()
    return [k for k in keys if not (k in known or known.add(k))]


def repeats(keys):
    known = set()
    return [k for k in keys if k in known or known.add(k)]


def some_keys(count, seed):
    """About three of ten come again, some in one batch; empty and long ones, zero bytes, no UTF-8."""
    random.seed(seed)
    odd = [b"", b"\0", b"\xff\xfe", b"x" * 100_000, b"caf\xc3\xa9", b"a\tb"]
    return odd + [b"user-%d" % random.randrange(7 * count // 4) for _ in range(count)] + odd


class Uniq(CommandTest):
    def test_each_line_the_first_time(self):
        keys = some_keys(50_000, 1)
        self.write("list", lines(*keys))
        for exact in ((), ("--exact",)):
            self.seen("uniq", "-q", *exact, "list", out=lines(*firsts(keys)), err="")
            self.seen("uniq", "-q", *exact, "-d", "list", out=lines(*repeats(keys)), err="")
            self.seen("uniq", "-q", *exact, "-c", stdin=lines(*keys), out=lines(len(firsts(keys))), err="")
        self.seen("uniq", "-q", "list", "list", out=lines(*firsts(keys)), err="")

    def test_exact_is_what_awk_prints(self):
        self.write("list", lines(*(k for k in some_keys(30_000, 2) if b"\0" not in k)))
        awk = subprocess.run(["awk", "!s[$0]++", self.path("list")], stdout=subprocess.PIPE, check=True,
                             env={**self.env, "LC_ALL": "C"}).stdout
        self.seen("uniq", "--exact", "list", out=awk, err=r"seen: 30,010 lines, [\d,]+ different\n")

    def test_what_a_filter_drops_is_a_share_of_what_is_new(self):
        keys = [b"%d" % i for i in range(20_000)]
        done = self.seen("uniq", "-p", "0.1", stdin=lines(*keys), err=SUMMARY)
        dropped = len(keys) - done.out.count(b"\n")
        expected = float(done.err.split("; ")[1].split()[0])
        # Binomial with at most this mean: wrong once in 10^9 runs beyond six sigma. The keys are constants.
        self.assertLessEqual(abs(dropped - expected), 6 * expected ** 0.5)
        self.assertLessEqual(expected, 0.1 * len(keys))
        self.assertGreater(dropped, 0)

    def test_a_file_remembers_from_run_to_run(self):
        self.seen("uniq", "--in", "known", stdin=lines("a", "b", "a"), out=lines("a", "b"), err=SUMMARY)
        self.seen("uniq", "-q", "--in", "known", stdin=lines("b", "c", "c"), out=lines("c"), err="")
        self.seen("uniq", "-q", "--in", "known", stdin=lines("a", "b", "c"), out=b"", err="", status=1)
        self.seen("uniq", "-q", "-d", "--in", "known", stdin=lines("a", "d"), out=lines("a"), err="")
        self.holds("known", "a", "b", "c", "d")
        self.assertEqual(self.info("known")["kind"], "growing-cuckoo")
        for option in (("-p", "0.1"), ("-n", "5"), ("--window", "1h")):
            self.refuses("known: is there already, and keeps its own --", "uniq", "--in", "known", *option, stdin=lines("e"))

    def test_any_filter_that_takes_keys_remembers(self):
        self.build("bloom", "a", options=("-n", "1000", "--hash", "siphash-1-3", "--new-secret", "secret"))
        secret = ("--secret-file", "secret")
        self.seen("uniq", "-q", "--in", "bloom", *secret, stdin=lines("a", "b"), out=lines("b"), err="")
        self.holds("bloom", "a", "b", options=secret)
        self.build("static", "a", options=("--kind", "ribbon"))
        self.refuses("static: a ribbon filter cannot take more keys", "uniq", "--in", "static", stdin=lines("a"))

    def test_a_filter_without_room_prints_rather_twice_than_never(self):
        self.build("small", options=("--kind", "quotient", "-n", "100", "-p", "1e-6"))
        keys = [b"%d" % i for i in range(1000)]
        done = self.seen("uniq", "--in", "small", stdin=lines(*keys), status=2, err=r"seen: small: full after .*\n")
        printed = done.out.splitlines()
        self.assertEqual(printed, keys[:len(printed)])
        self.assertGreater(len(printed), 100)
        again = self.seen("uniq", "--in", "small", stdin=lines(*keys), status=2, err=r"seen: small: full .*\n").out
        self.assertEqual(lines(*printed) + again, lines(*printed, *again.splitlines()))
        held = self.seen("query", "-s", "small", stdin=lines(*keys), err="").out.splitlines()
        self.assertLessEqual(set(held), set(printed) | set(again.splitlines()))

    def test_a_window_forgets(self):
        for now, out in ((1000, ["a", "b"]), (1100, []), (5000, ["a", "b"])):
            self.seen("uniq", "-q", *(("--window", "1h") if now == 1000 else ()), "--in", "w", "--now", now,
                      stdin=lines("a", "b", "a"), out=lines(*out), err="", status=0 if out else 1)
        self.refuses("w: time cannot go back: --now is 900", "uniq", "--in", "w", "--now", "900", stdin=lines("a"))
        self.seen("uniq", "-q", "--window", "1h", stdin=lines("a", "b", "a"), out=lines("a", "b"), err="")
        self.refuses("--window: \"soon\"", "uniq", "--window", "soon", stdin=lines("a"))
        self.refuses("--now", "uniq", "--now", "5", stdin=lines("a"))

    def test_line_by_line_through_a_pipe(self):
        with subprocess.Popen([SEEN, "uniq", "-q", "--in", "known"], cwd=self.dir, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as run:
            for text in (b"a\n", b"b\n"):
                run.stdin.write(text + text)
                run.stdin.flush()
                self.assertEqual(run.stdout.readline(), text)
            # An interrupt ends the input: what was printed is remembered.
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(20), -signal.SIGINT)
            self.assertEqual(run.stdout.read(), b"")
        self.seen("uniq", "-q", "--in", "known", stdin=lines("a", "b", "c"), out=lines("c"), err="")

    def test_two_at_once_do_not_lose_lines(self):
        self.build("known", "x")
        with subprocess.Popen([SEEN, "uniq", "-q", "--in", "known"], cwd=self.dir, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as first:
            first.stdin.write(b"a\n")
            first.stdin.flush()
            self.assertEqual(first.stdout.readline(), b"a\n")
            self.refuses("known: another process is changing it", "uniq", "--in", "known", stdin=lines("b"), status=3)
            first.stdin.close()
            self.assertEqual(first.wait(20), 0)

    def test_lines_that_cannot_be_printed_are_not_remembered(self):
        self.build("known", "x")
        before = self.read("known")
        with open("/dev/full", "wb") as full:
            self.seen("uniq", "--in", "known", stdin=lines("a"), status=2, stdout=full,
                      err="seen: standard output: write: No space left on device\n")
        self.assertEqual(self.read("known"), before)

    def test_a_bad_record_ends_what_came_before_it(self):
        text = lines("1\ta", "2\tb", "ragged", "3\tc")
        done = self.seen("uniq", "--in", "known", "--field", "2", stdin=text, status=2, out=lines("1\ta", "2\tb"),
                         err=r"seen: standard input: line 3: .*\n")
        self.seen("uniq", "-q", "--in", "known", "--field", "2", stdin=lines("9\ta", "9\tc"), out=lines("9\tc"), err="")

    def test_keys_of_lines(self):
        text = lines("1,a,x", "2,b,y", "3,a,z", "4,c,x")
        self.seen("uniq", "-q", "--csv", "--field", "2", stdin=text, out=lines("1,a,x", "2,b,y", "4,c,x"), err="")
        # Of several keys one that is new is enough.
        self.seen("uniq", "-q", "--csv", "--field", "2,3", stdin=text, out=lines("1,a,x", "2,b,y", "3,a,z", "4,c,x"), err="")
        self.seen("uniq", "-q", "--csv", "--field", "2,3", stdin=lines("1,a,x", "2,x,a"), out=lines("1,a,x"), err="")
        self.seen("uniq", "-q", "--null", stdin=b"a\0b\0a\0", out=b"a\0b\0", err="")

    def test_objects(self):
        self.write("one", lines("a", "b", "a"))
        self.write("two", lines("b", b"\xff"))
        done = self.seen("uniq", "-q", "--json", "one", "two", err="")
        self.assertEqual(done.out, lines('{"list": "one", "line_number": 1, "line": "a"}',
                                         '{"list": "one", "line_number": 2, "line": "b"}',
                                         '{"list": "two", "line_number": 2, "line_hex": "ff"}'))

    def test_what_makes_no_sense(self):
        self.write("list", lines("a"))
        self.build("known", "a")
        self.refuses("known: is the filter itself", "uniq", "--in", "known", "known")
        for other in (("--in", "f"), ("-p", "0.1"), ("--window", "1h")):
            self.refuses("--exact", "uniq", "--exact", *other, stdin=lines("a"))
        self.refuses("--fpr: ", "uniq", "-p", "2", stdin=lines("a"))
        self.refuses(r"gives no rate below .* \(--exact drops none\)", "uniq", "-p", "1e-12", stdin=lines("a"))
        self.env["TMPDIR"] = self.path("nowhere")
        done = self.seen("uniq", "--exact", stdin=lines("a"), status=2, out=lines("a"),
                         err="seen: [^\n]*nowhere \\(TMPDIR\\)[^\n]*\n")


if __name__ == "__main__":
    main()
