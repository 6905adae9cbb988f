"""The span of time whose events share a row, before and after a change: rows of other spans do not become each other one by one."""

from collections.abc import Collection
from datetime import timedelta

from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.codecs.time import LENGTHS
from btmodel.recorded.layouts import recorded_part
from btmodel.schema import Layout, Shape
from btmodel.words import duration_text, one

_EVENTFUL = tuple(f"{shape.name.lower()} " for shape in Shape if shape.eventful and not shape.summed)
# The shortest bucket of the calendar.
_SHORTEST = timedelta(minutes=1)
# Of a key without a time, a row holds all events.
_ALWAYS = timedelta.max


@frozen
class OtherSpan:
    """One row becomes several, or several become one: in words, what a row holds ``before`` and ``after``.

    ``row`` is what a data step returns for each row.
    """

    before: str
    after: str
    row: str

    def way(self, model: str) -> str:
        """What to do instead, as the end of a sentence that names the new model; ``model`` is the name of the recorded one."""
        return (
            "under a name and with a table of its own, beside the old one; let the application write each event to both tables, "
            f"the old one first, and fill in the rest with `btmodel migrate new MESSAGE --data {model}`, by a function that returns {self.row} "
            "(docs/migrations.md#another-bucket)"
        )


def other_span(old: Layout, new: Layout, kept: Collection[str] = ()) -> OtherSpan | None:
    """How rows of the ``new`` layout hold other spans of time than those of the ``old`` one; None if rows correspond one to one.

    ``kept`` are the names of new columns: an old key field that one of them holds still tells rows apart.
    """
    before, after = _finest(old), _finest(new)
    if before is None or after is None or before.length == after.length:
        return None
    were, are = _holds_events(old), _holds_events(new)
    held, holds = (time.events if events else "one event" for time, events in ((before, were), (after, are)))
    if were and after.length < before.length and before.is_span and (after.is_span or not are):
        stays = any((time.name, time.length) == (before.name, before.length) for time in _times(new) or ())
        row = f"a row for each {after.noun if are else 'event'}"
        return None if are and stays else OtherSpan(held, holds, row)
    if are and after.length > before.length and after.is_span and before.name not in kept:
        added = "its events, which are" if were else "its event, which is"
        row = f"the row of the {after.noun} with {added} added to those that are there"
        return OtherSpan(held, holds, row)
    return None


@frozen
class _Time:
    """A time in a key: the ``length`` that one of its values stands for, and its ``noun``."""

    name: str
    length: timedelta
    noun: str

    @property
    def is_span(self) -> bool:
        """Whether events may share one; a shorter time is that of what the row is."""
        return self.length >= _SHORTEST

    @property
    def events(self) -> str:
        return "all events" if self.length == _ALWAYS else f"the events of {one(self.noun)}"


def _finest(layout: Layout) -> _Time | None:
    """The shortest time in the key; that of all events where the key has none, and None where a codec does not say it."""
    times = _times(layout)
    return min(times, key=lambda time: time.length) if times else None


def _times(layout: Layout) -> list[_Time] | None:
    found = [_Time("", _ALWAYS, "key")]
    for part in layout.key:
        codec = recorded_part(part).codec
        if codec is None:
            return None
        span = codec.granularity
        if isinstance(span, timedelta):
            found.append(_Time(part.name, span, duration_text(span)))
        elif span in LENGTHS:
            found.append(_Time(part.name, LENGTHS[span], span))
        elif codec.kind is Kind.TIME:
            return None
    return found


def _holds_events(layout: Layout) -> bool:
    return any(cell.codec.startswith(_EVENTFUL) for cell in layout.cells)
