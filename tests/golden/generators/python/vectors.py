#!/usr/bin/env python3
"""Writes golden files of pybloom_live and pyprobables beside the ones that came from elsewhere (requirements-vectors.txt).

    vectors.py FOLDER           # FOLDER is tests/golden; writes what the installed release of pybloom_live is good for

With pybloom_live 4: a file for every digest function and width of numbers that the others do not reach, and
filters of text and of short keys of all lengths. With pybloom_live 3: the file whose digest is MD5.
"""
import importlib.metadata, json, pathlib, sys

import pybloom_live

GOLDEN = pathlib.Path(sys.argv[1])
KEYS = json.loads((GOLDEN / "keys.json").read_text())
RELEASE = importlib.metadata.version("pybloom_live")


class Key(str):
    """pybloom_live encodes text and prints the rest: a text whose encoding is the key's bytes."""
    def __new__(cls, raw):
        made = super().__new__(cls, raw.hex())
        made.raw = raw
        return made

    def encode(self, *_):
        return self.raw


def pybloom(name, capacity, rate):
    f = pybloom_live.BloomFilter(capacity, rate)
    added = [bytes.fromhex(k) for k in KEYS["added_hex"]][:137]
    for key in added:
        f.add(Key(key))
    assert all(Key(key) in f for key in added)
    path = GOLDEN / "pybloom-live" / name
    with open(path, "wb") as out:
        f.tofile(out)
    manifest = {"peer": f"pybloom_live {RELEASE}", "keyset": "bytes", "added_count": len(added),
                "params": {"capacity": capacity, "error_rate": rate, "num_slices": f.num_slices,
                           "bits_per_slice": f.bits_per_slice, "hash": f.hashfn.__name__},
                "absent_answers": [Key(bytes.fromhex(k)) in f for k in KEYS["absent_hex"]],
                "probe_positives": [i for i in range(1000) if Key(b"probe-%d" % i) in f]}
    path.with_name(name + ".json").write_text(json.dumps(manifest, indent=1) + "\n")
    print(name, manifest["params"])


if RELEASE.startswith("3."):
    pybloom("md5_n137p0.1.bloom", 137, 0.1)
    sys.exit()
pybloom("n137p0.001.bloom", 137, 0.001)   # SHA-1
pybloom("n137p1e-06.bloom", 137, 1e-6)    # SHA-384
pybloom("n35000p0.4.bloom", 35000, 0.4)   # numbers of 4 bytes

# Keys of every short length, with bytes beyond ASCII, and two long ones: failure case 24.
tails = [bytes((0x80 + 17 * i + n) % 256 for i in range(n)) for n in range(32)]
tails += [b"\xff" * n for n in range(1, 32)] + [b"\xff" * n for n in (224, 225, 1000)]
f = pybloom_live.BloomFilter(100, 0.1)  # xxh128
for key in tails:
    f.add(Key(key))
with open(GOLDEN / "pybloom-live" / "tails_n100p0.1.bloom", "wb") as out:
    f.tofile(out)

import probables
f = probables.BloomFilter(est_elements=100, false_positive_rate=0.01)
for key in tails:
    f.add(key)
f.export(GOLDEN / "pyprobables" / "tails_n100p0.01.blm")
texts = ["Ünïcødé %d" % i for i in range(10)] + ["日本語 %d" % i for i in range(10)] + ["😀 %d" % i for i in range(10)]
f = probables.BloomFilter(est_elements=30, false_positive_rate=0.01)
for text in texts:
    f.add(text)
f.export(GOLDEN / "pyprobables" / "text_n30p0.01.blm")
