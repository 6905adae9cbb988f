"""Columns that rows must have from now on, and that rows which are there may lack."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

import attrs
from attrs import frozen

from btmodel.migrate.changes.base import Effect, ReadingChange
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.layouts import match
from btmodel.migrate.renamings import with_copied
from btmodel.migrate.shared_keys import may_share
from btmodel.schema import Layout, Table

_WAY = (
    "declare it as optional, `... | None = bt.column(..., default=None)`; to require it, fill it first, by a data step of "
    "the revision in which it is optional (docs/migrations.md#data-steps); to allow it by name is to promise that all rows have it"
)


@frozen
class RequireColumn(ReadingChange):
    """Read a column as one that all rows have; ``known`` is whether it was recorded, as one that rows may lack."""

    verb: ClassVar[str] = "require-column"
    sign: ClassVar[str] = "+"

    model: str
    cell: str
    known: bool
    empty: bool = False

    @property
    def subject(self) -> str:
        """Table and cell."""
        return f"{self.of_table}.{self.cell}"

    @property
    def effect(self) -> Effect:
        """Safe where there are no rows."""
        return Effect.SAFE if self.empty else Effect.BLOCKED

    @property
    def summary(self) -> str:
        """What would become of the rows."""
        before = "was optional" if self.known else "is new"
        if self.empty:
            return f"{self.model} requires it, it {before}, and the table holds no row"
        return f"{self.model} requires it, and it {before}: rows that lack it could not be read (UndecodableCell)"

    @property
    def details(self) -> tuple[str, ...]:
        """What to do."""
        return () if self.empty else (_WAY,)


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[RequireColumn]:
    """The columns that are required, and that rows of a recorded model were written without."""
    if declared is None:
        return
    renamings = facts.to(declared.id)
    if live is not None:
        moved = [layout for one in renamings for layout in one.layouts]
        there = with_copied(live.layouts, moved) if live.layouts else ()
        yield from _between(live.id, declared, there, empty=live.id in facts.empty)
        return
    for one in renamings:
        if one.family is None:
            new, old = one.lying
            yield from _between(declared.id, new, old.layouts, empty=False)


def _between(
    id: str, declared: Table, recorded: tuple[Layout, ...], *, empty: bool
) -> Iterator[RequireColumn]:
    found = match(declared.layouts, recorded)
    for wanted, known in found.both:
        yield from _required(id, wanted, (known,), empty=empty)
    for wanted in found.new:
        # Its rows may be there: those of models that were recorded, as a further model is a view of them.
        shared = [one for one in recorded if may_share(wanted, one)]
        lacking = [_of_key(one, shared) for one in shared]
        yield from _required(id, wanted, lacking, empty=empty)


def _required(id: str, wanted: Layout, known: Iterable[Layout], *, empty: bool) -> Iterator[RequireColumn]:
    """What is ``wanted`` of all rows, and is not in those of each of the ``known`` layouts."""
    before = [{one.cell: one for one in layout.cells} for layout in known]
    for cell in wanted.cells:
        old = [cells.get(cell.cell) for cells in before]
        # What an older version of btmodel recorded says nothing of it, and is taken to be as declared.
        if cell.required and any(one is None or one.required is False for one in old):
            yield RequireColumn(id, wanted.model, cell.cell, any(one is not None for one in old), empty)


def _of_key(layout: Layout, recorded: Iterable[Layout]) -> Layout:
    """What all models of the key of ``layout`` say of its rows: one that requires a cell says that each has it."""
    alike = sorted(
        (cell for one in recorded if one.key == layout.key for cell in one.cells),
        key=lambda cell: cell.required is not False,
    )
    return attrs.evolve(layout, cells=tuple({one.cell: one for one in alike}.values()))
