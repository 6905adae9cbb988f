"""The engine: it applies stages in order, under one lock, and records each of them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain

from attrs import frozen

from btmodel.errors import MigrationError, MigrationFailed
from btmodel.migrate.applying.copying import Data, is_copied, judges_ages, refuse_skew
from btmodel.migrate.applying.run import Done, apply, refuse
from btmodel.migrate.data import RowAccess
from btmodel.migrate.history import Lock, MigrationHistory
from btmodel.migrate.history.lock import LockLost, acquire, is_taken, take
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.planning.text import PlanText, plan_text


@frozen(slots=False)
class Stage:
    """A plan to apply.

    This class is the stage of plain models: it records only the layouts of rows and the last changes of each table. A
    revision is a stage that is also recorded, and a rollback is one that removes such records; each overrides what it
    does in addition.
    """

    plan: Plan

    @property
    def recorded_as(self) -> str | None:
        """The id of the revision that is recorded after this stage; None if none is."""
        return None

    @property
    def heading(self) -> str:
        """The heading above its plan; empty for none."""
        return ""

    @property
    def then(self) -> tuple[str, ...]:
        """The data steps that run after the plan, each with how far it has come."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines for the user: a deployment that it waits for, and what else refuses it."""
        return ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Lines for the user that refuse nothing: what it leaves out."""
        return ()

    @property
    def next_step(self) -> str:
        """What the user has to do before the next stage, once this one is applied; empty for nothing."""
        return ""

    def text(self, *, moved: bool = False) -> PlanText:
        """The plan as text; ``moved`` says that the models declare more than the last revision."""
        return plan_text(self.plan)

    @property
    def refusals(self) -> Iterator[str]:
        """Reasons why it may not be applied, apart from the changes of its plan."""
        yield from ()

    def unspread(self, rows: RowAccess) -> Iterator[str]:
        """Reasons why the workers of a runner cannot run its data steps over ``rows``."""
        yield from ()

    @property
    def planned_on(self) -> frozenset[str] | None:
        """The ids of the revisions that were recorded when it was planned; None if it does not depend on revisions."""
        return None

    def is_expected(self, added: Collection[str], removed: Collection[str]) -> bool:
        """Whether the plan still holds after other runs have ``added`` and ``removed`` records of revisions; ``added`` has none of the same run."""
        return not added and not removed

    def begun_since(self, history: MigrationHistory) -> Iterator[str]:
        """The ids of the revisions whose data steps were begun since it was planned, where its plan would have been another one."""
        yield from ()

    def is_pending(self, recorded: Collection[str]) -> bool:
        """Whether anything is left to do but to record what the instance has.

        ``recorded`` are the ids of the applied revisions.
        """
        return bool(self.plan.pending)

    def is_left(self, recorded: Collection[str], instance: Instance, history: MigrationHistory) -> bool:
        """Whether another run, which has ended by now, left anything undone; raises :class:`btmodel.errors.ServerError`."""
        if any(not is_copied(change, history) for change in self.plan.copies):
            return True
        by_table = self.plan.by_table.items()
        changed = (id for id, changes in by_table if any(change.by_call for change in changes))
        return any(self.plan.left(id, instance.table(id)) for id in changed)

    @property
    def found(self) -> tuple[Done, ...]:
        """The changes that another run made, if it left nothing undone."""
        return tuple(Done(change, found=True) for change in self.plan.changes)

    @property
    def judges_ages(self) -> bool:
        """Whether it depends on how old cells are, so that the clock of this machine must be right."""
        return judges_ages(self.plan)

    def load(self) -> None:
        """Load the code that it runs, so that broken code fails before any change; raises :class:`MigrationError`."""

    def finish(
        self, run_record: RunRecord, data: Data | None, listener: "RunListener", done: Sequence[Done]
    ) -> None:
        """Do what follows the plan after it is applied; ``done`` are the changes that this run has made by then.

        Raises :class:`btmodel.errors.MigrationFailed`.
        """


@frozen
class RunListener:
    """The functions that are called during a run.

    ``change`` is called with each change that is in effect, ``revision`` with the id of each revision whose record is
    written or removed, and ``waiting`` with the lock of another run.
    """

    change: Callable[[Done], None] = lambda done: None
    revision: Callable[[str], None] = lambda id: None
    waiting: Callable[[Lock], None] = lambda lock: None


QUIET = RunListener()


def why_refused(stages: Sequence[Stage]) -> Iterator[str]:
    """Why ``stages`` may not be applied, with all names that would allow it."""
    try:
        refuse(*(stage.plan for stage in stages))
    except MigrationError as error:
        yield str(error)
    yield from chain.from_iterable(stage.refusals for stage in stages)


def refuse_stages(stages: Sequence[Stage]) -> None:
    """Raise :class:`MigrationError` if any of ``stages`` may not be applied."""
    if why := [*why_refused(stages)]:
        raise MigrationError("\n".join(why))


def refuse_unspread(stages: Sequence[Stage], rows: RowAccess) -> None:
    """Raise :class:`MigrationError` if the workers of a runner cannot run data steps of ``stages``, or if their code cannot be loaded."""
    why = list(chain.from_iterable(stage.unspread(rows) for stage in stages))
    if why:
        raise MigrationError("\n".join(why))


def apply_stages(
    stages: Sequence[Stage],
    instance: Instance,
    history: MigrationHistory,
    by: str,
    listener: RunListener = QUIET,
    *,
    locked: bool = True,
    force: bool = False,
    data: Data | None = None,
) -> tuple[Done, ...]:
    """Apply ``stages`` in order while ``by`` holds the lock of the instance, and record the changes.

    If another run holds the lock, this one waits. Changes of that run count as found; if it made all of them, nothing
    is left to do here. ``force`` takes the lock from the other run, and ``locked=False`` works without a lock. After
    an interruption at any point, the next run starts with the interrupted stage and finishes it. Stages that only
    change the migration history do not wait. ``data`` gives access to the rows, for copies and data steps.

    Raises :class:`MigrationError`, with nothing applied, if a stage may not be applied, its code fails, or the lock
    cannot be taken. Raises :class:`btmodel.errors.MigrationFailed`, which lists what is done and what is not, if a
    server fails, another program changes a table in a way that the plan does not know, the lock is lost, and on
    Ctrl-C.
    """
    refuse_stages(stages)
    recorded = _recorded(stages, history)
    if not any(stage.is_pending(recorded) for stage in stages):
        return _write_down(stages, instance, history, by, listener, force=force)
    if not locked:
        return _apply(stages, instance, RunRecord(history, by), listener, data)

    def is_left() -> bool:
        now = history.snapshot()
        return any(stage.is_left(_recorded(stages, now), instance, now) for stage in stages)

    held = acquire(history, by, needed=is_left, waiting=listener.waiting, force=force)
    if held is None:
        found = tuple(chain.from_iterable(stage.found for stage in stages))
        for done in found:
            listener.change(done)
        return found
    with held:
        return _apply(stages, instance, RunRecord(history, by, held), listener, data)


def others(
    stages: Sequence[Stage], history: MigrationHistory, by: str, done: Sequence[Done]
) -> Iterator[str]:
    """Sentences about what runs other than ``by`` have meanwhile done of ``stages``, as far as it was recorded."""
    ids = {stage.recorded_as for stage in stages}
    for record in history.revisions() if ids != {None} else ():
        if record.id in ids and record.by != by:
            yield f"{record.id} was applied by {record.by} meanwhile"
    plain = [change for stage in stages if stage.recorded_as is None for change in stage.plan.changes]
    if names := authors(history, [one for one in done if one.change in plain], by):
        yield f"applied by {', '.join(names)} meanwhile"


def authors(history: MigrationHistory, done: Iterable[Done], by: str) -> tuple[str, ...]:
    """The runs other than ``by`` that made the changes found done, as far as it was recorded."""
    tables = {one.change.table_id for one in done if one.found}
    steps = history.steps() if tables else {}
    return tuple(sorted({step.by for id, step in steps.items() if id in tables and step.by != by}))


def _recorded(stages: Sequence[Stage], history: MigrationHistory) -> frozenset[str]:
    """The ids of the recorded revisions; empty if none of ``stages`` is recorded."""
    if all(stage.recorded_as is None for stage in stages):
        return frozenset()
    return frozenset(revision.id for revision in history.revisions())


def _apply(
    stages: Sequence[Stage],
    instance: Instance,
    run_record: RunRecord,
    listener: RunListener,
    data: Data | None,
) -> tuple[Done, ...]:
    _refuse_stale(stages, run_record.before)
    recorded = _recorded(stages, run_record.before)
    # Another run may have recorded some of them meanwhile.
    left = [stage for stage in stages if stage.recorded_as not in recorded]
    for stage in left:
        stage.load()
    if data is not None and data.runner is not None:
        refuse_unspread(left, data.rows)
    if any(stage.judges_ages for stage in left):
        refuse_skew(run_record)
    done: list[Done] = []
    for stage in left:
        done += apply(stage.plan, instance, listener.change, run_record, data)
        try:
            for id in _ended(stage.plan, run_record):
                run_record.end(id)
        except LockLost as error:
            raise MigrationFailed(str(error), [one.change.name for one in done], (), ()) from error
        stage.finish(run_record, data, listener, done)
    return tuple(done)


def _refuse_stale(stages: Sequence[Stage], history: MigrationHistory) -> None:
    """Raise :class:`MigrationError` if revisions were applied, begun or rolled back since ``stages`` were planned, other than by these stages.

    A run may have waited for the lock, or for an answer, while another one did that.
    """
    if all(stage.planned_on is None for stage in stages):
        return
    records = {record.id: record for record in history.revisions()}
    ours = {stage.recorded_as for stage in stages}
    for stage in stages:
        if stage.planned_on is None:
            continue
        added = [id for id in records if id not in stage.planned_on and id not in ours]
        removed = sorted(stage.planned_on - records.keys())
        what = [f"the data steps of {id} have begun" for id in stage.begun_since(history)]
        if not stage.is_expected(added, removed):
            what += [f"{records[id].by} has applied {id}" for id in added]
            what += [f"{id} was rolled back" for id in removed]
        if what:
            raise MigrationError(
                f"nothing was applied, because another run has changed the migration history since the plan was made ({'; '.join(what)}): run it again, to see "
                "the plan as it is now"
            )


def _write_down(
    stages: Sequence[Stage],
    instance: Instance,
    history: MigrationHistory,
    by: str,
    listener: RunListener,
    *,
    force: bool,
) -> tuple[Done, ...]:
    """Record what the instance has, and end the steps that interrupted runs left open; there is nothing else to do."""
    run_record = RunRecord(history, by)
    plans = [stage.plan for stage in stages if stage.recorded_as is None]
    done = tuple(one for plan in plans for one in apply(plan, instance, listener.change, run_record))
    ended = [id for plan in plans for id in _ended(plan, run_record)]
    # If another run holds the lock, the open steps may be its own work in progress.
    left = ended or (force and is_taken(history))
    held = take(history, by, force=force) if left else None
    if held is not None:
        with held:
            for id in ended:
                run_record.end(id)
    return done


def _ended(plan: Plan, run_record: RunRecord) -> list[str]:
    """The tables whose steps an interrupted run left open, although the applied plan shows that they are finished."""
    declared = {table.id for table in plan.declared}
    live = {table.id for table in plan.live}
    return [id for id in run_record.unfinished if id in declared or id not in live]
