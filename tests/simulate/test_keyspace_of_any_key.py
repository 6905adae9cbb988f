"""Key spaces of random keys, of all codecs, salts, hashes and delimiters."""

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from btmodel.codecs.key import Kind
from btmodel.errors import SimulationRefused, ValueRefused
from btmodel.simulate.cluster import Cluster, run
from btmodel.simulate.keyspace import traffic
from btmodel.simulate.workload import (
    START,
    Distribution,
    EventTime,
    Few,
    Sequential,
    Uniform,
    Weighted,
    Workload,
    Zipf,
)
from tests.examples_tried import examples
from tests.schemas import RandomKey, random_keys


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    """Workloads of random keys: their fields come evenly, or some more often, by the clock, or one after the other."""
    random = draw(random_keys())
    fields = {name: draw(_distributions(random, name)) for name in random.pools}
    counts = {name: draw(st.sampled_from([1, 2, 3, 10, 1_000])) for name in random.pools}
    days = draw(st.sampled_from([0, 0.1, 3]))
    start = START + timedelta(hours=draw(st.integers(0, 30)))
    writes = draw(st.sampled_from([0.01, 10, 30_000]))
    return Workload(random.model, writes, fields, counts, history=timedelta(days=days), start=start)


def _distributions(random: RandomKey, name: str) -> st.SearchStrategy[Distribution]:
    values = tuple((value, 1.0 + at) for at, value in enumerate(_apart(random.pools[name])))
    if name in random.key.hashed:
        return st.sampled_from([Uniform(), Weighted(values)])
    codec = random.key.field(name).codec
    if codec.kind is Kind.TIME:
        return st.sampled_from([EventTime(), EventTime(), Weighted(values)])
    more: list[Distribution] = [Sequential()] if codec.python_type is int else []
    return st.sampled_from([Uniform(), Zipf(), Few(0.9, 2), Weighted(values), *more])


def _apart(values: list[object]) -> list[object]:
    return [value for at, value in enumerate(values) if value not in values[:at] and value is not None]


@examples(50, deadline=None)
@given(workloads(), st.sampled_from([(5, 60.0), (30, 3600.0)]), st.sampled_from([1, 7, 300]))
def test_any_key_has_a_key_space(workload: Workload, steps: tuple[int, float], most: int) -> None:
    """Whatever the key, its intervals are in order, take all events, and no more of them are told apart than asked for."""
    try:
        found = traffic(workload, *steps, resolution=most)
    except (SimulationRefused, ValueRefused):
        return
    assert found.low == sorted(found.low)
    assert len(found.low) <= 20 * most + 100
    assert (found.before_rows >= 0).all()
    assert found.before_rows.sum() <= workload.writes * workload.history.total_seconds() * (1 + 1e-6)
    for step in range(steps[0]):
        assert found.writes(step).sum() == pytest.approx(workload.writes)
        new = found.new_rows(step)
        assert (new >= -1e-6).all()
        assert new.sum() <= workload.writes * steps[1] * (1 + 1e-6)
    for index in range(len(found.low)):
        assert len(found.texts(index)) <= len(found.fields)
    outcome = run(Cluster(3), [found])
    assert np.isfinite(outcome.load).all()
    assert np.isfinite(outcome.p99).all()
