"""The interface of every key codec, and the sizes and integers that several share."""

from abc import abstractmethod
from collections.abc import Callable
from datetime import date, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from attrs import Attribute, frozen

from btmodel.codecs import Codec, Facts, meaning_of
from btmodel.codecs.byte_set import ByteSet, OneByte, many
from btmodel.codecs.cell.base import CellCodec, SortedRun
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value
from btmodel.words import counted

T = TypeVar("T")

DIGITS = frozenset(b"0123456789")
HEX_DIGITS = frozenset(b"0123456789abcdef")
PRINTABLE = frozenset(range(0x20, 0x100)) - {0x7F}
BYTES = frozenset(range(0x100))


class Kind(Enum):
    """What the values of a key field are, as far as a schema review cares."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"
    CONSTANT = "constant"


KINDS = {int: Kind.NUMBER, float: Kind.NUMBER, date: Kind.TIME, datetime: Kind.TIME}


class Order(Enum):
    """How the encodings of a field sort, against its values."""

    ASCENDING = "as the values do"
    DESCENDING = "from the last value to the first"
    SCATTERED = "apart, on purpose: neighbouring values are to lie in different places"
    NONE = "not as the values do"


@frozen(eq=False, repr=False)
class Length(Value):
    """The shortest and the longest encoding of a codec, in bytes."""

    least: int
    most: int

    @property
    def fixed(self) -> int | None:
        """The one length of every encoding, or None where lengths differ."""
        return self.most if self.least == self.most else None

    @property
    def typical(self) -> int:
        """Bytes of a typical encoding: the middle of the least and the most, rounded up."""
        return (self.least + self.most + 1) // 2


class KeyFacts(Facts, total=False):
    """What a codec of row keys says of itself."""

    kind: Kind
    length: Length
    alphabet: frozenset[int]
    order: Order
    granularity: str | timedelta | None
    separators: tuple[bytes, ...]
    holds_delimiter: bool
    self_ending: bool


class KeyCodec(Codec[T]):
    """How one row-key field becomes bytes, and what can be proved of those bytes.

    A codec of your own is a frozen class with ``encode``, ``decode``, a ``length``, and what else its keywords or
    properties say of it otherwise than here; it has the same
    standing as the built-in ones. ``decode(encode(x)) == x`` must hold for every
    value that ``encode`` accepts. Where ``order`` is ASCENDING, ``a < b`` exactly when
    ``encode(a) < encode(b)``; where it is DESCENDING, exactly when ``encode(a) > encode(b)``.

    ``holds_delimiter`` says whether a value may hold the delimiter of its key; if not,
    such a value is refused. ``self_ending`` says that an encoding of variable length
    tells by its own bytes where it ends: none is the beginning of another one, and
    :meth:`end` finds the end.
    """

    if TYPE_CHECKING:

        def __init_subclass__(cls, **facts: Unpack[KeyFacts]) -> None: ...

    _facts = KeyFacts
    holds_delimiter: bool = False
    self_ending: bool = False

    @property
    def kind(self) -> Kind:
        """What the values are: text, a number, a time, or one constant; by their type, unless stated."""
        return KINDS.get(self.python_type, Kind.TEXT)

    @property
    def length(self) -> Length:
        """The shortest and the longest encoding, in bytes: every codec states its own."""
        raise TypeError(f"{type(self).__name__} does not say how long its encodings are: state length")

    @property
    def alphabet(self) -> frozenset[int]:
        """Every byte that an encoding may hold: any, unless stated."""
        return BYTES

    @property
    def order(self) -> Order:
        """How the encodings sort, against the values: not as they do, unless stated."""
        return Order.NONE

    @property
    def ordered(self) -> bool:
        """Whether a range of values is a range of encodings, in one direction or the other."""
        return self.order in (Order.ASCENDING, Order.DESCENDING)

    @property
    def leading(self) -> "KeyCodec[Any]":
        """The codec of what every encoding begins with: this one, unless a value is several in one."""
        return self

    @property
    def granularity(self) -> str | timedelta | None:
        """For a time: the unit that it is cut to (``"day"``, ``"millisecond"``), or the length of the spans from 1970 on; else None."""
        return None

    @property
    def separators(self) -> tuple[bytes, ...]:
        """What stands between the parts of a value, as the dots of a domain; empty where values have no parts."""
        return ()

    def bound(self, value: T) -> bytes | None:
        """The least encoding of any storable value that is not below ``value``; None where all are below.

        Both ends of a half-open range are encoded with it, so that a range may be
        asked with finer values than the field can hold, or with ends beyond them. For a
        DESCENDING codec "least" is of the values still: it is the greatest of the encodings.
        """
        return self.encode(value)

    def stem(self, start: T) -> bytes | None:
        """The bytes that begin the encodings of just those values that begin with ``start``.

        Of paths and the like they begin the values that go on behind ``start``: where its own
        encoding does not begin so, a query asks for ``start`` itself as well.
        None where a part of a value is no part of its encoding, so that no query can ask
        for the values that begin with something.
        """
        return None

    @property
    def has_stem(self) -> bool:
        """Whether it can be asked for the values that begin with a given part."""
        return type(self).stem is not KeyCodec.stem

    def end(self, raw: bytes, at: int) -> int:
        """Where the encoding that begins at ``at`` ends, of a self-ending codec.

        Raises ``ValueError`` where none ends.
        """
        raise NotImplementedError(f"{shown(self)} is not self-ending")

    def mirror(self) -> CellCodec[T]:
        """The codec of a cell that repeats this field: the same text, unless overridden."""
        return AsInKey(self)


@frozen(eq=False, repr=False)
class AsInKey(Value, CellCodec[T]):
    """A cell that holds the bytes that ``codec``, a codec of row keys, gives the value.

    So every codec of a row key is one of cells, too: ``AsInKey(PaddedInt(10))`` is a number padded
    with zeros, ``AsInKey(EpochSeconds())`` a time as text, ``AsInKey(DateText("%Y-%m"))`` a month.
    A mirror of a key field is encoded like this, unless it names another codec.
    """

    codec: KeyCodec[T]

    @property
    def python_type(self) -> type:
        """The type of the key field's values."""
        return self.codec.python_type

    @property
    def typical_size(self) -> int:
        """Bytes of a typical value."""
        return self.codec.length.typical

    @property
    def max_size(self) -> int:
        """Bytes of the longest value."""
        return self.codec.length.most

    @property
    def reads(self) -> ByteSet:
        """Bytes of its alphabet, as many as it may have."""
        return many(OneByte(self.codec.alphabet), self.codec.length.least, self.codec.length.most)

    @property
    def runs(self) -> tuple[SortedRun, ...]:
        """One, where the key field sorts, in one direction or the other."""
        return (SortedRun(downward=self.codec.order is Order.DESCENDING),) if self.codec.ordered else ()

    @property
    def meaning(self) -> str:
        """The encoding in a few words."""
        return meaning_of(self.codec)

    def encode(self, value: T) -> bytes:
        """The bytes of the key field."""
        return self.codec.encode(value)

    def bound(self, value: T) -> bytes | None:
        """That of the key field."""
        return self.codec.bound(value)

    def decode(self, raw: bytes) -> T:
        """The value of the key field."""
        return self.codec.decode(raw)


def ascii_digits(raw: bytes, count: int | None = None) -> int:
    """The number that ``raw`` spells, of exactly ``count`` digits where given.

    Stricter than ``int``, which also takes signs, spaces and underscores.
    """
    if not (raw.isdigit() and (count is None or len(raw) == count)):
        wanted = "digits" if count is None else f"{counted(count, 'digit')}"
        raise ValueError(f"expected {wanted}, got {shown(raw)}")
    return int(raw)


def whole_number(value: object, *, least: int, most: int) -> int:
    """``value`` as an int within its limits; a bool, a float or text is refused."""
    if type(value) is not int or not least <= value <= most:
        raise ValueRefused(f"a whole number from {least} to {most}", value)
    return value


def at_least_one(unit: str) -> Callable[[object, object, int], None]:
    """A validator of attrs that takes whole numbers from 1 on; ``unit`` is what they count."""

    def check(instance: object, attribute: object, value: int) -> None:
        if type(value) is not int or value < 1:
            raise DeclarationError(f"{type(instance).__name__}: expected at least 1 {unit}, got {value!r}")

    return check


def a_bool(instance: object, attribute: "Attribute[bool]", value: object) -> None:
    """A validator of attrs that takes True and False."""
    if type(value) is not bool:
        name = attribute.alias
        raise DeclarationError(
            f"{type(instance).__name__}: expected {name}=True or {name}=False, got {value!r}"
        )


def check_lengths(codec: object, least: int, most: int | None) -> None:
    """Refuse the declaration of a codec whose encodings cannot have these lengths."""
    if type(least) is not int or type(most) is not int:
        raise DeclarationError(f"{shown(codec)}: expected whole numbers of bytes")
    if not 0 <= least <= most or most < 1:
        raise DeclarationError(f"{shown(codec)}: expected a length of at least 1 and at least min_length")


def check_one_size(codec: object, width: int | None, max_length: int | None) -> None:
    """Refuse the declaration of a codec that is not of one width, or of one longest length."""
    if (width is None) == (max_length is None):
        raise DeclarationError(f"{shown(codec)}: expected either width= or max_length=, in bytes")


def bytes_of(value: object, size: int) -> bytes:
    """``value``, where it is of ``size`` bytes; else it is refused."""
    if not isinstance(value, bytes) or len(value) != size:
        raise ValueRefused(f"{counted(size, 'byte')}", value)
    return value


class WholeNumber(KeyCodec[int]):
    """A whole number from ``least`` to ``most``."""

    @property
    def least(self) -> int:
        """The least number: 0, unless overridden."""
        return 0

    @property
    @abstractmethod
    def most(self) -> int:
        """The greatest number."""

    def checked(self, value: int) -> int:
        """``value``, where it is a number that the field can hold; else it is refused."""
        return whole_number(value, least=self.least, most=self.most)

    def bound(self, value: int) -> bytes | None:
        """The bytes of ``value``, or of the least number where it is below; None where it is above the greatest."""
        if type(value) is not int:
            return self.encode(value)
        return self.encode(max(value, self.least)) if value <= self.most else None
