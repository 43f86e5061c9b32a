"""Several threads on one filter: nothing crashes, no key is lost, and batches run beside each other."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Callable

import numpy as np
import numpy.typing as npt
import pytest

import seenfilter as seen
from support import ABILITIES, ADDING, filled

Keys = npt.NDArray[np.uint64]
KEYS = np.arange(300_000, dtype=np.uint64)


def at_once(*calls: Callable[[], object]) -> None:
    """Runs calls on threads of their own that start together, and raises what they raise."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        start.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        for done in [pool.submit(run, call) for call in calls]:
            done.result()


@pytest.mark.parametrize("kind", ADDING)
def test_threads_add_and_ask_at_once(kind: seen.KindName) -> None:
    f = seen.Filter(kind=kind, capacity=len(KEYS), fpr=0.01)
    singly, *shares = np.array_split(KEYS, [5_000, 150_000])

    def add_many(share: Keys) -> None:
        for part in np.array_split(share, 5):  # each long enough that another thread gets its turn
            f.add_many(part)
            assert f.may_contain_many(part).all()  # what this thread added is there

    def add_singly() -> None:
        for key in singly.tolist():
            f.add(key)
            assert key in f

    def look() -> None:
        for _ in range(5):
            f.may_contain_many(KEYS)
            f.info()
            len(bytes(f))

    at_once(lambda: add_many(shares[0]), lambda: add_many(shares[1]), add_singly, look)
    assert f.may_contain_many(KEYS).all()


@pytest.mark.parametrize("kind", [kind for kind in ADDING if ABILITIES[kind].can_merge])
def test_filters_that_merge_each_other_do_not_wait_for_ever(kind: seen.KindName) -> None:
    a, b = filled(kind, range(100)), filled(kind, range(100, 200))

    def merge(into: seen.Filter, other: seen.Filter) -> None:
        for _ in range(5):  # counters and fingerprints pile up: not too often
            try:
                into |= other
            except seen.Error:  # full
                return

    at_once(lambda: merge(a, b), lambda: merge(b, a), lambda: [a == b for _ in range(20)], lambda: [a.copy() for _ in range(20)])


def test_a_filter_that_shrinks_and_clears_under_others_is_safe() -> None:
    f = seen.Filter(capacity=200_000, fpr=0.01, foldable=True)

    def change() -> None:
        for _ in range(10):
            f.add_many(KEYS[:1000])
            f.metadata = b"x" * 1000
            try:
                f.shrink(fpr=0.01)
            except seen.Unsupported:  # no smaller size keeps the rate
                f.clear()

    at_once(change, *[lambda: [f.may_contain_many(KEYS) for _ in range(50)]] * 2, lambda: [f.metadata for _ in range(5000)])


def test_a_batch_lets_other_threads_run() -> None:
    f = seen.Filter(capacity=1000)
    keys = np.arange(5_000_000, dtype=np.uint64)
    out = np.empty(len(keys), np.bool_)
    for _ in range(100):
        out[:] = True  # an empty filter will say no
        asked = threading.Thread(target=f.may_contain_many, args=(keys, out))
        asked.start()
        half_way = False
        while asked.is_alive() and not half_way:
            half_way = bool(not out[0] and out[-1])
        asked.join()
        if half_way:
            return
    pytest.fail("no other thread ever saw a batch half done")
