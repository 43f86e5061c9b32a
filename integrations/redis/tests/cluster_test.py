"""One filter over a cluster, by the Python package: what it holds and answers, how it is made, and what is refused.

SEEN_REDIS_KEYS is the number of keys of the tests of the rate, 10^6 unless it says otherwise."""

import packaged

packaged.enter()

import os
import subprocess
import threading
from unittest import mock

import case
import numpy as np
import redis
import resp
import seenfilter as seen
from case import MODULE
from fake import Fake, Raw
from on_cluster import OnCluster
from seenfilter.redis import (
    ClusterFilter, FilterExists, LostPart, NoSuchFilter, NotReplicated, Refused, Unreachable, _layout, _making, _pipeline,
)  # fmt: skip

KEYS = int(float(os.environ.get("SEEN_REDIS_KEYS", 1e6)))


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


if __name__ == "__main__":
    case.run()
