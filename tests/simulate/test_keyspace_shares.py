"""The intervals of a key space against events that are written one by one."""

from bisect import bisect_right
from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve

from btmodel.schema import Bucket, KeyField
from btmodel.simulate.keyspace import IntervalKind, Traffic, traffic
from btmodel.simulate.workload import Few, Weighted, Workload, Zipf
from tests.simulate.brute import events
from tests.simulate.workloads import FIELDS, START, hashed, salted, workload

EVENTS = 4_000
STEPS, SECONDS = 120, 60.0
FEWER = 512  # intervals, for what holds of any number of them
# The start lies an hour in front of midnight, which the day begins at in the middle of the two hours.
LATE = START - timedelta(hours=1)

KEYS: dict[str, Workload] = {
    "time first": workload("at", "user"),
    "newest first": workload("newest", "user"),
    "user, time": workload("user", "at"),
    "few users, time": workload("user", "at", counts={"user": 5}),
    "few users, newest": workload("user", "newest", counts={"user": 5}, days=1),
    "popular users, time": workload("user", "at", counts={"user": 500}, distributions={"user": Zipf()}),
    "a few of many users": workload(
        "user", "at", counts={"user": 1_000}, distributions={"user": Few(0.9, 20)}
    ),
    "salt of the time": workload(salted("at", 3), "at"),
    "salt of the user": workload(salted("user", 3), "user", "at", counts={"user": 50}),
    "salt of the user, day": workload(salted("user", 3), "day", "user"),
    "hash of the user": workload(hashed("user"), "user", "at"),
    "hash of the time": workload(hashed("at"), "at"),
    "hash of the day": workload(hashed("day"), "day", "user"),
    "day, meter": workload("day", "meter", bucket=Bucket.DAY),
    "meter, day": workload("meter", "day", bucket=Bucket.DAY, days=2),
    "day, user, time": workload("day", "user", "at", counts={"user": 10}),
    "ids in order": workload("id"),
    "ids in order of each user": workload("user", "id", counts={"user": 3}),
    "ids backwards": workload("backwards"),
    "uuids": workload("uuid"),
    "weighted": workload(
        "user", "meter", counts={"user": 2}, distributions={"user": Weighted((("a", 9.0), ("b", 1.0)))}
    ),
    "rows that are all written again": workload("user"),
    "two crowds": workload("meter", "user", counts={"meter": 40, "user": 1_000}),
    "salt in front of two": workload(salted("user", 3), "meter", "user", counts={"meter": 20}),
    "no delimiter": workload(KeyField("user", FIELDS["user"], ends=b""), "at", counts={"user": 30}),
}


@pytest.mark.parametrize("name", KEYS)
def test_intervals_take_what_events_one_by_one_give_them(name: str) -> None:
    """In the hour in front of midnight, and in the one behind it, about as many events have keys below an interval as the intervals below it are said to take."""
    work = evolve(KEYS[name], start=LATE)
    found = traffic(work, STEPS, SECONDS)
    for steps in (range(STEPS // 2), range(STEPS // 2, STEPS)):
        written = events(work, steps[0] * SECONDS, (steps[-1] + 1) * SECONDS, EVENTS)
        assert apart(found, steps, [one.key for one in written]) < 0.04


def apart(found: Traffic, steps: range, keys: list[bytes]) -> float:
    """How far the shares of events below each interval lie from those of real keys, at the most."""
    counted = np.bincount(
        [max(0, bisect_right(found.low, key) - 1) for key in keys], minlength=len(found.low)
    )
    said = sum(found.writes(step) for step in steps)
    return float(np.abs(np.cumsum(said) / said.sum() - np.cumsum(counted) / len(keys)).max())


@pytest.mark.parametrize("name", KEYS)
def test_all_that_comes_comes_to_some_interval(name: str) -> None:
    """In every step the intervals take all events together, and in the order of their keys."""
    found = traffic(evolve(KEYS[name], daily=0.5, growth=0.1), STEPS, SECONDS, FEWER)
    assert found.low == sorted(found.low)
    for step in range(STEPS):
        assert found.writes(step).sum() == pytest.approx(found.pace.rate[step])


@pytest.mark.parametrize("name", KEYS)
def test_the_same_workload_has_the_same_intervals(name: str) -> None:
    """Nothing depends on chance: two simulations of one workload are equal."""
    one, other = (traffic(KEYS[name], STEPS, SECONDS, FEWER) for _ in range(2))
    assert one.low == other.low
    assert (one.writes(7) == other.writes(7)).all()
    assert one.label(len(one.low) // 2) == other.label(len(one.low) // 2)


@pytest.mark.parametrize("name", KEYS)
def test_what_can_be_divided_is_told_apart(name: str) -> None:
    """No interval that stands for many keys takes more than a thousandth of the writes: one that does is a row or an end."""
    found = traffic(KEYS[name], STEPS, SECONDS)
    now = found.writes(0) / found.pace.rate[0]
    assert all(
        share < 0.001 for share, kind in zip(now, found.kinds, strict=True) if kind is IntervalKind.CROWD
    )
