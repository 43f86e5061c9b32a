"""`seen redis` against servers that reply what no server replies: it ends, with an error in one line, soon and without taking memory for what was only
announced. SEEN_REDIS_REPLIES is how many runs get random bytes."""

import os
import random
import re
import resource
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import over_redis
from over_redis import RedisTest
from fake import HANG_UP, Fake, Raw, reply
from resp import Error, Status
from support import SEEN, lines

RUNS = int(os.environ.get("SEEN_REDIS_REPLIES", "1000"))
ALONE = Error("ERR This instance has cluster support disabled")
RECORD = dict(format="seen-cluster-1", parts="2", capacity="100", error="0.01", seed="7365656e2e707274", command="BF", options="")


def good(words):
    """A server with a filter in two parts, which says no to everything."""
    name, items = words[0].upper(), len(words)
    if name == b"CLUSTER":
        return ALONE
    if name == b"TYPE":
        return Status({b"f": "hash", b"g": "none"}.get(words[1], "MBbloom--"))
    if name == b"HGETALL":
        return [word for pair in RECORD.items() for word in pair][: 2 if words[1] == b"g" else None]  # g is being made
    if name == b"BF.MEXISTS":
        return [0] * (items - 2)
    if name == b"BF.INSERT":
        return [1] * (items - 4)
    if name == b"BF.INFO":
        return ["Capacity", 100, "Size", 100, "Number of filters", 1, "Number of items inserted", 1, "Expansion rate", 2]
    if name == b"BF.SCANDUMP":
        return [1, b"\x8dSEENV\r\n"] if words[2] == b"0" else [0, b""]
    return Status("OK") if name in (b"BF.RESERVE", b"BF.LOADCHUNK", b"BF.MERGE") else 1


class Replies(RedisTest):
    def side_by_side(self, runs):
        """Calls functions that mostly wait."""
        with ThreadPoolExecutor(8) as pool:
            for done in [pool.submit(run) for run in runs]:
                done.result()

    def ask(self, command, value, *words, stdin=lines(*range(100)), message=".", limit=None):
        """An error in one line, where this command is replied so, and the others well. `value` may be a function of the words."""
        def answer(said):
            if said[0].upper() != command:
                return good(said)
            return value(said) if callable(value) else value

        def bound():
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

        with Fake(answer) as fake:
            self.url = fake.url
            before = self.files()
            done = self.run_seen("redis", words[0], "--url", fake.url, "--retry", "1", "--timeout", "1", *words[1:], stdin=stdin,
                                 **({"preexec_fn": bound} if limit else {}))  # fmt: skip
            self.assertEqual((done.status, done.out), (2, b""), (command, value, done.err))
            self.assertRegex(done.err, r"\Aseen: [^\n]*\n\Z")
            self.assertRegex(done.err, message)
            self.assertEqual(self.files(), before)
            return fake.heard

    def test_a_good_one(self):
        with Fake(good) as fake:
            self.url = fake.url
            self.assertEqual(self.count("f", *range(100)), 0)
            self.redis("add", "f", "-q", stdin=lines(*range(3000)), out=b"", err="")
            items = [len(words) - 4 for words in fake.heard if words[0] == b"BF.INSERT"]
            self.assertEqual((sum(items), max(items)), (3000, 1024))
            self.assertEqual({tuple(words[:1]) + tuple(words[2:4]) for words in fake.heard if words[0] == b"BF.INSERT"}, {(b"BF.INSERT", b"NOCREATE", b"ITEMS")})

    def test_the_record_is_written_last_and_deleted_first(self):
        with Fake(good) as fake:
            self.url = fake.url
            self.reserve("g", "--parts", 3)
            self.assertEqual([words[0] for words in fake.heard], [b"CLUSTER", b"TYPE", *[b"BF.RESERVE"] * 3, b"HSETNX", b"HGETALL", b"HSET"])
            fake.heard.clear()
            self.redis("merge", "-q", "g", "f", out=b"", err="")
            self.assertEqual([words[0] for words in fake.heard], [b"CLUSTER", b"TYPE", b"HGETALL", *[b"TYPE"] * 3, b"BF.MERGE", b"BF.MERGE", b"HSETNX", b"HGETALL", b"HSET"])
            fake.heard.clear()
            self.redis("drop", "f", out=b"", err="")
            self.assertEqual([words[:2] for words in fake.heard][3], [b"DEL", b"f"])
            self.assertEqual(len(fake.heard), 6)

    def test_answers_of_a_wrong_form(self):
        for value in (1, b"", None, Status("OK"), [], [0] * 99, [2] * 50, [None] * 50, [b"0"] * 50, [[0]] * 50, Error("ERR no such thing")):
            for command, words in ((b"BF.MEXISTS", ("query", "f")), (b"BF.INSERT", ("add", "f")), (b"BF.INFO", ("info", "f")), (b"HGETALL", ("query", "f")),
                                   (b"HSET", ("reserve", "g", "-n", "9")), (b"BF.MERGE", ("merge", "f", "f")), (b"BF.SCANDUMP", ("dump", "f", "-o", "d"))):  # fmt: skip
                if (command, value) in ((b"HSET", 1), (b"BF.MERGE", Status("OK"))):
                    continue
                with self.subTest(command, value=value):
                    self.ask(command, value, *words, message="HSET: " if command == b"HSET" else ".")
        self.ask(b"TYPE", 7, "query", "f", message="TYPE: the number 7")
        self.ask(b"BF.INSERT", lambda said: [1] * 3 + [Error("ERR non scaling filter is full")], "add", "f", message="part . of 2, .*: ERR non scaling filter is full")
        self.ask(b"BF.MEXISTS", Error("ERR \x1b[2J" + "x" * 5000), "query", "f", message=r"ERR \?\[2Jx{100,200}\n")

    def test_slots_of_a_wrong_form(self):
        node = [b"127.0.0.1", 1]
        for value in (7, [7], [[0]], [[0, 1]], [[0, 16384, node]], [[-1, 5, node]], [[5, 4, node]], [[0, 16383, []]], [[0, 16383, [b"h", b"p"]]],
                      [[0, 16383, [b"h", 0]]], [[0, 16383, [b"h", 65536]]], [[0, 16383, [7, 7]]], b"x", Status("OK"), None):  # fmt: skip
            self.ask(b"CLUSTER", value, "query", "f", message="CLUSTER SLOTS: what was replied are no slots")
        self.ask(b"CLUSTER", [], "query", "f", message="no node of the cluster has slot")
        self.ask(b"CLUSTER", Error("NOPERM no"), "query", "f", message="NOPERM no")

    def test_bytes_that_are_no_replies(self):
        for value in (b"HTTP/1.1 400 Bad Request\r\n\r\n", b"$-2\r\n", b"$x\r\n", b"*x\r\n", b":\r\n:x\r\n", b"*-7\r\n", b"$3\r\nabcd\r\n" * 2, b"\r\n", b"\0" * 99,
                      b"%1\r\n:1\r\n:2\r\n", b",1.5\r\n", b"#t\r\n", b"*1\r\n" * 20 + b":1\r\n", b"-" + b"x" * 200_000, b"+" + b"x" * 200_000, b":1\r\n:1\r\n:1\r\n"):  # fmt: skip
            for command in (b"CLUSTER", b"BF.MEXISTS"):
                with self.subTest(value[:20], command=command):
                    self.ask(command, Raw(value), "query", "f", message="bytes, and no end of it" if len(value) > 9999 else ".")

    def test_what_is_announced_takes_no_memory(self):
        runs = []
        for value in (b"*1048577\r\n", b"*2147483647\r\n", b"*9223372036854775807\r\n", b"$9223372036854775807\r\n", b"$536870912\r\nx", b"*1048576\r\n:1\r\n",
                      b"*1\r\n*1048576\r\n*1048576\r\n*1048576\r\n"):  # fmt: skip
            for command in (b"CLUSTER", b"BF.MEXISTS"):
                beyond = int(value[1:20].split(b"\r")[0]) > 1 << 20 and value[:1] == b"*"
                runs.append(partial(self.ask, command, Raw(value), "query", "f", limit=1 << 28, message="too many elements|out of range" if beyond else "."))
        self.side_by_side(runs)
        self.ask(b"BF.MEXISTS", Raw(b"*2\r\n" + (b"*600000\r\n" + b":1\r\n" * 600_000) * 2), "query", "f", message="too many elements")

    def test_redirects_in_a_circle_end(self):
        for word in ("MOVED", "ASK"):
            with self.subTest(word):
                with Fake(lambda words: Error(f"{word} 7 127.0.0.1:1") if words[0].startswith(b"BF.") else good(words)) as fake:
                    self.url = fake.url
                    self.denies("refused|gave up", "query", "f", stdin=lines("x"))
        # A node that always says: the other one; which is itself.
        listener = socket.create_server(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        asked = []

        def answer(words):
            if words[0] == b"CLUSTER":
                return [[0, 16383, [b"127.0.0.1", port]]]
            asked.append(words[0])
            return Status("OK") if words[0] == b"ASKING" else Error(f"{self.word} 7 127.0.0.1:{port}")

        with Fake(answer, listener) as fake:
            for self.word, message in (("ASK", "redirected 16 times, the last time by"), ("MOVED", "gave up after 1 s: .*MOVED|redirected 16 times")):
                asked.clear()
                self.refuses(message, "redis", "query", "--url", fake.url, "--retry", "1", "f", "-e", "x")
                self.assertLessEqual(len(asked), 33)
        for text in ("MOVED", "MOVED 7", "MOVED 7 ", "MOVED x 1:1", "MOVED 16384 127.0.0.1:1", "MOVED 7 127.0.0.1:x", "ASK 7 nowhere", "MOVED 7 127.0.0.1:99999"):
            with self.subTest(text):
                self.ask(b"BF.MEXISTS", Error(text), "query", "f", message=re.escape(text.strip()))

    def test_what_passes_is_waited_for_and_what_does_not_ends(self):
        texts = ("TRYAGAIN later", "CLUSTERDOWN The cluster is down", "LOADING Redis is loading")
        for text in texts:
            with self.subTest(text):
                told = iter([Error(text)] * 3)
                with Fake(lambda words: next(told, None) or good(words) if words[0] == b"BF.MEXISTS" else good(words)) as fake:
                    self.url = fake.url
                    self.assertEqual(self.count("f", *range(10)), 0)
                    self.assertEqual(sum(words[0] == b"BF.MEXISTS" for words in fake.heard), 5)
        self.side_by_side(partial(self.ask, b"BF.MEXISTS", Error(text), "query", "f", message=f"gave up after 1 s: .*{text}") for text in texts)
        # A server that is loading when it is connected to.
        told = iter([Error(texts[2])] * 3)
        with Fake(lambda words: next(told, None) or good(words)) as fake:
            self.url = fake.url
            self.assertEqual(self.count("f", *range(10)), 0)
            told = iter([Error(texts[2])] * 1000)
            self.seen("redis", "query", "--url", fake.url, "--retry", "1", "f", "-e", "x", status=3, err="seen: .*LOADING Redis is loading\n")

    def test_connections_that_end(self):
        gone = "closed the connection|reset|Broken pipe"
        runs = [partial(self.ask, command, HANG_UP, "query", "f", message=gone) for command in (b"CLUSTER", b"TYPE", b"BF.MEXISTS")]
        self.side_by_side([*runs, partial(self.ask, b"CLUSTER", Raw(b""), "query", "f", message="no reply for 1000 ms")])
        ends = iter([HANG_UP] * 3)
        with Fake(lambda words: next(ends, None) or good(words) if words[0] == b"BF.INSERT" else good(words)) as fake:
            self.url = fake.url
            self.add("f", *range(100))
        # Whether a cuckoo filter has the keys is not known, and to add them again would be to add them twice.
        def cuckoo(words):
            return Status("MBbloomCF") if words[0] == b"TYPE" else HANG_UP if words[0] == b"CF.INSERT" else good(words)

        with Fake(cuckoo) as fake:
            self.url = fake.url
            self.denies("not known whether the last command was carried out", "add", "c", stdin=lines("x"))
            self.assertEqual(sum(words[0] == b"CF.INSERT" for words in fake.heard), 1)

    def test_random_bytes(self):
        self.side_by_side([partial(self.random_bytes, seed, RUNS // 8) for seed in range(8)])

    def random_bytes(self, seed, runs):
        rng = random.Random(seed)
        pieces = [b"*", b"$", b":", b"+", b"-", b"\r\n", b"1", b"2", b"0", b"-1", b"1024", b"99999", b"OK", b"MOVED 7 127.0.0.1:1", b"ASK 0 x:1", b"none", b"hash",
                  *map(reply, (0, 1, None, b"x", [], [0], [1, b"x"], Status("MBbloom--"), Error("ERR not found")))]  # fmt: skip
        commands = (b"CLUSTER", b"TYPE", b"HGETALL", b"BF.MEXISTS", b"BF.INSERT", b"BF.INFO", b"BF.SCANDUMP")
        actions = {b"BF.INSERT": ("add", "f"), b"BF.INFO": ("info", "f"), b"BF.SCANDUMP": ("dump", "f", "-o", f"d{seed}")}
        said = None

        def answer(words):
            # Bytes without an end follow, so that nothing is waited for.
            return Raw(data + b"\xff" * 100_000) if words[0] == said else good(words)

        with Fake(answer) as fake:
            for run in range(runs):
                said = commands[run % len(commands)]
                data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(1, 12)))
                data = bytes(b ^ (1 << rng.randrange(8)) if rng.random() < 0.02 else b for b in data) if run % 2 else data + rng.randbytes(20)
                done = subprocess.run([SEEN, "redis", *actions.get(said, ("query", "-q", "f")), "--url", fake.url, "--retry", "1", "--timeout", "1"], input=b"x\n",
                                      capture_output=True, cwd=self.dir, timeout=30, check=False)  # fmt: skip
                self.assertIn(done.returncode, (0, 1, 2), (seed, run, data, done.stderr))
                self.assertRegex(done.stderr.decode(errors="replace"), r"\A(seen: [^\n]*\n)?\Z", (seed, run, data))
                self.assertLess(len(done.stderr), 2000)


if __name__ == "__main__":
    over_redis.run(against=None)
