"""Weather balloons: one event a minute of each, in the four ways that Bigtable's documentation describes.

Every model answers "what did this balloon measure between two times?". They differ in
what a row is (a week or a minute) and in what is written in cells (numbers, or one message).
All keys begin with the place and the balloon and end with the time, so that no tablet takes
the writes of all balloons.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import btmodel as bt
from examples.balloons_pb2 import Measurements

MINUTES_OF_A_WEEK = 10_080
WEEK = bt.Week("week{n}", origin=date(2021, 3, 1))
UNPADDED = {"KEY007": "the documented keys are unpadded; weeks are read one by one, by their own keys"}


class PressureWeek(bt.Model, table="balloon_pressure", bucket="week", events="20000/min", allow=UNPADDED):
    """Time bucket, new column an event: the pressure is the qualifier of an empty cell.

    It saves the value of each cell, and fits where nobody asks how the pressure changed.
    Equal readings of a week share a column, as its versions. So the family keeps as many
    versions as a week has minutes: `max_versions(1)` would delete all but the last of them.
    """

    location: str = bt.key(bt.Text(max_length=30), cardinality=40)
    balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
    metric = bt.constant("pressure")
    week: date = bt.key(WEEK)

    p = bt.family("p", gc=bt.max_versions(MINUTES_OF_A_WEEK))
    pressure: bt.History[int] = bt.marks(p, bt.Int(7), every="1min")


class BalloonWeek(bt.Model, table="balloon_weeks", bucket="week", events="20000/min", allow=UNPADDED):
    """Time bucket, new cell an event: a version of each column for every minute, for changes over time."""

    location: str = bt.key(bt.Text(max_length=30), cardinality=40)
    balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
    week: date = bt.key(WEEK)

    measurements = bt.family("measurements", gc=bt.max_versions(MINUTES_OF_A_WEEK))
    pressure: bt.History[int] = bt.history("pressure", measurements, codec=bt.DecimalText(), every="1min")
    temperature: bt.History[Decimal] = bt.history("temp", measurements, every="1min")
    humidity: bt.History[int] = bt.history("humidity", measurements, codec=bt.DecimalText(), every="1min")
    altitude: bt.History[int] = bt.history("altitude", measurements, codec=bt.DecimalText(), every="1min")


class BalloonMinute(bt.Model, table="balloon_minutes", events="20000/min"):
    """Single timestamp, serialized: a row a minute, its only cell one message.

    Cheap and fast, but the server cannot tell the fields apart. The documentation names the family alone;
    the column is called `event` here.
    """

    location: str = bt.key(bt.Text(max_length=30), cardinality=40)
    balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
    minute: datetime = bt.key(bt.TimeText("%Y-%m-%d-%H%M"))

    blob = bt.family("measurements_blob", gc=bt.max_versions(1))
    event: Measurements = bt.column("event", blob, size=25)

    of_balloon = bt.query("location", "balloon", between="minute")


class BalloonReading(bt.Model, table="balloon_readings", events="20000/min"):
    """Single timestamp, unserialized: a row a minute, a column a measurement. The simplest, and the slowest."""

    location: str = bt.key(bt.Text(max_length=30), cardinality=40)
    balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
    minute: datetime = bt.key(bt.TimeText("%Y-%m-%d-%H%M"))

    measurements = bt.family("measurements", gc=bt.max_versions(1))
    pressure: int = bt.column("pressure", measurements, codec=bt.DecimalText())
    temperature: Decimal = bt.column("temperature", measurements)
    humidity: int = bt.column("humidity", measurements, codec=bt.DecimalText())
    altitude: int = bt.column("altitude", measurements, codec=bt.DecimalText())

    of_balloon = bt.query("location", "balloon", between="minute")


class BalloonEvents(bt.Model, table="balloon_events", bucket="week", events="20000/min"):
    """Combined: a row a week, a version a minute, each one message. The weeks are padded, so they sort."""

    location: str = bt.key(bt.Text(max_length=30), cardinality=40)
    balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
    week: date = bt.key(bt.Week("week{n:04}", origin=date(2021, 3, 1)))

    blob = bt.family("measurements_blob", gc=bt.max_versions(MINUTES_OF_A_WEEK))
    event: bt.History[Measurements] = bt.history("event", blob, every="1min", size=25)


def time_first() -> object:
    """The minute in front: every balloon writes to the end of the table."""

    class Reading(bt.Model, table="balloon_readings", events="20000/min"):
        minute: datetime = bt.key(bt.TimeText("%Y-%m-%d-%H%M"))
        location: str = bt.key(bt.Text(max_length=30), cardinality=40)
        balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)

        measurements = bt.family("measurements", gc=bt.max_versions(1))
        pressure: int = bt.column("pressure", measurements)

    return Reading


def weeks_that_do_not_sort() -> object:
    """Unpadded weeks without a suppression: `week10` sorts below `week9`."""

    class Week(bt.Model, table="balloon_weeks", bucket="week", events="20000/min"):
        balloon: str = bt.key(bt.Text(max_length=10), cardinality=20_000)
        week: date = bt.key(WEEK)

        measurements = bt.family("measurements", gc=bt.max_versions(MINUTES_OF_A_WEEK))
        pressure: bt.History[int] = bt.history("pressure", measurements)

    return Week


NOON = datetime(2021, 3, 5, 12, tzinfo=UTC)


def readings() -> Iterator[BalloonReading]:
    """Five minutes of balloon 3698 on 5 March 2021: pressure, temperature, humidity, altitude."""
    for minute, pressure, temperature, humidity, altitude in (
        (0, 94558, "9.6", 61, 612),
        (1, 94122, "9.7", 62, 611),
        (2, 95992, "9.5", 58, 602),
        (3, 96025, "9.5", 66, 598),
        (4, 96021, "9.6", 63, 624),
    ):
        yield BalloonReading(
            location="us-west2",
            balloon="3698",
            minute=NOON + timedelta(minutes=minute),
            pressure=pressure,
            temperature=Decimal(temperature),
            humidity=humidity,
            altitude=altitude,
        )


def message(reading: BalloonReading) -> Measurements:
    """A reading as one message."""
    return Measurements(
        pressure=reading.pressure,
        temperature=float(reading.temperature),
        humidity=reading.humidity,
        altitude=reading.altitude,
    )
