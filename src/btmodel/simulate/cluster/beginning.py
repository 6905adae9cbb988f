"""The tablets of a cluster at the start: of a new table one, of an older one what its size and its load have made of it."""

import numpy as np

from btmodel.simulate.arrays import Array, Index, Mask, summed
from btmodel.simulate.cluster.balancer import placed
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.space import Space
from btmodel.simulate.cluster.splitting import HELPS, by_size, halves
from btmodel.simulate.cluster.tablets import Tablets

_ROUNDS = 40


def tablets_at_start(cluster: Cluster, space: Space, size: Array, load: Array) -> Tablets:
    """The tablets of tables with so many bytes in each interval, which have had this load for long."""
    count = len(space.tables)
    tables = np.arange(count)
    tablets = Tablets(space.first.copy(), tables, np.zeros(count, dtype=np.int64), space.intervals)
    small = tablets.sums(size) < cluster.assumptions.small_table
    for _ in range(_ROUNDS):
        cuts = np.union1d(
            by_size(tablets, size, cluster.assumptions.split_bytes), _hot(cluster, tablets, load, small)
        )
        if not len(cuts):
            break
        tablets.split(cuts, load, -np.inf)
    tablets.node = _places(cluster, tablets, size, load, small)
    tablets.learn(load, 1.0)
    return tablets


def _hot(cluster: Cluster, tablets: Tablets, load: Array, small: Mask) -> Index:
    """Where those tablets are split that have had too much load, of tables that lie on several nodes."""
    hot = (tablets.sums(load) > cluster.assumptions.split_load) & ~small[tablets.table]
    return halves(tablets, load, np.flatnonzero(hot), HELPS)


def _places(cluster: Cluster, tablets: Tablets, size: Array, load: Array, small: Mask) -> Index:
    """A node for each tablet; those of a small table have one."""
    together = small[tablets.table]
    # What is placed as one: a small table, or a tablet.
    unit = np.unique(np.where(together, -1 - tablets.table, np.arange(len(tablets))), return_inverse=True)[1]
    count = int(unit.max()) + 1
    loads, sizes = summed(unit, tablets.sums(load), count), summed(unit, tablets.sums(size), count)
    found: Index = placed(loads, sizes, cluster.nodes)[unit]
    return found
