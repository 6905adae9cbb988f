"""Cells of columns that a move has left in its old table, before that, or a family of it, is dropped."""

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial

from btmodel.migrate.changes.base import InstanceChange
from btmodel.migrate.changes.moves import DropMovedFamily, DropMovedTable, MovedFamily, MovedTable
from btmodel.migrate.data.behind import unread_cells
from btmodel.migrate.data.copies import ExampleCells
from btmodel.migrate.data.move_steps import MoveStep

# Work on rows that reads what was not moved.
Look = Callable[..., ExampleCells]


def why_unread(
    change: DropMovedTable | DropMovedFamily,
    beside: Iterable[InstanceChange],
    ask: Callable[[Look], ExampleCells],
) -> Iterator[str]:
    """Why what was moved is not dropped: it has cells that no attribute of the new rows takes.

    Families that go ``beside`` it do not count. ``ask`` calls a function with the rows to look at.
    """
    steps = change.move.steps
    if not any(step.may_leave_cells for step in steps):
        return
    gone = {one.family_id for one in beside if one.drops}
    if isinstance(change, DropMovedFamily):
        families, ends = {change.family.id}, MovedFamily(change.of_table, change.family, change.move).ends
    else:
        families = {one.id for one in change.table.families} - gone
        ends = MovedTable(change.table, change.move).ends
    left = ask(partial(unread_cells, table=change.table_id, steps=steps, families=families))
    if left:
        subject, targets = change.subject, change.move.targets
        yield (
            f"{subject} has {left} that no attribute of {targets} takes, so that they would be lost: write them to {targets} with a data step, or use "
            f"--allow {ends[-1].name} to drop {subject} all the same{_left_out(steps, families)}"
        )


def _left_out(steps: Iterable[MoveStep], families: Collection[str]) -> str:
    """How to state, once moves are applied, that columns of these ``families`` are left out on purpose; empty if there are none."""
    columns = (one for step in steps for one in step.columns_not_copied if one.family in families)
    names = tuple(dict.fromkeys(f'"{one.name}"' for one in columns))
    if not names:
        return ""
    return (
        f"; or, if those of {' and '.join(name[1:-1] for name in names)} may go, write left_out=({', '.join(names)}{',' * (len(names) == 1)}) in each @move of these rows, record the "
        "edited files with `btmodel migrate baseline ID`, where ID is the last applied revision, and allow the drop again"
    )
