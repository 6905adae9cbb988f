"""Counters that end: a number for each span of time, whose age a GC rule may bound, against a real server."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notes import generated

import btmodel as bt
from btmodel.declare import codec_of
from btmodel.rows import Add, Cell
from btmodel.rows.edits import Edits, RowEdit
from btmodel.schema.bucket import Spans

Open = Callable[..., bt.Database]
pytestmark = pytest.mark.both_servers


class Visits(bt.Model, table="visits"):
    """How often a page was seen, by the hour and by the day, and how often in all."""

    page: str = bt.key(bt.Text(max_length=20))

    h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
    top = bt.family("m", gc=bt.max_versions(2), aggregate="max")
    c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
    clicks: bt.History[int] = bt.counter("c", h, every="1h")
    days: bt.History[int] = bt.counter("d", h, every="1day")
    slowest: bt.History[int] = bt.counter("s", top, every="15min")
    total: int | None = bt.counter("t", c)

    every = bt.query(scan="the tests")


class Article(bt.Model, table="articles"):
    """An article, which must have a title, and its readers."""

    id: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(1))
    h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
    title: str = bt.column("t", d)
    at: bt.History[int] = bt.counter("a", h, every="1h")


class Rented(bt.Model, table="rented_{tenant}"):
    """How often a tenant's page was seen, kept for as long as the tenant pays for."""

    page: str = bt.key(bt.Text(max_length=20))

    h = bt.family("h", gc=bt.max_age("{ttl}"), aggregate="sum")
    clicks: bt.History[int] = bt.counter("c", h, every="1h")


VISITS, ARTICLES = generated(Visits), generated(Article)
KEY = VISITS.VisitsKey("tea")
NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=2)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture
def visits(database: Open) -> Any:
    """An empty table of visits."""
    return VISITS.VisitsRepository(database(Visits))


def test_an_amount_is_added_to_the_span_of_its_time(visits: Any) -> None:
    """Each span has a number of its own, under the time that it begins at, the newest first; others are left alone."""
    visits.add(KEY, clicks=5, days=5, at=NOON)
    visits.add(KEY, clicks=2, days=2, at=NOON + timedelta(minutes=59, microseconds=59_999_999))
    visits.add(KEY, clicks=-1, days=1, at=NOON + HOUR)
    found = visits.get("tea")
    assert list(found.clicks.items()) == [(NOON + HOUR, -1), (NOON, 7)]
    assert found.days == {NOON.replace(hour=0): 8}
    assert (found.clicks.total, found.days.total, found.slowest, found.total) == (6, 8, {}, None)
    assert found.clicks.between(NOON, NOON + HOUR).total == 7
    cells = [one for _, row in visits._db.cells("visits", b"tea") for one in row if one.family == "h"]
    first = int(NOON.timestamp()) * 1_000_000
    assert cells == [
        Cell("h", b"c", first + 3_600_000_000, b"\xff" * 8),
        Cell("h", b"c", first, bytes(7) + b"\x07"),
        Cell("h", b"d", first - 12 * 3_600_000_000, bytes(7) + b"\x08"),
    ]


def test_the_time_is_now_unless_it_is_given(visits: Any) -> None:
    """Also of edits, which are of the time of ``apply``; other counters of the call are added to as ever."""
    before = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    edit = visits.edit("tea").add(clicks=1, total=1)
    edit.apply()
    edit.add(clicks=3, total=1, at=NOON).apply()
    visits.add(KEY, clicks=1)
    found = visits.get("tea")
    assert sum(value for time, value in found.clicks.items() if before <= time <= before + HOUR) == 3
    assert (found.clicks[NOON], found.total) == (3, 3)


def test_spans_are_counted_in_any_edit(visits: Any) -> None:
    """Under conditions, behind other steps, and in many edits at once."""
    visits.add(KEY, total=1)
    edit = visits.edit("tea").add(clicks=2, at=NOON)
    assert edit.apply(when=visits.when(total=bt.present())) is True
    assert edit.apply(when=visits.when(total=bt.absent())) is False
    visits.edit("tea").clear("clicks", "total").add(clicks=5, total=7, at=NOON).apply()
    found = visits.get("tea")
    assert (found.clicks, found.total) == ({NOON: 5}, 7)
    assert visits.apply_many([edit, visits.edit("jam").add(days=1, at=NOON)]) == 2
    assert (visits.get("tea").clicks.total, visits.get("jam").days.total) == (7, 1)


def test_a_maximum_of_each_span_keeps_the_newest_spans(visits: Any) -> None:
    """As a rule of versions says; what it deletes is not read."""
    for minutes, value in ((0, 5), (14, 3), (15, 9), (44, 1), (45, 0)):
        visits.add(KEY, slowest=value, at=NOON + timedelta(minutes=minutes))
    assert visits.get("tea").slowest == {
        NOON + timedelta(minutes=45): 0,
        NOON + timedelta(minutes=30): 1,
    }


def test_spans_end_by_their_age(visits: Any) -> None:
    """A span that is older than its family's rule allows is not read, and a row of such spans alone is none."""
    old = datetime.now(UTC) - timedelta(days=31)
    visits.add(KEY, clicks=4, at=old)
    assert visits.get("tea") is None
    assert not visits.exists("tea")
    visits.add(KEY, clicks=1, at=NOON)
    assert visits.get("tea").clicks == {NOON: 1}


def test_reads_choose_spans(visits: Any) -> None:
    """By times, by how many are the newest, by columns and by conditions; values of spans are not compared."""
    for hours in range(4):
        visits.add(KEY, clicks=10**hours, total=1, at=NOON + hours * HOUR)
    assert visits.get("tea", times=(NOON + HOUR, NOON + 3 * HOUR)).clicks.total == 110
    assert visits.get("tea", versions=2).clicks.total == 1_100
    [row] = visits.every().only("clicks").versions(1, offset=1)
    assert row.clicks == {NOON + 2 * HOUR: 100}
    assert visits.every().where(clicks=bt.present()).count() == 1
    assert visits.every().where(days=bt.present()).count() == 0
    with pytest.raises(bt.QueryRefused, match=r"Visits\.clicks"):
        visits.every().where(clicks=bt.more_than(5)).count()


def test_spans_are_cleared(visits: Any) -> None:
    """One column whole, or the spans that begin in a range of times; a cleared span counts from 0 again."""
    for hours in range(3):
        visits.add(KEY, clicks=1, days=1, at=NOON + hours * HOUR)
    visits.edit("tea").clear("clicks", start=NOON, end=NOON + HOUR).apply()
    assert visits.get("tea").clicks == {NOON + HOUR: 1, NOON + 2 * HOUR: 1}
    visits.add(KEY, clicks=7, at=NOON)
    assert visits.get("tea").clicks[NOON] == 7
    visits.clear(KEY, "clicks")
    assert visits.get("tea").clicks == {}
    assert visits.get("tea").days.total == 3


def test_what_cannot_be_added_is_refused(visits: Any) -> None:
    """A time for counters that have none, one without a zone or before 1970; the server adds no such cell with increment or put."""
    with pytest.raises(
        bt.QueryRefused, match=r"Visits: add: at= is a time of counters that are declared with every="
    ):
        visits.add(KEY, total=1, at=NOON)
    for wrong, why in (
        (datetime(2020, 1, 1), "expected an aware datetime"),
        (datetime(1969, 1, 1, tzinfo=UTC), "expected a time from 1970 on"),
    ):
        with pytest.raises(bt.ValueRefused, match=rf"Visits: add: at: {why}"):
            visits.add(KEY, clicks=1, at=wrong)
    with pytest.raises(bt.ValueRefused, match=r"Visits\.clicks: expected a whole number"):
        visits.add(KEY, clicks=1.5)
    with pytest.raises(bt.QueryRefused, match="only 64-bit"):
        visits._increment(KEY, "clicks", 1)
    with pytest.raises(bt.QueryRefused, match="counters are added to"):
        visits.edit("tea")._set({"clicks": {NOON: 1}})
    with pytest.raises(bt.ValueRefused, match=r"Visits\.clicks"):
        Visits(page="tea", clicks=bt.History())
    assert visits.get("tea") is None


def test_counts_stay_where_the_row_is_put_again(database: Open) -> None:
    """Rows are written without counts; where others columns are required, the row must be there to be counted."""
    articles = ARTICLES.ArticleRepository(database(Article))
    key = ARTICLES.ArticleKey("7")
    with pytest.raises(bt.MissingRow):
        articles.add(key, at=1)
    articles.put(Article(id="7", title="Tea"))
    articles.add(key, at=2, at_=NOON)
    found = articles.get("7")
    assert (found.title, found.at) == ("Tea", {NOON: 2})
    articles.put(bt.replace(found, title="Green tea"))
    assert articles.get("7") == bt.replace(found, title="Green tea")
    assert bt.from_dict(Article, bt.to_dict(found, json=True), json=True) == found


def test_spans_are_lists_of_columns(visits: Any) -> None:
    """A time and a number each in Arrow; rows that are written from it leave counters out."""
    for hours, page in enumerate(("a", "b", "b")):
        visits.add(VISITS.VisitsKey(page), clicks=hours, at=NOON + hours * HOUR)
    found = visits.every().to_arrow(["page", "clicks"])
    times = [NOON + hours * HOUR for hours in range(3)]
    assert found.to_pylist() == [
        {"page": "a", "clicks": [{"time": times[0], "value": 0}]},
        {"page": "b", "clicks": [{"time": times[2], "value": 2}, {"time": times[1], "value": 1}]},
    ]


def test_async_repositories_count_alike(database: Open) -> None:
    """The same methods, awaited."""
    target = database(Visits)

    async def run() -> Any:
        async with bt.connect_async(target.target) as db:
            visits = VISITS.AsyncVisitsRepository(db)
            await visits.add(KEY, clicks=2, at=NOON)
            await visits.edit("tea").add(clicks=3, at=NOON).apply()
            return await visits.get("tea")

    assert asyncio.run(run()).clicks == {NOON: 5}


def test_the_changes_of_an_edit_are_pinned() -> None:
    """The bytes that are sent: an aggregate cell for each counter, at the start of its span or at 0."""
    edits = Edits(bt.schema_of(Visits), codec_of(Visits))
    at = datetime(2020, 2, 29, 13, 47, 11, 123_456, tzinfo=UTC)
    step = edits.add({"clicks": 5, "days": 6, "slowest": 7, "total": 8}, at)
    now = RowEdit(edits, {"page": "tea"}, b"tea").then(edits.add({"clicks": 1, "total": 2}))
    assert step.changes == (
        Add("h", b"c", 1_582_981_200_000_000, 5),
        Add("h", b"d", 1_582_934_400_000_000, 6),
        Add("m", b"s", 1_582_983_900_000_000, 7),
        Add("c", b"t", 0, 8),
    )
    wanted = [Add("h", b"c", 1_582_981_200_000_000, 1), Add("c", b"t", 0, 2)]
    assert list(now.mutation(1_582_984_031_123_456).changes) == wanted


@given(st.integers(1, 10**10).map(lambda millis: timedelta(milliseconds=millis)), st.integers(0, 2**52))
def test_every_time_lies_in_one_span(every: timedelta, micros: int) -> None:
    """Of any length: spans follow one another without a gap from 1970 on, and each begins a multiple of it after."""
    length = every // timedelta(microseconds=1)
    start = Spans(every).start(micros)
    assert start % length == 0
    assert start <= micros < start + length


def test_an_age_that_is_given_lets_spans_end(database: Open) -> None:
    """An age of run time that deletes a span before its end is refused wherever it is given, as a declared one is."""
    told = r"Rented\.clicks: the age of a count is that of the start of its span, .* keep counts for longer than 1h"
    db = database()
    for age in ("5min", "1h"):
        with pytest.raises(bt.QueryRefused, match=told):
            bt.create_tables(db, Rented, tenant="x", ttl=age)
        with pytest.raises(bt.QueryRefused, match=told):
            generated(Rented).RentedRepository(db, tenant="x", ttl=age)
    bt.create_tables(db, Rented, tenant="x", ttl="2h")
    module = generated(Rented)
    rented, key = module.RentedRepository(db, tenant="x", ttl="2h"), module.RentedKey("tea")
    rented.add(key, clicks=3)
    assert rented.get("tea").clicks.total == 3


def test_the_counts_of_a_row_come_back_from_values() -> None:
    """Counts are a history again, from values as from JSON, and what is none is refused with its attribute."""
    row = bt.from_dict(Visits, {"page": "tea", "clicks": {NOON: 3, NOON + HOUR: 4}, "total": 9})
    assert (type(row.clicks), row.clicks.total, row.total) == (bt.History, 7, 9)
    again = bt.from_dict(Visits, bt.to_dict(row, json=True), json=True)
    assert (type(again.clicks), again) == (bt.History, row)
    assert bt.from_dict(Visits, {"page": "tea", "total": None}).total is None
    for wrong, told in (
        ({"clicks": 5}, r"Visits\.clicks: expected a mapping from times to values"),
        ({"clicks": {NOON: "x"}}, r"Visits\.clicks: expected a whole number, which a counter is, got 'x'"),
        ({"total": 1.5}, r"Visits\.total: expected a whole number, which a counter is, got 1\.5"),
    ):
        with pytest.raises(bt.ValueRefused, match=told):
            bt.from_dict(Visits, {"page": "tea", **wrong})


@pytest.mark.parametrize(
    ("name", "instead"), [("total", r"\(row\.total or 0\) >= 3"), ("clicks", r"row\.clicks\.total >= 3")]
)
def test_numbers_of_counters_are_compared_in_the_program(database: Open, name: str, instead: str) -> None:
    """The server sees whether a counter has cells, and no more; the refusal says why, and what to write."""
    visits = VISITS.VisitsRepository(database(Visits))
    visits.add(KEY, **{name: 3})
    assert len(list(visits.every().where(**{name: bt.present()}))) == 1
    with pytest.raises(
        bt.QueryRefused, match=f"adds up the cells of a counter when it reads them.*{instead}"
    ):
        visits.every().where(**{name: bt.at_least(3)})
