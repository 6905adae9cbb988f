"""``btmodel migrate diff``: what differs between any two of models, instances and schema files."""

import click

from btmodel.cli.migrate.endpoints import is_live, tables_of
from btmodel.cli.migrate.options import format_option, json_option, said_before
from btmodel.cli.migrate.plan import DIFFERENT, NOTHING_TO_DO, print_told
from btmodel.cli.migrate.shown import print_json
from btmodel.migrate import as_json, make_plan
from btmodel.migrate.templates import paired
from btmodel.migrate.told import compared


@click.command("diff")
@click.argument("from_", metavar="FROM")
@click.argument("to")
@format_option
@json_option
@click.pass_context
def diff(context: click.Context, from_: str, to: str, format_: str, json_: bool) -> None:
    """Show what leads from one schema to another; nothing is applied.

    Each is `models`, an instance (its name in the settings, or path), a revision (revision:0002), or a
    schema file (.json, .toml) as `btmodel migrate schema` writes it.

    Exit code 0: no difference; 2: some; 1: an error.
    """
    new, old = tables_of(context, to), tables_of(context, from_)
    wanted, there = paired(new, old, live=is_live(from_)), paired(old, new, live=is_live(to))
    found = make_plan(f"{from_} to {to}", wanted, there)
    if json_ or said_before(context).get("json_", False):
        print_json(as_json(found))
    else:
        print_told(compared(found), format_)
    context.exit(DIFFERENT if found.changes or found.drift else NOTHING_TO_DO)
