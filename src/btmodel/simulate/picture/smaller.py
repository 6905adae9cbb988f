"""Fewer steps, and fewer cells, where a picture has no room for all."""

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from btmodel.simulate.picture.heat import Heat


def longer_steps(heat: Heat, most: int) -> Heat:
    """The same load in at most so many steps: a longer step has the mean rate of those that it is made of."""
    together = -(-heat.steps // most)
    if together <= 1:
        return heat
    return evolve(
        heat,
        step_seconds=heat.step_seconds * together,
        writes=means(heat.writes.T, together).T.astype(np.float32),
        reads=means(heat.reads.T, together).T.astype(np.float32),
    )


def means(values: NDArray[np.floating], together: int) -> NDArray[np.float64]:
    """The mean of each run of so many of the first axis; of the last one there may be fewer."""
    begins = np.arange(0, len(values), together)
    counts = np.diff(np.append(begins, len(values)))
    totals = np.add.reduceat(values.astype(np.float64), begins, axis=0)
    return np.asarray(totals / counts.reshape(-1, *(1 for _ in values.shape[1:])))


def peaks(values: NDArray[np.floating], lines: int, columns: int) -> NDArray[np.floating]:
    """The highest of each block, where there are more than so many lines and columns.

    Not the mean: one hot bucket among cold ones is what a heat map is looked at for.
    """
    for axis, most in ((0, lines), (1, columns)):
        if values.shape[axis] > most:
            begins = np.arange(most) * values.shape[axis] // most
            values = np.maximum.reduceat(values, begins, axis=axis)
    return values
