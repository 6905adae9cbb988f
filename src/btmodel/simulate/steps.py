"""How much time is simulated, and in which steps."""

from collections.abc import Iterator
from datetime import timedelta
from math import ceil

from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.errors import SimulationRefused
from btmodel.schema import Bucket, KeyField, ModelSchema
from btmodel.schema.every import every_text

_MINUTE = timedelta(minutes=1)
# Steps of so many minutes, of which the first is taken that makes no more steps than a day has minutes.
_MINUTES = (1, 2, 5, 10, 20, 30, 60, 120, 360, 720, 1_440)
_USUAL = 1_440
MOST_STEPS = 20_000
# Units of time within which tablets are split; and the steps that they take at least, to show it.
_COARSE = {"hour", "day", "week", "month", "year"}
_SHOWN = 6


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


def blurred(model: ModelSchema, steps: Steps) -> str | None:
    """A note where the steps are too long to show what happens within one value of a field of time; None where they are not.

    The rows of one hour are spread over what stands behind it in the key. In a step of half a day, they look like
    one growing end.
    """
    for part, longest in _coarse(model):
        if steps.seconds > longest.total_seconds() / _SHOWN:
            step, wanted = timedelta(seconds=steps.seconds), longest / _SHOWN
            return (
                f"{model.name}: a step of {every_text(step)} is too long to show how the rows of one `{part.name}` "
                f"are spread: give --step {every_text(wanted)}, and a shorter --for where that makes too many steps"
            )
    return None


def _coarse(model: ModelSchema) -> Iterator[tuple[KeyField, timedelta]]:
    """The fields of hours, days and longer, with how long that is, behind which others than times stand."""
    fields = model.key.fields
    for at, part in enumerate(fields):
        if part.codec.kind is not Kind.TIME or part.codec.granularity not in _COARSE:
            continue
        if any(one.asked and one.codec.kind is not Kind.TIME for one in fields[at + 1 :]):
            yield part, Bucket(part.codec.granularity).longest
