"""Several ways to do one thing, taken in turn: what counts is the ratio within a round, for machines differ."""

import gc
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from statistics import median

from attrs import frozen

OURS = "btmodel"
Way = Callable[[], object]


@frozen
class Lap:
    """What one way took in one round, in seconds: by the clock, and of this process's processors."""

    wall: float
    cpu: float


@frozen
class Outcome:
    """The laps of each way, in the order of the rounds. ``per`` is how many rows or calls a lap has."""

    title: str
    per: int
    laps: dict[str, list[Lap]]

    def micros(self, way: str) -> float:
        """The median microseconds of a row, by the clock."""
        return median(lap.wall for lap in self.laps[way]) * 1e6 / self.per

    def cpu_micros(self, way: str) -> float:
        """The median microseconds of a row, of the processors."""
        return median(lap.cpu for lap in self.laps[way]) * 1e6 / self.per

    def ratio(self, way: str, over: str = OURS) -> float:
        """How many times as long ``way`` takes as ``over``: the median of the rounds."""
        return median(a.wall / b.wall for a, b in zip(self.laps[way], self.laps[over], strict=True))

    def cpu_ratio(self, way: str, over: str = OURS) -> float:
        """The same of the processors."""
        pairs = zip(self.laps[way], self.laps[over], strict=True)
        return median(a.cpu / max(b.cpu, 1e-9) for a, b in pairs)

    def spread(self, way: str, over: str = OURS) -> tuple[float, float]:
        """The least and the largest ratio of a round."""
        found = [a.wall / b.wall for a, b in zip(self.laps[way], self.laps[over], strict=True)]
        return min(found), max(found)


def compete(title: str, per: int, rounds: int, ways: Mapping[str, Way]) -> Outcome:
    """Run all ways in turn, as many times as there are rounds, and once before, untimed.

    Each round begins with another way. The garbage collector works as it always does, except that what a way
    leaves behind is collected before the next one begins.
    """
    for way in ways.values():
        way()
    laps: dict[str, list[Lap]] = {name: [] for name in ways}
    names = list(ways)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            laps[name].append(_lap(ways[name]))
    return Outcome(title, per, laps)


def exhaust(things: Iterable[object]) -> None:
    """Take things one after the other, and keep none."""
    deque(things, maxlen=0)


def _lap(way: Way) -> Lap:
    gc.collect()
    cpu, wall = time.process_time(), time.perf_counter()
    way()
    return Lap(time.perf_counter() - wall, time.process_time() - cpu)
