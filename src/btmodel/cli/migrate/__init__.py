"""``btmodel migrate``: compares models with an instance, and applies the changes.

One file a command, one line here for each.
"""

from pathlib import Path

import click

from btmodel.cli.group import Command, CommandTable, instance_option, models_option
from btmodel.cli.migrate.options import (
    MigrateGroup,
    allow_option,
    emulated_option,
    force_unlock_option,
    json_option,
    without_lock_option,
    yes_option,
)

COMMANDS: CommandTable = {
    "apply": Command("btmodel.cli.migrate.apply", "Apply pending revisions."),
    "baseline": Command("btmodel.cli.migrate.status", "Record revisions as applied without applying them."),
    "diff": Command("btmodel.cli.migrate.diff", "Compare models, instances and schema files."),
    "history": Command("btmodel.cli.migrate.status", "List the revisions."),
    "merge": Command("btmodel.cli.migrate.merge", "Join two branches of revisions."),
    "new": Command("btmodel.cli.migrate.new", "Write the next revision from the changes of the models."),
    "plan": Command("btmodel.cli.migrate.pending", "Show pending changes without applying them."),
    "preview": Command(
        "btmodel.cli.migrate.preview", "Estimate what pending stages take: rows, bytes, minutes, money."
    ),
    "rollback": Command("btmodel.cli.migrate.apply", "Return an instance to an earlier revision."),
    "schema": Command("btmodel.cli.migrate.diff", "Print the tables of models or of an instance."),
    "squash": Command("btmodel.cli.migrate.merge", "Squash revisions into one."),
    "status": Command("btmodel.cli.migrate.status", "List applied and pending revisions of an instance."),
    "unlock": Command("btmodel.cli.migrate.apply", "Release the lock of a run that has ended."),
    "verify": Command("btmodel.cli.migrate.status", "Compare the instance with the applied revision."),
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
    help="Apply exactly the plan that `btmodel migrate plan --out FILE` wrote.",
)
@yes_option
@without_lock_option
@force_unlock_option
@emulated_option
@json_option
@models_option
@click.pass_context
def migrate(
    context: click.Context,
    instance: str | None,
    allow: tuple[str, ...],
    saved: Path | None,
) -> None:
    """Compare the models with an instance, show the changes, ask, and apply them.

    If there are revisions, in the folder `migrations`, show and apply the pending ones instead.

    Exit code 0: applied, or nothing to do; 2: declined; 1: an error.
    """
    if context.invoked_subcommand is not None:
        return
    from btmodel.cli.migrate.confirmed_run import Mode
    from btmodel.cli.migrate.pending import run_pending, run_saved
    from btmodel.cli.migrate.scope import all_revisions, open_instance
    from btmodel.cli.models import settings_and_models
    from btmodel.migrate.planning.saved import load
    from btmodel.schema.table import settled_tables

    mode = Mode.of(context)
    if saved is None:
        graph, models = all_revisions(), settings_and_models(context)[1]
        declared = settled_tables(models)
        with open_instance(context, instance, mode.changes) as there:
            code = run_pending(there, graph, lambda: models, mode, declared=declared, allow=allow)
    elif allow:
        raise click.UsageError("--allow applies when a plan is made: give it to `btmodel migrate plan --out`")
    else:
        plan = load(saved)  # before a server is started, or a file made
        with open_instance(context, instance, mode.changes) as there:
            code = run_saved(there, plan, mode)
    context.exit(code)
