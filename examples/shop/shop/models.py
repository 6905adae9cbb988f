"""What the shop stores."""

from datetime import datetime
from decimal import Decimal

import btmodel as bt


class Order(bt.Model, table="orders", events="10/s"):
    """An order of a customer."""

    customer: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
    placed: datetime = bt.key(bt.EpochMillis())

    o = bt.family("o", gc=bt.max_versions(1))
    total: Decimal = bt.column("total", o)
    note: str | None = bt.column("note", o, default=None)

    of_customer = bt.query("customer", between="placed")
