"""Writes golden files of RedisBloom that a present server does not write any more, from the published definition.

Old hashes of 32 bits, links with a modulus that is a power of two, older versions of the DUMP payload, strings packed
with LZF, replies cut at other places. Usage: redisbloom_old.py <folder of the golden files>
"""

import hashlib
import json
import math
import pathlib
import struct
import sys

WORD, HALF = (1 << 64) - 1, (1 << 32) - 1
FORCE64, NO_ROUND = 4, 1


def murmur2_32(key, seed):
    m = 0x5BD1E995
    h = (seed ^ len(key)) & HALF
    whole = len(key) // 4 * 4
    for (word,) in struct.iter_unpack("<I", key[:whole]):
        word = word * m & HALF
        word = (word ^ word >> 24) * m & HALF
        h = (h * m & HALF) ^ word
    tail = int.from_bytes(key[whole:], "little")
    if len(key) > whole:
        h = (h ^ tail) * m & HALF
    h = (h ^ h >> 13) * m & HALF
    return h ^ h >> 15


def murmur2_64a(key, seed):
    m = 0xC6A4A7935BD1E995
    h = (seed ^ len(key) * m) & WORD
    whole = len(key) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", key[:whole]):
        word = word * m & WORD
        h = (h ^ (word ^ word >> 47) * m & WORD) * m & WORD
    if len(key) > whole:
        h = (h ^ int.from_bytes(key[whole:], "little")) * m & WORD
    h = (h ^ h >> 47) * m & WORD
    return h ^ h >> 47


class Link:
    def __init__(self, entries, error, options, n2=0, bits=None):
        self.entries, self.error, self.options, self.n2, self.size = entries, error, options, n2, 0
        self.bpe = -math.log(error) / 0.480453013918201
        self.hashes = math.ceil(0.693147180559945 * self.bpe)
        wanted = 1 << n2 if n2 else int(entries * self.bpe)
        self.data = bytearray(8 * -(-wanted // 64))
        self.bits = 8 * len(self.data) if bits is None else bits

    def positions(self, key):
        if self.options & FORCE64:
            a = murmur2_64a(key, 0xC6A4A7935BD1E995)
            b = murmur2_64a(key, a)
        else:
            a = murmur2_32(key, 0x9747B28C)
            b = murmur2_32(key, a)
        for i in range(self.hashes):
            total = a + i * b & (WORD if self.options & FORCE64 or not 1 <= self.n2 <= 31 else HALF)
            yield total % (1 << self.n2 if self.n2 else self.bits)

    def has(self, key):
        return all(self.data[at // 8] >> at % 8 & 1 for at in self.positions(key))

    def add(self, key):
        for at in self.positions(key):
            self.data[at // 8] |= 1 << at % 8
        self.size += 1


class Chain:
    """A chain of links that are given, each of which takes the next keys."""

    def __init__(self, options, links):
        self.options, self.links = options, links

    def add(self, key):
        if self.has(key):
            return
        for link in self.links:
            if link.size < link.entries:
                link.add(key)
                return

    def has(self, key):
        return any(link.has(key) for link in self.links)

    def size(self):
        return sum(link.size for link in self.links)

    def chunks(self, most=1 << 24, end=False):
        header = struct.pack("<QIII", self.size(), len(self.links), self.options, 2)
        for link in self.links:
            header += struct.pack("<QQQddIQB", len(link.data), link.bits, link.size, link.error, link.bpe, link.hashes,
                                  link.entries, link.n2)
        out, sent = struct.pack("<QQ", 1, len(header)) + header, 0
        for link in self.links:
            for first in range(0, len(link.data), most):
                part = bytes(link.data[first:first + most])
                sent += len(part)
                out += struct.pack("<QQ", sent + 1, len(part)) + part
        return out + (bytes(16) if end else b"")

    def dump(self, version, packed=False):
        out = bytes([7, 0x81]) + struct.pack(">Q", module_id("MBbloom--", version))
        out += number(self.size()) + number(len(self.links))
        out += number(self.options) if version >= 2 else b""
        out += number(2) if version >= 4 else b""
        for link in self.links:
            out += number(link.entries) + real(link.error) + number(link.hashes) + real(link.bpe)
            out += number(link.bits) + number(link.n2) if version >= 1 else b""
            out += string(bytes(link.data), packed) + number(link.size)
        out += b"\0" + struct.pack("<H", 10)
        return out + struct.pack("<Q", crc64(out))


def module_id(name, version):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    value = 0
    for each in name:
        value = value << 6 | letters.index(each)
    return value << 10 | version


def length(value):
    if value < 1 << 6:
        return bytes([value])
    if value < 1 << 14:
        return bytes([0x40 | value >> 8, value & 255])
    if value < 1 << 32:
        return b"\x80" + struct.pack(">I", value)
    return b"\x81" + struct.pack(">Q", value)


def number(value):
    return length(2) + length(value)


def real(value):
    return length(4) + struct.pack("<d", value)


def string(data, packed):
    if not packed:
        return length(5) + length(len(data)) + data
    small = lzf(data)
    return length(5) + b"\xc3" + length(len(small)) + length(len(data)) + small


def lzf(data):
    """Literals, and runs of one byte as copies of the byte before."""
    out, at, literals = b"", 0, b""

    def flush():
        nonlocal out, literals
        for first in range(0, len(literals), 32):
            part = literals[first:first + 32]
            out += bytes([len(part) - 1]) + part
        literals = b""

    while at < len(data):
        run = 1
        while at + run < len(data) and data[at + run] == data[at]:
            run += 1
        literals += data[at:at + 1]
        at += 1
        run = min(run - 1, 264)
        if run >= 3:
            flush()
            out += bytes([(run - 2) << 5, 0]) if run < 9 else bytes([7 << 5, run - 9, 0])
            at += run
    flush()
    return out


def crc64(data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x95AC9329AC4BC9B5 if crc & 1 else 0)
    return crc


def write(folder, name, chain, content, keys, count):
    added = [bytes.fromhex(text) for text in keys["added_hex"]][:count]
    manifest = {
        "peer": "RedisBloom",
        "made_by": "generators/python/redisbloom_old.py, from the published definition; no server was run",
        "keyset": "bytes",
        "added": f"the first {count} of added_hex in keys.json, in order",
        "added_count": count,
        "absent_answers": [chain.has(bytes.fromhex(text)) for text in keys["absent_hex"]],
        "probe_positives": [i for i in range(1000) if chain.has(b"probe-%d" % i)],
        "file": name,
        "file_bytes": len(content),
        "file_sha256": hashlib.sha256(content).hexdigest(),
    }
    assert all(chain.has(key) for key in added)
    (folder / name).write_bytes(content)
    (folder / (name + ".json")).write_text(json.dumps(manifest, indent=1) + "\n")


def main():
    golden = pathlib.Path(sys.argv[1])
    keys = json.loads((golden / "keys.json").read_text())
    added = [bytes.fromhex(text) for text in keys["added_hex"]]

    def chain(options, *links, count=137):
        made = Chain(options, [Link(*link[:2], options, **link[2]) for link in links])
        for key in added[:count]:
            made.add(key)
        return made

    def version_0(entries, error):
        return {"bits": int(entries * -math.log(error) / 0.480453013918201)}

    folder = golden / "redisbloom"
    narrow = chain(NO_ROUND, (100, 0.01, {}), (200, 0.005, {}))
    write(folder, "old_32bit.chunks", narrow, narrow.chunks(), keys, 137)
    rounded = chain(0, (100, 0.01, {"n2": 10}), (200, 0.005, {"n2": 12}))
    write(folder, "old_32bit_rounded.chunks", rounded, rounded.chunks(), keys, 137)
    write(folder, "old_32bit_rounded_v3.rdbdump", rounded, rounded.dump(3), keys, 137)
    write(folder, "old_32bit_rounded_v1.rdbdump", rounded, rounded.dump(1), keys, 137)
    first = chain(0, (90, 0.01, version_0(90, 0.01)), (200, 0.005, version_0(200, 0.005)))
    write(folder, "old_32bit_v0.rdbdump", first, first.dump(0), keys, 137)
    wide = chain(NO_ROUND | FORCE64, (100, 0.005, {}), (200, 0.0025, {}))
    write(folder, "cut_with_end.chunks", wide, wide.chunks(most=100, end=True), keys, 137)
    sparse = chain(NO_ROUND | FORCE64, (2000, 0.005, {}), count=5)
    write(folder, "packed.rdbdump", sparse, sparse.dump(4, packed=True), keys, 5)


if __name__ == "__main__":
    main()
