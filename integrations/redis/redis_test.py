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


class CuckooCommands(Case):
    def test_reserve_replies_and_refuses_in_redisbloom_s_words(self):
        least = Error("Capacity must be in the range [2 * BUCKETSIZE, 1073741824]")
        self.check([
            ("CF.RESERVE f 1000", OK),
            ("CF.RESERVE f 1000", Error("ERR item exists")),
            ("CF.RESERVE text 1000", WRONG_TYPE),
            ("CF.RESERVE a 1000 BUCKETSIZE 4 MAXITERATIONS 30 EXPANSION 3", OK),
            ("CF.RESERVE b 1000 expansion 0", OK),
            ("CF.RESERVE c 8 BUCKETSIZE 4", OK),
            ("CF.RESERVE d 1000 ERROR 0.0001", OK),
            ("CF.RESERVE e 1000 KIND redisbloom", OK),
            ("CF.RESERVE g many", Error("Bad capacity")),
            ("CF.RESERVE g 1000 MAXITERATIONS x", Error("Couldn't parse MAXITERATIONS")),
            ("CF.RESERVE g 1000 BUCKETSIZE x", Error("Couldn't parse BUCKETSIZE")),
            ("CF.RESERVE g 1000 EXPANSION x", Error("Couldn't parse EXPANSION")),
            ("CF.RESERVE g 1000 MAXITERATIONS 0", Error("MAXITERATIONS: value must be in the range [1, 65535]")),
            ("CF.RESERVE g 1000 MAXITERATIONS 65536", Error("MAXITERATIONS: value must be in the range [1, 65535]")),
            ("CF.RESERVE g 1000 BUCKETSIZE 0", Error("BUCKETSIZE: value must be in the range [1, 255]")),
            ("CF.RESERVE g 1000 BUCKETSIZE 256", Error("BUCKETSIZE: value must be in the range [1, 255]")),
            ("CF.RESERVE g 1000 EXPANSION -1", Error("EXPANSION: value must be in the range [0, 32768]")),
            ("CF.RESERVE g 1000 EXPANSION 32769", Error("EXPANSION: value must be in the range [0, 32768]")),
            ("CF.RESERVE g 3", least),
            ("CF.RESERVE g -5", least),
            ("CF.RESERVE g 7 BUCKETSIZE 4", least),
            ("CF.RESERVE g 1073741825", least),
            ("CF.RESERVE g 1000000000000000000", least),
            ("CF.RESERVE g 1000 ERROR x", Error("ERR bad error rate")),
            ("CF.RESERVE g 1000 ERROR nan", Error("ERR bad error rate")),
            ("CF.RESERVE g 1000 ERROR 0", Error("ERR error rate must be in the range (0.000000, 1.000000)")),
            ("CF.RESERVE g 1000 ERROR 1", Error("ERR error rate must be in the range (0.000000, 1.000000)")),
            ("CF.RESERVE g 1000 KIND bloom", Error("ERR Could not create filter: keys cannot be removed from a bloom filter")),
            ("CF.RESERVE g 1000 NONSENSE 1", Error("Unknown argument received")),
            ("CF.RESERVE g 1000 EXPANSION", arity("CF.RESERVE")),
            ("CF.RESERVE g", arity("CF.RESERVE")),
            ("EXISTS g", 0),
        ])  # fmt: skip

    def test_adding_counting_and_removing(self):
        self.check([
            ("CF.ADD f a", 1, True),
            ("CF.ADD f a", 1, True),
            ("CF.ADDNX f a", 0, False),
            ("CF.ADDNX f b", 1, True),
            ("CF.COUNT f a", 2),
            ("CF.COUNT f b", 1),
            ("CF.COUNT f nobody", 0),
            ("CF.COUNT missing a", 0),
            ("CF.COUNT text a", 0),
            ("CF.EXISTS f a", 1, True),
            ("CF.EXISTS f nobody", 0, False),
            ("CF.EXISTS missing a", 0, False),
            ("CF.EXISTS text a", 0, False),
            ("CF.MEXISTS f a nobody b", [1, 0, 1], [True, False, True]),
            ("CF.MEXISTS missing a", [0], [False]),
            ("CF.MEXISTS text a", [0], [False]),
            ("CF.DEL f a", 1, True),
            ("CF.COUNT f a", 1),
            ("CF.DEL f a", 1, True),
            ("CF.DEL f a", 0, False),
            ("CF.EXISTS f a", 0, False),
            ("CF.DEL missing a", Error("Not found")),
            ("CF.DEL text a", Error("Not found")),
            ("CF.ADD text a", WRONG_TYPE),
            ("CF.ADDNX text a", WRONG_TYPE),
            ("BF.ADD f a", WRONG_TYPE),
            ("BF.EXISTS f b", 0, False),
            ("CF.COMPACT f", OK),
            ("CF.COMPACT missing", Error("Cuckoo filter was not found")),
            ("CF.DEBUG missing", Error("Cuckoo filter was not found")),
            ("CF.ADD f", arity("CF.ADD")),
            ("CF.ADDNX f", arity("CF.ADDNX")),
            ("CF.COUNT f", arity("CF.COUNT")),
            ("CF.DEL f", arity("CF.DEL")),
            ("CF.EXISTS f", arity("CF.EXISTS")),
            ("CF.MEXISTS f", arity("CF.MEXISTS")),
            ("CF.INFO f f", arity("CF.INFO")),
            ("CF.COMPACT", arity("CF.COMPACT")),
            ("CF.DEBUG", arity("CF.DEBUG")),
        ])  # fmt: skip

    def test_insert(self):
        self.check([
            ("CF.INSERT f ITEMS a b a", [1, 1, 1], [True, True, True]),
            ("CF.COUNT f a", 2),
            # Integers in both protocols, as RedisBloom replies.
            ("CF.INSERTNX f ITEMS a c", [0, 1]),
            ("CF.INSERT g CAPACITY 500 ITEMS a", [1], [True]),
            ("CF.INSERT missing NOCREATE ITEMS a", Error("ERR not found")),
            ("CF.INSERTNX missing NOCREATE ITEMS a", Error("ERR not found")),
            ("CF.INSERT f NOCREATE ITEMS z", [1], [True]),
            ("CF.INSERT text ITEMS z", WRONG_TYPE),
            ("CF.INSERT new CAPACITY x ITEMS a", Error("Bad capacity")),
            ("CF.INSERT new CAPACITY 3 ITEMS a", Error("Capacity must be in the range [cf-bucket-size * 2, 1073741824]")),
            ("CF.INSERT new ERROR 0.1 ITEMS a", Error("Unknown argument received")),
            ("CF.INSERT new CAPACITY 100", arity("CF.INSERT")),
            ("CF.INSERT new NOCREATE ITEMS", arity("CF.INSERT")),
            ("EXISTS new", 0),
        ])  # fmt: skip

    def test_a_filter_without_room_says_so_and_keeps_what_it_has(self):
        # Two buckets of a key take eight copies, and two of RedisBloom's, which may be one, two.
        for kind, copies in (("", 8), (" KIND redisbloom", 2)):
            self.check([
                ("CF.RESERVE f 4 EXPANSION 0" + kind, OK),
                ("CF.INSERT f ITEMS " + " ".join("a" * 40), [1] * copies + [-1] * (40 - copies), [True] * copies + [-1] * (40 - copies)),
                ("CF.ADD f a", Error("Filter is full")),
                ("CF.ADDNX f a", 0, False),
                ("CF.EXISTS f a", 1, True),
                ("CF.COUNT f a", copies),
            ])  # fmt: skip
        self.r("CONFIG", "SET", "bf.cf-max-expansions", 3)
        self.addCleanup(self.r, "CONFIG", "SET", "bf.cf-max-expansions", 32)
        self.r("CF.RESERVE", "h", 100)
        added = 0
        while self.r("CF.ADD", "h", added) == 1:
            added += 1
        self.assertEqual(self.r("CF.ADD", "h", added), Error("Maximum expansions reached"))
        self.assertGreater(added, 300)
        self.assertEqual(self.r("CF.INSERT", "h", "ITEMS", added), [-1])
        self.assertEqual(self.r("CF.MEXISTS", "h", *range(added)), [1] * added)
        info = self.r("CF.INFO", "h")
        self.assertEqual(info[info.index(b"Number of filters") + 1], 4)

    def test_info(self):
        r = self.r
        r("CF.RESERVE", "f", 1000, "BUCKETSIZE", 4, "MAXITERATIONS", 50, "EXPANSION", 2)
        r("CF.INSERT", "f", "ITEMS", *range(300))
        r("CF.DEL", "f", 7)
        info = self.clients[3]("CF.INFO", "f")
        self.assertEqual(list(info), [b"Size", b"Number of buckets", b"Number of filters", b"Number of items inserted",
                                      b"Number of items deleted", b"Bucket size", b"Expansion rate", b"Max iterations"])  # fmt: skip
        self.assertEqual(list(info.values())[2:], [1, 299, 1, 4, 2, 50])
        self.assertGreater(info[b"Size"], 500)
        self.assertGreater(info[b"Number of buckets"], 200)
        self.assertEqual(r("CF.INFO", "f"), [word for pair in info.items() for word in pair])
        self.assertEqual(r("CF.INFO", "missing"), Error("ERR not found"))
        self.assertEqual(r("CF.INFO", "no such filter", "x"), arity("CF.INFO"))
        self.assertIn(b"items:299", r("CF.DEBUG", "f"))

    def test_rates_are_as_asked_for(self):
        count = 20_000
        for rate, most in ((0.01, 285), (0.001, 47)):  # six standard deviations
            self.r("CF.RESERVE", f"f{rate}", 1000, "ERROR", rate)
            for first in range(0, count, 1000):
                self.assertEqual(self.r("CF.INSERT", f"f{rate}", "ITEMS", *(f"item-{i}" for i in range(first, first + 1000))), [1] * 1000)
            hits = sum(sum(self.r("CF.MEXISTS", f"f{rate}", *(f"other-{i}" for i in range(f, f + 1000)))) for f in range(0, count, 1000))
            self.assertLess(hits, most)


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


class WholeFilters(Case):
    def test_chunks_make_the_same_filter_of_every_sort_which_goes_on_the_same(self):
        r = self.r
        make_all(r)
        for sort, (_, add) in SORTS.items():
            with self.subTest(sort):
                family = family_of(sort)
                secret = ("SECRET", "000102030405060708090a0b0c0d0e0f") if sort == "keyed" else ()
                chunks = dump(r, family, sort)
                self.assertEqual(load(r, family, "copy", chunks, *secret), OK)
                self.assertEqual(dump(r, family, "copy"), chunks)
                self.assertEqual(r(f"{family}.INFO", "copy"), r(f"{family}.INFO", sort))
                for key in (sort, "copy"):
                    r(*add.format(key).split(), *range(700, 1500))
                if sort != "window":  # the two were told different times
                    self.assertEqual(dump(r, family, "copy"), dump(r, family, sort))
                self.assertEqual(r(f"{family}.MEXISTS", "copy", *range(1500)), [1] * 1500)
                r("DEL", "copy")

    def test_a_secret_is_dumped_only_when_asked_for(self):
        r = self.r
        r("BF.RESERVE", "f", "0.01", 100, "KEYED")
        r("BF.RESERVE", "g", "0.01", 100, "KEYED")
        for key in "fg":
            r("BF.MADD", key, *range(50))
        self.assertNotEqual(dump(r, "BF", "f")[1], dump(r, "BF", "g")[1])
        chunks, told = dump(r, "BF", "f"), dump(r, "BF", "f", "WITHSECRET")
        self.assertNotEqual(chunks, told)
        self.assertEqual(load(r, "BF", "copy", told), OK)
        self.assertEqual(r("BF.MEXISTS", "copy", *range(50)), [1] * 50)
        self.assertEqual(dump(r, "BF", "copy", "WITHSECRET"), told)
        self.assertEqual(load(r, "BF", "other", chunks), Error("ERR the filter is keyed: load its first chunk with its SECRET"))
        self.assertEqual(load(r, "BF", "third", chunks, "SECRET", "ff" * 16), Error("ERR received bad data"))
        self.assertEqual(load(r, "BF", "fourth", chunks, "SECRET", "ff"), Error("ERR a secret has 32 hexadecimal digits"))

    def test_scandump_and_loadchunk_reply_and_refuse_in_redisbloom_s_words(self):
        r = self.r
        r("BF.RESERVE", "f", "0.01", 100, "KIND", "redisbloom")
        r("CF.RESERVE", "c", 100, "KIND", "redisbloom")
        r("CF.ADD", "c", "a")
        (_, head), (last, body) = dump(r, "BF", "f")
        (_, cuckoo_head), (cuckoo_last, cuckoo_body) = dump(r, "CF", "c")
        self.assertEqual(r("BF.SCANDUMP", "f", last), [0, b""])
        self.assertEqual(r("BF.SCANDUMP", "f", 10**15), [0, b""])
        self.assertEqual(r("CF.SCANDUMP", "c", cuckoo_last), [0, None])
        bad, order = Error("ERR received bad data"), Error("ERR invalid offset - no link found")
        too_big = Error("ERR invalid chunk - Too big for current filter")
        arriving = Error("ERR the filter is still arriving: not all of its chunks have been loaded")
        self.check([
            ("BF.SCANDUMP f x", Error("Second argument must be numeric")),
            ("BF.SCANDUMP f -1", Error("Second argument must be numeric")),
            ("BF.SCANDUMP missing 0", Error("ERR not found")),
            ("BF.SCANDUMP text 0", WRONG_TYPE),
            ("BF.SCANDUMP f", arity("BF.SCANDUMP")),
            ("BF.LOADCHUNK f x y", Error("ERR Second argument must be numeric")),
            ("BF.LOADCHUNK f 0 y", Error("ERR Second argument must be numeric")),
            ("BF.LOADCHUNK f -5 y", Error("ERR Second argument must be numeric")),
            ("BF.LOADCHUNK f 1 nonsense", bad),
            (["BF.LOADCHUNK", "f", 1, b""], bad),
            (["BF.LOADCHUNK", "f", 1, head[:-1]], bad),
            (["BF.LOADCHUNK", "f", 1, b"\xff" * len(head)], bad),
            (["BF.LOADCHUNK", "f", last, body], Error("ERR not found")),
            (["BF.LOADCHUNK", "text", 1, head], WRONG_TYPE),
            (["BF.LOADCHUNK", "text", last, body], WRONG_TYPE),
            (["BF.LOADCHUNK", "f", 1, head], OK),
            (["BF.LOADCHUNK", "f", 1, head], bad),
            ("BF.EXISTS f a", arriving),
            ("BF.MEXISTS f a", arriving),
            ("BF.ADD f a", arriving),
            ("BF.CARD f", arriving),
            ("BF.INFO f", arriving),
            ("BF.SCANDUMP f 0", arriving),
            ("BF.MERGE f f", Error("ERR f is still arriving")),
            (["BF.LOADCHUNK", "f", last, body[1:]], order),
            (["BF.LOADCHUNK", "f", last + 1, body], order),
            (["BF.LOADCHUNK", "f", 2**63 - 1, body], order),
            (["BF.LOADCHUNK", "f", 2, b""], order),
            (["BF.LOADCHUNK", "f", last + 1, body + b"x"], too_big),
            (["BF.LOADCHUNK", "f", 11, body[:10]], OK),
            (["BF.LOADCHUNK", "f", 11, body[:10]], order),
            (["BF.LOADCHUNK", "f", last, body[10:]], OK),
            (["BF.LOADCHUNK", "f", last, body], too_big),
            (["BF.LOADCHUNK", "f", 1, head], bad),
            ("BF.CARD f", 0),
            ("BF.LOADCHUNK f 1", arity("BF.LOADCHUNK")),
            ("BF.LOADCHUNK f 1 x y", arity("BF.LOADCHUNK")),
            ("CF.SCANDUMP c x", Error("Invalid position")),
            ("CF.SCANDUMP missing 0", Error("ERR not found")),
            ("CF.SCANDUMP text 0", WRONG_TYPE),
            ("CF.LOADCHUNK c x y", Error("Invalid position")),
            ("CF.LOADCHUNK c 0 y", Error("Invalid position")),
            ("CF.LOADCHUNK c 1 nonsense", Error("Invalid header")),
            (["CF.LOADCHUNK", "c", 1, head], Error("Invalid header")),
            (["CF.LOADCHUNK", "c", 1, cuckoo_head], OK),
            (["CF.LOADCHUNK", "c", 1, cuckoo_head], Error("Couldn't create filter!")),
            ("CF.ADD c a", arriving),
            ("CF.DEL c a", arriving),
            ("CF.COUNT c a", arriving),
            (["CF.LOADCHUNK", "c", cuckoo_last + 1, cuckoo_body + b"x"], Error("Couldn't load chunk!")),
            (["CF.LOADCHUNK", "c", 9, cuckoo_body], Error("Couldn't load chunk!")),
            (["CF.LOADCHUNK", "c", cuckoo_last, cuckoo_body], OK),
            ("CF.EXISTS c a", 1, True),
            (["CF.LOADCHUNK", "f", 1, cuckoo_head], WRONG_TYPE),
        ])  # fmt: skip

    def test_other_ways_a_server_keeps_a_key(self):
        r = self.r
        make_all(r)
        r("BF.LOADCHUNK", "arriving", 1, dump(r, "BF", "redisbloom")[0][1])
        before = state(r)
        self.assertGreater(r("MEMORY", "USAGE", "growing"), r("BF.INFO", "growing", "SIZE")[0])
        payloads = {key: r("DUMP", key) for key in [*SORTS, "arriving"]}
        for key, payload in payloads.items():
            self.assertEqual(r("COPY", key, key + ":copy"), 1)
            self.assertEqual(r("RESTORE", key + ":restored", 0, payload), OK)
            for other in (key + ":copy", key + ":restored"):
                self.assertEqual(r("DUMP", other), payload)
                self.assertEqual(r("DEBUG", "DIGEST-VALUE", other), r("DEBUG", "DIGEST-VALUE", key))
        self.assertEqual(state(r, [key + ":copy" for key in SORTS]), {key + ":copy": before[key] for key in before})
        digests = r("DEBUG", "DIGEST")
        self.assertEqual(r("DEBUG", "RELOAD"), OK)
        self.assertEqual((r("DEBUG", "DIGEST"), state(r)), (digests, before))
        self.assertEqual({key: r("DUMP", key) for key in payloads}, payloads)
        for key in payloads:
            self.assertEqual(r("UNLINK", key), 1)
        self.assertEqual(state(r, [key + ":copy" for key in SORTS]), {key + ":copy": before[key] for key in before})

    def test_events(self):
        listener = self.server.connect()
        self.r("CONFIG", "SET", "notify-keyspace-events", "Kd")
        self.addCleanup(self.r, "CONFIG", "SET", "notify-keyspace-events", "")
        listener("SUBSCRIBE", "__keyspace@0__:f")
        for words in ("BF.ADD f a", "BF.ADD f a", "BF.MADD f b c", "DEL f", "CF.ADD f a", "CF.DEL f a", "CF.DEL f a"):
            self.r(*words.split())
        told = [listener.read()[2] for _ in range(6)]
        self.assertEqual(told, [b"bloom.reserve", b"bloom.add", b"bloom.add", b"cuckoo.reserve", b"cuckoo.add", b"cuckoo.del"])

    def test_settings(self):
        names = {b"bf-error-rate": b"0.01", b"bf-initial-size": b"100", b"bf-expansion-factor": b"2", b"cf-bucket-size": b"2",
                 b"cf-initial-size": b"1024", b"cf-max-iterations": b"20", b"cf-expansion-factor": b"1", b"cf-max-expansions": b"32"}  # fmt: skip
        self.assertEqual(self.clients[3]("CONFIG", "GET", "bf.*"), {b"bf." + name: usual for name, usual in names.items()})
        try:
            for name, number in (("bf-error-rate", "0.001"), ("bf-initial-size", 50), ("bf-expansion-factor", 3), ("cf-bucket-size", 4),
                                 ("cf-initial-size", 64), ("cf-max-iterations", 9), ("cf-expansion-factor", 2)):  # fmt: skip
                self.assertEqual(self.r("CONFIG", "SET", "bf." + name, number), OK)
            self.r("BF.ADD", "f", "a")
            self.r("CF.ADD", "c", "a")
            self.assertEqual((self.r("BF.INFO", "f", "CAPACITY"), self.r("BF.INFO", "f", "EXPANSION")), ([50], [3]))
            self.assertEqual(list(self.clients[3]("CF.INFO", "c").values())[5:], [4, 2, 9])
            for name, number in (("bf-error-rate", "0"), ("bf-error-rate", "1"), ("bf-error-rate", "nan"), ("bf-error-rate", "x"),
                                 ("bf-initial-size", 0), ("bf-initial-size", 2**30 + 1), ("cf-bucket-size", 256)):  # fmt: skip
                self.assertIsInstance(self.r("CONFIG", "SET", "bf." + name, number), Error)
            self.assertEqual(self.r("CONFIG", "GET", "bf.bf-error-rate"), [b"bf.bf-error-rate", b"0.001"])
        finally:
            for name, usual in names.items():
                self.r("CONFIG", "SET", b"bf." + name, usual)

    def test_a_section_of_info(self):
        make_all(self.r)
        told = self.r("INFO", "bf").decode()
        self.assertRegex(told, "# bf_filters\r\nbf_bloom:9\r\nbf_cuckoo:5\r\nbf_lookup:0\r\nbf_memory_bytes:[1-9]")
        self.r("FLUSHALL")
        self.assertIn("bf_bloom:0\r\nbf_cuckoo:0\r\nbf_lookup:0\r\nbf_memory_bytes:0\r\n", self.r("INFO", "bf").decode())


if __name__ == "__main__":
    if not resp.find_server():
        print("skipped: there is no redis-server")
        sys.exit(77)
    unittest.main()
