#!/usr/bin/env python3
"""Draws the pictures of docs/guide.md. Every position and every curve comes from the guide's example, so no number is typed here:

    docs/pictures/make.py build/bin/example_guide           writes the pictures beside this script
    docs/pictures/make.py --check build/bin/example_guide   fails if a picture is not what would be written

Colours are classes with a value for light and one for dark ground; the ground itself is left to the page.
"""
import pathlib
import subprocess
import sys

STYLE = """<style>
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #3d444d }
.title { font-size: 15px; font-weight: 600 } .small { font-size: 11.5px } .strong { font-weight: 600 }
.box { fill: none; stroke: #6e7781; stroke-width: 1.2 } .axis { stroke: #6e7781; stroke-width: 1; fill: none }
.grid { stroke: #8c959f; stroke-width: .5; opacity: .4 } .wire { fill: none; stroke: currentColor; stroke-width: 1.7 }
.curve { fill: none; stroke: currentColor; stroke-width: 2.2 } .dashed { stroke-dasharray: 5 4 }
.set { fill: #6e7781 } .set-text { fill: #ffffff; font-weight: 600 } .tip { fill: currentColor } .own { fill: currentColor }
.c0 { color: #0969da } .c1 { color: #bc4c00 } .c2 { color: #1a7f37 } .c3 { color: #cf222e } .c4 { color: #6e7781 }
@media (prefers-color-scheme: dark) {
text { fill: #c9d1d9 } .box, .axis { stroke: #8b949e } .grid { stroke: #6e7681 } .set { fill: #8b949e } .set-text { fill: #0d1117 }
.own { fill: currentColor }
.c0 { color: #58a6ff } .c1 { color: #f0883e } .c2 { color: #3fb950 } .c3 { color: #ff7b72 } .c4 { color: #8b949e } }
</style>"""


def picture(width, height, title, parts):
    """An SVG whose title is also what a screen reader says."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
    return "\n".join([head, f"<title>{title}</title>", STYLE, *parts, "</svg>", ""])


def text(x, y, words, kind="", anchor="start"):
    names = f' class="{kind}"' if kind else ""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{names}{place}>{words}</text>'


def box(x, y, width, height, kind="box", round_by=5):
    return f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round_by}"/>'


def arrow(points, colour):
    """A line through the points, with a head at the last one; the last stretch is straight up, down or sideways."""
    (x0, y0), (x, y) = points[-2:]
    dx, dy = (x > x0) - (x < x0), (y > y0) - (y < y0)
    if dx and dy:
        dx = 0
    wings = f"M{x:.1f} {y:.1f}L{x - 7 * dx + 4 * dy:.1f} {y - 7 * dy + 4 * dx:.1f}L{x - 7 * dx - 4 * dy:.1f} {y - 7 * dy - 4 * dx:.1f}Z"
    path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in points)
    return f'<g class="{colour}"><path class="wire" d="{path}"/><path class="tip" d="{wings}"/></g>'


# --- a filter in front of something slow

def guard():
    parts = [
        text(20, 94, "have I seen", "small"), text(20, 110, "this key?", "small"),
        arrow([(94, 98), (130, 98)], "c4"),
        box(132, 62, 176, 72), text(220, 93, "filter", "strong", "middle"), text(220, 113, "in memory, nanoseconds", "small", "middle"),
        arrow([(220, 134), (220, 190)], "c2"),
        text(230, 158, "no: certain", "own strong c2"), text(220, 208, "done, nothing is read", "", "middle"),
        arrow([(308, 98), (410, 98)], "c1"), text(359, 88, "maybe", "own strong c1", "middle"),
        box(412, 62, 160, 72), text(492, 93, "the table itself", "strong", "middle"),
        text(492, 113, "disk, network: slow", "small", "middle"),
        arrow([(572, 84), (640, 84)], "c2"), text(648, 88, "found"),
        arrow([(572, 112), (640, 112)], "c4"), text(648, 110, "not found:"), text(648, 126, "a false positive,"), text(648, 142, "one read in vain"),
        text(20, 26, "A filter spares the slow lookup of keys that are not there", "title"),
    ]
    return picture(770, 226, "A filter answers no for certain, or maybe; only a maybe goes on to the slow table", parts)


# --- twenty bits

CELL, LEFT = 34, 30


def middle_of(bit):
    return LEFT + CELL * bit + CELL / 2


def row(y, is_set, bits):
    parts = []
    for bit in range(bits):
        parts.append(box(LEFT + CELL * bit, y, CELL, CELL, "box set" if bit in is_set else "box", 2))
        parts.append(text(middle_of(bit), y + 22, "1" if bit in is_set else "0", "set-text" if bit in is_set else "", "middle"))
        parts.append(text(middle_of(bit), y + CELL + 14, str(bit), "small", "middle"))
    return parts


def wires(keys, key, x, y, lane, to, colour):
    """From a key at (x, y) to its bits: along the lane, then straight to the cell, beside the wires of other keys to the same bit."""
    parts = []
    for bit in keys[key]:
        sharing = [other for other in keys if bit in keys[other]]
        at = middle_of(bit) + (10 - 20 * sharing.index(key) / (len(sharing) - 1) if len(sharing) > 1 else 0)
        parts.append(arrow([(x, y), (x, lane), (at, lane), (at, to)], colour))
    return parts


def adding(keys):
    added = {key: keys[key] for key in ("alice", "bob", "carol")}
    owners = {bit: [key for key in added if bit in added[key]] for bit in sorted(set(sum(added.values(), [])))}
    top, parts = 150, [text(LEFT, 24, "Adding three keys: each sets its three bits", "title")]
    for place, (key, x) in enumerate((("alice", 520), ("bob", 300), ("carol", 90))):
        parts.append(text(x, 58, key, f"own strong c{place}", "middle"))
        parts += wires(added, key, x, 64, 78 + 18 * place, top - 2, f"c{place}")
    parts += row(top, set(owners), 20)
    shared = "; ".join(f"bit {bit} belongs to {' and '.join(each)}" for bit, each in owners.items() if len(each) > 1)
    total = sum(len(bits) for bits in added.values())
    parts.append(text(LEFT, top + CELL + 40, f"{len(owners)} of 20 bits are set, not {total}: {shared}."))
    return picture(740, 238, "Three keys set seven of twenty bits", parts)


def asking(keys):
    is_set = set(keys["alice"] + keys["bob"] + keys["carol"])
    asked = {key: keys[key] for key in ("tom", "trent", "paul")}
    top, y = 44, 206
    parts = [text(LEFT, 24, "Asking: a key may be there only if all of its bits are set", "title"), *row(top, is_set, 20)]
    for place, (key, x) in enumerate((("trent", 270), ("tom", 500), ("paul", 100))):
        clear = [bit for bit in asked[key] if bit not in is_set]
        colour = "c2" if clear else "c3"
        parts.append(text(x, y, key, f"own strong {colour}", "middle"))
        parts += wires(asked, key, x, y - 16, 118 + 18 * place, top + CELL + 19, colour)
        parts.append(text(x, y + 18, f"bit {clear[0]} is 0: no" if clear else "all are 1: maybe, wrongly", "small", "middle"))
    return picture(740, 238, "Two absent keys meet a bit that is 0; paul meets three bits that others have set", parts)


# --- overfilling

def saturation(curves):
    left, top, width, height, most = 64, 60, 560, 300, 5
    parts = [text(left, 22, "What overfilling does: the rate against the number of keys", "title"),
             text(left, 42, "Classic filters planned for 10 %, 1 % and 0.1 %. Half of the bits are set at 1x.", "small")]
    for percent in range(0, 101, 20):
        y = top + height * (1 - percent / 100)
        parts += [f'<path class="grid" d="M{left} {y:.1f}h{width}"/>', text(left - 8, y + 4, f"{percent} %", "small", "end")]
    for times in range(most + 1):
        x = left + width * times / most
        parts += [f'<path class="grid" d="M{x:.1f} {top}v{height}"/>', text(x, top + height + 18, f"{times}x", "small", "middle")]
    parts += [f'<path class="axis" d="M{left} {top}v{height}h{width}"/>', text(left + width / 2, top + height + 38, "keys, as a multiple of the capacity", "small", "middle")]
    for colour, (planned, points) in zip(("c1", "c0", "c2"), curves.items()):
        places = [(left + width * times / most, top + height * (1 - rate)) for times, rate in points]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<g class="{colour}"><path class="curve" d="{path}"/></g>')
        x, y = places[-1]
        parts.append(text(x + 8, y + 4, f"planned for {100 * planned:g} %", f"own small strong {colour}"))
        if planned == 0.01:
            for times in (1, 2, 3):
                rate = dict(points)[times]
                x, y = left + width * times / most, top + height * (1 - rate)
                parts.append(f'<g class="{colour}"><circle class="tip" cx="{x:.1f}" cy="{y:.1f}" r="4"/></g>')
                beside = ("end", x - 8, y - 8) if times > 1 else ("start", x + 2, y - 12)
                parts.append(text(*beside[1:], f"{100 * rate:.1f} %", f"own small strong {colour}", beside[0]))
    return picture(770, 412, "The rate of false positives rises with the number of keys and ends at 100 percent", parts)


# --- two generations

def rotation():
    left, top, width, step = 110, 74, 130, 62
    parts = [text(20, 24, "Two generations: add to one, ask both, turn once a day", "title")]
    days = ("Monday", "Tuesday", "Wednesday", "Thursday")
    for place, day in enumerate(days):
        x = left + 10 + place * (width + 26)
        parts.append(text(x + width / 2, 54, day, "strong", "middle"))
        parts.append(f'<g class="c0">{box(x, top, width, 40, "wire")}</g>')
        parts.append(text(x + width / 2, top + 25, f"keys of {day}", "small", "middle"))
        old = days[place - 1] if place else None
        parts.append(f'<g class="c1">{box(x, top + step, width, 40, "wire" if old else "wire dashed")}</g>')
        parts.append(text(x + width / 2, top + step + 25, f"keys of {old}" if old else "empty", "small", "middle"))
        if place + 1 < len(days):
            parts.append(arrow([(x + width, top + 24), (x + width + 13, top + 24), (x + width + 13, top + step + 20), (x + width + 25, top + step + 20)], "c4"))
    parts += [text(20, top + 25, "added to", "own strong c0"), text(20, top + step + 25, "only asked", "own strong c1"),
              text(20, top + step + 74, "On Wednesday the keys of Monday are forgotten: a key is remembered for one day at least and for two at most.", "small")]
    return picture(770, 222, "At each turn the filter that was added to becomes the old one, and the one before it is dropped", parts)


def pictures(example):
    keys, curves = {}, {}
    for line in subprocess.run([example, "pictures"], check=True, capture_output=True, text=True).stdout.splitlines():
        what, name, *numbers = line.split("\t")
        if what == "key":
            keys[name] = [int(number) for number in numbers]
        else:
            curves.setdefault(float(name), []).append(tuple(float(number) for number in numbers))
    return {"guard.svg": guard(), "adding.svg": adding(keys), "asking.svg": asking(keys), "saturation.svg": saturation(curves),
            "rotation.svg": rotation()}


def main():
    folder, check = pathlib.Path(__file__).parent, sys.argv[1] == "--check"
    stale = []
    for name, content in pictures(str(pathlib.Path(sys.argv[-1]).absolute())).items():
        if not check:
            (folder / name).write_text(content)
        elif not (folder / name).exists() or (folder / name).read_text() != content:
            stale.append(name)
    if stale:
        sys.exit(f"not what {sys.argv[-1]} says: {', '.join(stale)}; run docs/pictures/make.py without --check")


if __name__ == "__main__":
    main()
