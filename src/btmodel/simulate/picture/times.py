"""Ticks of an axis of time, at round moments."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from attrs import frozen

from btmodel.simulate.picture.heat import Heat

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_DISTANCES = (
    *(1, 5, 15, 30, _MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 15 * _MINUTE, 30 * _MINUTE),
    *(_HOUR, 2 * _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR),
    *(_DAY, 2 * _DAY, 7 * _DAY, 28 * _DAY, 364 * _DAY),
)


@frozen
class Tick:
    """A moment on the axis: where it lies, from 0 to 1, and its text."""

    place: float
    text: str


def ticks(heat: Heat, most: int) -> Sequence[Tick]:
    """At most so many ticks, and one more; the first one names the day, and so do those at midnight."""
    whole = heat.steps * heat.step_seconds
    distance = next((one for one in _DISTANCES if whole / one <= most), _DISTANCES[-1])
    midnight = heat.start.replace(hour=0, minute=0, second=0, microsecond=0)
    from_midnight = (heat.start - midnight).total_seconds()
    found: list[Tick] = []
    at = -(-from_midnight // distance) * distance
    while whole and at <= from_midnight + whole:
        moment = midnight + timedelta(seconds=at)
        found.append(Tick((at - from_midnight) / whole, _told(moment, distance, first=not found)))
        at += distance
    return found


def _told(moment: datetime, distance: int, *, first: bool) -> str:
    day = f"{moment.day} {moment:%b}"
    if moment.hour == moment.minute == moment.second == 0:
        return day
    clock = f"{moment:%H:%M:%S}" if distance < _MINUTE else f"{moment:%H:%M}"
    return f"{day} {clock}" if first else clock
