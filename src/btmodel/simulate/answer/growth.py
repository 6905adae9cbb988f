"""How many rows a table has, and how large it and its rows are, after a day, a month and a year.

All of it follows from the declarations, and from no assumption on the cluster. What garbage collection may
delete is counted as gone, although the service takes up to a week to do it.
"""

from datetime import timedelta
from math import exp, inf, log1p

from attrs import frozen

from btmodel.schema import ModelSchema, Shape
from btmodel.schema.counts import span
from btmodel.schema.kept import oldest, steps
from btmodel.schema.sizes import Share, key_size, missing, shares
from btmodel.simulate.answer.crowds import Crowd, crowds, distinct, largest
from btmodel.simulate.workload import Clock, Workload

DAY = timedelta(days=1)
# A time in the key that is no coarser is there to tell events apart.
_FINE = timedelta(seconds=1)
SPANS = {"a day": DAY, "a month": timedelta(days=30), "a year": timedelta(days=365)}


@frozen
class After:
    """A table after a length of time: its rows and bytes, and the bytes of a usual row and of the one written most."""

    rows: float
    bytes: float
    row: float
    hottest_row: float


@frozen
class Growth:
    """What a workload makes of its table: rows and bytes that the first day adds, and the table ``after`` each span.

    ``replaced`` is the share of events that have the key of another one, where each event is to have its own.
    ``missing`` are the figures without which a row is known in part only: bytes are then at least these.
    """

    rows_a_day: float
    bytes_a_day: float
    after: dict[str, After]
    replaced: float
    missing: tuple[str, ...]


def growth_of(workload: Workload) -> Growth:
    """The growth of the table of a workload, as if it were new."""
    found = crowds(workload)
    after = {name: _after(workload, found, time) for name, time in SPANS.items()}
    day = after["a day"]
    return Growth(day.rows, day.bytes, after, _replaced(workload, found), missing(workload.model))


def _replaced(workload: Workload, found: tuple[Crowd, ...]) -> float:
    """Of a key with a time to tell events apart, the events that it does not tell apart."""
    model = workload.model
    each = _span(workload)
    if model.bucket is not None or not each or each > _FINE:
        return 0.0
    events = workload.writes * each.total_seconds()
    return 1 - distinct(found, events) / events


def events_in(workload: Workload, time: timedelta) -> float:
    """The events of the first ``time``, with their growth."""
    days = time / DAY
    rate = log1p(workload.growth)
    # Beyond e**600 nothing is worth a number.
    grown = days if abs(rate) < 1e-12 else (exp(min(600.0, rate * days)) - 1) / rate
    return workload.writes * DAY.total_seconds() * grown


def _after(workload: Workload, found: tuple[Crowd, ...], time: timedelta) -> After:
    model = workload.model
    kept = {family.id: _kept(workload, found, time, oldest(family.gc)) for family in model.families}
    rows = max(kept.values(), key=lambda one: one.rows, default=_kept(workload, found, time, None))
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
    """What is kept of one family: how many rows have cells of it, and the events of each, of the one that has most,
    and the time in which they came.
    """

    rows: float
    events: float
    hottest: float
    time: timedelta


def _kept(workload: Workload, found: tuple[Crowd, ...], time: timedelta, age: timedelta | None) -> _Kept:
    lasting = time if age is None else min(time, age)
    events = events_in(workload, time) - events_in(workload, time - lasting)
    each = min(_span(workload), lasting)
    periods = lasting / each if each else events
    rows = periods * distinct(found, events / periods)
    return _Kept(rows, events / rows, max(1.0, events / periods * largest(found)), each)


def _span(workload: Workload) -> timedelta:
    """How much time one row is written in; for ever, where no time of its key goes by."""
    moves = any(isinstance(one, Clock) for one in workload.fields.values())
    return span(workload.model) if moves else timedelta.max


def _cells(model: ModelSchema, share: Share, events: float, time: timedelta) -> float:
    """The cells that one row has of an attribute, to which so many ``events`` came in this ``time``."""
    column = share.column
    if column is None or not column.eventful:
        return share.cells.usual.least
    if column.shape is Shape.SLOTS and column.slots is not None:
        return min(float(column.slots.count), events)
    family = model.family(column.family)
    # Marks of different values are different columns, so a number of versions does not bound them.
    many = column.shape is Shape.MARKS
    return max(
        min(inf if many else versions, events * min(1.0, age / time) if time else events)
        for versions, age in steps(family.gc if family else None)
    )
