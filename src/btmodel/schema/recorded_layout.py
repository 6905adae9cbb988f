"""What recorded layouts say of fields and cells, as codecs where these can be made again."""

from typing import Any

from attrs import frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.schema.column import Shape
from btmodel.schema.layout import CellLayout, KeyPart
from btmodel.schema.layout_text import pieces
from btmodel.schema.recorded_codec import recorded_codec
from btmodel.schema.slot import SlotFormat

_OPTIONAL = "or nothing"
_SHAPES = {shape.name.lower(): shape for shape in Shape}
_NAMED = frozenset({Shape.MAPPING, Shape.MEMBERS, Shape.MARKS})


@frozen
class RecordedPart:
    """A field of a key: its codec, None where it cannot be made again.

    ``rest`` is what is said of it beyond: how it is derived, and whether rows may lack it.
    """

    codec: KeyCodec[Any] | None
    rest: str

    @property
    def optional(self) -> bool:
        """Whether rows may lack it."""
        return self.rest.endswith(_OPTIONAL)

    @property
    def derived(self) -> str:
        """How it follows from others: ``by salt_of of at in (1, 2, 3)``; empty where it does not."""
        return self.rest.removesuffix(_OPTIONAL).strip()


@frozen
class RecordedCell:
    """Cells: how they lie, and what they are written with, None where that cannot be made again.

    ``names`` writes the ends of their qualifiers where they are many, and ``slots`` those of a bucket.
    """

    shape: Shape
    codec: CellCodec[Any] | None
    names: KeyCodec[Any] | None = None
    slots: SlotFormat | None = None

    @property
    def whole(self) -> bool:
        """Whether everything could be made again."""
        if self.codec is None or (self.shape is Shape.SLOTS and self.slots is None):
            return False
        return self.shape not in _NAMED or self.names is not None


def recorded_part(part: KeyPart) -> RecordedPart:
    """What is recorded of a field of a key."""
    codec, *rest = pieces(part.codec, " ")
    made = recorded_codec(codec)
    return RecordedPart(made if isinstance(made, KeyCodec) else None, " ".join(rest))


def recorded_cell(cell: CellLayout) -> RecordedCell | None:
    """What is recorded of some cells; None where not even their shape can be told."""
    shape, *parts = pieces(cell.codec, " ")
    if shape not in _SHAPES or not 1 <= len(parts) <= 2:
        return None
    codec, other = recorded_codec(parts[0]), recorded_codec(parts[1]) if len(parts) == 2 else None
    return RecordedCell(
        _SHAPES[shape],
        codec if isinstance(codec, CellCodec) else None,
        other if isinstance(other, KeyCodec) else None,
        other if isinstance(other, SlotFormat) else None,
    )
