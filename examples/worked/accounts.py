"""Orders and payments of one table against a server."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal

import btmodel as bt
from examples.accounts import AccountOrder, AccountPayment
from examples.generated.account_order_repository import AccountOrderRepository
from examples.generated.account_payment_repository import AccountPaymentRepository
from examples.worked.example import Answer, Example


def write(db: bt.Database) -> None:
    """Two accounts."""
    AccountOrderRepository(db).put_many(
        AccountOrder(account=account, number=number, total=Decimal(total))
        for account, number, total in (("acme", 1, "12.50"), ("acme", 2, "7.00"), ("zenith", 3, "99.00"))
    )
    AccountPaymentRepository(db).put(
        AccountPayment(account="acme", day=date(2021, 3, 5), paid=Decimal("12.50"))
    )


def ask(db: bt.Database) -> Iterator[Answer]:
    """One kind of row; and a scan, which meets the other kind: an error, unless somebody takes the errors."""
    orders = AccountOrderRepository(db)
    acme = [str(row.total) for row in orders.of_account("acme")]
    yield Answer("What did acme order?", acme)
    paid = AccountPaymentRepository(db).of_account("acme")
    yield Answer("What did acme pay?", [str(row.paid) for row in paid])
    try:
        list(orders.all_orders())
    except bt.UndecodableKey as error:
        yield Answer("What comes of a scan of all orders?", error)
    errors: list[Exception] = []
    found = [row.number for row in orders.all_orders().on_error(errors.append)]
    yield Answer("And where errors are collected?", f"orders {found}, {len(errors)} other row")


EXAMPLE = Example("Orders and payments in one table", (AccountOrder, AccountPayment), write, ask)
