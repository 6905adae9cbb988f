"""The vegetable garden against a server."""

from collections.abc import Iterator
from datetime import date

import btmodel as bt
from examples.garden import GardenDay, GardenMonth, mornings
from examples.generated.garden_day_repository import GardenDayRepository
from examples.generated.garden_month_repository import GardenMonthEvent, GardenMonthRepository
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Every morning to both tables; to the wide one as an event, which finds its row and column."""
    GardenDayRepository(db).put_many(
        GardenDay(day=at.date(), temperature=temperature) for at, temperature in mornings()
    )
    GardenMonthRepository(db).append_many(
        GardenMonthEvent(at=at, temperature=temperature) for at, temperature in mornings()
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """A range of the tall table, and a row of the wide one."""
    week = GardenDayRepository(db).on_days(date(2015, 3, 1), date(2015, 3, 6))
    yield Answer("How warm were the first five mornings?", ", ".join(str(one.temperature) for one in week))
    march = GardenMonthRepository(db).get(date(2015, 3, 1))
    yield Answer("How warm was the warmest of March?", march and max(march.temperature.values()))


EXAMPLE = Example("Vegetable garden", (GardenDay, GardenMonth), write, ask)
