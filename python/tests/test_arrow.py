"""Arrow arrays and streams, of a small Arrow library in place of all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import seenfilter as seen
from arrow_views import RELEASE, Views

na = pytest.importorskip("nanoarrow")
CArrayStream = pytest.importorskip("nanoarrow.c_array_stream").CArrayStream

INTEGERS = [0, 1, -1, 100, -128, 127]
WORDS = [b"", b"a", b"a\0b", b"exactly twelve"[:12], b"thirteen byte", b"rather longer than the others", bytes(range(256))]
TEXTS = ["", "a", "äöü€😀", "exactly 12 b", "thirteen byte", "rather longer than the others"]

COLUMNS: list[tuple[str, list[Any]]] = [
    *[(name, INTEGERS) for name in ("int8", "int16", "int32", "int64")],
    *[(name, [0, 1, 2**7 + 3, 255]) for name in ("uint8", "uint16", "uint32")],
    ("uint64", [0, 1, 2**63, 2**64 - 1]),
    *[(name, WORDS) for name in ("binary", "large_binary")],
    ("fixed_size_binary", [b"abc", b"a\0\0", b"\0\0\0", b"xyz"]),
    *[(name, TEXTS) for name in ("string", "large_string")],
]


def column_of(name: str, keys: list[Any]) -> Any:
    type_of = getattr(na, name)
    return na.c_array(keys, type_of(3) if name.startswith("fixed") else type_of())


def stream_of(pieces: list[Any]) -> Any:
    return CArrayStream.from_c_arrays(pieces, pieces[0].schema)


def filter_of(keys: list[Any]) -> seen.Filter:
    f = seen.Filter(capacity=1000, fpr=1e-6)
    for key in keys:
        f.add(key)
    return f


@pytest.mark.parametrize(("name", "keys"), COLUMNS, ids=[name for name, _ in COLUMNS])
def test_a_column_is_its_keys(name: str, keys: list[Any]) -> None:
    column = column_of(name, keys)
    f = seen.Filter(capacity=1000, fpr=1e-6)
    f.add_many(column)
    assert f == filter_of(keys)
    some = filter_of(keys[:3])
    assert some.may_contain_many(column).tolist() == [key in some for key in keys]
    assert seen.build(column, kind="xor") == seen.build(keys, kind="xor")


@pytest.mark.parametrize(("name", "keys"), COLUMNS, ids=[name for name, _ in COLUMNS])
def test_a_null_is_no_key(name: str, keys: list[Any]) -> None:
    with_null = [keys[0], None, keys[1], None, keys[2]]
    column = column_of(name, with_null)
    everything = seen.Filter(kind="bloom", shape={"bits": 64, "probes": 1})
    everything.add_many(range(10_000))
    assert everything.may_contain_many(column).tolist() == [True, False, True, False, True]
    for call in (seen.Filter(capacity=10).add_many, seen.build):
        with pytest.raises(TypeError, match="key 1 is None or null"):
            call(column)


@pytest.mark.parametrize("count", [0, 1, 4095, 4096, 5000])
def test_the_keys_before_a_null_are_in(count: int) -> None:
    integers: list[Any] = list(range(count))
    for keys, name in ((integers, "int64"), (integers, "int32"), ([f"key-{i}" for i in integers], "string")):
        f = seen.Filter(capacity=10_000, fpr=0.01)
        with pytest.raises(TypeError, match=f"key {count} is None or null"):
            f.update(column_of(name, [*keys, None, keys[0] if keys else None]))
        before = seen.Filter(capacity=10_000, fpr=0.01)
        before.update(keys)
        assert f == before


def test_a_stream_is_all_its_pieces() -> None:
    pieces = [[1, 2, 3], [], [4, 5], [6]]
    stream = stream_of([na.c_array(piece, na.int64()) for piece in pieces])
    f = seen.Filter(capacity=1000, fpr=1e-6)
    f.add_many(stream)
    assert f == filter_of([1, 2, 3, 4, 5, 6])
    words = stream_of([na.c_array(piece, na.string()) for piece in (TEXTS[:2], TEXTS[2:])])
    assert filter_of(TEXTS).may_contain_many(words).tolist() == [True] * len(TEXTS)


def test_a_slice_is_a_part() -> None:
    for name, keys in COLUMNS:
        column = column_of(name, keys)[1:3]
        f = seen.Filter(capacity=1000, fpr=1e-6)
        f.add_many(column)
        assert f == filter_of(keys[1:3]), name


def test_views_are_followed_and_given_back() -> None:
    keys = [*WORDS, None, *WORDS]
    everything = seen.Filter(kind="bloom", shape={"bits": 64, "probes": 1})
    everything.add_many(range(10_000))
    column = Views(keys)
    assert everything.may_contain_many(column).tolist() == [key is not None for key in keys]
    assert column.released == 2  # schema and array
    for offset in (0, 3):
        f = seen.Filter(capacity=1000, fpr=1e-6)
        f.add_many(Views(list(WORDS), offset))
        assert f == filter_of(WORDS[offset:])


class Given:
    """An object that hands over what it was told to, again and again."""

    def __init__(self, **methods: Any) -> None:
        for name, result in methods.items():
            setattr(self, name, lambda requested_schema=None, result=result: result)


def test_what_was_consumed_is_not_read_again() -> None:
    of_views = Views(list(WORDS))
    of_stream = stream_of([na.c_array([1, 2, 3], na.int64())]).__arrow_c_stream__()
    columns: list[Any] = [of_views, Given(__arrow_c_stream__=of_stream)]
    for column in columns:
        f = seen.Filter(capacity=1000, fpr=1e-6)
        f.add_many(column)
        before = bytes(f)
        for call in (f.add_many, f.may_contain_many, seen.build):
            with pytest.raises(ValueError, match="consumed"):
                call(column)
        assert bytes(f) == before
    assert of_views.released == 2


def test_an_array_that_was_consumed_gives_its_schema_back() -> None:
    column = Views(list(WORDS))
    column.array.release = RELEASE()
    with pytest.raises(ValueError, match="consumed"):
        seen.Filter(capacity=10).add_many(column)
    assert column.released == 1


@pytest.mark.parametrize("given", [(), (1,), (1, 2, 3), None, 7])
def test_an_array_is_a_pair_of_capsules(given: Any) -> None:
    column: Any = Given(__arrow_c_array__=given)
    with pytest.raises(TypeError, match="pair of capsules"):
        seen.Filter(capacity=10).add_many(column)


def test_other_types_are_refused() -> None:
    for column, why in ((na.c_array([1.5], na.float64()), "are floats"), (na.c_array([True], na.bool_()), "neither integers")):
        for call in (seen.Filter(capacity=10).add_many, seen.Filter(capacity=10).may_contain_many, seen.build):
            with pytest.raises(TypeError, match=why):
                call(column)


def test_a_column_of_length_0_is_no_keys() -> None:
    f = seen.Filter(capacity=10)
    for column in (na.c_array([], na.float64()), na.c_array([], na.bool_())):
        f.add_many(column)
        assert f.may_contain_many(column).tolist() == []
    assert len(f) == 0


def test_a_column_of_nulls_is_no_key() -> None:
    column = pytest.importorskip("pyarrow").nulls(2)
    assert seen.Filter(capacity=10).may_contain_many(column).tolist() == [False, False]
    with pytest.raises(TypeError, match="key 0 is None or null"):
        seen.Filter(capacity=10).add_many(column)


def dictionaries() -> list[tuple[str, Any, list[Any]]]:
    """Columns of pyarrow and polars that have each key once, in a dictionary."""
    pa = pytest.importorskip("pyarrow")
    words: list[Any] = ["b", "a", None, "b", "c", None, "b"]
    found: list[tuple[str, Any, list[Any]]] = [
        ("texts", pa.array(words).dictionary_encode(), words),
        ("a slice", pa.array(words).dictionary_encode()[2:5], words[2:5]),
        ("integers", pa.array([5, None, 5, 2**40]).dictionary_encode(), [5, None, 5, 2**40]),
        ("narrow numbers", pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int8()), ["x", "y", "never"]), ["y", "x", "y"]),
        ("a null in the dictionary", pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 0]), pa.array(["x", None])), [None, "x", None, "x"]),
        (
            "pieces with dictionaries of their own",
            pa.chunked_array([pa.array(["a", "b"]).dictionary_encode(), pa.array(["b", None, "a"]).dictionary_encode()]),
            ["a", "b", "b", None, "a"],
        ),
        ("binary", pa.array([b"1", b"2", b"1"]).dictionary_encode(), [b"1", b"2", b"1"]),
        ("views", pa.DictionaryArray.from_arrays(pa.array([1, 1, 0]), pa.array(["x", "y" * 40], pa.string_view())), ["y" * 40, "y" * 40, "x"]),
    ]
    pl: Any = pytest.importorskip("polars")
    return [*found, ("polars", pl.Series(words, dtype=pl.Categorical), words)]


def test_a_dictionary_is_what_it_stands_for() -> None:
    for name, column, keys in dictionaries():
        there = [key for key in keys if key is not None]
        for capacity in (there[:1], there, ["never"]):
            f = seen.Filter(capacity=100, fpr=1e-6, kind="counting-bloom")
            f.update(capacity)
            assert f.may_contain_many(column).tolist() == [key in f for key in keys], name
        at_once, singly = (seen.Filter(capacity=100, fpr=1e-6, kind="counting-bloom") for _ in range(2))
        if None in keys:
            with pytest.raises(TypeError, match=f"key {keys.index(None)} is None or null"):
                at_once.update(column)
            singly.update(keys[: keys.index(None)])
        else:
            at_once.update(column)  # each as often as it is there
            singly.update(keys)
        assert at_once == singly, name
        if None not in keys:
            assert seen.build(column).may_contain_many(keys).all()


def test_a_number_beyond_its_dictionary_is_an_error() -> None:
    pa = pytest.importorskip("pyarrow")
    for number in (3, -1):
        column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, number]), ["x", "y", "z"], safe=False)
        for call in (seen.Filter(capacity=10).update, seen.Filter(capacity=10).may_contain_many):
            with pytest.raises(ValueError, match=f"has number {number} in a dictionary of 3"):
                call(column)


def test_many_keys_come_in_tiles() -> None:
    keys = np.arange(100_000)
    f = seen.Filter(capacity=100_000, fpr=0.01)
    f.add_many(na.c_array(keys))
    again = seen.Filter(capacity=100_000, fpr=0.01)
    again.add_many(keys)
    assert f == again
    texts = [f"key-{i}" for i in range(20_000)]
    f.add_many(na.c_array(texts, na.string()))
    again.add_many(texts)
    assert f == again and f.may_contain_many(na.c_array(texts, na.string())).all()
