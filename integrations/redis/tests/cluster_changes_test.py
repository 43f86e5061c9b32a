"""One filter over a cluster, by the Python package, while slots move, primaries fall and servers are killed."""

import packaged

packaged.enter()

import random

import case
import numpy as np
from on_cluster import OnCluster, lost
from seenfilter.redis import ClusterFilter, LostPart, NoSuchFilter, NotReplicated


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
