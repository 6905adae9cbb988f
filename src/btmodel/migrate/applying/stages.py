"""The engine: stages that are applied in order, under one lock, each written down."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain

from attrs import frozen

from btmodel.errors import MigrationError
from btmodel.migrate.applying.copying import Data, is_copied, refuse_skew
from btmodel.migrate.applying.run import Done, apply, refuse
from btmodel.migrate.history import History, Lock
from btmodel.migrate.history.lock import Books, acquire, is_taken, take
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.planning.text import PlanText, plan_text


@frozen(slots=False)
class Stage:
    """A plan to apply, of which nothing is recorded but how rows lie and what was done to each table: that of plain models.

    A revision is a stage that is recorded, and the way back is one that ends such records: each says here what it does beside.
    """

    plan: Plan

    @property
    def recorded_as(self) -> str | None:
        """The revision that is recorded once it is applied; None where none is."""
        return None

    @property
    def heading(self) -> str:
        """What stands above its plan; empty for nothing."""
        return ""

    @property
    def then(self) -> tuple[str, ...]:
        """The data steps that are run once the plan is applied, each with how far it has come."""
        return ()

    def text(self, *, moved: bool = False) -> PlanText:
        """Its plan in words; ``moved`` where the models declare more than the last revision."""
        return plan_text(self.plan)

    @property
    def refusals(self) -> Iterator[str]:
        """Why it may not be applied, beside what its plan does."""
        yield from ()

    def is_pending(self, recorded: Collection[str]) -> bool:
        """Whether it has anything to do but to write down what the instance has, where the revisions ``recorded`` are applied."""
        return bool(self.plan.pending)

    def is_left(self, recorded: Collection[str], instance: Instance, history: History) -> bool:
        """Whether another run, which has ended by now, left anything of it; raises :class:`btmodel.errors.ServerError`."""
        if any(not is_copied(change, history) for change in self.plan.copies):
            return True
        by_table = self.plan.by_table.items()
        changed = (id for id, changes in by_table if any(change.by_call for change in changes))
        return any(self.plan.left(id, instance.table(id)) for id in changed)

    @property
    def found(self) -> tuple[Done, ...]:
        """What another run has done of it, where nothing is left."""
        return tuple(Done(change, found=True) for change in self.plan.changes)

    def load(self) -> None:
        """Load what it runs: code that fails is to fail before anything is applied. Raises :class:`MigrationError`."""

    def finish(self, books: Books, data: Data | None, listener: "Listener", done: Sequence[Done]) -> None:
        """Do what follows the plan, once that is applied; ``done`` is what this run has done by then.

        Raises :class:`btmodel.errors.MigrationFailed`.
        """


@frozen
class Listener:
    """The functions that are called as it goes.

    ``change`` with each change that is live, ``revision`` with the id of each revision whose record is written or
    ended, ``waiting`` with the lock of another run.
    """

    change: Callable[[Done], None] = lambda done: None
    revision: Callable[[str], None] = lambda id: None
    waiting: Callable[[Lock], None] = lambda lock: None


QUIET = Listener()


def refuse_stages(stages: Sequence[Stage]) -> None:
    """Raise :class:`MigrationError` where any of ``stages`` may not be applied, with all names that would allow it."""
    why: list[str] = []
    try:
        refuse(*(stage.plan for stage in stages))
    except MigrationError as error:
        why.append(str(error))
    why += chain.from_iterable(stage.refusals for stage in stages)
    if why:
        raise MigrationError("\n".join(why))


def apply_stages(
    stages: Sequence[Stage],
    instance: Instance,
    history: History,
    by: str,
    listener: Listener = QUIET,
    *,
    locked: bool = True,
    force: bool = False,
    data: Data | None = None,
) -> tuple[Done, ...]:
    """Apply ``stages`` in order, while ``by`` has the lock of the instance, and write down what is done.

    Where another run has the lock, it is waited for. What that run made counts as found; where it made all,
    nothing is done here. ``force`` takes the lock from it; not ``locked``, none is taken. Killed at any point, a second run
    begins with the stage that the first was at, and finishes it. Stages that change nothing but the migration history wait for
    nobody. ``data`` are the rows, for copies and data steps.

    Raises :class:`MigrationError`, with nothing applied, where a stage may not be applied, its code fails, or the
    lock is not to be had; and :class:`btmodel.errors.MigrationFailed`, which says what is done and what is not, where a
    server fails, another changes a table to something that the plan does not know, the lock is lost, and at Ctrl-C.
    """
    refuse_stages(stages)
    recorded = _recorded(stages, history)
    if not any(stage.is_pending(recorded) for stage in stages):
        return _write_down(stages, instance, history, by, listener, force=force)
    if not locked:
        return _apply(stages, instance, Books(history, by), listener, data)

    def is_left() -> bool:
        now = _recorded(stages, history)
        return any(stage.is_left(now, instance, history) for stage in stages)

    held = acquire(history, by, needed=is_left, waiting=listener.waiting, force=force)
    if held is None:
        found = tuple(chain.from_iterable(stage.found for stage in stages))
        for one in found:
            listener.change(one)
        return found
    with held:
        return _apply(stages, instance, Books(history, by, held), listener, data)


def others(stages: Sequence[Stage], history: History, by: str, done: Sequence[Done]) -> Iterator[str]:
    """What other runs than ``by`` have done of ``stages`` meanwhile, in sentences, as far as it was written down."""
    ids = {stage.recorded_as for stage in stages}
    for record in history.revisions() if ids != {None} else ():
        if record.id in ids and record.by != by:
            yield f"{record.id} was applied by {record.by} meanwhile"
    plain = [change for stage in stages if stage.recorded_as is None for change in stage.plan.changes]
    if names := authors(history, [one for one in done if one.change in plain], by):
        yield f"applied by {', '.join(names)} meanwhile"


def authors(history: History, done: Iterable[Done], by: str) -> tuple[str, ...]:
    """The other runs than ``by`` that made what was found done, as far as it was written down."""
    tables = {one.change.table_id for one in done if one.found}
    steps = history.steps() if tables else {}
    return tuple(sorted({step.by for id, step in steps.items() if id in tables and step.by != by}))


def _recorded(stages: Sequence[Stage], history: History) -> frozenset[str]:
    """The revisions that are recorded, where any of ``stages`` is to be."""
    if all(stage.recorded_as is None for stage in stages):
        return frozenset()
    return frozenset(one.id for one in history.revisions())


def _apply(
    stages: Sequence[Stage], instance: Instance, books: Books, listener: Listener, data: Data | None
) -> tuple[Done, ...]:
    refuse_skew((stage.plan for stage in stages), books)
    recorded = _recorded(stages, books.history)
    # Another run may have recorded some meanwhile.
    left = [stage for stage in stages if stage.recorded_as not in recorded]
    for stage in left:
        stage.load()
    done: list[Done] = []
    for stage in left:
        done += apply(stage.plan, instance, listener.change, books, data)
        for id in _ended(stage.plan, books):
            books.end(id)
        stage.finish(books, data, listener, done)
    return tuple(done)


def _write_down(
    stages: Sequence[Stage],
    instance: Instance,
    history: History,
    by: str,
    listener: Listener,
    *,
    force: bool,
) -> tuple[Done, ...]:
    """Record what the instance has, with the end of steps whose runs were killed before they could; nothing else is left."""
    books = Books(history, by)
    plans = [stage.plan for stage in stages if stage.recorded_as is None]
    done = tuple(one for plan in plans for one in apply(plan, instance, listener.change, books))
    ended = [id for plan in plans for id in _ended(plan, books)]
    # Where another run has the lock, the steps may be its own, and under way.
    left = ended or (force and is_taken(history))
    held = take(history, by, force=force) if left else None
    if held is not None:
        with held:
            for id in ended:
                books.end(id)
    return done


def _ended(plan: Plan, books: Books) -> list[str]:
    """The tables that a killed run left as they should be, as an applied plan shows, without writing that down."""
    declared = {table.id for table in plan.declared}
    live = {table.id for table in plan.live}
    return [id for id in books.unfinished if id in declared or id not in live]
