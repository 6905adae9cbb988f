"""``btmodel verify-service``: try on an instance what btmodel assumes of the service."""

import json
import sys
import uuid

import click
from rich.table import Table

from btmodel.cli.completion import instance_names
from btmodel.cli.connection import reached
from btmodel.cli.console import Console
from btmodel.cli.terminal import confirm, echo
from btmodel.client.target import SERVICE, Target
from btmodel.errors import SettingsError
from btmodel.settings import read
from btmodel.words import counted

PREFIX = "btmodel_verify_"
# About 2,100 rows and 5 MiB are written and read once, in a table of three families.
_COST = "about 4,500 requests of a few hundred bytes and one row of 5 MiB; nothing remains"


@click.command("verify-service")
@click.option(
    "--instance",
    shell_complete=instance_names,
    help="The instance to use: a name from the settings, or a path. By default, that of the settings.",
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--json", "json_", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def verify_service(context: click.Context, instance: str | None, yes: bool, json_: bool) -> None:
    """Check btmodel's assumptions about the service on an instance, and report which assumptions hold.

    The command creates a table of its own and drops it at the end; it touches no other table. Attach the report
    of --json to a bug report.

    Assumptions about SQL are not tried on a local server without the extra btmodel[sql].

    Exit code 0: all assumptions hold; 1: one does not, or was not tried, or an error; 2: declined.
    """
    name = read().instance if instance is None else instance
    if not name:
        raise SettingsError(
            "no instance given: use --instance projects/PROJECT/instances/INSTANCE, or set BTMODEL_INSTANCE"
        )
    with reached(name) as target:
        table = PREFIX + uuid.uuid4().hex[:12]
        if not yes and not _confirmed(target, table):
            context.exit(2)
        results = _results(target, table)
    untried = [result for result in results if result["untried"] is not None]
    failed = [result for result in results if result["came"] is not None]
    hold = len(results) - len(failed) - len(untried)
    if json_:
        echo(
            json.dumps(
                {"instance": target.instance, "server": target.server, "assumptions": results}, indent=2
            )
        )
    else:
        _print(results)
        left = f"; {len(untried)} not tried" if untried else ""
        echo(f"{hold} of {counted(len(results), 'assumption')} hold at {target.server}{left}")
    context.exit(0 if hold == len(results) else 1)


def _confirmed(target: Target, table: str) -> bool:
    if target.host is None and not sys.stdin.isatty():
        raise SettingsError(
            "this command asks before it creates a table on the service: use --yes to run it without a terminal"
        )
    if target.host is not None:
        return True  # on this machine nothing costs anything
    echo(f"This creates the table {table} in {target.instance}, and drops it: {_COST}.", err=True)
    return confirm(f"Run it on {SERVICE}?")


def _results(target: Target, table: str) -> list[dict[str, str | None]]:
    # Here, because these load grpc and Google's client, which `btmodel --help` has no use for.
    from btmodel.client._sync.database import Database
    from btmodel.client.admin import Admin
    from btmodel.client.assumptions import try_all
    from btmodel.client.trials import NotTried

    results: list[dict[str, str | None]] = []
    with Admin(target) as admin, Database(target.held) as db:
        for assumption, came in try_all(db, admin, table):
            about = {"name": assumption.name, "assumption": assumption.says, "rests": assumption.for_}
            said, is_tried = None if came is None else str(came), not isinstance(came, NotTried)
            results.append(
                {**about, "came": said if is_tried else None, "untried": None if is_tried else said}
            )
    return results


def _print(results: list[dict[str, str | None]]) -> None:
    drawn = Table(box=None, pad_edge=False, show_header=False)
    for result in results:
        came, untried = result["came"], result["untried"]
        how = f"not tried: {untried}" if untried is not None else "holds" if came is None else "differs"
        drawn.add_row(how, str(result["name"]), str(result["assumption"]))
        if came is not None:
            drawn.add_row("", "", f"{came}. What depends on it: {result['rests']}")
    Console().print(drawn)
