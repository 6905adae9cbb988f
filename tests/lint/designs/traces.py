"""Published designs of messages, spans and chunks: what many write at once."""

from datetime import date, datetime

from published import bad, good

import btmodel as bt


@good("Discord, How Discord stores billions of messages: channel, bucket, message id")
def messages_of_channels() -> object:
    class Message(bt.Model, table="message", events="30000/s"):
        channel: int = bt.key(bt.PaddedInt(19), cardinality=50_000_000, sequential=False)
        id: int = bt.key(bt.PaddedInt(19), sequential=True)

        f = bt.family("f", gc=bt.keep_all())
        content: str = bt.column("c", f)

        of_channel = bt.query("channel", between="id")

    return Message


@bad("Twitter, Announcing Snowflake: ids that climb with the time", "KEY002", says=("ReversedDigits(19)",))
def tweets_by_snowflake() -> object:
    class Tweet(bt.Model, table="tweet", events="6000/s"):
        id: int = bt.key(bt.PaddedInt(19), sequential=True)

        f = bt.family("f", gc=bt.keep_all())
        text: str = bt.column("t", f)

        one = bt.query("id")

    return Tweet


@bad(
    "ULID specification: identifiers that sort by time, as keys", "KEY002", says=("salt",), never=("digits",)
)
def events_by_ulid() -> object:
    class Event(bt.Model, table="event", events="6000/s"):
        ulid: str = bt.key(bt.Text(width=26), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=30))
        payload: str = bt.column("p", f, size=200)

        one = bt.query("ulid")

    return Event


@bad("RFC 9562: a version 7 UUID begins with the time", "KEY002", says=("salt",), never=("digits",))
def events_by_uuid7() -> object:
    from uuid import UUID

    class Event(bt.Model, table="event", events="6000/s"):
        id: UUID = bt.key(bt.UuidText(), sequential=True)

        f = bt.family("f", gc=bt.max_age(days=30))
        payload: str = bt.column("p", f, size=200)

        one = bt.query("id")

    return Event


@bad(
    "https://cloud.google.com/bigtable/docs/schema-design: a few types of campaign in front of the time",
    "KEY003",
    "QRY001",
)
def impressions_by_type() -> object:
    class Impression(bt.Model, table="impression", events="90000/s"):
        type: str = bt.key(bt.Text(width=4), cardinality=4)
        at: datetime = bt.key(bt.EpochMillis())
        user: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)

        f = bt.family("f", gc=bt.max_age(days=30))
        campaign: str = bt.column("c", f)

        of_user = bt.query("type", "user", between="at")

    return Impression


@bad("https://cloud.google.com/bigtable/docs/schema-design: each key must be unique", "KEY017")
def vibration_by_second() -> object:
    class Reading(bt.Model, table="vibration", events="100000/s"):
        machine: str = bt.key(bt.Text(width=8), cardinality=1_000)
        at: datetime = bt.key(bt.EpochSeconds())

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_machine = bt.query("machine", between="at")

    return Reading


@bad("https://cloud.google.com/bigtable/docs/schema-design-time-series: a row that grows for ever", "ROW003")
def device_without_end() -> object:
    class Device(bt.Model, table="device", events="1000/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=60_000)

        f = bt.family("f", gc=bt.keep_all())
        value: bt.History[float] = bt.history("v", f)

        one = bt.query("device")

    return Device


@good("https://cloud.google.com/bigtable/docs/schema-design-time-series: a row for each device and day")
def device_days() -> object:
    class Day(bt.Model, table="device", bucket="day", events="1000/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=60_000)
        day: date = bt.key(bt.DateText())

        f = bt.family("f", gc=bt.max_age(days=90))
        value: bt.History[float] = bt.history("v", f)

        of_device = bt.query("device", between="day")

    return Day


@bad("https://cloud.google.com/bigtable/docs/garbage-collection: fewer versions than a row gets", "FAM006")
def device_days_that_lose_readings() -> object:
    class Day(bt.Model, table="device", bucket="day", events="1000/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=60_000)
        day: date = bt.key(bt.DateText())

        f = bt.family("f", gc=bt.max_versions(24))
        value: bt.History[float] = bt.history("v", f)

        of_device = bt.query("device", between="day")

    return Day


@bad("https://cloud.google.com/bigtable/docs/schema-design: a table for each month", "TAB002")
def a_table_for_each_month() -> object:
    class Reading(bt.Model, table="readings_{month}", events="1000/s"):
        device: str = bt.key(bt.HexDigest(12), cardinality=60_000)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=90))
        value: float = bt.column("v", f)

        of_device = bt.query("device", between="at")

    return Reading


@bad("https://cloud.google.com/bigtable/docs/schema-design: the history of a price in its versions", "COL005")
def prices_in_versions() -> object:
    class Price(bt.Model, table="price", events="100/s"):
        symbol: str = bt.key(bt.Text(width=6), cardinality=8_000)

        f = bt.family("f", gc=bt.max_versions(5_000))
        price: bt.History[float] = bt.history("p", f)

        one = bt.query("symbol")

    return Price


@bad("https://github.com/openzipkin/zipkin/issues/623: spans of a loaded service", "KEY003", says=("salt",))
def spans_of_services() -> object:
    class Span(bt.Model, table="span", events="60000/s"):
        service: str = bt.key(bt.Text(max_length=30), cardinality=20)
        at: datetime = bt.key(bt.EpochMicros())
        trace: str = bt.key(bt.HexDigest(16), cardinality=10**12)

        f = bt.family("f", gc=bt.max_age(days=7))
        duration: int = bt.column("d", f)

        of_service = bt.query("service", between="at")

    return Span


@good("https://github.com/openzipkin/zipkin/issues/623: a bucket behind the service")
def spans_of_services_in_buckets() -> object:
    class Span(bt.Model, table="span", events="60000/s"):
        service: str = bt.key(bt.Text(max_length=30), cardinality=20)
        bucket = bt.salt("trace", buckets=10)
        at: datetime = bt.key(bt.EpochMicros())
        trace: str = bt.key(bt.HexDigest(16), cardinality=10**12)

        f = bt.family("f", gc=bt.max_age(days=7))
        duration: int = bt.column("d", f)

        of_service = bt.query("service", between="at")

    return Span


@good("Jaeger, the storage of spans: the trace in front")
def spans_of_traces() -> object:
    class Span(bt.Model, table="span", events="60000/s"):
        trace: str = bt.key(bt.HexDigest(16), cardinality=10**12)
        span: str = bt.key(bt.HexDigest(16), cardinality=10**13)

        f = bt.family("f", gc=bt.max_age(days=7))
        duration: int = bt.column("d", f)

        of_trace = bt.query("trace")

    return Span


@bad(
    "https://github.com/cortexproject/cortex/issues/714: an index of one tenant, by day",
    "KEY001",
    says=("{metric}",),
)
def chunks_of_one_tenant() -> object:
    class Chunk(bt.Model, table="index", events="20000/s"):
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=1)
        day: date = bt.key(bt.DateText())
        metric: str = bt.key(bt.Text(max_length=60), cardinality=20_000)
        chunk: str = bt.key(bt.HexDigest(16), cardinality=10**10)

        f = bt.family("f", gc=bt.max_age(days=30))
        labels: str = bt.column("l", f)

        of_metric = bt.query("tenant", "day", "metric")

    return Chunk


@good("Cortex, the schema of the chunk store: a tenant, a day, and a metric make the hash key")
def chunks_of_tenants() -> object:
    class Chunk(bt.Model, table="index", events="20000/s"):
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=500, tenant=True)
        metric: str = bt.key(bt.Text(max_length=60), cardinality=20_000)
        day: date = bt.key(bt.DateText())
        chunk: str = bt.key(bt.HexDigest(16), cardinality=10**10)

        f = bt.family("f", gc=bt.max_age(days=30))
        labels: str = bt.column("l", f)

        of_metric = bt.query("tenant", "metric", between="day")

    return Chunk
