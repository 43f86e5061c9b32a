"""What several tests share: a filter of every kind, and other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import seenfilter as seen

KINDS = [kind.name for kind in seen.kinds()]
STATIC = [kind.name for kind in seen.kinds() if kind.static]
ADDING = [kind.name for kind in seen.kinds() if not kind.static]
ABILITIES = {plan.kind: plan for plan in seen.plan(capacity=1000, fpr=0.01)}
PRESENT = [f"key-{i}" for i in range(1000)]
ABSENT = [f"key-{i}" for i in range(1000, 3000)]
SECRET = bytes(range(16))


def filled(kind: seen.KindName, keys: Any = PRESENT, **options: Any) -> seen.Filter:
    """A filter of a kind for 1000 keys, which it holds."""
    if kind in STATIC:
        return seen.build(keys, kind=kind, fpr=0.01, **options)
    made = seen.Filter(kind=kind, capacity=1000, fpr=0.01, **options)
    made.add_many(keys)
    return made


def answers(of: seen.Filter) -> list[bool]:
    """What a filter says to all keys of this file."""
    return [bool(each) for each in of.may_contain_many(PRESENT + ABSENT)]


def elsewhere(program: str, *arguments: str) -> str:
    """What a program prints in another process, whose hash() is seeded otherwise."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], check=True, capture_output=True, text=True,
        env={**os.environ, "PYTHONHASHSEED": "77"},
    )
    return done.stdout
