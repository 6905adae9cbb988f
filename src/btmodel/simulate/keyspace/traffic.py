"""What comes to each interval of a table's keys, in each step of time."""

from collections.abc import Sequence
from datetime import date, datetime
from enum import Enum
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from btmodel.errors import SimulationRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema.sizes import key_size, row_size
from btmodel.simulate.arrays import Array
from btmodel.simulate.keyspace.atoms import Atom, atoms_of, sampled_atoms
from btmodel.simulate.keyspace.counting import Counting, left_of, slots_of, unit_seconds
from btmodel.simulate.keyspace.pace import Pace, pace_of
from btmodel.simulate.keyspace.plan import Plan, Planner
from btmodel.simulate.keyspace.reading import Reading, readings
from btmodel.simulate.keyspace.walk import Interval, Kind, Walk
from btmodel.simulate.workload import Workload

RESOLUTION = 16_384


@frozen(slots=False, eq=False)
class Traffic:
    """The writes and reads of a table, over the intervals of its keys and the steps of time.

    ``low`` is the first key of each interval, in order. ``row_bytes`` is the size of a usual row, ``event_bytes`` what
    one event writes.
    """

    workload: Workload
    pace: Pace
    intervals: Sequence[Interval]
    plan: Plan
    counting: Counting
    readings: Sequence[Reading]
    row_bytes: float
    event_bytes: float

    @cached_property
    def low(self) -> list[bytes]:
        """The first key of each interval, ascending."""
        return [one.low for one in self.intervals]

    @cached_property
    def kinds(self) -> list[Kind]:
        """What each interval is: only a crowd can be split further than it is."""
        return [one.kind for one in self.intervals]

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
        """The part of a step in which each interval is written to: 0 or 1."""
        middle = (step + 0.5) * self.pace.step_seconds
        return ((self._begin <= middle) & (middle < self._end)).astype(float)

    def writes(self, step: int) -> Array:
        """Events a second of each interval."""
        return self.counting.share * self.active(step) * float(self.pace.rate[step])

    def new_rows(self, step: int) -> Array:
        """New rows of each interval in the whole step."""
        return self.counting.new(step, self.active(step))

    def new_bytes(self, step: int, new_rows: Array) -> Array:
        """New bytes of each interval in the whole step, of which the new rows are known."""
        return self._bytes(new_rows, self.writes(step) * self.pace.step_seconds)

    def reads(self, step: int, rows: Array) -> list[Array]:
        """Rows read a second of each interval, which has so many ``rows`` by now: by each of the ``readings``."""
        share, begin, end = self.counting.share, self._begin, self._end
        return [one.rows(step, self.pace, share, begin, end, rows) for one in self.readings]

    def texts(self, index: int) -> list[str]:
        """The fields of an interval's first key as text, as far as they are told; constants left out."""
        one = self.intervals[index]
        return [
            _text(self._value(part.field.name, part.field.codec, one))
            for part in self.plan.parts[: one.depth]
            if part.field.constant is None
        ]

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the key's fields, but for constants."""
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
        """A row of a bucket grows with its events; any other is there with its first one."""
        if self.workload.model.bucket is None:
            return rows * self.row_bytes
        return rows * self._key_bytes + events * (self.event_bytes - self._key_bytes)

    @cached_property
    def _key_bytes(self) -> float:
        return float(key_size(self.workload.model.key).usual.least)

    @cached_property
    def _begin(self) -> Array:
        return np.array([one.begin for one in self.intervals])

    @cached_property
    def _end(self) -> Array:
        return np.array([one.end for one in self.intervals])


def traffic(workload: Workload, steps: int, step_seconds: float, resolution: int = RESOLUTION) -> Traffic:
    """The traffic of a workload over ``steps`` steps, told apart into about ``resolution`` intervals.

    Raises :class:`SimulationRefused` where nobody says how many values a field has, or none can be made up.
    """
    pace = pace_of(workload, steps, step_seconds)
    plan = Planner(workload, pace, RowKeyCodec(workload.model)).plan()
    intervals = Walk(plan, pace).intervals(_atoms(workload, plan, resolution // 2), resolution)
    share = np.array([one.share for one in intervals])
    rows = np.array([one.rows for one in intervals])
    unit = unit_seconds(workload.model, plan)
    told = (workload, pace, unit, workload.model)
    counting = Counting(pace, share, rows, unit, slots_of(*told), left_of(*told), plan.fresh)
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


def _atoms(workload: Workload, plan: Plan, most: int) -> list[Atom]:
    if workload.keys is None:
        return atoms_of(plan.variables, most)
    names = [variable.name for variable in plan.variables]
    rows = float(np.prod([variable.count for variable in plan.variables]))
    found = sampled_atoms(plan.codec, workload.keys, names, rows)
    if not found:
        raise SimulationRefused(
            f"{workload.model.name}: wanted keys of its rows, got none that it can take apart"
        )
    return found


def _row_bytes(workload: Workload) -> float:
    """A usual row; of one that is not known as a whole, the part that is: the same that is told of its growth."""
    return float(row_size(workload.model).usual.least)


def _event_bytes(workload: Workload, counting: Counting, row_bytes: float) -> float:
    """What an event writes: its row; or, of a bucket, its key and its part of the row."""
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
