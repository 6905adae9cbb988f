"""Changes of row keys, codecs and required columns, and their records."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

import attrs
from attrs import field, frozen

from btmodel.codecs.key import Bytes
from btmodel.design.overlap import apart
from btmodel.migrate.changes.base import (
    UNKNOWN,
    Drift,
    Effect,
    InstanceFacts,
    PartChange,
    Phase,
    ReadingChange,
)
from btmodel.migrate.tables.layouts import (
    codec_in,
    conflict,
    family_of,
    gone_cells,
    is_unread,
    looks_renamed,
    lost_cell,
    lost_key,
    lost_members,
    match,
    reader_of,
    readings,
    reads_all,
    takes_all_keys,
)
from btmodel.migrate.tables.renamings import with_copied
from btmodel.recorded.layouts import other_span, recorded_part
from btmodel.schema import CellLayout, KeyField, KeyPart, Layout, RowKey, Shape, Table
from btmodel.schema.limits import KEY_BYTES
from btmodel.schema.names import placeholders
from btmodel.sql import bytes_, identifier

# Stands for a field whose bytes are not in the record, and for all fields after it.
_ANY = Bytes(max_length=KEY_BYTES, min_length=0)


def may_share(left: Layout, right: Layout) -> bool:
    """Whether a row may fit both layouts; false only if their keys are proved to be disjoint."""
    return left.key == right.key or not apart(key_of(left), key_of(right))


def key_of(layout: Layout) -> RowKey:
    """The row key of a layout, as far as the record says it."""
    return RowKey(tuple(_fields(layout.key)), b"")


def _fields(parts: tuple[KeyPart, ...]) -> Iterator[KeyField]:
    """The fields of a key, up to the first whose bytes are not known."""
    for part in parts:
        made = recorded_part(part)
        # Bytes that are not UTF-8 were recorded as a text that other bytes share.
        if made.codec is None or "\\" in part.behind:
            yield KeyField(part.name, _ANY, optional=made.optional)
            return
        yield KeyField(part.name, made.codec, optional=made.optional, ends=part.behind.encode())


_MOVE = "declare a table of a new id, bt.table(..., moved_from=...), for which `btmodel migrate new` writes all steps"
_OTHER_SPAN = "a row holds {}, and would hold {}: declare the new model {}"
_KEY_PROMISE = "if you allow it by name, you promise that all rows are rewritten"
_ROWS_LOST = (
    "the recorded key needs code of yours, which `btmodel inspect` cannot write: declare as they were recorded "
    "the fields "
)


@frozen
class ChangeKey(ReadingChange):
    """Treat existing rows as written with the declared key; ``live`` is the recorded layout."""

    verb: ClassVar[str] = "change-key"
    sign: ClassVar[str] = "!"

    declared: Layout
    live: Layout

    @property
    def subject(self) -> str:
        return f"{self.of_table}/{self.declared.model}"

    @property
    def keeps_all(self) -> bool:
        """Whether the declared key writes and reads every recorded key unchanged."""
        return takes_all_keys(self.declared.key, self.live.key)

    @property
    def summary(self) -> str:
        if self.keeps_all:
            return "the row key accepts more than before, and all existing keys stay valid"
        if self.empty:
            return "the row key changes, and the table has no rows"
        return "the row key changes: existing rows would not be found, or would be read as other rows"

    @property
    def details(self) -> tuple[str, ...]:
        keys = (f"recorded: {self.live.key_text}", f"declared: {self.declared.key_text}")
        if self.effect is Effect.SAFE:
            return keys
        lost = ", ".join(self._lost)
        return (*keys, f"{_ROWS_LOST}{lost}", self._way) if lost else (*keys, self._way)

    @property
    def _way(self) -> str:
        """What to do instead: a move of rows one by one, or both tables and a data step where one row becomes several, or several one."""
        found = other_span(self.live, self.declared)
        way = (
            _MOVE
            if found is None
            else _OTHER_SPAN.format(found.before, found.after, found.way(self.live.model))
        )
        return f"rows keep the keys that they were written with: {way}; {_KEY_PROMISE}"

    @property
    def _lost(self) -> Iterator[str]:
        """The fields that were derived, or had a custom codec, and are plain now."""
        for part, other in zip(self.declared.key, self.live.key, strict=False):
            if lost_key(part, other):
                yield other.name


def find_key(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[ChangeKey]:
    """The models whose declared and recorded keys differ."""
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        if wanted.key != recorded.key:
            yield ChangeKey(live.id, wanted, recorded, empty=live.id in facts.empty)


_CELL_WAY = (
    "declare Either(new, old) to write the new codec and read both, or a column with a new name; if you allow it by name, "
    "you promise that all cells are rewritten"
)
_FILLED = "declare an optional column with a new name beside it, which `btmodel migrate new MESSAGE --rewrite {}` fills in"
_APART = "{}, or codecs whose cells cannot be taken for each other's; if you allow it by name, you promise that no such cell is there"
_LOST = (
    "{0} has no member for the values {1}: keep a member of that value, or let `_missing_` of {0} return the member that takes its place, and write "
    "the revision with `btmodel migrate new MESSAGE --rewrite {2}`, whose step writes these cells again and ends at one that {0} does not read. Then allow it by "
    "name: you promise that {0} reads every value that is there (docs/migrations.md#rename-a-value-of-an-enum)"
)
_COMPUTED = (
    "declare a column with a new name beside it, which `btmodel migrate new MESSAGE --data {}` fills in"
)
_OTHER_SHAPE = "{}; if you allow it by name, existing cells are read in the new way"
_SHAPES = {shape.name.lower(): shape for shape in Shape}
# What is read of cells of another shape, by the recorded and the declared one.
_READ_AS = {
    (Shape.HISTORY, Shape.VALUE): "only the newest event of each row would be read",
    (Shape.VALUE, Shape.HISTORY): "each value would be read as an event at the timestamp of its cell",
}
_CELLS_LOST = "the recorded codec needs a class of yours, which `btmodel inspect` cannot write: declare it as it was recorded"
_NARROWED = "if you allow it by name, you promise that all cells of the removed codec are rewritten"


@frozen
class ChangeCodec(ReadingChange):
    """Treat existing cells as written with the declared codec; ``live`` is the recorded one.

    ``rewritten`` says that a step has rewritten all cells that the declared one does not read. ``unread`` are other models of the same rows that
    cannot read what it writes from now on, each with its codec.
    """

    verb: ClassVar[str] = "change-codec"
    sign: ClassVar[str] = "~"

    model: str
    cell: str
    declared: str
    live: str
    rewritten: bool = field(default=False, kw_only=True)
    unread: tuple[tuple[str, str], ...] = field(default=(), kw_only=True)

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.cell}"

    @property
    def keeps_all(self) -> bool:
        """Whether the declared codec reads every cell that is there, and the other models of the same rows what it writes."""
        return self._reads_all and not self.unread

    @property
    def _reads_all(self) -> bool:
        return self.rewritten or reads_all(self.declared, self.live)

    @property
    def summary(self) -> str:
        if self._reads_all and self.unread:
            others = " and ".join(model for model, _ in self.unread)
            return f"another codec, whose cells {others} of the same rows cannot read"
        if self.rewritten:
            return "the codec in which a step rewrites all cells"
        if self.keeps_all:
            return "another codec, which also reads existing cells"
        if self.empty:
            return "another codec, and the table holds no row"
        if self._shapes is not None:
            before, after = (shape.function for shape in self._shapes)
            return f"recorded with bt.{before}(), declared with bt.{after}(): existing cells would be read as something else"
        if self._narrowed:
            return "a codec that reads less: cells that were not rewritten since would not be read"
        if self._sides:
            return "codecs side by side that can take each other's cells: some would be read as other values"
        return "another codec: existing cells could not be read, or would be read as other values"

    @property
    def details(self) -> tuple[str, ...]:
        codecs: tuple[str, ...] = (f"recorded: {self.live}", f"declared: {self.declared}")
        codecs += tuple(
            f"{self.model} writes {codec_in(readings(self.declared)[0])} from now on, and {model} reads {codec}: declare {codec_in(self.declared)} there as well, or "
            f"leave {model} out if nothing uses it; if you allow it by name, {model} fails at such cells, or reads other values"
            for model, codec in self.unread
        )
        if self.effect is Effect.SAFE or self._reads_all:
            return codecs
        if lost_cell(self.declared, self.live):
            codecs = (*codecs, _CELLS_LOST)
        if self._shapes is not None:
            way = _FILLED if self._shapes[1].plain else _COMPUTED
            read = _READ_AS.get(self._shapes)
            return (*codecs, *filter(None, [read]), _OTHER_SHAPE.format(way.format(self.model)))
        if self._narrowed:
            return (*codecs, _NARROWED)
        if (lost := lost_members(self.declared, self.live)) is not None:
            values = ", ".join(f"{value} ({name})" for name, value in lost.members.items())
            return (*codecs, _LOST.format(lost.enum, values, self.model))
        apart = _APART.format(_FILLED.format(self.model))
        return (*codecs, *self._example, apart if self._sides else _CELL_WAY)

    @property
    def rewriting(self) -> str | None:
        """How cells come to be written in the new way that are there already; None where both ways are the same, or the old one is not read."""
        old, new = [*readings(self.live)], [*readings(self.declared)]
        if self.rewritten or not self.keeps_all or old[:1] == new[:1]:
            return None
        return (
            f"cells that are there stay as they are: once this is deployed, `btmodel migrate new MESSAGE --rewrite {self.model}` writes the revision that "
            "rewrites them"
        )

    @property
    def _shapes(self) -> tuple[Shape, Shape] | None:
        """The recorded and the declared shape, where these are known and differ."""
        before, after = (_SHAPES.get(text.partition(" ")[0]) for text in (self.live, self.declared))
        return None if before is None or after is None or before is after else (before, after)

    @property
    def _narrowed(self) -> bool:
        return {*readings(self.declared)} < {*readings(self.live)}

    @property
    def _sides(self) -> bool:
        """Whether all recorded codecs are still declared, but behind others that can take their cells."""
        return {*readings(self.live)} <= {*readings(self.declared)}

    @property
    def _example(self) -> tuple[str, ...]:
        """A cell that would be misread, if there may be one."""
        found = conflict(self.declared, self.live)
        if found is None or found.new is None:
            return ()
        return (
            found.example
            or f"nothing proves that {found.new} reads no cell of {found.old}, whatever it holds",
        )


def find_codec(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[ChangeCodec]:
    """The cells whose declared and recorded codecs differ."""
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        cells = {cell.cell: cell for cell in recorded.cells}
        for cell in wanted.cells:
            known = cells.get(cell.cell, cell)
            if known != cell:
                yield ChangeCodec(
                    live.id,
                    wanted.model,
                    cell.cell,
                    cell.codec,
                    known.codec,
                    empty=live.id in facts.empty,
                    rewritten=not reads_all(cell.codec, known.codec)
                    and facts.are_rewritten(live.id, wanted, cell, known),
                    unread=tuple(_unread(declared, wanted, cell, known)),
                )


def _unread(table: Table, of: Layout, declared: CellLayout, known: CellLayout) -> Iterator[tuple[str, str]]:
    """The other models of the same rows that cannot read how a cell is written from now on, each with its codec."""
    writes = readings(declared.codec)[0]
    if writes == readings(known.codec)[0]:
        return
    for other in table.layouts:
        reader = reader_of(other, declared.cell)
        if (
            reader is not None
            and other.model != of.model
            and is_unread(reader, writes)
            and may_share(of, other)
        ):
            yield other.model, codec_in(reader.codec)


@frozen
class RecordLayouts(PartChange):
    """Record the layouts of the table in the migration history; this changes no data, and needs no permission."""

    verb: ClassVar[str] = "record-layouts"
    sign: ClassVar[str] = "+"
    usual: ClassVar[Effect] = Effect.SAFE
    phase: ClassVar[Phase] = Phase.RECORD
    quiet: ClassVar[bool] = True

    layouts: tuple[Layout, ...]

    @property
    def records(self) -> tuple[Layout, ...]:
        return self.layouts

    @property
    def summary(self) -> str:
        names = ", ".join(layout.model for layout in self.layouts)
        return f"how rows of {names} are written" if names else "no rows any more"


@frozen
class Forget(PartChange):
    """Remove the record of a model or of one of its cells; later plans do not mention it."""

    verb: ClassVar[str] = "forget"
    sign: ClassVar[str] = "-"
    usual: ClassVar[Effect] = Effect.SAFE
    phase: ClassVar[Phase] = Phase.RECORD

    model: str
    cell: str | None = None

    @property
    def subject(self) -> str:
        return f"{self.of_table}/{self.model}{'' if self.cell is None else f'.{self.cell}'}"

    @property
    def requires(self) -> str | None:
        return self.name

    @property
    def summary(self) -> str:
        return "the record of how it was written; what is in the table stays"

    def recorded_after(self, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        if self.cell is None:
            return tuple(layout for layout in layouts if layout.model != self.model)
        return tuple(
            attrs.evolve(layout, cells=tuple(cell for cell in layout.cells if cell.cell != self.cell))
            if layout.model == self.model
            else layout
            for layout in layouts
        )


@frozen
class ForgetMoved(Forget):
    """Remove the record of cells that a step of a revision has moved to another column: nobody is asked."""

    quiet: ClassVar[bool] = True

    now: str = ""

    @property
    def requires(self) -> str | None:
        return None

    @property
    def summary(self) -> str:
        return f"a step has moved these cells to {self.now}"


def find_moved(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[ForgetMoved]:
    """The recorded cells of ``live`` that are not there any more."""
    for wanted, recorded in match(declared.layouts, live.layouts).both:
        moved = facts.gone(live.id, wanted)
        for cell in recorded.cells:
            if cell.cell in moved:
                yield ForgetMoved(live.id, wanted.model, cell.cell, moved[cell.cell].new)


@frozen
class UndeclaredLayout(PartChange, Drift):
    """The table may hold rows of a model, or cells of a column, that no model declares any more."""

    verb: ClassVar[str] = "undeclared"

    model: str
    cell: str | None
    text: str
    now: str | None = None  # the new cell that may have its values

    @property
    def subject(self) -> str:
        return self.end.subject

    @property
    def details(self) -> tuple[str, ...]:
        return () if self.cell is None or self.now is None else (_renamed(self.cell, self.now),)

    @property
    def summary(self) -> str:
        what = "rows of a model" if self.cell is None else "cells of a column"
        return f"{what} that is no longer declared may exist, written as {self.text}"

    @property
    def end(self) -> Forget:
        return Forget(self.of_table, self.model, self.cell)

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        return True


def find_undeclared_layout(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[UndeclaredLayout]:
    """The recorded models and cells of ``live`` that ``declared`` lacks."""
    found = match(declared.layouts, live.layouts)
    for layout in found.left:
        yield UndeclaredLayout(live.id, layout.model, None, layout.key_text)
    for wanted, recorded in found.both:
        now = looks_renamed(wanted, recorded)
        moved = facts.gone(live.id, wanted)
        for cell in gone_cells(wanted, recorded):
            if cell.cell in moved:
                continue
            family = family_of(cell.cell)
            if facts.of(live.id, family) is not None:
                continue  # these cells stay in the renamed family until it is dropped
            if not _may_be_there(family, declared, live):
                continue  # their family was dropped by a run that was interrupted before it recorded that
            yield UndeclaredLayout(live.id, wanted.model, cell.cell, cell.codec, now.get(cell.cell))


def _renamed(old: str, new: str) -> str:
    """What to declare if the column of the cell ``old`` is called ``new`` now."""
    qualifier = old.partition(":")[2]
    return (
        f'if {old} is called {new} now, declare {new} with renamed_from="{qualifier}", and `btmodel migrate new` writes the step that '
        "moves its cells"
    )


def _may_be_there(family: str, declared: Table, live: Table) -> bool:
    """Whether ``family`` may hold cells; unknown, and so true, for templates and for names with braces."""
    unknown = placeholders(live.id) or placeholders(family)
    return bool(unknown) or any(table.family(family) is not None for table in (declared, live))


_WAY = (
    "declare it as optional, `... | None = bt.column(..., default=None)`; to require it, fill it in with the revision that `btmodel migrate new MESSAGE --rewrite {}` "
    "writes while it is optional, and let every process write it. Then allow it by name: you promise that all rows have it. No step proves that, because "
    "programs could write rows without it for as long as it was optional, also after the step"
)


@frozen
class RequireColumn(ReadingChange):
    """Read a column as required; ``known`` says whether it was recorded, as optional."""

    verb: ClassVar[str] = "require-column"
    sign: ClassVar[str] = "+"

    model: str
    cell: str
    known: bool
    before: str | None = None  # the cell, gone by now, that may have its values

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.cell}"

    @property
    def summary(self) -> str:
        before = "was optional" if self.known else "is new"
        if self.empty:
            return f"{self.model} requires it, it {before}, and the table holds no row"
        return f"{self.model} requires it, and it {before}: rows that lack it could not be read (UndecodableCell)"

    @property
    def details(self) -> tuple[str, ...]:
        if self.empty:
            return ()
        renamed = () if self.before is None else (_renamed(self.before, self.cell),)
        return (*renamed, _WAY.format(self.model), *self._count)

    @property
    def _count(self) -> tuple[str, ...]:
        """How to count the rows that lack it, where SQL can name it."""
        family, _, qualifier = self.cell.partition(":")
        if placeholders(self.of_table) or placeholders(family) or "\\" in qualifier:
            return ()
        cell = f"{identifier(family)}[{bytes_(qualifier.encode())}]"
        return (
            f"rows that lack it now: SELECT COUNT(*) AS lacking FROM {identifier(self.of_table)} WHERE {cell} IS NULL",
        )


def find_required_column(
    declared: Table | None, live: Table | None, facts: InstanceFacts
) -> Iterator[RequireColumn]:
    """The required columns that rows of a recorded model may lack."""
    if declared is None:
        return
    renamings = facts.to(declared.id)
    if live is not None:
        moved = [layout for renaming in renamings for layout in renaming.layouts]
        there = with_copied(live.layouts, moved) if live.layouts else ()
        yield from _between(live.id, declared, there, empty=live.id in facts.empty, facts=facts)
        return
    for renaming in renamings:
        if renaming.family is None:
            new, old = renaming.lying
            yield from _between(declared.id, new, old.layouts, empty=False)


def _between(
    id: str, declared: Table, recorded: tuple[Layout, ...], *, empty: bool, facts: InstanceFacts = UNKNOWN
) -> Iterator[RequireColumn]:
    found = match(declared.layouts, recorded)
    for wanted, known in found.both:
        filled = {one.new for one in facts.gone(id, wanted).values() if one.required}
        for change in _required(id, wanted, (known,), empty=empty):
            if change.cell not in filled:
                yield change
    for wanted in found.new:
        # A new model may be a view of existing rows, which recorded models describe.
        shared = [layout for layout in recorded if may_share(wanted, layout)]
        lacking = [_of_key(layout, shared) for layout in shared]
        yield from _required(id, wanted, lacking, empty=empty)


def _required(id: str, wanted: Layout, known: Iterable[Layout], *, empty: bool) -> Iterator[RequireColumn]:
    """The cells that ``wanted`` requires and that some of the ``known`` layouts do not guarantee."""
    known = tuple(known)
    before = [{cell.cell: cell for cell in layout.cells} for layout in known]
    old_names = {new: old for layout in known for old, new in looks_renamed(wanted, layout).items()}
    for cell in wanted.cells:
        old = [cells.get(cell.cell) for cells in before]
        # Older versions of btmodel did not record it, so we assume that it was as declared.
        if cell.required and any(cell is None or cell.required is False for cell in old):
            known_before = any(cell is not None for cell in old)
            old_name = None if known_before else old_names.get(cell.cell)
            yield RequireColumn(id, wanted.model, cell.cell, known_before, old_name, empty=empty)


def _of_key(layout: Layout, recorded: Iterable[Layout]) -> Layout:
    """What all models with the key of ``layout`` guarantee together: a cell that one of them requires is there."""
    alike = sorted(
        (cell for other in recorded if other.key == layout.key for cell in other.cells),
        key=lambda cell: cell.required is not False,
    )
    return attrs.evolve(layout, cells=tuple({one.cell: one for one in alike}.values()))
