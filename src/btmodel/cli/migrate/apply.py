"""``btmodel migrate apply``: apply the pending revisions."""

import click

from btmodel.cli.migrate.options import (
    allow_option,
    emulated_option,
    force_unlock_option,
    instance_option,
    json_option,
    to_option,
    without_lock_option,
    yes_option,
)
from btmodel.cli.migrate.pending import follow
from btmodel.cli.migrate.progress import Locking
from btmodel.cli.migrate.scope import Changes, allowed, is_json, live, said_yes, some_revisions


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
    """Show the revisions that are pending, up to --to if that is said, ask, and apply them in order.

    Exit code 0: applied, or nothing to do; 2: declined; 1: an error.
    """
    graph = some_revisions()
    target = graph.named(to) if to else None
    with live(context, instance, Changes.unless(said_yes(context, yes))) as there:
        code = follow(
            there,
            graph,
            to=target,
            allow=allowed(context, allow),
            yes=said_yes(context, yes),
            json_=is_json(context, json_),
            lock=Locking(without=without_lock, force=force_unlock),
        )
    context.exit(code)
