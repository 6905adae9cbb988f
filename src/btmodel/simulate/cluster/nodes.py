"""The nodes: what comes to each in a step, what it asks for, and what has to wait."""

import numpy as np
from attrs import frozen

from btmodel.simulate.arrays import Array
from btmodel.simulate.cluster.assumptions import Assumptions


@frozen(eq=False)
class Queues:
    """``backlog`` is the seconds of work that wait at each node, ``failed`` the share of all work that was given up."""

    backlog: Array
    failed: float


def asked(writes: Array, reads: Array, mixed: float) -> Array:
    """The share of a node that writes and reads ask for together, of what each asks for alone."""
    both = writes + reads
    # All of the factor where they are equal, nothing where there is only one kind.
    evenly = 4 * writes * reads / np.maximum(both**2, 1e-300)
    found: Array = both * (1 + (mixed - 1) * evenly)
    return found


def queued(before: Array, load: Array, seconds: float, assumptions: Assumptions) -> Queues:
    """The queues after a step of this load: what a node cannot do waits, until nobody waits for it any longer."""
    backlog = np.maximum(before + (load - 1) * seconds, 0.0)
    late = np.maximum(backlog - assumptions.patience, 0.0)
    work = float(load.sum()) * seconds
    return Queues(backlog - late, min(1.0, float(late.sum()) / work) if work else 0.0)
