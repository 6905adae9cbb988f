"""Monthly sales against a server."""

from collections.abc import Iterator
from datetime import date

import btmodel as bt
from examples.generated.monthly_sales_repository import MonthlySalesKey, MonthlySalesRepository
from examples.sales import SALES, MonthlySales, sales_of_a_month
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Each sale is added to its employee and month, whether there is such a row or not."""
    sales = MonthlySalesRepository(db)
    for employee, month, cents in SALES:
        sales.add(MonthlySalesKey(employee, month), cents=cents, sales=1 if cents > 0 else -1)


def ask(db: bt.Database) -> Iterator[Answer]:
    """A month, and a quarter."""
    sales = MonthlySalesRepository(db)
    march = sales.get("corrie", date(2021, 3, 1))
    yield Answer("For how many cents did Corrie sell in March?", march and march.cents)
    quarter = sales.of_employee("corrie", date(2021, 3, 1), date(2021, 6, 1))
    yield Answer("How many sales were there from March to May?", sum(row.sales or 0 for row in quarter))


EXAMPLE = Example("Monthly sales", (MonthlySales,), write, ask, refused=(sales_of_a_month,))
