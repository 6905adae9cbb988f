"""UUIDs, enums, presence, and bytes as text, in cells."""

import base64
import binascii
from contextlib import suppress
from enum import Enum, Flag
from math import ceil
from typing import Any, ClassVar
from uuid import UUID

from attrs import field, frozen

from btmodel import words
from btmodel.codecs import meaning_of
from btmodel.codecs.byte_set import ByteSet, choice, literal, many, one_of, sequence
from btmodel.codecs.cell.base import SORTED, AroundCell, CellCodec, SortedRun
from btmodel.codecs.cell.text import Raw
from btmodel.errors import DeclarationError, ValueRefused, shown
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
            raise ValueError(f"expected 16 bytes, got {len(raw)}")
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
        if all(isinstance(member.value, str) for member in self.enum):
            return choice(*map(literal, self._written))
        return self.value.writes

    @property
    def stated(self) -> tuple[str, ...]:
        """How an enum of flags treats unknown ones."""
        kind = self.enum
        return (f"flags {kind._boundary_.name}",) if issubclass(kind, Flag) else ()  # type: ignore[attr-defined]

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"the value of {words.one(self.enum.__name__)}, as {meaning_of(self.value)}"

    def encode(self, value: Enum) -> bytes:
        """The bytes of the member's value."""
        if not isinstance(value, self.enum):
            raise ValueRefused(f"a member of {self.enum.__name__}", value)
        raw: bytes = self.value.encode(value.value)
        return raw

    def decode(self, raw: bytes) -> Enum:
        """The member."""
        value = self.value.decode(raw)
        try:
            return self.enum(value)
        except ValueError:
            raise ValueError(f"expected a value of {self.enum.__name__}, got {shown(value)}") from None

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


class _BytesAsText(AroundCell[Any]):
    """What ``codec`` gives, as text."""

    sizes: ClassVar[tuple[int, int]]  # so many letters for so many bytes

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.codec, CellCodec):
            raise DeclarationError(f"{type(self).__name__}: expected a cell codec, got {shown(self.codec)}")

    @property
    def typical_size(self) -> int:
        """That of the codec inside, as text; an assumption for plain bytes: a digest of 32 bytes."""
        return self._size(32 if self.codec == Raw() else self.codec.typical_size)

    @property
    def max_size(self) -> int | None:
        """That of the codec inside, as text."""
        return None if self.codec.max_size is None else self._size(self.codec.max_size)

    def _size(self, size: int) -> int:
        letters, of = self.sizes
        return -(-size // of) * letters

    def _of(self) -> str:
        return "bytes" if self.codec == Raw() else meaning_of(self.codec)


@frozen(eq=False, repr=False)
class HexText(Value, _BytesAsText, reads=many(sequence(_HEX_DIGIT, _HEX_DIGIT))):
    """Bytes as hexadecimal text in lower case: ``00ff``; of another ``codec``, what that gives."""

    codec: CellCodec[Any] = field(default=Raw())
    sizes = (2, 1)

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"{self._of()} as hexadecimal text"

    @property
    def runs(self) -> tuple[SortedRun, ...]:
        """Those of ``codec``: digits sort as the bytes that they stand for."""
        return self.codec.runs

    def bound(self, value: Any) -> bytes | None:
        """The digits of the bound of ``codec``."""
        found = self.codec.bound(value)
        return None if found is None else binascii.hexlify(found)

    def encode(self, value: Any) -> bytes:
        """Two digits a byte."""
        return binascii.hexlify(self.codec.encode(value))

    def decode(self, raw: bytes) -> Any:
        """The value of the bytes."""
        if not _HEX.fullmatch(raw):
            raise ValueError(f"expected pairs of hexadecimal digits in lower case, got {shown(raw)}")
        return self.codec.decode(binascii.unhexlify(raw))


@frozen(eq=False, repr=False)
class Base64Text(Value, _BytesAsText):
    """Bytes as standard base64 text, padded and without line breaks: ``AP8=``; of another ``codec``, what that gives.

    ``urlsafe=True`` has ``-`` and ``_`` for ``+`` and ``/``, and ``padded=False`` no ``=`` at the end.
    """

    codec: CellCodec[Any] = field(default=Raw())
    urlsafe: bool = field(default=False, kw_only=True)
    padded: bool = field(default=True, kw_only=True)
    sizes = (4, 3)

    @property
    def _two(self) -> bytes:
        return b"-_" if self.urlsafe else b"+/"

    @property
    def reads(self) -> ByteSet:
        """Fours of its characters, the last one padded, or shorter."""
        letter = one_of("AZ", "az", "09", self._two)
        one, two = (literal(b"=" * count if self.padded else b"") for count in (1, 2))
        last = choice(literal(b""), sequence(letter, letter, two), sequence(letter, letter, letter, one))
        return sequence(many(sequence(*[letter] * 4)), last)

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        variant = "URL-safe base64" if self.urlsafe else "base64"
        return f"{self._of()} as {variant} text{'' if self.padded else ', not padded'}"

    def encode(self, value: Any) -> bytes:
        """Four characters for each three bytes."""
        return self._text(self.codec.encode(value))

    def _text(self, plain: bytes) -> bytes:
        raw = base64.b64encode(plain, self._two)
        return raw if self.padded else raw.rstrip(b"=")

    def decode(self, raw: bytes) -> Any:
        """The value of the bytes."""
        try:
            padding = b"" if self.padded else b"=" * (-len(raw) % 4)
            plain = base64.b64decode(raw + padding, self._two, validate=True)
        except binascii.Error:
            plain = b""
        # The last character of other writers may have bits that mean nothing.
        if self._text(plain) != raw:
            raise ValueError(f"expected {self.meaning}, got {shown(raw)}")
        return self.codec.decode(plain)


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
            raise ValueError(f"expected an empty cell, got {shown(raw)}")
        return True
