"""Tablets: runs of intervals, each served by one node."""

import numpy as np

from btmodel.simulate.arrays import Array, Index


class Tablets:
    """All tablets of a cluster, in the order of tables and keys.

    ``starts`` is the first interval of each, ``node`` where it is served, ``table`` whose it is, ``born`` when it came to be,
    ``hot`` for how many seconds it has had too much load, ``known`` what load the cluster believes it to have: a moving mean.
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
        """Behind the last interval of each."""
        return np.append(self.starts[1:], self.intervals)

    def sums(self, values: Array) -> Array:
        """The sum of a value of intervals, of each tablet."""
        found: Array = np.add.reduceat(values, self.starts)
        return found

    def learn(self, load: Array, part: float) -> None:
        """Take the load of this moment for so large a ``part`` of the moving mean."""
        self.known += (self.sums(load) - self.known) * part

    def split(self, at: Index, load: Array, now: float) -> None:
        """Begin a new tablet at each of these intervals, on the node where it was.

        What was known of the load goes with the load of this moment.
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
        # One of them may have been split at several places.
        origin = np.repeat(np.arange(len(whole)), 1 + np.bincount(which, minlength=len(whole)))
        even = 1 / np.bincount(origin)[origin]
        shares = np.divide(self.sums(load), whole[origin], out=even, where=whole[origin] > 0)
        self.known = self.known[origin] * shares

    def merge(self, which: Index, now: float) -> None:
        """Make each of these tablets a part of the one in front of it."""
        self.born[which - 1] = now
        self.known[which - 1] += self.known[which]
        for name in ("starts", "table", "node", "born", "hot", "known"):
            setattr(self, name, np.delete(getattr(self, name), which))
