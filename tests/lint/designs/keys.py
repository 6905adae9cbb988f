"""Published designs in which the encoding of a key, a salt, a hash or a query matters."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from published import bad, good

import btmodel as bt


@bad("https://cloud.google.com/bigtable/docs/schema-design: hashed values", "KEY004", says=("{user}#{at}",))
def hash_of_a_random_id() -> object:
    class Visit(bt.Model, table="visit", events="2000/s"):
        user_hash = bt.digest("user", size=8)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        user: str = bt.column("u", f, cardinality=10**6, max_size=32)
        page: str = bt.column("p", f)

        of_user = bt.query("user", between="at")

    return Visit


@good("https://cloud.google.com/bigtable/docs/schema-design: a hash of what is too long for a key")
def hash_of_a_long_url() -> object:
    class Page(bt.Model, table="page", events="2000/s"):
        id = bt.digest("url")

        f = bt.family("f", gc=bt.max_versions(1))
        url: str = bt.column("url", f, max_size=8_000, size=300)
        title: str = bt.column("t", f)

        of_url = bt.query("url")

    return Page


@good("HBase reference guide, hashing: two bytes of a hash in front of an id in sequence")
def hash_in_front_of_a_sequence() -> object:
    class Order(bt.Model, table="orders", events="2000/s"):
        spread = bt.digest("order", size=2)
        order: int = bt.key(bt.PaddedInt(10), sequential=True)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        one = bt.query("order")

    return Order


@bad(
    "HBase in Action, chapter 9: a hash of few values is few values",
    "KEY003",
    "KEY004",
    never=("keep the readable value",),
)
def hash_in_front_of_few_metrics() -> object:
    class Point(bt.Model, table="point", events="100000/s", nodes=10):
        spread = bt.digest("metric", size=2)
        metric: str = bt.key(bt.Text(max_length=30), cardinality=3)
        at: datetime = bt.key(bt.EpochMillis())
        host: str = bt.key(bt.HexDigest(8), cardinality=90_000)

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_metric = bt.query("metric", between="at")

    return Point


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design-time-series: a salt that is not needed",
    "KEY005",
    says=("{user}#{at}",),
)
def salt_on_spread_keys() -> object:
    class Battery(bt.Model, table="battery", events="20000/s"):
        salt = bt.salt("user", buckets=8)
        user: str = bt.key(bt.HexDigest(12), cardinality=10**7)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        percent: int = bt.column("p", f)

        of_user = bt.query("user", between="at")

    return Battery


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design-time-series: as many salts as nodes",
    "KEY005",
    "KEY017",
    says=("buckets=",),
)
def too_many_salts() -> object:
    class Event(bt.Model, table="event", events="20000/s", nodes=3):
        salt = bt.salt("at", buckets=1_000)
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f, size=200)

        some = bt.query(between="at")

    return Event


@good("https://cloud.google.com/bigtable/docs/schema-design-time-series: three salts for three nodes")
def three_salts() -> object:
    class Event(bt.Model, table="event", events="20000/s", nodes=3):
        salt = bt.salt("at", buckets=3)
        at: datetime = bt.key(bt.EpochMicros())
        source: str = bt.key(bt.Text(max_length=9), cardinality=50)

        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f, size=200)

        some = bt.query(between="at")

    return Event


@bad(
    "A generation, its one digit written backwards",
    "KEY001|KEY002|KEY003",
    "QRY001",
    never=("backwards", "ReversedDigits"),
)
def one_digit_backwards() -> object:
    class Object(bt.Model, table="object", events="30000/s"):
        generation: int = bt.key(bt.ReversedDigits(1), sequential=True, cardinality=10)
        at: datetime = bt.key(bt.EpochMicros())
        object: str = bt.key(bt.HexDigest(16), cardinality=10**9)

        f = bt.family("f", gc=bt.max_versions(1))
        size: int = bt.column("s", f)

        one = bt.query("generation", "object", between="at")

    return Object


@bad("HBase: The Definitive Guide, chapter 9: names joined without anything between them", "KEY008")
def names_joined() -> object:
    class Member(bt.Model, table="member", delimiter="", events="10/s"):
        club: str = bt.key(bt.Text(max_length=20), cardinality=900)
        team: str = bt.key(bt.Text(max_length=20), cardinality=9_000)

        f = bt.family("f", gc=bt.max_versions(1))
        since: date = bt.column("s", f)

        one = bt.query("club", "team")

    return Member


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: numbers without zeros in front, read in ranges",
    "KEY007|QRY001",
    says=("PaddedInt",),
)
def unpadded_and_ranged() -> object:
    class Line(bt.Model, table="line", events="900/s"):
        document: str = bt.key(bt.HexDigest(12), cardinality=10**7)
        number: int = bt.key(bt.Int(6))

        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)

        some = bt.query("document", between="number")

    return Line


@good(
    "https://cloud.google.com/bigtable/docs/schema-design: numbers without zeros in front, each looked up by itself"
)
def unpadded_and_looked_up() -> object:
    class Line(bt.Model, table="line", events="900/s"):
        document: str = bt.key(bt.HexDigest(12), cardinality=10**7)
        number: int = bt.key(bt.Int(6))

        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f)

        one = bt.query("document", "number")

    return Line


@good("HBase reference guide, bytes patterns: a long of eight bytes, looked up by itself")
def binary_and_looked_up() -> object:
    class Order(bt.Model, table="orders", events="500/s"):
        customer: UUID = bt.key(bt.UuidText(), cardinality=10**6)
        order: int = bt.key(bt.BigEndian(8))

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        one = bt.query("customer", "order")

    return Order


@bad("HBase reference guide, bytes patterns: the wrong end first, read in ranges", "KEY007|QRY001")
def little_endian_and_ranged() -> object:
    class Order(bt.Model, table="orders", events="500/s"):
        customer: UUID = bt.key(bt.UuidText(), cardinality=10**6)
        order: int = bt.key(bt.LittleEndian(8))

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        some = bt.query("customer", between="order")

    return Order


@bad("HBase in Action, chapter 8: a rectangle of a map", asked=("QRY005|QRY001",), says=("geohash",))
def rectangle_of_a_map() -> object:
    class Place(bt.Model, table="place", events="10/s"):
        latitude: int = bt.key(bt.PaddedInt(8), sequential=False)
        longitude: int = bt.key(bt.PaddedInt(9))
        place: str = bt.key(bt.HexDigest(8), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        within = bt.query(between="latitude", where=["longitude"])

    return Place


@good("HBase in Action, chapter 8: a geohash")
def places_by_geohash() -> object:
    class Place(bt.Model, table="place", events="10/s"):
        geohash: str = bt.key(bt.Text(width=9), cardinality=10**7)
        place: str = bt.key(bt.HexDigest(8), cardinality=10**7)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f)

        near = bt.query(starting="geohash")

    return Place


@good("GeoMesa, the Z3 index: shard, week, z value, feature")
def geomesa() -> object:
    class Feature(bt.Model, table="z3", events="20000/s", nodes=4):
        shard = bt.salt("feature", buckets=4)
        week: date = bt.key(bt.IsoWeek())
        z: int = bt.key(bt.HexInt(16), cardinality=10**15)
        feature: str = bt.key(bt.HexDigest(16), cardinality=10**12)

        d = bt.family("d", gc=bt.max_age(days=400))
        attributes: bytes = bt.column("d", d, size=200)

        within = bt.query("week", between="z")

    return Feature


@bad("https://cloud.google.com/bigtable/docs/writes: one counter of all visits of a page", "KEY013")
def one_counter() -> object:
    class Page(bt.Model, table="page", events="100000/s"):
        page: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("f", aggregate="sum", gc=bt.keep_all())
        visits: int | None = bt.counter("v", f, increments="500/s")

        one = bt.query("page")

    return Page


@good("https://cloud.google.com/bigtable/docs/writes: sums of an hour")
def counters_of_hours() -> object:
    class Page(bt.Model, table="page", events="9000/s"):
        page: str = bt.key(bt.HexDigest(12), cardinality=10**6)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        f = bt.family("f", aggregate="sum", gc=bt.keep_all())
        visits: int | None = bt.counter("v", f, increments="2/min")

        some = bt.query("page", between="hour")

    return Page


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: a document that is filtered by what is in it",
    "QRY003",
)
def filter_in_a_document() -> object:
    class Event(bt.Model, table="event", events="900/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=10**6)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        payload: dict[str, Any] = bt.column("p", f, size=300)

        alarms = bt.query("device", between="at", where=["payload.kind"])

    return Event


@bad("Rates without cardinalities: a country in front of the time", asked=("FIG001",))
def unknown_cardinality() -> object:
    class Visit(bt.Model, table="visit", events="50000/s"):
        country: str = bt.key(bt.Text(max_length=20))
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

        of_country = bt.query("country", between="at")

    return Visit


@good("Rates without cardinalities: a random id has enough values, whatever their number")
def unknown_cardinality_of_random_ids() -> object:
    class Visit(bt.Model, table="visit", events="50000/s"):
        visit: UUID = bt.key(bt.UuidText())
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

        of_visit = bt.query("visit", between="at")

    return Visit


@good("Lengths that nobody declared: a bound is no length")
def long_bounds() -> object:
    class Setting(bt.Model, table="setting", events="5/s"):
        application: str = bt.key(bt.Text(max_length=300), cardinality=90)
        name: str = bt.key(bt.Text(max_length=900), cardinality=9_000)

        f = bt.family("f", gc=bt.max_versions(1))
        value: str = bt.column("v", f)

        one = bt.query("application", "name")

    return Setting


@bad("https://cloud.google.com/bigtable/docs/schema-design: keys that are long", "KEY009")
def long_keys() -> object:
    class Setting(bt.Model, table="setting", events="5/s"):
        application: str = bt.key(bt.Text(max_length=300), cardinality=90, size=120)
        name: str = bt.key(bt.Text(max_length=900), cardinality=9_000, size=400)

        f = bt.family("f", gc=bt.max_versions(1))
        value: str = bt.column("v", f)

        one = bt.query("application", "name")

    return Setting


@good("https://cloud.google.com/bigtable/docs/schema-design: what is stored once stands in one row")
def one_row() -> object:
    class Settings(bt.Model, table="settings", events="1/day"):
        kind = bt.constant("SETTINGS")

        f = bt.family("f", gc=bt.max_versions(1))
        limit: int = bt.column("l", f)

    return Settings


@good("https://cloud.google.com/bigtable/docs/schema-design: a year behind what spreads")
def years_of_customers() -> object:
    class Total(bt.Model, table="total", events="5000/s"):
        customer: str = bt.key(bt.HexDigest(12), cardinality=10**6)
        year: int = bt.key(bt.PaddedInt(4))

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_customer = bt.query("customer", between="year")

    return Total


@good("https://cloud.google.com/bigtable/docs/schema-design: a name is long only for values that are short")
def long_qualifiers_of_texts() -> object:
    class Book(bt.Model, table="book", events="9/s"):
        book: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("descriptions_of_books", gc=bt.max_versions(1))
        biography: str = bt.column("biography_of_author", f)

        one = bt.query("book")

    return Book


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: names of columns that outweigh their values",
    "COL001",
    says=("`f:temp`",),
)
def long_qualifiers() -> object:
    class Reading(bt.Model, table="reading", events="900/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=10**6)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        temperature: float = bt.column("measured_temperature_celsius", f)

        of_device = bt.query("device", between="at")

    return Reading


@bad(
    "https://cloud.google.com/bigtable/docs/garbage-collection: what is kept for a day beside what is kept for ever",
    "FAM005",
)
def mixed_retention() -> object:
    class Device(bt.Model, table="device", events="900/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=10**6)

        f = bt.family("f", gc=bt.max_versions(1))
        model: str = bt.column("m", f)
        beat: datetime = bt.column("b", f, keep=bt.max_age(days=1))

        one = bt.query("device")

    return Device


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: a city in front of its country", asked=("KEY016",)
)
def cities_then_countries() -> object:
    class Sale(bt.Model, table="sale", events="900/s"):
        city: str = bt.key(bt.Text(max_length=30), cardinality=40_000)
        country: str = bt.key(bt.Text(width=2), cardinality=200)
        id: str = bt.key(bt.HexDigest(8), cardinality=10**9)

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_country = bt.query(scan="a monthly report", where=["country"])

    return Sale


@bad(
    "Rates without cardinalities: nobody knows whether a country spreads",
    "KEY001",
    says=("if `country` has many values",),
)
def unknown_cardinality_behind_a_time() -> object:
    class Visit(bt.Model, table="visit", events="20000/s"):
        at: datetime = bt.key(bt.EpochMicros())
        country: str = bt.key(bt.Text(max_length=20))

        f = bt.family("f", gc=bt.max_age(days=30))
        page: str = bt.column("p", f)

    return Visit


@bad("A payload is no id", "KEY001", "KEY017", never=("{text}",))
def nothing_but_a_text() -> object:
    class Event(bt.Model, table="event", events="20000/s"):
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f, size=400)

        some = bt.query(between="at")

    return Event


@bad(
    "Queues on wide-column stores: a status, a time and a number in sequence, and jobs that are looked up by number",
    "KEY003",
    "QRY001",
    asked=("KEY021",),
    says=("write the digits of `id` backwards", "keep `status`, `next_run` in columns"),
)
def queue_of_jobs() -> object:
    class Job(bt.Model, table="job", events="20000/s"):
        status: str = bt.key(bt.Text(max_length=9), cardinality=3)
        next_run: datetime = bt.key(bt.EpochMillis())
        id: int = bt.key(bt.PaddedInt(12), sequential=True)

        f = bt.family("f", gc=bt.max_versions(1))
        command: str = bt.column("c", f)

        due = bt.query("status", between="next_run")
        one = bt.query("id")

    return Job


@bad("HBase reference guide, salting: a salt of a day that only a column holds", "KEY001")
def salt_of_a_day_in_a_column() -> object:
    class Entry(bt.Model, table="entry", events="20000/s"):
        spread = bt.salt("day", buckets=4)
        entry: int = bt.key(bt.PaddedInt(10), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=30))
        day: str = bt.column("day", f)

        one = bt.query("entry")

    return Entry


@bad(
    "HBase reference guide, hashing: ids in sequence that are read in ranges, behind a hash that no query can give",
    "QRY001",
    says=("salt",),
    never=("`{id}#{spread}`", "`{id}`"),
)
def hash_in_front_of_ranges() -> object:
    class Event(bt.Model, table="event", events="20000/s"):
        spread = bt.digest("id", size=1)
        id: int = bt.key(bt.PaddedInt(10), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        some = bt.query(between="id")

    return Event


@good(
    "https://cloud.google.com/bigtable/docs/performance: hosts that all report alike are places enough for three nodes"
)
def few_hosts_that_report_alike() -> object:
    class Load(bt.Model, table="load", events="2000/s"):
        host: str = bt.key(bt.Text(max_length=60), cardinality=5, skew="uniform")
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_host = bt.query("host", between="at")

    return Load
