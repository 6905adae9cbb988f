"""A change of a cell that is read first, as its row has to be there; and the error of a row that is not."""

from collections.abc import Collection, Iterable

from btmodel.errors import MissingRow
from btmodel.rows.cells import MILLISECOND, Cell
from btmodel.rows.columns import ColumnCodec
from btmodel.rows.conditions import all_of
from btmodel.rows.filters import (
    ExactValue,
    Filter,
    Interleave,
    RowsWithout,
    Times,
    ValueEnds,
    WithoutValues,
    any_of,
    chain,
)
from btmodel.rows.gc_filter import of_newest, of_plain
from btmodel.rows.mutations import Append, Conditional, Increment, Mutation
from btmodel.rows.ranges import RowRange
from btmodel.rows.read import ReadPlan
from btmodel.schema import ModelSchema
from btmodel.schema.possible_edits import needed_besides


def has_needed(model: ModelSchema, name: str = "") -> Filter | None:
    """Finds a cell in a row that has what every row has beside the column ``name``; None where that is nothing."""
    return has_all(model, needed_besides(model, name))


def has_all(model: ModelSchema, needed: Collection[str]) -> Filter | None:
    """Finds a cell in a row that has all of the ``needed`` columns; None where that is nothing."""
    columns = [column for column in model.seen if column.name in needed]
    if columns:
        *outer, last = [any_of([of_newest(model, place) for place in column.places]) for column in columns]
        return all_of(outer, last)
    return of_plain(model) if needed else None


# Of a value that is longer than this, so many bytes of both ends are compared: a filter holds no more.
_COMPARED_WHOLE = 2_000
_COMPARED_END = 500


class CheckedChange:
    """A change of the newest cell of one column, in a row that must have what the model requires besides.

    The service cannot do both at once: it adds to a cell, and puts behind it, unconditionally. So the
    cell is read, and the new one is written under the condition that the row is still there and its
    cell is still the one that was read. Whoever loses against another writer tries again.

    A value that is too long for a condition is known by its timestamp and its two ends. So
    its change gets a later timestamp always, and no two changes leave the same one. That leaves
    writes of one column in one millisecond, whose order the clocks cannot show.
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
        """The read of the cell, and of another one that shows that the row is there."""
        there = chain([self._needed, WithoutValues()])
        assert there is not None
        filter = Interleave((self._newest, there))
        return ReadPlan(self._model.table, (RowRange.of_key(self.key),), filter, limit=1)

    def attempt(self, cells: Iterable[Cell], now: int) -> tuple[Conditional, Cell]:
        """The conditional writing of the new cell, and that cell, after a read of ``cells``.

        Raises :class:`MissingRow` where they show no row, and :class:`ValueRefused` for a number too large.
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
    return len(cell.value) > _COMPARED_WHOLE


def _value_of(cell: Cell) -> Filter:
    """Finds the value of ``cell``, or one with the same ends, where it is too long to compare."""
    if _is_long(cell):
        return ValueEnds(cell.value[:_COMPARED_END], cell.value[-_COMPARED_END:])
    return ExactValue(cell.value)


def missing_row(model: ModelSchema, key: bytes) -> MissingRow:
    """The error of a row that is not there, or lacks what every row has."""
    hidden = {column.name for column in model.columns} - {column.name for column in model.seen}
    needed = tuple(name for name in needed_besides(model) if name not in hidden)
    return MissingRow(model.name, model.table, key, needed)
