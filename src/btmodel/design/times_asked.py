"""The time in a question of a description: "the newest moves of a crane" and "the visits of a patient in a month" ask in the order of a time."""

from datetime import date
from typing import NamedTuple

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind
from btmodel.design.hints import called_changing
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema

_NEWEST = pattern(
    r"(?i)\b((newest|latest|most recent|last (few|several|two|three|four|five|six|ten|dozen|twenty|fifty|hundred|\d+))\b"
    r"(?! (versions?|values?|states?|names?|digits?|letters?|characters?|hours?|days?|weeks?|months?|years?|minutes?)\b)|newest first)"
)
_PERIOD = pattern(
    r"(?i)\b(recent|since|chronological(ly)?|today|yesterday|tonight|timeline"
    r"|(in the|in|by) order of (the )?(time|date)|(sorted|ordered|listed) by (the )?(time|date)"
    r"|between two (\w+ )?(dates|days|times|months|moments|points in time|instants)|from a (date|day|time)"
    r"|(of|in|for|on|over|during|within|from) (a|an|one|the|any|each|every|that|this|its|some|given)?"
    r" ?((given|single|certain|current|whole|particular|(last|past|previous)( \w+)?) )*"
    r"(minute|hour|day|weekend|week|month|quarter|season|year|period|date|(time|date) range|(time|date)s?pan|time window)s?)\b"
    r"(?! (of|from) (the )?(key|table)\b)"
)


class Asked(NamedTuple):
    """The time of the rows between two values of which a question asks, and whether for the newest first."""

    between: str
    newest: bool


def time_asked(model: ModelSchema, given: tuple[str, ...], sentence: str) -> Asked | None:
    """The time that a question of the rows of ``given`` asks for; None where it asks for none, or the model has not exactly one that it can mean."""
    newest = _NEWEST.search(sentence) is not None
    if model.bucket is not None or not (newest or _PERIOD.search(sentence)):
        return None
    times = [part.name for part in model.key.asked if part.codec.kind is Kind.TIME] or [
        column.name
        for column in model.columns
        if column.required
        and column.shape.plain
        and is_class(kind := column.codec.python_type, date)
        and not called_changing(column.name, kind)
    ]
    return Asked(times[0], newest) if len(times) == 1 and times[0] not in given else None


def time_given(times: tuple[str, ...]) -> Asked | None:
    """The time that a question names among what is given, as "by region and day"; None without one, or with several."""
    return Asked(times[0], newest=False) if len(times) == 1 else None
