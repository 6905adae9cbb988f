"""Numbers in cells: big-endian for machines, text for people."""

import struct
from typing import Any

from attrs import frozen

from btmodel.codecs.byte_set import one_of
from btmodel.codecs.cell.base import SORTED, CellCodec, SortedRun
from btmodel.errors import ValueRefused
from btmodel.value import Value
from btmodel.words import counted

_INT64 = struct.Struct(">q")
_FLOAT64 = struct.Struct(">d")

# The sign is the first bit, and what follows is the amount: of two negative numbers the lower one has the greater bytes.
FLOATS = (SortedRun(float("-inf"), -0.0, downward=True), SortedRun(0.0, float("inf")))


def signed_runs(least: int, most: int) -> tuple[SortedRun, ...]:
    """The runs of whole numbers in two's complement, big-endian."""
    return (SortedRun(least, -1), SortedRun(0, most))


@frozen(eq=False, repr=False)
class Int64(
    Value,
    CellCodec[int],
    fixed_size=8,
    meaning="signed 64-bit integer, big-endian",
    runs=signed_runs(-(2**63), 2**63 - 1),
):
    """A whole number as 8 bytes, signed, big-endian: what increments and aggregates need."""

    def encode(self, value: int) -> bytes:
        """8 bytes."""
        if type(value) is not int or not -(2**63) <= value < 2**63:
            raise ValueRefused("a whole number of 64 bits", value)
        return _INT64.pack(value)

    def decode(self, raw: bytes) -> int:
        """The number."""
        number: int = _unpacked(_INT64, raw)
        return number


@frozen(eq=False, repr=False)
class Float64(Value, CellCodec[float], fixed_size=8, meaning="64-bit float, big-endian", runs=FLOATS):
    """A float as 8 bytes, IEEE 754, big-endian; an int is taken as a float."""

    def encode(self, value: float) -> bytes:
        """8 bytes."""
        return _FLOAT64.pack(real_number(value))

    def decode(self, raw: bytes) -> float:
        """The float."""
        number: float = _unpacked(_FLOAT64, raw)
        return number


@frozen(eq=False, repr=False)
class Flag(
    Value, CellCodec[bool], fixed_size=1, reads=one_of(b"\0\1"), meaning="one byte, 0 or 1", runs=SORTED
):
    """A bool as one byte, 0 or 1."""

    def encode(self, value: bool) -> bytes:
        """One byte."""
        if not isinstance(value, bool):
            raise ValueRefused("True or False", value)
        return b"\x01" if value else b"\x00"

    def decode(self, raw: bytes) -> bool:
        """The bool."""
        if raw not in (b"\x00", b"\x01"):
            raise ValueError(f"expected one byte, 0 or 1, got {raw!r}")
        return raw == b"\x01"


def real_number(value: float) -> float:
    """``value`` as a float; a bool, text, or a whole number that no float holds exactly is refused."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueRefused("a number", value)
    try:
        real = float(value)
    except OverflowError:
        raise ValueRefused("a number within the range of a float", value) from None
    if isinstance(value, int) and real != value:
        raise ValueRefused("a whole number that a float holds exactly", value)
    return real


def _unpacked(layout: struct.Struct, raw: bytes) -> Any:
    if len(raw) != layout.size:
        raise ValueError(f"expected {counted(layout.size, 'byte')}, got {len(raw)}")
    return layout.unpack(raw)[0]
