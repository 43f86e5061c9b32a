"""A process that forks while other threads change filters: the child has whole filters, and no lock that nobody holds any more."""

from __future__ import annotations

import os
import signal
import threading
from typing import Callable, Iterator

import numpy as np
import pytest

import seenfilter as seen

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes do not fork here"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]

KEYS = np.arange(200_000, dtype=np.uint64)


def in_child(call: Callable[[], bool]) -> bool:
    """What a call says in a forked child; False of one that hangs for half a minute or dies."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.alarm(30)  # ends the child, and nothing else
            status = 0 if call() else 1
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return status == 0


@pytest.fixture
def changing() -> Iterator[seen.Filter]:
    """A filter that another thread changes all the time, on either side of the GIL."""
    f = seen.Filter(capacity=len(KEYS), fpr=0.01, kind="cuckoo")
    f.add("before")
    stop, runs = threading.Event(), threading.Event()

    def change() -> None:
        while not stop.is_set():
            f.add_many(KEYS)
            f.clear()
            f.add("before")
            runs.set()

    thread = threading.Thread(target=change)
    thread.start()
    runs.wait()
    yield f
    stop.set()
    thread.join()


def test_a_child_uses_a_filter_that_a_thread_was_changing(changing: seen.Filter) -> None:
    def use() -> bool:
        changing.add(5)
        changing.add_many([6, "seven"])
        copied = changing.copy()
        return all([5 in changing, changing.may_contain_many(np.array([5, 6])).all(), "seven" in copied, len(changing) > 0])

    assert [in_child(use) for _ in range(10)] == [True] * 10


def test_no_filter_is_copied_half_changed(changing: seen.Filter) -> None:
    # The census in a file says how many keys there are: bytes that a thread was changing would not match it.
    assert all(in_child(lambda: seen.from_bytes(bytes(changing)) == changing) for _ in range(5))


def test_a_fork_within_a_batch_goes_on_on_both_sides() -> None:
    f = seen.Filter(capacity=1000)
    is_child = False

    def keys() -> Iterator[int]:
        nonlocal is_child
        yield from range(500)
        child = os.fork()
        if child == 0:
            is_child = True
            signal.alarm(30)
        else:
            assert os.waitpid(child, 0)[1] == 0
        yield from range(500, 1000)

    f.update(keys())
    f.add("after")
    whole = bool(f.may_contain_many(range(1000)).all()) and "after" in f
    if is_child:
        os._exit(0 if whole else 1)
    assert whole


def test_children_of_children_use_filters() -> None:
    f = seen.Filter(capacity=1000)
    f.add("mine")
    assert in_child(lambda: "mine" in f and in_child(lambda: "mine" in f and f.test_and_add("mine")))
