"""Applying a plan: table by table, each read again before it is touched.

The service has no compare-and-swap on schemas, and a call that timed out may have
worked. So nothing is believed but what is read back: after any failure the table is
read, and what is there then decides whether to go on, to try again or to stop.
"""

from collections.abc import Callable, Iterable

from attrs import frozen

from btmodel.errors import MigrationError, MigrationFailed, ServerError
from btmodel.migrate.books import Books
from btmodel.migrate.changes import Change, Effect
from btmodel.migrate.instance import Instance
from btmodel.migrate.lease import LeaseLost
from btmodel.migrate.plan import Plan
from btmodel.migrate.table import Moved, TableSteps
from btmodel.migrate.told import listed


@frozen
class Done:
    """A change that is live now.

    ``found`` is true where it was found to be live rather than made by a call that
    succeeded: somebody else made it since the plan, or the answer to our call was lost.
    """

    change: Change
    found: bool


def apply(
    plan: Plan,
    instance: Instance,
    progress: Callable[[Done], None] = lambda done: None,
    books: Books | None = None,
) -> tuple[Done, ...]:
    """Make the changes of ``plan``, one call a table, and call ``progress`` with each that is done.

    ``books`` is where it is written down before each table, and after it. Raises :class:`MigrationError`, with
    nothing applied, where the plan holds a change that cannot be made, or a destructive one that nobody
    allowed; and :class:`MigrationFailed`, which says what is done and what is not, where a server fails, where
    somebody changed a table to something that the plan does not know, where the lease is lost, and at Ctrl-C.
    """
    refuse(plan)
    done: list[Done] = []
    for table_id in plan.by_table:
        steps = TableSteps(plan, instance, table_id)
        before = [one.change for one in done]
        try:
            made = _made(steps, books)
            for change in steps.changes:
                done.append(Done(change, found=not change.recorded and change not in made))
                progress(done[-1])
        except (ServerError, Moved, LeaseLost, KeyboardInterrupt) as error:
            raise _failed(plan, steps, before, error) from error
    return tuple(done)


def _made(steps: TableSteps, books: Books | None) -> tuple[Change, ...]:
    """The changes of one table that were made, all of them written down."""
    if books is None:
        return steps.make()
    made = steps.make(lambda: books.begin(steps.id, [change.name for change in steps.changes]))
    with steps.recording():
        books.end(steps.id, steps.layouts)
    return made


def refuse(plan: Plan) -> None:
    """Raise :class:`MigrationError` where ``plan`` holds changes that cannot be made, or that nobody allowed."""
    refused = plan.refused
    if impossible := [change for change in refused if change.effect is Effect.IMPOSSIBLE]:
        raise MigrationError(f"nothing was applied, because it cannot all be done: {listed(impossible)}")
    if refused:
        allow = " ".join(dict.fromkeys(f"--allow {change.requires}" for change in refused))
        lost = any(change.effect is Effect.DESTRUCTIVE for change in refused)
        why = "data would be lost" if lost else "the service, or btmodel, refuses it unless it is asked for"
        raise MigrationError(
            f"nothing was applied, because {why} ({listed(refused)}): say {allow} if that is meant"
        )


def _failed(plan: Plan, steps: TableSteps, done: list[Change], error: BaseException) -> MigrationFailed:
    """What is known after ``error`` came while ``steps`` were made, and ``done`` was done before."""
    why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
    begun = plan.by_table[steps.id]
    untouched = [change for change in plan.changes if change not in begun and change not in done]
    try:
        pending = steps.pending()
    except ServerError:
        return MigrationFailed(why, _told(done), _told(untouched), _told(begun))
    open_ = steps.unknown
    done = done + [change for change in begun if change not in pending and change not in open_]
    return MigrationFailed(why, _told(done), _told([*pending, *untouched]), _told(open_))


def _told(changes: Iterable[Change]) -> list[str]:
    """The names of ``changes``, without those about which nobody is asked."""
    return [change.name for change in changes if not change.quiet]
