"""Copy the cells of renamed families and tables, and compare both places before the old one is dropped."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Protocol

from attrs import evolve, frozen

from btmodel.declare import schema_of
from btmodel.errors import MigrationError
from btmodel.migrate.applying.left_columns import Look, why_unread
from btmodel.migrate.changes.base import InstanceChange, kept
from btmodel.migrate.changes.moves import (
    AbandonMovedTable,
    DropMovedFamily,
    DropMovedTable,
    DropNewTable,
    MovedFamily,
    MovedTable,
)
from btmodel.migrate.changes.renames import AbandonTable, CopyChange
from btmodel.migrate.changes.results import OneMove
from btmodel.migrate.changes.tables import DropFamily
from btmodel.migrate.data import CopyDifference, Progress, RowAccess, compare, copy
from btmodel.migrate.data.behind import beyond, cells_of, left_behind, of_no_move, without_place
from btmodel.migrate.data.copies import ExampleCells
from btmodel.migrate.data.move_steps import MoveStep
from btmodel.migrate.data.sections import Section
from btmodel.migrate.data.unmoved import Unmoved
from btmodel.migrate.data.walks import FencedProgress, FencedRows
from btmodel.migrate.history import CopyRecord, MigrationHistory, Reached
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.instance import Instance, until_replicated
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.tables.layouts import reads_all
from btmodel.migrate.tables.renamings import Renaming
from btmodel.migrate.waiting import until_answered
from btmodel.schema import GcRule, Table
from btmodel.schema.layout import layout_of
from btmodel.words import counted

_PASSES = 5  # comparisons, before writers are asked to pause
PAUSE_WITHIN = 120.0  # seconds in which they may
LONGEST_PAUSE = 60.0  # seconds that a comparison may take, if writers are to pause for it


class Differs(Exception):
    """A renamed table or family differs from its new place; the message says how, and what to do."""


class Runner(Protocol):
    """Workers that run data steps."""

    def splits(self, table: str) -> Sequence[bytes]:
        """The keys that divide a table."""
        ...

    def run(self, job: Any, sections: Sequence[Section]) -> None:
        """Run a job of data steps over sections of its table, and wait for it."""
        ...

    def compare(self, job: Any, sections: Sequence[Section], remove: bool, number: int) -> None:
        """Do the pass ``number`` of a comparison of the move of a job over sections of both tables, and wait for it; ``remove`` lets it remove cells."""
        ...


@frozen
class Data:
    """The rows of an instance, for changes that move cells.

    ``progress`` is called with a description of the work and the number of rows handled so far. ``say`` is called
    with lines that stand on their own: where work resumes, and what has finished. With a ``runner``, it works through
    the rows of data steps.
    """

    rows: RowAccess
    progress: Callable[[str, int], None] = lambda what, rows: None
    say: Callable[[str], None] = lambda words: None
    runner: Runner | None = None


def judges_ages(plan: Plan) -> bool:
    """Whether a plan copies or compares cells, or drops a table only if nothing of it is missing elsewhere."""
    return any(change.step_of or change.moved or compares(change) for change in plan.changes)


def compares(change: InstanceChange) -> bool:
    """Whether ``change`` drops what is compared with another place before, for which :func:`refuse_difference` may refuse it."""
    kinds = (DropMovedTable, DropMovedFamily, DropNewTable)
    return change.drops and (isinstance(change, kinds) or change.step_of is not None)


def refuse_skew(run_record: RunRecord) -> None:
    """Raise :class:`MigrationError` if this machine's clock is wrong: more than a minute away from the service's clock.

    GC rules follow the service's clock. By a wrong one, cells would count as deleted that are there, and cells that
    this machine stamped may have expired early or late.
    """
    _ = run_record.clock


def is_copied(change: CopyChange, history: MigrationHistory) -> bool:
    """Whether another run has finished the copy of ``change`` since the plan was made.

    A copy with ``again`` never counts as finished by another run: it must see every cell that was there when the user
    asked for it.
    """
    if change.again:
        return False
    there = _recorded(change, history)
    return there is not None and there.ended is not None and there != change.renaming.record


def begin_copy(change: CopyChange, run_record: RunRecord) -> None:
    """Record that a copy begins, before its destination is created; cells that turn up there later come from this copy.

    Does nothing if an interrupted run has already begun the copy, which then resumes. Raises :class:`LockLost` and
    :class:`ServerError`.
    """
    if change.renaming.begun or change.again:
        return
    run_record.history.end_progress(change.renaming.copy.step)
    run_record.history.record_copy(change.renaming.recorded(run_record.by, run_record.now()))


def run_copy(change: CopyChange, instance: Instance, run_record: RunRecord, data: Data) -> None:
    """Copy the cells, then compare and copy differences until there are none, and record the end of the copy.

    If writers are faster than the comparison, the user is asked to let them pause. Raises :class:`Differs` if they do not,
    or would have to for long, :class:`LockLost`, and :class:`ServerError`.
    """
    what, names = change.renaming.copy, change.renaming
    fenced = FencedRows(data.rows, run_record)
    if not change.again:
        reached = run_record.history.progress(what.step)
        progress = progress_of(f"copying {names.old_name} to {names.new_name}", run_record, data, reached)
        clock = run_record.clock.now
        rows = until_answered(
            lambda: copy(fenced, FencedProgress(run_record), what, progress, clock), long=True
        )
        data.say(f"copied {counted(rows, 'row')} of {names.old_name} to {names.new_name}")
    began = _caught_up(names, instance, run_record, evolve(data, rows=fenced))
    record = _recorded(change, run_record.history) or names.recorded(run_record.by, began)
    run_record.history.record_copy(evolve(record, by=run_record.by, ended=began))
    run_record.history.end_progress(what.step)


def _caught_up(names: Renaming, instance: Instance, run_record: RunRecord, data: Data) -> datetime:
    """Copy differences until a comparison finds none, and return when that comparison began; later writes may be missing."""
    passes, end = 0, float("inf")
    while True:
        began, start = run_record.now(), time.monotonic()
        left = _compared(names, instance, run_record, data, fix=True)
        passes, took = passes + 1, time.monotonic() - start
        if not left:
            return began
        if passes < _PASSES:
            continue
        busy = (
            f"{names.old_name} was copied to {names.new_name}, but is still written to: the last of {passes} comparisons found {left} "
            f"missing, and copied them; it took {took:.1f} s"
        )
        if took > LONGEST_PAUSE or time.monotonic() > end:
            raise Differs(f"{busy}; {_dual_writes(names)}")
        if passes == _PASSES:
            end = time.monotonic() + PAUSE_WITHIN
            data.say(
                f"{busy}. Stop its writers for about {2 * took + 1:.0f} s, and start again those that write {names.new_name} alone: the run goes on "
                f"comparing for {PAUSE_WITHIN:.0f} s, and ends once nothing is missing"
            )


def _dual_writes(names: Renaming) -> str:
    """The way for writers that cannot pause."""
    table = names.new.id if names.family is None else "a new table"
    return (
        f"run it again when its writers can pause for as long; or, if they never can, declare {table} with moved_from={names.old.id!r} "
        "instead, which moves rows while the application writes both (docs/migrations.md#changing-a-row-key)"
    )


def refuse_difference(
    change: InstanceChange,
    instance: Instance,
    run_record: RunRecord,
    data: Data,
    beside: Iterable[InstanceChange] = (),
    *,
    copies: bool = True,
) -> None:
    """Raise :class:`Differs` if ``change`` drops what was renamed or moved, with cells that its new place lacks.

    ``beside`` are all changes of its table. A drop that copies such cells first does so only where it ``copies``.
    """
    if isinstance(change, DropMovedTable | AbandonMovedTable):
        gone = {one.family_id for one in beside if one.drops}
        _refuse_unmoved(change, gone, instance, run_record, data)
    if isinstance(change, DropMovedTable):
        _refuse_left_behind(change, instance, run_record, data, copies=copies)
        _refuse_unread(change, beside, run_record, data)
    if isinstance(change, DropMovedFamily) and not any(one.drops_table for one in beside):
        _refuse_left_behind(change, instance, run_record, data, copies=copies)
        _refuse_unread(change, beside, run_record, data)
    if isinstance(change, DropNewTable):
        for step in change.steps:
            _refuse_only_new(change, step, instance, run_record, data)
    names = change.step_of
    if names is None or not change.drops:
        return
    record = names.copied
    since = None if record is None else record.ended
    left = _compared(names, instance, run_record, data, since=since)
    if left:
        raise Differs(
            f"{names.old_name} has {left} that {names.new_name} lacks; it lacked nothing when it was copied "
            f"({since:%Y-%m-%d %H:%M:%S} UTC; with later timestamps: {counted(left.late, 'cell')}): if they were written to "
            f"{names.old_name} since, use --allow copy-{names.kind}:{names.new_name} to copy them; if they were deleted or replaced in "
            f"{names.new_name} since, use --allow abandon-{names.kind}:{names.old_name} to drop it all the same"
        )


def _refuse_only_new(
    change: DropNewTable, step: MoveStep, instance: Instance, run_record: RunRecord, data: Data
) -> None:
    abandon = f"use --allow {AbandonTable(change.table).name} to drop {step.target_table} all the same"
    try:
        alone = only_new(step, instance, run_record, data)
    except Differs as error:
        raise Differs(f"{error}: {abandon}") from error
    if alone:
        raise Differs(
            f"{step.target_table} has {alone} that do not follow from {step.table}, and would be lost: write them to {step.table}, or {abandon}"
        )


def only_new(step: MoveStep, instance: Instance, run_record: RunRecord, data: Data) -> ExampleCells:
    """What the new table of a move has that does not follow from the old one, all of it where that is gone; raises :class:`Differs` if they cannot be compared."""
    old, new = step.table, step.target_table
    live = instance.table(old)
    if instance.table(new) is None:
        return ExampleCells()
    if live is None:
        raise Differs(f"{new} cannot be compared with {old}, which is not there")
    until_replicated(instance, (old, new), data.say)
    kept_there = {family.id: family.gc for family in live.families}
    rules = {there: kept_there.get(here) for here, there in step.pairs}
    progress = progress_of(f"comparing {new} with {old}", run_record, data)
    try:
        return until_answered(partial(beyond, data.rows, step, rules, progress), long=True)
    except MigrationError as error:
        raise Differs(f"{new} cannot be compared with {old}: {error}") from error


def _refuse_unmoved(
    change: DropMovedTable | AbandonMovedTable,
    gone: Collection[str | None],
    instance: Instance,
    run_record: RunRecord,
    data: Data,
) -> None:
    """Raise :class:`Differs` for the first reason of :func:`why_unmoved`."""
    old = change.table.id
    look = _looking(old, run_record, data)

    def ask(at: Look) -> ExampleCells:
        until_replicated(instance, (old,), data.say)
        return look(at)

    are_there = all(instance.table(step.target_table) is not None for step in change.move.steps)
    for why in why_unmoved(change, instance.table(old) or change.table, gone, ask, are_there):
        raise Differs(why)


def _refuse_unread(
    change: DropMovedTable | DropMovedFamily,
    beside: Iterable[InstanceChange],
    run_record: RunRecord,
    data: Data,
) -> None:
    """Raise :class:`Differs` if what is dropped has cells that no attribute of the new rows takes."""
    for why in why_unread(change, beside, _looking(change.subject, run_record, data)):
        raise Differs(why)


def _looking(subject: str, run_record: RunRecord, data: Data) -> Callable[[Look], ExampleCells]:
    """What calls a function with the rows to look at, until they answer."""
    progress = progress_of(f"looking for what was not moved from {subject}", run_record, data)
    return lambda look: until_answered(partial(look, data.rows, progress=progress), long=True)


def why_unmoved(
    change: DropMovedTable | AbandonMovedTable,
    live: Table,
    gone: Collection[str | None],
    ask: Callable[[Look], ExampleCells],
    are_there: bool = True,
) -> Iterator[str]:
    """Why the old table of a move, which is as ``live``, is not dropped: it has rows of no model that was moved, or cells for which the new one has no family.

    Families that are ``gone`` by then do not count, nor do strange rows for a drop that compares nothing. Unless the new tables ``are_there``, all cells
    of families without a place count. ``ask`` calls a function with the rows to look at.
    """
    old, move = change.table.id, change.move
    if isinstance(change, DropMovedTable) and all(step.shared for step in move.steps):
        strange = ask(partial(of_no_move, table=old, steps=move.steps))
        if strange:
            yield (
                f"{old} has {strange}, in rows without a key of a model whose rows were moved, so that they would be lost: move them, too, or use "
                f"--allow {AbandonTable(change.table).name} to drop {old} all the same"
            )
    for family in move.unmoved(live):
        if family.id in gone:
            continue
        if are_there:
            left = ask(partial(without_place, table=old, steps=move.steps, families=(family.id,)))
        else:
            left = ask(partial(cells_of, table=old, family=family.id))
        if left:
            yield (
                f"{old} has {left} in family {family.id}, which were not moved to {move.targets}, so that they would be lost: write them to "
                f"{move.targets} with a data step, or use --allow {DropFamily(old, family).name} beside --allow {change.name} to drop them"
            )


def _refuse_left_behind(
    change: DropMovedTable | DropMovedFamily,
    instance: Instance,
    run_record: RunRecord,
    data: Data,
    *,
    copies: bool,
) -> None:
    """Compare the old table of a move with the new one once more; what is missing there is copied, or refuses the drop.

    For the drop of a family, only what is moved of it counts.
    """
    abandon, copies = _ends(change)[-1], copies and change.copies_first
    moves = change.move.moves
    if isinstance(change, DropMovedFamily):
        moves = tuple(move for move in moves if move.has_place_for(change.family))
    for move in moves:
        step, since = move.step, move.compared
        old, new = step.table, step.target_table
        live = instance.table(new)
        if live is None:
            raise Differs(
                f"{old} cannot be compared with {new}, which is not there any more: drop such tables in the order in which their rows were moved, or use "
                f"--allow {abandon.name} to drop {change.subject} all the same"
            )
        _refuse_written_otherwise(change, step, run_record)
        until_replicated(instance, (old, new), data.say)
        rules = {family.id: family.gc for family in live.families}
        progress = progress_of(f"comparing {old} with {new}", run_record, data)
        rows = FencedRows(data.rows, run_record)
        look = partial(_look_behind, rows, step, rules, since, progress, change.family_id)
        try:
            left, unmoved = until_answered(partial(look, fix=copies), long=True)
        except MigrationError as error:
            raise Differs(f"{old} cannot be compared with {new}: {error}") from error
        if left.left_out:
            data.say(f"left out {left.left_out}: the GC rules of {new} delete them")
        if left.others:
            raise Differs(_has_others(change, move, left))
        if left and not copies:
            raise Differs(_left_behind(change, move, left))
        found = f"copied {left}" if left else "nothing is missing"
        data.say(f"compared {old} with {new}: {', '.join(filter(None, (found, str(unmoved))))}")


def _ends(change: DropMovedTable | DropMovedFamily) -> tuple[InstanceChange, ...]:
    """The drop that compares, the one that copies first, and the one that does neither, of what ``change`` drops."""
    if isinstance(change, DropMovedTable):
        return MovedTable(change.table, change.move).ends
    return MovedFamily(change.of_table, change.family, change.move).ends


def _look_behind(
    rows: RowAccess,
    step: MoveStep,
    rules: Mapping[str, GcRule | None],
    since: datetime | None,
    progress: Progress,
    family: str | None,
    *,
    fix: bool,
) -> tuple[CopyDifference, Unmoved]:
    """What the new table of a move lacks, and what the step does not move."""
    unmoved = Unmoved()
    found = left_behind(rows, step, rules, since, progress, fix=fix, unmoved=unmoved, family=family)
    return found, unmoved


def _refuse_written_otherwise(
    change: DropMovedTable | DropMovedFamily, step: MoveStep, run_record: RunRecord
) -> None:
    """Raise :class:`Differs` if rows of the new table are not written any more as the step writes them: neither can they be compared, nor may such be added."""
    declared = layout_of(schema_of(step.target))
    layouts = run_record.history.layouts().get(step.target_table, ())
    known = {
        cell.cell: cell.codec for layout in layouts if layout.key == declared.key for cell in layout.cells
    }
    other = [one.cell for one in declared.cells if not reads_all(known.get(one.cell, ""), one.codec)]
    if known and other:
        raise Differs(
            f"{step.table} cannot be compared with {step.target_table}, whose {', '.join(other)} is written otherwise since rows were moved: use "
            f"--allow {_ends(change)[-1].name} to drop {change.subject} all the same"
        )


def _has_others(change: DropMovedTable | DropMovedFamily, move: OneMove, left: CopyDifference) -> str:
    old, new, abandon = move.step.table, move.step.target_table, _ends(change)[-1]
    return (
        f"rows of {old} have {left.others} with other values than {new} has at the same times, so that nothing says which of both is right: something writes {old} alone, with times "
        f"of its own; write the right values to {new}, at a later time; or, if those of {new} are right, use --allow {abandon.name} to drop {change.subject}"
    )


def _left_behind(change: DropMovedTable | DropMovedFamily, move: OneMove, left: CopyDifference) -> str:
    _, copies, abandon = _ends(change)
    old, new, since = move.step.table, move.step.target_table, move.compared
    when = (
        f"on {since:%Y-%m-%d %H:%M:%S} UTC, with later timestamps: {counted(left.late, 'cell')}"
        if since
        else "before"
    )
    if not move.ran:
        return (
            f"rows of {old} have {left} that {new} lacks, and no record says that {move.by} has moved them: use --allow {copies.name} to copy these cells first, or, if "
            f"they were deleted or replaced in {new} since, --allow {abandon.name} to drop {change.subject} all the same"
        )
    return (
        f"rows of {old} have {left} that {new} lacks; it lacked nothing when both were compared ({when}): if something still writes "
        f"{old} alone, let it write {new}, and use --allow {copies.name} to copy these cells first; if they were deleted or replaced in {new} "
        f"since, use --allow {abandon.name} to drop {change.subject} all the same"
    )


def _compared(
    names: Renaming,
    instance: Instance,
    run_record: RunRecord,
    data: Data,
    *,
    fix: bool = False,
    since: datetime | None = None,
) -> CopyDifference:
    """Return what the new place lacks, and report it with the cells that its GC rules delete.

    With ``fix``, the missing cells are copied. The comparison sees every write that any cluster has taken by now.
    """
    until_replicated(instance, dict.fromkeys((names.old.id, names.new.id)), data.say)
    both = f"{names.old_name} with {names.new_name}"
    progress = progress_of(f"comparing {both}", run_record, data)
    clock = run_record.clock
    left: CopyDifference = until_answered(
        partial(compare, data.rows, names.copy, fix=fix, since=since, progress=progress, clock=clock.now),
        long=True,
    )
    if fix or not left:
        data.say(f"compared {both}: {f'copied {left}, which it lacked' if left else 'nothing is missing'}")
    if left.left_out:
        rules = ", ".join(f"{new.id} keeps {kept(new)}" for _, new in names.pairs)
        data.say(
            f"left out {left.left_out}: the GC rules of {names.new_name} delete them ({rules}, at {clock} by the service's clock)"
        )
    return left


def _recorded(change: CopyChange, history: MigrationHistory) -> CopyRecord | None:
    """The record of the copy that ``change`` makes, or None."""
    names = (change.renaming.old_name, change.renaming.new_name)
    return next((copy for copy in history.copies() if (copy.old, copy.new) == names), None)


def progress_of(what: str, run_record: RunRecord, data: Data, reached: Reached | None = None) -> Progress:
    """A progress function that reports each batch and raises :class:`LockLost` once the lock is lost.

    With ``reached``, it first reports where an earlier run stopped.
    """
    if reached:
        data.say(f"{what} goes on after {reached}")
    data.progress(what, reached.rows if reached else 0)

    def progress(rows: int, key: bytes) -> None:
        run_record.check()
        data.progress(what, rows)

    return progress
