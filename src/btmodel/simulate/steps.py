"""How much time is simulated, and in which steps."""

from datetime import timedelta
from math import ceil

from attrs import frozen

from btmodel.errors import SimulationRefused
from btmodel.schema.every import every_text

_MINUTE = timedelta(minutes=1)
# Steps of so many minutes, of which the first is taken that makes no more steps than a day has minutes.
_MINUTES = (1, 2, 5, 10, 20, 30, 60, 120, 360, 720, 1_440)
_USUAL = 1_440
MOST_STEPS = 20_000


@frozen
class Steps:
    """So many steps of so many seconds."""

    count: int
    seconds: float


def steps_of(span: timedelta, step: timedelta | None) -> Steps:
    """The steps of a span of time: of a minute for a day, of ten minutes for a week, and longer where it is longer.

    Raises :class:`SimulationRefused` for more steps than there is a use for, and a step longer than the span.
    """
    if step is None:
        fitting = (_MINUTE * minutes for minutes in _MINUTES if span / (_MINUTE * minutes) <= _USUAL)
        step = min(span, next(fitting, _MINUTE * _MINUTES[-1]))
    if step > span:
        raise SimulationRefused(
            f"wanted a step of up to {every_text(span)}, which is all that is simulated, got {every_text(step)}"
        )
    count = ceil(span / step - 1e-9)
    if count > MOST_STEPS:
        raise SimulationRefused(
            f"wanted up to {MOST_STEPS:,} steps, got {count:,}: give a longer --step, or a shorter --for"
        )
    return Steps(count, step.total_seconds())
