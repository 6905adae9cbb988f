"""The engine: computes the load of every tablet and node, step by step.

Its running time depends on the number of intervals and steps, never on the number of events.
"""

from collections.abc import Callable, Sequence
from math import log

import numpy as np
from attrs import define, frozen
from numpy.typing import NDArray

from btmodel.simulate.arrays import Array, Index, summed
from btmodel.simulate.cluster.cluster import Assumptions, Cluster
from btmodel.simulate.cluster.outcome import Hot, Outcome, TableOutcome, load_bounds
from btmodel.simulate.cluster.tablets import (
    Space,
    Tablets,
    balance,
    by_load,
    by_size,
    space_of,
    tablets_at_start,
    to_merge,
)
from btmodel.simulate.keyspace import Traffic
from btmodel.simulate.picture.heat import BUCKETS, Heat


@frozen(eq=False)
class Queues:
    """``backlog`` is the seconds of work queued at each node, ``failed`` the share of all work that timed out."""

    backlog: Array
    failed: float


def asked(writes: Array, reads: Array, mixed: float) -> Array:
    """The share of a node that writes and reads need together, from what each needs alone."""
    both = writes + reads
    # All of the factor where they are equal, nothing where there is only one kind.
    evenly = 4 * writes * reads / np.maximum(both**2, 1e-300)
    found: Array = both * (1 + (mixed - 1) * evenly)
    return found


def queued(before: Array, load: Array, seconds: float, assumptions: Assumptions) -> Queues:
    """The queues after a step with this load: work beyond the capacity of a node is queued until it times out."""
    backlog = np.maximum(before + (load - 1) * seconds, 0.0)
    late = np.maximum(backlog - assumptions.patience, 0.0)
    work = float(load.sum()) * seconds
    return Queues(backlog - late, min(1.0, float(late.sum()) / work) if work else 0.0)


_ROUNDS = 60
# The queue of a node at exactly full load grows without limit, but takes forever to do so.
_FULLEST = 0.99
_SLOWER = 1 - 0.99  # the share of requests that take longer


def percentile(load: Array, backlog: Array, requests: Array, service: float) -> Array:
    """The latency in seconds that 99 % of all requests of a step do not exceed, from steps by nodes.

    A request waits for the backlog of its node, and then as in a queue with random arrivals (M/M/1), where the mean
    time is ``service / (1 - load)``.
    """
    means = service / (1 - np.minimum(load, _FULLEST))
    weights = requests / np.maximum(requests.sum(axis=1, keepdims=True), 1e-300)
    low = np.zeros(len(load))
    high = backlog.max(axis=1) + means.max(axis=1) * -log(_SLOWER) * 2
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        late = np.exp(-np.maximum(middle[:, None] - backlog, 0.0) / means)
        enough = (weights * late).sum(axis=1) <= _SLOWER
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(requests.sum(axis=1) > 0, high, 0.0)


@define
class _Hottest:
    """The tablet with the highest load so far: its step, load, share of its table, and intervals."""

    step: int = 0
    load: float = -1.0
    share: float = 0.0
    start: int = 0
    end: int = 1


class Records:
    """Arrays over steps, filled one step after the other."""

    def __init__(self, cluster: Cluster, space: Space) -> None:
        self._cluster, self._space = cluster, space
        steps, nodes, tables = space.steps, cluster.most_nodes, len(space.tables)
        self._writes = np.zeros((tables, steps, nodes), dtype=np.float32)
        self._reads = np.zeros((tables, steps, nodes), dtype=np.float32)
        self._load, self._backlog = np.zeros((steps, nodes)), np.zeros((steps, nodes))
        self._failed = np.zeros(steps)
        self._rows, self._bytes, self._wanted = (np.zeros((tables, steps)) for _ in range(3))
        self._tablets, self.splits, self.merges, self.moves = (
            np.zeros(steps, dtype=np.int64) for _ in range(4)
        )
        self._hottest = [_Hottest() for _ in range(tables)]

    def served(
        self, step: int, tablets: Tablets, writes: Array, reads: Array, load: Array, queues: Queues
    ) -> None:
        """Record the load of the nodes."""
        tables, nodes = len(self._space.tables), len(load)
        place = tablets.table * nodes + tablets.node
        for found, rates in ((self._writes, writes), (self._reads, reads)):
            sums = summed(place, tablets.sums(rates), tables * nodes)
            found[:, step, :] = sums.reshape(tables, nodes)
        self._load[step], self._backlog[step] = load, queues.backlog
        self._failed[step] = queues.failed

    def heated(self, step: int, tablets: Tablets, load: Array) -> None:
        """Record which tablet is the hottest of its table."""
        loads, ends = tablets.sums(load), tablets.ends
        first = np.searchsorted(tablets.table, np.arange(len(self._hottest)))
        for known, start, end in zip(self._hottest, first, [*first[1:], len(tablets)], strict=True):
            one = int(start + np.argmax(loads[start:end]))
            # The first of several that are about equally hot.
            if loads[one] > known.load * 1.001:
                share = float(loads[one] / max(loads[start:end].sum(), 1e-300))
                known.step, known.load, known.share = step, float(loads[one]), share
                known.start, known.end = int(tablets.starts[one]), int(ends[one])

    def grown(self, step: int, rows: Array, size: Array, tablets: Tablets) -> None:
        """Record the size of the tables."""
        self._rows[:, step] = np.add.reduceat(rows, self._space.first)
        self._bytes[:, step] = np.add.reduceat(size, self._space.first)
        wanted = np.maximum(np.ceil(tablets.sums(size) / self._cluster.assumptions.split_bytes), 1.0)
        self._wanted[:, step] = summed(tablets.table, wanted, len(self._space.tables))
        self._tablets[step] = len(tablets)

    def outcome(self, heat: Sequence[Heat]) -> Outcome:
        """The outcome, once all steps are recorded."""
        seconds = np.arange(self._space.steps, dtype=np.float64) * self._space.step_seconds
        writes, reads = self._writes.sum(axis=0, dtype=float), self._reads.sum(axis=0, dtype=float)
        service = self._cluster.assumptions.service
        return Outcome(
            cluster=self._cluster,
            step_seconds=self._space.step_seconds,
            seconds=seconds,
            nodes=np.array([self._cluster.nodes_at(at) for at in seconds]),
            node_writes=writes,
            node_reads=reads,
            load=self._load,
            backlog=self._backlog,
            p99=percentile(self._load, self._backlog, writes + reads, service),
            failed=self._failed,
            tablets=self._tablets,
            splits=self.splits,
            merges=self.merges,
            moves=self.moves,
            tables=[self._table(at) for at in range(len(self._space.tables))],
            heat=heat,
            bounds=[
                bound
                for at, traffic in enumerate(self._space.tables)
                for bound in load_bounds(traffic, self._cost(at), self._small_for(at))
            ],
        )

    def _table(self, at: int) -> TableOutcome:
        model = self._space.tables[at].workload.model
        return TableOutcome(
            model.table,
            model.name,
            self._writes[at],
            self._reads[at],
            self._rows[at],
            self._bytes[at],
            self._wanted[at],
            self._hot(at),
        )

    def _hot(self, at: int) -> Hot:
        known, traffic = self._hottest[at], self._space.tables[at]
        first = int(self._space.first[at])
        start, end = known.start - first, known.end - first
        written = start + np.flatnonzero(traffic.active(known.step)[start:end])
        ends = (int(written[0]), int(written[-1])) if len(written) else (start, start)
        return Hot(
            known.step * self._space.step_seconds,
            known.load,
            known.share,
            traffic.low[start],
            traffic.low[end] if end < len(traffic.low) else None,
            *map(traffic.label, ends),
        )

    def _cost(self, at: int) -> float:
        return float(self._space.write_cost[self._space.first[at]])

    def _small_for(self, at: int) -> float:
        """The time in seconds for which a table is small."""
        small = self._bytes[at] < self._cluster.assumptions.small_table
        return float(np.count_nonzero(small)) * self._space.step_seconds


class Pictured:
    """Collects the rates of one table for buckets of its intervals."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        rows = traffic.before_rows + sum(traffic.new_rows(step) for step in range(traffic.pace.steps))
        self._starts = _buckets(rows)
        self._rows = np.add.reduceat(rows, self._starts)
        shape = (len(self._starts), traffic.pace.steps)
        self._writes: NDArray[np.float32] = np.zeros(shape, dtype=np.float32)
        self._reads: NDArray[np.float32] = np.zeros(shape, dtype=np.float32)

    def add(self, step: int, writes: Array, reads: Array) -> None:
        """Add the rates of a step for each interval."""
        self._writes[:, step] = np.add.reduceat(writes, self._starts)
        self._reads[:, step] = np.add.reduceat(reads, self._starts)

    def heat(self) -> Heat:
        """The heat map."""
        traffic = self._traffic
        starts: Sequence[int] = self._starts.tolist()
        return Heat(
            traffic.workload.model.table,
            traffic.workload.start,
            traffic.pace.step_seconds,
            [traffic.low[at] for at in starts],
            [traffic.texts(at) for at in starts],
            traffic.fields,
            self._writes,
            self._reads,
            self._rows,
        )


def _buckets(rows: Array) -> Index:
    """The first interval of each of at most ``most`` buckets, which have about equally many rows."""
    weights = rows if rows.sum() > 0 else np.ones(len(rows))
    middles = np.cumsum(weights) - weights / 2
    bucket = np.minimum((middles / weights.sum() * BUCKETS).astype(np.int64), BUCKETS - 1)
    return np.flatnonzero(np.diff(bucket, prepend=-1))


# The balancer knows loads as a moving mean over so many seconds (this project's own figure).
_MEMORY = 300.0


def run(
    cluster: Cluster, tables: Sequence[Traffic], progress: Callable[[float], object] = lambda done: None
) -> Outcome:
    """Simulate these tables on a cluster; ``progress`` is called now and then with the finished share.

    Raises :class:`SimulationRefused` if the tables do not have the same time steps.
    """
    space = space_of(cluster, tables)
    state = _ClusterState(cluster, space)
    for step in range(space.steps):
        state.go(step)
        if step % 16 == 0:
            progress(step / space.steps)
    progress(1.0)
    return state.records.outcome([one.heat() for one in state.pictured])


class _ClusterState:
    """The state of the cluster at one moment."""

    def __init__(self, cluster: Cluster, space: Space) -> None:
        self.cluster, self.space, self.assumptions = cluster, space, cluster.assumptions
        self.rows = space.all(lambda one: one.before_rows)
        self.size = space.all(lambda one: one.before_bytes) * self.assumptions.compression
        _, reading = space.reads(0, self.rows)
        self.tablets = tablets_at_start(cluster, space, self.size, self._writing(0) + reading)
        self.backlog = np.zeros(cluster.most_nodes)
        self.pictured = [Pictured(traffic) for traffic in space.tables]
        self.records = Records(cluster, space)
        self._since_balance = self._since_merge = 0.0

    def go(self, step: int) -> None:
        """Simulate one step: load arrives, queues and tables grow, and tablets are split, merged and moved."""
        writing = self._writing(step)
        reads, reading = self.space.reads(step, self.rows)
        self._serve(step, reads, writing, reading)
        rows = self.space.all(lambda one: one.new_rows(step))
        self.rows += rows
        self.size += self.space.new_bytes(step, rows) * self.assumptions.compression
        self.records.grown(step, self.rows, self.size, self.tablets)
        load = writing + reading
        # A moving mean, which a step that is longer than the memory replaces.
        self.tablets.learn(load, min(1.0, self.space.step_seconds / _MEMORY))
        now = (step + 1) * self.space.step_seconds
        self._divide(step, load, now)
        self._even_out(step, now)

    def _writing(self, step: int) -> Array:
        """The load that the writes to each interval put on a node."""
        return self.space.all(lambda one: one.writes(step)) * self.space.write_cost

    def _serve(self, step: int, reads: Array, writing: Array, reading: Array) -> None:
        """Sum up the load of each node, and queue what exceeds its capacity."""
        count, node = self.cluster.most_nodes, self.tablets.node
        parts = [summed(node, self.tablets.sums(some), count) for some in (writing, reading)]
        load = asked(parts[0], parts[1], self.assumptions.mixed)
        queues = queued(self.backlog, load, self.space.step_seconds, self.assumptions)
        self.backlog = queues.backlog
        writes = self.space.all(lambda one: one.writes(step))
        self.records.served(step, self.tablets, writes, reads, load, queues)
        self.records.heated(step, self.tablets, writing + reading)
        for at, one in enumerate(self.pictured):
            part = self.space.part(at)
            one.add(step, writes[part], reads[part])

    def _divide(self, step: int, load: Array, now: float) -> None:
        """Split tablets that are too hot or too large, and merge those that are small and cold."""
        hot = by_load(self.tablets, load, now, self.space.step_seconds, self.assumptions)
        large = by_size(self.tablets, self.size, self.assumptions.split_bytes)
        cuts: Index = np.union1d(hot, large)
        self.tablets.split(cuts, load, now)
        self.records.splits[step] = len(cuts)
        self._since_merge += self.space.step_seconds
        if self._since_merge >= self.assumptions.merge_after:
            self._since_merge = 0.0
            gone = to_merge(self.tablets, self.size, now, self.assumptions)
            self.tablets.merge(gone, now)
            self.records.merges[step] = len(gone)

    def _even_out(self, step: int, now: float) -> None:
        """Move tablets to nodes with less load."""
        self._since_balance += self.space.step_seconds
        periods = int(self._since_balance / self.assumptions.balance_every)
        self._since_balance -= periods * self.assumptions.balance_every
        nodes = self.cluster.nodes_at(now)
        tables = np.add.reduceat(self.size, self.space.first)
        free = tables[self.tablets.table] >= self.assumptions.small_table
        load, size = self.tablets.known, self.tablets.sums(self.size)
        for _ in range(periods):
            moves = balance(self.tablets.node, nodes, load, size, free, self.assumptions)
            self.tablets.node = moves.node
            self.records.moves[step] += moves.made
            if not moves.made:
                break
