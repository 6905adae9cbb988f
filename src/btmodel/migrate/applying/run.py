"""Apply a plan table by table, and read each table again first.

The service has no compare-and-swap for schemas, and a call that timed out may have worked. So only what is read back
counts: after any failure the table is read again, and its state decides whether to go on, to try again or to stop.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime
from functools import cached_property

from attrs import evolve, frozen

from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.errors import MigrationError, MigrationFailed, NotAllowed, ServerError, some
from btmodel.migrate.applying.copying import (
    LONGEST_PAUSE,
    Data,
    Differs,
    begin_copy,
    compares,
    is_copied,
    judges_ages,
    refuse_difference,
    refuse_skew,
    run_copy,
)
from btmodel.migrate.applying.last_look import RecentRows
from btmodel.migrate.applying.table_calls import TableMoved, TableSteps
from btmodel.migrate.changes.base import Effect, InstanceChange, Phase
from btmodel.migrate.changes.renames import CopyChange, copies
from btmodel.migrate.data.walks import whole
from btmodel.migrate.history import CopyRecord, MigrationHistory
from btmodel.migrate.history.lock import LockLost
from btmodel.migrate.history.run_record import MOST_SKEW, RunRecord
from btmodel.migrate.instance import Instance, until_replicated
from btmodel.migrate.planning.plan import Plan, make_plan
from btmodel.migrate.planning.text import allowing, listed
from btmodel.migrate.tables.layouts import family_of, without_layouts
from btmodel.migrate.tables.templates import superseded
from btmodel.migrate.waiting import until_answered
from btmodel.rows import Families
from btmodel.rows.cells import MILLISECOND
from btmodel.schema import Layout, Table
from btmodel.schema.names import placeholders
from btmodel.words import counted


@frozen(slots=False)
class Strangers:
    """Checks for changes that other programs made to the tables of ``plan`` after the plan was made.

    Other programs are those that do not use btmodel, and runs of btmodel with other models.
    """

    plan: Plan
    instance: Instance
    run_record: RunRecord
    data: Data | None

    def refuse(self, id: str, live: Table | None) -> None:
        """Raise :class:`TableMoved` if another program has created and filled what the plan was to create in table ``id``.

        ``live`` is the table as it is now. A run of btmodel that recorded its change made it as declared, and is not
        refused. Also raises :class:`btmodel.errors.ServerError`.
        """
        changes = self.plan.by_table[id]
        made = [change for change in changes if change.makes]
        if not made or live is None or id in self.run_record.unfinished:
            return
        for change in made:
            self._refuse_filled(change, changes, live)

    def _refuse_filled(
        self, change: InstanceChange, changes: tuple[InstanceChange, ...], live: Table
    ) -> None:
        copied = [copy for copy in copies(changes) if copy.subject == change.subject]
        known = _is_recorded(change, self._recorded.get(live.id, ()))
        relied = not known and _is_recorded(change, _to_record(changes))
        if not (copied or relied) or self._was_begun(copied) or not self._holds_cells(change, live):
            return
        if copied:
            raise TableMoved(
                f"{change.subject} was created and filled by another program since the plan was made, and {copied[0].name} would "
                "overwrite its cells at the same times: plan again, to see what can be allowed"
            )
        raise TableMoved(
            f"{change.subject} was created and filled by another program since the plan was made, and no record says that it is "
            "written as declared: look at it with `btmodel inspect`, and make the plan again"
        )

    def refuse_records(self, id: str) -> None:
        """Raise :class:`TableMoved` if another run has recorded other layouts for table ``id``.

        Also raises :class:`btmodel.errors.ServerError`.
        """
        wanted = _to_record(self.plan.by_table[id])
        if not wanted or placeholders(id):
            return
        recorded = self._recorded.get(id, ())
        known = next((table.layouts for table in self.plan.live if table.id == id), ())
        if recorded and recorded not in (known, wanted):
            raise TableMoved(
                f"another program has recorded how the rows of {id!r} are written since the plan was made: plan again, to see "
                "what differs"
            )

    @cached_property
    def _recorded(self) -> Mapping[str, tuple[Layout, ...]]:
        return self.run_record.history.layouts()

    def _was_begun(self, copied: Iterable[CopyChange]) -> bool:
        """Whether a run has begun one of these copies; then that run created the destination and fills it."""
        names = {(copy.renaming.old_name, copy.renaming.new_name) for copy in copied}
        return bool(names) and any((copy.old, copy.new) in names for copy in self.run_record.history.copies())

    def _holds_cells(self, change: InstanceChange, live: Table) -> bool:
        family = change.family_id
        if (family is not None and live.family(family) is None) or self.instance.is_empty(live.id):
            return False
        if family is None or self.data is None:
            return True  # without rows, it is not known whether a family holds cells
        plan = whole(live.id, Families((family,)))
        with closing(self.data.rows.read(plan)) as rows:
            return next(rows, None) is not None


def _to_record(changes: tuple[InstanceChange, ...]) -> tuple[Layout, ...]:
    return next((change.records for change in changes if change.records is not None), ())


def _is_recorded(change: InstanceChange, layouts: tuple[Layout, ...]) -> bool:
    """Whether ``layouts`` describe the cells of the table or family that ``change`` creates."""
    return bool(layouts) if change.family_id is None else change.family_id in set(_families(layouts))


def _families(layouts: tuple[Layout, ...]) -> Iterator[str]:
    return (family_of(cell.cell) for layout in layouts for cell in layout.cells)


_SHOWN = 5  # drops or tables that a message names


@frozen
class Done:
    """A change that is now in effect.

    ``found`` is true if this run found the change in effect instead of making it by a successful call: another run
    made it after the plan, or the answer to our call was lost.
    """

    change: InstanceChange
    found: bool

    @property
    def how(self) -> str:
        """How the change took effect if this run did not make it; copied cells were not compared since."""
        if not self.found:
            return ""
        return "copied by another run, and not compared since" if self.change.moves else "found done"


def apply(
    plan: Plan,
    instance: Instance,
    progress: Callable[[Done], None] = lambda done: None,
    run_record: RunRecord | None = None,
    data: Data | None = None,
) -> tuple[Done, ...]:
    """Make the changes of ``plan``, with one call a table, and call ``progress`` after each change.

    ``run_record`` records the work on each table before it begins and after it ends. ``data`` gives access to the rows.
    Changes that move cells need both.

    Raises :class:`MigrationError`, with nothing applied, if the plan holds a change that cannot be made, or a
    destructive one that is not allowed. Raises :class:`MigrationFailed`, which lists what is done and what is not, if
    a server fails, if another program changed a table in a way that the plan does not know, if the lock is lost, and
    on Ctrl-C.
    """
    refuse(plan)
    _refuse_without_rows(plan, run_record, data)
    if run_record is not None and judges_ages(plan):
        refuse_skew(run_record)
    open_ = frozenset(run_record.unfinished if run_record else ())
    strangers = Strangers(plan, instance, run_record, data) if run_record is not None else None
    comparisons = None
    if run_record is not None and data is not None:
        comparisons = _Comparisons(plan, instance, run_record, data)
    done: list[Done] = []
    for table_id in plan.by_table:
        steps = TableSteps(plan, instance, table_id)
        before = [one.change for one in done]
        try:
            made = _make_changes(steps, instance, run_record, data, strangers, comparisons)
            for change in steps.changes:
                done.append(Done(change, found=not change.recorded and change not in made))
                progress(done[-1])
        except (ServerError, TableMoved, Differs, LockLost, KeyboardInterrupt) as error:
            raise _failed(plan, steps, before, error, run_record) from error
    try:
        if run_record is not None:
            _forget_what_is_over(plan, run_record, open_)
            _end_superseded(plan, run_record)
    except (ServerError, LockLost) as error:
        raise MigrationFailed(
            str(error), _names(one.change for one in done), (), (), permitted=is_permitted(error)
        ) from error
    return tuple(done)


class _Comparisons:
    """The comparisons before the drops of a ``plan``: all of them are made before the first drop, so that a refused one leaves everything as it was.

    Right before each drop, rows that were written since its comparison began are compared once more. No call drops a table only if nothing has written it, so a
    write that arrives between this last look and the drop is lost.
    """

    def __init__(self, plan: Plan, instance: Instance, run_record: RunRecord, data: Data) -> None:
        self._plan = plan
        self._instance = instance
        self._run_record = run_record
        self._data = data
        self._made: dict[str, float] = {}
        self._began: dict[str, datetime] = {}

    def before(self, id: str) -> None:
        """Compare what table ``id`` and those after it drop, unless that was done just now; raises :class:`Differs`."""
        if not self._drops(id):
            return
        ids = list(self._plan.by_table)
        for each in ids[ids.index(id) :]:
            if each in self._made and (each != id or time.monotonic() - self._made[id] < LONGEST_PAUSE):
                continue
            if self._drops(each) and (each == id or self._instance.table(each) is not None):
                self._compare(each)
        self._look_again(id)

    def _drops(self, id: str) -> bool:
        return any(change.drops for change in self._plan.by_table[id])

    def _compare(self, id: str) -> None:
        if any(compares(change) for change in self._plan.by_table[id]):
            self._began[id] = self._run_record.now()
        self._refuse_differences(id, self._data, copies=True)
        self._made[id] = time.monotonic()

    def _refuse_differences(self, id: str, data: Data, *, copies: bool) -> None:
        changes = self._plan.by_table[id]
        for change in changes:
            refuse_difference(change, self._instance, self._run_record, data, changes, copies=copies)

    def _look_again(self, id: str) -> None:
        """Compare rows with cells of the time since the comparison, by the clock of a writer that is at most a minute behind.

        What is missing by then is not copied: something writes the table now.
        """
        if id not in self._began:
            return
        until_replicated(self._instance, (id,), self._data.say)
        since = micros_since_epoch(self._began[id] - MOST_SKEW)
        recent = RecentRows(self._data.rows, id, since - since % MILLISECOND)
        if until_answered(recent.has_any, long=True):
            quiet = evolve(self._data, rows=recent, say=lambda words: None)  # what is compared was said
            self._refuse_differences(id, quiet, copies=False)


def _make_changes(
    steps: TableSteps,
    instance: Instance,
    run_record: RunRecord | None,
    data: Data | None,
    strangers: Strangers | None,
    comparisons: _Comparisons | None,
) -> tuple[InstanceChange, ...]:
    """Make and record the changes of one table, and return them."""
    steps.check_empty()
    if run_record is None or strangers is None:
        return steps.make()
    strangers.refuse_records(steps.id)
    names = [change.name for change in steps.changes]

    def begin() -> None:
        if comparisons is not None:
            comparisons.before(steps.id)
        run_record.begin(steps.id, names)
        for copy in steps.followed:
            run_record.history.record_copy(copy)

    left = [
        copy
        for copy in copies(steps.changes)
        if not steps.settle(copy, done=is_copied(copy, run_record.history))
    ]
    if left:
        strangers.refuse(steps.id, steps.live)
        run_record.begin(steps.id, names)
    for change in left:
        begin_copy(change, run_record)
    made = steps.make(begin, lambda live: None if left else strangers.refuse(steps.id, live))
    for change in left:
        if data is not None:
            run_copy(change, instance, run_record, data)
            steps.settle(change, done=True)
    with steps.recording():
        _forget(steps.renewed, run_record)
        run_record.end(steps.id, steps.layouts)
    return (*made, *left)


def _forget(records: Iterable[CopyRecord], run_record: RunRecord) -> None:
    for copy in records:
        run_record.history.end_progress(copy.step)
        run_record.history.forget_copy(copy)


def _forget_what_is_over(plan: Plan, run_record: RunRecord, open_: Collection[str]) -> None:
    """Forget copies that no longer say anything: of names that are declared again, as after a rollback, or that are gone.

    Writes to the old name from now on were never copied. An interrupted run may have stopped right after a drop, or
    right after a copy (the tables in ``open_``), and left such a record behind.
    """
    for renaming in plan.facts.renamings or ():
        if renaming.copied and renaming.new.id in open_:
            run_record.history.end_progress(renaming.copy.step)
    _forget(plan.copies_over, run_record)


def _end_superseded(plan: Plan, run_record: RunRecord) -> None:
    """End the records of templates whose tables are now recorded under another template's id."""
    if any(change.records is not None and placeholders(change.table_id) for change in plan.changes):
        for template in superseded(plan.declared, plan.live, run_record.history.layouts()):
            run_record.history.record_layouts(template, ())


def _refuse_without_rows(plan: Plan, run_record: RunRecord | None, data: Data | None) -> None:
    if run_record is not None and data is not None:
        return
    if plan.copies:
        raise MigrationError(
            f"nothing was applied, because it copies cells, which needs rows and a migration history ({listed(plan.copies)}): "
            "`btmodel migrate` does it"
        )


def refuse(*plans: Plan) -> None:
    """Raise :class:`MigrationError`, naming all of them, if ``plans`` hold changes that are impossible or not allowed."""
    refused = [(plan, change) for plan in plans for change in plan.refused]
    if impossible := [change for _, change in refused if change.effect is Effect.IMPOSSIBLE]:
        raise MigrationError(f"nothing was applied, because it cannot all be done: {listed(impossible)}")
    if refused:
        allow = allowing(
            dict.fromkeys(change.requires for _, change in refused if change.requires is not None)
        )
        first = [change.instead for _, change in refused if change.instead]
        raise MigrationError(
            f"nothing was applied, because {', and '.join(_reasons(refused))}: "
            f"{''.join(f'{one}; or ' for one in first)}use {allow} if you mean that"
        )


def _reasons(refused: Sequence[tuple[Plan, InstanceChange]]) -> Iterator[str]:
    """Why these changes are refused: first those that lose data, then those that are only needed for them."""
    lost = [change for _, change in refused if change.effect is Effect.DESTRUCTIVE]
    off = {change: drops for plan, change in refused if (drops := _drops_behind(plan, change))}
    others = [change for _, change in refused if change not in lost and change not in off]
    if lost:
        yield f"data would be lost ({listed(lost)})"
    for refuser in dict.fromkeys(change.refused_by for change in others):
        theirs = [change for change in others if change.refused_by == refuser]
        yield f"{refuser} refuses it unless you allow it ({listed(theirs)})"
    for change, drops in list(off.items())[:_SHOWN]:
        # Turning it off loses nothing; it is refused because the drops are.
        yield f"the deletion protection of {change.table_id} goes off first, as a part of {some(drops, _SHOWN)}"
    if len(off) > _SHOWN:
        yield f"so does that of {counted(len(off) - _SHOWN, 'more table')}"


def _drops_behind(plan: Plan, change: InstanceChange) -> list[str]:
    """The names of the drops for which ``change`` turns deletion protection off; empty if it is another change."""
    if change.phase is not Phase.UNPROTECT:
        return []
    return [one.name for one in plan.by_table[change.table_id] if one.drops]


def _failed(
    plan: Plan,
    steps: TableSteps,
    done: list[InstanceChange],
    error: BaseException,
    run_record: RunRecord | None,
) -> MigrationFailed:
    """The error to raise after ``error`` interrupted ``steps``; ``done`` are the changes of earlier tables."""
    why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
    far = (
        ""
        if run_record is None
        else "".join(_so_far(change, run_record.history) for change in copies(steps.changes))
    )
    why, partly = f"{why}{far}", bool(far)
    begun = plan.by_table[steps.id]
    untouched = [change for change in plan.changes if change not in begun and change not in done]
    try:
        pending = steps.pending()
    except ServerError:
        return MigrationFailed(
            why, _names(done), _names(untouched), _names(begun), permitted=is_permitted(error), partly=partly
        )
    open_ = steps.unknown
    ended = (change for change in begun if change not in pending and change not in open_)
    done = done + [change for change in ended if steps.is_ours(change)]
    undone = _names([*pending, *untouched])
    return MigrationFailed(
        why, _names(done), undone, _names(open_), permitted=is_permitted(error), partly=partly
    )


def is_permitted(error: BaseException) -> bool:
    """Whether ``error`` has another cause than a missing permission."""
    return not isinstance(error, NotAllowed)


def _so_far(change: CopyChange, history: MigrationHistory) -> str:
    """How far an unfinished copy has come, or an empty string if it has not begun or cannot be read."""
    try:
        reached = history.progress(change.renaming.copy.step)
    except (ServerError, MigrationError):
        return ""
    return f"; {change.name} has come to {reached}, and goes on after that" if reached else ""


def _names(changes: Iterable[InstanceChange]) -> list[str]:
    """The names of ``changes``, except btmodel's own bookkeeping."""
    return [change.name for change in changes if not change.quiet]


def bring(instance: Instance, declared: Iterable[Table]) -> Plan:
    """Create the missing tables and families of ``declared``, and return the plan that was applied.

    Nothing else is changed. Only the declared tables are read, and those that they are renamed from. You may repeat
    the call, and many processes may make it at once.

    Raises :class:`MigrationError`, with nothing applied, if a table or family in the instance would have to change;
    :class:`MigrationFailed` if a server fails midway or another program changes a table at the same time; and
    :class:`ServerError`.
    """
    # Only `btmodel migrate` records layouts: a program that creates tables keeps no migration history.
    wanted = without_layouts(declared)
    former = [table.renamed_from for table in wanted if table.renamed_from is not None]
    live = instance.read_tables([*(table.id for table in wanted), *former])
    plan = make_plan(instance.instance, wanted, live)
    others = [change for change in plan.changes if not change.makes]
    if others:
        what = "; ".join(f"{change.subject} {change.summary}" for change in others)
        raise MigrationError(
            f"nothing was applied, because the instance is not as declared ({what}): only tables and "
            "families that are missing are created here; for the rest see `btmodel migrate plan`"
        )
    apply(plan, instance)
    return plan
