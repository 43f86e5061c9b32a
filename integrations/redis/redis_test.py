"""seen.so in redis-server: every command, option, reply and error, in RESP2 and RESP3.

SEEN_REDIS is seen.so. The replies are those that docs/redis.md promises; where a row of a table has two, they are those of RESP2 and RESP3."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import resp  # noqa: E402
from resp import Error, Status  # noqa: E402

MODULE = os.environ["SEEN_REDIS"]
OK = Status("OK")
WRONG_TYPE = Error("WRONGTYPE Operation against a key holding the wrong kind of value")


def arity(name):
    return Error(f"ERR wrong number of arguments for '{name}' command")


class Case(unittest.TestCase):
    """Tests of one server, which begin without keys."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.server = resp.Server(MODULE, *cls.options)
        cls.addClassCleanup(cls.server.end)
        cls.clients = {2: cls.server.connect(), 3: cls.server.connect(3)}

    def setUp(self):
        self.r = self.clients[2]
        self.r("FLUSHALL")

    def tearDown(self):
        self.assertTrue(self.server.is_alive(), self.server.log()[-3000:])

    def check(self, rows):
        """Carries rows out in order, (words, reply) or (words, reply in RESP2, reply in RESP3), in both protocols."""
        for protocol, client in self.clients.items():
            client("FLUSHALL")
            client("SET", "text", "x")
            for words, *replies in rows:
                expected = replies[0 if protocol == 2 else -1]
                words = words.split() if isinstance(words, str) else words
                with self.subTest(protocol=protocol, words=words):
                    got = client(*words)
                    self.assertEqual((type(got), got), (type(expected), expected))
                    for a, b in zip(got if isinstance(got, list) else (), expected if isinstance(got, list) else ()):
                        self.assertIs(type(a), type(b))


class BloomCommands(Case):
    def test_reserve_replies_and_refuses_in_redisbloom_s_words(self):
        rate = Error("ERR error rate must be in the range (0.000000, 1.000000)")
        capacity = Error("ERR capacity must be in the range [1, 1073741824]")
        expansion = Error("ERR expansion must be in the range [0, 32768]")
        self.check([
            ("BF.RESERVE f 0.01 1000", OK),
            ("BF.RESERVE f 0.01 1000", Error("ERR item exists")),
            ("BF.RESERVE text 0.01 1000", WRONG_TYPE),
            ("BF.RESERVE e1 0.01 1000 EXPANSION 1", OK),
            ("BF.RESERVE e4 0.01 1000 EXPANSION 4", OK),
            ("BF.RESERVE e0 0.01 1000 expansion 0", OK),
            ("BF.RESERVE n 0.01 1000 NONSCALING", OK),
            ("BF.RESERVE n0 0.01 1000 NONSCALING EXPANSION 0", OK),
            ("BF.RESERVE g 0.01 1000 NONSCALING EXPANSION 2", Error("Nonscaling filters cannot expand")),
            ("BF.RESERVE g 0.01 1000 EXPANSION 2 NONSCALING", Error("Nonscaling filters cannot expand")),
            ("BF.RESERVE g nonsense 1000", Error("ERR bad error rate")),
            ("BF.RESERVE g nan 1000", Error("ERR bad error rate")),
            ("BF.RESERVE g 0 1000", rate),
            ("BF.RESERVE g 1 1000", rate),
            ("BF.RESERVE g -0.1 1000", rate),
            ("BF.RESERVE g inf 1000", rate),
            ("BF.RESERVE g 1e999 1000", rate),
            ("BF.RESERVE g 0.01 many", Error("ERR bad capacity")),
            ("BF.RESERVE g 0.01 0", capacity),
            ("BF.RESERVE g 0.01 -1", capacity),
            ("BF.RESERVE g 0.01 1073741825", capacity),
            ("BF.RESERVE g 0.01 1000000000000000000", capacity),
            ("BF.RESERVE g 0.01 10000000000000000000000", Error("ERR bad capacity")),
            ("BF.RESERVE g 0.01 1000 EXPANSION", Error("ERR no expansion")),
            ("BF.RESERVE g 0.01 1000 EXPANSION x", Error("ERR bad expansion")),
            ("BF.RESERVE g 0.01 1000 EXPANSION -1", expansion),
            ("BF.RESERVE g 0.01 1000 EXPANSION 32769", expansion),
            ("BF.RESERVE g 0.01 1000 NONSENSE", Error("Unknown argument received")),
            ("BF.RESERVE g 0.01", arity("BF.RESERVE")),
            ("EXISTS g", 0),
        ])  # fmt: skip

    def test_adding_and_asking(self):
        self.check([
            ("BF.ADD f a", 1, True),
            ("BF.ADD f a", 0, False),
            ("BF.MADD f a b c", [0, 1, 1], [False, True, True]),
            ("BF.MADD new a", [1], [True]),
            ("BF.EXISTS f a", 1, True),
            ("BF.EXISTS f nobody", 0, False),
            ("BF.EXISTS missing a", 0, False),
            ("BF.EXISTS text a", 0, False),
            ("BF.MEXISTS f a nobody c", [1, 0, 1], [True, False, True]),
            ("BF.MEXISTS missing a b", [0, 0], [False, False]),
            ("BF.MEXISTS text a b", [0, 0], [False, False]),
            (["BF.ADD", "f", b""], 1, True),
            (["BF.ADD", "f", b"\0\xff\r\n"], 1, True),
            (["BF.EXISTS", "f", b"\0\xff\r\n"], 1, True),
            ("BF.CARD f", 5),
            ("BF.CARD missing", 0),
            ("BF.CARD text", WRONG_TYPE),
            ("BF.ADD text a", WRONG_TYPE),
            ("BF.MADD text a", WRONG_TYPE),
            ("EXISTS missing", 0),
            ("BF.ADD f", arity("BF.ADD")),
            ("BF.ADD f a b", arity("BF.ADD")),
            ("BF.MADD f", arity("BF.MADD")),
            ("BF.EXISTS f", arity("BF.EXISTS")),
            ("BF.EXISTS f a b", arity("BF.EXISTS")),
            ("BF.MEXISTS f", arity("BF.MEXISTS")),
            ("BF.CARD", arity("BF.CARD")),
            ("BF.CARD f f", arity("BF.CARD")),
        ])  # fmt: skip

    def test_a_filter_that_does_not_scale_is_full(self):
        full = Error("ERR non scaling filter is full")
        self.check([
            ("BF.RESERVE f 0.001 3 NONSCALING", OK),
            ("BF.MADD f a b", [1, 1], [True, True]),
            # The array ends with the first item that is refused.
            ("BF.MADD f c d e", [1, full], [True, full]),
            ("BF.ADD f d", full),
            ("BF.ADD f a", 0, False),
            ("BF.MADD f a d b", [0, full], [False, full]),
            ("BF.CARD f", 3),
            ("BF.MEXISTS f a b c", [1, 1, 1], [True, True, True]),
        ])  # fmt: skip

    def test_insert(self):
        self.check([
            ("BF.INSERT f ITEMS a b", [1, 1], [True, True]),
            ("BF.INSERT f CAPACITY 5 ERROR 0.1 EXPANSION 7 NONSCALING ITEMS a c", [0, 1], [False, True]),
            ("BF.INFO f EXPANSION", [2], {b"Expansion rate": 2}),
            ("BF.INSERT g CAPACITY 5 ERROR 0.1 EXPANSION 7 ITEMS a", [1], [True]),
            ("BF.INFO g EXPANSION", [7], {b"Expansion rate": 7}),
            ("BF.INFO g CAPACITY", [5], {b"Capacity": 5}),
            ("BF.INSERT h nonscaling capacity 1 items a b", [1, Error("ERR non scaling filter is full")],
             [True, Error("ERR non scaling filter is full")]),
            ("BF.INSERT missing NOCREATE ITEMS a", Error("ERR not found")),
            ("BF.INSERT f NOCREATE ITEMS z", [1], [True]),
            ("BF.INSERT text ITEMS z", WRONG_TYPE),
            ("BF.INSERT new ERROR x ITEMS a", Error("Bad error rate")),
            ("BF.INSERT new ERROR 0 ITEMS a", Error("Bad error rate")),
            ("BF.INSERT new ERROR 1 ITEMS a", Error("Bad error rate")),
            ("BF.INSERT new CAPACITY x ITEMS a", Error("Bad capacity")),
            ("BF.INSERT new CAPACITY 0 ITEMS a", Error("Bad capacity")),
            ("BF.INSERT new CAPACITY 1000000000000000000 ITEMS a", Error("Bad capacity")),
            ("BF.INSERT new EXPANSION x ITEMS a", Error("Bad expansion")),
            ("BF.INSERT new EXPANSION 32769 ITEMS a", Error("Bad expansion")),
            ("BF.INSERT new NONSENSE ITEMS a", Error("Unknown argument received")),
            ("BF.INSERT new CAPACITY 10", arity("BF.INSERT")),
            ("BF.INSERT new NOCREATE ITEMS", arity("BF.INSERT")),
            ("BF.INSERT new ITEMS", arity("BF.INSERT")),
            ("EXISTS new", 0),
        ])  # fmt: skip

    def test_info(self):
        r = self.r
        r("BF.RESERVE", "f", "0.01", 100)
        r("BF.MADD", "f", *range(250))
        size = r("BF.INFO", "f", "SIZE")[0]
        self.assertGreater(size, 250)
        pairs = [(b"Capacity", 300), (b"Size", size), (b"Number of filters", 2), (b"Number of items inserted", r("BF.CARD", "f")),
                 (b"Expansion rate", 2)]  # fmt: skip
        self.assertEqual(r("BF.INFO", "f"), [word for pair in pairs for word in pair])
        self.assertEqual(self.clients[3]("BF.INFO", "f"), dict(pairs))
        for word, (name, number) in zip(("CAPACITY", "size", "FILTERS", "ITEMS", "EXPANSION"), pairs):
            self.assertEqual(r("BF.INFO", "f", word), [number])
            self.assertEqual(self.clients[3]("BF.INFO", "f", word), {name: number})
        self.check([
            ("BF.INFO missing", Error("ERR not found")),
            ("BF.INFO text", WRONG_TYPE),
            ("BF.RESERVE n 0.01 10 NONSCALING", OK),
            ("BF.INFO n EXPANSION", [None], {b"Expansion rate": None}),
            ("BF.INFO n FILTERS", [1], {b"Number of filters": 1}),
            ("BF.INFO n NONSENSE", Error("Invalid information value")),
            ("BF.INFO n SIZE SIZE", arity("BF.INFO")),
        ])  # fmt: skip

    def test_a_growing_filter_keeps_its_items_and_its_rate(self):
        count = 20_000
        self.r("BF.RESERVE", "f", "0.01", 100)
        for first in range(0, count, 1000):
            self.r("BF.MADD", "f", *(f"item-{i}" for i in range(first, first + 1000)))
        for first in range(0, count, 1000):
            self.assertEqual(self.r("BF.MEXISTS", "f", *(f"item-{i}" for i in range(first, first + 1000))), [1] * 1000)
        hits = sum(sum(self.r("BF.MEXISTS", "f", *(f"other-{i}" for i in range(f, f + 1000)))) for f in range(0, count, 1000))
        # 1 % of 20,000 is 200; six standard deviations more are exceeded once in 10^9 times.
        self.assertLess(hits, 285)
        self.assertEqual(self.r("BF.INFO", "f", "FILTERS"), [8])


if __name__ == "__main__":
    if not resp.find_server():
        print("skipped: there is no redis-server")
        sys.exit(77)
    unittest.main()
