"""Applying a plan: table by table, each read again before it is touched.

The service has no compare-and-swap on schemas, and a call that timed out may have
worked. So nothing is believed but what is read back: after any failure the table is
read, and what is there then decides whether to go on, to try again or to stop.
"""

from collections.abc import Callable

from attrs import frozen

from btmodel.errors import MigrationError, MigrationFailed, ServerError
from btmodel.migrate.changes import Change, Effect
from btmodel.migrate.instance import Instance
from btmodel.migrate.plan import Plan
from btmodel.migrate.table import Moved, TableSteps


@frozen
class Done:
    """A change that is live now.

    ``found`` is true where it was found to be live rather than made by a call that
    succeeded: somebody else made it since the plan, or the answer to our call was lost.
    """

    change: Change
    found: bool


def apply(
    plan: Plan, instance: Instance, progress: Callable[[Done], None] = lambda done: None
) -> tuple[Done, ...]:
    """Make the changes of ``plan``, one call a table, and call ``progress`` with each that is done.

    Raises :class:`MigrationError`, with nothing applied, where the plan holds a
    change that cannot be made, or a destructive one that nobody allowed; and :class:`MigrationFailed`, which says what
    is done and what is not, where a server fails, where somebody changed a table to
    something that the plan does not know, and at Ctrl-C.
    """
    refuse(plan)
    done: list[Done] = []
    for table_id, changes in plan.by_table.items():
        steps = TableSteps(plan, instance, table_id)
        before = [one.change for one in done]
        try:
            made = steps.make()
            for change in changes:
                done.append(Done(change, found=change not in made))
                progress(done[-1])
        except (ServerError, Moved, KeyboardInterrupt) as error:
            raise _failed(plan, steps, before, error) from error
    return tuple(done)


def refuse(plan: Plan) -> None:
    """Raise :class:`MigrationError` where ``plan`` holds changes that cannot be made, or that nobody allowed."""
    if impossible := [change for change in plan.refused if change.effect is Effect.IMPOSSIBLE]:
        what = "; ".join(f"{change.subject} {change.summary}" for change in impossible)
        raise MigrationError(f"nothing was applied, because it cannot all be done: {what}")
    if refused := plan.refused:
        what = "; ".join(f"{change.subject} {change.summary}" for change in refused)
        allow = " ".join(f"--allow {change.requires}" for change in refused)
        raise MigrationError(
            f"nothing was applied, because data would be lost ({what}): say {allow} if that is meant"
        )


def _failed(plan: Plan, steps: TableSteps, done: list[Change], error: BaseException) -> MigrationFailed:
    """What is known after ``error`` came while ``steps`` were made, and ``done`` was done before."""
    why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
    begun = plan.by_table[steps.id]
    untouched = [change for change in plan.changes if change not in begun and change not in done]
    try:
        pending = steps.pending()
    except ServerError:
        return MigrationFailed(why, _names(done), _names(untouched), _names(begun))
    done = done + [change for change in begun if change not in pending]
    return MigrationFailed(why, _names(done), _names([*pending, *untouched]))


def _names(changes: list[Change] | tuple[Change, ...]) -> list[str]:
    return [change.name for change in changes]
