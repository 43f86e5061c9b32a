"""SF.*: filters that were built elsewhere, as bytes and as files of the server's machine."""

import os
import shutil
import tempfile
import unittest

import case
import resp
from case import GOLDEN, MODULE, OK, WRONG_TYPE, Case, arity, dump, load
from resp import Error

NATIVE = os.path.join(GOLDEN, "native-1")
STATIC = ("ribbon", "binary-fuse", "xor-sharded", "ribbon-sharded")
KEYS = [f"key-{i}" for i in range(1000)]  # that every file of the folder has
LOST = Error("ERR the file ribbon.seen is not in the folder of filters, or is another one")


def content(name):
    with open(os.path.join(NATIVE, name + ".seen"), "rb") as file:
        return file.read()


class Bytes(Case):
    def test_static_filters_are_loaded_and_asked(self):
        for name in (*STATIC, "blocked-bloom", "cuckoo"):
            with self.subTest(name):
                self.assertEqual(self.r("SF.LOAD", "f", "BYTES", content(name)), OK)
                self.assertEqual(self.r("SF.MEXISTS", "f", *KEYS), [1] * 1000)
                self.assertLess(sum(self.r("SF.MEXISTS", "f", *range(5000))), 100)
                payload = self.r("DUMP", "f")
                self.assertEqual(self.r("COPY", "f", "copy", "REPLACE"), 1)
                self.assertEqual(self.r("DUMP", "copy"), payload)
                self.assertEqual(self.r("DEBUG", "RELOAD"), OK)
                self.assertEqual(self.r("DUMP", "f"), payload)
                self.r("DEL", "copy")
                self.assertEqual(load(self.r, "SF", "copy", dump(self.r, "SF", "f")), OK)
                self.assertEqual(self.r("DUMP", "copy"), payload)

    def test_replies_and_errors(self):
        self.check([
            (["SF.LOAD", "f", "BYTES", content("ribbon")], OK),
            ("SF.EXISTS f key-7", 1, True),
            ("SF.EXISTS missing key-7", 0, False),
            ("SF.EXISTS text key-7", 0, False),
            ("SF.MEXISTS f key-7 key-8", [1, 1], [True, True]),
            ("SF.MEXISTS missing a", [0], [False]),
            ("SF.INFO missing", Error("ERR not found")),
            ("SF.INFO text", WRONG_TYPE),
            (["SF.LOAD", "text", "BYTES", content("ribbon")], WRONG_TYPE),
            ("BF.ADD f a", WRONG_TYPE),
            ("BF.EXISTS f key-7", 0, False),
            ("SF.LOAD f NONSENSE x", Error("Unknown argument received")),
            ("SF.LOAD f FILE ribbon.seen", Error("ERR no folder of filters is configured (sf-directory)")),
            ("SF.LOAD f", arity("SF.LOAD")),
            ("SF.EXISTS f", arity("SF.EXISTS")),
            ("SF.MEXISTS f", arity("SF.MEXISTS")),
            ("SF.INFO f f", arity("SF.INFO")),
        ])  # fmt: skip
        told = self.clients[3]("SF.INFO", "f")
        self.assertEqual({**told, b"Rate": None}, {b"Kind": b"ribbon", b"Size": 960, b"Rate": None, b"File": None})
        self.assertTrue(0.005 < told[b"Rate"] < 0.02, told)
        self.assertEqual([float(each) if i == 5 else each for i, each in enumerate(self.r("SF.INFO", "f"))], [each for pair in told.items() for each in pair])
        for bad in (b"", b"x", content("ribbon")[:-1], content("ribbon")[:500] + b"?" + content("ribbon")[501:]):
            self.assertIsInstance(self.r("SF.LOAD", "f", "BYTES", bad), Error)
        self.assertEqual(self.r("SF.EXISTS", "f", "key-7"), 1)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="seen-filters-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        for name in STATIC:
            shutil.copy(os.path.join(NATIVE, name + ".seen"), self.folder)
        self.server = resp.Server(MODULE, "--appendonly", "yes", "--aof-use-rdb-preamble", "no", "--repl-diskless-sync-delay", "0",
                                  arguments=("sf-directory", self.folder), listens=True)
        self.addCleanup(self.server.end)
        self.r = self.server.connect()

    def test_a_file_is_asked_where_it_lies_by_everybody(self):
        r = self.r
        replica = resp.Server(MODULE, "--replicaof", "127.0.0.1", str(self.server.port), arguments=("sf-directory", self.folder))
        self.addCleanup(replica.end)
        for name in STATIC:
            self.assertEqual(r("SF.LOAD", name, "FILE", name + ".seen"), OK)
            self.assertEqual(r("SF.MEXISTS", name, *KEYS), [1] * 1000)
            self.assertLess(len(r("DUMP", name)), 300)
            self.assertIn((name + ".seen").encode(), r("SF.INFO", name))
        payloads = [r("DUMP", name) for name in STATIC]
        for how in (("DEBUG", "RELOAD"), ("DEBUG", "LOADAOF")):
            self.assertEqual(r(*how), OK)
            self.assertEqual([r("DUMP", name) for name in STATIC], payloads)
        r("BGREWRITEAOF")
        while b"aof_rewrite_in_progress:1" in r("INFO", "persistence"):
            pass
        self.assertEqual(r("DEBUG", "LOADAOF"), OK)
        self.assertEqual([r("DUMP", name) for name in STATIC], payloads)
        there = replica.connect()
        while [there("DUMP", name) for name in STATIC] != payloads:
            self.assertTrue(replica.is_alive())
        self.assertEqual(there("SF.MEXISTS", "ribbon", *KEYS), [1] * 1000)

    def test_a_file_that_is_gone_or_another_one_is_told(self):
        self.assertEqual(self.r("SF.LOAD", "f", "FILE", "ribbon.seen"), OK)
        payload = self.r("DUMP", "f")
        path = os.path.join(self.folder, "ribbon.seen")
        for change in (os.unlink, lambda path: shutil.copy(os.path.join(NATIVE, "xor.seen"), path)):
            change(path)
            self.server.restart()
            r = self.server.connect()
            self.assertEqual(r("SF.EXISTS", "f", "key-7"), LOST)
            self.assertEqual(r("SF.MEXISTS", "f", "key-7"), LOST)
            self.assertEqual(r("SF.INFO", "f"), LOST)
            self.assertEqual(r("DUMP", "f"), payload)
            self.assertEqual(r("COPY", "f", "g"), 1)
            r("DEL", "g")
        shutil.copy(os.path.join(NATIVE, "ribbon.seen"), path)
        self.server.restart()
        self.assertEqual(self.server.connect()("SF.EXISTS", "f", "key-7"), 1)

    def test_only_files_of_the_folder(self):
        for name in ("missing.seen", "../x", "/etc/passwd", ".hidden", "", "a/b"):
            self.assertIn("ERR ", str(self.r("SF.LOAD", "f", "FILE", name)))
        for words in (("CHECK", 1), ("CHECK", "x", 1), ("NONSENSE", 1, 2)):
            self.assertIsInstance(self.r("SF.LOAD", "f", "FILE", "ribbon.seen", *words), Error)
        self.assertIn("another file", str(self.r("SF.LOAD", "f", "FILE", "ribbon.seen", "CHECK", 1, 2)))
        self.assertEqual(self.r("EXISTS", "f"), 0)


if __name__ == "__main__":
    case.run()
