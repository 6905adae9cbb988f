"""What the steps of applied revisions have made true of rows, so that nobody has to promise it: where their cells are by now."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from attrs import frozen

from btmodel.migrate.changes.layouts import may_share
from btmodel.migrate.changes.results import (
    MovedCells,
    MovedRows,
    OneMove,
    RewrittenCells,
    StepResults,
    UnknownMove,
)
from btmodel.migrate.data import MoveStep
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.revisions.past_moves import declared_anew, moves_in, rewriting
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.shared_tables import unread_elsewhere
from btmodel.migrate.tables.layouts import match, readings
from btmodel.schema import Table
from btmodel.schema.layout import layout_of


def writers_left(past: Iterable[Revision], mover: Revision, table: str, old: str, new: str) -> frozenset[str]:
    """The models of revisions beside or after the ``mover`` that write cells under their old name, and of which it does not read them: it has not moved what these write."""
    known = {model for model, cells in _cells_of(mover, table) if {old, new} & cells}
    return frozenset(
        model
        for revision in past
        for model, cells in _cells_of(revision, table)
        if model not in known and old in cells and new not in cells
    )


def _cells_of(revision: Revision, id: str) -> Iterator[tuple[str, set[str]]]:
    """The models of a table, with the names of their cells."""
    for table in revision.tables:
        if table.id == id:
            yield from ((layout.model, {cell.cell for cell in layout.cells}) for layout in table.layouts)


def why_copied(
    revision: Revision, folder: Path, plan: Plan, beside: Sequence[Revision] = ()
) -> Iterator[str]:
    """Why rows cannot be rewritten that are still to be compared with those from which they were copied or moved, or are copied only now.

    What ``revision`` does not rename itself is copied back from the name that a branch ``beside`` it gave.
    """
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
            way = f"{first}drop {old} first, with `{command} --allow drop-{kind}:{old}`"
            if not first and len(revision.parents) > 1:  # no command leads to one branch alone
                way = f"once what is deployed reads {new}, let the same run drop {old} before that, with --allow drop-{kind}:{old}"
            if first and beside and not _renames(revision, model.table):
                way = (
                    f"go back before {beside[-1].id}, which renamed it, with `btmodel migrate rollback`, which copies {old} to {new}, drop {old} with the "
                    "command that the rollback says, and apply this again"
                )
            yield (
                f"{folder / revision.id}.py: nothing was applied, because it rewrites cells of {new}, which are compared with those of "
                f"{old} before that is dropped: {way}"
            )


def _renames(revision: Revision, table: str) -> bool:
    """Whether ``revision`` itself renames a table, or a family of it."""
    tables = [each for each in revision.tables if each.id == table]
    families = [family for each in tables for family in each.families]
    names = [*(each.renamed_from for each in tables), *(family.renamed_from for family in families)]
    return any(name is not None for name in names)


def why_unread(revision: Revision, folder: Path, tables: Sequence[Table]) -> Iterator[str]:
    """Why rows cannot be rewritten that another model of ``tables`` reads, which would not find its cells, or could not read them."""
    for _, model in rewriting([revision], folder):
        for why in unread_elsewhere(tables, model):
            yield (
                f"{folder / revision.id}.py: nothing was applied, because {why}; then, where no instance has it yet, delete {revision.id} and "
                "what stands on it, and write them anew"
            )


@frozen
class PastSteps:
    """The steps of the revisions of the ``past``, in order, of which those in ``ran`` have run, at the ``times`` that are known by their ids.

    A new table of moves of ``pending`` revisions that is there already was kept by a rollback. What they show is asked for with the files of their steps in ``folder``, and raises :class:`MigrationError` if one cannot be loaded.
    """

    past: Sequence[Revision]
    ran: Sequence[Revision]
    folder: Path
    times: Mapping[str, datetime]
    pending: Sequence[Revision] = ()

    def results(self, tables: Iterable[Table], live: Iterable[Table]) -> StepResults:
        """What they have made true that matters on the way from ``live`` tables to ``tables``."""
        declared, there = tuple(tables), {table.id: table for table in live}
        pairs = (
            match(table.layouts, there[table.id].layouts).both for table in declared if table.id in there
        )
        # Most plans change no column that is there: they need no code to be loaded.
        changed = any(set(recorded.cells) - set(wanted.cells) for both in pairs for wanted, recorded in both)
        moved, rewritten = self._cells() if changed else ((), ())
        moves, unknown = self._rows(declared, there)
        return StepResults(
            frozenset(moved), frozenset(rewritten), moves, self._kept(declared, there), unknown
        )

    def _kept(self, declared: Iterable[Table], live: Mapping[str, Table]) -> tuple[MoveStep, ...]:
        """The moves of pending revisions to tables that are ``live`` and not ``declared``."""
        kept = set(live) - {table.id for table in declared}
        found = (one for each in self.pending for one in moves_in(each, self.folder) if kept)
        return tuple(one.step for one in found if one.new in kept and one.step and not one.step.only_compares)

    def gone(self, tables: Iterable[Table], live: Iterable[Table]) -> Iterator[str]:
        """Which columns of ``tables`` are new on ``live`` ones, and named as cells were that a step has moved to another column."""
        there = {
            table.id: {(one.model, cell.cell) for one in table.layouts for cell in one.cells}
            for table in live
        }
        new = [
            (table.id, layout, cell.cell)
            for table in tables
            for layout in table.layouts
            if table.id in there
            for cell in layout.cells
            if (layout.model, cell.cell) not in there[table.id]
        ]
        moved = self._cells()[0] if new else ()
        for id, layout, cell in new:
            cells = {one.cell for one in layout.cells}
            for one in moved:
                if (one.table, one.old) == (id, cell) and one.new not in cells and may_share(one.of, layout):
                    yield (
                        f"{layout.model} reads {id}.{cell}, whose cells a step has moved to {one.new}: it finds those alone that are written there "
                        f"from now on; where it is to read the others, declare {one.new}"
                    )

    def _cells(self) -> tuple[Iterable[MovedCells], Iterable[RewrittenCells]]:
        moved: list[MovedCells] = []
        rewritten: list[RewrittenCells] = []
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
                    writers = writers_left(self.past, revision, model.table, *cells)
                    moved.append(MovedCells(model.table, layout, *cells, column.required, at, writers))
                for place in column.places:  # where cells were moved from, none is left
                    if both := codecs.get(place.cell):
                        codec = readings(both)[0]
                        rewritten.append(RewrittenCells(model.table, layout, place.cell, both, codec, at))
        return moved, rewritten

    def _rows(
        self, declared: Iterable[Table], live: Mapping[str, Table]
    ) -> tuple[tuple[MovedRows, ...], tuple[UnknownMove, ...]]:
        """The tables that are ``live`` and not ``declared``, or have families that are not, and whose rows were moved, also to one that moved on since.

        The second are those of which no revision has code that can be loaded. A table that was declared anew since has other rows. A revision that is only
        recorded as applied counts: both tables are compared before a drop.
        """
        wanted = {table.id: table for table in declared}
        left = {id for id, table in live.items() if _has_more(table, wanted.get(id))}
        known: dict[str, set[str]] = {}
        found: dict[str, dict[tuple[str, str], OneMove]] = {}
        unknown: dict[tuple[str, str], UnknownMove] = {}
        for revision in self.past if left else ():
            anew = declared_anew(revision, known)
            found = {id: moves for id, moves in found.items() if id not in anew}
            unknown = {names: one for names, one in unknown.items() if one.table not in anew}
            ran = revision in self.ran
            for one in moves_in(revision, self.folder):
                if one.old not in left:
                    continue
                step = one.step
                if step is None:
                    unknown[one.old, one.new] = UnknownMove(one.old, None, one.new, one.why)
                    continue
                moves = found.setdefault(one.old, {})
                key = one.new, step.target.__name__
                by = moves[key].by if step.only_compares and key in moves else one.by
                moves[key] = OneMove(step, by, self.times.get(one.by) if ran else None, ran)
        rows = tuple(MovedRows(table, tuple(moves.values())) for table, moves in found.items())
        # The step that compares before the switch of the reads knows both tables as well as the one that moves.
        known_pairs = {(one.step.table, one.step.target_table) for row in rows for one in row.moves}
        return rows, tuple(one for names, one in unknown.items() if names not in known_pairs)


def _has_more(live: Table, declared: Table | None) -> bool:
    """Whether a table in the instance, or a family of it, is not declared."""
    return declared is None or any(declared.family(family.id) is None for family in live.families)
