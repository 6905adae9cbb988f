"""The result of a simulation: load, spread and growth of each table and of all together."""

from math import ceil

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from btmodel.simulate.alternatives import Scenario
from btmodel.simulate.cluster.cluster import CPU_THROUGHPUT, STORAGE_THROUGHPUT
from btmodel.simulate.cluster.outcome import BoundKind, Hot, LoadBound, Outcome, TableOutcome
from btmodel.simulate.load_spread import LoadSpread, spread_of, usual_value
from btmodel.simulate.table_growth import Growth, growth_of
from btmodel.simulate.workload import Workload


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
