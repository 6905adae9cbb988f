"""``btmodel migrate merge`` and ``squash``: join two branches; make one revision of several."""

import click

from btmodel.cli.completion import revision_ids
from btmodel.cli.migrate.options import json_option
from btmodel.cli.migrate.scope import is_json, some_revisions
from btmodel.cli.migrate.shown import print_json
from btmodel.cli.terminal import echo
from btmodel.migrate.revisions.folder import is_committed, remove, set_aside, write
from btmodel.migrate.revisions.merging import merge_revision
from btmodel.migrate.revisions.merging import squash as squashed
from btmodel.migrate.revisions.new import differences


@click.command("merge")
@click.argument("message", required=False)
@click.option(
    "--take",
    metavar="ID",
    shell_complete=revision_ids,
    help="Take this branch where both changed the same thing in different ways.",
)
@json_option
@click.pass_context
def merge(context: click.Context, message: str | None, take: str | None, json_: bool) -> None:
    """Write a revision that joins two branches and has the changes of both.

    Exit code 0: written; 1: both changed the same thing in different ways, or an error.
    """
    graph = some_revisions()
    revision = merge_revision(graph, message, graph.named(take) if take else None)
    sides = graph.heads[:2]
    lines = [
        f"{one} (since {side.id})" for side in sides for one in differences(revision.tables, side.tables)
    ]
    path = write(graph.folder, revision, lines)
    if is_json(context, json_):
        print_json({"id": revision.id, "path": path.as_posix(), "parents": [one.id for one in sides]})
        return
    echo(f"wrote {path}")
    for line in lines:
        echo(f"  {line}")
    others = len(graph.heads) - 2
    if others:
        echo(f"{others} more to merge: run it again")


@click.command("squash")
@click.argument("id", shell_complete=revision_ids)
@click.argument("message", required=False)
@json_option
@click.pass_context
def squash(context: click.Context, id: str, message: str | None, json_: bool) -> None:
    """Replace revision ID and all revisions before it by one, and delete their files.

    Files that are not committed to git move to the folder `squashed` instead. An instance that has applied all of
    the old revisions counts the new one as applied; an instance that has only some of them needs the old files. Data steps are
    left out, because an instance to which the new revision is applied has no rows.

    Exit code 0: written; 1: an error.
    """
    graph = some_revisions()
    target = graph.named(id)
    revision = squashed(graph, target, message)
    gone = graph.up_to(target.id)
    known = {one.id for one in gone if is_committed(graph.folder, one.id)}
    path = write(graph.folder, revision, map(str, differences(revision.tables, ())))
    moved = {one.id: set_aside(graph.folder, one.id) for one in gone if one.id not in known}
    remove(graph.folder, known)
    if is_json(context, json_):
        print_json(
            {
                "id": revision.id,
                "path": path.as_posix(),
                "replaces": [one.id for one in revision.replaces],
                "moved": sorted(moved),
            }
        )
        return
    echo(f"wrote {path}")
    for one in gone:
        steps = f", and its data steps {', '.join(one.data_steps)}" if one.data_steps else ""
        aside = moved.get(one.id)
        what = "deleted" if aside is None else "moved"
        where = "" if aside is None else f", to {aside}: it is not committed to git"
        echo(f"  {what} {one.id}{steps}{where}")
