"""Several values in one field of a row key, as the parts of a path."""

from collections.abc import Iterator
from types import GenericAlias
from typing import TypeVar, cast

from attrs import field, frozen

from btmodel.codecs.key.base import KeyCodec, Kind, Length, Order
from btmodel.codecs.meaning import meaning_of
from btmodel.counted import counted
from btmodel.errors import DeclarationError, ValueRefused

T = TypeVar("T")


def _separator(text: str | bytes) -> bytes:
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    if not isinstance(raw, bytes) or not raw or (isinstance(text, str) and raw.decode() != text):
        raise DeclarationError(f"Repeated: wanted a separator of at least 1 byte, got {text!r}")
    return raw


@frozen
class Repeated(KeyCodec[tuple[T, ...]]):
    """A tuple of ``least`` to ``most`` values of ``codec``, with ``separator`` between them.

    A value that holds the separator is refused where ``codec`` has no fixed width and does
    not end by itself: it could not be taken apart again. The tuple sorts as tuples do where the
    values do, and, if they end at the separator, all their bytes lie above its bytes.

    A tuple that holds the key's delimiter is refused where the field has no fixed width,
    unless ``holds_delimiter=True``: only one such field can be taken apart again.
    """

    codec: KeyCodec[T]
    separator: bytes = field(default=b"/", converter=_separator)
    least: int = field(default=1, kw_only=True)
    most: int = field(kw_only=True)
    holds_delimiter: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if not isinstance(self.codec, KeyCodec) or self.codec.kind is Kind.CONSTANT:
            raise DeclarationError(f"Repeated: wanted a codec whose values vary, got {self.codec!r}")
        if type(self.least) is not int or type(self.most) is not int or not 1 <= self.least <= self.most:
            raise DeclarationError(f"{self!r}: wanted at least 1 value, and least= not above most=")
        inner = self.codec
        if isinstance(inner, Repeated) and not self._placed and self.separator in inner.separator:
            raise DeclarationError(f"{self!r}: wanted another separator than the one within the values")

    @property
    def _placed(self) -> bool:
        """Whether an item tells by itself where it ends, so that it may hold the separator."""
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
            self.least * (inner.least + gap) - gap,
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
        return ((self.separator,) if self.most > 1 else ()) + self.codec.separators

    @property
    def meaning(self) -> str:
        """In words."""
        shown = self.separator.decode(errors="backslashreplace")
        return f"{self.least} to {counted(self.most, 'value')} with {shown!r} between them, each {meaning_of(self.codec)}"

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
                f"wanted {self.least} to {counted(self.most, 'value')}, got {len(items)}: {raw!r}"
            )
        return tuple(map(self.codec.decode, items))

    def _split(self, raw: bytes) -> Iterator[bytes]:
        """The encodings of the items."""
        at = 0
        while True:
            end = self._item_end(raw, at)
            item = raw[at:end]
            if self._blurred(item):
                raise ValueError(f"wanted values without the separator {self._shown}, got {raw!r}")
            yield item
            if end == len(raw):
                return
            if not raw.startswith(self.separator, end):
                raise ValueError(f"wanted the separator {self._shown} at byte {end}, got {raw!r}")
            at = end + len(self.separator)

    def _item_end(self, raw: bytes, at: int) -> int:
        fixed = self.codec.length.fixed
        if fixed is None and self.codec.self_ending:
            return self.codec.end(raw, at)
        if fixed is None:
            found = raw.find(self.separator, at)
            return len(raw) if found < 0 else found
        if at + fixed > len(raw):
            raise ValueError(f"wanted {counted(fixed, 'byte')} at byte {at}, got {raw!r}")
        return at + fixed

    def _blurred(self, raw: bytes) -> bool:
        """Whether the separator begins before ``raw`` ends: of a longer one, its end may be the beginning."""
        return not self._placed and (raw + self.separator).find(self.separator) != len(raw)

    @property
    def _shown(self) -> str:
        return repr(self.separator.decode(errors="backslashreplace"))
