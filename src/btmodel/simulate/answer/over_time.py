"""What the hottest node has over time."""

import numpy as np
from numpy.typing import NDArray

from btmodel.simulate.cluster.outcome import Outcome

# A quarter of an hour of a day.
_MOMENTS = 96


def over_time(outcome: Outcome) -> dict[str, list[float]]:
    """The shares of the hottest node, its load and the wait, at moments that lie evenly in the time."""
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
    """The largest share of a node in each step; 0 where nothing comes."""
    sums: NDArray[np.float64] = rates.sum(axis=1)
    most: NDArray[np.float64] = rates.max(axis=1)
    return most / np.where(sums > 0, sums, 1.0)
