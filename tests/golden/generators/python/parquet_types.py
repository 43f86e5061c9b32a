#!/usr/bin/env python3
"""Writes golden/parquet/types.parquet and groups.parquet with pyarrow (requirements-parquet.txt), and their manifests.

    parquet_types.py FOLDER          # FOLDER is tests/golden/parquet

types.parquet has a column of every physical type that pyarrow filters, and of the logical types that are stored as
another; its manifest lists the values as a user would give them. groups.parquet has three row groups of a list column,
a number and decimals stored as integers; its manifest is of the shared form. pyarrow has no call that asks a filter, so answers to absent keys
are those of `may_contain` below, written from the Parquet specification over the xxhash package.
"""
import datetime, decimal, json, pathlib, random, struct, sys

import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

FOLDER = pathlib.Path(sys.argv[1])
SALT = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31]
PLAIN = dict(compression="none", store_schema=False, write_statistics=False, use_dictionary=False)


def may_contain(blocks, value):
    h = xxhash.xxh64(value, seed=0).intdigest()
    start = ((h >> 32) * (len(blocks) // 32) >> 32) * 32
    lanes = struct.unpack("<8I", blocks[start:start + 32])
    return all(lane >> (((h & 0xffffffff) * salt & 0xffffffff) >> 27) & 1 for lane, salt in zip(lanes, SALT))


def bitsets(data):
    """The filters of a file, in its order: found by the part of the header that never changes."""
    mark, found, at = bytes.fromhex("1c1c00001c1c00001c1c000000"), [], 0
    while (at := data.find(mark, at)) >= 0:
        start = data.rindex(b"\x15", 0, at)
        number = 0
        for i, byte in enumerate(data[start + 1:at]):
            number |= (byte & 127) << (7 * i)
        at += len(mark)
        found.append(data[at:at + number // 2])
    return found


def types():
    r = random.Random(23)
    signed = lambda bits: [-(1 << bits - 1), (1 << bits - 1) - 1, -1, 0, 1] + [r.randrange(-(1 << bits - 1), 1 << bits - 1) for _ in range(25)]
    unsigned = lambda bits: [0, (1 << bits) - 1, 1 << bits - 1] + [r.randrange(1 << bits) for _ in range(27)]
    reals = [0.0, 1.5, -2.25, 1e-3, 0.1, 3.4028234e38, 5e-324, float("inf")] + [r.uniform(-1e6, 1e6) for _ in range(22)]
    days = [r.randrange(-20000, 40000) for _ in range(30)]
    stamps = [r.randrange(-10**12, 10**13) for _ in range(30)]
    texts = ["", "alice", "Ünïcødé", "日本語"] + ["text %d" % i for i in range(26)]
    blobs = [bytes(r.randrange(256) for _ in range(n)) for n in range(30)]
    fives = [bytes(r.randrange(256) for _ in range(5)) for _ in range(30)]
    columns = {}  # name: (values for pyarrow, type, kind of key, keys)
    for bits in (8, 16, 32, 64):
        for name, values in ((f"int{bits}", signed(bits)), (f"uint{bits}", unsigned(bits))):
            columns[name] = (values, getattr(pa, name)(), "integer", values)
    columns["date32"] = (days, pa.date32(), "integer", days)
    columns["date64"] = ([d * 86400000 for d in days], pa.date64(), "integer", days)
    columns["timestamp_ms"] = (stamps, pa.timestamp("ms"), "integer", stamps)
    columns["timestamp_us"] = (stamps, pa.timestamp("us"), "integer", stamps)
    columns["time_ms"] = ([abs(d) for d in days], pa.time32("ms"), "integer", [abs(d) for d in days])
    for name, digits in (("decimal_4", 4), ("decimal_18", 18), ("decimal_38", 38)):
        numbers = [0, 1, -1, 127, 128, -128, -129, 10**min(digits, 18) - 1] + [
            r.randrange(-10**min(digits, 18), 10**min(digits, 18)) for _ in range(22)]
        exact = [decimal.Decimal(n).scaleb(-2, decimal.Context(prec=60)) for n in numbers]
        columns[name] = (exact, pa.decimal128(digits, 2), "integer", numbers)
    columns["float"] = (reals, pa.float32(), "real", reals)
    columns["double"] = (reals, pa.float64(), "real", reals)
    columns["zero"] = ([-0.0] * 30, pa.float64(), "real", [-0.0])
    columns["text"] = (texts, pa.string(), "bytes", [t.encode() for t in texts])
    columns["blob"] = (blobs, pa.binary(), "bytes", blobs)
    columns["five"] = (fives, pa.binary(5), "bytes", fives)
    cast = lambda values, kind: pa.array(values, pa.int64()).cast(kind) if pa.types.is_temporal(kind) and kind != pa.date32() and not pa.types.is_time(kind) else pa.array(values, kind)
    table = pa.table({name: cast(values, kind) for name, (values, kind, _, _) in columns.items()})
    path = FOLDER / "types.parquet"
    pq.write_table(table, path, bloom_filter_options={name: {"ndv": 30, "fpp": 0.001} for name in columns}, **PLAIN)
    shown = {"integer": str, "real": lambda x: struct.pack("<d", x).hex(), "bytes": bytes.hex}
    schema = pq.ParquetFile(path).schema
    manifest = {name: {"keys": kind, "physical": schema.column(i).physical_type, "present": [shown[kind](k) for k in keys]}
                for i, (name, (_, _, kind, keys)) in enumerate(columns.items())}
    (FOLDER / "types.parquet.json").write_text(json.dumps({"peer": f"pyarrow {pa.__version__}", "columns": manifest}, indent=1, ensure_ascii=False) + "\n")


def groups():
    keys = json.loads((FOLDER.parent / "keys.json").read_text())
    added = [bytes.fromhex(k) for k in keys["added_hex"]][:137]
    rows = [added[i:i + 3] for i in range(0, len(added), 3)]  # 46 lists
    numbers = list(range(1000, 1000 + len(rows)))
    cents = [decimal.Decimal(n).scaleb(-2) for n in numbers]
    table = pa.table({"tags": pa.array(rows, pa.list_(pa.binary())), "n": pa.array(numbers, pa.int16()),
                      "price": pa.array(cents, pa.decimal128(9, 2)), "total": pa.array(cents, pa.decimal128(18, 2))})
    path = FOLDER / "groups.parquet"
    few = {"ndv": 16, "fpp": 0.05}
    pq.write_table(table, path, row_group_size=16, store_decimal_as_integer=True, bloom_filter_options={
        "tags.list.element": {"ndv": 48, "fpp": 0.05}, "n": few, "price": few, "total": few}, **PLAIN)
    of_tags = bitsets(path.read_bytes())[0::4]
    ask = lambda key: any(may_contain(b, key) for b in of_tags)
    assert all(ask(k) for k in added)
    manifest = {"peer": f"pyarrow {pa.__version__}", "keyset": "bytes", "added_count": len(added),
                "absent_answers": [ask(bytes.fromhex(k)) for k in keys["absent_hex"]],
                "probe_positives": [i for i in range(1000) if ask(b"probe-%d" % i)],
                "answers_note": "of a reader in Python, written from the specification: pyarrow asks no filters"}
    (FOLDER / "groups.parquet.json").write_text(json.dumps(manifest, indent=1) + "\n")


types()
groups()
