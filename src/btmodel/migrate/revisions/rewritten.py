"""What the steps of revisions that rewrite rows in place have made true, so that nobody has to promise it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from btmodel.declare import schema_of
from btmodel.errors import MigrationError
from btmodel.migrate.changes.base import MovedCells
from btmodel.migrate.data.rewriting import RewriteStep
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.steps import load
from btmodel.migrate.tables.layouts import gone_cells, match
from btmodel.schema import ModelSchema, Table


def rewriting(past: Iterable[Revision], folder: Path) -> Iterator[tuple[Revision, ModelSchema]]:
    """The models whose rows are rewritten in place, each with the revision that does that.

    Raises :class:`MigrationError` for a step that cannot be loaded.
    """
    for revision in past:
        if "rewrite" in revision.code:
            for step in load(revision, folder):
                if isinstance(step, RewriteStep) and step.model is not None:
                    yield revision, schema_of(step.model)


def moved_cells(
    tables: Iterable[Table],
    before: Iterable[Table],
    past: Iterable[Revision],
    ran: Sequence[Revision],
    folder: Path,
) -> frozenset[MovedCells]:
    """The cells that ``tables`` no longer declare, ``before`` them did, and a step has moved to a column that is declared.

    Of the revisions of the ``past``, in order, the steps of those in ``ran`` have run. A step that cannot be loaded any more shows nothing.
    """
    there = {table.id: table for table in before}
    pairs = (match(table.layouts, there[table.id].layouts).both for table in tables if table.id in there)
    if not any(gone_cells(*pair) for both in pairs for pair in both):
        return frozenset()
    found: dict[tuple[str, str], MovedCells] = {}
    try:
        for revision, model in rewriting(past, folder):
            for column in model.columns:
                old = [place.cell for place in column.places[1:]]
                found.pop((model.table, column.cell), None)
                for cell in old if revision in ran else ():
                    found[model.table, cell] = MovedCells(model.table, cell, column.cell, column.required)
    except MigrationError:
        return frozenset()
    return frozenset(found.values())
