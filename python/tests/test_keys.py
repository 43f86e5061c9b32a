"""Every form of key and batch, against the answer to the single key."""

from __future__ import annotations

import array
import ctypes
import mmap
import sys
from typing import Any, Callable, Iterable

import numpy as np
import pytest

import seenfilter as seen

EMPTY: Callable[[], seen.Filter] = lambda: seen.Filter(capacity=2000, fpr=1e-6, kind="bloom")  # noqa: E731


def bytes_of(*keys: Any) -> bytes:
    """A filter of these keys, as bytes: equal only for equal keys."""
    made = EMPTY()
    for key in keys:
        made.add(key)
    return bytes(made)


@pytest.mark.parametrize(
    ("key", "same"),
    [
        ("alice", b"alice"),
        ("äöü€😀", "äöü€😀".encode()),
        ("", b""),
        ("a\0b", b"a\0b"),
        (bytearray(b"alice"), b"alice"),
        (memoryview(b"xalicex")[1:6], b"alice"),
        (memoryview(b"a.l.i.c.e")[::2], b"alice"),
        (memoryview(b"ecila")[::-1], b"alice"),
        (np.array([1, 0, 2, 0], np.uint16).data[::2], b"\1\0\2\0"),
        (np.bytes_(b"alice"), b"alice"),
        (np.str_("alice"), b"alice"),
        (np.void(b"ali\0\0"), b"ali\0\0"),
        (42, (42).to_bytes(8, "little")),
        (-1, b"\xff" * 8),
        (-(2**63), (2**63).to_bytes(8, "little")),
        (2**64 - 1, b"\xff" * 8),
        (2**63, (2**63).to_bytes(8, "little")),
        (np.int8(-3), (2**64 - 3).to_bytes(8, "little")),
        (np.uint32(2**32 - 1), (2**32 - 1).to_bytes(8, "little")),
        (np.uint64(2**64 - 1), b"\xff" * 8),
    ],
)
def test_a_key_is_its_bytes(key: Any, same: bytes) -> None:
    assert bytes_of(key) == bytes_of(same)
    f = EMPTY()
    assert not f.test_and_add(key)
    assert key in f and same in f and f.may_contain(key)


@pytest.mark.parametrize("key", [True, False, 1.0, 1j, np.float64(1), np.bool_(True), [1], (1,), object(), np.array([1, 2])])
def test_what_is_no_key_is_a_type_error(key: Any) -> None:
    f = EMPTY()
    for call in (f.add, f.may_contain, f.test_and_add, f.remove, f.count):
        with pytest.raises(TypeError, match="a key is"):
            call(key)
    with pytest.raises(TypeError):
        f.add_many([key])
    assert bytes(f) == bytes(EMPTY())


def test_none_is_no_key_and_in_no_filter() -> None:
    everything = seen.Filter(kind="bloom", shape={"bits": 64, "probes": 1})
    everything.add_many(range(10_000))
    nothing: Any = None
    assert nothing not in everything and not everything.may_contain(nothing)
    for many in ([1, None, "a"], (None,), iter([b"x", None]), np.array([1, None], object), [None, 1], ["a", None, 2**63, None]):
        keys: list[Any] = list(many)
        asked: Any = many if isinstance(many, (list, tuple, np.ndarray)) else iter(keys)
        answers = everything.may_contain_many(asked)
        assert answers.tolist() == [key is not None for key in keys]
        for call in (seen.Filter(capacity=10).add_many, seen.build):
            with pytest.raises(TypeError, match=f"key {keys.index(None)} is None or null"):
                call(keys)
    for single in (everything.add, everything.test_and_add, everything.remove, everything.count):
        with pytest.raises(TypeError, match="a key is .* not NoneType"):
            single(nothing)


@pytest.mark.parametrize(("bad", "why"), [(1.5, TypeError), (2**64, OverflowError), ("\ud800", UnicodeEncodeError), ([], TypeError)])
@pytest.mark.parametrize("at", [0, 3, 5000])
def test_the_key_that_is_refused_is_named(bad: Any, why: type[Exception], at: int) -> None:
    keys: list[Any] = ["fine"] * at + [bad, "after"]
    for many in (keys, tuple(keys), iter(keys), np.array([*keys, None], object)):
        with pytest.raises(why, match=f"key {at}: "):
            seen.Filter(capacity=10).add_many(many)


def test_asking_leaves_texts_as_they_are() -> None:
    texts = [f"\u043a\u043b\u044e\u0447-{i}" for i in range(100)] + ["\U0001f600" * 300, "\xe9" * 50]
    before = [sys.getsizeof(text) for text in texts]
    f = EMPTY()
    f.add_many(texts)
    for text in texts:
        f.add(text)
        assert text in f and f.test_and_add(text)
    assert f.may_contain_many(texts).all() and bytes_of(*texts) == bytes_of(*[text.encode() for text in texts])
    assert [sys.getsizeof(text) for text in texts] == before


@pytest.mark.parametrize("text", ["\x7f", "\x80", "\xff", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"])
def test_texts_of_every_width_are_their_utf8(text: str) -> None:
    for key in (text, "ascii" + text, text * 100, np.str_(text), type("Text", (str,), {})(text)):
        assert bytes_of(key) == bytes_of(str(key).encode())
        for many in ([key], (key,), iter([key]), np.array([key]), np.array([key, "x" * 40])[:1]):
            f = EMPTY()
            f.add_many(many)
            assert bytes(f) == bytes_of(str(key).encode())


@pytest.mark.parametrize("dtype", ["f8", "i4", "U3", "S2", "O", "M8[s]", "?"])
def test_an_array_of_none_is_no_keys(dtype: str) -> None:
    f = EMPTY()
    f.add_many(np.array([], dtype))
    assert bytes(f) == bytes(EMPTY()) and f.may_contain_many(np.array([], dtype)).tolist() == []


def test_floats_are_told_what_to_do() -> None:
    with pytest.raises(TypeError, match="floats.*Int64"):
        EMPTY().add_many(np.zeros(3))


def test_a_filter_that_was_never_made_is_an_error() -> None:
    bare = seen.Filter.__new__(seen.Filter)
    for call in (lambda: "a" in bare, lambda: bare.add("a"), lambda: bare.test_and_add("a"), lambda: bare.may_contain("a")):
        with pytest.raises(TypeError, match="never made"):
            call()


@pytest.mark.parametrize("key", [2**64, -(2**63) - 1, 10**30, -(10**30)])
def test_an_integer_beyond_64_bits_is_an_overflow(key: int) -> None:
    for call in (EMPTY().add, EMPTY().may_contain, lambda k: EMPTY().add_many([k])):
        with pytest.raises(OverflowError, match="2\\*\\*64"):
            call(key)


def test_a_lone_surrogate_is_an_error() -> None:
    for call in (EMPTY().add, lambda k: EMPTY().add_many([k])):
        with pytest.raises(UnicodeEncodeError):
            call("\ud800")
    with pytest.raises(ValueError, match="key 1 is not valid Unicode"):
        EMPTY().add_many(np.array(["fine", "\ud800"]))


class Number:
    """Something that is an integer by its own word."""

    def __index__(self) -> int:
        return 7


class Broken:
    """Something whose word is an exception."""

    def __index__(self) -> int:
        raise ZeroDivisionError("of the key")


def test_what_a_key_raises_comes_through() -> None:
    with pytest.raises(ZeroDivisionError, match="of the key"):
        EMPTY().add(Broken())  # type: ignore[arg-type]


def test_an_object_with_an_index_is_an_integer() -> None:
    assert bytes_of(Number()) == bytes_of(7)


RANDOM = np.random.default_rng(1)
INTEGERS = RANDOM.integers(-(2**63), 2**63 - 1, 10_000, dtype=np.int64)
WORDS = [f"key-{i}".encode() for i in range(5000)] + [b"", b"a\0b", b"longer than the others by far"]
TEXTS = [f"schlüssel-{i}-😀" for i in range(5000)] + ["", "a\0b", "€"]


def arrays() -> Iterable[tuple[str, Any, list[Any]]]:
    """A name, a batch, and its keys one by one."""
    for kind in "bBhHiIlLqQ":
        narrowed = INTEGERS.astype(np.dtype(kind))
        values = [int(x) for x in narrowed]
        yield f"numpy {kind}", narrowed, values
        yield f"numpy {kind} big-endian", narrowed.astype(np.dtype(kind).newbyteorder(">")), values
        yield f"numpy {kind} little-endian", narrowed.astype(np.dtype(kind).newbyteorder("<")), values
        yield f"numpy {kind} every third", narrowed[::3], values[::3]
        yield f"numpy {kind} reversed", narrowed[::-1], values[::-1]
        yield f"array {kind}", array.array(kind, values), values
    yield "numpy unaligned", np.frombuffer(b"x" + INTEGERS.tobytes(), dtype=np.uint8)[1:].view(np.int64), INTEGERS.tolist()
    yield "numpy read-only", np.frombuffer(INTEGERS.tobytes(), dtype=np.int64), INTEGERS.tolist()
    yield "memoryview of integers", memoryview(INTEGERS.data), INTEGERS.tolist()
    yield "ctypes array", (ctypes.c_int32 * 3)(1, -2, 3), [1, -2, 3]
    yield "ctypes array of 64 bits", (ctypes.c_uint64 * 2)(1, 2**64 - 1), [1, 2**64 - 1]
    fixed = np.array(WORDS)
    yield "numpy S", fixed, list(fixed)
    yield "numpy S every other", fixed[::2], list(fixed[::2])
    yield "numpy S with NULs at the end", np.array([b"a\0\0", b"\0", b"b"], dtype="S5"), [b"a", b"", b"b"]
    yield "numpy V", fixed.view(f"V{fixed.itemsize}"), list(fixed.view(f"V{fixed.itemsize}"))
    yield "numpy U", np.array(TEXTS), list(np.array(TEXTS))
    yield "numpy U big-endian", np.array(TEXTS).astype(np.array(TEXTS).dtype.newbyteorder(">")), TEXTS
    yield "numpy U backwards", np.array(TEXTS)[::-1], TEXTS[::-1]
    yield "list of integers", INTEGERS.tolist(), INTEGERS.tolist()
    yield "list of texts", TEXTS, TEXTS
    yield "list of integers, then texts", [*range(100), *TEXTS], [*range(100), *TEXTS]
    yield "list of texts, then integers", [*TEXTS, *range(100)], [*TEXTS, *range(100)]
    yield "numpy U of words", np.array([f"{i:0{i % 13}}" for i in range(300)]), [f"{i:0{i % 13}}" for i in range(300)]
    mixed: list[Any] = [*WORDS, *TEXTS, *INTEGERS.tolist(), bytearray(b"x"), memoryview(b"y"), np.int16(-5)]
    yield "numpy object", np.array(mixed, dtype=object), mixed
    yield "list", mixed, mixed
    yield "tuple", tuple(mixed), mixed
    yield "set", set(WORDS), WORDS
    yield "dict", dict.fromkeys(WORDS), WORDS
    yield "range", range(-500, 20_000), list(range(-500, 20_000))
    yield "empty list", [], []
    yield "empty array", np.array([], dtype=np.int64), []
    yield "large keys", [bytes([i]) * 300_000 for i in range(20)], [bytes([i]) * 300_000 for i in range(20)]


BATCHES = list(arrays())


@pytest.mark.parametrize(("name", "batch", "keys"), BATCHES, ids=[name for name, _, _ in BATCHES])
def test_a_batch_is_its_keys(name: str, batch: Any, keys: list[Any]) -> None:
    one_by_one = seen.Filter(capacity=20_000, fpr=0.01)
    for key in keys:
        one_by_one.add(key)
    at_once = seen.Filter(capacity=20_000, fpr=0.01)
    at_once.add_many(batch)
    assert at_once == one_by_one

    half = seen.Filter(capacity=5_000, fpr=0.2)
    half.update(keys[: len(keys) // 2])
    answers = half.may_contain_many(batch)
    assert answers.dtype == np.bool_ and answers.ndim == 1
    assert answers.tolist() == [key in half for key in (list(batch) if isinstance(batch, (set, dict)) else keys)]


def test_a_generator_is_a_batch() -> None:
    f = EMPTY()
    f.update(f"key-{i}" for i in range(1000))
    assert f.may_contain_many(f"key-{i}" for i in range(1000)).all()
    assert not f.may_contain_many(iter([])).size


def test_one_key_is_no_batch() -> None:
    f = EMPTY()
    for key in ("text", b"bytes", bytearray(b"bytes"), memoryview(b"bytes")):
        for call in (f.add_many, f.update, f.may_contain_many, seen.build):
            with pytest.raises(TypeError, match="one key"):
                call(key)


def test_bytes_of_any_owner_are_no_batch() -> None:
    with mmap.mmap(-1, 16) as mapped:
        for owner in (mapped, (ctypes.c_char * 3)(), (ctypes.c_uint8 * 3)(), (ctypes.c_int8 * 3)()):
            for call in (EMPTY().update, EMPTY().may_contain_many, seen.build):
                with pytest.raises(TypeError, match="one key"):
                    call(owner)


def test_small_integers_of_arrays_are_a_batch() -> None:
    class Derived(np.ndarray[Any, Any]):
        pass

    for batch in (np.array([1, 2], np.uint8), array.array("B", [1, 2]), np.array([1, 2], np.int8).view(Derived)):
        f = EMPTY()
        f.update(batch)
        assert 1 in f and 2 in f


@pytest.mark.parametrize(
    "batch",
    [7, None, np.zeros(3), np.zeros(3, bool), np.zeros(3, [("a", "i4")]), np.zeros(3, "M8[s]"), np.array([1.5], object), [1.5]],
)
def test_a_batch_of_no_keys_is_a_type_error(batch: Any) -> None:
    for call in (EMPTY().add_many, EMPTY().may_contain_many, seen.build):
        with pytest.raises(TypeError):
            call(batch)


@pytest.mark.parametrize("dtype", ["i8", "i4", "S3", "U3", "O"])
def test_what_is_masked_is_no_key(dtype: str) -> None:
    values = np.array([1, 2, 3]).astype(dtype)
    masked = np.ma.MaskedArray(values, mask=[False, True, False])
    for call in (EMPTY().add_many, EMPTY().may_contain_many, seen.build):
        with pytest.raises(TypeError, match="masked"):
            call(masked)
    whole, plain = EMPTY(), EMPTY()
    whole.add_many(np.ma.MaskedArray(values))
    whole.add_many(np.ma.MaskedArray(values, mask=[False] * 3))
    plain.add_many(values)
    assert whole == plain


@pytest.mark.parametrize("shape", [(), (2, 3)])
def test_an_array_has_one_dimension(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="1 dimension"):
        EMPTY().may_contain_many(np.zeros(shape, np.int64))


def test_answers_are_written_where_one_says() -> None:
    f = EMPTY()
    f.add_many([1, 2])
    out = np.ones(4, np.bool_)
    for batch in ([1, 2, 3, 4], np.arange(1, 5)):
        out[:] = True
        assert f.may_contain_many(batch, out=out) is out
        assert out.tolist() == [True, True, False, False]
        for wrong in (np.ones(3, np.bool_), np.ones(5, np.bool_)):
            with pytest.raises(ValueError, match="places for 4 keys"):
                f.may_contain_many(batch, wrong)
        unfitting: list[Any] = [np.ones(4, np.int8), np.ones((4, 1), np.bool_)]
        for other in unfitting:
            with pytest.raises(TypeError, match="array of bool"):
                f.may_contain_many(batch, other)
        frozen = np.ones(4, np.bool_)
        frozen.flags.writeable = False
        for unfit in (frozen, np.ones(8, np.bool_)[::2]):
            with pytest.raises((ValueError, BufferError)):
                f.may_contain_many(batch, unfit)


def test_what_the_iterable_raises_comes_through() -> None:
    def broken() -> Iterable[int]:
        yield from range(5)
        raise ZeroDivisionError("of the iterable")

    for call in (EMPTY().add_many, EMPTY().may_contain_many, seen.build):
        with pytest.raises(ZeroDivisionError, match="of the iterable"):
            call(broken())


def raising(keys: Iterable[Any]) -> Iterable[Any]:
    yield from keys
    raise ZeroDivisionError("of the iterable")


@pytest.mark.parametrize("count", [0, 1, 2, 4095, 4096, 4097, 10_000])
def test_the_keys_before_a_refused_one_are_in(count: int) -> None:
    keys: list[Any] = [f"key-{i}" for i in range(count)]
    batches: list[tuple[Any, type[Exception]]] = [
        ([*keys, 3.0, "after"], TypeError),
        ([*keys, 2**64, "after"], OverflowError),
        (np.array([*keys, None, "after"], dtype=object), TypeError),
        (np.array([*keys, "\ud800", "after"]), ValueError),
        (raising(keys), ZeroDivisionError),
    ]
    before = seen.Filter(capacity=20_000, fpr=0.01)
    for key in keys:
        before.add(key)
    for batch, error in batches:
        f = seen.Filter(capacity=20_000, fpr=0.01)
        with pytest.raises(error):
            f.update(batch)
        assert f == before


def test_a_list_that_shrinks_while_it_is_read_is_harmless() -> None:
    keys: list[Any] = []

    class Shrinking:
        def __index__(self) -> int:
            keys.clear()
            return 1

    keys += [Shrinking() for _ in range(1000)]
    f = EMPTY()
    f.add_many(keys)
    assert 1 in f


def test_a_key_that_uses_the_filter_does_not_lock_it_up() -> None:
    f = EMPTY()

    class Reentrant:
        def __index__(self) -> int:
            f.add("inside")
            return 3

    key: Any = Reentrant()
    f.add(key)
    f.add_many([key])
    assert "inside" in f and 3 in f and key in f


def test_threads_share_a_batch_and_change_nothing() -> None:
    keys = np.arange(300_000)
    one, four = (seen.Filter(capacity=300_000, fpr=0.01) for _ in range(2))
    one.add_many(keys)
    four.add_many(keys, threads=4)
    assert one == four


@pytest.mark.parametrize(("options", "lengths"), [({"key_type": "long"}, {8}), ({"key_type": "int"}, {4, 8})])
def test_what_is_no_number_is_refused_where_keys_are_numbers(options: dict[str, Any], lengths: set[int]) -> None:
    f = seen.Filter(capacity=100, fpr=1e-6, format="guava", **options)
    f.add(7)
    before = bytes(f)
    for length in range(12):
        none = b"\1" * length
        if length in lengths:
            assert none not in f and not f.may_contain_many([none, 5]).any()
            continue
        asks: list[Callable[[], object]] = [
            lambda: none in f, lambda: f.may_contain(none), lambda: f.add(none), lambda: f.test_and_add(none),
            lambda: f.remove(none), lambda: f.count(none),
        ]
        for ask in asks:
            with pytest.raises(ValueError, match=f"the key has {length} bytes?, and is not a whole number of "):
                ask()
        for many in (f.may_contain_many, f.add_many):
            with pytest.raises(ValueError, match=rf"key 2 has {length} bytes?, and is not"):
                many([7, 7, none, 7])
            if length > 1:
                with pytest.raises(ValueError, match=rf"key 0 has {length} bytes?, and is not"):
                    many(np.full(3, none, f"V{length}"))
    assert bytes(f) == before
    with pytest.raises(ValueError, match="key 1 has 3 bytes"):
        f.add_many([9, "abc"])
    assert 9 in f  # those before it are in
