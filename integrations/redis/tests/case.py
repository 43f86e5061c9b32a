"""What the tests of seen.so share: a server for each class of tests, tables of commands and replies, and a key of every sort of filter.

SEEN_REDIS is seen.so; SEEN_REDIS_SERVER is the server that loads it, which is redis-server unless it says otherwise. With SEEN_SERVE, which
is the command `seen`, the server is `seen serve`: the same table of commands has the same replies there."""

import os
import sys
import unittest

import resp
from resp import Error, Status
from serving import Serving

MODULE = os.environ.get("SEEN_REDIS")
SERVE = os.environ.get("SEEN_SERVE")
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../tests/golden")
OK = Status("OK")
WRONG_TYPE = Error("WRONGTYPE Operation against a key holding the wrong kind of value")


def arity(name):
    return Error(f"ERR wrong number of arguments for '{name}' command")


class Case(unittest.TestCase):
    """Tests of one server, which begin without keys."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = Serving(SERVE, "--directory", ".") if SERVE else resp.Server(MODULE, *cls.options)
        cls.addClassCleanup(cls.server.end)
        cls.clients = {2: cls.server.connect(), 3: cls.server.connect(3)}

    def setUp(self):
        self.r = self.clients[2]
        forget_all(self.r)

    def tearDown(self):
        self.assertTrue(self.server.is_alive(), self.server.log()[-3000:])

    def check(self, rows):
        """Carries rows out in order, (words, reply) or (words, reply in RESP2, reply in RESP3), in both protocols."""
        for protocol, client in self.clients.items():
            forget_all(client)
            make_other(client, "text", rows)
            for words, *replies in rows:
                expected = replies[0 if protocol == 2 else -1]
                words = words.split() if isinstance(words, str) else words
                with self.subTest(protocol=protocol, words=words):
                    got = client(*words)
                    self.assertEqual((type(got), got), (type(expected), expected))
                    for a, b in zip(got if isinstance(got, list) else (), expected if isinstance(got, list) else ()):
                        self.assertIs(type(a), type(b))


def forget_all(client):
    if not SERVE:
        client("FLUSHALL")
    elif names := client("KEYS", "*"):
        client("DEL", *names)


def make_other(client, key, rows):
    """A key of another type than these commands are for: text, or a filter of another family where there is no text."""
    if not SERVE:
        client("SET", key, "x")
    elif str(rows[0][0]).startswith("BF"):
        client("CF.RESERVE", key, 100)
    else:
        client("BF.RESERVE", key, 0.01, 100)


def dump(client, family, key, *words):
    """The chunks of a filter: iterator and bytes."""
    chunks, iterator = [], 0
    while True:
        iterator, data = client(f"{family}.SCANDUMP", key, iterator, *words)
        if iterator == 0:
            return chunks
        chunks.append((iterator, data))


def load(client, family, key, chunks, *words):
    for iterator, data in chunks:
        told = client(f"{family}.LOADCHUNK", key, iterator, data, *(words if iterator == 1 else ()))
        if told != OK:
            return told
    return OK


# One filter of every sort: how it is made, and the command that adds to it.
SORTS = {
    "growing": ("BF.RESERVE {} 0.01 100", "BF.MADD {}"),
    "expansion-1": ("BF.RESERVE {} 0.01 100 EXPANSION 1", "BF.MADD {}"),
    "fixed": ("BF.RESERVE {} 0.001 2000 NONSCALING", "BF.MADD {}"),
    "keyed": ("BF.RESERVE {} 0.01 100 KEYED SECRET 000102030405060708090a0b0c0d0e0f", "BF.MADD {}"),
    "window": ("BF.RESERVE {} 0.01 1000 WINDOW 3600", "BF.MADD {}"),
    "classic": ("BF.RESERVE {} 0.01 2000 KIND bloom", "BF.MADD {}"),
    "chain": ("BF.RESERVE {} 0.01 100 KIND scalable-classic-bloom EXPANSION 3", "BF.MADD {}"),
    "redisbloom": ("BF.RESERVE {} 0.01 100 KIND redisbloom", "BF.MADD {}"),
    "redisbloom-fixed": ("BF.RESERVE {} 0.01 2000 KIND redisbloom NONSCALING", "BF.MADD {}"),
    "cuckoo": ("CF.RESERVE {} 100", "CF.INSERT {} ITEMS"),
    "cuckoo-fixed": ("CF.RESERVE {} 2000 EXPANSION 0", "CF.INSERT {} ITEMS"),
    "cuckoo-rate": ("CF.RESERVE {} 100 ERROR 0.0001", "CF.INSERT {} ITEMS"),
    "cuckoo-redisbloom": ("CF.RESERVE {} 100 KIND redisbloom", "CF.INSERT {} ITEMS"),
    "quotient": ("CF.RESERVE {} 2000 KIND quotient", "CF.INSERT {} ITEMS"),
}


def make_all(client, items=range(700)):
    """A key of every sort, named after it."""
    for sort, (make, add) in SORTS.items():
        told = [client(*make.format(sort).split()), client(*add.format(sort).split(), *items)]
        if told[0] != OK or isinstance(told[1], Error) or any(isinstance(each, Error) for each in told[1]):
            raise AssertionError((sort, told))


def family_of(sort):
    return SORTS[sort][0][:2]


def state(client, keys=None):
    """The bytes of every filter."""
    return {key: dump(client, family_of(key.split(":")[0]), key) for key in keys or SORTS}


def run():
    if not SERVE and not resp.find_server():
        print("skipped: there is no redis-server")
        sys.exit(77)
    unittest.main()
