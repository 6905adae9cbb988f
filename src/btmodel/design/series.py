"""Series of events: how often they come, and the keys that hold them."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from attrs import evolve

from btmodel.codecs.time import UNITS
from btmodel.design.keys import closing, drawn, fresh, open_ended, single, written_with_ease
from btmodel.errors import DeclarationError
from btmodel.estimates import events_in, pace, rate_of_one, timed
from btmodel.schema import Bucket, Column, KeyField, ModelSchema
from btmodel.schema.bucket import SlotFormat

# Events in one row beyond which a bucket is never proposed: the minutes of a week.
ROW_EVENTS = 10_080

# Of two events in one unit of the key's time, the later replaces the earlier. A unit of a second
# or more is taken for the beat of the events, and one of them in each is fine. A finer one is what a
# clock tells: events come when they come, and with one in a hundred units, one in two hundred is lost.
_BEAT = timedelta(seconds=1)
_A_BEAT = 1.1  # declared rates are rounded
_BY_CHANCE = 0.01

_UNITS = {unit.name: unit.longest for unit in UNITS.values()} | {"week": timedelta(weeks=1)}
_CLOCKS = {"bt.EpochMillis()": timedelta(milliseconds=1), "bt.EpochMicros()": timedelta(microseconds=1)}

# The key fields that name buckets, from the shortest on.
_BUCKET_FIELDS = {
    Bucket.MINUTE: 'datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))',
    Bucket.HOUR: 'datetime = bt.key(bt.TimeText("%Y%m%d%H"))',
    Bucket.DAY: "date = bt.key(bt.DateText())",
    Bucket.WEEK: "date = bt.key(bt.IsoWeek())",
    Bucket.MONTH: 'date = bt.key(bt.DateText("%Y-%m"))',
    Bucket.YEAR: 'date = bt.key(bt.DateText("%Y"))',
}
_SLOT_NAMES = ("%m", "%d", "%H", "%M", "%S", "%3f")


class NewKey(NamedTuple):
    """A key that a fix proposes: drawn, its new time as it is declared, and what else must change for it."""

    shape: str
    time: str
    change: str = ""

    def __str__(self) -> str:
        return f"`{self.shape}`, with `{self.time}`" + (f" ({self.change})" if self.change else "")


def unit(part: KeyField) -> timedelta | None:
    """The time that one value of ``part``, a time, stands for; None where its codec does not say."""
    granularity = part.codec.granularity
    return granularity if isinstance(granularity, timedelta) else _UNITS.get(granularity or "")


def sharing(rate: float, unit: timedelta) -> float:
    """The events that come in one unit, of ``rate`` a second."""
    return rate * unit.total_seconds()


def collide(rate: float, unit: timedelta) -> bool:
    """Whether more than a few events come in a unit that has one already."""
    return sharing(rate, unit) > (_A_BEAT if unit >= _BEAT else _BY_CHANCE)


def colliding(model: ModelSchema) -> tuple[KeyField, timedelta, float] | None:
    """The finest time of the key, its unit, and the rate of one prefix, where that is too high for the unit."""
    rate, finest = rate_of_one(model), _finest(model)
    if model.bucket is not None or rate is None or finest is None or not _replaced(model):
        return None
    time, span = finest
    return (time, span, rate) if collide(rate, span) else None


def _finest(model: ModelSchema) -> tuple[KeyField, timedelta] | None:
    """The time of the key with the shortest unit; None where there is none, or one of an unknown unit."""
    found: list[tuple[KeyField, timedelta]] = []
    for part in timed(model):
        span = unit(part)
        if span is None:
            return None
        found.append((part, span))
    return min(found, key=lambda one: one[1], default=None)


def _replaced(model: ModelSchema) -> bool:
    """Whether there is a value for a later event to replace: a sum, a history or a set takes both.

    Where there is a counter, the events are what is added to it.
    """
    if any(column.shape.summed for column in model.columns):
        return False
    return any(column.shape.plain and column.expected.increments is None for column in model.columns)


def clock(rate: float) -> str | None:
    """The coarsest clock, as it is declared, on which events of ``rate`` a second do not collide."""
    return next((code for code, unit in _CLOCKS.items() if not collide(rate, unit)), None)


def key_of_events(model: ModelSchema) -> NewKey:
    """The key of a row for each event: the fields of the model, and the time of the event in the place of its bucket."""
    code = clock(rate_of_one(model) or 0) or "bt.EpochMicros()"
    return _timed(model, _time_of_event(model), f"datetime = bt.key({code})")


def key_of_buckets(model: ModelSchema, bucket: Bucket) -> NewKey:
    """The key of rows of ``bucket``, in the place of the bucket that there is, or else at the end."""
    name = bucket.value if bucket.value not in _taken(model) else "start"
    return _timed(model, name, _BUCKET_FIELDS[bucket])


def _timed(model: ModelSchema, name: str, declared: str) -> NewKey:
    """The key of the model with a time called ``name``."""
    key = model.key
    fields: list[KeyField | str] = [
        name if part == model.bucket_field else evolve(part, optional=False) for part in key.fields
    ]
    last = key.fields[-1] if key.fields and name not in fields else None
    if last is not None:
        fields.append(name)
    alone = all(isinstance(part, str) or single(part) for part in fields)
    if alone and not written_with_ease(model):
        # Behind what is the same in every row, the time would lead the key.
        fields.insert(fields.index(name), fresh(model, "id", "writer", "source"))
    change = closing(key, last) if last is not None and open_ended(key, last) else ""
    return NewKey(drawn(key, fields), f"{name}: {declared}", change)


def fitting_bucket(model: ModelSchema, column: Column) -> Bucket | None:
    """The longest bucket, of up to a month, whose events in ``column`` are few enough for a row."""
    found = pace(model, column)
    if found is None:
        return None
    buckets = [bucket for bucket in Bucket if bucket is not Bucket.YEAR]
    fitting = [bucket for bucket in buckets if events_in(bucket.longest, found) <= ROW_EVENTS]
    return fitting[-1] if fitting else None


def slot_names(every: timedelta, bucket: Bucket) -> str | None:
    """The format that names the slots of ``bucket``; None where it has no such slots."""
    for text in _runs():
        try:
            return SlotFormat(text, every, bucket).text
        except DeclarationError:
            continue
    return None


def _runs() -> Iterator[str]:
    for first in range(len(_SLOT_NAMES)):
        for end in range(first + 1, len(_SLOT_NAMES) + 1):
            yield "".join(_SLOT_NAMES[first:end])


def _time_of_event(model: ModelSchema) -> str:
    """The time that the model has already, or a name for one."""
    if model.stamp.stored and model.stamp.attribute:
        return model.stamp.attribute
    for column in model.columns:
        if column.shape.plain and column.codec.python_type is datetime:
            return column.name
    taken = _taken(model)
    return next(name for name in ("at", "time", "event_time", "at_") if name not in taken or name == "at_")


def _taken(model: ModelSchema) -> set[str]:
    fields = {part.name for part in model.key.fields if part != model.bucket_field}
    return fields | {column.name for column in model.columns} | {query.name for query in model.queries}
