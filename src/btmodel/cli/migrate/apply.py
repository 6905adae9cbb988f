"""``btmodel migrate apply``, ``rollback`` and ``unlock``: apply revisions, return to an earlier one, end the lock of a run that died."""

import sys
from functools import partial

import click

from btmodel.cli.console import Console
from btmodel.cli.group import instance_option
from btmodel.cli.migrate.confirmed_run import Mode, carry_out, names_of
from btmodel.cli.migrate.options import (
    allow_option,
    emulated_option,
    flag,
    force_unlock_option,
    is_given,
    json_option,
    to_option,
    without_lock_option,
    yes_option,
)
from btmodel.cli.migrate.pending import DIFFERENT, run_pending
from btmodel.cli.migrate.plan_output import print_json, show, shown_where_wrong
from btmodel.cli.migrate.scope import Changes, allowed, known_models, open_instance, some_revisions
from btmodel.cli.terminal import confirm, echo
from btmodel.errors import MigrationError
from btmodel.migrate import as_json, tally
from btmodel.migrate.history import MigrationHistory, UnreadableRecord
from btmodel.migrate.revisions.rollback import rollback_stage, way_back
from btmodel.words import counted


@click.command("apply")
@instance_option
@to_option
@allow_option
@yes_option
@without_lock_option
@force_unlock_option
@emulated_option
@json_option
@click.option(
    "--runner",
    metavar="RUNNER",
    help="Run data steps and the backfill of moves as pipelines of Apache Beam, with this runner.",
)
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[-- OPTIONS OF BEAM]")
@click.pass_context
def apply(
    context: click.Context,
    instance: str | None,
    to: str | None,
    allow: tuple[str, ...],
    runner: str | None,
    options: tuple[str, ...],
) -> None:
    """Show the pending revisions (up to --to, if given), ask, and apply them in order.

    With --runner, what stands behind -- are options of Apache Beam: --runner=FnApiRunner -- --direct_num_workers=2.

    Exit code 0: applied, or nothing to do; 2: declined; 1: an error.
    """
    if options and not runner:
        raise click.UsageError(f"unexpected argument {options[0]}: options of Apache Beam need --runner")
    graph = some_revisions()
    target = graph.named(to) if to else None
    mode = Mode.of(context, (runner, *options) if runner else ())
    with open_instance(context, instance, mode.changes) as there:
        models = partial(known_models, context)
        code = run_pending(there, graph, models, mode, to=target, allow=allowed(context, allow))
    context.exit(code)


@click.command("rollback")
@instance_option
@to_option
@allow_option
@yes_option
@without_lock_option
@force_unlock_option
@emulated_option
@json_option
@click.pass_context
def rollback(
    context: click.Context,
    instance: str | None,
    to: str | None,
    allow: tuple[str, ...],
) -> None:
    """Show the changes that lead back to the revision --to, or to the one before the last, ask, and roll back.

    A rollback that would lose data, such as the rows of a table that a revision created, is refused and lists the names to
    allow: --allow drop-table:TRADE drops the table, --allow keep-table:TRADE keeps it undeclared.

    Exit code 0: rolled back; 2: declined; 1: it would lose data, or an error.
    """
    graph = some_revisions()
    target = graph.named(to) if to else None
    mode = Mode.of(context)
    if graph.parted:  # the way back may be the way out
        echo(graph.parted, err=True)
    with open_instance(context, instance, mode.changes, makes_file=False) as there:
        seen = there.at_once()
        way = way_back(seen.standing(graph), target)
        with shown_where_wrong(Console(stderr=mode.json)):
            stage = rollback_stage(way, seen.instance, seen.history, allowed(context, allow))
        echo(stage.heading, err=mode.json)
        show(stage.text(), Console(stderr=mode.json))
        stage.refuse_loss()
        undone = [revision.id for revision in way.undone]
        what = tally(stage.plan) if stage.plan.pending else ""
        what = counted(len(undone), "revision") if undone else what
        done = carry_out(there, [stage], what, mode, "roll back")
    if done is None:
        context.exit(DIFFERENT)
    if mode.json:
        print_json({**as_json(stage.plan), "undone": undone, "done": names_of(done)})


FREE = 0
DECLINED = 2


@click.command("unlock")
@instance_option
@emulated_option
@flag("yes", "Do not ask.")
@click.pass_context
def unlock(context: click.Context, instance: str | None) -> None:
    """Release the lock of a run that has died. If the run is alive, it stops before its next table.

    A waiting run takes over a lock that has not been renewed for half a minute, so this command only saves time.

    Exit code 0: no run has the lock now; 2: declined; 1: an error.
    """
    yes = is_given(context, "yes")
    with open_instance(context, instance, Changes.unless(yes), makes_file=False) as there:
        code = run_unlock(there.history, yes=yes)
    context.exit(code)


def run_unlock(history: MigrationHistory, *, yes: bool = False) -> int:
    """Show which run has the lock, ask, and end it; the exit code. Raises :class:`btmodel.errors.BtmodelError`."""
    try:
        lock = history.lock()
    except UnreadableRecord as error:
        return _drop(history, error, yes=yes)
    if lock is None:
        echo("no run has the lock")
        return FREE
    asked = f"{lock}, has the lock; by the clock of its machine, the lock expires at {lock.expires:%H:%M:%S} UTC unless it is renewed"
    if not (yes or _ask(asked)):
        return DECLINED
    ended = history.swap_lock(lock, None)
    echo(f"released the lock of {lock}" if ended else "the lock was released meanwhile")
    return FREE


def _drop(history: MigrationHistory, error: UnreadableRecord, *, yes: bool) -> int:
    """Ask, and end a lock that cannot be read; the exit code."""
    if not (yes or _ask(f"the lock cannot be read, so its owner is unknown ({error.__cause__ or error})")):
        return DECLINED
    history.drop_lock()
    echo("released a lock that could not be read")
    return FREE


def _ask(question: str) -> bool:
    if not sys.stdin.isatty():
        raise MigrationError(f"{question}; use --yes to release it")
    return confirm(f"{question}: release it?")
