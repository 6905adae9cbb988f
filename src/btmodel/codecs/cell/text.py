"""Text and bytes in cells."""

from attrs import frozen

from btmodel.codecs.byte_set import UTF8
from btmodel.codecs.cell.base import SORTED, CellCodec
from btmodel.errors import ValueRefused
from btmodel.value import Value


@frozen(eq=False, repr=False)
class Utf8(Value, CellCodec[str], typical_size=12, reads=UTF8, meaning="UTF-8 text", runs=SORTED):
    """Text as UTF-8."""

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
