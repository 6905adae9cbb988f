"""Published designs of time series: metrics, logs, events, markets, devices."""

from datetime import date, datetime
from decimal import Decimal

from published import bad, good

import btmodel as bt


@good("OpenTSDB, user guide, HBase schema: metric, base hour, tags")
def tsdb() -> object:
    class Points(bt.Model, table="tsdb", bucket="hour", events="50000/s", nodes=10):
        metric: str = bt.key(bt.HexDigest(6), cardinality=500)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))
        tags: str = bt.key(bt.Text(max_length=60), cardinality=20_000)

        t = bt.family("t", gc=bt.max_age(days=400))
        values: bt.History[float] = bt.history("v", t)

        of_metric = bt.query("metric", between="hour")

    return Points


@bad("OpenTSDB, user guide: a metric that is written too fast needs a salt", "KEY003", says=("salt",))
def tsdb_of_few_metrics() -> object:
    class Points(bt.Model, table="tsdb", events="100000/s", nodes=10):
        metric: str = bt.key(bt.HexDigest(6), cardinality=3)
        at: datetime = bt.key(bt.EpochMillis())
        tags: str = bt.key(bt.HexDigest(12), cardinality=200_000)

        t = bt.family("t", gc=bt.max_age(days=400))
        value: float = bt.column("v", t)

        of_metric = bt.query("metric", between="at")

    return Points


@good("OpenTSDB, user guide: salting since 2.2, a salt of metric and tags in front")
def tsdb_salted() -> object:
    class Points(bt.Model, table="tsdb", events="200000/s", nodes=20):
        salt = bt.salt("tags", buckets=20)
        metric: str = bt.key(bt.HexDigest(6), cardinality=3)
        at: datetime = bt.key(bt.EpochMillis())
        tags: str = bt.key(bt.HexDigest(12), cardinality=200_000)

        t = bt.family("t", gc=bt.max_age(days=400))
        value: float = bt.column("v", t)

        of_metric = bt.query("metric", between="at")

    return Points


@bad("HBase reference guide, monotonically increasing row keys", "KEY001", "QRY001", says=("{host}",))
def logs_by_time() -> object:
    class Line(bt.Model, table="log", events="20000/s"):
        at: datetime = bt.key(bt.EpochMicros())
        host: str = bt.key(bt.Text(max_length=30), cardinality=5_000)
        event: str = bt.key(bt.Text(max_length=12), cardinality=200)

        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f)

        of_host = bt.query("host", between="at")

    return Line


@good("HBase reference guide, case study of log data: the host in front, the time behind")
def logs_by_host() -> object:
    class Line(bt.Model, table="log", events="20000/s"):
        host: str = bt.key(bt.Text(max_length=30), cardinality=5_000)
        event: str = bt.key(bt.Text(max_length=12), cardinality=200)
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f)

        of_host = bt.query("host", "event", between="at")

    return Line


@good("HBase reference guide, case study of log data: buckets in front of the time, where it is read by time")
def logs_in_buckets() -> object:
    class Line(bt.Model, table="log", events="40000/s", nodes=8):
        bucket = bt.salt("at", buckets=8)
        at: datetime = bt.key(bt.EpochMicros())
        host: str = bt.key(bt.Text(max_length=30), cardinality=5_000)
        event: str = bt.key(bt.Text(max_length=12), cardinality=200)

        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f)

        of_time = bt.query(between="at")

    return Line


def minute_of(at: datetime) -> int:
    return at.minute


@bad(
    "HBase reference guide, case study of log data: a bucket that does not vary within the minute",
    "KEY001",
    "QRY001",
    says=("{host}#{at}",),
    never=("would spread them as well",),
)
def logs_in_buckets_of_minutes() -> object:
    class Line(bt.Model, table="log", events="40000/s"):
        bucket = bt.derived(bt.PaddedInt(2), "at", by=minute_of, values=range(60))
        at: datetime = bt.key(bt.EpochMicros())
        host: str = bt.key(bt.Text(max_length=30), cardinality=5_000)

        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f)

        of_host = bt.query("host", between="at")

    return Line


def hours_since_1970(at: datetime) -> int:
    return int(at.timestamp()) // 3600


@bad("HBase in Action, chapter 4: a time in any disguise is a hotspot", "KEY001", says=("{device}",))
def hour_number_in_front() -> object:
    class Reading(bt.Model, table="reading", events="20000/s"):
        hour = bt.derived(bt.PaddedInt(7), "at", by=hours_since_1970)
        device: str = bt.key(bt.HexDigest(12), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        one = bt.query("device", "at")

    return Reading


@bad(
    "https://stackoverflow.com/questions/57482413: a year in front keeps all rows on one node until the next year",
    "KEY001",
    says=("{city}",),
    never=("backwards", "ReversedDigits"),
)
def year_country_city() -> object:
    class Event(bt.Model, table="event", events="5000000/s"):
        year: int = bt.key(bt.PaddedInt(4))
        country: str = bt.key(bt.Text(width=2), cardinality=200)
        city: str = bt.key(bt.Text(max_length=30), cardinality=40_000)
        id: str = bt.key(bt.HexDigest(16), cardinality=10**12)

        f = bt.family("f", gc=bt.max_versions(1))
        document: str = bt.column("d", f, size=300)

        of_city = bt.query("year", "country", "city")

    return Event


@bad(
    "HBase reference guide: the digits of a number written backwards spread nothing where it stays the same for long",
    "KEY001",
    never=("backwards", "ReversedDigits"),
)
def year_written_backwards() -> object:
    class Sale(bt.Model, table="sale", events="5000/s"):
        year: int = bt.key(bt.ReversedDigits(4), sequential=True, cardinality=20)
        customer: str = bt.key(bt.HexDigest(12), cardinality=1_000_000)
        number: int = bt.key(bt.PaddedInt(6))

        f = bt.family("f", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", f)

        of_customer = bt.query("year", "customer")

    return Sale


@bad(
    "Amazon DynamoDB developer guide, uniform load: the date of creation as partition key",
    "KEY001",
    says=("{device}#{month}",),
    never=("ReversedDigits",),
)
def month_number_in_front() -> object:
    class Total(bt.Model, table="total", events="5000/s"):
        month: int = bt.key(bt.PaddedInt(6), cardinality=120)
        device: str = bt.key(bt.HexDigest(12), cardinality=100_000)

        f = bt.family("f", gc=bt.max_versions(1))
        energy: float = bt.column("e", f)

        one = bt.query("month", "device")

    return Total


@bad("Amazon DynamoDB developer guide, uniform load: a day, written as text, as partition key", "KEY001")
def day_as_text_in_front() -> object:
    class Visit(bt.Model, table="visit", events="8000/s"):
        day: str = bt.key(bt.Text(width=10), cardinality=400)
        visitor: str = bt.key(bt.HexDigest(16), cardinality=10_000_000)

        f = bt.family("f", gc=bt.max_age(days=90))
        pages: int = bt.column("p", f)

        one = bt.query("visitor", "day")

    return Visit


@bad("HBase reference guide: what is hashed must vary", "KEY001", never=("keep the readable value",))
def hash_of_the_month() -> object:
    class Reading(bt.Model, table="reading", events="20000/s"):
        spread = bt.digest("month", size=2)
        month: date = bt.key(bt.DateText("%Y%m"))
        device: str = bt.key(bt.HexDigest(12), cardinality=100_000)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_device = bt.query("month", "device", between="at")

    return Reading


@bad("HBase reference guide: what is hashed must vary, and a month as a number does not", "KEY001")
def hash_of_the_number_of_a_month() -> object:
    class Reading(bt.Model, table="reading", events="20000/s"):
        spread = bt.digest("month", size=2)
        month: int = bt.key(bt.PaddedInt(6), cardinality=120)
        device: str = bt.key(bt.HexDigest(12), cardinality=100_000)
        number: int = bt.key(bt.PaddedInt(9))

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_device = bt.query("month", "device", between="number")

    return Reading


@bad(
    "HBase in Action, chapter 4: seconds since 1970 as a number",
    "KEY001|KEY002",
    "QRY001",
    says=("{sensor}",),
)
def epoch_number_in_front() -> object:
    class Reading(bt.Model, table="reading", events="3000/s"):
        timestamp: int = bt.key(bt.PaddedInt(10))
        sensor: str = bt.key(bt.Text(width=8), cardinality=50_000)

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_sensor = bt.query("sensor", between="timestamp")

    return Reading


@bad(
    "Designing Data-Intensive Applications, chapter 6: sensors partitioned by time",
    "KEY001",
    "QRY001",
    says=("{sensor}#{at}",),
)
def sensors_by_time() -> object:
    class Reading(bt.Model, table="reading", events="3000/s"):
        at: datetime = bt.key(bt.EpochMillis())
        sensor: str = bt.key(bt.Text(width=8), cardinality=50_000)

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_sensor = bt.query("sensor", between="at")

    return Reading


@good("Designing Data-Intensive Applications, chapter 6: the name of the sensor in front of the time")
def sensors_by_name() -> object:
    class Reading(bt.Model, table="reading", events="3000/s"):
        sensor: str = bt.key(bt.Text(width=8), cardinality=50_000)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)

        of_sensor = bt.query("sensor", between="at")

    return Reading


@good("https://spotify.github.io/heroic/docs/bigtable: a row of a series holds about 50 days")
def heroic() -> object:
    class Series(bt.Model, table="metrics", bucket="month", events="16000/s"):
        series: str = bt.key(bt.Text(max_length=900), cardinality=1_000_000, size=150)
        month: date = bt.key(bt.DateText("%Y%m"))

        points = bt.family("p", gc=bt.max_age(days=400))
        value: bt.History[float] = bt.history("v", points, every="1min")

        of_series = bt.query("series", between="month")

    return Series


@good("https://cloud.google.com/bigtable/docs/schema-design-time-series: a table that is hardly written")
def three_rows_a_day() -> object:
    class Check(bt.Model, table="check", events="3/day"):
        day: date = bt.key(bt.DateText())
        shift: int = bt.key(bt.PaddedInt(1), cardinality=3)

        f = bt.family("f", gc=bt.keep_all())
        remark: str = bt.column("r", f)

        some = bt.query(between="day")

    return Check


@good(
    "https://cloud.google.com/bigtable/docs/schema-design: ids in sequence, of a table that is hardly written"
)
def invoices_in_sequence() -> object:
    class Invoice(bt.Model, table="invoice", events="3/day"):
        number: int = bt.key(bt.PaddedInt(8), sequential=True)

        f = bt.family("f", gc=bt.keep_all())
        total: Decimal = bt.column("t", f)

        some = bt.query(between="number")

    return Invoice


@good(
    "https://cloud.google.com/bigtable/docs/schema-design: a year in front, of a table that is hardly written"
)
def reports_by_year() -> object:
    class Report(bt.Model, table="report", events="200/day"):
        year: int = bt.key(bt.PaddedInt(4), sequential=True)
        branch: str = bt.key(bt.Text(width=5), cardinality=900)

        f = bt.family("f", gc=bt.keep_all())
        total: Decimal = bt.column("t", f)

        of_year = bt.query("year")

    return Report


@good(
    "https://cloud.google.com/bigtable/docs/schema-design: a number that looks like a time, and does not climb"
)
def films_by_year() -> object:
    class Film(bt.Model, table="film", events="2000/s"):
        year: int = bt.key(bt.PaddedInt(4), sequential=False, cardinality=120)
        title: str = bt.key(bt.Text(max_length=80), cardinality=500_000)

        f = bt.family("f", gc=bt.max_versions(1))
        views: int = bt.column("v", f)

        of_year = bt.query("year")

    return Film
