"""Text, domain names, constants and members of enums in a row key; text and bytes with anything in them, whose NULs are escaped."""

from abc import abstractmethod
from enum import Enum
from functools import cached_property
from typing import Any, TypeVar

from attrs import Factory, field, frozen

from btmodel import words
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.text import Encoding, Raw, TextBytes, Utf8, encoded, refuse_other_encoding
from btmodel.codecs.key.base import (
    BYTES,
    PRINTABLE,
    KeyCodec,
    Kind,
    Length,
    Order,
    a_bool,
    check_lengths,
    check_one_size,
)
from btmodel.errors import DeclarationError, ValueRefused, shown
from btmodel.on_demand import pattern
from btmodel.value import Value
from btmodel.words import counted

PAD = b" "
_ASCII = frozenset(range(0x80))
# Of the encodings whose bytes are not those of UTF-8.
_PRINTABLE = {"ascii": PRINTABLE & _ASCII, "latin-1": PRINTABLE - frozenset(range(0x80, 0xA0))}
_CONTROL = pattern("[\x00-\x1f\x7f-\x9f]")


@frozen(eq=False, repr=False)
class Text(Value, KeyCodec[str]):
    """UTF-8 text: of a fixed ``width`` in bytes, padded with spaces, or of at most ``max_length``.

    Exactly one of the two is given. Control characters are refused: they sort
    below the padding and cannot be read. Padded text refuses a value that ends
    with a space, which would look like padding.

    Empty text is refused unless ``min_length=0``. A value that holds the key's
    delimiter is refused where the field has no fixed width, unless
    ``holds_delimiter=True``: only one such field can be taken apart again.

    ``encoding`` is ``"ascii"``, ``"latin-1"``, ``"utf-16-be"`` or ``"utf-16-le"`` for keys of other writers, and
    lengths are those of its bytes. With ``controls=True`` control characters are taken, too: padded text then does not sort.
    """

    width: int | None = field(default=None, kw_only=True)
    max_length: int | None = field(default=None, kw_only=True)
    min_length: int = field(default=1, kw_only=True)
    holds_delimiter: bool = field(default=False, kw_only=True)
    encoding: Encoding = field(default="utf-8", kw_only=True)
    controls: bool = field(default=False, kw_only=True, validator=a_bool)

    def __attrs_post_init__(self) -> None:
        check_one_size(self, self.width, self.max_length)
        check_lengths(self, self.min_length, self._most)
        refuse_other_encoding(self, self.encoding)
        if self.width is not None and self.wide:
            raise DeclarationError(f"{shown(self)}: expected max_length=, as no byte pads {self.encoding}")

    @property
    def _most(self) -> int:
        most = self.width if self.max_length is None else self.max_length
        assert most is not None
        return most

    @property
    def wide(self) -> bool:
        """Whether a character is two bytes or more, those of ASCII too."""
        return self.encoding.startswith("utf-16")

    @property
    def alphabet(self) -> frozenset[int]:
        """Every byte of the encoding but control characters."""
        if self.controls or self.wide:
            return BYTES if self.encoding != "ascii" else _ASCII
        return _PRINTABLE.get(self.encoding, PRINTABLE)

    @property
    def order(self) -> Order:
        """Ascending, as the code points do: of UTF-16 they do not, nor do control characters, which sort below the padding."""
        return Order.NONE if self.wide or (self.controls and self.width) else Order.ASCENDING

    @property
    def length(self) -> Length:
        """The width, or from ``min_length`` to ``max_length``."""
        return Length(self._most if self.width else self.min_length, self._most)

    @property
    def meaning(self) -> str:
        """Width or longest length, in words."""
        size = (
            f"{counted(self.width, 'byte')}, padded with spaces"
            if self.width
            else f"up to {counted(self._most, 'byte')}"
        )
        return size if self.encoding == "utf-8" else f"{size}, in {self.encoding}"

    def encode(self, value: str) -> bytes:
        """The bytes, padded on the right where the width is fixed."""
        raw = self._plain(value)
        if not self.min_length <= len(raw) <= self._most:
            name = self.encoding.upper()
            raise ValueRefused(f"text of {self.min_length} to {counted(self._most, 'byte')} in {name}", value)
        if self.width is None:
            return raw
        if raw.endswith(PAD):
            raise ValueRefused("text that does not end with a space, which pads the field", value)
        return raw.ljust(self.width, PAD)

    def _plain(self, value: str) -> bytes:
        raw = encoded(value, self.encoding)
        if not self.controls and _CONTROL.search(value):
            raise ValueRefused("text without control characters", value)
        return raw

    def decode(self, raw: bytes) -> str:
        """The text, without its padding."""
        if self.width is not None:
            if len(raw) != self.width:
                raise ValueError(f"expected {counted(self.width, 'byte')}, got {shown(raw)}")
            raw = raw.rstrip(PAD)
        if not self.min_length <= len(raw) <= self._most:
            raise ValueError(f"expected {self.min_length} to {counted(self._most, 'byte')}, got {shown(raw)}")
        value = raw.decode(self.encoding)
        if not self.controls and _CONTROL.search(value):
            raise ValueError(f"expected text without control characters, got {shown(raw)}")
        return value

    def stem(self, start: str) -> bytes:
        """The bytes, without padding."""
        raw = self._plain(start)
        if self.width is not None and raw.endswith(PAD):
            raise ValueRefused(
                "the beginning of a text, not ending with a space, which pads the field", start
            )
        return raw

    def mirror(self) -> CellCodec[str]:
        """A cell repeats the text without its padding."""
        return Utf8() if self.encoding == "utf-8" else TextBytes(self.encoding)


def _bounded(codec: "ReversedDomain") -> Text:
    return Text(max_length=codec.max_length)


@frozen(eq=False, repr=False)
class ReversedDomain(Value, KeyCodec[str], separators=(b".",)):
    """A domain with its labels in reverse: ``drive.google.com`` is ``com.google.drive``.

    So the rows of all sub-domains of a domain lie together, and one can ask for them. The text
    is of at most ``max_length`` bytes in UTF-8, without control characters and empty
    labels. It is kept as it is: where capitals do not matter, make it lower-case yourself, or
    two spellings of a domain are two rows.
    """

    max_length: int
    _text: Text = field(init=False, eq=False, repr=False, default=Factory(_bounded, takes_self=True))

    @property
    def length(self) -> Length:
        """From 1 to ``max_length`` bytes."""
        return self._text.length

    @property
    def alphabet(self) -> frozenset[int]:
        """Every byte of UTF-8 but control characters."""
        return self._text.alphabet

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
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
            raise ValueError(f"expected a domain without empty labels, in reverse, got {shown(raw)}")
        return value

    def stem(self, start: str) -> bytes:
        """What begins the domains below ``start``: ``com.google.`` for ``google.com``, which queries find as well."""
        return self.encode(start) + b"."

    def mirror(self) -> CellCodec[str]:
        """A cell repeats the domain, its labels in order."""
        return Utf8()


def _reversed(domain: bytes) -> bytes:
    return b".".join(reversed(domain.split(b".")))


def _printable(instance: object, attribute: object, value: str | bytes) -> None:
    if isinstance(value, bytes) and value:
        return
    # A lone surrogate, which UTF-8 cannot write, does not come back.
    raw = value.encode(errors="xmlcharrefreplace") if isinstance(value, str) else b""
    if not raw or raw.decode() != value or not PRINTABLE.issuperset(raw):
        raise DeclarationError(
            f"constant: expected text without control characters, or some bytes, got {value!r}"
        )


@frozen(eq=False, repr=False)
class Constant(
    Value, KeyCodec[str | bytes], kind=Kind.CONSTANT, order=Order.ASCENDING, meaning="the same in every row"
):
    """The literal ``text``, or bytes, in every row: it sets a model's rows apart in a shared table."""

    text: str | bytes = field(validator=_printable)

    @property
    def raw(self) -> bytes:
        """The bytes of the text."""
        return self.text if isinstance(self.text, bytes) else self.text.encode()

    @property
    def python_type(self) -> type:
        """``str`` or ``bytes``."""
        return type(self.text)

    @property
    def length(self) -> Length:
        """The length of the text."""
        size = len(self.raw)
        return Length(size, size)

    @property
    def alphabet(self) -> frozenset[int]:
        """The bytes of the text."""
        return frozenset(self.raw)

    def encode(self, value: str | bytes) -> bytes:
        """The text, and no other."""
        if value != self.text:
            raise ValueRefused(f"the constant {self.text!r}", value)
        return self.raw

    def decode(self, raw: bytes) -> str | bytes:
        """The text, and no other."""
        if raw != self.raw:
            raise ValueError(f"expected {self.text!r}, got {shown(raw)}")
        return self.text


T = TypeVar("T")

_NUL, _ESCAPED, _END = b"\0", b"\0\xff", b"\0\x01"


class _Escaped(KeyCodec[T], order=Order.ASCENDING):
    """What text and bytes share: each byte 00 is written 00 FF, and 00 01 ends the field."""

    self_ending = True
    holds_delimiter = True
    max_length: int
    min_length: int

    def __attrs_post_init__(self) -> None:
        check_lengths(self, self.min_length, self.max_length)

    @property
    def length(self) -> Length:
        """The end takes two bytes, and all bytes may be NULs."""
        return Length(self.min_length + len(_END), 2 * self.max_length + len(_END))

    @property
    def meaning(self) -> str:
        """Longest length, in words."""
        return f"up to {counted(self.max_length, 'byte')}, NULs escaped, and an end"

    @abstractmethod
    def _plain(self, value: T) -> bytes:
        """The bytes of ``value``, not escaped, of whatever length; else it is refused."""

    @abstractmethod
    def _value(self, plain: bytes) -> T:
        """The value of bytes that are not escaped."""

    def encode(self, value: T) -> bytes:
        """The bytes, escaped, and the end."""
        plain = self._plain(value)
        if not self.min_length <= len(plain) <= self.max_length:
            raise ValueRefused(f"{self.min_length} to {counted(self.max_length, 'byte')}", value)
        return plain.replace(_NUL, _ESCAPED) + _END

    def decode(self, raw: bytes) -> T:
        """The value, without the end."""
        if self.end(raw, 0) != len(raw):
            raise ValueError(f"expected nothing after the end 00 01, got {shown(raw)}")
        plain = raw.removesuffix(_END).replace(_ESCAPED, _NUL)
        if not self.min_length <= len(plain) <= self.max_length:
            raise ValueError(
                f"expected {self.min_length} to {counted(self.max_length, 'byte')}, got {shown(raw)}"
            )
        return self._value(plain)

    def stem(self, start: T) -> bytes:
        """The bytes, escaped, without the end."""
        return self._plain(start).replace(_NUL, _ESCAPED)

    def end(self, raw: bytes, at: int) -> int:
        """Behind the first 00 01."""
        nul = raw.find(_NUL, at)
        while nul >= 0 and raw.startswith(_ESCAPED, nul):
            nul = raw.find(_NUL, nul + len(_ESCAPED))
        if nul < 0 or not raw.startswith(_END, nul):
            raise ValueError(f"expected NULs followed by FF, then the end 00 01, got {shown(raw[at:])}")
        return nul + len(_END)


@frozen(eq=False, repr=False)
class EscapedText(Value, _Escaped[str]):
    """Text of ``min_length`` to ``max_length`` bytes in UTF-8, which may hold anything: NULs, the key's delimiter.

    Each byte 00 is written 00 FF, and 00 01 ends the field, so the text is sorted and any field may follow.
    """

    max_length: int
    min_length: int = field(default=0, kw_only=True)

    def _plain(self, value: str) -> bytes:
        return Utf8().encode(value)

    def _value(self, plain: bytes) -> str:
        return plain.decode()

    def mirror(self) -> CellCodec[str]:
        """A cell repeats the text as it is."""
        return Utf8()


@frozen(eq=False, repr=False)
class EscapedBytes(Value, _Escaped[bytes]):
    """Any ``min_length`` to ``max_length`` bytes.

    Each byte 00 is written 00 FF, and 00 01 ends the field, so they are sorted and any field may follow.
    """

    max_length: int
    min_length: int = field(default=0, kw_only=True)

    def _plain(self, value: bytes) -> bytes:
        return Raw().encode(value)

    def _value(self, plain: bytes) -> bytes:
        return plain

    def mirror(self) -> CellCodec[bytes]:
        """A cell repeats the bytes as they are."""
        return Raw()


E = TypeVar("E", bound=Enum)


def _texts(instance: object, attribute: object, enum: type[E]) -> None:
    """Refuse an enum that is none, is empty, or has a value that cannot stand in a key."""
    if not (isinstance(enum, type) and issubclass(enum, Enum) and len(enum)):
        raise DeclarationError(f"EnumText: expected an enum with members, got {enum!r}")
    for member in enum:
        try:
            Text(max_length=4096).encode(member.value)
        except ValueRefused as error:
            raise DeclarationError(f"EnumText: expected {error.wanted} as the value of {member!r}") from None


@frozen(slots=False, eq=False, repr=False)
class EnumText(Value, KeyCodec[E]):
    """A member of ``enum`` as its value, which must be text without control characters, and not empty."""

    enum: type[E] = field(validator=_texts)

    @cached_property
    def _by_text(self) -> dict[bytes, E]:
        return {member.value.encode(): member for member in self.enum}

    @property
    def python_type(self) -> type:
        """The enum."""
        return self.enum

    @property
    def length(self) -> Length:
        """From the shortest value to the longest."""
        sizes = [len(raw) for raw in self._by_text]
        return Length(min(sizes), max(sizes))

    @property
    def alphabet(self) -> frozenset[int]:
        """The bytes of the values."""
        return frozenset(b"".join(self._by_text))

    @property
    def order(self) -> Order:
        """Ascending where the members compare as their values, as those of a ``StrEnum`` do; else none."""
        members: list[Any] = list(self.enum)
        comparison: Any = getattr(self.enum, "__lt__", None)
        # A member that is text may be another text than its value.
        by_value = comparison is str.__lt__ and all(str.__eq__(member, member.value) for member in members)
        return Order.ASCENDING if by_value else Order.NONE

    @property
    def meaning(self) -> str:
        """The enum."""
        return f"the value of {words.one(self.enum.__name__)}"

    def encode(self, value: E) -> bytes:
        """The member's value in UTF-8."""
        if not isinstance(value, self.enum):
            raise ValueRefused(f"a member of {self.enum.__name__}", value)
        raw: bytes = value.value.encode()
        return raw

    def decode(self, raw: bytes) -> E:
        """The member."""
        member = self._by_text.get(raw)
        if member is None:
            raise ValueError(f"expected the value of {words.one(self.enum.__name__)}, got {shown(raw)}")
        return member


@frozen(eq=False, repr=False)
class Boolean(
    Value,
    KeyCodec[bool],
    length=Length(1, 1),
    alphabet=frozenset(b"01"),
    order=Order.ASCENDING,
    meaning="0 or 1",
):
    """True or False as ``1`` or ``0``."""

    def encode(self, value: bool) -> bytes:
        """One digit."""
        if not isinstance(value, bool):
            raise ValueRefused("True or False", value)
        return b"1" if value else b"0"

    def decode(self, raw: bytes) -> bool:
        """The bool."""
        if raw not in (b"0", b"1"):
            raise ValueError(f"expected 0 or 1, got {shown(raw)}")
        return raw == b"1"
