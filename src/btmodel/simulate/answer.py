"""The result of a simulation: load, its spread over nodes, and growth of each table and of all together."""

from collections.abc import Iterator
from math import ceil
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from btmodel.simulate.alternatives import Scenario
from btmodel.simulate.cluster.cluster import CPU_THROUGHPUT, STORAGE_THROUGHPUT
from btmodel.simulate.cluster.outcome import BoundKind, Hot, LoadBound, Outcome, TableOutcome
from btmodel.simulate.table_growth import Growth, growth_of
from btmodel.simulate.workload import Workload

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


def spread_of(rates: NDArray[np.floating], step_seconds: float) -> LoadSpread | None:
    """The spread of the rates of each step and node, ``(T, N)``; None if there is no load at all."""
    totals = rates.sum(axis=1)
    written = totals > 0
    if not written.any():
        return None
    nodes = rates.shape[1]
    shares = rates[written] / totals[written, None]
    hottest = shares.max(axis=1)
    busy = (shares >= _TAKES_PART / nodes).sum(axis=1)
    apart = hottest < ALONE
    begins = int(apart.argmax()) if apart.any() else None
    steps = written.nonzero()[0].tolist()
    alone = [] if begins is None else [steps[at] for at in range(begins, len(apart)) if not apart[at]]
    return LoadSpread(
        nodes,
        int(usual_value(busy)),
        usual_value(hottest),
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


def usual_value(steps: NDArray[Any]) -> float:
    """The median of a value in the second half of its steps; of two in the middle, the greater one."""
    half = sorted(steps[len(steps) // 2 :].tolist())
    return float(half[len(half) // 2])


@frozen
class TableAnswer:
    """The result for one table: how its writes and reads are spread over the nodes, and how it grows.

    ``rows`` and ``bytes`` are its size at the end, ``hottest`` is its hottest tablet, and ``bounds`` are those of its load.
    """

    workload: Workload
    writes: LoadSpread | None
    reads: LoadSpread | None
    rows: float
    bytes: float
    hottest: Hot
    bounds: tuple[LoadBound, ...]
    growth: Growth

    @property
    def name(self) -> str:
        """The name of the model."""
        return self.workload.model.name

    def bound(self, *kinds: BoundKind) -> LoadBound | None:
        """The bound among these kinds that applies to the largest share of the writes."""
        return max((one for one in self.bounds if one.kind in kinds), key=lambda one: one.share, default=None)


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
    step = outcome.step_seconds
    return Answer(
        scenario.name,
        int(outcome.nodes[-1]),
        len(outcome.seconds) * step,
        tables,
        spread_of(outcome.node_writes, step),
        spread_of(outcome.node_reads, step),
        load=usual_value(hottest),
        load_most=float(hottest.max()),
        p99=usual_value(outcome.p99),
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
        bounds=tuple(one for one in outcome.bounds if (one.table, one.model) == (table.table, table.model)),
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


# The most moments of a line: of a day, one every quarter of an hour.
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
