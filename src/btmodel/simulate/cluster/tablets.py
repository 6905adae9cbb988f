"""Tablets, which are split, merged and balanced over nodes."""

from collections.abc import Callable, Sequence

import numpy as np
from attrs import field, frozen

from btmodel.errors import SimulationRefused
from btmodel.simulate.arrays import Array, Index, Mask, summed
from btmodel.simulate.cluster.cluster import ROW_BYTES, Assumptions, Cluster
from btmodel.simulate.keyspace import Traffic


class Tablets:
    """All tablets of a cluster, in the order of tables and keys.

    ``starts`` has the first interval of each tablet, ``node`` its node, ``table`` its table, ``born`` when it was
    created, ``hot`` for how many seconds its load has been too high, and ``known`` the load that the cluster believes
    it to have: a moving mean.
    """

    def __init__(self, starts: Index, table: Index, node: Index, intervals: int) -> None:
        self.starts, self.table, self.node = starts, table, node
        self.born = np.full(len(starts), -np.inf)
        self.hot = np.zeros(len(starts))
        self.known = np.zeros(len(starts))
        self.intervals = intervals

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def ends(self) -> Index:
        """The interval behind the last one of each tablet."""
        return np.append(self.starts[1:], self.intervals)

    def sums(self, values: Array) -> Array:
        """The sum of a value of intervals, for each tablet."""
        found: Array = np.add.reduceat(values, self.starts)
        return found

    def learn(self, load: Array, part: float) -> None:
        """Mix the current load into the moving mean with weight ``part``."""
        self.known += (self.sums(load) - self.known) * part

    def split(self, at: Index, load: Array, now: float) -> None:
        """Begin a new tablet at each of these intervals, on the same node.

        The known load is divided in proportion to the current load.
        """
        if not len(at):
            return
        whole = self.sums(load)
        at = np.sort(at)
        which = np.searchsorted(self.starts, at, side="right") - 1
        self.born[which], self.hot[which] = now, 0.0
        self.table = np.insert(self.table, which + 1, self.table[which])
        self.node = np.insert(self.node, which + 1, self.node[which])
        self.born = np.insert(self.born, which + 1, now)
        self.hot = np.insert(self.hot, which + 1, 0.0)
        self.starts = np.insert(self.starts, which + 1, at)
        # A tablet may have been split at several places.
        origin = np.repeat(np.arange(len(whole)), 1 + np.bincount(which, minlength=len(whole)))
        even = 1 / np.bincount(origin)[origin]
        shares = np.divide(self.sums(load), whole[origin], out=even, where=whole[origin] > 0)
        self.known = self.known[origin] * shares

    def merge(self, which: Index, now: float) -> None:
        """Merge each of these tablets into the one before it."""
        self.born[which - 1] = now
        self.known[which - 1] += self.known[which]
        for name in ("starts", "table", "node", "born", "hot", "known"):
            setattr(self, name, np.delete(getattr(self, name), which))


# A split that leaves more than this share of the load in one half is useless.
HELPS = 0.95


def by_load(tablets: Tablets, load: Array, now: float, seconds: float, assumptions: Assumptions) -> Index:
    """The intervals at which hot tablets are split into halves of about equal load; ``seconds`` is the length of the step."""
    sums = tablets.sums(load)
    tablets.hot = np.where(sums > assumptions.split_load, tablets.hot + seconds, 0.0)
    ripe = (tablets.hot >= assumptions.split_after) & (now - tablets.born >= assumptions.split_age)
    return halves(tablets, load, np.flatnonzero(ripe), HELPS)


def by_size(tablets: Tablets, size: Array, most: float) -> Index:
    """The intervals at which tablets larger than ``most`` bytes are split into halves of about equal size."""
    return halves(tablets, size, np.flatnonzero(tablets.sums(size) > most), 1 - 1e-9)


def halves(tablets: Tablets, values: Array, which: Index, helps: float) -> Index:
    """The middles of these tablets by a value of their intervals, unless one half has more than ``helps`` of it."""
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
    """The tablets to merge into the one before them: both small, cold, of one table, and not new."""
    cold = (tablets.known < assumptions.merge_load) & (now - tablets.born >= assumptions.merge_after)
    sizes = tablets.sums(size)
    fit = cold[1:] & cold[:-1] & (tablets.table[1:] == tablets.table[:-1])
    fit &= sizes[1:] + sizes[:-1] < assumptions.split_bytes / 2
    found: list[int] = []
    for one in np.flatnonzero(fit) + 1:
        # No tablet is part of two merges.
        if not found or one - found[-1] > 1:
            found.append(int(one))
    return np.array(found, dtype=np.int64)


# Loads below this share of a node are not worth a move.
_LEAST_GAP = 0.005
# A tablet with less than this part of the mean load of a node is cold: it may be moved because of its bytes.
_COLD = 0.01
# A tablet may have at most this part of the difference between two nodes to be moved from one to the other.
_MOST = 0.9


class Moves:
    """Moves tablets between nodes, at most so many for each node; ``node`` has the resulting node of each."""

    def __init__(self, node: Index, nodes: int, load: Array, size: Array, moves: float) -> None:
        self.node, self.made = node.copy(), 0
        self._load, self._size = load, size
        self._loads, self._sizes = summed(node, load, nodes), summed(node, size, nodes)
        count = np.bincount(node, minlength=nodes)
        self._left = np.maximum(1, np.ceil(count * min(moves, 1.0))).astype(int)

    def by_load(self, gap: float, free: Mask) -> None:
        """Move tablets until the loads of no two nodes differ by more than ``gap``, as far as possible."""
        anybody = np.ones(len(self._loads), dtype=bool)
        self._even_out(self._load, self._loads, gap, free, lambda: anybody)

    def by_size(self, gap: float, free: Mask) -> None:
        """Move tablets until the bytes of no two nodes differ by more than ``gap``; busy nodes receive none."""
        mean = float(self._loads.mean())
        self._even_out(self._size, self._sizes, gap, free, lambda: self._loads <= mean)

    def _even_out(self, what: Array, sums: Array, gap: float, free: Mask, takers: Callable[[], Mask]) -> None:
        givers = self._left > 0
        while givers.any():
            high = int(np.argmax(np.where(givers, sums, -np.inf)))
            low = int(np.argmin(np.where(takers(), sums, np.inf)))
            between = sums[high] - sums[low]
            if between <= gap:
                return
            fitting = np.flatnonzero(free & (self.node == high) & (what > 0) & (what < _MOST * between))
            if len(fitting):
                self._move(int(fitting[np.argmin(np.abs(what[fitting] - between / 2))]), high, low)
            givers[high] = len(fitting) > 0 and self._left[high] > 0

    def _move(self, tablet: int, high: int, low: int) -> None:
        self.node[tablet] = low
        for what, sums in ((self._load, self._loads), (self._size, self._sizes)):
            sums[high] -= what[tablet]
            sums[low] += what[tablet]
        self._left[high] -= 1
        self.made += 1


def balance(node: Index, nodes: int, load: Array, size: Array, free: Mask, assumptions: Assumptions) -> Moves:
    """The moves of one period; only ``free`` tablets may be moved."""
    moves = Moves(node, nodes, load, size, assumptions.moves)
    mean = float(load.sum()) / nodes
    moves.by_load(max(assumptions.slack * mean, _LEAST_GAP), free)
    gap = max(assumptions.slack * float(size.sum()) / nodes, 2 * assumptions.split_bytes)
    moves.by_size(gap, free & (load <= _COLD * mean))
    return moves


def placed(load: Array, size: Array, nodes: int) -> Index:
    """The initial placement of the tablets of existing tables: the hottest first, each on the node with the least load."""
    found = np.zeros(len(load), dtype=np.int64)
    loads, sizes = np.zeros(nodes), np.zeros(nodes)
    mean = float(load.mean())
    for one in np.lexsort((-size, -load)).tolist():
        place = int(np.argmin(loads if load[one] > _COLD * mean else sizes))
        found[one] = place
        loads[place] += load[one]
        sizes[place] += size[one]
    return found


def _fitting(instance: object, attribute: object, tables: Sequence[Traffic]) -> None:
    if len({(traffic.pace.steps, traffic.pace.step_seconds) for traffic in tables}) != 1:
        raise SimulationRefused("expected at least one table, and the same steps of time for all")


@frozen(slots=False, eq=False)
class Space:
    """The key spaces of ``tables``, and the cost of operations in node-seconds.

    ``write_cost`` is the cost of an event in each interval, ``read_costs`` the cost of a row for each reading of each
    table.
    """

    tables: Sequence[Traffic] = field(validator=_fitting)
    first: Index
    write_cost: Array
    read_costs: Sequence[Sequence[float]]

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self.tables[0].pace.steps

    @property
    def step_seconds(self) -> float:
        """The length of a step in seconds."""
        return self.tables[0].pace.step_seconds

    @property
    def intervals(self) -> int:
        """The number of intervals."""
        return len(self.write_cost)

    def part(self, table: int) -> slice:
        """The intervals of one table."""
        end = self.first[table + 1] if table + 1 < len(self.first) else self.intervals
        return slice(int(self.first[table]), int(end))

    def all(self, of: Callable[[Traffic], Array]) -> Array:
        """A value of the intervals of all tables, concatenated."""
        return np.concatenate([of(traffic) for traffic in self.tables])

    def new_bytes(self, step: int, rows: Array) -> Array:
        """The new bytes of each interval in the whole step, given its new rows."""
        parts = [traffic.new_bytes(step, rows[self.part(at)]) for at, traffic in enumerate(self.tables)]
        return np.concatenate(parts)

    def reads(self, step: int, rows: Array) -> tuple[Array, Array]:
        """The rows read per second in each interval, and their cost as a share of a node."""
        read, work = np.zeros(self.intervals), np.zeros(self.intervals)
        for at, traffic in enumerate(self.tables):
            part = self.part(at)
            for cost, rates in zip(self.read_costs[at], traffic.reads(step, rows[part]), strict=True):
                read[part] += rates
                work[part] += rates * cost
        return read, work


def space_of(cluster: Cluster, tables: Sequence[Traffic]) -> Space:
    """The key spaces of these tables on a cluster. Raises :class:`SimulationRefused` if their time steps differ."""
    counts = [len(traffic.intervals) for traffic in tables]
    writes = [_cost(cluster, traffic.event_bytes) / cluster.limits.writes for traffic in tables]
    reads = [
        [_read_cost(cluster, traffic.row_bytes, reading.each) for reading in traffic.readings]
        for traffic in tables
    ]
    first = np.concatenate(([0], np.cumsum(counts)))[:-1].astype(np.int64)
    return Space(tables, first, np.repeat(writes, counts), reads)


def _read_cost(cluster: Cluster, size: float, each: float) -> float:
    """The cost per row of a request for so many rows: a lookup of the first row, and a scan of the others."""
    found = _cost(cluster, size) / cluster.limits.reads
    scanned = min(found, size / cluster.limits.scan_bytes)
    return (found + (each - 1) * scanned) / each


def _cost(cluster: Cluster, size: float) -> float:
    """The cost of an operation on so many bytes, relative to a row of 1 KB."""
    return float(max(1.0, size / ROW_BYTES) ** cluster.assumptions.larger_rows)


_ROUNDS = 40


def tablets_at_start(cluster: Cluster, space: Space, size: Array, load: Array) -> Tablets:
    """The tablets of tables with so many bytes in each interval that have had this load for a long time."""
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
    """The points at which overloaded tablets are split, in tables on several nodes."""
    hot = (tablets.sums(load) > cluster.assumptions.split_load) & ~small[tablets.table]
    return halves(tablets, load, np.flatnonzero(hot), HELPS)


def _places(cluster: Cluster, tablets: Tablets, size: Array, load: Array, small: Mask) -> Index:
    """A node for each tablet; the tablets of a small table share one."""
    together = small[tablets.table]
    # The units of placement: small tables, and tablets of others.
    unit = np.unique(np.where(together, -1 - tablets.table, np.arange(len(tablets))), return_inverse=True)[1]
    count = int(unit.max()) + 1
    loads, sizes = summed(unit, tablets.sums(load), count), summed(unit, tablets.sums(size), count)
    found: Index = placed(loads, sizes, cluster.nodes)[unit]
    return found
