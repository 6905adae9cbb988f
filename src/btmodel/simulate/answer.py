"""The result of a simulation: load, growth, skew, and what they rest on."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise, product
from math import ceil, exp, expm1, inf, log, log1p
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from btmodel.estimates import Share, key_size, missing, shares, span
from btmodel.schema import ModelSchema
from btmodel.schema.gc import kept_ranges, oldest
from btmodel.simulate.alternatives import Scenario
from btmodel.simulate.cluster.cluster import CPU_THROUGHPUT, STORAGE_THROUGHPUT
from btmodel.simulate.cluster.outcome import Bound, Firm, Hot, Outcome, TableOutcome
from btmodel.simulate.workload import Distribution, EventTime, Few, Sequential, Weighted, Workload, Zipf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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


def crowds(workload: Workload) -> tuple[WriterGroup, ...]:
    """The writers of a workload: all combinations of values of fields that are not times, and of salts of what the key does not hold."""
    found = [WriterGroup(1, 1.0)]
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
        found = _few([WriterGroup(a.count * b.count, a.share * b.share) for a, b in product(found, groups)])
    return tuple(found)


def largest(found: tuple[WriterGroup, ...]) -> float:
    """The share of the writer with the most events."""
    return max((crowd.share / crowd.count for crowd in found), default=0.0)


def distinct(found: tuple[WriterGroup, ...], events: float) -> float:
    """How many of these writers write at least once in so many events."""
    return sum(crowd.distinct(events) for crowd in found)


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


def _few(found: list[WriterGroup]) -> list[WriterGroup]:
    if len(found) <= _MOST:
        return found
    found = sorted(found, key=lambda crowd: -crowd.share)
    rest = found[_MOST:]
    return [
        *found[:_MOST],
        WriterGroup(sum(crowd.count for crowd in rest), sum(crowd.share for crowd in rest)),
    ]


# All of it follows from the declarations, without assumptions about the cluster. What garbage collection may delete
# counts as deleted, although the service takes up to a week to do it.

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
    found = crowds(workload)
    after = {name: _after(workload, found, time) for name, time in SPANS.items()}
    day = after["a day"]
    return Growth(day.rows, day.bytes, after, _replaced(workload, found), missing(workload.model))


def _replaced(workload: Workload, found: tuple[WriterGroup, ...]) -> float:
    """The share of events that a key with a time does not distinguish."""
    model = workload.model
    each = _span(workload)
    if model.bucket is not None or not each or each > _FINE:
        return 0.0
    events = workload.writes * each.total_seconds()
    return 1 - distinct(found, events) / events


def events_in(workload: Workload, time: timedelta) -> float:
    """The number of events in the first ``time``, with their growth."""
    days = time / DAY
    rate = log1p(workload.growth)
    # Numbers beyond e**600 mean nothing.
    grown = days if abs(rate) < 1e-12 else (exp(min(600.0, rate * days)) - 1) / rate
    return workload.writes * DAY.total_seconds() * grown


def _after(workload: Workload, found: tuple[WriterGroup, ...], time: timedelta) -> After:
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
    """What one family keeps: rows with cells in it, events per row and in the largest row, and the time of their writes."""

    rows: float
    events: float
    hottest: float
    time: timedelta


def _kept(
    workload: Workload, found: tuple[WriterGroup, ...], time: timedelta, age: timedelta | None
) -> _Kept:
    lasting = time if age is None else min(time, age)
    events = events_in(workload, time) - events_in(workload, time - lasting)
    each = min(_span(workload), lasting)
    periods = lasting / each if each else events
    rows = periods * distinct(found, events / periods)
    return _Kept(rows, events / rows, max(1.0, events / periods * largest(found)), each)


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
    # Existence cells of different values are different columns, so a number of versions does not bound them.
    many = column.shape.named
    return max(
        min(inf if many else versions, events * min(1.0, age / time) if time else events)
        for versions, age in kept_ranges(family.gc if family else None)
    )


# The share with which one node has almost all of a load.
ALONE = 0.9
# The part of an even share from which a node counts as busy.
_TAKES_PART = 0.5


@frozen
class Relapse:
    """A time in which one node had almost all of a load again: its start, and its length in seconds."""

    begin: float
    seconds: float


@frozen
class LoadSpread:
    """How a load is spread over ``nodes``, typically in the second half of the time.

    ``busy`` nodes have at least half of an even share, and ``hottest`` is the share of the node with the most.
    ``together`` is the time in seconds until no node had nine tenths of the load any more; None if that never
    happened. ``relapses`` are the later times in which one node had so much again.
    """

    nodes: int
    busy: int
    hottest: float
    together: float | None
    relapses: tuple[Relapse, ...]


def spread_of(rates: "NDArray[np.floating]", step_seconds: float) -> LoadSpread | None:
    """The spread of the rates of each step and node, ``(T, N)``; None if there is no load at all."""
    totals = rates.sum(axis=1)
    written = totals > 0
    if not written.any():
        return None
    nodes = rates.shape[1]
    shares = rates[written] / totals[written, None]
    hottest = shares.max(axis=1)
    busy = (shares >= _TAKES_PART / nodes).sum(axis=1)
    usual = slice(len(hottest) // 2, None)
    apart = hottest < ALONE
    begins = int(apart.argmax()) if apart.any() else None
    steps = written.nonzero()[0].tolist()
    alone = [] if begins is None else [steps[at] for at in range(begins, len(apart)) if not apart[at]]
    return LoadSpread(
        nodes,
        _median(busy[usual]),
        float(sorted(hottest[usual])[len(hottest[usual]) // 2]),
        None if begins is None else steps[begins] * step_seconds,
        tuple(_relapses(alone, step_seconds)),
    )


def _relapses(steps: list[int], step_seconds: float) -> Iterator[Relapse]:
    """Consecutive steps as times."""
    begin = last = None
    for step in [*steps, None]:
        if begin is not None and last is not None and (step is None or step != last + 1):
            yield Relapse(begin * step_seconds, (last + 1 - begin) * step_seconds)
            begin = None
        begin, last = step if begin is None else begin, step


def _median(counts: "NDArray[np.integer]") -> int:
    return int(sorted(counts)[len(counts) // 2])


@frozen
class TableAnswer:
    """The result for one table: how its writes and reads are spread over the nodes, and how it grows.

    ``rows`` and ``bytes`` are its size at the end, ``hottest`` is its hottest tablet, and ``firm`` are its bounds.
    """

    workload: Workload
    writes: LoadSpread | None
    reads: LoadSpread | None
    rows: float
    bytes: float
    hottest: Hot
    firm: tuple[Firm, ...]
    growth: Growth

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.workload.model.name

    def bound(self, *kinds: Bound) -> Firm | None:
        """The bound among these kinds that applies to the largest share of the writes."""
        return max((one for one in self.firm if one.bound in kinds), key=lambda one: one.share, default=None)


@frozen
class Need:
    """The number of nodes needed for the peak load, spread evenly, and for the storage of a year."""

    load: int
    storage: int

    @property
    def nodes(self) -> int:
        """The nodes that satisfy both."""
        return max(self.load, self.storage)


@frozen
class Answer:
    """The result for all tables of a cluster together.

    ``load`` is the usual utilization of the hottest node, and ``load_most`` the maximum. ``p99`` and ``p99_most`` are
    the latency in seconds that one of a hundred requests exceeds. ``failed`` is the share of all requests that time
    out, and ``waiting`` the seconds of work queued at the hottest node at the end. ``tablets`` is the number at the
    end; ``splits`` and ``moves`` are totals.
    """

    name: str
    nodes: int
    seconds: float
    tables: tuple[TableAnswer, ...]
    writes: LoadSpread | None
    reads: LoadSpread | None
    load: float
    load_most: float
    p99: float
    p99_most: float
    failed: float
    waiting: float
    tablets: int
    splits: int
    moves: int
    need: Need

    @property
    def events(self) -> float:
        """Events per second of all tables at the start."""
        return sum(table.workload.writes for table in self.tables)


def answer_of(scenario: Scenario, outcome: Outcome) -> Answer:
    """The result of an outcome, whose tables are in the order of the scenario."""
    tables = tuple(
        _table(workload, table, outcome)
        for workload, table in zip(scenario.workloads, outcome.tables, strict=True)
    )
    hottest = outcome.load.max(axis=1)
    usual = slice(len(hottest) // 2, None)
    step = outcome.step_seconds
    return Answer(
        scenario.name,
        int(outcome.nodes[-1]),
        len(outcome.seconds) * step,
        tables,
        spread_of(outcome.node_writes, step),
        spread_of(outcome.node_reads, step),
        load=_middle(hottest[usual].tolist()),
        load_most=float(hottest.max()),
        p99=_middle(outcome.p99[usual].tolist()),
        p99_most=float(outcome.p99.max()),
        failed=_failed(outcome),
        waiting=float(outcome.backlog[-1].max()),
        tablets=sum(int(table.tablets[-1]) for table in outcome.tables),
        splits=int(outcome.splits.sum()),
        moves=int(outcome.moves.sum()),
        need=_need(tables, outcome),
    )


def _table(workload: Workload, table: TableOutcome, outcome: Outcome) -> TableAnswer:
    return TableAnswer(
        workload,
        spread_of(table.node_writes, outcome.step_seconds),
        spread_of(table.node_reads, outcome.step_seconds),
        rows=float(table.rows[-1]),
        bytes=float(table.bytes[-1]),
        hottest=table.hottest,
        firm=tuple(one for one in outcome.firm if (one.table, one.model) == (table.table, table.model)),
        growth=growth_of(workload),
    )


def _need(tables: tuple[TableAnswer, ...], outcome: Outcome) -> Need:
    """The number of nodes that the documentation recommends if the work is spread evenly."""
    limits, assumptions = outcome.cluster.limits, outcome.cluster.assumptions
    peak = float(outcome.load.sum(axis=1).max())
    stored = sum(answer.growth.after["a year"].bytes for answer in tables) * assumptions.compression
    return Need(
        max(1, ceil(peak / CPU_THROUGHPUT - 1e-9)),
        max(1, ceil(stored / (limits.storage_bytes * STORAGE_THROUGHPUT) - 1e-9)),
    )


def _failed(outcome: Outcome) -> float:
    """The share of all work that timed out."""
    work = outcome.load.sum(axis=1)
    return float((outcome.failed * work).sum() / work.sum()) if work.any() else 0.0


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


# A quarter of an hour of a day.
_MOMENTS = 96


def over_time(outcome: Outcome) -> dict[str, list[float]]:
    """The share, the load and the latency of the hottest node, at evenly spaced moments."""
    every = max(1, -(-len(outcome.seconds) // _MOMENTS))
    lines: dict[str, NDArray[np.floating]] = {
        "seconds": outcome.seconds,
        "hottest_writes": _hottest(outcome.node_writes),
        "hottest_reads": _hottest(outcome.node_reads),
        "load": outcome.load.max(axis=1),
        "p99": outcome.p99,
    }
    return {name: [float(one) for one in line[::every]] for name, line in lines.items()}


def _hottest(rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest share of a node in each step; 0 without load."""
    sums: NDArray[np.float64] = rates.sum(axis=1)
    most: NDArray[np.float64] = rates.max(axis=1)
    return most / np.where(sums > 0, sums, 1.0)
