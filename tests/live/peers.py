"""What is tried in round trips: every format and variant that a program of tests/golden/generators knows.

`variant` is the program's word. `built` is what `seen build` is told to make the same, `opened` what the command is
told where a file does not say it. `forgets`: the library loses keys on purpose. `size`: the capacity asked for, in
numbers of keys; below 1, filters that grow do grow. `same_bytes`: the library leaves nothing to chance, and the command
makes the very same file. `ways`: what is tried where the format can do it, beside reading. `converts`: other
formats and variants, called alike by the command and the program, that have the same bits.
"""

import dataclasses
import functools

HARDEST = 11_500  # keys of a binary fuse filter: the libraries do something about these


@dataclasses.dataclass(frozen=True)
class Peer:
    language: str
    format: str
    variant: str
    built: tuple = ()
    opened: tuple = ()
    keys: str = "bytes"
    count: int = 300
    size: float = 1
    empty: bool = True
    forgets: bool = False
    same_bytes: bool = False
    ways: tuple = ("build", "add")
    converts: tuple = ()

    def capacity(self, sets):
        return int(self.size * (len(sets.keys) + len(sets.more)))


def variant(name):
    return {"variant": name, "built": ("--variant", name)}


def keyed(name, form, *built):
    """What the command is told of keys that are not plain bytes."""
    told = ("--key-type", name)
    return {"keys": form, "built": (*built, *told), "opened": told}


def go():
    encodings = ("binary", "json", "gob")
    for encoding in encodings:
        same = tuple((name, other) for name in ("bits-and-blooms", "willf") for other in encodings)
        # A gob numbers types in the order in which its process met them.
        yield Peer("go", "bits-and-blooms", **variant(encoding), same_bytes=encoding != "gob", converts=same)
        yield Peer("go", "willf", **variant(encoding), same_bytes=encoding != "gob", converts=same)
    yield Peer("go", "bbloom", "json", same_bytes=True)
    yield Peer("go", "dcso", "plain")
    for ending, other in (("", "-gob"), ("-gob", "")):
        boom = functools.partial(Peer, "go", "boomfilters", same_bytes=ending == "")
        yield boom(**variant("classic" + ending), converts=(("boomfilters", "classic" + other),))
        yield boom(**variant("counting" + ending), converts=(("boomfilters", "counting" + other),))
        yield boom("counting-3" + ending, built=("--variant", "counting" + ending, "--shape", "counter-bits=3"))
        yield boom(**variant("partitioned" + ending), converts=(("boomfilters", "partitioned" + other),))
        yield boom(**variant("scalable" + ending), size=0.25, converts=(("boomfilters", "scalable" + other),))
        yield boom("stable" + ending, built=("--variant", "stable" + ending, "--shape", "counter-bits=3"), size=20,
                   forgets=True, same_bytes=False, converts=(("boomfilters", "stable" + other),))
        yield boom(**variant("inverse" + ending), forgets=True, converts=(("boomfilters", "inverse" + other),))
    yield Peer("go", "seiflotfy-cuckoo", **variant("plain"))
    yield Peer("go", "seiflotfy-cuckoo", **variant("scalable"), count=4000)
    fastfilter = functools.partial(Peer, "go", "xorfilter-go", keys="long", same_bytes=True)
    for bits in ("8", "16", "32"):
        yield fastfilter("fuse" + bits, built=("--bits-per-fingerprint", bits))
    yield fastfilter("xor8", built=("--kind", "xor"))
    yield fastfilter("fuse8", count=HARDEST)


def java():
    for funnel, form in (("bytes", "bytes"), ("utf8", "text"), ("utf16", "text"), ("long", "long"), ("int", "int")):
        for before, strategy in (("", "MURMUR128_MITZ_64"), ("mitz32-", "MURMUR128_MITZ_32")):
            yield Peer("java", "guava", before + funnel, **keyed(funnel, form, "--variant", strategy), same_bytes=True)
    # At 0.02 this library takes as many probes as the one in C++, whose rule is another (docs/formats/datasketches.md).
    yield Peer("java", "datasketches", "bytes", built=("--seed", "9001"), empty=False, same_bytes=True)
    yield Peer("java", "datasketches", **keyed("long", "long", "--seed", "9001"), variant="long", same_bytes=True)
    for version in ("V1", "V2"):
        yield Peer("java", "spark", **variant(version), same_bytes=True)
        yield Peer("java", "spark", version + "-long", **keyed("long", "long", "--variant", version), same_bytes=True)
    for hash_type in ("", "-jenkins"):
        yield Peer("java", "hadoop", **variant("bloom" + hash_type), empty=False, same_bytes=True)
        yield Peer("java", "hadoop", **variant("counting" + hash_type), empty=False, same_bytes=True)
        yield Peer("java", "hadoop", **variant("dynamic" + hash_type), empty=False, size=0.25, same_bytes=True)


def python():
    for encoding, other in (("bloom", "bloom-hex"), ("counting", "counting-hex")):
        for one, two in ((encoding, other), (other, encoding)):
            yield Peer("python", "pyprobables", **variant(one), same_bytes=True, converts=(("pyprobables", two),))
    yield Peer("python", "pyprobables", "bloom-str", **keyed("str", "text", "--variant", "bloom"), same_bytes=True)
    yield Peer("python", "pyprobables", **variant("expanding"), size=0.25)
    yield Peer("python", "pyprobables", **variant("cuckoo"))
    yield Peer("python", "pybloom-live", **variant("plain"), keys="text", same_bytes=True)
    yield Peer("python", "pybloom-live", **variant("scalable"), keys="text", size=0.25, same_bytes=True)
    # Of a xor filter the package peels otherwise, and of fuse16-spare it writes four bytes more, of whatever.
    for bits in ("8", "16"):
        fastfilter = functools.partial(Peer, "python", "xor-singleheader", keys="long")
        wide = ("--bits-per-fingerprint", bits)
        yield fastfilter("xor" + bits, built=("--kind", "xor", *wide))
        yield fastfilter("fuse" + bits, built=wide, same_bytes=True)
        yield fastfilter("fuse" + bits, built=wide, same_bytes=True, count=HARDEST)
    yield fastfilter("fuse16-spare", built=wide)


def node():
    yield Peer("node", "npm-bloom-filters", "bytes", same_bytes=True)
    yield Peer("node", "npm-bloom-filters", "str", keys="text", same_bytes=True)


def rust():
    yield Peer("rust", "rust-bloomfilter", "bytes", **keyed("bytes", "bytes"))
    yield Peer("rust", "rust-bloomfilter", "str", **keyed("str", "text"))


PEERS = [*go(), *java(), *python(), *node(), *rust()]
