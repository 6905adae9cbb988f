"""Rows that events make: a row that is written again is no new one."""

from collections.abc import Iterator
from datetime import timedelta
from math import inf

import numpy as np
from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.schema import ModelSchema
from btmodel.simulate.arrays import Array
from btmodel.simulate.keyspace.clock import cut, unit_of
from btmodel.simulate.keyspace.pace import Pace
from btmodel.simulate.keyspace.plan import Plan
from btmodel.simulate.workload import Workload


@frozen(eq=False)
class Counting:
    """Counts the rows of intervals, of which each can have so many (``rows``) in a ``unit`` of time, in seconds.

    Of ``n`` rows that are written to at random, ``n (1 - exp(-events / n))`` have at least one event. ``slots`` are the
    seconds at which the unit of each step began, ``left`` what was left of the unit in which the history began; a ``fresh``
    table gets a new row with every event.
    """

    pace: Pace
    share: Array
    rows: Array
    unit: float
    slots: Array
    left: float
    fresh: bool

    def new(self, step: int, active: Array) -> Array:
        """New rows of a step; ``active`` is the part of it in which each interval is written to."""
        length = self.pace.step_seconds
        events = float(self.pace.rate[step]) * length
        if self.fresh:
            return self.share * active * events
        if self.unit <= length:
            return self._once(float(self.pace.rate[step]) * self.unit) * active * (length / self.unit)
        since = self.pace.events(step * length) - self.pace.events(float(self.slots[step]))
        return (self._once(since + events) - self._once(since)) * active

    def before(self, begin: Array, end: Array) -> Array:
        """The rows from before the start, of intervals that are written to from ``begin`` to ``end``."""
        lasted: Array = np.maximum(np.minimum(end, 0.0) - np.maximum(begin, -self.pace.history), 0.0)
        if self.fresh:
            lasted *= self.share * self.pace.before
            return lasted
        # Of the unit in which the table is at the start, a part is over; of that in which it began, a part was.
        part = np.where(end > 0, np.minimum(lasted, -float(self.slots[0])), 0.0)
        first = np.where(begin <= -self.pace.history, np.minimum(lasted - part, self.left), 0.0)
        whole = lasted - part - first
        full = whole / self.unit * self._once(self.pace.before * self.unit) if self.unit < inf else 0.0
        few = whole < self.unit
        found: Array = np.where(few, self._once(self.pace.before * whole), full)
        found += self._once(self.pace.before * part) + self._once(self.pace.before * first)
        return found

    def _once(self, events: float | Array) -> Array:
        """Rows with at least one of so many events of the whole table."""
        found: Array = -self.rows * np.expm1(-self.share * events / self.rows)
        return found


def unit_seconds(model: ModelSchema, plan: Plan) -> float:
    """How finely a key tells times apart, in seconds: infinite where it holds none."""
    return min(_units(model, plan), default=inf)


def _units(model: ModelSchema, plan: Plan) -> Iterator[float]:
    for part in model.key.fields:
        uses = (part.name,) if part.asked else part.derived.of if part.derived else ()
        if not plan.clock.moving.keys() & set(uses):
            continue
        if part.codec.kind is Kind.TIME:
            yield unit_of(part.codec.granularity)
        elif part.derived is not None and part.derived.values is None:
            yield unit_of(None)


def slots_of(workload: Workload, pace: Pace, unit: float, model: ModelSchema) -> Array:
    """When the unit of time of each step began: in seconds from the start, not before the history."""
    if unit == inf:
        return np.full(pace.steps, -pace.history)
    name = _name(unit, model)
    found = [_began(workload, at * pace.step_seconds, name) for at in range(pace.steps)]
    clipped: Array = np.maximum(np.array(found), -pace.history)
    return clipped


def left_of(workload: Workload, pace: Pace, unit: float, model: ModelSchema) -> float:
    """The seconds that were left of the unit of time in which the history began."""
    if unit == inf:
        return 0.0
    return unit - (-pace.history - _began(workload, -pace.history, _name(unit, model)))


def _name(unit: float, model: ModelSchema) -> str | None:
    names = [part.codec.granularity for part in model.key.fields if part.codec.kind is Kind.TIME]
    return next((one for one in names if unit_of(one) == unit), None)


def _began(workload: Workload, seconds: float, name: str | None) -> float:
    """When the unit of a moment began, both in seconds from the start."""
    return (cut(workload.start + timedelta(seconds=seconds), name) - workload.start).total_seconds()
