"""Applying a plan under the lock."""

from collections.abc import Callable, Iterable

from btmodel.migrate.applying.copying import Data, is_copied
from btmodel.migrate.applying.run import Done, apply, refuse
from btmodel.migrate.history import History, Lock
from btmodel.migrate.history.lock import Books, acquire, is_taken, take
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan


def apply_locked(
    plan: Plan,
    instance: Instance,
    history: History,
    by: str,
    *,
    progress: Callable[[Done], None] = lambda done: None,
    waiting: Callable[[Lock], None] = lambda lock: None,
    force: bool = False,
    data: Data | None = None,
) -> tuple[Done, ...]:
    """Apply ``plan`` as :func:`apply` does, while ``by`` has the lock of the instance, and write it down.

    Where another has the lock, ``waiting`` is called with it. Once he has ended, what he made counts as
    found; where he made all of it, nothing is done here. ``force`` takes the lock from him. A plan that
    changes nothing but the migration history waits for nobody. Raises what :func:`apply` does, and
    :class:`MigrationError` where the lock is not to be had.
    """
    refuse(plan)
    if not plan.pending:
        return _recorded(plan, instance, history, by, progress, force=force)
    held = acquire(history, by, needed=lambda: _left(plan, instance, history), waiting=waiting, force=force)
    if held is None:
        found = tuple(Done(change, found=True) for change in plan.changes)
        for one in found:
            progress(one)
        return found
    with held:
        books = Books(history, by, held)
        done = apply(plan, instance, progress, books, data)
        end_left(plan, books)
        return done


def authors(history: History, done: Iterable[Done], by: str) -> tuple[str, ...]:
    """Who else made what was found done, as far as it was written down."""
    tables = {one.change.table_id for one in done if one.found}
    if not tables:
        return ()
    return tuple(sorted({step.by for id, step in history.steps().items() if id in tables and step.by != by}))


def _left(plan: Plan, instance: Instance, history: History) -> bool:
    """Whether any table of ``plan`` needs a change still, or cells are to be copied."""
    if any(not is_copied(change, history) for change in plan.copies):
        return True
    changed = (id for id, changes in plan.by_table.items() if any(change.by_call for change in changes))
    return any(plan.left(id, instance.table(id)) for id in changed)


def _recorded(
    plan: Plan,
    instance: Instance,
    history: History,
    by: str,
    progress: Callable[[Done], None],
    *,
    force: bool,
) -> tuple[Done, ...]:
    """Record what is live, with the end of steps whose runs were killed before they could; nothing else is left."""
    books = Books(history, by)
    done = apply(plan, instance, progress, books)
    ended = _ended(plan, books)
    # Where another has the lock, the steps may be his, and under way.
    left = ended or (force and is_taken(history))
    held = take(history, by, force=force) if left else None
    if held is not None:
        with held:
            for id in ended:
                books.end(id)
    return done


def end_left(plan: Plan, books: Books) -> None:
    """Write down that what killed runs left is as it should be, as far as the applied ``plan`` shows; raises :class:`btmodel.errors.ServerError`."""
    for id in _ended(plan, books):
        books.end(id)


def _ended(plan: Plan, books: Books) -> list[str]:
    """The tables that a killed run left as they should be, as an applied plan shows, without writing that down."""
    declared = {table.id for table in plan.declared}
    live = {table.id for table in plan.live}
    return [id for id in books.unfinished if id in declared or id not in live]
