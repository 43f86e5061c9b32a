"""Structures of Thrift's compact protocol, taken apart and put together again: what a Parquet footer is made of.

A field keeps its value as the bytes it has in the file. So whatever is not looked into comes out as it went in, also what this
release does not know. Bytes may come from anywhere: every length is checked, and nesting has an end.

    structure   field, field, …, 0            a field: (id - previous id) << 4 | type, or 0 | type and the id; then the value
    list        count << 4 | type, or 15 << 4 | type and the count; then the values
    integer     zigzag, 7 bits per byte, the lowest first
    binary      its length as such an integer (not zigzag), and its bytes
"""

from __future__ import annotations

from typing import NamedTuple

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
_DEEPEST = 64


class Malformed(ValueError):
    """No writer of the protocol can have made these bytes."""


class Field(NamedTuple):
    """A field of a structure. A boolean has its value in its type, and no bytes."""

    id: int
    type: int
    value: bytes


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise Malformed(f"an integer at offset {at}")
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7


def _put_varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def integer(value: bytes) -> int:
    number, end = _varint(value, 0)
    if end != len(value):
        raise Malformed("an integer with something behind it")
    return number >> 1 ^ -(number & 1)


def put_integer(number: int) -> bytes:
    return _put_varint(number << 1 ^ number >> 63)


def binary(value: bytes) -> bytes:
    length, start = _varint(value, 0)
    if start + length != len(value):
        raise Malformed("a text with something behind it")
    return value[start:]


def _list_head(data: bytes, at: int) -> tuple[int, int, int]:
    """The type of a list's values, how many there are, and where they begin."""
    if at >= len(data):
        raise Malformed(f"a list at offset {at}")
    kind, count = data[at] & 15, data[at] >> 4
    at += 1
    if count == 15:
        count, at = _varint(data, at)
    if count > len(data) - at:  # the least a value takes is a byte
        raise Malformed(f"a list of {count} at offset {at}")
    return kind, count, at


def _end_of(data: bytes, at: int, kind: int, depth: int, in_list: bool) -> int:
    """Where a value ends that begins here."""
    if depth > _DEEPEST:
        raise Malformed(f"nesting deeper than {_DEEPEST} at offset {at}")
    if kind in (TRUE, FALSE):
        end = at + in_list
    elif kind == BYTE:
        end = at + 1
    elif kind in (I16, I32, I64):
        end = _varint(data, at)[1]
    elif kind == DOUBLE:
        end = at + 8
    elif kind == BINARY:
        length, start = _varint(data, at)
        end = start + length
    elif kind in (LIST, SET):
        inner, count, end = _list_head(data, at)
        for _ in range(count):
            end = _end_of(data, end, inner, depth + 1, True)
    elif kind == MAP:
        count, end = _varint(data, at)
        if count > len(data) - end:
            raise Malformed(f"a map of {count} at offset {at}")
        if count != 0:
            types, end = data[end], end + 1
            for _ in range(count):
                end = _end_of(data, end, types >> 4, depth + 1, True)
                end = _end_of(data, end, types & 15, depth + 1, True)
    elif kind == STRUCT:
        end = _fields(data, at, depth, None)
    else:
        raise Malformed(f"a value of type {kind} at offset {at}")
    if end > len(data):
        raise Malformed(f"a value at offset {at} that goes on beyond the end")
    return end


def _fields(data: bytes, at: int, depth: int, into: list[Field] | None) -> int:
    number = 0
    while True:
        if at >= len(data):
            raise Malformed(f"a structure without an end at offset {at}")
        head = data[at]
        at += 1
        if head == 0:
            return at
        if head >> 4 != 0:
            number += head >> 4
        else:
            raw, at = _varint(data, at)
            number = raw >> 1 ^ -(raw & 1)
        end = _end_of(data, at, head & 15, depth + 1, False)
        if into is not None:
            into.append(Field(number, head & 15, data[at:end]))
        at = end


def structure(data: bytes) -> list[Field]:
    """The fields of a structure that is all of these bytes."""
    fields: list[Field] = []
    if _fields(data, 0, 0, fields) != len(data):
        raise Malformed("a structure with something behind it")
    return fields


def put_structure(fields: list[Field]) -> bytes:
    out, previous = bytearray(), 0
    for number, kind, value in fields:
        step = number - previous
        out += bytes([step << 4 | kind]) if 0 < step < 16 else bytes([kind]) + put_integer(number)
        out += value
        previous = number
    out.append(0)
    return bytes(out)


def structures(data: bytes) -> list[list[Field]]:
    """A list of structures."""
    kind, count, at = _list_head(data, 0)
    if kind != STRUCT and count != 0:
        raise Malformed("a list of something else than structures")
    out = []
    for _ in range(count):
        fields: list[Field] = []
        at = _fields(data, at, 0, fields)
        out.append(fields)
    if at != len(data):
        raise Malformed("a list with something behind it")
    return out


def put_structures(all_fields: list[list[Field]]) -> bytes:
    count = len(all_fields)
    head = bytes([count << 4 | STRUCT]) if count < 15 else bytes([15 << 4 | STRUCT]) + _put_varint(count)
    return head + b"".join(map(put_structure, all_fields))


def find(fields: list[Field], number: int, kind: int) -> bytes | None:
    """The value of a field; None where there is none of this number and type."""
    return next((field.value for field in fields if field.id == number and field.type == kind), None)


def replaced(fields: list[Field], *new: Field) -> list[Field]:
    """The fields with these in the place of those of the same number, in the order of their numbers."""
    numbers = {field.id for field in new}
    return sorted([*(field for field in fields if field.id not in numbers), *new], key=lambda field: field.id)
