"""How many events come when: the rate of each step of time, and how many came up to a moment."""

import numpy as np
from attrs import frozen

from btmodel.simulate.arrays import Array
from btmodel.simulate.workload import Workload

_DAY = 86_400.0


@frozen(eq=False)
class Pace:
    """Events of a table: ``rate`` a second in each step, ``sums`` from the start to each edge of a step.

    ``before`` is the rate of the events before the start, which came for ``history`` seconds.
    """

    step_seconds: float
    rate: Array
    sums: Array
    before: float
    history: float

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.rate)

    @property
    def end(self) -> float:
        """Seconds from the start to the end."""
        return self.steps * self.step_seconds

    def events(self, seconds: float) -> float:
        """Events from the start up to this moment; those since then, less than 0, of a moment before."""
        if seconds < 0:
            return self.before * max(seconds, -self.history)
        whole, part = divmod(seconds / self.step_seconds, 1)
        step = min(int(whole), self.steps)
        more = self.rate[step] * part * self.step_seconds if step < self.steps else 0.0
        return float(self.sums[step] + more)


def pace_of(workload: Workload, steps: int, step_seconds: float) -> Pace:
    """The pace of a workload: its rate, which grows from day to day and swings with the time of day."""
    middle = (np.arange(steps) + 0.5) * step_seconds
    midnight = workload.start.replace(hour=0, minute=0, second=0, microsecond=0)
    of_day = (middle + (workload.start - midnight).total_seconds()) / _DAY
    swing = 1 - workload.daily * np.cos(2 * np.pi * of_day)
    rate = workload.writes * (1 + workload.growth) ** (middle / _DAY) * swing
    sums = np.concatenate(([0.0], np.cumsum(rate * step_seconds)))
    return Pace(step_seconds, rate, sums, workload.writes, workload.history.total_seconds())
