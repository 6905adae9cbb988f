"""The cells of a model that have names: its columns, and the mirrors of its key fields."""

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from btmodel.codecs.cell import CellCodec
from btmodel.schema import Location, ModelSchema


@frozen
class NamedCell:
    """A cell and the attribute that it holds; ``mirror`` is true where that is a key field."""

    attribute: str
    family: str
    qualifier: bytes
    codec: CellCodec[Any]
    location: Location | None
    mirror: bool

    @property
    def cell(self) -> str:
        """Family and qualifier, as ``MD:BID``; a long qualifier is cut."""
        text = self.text
        return f"{self.family}:{text if len(text) <= 60 else text[:57] + '...'}"

    @property
    def text(self) -> str:
        """The qualifier as text."""
        return self.qualifier.decode(errors="backslashreplace")


def named_cells(model: ModelSchema) -> Iterator[NamedCell]:
    """The mirrors in the order of the key, then the columns in the order of their declaration."""
    for part in model.key.fields:
        if part.mirror is not None:
            mirror = part.mirror
            yield NamedCell(part.name, mirror.family, mirror.qualifier, mirror.codec, part.location, True)
    for column in model.columns:
        codec, at = column.codec, column.location
        yield NamedCell(column.name, column.family, column.qualifier, codec, at, False)
