"""Published designs of threads, issues and posts, good and bad, written down before the review saw them."""

from datetime import date, datetime, timedelta
from enum import StrEnum
from uuid import UUID

from published import bad, good

import btmodel as bt


def first(ooid: UUID) -> str:
    return str(ooid)[0]


def shifted(at: datetime) -> int:
    seconds = int(at.timestamp())
    return seconds % 5 + seconds


class JobState(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"


@good("alexjreid.dev/posts/cloud-bigtable-paginated-comments")
def product_comments() -> object:
    class ProductComment(bt.Model, table="product_comments", events="120/s"):
        product: str = bt.key(bt.Text(max_length=20), cardinality=3_000_000, size=12)
        language: str = bt.key(bt.Text(width=2), cardinality=30)
        at: datetime = bt.key(bt.ReversedMillis())
        id: UUID = bt.key(bt.UuidText(), cardinality=800_000_000)
        c = bt.family("c", gc=bt.max_versions(1))
        title: str = bt.column("t", c, size=40, max_size=300)
        text: str = bt.column("x", c, size=300, max_size=10_000)
        newest = bt.query("product", "language", between="at", newest=True)
        of_product = bt.query("product")

    return ProductComment


@good(
    "blog.mozilla.org/webdev/2010/07/26/moving-socorro-to-hbase and twobraids.com: first character of the id, day, id"
)
def socorro_reports() -> object:
    class Report(bt.Model, table="crash_reports", events="3000/s", nodes=4):
        salt = bt.derived(bt.Text(width=1), "ooid", by=first, values="0123456789abcdef")
        day: date = bt.key(bt.DateText("%Y%m%d"))
        ooid: UUID = bt.key(bt.UuidText(), cardinality=3_000_000_000)
        r = bt.family("raw", gc=bt.max_age(days=365))
        meta: bytes = bt.column("m", r, size=3_000, max_size=60_000)
        on = bt.query("day")

    return Report


@bad(
    "accumulo.apache.org/1.6/examples/shard: a row a shard, all terms and documents in it",
    "ROW002",
    "KEY013",
    says=("{shard}#{terms_key}",),
)
def shard_documents() -> object:
    class ShardRow(bt.Model, table="shard_index", events="400/s"):
        shard: int = bt.key(bt.PaddedInt(2), cardinality=30, sequential=False)
        i = bt.family("i", gc=bt.max_versions(1))
        terms: set[str] = bt.members(i, bt.Text(max_length=80), entries=50_000_000)

    return ShardRow


@good("james.apache.org mailbox-hbase: a message in chunks")
def mail_chunks() -> object:
    class MessageBody(bt.Model, table="message_body", events="300/s"):
        message: UUID = bt.key(bt.UuidText(), cardinality=400_000_000)
        b = bt.family("b", gc=bt.max_versions(1))
        chunks: dict[int, bytes] = bt.mapping(
            b, bt.PaddedInt(4), entries=25, size=1_000_000, max_size=1_000_000
        )

    return MessageBody


@good("YARN Timeline Service v.2, flow activity: cluster!inverted day!user!flow")
def flow_activity() -> object:
    class FlowActivity(bt.Model, table="flow_activity", delimiter="!", events="2/s"):
        cluster: str = bt.key(bt.Text(max_length=20), cardinality=2)
        day: date = bt.key(bt.Descending(bt.DateText("%Y%m%d")))
        user: str = bt.key(bt.Text(max_length=30), cardinality=2_000, pii=False)
        flow: str = bt.key(bt.Text(max_length=60), cardinality=100)
        i = bt.family("i", gc=bt.max_age(days=365))
        runs: int = bt.column("r", i)
        of_cluster = bt.query("cluster", between="day", newest=True)

    return FlowActivity


@bad("YARN Timeline Service v.2, flow activity, at the rate of a large company", "KEY003", says=("salt",))
def flow_activity_fast() -> object:
    class FlowEvent(bt.Model, table="flow_events", delimiter="!", events="40000/s", nodes=6):
        cluster: str = bt.key(bt.Text(max_length=20), cardinality=2)
        at: datetime = bt.key(bt.ReversedMillis())
        user: str = bt.key(bt.Text(max_length=30), cardinality=2_000, pii=False)
        flow: str = bt.key(bt.Text(max_length=60), cardinality=100)
        i = bt.family("i", gc=bt.max_age(days=365))
        runs: int = bt.column("r", i)
        of_cluster = bt.query("cluster", between="at", newest=True)

    return FlowEvent


@good("docs.janusgraph.org/advanced-topics/data-model, an edge a row instead of a cell")
def edges_of_vertices() -> object:
    class Edge(bt.Model, table="edges", events="6000/s"):
        vertex: str = bt.key(bt.HexDigest(8), cardinality=500_000_000)
        label: str = bt.key(bt.Text(max_length=30), cardinality=60, size=10)
        other: str = bt.key(bt.HexDigest(8), cardinality=500_000_000)
        e = bt.family("e", gc=bt.max_versions(1))
        weight: float = bt.column("w", e)
        out = bt.query("vertex", "label")

    return Edge


@good("Bigtable docs, column families of different retention")
def profile() -> object:
    class Profile(bt.Model, table="profile", events="3000/s"):
        user: UUID = bt.key(bt.UuidText(), cardinality=40_000_000)
        p = bt.family("p", gc=bt.max_versions(1))
        a = bt.family("a", gc=bt.max_age(days=90))
        name: str = bt.column("n", p, size=20, max_size=200)
        plan: str = bt.column("l", p, size=6, max_size=20)
        last_page: str | None = bt.column("g", a, size=60, max_size=2_000, default=None)

    return Profile


@bad(
    "made for this table: a session whose columns age out beside sums that are kept",
    "FAM005",
    says=("default=None",),
)
def session_with_counts() -> object:
    class Visit(bt.Model, table="visit", events="900/s"):
        visitor: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)
        s = bt.family("s", gc=bt.max_age(days=30))
        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        agent: str = bt.column("a", s, size=80, max_size=500)
        pages: int | None = bt.counter("p", n)

    return Visit


@good("made for this table: every version of a value is wanted, and few are written")
def contract_terms() -> object:
    class Terms(bt.Model, table="terms", events="5/s"):
        contract: UUID = bt.key(bt.UuidText(), cardinality=1_000_000)
        t = bt.family("t", gc=bt.keep_all())
        terms: str = bt.column("t", t, size=60, max_size=2_000)

    return Terms


@good("object stores: listing by prefix; the path last, the delimiter is no slash")
def files() -> object:
    class File(bt.Model, table="files", events="400/s"):
        volume: UUID = bt.key(bt.UuidText(), cardinality=70_000)
        path: str = bt.key(bt.Text(max_length=900), size=60, cardinality=5_000_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        size: int = bt.column("s", f)
        below = bt.query("volume", starting="path")

    return File


@good("Hush, HBase: The Definitive Guide: short ids, the address a column")
def short_links() -> object:
    class ShortLink(bt.Model, table="short", events="700/s"):
        id: str = bt.key(bt.Text(width=8), cardinality=900_000_000)
        d = bt.family("d", gc=bt.max_versions(1))
        url: str = bt.column("u", d, size=80, max_size=4_000)
        user: UUID | None = bt.column("o", d, default=None)

    return ShortLink


@good("HBase book, attributes that are read apart")
def families_read_apart() -> object:
    class Article(bt.Model, table="article", events="30/s"):
        id: UUID = bt.key(bt.UuidText(), cardinality=9_000_000)
        head = bt.family("h", gc=bt.max_versions(1))
        body = bt.family("b", gc=bt.max_versions(1))
        image = bt.family("i", gc=bt.max_versions(1))
        score = bt.family("s", gc=bt.max_versions(1))
        title: str = bt.column("t", head, size=60, max_size=300)
        text: str = bt.column("x", body, size=9_000, max_size=400_000)
        picture: bytes = bt.column("p", image, size=90_000, max_size=2_000_000)
        rank: int = bt.column("r", score)
        titles = bt.query("id", only=["title"])
        texts = bt.query("id", only=["text"])
        pictures = bt.query("id", only=["picture"])

    return Article


@good("alibabacloud.com/help/hbase/user-guide/rowkey-design: salted sequence")
def orders_salted() -> object:
    class Order(bt.Model, table="orders", events="4000/s"):
        salt = bt.salt("order", buckets=16)
        order: int = bt.key(bt.PaddedInt(12), cardinality=5_000_000_000, sequential=True)
        line: int = bt.key(bt.PaddedInt(3), cardinality=50, sequential=False)
        o = bt.family("o", gc=bt.max_versions(1))
        article: int = bt.column("a", o)
        of_order = bt.query("order")

    return Order


@good("gobitfly/eth2-beaconchain-explorer, table data: address, kind, inverted block")
def wallet_addresses() -> object:
    class AddressIndex(bt.Model, table="data", delimiter=":", events="900/s"):
        chain = bt.constant("1")
        address: str = bt.key(bt.HexDigest(20), cardinality=300_000_000, pii=False)
        kind: str = bt.key(bt.Text(max_length=10), cardinality=12, size=5)
        block: int = bt.key(bt.Descending(bt.PaddedInt(9)), cardinality=30_000_000, sequential=True)
        at: int = bt.key(bt.PaddedInt(5), cardinality=10_000, sequential=False)
        f = bt.family("f", gc=bt.keep_all())
        tx: bytes = bt.column("t", f, size=32, max_size=32)
        of_address = bt.query("address", "kind", between="block")

    return AddressIndex


@bad(
    "accumulo (O'Reilly) chapter 8: an index of subjects",
    asked=("KEY020",),
    says=("holds_delimiter=True",),
)
def subject_index() -> object:
    class BySubject(bt.Model, table="by_subject", events="60/s"):
        account: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)
        subject: str = bt.key(bt.Text(max_length=200), size=50, cardinality=300_000_000)
        message: UUID = bt.key(bt.UuidText(), cardinality=900_000_000)
        s = bt.family("s", gc=bt.max_versions(1))
        read: bool = bt.column("r", s)
        of_subject = bt.query("account", "subject")

    return BySubject


@bad(
    "Stack Overflow 57482413: 2019.us.NYC, 50 million rows a second (here 500,000)",
    "KEY001",
    "QRY001",
    says=("{country}.{city}",),
)
def visits_of_a_year() -> object:
    class Visit(bt.Model, table="visits", delimiter=".", events="500000/s", nodes=60):
        year: int = bt.key(bt.PaddedInt(4), cardinality=5)
        country: str = bt.key(bt.Text(width=2), cardinality=200)
        city: str = bt.key(bt.Text(max_length=40), size=12, cardinality=400)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        id: UUID = bt.key(bt.UuidText(), cardinality=90_000_000_000)
        v = bt.family("v", gc=bt.max_age(days=400))
        json: bytes = bt.column("j", v, size=500, max_size=20_000)
        in_city = bt.query("country", "city", between="day")
        in_year = bt.query("year", "country")

    return Visit


@bad(
    "palantir/atlasdb issue 2323: stream store, key (timestamp VAR_LONG, block VAR_LONG)",
    "KEY002",
    says=("ReversedDigits(19)",),
)
def stream_store() -> object:
    class Block(bt.Model, table="stream_blocks", events="2500/s"):
        stream_id: int = bt.key(bt.OrderedInt(), cardinality=900_000_000, sequential=True)
        block: int = bt.key(bt.OrderedInt(), cardinality=1_000, sequential=False)
        b = bt.family("b", gc=bt.max_versions(1))
        data: bytes = bt.column("d", b, size=1_000_000, max_size=1_000_000)
        of_stream = bt.query("stream_id", between="block")

    return Block


@bad(
    "dotnet/orleans issue 34: DeploymentId $ reverse hour | reverse second $ silo $ counter",
    "KEY003",
    says=("salt",),
)
def orleans_statistics() -> object:
    class Statistic(bt.Model, table="silo_statistics", delimiter="$", events="30000/s", nodes=5):
        deployment: str = bt.key(bt.Text(max_length=30), size=12, cardinality=3)
        at: datetime = bt.key(bt.ReversedSeconds())
        silo: str = bt.key(bt.Text(max_length=40), size=20, cardinality=2_000)
        counter: str = bt.key(bt.Text(max_length=60), size=30, cardinality=200)
        s = bt.family("s", gc=bt.max_age(days=30))
        value: str = bt.column("v", s, size=8, max_size=30)
        newest = bt.query("deployment", between="at", newest=True)

    return Statistic


@bad(
    "openzipkin/zipkin issue 623: PRIMARY KEY (service_name, ts)",
    "KEY003",
    "KEY017",
    says=("{trace_id}",),
)
def zipkin_services() -> object:
    class ServiceIndex(bt.Model, table="service_name_index", events="40000/s", nodes=6):
        service_name: str = bt.key(bt.Text(max_length=60), size=18, cardinality=100, skew="70%:1")
        ts: datetime = bt.key(bt.EpochMillis())
        i = bt.family("i", gc=bt.max_age(days=7))
        trace_id: int = bt.column("t", i, cardinality=9_000_000_000)
        of_service = bt.query("service_name", between="ts")

    return ServiceIndex


@bad(
    "Flipkart/foxtrot issue 59: table name and SHA-256 of the event; 'blocks pulling a given time period'",
    "QRY001",
    "KEY004",
    says=("{table_name}:{at}",),
)
def foxtrot_events() -> object:
    class StoredEvent(bt.Model, table="foxtrot", delimiter=":", events="9000/s"):
        table_name: str = bt.key(bt.Text(max_length=40), size=12, cardinality=60)
        hashed = bt.digest("event_id", size=32)
        d = bt.family("d", gc=bt.max_age(days=30))
        event_id: str = bt.column("i", d, size=36, max_size=60)
        at: datetime = bt.column("t", d)
        data: bytes = bt.column("b", d, size=800, max_size=50_000)
        during = bt.query("table_name", between="at")

    return StoredEvent


@good("Flipkart/foxtrot issue 59, the proposed key: bucket, table, timestamp, event")
def foxtrot_fixed() -> object:
    class StoredEventByTime(bt.Model, table="foxtrot2", delimiter=":", events="20000/s", nodes=4):
        bucket = bt.salt("event_id", buckets=16)
        table_name: str = bt.key(bt.Text(max_length=40), size=12, cardinality=60, skew="80%:2")
        at: datetime = bt.key(bt.EpochMillis())
        event_id: UUID = bt.key(bt.UuidText(), cardinality=90_000_000_000)
        d = bt.family("d", gc=bt.max_age(days=30))
        data: bytes = bt.column("b", d, size=800, max_size=50_000)
        during = bt.query("table_name", between="at")

    return StoredEventByTime


@bad(
    "amithora.com, 'handle time series data in HBase': new key = key % 5 + key, then the key",
    "KEY001",
    says=("leave out `moved`",),
)
def key_plus_remainder() -> object:
    class Sample(bt.Model, table="ts_data", events="7000/s"):
        moved = bt.derived(bt.PaddedInt(10), "at", by=shifted)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        sensor: UUID = bt.key(bt.UuidText(), cardinality=70_000)
        s = bt.family("s", gc=bt.max_age(days=60))
        value: float = bt.column("v", s)
        at_second = bt.query("at")

    return Sample


@bad(
    "systemoverflow.com, 'time ordering vs randomization': Reddit's base36 ids t3_... that count up",
    "KEY002",
    says=("salt",),
)
def reddit_ids() -> object:
    class Thing(bt.Model, table="things", events="900/s"):
        kind = bt.constant("t3", ends="_")
        id36: str = bt.key(bt.Text(width=7), cardinality=3_000_000_000, sequential=True)
        t = bt.family("t", gc=bt.max_versions(1))
        title: str = bt.column("t", t, size=60, max_size=300)
        one = bt.query("id36")

    return Thing


@bad(
    "docs.axonops.com anti-patterns: queue pattern",
    "KEY003",
    asked=("KEY021",),
    says=("salt",),
)
def job_queue() -> object:
    class QueuedJob(bt.Model, table="jobs", events="20000/s", nodes=3):
        job_state: JobState = bt.key(bt.EnumText(JobState))
        created: datetime = bt.key(bt.EpochMillis())
        id: UUID = bt.key(bt.UuidText(), cardinality=900_000_000)
        j = bt.family("j", gc=bt.max_age(days=3))
        payload: bytes = bt.column("p", j, size=500, max_size=20_000)
        next_jobs = bt.query("job_state", between="created")

    return QueuedJob


@good("spotify/heroic issue 364: key and tags, base of 2**32 ms; offsets in cells")
def points_of_series() -> object:
    class Points(
        bt.Model,
        table="heroic_metrics",
        bucket=timedelta(days=50),
        events="200000/s",
        nodes=20,
    ):
        series: str = bt.key(bt.Text(max_length=300), size=90, cardinality=12_000_000)
        base: datetime = bt.key(bt.EpochBucket(bt.PaddedInt(4), timedelta(days=50)))
        points = bt.family("points", gc=bt.keep_all())
        value: bt.History[float] = bt.history("v", points, every="1min")
        of_series = bt.query("series", between="base")

    return Points


@good("openillumi.com/?p=114366: customer first, then the reversed time")
def customer_transactions() -> object:
    class Payment(bt.Model, table="payments", events="1200/s"):
        customer: UUID = bt.key(bt.UuidText(), cardinality=4_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        id: UUID = bt.key(bt.UuidText(), cardinality=3_000_000_000)
        p = bt.family("p", gc=bt.keep_all())
        cents: int = bt.column("c", p)
        of_customer = bt.query("customer", between="at", newest=True)

    return Payment


@good(
    "docs.axonops.com anti-patterns: PRIMARY KEY ((user_id), activity_time), an unbounded partition in Cassandra"
)
def user_activity() -> object:
    class Activity(bt.Model, table="user_activity", events="15000/s", nodes=3):
        user: UUID = bt.key(bt.UuidText(), cardinality=9_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        id: UUID = bt.key(bt.UuidText(), cardinality=90_000_000_000)
        a = bt.family("a", gc=bt.max_age(days=180))
        kind: str = bt.column("k", a, size=10, max_size=40)
        details: bytes = bt.column("d", a, size=200, max_size=9_000)
        of_user = bt.query("user", between="at")

    return Activity


@bad(
    "feast-dev/feast pull request 3790: HBase online store before its fix: the plain entity number as the key",
    "KEY002",
    says=("ReversedDigits(9)",),
)
def entities_simple() -> object:
    class OnlineFeatures(bt.Model, table="driver_features", events="12000/s", nodes=3):
        driver: int = bt.key(bt.PaddedInt(9), cardinality=5_000_000, sequential=True)
        f = bt.family("f", gc=bt.max_versions(1))
        rating: float = bt.column("r", f)
        trips: int = bt.column("t", f)
        one = bt.query("driver")

    return OnlineFeatures


@good("binaryscripts.com/hbase/2025/04/27 (IoT), vehicle and day rows of minutes")
def vehicle_days() -> object:
    class VehicleDay(bt.Model, table="vehicle_day", bucket="day", events="20000/s", nodes=3):
        vin: str = bt.key(bt.Text(width=17), cardinality=1_000_000, pii=False)
        day: date = bt.key(bt.DateText())
        t = bt.family("t", gc=bt.max_age(days=400))
        speed: bt.History[int] = bt.history("s", t, every="1min")
        fuel: bt.History[float] = bt.history("f", t, every="1min")
        of_vehicle = bt.query("vin", between="day")

    return VehicleDay
