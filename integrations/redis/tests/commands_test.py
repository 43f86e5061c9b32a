"""Every command of BF and CF, its options, replies and errors, in RESP2 and RESP3.

Where a row of a table has two replies they are those of RESP2 and RESP3. docs/redis.md has the table for users."""

import case
from case import OK, WRONG_TYPE, Case, arity
from resp import Error


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


if __name__ == "__main__":
    case.run()
