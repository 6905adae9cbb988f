"""What the steps of applied revisions have made true of rows, so that nobody has to promise it: where their cells are by now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from attrs import frozen

from btmodel.declare import schema_of
from btmodel.errors import MigrationError
from btmodel.migrate.changes.base import MovedCells, MovedRows, RewrittenCells, StepResults
from btmodel.migrate.data.rewriting import RewriteStep
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.revisions.move_losses import moves_of
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.shared_tables import unread_elsewhere
from btmodel.migrate.revisions.steps import load
from btmodel.migrate.tables.layouts import match, readings
from btmodel.schema import ModelSchema, Table
from btmodel.schema.layout import layout_of


def rewriting(past: Iterable[Revision], folder: Path) -> Iterator[tuple[Revision, ModelSchema]]:
    """The models whose rows are rewritten in place, each with the revision that does that.

    Raises :class:`MigrationError` for a step that cannot be loaded.
    """
    for revision in past:
        if "rewrite" in revision.code:
            for step in load(revision, folder):
                if isinstance(step, RewriteStep) and step.model is not None:
                    yield revision, schema_of(step.model)


def why_copied(revision: Revision, folder: Path, plan: Plan) -> Iterator[str]:
    """Why rows cannot be rewritten that are still to be compared with those from which they were copied or moved, or are copied only now."""
    former = {
        names.new.id: (names.old_name, names.new_name, names.kind)
        for one in (*plan.copies, *plan.drift)
        if (names := one.step_of)
    }
    for move in (one.moved for one in plan.drift if one.moved):
        former |= {step.target_table: (step.table, step.target_table, "table") for step in move.steps}
    later = {copy.table_id for copy in plan.copies}
    before = plan.facts.before
    command = f"btmodel migrate apply --to {before}" if before else "btmodel migrate apply"
    for _, model in rewriting([revision], folder) if former else ():
        if model.table in former:
            old, new, kind = former[model.table]
            first = f"apply a revision that copies {old} to {new}, and then " if model.table in later else ""
            yield (
                f"{folder / revision.id}.py: nothing was applied, because it rewrites cells of {new}, which are compared with those of "
                f"{old} before that is dropped: {first}drop {old} first, with `{command} --allow drop-{kind}:{old}`"
            )


def why_unread(revision: Revision, folder: Path, tables: Sequence[Table]) -> Iterator[str]:
    """Why rows cannot be rewritten that another model of ``tables`` reads, which would not find its cells, or could not read them."""
    for _, model in rewriting([revision], folder):
        for why in unread_elsewhere(tables, model):
            yield f"{folder / revision.id}.py: nothing was applied, because {why}"


@frozen
class PastSteps:
    """The steps of the revisions of the ``past``, in order, of which those in ``ran`` have run, at the ``times`` that are known by their ids.

    A step whose file in ``folder`` cannot be loaded any more shows nothing.
    """

    past: Sequence[Revision]
    ran: Sequence[Revision]
    folder: Path
    times: Mapping[str, datetime]

    def results(self, tables: Iterable[Table], live: Iterable[Table]) -> StepResults:
        """What they have made true that matters on the way from ``live`` tables to ``tables``."""
        declared, there = tuple(tables), {table.id: table for table in live}
        pairs = (
            match(table.layouts, there[table.id].layouts).both for table in declared if table.id in there
        )
        # Most plans change no column that is there: they need no code to be loaded.
        changed = any(set(recorded.cells) - set(wanted.cells) for both in pairs for wanted, recorded in both)
        moved, rewritten = self._cells() if changed else ((), ())
        return StepResults(frozenset(moved), frozenset(rewritten), self._rows(declared, there))

    def _cells(self) -> tuple[Iterable[MovedCells], Iterable[RewrittenCells]]:
        moved: list[MovedCells] = []
        rewritten: list[RewrittenCells] = []
        try:
            for revision, model in rewriting(self.past, self.folder):
                at, layout = self.times.get(revision.id), layout_of(model)
                codecs = {cell.cell: cell.codec for cell in layout.cells}
                for column in model.columns:
                    here = (model.table, column.cell)
                    moved = [one for one in moved if (one.table, one.old) != here or not one.is_of(layout)]
                    rewritten = [
                        one for one in rewritten if (one.table, one.cell) != here or not one.is_of(layout)
                    ]
                    if revision not in self.ran:
                        continue
                    for place in column.places[1:]:
                        cells = (place.cell, column.cell)
                        moved.append(MovedCells(model.table, layout, *cells, column.required, at))
                    if both := codecs.get(column.cell):
                        codec = readings(both)[0]
                        rewritten.append(RewrittenCells(model.table, layout, column.cell, both, codec, at))
        except MigrationError:
            return (), ()
        return moved, rewritten

    def _rows(self, declared: Iterable[Table], live: Iterable[str]) -> tuple[MovedRows, ...]:
        """The tables that are ``live`` and not ``declared``, and whose rows were moved, also to one that moved on since."""
        left = set(live) - {table.id for table in declared}
        found: dict[str, MovedRows] = {}
        for revision in self.ran if left else ():
            moves = moves_of(revision, self.folder)
            for table in {step.table for step in moves} & left:
                mine = tuple(step for step in moves if step.table == table)
                compares = all(step.only_compares for step in mine)
                by = found[table].by if compares and table in found else revision.id
                found[table] = MovedRows(table, mine, by, self.times.get(revision.id))
        return tuple(found.values())
