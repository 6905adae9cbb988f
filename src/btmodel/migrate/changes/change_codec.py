"""Cells that would be read in another way than they were written."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Effect, ReadingChange
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.codecs import conflict, lost_cell, readings, reads_all
from btmodel.migrate.layouts import match
from btmodel.schema import Table

_WAY = (
    "declare Either(new, old) to write the new codec and read both, or a column with a new name; to allow it by name "
    "is to promise that all cells are rewritten"
)
_APART = (
    "declare a column with a new name, which a data step fills, or codecs whose cells cannot be taken for each other's; "
    "to allow it by name is to promise that no such cell is there"
)
_LOST = "the recorded codec needs a class of yours, which `btmodel inspect` cannot write: declare it as it was recorded"
_NARROWED = "to allow it by name is to promise that all cells of the codec that goes are rewritten"


@frozen
class ChangeCodec(ReadingChange):
    """Take the declared codec for that of the cells; ``live`` is what it was when the table was migrated last."""

    verb: ClassVar[str] = "change-codec"
    sign: ClassVar[str] = "~"

    model: str
    cell: str
    declared: str
    live: str
    empty: bool = False

    @property
    def subject(self) -> str:
        """Table and cell."""
        return f"{self.of_table}.{self.cell}"

    @property
    def reads_all(self) -> bool:
        """Whether the declared codec reads every cell that the recorded one reads."""
        return reads_all(self.declared, self.live)

    @property
    def effect(self) -> Effect:
        """Safe where all old cells can be read, or there are none."""
        return Effect.SAFE if self.empty or self.reads_all else Effect.BLOCKED

    @property
    def summary(self) -> str:
        """Whether old cells can be read."""
        if self.reads_all:
            return "another codec, which reads the cells that are there, too"
        if self.empty:
            return "another codec, and the table holds no row"
        if self._narrowed:
            return "a codec that reads less: cells that were not rewritten since would not be read"
        if self._sides:
            return "codecs side by side that can take each other's cells: some would be read as other values"
        return "another codec: cells that are there would not be read, or be read as other values"

    @property
    def details(self) -> tuple[str, ...]:
        """Both codecs, and what to do."""
        codecs: tuple[str, ...] = (f"recorded: {self.live}", f"declared: {self.declared}")
        if self.effect is Effect.SAFE:
            return codecs
        if lost_cell(self.declared, self.live):
            codecs = (*codecs, _LOST)
        if self._narrowed:
            return (*codecs, _NARROWED)
        return (*codecs, *self._example, _APART if self._sides else _WAY)

    @property
    def _narrowed(self) -> bool:
        return {*readings(self.declared)} < {*readings(self.live)}

    @property
    def _sides(self) -> bool:
        """Whether all codecs of old cells are declared, and others in front of them can take their cells."""
        return {*readings(self.live)} <= {*readings(self.declared)}

    @property
    def _example(self) -> tuple[str, ...]:
        """A cell that would be misread, where there may be one."""
        found = conflict(self.declared, self.live)
        if found is None or found.new is None:
            return ()
        return (
            found.example
            or f"nothing proves that {found.new} reads no cell of {found.old}, whatever it holds",
        )


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[ChangeCodec]:
    """The cells of both that are written, or read, in different ways."""
    if declared is None or live is None:
        return
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        cells = {one.cell: one for one in recorded.cells}
        for cell in wanted.cells:
            known = cells.get(cell.cell, cell)
            if known != cell:
                empty = live.id in facts.empty
                yield ChangeCodec(live.id, wanted.model, cell.cell, cell.codec, known.codec, empty)
