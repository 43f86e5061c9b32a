"""Static filters, built from any iterable."""

from __future__ import annotations

import errno
import os
import signal
import threading
from pathlib import Path
from typing import Iterator

import numpy as np
import pytest

import seenfilter as seen
from support import ABSENT, ADDING, PRESENT, SECRET, STATIC

each_static_kind = pytest.mark.parametrize("kind", STATIC)
MANY = np.arange(300_000, dtype=np.uint64)


@each_static_kind
def test_the_same_keys_give_the_same_filter(kind: seen.KindName) -> None:
    wanted = seen.build(PRESENT, kind=kind, fpr=0.01)
    for keys in (reversed(PRESENT), set(PRESENT), PRESENT * 2, (key for key in PRESENT), np.array(PRESENT), map(str.encode, PRESENT)):
        assert seen.build(keys, kind=kind, fpr=0.01) == wanted
    assert seen.build(PRESENT, kind=kind) == wanted  # 0.01 is the usual rate
    assert seen.build(PRESENT, kind=kind, fpr=0.01, threads=2) == wanted


@each_static_kind
def test_a_filter_of_no_keys_says_no(kind: seen.KindName) -> None:
    f = seen.build([], kind=kind, fpr=0.01)
    assert len(f) == 0 and not f.may_contain_many(ABSENT).any()


def test_integers_are_the_same_keys_alone_and_in_arrays() -> None:
    assert seen.build(MANY[:5000]) == seen.build(MANY[:5000].tolist()) == seen.build(MANY[:5000].astype(np.int16))


def test_a_ribbon_is_the_usual_kind() -> None:
    assert seen.build(PRESENT).kind == "ribbon"


def test_options_are_the_librarys(tmp_path: Path) -> None:
    f = seen.build(PRESENT, kind="binary-fuse", shape={"fingerprint-bits": 16, "shards": 4}, seed=3)
    assert f.info().shape["fingerprint-bits"] == 16 and f.info().shape["shards"] == 4 and f.info().seed == 3
    keyed = seen.build(PRESENT, hash="siphash-1-3", secret=SECRET)
    assert keyed.info().keyed and keyed.may_contain_many(PRESENT).all()
    spilled = seen.build(MANY, memory=6 << 20, spill_directory=tmp_path)
    assert spilled == seen.build(MANY)
    with pytest.raises(seen.InvalidArgument, match="no kind"):
        seen.build([], kind="fuse")  # type: ignore[arg-type]
    with pytest.raises(seen.Error):
        seen.build([], fpr=2.0)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    with pytest.raises(FileNotFoundError, match="spill directory") as spilled:
        seen.build([], memory=1 << 30, spill_directory=missing)
    assert isinstance(spilled.value, seen.FileError) and spilled.value.filename == str(missing)
    with pytest.raises(FileNotFoundError, match="spill directory") as either:  # which file it is, the message alone says
        seen.build([], memory=1 << 30, spill_directory=missing, checkpoint=tmp_path / "checkpoint")
    assert either.value.errno == errno.ENOENT and either.value.filename is None


@pytest.mark.parametrize("kind", ADDING)
def test_other_kinds_are_not_built(kind: seen.KindName) -> None:
    with pytest.raises(seen.Unsupported, match="made empty and added to"):
        seen.build(PRESENT, kind=kind)


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_is_told(threads: int) -> None:
    told: list[seen.BuildProgress] = []
    f = seen.build(MANY, fpr=0.01, threads=threads, progress=told.append)
    assert f.may_contain_many(MANY).all()
    assert {each.stage for each in told} <= {"sorting", "solving"} and told
    assert told[-1].stage == "solving" and all(0 <= each.done <= each.total <= len(MANY) for each in told)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_exception_of_the_callback_ends_the_build(threads: int) -> None:
    def raises(progress: seen.BuildProgress) -> None:
        raise ZeroDivisionError(progress.stage)

    with pytest.raises(ZeroDivisionError):
        seen.build(MANY, threads=threads, progress=raises)
    with pytest.raises(seen.Cancelled):
        seen.build(MANY, threads=threads, progress=lambda _: False)
    assert seen.build(MANY, threads=threads, progress=lambda _: True)


def test_a_filter_of_another_library_is_built_from_its_keys() -> None:
    f = seen.build(range(1000), format="xorfilter-go")
    assert (f.kind, f.format) == ("binary-fuse", "xorfilter-go")
    again = seen.from_bytes(f.to_bytes(), format="xorfilter-go")
    assert all(i in again for i in range(1000))
    blocks = seen.build(range(1000), format="xorfilter-go", variant="json")
    assert (blocks.kind, blocks.to_bytes()[:8]) == ("xor", b'{"Seed":')
    with pytest.raises(ValueError, match="integers of 8 bytes"):
        seen.build(["alice"], format="xorfilter-go")


def test_an_exception_of_the_iterable_ends_the_build() -> None:
    def keys() -> Iterator[int]:
        yield from range(10_000)
        raise KeyError("of the iterable")

    with pytest.raises(KeyError, match="of the iterable"):
        seen.build(keys())
    with pytest.raises(TypeError, match="key 2 is None"):
        seen.build([1, 2, None])  # type: ignore[list-item]


def test_control_c_ends_the_build() -> None:
    assert threading.current_thread() is threading.main_thread()

    def interrupts(_: seen.BuildProgress) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        seen.build(MANY, progress=interrupts)
