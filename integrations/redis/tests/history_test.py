"""A random history of commands, at random points of which a replica, a reloaded RDB file, a reloaded log and a killed server hold the same bytes.

SEEN_REDIS_HISTORY is how many commands it has (1500). The two servers have different settings: what a primary chose, a replica has to be told."""

import os
import random
import time
import unittest

import case
import resp
from case import MODULE, dump
from resp import Error

COMMANDS = int(os.environ.get("SEEN_REDIS_HISTORY", "1500"))
KEYS = [f"{family}{i}" for family in ("BF:", "CF:") for i in range(6)]
SETTINGS = [("bf-error-rate", ("0.01", "0.001")), ("bf-initial-size", (10, 100)), ("bf-expansion-factor", (0, 1, 2, 4)),
            ("cf-bucket-size", (1, 2, 4)), ("cf-initial-size", (64, 1024)), ("cf-expansion-factor", (0, 1)), ("cf-max-expansions", (1, 3, 32))]  # fmt: skip


class History:
    """Commands, one after the other, that seldom are refused."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.chunks = []  # that are still to be loaded: (words, …)

    def items(self):
        many = self.chance.choice((1, 3, 40, 200))
        return [self.chance.randrange(4000) for _ in range(many)]

    def reserve(self, key):
        pick = self.chance.choice
        if key.startswith("CF"):
            return ["CF.RESERVE", key, pick((16, 200, 3000)), *pick(([], ["EXPANSION", 0], ["BUCKETSIZE", 4], ["ERROR", "0.0003"], ["KIND", "redisbloom"],
                    ["KIND", "quotient"], ["KIND", "counting-bloom"]))]  # fmt: skip
        return ["BF.RESERVE", key, pick(("0.01", "0.0001", "0.4")), pick((5, 100, 3000)),
                *pick(([], [], ["EXPANSION", 1], ["EXPANSION", 5], ["NONSCALING"], ["KEYED"], ["WINDOW", 1], ["WINDOW", 3600], ["KIND", "redisbloom"],
                       ["KIND", "split-block"], ["KIND", "redisbloom", "NONSCALING"], ["KIND", "scalable-classic-bloom"]))]  # fmt: skip

    def next(self, client):
        chance, pick = self.chance, self.chance.choice
        if self.chunks and chance.random() < 0.3:
            return self.chunks.pop(0)
        key = pick(KEYS)
        family, items = key[:2], self.items()
        other = pick([k for k in KEYS if k.startswith(family)])
        kind = chance.random()
        if kind < 0.06:
            return self.reserve(key)
        if kind < 0.09:
            return [pick(("DEL", "UNLINK")), key]
        if kind < 0.11:
            return ["COPY", key, other, "REPLACE"]
        if kind < 0.12:
            return ["RENAME", key, other]
        if kind < 0.14 and family == "BF":
            return ["BF.MERGE", key, other]
        if kind < 0.15:
            name, values = pick(SETTINGS)
            return ["CONFIG", "SET", "bf." + name, pick(values)]
        if kind < 0.17 and not self.chunks:
            self.chunks = [[f"{family}.LOADCHUNK", other, *chunk] for chunk in (dump(client, family, key) if self.is_whole(client, key) else ())]
            return ["DEL", other]
        if kind < 0.19:
            payload = client("DUMP", key)
            return ["RESTORE", other, 0, payload, "REPLACE"] if isinstance(payload, bytes) else ["PING"]
        if family == "BF":
            return pick((["BF.ADD", key, items[0]], ["BF.MADD", key, *items],
                         ["BF.INSERT", key, "CAPACITY", 50, "ERROR", "0.02", *pick(([], ["NONSCALING"], ["EXPANSION", 3])), "ITEMS", *items]))  # fmt: skip
        return pick((["CF.ADD", key, items[0]], ["CF.ADDNX", key, items[0]], ["CF.INSERT", key, "CAPACITY", 100, "ITEMS", *items],
                     ["CF.INSERTNX", key, "ITEMS", *items], ["CF.DEL", key, items[0]], ["CF.DEL", key, items[0]]))  # fmt: skip

    @staticmethod
    def is_whole(client, key):
        return not isinstance(client(f"{key[:2]}.SCANDUMP", key, 0), Error)


def state(client):
    """Everything there is: of a filter its chunks and its payload, of one that is still arriving its payload."""
    keys = sorted(client("KEYS", "*"))
    told = {}
    for key in keys:
        name = key.decode()
        told[name] = (dump(client, name[:2], name) if History.is_whole(client, name) else None, client("DUMP", name))
    return told


def replication(client):
    return dict(line.split(":", 1) for line in client("INFO", "replication").decode().split("\r\n") if ":" in line)


class Histories(unittest.TestCase):
    def setUp(self):
        self.primary = resp.Server(MODULE, "--appendonly", "yes", "--appendfsync", "no", "--repl-diskless-sync-delay", "0", listens=True)
        self.addCleanup(self.primary.end)
        self.replica = resp.Server(MODULE, arguments=("INITIAL_SIZE", 77, "ERROR_RATE", "0.05", "CF_MAX_EXPANSIONS", 1))
        self.addCleanup(self.replica.end)

    def same(self, expected, client, what):
        got = state(client)
        self.assertEqual(sorted(got), sorted(expected), what)
        for key, each in expected.items():
            self.assertEqual(got[key], each, f"{what}: {key}")

    def follow(self):
        """Has the replica follow the primary, from wherever that listens, and waits until it does."""
        self.replica.connect()("REPLICAOF", "127.0.0.1", self.primary.port)

    def caught_up(self, client):
        """Waits until the replica has carried out all that the primary sent."""
        replica, deadline = self.replica.connect(), time.monotonic() + 60
        while True:
            primary, follows = replication(client), replication(replica)
            if follows["master_link_status"] == "up" and follows["slave_repl_offset"] == primary["master_repl_offset"]:
                return
            self.assertLess(time.monotonic(), deadline, self.replica.log()[-2000:])
            time.sleep(0.005)

    def check(self, how, told):
        c = self.primary.connect()
        self.caught_up(c)
        expected = state(c)
        told[how] += 1
        self.same(expected, self.replica.connect(), "the replica")
        if how == "rdb":
            self.assertEqual(c("DEBUG", "RELOAD"), "OK")
        elif how == "aof":
            self.assertEqual(c("DEBUG", "LOADAOF"), "OK")
        elif how == "rewrite":
            c("CONFIG", "SET", "aof-use-rdb-preamble", self.history.chance.choice(("yes", "no")))
            self.assertIn("rewriting started", c("BGREWRITEAOF"))
            while b"aof_rewrite_in_progress:1" in c("INFO", "persistence"):
                time.sleep(0.01)
            self.assertIn(b"aof_last_bgrewrite_status:ok", c("INFO", "persistence"))
            self.assertEqual(c("DEBUG", "LOADAOF"), "OK")
        elif how == "kill":
            self.primary.restart()
            c = self.primary.connect()
            self.follow()
        self.same(expected, c, how)

    def test_a_replica_adds_what_its_primary_added_and_nothing_else(self):
        """Its own limits do not count, nor has it room for what found none there."""
        self.follow()
        c, there = self.primary.connect(), self.replica.connect()
        self.assertEqual(there("CONFIG", "GET", "bf.cf-max-expansions"), [b"bf.cf-max-expansions", b"1"])
        c("CF.RESERVE", "CF:0", 16)
        self.assertEqual(c("CF.INSERT", "CF:0", "ITEMS", *range(12_000)), [1] * 12_000)
        self.assertEqual(c("CF.ADD", "CF:0", "one"), 1)
        c("CONFIG", "SET", "bf.cf-max-expansions", 2)
        c("CF.RESERVE", "CF:1", 16)
        c("CONFIG", "SET", "bf.cf-max-expansions", 1)
        self.assertTrue(-1 in c("CF.INSERT", "CF:1", "ITEMS", *range(12_000)))
        c("BF.RESERVE", "BF:0", "0.01", 1000, "EXPANSION", 32768)
        c("CONFIG", "SET", "maxmemory", 64 << 20)
        c("BF.INSERT", "BF:0", "ITEMS", *range(900))
        c("BF.INSERT", "BF:0", "ITEMS", *range(700, 1000))
        c("CONFIG", "SET", "maxmemory", 30 << 20)
        told = c("BF.MADD", "BF:0", *range(900, 1300))
        self.assertEqual(told[-1], Error("ERR Insufficient memory"))
        c("CONFIG", "SET", "maxmemory", 0)
        self.caught_up(c)
        self.same(state(c), there, "the replica")

    def test_everyone_holds_the_same_bytes(self):
        self.history = History(22)
        self.follow()
        told = dict.fromkeys(("rdb", "aof", "rewrite", "kill"), 0)
        client, refused, carried_out = self.primary.connect(), 0, 0
        points = sorted(self.history.chance.sample(range(100, COMMANDS), max(8, min(COMMANDS // 500, 100))))
        for i in range(COMMANDS):
            words = self.history.next(client)
            reply = client(*words)
            refused += isinstance(reply, Error)
            carried_out += not isinstance(reply, Error)
            if i in points:
                self.check(list(told)[points.index(i) % len(told)], told)
                client = self.primary.connect()
        self.check("rewrite", told)
        self.assertTrue(all(told.values()), told)
        self.assertGreater(carried_out, COMMANDS // 2)
        self.assertGreater(refused, COMMANDS // 100)


if __name__ == "__main__":
    case.run()
