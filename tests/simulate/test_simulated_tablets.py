"""Tablets that are split, merged and moved; nodes and their queues."""

from math import ceil, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from btmodel.errors import SimulationRefused
from btmodel.simulate.arrays import Array, Index
from btmodel.simulate.cluster import LIMITS, Assumptions, Cluster, described
from btmodel.simulate.cluster.engine import asked, percentile, queued
from btmodel.simulate.cluster.tablets import Tablets, balance, by_load, by_size, placed, to_merge

INTERVALS = 40
LOADS = arrays(np.float64, INTERVALS, elements=st.floats(0, 1) | st.just(0.0))
ASSUMED = Assumptions()


def tablets(*starts: int, tables: tuple[int, ...] = ()) -> Tablets:
    """Tablets that begin at these intervals, of one table unless told otherwise."""
    table = np.array(tables or [0] * len(starts))
    return Tablets(np.array(starts), table, np.zeros(len(starts), dtype=np.int64), INTERVALS)


@given(LOADS, st.sets(st.integers(1, INTERVALS - 1), max_size=20), st.data())
def test_splits_and_merges_lose_nothing(load: Array, cuts: set[int], data: st.DataObject) -> None:
    """However tablets are split and merged, each interval is in one of them, and what is known of the load is kept."""
    found = tablets(0)
    found.learn(load, 1.0)
    found.split(np.array(sorted(cuts), dtype=np.int64), load, 60.0)
    assert found.starts.tolist() == [0, *sorted(cuts)]
    assert found.known == pytest.approx(found.sums(load))
    gone = data.draw(st.sets(st.integers(1, len(found) - 1), max_size=5)) if len(found) > 1 else set()
    apart = [one for one in sorted(gone) if one - 1 not in gone]
    found.merge(np.array(apart, dtype=np.int64), 120.0)
    assert found.sums(load).sum() == pytest.approx(load.sum())
    assert found.known == pytest.approx(found.sums(load))
    assert {len(part) for part in (found.starts, found.table, found.node, found.born, found.hot)} == {
        len(found)
    }


def test_a_hot_tablet_is_split_after_a_while() -> None:
    """It is split in the middle of its load, once it has been hot for five minutes, and is not too young."""
    load = np.full(INTERVALS, 0.01)
    found = tablets(0)
    found.born[:] = 0.0
    at: list[list[int]] = [
        by_load(found, load, 60.0 * minute, 60.0, ASSUMED).tolist() for minute in range(1, 12)
    ]
    assert at == [[]] * 9 + [[20]] * 2


def test_no_split_helps_one_interval() -> None:
    """What comes to one row or one growing end stays together, and is not split off from what nobody writes to."""
    load = np.zeros(INTERVALS)
    load[7] = 0.9
    found = tablets(0)
    assert not len(by_load(found, load, 1e6, 1e6, ASSUMED))
    load[8:10] = 0.2
    assert by_load(found, load, 1e6, 1e6, ASSUMED).tolist() == [8]


@given(LOADS)
def test_a_split_by_size_leaves_bytes_on_both_sides(size: Array) -> None:
    """Tablets are split until none is too large that has two intervals with bytes."""
    found = tablets(0)
    for _ in range(INTERVALS):
        cuts = by_size(found, size, 2.0)
        found.split(cuts, size, 0.0)
    for start, end in zip(found.starts, found.ends, strict=True):
        part = size[start:end]
        assert part.sum() <= 2.0 or np.count_nonzero(part > 1e-9 * part.sum()) <= 1
    assert (found.sums(size) > 0).all() or len(found) == 1


def test_cold_neighbours_are_merged() -> None:
    """Small neighbours of one table that nobody writes to become one tablet, after an hour, two at a time."""
    found = tablets(0, 10, 20, 30, 35, tables=(0, 0, 0, 1, 1))
    size = np.ones(INTERVALS)
    found.born[:] = 0.0
    assert to_merge(found, size, 3_000.0, ASSUMED).tolist() == []
    assert to_merge(found, size, 4_000.0, ASSUMED).tolist() == [1, 4]
    found.known[1] = 0.1
    assert to_merge(found, size, 4_000.0, ASSUMED).tolist() == [4]
    assert to_merge(found, size * 2**30, 4_000.0, ASSUMED).tolist() == []


@given(arrays(np.float64, 60, elements=st.floats(0, 0.1)), arrays(np.int64, 60, elements=st.integers(0, 4)))
def test_the_balancer_makes_nothing_worse(load: Array, node: Index) -> None:
    """Only free tablets are moved, no more than are allowed, and the hottest node gets no hotter."""
    free = np.arange(60) % 3 > 0
    moves = balance(node, 5, load, np.zeros(60), free, ASSUMED)
    assert (moves.node == node)[~free].all()
    assert np.count_nonzero(moves.node != node) <= moves.made
    assert moves.made <= sum(max(1, ceil(count * ASSUMED.moves)) for count in np.bincount(node, minlength=5))
    before, after = np.bincount(node, load, 5), np.bincount(moves.node, load, 5)
    assert after.max() <= before.max() + 1e-9


def test_the_balancer_ends() -> None:
    """Left alone, it comes to nodes that differ by no more than it leaves, and then moves nothing."""
    load, size = np.linspace(0.001, 0.02, 400), np.full(400, 2.0**29)
    node, free = np.zeros(400, dtype=np.int64), np.ones(400, dtype=bool)
    for _ in range(60):
        moves = balance(node, 8, load, size, free, ASSUMED)
        node = moves.node
    assert moves.made == 0
    loads = np.bincount(node, load, 8)
    assert loads.max() / loads.mean() <= 1.1


def test_bytes_come_to_no_hot_node() -> None:
    """Cold tablets are evened out by their bytes, but none comes to the node that one hot tablet fills."""
    load, size = np.zeros(101), np.full(101, 2.0**30)
    load[0] = 1.0
    node = np.array([0, *[1] * 100])
    for _ in range(100):
        node = balance(node, 4, load, size, np.ones(101, dtype=bool), ASSUMED).node
    counts = np.bincount(node)
    assert counts[0] == 1
    assert counts[1:].tolist() == pytest.approx([33, 33, 33], abs=3)
    assert np.bincount(placed(load, size, 4))[node[0]] <= 26


def test_reads_and_writes_cost_more_together() -> None:
    """Half and half asks for 1.15 times as much as either alone; either alone for no more."""
    writes, reads = np.array([0.4, 0.8, 0.0, 0.0]), np.array([0.4, 0.0, 0.8, 0.0])
    assert asked(writes, reads, 1.15) == pytest.approx([0.92, 0.8, 0.8, 0.0])


def test_work_waits_and_is_done_later() -> None:
    """A node that gets half too much for a minute has half a minute of work waiting, and needs as long at half its load."""
    found = queued(np.zeros(2), np.array([1.5, 0.2]), 60.0, ASSUMED)
    assert found.backlog == pytest.approx([30, 0])
    assert found.failed == 0
    assert queued(found.backlog, np.array([0.5, 0.2]), 60.0, ASSUMED).backlog == pytest.approx([0, 0])
    lost = queued(found.backlog, np.array([3.0, 0.0]), 60.0, ASSUMED)
    assert lost.backlog == pytest.approx([60, 0])
    assert lost.failed == pytest.approx(90 / 180)


def test_the_slowest_hundredth_waits_for_the_slowest_node() -> None:
    """The 99th percentile follows the load where all nodes are alike, and the hot node where it has enough requests."""
    alike = percentile(np.full((1, 3), 0.5), np.zeros((1, 3)), np.full((1, 3), 10.0), 0.001)
    assert alike == pytest.approx([0.002 * log(100)], rel=1e-6)
    hot = percentile(np.array([[0.5, 0.5, 1.5]]), np.array([[0.0, 0.0, 30.0]]), np.full((1, 3), 10.0), 0.001)
    assert 30 < hot[0] < 31
    few = percentile(np.array([[0.5, 1.5]]), np.array([[0.0, 30.0]]), np.array([[9_990.0, 10.0]]), 0.001)
    assert few[0] < 0.02
    assert percentile(np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3)), 0.001) == pytest.approx([0])


def test_p99_is_about_as_measured() -> None:
    """At 0.25 to 0.5 of a node p99 is 8 to 13 ms, at 0.9 it is 50 to 64 ms: Google's figures of 2021."""
    for load, least, most in ((0.25, 5, 13), (0.5, 7.8, 13), (0.9, 50, 64)):
        found = 1_000 * percentile(np.full((1, 3), load), np.zeros((1, 3)), np.ones((1, 3)), ASSUMED.service)
        assert least <= found[0] <= most


def test_assumptions_are_told() -> None:
    """Each assumption has a unit, what it decides, and what its default is taken from; the value is the one that was given."""
    found = {one.name: one for one in described(Assumptions(split_after=90))}
    assert found["split_after"].value == 90
    assert found["split_after"].default == 300
    for one in found.values():
        assert one.unit
        assert one.decides
        assert one.taken_from


@pytest.mark.parametrize("wrong", [0, -1, float("inf"), float("nan")])
def test_assumptions_that_make_no_sense_are_refused(wrong: float) -> None:
    """A number that is not above 0 is no assumption; a mixture costs no less than its parts."""
    with pytest.raises(SimulationRefused, match="expected a number from"):
        Assumptions(split_bytes=wrong)
    with pytest.raises(SimulationRefused, match="expected a number from 1 to"):
        Assumptions(mixed=wrong)


def test_a_cluster_has_documented_limits() -> None:
    """Limits come with the storage, and nodes may be added; a cluster without nodes, or of other storage, is refused."""
    assert Cluster(3).limits.writes == 14_000
    assert Cluster(3, "hdd").limits == LIMITS["hdd"]
    grows = Cluster(3, added=((60.0, 2), (120.0, 1)))
    assert [grows.nodes_at(at) for at in (0, 60, 200)] == [3, 5, 6]
    assert grows.most_nodes == 6
    with pytest.raises(SimulationRefused, match="from 1 to"):
        Cluster(0)
    with pytest.raises(SimulationRefused, match="ssd or hdd"):
        Cluster(3, "tape")
