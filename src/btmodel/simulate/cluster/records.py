"""What is written down in each step of a simulation, and the outcome that is made of it."""

from collections.abc import Sequence

import numpy as np
from attrs import define

from btmodel.simulate.arrays import Array, summed
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.firm import firm
from btmodel.simulate.cluster.latency import percentile
from btmodel.simulate.cluster.nodes import Queues
from btmodel.simulate.cluster.outcome import Hot, Outcome, TableOutcome
from btmodel.simulate.cluster.space import Space
from btmodel.simulate.cluster.tablets import Tablets
from btmodel.simulate.picture.heat import Heat


@define
class _Hottest:
    """The tablet with the most load so far: its step, load, share of its table, and intervals."""

    step: int = 0
    load: float = -1.0
    share: float = 0.0
    start: int = 0
    end: int = 1


class Records:
    """Arrays of steps, filled one step after the other."""

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
        """What came to the nodes."""
        tables, nodes = len(self._space.tables), len(load)
        place = tablets.table * nodes + tablets.node
        for found, rates in ((self._writes, writes), (self._reads, reads)):
            sums = summed(place, tablets.sums(rates), tables * nodes)
            found[:, step, :] = sums.reshape(tables, nodes)
        self._load[step], self._backlog[step] = load, queues.backlog
        self._failed[step] = queues.failed

    def heated(self, step: int, tablets: Tablets, load: Array) -> None:
        """Which tablet is the hottest of its table."""
        loads, ends = tablets.sums(load), tablets.ends
        first = np.searchsorted(tablets.table, np.arange(len(self._hottest)))
        for known, start, end in zip(self._hottest, first, [*first[1:], len(tablets)], strict=True):
            one = int(start + np.argmax(loads[start:end]))
            # Of what is about as hot, the first.
            if loads[one] > known.load * 1.001:
                share = float(loads[one] / max(loads[start:end].sum(), 1e-300))
                known.step, known.load, known.share = step, float(loads[one]), share
                known.start, known.end = int(tablets.starts[one]), int(ends[one])

    def grown(self, step: int, rows: Array, size: Array, tablets: Tablets) -> None:
        """What the tables have grown to."""
        self._rows[:, step] = np.add.reduceat(rows, self._space.first)
        self._bytes[:, step] = np.add.reduceat(size, self._space.first)
        wanted = np.maximum(np.ceil(tablets.sums(size) / self._cluster.assumptions.split_bytes), 1.0)
        self._wanted[:, step] = summed(tablets.table, wanted, len(self._space.tables))
        self._tablets[step] = len(tablets)

    def outcome(self, heat: Sequence[Heat]) -> Outcome:
        """Everything, once all steps are there."""
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
            firm=[
                bound
                for at, one in enumerate(self._space.tables)
                for bound in firm(one, self._cost(at), self._small_for(at))
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
        """The seconds in which a table is small."""
        small = self._bytes[at] < self._cluster.assumptions.small_table
        return float(np.count_nonzero(small)) * self._space.step_seconds
