"""Types of numpy arrays, by what they hold."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Mask = NDArray[np.bool_]


def summed(places: Index, values: Array, count: int) -> Array:
    """The sum of the values at each of ``count`` places."""
    found: Array = np.bincount(places, values, count).astype(np.float64)
    return found
