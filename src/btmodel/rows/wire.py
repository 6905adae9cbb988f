"""Protobuf's wire format, as far as rows need it."""

from typing import NamedTuple

NUMBER = 0  # the wire type of a varint
BYTES = 2  # the wire type of what has a length in front


_SMALL = tuple(bytes((number,)) for number in range(128))
_GOES_ON = bytes(range(128, 256))


def varint(number: int) -> bytes:
    """A whole number from 0 on, seven bits a byte, the lowest first; all bytes but the last have the highest bit."""
    if number < 128:
        return _SMALL[number]
    more = []
    while number >= 128:
        more.append(number & 127 | 128)
        number >>= 7
    more.append(number)
    return bytes(more)


def number_of(raw: bytes) -> int:
    """The number that a whole varint is."""
    return sum((byte & 127) << 7 * at for at, byte in enumerate(raw))


def tag(number: int, kind: int) -> bytes:
    """What stands in front of the field ``number``."""
    return varint(number << 3 | kind)


def field(number: int, content: bytes) -> bytes:
    """A field of bytes, text, or a message."""
    return tag(number, BYTES) + varint(len(content)) + content


def is_varint(raw: bytes) -> bool:
    """Whether ``raw`` is one whole varint."""
    return raw[-1] < 0x80 and not raw[:-1].translate(None, _GOES_ON)


class Entry(NamedTuple):
    """One row to write, as the service takes it in: it only sets cells, with times, so it may be sent again.

    ``raw`` is a serialized ``MutateRowsRequest.Entry``, ``key`` the row key that it holds, and
    ``count`` how many mutations.
    """

    key: bytes
    raw: bytes
    count: int  # type: ignore[assignment]  # the method of tuples is hidden
