"""Text and bytes in cells."""

from attrs import frozen

from btmodel.codecs.byte_set import UTF8, ByteSet
from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import ValueRefused
from btmodel.value import Value


@frozen(eq=False, repr=False)
class Utf8(Value, CellCodec[str]):
    """Text as UTF-8."""

    @property
    def python_type(self) -> type:
        """``str``."""
        return str

    @property
    def typical_size(self) -> int:
        """An assumption: a word or two."""
        return 12

    @property
    def reads(self) -> ByteSet:
        """UTF-8."""
        return UTF8

    @property
    def meaning(self) -> str:
        """In words."""
        return "UTF-8 text"

    def encode(self, value: str) -> bytes:
        """UTF-8."""
        if not isinstance(value, str):
            raise ValueRefused("text", value)
        try:
            return value.encode()
        except UnicodeEncodeError:
            raise ValueRefused("text without lone surrogates", value) from None

    def decode(self, raw: bytes) -> str:
        """The text."""
        return raw.decode()


@frozen(eq=False, repr=False)
class Raw(Value, CellCodec[bytes]):
    """Bytes as they are."""

    @property
    def python_type(self) -> type:
        """``bytes``."""
        return bytes

    @property
    def typical_size(self) -> int:
        """An assumption."""
        return 64

    @property
    def meaning(self) -> str:
        """In words."""
        return "bytes as they are"

    def encode(self, value: bytes) -> bytes:
        """The same bytes."""
        if not isinstance(value, bytes):
            raise ValueRefused("bytes", value)
        return value

    def decode(self, raw: bytes) -> bytes:
        """The same bytes."""
        return raw
