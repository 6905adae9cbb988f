"""The recorded load of a simulated cluster."""

from collections.abc import Iterator, Sequence
from enum import Enum
from math import ceil

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from btmodel.simulate.arrays import Array, Index
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.keyspace import IntervalKind, Traffic
from btmodel.simulate.picture.heat import Heat

# Smaller shares of a table's writes are not reported.
_LEAST = 0.01
_STEPS = 16


class BoundKind(Enum):
    """Why a load cannot be divided."""

    ROW = "one row is served by one node at a time"
    TAIL = "one growing end is served by one node at a time"
    SMALL = "a table of less than a few GB is served by one node"


@frozen
class LoadBound:
    """A bound on one table: ``share`` of its writes go to one place, and so to one node at a time.

    ``what`` gives the fields of that place, ``user=anna``; it is empty for a table that grows at its end. ``grows``
    is the field of a growing end that is new with each event. ``events`` are the events per second at that place in
    the busiest step, and ``of_node`` is what they need as a share of a node's capacity: above 1, no number of nodes
    helps. ``places`` is how many such places take all writes of the table; None if other writes can be divided.
    ``until`` is the second up to which the bound holds.
    """

    kind: BoundKind
    table: str
    model: str
    share: float
    events: float
    of_node: float
    what: str
    grows: str | None
    places: int | None
    until: float


def load_bounds(traffic: Traffic, cost: float, small_until: float) -> Iterator[LoadBound]:
    """The bounds of a table with a cost of ``cost`` nodes per write, which is small for so many seconds."""
    table, model = traffic.workload.model.table, traffic.workload.model.name
    rate = float(traffic.pace.rate.max())
    for bound, kind in ((BoundKind.ROW, IntervalKind.ROW), (BoundKind.TAIL, IntervalKind.TAIL)):
        of_kind = np.array([one is kind for one in traffic.kinds])
        largest = max(_steps(traffic), key=lambda step: _largest(traffic, step, of_kind))
        share = _largest(traffic, largest, of_kind)
        if share >= _LEAST:
            active = traffic.counting.share * traffic.active(largest) * of_kind
            places = int(np.count_nonzero(active)) if active.sum() > 1 - 1e-9 else None
            yield LoadBound(
                bound,
                table,
                model,
                share,
                share * rate,
                share * rate * cost,
                *_hottest_place(traffic, active),
                places,
                traffic.pace.end,
            )
    if small_until > 0:
        rate = float(traffic.pace.rate[: ceil(small_until / traffic.pace.step_seconds)].max())
        yield LoadBound(BoundKind.SMALL, table, model, 1.0, rate, rate * cost, "", None, 1, small_until)


def _hottest_place(traffic: Traffic, active: Array) -> tuple[str, str | None]:
    """The fields of the place with the most writes, and the field by which it grows."""
    largest = int(np.argmax(active))
    texts = traffic.texts(largest)
    if traffic.kinds[largest] is IntervalKind.ROW:
        return traffic.label(largest), None
    pairs = [f"{name}={text}" for name, text in zip(traffic.fields, texts[:-1], strict=False)]
    return " ".join(pairs), traffic.fields[len(texts) - 1]


def _steps(traffic: Traffic) -> list[int]:
    return sorted({int(at) for at in np.linspace(0, traffic.pace.steps - 1, _STEPS)})


def _largest(traffic: Traffic, step: int, of_kind: Array) -> float:
    return float((traffic.counting.share * traffic.active(step) * of_kind).max())


@frozen
class Hot:
    """The tablet that needed the largest share of a node: when, how much, and with which keys.

    ``load`` is a share of a node's capacity, ``share`` its part of all operations on its table. ``low`` is its first
    key, and ``high`` the first key behind it; None at the end of the table. ``first`` and ``last`` give the fields of
    the first keys of its first and its last written interval.
    """

    seconds: float
    load: float
    share: float
    low: bytes
    high: bytes | None
    first: str
    last: str


@frozen(eq=False)
class TableOutcome:
    """The outcome of one table: its events and rows per second on each node in each step, and its size.

    ``tablets`` counts those that its size requires, even if the simulation does not distinguish so many.
    """

    table: str
    model: str
    node_writes: NDArray[np.float32] = field(repr=False)
    node_reads: NDArray[np.float32] = field(repr=False)
    rows: Array = field(repr=False)
    bytes: Array = field(repr=False)
    tablets: Array = field(repr=False)
    hottest: Hot


@frozen(eq=False)
class Outcome:
    """The outcome of a cluster in ``T`` steps, which begin at ``seconds``, on ``N`` nodes.

    ``node_writes`` and ``node_reads`` (T, N) are the events and rows per second sent to each node, processed or not.
    ``load`` (T, N) is what they need, as a share of a node's capacity, and ``backlog`` (T, N) the seconds of work
    queued at the end of each step. ``p99`` (T,) is the latency in seconds that 99 of 100 requests do not exceed, and
    ``failed`` (T,) the share of requests that time out. ``nodes`` (T,) is the number of nodes. ``tablets``,
    ``splits``, ``merges`` and ``moves`` (T,) count all tables.
    """

    cluster: Cluster
    step_seconds: float
    seconds: Array = field(repr=False)
    nodes: Index = field(repr=False)
    node_writes: Array = field(repr=False)
    node_reads: Array = field(repr=False)
    load: Array = field(repr=False)
    backlog: Array = field(repr=False)
    p99: Array = field(repr=False)
    failed: Array = field(repr=False)
    tablets: Index = field(repr=False)
    splits: Index = field(repr=False)
    merges: Index = field(repr=False)
    moves: Index = field(repr=False)
    tables: Sequence[TableOutcome]
    heat: Sequence[Heat] = field(repr=False)
    bounds: Sequence[LoadBound]
