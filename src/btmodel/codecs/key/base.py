"""What every codec of a row-key field says about itself."""

from abc import ABC, abstractmethod
from enum import Enum
from typing import Generic, TypeVar

from attrs import frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import ValueRefused

T = TypeVar("T")

DIGITS = frozenset(b"0123456789")
PRINTABLE = frozenset(range(0x20, 0x100)) - {0x7F}


class Kind(Enum):
    """What the values of a key field are, as far as a schema review cares."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    CONSTANT = "constant"


@frozen
class Length:
    """The shortest and the longest encoding of a codec, in bytes."""

    least: int
    most: int

    @property
    def fixed(self) -> int | None:
        """The one length of every encoding, or None where lengths differ."""
        return self.most if self.least == self.most else None


class KeyCodec(ABC, Generic[T]):
    """How one row-key field becomes bytes, and what can be proved of those bytes.

    A codec of your own is a frozen class with the same members; it has the same
    standing as the built-in ones. ``decode(encode(x)) == x`` must hold for every
    value that ``encode`` accepts, and where ``ordered`` is true, ``a < b`` exactly
    when ``encode(a) < encode(b)``.

    ``holds_delimiter`` says whether a value may hold the delimiter of its key; if not,
    such a value is refused.
    """

    holds_delimiter: bool = False

    @property
    @abstractmethod
    def python_type(self) -> type:
        """The type of the values, as generated code spells it."""

    @property
    @abstractmethod
    def kind(self) -> Kind:
        """What the values are: text, a number, a time, or one constant."""

    @property
    @abstractmethod
    def length(self) -> Length:
        """The shortest and the longest encoding, in bytes."""

    @property
    @abstractmethod
    def alphabet(self) -> frozenset[int]:
        """Every byte that an encoding may hold."""

    @property
    @abstractmethod
    def ordered(self) -> bool:
        """Whether the order of the encodings is the order of the values."""

    @property
    def granularity(self) -> str | None:
        """For a time cut to calendar units: the unit (``"day"``), else None."""
        return None

    @property
    @abstractmethod
    def meaning(self) -> str:
        """The encoding in a few words, for people: ``5 bytes, padded with spaces``."""

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """The bytes of ``value``. Raises :class:`ValueRefused` where it does not fit."""

    @abstractmethod
    def decode(self, raw: bytes) -> T:
        """The value of ``raw``. Raises ``ValueError`` saying why, where it is none."""

    def bound(self, value: T) -> bytes | None:
        """The least encoding of any storable value that is not below ``value``; None where all are below.

        Both ends of a half-open range are encoded with it, so that a range may be
        asked with finer values than the field can hold, or with ends beyond them.
        """
        return self.encode(value)

    def mirror(self) -> CellCodec[T]:
        """The codec of a cell that repeats this field: the same text, unless overridden."""
        return SameAsKey(self)


@frozen
class SameAsKey(CellCodec[T]):
    """A cell that holds the very bytes that its field has in the row key."""

    codec: KeyCodec[T]

    @property
    def python_type(self) -> type:
        """The type of the key field's values."""
        return self.codec.python_type

    @property
    def typical_size(self) -> int:
        """Bytes of a typical value."""
        return self.codec.length.most

    @property
    def meaning(self) -> str:
        """The encoding in a few words."""
        return self.codec.meaning

    def encode(self, value: T) -> bytes:
        """The bytes of the key field."""
        return self.codec.encode(value)

    def decode(self, raw: bytes) -> T:
        """The value of the key field."""
        return self.codec.decode(raw)


def ascii_digits(raw: bytes, count: int | None = None) -> int:
    """The number that ``raw`` spells, of exactly ``count`` digits where given.

    Stricter than ``int``, which also takes signs, spaces and underscores.
    """
    if not (raw.isdigit() and (count is None or len(raw) == count)):
        wanted = "digits" if count is None else f"{count} digits"
        raise ValueError(f"wanted {wanted}, got {raw!r}")
    return int(raw)


def whole_number(value: object, *, least: int, most: int) -> int:
    """``value`` as an int within its limits; a bool, a float or text is refused."""
    if type(value) is not int or not least <= value <= most:
        raise ValueRefused(f"a whole number from {least} to {most}", value)
    return value
