"""Monthly sales of each employee: numbers that are added to where they are written, and never read for it.

The family is an aggregate: the server keeps the sum, in one cell of 8 bytes. Two sales at the
same moment are both counted, and no process reads a number in order to write it back. A sale
that may be sent twice must not be added so: what is added twice counts twice.
"""

from datetime import date

import btmodel as bt


class MonthlySales(bt.Model, table="sales", events="2000/s"):
    """What an employee sold in a month, in cents, and in how many sales."""

    employee: str = bt.key(bt.Text(max_length=20), cardinality=5_000)
    month: date = bt.key(bt.DateText("%Y-%m"))

    totals = bt.family("totals", gc=bt.keep_all(), aggregate="sum")
    cents: int | None = bt.counter("cents", totals)
    sales: int | None = bt.counter("sales", totals)

    of_employee = bt.query("employee", between="month")


def sales_of_a_month() -> object:
    """What all employees sold in a month, by a key that begins with the employee."""

    class Sales(bt.Model, table="sales", events="2000/s"):
        employee: str = bt.key(bt.Text(max_length=20), cardinality=5_000)
        month: date = bt.key(bt.DateText("%Y-%m"))

        totals = bt.family("totals", gc=bt.keep_all(), aggregate="sum")
        cents: int | None = bt.counter("cents", totals)

        of_month = bt.query("month")

    return Sales


SALES = (
    ("corrie", date(2021, 3, 1), 12_50),
    ("corrie", date(2021, 3, 1), 100_00),
    ("corrie", date(2021, 4, 1), 8_75),
    ("jo", date(2021, 3, 1), 30_00),
    ("corrie", date(2021, 3, 1), -12_50),  # taken back
)
