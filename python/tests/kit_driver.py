"""Writes and reads the cases of the conformance kit, for the test in which every language reads every other's files.

    kit_driver.py write KIT OUT        makes every case's filter and saves it to OUT/<name>
    kit_driver.py read KIT IN OUT      loads or maps IN/<name>, and writes the answers to its probes to OUT/<name>

Prints the names of the cases done, one a line. What this library does not know is passed over.
"""

from __future__ import annotations

import sys
from pathlib import Path

import seenfilter as seen
from kit import cases


def write(kit: Path, out: Path) -> None:
    """Saves every case."""
    for case in cases(kit):
        if case.is_known():
            case.make().save(out / case.name, **case.save_options())
            print(case.name)


def read(kit: Path, files: Path, out: Path) -> None:
    """Answers every case that there is a file of; every other one mapped, where its format can be."""
    for line, case in enumerate(cases(kit), start=2):
        path = files / case.name
        if not case.is_known() or not path.exists():
            continue
        mapped = line % 2 == 0 and case["format"] in ("", "native")
        opened = (seen.map if mapped else seen.load)(path, **case.open_options())
        (out / case.name).write_bytes(case.bitmap(opened))
        print(case.name)


def main(arguments: list[str]) -> int:
    """The command line."""
    paths = [Path(each) for each in arguments[1:]]
    try:
        if arguments[:1] == ["write"] and len(paths) == 2:
            write(*paths)
        elif arguments[:1] == ["read"] and len(paths) == 3:
            read(*paths)
        else:
            print(__doc__, file=sys.stderr)
            return 1
    except (seen.Error, OSError, ValueError) as failure:
        print(f"kit_driver: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
