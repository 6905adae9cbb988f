"""Internet domains in a row key, the last label first."""

from attrs import Factory, field, frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.text import Utf8
from btmodel.codecs.key.base import KeyCodec, Kind, Length, Order
from btmodel.codecs.key.text import Text
from btmodel.counted import counted
from btmodel.errors import ValueRefused


def _bounded(codec: "ReversedDomain") -> Text:
    return Text(max_length=codec.max_length)


@frozen
class ReversedDomain(KeyCodec[str]):
    """A domain with its labels in reverse: ``drive.google.com`` is ``com.google.drive``.

    So the rows of all sub-domains of a domain lie together, and one can ask for them. The text
    is of at most ``max_length`` bytes in UTF-8, without control characters and empty
    labels. It is kept as it is: where capitals do not matter, make it lower-case yourself, or
    two spellings of a domain are two rows.
    """

    max_length: int
    _text: Text = field(init=False, eq=False, repr=False, default=Factory(_bounded, takes_self=True))

    @property
    def python_type(self) -> type:
        """``str``."""
        return str

    @property
    def kind(self) -> Kind:
        """Text."""
        return Kind.TEXT

    @property
    def length(self) -> Length:
        """From 1 to ``max_length`` bytes."""
        return self._text.length

    @property
    def alphabet(self) -> frozenset[int]:
        """Every byte of UTF-8 but control characters."""
        return self._text.alphabet

    @property
    def order(self) -> Order:
        """None: it sorts as the domain reads from its end."""
        return Order.NONE

    @property
    def separators(self) -> tuple[bytes, ...]:
        """The dot."""
        return (b".",)

    @property
    def meaning(self) -> str:
        """In words."""
        return f"up to {counted(self.max_length, 'byte')}, the labels of a domain in reverse"

    def encode(self, value: str) -> bytes:
        """The labels in reverse, with dots between them."""
        raw = self._text.encode(value)
        if b"" in raw.split(b"."):
            raise ValueRefused("a domain without empty labels", value)
        return _reversed(raw)

    def decode(self, raw: bytes) -> str:
        """The domain, its labels in order again."""
        value = self._text.decode(_reversed(raw))
        if "" in value.split("."):
            raise ValueError(f"wanted a domain without empty labels, in reverse, got {raw!r}")
        return value

    def stem(self, start: str) -> bytes:
        """What begins the domains below ``start``: ``com.google.`` for ``google.com``, which queries find as well."""
        return self.encode(start) + b"."

    def mirror(self) -> CellCodec[str]:
        """A cell repeats the domain, its labels in order."""
        return Utf8()


def _reversed(domain: bytes) -> bytes:
    return b".".join(reversed(domain.split(b".")))
