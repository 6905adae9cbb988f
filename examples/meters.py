"""Electricity meters: ten million, each with a reading every quarter of an hour.

A row is a meter's day, with a column for each reading, named by its time of day: 0000 to
2345. Another interval would only mean other columns.

All of one meter's day is one row. All meters of one day is what a key with the day in
front would serve, and every midnight all meters would then write to one node: it is
refused. Instead, a job copies yesterday's rows to a table of that day, every night
(:mod:`examples.meters_job`).
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import btmodel as bt


class MeterDay(bt.Model):
    """What both tables hold: a meter's day, with its readings in kilowatt hours."""

    # Numbers are given in order, but all meters write, not the new ones alone.
    meter: int = bt.key(
        bt.PaddedInt(10), cardinality=10_000_000, sequential=False, mirror=("METER:ID", bt.DecimalText())
    )
    day: date = bt.key(bt.DateText("%Y%m%d"))

    readings = bt.family("METER", gc=bt.max_versions(1))
    used: bt.Slots[Decimal] = bt.slots(readings, every="15min", qualifier="%H%M")


class Sensor(MeterDay, table="SENSOR", bucket="day", events="11112/s"):
    """The days of all meters, written to as readings come."""

    of_meter = bt.query("meter", between="day")
    of_all = bt.query(scan="the nightly job looks for the rows of one day, which lie in all of the table")


class SensorOfDay(
    MeterDay,
    table="SENSOR_{day}",
    bucket="day",
    events="11112/s",
    allow={"TAB002": "a batch job writes it once; a key with the day in front would be hot every midnight"},
):
    """One day of all meters, copied once: the key is that of SENSOR."""

    of_all = bt.query(scan="the table is the answer: all meters of its day")


def day_first() -> object:
    """The day in front, for all meters of one day."""

    class Sensor(bt.Model, table="SENSOR", bucket="day", events="11112/s"):
        day: date = bt.key(bt.DateText("%Y%m%d"))
        meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, mirror=("METER:ID", bt.DecimalText()))

        readings = bt.family("METER", gc=bt.max_versions(1))
        used: bt.Slots[Decimal] = bt.slots(readings, every="15min", qualifier="%H%M")

        on_day = bt.query("day")

    return Sensor


DAY = date(2017, 7, 26)
# The first and the last two readings are those of the document.
KNOWN = {0: "12.34", 1: "13.45", 94: "27.89", 95: "28.90"}


def readings(day: date = DAY) -> Iterator[tuple[datetime, Decimal]]:
    """A day of one meter, every quarter of an hour."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    for quarter in range(96):
        made_up = f"{14 + quarter // 8}.{quarter % 100:02d}"
        yield midnight + quarter * timedelta(minutes=15), Decimal(KNOWN.get(quarter, made_up))
