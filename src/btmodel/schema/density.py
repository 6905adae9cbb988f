"""How densely a model fills its table: how many rows there are, and what goes into one of them.

All of it is computed from declared figures, and is None where one of them is not declared.
Cardinalities multiply: no table has more rows than all values of its fields together, so
a computed rate of one row is never too high.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from enum import Enum
from math import ceil, prod

from btmodel.codecs.classes import is_class
from btmodel.codecs.key import Kind
from btmodel.schema.column import Column, Shape
from btmodel.schema.figures import NODE_ROW_WRITES
from btmodel.schema.key import KeyField
from btmodel.schema.model import ModelSchema


def distinct(parts: Iterable[KeyField]) -> int | None:
    """How many values these key fields have together; a field that follows from others adds none."""
    counts = [part.cardinality for part in parts if part.asked]
    return None if None in counts else prod(count for count in counts if count is not None)


def members(kind: type) -> int | None:
    """How many values a type has, where they can be counted: two of a bool, the members of an enum."""
    if kind is bool:
        return 2
    return len(kind) if is_class(kind, Enum) else None


def timed(model: ModelSchema) -> tuple[KeyField, ...]:
    """The key fields that are times."""
    return tuple(part for part in model.key.fields if part.codec.kind is Kind.TIME)


def writers(model: ModelSchema) -> int | None:
    """How many values the key has besides its times: what writes rows, each at times of its own.

    A hash of columns has as many values as they have; a salt of them has its own.
    """
    fields = distinct(part for part in model.key.fields if part.codec.kind is not Kind.TIME)
    counts = [fields, *_made_of_columns(model)]
    return None if None in counts else prod(count for count in counts if count is not None)


def _made_of_columns(model: ModelSchema) -> Iterator[int | None]:
    columns = {column.name: column.expected.cardinality for column in model.columns}
    for part in model.key.fields:
        names = [name for name in part.derived.of if name in columns] if part.derived else []
        if names and part.derived and part.derived.values is not None:
            yield part.cardinality
        else:
            yield from (columns[name] for name in names)


def uncounted(model: ModelSchema) -> tuple[str, ...]:
    """The key fields, and the columns that the key is made of, that :func:`writers` cannot count."""
    fields = [
        part.name for part in model.key.asked if part.cardinality is None and part.codec.kind is not Kind.TIME
    ]
    hashes = [part.derived for part in model.key.fields if part.derived and part.derived.values is None]
    hashed = {name for derived in hashes for name in derived.of}
    columns = [one.name for one in model.columns if one.name in hashed and one.expected.cardinality is None]
    return (*fields, *columns)


def rate_of_one(model: ModelSchema) -> float | None:
    """Events a second for each value of the key besides its times, on average."""
    count = writers(model)
    return None if model.events is None or count is None else model.events.per_second / count


def stated_every(column: Column) -> timedelta | None:
    """The time between two events of one row, as the column declares it: by ``every``, or by its slots."""
    return column.slots.every if column.expected.every is None and column.slots else column.expected.every


def pace(model: ModelSchema, column: Column) -> float | None:
    """Events a second of one row in this column: as declared of it, or else by the rate of the table."""
    every = stated_every(column)
    return rate_of_one(model) if every is None else 1 / every.total_seconds()


def events_in(span: timedelta, pace: float) -> int:
    """The events of a span of time at such a pace; at least one."""
    # Computed with floats: 23 events a day are not 24.
    return max(1, ceil(span.total_seconds() * pace * (1 - 1e-9)))


def events_of_row(model: ModelSchema, column: Column) -> int | None:
    """How many events one row takes in this column: those of its bucket. None without a bucket, too."""
    if model.bucket is None or not column.eventful:
        return None
    if column.shape is Shape.SLOTS and column.slots is not None:
        return column.slots.count
    found = pace(model, column)
    return None if found is None else events_in(model.bucket.longest, found)


def nodes_needed(model: ModelSchema) -> int | None:
    """How many nodes the declared rate needs, by the documented writes of a node; at least one."""
    return None if model.events is None else max(1, ceil(model.events.per_second / NODE_ROW_WRITES))
