"""Files go both ways between `seen` and the libraries whose formats it knows, run as they are.

A program per language (tests/golden/generators/<language>, see the README there) writes a library's filter and asks it.
For each format and variant of `peers.py` and a few hundred keys of every length:

    read    the library writes a file: the command answers as the library does, for every key and 2000 others
    build   `seen build --format` makes a file: the library finds every key in it and answers as the command does
    add     `seen add` puts keys into the library's file: the library finds them, and all it had
    convert `seen convert` writes it as another encoding, which the library that reads that answers alike

A language whose tools or registry are missing, or that languages/prepare.sh found to be skipped, is skipped, and so is a format
that the command does not know; the table at the end says so. With nothing left the status is 77. Names of languages or formats as arguments choose among them.
"""

import dataclasses
import functools
import json
import os
import shlex
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "tests", "cli"), os.path.join(ROOT, "tests", "languages")]

import key_sets  # noqa: E402
from peers import PEERS  # noqa: E402
from states import why_skipped  # noqa: E402
from support import CommandTest  # noqa: E402

FPR = "0.02"
PROBES = 2000
MORE = 40  # keys that are added afterwards

names = sys.argv[1:]
report = []  # lines of the table
ran = []     # what was not skipped


def in_hex(keys):
    return b"".join(key.hex().encode() + b"\n" for key in keys)


class Program:
    """The program of a language. `missing` says why it is not there, where tools or a registry are."""

    def __init__(self, language):
        script = os.path.join(ROOT, "tests", "golden", "generators", language, "run.sh")
        self.command = self.missing = self.broken = None
        why = why_skipped(language)
        if why:
            self.missing = f"skipped: {why}"
            return
        done = subprocess.run([script, ROOT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode == 0:
            self.command = shlex.split(done.stdout.decode().splitlines()[-1])
        elif done.returncode == 77:
            self.missing = f"skipped: {said}"
        else:
            self.broken = f"{script} ends with status {done.returncode}:\n{said}"

    @staticmethod
    @functools.cache
    def of(language):
        return Program(language)

    def run(self, *args, keys):
        done = subprocess.run([*self.command, *map(str, args)], input=in_hex(keys), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(map(str, args))} ends with status {done.returncode}: "
                                 f"{done.stderr.decode(errors='replace').strip()}")
        return done.stdout


class RoundTrip(CommandTest):
    known = None

    def formats(self):
        if RoundTrip.known is None:
            listed = self.seen("formats", "--json", err="").json()["formats"]
            RoundTrip.known = {row["name"]: row for row in listed}
        return RoundTrip.known

    def library_answers(self, program, peer, file, keys):
        out = program.run("ask", peer.format, peer.variant, self.path(file), keys=keys)
        answers = [{b"1": True, b"0": False}[line] for line in out.split()]
        self.assertEqual(len(answers), len(keys))
        return answers

    def our_answers(self, peer, file, keys):
        done = self.run_seen("query", "-s", "--json", "--hex", "--format", peer.format, *peer.opened, file,
                             stdin=in_hex(keys))
        self.assertIn(done.status, (0, 1), f"seen query {file}: {done.err}")
        return [json.loads(line)["may_contain"] for line in done.out.splitlines()]

    def both_answer_alike(self, program, peer, file, keys):
        theirs = self.library_answers(program, peer, file, keys)
        ours = self.our_answers(peer, file, keys)
        self.assertEqual(len(ours), len(keys))
        differ = [f"{key.hex() or '(empty)'}: {a} there, {b} here" for key, a, b in zip(keys, theirs, ours) if a != b]
        self.assertEqual(differ[:5], [], f"{len(differ)} of {len(keys)} answers for {file} differ")
        return theirs

    def finds(self, answers, keys, file):
        lost = [key.hex() or "(empty)" for key, found in zip(keys, answers) if not found]
        self.assertEqual(lost[:5], [], f"{len(lost)} keys of {file} are lost")

    def reads(self, program, peer, s):
        program.run("write", peer.format, peer.variant, peer.capacity(s), FPR, self.path("theirs"), keys=s.keys)
        answers = self.both_answer_alike(program, peer, "theirs", s.keys + s.probes)
        if not peer.forgets:
            self.finds(answers, s.keys, "theirs")

    def builds(self, program, peer, s):
        size = () if self.formats()[peer.format]["static"] else ("-n", peer.capacity(s), "-p", FPR)
        self.seen("build", "-q", "--format", peer.format, *peer.built, *size, "--hex", "-f", "-o", "ours",
                  stdin=in_hex(s.keys))
        answers = self.both_answer_alike(program, peer, "ours", s.keys + s.probes)
        if not peer.forgets:
            self.finds(answers, s.keys, "ours")
        return self.read("ours") == self.read("theirs")

    def adds(self, program, peer, s):
        shutil.copy(self.path("theirs"), self.path("added"))
        self.seen("add", "-q", "--format", peer.format, *peer.opened, "--hex", "added", stdin=in_hex(s.more))
        answers = self.both_answer_alike(program, peer, "added", s.more + s.keys + s.probes)
        if not peer.forgets:
            self.finds(answers, s.more + s.keys, "added")

    def converts(self, program, peer, s):
        keys = s.keys + s.probes
        answers = self.library_answers(program, peer, "theirs", keys)
        for other, variant in peer.converts:
            self.seen("convert", "-q", "--format", peer.format, *peer.opened, "theirs", "--to", other, "--variant",
                      variant, "-f", "-o", "converted")
            there = dataclasses.replace(peer, format=other, variant=variant)
            self.assertEqual(self.library_answers(program, there, "converted", keys), answers, f"{other} {variant}")

    def trip(self, peer):
        program = Program.of(peer.language)
        if program.missing:
            return program.missing
        self.assertIsNone(program.broken)
        row = self.formats().get(peer.format)
        if row is None:
            return "skipped: seen does not know the format"
        s = key_sets.of(peer.keys, peer.count, MORE, PROBES, empty=peer.empty)
        ran.append(peer)
        self.reads(program, peer, s)
        did = ["read"]
        if row["makes"] and "build" in peer.ways:
            same = self.builds(program, peer, s)
            if peer.same_bytes:
                self.assertTrue(same, "the command's file differs from the library's")
            did.append("built, the same bytes" if same else "built")
        if row["adds"] and "add" in peer.ways:
            self.adds(program, peer, s)
            did.append("added")
        if peer.converts and all(name in self.formats() for name, _ in peer.converts):
            self.converts(program, peer, s)
            did.append("converted")
        return ", ".join(did)

    def test_files_go_both_ways(self):
        chosen = [p for p in PEERS if not names or p.language in names or p.format in names]
        for peer in chosen:
            with self.subTest(f"{peer.language} {peer.format} {peer.variant}"):
                outcome = "FAILED"
                try:
                    outcome = self.trip(peer)
                finally:
                    report.append(f"{peer.language:<7} {peer.format:<18} {peer.variant:<17} {outcome}")


if __name__ == "__main__":
    done = unittest.main(argv=sys.argv[:1], exit=False).result
    print("\n".join(report), flush=True)
    if not ran:
        print("skipped: no language is ready")
    sys.exit(1 if not done.wasSuccessful() else 0 if ran else 77)
