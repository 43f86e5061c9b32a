#!/usr/bin/env python3
"""Every mention of the project's home is the home that CMakeLists.txt states, and tools/move_home.py moves all of them."""
import pathlib, shutil, subprocess, sys, tempfile, unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

def move_home(root, *arguments):
    done = subprocess.run([sys.executable, "-B", root / "tools/move_home.py", *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr

class home(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.tree = pathlib.Path(self.folder.name)
        subprocess.run(["git", "init", "-q", self.tree], check=True)

    def put(self, name, text):
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        (self.tree / name).write_text(text)

    def copy(self, *names):
        for name in names: self.put(name, (ROOT / name).read_text())

    def small_tree(self):
        self.copy("tools/move_home.py")
        self.put("CMakeLists.txt", "project(seen VERSION 1.2.3\n  HOMEPAGE_URL https://example.org/people/seen)\n")

    def test_every_mention_is_the_home(self):
        code, said = move_home(ROOT)
        self.assertEqual(code, 0, "\n".join(line for line in said.splitlines() if "is not the home" in line) or said)
        self.assertIn("CMakeLists.txt", said)

    def test_all_mentions_move_and_come_back(self):
        _, said = move_home(ROOT)
        names = sorted({line.split(":")[0] for line in said.splitlines()})
        self.copy("tools/move_home.py", *names)
        before = {name: (self.tree / name).read_text() for name in names}
        old = "https://" + said.splitlines()[0].split(": ")[1]
        self.assertEqual(move_home(self.tree, "https://git.example.org/some.body/seen")[0], 0)
        for name in names:
            self.assertNotIn(old.removeprefix("https://"), (self.tree / name).read_text(), name)
        self.assertEqual(move_home(self.tree)[0], 0)
        self.assertEqual(move_home(self.tree, old)[0], 0)
        for name in names: self.assertEqual((self.tree / name).read_text(), before[name], name)

    def test_another_home_is_found(self):
        self.small_tree()
        self.put("go/go.mod", "module example.org/people/seen/go\n")
        self.assertEqual(move_home(self.tree)[0], 0)
        self.put("README.md", "\nSee https://example.org/others/seen.\n")
        code, said = move_home(self.tree)
        self.assertEqual(code, 1)
        self.assertIn("README.md:2: example.org/others/seen is not the home, example.org/people/seen", said)

    def test_a_name_that_only_begins_like_it_is_no_mention(self):
        self.small_tree()
        self.put("README.md", "example.org/others/seen-filter example.org/people/seenfilter /usr/include/seen a/b.c/seen.hpp\n")
        self.assertEqual(move_home(self.tree)[0], 0)
        self.assertEqual(move_home(self.tree, "https://example.org/new/seen")[0], 0)
        self.assertIn("example.org/people/seenfilter", (self.tree / "README.md").read_text())

    def test_a_home_that_is_none_is_refused(self):
        self.small_tree()
        for wrong in ("example.org/people/seen", "https://example.org/seen", "https://example.org/people/other"):
            code, said = move_home(self.tree, wrong)
            self.assertEqual(code, 1, wrong)
            self.assertIn("usage:", said)

if __name__ == "__main__":
    unittest.main()
