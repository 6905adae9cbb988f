"""Numbers of a fixed size, in other programs' layouts."""

import math
import struct
from typing import Literal

from attrs import frozen

from btmodel.codecs.byte_set import ByteSet, exactly
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.number import real_number
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.words import counted

ByteOrder = Literal["big", "little"]
_INT_SIZES = (*range(1, 9), 16)
_FLOATS = {(4, "big"): ">f", (4, "little"): "<f", (8, "big"): ">d", (8, "little"): "<d"}


@frozen
class IntBytes(CellCodec[int]):
    """A whole number of ``size`` bytes, 1 to 8 or 16, in two's complement where ``signed``.

    For cells of other writers; of a model's own, ``Int64`` is the one that increments can add to.
    """

    size: int
    byteorder: ByteOrder = "big"
    signed: bool = True

    def __attrs_post_init__(self) -> None:
        if type(self.size) is not int or self.size not in _INT_SIZES:
            raise DeclarationError(f"IntBytes: wanted a size of 1 to 8 or of 16 bytes, got {self.size!r}")
        _refuse_other_order("IntBytes", self.byteorder)

    @property
    def python_type(self) -> type:
        """``int``."""
        return int

    @property
    def typical_size(self) -> int:
        """The size."""
        return self.size

    @property
    def max_size(self) -> int:
        """The size."""
        return self.size

    @property
    def reads(self) -> ByteSet:
        """All of the size."""
        return exactly(self.size)

    @property
    def meaning(self) -> str:
        """In words."""
        signed = "signed" if self.signed else "unsigned"
        return f"{signed} {8 * self.size}-bit integer, {self.byteorder}-endian"

    def encode(self, value: int) -> bytes:
        """The bytes of the number."""
        if type(value) is int:
            try:
                return value.to_bytes(self.size, self.byteorder, signed=self.signed)
            except OverflowError:
                pass
        signed = "signed" if self.signed else "unsigned"
        raise ValueRefused(f"a whole number of {8 * self.size} bits, {signed}", value)

    def decode(self, raw: bytes) -> int:
        """The number."""
        if len(raw) != self.size:
            raise ValueError(f"wanted {counted(self.size, 'byte')}, got {len(raw)}")
        return int.from_bytes(raw, self.byteorder, signed=self.signed)


@frozen
class FloatBytes(CellCodec[float]):
    """A float of ``size`` bytes, 4 or 8, IEEE 754; an int is taken as a float.

    A number that four bytes cannot hold exactly is refused, not rounded: what is read is what was written.
    """

    size: Literal[4, 8]
    byteorder: ByteOrder = "big"

    def __attrs_post_init__(self) -> None:
        if self.size not in [size for size, _ in _FLOATS]:
            raise DeclarationError(f"FloatBytes: wanted a size of 4 or 8 bytes, got {self.size!r}")
        _refuse_other_order("FloatBytes", self.byteorder)

    @property
    def python_type(self) -> type:
        """``float``."""
        return float

    @property
    def typical_size(self) -> int:
        """The size."""
        return self.size

    @property
    def max_size(self) -> int:
        """The size."""
        return self.size

    @property
    def reads(self) -> ByteSet:
        """All of the size."""
        return exactly(self.size)

    @property
    def meaning(self) -> str:
        """In words."""
        return f"{8 * self.size}-bit float, {self.byteorder}-endian"

    def encode(self, value: float) -> bytes:
        """The bytes of the float."""
        number = real_number(value)
        try:
            raw = struct.pack(self._format, number)
        except OverflowError:
            raise ValueRefused("a number within the range of a 32-bit float", value) from None
        if not math.isnan(number) and self.decode(raw) != number:
            raise ValueRefused("a number that a 32-bit float holds exactly (round it yourself)", value)
        return raw

    def decode(self, raw: bytes) -> float:
        """The float."""
        if len(raw) != self.size:
            raise ValueError(f"wanted {counted(self.size, 'byte')}, got {len(raw)}")
        number: float = struct.unpack(self._format, raw)[0]
        return number

    @property
    def _format(self) -> str:
        return _FLOATS[self.size, self.byteorder]


def _refuse_other_order(codec: str, byteorder: object) -> None:
    if byteorder not in ("big", "little"):
        raise DeclarationError(f"{codec}: wanted the byte order 'big' or 'little', got {byteorder!r}")
