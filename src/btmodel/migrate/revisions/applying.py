"""Applying revisions in order, each recorded when it is complete; and baselines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from attrs import frozen

from btmodel.errors import MigrationError, MigrationFailed, ServerError, some
from btmodel.migrate.applying.copying import Data, refuse_skew
from btmodel.migrate.applying.locked import apply_locked, end_left
from btmodel.migrate.applying.run import Done, apply, is_permitted, refuse
from btmodel.migrate.data import DataStep
from btmodel.migrate.history import AppliedRevision, History, Lock
from btmodel.migrate.history.lock import Books, LockLost, acquire, is_taken, take
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.planning.text import listed
from btmodel.migrate.revisions import steps
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.planning import Planned, refuse_all
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.rollback import WayBack
from btmodel.migrate.revisions.standing import Standing, refuse_unknown
from btmodel.migrate.revisions.steps import progress_name


@frozen
class Progress:
    """What is called as it goes.

    ``change`` with each that is live, ``revision`` with each whose record is written or ended,
    ``waiting`` with the lock of another run.
    """

    change: Callable[[Done], None] = lambda done: None
    revision: Callable[[Revision], None] = lambda revision: None
    waiting: Callable[[Lock], None] = lambda lock: None


QUIET = Progress()


def apply_revisions(
    found: Sequence[Planned],
    graph: Graph,
    instance: Instance,
    history: History,
    by: str,
    progress: Progress = QUIET,
    *,
    locked: bool = True,
    force: bool = False,
    data: Data | None = None,
) -> tuple[Done, ...]:
    """Apply the plans in ``found``, run the data steps of their revisions, and record these, with the lock.

    A revision that another run has recorded meanwhile is passed over. Killed at any point, a second
    run begins with the revision that the first was at, and finishes it; where nothing is left but to write down what
    is live, that is done, and nobody is waited for. ``force`` takes the lock from
    whoever has it; not ``locked``, it is not taken. ``data`` are the rows, for copies and data steps. Raises what :func:`btmodel.migrate.applying.locked.apply_locked` does.
    """
    refuse_all(found, graph.folder)

    def needed() -> bool:
        recorded = {one.id for one in history.revisions()}
        return any(
            bool(one.plan.pending) if one.stage.is_applied else one.stage.revision.id not in recorded
            for one in found
        )

    if not needed():
        for one in found:
            if one.stage.is_applied:  # a run may have been killed before it wrote down what it made
                apply_locked(one.plan, instance, history, by, force=force)
        if force:
            _end_lock(history, by)
        return ()
    if not locked:
        return _apply(found, graph, instance, Books(history, by), progress, data)
    held = acquire(history, by, needed=needed, waiting=progress.waiting, force=force)
    if held is None:
        return ()
    with held:
        return _apply(found, graph, instance, Books(history, by, held), progress, data)


def _end_lock(history: History, by: str) -> None:
    """End the lock of a run that was killed once all was done, as nobody else will."""
    held = take(history, by, force=True) if is_taken(history) else None
    if held is not None:
        with held:
            pass


def _apply(
    found: Sequence[Planned],
    graph: Graph,
    instance: Instance,
    books: Books,
    progress: Progress,
    data: Data | None,
) -> tuple[Done, ...]:
    refuse_skew((one.plan for one in found), books)
    loaded = _loaded(found, graph)
    done: list[Done] = []
    recorded = {one.id for one in books.history.revisions()}
    for one in found:
        revision = one.stage.revision
        if one.stage.is_applied:
            done += _made(one.plan, instance, progress, books, data)
        elif revision.id not in recorded:
            done += _made(one.plan, instance, progress, books, data)
            run = list[str]()
            with _stepping(revision, done, run, books.history):
                for name in steps.run(loaded[revision.id], revision, graph.folder, books, data, one.allowed):
                    run.append(name)
            with _written(f"{revision.id} is applied", revision, done):
                record(revision, books)
            progress.revision(revision)
    return tuple(done)


def _made(
    plan: Plan, instance: Instance, progress: Progress, books: Books, data: Data | None
) -> tuple[Done, ...]:
    """Apply ``plan``, and write down the end of what killed runs had made of it."""
    done = apply(plan, instance, progress.change, books, data)
    end_left(plan, books)
    return done


def roll_back(
    way: WayBack,
    plan: Plan,
    instance: Instance,
    history: History,
    by: str,
    progress: Progress = QUIET,
    *,
    locked: bool = True,
    force: bool = False,
    data: Data | None = None,
) -> tuple[Done, ...]:
    """Apply ``plan``, and record that the revisions that ``way`` undoes are not applied any more, the last one first.

    With the lock, as :func:`apply_revisions`, and it raises what that does.
    """
    refuse(plan)
    if not locked:
        return _roll_back(way, plan, instance, Books(history, by), progress, data)
    held = acquire(history, by, waiting=progress.waiting, force=force)
    assert held is not None, "it is always needed"
    with held:
        return _roll_back(way, plan, instance, Books(history, by, held), progress, data)


def _roll_back(
    way: WayBack,
    plan: Plan,
    instance: Instance,
    books: Books,
    progress: Progress,
    data: Data | None,
) -> tuple[Done, ...]:
    done = _made(plan, instance, progress, books, data)
    for one in way.pending:
        with _written("live is rolled back", one, done):
            books.check()
            steps.forget(one, books)
    for one in way.undone:
        with _written(f"{one.id} is rolled back", one, done):
            forget(one, books)
        progress.revision(one)
    return done


def forget(revision: Revision, books: Books) -> None:
    """End the records of ``revision``, and of what it replaces; raises :class:`LockLost` and :class:`ServerError`."""
    books.check()
    steps.forget(revision, books)  # applied again, they begin at the first row
    for link in (revision.link, *reversed(revision.replaces)):
        books.history.remove_revision(link.id)


def record(revision: Revision, books: Books) -> None:
    """Record that ``revision`` is applied; raises :class:`LockLost` and :class:`ServerError`."""
    books.check()
    now = datetime.now(UTC)
    books.history.add_revision(AppliedRevision(revision.id, revision.checksum, now, books.by))
    steps.forget(revision, books)


def _loaded(found: Iterable[Planned], graph: Graph) -> dict[str, tuple[DataStep, ...]]:
    """The data steps of all revisions that are to be applied, so that code that fails does so before anything is."""
    pending = [one.stage.revision for one in found if not one.stage.is_applied]
    return {one.id: steps.load(one, graph.folder) for one in pending}


@contextmanager
def _stepping(
    revision: Revision, done: Sequence[Done], run: Sequence[str], history: History
) -> Iterator[None]:
    """Tell what is live, which data steps are ``run``, and how far the next one is, where that fails."""
    try:
        yield
    except (MigrationError, ServerError, LockLost, KeyboardInterrupt) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        left = [progress_name(revision, step) for step in revision.data_steps][len(run) :]
        raise MigrationFailed(
            f"the tables of {revision.id} are there, and its data steps are not done: {why}{_so_far(left, history)}",
            [*(one.change.name for one in done if not one.change.quiet), *run],
            left,
            (),
            partly=True,
            permitted=is_permitted(error),
        ) from error


def _so_far(left: Sequence[str], history: History) -> str:
    """How far the first data step is that is ``left``, where it has come anywhere, and that can be read."""
    try:
        reached = history.progress(left[0]) if left else None
    except (ServerError, MigrationError):
        return ""
    return f"; {left[0]} has come to {reached}, and goes on behind that" if reached else ""


@contextmanager
def _written(what: str, revision: Revision, done: Sequence[Done]) -> Iterator[None]:
    """Tell what is live where the record of it fails."""
    try:
        yield
    except (ServerError, LockLost, KeyboardInterrupt) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        names = [one.change.name for one in done]
        raise MigrationFailed(
            f"{what}, and that is not known to be recorded: {why}",
            names,
            (),
            [revision.id],
            permitted=is_permitted(error),
        ) from error


_SHOWN = 5  # files that a message names


def refuse_difference(revision: Revision, plan: Plan, now: Standing) -> None:
    """Raise :class:`MigrationError` where ``plan``, which leads to ``revision``, would do anything."""
    if plan.pending:
        raise MigrationError(
            f"nothing was recorded, because what is live is not as {revision.id} says: {listed(plan.pending)}: "
            f"{_way_out(revision, now)}"
        )


def _way_out(revision: Revision, now: Standing) -> str:
    """What mends it: where files were edited, or later revisions are applied, live is not to be led to ``revision``."""
    last = now.applied[-1] if now.applied else revision
    later = f"record the last one with `btmodel migrate baseline {last.id}`" if last != revision else ""
    if now.edited:
        files = some([one.files(now.graph.folder) for one in now.edited], _SHOWN)
        back = (
            f"put {files} back as applied, and write the change as a new revision with `btmodel migrate new`"
        )
        return f"{back}; or, where live is as {last.id} says, {later}" if later else back
    if later and revision in now.applied:
        return f"it is applied already, and so is {last.id}: {later}, where live is as that says"
    return (
        f"bring it there with `btmodel migrate apply --to {revision.id}`, or declare what is live, which `btmodel "
        "inspect` writes, and write that as a revision with `btmodel migrate new`"
    )


def baseline(
    revision: Revision, plan: Plan, now: Standing, history: History, by: str
) -> tuple[Revision, ...]:
    """Record ``revision`` and all that it stands on as applied, where they are not, and how rows lie; those recorded.

    A record of another checksum is replaced. Raises :class:`MigrationError` where live differs, or the instance has
    revisions that these files lack, and :class:`btmodel.errors.ServerError`.
    """
    refuse_unknown(now)
    refuse_difference(revision, plan, now)
    for change in plan.changes:
        if change.records is not None:
            history.record_layouts(change.table_id, change.records)
    misfits = (*now.pending, *now.edited)
    found = tuple(one for one in now.graph.up_to(revision.id) if one in misfits)
    for one in found:
        record(one, Books(history, by))
        for link in one.replaces:
            history.remove_revision(link.id)
    return found
