"""Text, bytes, UUIDs and enums in cells."""

from contextlib import suppress
from enum import Enum, Flag
from math import ceil
from typing import Any
from uuid import UUID

from attrs import frozen

from btmodel.codecs.byte_set import UTF8, ByteSet, choice, exactly, literal
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.meaning import meaning_of
from btmodel.errors import ValueRefused


@frozen
class Utf8(CellCodec[str]):
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


@frozen
class Raw(CellCodec[bytes]):
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


@frozen
class UuidBytes(CellCodec[UUID]):
    """A UUID as its 16 bytes."""

    @property
    def python_type(self) -> type:
        """``UUID``."""
        return UUID

    @property
    def typical_size(self) -> int:
        """16."""
        return 16

    @property
    def max_size(self) -> int:
        """16."""
        return 16

    @property
    def reads(self) -> ByteSet:
        """All 16 bytes."""
        return exactly(16)

    @property
    def meaning(self) -> str:
        """In words."""
        return "16 bytes of a UUID"

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


@frozen
class EnumValue(CellCodec[Enum]):
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
