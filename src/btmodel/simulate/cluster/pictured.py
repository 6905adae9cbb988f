"""The heat map of a table: buckets of about equal row count, and what came to each in each step."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from btmodel.simulate.arrays import Array, Index
from btmodel.simulate.keyspace import Traffic
from btmodel.simulate.picture.heat import BUCKETS, Heat


class Pictured:
    """Gathers the rates of one table, of buckets of its intervals."""

    def __init__(self, traffic: Traffic) -> None:
        self._traffic = traffic
        rows = traffic.before_rows + sum(traffic.new_rows(step) for step in range(traffic.pace.steps))
        self._starts = _buckets(rows)
        self._rows = np.add.reduceat(rows, self._starts)
        shape = (len(self._starts), traffic.pace.steps)
        self._writes: NDArray[np.float32] = np.zeros(shape, dtype=np.float32)
        self._reads: NDArray[np.float32] = np.zeros(shape, dtype=np.float32)

    def add(self, step: int, writes: Array, reads: Array) -> None:
        """The rates of a step, of each interval."""
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
    """The first interval of each bucket, of which there are at most so many, with about as many rows each."""
    weights = rows if rows.sum() > 0 else np.ones(len(rows))
    middles = np.cumsum(weights) - weights / 2
    bucket = np.minimum((middles / weights.sum() * BUCKETS).astype(np.int64), BUCKETS - 1)
    return np.flatnonzero(np.diff(bucket, prepend=-1))
