"""Go and Rust ask a file that they have mapped while C++ adds to it in place (map_writable).

    reader   maps a file of the kit, says "mapped", asks for keys that are not in it, again and again
    writer   adds them where they are, syncs, says "synced", waits
    reader   sees them all, says "found"; its map does not verify now, and nobody can map the file anew: "unsealed"
    writer   seals the file
    reader   verifies the map that it has had all along: "verified"

So what others see of a map is what docs/concurrency.md says, a changing answer and nothing worse. The drivers are those of the
matrix; a language that is missing there is missing here.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import matrix_test as matrix

FILES = ["bloom-text-1000", "blocked-bloom-text-1000", "split-block-text-1000"]
KEYS = "text:500000:3000"
TIMEOUT = 120  # seconds, of any one step


class Child:
    """A program that says one word per line, and continues when it is told to."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def says(self, word):
        line = self.process.stdout.readline().strip()
        if line != word:
            _, errors = self.process.communicate(timeout=TIMEOUT)
            raise RuntimeError(f"{' '.join(self.command)}: said {line!r}, not {word!r}; status {self.process.returncode}: {errors}")

    def goes_on(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def ends(self):
        _, errors = self.process.communicate(timeout=TIMEOUT)
        if self.process.returncode != 0:
            raise RuntimeError(f"{' '.join(self.command)}: status {self.process.returncode}: {errors}")

    def is_gone(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def ask_beside(reader, writer, path):
    children = []
    try:
        children.append(asking := Child(reader + ["beside", path, KEYS]))
        asking.says("mapped")
        children.append(adding := Child(writer + ["add", path, KEYS]))
        adding.says("synced")
        asking.says("found")
        asking.says("unsealed")
        adding.goes_on()
        adding.says("sealed")
        adding.ends()
        asking.goes_on()
        asking.says("verified")
        asking.ends()
    finally:
        for each in children:
            each.is_gone()


def main():
    readers, reasons, failed = {}, [], 0
    for name in ("Go", "Rust"):
        try:
            readers[name] = matrix.LANGUAGES[name]()
        except matrix.Missing as why:
            print(f"{name}: skipped: {why}")
            reasons.append(str(why))
            failed += matrix.STRICT and not isinstance(why, matrix.Skipped)
    with tempfile.TemporaryDirectory() as folder:
        for name, reader in readers.items():
            for file in FILES:
                path = shutil.copy(os.path.join(matrix.KIT, "files", file + ".seen"), os.path.join(folder, file))
                try:
                    ask_beside(reader, matrix.cpp(), path)
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    failed += 1
                    print(f"{name}: {file}: {error}")
            print(f"{name}: asked beside a writer")
    if failed:
        return 1
    if readers:
        return 0
    print("skipped:", "; ".join(reasons))
    return 77


if __name__ == "__main__":
    sys.exit(main())
