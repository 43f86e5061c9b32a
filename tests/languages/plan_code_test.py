"""The lines of code that seen plan prints: each makes the filter that was planned. C++ is compiled and run for every kind; the other
languages where they are ready."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEEN = os.path.abspath(os.environ.get("SEEN", "build/bin/seen"))
BUILD = os.path.abspath(os.environ.get("SEEN_BUILD", "build"))
STATES = os.environ.get("SEEN_LANGUAGES", "")
LIBRARIES = [path for path in (os.path.join(BUILD, "libseen.a"), os.path.join(BUILD, "lib", "libseen.a")) if os.path.exists(path)]
FLAGS = {"scalable-bloom": "--unknown-n", "scalable-classic-bloom": "--unknown-n", "growing-cuckoo": "--unknown-n",
         "windowed-bloom": "--window", "ribbon": "--static", "binary-fuse": "--static", "xor": "--static"}

EVERYWHERE = {"bloom", "blocked-bloom", "split-block", "cuckoo", "counting-bloom", "blocked-counting-bloom", "scalable-bloom",
              "scalable-classic-bloom", "binary-fuse"}  # what a new filter can be in Go and Rust, too


def asked(*words):
    return json.loads(subprocess.run([SEEN, *words], check=True, capture_output=True).stdout)


def run(*words, **more):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    assert done.returncode == 0, done.stdout
    return done.stdout


def is_ready(language):
    try:
        with open(os.path.join(STATES, language), encoding="utf-8") as state:
            return state.read().strip() == "ready"
    except OSError:
        return False


class Code(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plans = []  # kind, the row of the usual variant, the lines
        for kind in asked("formats", "--json")["kinds"]:
            name = kind["name"]
            document = asked("plan", "--json", "-n", "1234567", "-p", "1e-3", "--kind", name, *filter(None, [FLAGS.get(name)]))
            cls.plans.append((name, document["kinds"][0], document["advice"]["code"]))

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return os.path.join(self.folder, name)

    def test_every_kind_has_the_lines_of_the_languages_that_make_it(self):
        for name, row, code in self.plans:
            self.assertEqual(list(code), ["C++", "Python", *(["Go", "Rust"] if name in EVERYWHERE else []), "shell"])

    def test_cpp(self):
        blocks = "".join(f"""
  {{
    {code["C++"]}
    {"static_cast<void>(filter.add(7));" if row["can_add"] else ""}
    std::printf("{name} %llu\\n", static_cast<unsigned long long>(seen::memory_of(filter.engine())));
    if (!filter.may_contain(7)) return 1;
  }}""" for name, row, code in self.plans)
        source = self.write("made.cpp", "#include <seen/seen.hpp>\n\n#include <cstdio>\n#include <vector>\n\nint main() {\n"
                            "  const std::vector<int> keys{7};" + blocks + "\n}\n")
        compiler = [os.environ.get("CXX", "c++"), "-std=c++20", "-O0", "-I", os.path.join(ROOT, "include"), source]
        if not LIBRARIES:
            run(*compiler, "-fsyntax-only")
            self.skipTest("no static library beside the command: compiled, not run")
        program = os.path.join(self.folder, "made")
        run(*compiler, "-o", program, LIBRARIES[0], "-lxxhash", "-ltbb", "-pthread")
        made = dict(line.split() for line in run(program).splitlines())
        for name, row, _ in self.plans:
            if row["can_add"]:
                self.assertEqual(int(made[name]), row["bytes"], name)
        self.assertEqual(set(made), {name for name, _, _ in self.plans})

    def test_python(self):
        interpreter = os.path.join(BUILD, "python", "venv", "bin", "python")
        if not (is_ready("python") and os.path.exists(interpreter)):
            self.skipTest("Python is not ready")
        lines = "".join(f"{code['Python']}\nassert filter.kind == {name!r}\nprint({name!r}, filter.info().bytes)\n"
                        for name, _, code in self.plans)
        made = dict(line.split() for line in run(interpreter, "-c", "import seenfilter as seen\nkeys = [7]\n" + lines).splitlines())
        for name, row, _ in self.plans:
            if row["can_add"]:
                self.assertEqual(int(made[name]), row["bytes"], name)

    def test_go(self):
        if not is_ready("go"):
            self.skipTest("Go is not ready")
        def block(name, row, line):
            """What is in the filter is added, or has been built in; an add may have a result, which is of no interest here."""
            keys, add = ("", 'filter.AddString("a")') if row["can_add"] else ('keys := []string{"a"}\n\t\t', "")
            return (f"\t{{\n\t\t{keys}{line}\n\t\tif err != nil {{\n\t\t\tpanic(err)\n\t\t}}\n\t\t{add}\n"
                    f"\t\tfmt.Println({json.dumps(name)}, filter.MayContainString(\"a\"))\n\t}}\n")

        blocks = "".join(block(name, row, code["Go"]) for name, row, code in self.plans if "Go" in code)
        with open(os.path.join(ROOT, "go", "go.mod"), encoding="utf-8") as module:
            first, needs = module.read().split("\n", 1)
        home = first.removeprefix("module ")
        self.write("main.go", f'package main\n\nimport (\n\t"fmt"\n\t"slices"\n\n\t"{home}"\n)\n\nfunc main() {{\n{blocks}}}\n')
        self.write("go.mod", f"module made\n{needs}\nrequire {home} v0.0.0\nreplace {home} => {os.path.join(ROOT, 'go')}\n")
        with open(os.path.join(ROOT, "go", "go.sum"), encoding="utf-8") as sums:
            self.write("go.sum", sums.read())
        self.assertEqual(run("go", "run", "-mod=mod", ".", cwd=self.folder).count("true"), len(EVERYWHERE))

    def test_rust(self):
        """The crate without its map, which is all that needs another crate."""
        if not shutil.which("rustc"):
            self.skipTest("no rustc")
        blocks = "".join(f"    {{\n        let keys = [\"a\"];\n        {code['Rust']}\n"
                         f"        {'for key in keys { let _ = f.add(key); }' if row['can_add'] else ''}\n"
                         f"        assert!(f.may_contain(\"a\"));\n    }}\n"
                         for _, row, code in self.plans if "Rust" in code)
        self.write("main.rs", "use seenfilter as seen;\n\nfn main() -> Result<(), seen::Error> {\n" + blocks + "    Ok(())\n}\n")
        rustc = ["rustc", "--edition", "2021", "--cap-lints", "allow", "-C", "opt-level=1"]
        run(*rustc, "--crate-type", "rlib", "--crate-name", "seenfilter", "--cfg", 'feature="std"', "-o", "libseenfilter.rlib",
            os.path.join(ROOT, "rust", "src", "lib.rs"), cwd=self.folder)
        run(*rustc, "--extern", "seenfilter=libseenfilter.rlib", "-o", "made", "main.rs", cwd=self.folder)
        run(os.path.join(self.folder, "made"))


if __name__ == "__main__":
    unittest.main()
