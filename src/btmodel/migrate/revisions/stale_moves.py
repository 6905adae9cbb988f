"""Moves whose old model does not find cells any more, as a step of another branch has moved them meanwhile."""

from collections.abc import Iterable, Iterator

from attrs import evolve

from btmodel.declare import schema_of
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.data import MoveStep
from btmodel.migrate.data.moved_models import OLD
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.move_losses import moves_of
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.undone_steps import undone_steps
from btmodel.migrate.tables.layouts import codec_in, readings, reads_all
from btmodel.schema.layout import layout_of


def why_stale(revision: Revision, graph: Graph, past: Iterable[Revision]) -> Iterator[str]:
    """Why the moves of ``revision`` cannot run: steps of other branches take away cells that its old models read.

    ``past`` are the revisions that are applied before it.
    """
    for step in moves_of(revision, graph.folder):
        if not step.only_compares:
            yield from _why_stale(step, revision, graph, past)


def _why_stale(step: MoveStep, revision: Revision, graph: Graph, past: Iterable[Revision]) -> Iterator[str]:
    assert step.model is not None
    old = schema_of(step.model)
    lie = evolve(layout_of(old), model=old.name.removeprefix(OLD))
    known = {one.id for one in graph.up_to(revision.id)}
    before = [one for one in past if one.id not in known]
    columns = {place.cell: column for column in old.columns for place in column.places}
    where = {cell: (cell, "") for cell in columns}
    written: dict[
        str, tuple[str, str]
    ] = {}  # the codec of each cell by now, and the revision that rewrote it
    for each in undone_steps(before, graph.folder):
        model, by = each.model, each.revision
        if model.table == old.table and same_rows(layout_of(model), lie):
            moves = {place.cell: column.cell for column in model.columns for place in column.places[1:]}
            where = {
                cell: (moves[at], by.id) if at in moves else (at, id) for cell, (at, id) in where.items()
            }
            written |= {one.cell: (readings(one.codec)[0], by.id) for one in layout_of(model).cells}
    codecs = {one.cell: one.codec for one in lie.cells}
    for cell, (at, id) in where.items():
        column = columns[cell]
        writes, rewriter = written.get(at, (codecs[cell], ""))
        if not reads_all(codecs[cell], writes):
            both = f"Either(new={codec_in(writes)}, old=({codec_in(codecs[cell])}))"
            yield (
                f"{graph.folder / revision.id}.py: nothing was applied, because {step.name} could not read {column.name}: {old.name} reads {cell} as {codec_in(codecs[cell])}, and "
                f"{rewriter}, which another branch wrote, rewrites it as {codec_in(writes)} before it: declare {column.name} of {old.name} in this file, and in those of the steps on it, "
                f"with the codec {both}, and so in the module with which the application writes both tables"
            )
        if at not in {place.cell for place in column.places}:
            yield (
                f"{graph.folder / revision.id}.py: nothing was applied, because {step.name} would not find {column.name}: {old.name} reads it from {cell}, and {id}, which another "
                f"branch wrote, moves these cells to {at} before it: declare {column.name} of {old.name} in "
                f'this file, and in those of the steps on it, as "{at.partition(":")[2]}" with also="{cell.partition(":")[2]}", and so in the module with which the application writes both tables'
            )
