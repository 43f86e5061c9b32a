"""Corrupted payloads and chunks, and requests beyond all measure: a clear reply, a living server, no memory taken.

SEEN_REDIS_HOSTILE is how many payloads are corrupted (1000). Their checksums are put right, so that the server hands them on."""

import os
import random
import struct

import case
from case import GOLDEN, OK, SORTS, WRONG_TYPE, Case, dump, family_of, make_all
from moving_test import Payload, chunks_of, cuckoo_payload, sealed, valkey_payload
from resp import Error

ROUNDS = int(os.environ.get("SEEN_REDIS_HOSTILE", "1000"))
EXTREMES = [0, 1, 2, 255, 1 << 15, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


def golden(*path):
    with open(os.path.join(GOLDEN, *path), "rb") as file:
        return file.read()


def corrupted(data, chance):
    """The same with a few bytes other, a few fewer or a few more, or an extreme number in it."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        at = chance.randrange(len(data) + 1) if chance.random() < 0.5 else chance.randrange(min(len(data), 120) + 1)
        how = chance.randrange(6)
        if how <= 1 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif how == 2:
            data[at : at + 8] = struct.pack(chance.choice("<>") + "Q", chance.choice(EXTREMES))
        elif how == 3:
            data[at : at + 4] = struct.pack(chance.choice("<>") + "I", chance.choice(EXTREMES) & 0xFFFFFFFF)
        elif how == 4:
            del data[at : at + chance.choice((1, 8, 1000))]
        else:
            data[at:at] = chance.randbytes(chance.choice((1, 8, 100)))
    return bytes(data)


def uses(family, key):
    """What a client does with a filter that was taken."""
    add = ("BF.MADD", key) if family == "BF" else ("CF.INSERT", key, "ITEMS")
    return [(family + ".MEXISTS", key, *range(20)), (*add, *range(300)), (family + ".MEXISTS", key, *range(20)), (family + ".INFO", key),
            (family + ".SCANDUMP", key, 0), (family + ".SCANDUMP", key, 1), (family + ".DEBUG", key), ("MEMORY", "USAGE", key),
            ("COPY", key, "copy", "REPLACE"), ("DUMP", key), ("CF.DEL", key, 3), ("BF.MERGE", key, "copy")]  # fmt: skip


class Hostile(Case):
    def used_memory(self):
        return next(int(line[12:]) for line in self.r("INFO", "memory").decode().split("\r\n") if line.startswith("used_memory:"))

    def test_corrupted_payloads_of_restore(self):
        make_all(self.r, range(300))
        payloads = [(family_of(sort), self.r("DUMP", sort)) for sort in SORTS]
        self.r("BF.LOADCHUNK", "arriving", 1, dump(self.r, "BF", "redisbloom")[0][1])
        payloads += [("BF", self.r("DUMP", "arriving"))]
        payloads += [("BF", golden("redisbloom", name)) for name in os.listdir(os.path.join(GOLDEN, "redisbloom")) if name.endswith(".rdbdump")]
        payloads += [("CF", cuckoo_payload(chunks_of(golden("redisbloom", "cf_cap32_exp1_grown.chunks"))))]
        payloads += [("BF", valkey_payload(golden("valkey-bloom", "n30_p0.01_scaled.blob")))]
        self.r("FLUSHALL")
        before, chance, taken = self.used_memory(), random.Random(1), 0
        for _ in range(ROUNDS):
            family, payload = chance.choice(payloads)
            (version,) = struct.unpack_from("<H", payload, len(payload) - 10)
            # The type is left alone: another one is not ours.
            body = payload[:10] + corrupted(payload[10:-10], chance)
            told = self.r("RESTORE", "f", 0, sealed(body, version), "REPLACE")
            self.assertIn(told, (OK, Error("ERR Bad data format")))
            if told == OK:
                taken += 1
                self.r.pipeline(uses(family, "f"))
                self.r("DEL", "f", "copy")
        self.assertGreater(taken, ROUNDS // 50)
        self.assertLess(taken, ROUNDS)
        self.r("FLUSHALL")
        self.assertLess(self.used_memory() - before, 8 << 20)

    def test_corrupted_chunks(self):
        make_all(self.r, range(300))
        filters = [(family_of(sort), dump(self.r, family_of(sort), sort, *(("WITHSECRET",) if sort == "keyed" else ()))) for sort in SORTS]
        filters += [("CF" if name.startswith("cf") else "BF", chunks_of(golden("redisbloom", name)))
                    for name in os.listdir(os.path.join(GOLDEN, "redisbloom")) if name.endswith(".chunks")]  # fmt: skip
        self.r("FLUSHALL")
        chance, taken = random.Random(2), 0
        for _ in range(ROUNDS):
            family, chunks = chance.choice(filters)
            chunks = list(chunks)
            which = chance.randrange(len(chunks))
            iterator, data = chunks[which]
            if chance.random() < 0.2:
                chunks[which] = (chance.choice((*EXTREMES, -1, iterator + 1, iterator - 1, -iterator)), data)
            elif chance.random() < 0.1:
                chance.shuffle(chunks)
            else:
                chunks[which] = (iterator, corrupted(data, chance))
            told = self.r.pipeline([(f"{family}.LOADCHUNK", "f", *chunk) for chunk in chunks])
            self.r.pipeline(uses(family, "f"))
            taken += all(each == OK for each in told)
            self.r("DEL", "f", "copy")
        self.assertLess(taken, ROUNDS)

    def test_records_that_tell_lies(self):
        """A record names a family and a format; its body is another's."""
        self.r("BF.RESERVE", "b", "0.01", 100, "KIND", "redisbloom")
        self.r("CF.RESERVE", "c", 100, "KIND", "redisbloom")
        self.r("SF.LOAD", "s", "BYTES", golden("native-1", "ribbon.seen"))
        bad = Error("ERR Bad data format")
        for key, name, family in (("b", "MBbloomCF", 1), ("c", "MBbloom--", 0), ("b", "seen-look", 2)):
            payload = Payload(name, 513).bytes + self.r("DUMP", key)[10:-10].replace(b"SEENV\r\n\1" + bytes([key == "c"]), b"SEENV\r\n\1" + bytes([family]))
            self.assertEqual(self.r("RESTORE", "f", 0, sealed(payload)), bad)
        for other in (b"guava ", b"parque", b"rocksd"):
            self.assertEqual(self.r("RESTORE", "f", 0, sealed(self.r("DUMP", "s")[:-10].replace(b"native", other))), bad)
        self.assertEqual(self.r("RESTORE", "f", 0, sealed(self.r("DUMP", "s")[:-10])), OK)

    def test_corrupted_objects_of_valkey(self):
        blob, chance = golden("valkey-bloom", "n30_p0.01_scaled.blob"), random.Random(3)
        for _ in range(ROUNDS // 10):
            self.r("BF.LOAD", "f", corrupted(blob, chance))
            self.r.pipeline(uses("BF", "f"))
            self.r("DEL", "f", "copy")

    def test_what_no_server_has_memory_for_is_refused_before_it_is_taken(self):
        before = self.used_memory()
        self.r("CONFIG", "SET", "maxmemory", before + (64 << 20))
        self.addCleanup(self.r, "CONFIG", "SET", "maxmemory", "0")
        refused = Error("ERR Insufficient memory to create filter")
        for words in ("BF.RESERVE f 0.0001 1073741824", "BF.RESERVE f 0.01 100000000 NONSCALING", "BF.INSERT f CAPACITY 1073741824 ITEMS a",
                      "BF.RESERVE f 0.01 1073741824 KIND redisbloom", "BF.RESERVE f 0.01 1000000000 WINDOW 60",
                      "CF.RESERVE f 1073741824", "CF.RESERVE f 1073741824 KIND redisbloom", "CF.INSERT f CAPACITY 100000000 ITEMS a"):  # fmt: skip
            self.assertEqual(self.r(*words.split()), refused, words)
        # A header that announces a terabyte.
        link = struct.pack("<QQQddIQB", 1 << 40, 1 << 43, 0, 0.005, 11.0, 8, 100, 0)
        self.assertEqual(self.r("BF.LOADCHUNK", "f", 1, struct.pack("<QIII", 0, 1, 5, 2) + link), refused)
        self.assertEqual(self.r("CF.LOADCHUNK", "f", 1, struct.pack("<QQQQHHH", 0, 1 << 32, 0, 1, 2, 20, 1)), refused)
        self.assertEqual(self.r("EXISTS", "f"), 0)
        self.assertLess(self.used_memory() - before, 1 << 20)
        self.assertEqual(self.r("BF.RESERVE", "g", "0.01", 10_000_000), OK)
        self.assertGreater(self.used_memory() - before, 10_000_000)  # the server knows of it

    def test_a_filter_that_would_grow_beyond_the_limit_does_not_and_nothing_is_evicted(self):
        self.r("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        self.addCleanup(self.r, "CONFIG", "SET", "maxmemory-policy", "noeviction")
        self.r("SET", "text", "x")
        self.r("BF.RESERVE", "f", "0.01", 5000, "EXPANSION", 32768)
        self.r("CF.RESERVE", "c", 700_000)
        self.r("CONFIG", "SET", "maxmemory", self.used_memory() + (1 << 20))
        self.addCleanup(self.r, "CONFIG", "SET", "maxmemory", "0")
        told = [each for first in range(0, 6000, 1000) for each in self.r("BF.MADD", "f", *range(first, first + 1000))]
        self.assertEqual(told[-1], Error("ERR Insufficient memory"))
        self.assertEqual(self.r("BF.INFO", "f", "FILTERS"), [1])
        told, first = [], 0
        while -1 not in told and first < 2_000_000:
            told = self.r("CF.INSERT", "c", "ITEMS", *range(first, first + 5000))
            first += 5000
        self.assertEqual(self.r("CF.ADD", "c", first - 5000 + told.index(-1)), Error("ERR Insufficient memory"))
        self.assertEqual(self.r("EXISTS", "text", "f", "c"), 3)
        self.assertEqual(self.r("BF.MEXISTS", "f", *range(4000)), [1] * 4000)

    def test_out_of_memory(self):
        self.r("BF.RESERVE", "f", "0.01", 1000)
        self.r("CF.RESERVE", "c", 1000)
        self.r("BF.ADD", "f", "before")
        self.r("CONFIG", "SET", "maxmemory", "1")
        self.addCleanup(self.r, "CONFIG", "SET", "maxmemory", "0")
        refused = Error("OOM command not allowed when used memory > 'maxmemory'.")
        for words in ("BF.ADD f a", "BF.MADD f a", "BF.INSERT f ITEMS a", "BF.RESERVE g 0.01 10", "BF.MERGE g f", "CF.ADD c a", "CF.INSERT c ITEMS a",
                      "BF.LOADCHUNK g 1 x", "CF.LOADCHUNK g 1 x"):  # fmt: skip
            self.assertEqual(self.r(*words.split()), refused)
        self.assertEqual(self.r("BF.EXISTS", "f", "before"), 1)
        self.assertEqual(self.r("CF.DEL", "c", "x"), 0)

    def test_huge_items(self):
        item = b"x" * (64 << 20)
        self.assertEqual(self.r("BF.ADD", "f", item), 1)
        self.assertEqual(self.r("BF.EXISTS", "f", item), 1)
        self.assertEqual(self.r("BF.EXISTS", "f", item[:-1] + b"y"), 0)
        self.assertEqual(self.r("CF.ADD", "c", item), 1)
        self.assertEqual(self.r("CF.COUNT", "c", item), 1)

    def test_keys_of_every_other_type(self):
        for make in ("SET k x", "RPUSH k x", "SADD k x", "HSET k x y", "ZADD k 1 x", "XADD k * x y"):
            self.r("DEL", "k")
            self.r(*make.split())
            for words in ("BF.RESERVE k 0.01 10", "BF.ADD k a", "BF.MADD k a", "BF.INSERT k ITEMS a", "BF.CARD k", "BF.INFO k", "BF.SCANDUMP k 0",
                          "BF.LOADCHUNK k 1 x", "BF.LOAD k x", "BF.MERGE k k", "BF.DEBUG k", "CF.RESERVE k 10", "CF.ADD k a", "CF.ADDNX k a",
                          "CF.INSERT k ITEMS a", "CF.INSERTNX k ITEMS a", "CF.INFO k", "CF.SCANDUMP k 0", "CF.LOADCHUNK k 1 x", "CF.COMPACT k"):  # fmt: skip
                self.assertEqual(self.r(*words.split()), WRONG_TYPE, words)


if __name__ == "__main__":
    case.run()
