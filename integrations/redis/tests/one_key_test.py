"""`seen redis` from outside: filters in one key of a server that is no cluster, and of `seen serve`."""

import os

import over_redis
from fake import Fake
from over_redis import MODULE, RedisTest
from resp import Error, Server, Status
from serving import Serving
from support import SEEN, lines


class OfOneKey(RedisTest):
    """A server that is no cluster."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server(MODULE)
        cls.addClassCleanup(cls.server.end)
        cls.r = cls.server.connect()

    def setUp(self):
        super().setUp()
        self.url = "unix:" + self.server.path
        self.r("CONFIG", "SET", "requirepass", "")
        self.r("FLUSHALL")

    def test_a_server_alone_is_a_cluster_of_one(self):
        self.reserve("f")
        self.assertEqual(len(self.r("KEYS", "*")), 4)
        self.add("f", *range(500))
        self.assertEqual(self.count("f", *range(1000)), 500)
        self.redis("drop", "f", out=b"", err="")
        self.assertEqual(self.r("KEYS", "*"), [])

    def test_an_ordinary_key(self):
        self.reserve("f", "--one-key")
        self.assertEqual(self.r("KEYS", "*"), [b"f"])
        self.add("f", "alice", "bob")
        self.assertEqual(self.r("BF.MEXISTS", "f", "alice", "carol"), [1, 0])
        self.redis("query", "f", stdin=lines("alice", "carol", "bob"), out=lines("alice", "bob"), err="")
        self.assertEqual(self.redis("info", "f", "--json").json()["keys"], 2)
        self.denies("f: is there already", "reserve", "--one-key", "f", "-n", 5)
        self.redis("dump", "f", "-o", "f.seen", out=b"", err="")
        self.seen("query", "f.seen", stdin=lines("alice", "carol", "bob"), out=lines("alice", "bob"))
        self.redis("load", "g", "f.seen", out=b"", err="")
        self.assertEqual(self.r("BF.MADD", "g", "alice", "carol"), [0, 1])
        self.denies(r"g: is there already \(--replace overwrites it\)\n$", "load", "g", "f.seen")
        self.denies(r"f.seen: exists already \(-o takes a name that is free\)\n$", "dump", "f", "-o", "f.seen")
        self.redis("load", "g", "f.seen", "--replace", out=b"", err="")
        self.assertEqual(self.r("BF.MEXISTS", "g", "alice", "carol"), [1, 0])
        self.redis("merge", "-q", "h", "f", "g", out=b"", err="")
        self.assertEqual(self.r("BF.MEXISTS", "h", "alice", "bob", "carol"), [1, 1, 0])
        self.redis("drop", "f", out=b"", err="")
        self.assertEqual(self.r("EXISTS", "f"), 0)
        self.denies("more than the 1073741824 of one key", "reserve", "--one-key", "f", "-n", "2G")

    def test_the_parts_of_another_maker_stay(self):
        """Who makes the same filter at the same time may have keys in it the moment after it was seen empty."""
        record = {}

        def at_once(words):
            if words[0] == b"BF.RESERVE" and b"/like-" not in words[1]:
                return Error("ERR item exists")
            if words[0] == b"HSET":
                record.update(zip(words[2::2], words[3::2]))
            about = {b"TYPE": Status("none"), b"BF.INFO": [b"Capacity", 7, b"Number of items inserted", 0], b"BF.DEBUG": [b"size:0"], b"DEL": 1, b"HSETNX": 0,
                     b"HSET": 7, b"HGETALL": [b"format", b"seen-cluster-1"], b"BF.RESERVE": Status("OK")}  # fmt: skip
            return about.get(words[0], Error("ERR unknown command"))

        with Fake(at_once) as fake:
            self.url = fake.url
            self.reserve("f", "--parts", 2)
            self.assertEqual([words[1] for words in fake.heard if words[0] == b"DEL" and b"/like-" not in words[1]], [])
            self.assertEqual(record[b"parts"], b"2")

    def test_pieces_that_do_not_belong_together_are_no_file(self):
        self.reserve("f", "--one-key")
        r = self.server.connect()
        head, file = (r("BF.SCANDUMP", "f", i)[1] for i in (0, 1))
        readings = []

        def changes(words):
            if words[0] == b"BF.SCANDUMP" and words[2] == b"0":
                readings.append(words)
                return [1, head]
            if words[0] == b"BF.SCANDUMP":
                torn = file if len(readings) == bad + 1 else file[:-1] + bytes([file[-1] ^ 1])
                return [1 + len(file), torn] if words[2] == b"1" else [0, b""]
            return Status("MBbloom--") if words[0] == b"TYPE" else Error("ERR unknown command")

        with Fake(changes) as fake:
            self.url, bad = fake.url, 9
            self.denies("f: was added to between its pieces 3 times, or is corrupt: ", "dump", "f", "-o", "f.seen")
            self.assertEqual(len(readings), 3)
            readings.clear()
            bad = 2
            self.redis("dump", "f", "-o", "f.seen", out=b"", err="")
        self.assertEqual(self.read("f.seen"), file)

    def test_cuckoo_and_static_filters(self):
        self.r("CF.RESERVE", "c", 1000)
        self.add("c", "alice", "alice", "bob")
        self.assertEqual((self.r("CF.COUNT", "c", "alice"), self.count("c", "alice", "bob", "carol")), (2, 2))
        self.assertEqual(self.redis("info", "c", "--json").json()["commands"], "CF")
        keys = [f"user-{i}" for i in range(3000)]
        for kind, family in (("ribbon", "seen-look"), ("blocked-bloom", "MBbloom--"), ("cuckoo", "MBbloomCF"), ("scalable-bloom", "MBbloom--")):
            self.build(kind + ".seen", *keys, options=("--kind", kind))
            self.redis("load", kind, kind + ".seen", out=b"", err="")
            self.assertEqual(self.r("TYPE", kind), family)
            more = [f"user-{i}" for i in range(9000)]
            here = self.seen("query", kind + ".seen", stdin=lines(*more))
            self.redis("query", kind, stdin=lines(*more), out=here.out)
            self.redis("dump", kind, "-o", kind + ".again", out=b"", err="")
            self.assertEqual(self.read(kind + ".again"), self.read(kind + ".seen"))
        self.denies("ribbon: is a static filter", "add", "ribbon", stdin=lines("x"))
        self.build("guava", *keys, options=("--format", "guava"))
        self.denies("guava: is of format guava, which servers of Redis do not hold", "load", "guava", "guava")
        self.build("keyed.seen", *keys, options=("--hash", "siphash-2-4", "--secret-file", self.write("secret", b"0123456789abcdef")))
        self.denies("keyed.seen: .*secret", "load", "keyed", "keyed.seen")
        self.redis("load", "keyed", "keyed.seen", "--secret-file", "secret", out=b"", err="")
        self.assertEqual(self.r("BF.MEXISTS", "keyed", *keys[:9]), [1] * 9)

    def test_chunks_of_redisbloom(self):
        self.r("BF.RESERVE", "old", 0.01, 100, "KIND", "redisbloom")
        self.add("old", *range(500))
        self.redis("dump", "old", "-o", "old.chunks", out=b"", err="")
        self.assertEqual(self.info("old.chunks")["format"], "redisbloom")
        self.redis("load", "new", "old.chunks", out=b"", err="")
        for iterator in (0, 1):
            self.assertEqual(self.r("BF.SCANDUMP", "new", iterator), self.r("BF.SCANDUMP", "old", iterator))

    def test_passwords(self):
        self.reserve("f")
        self.r("CONFIG", "SET", "requirepass", "open sesame")
        self.addCleanup(self.r, "CONFIG", "SET", "requirepass", "")
        self.denies(r"NOAUTH .*\(--password-file, or REDISCLI_AUTH in the environment\)", "query", "f", "-e", "x")
        self.write("password", b"open sesame\n")
        self.redis("query", "-c", "f", "-e", "x", "--password-file", "password", status=1, out=b"0\n")
        self.write("password", b"sesame\n")
        self.assertNotIn("sesame", self.denies("WRONGPASS", "query", "f", "-e", "x", "--password-file", "password") or "")
        self.write("password", b"\n")
        self.denies("its first line is no password", "query", "f", "-e", "x", "--password-file", "password")
        self.env["REDISCLI_AUTH"] = "open sesame"
        self.redis("query", "-c", "f", "-e", "x", status=1, out=b"0\n")

    def test_addresses(self):
        for url, message in (("localhost", "say redis://"), ("rediss://x", "TLS is not spoken"), ("redis://", "say redis://"), ("redis://h:0", "host and port"),
                             ("redis://h:70000", "host and port"), ("redis://h/1", "only database 0"), ("redis://u:%4@h", "hexadecimal"), ("unix:", "say"),
                             ("redis://[::1", "host and port"), ("unix:/nowhere/at/all", "No such file"), ("redis://127.0.0.1:1", "refused"),
                             ("http://x", "say redis://")):  # fmt: skip
            self.refuses(message, "redis", "query", "--url", url, "f", "-e", "x")
        for url in ("redis:/u:sesame@h", "rediss://u:sesame@h", "http://u:sesame@h", "redis://u:sesame@[::1", "redis://u:sesame@h:0", "redis://u:sesame@127.0.0.1:1"):
            self.assertNotIn("sesame", self.seen("redis", "query", "--url", url, "f", "-e", "x", status=2).err)
        self.refuses("--timeout: 0 is not from 1", "redis", "query", "--timeout", "0", "f", "-e", "x")


class OnServe(RedisTest):
    """`seen serve` has no hashes: its filters are of one key each."""

    def setUp(self):
        super().setUp()
        self.build("users.seen", "alice", "bob", options=("-n", 1000))
        self.build("fixed.seen", "alice", "bob", options=("--kind", "ribbon"))
        os.mkdir(self.path("made"))
        server = Serving(SEEN, "users=users.seen", "fixed=fixed.seen", "-d", "made", folder=self.dir)
        self.addCleanup(server.end)
        self.url = "unix:" + server.path

    def test_filters_of_files(self):
        for name in ("users", "fixed"):
            self.redis("query", name, stdin=lines("alice", "carol", "bob"), out=lines("alice", "bob"), err="")
        self.add("users", "carol")
        self.assertEqual(self.count("users", "carol", "dave"), 1)
        self.seen("redis", "add", "--url", self.url, "fixed", stdin=lines("x"), status=2, err="seen: fixed: is a static filter.*\n")
        self.assertEqual(self.redis("info", "users", "--json").json()["keys"], 3)
        self.redis("dump", "fixed", "-o", "again.seen", out=b"", err="")
        self.assertEqual(self.read("again.seen"), self.read("fixed.seen"))
        self.seen("redis", "query", "--url", self.url, "nobody", "-e", "x", status=2, err="seen: nobody: there is no such filter.*\n")

    def test_filters_that_are_made(self):
        self.seen("redis", "reserve", "--url", self.url, "f", "-n", "100", status=2, err=r"seen: .*unknown command.*\(--one-key\)\n")
        self.reserve("g", "--one-key")
        self.add("g", "x")
        self.assertEqual(self.count("g", "x", "y"), 1)
        self.redis("load", "h", "fixed.seen", out=b"", err="")
        self.assertEqual(self.count("h", "alice", "y"), 1)


if __name__ == "__main__":
    over_redis.run()
