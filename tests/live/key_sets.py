"""Keys for round trips: of every length, with every byte, the same on every run.

A form says what a library's keys are, and what `seen --hex` is given for them:

    bytes   any bytes, of every length 0..40
    text    UTF-8 of every length 0..40, with characters of one to four bytes
    long    8 bytes, an integer with the least byte first
    int     4 bytes, likewise
"""

import collections
import random

Sets = collections.namedtuple("Sets", "keys more probes")  # all different

LENGTHS = 41
RANGES = {1: (0x20, 0x7E), 2: (0x80, 0x7FF), 3: (0x800, 0xD7FF), 4: (0x10000, 0x10FFFF)}


def some_bytes(dice, i):
    """A key of length i mod 41: now of any bytes, now of high ones, now of all ones."""
    length = i % LENGTHS
    low = (0x00, 0x80, 0x00, 0xFF)[i // LENGTHS % 4]
    return bytes(dice.randint(low, 0xFF) for _ in range(length))


def some_text(dice, i):
    left, text = i % LENGTHS, ""
    while left > 0:
        size = dice.randint(1, min(4, left))
        text += chr(dice.randint(*RANGES[size]))
        left -= size
    return text.encode()


def some_number(bytes_in_it):
    def number(dice, i):
        ends = (0, 1, 2 ** (8 * bytes_in_it) - 1, 2 ** (8 * bytes_in_it - 1), 2 ** (8 * bytes_in_it - 1) - 1)
        value = ends[i] if i < len(ends) else dice.getrandbits(8 * bytes_in_it)
        return value.to_bytes(bytes_in_it, "little")
    return number


FORMS = {"bytes": some_bytes, "text": some_text, "long": some_number(8), "int": some_number(4)}


def of(form, keys, more, probes, empty=True):
    """So many keys, keys to add later, and others. Without `empty` the empty key is in none of them."""
    dice = random.Random(20240607)
    found = {}
    i = 0
    while len(found) < keys + more + probes:
        key = FORMS[form](dice, i)
        if key or empty:
            found[key] = None
        i += 1
    everything = list(found)
    return Sets(everything[:keys], everything[keys:keys + more], everything[keys + more:])
