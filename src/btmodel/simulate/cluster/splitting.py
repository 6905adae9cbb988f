"""Where tablets are split and merged. A split lies between two intervals: what one of them takes stays together."""

import numpy as np

from btmodel.simulate.arrays import Array, Index
from btmodel.simulate.cluster.assumptions import Assumptions
from btmodel.simulate.cluster.tablets import Tablets

# A split that leaves more than this of the load in one half helps nobody.
HELPS = 0.95


def by_load(tablets: Tablets, load: Array, now: float, seconds: float, assumptions: Assumptions) -> Index:
    """The intervals at which hot tablets are split, so that both halves have about as much load; ``seconds`` have gone by."""
    sums = tablets.sums(load)
    tablets.hot = np.where(sums > assumptions.split_load, tablets.hot + seconds, 0.0)
    ripe = (tablets.hot >= assumptions.split_after) & (now - tablets.born >= assumptions.split_age)
    return halves(tablets, load, np.flatnonzero(ripe), HELPS)


def by_size(tablets: Tablets, size: Array, most: float) -> Index:
    """The intervals at which tablets of more than ``most`` bytes are split, so that both halves have about as many."""
    return halves(tablets, size, np.flatnonzero(tablets.sums(size) > most), 1 - 1e-9)


def halves(tablets: Tablets, values: Array, which: Index, helps: float) -> Index:
    """The middles of these tablets by a value of their intervals, where no half has more than ``helps`` of it."""
    ends = tablets.ends
    found: list[int] = []
    for one in which[ends[which] - tablets.starts[which] > 1]:
        start, end = tablets.starts[one], ends[one]
        sums = np.cumsum(values[start:end])
        middle = int(np.searchsorted(sums, sums[-1] / 2))
        cuts = [cut for cut in (middle, middle + 1) if 0 < cut < end - start]
        larger = [max(sums[cut - 1], sums[-1] - sums[cut - 1]) for cut in cuts]
        if larger and min(larger) <= helps * sums[-1]:
            found.append(int(start) + cuts[int(np.argmin(larger))])
    return np.array(found, dtype=np.int64)


def to_merge(tablets: Tablets, size: Array, now: float, assumptions: Assumptions) -> Index:
    """Tablets that become part of the one in front of them: both small, cold, of one table and there for a while."""
    cold = (tablets.known < assumptions.merge_load) & (now - tablets.born >= assumptions.merge_after)
    sizes = tablets.sums(size)
    fit = cold[1:] & cold[:-1] & (tablets.table[1:] == tablets.table[:-1])
    fit &= sizes[1:] + sizes[:-1] < assumptions.split_bytes / 2
    found: list[int] = []
    for one in np.flatnonzero(fit) + 1:
        # No tablet takes part twice.
        if not found or one - found[-1] > 1:
            found.append(int(one))
    return np.array(found, dtype=np.int64)
