"""Bad models, each with the one key that the fixes of all its findings name, and the model that has it: a table for tests."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

import btmodel as bt

Models = Callable[[], object]


@dataclass
class Case:
    """A bad model, the rules that find something, what the fix of each names, and the fixed model."""

    bad: Models
    rules: frozenset[str]
    key: str
    fixed: Models


CASES: list[Case] = []


def case(*rules: str, key: str, fixed: Models) -> Callable[[Models], Models]:
    """Add a case of the decorated function, which declares the bad model."""

    def add(bad: Models) -> Models:
        CASES.append(Case(bad, frozenset(rules), key, fixed))
        return bad

    return add


def user_by_moment() -> object:
    class Hit(bt.Model, table="HIT", events="5000/s"):
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)
        day: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        paid: Decimal = bt.column("paid", data)

    return Hit


@case("KEY001", "KEY017", key="`{user}#{day}`", fixed=user_by_moment)
def salt_of_the_day() -> object:
    class Hit(bt.Model, table="HIT", events="5000/s"):
        salt = bt.salt("day", buckets=3)
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        user: str = bt.column("user", data, cardinality=1_000_000)
        paid: Decimal = bt.column("paid", data)

    return Hit


@case("KEY001", "KEY017", key="`{user}#{day}`", fixed=user_by_moment)
def hash_of_the_day() -> object:
    class Hit(bt.Model, table="HIT", events="5000/s"):
        mark = bt.digest("day")
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        user: str = bt.column("user", data, cardinality=1_000_000)
        paid: Decimal = bt.column("paid", data)

    return Hit


def quotes() -> object:
    class Quote(bt.Model, table="QUOTE", events="5000/s"):
        exchange: str = bt.key(bt.Text(max_length=6), cardinality=20)
        symbol: str = bt.key(bt.Text(max_length=5), cardinality=8_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("MD", gc=bt.max_versions(1))
        bid: Decimal = bt.column("BID", data)

        by_symbol = bt.query("exchange", "symbol", between="at")

    return Quote


@case("KEY001", "QRY001", key="`{exchange}#{symbol}#{at}`", fixed=quotes)
def quotes_by_time() -> object:
    class Quote(bt.Model, table="QUOTE", events="5000/s"):
        at: datetime = bt.key(bt.EpochMillis())
        exchange: str = bt.key(bt.Text(max_length=6), cardinality=20)
        symbol: str = bt.key(bt.Text(max_length=5), cardinality=8_000)

        data = bt.family("MD", gc=bt.max_versions(1))
        bid: Decimal = bt.column("BID", data)

        by_symbol = bt.query("exchange", "symbol", between="at")

    return Quote


def devices() -> object:
    class Device(bt.Model, table="DEVICE", events="5000/s"):
        kind: str = bt.key(bt.Text(max_length=6), cardinality=5)
        id: str = bt.key(bt.Text(max_length=5), cardinality=8_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        volts: Decimal = bt.column("volts", data)

        of_kind = bt.query("kind")
        of_one = bt.query("kind", "id")

    return Device


@case("KEY001", "QRY001", key="`{kind}#{id}#{at}`", fixed=devices)
def devices_by_time() -> object:
    class Device(bt.Model, table="DEVICE", events="5000/s"):
        at: datetime = bt.key(bt.EpochMillis())
        kind: str = bt.key(bt.Text(max_length=6), cardinality=5)
        id: str = bt.key(bt.Text(max_length=5), cardinality=8_000)

        data = bt.family("data", gc=bt.max_versions(1))
        volts: Decimal = bt.column("volts", data)

        of_kind = bt.query("kind")
        of_one = bt.query("kind", "id")

    return Device


def charges_by_salt() -> object:
    class Charge(bt.Model, table="CHARGE", events="2000/s"):
        battery = bt.constant("B")
        salt = bt.salt("at", buckets=3)
        at: datetime = bt.key(bt.EpochMillis())
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        percent: int = bt.column("percent", data)

        in_time = bt.query(between="at")

    return Charge


@case("KEY001", key="`B#{salt}#{at}#{user}`", fixed=charges_by_salt)
def charges_by_time() -> object:
    class Charge(bt.Model, table="CHARGE", events="2000/s"):
        battery = bt.constant("B")
        at: datetime = bt.key(bt.EpochMillis())
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        percent: int = bt.column("percent", data)

        in_time = bt.query(between="at")

    return Charge


def charges_of_user() -> object:
    class Charge(bt.Model, table="CHARGE", events="2000/s"):
        battery = bt.constant("B")
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        percent: int = bt.column("percent", data)

        of_user = bt.query("user", between="at")

    return Charge


@case("KEY005", "QRY001", key="`B#{user}#{at}`", fixed=charges_of_user)
def charges_of_user_salted() -> object:
    class Charge(bt.Model, table="CHARGE", events="2000/s"):
        battery = bt.constant("B")
        salt = bt.salt("at", buckets=3)
        at: datetime = bt.key(bt.EpochMillis())
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        percent: int = bt.column("percent", data)

        of_user = bt.query("user", between="at")

    return Charge


@case("KEY005", key="`B#{user}#{at}`", fixed=charges_of_user)
def charges_with_a_last_salt() -> object:
    class Charge(bt.Model, table="CHARGE", events="2000/s"):
        battery = bt.constant("B")
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        salt = bt.salt("at", buckets=3)

        data = bt.family("data", gc=bt.max_versions(1))
        percent: int = bt.column("percent", data)

        of_user = bt.query("user", between="at")

    return Charge


def visits_of_tenant() -> object:
    class Visit(bt.Model, table="VISIT", events="2000/s"):
        tenant: str = bt.key(bt.Text(width=4), cardinality=40, tenant=True)
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

        of_user = bt.query("tenant", "user", between="at")

    return Visit


@case("QRY001", key='`bt.query("tenant", "user", between="at")`', fixed=visits_of_tenant)
def visits_of_users() -> object:
    class Visit(bt.Model, table="VISIT", events="2000/s"):
        tenant: str = bt.key(bt.Text(width=4), cardinality=40, tenant=True)
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

        of_user = bt.query("user", between="at")

    return Visit


def orders_backwards() -> object:
    class Order(bt.Model, table="ORDER", events="200/s"):
        id: int = bt.key(bt.ReversedDigits(20), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

    return Order


@case("KEY007", key="`bt.ReversedDigits(20)`", fixed=orders_backwards)
def orders_little_endian() -> object:
    class Order(bt.Model, table="ORDER", events="200/s"):
        id: int = bt.key(bt.LittleEndian(), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

    return Order


@case("KEY002", "KEY006", key="`bt.ReversedDigits(20)`", fixed=orders_backwards)
def orders_big_endian() -> object:
    class Order(bt.Model, table="ORDER", events="200/s"):
        id: int = bt.key(bt.BigEndian(), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

    return Order


def orders_salted() -> object:
    class Order(bt.Model, table="ORDER", events="200/s"):
        salt = bt.salt("id", buckets=3)
        id: int = bt.key(bt.PaddedInt(9), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

        of_range = bt.query(between="id")

    return Order


@case("QRY001", key='`salt = bt.salt("id", buckets=3)` in front: `{salt}#{id}`', fixed=orders_salted)
def ranges_of_reversed_digits() -> object:
    class Order(bt.Model, table="ORDER", events="200/s"):
        id: int = bt.key(bt.ReversedDigits(9), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

        of_range = bt.query(between="id")

    return Order


@case("KEY002", key='`salt = bt.salt("id", buckets=3)` in front: `{salt}#{id}`', fixed=orders_salted)
def ranges_of_ids_in_sequence() -> object:
    class Order(bt.Model, table="ORDER", events="200/s"):
        id: int = bt.key(bt.PaddedInt(9), cardinality=100_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", data)

        of_range = bt.query(between="id")

    return Order


def states_of_servers() -> object:
    class State(bt.Model, table="STATE", events="20000/s"):
        line: str = bt.key(bt.Text(max_length=9), cardinality=2)
        server: str = bt.key(bt.Text(max_length=9), cardinality=9_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        load: Decimal = bt.column("load", data)

    return State


@case("KEY013", key="`{line}#{server}#{at}`", fixed=states_of_servers)
def states_of_two_rows() -> object:
    class State(bt.Model, table="STATE", events="20000/s"):
        line: str = bt.key(bt.Text(max_length=9), cardinality=2)

        data = bt.family("data", gc=bt.max_versions(1))
        server: str = bt.column("server", data, cardinality=9_000)
        load: Decimal = bt.column("load", data)

    return State


def hits_of_users() -> object:
    class Hit(bt.Model, table="HIT", events="20000/s"):
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)
        host: str = bt.key(bt.ReversedDomain(60), cardinality=5)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

    return Hit


@case("KEY003", "KEY012", key="`{user}#{host}#{at}`", fixed=hits_of_users)
def hits_of_hosts() -> object:
    class Hit(bt.Model, table="HIT", events="20000/s"):
        host: str = bt.key(bt.ReversedDomain(60), cardinality=5)
        at: datetime = bt.key(bt.EpochMillis())
        user: str = bt.key(bt.Text(max_length=9), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

    return Hit


def parts_by_writer() -> object:
    class Part(bt.Model, table="PART", events="2000/s"):
        kind: str = bt.key(bt.Text(max_length=9), cardinality=300)
        day: date = bt.key(bt.DateText())
        id: int = bt.key(bt.PaddedInt(3), cardinality=500, sequential=False)
        writer: str = bt.key(bt.Text(max_length=20))

        data = bt.family("data", gc=bt.max_versions(1))
        weight: Decimal = bt.column("weight", data)

    return Part


@case("KEY017", key="`{kind}#{day}#{id}#{writer}`", fixed=parts_by_writer)
def parts_that_have_an_id() -> object:
    class Part(bt.Model, table="PART", events="2000/s"):
        kind: str = bt.key(bt.Text(max_length=9), cardinality=300)
        day: date = bt.key(bt.DateText())
        id: int = bt.key(bt.PaddedInt(3), cardinality=500, sequential=False)

        data = bt.family("data", gc=bt.max_versions(1))
        weight: Decimal = bt.column("weight", data)

    return Part
