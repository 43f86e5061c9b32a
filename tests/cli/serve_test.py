"""seen serve: what clients get, what they may cost, and that nothing acknowledged is lost."""

import os
import random
import signal
import socket
import sys
import threading
import unittest

from support import SEEN, CommandTest, main

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../integrations/redis/tests"))
from resp import Client, Error, Status, encoded  # noqa: E402
from serving import Serving  # noqa: E402

MALFORMED = int(os.environ.get("SEEN_SERVE_MALFORMED", "1000"))
OK = Status("OK")


class Stream(Client):
    """A client of a TCP port."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.file = self.socket.makefile("rb")


class ServeTest(CommandTest):
    def serve(self, *options):
        server = Serving(SEEN, *options, folder=self.dir)
        self.addCleanup(server.end)
        return server

    def stop(self, server, how=signal.SIGTERM):
        self.assertEqual(server.stop(how), 0, server.log())

    def until(self, what):
        """Waits for what comes sooner or later; the test's time limit ends it."""
        while not what():
            pass

    def raw(self, server, data):
        """What is replied to these bytes before the connection ends."""
        s = socket.socket(socket.AF_UNIX)
        with s:
            s.connect(server.path)
            try:
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has hung up already
            told = b""
            try:
                while more := s.recv(65536):
                    told += more
            except ConnectionResetError:
                pass
        return told


class Filters(ServeTest):
    def test_files_are_asked_and_added_to_and_hold_what_was_added(self):
        self.build("bloom.seen", "alice", "bob", options=("-n", 1000))
        self.build("cuckoo.seen", "alice", "bob", options=("-n", 1000, "--kind", "cuckoo"))
        self.build("chain.seen", "alice", "bob", options=("--kind", "scalable-bloom"))
        self.build("ribbon.seen", "alice", "bob", options=("--kind", "ribbon"))
        names = ["bloom", "cuckoo", "chain", "ribbon"]
        server = self.serve(*(f"{n}={n}.seen" for n in names))
        r = server.connect()
        for name in names:
            self.assertEqual(r("BF.MEXISTS", name, "alice", "carol"), [1, 0], name)
        self.assertEqual(r("BF.MADD", "bloom", "carol", "alice"), [1, 0])
        self.assertEqual(r("CF.ADD", "cuckoo", "carol"), 1)
        self.assertEqual(r("CF.DEL", "cuckoo", "bob"), 1)
        self.assertEqual(r("BF.ADD", "chain", "carol"), 1)
        self.assertEqual(r("BF.ADD", "ribbon", "carol"), Error("READONLY ribbon: the file of this filter is not written to"))
        self.assertEqual(r("BF.ADD", "cuckoo", "x").args[0][:9], "WRONGTYPE")
        self.assertEqual([r("TYPE", n) for n in names], [Status("MBbloom--"), Status("MBbloomCF"), Status("MBbloom--"), Status("seen-look")])
        self.assertEqual(r("BF.CARD", "bloom"), 3)
        self.assertEqual(r("BF.INFO", "bloom", "CAPACITY"), [1000])
        self.stop(server)
        for name in names:
            self.seen("verify", "-q", name + ".seen", stdin=b"alice\n", err="")
        for name in names[:3]:
            self.holds(name + ".seen", "alice", "carol")
        self.seen("query", "cuckoo.seen", stdin=b"bob\n", status=1)
        self.assertEqual(sorted(self.files()), sorted(["log", *(n + ".seen" for n in names)]))

    def test_a_filter_is_full_at_its_capacity(self):
        self.build("f.seen", options=("-n", 2, "-p", 1e-6))
        r = self.serve("f=f.seen").connect()
        self.assertEqual(r("BF.MADD", "f", "a", "b", "c"), [1, 1, Error("ERR non scaling filter is full")])
        self.assertEqual(r("BF.ADD", "f", "a"), 0)

    def test_one_program_at_a_time_changes_a_file(self):
        self.build("f.seen", "alice")
        self.build("c.seen", "alice", options=("--kind", "cuckoo", "-n", 100))
        server = self.serve("f=f.seen", "c=c.seen")
        for name in ("f.seen", "c.seen"):
            self.seen("add", name, stdin=b"bob\n", status=3)
            self.seen("serve", "--unix", "other", "x=" + name, status=3, err="seen: .*open for writing already\n")
            self.holds(name, "alice")
        r = server.connect()
        self.assertEqual(r("CF.ADD", "c", "carol"), 1)
        self.assertEqual(r("SAVE"), OK)  # the lock is on the file that was written, too
        self.seen("add", "c.seen", stdin=b"bob\n", status=3)
        self.stop(server)
        one = self.serve("--read-only", "f=f.seen", "c=c.seen")
        with Serving(SEEN, "--read-only", "f=" + self.path("f.seen")) as two:
            for each in (one, two):
                self.assertEqual(each.connect()("BF.MEXISTS", "f", "alice", "bob"), [1, 0])
                self.assertIn("READONLY", str(each.connect()("BF.ADD", "f", "bob")))
        self.seen("add", "-q", "f.seen", stdin=b"bob\n")
        self.until(lambda: one.connect()("BF.EXISTS", "f", "bob") == 1)

    def test_commands_make_filters_where_there_is_a_directory(self):
        server = self.serve("--directory", ".")
        r = server.connect()
        name = b"a/../b \xff*"
        self.assertEqual(r("BF.RESERVE", name, 0.001, 1000, "NONSCALING"), OK)
        self.assertEqual(r("BF.ADD", "chain", "alice"), 1)
        self.assertEqual(r("CF.ADD", "cuckoo", "alice"), 1)
        self.assertEqual(r("BF.ADD", name, "alice"), 1)
        self.assertEqual(sorted(r("KEYS", "*")), sorted([name, b"chain", b"cuckoo"]))
        self.assertEqual(sorted(self.files()), sorted(["a%2F%2E%2E%2Fb%20%FF%2A.seen", "chain.seen", "cuckoo.seen", "log", "socket", "socket.lock"]))
        self.assertIn("too long for the name of a file", str(r("BF.ADD", "x" * 300, "a")))
        self.assertEqual(r("DEL", "cuckoo", "missing"), 1)
        self.assertEqual(r("EXISTS", "cuckoo", "chain", "chain"), 2)
        self.assertEqual(r("BF.RESERVE", "refused", 5, 5).args[0][:14], "ERR error rate")
        self.stop(server)
        server.start()
        r = server.connect()
        self.assertEqual([r("BF.EXISTS", n, "alice") for n in (name, "chain", "cuckoo")], [1, 1, 0])
        self.assertEqual(r("BF.RESERVE", "chain", 0.01, 100), Error("ERR item exists"))
        self.assertEqual(r("BF.ADD", name, "bob"), 1)  # mapped now
        chunks, at = [], 0
        while True:
            at, data = r("BF.SCANDUMP", "chain", at)
            if at == 0:
                break
            chunks.append((at, data))
        for each in chunks:
            self.assertEqual(r("BF.LOADCHUNK", "copy", *each), OK)
        self.assertEqual(r("BF.EXISTS", "copy", "alice"), 1)
        self.build("bloom", "carol")
        self.build("ribbon", "carol", options=("--kind", "ribbon"))
        for kind, file in (("bloom", "static.sf.seen"), ("ribbon", "static.seen")):
            self.assertEqual(r("SF.LOAD", "static", "BYTES", self.read(kind)), OK)
            server.kill()  # a filter that has come is in its file at once
            self.holds(file, "carol")
            server.restart()
            r = server.connect()
            self.assertEqual(r("SF.MEXISTS", "static", "carol", "dave"), [1, 0])
        self.assertNotIn("static.sf.seen", self.files())
        self.holds("copy.seen", "alice")
        server.restart()
        self.assertEqual(server.connect()("BF.MEXISTS", name, "alice", "bob"), [1, 1])

    def test_commands_make_no_filters_without_a_directory(self):
        self.build("f.seen", "alice")
        r = self.serve("f=f.seen").connect()
        self.assertIn("--directory", str(r("BF.ADD", "other", "x")))
        self.assertIn("no command deletes it", str(r("DEL", "f")))
        self.assertEqual(r("BF.EXISTS", "other", "x"), 0)
        self.assertEqual(r("DEL", "other"), 0)
        self.assertEqual(r("BF.EXISTS", "f", "alice"), 1)

    def test_a_command_line_that_says_nothing_sensible_is_refused(self):
        self.build("f.seen", "alice")
        self.write("junk", b"x" * 100)
        self.refuses("say which filters", "serve")
        self.refuses("say NAME=FILE", "serve", "f.seen")
        self.refuses("name of two files", "serve", "f=f.seen", "f=f.seen")
        self.refuses("missing.seen: open", "serve", "f=missing.seen")
        self.refuses("junk", "serve", "f=junk")
        self.refuses("--port", "serve", "--port", 65536, "f=f.seen")
        self.refuses("--mode", "serve", "--mode", "rw", "f=f.seen")
        self.refuses("--sync", "serve", "--sync", "soon", "f=f.seen")
        self.refuses("bf-error-rate", "serve", "--set", "rate=1", "f=f.seen")
        self.refuses("bf-initial-size", "serve", "--set", "bf-initial-size=0", "f=f.seen")
        self.refuses("is there, and is no socket", "serve", "--unix", "junk", "f=f.seen")
        self.refuses("107 characters", "serve", "--unix", "x" * 200, "f=f.seen")


class Promises(ServeTest):
    def test_kill_9_loses_no_acknowledged_add(self):
        for sync in ("1", "always"):
            with self.subTest(sync=sync):
                self.build("f.seen", options=("-n", 100_000, "-f"))
                server = self.serve("--sync", sync, "f=f.seen")
                told = [0] * 4

                def add(i, told=told, server=server):
                    r = server.connect()
                    try:
                        while r("BF.ADD", "f", f"{i}-{told[i]}") in (0, 1):
                            told[i] += 1
                    except OSError:
                        pass

                threads = [threading.Thread(target=add, args=(i,)) for i in range(4)]
                for each in threads:
                    each.start()
                self.until(lambda told=told: min(told) >= 200)
                server.kill()
                for each in threads:
                    each.join()
                acknowledged = [f"{i}-{n}" for i in range(4) for n in range(told[i])]
                self.holds("f.seen", *acknowledged)
                server.restart()
                self.assertEqual(set(server.connect()("BF.MEXISTS", "f", *acknowledged)), {1})
                self.stop(server)
                self.seen("verify", "-q", "f.seen", stdin=b"0-0\n", err="")

    def test_what_was_saved_survives_kill_9(self):
        self.build("c.seen", "alice", options=("--kind", "cuckoo", "-n", 1000))
        server = self.serve("--save", "0", "c=c.seen")
        r = server.connect()
        r("CF.ADD", "c", "bob")
        self.assertEqual(r("SAVE"), OK)
        r("CF.ADD", "c", "carol")
        server.kill()
        self.holds("c.seen", "alice", "bob")
        self.seen("query", "c.seen", stdin=b"carol\n", status=1)
        server.options = ("--save", "1", "c=c.seen")
        server.restart()
        r = server.connect()
        r("CF.ADD", "c", "dave")
        self.until(lambda: self.run_seen("query", "c.seen", stdin=b"dave\n").status == 0)

    def test_a_shutdown_under_load_loses_nothing_acknowledged(self):
        self.build("f.seen", options=("-n", 200_000))
        self.build("c.seen", options=("--kind", "cuckoo", "-n", 200_000))
        for how in (signal.SIGTERM, signal.SIGINT):
            server = self.serve("f=f.seen", "c=c.seen")
            told = [0] * 8

            def add(i, how=how, told=told, server=server):
                r = server.connect()
                command, name = (("BF.ADD", "f"), ("CF.ADD", "c"))[i % 2]
                try:
                    while r(command, name, f"{how}-{i}-{told[i]}") in (0, 1):
                        told[i] += 1
                except OSError:
                    pass

            threads = [threading.Thread(target=add, args=(i,)) for i in range(8)]
            for each in threads:
                each.start()
            self.until(lambda told=told: min(told) >= 100)
            self.stop(server, how)
            for each in threads:
                each.join()
            for name, first in (("f.seen", 0), ("c.seen", 1)):
                self.holds(name, *(f"{how}-{i}-{n}" for i in range(first, 8, 2) for n in range(told[i])))

    def test_a_file_that_is_replaced_is_picked_up_and_no_question_is_dropped(self):
        versions = 6
        for kind in ("blocked-bloom", "cuckoo", "ribbon"):
            with self.subTest(kind):
                extra = () if kind == "ribbon" else ("-n", 1000)
                for v in range(versions):
                    self.build(f"v{v}", "always", f"v{v}", options=("--kind", kind, "-f", *extra))
                os.rename(self.path("v0"), self.path("f.seen"))
                server = self.serve("f=f.seen")
                wrong, asked, go_on = [], [0] * 3, [True]

                def ask(i, wrong=wrong, asked=asked, go_on=go_on, server=server):
                    r = server.connect()
                    while go_on[0]:
                        told = r("BF.MEXISTS", "f", "always", "never")
                        if told != [1, 0]:
                            wrong.append(told)
                        asked[i] += 1

                threads = [threading.Thread(target=ask, args=(i,)) for i in range(3)]
                for each in threads:
                    each.start()
                r = server.connect()
                for v in range(1, versions):
                    os.rename(self.path(f"v{v}"), self.path("f.seen"))
                    if v % 2 == 0 and kind != "ribbon":  # an add finds the new file by itself
                        r("BF.ADD" if kind != "cuckoo" else "CF.ADD", "f", f"added-{v}")
                        self.assertEqual(r("BF.MEXISTS", "f", f"v{v}", f"added-{v}"), [1, 1])
                    self.until(lambda v=v: r("BF.EXISTS", "f", f"v{v}") == 1)
                go_on[0] = False
                for each in threads:
                    each.join()
                self.assertEqual(wrong, [])
                self.assertGreater(min(asked), 0)
                os.unlink(self.path("f.seen"))
                self.assertEqual(r("BF.EXISTS", "f", "always"), 1)
                if kind != "ribbon":
                    self.assertIn("has been removed", str(r("BF.ADD" if kind != "cuckoo" else "CF.ADD", "f", "lost")))
                self.stop(server)

    def test_a_broken_file_in_its_place_changes_nothing(self):
        self.build("f.seen", "alice")
        server = self.serve("f=f.seen")
        r = server.connect()
        self.write("junk", b"x" * 1000)
        os.rename(self.path("junk"), self.path("f.seen"))
        self.until(lambda: "f.seen" in server.log())
        self.assertEqual(r("BF.EXISTS", "f", "alice"), 1)
        self.assertIn("ERR", str(r("BF.ADD", "f", "bob")))
        self.build("good", "alice", "carol")
        os.rename(self.path("good"), self.path("f.seen"))
        self.until(lambda: r("BF.EXISTS", "f", "carol") == 1)
        self.assertEqual(r("BF.ADD", "f", "alice"), 0)


class Clients(ServeTest):
    def test_the_commands_that_clients_begin_with(self):
        self.build("f.seen", "alice")
        server = self.serve("f=f.seen")
        hello = {b"server": b"seen", b"proto": 3, b"mode": b"standalone", b"role": b"master", b"modules": []}
        rows = [
            ("PING", Status("PONG")),
            ("PING hi", b"hi"),
            ("ping a b", Error("ERR wrong number of arguments for 'ping' command")),
            ("ECHO hi", b"hi"),
            ("SELECT 0", OK),
            ("SELECT 1", Error("ERR DB index is out of range")),
            ("SELECT x", Error("ERR value is not an integer or out of range")),
            ("CLIENT SETNAME me", OK),
            ("CLIENT GETNAME", b"me"),
            ("CLIENT SETINFO LIB-NAME redis-py", OK),
            ("CLIENT SETINFO LIB-VER 5.0", OK),
            ("CLIENT SETINFO LIB-AGE 5.0", Error("ERR Unrecognized option 'LIB-AGE'")),
            (["CLIENT", "SETNAME", "a b"], Error("ERR Client names cannot contain spaces, newlines or special characters.")),
            ("CONFIG GET save", {b"save": b""}),
            ("CONFIG GET app* bf-error-*", {b"appendonly": b"no", b"bf-error-rate": b"0.01"}),
            ("CONFIG SET bf.bf-error-rate 0.001", OK),
            ("CONFIG GET bf.bf-error-rate", {b"bf-error-rate": b"0.001"}),
            ("CONFIG SET bf-error-rate 0.01", OK),
            ("EXISTS f f missing", 2),
            ("TYPE f", Status("MBbloom--")),
            ("TYPE missing", Status("none")),
            ("KEYS *", [b"f"]),
            ("KEYS [^f]", []),
            ("SCAN 0", [b"0", [b"f"]]),
            ("SCAN 0 MATCH x* COUNT 10", [b"0", []]),
            ("SCAN 0 TYPE MBbloom--", [b"0", [b"f"]]),
            ("SCAN x", Error("ERR invalid cursor")),
            ("SCAN 0 MATCH", Error("ERR syntax error")),
            ("DBSIZE", 1),
            ("COMMAND DOCS ping", {b"ping": {b"summary": b"PONG.", b"since": None, b"group": b"server"}}),
            ("COMMAND INFO bf.add", [[b"bf.add", 3, None, 1, 1, 1, [], [], [], []]]),
            ("COMMAND INFO nothing", [None]),
            ("GET x", Error("ERR unknown command 'GET', with args beginning with: 'x' ")),
            (["SET", "a", "x\r\n+OK"], Error("ERR unknown command 'SET', with args beginning with: 'a' 'x  +OK' ")),
            ("BF.ADD f", Error("ERR wrong number of arguments for 'BF.ADD' command")),
            ("HELLO 4", Error("NOPROTO unsupported protocol version")),
            ("HELLO x", Error("ERR Protocol version is not an integer or out of range")),
            ("SAVE", OK),
        ]

        def like(got, expected):
            """Where something is expected to be None, anything may stand."""
            if isinstance(expected, dict):
                return isinstance(got, dict) and got.keys() == expected.keys() and all(like(got[k], v) for k, v in expected.items())
            if isinstance(expected, list):
                return isinstance(got, list) and len(got) == len(expected) and all(map(like, got, expected))
            return expected is None or (type(got), got) == (type(expected), expected)

        r = server.connect(3)
        for words, expected in rows:
            got = r(*(words.split() if isinstance(words, str) else words))
            self.assertTrue(like(got, expected), (words, got))
        told = r("HELLO", 3, "SETNAME", "you")
        self.assertEqual({k: told[k] for k in hello}, hello)
        self.assertEqual(r("CLIENT", "GETNAME"), b"you")
        self.assertIs(r("BF.EXISTS", "f", "alice"), True)
        self.assertEqual(r("COMMAND", "COUNT"), len(r("COMMAND")))
        self.assertEqual(len(r("COMMAND", "DOCS")), len(r("COMMAND")))
        for words in (("AUTH", "x"), ("AUTH", "default", "x"), ("HELLO", 3, "AUTH", "default", "x")):
            self.assertIn("permissions of its socket", str(r(*words)))
        info = dict(line.split(":", 1) for line in r("INFO").decode().split("\r\n") if ":" in line)
        self.assertEqual((info["connected_clients"], info["db0"]), ("1", "keys=1,expires=0,avg_ttl=0"))
        self.assertEqual(r("INFO", "clients").split(b"\r\n")[0], b"# Clients")
        self.assertEqual(r("RESET"), Status("RESET"))
        self.assertIsNone(r("CLIENT", "GETNAME"))
        self.assertEqual(r("BF.EXISTS", "f", "alice"), 1)
        self.assertIsInstance(r("HELLO"), list)
        self.assertEqual(r("QUIT"), OK)
        with self.assertRaises(ConnectionError):
            r("PING")

    def test_lines_as_people_type_them(self):
        self.build("f.seen", "al ice", "tab\there")
        server = self.serve("f=f.seen")
        self.assertEqual(self.raw(server, b'BF.EXISTS f "al ice"\r\n\r\nbf.exists  f \'al ice\'\nBF.EXISTS f "tab\\there"\nBF.EXISTS f "\\x61l"\n'),
                         b":1\r\n:1\r\n:1\r\n:0\r\n")
        self.assertEqual(self.raw(server, b"*0\r\n*-1\r\n*1\r\n$4\r\nPING\r\n"), b"+PONG\r\n")

    def test_what_breaks_the_rules_ends_the_connection_alone(self):
        self.build("f.seen", "alice")
        server = self.serve("--max-request", "100k", "--max-item", "50k", "f=f.seen")
        wrong = "-ERR Protocol error: {}\r\n"
        for data, told in {
            b"*1\r\n:1\r\n": "expected '$', got ':'",
            b"*x\r\n": "invalid multibulk length",
            b"*01\r\n$4\r\nPING\r\n": "invalid multibulk length",
            b"*1048577\r\n": "invalid multibulk length",
            b"*" + b"1" * 40: "too big mbulk count string",
            b"*1\r\n$" + b"1" * 40: "too big bulk count string",
            b"*1\r\n$-1\r\n": "invalid bulk length",
            b"*1\r\n$9223372036854775807\r\n": "invalid bulk length",
            b"*1\r\n$50001\r\n": "invalid bulk length",
            b"*1\r\n$4\r\nPINGPONG": "a bulk string is longer than its length says",
            b'PING "x\r\n': "unbalanced quotes in request",
            b'PING "x"y\r\n': "unbalanced quotes in request",
            b"P" * 70_000: "too big inline request",
            b"*3\r\n" + b"$50000\r\n" + b"x" * 50000 + b"\r\n$50000\r\n": "too big request",
        }.items():
            with self.subTest(data[:20]):
                self.assertEqual(self.raw(server, b"PING\r\n" + data), b"+PONG\r\n" + wrong.format(told).encode())
        self.assertEqual(self.raw(server, b"POST / HTTP/1.1\r\nHost: x\r\nPING\r\n").count(b"\r\n"), 1)
        self.assertEqual(server.connect()("BF.EXISTS", "f", "alice"), 1)

    def test_malformed_requests_end_nothing(self):
        self.build("f.seen", "alice", options=("-n", 1000))
        server = self.serve("--directory", ".", "--max-memory", "64M", "f=f.seen")
        at = random.Random(22)
        parts = [encoded(w) for w in (("PING",), ("BF.ADD", "f", "x"), ("BF.MEXISTS", "f", *range(20)), ("BF.INFO", "f"), ("HELLO", 3),
                                      ("CF.RESERVE", "c", 100), ("CF.INSERT", "c", "ITEMS", "a", "b"), ("BF.LOADCHUNK", "l", 1, "x" * 50),
                                      ("SCAN", 0, "MATCH", "[a-"), ("COMMAND", "INFO", "x"), ("CLIENT", "SETNAME", "x"), ("DEL", "c"),
                                      ("BF.RESERVE", "r", "nan", "1e18"), ("BF.INSERT", "q", "CAPACITY", 2**63, "ITEMS"))]  # fmt: skip
        pieces = [b"*", b"$", b"-1", b"0", b"\r\n", b"\r", b"\n", b"\0", b'"', b"99999999999999999999", b"2147483648", b" ", b"\xff"]
        witness = server.connect()
        for i in range(MALFORMED):
            data = bytearray(b"".join(at.choice(parts) for _ in range(at.randrange(1, 4))))
            for _ in range(at.randrange(1, 6)):
                where = at.randrange(len(data) + 1)
                data[where:where + at.randrange(4)] = at.choice(pieces) if at.randrange(2) else bytes([at.randrange(256)])
            s = socket.socket(socket.AF_UNIX)
            with s:
                s.connect(server.path)
                cut = at.randrange(len(data) + 1)
                try:
                    s.sendall(data[:cut])
                    s.sendall(data[cut:])
                    if at.randrange(2):
                        s.shutdown(socket.SHUT_WR)
                        while s.recv(65536):
                            pass
                except OSError:
                    pass
            if i % 100 == 0:
                self.assertEqual(witness("BF.EXISTS", "f", "alice"), 1)
        self.assertTrue(server.is_alive(), server.log())
        self.until(lambda: b"connected_clients:1\r\n" in witness("INFO", "clients"))
        self.stop(server)

    def test_many_clients_at_once(self):
        self.build("f.seen", options=("-n", 100_000))
        server = self.serve("--threads", 3, "f=f.seen")
        clients = [server.connect() for _ in range(64)]
        for round in range(5):
            for i, each in enumerate(clients):
                each.send(*(("BF.ADD", "f", f"{i}-{round}-{n}") for n in range(50)), ("BF.MEXISTS", "f", *(f"{i}-{round}-{n}" for n in range(50))))
            for each in clients:
                for _ in range(50):
                    self.assertIn(each.read(), (0, 1))
                self.assertEqual(each.read(), [1] * 50)
        self.assertIn(b"connected_clients:64\r\n", clients[0]("INFO", "clients"))

    def test_no_more_clients_than_the_limit(self):
        self.build("f.seen", "alice")
        server = self.serve("--max-clients", 3, "f=f.seen")
        clients = [server.connect() for _ in range(3)]
        for each in clients:
            self.assertEqual(each("PING"), Status("PONG"))
        self.assertEqual(self.raw(server, b""), b"-ERR max number of clients reached\r\n")
        clients[0].close()
        self.until(lambda: self.raw(server, b"PING\r\n") == b"+PONG\r\n")

    def test_a_client_that_does_not_read_costs_little_and_nobody_waits_for_it(self):
        self.build("f.seen", "alice")
        server = self.serve("--threads", 1, "f=f.seen")
        other = server.connect()
        slow = socket.socket(socket.AF_UNIX)
        self.addCleanup(slow.close)
        slow.connect(server.path)
        slow.setblocking(False)
        request, sent = encoded(("ECHO", "x" * 100_000)), 0
        stuck = 0
        while stuck < 50:  # until the server has read nothing while it answered somebody else fifty times
            try:
                sent += slow.send(request[sent % len(request):])
                stuck = 0
            except BlockingIOError:
                self.assertEqual(other("BF.EXISTS", "f", "alice"), 1)
                stuck += 1
        used = int(dict(line.split(b":") for line in other("INFO", "memory").split(b"\r\n") if b":" in line)[b"used_memory"])
        self.assertLess(used, 8 << 20)
        slow.setblocking(True)
        rest = request[sent % len(request):] if sent % len(request) else b""
        threading.Thread(target=slow.sendall, args=(rest,)).start()
        count = (sent + len(rest)) // len(request)
        file = slow.makefile("rb")
        for _ in range(count):  # and when it reads, nothing is missing
            self.assertEqual(file.readline(), b"$100000\r\n")
            self.assertEqual(len(file.read(100_002)), 100_002)
        file.close()

    def test_memory_for_requests_is_bounded(self):
        self.build("f.seen", "alice")
        server = self.serve("--max-memory", "4M", "f=f.seen")
        hogs = []
        other = server.connect()
        for _ in range(20):
            s = socket.socket(socket.AF_UNIX)
            self.addCleanup(s.close)
            s.connect(server.path)
            hogs.append(s)
            try:
                s.sendall(b"*2\r\n$4\r\nECHO\r\n$1000000\r\n" + b"x" * 900_000)
            except OSError:
                pass  # let go already
            self.assertEqual(other("BF.EXISTS", "f", "alice"), 1)
        told = b""
        try:
            told = hogs[-1].recv(100)
        except ConnectionResetError:
            pass
        self.assertIn(told, (b"", b"-ERR no memory for so long a request\r\n"))

    def test_memory_for_filters_is_bounded(self):
        r = self.serve("--max-memory", "4M", "--directory", ".").connect()
        self.assertEqual(r("BF.RESERVE", "big", 0.0001, 1 << 30), Error("ERR Insufficient memory to create filter"))
        made = 0
        while r("BF.RESERVE", f"f{made}", 0.01, 500_000) == OK:
            made += 1
        self.assertIn(made, range(3, 8))
        self.assertEqual(r("DEL", "f0"), 1)
        self.assertEqual(r("BF.RESERVE", "f0", 0.01, 500_000), OK)

    def test_loopback_and_nothing_else(self):
        self.build("f.seen", "alice")
        server = self.serve("--port", 0, "f=f.seen")
        addresses = [server.ready, server.process.stdout.readline().decode()]
        self.assertEqual(addresses[0], f"ready at {server.path}\n")
        self.assertRegex(addresses[1], r"^ready at 127\.0\.0\.1:\d+\n$")
        r = Stream(int(addresses[1].rsplit(":")[-1]))
        self.addCleanup(r.close)
        self.assertEqual(r("BF.EXISTS", "f", "alice"), 1)
        self.assertEqual(os.stat(server.path).st_mode & 0o777, 0o600)

    def test_a_socket_that_was_left_behind_is_replaced_and_one_in_use_is_not(self):
        self.build("f.seen", "alice")
        self.build("g.seen", "alice")
        server = self.serve("f=f.seen")
        self.seen("serve", "--unix", server.path, "g=g.seen", status=3, err=".*another server is there\n")
        self.assertEqual(server.connect()("PING"), Status("PONG"))
        server.kill()
        self.assertTrue(os.path.exists(server.path))
        server.restart()
        self.assertEqual(server.connect()("PING"), Status("PONG"))
        self.stop(server)
        self.assertFalse(os.path.exists(server.path))


if __name__ == "__main__":
    main()
