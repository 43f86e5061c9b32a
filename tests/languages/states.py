"""What prepare.sh found: whether a language can be tried on this machine."""

import os


def why_skipped(language, folder=None):
    """The reason, in words; None where the language is ready, or nobody has asked."""
    folder = folder or os.environ.get("SEEN_LANGUAGES")
    try:
        with open(os.path.join(folder, language), encoding="utf-8") as state:
            line = state.read().strip()
    except (OSError, TypeError):
        return None
    return line.removeprefix("skipped: ") if line.startswith("skipped: ") else None
