"""``btmodel migrate merge`` and ``squash``: join two branches; make one revision of several."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from btmodel.cli.completion import revision_ids
from btmodel.cli.group import models_option
from btmodel.cli.migrate.new import rewriting
from btmodel.cli.migrate.options import is_json, json_option
from btmodel.cli.migrate.plan_output import print_json
from btmodel.cli.migrate.scope import some_revisions
from btmodel.cli.models import settings_and_models
from btmodel.cli.terminal import echo
from btmodel.errors import BtmodelError, MigrationError
from btmodel.migrate.revisions.carrying import Carried, apart, carried
from btmodel.migrate.revisions.folder import is_committed, remove, set_aside, write
from btmodel.migrate.revisions.merging import merge_revision
from btmodel.migrate.revisions.moving import step_of
from btmodel.migrate.revisions.new import differences
from btmodel.migrate.revisions.parted_moves import why_parted
from btmodel.migrate.revisions.past_moves import moves_in
from btmodel.migrate.revisions.squashing import squash as squashed
from btmodel.schema import ModelSchema


def _models_if_any(context: click.Context) -> Sequence[ModelSchema]:
    """The models of the application; none where they cannot be imported, as in the middle of a merge of the code."""
    try:
        return settings_and_models(context)[1]
    except BtmodelError:
        return ()


def _carried_lines(found: Carried, code: Path) -> Iterator[str]:
    """What a merge carries on of the other branch, and what the user has to do for that; and what it does not."""
    for one in found.cells:
        yield f"> {step_of('rewrite', one.layout.model)}  writes {one}, of {one.loser.id}, as {one.taken.id} has it"
    for model in found.models:
        yield f"declare {model.name} as {code} does, which reads what both branches write, until every instance has applied it; then as you took it"
    for one, why in found.left:
        yield f"no step writes {one}, of {one.loser.id}, as {one.taken.id} has it ({why}): where an instance has it, {one.way}"


@click.command("merge")
@click.argument("message", required=False)
@click.option(
    "--take",
    metavar="ID",
    shell_complete=revision_ids,
    help="Take this branch where both changed the same thing in different ways.",
)
@click.option(
    "--no-rewrite",
    is_flag=True,
    help="Write no step that carries on cells of the other branch, as no instance has applied that.",
)
@json_option
@models_option
@click.pass_context
def merge(context: click.Context, message: str | None, take: str | None, no_rewrite: bool) -> None:
    """Write a revision that joins two branches and has the changes of both.

    Where both branches keep an attribute in other columns, or write it in other codecs, a step of the revision rewrites what an instance has of
    the branch that you do not take, as that of a renamed column does.

    Exit code 0: written; 1: both changed the same thing in different ways, or an error.
    """
    graph = some_revisions()
    revision = merge_revision(graph, message, graph.named(take) if take else None)
    for why in why_parted(graph, revision):
        raise MigrationError(f"nothing was written: {why}")
    taken, found = graph.named(take) if take else None, Carried(revision)
    if taken is None and (both := apart(graph, revision)):
        ways = "; ".join(
            f"table {table}, model {model}, attribute {name}: written to {ours} and to {theirs}"
            for (table, model, name), (ours, theirs) in both.items()
        )
        heads = " or ".join(f"--take {side.id}" for side in graph.heads[:2])
        raise MigrationError(f"both branches changed the same thing in different ways ({ways}): use {heads}")
    if taken is not None and not no_rewrite:
        found = carried(graph, revision, taken, _models_if_any(context))
    if found.models:
        steps = {step_of("rewrite", model.name): model for model in found.models}
        revision = rewriting(graph, found.merge, steps)
    sides = graph.heads[:2]
    lines = [
        f"{difference} (since {side.id})"
        for side in sides
        for difference in differences(revision.tables, side.tables)
    ]
    path = write(graph.folder, revision, lines)
    if is_json(context):
        print_json(
            {
                "id": revision.id,
                "path": path.as_posix(),
                "parents": [revision.id for revision in sides],
                "deployed": revision.deployed or None,
                "not_carried": [str(one) for one, _ in found.left],
            }
        )
        return
    echo(f"wrote {path}")
    if revision.data_steps:
        echo(f"wrote {path.with_suffix('.py')}")
        echo(f"  waits until {revision.deployed}")
    for line in (*lines, *_carried_lines(found, path.with_suffix(".py"))):
        echo(f"  {line}")
    others = len(graph.heads) - 2
    if others:
        echo(f"{others} more to merge: run it again")


@click.command("squash")
@click.argument("id", shell_complete=revision_ids)
@click.argument("message", required=False)
@json_option
@click.pass_context
def squash(context: click.Context, id: str, message: str | None) -> None:
    """Replace revision ID and all revisions before it by one, and delete their files.

    Files that are not committed to git move to the folder `squashed` instead. An instance that has applied all of
    the old revisions counts the new one as applied; an instance that has only some of them needs the old files. Data steps are
    left out, because an instance to which the new revision is applied has no rows. An old table of a move that an instance still has
    cannot be compared any more before it is dropped: drop it before you squash.

    Exit code 0: written; 1: an error.
    """
    graph = some_revisions()
    target = graph.named(id)
    revision = squashed(graph, target, message)
    gone = graph.up_to(target.id)
    known = {revision.id for revision in gone if is_committed(graph.folder, revision.id)}
    path = write(graph.folder, revision, map(str, differences(revision.tables, ())))
    moved = {
        revision.id: set_aside(graph.folder, revision.id) for revision in gone if revision.id not in known
    }
    remove(graph.folder, known)
    if is_json(context):
        print_json(
            {
                "id": revision.id,
                "path": path.as_posix(),
                "replaces": [link.id for link in revision.replaces],
                "moves": [one.data for one in revision.moves],
                "moved": sorted(moved),
            }
        )
        return
    echo(f"wrote {path}")
    for old in gone:
        steps = f", and its data steps {', '.join(old.data_steps)}" if old.data_steps else ""
        aside = moved.get(old.id)
        fate = "deleted" if aside is None else "moved"
        where = "" if aside is None else f", to {aside}: it is not committed to git"
        echo(f"  {fate} {old.id}{steps}{where}")
    later = (one for one in graph.revisions.values() if one not in gone)
    compared = {(step.old, step.new) for one in later for step in moves_in(one, graph.folder) if step.step}
    for one in revision.moves:
        if one.is_of_cells or (one.old, one.new) in compared:
            continue  # the step behind it that compares both tables is still there
        echo(
            f"warning: {one.by} moved the rows of {one.old} to {one.new}, and its code is gone: an instance that still has {one.old} cannot compare both "
            f"any more before it drops it, and asks for --allow abandon-table:{one.old}"
        )
