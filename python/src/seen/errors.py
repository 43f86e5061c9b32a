"""What can go wrong. The classes are the library's error codes; the messages are the library's, too."""

from __future__ import annotations

import errno
import os
from typing import ClassVar

__all__ = [
    "Busy", "Cancelled", "CorruptFile", "Error", "FileExists", "FileFailure", "FileForbidden", "FileInNoFolder", "FileIsFolder",
    "FileNotFound", "Full", "Incompatible", "InvalidArgument", "NewerVersion", "NotRecognised", "OutOfMemory", "SecretRequired",
    "TooLarge", "Unsealed", "Unsupported", "WrongHash", "WrongKind",
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


class FileFailure(Error, OSError):
    """The operating system refused: path, call and reason are in the message, and errno and filename where it has them.

    Where Python has a class of its own for the reason, what is raised is of that class, too (FileNotFoundError, …).
    """

    code = "io"

    def __new__(cls, message: str = "") -> FileFailure:
        chosen = _BY_ERRNO.get(_reason(message)[0], cls) if cls is FileFailure else cls
        return super().__new__(chosen, message)

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.errno, self.filename = _reason(message)

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # the library's words, not those of OSError


class FileNotFound(FileFailure, FileNotFoundError):
    """There is no such file."""


class FileForbidden(FileFailure, PermissionError):
    """The file, or its folder, is not this user's to read or to change."""


class FileIsFolder(FileFailure, IsADirectoryError):
    """A folder, where a file is meant."""


class FileInNoFolder(FileFailure, NotADirectoryError):
    """A path through something that is no folder."""


class FileExists(FileFailure, FileExistsError):
    """The output file is already there, and overwriting was not asked for."""

    code = "exists"

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.errno, self.filename = errno.EEXIST, message.rpartition(": ")[0] or None


class Busy(FileFailure):
    """Another process holds the file open for writing."""

    code = "busy"


class Cancelled(Error):
    """The progress callback asked to stop, and nothing was made."""

    code = "cancelled"


_BY_ERRNO: dict[int | None, type[FileFailure]] = {
    errno.ENOENT: FileNotFound,
    errno.EACCES: FileForbidden,
    errno.EPERM: FileForbidden,
    errno.EISDIR: FileIsFolder,
    errno.ENOTDIR: FileInNoFolder,
}
_ERRNO_OF = {os.strerror(number): number for number in errno.errorcode}


def _reason(message: str) -> tuple[int | None, str | None]:
    """errno and path of "path: call: reason", the library's form, whose reason is the system's text; else nothing."""
    path, *call_and_reason = message.rsplit(": ", 2)
    number = _ERRNO_OF.get(call_and_reason[-1]) if len(call_and_reason) == 2 else None
    return (None, None) if number is None else (number, path)


def _all(of: type[Error]) -> list[type[Error]]:
    return [each for sub in of.__subclasses__() for each in [sub, *_all(sub)]]


#: The exception of each of the library's error codes: of several with one code, the class that chooses among them.
BY_CODE: dict[str, type[Error]] = {each.code: each for each in _all(Error) if "code" in vars(each)}
