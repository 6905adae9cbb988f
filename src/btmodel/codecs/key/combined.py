"""Key codecs around others: descending, repeated, length-prefixed, between two functions."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from types import GenericAlias
from typing import Any, TypeVar, cast, get_type_hints, overload

from attrs import Factory, field, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.record import value_text
from btmodel.codecs.cell.wrapping import Mapped, MappedCell, named_function, same_value
from btmodel.codecs.key.base import BYTES, DIGITS, HEX_DIGITS, KINDS, KeyCodec, Kind, Length, Order
from btmodel.codecs.key.integer import Int
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value
from btmodel.words import counted

T = TypeVar("T")
V = TypeVar("V")
W = TypeVar("W")


class Around(KeyCodec[T]):
    """What a codec around another one has from that, unless stated."""

    codec: KeyCodec[T]

    @property
    def python_type(self) -> type:
        """That of ``codec``."""
        return self.codec.python_type

    @property
    def kind(self) -> Kind:
        """That of ``codec``."""
        return self.codec.kind

    @property
    def leading(self) -> KeyCodec[Any]:
        """That of ``codec``."""
        return self.codec.leading

    @property
    def length(self) -> Length:
        """That of ``codec``."""
        return self.codec.length

    @property
    def granularity(self) -> str | timedelta | None:
        """That of ``codec``."""
        return self.codec.granularity

    def mirror(self) -> CellCodec[T]:
        """A cell repeats the value as that of a field of ``codec`` does."""
        return self.codec.mirror()


def _fixed_and_ascending(instance: object, attribute: object, codec: KeyCodec[T]) -> None:
    fits = isinstance(codec, KeyCodec) and codec.length.fixed and codec.order is Order.ASCENDING
    if not fits or codec.kind is Kind.CONSTANT:
        raise DeclarationError(
            f"Descending: expected a codec of fixed width whose bytes sort as its values do, got {shown(codec)}"
        )


@frozen(eq=False, repr=False)
class Descending(Value, Around[T], order=Order.DESCENDING):
    """The encoding of ``codec`` with each byte replaced by its opposite, so that the last value comes first.

    The opposite of a decimal digit ``d`` is ``9-d`` where ``codec`` writes decimal digits only, that
    of a hexadecimal digit ``15-d`` where it writes lower-case hexadecimal ones only, and
    that of any other byte ``255-b``. So ``Descending(PaddedInt(10))`` writes
    9999999999-n, and ``Descending(BigEndian(8))`` the bitwise not. ``codec`` must have a
    fixed width, and sort as its values do.

    With ``greatest`` the encoding is what is left to that number instead, in as many digits or bytes:
    ``Descending(PaddedInt(19), greatest=2**63 - 1)`` writes 9223372036854775807-n, as Java's ``Long.MAX_VALUE - n``.
    What ``codec`` writes as a greater number is refused.
    """

    codec: KeyCodec[T] = field(validator=_fixed_and_ascending)
    greatest: int | None = field(default=None, kw_only=True)

    def __attrs_post_init__(self) -> None:
        fits = type(self.greatest) is int and 0 < self.greatest < self._base**self.codec.length.most
        if self.greatest is not None and (not fits or not self._of_numbers):
            raise DeclarationError(
                f"{shown(self)}: greatest: expected a number that {counted(self.codec.length.most, 'byte')} of "
                f"{meaning_of(self.codec)} can hold"
            )

    @property
    def alphabet(self) -> frozenset[int]:
        """The opposites of the bytes of ``codec``; of what is left to a number, every digit or byte."""
        if self.greatest is not None:
            return self._letters
        return frozenset(self._opposite(bytes(self.codec.alphabet)) or b"")

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        how = "each byte replaced by its opposite" if self.greatest is None else f"as {self.greatest} less it"
        return f"{meaning_of(self.codec)}, {how}"

    def encode(self, value: T) -> bytes:
        """The opposite of the encoding."""
        raw = self._opposite(self.codec.encode(value))
        if raw is None:
            raise ValueRefused(f"a value that is written as a number of up to {self.greatest}", value)
        return raw

    def bound(self, value: T) -> bytes | None:
        """The opposite of the bound."""
        raw = self.codec.bound(value)
        return None if raw is None else self._opposite(raw)

    def decode(self, raw: bytes) -> T:
        """The value whose encoding is the opposite of ``raw``."""
        opposite = self._opposite(raw)
        if opposite is None:
            raise ValueError(f"expected {self.meaning}, got {shown(raw)}")
        try:
            return self.codec.decode(opposite)
        except ValueError as error:
            raise ValueError(f"expected {self.meaning}, got {shown(raw)}; of its opposite: {error}") from None

    @property
    def _letters(self) -> frozenset[int]:
        """The digits of the encodings: decimal, hexadecimal, or any bytes."""
        return next(one for one in (DIGITS, HEX_DIGITS, BYTES) if one >= self.codec.alphabet)

    @property
    def _base(self) -> int:
        return len(self._letters)

    @property
    def _of_numbers(self) -> bool:
        """Whether all digits stand for one number, and no letters stand for themselves."""
        return self.codec.alphabet == self._letters

    def _opposite(self, raw: bytes) -> bytes | None:
        """Each byte mirrored in its alphabet, or what is left to the greatest number; None where nothing is left.

        What is not in the alphabet is left, and refused by ``codec``.
        """
        letters = bytes(sorted(self._letters))
        if self.greatest is None:
            return raw.translate(bytes.maketrans(letters, letters[::-1]))
        if not self._letters.issuperset(raw) or len(raw) != self.codec.length.most:
            return raw
        number = int.from_bytes(raw, "big") if self._base == 256 else int(raw, self._base)
        left = self.greatest - number
        if left < 0:
            return None
        if self._base == 256:
            return left.to_bytes(len(raw), "big")
        return (b"%0*d" if self._base == 10 else b"%0*x") % (len(raw), left)


def as_separator(text: str | bytes) -> bytes:
    """A converter of attrs that gives the bytes of a separator, none included."""
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    if not isinstance(raw, bytes) or (isinstance(text, str) and raw.decode() != text):
        raise DeclarationError(f"expected a separator of text or bytes, got {text!r}")
    return raw


@frozen(eq=False, repr=False)
class Repeated(Value, KeyCodec[tuple[T, ...]]):
    """A tuple of ``least`` to ``most`` values of ``codec``, with ``separator`` between them; with ``b""`` nothing.

    A value that holds the separator is refused where ``codec`` has no fixed width and does
    not end by itself: it could not be taken apart again. The tuple sorts as tuples do where the
    values do, and, if they end at the separator, all their bytes lie above its bytes.

    A tuple that holds the key's delimiter is refused where the field has no fixed width,
    unless ``holds_delimiter=True``: only one such field can be taken apart again.
    """

    codec: KeyCodec[T]
    separator: bytes = field(default=b"/", converter=as_separator)
    least: int = field(default=1, kw_only=True)
    most: int = field(kw_only=True)
    holds_delimiter: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.codec, KeyCodec) or self.codec.kind is Kind.CONSTANT:
            raise DeclarationError(f"Repeated: expected a codec whose values vary, got {shown(self.codec)}")
        if type(self.least) is not int or type(self.most) is not int or not 0 <= self.least <= self.most > 0:
            raise DeclarationError(f"{shown(self)}: expected at least 1 value, and least= not above most=")
        if not self.least and not self.codec.length.least:
            raise DeclarationError(
                f"{shown(self)}: least=0: expected a codec without empty encodings, which no tuple at all looks like"
            )
        if not self.separator and not self._placed:
            raise DeclarationError(
                f"{shown(self)}: without a separator expected a codec of fixed width, or one that ends by itself"
            )
        inner = self.codec
        if isinstance(inner, Repeated) and not self._placed and self.separator in inner.separator:
            raise DeclarationError(
                f"{shown(self)}: expected another separator than the one within the values"
            )

    @property
    def _placed(self) -> bool:
        """Whether an item marks its own end, so that it may hold the separator."""
        return self.codec.length.fixed is not None or self.codec.self_ending

    @property
    def python_type(self) -> type:
        """``tuple[T, ...]``, of the values of ``codec``."""
        return cast(type, GenericAlias(tuple, (self.codec.python_type, ...)))

    @property
    def kind(self) -> Kind:
        """That of ``codec``."""
        return self.codec.kind

    @property
    def length(self) -> Length:
        """From ``least`` values, all short, to ``most``, all long."""
        inner, gap = self.codec.length, len(self.separator)
        return Length(
            max(self.least * (inner.least + gap) - gap, 0),
            self.most * (inner.most + gap) - gap,
        )

    @property
    def alphabet(self) -> frozenset[int]:
        """The bytes of ``codec`` and of the separator."""
        return self.codec.alphabet | (frozenset(self.separator) if self.most > 1 else frozenset())

    @property
    def order(self) -> Order:
        """Ascending where ``codec`` is, and no end of a value can sort above its continuation; else none."""
        parted = self._placed or min(self.codec.alphabet) > max(self.separator)
        return Order.ASCENDING if self.codec.order is Order.ASCENDING and parted else Order.NONE

    @property
    def separators(self) -> tuple[bytes, ...]:
        """The separator, where there may be two values, and those of ``codec``."""
        return ((self.separator,) if self.most > 1 and self.separator else ()) + self.codec.separators

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        between = f"{self._shown} between them" if self.separator else "nothing between them"
        return f"{self.least} to {counted(self.most, 'value')} with {between}, each {meaning_of(self.codec)}"

    def encode(self, value: tuple[T, ...]) -> bytes:
        """The encodings with the separator between them."""
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            raise ValueRefused(f"a tuple of {self.least} to {counted(self.most, 'value')}", value)
        return self.separator.join(self._raw_items(value))

    def stem(self, start: tuple[T, ...]) -> bytes:
        """What begins the tuples that begin with ``start`` and go on; queries find ``start`` itself as well.

        It ends with the separator, so that ``("ab",)`` does not find ``("abc", "d")``.
        """
        if not isinstance(start, tuple) or len(start) > self.most:
            raise ValueRefused(
                f"a tuple of at most {counted(self.most, 'value')}, which others may follow", start
            )
        return b"".join(raw + self.separator for raw in self._raw_items(start))

    def _raw_items(self, value: tuple[T, ...]) -> list[bytes]:
        found = []
        for index, item in enumerate(value):
            try:
                raw = self.codec.encode(item)
            except ValueRefused as error:
                raise ValueRefused(f"{error.wanted} at index {index}", value) from None
            if self._blurred(raw):
                raise ValueRefused(f"values without the separator {self._shown}", value)
            found.append(raw)
        return found

    def decode(self, raw: bytes) -> tuple[T, ...]:
        """The values."""
        items = list(self._split(raw))
        if not self.least <= len(items) <= self.most:
            raise ValueError(
                f"expected {self.least} to {counted(self.most, 'value')}, got {len(items)}: {shown(raw)}"
            )
        return tuple(map(self.codec.decode, items))

    def _split(self, raw: bytes) -> Iterator[bytes]:
        """The encodings of the items."""
        at = 0
        while raw or self.least:
            end = self._item_end(raw, at)
            item = raw[at:end]
            if self._blurred(item):
                raise ValueError(f"expected values without the separator {self._shown}, got {shown(raw)}")
            yield item
            if end == len(raw):
                return
            if not raw.startswith(self.separator, end):
                raise ValueError(f"expected the separator {self._shown} at byte {end}, got {shown(raw)}")
            at = end + len(self.separator)

    def _item_end(self, raw: bytes, at: int) -> int:
        fixed = self.codec.length.fixed
        if fixed is None and self.codec.self_ending:
            return self.codec.end(raw, at)
        if fixed is None:
            found = raw.find(self.separator, at)
            return len(raw) if found < 0 else found
        if at + fixed > len(raw):
            raise ValueError(f"expected {counted(fixed, 'byte')} at byte {at}, got {shown(raw)}")
        return at + fixed

    def _blurred(self, raw: bytes) -> bool:
        """Whether the separator begins before ``raw`` ends: of a longer one, its end may be the beginning."""
        return not self._placed and (raw + self.separator).find(self.separator) != len(raw)

    @property
    def _shown(self) -> str:
        return repr(self.separator.decode(errors="backslashreplace"))


@frozen(eq=False, repr=False)
class LengthPrefixed(Value, Around[T]):
    """The encoding of ``codec`` behind its length, as ``size`` bytes (1, 2 or 4), big-endian.

    It may hold anything, and any field may follow. The short sort in front of the
    long, whatever they hold.
    """

    self_ending = True
    holds_delimiter = True

    codec: KeyCodec[T]
    size: int = field(default=1)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.codec, KeyCodec) or self.codec.length.fixed is not None:
            raise DeclarationError(
                f"LengthPrefixed: expected a codec of no fixed width, got {shown(self.codec)}"
            )
        if type(self.size) is not int or self.size not in (1, 2, 4):
            raise DeclarationError(f"{shown(self)}: expected a length of 1, 2 or 4 bytes")
        if self.codec.length.most >= 1 << 8 * self.size:
            most = self.codec.length.most
            raise DeclarationError(
                f"{shown(self)}: a length of up to {most} does not fit in {counted(self.size, 'byte')}"
            )

    @property
    def length(self) -> Length:
        """That of ``codec``, and the bytes in front of it."""
        inner = self.codec.length
        return Length(inner.least + self.size, inner.most + self.size)

    @property
    def alphabet(self) -> frozenset[int]:
        """The bytes of ``codec``, and those of the lengths."""
        return self.codec.alphabet | _big_endian_bytes(self.codec.length, self.size)

    @property
    def order(self) -> Order:
        """None: the length stands in front. Ascending for ``Int``: of its numbers, the longer is the greater."""
        return Order.ASCENDING if isinstance(self.codec, Int) else Order.NONE

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"{meaning_of(self.codec)}, after {counted(self.size, 'byte')} with the length"

    def encode(self, value: T) -> bytes:
        """Length and encoding."""
        return self._prefixed(self.codec.encode(value))

    def bound(self, value: T) -> bytes | None:
        """The bound, behind its length."""
        raw = self.codec.bound(value)
        return None if raw is None else self._prefixed(raw)

    def _prefixed(self, raw: bytes) -> bytes:
        return len(raw).to_bytes(self.size, "big") + raw

    def decode(self, raw: bytes) -> T:
        """The value."""
        if self.end(raw, 0) != len(raw):
            raise ValueError(f"expected as many bytes as the first {self.size} say, got {shown(raw)}")
        return self.codec.decode(raw[self.size :])

    def end(self, raw: bytes, at: int) -> int:
        """As many bytes as the length in front says."""
        start = at + self.size
        end = start + int.from_bytes(raw[at:start], "big")
        if end > len(raw):
            raise ValueError(
                f"expected a length of {counted(self.size, 'byte')} and as many bytes after it, got {shown(raw[at:])}"
            )
        return end


def _big_endian_bytes(length: Length, size: int) -> frozenset[int]:
    """Every byte of the numbers from the least length to the most, big-endian."""
    found: frozenset[int] = frozenset()
    for shift in range(0, 8 * size, 8):
        least, most = length.least >> shift, length.most >> shift
        found |= BYTES if most - least >= 255 else {one & 255 for one in range(least, most + 1)}
    return found


def _key_codec(instance: object, attribute: object, codec: object) -> None:
    if not isinstance(codec, KeyCodec) or codec.kind is Kind.CONSTANT:
        raise DeclarationError(f"mapped: expected a codec whose values vary, got {shown(codec)}")


def _keeps_order(instance: "MappedKey[Any]", attribute: object, ordered: object) -> None:
    if type(ordered) is not bool or (ordered and not instance.codec.ordered):
        raise DeclarationError(
            f"mapped: ordered={ordered!r}: expected True or False, and True only where {shown(instance.codec)} is ordered"
        )


@frozen(eq=False, repr=False)
class MappedKey(Mapped, Around[V]):
    """What ``codec`` writes of ``to(value)``; it is read back with ``from_``. See :func:`btmodel.mapped`."""

    codec: KeyCodec[Any] = field(validator=_key_codec)
    to: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    from_: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    type: Any = field(repr=value_text)
    keeps_order: bool = field(default=False, validator=_keeps_order, alias="ordered")
    holds_delimiter: bool = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: self.codec.holds_delimiter, takes_self=True),
    )
    self_ending: bool = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(lambda self: self.codec.self_ending, takes_self=True),
    )

    @property
    def kind(self) -> Kind:
        """By the type of the values, or else that of ``codec``."""
        return KINDS.get(self.type, self.codec.kind)

    @property
    def alphabet(self) -> frozenset[int]:
        """That of ``codec``."""
        return self.codec.alphabet

    @property
    def order(self) -> Order:
        """That of ``codec`` where ``ordered`` says that the functions keep it; what is scattered stays so."""
        return self.codec.order if self.keeps_order or self.codec.order is Order.SCATTERED else Order.NONE

    def encode(self, value: V) -> bytes:
        """The bytes that ``codec`` writes of ``to(value)``."""
        return self.codec.encode(self.written(value))

    def decode(self, raw: bytes) -> V:
        """What ``from_`` makes of what ``codec`` reads; bytes that the value is not written as are refused."""
        written = self.codec.decode(raw)
        value: V = self.read(written)
        if not same_value(written, self.to(value)):
            raise ValueError(f"expected the one encoding of {value!r}, got {shown(raw)}")
        return value

    def bound(self, value: V) -> bytes | None:
        """The bound of ``to(value)``."""
        return self.codec.bound(self.written(value))

    def end(self, raw: bytes, at: int) -> int:
        """Where ``codec`` finds the end."""
        return self.codec.end(raw, at)

    def mirror(self) -> CellCodec[V]:
        """A cell repeats the value by the same functions, around the cell that repeats what ``codec`` writes."""
        return MappedCell(self.codec.mirror(), self.to, self.from_, self.type)


@overload
def mapped(
    codec: KeyCodec[W],
    *,
    to: Callable[[V], W],
    from_: Callable[[W], V],
    type: type[V] | None = None,
    ordered: bool = False,
) -> MappedKey[V]: ...
@overload
def mapped(
    codec: CellCodec[W],
    *,
    to: Callable[[V], W],
    from_: Callable[[W], V],
    type: type[V] | None = None,
    ordered: bool = False,
) -> MappedCell[V]: ...
def mapped(
    codec: KeyCodec[Any] | CellCodec[Any],
    *,
    to: Callable[[Any], Any],
    from_: Callable[[Any], Any],
    type: Any = None,
    ordered: bool = False,
) -> Any:
    """A codec of other values, by two functions: ``bt.mapped(bt.PaddedInt(9), to=cents, from_=euros, ordered=True)``.

    ``codec``, one of keys or of cells, writes what ``to`` makes of a value, and ``from_`` makes the value again of what it reads.
    ``type`` is the type of the values; it may be left out where ``from_`` is a class, or says it in its annotation. Lengths, bytes,
    and sizes are those of ``codec``. The order is kept where ``ordered`` says that ``to`` does: of two values, the
    lesser one gives the lesser one. Then keys have ranges, and conditions compare cells, if the bytes of ``codec`` sort.

    A value that does not come back as it was is refused when it is written. Both functions need a name, no ``lambda``: they are
    recorded by it, so change the name where other bytes are meant. Raises :class:`DeclarationError`.
    """
    if not isinstance(codec, KeyCodec | CellCodec):
        raise DeclarationError(f"mapped: expected a codec of keys or cells, got {shown(codec)}")
    held = type or _returned(from_)
    if isinstance(codec, KeyCodec):
        return MappedKey(codec, to, from_, held, ordered)
    return MappedCell(codec, to, from_, held, ordered=ordered)


def _returned(function: Any) -> Any:
    """The type that a function says it returns; a class makes its own instances."""
    if isinstance(function, type):
        return function
    try:
        found = get_type_hints(function).get("return")
    except Exception:
        found = None
    if found is None:
        raise DeclarationError(
            f"mapped: expected type=, as {value_text(function)} does not say in its annotation what it returns"
        )
    return found
