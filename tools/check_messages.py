#!/usr/bin/env python3
"""Refuses code that decides by the words of a message: code and errno are for programs, the sentence is for people."""
import pathlib, re, sys

ROOT = pathlib.Path(sys.argv[1])
READS = r"\s*(==|!=|<=>|\.\s*(empty|find\w*|rfind|starts_with|ends_with|compare|contains|substr|front|back|remove_prefix)\s*\()"
RULES = [  # where, which files, what reads a message there
    (["include", "src", "cli", "python/core", "bench"], ["*.hpp", "*.cpp", "*.h", "*.c"],
     r"(\bdetail|\.what\(\)|\bseen_error_message\([^)]*\)|\.message\(\))" + READS + r"|str(n?cmp|str)\([^;]*(what\(\)|detail|seen_error_message)"),
    (["python/src"], ["*.py"],
     r"\b(in|not in|==|!=) (str|repr)\((e|err|error|exc|exception)\)|(str|repr)\((e|err|error|exc|exception)\)\s*(==|!=|\.(startswith|endswith|find|split)|\bin\b)"
     r"|\b(message|detail|strerror)\.(startswith|endswith|find|index|split|rsplit|partition|rpartition)\("),
    (["go"], ["*.go"], r"\.Error\(\)\s*(==|!=)|strings\.\w+\([^,()]*\.Error\(\)"),
    (["rust/src"], ["*.rs"], r"\b(e|err|error)\.(to_string|message)\(\)\s*(==|!=|\.(contains|starts_with|ends_with|find|is_empty))"),
]

found = []
for folders, names, pattern in RULES:
    for folder in folders:
        for name in names:
            for file in sorted((ROOT / folder).rglob(name)):
                if file.name.endswith("_test.go"): continue  # tests compare messages on purpose
                for number, line in enumerate(file.read_text().splitlines(), 1):
                    if re.search(pattern, line.split("//")[0]):
                        found.append(f"{file.relative_to(ROOT)}:{number}: {line.strip()}")
print("\n".join(found) or "nothing decides by the words of a message")
sys.exit(bool(found))
