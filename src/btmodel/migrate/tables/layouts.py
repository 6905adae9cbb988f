"""Recorded and declared layouts of one table, side by side."""

from collections.abc import Collection, Iterable

import attrs
from attrs import frozen

from btmodel.schema import CellLayout, KeyPart, Layout, Table
from btmodel.schema.layout import fuller
from btmodel.schema.names import placeholders


@frozen
class Matched:
    """The layouts of a table: ``both``, declared and recorded; those ``new``, and those that are ``left`` over.

    A recorded layout is that of the model of the same name; otherwise of one that has no record of its
    name, and the same key: a class that was renamed is no change. Where a table has one of each, they belong
    together, whatever their names and keys: no new name hides another key.
    """

    both: tuple[tuple[Layout, Layout], ...]
    new: tuple[Layout, ...]
    left: tuple[Layout, ...]


def match(declared: Iterable[Layout], recorded: Iterable[Layout]) -> Matched:
    """The ``declared`` layouts of a table, each beside the recorded one that is its own."""
    left = list(recorded)
    pairs: list[tuple[Layout, Layout | None]] = []
    wanted = list(declared)
    alone = len(wanted) == len(left) == 1
    named = {one.model: one for one in left}
    own = {one.model: named[one.model] for one in wanted if one.model in named}
    left = [one for one in left if one.model not in own]
    for one in wanted:
        found = own.get(one.model) or next((other for other in left if alone or other.key == one.key), None)
        if found is not None and found in left:
            left.remove(found)
        pairs.append((one, found))
    both = tuple((one, other) for one, other in pairs if other is not None)
    return Matched(both, tuple(one for one, other in pairs if other is None), tuple(left))


def to_record(declared: Iterable[Layout], recorded: Iterable[Layout]) -> tuple[Layout, ...]:
    """What to record once ``declared`` is live: that, and what was recorded and nobody declares any more."""
    found = match(declared, recorded)
    kept = [attrs.evolve(one, key=_key(one, other), cells=_cells(one, other)) for one, other in found.both]
    return tuple(sorted((*kept, *found.new, *found.left), key=lambda layout: layout.model))


def codecs_of(layouts: Iterable[Layout]) -> tuple[object, ...]:
    """All that layouts say, also of what makes no other layout."""
    return tuple(one.told for one in layouts)


def gone_cells(declared: Layout, recorded: Layout) -> tuple[CellLayout, ...]:
    """The cells that ``recorded`` has and ``declared`` has not."""
    names = {one.cell for one in declared.cells}
    return tuple(one for one in recorded.cells if one.cell not in names)


def family_of(cell: str) -> str:
    """The id of the family of a cell, which is called as in ``MD:BID``."""
    return cell.partition(":")[0]


def in_families(recorded: Iterable[Layout], families: Collection[str]) -> tuple[Layout, ...]:
    """What is ``recorded`` without the cells of other families than these, but for those with names in braces."""
    return tuple(
        attrs.evolve(one, cells=tuple(cell for cell in one.cells if _is_in(cell, families)))
        for one in recorded
    )


def without_layouts(tables: Iterable[Table]) -> tuple[Table, ...]:
    """``tables`` of which nobody says how their rows lie."""
    return tuple(attrs.evolve(table, layouts=()) for table in tables)


def _is_in(cell: CellLayout, families: Collection[str]) -> bool:
    family = family_of(cell.cell)
    return family in families or bool(placeholders(family))


def _key(declared: Layout, recorded: Layout) -> tuple[KeyPart, ...]:
    """The declared key. What it does not say of its codecs, and is recorded of the same ones, is kept."""
    if len(declared.key) != len(recorded.key):
        return declared.key
    pairs = zip(declared.key, recorded.key, strict=True)
    return tuple(attrs.evolve(one, codec=fuller(one.codec, other.codec)) for one, other in pairs)


def _completed(cell: CellLayout, known: CellLayout) -> CellLayout:
    required = known.required if cell.required is None else cell.required
    return attrs.evolve(cell, codec=fuller(cell.codec, known.codec), required=required)


def _cells(declared: Layout, recorded: Layout) -> tuple[CellLayout, ...]:
    known = {one.cell: one for one in recorded.cells}
    kept = [_completed(one, known.get(one.cell, one)) for one in declared.cells]
    # Rows that are written from now on lack what is declared no more.
    gone = [attrs.evolve(one, required=False) for one in gone_cells(declared, recorded)]
    return tuple(sorted((*kept, *gone), key=lambda one: one.cell))
