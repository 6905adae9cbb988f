"""The intervals of all tables of a cluster, one table after the other."""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import field, frozen

from btmodel.errors import SimulationRefused
from btmodel.simulate.arrays import Array, Index
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.limits import ROW_BYTES
from btmodel.simulate.keyspace import Traffic


def _fitting(instance: object, attribute: object, tables: Sequence[Traffic]) -> None:
    if len({(one.pace.steps, one.pace.step_seconds) for one in tables}) != 1:
        raise SimulationRefused("wanted at least one table, and the same steps of time for all")


@frozen(slots=False, eq=False)
class Space:
    """The key spaces of ``tables``, and what an operation costs, as a share of a node for a second.

    ``write_cost`` is that of an event of each interval, ``read_costs`` of a row of each reading of each table.
    """

    tables: Sequence[Traffic] = field(validator=_fitting)
    first: Index
    write_cost: Array
    read_costs: Sequence[Sequence[float]]

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return self.tables[0].pace.steps

    @property
    def step_seconds(self) -> float:
        """How long a step is."""
        return self.tables[0].pace.step_seconds

    @property
    def intervals(self) -> int:
        """How many intervals there are."""
        return len(self.write_cost)

    def part(self, table: int) -> slice:
        """The intervals of one table."""
        end = self.first[table + 1] if table + 1 < len(self.first) else self.intervals
        return slice(int(self.first[table]), int(end))

    def all(self, of: Callable[[Traffic], Array]) -> Array:
        """A value of the intervals of each table, one behind the other."""
        return np.concatenate([of(one) for one in self.tables])

    def new_bytes(self, step: int, rows: Array) -> Array:
        """New bytes of each interval in the whole step, of which the new rows are known."""
        parts = [one.new_bytes(step, rows[self.part(at)]) for at, one in enumerate(self.tables)]
        return np.concatenate(parts)

    def reads(self, step: int, rows: Array) -> tuple[Array, Array]:
        """Rows read a second of each interval, and what they cost, as a share of a node."""
        read, work = np.zeros(self.intervals), np.zeros(self.intervals)
        for at, one in enumerate(self.tables):
            part = self.part(at)
            for cost, rates in zip(self.read_costs[at], one.reads(step, rows[part]), strict=True):
                read[part] += rates
                work[part] += rates * cost
        return read, work


def space_of(cluster: Cluster, tables: Sequence[Traffic]) -> Space:
    """The key spaces of these tables on a cluster. Raises :class:`SimulationRefused` where their steps differ."""
    counts = [len(one.intervals) for one in tables]
    writes = [_cost(cluster, one.event_bytes) / cluster.limits.writes for one in tables]
    reads = [[_read_cost(cluster, one.row_bytes, reading.each) for reading in one.readings] for one in tables]
    first = np.concatenate(([0], np.cumsum(counts)))[:-1].astype(np.int64)
    return Space(tables, first, np.repeat(writes, counts), reads)


def _read_cost(cluster: Cluster, size: float, each: float) -> float:
    """What one row costs, of a request for so many: the first is found, and the others are scanned."""
    found = _cost(cluster, size) / cluster.limits.reads
    scanned = min(found, size / cluster.limits.scan_bytes)
    return (found + (each - 1) * scanned) / each


def _cost(cluster: Cluster, size: float) -> float:
    """What an operation on so many bytes costs, over one on a row of 1 KB."""
    return float(max(1.0, size / ROW_BYTES) ** cluster.assumptions.larger_rows)
