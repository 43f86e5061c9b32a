"""The command as a whole: help, version, verbs, formats."""

import re
import subprocess

from support import SEEN, CommandTest, lines, main

VERBS = ["build", "add", "remove", "query", "info", "plan", "merge", "intersect", "shrink", "verify", "formats",
         "bench"]


class Help(CommandTest):
    def test_version(self):
        for asked in ("--version", "-V", "version"):
            told = self.seen(asked, err="").out.decode().split("\n")
            self.assertRegex(told[0], r"\Aseen \d+\.\d+\.\d+\Z")
            self.assertRegex(told[1], r"\Abatches use: (plain|sse4|avx2|avx512|neon) instructions\Z")
            self.assertRegex(told[2], r"\Alists may be: text, gzip \(zlib [\d.]+\), zstd \([\d.]+\)")

    def test_help_names_every_verb(self):
        text = self.seen("--help", err="").out.decode()
        for verb in VERBS:
            self.assertRegex(text, rf"(?m)^  {verb} ")
        self.assertIn("Examples:", text)

    def test_every_verb_has_help(self):
        for verb in VERBS:
            text = self.seen(verb, "--help", err="").out.decode()
            self.assertIn(f"Usage: seen {verb}", text)
            self.assertTrue("Example" in text or verb == "formats", verb)

    def test_examples_in_help_use_options_that_exist(self):
        for verb in VERBS:
            text = self.seen(verb, "--help").out.decode()
            examples = "".join(re.findall(r"(?m)(?:^Examples|^More examples):\n((?:  .*\n)*)", text)).replace("\\\n    ", "")
            for example in re.findall(r"(?m)^  (?! ).*?seen (\w+)((?: [^|&\n]*?)?)(?:   |$)", examples):
                other = self.seen(example[0], "--help").out.decode() if example[0] != verb else text
                for option in re.findall(r"(?<= )--?[a-z][a-z-]*", example[1]):
                    self.assertRegex(other, rf"(?m)^  [- a-zA-Z,]*{re.escape(option)}\b", example)

    def test_standard_files_that_are_closed(self):
        """No file takes their place: the filter is not read as a list, and answers are not written into it."""
        self.build("f", "a")
        before = self.files()
        for closed, message in (("<&-", "standard input: read: Bad file descriptor"),
                                ("-e a >&-", "standard output: write: Bad file descriptor"), ("-e a 2>&- >&-", "")):
            done = subprocess.run(["bash", "-c", f'"$0" query f {closed}', SEEN], cwd=self.dir, env=self.env, capture_output=True)
            self.assertEqual((done.returncode, done.stdout), (2, b""), closed)
            self.assertIn(message, done.stderr.decode())
        done = subprocess.run(["bash", "-c", '"$0" add f <&- >&-', SEEN], cwd=self.dir, env=self.env, capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(self.files(), before)

    def test_a_file_that_may_not_grow(self):
        self.write("keys", lines("a"))
        before = self.files()
        done = subprocess.run(["bash", "-c", 'ulimit -f 10; "$0" build -o g -n 1e6 keys', SEEN], cwd=self.dir, env=self.env, capture_output=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr.decode(), r"\Aseen: [^\n]*File too large\n\Z")
        self.assertEqual(self.files(), before)

    def test_wrong_verbs_and_none(self):
        self.seen(status=2, out=b"", err=r"Usage: seen VERB [^\n]*\nVerbs: build, add(.|\n)*seen help VERB what one takes\.\n")
        self.refuses(r'\Aseen: no verb is called "bild"; did you mean build\? \(see seen --help\)', "bild", "-o", "f")
        self.refuses(r"\Aseen: no option is called --nonsense; those of a verb come after it", "--nonsense", "formats")


class Formats(CommandTest):
    def test_table_and_document_agree(self):
        document = self.seen("formats", "--json", err="").json()
        table = self.seen("formats", err="").out.decode()
        self.assertEqual(document["formats"][0]["name"], "native")
        self.assertIs(document["formats"][0]["checksums"], True)
        for row in document["formats"]:
            can = " +".join("static" if c == "makes" and row["static"] else "yes" if row[c] else "-"
                            for c in ("adds", "makes", "checksums"))
            self.assertRegex(table, rf"(?m)^{row['name']} +{can} +{re.escape(row['summary'])}$")
        for row in document["kinds"]:
            self.assertRegex(table, rf"(?m)^{row['name']} +{re.escape(row['summary'])}$")
        bloom = next(r for r in document["kinds"] if r["name"] == "bloom")
        self.assertEqual(bloom["shape"], ["bits", "probes"])


class Names(CommandTest):
    """A file may be called anything; a terminal obeys some of it."""

    def test_control_characters_of_names_do_not_reach_the_terminal(self):
        for character in "\x01\x07\x08\x1b\x1f\x7f\n\r\t":
            name = f"a{character}[31mb"
            for args in (["query", name], ["info", name], ["build", "-o", "f", name], ["add", name], ["merge", "-o", "f", name],
                         ["verify", name]):
                self.refuses(r"\Aseen: a\?\[31mb: .*No such file", *args)
        name = "ok\x1b[31m"
        self.seen("build", "-o", name, stdin=lines("x"), err=r"seen: ok\?\[31m: 1 key in .*\n")
        self.seen("add", name, stdin=lines("y"), err=r"seen: ok\?\[31m: 1 key added, .*\n")

    def test_other_bytes_of_names_are_shown_as_they_are(self):
        self.refuses("\Aseen: häß~ Ω: open: No such file", "query", "häß~ Ω")


if __name__ == "__main__":
    main()
