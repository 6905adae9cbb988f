"""How many cells a column has in one row, once the row is full.

A row is full when its bucket is over, or when everything that its GC rules keep is there. The
number is computed from declared figures, as :mod:`btmodel.schema.density` reads them. A rate of the table gives
the usual number of events alone: the largest takes their own ``every``, or the versions that are kept.
"""

import math
from datetime import timedelta

from btmodel.codecs.directives import UNITS
from btmodel.schema.amount import Amount, Sizes
from btmodel.schema.bucket import Bucket
from btmodel.schema.column import Column, Shape
from btmodel.schema.density import events_in, pace, timed, uncounted
from btmodel.schema.kept import Step, steps
from btmodel.schema.model import ModelSchema

_LONGEST = {bucket.value: bucket.longest for bucket in Bucket} | {
    unit.name: unit.longest for unit in UNITS.values()
}
_EVER = timedelta.max


def cells(model: ModelSchema, column: Column) -> Sizes:
    """The cells of ``column`` in a full row.

    A value has one cell, though it may be written again: only a column that is declared to ``keep`` several
    versions is counted with them.
    """
    if column.shape is Shape.SLOTS and column.slots is not None:
        return Sizes.of(column.slots.count)
    if column.shape in (Shape.MAPPING, Shape.MEMBERS):
        entries = column.expected.entries
        found = Amount.unknown(_of("entries", column)) if entries is None else Amount(entries)
        return Sizes(found, found)
    if column.versioned:
        return Sizes(_usual(model, column), _largest(model, column))
    kept = max(versions for versions, _ in steps(column.expected.keep))
    return Sizes.of(1 if column.expected.keep is None or kept == math.inf else int(kept))


def lacking(model: ModelSchema) -> tuple[str, ...]:
    """The figures that the rate of one row depends on, and that the model does not declare."""
    events = () if model.events is not None else ("`events`",)
    return (*events, *(f"`cardinality` of `{name}`" for name in uncounted(model)))


def span(model: ModelSchema) -> timedelta:
    """How much time one row is written in: its bucket, or else what the finest time of its key tells apart.

    ``timedelta.max`` where the key holds no time: such a row is written for ever.
    """
    if model.bucket is not None:
        return model.bucket.longest
    # A time in no calendar unit tells apart the events themselves.
    nothing = timedelta(0)
    # A row that lacks its optional time is written for ever, too.
    told = [part for part in timed(model) if not part.optional]
    return min((_LONGEST.get(part.codec.granularity or "", nothing) for part in told), default=_EVER)


def _usual(model: ModelSchema, column: Column) -> Amount:
    found = pace(model, column)
    if found is None and any(time < _EVER for _, time in _written(model, column)):
        return Amount.unknown(*lacking(model))
    return _amount(_events(model, column, found), "`bucket`")


def _largest(model: ModelSchema, column: Column) -> Amount:
    every = column.expected.every
    endless = any(time == _EVER for _, time in _written(model, column))
    figure = "`bucket`" if endless else _of("every", column)
    return _amount(_events(model, column, None if every is None else 1 / every.total_seconds()), figure)


def _events(model: ModelSchema, column: Column, pace: float | None) -> float:
    """The events that a full row keeps at such a pace, or as many as its rule keeps; maybe infinite."""
    return max(
        min(versions, math.inf if pace is None or time == _EVER else events_in(time, pace))
        for versions, time in _written(model, column)
    )


def _written(model: ModelSchema, column: Column) -> list[Step]:
    """The versions of a column that are kept, and the time in which they are written."""
    family = model.family(column.family)
    # Marks of different values are different columns, so a number of versions does not bound them.
    many = column.shape is Shape.MARKS
    return [
        (math.inf if many else versions, min(span(model), age))
        for versions, age in steps(family.gc if family else None)
    ]


def _amount(count: float, otherwise: str) -> Amount:
    return Amount.unknown(otherwise) if count == math.inf else Amount(int(count))


def _of(figure: str, column: Column) -> str:
    return f"`{figure}` of `{column.name}`"
