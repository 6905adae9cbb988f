"""Key fields that move with time."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
from attrs import frozen

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import KeyCodec
from btmodel.schema.bucket import bucket_of
from btmodel.simulate.arrays import Array
from btmodel.simulate.keyspace.values import Codec, whole_numbers
from btmodel.simulate.workload import Workload

_DAY = 86_400.0


@frozen(eq=False)
class EventPace:
    """The events of a table: ``rate`` per second in each step, ``sums`` from the start to each edge of a step.

    ``before`` is the rate of the events before the start, which lasted for ``history`` seconds.
    """

    step_seconds: float
    rate: Array
    sums: Array
    before: float
    history: float

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.rate)

    @property
    def end(self) -> float:
        """The end, in seconds from the start."""
        return self.steps * self.step_seconds

    def events(self, seconds: float) -> float:
        """The events from the start up to this moment; negative for a moment before the start."""
        if seconds < 0:
            return self.before * max(seconds, -self.history)
        whole, part = divmod(seconds / self.step_seconds, 1)
        step = min(int(whole), self.steps)
        more = self.rate[step] * part * self.step_seconds if step < self.steps else 0.0
        return float(self.sums[step] + more)


def pace_of(workload: Workload, steps: int, step_seconds: float) -> EventPace:
    """The pace of a workload: its rate, which grows from day to day and varies with the time of day."""
    middle = (np.arange(steps) + 0.5) * step_seconds
    midnight = workload.start.replace(hour=0, minute=0, second=0, microsecond=0)
    of_day = (middle + (workload.start - midnight).total_seconds()) / _DAY
    swing = 1 - workload.daily * np.cos(2 * np.pi * of_day)
    rate = workload.writes * (1 + workload.growth) ** (middle / _DAY) * swing
    sums = np.concatenate(([0.0], np.cumsum(rate * step_seconds)))
    return EventPace(step_seconds, rate, sums, workload.writes, workload.history.total_seconds())


_FINE = {"second": 1_000_000, "millisecond": 1_000, "microsecond": 1, "nanosecond": 1}
Now = Callable[[float], Any]


@frozen
class MovingValues:
    """All moving values by name: each is a function of the seconds since the start."""

    moving: Mapping[str, Now]

    def now(self, seconds: float) -> dict[str, Any]:
        """The values at that moment."""
        return {name: value(seconds) for name, value in self.moving.items()}


def time_of(codec: Codec, start: datetime) -> Now:
    """The time of an event, rounded down to the precision of the codec."""
    granularity = codec.granularity if isinstance(codec, KeyCodec) else None
    dates = is_class(codec.python_type, date) and not is_class(codec.python_type, datetime)

    def now(seconds: float) -> Any:
        time = cut(start + timedelta(seconds=seconds), granularity)
        return time.date() if dates else time

    return now


def number_of(codec: Codec, before: int, pace: EventPace) -> Now:
    """The next number at a moment, after ``before`` numbers that were given before the start.

    If the codec holds fewer numbers than there are events, they are counted per combination of the fields in front
    (the orders of each shop), and so grow more slowly.
    """
    least, most = whole_numbers(codec)
    each = min(1.0, (most - least) / max(1.0, before + pace.events(pace.end)))
    if each == 1:
        return lambda seconds: max(least, least + before + int(pace.events(seconds)))
    return lambda seconds: min(max(least, least + int((before + pace.events(seconds)) * each)), most)


def cut(time: datetime, granularity: str | timedelta | None) -> datetime:
    """``time`` rounded down to ``granularity``; unchanged if that is None."""
    if granularity is None:
        return time
    if isinstance(granularity, str) and granularity in _FINE:
        return time.replace(microsecond=time.microsecond - time.microsecond % _FINE[granularity])
    return bucket_of(granularity).start(time)


def unit_of(granularity: str | timedelta | None) -> float:
    """The length in seconds of the longest unit with this name; a microsecond for no name."""
    if granularity is None:
        return 1e-6
    micros = _FINE.get(str(granularity))
    return bucket_of(granularity).longest.total_seconds() if micros is None else micros / 1e6
