#!/usr/bin/env python3
"""What the command takes beside other programs, on the same lists: bench/command.py [SEEN [ROUNDS [MILLIONS]]].

The rows of a table take turns. A number is the median of the processors' time, user and system, of all processes of a row: on a shared
machine the clock tells how busy others are. `memory` is the most that a process had, and at least the 18 MiB that this script has itself.
`bloom` is Debian's golang-github-dcso-bloom-cli.
"""

import hashlib
import os
import statistics
import subprocess
import sys
import tempfile
import time

SEEN = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/bin/seen")
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 5
COUNT = int(float(sys.argv[3]) * 1e6) if len(sys.argv) > 3 else 10_000_000


def write(name, keys):
    with open(name, "w") as f:
        f.writelines(key + "\n" for key in keys)


def run(command):
    """Processors' seconds, seconds on the clock, MiB: of the shell and of all that it started."""
    begin = time.monotonic()
    child = subprocess.Popen(["sh", "-c", command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used = os.wait4(child.pid, 0)[2]
    return used.ru_utime + used.ru_stime, time.monotonic() - begin, used.ru_maxrss / 1024


def table(title, rows, unit=1.0, name="s"):
    print(f"\n== {title}\n{'':14}{'processors, ' + name:>16}{'clock, ' + name:>12}{'memory, MiB':>14}   command")
    results = {row: [] for row, _ in rows}
    for _ in range(ROUNDS):
        for row, command in rows:
            results[row].append(run(command))
    for row, command in rows:
        used, clock, memory = (statistics.median(r[i] for r in results[row]) for i in range(3))
        print(f"{row:14}{used / unit:16.3f}{clock / unit:12.3f}{memory:14.1f}   {command.replace(SEEN, 'seen').replace('exec ', '')}")
    sys.stdout.flush()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    half = COUNT // 2
    key = lambda i: f"https://example.org/{i * 2654435761 % 2**32:08x}/{i}"
    write("lines", map(key, range(COUNT)))
    write("known", map(key, range(half)))
    write("asked", (key((i + half) % COUNT) for i in range(COUNT)))
    write("sha1", (hashlib.sha1(b"%d" % i).hexdigest() for i in range(half)))
    print(f"{COUNT:,} lines of {os.path.getsize('lines') / COUNT:.0f} bytes, {ROUNDS} rounds")
    table("each line once", [("seen", f"exec {SEEN} uniq -q lines"), ("seen, exactly", f"exec {SEEN} uniq -q --exact lines"),
                             ("awk", "exec awk '!s[$0]++' lines")])
    table("a filter of half of the lines, asked for all", [
        ("seen", f"{SEEN} build -qf -o f known && {SEEN} query f asked"),
        ("bloom", f"rm -f b; bloom create -n {half} -p 0.01 b && bloom insert b < known && bloom check b < asked")])
    run(f"{SEEN} build -qf -o text sha1; {SEEN} build -qf --hex -o hex sha1")
    table(f"{half:,} SHA-1, one thread", [
        ("build", f"exec {SEEN} build -j1 -n {half} -qf -o f sha1"), ("build --hex", f"exec {SEEN} build -j1 -n {half} -qf --hex -o f sha1"),
        ("query", f"exec {SEEN} query -j1 text sha1"), ("query --hex", f"exec {SEEN} query -j1 --hex hex sha1"),
        ("query --json", f"exec {SEEN} query -j1 --json text sha1")])
    run(f"seq 100000 | {SEEN} build -qf -o big -n 894e6")
    ROUNDS *= 5
    table(f"a filter of {os.path.getsize('big') / 2**30:.2f} GiB", [
        ("query", f"exec {SEEN} query big -e 77"), ("info", f"exec {SEEN} info big"), ("add", f"echo $$ | {SEEN} add -q big"),
        ("nothing", "exec true")], 0.001, "ms")
