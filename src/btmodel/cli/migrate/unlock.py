"""``btmodel migrate unlock``: release the lock of a run that has ended."""

import sys

import click

from btmodel.cli.migrate.options import emulated_option, instance_option
from btmodel.cli.migrate.scope import Changes, connected, instance_of, journal_of
from btmodel.cli.terminal import confirm, echo
from btmodel.errors import MigrationError
from btmodel.migrate.history import Journal, UnreadableRecord
from btmodel.migrate.history.lock import told

FREE = 0
DECLINED = 2


@click.command("unlock")
@instance_option
@emulated_option
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_context
def unlock(context: click.Context, instance: str | None, yes: bool) -> None:
    """End the lease of a run that is gone. One that goes on stops before its next table.

    Nobody needs it in the end: who waits takes a lease over once it was not renewed for half a minute.

    Exit code 0: nobody has the lease now; 2: declined; 1: an error.
    """
    with (
        instance_of(context, instance, Changes.unless(yes), makes_file=False) as scope,
        connected(scope) as admin,
        journal_of(admin, scope) as journal,
    ):
        code = run_unlock(journal, yes=yes)
    context.exit(code)


def run_unlock(journal: Journal, *, yes: bool = False) -> int:
    """Show who has the lease, ask, and end it; the exit code. Raises :class:`btmodel.errors.BtmodelError`."""
    try:
        lease = journal.lease()
    except UnreadableRecord as error:
        return _drop(journal, error, yes=yes)
    if lease is None:
        echo("nobody has the lease")
        return FREE
    asked = f"{told(lease)}, has the lease, which by the clock of its machine lasts until {lease.expires:%H:%M:%S} UTC, and is renewed"
    if not (yes or _ask(asked)):
        return DECLINED
    ended = journal.swap_lease(lease, None)
    echo(f"ended the lease of {told(lease)}" if ended else "the lease was given back meanwhile")
    return FREE


def _drop(journal: Journal, error: UnreadableRecord, *, yes: bool) -> int:
    """Ask, and end a lease of which nobody can say whose it is; the exit code."""
    if not (yes or _ask(f"whose lease it is cannot be told ({error.__cause__ or error})")):
        return DECLINED
    journal.drop_lease()
    echo("ended a lease that could not be read")
    return FREE


def _ask(question: str) -> bool:
    if not sys.stdin.isatty():
        raise MigrationError(f"{question}; say --yes to end it")
    return confirm(f"{question}: end it?")
