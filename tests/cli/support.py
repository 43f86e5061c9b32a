"""What the tests of the command share: a directory of their own, and a way to run `seen` that checks everything.

The command is the one the environment variable SEEN names. Every run states its exit status, its stdout and its
stderr; stderr is never a terminal here, so a stray progress bar fails a test.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SEEN = os.path.abspath(os.environ.get("SEEN", "build/bin/seen"))
KINDS = os.environ.get("SEEN_TEST_KINDS", "").split()  # all, unless some are named


def lines(*keys):
    """The bytes of a file with these lines."""
    return b"".join((k if isinstance(k, bytes) else str(k).encode()) + b"\n" for k in keys)


def as_text(stderr):
    """Lines on stderr under --json, as they are without it."""
    words = {"error": "", "warning": "warning: ", "remark": ""}
    told = [next(iter(json.loads(line).items())) for line in stderr.splitlines()]
    return "".join(f"seen: {words[what]}{text['message'] if what == 'error' else text}\n" for what, text in told)


class Outcome:
    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err.decode(errors="surrogateescape")

    def json(self):
        return json.loads(self.out)


def for_every_kind(can=None):
    """Runs test(self, row) for every kind of the registry (of KINDS), or for those that can do something."""
    def decorate(test):
        def run(self):
            for row in self.kinds(can):
                if KINDS and row["kind"] not in KINDS:
                    continue
                with self.subTest(row["kind"]):
                    test(self, row)
        return run
    return decorate


class CommandTest(unittest.TestCase):
    plans = []

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="seen-cli-")
        self.addCleanup(shutil.rmtree, self.dir)
        self.env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "TERM")}

    def skip_unless_ci(self, why):
        """Skips here; under CI nothing may be skipped, so it fails there."""
        if os.environ.get("CI") == "true":
            self.fail(why)
        self.skipTest(why)

    # --- files

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def files(self):
        """Everything in the directory, with its content."""
        return {n: self.read(n) if os.path.isfile(self.path(n)) else None for n in sorted(os.listdir(self.dir))}

    # --- runs

    def run_seen(self, *args, stdin=b"", **more):
        """Runs the command in the directory; stdin is bytes through a pipe, or a file's name."""
        feed = {"stdin": open(self.path(stdin), "rb")} if isinstance(stdin, str) else {"input": stdin}
        try:
            done = subprocess.run([SEEN, *map(str, args)], cwd=self.dir, env=self.env, timeout=60,
                                  **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **feed, **more})
        finally:
            if "stdin" in feed:
                feed["stdin"].close()
        return Outcome(done.returncode, done.stdout, done.stderr or b"")

    def seen(self, *args, status=0, out=None, err=None, stdin=b"", **more):
        """Runs the command and checks it: `out` exactly, `err` as a regular expression for the whole of stderr."""
        done = self.run_seen(*args, stdin=stdin, **more)
        what = f"seen {' '.join(map(str, args))}\nstdout: {done.out!r}\nstderr: {done.err}"
        self.assertEqual(done.status, status, what)
        if out is not None:
            self.assertEqual(done.out, out, what)
        if err is not None:
            self.assertRegex(done.err, r"\A(?:%s)\Z" % err, what)
        return done

    def build(self, name, *keys, options=()):
        """A filter of these keys, quietly."""
        self.seen("build", "-q", "-o", name, *options, stdin=lines(*keys), out=b"", err="")
        return name

    def refuses(self, message, *args, status=2, stdin=b"", **more):
        """The command ends with this status and one line that matches, after a remark where a format is guessed, and nothing in
        the directory has changed."""
        before = self.files()
        done = self.seen(*args, status=status, out=b"", stdin=stdin, **more)
        if "--json" in args:
            done.err = as_text(done.err)
        self.assertRegex(done.err, r"\A(seen: warning: [^\n]*: taken for a [^\n]*\n)?seen: [^\n]*\n\Z")
        self.assertRegex(done.err, message)
        self.assertEqual(self.files(), before, "something changed")

    def holds(self, name, *keys, options=()):
        """The filter may contain each of the keys."""
        self.seen("query", "-s", name, *options, stdin=lines(*keys), out=lines(*keys), err="")

    def info(self, name, *options):
        return self.seen("info", name, "--json", *options, err="").json()

    # --- kinds

    def kinds(self, can=None):
        """What `plan` says of every kind of the registry, or of those that can do something: "can_remove", …

        Of a kind with variants, the usual one."""
        if not CommandTest.plans:  # asked once
            CommandTest.plans = self.seen("plan", "-n", "1000", "--json", err="").json()["kinds"]
        rows = CommandTest.plans
        usual = {row["kind"]: row for row in reversed(rows)}
        return [row for row in rows if row is usual[row["kind"]] and (can is None or row[can])]

    def cannot(self, row, can, in_words):
        """How a kind that cannot is refused, as a pattern: it names those that can."""
        able = ", ".join(r["kind"] for r in self.kinds(can))
        return rf"a {row['kind']} filter cannot {in_words}; {f'kinds that can: {able}' if able else 'no kind can yet'}$"


def main():
    unittest.main()
