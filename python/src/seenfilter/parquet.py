"""Bloom filters for columns of Parquet tables that are written already.

>>> from seenfilter import parquet
>>> parquet.add_filters("orders.parquet", ["id"], "orders-with-filters.parquet", fpr=0.001)  # doctest: +SKIP

    table       PAR1 │ row groups …            │ footer │ length │ PAR1
    output      PAR1 │ row groups, unchanged … │ filters │ footer │ length │ PAR1
                                                   ▲        └─ column chunk: bloom_filter_offset, bloom_filter_length
                                                   └──────────────────────────┘

pyarrow reads the values, which is its trade: pages, encodings, compression. What is hashed is their physical form, so the schema
that it is given has no logical types: a date is days, a decimal its bytes. The library makes the filters, and the footer is
rewritten here (`_thrift`). Readers that know Parquet's split-block filters, DuckDB among them, then skip row groups.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from typing import TYPE_CHECKING, Any, BinaryIO, Iterable, Iterator, NamedTuple, Union

from . import _thrift as thrift
from ._core import Filter
from ._types import Path
from .errors import CorruptFile, FileError, FileExists, InvalidArgument, Unsupported

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AddedFilter", "add_filters"]

_MAGIC = b"PAR1"


class AddedFilter(NamedTuple):
    """A filter that was added: of one column in one row group."""

    column: str  #: its path in the schema, "tags.list.element"
    row_group: int
    values: int  #: different ones, nulls not among them
    offset: int  #: in the output
    length: int  #: of header and blocks, in bytes


def add_filters(
    table: Path, columns: Union[str, Iterable[str]], out: Path, *, fpr: float = 0.01, overwrite: bool = True
) -> list[AddedFilter]:
    """Writes a copy of a Parquet table with a Bloom filter for every row group of these columns.

    A column is named by its path ("tags.list.element"), or by its own name if no other column has it. Filters that it has already
    are replaced. A filter is as large as the different values of its row group need at the rate `fpr`, in a power of two of bytes, as
    other readers expect it; of a row group without values it says no to everything. `out` may be the table itself: it is replaced at
    once and whole, or not at all.
    """
    import pyarrow as pa

    path, names = os.fsdecode(table), dict.fromkeys([columns] if isinstance(columns, str) else columns)
    if not names:
        raise InvalidArgument("add_filters: no column is named")
    try:
        with open(path, "rb") as file:
            footer = _Footer.read(file)
            chosen = [footer.find(name) for name in names]
            with _replacement(os.fsdecode(out), overwrite) as to:
                return _write(file, footer, chosen, to, fpr)
    except (InvalidArgument, Unsupported) as error:
        raise type(error)(f"{path}: {error}") from None
    except pa.ArrowNotImplementedError as error:
        raise Unsupported(f"{path}: {error}") from error
    except (pa.ArrowException, thrift.Malformed) as error:
        raise CorruptFile(f"{path}: {error}") from error
    except OSError as error:
        if isinstance(error, FileError):
            raise
        if error.errno is None:  # pyarrow's word for damaged pages
            raise CorruptFile(f"{path}: {error}") from error
        raise FileError(f"{error.filename or path}: {error.strerror}", error.errno, error.filename or path) from error


def _write(file: BinaryIO, footer: _Footer, chosen: list[int], to: Any, fpr: float) -> list[AddedFilter]:
    """Copies the pages, and writes filters and footer behind them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    given = pq.read_metadata(pa.BufferReader(_as_file(footer.with_filters())))
    physical = pq.read_metadata(pa.BufferReader(_as_file(footer.without_logical_types())))
    reader = pq.ParquetFile(pa.PythonFile(file, "r"), metadata=physical).reader
    file.seek(0)
    _copy(file, to, footer.start)
    added = []
    for group in range(given.num_row_groups):
        for column in chosen:
            values = _values(reader.read_row_group(group, column_indices=[column], use_threads=True).column(0))
            data = _filter_of(values, footer.types[column], fpr).to_bytes()
            added.append(AddedFilter(footer.paths[column], group, len(values), to.tell(), len(data)))
            footer.set_filter(group, column, to.tell(), len(data))
            to.write(data)
    to.write(_as_file(footer.with_filters())[len(_MAGIC) :])
    to.flush()
    written = pq.read_metadata(to.name)  # asked once before anyone else does
    if written.num_rows != given.num_rows or not written.schema.equals(given.schema):
        raise thrift.Malformed("the footer does not survive being rewritten")
    return added


# --- the footer

# Fields by their numbers in parquet.thrift.
_SCHEMA, _ROW_GROUPS, _KEY_VALUE, _ENCRYPTION = 2, 4, 5, 8  # of FileMetaData
_TYPE, _REPETITION, _NAME, _CHILDREN = 1, 3, 4, 5  # of SchemaElement
_LOGICAL = (6, 7, 8, 10)  # of SchemaElement: converted_type, scale, precision, logicalType
_COLUMNS = 1  # of RowGroup
_ELSEWHERE, _META_DATA, _CRYPTO = 1, 3, 8  # of ColumnChunk
_OFFSET, _LENGTH = 14, 15  # of ColumnMetaData
_FLOAT16 = 15  # of LogicalType
_BOOLEAN, _INT96, _FLOAT, _DOUBLE = 0, 3, 4, 5  # physical types


def _as_file(footer: bytes) -> bytes:
    return _MAGIC + footer + len(footer).to_bytes(4, "little") + _MAGIC


class _Footer:
    """What the footer says of columns, and what it shall say."""

    def __init__(self, data: bytes, start: int) -> None:
        self.start = start  # in the file
        self.fields = thrift.structure(data)
        if thrift.find(self.fields, _ENCRYPTION, thrift.STRUCT) is not None:
            raise Unsupported("the table is encrypted")
        self.schema = self._list(self.fields, _SCHEMA)
        self.groups = [(group, self._list(group, _COLUMNS)) for group in self._list(self.fields, _ROW_GROUPS)]
        self.paths: list[str] = []
        self.types: list[int] = []
        self.half: list[bool] = []
        self._walk()
        if any(len(chunks) != len(self.paths) for _, chunks in self.groups):
            raise thrift.Malformed("a row group that has not a chunk for every column")

    @staticmethod
    def read(file: BinaryIO) -> _Footer:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 8))
        tail = file.read(8)
        length = int.from_bytes(tail[:4], "little")
        if size < 12 or tail[4:] != _MAGIC or length > size - 12:
            raise thrift.Malformed("does not end as a Parquet file")
        file.seek(size - 8 - length)
        return _Footer(file.read(length), size - 8 - length)

    @staticmethod
    def _list(fields: list[thrift.Field], number: int) -> list[list[thrift.Field]]:
        value = thrift.find(fields, number, thrift.LIST)
        if value is None:
            raise thrift.Malformed(f"field {number} is missing")
        return thrift.structures(value)

    def _walk(self) -> None:
        """Paths and types of the leaves; the schema is a tree in the order of its elements."""
        open_groups: list[list[Any]] = []  # name, how many children are still to come
        for place, element in enumerate(self.schema):
            name = thrift.binary(thrift.find(element, _NAME, thrift.BINARY) or b"\0").decode("utf-8", "replace")
            children = thrift.integer(thrift.find(element, _CHILDREN, thrift.I32) or b"\0")
            kind = thrift.find(element, _TYPE, thrift.I32)
            if place != 0:
                while open_groups and open_groups[-1][1] == 0:
                    open_groups.pop()
                if not open_groups:
                    raise thrift.Malformed("a schema that does not end where it should")
                open_groups[-1][1] -= 1
            if kind is None or children > 0:
                open_groups.append([name, children])
            else:
                self.paths.append(".".join([*(group[0] for group in open_groups[1:]), name]))
                self.types.append(thrift.integer(kind))
                logical = thrift.find(element, _LOGICAL[-1], thrift.STRUCT)
                self.half.append(logical is not None and thrift.find(thrift.structure(logical), _FLOAT16, thrift.STRUCT) is not None)

    def find(self, name: str) -> int:
        """The one column of this path, or of this name if only one has it."""
        found = [place for place, path in enumerate(self.paths) if path == name]
        if not found:
            found = [place for place, path in enumerate(self.paths) if path.rpartition(".")[2] == name]
        if len(found) != 1:
            raise InvalidArgument(f"no column, or more than one, is called {name}")
        column = found[0]
        if self.types[column] == _BOOLEAN:
            raise Unsupported(f"{name} is BOOLEAN: a filter of two values would say nothing")
        if self.types[column] == _INT96:
            raise Unsupported(f"{name} is INT96, a form of times that Parquet has given up; no reader asks its filters")
        if self.half[column]:
            raise Unsupported(f"{name} is FLOAT16: DuckDB 2.0 asks filters for four bytes where two are stored, and loses rows")
        for _, chunks in self.groups:
            if any(field.id in (_ELSEWHERE, _CRYPTO) for field in chunks[column]):
                raise Unsupported(f"{name} is in another file, or encrypted")
        return column

    def set_filter(self, group: int, column: int, offset: int, length: int) -> None:
        chunk = self.groups[group][1][column]
        data = thrift.find(chunk, _META_DATA, thrift.STRUCT)
        if data is None:
            raise thrift.Malformed("a column chunk without metadata")
        fields = thrift.replaced(
            thrift.structure(data),
            thrift.Field(_OFFSET, thrift.I64, thrift.put_integer(offset)),
            thrift.Field(_LENGTH, thrift.I32, thrift.put_integer(length)),
        )
        chunk[:] = thrift.replaced(chunk, thrift.Field(_META_DATA, thrift.STRUCT, thrift.put_structure(fields)))

    def without_logical_types(self) -> bytes:
        """The footer of the same pages, whose values are what they are on disk."""
        schema = [
            [field for field in element if field.id not in _LOGICAL] if thrift.find(element, _TYPE, thrift.I32) else element
            for element in self.schema
        ]
        fields = [field for field in self.fields if field.id != _KEY_VALUE]  # where Arrow says what else values were
        return thrift.put_structure(thrift.replaced(fields, thrift.Field(_SCHEMA, thrift.LIST, thrift.put_structures(schema))))

    def with_filters(self) -> bytes:
        """The footer with the filters that were set."""
        groups = [
            thrift.replaced(group, thrift.Field(_COLUMNS, thrift.LIST, thrift.put_structures(chunks)))
            for group, chunks in self.groups
        ]
        field = thrift.Field(_ROW_GROUPS, thrift.LIST, thrift.put_structures(groups))
        return thrift.put_structure(thrift.replaced(self.fields, field))


# --- values

def _leaves(array: pa.Array) -> pa.Array:
    """The values of the one column that was read, out of the lists and structures around it."""
    import pyarrow as pa

    while True:
        kind = array.type
        if pa.types.is_struct(kind):
            (array,) = array.flatten()
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
            array = array.flatten()
        else:
            return array


def _values(column: pa.ChunkedArray) -> pa.Array:
    """The different values of a column, as integers of their bits or as bytes; nulls are not among them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    def bits(array: pa.Array) -> pa.Array:
        if pa.types.is_float32(array.type):
            return array.view(pa.int32())  # so that zeros are two values, and NaNs as many as they are
        if pa.types.is_float64(array.type):
            return array.view(pa.int64())
        if pa.types.is_binary(array.type):
            return array.cast(pa.large_binary())
        return array

    pieces = [bits(_leaves(chunk)) for chunk in column.chunks]
    if not pieces:
        return pa.array([], pa.int64())
    return pc.unique(pa.chunked_array(pieces)).drop_null()


def _filter_of(values: pa.Array, kind: int, fpr: float) -> Filter:
    import pyarrow as pa
    import pyarrow.compute as pc

    key_type = {pa.int32(): "int32", pa.int64(): "int64"}.get(values.type, "bytes")
    made = Filter(format="parquet", key_type=key_type, capacity=max(1, len(values)), fpr=fpr)
    made.add_many(values)
    if kind in (_FLOAT, _DOUBLE):  # whoever looks for one zero means both
        zeros = pa.array([0, -(1 << (values.type.bit_width - 1))], values.type)
        if pc.any(pc.is_in(values, value_set=zeros)).as_py():
            made.add_many(zeros)
    return made


# --- files

def _copy(file: BinaryIO, to: BinaryIO, length: int) -> None:
    while length > 0:
        piece = file.read(min(length, 1 << 20))
        if not piece:
            raise thrift.Malformed("became shorter while it was read")
        to.write(piece)
        length -= len(piece)


@contextlib.contextmanager
def _replacement(path: str, overwrite: bool) -> Iterator[Any]:
    """A file that takes the place of another when all of it is written, and is gone if that fails."""
    path = os.path.realpath(path)
    if os.path.isdir(path):
        raise FileError(f"{path}: is a directory", errno.EISDIR, path)
    if os.path.exists(path) and not os.path.isfile(path):  # a file would take the name of /dev/null
        raise FileError(f"{path}: is a pipe or a device, and a table needs a file", errno.EINVAL, path)
    if not overwrite and os.path.lexists(path):
        raise FileExists(f"{path}: is there already", errno.EEXIST, path)
    # Random, because another process may be at the same; opened here and not by tempfile, so that the mask of the process applies.
    beside = f"{os.path.dirname(path)}/.{os.path.basename(path)[:200]}.{secrets.token_hex(8)}.seen-tmp"
    with open(beside, "xb+", opener=lambda name, flags: os.open(name, flags, 0o666)) as made:
        try:
            if os.path.exists(path):
                shutil.copymode(path, beside)
            yield made
            made.flush()
            os.fsync(made.fileno())
            if overwrite:
                os.replace(beside, path)
            else:
                os.link(beside, path)
            folder = os.open(os.path.dirname(path), os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(beside)


def _main() -> None:
    """python -m seenfilter.parquet TABLE --column NAME … --out FILE"""
    import argparse
    import sys

    from .errors import Error

    words = argparse.ArgumentParser(prog="python -m seenfilter.parquet", description="Adds Bloom filters to columns of a Parquet table.")
    words.add_argument("table")
    words.add_argument("-c", "--column", action="append", required=True, help="its path or name; may be given several times")
    words.add_argument("-o", "--out", required=True, help="the copy with filters; it may be the table itself")
    words.add_argument("-p", "--fpr", type=float, default=0.01, help="rate of false positives (default 0.01)")
    words.add_argument("-f", "--force", action="store_true", help="overwrite an existing file")
    given = words.parse_args()
    try:
        added = add_filters(given.table, given.column, given.out, fpr=given.fpr, overwrite=given.force)
    except Error as error:
        sys.exit(f"seenfilter.parquet: {error}")
    total = sum(each.length for each in added)
    print(f"{given.out}: {len(added)} filters of {total:,} bytes", file=sys.stderr)


if __name__ == "__main__":
    _main()
