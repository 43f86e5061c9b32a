"""Portable files as the command makes them: sizes as the format's document has them, and the bytes of its header.

The sizes are computed here a second time, with sixty decimal digits.
"""

import math
import pathlib
import random
import struct
from decimal import Decimal, getcontext

from support import CommandTest, main

KIT = pathlib.Path(__file__).parent.parent / "kit"

getcontext().prec = 60
LN2 = Decimal(2).ln()


def document(n, p):
    """m = ceil(-n ln p / (ln 2)^2), k = round(m/n ln 2), at most 30; and 1 where it would be 0, which is not a filter."""
    m = math.ceil(-n * Decimal(p).ln() / LN2**2)
    return m, max(1, min(30, round(m / Decimal(n) * LN2)))


class PortableTest(CommandTest):
    def test_the_sizes_of_the_kit_are_the_documents(self):
        checked = 0
        with open(KIT / "portable_sizes.tsv") as table:
            next(table)
            for line in table:
                n, p, m, k = line.rstrip("\n").split("\t")
                n, p = int(n), float(p)
                if n == 0 or not 0 < p < 1:
                    self.assertEqual((m, k), ("", ""), line)
                    continue
                expected = document(n, p)
                self.assertEqual((m, k), ("", "") if expected[0] > 1 << 32 else tuple(map(str, expected)), line)
                checked += 1
        self.assertGreater(checked, 400)

    def test_a_file_is_as_large_as_the_document_says(self):
        numbers = random.Random(18)
        targets = [(1000, 1e-12), (1000, 0.8), (1, 1e-300), (3, 1 - 2**-53), (100_000, 2**-30.5)]
        targets += [(int(2 ** numbers.uniform(0, 17)), 2 ** -numbers.uniform(0.01, 45)) for _ in range(20)]
        for n, p in targets:
            with self.subTest(n=n, p=p):
                self.seen("build", "-q", "--force", "--format", "portable", "-n", n, "-p", repr(p), "-o", "f.bloom", err="")
                m, k = document(n, p)
                data = self.read("f.bloom")
                self.assertEqual(struct.unpack("<IQ", data[:12]), (k, m))
                self.assertEqual(len(data), 12 + (m + 7) // 8)


if __name__ == "__main__":
    main()
