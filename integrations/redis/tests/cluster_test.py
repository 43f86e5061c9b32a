"""One filter over a cluster, by the Python package: what it holds and answers, while slots move, primaries fall and servers are killed.

SEEN is the command, whose filters are the same ones.
SEEN_REDIS_KEYS is the number of keys of the tests of the rate, 10^6 unless it says otherwise."""

import packaged

packaged.enter()

import contextlib
import json
import os
import random
import subprocess
import tempfile
import threading
import unittest
from unittest import mock

import case
import numpy as np
import redis
import resp
import seenfilter as seen
from case import MODULE
from cluster import Cluster
from fake import Fake, Raw
from seenfilter.redis import (
    ClusterFilter, FilterExists, LostPart, NoSuchFilter, NotReplicated, Refused, Unreachable, _layout, _making, _pipeline,
)  # fmt: skip

KEYS = int(float(os.environ.get("SEEN_REDIS_KEYS", 1e6)))


class OnCluster(unittest.TestCase):
    """Tests of one cluster, which begin without keys. It stays for the next class."""

    # Every command is in the log's file before it is replied to; a server that is killed needs no more than that.
    replicas, timeout, options = 0, 5000, ("--appendonly", "yes", "--appendfsync", "no")
    clusters = {}

    @classmethod
    def setUpClass(cls):
        if cls.replicas not in cls.clusters:
            cls.clusters[cls.replicas] = Cluster(MODULE, replicas=cls.replicas, timeout=cls.timeout, options=cls.options)
            unittest.addModuleCleanup(cls.clusters[cls.replicas].end)
        cls.cluster = cls.clusters[cls.replicas]
        cls.client = cls.connect()

    @classmethod
    def connect(cls, **how):
        client = redis.RedisCluster(host="127.0.0.1", port=cls.cluster.nodes[0].port, **how)
        cls.addClassCleanup(client.close)
        return client

    def setUp(self):
        for node in self.cluster.primaries():
            node.told("FLUSHALL")
        folder = tempfile.TemporaryDirectory(prefix="seen-cluster-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def tearDown(self):
        for node in self.cluster.nodes:
            self.assertTrue(node.is_alive(), node.log()[-3000:])

    def owner(self, key):
        return self.cluster.owner(self.cluster.slot(key))

    def keys(self):
        """All keys of the cluster."""
        return sorted(key.decode() for node in self.cluster.primaries() for key in node.told("KEYS", "*"))

    @contextlib.contextmanager
    def meanwhile(self, work):
        """Calls work(n) for n = 0, 1, … in a thread, twice at least, until the block ends; what it raises is raised here."""
        raised, turns, ended = [], threading.Semaphore(0), threading.Event()

        def run():
            n = 0
            try:
                while not ended.is_set() or n < 2:
                    work(n)
                    n += 1
                    turns.release()
            except BaseException as e:
                raised.append(e)
                turns.release(1000)

        thread = threading.Thread(target=run)
        thread.start()
        try:
            yield turns
        finally:
            ended.set()
            thread.join()
        if raised:
            raise raised[0]


class Layout(OnCluster):
    def test_record_and_parts_are_where_the_documents_say(self):
        f = ClusterFilter.reserve(self.client, "f", 10_000, 0.02, parts=7, options="KIND  bloom")
        record = {b"format": b"seen-cluster-1", b"parts": b"7", b"capacity": b"10000", b"error": b"0.02", b"seed": b"7365656e2e707274",
                  b"command": b"BF", b"options": b"KIND bloom"}  # fmt: skip
        self.assertEqual(self.client.hgetall("f"), record)
        slots = [(2 * i + 1) * 16384 // 14 for i in range(7)]
        wanted = []
        for slot in slots:
            tag = next(t for t in range(10**6) if self.client.keyslot(str(t)) == slot)
            wanted.append(f"f/{{{tag}}}")
        self.assertEqual([part.key for part in f.info().parts], wanted)
        self.assertEqual([part.slot for part in f.info().parts], slots)
        self.assertEqual([self.cluster.slot(key) for key in wanted], slots)
        self.assertEqual(self.keys(), sorted([*wanted, "f"]))
        # 10000/7 + 4 root of it, rounded up
        self.assertEqual({part.capacity for part in f.info().parts}, {1580})

    def test_every_number_of_parts_has_its_slots(self):
        smallest = {}
        for number in range(10**6):
            smallest.setdefault(self.client.keyslot(str(number)), str(number))
            if len(smallest) == 16384:
                break
        for parts in (1, 2, 3, 9, 1000, 16384):
            self.assertEqual(list(_layout.tags(parts)), [smallest[(2 * i + 1) * 16384 // (2 * parts)] for i in range(parts)])
        self.assertEqual(_layout.tags(3), ("21418", "8209", "16418"))

    def test_a_key_is_in_the_part_of_its_digest(self):
        for seed in (_layout.SEED, 2**64 - 1):
            f = ClusterFilter.reserve(self.client, f"f{seed}", 1000, 1e-6, parts=5, seed=seed)
            parts = [part.key for part in f.info().parts]
            for key, raw in (("alice", b"alice"), ("ä", b"\xc3\xa4"), (b"\0\r\n", b"\0\r\n"), ("", b""), (7, b"\7" + b"\0" * 7), (-1, b"\xff" * 8)):
                f.add(key)
                home = seen.digest(raw, hash="xxh3-64", seed=seed) * 5 >> 64
                self.assertEqual([self.client.execute_command("BF.EXISTS", part, raw) for part in parts], [i == home for i in range(5)], key)


class Keys(OnCluster):
    def test_what_was_added_is_there(self):
        f = ClusterFilter.reserve(self.client, "f", 5000, 1e-6)
        mixed = ["", "text", b"\xff\r\n$", "ä" * 1000, 1, -1, 2**63]
        batches = [mixed, range(2, 502), np.arange(1000, 1500, dtype=np.uint16), np.array([b"fixed", b"s"]), [b"x" * 2_000_000]]
        for batch in batches:
            self.assertFalse(f.may_contain_many(batch).any())
            f.add_many(iter(batch) if batch is mixed else batch)
            self.assertTrue(f.may_contain_many(batch).all())
        f.update(["one"], ["two"])
        f.add("alone")
        for key in ("one", "two", "alone", "", 1, np.int64(501)):
            self.assertIn(key, f)
        for key in ("three", None, 502):
            self.assertNotIn(key, f)
            self.assertIs(f.may_contain(key), False)
        self.assertEqual(len(f), len(mixed) + 500 + 500 + 2 + 1 + 3)
        self.assertEqual(f.estimated_count(), len(f))
        self.assertEqual((f.test_and_add("new"), f.test_and_add("new")), (False, True))
        self.assertTrue(bool(ClusterFilter.reserve(self.client, "empty", 10)))
        f.add_many([])
        self.assertEqual(len(f.may_contain_many([])), 0)

    def test_answers_come_in_the_order_of_the_keys(self):
        f = ClusterFilter.reserve(self.client, "f", 200_000, 1e-6, parts=13)
        there = np.random.default_rng(7).random(200_000) < 0.5
        f.add_many(np.flatnonzero(there))
        answers = f.may_contain_many(np.arange(200_000))
        self.assertEqual(answers.dtype, np.bool_)
        self.assertTrue(answers[there].all())
        self.assertLess(answers[~there].sum(), 20)
        texts = [str(i) if i % 3 else None for i in range(3000)]
        f.add_many(text for text in texts[:1500] if text)
        self.assertEqual(f.may_contain_many(iter(texts)).tolist(), [i < 1500 and i % 3 != 0 for i in range(3000)])
        out = np.ones(4, bool)
        self.assertIs(f.may_contain_many(["1", "x", None, "2"], out=out), out)
        self.assertEqual(out.tolist(), [True, False, False, True])
        with self.assertRaisesRegex(ValueError, "3 places for 2 keys"):
            f.may_contain_many(["a", "b"], out=np.ones(3, bool))
        with self.assertRaises(TypeError):
            f.may_contain_many(["a"], out=np.ones(1))

    def test_what_is_no_key_is_refused_and_what_came_before_is_in(self):
        f = ClusterFilter.reserve(self.client, "f", 50_000, 1e-6)
        for bad in (None, 1.5, True, 2**64):
            with self.assertRaisesRegex((TypeError, OverflowError), "20000"):
                f.add_many([*range(20_000), bad, "after"])
            self.assertTrue(f.may_contain_many(range(20_000)).all())
            self.assertNotIn("after", f)
        with self.assertRaises(TypeError):
            f.add("text", "more")
        with self.assertRaises(TypeError):
            f.add_many("text")
        with self.assertRaisesRegex(TypeError, "key 1"):
            f.may_contain_many(["a", 1.5])

    def test_long_keys_are_read_a_few_at_a_time(self):
        keys = (b"%07d" % i * 150_000 for i in range(300))  # a megabyte each
        router = seen._core.Router(keys, 3, 0, False)
        read = [0]
        while (turn := router.turn(1 << 16)) is not None:
            read.append(turn[0])
        self.assertEqual(read[-1], 300)
        self.assertLessEqual(max(b - a for a, b in zip(read, read[1:])), 64 + 64)

    def test_the_rate_is_that_of_one_filter(self):
        for options, keys in (("", KEYS), ("NONSCALING", KEYS // 10)):
            with self.subTest(options):
                f = ClusterFilter.reserve(self.client, "f" + options, keys, 0.01, options=options)
                f.add_many(np.arange(keys))
                self.assertTrue(f.may_contain_many(np.arange(keys)).all())
                f.dump(f"{self.folder}/f{options}")
                parts = [seen.load(f"{self.folder}/f{options}/part-{i:05}.seen") for i in range(f.parts)]
                expected = sum(part.estimated_fpr() for part in parts) / f.parts
                hits = int(f.may_contain_many(np.arange(keys, 2 * keys)).sum())
                # Six sigma of a binomial: wrongly red once in 5 * 10^8 runs.
                self.assertLess(abs(hits - keys * expected), 6 * (keys * expected) ** 0.5, (hits / keys, expected))
                self.assertLess(hits, keys * 0.01 + 6 * (keys * 0.01) ** 0.5)

    def test_other_clients_and_protocols(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, 1e-6)
        f.add_many(range(100))
        for how in ({"protocol": 3}, {"protocol": 2, "decode_responses": True}):
            g = ClusterFilter.open(self.connect(**how), "f")
            self.assertEqual(g.may_contain_many(range(200)).tolist(), [True] * 100 + [False] * 100)
            self.assertEqual((g.info(), len(g)), (f.info(), 100))
            self.assertEqual((g.test_and_add(5), g.test_and_add("new")), (True, False))
            g.dump(f"{self.folder}/{how['protocol']}")
            g = ClusterFilter.load(g._pipeline.nodes.client, f"{self.folder}/{how['protocol']}", f"g{how['protocol']}")
            self.assertEqual(len(g), 101)
            self.client.execute_command("FLUSHALL", target_nodes="primaries")
            f = ClusterFilter.reserve(self.client, "f", 1000, 1e-6)
            f.add_many(range(100))

    def test_a_server_alone_is_a_cluster_of_one(self):
        with resp.Server(MODULE) as server, redis.Redis(unix_socket_path=server.path) as client:
            f = ClusterFilter.reserve(client, "f", 1000, 1e-6)
            f.add_many(range(1000))
            self.assertEqual((f.parts, f.may_contain_many(range(500, 1500)).sum(), len(ClusterFilter.open(client, "f"))), (3, 500, 1000))
            f.dump(f"{self.folder}/f")
        g = ClusterFilter.load(self.client, f"{self.folder}/f")
        self.assertEqual(g.may_contain_many(range(500, 1500)).sum(), 500)
        with redis.Redis(port=self.cluster.nodes[0].port) as alone, self.assertRaisesRegex(seen.Unsupported, "a node of a cluster"):
            "x" in ClusterFilter(g._record, _pipeline.Pipeline(alone, patience=5))  # noqa: B015


class Errors(OnCluster):
    def refused(self, kind, says, call, *words, **named):
        with self.assertRaisesRegex(kind, says):
            call(*words, **named)

    def test_arguments(self):
        make = ClusterFilter.reserve
        for words, named, kind, says in (
            (("", 10), {}, seen.InvalidArgument, "empty"),
            (("a{b", 10), {}, seen.InvalidArgument, "'a{b' is one with braces"),
            (("a}b", 10), {}, seen.InvalidArgument, "braces"),
            ((7, 10), {}, TypeError, "str is wanted, not int"),
            (("f", 0), {}, seen.InvalidArgument, "capacity: 0 is not"),
            (("f", 1.5), {}, seen.InvalidArgument, "capacity: a whole number is wanted, not 1.5"),
            (("f", float("inf")), {}, seen.InvalidArgument, "whole number"),
            (("f", 10, 0), {}, seen.InvalidArgument, "fpr: 0.0 is not between"),
            (("f", 10, 1), {}, seen.InvalidArgument, "fpr: 1.0 is not between"),
            (("f", 10, float("nan")), {}, seen.InvalidArgument, "fpr: nan"),
            (("f", 10), {"parts": 0}, seen.InvalidArgument, "parts: 0 is not a number from 1 to 16384"),
            (("f", 10), {"parts": 16385}, seen.InvalidArgument, "parts: 16385"),
            (("f", 10), {"seed": 2**64}, seen.InvalidArgument, "seed"),
            (("f", 10**10), {"parts": 9}, seen.TooLarge, "10000000000 over 9 parts are 1111244445 keys a part, .* 1073741824: at least 10 parts"),
            (("f", 2**62), {}, seen.TooLarge, "too much for 16384 parts"),
            (("f", 10), {"options": "KEYED SECRET " + "0f" * 16}, seen.InvalidArgument, "SECRET is not for"),
            (("f", 10), {"options": "NONSCALING nonsense"}, seen.InvalidArgument, r"f: part 0 of 9 \(f/\{\d+\}, slot 910\) on 127.0.0.1:\d+: "),
            (("f", 10), {"options": "KIND ribbon"}, seen.InvalidArgument, "built of all its keys at once"),
        ):  # fmt: skip
            with self.subTest(words=words, named=named):
                self.refused(kind, says, make, self.client, *words, **named)
                self.assertEqual(self.keys(), [])
        self.refused(TypeError, "a redis.RedisCluster or a redis.Redis is wanted, not str", make, "localhost", "f", 10)
        # Ten billion keys have more parts than three for each primary.
        self.assertEqual(_making.planned("f", 10**10, 0.01, None, "", 0, 3).parts, 150)

    def test_no_such_filter_and_one_that_is_there(self):
        self.refused(NoSuchFilter, "nobody: there is no such filter", ClusterFilter.open, self.client, "nobody")
        self.assertTrue(issubclass(NoSuchFilter, (seen.Error, LookupError)))
        self.client.set("text", "x")
        self.refused(seen.WrongKind, "text on 127.0.0.1:.*WRONGTYPE", ClusterFilter.open, self.client, "text")
        self.refused(seen.WrongKind, "text on", ClusterFilter.reserve, self.client, "text", 10)
        self.client.hset("hash", "a", "b")
        self.refused(NoSuchFilter, "not the record", ClusterFilter.open, self.client, "hash")
        self.refused(FilterExists, "hash: it is there", ClusterFilter.reserve, self.client, "hash", 10)
        f = ClusterFilter.reserve(self.client, "f", 10)
        self.refused(FilterExists, "f: it is there already, made for 10 keys", ClusterFilter.reserve, self.client, "f", 20)
        f.add("x")
        f.delete()
        self.assertEqual(self.keys(), ["hash", "text"])
        for call in (len, f.info, lambda: "x" in f, lambda: f.add("x"), lambda: f.dump(self.folder + "/f")):
            with self.assertRaisesRegex(NoSuchFilter, "f: there is no such filter"):
                call(f) if call is len else call()
        self.assertEqual(self.keys(), ["hash", "text"])
        self.assertEqual(os.listdir(self.folder), [])

    def test_records_that_lie(self):
        ClusterFilter.reserve(self.client, "f", 10)
        good = self.client.hgetall("f")
        for field, value, kind, says in (
            ("format", "seen-cluster-2", seen.NewerVersion, "'seen-cluster-2', and this release knows 'seen-cluster-1'"),
            ("command", "CF", seen.NewerVersion, "'CF'"),
            ("parts", "0", seen.CorruptFile, "parts: 0 is not"),
            ("parts", "16385", seen.CorruptFile, "parts: 16385 is not"),
            ("parts", "9" * 30, seen.CorruptFile, "not a whole number"),
            ("parts", "-3", seen.CorruptFile, "'-3' is not a whole number"),
            ("capacity", "many", seen.CorruptFile, "capacity: 'many'"),
            ("error", "2", seen.CorruptFile, "error: '2'"),
            ("error", "nan", seen.CorruptFile, "error: 'nan'"),
            ("seed", "xyz", seen.CorruptFile, "seed: 'xyz'"),
        ):  # fmt: skip
            with self.subTest(field=field, value=value):
                self.client.hset("f", field, value)
                self.refused(kind, says, ClusterFilter.open, self.client, "f")
                self.client.hset("f", mapping=good)
        self.client.hset("f", "colour", "red")
        f = ClusterFilter.open(self.client, "f")
        f.dump(self.folder + "/f")
        f.delete()
        ClusterFilter.load(self.client, self.folder + "/f")
        self.assertEqual(self.client.hget("f", "colour"), b"red")
        for field in good:
            self.client.hdel("f", field)
            with self.assertRaises(NoSuchFilter):
                ClusterFilter.open(self.client, "f")
            self.client.hset("f", mapping=good)

    def test_a_part_that_was_lost_is_an_error_and_never_no(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, 0.001)
        g = ClusterFilter.reserve(self.client, "g", 1000, 0.001)
        f.add_many(range(1000))
        lost = f.info().parts[4]
        self.owner(lost.key).told("DEL", lost.key)
        says = rf"f: part 4 of 9 \(f/\{{\d+\}}, slot {lost.slot}\) is not there on {lost.node}: what it held is lost"
        gone = next(key for key in range(1000) if seen.digest(key, hash="xxh3-64", seed=_layout.SEED) * 9 >> 64 == 4)
        for call in (lambda: gone in f, lambda: f.may_contain_many(range(1000)), lambda: f.add(gone), lambda: f.test_and_add(gone),
                     lambda: len(f), f.info, lambda: f.dump(self.folder + "/f"), lambda: g.merge(f), lambda: f.merge(g),
                     lambda: g.union("u", f), lambda: f.union("u", g)):  # fmt: skip
            with self.assertRaisesRegex(LostPart, says):
                call()
        self.assertEqual((len(g), os.listdir(self.folder)), (0, []))
        self.assertNotIn("u", self.keys())
        self.assertNotIn(lost.key, self.keys())
        # A server answers no, too, where there is a key of another sort.
        for make in (("SET", lost.key, "text"), ("CF.RESERVE", lost.key, 1000)):
            self.owner(lost.key).told(*make)
            for call in (lambda: gone in f, lambda: f.may_contain_many(range(1000)), lambda: f.add(gone), lambda: len(f), f.info):
                with self.assertRaisesRegex(seen.WrongKind, r"f: part 4 of 9 .* on 127.0.0.1"):
                    call()
            self.owner(lost.key).told("DEL", lost.key)
        # Others still answer, and nobody makes a filter of that name over what is left.
        self.assertIn(next(key for key in range(1000) if seen.digest(key, hash="xxh3-64", seed=_layout.SEED) * 9 >> 64 == 3), f)
        self.refused(FilterExists, "f: it is there already", ClusterFilter.reserve, self.client, "f", 1000, 0.001)

    def test_a_filter_of_fixed_size_that_is_full(self):
        f = ClusterFilter.reserve(self.client, "f", 100, 0.001, options="NONSCALING", parts=3)
        self.refused(seen.Full, r"f: part \d of 3 .* is full", f.add_many, range(10_000))
        self.assertIn(0, f)
        f = ClusterFilter.reserve(self.client, "g", 100, 0.001, parts=3)
        f.add_many(range(10_000))
        self.assertTrue(f.may_contain_many(range(10_000)).all())

    def test_no_memory_leaves_nothing_behind(self):
        node = self.cluster.nodes[1]
        node.told("CONFIG", "SET", "maxmemory", "50mb")
        try:
            self.refused(seen.OutOfMemory, "f: part 5 of 15", ClusterFilter.reserve, self.client, "f", 10**9)
        finally:
            node.told("CONFIG", "SET", "maxmemory", "0")
        self.assertEqual(self.keys(), [])

    def test_servers_without_the_module_say_so(self):
        path = os.path.join(self.folder, "socket")
        words = [resp.find_server(), "--port", "0", "--unixsocket", path, "--save", "", "--dir", self.folder]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, preexec_fn=resp.die_with_the_test) as server:
            self.cluster.wait(lambda: os.path.exists(path), "no server")
            with redis.Redis(unix_socket_path=path) as client:
                self.refused(seen.Unsupported, "no module seen.so: unknown command 'BF.RESERVE'", ClusterFilter.reserve, client, "f", 10)
            server.kill()

    def test_a_client_without_rights_and_a_server_of_something_else(self):
        with resp.Server(MODULE) as server:
            admin = redis.Redis(unix_socket_path=server.path)
            ClusterFilter.reserve(admin, "f", 10)
            admin.execute_command("ACL", "SETUSER", "eve", "on", ">pw", "~*", "+@all", "-hgetall")
            admin.execute_command("ACL", "SETUSER", "reader", "on", ">pw", "~*", "+@all", "-unlink")
            eve, stranger, reader = (redis.Redis(unix_socket_path=server.path, username=user, password=word, retry=None)
                                     for user, word in (("eve", "pw"), ("eve", "x"), ("reader", "pw")))  # fmt: skip
            self.refused(Refused, f"f on {server.path}: .*no permissions to run the 'hgetall'", ClusterFilter.open, eve, "f")
            self.refused(Refused, f"{server.path}: invalid username-password pair", ClusterFilter.open, stranger, "f")
            self.refused(Refused, f"f on {server.path}: .*'unlink'", ClusterFilter.open(reader, "f").delete)
        with Fake(lambda words: Raw(b"HTTP/1.1 400 Bad Request\r\n\r\n")) as web:
            client = redis.Redis(unix_socket_path=web.path, retry=None)
            self.refused(seen.Unsupported, f"{web.path}: this is no server of Redis: ", ClusterFilter.open, client, "f")

    def test_a_node_that_does_not_come_back(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, parts=3)
        short = ClusterFilter.open(self.connect(), "f", patience=0.5)
        part = f.info().parts[1]
        node = self.owner(part.key)
        node.kill()
        try:
            for call in (lambda: short.add_many(range(100)), lambda: short.may_contain_many(range(100)), short.info):
                with self.assertRaisesRegex(Unreachable, f"gave up after 0.5 s on .* slot {part.slot}") as caught:
                    call()
                self.assertIsInstance(caught.exception, ConnectionError)
                self.assertIsNotNone(caught.exception.__cause__)
        finally:
            node.restart()
            self.cluster.wait(self.cluster.is_whole, "the node does not come back")
        short.add_many(range(100))
        self.assertTrue(short.may_contain_many(range(100)).all())

    def test_fewer_replicas_than_wanted(self):
        f = ClusterFilter.reserve(self.client, "f", 1000)
        g = ClusterFilter.open(self.client, "f", wait=1, wait_ms=10)
        self.refused(NotReplicated, "0 of 1 replicas of 127.0.0.1:.* have what was written, after 10 ms", g.add, "x")
        self.assertIn("x", f)


class Making(OnCluster):
    def test_one_that_was_left_half_made_is_finished(self):
        for step in ("write_record", "HSET"):
            for options in ("", "NONSCALING", "KIND bloom"):
                with self.subTest(step=step, options=options):
                    name = step + options
                    with mock.patch.object(_making, "write_record", side_effect=SystemExit), self.assertRaises(SystemExit):
                        ClusterFilter.reserve(self.client, name, 1000, 0.01, options=options)
                    if step == "HSET":
                        self.client.hset(name, "format", "seen-cluster-1")
                    with self.assertRaises(NoSuchFilter):
                        ClusterFilter.open(self.client, name)
                    before = self.keys()
                    for capacity, fpr, other in ((2000, 0.01, options), (1000, 0.02, options), (1000, 0.01, "EXPANSION 3")):
                        with self.assertRaisesRegex(FilterExists, "is not an empty part of such a filter"):
                            ClusterFilter.reserve(self.client, name, capacity, fpr, options=other)
                        self.assertEqual(self.keys(), before)
                    f = ClusterFilter.reserve(self.client, name, 1000, 0.01, options=options)
                    self.assertEqual(self.keys(), sorted({*before, name}))
                    f.add("x")
                    self.assertIn("x", ClusterFilter.open(self.client, name))

    def test_parts_that_hold_keys_are_nobody_else_s(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, 0.01)
        f.add_many(range(10))
        self.client.delete("f")  # the record was lost
        before = self.keys()
        with self.assertRaisesRegex(FilterExists, "not an empty part"):
            ClusterFilter.reserve(self.client, "f", 1000, 0.01)
        self.client.set(f._record.keys[0], "text")
        with self.assertRaises(seen.WrongKind):
            ClusterFilter.reserve(self.client, "f", 1000, 0.01)
        self.assertEqual(self.keys(), before)

    def test_a_record_that_somebody_has_written_meanwhile_stays(self):
        def overtake(*_):
            self.client.hset("f", mapping={**_layout.Record("f", 3, 77, "0.5").fields})

        with mock.patch.object(_making, "_check_alike", overtake), self.assertRaisesRegex(FilterExists, "f: somebody else has made it just now"):
            ClusterFilter.reserve(self.client, "f", 1000)
        self.assertEqual(self.client.hget("f", "capacity"), b"77")

    def test_a_union_or_a_load_that_cannot_be_written_leaves_no_parts(self):
        f = ClusterFilter.reserve(self.client, "f", 1000)
        f.dump(self.folder + "/f")
        before = self.keys()
        for make in (lambda: f.union("u"), lambda: ClusterFilter.load(self.client, self.folder + "/f", "u")):
            with mock.patch.object(_making, "write_record", side_effect=Unreachable), self.assertRaises(Unreachable):
                make()
            self.assertEqual(self.keys(), before)

    def test_two_makers_at_once(self):
        outcomes = []

        def make(capacity):
            try:
                outcomes.append(ClusterFilter.reserve(self.connect(), "f", capacity, parts=9).capacity)
            except FilterExists:
                outcomes.append(None)

        threads = [threading.Thread(target=make, args=(capacity,)) for capacity in (1000, 2000)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        made = [outcome for outcome in outcomes if outcome]
        self.assertLessEqual(len(made), 1)
        for capacity in made:
            f = ClusterFilter.open(self.client, "f")
            self.assertEqual((f.capacity, {part.capacity for part in f.info().parts}), (capacity, {_layout.part_capacity(capacity, 9)}))

    def test_merge_and_union(self):
        for options in ("", "NONSCALING", "KIND bloom"):
            with self.subTest(options):
                a, b, c = (ClusterFilter.reserve(self.client, name + options, 3000, 1e-6, options=options) for name in "abc")
                a.add_many(range(1000))
                b.add_many(range(500, 1500))
                c.add_many(range(1500, 2000))
                u = a.union("u" + options, b, c)
                self.assertEqual(u.may_contain_many(range(4000)).sum(), 2000)
                self.assertEqual((len(a), len(b), len(c)), (1000, 1000, 500))
                self.assertEqual(ClusterFilter.open(self.client, "u" + options).capacity, 3000)
                a.merge(b)
                self.assertEqual(a.may_contain_many(range(4000)).sum(), 1500)
                a.update(c, ["x"])
                a.merge(a)
                a.merge()
                self.assertEqual((a.may_contain_many(range(4000)).sum(), "x" in a, b.may_contain_many(range(4000)).sum()), (2000, True, 1000))
                with self.assertRaises(FilterExists):
                    a.union("b" + options)
        d = {what: ClusterFilter.reserve(self.client, what, **{"capacity": 3000, "fpr": 1e-6, **how})
             for what, how in (("parts", {"parts": 8}), ("seed", {"seed": 1}), ("capacity", {"capacity": 2999}), ("error", {"fpr": 1e-5}),
                               ("options", {"options": "NONSCALING"}))}  # fmt: skip
        a = ClusterFilter.open(self.client, "a")
        for what, other in d.items():
            with self.assertRaisesRegex(seen.Incompatible, rf"merge: {what} differ: .* in a, .* in {what}"):
                a.merge(other)
            with self.assertRaises(seen.Incompatible):
                a.union("new", other)
        with self.assertRaises(TypeError):
            a.merge(seen.Filter(10))
        self.assertEqual(a.may_contain_many(range(4000)).sum(), 2000)

    def test_info(self):
        f = ClusterFilter.reserve(self.client, "f", 9000, 0.01, options="NONSCALING")
        f.add_many(range(5000))
        info = f.info()
        self.assertEqual((info.name, info.capacity, info.fpr, info.options, info.items, len(info.parts)), ("f", 9000, 0.01, "NONSCALING", len(f), 9))
        self.assertEqual(info.items, sum(part.items for part in info.parts))
        self.assertEqual(info.bytes, sum(part.bytes for part in info.parts))
        self.assertEqual([part.node for part in info.parts], [f"127.0.0.1:{self.owner(part.key).port}" for part in info.parts])
        self.assertEqual({part.node for part in info.parts}, {f"127.0.0.1:{node.port}" for node in self.cluster.nodes})
        self.assertEqual(repr(f), "<seen.ClusterFilter f, capacity 9000, fpr 0.01, 9 parts>")
        self.assertEqual((f.name, f.capacity, f.fpr, f.parts), ("f", 9000, 0.01, 9))


class Dumps(OnCluster):
    def test_what_was_dumped_comes_back(self):
        for options in ("", "NONSCALING", "KIND bloom", "KIND redisbloom", "WINDOW 3600"):
            with self.subTest(options):
                f = ClusterFilter.reserve(self.client, "f" + options, 2000, 1e-6, options=options)
                f.add_many(range(5000 if not options else 1500))
                path = os.path.join(self.folder, "f" + options)
                f.dump(path)
                self.assertEqual(sorted(os.listdir(path)), ["cluster.json", *(f"part-{i:05}.{'chunks' if 'redisbloom' in options else 'seen'}" for i in range(9))])
                self.assertEqual(len(os.listdir(self.folder)), 1)
                g = ClusterFilter.load(self.client, path, "g" + options)
                self.assertEqual((len(g), g.may_contain_many(range(10_000)).sum()), (len(f), f.may_contain_many(range(10_000)).sum()))
                self.assertEqual([(part.items, part.bytes) for part in g.info().parts], [(part.items, part.bytes) for part in f.info().parts])
                f.add_many(range(20_000, 20_100))
                g.add_many(range(20_000, 20_100))
                self.assertTrue(g.may_contain_many(range(20_000, 20_100)).all())
                with self.assertRaisesRegex(seen.FileExists, "is there already"):
                    f.dump(path)
                with self.assertRaisesRegex(FilterExists, "f.* is there already"):
                    ClusterFilter.load(self.client, path)
                f.delete()
                self.assertEqual(ClusterFilter.load(self.client, path).name, "f" + options)
                for each in ("f", "g"):
                    ClusterFilter.open(self.client, each + options).delete()
                for file in os.listdir(path):
                    os.unlink(os.path.join(path, file))
                os.rmdir(path)

    def test_keyed_filters(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 1e-6, options="KEYED")
        f.add_many(range(1000))
        with self.assertRaisesRegex(seen.SecretRequired, "with_secret=True"):
            f.dump(self.folder + "/f")
        f.dump(self.folder + "/f", with_secret=True)
        g = ClusterFilter.load(self.client, self.folder + "/f", "g")
        g.add("x")
        self.assertEqual((g.may_contain_many(range(2000)).sum(), "x" in g), (1000, True))
        g.merge(f)
        f.merge(g)
        self.assertIn("x", f)
        other = ClusterFilter.reserve(self.client, "other", 2000, 1e-6, options="KEYED")
        with self.assertRaisesRegex(seen.Incompatible, "merge: f: part 0 of 9 .*hashes differ"):
            f.merge(other)

    def test_a_part_is_a_file_like_any_other(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 1e-6, options="KIND bloom")
        f.add_many(range(2000))
        f.dump(self.folder + "/f")
        for i in range(f.parts):
            part = seen.load(f"{self.folder}/f/part-{i:05}.seen")
            for key in range(2000):
                home = seen.digest(key, hash="xxh3-64", seed=_layout.SEED) * 9 >> 64
                if home == i:
                    self.assertIn(key, part)

    def test_dumps_that_are_broken_make_nothing(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 0.01)
        f.add_many(range(1000))
        path = self.folder + "/f"
        f.dump(path)
        with open(path + "/cluster.json", encoding="utf-8") as file:
            good = json.load(file)
        with open(path + "/part-00003.seen", "rb") as file:
            part = file.read()
        f.delete()

        def lie(change):
            told = json.loads(json.dumps(good))
            change(told)
            with open(path + "/cluster.json", "w", encoding="utf-8") as file:
                json.dump(told, file)

        def part_is(data):
            with open(path + "/part-00003.seen", "wb") as file:
                file.write(data)

        flipped = part[:200] + bytes([part[200] ^ 1]) + part[201:]
        for change, kind, says in (
            (lambda d: d.clear(), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(record=7), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(parts=7), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(format="seen-cluster-dump-2"), seen.NewerVersion, "'seen-cluster-dump-2', and this release knows 'seen-cluster-dump-1'"),
            (lambda d: d["parts"][3].update(ends=[5, 4]), seen.CorruptFile, "the ends of part-00003.seen do not lead to its end"),
            (lambda d: d["parts"][3].update(ends=[5]), seen.CorruptFile, "the ends of part-00003.seen do not lead to its end"),
            (lambda d: d.pop("name"), seen.InvalidArgument, "does not say a name"),
            (lambda d: d["record"].update(format="seen-cluster-2"), seen.NewerVersion, "seen-cluster-2"),
            (lambda d: d["record"].update(parts="8"), seen.CorruptFile, "lists 9 files, and the record says 8 parts"),
            (lambda d: d["parts"][3].update(name="../f/part-00003.seen"), seen.CorruptFile, "not a file of this folder"),
            (lambda d: d["parts"][3].update(name="nothing"), FileNotFoundError, "nothing"),
            (lambda d: d["parts"][3].update(bytes=7), seen.CorruptFile, "part-00003.seen: has .* bytes, and cluster.json says 7"),
            (lambda d: d["parts"][3].update(xxh3="0" * 16), seen.CorruptFile, "its XXH3 is .*, and cluster.json says 0000000000000000"),
            (lambda d: d["parts"][3].update(head="zz"), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d["parts"][3].update(name="a\0b"), seen.CorruptFile, "not a file of this folder"),
            (lambda d: d["parts"][3].update(name=".."), seen.CorruptFile, "not a file of this folder"),
            (lambda d: d["parts"][3].update(name="\ud800"), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d["parts"][3].update(bytes=float("inf")), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d.update(name=7), seen.CorruptFile, "not the list of a dump: TypeError: name: a text is wanted, not int"),
            (lambda d: d["record"].update(options=["KEYED"]), seen.CorruptFile, "not the list of a dump: TypeError: options: a text is wanted, not list"),
            (lambda d: d["record"].update(error=0.01), seen.CorruptFile, "not the list of a dump"),
            (lambda d: d["parts"][3].update(head="00"), seen.CorruptFile, "part-00003.seen: .* does not take it for part 3 of 9"),
            (lambda d: d["parts"][3].update(head=good["parts"][3]["head"][:-2] + "ff"), seen.CorruptFile, "does not take it"),
            (lambda d: part_is(flipped), seen.CorruptFile, "its XXH3 is"),
            (lambda d: d["parts"][3].update(xxh3=f"{seen.digest(flipped, hash='xxh3-64'):016x}"), seen.CorruptFile, "does not take it for part 3"),
            (lambda d: part_is(part[:-1]), seen.CorruptFile, "bytes, and cluster.json says"),
        ):  # fmt: skip
            with self.subTest(says):
                lie(change)
                with self.assertRaisesRegex(kind, says):
                    ClusterFilter.load(self.client, path)
                self.assertEqual(self.keys(), [])
        with open(path + "/cluster.json", "w", encoding="utf-8") as file:
            file.write("[" * 100_000)
        with self.assertRaisesRegex(seen.CorruptFile, "not the list of a dump: RecursionError"):
            ClusterFilter.load(self.client, path)
        with open(path + "/cluster.json", "wb") as file:
            file.truncate((1 << 26) + 1)
        with self.assertRaisesRegex(seen.TooLarge, "67108865 bytes, and no list has more than 67108864"):
            ClusterFilter.load(self.client, path)
        lie(lambda d: None)
        os.remove(path + "/part-00003.seen")
        os.mkfifo(path + "/part-00003.seen")
        with self.assertRaisesRegex(seen.CorruptFile, "part-00003.seen: is no regular file"):
            ClusterFilter.load(self.client, path)
        os.remove(path + "/part-00003.seen")
        self.assertEqual(self.keys(), [])
        part_is(part)
        with self.assertRaises(seen.errors.FileNotFoundError):
            ClusterFilter.load(self.client, self.folder + "/nobody")
        with self.assertRaises(seen.errors.FileNotFoundError):
            f = ClusterFilter.load(self.client, path)
            f.dump(self.folder + "/no/such/folder")

    def test_a_load_that_was_killed_can_be_done_again(self):
        f = ClusterFilter.reserve(self.client, "f", 2000, 0.01)
        f.add_many(range(1000))
        f.dump(self.folder + "/f")
        with open(self.folder + "/f/cluster.json", encoding="utf-8") as file:
            head = bytes.fromhex(json.load(file)["parts"][2]["head"])
        key = f.info().parts[2].key
        f.delete()
        self.owner(key).told("BF.LOADCHUNK", key, 1, head)
        self.assertTrue(ClusterFilter.load(self.client, self.folder + "/f").may_contain_many(range(1000)).all())

    def test_a_part_that_changes_between_its_chunks_is_read_again(self):
        f = ClusterFilter.reserve(self.client, "f", 2**25, 0.01, parts=1)  # two chunks and more
        run, commands, late = _pipeline.Pipeline.run, [], iter(range(2))

        def run_and_change(pipeline, units, **how):
            units = list(units)
            commands.extend(unit.commands[0] for unit in units)
            run(pipeline, units, **how)
            first_chunk = len(commands) > 1 and b"BF.SCANDUMP" in commands[-2] and commands[-2].endswith(b"\r\n0\r\n")
            if first_chunk and (added := next(late, None)) is not None:
                self.client.execute_command("BF.ADD", f._record.keys[0], added.to_bytes(8, "little"))

        with mock.patch.object(_pipeline.Pipeline, "run", run_and_change):
            f.dump(self.folder + "/f")
        self.assertEqual(sum(b"BF.CARD" in command for command in commands), 6)  # before and after, three times
        g = ClusterFilter.load(self.client, self.folder + "/f", "g")
        self.assertTrue(g.may_contain_many(range(2)).all())

    def test_commands_and_replies_that_are_lost(self):
        """The connection breaks before a command is sent, or after it was carried out: it is sent again, or, where that would not do, all
        that came before it, too."""
        f = ClusterFilter.reserve(self.client, "f", 2**24, 0.01, parts=1, options="NONSCALING")
        f.add_many(range(1000))
        f.dump(self.folder + "/f")
        # Of load: the look at what is there, the first chunk, the second, the last.
        for call, places in (("read_response", (1, 4, 5, 6)), ("send_packed_command", (1, 5))):
            for n in places:
                with self.subTest(call=call, n=n):
                    with lost(call, n):
                        g = ClusterFilter.load(self.client, self.folder + "/f", f"g{n}")
                    h = ClusterFilter.reserve(self.client, f"h{n}", 1000, 1e-6)
                    with lost(call, n):
                        h.add_many(range(5000))
                    with lost(call, n):
                        self.assertEqual(h.may_contain_many(range(10_000)).sum(), 5000)
                    with lost(call, 1):
                        self.assertEqual(h.test_and_add("new"), call == "read_response")  # added twice
                    self.assertEqual((len(g), len(h)), (len(f), 5001))
                    g.delete()
                    h.delete()


@contextlib.contextmanager
def lost(call, n):
    """The n-th call of a connection breaks it, what redis-py asks by itself not counted."""
    real, left = getattr(redis.connection.Connection, call), [n]

    def break_it(connection, *words, **named):
        counts = "disable_decoding" in named if call == "read_response" else isinstance(words[0], list) and b"CLIENT" not in words[0][0]
        left[0] -= counts
        reply = real(connection, *words, **named) if call == "read_response" or not counts or left[0] else None
        if counts and left[0] == 0:
            connection.disconnect()
            raise redis.ConnectionError("lost")
        return reply

    with mock.patch.object(redis.connection.Connection, call, break_it):
        yield


class Command(OnCluster):
    """`seen redis` and this package have one layout, and one form of dumps."""

    def setUp(self):
        super().setUp()
        self.command = os.environ.get("SEEN")
        if not self.command:
            self.skipTest("SEEN does not name the command")

    def seen(self, *words, text=""):
        words = [self.command, "redis", *words, "--url", f"redis://127.0.0.1:{self.cluster.nodes[1].port}"]
        return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout

    def test_each_uses_the_filters_of_the_other(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, 1e-6)
        self.seen("add", "f", text="alice\nbob\n")
        self.assertEqual(f.may_contain_many(["alice", "bob", "carol"]).tolist(), [True, True, False])
        f.add("carol")
        self.assertEqual(self.seen("query", "f", text="dave\ncarol\n"), "carol\n")
        self.seen("reserve", "g", "-n", "1000", "-p", "1e-6")
        g = ClusterFilter.open(self.client, "g")
        self.assertEqual((g.capacity, g.fpr, self.client.hgetall("g")), (1000, 1e-6, {**self.client.hgetall("f"), b"error": self.client.hget("g", "error")}))
        self.assertEqual([part.key.replace("g", "f") for part in g.info().parts], [part.key for part in f.info().parts])

    def test_each_loads_the_dumps_of_the_other(self):
        for options in ("", "NONSCALING", "KEYED", "KIND redisbloom"):
            with self.subTest(options):
                f = ClusterFilter.reserve(self.client, "f" + options, 2000, 1e-6, options=options)
                f.add_many(f"key-{i}" for i in range(1500))
                ours, theirs = f"{self.folder}/ours{options}", f"{self.folder}/theirs{options}"
                f.dump(ours, with_secret=options == "KEYED")
                self.seen("dump", f.name, "-o", theirs, *(["--with-secret"] if options == "KEYED" else []))
                self.assertEqual(sorted(os.listdir(ours)), sorted(os.listdir(theirs)))
                for part in sorted(os.listdir(ours))[1:]:
                    with open(f"{ours}/{part}", "rb") as a, open(f"{theirs}/{part}", "rb") as b:
                        self.assertEqual(a.read(), b.read())
                self.seen("load", "a" + options, ours)
                a, b = ClusterFilter.open(self.client, "a" + options), ClusterFilter.load(self.client, theirs, "b" + options)
                for each in (a, b):
                    self.assertEqual((len(each), each.may_contain_many(f"key-{i}" for i in range(3000)).tolist()), (len(f), [i < 1500 for i in range(3000)]))
                    each.add("more")
                    self.assertIn("more", each)


class Changes(OnCluster):
    """A cluster that changes while it is asked: what was added stays, and nothing that was added is answered no."""

    def test_slots_move_under_load(self):
        f = ClusterFilter.reserve(self.client, "f", 10**6, 0.001, parts=24)
        f.add_many(range(1000))
        stale = ClusterFilter.open(self.connect(), "f")
        own = ClusterFilter.open(self.connect(), "f")
        batch = iter(range(1, 10**6))
        draw = random.Random(7)

        def add_and_ask(g, n):
            g.add_many(range(1000 * n, 1000 * n + 1000))
            self.assertTrue(g.may_contain_many(range(1000 * n, 1000 * n + 1000)).all())
            self.assertTrue(g.may_contain_many([draw.randrange(1000) for _ in range(100)]).all())

        last = [0]

        def between():
            last[0] = next(batch)
            add_and_ask(f, last[0])

        moves = {}
        nodes = self.cluster.nodes
        for part in f.info().parts:
            i = nodes.index(self.owner(part.key))
            moves.setdefault(nodes[(i + 1) % 3], []).append(part.slot)
        with self.meanwhile(lambda n: add_and_ask(own, 2000 + n)) as turns:
            for node, slots in moves.items():
                self.cluster.move(slots, node, between)
                turns.acquire()
        self.cluster.wait(self.cluster.is_whole, "the cluster is not whole again")
        told = [dict(line.split(":", 1) for line in node.told("INFO", "errorstats").decode().splitlines() if ":" in line) for node in nodes]
        for error in ("errorstat_ASK", "errorstat_MOVED"):
            self.assertTrue(all(error in each for each in told), told)
        for g in (f, stale, own, ClusterFilter.open(self.client, "f")):
            self.assertTrue(g.may_contain_many(range(1000 * (last[0] + 1))).all())
            self.assertTrue(g.may_contain_many(range(2_000_000, 2_002_000)).all())
        self.assertEqual([part.node for part in f.info().parts], [f"127.0.0.1:{self.owner(part.key).port}" for part in f.info().parts])
        self.assertEqual(len({part.node for part in f.info().parts}), 3)

    def test_everything_else_goes_on_while_slots_move(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, 1e-6, parts=6)
        f.add_many(range(1000))
        own = self.connect()
        count = iter(range(10**6))

        def between():
            n = next(count)
            self.assertEqual((len(f), f.info().items, ClusterFilter.open(self.client, "f").capacity), (1000, 1000, 1000))
            g = ClusterFilter.reserve(self.client, f"g{n}", 1000, 1e-6, parts=6)
            g.add_many(range(n, 500))
            g.dump(f"{self.folder}/{n}")
            g.delete()
            g = ClusterFilter.load(self.client, f"{self.folder}/{n}")
            self.assertEqual((len(g), g.may_contain_many(range(1000)).sum()), (500 - n, 500 - n))
            g.delete()

        def combine(n):
            """Names several keys of a slot: while they are in two places the servers say TRYAGAIN, and it waits."""
            a = ClusterFilter.open(own, "f")
            b = a.union(f"u{n}")
            b.merge(a)
            self.assertEqual(b.may_contain_many(range(2000)).sum(), 1000)
            b.delete()

        slots = [part.slot for part in f.info().parts] + [self.cluster.slot("f"), self.cluster.slot("g0")]
        with self.meanwhile(combine) as turns:
            for slot in slots:
                source = self.cluster.owner(slot)
                self.cluster.move([slot], self.cluster.nodes[(self.cluster.nodes.index(source) + 1) % 3], between)
            turns.acquire()
        self.cluster.wait(self.cluster.is_whole, "the cluster is not whole again")
        self.assertEqual(len(self.keys()), 7)

    def test_a_server_is_killed_and_comes_back_under_load(self):
        f = ClusterFilter.reserve(self.client, "f", 10**6, 0.001)
        own = ClusterFilter.open(self.connect(), "f")
        added = []

        def add_and_ask(n):
            own.add_many(range(1000 * n, 1000 * n + 1000))
            added.append(n)
            self.assertTrue(own.may_contain_many(range(0, 1000 * n, 17)).all())

        with self.meanwhile(add_and_ask) as turns:
            for node in self.cluster.nodes[:2]:
                turns.acquire()
                node.kill()
                node.restart()
                self.cluster.wait(self.cluster.is_whole, "the cluster is not whole again")
                for _ in range(3):
                    turns.acquire()
        self.assertTrue(f.may_contain_many(range(1000 * (added[-1] + 1))).all())


class Replicas(OnCluster):
    """Every primary has a replica, which takes its place."""

    replicas, timeout, options = 1, 1500, ()

    def test_a_primary_falls_under_load_and_no_acknowledged_key_is_lost(self):
        f = ClusterFilter.reserve(self.client, "f", 10**6, 0.001, wait=1)
        own = ClusterFilter.open(self.connect(), "f", wait=1, wait_ms=200)
        added, short = [], []

        def add_and_ask(n):
            try:
                own.add_many(range(200 * n, 200 * n + 200))
                added.append(n)
            except NotReplicated:
                short.append(n)
            some = added[-1 :: -7][:20]
            keys = [key for m in some for key in range(200 * m, 200 * m + 200)]
            self.assertTrue(own.may_contain_many(keys).all())

        # The one that falls has a slot of which the client knows by a redirection alone.
        slot = f.info().parts[0].slot
        fallen = next(node for node in self.cluster.primaries() if node is not self.cluster.owner(slot))
        self.cluster.move([slot], fallen)
        own.add_many(range(1000))
        self.cluster.wait(self.cluster.is_whole, "not all have heard where the slot is")
        replica = self.cluster.replicas_of(fallen)[0]
        with self.meanwhile(add_and_ask) as turns:
            for _ in range(5):
                turns.acquire()
            fallen.kill()
            self.cluster.wait(lambda: self.cluster.owner(slot, replica) is replica, "no replica takes over")
            for _ in range(3):
                turns.acquire()
            fallen.restart()
            self.cluster.wait(self.cluster.is_whole, "the node does not come back")
            acknowledged = len(added)
            self.cluster.wait(lambda: len(added) > acknowledged + 3, "nothing is acknowledged any more")
        self.assertEqual(fallen.field("replication", "role"), "slave")
        keys = np.concatenate([np.arange(200 * n, 200 * n + 200) for n in added])
        for g in (f, own, ClusterFilter.open(self.connect(), "f")):
            self.assertTrue(g.may_contain_many(keys).all())

    def test_what_no_replica_has_acknowledged_is_sent_again(self):
        f = ClusterFilter.reserve(self.client, "f", 1000, wait=1)

        def calls():
            told = [node.told("INFO", "commandstats").decode() for node in self.cluster.primaries()]
            return sum(int(line.split("calls=")[1].split(",")[0]) for text in told for line in text.splitlines() if "bf.insert:" in line.lower())

        before = calls()
        with lost("read_response", 2):  # the reply to WAIT
            f.add("x")
        self.assertEqual(calls() - before, 2)

    def test_a_primary_that_comes_back_empty_says_so(self):
        """Without a log it has forgotten its parts when it is back before its replica takes over."""
        f = ClusterFilter.reserve(self.client, "f", 1000, 0.001, wait=1)
        f.add_many(range(1000))
        primary = self.owner(f.info().parts[0].key)
        primary.kill()
        primary.restart()
        self.cluster.wait(self.cluster.is_whole, "the node does not come back")
        if primary.field("replication", "role") == "master":  # which is not so where this machine was too slow
            with self.assertRaisesRegex((LostPart, NoSuchFilter), "is not there on|no such filter"):
                f.may_contain_many(range(1000))
        else:
            self.assertTrue(f.may_contain_many(range(1000)).all())


if __name__ == "__main__":
    case.run()
