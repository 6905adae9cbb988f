"""Closing prices, with the history of what was entered.

A closing price is amended now and then: 559.40 was entered where 558.40 was meant, and
whoever calculated with it wants to know. That is what the versions of a column are for.
The timestamp of a version is the time at which it was entered, and not the day that it
is for: two entries for one day could not share a timestamp.

Versions are not for the series itself. A row that gets a version each day grows without
end, and which day a price is for cannot be told from it; so the preferred table has a
row for each day, and versions within it.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

import btmodel as bt

AMENDED_VALUE = {
    "ROW003": "the history of an amended value matters; a day's price and few amendments, 260 a year"
}


class Price(bt.Model, table="STOCK", events="1000/day", allow=AMENDED_VALUE):
    """Every price that was ever entered for a symbol, in one row."""

    symbol: str = bt.key(bt.Text(max_length=5), cardinality=8_000)

    stock = bt.family("STOCK", gc=bt.keep_all())
    price: bt.History[Decimal] = bt.history("PRICE", stock)

    of_symbol = bt.query("symbol")


class DayPrice(bt.Model, table="STOCK_BY_DAY", events="1000/day"):
    """The closing price of a day: a row each, whose versions are its amendments."""

    symbol: str = bt.key(bt.Text(max_length=5), cardinality=8_000)
    day: date = bt.key(bt.DateText("%Y%m%d"))

    stock = bt.family("STOCK", gc=bt.max_versions(100))
    price: bt.History[Decimal] = bt.history("PRICE", stock)

    of_symbol = bt.query("symbol", between="day")


MISTAKE = datetime(2015, 3, 1, 21, 5, tzinfo=UTC)
AMENDED = datetime(2015, 3, 1, 21, 40, tzinfo=UTC)


def entries() -> Iterator[tuple[date, datetime, Decimal]]:
    """Five closing prices of ZXZZT, and a mistake: the day, when it was entered, and the price."""
    for entered, price in (
        (MISTAKE, "559.40"),
        (AMENDED, "558.40"),
        (datetime(2015, 3, 2, 21, tzinfo=UTC), "571.34"),
        (datetime(2015, 3, 3, 21, tzinfo=UTC), "573.64"),
        (datetime(2015, 3, 4, 21, tzinfo=UTC), "573.37"),
        (datetime(2015, 3, 5, 21, tzinfo=UTC), "575.33"),
    ):
        yield entered.date(), entered, Decimal(price)
