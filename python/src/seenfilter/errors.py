"""What can go wrong: one class per error code of the library, with the library's message.

A failure of a file is also an OSError of the class that Python gives to its errno.
"""

from __future__ import annotations

import errno
import os
from typing import ClassVar

__all__ = [
    "Busy", "Cancelled", "CorruptFile", "Error", "FileError", "FileExists", "Full", "Incompatible", "InvalidArgument",
    "NewerVersion", "NotRecognised", "OutOfMemory", "SecretRequired", "TooLarge", "Unsealed", "Unsupported", "WrongHash", "WrongKind",
]  # fmt: skip


class Error(Exception):
    """The base class of all errors of the library."""

    code: ClassVar[str] = ""


class InvalidArgument(Error, ValueError):
    """An argument outside its range: capacity 0, fpr 2, probes 31."""

    code = "invalid_argument"


class TooLarge(Error, ValueError):
    """The arguments are valid, but the filter they describe is too large, or the file is larger than allowed."""

    code = "too_large"


class OutOfMemory(Error, MemoryError):
    """The machine does not have that much memory."""

    code = "no_memory"


class CorruptFile(Error, ValueError):
    """No writer of the format can have produced these bytes, or a checksum does not match."""

    code = "corrupt"


class NotRecognised(Error, ValueError):
    """The bytes do not begin like any known format; name one to force it."""

    code = "not_recognised"


class NewerVersion(Error, ValueError):
    """The file was written by a later release, or with a feature that this one does not know."""

    code = "newer_version"


class WrongKind(Error, ValueError):
    """The file is good, but of another kind than the one asked for."""

    code = "wrong_kind"


class WrongHash(Error, ValueError):
    """The file is good, but made with another hash function, seed, key type or secret."""

    code = "wrong_hash"


class SecretRequired(Error, ValueError):
    """The filter was hashed with a secret, which was not given."""

    code = "secret_required"


class Unsealed(Error, ValueError):
    """The writer of the file never finished it; open it with recover=True."""

    code = "unsealed"


class Incompatible(Error, ValueError):
    """The two filters cannot be combined: kind, shape, hash or seed differ."""

    code = "incompatible"


class Unsupported(Error):
    """This kind, format or mapped file does not have this operation."""

    code = "unsupported"


class Full(Error):
    """The filter has no room for another key."""

    code = "full"


class FileError(Error, OSError):
    """The operating system refused something about a file; errno, strerror and filename are those of any OSError.

    The exception is also of the built-in class that Python has for its errno: FileNotFoundError, PermissionError,
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
