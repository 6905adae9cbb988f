"""Branches of which one moves the rows of a table to another table, while the other one does something else with that table."""

from collections.abc import Iterator, Sequence

import attrs

from btmodel.declare import schema_of
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.data.moved_models import OLD
from btmodel.migrate.revisions.graph import Graph, graph_of
from btmodel.migrate.revisions.merging import diverged, taken_side
from btmodel.migrate.revisions.past_moves import FoundMove, moves_in
from btmodel.migrate.revisions.revision import Revision
from btmodel.schema.layout import layout_of


def why_parted(graph: Graph, merge: Revision) -> Iterator[str]:
    """Why ``merge``, on top of heads of ``graph``, cannot be written: rows that an instance has moved would not be where the merge goes on."""
    with_merge = graph_of(graph.folder, [*graph.revisions.values(), merge])
    left, right = (graph.revisions[link.id] for link in merge.parents)
    mine, theirs = (_moves_of(graph, one, other) for one, other in ((left, right), (right, left)))
    for one in mine:
        for other in theirs:
            if one.old == other.old and one.new != other.new and _are_same_rows(one, other):
                yield (
                    f"{one.by} moves the rows of {one.old} to {one.new}, and {other.by} moves them to {other.new}, so that what is written to one of these tables alone would not be in the "
                    f"other one: keep one of the two moves, go back before the other one with `btmodel migrate rollback` on each instance that has it, delete its revisions, and "
                    "write what else they change on top of the branch that stays"
                )
    sides = taken_side(with_merge, merge)
    if sides is None:
        return
    taken, loser = sides
    before, kept = (
        {table.id for table in tables} for tables in (diverged(graph, taken, loser)[0], merge.tables)
    )
    gone = (before & kept) - {table.id for table in loser.tables}
    for one in mine if loser == left else theirs:
        if one.old in gone:
            yield (
                f"{one.by} moves the rows of {one.old} to {one.new}, where instances that have applied it write them, and --take {taken.id} would go on with {one.old}, which "
                f"lacks what was written to {one.new} alone: use --take {loser.id}, and declare in {one.new} what {taken.id} changes, with `btmodel migrate new`; or, where the rows are "
                f"not to be moved, go back before that with `btmodel migrate rollback` on each instance that has it, and delete its revisions"
            )


def _moves_of(graph: Graph, side: Revision, other: Revision) -> Sequence[FoundMove]:
    """The moves of the revisions of one side that the other one does not have; of a backfill and a switch, the first."""
    there = graph.up_to(other.id)
    found: dict[tuple[str, str], FoundMove] = {}
    for revision in graph.up_to(side.id):
        for move in moves_in(revision, graph.folder) if revision not in there else ():
            found.setdefault((move.old, move.new), move)
    return tuple(found.values())


def _are_same_rows(one: FoundMove, other: FoundMove) -> bool:
    """Whether two moves are of one model, as far as that is known: a table may have rows of several."""
    layouts = [
        attrs.evolve(layout_of(schema := schema_of(move.step.model)), model=schema.name.removeprefix(OLD))
        for move in (one, other)
        if move.step is not None and move.step.model is not None
    ]
    return len(layouts) < 2 or same_rows(*layouts)
