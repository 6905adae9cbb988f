"""The writes and reads of each key interval in each time step."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from enum import Enum
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.errors import SimulationRefused
from btmodel.estimates import key_size, row_size
from btmodel.rows import RowKeyCodec
from btmodel.schema import ModelSchema, Query
from btmodel.simulate.arrays import Array
from btmodel.simulate.keyspace.intervals import (
    Atom,
    Interval,
    IntervalKind,
    KeySpaceWalk,
    atoms_of,
    sampled_atoms,
)
from btmodel.simulate.keyspace.key_fields import EventPace, KeyPlan, KeyPlanner, cut, pace_of, unit_of
from btmodel.simulate.workload import Reads, Workload


@frozen
class ReadTraffic:
    """Rows read per second (``rate``), of which a request reads ``each``.

    They are spread evenly over what was written in the last ``window`` seconds; those of a ``scan`` over the whole
    table.
    """

    rate: float
    each: float
    window: float
    scan: bool

    def rows(self, step: int, pace: EventPace, share: Array, begin: Array, end: Array, rows: Array) -> Array:
        """The rows read per second in each interval, which is written from ``begin`` to ``end`` and has so many rows by now."""
        if self.scan and rows.any():
            weights = rows
        else:
            now = (step + 1) * pace.step_seconds
            first = now - max(self.window, pace.step_seconds)
            first = max(first, -pace.history) if pace.history else max(first, 0.0)
            weights = share * np.clip(np.minimum(end, now) - np.maximum(begin, first), 0.0, None)
        found: Array = self.rate * weights / max(float(weights.sum()), 1e-300)
        return found


def readings(workload: Workload, pace: EventPace) -> list[ReadTraffic]:
    """The reads of a workload."""
    return [_reading(workload, reads) for reads in workload.reads]


def _reading(workload: Workload, reads: Reads) -> ReadTraffic:
    query = workload.model.query(reads.query)
    return ReadTraffic(
        reads.per_second * reads.rows, max(1.0, reads.rows), _window(workload, query), query.scan is not None
    )


def _window(workload: Workload, query: Query) -> float:
    """How many seconds back a query reads: the newest rows for a time without a span, everything without a time."""
    named = {query.between, *query.equal}
    if query.span is not None:
        return query.span.total_seconds()
    times = {part.name for part in workload.model.key.fields if part.codec.kind is Kind.TIME}
    return 0.0 if query.newest or times & named else inf


@frozen(eq=False)
class Counting:
    """Counts the rows of intervals, each with at most ``rows`` rows per ``unit`` of time in seconds.

    Of ``n`` rows that are written to at random, ``n (1 - exp(-events / n))`` have at least one event. ``slots`` are
    the seconds at which the unit of each step began, and ``left`` is the rest of the unit in which the history began.
    A ``fresh`` table gets a new row with every event.
    """

    pace: EventPace
    share: Array
    rows: Array
    unit: float
    slots: Array
    left: float
    fresh: bool

    def new(self, step: int, active: Array) -> Array:
        """The new rows of a step; ``active`` is the part of the step in which each interval is written."""
        length = self.pace.step_seconds
        events = float(self.pace.rate[step]) * length
        if self.fresh:
            return self.share * active * events
        if self.unit <= length:
            return self._once(float(self.pace.rate[step]) * self.unit) * active * (length / self.unit)
        since = self.pace.events(step * length) - self.pace.events(float(self.slots[step]))
        return (self._once(since + events) - self._once(since)) * active

    def before(self, begin: Array, end: Array) -> Array:
        """The rows from before the start, in intervals that are written from ``begin`` to ``end``."""
        lasted: Array = np.maximum(np.minimum(end, 0.0) - np.maximum(begin, -self.pace.history), 0.0)
        if self.fresh:
            lasted *= self.share * self.pace.before
            return lasted
        # The unit at the start has partly passed, and so had the unit in which the history began.
        part = np.where(end > 0, np.minimum(lasted, -float(self.slots[0])), 0.0)
        first = np.where(begin <= -self.pace.history, np.minimum(lasted - part, self.left), 0.0)
        whole = lasted - part - first
        full = whole / self.unit * self._once(self.pace.before * self.unit) if self.unit < inf else 0.0
        few = whole < self.unit
        found: Array = np.where(few, self._once(self.pace.before * whole), full)
        found += self._once(self.pace.before * part) + self._once(self.pace.before * first)
        return found

    def _once(self, events: float | Array) -> Array:
        """The rows with at least one of so many events of the whole table."""
        found: Array = -self.rows * np.expm1(-self.share * events / self.rows)
        return found


def unit_seconds(model: ModelSchema, plan: KeyPlan) -> float:
    """The precision of the time in a key, in seconds; infinite for a key without a time."""
    return min(_units(model, plan), default=inf)


def _units(model: ModelSchema, plan: KeyPlan) -> Iterator[float]:
    for part in model.key.fields:
        uses = (part.name,) if part.asked else part.derived.of if part.derived else ()
        if not plan.clock.moving.keys() & set(uses):
            continue
        if part.codec.kind is Kind.TIME:
            yield unit_of(part.codec.granularity)
        elif part.derived is not None and part.derived.values is None:
            yield unit_of(None)


def slots_of(workload: Workload, pace: EventPace, unit: float, model: ModelSchema) -> Array:
    """The start of the time unit of each step, in seconds from the start, but not before the history."""
    if unit == inf:
        return np.full(pace.steps, -pace.history)
    name = _name(unit, model)
    found = [_began(workload, at * pace.step_seconds, name) for at in range(pace.steps)]
    clipped: Array = np.maximum(np.array(found), -pace.history)
    return clipped


def left_of(workload: Workload, pace: EventPace, unit: float, model: ModelSchema) -> float:
    """The rest of the time unit in which the history began, in seconds."""
    if unit == inf:
        return 0.0
    return unit - (-pace.history - _began(workload, -pace.history, _name(unit, model)))


def _name(unit: float, model: ModelSchema) -> str | timedelta | None:
    names = [part.codec.granularity for part in model.key.fields if part.codec.kind is Kind.TIME]
    return next((name for name in names if unit_of(name) == unit), None)


def _began(workload: Workload, seconds: float, name: str | timedelta | None) -> float:
    """The start of the unit of a moment; both in seconds from the start."""
    return (cut(workload.start + timedelta(seconds=seconds), name) - workload.start).total_seconds()


RESOLUTION = 16_384


@frozen(slots=False, eq=False)
class Traffic:
    """The writes and reads of a table, over the intervals of its keys and the time steps.

    ``low`` is the first key of each interval, in order. ``row_bytes`` is the size of a usual row, and ``event_bytes``
    the size of one write.
    """

    workload: Workload
    pace: EventPace
    intervals: Sequence[Interval]
    plan: KeyPlan
    counting: Counting
    readings: Sequence[ReadTraffic]
    row_bytes: float
    event_bytes: float

    @cached_property
    def low(self) -> list[bytes]:
        """The first key of each interval, ascending."""
        return [interval.low for interval in self.intervals]

    @cached_property
    def kinds(self) -> list[IntervalKind]:
        """The kind of each interval; only a crowd can be divided further."""
        return [interval.kind for interval in self.intervals]

    @cached_property
    def before_rows(self) -> Array:
        """The rows of each interval at the start."""
        return self.counting.before(self._begin, self._end)

    @cached_property
    def before_bytes(self) -> Array:
        """The bytes of each interval at the start."""
        lasted = np.clip(np.minimum(self._end, 0.0) - np.maximum(self._begin, -self.pace.history), 0.0, None)
        return self._bytes(self.before_rows, self.pace.before * self.counting.share * lasted)

    def active(self, step: int) -> Array:
        """The part of a step in which each interval is written: 0 to 1."""
        middle = (step + 0.5) * self.pace.step_seconds
        return ((self._begin <= middle) & (middle < self._end)).astype(float)

    def writes(self, step: int) -> Array:
        """Events per second in each interval."""
        return self.counting.share * self.active(step) * float(self.pace.rate[step])

    def new_rows(self, step: int) -> Array:
        """The new rows of each interval in the whole step."""
        return self.counting.new(step, self.active(step))

    def new_bytes(self, step: int, new_rows: Array) -> Array:
        """The new bytes of each interval in the whole step, given its new rows."""
        return self._bytes(new_rows, self.writes(step) * self.pace.step_seconds)

    def reads(self, step: int, rows: Array) -> list[Array]:
        """The rows read per second in each interval with so many ``rows`` by now, for each of the ``readings``."""
        share, begin, end = self.counting.share, self._begin, self._end
        return [reading.rows(step, self.pace, share, begin, end, rows) for reading in self.readings]

    def texts(self, index: int) -> list[str]:
        """The fields of an interval's first key as text, as far as they are distinguished; without constants."""
        one = self.intervals[index]
        return [
            _text(self._value(part.field.name, part.field.codec, one))
            for part in self.plan.parts[: one.depth]
            if part.field.constant is None
        ]

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the key's fields, except constants."""
        return tuple(part.field.name for part in self.plan.parts if part.field.constant is None)

    def label(self, index: int) -> str:
        """The fields of an interval's first key: ``user=anna time=2026-01-05 12:00``."""
        pairs = zip(self.fields, self.texts(index), strict=False)
        return " ".join(f"{name}={text}" for name, text in pairs)

    def _value(self, name: str, codec: Any, one: Interval) -> Any:
        if name in one.values:
            return one.values[name]
        field = self.workload.model.key.field(name)
        return codec.decode(self.plan.codec.part(field, one.values))

    def _bytes(self, rows: Array, events: Array) -> Array:
        """Bytes of rows: the row of a bucket grows with its events; other rows are complete after their first event."""
        if self.workload.model.bucket is None:
            return rows * self.row_bytes
        return rows * self._key_bytes + events * (self.event_bytes - self._key_bytes)

    @cached_property
    def _key_bytes(self) -> float:
        return float(key_size(self.workload.model.key).usual.least)

    @cached_property
    def _begin(self) -> Array:
        return np.array([interval.begin for interval in self.intervals])

    @cached_property
    def _end(self) -> Array:
        return np.array([interval.end for interval in self.intervals])


def traffic(workload: Workload, steps: int, step_seconds: float, resolution: int = RESOLUTION) -> Traffic:
    """The traffic of a workload over ``steps`` steps, with about ``resolution`` intervals.

    Raises :class:`SimulationRefused` if a field has no declared cardinality, or if no values can be made up for it.
    """
    pace = pace_of(workload, steps, step_seconds)
    plan = KeyPlanner(workload, pace, RowKeyCodec(workload.model)).plan()
    intervals = KeySpaceWalk(plan, pace).intervals(_atoms(workload, plan, resolution // 2), resolution)
    share = np.array([interval.share for interval in intervals])
    rows = np.array([interval.rows for interval in intervals])
    unit = unit_seconds(workload.model, plan)
    inputs = (workload, pace, unit, workload.model)
    counting = Counting(pace, share, rows, unit, slots_of(*inputs), left_of(*inputs), plan.fresh)
    row_bytes = _row_bytes(workload)
    return Traffic(
        workload,
        pace,
        intervals,
        plan,
        counting,
        readings(workload, pace),
        row_bytes,
        _event_bytes(workload, counting, row_bytes),
    )


def _atoms(workload: Workload, plan: KeyPlan, most: int) -> list[Atom]:
    if workload.keys is None:
        return atoms_of(plan.variables, most)
    names = [variable.name for variable in plan.variables]
    rows = float(np.prod([variable.count for variable in plan.variables]))
    found = sampled_atoms(plan.codec, workload.keys, names, rows)
    if not found:
        raise SimulationRefused(
            f"{workload.model.name}: expected keys of its rows, got none that it can take apart"
        )
    return found


def _row_bytes(workload: Workload) -> float:
    """The size of a usual row; if it is not fully known, of the known part, as in its growth."""
    return float(row_size(workload.model).usual.least)


def _event_bytes(workload: Workload, counting: Counting, row_bytes: float) -> float:
    """The bytes that an event writes: its row or, in a bucket, its key and its part of the row."""
    if workload.model.bucket is None:
        return row_bytes
    key = float(key_size(workload.model.key).usual.least)
    whole = sum(counting.share * (counting.pace.before * counting.unit)) / sum(counting.rows)
    return key + (row_bytes - key) / max(1.0, whole)


def _text(value: Any) -> str:
    """A value as people write it."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}" if value.second else f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Enum):
        return str(value.value)
    return value.isoformat() if isinstance(value, date) else str(value)
