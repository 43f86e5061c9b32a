#!/usr/bin/env python3
"""What seen.so costs a server: bench.py SEEN_SO [large]

Each row is one run of redis-benchmark on a Unix socket, 50 clients: what it says, and the processor time of the server per item, which another load on
the machine changes less. `large` asks instead how long clients wait while a filter of 1.3 GB is made, saved and deleted."""

import os
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "tests"))
import resp  # noqa: E402

CAPACITY = 2_000_000


def processor_seconds(server):
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def benchmark(server, name, words, *, calls, pipeline, items=1):
    begun = processor_seconds(server)
    said = subprocess.run(["redis-benchmark", "-s", server.path, "-n", str(calls), "-P", str(pipeline), "-r", str(CAPACITY), "--csv", *words],
                          check=True, capture_output=True, text=True).stdout  # fmt: skip
    used = processor_seconds(server) - begun
    rate = float(said.strip().splitlines()[-1].split('","')[1])
    print(f"{name:34} {rate * items / 1e6:10.3f} {used / calls / items * 1e6:10.3f}", flush=True)


def speeds(server):
    r = server.connect()
    r("BF.RESERVE", "blocks", "0.01", CAPACITY, "NONSCALING")
    r("BF.RESERVE", "growing", "0.01", CAPACITY)
    r("BF.RESERVE", "grown", "0.01", 100)
    r("BF.RESERVE", "redisbloom", "0.01", CAPACITY, "KIND", "redisbloom")
    r("CF.RESERVE", "cuckoo", CAPACITY)
    r("SET", "key", "x")
    number, batch = "__rand_int__", ["__rand_int__"] * 100
    print(f"{'':34} {'M items/s':>10} {'us/item':>10}")
    many = {"calls": 10_000, "pipeline": 16, "items": 100}
    benchmark(server, "SADD, 100 items", ["SADD", "set", *batch], **many)
    for key in ("growing", "grown", "redisbloom"):
        benchmark(server, f"BF.MADD, 100 items, {key}", ["BF.MADD", key, *batch], **many)
    benchmark(server, "CF.INSERT, 100 items", ["CF.INSERT", "cuckoo", "ITEMS", *batch], **many)
    benchmark(server, "SMISMEMBER, 100 items", ["SMISMEMBER", "set", *batch], **many)
    for key in ("growing", "grown", "redisbloom"):
        benchmark(server, f"BF.MEXISTS, 100 items, {key}", ["BF.MEXISTS", key, *batch], **many)
    benchmark(server, "CF.MEXISTS, 100 items", ["CF.MEXISTS", "cuckoo", *batch], **many)
    for pipeline, calls in ((1, 200_000), (16, 1_000_000)):
        for words in (["GET", "key"], ["SISMEMBER", "set", number], ["BF.EXISTS", "growing", number], ["CF.EXISTS", "cuckoo", number]):
            benchmark(server, f"{words[0]}, pipeline of {pipeline}", words, calls=calls, pipeline=pipeline)


def waits(server, what, work):
    """How long another client waits for PING while the work is done."""
    times, done = [], threading.Event()

    def ask():
        c = server.connect()
        while not done.is_set():
            begun = time.perf_counter()
            c("PING")
            times.append(time.perf_counter() - begun)

    thread = threading.Thread(target=ask)
    thread.start()
    begun = time.perf_counter()
    work()
    took = time.perf_counter() - begun
    done.set()
    thread.join()
    times.sort()
    print(f"{what:34} {took * 1e3:10.0f} {times[int(len(times) * 0.99)] * 1e3:10.2f} {times[-1] * 1e3:10.1f}", flush=True)


def large(server):
    r = server.connect()
    print(f"{'':34} {'took ms':>10} {'p99 ms':>10} {'longest ms':>10}")
    waits(server, "nothing", lambda: time.sleep(1))
    waits(server, "BF.RESERVE, 1.3 GB", lambda: r("BF.RESERVE", "f", "0.01", 2**30, "NONSCALING"))
    for first in range(0, 1_000_000, 1000):
        r("BF.MADD", "f", *range(first, first + 1000))

    def save():
        r("BGSAVE")
        while b"rdb_bgsave_in_progress:1" in r("INFO", "persistence"):
            time.sleep(0.01)

    waits(server, "BGSAVE", save)
    waits(server, "BF.SCANDUMP, a chunk", lambda: r("BF.SCANDUMP", "f", 1))

    def delete(command):
        r(command, "f")
        time.sleep(0.5)

    waits(server, "DEL", lambda: delete("DEL"))
    r("BF.RESERVE", "f", "0.01", 2**30, "NONSCALING")
    waits(server, "UNLINK", lambda: delete("UNLINK"))


if __name__ == "__main__":
    with resp.Server(os.path.abspath(sys.argv[1])) as started:
        (large if "large" in sys.argv else speeds)(started)
