"""scikit-build-core, and one thing more: the library's sources go into the sdist.

In a clone they lie one folder up, where no packager looks. For an sdist they are copied to library/, where CMakeLists.txt
finds them when there is no clone around it, and taken away again afterwards.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from scikit_build_core.build import *  # noqa: F403
from scikit_build_core.build import build_sdist as _build_sdist

_HERE = Path(__file__).resolve().parent.parent
_LIBRARY = _HERE / "library"
_PARTS = ["CMakeLists.txt", "LICENSE", "cmake", "include", "src"]


@contextmanager
def _library_beside() -> Iterator[None]:
    root = _HERE.parent
    if not (root / "include" / "seen" / "seen.hpp").exists():  # an sdist made from an sdist
        yield
        return
    shutil.rmtree(_LIBRARY, ignore_errors=True)  # of an sdist that was killed
    try:
        _LIBRARY.mkdir()
        for part in _PARTS:
            copy = shutil.copytree if (root / part).is_dir() else shutil.copy2
            copy(root / part, _LIBRARY / part)
        yield
    finally:
        shutil.rmtree(_LIBRARY)


def build_sdist(sdist_directory: str, config_settings: dict[str, Any] | None = None) -> str:
    """An sdist that builds anywhere."""
    with _library_beside():
        return _build_sdist(sdist_directory, config_settings)
