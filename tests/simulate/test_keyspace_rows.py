"""The rows that events make, against rows that are counted."""

from datetime import timedelta

import pytest
from attrs import evolve

from btmodel.schema import Bucket
from btmodel.simulate.keyspace import traffic
from btmodel.simulate.workload import Few, Workload, Zipf
from tests.simulate.brute import events
from tests.simulate.workloads import START, hashed, salted, workload

STEPS, SECONDS = 240, 60.0
END = STEPS * SECONDS
# So that midnight lies in the middle.
LATE = START - timedelta(hours=2)
RATE = 1.0  # an event a second

KEYS: dict[str, Workload] = {
    "rows that are all written again": workload("user", counts={"user": 3_000}),
    "popular rows": workload("user", counts={"user": 3_000}, distributions={"user": Zipf()}),
    "a few rows": workload("user", counts={"user": 3_000}, distributions={"user": Few(0.9, 50)}),
    "a row a day": workload("meter", "day", bucket=Bucket.DAY, counts={"meter": 2_000}),
    "a row a day, the day first": workload("day", "meter", bucket=Bucket.DAY, counts={"meter": 2_000}),
    "a row a day, behind a salt": workload(salted("meter", 3), "meter", "day", counts={"meter": 2_000}),
    "a row a day, behind a hash": workload(hashed("meter"), "meter", "day", counts={"meter": 2_000}),
    "a row an event": workload("user", "at", counts={"user": 100}),
    "a row an event, the time first": workload("at", "user", counts={"user": 100}),
    "two fields": workload("meter", "user", counts={"meter": 60, "user": 60}),
    "ids in order": workload("id"),
    "ids backwards": workload("backwards"),
}


@pytest.mark.parametrize("name", KEYS)
def test_as_many_rows_are_counted_as_there_are(name: str) -> None:
    """After each hour there are about as many new rows as events one by one have different keys."""
    work = evolve(KEYS[name], start=LATE, writes=RATE)
    found = traffic(work, STEPS, SECONDS)
    written = list(events(work, 0, END, int(END * RATE)))
    for hour in range(1, 5):
        keys = {one.key for one in written if one.second < hour * 3600}
        said = sum(found.new_rows(step).sum() for step in range(hour * 60))
        assert said == pytest.approx(len(keys), rel=0.06)


@pytest.mark.parametrize("name", KEYS)
def test_rows_from_before_the_start_are_counted(name: str) -> None:
    """A table that was written to for two hours has about as many rows as events of two hours have different keys."""
    # Ids that were given before are as many as are counted, and none is written again.
    work = evolve(KEYS[name], writes=RATE, history=timedelta(hours=2), start=LATE + timedelta(hours=1))
    before = evolve(work, history=timedelta(0), start=work.start - work.history)
    keys = {one.key for one in events(before, 0, 7200, 7200)}
    assert traffic(work, STEPS, SECONDS).before_rows.sum() == pytest.approx(len(keys), rel=0.06)


def test_a_long_history_fills_a_bucket_table() -> None:
    """After 30 days in which each meter wrote many times a day, there are 30 rows of each."""
    work = workload("meter", "day", bucket=Bucket.DAY, counts={"meter": 1_000}, writes=1_000, days=30)
    assert traffic(work, STEPS, SECONDS).before_rows.sum() == pytest.approx(30_000)
    first = workload("day", "meter", bucket=Bucket.DAY, counts={"meter": 1_000}, writes=1_000, days=30)
    assert traffic(first, STEPS, SECONDS).before_rows.sum() == pytest.approx(30_000)


def test_events_of_a_bucket_grow_their_row() -> None:
    """A bucket's row takes its bytes event by event, and has them all at the end of its day."""
    work = workload("meter", "day", bucket=Bucket.DAY, counts={"meter": 1_000}, writes=1_000)
    found = traffic(work, 24, 3600)
    grown = [found.new_bytes(step, found.new_rows(step)).sum() for step in range(24)]
    assert sum(grown) == pytest.approx(1_000 * found.row_bytes, rel=0.01)
    assert grown[-1] == pytest.approx(grown[1], rel=0.01)


@pytest.mark.parametrize("hours", [1, 3, 26, 47, 72])
@pytest.mark.parametrize("fields", [("meter", "day"), ("day", "meter")])
def test_a_history_may_begin_in_the_middle_of_a_day(hours: int, fields: tuple[str, str]) -> None:
    """The first day has as many rows as the rest of it made, and so has the day in which the history ends."""
    work = workload(*fields, bucket=Bucket.DAY, counts={"meter": 1_000})
    work = evolve(work, writes=RATE / 4, history=timedelta(hours=hours), start=LATE)
    before = evolve(work, history=timedelta(0), start=work.start - work.history)
    keys = {one.key for one in events(before, 0, hours * 3600.0, hours * 900)}
    assert traffic(work, STEPS, SECONDS).before_rows.sum() == pytest.approx(len(keys), rel=0.03)


@pytest.mark.parametrize("field", ["id", "backwards"])
def test_ids_from_before_the_start_are_ids_of_their_own(field: str) -> None:
    """A history gives more ids than are counted: its rows do not lie at one."""
    found = traffic(workload(field, days=5, counts={field: 10}), STEPS, SECONDS)
    assert len(set(found.low)) == len(found.low)
    assert found.before_rows.max() < 0.05 * found.before_rows.sum()
