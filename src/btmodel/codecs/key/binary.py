"""Bytes in a row key, as they are."""

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.text import Raw
from btmodel.codecs.key.base import BYTES, KeyCodec, Kind, Length, Order
from btmodel.codecs.key.sizes import check_lengths, check_one_size
from btmodel.counted import counted
from btmodel.errors import DeclarationError, ValueRefused


@frozen
class Bytes(KeyCodec[bytes]):
    """Any bytes: of exactly ``width``, or from ``min_length`` to ``max_length``. Nothing is padded.

    Exactly one of ``width`` and ``max_length`` is given; ``min_length`` goes with the
    latter, and is 1. A value that holds the key's delimiter is refused where the
    field has no fixed width, unless ``holds_delimiter=True``: only one such field can be
    taken apart again.
    """

    width: int | None = field(default=None, kw_only=True)
    max_length: int | None = field(default=None, kw_only=True)
    min_length: int = field(default=1, kw_only=True)
    holds_delimiter: bool = field(default=False, kw_only=True)

    def __attrs_post_init__(self) -> None:
        check_one_size(self, self.width, self.max_length)
        check_lengths(self, self.min_length, self.width if self.max_length is None else self.max_length)
        if self.width is not None and self.min_length != 1:
            raise DeclarationError(f"{self!r}: wanted no min_length= where the width is fixed")

    @property
    def python_type(self) -> type:
        """``bytes``."""
        return bytes

    @property
    def kind(self) -> Kind:
        """Text: nothing is counted."""
        return Kind.TEXT

    @property
    def length(self) -> Length:
        """The width, or from ``min_length`` to ``max_length``."""
        if self.width is not None:
            return Length(self.width, self.width)
        assert self.max_length is not None
        return Length(self.min_length, self.max_length)

    @property
    def alphabet(self) -> frozenset[int]:
        """Every byte."""
        return BYTES

    @property
    def order(self) -> Order:
        """Ascending: they are the values."""
        return Order.ASCENDING

    @property
    def meaning(self) -> str:
        """Width or longest length, in words."""
        most = counted(self.length.most, "byte")
        return most if self.width else f"up to {most}"

    def encode(self, value: bytes) -> bytes:
        """The same bytes."""
        if not isinstance(value, bytes) or not self._fits(value):
            raise ValueRefused(self._wanted, value)
        return value

    def decode(self, raw: bytes) -> bytes:
        """The same bytes."""
        if not self._fits(raw):
            raise ValueError(f"wanted {self._wanted}, got {raw!r}")
        return raw

    def _fits(self, raw: bytes) -> bool:
        return self.length.least <= len(raw) <= self.length.most

    @property
    def _wanted(self) -> str:
        most = counted(self.length.most, "byte")
        return most if self.width else f"{self.length.least} to {most}"

    def stem(self, start: bytes) -> bytes:
        """The same bytes."""
        if not isinstance(start, bytes):
            raise ValueRefused("bytes", start)
        return start

    def mirror(self) -> CellCodec[bytes]:
        """A cell repeats the bytes."""
        return Raw()
