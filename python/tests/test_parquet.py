"""Filters for Parquet tables: they are those that pyarrow writes, DuckDB skips row groups by them, and a broken table is refused."""

from __future__ import annotations

import decimal
import json
import os
import random
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import seenfilter as seen
from seenfilter import _thrift as thrift
from seenfilter import parquet

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden" / "parquet"
ROWS = 5000
GROUP = 1250  # rows of a row group

# Every physical type that has filters, and every logical type that is stored as another: what the file holds, as pyarrow takes it.
_RANDOM = random.Random(20260919)
_DAYS = [_RANDOM.randrange(-20_000, 40_000) for _ in range(ROWS)]
_SCALE = decimal.Context(prec=60)


def _integers(bits: int, signed: bool = True) -> list[int]:
    low = -(1 << (bits - 1)) if signed else 0
    high = low + (1 << bits)
    return [low, high - 1, *(_RANDOM.randrange(low, high) for _ in range(ROWS - 2))]


def _decimals(digits: int) -> list[decimal.Decimal]:
    return [decimal.Decimal(_RANDOM.randrange(-(10**digits) + 1, 10**digits)).scaleb(-2, _SCALE) for _ in range(ROWS)]


def _table() -> pa.Table:
    reals = [0.0, -0.0, float("inf"), 5e-324, *(_RANDOM.uniform(-1e6, 1e6) for _ in range(ROWS - 4))]
    columns = {f"int{bits}": pa.array(_integers(bits), getattr(pa, f"int{bits}")()) for bits in (8, 16, 32, 64)}
    columns |= {f"uint{bits}": pa.array(_integers(bits, False), getattr(pa, f"uint{bits}")()) for bits in (8, 16, 32, 64)}
    columns |= {
        "date32": pa.array(_DAYS, pa.date32()),
        "date64": pa.array([day * 86_400_000 for day in _DAYS], pa.int64()).cast(pa.date64()),
        "seconds": pa.array(_DAYS, pa.int64()).cast(pa.timestamp("s")),  # stored as milliseconds
        "micros": pa.array(_integers(48), pa.int64()).cast(pa.timestamp("us", "UTC")),
        "nanos": pa.array([1000 * number for number in _integers(50)], pa.int64()).cast(pa.timestamp("ns")),
        "time": pa.array([abs(day) for day in _DAYS], pa.time32("ms")),
        "duration": pa.array(_integers(40), pa.int64()).cast(pa.duration("ms")),
        "decimal9": pa.array(_decimals(9), pa.decimal128(9, 2)),
        "decimal18": pa.array(_decimals(18), pa.decimal128(18, 2)),
        "decimal38": pa.array(_decimals(38), pa.decimal128(38, 2)),
        "float": pa.array(reals, pa.float32()),
        "double": pa.array(reals, pa.float64()),
        "text": pa.array([f"text-{_RANDOM.randrange(10**6)}-ö" for _ in range(ROWS)]),
        "words": pa.array([f"word-{n % 300}" for n in range(ROWS)]).dictionary_encode(),
        "blob": pa.array([_RANDOM.randbytes(n % 40) for n in range(ROWS)], pa.large_binary()),
        "five": pa.array([_RANDOM.randbytes(5) for _ in range(ROWS)], pa.binary(5)),
        "nulls": pa.array([None if n % 3 == 0 or n < GROUP else n for n in range(ROWS)], pa.int32()),
    }
    return pa.table(columns)


TABLE = _table()
WRITINGS: dict[str, dict[str, Any]] = {
    "plain": {"compression": "none", "use_dictionary": False},
    "usual": {},
    "other": {"compression": "zstd", "data_page_version": "2.0", "store_decimal_as_integer": True, "write_page_index": True},
    "gzip": {"compression": "gzip", "use_dictionary": False, "column_encoding": {"int64": "DELTA_BINARY_PACKED", "text": "DELTA_BYTE_ARRAY"}},
}


def filter_bytes(path: Path, group: int, column: int) -> bytes:
    chunk = pq.read_metadata(path).row_group(group).column(column)
    return path.read_bytes()[chunk.bloom_filter_offset :][: chunk.bloom_filter_length]


def physical_bytes(path: Path, name: str) -> list[bytes]:
    """The plain encoding of every value, by a second way: Arrow's own memory, and what Parquet's documents say of each type."""
    kind = pq.ParquetFile(path).schema.column(TABLE.schema.get_field_index(name)).physical_type
    values = TABLE[name].combine_chunks().drop_null()
    if name == "words":
        values = values.dictionary_decode()
    if name == "date64":
        values = values.cast(pa.date32())
    if name == "seconds":
        values = values.cast(pa.timestamp("ms"))
    if name.startswith("decimal"):
        unscaled = [int(value.scaleb(2, _SCALE)) for value in values.to_pylist()]
        if kind in ("INT32", "INT64"):
            return [number.to_bytes(4 if kind == "INT32" else 8, "little", signed=True) for number in unscaled]
        length = pq.ParquetFile(path).schema.column(TABLE.schema.get_field_index(name)).length
        return [number.to_bytes(length, "big", signed=True) for number in unscaled]
    if name in ("text", "words"):
        return [value.encode() for value in values.to_pylist()]
    if name in ("blob", "five"):
        return list(values.to_pylist())
    if name in ("float", "double"):
        return [struct.pack("<f" if name == "float" else "<d", value) for value in values.to_pylist()]
    width = 4 if kind == "INT32" else 8
    if not pa.types.is_integer(values.type):
        values = values.view(pa.int32() if values.type.bit_width == 32 else pa.int64())
    return [(number % (1 << (8 * width))).to_bytes(width, "little") for number in values.to_pylist()]


@pytest.mark.parametrize("how", WRITINGS)
def test_every_value_of_every_type_is_found_and_the_bits_are_those_that_pyarrow_sets(tmp_path: Path, how: str) -> None:
    """Four times 122,000 values are asked, none of which may be missing; the rate is that of strangers in one column."""
    given, out, by_pyarrow = tmp_path / "given.parquet", tmp_path / "out.parquet", tmp_path / "pyarrow.parquet"
    pq.write_table(TABLE, given, row_group_size=GROUP, **WRITINGS[how])
    added = parquet.add_filters(given, TABLE.column_names, out, fpr=0.01)
    assert len(added) == len(TABLE.column_names) * (ROWS // GROUP)
    assert pq.read_table(out).equals(pq.read_table(given))
    asked = 0
    for name in TABLE.column_names:
        present = physical_bytes(out, name)
        answers = seen.load(out, part=name, key_type="bytes").may_contain_many(present)
        assert bool(answers.all()), name
        asked += len(present)
    assert asked > 110_000
    strangers = seen.load(out, part="text").may_contain_many([f"stranger-{n}" for n in range(2000)])
    assert strangers.sum() < 2000 * 4 * 0.01 * 2  # four filters of at most 1 %; twice that is ten sigma away
    # pyarrow is told what we counted, and writes the same filter. It counts NaN and the zeros as we do: by their bits.
    for group in range(ROWS // GROUP):
        for column, name in enumerate(TABLE.column_names):
            values = next(each.values for each in added if (each.column, each.row_group) == (name, group))
            if values == 0:
                assert (name, group) == ("nulls", 0) and len(filter_bytes(out, group, column)) == 15 + 32
                continue
            some = TABLE.select([name]).slice(group * GROUP, GROUP)
            options = {key: value for key, value in WRITINGS[how].items() if key != "column_encoding"}
            pq.write_table(some, by_pyarrow, bloom_filter_options={name: {"ndv": values, "fpp": 0.01}}, **options)
            assert filter_bytes(out, group, column) == filter_bytes(by_pyarrow, 0, 0), (name, group)


def test_filters_that_are_there_become_the_same_filters(tmp_path: Path) -> None:
    """types.parquet is pyarrow's, with filters for 30 values at 0.001. Of the two zeros it has the one that is there, and we have both."""
    columns = json.loads((GOLDEN / "types.parquet.json").read_text())["columns"]
    parquet.add_filters(GOLDEN / "types.parquet", columns, tmp_path / "out", fpr=0.001)
    for column, name in enumerate(columns):
        ours, theirs = filter_bytes(tmp_path / "out", 0, column), filter_bytes(GOLDEN / "types.parquet", 0, column)
        if name not in ("float", "double", "zero"):
            assert ours == theirs, name
            continue
        assert len(ours) == len(theirs) and all(mine & other == other for mine, other in zip(ours, theirs)), name
        zero = seen.load(tmp_path / "out", part=name, key_type="bytes")
        for text in ("00000000", "00000080") if name == "float" else ("0000000000000000", "0000000000000080"):
            assert bytes.fromhex(text) in zero, name


def test_nothing_else_of_the_table_changes(tmp_path: Path) -> None:
    given, out = tmp_path / "given.parquet", tmp_path / "out.parquet"
    table = TABLE.replace_schema_metadata({"who": "we"})
    pq.write_table(table, given, row_group_size=GROUP, write_page_index=True, sorting_columns=[pq.SortingColumn(0)])
    parquet.add_filters(given, ["int64", "text"], out)
    before, after = given.read_bytes(), out.read_bytes()
    start = len(before) - 8 - int.from_bytes(before[-8:-4], "little")
    assert after[:start] == before[:start]

    def told(path: Path) -> dict[str, Any]:
        said = pq.read_metadata(path).to_dict()
        said.pop("serialized_size")
        for group in said["row_groups"]:
            for column in group["columns"]:
                for name in ("bloom_filter_offset", "bloom_filter_length"):
                    column.pop(name, None)
        return dict(said)

    assert told(out) == told(given)
    assert pq.read_metadata(out).metadata == pq.read_metadata(given).metadata
    assert pq.read_schema(out).equals(pq.read_schema(given), check_metadata=True)
    added = {(place.row_group, place.column) for place in parquet.add_filters(out, "five", out)}
    assert added == {(group, "five") for group in range(ROWS // GROUP)}  # the others are still there
    assert bool(seen.load(out, part="text").may_contain_many(TABLE["text"]).all())
    assert bool(seen.load(out, part="five").may_contain_many(TABLE["five"]).all())


def test_duckdb_skips_row_groups_by_the_filters_and_loses_no_row(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    pq.write_table(TABLE, out, row_group_size=GROUP)
    parquet.add_filters(out, [name for name in TABLE.column_names if name not in ("nulls", "words")], out, fpr=1e-6)
    db = duckdb.connect()

    def scanned(name: str, value: str) -> str:
        plan = db.execute(f"explain analyze select count(*) from '{out}' where {name} = {value}").fetchall()[0][1]
        return str(plan).split("Row Groups Scanned: ")[1].split("│")[0].strip()

    # Statistics do not spare a group of random values; the filter does.
    for name in ("int64", "text", "double"):
        for row in (0, GROUP + 7, ROWS - 1):
            value = TABLE[name][row].as_py()
            assert scanned(name, f"'{value}'" if name == "text" else repr(value)) == "1 / 4", name
    assert scanned("int64", "1234567890123") == "0 / 4"
    assert scanned("nulls", "2500") != "0 / 4"
    probed = db.execute(f"select bloom_filter_excludes from parquet_bloom_probe('{out}', 'text', 'stranger')").fetchall()
    assert probed == [(True,)] * 4
    # Values of every type that DuckDB has, asked one by one: each of which is there.
    db.execute(f"create view t as select * from '{out}'")
    for name in TABLE.column_names:
        values = [value for value in TABLE[name].to_pylist()[:: ROWS // 15] if value is not None]
        for value in values if name != "duration" else ():  # which is a plain number to DuckDB
            (rows,) = db.execute(f"select count(*) from t where {name} = ?", [value]).fetchone() or (0,)
            assert rows > 0, (name, value)


def test_columns_inside_lists_structures_and_maps_are_named_by_their_paths(tmp_path: Path) -> None:
    given, out = tmp_path / "given.parquet", tmp_path / "out.parquet"
    rows: list[Any] = [
        {"tags": [b"a", None, b"b"], "where": {"x": 1, "deep": {"y": [7, 8]}}, "by": [("k", 1.5)]},
        {"tags": None, "where": None, "by": None},
        {"tags": [], "where": {"x": None, "deep": None}, "by": []},
        {"tags": [b""], "where": {"x": -2, "deep": {"y": [None, 9]}}, "by": [("l", -0.0), ("m", None)]},
    ]  # fmt: skip
    deep = pa.struct([("x", pa.int16()), ("deep", pa.struct([("y", pa.list_(pa.int64()))]))])
    schema = pa.schema([("tags", pa.list_(pa.binary())), ("where", deep), ("by", pa.map_(pa.string(), pa.float64()))])
    pq.write_table(pa.Table.from_pylist(rows, schema), given, row_group_size=2)
    paths = ["tags.list.element", "where.x", "where.deep.y.list.element", "by.key_value.key", "by.key_value.value"]
    added = parquet.add_filters(given, paths, out)
    assert [each.values for each in added] == [2, 1, 2, 1, 1, 1, 1, 1, 2, 1]
    assert pq.read_table(out).equals(pq.read_table(given))
    keys: list[list[Any]] = [[b"a", b"b", b""], [1, -2], [7, 8, 9], [b"k", b"l", b"m"], [struct.pack("<d", real) for real in (1.5, -0.0)]]
    for path, present in zip(paths, keys):
        assert all(key in seen.load(out, part=path) for key in present), path
    assert [each.column for each in parquet.add_filters(given, ["x", "key"], out)] == ["where.x", "by.key_value.key"] * 2
    with pytest.raises(seen.InvalidArgument, match="no column, or more than one, is called element"):
        parquet.add_filters(given, "element", out)


def test_what_has_no_filters_is_refused(tmp_path: Path) -> None:
    given, out = tmp_path / "given.parquet", tmp_path / "out.parquet"
    half = pa.array([1.5, 2.5], pa.float32()).cast(pa.float16())
    table = pa.table({"flag": [True, False], "n": [1, 2], "when": pa.array([1, 2], pa.timestamp("ns")), "half": half})
    pq.write_table(table, given, use_deprecated_int96_timestamps=True)
    for columns, wrong, words in (
        ("flag", seen.Unsupported, "BOOLEAN"), ("when", seen.Unsupported, "INT96"), ("half", seen.Unsupported, "FLOAT16"), ("m", seen.InvalidArgument, "is called m"),
        ([], seen.InvalidArgument, "no column is named"), (["n", ""], seen.InvalidArgument, "is called"),
    ):  # fmt: skip
        with pytest.raises(wrong, match=words):
            parquet.add_filters(given, columns, out)
    for fpr in (0.0, 1.0, -1.0, 1e-300):
        with pytest.raises(seen.Error):
            parquet.add_filters(given, "n", out, fpr=fpr)
    with pytest.raises(FileNotFoundError) as missing:
        parquet.add_filters(tmp_path / "none", "n", out)
    assert isinstance(missing.value, seen.FileError) and missing.value.filename == str(tmp_path / "none")
    with pytest.raises(seen.FileError):
        parquet.add_filters(given, "n", tmp_path / "no" / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["given.parquet"]


def test_the_output_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    given, out = tmp_path / "given.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({"n": list(range(4000))}), given, row_group_size=1000, compression="snappy", use_dictionary=False)
    parquet.add_filters(given, "n", out)
    good = out.read_bytes()
    with pytest.raises(seen.FileExists):
        parquet.add_filters(given, "n", out, overwrite=False)
    parquet.add_filters(given, "n", tmp_path / "second", overwrite=False)
    assert (tmp_path / "second").read_bytes() == good
    (tmp_path / "second").unlink()
    # Damage in the third row group is met when half of the filters are written.
    chunk = pq.read_metadata(given).row_group(2).column(0)
    damaged = bytearray(given.read_bytes())
    damaged[chunk.data_page_offset : chunk.data_page_offset + 60] = b"\xff" * 60
    given.write_bytes(damaged)
    with pytest.raises(seen.CorruptFile):
        parquet.add_filters(given, "n", out)
    assert out.read_bytes() == good and sorted(path.name for path in tmp_path.iterdir()) == ["given.parquet", "out.parquet"]
    out.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(out)
    (tmp_path / "old").hardlink_to(out)
    parquet.add_filters(out, "n", link, fpr=0.1)
    assert (tmp_path / "old").read_bytes() == good  # another file has taken the name
    assert link.is_symlink() and out.stat().st_mode & 0o777 == 0o600 and out.read_bytes() != good


@pytest.mark.parametrize("overwrite", [True, False])
def test_an_output_that_is_not_a_file_stays_what_it_is(tmp_path: Path, overwrite: bool) -> None:
    given, pipe, folder, link = (tmp_path / name for name in ("given.parquet", "pipe", "folder", "link"))
    pq.write_table(pa.table({"n": [1, 2, 3]}), given)
    os.mkfifo(pipe)
    folder.mkdir()
    link.symlink_to(pipe)
    for out in pipe, folder, link:
        with pytest.raises(seen.FileError) as caught:
            parquet.add_filters(given, "n", out, overwrite=overwrite)
        assert not isinstance(caught.value, seen.FileExists) and str(tmp_path) in str(caught.value)
    assert pipe.is_fifo() and folder.is_dir() and link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "given.parquet", "link", "pipe"]


def test_broken_tables_are_refused(tmp_path: Path) -> None:
    """Bytes changed and bytes missing, mostly in the footer: an error of ours, or a table that pyarrow reads."""
    rng = random.Random(7)
    given, out = tmp_path / "given.parquet", tmp_path / "out.parquet"
    pq.write_table(TABLE.select(["int32", "text"]).slice(0, 40), given, row_group_size=20)
    good = given.read_bytes()
    start = len(good) - 8 - int.from_bytes(good[-8:-4], "little")
    refused = 0
    for number in range(300):
        bad = bytearray(good)
        if number % 4 == 0:
            del bad[rng.randrange(len(bad)) :]
        elif number % 4 == 1:  # a footer that is cut short and says so
            del bad[rng.randrange(start, len(bad) - 8) : -8]
            bad[-8:-4] = (len(bad) - 8 - start).to_bytes(4, "little")
        else:
            for _ in range(rng.choice((1, 1, 3))):
                bad[rng.randrange(start, len(bad))] = rng.choice((0, 0xFF, 0x7F, 0x80, rng.randrange(256)))
        given.write_bytes(bad)
        try:
            parquet.add_filters(given, ["int32", "text"], out)
            pq.read_metadata(out)
            out.unlink()
        except seen.Error:
            refused += 1
        assert [path.name for path in tmp_path.iterdir()] == ["given.parquet"]
    assert refused > 150


def test_structures_come_out_as_they_went_in() -> None:
    rng = random.Random(11)

    def value(kind: int, depth: int) -> bytes:
        if kind in (thrift.TRUE, thrift.FALSE):
            return b""
        if kind == thrift.BYTE:
            return rng.randbytes(1)
        if kind in (thrift.I16, thrift.I32, thrift.I64):
            return thrift.put_integer(rng.randrange(-(1 << 15), 1 << 15))
        if kind == thrift.DOUBLE:
            return rng.randbytes(8)
        if kind == thrift.BINARY:
            return bytes([5]) + rng.randbytes(5)
        if kind == thrift.STRUCT:
            return thrift.put_structure(fields(depth + 1))
        if kind == thrift.MAP:
            return b"\0" if depth > 3 else bytes([2, thrift.I32 << 4 | thrift.STRUCT]) + b"".join(
                value(inner, depth + 1) for inner in (thrift.I32, thrift.STRUCT) * 2)  # fmt: skip
        count = rng.choice((0, 3, 14, 15, 20)) if depth < 2 else 1
        inner = rng.choice((thrift.I64, thrift.BINARY, thrift.BYTE))
        head = bytes([count << 4 | inner]) if count < 15 else bytes([0xF0 | inner, count])
        return head + b"".join(value(inner, depth + 1) for _ in range(count))

    def fields(depth: int) -> list[thrift.Field]:
        numbers = sorted({rng.choice((1, 2, 3, 16, 17, 40, 300, 32000)) for _ in range(0 if depth > 4 else 5)})
        return [thrift.Field(number, kind, value(kind, depth)) for number in numbers for kind in (rng.randrange(1, 13),)]

    for _ in range(200):
        wanted = fields(0)
        data = thrift.put_structure(wanted)
        assert thrift.structure(data) == wanted
        assert thrift.structures(thrift.put_structures([wanted] * 17)) == [wanted] * 17
        for length in range(0, len(data), max(1, len(data) // 50)):
            with pytest.raises(thrift.Malformed):
                thrift.structure(data[:length])
        with pytest.raises(thrift.Malformed):
            thrift.structure(data + b"\0")
    for number in (0, 1, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63)):
        assert thrift.integer(thrift.put_integer(number)) == number
    for bad in (b"\x1c" * 1000 + b"\0" * 1001, b"\x19\xfc\xff\xff\xff\xff\x0f", b"\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", b"\x1f\0", b"\x16" + b"\x80" * 30):
        with pytest.raises(thrift.Malformed):
            thrift.structure(bad)


def test_it_is_a_command_too(tmp_path: Path) -> None:
    given, out = tmp_path / "given.parquet", tmp_path / "out.parquet"
    pq.write_table(TABLE.select(["text"]), given)

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-m", "seenfilter.parquet", *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    status, said = run(str(given), "-c", "text", "-o", str(out), "-p", "0.001")
    assert (status, said.split(": ")[1].split(" of ")[0]) == (0, "1 filters")
    assert bool(seen.load(out, part="text").may_contain_many(TABLE["text"]).all())
    status, said = run(str(given), "-c", "text", "-o", str(out))
    assert status == 1 and "is there already" in said
