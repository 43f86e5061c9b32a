"""An Arrow array of views, laid out by hand: 16 bytes a value, the longer ones in two further buffers in turns."""

from __future__ import annotations

import ctypes
import struct
from typing import Any

RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Schema(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", RELEASE),
        ("private_data", ctypes.c_void_p),
    ]  # fmt: skip


class Array(ctypes.Structure):
    _fields_ = [
        ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
        ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_char_p)), ("children", ctypes.c_void_p),
        ("dictionary", ctypes.c_void_p), ("release", RELEASE), ("private_data", ctypes.c_void_p),
    ]  # fmt: skip


def capsule(of: ctypes.Structure, name: bytes) -> Any:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(of), name, None)


class Views:
    """A column of bytes, of which None is null. It owns its memory; released counts who gave it back."""

    def __init__(self, keys: list[bytes | None], offset: int = 0) -> None:
        data = [b"", b"some of another array"]
        views = b""
        for i, key in enumerate(keys):
            if key is None or len(key) <= 12:
                views += struct.pack("i12s", len(key or b""), key or b"")
            else:
                views += struct.pack("i4sii", len(key), key[:4], i % 2, len(data[i % 2]))
                data[i % 2] += key
        bits = sum(1 << i for i, key in enumerate(keys) if key is not None)
        sizes = struct.pack("qq", *map(len, data))
        self.released = 0
        self.release = RELEASE(self.count)
        self.buffers = (ctypes.c_char_p * 5)(bits.to_bytes(len(keys) // 8 + 1, "little"), views, *data, sizes)
        pointer = ctypes.cast(self.buffers, ctypes.POINTER(ctypes.c_char_p))
        self.schema = Schema(b"vz", None, None, 2, 0, None, None, self.release, None)
        self.array = Array(len(keys) - offset, -1, offset, 5, 0, pointer, None, None, self.release, None)

    def count(self, _: int) -> None:
        self.released += 1

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return capsule(self.schema, b"arrow_schema"), capsule(self.array, b"arrow_array")
