"""What came of a simulation."""

from collections.abc import Sequence

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

from btmodel.simulate.arrays import Array, Index
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.firm import Firm
from btmodel.simulate.picture.heat import Heat


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
