"""Filters made, found and deleted: parts first and the record last, so that one that is half made is not found; and deleted the other way round.

    reserve    BF.RESERVE of every part ──► HSETNX NAME format ──► HSET NAME …
    delete     UNLINK NAME ──► UNLINK of every part
"""

from __future__ import annotations

import contextlib
import math
import secrets
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from redis.exceptions import OutOfMemoryError, ResponseError

from ..errors import Error, InvalidArgument, OutOfMemory, Unsupported, WrongKind
from ._errors import FilterExists, LostPart, Refused
from ._layout import FORMAT, SLOTS, USUAL_PART_KEYS, Record, check_capacity, check_name, part_capacity, read_record, slot_of
from ._pipeline import Pipeline, Unit, Word, packed


#: What TYPE says of the keys of BF: RedisBloom's name, and valkey-bloom's.
FILTER_TYPES = (b"MBbloom--", b"bloomfltr")


def planned(name: str, capacity: Union[int, float], fpr: float, parts: Optional[int], options: str, seed: int, primaries: int) -> Record:
    """The record of a filter that was asked for, or what is wrong with that."""
    check_name(name)
    if not isinstance(capacity, (int, float)) or not math.isfinite(capacity) or capacity != int(capacity):
        raise InvalidArgument(f"capacity: a whole number is wanted, not {capacity!r}")
    capacity, fpr = int(capacity), float(fpr)
    if not 1 <= capacity < 2**63:
        raise InvalidArgument(f"capacity: {capacity} is not a number from 1 to 2^63 - 1")
    if not 0 < fpr < 1:
        raise InvalidArgument(f"fpr: {fpr} is not between 0 and 1")
    if parts is None:
        parts = min(SLOTS, max(3 * primaries, -(-capacity // USUAL_PART_KEYS)))
    if not 1 <= parts <= SLOTS:
        raise InvalidArgument(f"parts: {parts} is not a number from 1 to {SLOTS}")
    if not 0 <= seed < 2**64:
        raise InvalidArgument(f"seed: {seed} does not have 64 bits")
    if "SECRET" in options.upper().split():
        raise InvalidArgument("options: SECRET is not for a filter over a cluster, whose record everybody can read: the servers draw secrets of KEYED")
    check_capacity(capacity, parts)
    return Record(name, parts, capacity, repr(fpr), seed, " ".join(options.split()))


def renamed(record: Record, name: str) -> Record:
    """The same of another name."""
    check_name(name)
    return Record(name, record.parts, record.capacity, record.error, record.seed, record.options, record.unknown)


def found(pipeline: Pipeline, name: str) -> Record:
    """The record of a filter that is there."""
    return read_record(name, _fields(pipeline, name))


def _fields(pipeline: Pipeline, name: str) -> dict[str, str]:
    unit = Unit(slot_of(name), [packed("HGETALL", name)])
    pipeline.run([unit])
    if unit.error is not None:
        raise explained(unit.error, f"{name} on {unit.node}")
    return {str(key, "utf-8", "replace"): str(value, "utf-8", "replace") for key, value in as_map(unit.replies[0], bytes).items()}


def as_map(reply: Any, names: Callable[[bytes], Any] = lambda name: name.decode()) -> dict[Any, Any]:
    """A map of RESP3, or the flat array that it is in RESP2."""
    pairs = reply.items() if isinstance(reply, dict) else zip(reply[::2], reply[1::2])
    return {names(name): value for name, value in pairs}


def make(pipeline: Pipeline, record: Record) -> None:
    """Reserves the parts and writes the record."""
    _refuse_a_whole_one(pipeline, record.name)
    capacity = part_capacity(record.capacity, record.parts)
    words: Sequence[Word] = (record.error, capacity, *record.options.split())
    units = [Unit(slot_of(key), [packed("BF.RESERVE", key, *words)], key) for key in record.keys]
    made: list[str] = []
    with _taken_back(pipeline, made):
        try:
            pipeline.run(units, wait=True)
        finally:
            made += [unit.about for unit in units if unit.replies and unit.error is None]
        there = [i for i, unit in enumerate(units) if str(unit.error) == "item exists"]
        for i, unit in enumerate(units):
            if unit.error is not None and i not in there:
                raise explained(unit.error, f"{record.name}: {record.part(i)} on {unit.node}")
        _check_alike(pipeline, record, there, words)
    write_record(pipeline, record)


def _refuse_a_whole_one(pipeline: Pipeline, name: str) -> None:
    fields = _fields(pipeline, name)
    if fields.keys() - {"format"} or fields.get("format", FORMAT) != FORMAT:
        raise FilterExists(f"{name}: it is there already, made for {fields.get('capacity', 'something else')} keys")


def _check_alike(pipeline: Pipeline, record: Record, there: Sequence[int], words: Sequence[Word]) -> None:
    """Parts that are there already belong to somebody else's filter, unless they are empty and what would have been made here."""
    for i in there:
        key = record.keys[i]
        like = f"{key}/like-{secrets.token_hex(4)}"
        asked = [(ask, of) for of in (key, like) for ask in ("BF.INFO", "BF.DEBUG")]
        commands: list[Sequence[Word]] = [("BF.RESERVE", like, *words), *asked, ("UNLINK", like)]
        unit = Unit(slot_of(key), [packed(*command) for command in commands])
        pipeline.run([unit])
        told = unit.replies[1:-1]
        if any(isinstance(each, Exception) for each in told) or told[:2] != told[2:]:
            raise FilterExists(f"{record.name}: {record.part(i)} is there already on {unit.node}, and is not an empty part of such a filter")


def write_record(pipeline: Pipeline, record: Record) -> None:
    """The last step. Of two makers that get here at once with different wishes one is told that it was too late."""
    first, *rest = record.fields.items()
    words = [word for pair in rest for word in pair]
    slot = slot_of(record.name)
    unit = Unit(slot, [packed("HSETNX", record.name, *first)])
    pipeline.run([unit], wait=True)
    if unit.error is not None:
        raise explained(unit.error, f"{record.name} on {unit.node}")
    there = _fields(pipeline, record.name)
    if len(there) > 1 and there != record.fields:
        raise FilterExists(f"{record.name}: somebody else has made it just now")
    unit = Unit(slot, [packed("HSET", record.name, *words)])
    pipeline.run([unit], wait=True)
    if unit.error is not None:
        raise explained(unit.error, f"{record.name} on {unit.node}")


@contextlib.contextmanager
def new_parts(pipeline: Pipeline, record: Record) -> Iterator[None]:
    """Makes sure that neither record nor parts are there, and takes back the parts that were made if making fails. Parts of which
    only some chunks had come, when whoever loaded them was killed, are removed."""
    _refuse_a_whole_one(pipeline, record.name)
    units = [Unit(slot_of(key), [packed("EXISTS", key), packed("BF.CARD", key)]) for key in record.keys]
    pipeline.run(units)
    for i, (key, unit) in enumerate(zip(record.keys, units)):
        if unit.replies[0] == 0:
            continue
        if "still arriving" not in str(unit.replies[1]):
            raise FilterExists(f"{record.name}: {record.part(i)} is there already on {unit.node}")
        unlink(pipeline, [key])
    with _taken_back(pipeline, record.keys):
        yield


@contextlib.contextmanager
def _taken_back(pipeline: Pipeline, keys: Sequence[str]) -> Iterator[None]:
    """Deletes the keys, as far as that can be done, if what comes next fails."""
    try:
        yield
    except BaseException:
        with contextlib.suppress(Exception):
            unlink(pipeline, keys)
        raise


def unlink(pipeline: Pipeline, keys: Sequence[str]) -> None:
    units = [Unit(slot_of(key), [packed("UNLINK", key)], key) for key in keys]
    pipeline.run(units)
    for unit in units:
        if unit.error is not None:
            raise explained(unit.error, f"{unit.about} on {unit.node}")


def delete(pipeline: Pipeline, record: Record) -> None:
    """The record first."""
    unlink(pipeline, [record.name])
    unlink(pipeline, record.keys)


def on_parts(pipeline: Pipeline, record: Record, commands: Sequence[Sequence[str]], needed: Sequence[Sequence[str]]) -> list[Unit]:
    """A command to each part, and whether the keys that it needs are there: a server counts 0 keys in a filter that is not."""
    units = [
        Unit(slot_of(key), [packed(*command), packed("EXISTS", *keys)])
        for key, command, keys in zip(record.keys, commands, needed)
    ]  # fmt: skip
    pipeline.run(units, wait=commands[0][0] == "BF.MERGE")
    for i, unit in enumerate(units):
        if unit.error is not None or unit.replies[1] != len(needed[i]):
            refuse(pipeline, record, i, unit, unit.error)
    return units


def refuse(pipeline: Pipeline, record: Record, part: int, unit: Unit, error: Optional[Exception]) -> None:
    """Raises what it means that a part did not answer."""
    where = f"{record.name}: {record.part(part)} on {unit.node}"
    if error is not None and str(error) != "not found":
        raise explained(error, where)
    if error is None and isinstance(unit.replies[1], bytes) and unit.replies[1] != b"none":
        raise WrongKind(f"{where}: is no filter any more, but a key of type {unit.replies[1].decode(errors='replace')}")
    found(pipeline, record.name)  # or there is no such filter any more
    raise LostPart(f"{record.name}: {record.part(part)} is not there on {unit.node}: what it held is lost")


def explained(error: Exception, where: str) -> Error:
    """The error of a server, as one of this package."""
    text = str(error)
    made: type[Error] = Refused
    if isinstance(error, OutOfMemoryError) or "nsufficient memory" in text:
        made = OutOfMemory
    elif text.startswith("WRONGTYPE"):
        made = WrongKind
    elif text.startswith("unknown command"):
        made, text = Unsupported, f"the server has no module seen.so: {text}"
    elif type(error) is ResponseError and not text.startswith(("MISCONF", "NOREPLICAS")):
        made = InvalidArgument
    told = made(f"{where}: {text}")
    told.__cause__ = error
    return told
