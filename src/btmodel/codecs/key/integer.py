"""Whole numbers in a row key: digits, machine integers, the service's ordered code."""

from typing import ClassVar, Literal

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.number import DecimalText, Int64
from btmodel.codecs.key.base import (
    DIGITS,
    AsInKey,
    Length,
    Order,
    WholeNumber,
    a_bool,
    ascii_digits,
    at_least_one,
)
from btmodel.errors import shown
from btmodel.value import Value
from btmodel.words import counted


class _Digits(WholeNumber, alphabet=DIGITS):
    """What numbers in decimal digits share."""

    def mirror(self) -> CellCodec[int]:
        """A cell repeats the number, its digits in order and without zeros on the left."""
        return DecimalText()


class _Padded(_Digits):
    """What numbers of a fixed number of digits share."""

    digits: int

    @property
    def most(self) -> int:
        """All nines."""
        return int(10**self.digits - 1)

    @property
    def length(self) -> Length:
        """Always ``digits`` bytes."""
        return Length(self.digits, self.digits)


@frozen(eq=False, repr=False)
class PaddedInt(Value, _Padded, order=Order.ASCENDING):
    """A whole number from 0 on, with zeros on the left to ``digits`` digits: it sorts as it counts."""

    digits: int = field(validator=at_least_one("digit"))

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        return f"{counted(self.digits, 'digit')}, zeros on the left"

    def encode(self, value: int) -> bytes:
        """Decimal digits, zeros on the left."""
        return b"%0*d" % (self.digits, self.checked(value))

    def decode(self, raw: bytes) -> int:
        """The number."""
        return ascii_digits(raw, self.digits)


@frozen(eq=False, repr=False)
class ReversedDigits(Value, _Padded):
    """A whole number from 0 on, padded to ``digits`` digits and written backwards: 12 is ``2100``.

    Ids that are given out one after the other then lie in different places of the
    table, and no single tablet takes all new rows. Nobody can ask for a range of them.
    With ``padded=False`` there are no zeros on the right: 12 is ``21``.
    """

    digits: int = field(validator=at_least_one("digit"))
    padded: bool = field(default=True, kw_only=True, validator=a_bool)

    @property
    def length(self) -> Length:
        """Always ``digits`` bytes; from 1 on where nothing is padded."""
        return Length(self.digits if self.padded else 1, self.digits)

    @property
    def order(self) -> Order:
        """Scattered, which is what it is for; ascending where there is one digit."""
        return Order.ASCENDING if self.digits == 1 else Order.SCATTERED

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        return f"{'' if self.padded else 'up to '}{counted(self.digits, 'digit')}, written backwards"

    def encode(self, value: int) -> bytes:
        """Decimal digits, the last one first, zeros on the right where they are padded."""
        return (b"%0*d" % (self.digits if self.padded else 1, self.checked(value)))[::-1]

    def decode(self, raw: bytes) -> int:
        """The number; zeros on the right are refused where nothing is padded."""
        length = self.length
        zeros = not self.padded and raw[-1:] == b"0" != raw
        if not raw.isdigit() or not length.least <= len(raw) <= length.most or zeros:
            raise ValueError(f"expected {self.meaning}, got {shown(raw)}")
        return ascii_digits(raw[::-1])


@frozen(eq=False, repr=False)
class Int(Value, _Digits):
    """A whole number from 0 on, of at most ``max_digits`` digits, without zeros on the left.

    Its text does not sort as the number does (``10`` sorts below ``9``).
    """

    max_digits: int = field(validator=at_least_one("digit"))

    @property
    def most(self) -> int:
        """All nines."""
        return int(10**self.max_digits - 1)

    @property
    def length(self) -> Length:
        """From 1 to ``max_digits`` bytes."""
        return Length(1, self.max_digits)

    @property
    def order(self) -> Order:
        """None, unless there is one digit."""
        return Order.ASCENDING if self.max_digits == 1 else Order.NONE

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        return f"up to {counted(self.max_digits, 'digit')}, not padded"

    def encode(self, value: int) -> bytes:
        """Decimal digits."""
        return b"%d" % self.checked(value)

    def decode(self, raw: bytes) -> int:
        """The number; zeros on the left are refused, two texts for one number would be two rows."""
        value = ascii_digits(raw)
        if len(raw) > self.max_digits or (raw[:1] == b"0" and raw != b"0"):
            raise ValueError(
                f"expected up to {counted(self.max_digits, 'digit')} without zeros on the left, got {shown(raw)}"
            )
        return value


class _FixedBytes(WholeNumber):
    """What both orders of bytes share."""

    size: int
    signed: bool
    byte_order: ClassVar[Literal["big", "little"]]

    @property
    def least(self) -> int:
        """0, or the least number in two's complement."""
        return -(1 << 8 * self.size - 1) if self.signed else 0

    @property
    def most(self) -> int:
        """The greatest number of so many bits."""
        return (1 << 8 * self.size - self.signed) - 1

    @property
    def length(self) -> Length:
        """Always ``size`` bytes."""
        return Length(self.size, self.size)

    @property
    def meaning(self) -> str:
        """Size, sign and order of bytes, in words."""
        return f"{counted(self.size, 'byte')}, {'signed' if self.signed else 'unsigned'}, {self.byte_order}-endian"

    def encode(self, value: int) -> bytes:
        """The bytes."""
        return self.checked(value).to_bytes(self.size, self.byte_order, signed=self.signed)

    def decode(self, raw: bytes) -> int:
        """The number."""
        if len(raw) != self.size:
            raise ValueError(f"expected {counted(self.size, 'byte')}, got {shown(raw)}")
        return int.from_bytes(raw, self.byte_order, signed=self.signed)


@frozen(eq=False, repr=False)
class BigEndian(Value, _FixedBytes):
    """A whole number as ``size`` bytes, the greatest first; signed ones in two's complement.

    Signed numbers do not sort: those below 0 lie behind the others. For numbers of
    both signs that sort, see ``OrderedInt``.
    """

    size: int = field(default=8, validator=at_least_one("byte"))
    signed: bool = field(default=False, validator=a_bool, kw_only=True)
    byte_order = "big"

    @property
    def order(self) -> Order:
        """Ascending where there is no sign."""
        return Order.NONE if self.signed else Order.ASCENDING


@frozen(eq=False, repr=False)
class LittleEndian(Value, _FixedBytes):
    """A whole number as ``size`` bytes, the least first; signed ones in two's complement.

    For keys that another program wrote: it does not sort.
    """

    size: int = field(default=8, validator=at_least_one("byte"))
    signed: bool = field(default=False, validator=a_bool, kw_only=True)
    byte_order = "little"

    @property
    def order(self) -> Order:
        """None, unless there is one byte without a sign."""
        return Order.ASCENDING if self.size == 1 and not self.signed else Order.NONE


_MOST_BYTES = 10


@frozen(eq=False, repr=False)
class OrderedInt(
    Value,
    WholeNumber,
    length=Length(1, _MOST_BYTES),
    order=Order.ASCENDING,
    meaning="1 to 10 bytes, sign and size first",
):
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
            raise ValueError(f"expected a whole number of 64 bits in ordered code, got {shown(raw)}")
        return value

    def end(self, raw: bytes, at: int) -> int:
        """The first bits say it: as many of one kind as there are bytes."""
        head = int.from_bytes(raw[at : at + 2].ljust(2, b"\0"), "big")
        alike = 16 - (head ^ 0xFFFF if head >> 15 else head).bit_length()
        if alike > _MOST_BYTES or at + alike > len(raw):
            raise ValueError(f"expected a whole number in ordered code at byte {at}, got {shown(raw[at:])}")
        return at + alike

    def mirror(self) -> CellCodec[int]:
        """A cell repeats the number as 8 bytes."""
        return Int64()


@frozen(eq=False, repr=False)
class VarInt(Value, WholeNumber, holds_delimiter=True, self_ending=True):
    """A whole number from 0 up to 64 bits in 1 to 10 bytes, as protobuf writes it: seven bits a byte, the least first.

    Each byte but the last has its first bit set. ``zigzag=True`` takes numbers of 64 bits with their sign, and writes 0, -1, 1, -2
    as 0, 1, 2, 3. It does not sort; ``OrderedInt`` does.
    """

    zigzag: bool = field(default=False, kw_only=True, validator=a_bool)

    @property
    def least(self) -> int:
        """0, or the least number of 64 bits with a sign."""
        return -(2**63) if self.zigzag else 0

    @property
    def most(self) -> int:
        """The greatest number of 64 bits."""
        return 2**63 - 1 if self.zigzag else 2**64 - 1

    @property
    def length(self) -> Length:
        """From 1 to 10 bytes."""
        return Length(1, _MOST_BYTES)

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"a varint of 1 to 10 bytes{', zigzag' if self.zigzag else ''}"

    def encode(self, value: int) -> bytes:
        """Seven bits a byte, the least first."""
        left = self.checked(value)
        if self.zigzag:
            left = 2 * left if left >= 0 else -2 * left - 1
        raw = bytearray()
        while left > 0x7F:
            raw.append(left & 0x7F | 0x80)
            left >>= 7
        raw.append(left)
        return bytes(raw)

    def decode(self, raw: bytes) -> int:
        """The number, from the shortest encoding that it has."""
        if self.end(raw, 0) != len(raw) or (len(raw) > 1 and not raw[-1]):
            raise ValueError(f"expected {self.meaning}, got {shown(raw)}")
        number = sum((byte & 0x7F) << 7 * at for at, byte in enumerate(raw))
        if number >= 2**64:
            raise ValueError(f"expected a number of 64 bits as a varint, got {shown(raw)}")
        return (number >> 1) ^ -(number & 1) if self.zigzag else number

    def end(self, raw: bytes, at: int) -> int:
        """Behind the first byte without its first bit."""
        for end in range(at, min(at + _MOST_BYTES, len(raw))):
            if raw[end] < 0x80:
                return end + 1
        raise ValueError(f"expected a varint at byte {at}, got {shown(raw[at:])}")

    def mirror(self) -> CellCodec[int]:
        """A cell repeats the number as it is in the key."""
        return AsInKey(self)


def _header(size: int) -> int:
    """As many ones as there are bytes, in front of so many bytes."""
    return ((1 << size) - 1) << 7 * size
