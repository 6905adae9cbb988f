"""Bytes in a row key: raw, hexadecimal, base58, base64, and UUIDs."""

from base64 import b64decode, b64encode
from typing import TypeVar
from uuid import UUID

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.encoded import UuidBytes
from btmodel.codecs.cell.text import Raw
from btmodel.codecs.key.base import (
    HEX_DIGITS,
    KeyCodec,
    Length,
    Order,
    WholeNumber,
    a_bool,
    at_least_one,
    bytes_of,
    check_lengths,
    check_one_size,
)
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.on_demand import pattern
from btmodel.value import Value
from btmodel.words import counted


@frozen(eq=False, repr=False)
class Bytes(Value, KeyCodec[bytes], order=Order.ASCENDING):
    """Any bytes: of exactly ``width``, or from ``min_length`` to ``max_length``. Nothing is padded.

    Exactly one of ``width`` and ``max_length`` is given; ``min_length`` goes with the
    latter, and is 1. A value that holds the key's delimiter is refused where the
    field has no fixed width, unless ``holds_delimiter=True``: only one such field can be
    taken apart again.
    """

    width: int | None = field(default=None, kw_only=True)
    max_length: int | None = field(default=None, kw_only=True)
    min_length: int = field(default=1, kw_only=True)
    holds_delimiter: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        check_one_size(self, self.width, self.max_length)
        check_lengths(self, self.min_length, self.width if self.max_length is None else self.max_length)
        if self.width is not None and self.min_length != 1:
            raise DeclarationError(f"{shown(self)}: expected no min_length= where the width is fixed")

    @property
    def length(self) -> Length:
        """The width, or from ``min_length`` to ``max_length``."""
        if self.width is not None:
            return Length(self.width, self.width)
        assert self.max_length is not None
        return Length(self.min_length, self.max_length)

    @property
    def meaning(self) -> str:
        """Width or longest length, in words."""
        most = counted(self.length.most, "byte")
        return most if self.width else f"up to {most}"

    def encode(self, value: bytes) -> bytes:
        """The same bytes."""
        if not isinstance(value, bytes) or not self._fits(value):
            raise ValueRefused(self._wanted, value)
        return value

    def decode(self, raw: bytes) -> bytes:
        """The same bytes."""
        if not self._fits(raw):
            raise ValueError(f"expected {self._wanted}, got {shown(raw)}")
        return raw

    def _fits(self, raw: bytes) -> bool:
        return self.length.least <= len(raw) <= self.length.most

    @property
    def _wanted(self) -> str:
        most = counted(self.length.most, "byte")
        return most if self.width else f"{self.length.least} to {most}"

    def stem(self, start: bytes) -> bytes:
        """The same bytes."""
        if not isinstance(start, bytes):
            raise ValueRefused("bytes", start)
        return start

    def mirror(self) -> CellCodec[bytes]:
        """A cell repeats the bytes."""
        return Raw()


_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_BASE58 = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS58 = {letter: digit for digit, letter in enumerate(_BASE58)}


class _Based(KeyCodec[bytes]):
    """What both share."""


@frozen(eq=False, repr=False)
class Base64(Value, _Based):
    """``size`` bytes as URL-safe base 64 (``-`` and ``_`` for ``+`` and ``/``), by default without padding."""

    size: int = field(validator=at_least_one("byte"))
    urlsafe: bool = field(default=True, kw_only=True, validator=a_bool)
    padded: bool = field(default=False, kw_only=True, validator=a_bool)

    @property
    def length(self) -> Length:
        """Four letters for three bytes, rounded up: to a letter, or to four where they are padded."""
        letters = 4 * -(-self.size // 3) if self.padded else -(-self.size * 4 // 3)
        return Length(letters, letters)

    @property
    def alphabet(self) -> frozenset[int]:
        """Letters, digits, the two that the variant has, and ``=`` where it pads."""
        return frozenset(_BASE64 + self._two + (b"=" if self.padded and self.size % 3 else b""))

    @property
    def _two(self) -> bytes:
        return b"-_" if self.urlsafe else b"+/"

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        variant = "URL-safe" if self.urlsafe else "standard"
        return (
            f"{counted(self.size, 'byte')} in base 64, {variant}, {'padded' if self.padded else 'not padded'}"
        )

    def encode(self, value: bytes) -> bytes:
        """The text."""
        raw = b64encode(bytes_of(value, self.size), self._two)
        return raw if self.padded else raw.rstrip(b"=")

    def decode(self, raw: bytes) -> bytes:
        """The bytes; a last letter with bits to spare is refused, two texts for one value would be two rows."""
        if len(raw) != self.length.fixed or not self.alphabet.issuperset(raw):
            raise ValueError(f"expected {self.meaning}, got {shown(raw)}")
        try:
            value = b64decode(raw + b"=" * (-len(raw) % 4), self._two, validate=True)
        except ValueError:
            value = b""
        if len(value) != self.size or self.encode(value) != raw:
            raise ValueError(f"expected {self.meaning}, no bit set after the last byte, got {shown(raw)}")
        return value


@frozen(eq=False, repr=False)
class Base58(Value, _Based, alphabet=frozenset(_BASE58)):
    """``size`` bytes in base 58, with Bitcoin's alphabet: a ``1`` for each zero byte in front, then the number."""

    size: int = field(validator=at_least_one("byte"))

    @property
    def length(self) -> Length:
        """From ``size`` letters, all of them ``1``, to those of the greatest number."""
        return Length(self.size, len(_letters(256**self.size - 1)))

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"{counted(self.size, 'byte')} in base 58"

    def encode(self, value: bytes) -> bytes:
        """The text."""
        number = bytes_of(value, self.size).lstrip(b"\0")
        return b"1" * (self.size - len(number)) + _letters(int.from_bytes(number, "big"))

    def decode(self, raw: bytes) -> bytes:
        """The bytes."""
        length = self.length
        if not length.least <= len(raw) <= length.most or not self.alphabet.issuperset(raw):
            raise ValueError(f"expected {self.meaning}, got {shown(raw)}")
        letters = raw.lstrip(b"1")
        number = _number(letters)
        value = bytes(len(raw) - len(letters)) + number.to_bytes(-(-number.bit_length() // 8), "big")
        if len(value) != self.size:
            raise ValueError(
                f"expected {self.meaning}, got {shown(raw)}, which is {counted(len(value), 'byte')}"
            )
        return value


def _letters(number: int) -> bytes:
    """A number in base 58; nothing for 0."""
    letters = bytearray()
    while number:
        number, digit = divmod(number, 58)
        letters.append(_BASE58[digit])
    return bytes(reversed(letters))


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 58 + _DIGITS58[letter]
    return number


T = TypeVar("T")


class _Hexadecimal(KeyCodec[T], alphabet=HEX_DIGITS, order=Order.ASCENDING):
    """What all of them share: a fixed number of digits, which sort as what they stand for."""

    digits: int

    @property
    def length(self) -> Length:
        """A fixed number of digits."""
        return Length(self.digits, self.digits)

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        return f"{counted(self.digits, 'hexadecimal digit')}"

    def _text(self, raw: bytes) -> str:
        """The digits as text; capitals are refused, two texts for one value would be two rows."""
        if len(raw) != self.digits or not HEX_DIGITS.issuperset(raw):
            raise ValueError(
                f"expected {counted(self.digits, 'lower-case hexadecimal digit')}, got {shown(raw)}"
            )
        return raw.decode()


@frozen(eq=False, repr=False)
class Hex(Value, _Hexadecimal[bytes]):
    """``size`` bytes, each as two hexadecimal digits."""

    size: int = field(validator=at_least_one("byte"))

    @property
    def digits(self) -> int:  # type: ignore[override]
        """Two for each byte."""
        return 2 * self.size

    def encode(self, value: bytes) -> bytes:
        """The digits."""
        return bytes_of(value, self.size).hex().encode()

    def decode(self, raw: bytes) -> bytes:
        """The bytes."""
        return bytes.fromhex(self._text(raw))


@frozen(eq=False, repr=False)
class HexDigest(Value, _Hexadecimal[str]):
    """Text of ``digits`` hexadecimal digits, as ``hexdigest()`` gives it."""

    digits: int = field(validator=at_least_one("digit"))

    def encode(self, value: str) -> bytes:
        """The same text."""
        if not isinstance(value, str) or len(value) != self.digits or set(value) - _LETTERS:
            raise ValueRefused(f"text of {counted(self.digits, 'lower-case hexadecimal digit')}", value)
        return value.encode()

    def decode(self, raw: bytes) -> str:
        """The same text."""
        return self._text(raw)

    def stem(self, start: str) -> bytes:
        """The same digits."""
        if not isinstance(start, str) or set(start) - _LETTERS:
            raise ValueRefused("lower-case hexadecimal digits", start)
        return start.encode()


_LETTERS = frozenset("0123456789abcdef")


@frozen(eq=False, repr=False)
class HexInt(Value, WholeNumber, _Hexadecimal[int]):
    """A whole number from 0 on, as ``digits`` hexadecimal digits with zeros on the left.

    With ``padded=False`` they are without zeros, and of at most so many digits: ``ff`` sorts below ``g``, and ``10`` below ``f``.
    """

    digits: int = field(validator=at_least_one("digit"))
    padded: bool = field(default=True, kw_only=True, validator=a_bool)

    @property
    def length(self) -> Length:
        """All digits, or from 1 on where they are not padded."""
        return Length(self.digits if self.padded else 1, self.digits)

    @property
    def order(self) -> Order:
        """Ascending where the width is fixed."""
        return Order.ASCENDING if self.length.fixed else Order.NONE

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        many = counted(self.digits, "hexadecimal digit")
        return many if self.padded else f"up to {many}, not padded"

    @property
    def most(self) -> int:
        """All digits ``f``."""
        return int(16**self.digits - 1)

    def encode(self, value: int) -> bytes:
        """Hexadecimal digits, zeros on the left where they are padded."""
        return b"%0*x" % (self.digits if self.padded else 1, self.checked(value))

    def decode(self, raw: bytes) -> int:
        """The number; zeros on the left are refused where nothing is padded."""
        if self.padded:
            return int(self._text(raw), 16)
        if not 0 < len(raw) <= self.digits or not HEX_DIGITS.issuperset(raw) or raw[:1] == b"0" != raw:
            raise ValueError(f"expected {self.meaning}, lower-case, got {shown(raw)}")
        return int(raw, 16)


_WITH_DASHES = pattern(b"-".join(b"[0-9a-f]{%d}" % digits for digits in (8, 4, 4, 4, 12)))
_WITHOUT_DASHES = pattern(b"[0-9a-f]{32}")


class _Uuid(KeyCodec[UUID], order=Order.ASCENDING):
    """What UUIDs as text and as bytes share."""


def _uuid(value: UUID) -> UUID:
    if not isinstance(value, UUID):
        raise ValueRefused("a UUID", value)
    return value


@frozen(eq=False, repr=False)
class UuidText(Value, _Uuid):
    """A UUID as lower-case text: of 36 characters with ``dashes``, else of 32."""

    dashes: bool = field(default=True, validator=a_bool)

    @property
    def length(self) -> Length:
        """36 or 32 bytes."""
        return Length(36, 36) if self.dashes else Length(32, 32)

    @property
    def alphabet(self) -> frozenset[int]:
        """Lower-case hexadecimal digits, and the dash."""
        return HEX_DIGITS | frozenset(b"-") if self.dashes else HEX_DIGITS

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return "the text of a UUID" if self.dashes else "the text of a UUID, without dashes"

    def encode(self, value: UUID) -> bytes:
        """The text."""
        return (str(_uuid(value)) if self.dashes else _uuid(value).hex).encode()

    def decode(self, raw: bytes) -> UUID:
        """The UUID; capitals and braces are refused, two texts for one UUID would be two rows."""
        if not (_WITH_DASHES if self.dashes else _WITHOUT_DASHES).fullmatch(raw):
            raise ValueError(f"expected {self.meaning}, lower-case, got {shown(raw)}")
        return UUID(raw.decode())


@frozen(eq=False, repr=False)
class UuidRaw(Value, _Uuid, length=Length(16, 16), meaning="16 bytes of a UUID"):
    """A UUID as its 16 bytes."""

    def encode(self, value: UUID) -> bytes:
        """16 bytes, big-endian."""
        return _uuid(value).bytes

    def decode(self, raw: bytes) -> UUID:
        """The UUID."""
        if len(raw) != 16:
            raise ValueError(f"expected 16 bytes, got {shown(raw)}")
        return UUID(bytes=raw)

    def mirror(self) -> CellCodec[UUID]:
        """A cell repeats the 16 bytes."""
        return UuidBytes()
