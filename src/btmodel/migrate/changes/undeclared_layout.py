"""Rows, or cells, that were written by what no model declares any more: drift, or, by name, forgotten."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Change, Drift, Effect
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.layouts import family_of, gone_cells, match
from btmodel.schema import Table
from btmodel.schema.parameters import placeholders


@frozen
class Forget(Change):
    """End the record of a model, or of one of its cells: from now on nobody is told of it."""

    verb: ClassVar[str] = "forget"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.SAFE
    recorded: ClassVar[bool] = True

    of_table: str
    model: str
    cell: str | None = None

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """Table, model, and cell where it is about one."""
        return f"{self.of_table}/{self.model}{'' if self.cell is None else f'.{self.cell}'}"

    @property
    def requires(self) -> str:
        """Its name: nothing is forgotten without it."""
        return self.name

    @property
    def summary(self) -> str:
        """What is forgotten, and that no data is."""
        return "the record of how it was written; what is in the table stays"


@frozen
class UndeclaredLayout(Drift):
    """Rows of a model, or cells of a column, may be in the table, and no model declares them any more."""

    verb: ClassVar[str] = "undeclared"

    of_table: str
    model: str
    cell: str | None
    text: str

    @property
    def table_id(self) -> str:
        """The id of the table."""
        return self.of_table

    @property
    def subject(self) -> str:
        """Table, model, and cell where it is about one."""
        return self.end.subject

    @property
    def summary(self) -> str:
        """What may be there, and how it was written."""
        what = "rows of a model" if self.cell is None else "cells of a column"
        return f"{what} that nothing declares any more may be there, written as {self.text}"

    @property
    def end(self) -> Forget:
        """The change that would end it."""
        return Forget(self.of_table, self.model, self.cell)


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[UndeclaredLayout]:
    """What ``live`` was recorded to hold, and ``declared`` does not."""
    if declared is None or live is None:
        return
    found = match(declared.layouts, live.layouts)
    for layout in found.left:
        yield UndeclaredLayout(live.id, layout.model, None, layout.key_text)
    for wanted, recorded in found.both:
        for cell in gone_cells(wanted, recorded):
            family = family_of(cell.cell)
            if facts.of(live.id, family) is not None:
                continue  # they are where they were, until the family goes that was renamed
            if not _may_be_there(family, declared, live):
                continue  # they went with their family, and a run was killed before it recorded that
            yield UndeclaredLayout(live.id, wanted.model, cell.cell, cell.codec)


def _may_be_there(family: str, declared: Table, live: Table) -> bool:
    """Whether there may be cells in ``family``: of a template, and of a name in braces, nobody can say."""
    unknown = placeholders(live.id) or placeholders(family)
    return bool(unknown) or any(table.family(family) is not None for table in (declared, live))
