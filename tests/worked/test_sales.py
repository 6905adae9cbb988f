"""Monthly sales: sums that the server keeps."""

from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest

import btmodel as bt
from examples.generated.monthly_sales_repository import MonthlySalesKey, MonthlySalesRepository
from examples.sales import sales_of_a_month
from examples.worked.sales import EXAMPLE
from tests.worked.raw_cells import versions

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Open = Callable[..., bt.Database]


@pytest.fixture
def sales(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_a_sum_is_one_cell_of_eight_bytes(sales: bt.Database) -> None:
    """However often it is added to, it is a big-endian number at timestamp 0."""
    assert versions(sales, "sales") == {
        b"corrie#2021-03": [
            (b"totals:cents", EPOCH, b"\x00\x00\x00\x00\x00\x00\x27\x10"),
            (b"totals:sales", EPOCH, b"\x00\x00\x00\x00\x00\x00\x00\x01"),
        ],
        b"corrie#2021-04": [
            (b"totals:cents", EPOCH, b"\x00\x00\x00\x00\x00\x00\x03\x6b"),
            (b"totals:sales", EPOCH, b"\x00\x00\x00\x00\x00\x00\x00\x01"),
        ],
        b"jo#2021-03": [
            (b"totals:cents", EPOCH, b"\x00\x00\x00\x00\x00\x00\x0b\xb8"),
            (b"totals:sales", EPOCH, b"\x00\x00\x00\x00\x00\x00\x00\x01"),
        ],
    }


def test_the_questions_have_answers(sales: bt.Database) -> None:
    """12.50 and 100.00 less the 12.50 that were taken back are 100.00; two sales are left of the quarter."""
    assert [answer.answer for answer in EXAMPLE.ask(sales)] == [10_000, 2]


def test_what_is_added_twice_counts_twice(sales: bt.Database) -> None:
    """Adding is not safe to repeat, unlike every other write."""
    repository = MonthlySalesRepository(sales)
    for _ in range(2):
        repository.add(MonthlySalesKey("jo", date(2021, 3, 1)), cents=100)
    row = repository.get("jo", date(2021, 3, 1))
    assert row is not None
    assert (row.cents, row.sales) == (3_200, 1)


def test_the_sales_of_all_in_a_month_are_refused() -> None:
    """The employee leads the key; a batch job may write a second table for it."""
    with pytest.raises(bt.DeclarationError, match=r"QRY001 full-scan: (.|\n)*let a batch job write it"):
        sales_of_a_month()
