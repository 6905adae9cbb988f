"""Columns that gather events in a row whose key holds no time, so that the row goes on for ever."""

from collections.abc import Iterator
from datetime import timedelta
from math import floor, inf

from btmodel.codecs.key import Kind
from btmodel.lint.retention import raised
from btmodel.lint.series import fitting_bucket, key_of_buckets, key_of_events
from btmodel.lint.words import one
from btmodel.schema import Bucket, Column, GcRule, MaxAge, ModelSchema, Shape
from btmodel.schema.density import events_in, members, pace, timed
from btmodel.schema.gc_code import gc_code

# What amending a value now and then may come to: versions of it are fine where there are no more.
AMENDMENTS = 100
# So rarely is a value amended that its history outgrows no row: 1,200 versions in a century.
_RARELY = timedelta(days=30)

_ANY_RANK = 2**31


def gathering(model: ModelSchema) -> Iterator[tuple[Column, float]]:
    """Each such column, with the most events that a row keeps of it: ``inf`` where nothing bounds them.

    Where that cannot be known for want of a rate it is left out, and so is what is rarely written.
    """
    if model.bucket is not None or timed(model):
        return
    for column in model.columns:
        if column.versioned or (column.names is not None and column.names.kind is Kind.TIME):
            found = pace(model, column)
            rarely = found is not None and found * _RARELY.total_seconds() <= 1
            most = None if rarely else _most(model, column, found)
            if most is not None:
                yield column, most


def mend(model: ModelSchema, column: Column) -> str:
    """The key of a row for each event, and where one fits the bucket that bounds a row."""
    texts = [
        f"write a row an event: {key_of_events(model)}, and what `{column.name}` holds as a plain column"
    ]
    bucket = fitting_bucket(model, column) if column.versioned and not _needs_cells(model) else None
    if bucket is not None:
        texts.append(f"gather those of {one(bucket.value)}{_bucket(model, column, bucket)}")
    if column.shape is Shape.HISTORY:
        rule = f"bt.max_versions({AMENDMENTS})"
        texts.append(f"where this is one value that is amended now and then, keep few of them: `gc={rule}`")
    return "; or ".join(texts)


def _most(model: ModelSchema, column: Column, pace: float | None) -> float | None:
    family = model.family(column.family)
    if column.expected.entries is not None:
        return column.expected.entries
    if family is None or family.gc is None:
        return None
    if column.shape is Shape.HISTORY:
        return _kept(family.gc, pace, by_rank=True)
    values = _values(column)
    if column.shape is Shape.MARKS and values is not None:
        each = _kept(family.gc, pace, by_rank=True)
        return None if each is None else each * values
    return _kept(family.gc, pace, by_rank=False)


def _values(column: Column) -> int | None:
    """How many different qualifiers the column has, where its type tells; each has versions of its own."""
    return members(column.names.python_type) if column.names else None


def _kept(rule: GcRule, pace: float | None, *, by_rank: bool) -> float | None:
    """The events that a rule keeps, which come at such a pace; each is a column of its own unless ``by_rank``."""

    def deleted(age: timedelta, count: int) -> bool:
        return rule.deletes(age, count if by_rank else 1)

    if not deleted(timedelta.max, _ANY_RANK):
        return inf
    limits = list(rule.thresholds())
    versions = {limit.versions for limit in limits if not isinstance(limit, MaxAge)}
    if pace is None:
        if not deleted(timedelta(0), _ANY_RANK):
            return None
        return max(count for count in versions if not deleted(timedelta(0), count))
    ages = [limit.age for limit in limits if isinstance(limit, MaxAge)]
    counts = versions | {floor(age.total_seconds() * pace * (1 + 1e-9)) for age in ages}
    return max((count for count in counts if not deleted(_age(count, pace), count)), default=1)


def _age(count: int, pace: float) -> timedelta:
    """The age of the event with this rank."""
    try:
        return timedelta(seconds=count / pace * (1 - 1e-9))
    except (OverflowError, ZeroDivisionError):
        return timedelta.max


def _needs_cells(model: ModelSchema) -> bool:
    """Whether a row must have cells that its first event does not bring, which no row of a bucket may."""
    return model.stamp.required or any(column.required for column in model.columns)


def _bucket(model: ModelSchema, column: Column, bucket: Bucket) -> str:
    text = f', `bucket="{bucket.value}"`: {key_of_buckets(model, bucket)}'
    family, found = model.family(column.family), pace(model, column)
    if family is None or family.gc is None or found is None:
        return text
    rule = raised(family.gc, bucket.longest, events_in(bucket.longest, found))
    return text if rule == family.gc else f"{text}, and `gc={gc_code(rule)}`"
