"""One of the alternatives that a picture compares: its tables, and the nodes under them."""

from collections.abc import Sequence

import numpy as np
from attrs import define, field
from numpy.typing import NDArray

from btmodel.simulate.picture.heat import Heat

Counts = NDArray[np.floating] | NDArray[np.integer]


@define(frozen=True, eq=False)
class Side:
    """What was simulated under one name: the heat of each table, and the load of each node in the same time.

    Alternatives stand side by side on a page, in the same colours.
    """

    name: str
    heats: Sequence[Heat]
    #: The load of each of ``N`` nodes, as a share of what it can do, ``(T, N)``; None where none was simulated.
    load: NDArray[np.floating] | None = field(default=None, repr=False)
    #: The wait that one of a hundred requests exceeds, in seconds, ``(T,)``.
    p99: NDArray[np.floating] | None = field(default=None, repr=False)
    #: How many tablets were split, and how many moved to another node, in each step, ``(T,)``.
    splits: Counts | None = field(default=None, repr=False)
    moves: Counts | None = field(default=None, repr=False)
