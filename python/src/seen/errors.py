"""What can go wrong. The classes are the library's error codes; the messages are the library's, too."""

from __future__ import annotations

import errno
import os
from typing import ClassVar

__all__ = [
    "Busy", "Cancelled", "CorruptFile", "Error", "FileError", "FileExists", "Full", "Incompatible", "InvalidArgument",
    "NewerVersion", "NotRecognised", "OutOfMemory", "SecretRequired", "TooLarge", "Unsealed", "Unsupported", "WrongHash", "WrongKind",
]  # fmt: skip


class Error(Exception):
    """Whatever the library refuses or fails to do."""

    code: ClassVar[str] = ""


class InvalidArgument(Error, ValueError):
    """A parameter outside its range: capacity 0, fpr 2, probes 31."""

    code = "invalid_argument"


class TooLarge(Error, ValueError):
    """The parameters are fine, but the filter they describe is not to be had, or the file is larger than allowed."""

    code = "too_large"


class OutOfMemory(Error, MemoryError):
    """The machine has not that much memory."""

    code = "no_memory"


class CorruptFile(Error, ValueError):
    """Bytes that no writer of the format can have produced, or a checksum that does not match."""

    code = "corrupt"


class NotRecognised(Error, ValueError):
    """The bytes begin like no known format; name one to force it."""

    code = "not_recognised"


class NewerVersion(Error, ValueError):
    """Written by a later release, or with a feature that this one does not know."""

    code = "newer_version"


class WrongKind(Error, ValueError):
    """A good file of another kind than the one asked for."""

    code = "wrong_kind"


class WrongHash(Error, ValueError):
    """A good file made with another hash function, seed, key encoding or secret."""

    code = "wrong_hash"


class SecretRequired(Error, ValueError):
    """A keyed filter without its secret."""

    code = "secret_required"


class Unsealed(Error, ValueError):
    """A file whose writer never finished it; open it with recover=True."""

    code = "unsealed"


class Incompatible(Error, ValueError):
    """Two filters that cannot be combined: kind, shape, hash or seed differ."""

    code = "incompatible"


class Unsupported(Error):
    """This kind, format or mapped file has no such operation."""

    code = "unsupported"


class Full(Error):
    """No room for another key."""

    code = "full"


class FileError(Error, OSError):
    """The operating system refused something about a file; errno, strerror and filename are those of any OSError.

    What is raised is also of the built-in class that Python has for its errno: FileNotFoundError, PermissionError,
    IsADirectoryError and so on. errno and strerror are None where no system call failed, as for a pipe in place of a file.
    The text is the library's message, which names path, call and reason.
    """

    code = "io"

    def __new__(cls, message: str = "", errno: int | None = None, filename: str | bytes | None = None) -> FileError:
        chosen = _BY_BUILT_IN.get(type(OSError(errno, "")), cls) if cls is FileError else cls
        made = super().__new__(chosen, message) if errno is None else super().__new__(chosen, errno, os.strerror(errno))
        made.filename = filename
        return made

    def __init__(self, message: str = "", errno: int | None = None, filename: str | bytes | None = None) -> None:
        self.message = message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        return BY_CODE[self.code], (self.message, self.errno, self.filename), self.__dict__


class FileExists(FileError, FileExistsError):
    """The output file is already there, and overwriting was not asked for."""

    code = "exists"


class Busy(FileError, BlockingIOError):
    """Another process holds the file open for writing."""

    code = "busy"


class Cancelled(Error):
    """The progress callback asked to stop, and nothing was made."""

    code = "cancelled"


#: FileError that is also the built-in class of some errno, under that class's name: seen.errors.FileNotFoundError, …
_BY_BUILT_IN: dict[type[OSError], type[FileError]] = {
    built_in: type(built_in.__name__, (FileError, built_in), {"__doc__": FileError.__doc__, "__module__": __name__})
    for built_in in {type(OSError(number, "")) for number in errno.errorcode} - {OSError}
}
globals().update({each.__name__: each for each in _BY_BUILT_IN.values()})


def _all(of: type[Error]) -> list[type[Error]]:
    return [each for sub in of.__subclasses__() for each in [sub, *_all(sub)]]


#: The exception of each of the library's error codes: of several with one code, the class that chooses among them.
BY_CODE: dict[str, type[Error]] = {each.code: each for each in _all(Error) if "code" in vars(each)}


def made(code: str, message: str, errno: int, path: str | bytes | os.PathLike[str] | os.PathLike[bytes] | None) -> Error:
    """The exception of an error of the library: errno is 0 where no system call failed, the path is the caller's own."""
    chosen = BY_CODE[code]
    if issubclass(chosen, FileError):
        return chosen(message, errno or None, None if path is None else os.fspath(path))
    return chosen(message)
