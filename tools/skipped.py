#!/usr/bin/env python3
"""Prints what was skipped, and why: skipped.py [REPORT | "skipped: WHY"]...

A report is what `ctest --output-junit` writes. A test that skips itself prints a line "skipped: why"; tests that give the same
reason share a line here. A test that printed no such line is listed without a reason."""

import collections
import os
import sys
import xml.etree.ElementTree as xml

MARK = "skipped: "
reasons = collections.defaultdict(list)  # why -> names, in order
for word in sys.argv[1:]:
    if word.startswith(MARK):
        reasons[word.removeprefix(MARK)] = []
for path in filter(os.path.exists, sys.argv[1:]):
    for case in xml.parse(path).getroot().iter("testcase"):
        if case.get("status") != "notrun" and case.find("skipped") is None:
            continue
        said = (case.findtext("system-out") or "").splitlines()
        why = next((line.removeprefix(MARK) for line in said if line.startswith(MARK)), "no reason given")
        reasons[why].append(case.get("name"))
if reasons:
    print("Skipped:")
    for why, names in reasons.items():
        print(f"  {why}" + (f" ({', '.join(names)})" if names else ""))
else:
    print("Nothing was skipped.")
