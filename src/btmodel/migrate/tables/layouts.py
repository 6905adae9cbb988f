"""The recorded and declared layouts of one table, side by side."""

from collections.abc import Collection, Iterable

import attrs
from attrs import frozen

from btmodel.schema import CellLayout, KeyPart, Layout, Table
from btmodel.schema.layout import fuller
from btmodel.schema.names import placeholders


@frozen
class Matched:
    """The layouts of a table: ``both`` pairs declared and recorded ones; ``new`` and ``left`` are the others of each side.

    A recorded layout belongs to the model with the same name, or else to one with the same key and no record of its
    own name: renaming a class is no change. If each side has exactly one layout left, they belong together even if
    names and keys differ, so a new class name cannot hide a new key.
    """

    both: tuple[tuple[Layout, Layout], ...]
    new: tuple[Layout, ...]
    left: tuple[Layout, ...]


def match(declared: Iterable[Layout], recorded: Iterable[Layout]) -> Matched:
    """Match the ``declared`` layouts of a table with the recorded ones."""
    left = list(recorded)
    pairs: list[tuple[Layout, Layout | None]] = []
    wanted = list(declared)
    alone = len(wanted) == len(left) == 1
    named = {one.model: one for one in left}
    own = {one.model: named[one.model] for one in wanted if one.model in named}
    left = [one for one in left if one.model not in own]
    for one in wanted:
        partner = own.get(one.model) or next((other for other in left if alone or other.key == one.key), None)
        if partner is not None and partner in left:
            left.remove(partner)
        pairs.append((one, partner))
    both = tuple((one, other) for one, other in pairs if other is not None)
    return Matched(both, tuple(one for one, other in pairs if other is None), tuple(left))


def to_record(declared: Iterable[Layout], recorded: Iterable[Layout]) -> tuple[Layout, ...]:
    """The layouts to record after ``declared`` is in effect: these, and recorded ones that nothing declares any more."""
    found = match(declared, recorded)
    kept = [attrs.evolve(one, key=_key(one, other), cells=_cells(one, other)) for one, other in found.both]
    return tuple(sorted((*kept, *found.new, *found.left), key=lambda layout: layout.model))


def codecs_of(layouts: Iterable[Layout]) -> tuple[object, ...]:
    """Everything that layouts state, including facts that ``==`` ignores."""
    return tuple(one.told for one in layouts)


def gone_cells(declared: Layout, recorded: Layout) -> tuple[CellLayout, ...]:
    """The cells that ``recorded`` has and ``declared`` lacks."""
    names = {one.cell for one in declared.cells}
    return tuple(one for one in recorded.cells if one.cell not in names)


def family_of(cell: str) -> str:
    """The family id in the name of a cell such as ``MD:BID``."""
    return cell.partition(":")[0]


def in_families(recorded: Iterable[Layout], families: Collection[str]) -> tuple[Layout, ...]:
    """``recorded`` without cells of other families than ``families``; names with braces are kept."""
    return tuple(
        attrs.evolve(one, cells=tuple(cell for cell in one.cells if _is_in(cell, families)))
        for one in recorded
    )


def without_layouts(tables: Iterable[Table]) -> tuple[Table, ...]:
    """``tables`` without their layouts."""
    return tuple(attrs.evolve(table, layouts=()) for table in tables)


def _is_in(cell: CellLayout, families: Collection[str]) -> bool:
    family = family_of(cell.cell)
    return family in families or bool(placeholders(family))


def _key(declared: Layout, recorded: Layout) -> tuple[KeyPart, ...]:
    """The declared key, completed by recorded facts about its codecs that the declaration does not state."""
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
    # Rows written from now on lack the columns that are no longer declared.
    gone = [attrs.evolve(one, required=False) for one in gone_cells(declared, recorded)]
    return tuple(sorted((*kept, *gone), key=lambda one: one.cell))
