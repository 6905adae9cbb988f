"""The row codec: an instance of a model to cells and back."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from btmodel.errors import UndecodableCell, ValueRefused
from btmodel.rows.buckets import BucketSpan
from btmodel.rows.cells import Cell, cell_timestamp
from btmodel.rows.history import History, as_history
from btmodel.rows.key import RowKeyCodec
from btmodel.rows.mutations import Mutation
from btmodel.schema import Column, ModelSchema

M = TypeVar("M")


class RowCodec(Generic[M]):
    """Encodes and decodes the rows of one model.

    ``make`` builds an instance from its fields, by name, and the cells that the model
    does not know.
    """

    def __init__(self, model: ModelSchema, make: Callable[[dict[str, Any], tuple[Cell, ...]], M]) -> None:
        self._model = model
        self._make = make
        self.keys = RowKeyCodec(model)
        self._mirrors = [(field.name, field.mirror) for field in model.key.fields if field.mirror]
        self._columns = {(column.family, column.qualifier): column for column in model.columns}
        self._mirrored = {(mirror.family, mirror.qualifier) for _, mirror in self._mirrors}
        self._absent = {column.name: None for column in model.columns if not column.required}
        self._empty = [column.name for column in model.histories]
        self._span = BucketSpan(model) if model.bucket_field else None

    def encode(self, values: Mapping[str, Any], now: int) -> Mutation:
        """The mutation that writes ``values``, with ``now`` (microseconds) as the time of plain cells.

        None leaves the cell as it is in the table. Raises :class:`ValueRefused`.
        """
        cells = self.mirrors(values, now)
        for column in self._model.columns:
            cells += self._cells(column, values[column.name], now)
        key = self.keys.key(values)
        if self._span:
            self._span.refuse_outside(values, self._empty)
        if not cells:
            wanted = "at least one value beside the key (a row without cells does not exist)"
            raise ValueRefused(wanted, key, where=self._model.name)
        return Mutation(self._model.table, key, cells)

    def mirrors(self, values: Mapping[str, Any], now: int) -> list[Cell]:
        """The cells that repeat key fields."""
        return [
            Cell(mirror.family, mirror.qualifier, now, self._encoded(name, mirror.codec, values[name]))
            for name, mirror in self._mirrors
        ]

    def _cells(self, column: Column, value: Any, now: int) -> list[Cell]:
        if not column.history:
            if value is None and not column.required:
                return []
            return [
                Cell(column.family, column.qualifier, now, self._encoded(column.name, column.codec, value))
            ]
        try:
            versions = as_history(value)
        except ValueRefused as error:
            raise error.at(f"{self._model.name}.{column.name}") from None
        return [self.version(column, time, one) for time, one in versions.items()]

    def version(self, column: Column, time: Any, value: Any) -> Cell:
        """The cell that holds ``value`` as the version of ``time``."""
        try:
            timestamp = cell_timestamp(time)
        except ValueRefused as error:
            raise error.at(f"{self._model.name}.{column.name}") from None
        return Cell(
            column.family, column.qualifier, timestamp, self._encoded(column.name, column.codec, value)
        )

    def _encoded(self, name: str, codec: Any, value: Any) -> bytes:
        try:
            raw: bytes = codec.encode(value)
        except ValueRefused as error:
            raise error.at(f"{self._model.name}.{name}") from None
        return raw

    def decode(self, key: bytes, cells: Iterable[Cell]) -> M:
        """The instance of a row as it was read: cells of a column from the newest to the oldest.

        Raises :class:`UndecodableKey` and :class:`UndecodableCell`. Cells that the model
        does not know are kept.
        """
        values = self.keys.decode(key)
        values.update(self._absent)
        for name in self._empty:
            values[name] = History()
        unknown: list[Cell] = []
        previous = None
        for cell in cells:
            place = cell[:2]
            column = self._columns.get(place)
            if column is None:
                # An interleave may give a cell twice.
                if place not in self._mirrored and not (unknown and unknown[-1] == cell):
                    unknown.append(cell)
            elif column.history:
                values[column.name][cell.time] = self.value(column, key, cell)
            elif place != previous:
                values[column.name] = self.value(column, key, cell)
            previous = place
        self._complete(key, values)
        return self._make(values, tuple(unknown))

    def value(self, column: Column, key: bytes, cell: Cell) -> Any:
        """The value of one cell of ``column``."""
        try:
            return column.codec.decode(cell.value)
        except (ValueError, OverflowError):
            raise UndecodableCell(
                self._model.table, key, column.cell, cell.value, column.codec.meaning
            ) from None

    def _complete(self, key: bytes, values: dict[str, Any]) -> None:
        for column in self._model.columns:
            if column.name not in values:
                wanted = f"a cell (declare {column.name!r} as optional, if rows may lack it)"
                raise UndecodableCell(self._model.table, key, column.cell, None, wanted)
