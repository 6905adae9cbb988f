"""A simulation of one scenario: its traffic, what the cluster does, and the answer."""

from collections.abc import Callable
from datetime import timedelta
from math import log10

from attrs import frozen

from btmodel.errors import SimulationRefused
from btmodel.simulate.answer.answer import Answer
from btmodel.simulate.answer.answered import answer_of
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.engine import run
from btmodel.simulate.cluster.outcome import Outcome
from btmodel.simulate.keyspace import traffic
from btmodel.simulate.keyspace.traffic import RESOLUTION
from btmodel.simulate.picture.side import Side
from btmodel.simulate.scenarios import Scenario
from btmodel.simulate.steps import Steps
from btmodel.simulate.workload import Workload

# Intervals of all tables together, and of each at the least.
_MOST, _LEAST = 65_536, 1_024

# Events a second, as a power of ten: what a declared rate may be, too.
_MOST_EVENTS = 12


@frozen(eq=False)
class Simulated:
    """A scenario, what came of it, and what is said of that."""

    scenario: Scenario
    outcome: Outcome
    answer: Answer

    @property
    def side(self) -> Side:
        """What a picture shows of it."""
        out = self.outcome
        return Side(self.scenario.name, out.heat, out.load, out.p99, out.splits, out.moves)


def simulated(
    scenario: Scenario,
    cluster: Cluster,
    steps: Steps,
    progress: Callable[[float], object] = lambda done: None,
) -> Simulated:
    """Simulate a scenario; ``progress`` is told the share that is done.

    Raises :class:`SimulationRefused` for times that no calendar has, and for events that grow beyond any table.
    """
    for one in scenario.workloads:
        _check(one, steps)
    resolution = min(RESOLUTION, max(_LEAST, _MOST // len(scenario.workloads)))
    tables = [traffic(one, steps.count, steps.seconds, resolution) for one in scenario.workloads]
    outcome = run(cluster, tables, progress)
    return Simulated(scenario, outcome, answer_of(scenario, outcome))


def _check(workload: Workload, steps: Steps) -> None:
    span = timedelta(seconds=steps.count * steps.seconds)
    try:
        _ = workload.start + span, workload.start - workload.history
    except OverflowError:
        raise SimulationRefused(
            f"{workload.model.name}: wanted times from the year 1 to 9999, got {workload.start} and {span} from then on"
        ) from None
    if log10(workload.writes) + log10(1 + workload.growth) * (span / timedelta(days=1)) > _MOST_EVENTS:
        raise SimulationRefused(
            f"{workload.model.name}: wanted up to 10**{_MOST_EVENTS} events a second, got a growth beyond that"
        )
