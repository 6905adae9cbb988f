"""A simulated cluster: what is sent comes to nodes, and tablets divide the keys, whatever happens to them."""

from bisect import bisect_right
from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve

from btmodel.errors import SimulationRefused
from btmodel.schema import Bucket, Query
from btmodel.simulate.cluster import Assumptions, BoundKind, Cluster, Outcome, run
from btmodel.simulate.cluster.tablets import space_of, tablets_at_start
from btmodel.simulate.keyspace import traffic
from btmodel.simulate.workload import Reads, Workload, Zipf
from tests.simulate.brute import events
from tests.simulate.workloads import START, hashed, salted, workload

STEPS, SECONDS = 240, 60.0
# An old, large table, read at its newest rows and all over.
QUERIES = (Query("newest", ("user",), between="at"), Query("all", (), scan="a test"))
READS = (Reads("newest", 300, 20), Reads("all", 1, 1_000))
OLD = workload("user", "at", days=20, queries=QUERIES, reads=READS)
TABLES: dict[str, list[Workload]] = {
    "time first": [workload("at", "user")],
    "old": [OLD],
    "day first": [workload("day", "meter", bucket=Bucket.DAY, days=5)],
    "popular": [workload("user", "at", days=5, distributions={"user": Zipf()})],
    "several": [
        OLD,
        workload("at", table="NEW"),
        workload("uuid", table="IDS", writes=100),
        workload("user", table="ROWS"),
    ],
}


def simulated(tables: list[Workload], nodes: int = 5, **assumed: float) -> Outcome:
    """The outcome of some hours, from two hours in front of midnight on."""
    late = [evolve(one, start=START - timedelta(hours=2)) for one in tables]
    cluster = Cluster(nodes, assumptions=Assumptions(**assumed))
    return run(cluster, [traffic(one, STEPS, SECONDS, resolution=4_096) for one in late])


@pytest.mark.parametrize("name", TABLES)
def test_what_is_sent_comes_to_nodes(name: str) -> None:
    """In every step the nodes take all writes and all reads of all tables, and the heat maps show them."""
    tables = TABLES[name]
    found = simulated(tables)
    writes, reads = (found.node_writes.sum(axis=1), found.node_reads.sum(axis=1))
    assert writes == pytest.approx(np.full(STEPS, sum(one.writes for one in tables)))
    wanted = sum(one.per_second * one.rows for table in tables for one in table.reads)
    assert reads == pytest.approx(np.full(STEPS, wanted))
    assert sum(one.writes.sum(axis=0) for one in found.heat) == pytest.approx(writes, rel=1e-4)
    assert sum(one.node_writes for one in found.tables) == pytest.approx(found.node_writes, rel=1e-4)
    assert sum(one.node_reads for one in found.tables) == pytest.approx(found.node_reads, rel=1e-4, abs=1e-3)
    for table, heat in zip(found.tables, found.heat, strict=True):
        assert heat.rows.sum() == pytest.approx(table.rows[-1])
        assert heat.buckets <= 1000
        assert list(heat.low) == sorted(heat.low)


@pytest.mark.parametrize("name", TABLES)
def test_nothing_depends_on_chance(name: str) -> None:
    """The same question gets the same answer."""
    one, other = simulated(TABLES[name]), simulated(TABLES[name])
    assert (one.node_writes == other.node_writes).all()
    assert (one.p99 == other.p99).all()
    assert one.moves.tolist() == other.moves.tolist()
    assert one.bounds == other.bounds


KEYS = {
    "user": workload("user", "at", days=5),
    "popular": workload("user", "at", days=5, counts={"user": 800}, distributions={"user": Zipf()}),
    "salted": workload(salted("at", 3), "at", days=5),
    "hashed": workload(hashed("user"), "user", "at", days=5),
    "day first": workload("day", "meter", "at", days=5),
}


@pytest.mark.parametrize("name", KEYS)
def test_nodes_take_what_events_one_by_one_give_them(name: str) -> None:
    """Events whose keys are looked up in the tablets one by one come to the nodes in the same shares."""
    found = traffic(KEYS[name], STEPS, SECONDS)
    cluster = Cluster(
        4, assumptions=Assumptions(slack=1e9, split_load=1e9, balance_every=1e9, split_bytes=2**36)
    )
    outcome = run(cluster, [found])
    space = space_of(cluster, [found])
    tablets = tablets_at_start(cluster, space, found.before_bytes, found.writes(0) * space.write_cost)
    first = [found.low[at] for at in tablets.starts]
    keys = [one.key for one in events(KEYS[name], 0, 600, 6_000)]
    nodes = [tablets.node[max(0, bisect_right(first, key) - 1)] for key in keys]
    shares = np.bincount(nodes, minlength=4) / len(keys)
    assert outcome.node_writes[0] / outcome.node_writes[0].sum() == pytest.approx(shares, abs=0.03)


def test_a_hot_table_slows_its_neighbours() -> None:
    """Where one table's growing end fills a node, requests to another table on that node wait, too."""
    quiet = workload("uuid", table="IDS", writes=100, days=300)
    alone, beside = simulated([quiet]), simulated([quiet, workload("at", table="NEW", writes=30_000)])
    assert alone.p99[60] < 0.02
    full = int(beside.load[60].argmax())
    assert beside.backlog[60, full] > 10
    assert beside.load[60].max() > 2


def test_tables_of_different_steps_are_refused() -> None:
    """Tables are simulated together in the same steps of time alone."""
    with pytest.raises(SimulationRefused, match="same steps"):
        run(Cluster(3), [traffic(OLD, 10, 60), traffic(OLD, 20, 60)])
    with pytest.raises(SimulationRefused, match="at least one table"):
        run(Cluster(3), [])


def test_what_nobody_waits_for_is_given_up() -> None:
    """Three nodes' work on one node: what does not fit fails once people have waited for long enough."""
    found = simulated([workload("at", writes=42_000, size=200)], nodes=3)
    assert found.load[-1].max() == pytest.approx(3.0)
    assert found.backlog.max() == pytest.approx(60)
    assert found.failed[-1] == pytest.approx(2 / 3, rel=1e-3)
    assert found.p99[-1] == pytest.approx(60, rel=0.05)


def test_larger_rows_cost_more() -> None:
    """A row of 4 KB costs what four of 1 KB do, unless it is assumed otherwise."""
    large = [workload("at", writes=1_000, size=4 * 1024)]
    assert simulated(large).load[0].max() == pytest.approx(4 * 1_000 / 14_000, rel=0.02)
    assert simulated(large, larger_rows=1e-9).load[0].max() == pytest.approx(1_000 / 14_000, rel=0.02)


def test_bounds_tell_where_load_lies() -> None:
    """The firm results name the growing end, the row, or the small table, its share and what it asks of a node."""
    [tail, small] = simulated([workload("at", writes=28_000, size=200)]).bounds
    assert (tail.kind, tail.share, tail.grows, tail.what, tail.places) == (BoundKind.TAIL, 1.0, "at", "", 1)
    assert tail.of_node == pytest.approx(2.0)
    assert (small.kind, small.share) == (BoundKind.SMALL, 1.0)
    [salt, _] = simulated([workload(salted("at", 3), "at")]).bounds
    assert (salt.places, salt.what) == (3, "salt=0")
    assert salt.share == pytest.approx(1 / 3)
    rows = simulated([workload("user", days=300, size=200_000, distributions={"user": Zipf(1.2)})]).bounds
    assert [one.kind for one in rows] == [BoundKind.ROW]
    assert rows[0].what.startswith("user=")
    assert simulated([OLD]).bounds == []


def test_a_scan_costs_its_bytes() -> None:
    """Of a request for many rows the first is found, at 17,000 a second, and the others are scanned, at 220 MB a second."""
    newest = Query("newest", ("user",), between="at")
    for rows in (1, 1_000):
        reads = Reads("newest", 100, rows)
        work = workload("user", "at", writes=1e-3, days=20_000, queries=(newest,), reads=(reads,), size=1_000)
        [found] = simulated([work]).tables
        size = found.bytes[-1] / found.rows[-1]
        load = simulated([work]).load[0].sum()
        assert load == pytest.approx(100 * (1 / 17_000 + (rows - 1) * size / 220e6), rel=0.02)


def test_reads_of_the_newest_rows_come_to_the_growing_end() -> None:
    """Who reads by time reads where it grows; who reads whole prefixes, or scans, reads all of the table."""
    recent, every = Query("recent", (), between="at"), Query("every", (), scan="a test")
    for query, share in ((recent, 1.0), (every, 0.3)):
        work = workload("at", days=30, writes=100, queries=(query,), reads=(Reads(query.name, 1_000, 1),))
        reads = simulated([work]).node_reads[10]
        assert reads.max() / reads.sum() == pytest.approx(share, abs=0.12)
