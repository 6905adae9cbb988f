"""Keys, families and tables that Bigtable's documentation calls bad."""

from datetime import date, datetime

from documented import case

import btmodel as bt


def users(codec: bt.KeyCodec[int]) -> object:
    class User(bt.Model, table="users"):
        user: int = bt.key(codec, cardinality=10_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        joined: date = bt.column("joined", data)

        one = bt.query("user")

    return User


@case(
    "sequential numbers gather the active users on few nodes: write the number backwards",
    "KEY002",
    "`bt.ReversedDigits(10)`",
    fixed=lambda: users(bt.ReversedDigits(10)),
)
def users_by_number() -> object:
    return users(bt.PaddedInt(10))


def pages(codec: bt.KeyCodec[str]) -> object:
    class Page(bt.Model, table="pages"):
        site: str = bt.key(codec, cardinality=1_000_000, domain=True)

        data = bt.family("data", gc=bt.max_versions(1))
        title: str = bt.column("title", data)

        one = bt.query("site")

    return Page


@case(
    "names of domains, reversed, keep the pages of google.com together",
    "KEY011",
    "`bt.ReversedDomain(",
    fixed=lambda: pages(bt.ReversedDomain(253)),
)
def pages_by_domain() -> object:
    return pages(bt.Text(max_length=253))


def profiles_in_two_families() -> object:
    class Profile(bt.Model, table="profile"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

        log = bt.family("log", gc=bt.max_versions(1_000))
        now = bt.family("now", gc=bt.max_versions(1))
        status: str = bt.column("status", now, keep=bt.max_versions(1))
        action: str = bt.column("action", log, keep=bt.max_versions(1_000))

    return Profile


@case(
    "what needs its newest version alone, beside 1,000 versions of another, is paid for 999 times: two families",
    "FAM005",
    "gc=bt.max_versions(1)",
    fixed=profiles_in_two_families,
)
def profiles_in_one_family() -> object:
    class Profile(bt.Model, table="profile"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

        log = bt.family("log", gc=bt.max_versions(1_000))
        status: str = bt.column("status", log, keep=bt.max_versions(1))
        action: str = bt.column("action", log, keep=bt.max_versions(1_000))

    return Profile


def contacts(qualifier: str) -> object:
    class Contact(bt.Model, table="contact"):
        user: int = bt.key(bt.ReversedDigits(8), cardinality=1_000_000, sequential=True)

        data = bt.family("data", gc=bt.max_versions(1))
        cellphone: str = bt.column(qualifier, data, size=11)

    return Contact


@case(
    "CELLPHONE_NUMBER is a long name for a column: CELL is short and says as much",
    "COL001",
    "`data:CELL`",
    fixed=lambda: contacts("CELL"),
)
def contacts_with_a_long_name() -> object:
    return contacts("CELLPHONE_NUMBER")


def readings(codec: bt.KeyCodec[int]) -> object:
    class Reading(bt.Model, table="reading"):
        device: str = bt.key(bt.HexDigest(8), cardinality=100_000)
        number: int = bt.key(codec)

        data = bt.family("data", gc=bt.max_versions(1))
        value: int = bt.column("value", data)

        some = bt.query("device", between="number")

    return Reading


@case(
    "3 sorts above 20, and 03 below it: put zeros in front of numbers",
    "KEY007",
    "`bt.PaddedInt(6)`",
    fixed=lambda: readings(bt.PaddedInt(6)),
)
def readings_without_zeros() -> object:
    return readings(bt.Int(6))


def visits_by_user() -> object:
    class Visit(bt.Model, table="visit", events="2000/s"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

    return Visit


@case(
    "a hash gives up the order of keys, and nobody can read it: use the value itself",
    "KEY004",
    "`{user}#{at}`",
    fixed=visits_by_user,
)
def visits_by_hash() -> object:
    class Visit(bt.Model, table="visit", events="2000/s"):
        hashed = bt.digest("user")
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        user: str = bt.column("user", data, cardinality=1_000_000)
        page: str = bt.column("page", data)

    return Visit


def machines(codec: bt.KeyCodec[int]) -> object:
    class Machine(bt.Model, table="machine", events="2000/s"):
        machine: int = bt.key(codec, cardinality=100_000, sequential=False)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        load: float = bt.column("load", data)

    return Machine


@case(
    "raw bytes are for values; keys are read by people",
    "KEY006",
    "`bt.PaddedInt(",
    fixed=lambda: machines(bt.PaddedInt(10)),
)
def machines_in_binary() -> object:
    return machines(bt.BigEndian(4))


def orders_by_account() -> object:
    class Order(bt.Model, table="order"):
        account: str = bt.key(bt.HexDigest(12), cardinality=1_000_000)
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        total: int = bt.column("total", data)

    return Order


@case(
    "keys are seen by many: keep what tells who a person is out of them",
    "KEY010",
    "a surrogate",
    fixed=orders_by_account,
)
def orders_by_email() -> object:
    class Order(bt.Model, table="order"):
        email: str = bt.key(bt.Text(max_length=80), cardinality=1_000_000)
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        total: int = bt.column("total", data)

    return Order


def purchases_by_tenant() -> object:
    class Purchase(bt.Model, table="purchase", events="100/s"):
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=400, tenant=True)
        device: str = bt.key(bt.HexDigest(8), cardinality=1_000_000)
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        total: int = bt.column("total", data)

    return Purchase


@case(
    "with the tenant in front, the rows of one that leaves are one prefix",
    "KEY018",
    "`{tenant}#{device}#{day}`",
    fixed=purchases_by_tenant,
)
def purchases_by_device() -> object:
    class Purchase(bt.Model, table="purchase", events="100/s"):
        device: str = bt.key(bt.HexDigest(8), cardinality=1_000_000)
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=400, tenant=True)
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        total: int = bt.column("total", data)

    return Purchase


def sales(table: str) -> object:
    class Sale(bt.Model, table=table):
        shop: str = bt.key(bt.Text(max_length=20), cardinality=4_000)
        number: int = bt.key(bt.PaddedInt(9))

        data = bt.family("data", gc=bt.max_versions(1))
        total: int = bt.column("total", data)

    return Sale


@case(
    "a new year is no reason for a new table",
    "TAB002",
    "`table=",
    fixed=lambda: sales("SALES"),
)
def sales_of_a_year() -> object:
    return sales("SALES_2015")


def closing_prices() -> object:
    class Price(bt.Model, table="STOCK", events="8000/day"):
        symbol: str = bt.key(bt.Text(max_length=5), cardinality=8_000)
        day: date = bt.key(bt.DateText())

        stock = bt.family("STOCK", gc=bt.max_versions(1))
        price: int = bt.column("PRICE", stock)

    return Price


@case(
    "versions are not for time series: a row for each day",
    "COL005",
    "`{symbol}#",
    fixed=closing_prices,
)
def closing_prices_as_versions() -> object:
    class Price(bt.Model, table="STOCK", events="8000/day"):
        symbol: str = bt.key(bt.Text(max_length=5), cardinality=8_000)

        stock = bt.family("STOCK", gc=bt.max_versions(10_000))
        price: bt.History[int] = bt.history("PRICE", stock, every="1day")

    return Price
