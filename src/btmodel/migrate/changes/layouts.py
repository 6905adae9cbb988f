"""Changes of row keys, codecs and required columns, and their records."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import attrs
from attrs import frozen

from btmodel.codecs.key import Bytes
from btmodel.design.overlap import apart
from btmodel.migrate.changes.base import Drift, Effect, Facts, PartChange, Phase, ReadingChange
from btmodel.migrate.tables.compatibility import conflict, lost_cell, lost_key, readings, reads_all, takes_all
from btmodel.migrate.tables.layouts import family_of, gone_cells, match
from btmodel.migrate.tables.renamings import with_copied
from btmodel.recorded.layouts import recorded_part
from btmodel.schema import KeyField, KeyPart, Layout, RowKey, Table
from btmodel.schema.limits import KEY_BYTES
from btmodel.schema.names import placeholders

# What stands for a field of which the record does not say the bytes, and for all that follows it.
_ANY = Bytes(max_length=KEY_BYTES, min_length=0)


def may_share(one: Layout, other: Layout) -> bool:
    """Whether a row may be of both layouts; False only where it is proved that no row is."""
    return one.key == other.key or not apart(_key(one), _key(other))


def _key(layout: Layout) -> RowKey:
    return RowKey(tuple(_fields(layout.key)), b"")


def _fields(parts: tuple[KeyPart, ...]) -> Iterator[KeyField]:
    """The fields of a key, as far as it is known of which bytes they are."""
    for part in parts:
        made = recorded_part(part)
        # What is no UTF-8 was recorded as text that other bytes have, too.
        if made.codec is None or "\\" in part.behind:
            yield KeyField(part.name, _ANY, optional=made.optional)
            return
        yield KeyField(part.name, made.codec, optional=made.optional, ends=part.behind.encode())


_KEY_WAY = (
    "rows keep the keys that they were written with: declare the model with a table of a new id, copy the rows, "
    "then drop the old table; if you allow it by name, you promise that all rows are rewritten"
)
_ROWS_LOST = (
    "the recorded key needs code of yours, which `btmodel inspect` cannot write: declare as they were recorded "
    "the fields "
)


@frozen
class ChangeKey(ReadingChange):
    """Take the declared key for that of the rows; ``live`` is how it was when the table was migrated last."""

    verb: ClassVar[str] = "change-key"
    sign: ClassVar[str] = "!"

    declared: Layout
    live: Layout

    @property
    def subject(self) -> str:
        """Table and model."""
        return f"{self.of_table}/{self.declared.model}"

    @property
    def keeps_all(self) -> bool:
        """Whether every key that the recorded one writes is written and read by the declared one as it was."""
        new, old = self.declared.key, self.live.key
        return len(new) == len(old) and all(
            takes_all(one, other) for one, other in zip(new, old, strict=True)
        )

    @property
    def summary(self) -> str:
        """What would become of the rows."""
        if self.keeps_all:
            return "the row key takes more than before, and every key that is there stays what it is"
        if self.empty:
            return "the row key is another one, and the table holds no row"
        return "the row key is another one: rows that are there would not be found, or be read as others"

    @property
    def details(self) -> tuple[str, ...]:
        """Both keys, and what to do."""
        keys = (f"recorded: {self.live.key_text}", f"declared: {self.declared.key_text}")
        if self.effect is Effect.SAFE:
            return keys
        lost = ", ".join(self._lost)
        return (*keys, f"{_ROWS_LOST}{lost}", _KEY_WAY) if lost else (*keys, _KEY_WAY)

    @property
    def _lost(self) -> Iterator[str]:
        """The fields that were derived, or had a codec of the user's, and are plain ones now."""
        for one, other in zip(self.declared.key, self.live.key, strict=False):
            if lost_key(one, other):
                yield other.name


def find_key(declared: Table, live: Table, facts: Facts) -> Iterator[ChangeKey]:
    """The models of both whose keys differ."""
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        if wanted.key != recorded.key:
            yield ChangeKey(live.id, wanted, recorded, empty=live.id in facts.empty)


_CELL_WAY = (
    "declare Either(new, old) to write the new codec and read both, or a column with a new name; if you allow it by name, "
    "you promise that all cells are rewritten"
)
_APART = (
    "declare a column with a new name, which a data step fills, or codecs whose cells cannot be taken for each other's; "
    "if you allow it by name, you promise that no such cell is there"
)
_CELLS_LOST = "the recorded codec needs a class of yours, which `btmodel inspect` cannot write: declare it as it was recorded"
_NARROWED = "if you allow it by name, you promise that all cells of the removed codec are rewritten"


@frozen
class ChangeCodec(ReadingChange):
    """Take the declared codec for that of the cells; ``live`` is what it was when the table was migrated last."""

    verb: ClassVar[str] = "change-codec"
    sign: ClassVar[str] = "~"

    model: str
    cell: str
    declared: str
    live: str

    @property
    def subject(self) -> str:
        """Table and cell."""
        return f"{self.of_table}.{self.cell}"

    @property
    def keeps_all(self) -> bool:
        """Whether the declared codec reads every cell that the recorded one reads."""
        return reads_all(self.declared, self.live)

    @property
    def summary(self) -> str:
        """Whether old cells can be read."""
        if self.keeps_all:
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
            codecs = (*codecs, _CELLS_LOST)
        if self._narrowed:
            return (*codecs, _NARROWED)
        return (*codecs, *self._example, _APART if self._sides else _CELL_WAY)

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


def find_codec(declared: Table, live: Table, facts: Facts) -> Iterator[ChangeCodec]:
    """The cells of both that are written, or read, in different ways."""
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        cells = {one.cell: one for one in recorded.cells}
        for cell in wanted.cells:
            known = cells.get(cell.cell, cell)
            if known != cell:
                empty = live.id in facts.empty
                yield ChangeCodec(live.id, wanted.model, cell.cell, cell.codec, known.codec, empty=empty)


@frozen
class RecordLayouts(PartChange):
    """Record how the rows of the table lie, beside the tables: no data is touched, and the user is not asked."""

    verb: ClassVar[str] = "record-layouts"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE
    phase: ClassVar[Phase] = Phase.RECORD
    quiet: ClassVar[bool] = True

    layouts: tuple[Layout, ...]

    @property
    def records(self) -> tuple[Layout, ...]:
        """All of it."""
        return self.layouts

    @property
    def summary(self) -> str:
        """Of which models."""
        names = ", ".join(layout.model for layout in self.layouts)
        return f"how rows of {names} are written" if names else "no rows any more"


@frozen
class Forget(PartChange):
    """End the record of a model, or of one of its cells: from now on plans do not mention it."""

    verb: ClassVar[str] = "forget"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.SAFE
    phase: ClassVar[Phase] = Phase.RECORD

    model: str
    cell: str | None = None

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

    def recorded_after(self, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        """Without the model, or the cell."""
        if self.cell is None:
            return tuple(one for one in layouts if one.model != self.model)
        return tuple(
            attrs.evolve(one, cells=tuple(cell for cell in one.cells if cell.cell != self.cell))
            if one.model == self.model
            else one
            for one in layouts
        )


@frozen
class UndeclaredLayout(PartChange, Drift):
    """Rows of a model, or cells of a column, may be in the table, and no model declares them any more."""

    verb: ClassVar[str] = "undeclared"

    model: str
    cell: str | None
    text: str

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

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        """Always: a run has recorded it."""
        return True


def find_undeclared_layout(declared: Table, live: Table, facts: Facts) -> Iterator[UndeclaredLayout]:
    """What ``live`` was recorded to hold, and ``declared`` does not."""
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


_WAY = (
    "declare it as optional, `... | None = bt.column(..., default=None)`; to require it, fill it first, by a data step of "
    "the revision in which it is optional (docs/migrations.md#data-steps); if you allow it by name, you promise that all rows have it"
)


@frozen
class RequireColumn(ReadingChange):
    """Read a column as one that all rows have; ``known`` is whether it was recorded, as one that rows may lack."""

    verb: ClassVar[str] = "require-column"
    sign: ClassVar[str] = "+"

    model: str
    cell: str
    known: bool

    @property
    def subject(self) -> str:
        """Table and cell."""
        return f"{self.of_table}.{self.cell}"

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


def find_required_column(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[RequireColumn]:
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
            known_before = any(one is not None for one in old)
            yield RequireColumn(id, wanted.model, cell.cell, known_before, empty=empty)


def _of_key(layout: Layout, recorded: Iterable[Layout]) -> Layout:
    """What all models of the key of ``layout`` say of its rows: one that requires a cell says that each has it."""
    alike = sorted(
        (cell for one in recorded if one.key == layout.key for cell in one.cells),
        key=lambda cell: cell.required is not False,
    )
    return attrs.evolve(layout, cells=tuple({one.cell: one for one in alike}.values()))
