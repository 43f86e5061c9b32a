"""Columns of Parquet files as lists of keys: files of pyarrow, DuckDB and hyparquet, in every encoding and packing that is read."""

import datetime
import json
import pathlib
import struct

from support import KINDS, CommandTest, lines, main

HERE = pathlib.Path(__file__).resolve().parent / "parquet"
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"
KEYS = json.loads((GOLDEN / "keys.json").read_text())

# What parquet/make.py wrote.
ROWS = 300
NUMBERS = [(i * 2654435761) % 2**32 - 2**31 for i in range(ROWS)]
WRITTEN = {
    "i": NUMBERS,
    "u": [n % 2**32 for n in NUMBERS],
    "l": [n * 2**20 for i, n in enumerate(NUMBERS) if i % 4],
    "s": [f"user-{i // 3}\n" if i % 50 == 0 else f"user-{i // 3}" for i in range(ROWS) if i % 7 != 3],
    "f": [struct.pack(">I", n % 97) for n in range(ROWS)],
    "d": [n / 8 for n in NUMBERS],
    "b": ["true" if i % 3 == 0 else "false" for i in range(ROWS) if i % 9],
    "t.list.element": [f"t{i}.{j}" for i in range(ROWS) if i % 11 != 5 for j in range(i % 4) if (i + j) % 5],
}


class Parquet(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("none", options=("-n", "100000", "-p", "1e-9"))

    def values(self, path, column, *options):
        """The values of a column, by a filter that says no to all of them. They may hold newlines, so they end with zero bytes."""
        done = self.seen("query", "--json", "none", "--parquet", column, *options, path, status=1)
        objects = [json.loads(line) for line in done.out.splitlines()]
        self.assertEqual([each["line_number"] for each in objects], list(range(1, len(objects) + 1)))
        return [bytes.fromhex(each["key_hex"]) if "key_hex" in each else each["key"].encode() for each in objects]

    def golden(self, name):
        return str(GOLDEN / "parquet" / name)

    def test_every_encoding_and_packing(self):
        for path in sorted(HERE.glob("*.parquet")):
            if path.stem == "brotli":
                continue
            for column, written in WRITTEN.items():
                with self.subTest((path.stem, column)):
                    expected = [v if isinstance(v, bytes) else str(v).encode() for v in written]
                    got = self.values(path, column)
                    if column == "d":
                        self.assertEqual([float(v) for v in got], written)
                    else:
                        self.assertEqual(got, expected)

    def test_files_of_other_writers(self):
        added = [bytes.fromhex(k) for k in KEYS["added_hex"]][:137]
        for name in ("duckdb_fpr0.01.parquet", "duckdb_fpr0.2.parquet"):
            self.assertEqual(set(self.values(self.golden(name), "b")), set(added))
            self.assertEqual(set(map(int, self.values(self.golden(name), "i"))), set(map(int, KEYS["u64_added"])))
        self.assertEqual(self.values(self.golden("hyparquet_fpp0.01.parquet"), "b"), added)
        self.assertEqual(self.values(self.golden("groups.parquet"), "tags.list.element"), added)
        self.assertEqual(self.values(self.golden("groups.parquet"), "n"), [b"%d" % n for n in range(1000, 1046)])

    def test_every_type_is_what_the_filter_of_its_column_holds(self):
        """The file has filters of its own columns: the values that are read are asked of them."""
        path = self.golden("types.parquet")
        for column, of in json.loads(pathlib.Path(path + ".json").read_text())["columns"].items():
            with self.subTest(column):
                if column == "decimal_38":
                    self.refuses("the values of decimal_38 are decimals of more than 18 digits", "build", "-o", "g", "--parquet",
                                 column, path)
                    continue
                self.seen("verify", "--column", column, path, "--parquet", column, path, "--probes-count", "0",
                          out=None, err="")
                if of["keys"] == "integer":
                    self.assertEqual(self.values(path, column), [n.encode() for n in of["present"]])

    def test_dates_times_and_decimals_are_asked_as_people_write_them(self):
        path = self.golden("types.parquet")
        present = {name: [int(n) for n in of["present"]] for name, of in
                   json.loads(pathlib.Path(path + ".json").read_text())["columns"].items() if of["keys"] == "integer"}
        epoch = datetime.datetime(1970, 1, 1)
        decimal = lambda n: f"{'-' * (n < 0)}{abs(n) // 100}.{abs(n) % 100:02}"
        ways = {
            "date32": lambda n: str((epoch + datetime.timedelta(days=n)).date()),
            "timestamp_ms": lambda n: str(epoch + datetime.timedelta(milliseconds=n)),
            "timestamp_us": lambda n: (epoch + datetime.timedelta(microseconds=n)).isoformat(),
            "time_ms": lambda n: f"{n // 3600000:02}:{n // 60000 % 60:02}:{n // 1000 % 60:02}.{n % 1000:03}",
            "decimal_4": decimal, "decimal_18": decimal,
        }
        for column, way in ways.items():
            with self.subTest(column):
                written = lines(*map(way, present[column]))
                self.seen("query", "--column", column, path, stdin=written, out=written, err="")
                self.seen("verify", "--column", column, path, "-", "--probes-count", "0", stdin=written, err="")
                numbers = lines(*present[column])  # as they are stored
                self.seen("query", "--column", column, path, stdin=numbers, out=numbers, err="")
        for column, wrong, why in (("date32", "2020-02-30", ", nor a date like 2020-01-31"), ("date32", "2020-01-31x", ", nor a date"),
                                   ("timestamp_ms", "2020-01-01", ", nor a time like 2020-01-31 12:30:00"),
                                   ("timestamp_ms", "2020-01-01 24:00:00", ", nor a time"),
                                   ("timestamp_ms", "2020-01-01 12:00:00.0001", ", nor a time"), ("time_ms", "12:60:00", ", nor a time"),
                                   ("decimal_4", "1.234", ", nor a decimal number"), ("decimal_4", "1.", ", nor a decimal number"),
                                   ("decimal_18", "99999999999999999999.00", ", nor a decimal number")):
            self.refuses(f'"{wrong}" is not a whole number .*{why}', "query", "--column", column, path, stdin=lines(wrong))
        flags = self.golden("boolean.parquet")
        self.seen("verify", "--column", "flag", flags, "--parquet", "flag", flags, "--probes-count", "0", err="")

    def test_a_filter_of_a_column_is_that_of_its_text(self):
        path = HERE / "zstd.parquet"
        self.write("text", lines(*WRITTEN["i"]))
        self.seen("build", "-q", "-o", "f", "text")
        self.seen("build", "-q", "-o", "g", "--parquet", "i", path)
        self.assertEqual(self.read("f"), self.read("g"))
        self.seen("query", "-v", "f", "--parquet", "i", path, out=b"", err="", status=1)
        self.seen("query", "f", "--parquet", "i", path, out=lines(*WRITTEN["i"]), err="")
        self.seen("uniq", "-q", "--parquet", "b", path, out=lines("false", "true"), err="")
        self.seen("query", "-c", "f", "--parquet", "i", "-e", "no", path, out=lines("command line:0", f"{path}:{ROWS}"), err="")
        self.write("copy", path.read_bytes())  # a regular file may be standard input
        self.seen("query", "-c", "f", "--parquet", "i", stdin="copy", out=b"%d\n" % ROWS, err="")

    def test_what_it_is_not_for(self):
        path = HERE / "plain.parquet"
        self.write("text", lines("a"))
        self.write("ends", b"PAR1" + b"x" * 100)
        self.write("short", b"PAR1")
        self.refuses("--parquet COLUMN reads a column of it", "build", "-o", "g", path)
        self.refuses("no column is called x; there are i, u, l, s, f, d, b, t.list.element",
                     "build", "-o", "g", "--parquet", "x", path)
        self.refuses("text: is not a Parquet file", "build", "-o", "g", "--parquet", "i", "text")
        self.refuses("ends: begins as a Parquet file and does not end as one", "build", "-o", "g", "--parquet", "i", "ends")
        self.refuses("short: ", "build", "-o", "g", "--parquet", "i", "short")
        self.refuses("cannot come through a pipe", "build", "-o", "g", "--parquet", "i", stdin=path.read_bytes())
        self.refuses("packed by brotli; what is read is snappy, gzip, zstd and lz4_raw", "build", "-o", "g", "--parquet", "i",
                     HERE / "brotli.parquet")
        for other in (("--csv",), ("--null",), ("--width", "4"), ("--field", "1"), ("--json-key", ".a"), ("--plain",)):
            self.refuses(f"--parquet: not together with {other[0]}", "build", "-o", "g", "--parquet", "i", *other, path)

    def test_damage_is_an_error_or_another_value(self):
        """Pages have no checksums that must be there. Nothing else ends the command, and a file cut short is always an error."""
        step = 997 if KINDS else 131  # the sanitizers are slow to start
        for name, column in (("delta", "s"), ("dictionary", "s"), ("zstd", "element")):
            data = (HERE / f"{name}.parquet").read_bytes()
            for at in range(4, len(data) - 8, step):
                broken = bytearray(data)
                broken[at] ^= 1 << at % 8
                self.write("broken", broken)
                done = self.run_seen("query", "-cv", "none", "--parquet", column, "broken")
                if done.status == 2:
                    self.assertRegex(done.err, r"\Aseen: [^\n]*broken: [^\n]*\n\Z")
                else:
                    self.assertLessEqual(done.status, 1, done.err)
            for size in range(0, len(data), 997):
                self.write("broken", data[:size])
                self.refuses("broken: ", "build", "-o", "g", "--parquet", column, "broken")


if __name__ == "__main__":
    main()
