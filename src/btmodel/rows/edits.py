"""Edits of rows: steps of one mutation, and changes that the server makes of what is there; none needs a read."""

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs.aware_times import micros_since_epoch
from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows.cells import Cell
from btmodel.rows.checked_change import CheckedChange, has_all, has_needed
from btmodel.rows.collections import BucketSpan, as_entries
from btmodel.rows.columns import SHAPES, ColumnCodec
from btmodel.rows.comparisons import IsPresent
from btmodel.rows.conditions import Test, holds_without_row
from btmodel.rows.mutations import (
    Add,
    Append,
    Change,
    Conditional,
    Delete,
    Increment,
    Mutation,
    ReadModifyWrite,
)
from btmodel.rows.ranges import timestamps
from btmodel.rows.row import RowCodec
from btmodel.schema import Column, ModelSchema, Shape
from btmodel.schema.model import WRITTEN
from btmodel.schema.possible_edits import (
    counts,
    extends,
    identifies,
    increments,
    increments_entries,
    lacks,
    needed_besides,
    removes,
    sets_value,
    shares_family,
)
from btmodel.words import did_you_mean, near

LEAST_AMOUNT, MOST_AMOUNT = -(2**63) + 1, 2**63 - 1  # Google's client takes no smaller one


@frozen
class EditStep:
    """A part of an edit: its changes, and the columns that a row has, or lacks, after it.

    ``whole`` is true where the row is deleted, and ``time`` the row's own time, in microseconds, where the step brings it.
    """

    changes: tuple[Change, ...]
    sets: frozenset[str] = frozenset()
    takes: frozenset[str] = frozenset()
    whole: bool = False
    time: int | None = None

    @property
    def writes(self) -> bool:
        """Whether a row is there after it that was not there before."""
        return any(not isinstance(change, Delete) for change in self.changes)


# Stands for the time of writing, which is known when the edit is sent.
WRITTEN_AT = -1


class Edits:
    """Makes the steps of edits of one model's rows, and the changes that the server makes of single cells.

    Every method raises :class:`QueryRefused` for a column that cannot be edited so, and
    :class:`ValueRefused` for a value that does not fit.
    """

    def __init__(self, model: ModelSchema, codec: RowCodec[Any]) -> None:
        self.model = model
        self.codec = codec
        self._columns = {column.name: column for column in model.columns}
        self.needed = needed_besides(model)
        self.mirrored = tuple(part.name for part in model.key.fields if part.mirror)
        self._spans = {
            (column.family, column.qualifier): column.spans for column in model.columns if column.spans
        }

    def increment(self, key: bytes, name: str, by: int, *entry: Any) -> ReadModifyWrite:
        """Adds ``by`` to the newest value of a column of 64-bit integers, or to that of one entry of a mapping."""
        self._refuse_several(name)
        what = "mappings of 64-bit big-endian integers" if entry else "64-bit big-endian integers"
        column = self._column(
            name,
            increments_entries if entry else increments,
            f"only {what} (the codec Int64) can be incremented by the server",
        )
        amount = self._checked_amount(name, by)
        self._refuse_unchangeable(column)
        place = self.cell(name, *entry).column
        return ReadModifyWrite(self.model.table, key, [Increment(place.family, place.qualifier, amount)])

    def cell(self, name: str, *entry: Any) -> ColumnCodec:
        """The codec of the one cell of a column, or of one entry of a mapping."""
        codec = self.codec.columns[name]
        if not entry:
            return codec
        column = evolve(codec.column, qualifier=codec.qualifier(*entry), shape=Shape.VALUE, names=None)
        return SHAPES[Shape.VALUE](self.model, column)

    def extend(self, key: bytes, name: str, value: Any) -> ReadModifyWrite:
        """Puts ``value`` behind the newest value of a column of text or bytes."""
        self._refuse_several(name)
        column = self._column(
            name,
            extends,
            "only text and bytes (the codecs Utf8 and Raw) can be extended by the server",
        )
        self._refuse_unchangeable(column)
        raw = self.codec.columns[name].encoded(value)
        return ReadModifyWrite(self.model.table, key, [Append(column.family, column.qualifier, raw)])

    def checked(self, change: ReadModifyWrite, cell: ColumnCodec) -> CheckedChange | None:
        """The same change of one cell, where a row with nothing but that cell would lack something.

        None where no other column is required: the server may then change the cell as it is.
        """
        needed = has_needed(self.model, cell.column.name)
        if needed is None:
            return None
        return CheckedChange(self.model, cell, change.key, change.changes[0], needed)

    def _refuse_several(self, name: str) -> None:
        """Refuse a column whose value may lie in another cell than the one that the server would change."""
        column = self._columns.get(name)
        if column is not None and column.also:
            raise QueryRefused(
                f"{self.model.name}.{name}: its value may be in {' or '.join(place.cell for place in column.places)}, and the "
                "server changes one cell that it is given: read the row and use put_if"
            )

    def _refuse_unchangeable(self, column: Column) -> None:
        """Refuse a column whose new value would need another row key, or a time that is not the server's."""
        name = column.name
        self._refuse_identifying(column)
        if self.model.stamp != WRITTEN:
            raise QueryRefused(
                f"{self.model.name}.{name}: the server writes changes with the current time, and would hide "
                "later puts of this model, whose timestamps are its own: read the row and use put_if"
            )

    def _refuse_identifying(self, column: Column) -> None:
        if identifies(self.model, column):
            raise QueryRefused(
                f"{self.model.name}.{column.name}: the row key is made from it, so that another value belongs in another "
                "row: put that one, and delete this one"
            )

    def set(self, fields: Mapping[str, Any], values: Mapping[str, Any], what: str = "set") -> EditStep:
        """Writes values of columns, and adds entries, members and events to those that are there.

        ``fields`` are those of the key; the row's own time stands among the values. None deletes the cell. ``what`` is
        the method that was called.
        """
        self._require_some(what, values)
        stamp, own = self._stamped({**fields, **values})
        changes: list[Change] = []
        sets, takes, plain = set(), set(), False
        for name, value in values.items():
            if name == own:
                continue
            column = self._column(name, sets_value, "only columns can be set, and counters are added to")
            self._refuse_identifying(column)
            if value is None and column.shape is Shape.VALUE:
                changes += self._cleared(name)
                takes.add(name)
                continue
            cells = list(self.codec.columns[name].cells(value, stamp))
            changes += cells
            sets.add(name)
            plain = plain or (column.stamped and bool(cells))
        if own is not None and not plain:
            wanted = "at least one plain cell, in whose timestamp it lies"
            raise ValueRefused(wanted, None, where=f"{self.model.name}.{own}")
        series = [column.name for column in self.model.series if values.get(column.name)]
        if series and self.model.bucket_field:
            BucketSpan(self.model).refuse_outside({**fields, **values}, series)
        time = stamp if own is not None else None
        named = sets | ({own} if own is not None else set())
        return EditStep(tuple(changes), frozenset(named), frozenset(takes), time=time)

    def _stamped(self, values: Mapping[str, Any]) -> tuple[int, str | None]:
        """The timestamp of plain cells, and the attribute that it comes from, where the values bring one of the row's own."""
        stamp = self.model.stamp
        name = stamp.attribute
        if stamp.stored and name is not None and values.get(name) is None:
            # Events and entries with times bring their own.
            if stamp.required and any(
                column.stamped for each, column in self._columns.items() if each in values
            ):
                wanted = (
                    f"the time of the row, which lies in the timestamps of its cells: set({name}=..., ...)"
                )
                raise ValueRefused(wanted, None, where=f"{self.model.name}.{name}")
            return WRITTEN_AT, None
        return self.codec.stamp(values, WRITTEN_AT), name if stamp.stored else None

    def add(self, amounts: Mapping[str, Any], at: datetime | None = None) -> EditStep:
        """Adds amounts to counters; to those of spans of time in the span of ``at``, by default of the time of writing."""
        moment = WRITTEN_AT if at is None else self._moment("add", at)
        self._require_some("add", amounts)
        adds = []
        for name, amount in amounts.items():
            column = self._column(name, counts, "only counters are added to; see increment")
            for qualifier, one in self._amounts(column, amount):
                add = Add(column.family, qualifier, 0 if column.spans is None else WRITTEN_AT, one)
                adds.append(add if at is None else self.written(add, moment))
        if at is not None and not any(self._columns[name].spans for name in amounts):
            raise QueryRefused(
                f"{self.model.name}: add: at= is a time of counters that are declared with every=, which {', '.join(amounts)} "
                "lacks: leave it out"
            )
        return EditStep(tuple(adds), frozenset(amounts))

    def _amounts(self, column: Column, amount: Any) -> list[tuple[bytes, int]]:
        """What is added to which qualifiers: to one, or to those of the entries that are named."""
        name = column.name
        if not column.shape.named:
            return [(column.qualifier, self._checked_amount(name, amount))]
        entries = self.codec.columns[name].converted(as_entries, amount)
        qualifier = self.codec.columns[name].qualifier
        return [(qualifier(one), self._checked_amount(f"{name}[{one!r}]", by)) for one, by in entries.items()]

    def _moment(self, what: str, time: datetime) -> int:
        try:
            micros = micros_since_epoch(time)
            if micros < 0:
                raise ValueRefused("a time from 1970 on", time)
        except ValueRefused as error:
            raise error.at(f"{self.model.name}: {what}: at") from None
        return micros

    def written(self, change: Change, now: int) -> Change:
        """The change as it is sent at ``now``, in microseconds: cells get the time, counters of spans the start of its span."""
        if isinstance(change, Delete) or change.timestamp != WRITTEN_AT:
            return change
        if isinstance(change, Cell):
            return change._replace(timestamp=now)
        return evolve(change, timestamp=self._spans[change.family, change.qualifier].start(now))

    def clear(
        self, names: Iterable[str], start: datetime | None = None, end: datetime | None = None
    ) -> EditStep:
        """Deletes the cells of columns that rows may lack, or those of single ones with timestamps in ``[start, end)``."""
        names = tuple(names)
        self._require_some("clear", names)
        if start is None and end is None:
            return EditStep(
                tuple(one for name in names for one in self._cleared(name)), takes=frozenset(names)
            )
        times = timestamps(f"{self.model.name}: clear", start, end)
        deletes = []
        for name in names:
            whole = self._cleared(name)
            if any(one.qualifier is None for one in whole):
                raise QueryRefused(
                    f"{self.model.name}.{name}: clear: only a single column takes a range of times, and this attribute has many"
                    f"{': name its entries, as in remove(...)' if self._columns[name].shape.timed else ''}"
                )
            if times is not None:
                deletes += [evolve(one, start=times[0], end=times[1]) for one in whole]
        return EditStep(tuple(deletes), takes=frozenset(names))

    def clear_families(self, ids: Iterable[str]) -> EditStep:
        """Deletes families whole, with all that the model does not know of them."""
        ids = tuple(ids)
        self._require_some("clear_family", ids)
        for id in ids:
            if self.model.family(id) is None:
                known = [family.id for family in self.model.families]
                raise QueryRefused(
                    f"{self.model.name}: clear_family: expected families of {', '.join(known)}, got {shown(id)}"
                    f"{did_you_mean(near(str(id), known))}"
                )
        gone = {column.name for column in self.model.columns if column.family in ids}
        gone |= {part.name for part in self.model.key.fields if part.mirror and part.mirror.family in ids}
        return EditStep(tuple(map(Delete, ids)), takes=frozenset(gone))

    def remove(
        self, entries: Mapping[str, Iterable[Any]], start: datetime | None = None, end: datetime | None = None
    ) -> EditStep:
        """Deletes entries of columns that are mappings or sets, or their cells with timestamps in ``[start, end)``."""
        self._require_some("remove", entries)
        times = timestamps(f"{self.model.name}: remove", start, end)
        first, last = times or (
            0,
            0,
        )  # where no timestamp is in the range, the entries are checked all the same
        deletes = []
        for name, some in entries.items():
            column = self._column(
                name,
                removes,
                "only mappings and sets have entries to remove; see clear",
            )
            if isinstance(some, (str, bytes, Mapping)):
                raise ValueRefused("several entries, as a list", some, where=f"{self.model.name}.{name}")
            qualifiers = map(self.codec.columns[name].qualifier, some)
            deletes += [Delete(column.family, qualifier, first, last) for qualifier in qualifiers]
        return EditStep(() if times is None else tuple(deletes))

    def _cleared(self, name: str) -> list[Delete]:
        column = self._column(name, lacks, "no row can be without it")
        if not column.open:
            return [Delete(place.family, place.qualifier) for place in column.places]
        if shares_family(self.model, column):
            raise QueryRefused(
                f"{self.model.name}.{name}: it shares its family {column.family!r}, and no server can delete "
                "a part of one: remove its entries by name"
            )
        return [Delete(column.family)]

    def _column(self, name: str, fits: Callable[[Column], bool], why: str) -> Column:
        found = self._columns.get(name)
        if found is not None and fits(found):
            return found
        fitting = [column.name for column in self._columns.values() if fits(column)]
        place = f"{self.model.name}.{name}" if name in self._columns else self.model.name
        offer = did_you_mean(near(str(name), fitting))
        came = "" if name in self._columns else f", got {shown(name)}{offer}"
        offered = f"one of {', '.join(fitting)}" if fitting else "a column that the model does not have"
        # Why a column does not fit says nothing of a name that is none.
        known = name in self._columns or any(part.name == name for part in self.model.key.asked)
        said = f"{why}; expected" if known else "expected"
        raise QueryRefused(f"{place}: {said} {offered}{came}")

    def _checked_amount(self, name: str, amount: object) -> int:
        if type(amount) is int and LEAST_AMOUNT <= amount <= MOST_AMOUNT:
            return amount
        wanted = f"a whole number from {LEAST_AMOUNT} to {MOST_AMOUNT} to add"
        raise ValueRefused(wanted, amount, where=f"{self.model.name}.{name}")

    def _require_some(self, what: str, done: Collection[Any]) -> None:
        if not done:
            raise QueryRefused(f"{self.model.name}: {what}: expected something to {what}, got nothing")


@frozen(slots=False, eq=False)
class RowEdit:
    """What is done to one row, step by step, in one atomic mutation; ``fields`` are those that its key is made of."""

    edits: Edits
    fields: Mapping[str, Any]
    key: bytes
    steps: tuple[EditStep, ...] = ()

    def then(self, step: EditStep) -> "RowEdit":
        """The same, with another step behind the others."""
        return evolve(self, steps=(*self.steps, step))

    @property
    def time(self) -> int | None:
        """The row's own time, in microseconds, that it is written with: the first, of several; None where none orders it."""
        if self.edits.model.stamp.expires:
            return None
        return min((step.time for step in self.steps if step.time is not None), default=None)

    def mutation(self, now: int) -> Mutation:
        """The mutation that makes all changes in their order; ``now`` is the time of writing, in microseconds.

        Raises :class:`QueryRefused` where there is no step, and where the row would be left without what every row has.
        """
        model = self.edits.model
        if not self.steps:
            raise QueryRefused(
                f"{model.name}: expected an edit with at least one step, such as set(...), got none"
            )
        if model.stamp.expires and self._sets and not self._deletes_first:
            raise QueryRefused(
                f"{model.name}: an edit cannot set some cells of a row that expires, as each cell holds the end of the row's "
                "life, and the others would keep theirs: write the whole row, with put, put_if or replace, or begin the "
                "edit with delete()"
            )
        lost = self._lost
        if lost:
            them = "it" if len(lost) == 1 else "them"
            raise QueryRefused(
                f"{model.name}: the edit leaves a row without {', '.join(lost)}, which every {model.name} has: set {them} in a "
                f"later step of the same edit, or declare {them} as optional"
            )
        changes = [change for step in self.steps for change in step.changes] + self._identity
        return Mutation.of(model.table, self.key, [self.edits.written(change, now) for change in changes])

    @cached_property
    def _last_steps(self) -> tuple[EditStep, ...]:
        """The steps that say what the row is in the end: those behind the last deletion of the row."""
        last = max((at for at, step in enumerate(self.steps) if step.whole), default=-1)
        return self.steps[last + 1 :]

    @property
    def _deletes_first(self) -> bool:
        """Whether the row is deleted in front of the last steps."""
        return any(step.whole for step in self.steps)

    @property
    def _identity(self) -> list[Change]:
        """The cells that repeat what the key is made of, as every row that is put has them, of a row that is written."""
        if not self._identifies:
            return []
        steps = self._last_steps
        model, codec = self.edits.model, self.edits.codec
        own = max((step.time for step in steps if step.time is not None), default=None)
        if own is None and model.stamp.stored and model.stamp.required:
            return []  # nothing but events was set, of a row that is there
        at = codec.stamp(self.fields, WRITTEN_AT) if own is None else own
        cells: list[Change] = [*codec.mirrors(self.fields, at)]
        for name in model.key.hashed if self._sets else ():
            cells += codec.columns[name].cells(self.fields[name], at)
        return cells

    @cached_property
    def _writes(self) -> bool:
        """Whether a row is there in the end that was perhaps not there before."""
        return any(step.writes for step in self._last_steps)

    @property
    def _identifies(self) -> bool:
        """Whether the cells that repeat what the key is made of are written, too."""
        # Where nothing but counters is written, the time of a row that lies in the timestamps of its cells stays.
        return self._writes and (self._sets or not self.edits.model.stamp.stored)

    @cached_property
    def _sets(self) -> bool:
        """Whether a row that is there in the end has cells of the edit, beside counters."""
        return any(isinstance(change, Cell) for step in self._last_steps for change in step.changes)

    @property
    def _lost(self) -> list[str]:
        """What every row has, and the row lacks in the end, if it is there then."""
        steps, anew = self._last_steps, self._deletes_first
        if anew:
            return list(self.lacking) if self._writes else []
        gone: set[str] = set()
        for step in steps:
            gone = (gone | step.takes) - step.sets
        gone = gone and gone - self._written
        return [name for name in (*self.edits.mirrored, *self.edits.needed) if name in gone]

    @property
    def _written(self) -> set[str]:
        """What of the key lies in cells that are written with the others."""
        mirrored = self.edits.mirrored if self._identifies else ()
        return {*mirrored, *(self.edits.model.key.hashed if self._sets else ())}

    @cached_property
    def lacking(self) -> tuple[str, ...]:
        """What a row would lack that begins with this edit; nothing where it begins none."""
        steps = self._last_steps
        if not self._writes or not self.edits.needed:
            return ()
        there = self._written
        for step in steps:
            there = (there | step.sets) - step.takes
        return tuple(name for name in self.edits.needed if name not in there)

    def if_there(self, mutation: Mutation, *, whole: bool = False) -> Conditional | None:
        """The mutation under the condition that its row is there, with what the edit leaves out of it.

        None where nothing is left out, unless ``whole``: the row must then be there in any case.
        """
        model = self.edits.model
        found = has_all(model, self.lacking)
        if found is None and whole:
            found = has_needed(model) or IsPresent().of_row(model)
        return None if found is None else Conditional(mutation, found, present=True)

    def refuse_beginning(self, test: Test) -> None:
        """Refuse to begin a row that lacks something, where ``test``, under which it is applied, holds without a row."""
        if self.lacking and holds_without_row(test):
            name = self.edits.model.name
            them = "it" if len(self.lacking) == 1 else "them"
            raise QueryRefused(
                f"{name}: where there is no row, this edit would begin one without {', '.join(self.lacking)}, which "
                f"every {name} has: set {them}, too, apply the edit with a condition that holds of a row alone, as with "
                "`& when(bt.present())`, or say begin=True"
            )


DELETED = EditStep((Delete(),), whole=True)
