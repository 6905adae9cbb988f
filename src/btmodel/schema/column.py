"""Columns."""

from typing import Any

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.schema.location import Location


@frozen
class Column:
    """A column of a model: an attribute, and the cells that hold it.

    Where ``history`` is true the attribute is a mapping from times to values, a cell
    version each; else it is the newest value, or None where ``required`` is false
    and the cell is absent.
    """

    name: str
    family: str
    qualifier: bytes
    codec: CellCodec[Any]
    required: bool
    history: bool = False
    location: Location | None = field(default=None, eq=False, repr=False)

    @property
    def cell(self) -> str:
        """Family and qualifier, as ``MD:BID``."""
        return f"{self.family}:{self.qualifier.decode(errors='backslashreplace')}"
