"""Numbers in cells: big-endian for machines, text for people, and in the layouts of other programs."""

import math
import struct
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from attrs import field, frozen

from btmodel.codecs.byte_set import DIGIT, ByteSet, choice, literal, many, one_of, sequence
from btmodel.codecs.cell.base import SORTED, CellCodec, SortedRun
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.on_demand import pattern
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
            raise ValueError(f"expected one byte, 0 or 1, got {shown(raw)}")
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


ByteOrder = Literal["big", "little"]
_INT_SIZES = (*range(1, 9), 16)
_FLOATS = {(4, "big"): ">f", (4, "little"): "<f", (8, "big"): ">d", (8, "little"): "<d"}
_MOST_DIGITS = 4_000
_MOST_BITS = 13_287  # of as many digits
_WHOLE = pattern(rb"-?(0|[1-9][0-9]*)")
_DECIMAL = pattern(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NUMBER = many(one_of("09", b"+-.eE"), 1)
_REAL = pattern(rb"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?")


@frozen(eq=False, repr=False)
class IntBytes(Value, CellCodec[int]):
    """A whole number of ``size`` bytes, 1 to 8 or 16, in two's complement where ``signed``.

    For cells of other writers; of a model's own, ``Int64`` is the one that increments can add to.
    """

    size: int
    byteorder: ByteOrder = "big"
    signed: bool = True

    def __attrs_post_init__(self) -> None:
        if type(self.size) is not int or self.size not in _INT_SIZES:
            raise DeclarationError(f"IntBytes: expected a size of 1 to 8 or of 16 bytes, got {self.size!r}")
        _refuse_other_order("IntBytes", self.byteorder)

    @property
    def fixed_size(self) -> int:
        """The size."""
        return self.size

    @property
    def runs(self) -> tuple[SortedRun, ...]:
        """One or two of a big-endian number; none of a little-endian one, unless it is a single byte."""
        if self.byteorder == "little" and self.size > 1:
            return ()
        half = 1 << 8 * self.size - 1
        return signed_runs(-half, half - 1) if self.signed else SORTED

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
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
            raise ValueError(f"expected {counted(self.size, 'byte')}, got {len(raw)}")
        return int.from_bytes(raw, self.byteorder, signed=self.signed)


@frozen(eq=False, repr=False)
class FloatBytes(Value, CellCodec[float]):
    """A float of ``size`` bytes, 4 or 8, IEEE 754; an int is taken as a float.

    A number that four bytes cannot hold exactly is refused, so that what is read is what was written, or, with ``round``,
    becomes the nearest one that they hold.
    """

    size: Literal[4, 8]
    byteorder: ByteOrder = "big"
    # The bytes of a number that fits are the same.
    round: bool = field(default=False, eq=False, repr=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.size not in [size for size, _ in _FLOATS]:
            raise DeclarationError(f"FloatBytes: expected a size of 4 or 8 bytes, got {self.size!r}")
        _refuse_other_order("FloatBytes", self.byteorder)
        if type(self.round) is not bool:
            raise DeclarationError(f"FloatBytes: expected round=True or round=False, got {shown(self.round)}")

    @property
    def fixed_size(self) -> int:
        """The size."""
        return self.size

    @property
    def runs(self) -> tuple[SortedRun, ...]:
        """As those of 64 bits, of a big-endian float."""
        return FLOATS if self.byteorder == "big" else ()

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"{8 * self.size}-bit float, {self.byteorder}-endian"

    def encode(self, value: float) -> bytes:
        """The bytes of the float."""
        number = real_number(value)
        try:
            raw = struct.pack(self._format, number)
        except OverflowError:
            raise ValueRefused("a number within the range of a 32-bit float", value) from None
        if not self.round and not math.isnan(number) and self.decode(raw) != number:
            raise ValueRefused(
                "a number that a 32-bit float holds exactly (round it yourself, or declare the codec with round=True)",
                value,
            )
        return raw

    def decode(self, raw: bytes) -> float:
        """The float."""
        if len(raw) != self.size:
            raise ValueError(f"expected {counted(self.size, 'byte')}, got {len(raw)}")
        number: float = struct.unpack(self._format, raw)[0]
        return number

    @property
    def _format(self) -> str:
        return _FLOATS[self.size, self.byteorder]


def _refuse_other_order(codec: str, byteorder: object) -> None:
    if byteorder not in ("big", "little"):
        raise DeclarationError(f"{codec}: expected the byte order 'big' or 'little', got {byteorder!r}")


@frozen(eq=False, repr=False)
class FlagText(Value, CellCodec[bool]):
    """A bool as a word: ``true`` or ``false``, or the two that are given."""

    true: str = "true"
    false: str = "false"

    def __attrs_post_init__(self) -> None:
        if not (isinstance(self.true, str) and isinstance(self.false, str)) or self.true == self.false:
            raise DeclarationError(f"{shown(self)}: expected two different words")

    @property
    def max_size(self) -> int:
        """Bytes of the longer word."""
        return max(len(self.true.encode()), len(self.false.encode()))

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
        raise ValueError(f"expected {self.meaning}, got {shown(raw)}")


@frozen(eq=False, repr=False)
class DecimalNumber(Value, CellCodec[Decimal], typical_size=8, reads=_NUMBER, meaning="decimal text"):
    """A Decimal as its text, digits kept as they are: ``600.50`` stays ``600.50``."""

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
            raise ValueError(f"expected decimal text, got {shown(raw)}") from None
        if not value.is_finite():
            raise ValueError(f"expected a finite number, got {shown(raw)}")
        return value


@frozen(eq=False, repr=False)
class DecimalText(
    Value,
    CellCodec[int],
    typical_size=6,
    max_size=1 + _MOST_DIGITS,
    reads=sequence(choice(literal(b"-"), literal(b"")), many(DIGIT, 1)),
    meaning="whole number as text",
):
    """A whole number as decimal text: ``500``."""

    def encode(self, value: int) -> bytes:
        """Decimal digits, with a minus below 0."""
        # Python itself turns no more digits into a number.
        if type(value) is not int or value.bit_length() > _MOST_BITS:
            raise ValueRefused("a whole number of up to 4,000 digits", value)
        return b"%d" % value

    def decode(self, raw: bytes) -> int:
        """The number."""
        if not _WHOLE.fullmatch(raw):
            raise ValueError(f"expected a whole number as text, got {shown(raw)}")
        return int(raw)


@frozen(eq=False, repr=False)
class FloatText(
    Value, CellCodec[float], typical_size=6, max_size=24, reads=_NUMBER, meaning="number as text"
):
    """A float as the shortest text that reads back as the same float: ``9.5``."""

    def encode(self, value: float) -> bytes:
        """The text of a finite number."""
        if math.isnan(real_number(value)) or math.isinf(value):
            raise ValueRefused("a finite number", value)
        return repr(float(value)).encode()

    def decode(self, raw: bytes) -> float:
        """The float."""
        if not _REAL.fullmatch(raw):
            raise ValueError(f"expected a number as text, got {shown(raw)}")
        value = float(raw)
        if not math.isfinite(value):
            raise ValueError(f"expected a number within the range of a float, got {shown(raw)}")
        return value
