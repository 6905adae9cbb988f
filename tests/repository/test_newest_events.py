"""The newest events over buckets, against a real server."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.rows import Cell, Mutation
from examples.generated.weather_day_repository import (
    AsyncWeatherDayRepository,
    WeatherDayEvent,
    WeatherDayRepository,
)
from examples.weather import WeatherDay

Open = Callable[..., bt.Database]
MIDNIGHT = datetime(2024, 3, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# Behind leap day: an hour of it, a gap of weeks, and the edges of a day.
TIMES = [MIDNIGHT - 40 * DAY, MIDNIGHT - DAY, MIDNIGHT - HOUR, MIDNIGHT, MIDNIGHT + HOUR, MIDNIGHT + 2 * DAY]


class Downward(bt.Model, table="downward", bucket="day"):
    """Days from the last to the first, and values beside the events."""

    most: str = bt.key(bt.Text(max_length=9))
    day: date = bt.key(bt.Descending(bt.DateText()))

    h = bt.family("h", gc=bt.max_versions(3))
    p = bt.family("p", gc=bt.max_versions(1))
    count: bt.History[int] = bt.history("c", h)
    note: str | None = bt.column("n", p, default=None)


class Unsorted(bt.Model, table="unsorted", bucket="day", allow={"KEY007": "as the tests want it"}):
    """Days whose labels do not sort."""

    n: str = bt.key(bt.Text(max_length=9))
    day: date = bt.key(bt.DateText("%d%m%Y"))

    m = bt.family("m", gc=bt.keep_all())
    kinds: bt.History[str] = bt.marks(m, bt.Text(max_length=9))


class Meter(bt.Model, table="meter", bucket="day"):
    """Slots, whose times are not in their timestamps."""

    meter: int = bt.key(bt.PaddedInt(4))
    day: date = bt.key(bt.DateText())

    s = bt.family("s", gc=bt.max_versions(1))
    power: bt.Slots[int] = bt.slots(s, every="1h", qualifier="%H")


class Drift(bt.Model, table="drift", bucket=timedelta(days=28)):
    """Buckets of a fixed length, by their numbers."""

    buoy: int = bt.key(bt.PaddedInt(4))
    since: datetime = bt.key(bt.EpochBucket(bt.PaddedInt(4), timedelta(days=28)))

    h = bt.family("h", gc=bt.max_versions(1_000))
    degrees: bt.History[int] = bt.history("d", h)


DOWNWARD, UNSORTED, METER = generated(Downward), generated(Unsorted), generated(Meter)
DRIFT = generated(Drift)


@pytest.fixture
def weather(database: Open) -> WeatherDayRepository:
    """Readings of two stations, and a day that holds none."""
    repository = WeatherDayRepository(database(WeatherDay))
    repository.append_many(
        WeatherDayEvent(station=station, at=at, temperature=float(n))
        for station in ("JFK", "LGA")
        for n, at in enumerate(TIMES)
    )
    key = WeatherDay.row_key(station="JFK", day=MIDNIGHT.date() + DAY)
    repository._db.write(Mutation("weather_day", key, [Cell("w", b"unknown", 5_000, b"")]))
    return repository


def times(events: Iterator[Any]) -> list[datetime]:
    """When some events were."""
    return [event.at for event in events]


def test_the_newest_come_first_over_edges_and_gaps(weather: WeatherDayRepository) -> None:
    """As many as are asked for, of one station, from the newest on, over days that hold none."""
    for n in (1, 2, 3, 5, 6, 50):
        assert times(weather.newest_events(n, "JFK")) == TIMES[::-1][:n]
    [newest] = weather.newest_events(1, "JFK")
    assert newest == WeatherDayEvent(station="JFK", at=TIMES[-1], temperature=5.0)
    assert times(weather.newest_events(3, "ATL")) == []


def test_the_search_is_bounded(weather: WeatherDayRepository) -> None:
    """Neither what is older than the start nor what is as new as the end comes."""
    assert times(weather.newest_events(9, "JFK", start=TIMES[2])) == TIMES[:1:-1]
    assert times(weather.newest_events(9, "JFK", end=TIMES[3])) == TIMES[2::-1]
    assert times(weather.newest_events(1, "JFK", start=TIMES[0], end=TIMES[3])) == [TIMES[2]]
    assert times(weather.newest_events(9, "JFK", start=TIMES[3], end=TIMES[3])) == []
    assert times(weather.newest_events(9, "JFK", start=MIDNIGHT + 9 * DAY)) == []


def test_nothing_is_read_before_it_is_asked_for(database: Open) -> None:
    """A table that is not there fails when the first event is expected; so does a wrong number."""
    lost = WeatherDayRepository(database())
    events = lost.newest_events(5, "JFK")
    with pytest.raises(bt.MissingTable):
        list(events)
    with pytest.raises(
        bt.QueryRefused, match="WeatherDay: newest_events: expected a number of events from 1"
    ):
        list(lost.newest_events(0, "JFK"))


def test_days_that_were_enough_end_the_read(weather: WeatherDayRepository) -> None:
    """An older day that cannot be decoded does not matter to the newest events; it is told where it does."""
    key = WeatherDay.row_key(station="JFK", day=(MIDNIGHT - 40 * DAY).date())
    at = 1_705_795_200_000_000
    weather._db.write(Mutation("weather_day", key, [Cell("w", b"temp", at, b"bad")]))
    assert times(weather.newest_events(5, "JFK")) == TIMES[:0:-1]
    with pytest.raises(bt.UndecodableCell):
        list(weather.newest_events(6, "JFK"))
    errors: list[Exception] = []
    assert times(weather.newest_events(6, "JFK", on_error=errors.append)) == TIMES[:0:-1]
    assert len(errors) == 1


def test_labels_that_sort_down_are_read_forwards(database: Open) -> None:
    """What the rule of the family gives up is not among the newest, nor are rows without events."""
    downward = DOWNWARD.DownwardRepository(database(Downward))
    for n in range(5):
        downward.append(most="a", at=MIDNIGHT - HOUR + n * HOUR / 4, count=n)
    downward.put(Downward(most="a", day=MIDNIGHT.date() + 3 * DAY, count=bt.History(), note="empty"))
    found = [event.count for event in downward.newest_events(9, "a")]
    assert found == [4, 3, 2, 1]
    assert [event.count for event in downward.newest_events(2, "a")] == [4, 3]


def test_labels_that_do_not_sort_are_asked_for_one_by_one(database: Open) -> None:
    """Over months, back to the start, which must be given; a field called n has its own place."""
    unsorted = UNSORTED.UnsortedRepository(database(Unsorted))
    for at in TIMES:
        unsorted.append(n="a", at=at, kinds="x")
    for n in (1, 4, 9):
        found = unsorted.newest_events(n, "a", start=TIMES[0], end=TIMES[-1] + HOUR)
        assert times(found) == TIMES[::-1][:n]
    with pytest.raises(TypeError, match="missing 2 required keyword-only arguments"):
        unsorted.newest_events(1, "a")


def test_the_newest_slots(database: Open) -> None:
    """Slots written late are where their time is, not where their timestamp is."""
    meters = METER.MeterRepository(database(Meter))
    for at in (TIMES[4], TIMES[0], TIMES[3], TIMES[2]):
        meters.append(meter=5, at=at, power=at.hour)
    meters.append(meter=6, at=TIMES[5], power=1)
    assert times(meters.newest_events(3, 5)) == [TIMES[4], TIMES[3], TIMES[2]]
    assert times(meters.newest_events(3, 5, end=TIMES[3])) == [TIMES[2], TIMES[0]]


def test_the_same_with_an_async_loop(migrated: Callable[..., str]) -> None:
    """The asynchronous repository gives the same, and may be left early."""

    async def main() -> None:
        async with bt.connect_async(migrated(WeatherDay)) as db:
            weather = AsyncWeatherDayRepository(db)
            await weather.append_many(WeatherDayEvent(station="JFK", at=at, humidity=1.0) for at in TIMES)
            assert [event.at async for event in weather.newest_events(4, "JFK")] == TIMES[:1:-1]
            async for event in weather.newest_events(4, "JFK", end=MIDNIGHT):
                assert event.at == TIMES[2]
                break

    asyncio.run(main())


def test_events_lie_in_buckets_of_a_fixed_length(database: Open) -> None:
    """An event goes to the row of its 28 days, counted from 1970, and reads over such rows find it, oldest or newest first."""
    db = database(Drift)
    drifts = DRIFT.DriftRepository(db)
    begin = datetime(2015, 2, 26, tzinfo=UTC)  # 589 * 28 days
    moments = [begin - HOUR, begin, begin + 27 * DAY + 23 * HOUR, begin + 28 * DAY]
    drifts.append_many(DRIFT.DriftEvent(buoy=7, at=at, degrees=number) for number, at in enumerate(moments))
    assert [key for key, _ in db.cells("drift")] == [b"0007#0588", b"0007#0589", b"0007#0590"]
    assert drifts.get(7, begin).degrees == {moments[1]: 1, moments[2]: 2}
    assert times(drifts.events(7, begin, begin + 28 * DAY)) == moments[1:3]
    assert times(drifts.newest_events(3, 7)) == moments[:0:-1]
    with pytest.raises(bt.ValueRefused, match=r"times of the row's bucket, from 2015-02-26"):
        drifts.put(Drift(buoy=7, since=begin, degrees={moments[0]: 1}))
    with pytest.raises(
        bt.ValueRefused, match=r"a time that begins a span of 28 days \(this one's begins at 2015-02-26"
    ):
        drifts.get(7, begin + HOUR)
