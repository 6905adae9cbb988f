"""Which tablets are moved: from the node with the most load to that with the least; then by bytes, of cold ones.

Where the two goals conflict, load wins: a very hot tablet may have a node for itself, though the others hold more data.
"""

from collections.abc import Callable

import numpy as np

from btmodel.simulate.arrays import Array, Index, Mask, summed
from btmodel.simulate.cluster.assumptions import Assumptions

# Loads of less than this, as a share of a node, are moved for nobody.
_LEAST_GAP = 0.005
# A tablet with less of a mean node's load is cold: it may be moved for its bytes.
_COLD = 0.01
# So much of the difference between two nodes a tablet may have, to be moved from one to the other.
_MOST = 0.9


class Moves:
    """Moves tablets between nodes, at most so many of each node. ``node`` is where each lies then."""

    def __init__(self, node: Index, nodes: int, load: Array, size: Array, moves: float) -> None:
        self.node, self.made = node.copy(), 0
        self._load, self._size = load, size
        self._loads, self._sizes = summed(node, load, nodes), summed(node, size, nodes)
        count = np.bincount(node, minlength=nodes)
        self._left = np.maximum(1, np.ceil(count * min(moves, 1.0))).astype(int)

    def by_load(self, gap: float, free: Mask) -> None:
        """Move until the loads of no two nodes differ by more than ``gap``, as far as that can be."""
        anybody = np.ones(len(self._loads), dtype=bool)
        self._even_out(self._load, self._loads, gap, free, lambda: anybody)

    def by_size(self, gap: float, free: Mask) -> None:
        """Move until the bytes of no two nodes differ by more than ``gap``; no node gets more that has much load."""
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
    """Where the tablets of tables that have been there for long lie: the hottest first, each on the node with the least."""
    found = np.zeros(len(load), dtype=np.int64)
    loads, sizes = np.zeros(nodes), np.zeros(nodes)
    mean = float(load.mean())
    for one in np.lexsort((-size, -load)).tolist():
        place = int(np.argmin(loads if load[one] > _COLD * mean else sizes))
        found[one] = place
        loads[place] += load[one]
        sizes[place] += size[one]
    return found
