"""Data steps of a branch that a merge has decided against: they would write cells as no model of the merge reads them."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from attrs import frozen

from btmodel.errors import some
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.text import allowing
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.merging import tables_of
from btmodel.migrate.revisions.missed import run_name
from btmodel.migrate.revisions.records import skip_name, stays_name, why_waiting
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import RevisionTarget
from btmodel.migrate.revisions.steps import StepState, only_rewriting, progress_name
from btmodel.migrate.revisions.widening import by_attribute
from btmodel.schema import Table

_SHOWN = 3  # cells that one message names


@frozen(order=True)
class OverruledCell:
    """A cell of a table as the branch of a revision declares it, and neither those who stand beside it nor the tables before both."""

    table: str
    cell: str
    codec: str

    def __str__(self) -> str:
        """``QUOTE.MD:BID as value Int64()``."""
        return f"{self.table}.{self.cell} as {self.codec}"


def overruled_cells(target: RevisionTarget, graph: Graph, instance: Instance) -> tuple[OverruledCell, ...]:
    """The cells that the data steps of ``target`` know otherwise than the merged tables; none where the tables have no rows.

    Raises :class:`btmodel.errors.ServerError`.
    """
    if not target.beside or not target.revision.data_steps or target.is_applied:
        return ()
    others = {one.id for each in target.beside for one in graph.up_to(each.id)}
    before = tables_of(graph, {one.id for one in graph.up_to(target.revision.id)} & others)
    families = {(table.id, family.id) for table in target.tables for family in table.families}
    there = _attributes(target.tables)
    otherwise = [
        cells for name, cells in _attributes(target.revision.tables).items() if cells != there.get(name)
    ]
    cells = frozenset[OverruledCell]().union(*otherwise)
    if {*target.revision.data_steps} <= {*only_rewriting(target.revision)}:
        cells -= _cells(target.tables)  # they do not decide by what they find in other columns
    found = [one for one in cells - _cells(before) if (one.table, one.cell.partition(":")[0]) in families]
    tables = sorted({one.table for one in found})
    filled = {table for table in tables if not instance.is_empty(table)}
    return tuple(sorted(one for one in found if one.table in filled))


def _cells(tables: Iterable[Table]) -> set[OverruledCell]:
    return {cell for cells in _attributes(tables).values() for cell in cells}


def _attributes(tables: Iterable[Table]) -> dict[tuple[str, str, str], frozenset[OverruledCell]]:
    """The cells of each attribute, by its table, its model and its name."""
    return {
        (table.id, layout.model, name): frozenset(
            OverruledCell(table.id, one.cell, one.codec) for one in cells.values()
        )
        for table in tables
        for layout in table.layouts
        for name, cells in by_attribute(layout).items()
    }


def skipped_steps(
    revision: Revision, cells: Collection[OverruledCell], allow: Collection[str], covered: Collection[str]
) -> tuple[str, ...]:
    """The data steps of ``revision`` that do not run: those that are ``covered``, and those that ``allow`` names, since a merge has decided against its ``cells``."""
    return tuple(
        step
        for step in revision.data_steps
        if step in covered or (cells and skip_name(revision, step) in allow)
    )


def _undecided(
    revision: Revision, cells: Collection[OverruledCell], allow: Collection[str], covered: Collection[str]
) -> tuple[str, ...]:
    """The data steps of which the user has not said whether they run, though a merge has decided against ``cells``."""
    skipped = skipped_steps(revision, cells, allow, covered)
    left = [step for step in revision.data_steps if step not in skipped]
    return tuple(step for step in left if cells and run_name(step) not in allow)


def waits_of(
    target: RevisionTarget,
    cells: Collection[OverruledCell],
    allow: Collection[str],
    covered: Collection[str] = (),
) -> tuple[str, ...]:
    """The deployment that ``target`` waits for: none where it is applied, its data steps are skipped, or it is refused for them."""
    revision = target.revision
    decided = not _undecided(revision, cells, allow, covered)
    skipped = skipped_steps(revision, cells, allow, covered)
    all_skipped = bool(skipped) and len(skipped) == len(revision.data_steps)
    if target.is_applied or not decided or all_skipped:
        return ()
    return tuple(why_waiting(revision, allow))


def skip_names(revisions: Iterable[Revision]) -> Iterator[str]:
    """The names that skip the data steps of ``revisions``."""
    return (skip_name(revision, step) for revision in revisions for step in revision.data_steps)


def why_overruled(
    target: RevisionTarget,
    cells: Collection[OverruledCell],
    folder: Path,
    allow: Collection[str],
    covered: Collection[str],
) -> Iterator[str]:
    """Why data steps that would write what a merge has decided against, or would not find what another branch has written, are refused, unless ``allow`` skips or runs them."""
    revision, beside = target.revision, target.beside[-1].id if target.beside else ""
    steps = _undecided(revision, cells, allow, covered)
    if not steps:
        return
    why, where = f"the merge with {beside} has decided against that", "the models of the merge do not read"
    leave = "leave the rows as they are"
    if not {*cells} - _cells(target.tables):  # that is read, and so is what the other branch has
        why, where = f"{beside} keeps the same attributes otherwise", "the other branch has otherwise"
        leave = "leave the rows to the step of the merge, and what else they do to a later revision"
    yield (
        f"{folder / revision.id}.py: nothing was applied, because its data steps were written with {some([*map(str, cells)], _SHOWN)}, and {why}: to {leave}, "
        f"use {allowing([skip_name(revision, step) for step in steps])}; or, where the steps write nothing that {where}, {allowing(map(run_name, steps))}"
    )


def why_half_skipped(
    revision: Revision, skipped: Iterable[StepState], folder: Path, allow: Collection[str]
) -> Iterator[str]:
    """Why steps are not ``skipped`` that an earlier run has begun, unless ``allow`` says that what it wrote stays."""
    for step in skipped:
        if step.begun and stays_name(step.step) not in allow:
            far = "may have written rows" if step.reached is None else f"has come to {step.reached}"
            yield (
                f"{folder / revision.id}.py: nothing was applied, because an earlier run of {progress_name(revision, step.step)} {far}, and no model of the merge reads "
                f"what it wrote: let it run to its end, with {allowing([run_name(step.step)])}, and rewrite the rows by the next revision, with models that read both ways; "
                f"or leave the rows as they are, some in one way and some in the other, with {allowing([stays_name(step.step)])} beside the other name"
            )
