"""`seen redis import`: all filters of a server go to another one. The source is a server with the module, and a fake of RedisBloom and of valkey-bloom that
has the payloads and chunks which these wrote (tests/golden)."""

import over_redis
from cluster import Cluster
from fake import HANG_UP, Fake
from moving_test import ABSENT, ADDED, chunks_of, expected, golden, valkey_payload
from over_redis import MODULE, RedisTest
from resp import Error, Server, Status
from support import lines

OK = Status("OK")
NO_CLUSTER = Error("ERR This instance has cluster support disabled")


class FakeSource:
    """A server with keys: name -> (type, payload of DUMP, chunks, PTTL)."""

    def __init__(self, keys):
        self.keys = {name.encode(): row for name, row in keys.items()}

    def __call__(self, words):
        name = words[1] if len(words) > 1 else b""
        kind, payload, chunks, left = self.keys.get(name, ("none", None, None, -2))
        if words[0] == b"CLUSTER":
            return NO_CLUSTER
        if words[0] == b"SCAN":  # two pages, of which the second repeats a name, as SCAN may
            names = list(self.keys)
            half = len(names) // 2
            return [b"17", names[: half + 1]] if name == b"0" else [b"0", names[half:]]
        if words[0] == b"TYPE":
            return Status(kind)
        if words[0] == b"PTTL":
            return left
        if words[0] == b"DUMP":
            return payload
        if words[0].endswith(b".SCANDUMP") and chunks is not None:
            after = [chunk for chunk in chunks if chunk[0] > int(words[2])]
            return list(after[0]) if after else [0, b""]
        return Error(f"ERR unknown command '{words[0].decode()}'")


class Import(RedisTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.servers = [Server(MODULE, listens=True), Server(MODULE)]
        for each in cls.servers:
            cls.addClassCleanup(each.end)
        cls.old, cls.new = (each.connect() for each in cls.servers)

    def setUp(self):
        super().setUp()
        self.old("FLUSHALL")
        self.new("FLUSHALL")
        self.source, self.url = ("unix:" + each.path for each in self.servers)

    def copy(self, *options, source=None, **more):
        return self.seen("redis", "import", "--from", source or self.source, "--to", self.url, "--retry", "1", *options, **more)

    def outcomes(self, done):
        return {tuple(line.split("\t")[:3]) for line in done.out.decode().splitlines()}

    def test_all_filters_of_a_server(self):
        self.old("BF.RESERVE", "users", 0.01, 1000)
        self.old("BF.MADD", "users", *range(500))
        self.old("CF.RESERVE", "deleted", 1000)
        self.old("CF.ADD", "deleted", "x")
        self.old("BF.RESERVE", "keyed", 0.01, 100, "KEYED")
        self.old("BF.ADD", "keyed", "x")
        self.old("SET", "text", "x")
        self.old("HSET", "other", "format", "none of ours")
        self.old("PEXPIRE", "deleted", 1_000_000)
        self.build("fixed.seen", "alice", options=("--kind", "ribbon"))
        self.seen("redis", "load", "--url", self.source, "fixed", "fixed.seen")
        self.seen("redis", "reserve", "-q", "--url", self.source, "spread", "-n", "1000", "--parts", "2")
        self.seen("redis", "add", "-q", "--url", self.source, "spread", stdin=lines(*range(100)))
        names = {"users", "deleted", "keyed", "fixed", "spread"}
        looked = self.copy("--dry-run", err="seen: 7 filters: 7 to copy, 0 there already, 0 failed\n")
        self.assertEqual({name for name, _, what in self.outcomes(looked) if what == "to copy"} & names, names)
        self.assertEqual(self.new("DBSIZE"), 0)
        done = self.copy(err="seen: 7 filters: 7 copied, 0 there already, 0 failed\n")
        self.assertIn(("users", "MBbloom--", "copied"), self.outcomes(done))
        self.assertEqual(done.out.splitlines()[-1].split(b"\t")[:2], [b"spread", b"hash"])  # when its parts are there
        self.assertEqual(self.new("DBSIZE"), 7)
        self.assertEqual(self.new("BF.SCANDUMP", "users", 1), self.old("BF.SCANDUMP", "users", 1))
        self.assertEqual(self.new("BF.MEXISTS", "keyed", "x", "y"), [1, 0])
        self.assertEqual(self.new("SF.EXISTS", "fixed", "alice"), 1)
        self.assertEqual(self.count("spread", *range(100)), 100)
        self.assertTrue(900_000 < self.new("PTTL", "deleted") <= 1_000_000)
        self.assertEqual(self.new("PTTL", "users"), -1)
        # Again: nothing is overwritten.
        self.new("BF.ADD", "users", "only here")
        done = self.copy(status=1, err="seen: 7 filters: 0 copied, 7 there already, 0 failed\n")
        self.assertEqual({what for _, _, what in self.outcomes(done)}, {"is there already"})
        self.assertEqual(self.new("BF.EXISTS", "users", "only here"), 1)
        self.copy("--replace", "--match", "us*", err="seen: 1 filter: 1 copied, 0 there already, 0 failed\n")
        self.assertEqual(self.new("BF.EXISTS", "users", "only here"), 0)
        rows = [row.split(b": ")[0] for row in self.copy("--json", "-q", status=1, err="").out.splitlines()]
        self.assertEqual(len(rows), 7)
        self.assertEqual(self.old("DBSIZE"), 9)

    def test_filters_of_redisbloom_and_valkey_bloom(self):
        keys, manifests = {}, {}
        for name in ("bf_n30_p0.01_exp2_scaled.rdbdump", "bf_n137_p0.01.chunks", "cf_cap200.chunks"):
            file, manifests[name] = golden("redisbloom", name)
            refused = Error("ERR DUMP is renamed here")
            keys[name] = (("MBbloomCF" if name.startswith("cf") else "MBbloom--"), *((file, None) if name.endswith("dump") else (refused, chunks_of(file))), -1)
        # A payload of a server of the future: the chunks go instead.
        dump, manifests["newer"] = golden("redisbloom", "bf_n137_p0.01.chunks")
        keys["newer"] = ("MBbloom--", b"\x07of another version" + b"\xff" * 10, chunks_of(dump), 5_000_000)
        blob, manifests["valkey"] = golden("valkey-bloom", "n137_p0.01.blob")
        keys["valkey"] = ("bloomfltr", valkey_payload(blob), None, 5_000_000)
        keys["text"] = ("string", b"", None, -1)
        with Fake(FakeSource(keys)) as fake:
            self.copy(source=fake.url, err="seen: 5 filters: 5 copied, 0 there already, 0 failed\n")
            self.copy(source=fake.url, status=1, err="seen: 5 filters: 0 copied, 5 there already, 0 failed\n")
            self.new("BF.ADD", "newer", "only here")
            self.copy("--replace", source=fake.url, err="seen: 5 filters: 5 copied, 0 there already, 0 failed\n")
        self.assertEqual(sorted(key.decode() for key in self.new("KEYS", "*")), sorted(set(keys) - {"text"}))
        for name, manifest in manifests.items():
            ask = "CF.MEXISTS" if name.startswith("cf") else "BF.MEXISTS"
            self.assertEqual(self.new(ask, name, *ADDED[: manifest["added_count"]]), expected(manifest), name)
            self.assertEqual(self.new(ask, name, *ABSENT), [int(each) for each in manifest["absent_answers"]], name)
            left = self.new("PTTL", name)
            self.assertTrue(left == -1 if keys[name][3] == -1 else 4_000_000 < left <= 5_000_000, (name, left))

    def test_an_error_does_not_stop_the_rest(self):
        file, _ = golden("redisbloom", "bf_n30_p0.01_exp2_scaled.rdbdump")
        chunks = chunks_of(golden("redisbloom", "bf_n137_p0.01.chunks")[0])
        bad = b"\x07nonsense" + b"\0" * 10
        with Fake(FakeSource({"a": ("MBbloom--", bad, None, -1), "b": ("MBbloom--", bad, chunks[:1] + [(9, b"?")], -1), "c": ("bloomfltr", bad, None, -1),
                              "d": ("MBbloom--", file, None, -1), "e": ("MBbloom--", None, None, -1),
                              "f": ("MBbloom--", bad, [(1, chunks[0][1]), (1, b"again")], -1)})) as fake:  # fmt: skip
            done = self.copy(source=fake.url, status=2)
        self.assertEqual(self.outcomes(done), {("a", "MBbloom--", "failed"), ("b", "MBbloom--", "failed"), ("c", "bloomfltr", "failed"), ("d", "MBbloom--", "copied"),
                                               ("e", "MBbloom--", "has gone"), ("f", "MBbloom--", "failed")})  # fmt: skip
        errors = done.err.splitlines()
        self.assertRegex(errors[0], "seen: a.*unknown command 'BF.SCANDUMP'.*in one piece: ERR")
        self.assertIn("seen: c: RESTORE at ", done.err)
        self.assertEqual(errors[-2:], ["seen: 6 filters: 1 copied, 0 there already, 4 failed", "seen: import: 4 of 6 filters were not copied"])
        self.assertEqual(self.new("KEYS", "*"), [b"d"])

    def test_what_the_source_does_not_tell_is_an_error(self):
        self.old("BF.ADD", "f", "x")
        self.old("ACL", "SETUSER", "eve", "on", ">pw", "~none", "+@all")
        self.write("pw", b"pw\n")
        done = self.copy("--from-password-file", "pw", source=f"redis://eve@127.0.0.1:{self.servers[0].port}", status=2)
        self.assertEqual(self.outcomes(done), {("f", "", "failed")})
        self.assertIn("seen: f: TYPE at 127.0.0.1:", done.err)
        self.assertIn("NOPERM", done.err)

    def test_a_record_is_not_copied_without_its_parts(self):
        self.seen("redis", "reserve", "-q", "--url", self.source, "spread", "-n", "1000", "--parts", "3")
        done = self.copy("--match", "spread", status=2)
        self.assertRegex(done.err, r"seen: spread: 3 of its 3 parts are not at the new server, spread/\{\d+\} among them")
        self.assertEqual(self.new("KEYS", "*"), [])
        self.copy("--match", "spread*")
        self.assertEqual(self.new("DBSIZE"), 4)

    def test_names_stay_in_their_column(self):
        self.old("BF.ADD", "a\tb\nc", "x")
        self.assertEqual(self.outcomes(self.copy()), {("a?b?c", "MBbloom--", "copied")})

    def test_what_is_made_there_meanwhile_is_not_overwritten(self):
        file, _ = golden("redisbloom", "bf_n30_p0.01_exp2_scaled.rdbdump")
        chunks = chunks_of(golden("redisbloom", "bf_n137_p0.01.chunks")[0])
        source = FakeSource({"a": ("MBbloom--", file, None, -1), "b": ("MBbloom--", Error("ERR no"), chunks, -1)})

        def target(words):
            if words[0] == b"CLUSTER":
                return NO_CLUSTER
            if words[0] == b"RESTORE":
                return Error("BUSYKEY Target key name already exists.") if len(words) == 4 else OK
            replies = {b"EXISTS": 0, b"DEL": 1, b"RENAMENX": 0, b"BF.INFO": []}
            return replies.get(words[0], OK)

        with Fake(source) as one, Fake(target) as other:
            self.url = other.url
            done = self.copy(source=one.url, status=1)
            self.assertEqual(self.outcomes(done), {("a", "MBbloom--", "is there already"), ("b", "MBbloom--", "is there already")})
            done = self.copy("--replace", source=one.url)
            self.assertEqual(self.outcomes(done), {("a", "MBbloom--", "copied"), ("b", "MBbloom--", "copied")})

    def test_what_an_interrupted_import_left_is_not_in_the_way(self):
        chunks = chunks_of(golden("redisbloom", "bf_n137_p0.01.chunks")[0])
        source = FakeSource({"f": ("MBbloom--", Error("ERR no"), chunks, -1)})
        pages = iter(range(10))

        def ends_in_the_middle(words):
            return HANG_UP if words[0] == b"BF.SCANDUMP" and words[2] != b"0" and next(pages) < 10 else source(words)

        with Fake(ends_in_the_middle) as fake:
            self.copy(source=fake.url, status=2)
        # As if it had been killed: the head is there, under another name.
        aside = next(iter(self.new("KEYS", "*")), b"{1}:seen-import:f")
        self.new("DEL", aside)
        self.new("BF.LOADCHUNK", aside, 1, chunks[0][1])
        self.assertEqual(self.new("EXISTS", "f"), 0)
        with Fake(source) as fake:
            self.copy(source=fake.url)
        self.assertEqual(self.new("BF.SCANDUMP", "f", 0), [1, chunks[0][1]])

    def test_servers_that_are_not_there(self):
        self.refuses("--from: /nowhere: No such file", "redis", "import", "--from", "unix:/nowhere", "--to", self.url)
        self.refuses("--to: /nowhere: No such file", "redis", "import", "--from", self.url, "--to", "unix:/nowhere")
        self.refuses("--to TO? ?is required|--to is required", "redis", "import", "--from", self.url)


class ToCluster(RedisTest):
    def test_filters_go_to_the_nodes_of_their_slots_and_come_from_all(self):
        with Cluster(MODULE) as cluster, Server(MODULE) as alone:
            r = alone.connect()
            for i in range(30):
                r("BF.RESERVE", f"filter-{i}", 0.01, 100)
                r("BF.ADD", f"filter-{i}", "x")
            self.url = f"redis://127.0.0.1:{cluster.nodes[0].port}"
            self.seen("redis", "import", "--from", "unix:" + alone.path, "--to", self.url, err="seen: 30 filters: 30 copied, .*\n")
            for i in range(30):
                self.assertEqual(cluster.owner(cluster.slot(f"filter-{i}")).told("BF.EXISTS", f"filter-{i}", "x"), 1)
            r("FLUSHALL")
            self.seen("redis", "import", "--from", self.url, "--to", "unix:" + alone.path, err="seen: 30 filters: 30 copied, .*\n")
            self.assertEqual(r("DBSIZE"), 30)


if __name__ == "__main__":
    over_redis.run()
