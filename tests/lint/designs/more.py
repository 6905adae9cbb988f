"""Published designs of all kinds, which were written when the review had seen the others."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad, good

import btmodel as bt


@bad(
    "Amazon DynamoDB developer guide, time series: a time of creation as text",
    "KEY001",
    says=("{order}#{created_at}",),
)
def created_at_as_text() -> object:
    class Order(bt.Model, table="orders", events="3000/s"):
        created_at: str = bt.key(bt.Text(width=24))
        order: str = bt.key(bt.HexDigest(16), cardinality=10**9)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        one = bt.query("order", "created_at")

    return Order


@bad("HBase reference guide, monotonically increasing row keys: the year and month as digits", "KEY001")
def year_and_month_in_front() -> object:
    class Event(bt.Model, table="event", events="3000/s"):
        yyyymm: str = bt.key(bt.Text(width=6), cardinality=120)
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_versions(1))
        count: int = bt.column("c", f)

        one = bt.query("yyyymm", "user")

    return Event


@good("Invoices of a month, of which a batch writes a few thousand a day")
def billing_month_in_front() -> object:
    class Invoice(bt.Model, table="invoice", events="5000/day"):
        billing_month: int = bt.key(bt.PaddedInt(6))
        customer: str = bt.key(bt.HexDigest(16), cardinality=10**6)

        f = bt.family("f", gc=bt.keep_all())
        total: Decimal = bt.column("t", f)

        of_month = bt.query("billing_month")

    return Invoice


@good("Registers of people by the year of birth: it does not follow the time of writing")
def birth_year_in_front() -> object:
    class Person(bt.Model, table="person", events="900/s"):
        birth_year: int = bt.key(bt.PaddedInt(4), cardinality=110)
        person: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_versions(1))
        height: int = bt.column("h", f)

        one = bt.query("birth_year", "person")

    return Person


def weekday(at: datetime) -> int:
    return at.weekday()


def day_as_text(at: datetime) -> str:
    return at.strftime("%Y%m%d")


def by_length(user: str) -> int:
    return sum(user.encode()) % 8


@bad(
    "HBase reference guide, salting: a shard of the day of the week",
    "KEY001",
    never=("would spread them as well",),
)
def shard_of_the_weekday() -> object:
    class Event(bt.Model, table="event", events="9000/s"):
        shard = bt.derived(bt.PaddedInt(1), "at", by=weekday, values=range(7))
        at: datetime = bt.key(bt.EpochMicros())
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

        of_time = bt.query(between="at")

    return Event


@bad("HBase in Action, chapter 4: a day made from the time, in front", "KEY001", says=("{user}#{at}",))
def day_made_of_the_time() -> object:
    class Event(bt.Model, table="event", events="9000/s"):
        day = bt.derived(bt.Text(width=8), "at", by=day_as_text)
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

        one = bt.query("user", "at")

    return Event


@good("HBase reference guide, salting: a shard of a few hot sources")
def shard_of_users() -> object:
    class Event(bt.Model, table="event", events="90000/s", nodes=8):
        shard = bt.derived(bt.PaddedInt(1), "user", by=by_length, values=range(8))
        kind: str = bt.key(bt.Text(width=3), cardinality=4)
        at: datetime = bt.key(bt.EpochMicros())
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

        of_kind = bt.query("kind", between="at")

    return Event


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: a reversed time in front is a time in front",
    "KEY001",
)
def reversed_time_in_front() -> object:
    class Post(bt.Model, table="post", events="2000/s"):
        at: datetime = bt.key(bt.ReversedMillis())
        author: str = bt.key(bt.HexDigest(12), cardinality=10**7)

        f = bt.family("f", gc=bt.keep_all())
        text: str = bt.column("t", f)

        newest = bt.query(between="at", newest=True)

    return Post


@bad("A month as a number, the newest first, in front", "KEY001", never=("backwards",))
def month_downward_in_front() -> object:
    class Total(bt.Model, table="total", events="2000/s"):
        month: int = bt.key(bt.Descending(bt.PaddedInt(6)), cardinality=120)
        shop: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_shop = bt.query("month", "shop")

    return Total


@bad("HBase reference guide, salting: a salt of a month as a number", "KEY001")
def salt_of_a_month() -> object:
    class Total(bt.Model, table="total", events="2000/s"):
        salt = bt.salt("month", buckets=4)
        month: int = bt.key(bt.PaddedInt(6), cardinality=120)
        shop: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_shop = bt.query("month", "shop")

    return Total


@good("Documents and their versions, in sequence behind the document")
def versions_of_documents() -> object:
    class Version(bt.Model, table="version", events="900/s"):
        document: str = bt.key(bt.HexDigest(16), cardinality=10**8)
        version: int = bt.key(bt.PaddedInt(5), sequential=True, cardinality=50)

        f = bt.family("f", gc=bt.keep_all())
        text: str = bt.column("t", f)

        of_document = bt.query("document", between="version")

    return Version


@bad(
    "A number of a load in front: digits written backwards spread the loads, and not the rows of one load",
    "KEY001|KEY002",
    says=("{item}#{load}",),
)
def loads_in_sequence() -> object:
    class Item(bt.Model, table="item", events="30000/s"):
        load: int = bt.key(bt.PaddedInt(6), sequential=True, cardinality=50_000)
        item: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        price: Decimal = bt.column("p", f)

        one = bt.query("load", "item")

    return Item


@good(
    "https://cloud.google.com/bigtable/docs/schema-design: the number of an order backwards, then its lines"
)
def lines_of_orders() -> object:
    class Line(bt.Model, table="line", events="2000/s"):
        order: int = bt.key(bt.ReversedDigits(10), sequential=True)
        line: int = bt.key(bt.PaddedInt(3), cardinality=20)

        f = bt.family("f", gc=bt.max_versions(1))
        price: Decimal = bt.column("p", f)

        of_order = bt.query("order")

    return Line


@good("https://cloud.google.com/bigtable/docs/schema-design: an e-mail address that only its hash stands for")
def users_by_hash_of_email() -> object:
    class User(bt.Model, table="user", events="10/s"):
        email_hash: str = bt.key(bt.HexDigest(32), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        one = bt.query("email_hash")

    return User


@bad("https://cloud.google.com/bigtable/docs/schema-design: a telephone number in front", "KEY010")
def calls_by_phone_number() -> object:
    class Call(bt.Model, table="call", events="30000/s"):
        phone_number: str = bt.key(bt.Text(max_length=15), cardinality=10**8)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=180))
        seconds: int = bt.column("s", f)

        of_line = bt.query("phone_number", between="at")

    return Call


@bad("https://cloud.google.com/bigtable/quotas: a row that outgrows what can be read", "ROW002")
def months_of_fast_series() -> object:
    class Month(bt.Model, table="vibration", bucket="month", events="1000/s"):
        machine: str = bt.key(bt.Text(width=8), cardinality=100)
        month: date = bt.key(bt.DateText("%Y%m"))

        f = bt.family("f", gc=bt.max_age(days=400))
        value: bt.History[float] = bt.history("v", f)

        of_machine = bt.query("machine", between="month")

    return Month


@bad("https://cloud.google.com/bigtable/docs/writes: a number that is read to be added to", asked=("COL006",))
def counter_in_a_plain_column() -> object:
    class Page(bt.Model, table="page", events="900/s"):
        page: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        visits: int = bt.column("v", f, increments="2/min")

        one = bt.query("page")

    return Page


@bad(
    "https://cloud.google.com/bigtable/docs/garbage-collection: a family that does not say what it keeps",
    "FAM004",
)
def no_gc_rule() -> object:
    class Page(bt.Model, table="page", events="900/s"):
        page: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("f")
        title: str = bt.column("t", f)

        one = bt.query("page")

    return Page


@good("RFC 9562: sixteen bytes of a random UUID, looked up by itself")
def raw_uuids() -> object:
    class File(bt.Model, table="file", events="900/s"):
        id: UUID = bt.key(bt.UuidRaw())

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        one = bt.query("id")

    return File


@good("Vehicles of a map: a cell of five letters, then the time")
def vehicles_by_geohash() -> object:
    class Position(bt.Model, table="position", events="9000/s"):
        geohash: str = bt.key(bt.Text(width=5), cardinality=30_000)
        at: datetime = bt.key(bt.EpochMillis())
        vehicle: str = bt.key(bt.HexDigest(8), cardinality=10**6)

        f = bt.family("f", gc=bt.max_age(days=7))
        speed: int = bt.column("s", f)

        in_cell = bt.query("geohash", between="at")

    return Position


@good("Designing Data-Intensive Applications, chapter 6: a user, then a month as text")
def months_of_users() -> object:
    class Total(bt.Model, table="total", events="9000/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)
        month: str = bt.key(bt.Text(width=7))

        f = bt.family("f", gc=bt.max_versions(1))
        total: int = bt.column("t", f)

        of_user = bt.query("user", between="month")

    return Total


class State(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    FAILED = "failed"


@bad("Queues on wide-column stores: the state of a task in front", asked=("KEY021",))
def tasks_by_state() -> object:
    class Task(bt.Model, table="task", events="100/s"):
        state: State = bt.key(bt.EnumText(State))
        task: UUID = bt.key(bt.UuidText())

        f = bt.family("f", gc=bt.max_versions(1))
        command: str = bt.column("c", f)

        of_state = bt.query("state")

    return Task


@good("Addresses by state: one of a country does not change")
def shops_by_state() -> object:
    class Shop(bt.Model, table="shop", events="10/s"):
        state: str = bt.key(bt.Text(width=2), cardinality=50)
        shop: str = bt.key(bt.HexDigest(8), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        of_state = bt.query("state")

    return Shop


@bad("Presence of users by the time when they were last seen", "KEY001", asked=("KEY021",))
def users_by_last_seen() -> object:
    class Presence(bt.Model, table="presence", events="9000/s"):
        last_seen: datetime = bt.key(bt.EpochMillis())
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)

        f = bt.family("f", gc=bt.max_versions(1))
        device: str = bt.column("d", f)

        since = bt.query(between="last_seen")

    return Presence


@bad("https://cloud.google.com/bigtable/docs/schema-design: entries named by times, kept for ever", "ROW003")
def actions_in_one_row() -> object:
    class User(bt.Model, table="user", events="9000/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        actions: dict[datetime, str] = bt.mapping(f, bt.EpochMillis())

        one = bt.query("user")

    return User


@bad("A number in front of which nobody says how it is given", asked=("KEY002",))
def number_of_unknown_order() -> object:
    class Parcel(bt.Model, table="parcel", events="5000/s"):
        parcel: int = bt.key(bt.PaddedInt(12), cardinality=10**9)

        f = bt.family("f", gc=bt.max_versions(1))
        place: str = bt.column("p", f)

        one = bt.query("parcel")

    return Parcel


@good("Ten million meters, all of which send: their numbers were given long ago")
def meters_by_number() -> object:
    class Reading(bt.Model, table="meter", events="11000/s"):
        meter: int = bt.key(bt.PaddedInt(8), cardinality=10_000_000, sequential=False)
        at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        f = bt.family("f", gc=bt.max_age(days=400))
        energy: float = bt.column("e", f)

        of_meter = bt.query("meter", between="at")

    return Reading


@good("Common Crawl on Bigtable: reversed host, path, time of the fetch")
def fetches() -> object:
    class Fetch(bt.Model, table="fetch", events="9000/s"):
        host: str = bt.key(bt.ReversedDomain(200), cardinality=10**8, size=20)
        path: str = bt.key(bt.Text(max_length=900), cardinality=10**10, size=60)
        at: datetime = bt.key(bt.ReversedSeconds())

        f = bt.family("f", gc=bt.max_versions(1))
        status: int = bt.column("s", f)

        newest = bt.query("host", "path", between="at", newest=True)

    return Fetch


@good("One reading a minute of one plant, by day")
def one_plant() -> object:
    class Reading(bt.Model, table="plant", events="1/min"):
        day: date = bt.key(bt.DateText())
        minute: int = bt.key(bt.PaddedInt(4))

        f = bt.family("f", gc=bt.keep_all())
        power: float = bt.column("p", f)

        of_day = bt.query("day")

    return Reading


@bad("Weeks written as text, in front", "KEY001")
def week_as_text() -> object:
    class Chart(bt.Model, table="chart", events="900/s"):
        week: str = bt.key(bt.Text(width=8), cardinality=500)
        song: str = bt.key(bt.HexDigest(12), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        plays: int = bt.column("p", f)

        one = bt.query("week", "song")

    return Chart


@bad("Pub/Sub messages by shard and time: two shards for forty nodes", "KEY003", says=("salt",))
def two_shards() -> object:
    class Message(bt.Model, table="message", events="400000/s"):
        shard: int = bt.key(bt.PaddedInt(1), cardinality=2)
        at: datetime = bt.key(bt.EpochMicros())
        message: str = bt.key(bt.HexDigest(16), cardinality=10**12)

        f = bt.family("f", gc=bt.max_age(days=7))
        data: bytes = bt.column("d", f, size=200)

        some = bt.query("shard", between="at")

    return Message


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: a memory figure of one row, again and again",
    "KEY013",
)
def memory_of_one_row() -> object:
    class Memory(bt.Model, table="memory", events="20000/s"):
        machine: str = bt.key(bt.Text(max_length=20), cardinality=1_000)

        f = bt.family("f", gc=bt.max_versions(1))
        used: int = bt.column("u", f)

        one = bt.query("machine")

    return Memory


@good("Events of a calendar by month, which readers give with the user")
def calendars() -> object:
    class Entry(bt.Model, table="calendar", events="900/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=10**8)
        at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))
        entry: str = bt.key(bt.HexDigest(8), cardinality=10**9)

        f = bt.family("f", gc=bt.keep_all())
        title: str = bt.column("t", f)

        of_user = bt.query("user", between="at")

    return Entry


@bad(
    "Chat services on wide-column stores: who was last in a room, the newest first",
    asked=("KEY021",),
    says=(
        "column: `{room}#{user}`",
        "`latest` needs it in a key: keep `{room}#{last_seen}#{user}` as a second table",
    ),
)
def presence_in_rooms() -> object:
    class Presence(bt.Model, table="presence", events="3000/s"):
        room: str = bt.key(bt.HexDigest(16), cardinality=500_000)
        last_seen: datetime = bt.key(bt.ReversedMillis())
        user: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

        p = bt.family("p", gc=bt.max_age(days=1))
        device: str = bt.column("d", p)

        latest = bt.query("room", newest=True)

    return Presence


@bad("Issue trackers on wide-column stores: who an issue is assigned to", asked=("KEY021",))
def issues_by_assignee() -> object:
    class Issue(bt.Model, table="issue", events="20/s"):
        assignee: str = bt.key(bt.HexDigest(16), cardinality=50_000)
        issue: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        title: str = bt.column("t", p)

        mine = bt.query("assignee")

    return Issue


@bad("The specification of ULIDs: the first 48 bits are the time", "KEY002")
def clicks_by_ulid() -> object:
    class Click(bt.Model, table="click", events="20000/s"):
        ulid: str = bt.key(bt.Text(width=26), cardinality=10**10)

        c = bt.family("c", gc=bt.max_age(days=90))
        url: str = bt.column("u", c)

        one = bt.query("ulid")

    return Click


@bad("RFC 9562, version 7: the first 48 bits are the time", "KEY002")
def orders_by_uuid7() -> object:
    class Order(bt.Model, table="orders", events="20000/s"):
        uuid7: UUID = bt.key(bt.UuidText(), cardinality=10**10)

        o = bt.family("o", gc=bt.keep_all())
        total: Decimal = bt.column("t", o)

        one = bt.query("uuid7")

    return Order


@good("The specification of ULIDs: readings of devices that are called by one")
def readings_of_devices_with_ulids() -> object:
    class Reading(bt.Model, table="reading", events="20000/s"):
        device_ulid: str = bt.key(bt.Text(width=26), cardinality=10**6)
        at: datetime = bt.key(bt.EpochMillis())

        o = bt.family("o", gc=bt.max_age(days=90))
        watts: float = bt.column("w", o)

        of_device = bt.query("device_ulid", between="at")

    return Reading


@bad(
    "Keys of HBase in several parts: the day and the tracker in one field",
    "KEY001",
    says=("{tracker}#{part}",),
)
def pings_by_day_and_tile() -> object:
    class Ping(bt.Model, table="ping", events="20000/s"):
        part: tuple[date, str] = bt.key(bt.Joined((bt.DateText("%Y%m%d"), bt.Text(max_length=12)), ":"))
        tracker: str = bt.key(bt.HexDigest(16), cardinality=10**6)

        p = bt.family("p", gc=bt.max_age(days=30))
        latitude: float = bt.column("a", p)

        one = bt.query("tracker", "part")

    return Ping
