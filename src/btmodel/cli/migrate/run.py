"""``btmodel migrate``: show the pending changes, ask, apply them."""

import sys
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from btmodel.cli.console import Console
from btmodel.cli.migrate.pending import DIFFERENT, NOTHING_TO_DO
from btmodel.cli.migrate.progress import TAKEN, Locking, apply_told, nothing_applied
from btmodel.cli.migrate.scope import Scope, connected, rows_of
from btmodel.cli.migrate.shown import print_json, show, shown_where_wrong
from btmodel.cli.terminal import confirm, echo
from btmodel.errors import MigrationError
from btmodel.migrate import Plan, as_json, read_plan, refuse, tally
from btmodel.migrate.history import History
from btmodel.migrate.planning.saved import SavedPlan
from btmodel.migrate.planning.text import told
from btmodel.migrate.revisions.standing import refuse_without_files
from btmodel.schema import tables_and_templates

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import Admin

Ask = Callable[[Plan], bool]


def run_migrate(
    scope: Scope,
    *,
    allow: Collection[str] = (),
    yes: bool = False,
    json_: bool = False,
    lock: Locking = TAKEN,
    ask: Ask | None = None,
) -> int:
    """Print the plan, ask, and apply it; the exit code, 2 where the answer was no, else 0.

    ``ask`` decides in place of the terminal. Raises :class:`btmodel.errors.BtmodelError`; a plan
    that may not be applied is shown before it is refused.
    """
    with connected(scope) as admin, rows_of(admin, scope) as rows:
        with shown_where_wrong(Console(stderr=json_)), nothing_applied():
            plan = read_plan(admin, tables_and_templates(scope.models), allow, History(admin, rows))
        return _go(plan, admin, rows, lock, yes=yes, json_=json_, ask=ask)


def run_saved(
    scope: Scope, saved: SavedPlan, *, yes: bool = False, json_: bool = False, lock: Locking = TAKEN
) -> int:
    """Print the plan that was saved, ask, and apply exactly that; the exit code, likewise.

    Raises :class:`MigrationError`, with nothing applied, where the instance is not what it was.
    """
    with connected(scope) as admin, rows_of(admin, scope) as rows:
        with nothing_applied():
            plan = saved.read_again(admin, History(admin, rows), scope.server)
        return _go(plan, admin, rows, lock, yes=yes, json_=json_)


def _go(
    plan: Plan,
    admin: "Admin",
    rows: "Database",
    lock: Locking,
    *,
    yes: bool,
    json_: bool,
    ask: Ask | None = None,
) -> int:
    show(told(plan), Console(stderr=json_))
    if plan.pending:
        refuse_without_files(History(admin, rows).revisions())
    refuse(plan)
    if plan.pending and not (yes or (ask or _ask)(plan)):
        echo("nothing was applied", err=json_)
        return DIFFERENT
    done = apply_told(plan, admin, rows, lock, err=json_)
    if json_:
        print_json({**as_json(plan), "done": [one.change.name for one in done if not one.change.quiet]})
    return NOTHING_TO_DO


def _ask(plan: Plan) -> bool:
    if not sys.stdin.isatty():
        raise MigrationError(
            f"nothing was applied: {tally(plan)} waiting for an answer, and there is no terminal to ask at; "
            "say --yes to apply without asking"
        )
    return confirm(f"apply {tally(plan)}?")
