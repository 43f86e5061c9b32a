"""The package itself: its documents, its types, its version."""

from __future__ import annotations

import builtins
import inspect
import re
from importlib.metadata import distribution
from pathlib import Path
from typing import get_args

import pytest

import seenfilter as seen
from kit import PROJECT
from support import elsewhere

PACKAGE = Path(__file__).resolve().parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(BLOCKS) == 6
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)


def prose(thing: object, name: str) -> str:
    """What its documentation says beyond the signature, which nanobind and dataclasses put there by themselves."""
    said = (thing.__doc__ or "").strip()
    return said.partition("\n")[2].strip() if said.startswith(f"{name}(") else said


def test_every_public_name_is_documented() -> None:
    things = {name: getattr(seen, name) for name in seen.__all__}
    documented = {name: thing for name, thing in things.items() if inspect.isclass(thing) or callable(thing) and name.islower()}
    assert {"Filter", "Error", "Info", "load", "build", "plan", "kinds"} <= documented.keys()
    members = {name: member for name, member in vars(seen.Filter).items() if callable(member) or isinstance(member, property)}
    assert {"add", "kind", "__or__", "__init__"} <= members.keys()
    bare = [name for name, thing in [*documented.items(), *members.items()] if not prose(thing, name)]
    assert bare == []


def test_signatures_are_known() -> None:
    shown = {name: str(inspect.signature(getattr(seen.Filter, name))) for name in ("add", "update", "may_contain_many", "save", "copy")}
    assert shown == {
        "add": "(self, key, /)", "update": "(self, /, *keys, threads=1)", "may_contain_many": "(self, /, keys, out=None)",
        "save": "(self, /, path, *, overwrite=True, store_secret=None, alignment=None, metadata=None)", "copy": "(self, /)",
    }  # fmt: skip
    assert str(inspect.signature(seen.plan)) == "(capacity, fpr, *, kind=None, shape=None)"
    assert list(inspect.signature(seen.Filter).parameters)[:3] == ["capacity", "fpr", "kind"]
    assert str(inspect.signature(seen.Filter(10).update)) == "(*keys, threads=1)"

    class Inherits(seen.Filter): ...

    class HasItsOwn(seen.Filter):
        def __init__(self, day: str) -> None:
            super().__init__(1000, 0.01)

    assert inspect.signature(Inherits) == inspect.signature(seen.Filter)
    assert list(inspect.signature(HasItsOwn).parameters) == ["day"]


def test_a_star_takes_nothing_of_python_away() -> None:
    names: dict[str, object] = {}
    exec("from seenfilter import *", names)
    assert not {name for name in names if hasattr(builtins, name)} & set(seen.__all__)
    assert "Filter" in names and "Path" not in names


def test_numpy_is_imported_by_who_needs_it() -> None:
    program = """
import sys
sys.modules["numpy"] = None
import seenfilter as seen
f = seen.Filter(10)
f.update(["a", 1], (b"c",))
assert "a" in f and len(f) == 3 and f.copy() == seen.from_bytes(bytes(f))
answers = memoryview(bytearray(2)).cast("?")
assert f.may_contain_many(["a", "x"], out=answers) is answers and answers.tolist() == [True, False]
try:
    f.may_contain_many(["a"])
except ImportError as e:
    print(e)
"""
    assert "seenfilter[numpy]" in elsewhere(program)


def test_the_names_of_kinds_are_those_there_are() -> None:
    assert list(get_args(seen.KindName)) == [kind.name for kind in seen.kinds()]


def test_the_package_is_typed() -> None:
    installed = Path(seen.__file__).parent
    assert (installed / "py.typed").exists()
    stub = (installed / "_core.pyi").read_text(encoding="utf-8")
    for name in ("def may_contain_many(self, keys: Keys, out: Answers | None", "def build(keys: Keys, *", "class Filter", "def add(self, key: Key"):
        assert name in stub


def test_the_licence_goes_along() -> None:
    licences = [each for each in distribution("seenfilter").files or [] if each.name == "LICENSE"]
    assert [each.read_text() for each in licences] == [(PROJECT / "LICENSE").read_text(encoding="utf-8")]


def test_versions_agree() -> None:
    version = re.search(r'^version = "(.*)"', (PACKAGE / "pyproject.toml").read_text(), re.MULTILINE)
    library = re.search(r"project\(seen VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text())
    assert version is not None and library is not None
    assert seen.__version__ == version[1] == library[1]
