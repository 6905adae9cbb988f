"""A day of a meter, laid out in two ways: one row with 96 columns, or 96 rows with one column."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import btmodel as bt

FAMILY = "r"
WIDE, NARROW = "meter_day", "meter_reading"
METERS, QUARTERS = 100, 96
DAY = datetime(2017, 7, 26, tzinfo=UTC)

Row = tuple[bytes, list[tuple[bytes, bytes]]]


class MeterDay(bt.Model, table=WIDE, bucket="day"):
    """A meter's day, with a column for each quarter of an hour."""

    meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, sequential=False)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    readings = bt.family(FAMILY, gc=bt.max_versions(1))
    used: bt.Slots[int] = bt.slots(readings, every="15min", qualifier="%H%M")

    all_days = bt.query(scan="the benchmark reads all of them")


class MeterReading(bt.Model, table=NARROW):
    """A meter's quarter of an hour."""

    meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, sequential=False)
    at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

    readings = bt.family(FAMILY, gc=bt.max_versions(1))
    used: int = bt.column("u", readings)

    all_readings = bt.query(scan="the benchmark reads all of them")


def times() -> list[datetime]:
    """The quarters of the day."""
    return [DAY + quarter * timedelta(minutes=15) for quarter in range(QUARTERS)]


def used(meter: int, quarter: int) -> int:
    """What a meter made up, in watt hours."""
    return 250 + meter + quarter * 3


def days() -> Iterator[MeterDay]:
    """All the days, as instances."""
    for meter in range(METERS):
        slots = {time: used(meter, quarter) for quarter, time in enumerate(times())}
        yield MeterDay(meter=meter, day=DAY.date(), used=bt.Slots(slots))


def readings() -> Iterator[MeterReading]:
    """The same, a row each."""
    for meter in range(METERS):
        for quarter, time in enumerate(times()):
            yield MeterReading(meter=meter, at=time, used=used(meter, quarter))


def wide_rows() -> Iterator[Row]:
    """The rows of 96 columns, as cells."""
    for meter in range(METERS):
        cells = [(f"{at:%H%M}".encode(), _value(meter, quarter)) for quarter, at in enumerate(times())]
        yield f"{meter:010d}#{DAY:%Y%m%d}".encode(), cells


def narrow_rows() -> Iterator[Row]:
    """The rows of one column, as cells."""
    for meter in range(METERS):
        for quarter, at in enumerate(times()):
            yield f"{meter:010d}#{at:%Y%m%d%H%M}".encode(), [(b"u", _value(meter, quarter))]


def _value(meter: int, quarter: int) -> bytes:
    return used(meter, quarter).to_bytes(8, "big", signed=True)
