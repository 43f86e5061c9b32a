"""Filters in the words of sets."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import pytest

import seenfilter as seen
from support import ABILITIES, ADDING, KINDS, PRESENT, filled

LESS, MORE, OTHER = PRESENT[:300], PRESENT[:600], PRESENT[600:]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if ABILITIES[kind].can_intersect])
def test_subsets_are_told_by_their_bits(kind: seen.KindName) -> None:
    less, more, other = filled(kind, LESS), filled(kind, MORE), filled(kind, OTHER)
    before = bytes(less), bytes(more)
    assert less <= more and less < more and more >= less and more > less
    assert less.issubset(more) and more.issuperset(less)
    assert not more <= less and not more.issubset(less) and not less > more
    assert not other <= more and not more <= other
    assert more <= more and more >= filled(kind, MORE) and not more < more and not more > filled(kind, MORE)
    assert (bytes(less), bytes(more)) == before


def test_what_cannot_be_compared_is_refused() -> None:
    a = seen.Filter(kind="bloom", shape={"bits": 1000, "probes": 7})
    with pytest.raises(seen.Incompatible, match="probes differ"):
        a <= seen.Filter(kind="bloom", shape={"bits": 1000, "probes": 5})  # noqa: B015
    with pytest.raises(seen.Unsupported):
        filled("quotient").issubset(filled("quotient"))
    with pytest.raises(TypeError):
        a <= {1}  # type: ignore[operator]  # noqa: B015


@pytest.mark.parametrize("kind", [kind for kind in ADDING if ABILITIES[kind].can_merge])
def test_many_batches_and_filters_are_added_at_once(kind: seen.KindName) -> None:
    f, one_by_one = (seen.Filter(capacity=1000, fpr=0.01, kind=kind) for _ in range(2))
    f.update(PRESENT[:100], np.array(PRESENT[100:200]), filled(kind, PRESENT[200:300]), (key for key in PRESENT[300:400]))
    f.update()
    one_by_one.add_many(PRESENT[:200])
    one_by_one.merge(filled(kind, PRESENT[200:300]))
    one_by_one.add_many(PRESENT[300:400])
    assert f == one_by_one
    assert filled(kind, LESS).union(OTHER, filled(kind, PRESENT[300:600])).may_contain_many(PRESENT).all()


def test_intersections_of_filters_and_keys() -> None:
    f = filled("bloom", MORE)
    common = f & filled("bloom", LESS)
    for other in (filled("bloom", LESS), LESS, tuple(LESS), np.array(LESS)):
        assert f.intersection(other) == common
        again = f.copy()
        again.intersection_update(other)
        assert again == common
    assert f.intersection() == f == filled("bloom", MORE) and f.intersection(LESS, OTHER) <= common


def by_name(thing: object) -> str:
    return repr(thing)


class Thing:
    """Something that is no key."""

    def __init__(self, name: int) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"thing {self.name}"


def test_a_function_makes_keys_of_other_objects() -> None:
    f = seen.Filter(100, key=by_name)
    plain = seen.Filter(100)
    things: list[Any] = [Thing(i) for i in range(5)]
    f.add(things[0])
    f.update(things[1:4], iter(things[4:]))
    plain.update(f"thing {i}" for i in range(5))
    assert f == plain and all(thing in f for thing in things) and f.test_and_add(things[0])
    assert f.may_contain_many(things + [Thing(7)]).tolist() == [True] * 5 + [False]
    assert None not in f  # it has a name, too
    assert f.copy().key is by_name and (f | plain).key is by_name and f.key is by_name
    with pytest.raises(TypeError, match="a key is"):
        plain.add(things[0])
    plain.key = by_name
    assert things[3] in plain
    plain.key = None
    assert "thing 3" in plain


def test_a_key_function_that_is_none_or_fails() -> None:
    with pytest.raises(TypeError, match="key: a function"):
        seen.Filter(10, key="name")  # type: ignore[arg-type]
    calls: list[Callable[[seen.Filter], object]] = [
        lambda f: f.add(1), lambda f: 1 in f, lambda f: f.add_many([1]), lambda f: f.may_contain_many([1]),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ZeroDivisionError):
            call(seen.Filter(10, key=lambda o: 1 // 0))
        with pytest.raises(TypeError, match="a key is"):
            call(seen.Filter(10, key=lambda o: 1.5))  # type: ignore[arg-type, return-value]
