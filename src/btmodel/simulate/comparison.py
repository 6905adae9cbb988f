"""The scenarios of one question: models, alternatives and proposed keys."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from btmodel.errors import SimulationRefused
from btmodel.schema import ModelSchema
from btmodel.simulate.alternatives import ASSUMED_VALUES, Fixed, Scenario, fixed, rekeyed, with_salt
from btmodel.simulate.answer import TableAnswer
from btmodel.simulate.cluster.outcome import Bound
from btmodel.simulate.sentence import Better, Said, sentence, together, verdict
from btmodel.simulate.simulation import Simulated
from btmodel.simulate.words import percent
from btmodel.simulate.workload import Workload

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
    said: Sequence[Said]

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
    bound = table.bound(Bound.TAIL, Bound.ROW)
    assert table.writes is not None
    return (
        table.writes.busy if bound is None or bound.places is None else min(bound.places, table.writes.nodes)
    )


def _sentences(first: Simulated, better: Simulated | None, helps: Fixes) -> Sequence[Said]:
    """A sentence for each table; with several tables, one for all of them and one for each hot table."""
    said = []
    for at, table in enumerate(first.answer.tables):
        new = Better(helps[at], better.answer.tables[at]) if better and at in helps else None
        text = sentence(first.answer, table, _small(first), new)
        more = (*_lost(table), *(_more(table, helps[at]) if at in helps else ()))
        said.append(Said(table.name, text, verdict(first.answer, table, _small(first)).hot, more))
    if len(said) == 1:
        return [evolve(said[0], hot=said[0].hot or first.answer.load > 1)]
    return [together(first.answer, _small(first)), *(one for one in said if one.hot)]


def _said_instead(sides: Sequence[Simulated]) -> Iterator[Said]:
    """A sentence for each alternative, by its name."""
    for run in sides:
        [table] = run.answer.tables
        name, small = run.scenario.name, _small(run)
        hot = verdict(run.answer, table, small).hot or run.answer.load > 1
        yield Said(name, sentence(run.answer, table, small, name=name), hot, _lost(table))


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
