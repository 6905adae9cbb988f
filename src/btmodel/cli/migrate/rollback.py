"""``btmodel migrate rollback``: return to an earlier revision."""

import click

from btmodel.cli.console import Console
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
from btmodel.cli.migrate.pending import DIFFERENT, agreed, names_of, tell_wait
from btmodel.cli.migrate.progress import moving, refuse_without_transactions, telling, until_told_to_end
from btmodel.cli.migrate.scope import Changes, allowed, is_json, live, said_yes, some_revisions
from btmodel.cli.migrate.shown import print_json, show, shown_where_wrong
from btmodel.cli.terminal import echo
from btmodel.migrate import as_json, refuse
from btmodel.migrate.applying.copying import Data
from btmodel.migrate.history.lock import me
from btmodel.migrate.planning.text import told, with_left_over
from btmodel.migrate.revisions.applying import Progress, roll_back
from btmodel.migrate.revisions.rollback import left_over, plan_back, refuse_loss, way_back
from btmodel.words import counted


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
    yes: bool,
    without_lock: bool,
    force_unlock: bool,
    json_: bool,
) -> None:
    """Show the way back to the revision --to, or else one back, ask, and go it.

    Where it would lose data, such as the rows of a table that came with a revision, it says so, and what to allow:
    --allow drop-table:TRADE drops the table, --allow keep-table:TRADE keeps it, undeclared.

    Exit code 0: gone back; 2: declined; 1: it would lose data, or an error.
    """
    graph = some_revisions()
    target = graph.named(to) if to else None
    names, as_data = allowed(context, allow), is_json(context, json_)
    if graph.parted:  # the way back may be the way out
        echo(graph.parted, err=True)
    with live(context, instance, Changes.unless(said_yes(context, yes)), makes_file=False) as there:
        way = way_back(there.standing(graph), target)
        with shown_where_wrong(Console(stderr=as_data)):
            plan = plan_back(way, there.instance, there.history, names)
        echo(way.heading, err=as_data)
        show(with_left_over(told(plan), left_over(way, plan, names)), Console(stderr=as_data))
        refuse_loss(way, plan, names)
        refuse(plan)
        undone = [one.id for one in way.undone]
        if undone and not agreed(
            f"{counted(len(undone), 'revision')} to roll back", yes=said_yes(context, yes)
        ):
            echo("nothing was rolled back", err=as_data)
            context.exit(DIFFERENT)
        if not without_lock:
            refuse_without_transactions(there.instance)
        back = lambda one: echo(f"rolled back {one.id}", err=as_data)  # noqa: E731
        with until_told_to_end(), moving(err=as_data) as moved:
            progress = Progress(telling(moved, err=as_data), back, tell_wait)
            done = roll_back(
                way,
                plan,
                there.instance,
                there.history,
                me(),
                progress,
                locked=not without_lock,
                force=force_unlock,
                data=Data(there.rows, moved, moved.say),
            )
    if as_data:
        print_json({**as_json(plan), "undone": undone, "done": names_of(done)})
