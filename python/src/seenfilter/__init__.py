"""Have I seen this before? Bloom filters and their successors, shared with C++, C, Go and Rust.

>>> import seenfilter as seen
>>> visited = seen.Filter(capacity=1_000_000, fpr=0.01)
>>> visited.add("https://example.org/")
>>> "https://example.org/" in visited
True
"""

from __future__ import annotations

from typing import Any

from . import _core, errors
from ._core import Filter, build, digest, digest_many, formats, from_bytes, inspect, kinds, load, plan, view
from ._core import map as map  # not in __all__, but public
from ._core import version as __version__
from ._signatures import give_signatures
from ._types import (
    Answers, BinaryReader, BinaryWriter, Buffer, BuildProgress, Digests, Format, Health, Info, Key, Keys, Kind, KindName, Plan,
    Target,
)  # fmt: skip
from ._types import Path as Path
from .errors import *  # noqa: F403

# Without map and Path, which from seenfilter import * would put in place of Python's own.
__all__ = [
    "Answers", "BinaryReader", "BinaryWriter", "Buffer", "BuildProgress", "Digests", "Filter", "Format", "Health", "Info", "Key", "Keys",
    "Kind", "KindName", "Plan", "Target",
    "__version__", "build", "digest", "digest_many", "errors", "formats", "from_bytes", "inspect", "kinds", "load", "plan", "view", *errors.__all__,
]  # fmt: skip

give_signatures(globals(), Filter)


def _restore(kind: type[Filter], data: Buffer, format: str, hash: str, key_type: str, variant: str, key: Any) -> Filter:
    """What pickle calls: the inverse of Filter.__reduce_ex__."""
    return _core.restored(kind, data, format, hash, key_type, variant, key)
