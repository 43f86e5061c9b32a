#!/usr/bin/env python3
"""Writes golden/cassandra/: small Filter.db files in both layouts and with both orders of the two hash words.

A second implementation, byte by byte and with Python's integers; it shares nothing with the library's own code.
"""
import struct

import manifest

MASK = 2**64 - 1


def rotl(x, by):
    return (x << by | x >> 64 - by) & MASK


def fmix(x):
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        x = (x ^ x >> 33) * factor & MASK
    return x ^ x >> 33


def signed_tail(tail):
    """A word of up to eight bytes, each a signed char made 64 bits wide."""
    word = 0
    for place, byte in enumerate(tail):
        word ^= (byte - 256 if byte >= 128 else byte) << 8 * place
    return word & MASK


def murmur(key):
    """Murmur3 x64 128, seed 0, with Cassandra's tail; two signed 64-bit words."""
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = 0
    whole = len(key) // 16 * 16
    for at in range(0, whole, 16):
        k1, k2 = struct.unpack_from("<QQ", key, at)
        h1 ^= rotl(k1 * c1 & MASK, 31) * c2 & MASK
        h1 = ((rotl(h1, 27) + h2) * 5 + 0x52DCE729) & MASK
        h2 ^= rotl(k2 * c2 & MASK, 33) * c1 & MASK
        h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495AB5) & MASK
    tail = key[whole:]
    h2 ^= rotl(signed_tail(tail[8:]) * c2 & MASK, 33) * c1 & MASK
    h1 ^= rotl(signed_tail(tail[:8]) * c1 & MASK, 31) * c2 & MASK
    h1 ^= len(key)
    h2 ^= len(key)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = fmix(h1), fmix(h2)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    return [x - 2**64 if x >> 63 else x for x in (h1, h2)]


def positions(key, probes, bits, ka):
    h1, h2 = murmur(key)
    base, step = (h1, h2) if ka else (h2, h1)
    for _ in range(probes):
        yield abs(base) % bits  # |base rem bits| of a language whose remainder has the sign of the dividend
        base = (base + step + 2**63) % 2**64 - 2**63


def make(name, probes, words, old, ka, version):
    bits = 64 * words
    array = bytearray(8 * words)
    for key in manifest.ADDED:
        for at in positions(key, probes, bits, ka):
            array[at // 8] |= 1 << at % 8
    body = bytes(array)
    if old:
        body = b"".join(body[i:i + 8][::-1] for i in range(0, len(body), 8))
    manifest.write(
        "cassandra", name, struct.pack(">ii", probes, words) + body,
        lambda key: all(array[at // 8] >> at % 8 & 1 for at in positions(key, probes, bits, ka)),
        peer="Apache Cassandra", license="Apache-2.0", how=f"Filter.db of sstable version {version}",
        params={"hashCount": probes, "layout": "old" if old else "new", "order": "h1, h2" if ka else "h2, h1",
                "words": words},
        checked="" if ka else "; cassandra-all 4.1.7 reads it and answers the same")


# 137 keys at 0.01: ten bits a key and twenty more, in whole words; five probes.
make("n137p0.01-na-Filter.db", 5, 22, old=False, ka=False, version="na and later")
make("n137p0.01-la-Filter.db", 5, 22, old=True, ka=False, version="la to me")
make("n137p0.01-ka-Filter.db", 5, 22, old=True, ka=True, version="ka and earlier")
