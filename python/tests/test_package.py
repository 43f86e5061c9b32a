"""The package itself: its documents, its types, its version."""

from __future__ import annotations

import inspect
import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

import seenfilter as seen
from kit import PROJECT

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


def test_the_package_is_typed() -> None:
    installed = Path(seen.__file__).parent
    assert (installed / "py.typed").exists()
    stub = (installed / "_core.pyi").read_text(encoding="utf-8")
    for name in ("def may_contain_many(self, keys: Keys, out: Answers | None", "def build(keys: Keys, *", "class Filter"):
        assert name in stub


def test_the_licence_goes_along() -> None:
    licences = [each for each in distribution("seenfilter").files or [] if each.name == "LICENSE"]
    assert [each.read_text() for each in licences] == [(PROJECT / "LICENSE").read_text(encoding="utf-8")]


def test_versions_agree() -> None:
    version = re.search(r'^version = "(.*)"', (PACKAGE / "pyproject.toml").read_text(), re.MULTILINE)
    library = re.search(r"project\(seen VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text())
    assert version is not None and library is not None
    assert seen.__version__ == version[1] == library[1]
