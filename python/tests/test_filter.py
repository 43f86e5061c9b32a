"""What a filter does, whatever its kind."""

from __future__ import annotations

import copy
import gc
import math
import sys
import weakref
from typing import Any, Callable

import numpy as np
import pytest

import seenfilter as seen
from support import ABILITIES, ABSENT, ADDING, KINDS, PRESENT, SECRET, STATIC, answers, filled

each_kind = pytest.mark.parametrize("kind", KINDS)
each_adding_kind = pytest.mark.parametrize("kind", ADDING)


@each_kind
def test_no_key_is_lost_and_few_are_made_up(kind: seen.KindName) -> None:
    f = filled(kind)
    assert all(key in f for key in PRESENT)
    assert f.may_contain_many(PRESENT).all()
    # 2000 trials at 1 %: more than 59 happen once in 10^9 runs (binomial), and the keys are always the same.
    assert f.may_contain_many(ABSENT).sum() <= 59
    assert f.may_contain_many(PRESENT + ABSENT).tolist() == [f.may_contain(key) for key in PRESENT + ABSENT]


@each_adding_kind
def test_an_empty_filter_says_no(kind: seen.KindName) -> None:
    f = seen.Filter(capacity=1000, fpr=0.01, kind=kind)
    assert not f.may_contain_many([*PRESENT, "", b"", 0]).any()
    assert len(f) == 0 and f.estimated_count() == 0
    assert f  # it is there, however empty


@each_adding_kind
def test_test_and_add_tells_the_answer_before(kind: seen.KindName) -> None:
    f = seen.Filter(capacity=1000, fpr=0.01, kind=kind)
    assert f.test_and_add("alice") is False
    assert f.test_and_add("alice") is True


@each_kind
def test_what_a_kind_cannot_do_is_unsupported(kind: seen.KindName) -> None:
    f, can = filled(kind), ABILITIES[kind]
    before = bytes(f)
    refused: dict[str, list[Callable[[], object]]] = {
        "can_add": [lambda: f.add("x"), lambda: f.add_many(["x"]), lambda: f.test_and_add("x"), f.clear],
        "can_remove": [lambda: f.remove("x"), lambda: f.count("x")],
        "can_merge": [lambda: f.merge(filled(kind))],
        "can_intersect": [lambda: f.intersect(filled(kind))],
        "can_shrink": [lambda: f.shrink(fpr=0.5)],
        "can_forget": [lambda: f.advance(1)],
    }
    for ability, calls in refused.items():
        if getattr(can, ability):
            continue
        for call in calls:
            with pytest.raises(seen.Unsupported, match=kind):
                call()
            assert bytes(f) == before


@pytest.mark.parametrize("kind", [kind for kind in ADDING if ABILITIES[kind].can_remove])
def test_keys_are_removed_and_counted(kind: seen.KindName) -> None:
    f = filled(kind)
    f.add("twice")
    f.add("twice")
    assert f.count("twice") >= 2
    assert f.remove("twice") is True
    assert "twice" in f
    assert f.remove("twice") is True
    gone = [key for key in PRESENT if f.remove(key)]
    assert gone == PRESENT
    assert not f.may_contain_many(PRESENT).any()
    assert f.remove("twice") is False


@pytest.mark.parametrize("kind", [kind for kind in KINDS if ABILITIES[kind].can_merge])
def test_or_is_the_union(kind: seen.KindName) -> None:
    a, b = filled(kind, PRESENT[:500]), filled(kind, PRESENT[500:])
    before = bytes(a), bytes(b)
    both = a | b
    assert (bytes(a), bytes(b)) == before
    assert both.may_contain_many(PRESENT).all()
    assert not a.may_contain_many(PRESENT[500:]).all()
    same = a
    a |= b
    assert a is same and a == both


@pytest.mark.parametrize("kind", [kind for kind in KINDS if ABILITIES[kind].can_merge])
def test_a_filter_merged_with_itself_holds_the_same(kind: seen.KindName) -> None:
    f = filled(kind, PRESENT[:500])
    before, was = answers(f), f.info()
    same = f
    f |= f
    assert f is same and answers(f) == before and f.info().bytes == was.bytes
    if not ABILITIES[kind].can_remove:  # where keys are counted, they are there twice
        assert f == filled(kind, PRESENT[:500])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if ABILITIES[kind].can_intersect])
def test_a_filter_intersected_with_itself_is_the_same(kind: seen.KindName) -> None:
    f = filled(kind)
    f &= f
    assert f == filled(kind)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if ABILITIES[kind].can_intersect])
def test_and_keeps_what_both_have(kind: seen.KindName) -> None:
    a, b = filled(kind, PRESENT[:700]), filled(kind, PRESENT[300:])
    common = a & b
    assert common.may_contain_many(PRESENT[300:700]).all()
    assert common.may_contain_many(PRESENT[:300]).sum() < 100
    a &= b
    assert a == common


def test_filters_that_differ_are_not_combined() -> None:
    a = seen.Filter(kind="bloom", shape={"bits": 1000, "probes": 7})
    others = [
        (seen.Filter(kind="bloom", shape={"bits": 1000, "probes": 5}), "probes differ: 7 here, 5 there"),
        (seen.Filter(kind="bloom", shape={"bits": 1000, "probes": 7}, seed=1), "seed"),
        (seen.Filter(kind="cuckoo", capacity=10), "kinds differ: bloom"),
    ]
    for other, why in others:
        for combine in (lambda: a | other, lambda: a & other, lambda: a.merge(other), lambda: a.intersect(other)):
            with pytest.raises(seen.Incompatible, match=why):
                combine()
    with pytest.raises(TypeError):
        a | {1}  # type: ignore[operator]
    with pytest.raises(TypeError):
        a &= None  # type: ignore[arg-type]


@each_kind
def test_a_copy_is_equal_and_apart(kind: seen.KindName) -> None:
    f = filled(kind)
    f.metadata = b"mine"
    for twin in (f.copy(), copy.copy(f), copy.deepcopy(f)):
        assert twin == f and not twin != f and twin is not f
        assert twin.metadata == b"mine" and answers(twin) == answers(f)
        if kind in ADDING:
            before = bytes(f)
            twin.add("another")
            assert twin != f and bytes(f) == before


def test_metadata_has_a_limit() -> None:
    f = filled("bloom")
    f.metadata = b"x" * 65_536
    assert seen.from_bytes(bytes(f)).metadata == b"x" * 65_536
    with pytest.raises(seen.TooLarge, match="65537 bytes; at most 65536"):
        f.metadata = b"y" * 65_537
    assert f.metadata == b"x" * 65_536


def test_a_copy_of_a_keyed_filter_keeps_its_secret_to_itself() -> None:
    f = filled("bloom", hash="siphash-1-3", secret=SECRET)
    twin = f.copy()
    assert twin == f and answers(twin) == answers(f)
    assert SECRET not in bytes(twin) and not twin.info().secret_stored


def test_filters_are_compared_by_content() -> None:
    assert filled("bloom") == filled("bloom")
    assert filled("bloom") != filled("bloom", PRESENT[1:])
    assert filled("bloom") != filled("blocked-bloom")
    assert filled("bloom") != bytes(filled("bloom"))
    with pytest.raises(TypeError, match="unhashable"):
        hash(filled("bloom"))


def test_len_estimates() -> None:
    f = filled("bloom")
    assert len(f) == round(f.estimated_count()) and 950 < len(f) < 1050  # sigma is about 4
    assert len(filled("quotient")) == 1000  # exact
    full = seen.Filter(kind="bloom", shape={"bits": 64, "probes": 1})
    full.add_many(range(10_000))
    assert math.isinf(full.estimated_count()) or full.estimated_count() > 64
    assert len(full) > 64 and full.info().saturated


def test_health() -> None:
    f = seen.Filter(capacity=1000, fpr=0.01, kind="bloom")
    assert f.health().healthy
    f.add_many(PRESENT)  # as many as were asked for
    assert f.health().healthy and f.info().health == f.health()
    assert f.health().estimated_count <= f.health().most_keys < 1100
    f.add_many(range(10_000, 11_000))
    ill = f.health()
    assert ill.past_capacity and ill.above_fpr and not ill.healthy
    assert ill.estimated_fpr > 10 * ill.most_fpr and ill.estimated_count == f.estimated_count()
    assert seen.from_bytes(f.to_bytes()).health() == ill
    shaped = seen.Filter(kind="bloom", shape={"bits": 9586, "probes": 7})
    assert math.isinf(shaped.health().most_keys) and shaped.health().most_fpr == 1
    shaped.add_many(range(10_000))
    assert shaped.health().saturated and not shaped.health().past_capacity
    assert seen.build(range(1000), kind="ribbon").health().healthy
    growing = seen.Filter(capacity=100, fpr=0.01, kind="scalable-bloom")
    growing.add_many(PRESENT)
    assert growing.health().healthy


def test_what_it_is() -> None:
    f = seen.Filter(capacity=1000, fpr=0.01, kind="bloom", seed=9)
    f.add_many(PRESENT)
    info = f.info()
    assert (f.kind, f.format, f.mapped) == ("bloom", "native", False)
    assert (info.kind, info.format, info.target) == ("bloom", "native", seen.Target(1000, 0.01))
    assert info.shape == {"bits": 9586, "probes": 7}
    assert (info.hash, info.seed, info.keyed, info.exact, info.file_bytes) == ("xxh3-fold", 9, False, False, None)
    assert info.huge_page_bytes == 0  # too small to ask the system
    assert info.fill is not None and info.fill == f.fill() and 0.4 < info.fill < 0.6
    assert info.estimated_fpr == f.estimated_fpr() and 0.005 < f.estimated_fpr() < 0.02
    assert repr(f) == f"<seen.Filter bloom, capacity 1000, fpr 0.01, {info.bytes} bytes>"
    growing = seen.Filter(capacity=1000, fpr=0.01, kind="scalable-bloom", shape={"growth": 4})
    assert growing.info().shape["growth"] == 4.0 and isinstance(growing.info().shape["growth"], float)


def test_the_default_kind_is_the_first() -> None:
    assert seen.Filter(capacity=10).kind == seen.kinds()[0].name == "blocked-bloom"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "capacity"),
        ({"capacity": 0}, "capacity"),
        ({"capacity": 10, "fpr": 0.0}, "fpr"),
        ({"capacity": 10, "fpr": 2.0}, "fpr"),
        ({"capacity": 10, "fpr": float("nan")}, "fpr"),
        *(
            ({"kind": "windowed-bloom", "capacity": 100, "fpr": fpr, "shape": {"slice-bits": 640, "probes": 3}}, "fpr")
            for fpr in (float("nan"), float("inf"), 5.0, 1.0, -1.0)
        ),
        ({"capacity": 10, "kind": "blom"}, "no kind blom; there are"),
        ({"capacity": 10, "hash": "md5"}, "no hash"),
        ({"capacity": 10, "format": "gova"}, "no format gova"),
        ({"capacity": 10, "secret": b"short"}, "16 bytes, not 5"),
        ({"capacity": 10, "secret": SECRET}, "takes no secret"),
        ({"capacity": 10, "hash": "siphash-2-4"}, "needs a secret"),
        ({"capacity": 10, "kind": "ribbon"}, "built from all its keys"),
        ({"kind": "bloom", "shape": {"bits": 100}}, "needs probes too"),
        ({"kind": "bloom", "shape": {"bits": 100, "prbes": 1}}, "no field prbes"),
        ({"capacity": 2**63, "fpr": 1e-9}, "9.22337e+18|9223372036854775808"),
    ],
)
def test_a_filter_that_cannot_be_is_refused_in_words(options: dict[str, Any], why: str) -> None:
    with pytest.raises(seen.Error, match=why):
        seen.Filter(**options)


@pytest.mark.parametrize(
    ("call", "error", "why"),
    [
        (lambda: seen.Filter(), seen.InvalidArgument, "capacity is missing"),
        (lambda: seen.Filter(fpr=0.01), seen.InvalidArgument, "capacity is missing"),
        (lambda: seen.Filter(-1), seen.InvalidArgument, "Filter: capacity: -1 is less than 0"),
        (lambda: seen.Filter(2**64), seen.InvalidArgument, "Filter: capacity: 18446744073709551616 is more than"),
        (lambda: seen.Filter(1.5), seen.InvalidArgument, "Filter: capacity: 1.5 is no whole number"),
        (lambda: seen.Filter(float("nan")), seen.InvalidArgument, "Filter: capacity: nan is no whole number"),
        (lambda: seen.Filter(float("inf")), seen.InvalidArgument, "Filter: capacity: inf is no whole number"),
        (lambda: seen.Filter("many"), TypeError, "Filter: capacity: a whole number is wanted, not 'many'"),  # type: ignore[arg-type]
        (lambda: seen.Filter(True), TypeError, "Filter: capacity: a whole number"),
        (lambda: seen.Filter(10, "low"), TypeError, "Filter: fpr: a number is wanted, not 'low'"),  # type: ignore[arg-type]
        (lambda: seen.Filter(10, 0.1, "bloom"), TypeError, "only capacity and fpr .* 3 were"),  # type: ignore[call-arg]
        (lambda: seen.Filter(10, capacity=10), TypeError, "Filter: capacity is given twice"),  # type: ignore
        (lambda: seen.Filter(capcity=3), TypeError, "no argument capcity; did you mean capacity?"),  # type: ignore[call-arg]
        (lambda: seen.Filter(10, error_rate=0.1), TypeError, "no argument error_rate; did you mean fpr?"),  # type: ignore[call-arg]
        (lambda: seen.Filter(10, kind=7), TypeError, "Filter: kind: a str is wanted, not 7"),  # type: ignore[arg-type]
        (lambda: seen.Filter(10, kind="blom"), seen.InvalidArgument, "blom.*did you mean bloom?"),  # type: ignore[arg-type]
        (lambda: seen.Filter(10, secret="text"), TypeError, "Filter: secret: bytes is wanted"),  # type: ignore[arg-type]
        (lambda: seen.Filter(10, shape={"bits": 1.5}), seen.InvalidArgument, "shape: bits: 1.5 is no whole number"),
        (lambda: seen.Filter(10, shape={"bits": -1}), seen.InvalidArgument, "shape: bits: -1 is less than 0"),
        (lambda: seen.Filter(10, shape={"bits": "x"}), TypeError, "shape: bits: a whole number is wanted, not 'x'"),  # type: ignore[dict-item]
        (lambda: seen.Filter(10, shape={"bits": None}), TypeError, "shape: bits: a number is wanted, not None"),  # type: ignore[dict-item]
        (lambda: seen.Filter(10, shape={7: 1}), TypeError, "shape: a name is wanted, not 7"),  # type: ignore[dict-item]
        (lambda: seen.Filter(10, shape=[1]), TypeError, "shape: a mapping of names to numbers is wanted"),  # type: ignore[arg-type]
        (lambda: seen.Filter(10).save("x", metadata="x"), TypeError, "save: metadata: bytes is wanted, not 'x'"),  # type: ignore[arg-type]
        (lambda: seen.Filter(10).save(), TypeError, "save: path is missing"),  # type: ignore[call-arg]
        (lambda: seen.load("x", max_bytes=-1), seen.InvalidArgument, "load: max_bytes: -1 is less"),
        (lambda: seen.load(), TypeError, "load: path is missing"),  # type: ignore[call-arg]
        (lambda: seen.plan(10), TypeError, "plan: fpr is missing"),  # type: ignore[call-arg]
        (lambda: seen.build([1], thread=2), TypeError, "no argument thread; did you mean threads?"),  # type: ignore[call-arg]
        (lambda: seen.Filter(10).update([1], threads="x"), TypeError, "update: threads: a whole number"),  # type: ignore[arg-type]
        (lambda: seen.Filter(10).remove(1), seen.Unsupported, "these kinds can: .*counting-bloom.*cuckoo"),
    ],
)
def test_an_error_names_the_argument(call: Callable[[], object], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        call()


def test_a_target_needs_no_names_and_a_whole_number_may_be_a_float() -> None:
    assert seen.Filter(1e6, 0.02) == seen.Filter(capacity=1_000_000, fpr=0.02)
    assert seen.Filter(1000) == seen.Filter(1000, 0.01) == seen.Filter(int(np.int64(1000)), 0.01)
    assert seen.plan(1000, 0.01) == seen.plan(capacity=1000, fpr=0.01)


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_may_have_the_dash_of_code(kind: seen.KindName) -> None:
    underscored: Any = kind.replace("-", "_")
    assert [plan.kind for plan in seen.plan(1000, 0.01, kind=underscored)] == [kind]
    if kind in ADDING:
        assert seen.Filter(1000, kind=underscored).kind == kind


def test_what_it_was_made_for_is_known_without_a_look() -> None:
    f = seen.Filter(1000, 0.02, kind="bloom")
    assert (f.capacity, f.fpr, f.nbytes) == (1000, 0.02, f.info().bytes)
    assert f.nbytes < sys.getsizeof(f) < f.nbytes + 10_000
    shaped = seen.Filter(kind="bloom", shape={"bits": 9586, "probes": 7})
    assert (shaped.capacity, shaped.fpr) == (None, None)


def test_filters_can_be_referred_to_weakly() -> None:
    f = seen.Filter(10)
    reference = weakref.ref(f)
    assert reference() is f
    del f
    assert reference() is None


def test_a_filter_and_its_key_function_are_collected_together() -> None:
    f = seen.Filter(10)
    f.key = lambda o: (f, o)[1]
    reference = weakref.ref(f)
    del f
    gc.collect()
    assert reference() is None


def test_a_full_filter_says_so_and_keeps_what_it_has() -> None:
    f = seen.Filter(kind="cuckoo", capacity=100, fpr=0.01)
    with pytest.raises(seen.Full, match="room for"):
        f.add_many(np.arange(300_000))
    held = int(f.info().estimated_count)
    for many, of in ((np.arange(10_000), " of 10000"), (list(range(10_000)), ""), (iter(range(10_000)), "")):
        small = seen.Filter(10, kind="cuckoo")
        with pytest.raises(seen.Full) as full:
            small.add_many(many)
        assert str(full.value) == f"add: the filter is full: there was room for {len(small)}{of} keys"
    with pytest.raises(seen.Full, match="unchanged"):
        for i in range(1000):
            f.add(i)
    assert held >= 100


def test_it_forgets_shrinks_and_clears() -> None:
    window = seen.Filter(kind="windowed-bloom", capacity=100, fpr=0.01, shape={"period": 60})
    window.advance(1000)
    window.add("then")
    assert "then" in window
    window.advance(5000)
    assert "then" not in window

    roomy = seen.Filter(capacity=1_000_000, fpr=0.01, foldable=True)
    roomy.add_many(PRESENT)
    before = roomy.info().bytes
    roomy.shrink(fpr=0.01)
    assert roomy.info().bytes < before / 100 and roomy.may_contain_many(PRESENT).all()
    roomy.clear()
    assert not roomy.may_contain_many(PRESENT).any()


def test_plan_is_what_is_made() -> None:
    for plan in seen.plan(capacity=1000, fpr=0.01):
        assert filled(plan.kind).info().shape == plan.shape
    assert [plan.kind for plan in seen.plan(capacity=1000, fpr=0.01)] == KINDS
    (one,) = seen.plan(capacity=1000, fpr=0.01, kind="counting-bloom", shape={"counter-bits": 8})
    assert one.shape["counter-bits"] == 8
    with pytest.raises(seen.InvalidArgument, match="no kind"):
        seen.plan(capacity=1, fpr=0.1, kind="blom")  # type: ignore[arg-type]


def test_kinds_and_formats_are_listed() -> None:
    assert {kind.name for kind in seen.kinds() if kind.static} == set(STATIC) >= {"xor", "binary-fuse", "ribbon"}
    assert len(KINDS) >= 15
    formats = {each.name: each for each in seen.formats()}
    assert seen.formats()[0].name == "native" and formats["guava"].can_make and formats["parquet"].has_parts


def test_errors_have_codes_and_familiar_bases() -> None:
    assert issubclass(seen.CorruptFile, seen.Error) and issubclass(seen.CorruptFile, ValueError)
    assert issubclass(seen.FileExists, FileExistsError) and issubclass(seen.OutOfMemory, MemoryError)
    assert len(seen.errors.BY_CODE) == 17 and all(code == each.code for code, each in seen.errors.BY_CODE.items())


def test_digests_are_known() -> None:
    assert seen.digest("") == 0x2D06800538D394C2
    assert seen.digest(42) == seen.digest((42).to_bytes(8, "little")) == 0x4F477E581570A2D0
    assert seen.digest(0x0807060504030201, seed=77) == 0xEE74832741C4076A
    assert seen.digest(42, hash="xxh3-64") == 0xD5A6F8C838DF27C8
    assert seen.digest("foobar", hash="xxh64") == 0xA2AA05ED9085AAF9
    assert seen.digest(42, hash="siphash-2-4", secret=SECRET) == 0x2CBE815A255FAF48


@pytest.mark.parametrize("how", [{}, {"hash": "xxh3-64", "seed": 7}, {"hash": "siphash-1-3", "secret": SECRET}])
def test_digests_of_many_are_those_of_each(how: dict[str, Any]) -> None:
    mixed: list[Any] = ["", "alice", b"\0", 42, -1, 2**64 - 1, "ä" * 300]
    integers = np.arange(-5, 5, dtype=np.int16)
    for keys, single in (
        (mixed, mixed), (iter(mixed), mixed), (range(10_000), range(10_000)), (integers, integers.tolist()),
        (np.array([b"a", b"bc"]), [b"a", b"bc"]), ([], []),
    ):  # fmt: skip
        got = seen.digest_many(keys, **how)
        assert got.dtype == np.uint64 and got.tolist() == [seen.digest(key, **how) for key in single]


def test_nothing_is_no_digest() -> None:
    with_none: Any = ["a", "b", None]
    with pytest.raises(TypeError, match="key 2"):
        seen.digest_many(with_none)
    with pytest.raises(TypeError):
        seen.digest_many("one key")
