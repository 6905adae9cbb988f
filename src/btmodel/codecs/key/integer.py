"""Whole numbers in a row key, as decimal digits."""

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.number import DecimalText
from btmodel.codecs.key.base import DIGITS, Length, Order, ascii_digits
from btmodel.codecs.key.sizes import at_least_one
from btmodel.codecs.key.whole_number import WholeNumber
from btmodel.counted import counted


class _Digits(WholeNumber):
    """What numbers in decimal digits share."""

    @property
    def alphabet(self) -> frozenset[int]:
        """The ten digits."""
        return DIGITS

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


@frozen
class PaddedInt(_Padded):
    """A whole number from 0 on, with zeros on the left to ``digits`` digits: it sorts as it counts."""

    digits: int = field(validator=at_least_one("digit"))

    @property
    def order(self) -> Order:
        """Ascending: the zeros see to it."""
        return Order.ASCENDING

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


@frozen
class ReversedDigits(_Padded):
    """A whole number from 0 on, padded to ``digits`` digits and written backwards: 12 is ``2100``.

    Ids that are given out one after the other then lie in different places of the
    table, and no single tablet takes all new rows. Nobody can ask for a range of them.
    """

    digits: int = field(validator=at_least_one("digit"))

    @property
    def order(self) -> Order:
        """Scattered, which is what it is for; ascending where there is one digit."""
        return Order.ASCENDING if self.digits == 1 else Order.SCATTERED

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        return f"{counted(self.digits, 'digit')}, written backwards"

    def encode(self, value: int) -> bytes:
        """Decimal digits, the last one first, zeros on the right."""
        return (b"%0*d" % (self.digits, self.checked(value)))[::-1]

    def decode(self, raw: bytes) -> int:
        """The number."""
        if not raw.isdigit() or len(raw) != self.digits:
            raise ValueError(f"wanted {counted(self.digits, 'digit')}, got {raw!r}")
        return ascii_digits(raw[::-1])


@frozen
class Int(_Digits):
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
                f"wanted up to {counted(self.max_digits, 'digit')} without zeros on the left, got {raw!r}"
            )
        return value
