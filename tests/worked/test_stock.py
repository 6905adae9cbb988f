"""Closing prices with their history: the bytes of the document, on real servers."""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from raw_cells import stamped

import btmodel as bt
from examples.generated.price_repository import PriceRepository
from examples.worked.stock import EXAMPLE

Open = Callable[..., bt.Database]


@pytest.fixture
def stock(database: Open) -> bt.Database:
    """Five closing prices and a mistake, in both tables."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_versions_are_those_of_the_document(stock: bt.Database) -> None:
    """The row ZXZZT has the five printed prices as versions, newest first, and the mistake behind its amendment."""
    assert [(line, f"{at:%Y-%m-%d %H:%M}") for line, at in stamped(stock, "STOCK")] == [
        ((b"ZXZZT", "STOCK", b"PRICE", b"575.33"), "2015-03-05 21:00"),
        ((b"ZXZZT", "STOCK", b"PRICE", b"573.37"), "2015-03-04 21:00"),
        ((b"ZXZZT", "STOCK", b"PRICE", b"573.64"), "2015-03-03 21:00"),
        ((b"ZXZZT", "STOCK", b"PRICE", b"571.34"), "2015-03-02 21:00"),
        ((b"ZXZZT", "STOCK", b"PRICE", b"558.40"), "2015-03-01 21:40"),
        ((b"ZXZZT", "STOCK", b"PRICE", b"559.40"), "2015-03-01 21:05"),
    ]


def test_the_mistake_and_its_amendment_are_both_readable(stock: bt.Database) -> None:
    """What was believed at a time, and what holds, come back with the times at which they were entered."""
    row = PriceRepository(stock).get("ZXZZT")
    assert row is not None
    assert row.price.between(datetime(2015, 3, 1, tzinfo=UTC), datetime(2015, 3, 2, tzinfo=UTC)) == {
        datetime(2015, 3, 1, 21, 40, tzinfo=UTC): Decimal("558.40"),
        datetime(2015, 3, 1, 21, 5, tzinfo=UTC): Decimal("559.40"),
    }


def test_the_preferred_table_has_a_row_a_day(stock: bt.Database) -> None:
    """Each day has a row, and only the amended one has two versions."""
    assert [line for line, _ in stamped(stock, "STOCK_BY_DAY")] == [
        (b"ZXZZT#20150301", "STOCK", b"PRICE", b"558.40"),
        (b"ZXZZT#20150301", "STOCK", b"PRICE", b"559.40"),
        (b"ZXZZT#20150302", "STOCK", b"PRICE", b"571.34"),
        (b"ZXZZT#20150303", "STOCK", b"PRICE", b"573.64"),
        (b"ZXZZT#20150304", "STOCK", b"PRICE", b"573.37"),
        (b"ZXZZT#20150305", "STOCK", b"PRICE", b"575.33"),
    ]


def test_the_questions_are_answered(stock: bt.Database) -> None:
    """The newest price, the mistake, the first three days as amended, and which day was amended."""
    assert [one.answer for one in EXAMPLE.ask(stock)] == [
        Decimal("575.33"),
        Decimal("559.40"),
        "558.40, 571.34, 573.64",
        "2015-03-01",
    ]
