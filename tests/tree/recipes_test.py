#!/usr/bin/env python3
"""The recipes of packaging/ say what the tree says: one version, options that there are, programs that compile as Python and JSON."""
import ast, json, pathlib, re, unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CMAKE = (ROOT / "CMakeLists.txt").read_text()
VERSION = re.search(r"project\(seen VERSION (\S+)", CMAKE).group(1)

def text(name): return (ROOT / "packaging" / name).read_text()

class recipes(unittest.TestCase):
    def test_all_have_the_version_of_the_project(self):
        self.assertEqual(json.loads(text("vcpkg/ports/seen/vcpkg.json"))["version"], VERSION)
        self.assertEqual(re.search(r'version = "(.*)"', text("conan/conanfile.py")).group(1), VERSION)
        self.assertIn(f'version = "{VERSION}"', (ROOT / "include/seen/base/version.hpp").read_text())

    def test_options_are_those_of_the_project(self):
        there = set(re.findall(r"option\((SEEN_\w+)", CMAKE))
        for name in ("vcpkg/ports/seen/portfile.cmake", "debian/build.sh"):
            named = set(re.findall(r"SEEN_(?:BUILD|WITH)_\w+", text(name)))
            self.assertTrue(named, name)
            self.assertEqual(named - there, set(), name)
        conan = text("conan/conanfile.py")
        parts = re.search(r"for part in \((.*)\):", conan).group(1)
        named = {f"SEEN_BUILD_{part}" for part in re.findall(r'"(\w+)"', parts)} | set(re.findall(r'"(SEEN_(?:BUILD|WITH)_\w+)"', conan))
        self.assertEqual(named - there, set())

    def test_recipes_of_conan_are_programs(self):
        for name in ("conan/conanfile.py", "conan/test_package/conanfile.py"):
            ast.parse(text(name), name)

    def test_the_program_that_tries_the_package_is_the_strangers(self):
        self.assertEqual(text("conan/test_package/consumer.cpp"), (ROOT / "tests/consumer/consumer.cpp").read_text())

if __name__ == "__main__":
    unittest.main()
