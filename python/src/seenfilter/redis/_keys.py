"""Many keys: what the router of the core hands out, as commands, and the answers put back in their order."""

from __future__ import annotations

from typing import Any, Iterator

from .. import _core
from .._types import Keys
from ._layout import Record, slot_of
from ._pipeline import Unit, packed, packed_word

# Keys that are read between two exchanges with the nodes.
_TURN_KEYS = 1 << 16


class Adding:
    """BF.INSERT, which makes no part that is not there."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.slots = [slot_of(key) for key in record.keys]
        self.heads = [(packed_word("BF.INSERT") + packed_word(key) + packed_word("NOCREATE") + packed_word("ITEMS")) for key in record.keys]

    def turns(self, keys: Keys) -> Iterator[list[Unit]]:
        router = _core.Router(keys, self.record.parts, self.record.seed, False)
        while (turn := router.turn(_TURN_KEYS)) is not None:
            yield [Unit(self.slots[part], [b"*%d\r\n" % (4 + count) + self.heads[part] + words], part) for part, count, words, _ in turn[1]]


class Asking:
    """BF.MEXISTS, and after it what sort of key the part is: where there is none, or one of another sort, everything was answered no.

    After, because a part goes by itself, when memory is short or a replica without it takes over, and does not come back by itself."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.slots = [slot_of(key) for key in record.keys]
        self.heads = [packed_word("BF.MEXISTS") + packed_word(key) for key in record.keys]
        self.tails = [packed("TYPE", key) for key in record.keys]
        self.answers = bytearray()

    def turns(self, keys: Keys) -> Iterator[list[Unit]]:
        router = _core.Router(keys, self.record.parts, self.record.seed, True)
        while (turn := router.turn(_TURN_KEYS)) is not None:
            read, pieces = turn
            self.answers.extend(bytes(read - len(self.answers)))
            yield [
                Unit(self.slots[part], [b"*%d\r\n" % (2 + count) + self.heads[part] + words, self.tails[part]], (part, places))
                for part, count, words, places in pieces
            ]

    def take(self, unit: Unit) -> None:
        """The replies of a unit, to their places."""
        _core.place(self.answers, unit.about[1], unit.replies[0])


def as_answers(answers: bytearray, out: Any) -> Any:
    """What may_contain_many returns: a numpy array, or the caller's own."""
    if out is None:
        try:
            import numpy as np
        except ImportError:
            raise ImportError("answers to many keys are a numpy array: pip install 'seenfilter[numpy]', or give a buffer of bool as out=") from None
        return np.frombuffer(answers, np.bool_)
    view = memoryview(out)
    if view.format != "?" or view.ndim != 1 or not view.c_contiguous or view.readonly:
        raise TypeError("out: a numpy array of bool with 1 dimension is wanted")
    if len(view) != len(answers):
        raise ValueError(f"out: has {len(view)} places for {len(answers)} keys")
    view.cast("B")[:] = answers
    return out
