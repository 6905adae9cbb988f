"""Events in time buckets, against a real server."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

import btmodel as bt
from examples.generated.weather_day_repository import WeatherDayEvent, WeatherDayRepository
from examples.weather import WeatherDay, read_weather

Open = Callable[..., bt.Database]
MIDNIGHT = datetime(2013, 1, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def weather(database: Open) -> WeatherDayRepository:
    """January's readings at JFK."""
    repository = WeatherDayRepository(database(WeatherDay))
    repository.append_many(WeatherDayEvent(**one) for one in read_weather() if one["station"] == "JFK")
    return repository


def test_events_cross_days(weather: WeatherDayRepository) -> None:
    """Events of a range that crosses midnight come from both rows, oldest first, end left out."""
    found = list(weather.events("JFK", MIDNIGHT - 2 * HOUR, MIDNIGHT + 2 * HOUR))
    assert [event.at for event in found] == [MIDNIGHT + hours * HOUR for hours in (-2, -1, 0, 1)]
    assert found[2].temperature == 35.06
    assert {event.station for event in found} == {"JFK"}


def test_every_reading_of_the_file_comes_back(weather: WeatherDayRepository) -> None:
    """All of January's events, with the gaps of the file as None, equal what was appended."""
    expected = [WeatherDayEvent(**one) for one in read_weather() if one["station"] == "JFK"]
    found = list(weather.events("JFK", datetime(2013, 1, 1, tzinfo=UTC), datetime(2013, 2, 1, tzinfo=UTC)))
    assert found == sorted(expected, key=lambda event: event.at)
    assert any(event.pressure is None for event in found)


def test_a_row_holds_the_events_of_its_day(weather: WeatherDayRepository) -> None:
    """The row of a day has 24 versions of each measurement, and its newest is the last hour's."""
    row = weather.get("JFK", date(2013, 1, 5))
    assert row is not None
    assert len(row.temperature) == 24
    assert row.temperature.newest == row.temperature[MIDNIGHT - HOUR]
    assert [one.day for one in weather.by_station("JFK", date(2013, 1, 30))] == [
        date(2013, 1, 30),
        date(2013, 1, 31),
    ]


def test_appending_again_changes_nothing(weather: WeatherDayRepository) -> None:
    """An event appended twice is one event; one appended anew replaces its reading."""
    for temperature in (50.0, 50.0, 51.0):
        weather.append(station="JFK", at=MIDNIGHT, temperature=temperature)
    [event] = weather.events("JFK", MIDNIGHT, MIDNIGHT + HOUR)
    assert event.temperature == 51.0
    assert event.humidity == 61.08
    row = weather.get("JFK", date(2013, 1, 6))
    assert row is not None
    assert len(row.temperature) == 24


def test_empty_ranges_hold_nothing(weather: WeatherDayRepository) -> None:
    """No event lies between a time and itself; an end before the start is a mistake."""
    assert list(weather.events("JFK", MIDNIGHT, MIDNIGHT)) == []
    with pytest.raises(bt.QueryRefused, match="events: expected a start that is not after the end"):
        list(weather.events("JFK", MIDNIGHT, MIDNIGHT - HOUR))
    assert list(weather.events("ATL", MIDNIGHT, MIDNIGHT + HOUR)) == []


def test_events_that_do_not_fit_are_refused(weather: WeatherDayRepository) -> None:
    """A naive time, a time finer than a millisecond, and an event without a value are refused by name."""
    with pytest.raises(bt.ValueRefused, match="WeatherDay event: expected an aware datetime"):
        weather.append(station="JFK", at=datetime(2013, 1, 1), temperature=1.0)
    with pytest.raises(
        bt.ValueRefused, match="WeatherDay event: expected a time from 1970 on, in whole millis"
    ):
        weather.append(station="JFK", at=MIDNIGHT + timedelta(microseconds=1), temperature=1.0)
    with pytest.raises(bt.ValueRefused, match="expected a value for at least one of temperature"):
        weather.append(station="JFK", at=MIDNIGHT)


def test_a_row_refuses_events_of_another_day(weather: WeatherDayRepository) -> None:
    """A row with an event that its label does not cover is refused: no read would find the event."""
    empty = bt.History[float]()
    row = WeatherDay(
        station="JFK",
        day=date(2013, 1, 5),
        temperature=bt.History({MIDNIGHT: 1.0}),
        humidity=empty,
        wind_speed=empty,
        pressure=empty,
    )
    with pytest.raises(bt.ValueRefused, match=r"WeatherDay.temperature: expected times of the row's day"):
        weather.put(row)
