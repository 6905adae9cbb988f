"""Reads of models that share a table, and a part of their keys."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt

NOON = datetime(2020, 1, 1, 12, tzinfo=UTC)


class Visit(bt.Model, table="MIXED"):
    """A visit of a user."""

    user: str = bt.key(bt.Text(max_length=8), cardinality=100)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    size: int = bt.column("s", f)

    between_times = bt.query("user", between="at")
    of_user = bt.query("user")


class Settings(bt.Model, table="MIXED"):
    """The settings of a user, whose key is no visit's: a word stands where a visit has digits."""

    user: str = bt.key(bt.Text(max_length=8), cardinality=100)
    kind = bt.constant("settings")

    f = bt.family("f", gc=bt.max_versions(1))
    size: int = bt.column("s", f)


class Before(bt.Model, table="MIXED"):
    """What sorts in front of all visits of a user."""

    user: str = bt.key(bt.Text(max_length=8), cardinality=100)
    kind = bt.constant("!")

    f = bt.family("f", gc=bt.max_versions(1))
    size: int = bt.column("s", f)


class Day(bt.Model, table="MIXED", bucket="day"):
    """Readings of a day, beside the settings of the same user."""

    user: str = bt.key(bt.Text(max_length=8), cardinality=100)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    e = bt.family("e", gc=bt.max_age(days=36_000))
    level: bt.History[int] = bt.history("l", e)


VISITS, SETTINGS, BEFORE, DAYS = map(generated, (Visit, Settings, Before, Day))


@pytest.fixture
def visits(bigtable: Any) -> Any:
    """Two visits, between rows of other models."""
    db = bigtable(Visit, Settings, Before, Day)
    SETTINGS.SettingsRepository(db).put(Settings(user="jo", size=1))
    BEFORE.BeforeRepository(db).put(Before(user="jo", size=2))
    found = VISITS.VisitRepository(db)
    found.put_many(Visit(user="jo", at=NOON + timedelta(hours=one), size=one) for one in (0, 1))
    return found


def test_open_ranges_end_where_the_values_do(visits: Any) -> None:
    """Without an end, a start or both, a range meets no row of another model whose key goes on with other bytes."""
    assert [row.size for row in visits.between_times("jo", NOON)] == [0, 1]
    assert [row.size for row in visits.between_times("jo", None, NOON + timedelta(hours=1))] == [0]
    assert [row.size for row in visits.between_times("jo")] == [0, 1]
    assert [row.size for row in visits.of_user("jo").backwards()] == [1, 0]
    assert [row.size for row in visits.newest(1, "jo")] == [1]
    assert visits.of_user(["al", "jo"]).count() == 2
    assert visits.delete_prefix(user="jo") == 2
    assert [key for key, _ in visits._db.cells("MIXED")] == [b"jo#!", b"jo#settings"]


def test_open_events_end_where_the_labels_do(visits: Any) -> None:
    """So do the events of buckets, of which the newest are read from an open end."""
    days = DAYS.DayRepository(visits._db)
    visits.delete_prefix(user="jo")
    days.append(user="jo", at=NOON, level=7)
    assert [event.level for event in days.newest_events(3, "jo")] == [7]
