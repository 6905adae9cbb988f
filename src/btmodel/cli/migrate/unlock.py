"""``btmodel migrate unlock``: release the lock of a run that has ended."""

import sys

import click

from btmodel.cli.group import instance_option
from btmodel.cli.migrate.options import emulated_option
from btmodel.cli.migrate.scope import Changes, live
from btmodel.cli.terminal import confirm, echo
from btmodel.errors import MigrationError
from btmodel.migrate.history import History, UnreadableRecord

FREE = 0
DECLINED = 2


@click.command("unlock")
@instance_option
@emulated_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def unlock(context: click.Context, instance: str | None, yes: bool) -> None:
    """Release the lock of a run that has died. If the run is alive, it stops before its next table.

    A waiting run takes over a lock that has not been renewed for half a minute, so this command only saves time.

    Exit code 0: no run has the lock now; 2: declined; 1: an error.
    """
    with live(context, instance, Changes.unless(yes), makes_file=False) as there:
        code = run_unlock(there.history, yes=yes)
    context.exit(code)


def run_unlock(history: History, *, yes: bool = False) -> int:
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


def _drop(history: History, error: UnreadableRecord, *, yes: bool) -> int:
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
