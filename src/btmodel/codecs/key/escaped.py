"""Text and bytes in a row key, of variable length, that may hold anything: NULs are escaped."""

from abc import abstractmethod
from typing import TypeVar

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.text import Raw, Utf8
from btmodel.codecs.key.base import KeyCodec, Length, Order, check_lengths
from btmodel.errors import ValueRefused
from btmodel.value import Value
from btmodel.words import counted

T = TypeVar("T")

_NUL, _ESCAPED, _END = b"\0", b"\0\xff", b"\0\x01"


class _Escaped(KeyCodec[T], order=Order.ASCENDING):
    """What text and bytes share: each byte 00 is written 00 FF, and 00 01 ends the field."""

    self_ending = True
    holds_delimiter = True
    max_length: int
    min_length: int

    def __attrs_post_init__(self) -> None:
        check_lengths(self, self.min_length, self.max_length)

    @property
    def length(self) -> Length:
        """The end takes two bytes, and all bytes may be NULs."""
        return Length(self.min_length + len(_END), 2 * self.max_length + len(_END))

    @property
    def meaning(self) -> str:
        """Longest length, in words."""
        return f"up to {counted(self.max_length, 'byte')}, NULs escaped, and an end"

    @abstractmethod
    def _plain(self, value: T) -> bytes:
        """The bytes of ``value``, not escaped, of whatever length; else it is refused."""

    @abstractmethod
    def _value(self, plain: bytes) -> T:
        """The value of bytes that are not escaped."""

    def encode(self, value: T) -> bytes:
        """The bytes, escaped, and the end."""
        plain = self._plain(value)
        if not self.min_length <= len(plain) <= self.max_length:
            raise ValueRefused(f"{self.min_length} to {counted(self.max_length, 'byte')}", value)
        return plain.replace(_NUL, _ESCAPED) + _END

    def decode(self, raw: bytes) -> T:
        """The value, without the end."""
        if self.end(raw, 0) != len(raw):
            raise ValueError(f"expected nothing after the end 00 01, got {raw!r}")
        plain = raw.removesuffix(_END).replace(_ESCAPED, _NUL)
        if not self.min_length <= len(plain) <= self.max_length:
            raise ValueError(f"expected {self.min_length} to {counted(self.max_length, 'byte')}, got {raw!r}")
        return self._value(plain)

    def stem(self, start: T) -> bytes:
        """The bytes, escaped, without the end."""
        return self._plain(start).replace(_NUL, _ESCAPED)

    def end(self, raw: bytes, at: int) -> int:
        """Behind the first 00 01."""
        nul = raw.find(_NUL, at)
        while nul >= 0 and raw.startswith(_ESCAPED, nul):
            nul = raw.find(_NUL, nul + len(_ESCAPED))
        if nul < 0 or not raw.startswith(_END, nul):
            raise ValueError(f"expected NULs followed by FF, then the end 00 01, got {raw[at:]!r}")
        return nul + len(_END)


@frozen(eq=False, repr=False)
class EscapedText(Value, _Escaped[str]):
    """Text of ``min_length`` to ``max_length`` bytes in UTF-8, which may hold anything: NULs, the key's delimiter.

    Each byte 00 is written 00 FF, and 00 01 ends the field, so the text is sorted and any field may follow.
    """

    max_length: int
    min_length: int = field(default=0, kw_only=True)

    def _plain(self, value: str) -> bytes:
        return Utf8().encode(value)

    def _value(self, plain: bytes) -> str:
        return plain.decode()

    def mirror(self) -> CellCodec[str]:
        """A cell repeats the text as it is."""
        return Utf8()


@frozen(eq=False, repr=False)
class EscapedBytes(Value, _Escaped[bytes]):
    """Any ``min_length`` to ``max_length`` bytes.

    Each byte 00 is written 00 FF, and 00 01 ends the field, so they are sorted and any field may follow.
    """

    max_length: int
    min_length: int = field(default=0, kw_only=True)

    def _plain(self, value: bytes) -> bytes:
        return Raw().encode(value)

    def _value(self, plain: bytes) -> bytes:
        return plain

    def mirror(self) -> CellCodec[bytes]:
        """A cell repeats the bytes as they are."""
        return Raw()
