"""Rows as bytes: the chunks that the service sends, and the entries that it is sent, written without protobuf."""

from collections.abc import Iterable
from functools import cache

STAMP = 1_700_000_000_000_000  # microseconds: when all cells were written

Cells = Iterable[tuple[bytes, bytes]]

_ONE_BYTE = [bytes((number,)) for number in range(0x80)]
_COMMIT = b"\x48\x01"


def row_chunks(key: bytes, family: str, cells: Cells) -> bytes:
    """The row as fields ``chunks`` of a ReadRowsResponse, as the service sends them.

    The first chunk alone has the key and the family, the last one alone commits the row.
    """
    chunks = [_placed(qualifier) + varint(len(value)) + value for qualifier, value in cells]
    chunks[0] = _bytes(1, key) + _bytes(2, _bytes(1, family.encode())) + chunks[0]
    chunks[-1] += _COMMIT
    return b"".join([b"\x0a" + varint(len(chunk)) + chunk for chunk in chunks])


def entry(key: bytes, family: str, cells: Cells) -> bytes:
    """The row as a field ``entries`` of a MutateRowsRequest: what is the same for all rows is made once."""
    body = b"\x0a" + varint(len(key)) + key
    body += b"".join([_setting(family, qualifier, len(value)) + value for qualifier, value in cells])
    return b"\x12" + varint(len(body)) + body


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    if number < 0x80:
        return _ONE_BYTE[number]
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    made.append(number)
    return bytes(made)


@cache
def _placed(qualifier: bytes) -> bytes:
    """A chunk up to the length of its value."""
    return _bytes(3, _bytes(1, qualifier)) + _number(4, STAMP) + b"\x32"


@cache
def _setting(family: str, qualifier: bytes, size: int) -> bytes:
    """A mutation that sets a cell, up to its value of ``size`` bytes."""
    value = b"\x22" + varint(size)
    cell = _bytes(1, family.encode()) + _bytes(2, qualifier) + _number(3, STAMP) + value
    whole = b"\x0a" + varint(len(cell) + size) + cell
    return b"\x12" + varint(len(whole) + size) + whole


def _bytes(tag: int, value: bytes) -> bytes:
    return bytes((tag << 3 | 2,)) + varint(len(value)) + value


def _number(tag: int, value: int) -> bytes:
    return bytes((tag << 3,)) + varint(value)
