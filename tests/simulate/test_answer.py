"""What is said of a simulation: how a load is spread, the sentence of each kind, and what would be better."""

import re
from datetime import datetime, timedelta
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.cli.simulation.printing import ranges_of, unserved
from btmodel.declare import collecting
from btmodel.errors import SimulationRefused
from btmodel.schema import ModelSchema
from btmodel.schema.rate import Rate, parse_every
from btmodel.simulate.alternatives import Scenario, declared
from btmodel.simulate.answer import Answer, Relapse, spread_of
from btmodel.simulate.cluster.cluster import Cluster, assumptions_of
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.measures import duration, figure, many, percent
from btmodel.simulate.sentence import Verdict, verdict
from btmodel.simulate.simulation import Compared, Simulated, Steps, blurred, compared, simulated, steps_of
from btmodel.simulate.workload import Stated, Workload
from examples import battery, meters
from examples.battery import SaltedBattery, UserBattery
from examples.devices import DeviceDay
from examples.market import Quote
from examples.metrics import CurrentMetrics
from examples.shop_settings import ShopSettings
from tests.simulate.workloads import workload

SMALL = 4 * 2.0**30
DAY = Steps(144, 600.0)
MONTH = timedelta(days=30)


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer intervals than the commands use: what is said here does not depend on their number, and most time goes to them."""
    monkeypatch.setattr("btmodel.simulate.simulation.RESOLUTION", 2_048)


def refused(declaring: object) -> ModelSchema:
    with collecting() as found:
        declaring()  # type: ignore[operator]
    return found.schemas[0]


def asked(*models: ModelSchema, nodes: int = 10, **said: object) -> Compared:
    """The answer to one question about these models on one cluster."""

    def told(model: ModelSchema) -> Workload:
        return workload_of(model, Stated(**said))  # type: ignore[arg-type]

    def run(scenario: Scenario) -> Simulated:
        return simulated(scenario, Cluster(nodes), DAY)

    return compared([declared(map(told, models))], told, run)


def kind(answer: Answer) -> Verdict:
    return verdict(answer, answer.tables[0], SMALL)


# How a load is spread


def test_an_even_load_keeps_every_node_busy() -> None:
    """Four nodes with a quarter each."""
    found = spread_of(np.full((10, 4), 5.0), 60.0)
    assert found is not None
    assert (found.busy, found.hottest, found.together, found.relapses) == (4, 0.25, 0.0, ())


def test_a_load_on_one_node_never_comes_apart() -> None:
    """Also where that is now one node and now another."""
    found = spread_of(np.eye(4), 60.0)
    assert found is not None
    assert (found.busy, found.hottest, found.together) == (1, 1.0, None)


def test_relapses_are_told_with_their_times() -> None:
    """From when to when one node had all of it again, after it had come apart once."""
    rates = np.full((10, 2), 1.0)
    rates[[0, 1, 4, 5, 9], 1] = 0.0
    found = spread_of(rates, 60.0)
    assert found is not None
    assert found.together == 120.0
    assert found.relapses == (Relapse(240.0, 120.0), Relapse(540.0, 60.0))


def test_no_load_has_no_spread() -> None:
    """Nothing is read of most tables."""
    assert spread_of(np.zeros((3, 3)), 60.0) is None


@given(
    st.lists(st.lists(st.floats(0, 1e6), min_size=3, max_size=3), min_size=1, max_size=30),
    st.floats(1, 1e6),
)
def test_a_spread_does_not_depend_on_the_unit(rows: list[list[float]], factor: float) -> None:
    """Shares are what counts: twice the load on each node is spread as before, and never on more nodes than there are."""
    rates = np.array(rows).round(3)
    found, more = spread_of(rates, 60.0), spread_of(rates * 2, 60.0)
    assert found == more
    if found is not None:
        assert 0 <= found.busy <= 3
        assert 1 / 3 - 1e-9 <= found.hottest <= 1


# The sentences


def test_the_sentence_of_a_growing_end_names_the_fix() -> None:
    """What the simulator is for, word for word: one node, and what to put in front."""
    result = asked(refused(battery.hot), history=MONTH)
    [said] = result.said
    assert said.hot
    assert said.sentence == (
        "Battery: every write goes to one node until it is full; make the column `user` (1,000,000 values) a key field: "
        f"10 of 10 nodes busy, the hottest with {percent(result.all[-1].answer.writes.hottest)}."  # type: ignore[union-attr]
    )
    assert result.better is not None
    assert result.better.answer.writes is not None
    assert result.better.answer.writes.busy == 10
    assert "57 % of its events have the same key as another event, and replace it" in said.more


def test_where_no_field_helps_a_salt_for_each_node_is_tried() -> None:
    """Three salts are too few for ten nodes, and the query by time alone lets nothing else be put in front."""
    [said] = asked(bt.schema_of(SaltedBattery), history=MONTH).said
    assert "the writes go to 3 growing ends, and so to 3 of 10 nodes at most" in said.sentence
    assert 'put `salt = bt.salt("at", buckets=10)` in front: 10 of 10 nodes busy' in said.sentence
    assert "each read that does not give `salt` is then 10 reads, merged" in said.more


@pytest.mark.parametrize(
    ("events", "said"),
    [
        (
            "50000/s",
            "the writes go to 4 growing ends, and so to 4 of 5 nodes at most, and one of them needs 89 % of the capacity of a node",
        ),
        (
            "80000/s",
            "the writes go to 4 growing ends, and so to 4 of 5 nodes at most, and one of them can take 14,000 of the 20,000 events a second",
        ),
        ("20000/s", "the writes are spread"),
    ],
)
def test_more_nodes_take_nothing_from_ends_that_get_too_much(events: str, said: str) -> None:
    """More than half of the nodes are busy, and each end gets more than a node should: that is hot, however even it is."""

    def declaring() -> None:
        class Impression(bt.Model, table="impression", events=events):
            kind: str = bt.key(bt.Text(width=2), cardinality=4, skew="uniform")
            at: datetime = bt.key(bt.EpochMicros())

            f = bt.family("f", gc=bt.max_age(days=30))
            user: int = bt.column("u", f)

    [found] = asked(refused(declaring), history=MONTH, nodes=5).said
    assert said in found.sentence
    assert found.hot is (not said.startswith("the writes are"))


def test_a_key_of_as_many_growing_ends_is_no_better() -> None:
    """Also where a new table is small for so long that more nodes happen to be busy with it: ends are what counts.

    A fix that a small table cannot show yet is told as what it will do.
    """
    [said] = asked(bt.schema_of(SaltedBattery)).said
    assert "so to 3 of 10 nodes at most, after " in said.sentence
    assert "on one node, while the table was small; put `salt = " in said.sentence
    assert said.sentence.endswith("in front: that spreads them, once the table has more than 4 GiB.")


def test_what_was_given_up_is_that_of_all_the_time() -> None:
    """A node that is asked for twice what it can do gives up half, but only until the writes are spread."""
    answer = asked(bt.schema_of(UserBattery), events=Rate.parse("28000/s")).sides[0].answer
    assert answer.load_most == pytest.approx(2.0)
    assert answer.writes is not None
    assert answer.writes.together is not None
    assert answer.failed < 0.6 * answer.writes.together / answer.seconds < 0.1
    assert answer.failed > 0


def test_a_good_key_needs_no_fix() -> None:
    """It is said how the writes are spread, and nothing is proposed."""
    result = asked(bt.schema_of(UserBattery), history=MONTH)
    assert result.better is None
    assert result.said[0].sentence.startswith("UserBattery: the writes are spread, 10 of 10 nodes busy")
    assert not result.said[0].hot


def test_midnight_is_told_by_the_name_of_the_field() -> None:
    """A new day begins, and all meters write to one node."""
    result = asked(refused(meters.day_first), history=MONTH)
    assert kind(result.sides[0].answer) is Verdict.AGAIN
    assert result.said[0].sentence.startswith(
        "Sensor: whenever a new `day` begins every write goes to one node, for "
    )
    assert "put `meter` (10,000,000 values) in front" in result.said[0].sentence
    assert any("`on_day` then needs a second table" in one for one in result.said[0].more)


def test_a_small_table_lies_on_one_node_which_says_nothing_of_its_key() -> None:
    """Unless it is too much for that node: then it is said what the node can take."""
    small = asked(bt.schema_of(DeviceDay))
    assert kind(small.sides[0].answer) is Verdict.SMALL
    assert "needs less than 0.1 % of its capacity" in small.said[0].sentence
    packed = asked(bt.schema_of(CurrentMetrics))
    assert kind(packed.sides[0].answer) is Verdict.PACKED
    assert "of the 20,000 events a second" in packed.said[0].sentence


def test_a_table_that_is_small_for_most_of_the_time_is_not_hot() -> None:
    """It is on one node as long as it is small, whatever its key: that it lay there for most of a day is no hotspot."""
    result = asked(bt.schema_of(Quote), events=Rate.parse("300/s"))
    assert kind(result.sides[0].answer) is Verdict.SMALL
    [said] = result.said
    assert not said.hot
    found = re.fullmatch(
        r"Quote: the whole table is on one node for (\d+) h, as is every table of less than 4 GiB, "
        r"and needs 2 % of its capacity\.",
        said.sentence,
    )
    assert found is not None
    assert 12 < int(found[1]) < 24


def test_a_skewed_key_tells_what_nothing_divides() -> None:
    """One symbol with a third of the messages: a figure, and a salt as the fix."""
    [said] = asked(
        bt.schema_of(Quote),
        history=MONTH,
        fields={"symbol": {"IBM": 1, "A": 1, "B": 1}, "exchange": "NYSE:1"},
        nodes=3,
    ).said
    assert "3 of 3 nodes busy" in said.sentence
    [said] = asked(bt.schema_of(Quote), history=MONTH, fields={"symbol": "40%:1", "exchange": "NYSE:1"}).said
    assert "and one growing end alone 40 %, which nothing divides" in said.sentence
    assert "bt.salt(" in said.sentence


def test_a_part_on_one_node_is_not_told_as_all() -> None:
    """Beside one symbol with six tenths of the messages no other node has much, but the rest is not on that one."""
    [said] = asked(bt.schema_of(Quote), history=MONTH, fields={"symbol": "60%:1", "exchange": "NYSE:1"}).said
    assert said.sentence.startswith(
        "Quote: one of 10 nodes has 60 % of the writes, and one growing end alone 60 %"
    )


def test_one_node_is_not_called_hot() -> None:
    """A cluster of one node has no other place; where that is too few, it is said how many are needed."""
    result = asked(refused(battery.hot), nodes=1)
    assert result.said[0].sentence == "Battery: the one node takes every write."
    assert result.better is None
    [said] = asked(bt.schema_of(Quote), nodes=1, events=Rate.parse("28000/s")).said
    assert said.sentence == (
        "Quote: the one node takes every write; it needs 200 % of its capacity: use 3 nodes."
    )
    assert said.hot


def test_nodes_that_would_do_are_not_asked_for_again() -> None:
    """Where one of them has too much of the writes, as many nodes as there are would do, if these were even."""
    fields = {"symbol": "40%:1", "exchange": "NYSE:1"}
    [said] = asked(
        bt.schema_of(Quote), history=MONTH, fields=fields, nodes=4, events=Rate.parse("40000/s")
    ).said
    assert "of its capacity: 4 nodes would do if the writes were even" in said.sentence
    assert "use 4 nodes" not in said.sentence


def test_ids_in_sequence_that_are_no_numbers_get_a_salt(monkeypatch: pytest.MonkeyPatch) -> None:
    """A UUID has no digits to write backwards; with the salt it is simulated, too, declared and proposed."""
    monkeypatch.setattr("btmodel.declare.metaclass.refuse", lambda _: None)

    class Shown(bt.Model, table="shown", events="40000/s"):
        id: UUID = bt.key(bt.UuidRaw(), sequential=True)
        f = bt.family("f", gc=bt.max_age(days=2))
        price: int = bt.column("p", f)
        one = bt.query("id")

    class Salted(bt.Model, table="shown", events="40000/s"):
        salt = bt.salt("id", buckets=10)
        id: UUID = bt.key(bt.UuidRaw(), sequential=True)
        f = bt.family("f", gc=bt.max_age(days=2))
        price: int = bt.column("p", f)
        one = bt.query("id")

    result = asked(bt.schema_of(Shown), history=MONTH)
    assert 'put `salt = bt.salt("id", buckets=10)` in front' in result.said[0].sentence
    assert "ReversedDigits" not in result.said[0].sentence
    assert asked(bt.schema_of(Salted), history=MONTH).better is None


def test_several_tables_are_told_together() -> None:
    """What they ask of the hottest node, who asks for the most, and only what is firm of each."""
    models = (refused(battery.hot), bt.schema_of(UserBattery), bt.schema_of(DeviceDay))
    result = asked(*models, history=timedelta(days=1))
    first, *others = result.said
    assert first.sentence.startswith("All: 3 tables together, ")
    assert "most is written to" in first.more[0]
    assert [one.table for one in others] == ["Battery"]
    assert result.better is not None
    assert result.better.scenario.workloads[0].model.key.shape == "BATTERY#{user}#{at}"


def test_one_row_that_is_hardly_written_is_no_hot_spot() -> None:
    """Every write of the settings goes to one row, once a day: nobody needs to read of it."""
    said = asked(bt.schema_of(ShopSettings), bt.schema_of(UserBattery)).said
    assert [one.table for one in said] == ["All"]
    assert asked(bt.schema_of(ShopSettings)).said[0].hot is False


# What keys cost those who read


def test_ranges_of_reads_are_those_of_the_salts() -> None:
    """One range for a served query, three for three salts, none where nothing serves it."""
    assert ranges_of(bt.schema_of(UserBattery)) == 1
    assert ranges_of(bt.schema_of(SaltedBattery)) == 3
    day_first = refused(meters.day_first)
    assert (ranges_of(day_first), unserved(day_first)) == (1, ())


# Steps, assumptions, words


@pytest.mark.parametrize(
    ("span", "count", "seconds"),
    [
        ("1h", 60, 60.0),
        ("24h", 1440, 60.0),
        ("7d", 1008, 600.0),
        ("30d", 1440, 1800.0),
        ("10s", 1, 10.0),
        ("365d", 730, 43_200.0),
    ],
)
def test_steps_are_minutes_of_a_day_and_longer_of_longer_times(span: str, count: int, seconds: float) -> None:
    """So that a simulation of a month takes no longer than that of a day."""
    assert steps_of(parse_every(span), None) == Steps(count, seconds)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("split-bytes", "200MiB", 200 * 2.0**20),
        ("split_bytes", "1.5 GB", 1.5e9),
        ("split-bytes", "1000", 1000.0),
        ("split-after", "10min", 600.0),
        ("split-after", "2.5", 2.5),
        ("split-load", "20%", 0.2),
        ("mixed", "1.2", 1.2),
    ],
)
def test_assumptions_are_told_as_text(name: str, text: str, value: float) -> None:
    """In the unit that each has."""
    assert getattr(assumptions_of({name: text}), name.replace("-", "_")) == pytest.approx(value)


def test_an_unknown_assumption_is_refused() -> None:
    """With the nearest, as everywhere."""
    with pytest.raises(SimulationRefused, match="did you mean split-byte"):
        assumptions_of({"split-byte": "1"})


def test_figures_are_told_in_words() -> None:
    """Three digits, and the unit that suits them."""
    assert [figure(one) for one in (0, 14000, 3.7912, 0.00412)] == ["0", "14,000", "3.79", "0.00412"]
    assert [percent(one) for one in (0, 0.0004, 0.004, 0.376, 1.43)] == [
        "0 %", "less than 0.1 %", "0.4 %", "38 %", "143 %",
    ]  # fmt: skip
    assert [many(one) for one in (0.63, 99, 432e6, 1.73e9)] == ["0.63", "99", "432 million", "1.73 billion"]
    assert [duration(one) for one in (0.0062, 61, 4500, 86_400, 864_000)] == [
        "6.2 ms", "61 s", "75 min", "24 h", "10 days",
    ]  # fmt: skip


def test_steps_that_are_too_long_to_show_a_day_are_told() -> None:
    """A key that begins with a day looks like one growing end in steps of days; one that grows at its end is one."""
    day = workload("day", "user", "at").model
    note = blurred(day, steps_of(timedelta(days=365), None))
    assert note is not None
    assert "a step of 12h is too long to show how the rows of one `day` are spread: give --step 4h" in note
    assert blurred(day, steps_of(timedelta(days=30), None)) is None
    assert blurred(day, Steps(30, 14_400)) is None
    assert blurred(workload("day", "at").model, Steps(30, 86_400)) is None
    assert blurred(workload("at", "user").model, Steps(30, 86_400)) is None


def test_a_swing_of_the_day_is_told_where_it_is_too_much() -> None:
    """What comes in the busiest time is set against what a node can do, and not the mean of the day."""
    [said] = asked(refused(battery.hot), daily=1.0, events=Rate(20_000)).said
    assert "that node can take 14,000 of the 40,000 events a second at the busiest time" in said.sentence
