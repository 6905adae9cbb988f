"""Text and bytes in cells."""

from typing import Literal

from attrs import frozen

from btmodel.codecs.byte_set import ANY, UTF8, ByteSet, exactly, many, one_of
from btmodel.codecs.cell.base import SORTED, CellCodec
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value


@frozen(eq=False, repr=False)
class Utf8(Value, CellCodec[str], typical_size=12, reads=UTF8, meaning="UTF-8 text", runs=SORTED):
    """Text as UTF-8."""

    def encode(self, value: str) -> bytes:
        """UTF-8."""
        return encoded(value, "utf-8")

    def decode(self, raw: bytes) -> str:
        """The text."""
        return raw.decode()


@frozen(eq=False, repr=False)
class Raw(Value, CellCodec[bytes], typical_size=64, meaning="bytes as they are", runs=SORTED):
    """Bytes as they are."""

    def encode(self, value: bytes) -> bytes:
        """The same bytes."""
        if not isinstance(value, bytes):
            raise ValueRefused("bytes", value)
        return value

    def decode(self, raw: bytes) -> bytes:
        """The same bytes."""
        return raw


Encoding = Literal["utf-8", "ascii", "latin-1", "utf-16-be", "utf-16-le"]
_READS: dict[str, ByteSet] = {
    "utf-8": UTF8,
    "ascii": many(one_of("\x00\x7f")),
    "latin-1": ANY,
    "utf-16-be": many(exactly(2)),
    "utf-16-le": many(exactly(2)),
}


def refuse_other_encoding(codec: object, encoding: object) -> None:
    """Refuse the declaration of a codec in an encoding that is not one of these."""
    if encoding not in _READS:
        raise DeclarationError(f"{shown(codec)}: expected the encoding {', '.join(_READS)}, got {encoding!r}")


def encoded(value: str, encoding: Encoding) -> bytes:
    """``value`` in an encoding. Raises :class:`ValueRefused` for text that it cannot write."""
    if not isinstance(value, str):
        raise ValueRefused("text", value)
    try:
        return value.encode(encoding)
    except UnicodeEncodeError:
        wanted = "without lone surrogates" if encoding.startswith("utf") else f"that {encoding} can write"
        raise ValueRefused(f"text {wanted}", value) from None


@frozen(eq=False, repr=False)
class TextBytes(Value, CellCodec[str], typical_size=12):
    """Text in another encoding than UTF-8: ``ascii``, ``latin-1``, ``utf-16-be`` or ``utf-16-le``, for cells of other writers."""

    encoding: Encoding

    def __attrs_post_init__(self) -> None:
        refuse_other_encoding(self, self.encoding)

    @property
    def reads(self) -> ByteSet:
        """Bytes of the encoding."""
        return _READS[self.encoding]

    @property
    def meaning(self) -> str:
        """The encoding."""
        return f"text in {self.encoding}"

    def encode(self, value: str) -> bytes:
        """The bytes of the text."""
        return encoded(value, self.encoding)

    def decode(self, raw: bytes) -> str:
        """The text."""
        return raw.decode(self.encoding)
