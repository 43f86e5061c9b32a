#!/usr/bin/env python3
"""Where the project lives: one place says so, HOMEPAGE_URL in CMakeLists.txt, and every other mention has to agree.

    move_home.py            lists the mentions of a home, and fails if one is not the home
    move_home.py NEW        moves every mention to NEW: https://example.org/owner/seen

A mention is host/owner/seen, with or without https:// before it and with whatever after it: Go's module is <home>/go, and
its imports are mentions too. Files that git knows are looked at, and those that it would; golden files belong to others.
"""
import pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STATED = re.compile(r"HOMEPAGE_URL\s+https://(\S+?)\)?\s")
MENTION = re.compile(r"(?<![\w.@/-])[a-z0-9-]+(?:\.[a-z0-9-]+)+/[\w.-]+/seen(?![\w-]|\.\w)", re.ASCII)
LEFT_OUT = ("tests/golden/", "tools/move_home.py", "tests/tree/home_test.py")

def home():
    return STATED.search((ROOT / "CMakeLists.txt").read_text()).group(1)

def files():
    """The text of every file in which there may be a mention."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-zco", "--exclude-standard"], check=True, capture_output=True)
    for name in sorted(set(listed.stdout.decode().split("\0"))):
        path = ROOT / name
        if name.startswith(LEFT_OUT) or not path.is_file() or path.is_symlink(): continue
        try:
            yield name, path, path.read_text()
        except UnicodeDecodeError:
            continue

def mentions():
    """(file, line, home) of every mention. https:// is taken off before: a slash may stand before no host."""
    for name, _, text in files():
        for number, line in enumerate(text.splitlines(), 1):
            for found in MENTION.finditer(line.replace("https://", "")):
                yield name, number, found.group()

def main():
    if len(sys.argv) == 1:
        here, wrong = home(), 0
        for name, number, found in mentions():
            print(f"{name}:{number}: {found}" + ("" if found == here else f" is not the home, {here}"))
            wrong += found != here
        sys.exit(wrong != 0)
    new = re.fullmatch(r"https://([a-z0-9-]+(?:\.[a-z0-9-]+)+/[\w.-]+/seen)/?", sys.argv[1])
    if len(sys.argv) != 2 or not new:
        sys.exit(f"usage: {sys.argv[0]} [https://HOST/OWNER/seen]")
    old, moved = home(), 0
    for name, path, text in files():
        changed = re.sub(re.escape(old) + r"(?![\w-]|\.\w)", new.group(1), text)
        if changed == text: continue
        path.write_text(changed)
        moved += 1
    print(f"{old} -> {new.group(1)}: {moved} files")

main()
