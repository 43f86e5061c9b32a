"""No reference is kept or lost, and no memory leaks."""

from __future__ import annotations

import gc
import pickle
import resource
import sys
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import seenfilter as seen
from support import PRESENT, filled


def resident() -> int:
    """Bytes in use now, by the kernel's count; the test is skipped where it does not say."""
    try:
        with open("/proc/self/statm") as pages:
            return int(pages.read().split()[1]) * resource.getpagesize()
    except OSError as why:
        pytest.skip(f"the memory in use is not known: {why}")


KEYS: list[Any] = [b"bytes", "text", 2**40, bytearray(b"array"), memoryview(b"view"), np.int64(2**40), np.void(b"void")]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: type(key).__name__)
def test_no_reference_to_a_key_is_kept(key: Any) -> None:
    f = filled("counting-bloom")
    before = sys.getrefcount(key)
    for _ in range(100):
        f.add(key)
        assert key in f
        f.add_many([key])
        f.may_contain_many((key,))
        f.count(key)
        f.remove(key)
    assert sys.getrefcount(key) == before


def test_no_reference_to_a_wrong_key_is_kept() -> None:
    f, key = filled("bloom"), object()
    before = sys.getrefcount(key)
    calls: list[Callable[[Any], object]] = [f.add, f.may_contain, lambda k: f.add_many([k])]
    for call in calls * 100:
        with pytest.raises(TypeError):
            call(key)
    gc.collect()
    assert sys.getrefcount(key) == before


def test_a_buffer_is_given_back() -> None:
    f, keys, single = filled("bloom"), np.arange(1000), bytearray(b"key")
    before = sys.getrefcount(keys)
    out = np.empty(1000, np.bool_)
    for _ in range(100):
        f.add_many(keys)
        f.may_contain_many(keys, out=out)
        f.add(single)
    assert sys.getrefcount(keys) == before and sys.getrefcount(out) == 2
    single += b" grows"  # a BufferError, were it still held


BLOOM = filled("bloom")
NOTHING: list[Any] = [None] * 20_000
CALLS: dict[str, Callable[[], object]] = {
    "make": lambda: seen.Filter(capacity=100_000, fpr=0.01),
    "copy": lambda: BLOOM.copy() | BLOOM,
    "bytes": lambda: seen.from_bytes(BLOOM.to_bytes(metadata=b"x" * 50_000)),
    "build": lambda: seen.build(PRESENT),
    "ask": lambda: BLOOM.may_contain_many(np.arange(20_000)),
    "ask a list": lambda: BLOOM.may_contain_many(PRESENT * 10),
    "texts": lambda: BLOOM.may_contain_many([f"\u043a-{i}" for i in range(20_000)]),
    "nothing": lambda: BLOOM.may_contain_many(NOTHING),
    "view": lambda: (seen.view(np.frombuffer(BLOOM.to_bytes(), np.uint8)), pickle.loads(pickle.dumps(BLOOM, protocol=5))),
    "describe": lambda: (BLOOM.info(), repr(BLOOM), seen.plan(capacity=10, fpr=0.1), seen.formats()),
    "refuse": lambda: pytest.raises(seen.Error, seen.from_bytes, bytes(BLOOM)[:-1]),
}


@pytest.mark.parametrize("name", CALLS)
def test_memory_does_not_grow(name: str) -> None:
    call = CALLS[name]
    for _ in range(50):  # caches and arenas fill up
        call()
    gc.collect()
    before = resident()
    for _ in range(300):
        call()
    gc.collect()
    # 300 calls that leaked what they make would keep 3 MB to 36 MB.
    assert resident() - before < 2 << 20


def test_a_mapped_filter_is_described_without_a_look_at_its_pages(tmp_path: Path) -> None:
    seen.Filter(capacity=20_000_000, fpr=0.01).save(tmp_path / "a.seen")  # 25 MB
    mapped = seen.map(tmp_path / "a.seen")
    repr(mapped)
    before = resident()
    assert "20000000" in repr(mapped) and (mapped.capacity, mapped.fpr) == (20_000_000, 0.01) and mapped.nbytes > 20 << 20
    assert sys.getsizeof(mapped) < 10_000
    assert resident() - before < 1 << 20
    mapped.info()  # which counts
    assert resident() - before > 20 << 20


def test_filters_die_with_their_last_reference() -> None:
    before = resident()
    for _ in range(200):
        seen.Filter(capacity=10_000_000, fpr=0.01)  # 12 MB each
    assert resident() - before < 100 << 20
