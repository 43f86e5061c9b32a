#!/usr/bin/env python3
"""What `make` asks of a machine before it builds: tools/install_packages.sh on machines made of stubs.

A machine is a folder of programs, and PATH is nothing else: a compiler that finds the headers it is told of, package managers that
write down how they were called. So every case runs without root, network or the packages of this machine."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ["sh", "sed", "awk", "grep", "head", "tr", "xargs", "dirname", "env", "cat"]
ROWS = [line.split() for line in (ROOT / "tools/packages.txt").read_text().splitlines() if line and line[0] != "#"]
HEADERS = {row[1] for row in ROWS if row[1].endswith((".h", ".hpp"))}
OPTIONAL = {row[1] for row in ROWS if row[-1] == "optional"}


class machine:
    """A folder that is PATH. `calls` lists what the stubs of package managers were asked."""

    def __init__(self, folder, headers=HEADERS, cmake="3.25.1", root=False, without=(), managers=()):
        self.folder = pathlib.Path(folder)
        for tool in TOOLS:
            (self.folder / tool).symlink_to(shutil.which(tool))
        self.stub("id", f"echo {0 if root else 1000}")
        found = " ".join(f"*'<{header}>'*" if i == 0 else f"| *'<{header}>'*" for i, header in enumerate(sorted(headers))) or "-"
        self.stub("g++", f'if [ "$1" = --version ]; then echo "g++ (a stub) 12.2.0"; exit; fi\n'
                         f"read -r line\ncase $line in {found}) ;; *) exit 1 ;; esac")
        self.stub("cmake", f"echo cmake version {cmake}")
        self.stub("ninja", "exit 0")
        for manager in managers:
            self.stub(manager, f'echo "{manager} $*" >> "{self.folder}/calls"')
        for name in without:
            (self.folder / name).unlink()

    def stub(self, name, body):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def install(self, *lists, **variables):
        done = subprocess.run([shutil.which("sh"), ROOT / "tools/install_packages.sh", *lists], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={"PATH": str(self.folder), **variables}, check=False)
        return done.returncode, done.stdout + done.stderr

    @property
    def calls(self):
        path = self.folder / "calls"
        return path.read_text().splitlines() if path.exists() else []


class packages(unittest.TestCase):
    def machine(self, **how):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        return machine(folder, **how)

    def test_a_machine_that_has_everything_is_asked_for_nothing(self):
        for root in (False, True):
            here = self.machine(root=root, managers=["apt-get", "sudo"])
            self.assertEqual(here.install(), (0, ""))
            self.assertEqual(here.calls, [])

    def test_a_package_that_only_dpkg_knows_of_is_there(self):
        here = self.machine(headers=(), managers=["apt-get"], root=True)
        here.stub("dpkg-query", "\n".join(f"echo 'installed {row[0]}'" for row in ROWS) + "\nexit 1")
        self.assertEqual(here.install(), (0, ""))
        self.assertEqual(here.calls, [])

    def test_root_installs_what_is_missing_and_nothing_of_the_tests(self):
        here = self.machine(headers=(), root=True, managers=["apt-get"])
        code, said = here.install()
        self.assertEqual(code, 0, said)
        installed = " ".join(call for call in here.calls if " install " in call).split()
        missing = [row[0] for row in ROWS if row[1] in HEADERS]
        self.assertEqual([word for word in installed if word in missing], missing)
        self.assertFalse({"clang-14", "lcov", "g++", "cmake"} & set(installed), installed)

    def test_without_root_what_is_missing_is_named_as_the_system_names_it(self):
        names = {"apt-get": ("libfmt-dev", "apt-get install"), "dnf": ("fmt-devel", "dnf install"), "pacman": ("fmt", "pacman -S"),
                 "apk": ("fmt-dev", "apk add")}
        for manager, (name, how) in names.items():
            here = self.machine(headers=HEADERS - {"fmt/format.h"}, managers=[manager])
            code, said = here.install()
            self.assertEqual(code, 1, said)
            self.assertIn(f"{how} {name}\n", said)
            self.assertEqual(here.calls, [], "and nothing is installed")

    def test_where_no_name_is_known_the_header_is_named(self):
        here = self.machine(managers=["apk"])
        here.folder.joinpath("list.txt").write_text("librare-dev  rare/rare.hpp  rare-devel  rare  -\n")
        code, said = here.install(here.folder / "list.txt")
        self.assertEqual(code, 1, said)
        self.assertIn("install what brings:  rare/rare.hpp\n", said)

    def test_what_is_optional_is_done_without(self):
        here = self.machine(headers=HEADERS - OPTIONAL, root=True, managers=["apt-get"])
        code, said = here.install()
        self.assertEqual(code, 0, said)
        self.assertIn("going on without libtbb-dev libhwy-dev", said)
        self.assertEqual(here.calls, [], "no network is asked for")

    def test_the_tests_need_what_is_optional(self):
        here = self.machine(headers=HEADERS - OPTIONAL)
        code, said = here.install("tools/packages.txt", "tools/packages_test.txt")
        self.assertEqual(code, 1)
        self.assertIn("libhwy-dev", said.splitlines()[0])

    def test_an_old_cmake_is_named_with_both_versions(self):
        for old in ("3.9.6", "3.21.4", "2.8"):
            code, said = self.machine(cmake=old).install()
            self.assertEqual((code, said), (1, f"too old: cmake 3.22 or newer is needed, and this is {old}\n"))
        for new in ("3.22.0", "3.31", "4.0.1"):
            self.assertEqual(self.machine(cmake=new).install(), (0, ""))

    def test_an_installation_that_fails_says_what_is_missing(self):
        here = self.machine(without=["ninja"], root=True)
        here.stub("apt-get", "exit 100")
        code, said = here.install()
        self.assertEqual(code, 1)
        self.assertIn("apt-get install ninja-build\n", said)

    def test_asked_to_skip_it_does_nothing(self):
        here = self.machine(headers=(), without=["cmake", "ninja"], root=True, managers=["apt-get"])
        self.assertEqual(here.install(SEEN_SKIP_PACKAGES="1"), (0, ""))
        self.assertEqual(here.calls, [])


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main(argv=sys.argv)
