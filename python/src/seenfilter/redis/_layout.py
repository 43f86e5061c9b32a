"""How a filter lies in a cluster: its record, its parts, and where they are.

    NAME          a hash: format, parts, capacity, error, seed, command, options         in the slot of NAME
    NAME/{t}      part i: t is the smallest number whose slot is the middle of the i-th of N equal shares of the slots

A key belongs to part XXH3(key, seed) × N >> 64. The braces are Redis's own: what is inside them decides the slot. So parts of two
filters with equal N lie in the same slots, and are merged where they are. docs/redis.md has all of this for other clients.
"""

from __future__ import annotations

import binascii
import math
from dataclasses import dataclass, field
from typing import Mapping, Sequence

from ..errors import CorruptFile, InvalidArgument, NewerVersion, TooLarge
from ._errors import NoSuchFilter

SLOTS = 16384
FORMAT = "seen-cluster-1"
#: "seen.prt" in ASCII. Parts hash with seed 0 of another function, so that part and position are independent.
SEED = 0x7365656E2E707274
#: What BF.RESERVE takes at most.
MOST_PART_KEYS = 2**30
#: What parts have unless their number is chosen.
USUAL_PART_KEYS = 2**26
_TAGS: dict[int, Sequence[str]] = {}


def slot_of(key: str) -> int:
    """The slot of a key: CRC16 of what is in its first braces, or of all of it."""
    before, opened, after = key.partition("{")
    inside, closed, _ = after.partition("}")
    return binascii.crc_hqx((inside if opened and closed and inside else key).encode(), 0) % SLOTS


def tags(parts: int) -> Sequence[str]:
    """What is in the braces of each part's key."""
    if (known := _TAGS.get(parts)) is not None:
        return known
    wanted = {(2 * i + 1) * SLOTS // (2 * parts): i for i in range(parts)}
    found = [""] * parts
    number = 0
    while wanted:
        if (i := wanted.pop(binascii.crc_hqx(b"%d" % number, 0) % SLOTS, None)) is not None:
            found[i] = str(number)
        number += 1
    return _TAGS.setdefault(parts, tuple(found))


def part_capacity(capacity: int, parts: int) -> int:
    """Keys that a part is made for: its share, and four times the root of it, since shares are not equal."""
    share = capacity / parts
    return max(1, math.ceil(share + 4 * math.sqrt(share)))


def check_capacity(capacity: int, parts: int) -> None:
    """Refuses a capacity that so many parts cannot hold."""
    if part_capacity(capacity, parts) <= MOST_PART_KEYS:
        return
    needed = next((n for n in range(capacity // MOST_PART_KEYS, SLOTS + 1) if n > 0 and part_capacity(capacity, n) <= MOST_PART_KEYS), None)
    told = f"at least {needed} parts are needed" if needed else f"that is too much for {SLOTS} parts, too"
    raise TooLarge(f"capacity: {capacity} over {parts} parts are {part_capacity(capacity, parts)} keys a part, which takes at most {MOST_PART_KEYS}: {told}")


def check_name(name: str) -> None:
    if not isinstance(name, str):
        raise TypeError(f"name: a str is wanted, not {type(name).__name__}")
    if not name or "{" in name or "}" in name:
        raise InvalidArgument(f"name: {name!r} is {'empty' if not name else 'one with braces, which are used for the parts'}")


@dataclass(frozen=True)
class Record:
    """What the hash at NAME says."""

    name: str
    parts: int
    capacity: int
    error: str
    seed: int = SEED
    options: str = ""
    unknown: Mapping[str, str] = field(default_factory=dict)  #: fields of a later release: kept along

    @property
    def fields(self) -> dict[str, str]:
        """The hash, `format` first."""
        return {
            "format": FORMAT, "parts": str(self.parts), "capacity": str(self.capacity), "error": self.error, "seed": f"{self.seed:016x}",
            "command": "BF", "options": self.options, **self.unknown,
        }  # fmt: skip

    @property
    def keys(self) -> list[str]:
        """The keys of the parts."""
        return [f"{self.name}/{{{tag}}}" for tag in tags(self.parts)]

    @property
    def is_keyed(self) -> bool:
        """Whether every part has a secret of its own, which its server has drawn."""
        return "KEYED" in self.options.upper().split()

    def part(self, i: int) -> str:
        """A part, in the words of messages."""
        key = f"{self.name}/{{{tags(self.parts)[i]}}}"
        return f"part {i} of {self.parts} ({key}, slot {slot_of(key)})"


def read_record(name: str, fields: Mapping[str, str]) -> Record:
    """Checks what a hash or a dump says."""
    rest = dict(fields)
    told = rest.pop("format", None)
    if told is None:
        raise NoSuchFilter(f"{name}: there is no such filter" if not rest else f"{name}: this hash is not the record of a filter")
    if told != FORMAT:
        raise NewerVersion(f"{name}: its format is {told!r}, and this release knows {FORMAT!r}")
    needed = ("parts", "capacity", "error", "seed", "command", "options")
    if missing := [each for each in needed if each not in rest]:
        raise NoSuchFilter(f"{name}: it is half made, without {', '.join(missing)}; whoever made it has to make it again")
    parts, capacity = _number(name, "parts", rest.pop("parts")), _number(name, "capacity", rest.pop("capacity"))
    error, seed, command = rest.pop("error"), rest.pop("seed"), rest.pop("command")
    if not 1 <= parts <= SLOTS:
        raise CorruptFile(f"{name}: parts: {parts} is not a number from 1 to {SLOTS}")
    if command != "BF":
        raise NewerVersion(f"{name}: its command is {command!r}, and this release knows 'BF'")
    try:
        if not 0 < float(error) < 1:
            raise ValueError
    except ValueError:
        raise CorruptFile(f"{name}: error: {error!r} is not a rate between 0 and 1") from None
    if len(seed) != 16 or not all(digit in "0123456789abcdef" for digit in seed):
        raise CorruptFile(f"{name}: seed: {seed!r} is not 16 hexadecimal digits")
    return Record(name, parts, capacity, error, int(seed, 16), rest.pop("options"), rest)


def _number(name: str, what: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise CorruptFile(f"{name}: {what}: {text!r} is not a whole number")
    return int(text)
