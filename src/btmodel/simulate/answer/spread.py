"""How evenly a kind of load lies on the nodes of a cluster."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# One node has all but nothing of a load.
ALONE = 0.9
# A node that has this part of an even share takes part.
_TAKES_PART = 0.5


@frozen
class Relapse:
    """A time in which one node had all but nothing of a load again: when it began, and how long it was, in seconds."""

    begin: float
    seconds: float


@frozen
class Spread:
    """How a load lies on ``nodes``, by what is usual in the second half of the time.

    ``busy`` nodes have at least half of an even share; ``hottest`` is the share of the one that has most.
    ``together`` are the seconds up to when no node had nine tenths for the first time, None where that never was;
    ``relapses`` are the times since then in which one had so much again.
    """

    nodes: int
    busy: int
    hottest: float
    together: float | None
    relapses: tuple[Relapse, ...]

    @property
    def relapsed(self) -> float:
        """Seconds of all relapses."""
        return sum(one.seconds for one in self.relapses)


def spread_of(rates: "NDArray[np.floating]", step_seconds: float) -> Spread | None:
    """The spread of rates of each step and node, ``(T, N)``; None where nothing comes at all."""
    totals = rates.sum(axis=1)
    written = totals > 0
    if not written.any():
        return None
    nodes = rates.shape[1]
    shares = rates[written] / totals[written, None]
    hottest = shares.max(axis=1)
    busy = (shares >= _TAKES_PART / nodes).sum(axis=1)
    usual = slice(len(hottest) // 2, None)
    apart = hottest < ALONE
    begins = int(apart.argmax()) if apart.any() else None
    steps = written.nonzero()[0].tolist()
    alone = [] if begins is None else [steps[at] for at in range(begins, len(apart)) if not apart[at]]
    return Spread(
        nodes,
        _median(busy[usual]),
        float(sorted(hottest[usual])[len(hottest[usual]) // 2]),
        None if begins is None else steps[begins] * step_seconds,
        tuple(_relapses(alone, step_seconds)),
    )


def _relapses(steps: list[int], step_seconds: float) -> Iterator[Relapse]:
    """Runs of steps, as times."""
    begin = last = None
    for step in [*steps, None]:
        if begin is not None and last is not None and (step is None or step != last + 1):
            yield Relapse(begin * step_seconds, (last + 1 - begin) * step_seconds)
            begin = None
        begin, last = step if begin is None else begin, step


def _median(counts: "NDArray[np.integer]") -> int:
    return int(sorted(counts)[len(counts) // 2])
