"""Lower-case hexadecimal digits in a row key: of bytes, of a digest, of a number."""

from typing import TypeVar

from attrs import field, frozen

from btmodel.codecs.key.base import HEX_DIGITS, KeyCodec, Kind, Length, Order
from btmodel.codecs.key.sizes import at_least_one, bytes_of
from btmodel.codecs.key.whole_number import WholeNumber
from btmodel.counted import counted
from btmodel.errors import ValueRefused

T = TypeVar("T")


class _Hexadecimal(KeyCodec[T]):
    """What all of them share: a fixed number of digits, which sort as what they stand for."""

    digits: int

    @property
    def length(self) -> Length:
        """A fixed number of digits."""
        return Length(self.digits, self.digits)

    @property
    def alphabet(self) -> frozenset[int]:
        """The ten digits, and ``a`` to ``f``."""
        return HEX_DIGITS

    @property
    def order(self) -> Order:
        """Ascending: the width is fixed."""
        return Order.ASCENDING

    @property
    def meaning(self) -> str:
        """Digits, in words."""
        return f"{counted(self.digits, 'hexadecimal digit')}"

    def _text(self, raw: bytes) -> str:
        """The digits as text; capitals are refused, two texts for one value would be two rows."""
        if len(raw) != self.digits or not HEX_DIGITS.issuperset(raw):
            raise ValueError(f"wanted {counted(self.digits, 'lower-case hexadecimal digit')}, got {raw!r}")
        return raw.decode()


@frozen
class Hex(_Hexadecimal[bytes]):
    """``size`` bytes, each as two hexadecimal digits."""

    size: int = field(validator=at_least_one("byte"))

    @property
    def digits(self) -> int:  # type: ignore[override]
        """Two for each byte."""
        return 2 * self.size

    @property
    def python_type(self) -> type:
        """``bytes``."""
        return bytes

    @property
    def kind(self) -> Kind:
        """Text."""
        return Kind.TEXT

    def encode(self, value: bytes) -> bytes:
        """The digits."""
        return bytes_of(value, self.size).hex().encode()

    def decode(self, raw: bytes) -> bytes:
        """The bytes."""
        return bytes.fromhex(self._text(raw))


@frozen
class HexDigest(_Hexadecimal[str]):
    """Text of ``digits`` hexadecimal digits, as ``hexdigest()`` gives it."""

    digits: int = field(validator=at_least_one("digit"))

    @property
    def python_type(self) -> type:
        """``str``."""
        return str

    @property
    def kind(self) -> Kind:
        """Text."""
        return Kind.TEXT

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


@frozen
class HexInt(WholeNumber, _Hexadecimal[int]):
    """A whole number from 0 on, as ``digits`` hexadecimal digits with zeros on the left."""

    digits: int = field(validator=at_least_one("digit"))

    @property
    def most(self) -> int:
        """All digits ``f``."""
        return int(16**self.digits - 1)

    def encode(self, value: int) -> bytes:
        """Hexadecimal digits, zeros on the left."""
        return b"%0*x" % (self.digits, self.checked(value))

    def decode(self, raw: bytes) -> int:
        """The number."""
        return int(self._text(raw), 16)
