"""Whole numbers of both signs in a row key, short and sorted."""

from attrs import frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.number import Int64
from btmodel.codecs.key.base import BYTES, Length, Order
from btmodel.codecs.key.whole_number import WholeNumber

_MOST_BYTES = 10


@frozen
class OrderedInt(WholeNumber):
    """A whole number of 64 bits with its sign, in 1 to 10 bytes: small ones are short, and all sort.

    The first bits are as many ones as there are bytes, then follow a zero and the
    number; of a number below 0, each bit is the opposite. So every number from -64 to 63 is one
    byte, and each more byte holds seven more bits. It is what the service calls
    ``OrderedCodeBytes`` of an ``Int64``, as the only field of a key: among several fields in ordered code
    the service also escapes each byte 00 of it, which this codec does not.
    """

    self_ending = True
    holds_delimiter = True

    @property
    def least(self) -> int:
        """The least number of 64 bits."""
        return -(2**63)

    @property
    def most(self) -> int:
        """The greatest number of 64 bits."""
        return 2**63 - 1

    @property
    def length(self) -> Length:
        """From 1 to 10 bytes."""
        return Length(1, _MOST_BYTES)

    @property
    def alphabet(self) -> frozenset[int]:
        """Every byte."""
        return BYTES

    @property
    def order(self) -> Order:
        """Ascending."""
        return Order.ASCENDING

    @property
    def meaning(self) -> str:
        """In words."""
        return "1 to 10 bytes, sign and size first"

    def encode(self, value: int) -> bytes:
        """Sign, size and number."""
        magnitude = ~value if self.checked(value) < 0 else value
        size = magnitude.bit_length() // 7 + 1
        return (value ^ _header(size)).to_bytes(size + 1, "big", signed=True)[1:]

    def decode(self, raw: bytes) -> int:
        """The number, from the shortest encoding that it has."""
        size = self.end(raw, 0)
        value = int.from_bytes(raw, "big") ^ _header(size)
        if value >> 8 * size - 1:
            value -= 1 << 8 * size
        if size != len(raw) or not self.least <= value <= self.most or self.encode(value) != raw:
            raise ValueError(f"wanted a whole number of 64 bits in ordered code, got {raw!r}")
        return value

    def end(self, raw: bytes, at: int) -> int:
        """The first bits tell: as many of one kind as there are bytes."""
        head = int.from_bytes(raw[at : at + 2].ljust(2, b"\0"), "big")
        alike = 16 - (head ^ 0xFFFF if head >> 15 else head).bit_length()
        if alike > _MOST_BYTES or at + alike > len(raw):
            raise ValueError(f"wanted a whole number in ordered code at byte {at}, got {raw[at:]!r}")
        return at + alike

    def mirror(self) -> CellCodec[int]:
        """A cell repeats the number as 8 bytes."""
        return Int64()


def _header(size: int) -> int:
    """As many ones as there are bytes, in front of so many bytes."""
    return ((1 << size) - 1) << 7 * size
