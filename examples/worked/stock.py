"""Closing prices against a server."""

from collections.abc import Iterator
from datetime import date

import btmodel as bt
from examples.generated.day_price_repository import DayPriceRepository
from examples.generated.price_repository import PriceRepository
from examples.stock import MISTAKE, DayPrice, Price, entries
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Every entry as it comes: a version more, which replaces nothing."""
    prices, days = PriceRepository(db), DayPriceRepository(db)
    for day, entered, price in entries():
        version = bt.History({entered: price})
        prices.put(Price(symbol="ZXZZT", price=version))
        days.put(DayPrice(symbol="ZXZZT", day=day, price=version))


def ask(db: bt.Database) -> Iterator[Answer]:
    """What holds, and what was believed before."""
    one = PriceRepository(db).get("ZXZZT")
    yield Answer("What is the newest price of ZXZZT?", one and one.price.newest)
    yield Answer("What was entered first, on March 1st?", one and one.price[MISTAKE])
    days = DayPriceRepository(db).of_symbol("ZXZZT", date(2015, 3, 1), date(2015, 3, 4))
    yield Answer(
        "How did it close on the first three days?", ", ".join(str(day.price.newest) for day in days)
    )
    amended = [day.day for day in DayPriceRepository(db).of_symbol("ZXZZT") if len(day.price) > 1]
    yield Answer("Which closing prices were amended?", ", ".join(map(str, amended)))


EXAMPLE = Example("Closing prices with their history", (Price, DayPrice), write, ask)
