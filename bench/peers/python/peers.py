"""Python's filters on the keys of the C++ benchmark: JSON lines of its records (bench/core/records.hpp).

    peers.py KEYS SIZE...          with the packages of requirements.txt

Most of a call is Python's; the first rows are what a loop that calls nothing but a set's lookup takes.
"""

import array
import json
import sys
import time

ROUNDS = 3
MIXES = ("absent", "half", "present")


def integers(folder, name, n):
    keys = array.array("Q")
    with open(f"{folder}/{name}-{n}.u64", "rb") as f:
        keys.frombytes(f.read())
    return keys.tolist()


def timed(call, operations):
    ns = []
    for _ in range(ROUNDS):
        begin = time.perf_counter_ns()
        answer = call()
        ns.append((time.perf_counter_ns() - begin) / operations)
    return ns, answer


def filters(n):
    """(family, name, build(keys) -> filter, bits(filter)); a filter answers `key in filter`."""
    yield "classic", "Python set", set, lambda f: 8 * sys.getsizeof(f)
    try:
        import rbloom

        def build(keys):
            f = rbloom.Bloom(n, 0.01)
            f.update(keys)
            return f
        yield "classic", "Python rbloom", build, lambda f: f.size_in_bits
    except ImportError as e:
        print(f"skipped: {e}", file=sys.stderr)
    try:
        import pybloom_live

        def build(keys):
            f = pybloom_live.BloomFilter(n, 0.01)
            for key in keys:
                f.add(key)
            return f
        yield "classic", "Python pybloom_live", build, lambda f: f.num_bits
    except ImportError as e:
        print(f"skipped: {e}", file=sys.stderr)
    try:
        import pyfusefilter
        yield "static", "Python pyfusefilter", pyfusefilter.Fuse8, lambda f: 8 * f.size_in_bytes()
    except ImportError as e:
        print(f"skipped: {e}", file=sys.stderr)


def main(folder, sizes):
    for n in sizes:
        added = integers(folder, "added", n)
        asked = {mix: integers(folder, mix, n)[:100_000] for mix in MIXES}
        for family, name, build, bits in filters(n):
            rows = []
            ns, f = timed(lambda: build(added), n)
            rows.append(("build", "", "", ns))
            fpr = 0
            for mix in MIXES:
                keys = asked[mix]
                ns, found = timed(lambda: sum(key in f for key in keys), len(keys))
                if mix == "absent":
                    fpr = found / len(keys)
                rows.append(("single", mix, "streamed", ns))
            for call, mix, queries, ns in rows:
                print(json.dumps({"run": "python", "keys": n, "family": family, "filter": name, "call": call, "mix": mix,
                                  "queries": queries, "threads": 1, "ns": ns, "bits_per_key": bits(f) / n, "fpr": fpr}))


if __name__ == "__main__":
    main(sys.argv[1], [int(n) for n in sys.argv[2:]])
