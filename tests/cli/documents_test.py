"""The commands that documents print: each is run as it stands there, over files that the libraries themselves wrote."""

import gzip
import json
import os
import pathlib
import re
import struct
import subprocess
import sys

from support import SEEN, CommandTest, lines, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden"
KEYS = json.loads((GOLDEN / "keys.json").read_text())
TEXTS = [key for key in map(bytes.fromhex, KEYS["added_hex"]) if key.isascii() and re.fullmatch(rb"[ -~]+", key)]
NUMBERS = KEYS["u64_added"]
GUAVA = [("guava/n137p0.01.guava", "users.bloom"), ("guava/utf16_n137p0.01.guava", "names.bloom"),
         ("guava/long_n100p0.02.guava", "ids.bloom")]
# The files that a section of docs/coming_from.md speaks of.
FILES = {
    "The same for all": GUAVA,
    "bits-and-blooms": [("bits-and-blooms/n137p01.bin", "users.bloom")],
    "phrozen/bloom": [("phrozen/n137p01.bin", "users.bloom")],
    "The portable lab format": [("portable/n137p0.01.bloom", "users.bloom")],
    "Guava": GUAVA,
    "RedisBloom": [("redisbloom/bf_n30_p0.01_exp2_scaled.rdbdump", "users.dump")],
    "DCSO/bloom and flor": [("dcso/n137p01_data.bloom", "users.bloom.gz")],
    "pybloom, pybloom_live": [("pybloom-live/n137p0.1.bloom", "users.bloom"),
                              ("pybloom-live/md5_n137p0.1.bloom", "old.bloom")],
    "FastFilter": [("xorfilter-go/binaryfuse8.bin", "ids.bin")],
    "RocksDB": [("rocksdb/table_fastlocal_bpk10.sst", "000012.sst")],
}


def sections(document):
    """Title and text of each section of a page."""
    return [part.split("\n", 1) for part in re.split(r"^## ", (ROOT / document).read_text(), flags=re.M)[1:]]


def indented(text):
    return [line[4:] for line in text.split("\n") if line.startswith("    ")]


class DocumentTest(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.symlink(SEEN, self.path("bin/seen"))
        self.env["PATH"] = self.path("bin") + os.pathsep + self.env["PATH"]

    def shell(self, command):
        """What a command prints on stdout; it must succeed."""
        done = subprocess.run(command, shell=True, cwd=self.dir, env=self.env, capture_output=True)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stderr.decode()}")
        return done.stdout

    def transcript(self, block, status=(0,)):
        """Runs the commands after `$ ` and compares what they print, messages last, with what stands there."""
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M):
            done = subprocess.run(command, shell=True, cwd=self.dir, env=self.env, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            self.assertIn(done.returncode, status, command)
            self.assertEqual(done.stdout.decode(), expected, command)


class ComingFrom(DocumentTest):
    def place(self, source, name):
        data = (GOLDEN / source).read_bytes()
        self.write(name, gzip.compress(data) if name.endswith(".gz") else data)

    def prepare(self, title):
        for entry in os.listdir(self.dir):
            if entry != "bin":
                os.remove(self.path(entry))
        for source, name in FILES[title]:
            self.place(source, name)
        known = {"users.txt": TEXTS, "user-keys.txt": TEXTS, "names.txt": TEXTS, "ids.txt": NUMBERS}
        for name, keys in known.items():
            self.write(name, lines(*keys))
        self.write("candidates.txt", lines(*TEXTS[:20]))
        self.write("new-users.txt", lines("zoe", "yves"))
        self.write("new-ids.txt", lines(77, 78))
        if title == "Guava":  # longFunnel has signed numbers
            self.write("ids.txt", lines(*(n for n in NUMBERS if int(n) < 2**63)))
        if title == "phrozen/bloom":
            self.build("custom.bloom", *TEXTS, options=("--format", "phrozen", "--hash", "xxh64"))

    def test_every_command_works(self):
        done = 0
        for title, text in sections("docs/coming_from.md"):
            commands = [line for line in indented(text) if not line.startswith("redis-cli")]
            if not commands:
                continue
            with self.subTest(title):
                self.prepare(title)
                for command in commands:
                    printed = self.shell(command)
                    asked = re.search(r"^seen query.*< (\S+)", command)
                    if asked:  # keys that are in the file
                        self.assertEqual(printed, self.read(asked[1]), command)
                    done += 1
        self.assertGreater(done, 40)


class Guide(DocumentTest):
    def test_what_is_to_be_tried_prints_what_stands_there(self):
        text = dict(sections("docs/guide.md"))["Try it"]
        self.transcript(re.search(r"```\n(.*?)```", text, flags=re.S)[1])


class Command(DocumentTest):
    def test_what_plan_and_formats_print_stands_there(self):
        page = dict(sections("docs/command.md"))
        for verb in ("plan", "formats"):
            block = re.search(r"^    \$ seen .*\n(?:(?:    .*)?\n)*", page[verb], flags=re.M)[0]
            self.transcript(re.sub(r"^    ", "", block, flags=re.M).rstrip("\n") + "\n")


class WrongDescription(DocumentTest):
    """docs/formats/bits-and-blooms.md: a file of two little-endian numbers and the bits."""

    def test_it_is_refused_and_mended_as_the_page_says(self):
        text = dict(sections("docs/formats/bits-and-blooms.md"))["A file made from a wrong description"]
        self.build("real.bloom", "alice", "bob", "carol", options=("--format", "bits-and-blooms", "-n", 100))
        real = self.read("real.bloom")
        m, k, _ = struct.unpack(">QQQ", real[:24])
        words = struct.unpack(f">{(len(real) - 24) // 8}Q", real[24:])
        described = struct.pack("<QQ", m, k) + struct.pack(f"<{len(words)}Q", *words)
        self.write("users.txt", lines("alice", "bob", "carol"))
        for each in (described, described[:16 + (m + 7) // 8]):
            self.write("described.bloom", each)
            if each is described:
                self.transcript(re.search(r"```\n(.*?)```", text, flags=re.S)[1], status=(2,))
            mend = re.search(r"```python\n(.*?)```", text, flags=re.S)[1]
            subprocess.run([sys.executable, "-c", mend], cwd=self.dir, check=True)
            query, convert = indented(text)
            self.assertEqual(self.shell(query), self.read("users.txt"))
            self.shell(convert + " -f")
            self.assertEqual(self.read("users.bloom"), real)


if __name__ == "__main__":
    main()
