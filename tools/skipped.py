#!/usr/bin/env python3
"""What ctest skipped, and why: skipped.py REPORT...

A report is what `ctest --output-junit` writes. A test that skips itself prints a line "skipped: why"; tests that give the same
reason share a line here. What printed none is listed as it is."""

import collections
import os
import sys
import xml.etree.ElementTree as xml

reasons = collections.defaultdict(list)  # why -> names, in order
for path in filter(os.path.exists, sys.argv[1:]):
    for case in xml.parse(path).getroot().iter("testcase"):
        if case.get("status") != "notrun" and case.find("skipped") is None:
            continue
        said = (case.findtext("system-out") or "").splitlines()
        why = next((line.partition("skipped: ")[2] for line in said if line.startswith("skipped: ")), "no reason given")
        reasons[why].append(case.get("name"))
if reasons:
    print("Skipped:")
    for why, names in reasons.items():
        print(f"  {why} ({', '.join(names)})")
else:
    print("Nothing was skipped.")
