"""Edits without a read: increments, appends, clears; and replacing a whole row."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from btmodel.errors import MissingRow, QueryRefused, ValueRefused, shown
from btmodel.rows.cells import MILLISECOND, Cell
from btmodel.rows.columns import ColumnCodec
from btmodel.rows.conditions import all_of
from btmodel.rows.filters import (
    Filter,
    Interleave,
    RowsWithout,
    Times,
    Value,
    ValueEnds,
    WithoutValues,
    chain,
)
from btmodel.rows.kept import of_newest, of_plain
from btmodel.rows.mutations import Add, Append, Conditional, Delete, Increment, Mutation, ReadModifyWrite
from btmodel.rows.ranges import RowRange
from btmodel.rows.read import ReadPlan
from btmodel.schema import Column, ModelSchema
from btmodel.schema.edits import (
    counts,
    extends,
    identifies,
    increments,
    lacks,
    needed_besides,
    removes,
    shares_family,
)
from btmodel.schema.model import WRITTEN
from btmodel.words import did_you_mean, near


def has_needed(model: ModelSchema, name: str = "") -> Filter | None:
    """Finds a cell in a row that has what every row has beside the column ``name``; None where that is nothing."""
    needed = needed_besides(model, name)
    columns = [column for column in model.columns if column.name in needed]
    if columns:
        *outer, last = [of_newest(model, column) for column in columns]
        return all_of(outer, last)
    return of_plain(model) if needed else None


# Of a value that is longer than this, so many bytes of both ends are compared: a filter holds no more.
MOST_COMPARED = 2_000
END_COMPARED = 500


class CheckedChange:
    """A change of the newest cell of one column, in a row that must have what the model requires besides.

    The service cannot do both at once: it adds to a cell, and puts behind it, unconditionally. So the
    cell is read, and the new one is written under the condition that the row is still there and its
    cell is still the one that was read. Whoever loses against another writer tries again.

    A value that is too long for a condition is known by its timestamp and its two ends. So
    its change gets a later timestamp always, and no two changes leave the same one. That leaves
    writes of one column in one millisecond, of which the clocks cannot tell the order.
    """

    def __init__(
        self, model: ModelSchema, codec: ColumnCodec, key: bytes, change: Increment | Append, needed: Filter
    ) -> None:
        self._model = model
        self._codec = codec
        self.key = key
        self._change = change
        self._needed = needed
        self._newest = of_newest(model, codec.column)
        self._place = (codec.column.family, codec.column.qualifier)

    @property
    def plan(self) -> ReadPlan:
        """The read of the cell, and of another one that tells that the row is there."""
        there = chain([self._needed, WithoutValues()])
        assert there is not None
        filter = Interleave((self._newest, there))
        return ReadPlan(self._model.table, (RowRange.of_key(self.key),), filter, limit=1)

    def attempt(self, cells: Iterable[Cell], now: int) -> tuple[Conditional, Cell]:
        """The conditional writing of the new cell, and that cell, after a read of ``cells``.

        Raises :class:`MissingRow` where they tell of no row, and :class:`ValueRefused` for a number too large.
        """
        found = list(cells)
        seen = next((cell for cell in found if cell[:2] == self._place), None)
        if not any(cell[:2] != self._place for cell in found):
            raise missing_row(self._model, self.key)
        # An older timestamp, by a clock that is behind, would hide the new value behind the one that was read.
        stamp = now if seen is None else max(now, seen.timestamp + (MILLISECOND if _is_long(seen) else 0))
        new = Cell(*self._place, stamp, self._changed(seen))
        return Conditional(Mutation(self._model.table, self.key, [new]), self._same(seen), present=True), new

    def _same(self, seen: Cell | None) -> Filter:
        """Finds a cell where the row is there, and its newest cell is still the one that was ``seen``."""
        if seen is None:
            return RowsWithout(self._newest, self._needed)
        at = Times(seen.timestamp, seen.timestamp + MILLISECOND)
        same = all_of([self._needed], chain([self._newest, at, _value_of(seen)]))
        assert same is not None
        return same

    def _changed(self, seen: Cell | None) -> bytes:
        """The bytes of the new cell, as the service would make them."""
        if isinstance(self._change, Append):
            return (seen.value if seen else b"") + self._change.value
        before = self._codec.value(self.key, seen) if seen else 0
        return self._codec.encoded(before + self._change.amount)


def _is_long(cell: Cell) -> bool:
    return len(cell.value) > MOST_COMPARED


def _value_of(cell: Cell) -> Filter:
    """Finds the value of ``cell``, or one with the same ends, where it is too long to compare."""
    if _is_long(cell):
        return ValueEnds(cell.value[:END_COMPARED], cell.value[-END_COMPARED:])
    return Value(cell.value)


def missing_row(model: ModelSchema, key: bytes) -> MissingRow:
    """The error of a row that is not there, or lacks what every row has."""
    return MissingRow(model.name, model.table, key, needed_besides(model))


LEAST, MOST = -(2**63) + 1, 2**63 - 1  # Google's client takes no smaller one


class Edits:
    """Makes the edits of one model's rows, each from a row key and the names of columns.

    Every method raises :class:`QueryRefused` for a column that cannot be edited so, and
    :class:`ValueRefused` for a value that does not fit.
    """

    def __init__(self, model: ModelSchema, codecs: Mapping[str, ColumnCodec]) -> None:
        self._model = model
        self._columns = {column.name: column for column in model.columns}
        self._codecs = codecs
        self._needed = has_needed(model)

    def increment(self, key: bytes, name: str, by: int) -> ReadModifyWrite:
        """Adds ``by`` to the newest value of a column of 64-bit integers."""
        column = self._column(
            name,
            increments,
            "only 64-bit big-endian integers (the codec Int64) can be incremented by the server",
        )
        self._check_amount(name, by)
        self._refuse_unchangeable(column)
        return ReadModifyWrite(self._model.table, key, [Increment(column.family, column.qualifier, by)])

    def extend(self, key: bytes, name: str, value: Any) -> ReadModifyWrite:
        """Puts ``value`` behind the newest value of a column of text or bytes."""
        column = self._column(
            name,
            extends,
            "only text and bytes (the codecs Utf8 and Raw) can be extended by the server",
        )
        self._refuse_unchangeable(column)
        raw = self._codecs[name].encoded(value)
        return ReadModifyWrite(self._model.table, key, [Append(column.family, column.qualifier, raw)])

    def checked(self, change: ReadModifyWrite, name: str) -> CheckedChange | None:
        """The same change of the column ``name``, where a row with nothing but that column would lack something.

        None where no other column is required: the server may then change the cell as it is.
        """
        needed = has_needed(self._model, name)
        if needed is None:
            return None
        return CheckedChange(self._model, self._codecs[name], change.key, change.changes[0], needed)

    def if_there(self, mutation: Mutation) -> Conditional | None:
        """The mutation under the condition that its row has what the model requires; None where that is nothing."""
        return None if self._needed is None else Conditional(mutation, self._needed, present=True)

    def _refuse_unchangeable(self, column: Column) -> None:
        """Refuse a column whose new value would need another row key, or a time that is not the server's."""
        name = column.name
        if identifies(self._model, column):
            raise QueryRefused(
                f"{self._model.name}.{name}: the row key is made from it, so that another value belongs in another "
                "row: put that one, and delete this one"
            )
        if self._model.stamp != WRITTEN:
            raise QueryRefused(
                f"{self._model.name}.{name}: the server gives the present time to what it changes, and would hide "
                "later puts of this model, whose timestamps are its own: read the row and use put_if"
            )

    def add(self, key: bytes, amounts: Mapping[str, int]) -> Mutation:
        """Adds amounts to counters."""
        adds = []
        for name, amount in amounts.items():
            column = self._column(name, counts, "only counters are added to; see increment")
            self._check_amount(name, amount)
            adds.append(Add(column.family, column.qualifier, 0, amount))
        self._refuse_nothing("add", adds)
        return Mutation(self._model.table, key, adds=adds)

    def clear(self, key: bytes, names: Iterable[str]) -> Mutation:
        """Deletes the cells of columns that rows may lack."""
        deletes = [self._cleared(name) for name in names]
        self._refuse_nothing("clear", deletes)
        return Mutation(self._model.table, key, deletes=deletes)

    def remove(self, key: bytes, entries: Mapping[str, Iterable[Any]]) -> Mutation:
        """Deletes entries of columns that are mappings or sets."""
        self._refuse_nothing("remove", entries)
        deletes = []
        for name, some in entries.items():
            column = self._column(
                name,
                removes,
                "only mappings and sets have entries to remove; see clear",
            )
            if isinstance(some, (str, bytes)):
                raise ValueRefused("several entries, as a list", some, where=f"{self._model.name}.{name}")
            deletes += [Delete(column.family, self._codecs[name].qualifier(entry)) for entry in some]
        return Mutation(self._model.table, key, deletes=deletes)

    def _cleared(self, name: str) -> Delete:
        column = self._column(name, lacks, "no row can be without it")
        if not column.open:
            return Delete(column.family, column.qualifier)
        if shares_family(self._model, column):
            raise QueryRefused(
                f"{self._model.name}.{name}: it shares its family {column.family!r}, and no server can delete "
                "a part of one: remove its entries by name"
            )
        return Delete(column.family)

    def _column(self, name: str, fits: Callable[[Column], bool], why: str) -> Column:
        fitting = [column.name for column in self._columns.values() if fits(column)]
        if name in fitting:
            return self._columns[name]
        place = f"{self._model.name}.{name}" if name in self._columns else self._model.name
        offer = did_you_mean(near(str(name), fitting))
        came = "" if name in self._columns else f", got {shown(name)}{offer}"
        offered = f"one of {', '.join(fitting)}" if fitting else "a column that the model does not have"
        raise QueryRefused(f"{place}: {why}; wanted {offered}{came}")

    def _check_amount(self, name: str, amount: object) -> None:
        if type(amount) is not int or not LEAST <= amount <= MOST:
            wanted = "a whole number of 64 bits to add"
            raise ValueRefused(wanted, amount, where=f"{self._model.name}.{name}")

    def _refuse_nothing(self, what: str, done: Collection[Any]) -> None:
        if not done:
            raise QueryRefused(f"{self._model.name}: {what}: wanted something to {what}, got nothing")
