#!/usr/bin/env python3
"""Refuses an include that points up or sideways; docs/design.md draws the layers."""
import pathlib, re, sys

ROOT = pathlib.Path(sys.argv[1])
# Lowest first. A file may include its own part and anything strictly below; storage, math and hash are siblings.
LAYERS = [["base"], ["storage", "math", "hash"], ["kernels"], ["concepts.hpp"], ["filter.hpp"], ["filters"], ["native"],
          ["io.hpp"], ["stream.hpp"], ["any_filter.hpp"], ["formats"], ["registry"], ["seen.hpp"], ["seen.h"], ["c"]]
# any_filter and registry.hpp are one part, src/registry.cpp names what is above them; what lies in detail/ belongs to the lowest layer that its includes allow.
PART = {"registry.hpp": "any_filter.hpp", "formats/native.hpp": "native", "formats/native_read.hpp": "native",
        "formats/native_write.hpp": "native", "builder.hpp": "filters", "detail/any_filter_table.hpp": "any_filter.hpp",
        "detail/bloom_engine.hpp": "filter.hpp", "detail/block_engine.hpp": "filter.hpp",
        "detail/counting_engine.hpp": "filter.hpp", "detail/cuckoo_engine.hpp": "filter.hpp",
        "detail/scalable_params.hpp": "filter.hpp", "detail/scalable_engine.hpp": "filter.hpp",
        "detail/link_chain.hpp": "filter.hpp", "detail/window_engine.hpp": "filters",
        "detail/quotient_slots.hpp": "kernels", "detail/quotient_runs.hpp": "kernels",
        "detail/quotient_walk.hpp": "kernels", "detail/cuckoo_guards.hpp": "kernels", "detail/cuckoo_path.hpp": "kernels",
        "detail/word_engine.hpp": "filter.hpp", "detail/shard_engine.hpp": "filter.hpp",
        "detail/peeling.hpp": "kernels", "detail/slot_rule.hpp": "filter.hpp",
        "detail/static_build.hpp": "concepts.hpp", "detail/digest_sort.hpp": "base", "detail/parallel.hpp": "base",
        "detail/digest_store.hpp": "concepts.hpp", "detail/checkpoint.hpp": "concepts.hpp", "detail/workspace.hpp": "kernels", "build.hpp": "base", "detail/shards.hpp": "base", "detail/shard_build.hpp": "concepts.hpp", "detail/ribbon_solve.hpp": "kernels",
        "detail/range_adds.hpp": "filter.hpp", "detail/bulk_add.hpp": "kernels", "detail/folding.hpp": "base", "detail/answers.hpp": "base", "detail/chain_lookup.hpp": "base", "detail/bit_words.hpp": "base", "detail/taken.hpp": "base", "detail/stripes.hpp": "base",
        "detail/tiles.hpp": "kernels", "detail/fastmod.hpp": "base", "detail/select.hpp": "base", "detail/checksum.hpp": "base"}
LEVEL = {part: level for level, layer in enumerate(LAYERS) for part in layer}

def part(path):  # "hash/xxh3.hpp" -> "hash"
    return PART.get(path) or path.split("/")[0]

def files():
    for path in sorted((ROOT / "include/seen").rglob("*.hpp")):
        yield path, str(path.relative_to(ROOT / "include/seen"))
    for path in sorted((ROOT / "src").rglob("*.cpp")):
        name = str(path.relative_to(ROOT / "src")).replace(".cpp", ".hpp")
        yield path, "registry" if name == "registry.hpp" else name

wrong = []
for path, name in files():
    for included in re.findall(r'#include <seen/([^>]+)>', path.read_text()):
        here, there = part(name), part(included)
        if here != there and LEVEL[there] >= LEVEL[here]:
            wrong.append(f"{path.relative_to(ROOT)}: {here} (layer {LEVEL[here]}) includes {included} (layer {LEVEL[there]})")
print("\n".join(wrong) or "includes point down")
sys.exit(bool(wrong))
