"""The same model with rows of another length of time."""

from datetime import date
from typing import Any

from attrs import evolve

from btmodel.codecs.classes import is_class
from btmodel.codecs.key import DateText, Descending, IsoWeek, KeyCodec, Order, TimeText
from btmodel.errors import SimulationRefused
from btmodel.schema import Bucket, Column, KeepAll, KeyField, ModelSchema, RowKey, Shape
from btmodel.schema.density import timed
from btmodel.simulate.alternatives.checksum import Checksum

_CODECS: dict[Bucket, KeyCodec[Any]] = {
    Bucket.MINUTE: TimeText("%Y%m%d%H%M"),
    Bucket.HOUR: TimeText("%Y%m%d%H"),
    Bucket.DAY: DateText("%Y%m%d"),
    Bucket.WEEK: IsoWeek(),
    Bucket.MONTH: DateText("%Y%m"),
    Bucket.YEAR: DateText("%Y"),
}


def bucketed(model: ModelSchema, bucket: Bucket) -> ModelSchema:
    """``model`` with a row for each ``bucket`` of time, the events of which are versions of its cells.

    Raises :class:`SimulationRefused` for a key without a time.
    """
    if model.bucket is bucket:
        return model
    times = timed(model)
    time = model.bucket_field or (times[-1] if times else None)
    if time is None:
        raise SimulationRefused(
            f"{model.name}: wanted a time in `{model.key.shape}` to take a {bucket.value} of, got none"
        )
    cut = evolve(time, codec=_codec(time, bucket), mirror=None, cardinality=None)
    fields = tuple(cut if part == time else _following(part, time) for part in model.key.fields)
    return evolve(
        model,
        key=RowKey(fields, model.key.delimiter),
        families=tuple(evolve(family, gc=KeepAll()) for family in model.families)
        if model.bucket is None
        else model.families,
        columns=tuple(map(_gathered, model.columns)),
        bucket=bucket,
    )


def _codec(time: KeyField, bucket: Bucket) -> KeyCodec[Any]:
    codec = _CODECS[bucket]
    return Descending(codec) if time.codec.order is Order.DESCENDING else codec


def _following(part: KeyField, time: KeyField) -> KeyField:
    """``part``, made of the bucket where it was made of the time by a function that takes no other."""
    derived = part.derived
    if derived is None or time.name not in derived.of or derived.of_bytes or derived.values is None:
        return part
    return evolve(part, derived=evolve(derived, by=_Among(derived.values), of_bytes=True))


class _Among:
    """One of some values, by a checksum of bytes."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self._values = values
        self._at = Checksum(len(values))

    def __call__(self, *parts: bytes) -> Any:
        return self._values[self._at(*parts)]


def _gathered(column: Column) -> Column:
    """A column of one event, as one of all events of a row."""
    if column.shape is Shape.SLOTS and column.slots is not None:
        expected = evolve(column.expected, every=column.slots.every)
        return evolve(column, shape=Shape.HISTORY, slots=None, expected=expected)
    if column.shape is Shape.VALUE and not is_class(column.codec.python_type, date):
        return evolve(column, shape=Shape.HISTORY)
    return column
