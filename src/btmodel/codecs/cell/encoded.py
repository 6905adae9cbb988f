"""UUIDs, enums, presence, and bytes as text, in cells."""

import base64
import binascii
from contextlib import suppress
from enum import Enum, Flag
from math import ceil
from typing import Any
from uuid import UUID

from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.byte_set import ByteSet, choice, literal, many, one_of, sequence
from btmodel.codecs.cell.base import SORTED, CellCodec
from btmodel.errors import ValueRefused
from btmodel.on_demand import pattern
from btmodel.value import Value


@frozen(eq=False, repr=False)
class UuidBytes(Value, CellCodec[UUID], fixed_size=16, meaning="16 bytes of a UUID", runs=SORTED):
    """A UUID as its 16 bytes."""

    def encode(self, value: UUID) -> bytes:
        """16 bytes, big-endian."""
        if not isinstance(value, UUID):
            raise ValueRefused("a UUID", value)
        return value.bytes

    def decode(self, raw: bytes) -> UUID:
        """The UUID."""
        if len(raw) != 16:
            raise ValueError(f"wanted 16 bytes, got {len(raw)}")
        return UUID(bytes=raw)


@frozen(eq=False, repr=False)
class EnumValue(Value, CellCodec[Enum]):
    """A member of ``enum`` as its value, encoded by ``value``'s codec."""

    enum: type[Enum]
    value: CellCodec[Any]

    @property
    def python_type(self) -> type:
        """The enum."""
        return self.enum

    @property
    def typical_size(self) -> int:
        """The mean of its members."""
        sizes = [*map(len, self._written)]
        return ceil(sum(sizes) / len(sizes)) if sizes else 0

    @property
    def max_size(self) -> int:
        """That of the longest member."""
        return max(map(len, self._written), default=0)

    @property
    def reads(self) -> ByteSet:
        """What the codec of the values reads: an enum may read values that are none of its members' (``_missing_``)."""
        return self.value.reads

    @property
    def writes(self) -> ByteSet:
        """Its members where they are text; numbers may be flags, which are written together, too."""
        if all(isinstance(one.value, str) for one in self.enum):
            return choice(*map(literal, self._written))
        return self.value.writes

    @property
    def stated(self) -> tuple[str, ...]:
        """Of flags, which are written together, what becomes of unknown ones."""
        kind = self.enum
        return (f"flags {kind._boundary_.name}",) if issubclass(kind, Flag) else ()  # type: ignore[attr-defined]

    @property
    def meaning(self) -> str:
        """In words."""
        return f"the value of a {self.enum.__name__}, as {meaning_of(self.value)}"

    def encode(self, value: Enum) -> bytes:
        """The bytes of the member's value."""
        if not isinstance(value, self.enum):
            raise ValueRefused(f"a member of {self.enum.__name__}", value)
        raw: bytes = self.value.encode(value.value)
        return raw

    def decode(self, raw: bytes) -> Enum:
        """The member."""
        return self.enum(self.value.decode(raw))

    @property
    def _written(self) -> list[bytes]:
        """The members that can be written."""
        found = []
        for member in self.enum:
            with suppress(ValueRefused):
                found.append(self.encode(member))
        return found


_HEX = pattern(rb"([0-9a-f]{2})*")
_HEX_DIGIT = one_of("09", "af")
_LETTER = one_of("AZ", "az", "09", b"+/")


@frozen(eq=False, repr=False)
class HexText(
    Value,
    CellCodec[bytes],
    typical_size=64,
    reads=many(sequence(_HEX_DIGIT, _HEX_DIGIT)),
    meaning="bytes as hexadecimal text",
    runs=SORTED,
):
    """Bytes as hexadecimal text in lower case: ``00ff``."""

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


@frozen(eq=False, repr=False)
class Base64Text(
    Value,
    CellCodec[bytes],
    typical_size=44,
    reads=sequence(
        many(sequence(*[_LETTER] * 4)),
        choice(
            literal(b""),
            sequence(_LETTER, _LETTER, literal(b"==")),
            sequence(_LETTER, _LETTER, _LETTER, literal(b"=")),
        ),
    ),
    meaning="bytes as base64 text",
):
    """Bytes as standard base64 text, padded and without line breaks: ``AP8=``."""

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


@frozen(eq=False, repr=False)
class Present(Value, CellCodec[bool], fixed_size=0, meaning="an empty cell, true by being there"):
    """True as an empty cell: for tags, marks and the members of a set.

    Declare the column as ``bool | None`` with ``default=None``: None is the absent cell, and False is refused,
    since a put leaves the cells of what is None as they are and could not take a mark away.
    """

    def encode(self, value: bool) -> bytes:
        """No bytes."""
        if value is not True:
            raise ValueRefused("True, or None for an absent cell", value)
        return b""

    def decode(self, raw: bytes) -> bool:
        """True."""
        if raw:
            raise ValueError(f"wanted an empty cell, got {raw!r}")
        return True
