"""The package itself: its documents, its types, its version."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import seen
from kit import PROJECT

PACKAGE = Path(__file__).resolve().parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(BLOCKS) == 3
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in BLOCKS:
        exec(compile(block, "README.md", "exec"), names)


def test_every_public_name_is_documented() -> None:
    for name in seen.__all__:
        thing = getattr(seen, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            assert thing.__doc__, name
    for name, member in vars(seen.Filter).items():
        if not name.startswith("_"):
            assert member.__doc__, name


def test_the_package_is_typed() -> None:
    installed = Path(seen.__file__).parent
    assert (installed / "py.typed").exists()
    stub = (installed / "_core.pyi").read_text(encoding="utf-8")
    for name in ("def may_contain_many(self, keys: Keys, out: Answers | None", "def build(keys: Keys, *", "class Filter"):
        assert name in stub


def test_versions_agree() -> None:
    version = re.search(r'^version = "(.*)"', (PACKAGE / "pyproject.toml").read_text(), re.MULTILINE)
    library = re.search(r"project\(seen VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text())
    assert version is not None and library is not None
    assert seen.__version__ == version[1] == library[1]
