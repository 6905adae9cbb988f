"""The simulation: time goes in steps, and in each the loads of all tablets and nodes are summed up.

What it takes depends on intervals and steps, and never on the number of events.
"""

from collections.abc import Callable, Sequence

import numpy as np

from btmodel.simulate.arrays import Array, Index, summed
from btmodel.simulate.cluster.balancer import balance
from btmodel.simulate.cluster.beginning import tablets_at_start
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.nodes import asked, queued
from btmodel.simulate.cluster.outcome import Outcome
from btmodel.simulate.cluster.pictured import Pictured
from btmodel.simulate.cluster.records import Records
from btmodel.simulate.cluster.space import Space, space_of
from btmodel.simulate.cluster.splitting import by_load, by_size, to_merge
from btmodel.simulate.keyspace import Traffic

# The balancer knows loads as a moving mean over so many seconds (this project's own figure).
_MEMORY = 300.0


def run(
    cluster: Cluster, tables: Sequence[Traffic], progress: Callable[[float], object] = lambda done: None
) -> Outcome:
    """Simulate these tables on a cluster. ``progress`` is told the share that is done, now and then.

    Raises :class:`SimulationRefused` where the tables are not told in the same steps of time.
    """
    space = space_of(cluster, tables)
    state = _State(cluster, space)
    for step in range(space.steps):
        state.go(step)
        if step % 16 == 0:
            progress(step / space.steps)
    progress(1.0)
    return state.records.outcome([one.heat() for one in state.pictured])


class _State:
    """The cluster at one moment."""

    def __init__(self, cluster: Cluster, space: Space) -> None:
        self.cluster, self.space, self.assumptions = cluster, space, cluster.assumptions
        self.rows = space.all(lambda one: one.before_rows)
        self.size = space.all(lambda one: one.before_bytes) * self.assumptions.compression
        _, reading = space.reads(0, self.rows)
        self.tablets = tablets_at_start(cluster, space, self.size, self._writing(0) + reading)
        self.backlog = np.zeros(cluster.most_nodes)
        self.pictured = [Pictured(one) for one in space.tables]
        self.records = Records(cluster, space)
        self._since_balance = self._since_merge = 0.0

    def go(self, step: int) -> None:
        """One step: load comes, queues and tables grow, tablets are split, merged and moved."""
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
        """What the writes to each interval ask for of a node."""
        return self.space.all(lambda one: one.writes(step)) * self.space.write_cost

    def _serve(self, step: int, reads: Array, writing: Array, reading: Array) -> None:
        """Sum up what comes to each node, and let wait what is too much."""
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
        """Split what is too hot or too large, and merge what is neither."""
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
        """Move tablets to nodes with less to do."""
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
