#!/usr/bin/env python3
"""Writes golden/hadoop/dynamic_*.hadoop and bloom_old_*.hadoop: what there are no files of the library's own for.

A second implementation of Hadoop's two hashes and of its files, in Python's integers.
"""
import struct

import manifest

MASK = 2**32 - 1


def signed(byte):
    return byte - 256 if byte >= 128 else byte


def murmur(key, seed):
    m = 0x5BD1E995
    h = seed ^ len(key)
    whole = len(key) // 4 * 4
    for at in range(0, whole, 4):
        k = int.from_bytes(key[at:at + 4], "little") * m & MASK
        h = (h * m ^ (k ^ k >> 24) * m) & MASK
    tail = key[whole:]
    if tail:
        for place, byte in enumerate(reversed(tail)):
            h ^= signed(byte) << 8 * place & MASK
        h = h * m & MASK
    h = (h ^ h >> 13) * m & MASK
    return h ^ h >> 15


def jenkins(key, seed):
    """lookup3's hashlittle, read as its author's text describes it: twelve bytes at a time."""
    def rot(x, by):
        return (x << by | x >> 32 - by) & MASK

    a = b = c = (0xDEADBEEF + len(key) + seed) & MASK
    at = 0
    while len(key) - at > 12:
        x, y, z = struct.unpack_from("<III", key, at)
        a, b, c = a + x & MASK, b + y & MASK, c + z & MASK
        for by in (4, 6, 8, 16, 19, 4):
            a = (a - c & MASK) ^ rot(c, by)
            c = c + b & MASK
            a, b, c = b, c, a
        at += 12
    if at == len(key):
        return c
    x, y, z = struct.unpack("<III", key[at:].ljust(12, b"\0"))
    a, b, c = a + x & MASK, b + y & MASK, c + z & MASK
    for by in (14, 11, 25, 16, 4, 14, 24):
        c = (c ^ b) - rot(b, by) & MASK
        a, b, c = b, c, a
    return b  # the last step's c, after the three have changed places once more


def positions(key, hash, probes, size):
    v = 0
    for _ in range(probes):
        v = hash(key, v)
        yield abs(v - 2**32 if v >> 31 else v) % size


def header(probes, size, hash, old):
    if old:
        return struct.pack(">ii", probes, size)
    return struct.pack(">iibi", -1, probes, 1 if hash is murmur else 0, size)


def has(rows, spots):
    return any(all(row[at // 8] >> at % 8 & 1 for at in spots) for row in rows)


def make(name, probes, size, hash, row_keys=None, old=False):
    rows, last = [bytearray(-(-size // 8))], 0
    for key in manifest.ADDED:
        if not key:
            continue  # refused
        if row_keys and last >= row_keys:
            rows.append(bytearray(-(-size // 8)))
            last = 0
        for at in positions(key, hash, probes, size):
            rows[-1][at // 8] |= 1 << at % 8
        last += 1
    begin = header(probes, size, hash, old)
    content = b"".join(begin + bytes(row) for row in rows)
    if row_keys:
        content = begin + struct.pack(">iii", row_keys, last, len(rows)) + content
    manifest.write(
        "hadoop", name, content, lambda key: bool(key) and has(rows, list(positions(key, hash, probes, size))),
        peer="Apache Hadoop util.bloom", license="Apache-2.0",
        how="Writable.write of " + ("DynamicBloomFilter" if row_keys else "BloomFilter") +
            (", header without a version" if old else ""),
        params={"hashType": 1 if hash is murmur else 0, "nbHash": probes, "nr": row_keys, "rows": len(rows),
                "vectorSize": size},
        checked="; hadoop-common 3.4.1 reads it and answers the same",
        added_but_answered_false=[manifest.ADDED.index(b"")])


make("dynamic_murmur_m503k5.hadoop", 5, 503, murmur, row_keys=40)
make("dynamic_jenkins_m503k5.hadoop", 5, 503, jenkins, row_keys=40)
make("dynamic_old_m503k5.hadoop", 5, 503, jenkins, row_keys=40, old=True)
make("bloom_old_m1003k5.hadoop", 5, 1003, jenkins, old=True)
