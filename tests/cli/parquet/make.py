"""Writes the Parquet files beside it with pyarrow (tests/golden/generators/python/requirements-parquet.txt): the same columns in every
encoding, packing and version of pages that the command reads. tests/cli/parquet_test.py knows what is in them."""

import pathlib
import struct

import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = pathlib.Path(__file__).parent
ROWS = 300
NUMBERS = [(i * 2654435761) % 2**32 - 2**31 for i in range(ROWS)]
TEXTS = [None if i % 7 == 3 else f"user-{i // 3}\n" if i % 50 == 0 else f"user-{i // 3}" for i in range(ROWS)]
LISTS = [None if i % 11 == 5 else [f"t{i}.{j}" if (i + j) % 5 else None for j in range(i % 4)] for i in range(ROWS)]
TABLE = pa.table({
    "i": pa.array(NUMBERS, pa.int32()),
    "u": pa.array([n % 2**32 for n in NUMBERS], pa.uint32()),
    "l": pa.array([n * 2**20 if i % 4 else None for i, n in enumerate(NUMBERS)], pa.int64()),
    "s": pa.array(TEXTS, pa.string()),
    "f": pa.array([struct.pack(">I", n % 97) for n in range(ROWS)], pa.binary(4)),
    "d": pa.array([n / 8 for n in NUMBERS], pa.float64()),
    "b": pa.array([None if i % 9 == 0 else i % 3 == 0 for i in range(ROWS)], pa.bool_()),
    "t": pa.array(LISTS, pa.list_(pa.string())),
})
PLAIN = {"use_dictionary": False}
FILES = {
    "dictionary": {},
    "plain": PLAIN,
    "gzip": {"compression": "gzip"},
    "zstd": {"compression": "zstd", **PLAIN},
    "lz4": {"compression": "lz4"},
    "snappy2": {"compression": "snappy", "data_page_version": "2.0"},
    "none2": {"compression": "none", "data_page_version": "2.0", **PLAIN},
    "brotli": {"compression": "brotli"},
    "delta": {**PLAIN, "column_encoding": {"i": "DELTA_BINARY_PACKED", "u": "DELTA_BINARY_PACKED", "l": "DELTA_BINARY_PACKED",
                                           "s": "DELTA_BYTE_ARRAY", "t.list.element": "DELTA_LENGTH_BYTE_ARRAY",
                                           "f": "DELTA_BYTE_ARRAY", "d": "BYTE_STREAM_SPLIT", "b": "RLE"}},
}
for name, options in FILES.items():
    pq.write_table(TABLE, FOLDER / f"{name}.parquet", **{"compression": "snappy", "row_group_size": 130, "data_page_size": 512,
                                                         "write_statistics": False, **options})
