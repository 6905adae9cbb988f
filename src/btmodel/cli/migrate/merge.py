"""``btmodel migrate merge``: two branches of revisions joined."""

import click

from btmodel.cli.completing import revision_ids
from btmodel.cli.migrate.options import json_option
from btmodel.cli.migrate.revisions import is_json, some_revisions
from btmodel.cli.migrate.shown import print_json
from btmodel.cli.terminal import echo
from btmodel.migrate.revisions.folder import write
from btmodel.migrate.revisions.merging import merge_revision
from btmodel.migrate.revisions.new import differences


@click.command("merge")
@click.argument("message", required=False)
@click.option(
    "--take",
    metavar="ID",
    shell_complete=revision_ids,
    help="The branch that is right where both changed one thing, each in its own way.",
)
@json_option
@click.pass_context
def merge(context: click.Context, message: str | None, take: str | None, json_: bool) -> None:
    """Write the revision that joins two branches, with what both changed since they parted.

    Exit code 0: written; 1: both changed one thing in different ways, or an error.
    """
    graph = some_revisions()
    revision = merge_revision(graph, message, graph.named(take) if take else None)
    sides = graph.heads[:2]
    told = [f"{one} (since {side.id})" for side in sides for one in differences(revision.tables, side.tables)]
    path = write(graph.folder, revision, told)
    if is_json(context, json_):
        print_json({"id": revision.id, "path": path.as_posix(), "parents": [one.id for one in sides]})
        return
    echo(f"wrote {path}")
    for line in told:
        echo(f"  {line}")
    others = len(graph.heads) - 2
    if others:
        echo(f"{others} more to merge: run it again")
