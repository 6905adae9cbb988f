"""A table with an index and a rollup, one of them protected."""

from datetime import date, datetime
from enum import StrEnum

import btmodel as bt


class Status(StrEnum):
    PAID = "paid"
    OPEN = "open"


class Order(bt.Model, table="ORDER", events="1/s"):
    """An order of a customer."""

    id: str = bt.key(bt.HexDigest(8), cardinality=1_000_000)

    f = bt.family("f", gc=bt.max_versions(1))
    customer: str = bt.column("c", f)
    status: Status = bt.column("s", f)
    cents: int = bt.column("t", f)
    placed: datetime = bt.column("p", f)


class OrderOfCustomer(bt.Index, of=Order, view="ORDER_OF_CUSTOMER", where={"status": Status.PAID}):
    """The paid orders of a customer, the newest first."""

    customer: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
    newest: datetime = bt.key(bt.ReversedMillis(), of="placed")
    id: str = bt.covered()
    cents: int = bt.covered()

    of_customer = bt.query("customer", between="newest")


class SalesOfDay(bt.Rollup, of=Order, view="SALES_OF_DAY", deletion_protection=True):
    """What a customer ordered on a day."""

    customer: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
    day: date = bt.key(bt.DateText(), of="placed")
    orders: int = bt.count()
    mean: float = bt.average_of("cents")

    of_customer = bt.query("customer", between="day")
