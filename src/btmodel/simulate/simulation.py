"""The simulation of one scenario, and of all scenarios of one question: models, alternatives and proposed keys."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from math import ceil, log10

from attrs import evolve, frozen

from btmodel.codecs.key import Kind
from btmodel.errors import SimulationRefused
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.bucket import bucket_of
from btmodel.schema.rate import every_text
from btmodel.simulate.alternatives import ASSUMED_VALUES, Fixed, Scenario, fixed, rekeyed, with_salt
from btmodel.simulate.answer import Answer, TableAnswer, answer_of
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.engine import run
from btmodel.simulate.cluster.outcome import BoundKind, Outcome
from btmodel.simulate.keyspace import traffic
from btmodel.simulate.keyspace.traffic import RESOLUTION
from btmodel.simulate.measures import percent
from btmodel.simulate.picture.heat import Side
from btmodel.simulate.sentence import Better, LoadSentence, sentence, together, verdict
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


# Smaller shares of events that overwrite each other are not reported.
_LOST = 0.01
# A better key keeps this many times more nodes busy, or removes the hotspot.
_BETTER = 1.5
Run = Callable[[Scenario], Simulated]
WorkloadOf = Callable[[ModelSchema], Workload]
# The fix of each hot table, by the index of the table.
Fixes = Mapping[int, Fixed]


@frozen(eq=False)
class Compared:
    """The results of a comparison: the declared models first, then each alternative, then ``better`` keys, if any.

    ``said`` has a sentence for each declared table, then one for each alternative.
    """

    sides: Sequence[Simulated]
    better: Simulated | None
    said: Sequence[LoadSentence]

    @property
    def all(self) -> Sequence[Simulated]:
        """All results, in this order."""
        return [*self.sides, *([self.better] if self.better else [])]


def compared(scenarios: Sequence[Scenario], workload_of: WorkloadOf, run: Run) -> Compared:
    """Simulate the scenarios; if tables of the first are hot, simulate all of them with better keys too.

    Better keys are those that the review proposes or, for a single table that they do not help, a salt value per
    node.
    """
    sides = [run(scenario) for scenario in scenarios]
    first = sides[0]
    proposals: list[Callable[[ModelSchema], Fixed | None]] = [fixed]
    if len(first.answer.tables) == 1:
        proposals.append(lambda model: with_salt(model, first.answer.nodes))
    for proposal in proposals:
        tried = _tried(first, proposal, workload_of)
        if not tried:
            continue
        name = "proposed key" if len(first.answer.tables) == 1 else "proposed keys"
        before = enumerate(first.scenario.workloads)
        made = tuple(tried[at][0] if at in tried else workload for at, workload in before)
        with_them = run(Scenario(name, made))
        helps = {at: fix for at, (_, fix) in tried.items() if _helps(first, with_them, at)}
        if helps:
            return Compared(
                sides, with_them, [*_sentences(first, with_them, helps), *_said_instead(sides[1:])]
            )
    return Compared(sides, None, [*_sentences(first, None, {}), *_said_instead(sides[1:])])


def _small(simulated: Simulated) -> float:
    return simulated.outcome.cluster.assumptions.small_table


def _tried(
    first: Simulated, proposal: Callable[[ModelSchema], Fixed | None], workload_of: WorkloadOf
) -> dict[int, tuple[Workload, Fixed]]:
    """The workload of each hot table with the proposed key, and the proposal."""
    found = {}
    for at, table in enumerate(first.answer.tables):
        model = table.workload.declared or table.workload.model
        fix = proposal(model) if verdict(first.answer, table, _small(first)).hot else None
        if fix is None:
            continue
        try:
            keys = None if table.workload.keys is None else rekeyed(table.workload.keys, model, fix.model)
            found[at] = evolve(workload_of(fix.model), keys=keys), fix
        except SimulationRefused:
            continue  # sampled keys lack fields of the proposal
    return found


def _helps(first: Simulated, better: Simulated, at: int) -> bool:
    """Whether clearly more nodes are busy with the better key, or the table is not hot any more."""
    before, after = first.answer.tables[at], better.answer.tables[at]
    if before.writes is None or after.writes is None:
        return False
    cool = not verdict(better.answer, after, _small(better)).hot
    return cool or _places(after) >= _BETTER * _places(before)


def _places(table: TableAnswer) -> int:
    """The number of nodes that can take part: limited by the growing ends or rows that take all writes, if any."""
    bound = table.bound(BoundKind.TAIL, BoundKind.ROW)
    assert table.writes is not None
    return (
        table.writes.busy if bound is None or bound.places is None else min(bound.places, table.writes.nodes)
    )


def _sentences(first: Simulated, better: Simulated | None, helps: Fixes) -> Sequence[LoadSentence]:
    """A sentence for each table; with several tables, one for all of them and one for each hot table."""
    said = []
    for at, table in enumerate(first.answer.tables):
        new = Better(helps[at], better.answer.tables[at]) if better and at in helps else None
        text = sentence(first.answer, table, _small(first), new)
        more = (*_lost(table), *(_more(table, helps[at]) if at in helps else ()))
        said.append(LoadSentence(table.name, text, verdict(first.answer, table, _small(first)).hot, more))
    if len(said) == 1:
        return [evolve(said[0], hot=said[0].hot or first.answer.load > 1)]
    return [together(first.answer, _small(first)), *(one for one in said if one.hot)]


def _said_instead(sides: Sequence[Simulated]) -> Iterator[LoadSentence]:
    """A sentence for each alternative, by its name."""
    for side in sides:
        [table] = side.answer.tables
        name, small = side.scenario.name, _small(side)
        hot = verdict(side.answer, table, small).hot or side.answer.load > 1
        yield LoadSentence(name, sentence(side.answer, table, small, name=name), hot, _lost(table))


def _lost(table: TableAnswer) -> tuple[str, ...]:
    """The events that overwrite each other, unless they are few."""
    share = table.growth.replaced
    if share < _LOST:
        return ()
    return (f"{percent(share)} of its events have the same key as another event, and replace it",)


def _more(table: TableAnswer, fix: Fixed) -> tuple[str, ...]:
    """What the better key changes in fields, what it costs, and what was assumed for it."""
    old, new = table.workload.model.key.shape, fix.model.key.shape
    key = [] if old == new else [f"proposed key: `{new}`"]
    taken = [
        f"`{name}` has no declared cardinality: {ASSUMED_VALUES:,} values are assumed" for name in fix.assumed
    ]
    price = [fix.price] if fix.price else []
    return (*key, *price, *taken)
