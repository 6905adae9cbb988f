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
from btmodel.schema.gc import oldest, steps
from btmodel.simulate.cluster.cluster import CPU_THROUGHPUT, STORAGE_THROUGHPUT
from btmodel.simulate.cluster.outcome import Bound, Firm, Hot, Outcome, TableOutcome
from btmodel.simulate.scenarios import Scenario
from btmodel.simulate.workload import Clock, Distribution, Few, Sequential, Weighted, Workload, Zipf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


# The first ranks of a Zipf distribution one by one, the others in bands, each wider by this factor.
_SINGLE = 16
_WIDER = 1.6
# Beyond so many groups, those of the smallest shares are put together.
_MOST = 20_000


@frozen
class Crowd:
    """``count`` writers, each with the same part of ``share``, which is theirs of all events."""

    count: float
    share: float

    def distinct(self, events: float) -> float:
        """How many of them write at all, of so many ``events`` of all writers, each on its own."""
        if self.count == inf:
            return events * self.share
        return -self.count * expm1(-events * self.share / self.count)


def crowds(workload: Workload) -> tuple[Crowd, ...]:
    """The writers of a workload: the values of all that is no time, taken together."""
    found = [Crowd(1, 1.0)]
    for name, distribution in workload.fields.items():
        if name not in workload.counts:
            continue
        groups = list(_groups(distribution, workload.counts[name]))
        found = _few([Crowd(a.count * b.count, a.share * b.share) for a, b in product(found, groups)])
    return tuple(found)


def largest(found: tuple[Crowd, ...]) -> float:
    """The share of the writer with the most events."""
    return max((crowd.share / crowd.count for crowd in found), default=0.0)


def distinct(found: tuple[Crowd, ...], events: float) -> float:
    """How many writers write at all, of so many events."""
    return sum(crowd.distinct(events) for crowd in found)


def _groups(distribution: Distribution, count: int) -> Iterator[Crowd]:
    match distribution:
        case Weighted(values):
            whole = sum(weight for _, weight in values)
            yield from (Crowd(1, weight / whole) for _, weight in values)
        case Few(share, values) if values < count:
            yield Crowd(values, share)
            if share < 1:
                yield Crowd(count - values, 1 - share)
        case Zipf(theta):
            yield from _bands(theta, count)
        case Sequential():
            yield Crowd(inf, 1.0)
        case _:
            yield Crowd(count, 1.0)


def _bands(theta: float, count: int) -> list[Crowd]:
    """Ranks in bands: of each, the share is an integral, which the first ranks need not."""
    edges = [*range(1, min(count, _SINGLE) + 1)]
    while edges[-1] < count:
        edges.append(min(count, max(edges[-1] + 1, int(edges[-1] * _WIDER))))
    bands = [(1.0, 1.0)]
    for low, high in pairwise(edges):
        bands.append((float(high - low), _integral(theta, low + 0.5, high + 0.5)))
    whole = sum(weight for _, weight in bands)
    return [Crowd(number, weight / whole) for number, weight in bands]


def _integral(theta: float, low: float, high: float) -> float:
    """About the sum of ``rank ** -theta`` over the ranks from ``low`` to ``high``, by the middles of the ranks."""
    if abs(theta - 1) < 1e-9:
        return log(high / low)
    return float((high ** (1 - theta) - low ** (1 - theta)) / (1 - theta))


def _few(found: list[Crowd]) -> list[Crowd]:
    if len(found) <= _MOST:
        return found
    found = sorted(found, key=lambda crowd: -crowd.share)
    rest = found[_MOST:]
    return [*found[:_MOST], Crowd(sum(crowd.count for crowd in rest), sum(crowd.share for crowd in rest))]


# All of it follows from the declarations, and from no assumption on the cluster. What garbage collection may
# delete is counted as gone, although the service takes up to a week to do it.

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
    """The events that a key with a time does not distinguish."""
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
    if column.slots is not None:
        return min(float(column.slots.count), events)
    if column.spans is not None and time:
        events = min(events, time / column.spans.every)
    family = model.family(column.family)
    # Marks of different values are different columns, so a number of versions does not bound them.
    many = column.shape.named
    return max(
        min(inf if many else versions, events * min(1.0, age / time) if time else events)
        for versions, age in steps(family.gc if family else None)
    )


# One node has all but nothing of a load.
ALONE = 0.9
# A node that has this part of an even share takes part.
_TAKES_PART = 0.5


@frozen
class Relapse:
    """A time in which one node had all but nothing of a load again: when it began, and how long it was, in seconds."""

    begin: float
    seconds: float


@frozen
class Spread:
    """How a load lies on ``nodes``, by what is usual in the second half of the time.

    ``busy`` nodes have at least half of an even share; ``hottest`` is the share of the one that has most.
    ``together`` are the seconds up to when no node had nine tenths for the first time, None where that never was;
    ``relapses`` are the times since then in which one had so much again.
    """

    nodes: int
    busy: int
    hottest: float
    together: float | None
    relapses: tuple[Relapse, ...]

    @property
    def relapsed(self) -> float:
        """Seconds of all relapses."""
        return sum(one.seconds for one in self.relapses)


def spread_of(rates: "NDArray[np.floating]", step_seconds: float) -> Spread | None:
    """The spread of rates of each step and node, ``(T, N)``; None where nothing comes at all."""
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
    return Spread(
        nodes,
        _median(busy[usual]),
        float(sorted(hottest[usual])[len(hottest[usual]) // 2]),
        None if begins is None else steps[begins] * step_seconds,
        tuple(_relapses(alone, step_seconds)),
    )


def _relapses(steps: list[int], step_seconds: float) -> Iterator[Relapse]:
    """Runs of steps, as times."""
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
    """What was simulated of one table: how its writes and its reads lie on the nodes, and how it grows.

    ``rows`` and ``bytes`` are what it has in the end, ``hottest`` is its hottest tablet, ``firm`` are its bounds.
    """

    workload: Workload
    writes: Spread | None
    reads: Spread | None
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
        """The bound of one of these kinds that takes the largest share of the writes."""
        return max((one for one in self.firm if one.bound in kinds), key=lambda one: one.share, default=None)


@frozen
class Need:
    """How many nodes are needed: for the load at its peak, if it were spread evenly, and for the storage of a year."""

    load: int
    storage: int

    @property
    def nodes(self) -> int:
        """For both."""
        return max(self.load, self.storage)


@frozen
class Answer:
    """What was simulated of all tables of a cluster together.

    ``load`` is the usual share of what it can do that the hottest node does, ``load_most`` the most. ``p99`` and
    ``p99_most`` are seconds that one of a hundred requests waits at least, ``failed`` is the share of all of them, of all
    of the time, that wait in vain, ``waiting`` seconds of work that lie before the hottest node in the end. ``tablets`` are those in the end; ``splits`` and ``moves`` count all of the time.
    """

    name: str
    nodes: int
    seconds: float
    tables: tuple[TableAnswer, ...]
    writes: Spread | None
    reads: Spread | None
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
        """Events a second at the start, of all tables."""
        return sum(table.workload.writes for table in self.tables)


def answer_of(scenario: Scenario, outcome: Outcome) -> Answer:
    """The figures of an outcome, whose tables are those of the scenario, in its order."""
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
    """The nodes that the documentation advises, if the work were spread evenly."""
    limits, assumptions = outcome.cluster.limits, outcome.cluster.assumptions
    peak = float(outcome.load.sum(axis=1).max())
    stored = sum(one.growth.after["a year"].bytes for one in tables) * assumptions.compression
    return Need(
        max(1, ceil(peak / CPU_THROUGHPUT - 1e-9)),
        max(1, ceil(stored / (limits.storage_bytes * STORAGE_THROUGHPUT) - 1e-9)),
    )


def _failed(outcome: Outcome) -> float:
    """The share of all work, of all of the time, that was given up."""
    work = outcome.load.sum(axis=1)
    return float((outcome.failed * work).sum() / work.sum()) if work.any() else 0.0


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


# A quarter of an hour of a day.
_MOMENTS = 96


def over_time(outcome: Outcome) -> dict[str, list[float]]:
    """The shares of the hottest node, its load and the wait, at moments that lie evenly in the time."""
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
    """The largest share of a node in each step; 0 where nothing comes."""
    sums: NDArray[np.float64] = rates.sum(axis=1)
    most: NDArray[np.float64] = rates.max(axis=1)
    return most / np.where(sums > 0, sums, 1.0)
