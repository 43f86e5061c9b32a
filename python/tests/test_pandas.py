"""Columns of pandas, with pyarrow and as if there were none."""

from __future__ import annotations

import sys
from typing import Any, Iterator

import numpy as np
import pytest

import seenfilter as seen

pd = pytest.importorskip("pandas")

NAMES = ["a", "b", "ü", "a"]


@pytest.fixture(params=["pyarrow", "no pyarrow"], autouse=True)
def arrow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "pyarrow":
        pytest.importorskip("pyarrow")
    else:
        monkeypatch.setitem(sys.modules, "pyarrow", None)  # every import of it fails
    return str(request.param)


def columns() -> Iterator[tuple[str, Any, list[Any]]]:
    """A name, a column, and its keys; None where one is missing."""
    yield "int64", pd.Series([1, -2, 3]), [1, -2, 3]
    yield "uint8", pd.Series([1, 2, 255], dtype="uint8"), [1, 2, 255]
    yield "every other", pd.Series(range(10))[::2], [0, 2, 4, 6, 8]
    yield "Int64", pd.Series([1, None, 3], dtype="Int64"), [1, None, 3]
    yield "str", pd.Series(NAMES), NAMES
    yield "str with a missing one", pd.Series(["a", None, "b"]), ["a", None, "b"]
    yield "string", pd.Series(["a", None, "b"], dtype="string[python]"), ["a", None, "b"]
    yield "object", pd.Series(["a", None, "b", float("nan")], dtype=object), ["a", None, "b", None]
    yield "object of integers", pd.Series([1, None, 2**63], dtype=object), [1, None, 2**63]
    yield "mixed", pd.Series([1, "a", b"b", None], dtype=object), [1, "a", b"b", None]
    yield "category", pd.Series([*NAMES, None]).astype("category"), [*NAMES, None]
    yield "category of integers", pd.Series([5, 7, 5]).astype("category"), [5, 7, 5]
    yield "categorical", pd.Categorical(["a", None, "b", "a"], categories=["b", "a", "never"]), ["a", None, "b", "a"]
    yield "index", pd.Index(["a", "b"]), ["a", "b"]
    yield "range index", pd.RangeIndex(5), [0, 1, 2, 3, 4]
    yield "empty", pd.Series([], dtype=object), []
    yield "empty floats", pd.Series([], dtype=float), []


NAMED = list(columns())
each_column = pytest.mark.parametrize(("name", "column", "keys"), NAMED, ids=[name for name, _, _ in NAMED])


@each_column
def test_a_column_is_its_keys(name: str, column: Any, keys: list[Any]) -> None:
    there = [key for key in keys if key is not None]
    half = seen.Filter(capacity=100, fpr=1e-6, kind="counting-bloom")
    half.update(there[: len(there) // 2])
    assert half.may_contain_many(column).tolist() == [key in half for key in keys]
    at_once, singly = (seen.Filter(capacity=100, fpr=1e-6, kind="counting-bloom") for _ in range(2))
    for key in there:
        singly.add(key)
    if None not in keys:
        at_once.update(column)
        assert at_once == singly
        return
    with pytest.raises(TypeError, match=f"key {keys.index(None)} is None or null"):
        at_once.update(column)
    at_once.clear()  # of the keys before it
    at_once.update(column.dropna())
    assert at_once == singly


def test_an_integer_column_that_became_floats_is_told_what_to_do() -> None:
    for call in (seen.Filter(capacity=10).update, seen.Filter(capacity=10).may_contain_many, seen.build):
        with pytest.raises(TypeError, match="floats.*Int64"):
            call(pd.Series([1, None, 3]))


def test_what_is_no_key_is_named_by_its_place() -> None:
    with pytest.raises(TypeError, match="key 1: a key is .*, not tuple"):
        seen.Filter(capacity=10).update(pd.Series(["a", (1, 2)], dtype=object))
    with pytest.raises(TypeError):
        seen.Filter(capacity=10).update(pd.Series([True, False]))


def test_a_column_is_built_from() -> None:
    assert seen.build(pd.Series(NAMES).astype("category")).may_contain_many(NAMES).all()
    assert seen.build(pd.Series(np.arange(1000))).may_contain_many(range(1000)).all()
