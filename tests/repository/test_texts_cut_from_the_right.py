"""Reads of a text that may hold the delimiter, in front of fields of a fixed width, against a real server."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

from notes import generated

import btmodel as bt

Open = Callable[..., bt.Database]


class Visit(bt.Model, table="visits"):
    """A page on a day."""

    page: str = bt.key(bt.Text(max_length=40, holds_delimiter=True), cardinality=1_000)
    day: date = bt.key(bt.DateText())

    f = bt.family("f", gc=bt.max_versions(1))
    count: int = bt.column("c", f)

    of_page = bt.query("page", between="day")


def test_on_a_server(database: Open) -> None:
    """Reads, limits, pages, counts and deletions give and take the rows of the value alone."""
    visits = generated(Visit).VisitRepository(database(Visit))
    first = date(2020, 5, 1)
    days = [first + timedelta(days) for days in range(3)]
    visits.put_many(Visit(page=page, day=day, count=1) for page in ("a", "a#20200502", "a#2") for day in days)
    mine = [Visit(page="a", day=day, count=1) for day in days]
    assert list(visits.of_page("a")) == mine
    assert list(visits.of_page("a", days[1], None).limit(1)) == mine[1:2]
    assert list(visits.of_page("a").backwards().limit(2)) == mine[:0:-1]
    page = visits.of_page("a").page(2)
    assert page.rows == mine[:2]
    assert visits.of_page("a").page(2, page.next).rows == mine[2:]
    assert visits.of_page("a").count() == 3
    assert list(visits.newest(2, "a")) == mine[:0:-1]
    assert list(visits.of_page("a").where(count=1)) == mine
    assert [one.day for one in visits.of_page("a").keys()] == days
    assert list(visits.of_page("a").parallel(4)) == mine
    assert visits.of_page("a").only("count").to_arrow(["day"]).num_rows == 3
    assert visits.delete_prefix(page="a") == 3
    assert list(visits.of_page("a")) == []
    assert visits.of_page("a#20200502").delete() == 3
    assert visits.of_page("a#2").count() == 3


class Log(bt.Model, table="logs", bucket="day"):
    """The lines of a page, by the day."""

    page: str = bt.key(bt.Text(max_length=40, holds_delimiter=True), cardinality=1_000)
    day: date = bt.key(bt.DateText())

    f = bt.family("f", gc=bt.keep_all())
    lines: bt.History[str] = bt.history("l", f)


def test_events_on_a_server(database: Open) -> None:
    """The events of a text are those of its own buckets, the newest too."""
    logs = generated(Log).LogRepository(database(Log))
    at = datetime(2020, 5, 2, 12, tzinfo=UTC)
    for page in ("a", "a#20200502"):
        logs.append_many([logs.event(page=page, at=at + timedelta(days), lines=page) for days in range(2)])
    end = at + timedelta(9)
    assert [one.lines for one in logs.events("a", at, end)] == ["a", "a"]
    assert [one.page for one in logs.newest_events(1, "a")] == ["a"]
    assert [one.page for one in logs.newest_events(3, "a#20200502")] == ["a#20200502"] * 2
