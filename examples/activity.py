"""Recent activity: a shop's sidebar shows the five newest actions of the user.

It asks for one prefix, from the newest on, so the time in the key is reversed. The rows carry
the details of the product that the sidebar shows, so that it reads nothing else; they do not carry
what it does not show, such as the user's phone number or the address of the product's maker.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import Enum

from attrs import frozen

import btmodel as bt


class Action(Enum):
    """What a user did with a product."""

    VIEWED = "viewed"
    BOUGHT = "bought"
    RATED = "rated"


@frozen
class Customer:
    """A user, as another table of the shop has it."""

    id: str
    phone: str


@frozen
class Product:
    """A product, as another table of the shop has it."""

    id: str
    name: str
    price: Decimal
    image: str
    maker_address: str


class Activity(bt.Model, table="activity", events="5000/s"):
    """An action of a user, the newest first. Old ones go after a year."""

    user: str = bt.key(bt.Text(max_length=20), cardinality=10_000_000)
    at: datetime = bt.key(bt.ReversedMillis())

    data = bt.family("activity", gc=bt.max_age(days=365))
    action: Action = bt.column("action", data)
    product: str = bt.column("product", data)
    name: str = bt.column("name", data)
    price: Decimal = bt.column("price", data)
    image: str = bt.column("image", data)

    of_user = bt.query("user", between="at", newest=True)


def newest_of_everybody() -> object:
    """Actions by time alone: the newest of everybody, and all written to one tablet."""

    class Action(bt.Model, table="activity", events="5000/s"):
        at: datetime = bt.key(bt.ReversedMillis())

        data = bt.family("activity", gc=bt.max_age(days=365))
        user: str = bt.column("user", data)
        product: str = bt.column("product", data)

        of_user = bt.query("user", between="at")

    return Action


def activity(customer: Customer, action: Action, product: Product, at: datetime) -> Activity:
    """The row of an action, with what the sidebar shows of the product."""
    return Activity(
        user=customer.id,
        at=at,
        action=action,
        product=product.id,
        name=product.name,
        price=product.price,
        image=product.image,
    )


CORRIE, JO = Customer("corrie", "+1 555 0100"), Customer("jo", "+1 555 0199")
SHOVEL = Product("p-17", "Shovel", Decimal("24.90"), "shovel.jpg", "1 Forge Lane, Leeds")
SEEDS = Product("p-42", "Carrot seeds", Decimal("1.95"), "carrots.jpg", "3 Mill Road, Ely")
START = datetime(2015, 3, 16, 19, 0, tzinfo=UTC)


def actions() -> Iterator[Activity]:
    """Six actions of Corrie, a minute apart, and one of Jo."""
    for minute, (action, product) in enumerate(
        (
            (Action.VIEWED, SHOVEL),
            (Action.VIEWED, SEEDS),
            (Action.BOUGHT, SEEDS),
            (Action.VIEWED, SHOVEL),
            (Action.BOUGHT, SHOVEL),
            (Action.RATED, SEEDS),
        )
    ):
        yield activity(CORRIE, action, product, START + timedelta(minutes=minute))
    yield activity(JO, Action.VIEWED, SHOVEL, START)
