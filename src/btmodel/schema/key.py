"""The row key: its fields, in order, and what lies between them."""

from functools import cached_property
from typing import Any

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.schema.location import Location


@frozen
class Mirror:
    """A cell that repeats a key field, written with every row."""

    family: str
    qualifier: bytes
    codec: CellCodec[Any]


@frozen
class KeyField:
    """One field of a row key.

    ``cardinality`` is how many distinct values are expected, or None where the
    model does not say.
    """

    name: str
    codec: KeyCodec[Any]
    cardinality: int | None = None
    mirror: Mirror | None = None
    location: Location | None = field(default=None, eq=False, repr=False)

    @property
    def constant(self) -> str | None:
        """The text that every row has here, which nobody needs to give; None where rows differ."""
        return self.codec.text if isinstance(self.codec, Constant) else None

    @property
    def fixed(self) -> int | None:
        """Bytes of every encoding, or None where lengths differ."""
        return self.codec.length.fixed


@frozen(slots=False)
class RowKey:
    """The fields of a row key in order, and the delimiter between them (which may be empty)."""

    fields: tuple[KeyField, ...]
    delimiter: bytes

    @cached_property
    def asked(self) -> tuple[KeyField, ...]:
        """The fields that a row must give: all but the constants."""
        return tuple(part for part in self.fields if not part.constant)

    @property
    def least(self) -> int:
        """Bytes of the shortest key."""
        return sum(part.codec.length.least for part in self.fields) + self._delimiters

    @property
    def most(self) -> int:
        """Bytes of the longest key."""
        return sum(part.codec.length.most for part in self.fields) + self._delimiters

    @property
    def _delimiters(self) -> int:
        return len(self.delimiter) * max(len(self.fields) - 1, 0)

    @property
    def shape(self) -> str:
        """The key drawn with its field names: ``LoL#{player}#{day}``."""
        names = (part.constant or f"{{{part.name}}}" for part in self.fields)
        return self.delimiter.decode(errors="replace").join(names)

    def field(self, name: str) -> KeyField:
        """The field called ``name``."""
        return next(part for part in self.fields if part.name == name)

    def refuses_delimiter(self, part: KeyField) -> bool:
        """Whether a value of ``part`` that holds the delimiter must be refused to keep keys apart.

        A field of fixed width is taken apart by position: it may hold anything.
        """
        return (
            bool(self.delimiter)
            and part.fixed is None
            and not part.codec.holds_delimiter
            and part.codec.alphabet.issuperset(self.delimiter)
        )
