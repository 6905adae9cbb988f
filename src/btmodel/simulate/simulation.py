"""The simulation of one scenario."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from math import ceil, log10

from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.errors import SimulationRefused
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.bucket import bucket_of
from btmodel.schema.rate import every_text
from btmodel.simulate.answer import Answer, answer_of
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.engine import run
from btmodel.simulate.cluster.outcome import Outcome
from btmodel.simulate.keyspace import traffic
from btmodel.simulate.keyspace.traffic import RESOLUTION
from btmodel.simulate.picture.heat import Side
from btmodel.simulate.scenarios import Scenario
from btmodel.simulate.workload import Workload

_MINUTE = timedelta(minutes=1)
# Steps of so many minutes, of which the first is taken that makes no more steps than a day has minutes.
_MINUTES = (1, 2, 5, 10, 20, 30, 60, 120, 360, 720, 1_440)
_USUAL = 1_440
MOST_STEPS = 20_000
# Units of time within which tablets are split; and the steps that they take at least, to show it.
_HOUR = timedelta(hours=1)
_COARSE = {"hour", "day", "week", "month", "year"}
_SHOWN = 6


@frozen
class Steps:
    """So many steps of so many seconds."""

    count: int
    seconds: float


def steps_of(span: timedelta, step: timedelta | None) -> Steps:
    """The steps of a span of time: of a minute for a day, of ten minutes for a week, and longer where it is longer.

    Raises :class:`SimulationRefused` for more steps than there is a use for, and a step longer than the span.
    """
    if step is None:
        fitting = (_MINUTE * minutes for minutes in _MINUTES if span / (_MINUTE * minutes) <= _USUAL)
        step = min(span, next(fitting, _MINUTE * _MINUTES[-1]))
    if step > span:
        raise SimulationRefused(
            f"expected a step of up to {every_text(span)}, which is all that is simulated, got {every_text(step)}"
        )
    count = ceil(span / step - 1e-9)
    if count > MOST_STEPS:
        raise SimulationRefused(
            f"expected up to {MOST_STEPS:,} steps, got {count:,}: give a longer --step, or a shorter --for"
        )
    return Steps(count, step.total_seconds())


def blurred(model: ModelSchema, steps: Steps) -> str | None:
    """A note where the steps are too long to show what happens within one value of a field of time; None where they are not.

    The rows of one hour are spread over what stands behind it in the key. In a step of half a day, they look like
    one growing end.
    """
    for part, longest in _coarse(model):
        if steps.seconds > longest.total_seconds() / _SHOWN:
            step, wanted = timedelta(seconds=steps.seconds), longest / _SHOWN
            return (
                f"{model.name}: a step of {every_text(step)} is too long to show how the rows of one `{part.name}` "
                f"are spread: give --step {every_text(wanted)}, and a shorter --for where that makes too many steps"
            )
    return None


def _coarse(model: ModelSchema) -> Iterator[tuple[KeyField, timedelta]]:
    """The fields of hours, days and longer, with how long that is, behind which others than times stand."""
    fields = model.key.fields
    for at, part in enumerate(fields):
        granularity = part.codec.granularity
        fixed = isinstance(granularity, timedelta) and granularity >= _HOUR
        if part.codec.kind is not Kind.TIME or not (fixed or granularity in _COARSE):
            continue
        if any(one.asked and one.codec.kind is not Kind.TIME for one in fields[at + 1 :]):
            yield part, bucket_of(granularity).longest


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
        """The data of a picture."""
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
            f"{workload.model.name}: expected times from the year 1 to 9999, got {workload.start} and {span} from then on"
        ) from None
    if log10(workload.writes) + log10(1 + workload.growth) * (span / timedelta(days=1)) > _MOST_EVENTS:
        raise SimulationRefused(
            f"{workload.model.name}: expected up to 10**{_MOST_EVENTS} events a second, got a growth beyond that"
        )
