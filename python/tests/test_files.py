"""Files, bytes, pickles and other processes."""

from __future__ import annotations

import copy
import errno
import fcntl
import gc
import gzip
import io
import json
import mmap
import multiprocessing
import os
import pickle
from pathlib import Path
from typing import Callable

import pytest

import seenfilter as seen
from kit import PROJECT
from support import ABSENT, KINDS, PRESENT, SECRET, answers, elsewhere, filled

each_kind = pytest.mark.parametrize("kind", KINDS)
NATIVE = PROJECT / "tests" / "golden" / "native-1"


@each_kind
def test_a_saved_file_is_loaded_and_mapped_alike(kind: seen.KindName, tmp_path: Path) -> None:
    f, path = filled(kind), tmp_path / "a.seen"
    f.save(path)
    for opened in (seen.load(path), seen.load(str(path)), seen.load(os.fsencode(path)), seen.map(path)):
        assert opened == f and opened.kind == kind
        assert answers(opened) == answers(f)
        opened.verify()
    assert seen.from_bytes(bytes(f)) == f == seen.from_bytes(memoryview(bytes(f))) == seen.from_bytes(bytearray(bytes(f)))
    assert path.read_bytes() == bytes(f) == f.to_bytes()
    assert seen.inspect(path).kind == kind


@each_kind
def test_another_process_gives_the_same_answers(kind: seen.KindName, tmp_path: Path) -> None:
    f, path = filled(kind), tmp_path / "a.seen"
    f.save(path)
    program = """
import sys, seenfilter as seen
keys = [f"key-{i}" for i in range(3000)]
for opened in (seen.load(sys.argv[1]), seen.map(sys.argv[1])):
    print("".join(str(int(each)) for each in opened.may_contain_many(keys)))
"""
    expected = "".join(str(int(each)) for each in answers(f))
    assert elsewhere(program, str(path)).split() == [expected, expected]


@each_kind
def test_a_pickle_is_the_same_filter(kind: seen.KindName) -> None:
    f = filled(kind, seed=5)
    f.metadata = b"\0mine"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        twin = pickle.loads(pickle.dumps(f, protocol))
        assert twin == f and twin.metadata == f.metadata and answers(twin) == answers(f)


def ask(f: seen.Filter) -> list[bool]:
    return answers(f)


def test_a_filter_goes_to_worker_processes() -> None:
    f = filled("bloom")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(ask, (f,)) == answers(f)


def test_a_pickle_keeps_the_bytes_out_of_its_own() -> None:
    f = filled("bloom")
    kept: list[pickle.PickleBuffer] = []
    small = pickle.dumps(f, protocol=5, buffer_callback=kept.append)
    assert len(small) < 500 and [bytes(each) for each in kept] == [bytes(f)]
    for given in (kept, [bytes(kept[0])], [bytearray(kept[0])]):
        assert pickle.loads(small, buffers=given) == f
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(f, protocol=protocol)) == f


class Named(seen.Filter):
    """A filter of a class of one's own."""

    name = ""


def first_letter(key: str) -> str:
    return key[0]


def test_a_pickle_knows_the_class_and_the_key() -> None:
    f = Named(100, key=first_letter)
    f.name = "mine"
    f.add("alice")
    for again in (pickle.loads(pickle.dumps(f)), copy.deepcopy(f)):
        assert again == f and "anna" in again and "bob" not in again and again.key is first_letter
    again = pickle.loads(pickle.dumps(f))
    assert type(again) is Named and again.name == "mine"


def test_a_keyed_filter_is_not_pickled() -> None:
    for stored in (False, True):
        f = filled("bloom", hash="siphash-2-4", secret=SECRET)
        f = seen.from_bytes(f.to_bytes(store_secret=stored), secret=SECRET)
        with pytest.raises(seen.Unsupported, match="secret"):
            pickle.dumps(f)


def test_a_secret_stays_out_of_the_file_unless_asked(tmp_path: Path) -> None:
    f, path = filled("bloom", hash="siphash-2-4", secret=SECRET), tmp_path / "a.seen"
    f.save(path)
    assert SECRET not in path.read_bytes()
    with pytest.raises(seen.SecretRequired):
        seen.load(path)
    with pytest.raises(seen.WrongHash):
        seen.load(path, secret=bytes(16))
    assert seen.inspect(path).keyed
    for opened in (seen.load(path, secret=SECRET), seen.map(path, secret=SECRET)):
        assert answers(opened) == answers(f)
    f.save(path, store_secret=True)
    assert SECRET in path.read_bytes() and seen.load(path) == f and seen.load(path).info().secret_stored
    opened, elsewhere = seen.load(path), tmp_path / "b.seen"
    for other in (opened, opened.copy(), opened | f, opened & f, seen.map(path)):
        other.save(elsewhere)
        assert SECRET not in elsewhere.read_bytes() and SECRET not in bytes(other)
    opened.save(path)  # the same file
    assert SECRET in path.read_bytes()


def test_a_mapped_filter_is_read_only(tmp_path: Path) -> None:
    path = tmp_path / "a.seen"
    filled("counting-bloom").save(path)
    before = path.read_bytes()
    mapped = seen.map(path)
    assert mapped.mapped and mapped.info().mapped and "mapped" in repr(mapped)
    changes: list[Callable[[], object]] = [
        lambda: mapped.add("x"), lambda: mapped.add_many(["x"]), lambda: mapped.remove("key-1"), mapped.clear,
        lambda: mapped.test_and_add("x"), lambda: mapped.merge(filled("counting-bloom")),
    ]  # fmt: skip
    for change in changes:
        with pytest.raises(seen.Unsupported, match="map"):
            change()
    own = mapped.copy()
    own.add("x")
    assert not own.mapped and "x" in own and path.read_bytes() == before
    assert pickle.loads(pickle.dumps(mapped)) == mapped
    assert mapped | filled("counting-bloom")


def test_a_file_object_is_read_and_written(tmp_path: Path) -> None:
    f = filled("bloom")
    written = io.BytesIO()
    f.save(written, metadata=b"mine")
    assert written.getvalue() == f.to_bytes(metadata=b"mine")
    written.seek(0)
    assert seen.load(written).metadata == b"mine"
    with open(tmp_path / "a.seen", "wb", buffering=0) as raw:
        f.save(raw)
    with open(tmp_path / "a.seen", "rb") as file:
        assert seen.load(file) == f
    with gzip.open(tmp_path / "a.gz", "wb") as packed:
        f.save(packed)
    with gzip.open(tmp_path / "a.gz", "rb") as packed:
        assert seen.load(packed) == f

    class Slow:
        """Takes a few bytes at a time, as a raw file may."""

        def __init__(self) -> None:
            self.data = b""

        def write(self, data: memoryview) -> int:
            self.data += bytes(data[:700])
            assert len(f.copy()) == len(f)  # whatever a file does with the filter
            return min(700, len(data))

    slow = Slow()
    f.save(slow)
    assert slow.data == bytes(f)

    class Takes:
        """Says that it took so many bytes."""

        def __init__(self, count: int) -> None:
            self.count = count

        def write(self, data: memoryview) -> int:
            return self.count

    for count in (0, -1, 2**40, 2**70):  # none of them for ever
        with pytest.raises(OSError, match=f"save: the file's write\\(\\) took {count} of {len(bytes(f))} bytes"):
            f.save(Takes(count))
    with open(tmp_path / "a.seen", encoding="latin-1") as text, pytest.raises(TypeError, match="binary"):
        seen.load(text)  # type: ignore[arg-type]
    with pytest.raises(seen.CorruptFile):
        seen.load(io.BytesIO(bytes(f)[:-1]))


def test_a_view_uses_the_bytes_of_others() -> None:
    f = filled("bloom")
    saved = bytes(f)
    with mmap.mmap(-1, len(saved)) as memory:
        memory[:] = saved
        viewed = seen.view(memory)
        assert viewed == f and viewed.mapped and answers(viewed) == answers(f)
        with pytest.raises(seen.Unsupported):
            viewed.add("x")
        with pytest.raises(BufferError):
            memory.close()  # the filter has it
        assert viewed.copy() == pickle.loads(pickle.dumps(viewed)) == f
        del viewed
        gc.collect()
    with pytest.raises(TypeError, match="view: bytes or another buffer"):
        seen.view("text")  # type: ignore[arg-type]
    with pytest.raises(seen.Error):
        seen.view(memoryview(saved)[:-1])


def test_a_map_outlives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "a.seen"
    f = filled("bloom")
    f.save(path)
    mapped = seen.map(path)
    filled("bloom", ABSENT).save(path)
    assert answers(mapped) == answers(f)
    path.unlink()
    assert answers(mapped) == answers(f)


def test_metadata_goes_along(tmp_path: Path) -> None:
    f, path = filled("bloom"), tmp_path / "a.seen"
    f.metadata = b"of the filter"
    f.save(path)
    assert seen.load(path).metadata == seen.map(path).metadata == b"of the filter"
    f.save(path, metadata=b"of the call", alignment=4096)
    assert seen.inspect(path).metadata == b"of the call" and seen.inspect(path).alignment == 4096
    with pytest.raises(seen.Error):
        f.save(path, metadata=bytes(70_000))
    with pytest.raises(TypeError):
        f.metadata = "text"  # type: ignore[assignment]


def test_a_failure_of_a_file_is_an_oserror_like_any_other(tmp_path: Path) -> None:
    missing = tmp_path / "missing: a.seen"
    for call in (seen.load, seen.map, seen.inspect):
        for given, name in ((missing, str(missing)), (str(missing), str(missing)), (os.fsencode(missing), os.fsencode(missing))):
            with pytest.raises(FileNotFoundError) as caught:
                call(given)
            raised = caught.value
            assert isinstance(raised, seen.FileError) and raised.code == "io"
            assert (raised.errno, raised.strerror) == (errno.ENOENT, os.strerror(errno.ENOENT)) == raised.args
            assert raised.filename == name and raised.filename2 is None
            assert str(raised) == f"{missing}: open: {raised.strerror}"


def test_the_class_of_a_failure_follows_from_errno(tmp_path: Path) -> None:
    f, path = filled("bloom"), tmp_path / "a.seen"
    f.save(path)
    with pytest.raises(NotADirectoryError):
        seen.load(path / "below")
    for call in (lambda: seen.load(tmp_path), lambda: f.save(tmp_path), lambda: seen.map(tmp_path)):
        with pytest.raises(IsADirectoryError) as folder:
            call()
        assert (folder.value.errno, folder.value.filename) == (errno.EISDIR, str(tmp_path))
    with pytest.raises(FileExistsError) as exists:
        f.save(path, overwrite=False)
    assert isinstance(exists.value, seen.FileExists) and exists.value.code == "exists"
    assert (exists.value.errno, exists.value.filename) == (errno.EEXIST, str(path))
    with pytest.raises(seen.FileError) as full:  # Python has no class for this one
        f.save("/dev/full")
    assert type(full.value) is seen.FileError
    assert (full.value.errno, full.value.filename) == (errno.ENOSPC, "/dev/full")
    with pytest.raises(seen.FileError) as device:  # no system call failed
        seen.load("/dev/null")
    assert (device.value.errno, device.value.strerror, device.value.filename) == (None, None, "/dev/null")


def test_another_writer_is_a_blocking_error(tmp_path: Path) -> None:
    path = tmp_path / "a.seen"
    with open(tmp_path / ".a.seen.seen-tmp", "w") as writing:
        fcntl.flock(writing, fcntl.LOCK_EX)
        with pytest.raises(BlockingIOError) as busy:
            filled("bloom").save(path)
    assert isinstance(busy.value, seen.Busy) and busy.value.code == "busy"
    assert (busy.value.errno, busy.value.filename) == (errno.EWOULDBLOCK, str(path))


def test_a_file_that_is_not_ours_to_read_is_a_permission_error(tmp_path: Path) -> None:
    path, user = tmp_path / "a.seen", os.geteuid()
    filled("bloom").save(path)
    path.chmod(0)
    if user == 0:
        os.seteuid(65534)  # root may read every file
    try:
        with pytest.raises(PermissionError) as forbidden:
            seen.load(path)
    finally:
        os.seteuid(user)
    assert isinstance(forbidden.value, seen.FileError)
    assert (forbidden.value.errno, forbidden.value.filename) == (errno.EACCES, str(path))


@pytest.mark.parametrize("number", sorted(errno.errorcode), ids=lambda number: errno.errorcode[number])
def test_every_errno_has_the_class_that_python_gives_it(number: int) -> None:
    built_in = type(OSError(number, ""))
    raised = seen.errors.made("io", "a message: of any words", number, Path("a.seen"))
    assert isinstance(raised, seen.FileError) and isinstance(raised, built_in)
    assert (raised.errno, raised.strerror, raised.filename) == (number, os.strerror(number), "a.seen")
    assert str(raised) == "a message: of any words"
    if built_in is not OSError:
        assert type(raised).__name__ == built_in.__name__ and getattr(seen.errors, built_in.__name__) is type(raised)
    for again in (pickle.loads(pickle.dumps(raised)), copy.copy(raised)):
        assert type(again) is type(raised) and str(again) == str(raised) and again.args == raised.args
        assert (again.errno, again.filename) == (raised.errno, raised.filename)


def test_the_words_of_a_message_decide_nothing() -> None:
    misleading = f"a.seen: open: {os.strerror(errno.ENOENT)}"
    other = seen.errors.made("io", misleading, 0, None)
    assert type(other) is seen.FileError and other.errno is None and other.filename is None
    assert isinstance(seen.errors.made("io", "", errno.EACCES, None), PermissionError)
    assert type(seen.errors.made("corrupt", misleading, 0, "a.seen")) is seen.CorruptFile


def test_failures_of_files_are_told(tmp_path: Path) -> None:
    f, path = filled("bloom"), tmp_path / "a.seen"
    f.save(path)
    with pytest.raises(seen.FileExists, match="a.seen"):
        f.save(path, overwrite=False)
    for call in (seen.load, seen.map, seen.inspect):
        with pytest.raises(OSError, match="missing.seen"):
            call(tmp_path / "missing.seen")
        with pytest.raises(seen.FileError):
            call(tmp_path)
    with pytest.raises(seen.FileError) as nowhere:
        f.save(tmp_path / "no" / "folder")
    assert str(nowhere.value).startswith(f"{tmp_path}/no/folder: ") and "seen-tmp" not in str(nowhere.value)
    with pytest.raises(seen.TooLarge):
        seen.load(path, max_bytes=100)
    for nothing in (b"", b"hello, this is no filter of any kind"):
        with pytest.raises(seen.NotRecognised):
            seen.from_bytes(nothing)
    for wrong in ("text", 7, None):
        with pytest.raises(TypeError):
            seen.from_bytes(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        seen.load(7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="null"):
        seen.load("a\0b")


@each_kind
def test_damage_is_noticed(kind: seen.KindName, tmp_path: Path) -> None:
    good = bytes(filled(kind))
    for at in range(0, len(good), 37):
        bad = bytearray(good)
        bad[at] ^= 1 << (at % 8)
        with pytest.raises(seen.Error):
            seen.from_bytes(bad)
    for cut in (0, 1, 63, 128, len(good) // 2, len(good) - 1):
        with pytest.raises(seen.Error):
            seen.from_bytes(good[:cut])
    path = tmp_path / "bad.seen"
    path.write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    with pytest.raises(seen.CorruptFile):
        seen.map(path).verify()


@pytest.mark.parametrize("path", sorted(NATIVE.glob("*.seen")), ids=lambda path: path.stem)
def test_files_of_the_first_release_are_read(path: Path) -> None:
    manifest = json.loads(path.with_name(path.name + ".json").read_text())
    secret = bytes.fromhex(manifest["secret"]) if manifest.get("secret") else None
    if manifest["hash"] == "user-defined":  # a program in C++, Go or Rust can supply the function
        with pytest.raises(seen.WrongHash, match="0x8001"):
            seen.load(path)
        return
    f = seen.load(path, secret=secret)
    assert f.kind == manifest["kind"] and f.info().hash == manifest["hash"]
    assert f.to_bytes(store_secret=f.info().secret_stored) == path.read_bytes()


def foreign_files() -> list[tuple[str, Path, dict[str, str]]]:
    """Files of other libraries, and what has to be said to open them."""
    found = []
    for vectors in sorted((PROJECT / "tests" / "golden").glob("*/vectors.json")):
        listed = json.loads(vectors.read_text())
        for entry in listed["files"]:
            said = {"hash": "hash", "keys": "key_type", "part": "part", "variant": "variant"}
            options = {said[name]: value for name, value in entry.items() if name in said}
            found.append((listed["format"], vectors.with_name(entry["file"]), options))
    return found


FOREIGN = foreign_files()


@pytest.mark.parametrize(("format", "path", "options"), FOREIGN, ids=[f"{name}-{path.name}" for name, path, _ in FOREIGN])
def test_files_of_other_libraries_are_pickled_and_copied(format: str, path: Path, options: dict[str, str]) -> None:
    try:
        f = seen.load(path, format=format, **options)  # type: ignore[arg-type]
        saved = bytes(f)
    except seen.Unsupported:
        pytest.skip("read, not written")
    assert f.format == format
    twins = [f.copy()]
    try:
        twins.append(pickle.loads(pickle.dumps(f)))
    except seen.Unsupported as refused:
        # A column of integers, of which the filter alone does not tell.
        assert format == "parquet" and "do not say" in str(refused)
    for twin in twins:
        assert bytes(twin) == saved and answers_to_all(twin) == answers_to_all(f)


def answers_to_all(of: seen.Filter) -> list[bool]:
    """What a filter says to numbers, which every one takes, and to text where that is a key."""
    said = [bool(each) for each in of.may_contain_many(range(1000))]
    try:
        return said + answers(of)
    except ValueError:
        return said


def test_another_librarys_filter_is_made_and_converted() -> None:
    f = seen.Filter(capacity=100, fpr=0.01, format="guava")
    f.add_many(PRESENT[:100])
    assert f.format == "guava" and f.may_contain_many(PRESENT[:100]).all()
    assert seen.from_bytes(bytes(f), format="guava") == f == pickle.loads(pickle.dumps(f))
    columns = seen.Filter(capacity=100, fpr=0.01, kind="split-block", hash="xxh64")
    columns.add_many(PRESENT[:100])
    parquet = columns.convert("parquet")
    assert parquet.format == "parquet" and columns.format == "native"
    assert answers(parquet) == answers(columns)
    assert parquet.convert("native").format == "native"
    with pytest.raises(seen.Unsupported, match="build it anew"):
        filled("cuckoo").convert("guava")


@pytest.mark.parametrize("format", [each for each in seen.formats() if each.can_make], ids=lambda each: each.name)
def test_every_encoding_of_every_format_is_pickled(format: seen.Format) -> None:
    for variant in format.variants or [None]:
        f = seen.Filter(capacity=1000, fpr=0.01, format=format.name, variant=variant)
        f.add_many(PRESENT[:500])
        twin = pickle.loads(pickle.dumps(f))
        assert twin == f and answers(twin) == answers(f) and twin.info().variant == f.info().variant


def test_a_guess_is_asked_and_not_changed(tmp_path: Path) -> None:
    f = seen.Filter(capacity=1000, fpr=0.01, format="guava")
    f.add_many(PRESENT)
    path = tmp_path / "a.guava"
    f.save(path)
    guess, named = seen.load(path), seen.load(path, format="guava")
    assert guess.info().recognised == "guessed" and named.info().recognised == f.info().recognised == "named"
    assert guess.may_contain_many(PRESENT).all()
    changes: list[Callable[[], object]] = [
        lambda: guess.add("x"), lambda: guess.add_many(["x"]), lambda: guess.merge(named), lambda: named.merge(guess),
        lambda: guess.convert("guava"), lambda: pickle.loads(pickle.dumps(guess)).add("x"), lambda: guess.copy().add("x"),
    ]  # fmt: skip
    for change in changes:
        with pytest.raises(seen.NotRecognised, match="name the format"):
            change()
    named.add("x")
    assert "x" in named and "x" in pickle.loads(pickle.dumps(named))


@pytest.mark.parametrize("variant", ["json", "json-std"])
def test_a_pickle_of_json_does_not_depend_on_the_bits(variant: str) -> None:
    f = seen.Filter(capacity=300, fpr=0.01, format="bits-and-blooms", variant=variant)
    again = pickle.loads(pickle.dumps(f))
    for each in (f, again):
        each.add_many(PRESENT[:300])
    assert bytes(again) == bytes(f) and again.info().variant == variant
