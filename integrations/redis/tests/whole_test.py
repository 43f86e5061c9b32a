"""Whole filters: in chunks and payloads, copied, reloaded, merged; the server's settings and events."""

import random
import time

import case
from case import OK, SORTS, WRONG_TYPE, Case, arity, dump, family_of, load, make_all, state
from resp import Error


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

    def test_a_large_filter_goes_in_several_chunks(self):
        r = self.r
        for make in ("BF.RESERVE f 0.01 30000000 NONSCALING", "BF.RESERVE f 0.01 20000000 KIND redisbloom", "CF.RESERVE f 20000000"):
            family = make[:2]
            self.assertEqual(r(*make.split()), OK)
            r(f"{family}.INSERT", "f", "ITEMS", *range(1000))
            chunks = dump(r, family, "f")
            self.assertGreater(len(chunks), 2)
            self.assertTrue(all(len(data) == 16 << 20 for _, data in chunks[1:-1]))
            self.assertEqual(load(r, family, "copy", chunks), OK)
            self.assertEqual(dump(r, family, "copy"), chunks)
            self.assertEqual(r(f"{family}.MEXISTS", "copy", *range(1000)), [1] * 1000)
            r("DEL", "f", "copy")

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

    def test_a_last_chunk_that_is_refused_may_come_again(self):
        for make in ("BF.RESERVE f 0.01 100", "BF.RESERVE f 0.01 100 KIND redisbloom", "CF.RESERVE f 100 KIND redisbloom"):
            with self.subTest(make):
                family = make[:2]
                self.r("FLUSHALL")
                self.r(*make.split())
                self.r(f"{family}.INSERT", "f", "ITEMS", *range(50))
                head, (last, body) = dump(self.r, family, "f")
                if family == "BF":  # one that counts more items than it has bits, or the like
                    wrong = (b"\0" * len(body), Error("ERR received bad data"))
                else:  # every content of its slots is a cuckoo filter
                    wrong = (body + b"x", Error("Couldn't load chunk!"))
                self.assertEqual(self.r(f"{family}.LOADCHUNK", "g", *head), OK)
                self.assertEqual(self.r(f"{family}.LOADCHUNK", "g", last + len(wrong[0]) - len(body), wrong[0]), wrong[1])
                self.assertEqual(self.r(f"{family}.LOADCHUNK", "g", last, body), OK)
                self.assertEqual(dump(self.r, family, "g"), [head, (last, body)])

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
        self.assertEqual(self.clients[3]("CONFIG", "GET", "bf.*"), {b"bf." + name: usual for name, usual in names.items()} | {b"bf.sf-directory": b""})
        self.assertIsInstance(self.r("CONFIG", "SET", "bf.sf-directory", "/"), Error)
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
        self.r("FLUSHALL", "SYNC")  # usually a thread of its own in later servers
        self.assertIn("bf_bloom:0\r\nbf_cuckoo:0\r\nbf_lookup:0\r\nbf_memory_bytes:0\r\n", self.r("INFO", "bf").decode())


class MoreThanRedisBloom(Case):
    def test_reserve(self):
        self.check([
            ("BF.RESERVE k 0.01 100 KEYED", OK),
            ("BF.RESERVE s 0.01 100 KEYED SECRET " + "0f" * 16, OK),
            ("BF.RESERVE x 0.01 100 KEYED SECRET", Error("ERR a secret has 32 hexadecimal digits")),
            ("BF.RESERVE x 0.01 100 KEYED SECRET 0f0f", Error("ERR a secret has 32 hexadecimal digits")),
            ("BF.RESERVE x 0.01 100 KEYED SECRET " + "0g" * 16, Error("ERR a secret has 32 hexadecimal digits")),
            ("BF.RESERVE w 0.01 100 WINDOW 60", OK),
            ("BF.RESERVE x 0.01 100 WINDOW", Error("ERR window must be in the range [1, 1099511627776], in seconds")),
            ("BF.RESERVE x 0.01 100 WINDOW 0", Error("ERR window must be in the range [1, 1099511627776], in seconds")),
            ("BF.RESERVE x 0.01 100 WINDOW 9 KIND bloom", Error("ERR a filter of kind bloom has no window")),
            ("BF.RESERVE x 0.01 100 KIND", Error("ERR no kind")),
            ("BF.RESERVE x 0.01 100 KIND redisbloom KEYED", Error("ERR a filter of kind redisbloom has no secret")),
            ("CF.RESERVE x 100 KIND redisbloom ERROR 0.1", Error("ERR the rate of a filter of kind redisbloom follows from its bucket size")),
            ("BF.RESERVE x 0.01 100 KIND ribbon",
             Error("ERR could not create filter: ribbon is built of all its keys at once: SF.LOAD takes it from a file")),
            ("BF.RESERVE bloom 0.01 100 KIND split-block", OK),
            ("BF.DEBUG bloom", [b"size:0", b"bytes:192 filters:1 capacity:100 ratio:0.01 kind:split-block"]),
            ("EXISTS x", 0),
        ])  # fmt: skip
        self.assertIn("ERR could not create filter: ", str(self.r("BF.RESERVE", "x", "0.01", 100, "KIND", "nonsense")))

    def test_items_are_forgotten_after_the_window(self):
        r, now = self.r, int(time.time() * 1000)
        self.assertEqual(r("BF.RESERVE", "f", "0.0001", 1000, "WINDOW", 3600), OK)
        self.assertEqual(r("BF.INSERT", "f", "AT", now - 3 * 3600_000, "ITEMS", *range(100)), [1] * 100)
        # Nobody has told the filter what time it is: it is asked about now.
        self.assertLess(sum(r("BF.MEXISTS", "f", *range(100))), 3)
        self.assertEqual(r("BF.EXISTS", "f", 1), 0)
        self.assertEqual(r("BF.INSERT", "f", "AT", now - 1800_000, "ITEMS", "half an hour ago"), [1])
        self.assertEqual(r("BF.ADD", "f", 7), 1)
        self.assertEqual(r("BF.ADD", "f", 7), 0)
        self.assertEqual(r("BF.MEXISTS", "f", "half an hour ago", 7, 8), [1, 1, 0])
        self.assertEqual(r("BF.CARD", "f"), 2)
        self.assertEqual(r("BF.INFO", "f", "EXPANSION"), [None])
        self.assertEqual(r("BF.INSERT", "f", "AT", "x", "ITEMS", 1), Error("ERR bad time"))
        self.assertEqual(r("BF.INSERT", "f", "AT", "-1", "ITEMS", 1), Error("ERR bad time"))

    def test_merge_is_the_union_of_what_was_added(self):
        r = self.r
        for make in ("", "NONSCALING", "KIND bloom", "KIND scalable-classic-bloom", "KEYED SECRET " + "ab" * 16):
            with self.subTest(make):
                r("FLUSHALL")
                for key, items in (("a", range(500)), ("b", range(400, 900)), ("c", range(900, 1000))):
                    r("BF.RESERVE", key, "0.001", 2000, *make.split())
                    r("BF.MADD", key, *items)
                b = dump(r, "BF", "b")
                self.assertEqual(r("BF.MERGE", "a", "b", "c"), OK)
                self.assertEqual(r("BF.MERGE", "new", "a"), OK)
                for key in ("a", "new"):
                    self.assertEqual(r("BF.MEXISTS", key, *range(1000)), [1] * 1000)
                    self.assertLess(sum(r("BF.MEXISTS", key, *range(1000, 11_000))), 80)
                    self.assertTrue(980 <= r("BF.CARD", key) <= 1100, r("BF.CARD", key))
                self.assertEqual(dump(r, "BF", "b"), b)
                # It goes on.
                r("BF.MADD", "new", *range(5000, 5500))
                self.assertEqual(r("BF.MEXISTS", "new", *range(5000, 5500)), [1] * 500)

    def test_merge_folds_sizes_that_differ(self):
        r = self.r
        for key, capacity in (("large", 8_000_000), ("small", 4_800_000)):
            self.assertEqual(r("BF.RESERVE", key, "0.01", capacity, "NONSCALING"), OK)
        r("BF.MADD", "large", *range(5000))
        r("BF.MADD", "small", *range(5000, 9000))
        sizes = [r("BF.INFO", key, "SIZE")[0] for key in ("large", "small")]
        self.assertEqual(r("BF.MERGE", "large", "small"), OK)
        self.assertEqual(r("BF.MEXISTS", "large", *range(9000)), [1] * 9000)
        self.assertLess(r("BF.INFO", "large", "CAPACITY")[0], 4_800_000)
        self.assertEqual([r("BF.INFO", key, "SIZE")[0] for key in ("small",)], sizes[1:])
        self.assertLess(sum(r("BF.MEXISTS", "large", *range(10_000, 20_000))), 150)
        self.assertLess(r("BF.INFO", "large", "SIZE")[0], sizes[1])

    def test_merge_refuses_and_changes_nothing(self):
        r = self.r
        r("BF.RESERVE", "a", "0.01", 100)
        r("BF.RESERVE", "n", "0.01", 100, "NONSCALING")
        r("BF.RESERVE", "k", "0.01", 100, "KEYED")
        r("BF.RESERVE", "r", "0.01", 100, "KIND", "redisbloom")
        r("BF.MADD", "a", *range(50))
        r("SET", "text", "x")
        before = r("DUMP", "a")
        for words, says in (("a n", "ERR n: "), ("a k", "ERR k: "), ("a r", "ERR r: "), ("a missing", "ERR not found"), ("missing nothing", "ERR not found"),
                            ("a text", str(WRONG_TYPE)), ("text a", str(WRONG_TYPE)), ("a n missing", "ERR n: ")):  # fmt: skip
            self.assertIn(says, str(r("BF.MERGE", *words.split())))
        self.assertEqual(r("DUMP", "a"), before)
        self.assertEqual(r("EXISTS", "missing"), 0)
        self.assertEqual(r("BF.MERGE", "a"), arity("BF.MERGE"))
        self.assertEqual(r("BF.MERGE", "a", "a"), OK)
        self.assertEqual(r("BF.MEXISTS", "a", *range(50)), [1] * 50)

    def test_defragmentation_closes_the_holes_of_deleted_filters(self):
        if isinstance(self.r("CONFIG", "SET", "activedefrag", "yes"), Error):
            self.skipTest("this server does not defragment")
        self.r("CONFIG", "SET", "activedefrag", "no")
        ways = (("BF.RESERVE", "BF.INSERT", "BF.MEXISTS"), ("CF.RESERVE", "CF.INSERT", "CF.MEXISTS"))
        keys = [(f"f{i}", *ways[i % 2], 100 << i % 6) for i in range(12_000)]
        told = self.r.pipeline([words for key, reserve, insert, _, capacity in keys
                                for words in ((reserve, key, *["0.01"] * (reserve == "BF.RESERVE"), capacity), (insert, key, "ITEMS", key, "a"))])  # fmt: skip
        self.assertEqual([each for each in told if isinstance(each, Error)], [])
        random.Random(1).shuffle(keys)
        self.r.pipeline([("DEL", key[0]) for key in keys[3000:]])

        def holes():
            lines = self.r("INFO", "memory").decode().splitlines()
            return int(next(line for line in lines if line.startswith("allocator_frag_bytes:")).split(":")[1])

        end = time.monotonic() + 60
        while (before := holes()) < 4 << 20 and time.monotonic() < end:  # the server counts them ten times a second
            time.sleep(0.05)
        for name, value in (("ignore-bytes", "1"), ("threshold-lower", "1"), ("cycle-min", "50"), ("cycle-max", "75")):
            self.assertEqual(self.r("CONFIG", "SET", f"active-defrag-{name}", value), OK)
        self.r("CONFIG", "SET", "activedefrag", "yes")
        while holes() > before / 3 and time.monotonic() < end:
            key, _, insert, ask, _ = random.choice(keys[:3000])
            self.assertEqual(self.r(ask, key, key, "a"), [1, 1])
            self.r(insert, key, "ITEMS", "b")
        self.r("CONFIG", "SET", "activedefrag", "no")
        self.assertLessEqual(holes(), before / 3)
        self.assertEqual(self.r.pipeline([(ask, key, key, "a") for key, _, _, ask, _ in keys[:3000]]), [[1, 1]] * 3000)

    def test_categories_of_commands(self):
        if b"bloom" not in self.r("ACL", "CAT"):
            self.skipTest("this server lets no module name categories")
        for command, categories in (("BF.ADD", "@bloom @fast @write"), ("BF.EXISTS", "@bloom @fast @read"), ("CF.DEL", "@cuckoo @fast @write"),
                                    ("BF.SCANDUMP", "@bloom @read @slow"), ("SF.EXISTS", "@fast @lookup @read")):  # fmt: skip
            self.assertEqual(sorted(self.r("COMMAND", "INFO", command)[0][6]), categories.split())
        self.r("ACL", "SETUSER", "reader", "on", "nopass", "~*", "+@bloom", "-@write")
        c = self.server.connect()
        c("AUTH", "reader", "")
        self.assertEqual(c("BF.EXISTS", "f", "a"), 0)
        self.assertIn("NOPERM", str(c("BF.ADD", "f", "a")))
        self.assertIn("NOPERM", str(c("CF.EXISTS", "f", "a")))


if __name__ == "__main__":
    case.run()
