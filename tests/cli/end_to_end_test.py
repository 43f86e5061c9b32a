"""200,000 keys through the whole command, against an exact set and against another implementation."""

import gzip
import hashlib
import struct

from support import CommandTest, main


def key(i):
    """Keys of uneven length that look like nothing in particular."""
    return hashlib.sha256(b"%d" % i).hexdigest()[: 8 + i % 25].encode()


def portable_filter(keys, bits, probes):
    """The portable lab format in twenty lines of Python."""
    mask = (1 << 64) - 1
    body = bytearray((bits + 7) // 8)
    for k in keys:
        h = 0xcbf29ce484222325
        for b in k:
            h = ((h ^ b) * 0x100000001b3) & mask
        h = (h + 0x9e3779b97f4a7c15) & mask
        h = ((h ^ h >> 30) * 0xbf58476d1ce4e5b9) & mask
        h = ((h ^ h >> 27) * 0x94d049bb133111eb) & mask
        h ^= h >> 31
        for i in range(probes):
            at = ((h & 0xffffffff) + i * (h >> 32)) % bits
            body[at // 8] |= 1 << at % 8
    return struct.pack("<IQ", probes, bits) + bytes(body)


class EndToEnd(CommandTest):
    N = 200_000

    def setUp(self):
        super().setUp()
        self.added = [key(i) for i in range(self.N)]
        self.others = [key(i) for i in range(self.N, 2 * self.N)]
        self.write("keys", b"\n".join(self.added))
        self.write("others", b"\n".join(self.others) + b"\n")

    def test_the_life_of_a_filter(self):
        n, p = self.N, 0.01
        known = set(self.added)
        strangers = sum(k not in known for k in self.others)

        # From a file and from halves that are compressed, added and merged: always the same bytes.
        self.write("first.gz", gzip.compress(b"\n".join(self.added[: n // 2]) + b"\n"))
        self.write("second", b"\n".join(self.added[n // 2:]))
        planned = ("-n", n, "-p", p, "-q")
        self.seen("build", "-q", "-p", p, "-o", "whole", "keys", err="")
        self.seen("build", *planned, "-o", "grown", "first.gz", err="")
        self.seen("build", *planned, "-o", "half", "second", err="")
        self.seen("merge", "-q", "-o", "merged", "grown", "half", err="")
        self.seen("add", "-q", "grown", "second", err="")
        for other in ("grown", "merged"):
            self.assertEqual(self.read(other), self.read("whole"), other)

        # No false negative; false positives within six sigma (wrongly red once in 10^9, and the keys are fixed).
        self.seen("query", "whole", stdin="keys", out=self.read("keys") + b"\n", err="")
        self.seen("query", "-v", "-c", "whole", "-k", "keys", status=1, out=b"0\n", err="")
        done = self.seen("query", "whole", stdin="others", err="")
        hits = done.out.splitlines()
        false = sum(k not in known for k in hits)
        sigma = (strangers * p * (1 - p)) ** 0.5
        self.assertLess(abs(false - strangers * p), 6 * sigma)
        absent = self.seen("query", "-v", "whole", stdin="others", err="").out.splitlines()
        self.assertEqual(len(hits) + len(absent), len(self.others))
        self.assertEqual(sorted(hits + absent), sorted(self.others))
        self.seen("query", "-c", "whole", stdin="others", out=b"%d\n" % len(hits), err="")

        # And the command agrees with all that.
        info = self.info("whole")
        self.assertAlmostEqual(info["keys"], n, delta=0.02 * n)
        self.assertAlmostEqual(info["fpr_now"], p, delta=0.05 * p)
        report = self.seen("verify", "--json", "--probes-count", "2e5", "whole", "keys", err="").json()
        self.assertEqual((report["keys"], report["lost"]), (n, 0))
        self.assertLess(report["fpr"]["low"], info["fpr_now"])
        self.assertGreater(report["fpr"]["high"], info["fpr_now"])
        self.seen("verify", "-q", "--probes-count", "0", "whole", "others", status=1)

    def test_a_foreign_file_equals_that_of_another_implementation(self):
        keys = self.added[:20_000]
        self.write("some", b"\n".join(keys))
        self.seen("build", "-q", "-o", "f", "--format", "portable", "--bits", "200003", "--probes", "5", "some")
        self.assertEqual(self.read("f"), portable_filter(keys, 200003, 5))


if __name__ == "__main__":
    main()
