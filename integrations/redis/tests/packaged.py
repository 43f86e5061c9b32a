"""Tests that need the Python package, and redis-py: they run in the environment that python/check.sh has made, where numpy, too, is at hand.

    import packaged                                   # first of all: it may start the test again, with that environment's Python
    packaged.enter()

SEEN_PYTHON is that Python. Without it, or where the package was skipped (tests/languages/prepare.sh), the test is skipped."""

import os
import sys


def enter():
    python = os.environ.get("SEEN_PYTHON", sys.executable)
    if python != sys.executable and os.path.exists(python):
        os.execv(python, [python, "-B", *sys.argv])
    try:
        import redis  # noqa: F401
        import seenfilter.redis  # noqa: F401
    except ImportError as e:
        print(f"skipped: the Python package was not tested here: {e}")
        sys.exit(77)
