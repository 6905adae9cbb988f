"""``btmodel migrate plan``: what differs, without applying it."""

from collections.abc import Collection
from pathlib import Path

import click

from btmodel.cli.console import Console
from btmodel.cli.migrate.options import (
    allow_option,
    format_option,
    instance_option,
    json_option,
    said_before,
)
from btmodel.cli.migrate.scope import Scope, connected, journal_of, scope_of
from btmodel.cli.migrate.shown import print_json, show, shown_where_wrong
from btmodel.cli.output import check_place, force_option, write_output
from btmodel.cli.terminal import echo
from btmodel.errors import MigrationError
from btmodel.migrate import Plan, as_json, read_plan
from btmodel.migrate.revisions.standing import refuse_without_files
from btmodel.migrate.saved import concerned_by, saved_text
from btmodel.migrate.seen import Seen
from btmodel.migrate.told import Told, told
from btmodel.schema import tables_and_templates

NOTHING_TO_DO = 0
DIFFERENT = 2


@click.command("plan")
@instance_option
@allow_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it to a file, too, to be applied as it is: btmodel migrate --plan FILE.",
)
@force_option
@format_option
@json_option
@click.pass_context
def plan(
    context: click.Context,
    instance: str | None,
    allow: tuple[str, ...],
    out: Path | None,
    force: bool,
    format_: str,
    json_: bool,
) -> None:
    """Only show it: what differs, or, where there are revisions, those that are pending.

    Exit code 0: nothing to do; 2: some changes; 1: an error.
    """
    from btmodel.cli.migrate.following import show_pending
    from btmodel.cli.migrate.revisions import all_revisions, declared_tables, live

    outer = said_before(context)
    shape = "json" if json_ or outer.get("json_", False) else format_
    if (graph := all_revisions()).revisions:
        if out is not None:
            raise MigrationError(
                "--out: the revisions are the plan here, and `btmodel migrate` applies what is pending of them"
            )
        declared = declared_tables(context)
        with live(context, instance) as there:
            code = show_pending(there, graph, declared, allow=(*outer.get("allow", ()), *allow), shape=shape)
        context.exit(code)
    if out is not None:
        check_place(out, force=force)
    with scope_of(context, instance) as scope:
        code = run_plan(scope, allow=(*outer.get("allow", ()), *allow), out=out, shape=shape, force=force)
    context.exit(code)


def run_plan(
    scope: Scope,
    *,
    allow: Collection[str] = (),
    out: Path | None = None,
    shape: str = "text",
    force: bool = False,
) -> int:
    """Print the plan as ``text``, ``json`` or ``github``; the exit code, 2 where it changes anything, else 0.

    Raises :class:`btmodel.errors.BtmodelError`.
    """
    wrong = shown_where_wrong(Console(stderr=shape != "text"))
    with connected(scope) as admin, journal_of(admin, scope) as journal, wrong:
        found = read_plan(admin, tables_and_templates(scope.models), allow, journal)
        if found.pending:
            refuse_without_files(journal.revisions())
        seen = None if out is None else Seen.of(scope.server, admin, journal, concerned_by(found))
    if out is not None:
        write_output(out, saved_text(found, seen).encode(), force=force)
    print_plan(found, shape)
    return DIFFERENT if found.pending else NOTHING_TO_DO


def print_plan(found: Plan, shape: str) -> None:
    """Print a plan as ``text``, ``json`` or ``github``."""
    if shape == "json":
        print_json(as_json(found))
    else:
        print_told(told(found), shape)


def print_told(said: Told, shape: str) -> None:
    """Print a plan in words as ``text`` or ``github``."""
    if shape == "github":
        from btmodel.cli.migrate.github import as_markdown

        echo(as_markdown(said), nl=False)
    else:
        show(said, Console())
