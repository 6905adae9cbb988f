"""``btmodel migrate apply``: apply the pending revisions."""

import click

from btmodel.cli.group import instance_option
from btmodel.cli.migrate.options import (
    allow_option,
    emulated_option,
    force_unlock_option,
    json_option,
    to_option,
    without_lock_option,
    yes_option,
)
from btmodel.cli.migrate.pending import run_pending
from btmodel.cli.migrate.run import Mode
from btmodel.cli.migrate.scope import allowed, live, some_revisions


@click.command("apply")
@instance_option
@to_option
@allow_option
@yes_option
@without_lock_option
@force_unlock_option
@emulated_option
@json_option
@click.pass_context
def apply(
    context: click.Context,
    instance: str | None,
    to: str | None,
    allow: tuple[str, ...],
    yes: bool,
    without_lock: bool,
    force_unlock: bool,
    json_: bool,
) -> None:
    """Show the pending revisions (up to --to, if given), ask, and apply them in order.

    Exit code 0: applied, or nothing to do; 2: declined; 1: an error.
    """
    graph = some_revisions()
    target = graph.named(to) if to else None
    mode = Mode.of(context, yes=yes, json_=json_, without_lock=without_lock, force_unlock=force_unlock)
    with live(context, instance, mode.changes) as there:
        code = run_pending(there, graph, None, mode, to=target, allow=allowed(context, allow))
    context.exit(code)
