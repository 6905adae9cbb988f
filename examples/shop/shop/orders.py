"""What the shop does with its orders."""

from datetime import datetime
from decimal import Decimal

from shop.generated.order_repository import OrderRepository


def spent(orders: OrderRepository, customer: str, start: datetime, end: datetime) -> Decimal:
    """What a customer spent from ``start`` up to, and without, ``end``."""
    return sum((order.total for order in orders.of_customer(customer, start, end)), Decimal(0))
