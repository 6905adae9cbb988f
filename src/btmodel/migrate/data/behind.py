"""What the old table of a move has and the new one lacks, before the old one is dropped.

The application writes the new table alone by then, so that tells nothing about new rows and newer cells. What the old
table has is another matter: either somebody still writes it, or it was deleted in the new table since.
"""

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import datetime

from attrs import evolve, frozen

from btmodel.errors import MigrationError, shown
from btmodel.migrate.data.comparison import AGAIN, WAIT, by_new_row
from btmodel.migrate.data.copies import CopyDifference, ExampleCells
from btmodel.migrate.data.kept_cells import visible
from btmodel.migrate.data.move_steps import MoveStep
from btmodel.migrate.data.moves import settle, targets_of
from btmodel.migrate.data.unmoved import Unmoved
from btmodel.migrate.data.walks import Cells, Progress, Row, RowAccess, read_keys, seen_batches, whole
from btmodel.rows import Cell, Families
from btmodel.schema import GcRule
from btmodel.words import counted


def left_behind(
    db: RowAccess,
    step: MoveStep,
    rules: Mapping[str, GcRule | None] | None = None,
    since: datetime | None = None,
    progress: Progress = lambda rows, key: None,
    *,
    fix: bool = False,
    wait: Callable[[float], None] = time.sleep,
    unmoved: Unmoved | None = None,
    family: str | None = None,
) -> CopyDifference:
    """What follows from rows of the old table and is missing in the new one; with ``fix``, it is copied.

    What the GC ``rules`` of the new table's families delete, beside its newer cells or by age, is left out, and not missing, nor are cells of families that have none. A cell that the new table has with
    another value at the same time counts as another one, unless its time is not that of writing, as a row is then written again at the same time; ``fix`` does not touch it. Without
    ``rules``, those count that the step knows. Cells with timestamps from ``since`` on count as late. What the step does not move is added to ``unmoved``. With a ``family`` of the old table, only cells of families count to which its cells are moved. Memory does not grow with the tables.

    Raises :class:`MigrationError` for a row that the step refuses, with ``fix`` also if a row would then be there under two keys, and
    :class:`btmodel.errors.ServerError`.
    """
    if fix:
        _refuse_doubled(db, step, progress)
    rules = step.rules if rules is None else rules
    if family is not None:
        goes = {there: rules[there] for here, there in step.pairs if here == family and there in rules}
        rules = goes or rules  # its columns may be in the key alone
    look = _Look(db, step, rules)
    found = CopyDifference()
    with closing(seen_batches(db, whole(step.table), progress)) as several:
        for batch in several:
            seen = look.at(batch, unmoved)
            now = seen
            for _ in range(0 if found or fix else AGAIN):
                if not now.missing and not now.others:
                    break
                wait(WAIT)  # a writer may be between its two writes
                now = look.at(read_keys(db, step.table, {*now.missing, *now.others}))
            if fix and now.missing:
                settle(db, step, read_keys(db, step.table, now.missing), now.missing, {})
            found = _with(found, evolve(now, left_out=seen.left_out), since)
    return found


def beyond(
    db: RowAccess,
    step: MoveStep,
    rules: Mapping[str, GcRule | None],
    progress: Progress = lambda rows, key: None,
    *,
    wait: Callable[[float], None] = time.sleep,
) -> ExampleCells:
    """What rows of the new table have that does not follow from the old one, as before the new table is dropped.

    ``rules`` are the GC rules that the old table has for the new families: what they delete is left out. Memory does not grow with the tables.
    Raises :class:`MigrationError` for a row that the step refuses, and :class:`btmodel.errors.ServerError`.
    """
    found = ExampleCells()
    with closing(seen_batches(db, whole(step.target_table), progress)) as several:
        for batch in several:
            left = _beyond(db, step, rules, batch)
            for _ in range(0 if found else AGAIN):
                if not left:
                    break
                wait(WAIT)  # a writer may be between its two writes
                left = _beyond(db, step, rules, read_keys(db, step.target_table, left))
            for key, cells in left.items():
                found = found.with_row(key, _cells(cells))
    return found


def _beyond(
    db: RowAccess, step: MoveStep, rules: Mapping[str, GcRule | None], rows: Iterable[Row]
) -> dict[bytes, Cells]:
    ours = {key: cells for key, cells in rows if step.is_new(key)}
    sources = {step.source_of(key, cells) for key, cells in ours.items()} - {None}
    moved = step.moved(read_keys(db, step.table, {key for key in sources if key is not None}))
    wanted = by_new_row(moved)
    found: dict[bytes, Cells] = {}
    for key, cells in ours.items():
        there = visible(step.rules, {(key, *cell[:3]): cell.value for cell in cells})
        beside = wanted.get(key, {})
        kept = visible(rules, {**there, **beside})
        newest = step.made.newest(there)
        known = step.made.older(newest, beside) | step.made.alike(newest, beside)
        if left := {
            at: value
            for at, value in newest.items()
            if at in kept
            and beside.get(at) != value
            and at not in known
            and not step.old_rules.may_outlive(at)
        }:
            found[key] = left
    return found


def _refuse_doubled(db: RowAccess, step: MoveStep, progress: Progress) -> None:
    """Raise :class:`MigrationError` if new rows have other keys than follow from their old rows: to copy these would add a second one."""
    if step.keeps_keys:
        return
    first, count = "", 0
    with closing(seen_batches(db, whole(step.target_table), progress)) as several:
        for batch in several:
            sources = {key: step.source_of(key, cells) for key, cells in batch if step.is_new(key)}
            moved = step.moved(
                read_keys(db, step.table, {one for one in sources.values() if one is not None})
            )
            for key, source in sources.items():
                now = {at[0] for at in moved.get(source or b"", ())}
                if now and key not in now:
                    count += 1
                    first = (
                        first
                        or f"{shown(key)}, where row {shown(source)} of {step.table!r} is {shown(min(now))}"
                    )
    if count:
        raise MigrationError(
            f"{step.name}: {step.target_table!r} has {counted(count, 'row')} under other keys than follow from {step.table!r}, such as {first}: copying would add a "
            "second one beside it: delete the one that is not right, in its table, and repeat this; nothing was copied"
        )


def without_place(
    db: RowAccess,
    table: str,
    steps: Sequence[MoveStep],
    families: Collection[str],
    progress: Progress = lambda rows, key: None,
) -> ExampleCells:
    """The cells in these families of the old ``table`` that none of its moves takes along, and that no new row has as they are.

    Raises :class:`btmodel.errors.ServerError`.
    """
    found = ExampleCells()
    plan = whole(table, Families(tuple(sorted(families))))
    with closing(seen_batches(db, plan, progress)) as several:
        for batch in several:
            left = [_without_place(db, step, batch) for step in steps]
            for key in left[0]:
                cells = [cell for cell in left[0][key] if all(cell in other.get(key, ()) for other in left)]
                found = found.with_row(key, cells)
    return found


def cells_of(
    db: RowAccess, table: str, family: str, progress: Progress = lambda rows, key: None
) -> ExampleCells:
    """The cells of a family of a table. Raises :class:`btmodel.errors.ServerError`."""
    found = ExampleCells()
    with closing(seen_batches(db, whole(table, Families((family,))), progress)) as several:
        for batch in several:
            for key, cells in batch:
                found = found.with_row(key, cells)
    return found


def _without_place(db: RowAccess, step: MoveStep, rows: Sequence[Row]) -> dict[bytes, list[Cell]]:
    """The cells without a place in the new table that another step or the application has not written there either."""
    left = step.without_place(rows)
    return _not_written(db, step, left, read_keys(db, step.table, left))[0]


def unread_cells(
    db: RowAccess,
    table: str,
    steps: Sequence[MoveStep],
    families: Collection[str],
    progress: Progress = lambda rows, key: None,
) -> ExampleCells:
    """The cells in these families of moved rows of the old ``table`` that no attribute of a new row takes, and that no new row has as they are.

    Raises :class:`btmodel.errors.ServerError`.
    """
    found = ExampleCells()
    with closing(seen_batches(db, whole(table), progress)) as several:
        for batch in several:
            left: dict[bytes, list[Cell]] = {}
            for step in steps:
                unread, moved = _not_written(db, step, step.unread(batch), batch)
                for key in moved:
                    cells = unread.get(key, [])
                    left[key] = [cell for cell in cells if cell in left[key]] if key in left else cells
            for key, cells in left.items():
                found = found.with_row(key, [cell for cell in cells if cell.family in families])
    return found


def _not_written(
    db: RowAccess, step: MoveStep, left: dict[bytes, list[Cell]], whole: Sequence[Row]
) -> tuple[dict[bytes, list[Cell]], Collection[bytes]]:
    """The cells that are ``left`` of ``whole`` rows and not in the new rows as they are, and the keys of the rows that are moved."""
    try:
        keys = {source: {at[0] for at in cells} for source, cells in step.moved(whole).items()}
    except MigrationError:
        return left, left  # the comparison of both tables names the row
    there = dict(read_keys(db, step.target_table, {key for some in keys.values() for key in some}))
    for source, new in keys.items():
        written = {cell for key in new for cell in there.get(key, ())}
        left[source] = [cell for cell in left.get(source, ()) if cell not in written]
    return {key: cells for key, cells in left.items() if cells}, keys


def of_no_move(
    db: RowAccess,
    table: str,
    steps: Sequence[MoveStep],
    progress: Progress = lambda rows, key: None,
) -> ExampleCells:
    """The cells of rows of the old ``table``, which models share, that have no key of one whose rows were moved.

    Raises :class:`btmodel.errors.ServerError`.
    """
    found = ExampleCells()
    with closing(seen_batches(db, whole(table), progress)) as several:
        for batch in several:
            for key, cells in batch:
                if not any(step.is_old(key) for step in steps):
                    found = found.with_row(key, cells)
    return found


def _cells(cells: Cells) -> list[Cell]:
    return [Cell(*at[1:], value) for at, value in cells.items()]


@frozen
class _Seen:
    """Cells that follow from old rows and that the new table lacks, lacks as its GC rules delete them, or has with another value, by the keys of the old rows."""

    missing: Mapping[bytes, Cells]
    left_out: Mapping[bytes, Cells]
    others: Mapping[bytes, Cells]


def _with(found: CopyDifference, seen: _Seen, since: datetime | None) -> CopyDifference:
    late = 0
    if since is not None:
        late = sum(cell.time >= since for cells in seen.missing.values() for cell in _cells(cells))
    return CopyDifference(
        _added(found.missing, seen.missing),
        _added(found.left_out, seen.left_out),
        found.late + late,
        _added(found.others, seen.others),
    )


def _added(found: ExampleCells, rows: Mapping[bytes, Cells]) -> ExampleCells:
    for key, cells in rows.items():
        found = found.with_row(key, _cells(cells))
    return found


@frozen
class _Look:
    db: RowAccess
    step: MoveStep
    rules: Mapping[str, GcRule | None]

    def at(self, rows: Sequence[Row], unmoved: Unmoved | None = None) -> _Seen:
        """What the new table lacks, or has otherwise, of what follows from these old rows."""
        moved = self.step.moved(rows, unmoved)
        keys = targets_of(moved.values())
        there = {
            key: {(key, *cell[:3]): cell.value for cell in cells}
            for key, cells in read_keys(self.db, self.step.target_table, keys)
        }
        missing: dict[bytes, Cells] = {}
        left_out: dict[bytes, Cells] = {}
        others: dict[bytes, Cells] = {}
        for source, cells in moved.items():
            beside = {at: value for key in targets_of([cells]) for at, value in there.get(key, {}).items()}
            replaced = self.step.made.older(cells, beside)
            known = {at: value for at, value in cells.items() if at[1] in self.rules and at not in replaced}
            kept = visible(self.rules, {**known, **beside})
            for at, value in known.items():
                if at not in beside:
                    (missing if at in kept else left_out).setdefault(source, {})[at] = value
                elif beside[at] != value and at in kept and self.step.is_stamped_by_writers(at):
                    others.setdefault(source, {})[at] = value
        return _Seen(missing, left_out, others)
