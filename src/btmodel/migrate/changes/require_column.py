"""Columns that rows must have from now on, and that rows which are there may lack."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Change, Effect
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.layouts import match
from btmodel.migrate.renamings import with_copied
from btmodel.schema import Layout, Table

_WAY = (
    "declare it as optional, `... | None = bt.column(..., default=None)`; to require it, fill it first, by a data step of "
    "the revision in which it is optional (docs/migrations.md#data-steps); to allow it by name is to promise that all rows have it"
)


@frozen
class RequireColumn(Change):
    """Read a column as one that all rows have; ``known`` is whether it was recorded, as one that rows may lack."""

    verb: ClassVar[str] = "require-column"
    sign: ClassVar[str] = "+"
    recorded: ClassVar[bool] = True

    of_table: str
    model: str
    cell: str
    known: bool
    empty: bool = False

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """Table and cell."""
        return f"{self.of_table}.{self.cell}"

    @property
    def effect(self) -> Effect:
        """Safe where there are no rows."""
        return Effect.SAFE if self.empty else Effect.BLOCKED

    @property
    def effect_if_allowed(self) -> Effect:
        """It changes no data."""
        return Effect.SAFE

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
    for wanted, known in match(declared.layouts, recorded).both:
        before = {one.cell: one for one in known.cells}
        for cell in wanted.cells:
            old = before.get(cell.cell)
            # What an older version of btmodel recorded says nothing of it, and is taken to be as declared.
            if cell.required and (old is None or old.required is False):
                yield RequireColumn(id, wanted.model, cell.cell, old is not None, empty)
