"""The extension in Python's sqlite3 and in the sqlite3 shell.

SEEN_SQLITE is seen_sqlite.so, SEEN the command, whose files and answers the functions have to give too. The guard is compared with
its table: whatever is done to the table, by whom and in whatever transaction, both have the same rows of a value."""

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

EXTENSION = os.environ["SEEN_SQLITE"]
COMMAND = os.environ["SEEN"]
HERE = os.path.dirname(os.path.abspath(__file__))
NUMBERS = "with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < {}) "
KINDS = [row["kind"] for row in json.loads(subprocess.run(
    [COMMAND, "plan", "-n", "1000", "-p", "1%", "--json"], check=True, capture_output=True).stdout)["kinds"]]  # fmt: skip


def connect(path=":memory:", extension=True):
    connection = sqlite3.connect(path, isolation_level=None)
    if extension:
        connection.enable_load_extension(True)
        connection.load_extension(EXTENSION)
    connection.execute("pragma synchronous = off")  # a test need not survive a power cut
    return connection


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seen-sqlite-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.db = self.connect()

    def connect(self, *path, **how):
        db = connect(*path, **how)
        self.addCleanup(db.close)
        return db

    def path(self, name):
        return os.path.join(self.folder, name)

    def one(self, text, *values, db=None):
        return (db or self.db).execute(text, values).fetchone()[0]

    def refused(self, text, *values, says, db=None):
        with self.assertRaises(sqlite3.Error) as caught:
            (db or self.db).execute(text, values).fetchall()
        self.assertIn(says, str(caught.exception))

    def seen(self, *words, keys=""):
        done = subprocess.run([COMMAND, *words], input=keys, capture_output=True, text=True, check=False)
        self.assertLess(done.returncode, 2, done.stderr)
        return done.stdout


class Functions(Case):
    def test_a_million_rows_give_the_file_of_the_command_and_its_answers(self):
        count = 1_000_000
        self.db.execute("create table users as " + NUMBERS.format(count) + "select 'user-' || i as name from n")
        names = "".join(f"user-{i}\n" for i in range(count))
        built = self.one("select seen_build(name) from users")
        self.seen("build", "-q", "-o", self.path("users.seen"), "-n", str(count), "-p", "0.01", "-", keys=names)
        with open(self.path("users.seen"), "rb") as file:
            self.assertEqual(file.read(), built)
        self.assertEqual(self.one("select count(*) from users where seen_may_contain(?, name)", built), count)
        strangers = "".join(f"guest-{i}\n" for i in range(count))
        by_command = self.seen("query", self.path("users.seen"), keys=strangers).split()
        by_sql = [name for (name,) in self.db.execute(
            "select replace(name, 'user', 'guest') as guest from users where seen_may_contain(?, guest)", [built])]  # fmt: skip
        self.assertEqual(by_sql, by_command)
        self.assertGreater(len(by_sql), 0)

    def test_every_kind_is_built_from_rows_and_loses_none(self):
        self.assertGreater(len(KINDS), 10)
        self.db.execute("create table t as " + NUMBERS.format(3000) + "select i, 'k' || i as k from n")
        for kind in KINDS:
            # Every key is there twice, which counts once.
            built = self.one("select seen_build(k, 0.001, ?) from (select k from t union all select k from t)", kind)
            self.assertEqual(self.one("select json_extract(seen_info(?), '$.kind')", built), kind)
            self.assertEqual(self.one("select count(*) from t where seen_may_contain(?, k)", built), 3000, kind)
            self.assertLess(self.one("select count(*) from t where seen_may_contain(?, i)", built), 30, kind)
            with open(self.path(kind), "wb") as file:
                file.write(built)
            self.assertEqual(self.seen("query", self.path(kind), keys="k17\n"), "k17\n")

    def test_a_static_filter_is_the_same_file_as_the_commands(self):
        keys = "".join(f"k{i}\n" for i in range(5000))
        self.seen("build", "-q", "-o", self.path("r.seen"), "--kind", "ribbon", "-p", "0.001", "-", keys=keys)
        built = self.one(NUMBERS.format(5000) + "select seen_build('k' || (4999 - i), 0.001, 'ribbon') from n")
        with open(self.path("r.seen"), "rb") as file:
            self.assertEqual(file.read(), built)

    def test_keys_are_those_of_the_library(self):
        integers = [0, 1, -1, 42, 2**63 - 1, -(2**63)]
        built = self.one("select seen_build(value) from json_each(?)", json.dumps(integers))
        with open(self.path("i.seen"), "wb") as file:
            file.write(built)
        for number in integers:
            self.assertEqual(self.one("select seen_may_contain(?, ?)", built, number), 1)
            as_bytes = number.to_bytes(8, "little", signed=True)
            self.assertEqual(self.seen("query", "--hex", self.path("i.seen"), keys=as_bytes.hex() + "\n"), as_bytes.hex() + "\n")
            self.assertEqual(self.one("select seen_may_contain(?, ?)", built, as_bytes), 1)
            self.assertEqual(self.one("select seen_may_contain(?, ?)", built, str(number)), 0)
        # A real number that is an integer is that integer; any other is its own eight bytes.
        for real, key in (1.0, 1), (-0.0, 0), (-(2.0**63), -(2**63)):
            self.assertEqual(self.one("select seen_build(?) = seen_build(?)", real, key), 1)
        for real in 0.5, 2.0**63, float("inf"), -1e300:
            import struct

            self.assertEqual(self.one("select seen_build(?) = seen_build(?)", real, struct.pack("<d", real)), 1)
        # Text and blobs are their bytes, zeros and all; an empty one is a key.
        for text in "", "a\0b", "ö", "x" * 10_000:
            built = self.one("select seen_build(?)", text)
            self.assertEqual(built, self.one("select seen_build(?)", text.encode()))
            self.assertEqual(self.one("select seen_may_contain(?, ?)", built, text), 1)
        self.assertEqual(self.one("select seen_may_contain(seen_build('a' || char(0) || 'b'), 'a')"), 0)

    def test_a_database_of_utf16_has_the_same_keys(self):
        self.db.execute("pragma encoding = 'utf-16be'")
        self.db.execute("create table t(x)")
        self.db.execute("insert into t values ('größe'), ('10')")
        here = self.one("select seen_build(x) from t")
        self.assertEqual(here, self.one("select seen_build(column1) from (values ('größe'), ('10'))", db=self.connect()))
        self.assertEqual(self.one("select count(*) from t where seen_may_contain(?, x)", here), 2)

    def test_null_is_not_a_key(self):
        self.assertEqual(self.one("select seen_build(column1) from (values (null), ('a'), (null))"), self.one("select seen_build('a')"))
        self.assertIsNone(self.one("select seen_may_contain(seen_build('a'), null)"))
        self.assertIsNone(self.one("select seen_may_contain(null, 'a')"))
        self.assertIsNone(self.one("select seen_info(null)"))

    def test_of_no_row_there_is_a_filter_that_says_no(self):
        self.db.execute("create table t(x)")
        for made in "seen_build(x)", "seen_build(x, 0.001)", "seen_build(x, 0.001, 'ribbon')":
            for rows in 0, 1:
                empty = self.one(f"select {made} from t")
                self.assertEqual([self.one("select seen_may_contain(?, ?)", empty, key) for key in ("a", 0, 7)], [0, 0, 0])
                self.db.execute("insert into t values (null)")
            self.db.execute("delete from t")
        self.assertIsNone(self.one("select seen_merge(x) from t"))
        self.assertIsNone(self.one("select seen_merge(null)"))
        self.assertEqual(self.one("select count(*) from (select x, seen_build(x) from t group by x)"), 0)

    def test_what_is_wrong_is_told(self):
        good = self.one("select seen_build('a')")
        for call, says in (
            ("seen_build(1, 'x')", "the rate is a number, and this is TEXT"),
            ("seen_build(1, 0)", "0"), ("seen_build(1, 1)", "1"), ("seen_build(1, -0.5)", "between 0 and 1"), ("seen_build(1, 9e999)", ""),
            ("seen_build(1, 0.01, 5)", "the kind is TEXT, and this is INTEGER"),
            ("seen_build(1, 0.01, 'bl')", "could be any of"), ("seen_build(1, 0.01, 'heap')", "ribbon"),
            ("seen_build(i, 0.01 + i / 100.0)", "differ from row to row"),
            ("seen_build(i, 0.01, case i when 0 then 'bloom' else 'ribbon' end)", "differ from row to row"),
            ("seen_may_contain('abc', 1)", "a filter is a BLOB, and this is TEXT"),
            ("seen_may_contain(5, 1)", "a filter is a BLOB, and this is INTEGER"),
            ("seen_may_contain(x'', 1)", "seen_may_contain: "), ("seen_may_contain(x'00', 1)", "seen_may_contain: "),
            ("seen_info(zeroblob(100))", "seen_info: "), ("seen_info(1.5)", "a filter is a BLOB, and this is REAL"),
            ("seen_merge('abc')", "a filter is a BLOB, and this is TEXT"),
        ):  # fmt: skip
            self.refused(NUMBERS.format(2) + f"select {call} from n", says=says)
        self.refused("select seen_may_contain(?, 1)", good[:-1], says="seen_may_contain: ")
        for at in range(0, len(good), 7):
            bad = bytearray(good)
            bad[at] ^= 16
            with self.assertRaises(sqlite3.Error):
                self.one("select seen_may_contain(?, 'a')", bytes(bad), db=self.connect())
        self.refused("select seen_build()", says="wrong number of arguments")
        self.assertEqual(self.one("select seen_may_contain(?, 'a')", good), 1)

    def test_filters_merge_as_the_command_merges_them(self):
        self.db.execute("create table daily(filter)")
        for day in range(5):
            self.db.execute("insert into daily " + NUMBERS.format(1000) + f"select seen_build({day * 1000} + i) from n")
        self.db.execute("insert into daily values (null)")
        merged = self.one("select seen_merge(filter) from daily")
        self.assertEqual(self.one(NUMBERS.format(5000) + "select count(*) from n where seen_may_contain(?, i)", merged), 5000)
        for number, (filter,) in enumerate(self.db.execute("select filter from daily where filter is not null").fetchall()):
            with open(self.path(str(number)), "wb") as file:
                file.write(filter)
        self.seen("merge", "-q", "-o", self.path("all"), *(self.path(str(i)) for i in range(5)))
        with open(self.path("all"), "rb") as file:
            self.assertEqual(file.read(), merged)
        self.db.execute("insert into daily " + NUMBERS.format(500) + "select seen_build(i) from n")
        self.refused("select seen_merge(filter) from daily", says="seen_merge: ")
        self.refused("select seen_merge(f) from (select seen_build(1, 0.1, 'ribbon') as f union all select seen_build(2, 0.1, 'ribbon'))",
                     says="merge")  # fmt: skip

    def test_the_info_is_the_commands(self):
        for kind in KINDS:
            built = self.one(NUMBERS.format(500) + "select seen_build(i, 0.01, ?) from n", kind)
            with open(self.path(kind), "wb") as file:
                file.write(built)
            said = json.loads(self.seen("info", "--json", self.path(kind)))
            self.assertEqual((said.pop("file"), said.pop("file_bytes")), (self.path(kind), len(built)))
            self.assertEqual(json.loads(self.one("select seen_info(?)", built)), said)

    def test_a_filter_is_opened_once_however_it_comes(self):
        """What was opened is known again by its header: damage behind it is not looked for a second time."""
        good = self.one("select seen_build('a')")
        bad = good[:-8] + bytes(8)
        self.assertNotEqual(good, bad)
        asked = self.db.execute("select seen_may_contain(column1, 'a') from (values (?), (?))", (good, bad)).fetchall()
        self.assertEqual(asked, [(1,), (1,)])
        self.refused("select seen_may_contain(column1, 'a') from (values (?), (?))", bad, good, says="seen_may_contain: ", db=self.connect())
        big = self.one(NUMBERS.format(200_000) + "select seen_build(i, 1e-9) from n")
        self.assertGreater(len(big), 1_000_000)
        self.db.execute("create table f(filter)")
        self.db.execute("insert into f values (?), (?)", (big, self.one("select seen_build(-5)")))
        for given, values in ("?", (big,)), ("(select filter from f)", ()):
            asked = self.db.execute(NUMBERS.format(1000) + f"select sum(seen_may_contain({given}, i)) from n", values)
            self.assertEqual(asked.fetchone()[0], 1000)
        # Filters that take turns are not taken for each other.
        self.assertEqual(self.db.execute("select seen_may_contain(filter, -5), seen_may_contain(filter, 7) from f, (values (1), (2)) order by 1").fetchall(),
                         [(0, 1), (0, 1), (1, 0), (1, 0)])  # fmt: skip

    def test_flags_are_what_they_promise(self):
        flags = {(name, count): bits for name, count, bits in self.db.execute(
            "select name, narg, flags from pragma_function_list where name like 'seen!_%' escape '!'")}  # fmt: skip
        deterministic, innocuous, directonly = 0x800, 0x200000, 0x80000
        for (name, count), bits in flags.items():
            expected = directonly if name == "seen_guard_rebuild" else deterministic | innocuous
            self.assertEqual(bits & (deterministic | innocuous | directonly), expected, (name, count))
        self.assertEqual(len(flags), 8)
        # A database from elsewhere may use the filter, and may not look at files.
        self.db.execute("create table t(x, y as (seen_may_contain(x'', 1)))")
        self.db.execute("create view v as select * from seen_file('/etc/passwd')")
        self.refused("select * from v", says="unsafe use of virtual table")

    def test_memory_that_runs_out_is_an_error_and_nothing_else(self):
        script = (
            "import sys; sys.path.insert(0, sys.argv[1]); import sqlite_test as t\n"
            "db = t.connect(); db.execute('pragma hard_heap_limit = 3000000')\n"
            "q = t.NUMBERS.format(600000) + 'select length(seen_build(i, 1e-9)) from n'\n"
            "try: db.execute(q).fetchone(); print('no error')\n"
            "except (MemoryError, t.sqlite3.Error) as e: print(type(e).__name__)\n"
            "print(db.execute('select seen_may_contain(seen_build(1), 1)').fetchone()[0])\n"
        )
        done = subprocess.run([sys.executable, "-B", "-c", script, HERE], capture_output=True, text=True, check=True)
        self.assertIn(done.stdout.split(), (["MemoryError", "1"], ["OperationalError", "1"], ["DataError", "1"]))

    def test_an_extension_that_is_loaded_twice_is_there_once(self):
        self.db.load_extension(EXTENSION)
        self.assertEqual(self.one("select seen_may_contain(seen_build(1), 1)"), 1)


class Files(Case):
    def test_a_file_is_a_row(self):
        self.seen("build", "-q", "-o", self.path("u.seen"), "--kind", "ribbon", "-", keys="alice\nbob\n")
        row = self.db.execute("select kind, format, keys, bytes > 0, fpr < 0.02, filter from seen_file(?)", [self.path("u.seen")]).fetchall()
        with open(self.path("u.seen"), "rb") as file:
            self.assertEqual(row, [("ribbon", "native", 2.0, 1, 1, file.read())])
        self.assertEqual(self.one("select seen_may_contain((select filter from seen_file(?)), 'bob')", self.path("u.seen")), 1)
        self.assertEqual(self.one("select json_extract(info, '$.keys') from seen_file(?)", self.path("u.seen")), 2)
        self.assertEqual(self.db.execute("select * from seen_file(null)").fetchall(), [])

    def test_files_are_joined_to_their_paths(self):
        self.db.execute("create table files(path)")
        for name in "abc":
            self.seen("build", "-q", "-o", self.path(name), "-", keys=name + "\n")
            self.db.execute("insert into files values (?)", [self.path(name)])
        rows = self.db.execute("select f.path, seen_may_contain(s.filter, 'b') from files f, seen_file(f.path) s order by 1").fetchall()
        self.assertEqual(rows, [(self.path("a"), 0), (self.path("b"), 1), (self.path("c"), 0)])

    def test_a_foreign_file_is_read_too(self):
        self.seen("build", "-q", "-o", self.path("g"), "--format", "parquet", "-n", "1000", "-p", "1%", "-", keys="alice\nbob\n")
        self.assertEqual(self.one("select format from seen_file(?)", self.path("g")), "parquet")
        self.assertEqual(self.one("select seen_may_contain(filter, 'bob') from seen_file(?, 'parquet')", self.path("g")), 1)
        self.refused("select * from seen_file(?, 'native')", self.path("g"), says="seen_file: ")

    def test_what_is_not_a_filter_is_told(self):
        for path, says in (self.path("none"), "No such file"), (self.folder, ""), (__file__, "seen_file: "), ("", "seen_file: "):
            self.refused("select * from seen_file(?)", path, says=says)
        self.refused("select * from seen_file", says="needs the path of a file")


class Guard(Case):
    """t is the table, g its guard."""

    def guarded(self, column="k", declared="k text", rows=0, where="", arguments="", db=None):
        db = db or self.db
        db.execute(f"create table t(id integer primary key, {declared}){where}")
        if rows:
            db.execute("insert into t(k) " + NUMBERS.format(rows) + "select 'k' || i from n")
        db.execute(f"create virtual table g using seen_guard(t, {column}{arguments})")
        return db

    def same(self, value, column="k", db=None):
        """The rows of a value, of the guard and of its table."""
        db = db or self.db
        want = db.execute(f"select * from t where {column} = ? order by id", [value]).fetchall()
        self.assertEqual(db.execute(f"select * from g where {column} = ? order by id", [value]).fetchall(), want, value)
        return len(want)

    def test_it_has_the_rows_of_its_table(self):
        self.guarded(rows=1000)
        for i in 0, 999, 1000:
            self.assertEqual(self.same(f"k{i}"), i < 1000)
        self.assertEqual(self.db.execute("select * from g").fetchall(), self.db.execute("select * from t").fetchall())
        self.assertEqual(self.db.execute("select rowid, k from g where k in ('k5', 'x', 'k7') or k = 'k9' order by 1").fetchall(),
                         [(6, "k5"), (8, "k7"), (10, "k9")])  # fmt: skip
        self.assertEqual(self.one("select count(*) from t join g using (k) where t.id > 990"), 10)
        self.assertEqual(self.one("select count(*) from g where k = null"), 0)
        self.assertEqual(self.one("select count(*) from g where k is null"), 0)

    def test_the_filter_spares_the_table(self):
        """Without an index a lookup reads the whole table: the steps that SQLite takes say whether it did."""
        self.guarded(rows=20_000)
        steps = [0]

        def count():
            steps[0] += 1
            return 0

        self.db.set_progress_handler(count, 1000)
        found = sum(self.one("select count(*) from g where k = ?", f"x{i}") for i in range(100))
        self.assertEqual(found, 0)
        self.assertLess(steps[0], 100 * 40 // 5)  # a read of the table is at least 40 thousand steps; five of a hundred may be
        steps[0] = 0
        self.assertEqual(self.one("select count(*) from g where k = 'k7'"), 1)
        self.assertGreater(steps[0], 40)

    def test_a_write_is_seen_at_once_by_whoever_looks(self):
        path = self.path("db")
        for journal in "delete", "wal":
            shutil.rmtree(path, ignore_errors=True)
            writer = self.connect(path + journal, extension=False)  # which knows nothing of guards
            writer.execute(f"pragma journal_mode = {journal}")
            reader = self.guarded(rows=100, db=self.connect(path + journal))
            other = self.connect(path + journal)
            for number in range(20):
                value = f"new{number}"
                self.assertEqual((self.same(value, db=reader), self.same(value, db=other)), (0, 0))
                (writer, reader, other)[number % 3].execute("insert into t(k) values (?)", [value])
                self.assertEqual((self.same(value, db=reader), self.same(value, db=other)), (1, 1))
                if number % 7 == 6:
                    other.execute("select seen_guard_rebuild('g')").fetchall()
            writer.execute("update t set k = 'moved' where k = 'new3'")
            self.assertEqual([self.same(value, db=reader) for value in ("moved", "new3")], [1, 0])

    def test_a_write_is_seen_within_its_own_statement(self):
        self.guarded(rows=10)
        self.db.execute("create table log(k, found)")
        self.db.execute("create trigger see after insert on t begin insert into log select new.k, count(*) from g where k = new.k; end")
        self.db.execute("insert into t(k) values ('a'), ('b'), ('a')")
        self.assertEqual(self.db.execute("select * from log").fetchall(), [("a", 1), ("b", 1), ("a", 2)])

    def test_a_value_that_is_decided_late_is_seen_within_its_own_statement(self):
        """A trigger that was made after the guard's has its turn before them."""
        self.db.execute("create table t(id integer primary key, a, b as (id || a), c text not null on conflict replace default 'd')")
        for column in "id", "b", "c":
            self.db.execute(f"create virtual table g_{column} using seen_guard(t, {column})")
        self.db.execute("create table log(id, b, c)")
        self.db.execute("create trigger see after insert on t begin insert into log select (select count(*) from g_id where id = new.id),"
                        "(select count(*) from g_b where b = new.b), (select count(*) from g_c where c = new.c); end")  # fmt: skip
        self.db.execute("insert into t(a, c) values ('x', null), ('y', null)")
        self.assertEqual(self.db.execute("select * from log").fetchall(), [(1, 1, 1), (1, 1, 2)])
        for column, value in ("id", 2), ("b", "2y"), ("c", "d"):  # and when nobody writes any more
            self.assertGreater(self.one(f"select count(*) from g_{column} where {column} = ?", value), 0, column)

    def test_rolling_back_loses_nothing(self):
        self.guarded(rows=100)
        self.db.execute("insert into t(k) values ('early')")
        self.db.execute("begin")
        self.db.execute("delete from t where k in ('k5', 'early')")
        self.db.execute("select seen_guard_rebuild('g')").fetchall()
        self.assertEqual([self.same(k) for k in ("k5", "early", "k6")], [0, 0, 1])
        self.db.execute("rollback")
        self.assertEqual([self.same(k) for k in ("k5", "early", "k6")], [1, 1, 1])
        self.db.execute("begin")
        self.db.execute("savepoint s")
        self.db.execute("delete from t")
        self.db.execute("select seen_guard_rebuild('g')").fetchall()
        self.assertEqual(self.same("k5"), 0)
        self.db.execute("rollback to s")
        self.assertEqual([self.same(k) for k in ("k5", "early")], [1, 1])
        self.db.execute("insert into t(k) values ('late')")
        self.assertEqual(self.same("late"), 1)
        self.db.execute("commit")
        self.assertEqual([self.same(k) for k in ("k5", "early", "late")], [1, 1, 1])

    def test_every_way_of_writing_is_noticed(self):
        self.db.execute("pragma foreign_keys = on")
        self.db.execute("create table parent(p text primary key)")
        self.db.execute("insert into parent values ('p1'), ('p2')")
        self.db.execute("create table t(id integer primary key, k text unique default 'd' references parent on update cascade)")
        self.db.execute("insert into t(k) values ('p1')")
        self.db.execute("create virtual table g using seen_guard(t, k)")
        self.db.execute("update parent set p = 'p9' where p = 'p1'")
        self.assertEqual(self.same("p9"), 1)
        self.db.execute("pragma foreign_keys = off")
        for number, way in enumerate((
            "insert or replace into t values (50, 'v0')", "insert or abort into t(k) values ('v1')", "insert or fail into t(k) values ('v2')",
            "insert or rollback into t(k) values ('v3')", "replace into t values (50, 'v4')", "update or replace t set k = 'v5' where id = 50",
            "insert into t values (50, 'z') on conflict do update set k = 'v6'", "insert into t select 60, 'v7'",
            "insert or ignore into t(k) values ('v8')", "update t set k = 'v9' from parent where id = 50",
        )):  # fmt: skip
            self.db.execute(way)
            self.assertEqual(self.same(f"v{number}"), 1, way)
        # A value that comes again, after it had left, is found in what was added: no conflict may stop the statement.
        for way in "abort", "fail", "rollback", "replace":
            self.db.execute("delete from t where k = 'v1'")
            self.db.execute(f"insert or {way} into t(k) values ('v1')")
            self.assertEqual(self.same("v1"), 1)
        self.db.execute("insert into t default values")
        self.assertEqual(self.same("d"), 1)

    def test_a_column_that_changes_by_another_name_is_noticed(self):
        self.db.execute("create table t(id integer primary key, a, b as (a || '!') stored)")
        self.db.execute("insert into t(a) values ('x')")
        self.db.execute("create virtual table g using seen_guard(t, id)")
        self.db.execute("create virtual table h using seen_guard(t, b)")
        self.db.execute("update t set rowid = 77")
        self.assertEqual(self.one("select count(*) from g where id = 77"), 1)
        self.db.execute("update t set a = 'y'")
        self.assertEqual(self.one("select count(*) from h where b = 'y!'"), 1)

    def test_values_are_equal_as_in_the_table(self):
        """Every value in every kind of column, asked for as every value, bound and from columns of every type."""
        values = ["5", "05", " 5", "5.0", "5e0", 5, 5.0, 5.5, "5.5", "abc", "", b"5", b"", b"abc", -0.0, "0", "-0", 0, 2**53 + 1, float(2**53),
                  "9007199254740993", 2**63 - 1, 9.223372036854775807e18, "1e400", float("inf"), "0x5", "+5", ".5", 0.5]  # fmt: skip
        types = ["", "text", "integer", "real", "numeric", "blob", "varchar(9)", "any"]
        for number, declared in enumerate(types):
            table = f"o{number}"
            self.db.execute(f"create table {table}(v {declared})")
            self.db.executemany(f"insert into {table} values (?)", [[v] for v in values])
        for declared in types + ["any strict"]:
            db, strict = self.db, " strict" if declared.endswith("strict") else ""
            for index in "", "create index i on t(k)":
                for added in False, True:
                    self.guarded_values(declared.removesuffix(" strict"), strict, index, values, added)
                    for value in values:
                        self.same(value)
                    for number in range(len(types)):
                        want = db.execute(f"select o.rowid, t.id from o{number} o join t on t.k = o.v order by 1, 2").fetchall()
                        got = db.execute(f"select o.rowid, g.id from o{number} o cross join g on g.k = o.v order by 1, 2").fetchall()
                        self.assertEqual(got, want, (declared, types[number]))
                    want = db.execute("select id, k from t where k = cast('5' as integer) or k = cast(5 as text) order by 1").fetchall()
                    got = db.execute("select id, k from g where k = cast('5' as integer) or k = cast(5 as text) order by 1").fetchall()
                    self.assertEqual(got, want, declared)
                    db.execute("drop table g")
                    db.execute("drop table t")

    def guarded_values(self, declared, strict, index, values, added):
        self.db.execute(f"create table t(id integer primary key, k {declared}){strict}")
        self.db.execute(index or "select 1").fetchall()
        if added:
            self.db.execute("create virtual table g using seen_guard(t, k)")
        self.db.executemany("insert into t(k) values (?)", [[v] for v in values])
        if not added:
            self.db.execute("create virtual table g using seen_guard(t, k)")

    def test_in_compares_as_the_table_does(self):
        """Value by value SQLite would compare otherwise than as a whole: a number that a query gives is equal to '05', one in a list is not."""
        values = [5, 5.0, "5", "05", "5e0", "x", "y", b"5", 7, None]
        for number, declared in enumerate(("integer", "text", "real", "")):
            self.db.execute(f"create table o{number}(v {declared})")
            self.db.executemany(f"insert into o{number} values (?)", [[v] for v in (5, "x", "05", "z", None)])
        sets = [*(f"select v from o{number}" for number in range(4)), "5, 'x', 'z'", "'x', 'y', 'z', 'x'", "'z'", "5", "5, 7, 5.0, '5'",
                "null", "select v from o0 where v > t.id"]  # fmt: skip
        for declared in "", "text", "integer", "real", "blob":
            for index in "", "create index i on t(k)":
                self.guarded_values(declared, "", index, values, False)
                for values_of in sets:
                    for how in "k in", "k not in", "id < 4 or k in":
                        asked = f"select id, k from {{}} as t where {how} ({values_of}) order by id"
                        want = self.db.execute(asked.format("t")).fetchall()
                        self.assertEqual(self.db.execute(asked.format("g")).fetchall(), want, (declared, index, asked))
                self.db.execute("drop table g")
                self.db.execute("drop table t")

    def test_in_of_very_many_values_reads_the_table_once(self):
        self.guarded(rows=15_000)
        steps = [0]

        def count():
            steps[0] += 1
            return 0

        self.db.set_progress_handler(count, 1000)
        self.assertEqual(self.one("select count(*) from g where k in (select k from t)"), 15_000)
        self.assertLess(steps[0], 15_000)  # once per value would be some hundred thousand
        asked = "select k from g where k in (select k from t where id <= 3 union all select 'x')"
        self.assertEqual(self.db.execute(asked).fetchall(), [("k0",), ("k1",), ("k2",)])

    def test_a_rebuild_that_readers_hold_up_keeps_nobody_out(self):
        path = self.path("held.db")
        db = self.guarded(rows=5000, db=self.connect(path))
        db.execute("pragma busy_timeout = 0")
        reader, writer = self.connect(path, extension=False), self.connect(path, extension=False)
        reading = reader.execute("select k from t")
        reading.fetchone()
        self.refused("select seen_guard_rebuild('g')", says="locked", db=db)
        self.assertFalse(db.in_transaction)
        reading.close()
        writer.execute("insert into t(k) values ('new')")
        self.assertEqual([self.same(k, db=db) for k in ("new", "k7", "x")], [1, 1, 0])
        # A transaction of the user's is left as it was.
        db.execute("begin")
        db.execute("insert into t(k) values ('mine')")
        self.refused("select seen_guard_rebuild('g', 'nothing')", says="", db=db)
        self.assertTrue(db.in_transaction)
        self.assertEqual(self.same("mine", db=db), 1)

    def test_names_with_dots_are_not_taken_for_each_other(self):
        for database, guard in ("a.b", "c"), ("a", "b.c"):
            self.db.execute(f"attach ':memory:' as '{database}'")
            self.db.execute(f"create table '{database}'.t(k)")
            self.db.execute(f"create virtual table '{database}'.'{guard}' using seen_guard(t, k)")
            self.db.execute(f"insert into '{database}'.t values ('new')")
        self.db.execute("select seen_guard_rebuild('c', 'a.b')").fetchall()
        self.assertEqual((self.one("select count(*) from 'a.b'.c_added"), self.one("select count(*) from a.'b.c_added'")), (0, 1))

    def test_strict_in_a_comment_is_not_strict(self):
        for behind, strict in ("/* strict */ without rowid", False), ("-- strict\n without rowid", False), ("strict /* ) */, without rowid", True):
            self.db.execute(f"create table t(k any primary key, \"/* ''\" text check (k <> ')')) {behind}")
            self.db.execute("create virtual table g using seen_guard(t, k)")
            self.db.execute("insert into t(k) values (5)")
            want = self.db.execute("select k from t where k = '5'").fetchall()
            self.assertEqual(len(want), 0 if strict else 1)
            self.assertEqual(self.db.execute("select k from g where k = '5'").fetchall(), want, behind)
            self.db.execute("drop table g")
            self.db.execute("drop table t")

    def test_other_collations_are_not_asked_of_the_filter(self):
        self.guarded(rows=10)
        self.assertEqual(self.one("select count(*) from g where k = 'K5' collate nocase"), 1)
        self.assertEqual(self.one("select count(*) from g where k = 'K5'"), 0)
        self.db.execute("create table n(k text collate nocase)")
        self.refused("create virtual table h using seen_guard(n, k)", says="compared by nocase")
        self.assertEqual(self.one("select count(*) from sqlite_schema where name like 'h%'"), 0)

    def test_tables_of_every_make_are_guarded(self):
        self.db.execute("create table w(a text, b integer, c, primary key (b, a)) without rowid")
        self.db.executemany("insert into w values (?, ?, ?)", [("x", 1, 5), ("y", 1, 6), ("x", 2, 7)])
        self.db.execute("create virtual table g using seen_guard(w, a)")
        self.assertEqual(self.db.execute("select c from g where a = 'x' or c = 6 or a = 'y' order by c").fetchall(), [(5,), (6,), (7,)])
        self.db.execute('create table "o""dd t"("a ""b" text, rowid, _rowid_)')
        self.db.execute("""insert into "o""dd t" values ('x', 1, 2)""")
        self.db.execute('create virtual table "h ""h" using seen_guard("o""dd t", [a "b], 0.001, ribbon)')
        self.assertEqual(self.db.execute('select * from "h ""h" where "a ""b" = ?', ["x"]).fetchall(), [("x", 1, 2)])
        self.db.execute("""insert into "o""dd t" values ('z', 1, 2)""")
        self.assertEqual(self.db.execute('select * from "h ""h" where "a ""b" = ?', ["z"]).fetchall(), [("z", 1, 2)])
        self.db.execute("create table taken(rowid, _rowid_, oid)")
        self.refused("create virtual table i using seen_guard(taken, oid)", says="every name of its rowid")
        columns = ", ".join(f"c{i}" for i in range(100))
        self.db.execute(f"create table wide({columns})")
        self.db.execute(f"insert into wide values ({', '.join(map(str, range(100)))})")
        self.db.execute("create virtual table far using seen_guard(wide, c99)")
        self.assertEqual(self.db.execute("select c3, c98 from far where c99 = 99 and c70 = 70").fetchall(), [(3, 98)])

    def test_a_guard_of_an_attached_database_stays_in_it(self):
        self.db.execute("attach ? as side", [self.path("side.db")])
        self.db.execute("create table t(k)")
        self.db.execute("create table side.t(k)")
        self.db.execute("insert into side.t values ('there')")
        self.db.execute("create virtual table side.g using seen_guard(t, k)")
        self.assertEqual(self.one("select count(*) from g where k = 'there'"), 1)
        self.db.execute("insert into side.t values ('more')")
        self.assertEqual(self.one("select count(*) from g where k = 'more'"), 1)
        self.assertGreater(self.one("select seen_guard_rebuild('G', 'Side')"), 0)
        self.assertEqual(self.one("select count(*) from side.g_added"), 0)
        self.db.execute("drop table side.g")
        self.assertEqual(self.db.execute("select name from side.sqlite_schema").fetchall(), [("t",)])

    def test_without_its_triggers_the_table_is_asked(self):
        self.guarded(rows=100)
        self.assertEqual(self.same("k5"), 1)
        for when in "before", "after":
            self.db.execute(f"drop trigger g_{when}_insert")
        self.db.execute("insert into t(k) values ('unnoticed')")
        self.assertEqual(self.same("unnoticed"), 1)
        self.assertGreater(self.one("select seen_guard_rebuild('g')"), 0)
        self.db.execute("insert into t(k) values ('noticed')")
        self.assertEqual([self.same(k) for k in ("unnoticed", "noticed")], [1, 1])
        # Not even within the transaction that takes them away, nor when that is undone.
        self.db.execute("begin")
        self.db.execute("drop trigger g_before_insert")
        self.db.execute("drop trigger g_after_insert")
        self.db.execute("insert into t(k) values ('u2')")
        self.assertEqual(self.same("u2"), 1)
        self.db.execute("rollback")
        self.assertEqual(self.same("u2"), 0)
        self.assertEqual(self.one("select count(*) from sqlite_schema where type = 'trigger'"), 4)

    def test_a_table_that_goes_takes_no_row_along(self):
        self.guarded(rows=10)
        self.db.execute("drop table t")
        self.refused("select * from g where k = 'k5'", says="no such table")
        self.db.execute("create table t(id integer primary key, k text)")
        self.db.execute("insert into t(k) values ('other')")
        self.assertEqual(self.same("other"), 1)
        self.db.execute("alter table t rename column k to kk")
        self.refused("select * from g where k = 'other'", says="no table t with a column k")
        self.db.execute("drop table t")
        self.db.execute("drop table g")
        self.assertEqual(self.db.execute("select name from sqlite_schema").fetchall(), [])
        path = self.path("gone.db")
        self.guarded(rows=10, db=self.connect(path)).execute("drop table t")
        again = self.connect(path)
        self.refused("select * from g", says="no table t", db=again)
        again.execute("drop table g")
        self.assertEqual(again.execute("select name from sqlite_schema").fetchall(), [])

    def test_a_table_made_anew_with_another_type_loses_no_row(self):
        for before in "text", "integer", "real", "blob", "numeric":
            for after in "text", "integer", "real", "blob", "numeric":
                path = self.path(f"{before}-{after}.db")
                db = self.connect(path)
                db.execute(f"create table t(id integer primary key, k {before})")
                db.execute("create virtual table g using seen_guard(t, k)")
                db.execute("drop table t")
                db.execute(f"create table t(id integer primary key, k {after})")
                if before != after:
                    self.refused("select seen_guard_rebuild('g')", says="open the database again", db=db)
                    self.assertEqual(db.execute("select count(*) from g where k = 5").fetchall(), [(0,)])
                db.close()
                db = self.connect(path)
                db.execute("select seen_guard_rebuild('g')").fetchall()
                db.executemany("insert into t(k) values (?)", [(5,), ("5",), (5.5,), ("five",), (b"5",)])
                db.commit()
                for asked in "5", "'5'", "5.0", "5.5", "'five'", "x'35'":
                    rows = [db.execute(f"select id, k from {table} where k = {asked} order by id").fetchall() for table in "gt"]
                    self.assertEqual(*rows, (before, after, asked))

    def test_a_damaged_filter_is_told_and_made_anew(self):
        self.guarded(rows=1000)
        for damage in "filter = substr(filter, 1, length(filter) - 1)", "filter = 'text'", "filter = null", "filter = zeroblob(100)":
            self.db.execute(f"update g_filter set build = build + 1, {damage}")
            self.refused("select * from g where k = 'k5'", says="seen_guard_rebuild")
            self.db.execute("select seen_guard_rebuild('g')").fetchall()
            self.assertEqual(self.same("k5"), 1)
        self.db.execute("delete from g_filter")
        self.refused("select * from g where k = 'k5'", says="is empty")
        self.db.execute("select seen_guard_rebuild('g')").fetchall()
        self.assertEqual(self.same("k5"), 1)

    def test_it_is_not_written_to_and_not_renamed(self):
        self.guarded(rows=1)
        for text in "insert into g(k) values ('x')", "update g set k = 'x'", "delete from g":
            self.refused(text, says="may not be modified")
        self.refused("alter table g rename to h", says="not renamed")
        self.assertEqual(self.same("k0"), 1)

    def test_what_cannot_be_guarded_is_told(self):
        self.db.execute("create table t(k)")
        self.db.execute("create view v as select * from t")
        self.db.execute("create virtual table g using seen_guard(t, k)")
        for arguments, says in (
            ("", "takes a table, a column"), ("t", "takes a table, a column"), ("t, k, 0.1, bloom, 5", "takes a table, a column"),
            ("u, k", "no table u"), ("t, l", "no table t with a column l"), ("t, k, 2", "between 0 and 1, not 2"),
            ("t, k, x", "not x"), ("t, k, 0.1, cuckold", "cuckold"), ("v, k", "no table v with"), ("g, k", "virtual"),
        ):  # fmt: skip
            self.refused(f"create virtual table h using seen_guard({arguments})", says=says)
        self.assertEqual(self.one("select count(*) from sqlite_schema where name like 'h%'"), 0)
        self.refused("select seen_guard_rebuild('t')", says="t is not a guard")
        self.refused("select seen_guard_rebuild('nothing')", says="no such table")
        self.refused("select seen_guard_rebuild(5)", says="a name is TEXT")

    def test_a_defensive_connection_writes_to_the_table(self):
        """It may not touch the filter; the triggers of the table it may run."""
        if not hasattr(self.db, "setconfig"):  # Python 3.12
            said = self.shell(".dbconfig defensive on", "create table t(k);", "create virtual table g using seen_guard(t, k);",
                              "insert into t values ('x');", "select * from g where k = 'x';")  # fmt: skip
            self.assertEqual(said.split(), ["defensive", "on", "x"])
            return
        self.db.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
        self.guarded()
        self.db.execute("insert into t(k) values ('x')")
        self.assertEqual(self.same("x"), 1)

    def test_random_writes_lose_no_row(self):
        """Three connections to a file, one of which does not know the extension; transactions, savepoints and new filters at random."""
        rng = random.Random(20260918)
        path = self.path("random.db")
        first = self.guarded(declared="k", rows=50, db=self.connect(path))
        first.execute("create index i on t(k)")
        knows = [first, self.connect(path)]
        connections = [*knows, self.connect(path, extension=False)]
        pool = [*(f"k{i}" for i in range(60)), *range(20), *(str(i) for i in range(20)), 0.5, b"k1"]
        writer, asked, found = None, 0, 0
        for _ in range(3000):
            db = writer or rng.choice(connections)
            value, other = rng.choice(pool), rng.choice(pool)
            action = rng.randrange(12)
            if action < 3:
                db.execute("insert into t(k) values (?)", [value])
            elif action == 3:
                db.execute("update t set k = ? where k = ?", [value, other])
            elif action == 4:
                db.execute("delete from t where k = ?", [value])
            elif action == 5 and writer is None:
                db.execute("begin immediate")
                db.execute("savepoint s")
                writer = db
            elif action == 6 and writer is not None:
                db.execute(rng.choice(("rollback to s", "rollback to s; ", "savepoint s")))
            elif action == 7 and writer is not None:
                db.execute(rng.choice(("commit", "rollback")))
                writer = None
            elif action == 8 and rng.random() < 0.2 and db in knows:
                db.execute("select seen_guard_rebuild('g')").fetchall()
            for each in knows:
                if writer is None or each is writer:
                    value = rng.choice(pool)
                    found += self.same(value, db=each) > 0
                    asked += 1
        self.assertGreater(found, 500)
        self.assertGreater(asked - found, 500)

    def shell(self, *lines):
        done = subprocess.run(["sqlite3", ":memory:"], input="\n".join([f".load {EXTENSION}", *lines]), capture_output=True, text=True,
                              check=False, cwd=self.folder)  # fmt: skip
        self.assertEqual(done.stderr, "")
        return done.stdout


class Shell(Case):
    def run_shell(self, database, text):
        return subprocess.run(["sqlite3", database], input=text, capture_output=True, text=True, check=False, cwd=self.folder)

    def test_a_dump_brings_the_guard_back(self):
        first = self.run_shell("a.db", f".load {EXTENSION}\ncreate table t(k text);\ninsert into t values ('a'), ('b');\n"
                               "create virtual table g using seen_guard(t, k);\ninsert into t values ('c');\n.dump\n")  # fmt: skip
        self.assertEqual(first.stderr, "")
        self.assertEqual(self.run_shell("b.db", first.stdout).stderr, "")
        again = self.run_shell("b.db", f".load {EXTENSION}\ninsert into t values ('d');\n"
                               "select count(*) from g where k in ('a', 'c', 'd', 'x');\n")  # fmt: skip
        self.assertEqual((again.stderr, again.stdout.strip()), ("", "3"))
        vacuumed = self.run_shell("b.db", f".load {EXTENSION}\nvacuum;\nselect count(*) from g where k in ('a', 'c', 'd', 'x');\n")
        self.assertEqual((vacuumed.stderr, vacuumed.stdout.strip()), ("", "3"))

    def test_the_readme_is_true(self):
        """Its SQL is one session of the shell, its `-->` what the shell says then; its Python is run too."""
        with open(os.path.join(HERE, "README.md"), encoding="utf-8") as file:
            readme = file.read()
        shutil.copy(EXTENSION, self.path("seen_sqlite.so"))
        blocks = re.findall(r"```sql\n(.*?)```", readme, re.S)
        wanted, lines = [], []
        for line in "".join(blocks).splitlines():
            if line.startswith("--> "):
                wanted.append(line.removeprefix("--> "))
            else:
                lines.append(line)
        self.assertGreater(len(wanted), 8)
        done = self.run_shell("readme.db", "\n".join(lines))
        self.assertEqual((done.stderr, done.stdout.splitlines()), ("", wanted))
        for block in re.findall(r"```python\n(.*?)```", readme, re.S):
            done = subprocess.run([sys.executable, "-B", "-c", block], capture_output=True, text=True, check=False, cwd=self.folder)
            self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        print("skipped: sqlite: this Python was built without loading of extensions")
        sys.exit(77)
    if shutil.which("sqlite3") is None:
        print("skipped: sqlite: the sqlite3 shell is not installed")
        sys.exit(77)
    unittest.main()
