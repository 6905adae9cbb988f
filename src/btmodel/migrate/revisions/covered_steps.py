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
from btmodel.migrate.tables.layouts import reads_all
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
    others = [one for one in target.beside if one in ran]
    others += [one for one in _merges_of(revision, graph) if one in way]
    models = [
        (one.id, model, NameHistory.given_by((*graph.up_to(one.id), revision)))
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
        name: id for name, model in steps.items() for id, wide, names in models if _covers(wide, model, names)
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

    def is_read(cell: str) -> bool:
        family, colon, qualifier = cell.partition(":")
        called = (f"{name}{colon}{qualifier}" for name in names.of_family(model.table, family))
        return any(reads_all(codecs[name], own[cell]) for name in called if name in codecs)

    rewritten = (column for column in model.columns if _is_rewritten(column))
    return all(is_read(place.cell) for column in rewritten for place in column.places)


def _is_rewritten(column: Column) -> bool:
    return bool(column.also) or reads_older(column.codec)
