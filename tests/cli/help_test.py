"""What the table of options becomes: how a command line is read, help, suggestions, man pages and completions."""

import os
import pathlib
import re
import shutil
import subprocess

from support import SEEN, CommandTest, lines, main

VERBS = re.findall(r"\w+", subprocess.run([SEEN], capture_output=True, text=True, check=False).stderr.split("Verbs:")[1].split("seen help")[0])
ACTIONS = re.findall(r"(?m)^  (\w+)", subprocess.run([SEEN, "redis", "--help"], capture_output=True, text=True, check=False).stdout
                     .split("\nActions:\n")[1].split("\n\n")[0])
# All that has options of its own.
WAYS = [*([verb] for verb in VERBS), *(["redis", action] for action in ACTIONS)]


def options_in(text):
    """The names of the options of a help."""
    return [name for names in re.findall(r"(?m)^ {2,6}(-[\w-]+(?:, -[\w-]+)*)(?=$| |\[)", text) for name in names.split(", ")]


class Reading(CommandTest):
    """Options as getopt takes them, and as aliases and scripts need them."""

    def planned(self, *options):
        return self.seen("plan", "--json", *options, err="").json()

    def test_values_in_every_spelling(self):
        for spelt in (("--capacity", "5"), ("--capacity=5",), ("-n", "5"), ("-n5",)):
            self.assertEqual(self.planned(*spelt)["target"]["capacity"], 5, spelt)

    def test_the_last_of_several_values_counts(self):
        self.assertEqual(self.planned("-n", "5", "-p", "0.1", "--fpr=0.5", "-n7")["target"], {"capacity": 7, "fpr": 0.5})

    def test_short_flags_go_together_with_a_value_at_the_end(self):
        self.build("f", "x")
        self.seen("build", "-qfn5", "-of", stdin=lines("y"), out=b"", err="")
        self.seen("build", "-qfo", "f", stdin=lines("x"), out=b"", err="")
        self.seen("query", "-vc", "f", stdin=lines("x", "y"), out=b"1\n", err="")

    def test_options_and_arguments_in_any_order_until_two_dashes(self):
        self.write("-q", lines("x"))
        self.seen("build", "-q", "-o", "f", "--", "-q", out=b"", err="")
        self.seen("query", "f", "-c", stdin=lines("x"), out=b"1\n", err="")
        self.seen("build", "--output=-", "-q", "./-q", err="")
        self.seen("build", "-o", "g", "-q", "-", stdin=lines("x"), out=b"", err="")

    def test_lists_take_all(self):
        self.assertEqual(len(self.seen("bench", "-q", "--json", "--only", "quotient", "--sizes", "1000", "--sizes=2000,3000",
                                       "--rounds", "1").json()) % 3, 0)
        filled = self.seen("build", "-q", "-o", "f", "--kind", "bloom", "--shape", "bits=64", "--shape=probes=3", stdin=lines("x"))
        self.assertEqual(filled.err, "")
        self.assertEqual(self.info("f")["shape"], {"bits": 64, "probes": 3})

    def test_nothing_is_guessed(self):
        for wrong, message in ((["--capac", "5"], r"no option is called --capac; did you mean --capacity\?"),
                               (["--frp", "1"], r"no option is called --frp; did you mean --fpr\?"),
                               (["--xyzzy"], r"no option is called --xyzzy \(see seen plan --help\)"),
                               (["-x"], r"no option is called -x \(see"),
                               (["-n5", "-json"], r"no option is called -json; did you mean --json\?"),
                               (["-n"], r"-n: needs a value: -n N"),
                               (["--capacity="], r"--capacity: is empty"),
                               (["-n5", "--json=yes"], r"--json: takes no value"),
                               (["-n5", "one", "two", "three"], r"not expected: one two three")):
            with self.subTest(wrong):
                self.refuses(r"\Aseen: plan: " + message + r".* ?\(see seen plan --help\)\n" if "(see" not in message
                             else r"\Aseen: plan: " + message, "plan", *wrong)

    def test_names_that_are_nearly_right(self):
        self.build("f", "x", options=("--kind", "bloom"))
        for args, meant in ((["quer"], "query"), (["check"], "verify"), (["conv"], "convert"), (["Build"], "build"),
                            (["help", "biuld"], "build"), (["completions", "bsh"], "bash"), (["--verison"], "--version"),
                            (["plan", "-n5", "--kind", "cukoo"], "cuckoo"), (["plan", "-n5", "--kind", "bloked_bloom"], "blocked-bloom"),
                            (["build", "-o", "g", "--format", "gauva"], "guava"), (["convert", "-o", "g", "--to", "parqet", "f"], "parquet"),
                            (["build", "-o", "g", "--hash", "xxh46"], "xxh64"),
                            (["build", "-o", "g", "--format", "guava", "--key-type", "utf61"], "utf16"),
                            (["build", "-o", "g", "--kind", "ribbon", "--variant", "fats"], "fast"),
                            (["bench", "--only", "quotent"], "quotient")):
            with self.subTest(args):
                self.refuses(rf"did you mean {meant}\?", *args)
        self.assertNotIn("did you mean", self.seen("xyzzy", status=2).err)

    def test_underscores_are_dashes_in_names(self):
        for name, kind in (("blocked_bloom", "blocked-bloom"), ("xor_filter", "xor"), ("binary_fuse", "binary-fuse")):
            self.assertEqual({row["kind"] for row in self.planned("-n5", "--kind", name)["kinds"]}, {kind})
        for only, rows in (("blocked-bloom", {"blocked_bloom"}), ("ribbon", {"ribbon fast", "ribbon compact"}), ("xor", {"xor_filter"})):
            measured = self.seen("bench", "-q", "--json", "--rounds", "1", "--sizes", "1000", "--only", only).json()
            self.assertEqual({r["filter"] for r in measured if not r["filter"].startswith("random")}, rows)
        known = self.seen("bench", "--only", "xyzzy", status=2).err.split("known: ")[1].strip().split(", ")
        self.assertEqual(len(known), len(set(known)))


class Help(CommandTest):
    def test_lines_fit(self):
        for columns in ("40", "60", "80", "100"):
            self.env["COLUMNS"] = columns
            for args in ([], ["--help"], *([*way, "--help"] for way in WAYS)):
                shown = self.run_seen(*args)
                text = shown.out.decode("ascii") + shown.err
                for line in text.splitlines():
                    self.assertTrue(len(line) <= int(columns) or " " not in line.strip().removesuffix(" \\"), (columns, args, line))
                self.assertEqual(re.findall(r"(?m) +$", text), [])
                self.assertNotIn("\n\n\n", text)

    def test_columns_are_eighty_without_a_terminal_and_at_least_forty(self):
        usual = self.seen("build", "--help").out
        for said, same in (("80", True), ("0", True), ("many", True), ("-5", True), ("10", False)):
            self.env["COLUMNS"] = said
            self.assertEqual(self.seen("build", "--help").out == usual, same, said)
        narrow = self.seen("build", "--help").out
        self.env["COLUMNS"] = "40"
        self.assertEqual(self.seen("build", "--help").out, narrow)

    def test_two_examples_come_first(self):
        for way in WAYS:
            text = self.seen(*way, "--help", err="").out.decode()
            self.assertLess(text.find("\nExamples:\n  "), text.index("\nOptions:\n"), way)
            first = re.search(r"\nExamples:\n((?:  .*\n)*)", text)
            if first:
                self.assertLessEqual(len(re.findall(r"(?m)^  \S", first[1])), 2)
            self.assertNotIn("Excludes", text)
            self.assertIn(f"man seen-{'-'.join(way)}", text.replace("\n", " "))

    def test_usage_says_what_must_be_given(self):
        for verb, usage in (("build", "-o FILE [OPTION]... [FILE]..."), ("add", "[OPTION]... FILTER [FILE]..."),
                            ("merge", "-o FILE [OPTION]... FILTER..."), ("plan", "[OPTION]..."),
                            ("help", "[OPTION]... [VERB] [ACTION]"), ("redis", "ACTION [OPTION]... [ARGUMENT]..."),
                            ("redis reserve", "-n N [OPTION]... NAME"), ("completions", "[OPTION]... SHELL")):
            self.assertTrue(self.seen(*verb.split(), "--help").out.decode().startswith(f"Usage: seen {verb} {usage}\n"), verb)

    def test_every_way_to_ask(self):
        for way in WAYS:
            asked = self.seen(*way, "--help", err="").out
            self.assertEqual(self.seen("help", *way, err="").out, asked)
            self.assertEqual(self.seen("--help", *way, err="").out, asked)
        self.assertEqual(self.seen("help", err="").out, self.seen("-h", err="").out)
        self.refuses(r'help: no verb is called "xyzzy" \(seen help lists them\)', "help", "xyzzy")
        self.refuses(r'help: redis: no action is called "ad"; did you mean add\? \(see seen redis --help\)', "help", "redis", "ad")

    def test_actions_of_a_verb(self):
        self.assertEqual(ACTIONS, ["reserve", "add", "query", "info", "merge", "dump", "load", "drop", "import"])
        self.refuses(r"redis: which action\? reserve, add, query, .*\(see seen redis --help\)", "redis")
        self.refuses(r'redis: no action is called "insert"; did you mean add\? \(see seen redis --help\)', "redis", "insert", "users")
        self.refuses(r"redis: no option is called --url .*\(see seen redis --help\)", "redis", "--url", "x")
        self.refuses(r"redis add: NAME is required: seen redis add \[OPTION\]\.\.\. NAME \[FILE\]\.\.\. \(see seen redis add --help\)", "redis", "add")


class Written(CommandTest):
    """Man pages and completions, from the same table."""

    def setUp(self):
        super().setUp()
        self.seen("help", "--install", "share", out=b"", err="")
        self.share = pathlib.Path(self.path("share"))

    def page(self, name):
        return (self.share / "man/man1" / f"{name}.1").read_text()

    def tool(self, *command, **more):
        """Runs a checker where it is installed."""
        if not shutil.which(command[0]):
            self.skip_unless_ci(f"{command[0]} is not installed")
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=self.env, cwd=self.dir, **more)
        return done.returncode, done.stdout + done.stderr

    def test_the_files(self):
        found = sorted(str(p.relative_to(self.share)) for p in self.share.rglob("*") if p.is_file())
        self.assertEqual(found, sorted(["man/man1/seen.1", *(f"man/man1/seen-{'-'.join(way)}.1" for way in WAYS), "zsh/site-functions/_seen",
                                        "bash-completion/completions/seen", "fish/vendor_completions.d/seen.fish"]))
        for shell, path in (("bash", "bash-completion/completions/seen"), ("zsh", "zsh/site-functions/_seen"),
                            ("fish", "fish/vendor_completions.d/seen.fish")):
            self.assertEqual(self.seen("completions", shell, err="").out, (self.share / path).read_bytes())
        self.refuses(r"file: cannot be written|file/man", "help", "--install", self.write("file", b"x"))

    def test_man_pages_name_every_verb_and_option(self):
        plain = self.page("seen").replace("\\-", "-")
        for way in WAYS:
            self.assertIn(f"seen-{'-'.join(way)} (1)", plain)
            page = self.page(f"seen-{'-'.join(way)}").replace("\\-", "-")
            for option in options_in(self.seen(*way, "--help").out.decode()):
                self.assertIn(f"\\fB{option}\\fR", page)

    def test_man_pages_please_mandoc(self):
        for page in sorted((self.share / "man/man1").iterdir()):
            _, said = self.tool("mandoc", "-T", "lint", "-W", "warning", str(page))
            self.assertEqual([line for line in said.splitlines() if "missing date" not in line], [], page.name)

    def test_man_pages_please_groff(self):
        for page in sorted((self.share / "man/man1").iterdir()):
            status, said = self.tool("groff", "-ww", "-man", "-Tascii", "-z", str(page))
            self.assertEqual((status, said), (0, ""), page.name)

    def complete(self, *words):
        """What bash offers for the last word."""
        script = """source "$1"; shift
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _seen; printf '%s\\n' "${COMPREPLY[@]}" """
        status, said = self.tool("bash", "-c", script, "bash", str(self.share / "bash-completion/completions/seen"), "seen", *words)
        self.assertEqual(status, 0, said)
        return said.split("\n")[:-1] if said.strip() else []

    def test_bash_completes_verbs_options_names_and_files(self):
        self.assertEqual(self.complete(""), VERBS)
        self.assertEqual(self.complete("ver"), ["verify", "version"])
        for way in WAYS:
            self.assertEqual(sorted(self.complete(*way, "-")), sorted(options_in(self.seen(*way, "--help").out.decode())), way)
        self.assertEqual(self.complete("redis", ""), ACTIONS)
        self.assertEqual(self.complete("redis", "d"), ["dump", "drop"])
        kinds = [row["name"] for row in self.seen("formats", "--json").json()["kinds"]]
        self.assertEqual(self.complete("build", "--kind", ""), kinds)
        self.assertEqual(self.complete("build", "--kind", "=", "cu"), ["cuckoo"])
        self.assertEqual(self.complete("build", "--kind", "="), kinds)
        formats = [row["name"] for row in self.seen("formats", "--json").json()["formats"]]
        self.assertEqual(self.complete("convert", "--to", ""), formats)
        self.assertEqual(self.complete("build", "--hash", "xxh6"), ["xxh64"])
        self.assertEqual(self.complete("help", "que"), ["query"])
        self.assertEqual(self.complete("completions", ""), ["bash", "zsh", "fish"])
        self.write("two words.txt", b"")
        self.assertEqual(self.complete("add", "two"), ["two words.txt"])
        self.assertEqual(self.complete("build", "-o", "two"), ["two words.txt"])
        self.assertEqual(self.complete("build", "--spill-dir", "sha"), ["share"])
        self.assertEqual(self.complete("build", "-p", ""), [])
        self.assertEqual(self.complete("xyzzy", ""), [])

    def test_the_other_shells_understand_theirs(self):
        for shell, path in (("bash", "bash-completion/completions/seen"), ("zsh", "zsh/site-functions/_seen"),
                            ("fish", "fish/vendor_completions.d/seen.fish")):
            with self.subTest(shell):
                status, said = self.tool(shell, "-n", str(self.share / path))
                self.assertEqual((status, said), (0, ""))
        with self.subTest("what fish offers"):
            _, said = self.tool("fish", "--no-config", "-c", f"source {self.share}/fish/vendor_completions.d/seen.fish; "
                                                             "complete -C 'seen build --kind cu'; complete -C 'seen ver'; complete -C 'seen redis du'; "
                                                             "complete -C 'seen redis add --rep'; complete -C 'seen add --rep'")
            self.assertEqual([line.split("\t")[0] for line in said.splitlines()], ["cuckoo", "verify", "version", "dump", "--replicas"])


if __name__ == "__main__":
    os.environ.pop("COLUMNS", None)
    main()
