"""The cells of new rows that the function of a move makes, beside those that are copied.

A copied cell keeps its time, and all its versions are copied. A made cell has the time of the newest cell of the old row, or that of the
application's write, and the old row holds none of its earlier versions: an application that puts a row again leaves one more version of it, and
once the newest cell of an old row expires, it follows at an earlier time. Readers see its newest value alone. So that is what is compared.
"""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from btmodel.migrate.data.walks import Cells, Position
from btmodel.rows import Cell, RowCodec
from btmodel.schema import Column, ModelSchema

# A column of a row: row key, family and qualifier.
Place = tuple[bytes, str, bytes]


@frozen
class MadeCells:
    """The columns of new rows whose cells may be made: ``places`` of one cell each, and the names of ``many``, which are a column for each entry."""

    codec: RowCodec[Any]
    places: frozenset[tuple[str, bytes]]
    many: frozenset[str]

    @classmethod
    def of(
        cls, codec: RowCodec[Any], new: ModelSchema, copied: Mapping[str, tuple[Column, Column]]
    ) -> "MadeCells":
        """Those of the model ``new``: all columns with the time of the row but those that are ``copied``, and which the old row does not lack."""
        made = [
            column
            for column in new.columns
            if (column.stamped or column.shape.slotted) and _may_be_made(column, copied)
        ]
        mirrors = {(mirror.family, mirror.qualifier) for part in new.key.fields if (mirror := part.mirror)}
        single = {
            (place.family, place.qualifier) for column in made if not column.open for place in column.places
        }
        many = frozenset(column.name for column in made if column.open)
        return cls(codec, frozenset(mirrors | single), many)

    def __bool__(self) -> bool:
        return bool(self.places or self.many)

    def newest(self, cells: Cells) -> Cells:
        """The ``cells`` without those that newer cells of a made column hide."""
        if not self:
            return cells
        newest = self._by_place(cells)
        return {at: value for at, value in cells.items() if newest.get(at[:3], at)[-1] == at[-1]}

    def older(self, cells: Cells, others: Cells) -> set[Position]:
        """The made ones of ``cells`` of which ``others`` have a newer one, of whatever value."""
        newest = self._by_place(others)
        return {at for at in cells if at[:3] in newest and at[-1] < newest[at[:3]][-1]}

    def alike(self, cells: Cells, others: Cells) -> set[Position]:
        """The made ones of ``cells`` whose value is that of the newest one of ``others``, at whatever time."""
        newest = self._by_place(others)
        return {at for at, value in cells.items() if at[:3] in newest and value == others[newest[at[:3]]]}

    def _by_place(self, cells: Cells) -> dict[Place, Position]:
        """The newest cell of each made column of each row."""
        if not self:
            return {}
        return {at[:3]: at for at in sorted(filter(self.holds, cells))}

    def holds(self, at: Position) -> bool:
        """Whether this cell of a new row may be made."""
        if at[1:3] in self.places:
            return True
        if not self.many:
            return False
        column = self.codec.column_of(Cell(*at[1:], b""))
        return column is not None and column.column.name in self.many


def _may_be_made(column: Column, copied: Mapping[str, tuple[Column, Column]]) -> bool:
    """Whether the function gives its value, at least where the old row has none."""
    pair = copied.get(column.name)
    return pair is None or (column.required and not pair[0].required)
