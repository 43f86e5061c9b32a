"""make redis-demo: one filter over a cluster of three servers on this machine, of which one is killed and some slots move, while it is used.

    demo.sh ──► builds seen.so and the Python package, in build/ ──► demo.py

It starts redis-servers on free ports of the loopback interface, with their files in a temporary folder, says what it does and what that took, and ends
by itself. Nothing is left running or lying about, also after Ctrl-C. KEYS is how many keys there are (10^7)."""

import os
import signal
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "tests"))

import numpy as np
import redis
from cluster import Cluster
from seenfilter.redis import ClusterFilter

KEYS = int(float(os.environ.get("KEYS", 1e7)))
ABSENT = min(KEYS, 1_000_000)
BATCH = 50_000


def say(text):
    print(text, flush=True)


def timed(work):
    """What it returns, and the seconds it took."""
    begin = time.monotonic()
    return work(), time.monotonic() - begin


def keys(first, count):
    return np.arange(first, first + count)


class User(threading.Thread):
    """Somebody who goes on adding keys and asking for them, and notes how long that took at most."""

    def __init__(self, port, first):
        super().__init__(daemon=True)
        self.filter = ClusterFilter.open(redis.RedisCluster(host="127.0.0.1", port=port), "visited")
        self.first, self.count, self.missed, self.longest = first, 0, 0, 0.0
        self.ended, self.error = threading.Event(), None

    def run(self):
        try:
            while not self.ended.is_set():
                _, took = timed(self.turn)
                self.longest = max(self.longest, took)
        except BaseException as e:
            self.error = e

    def turn(self):
        batch = keys(self.first + self.count, 1000)
        self.filter.add_many(batch)
        self.missed += int((~self.filter.may_contain_many(batch)).sum())
        self.count += len(batch)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join(timeout=60)
        if self.error:
            raise self.error


def ask(f, added):
    """Asks for all that was added, and for as many that were not: no "no" among the first, and the rate of the second."""
    begin = time.monotonic()
    missed = sum(int((~f.may_contain_many(keys(first, BATCH))).sum()) for first in range(0, KEYS, BATCH))
    missed += sum(int((~f.may_contain_many(keys(first, count))).sum()) for first, count in added)
    asked = KEYS + sum(count for _, count in added)
    took = time.monotonic() - begin
    absent = int(f.may_contain_many(keys(2**40, ABSENT)).sum())
    say(f"  {asked:,} keys that are in it: {missed} answered no ({took:.1f} s)")
    say(f"  {ABSENT:,} keys that are not: {absent / ABSENT:.2%} answered maybe")
    return missed


def main():
    begin = time.monotonic()
    say("Three servers of Redis with seen.so, each with a third of the slots and a log of what it was told:")
    cluster, took = timed(lambda: Cluster(os.environ["SEEN_REDIS"], options=("--appendonly", "yes", "--appendfsync", "no")))
    with cluster:
        nodes, port = cluster.nodes, cluster.nodes[0].port
        say(f"  redis-server {nodes[0].field('server', 'redis_version')} on ports {', '.join(str(node.port) for node in nodes)}: a cluster after {took:.1f} s")

        say(f"\nOne filter over all of them, for {KEYS:,} keys at a rate of 1 %:")
        f, took = timed(lambda: ClusterFilter.reserve(redis.RedisCluster(host="127.0.0.1", port=port), "visited", KEYS, 0.01))
        info = f.info()
        say(f"  {f.parts} parts, {info.bytes / 1e6:.1f} MB, made in {took * 1000:.0f} ms; each key belongs to one part")
        for node in nodes:
            mine = [part for part in info.parts if part.node.endswith(f":{node.port}")]
            say(f"  port {node.port}: {len(mine)} parts, slots {', '.join(str(part.slot) for part in mine)}")

        _, took = timed(lambda: [f.add_many(keys(first, BATCH)) for first in range(0, KEYS, BATCH)])
        say(f"\nAdded {KEYS:,} keys in {took:.1f} s, and asked:")
        missed, added = ask(f, []), []

        say("\nA server is killed (kill -9) while somebody adds and asks, and started again:")
        with User(port, 2 * 10**9) as user:
            time.sleep(0.5)
            nodes[1].kill()
            before = user.count
            time.sleep(0.5)
            _, took = timed(lambda: (nodes[1].restart(), cluster.wait(cluster.is_whole, "the cluster does not come back")))
            time.sleep(0.5)
        say(f"  port {nodes[1].port} was back {took:.1f} s after it was started: it had read its log")
        say(f"  meanwhile {user.count:,} keys were added and asked for, {user.count - before:,} of them after the kill;")
        say(f"  the longest wait was {user.longest:.1f} s, {user.missed} were answered no, none was refused")
        missed, added = missed + user.missed, [*added, (user.first, user.count)]

        moved = range(0, 16384 // 6 + 1)
        say(f"\nSlots 0 to {moved[-1]} move from port {nodes[0].port} to port {nodes[2].port}, with the parts in them, while somebody adds and asks:")
        with User(port, 3 * 10**9) as user:
            _, took = timed(lambda: cluster.move(moved, nodes[2]))
        say(f"  {took:.1f} s; {sum(part.node.endswith(f':{nodes[2].port}') for part in f.info().parts)} parts are on port {nodes[2].port} now")
        say(f"  meanwhile {user.count:,} keys were added and asked for, {user.missed} were answered no; the longest wait was {user.longest:.1f} s")
        missed, added = missed + user.missed, [*added, (user.first, user.count)]

        say("\nAsked again:")
        missed += ask(f, added)
    say(f"\nThe servers have ended and their files are gone. {time.monotonic() - begin:.0f} s in all.")
    return 1 if missed else 0


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("\nStopped. The servers have ended and their files are gone.")
        sys.exit(130)
