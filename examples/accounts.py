"""Accounts: orders and payments in one table, side by side, told apart by a constant in the key.

What belongs together is stored together: the rows of an account are neighbours, and an
instance takes 1,000 tables only. Each kind of row has a model of its own. A query of one kind
never meets the other, since the constant is part of its prefix; a scan of the whole table does.
"""

from datetime import date
from decimal import Decimal

import btmodel as bt


class AccountOrder(bt.Model, table="accounts", events="100/s"):
    """An order of an account."""

    account: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    kind = bt.constant("order")
    number: int = bt.key(bt.PaddedInt(6))

    data = bt.family("data", gc=bt.max_versions(1))
    total: Decimal = bt.column("total", data)

    of_account = bt.query("account")
    all_orders = bt.query(scan="the nightly report reads every order, and leaves out what is none")


class AccountPayment(bt.Model, table="accounts", events="10/s"):
    """A payment of an account."""

    account: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
    kind = bt.constant("payment")
    day: date = bt.key(bt.DateText())

    data = bt.family("data", gc=bt.max_versions(1))
    paid: Decimal = bt.column("paid", data)

    of_account = bt.query("account", between="day")
