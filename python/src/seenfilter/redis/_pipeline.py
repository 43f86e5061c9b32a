"""Commands for many keys at once: one pipeline per node, and every command carried out in the end, whatever the cluster does meanwhile.

    units ──► by node ──► one write per node ──► replies ──┬─ all there ─► done
               ▲                                           ├─ MOVED ────► the slot is noted ──────┐
               │                                           ├─ ASK ──────► ASKING before each, once │
               └──────────── what is left, after a pause ──┼─ TRYAGAIN, CLUSTERDOWN, READONLY, LOADING, no connection
                                                           └─ any other error ─► the caller's

A unit is commands that mean something together: a question, and whether the part was there to be asked. They go to one node, over one
connection, and are sent again together. That is why redis-py's own ClusterPipeline is not used: it sends each failed command again by
itself, on another node perhaps, and gives up after a number of times, not after a time, which a failover outlasts. Connections, their
pools, and the map of slots are redis-py's.

A command may be carried out twice: its reply was lost, and it was sent again. Whoever cannot bear that says `once`.
"""

from __future__ import annotations

import time
from typing import Any, Iterable, Optional, Sequence, Union

import redis
from redis.cluster import ClusterNode
from redis.exceptions import (
    AskError, AuthenticationError, ClusterDownError, ClusterError, InvalidResponse, MasterDownError, MovedError, ReadOnlyError, RedisClusterException, RedisError,
    ResponseError, SlotNotCoveredError, TryAgainError,
)  # fmt: skip

from ..errors import Unsupported
from ._errors import NotReplicated, Refused, Unreachable

Client = Union["redis.Redis", "redis.RedisCluster"]
Word = Union[str, bytes, int]

# A connection on which no reply will come any more, or a server that is not ready.
LOST = (redis.ConnectionError, redis.TimeoutError, OSError)
# The cluster is changing.
_CHANGING = (TryAgainError, ClusterDownError, MasterDownError, ReadOnlyError, SlotNotCoveredError)
_FIRST_PAUSE, _LONGEST_PAUSE = 0.005, 0.25
# What one write holds; a node's replies to it wait in its memory.
_ROUND_BYTES = 1 << 24


class Interrupted(Exception):
    """A connection was lost, and it is not known whether a command that may run only `once` was carried out."""


def packed(*words: Word) -> bytes:
    """A command in the protocol's form."""
    return b"*%d\r\n" % len(words) + b"".join(packed_word(word) for word in words)


def packed_word(word: Word) -> bytes:
    raw = word if isinstance(word, bytes) else str(word).encode()
    return b"$%d\r\n%s\r\n" % (len(raw), raw)


class Unit:
    """Commands that go together, to the node of a slot. Afterwards `replies` has a reply or an error for each, and `node` who gave it."""

    __slots__ = ("about", "asked", "commands", "node", "replies", "slot")

    def __init__(self, slot: int, commands: Sequence[bytes], about: Any = None) -> None:
        self.slot, self.commands, self.about = slot, commands, about
        self.asked: Optional[tuple[str, int]] = None  # the node that an ASK has named
        self.replies: list[Any] = []
        self.node = ""

    @property
    def error(self) -> Optional[ResponseError]:
        """The first error among the replies."""
        return next((reply for reply in self.replies if isinstance(reply, ResponseError)), None)


class _OneServer:
    """A server alone: every slot is there."""

    def __init__(self, client: redis.Redis) -> None:
        self.pool = client.connection_pool
        where = self.pool.connection_kwargs
        self.name = str(where.get("path") or f"{where.get('host', 'localhost')}:{where.get('port', 6379)}")

    def of(self, unit: Unit) -> tuple[str, Any]:
        return self.name, self.pool

    def moved(self, error: MovedError) -> None:
        raise Unsupported(f"{self.name} is a node of a cluster: a client of it alone is not enough; give a redis.RedisCluster")

    def refresh(self) -> None:
        pass

    def primaries(self) -> int:
        return 1


class _Nodes:
    """A cluster, as redis-py knows it."""

    def __init__(self, client: redis.RedisCluster) -> None:
        self.client = client
        self.moved_slots: dict[int, tuple[str, int]] = {}  # what redis-py's map does not know yet
        self.newcomers: dict[tuple[str, int], ClusterNode] = {}  # that nobody but a redirection has named

    def of(self, unit: Unit) -> tuple[str, Any]:
        manager = self.client.nodes_manager
        named, unit.asked = unit.asked or self.moved_slots.get(unit.slot), None
        if named is None:
            node = manager.get_node_from_slot(unit.slot)
        else:
            host, port = named
            node = manager.get_node(host=host, port=port) or self.newcomers.setdefault(named, ClusterNode(host, port, "primary"))  # type: ignore[no-untyped-call]
        if node.redis_connection is None:
            manager.create_redis_connections([node])  # type: ignore[no-untyped-call]
        return node.name, node.redis_connection.connection_pool

    def moved(self, error: MovedError) -> None:
        self.moved_slots[error.slot_id] = (error.host, error.port)

    def refresh(self) -> None:
        self.moved_slots.clear()
        try:
            self.client.nodes_manager.initialize()
        except (*LOST, RedisError, RedisClusterException):
            pass  # nobody is there to ask; the next time somebody may be

    def primaries(self) -> int:
        return len(self.client.get_primaries())  # type: ignore[no-untyped-call]


class Pipeline:
    """Carries out units on a client of redis-py."""

    def __init__(self, client: Client, *, patience: float, wait: int = 0, wait_ms: int = 1000) -> None:
        if isinstance(client, redis.RedisCluster):
            self.nodes: Union[_Nodes, _OneServer] = _Nodes(client)
        elif isinstance(client, redis.Redis):
            self.nodes = _OneServer(client)
        else:
            raise TypeError(f"client: a redis.RedisCluster or a redis.Redis is wanted, not {type(client).__name__}")
        self.patience, self.wait, self.wait_ms = patience, wait, wait_ms

    def run(self, units: Iterable[Unit], *, once: bool = False, wait: bool = False) -> None:
        """Carries out all units. With `wait`, as many replicas as were asked for have said that they have it, or NotReplicated is raised."""
        left, some, size = list(units), [], 0
        for unit in left:
            some.append(unit)
            size += sum(map(len, unit.commands))
            if size > _ROUND_BYTES:
                self._run(some, once, wait)
                some, size = [], 0
        self._run(some, once, wait)

    def _run(self, units: list[Unit], once: bool, wait: bool) -> None:
        end, pause, short = time.monotonic() + self.patience, 0.0, ""
        left, why = units, None
        while left:
            if pause:
                time.sleep(pause)
            turn = _Turn(self, once, wait)
            left = turn.run(left)
            short = short or turn.short
            why = turn.why or why
            if left and time.monotonic() > end:
                slots = sorted({unit.slot for unit in left})
                raise Unreachable(
                    f"gave up after {self.patience:g} s on {len(left)} of {len(units)} batches, slot {slots[0]} among them: {why or 'the slots keep moving'}"
                ) from why
            if left and turn.stale:
                self.nodes.refresh()
            pause = min(2 * pause, _LONGEST_PAUSE) if pause else _FIRST_PAUSE
        if short:
            raise NotReplicated(short)


class _Turn:
    """Every unit once: to all nodes first, so that they work side by side, then from all."""

    def __init__(self, pipeline: Pipeline, once: bool, wait: bool) -> None:
        self.nodes, self.once = pipeline.nodes, once
        self.replicas, self.wait_ms = (pipeline.wait, pipeline.wait_ms) if wait else (0, 0)
        self.why: Optional[BaseException] = None
        self.stale = False  # the map of slots may be out of date
        self.short = ""  # whom fewer replicas have followed than were asked for
        self.left: list[Unit] = []
        self.unsure = False

    def run(self, units: list[Unit]) -> list[Unit]:
        """Returns those that have to be tried again."""
        by_node: dict[str, tuple[Any, list[tuple[Unit, bool]]]] = {}
        for unit in units:
            asking = unit.asked is not None
            try:
                unit.node, pool = self.nodes.of(unit)
            except (SlotNotCoveredError, RedisClusterException, *LOST) as e:
                self._again([unit], e)
                continue
            by_node.setdefault(unit.node, (pool, []))[1].append((unit, asking))
        opened: list[tuple[str, Any, Any, list[tuple[Unit, bool]]]] = []
        node = ""
        try:
            for node, (pool, group) in by_node.items():
                if connection := self._send(pool, group):
                    opened.append((node, pool, connection, group))
            while opened:
                node, pool, connection, group = opened[0]
                self._receive(node, connection, group)
                pool.release(opened.pop(0)[2])
        except InvalidResponse as e:
            raise Unsupported(f"{node}: this is no server of Redis: {e}") from e
        except (AuthenticationError, ResponseError) as e:  # of the greeting, which redis-py reads
            raise Refused(f"{node}: {e}") from e
        finally:
            for _, pool, connection, _ in opened:  # replies may be under way that nobody will read
                connection.disconnect()
                pool.release(connection)
        if self.unsure and self.once:
            raise Interrupted from self.why
        return self.left

    def _again(self, units: Iterable[Unit], why: BaseException) -> None:
        self.left += units
        self.why, self.stale = why, True

    def _send(self, pool: Any, group: list[tuple[Unit, bool]]) -> Any:
        asking = packed("ASKING")
        words = [word for unit, asked in group for command in unit.commands for word in ((asking, command) if asked else (command,))]
        if self.replicas:
            words.append(packed("WAIT", self.replicas, self.wait_ms))
        try:
            connection = pool.get_connection()
        except AuthenticationError:
            raise
        except LOST as e:
            self._again([unit for unit, _ in group], e)
            return None
        try:
            connection.send_packed_command([b"".join(words)])
        except BaseException as e:
            connection.disconnect()
            pool.release(connection)
            if not isinstance(e, LOST):
                raise
            self.unsure = True
            self._again([unit for unit, _ in group], e)
            return None
        return connection

    def _receive(self, node: str, connection: Any, group: list[tuple[Unit, bool]]) -> None:
        def read() -> Any:
            try:
                return connection.read_response(disable_decoding=True)
            except ResponseError as e:
                return e

        done = 0
        try:
            for unit, asked in group:
                replies = []
                for _ in unit.commands:
                    if asked:
                        read()
                    replies.append(read())
                unit.replies = replies
                done += 1
            reached = read() if self.replicas else 0
        except AuthenticationError:
            raise
        except LOST as e:
            connection.disconnect()
            self.unsure = True
            done = 0 if self.replicas else done  # nobody knows who has them
            self._again([unit for unit, _ in group[done:]], e)
        else:
            if isinstance(reached, ResponseError):  # a node that is no primary any more
                self._again([unit for unit, _ in group], reached)
                return
            if reached < self.replicas:
                self.short = f"{reached} of {self.replicas} replicas of {node} have what was written, after {self.wait_ms} ms"
        for unit, _ in group[:done]:
            self._look_at(unit)

    def _look_at(self, unit: Unit) -> None:
        for error in unit.replies:
            if isinstance(error, MovedError):  # which is an AskError, too
                self.nodes.moved(error)
                self.left.append(unit)
                return
            if isinstance(error, AskError):
                unit.asked = (error.host, error.port)
                self.left.append(unit)
                return
            if isinstance(error, (*_CHANGING, ClusterError)):
                self._again([unit], error)
                return
