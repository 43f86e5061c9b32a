"""Have I seen this before? Bloom filters and their successors, shared with C++, C, Go and Rust.

>>> import seenfilter as seen
>>> visited = seen.Filter(capacity=1_000_000, fpr=0.01)
>>> visited.add("https://example.org/")
>>> "https://example.org/" in visited
True
"""

from __future__ import annotations

from . import errors
from ._core import Filter, build, digest, formats, from_bytes, inspect, kinds, load, map, plan
from ._core import version as __version__
from ._types import Answers, Buffer, BuildProgress, Format, Health, Info, Key, Keys, Kind, Path, Plan, Target
from .errors import *  # noqa: F403

__all__ = [
    "Answers", "Buffer", "BuildProgress", "Filter", "Format", "Health", "Info", "Key", "Keys", "Kind", "Path", "Plan",
    "Target",
    "__version__", "build", "digest", "errors", "formats", "from_bytes", "inspect", "kinds", "load", "map", "plan", *errors.__all__,
]  # fmt: skip


def _restore(data: bytes, format: str, hash: str, key_type: str, variant: str) -> Filter:
    """What pickle calls: the inverse of Filter.__reduce__."""
    return from_bytes(data, format=format or None, hash=hash or None, key_type=key_type or None, variant=variant or None)
