"""What changes need besides themselves: protection out of the way, streams ended, layouts recorded."""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from btmodel.migrate.changes import (
    Change,
    ChangeStream,
    CopyFamily,
    CopyTable,
    CreateTable,
    DropFamily,
    DropTable,
    Forget,
    Protect,
    RecordLayouts,
    SettingChange,
    Unprotect,
)
from btmodel.migrate.layouts import family_of, in_families, to_record, told
from btmodel.migrate.renamings import with_copied
from btmodel.schema import OFF, Layout, Table
from btmodel.schema.parameters import placeholders


def complete(changes: Iterable[Change], declared: Table | None, live: Table | None) -> tuple[Change, ...]:
    """The ``changes`` of one table with all that they need, in the order in which they are made.

    Protection goes off before all others, and on after them; a change stream ends before its table.
    """
    found = [*changes]
    found += _needed(found, declared, live)
    found += _record(found, declared, live)
    dropped = any(isinstance(one, DropTable) for one in found)
    return tuple(sorted(found, key=lambda one: _phase(one, dropped)))


def _phase(change: Change, dropped: bool) -> int:
    match change:
        case Unprotect():
            return 0
        case Protect():
            return 4
        case SettingChange():
            return 1 if dropped else 3
        case _:
            return 6 if change.recorded else 5 if change.moves else 2


def _needed(changes: Sequence[Change], declared: Table | None, live: Table | None) -> Iterator[Change]:
    if live is None:
        return
    drops_table = any(isinstance(one, DropTable) for one in changes)
    drops_family = any(isinstance(one, DropFamily) for one in changes)
    off = any(isinstance(one, Unprotect) for one in changes)
    if live.settings.deletion_protection and (drops_table or drops_family) and not off:
        again = declared is not None and declared.settings.deletion_protection is True
        yield Unprotect(live.id, unstated=drops_family and not again)
        if again:
            yield Protect(live.id)
    if drops_table and live.settings.change_stream:
        yield ChangeStream(live.id, OFF, live.settings.change_stream)


def _record(changes: Sequence[Change], declared: Table | None, live: Table | None) -> Iterator[RecordLayouts]:
    recorded = () if live is None else live.layouts
    wanted: tuple[Layout, ...] = recorded
    known = recorded if live is None else _kept(recorded, declared, live)
    for one in changes:
        if isinstance(one, CopyFamily | CopyTable):
            known = with_copied(known, one.renaming.layouts)
        elif isinstance(one, DropFamily):
            known = _without_family(known, one.family.id)
    if any(isinstance(one, DropTable) for one in changes):
        wanted = ()
    elif declared is not None:
        forgotten = [one for one in changes if isinstance(one, Forget)]
        wanted = to_record(declared.layouts, _without(known, forgotten))
    made = any(isinstance(one, CreateTable) for one in changes)
    # The record of a template that was declared under another id is written under the new one, also where it says the same.
    moved = live is not None and bool(placeholders(live.id)) and live.renamed_from is not None
    if wanted != recorded or told(wanted) != told(recorded) or ((made or moved) and wanted):
        yield RecordLayouts(declared.id if declared is not None else live.id if live else "", wanted)


def _kept(recorded: tuple[Layout, ...], declared: Table | None, live: Table) -> tuple[Layout, ...]:
    """What is ``recorded`` without the cells of families that are gone, as where a run was killed behind their drop."""
    if placeholders(live.id):
        return recorded  # of a template there are no families
    there = {family.id for table in (declared, live) if table is not None for family in table.families}
    return in_families(recorded, there)


def _without_family(recorded: Iterable[Layout], family: str) -> tuple[Layout, ...]:
    """What is ``recorded`` without the cells of a family that goes."""
    return tuple(
        attrs.evolve(one, cells=tuple(cell for cell in one.cells if family_of(cell.cell) != family))
        for one in recorded
    )


def _without(recorded: Iterable[Layout], forgotten: Sequence[Forget]) -> Iterator[Layout]:
    """What is ``recorded`` and not ``forgotten``."""
    models = {one.model for one in forgotten if one.cell is None}
    cells = {(one.model, one.cell) for one in forgotten}
    for layout in recorded:
        if layout.model not in models:
            left = tuple(one for one in layout.cells if (layout.model, one.cell) not in cells)
            yield attrs.evolve(layout, cells=left)
