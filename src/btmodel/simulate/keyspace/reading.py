"""Where reads go: to the keys that are written, of the time that their query asks for."""

from math import inf

import numpy as np
from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.schema import Query
from btmodel.simulate.arrays import Array
from btmodel.simulate.keyspace.pace import Pace
from btmodel.simulate.workload import Reads, Workload


@frozen
class Reading:
    """Rows read a second (``rate``), of which a request reads ``each``.

    They lie evenly in the last ``window`` seconds of what was written; those of a ``scan`` anywhere.
    """

    rate: float
    each: float
    window: float
    scan: bool

    def rows(self, step: int, pace: Pace, share: Array, begin: Array, end: Array, rows: Array) -> Array:
        """Rows read a second of each interval, which is written to from ``begin`` to ``end`` and has so many rows by now."""
        if self.scan and rows.any():
            weights = rows
        else:
            now = (step + 1) * pace.step_seconds
            first = now - max(self.window, pace.step_seconds)
            first = max(first, -pace.history) if pace.history else max(first, 0.0)
            weights = share * np.clip(np.minimum(end, now) - np.maximum(begin, first), 0.0, None)
        found: Array = self.rate * weights / max(float(weights.sum()), 1e-300)
        return found


def readings(workload: Workload, pace: Pace) -> list[Reading]:
    """The reads of a workload."""
    return [_reading(workload, reads) for reads in workload.reads]


def _reading(workload: Workload, reads: Reads) -> Reading:
    query = workload.model.query(reads.query)
    return Reading(
        reads.per_second * reads.rows, max(1.0, reads.rows), _window(workload, query), query.scan is not None
    )


def _window(workload: Workload, query: Query) -> float:
    """The seconds before now that a query reads: of a time without a span the newest, without a time everything."""
    named = {query.between, *query.equal}
    if query.span is not None:
        return query.span.total_seconds()
    times = {part.name for part in workload.model.key.fields if part.codec.kind is Kind.TIME}
    return 0.0 if query.newest or times & named else inf
