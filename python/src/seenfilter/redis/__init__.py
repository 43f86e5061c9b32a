"""One filter over a whole cluster of Redis or Valkey servers with the module seen.so. It needs redis-py: pip install 'seenfilter[redis]'.

>>> import redis
>>> from seenfilter.redis import ClusterFilter
>>> cluster = redis.RedisCluster(host="localhost", port=7000)           # doctest: +SKIP
>>> visited = ClusterFilter.reserve(cluster, "visited", 10**10, 0.01)   # doctest: +SKIP
>>> visited.add("https://example.org/")                                 # doctest: +SKIP

    ClusterFilter ──► _keys      which part each key belongs to, and commands of a thousand keys of one part
                  ──► _pipeline  commands to the nodes, and again where the cluster was changing
                  ──► _layout    the record, the parts and their slots
                  ──► _making    parts reserved, a filter that was left half made finished
                  ──► _dump      to a folder and back

A part is a filter of the server (BF.RESERVE), in a slot of its own. Every key asks one part, so the rate is that of one filter, and a filter
may be larger than any node's memory. Parts move with their slots, are replicated, saved and logged as any key. A single redis.Redis
is a cluster of one. There is no twin for asyncio: a call in a thread of its own is one (asyncio.to_thread), since objects of this
class may be used by several threads.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional, Sequence, Union

from .._types import Answers, Key, Keys, Path
from ..errors import Full, Incompatible, InvalidArgument
from . import _dump as dumping
from . import _making as making
from ._errors import FilterExists, LostPart, NoSuchFilter, NotReplicated, Refused, Unreachable
from ._keys import Adding, Asking, as_answers
from ._layout import SEED, Record, check_name
from ._pipeline import Client, Pipeline, Unit

__all__ = ["ClusterFilter", "ClusterInfo", "FilterExists", "LostPart", "NoSuchFilter", "NotReplicated", "PartInfo", "Refused", "Unreachable"]


@dataclass(frozen=True)
class PartInfo:
    """A part of a filter, as its node describes it."""

    key: str
    slot: int
    node: str  #: host and port
    capacity: int
    items: int  #: keys that were new when they were added
    bytes: int  #: memory of the bits


@dataclass(frozen=True)
class ClusterInfo:
    """A filter over a cluster: what was asked for, and what its parts say together."""

    name: str
    capacity: int
    fpr: float  #: the rate that was asked for, which the filter has at its capacity at most
    seed: int  #: of the hash that shares out the keys
    options: str  #: what BF.RESERVE was told beside rate and capacity
    items: int
    bytes: int
    parts: Sequence[PartInfo]


class ClusterFilter:
    """A filter in parts over a cluster. `reserve` makes one, `open` finds one that is there, `load` brings one back from a folder.

    `client` is a redis.RedisCluster, or a redis.Redis of a single server. `wait` is how many replicas must have what was added before `add` returns:
    a primary that is lost before its replica has heard of a key takes the key along. They have `wait_ms` milliseconds to say so, less than the
    client's own socket_timeout; if fewer do, NotReplicated is raised. A cluster that is changing (slots that move, a failover, a node that starts) is
    waited for, `patience` seconds, and then as long as the attempt under way takes: the client's own socket_timeout and retry decide that."""

    def __init__(self, record: Record, pipeline: Pipeline) -> None:
        self._record, self._pipeline = record, pipeline

    @classmethod
    def reserve(
        cls, client: Client, name: str, capacity: Union[int, float], fpr: float = 0.01, *, parts: Optional[int] = None, options: str = "",
        seed: int = SEED, wait: int = 0, wait_ms: int = 1000, patience: float = 30.0,
    ) -> ClusterFilter:  # fmt: skip
        """Makes an empty filter for `capacity` keys at the rate `fpr`.

        `parts` are three for each primary, and more where one would have more than 2^26 keys. `options` are those of BF.RESERVE: "NONSCALING",
        "KIND bloom", "WINDOW 3600", "KEYED". Raises FilterExists if there is one. What was left half made, by a maker that was killed, is finished."""
        pipeline = Pipeline(client, patience=patience, wait=wait, wait_ms=wait_ms)
        record = making.planned(name, capacity, fpr, parts, options, seed, pipeline.nodes.primaries())
        making.make(pipeline, record)
        return cls(record, pipeline)

    @classmethod
    def open(cls, client: Client, name: str, *, wait: int = 0, wait_ms: int = 1000, patience: float = 30.0) -> ClusterFilter:
        """Finds a filter by its name. Raises NoSuchFilter if there is none."""
        pipeline = Pipeline(client, patience=patience, wait=wait, wait_ms=wait_ms)
        check_name(name)
        return cls(making.found(pipeline, name), pipeline)

    @classmethod
    def load(
        cls, client: Client, folder: Path, name: Optional[str] = None, *, wait: int = 0, wait_ms: int = 1000, patience: float = 30.0
    ) -> ClusterFilter:
        """Makes a filter of what `dump` wrote, under its old name or another. All files are checked before anything is made."""
        pipeline = Pipeline(client, patience=patience, wait=wait, wait_ms=wait_ms)
        path = os.fsdecode(folder)
        with dumping.file_errors(path):
            record, _ = dumping.read_list(path, name)
            check_name(record.name)
            with making.new_parts(pipeline, record):
                dumping.load(pipeline, path, record.name)
                making.write_record(pipeline, record)
        return cls(record, pipeline)

    @property
    def name(self) -> str:
        """Its name: the key of its record."""
        return self._record.name

    @property
    def capacity(self) -> int:
        """How many keys it was made for."""
        return self._record.capacity

    @property
    def fpr(self) -> float:
        """The rate it was made for."""
        return float(self._record.error)

    @property
    def parts(self) -> int:
        """How many parts it has."""
        return self._record.parts

    # --- keys

    def add(self, key: Key) -> None:
        """Adds a key."""
        self.add_many((key,))

    def add_many(self, keys: Keys) -> None:
        """Adds every key of a list, a numpy array, an Arrow array or any other iterable: keys are those of seenfilter.Filter.

        If a key is refused, those before it are in. So they are, wholly or partly, if a node cannot be reached; adding them again is safe."""
        adding = Adding(self._record)
        for units in adding.turns(keys):
            self._add(units)

    def update(self, *keys: Union[Keys, ClusterFilter]) -> None:
        """add_many of each argument, under the name that sets have for it; a filter among them is merged."""
        for each in keys:
            self.merge(each) if isinstance(each, ClusterFilter) else self.add_many(each)

    def test_and_add(self, key: Key) -> bool:
        """Adds a key, and returns what may_contain would have said before. Where a connection was lost and the key was sent twice, that is True."""
        for units in Adding(self._record).turns((key,)):
            self._add(units)
            return not units[0].replies[0][0]
        raise AssertionError("one key makes one command")

    def may_contain(self, key: Optional[Key]) -> bool:
        """False: the key was certainly never added. True: it may have been. The same as `key in filter`."""
        if key is None:
            return False
        return bool(self._ask((key,))[0])

    __contains__ = may_contain

    def may_contain_many(self, keys: Keys, out: Optional[Answers] = None) -> Answers:
        """Answers many keys with a numpy array of bool. None or a null is answered False; `out` is an array of that length to write to."""
        answers: Answers = as_answers(self._ask(keys), out)
        return answers

    # --- the whole filter

    def merge(self, *others: ClusterFilter) -> None:
        """Adds all keys of other filters of the same cluster. Raises seen.Incompatible, with nothing changed, unless they were made alike."""
        self._check_others(others)
        if not others:
            return
        self._merge_parts(self._record, others)

    def union(self, name: str, *others: ClusterFilter) -> ClusterFilter:
        """Makes a new filter with the keys of this one and others, in the same cluster."""
        record = making.renamed(self._record, name)
        self._check_others(others)
        with making.new_parts(self._pipeline, record):
            self._merge_parts(record, (self, *others))
            making.write_record(self._pipeline, record)
        return ClusterFilter(record, self._pipeline)

    def dump(self, folder: Path, *, with_secret: bool = False) -> None:
        """Writes the filter to a new folder, which `load` and `seen redis load` read. Every part is whole; of keys that are added meanwhile some may be there.

        A keyed filter cannot be loaded without its secrets; `with_secret` writes them, too, and whoever reads them can forge keys."""
        path = os.fsdecode(folder)
        with dumping.file_errors(path):
            dumping.dump(self._pipeline, self._record, path, with_secret)

    def delete(self) -> None:
        """Deletes the filter: its record first, so that nobody finds a part of one."""
        making.delete(self._pipeline, self._record)

    def info(self) -> ClusterInfo:
        """Returns what there is to say about the filter and each of its parts."""
        units = self._on_parts([("BF.INFO", key) for key in self._record.keys])
        parts = []
        for key, unit in zip(self._record.keys, units):
            told = making.as_map(unit.replies[0])
            parts.append(PartInfo(key, unit.slot, unit.node, told["Capacity"], told["Number of items inserted"], told["Size"]))
        items, size = sum(part.items for part in parts), sum(part.bytes for part in parts)
        return ClusterInfo(self.name, self.capacity, self.fpr, self._record.seed, self._record.options, items, size, parts)

    def estimated_count(self) -> int:
        """Returns how many keys were new when they were added: a little fewer than there are, since some seem to be there already. After a merge it is
        an estimate."""
        return sum(unit.replies[0] for unit in self._on_parts([("BF.CARD", key) for key in self._record.keys]))

    def __len__(self) -> int:
        """estimated_count."""
        return self.estimated_count()

    def __bool__(self) -> bool:
        """True, even of an empty filter: an `if` should not count keys by accident."""
        return True

    def __repr__(self) -> str:
        return f"<seen.ClusterFilter {self.name}, capacity {self.capacity}, fpr {self._record.error}, {self.parts} parts>"

    # --- how

    def _add(self, units: list[Unit]) -> None:
        self._pipeline.run(units, wait=True)
        for unit in units:
            error = unit.error or next((each for each in unit.replies[0] if isinstance(each, Exception)), None)
            if error is not None:
                if "is full" in str(error):
                    raise Full(f"{self.name}: {self._record.part(unit.about)} on {unit.node} is full: {error}")
                self._refuse(unit.about, unit, error)

    def _ask(self, keys: Keys) -> bytearray:
        asking = Asking(self._record)
        for units in asking.turns(keys):
            self._pipeline.run(units)
            for unit in units:
                if unit.error is not None or unit.replies[1] not in making.FILTER_TYPES:
                    self._refuse(unit.about[0], unit, unit.error)
                asking.take(unit)
        return asking.answers

    def _on_parts(self, commands: Sequence[Sequence[str]], needed: Optional[Sequence[Sequence[str]]] = None) -> list[Unit]:
        needed = needed or [(key,) for key in self._record.keys]
        return making.on_parts(self._pipeline, self._record, commands, needed)

    def _merge_parts(self, into: Record, others: Sequence[ClusterFilter]) -> None:
        keys = list(zip(*(other._record.keys for other in others)))
        try:
            self._on_parts([("BF.MERGE", key, *each) for key, each in zip(into.keys, keys)], keys)
        except InvalidArgument as e:  # the secrets of keyed filters differ, which servers alone know
            raise Incompatible(f"merge: {e}") from None

    def _refuse(self, part: int, unit: Unit, error: Optional[Exception]) -> None:
        making.refuse(self._pipeline, self._record, part, unit, error)

    def _check_others(self, others: Sequence[ClusterFilter]) -> None:
        """Before a merge changes any part: all were made alike, and every part of all is there."""
        for other in others:
            if not isinstance(other, ClusterFilter):
                raise TypeError(f"merge: a ClusterFilter is wanted, not {type(other).__name__}")
            for what in ("parts", "seed", "capacity", "error", "options"):
                mine, theirs = getattr(self._record, what), getattr(other._record, what)
                if mine != theirs:
                    raise Incompatible(f"merge: {what} differ: {mine!r} in {self.name}, {theirs!r} in {other.name}")
        for each in (self, *others):
            each._on_parts([("EXISTS", key) for key in each._record.keys])
