"""The cell layout of each column shape."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any

from btmodel.codecs import meaning_of
from btmodel.codecs.cell import CellCodec, PerEntry
from btmodel.codecs.parts import reads_older
from btmodel.errors import UndecodableCell, ValueRefused, raised
from btmodel.rows.cells import Cell, cell_timestamp
from btmodel.rows.collections import HELD, History, Slots, Timed, as_history, as_members, as_slots
from btmodel.schema import Column, ModelSchema, Shape

Place = tuple[str, bytes]


_WAY_OUT = "round it yourself, or declare it with round=True"


class ColumnCodec(ABC):
    """How one attribute becomes cells, and how it is put together from the cells that were read.

    ``taken`` are the places of other columns, which an entry must not be written to.
    """

    # Whether of all the cells of a column the newest alone is meant.
    newest_only = False

    def __init__(self, model: ModelSchema, column: Column, taken: Collection[Place] = ()) -> None:
        self.column = column
        self._table = model.table
        self._where = f"{model.name}.{column.name}"
        self._taken = taken

    @abstractmethod
    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """The cells of ``value``; ``stamp`` is the timestamp of those that have none of their own."""

    @abstractmethod
    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """Put a cell into ``values``, of a row whose bucket begins at ``start``; the newest of a column comes first."""

    def empty(self) -> Any:
        """The value of a row that has no cell of it; a VALUE has none."""
        return None

    def timestamp(self, time: datetime) -> int:
        """The timestamp of a cell whose time is a part of the value."""
        return cell_timestamp(time, cut=self.column.round, way_out=_WAY_OUT)

    def value(self, key: bytes, cell: Cell, codec: CellCodec[Any] | None = None) -> Any:
        """The value of one cell, by ``codec`` where that is not the column's."""
        codec = codec or self.column.codec
        try:
            return codec.decode(cell.value)
        except Exception as error:
            # Whatever a codec of the user's raises: one cell must not end a read.
            at = f"{_shown(cell)} @ {_time(cell)}" if self.column.versioned else _shown(cell)
            raise UndecodableCell(self._table, key, at, cell.value, meaning_of(codec)) from error

    def time(self, key: bytes, cell: Cell) -> datetime:
        """The time that a cell's timestamp stands for."""
        try:
            return cell.time
        except OverflowError:
            wanted = "a timestamp up to the year 9999"
            raise UndecodableCell(
                self._table, key, f"{_shown(cell)} @ {_time(cell)}", cell.value, wanted
            ) from None

    def encoded(self, value: Any, codec: CellCodec[Any] | None = None) -> bytes:
        """The bytes of one value, by ``codec`` where that is not the column's."""
        try:
            return (codec or self.column.codec).encode(value)
        except ValueRefused as error:
            raise error.at(self._where) from None
        except Exception as error:
            raise self._raised(error, value) from error

    def rewritten(self, key: bytes, cell: Cell) -> Cell:
        """A cell of the row ``key`` as the column writes its value: under the qualifier and with the bytes that it has then.

        Raises :class:`UndecodableCell`, and :class:`ValueRefused` with the attribute.
        """
        qualifier = self.column.qualifier if cell.qualifier in self.column.also else cell.qualifier
        return cell._replace(qualifier=qualifier, value=self._bytes_again(key, cell))

    def _bytes_again(self, key: bytes, cell: Cell) -> bytes:
        """The bytes that the value of a cell is written with, where its codec reads others as well on purpose; else those that are there.

        Other codecs may write one value as several bytes: compressed ones by their library, times with their offset, what a user maps.
        """
        codec = self._codec_of(key, cell)
        if self.column.shape.summed or self.column.shape.empty or not reads_older(codec):
            return cell.value
        value = self.value(key, cell, codec)
        again = self.encoded(value, codec)
        return (
            cell.value if isinstance(value, float) and math.isnan(value) else again
        )  # NaN has many encodings

    def _codec_of(self, key: bytes, cell: Cell) -> CellCodec[Any]:
        """The codec of the value of one cell."""
        return self.column.codec

    def _raised(self, error: Exception, value: Any) -> ValueRefused:
        reason = raised(error)
        return ValueRefused(f"a value that its codec takes (it raised {reason})", value, where=self._where)

    def qualifier(self, name: Any) -> bytes:
        """The qualifier of the entry or member ``name``."""
        names = self.column.names
        assert names is not None
        try:
            found = self.column.qualifier + names.encode(name)
        except ValueRefused as error:
            raise error.at(self._where) from None
        except Exception as error:
            raise self._raised(error, name) from error
        return self.free(found, name)

    def free(self, qualifier: bytes, name: Any) -> bytes:
        """``qualifier``, which must not be that of another column."""
        if (self.column.family, qualifier) in self._taken:
            raise ValueRefused("a name that is not the qualifier of another column", name, where=self._where)
        return qualifier

    def converted(self, convert: Callable[[Any], Any], value: Any) -> Any:
        """``value`` as the attribute holds it."""
        try:
            return convert(value)
        except ValueRefused as error:
            raise error.at(self._where) from None

    def _name(self, key: bytes, cell: Cell) -> Any:
        """What a qualifier says behind the column's prefix."""
        names = self.column.names
        assert names is not None
        raw = cell.qualifier[len(self.column.qualifier) :]
        try:
            return names.decode(raw)
        except Exception as error:
            wanted = f"a qualifier of {meaning_of(names)}"
            raise UndecodableCell(self._table, key, _shown(cell), raw, wanted) from error


class ValueColumn(ColumnCodec):
    """The newest value of one column; None is an absent cell."""

    newest_only = True

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """One cell, or none for a None that may be."""
        if value is None and not self.column.required:
            return ()
        return (Cell(self.column.family, self.column.qualifier, stamp, self.encoded(value)),)

    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """The value."""
        values[self.column.name] = self.value(key, cell)


class HistoryColumn(ColumnCodec):
    """The versions of one column."""

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """A version for each time."""
        for time, one in self.converted(as_history, value).items():
            yield self.event(time, one, stamp)

    def event(self, time: Any, value: Any, stamp: int) -> Cell:
        """The version of one time."""
        return Cell(
            self.column.family,
            self.column.qualifier,
            self.converted(self.timestamp, time),
            self.encoded(value),
        )

    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """One version more."""
        values[self.column.name][self.time(key, cell)] = self.value(key, cell)

    def empty(self) -> Any:
        """No version."""
        return History()


class MarksColumn(HistoryColumn):
    """Events whose value is the qualifier of an empty cell."""

    def event(self, time: Any, value: Any, stamp: int) -> Cell:
        """The cell of one event."""
        return Cell(self.column.family, self.qualifier(value), self.converted(self.timestamp, time), b"")

    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """One event more; two values of one time cannot both be kept."""
        value = self._name(key, cell)
        if cell.value:
            raise UndecodableCell(self._table, key, _shown(cell), cell.value, "an empty value")
        time = self.time(key, cell)
        if values[self.column.name].setdefault(time, value) != value:
            wanted = f"one value at {time}"
            raise UndecodableCell(self._table, key, _shown(cell), cell.qualifier, wanted)


class SlotsColumn(HistoryColumn):
    """A column for each slot of the row's bucket."""

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """A cell for each slot."""
        for time, one in self.converted(as_slots, value).items():
            yield self.event(time, one, stamp)

    def event(self, time: Any, value: Any, stamp: int) -> Cell:
        """The cell of one slot."""
        assert self.column.slots is not None
        try:
            name = self.column.slots.write(time)
        except ValueRefused as error:
            raise error.at(self._where) from None
        qualifier = self.free(self.column.qualifier + name, time)
        return Cell(self.column.family, qualifier, stamp, self.encoded(value))

    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """One slot more."""
        assert self.column.slots is not None
        assert start is not None
        raw = cell.qualifier[len(self.column.qualifier) :]
        try:
            time = self.column.slots.read(raw, start)
        except ValueError as error:
            wanted = str(error).partition(", got ")[0].removeprefix("expected ")
            raise UndecodableCell(self._table, key, _shown(cell), raw, wanted) from None
        slots = values[self.column.name]
        if time not in slots:
            slots[time] = self.value(key, cell)

    def empty(self) -> Any:
        """No slot."""
        return Slots()


class MappingColumn(ColumnCodec):
    """A column for each entry: the qualifier is its key."""

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """The cells of each entry."""
        for name, one in self.converted(HELD[self.column.shape].convert, value).items():
            try:
                found = [(at, self.encoded(inner, self._of(name))) for at, inner in self.versions(one, stamp)]
            except ValueRefused as error:
                raise error.at(f"{self._where}[{name!r}]") from None
            if found:
                qualifier = self.qualifier(name)
                yield from (Cell(self.column.family, qualifier, at, raw) for at, raw in found)

    def versions(self, value: Any, stamp: int) -> Iterable[tuple[int, Any]]:
        """The timestamps and the values of one entry's cells."""
        return ((stamp, value),)

    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """One entry more."""
        entries = values[self.column.name]
        name = self._name(key, cell)
        if name not in entries:
            entries[name] = self.entry(key, cell, name)

    def entry(self, key: bytes, cell: Cell, name: Any) -> Any:
        """What an entry holds in one of its cells."""
        return self.value(key, cell, self._codec_named(key, cell, name))

    def _codec_named(self, key: bytes, cell: Cell, name: Any) -> CellCodec[Any]:
        try:
            return self._of(name)
        except ValueRefused as error:
            raise UndecodableCell(self._table, key, _shown(cell), cell.qualifier, error.wanted) from None

    def _codec_of(self, key: bytes, cell: Cell) -> CellCodec[Any]:
        """That of the entry."""
        return self._codec_named(key, cell, self._name(key, cell))

    def _of(self, name: Any) -> CellCodec[Any]:
        """The codec of an entry's value."""
        codec = self.column.codec
        return codec.of(name) if isinstance(codec, PerEntry) else codec

    def empty(self) -> Any:
        """No entry."""
        return {}


class HistoriesColumn(MappingColumn):
    """A column for each entry, whose versions are all data."""

    def versions(self, value: Any, stamp: int) -> Iterable[tuple[int, Any]]:
        """A cell for each time of the entry."""
        return ((self.timestamp(time), one) for time, one in value.items())

    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """One version more, of one entry."""
        name = self._name(key, cell)
        value, time = self.entry(key, cell, name), self.time(key, cell)
        values[self.column.name].setdefault(name, History())[time] = value


class TimedColumn(MappingColumn):
    """A column for each entry, whose timestamp is a part of what it holds."""

    def versions(self, value: Any, stamp: int) -> Iterable[tuple[int, Any]]:
        """The cell of the entry, at its time."""
        return ((self.timestamp(value.time), value.value),)

    def entry(self, key: bytes, cell: Cell, name: Any) -> Any:
        """The value, and the time of its cell."""
        return Timed(super().entry(key, cell, name), self.time(key, cell))


class MembersColumn(ColumnCodec):
    """An empty cell for each member: the qualifier is its value."""

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """A cell for each member, in the order of the qualifiers."""
        found = sorted(map(self.qualifier, self.converted(as_members, value)))
        return [Cell(self.column.family, one, stamp, b"") for one in found]

    def read(self, values: dict[str, Any], cell: Cell, key: bytes, start: datetime | None) -> None:
        """One member more; whatever lies in the cell, it is there."""
        values[self.column.name].add(self._name(key, cell))

    def empty(self) -> Any:
        """No member."""
        return set()


class CounterColumn(ValueColumn):
    """A number that is added to, never set."""

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """None: what was read is left as it is in the table."""
        return ()


class CountersColumn(MappingColumn):
    """A number for each entry that is added to, never set."""

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """None, as of a counter."""
        return ()


class CountsColumn(HistoryColumn):
    """Numbers of spans of time that are added to, never set: the timestamp is the start of the span."""

    def cells(self, value: Any, stamp: int) -> Iterable[Cell]:
        """None, as of a counter."""
        return ()


SHAPES: dict[Shape, type[ColumnCodec]] = {
    Shape.VALUE: ValueColumn,
    Shape.HISTORY: HistoryColumn,
    Shape.SLOTS: SlotsColumn,
    Shape.MARKS: MarksColumn,
    Shape.MAPPING: MappingColumn,
    Shape.HISTORIES: HistoriesColumn,
    Shape.TIMED: TimedColumn,
    Shape.MEMBERS: MembersColumn,
    Shape.COUNTER: CounterColumn,
    Shape.COUNTERS: CountersColumn,
    Shape.COUNTS: CountsColumn,
}


def column_codecs(model: ModelSchema) -> list[ColumnCodec]:
    """The codecs of the model's columns, in their order."""
    return [SHAPES[column.shape](model, column, model.single_cells) for column in model.columns]


def _time(cell: Cell) -> str:
    try:
        return f"{cell.time:%Y-%m-%dT%H:%M:%S.%f}Z"
    except OverflowError:
        return f"{cell.timestamp} us"


def _shown(cell: Cell) -> str:
    return f"{cell.family}:{cell.qualifier.decode(errors='backslashreplace')}"
