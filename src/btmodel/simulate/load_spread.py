"""How a load is spread over nodes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

# The share with which one node has almost all of a load.
ALONE = 0.9
# The part of an even share from which a node counts as busy.
_TAKES_PART = 0.5


@frozen
class Relapse:
    """A time in which one node had almost all of a load again: its start, and its length in seconds."""

    begin: float
    seconds: float


@frozen
class LoadSpread:
    """How a load is spread over ``nodes``, typically in the second half of the time.

    ``busy`` nodes have at least half of an even share, and ``hottest`` is the share of the node with the most.
    ``together`` is the time in seconds until no node had nine tenths of the load any more; None if that never
    happened. ``relapses`` are the later times in which one node had so much again.
    """

    nodes: int
    busy: int
    hottest: float
    together: float | None
    relapses: tuple[Relapse, ...]


def spread_of(rates: NDArray[np.floating], step_seconds: float) -> LoadSpread | None:
    """The spread of the rates of each step and node, ``(T, N)``; None if there is no load at all."""
    totals = rates.sum(axis=1)
    written = totals > 0
    if not written.any():
        return None
    nodes = rates.shape[1]
    shares = rates[written] / totals[written, None]
    hottest = shares.max(axis=1)
    busy = (shares >= _TAKES_PART / nodes).sum(axis=1)
    apart = hottest < ALONE
    begins = int(apart.argmax()) if apart.any() else None
    steps = written.nonzero()[0].tolist()
    alone = [] if begins is None else [steps[at] for at in range(begins, len(apart)) if not apart[at]]
    return LoadSpread(
        nodes,
        int(usual_value(busy)),
        usual_value(hottest),
        None if begins is None else steps[begins] * step_seconds,
        tuple(_relapses(alone, step_seconds)),
    )


def _relapses(steps: list[int], step_seconds: float) -> Iterator[Relapse]:
    """Consecutive steps as times."""
    begin = last = None
    for step in [*steps, None]:
        if begin is not None and last is not None and (step is None or step != last + 1):
            yield Relapse(begin * step_seconds, (last + 1 - begin) * step_seconds)
            begin = None
        begin, last = step if begin is None else begin, step


def usual_value(steps: NDArray[Any]) -> float:
    """The median of a value in the second half of its steps; of two in the middle, the greater one."""
    half = sorted(steps[len(steps) // 2 :].tolist())
    return float(half[len(half) // 2])
