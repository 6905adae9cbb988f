"""Move rows to other keys, columns or codecs while the application writes both the old and the new rows.

How a move neither loses nor revives a cell. Each writer writes the old row first and then the new one, with the same
timestamps, and deletes in the same order. A batch reads old rows, writes the cells that follow from them, each with its
own timestamp, and reads the old rows again. Cells that it wrote and that do not follow from the old rows any more are
set to what does follow, or deleted at exactly their timestamp, and the rows are read once more, until what it wrote is
what follows from the old rows. Take one cell of a new row then. A writer that changed the old row before that last read
is seen by it, so the cell is already as that writer wants it; a writer that changes the old row later changes the new
one later still, and has the last word. Newer cells lie at other timestamps, and are never touched.

A run that is killed may have written cells whose old rows are deleted before the next run sees them. So the keys of the
new rows of a batch are recorded before it is written, and the next run begins with what it finds in these rows, as if
it had written all of that itself.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property
from typing import Any

import attrs
from attrs import evolve, frozen

from btmodel.declare import Fields, Model, codec_of, schema_of
from btmodel.errors import MigrationError, UndecodableKey, ValueRefused, shown
from btmodel.migrate.data.kept_cells import OldRules
from btmodel.migrate.data.made_cells import MadeCells
from btmodel.migrate.data.moved_models import (
    columns_of_both,
    family_pairs,
    family_places,
    holds_exactly,
    renamed_qualifier,
)
from btmodel.migrate.data.steps import DataStep, WrongRow
from btmodel.migrate.data.unmoved import Unmoved
from btmodel.migrate.data.walks import (
    READS,
    Cells,
    Position,
    Progress,
    Recorded,
    Row,
    RowAccess,
    batches,
    read_keys,
)
from btmodel.migrate.history import Reached
from btmodel.rows import Cell, Delete, Mutation, ReadPlan, RowCodec, RowRange
from btmodel.rows.cells import MILLISECOND
from btmodel.rows.columns import ColumnCodec
from btmodel.schema import Column, GcRule, ModelSchema
from btmodel.schema.model import Clock

# Where the cells of a column go: family, qualifier, and the columns that read and write values if their codecs differ.
_Way = tuple[str, bytes, ColumnCodec | None, ColumnCodec | None]

# Cells that one mutation sets in a row; the service accepts 100,000, and the size of a request is limited too.
_CELLS = 10_000
# Of so many rows, one is decoded by the new model and compared with what the function made.
_SAMPLED = 20
# Columns whose way is remembered; mappings may have any number.
_PLACES = 10_000


@frozen(slots=False)
class Move(DataStep):
    """A function that makes the row of the ``target`` for each row of ``model``; cells keep their timestamps.

    With ``shared``, rows of other models in the old table are left out. Columns of both models with the same attribute
    name are copied cell by cell, all versions of them; what else the new row has gets the time of the newest cell of
    the old one. ``left_out`` are the attributes of old rows of which it is stated that their cells are not copied.
    """

    target: type[Model]
    shared: bool = False
    left_out: frozenset[str] = attrs.field(default=frozenset(), kw_only=True)

    @cached_property
    def _old(self) -> ModelSchema:
        assert self.model is not None
        return schema_of(self.model)

    @cached_property
    def _new(self) -> ModelSchema:
        return schema_of(self.target)

    @cached_property
    def _columns(self) -> Mapping[str, tuple[Column, Column]]:
        return columns_of_both(self._old, self._new)

    @cached_property
    def made(self) -> MadeCells:
        """The cells of new rows that the function makes, and that are not copied."""
        return MadeCells.of(self._codec, self._new, self._columns)

    @cached_property
    def old_rules(self) -> OldRules:
        """The GC rules of the old table, where those of the new one keep more."""
        return OldRules.of(self.made, self._old, self._new, self._columns)

    @property
    def target_table(self) -> str:
        """The table of the new rows."""
        return self._new.table

    @property
    def proved_apart(self) -> bool:
        """Whether no two old rows can become one new row: the new key holds all of the old one."""
        return {field.name for field in self._old.key.asked} <= {field.name for field in self._new.key.asked}

    @property
    def keeps_keys(self) -> bool:
        """Whether the new key of a row never changes, as it is made of the old key alone."""
        return {field.name for field in self._new.key.asked} <= {field.name for field in self._old.key.asked}

    @property
    def alone(self) -> str | None:
        """Why only one process can run it: it may have to see that two old rows become one new row."""
        if self.proved_apart:
            return None
        return (
            f"the key of {self._new.name} does not hold all of the key of {self._old.name}, and only one process can see whether two old rows "
            "become one"
        )

    def walked(
        self,
        db: RowAccess,
        history: Recorded,
        name: str,
        progress: Progress = lambda rows, key: None,
        code: str = "",
    ) -> Reached:
        """Move all rows of ``db``, and return how far this and earlier runs have come."""
        return backfill(db, history, self, name, progress, code)

    def moved(self, rows: Iterable[Row], unmoved: Unmoved | None = None) -> dict[bytes, Cells]:
        """The cells of the new rows, by the keys of the old ones; what is not moved is added to ``unmoved``.

        Raises :class:`MigrationError`, which names the row.
        """
        found: dict[bytes, Cells] = {}
        unmoved = Unmoved() if unmoved is None else unmoved
        for at, row in enumerate(rows):
            with self.blamed(row[0]):
                cells = self._moved(row, unmoved, sampled=at % _SAMPLED == 0)
            if cells is not None:
                found[row[0]] = cells
        return found

    def _moved(self, row: Row, unmoved: Unmoved, *, sampled: bool) -> Cells | None:
        key, cells = row
        old = self._decoded(key, cells)
        new = None if old is None else self.function(old)
        if old is None or new is None:
            unmoved.others += old is None
            unmoved.nothing += old is not None
            return None
        if lost := [cell for cell in cells if self._has_no_place(cell)]:
            unmoved.without_place = unmoved.without_place.with_row(key, lost)
        if self.may_leave_cells and (unread := self._unread(cells)):
            unmoved.unread = unmoved.unread.with_row(key, unread)
        if not isinstance(new, Model) or type(new) is not self.target:
            raise WrongRow(
                f"{self.name}: expected a {self.target.__name__} for row {shown(key)}, got {shown(new)}"
            )
        for field in self._old.key.asked:
            self._refuse_changed_key(key, field.name, old, getattr(new, field.name))
        values, codec = Fields(new), self._codec
        stamp = codec.stamp(values, max((cell.timestamp for cell in cells), default=0))
        shadowed = self._shadowed(cells)
        counting = [cell for cell in cells if cell not in shadowed] if shadowed else cells
        try:
            copied = [moved for cell in counting if (moved := self._copied(key, cell)) is not None]
        except ValueRefused as refused:
            raise WrongRow(
                f"{self.name}: row {shown(key)} of {self.table!r} has a cell that its new row cannot hold: {refused}: give that attribute a codec "
                "that holds what the old rows hold, or correct the row"
            ) from refused
        places = {cell[:2] for cell in copied}
        made = [*codec.mirrors(values, stamp), *self._cells_not_copied(values, places, stamp)]
        copied += [cell for cell in made if cell[:2] not in places]
        target = codec.keys.of_row(new)
        if self._inexact:
            stored = codec.keys.decode(target)
            for name in self._inexact:
                self._refuse_changed_key(key, name, old, stored[name])
        if not copied:
            codec.encode(values, stamp)  # raises: a row without cells does not exist
        if sampled:
            self._refuse_other_values(key, target, copied, new)
        return {(target, *cell[:3]): cell.value for cell in copied}

    def _cells_not_copied(
        self, values: Fields, places: Collection[tuple[str, bytes]], stamp: int
    ) -> Iterator[Cell]:
        """The cells of the new row that are not copied, as far as its columns are not known to be all there."""
        for name, codec in self._codec.columns.items():
            if codec.column.open or (codec.column.family, codec.column.qualifier) not in places:
                yield from codec.cells(values[name], stamp)

    @cached_property
    def _codec(self) -> RowCodec[Any]:
        return codec_of(self.target)

    @cached_property
    def _old_codec(self) -> RowCodec[Any]:
        assert self.model is not None
        return codec_of(self.model)

    def _decoded(self, key: bytes, cells: Sequence[Cell]) -> Model | None:
        if not self.is_old(key):
            return None
        row: Model = self._old_codec.decode(key, cells)
        return row

    def _copied(self, key: bytes, cell: Cell) -> Cell | None:
        """The same cell of the row ``key`` in the new row; None if the new model holds it otherwise, or not at all.

        Raises :class:`UndecodableCell`, and :class:`ValueRefused` with the attribute.
        """
        place = cell[:2]
        try:
            way = self._ways[place]
        except KeyError:
            way = self._way(cell)
            if len(self._ways) < _PLACES:
                self._ways[place] = way
        if way is None:
            return None
        family, qualifier, old, new = way
        value = cell.value if old is None or new is None else new.encoded(old.value(key, cell))
        return Cell(family, qualifier, cell.timestamp, value)

    @cached_property
    def _ways(self) -> dict[tuple[str, bytes], _Way | None]:
        return {}

    def _way(self, cell: Cell) -> _Way | None:
        """Where the cells of the column of ``cell`` go, and the codecs that read and write them if these differ."""
        found = self._old_codec.column_of(cell)
        if found is None:
            family = self._place_of_unknown(cell)
            return None if family is None else (family, cell.qualifier, None, None)
        pair = self._columns.get(found.column.name)
        if pair is None:
            return None
        old, new = pair
        writes, qualifier = self._codec.columns[new.name], cell.qualifier
        if old.open:
            qualifier = renamed_qualifier(old, writes, qualifier[len(old.qualifier) :])
        elif qualifier == old.qualifier or qualifier not in new.also:
            qualifier = new.qualifier
        if old.codec == new.codec:
            return new.family, qualifier, None, None
        return new.family, qualifier, found, writes

    def _shadowed(self, cells: Iterable[Cell]) -> set[Cell]:
        """The cells in places of old columns whose value lies in another one that counts more: the new row would not know which of both does."""
        if not self._shadows:
            return set()
        found = list(cells)
        there = {cell[:2] for cell in found}
        return {cell for cell in found if not there.isdisjoint(self._shadows.get(cell[:2], ()))}

    @cached_property
    def _shadows(self) -> Mapping[tuple[str, bytes], Collection[tuple[str, bytes]]]:
        """The places of old columns that are read from several, each with those that count more and from which the new column does not tell it."""
        found: dict[tuple[str, bytes], list[tuple[str, bytes]]] = {}
        for old, new in self._columns.values():
            order = (new.qualifier, *new.also)
            goes = [
                order.index(one if at and one in new.also else new.qualifier)
                for at, one in enumerate((old.qualifier, *old.also))
            ]
            for at, one in enumerate(old.also, 1):
                more = [old.places[before] for before in range(at) if goes[before] >= goes[at]]
                if more:
                    found[old.family, one] = [(place.family, place.qualifier) for place in more]
        return found

    @property
    def columns_not_copied(self) -> tuple[Column, ...]:
        """The columns of old rows that are no attributes of the new ones, unless it is stated that they are left out."""
        known = {*self._new.attributes, *self.left_out}
        return tuple(column for column in self._old.columns if column.name not in known)

    @cached_property
    def may_leave_cells(self) -> bool:
        """Whether an old row may have cells that no attribute of the new one takes."""
        known = {place.cell for column in self._old.columns for place in column.places}
        here = {new: old for old, new in self.places.items()}
        added = any(
            evolve(place, family=here.get(place.family, place.family)).cell not in known
            for column in self._new.columns
            for place in column.places
        )
        return bool(added or self.columns_not_copied or self._shadows)

    def unread(self, rows: Iterable[Row]) -> dict[bytes, list[Cell]]:
        """The cells of old rows that no attribute of the new ones takes."""
        found = {key: self._unread(cells) for key, cells in rows if self.is_old(key)}
        return {key: cells for key, cells in found.items() if cells}

    def _unread(self, cells: Iterable[Cell]) -> list[Cell]:
        found = list(cells)
        shadowed = self._shadowed(found)
        return [cell for cell in found if cell in shadowed or self._is_unread(cell)]

    def _is_unread(self, cell: Cell) -> bool:
        place = cell[:2]
        try:
            return self._unread_places[place]
        except KeyError:
            found = self._old_codec.column_of(cell)
            if found is None:
                # The new row has this column, and the old model does not say that it is the same.
                family = self.places.get(cell.family)
                is_unread = family is not None and place not in self._mirrors
                is_unread = is_unread and self._place_of_unknown(cell) is None
            else:
                is_unread = found.column in self.columns_not_copied
            if len(self._unread_places) < _PLACES:
                self._unread_places[place] = is_unread
            return is_unread

    @cached_property
    def _unread_places(self) -> dict[tuple[str, bytes], bool]:
        return {}

    def _place_of_unknown(self, cell: Cell) -> str | None:
        """The family that takes the ``cell`` of a column that neither model declares; None if one does, or if there is none."""
        family = self.places.get(cell.family)
        if family is None or cell[:2] in self._mirrors:
            return None
        return None if self._codec.column_of(cell._replace(family=family)) is not None else family

    def _has_no_place(self, cell: Cell) -> bool:
        """Whether the new row has no family for a cell that no column of the old one declares."""
        if cell.family in self.places or cell[:2] in self._mirrors:
            return False
        return self._old_codec.column_of(cell) is None

    def without_place(self, rows: Iterable[Row]) -> dict[bytes, list[Cell]]:
        """The cells of rows for which the new table has no family; of rows of other models, all cells of such families."""
        found: dict[bytes, list[Cell]] = {}
        for key, cells in rows:
            ours = self.is_old(key)
            lost = [
                cell
                for cell in cells
                if (self._has_no_place(cell) if ours else cell.family not in self.places)
            ]
            if lost:
                found[key] = lost
        return found

    def is_old(self, key: bytes) -> bool:
        """Whether a row with this key of the old table is one of the old model; others may be there if tables are shared."""
        return not self.shared or self._old_codec.keys.fits(key)

    @cached_property
    def places(self) -> Mapping[str, str]:
        """The families of the new rows by those of the old ones, for cells of columns that neither model declares."""
        return family_places(self._old, self._new)

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The families of the old rows whose cells are copied, each with a family of the new rows to which they go."""
        return family_pairs(self._old, self._new)

    @property
    def families_taken(self) -> frozenset[str]:
        """The families of the old rows of which columns are attributes of the new rows."""
        return frozenset(column.family for column in self._old.columns if column.name in self._new.attributes)

    @cached_property
    def _mirrors(self) -> set[tuple[str, bytes]]:
        fields = (*self._old.key.fields, *self._new.key.fields)
        return {(field.mirror.family, field.mirror.qualifier) for field in fields if field.mirror}

    @cached_property
    def _inexact(self) -> tuple[str, ...]:
        """The fields of both keys of which the new one may hold another value than it is given, as a codec that rounds does."""
        old = {field.name for field in self._old.key.asked}
        return tuple(
            field.name
            for field in self._new.key.fields
            if field.name in old and not holds_exactly(field.codec)
        )

    def _refuse_changed_key(self, key: bytes, name: str, old: Model, after: object) -> None:
        """Raise :class:`WrongRow` if the new row does not say which old row it comes from."""
        before = getattr(old, name)
        if before != after:
            raise WrongRow(
                f"{self.name}: row {shown(key)} has {name}={shown(before)}, and its new row {name}={shown(after)}: the new row "
                "must hold the old key as it is, so that no two rows become one; give what is made of it another name"
            )

    def _refuse_other_values(self, key: bytes, moved: bytes, cells: Sequence[Cell], new: Model) -> None:
        """Raise :class:`WrongRow` if the cells do not decode to the row that the function made."""
        ordered = sorted(cells, key=lambda cell: (cell.family, cell.qualifier, -cell.timestamp))
        there = self._codec.decode(moved, ordered)
        for name in self._new.attributes:
            wanted, found = getattr(new, name), getattr(there, name)
            if wanted != found:
                raise WrongRow(
                    f"{self.name}: row {shown(key)}: the function makes {name}={shown(wanted)}, and the copied cells are {name}={shown(found)}: "
                    "columns of the same name are copied as they are; give what is computed another name"
                )

    def is_new(self, key: bytes) -> bool:
        """Whether a row with this key of the new table is one of the new model; others may be there if tables are shared."""
        return not self.shared or self._codec.keys.fits(key)

    @property
    def rules(self) -> Mapping[str, GcRule | None]:
        """The GC rules of the new families, by id."""
        return {family.id: family.gc for family in self._new.families}

    def is_stamped_by_writers(self, at: Position) -> bool:
        """Whether the time of this cell of a new row is that of its writing, which no two writes share unless they are given one."""
        column = self._codec.column_of(Cell(*at[1:], b""))
        return self._new.clock(None if column is None else column.column) is Clock.WRITING

    def source_of(self, key: bytes, cells: Sequence[Cell]) -> bytes | None:
        """The key of the old row of which a new row was made; None if the new row does not say it."""
        ordered = sorted(cells, key=lambda cell: (cell.family, cell.qualifier, -cell.timestamp))
        try:
            values = Fields(self._codec.decode(key, ordered, whole=False))
            return self._old_codec.keys.encode(
                {field.name: values[field.name] for field in self._old.key.asked}
            )
        except (UndecodableKey, KeyError, AttributeError):
            return None


def backfill(
    db: RowAccess,
    history: Recorded,
    step: Move,
    name: str,
    progress: Progress = lambda rows, key: None,
    code: str = "",
) -> Reached:
    """Write the new row of every old one, and return how far this and interrupted runs have come.

    Raises :class:`MigrationError` and :class:`btmodel.errors.ServerError`.
    """
    reached = evolve(history.progress(name) or Reached(b"", 0), code=code)
    if reached.targets:
        recover(db, step, reached.targets)
    rest = RowRange(reached.key + b"\0" if reached.rows else b"", b"")
    with closing(db.read(ReadPlan(step.table, (rest,), None))) as rows:
        for batch in batches(rows):
            moved = step.moved(batch)
            _refuse_shared_rows(db, step, moved)
            targets = tuple(sorted(targets_of(moved.values())))
            if targets:
                history.record_progress(name, evolve(reached, targets=targets))
                settle(db, step, batch, moved, {})
            last = batch[-1][0]
            reached = Reached(last, reached.rows + len(batch), code, written=reached.written + len(moved))
            history.record_progress(name, reached)
            progress(reached.rows, last)
    return reached


def recover(db: RowAccess, step: Move, targets: Collection[bytes]) -> None:
    """Finish the batch of a run that was killed, of which only the keys of new rows are known."""
    there: dict[bytes, Cells] = {}
    for key, cells in read_keys(db, step.target_table, targets):
        source = step.source_of(key, cells)
        if source is not None:
            there.setdefault(source, {}).update({(key, *cell[:3]): cell.value for cell in cells})
    rows = read_keys(db, step.table, there)
    settle(db, step, rows, step.moved(rows), there)


def settle(
    db: RowAccess,
    step: Move,
    rows: Iterable[Row],
    wanted: Mapping[bytes, Cells],
    written: Mapping[bytes, Cells],
) -> None:
    """Write the cells that are ``wanted``, by old row, until they follow from the old rows as these are by then.

    ``rows`` are old rows as they were read, and ``written`` is what the new rows may have from earlier. Raises
    :class:`MigrationError` for a row that never rests.
    """
    known: dict[bytes, tuple[Sequence[Cell], Cells]] = {
        key: (cells, wanted.get(key, {})) for key, cells in rows
    }
    touched: dict[bytes, set[Position]] = {
        key: wanted.get(key, {}).keys() | written.get(key, {}).keys() for key in (*wanted, *written)
    }
    there = {key: dict(written.get(key, {})) for key in touched}
    left = {key: dict(wanted.get(key, {})) for key in touched}
    for _ in range(READS):
        _write(db, step.target_table, ((there[key], cells) for key, cells in left.items()))
        there |= left
        again = _moved_again(step, read_keys(db, step.table, left), known)
        left = {key: again.get(key, {}) for key in left if again.get(key, {}) != there[key]}
        for key, cells in left.items():
            # Garbage collection may have deleted what lay below a cell that is to go: it is written again.
            gone = {at[:3] for at in there[key].keys() - cells.keys()}
            touched[key] |= {at for at in cells if at[:3] in gone}
            left[key] = {at: value for at, value in cells.items() if at in touched[key]}
        left = {key: cells for key, cells in left.items() if cells != there[key]}
        if not left:
            return
    raise MigrationError(
        f"{step.name}: row {shown(min(left))} of {step.table!r} has changed at the same timestamps in each of {READS} reads: "
        "find out what writes it all the time, and run this again"
    )


def _moved_again(
    step: Move, rows: Sequence[Row], known: dict[bytes, tuple[Sequence[Cell], Cells]]
) -> dict[bytes, Cells]:
    """What follows from old rows, most of which are ``known`` and have not changed."""
    changed = [row for row in rows if row[0] not in known or known[row[0]][0] != row[1]]
    moved = step.moved(changed)
    known |= {key: (cells, moved.get(key, {})) for key, cells in changed}
    return {key: known[key][1] for key, _ in rows}


def _write(db: RowAccess, table: str, changes: Iterable[tuple[Cells, Cells]]) -> None:
    """Lead from the cells before to the cells after: set what is new or other, and delete the rest at its timestamp."""
    rows: dict[bytes, tuple[list[Cell], list[Delete]]] = {}
    for before, after in changes:
        for (key, family, qualifier, time), value in after.items():
            if before.get((key, family, qualifier, time)) != value:
                rows.setdefault(key, ([], []))[0].append(Cell(family, qualifier, time, value))
        for key, family, qualifier, time in before.keys() - after.keys():
            gone = Delete(family, qualifier, start=time, end=time + MILLISECOND)
            rows.setdefault(key, ([], []))[1].append(gone)
    if rows:
        db.write_many(table, _mutations(table, rows))


def _mutations(table: str, rows: Mapping[bytes, tuple[list[Cell], list[Delete]]]) -> Iterator[Mutation]:
    for key in sorted(rows):
        cells, deletes = rows[key]
        for start in range(0, max(len(cells), len(deletes)), _CELLS):
            end = start + _CELLS
            yield Mutation(table, key, cells[start:end], deletes[start:end])


def targets_of(moved: Iterable[Cells]) -> set[bytes]:
    """The keys of the new rows that have these cells."""
    return {key for cells in moved for key, *_ in cells}


def _refuse_shared_rows(db: RowAccess, step: Move, moved: Mapping[bytes, Cells]) -> None:
    """Raise :class:`MigrationError` if two old rows would become one new row."""
    if step.proved_apart:
        return
    source_of: dict[bytes, bytes] = {}
    for source, cells in moved.items():
        for target in targets_of([cells]):
            other = source_of.setdefault(target, source)
            if other != source:
                raise _shared(step, other, source, target)
    for target, there in read_keys(db, step.target_table, source_of):
        written = step.source_of(target, there)
        if written is not None and written != source_of[target]:
            raise _shared(step, written, source_of[target], target)


def _shared(step: Move, one: bytes, other: bytes, target: bytes) -> MigrationError:
    return MigrationError(
        f"{step.name}: the rows {shown(one)} and {shown(other)} of {step.table!r} would both become {shown(target)} of "
        f"{step.target_table!r}: give the new key a field that tells them apart; nothing of this batch was written"
    )
