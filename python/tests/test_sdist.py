"""What the sdist holds: the library's sources as the clone has them, and nothing that a build left behind."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]
SOURCES = ["CMakeLists.txt", "LICENSE", "cmake/a.cmake", "include/seen/seen.hpp", "src/a.cpp"]


def write(path: Path, text: str) -> None:
    """A file, and the folders it needs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A project of few files around a copy of this package; where the package is."""
    package = tmp_path / "python"
    ignored = shutil.ignore_patterns("build", "dist", "library", "__pycache__")
    shutil.copytree(PACKAGE, package, ignore=ignored, symlinks=True)
    for name in SOURCES:
        write(tmp_path / name, "new")
    return package


def contents(package: Path) -> dict[str, str]:
    """The files of the sdist by name: the library's whole, of the others the name alone."""
    out = package.parent / "out"
    call = f"import backend; print(backend.build_sdist({str(out)!r}))"
    subprocess.run([sys.executable, "-c", call], cwd=package, env={"PYTHONPATH": "build_tools"}, check=True, capture_output=True)
    found = {}
    (name,) = out.iterdir()
    with tarfile.open(name) as archive:
        for member in archive.getmembers():
            _, _, path = member.name.partition("/")
            opened = archive.extractfile(member) if path.startswith("library/") else None
            found[path] = opened.read().decode() if opened else ""
    return found


def test_the_library_goes_along_and_what_was_built_does_not(clone: Path) -> None:
    for planted in ("build/cp311/library/a.o", "build/cp311/library/libseen.a", "tests/__pycache__/a.pyc", "build_tools/__pycache__/a.pyc"):
        write(clone / planted, "built")
    found = contents(clone)
    assert {name for name in found if name.startswith("library/")} == {f"library/{name}" for name in SOURCES}
    assert {"CMakeLists.txt", "LICENSE", "core/module.cpp", "src/seenfilter/__init__.py", "build_tools/backend.py", "PKG-INFO"} <= set(found)
    assert [name for name in found if name.startswith("build/") or name.endswith((".o", ".a", ".pyc"))] == []
    assert not (clone / "library").exists()


def test_what_a_killed_sdist_left_is_not_taken_for_the_library(clone: Path) -> None:
    write(clone / "library" / "src" / "a.cpp", "old")
    write(clone / "library" / "src" / "gone.cpp", "old")
    found = contents(clone)
    assert found["library/src/a.cpp"] == "new"
    assert "library/src/gone.cpp" not in found


def test_an_sdist_makes_the_same_sdist(clone: Path) -> None:
    first = contents(clone)
    apart = clone.parent / "far" / "from" / "package"
    shutil.copytree(clone, apart)
    for name in SOURCES:
        write(apart / "library" / name, "new")
    assert contents(apart) == first
    assert (apart / "library").exists()
