"""Whole numbers in a row key as machines write them: a fixed number of bytes."""

from typing import ClassVar, Literal

from attrs import field, frozen

from btmodel.codecs.key.base import BYTES, Length, Order
from btmodel.codecs.key.sizes import at_least_one
from btmodel.codecs.key.whole_number import WholeNumber
from btmodel.counted import counted
from btmodel.errors import DeclarationError


def _bool(instance: object, attribute: object, value: bool) -> None:
    if type(value) is not bool:
        raise DeclarationError(
            f"{type(instance).__name__}: wanted signed=True or signed=False, got {value!r}"
        )


class _Machine(WholeNumber):
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
    def alphabet(self) -> frozenset[int]:
        """Every byte."""
        return BYTES

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
            raise ValueError(f"wanted {counted(self.size, 'byte')}, got {raw!r}")
        return int.from_bytes(raw, self.byte_order, signed=self.signed)


@frozen
class BigEndian(_Machine):
    """A whole number as ``size`` bytes, the greatest first; signed ones in two's complement.

    Signed numbers do not sort: those below 0 lie behind the others. For numbers of
    both signs that sort, see ``OrderedInt``.
    """

    size: int = field(default=8, validator=at_least_one("byte"))
    signed: bool = field(default=False, validator=_bool, kw_only=True)
    byte_order = "big"

    @property
    def order(self) -> Order:
        """Ascending where there is no sign."""
        return Order.NONE if self.signed else Order.ASCENDING


@frozen
class LittleEndian(_Machine):
    """A whole number as ``size`` bytes, the least first; signed ones in two's complement.

    For keys that another program wrote: it does not sort.
    """

    size: int = field(default=8, validator=at_least_one("byte"))
    signed: bool = field(default=False, validator=_bool, kw_only=True)
    byte_order = "little"

    @property
    def order(self) -> Order:
        """None, unless there is one byte without a sign."""
        return Order.ASCENDING if self.size == 1 and not self.signed else Order.NONE
