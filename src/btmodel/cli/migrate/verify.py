"""``btmodel migrate verify`` and ``baseline``: compare an instance with a revision; record that it has its tables."""

import attrs
import click

from btmodel.cli.completion import revision_ids
from btmodel.cli.console import Console
from btmodel.cli.group import instance_option
from btmodel.cli.migrate.options import emulated_option, json_option
from btmodel.cli.migrate.scope import Changes, is_json, live, some_revisions
from btmodel.cli.migrate.shown import print_json, show
from btmodel.cli.terminal import echo
from btmodel.errors import MigrationError
from btmodel.migrate import as_json, read_plan
from btmodel.migrate.history.lock import me
from btmodel.migrate.planning.text import NOTHING, plan_text
from btmodel.migrate.revisions.planning import leftovers
from btmodel.migrate.revisions.records import baseline as record_baseline
from btmodel.migrate.revisions.records import refuse_difference
from btmodel.migrate.revisions.standing import refuse_partly, refuse_unknown, refuse_what_does_not_fit

SAME = 0
DRIFTED = 2


@click.command("verify")
@instance_option
@json_option
@click.pass_context
def verify(context: click.Context, instance: str | None, json_: bool) -> None:
    """Compare the instance with the last applied revision, and show changes that other programs or people made.

    Leftovers of earlier revisions, such as the old family of a renaming, are shown but do not count as a difference.

    Exit code 0: no difference; 2: a difference; 1: an error, or two branches that are not merged.
    """
    graph = some_revisions()
    with live(context, instance) as there:
        now = there.standing(graph)
        refuse_what_does_not_fit(now)
        refuse_unknown(now)
        if now.last is None:
            raise MigrationError(
                f"no revision is applied to {there.instance.instance}: run `btmodel migrate apply` to apply them, or "
                "`btmodel migrate baseline` if the instance already has their tables"
            )
        plan = read_plan(there.instance, now.last.tables, history=there.history)
    left = leftovers(plan, now.applied)
    different = bool(plan.pending) or len(left) < len(plan.drift)
    if is_json(context, json_):
        names = [one.name for one in left]
        print_json({"revision": now.last.id, **as_json(plan), "left_by_earlier_revisions": names})
    else:
        echo(f"compared with {now.last.id}:")
        said = plan_text(plan, now.command)
        # Nothing is done or recorded here, so nothing is said of that.
        tally = "no difference" if said.tally == NOTHING else said.tally
        show(attrs.evolve(said, tally=tally, recorded=0), Console())
        if left and not different:
            echo("all of that was left by earlier revisions: nothing was changed since they were applied")
    _ = graph.head  # raises for two
    context.exit(DRIFTED if different else SAME)


@click.command("baseline")
@click.argument("id", required=False, shell_complete=revision_ids)
@instance_option
@emulated_option
@json_option
@click.pass_context
def baseline(context: click.Context, id: str | None, instance: str | None, json_: bool) -> None:
    """Record revision ID (by default the last one) and those before it as applied, for an instance that already has their tables.

    The command changes no table. It refuses if the instance differs from the revision, or has revisions that this checkout
    lacks. If a revision file was edited after it was applied, the command updates its record.

    Exit code 0: recorded now or before; 1: the instance differs, or an error.
    """
    graph = some_revisions()
    target = graph.named(id) if id else graph.head
    assert target is not None, "there is a revision"
    with live(context, instance, Changes.WITHOUT_A_QUESTION) as there:
        now = there.standing(graph)
        refuse_unknown(now)
        plan = read_plan(there.instance, target.tables, history=there.history)
        if plan.pending or plan.drift:
            show(plan_text(plan), Console(stderr=True))
        if plan.pending and not now.edited:
            refuse_partly(now)  # it could not be brought there, either
        refuse_difference(target, plan, now)
        found = record_baseline(target, plan, now, there.history, me())
    if is_json(context, json_):
        print_json({**as_json(plan), "recorded": [one.id for one in found]})
        return
    for one in found:
        echo(f"recorded {one.id}")
    if not found:
        echo(f"nothing to record: {target.id} is applied")
