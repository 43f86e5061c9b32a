"""Files beyond 16 MiB: query and info map them and check the header; --check reads them whole; add changes them in place."""

import fcntl
import os
import shutil
import signal
import subprocess

from support import SEEN, CommandTest, lines, main

LARGE = ("-n", "15000000", "-p", "0.01")  # 17 MiB


class Query(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", *range(100), options=LARGE)
        self.assertGreater(len(self.read("f")), 16 << 20)

    def damage(self, at):
        data = bytearray(self.read("f"))
        data[at] ^= 0x10
        self.write("f", data)

    def test_it_answers(self):
        self.seen("query", "f", stdin=lines("x", *range(100)), out=lines(*range(100)), err="")
        self.seen("query", "--check", "f", stdin=lines("x", *range(100)), out=lines(*range(100)), err="")

    def test_a_damaged_body_is_found_by_check_alone(self):
        self.damage(-100_000)
        self.seen("query", "f", stdin=lines(*range(100)), out=lines(*range(100)), err="")
        self.refuses("f: offset .* do not match their checksum", "query", "--check", "f", stdin=lines("1"))

    def test_a_damaged_header_is_always_found(self):
        self.damage(60)
        self.refuses("f: offset .*the header's checksum", "query", "f", stdin=lines("1"))

    def test_a_file_cut_short_is_always_found(self):
        self.write("f", self.read("f")[:-8])
        self.refuses("f: offset 16: the header says .* bytes, the file has", "query", "f", stdin=lines("1"))

    def test_a_keyed_one_needs_its_secret(self):
        self.build("k", "x", options=(*LARGE, "--hash", "siphash-1-3", "--new-secret", "key"))
        self.refuses(r"k: .*\(--secret-file FILE\)", "query", "k", stdin=lines("x"))
        self.seen("query", "k", "--secret-file", "key", stdin=lines("x", "y"), out=lines("x"), err="")

    def test_one_that_is_too_full_says_so(self):
        """The header tells, and no page of the body is touched for that."""
        keys = subprocess.run(["seq", "4000000"], stdout=subprocess.PIPE, check=True).stdout
        self.seen("build", "-q", "-f", "-o", "f", "--kind", "bloom", "-n", "3000000", "-p", "1e-12", stdin=keys)
        self.assertGreater(os.path.getsize(self.path("f")), 16 << 20)
        self.seen("query", "f", "-e", "7", out=b"7\n",
                  err=r"seen: warning: f: too full: its rate is [\d.e-]+, and 1e-12 was asked for 3,000,000 keys \(-n\); "
                      r"it holds about [\d,]+\n")
        self.seen("query", "-s", "f", "-e", "7", out=b"7\n", err="")


class Info(CommandTest):
    def test_the_header_tells_how_full_it_is(self):
        for kind in "bloom", "partitioned-bloom", "blocked-bloom", "split-block":
            with self.subTest(kind):
                self.build("f", *range(100_000), options=("-f", "--kind", kind, "-n", "15000000"))
                quick, deep = self.info("f"), self.info("f", "--deep")
                self.assertEqual((quick["counted"], deep["counted"]), (False, True))
                self.assertEqual((quick["verified"], deep["verified"]), (False, True))
                for field in "kind", "shape", "keys", "fill", "target", "saturated", "bytes", "hash":
                    self.assertEqual(quick[field], deep[field], field)
                self.assertLess(quick["fpr_now"], 1e-9)
                text = self.seen("info", "f", err="").out.decode()
                self.assertRegex(text, r"keys      about 100,0\d\d of 15,000,000 planned|about 99,9")
                self.assertRegex(text, r"its header is whole, its body was not read \(--deep\)")

    def test_kinds_that_have_to_be_counted_say_so(self):
        self.build("f", *range(100), options=("--kind", "counting-bloom", "-n", "5000000"))
        self.assertEqual([self.info("f")[field] for field in ("keys", "fill", "fpr_now", "health")], [None] * 4)
        self.assertIn(b"keys      not counted (--deep) of 5,000,000 planned\n", self.seen("info", "f", err="").out)
        self.assertAlmostEqual(self.info("f", "--deep")["keys"], 100, delta=5)
        self.seen("info", "--alert", "f", out=b"", err="")

    def test_exact_counts_are_in_the_header(self):
        for kind in "quotient", "cuckoo":
            with self.subTest(kind):
                self.build("f", *range(1000), options=("-f", "--kind", kind, "-n", "20000000"))
                self.assertEqual(self.info("f")["keys"], 1000)
                self.assertEqual(self.info("f")["keys_exact"], True)

    def test_alarms_come_from_the_header_too(self):
        self.build("f", *range(3_000_000), options=("--kind", "bloom", "-n", "20000000", "-p", "0.001"))
        self.seen("info", "--alert", "f", out=b"", err="")

    def test_verify_quick(self):
        self.build("f", *range(100), options=LARGE)
        self.seen("verify", "--quick", "f", err="",
                  out=b"f: the header's checksums match; the body was not read (--quick)\n")
        data = bytearray(self.read("f"))
        data[-100_000] ^= 1
        self.write("f", data)
        self.seen("verify", "--quick", "f", err="")
        self.refuses("f: offset", "verify", "f")


class Add(CommandTest):
    def setUp(self):
        super().setUp()
        self.build("f", *range(100), options=LARGE)

    def inode(self):
        return os.stat(self.path("f")).st_ino

    def test_few_keys_change_the_file_in_place(self):
        for kind in "bloom", "partitioned-bloom", "blocked-bloom", "split-block":
            with self.subTest(kind):
                plan = ("-f", "--kind", kind, "-n", "15000000", "--metadata", "note")
                self.build("f", *range(100), options=plan)
                self.build("g", *range(130), options=plan)
                before = self.inode()
                self.seen("add", "f", stdin=lines(*range(100, 130)), out=b"",
                          err=r"seen: f: 30 keys added, holds about 13\d, rate \S+\n")
                self.assertEqual(self.inode(), before)
                self.assertEqual(self.read("f"), self.read("g"))
                self.assertEqual(sorted(os.listdir(self.dir)), ["f", "g"])

    def test_many_keys_replace_it(self):
        self.build("g", *range(5000), options=LARGE)
        before = self.inode()
        self.seen("add", "-q", "f", stdin=lines(*range(100, 5000)), out=b"", err="")
        self.assertNotEqual(self.inode(), before)
        self.assertEqual(self.read("f"), self.read("g"))

    def test_other_kinds_replace_it(self):
        self.build("g", 1, options=("--kind", "counting-bloom", "-n", "5000000"))
        self.seen("add", "-q", "g", stdin=lines(2), out=b"", err="")
        self.holds("g", 1, 2)

    def test_a_list_that_cannot_be_read_changes_nothing(self):
        self.refuses("line 2: ", "add", "--hex", "f", stdin=lines("aa", "zz"))

    def test_no_keys_change_nothing(self):
        before = self.read("f")
        self.seen("add", "-q", "f", stdin=b"", out=b"", err="")
        self.assertEqual(self.read("f"), before)

    def test_damage_is_not_sealed_over(self):
        data = bytearray(self.read("f"))
        for at in range(1 << 16, len(data) - 4096, 1 << 16):  # every page
            data[at] ^= 1
        self.write("f", data)
        self.refuses("f: offset .* do not match their checksum", "add", "f", stdin=lines("x"))

    def test_while_another_process_changes_it(self):
        with open(self.path("f"), "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.seen("add", "f", stdin=lines("x"), status=3, out=b"", err="seen: f: another process is changing it.*\n")

    def test_keyed(self):
        self.build("k", "x", options=(*LARGE, "--hash", "siphash-1-3", "--new-secret", "key"))
        self.refuses(r"k: .*\(--secret-file FILE\)", "add", "k", stdin=lines("y"))
        self.seen("add", "-q", "k", "--secret-file", "key", stdin=lines("y"), err="")
        self.holds("k", "x", "y", options=("--secret-file", "key"))

    def test_an_unsealed_file_is_sealed_by_the_next_add(self):
        self.build("g", *range(101), options=LARGE)
        self.write("f", self.read("f").replace(b"sealed!\n", b"unsealed"))
        self.holds("f", *range(100))
        self.seen("add", "f", stdin=lines(100), out=b"",
                  err="seen: warning: f: a program that added keys to it was ended .*\nseen: f: 1 key added, .*\n")
        self.assertEqual(self.read("f"), self.read("g"))


class Killed(CommandTest):
    """SIGKILL at every system call of an add in place: every old key is there, and the next add makes the file whole."""

    def test_case_27_at_every_call(self):
        if shutil.which("strace") is None or self.traced("inject=close:error=EIO:when=1", "true").returncode != 0:
            self.skip_unless_ci("strace does not work here")
        self.build("f", *range(100), options=LARGE)
        old = self.read("f")
        self.build("g", *range(101), options=LARGE)
        self.build("h", *range(102), options=LARGE)
        new, next_one = self.read("g"), self.read("h")
        self.write("keys", lines(100))
        self.write("more", lines(101))
        log = self.traced(None, SEEN, "add", "-q", "f", "keys").stderr.decode().splitlines()
        self.assertEqual(self.read("f"), new)
        calls, counts, opened = [], {}, False
        for line in log:
            name = line.split("(")[0]
            if not name.isidentifier():
                continue
            counts[name] = counts.get(name, 0) + 1
            opened = opened or name == "flock"
            if opened and name in ("pwrite64", "pread64", "msync", "fsync", "mmap", "munmap", "flock", "close", "write"):
                calls.append((name, counts[name]))
        order = [name for name, _ in calls if name in ("pwrite64", "msync", "fsync", "rename")]
        self.assertEqual(order, ["pwrite64", "fsync", "msync", "pwrite64", "pwrite64", "fsync", "pwrite64", "fsync"])
        seen_states = set()
        for name, n in calls:
            with self.subTest(f"{name} number {n}"):
                self.write("f", old)
                done = self.traced(f"inject={name}:signal=KILL:when={n}", SEEN, "add", "-q", "f", "keys")
                self.assertIn(done.returncode, (-signal.SIGKILL, 137))
                now = self.read("f")
                seen_states.add("old" if now == old else "new" if now == new else "unsealed")
                if now not in (old, new):
                    self.assertIn(b"unsealed", now[:4096])
                self.seen("query", "-c", "f", stdin=lines(*range(100)), out=b"100\n", err="")
                self.seen("add", "-q", "f", "keys", "more", err="")
                self.assertEqual(self.read("f"), next_one)
        self.assertEqual(seen_states, {"old", "unsealed", "new"})

    def test_a_call_that_fails_is_told_and_loses_nothing(self):
        if shutil.which("strace") is None or self.traced("inject=close:error=EIO:when=1", "true").returncode != 0:
            self.skip_unless_ci("strace does not work here")
        self.build("f", *range(100), options=LARGE)
        old = self.read("f")
        self.write("keys", lines(100))
        for name, n in [("fsync", 1), ("msync", 1), ("fsync", 2), ("fsync", 3)]:
            with self.subTest(f"{name} number {n}"):
                self.write("f", old)
                done = self.traced(f"inject={name}:error=EIO:when={n}", SEEN, "add", "-q", "f", "keys")
                self.assertEqual(done.returncode, 2)
                self.assertIn(b"seen: f: ", done.stderr)
                self.seen("query", "-c", "f", stdin=lines(*range(100)), out=b"100\n", err="")

    def traced(self, inject, *command):
        options = ["-e", inject] if inject else []
        env = dict(self.env, ASAN_OPTIONS="detect_leaks=0")  # the leak check does not work under ptrace
        return subprocess.run(["strace", "-f", *options, *command], cwd=self.dir, env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60)


if __name__ == "__main__":
    main()
