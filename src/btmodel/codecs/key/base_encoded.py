"""Bytes in a row key as short text: base 64 and base 58."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from attrs import field, frozen

from btmodel.codecs.key.base import KeyCodec, Kind, Length, Order
from btmodel.codecs.key.sizes import at_least_one, bytes_of
from btmodel.counted import counted

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_BASE58 = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS58 = {letter: digit for digit, letter in enumerate(_BASE58)}


class _Based(KeyCodec[bytes]):
    """What both share."""

    @property
    def python_type(self) -> type:
        """``bytes``."""
        return bytes

    @property
    def kind(self) -> Kind:
        """Text."""
        return Kind.TEXT

    @property
    def order(self) -> Order:
        """None: the text does not sort as the bytes do."""
        return Order.NONE


@frozen
class Base64(_Based):
    """``size`` bytes as URL-safe base 64 (``-`` and ``_`` for ``+`` and ``/``), without padding."""

    size: int = field(validator=at_least_one("byte"))

    @property
    def length(self) -> Length:
        """Four letters for three bytes, rounded up."""
        letters = -(-self.size * 4 // 3)
        return Length(letters, letters)

    @property
    def alphabet(self) -> frozenset[int]:
        """Letters, digits, ``-`` and ``_``."""
        return frozenset(_BASE64)

    @property
    def meaning(self) -> str:
        """In words."""
        return f"{counted(self.size, 'byte')} in base 64, URL-safe, not padded"

    def encode(self, value: bytes) -> bytes:
        """The text."""
        return urlsafe_b64encode(bytes_of(value, self.size)).rstrip(b"=")

    def decode(self, raw: bytes) -> bytes:
        """The bytes; a last letter with bits to spare is refused, two texts for one value would be two rows."""
        if len(raw) != self.length.fixed or not self.alphabet.issuperset(raw):
            raise ValueError(f"wanted {self.meaning}, got {raw!r}")
        value = urlsafe_b64decode(raw + b"=" * (-len(raw) % 4))
        if self.encode(value) != raw:
            raise ValueError(f"wanted {self.meaning}, no bit set behind the last byte, got {raw!r}")
        return value


@frozen
class Base58(_Based):
    """``size`` bytes in base 58, with Bitcoin's alphabet: a ``1`` for each zero byte in front, then the number."""

    size: int = field(validator=at_least_one("byte"))

    @property
    def length(self) -> Length:
        """From ``size`` letters, all of them ``1``, to those of the greatest number."""
        return Length(self.size, len(_letters(256**self.size - 1)))

    @property
    def alphabet(self) -> frozenset[int]:
        """Digits and letters without ``0``, ``I``, ``O`` and ``l``."""
        return frozenset(_BASE58)

    @property
    def meaning(self) -> str:
        """In words."""
        return f"{counted(self.size, 'byte')} in base 58"

    def encode(self, value: bytes) -> bytes:
        """The text."""
        number = bytes_of(value, self.size).lstrip(b"\0")
        return b"1" * (self.size - len(number)) + _letters(int.from_bytes(number, "big"))

    def decode(self, raw: bytes) -> bytes:
        """The bytes."""
        length = self.length
        if not length.least <= len(raw) <= length.most or not self.alphabet.issuperset(raw):
            raise ValueError(f"wanted {self.meaning}, got {raw!r}")
        letters = raw.lstrip(b"1")
        number = _number(letters)
        value = bytes(len(raw) - len(letters)) + number.to_bytes(-(-number.bit_length() // 8), "big")
        if len(value) != self.size:
            raise ValueError(f"wanted {self.meaning}, got {raw!r}, which is {counted(len(value), 'byte')}")
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
