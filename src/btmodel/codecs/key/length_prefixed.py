"""A field of variable width behind its own length."""

from typing import TypeVar

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.key.base import BYTES, KeyCodec, Kind, Length, Order
from btmodel.codecs.key.integer import Int
from btmodel.codecs.meaning import meaning_of
from btmodel.counted import counted
from btmodel.errors import DeclarationError

T = TypeVar("T")


@frozen
class LengthPrefixed(KeyCodec[T]):
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
            raise DeclarationError(f"LengthPrefixed: wanted a codec of no fixed width, got {self.codec!r}")
        if type(self.size) is not int or self.size not in (1, 2, 4):
            raise DeclarationError(f"{self!r}: wanted a length of 1, 2 or 4 bytes")
        if self.codec.length.most >= 1 << 8 * self.size:
            most = self.codec.length.most
            raise DeclarationError(
                f"{self!r}: a length of up to {most} does not fit in {counted(self.size, 'byte')}"
            )

    @property
    def python_type(self) -> type:
        """That of ``codec``."""
        return self.codec.python_type

    @property
    def kind(self) -> Kind:
        """That of ``codec``."""
        return self.codec.kind

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
    def granularity(self) -> str | None:
        """That of ``codec``."""
        return self.codec.granularity

    @property
    def meaning(self) -> str:
        """In words."""
        return f"{meaning_of(self.codec)}, behind {counted(self.size, 'byte')} that tell the length"

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
            raise ValueError(f"wanted as many bytes as the first {self.size} tell, got {raw!r}")
        return self.codec.decode(raw[self.size :])

    def end(self, raw: bytes, at: int) -> int:
        """As far behind the length as it tells."""
        start = at + self.size
        end = start + int.from_bytes(raw[at:start], "big")
        if end > len(raw):
            raise ValueError(
                f"wanted a length of {counted(self.size, 'byte')} and what it tells, got {raw[at:]!r}"
            )
        return end

    def mirror(self) -> CellCodec[T]:
        """A cell repeats the value as that of a field of ``codec`` does."""
        return self.codec.mirror()


def _big_endian_bytes(length: Length, size: int) -> frozenset[int]:
    """Every byte of the numbers from the least length to the most, big-endian."""
    found: frozenset[int] = frozenset()
    for shift in range(0, 8 * size, 8):
        least, most = length.least >> shift, length.most >> shift
        found |= BYTES if most - least >= 255 else {one & 255 for one in range(least, most + 1)}
    return found
