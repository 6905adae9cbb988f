"""The recorded load of a simulated cluster."""

from collections.abc import Iterator, Sequence
from enum import Enum
from math import ceil

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from btmodel.simulate.arrays import Array, Index
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.keyspace import Kind, Traffic
from btmodel.simulate.picture.heat import Heat

# A smaller share of a table's writes is not worth a word.
_LEAST = 0.01
_STEPS = 16


class Bound(Enum):
    """Why load cannot be divided."""

    ROW = "one row is served by one node at a time"
    TAIL = "one growing end is served by one node at a time"
    SMALL = "a table of less than a few GB is served by one node"


@frozen
class Firm:
    """A bound on one table. ``share`` of its writes come to one place, which is at most one node at a time.

    ``what`` tells the fields of that place, ``user=anna``: none of a table that grows at its end. ``grows`` is the field of a
    growing end that is new with each event. ``events`` are those a second that come there in the busiest step, and ``of_node``
    what they ask for, as a share of what a node can do: above 1, no number of nodes helps. ``places`` is how many such places take all writes of the table; None
    where others can be divided. ``until`` is the second up to which it holds.
    """

    bound: Bound
    table: str
    model: str
    share: float
    events: float
    of_node: float
    what: str
    grows: str | None
    places: int | None
    until: float


def firm(traffic: Traffic, cost: float, small_until: float) -> Iterator[Firm]:
    """The bounds of a table, of which a write costs ``cost`` of a node and which is small for so many seconds."""
    table, model = traffic.workload.model.table, traffic.workload.model.name
    rate = float(traffic.pace.rate.max())
    for bound, kind in ((Bound.ROW, Kind.ROW), (Bound.TAIL, Kind.TAIL)):
        of_kind = np.array([one is kind for one in traffic.kinds])
        largest = max(_steps(traffic), key=lambda step: _largest(traffic, step, of_kind))
        share = _largest(traffic, largest, of_kind)
        if share >= _LEAST:
            active = traffic.counting.share * traffic.active(largest) * of_kind
            places = int(np.count_nonzero(active)) if active.sum() > 1 - 1e-9 else None
            yield Firm(
                bound,
                table,
                model,
                share,
                share * rate,
                share * rate * cost,
                *_told(traffic, active),
                places,
                traffic.pace.end,
            )
    if small_until > 0:
        rate = float(traffic.pace.rate[: ceil(small_until / traffic.pace.step_seconds)].max())
        yield Firm(Bound.SMALL, table, model, 1.0, rate, rate * cost, "", None, 1, small_until)


def _told(traffic: Traffic, active: Array) -> tuple[str, str | None]:
    """The fields of the place that takes most, and the one by which it grows."""
    largest = int(np.argmax(active))
    texts = traffic.texts(largest)
    if traffic.kinds[largest] is Kind.ROW:
        return traffic.label(largest), None
    pairs = [f"{name}={text}" for name, text in zip(traffic.fields, texts[:-1], strict=False)]
    return " ".join(pairs), traffic.fields[len(texts) - 1]


def _steps(traffic: Traffic) -> list[int]:
    return sorted({int(at) for at in np.linspace(0, traffic.pace.steps - 1, _STEPS)})


def _largest(traffic: Traffic, step: int, of_kind: Array) -> float:
    return float((traffic.counting.share * traffic.active(step) * of_kind).max())


@frozen
class Hot:
    """The tablet of a table that took most of a node: when, what, and which keys it had.

    ``load`` is a share of what a node can do, ``share`` that of all operations on its table. ``low`` is its first key, ``high``
    the first key behind it, or None at the end of the table; ``first`` and ``last`` tell the fields of its first
    interval's first key, and of its last written one's.
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
    """One table: what came from it to each node in each step, in events and rows a second, and what it grew to.

    ``tablets`` counts those that its size asks for, also where the simulation tells fewer apart.
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
    """What a cluster did, in ``T`` steps that begin at ``seconds``, on ``N`` nodes.

    ``node_writes`` and ``node_reads`` (T, N) are events and rows a second that came to each node, whether it managed them or
    not; ``load`` what they ask for, as a share of what the node can do; ``backlog`` the seconds of work that wait at the end of
    each step; ``p99`` (T,) the seconds within which 99 of 100 requests are answered; ``failed`` (T,) the share of all requests
    that waited for longer than anybody does. ``nodes`` (T,) is how many there are. ``tablets``, ``splits``,
    ``merges`` and ``moves`` (T,) are of all tables.
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
    firm: Sequence[Firm]

    @property
    def hottest_share(self) -> Array:
        """The share of all work that comes to the node with the most of it, in each step (T,)."""
        found: Array = self.load.max(axis=1) / np.maximum(self.load.sum(axis=1), 1e-300)
        return found
