"""Hourly weather in time buckets: a row holds a day of a station, a cell version each reading."""

import csv
import gzip
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TypedDict

import btmodel as bt

JANUARY = Path(__file__).parent / "data" / "weather-2013-01.csv.gz"


class WeatherDay(bt.Model, table="weather_day", bucket="day", events="72/day"):
    """A day (UTC) of hourly readings at an airport. The GC rule keeps all 24 of a day."""

    station: str = bt.key(bt.Text(width=3), cardinality=3)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    w = bt.family("w", gc=bt.max_versions(24))
    temperature: bt.History[float] = bt.history("temp", w)
    humidity: bt.History[float] = bt.history("hum", w)
    wind_speed: bt.History[float] = bt.history("wind", w)
    pressure: bt.History[float] = bt.history("pres", w)

    by_station = bt.query("station", between="day")


class Reading(TypedDict):
    """One reading: Fahrenheit, per cent, miles an hour and millibars; None where there is none."""

    station: str
    at: datetime
    temperature: float | None
    humidity: float | None
    wind_speed: float | None
    pressure: float | None


def read_weather(path: Path = JANUARY) -> Iterator[Reading]:
    """Each reading of the file."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for record in csv.DictReader(file):
            yield {
                "station": record["origin"],
                "at": datetime.fromisoformat(record["time_hour"]).astimezone(UTC),
                "temperature": _number(record["temp"]),
                "humidity": _number(record["humid"]),
                "wind_speed": _number(record["wind_speed"]),
                "pressure": _number(record["pressure"]),
            }


def _number(value: str) -> float | None:
    return None if value == "NA" else float(value)
