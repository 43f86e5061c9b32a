#!/usr/bin/env python3
"""Refuses an include that points up or sideways. A file's layer is its folder; docs/design.md draws them."""
import pathlib, re, sys

ROOT = pathlib.Path(sys.argv[1])
# Lowest first. A part is a folder of include/seen/ and src/, or a file beside them. A file may include its own part and anything
# strictly below; parts of one line are siblings, which do not see one another.
LAYERS = """
    base
    storage math hash
    kernels
    concepts
    building options health survey
    filter_info
    engines
    filter
    filters
    builder native
    io
    stream
    any_filter
    kinds formats
    registry
    seen
    c
"""
# Files whose layer is not that of their place, each with its reason.
EXCEPTIONS = {
    "include/seen/registry.hpp": "any_filter",        # declares the rows that kinds and formats are made of; registry.cpp lists them
    "include/seen/any_filter_table.hpp": "any_filter",  # its second half
    "include/seen/any_builder.hpp": "any_filter",     # what makes one; its build_plan is part of the rows
}
LEVEL = {part: level for level, line in enumerate(LAYERS.strip().splitlines()) for part in line.split()}

def part(path):  # include/seen/hash/xxh3.hpp -> hash, src/registry.cpp -> registry
    if path in EXCEPTIONS: return EXCEPTIONS[path]
    place = re.sub(r"^(include/seen|src)/", "", path)
    return place.split("/")[0] if "/" in place else place.rsplit(".", 1)[0]

def included(path, text):
    for name in re.findall(r'#include [<"]([^>"]+)[>"]', text):
        for folder in ("include", "src", str(pathlib.Path(path).parent)):
            if (ROOT / folder / name).exists():
                yield f"{folder}/{name}"
                break

wrong = []
for file in sorted([*(ROOT / "include/seen").rglob("*.h*"), *(ROOT / "src").rglob("*.?pp")]):
    path = str(file.relative_to(ROOT))
    here = part(path)
    for target in included(path, file.read_text()):
        there = part(target)
        if here != there and LEVEL[there] >= LEVEL[here]:
            wrong.append(f"{path}: {here} (layer {LEVEL[here]}) includes {target} (layer {LEVEL[there]})")
# integrations/ stands on top of all public headers, and nothing includes it but the verbs that are one of its servers and its client.
OVER = {"cli/serve.cpp": ("integrations/redis/serve/",)}
OVER_FOLDER = {"cli/redis": ("integrations/redis/client/", "integrations/redis/table/")}
# Within integrations/redis, lowest first: the commands, and the hosts beside one another.
HOSTS = {"table": ("table",), "module": ("table", "module"), "serve": ("table", "serve"), "client": ("table", "client")}
for file in sorted(path for folder in ("cli", "integrations/redis") for path in (ROOT / folder).rglob("*.[hc]pp")):
    path = str(file.relative_to(ROOT))
    for name in re.findall(r'#include "([^"]+)"', file.read_text()):
        if not (ROOT / "integrations/redis" / name).exists(): continue
        target, folder = f"integrations/redis/{name}", name.split("/")[0]
        if path.startswith("cli/"):
            over = OVER.get(path, OVER_FOLDER.get(str(pathlib.Path(path).parent), ()))
            if not target.startswith(over): wrong.append(f"{path}: the command includes {target}")
        elif folder not in HOSTS.get(path.split("/")[2], ()):
            wrong.append(f"{path}: includes {target}, which is another host's or above it")
print("\n".join(wrong) or "includes point down")
sys.exit(bool(wrong))
