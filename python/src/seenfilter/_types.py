"""What the functions of seen take and return."""

from __future__ import annotations

import builtins
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Literal, Optional, Union

if TYPE_CHECKING:
    from typing import Protocol

    import numpy as np
    import numpy.typing as npt

    class ArrowArray(Protocol):
        """An Arrow array of any library."""

        def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...

    class ArrowStream(Protocol):
        """An Arrow column in several pieces."""

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...

    class BinaryReader(Protocol):
        """A file that is read whole."""

        def read(self) -> builtins.bytes: ...

    class BinaryWriter(Protocol):
        """A file that is written to."""

        def write(self, data: Any, /) -> Any: ...

    class BufferOwner(Protocol):
        """Whatever gives its bytes as a buffer: an mmap, shared memory, an array."""

        def __buffer__(self, flags: int, /) -> memoryview: ...

    #: The answers that may_contain_many returns.
    Answers = npt.NDArray[np.bool_]
    #: The digests that digest_many returns.
    Digests = npt.NDArray[np.uint64]
else:  # numpy is imported where it is needed, not by everybody
    Answers = "numpy.typing.NDArray[numpy.bool_]"
    Digests = "numpy.typing.NDArray[numpy.uint64]"
    BinaryReader = BinaryWriter = Any


#: One key.
Key = Union[str, bytes, bytearray, memoryview, int, "np.integer[Any]", "np.void"]
#: Many keys.
Keys = Union[Iterable[Key], "npt.NDArray[Any]", "ArrowArray", "ArrowStream"]
#: Bytes of any owner.
Buffer = Union[bytes, bytearray, memoryview, "npt.NDArray[Any]", "BufferOwner"]
#: Where a file is.
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
#: The kinds of filters; seen.kinds() describes them.
KindName = Literal[
    "blocked-bloom", "bloom", "partitioned-bloom", "split-block", "counting-bloom", "blocked-counting-bloom", "cuckoo", "quotient",
    "scalable-bloom", "scalable-classic-bloom", "growing-cuckoo", "windowed-bloom", "binary-fuse", "ribbon", "xor",
]  # fmt: skip


@dataclass(frozen=True)
class Target:
    """The target a filter was made for; None where that is unknown."""

    capacity: Optional[int]  #: keys
    fpr: Optional[float]  #: rate of false positives with that many keys


@dataclass(frozen=True)
class Health:
    """Whether a filter is still what was asked for. A filter at its capacity never alarms by chance; one that grows or forgets is
    never past it; one of which only the shape is known can be saturated only."""

    saturated: bool  #: whether it is fuller than any plan makes it
    past_capacity: bool  #: whether estimated_count > most_keys
    above_fpr: bool  #: whether estimated_fpr > most_fpr, and not by luck
    fill: float  #: share of its bits, counters or slots in use
    estimated_count: float  #: keys it holds
    most_keys: float  #: the most that one at its capacity may seem to hold; infinite where it has none
    estimated_fpr: float  #: rate at its present fill
    most_fpr: float  #: what was asked; 1 where nothing was

    @property
    def healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not (self.saturated or self.past_capacity or self.above_fpr)


@dataclass(frozen=True)
class Info:
    """Everything there is to say about a filter."""

    kind: str
    format: str
    shape: dict[str, int | float]  #: the kind's own numbers: {"bits": 9586, "probes": 7}
    hash: str
    seed: int
    keyed: bool  #: whether it is hashed with a secret
    target: Target  #: what it was made for
    bytes: int  #: memory of the bits
    huge_page_bytes: Optional[int]  #: how much of it lies in huge pages at the moment; None where the system does not say
    estimated_count: float  #: keys it holds
    exact: bool  #: whether estimated_count is exact
    fill: Optional[float]  #: share of bits, slots or counters in use, where there are such
    estimated_fpr: float  #: rate at its present fill
    fpr_at_capacity: Optional[float]  #: by the model
    saturated: bool  #: whether it is so full that the estimates are weak
    health: Health  #: whether it is still what was asked for
    recognised: str  #: how its format is known: "named", "proven" by its content, or "guessed"; a guess is not changed
    variant: str  #: which encoding of a foreign format
    file_bytes: Optional[int]  #: of the file it came from
    verified: bool  #: whether its checksums were compared when it was opened
    mapped: bool  #: whether it is the file's own pages
    sealed: bool  #: whether its writer finished it
    alignment: int  #: of the body in the file
    secret_stored: bool  #: whether the file holds the secret: whoever reads it can forge keys
    metadata: builtins.bytes  #: bytes of the user's own


@dataclass(frozen=True)
class Plan:
    """Describes a filter of a kind before it is made."""

    kind: KindName
    shape: dict[str, int | float]  #: as in Info
    bytes: int
    bits_per_key: float
    expected_fpr: float  #: at capacity
    lines: int  #: cache lines that a lookup of a present key touches
    build_bytes: int  #: memory while it is built
    can_add: bool
    can_remove: bool
    can_merge: bool
    can_intersect: bool
    can_grow: bool
    can_shrink: bool
    can_forget: bool


@dataclass(frozen=True)
class Kind:
    """A kind of filter."""

    name: KindName
    summary: str
    shape: tuple[str, ...]  #: the names in its shape
    hash: str  #: the hash it takes unless told otherwise
    static: bool  #: made by seen.build


@dataclass(frozen=True)
class Format:
    """A file format."""

    name: str
    summary: str
    variants: tuple[str, ...]  #: the layouts of its files, the usual one first
    hashes: tuple[str, ...]  #: what `hash` may be if a file does not say it
    key_types: tuple[str, ...]  #: what `key_type` may be if a file does not say it
    can_make: bool  #: whether seen.Filter(format=…) makes one
    can_add: bool  #: whether keys can be added to what was loaded
    has_parts: bool  #: whether a file may hold several filters, of which `part` names one
    has_layouts: bool  #: whether a file may leave open how it is laid out, which `variant` of `load` says


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is."""

    stage: str  #: "sorting" or "solving"
    done: int  #: keys of this stage that are done
    total: int  #: keys there are
    resumed: int  #: how many of those a checkpoint had
