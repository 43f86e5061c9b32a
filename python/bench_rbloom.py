"""What a filter costs where rbloom's would stand, key by key and by lists, in processor time and in turns.

    pip install rbloom && python bench_rbloom.py [KEYS [ROUNDS]]

Every line is one statement that works with both, over the same lists of str and of int, at 1 %; half of the keys asked are there.
The two take turns within each round, and the figure is the best round's, in nanoseconds of processor time per key: what other
programs do at the same time counts little. Read the ratio. `keys` begins 200,000: a filter that the second-level cache holds.
"""

from __future__ import annotations

import gc
import platform
import sys
import time
from typing import Any, Callable

import seenfilter as seen

KEYS = int(float(sys.argv[1])) if len(sys.argv) > 1 else 200_000
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 15


def add_each(f: Any, keys: list[Any]) -> None:
    """f.add(key)"""
    for key in keys:
        f.add(key)


def ask_each(f: Any, keys: list[Any]) -> None:
    """key in f"""
    for key in keys:
        key in f  # noqa: B015


def collect(f: Any, keys: list[Any]) -> None:
    """[key in f for key in keys]"""
    [key in f for key in keys]


def update(f: Any, keys: list[Any]) -> None:
    """f.update(keys)"""
    f.update(keys)


def spent(call: Callable[[], object]) -> float:
    """Nanoseconds of processor time per key."""
    began = time.process_time_ns()
    call()
    return (time.process_time_ns() - began) / KEYS


def main() -> None:
    """Prints the table."""
    import rbloom  # type: ignore[import-untyped,import-not-found,unused-ignore]

    makers: list[Callable[[], Any]] = [lambda: seen.Filter(KEYS, 0.01), lambda: rbloom.Bloom(KEYS, 0.01)]
    lists: dict[str, list[Any]] = {"str": [f"user-{i * 7919 % KEYS:09}" for i in range(KEYS)], "int": [i * 7919 for i in range(KEYS)]}
    best: dict[tuple[str, str], list[float]] = {}
    gc.disable()
    for _ in range(ROUNDS):
        for name, keys in lists.items():
            filled = [make() for make in makers]
            for f in filled:
                f.update(keys[::2])
            for step in (ask_each, collect, add_each, update):
                costs = best.setdefault((str(step.__doc__), name), [float("inf")] * 2)
                for which, make in enumerate(makers):
                    f = filled[which] if step in (ask_each, collect) else make()
                    costs[which] = min(costs[which], spent(lambda: step(f, keys)))
    print(f"Python {platform.python_version()}, {KEYS} keys, best of {ROUNDS}")
    for (step_name, name), (ours, theirs) in best.items():
        print(f"{step_name:30} {name}  seen {ours:6.1f} ns  rbloom {theirs:6.1f} ns  {theirs / ours:5.2f} times as fast")


if __name__ == "__main__":
    main()
