"""Events: the readings that share the row of a time bucket."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

from attrs import evolve

from btmodel.codecs.aware_times import from_micros, micros_since_epoch
from btmodel.codecs.key import Order
from btmodel.errors import QueryRefused, ValueRefused, refuse_no_number
from btmodel.rows.cells import MILLISECOND, Cell, range_end
from btmodel.rows.collections import BucketSpan
from btmodel.rows.columns import HistoryColumn
from btmodel.rows.gc_filter import of_events
from btmodel.rows.key_codec import misfit
from btmodel.rows.mutations import Mutation
from btmodel.rows.ranges import RowRange, refuse_reversed
from btmodel.rows.read import RangeOrder, ReadPlan
from btmodel.rows.row import RowCodec
from btmodel.schema import ModelSchema
from btmodel.schema.bucket import END_OF_TIME
from btmodel.schema.lookup import one_range

E = TypeVar("E")
# Rows that are asked for one by one, where the label of the bucket does not sort.
MOST_BUCKETS = 10_000
BEFORE_ALL, BEHIND_ALL = -(2**63), 2**63  # microseconds


class EventCodec(Generic[E]):
    """Writes and reads the events of a model whose rows are buckets of time.

    An event is a time, the key fields but the bucket, and a value for some of the
    series. ``make`` builds one from those, by name, and ``at``.
    """

    def __init__(self, model: ModelSchema, make: Callable[..., E]) -> None:
        self._model = model
        self._make = make
        self._span = BucketSpan(model)
        self._field = self._span.field
        if not model.holds_events:
            raise QueryRefused(
                f"{model.name}: events need a bucket that is the last field of the key, {self._field.name!r} is not"
            )
        self._rows: RowCodec[dict[str, Any]] = RowCodec(model, lambda values, unknown: values)
        self._fields = tuple(part.name for part in model.key.asked if part is not self._field)
        self._series = {
            column.name: cast(HistoryColumn, self._rows.columns[column.name]) for column in model.series
        }
        self._only = frozenset(self._series)
        self._read_as = one_range(model.key, self._field)
        self._contiguous = self._read_as is not None

    def append(self, at: datetime, values: Mapping[str, Any], now: int) -> Mutation:
        """The mutation that adds one event to the row of its bucket, whatever else is in it.

        Nothing is read. Appending the same event again changes nothing.
        """
        if not {*self._fields} <= values.keys() <= {*self._fields, *self._series}:
            taken = (*self._fields, *(name for name in self._series if name in values))
            raise QueryRefused(misfit(f"{self._model.name}: an event", taken, values))
        self._check(at, values)
        key_values = {**values, self._field.name: self._span.label(at)}
        key = self._rows.keys.key(key_values)
        stamp = self._rows.stamp(key_values, now)
        cells = self._rows.mirrors(key_values, stamp)
        events = [
            column.event(at, values[name], stamp)
            for name, column in self._series.items()
            if values.get(name) is not None
        ]
        if not events:
            wanted = f"a value for at least one of {', '.join(self._series)}"
            raise ValueRefused(wanted, None, where=f"{self._model.name} event at {at}")
        return Mutation(self._model.table, key, cells + events)

    def mutation(self, event: Any, now: int) -> Mutation:
        """The mutation that appends ``event``, an instance of what ``make`` builds."""
        fields = (*self._fields, *self._series)
        return self.append(event.at, {name: getattr(event, name) for name in fields}, now)

    def plan(self, values: Mapping[str, Any], start: datetime, end: datetime) -> ReadPlan:
        """The read of the events in ``[start, end)``: whole buckets, narrowed by cell timestamp where that is the time.

        Buckets whose labels sort are one range; others are read in turn.
        """
        return self._plan("events", values, start, end, None)

    def newest(
        self, values: Mapping[str, Any], start: datetime | None, end: datetime | None, most: int
    ) -> ReadPlan:
        """The read of the newest events in ``[start, end)``, from the newest bucket to the oldest.

        It has at least the ``most`` newest; the reader stops there, and takes the events of each row from
        the end. An end that is None is open, where the labels of buckets sort.
        """
        refuse_no_number(f"{self._model.name}: newest_events", "events", most)
        if not self._contiguous and (start is None or end is None):
            raise QueryRefused(
                f"{self._model.name}: newest_events: expected a start and an end, as {self._field.name!r} does not "
                f"sort and each {self._span.bucket.noun} is read separately, got {start} and {end}"
            )
        plan = self._plan("newest_events", values, start, end, most)
        return evolve(plan, backwards=not plan.backwards)

    def _plan(
        self,
        query: str,
        values: Mapping[str, Any],
        start: datetime | None,
        end: datetime | None,
        newest: int | None,
    ) -> ReadPlan:
        """The read of events from the oldest bucket to the newest."""
        if values.keys() != {*self._fields}:
            raise QueryRefused(misfit(f"{self._model.name}: {query}", self._fields, values))
        low, high = self._limits(start, end)
        if low > high:
            refuse_reversed(f"{self._model.name}: {query}", start, end, of_rows=False)
        # No timestamp is before 1970; slots are, whose timestamps mean nothing.
        until = 0 if end is None else max(high, MILLISECOND)
        filter = of_events(self._model, max(low, 0), until, newest)
        if low >= high:
            return ReadPlan(self._model.table, (), filter)
        if not self._contiguous:
            assert start is not None
            assert end is not None
            ranges = tuple(map(RowRange.of_key, self._keys(values, *self._span.bucket.covering(start, end))))
            return ReadPlan(self._model.table, ranges, filter, joined=RangeOrder.IN_TURN)
        keys = self._rows.keys
        fields = self._model.key.fields
        prefix = keys.prefix(fields[: fields.index(self._field)], values)
        rows = keys.range(RowRange.of_prefix(prefix), self._field, *self._labels(start, end))
        length = keys.length(values) if self._read_as and self._read_as.cut else None
        # Labels that sort downward have the oldest bucket last.
        backwards = self._field.codec.order is Order.DESCENDING
        return ReadPlan(
            self._model.table, () if rows is None else (rows,), filter, backwards=backwards, length=length
        )

    def _labels(self, start: datetime | None, end: datetime | None) -> tuple[Any, Any]:
        """The label of the first bucket, and the one behind the last; None where that end is open."""
        first = None if start is None else self._span.label(start)
        if end is None:
            return first, None
        last = self._span.bucket.covering(end, end)[1]
        return first, None if last == END_OF_TIME else self._span.label(last)

    def _keys(self, values: Mapping[str, Any], first: datetime, last: datetime) -> Iterator[bytes]:
        """The row keys of the buckets from ``first`` to ``last``, in the order of time; those without a label are left out."""
        at, count = first, 0
        while at < last:
            count += 1
            if count > MOST_BUCKETS:
                raise QueryRefused(
                    f"{self._model.name}: expected a time of at most {MOST_BUCKETS:,} {self._span.bucket.noun}s, "
                    f"each of which is read separately, as {self._field.name!r} does not sort"
                )
            label = self._span.label(at)
            if self._storable(label):
                yield self._rows.keys.key({**values, self._field.name: label})
            at = self._span.bucket.next(at)

    def _storable(self, label: Any) -> bool:
        try:
            self._field.codec.encode(label)
        except ValueRefused:
            return False
        return True

    def decode(
        self, key: bytes, cells: Iterable[Cell], start: datetime | None, end: datetime | None
    ) -> Iterator[E]:
        """The events of one row in ``[start, end)``, from the oldest to the newest; an end that is None is open."""
        row = self._rows.decode(key, cells, self._only)
        at: defaultdict[int, dict[str, Any]] = defaultdict(dict)
        low, high = self._limits(start, end)
        for name in self._series:
            for time, value in row[name].items():
                micros = micros_since_epoch(time)
                if low <= micros < high:
                    at[micros][name] = value
        fields = {name: row[name] for name in self._fields}
        absent = dict.fromkeys(self._series)
        for micros in sorted(at):
            yield self._make(**fields, at=from_micros(micros), **{**absent, **at[micros]})

    def _check(self, at: datetime, values: Mapping[str, Any]) -> None:
        """Refuse a time that no event can have: of cell versions it is the timestamp."""
        versioned = [
            one for name, one in self._series.items() if values.get(name) is not None and one.column.versioned
        ]
        try:
            micros_since_epoch(at)
            for one in versioned:
                one.timestamp(at)
        except ValueRefused as error:
            raise error.at(f"{self._model.name} event") from None

    def _limits(self, start: datetime | None, end: datetime | None) -> tuple[int, int]:
        """Both ends in microseconds since 1970; open ones lie beyond all times."""
        low = BEFORE_ALL if start is None else self._micros(start)
        return low, BEHIND_ALL if end is None else self._micros(end)

    def _micros(self, time: datetime) -> int:
        """An end of a range in microseconds since 1970, rounded up to whole milliseconds."""
        try:
            return range_end(time)
        except ValueRefused as error:
            raise error.at(f"{self._model.name} event") from None
