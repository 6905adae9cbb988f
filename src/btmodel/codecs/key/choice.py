"""One of a few values in a row key: an enum, a boolean, a constant."""

from enum import Enum
from functools import cached_property
from typing import Any, TypeVar

from attrs import field, frozen

from btmodel import words
from btmodel.codecs.key.base import KeyCodec, Length, Order
from btmodel.codecs.key.text import Text
from btmodel.errors import DeclarationError, ValueRefused
from btmodel.value import Value

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
        by_value = comparison is str.__lt__ and all(str.__eq__(one, one.value) for one in members)
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
            raise ValueError(f"expected the value of {words.one(self.enum.__name__)}, got {raw!r}")
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
            raise ValueError(f"expected 0 or 1, got {raw!r}")
        return raw == b"1"
