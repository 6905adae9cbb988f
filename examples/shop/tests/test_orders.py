"""Tests of the shop, on a real Bigtable in memory."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from shop.generated.order_repository import OrderRepository
from shop.models import Order
from shop.orders import spent

from btmodel.pytest_plugin import Instances
from btmodel.testing import instances

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def orders(bigtable: Instances) -> OrderRepository:
    """An empty table of orders."""
    return OrderRepository(bigtable(Order))


def test_what_was_spent_is_the_sum_of_a_range(orders: OrderRepository) -> None:
    """Only the customer's own orders count, and only those of the range."""
    for customer, hours, total in [("ann", 0, "1.50"), ("ann", 1, "2.25"), ("ann", 2, "9"), ("anna", 0, "5")]:
        orders.put(Order(customer=customer, placed=NOON + timedelta(hours=hours), total=Decimal(total)))
    assert spent(orders, "ann", NOON, NOON + timedelta(hours=2)) == Decimal("3.75")


def test_each_test_has_an_instance_of_its_own(orders: OrderRepository) -> None:
    """What another test wrote is not here."""
    assert list(orders.of_customer("ann")) == []


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=instances(Order))
def test_every_order_comes_back(orders: OrderRepository, order: Order) -> None:
    """Whatever an order holds, it is read as it was written."""
    orders.put(order)
    found = orders.get(order.customer, order.placed)
    assert found is not None
    assert (found.total, order.note is None or found.note == order.note) == (order.total, True)
