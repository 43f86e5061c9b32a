"""The conformance kit (tests/kit of the project): cases that every language makes and reads, byte for byte."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Iterator, Union

import numpy as np
import numpy.typing as npt

import seenfilter as seen

PROJECT = Path(__file__).resolve().parents[2]
KIT = PROJECT / "tests" / "kit"
GOLDEN = 0x9E3779B97F4A7C15

KeySet = Union["list[str]", "list[bytes]", "npt.NDArray[np.uint64]"]


def table(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a table, by the names in its first line."""
    with path.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def byte_key(i: int) -> bytes:
    """Key number i of the set "bytes"."""
    j = np.arange(i % 301, dtype=np.uint64)
    return bytes(((np.uint64(i) * np.uint64(1024) + j + np.uint64(1)) * np.uint64(GOLDEN) >> np.uint64(56)).astype(np.uint8))


@lru_cache(maxsize=64)
def key_set(text: str) -> KeySet:
    """The keys of NAME:FROM:COUNT."""
    name, first, count = text.split(":")
    numbers = range(int(first), int(first) + int(count))
    if name == "text":
        return [f"key-{i}" for i in numbers]
    if name == "bytes":
        return [byte_key(i) for i in numbers]
    if name == "integers":
        return np.arange(numbers.start, numbers.stop, dtype=np.uint64) * np.uint64(GOLDEN)
    raise ValueError(f"no key set {name}")


def shape_of(text: str) -> dict[str, Union[int, float]]:
    """bits=9586,growth=2.5 as a mapping."""
    pairs = [each.split("=") for each in text.split(",") if each]
    return {name: int(value) if value.isdigit() else float(value) for name, value in pairs}


def knows_hash(name: str) -> bool:
    """Whether the library has a hash of this name."""
    try:
        seen.digest(b"", hash=name)
    except seen.SecretRequired:
        return True
    except seen.InvalidArgument:
        return False
    return True


@dataclass(frozen=True)
class Case:
    """A row of cases.tsv."""

    row: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.row.get(column) or ""

    @property
    def name(self) -> str:
        return self["name"]

    @property
    def secret(self) -> bytes | None:
        return bytes.fromhex(self["secret"]) if self["secret"] else None

    def is_known(self) -> bool:
        """Whether format, kind and hash are the library's."""
        is_native = self["format"] in ("", "native")
        return (
            (is_native or self["format"] in {each.name for each in seen.formats()})
            and (not self["kind"] or self["kind"] in {each.name for each in seen.kinds()} or not is_native)
            and (not self["hash"] or not is_native or knows_hash(self["hash"]))
        )

    def make(self) -> seen.Filter:
        """The filter, with its keys."""
        common: dict[str, Any] = {
            "fpr": float(self["fpr"]) if self["fpr"] else None,
            "shape": shape_of(self["fields"]),
            "hash": self["hash"] or None,
            "seed": int(self["seed"] or 0),
            "secret": self.secret,
        }
        kind: Any = self["kind"] or None
        if any(each.static and each.name == kind for each in seen.kinds()):
            return seen.build(key_set(self["keys"]), kind=kind, **common)
        made = seen.Filter(
            capacity=int(self["capacity"]) if self["capacity"] else None,
            kind=kind,
            format=self["format"] or None,
            variant=self["variant"] or None,
            **common,
        )
        made.add_many(key_set(self["keys"]))
        return made

    def save_options(self) -> dict[str, Any]:
        """How its file is written."""
        options: dict[str, Any] = {"store_secret": self["store_secret"] == "1"}
        if self["alignment"]:
            options["alignment"] = int(self["alignment"])
        if self["metadata"]:
            options["metadata"] = bytes.fromhex(self["metadata"])
        return options

    def open_options(self) -> dict[str, Any]:
        """What its file does not say of itself."""
        options: dict[str, Any] = {"secret": self.secret, "format": self["format"] or None}
        if self["format"] not in ("", "native"):
            options["hash"] = self["hash"] or None
        if self["format"] == "cassandra":
            options["variant"] = self["variant"]  # its files do not tell which they are
        return options

    def bitmap(self, of: seen.Filter) -> bytes:
        """The answers to its probes, as bits."""
        return np.packbits(of.may_contain_many(key_set(self["probes"])), bitorder="little").tobytes()


def cases(kit: Path = KIT) -> list[Case]:
    """All cases of a kit."""
    return [Case(row) for row in table(kit / "cases.tsv")]


def edited(base: bytes, edits: str) -> bytes:
    """A file with the edits of hostile.tsv."""
    changed = bytearray(base)
    for edit in edits.split(","):
        where, what = edit.split(":")
        if where == "cut":
            del changed[int(what) :]
        elif where == "append":
            changed += bytes.fromhex(what)
        else:
            piece = bytes.fromhex(what)
            changed[int(where) : int(where) + len(piece)] = piece
    return bytes(changed)
