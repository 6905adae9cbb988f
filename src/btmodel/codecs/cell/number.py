"""Numbers in cells: big-endian for machines, text for people."""

import math
import re
import struct
from decimal import Decimal, InvalidOperation
from typing import Any

from attrs import frozen

from btmodel.codecs.byte_set import DIGIT, ByteSet, choice, exactly, literal, many, one_of, sequence
from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.words import counted

_MOST_DIGITS = 4_000
_MOST_BITS = 13_287  # of as many digits
_INT64 = struct.Struct(">q")
_FLOAT64 = struct.Struct(">d")
_WHOLE = re.compile(rb"-?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NUMBER = many(one_of("09", b"+-.eE"), 1)
_REAL = re.compile(rb"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


@frozen
class Int64(CellCodec[int]):
    """A whole number as 8 bytes, signed, big-endian: what increments and aggregates need."""

    @property
    def python_type(self) -> type:
        """``int``."""
        return int

    @property
    def typical_size(self) -> int:
        """8."""
        return 8

    @property
    def max_size(self) -> int:
        """8."""
        return 8

    @property
    def reads(self) -> ByteSet:
        """All 8 bytes."""
        return exactly(8)

    @property
    def meaning(self) -> str:
        """In words."""
        return "signed 64-bit integer, big-endian"

    def encode(self, value: int) -> bytes:
        """8 bytes."""
        if type(value) is not int or not -(2**63) <= value < 2**63:
            raise ValueRefused("a whole number of 64 bits", value)
        return _INT64.pack(value)

    def decode(self, raw: bytes) -> int:
        """The number."""
        number: int = _unpacked(_INT64, raw)
        return number


@frozen
class Float64(CellCodec[float]):
    """A float as 8 bytes, IEEE 754, big-endian; an int is taken as a float."""

    @property
    def python_type(self) -> type:
        """``float``."""
        return float

    @property
    def typical_size(self) -> int:
        """8."""
        return 8

    @property
    def max_size(self) -> int:
        """8."""
        return 8

    @property
    def reads(self) -> ByteSet:
        """All 8 bytes."""
        return exactly(8)

    @property
    def meaning(self) -> str:
        """In words."""
        return "64-bit float, big-endian"

    def encode(self, value: float) -> bytes:
        """8 bytes."""
        return _FLOAT64.pack(real_number(value))

    def decode(self, raw: bytes) -> float:
        """The float."""
        number: float = _unpacked(_FLOAT64, raw)
        return number


@frozen
class Flag(CellCodec[bool]):
    """A bool as one byte, 0 or 1."""

    @property
    def python_type(self) -> type:
        """``bool``."""
        return bool

    @property
    def typical_size(self) -> int:
        """1."""
        return 1

    @property
    def max_size(self) -> int:
        """1."""
        return 1

    @property
    def reads(self) -> ByteSet:
        """0 and 1."""
        return one_of(b"\0\1")

    @property
    def meaning(self) -> str:
        """In words."""
        return "one byte, 0 or 1"

    def encode(self, value: bool) -> bytes:
        """One byte."""
        if not isinstance(value, bool):
            raise ValueRefused("True or False", value)
        return b"\x01" if value else b"\x00"

    def decode(self, raw: bytes) -> bool:
        """The bool."""
        if raw not in (b"\x00", b"\x01"):
            raise ValueError(f"wanted one byte, 0 or 1, got {raw!r}")
        return raw == b"\x01"


@frozen
class FlagText(CellCodec[bool]):
    """A bool as a word: ``true`` or ``false``, or the two that are given."""

    true: str = "true"
    false: str = "false"

    def __attrs_post_init__(self) -> None:
        if not (isinstance(self.true, str) and isinstance(self.false, str)) or self.true == self.false:
            raise DeclarationError(f"{shown(self)}: wanted two different words")

    @property
    def python_type(self) -> type:
        """``bool``."""
        return bool

    @property
    def typical_size(self) -> int:
        """Bytes of the longer word."""
        return max(len(self.true.encode()), len(self.false.encode()))

    @property
    def max_size(self) -> int:
        """Bytes of the longer word."""
        return self.typical_size

    @property
    def reads(self) -> ByteSet:
        """The two words."""
        return choice(literal(self.true.encode()), literal(self.false.encode()))

    @property
    def meaning(self) -> str:
        """The two words."""
        return f"the word {self.true!r} or {self.false!r}"

    def encode(self, value: bool) -> bytes:
        """The word, in UTF-8."""
        if not isinstance(value, bool):
            raise ValueRefused("True or False", value)
        return (self.true if value else self.false).encode()

    def decode(self, raw: bytes) -> bool:
        """The bool."""
        for word, value in ((self.true, True), (self.false, False)):
            if raw == word.encode():
                return value
        raise ValueError(f"wanted {self.meaning}, got {raw!r}")


@frozen
class DecimalNumber(CellCodec[Decimal]):
    """A Decimal as its text, digits kept as they are: ``600.50`` stays ``600.50``."""

    @property
    def python_type(self) -> type:
        """``Decimal``."""
        return Decimal

    @property
    def typical_size(self) -> int:
        """An assumption: a price."""
        return 8

    @property
    def reads(self) -> ByteSet:
        """Digits, signs, a point and an exponent."""
        return _NUMBER

    @property
    def meaning(self) -> str:
        """In words."""
        return "decimal text"

    def encode(self, value: Decimal) -> bytes:
        """The text of a finite Decimal."""
        if not isinstance(value, Decimal) or not value.is_finite():
            raise ValueRefused("a finite Decimal", value)
        return str(value).encode()

    def decode(self, raw: bytes) -> Decimal:
        """The Decimal."""
        try:
            text = raw.decode("ascii")
            # Decimal itself also takes spaces, underscores and NaN.
            value = Decimal(text if _DECIMAL.fullmatch(text) else "no number")
        except (InvalidOperation, UnicodeDecodeError):
            raise ValueError(f"wanted decimal text, got {raw!r}") from None
        if not value.is_finite():
            raise ValueError(f"wanted a finite number, got {raw!r}")
        return value


@frozen
class DecimalText(CellCodec[int]):
    """A whole number as decimal text: ``500``."""

    @property
    def python_type(self) -> type:
        """``int``."""
        return int

    @property
    def typical_size(self) -> int:
        """An assumption."""
        return 6

    @property
    def max_size(self) -> int:
        """The most digits, and a minus."""
        return 1 + _MOST_DIGITS

    @property
    def reads(self) -> ByteSet:
        """Digits, behind a minus or not."""
        return sequence(choice(literal(b"-"), literal(b"")), many(DIGIT, 1))

    @property
    def meaning(self) -> str:
        """In words."""
        return "whole number as text"

    def encode(self, value: int) -> bytes:
        """Decimal digits, with a minus below 0."""
        # Python itself turns no more digits into a number.
        if type(value) is not int or value.bit_length() > _MOST_BITS:
            raise ValueRefused("a whole number of up to 4,000 digits", value)
        return b"%d" % value

    def decode(self, raw: bytes) -> int:
        """The number."""
        if not _WHOLE.fullmatch(raw):
            raise ValueError(f"wanted a whole number as text, got {raw!r}")
        return int(raw)


@frozen
class FloatText(CellCodec[float]):
    """A float as the shortest text that reads back as the same float: ``9.5``."""

    @property
    def python_type(self) -> type:
        """``float``."""
        return float

    @property
    def typical_size(self) -> int:
        """An assumption."""
        return 6

    @property
    def max_size(self) -> int:
        """24, as of ``-2.2250738585072014e-308``."""
        return 24

    @property
    def reads(self) -> ByteSet:
        """Digits, signs, a point and an exponent."""
        return _NUMBER

    @property
    def meaning(self) -> str:
        """In words."""
        return "number as text"

    def encode(self, value: float) -> bytes:
        """The text of a finite number."""
        if math.isnan(real_number(value)) or math.isinf(value):
            raise ValueRefused("a finite number", value)
        return repr(float(value)).encode()

    def decode(self, raw: bytes) -> float:
        """The float."""
        if not _REAL.fullmatch(raw):
            raise ValueError(f"wanted a number as text, got {raw!r}")
        value = float(raw)
        if not math.isfinite(value):
            raise ValueError(f"wanted a number within the range of a float, got {raw!r}")
        return value


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
        raise ValueError(f"wanted {counted(layout.size, 'byte')}, got {len(raw)}")
    return layout.unpack(raw)[0]
