"""--json everywhere: one document of what was done, and errors, warnings and remarks as objects."""

import fcntl
import json
import threading
import time

from support import CommandTest, lines, main


class Outcome(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", *range(100), options=("--kind", "bloom", "-n", "1000"))
        self.build("g", *range(50, 150), options=("--kind", "bloom", "-n", "1000"))

    def document(self, *args, **more):
        """The only document on stdout; it ends with what `info` says of the file."""
        return self.seen(*args, "--json", err="", **more).json()

    def check(self, document, file, **first):
        members = list(document)
        self.assertEqual({k: document[k] for k in ("file", *first)}, {"file": file, **first})
        self.assertEqual(members[:1 + len(first)], ["file", *first])
        info = self.info(file)
        for name in members[1 + len(first):]:
            if name != "huge_page_bytes":
                self.assertEqual(document[name], info[name], name)
        for name in ("format", "kind", "shape", "keys", "bytes", "fpr_now", "health"):
            self.assertIn(name, document)

    def test_every_verb_that_makes_or_changes_a_filter(self):
        self.check(self.document("build", "-o", "n", stdin=lines(1, 2, 3)), "n", keys_read=3)
        self.check(self.document("build", "-q", "-o", "s", "--kind", "ribbon", stdin=lines(1, 2, 2)), "s", keys_read=3)
        self.check(self.document("add", "n", stdin=lines(4)), "n", keys_added=1)
        self.check(self.document("merge", "-o", "m", "f", "g"), "m", filters=["f", "g"])
        self.check(self.document("intersect", "-o", "i", "f", "g"), "i", filters=["f", "g"])
        converted = self.document("convert", "--to", "native", "-o", "c", "f")
        self.assertEqual(converted.pop("from"), "native")
        self.check(converted, "c")
        shrunk = self.document("shrink", "-p", "0.1", "f")
        self.check(shrunk, "f", bytes_before=shrunk["bytes_before"], fpr_before=shrunk["fpr_before"])
        self.assertLess(shrunk["bytes"], shrunk["bytes_before"])
        self.build("cuckoo", *range(10), options=("--kind", "cuckoo"))
        done = self.seen("remove", "cuckoo", "--json", stdin=lines(1, 2, "x"))
        self.check(done.json(), "cuckoo", keys_removed=2, keys_missing=1)
        self.assertEqual(json.loads(done.err), {"remark": "cuckoo: 1 of 3 keys was not there"})

    def test_a_filter_on_stdout_leaves_no_room_for_a_document(self):
        for args in (("build", "-o", "-"), ("merge", "-o", "-", "f", "g"), ("shrink", "-p", "0.1", "-o", "-", "f"),
                     ("convert", "--to", "native", "-o", "-", "f")):
            done = self.seen(*args, "--json", status=2, out=b"", stdin=lines(1))
            self.assertEqual(json.loads(done.err)["error"]["message"],
                             "--json: standard output takes the filter (-o -), and cannot take a document, too")

    def test_errors_are_objects_even_of_the_command_line(self):
        self.write("broken", self.read("f")[:-1])
        self.write("a\"b\n", b"no filter" * 20)
        for status, code, file, args in (
                (2, "io", "nowhere", ("info", "nowhere")), (2, "corrupt", "broken", ("query", "broken")),
                (2, "not_recognised", "a\"b\n", ("query", "a\"b\n")), (2, "exists", "g", ("merge", "-o", "g", "f", "f")),
                (2, "invalid_argument", None, ("info", "--nonsense", "f")), (2, "invalid_argument", None, ("add",)),
                (2, "invalid_argument", None, ("query",)), (2, "invalid_argument", None, ("nonsense",))):
            with self.subTest(args):
                done = self.seen(*args, "--json", status=status, out=b"", stdin=b"")
                self.assertEqual(done.err.count("\n"), 1)
                error = json.loads(done.err)["error"]
                self.assertEqual(error["code"], code, error)
                self.assertEqual(set(error), {"code", "message"})
                self.assertIn(file or "", error["message"])

    def test_warnings_are_objects(self):
        self.seen("add", "-q", "g", stdin=lines(*range(5000)))
        done = self.seen("query", "g", "--json", stdin=lines(1))
        self.assertRegex(json.loads(done.err)["warning"], r"\Ag: too full: its rate is 0\.\d+, and 0\.01 was asked")

    def test_verify_prints_a_document_for_a_file_that_is_broken(self):
        self.write("broken", self.read("f")[:-1])
        done = self.seen("verify", "--json", "broken", status=2)
        self.assertEqual(done.json(), {"file": "broken", "error": {k: v for k, v in json.loads(done.err)["error"].items()}})
        self.assertEqual(done.json()["error"]["code"], "corrupt")

    def test_verify_compares_with_the_rate_asked_for(self):
        self.write("keys", lines(*range(5000)))
        self.build("full", options=("--kind", "bloom", "-n", "500"))
        self.seen("add", "-q", "full", "keys")
        done = self.seen("verify", "full", "keys", err="")
        self.assertRegex(done.out.decode(), r"expected 0?\.?\d+: as expected; more than the 0\.01 that was asked for 500 keys\n")
        self.assertEqual(self.seen("verify", "--json", "full", "keys", err="").json()["fpr"]["asked"], 0.01)
        self.write("few", lines(*range(100)))
        self.assertNotIn(b"asked", self.seen("verify", "f", "few", err="").out)


class Busy(CommandTest):
    def test_waiting_for_another_process(self):
        self.build("f", "a", options=("--kind", "cuckoo", "-n", "100"))
        for verb in ("add", "remove"):
            with open(self.path("f"), "rb") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                self.refuses(r"f: another process is changing it \(--wait waits\)", verb, "f", status=3, stdin=lines("a"))
                began = time.monotonic()
                self.refuses("f: another process is changing it", verb, "f", "--wait=1", status=3, stdin=lines("a"))
                self.assertGreaterEqual(time.monotonic() - began, 1)
                self.refuses("--wait: \"soon\" is not a duration", verb, "f", "--wait=soon", stdin=lines("a"))
                threading.Timer(0.3, lambda: fcntl.flock(held, fcntl.LOCK_UN)).start()
                self.seen(verb, "-q", "f", "--wait", stdin=lines("a"), out=b"", err="")
            self.seen(verb, "-q", "f", "--wait=1m", stdin=lines("a"), out=b"", err="")

    def test_busy_in_json(self):
        self.build("f", "a")
        with open(self.path("f"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            done = self.seen("add", "f", "--json", status=3, out=b"", stdin=lines("b"))
        self.assertEqual(json.loads(done.err)["error"]["code"], "busy")


if __name__ == "__main__":
    main()
