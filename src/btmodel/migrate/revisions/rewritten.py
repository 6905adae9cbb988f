"""What the steps of applied revisions have made true of rows, so that nobody has to promise it: where their cells are by now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from btmodel.declare import schema_of
from btmodel.errors import MigrationError
from btmodel.migrate.changes.base import MovedCells, MovedRows
from btmodel.migrate.data.comparison import MoveStep
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


def moved_rows(
    tables: Iterable[Table],
    live: Iterable[Table],
    ran: Iterable[Revision],
    folder: Path,
    times: Mapping[str, datetime],
) -> tuple[MovedRows, ...]:
    """The tables that are ``live``, that ``tables`` no longer declare, and whose rows were moved to such as they declare.

    The steps of the revisions in ``ran`` have run, in this order, at the ``times`` that are known by their ids. A step that cannot be
    loaded any more shows nothing.
    """
    declared = {table.id for table in tables}
    left = {table.id for table in live} - declared
    found: dict[str, MovedRows] = {}
    for revision in ran if left else ():
        try:
            steps = load(revision, folder) if "move" in revision.code else ()
        except MigrationError:
            continue
        moves = [step for step in steps if isinstance(step, MoveStep)]
        for table in {step.table for step in moves} & left:
            mine = tuple(step for step in moves if step.table == table and step.target_table in declared)
            found[table] = MovedRows(table, mine, revision.id, times.get(revision.id))
    return tuple(move for move in found.values() if move.steps)
