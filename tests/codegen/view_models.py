"""Models of a table and of views of it, which together need all that SQL makes of keys and cells."""

from datetime import date, datetime
from enum import Enum, StrEnum
from uuid import UUID

import btmodel as bt


class Status(StrEnum):
    PAID = "paid"
    OPEN = "open"


class Grade(Enum):
    LOW = 1
    HIGH = 2


class Order(bt.Model, table="ORDER", events="10/s"):
    """An order of a customer."""

    kind = bt.constant("o")
    shop: str = bt.key(bt.Text(max_length=4), cardinality=50)
    number: int = bt.key(bt.PaddedInt(4), cardinality=1_000, sequential=False)
    at: datetime = bt.key(bt.EpochMillis())

    f = bt.family("f", gc=bt.max_versions(1))
    g = bt.family("g", gc=bt.max_versions(2))
    customer: str = bt.column("c", f, also="cust")
    status: Status = bt.column("s", f)
    grade: Grade | None = bt.column("gr", f, default=None)
    total: int = bt.column("t", f)
    weight: float | None = bt.column("w", g, default=None)
    placed: datetime = bt.column("p", f)
    due: date | None = bt.column("d", g, default=None)
    paid: bool = bt.column("b", f)
    token: UUID = bt.column("u", g)
    count: int = bt.column("n", g, codec=bt.DecimalText())
    ratio: float | None = bt.column("r", g, codec=bt.FloatText(), default=None)
    flag: bool = bt.column("l", g, codec=bt.FlagText())
    raw: bytes = bt.column("x", g)
    slot: int = bt.column("k", g, codec=bt.AsInKey(bt.PaddedInt(3)))
    note: str | None = bt.column("note", f, default=None)


class ByCustomer(bt.Index, of=Order, view="BY_CUSTOMER"):
    """The orders of a customer, the newest first."""

    customer: str = bt.key(bt.Text(max_length=12), cardinality=10_000)
    newest: datetime = bt.key(bt.ReversedMillis(), of="placed")
    kind = bt.constant("o")
    shop: str = bt.covered()
    number: int = bt.covered()
    at: datetime = bt.covered()
    total: int = bt.covered()
    note: str | None = bt.covered()
    money: int = bt.covered("count")

    of_customer = bt.query("customer", between="newest")


class ByWidth(bt.Index, of=Order, view="BY_WIDTH", where={"status": Status.PAID}):
    """Another order of the key's own fields, and codecs of fixed width."""

    customer: str = bt.key(bt.Text(width=6), cardinality=10_000)
    status: Status = bt.key(bt.EnumText(Status))
    number: int = bt.covered()
    day: date = bt.key(bt.DateText("%Y-%m-%d"), of="placed")
    paid: bool = bt.key(bt.Boolean())
    at: datetime = bt.covered()
    shop: str = bt.covered()
    weight: float | None = bt.covered()

    of_customer = bt.query("customer")


class ByToken(bt.Index, of=Order, view="BY_TOKEN", where={"due": bt.present(), "shop": "a"}):
    """Ids, times of several forms, and numbers."""

    token: UUID = bt.key(bt.UuidText(), cardinality=1_000_000)
    slot: int = bt.key(bt.Int(3))
    flag: bool = bt.key(bt.Boolean())
    due: date = bt.key(bt.IsoWeek())
    seconds: datetime = bt.key(bt.EpochSeconds(), of="placed")
    hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"), of="placed")
    raw: bytes = bt.key(bt.Bytes(width=2))
    kind = bt.constant("o")
    shop: str = bt.covered()
    number: int = bt.covered()
    at: datetime = bt.covered()
    status: Status = bt.covered()

    of_token = bt.query("token")


class OfShop(bt.Rollup, of=Order, view="OF_SHOP"):
    """What a shop sold in a month."""

    shop: str = bt.covered()
    month: date = bt.key(bt.DateText("%Y%m"), of="at")
    orders: int = bt.count()
    noted: int = bt.count("note")
    total: int = bt.sum_of("total")
    weight: float | None = bt.sum_of("weight")
    least: int | None = bt.min_of("count")
    greatest: float | None = bt.max_of("ratio")
    last: datetime = bt.max_of("placed")
    first_note: str | None = bt.min_of("note")
    mean: float = bt.average_of("total")
    customers: int = bt.distinct_of("customer")

    of_shop = bt.query("shop", between="month")


class OfStatus(bt.Rollup, of=Order, view="OF_STATUS", where={"paid": True}):
    """Paid orders by status and week."""

    status: Status = bt.key(bt.EnumText(Status))
    week: date = bt.key(bt.IsoWeek("%G%V"), of="placed")
    orders: int = bt.count()

    of_status = bt.query("status", between="week")


VIEWS = (ByCustomer, ByWidth, ByToken, OfShop, OfStatus)
