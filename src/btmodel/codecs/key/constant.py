"""A part of a row key that is the same in every row."""

from attrs import field, frozen

from btmodel.codecs.key.base import PRINTABLE, KeyCodec, Kind, Length, Order
from btmodel.errors import DeclarationError, ValueRefused


def _printable(instance: object, attribute: object, value: str) -> None:
    # A lone surrogate, which UTF-8 cannot write, does not come back.
    raw = value.encode(errors="xmlcharrefreplace") if isinstance(value, str) else b""
    if not raw or raw.decode() != value or not PRINTABLE.issuperset(raw):
        raise DeclarationError(f"constant: wanted text without control characters, got {value!r}")


@frozen
class Constant(KeyCodec[str]):
    """The literal ``text``, in every row: it sets a model's rows apart in a shared table."""

    text: str = field(validator=_printable)

    @property
    def python_type(self) -> type:
        """``str``."""
        return str

    @property
    def kind(self) -> Kind:
        """A constant."""
        return Kind.CONSTANT

    @property
    def length(self) -> Length:
        """The length of the text."""
        size = len(self.text.encode())
        return Length(size, size)

    @property
    def alphabet(self) -> frozenset[int]:
        """The bytes of the text."""
        return frozenset(self.text.encode())

    @property
    def order(self) -> Order:
        """Ascending: there is one value."""
        return Order.ASCENDING

    @property
    def meaning(self) -> str:
        """In words."""
        return "the same in every row"

    def encode(self, value: str) -> bytes:
        """The text, and no other."""
        if value != self.text:
            raise ValueRefused(f"the constant {self.text!r}", value)
        return self.text.encode()

    def decode(self, raw: bytes) -> str:
        """The text, and no other."""
        if raw != self.text.encode():
            raise ValueError(f"wanted {self.text!r}, got {raw!r}")
        return self.text
