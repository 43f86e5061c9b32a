"""The public names of every language, read from the sources: nothing is compiled or imported.

    public_names.of(root) -> {"C++": Names, "C": Names, "Python": Names, "Go": Names, "Rust": Names, "command": Names}

A name is written as a reader of the table in docs/languages.md meets it:

    C++       filter::add   make_options::seed   errc::corrupt   load          members of public classes, free functions, types
    C         seen_add   seen_info.fill   SEEN_FULL                            functions, types, members, constants
    Python    Filter.add   Info.fill   load   secret=                          the last one is a keyword argument
    Go        Add   NewBloom   Info.Shape   bloom.Load                         methods stand alone: several types share them
    Rust      add   BloomShape   Error::Corrupt   Target::fpr                  the same
    command   build   --fpr   -p   .fill                                       verbs, options, names in JSON, as jq has them

The sources are formatted by tools, so patterns over lines suffice, except for C++, whose classes are found by their braces.
"""

import ast
import glob
import os
import re
from dataclasses import dataclass, field

PYTHON = "python"


@dataclass
class Names:
    there: set = field(default_factory=set)  # names that exist
    told: set = field(default_factory=set)  # those that a complete table has


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as source:
        return source.read()


def of(root):
    readers = {"C++": cpp, "C": c, "Python": python, "Go": go, "Rust": rust, "command": command}
    return {language: reader(root) for language, reader in readers.items()}


# --- C and C++

def without_comments(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def without_nested(text, opening, closing):
    """The text outside of brackets; what is inside them becomes one pair."""
    out, depth = [], 0
    for at, letter in enumerate(text):
        arrow = closing == ">" and letter == ">" and text[at - 1] in "-="
        if letter == opening and not (opening == "<" and text[at + 1 : at + 2] in ("<", "=")):
            depth += 1
            if depth == 1:
                out.append(opening)
        elif letter == closing and depth and not arrow:
            depth -= 1
            if depth == 0:
                out.append(closing)
        elif depth == 0:
            out.append(letter)
    return "".join(out)


def body_after(text, at):
    """What stands between the brace that opens at or after `at` and the one that closes it."""
    start = text.index("{", at)
    depth = 0
    for end in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[start + 1 : end]
    raise ValueError("a brace that nothing closes")


def c(root):
    text = without_comments(read(root, "include", "seen", "seen.h"))
    names = set(re.findall(r"\b(seen_\w+)\(", text))
    names |= set(re.findall(r"\btypedef [^;{]*?\b(seen_\w+);", text))
    for enum in re.findall(r"\benum \{([^}]*)\}", text):
        names |= set(re.findall(r"\b(SEEN_\w+) =", enum))
    for struct in re.finditer(r"\btypedef struct (seen_\w+) \{", text):
        names.add(struct[1])
        for member in body_after(text, struct.start()).split(";"):
            found = re.search(r"\(\*(\w+)\)\(", member) or re.search(r"(\w+)\s*$", member)
            if found:
                names.add(f"{struct[1]}.{found[1]}")
    return Names(names, names)


# The types whose every public member a complete table has, and the headers whose every free function it has. What else
# C++ has (engines, storage, kernels, mathematics) is for those who write kinds, and has no word in another language.
CPP_TYPES = ("target", "error", "errc", "recognition", "named_field", "make_options", "open_options", "save_options",
             "build_options", "build_progress", "unknown_size", "filter_info", "file_origin", "plan_row", "any_filter",
             "any_builder", "filter", "builder", "frozen", "writable")  # fmt: skip
CPP_FUNCTIONS = ("filter.hpp", "io.hpp", "stream.hpp", "registry.hpp")


def members(body, is_struct, own_name):
    """The public names that a class declares."""
    flat = without_nested(without_nested(without_nested(body, "{", "}"), "<", ">"), "(", ")")
    public, names = is_struct, set()
    for statement in re.split(r"[;{}]|\b(?=(?:public|private|protected):)", flat):
        access = re.match(r"\s*(public|private|protected):", statement)
        if access:
            public = access[1] == "public"
            statement = statement[access.end() :]
        if not public or re.search(r"\b(friend|using|operator|static_assert|enum|return)\b", statement):
            continue
        head = statement.split(" = ")[0].replace("explicit()", "")  # of a condition
        found = re.search(r"(~?\w+)\(\)", head) or re.search(r"\S\s+(\w+)\s*$", head)
        if found and found[1] not in ("requires", "noexcept") and found[1].lstrip("~") != own_name:
            names.add(found[1])
    return names


def cpp(root):
    names = Names()
    for path in glob.glob(os.path.join(root, "include", "seen", "**", "*.hpp"), recursive=True):
        text = without_comments(read(path))
        names.there |= set(re.findall(r"^(?:class|struct|using|concept|enum class) (\w+)", text, re.M))
        names.there |= set(re.findall(r"^inline constexpr [^=;(]*\b(\w+) = ", text, re.M))
        outside = text
        for found in re.finditer(r"^(class|struct|enum class) (\w+)(?:<\w+>)?(?: (?:final )?: [^;{]*|[^;{(]*)\{", text, re.M):
            kind, own = found[1], {"build_functions": "filter"}.get(found[2], found[2])  # what static kinds' filters inherit
            body = body_after(text, found.start())
            outside = outside.replace(body, "")
            if kind == "enum class":
                declared = set(re.findall(r"^\s*(\w+)(?: = \w+)?,?\s*$", body, re.M))
            else:
                declared = members(body, kind == "struct", own)
            declared = {f"{own}::{name}" for name in declared}
            names.there |= declared
            if own in CPP_TYPES:
                names.told |= declared | {own}
        while room := re.search(r"\bnamespace [\w: ]*detail \{", outside):
            outside = outside[: room.start()] + outside[room.end() :].replace(body_after(outside, room.start()), "", 1)
        free = set(re.findall(r"^(?:\[\[nodiscard\]\] )?(?!class )\w[\w:<>,*& ]*[>*& ](\w+)\(", outside, re.M))
        names.there |= free
        if os.path.basename(path) in CPP_FUNCTIONS:
            names.told |= free
    return names


# --- Python

def python(root):
    names = Names()
    package = os.path.join(root, PYTHON, "src", "seenfilter")
    for module in ("__init__.py", "errors.py", "redis/__init__.py"):
        for statement in ast.parse(read(package, module)).body:
            if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "__all__":
                names.told |= {each.value for each in statement.value.elts if isinstance(each, ast.Constant)}
            elif isinstance(statement, ast.ImportFrom):  # public, but not taken by a star: import map as map
                names.told |= {each.name for each in statement.names if each.asname == each.name}
    for statement in ast.parse(read(package, "redis", "__init__.py")).body:
        if isinstance(statement, ast.ClassDef) and statement.name == "ClusterFilter":
            methods = [each.name for each in statement.body if isinstance(each, ast.FunctionDef)]
            names.told |= {f"{statement.name}.{name}" for name in methods if not name.startswith("_")}
    for statement in ast.parse(read(package, "_types.py")).body:
        if isinstance(statement, ast.ClassDef):
            names.told |= {f"{statement.name}.{each.target.id}" for each in statement.body if isinstance(each, ast.AnnAssign)}
    core = "".join(read(path) for path in sorted(glob.glob(os.path.join(root, PYTHON, "core", "*.cpp"))))
    methods = set(re.findall(r"\bfilter\.def\w*\(\s*\"(\w+)\"", core)) | set(re.findall(r"\{\"(\w+)\", \w+, METH_O", core))
    methods.add("__contains__")  # a slot
    names.told |= {f"Filter.{name}" for name in methods if not name.startswith("_")}
    # Keyword arguments, by the signatures in the code: `threads: int = 1`.
    signatures = re.sub(r"\"\s*\\?\s*\"", "", core)
    names.told |= {f"{name}=" for name in re.findall(r"\b(\w+): [\w\[\], |.]+ = (?:None|True|False|\d|')", signatures)}
    names.there = names.told | {f"Filter.{name}" for name in methods}
    return names


# --- Go

# Types of package seen that the exported ones embed: their methods are theirs.
GO_EMBEDDED = ("set", "kept", "lookup")


def go_package(folder):
    names = set()
    for path in glob.glob(os.path.join(folder, "*.go")):
        if path.endswith("_test.go"):
            continue
        inside = None
        for line in read(path).splitlines():
            if found := re.match(r"func (?:\(\w* ?\*?(\w+)[^)]*\) )?([A-Z]\w*)[(\[]", line):
                if not found[1] or found[1][0].isupper() or found[1] in GO_EMBEDDED:
                    names.add(found[2])
            elif found := re.match(r"(?:type|const|var) ([A-Z]\w*)\b(?: (struct|interface) \{$)?", line):
                names.add(found[1])
                inside = found[1] + "." if found[2] == "struct" else "" if found[2] else None
            elif re.match(r"(const|var) \($", line):
                inside = ""
            elif re.match(r"[)}]", line):
                inside = None
            elif inside is not None and (found := re.match(r"\t([A-Z]\w*(?:, [A-Z]\w*)*)\b(?!\.)", line)):
                names |= {inside + name for name in found[1].split(", ")}
    return names


# What go/bloom has because bits-and-blooms has it: the words of that library.
BITS_AND_BLOOMS = set("""Add AddString ApproximatedSize BitSet BloomFilter Cap ClearAll Copy Equal EstimateFalsePositiveRate
    EstimateParameters From FromWithM GobDecode GobEncode K Locations MarshalBinary MarshalJSON Merge New NewWithEstimates ReadFrom
    Test TestAndAdd TestAndAddString TestLocations TestOrAdd TestOrAddString TestString UnmarshalBinary UnmarshalJSON
    WriteTo""".split())


# What go/phrozen/bloom has because phrozen/bloom has it, which is all.
PHROZEN = set("""Add Contains Filter HashFunc MarshalBinary NewFilter NewFilterFromProbability Option UnmarshalBinary
    WithHashFunc""".split())


def go(root):
    names = go_package(os.path.join(root, "go"))
    names |= {f"bloom.{name}" for name in go_package(os.path.join(root, "go", "bloom")) - BITS_AND_BLOOMS}
    names |= {f"phrozen.{name}" for name in go_package(os.path.join(root, "go", "phrozen", "bloom")) - PHROZEN}
    return Names(names, names)


# --- Rust

def rust(root):
    source = os.path.join(root, "rust", "src")
    gates = read(source, "lib.rs") + read(source, "interop", "mod.rs")
    exported = set()
    for listed in re.findall(r"^pub use [\w:]+::(?:\{([^}]*)\}|(\w+));", gates, re.M):
        exported |= {name.strip() for name in (listed[0] or listed[1]).split(",") if name.strip()}
    exported |= set(re.findall(r"^pub (?:type|enum|struct|trait|mod) (\w+)", gates, re.M))
    names = set(exported)
    for path in glob.glob(os.path.join(source, "**", "*.rs"), recursive=True):
        owner, kind = None, None
        for line in read(path).split("#[cfg(test)]")[0].splitlines():
            if found := re.match(r"\s*(?:pub )?(impl|enum|struct|trait)(?:<.*?>)? (\w+)", line):
                kind, owner = found[1], found[2] if found[2] in exported else None
                if " for " in line:  # another crate's trait, or one of ours whose methods its own definition names
                    owner = None
            elif line == "}":
                owner = None
            elif owner and (found := re.match(r"\s*pub (?:const )?(?:fn )?(\w+)[(:<]", line)):
                names.add(found[1] if kind == "impl" and "fn " in line else f"{owner}::{found[1]}")
            elif owner and kind == "trait" and (found := re.match(r"    fn (\w+)", line)):
                names.add(found[1])
            elif owner and kind == "enum" and (found := re.match(r"    ([A-Z]\w*)\b", line)):
                names.add(f"{owner}::{found[1]}")
    return Names(names, names)


# --- the command

def command(root):
    names = Names()
    for path in glob.glob(os.path.join(root, "cli", "*.cpp")):
        text = read(path)
        names.told |= set(re.findall(r"\bverb\{\"(\w+)\"", text))
        for option in re.findall(r"\"((?:-\w,)?--[\w,-]+)\"", text):
            names.there |= set(option.split(","))
            names.told |= {name for name in option.split(",") if name.startswith("--")}
        names.there |= {f".{name}" for name in re.findall(r"\badd\(\"(\w+)\",", text)}
    names.there |= names.told
    return names
