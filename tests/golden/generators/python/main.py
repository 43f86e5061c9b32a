"""Filters of Python libraries, written and asked by the libraries themselves. ../README.md has the contract:

    main.py write FORMAT VARIANT N FPR OUT   keys on standard input, one a line, in hexadecimal
    main.py ask FORMAT VARIANT FILE          prints 1 or 0 a line

A peer is a pair of functions: write(n, fpr, keys, path), and open(path), which gives a function of a key.
"""

import sys


def pyprobables():
    import probables

    def peer(kind, given=lambda key: key):
        def write(n, fpr, keys, path):
            f = kind(est_elements=n, false_positive_rate=fpr)
            for key in keys:
                f.add(given(key))
            f.export(path)

        def opened(path):
            f = kind(filepath=path)
            return lambda key: f.check(given(key))
        return write, opened

    def in_hex(kind):
        def write(n, fpr, keys, path):
            f = kind(est_elements=n, false_positive_rate=fpr)
            for key in keys:
                f.add(key)
            with open(path, "w") as file:
                file.write(f.export_hex())

        def opened(path):
            with open(path) as file:
                return kind(hex_string=file.read()).check
        return write, opened

    def write_cuckoo(n, fpr, keys, path):
        f = probables.CuckooFilter(capacity=n)  # so many buckets of four
        for key in keys:
            f.add(key)
        f.export(path)

    return {"bloom": peer(probables.BloomFilter), "bloom-hex": in_hex(probables.BloomFilter),
            "bloom-str": peer(probables.BloomFilter, bytes.decode),
            "counting": peer(probables.CountingBloomFilter), "counting-hex": in_hex(probables.CountingBloomFilter),
            "expanding": peer(probables.ExpandingBloomFilter),
            "cuckoo": (write_cuckoo, lambda path: probables.CuckooFilter(filepath=path).check)}


def pybloom_live():
    import pybloom_live

    # It hashes str(key) of everything that is not text, so keys are text.
    def peer(kind, make):
        def write(n, fpr, keys, path):
            f = make(n, fpr)
            for key in keys:
                f.add(key.decode())
            with open(path, "wb") as file:
                f.tofile(file)

        def opened(path):
            with open(path, "rb") as file:
                f = kind.fromfile(file)
            return lambda key: key.decode() in f
        return write, opened

    plain, scalable = pybloom_live.BloomFilter, pybloom_live.ScalableBloomFilter
    return {"plain": peer(plain, plain), "scalable": peer(scalable, scalable)}


def xor_singleheader():
    from pyfusefilter import pyfusefilter

    # The package hashes what it is given to 64 bits and its C code takes these as keys. Here keys are such numbers.
    pyfusefilter.hash = lambda key: int.from_bytes(key, "little")

    def peer(kind, spare=0):
        def write(n, fpr, keys, path):
            image = bytes(kind(keys).serialize())
            with open(path, "wb") as file:
                file.write(image[:len(image) - spare])

        def opened(path):
            with open(path, "rb") as file:
                image = file.read()
            f = kind.deserialize(image)
            return lambda key: f.contains(key)
        return write, opened

    return {"xor8": peer(pyfusefilter.Xor8), "xor16": peer(pyfusefilter.Xor16),
            "fuse8": peer(pyfusefilter.Fuse8),
            # The C code asks for four bytes more than it writes. The package keeps them; a C program would not.
            "fuse16": peer(pyfusefilter.Fuse16, spare=4), "fuse16-spare": peer(pyfusefilter.Fuse16)}


FORMATS = {"pyprobables": pyprobables, "pybloom-live": pybloom_live, "xor-singleheader": xor_singleheader}


def main(args):
    if not (len(args) == 6 and args[0] == "write" or len(args) == 4 and args[0] == "ask"):
        sys.exit("python: usage: write FORMAT VARIANT N FPR OUT | ask FORMAT VARIANT FILE")
    verb, name, variant = args[:3]
    found = FORMATS[name]().get(variant) if name in FORMATS else None
    if found is None:
        sys.exit(f"python: no {name} {variant} here")
    write, opened = found
    keys = [bytes.fromhex(line) for line in sys.stdin.read().splitlines()]
    if verb == "write":
        write(int(args[3]), float(args[4]), keys, args[5])
    else:
        has = opened(args[3])
        sys.stdout.write("".join("1\n" if has(key) else "0\n" for key in keys))


main(sys.argv[1:])
