"""The fields that move: what they are at a moment. Times, and numbers given one after the other."""

from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from attrs import frozen

from btmodel.codecs.classes import is_class
from btmodel.codecs.key import KeyCodec
from btmodel.schema.bucket import Bucket
from btmodel.simulate.keyspace.pace import Pace
from btmodel.simulate.keyspace.values import Codec, whole_numbers

_FINE = {"second": 1_000_000, "millisecond": 1_000, "microsecond": 1}
Now = Callable[[float], Any]


@frozen
class Clock:
    """All that moves, each by its name: the value at so many seconds from the start."""

    moving: Mapping[str, Now]

    def now(self, seconds: float) -> dict[str, Any]:
        """The values at that moment."""
        return {name: value(seconds) for name, value in self.moving.items()}


def time_of(codec: Codec, start: datetime) -> Now:
    """The time of an event, cut to what the codec can hold."""
    granularity = codec.granularity if isinstance(codec, KeyCodec) else None
    dates = is_class(codec.python_type, date) and not is_class(codec.python_type, datetime)

    def now(seconds: float) -> Any:
        time = cut(start + timedelta(seconds=seconds), granularity)
        return time.date() if dates else time

    return now


def number_of(codec: Codec, before: int, pace: Pace) -> Now:
    """The number that is given at a moment, where ``before`` were given before the start.

    Where the codec holds fewer than are given in all, they are counted for each of what stands in front of them (the orders of
    each shop), and so they grow more slowly.
    """
    least, most = whole_numbers(codec)
    each = min(1.0, (most - least) / max(1.0, before + pace.events(pace.end)))
    if each == 1:
        return lambda seconds: max(least, least + before + int(pace.events(seconds)))
    return lambda seconds: min(max(least, least + int((before + pace.events(seconds)) * each)), most)


def cut(time: datetime, granularity: str | None) -> datetime:
    """``time`` without what is finer than ``granularity``; as it is, where that is None."""
    if granularity is None:
        return time
    if granularity in _FINE:
        return time.replace(microsecond=time.microsecond - time.microsecond % _FINE[granularity])
    return Bucket(granularity).start(time)


def unit_of(granularity: str | None) -> float:
    """Seconds of the longest unit of that name; of none, a microsecond."""
    if granularity is None:
        return 1e-6
    micros = _FINE.get(granularity)
    return Bucket(granularity).longest.total_seconds() if micros is None else micros / 1e6
