"""Several fields in one: joined by a separator, or escaped as Bigtable's ordered code has them."""

from collections.abc import Iterator
from types import GenericAlias
from typing import Any, TypeVar, cast

from attrs import field, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.key.base import KeyCodec, Kind, Length, Order, a_bool
from btmodel.codecs.key.combined import Around, as_separator
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.value import Value
from btmodel.words import as_text, counted, one

T = TypeVar("T")


def _codecs(instance: "Joined", attribute: object, codecs: object) -> None:
    given = codecs if isinstance(codecs, tuple) else ()
    if len(given) < 2 or not all(isinstance(one, KeyCodec) for one in given):
        raise DeclarationError(f"Joined: expected a tuple of two key codecs or more, got {shown(codecs)}")


def _record(instance: "Joined", attribute: object, record: Any) -> None:
    if record is None:
        return
    fields = getattr(record, "_fields", None)
    if not isinstance(record, type) or fields is None or len(fields) != len(instance.codecs):
        raise DeclarationError(
            f"Joined: record: expected a NamedTuple of {counted(len(instance.codecs), 'field')}, got {record!r}"
        )


@frozen(eq=False, repr=False)
class Joined(Value, KeyCodec[Any], kind=Kind.TEXT):
    """A tuple with a codec for each item, and ``separator`` between them: ``Joined((DateText(), Text(max_length=9)), ":")``.

    It is one field of a key, or a qualifier: ``2020-05-01:temp``. An item of variable length that does not end by itself ends at the
    separator, which it may not hold, unless it is the last one. ``b""`` is no separator. With ``record``, a NamedTuple, the values
    are such tuples. The tuple sorts as tuples do where all items do, and where those that end at the separator hold only
    bytes above it.
    """

    codecs: tuple[KeyCodec[Any], ...] = field(validator=_codecs)
    separator: bytes = field(default=b":", converter=as_separator)
    record: type[Any] | None = field(default=None, validator=_record)
    holds_delimiter: bool = field(default=False, kw_only=True, validator=a_bool)

    def __attrs_post_init__(self) -> None:
        open_ = [codec for codec in self.codecs[:-1] if not _placed(codec)]
        if not self.separator and open_:
            raise DeclarationError(
                f"{shown(self)}: without a separator expected fixed widths, or ends of their own, in front of the last item"
            )

    @property
    def python_type(self) -> type:
        """The record, or ``tuple`` of the types of its items."""
        types = tuple(codec.python_type for codec in self.codecs)
        return self.record or cast(type, GenericAlias(tuple, types))

    @property
    def length(self) -> Length:
        """The sum of all items and separators."""
        gaps = len(self.separator) * (len(self.codecs) - 1)
        lengths = [codec.length for codec in self.codecs]
        return Length(
            sum(length.least for length in lengths) + gaps, sum(length.most for length in lengths) + gaps
        )

    @property
    def alphabet(self) -> frozenset[int]:
        """The bytes of the items and of the separator."""
        return frozenset(self.separator).union(*(codec.alphabet for codec in self.codecs))

    @property
    def order(self) -> Order:
        """Ascending where all items are, and no end of an item can sort above its continuation; else none."""
        sorted_ = all(codec.order is Order.ASCENDING for codec in self.codecs)
        cut = all(_placed(codec) or min(codec.alphabet) > max(self.separator) for codec in self.codecs[:-1])
        return Order.ASCENDING if sorted_ and cut else Order.NONE

    @property
    def leading(self) -> KeyCodec[Any]:
        """That of the first item."""
        return self.codecs[0].leading

    @property
    def separators(self) -> tuple[bytes, ...]:
        """The separator."""
        return (self.separator,) if self.separator else ()

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        between = f"{as_text(self.separator)!r} between them" if self.separator else "nothing between them"
        return f"{', '.join(map(meaning_of, self.codecs))}, with {between}"

    def encode(self, value: tuple[Any, ...]) -> bytes:
        """The encodings with the separator between them."""
        if not isinstance(value, self.record or tuple) or len(value) != len(self.codecs):
            name = self.record.__name__ if self.record else "tuple"
            raise ValueRefused(f"{one(name)} of {counted(len(self.codecs), 'item')}", value)
        return self.separator.join(self._raw_items(value))

    def stem(self, start: tuple[Any, ...]) -> bytes:
        """What begins the tuples that begin with ``start``, fewer items than there are."""
        if not isinstance(start, tuple) or len(start) >= len(self.codecs):
            raise ValueRefused(f"a tuple of fewer than {counted(len(self.codecs), 'item')}", start)
        return b"".join(raw + self.separator for raw in self._raw_items(start))

    def _raw_items(self, value: tuple[Any, ...]) -> list[bytes]:
        found = []
        for at, (codec, item) in enumerate(zip(self.codecs, value, strict=False)):
            try:
                raw = codec.encode(item)
            except ValueRefused as error:
                raise ValueRefused(f"{error.wanted} at index {at}", value) from None
            last = codec is self.codecs[-1] and at == len(self.codecs) - 1
            if not last and not _placed(codec) and (raw + self.separator).find(self.separator) != len(raw):
                raise ValueRefused(
                    f"an item without the separator {as_text(self.separator)!r} at index {at}", value
                )
            found.append(raw)
        return found

    def decode(self, raw: bytes) -> Any:
        """The tuple."""
        parts = zip(self.codecs, self._split(raw), strict=True)
        items = tuple(codec.decode(part) for codec, part in parts)
        return self.record(*items) if self.record else items

    def _split(self, raw: bytes) -> Iterator[bytes]:
        at = 0
        for codec in self.codecs[:-1]:
            end = self._end(codec, raw, at)
            if end > len(raw) or not raw.startswith(self.separator, end):
                raise ValueError(f"expected {as_text(self.separator)!r} at byte {end}, got {shown(raw)}")
            yield raw[at:end]
            at = end + len(self.separator)
        yield raw[at:]

    def _end(self, codec: KeyCodec[Any], raw: bytes, at: int) -> int:
        if codec.length.fixed is not None:
            return at + codec.length.fixed
        if codec.self_ending:
            return codec.end(raw, at)
        found = raw.find(self.separator, at)
        return len(raw) + 1 if found < 0 else found


def _placed(codec: KeyCodec[Any]) -> bool:
    """Whether an encoding marks its own end."""
    return codec.length.fixed is not None or codec.self_ending


_NUL, _ESCAPED = b"\0", b"\0\xff"


def _varying(instance: object, attribute: object, codec: object) -> None:
    if not isinstance(codec, KeyCodec) or codec.kind is Kind.CONSTANT:
        raise DeclarationError(f"OrderedCode: expected a key codec whose values vary, got {shown(codec)}")


@frozen(eq=False, repr=False)
class OrderedCode(Value, Around[T]):
    """What ``codec`` gives, as a field of a key in Bigtable's ordered code: each byte 00 is written 00 FF.

    All fields of such a key are written so, and its ``delimiter`` is the bytes 00 01, as the row key schema of the service has them:
    ``OrderedCode(Text(max_length=20))``, ``OrderedCode(OrderedInt())``. No value may hold the delimiter then, and
    the fields sort as they do alone.
    """

    codec: KeyCodec[T] = field(validator=_varying)

    @property
    def length(self) -> Length:
        """Twice as long, where all bytes are 00."""
        inner = self.codec.length
        return Length(inner.least, 2 * inner.most) if 0 in self.codec.alphabet else inner

    @property
    def alphabet(self) -> frozenset[int]:
        """That of ``codec``, and FF behind 00."""
        return self.codec.alphabet | ({0xFF} if 0 in self.codec.alphabet else frozenset())

    @property
    def order(self) -> Order:
        """That of ``codec``."""
        return self.codec.order

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"{meaning_of(self.codec)}, in ordered code"

    def encode(self, value: T) -> bytes:
        """The encoding, escaped."""
        return self.codec.encode(value).replace(_NUL, _ESCAPED)

    def bound(self, value: T) -> bytes | None:
        """The bound, escaped."""
        raw = self.codec.bound(value)
        return None if raw is None else raw.replace(_NUL, _ESCAPED)

    def stem(self, start: T) -> bytes | None:
        """That of ``codec``, escaped."""
        raw = self.codec.stem(start)
        return None if raw is None else raw.replace(_NUL, _ESCAPED)

    @property
    def has_stem(self) -> bool:
        """Whether ``codec`` has one."""
        return self.codec.has_stem

    def decode(self, raw: bytes) -> T:
        """The value; a byte 00 without FF behind it is refused."""
        plain = raw.replace(_ESCAPED, _NUL)
        if plain.replace(_NUL, _ESCAPED) != raw:
            raise ValueError(f"expected FF after each byte 00, got {shown(raw)}")
        return self.codec.decode(plain)

    def mirror(self) -> CellCodec[T]:
        """A cell repeats the value as that of a field of ``codec`` does."""
        return self.codec.mirror()
