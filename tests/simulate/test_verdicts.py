"""The verdict on a load, at both sides of each of its thresholds."""

from typing import Any

import pytest
from attrs import evolve

from btmodel.declare import schema_of
from btmodel.schema.limits import ADVISED_NODE_USE
from btmodel.simulate.answer import ALONE, Answer, LoadSpread, Need, Relapse, TableAnswer
from btmodel.simulate.cluster.outcome import BoundKind, Hot, LoadBound
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.sentence import Verdict, few_places, mostly_small, sentence, together, verdict
from btmodel.simulate.table_growth import growth_of
from btmodel.simulate.workload import Stated
from examples.market import Quote

SMALL = 1_000.0
WORKLOAD = workload_of(schema_of(Quote), Stated())
# Ten nodes with a tenth each, which had come apart at once.
EVEN = LoadSpread(nodes=10, busy=10, hottest=0.1, together=0.0, relapses=())
ON_ONE = evolve(EVEN, busy=1, hottest=1.0, together=None)
COLD = Hot(0.0, 0.1, 0.1, b"", None, "", "")


def bound(kind: BoundKind, of_node: float = 0.5, places: int | None = None, share: float = 1.0) -> LoadBound:
    return LoadBound(kind, "QUOTE", "Quote", share, 100.0, of_node, "", None, places, 0.0)


def table(spread: LoadSpread | None = EVEN, *bounds: LoadBound, size: float = SMALL) -> TableAnswer:
    return TableAnswer(WORKLOAD, spread, None, 10.0, size, COLD, bounds, growth_of(WORKLOAD))


def answer(
    *tables: TableAnswer, load: float = 0.5, need: int = 1, writes: LoadSpread | None = EVEN
) -> Answer:
    spare = {"load_most": load, "p99": 0.0, "p99_most": 0.0, "failed": 0.0, "waiting": 0.0}
    counts = {"tablets": 1, "splits": 0, "moves": 0}
    return Answer("a", 10, 60.0, tables, writes, None, load, **spare, **counts, need=Need(need, 1))


def told(one: TableAnswer, *others: TableAnswer) -> Verdict:
    return verdict(answer(one, *others), one, SMALL)


def test_hot_is_what_another_key_might_help() -> None:
    """A small table, an even load and none are not."""
    assert [kind for kind in Verdict if kind.hot] == [Verdict.ONE, Verdict.AGAIN, Verdict.FEW, Verdict.UNEVEN]


@pytest.mark.parametrize(
    ("spread", "expected"),
    [
        (None, Verdict.NONE),
        (evolve(EVEN, nodes=1, busy=1, hottest=1.0, together=None), Verdict.EVEN),
        (evolve(EVEN, nodes=2, busy=2, hottest=0.5), Verdict.EVEN),
        (evolve(EVEN, nodes=2, busy=1, hottest=0.8), Verdict.FEW),
        (ON_ONE, Verdict.ONE),
        (evolve(EVEN, busy=5), Verdict.FEW),
        (evolve(EVEN, busy=6), Verdict.EVEN),
        (evolve(EVEN, hottest=0.2), Verdict.EVEN),
        (evolve(EVEN, hottest=0.21), Verdict.UNEVEN),
        (evolve(EVEN, relapses=(Relapse(0.0, 119.0),)), Verdict.EVEN),
        (evolve(EVEN, relapses=(Relapse(0.0, 120.0),)), Verdict.AGAIN),
        (evolve(EVEN, relapses=(Relapse(0.0, 60.0), Relapse(600.0, 120.0))), Verdict.AGAIN),
    ],
)
def test_a_load_without_bounds(spread: LoadSpread | None, expected: Verdict) -> None:
    """How many nodes are busy, and for how long one had all of it."""
    assert told(table(spread)) is expected


@pytest.mark.parametrize(
    ("of_node", "places", "expected"),
    [
        (0.5, 1, Verdict.ONE),
        (0.5, 2, Verdict.FEW),
        (0.5, 5, Verdict.FEW),
        (0.5, 6, Verdict.EVEN),
        (ADVISED_NODE_USE, 6, Verdict.EVEN),
        (ADVISED_NODE_USE + 0.01, 6, Verdict.FEW),
        (0.5, None, Verdict.EVEN),
        (0.0099, 1, Verdict.EVEN),
        (0.01, 1, Verdict.ONE),
    ],
)
@pytest.mark.parametrize("kind", [BoundKind.TAIL, BoundKind.ROW])
def test_few_places_take_all_writes(
    kind: BoundKind, of_node: float, places: int | None, expected: Verdict
) -> None:
    """Up to half as many as nodes, or with more for one than a node should get; a load that hardly matters is none."""
    made = table(EVEN, bound(kind, of_node, places))
    assert told(made) is expected
    assert (few_places(made) is None) is (expected is Verdict.EVEN)


def test_few_places_need_writes() -> None:
    """A table that nothing is written to has none, and a small table is no place."""
    assert few_places(table(None, bound(BoundKind.TAIL, places=1))) is None
    assert few_places(table(EVEN, bound(BoundKind.SMALL, places=1))) is None


@pytest.mark.parametrize(
    ("size", "bounds", "expected"),
    [
        (SMALL - 1, (), Verdict.SMALL),
        (SMALL, (), Verdict.ONE),
        (SMALL - 1, (bound(BoundKind.SMALL, of_node=1.0),), Verdict.SMALL),
        (SMALL - 1, (bound(BoundKind.SMALL, of_node=1.01),), Verdict.PACKED),
    ],
)
def test_a_table_that_was_always_on_one_node(
    size: float, bounds: tuple[LoadBound, ...], expected: Verdict
) -> None:
    """Is small, up to a size; and its load may be too much for that node."""
    assert told(table(ON_ONE, *bounds, size=size)) is expected


@pytest.mark.parametrize(
    ("spread", "bounds", "small"),
    [
        (evolve(EVEN, hottest=ALONE), (bound(BoundKind.SMALL),), True),
        (evolve(EVEN, hottest=ALONE - 0.01), (bound(BoundKind.SMALL),), False),
        (evolve(EVEN, hottest=ALONE), (), False),
        (evolve(EVEN, hottest=ALONE, relapses=(Relapse(0.0, 120.0),)), (bound(BoundKind.SMALL),), False),
    ],
)
def test_a_table_that_was_small_for_most_of_the_time(
    spread: LoadSpread, bounds: tuple[LoadBound, ...], small: bool
) -> None:
    """Had nearly all of its load on one node, without coming back to it, although its size at the end is large."""
    made = table(spread, *bounds, size=2 * SMALL)
    assert mostly_small(made, spread, SMALL) is small
    assert (told(made) is Verdict.SMALL) is small


def test_of_several_tables_only_what_is_firm_counts() -> None:
    """Their tablets share the nodes, so that a table on few nodes says nothing; few places and a small table do."""
    few = table(evolve(EVEN, busy=2))
    assert told(few) is Verdict.FEW
    assert told(few, table()) is Verdict.EVEN
    assert told(table(EVEN, bound(BoundKind.TAIL, places=1)), table()) is Verdict.ONE
    assert told(table(ON_ONE, size=1.0), table()) is Verdict.SMALL


@pytest.mark.parametrize(
    ("load", "hottest", "hot"), [(1.0, 0.2, False), (1.01, 0.2, True), (1.0, 0.21, True), (0.5, 0.1, False)]
)
def test_all_tables_together_are_hot(load: float, hottest: float, hot: bool) -> None:
    """With more than a node can take, or more than two even shares on one."""
    said = together(answer(table(), load=load, writes=evolve(EVEN, hottest=hottest)), SMALL)
    assert said.hot is hot


@pytest.mark.parametrize(("need", "said"), [(10, False), (11, True)])
def test_more_nodes_are_asked_for_where_these_do_not_do(need: int, said: bool) -> None:
    """Of all tables together, and of one whose hottest node has too much."""
    assert ("the load needs" in together(answer(table(), need=need), SMALL).sentence) is said
    assert (f"use {need} nodes" in sentence(answer(table(), load=1.5, need=need), table(), SMALL)) is said
    assert "capacity" not in sentence(answer(table(), load=1.0, need=need), table(), SMALL)


def test_tables_are_counted_by_their_verdicts() -> None:
    """Those on too few nodes, the small ones, and those that can be spread."""
    tables = (
        table(EVEN, bound(BoundKind.TAIL, places=1)),
        table(ON_ONE, size=1.0),
        table(ON_ONE, size=1.0),
        *(table() for _ in range(4)),
    )
    counted = together(answer(*tables), SMALL).more[1]
    assert (
        counted
        == "1 table on too few nodes, below, 2 tables small, each on one node, 4 tables that can be spread"
    )
    assert (
        together(answer(*tables[:2]), SMALL).more[1]
        == "1 table on too few nodes, below, 1 table small, on one node"
    )


def test_tables_without_writes_are_not_hot() -> None:
    """Whatever their nodes have to do besides."""
    said = together(answer(table(None), load=2.0, writes=None), SMALL)
    assert (said.sentence, said.hot) == ("All: nothing is written to 1 table.", False)


@pytest.mark.parametrize(("share", "places", "expected"), [(0.2, 10, False), (0.21, 10, True)])
def test_a_place_stands_out(share: float, places: int, expected: Any) -> None:
    """Among many growing ends, with more than two even shares."""
    made = table(EVEN, bound(BoundKind.TAIL, 0.8, places, share))
    assert ("of them to one" in sentence(answer(made), made, SMALL)) is expected


@pytest.mark.parametrize(("of_node", "too_much"), [(1.0, False), (1.01, True)])
def test_a_place_gets_more_than_a_node_can_take(of_node: float, too_much: bool) -> None:
    """One growing end that takes all."""
    made = table(EVEN, bound(BoundKind.TAIL, of_node, 1))
    assert ("that node can take" in sentence(answer(made), made, SMALL)) is too_much


@pytest.mark.parametrize(("events", "at_times"), [(101.0, False), (102.0, True)])
def test_too_much_at_times_is_told_as_such(events: float, at_times: bool) -> None:
    """Where the place gets more than its share of the writes in the mean."""
    made = table(EVEN, evolve(bound(BoundKind.TAIL, 1.5, 1, share=0.5), events=events))
    made = evolve(made, workload=evolve(WORKLOAD, writes=200.0))
    assert ("at the busiest time" in sentence(answer(made), made, SMALL)) is at_times


def test_a_node_that_gets_all_without_a_bound_is_told_without_what_it_can_take() -> None:
    """As nothing says how much that is."""
    made = table(ON_ONE)
    assert sentence(answer(made), made, SMALL) == "Quote: every write goes to one node until it is full."
