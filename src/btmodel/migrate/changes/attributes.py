"""Attributes that are declared with the cells of another one, which they would read as their own."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import InstanceFacts, ReadingChange
from btmodel.migrate.tables.layouts import match
from btmodel.schema import Layout, Table


@frozen
class TakeCells(ReadingChange):
    """Let the attribute ``new`` of a model read the cells that its attribute ``old`` wrote; ``former`` are the cells of the new one as recorded."""

    verb: ClassVar[str] = "take-cells"
    sign: ClassVar[str] = "!"

    model: str
    cell: str
    new: str
    old: str
    former: tuple[str, ...]

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.cell}"

    @property
    def summary(self) -> str:
        if self.empty:
            return f"{self.model}.{self.new} is declared with the cells of {self.model}.{self.old}, and the table has no rows"
        return f"{self.model}.{self.new} would read the cells that {self.model}.{self.old} wrote, and its own are {' and '.join(self.former)}"

    @property
    def details(self) -> tuple[str, ...]:
        if self.empty:
            return ()
        qualifier = self.former[0].partition(":")[2]
        return (
            f'to take its own cells along, declare {self.new} with renamed_from="{qualifier}"; two columns that exchange theirs go by way of a third qualifier, '
            "one after the other (`btmodel rule COL002`); if you allow it by name, you say that the values are right as they lie, as where only attributes were "
            "renamed",
        )


def find_taken(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[TakeCells]:
    """The attributes whose declared cells were recorded as those of another one, while their own were others, as far as records name them."""
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        before = {cell.cell: cell.attribute for cell in recorded.cells}
        for cell in wanted.cells:
            old, new = before.get(cell.cell), cell.attribute
            if old is None or new is None or old == new:
                continue
            former = _cells_of(new, recorded)
            # A column that states its former qualifier reads those, too, or has a step that moves them.
            if former and not {*former} & {*_cells_of(new, wanted)}:
                empty = live.id in facts.empty
                yield TakeCells(live.id, wanted.model, cell.cell, new, old, former, empty=empty)


def _cells_of(attribute: str, layout: Layout) -> tuple[str, ...]:
    return tuple(cell.cell for cell in layout.cells if cell.attribute == attribute)
