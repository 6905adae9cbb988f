"""Bytes as text that people can read and copy."""

import base64
import binascii
import re

from attrs import frozen

from btmodel.codecs.byte_set import ByteSet, choice, literal, many, one_of, sequence
from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import ValueRefused

_HEX = re.compile(rb"([0-9a-f]{2})*")
_HEX_DIGIT = one_of("09", "af")
_LETTER = one_of("AZ", "az", "09", b"+/")


@frozen
class HexText(CellCodec[bytes]):
    """Bytes as hexadecimal text in lower case: ``00ff``."""

    @property
    def python_type(self) -> type:
        """``bytes``."""
        return bytes

    @property
    def typical_size(self) -> int:
        """An assumption: a digest of 32 bytes."""
        return 64

    @property
    def reads(self) -> ByteSet:
        """Pairs of hexadecimal digits in lower case."""
        return many(sequence(_HEX_DIGIT, _HEX_DIGIT))

    @property
    def meaning(self) -> str:
        """In words."""
        return "bytes as hexadecimal text"

    def encode(self, value: bytes) -> bytes:
        """Two digits a byte."""
        if not isinstance(value, bytes):
            raise ValueRefused("bytes", value)
        return binascii.hexlify(value)

    def decode(self, raw: bytes) -> bytes:
        """The bytes."""
        if not _HEX.fullmatch(raw):
            raise ValueError(f"wanted pairs of hexadecimal digits in lower case, got {raw!r}")
        return binascii.unhexlify(raw)


@frozen
class Base64Text(CellCodec[bytes]):
    """Bytes as standard base64 text, padded and without line breaks: ``AP8=``."""

    @property
    def python_type(self) -> type:
        """``bytes``."""
        return bytes

    @property
    def typical_size(self) -> int:
        """An assumption: a digest of 32 bytes."""
        return 44

    @property
    def reads(self) -> ByteSet:
        """Fours of its characters, the last one padded."""
        return sequence(
            many(sequence(*[_LETTER] * 4)),
            choice(
                literal(b""),
                sequence(_LETTER, _LETTER, literal(b"==")),
                sequence(_LETTER, _LETTER, _LETTER, literal(b"=")),
            ),
        )

    @property
    def meaning(self) -> str:
        """In words."""
        return "bytes as base64 text"

    def encode(self, value: bytes) -> bytes:
        """Four characters for each three bytes."""
        if not isinstance(value, bytes):
            raise ValueRefused("bytes", value)
        return base64.b64encode(value)

    def decode(self, raw: bytes) -> bytes:
        """The bytes."""
        try:
            value = base64.b64decode(raw, validate=True)
        except binascii.Error:
            value = b""
        # The last character of other writers may have bits that mean nothing.
        if base64.b64encode(value) != raw:
            raise ValueError(f"wanted base64 text, got {raw!r}")
        return value
