"""Key spaces that are made from a real sample of keys."""

from bisect import bisect_right
from random import Random

import numpy as np
import pytest

from btmodel.errors import SimulationRefused
from btmodel.simulate.keyspace import IntervalKind, traffic
from btmodel.simulate.workload import Weighted, Workload, Zipf
from tests.simulate.brute import events
from tests.simulate.workloads import hashed, salted, workload

STEPS, SECONDS = 60, 60.0
KEYS = {
    "user, time": {"fields": ("user", "at"), "counts": {"user": 100_000}},
    "popular users, time": {
        "fields": ("user", "at"),
        "counts": {"user": 300},
        "distributions": {"user": Zipf()},
    },
    "time first": {"fields": ("at", "user")},
    "day, meter": {"fields": ("day", "meter")},
    "salted": {"fields": (salted("at", 3), "at")},
    "hashed": {"fields": (hashed("user"), "user", "at")},
}


def sampled(name: str) -> tuple[Workload, Workload]:
    """A workload, and the same one known by a sample of its keys alone."""
    told = KEYS[name]
    whole = workload(*told["fields"], **{key: value for key, value in told.items() if key != "fields"})
    keys = [one.key for one in events(whole, -86_400, 0, 10_000)]
    Random(1).shuffle(keys)
    return whole, workload(*told["fields"], counts=told.get("counts"), keys=tuple(keys))


@pytest.mark.parametrize("name", KEYS)
def test_a_sample_tells_where_events_will_come(name: str) -> None:
    """What is written after the sample was taken comes to the intervals as is computed from the sample."""
    whole, known = sampled(name)
    found = traffic(known, STEPS, SECONDS)
    keys = [one.key for one in events(whole, 0, 3_600, 5_000)]
    counted = np.bincount(
        [max(0, bisect_right(found.low, key) - 1) for key in keys], minlength=len(found.low)
    )
    said = sum(found.writes(step) for step in range(STEPS))
    assert np.abs(np.cumsum(said) / said.sum() - np.cumsum(counted) / len(keys)).max() < 0.04


def test_what_a_sample_has_often_is_told_apart() -> None:
    """A user with a third of the keys in the sample is one growing end; users that it has once stand for others."""
    weights = Weighted((("anna", 1.0), *((f"u{number:05}", 2 / 5_000) for number in range(5_000))))
    whole = workload("user", "at", distributions={"user": weights})
    keys = tuple(one.key for one in events(whole, -600, 0, 3_000))
    found = traffic(workload("user", "at", counts={"user": 5_001}, keys=keys), STEPS, SECONDS)
    now = found.writes(0)
    largest = int(now.argmax())
    assert found.kinds[largest] is IntervalKind.TAIL
    assert found.label(largest).startswith("user=anna at=")
    assert now[largest] / now.sum() == pytest.approx(1 / 3, abs=0.03)
    assert sum(kind is IntervalKind.CROWD for kind in found.kinds) > 1_000


def test_keys_of_something_else_are_left_out() -> None:
    """A key that the model cannot take apart is no row of it; where all are such, nothing can be simulated."""
    whole = workload("meter", "at")
    keys = tuple(one.key for one in events(whole, 0, 60, 50))
    found = traffic(workload("meter", "at", keys=(*keys, b"strange")), STEPS, SECONDS)
    assert found.writes(0).sum() == pytest.approx(20_000)
    with pytest.raises(SimulationRefused, match="expected keys of its rows"):
        traffic(workload("meter", "at", keys=(b"strange",)), STEPS, SECONDS)
