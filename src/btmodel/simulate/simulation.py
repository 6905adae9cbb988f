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
from btmodel.simulate.alternatives import Scenario
from btmodel.simulate.answer import Answer, answer_of
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.engine import run
from btmodel.simulate.cluster.outcome import Outcome
from btmodel.simulate.keyspace import traffic
from btmodel.simulate.keyspace.traffic import RESOLUTION
from btmodel.simulate.picture.heat import Side
from btmodel.simulate.workload import Workload

_MINUTE = timedelta(minutes=1)
# Lengths of steps in minutes; we take the first that makes no more steps than a day has minutes.
_MINUTES = (1, 2, 5, 10, 20, 30, 60, 120, 360, 720, 1_440)
_USUAL = 1_440
MOST_STEPS = 20_000
# Units of time within which tablets are split, and the least number of steps that show it.
_HOUR = timedelta(hours=1)
_COARSE = {"hour", "day", "week", "month", "year"}
_SHOWN = 6


@frozen
class Steps:
    """``count`` steps of so many seconds."""

    count: int
    seconds: float


def steps_of(span: timedelta, step: timedelta | None) -> Steps:
    """The steps of a span of time: one minute for a day, ten minutes for a week, and longer ones for longer spans.

    Raises :class:`SimulationRefused` for more steps than are useful, and for a step longer than the span.
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
    """A note if the steps are too long to show the load within one value of a time field; None otherwise.

    The rows of one hour are spread by the fields behind the hour in the key. In a step of half a day they look like
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
    """The time fields of an hour or longer, with their length, that are followed by fields other than times."""
    fields = model.key.fields
    for at, part in enumerate(fields):
        granularity = part.codec.granularity
        fixed = isinstance(granularity, timedelta) and granularity >= _HOUR
        if part.codec.kind is not Kind.TIME or not (fixed or granularity in _COARSE):
            continue
        if any(field.asked and field.codec.kind is not Kind.TIME for field in fields[at + 1 :]):
            yield part, bucket_of(granularity).longest


# The number of intervals of all tables together, and the least of each.
_MOST, _LEAST = 65_536, 1_024

# Events per second, as a power of ten; the limit of declared rates, too.
_MOST_EVENTS = 12


@frozen(eq=False)
class Simulated:
    """A scenario, its result, and the sentences about it."""

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
    """Simulate a scenario; ``progress`` is called with the finished share.

    Raises :class:`SimulationRefused` for times outside the calendar, and for events that grow beyond any table.
    """
    for workload in scenario.workloads:
        _check(workload, steps)
    resolution = min(RESOLUTION, max(_LEAST, _MOST // len(scenario.workloads)))
    tables = [traffic(workload, steps.count, steps.seconds, resolution) for workload in scenario.workloads]
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
