"""The scale of the colours: what the coldest and the hottest stand for, in figures."""

from collections.abc import Iterable

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

_MOST_DECADES = 4  # what is colder than a ten-thousandth of the hottest is as dark as that
_HOT = 10  # times an even share is white, at least: small differences of an even load are no hotspots
_WIDE = 100  # what is this much colder than white is dark, at least


@frozen
class Scale:
    """A logarithmic scale from ``low`` to ``high``, in rows a second.

    It is relative to all values that are seen, from ``least`` above nothing to ``most``, so bright is not by
    itself bad.
    """

    least: float
    most: float
    low: float
    high: float

    def place(self, rates: NDArray[np.floating]) -> NDArray[np.float64]:
        """Where rates lie on the scale, from 0 to 1; less than 0 where there is nothing at all."""
        wide = rates.astype(np.float64)
        shares = np.log(np.maximum(wide, self.low) / self.low) / np.log(self.high / self.low)
        return np.where(wide > 0, np.clip(shares, 0, 1), -1)


def scale_of(matrices: Iterable[NDArray[np.floating]]) -> Scale:
    """The scale of all of these rates."""
    found = [one.astype(np.float64) for one in matrices if one.any()]
    if not found:
        return Scale(0.0, 0.0, 0.1, 10.0)
    least, most = float(min(one[one > 0].min() for one in found)), float(max(one.max() for one in found))
    even = float(min(one.mean() for one in found))
    high = max(most, _HOT * even)
    return Scale(least, most, max(min(least, high / _WIDE), most / 10**_MOST_DECADES), high)
