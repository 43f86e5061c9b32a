"""Moving over: what servers with RedisBloom or valkey-bloom wrote is read, answers as it did there, and grows on by its own rule.

The files and their manifests are those of tests/golden: made by RedisBloom 2.8, and by a second writer where its name says so. Payloads of a type that
no file is of are made of the chunks, as the servers lay them out (docs/redis.md)."""

import json
import os
import struct

import case
from case import GOLDEN, OK, Case, dump, load
from resp import Error

KEYS = json.load(open(os.path.join(GOLDEN, "keys.json"), encoding="utf-8"))
ADDED = [bytes.fromhex(key) for key in KEYS["added_hex"]]
ABSENT = [bytes.fromhex(key) for key in KEYS["absent_hex"]]


def golden(folder, name):
    path = os.path.join(GOLDEN, folder, name)
    with open(path, "rb") as file, open(path + ".json", encoding="utf-8") as manifest:
        return file.read(), json.load(manifest)


def expected(manifest):
    """The answers for what was added: a filter that was full took no more."""
    refused = set(manifest.get("added_but_answered_false", ()))
    return [int(i not in refused) for i in range(manifest["added_count"])]


def chunks_of(file):
    """A file of chunks: iterator u64, length u64, data."""
    chunks = []
    while file:
        iterator, length = struct.unpack_from("<QQ", file)
        if iterator:
            chunks.append((iterator, file[16 : 16 + length]))
        file = file[16 + length :]
    return chunks


def crc64(data, table=[]):
    if not table:
        for i in range(256):
            for _ in range(8):
                i = i >> 1 ^ (0x95AC9329AC4BC9B5 if i & 1 else 0)
            table.append(i)
    crc = 0
    for byte in data:
        crc = table[(crc ^ byte) & 255] ^ crc >> 8
    return crc


def sealed(payload, version=10):
    """A payload of DUMP, with its version and checksum."""
    payload += struct.pack("<H", version)
    return payload + struct.pack("<Q", crc64(payload))


class Payload:
    """A value of a module's type, as RDB files and DUMP lay it out."""

    def __init__(self, name, encoding):
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        number = 0
        for c in name:
            number = number << 6 | letters.index(c)
        self.bytes = b"\x07\x81" + struct.pack(">Q", number << 10 | encoding)

    @staticmethod
    def length(n):
        return b"\x81" + struct.pack(">Q", n)

    def number(self, n):
        self.bytes += b"\x02" + self.length(n)
        return self

    def real(self, x):
        self.bytes += b"\x04" + struct.pack("<d", x)
        return self

    def string(self, data):
        self.bytes += b"\x05" + self.length(len(data)) + data
        return self

    def sealed(self):
        return sealed(self.bytes + b"\0")


def cuckoo_payload(chunks, encoding=4):
    """A cuckoo filter's chunks as RedisBloom saves it."""
    items, buckets, deletes, tables, slots, iterations, expansion = struct.unpack("<QQQQHHH", chunks[0][1])
    to = Payload("MBbloomCF", encoding).number(tables).number(buckets).number(items)
    if encoding >= 4:
        to.number(deletes).number(slots).number(iterations).number(expansion)
    body = b"".join(data for _, data in chunks[1:])
    for i in range(tables):
        here = buckets * expansion**i
        if encoding >= 4:
            to.number(here)
        to.string(body[: here * slots])
        body = body[here * slots :]
    return to.sealed()


def valkey_payload(blob):
    """An object of BF.LOAD as valkey-bloom saves it."""
    _, expansion, fpr, tightening, random, filters = struct.unpack_from("<BIddBQ", blob)
    to = Payload("bloomfltr", 1).number(filters).number(expansion).real(fpr).real(tightening).number(random)
    at = struct.calcsize("<BIddBQ")
    for i in range(filters):
        (length,) = struct.unpack_from("<Q", blob, at)
        image = blob[at + 8 : at + 8 + length]
        items, capacity = struct.unpack_from("<QQ", blob, at + 8 + length)
        at += 8 + length + 16
        to.string(image).number(capacity)
        if i + 1 == filters:
            to.number(items)
    return to.sealed()


class FromRedisBloom(Case):
    def answers(self, family, key, manifest):
        self.assertEqual(self.r(f"{family}.MEXISTS", key, *ADDED[: manifest["added_count"]]), expected(manifest))
        self.assertEqual(self.r(f"{family}.MEXISTS", key, *ABSENT), [int(each) for each in manifest["absent_answers"]])

    def test_chunks_are_taken_and_given_back_as_they_were(self):
        names = [name for name in sorted(os.listdir(os.path.join(GOLDEN, "redisbloom"))) if name.endswith(".chunks")]
        self.assertGreater(len(names), 8)
        for name in names:
            with self.subTest(name):
                file, manifest = golden("redisbloom", name)
                family = "CF" if name.startswith("cf") else "BF"
                chunks = chunks_of(file)
                self.assertEqual(load(self.r, family, name, chunks), OK)
                self.assertEqual(dump(self.r, family, name), chunks)
                self.answers(family, name, manifest)
                if family == "CF":
                    info = self.clients[3]("CF.INFO", name)
                    told = manifest["CF.INFO"]
                    for field in told:
                        if field != "Size":  # RedisBloom counts its structures, too
                            self.assertEqual(info[field.encode()], told[field], field)
                # Through RDB it stays what it is.
                self.assertEqual(self.r("DEBUG", "RELOAD"), OK)
                self.assertEqual(dump(self.r, family, name), chunks)

    def test_payloads_of_dump_are_restored(self):
        names = [name for name in sorted(os.listdir(os.path.join(GOLDEN, "redisbloom"))) if name.endswith(".rdbdump")]
        self.assertGreater(len(names), 4)
        for name in names:
            with self.subTest(name):
                file, manifest = golden("redisbloom", name)
                self.assertEqual(self.r("RESTORE", name, 0, file), OK)
                self.answers("BF", name, manifest)
                before = dump(self.r, "BF", name)
                self.assertEqual(self.r("DEBUG", "RELOAD"), OK)
                self.assertEqual(dump(self.r, "BF", name), before)

    def test_a_filter_goes_on_as_it_would_there(self):
        """Half of the items are added here, after the chunks of the other half: the chunks are RedisBloom's of all of them."""
        for name, make in (("bf_n30_p0.01_exp2_scaled.chunks", "BF.RESERVE f 0.01 30"), ("bf_n137_p0.01.chunks", "BF.RESERVE f 0.01 137"),
                           ("cf_cap32_exp1_grown.chunks", "CF.RESERVE f 32")):  # fmt: skip
            with self.subTest(name):
                file, manifest = golden("redisbloom", name)
                family = make[:2]
                add = ("BF.MADD", "{}") if family == "BF" else ("CF.INSERT", "{}", "ITEMS")
                items = ADDED[: manifest["added_count"]]
                self.r("DEL", "f", "g")
                self.assertEqual(self.r(*make.split(), "KIND", "redisbloom"), OK)
                self.r(add[0], "f", *add[2:], *items[:60])
                self.assertEqual(load(self.r, family, "g", dump(self.r, family, "f")), OK)
                self.r(add[0], "g", *add[2:], *items[60:])
                self.assertEqual(dump(self.r, family, "g"), chunks_of(file))

    def test_cuckoo_filters_of_rdb_files(self):
        for name in ("cf_cap200.chunks", "cf_cap32_exp1_grown.chunks"):
            file, manifest = golden("redisbloom", name)
            for encoding in (4, 3):
                with self.subTest(name, encoding=encoding):
                    key = f"{name}{encoding}"
                    chunks = chunks_of(file)
                    self.assertEqual(self.r("RESTORE", key, 0, cuckoo_payload(chunks, encoding)), OK)
                    self.answers("CF", key, manifest)
                    self.assertEqual(dump(self.r, "CF", key), chunks)

    def test_encodings_of_the_future_are_refused(self):
        file, _ = golden("redisbloom", "bf_n30_p0.01_exp2_scaled.rdbdump")
        for encoding in (5, 512, 514, 1023):
            number = struct.unpack_from(">Q", file, 2)[0] & ~1023 | encoding
            payload = file[:2] + struct.pack(">Q", number) + file[10:-10]
            self.assertEqual(self.r("RESTORE", "f", 0, sealed(payload)), Error("ERR Bad data format"))


class FromValkeyBloom(Case):
    def test_objects_are_loaded_by_either_way_and_grow_on(self):
        names = [name for name in sorted(os.listdir(os.path.join(GOLDEN, "valkey-bloom"))) if name.endswith(".blob")]
        self.assertGreater(len(names), 3)
        for name in names:
            with self.subTest(name):
                blob, manifest = golden("valkey-bloom", name)
                self.r("FLUSHALL")
                self.assertEqual(self.r("BF.LOAD", "a", blob), OK)
                self.assertEqual(self.r("RESTORE", "b", 0, valkey_payload(blob)), OK)
                self.assertEqual(self.r("BF.LOAD", "a", blob), Error("ERR item exists"))
                for key in "ab":
                    self.assertEqual(self.r("BF.MEXISTS", key, *ADDED[: manifest["added_count"]]), expected(manifest))
                    self.assertEqual(self.r("BF.MEXISTS", key, *ABSENT), [int(each) for each in manifest["absent_answers"]])
                self.r("BF.MADD", "a", *range(1000))
                self.r("BF.MADD", "b", *range(1000))
                self.assertEqual(self.r("BF.INFO", "a"), self.r("BF.INFO", "b"))
                if "nonscaling" not in name:
                    self.assertGreater(self.r("BF.INFO", "a", "CAPACITY")[0], 1000)
                    self.assertEqual(self.r("BF.MEXISTS", "a", *range(1000)), [1] * 1000)
                before = [dump(self.r, "BF", key) for key in "ab"]
                self.assertEqual(before[0], before[1])
                self.assertEqual(self.r("DEBUG", "RELOAD"), OK)
                self.assertEqual([dump(self.r, "BF", key) for key in "ab"], before)

    def test_what_is_no_object_is_refused(self):
        blob, _ = golden("valkey-bloom", "n137_p0.01.blob")
        for bad in (b"", b"x", blob[:-1], blob + b"x", b"\2" + blob[1:]):
            self.assertIn("ERR bloom object decoding failed", str(self.r("BF.LOAD", "f", bad)))


if __name__ == "__main__":
    case.run()
