#!/usr/bin/env python3
"""Checks that every C or C++ block in a document stands in a file of examples/ or integrations/, that every relative link, every path in
backticks and every file named in a comment of the sources leads somewhere, that every kind, format and hash has its page or its
row, and that every file of the library and of the command begins with an essay."""
import pathlib, re, sys

ROOT = pathlib.Path(sys.argv[1])
examples = [path.read_text() for path in sorted([*(ROOT / "examples").glob("*.cpp"), *(ROOT / "examples").glob("c/*.c"), *(ROOT / "integrations").glob("*/*.cpp")])]
squeezed = [re.sub(r"\s+", " ", text) for text in examples]
FOLDERS = "bench cli cmake docs examples fuzz go include integrations packaging python rust src tests tools".split()
files = {"/" + str(path.relative_to(ROOT)) for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")}
wrong = []

def places(name):
    return [file for file in files if file.endswith("/" + name)]

for document in sorted([*ROOT.glob("*.md"), *(path for folder in ("docs", "go", "rust", "python", "integrations", "tests") for path in (ROOT / folder).rglob("*.md"))]):
    text = document.read_text()
    for block in re.findall(r"```(?:cpp|c)\n(.*?)```", text, re.S):
        wanted = re.sub(r"\s+", " ", block).strip()
        if not any(wanted in example for example in squeezed):
            wrong.append(f"{document.relative_to(ROOT)}: a block that is in no example: {wanted[:70]}…")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not (document.parent / target).exists():
            wrong.append(f"{document.relative_to(ROOT)}: link to {target}")
    for name in re.findall(r"`([a-z_0-9][a-z_0-9./-]*/[a-z_0-9.-]+\.(?:hpp|cpp|h|c|py|sh|go|rs|txt|tsv|cmake))`", text):
        if document.name == "CHANGELOG.md": continue
        found = places(name)
        if not found:
            wrong.append(f"{document.relative_to(ROOT)}: there is no file {name}")
        elif name.endswith(".hpp") and all(file.startswith("/src/") for file in found) and not name.startswith("src/"):
            wrong.append(f"{document.relative_to(ROOT)}: {name} is not installed: call it {found[0][1:]}")
for file in sorted(path for folder in ("include", "src", "cli", "python/core") for path in (ROOT / folder).rglob("*.[hc]*")):
    for line in file.read_text().splitlines():
        comment = re.search(r"//.*|^ ?(?:/\*| \*).*", line)
        for name in re.findall(r"(?<![<\w./-])[\w-][\w./-]*\.(?:hpp|cpp|py|md)\b", comment[0] if comment else ""):
            if not places(name): wrong.append(f"{file.relative_to(ROOT)}: there is no file {name}")
def named(pattern, folder):
    return [each for path in sorted((ROOT / folder).glob("*.[hc]pp")) for each in re.findall(pattern, path.read_text())]
def expect(place, words, what):
    paths = sorted((ROOT / place).glob("*.md")) if (ROOT / place).is_dir() else [ROOT / place]
    if not any(words in " ".join(path.read_text().split()) for path in paths):
        wrong.append(f"{place}: nothing on {what}; it must say {words}")
for number, name in named(r'kind_info kind\{\.id = (\d+), \.name = "([^"]+)"\}', "include/seen/filters"):
    expect("docs/filters", f"`--kind {name}`", f"the kind {name}")
    expect("docs/formats/native.md", f"| {number} | {name} |", f"the kind {name}")
for name in named(r'format_row format\{\s*\.name = "([^"]+)"', "src/formats"):
    expect("docs/formats/README.md", f"[`{name}`]({name}.md)", f"the format {name}")
for name in named(r'hash_name\{hash_id::\w+, "([^"]+)"\}', "include/seen/hash"):
    expect("docs/hashes.md", f"`{name}`", f"the hash {name}")
for file in sorted(path for folder in ("include", "src", "cli", "integrations") for path in (ROOT / folder).rglob("*.[hc]*")):
    name = file.relative_to(ROOT)
    header = file.with_suffix(".hpp")  # may speak for the code beside it
    if not any(each.exists() and each.read_text().startswith(("//", "/*", "# ")) for each in (file, header)):
        wrong.append(f"{name}: begins without a word on what it is for")
print("\n".join(wrong) or "documents are in order")
sys.exit(bool(wrong))
