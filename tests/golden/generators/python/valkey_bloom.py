"""Writes the golden files of valkey-bloom, from the published definition of its BF.LOAD objects.

The module itself is not run: this is an independent writer and reader of the bytes, in nothing but Python, beside the
one in C++. Usage: valkey_bloom.py <folder of the golden files>
"""

import hashlib
import json
import math
import pathlib
import struct
import sys

WORD = (1 << 64) - 1
FIXED_SEED = bytes([89, 15, 245, 34, 234, 120, 17, 218, 167, 20, 216, 9, 59, 62, 123, 217, 29, 137, 138, 115, 62, 152,
                    136, 135, 48, 127, 151, 205, 40, 7, 51, 131])


def rotl(x, by):
    return (x << by | x >> (64 - by)) & WORD


def siphash_1_3(key, data):
    k0, k1 = struct.unpack("<QQ", key)
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & WORD
            v[2] = (v[2] + v[3]) & WORD
            v[1] = rotl(v[1], 13) ^ v[0]
            v[3] = rotl(v[3], 16) ^ v[2]
            v[0] = rotl(v[0], 32)
            v[2] = (v[2] + v[1]) & WORD
            v[0] = (v[0] + v[3]) & WORD
            v[1] = rotl(v[1], 17) ^ v[2]
            v[3] = rotl(v[3], 21) ^ v[0]
            v[2] = rotl(v[2], 32)

    padded = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        rounds(1)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(3)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


class Filter:
    """One filter of the Rust crate bloomfilter."""

    def __init__(self, capacity, rate, seed):
        ln2 = math.log(2)
        self.capacity, self.seed, self.keys = capacity, seed, 0
        self.bits = bytearray(math.ceil(capacity * math.log(rate) / (-8 * ln2 * ln2)))
        self.probes = max(1, math.floor(8 * len(self.bits) / capacity * ln2 + 0.5))

    def positions(self, key):
        stream = struct.pack("<Q", len(key)) + key  # how Rust feeds a [u8] to its hasher
        h0, h1 = siphash_1_3(self.seed[:16], stream), siphash_1_3(self.seed[16:], stream)
        for i in range(self.probes):
            word = (h0, h1)[i] if i < 2 else ((h0 + i * h1) & WORD) % (WORD - 58)
            yield word % (8 * len(self.bits))

    def add(self, key):
        for at in self.positions(key):
            self.bits[at // 8] |= 1 << at % 8
        self.keys += 1

    def has(self, key):
        return all(self.bits[at // 8] >> at % 8 & 1 for at in self.positions(key))

    def image(self):
        return struct.pack("<BQI", 1, len(self.bits), self.probes) + self.seed + bytes(self.bits)


class Chain:
    """An object of valkey-bloom: filters, of which the last takes the keys."""

    def __init__(self, capacity, rate, expansion, tightening=0.5, seed=FIXED_SEED):
        self.rate, self.expansion, self.tightening, self.seed = rate, expansion, tightening, seed
        self.filters = [Filter(capacity, rate, seed)]

    def add(self, key):
        if self.has(key):
            return
        last = self.filters[-1]
        if last.keys >= last.capacity:
            if self.expansion == 0:
                return
            rate = self.rate * self.tightening ** len(self.filters)
            last = Filter(last.capacity * self.expansion, rate, self.seed)
            self.filters.append(last)
        last.add(key)

    def has(self, key):
        return any(each.has(key) for each in self.filters)

    def blob(self):
        random_seed = self.seed != FIXED_SEED
        blob = struct.pack("<BIddBQ", 1, self.expansion, self.rate, self.tightening, random_seed, len(self.filters))
        for each in self.filters:
            image = each.image()
            blob += struct.pack("<Q", len(image)) + image + struct.pack("<qq", each.keys, each.capacity)
        return blob


def write(folder, name, chain, params, keys):
    added = [bytes.fromhex(text) for text in keys["added_hex"]]
    absent = [bytes.fromhex(text) for text in keys["absent_hex"]]
    for key in added:
        chain.add(key)
    blob = chain.blob()
    manifest = {
        "peer": "valkey-bloom",
        "made_by": "generators/python/valkey_bloom.py, from the published definition; the module was not run",
        "format": "BF.LOAD",
        "license": "BSD-3-Clause",
        "params": params,
        "keyset": "bytes",
        "added": f"the first {len(added)} of added_hex in keys.json, in order",
        "added_count": len(added),
        "absent_answers": [chain.has(key) for key in absent],
        "probe_positives": [i for i in range(1000) if chain.has(b"probe-%d" % i)],
        "filters": [{"capacity": each.capacity, "keys": each.keys, "bytes": len(each.bits)} for each in chain.filters],
        "file": name,
        "file_bytes": len(blob),
        "file_sha256": hashlib.sha256(blob).hexdigest(),
    }
    denied = [i for i, key in enumerate(added) if not chain.has(key)]
    if denied:
        manifest["added_but_answered_false"] = denied
    (folder / name).write_bytes(blob)
    (folder / (name + ".json")).write_text(json.dumps(manifest, indent=1) + "\n")


def main():
    golden = pathlib.Path(sys.argv[1])
    keys = json.loads((golden / "keys.json").read_text())
    folder = golden / "valkey-bloom"
    folder.mkdir(exist_ok=True)
    write(folder, "n137_p0.01.blob", Chain(137, 0.01, 2), {"capacity": 137, "fpr": 0.01}, keys)
    write(folder, "n30_p0.01_scaled.blob", Chain(30, 0.01, 2), {"capacity": 30, "fpr": 0.01, "expansion": 2}, keys)
    write(folder, "n40_p0.1_nonscaling_overfull.blob", Chain(40, 0.1, 0), {"capacity": 40, "fpr": 0.1, "expansion": 0},
          keys)
    random_seed = hashlib.sha256(b"a seed that looks random").digest()
    write(folder, "n100_p0.001_random_seed.blob", Chain(100, 0.001, 3, seed=random_seed),
          {"capacity": 100, "fpr": 0.001, "expansion": 3, "seed": random_seed.hex()}, keys)


if __name__ == "__main__":
    main()
