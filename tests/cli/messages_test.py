"""Nothing decides by the words of a message: the command with every message reworded does what it did before.

Messages are literals of the sources. A copy of the program has each of them overwritten, letter by letter, with other letters
of the same number; then both programs meet the same mistakes. Statuses, output and files must be equal, and the texts differ.
"""

import os
import pathlib
import re
import shutil

from support import SEEN, CommandTest, lines, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# What an error is made of: the literals of a statement that begins with an error code, or with one of the functions that make errors.
ERROR = re.compile(r"(?:errc::\w+,|\b(?:refuse|complain|fail|usage_error|mistake|prefixed)\()((?:[^;{}\"]|\"(?:[^\"\\\n]|\\.)*\")*)[;}]")
OTHER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba")
SHORTEST = 12  # a shorter literal is a word that may stand for something else, or is part of an instruction


def literals(text):
    """The literals in some source, but those with escapes."""
    return {found for found in LITERAL.findall(text) if found and "\\" not in found}


def messages():
    """The literals that errors of the library and of the command are made of, and how many letters of each may be changed: its end may
    be that of a literal that stands elsewhere, since linkers keep one copy of equal ends."""
    found, others = set(), set()
    for folder in ("include", "src", "cli", "bench/core"):
        for path in (ROOT / folder).rglob("*.?pp"):
            text = path.read_text()
            for statement in ERROR.findall(text):
                found.update(each for each in literals(statement) if len(each) >= SHORTEST)
            others.update(literals(ERROR.sub("", text)))
    for text in found:
        shared = next((start for start in range(len(text)) if text[start:] in others), len(text))
        if shared >= SHORTEST:
            yield text, shared


def reworded(program):
    """The program with other letters in its messages, and how many of them were found."""
    changed = 0
    for text, letters in messages():
        old = text.encode()
        new = (text[:letters].translate(OTHER) + text[letters:]).encode()
        count = program.count(old)
        program = program.replace(old, new)
        changed += count > 0 and old != new
    return program, changed


class Messages(CommandTest):
    def setUp(self):
        super().setUp()
        program, self.changed = reworded(pathlib.Path(SEEN).read_bytes())
        self.other = os.path.join(self.dir, "reworded")
        pathlib.Path(self.other).write_bytes(program)
        shutil.copymode(SEEN, self.other)

    def both(self, *arguments, stdin=b""):
        """Runs the program and the reworded one in folders of equal contents; statuses, output and files must be equal."""
        outcomes = []
        for program in (SEEN, self.other):
            folder = os.path.join(self.dir, "run")
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(os.path.join(self.dir, "files"), folder, symlinks=True)
            done = self.run_program(program, *arguments, stdin=stdin, cwd=folder)
            outcomes.append((done, {p.name: p.read_bytes() for p in pathlib.Path(folder).iterdir() if p.is_file()}))
        (first, files), (second, other_files) = outcomes
        self.assertEqual((first.returncode, first.stdout, files), (second.returncode, second.stdout, other_files), arguments)
        self.assertGreaterEqual(first.returncode, 0, (arguments, first.stderr))
        return first, second

    def run_program(self, program, *arguments, stdin, cwd):
        import subprocess
        return subprocess.run([program, *arguments], input=stdin, capture_output=True, cwd=cwd, env=self.env, timeout=60)

    def make(self, name, *options, keys=range(100), kind="bloom"):
        self.run_program(SEEN, "build", "-q", "-o", name, "--kind", kind, *options, "-", stdin=lines(*keys), cwd=self.files).check_returncode()

    def test_mistakes_end_alike_whatever_is_said_of_them(self):
        self.files = os.path.join(self.dir, "files")
        os.mkdir(self.files)
        self.assertGreater(self.changed, 150)
        self.make("a.seen")
        self.make("seeded.seen", "--seed", "7")
        self.make("large.seen", "-n", "5000")
        self.make("cuckoo.seen", kind="cuckoo")
        self.make("ribbon.seen", kind="ribbon")
        self.make("quotient.seen", kind="quotient")
        self.make("keyed.seen", "--hash", "siphash-1-3", "--new-secret", "secret")
        self.run_program(SEEN, "build", "-q", "--format", "guava", "-o", "a.guava", "-", stdin=lines(*range(100)), cwd=self.files).check_returncode()
        good = pathlib.Path(self.files, "a.seen").read_bytes()
        for name, damaged in {"empty": b"", "short": good[:40], "cut": good[:-5], "zeros": bytes(200), "words": b"hello, world\n" * 20,
                              "flipped": good[:-3] + bytes([good[-3] ^ 1]) + good[-2:],
                              "newer": good[:8] + b"\x09" + good[9:]}.items():
            pathlib.Path(self.files, name).write_bytes(damaged)
        os.mkdir(os.path.join(self.files, "folder"))
        os.symlink("loop", os.path.join(self.files, "loop"))
        files = ["a.seen", "ribbon.seen", "keyed.seen", "a.guava", "empty", "short", "cut", "zeros", "words", "flipped", "newer", "folder",
                 "loop", "missing"]
        ways = [(verb, file) for verb in ("query", "info", "verify") for file in files]
        ways += [("add", "a.seen", "-") for _ in "1"] + [("add", file, "-") for file in files[1:]] + [("remove", file, "-") for file in files]
        ways += [(verb, "-o", "out", "a.seen", other) for verb in ("merge", "intersect")
                 for other in ("seeded.seen", "large.seen", "cuckoo.seen", "ribbon.seen", "keyed.seen", "a.guava", "flipped", "missing")]
        ways += [("convert", "--to", to, "-o", "out", file) for to in ("guava", "portable", "parquet", "leveldb", "nobody") for file in ("a.seen", "cuckoo.seen", "a.guava")]
        ways += [("shrink", "-p", rate, "-o", "out", file) for rate in ("0.5", "2", "nan") for file in ("a.seen", "cuckoo.seen", "ribbon.seen")]
        ways += [("plan", "-n", n, "-p", p) for n in ("0", "1e30", "100", "x") for p in ("0", "1", "nan", "1e-30", "0.01")]
        ways += [("build", "-o", out, *options, "-") for out in ("out", "a.seen", "missing/out", "folder")
                 for options in ((), ("--kind", "nothing"), ("--kind", "cuckoo", "-n", "1"), ("--format", "nobody"), ("--memory", "1"),
                                 ("--kind", "ribbon", "--memory", "1"), ("--secret-file", "missing"), ("--shape", "probes=0"), ("--hash", "md5"))]
        ways += [("query", "--secret-file", "missing", "keyed.seen"), ("query", "--format", "guava", "a.seen"), ("query", "--column", "x", "a.seen"),
                 ("formats", "x"), ("nonsense",), ("query",), ("query", "--nonsense", "a.seen")]
        told_otherwise = refused = 0
        for way in ways:
            first, second = self.both(*way, stdin=lines(*range(90, 130)))
            refused += first.returncode != 0
            told_otherwise += first.stderr != second.stderr
        self.assertGreater(refused, 100)
        self.assertGreater(told_otherwise, 60)


if __name__ == "__main__":
    main()
