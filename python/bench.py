"""How fast batches are, against the loops of other packages, in one run and in turns.

    pip install rbloom pybloom_live && python bench.py [KEYS [ROUNDS]]

Integers, half of them present, at a rate of 1 %. rbloom and pybloom_live have no batches: their users write the loop, here
as tight as Python allows. They are asked fewer keys, since they take longer; figures are nanoseconds per key. rbloom
hashes integers with Python's hash(), the default of that package. The contenders take turns; the figure is the best of ROUNDS.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable

import numpy as np

import seenfilter as seen

KEYS = int(float(sys.argv[1])) if len(sys.argv) > 1 else 10_000_000
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
LOOP_KEYS = KEYS // 20


def nanoseconds(call: Callable[[], object], keys: int) -> float:
    """The cost per key."""
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) / keys * 1e9


def contenders() -> dict[str, tuple[Callable[[], object], int]]:
    """What is measured, by name: the call, and the keys it asks."""
    present = np.arange(0, KEYS, 2, dtype=np.uint64)
    asked = np.arange(KEYS, dtype=np.uint64)
    np.random.default_rng(1).shuffle(asked)
    some = asked[:LOOP_KEYS].tolist()
    words = [f"key-{key}" for key in some]
    out = np.empty(KEYS, np.bool_)

    found: dict[str, tuple[Callable[[], object], int]] = {}
    for kind in ("blocked-bloom", "bloom"):
        f = seen.Filter(kind=kind, capacity=len(present), fpr=0.01)
        f.add_many(present)
        found[f"seen {kind}, array"] = (lambda f=f: f.may_contain_many(asked, out), KEYS)
        found[f"seen {kind}, list"] = (lambda f=f: f.may_contain_many(some), LOOP_KEYS)
        found[f"seen {kind}, list of str"] = (lambda f=f: f.may_contain_many(words), LOOP_KEYS)
        found[f"seen {kind}, loop"] = (lambda f=f: [key in f for key in some], LOOP_KEYS)
    ribbon = seen.build(present, fpr=0.01)
    found["seen ribbon, array"] = (lambda: ribbon.may_contain_many(asked, out), KEYS)
    try:
        import rbloom  # type: ignore[import-untyped,import-not-found,unused-ignore]

        theirs: Any = rbloom.Bloom(len(present), 0.01)
        theirs.update(present.tolist())
        found["rbloom, loop"] = (lambda: [key in theirs for key in some], LOOP_KEYS)
        strings: Any = rbloom.Bloom(len(present), 0.01)
        strings.update(words)
        found["rbloom, loop of str"] = (lambda: [key in strings for key in words], LOOP_KEYS)
    except ImportError:
        print("rbloom is not installed")
    try:
        import pybloom_live  # type: ignore[import-untyped,import-not-found,unused-ignore]

        live: Any = pybloom_live.BloomFilter(capacity=len(present), error_rate=0.01)
        few = some[: LOOP_KEYS // 10]
        for key in few:
            live.add(key)
        found["pybloom_live, loop"] = (lambda: [key in live for key in few], len(few))
    except ImportError:
        print("pybloom_live is not installed")
    return found


def threads_scale() -> None:
    """The same keys on one thread and shared by two; short, and often, so that a busy machine is idle now and then."""
    f = seen.Filter(capacity=KEYS, fpr=0.01)
    asked = np.arange(KEYS // 10, dtype=np.uint64)
    f.add_many(asked)
    out = np.empty(len(asked), np.bool_)
    best = {1: float("inf"), 2: float("inf")}
    with ThreadPoolExecutor(2) as pool:

        def ask(count: int) -> None:
            shares = zip(np.array_split(asked, count), np.array_split(out, count))
            for done in [pool.submit(f.may_contain_many, *share) for share in shares]:
                done.result()

        for _ in range(100 * ROUNDS):
            for count in best:
                best[count] = min(best[count], nanoseconds(lambda: ask(count), len(asked)))
    print(f"may_contain_many on 1 thread {best[1]:.2f} ns per key, on 2 threads {best[2]:.2f}: {best[1] / best[2]:.2f} times as fast")


def main() -> None:
    """Prints the table."""
    measured = contenders()
    best = dict.fromkeys(measured, float("inf"))
    for _ in range(ROUNDS):
        for name, (call, keys) in measured.items():
            best[name] = min(best[name], nanoseconds(call, keys))
    baseline = best["seen blocked-bloom, array"]
    for name, cost in best.items():
        print(f"{name:32} {cost:9.1f} ns per key {cost / baseline:8.1f} times the first")
    threads_scale()


if __name__ == "__main__":
    main()
