"""``btmodel migrate``: what differs between the models and an instance; asked for, applied.

One file a command, one line here for each.
"""

from pathlib import Path

import click

from btmodel.cli.group import Command, CommandTable
from btmodel.cli.migrate.group import MigrateGroup
from btmodel.cli.migrate.options import (
    allow_option,
    force_unlock_option,
    instance_option,
    json_option,
    without_lock_option,
)

COMMANDS: CommandTable = {
    "diff": Command("btmodel.cli.migrate.diff", "Compare models, instances and schema files."),
    "plan": Command("btmodel.cli.migrate.plan", "Only show it."),
    "schema": Command("btmodel.cli.migrate.schema", "Print the tables of models or of an instance."),
    "unlock": Command("btmodel.cli.migrate.unlock", "End the lease of a run that is gone."),
}


class _Migrate(MigrateGroup):
    table = COMMANDS


@click.group(cls=_Migrate, invoke_without_command=True)
@instance_option
@allow_option
@click.option(
    "--plan",
    "saved",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Apply exactly this plan, which `btmodel migrate plan --out` wrote.",
)
@click.option("--yes", is_flag=True, help="Do not ask. Changes that lose data still need their --allow.")
@without_lock_option
@force_unlock_option
@json_option
@click.pass_context
def migrate(
    context: click.Context,
    instance: str | None,
    allow: tuple[str, ...],
    saved: Path | None,
    yes: bool,
    without_lock: bool,
    force_unlock: bool,
    json_: bool,
) -> None:
    """Show what differs between the models and an instance, ask, and apply it.

    Exit code 0: applied, or nothing to do; 2: declined; 1: an error.
    """
    if context.invoked_subcommand is not None:
        return
    from btmodel.cli.migrate.applying import Lock
    from btmodel.cli.migrate.run import run_migrate, run_saved
    from btmodel.cli.migrate.scope import instance_of, scope_of

    lock = Lock(without=without_lock, force=force_unlock)
    if saved is None:
        with scope_of(context, instance) as scope:
            code = run_migrate(scope, allow=allow, yes=yes, json_=json_, lock=lock)
    elif allow:
        raise click.UsageError(
            "--allow goes with the making of a plan: say it to `btmodel migrate plan --out`"
        )
    else:
        with instance_of(context, instance) as scope:
            code = run_saved(scope, saved, yes=yes, json_=json_, lock=lock)
    context.exit(code)
