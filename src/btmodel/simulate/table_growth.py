"""How the table of a workload grows.

All of it follows from the declarations, without assumptions about the cluster. What garbage collection may delete
counts as deleted, although the service takes up to a week to do it.
"""

from datetime import timedelta
from math import exp, inf, log1p

from attrs import frozen

from btmodel.estimates import Share, key_size, missing, shares, span
from btmodel.schema import ModelSchema
from btmodel.schema.gc import kept_ranges, oldest
from btmodel.simulate.workload import EventTime, Workload
from btmodel.simulate.writers import WriterGroup, distinct, largest, writer_groups

DAY = timedelta(days=1)
# A time in the key with this precision or a finer one is meant to distinguish events.
_FINE = timedelta(seconds=1)
SPANS = {"a day": DAY, "a month": timedelta(days=30), "a year": timedelta(days=365)}


@frozen
class After:
    """A table after a length of time: its rows and bytes, and the bytes of a usual row and of the row with the most writes."""

    rows: float
    bytes: float
    row: float
    hottest_row: float


@frozen
class Growth:
    """How a workload makes its table grow: rows and bytes of the first day, and the table ``after`` each span.

    ``replaced`` is the share of events that overwrite another event although each should have its own row.
    ``missing`` are the estimates without which the size of a row is known only in part; the bytes are then a lower
    bound.
    """

    rows_a_day: float
    bytes_a_day: float
    after: dict[str, After]
    replaced: float
    missing: tuple[str, ...]


def growth_of(workload: Workload) -> Growth:
    """The growth of the table of a workload, starting empty."""
    groups = writer_groups(workload)
    after = {name: _after(workload, groups, time) for name, time in SPANS.items()}
    day = after["a day"]
    return Growth(day.rows, day.bytes, after, _replaced(workload, groups), missing(workload.model))


def _replaced(workload: Workload, groups: tuple[WriterGroup, ...]) -> float:
    """The share of events that a key with a time does not distinguish."""
    model = workload.model
    each = _span(workload)
    if model.bucket is not None or not each or each > _FINE:
        return 0.0
    events = workload.writes * each.total_seconds()
    return 1 - distinct(groups, events) / events


def events_in(workload: Workload, time: timedelta) -> float:
    """The number of events in the first ``time``, with their growth."""
    days = time / DAY
    rate = log1p(workload.growth)
    # Numbers beyond e**600 mean nothing.
    grown = days if abs(rate) < 1e-12 else (exp(min(600.0, rate * days)) - 1) / rate
    return workload.writes * DAY.total_seconds() * grown


def _after(workload: Workload, groups: tuple[WriterGroup, ...], time: timedelta) -> After:
    model = workload.model
    kept = {family.id: _kept(workload, groups, time, oldest(family.gc)) for family in model.families}
    rows = max(kept.values(), key=lambda one: one.rows, default=_kept(workload, groups, time, None))
    key = key_size(model.key).usual.least
    usual, most = 0.0, float(key)
    for share in shares(model):
        part = kept[share.family]
        usual += part.rows * share.cell.usual.least * _cells(model, share, part.events, part.time)
        most += share.cell.usual.least * _cells(model, share, part.hottest, part.time)
    each = usual / rows.rows + key
    return After(rows.rows, usual + rows.rows * key, each, max(each, most))


@frozen
class _Kept:
    """What one family keeps: rows with cells in it, events per row and in the largest row, and the time of their writes."""

    rows: float
    events: float
    hottest: float
    time: timedelta


def _kept(
    workload: Workload, groups: tuple[WriterGroup, ...], time: timedelta, age: timedelta | None
) -> _Kept:
    lasting = time if age is None else min(time, age)
    events = events_in(workload, time) - events_in(workload, time - lasting)
    each = min(_span(workload), lasting)
    periods = lasting / each if each else events
    rows = periods * distinct(groups, events / periods)
    return _Kept(rows, events / rows, max(1.0, events / periods * largest(groups)), each)


def _span(workload: Workload) -> timedelta:
    """The time during which one row is written; unlimited if its key has no time."""
    moves = any(isinstance(field, EventTime) for field in workload.fields.values())
    return span(workload.model) if moves else timedelta.max


def _cells(model: ModelSchema, share: Share, events: float, time: timedelta) -> float:
    """The number of cells in a row for an attribute that received ``events`` events in this ``time``."""
    column = share.column
    if column is None or not column.eventful:
        return share.cells.usual.least
    if column.slots is not None:
        return min(float(column.slots.count), events)
    if column.spans is not None and time:
        events = min(events, time / column.spans.every)
    family = model.family(column.family)
    # Marks of different values are different columns, so a number of versions does not bound them.
    many = column.shape.named
    return max(
        min(inf if many else versions, events * min(1.0, age / time) if time else events)
        for versions, age in kept_ranges(family.gc if family else None)
    )
