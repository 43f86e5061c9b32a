"""Whole filters: in chunks and payloads, copied, reloaded, merged; the server's settings and events."""

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
    case.run()
