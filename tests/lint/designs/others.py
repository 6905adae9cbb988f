"""Published designs of all kinds, the last that were written."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from published import bad, good

import btmodel as bt


@good("The DynamoDB Book: entities of one table, told apart by a constant in front")
def entities_of_one_table() -> object:
    class Account(bt.Model, table="app", events="90/s"):
        kind = bt.constant("A")
        account: str = bt.key(bt.HexDigest(16), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        one = bt.query("account")

    class Device(bt.Model, table="app", events="900/s"):
        kind = bt.constant("D")
        account: str = bt.key(bt.HexDigest(16), cardinality=10**7)
        device: str = bt.key(bt.HexDigest(8), cardinality=10**8)

        g = bt.family("g", gc=bt.max_versions(1))
        version: str = bt.column("v", g)

        of_account = bt.query("account")

    return Account, Device


@bad("Words that begin alike (completion of a search): the delimiter upsets their order", asked=("KEY019",))
def completion() -> object:
    class Word(bt.Model, table="word", events="9/s"):
        word: str = bt.key(bt.Text(max_length=40), cardinality=10**6)
        language: str = bt.key(bt.Text(width=2), cardinality=40)

        f = bt.family("f", gc=bt.max_versions(1))
        weight: int = bt.column("w", f)

        beginning = bt.query(starting="word")

    return Word


@good("The best of a day, which a batch writes: a hundred rows")
def best_of_the_day() -> object:
    class Best(bt.Model, table="best", events="100/day"):
        day: date = bt.key(bt.DateText())
        place: int = bt.key(bt.PaddedInt(3), cardinality=100)

        f = bt.family("f", gc=bt.max_age(days=400))
        song: str = bt.column("s", f)

        of_day = bt.query("day")

    return Best


@bad("Sales of stores, partitioned by the date", "KEY001", "QRY001", says=("{store}#{date_}",))
def sales_by_date() -> object:
    class Sale(bt.Model, table="sale", events="9000/s"):
        date_: date = bt.key(bt.DateText())
        store: str = bt.key(bt.Text(width=6), cardinality=4_000)
        sale: str = bt.key(bt.HexDigest(16), cardinality=10**10)

        f = bt.family("f", gc=bt.keep_all())
        total: Decimal = bt.column("t", f)

        of_store = bt.query("store", between="date_")

    return Sale


@bad("RFC 9562: version 7 UUIDs behind three regions", "KEY003", says=("salt",), never=("digits",))
def uuid7_behind_regions() -> object:
    class Event(bt.Model, table="event", events="100000/s"):
        region: str = bt.key(bt.Text(width=2), cardinality=3)
        id: UUID = bt.key(bt.UuidText(), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=30))
        payload: str = bt.column("p", f, size=200)

        one = bt.query("region", "id")

    return Event


@bad("Amazon DynamoDB developer guide, time series: a time as ISO text", "KEY001")
def iso_text_in_front() -> object:
    class Reading(bt.Model, table="reading", events="2000/s"):
        time: str = bt.key(bt.Text(max_length=32))
        sensor: str = bt.key(bt.HexDigest(8), cardinality=90_000)

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        one = bt.query("time", "sensor")

    return Reading


@good("Places by their time zone, which is no time")
def places_by_time_zone() -> object:
    class Place(bt.Model, table="place", events="900/s"):
        time_zone: str = bt.key(bt.Text(max_length=40), cardinality=400)
        place: str = bt.key(bt.HexDigest(8), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        of_zone = bt.query("time_zone")

    return Place


@good("Passes for a day, by their random number")
def day_passes() -> object:
    class Pass(bt.Model, table="pass", events="900/s"):
        day_pass: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_age(days=90))
        owner: str = bt.column("o", f)

        one = bt.query("day_pass")

    return Pass


def hour_and_user(at: datetime, user: str) -> str:
    return f"{at:%Y%m%d%H}{sum(user.encode()) % 97:02}"


def user_and_month(at: datetime, user: str) -> str:
    return f"{user:>9.9}{at:%Y%m}"


@bad("HBase in Action, chapter 4: an hour and a piece of a hash, in front", "KEY001")
def hour_and_hash_in_front() -> object:
    class Event(bt.Model, table="event", events="20000/s"):
        place = bt.derived(bt.Text(width=12), "at", "user", by=hour_and_user)
        user: str = bt.key(bt.Text(width=9), cardinality=10**7)
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

        one = bt.query("user", "at")

    return Event


@bad("HBase in Action, chapter 4: a user and a month made from what the key holds already", "KEY004")
def user_and_month_in_front() -> object:
    class Event(bt.Model, table="event", events="20000/s"):
        place = bt.derived(bt.Text(width=15), "at", "user", by=user_and_month)
        user: str = bt.key(bt.Text(width=9), cardinality=10**7)
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

        one = bt.query("user", "at")

    return Event


@bad("The followers of a celebrity in one row (HBase in Action, chapter 4)", "ROW002")
def followers_in_one_row() -> object:
    class Followed(bt.Model, table="followed", events="900/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[str] = bt.members(f, bt.HexDigest(16), entries=5_000_000)

        one = bt.query("user")

    return Followed


@bad(
    "https://cloud.google.com/bigtable/docs/writes: a plain number to which is added a hundred times a second",
    "KEY013",
    asked=("COL006",),
)
def hot_number() -> object:
    class Clicks(bt.Model, table="clicks", events="9000/s"):
        advert: str = bt.key(bt.HexDigest(8), cardinality=10**5)

        f = bt.family("f", gc=bt.max_versions(1))
        clicks: int = bt.column("c", f, increments="100/s")

        one = bt.query("advert")

    return Clicks


@bad("https://cloud.google.com/bigtable/docs/schema-design: a table of a year", "TAB002")
def a_table_of_a_year() -> object:
    class Event(bt.Model, table="events_2026", events="900/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=400))
        page: str = bt.column("p", f)

        of_user = bt.query("user", between="at")

    return Event


@good("Ad tech: what a user saw, the newest first, for a month")
def impressions_of_users() -> object:
    class Impression(bt.Model, table="impression", events="400000/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=10**9)
        campaign: int = bt.key(bt.PaddedInt(8), cardinality=50_000)
        at: datetime = bt.key(bt.ReversedMillis())

        f = bt.family("i", gc=bt.max_age(days=30))
        price: int = bt.column("p", f)

        newest = bt.query("user", "campaign", between="at", newest=True)
        of_user = bt.query("user")

    return Impression


@good("Features of a model, by entity: https://cloud.google.com/bigtable/docs/overview")
def features() -> object:
    class Features(bt.Model, table="features", events="15000/s"):
        entity: str = bt.key(bt.Text(max_length=60), cardinality=10**8, size=20)

        f = bt.family("features", gc=bt.max_versions(3))
        values: dict[str, float] = bt.mapping(f, bt.Text(max_length=60), entries=200)

        one = bt.query("entity")

    return Features


@good("Stripe, idempotency keys: looked up by themselves, for two days")
def idempotency() -> object:
    class Answer(bt.Model, table="idempotency", events="5000/s"):
        key: str = bt.key(bt.Text(max_length=255), size=36, cardinality=10**9)

        f = bt.family("f", gc=bt.max_age(days=2))
        response: bytes = bt.column("r", f, size=500, max_size=100_000)

        one = bt.query("key")

    return Answer


@good("Audit logs: an actor, a month, then the rest of the time")
def audits() -> object:
    class Audit(bt.Model, table="audit", events="3000/s"):
        actor: str = bt.key(bt.HexDigest(16), cardinality=10**6)
        month: date = bt.key(bt.DateText("%Y%m"))
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.keep_all())
        what: str = bt.column("w", f)

        of_actor = bt.query("actor", between="month")

    return Audit


@bad("Tasks by whether they are done: two values in front of the time", "KEY003", "KEY021", says=("salt",))
def tasks_by_flag() -> object:
    class Task(bt.Model, table="task", events="60000/s"):
        done: bool = bt.key(bt.Boolean())
        at: datetime = bt.key(bt.EpochMicros())
        task: UUID = bt.key(bt.UuidText())

        f = bt.family("f", gc=bt.max_age(days=30))
        command: str = bt.column("c", f)

        todo = bt.query("done", between="at")

    return Task


@good("IoT, https://cloud.google.com/bigtable/docs/overview: what a device is to be, and what it is")
def shadows() -> object:
    class Shadow(bt.Model, table="shadow", events="800/s"):
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=100, tenant=True)
        device: UUID = bt.key(bt.UuidText(), cardinality=10**6)

        desired = bt.family("d", gc=bt.max_versions(1))
        reported = bt.family("r", gc=bt.max_versions(10))
        want: dict[str, Any] = bt.column("w", desired, size=400)
        have: dict[str, Any] = bt.column("h", reported, size=400)

        one = bt.query("tenant", "device")

    return Shadow


@good("Chats: a room, the newest first, and who sent")
def rooms() -> object:
    class Message(bt.Model, table="chat", events="40000/s"):
        room: str = bt.key(bt.HexDigest(16), cardinality=10**7)
        sent: datetime = bt.key(bt.ReversedMicros())
        sender: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("m", gc=bt.max_age(days=365))
        text: str = bt.column("t", f)

        latest = bt.query("room", between="sent", newest=True)

    return Message


@good("Designing Data-Intensive Applications, chapter 8: leases, by what they lock")
def leases() -> object:
    class Lease(bt.Model, table="lease", events="50/s"):
        resource: str = bt.key(bt.Text(max_length=200), size=40, cardinality=10**5)

        f = bt.family("l", gc=bt.max_versions(1))
        owner: str = bt.column("o", f)
        until: datetime = bt.column("u", f)

        one = bt.query("resource")

    return Lease


@good("Flags of features: a few hundred rows, which are read together")
def flags() -> object:
    class Flag(bt.Model, table="flag", events="2/h"):
        name: str = bt.key(bt.Text(max_length=100), cardinality=300)

        f = bt.family("f", gc=bt.max_versions(1))
        on: bool = bt.column("on", f)

        all = bt.query(scan="a few hundred rows")
        one = bt.query("name")

    return Flag


@good(
    "https://cloud.google.com/bigtable/docs/schema-design: the number of a user backwards, the newest search first"
)
def searches() -> object:
    class Search(bt.Model, table="search", events="7000/s"):
        user: int = bt.key(bt.ReversedDigits(12), sequential=True, cardinality=10**9)
        at: datetime = bt.key(bt.ReversedMillis())

        f = bt.family("f", gc=bt.max_age(days=90))
        words: str = bt.column("w", f)

        latest = bt.query("user", between="at", newest=True)

    return Search


@good("Cortex and Thanos: sums of a resolution, behind the metric")
def rollups() -> object:
    class Sum(bt.Model, table="rollup", events="4000/s"):
        metric: str = bt.key(bt.Text(max_length=60), cardinality=3_000, size=20)
        resolution: str = bt.key(bt.Text(width=3), cardinality=4)
        start: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        f = bt.family("f", aggregate="sum", gc=bt.keep_all())
        total: int | None = bt.counter("t", f, increments="1/min")

        some = bt.query("metric", "resolution", between="start")

    return Sum


@good("RFC 9562: version 7 UUIDs behind an account")
def uuid7_behind_accounts() -> object:
    class Event(bt.Model, table="event", events="40000/s"):
        account: int = bt.key(bt.PaddedInt(9), cardinality=5_000_000, sequential=False)
        id: UUID = bt.key(bt.UuidText(), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=400))
        total: int = bt.column("t", f)

        some = bt.query("account", between="id")

    return Event


@good("Houses by the quarter of a city, which is no time")
def houses_by_quarter() -> object:
    class House(bt.Model, table="house", events="900/s"):
        quarter: str = bt.key(bt.Text(max_length=40), cardinality=96)
        house: str = bt.key(bt.HexDigest(8), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        value: float = bt.column("v", f)

        of_quarter = bt.query("quarter")

    return House


@good("https://cloud.google.com/bigtable/docs/schema-design: tags, and their posts from the newest on")
def posts_of_tags() -> object:
    class Post(bt.Model, table="tags", events="9000/s"):
        tag: str = bt.key(bt.Text(max_length=40), cardinality=10**6, size=9)
        at: datetime = bt.key(bt.ReversedMillis())
        post: int = bt.key(bt.PaddedInt(19), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=30))
        likes: int = bt.column("l", f)

        newest = bt.query("tag", between="at", newest=True)

    return Post


@good("Ethereum: the transactions of an account by their nonce, in bytes")
def transactions_by_nonce() -> object:
    class Transaction(bt.Model, table="transactions", events="9000/s"):
        account: bytes = bt.key(bt.Bytes(width=20), cardinality=10**8)
        nonce: int = bt.key(bt.BigEndian(8), sequential=True)

        f = bt.family("f", gc=bt.keep_all())
        transaction: bytes = bt.column("t", f, size=300)

        of_account = bt.query("account", between="nonce")

    return Transaction


@bad(
    "Amazon DynamoDB developer guide, time series: the date of an order, as text",
    "KEY001",
    says=("{customer}#{order_date}",),
)
def orders_by_date_as_text() -> object:
    class Order(bt.Model, table="orders", events="9000/s"):
        order_date: str = bt.key(bt.Text(width=10))
        customer: str = bt.key(bt.HexDigest(16), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        one = bt.query("order_date", "customer")

    return Order


@bad(
    "Snapshots in sequence, each of which takes all writes until the next",
    "KEY001",
    says=("{customer}#{snapshot}",),
)
def snapshots() -> object:
    class Balance(bt.Model, table="balance", events="9000/s"):
        snapshot: int = bt.key(bt.PaddedInt(6), sequential=True, cardinality=50)
        customer: str = bt.key(bt.HexDigest(16), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        balance: Decimal = bt.column("b", f)

        one = bt.query("snapshot", "customer")

    return Balance


@bad("https://cloud.google.com/bigtable/docs/schema-design: the address of a visitor", "KEY010")
def visits_by_address() -> object:
    class Visit(bt.Model, table="visit", events="9000/s"):
        visitor_ip: str = bt.key(bt.Text(max_length=39), cardinality=10**7)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=10))
        page: str = bt.column("p", f)

        of_visitor = bt.query("visitor_ip", between="at")

    return Visit


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: six regions in front of a day",
    "KEY003",
    says=("{region}#{user}#{day}",),
)
def days_of_regions() -> object:
    class Total(bt.Model, table="total", events="90000/s"):
        region: str = bt.key(bt.Text(width=2), cardinality=6)
        day: str = bt.key(bt.Text(width=8))
        user: str = bt.key(bt.HexDigest(16), cardinality=10**7)

        f = bt.family("f", gc=bt.max_age(days=10))
        total: int = bt.column("t", f)

        one = bt.query("region", "day", "user")

    return Total
