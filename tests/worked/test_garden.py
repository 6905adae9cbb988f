"""The vegetable garden: the bytes of the document, on real servers."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from raw_cells import lines

import btmodel as bt
from examples.garden import GardenMonth
from examples.generated.garden_month_repository import GardenMonthRepository
from examples.worked.garden import EXAMPLE

Open = Callable[..., bt.Database]


@pytest.fixture
def garden(database: Open) -> bt.Database:
    """March, in both tables."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_tall_table_is_that_of_the_document(garden: bt.Database) -> None:
    """A row a day, each with one cell: the first five and the last are the printed ones."""
    found = lines(garden, "GARDEN_BY_DAY")
    assert len(found) == 31
    assert found[:5] == [
        (b"VEGGIEGARDEN#20150301", "DAILY", b"TEMP", b"60.4"),
        (b"VEGGIEGARDEN#20150302", "DAILY", b"TEMP", b"61.2"),
        (b"VEGGIEGARDEN#20150303", "DAILY", b"TEMP", b"61.0"),
        (b"VEGGIEGARDEN#20150304", "DAILY", b"TEMP", b"65.1"),
        (b"VEGGIEGARDEN#20150305", "DAILY", b"TEMP", b"62.2"),
    ]
    assert found[-1] == (b"VEGGIEGARDEN#20150331", "DAILY", b"TEMP", b"60.4")


def test_the_wide_table_is_that_of_the_document(garden: bt.Database) -> None:
    """One row for March, with a column for each of its days: 1 to 5 and 31 are the printed ones."""
    found = lines(garden, "GARDEN_BY_MONTH")
    assert {qualifier for _, _, qualifier, _ in found} == {b"%d" % day for day in range(1, 32)}
    assert len(found) == 31
    for line in (
        (b"VEGGIEGARDEN#20150301", "TEMP", b"1", b"60.4"),
        (b"VEGGIEGARDEN#20150301", "TEMP", b"2", b"61.2"),
        (b"VEGGIEGARDEN#20150301", "TEMP", b"3", b"61.0"),
        (b"VEGGIEGARDEN#20150301", "TEMP", b"4", b"65.1"),
        (b"VEGGIEGARDEN#20150301", "TEMP", b"5", b"62.2"),
        (b"VEGGIEGARDEN#20150301", "TEMP", b"31", b"60.4"),
    ):
        assert line in found


def test_the_questions_are_answered(garden: bt.Database) -> None:
    """The first five mornings as printed; the warmest was the fourth."""
    told = [one.answer for one in EXAMPLE.ask(garden)]
    assert told == ["60.4, 61.2, 61.0, 65.1, 62.2", Decimal("65.1")]


def test_the_months_are_rows_of_their_own(database: Open) -> None:
    """The last day of March and the first of April are slots 31 and 1 of two rows, and one range of time."""
    db = database(GardenMonth)
    months = GardenMonthRepository(db)
    last, first = datetime(2015, 3, 31, tzinfo=UTC), datetime(2015, 4, 1, tzinfo=UTC)
    for at in (last, first):
        months.append(at=at, temperature=Decimal("60.4"))
    assert lines(db, "GARDEN_BY_MONTH") == [
        (b"VEGGIEGARDEN#20150301", "TEMP", b"31", b"60.4"),
        (b"VEGGIEGARDEN#20150401", "TEMP", b"1", b"60.4"),
    ]
    assert [one.at for one in months.events(last, datetime(2015, 4, 2, tzinfo=UTC))] == [last, first]
    assert [one.month for one in months.in_months(date(2015, 3, 2))] == [date(2015, 4, 1)]
