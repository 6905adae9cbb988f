"""UUIDs in a row key."""

from uuid import UUID

from attrs import field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.encoded import UuidBytes
from btmodel.codecs.key.base import HEX_DIGITS, KeyCodec, Length, Order, a_bool
from btmodel.errors import ValueRefused
from btmodel.on_demand import pattern
from btmodel.value import Value

_WITH_DASHES = pattern(b"-".join(b"[0-9a-f]{%d}" % digits for digits in (8, 4, 4, 4, 12)))
_WITHOUT_DASHES = pattern(b"[0-9a-f]{32}")


class _Uuid(KeyCodec[UUID], order=Order.ASCENDING):
    """What UUIDs as text and as bytes share."""


def _uuid(value: UUID) -> UUID:
    if not isinstance(value, UUID):
        raise ValueRefused("a UUID", value)
    return value


@frozen(eq=False, repr=False)
class UuidText(Value, _Uuid):
    """A UUID as lower-case text: of 36 characters with ``dashes``, else of 32."""

    dashes: bool = field(default=True, validator=a_bool)

    @property
    def length(self) -> Length:
        """36 or 32 bytes."""
        return Length(36, 36) if self.dashes else Length(32, 32)

    @property
    def alphabet(self) -> frozenset[int]:
        """Lower-case hexadecimal digits, and the dash."""
        return HEX_DIGITS | frozenset(b"-") if self.dashes else HEX_DIGITS

    @property
    def meaning(self) -> str:
        """In words."""
        return "the text of a UUID" if self.dashes else "the text of a UUID, without dashes"

    def encode(self, value: UUID) -> bytes:
        """The text."""
        return (str(_uuid(value)) if self.dashes else _uuid(value).hex).encode()

    def decode(self, raw: bytes) -> UUID:
        """The UUID; capitals and braces are refused, two texts for one UUID would be two rows."""
        if not (_WITH_DASHES if self.dashes else _WITHOUT_DASHES).fullmatch(raw):
            raise ValueError(f"expected {self.meaning}, lower-case, got {raw!r}")
        return UUID(raw.decode())


@frozen(eq=False, repr=False)
class UuidRaw(Value, _Uuid, length=Length(16, 16), meaning="16 bytes of a UUID"):
    """A UUID as its 16 bytes."""

    def encode(self, value: UUID) -> bytes:
        """16 bytes, big-endian."""
        return _uuid(value).bytes

    def decode(self, raw: bytes) -> UUID:
        """The UUID."""
        if len(raw) != 16:
            raise ValueError(f"expected 16 bytes, got {raw!r}")
        return UUID(bytes=raw)

    def mirror(self) -> CellCodec[UUID]:
        """A cell repeats the 16 bytes."""
        return UuidBytes()
