"""A filter over a cluster in a folder, and back.

    cluster.json        the record, and of each part its file, the file's length and XXH3, and the first of its chunks, the head
    part-00000.seen …   the parts, in order: each a native file, which every program of the library reads
    part-00000.chunks   … of KIND redisbloom, which has no native file: its chunks, one after the other

The head is what a server wants before the file: what was asked for, and how many keys were new. Where it is not one of this module (record.hpp) but
of RedisBloom's kind, `ends` are the chunks' own iterators. `seen redis dump` and `load` have the same folders. The folder is written beside its place under
another name, and renamed when all of it is on the device.
"""

from __future__ import annotations

import contextlib
import errno
import json
import mmap
import os
import secrets
import shutil
import stat
import time
from typing import IO, Any, Iterator, NamedTuple, Optional, Sequence

from .. import _core
from ..errors import CorruptFile, Error, FileError, FileExists, InvalidArgument, NewerVersion, SecretRequired, TooLarge
from ._errors import Unreachable
from ._layout import Record, read_record, slot_of
from ._making import refuse
from ._pipeline import Interrupted, Pipeline, Unit, Word, packed

LIST = "cluster.json"
_FORMAT = "seen-cluster-dump-1"
_HEAD = b"\x8dSEENV\r\n"  # of the module's own chunks
_CHUNK = 1 << 24
_LONGEST_LIST = 1 << 26
# How often a part is read again because keys were added meanwhile.
_ATTEMPTS = 20


class DumpedPart(NamedTuple):
    """A line of cluster.json."""

    file: str
    size: int  #: in bytes
    xxh3: str
    head: bytes  #: the first chunk
    ends: Sequence[int]  #: the iterators of the others, where the head is not the module's own

    @property
    def listed(self) -> dict[str, Any]:
        ends = {"ends": self.ends} if self.ends else {}
        return {"name": self.file, "bytes": self.size, "xxh3": self.xxh3, "head": self.head.hex(), **ends}


def dump(pipeline: Pipeline, record: Record, folder: str, with_secret: bool) -> None:
    """Writes the folder."""
    if record.is_keyed and not with_secret:
        raise SecretRequired(f"{record.name}: it is keyed, and cannot be loaded again without its secrets: with_secret=True writes them, too")
    if os.path.lexists(folder):
        raise FileExists(f"{folder}: it is there already", errno.EEXIST, folder)
    parent, name = os.path.split(os.path.abspath(folder))
    made = os.path.join(parent, f".{name}.{secrets.token_hex(4)}")
    os.mkdir(made)
    try:
        parts = [_dump_part(pipeline, record, i, made, with_secret) for i in range(record.parts)]
        with open(os.path.join(made, LIST), "w", encoding="utf-8") as file:
            json.dump({"format": _FORMAT, "name": record.name, "record": record.fields, "parts": [part.listed for part in parts]}, file, indent=1)
            file.write("\n")
            _to_device(file)
        _sync_folder(made)
        os.rename(made, folder)
        _sync_folder(parent)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _dump_part(pipeline: Pipeline, record: Record, i: int, folder: str, with_secret: bool) -> DumpedPart:
    """A part as it was at some moment: read again if keys were added between its chunks."""
    key = record.keys[i]

    def ask(*words: Any) -> Any:
        unit = Unit(slot_of(key), [packed(*words)])
        pipeline.run([unit])
        if (error := unit.error) is not None:
            refuse(pipeline, record, i, unit, error)
        return unit.replies[0]

    words = ("WITHSECRET",) if with_secret else ()
    for attempt in range(_ATTEMPTS):
        before = ask("BF.CARD", key)
        iterator, head = ask("BF.SCANDUMP", key, 0, *words)
        is_native, ends = head.startswith(_HEAD), []
        file = f"part-{i:05}.{'seen' if is_native else 'chunks'}"
        path = os.path.join(folder, file)
        with open(path, "wb") as out:
            while iterator != 0:
                iterator, chunk = ask("BF.SCANDUMP", key, iterator, *words)
                out.write(chunk or b"")
                if iterator != 0 and not is_native:
                    ends.append(iterator)
            _to_device(out)
        if ask("BF.CARD", key) == before and (not is_native or _is_whole(path, last=attempt == _ATTEMPTS - 1)):
            return DumpedPart(file, os.path.getsize(path), _xxh3(path), head, ends)
    raise Error(f"{record.name}: {record.part(i)} was changed while it was read, {_ATTEMPTS} times: dump it when fewer keys are added")


def _is_whole(path: str, last: bool) -> bool:
    try:
        _core.load(path)
    except CorruptFile:
        if last:
            raise
        return False
    return True


def load(pipeline: Pipeline, folder: str, name: str) -> Record:
    """Reads a folder's list, checks its files, and loads the parts, which must not be there. The record is the caller's to write."""
    record, parts = read_list(folder, name)
    for part in parts:
        path = os.path.join(folder, part.file)
        _check_regular(path)
        size = os.path.getsize(path)
        if size != part.size:
            raise CorruptFile(f"{path}: has {size} bytes, and {LIST} says {part.size}")
        if (digest := _xxh3(path)) != part.xxh3:
            raise CorruptFile(f"{path}: its XXH3 is {digest}, and {LIST} says {part.xxh3}")
    for i, part in enumerate(parts):
        _load_part(pipeline, record, i, part, os.path.join(folder, part.file))
    return record


def read_list(folder: str, name: Optional[str] = None) -> tuple[Record, list[DumpedPart]]:
    """What cluster.json says."""
    path = os.path.join(folder, LIST)
    _check_regular(path)
    if (size := os.path.getsize(path)) > _LONGEST_LIST:
        raise TooLarge(f"{path}: is no list of parts: it has {size} bytes, and no list has more than {_LONGEST_LIST}")
    with open(path, encoding="utf-8") as file:
        try:
            told = json.load(file)
            if told["format"] != _FORMAT:
                raise NewerVersion(f"{path}: its format is {told['format']!r}, and this release knows {_FORMAT!r}")
            if name is None and "name" not in told:
                raise InvalidArgument(f"{path}: it does not say a name, and none was given")
            fields = dict(told["record"])
            for what, text in (("name", name or told["name"]), *fields.items(), *(("name", each["name"]) for each in told["parts"])):
                if not isinstance(text, str):
                    raise TypeError(f"{what}: a text is wanted, not {type(text).__name__}")
                text.encode()
            record = read_record(name or told["name"], fields)
            parts = [
                DumpedPart(str(each["name"]), int(each["bytes"]), str(each["xxh3"]), bytes.fromhex(each["head"]), list(map(int, each.get("ends", ()))))
                for each in told["parts"]
            ]
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as e:
            if isinstance(e, Error):
                raise
            raise CorruptFile(f"{path}: it is not the list of a dump: {type(e).__name__}: {e}") from None
    if len(parts) != record.parts:
        raise CorruptFile(f"{path}: it lists {len(parts)} files, and the record says {record.parts} parts")
    for part in parts:
        if part.file in ("", ".", "..") or "\0" in part.file or os.path.basename(part.file) != part.file:
            raise CorruptFile(f"{path}: {part.file!r} is not a file of this folder")
        if part.ends and (part.ends[-1] != 1 + part.size or any(b <= a for a, b in zip((1, *part.ends), part.ends))):
            raise CorruptFile(f"{path}: the ends of {part.file} do not lead to its end")
    return record, parts


def _load_part(pipeline: Pipeline, record: Record, i: int, part: DumpedPart, path: str) -> None:
    """Chunk after chunk. They cannot be sent twice, so a part whose connection is lost is begun again."""
    key = record.keys[i]
    slot = slot_of(key)
    end = time.monotonic() + pipeline.patience
    while True:
        try:
            return _send_chunks(pipeline, record, i, part, path)
        except Interrupted as e:
            if time.monotonic() > end:
                raise Unreachable(f"{record.name}: {record.part(i)}: gave up after {pipeline.patience:g} s: {e.__cause__}") from e.__cause__
            pipeline.run([Unit(slot, [packed("UNLINK", key)])])


def _send_chunks(pipeline: Pipeline, record: Record, i: int, part: DumpedPart, path: str) -> None:
    key = record.keys[i]

    def send(*words: Word) -> None:
        unit = Unit(slot_of(key), [packed(*words)])
        pipeline.run([unit], once=True, wait=True)
        if (error := unit.error) is not None:
            raise CorruptFile(f"{path}: {unit.node} does not take it for {record.part(i)}: {error}")

    send("BF.LOADCHUNK", key, 1, part.head)
    sent = 0
    ends = iter(part.ends)
    with open(path, "rb") as file:
        while chunk := file.read(next(ends) - 1 - sent if part.ends else _CHUNK):
            sent += len(chunk)
            send("BF.LOADCHUNK", key, 1 + sent, chunk)
            if part.ends and sent == part.size:
                break
    send("BF.CARD", key)  # which is refused while more chunks are awaited


def _check_regular(path: str) -> None:
    """Refuses what is no file, like a pipe, which would be waited for."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise CorruptFile(f"{path}: is no regular file")


@contextlib.contextmanager
def file_errors(path: str) -> Iterator[None]:
    """What fails about a file fails as everywhere in this package."""
    try:
        yield
    except OSError as e:
        if isinstance(e, Error) or e.errno is None:
            raise
        raise FileError(f"{e.filename or path}: {e.strerror}", e.errno, e.filename or path) from e


def _xxh3(path: str) -> str:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return f"{_core.digest(b'', hash='xxh3-64'):016x}"
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as bytes_of, memoryview(bytes_of) as view:
            return f"{_core.digest(view, hash='xxh3-64'):016x}"


def _to_device(file: IO[Any]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _sync_folder(path: str) -> None:
    folder = os.open(path, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
