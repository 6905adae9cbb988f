"""How the table of a workload grows, and the groups of writers with equal shares of the events.

All of it follows from the declarations, without assumptions about the cluster. What garbage collection may delete
counts as deleted, although the service takes up to a week to do it.
"""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise, product
from math import exp, expm1, inf, log, log1p

from attrs import frozen

from btmodel.estimates import Share, key_size, missing, shares, span
from btmodel.schema import ModelSchema
from btmodel.schema.gc import kept_ranges, oldest
from btmodel.simulate.workload import Distribution, EventTime, Few, Sequential, Weighted, Workload, Zipf

# The first ranks of a Zipf distribution stand alone; the others are in bands, each wider by this factor.
_SINGLE = 16
_WIDER = 1.6
# With more groups than this, those with the smallest shares are merged.
_MOST = 20_000


@frozen
class WriterGroup:
    """``count`` writers that each have the same part of ``share``; ``share`` is their part of all events."""

    count: float
    share: float

    def distinct(self, events: float) -> float:
        """How many of them write at least once in ``events`` events of all writers."""
        if self.count == inf:
            return events * self.share
        return -self.count * expm1(-events * self.share / self.count)


def writer_groups(workload: Workload) -> tuple[WriterGroup, ...]:
    """The writers of a workload: all combinations of values of fields that are not times, and of salts of what the key does not hold."""
    combined = [WriterGroup(1, 1.0)]
    key = workload.model.key
    hashes = (part.derived.of for part in key.fields if part.derived and part not in key.salts_of_others)
    salted = {name for salt in key.salts_of_others if salt.derived for name in salt.derived.of} - {
        name for of in hashes for name in of
    }
    several = [
        list(_groups(distribution, workload.counts[name]))
        for name, distribution in workload.fields.items()
        if name in workload.counts and name not in salted
    ]
    several += [
        [WriterGroup(len(salt.derived.values or ()), 1.0)] for salt in key.salts_of_others if salt.derived
    ]
    for groups in several:
        combined = _few(
            [WriterGroup(a.count * b.count, a.share * b.share) for a, b in product(combined, groups)]
        )
    return tuple(combined)


def largest(groups: tuple[WriterGroup, ...]) -> float:
    """The share of the writer with the most events."""
    return max((group.share / group.count for group in groups), default=0.0)


def distinct(groups: tuple[WriterGroup, ...], events: float) -> float:
    """How many of these writers write at least once in so many events."""
    return sum(group.distinct(events) for group in groups)


def _groups(distribution: Distribution, count: int) -> Iterator[WriterGroup]:
    match distribution:
        case Weighted(values):
            whole = sum(weight for _, weight in values)
            yield from (WriterGroup(1, weight / whole) for _, weight in values)
        case Few(share, values) if values < count:
            yield WriterGroup(values, share)
            if share < 1:
                yield WriterGroup(count - values, 1 - share)
        case Zipf(theta):
            yield from _bands(theta, count)
        case Sequential():
            yield WriterGroup(inf, 1.0)
        case _:
            yield WriterGroup(count, 1.0)


def _bands(theta: float, count: int) -> list[WriterGroup]:
    """Ranks in bands; the share of a band is an integral, except for the first ranks."""
    edges = [*range(1, min(count, _SINGLE) + 1)]
    while edges[-1] < count:
        edges.append(min(count, max(edges[-1] + 1, int(edges[-1] * _WIDER))))
    bands = [(1.0, 1.0)]
    for low, high in pairwise(edges):
        bands.append((float(high - low), _integral(theta, low + 0.5, high + 0.5)))
    whole = sum(weight for _, weight in bands)
    return [WriterGroup(number, weight / whole) for number, weight in bands]


def _integral(theta: float, low: float, high: float) -> float:
    """Approximates the sum of ``rank ** -theta`` over the ranks from ``low`` to ``high`` with the midpoint rule."""
    if abs(theta - 1) < 1e-9:
        return log(high / low)
    return float((high ** (1 - theta) - low ** (1 - theta)) / (1 - theta))


def _few(groups: list[WriterGroup]) -> list[WriterGroup]:
    if len(groups) <= _MOST:
        return groups
    groups = sorted(groups, key=lambda group: -group.share)
    rest = groups[_MOST:]
    return [
        *groups[:_MOST],
        WriterGroup(sum(group.count for group in rest), sum(group.share for group in rest)),
    ]


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
