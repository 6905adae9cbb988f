"""Any codec of fixed width the other way round: the last value first."""

from typing import TypeVar

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.key.base import BYTES, DIGITS, HEX_DIGITS, KeyCodec, Kind, Length, Order
from btmodel.codecs.meaning import meaning_of
from btmodel.errors import DeclarationError

T = TypeVar("T")


def _fixed_and_ascending(instance: object, attribute: object, codec: KeyCodec[T]) -> None:
    fits = isinstance(codec, KeyCodec) and codec.length.fixed and codec.order is Order.ASCENDING
    if not fits or codec.kind is Kind.CONSTANT:
        raise DeclarationError(
            f"Descending: wanted a codec of fixed width whose bytes sort as its values do, got {codec!r}"
        )


@frozen
class Descending(KeyCodec[T]):
    """The encoding of ``codec`` with each byte replaced by its opposite, so that the last value comes first.

    The opposite of a decimal digit ``d`` is ``9-d`` where ``codec`` writes decimal digits only, that
    of a hexadecimal digit ``15-d`` where it writes lower-case hexadecimal ones only, and
    that of any other byte ``255-b``. So ``Descending(PaddedInt(10))`` writes
    9999999999-n, and ``Descending(BigEndian(8))`` the bitwise not. ``codec`` must have a
    fixed width, and sort as its values do.
    """

    codec: KeyCodec[T] = field(validator=_fixed_and_ascending)

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
        """That of ``codec``."""
        return self.codec.length

    @property
    def alphabet(self) -> frozenset[int]:
        """The opposites of the bytes of ``codec``."""
        return frozenset(self._opposite(bytes(self.codec.alphabet)))

    @property
    def order(self) -> Order:
        """Descending."""
        return Order.DESCENDING

    @property
    def granularity(self) -> str | None:
        """That of ``codec``."""
        return self.codec.granularity

    @property
    def meaning(self) -> str:
        """In words."""
        return f"{meaning_of(self.codec)}, each byte replaced by its opposite"

    def encode(self, value: T) -> bytes:
        """The opposite of the encoding."""
        return self._opposite(self.codec.encode(value))

    def bound(self, value: T) -> bytes | None:
        """The opposite of the bound."""
        raw = self.codec.bound(value)
        return None if raw is None else self._opposite(raw)

    def decode(self, raw: bytes) -> T:
        """The value whose encoding is the opposite of ``raw``."""
        try:
            return self.codec.decode(self._opposite(raw))
        except ValueError as error:
            raise ValueError(f"wanted {self.meaning}, got {raw!r}; of its opposite: {error}") from None

    def mirror(self) -> CellCodec[T]:
        """A cell repeats the value as that of a field of ``codec`` does."""
        return self.codec.mirror()

    def _opposite(self, raw: bytes) -> bytes:
        """Each byte mirrored in its alphabet; what is not in it is left, and refused by ``codec``."""
        alphabet = next(one for one in (DIGITS, HEX_DIGITS, BYTES) if one >= self.codec.alphabet)
        letters = bytes(sorted(alphabet))
        return raw.translate(bytes.maketrans(letters, letters[::-1]))
