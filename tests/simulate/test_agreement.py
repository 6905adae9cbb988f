"""The simulation agrees with the documents: each worked system does what they say that it does."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from attrs import evolve

import btmodel as bt
from btmodel.declare import collecting
from btmodel.schema import AccessKind, ModelSchema, access
from btmodel.schema.lookup import Access
from btmodel.simulate.alternatives import declared, salted
from btmodel.simulate.answer import LoadSpread
from btmodel.simulate.cluster.cluster import Cluster
from btmodel.simulate.cluster.outcome import BoundKind
from btmodel.simulate.declared_workload import workload_of
from btmodel.simulate.sentence import Verdict, verdict
from btmodel.simulate.simulation import Simulated, Steps, simulated
from btmodel.simulate.workload import Stated
from examples import battery, meters, users
from examples.battery import SaltedBattery, UserBattery
from examples.market import Quote
from examples.meters import Sensor
from examples.metrics import Metrics
from examples.users import User

# A day in steps of five minutes, of a table that has been there for a month.
DAY = Steps(288, 300.0)
MONTH = timedelta(days=30)
NODES = 10


@pytest.fixture(autouse=True)
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer intervals than the commands use: what is said here does not depend on their number, and most time goes to them."""
    monkeypatch.setattr("btmodel.simulate.simulation.RESOLUTION", 2_048)


def refused(declaring: Callable[[], object]) -> ModelSchema:
    """The schema of a class that the review refuses."""
    with collecting() as collected:
        declaring()
    return collected.schemas[0]


def run(model: ModelSchema, *, nodes: int = NODES, **said: object) -> Simulated:
    told = Stated(**{"history": MONTH, **said})  # type: ignore[arg-type]
    return simulated(declared([workload_of(model, told)]), Cluster(nodes), DAY)


def writes(model: ModelSchema, **said: object) -> LoadSpread:
    found = run(model, **said).answer.writes  # type: ignore[arg-type]
    assert found is not None
    return found


def test_batteries_by_time_are_written_by_one_node_at_a_time() -> None:
    """All phones write to the end of the table: one node has all of the writes, at every moment."""
    found = run(refused(battery.hot))
    assert found.answer.writes is not None
    assert found.answer.writes.busy == 1
    assert found.answer.writes.hottest == pytest.approx(1)
    # Firm: it follows from the key, and from no assumption.
    bound = found.answer.tables[0].bound(BoundKind.TAIL)
    assert bound is not None
    assert (bound.share, bound.places) == (pytest.approx(1), 1)


def test_the_end_of_a_table_is_one_node_however_tablets_split() -> None:
    """Whatever nobody publishes: tablets of a tenth or of ten times the size, split at once or hardly ever."""
    model = refused(battery.hot)
    workload = workload_of(model, Stated(history=MONTH))
    for assumed in ({"split_bytes": 1e8}, {"split_bytes": 1e10}, {"split_load": 0.01, "split_after": 1.0}):
        assumptions = evolve(Cluster(NODES).assumptions, **assumed)
        found = simulated(declared([workload]), Cluster(NODES, assumptions=assumptions), DAY)
        assert found.answer.writes is not None
        assert found.answer.writes.busy == 1, assumed


def test_batteries_by_user_are_spread() -> None:
    """The preferred design: the user is promoted into the key, and all nodes have about as much."""
    found = writes(bt.schema_of(UserBattery))
    assert found.busy == NODES
    assert found.hottest < 1.5 / NODES


def test_batteries_by_three_salts_keep_three_nodes_busy() -> None:
    """Three salts are three growing ends: three nodes, of however many there are."""
    found = run(bt.schema_of(SaltedBattery))
    assert found.answer.writes is not None
    assert found.answer.writes.busy == 3
    assert found.answer.writes.hottest == pytest.approx(1 / 3, rel=0.05)
    bound = found.answer.tables[0].bound(BoundKind.TAIL)
    assert bound is not None
    assert bound.places == 3


def test_a_range_of_salted_times_costs_three_scans() -> None:
    """The price of the salt: what happened between two times is one scan for each of its values."""
    model = bt.schema_of(SaltedBattery)
    served = access(model.key, model.query("in_time"))
    assert isinstance(served, Access)
    assert served.kind is AccessKind.RANGE
    assert served.scattered is not None
    assert served.scattered.derived is not None
    assert len(served.scattered.derived.values or ()) == 3
    day = (datetime(2015, 3, 1, tzinfo=UTC), datetime(2015, 3, 2, tzinfo=UTC))
    assert SaltedBattery.in_time.explain(at=day).count("b'BATTERY#") == 2 * 3


def test_meters_by_day_come_to_one_node_every_midnight() -> None:
    """At midnight a new range of keys begins, and it is one tablet: all meters write to one node, until that is split."""
    found = run(refused(meters.day_first))
    spread = found.answer.writes
    assert spread is not None
    assert spread.relapses
    # The simulated day begins at noon.
    midnight = 12 * 3600.0
    assert all(abs(one.begin - midnight) < 2 * DAY.seconds for one in spread.relapses)
    assert verdict(found.answer, found.answer.tables[0], 4 * 2.0**30) is Verdict.AGAIN


def test_meters_by_meter_are_spread_at_every_hour() -> None:
    """The documented key: the meter, then the day."""
    spread = writes(bt.schema_of(Sensor))
    assert spread.relapses == ()
    assert spread.busy == NODES
    assert spread.hottest < 1.5 / NODES


def in_order() -> object:
    """Users by ids that are given one after the other."""

    class Users(bt.Model, table="users", events="200/s"):
        id: int = bt.key(bt.PaddedInt(9), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        profile: str = bt.column("profile", data, size=2_000)

    return Users


def test_sequential_ids_in_front_are_hot_at_the_end() -> None:
    """New users have the highest ids: they are all written to the last tablet."""
    spread = writes(refused(in_order))
    assert (spread.busy, spread.hottest) == (1, pytest.approx(1))


def test_sequential_ids_written_backwards_are_spread() -> None:
    """The same ids, their digits the other way round."""
    spread = writes(bt.schema_of(User))
    assert spread.busy >= NODES - 1
    assert spread.hottest < 2 / NODES


def test_logins_by_time_are_hot_also_where_the_time_is_reversed() -> None:
    """Reversed or not, one tablet takes all new rows: the first one, here."""
    assert writes(refused(users.newest_of_all)).busy == 1


def test_the_risk_of_few_symbols_is_quantified() -> None:
    """Of thousands of symbols, 90 % of the messages on a few hundred: what the hottest node has is a figure.

    200 symbols on 20 exchanges are 4,000 growing ends with 0.0225 % of the messages each: on ten nodes they spread. Where they
    are on one exchange, and only ten of them have it all, no splitting brings the hottest node below its share.
    """
    model = bt.schema_of(Quote)
    few = run(model, fields={"symbol": "90%:200"})
    assert few.answer.writes is not None
    assert few.answer.writes.hottest < 1.5 / NODES
    ten = run(model, fields={"symbol": "90%:2", "exchange": "NASDAQ:1"})
    assert ten.answer.writes is not None
    assert ten.answer.writes.hottest >= 0.45
    bound = ten.answer.tables[0].bound(BoundKind.TAIL)
    assert bound is not None
    assert bound.share == pytest.approx(0.45, rel=0.01)


def test_a_salt_takes_the_risk_at_its_price() -> None:
    """Salted by ten, the two symbols with nine tenths of the messages are twenty growing ends."""
    found = run(salted(bt.schema_of(Quote), NODES), fields={"symbol": "90%:2", "exchange": "NASDAQ:1"})
    assert found.answer.writes is not None
    assert found.answer.writes.hottest < 2 / NODES


@pytest.mark.parametrize(
    ("model", "least", "most"),
    [(Metrics, 1.7e9, 2.0e9), (Sensor, 9.9e6, 10e6 + 1), (Quote, 2e8, 9e8)],
    ids=["about 2 billion", "at most 10 million", "hundreds of millions"],
)
def test_the_rows_of_a_day_are_those_of_the_documents(
    model: type[bt.Model], least: float, most: float
) -> None:
    """METRIC about two billion, SENSOR at most ten million of 96 columns, QUOTE hundreds of millions; told in two ways."""
    midnight = workload_of(bt.schema_of(model)).start.replace(hour=0)
    found = run(bt.schema_of(model), history=timedelta(0), start=midnight).answer.tables[0]
    assert least < found.growth.rows_a_day < most
    # The keys that were written, against those that are counted without a key.
    assert found.rows == pytest.approx(found.growth.rows_a_day, rel=0.01)
