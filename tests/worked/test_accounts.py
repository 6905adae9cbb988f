"""Orders and payments in one table: what tells them apart, and what a scan meets."""

from collections.abc import Callable

import pytest

import btmodel as bt
from examples.accounts import AccountOrder
from examples.generated.account_order_repository import AccountOrderRepository
from examples.worked.accounts import EXAMPLE
from tests.worked.raw_cells import cells

Open = Callable[..., bt.Database]


@pytest.fixture
def accounts(database: Open) -> bt.Database:
    """The example's values, on disk."""
    db = database(*EXAMPLE.models)
    EXAMPLE.write(db)
    return db


def test_the_rows_of_an_account_are_neighbours(accounts: bt.Database) -> None:
    """The constant behind the account says what kind of row it is."""
    assert cells(accounts, "accounts") == {
        b"acme#order#000001": [(b"data:total", b"12.50")],
        b"acme#order#000002": [(b"data:total", b"7.00")],
        b"acme#payment#20210305": [(b"data:paid", b"12.50")],
        b"zenith#order#000003": [(b"data:total", b"99.00")],
    }


def test_a_query_of_one_kind_does_not_meet_the_other(accounts: bt.Database) -> None:
    """The constant is part of the prefix that is read."""
    [span] = AccountOrder.of_account.plan(account="acme").ranges
    assert (span.start, span.end) == (b"acme#order#0", b"acme#order#:")
    orders = AccountOrderRepository(accounts).of_account("acme")
    assert [(row.number, str(row.total)) for row in orders] == [(1, "12.50"), (2, "7.00")]


def test_a_row_of_another_model_is_an_error(accounts: bt.Database) -> None:
    """By default, a scan that meets a payment stops there, and says which row it is."""
    orders = AccountOrderRepository(accounts).all_orders()
    told = r"AccountOrder: row key b'acme#payment#20210305' of table accounts .*: kind: expected b'order' at byte 5"
    with pytest.raises(bt.UndecodableKey, match=told):
        list(orders)


def test_errors_can_be_collected(accounts: bt.Database) -> None:
    """A scan that gives its errors to somebody goes on behind them, and misses no row."""
    errors: list[bt.BtmodelError] = []
    orders = AccountOrderRepository(accounts).all_orders().on_error(errors.append)
    assert [row.number for row in orders] == [1, 2, 3]
    [error] = errors
    assert isinstance(error, bt.UndecodableKey)
    assert error.key == b"acme#payment#20210305"


def test_deleting_orders_leaves_payments(accounts: bt.Database) -> None:
    """The orders of an account are a prefix of their own."""
    assert AccountOrderRepository(accounts).of_account("acme").delete() == 2
    assert list(cells(accounts, "accounts")) == [b"acme#payment#20210305", b"zenith#order#000003"]
