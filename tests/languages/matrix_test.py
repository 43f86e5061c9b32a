"""Every language writes the filters of the kit, and every language reads what every other wrote.

Each has a driver (tests/kit/README.md says what that is): C++ and C are built with the library, Python's runs in the
environment that its check.sh made, those of Go and Rust are built here. Then

    write   each driver makes all cases it can; its files are compared with C++'s, byte for byte
    read    each driver answers the probes of every case from the files of each writer; the answers are C++'s, bit for bit.
            (A file of the very bytes that this driver has answered from already is not read again.)

What a driver does not know it skips, so MUST says what each has to know: a language that loses a kind fails here.
A table at the end says how many cases went from whom to whom. A language that cannot be tried here is skipped with a line
that says why: prepare.sh finds out, beforehand where SEEN_LANGUAGES names the folder of what it found, or called from here; then a
language that is skipped is an error with CI=true in the environment. Names of languages as arguments choose among them.
SEEN_ROOTS, "go=/some/clone:rust=/another", takes a language from another copy of the project. SEEN_ELSEWHERE, "s390x=/some/build", is
C++ on another machine, built and emulated as cmake/arch.cmake says: to the matrix it is one language more.
"""

import collections
import functools
import os
import subprocess
import sys
import tempfile

from states import why_skipped

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KIT = os.path.join(ROOT, "tests", "kit")
BUILD = os.environ.get("SEEN_BUILD", os.path.join(ROOT, "build"))
ROOTS = dict(each.split("=", 1) for each in os.environ.get("SEEN_ROOTS", "").split(":") if each)
STATES = os.environ.get("SEEN_LANGUAGES")
ELSEWHERE = dict(each.split("=", 1) for each in os.environ.get("SEEN_ELSEWHERE", "").split(":") if each)
STRICT = os.environ.get("CI") == "true"
TIMEOUT = 600  # seconds, of any one step


class Missing(Exception):
    """What a language lacks, in words."""


class Skipped(Missing):
    """The same, where whoever made the states has complained of it already."""


def root_of(language):
    return ROOTS.get(language, ROOT)


def run(command, cwd=None, **more):
    done = subprocess.run(command, cwd=cwd, env=dict(os.environ, **more), timeout=TIMEOUT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise RuntimeError(f"{' '.join(command)}: status {done.returncode}\n    " + "\n    ".join(said[-20:]))
    return done.stdout


def there(path, otherwise):
    if not os.path.exists(path):
        raise Missing(otherwise)
    return path


def ready(language):
    """The folder of the language's package, which has its name. Missing, unless its tools are there and what is pinned can be had."""
    path = there(os.path.join(root_of(language), language), f"there is no {language}/")
    states = STATES or os.path.join(BUILD, "languages")
    if not STATES:
        subprocess.run([os.path.join(HERE, "prepare.sh"), language, states, os.path.join(path, "check.sh")], timeout=TIMEOUT,
                       stdout=subprocess.DEVNULL, check=False)
    why = why_skipped(language, states)
    if why:
        raise (Skipped if STATES else Missing)(why)
    return path


# --- how to call each language's driver: the words of its command

def cpp():
    return [os.environ.get("SEEN_KIT", os.path.join(BUILD, "bin", "seen_kit"))]


def c():
    path = os.environ.get("SEEN_KIT_C", os.path.join(BUILD, "bin", "c_kit"))
    return [there(path, "its driver is not built (c_kit)")]


def python():
    driver = os.path.join(ready("python"), "tests", "kit_driver.py")
    root = root_of("python")
    build = os.path.join(BUILD if root == ROOT else os.path.join(root, "build"), "python")
    interpreter = there(os.path.join(build, "venv", "bin", "python"), "not installed: run python/check.sh")
    if subprocess.run([interpreter, "-c", "import seenfilter"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Missing("not installed: run python/check.sh")
    return [interpreter, driver]


def go():
    folder = ready("go")
    driver = os.path.join(BUILD, "go", "kit")
    run(["go", "build", "-o", driver, "./cmd/kit"], cwd=folder, GOTOOLCHAIN="local", GOWORK="off")
    return [driver]


def rust():
    folder = ready("rust")
    target = os.path.join(BUILD, "rust")
    run(["cargo", "build", "--quiet", "--release", "--locked", "--example", "kit"], cwd=folder, CARGO_TARGET_DIR=target)
    return [os.path.join(target, "release", "examples", "kit")]


def elsewhere(machine):
    programs = os.path.join(ELSEWHERE[machine], "bin")
    return [there(os.path.join(programs, name), "it is not built") for name in ("run", "seen_kit")]


LANGUAGES = {"C++": cpp, "C": c, "Python": python, "Go": go, "Rust": rust,
             **{machine: functools.partial(elsewhere, machine) for machine in ELSEWHERE}}


# --- what each must write and read, by the rows of the kit; more is welcome

OWN_KINDS = {"bloom", "blocked-bloom", "split-block", "cuckoo", "counting-bloom", "blocked-counting-bloom",
             "scalable-bloom", "scalable-classic-bloom", "binary-fuse"}  # those that Go and Rust make
OWN_FORMATS = {"bits-and-blooms", "phrozen", "portable"}


def everything(row):
    return True


def own_writes(row):
    return row["format"] in OWN_FORMATS or (row["format"] == "native" and row["kind"] in OWN_KINDS)


def own_reads(row):
    return row["format"] in OWN_FORMATS | {"native"}


MUST = {                                                     # language -> writes, reads
    "C++": (everything, everything),
    "C": (everything, everything),
    "Python": (everything, everything),
    "Go": (own_writes, own_reads),
    "Rust": (own_writes, own_reads),
    **{machine: (everything, everything) for machine in ELSEWHERE},
}


# --- the kit

def cases():
    with open(os.path.join(KIT, "cases.tsv"), encoding="utf-8") as table:
        lines = table.read().split("\n")[:-1]
    names = lines[0].split("\t")
    return {row["name"]: row for row in (dict(zip(names, line.split("\t"))) for line in lines[1:])}


def read_bytes(*path):
    with open(os.path.join(*path), "rb") as opened:
        return opened.read()


def folder(*path):
    made = os.path.join(*path)
    os.makedirs(made)
    return made


class Matrix:
    def __init__(self, scratch):
        self.scratch = scratch
        self.cases = cases()
        self.drivers = {}
        self.written = {}                  # language -> names
        self.read = {}                     # (writer, reader) -> names
        self.known = set()                 # (reader, name, bytes) that was answered from
        self.complaints = []

    def complain(self, line):
        self.complaints.append(line)

    def drive(self, language, verb, *folders):
        """The names that a driver printed; what it did not know is not among them."""
        try:
            names = run(self.drivers[language] + [verb, KIT, *folders]).split()
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            self.complain(f"{language} {verb}: {error}")
            return []
        for name in names:
            if name not in self.cases or not os.path.exists(os.path.join(folders[-1], name)):
                self.complain(f"{language} {verb}: printed {name}, and there is no such case or file")
        return [name for name in names if name in self.cases]

    def files(self, language):
        return os.path.join(self.scratch, "files", language)

    def write(self, language):
        names = self.drive(language, "write", folder(self.files(language)))
        for name in names:
            ours = read_bytes(self.files(language), name)
            kits = read_bytes(KIT, self.cases[name]["file"])
            if ours != kits:
                at = next((i for i, (a, b) in enumerate(zip(ours, kits)) if a != b), min(len(ours), len(kits)))
                self.complain(f"{language} writes another {name}: from byte {at} on; {len(ours)} bytes, the kit's has {len(kits)}")
        self.written[language] = names

    def expected(self, name):
        return read_bytes(self.scratch, "answers", "C++", "C++", name)

    def ask(self, writer, reader):
        answers = folder(self.scratch, "answers", writer, reader)
        files = folder(self.scratch, "asked", writer, reader)
        known = []
        for name in self.written[writer]:
            file = os.path.join(self.files(writer), name)
            if (reader, name, read_bytes(file)) in self.known:
                known.append(name)
            else:
                os.link(file, os.path.join(files, name))
        names = self.drive(reader, "read", files, answers) if os.listdir(files) else []
        for name in names:
            ours = read_bytes(answers, name)
            self.known.add((reader, name, read_bytes(files, name)))
            if name in self.read.get(("C++", "C++"), []) and ours != self.expected(name):
                differ = sum(bin(a ^ b).count("1") for a, b in zip(ours, self.expected(name)))
                self.complain(f"{reader} answers {differ} probes of {writer}'s {name} otherwise than C++"
                              f"{'' if len(ours) == len(self.expected(name)) else ', and not as many'}")
        self.read[writer, reader] = known + names

    def require(self):
        """Complains of every case that a language left out and must know."""
        for language in self.drivers:
            writes, reads = MUST[language]
            lost = [name for name, row in self.cases.items() if writes(row) and name not in set(self.written[language])]
            self.complain_of(lost, f"{language} must write, and does not,")
            for writer in self.drivers:
                found = set(self.read[writer, language])
                lost = [name for name in self.written[writer] if reads(self.cases[name]) and name not in found]
                self.complain_of(lost, f"{language} must read, and does not, {writer}'s")

    def complain_of(self, names, what):
        if names:
            self.complain(f"{what} {len(names)} cases: {', '.join(names[:3])}{', …' if len(names) > 3 else ''}")

    def reach(self, names):
        """The kinds of the native cases among these, and the formats of the others."""
        rows = [self.cases[name] for name in names]
        return ({row["kind"] for row in rows if row["format"] == "native"},
                {row["format"] for row in rows if row["format"] != "native"})

    def table(self):
        languages = list(self.drivers)

        def cell(names):
            kinds, formats = self.reach(names)
            return f"{len(names)} ({len(kinds)} + {len(formats)})"

        rows = [["written by", *(f"read by {each}" for each in languages)]]
        rows += [[writer, *(cell(self.read[writer, reader]) for reader in languages)] for writer in languages]
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        print("cases (native kinds + formats of other libraries)")
        for row in rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
        every = self.reach(self.cases)
        for language in languages:
            for verb, names in ("writes", self.written[language]), ("reads", self.read["C++", language]):
                parts = [f"all {len(whole)} {what}" if some == whole else ", ".join(sorted(some)) or f"no {what}"
                         for some, whole, what in zip(self.reach(names), every, ("kinds", "formats"))]
                print(f"{language} {verb} " + "; ".join(parts))

    def run(self, chosen):
        for language, find in LANGUAGES.items():
            if language != "C++" and chosen and language.lower() not in chosen:
                continue
            try:
                self.drivers[language] = find()
            except Missing as why:
                print(f"{language} is skipped: {why}")
                if STRICT and not isinstance(why, Skipped):
                    self.complain(f"{language} is missing: {why}")
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                self.complain(f"{language}: its driver cannot be built: {error}")
        for language in self.drivers:
            self.write(language)
        for writer in self.drivers:
            for reader in self.drivers:
                self.ask(writer, reader)
        self.require()
        self.table()


def main():
    with tempfile.TemporaryDirectory(prefix="seen-matrix-") as scratch:
        matrix = Matrix(scratch)
        matrix.run([each.lower() for each in sys.argv[1:]])
    per_language = collections.Counter(line.split()[0] for line in matrix.complaints)
    shown = collections.Counter()
    for line in matrix.complaints:
        shown[line.split()[0]] += 1
        if shown[line.split()[0]] <= 25:
            print(line, file=sys.stderr)
    for language, count in per_language.items():
        if count > 25:
            print(f"{language}: and {count - 25} lines more", file=sys.stderr)
    if matrix.complaints:
        return 1
    if len(matrix.drivers) > 1:
        return 0
    print("skipped: no language but C++ is ready")
    return 77


if __name__ == "__main__":
    sys.exit(main())
