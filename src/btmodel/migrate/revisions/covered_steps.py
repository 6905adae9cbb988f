"""Data steps that need not run, as a step of another branch, or that of a merge behind them, does all that they do."""

from collections.abc import Collection, Iterator, Mapping

from btmodel.codecs.parts import reads_older
from btmodel.declare import schema_of
from btmodel.migrate.changes.results import same_rows
from btmodel.migrate.data.rewriting import RewriteStep
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.merging import NameHistory
from btmodel.migrate.revisions.past_moves import rewriting
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import RevisionTarget
from btmodel.migrate.revisions.steps import load, only_rewriting
from btmodel.migrate.tables.layouts import readings, reads_all
from btmodel.schema import Column, ModelSchema
from btmodel.schema.layout import layout_of


def covered_steps(
    target: RevisionTarget, graph: Graph, way: Collection[Revision], ran: Collection[Revision]
) -> Mapping[str, str]:
    """The data steps of ``target`` that need not run, each with the id of the revision whose step does what they do.

    Only where revisions of another branch stand beside it: by itself, each branch runs its own steps. ``way`` are the revisions that are applied in this run or a later
    one, among them merges, and ``ran`` those whose steps have run by then. Raises :class:`btmodel.errors.MigrationError` for a step that cannot be loaded.
    """
    revision = target.revision
    if target.is_applied or not target.beside or "rewrite" not in revision.code:
        return {}
    before = [one for one in target.beside if one in ran]
    others = [*before, *(one for one in _merges_of(revision, graph) if one in way)]
    models = [
        (one, model, NameHistory.given_by((*graph.up_to(one.id), revision)))
        for one in others
        for _, model in rewriting([one], graph.folder)
    ]
    if not models:
        return {}
    plain = {*only_rewriting(revision)}
    steps = {
        step.name: schema_of(step.model)
        for step in load(revision, graph.folder)
        if isinstance(step, RewriteStep) and step.model is not None and step.name in plain
    }
    return {
        name: one.id
        for name, model in steps.items()
        for one, wide, names in models
        if _covers(wide, model, names) and (one not in before or _is_last(wide, model, names, target))
    }


def _merges_of(revision: Revision, graph: Graph) -> Iterator[Revision]:
    """The merges with steps that join the branch of ``revision`` with another one."""
    for merge in graph.revisions.values():
        sides = [revision in graph.up_to(id) for id in graph.parents[merge.id]]
        if merge.data_steps and any(sides) and not all(sides):
            yield merge


def _covers(wide: ModelSchema, model: ModelSchema, names: NameHistory) -> bool:
    """Whether a step for ``wide`` rewrites every cell that one for ``model`` does, whatever ``names`` their table and families have by then."""
    ours, theirs = layout_of(wide), layout_of(model)
    if wide.table not in names.of_table(model.table) or not same_rows(ours, theirs):
        return False
    codecs = {cell.cell: cell.codec for cell in ours.cells}
    own = {cell.cell: cell.codec for cell in theirs.cells}
    return all(
        any(
            reads_all(codecs[cell], own[place.cell])
            for cell in _called(place, model, names)
            if cell in codecs
        )
        for column in model.columns
        if _is_rewritten(column)
        for place in column.places
    )


def _is_last(wide: ModelSchema, model: ModelSchema, names: NameHistory, target: RevisionTarget) -> bool:
    """Whether the step for ``wide``, which has run, leaves the cells where the one for ``model`` would, and as the joined tables of ``target`` write them."""
    layouts = (one for table in target.tables if table.id == wide.table for one in table.layouts)
    written = {
        cell.cell: readings(cell.codec)[0] for one in layouts if one.model == wide.name for cell in one.cells
    }
    left = {cell.cell: readings(cell.codec)[0] for cell in layout_of(wide).cells}
    places = {column.cell for column in wide.columns}
    return all(
        any(cell in places and left[cell] == written.get(cell) for cell in _called(column, model, names))
        for column in model.columns
        if _is_rewritten(column)
    )


def _called(place: Column, model: ModelSchema, names: NameHistory) -> Iterator[str]:
    """The names that a cell may have by then."""
    qualifier = place.cell.partition(":")[2]
    return (f"{family}:{qualifier}" for family in names.of_family(model.table, place.family))


def _is_rewritten(column: Column) -> bool:
    return bool(column.also) or reads_older(column.codec)
