"""A vegetable garden: one temperature each morning, in two shapes of table.

Tall and narrow, a row a day, is the shape for a time series: simple to write, and any
days are one range. Short and wide, a row a month with a column for each day, is right
where a whole month is what people ask for, and because a row is bounded: a month has no
more than 31 days.

The time is not the first thing in the keys. With one row a day that would harm nobody,
but the next garden has its own name to put in front.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

import btmodel as bt


class GardenDay(bt.Model, table="GARDEN_BY_DAY", events="1/day"):
    """Tall and narrow: the temperature of one morning, in degrees Fahrenheit."""

    garden = bt.constant("VEGGIEGARDEN")
    day: date = bt.key(bt.DateText("%Y%m%d"))

    daily = bt.family("DAILY", gc=bt.max_versions(1))
    temperature: Decimal = bt.column("TEMP", daily)

    on_days = bt.query(between="day")


class GardenMonth(bt.Model, table="GARDEN_BY_MONTH", bucket="month", events="1/day"):
    """Short and wide: the temperatures of one month, a column for each day of it, called 1 to 31.

    The key names a month by its first day.
    """

    garden = bt.constant("VEGGIEGARDEN")
    month: date = bt.key(bt.DateText("%Y%m01"))

    temp = bt.family("TEMP", gc=bt.max_versions(1))
    temperature: bt.Slots[Decimal] = bt.slots(temp, every="1day", qualifier="%-d")

    in_months = bt.query(between="month")


# The first five mornings and the last one are those of the document.
MARCH = """
    60.4 61.2 61.0 65.1 62.2 61.9 60.8 59.7 60.1 61.3 62.0 63.4 64.2 63.8 62.9 61.5
    60.6 59.9 60.3 61.1 62.5 63.7 64.8 65.0 64.1 63.2 62.4 61.8 61.0 60.7 60.4
"""


def mornings() -> Iterator[tuple[datetime, Decimal]]:
    """The mornings of March 2015, each as the day that it begins."""
    for day, temperature in enumerate(MARCH.split(), 1):
        yield datetime(2015, 3, day, tzinfo=UTC), Decimal(temperature)
