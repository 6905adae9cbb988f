"""Events: the readings that share the row of a time bucket."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Generic, TypeVar

from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows.buckets import BucketSpan
from btmodel.rows.cells import Cell, cell_timestamp
from btmodel.rows.filters import Times, chain
from btmodel.rows.kept import of_histories
from btmodel.rows.key import misfit
from btmodel.rows.mutations import Mutation
from btmodel.rows.ranges import RowRange
from btmodel.rows.read import ReadPlan
from btmodel.rows.row import RowCodec
from btmodel.schema import ModelSchema
from btmodel.schema.bucket import END_OF_TIME

E = TypeVar("E")


class EventCodec(Generic[E]):
    """Writes and reads the events of a model whose rows are buckets of time.

    An event is a time, the key fields but the bucket, and a value for some of the
    histories. ``make`` builds one from those, by name, and ``at``.
    """

    def __init__(self, model: ModelSchema, make: Callable[..., E]) -> None:
        self._model = model
        self._make = make
        self._span = BucketSpan(model)
        self._field = self._span.field
        if not model.holds_events:
            raise QueryRefused(
                f"{model.name}: events need a bucket that ends the key and sorts as time does, "
                f"{self._field.name!r} does not"
            )
        self._rows: RowCodec[None] = RowCodec(model, lambda values, unknown: None)
        self._fields = {part.name for part in model.key.asked if part is not self._field}
        self._histories = {column.name: column for column in model.histories}
        self._places = {(column.family, column.qualifier): column for column in model.histories}

    def append(self, at: datetime, values: Mapping[str, Any], now: int) -> Mutation:
        """The mutation that adds one event to the row of its bucket, whatever else is in it.

        Nothing is read. Appending the same event again changes nothing.
        """
        known = self._fields | self._histories.keys()
        if not self._fields <= values.keys() <= known:
            taken = self._fields | (values.keys() & known)
            raise QueryRefused(misfit(f"{self._model.name}: an event", taken, values))
        timestamp = self._timestamp(at)
        key_values = {**values, self._field.name: self._span.label(at)}
        key = self._rows.keys.key(key_values)
        cells = self._rows.mirrors(key_values, now)
        events = [
            self._rows.version(column, at, values[name])
            for name, column in self._histories.items()
            if values.get(name) is not None
        ]
        if not events:
            wanted = f"a value for at least one of {', '.join(self._histories)}"
            raise ValueRefused(wanted, None, where=f"{self._model.name} event at {timestamp}")
        return Mutation(self._model.table, key, cells + events)

    def mutation(self, event: Any, now: int) -> Mutation:
        """The mutation that appends ``event``, an instance of what ``make`` builds."""
        fields = (*self._fields, *self._histories)
        return self.append(event.at, {name: getattr(event, name) for name in fields}, now)

    def plan(self, values: Mapping[str, Any], start: datetime, end: datetime) -> ReadPlan:
        """The read of the events in ``[start, end)``: whole buckets, narrowed by cell timestamp."""
        if values.keys() != self._fields:
            raise QueryRefused(misfit(f"{self._model.name}: events", self._fields, values))
        low, high = self._timestamp(start, up=True), self._timestamp(end, up=True)
        first, last = self._span.bucket.covering(start, end)
        fields = self._model.key.fields
        prefix = self._rows.keys.prefix(fields[: fields.index(self._field)], values)
        keys = self._rows.keys
        last_label = None if last == END_OF_TIME else self._span.label(last)
        rows = keys.range(RowRange.of_prefix(prefix), self._field, self._span.label(first), last_label)
        ranges = () if low >= high or rows is None else (rows,)
        # Versions are counted before times are looked at, as the garbage collector does.
        return ReadPlan(self._model.table, ranges, chain([of_histories(self._model), Times(low, high)]))

    def decode(self, key: bytes, cells: Iterable[Cell]) -> Iterator[E]:
        """The events of one row, from the oldest to the newest."""
        fields = self._rows.keys.decode(key)
        del fields[self._field.name]
        at: defaultdict[int, dict[str, Any]] = defaultdict(dict)
        for cell in cells:
            column = self._places.get(cell[:2])
            if column is not None:
                at[cell.timestamp][column.name] = self._rows.value(column, key, cell)
        absent = dict.fromkeys(self._histories)
        for timestamp in sorted(at):
            time = Cell("", b"", timestamp, b"").time
            yield self._make(**fields, at=time, **{**absent, **at[timestamp]})

    def _timestamp(self, time: datetime, *, up: bool = False) -> int:
        try:
            return cell_timestamp(time, up=up)
        except ValueRefused as error:
            raise error.at(f"{self._model.name} event") from None
