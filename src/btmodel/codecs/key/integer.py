"""Whole numbers in a row key."""

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.number import DecimalText
from btmodel.codecs.key.base import DIGITS, KeyCodec, Kind, Length, Order, ascii_digits, whole_number
from btmodel.errors import DeclarationError


def _positive(instance: object, attribute: object, value: int) -> None:
    if type(value) is not int or value < 1:
        raise DeclarationError(f"{type(instance).__name__}: wanted at least 1 digit, got {value!r}")


class _Digits(KeyCodec[int]):
    """What padded and unpadded numbers share."""

    @property
    def python_type(self) -> type:
        """``int``."""
        return int

    @property
    def kind(self) -> Kind:
        """A number."""
        return Kind.NUMBER

    @property
    def alphabet(self) -> frozenset[int]:
        """The ten digits."""
        return DIGITS

    def mirror(self) -> CellCodec[int]:
        """A cell repeats the number without its zeros."""
        return DecimalText()


@frozen
class PaddedInt(_Digits):
    """A whole number from 0 on, with zeros on the left to ``digits`` digits: it sorts as it counts."""

    digits: int = field(validator=_positive)

    @property
    def length(self) -> Length:
        """Always ``digits`` bytes."""
        return Length(self.digits, self.digits)

    @property
    def order(self) -> Order:
        """Ascending: the zeros see to it."""
        return Order.ASCENDING

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        return f"{self.digits} digits, zeros on the left"

    def bound(self, value: int) -> bytes | None:
        """The digits of ``value``, or of 0 where it is below; None where it has too many."""
        if type(value) is not int:
            return self.encode(value)
        return self.encode(max(value, 0)) if value < 10**self.digits else None

    def encode(self, value: int) -> bytes:
        """Decimal digits, zeros on the left."""
        return b"%0*d" % (self.digits, whole_number(value, least=0, most=10**self.digits - 1))

    def decode(self, raw: bytes) -> int:
        """The number."""
        return ascii_digits(raw, self.digits)


@frozen
class Int(_Digits):
    """A whole number from 0 on, of at most ``max_digits`` digits, without zeros on the left.

    Its text does not sort as the number does (``10`` sorts below ``9``).
    """

    max_digits: int = field(validator=_positive)

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
        return f"up to {self.max_digits} digits, not padded"

    def encode(self, value: int) -> bytes:
        """Decimal digits."""
        return b"%d" % whole_number(value, least=0, most=10**self.max_digits - 1)

    def decode(self, raw: bytes) -> int:
        """The number; zeros on the left are refused, two texts for one number would be two rows."""
        value = ascii_digits(raw)
        if len(raw) > self.max_digits or (raw[:1] == b"0" and raw != b"0"):
            raise ValueError(f"wanted up to {self.max_digits} digits without zeros on the left, got {raw!r}")
        return value
