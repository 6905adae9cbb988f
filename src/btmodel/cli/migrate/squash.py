"""``btmodel migrate squash``: many revisions made one."""

import click

from btmodel.cli.completing import revision_ids
from btmodel.cli.migrate.options import json_option
from btmodel.cli.migrate.revisions import is_json, some_revisions
from btmodel.cli.migrate.shown import print_json
from btmodel.cli.terminal import echo
from btmodel.migrate.revisions.committed import is_committed
from btmodel.migrate.revisions.folder import remove, set_aside, write
from btmodel.migrate.revisions.new import differences
from btmodel.migrate.revisions.squashing import squash as squashed


@click.command("squash")
@click.argument("id", shell_complete=revision_ids)
@click.argument("message", required=False)
@json_option
@click.pass_context
def squash(context: click.Context, id: str, message: str | None, json_: bool) -> None:
    """Put one revision in the place of ID and all that it stands on, and delete their files.

    Files that were not committed to git as they are go to the folder `squashed` beside it instead. An instance that has
    applied them knows the new one as applied; one that has some of them needs the old files to go on. Data steps are left out: where the new one is applied, there are no rows.

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
        where = "" if aside is None else f", to {aside}: git does not have it as it is"
        echo(f"  {what} {one.id}{steps}{where}")
