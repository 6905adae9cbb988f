"""Tables of a merge whose step carries on the cells of the side that lost: attributes are read as both sides write them."""

from collections.abc import Iterable, Mapping

import attrs

from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.tables.layouts import readings
from btmodel.schema import CellLayout, Layout, Table


def widened(tables: Iterable[Table], merge: Revision) -> tuple[Table, ...]:
    """``tables`` with each attribute that ``merge`` reads in more ways as the merge has it, if its steps write it as ``tables`` do."""
    if not merge.data_steps:
        return tuple(tables)
    wide = {(table.id, layout.model): layout for table in merge.tables for layout in table.layouts}
    return tuple(
        attrs.evolve(
            table,
            layouts=tuple(_widened(layout, wide.get((table.id, layout.model))) for layout in table.layouts),
        )
        for table in tables
    )


def by_attribute(layout: Layout) -> dict[str, dict[str, CellLayout]]:
    """The cells of each attribute, by their names; a cell whose attribute is not recorded is one by itself."""
    found: dict[str, dict[str, CellLayout]] = {}
    for cell in layout.cells:
        found.setdefault(cell.attribute or cell.cell, {})[cell.cell] = cell
    return found


def _widened(layout: Layout, wide: Layout | None) -> Layout:
    if wide is None or wide.key != layout.key:
        return layout
    there = by_attribute(wide)
    cells = [
        cell
        for name, own in by_attribute(layout).items()
        for cell in (there[name] if _covers(there.get(name, {}), own) else own).values()
    ]
    return attrs.evolve(layout, cells=tuple(sorted(cells, key=lambda one: one.cell)))


def _covers(wide: Mapping[str, CellLayout], own: Mapping[str, CellLayout]) -> bool:
    """Whether an attribute is read in ``wide`` wherever and however it is in ``own``, and is written in the same codec."""
    return own.keys() <= wide.keys() and all(
        _writes(wide[name]) == _writes(cell) and {*readings(cell.codec)} <= {*readings(wide[name].codec)}
        for name, cell in own.items()
    )


def _writes(cell: CellLayout) -> str:
    return readings(cell.codec)[0]
