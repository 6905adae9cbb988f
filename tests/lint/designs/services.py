"""Designs of services, half of them with a fault, written down with their verdicts before the review saw them."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import bad, good

import btmodel as bt


@good("Ride-sharing trips by driver, newest first")
def trip_of_service() -> object:
    class Trip(bt.Model, table="trip", events="400/s"):
        """A trip of a driver, for the driver's list of past trips, the newest first."""

        driver: str = bt.key(bt.HexDigest(16), cardinality=900_000)
        ended: datetime = bt.key(bt.ReversedMillis())
        trip: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        fare: int = bt.column("fare", f)
        rider: str = bt.column("rider", f, size=32)
        of_driver = bt.query("driver", between="ended")

    return Trip


@bad(
    "Invoice number is handed out in sequence and leads the key: every insert on the last tablet",
    "KEY002",
    verdict="warning",
)
def invoice_of_service() -> object:
    class Invoice(bt.Model, table="invoice", events="3000/s"):
        """An invoice. Numbers come from the billing database, one after the other, without gaps."""

        number: int = bt.key(bt.PaddedInt(12), cardinality=5_000_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        customer: str = bt.column("customer", f, size=20)
        cents: int = bt.column("cents", f)
        one = bt.query("number")

    return Invoice


@good("Log lines per service and host with time behind, ages")
def log_line_of_service() -> object:
    class LogLine(bt.Model, table="log_line", events="9000/s"):
        """A line that a process wrote, kept for two weeks. Read for one host and a span of time."""

        service: str = bt.key(bt.Text(max_length=40), cardinality=300)
        host: str = bt.key(bt.Text(max_length=60), cardinality=5_000, domain=False)
        at: datetime = bt.key(bt.EpochNanos())
        f = bt.family("f", gc=bt.max_age(days=14))
        text: str = bt.column("t", f, size=300, max_size=16_000)
        on_host = bt.query("service", "host", between="at", span="1h")

    return LogLine


@bad(
    "One row per chat room with every message as a mapping entry: row grows without bound",
    "ROW003",
    verdict="warning",
)
def room_of_service() -> object:
    class Room(bt.Model, table="room", events="5000/s"):
        """A chat room with all messages that were ever written in it, by their id."""

        room: str = bt.key(bt.HexDigest(8), cardinality=200_000)
        m = bt.family("m", gc=bt.max_versions(1))
        messages: dict[str, str] = bt.mapping(m, bt.HexDigest(16), size=400)
        of_room = bt.query("room")

    return Room


@good("Chat messages a row each")
def message_of_service() -> object:
    class Message(bt.Model, table="message", events="5000/s"):
        """A message of a chat room, a row each."""

        room: str = bt.key(bt.HexDigest(8), cardinality=200_000)
        sent: datetime = bt.key(bt.EpochMillis())
        author: str = bt.key(bt.HexDigest(8), cardinality=3_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("text", f, size=200, max_size=8_000)
        of_room = bt.query("room", between="sent", newest=True, span="1day")

    return Message


@bad("Query by warehouse but key begins with sku: the query is not served", "QRY001", verdict="error")
def stock_level_of_service() -> object:
    class StockLevel(bt.Model, table="stock_level", events="200/s"):
        """How many pieces of an article lie in a warehouse."""

        sku: str = bt.key(bt.Text(max_length=30), cardinality=500_000)
        warehouse: str = bt.key(bt.Text(width=4), cardinality=60)
        f = bt.family("f", gc=bt.max_versions(1))
        pieces: int = bt.column("pieces", f)
        of_sku = bt.query("sku")
        in_warehouse = bt.query("warehouse")

    return StockLevel


@bad(
    "Key holds the parcel's current depot, which changes with each leg of the journey",
    "KEY021",
    verdict="warning",
)
def parcel_of_service() -> object:
    class Parcel(bt.Model, table="parcel", events="800/s"):
        """A parcel on its way, under the depot where it lies now; it is scanned at about seven depots."""

        depot: str = bt.key(bt.Text(width=5), cardinality=2_000)
        parcel: str = bt.key(bt.Text(width=12), cardinality=80_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        weight: int = bt.column("w", f)
        here = bt.query("depot")

    return Parcel


@good("Parcel scans as events")
def scan_of_service() -> object:
    class Scan(bt.Model, table="scan", events="800/s"):
        """A scan of a parcel at a depot. A parcel is scanned at about seven depots in its life."""

        parcel: str = bt.key(bt.HexDigest(12), cardinality=80_000_000)
        at: datetime = bt.key(bt.EpochSeconds())
        depot: str = bt.key(bt.Text(width=5), cardinality=2_000)
        f = bt.family("f", gc=bt.max_age(days=400))
        door: int = bt.column("door", f)
        of_parcel = bt.query("parcel")

    return Scan


@bad(
    "Unpadded version numbers as text with a range query: 10 sorts before 9",
    "KEY007",
    says=("bt.PaddedInt(6)",),
    never=('"."',),
    verdict="warning",
)
def revision_of_service() -> object:
    class Revision(bt.Model, table="revision", events="20/s"):
        """A revision of a document."""

        document: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)
        revision: str = bt.key(bt.Text(max_length=6), cardinality=500)
        f = bt.family("f", gc=bt.max_versions(1))
        body: str = bt.column("body", f, size=5_000, max_size=500_000)
        since = bt.query("document", between="revision")

    return Revision


@good("Revisions padded")
def revision_2_of_service() -> object:
    class Revision(bt.Model, table="revision", events="20/s"):
        """A revision of a document, numbered from 1."""

        document: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)
        revision: int = bt.key(bt.PaddedInt(6), cardinality=500)
        f = bt.family("f", gc=bt.max_versions(1))
        body: str = bt.column("body", f, size=5_000, max_size=500_000)
        since = bt.query("document", between="revision")

    return Revision


@bad("E-mail address in the key (personal data)", asked=("KEY010",))
def mailbox_of_service() -> object:
    class Mailbox(bt.Model, table="mailbox", events="100/s"):
        """Settings of a mailbox, by the address of its owner."""

        address: str = bt.key(bt.Text(max_length=120), cardinality=4_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        quota: int = bt.column("quota", f)
        one = bt.query("address")

    return Mailbox


@bad(
    "Events of one device overwrite each other: key only has the minute, several readings per minute",
    "KEY017",
    verdict="warning",
)
def beat_of_service() -> object:
    class Beat(bt.Model, table="beat", events="10000/s"):
        """Each heartbeat of a device, about one a second, all of which are needed."""

        device: str = bt.key(bt.HexDigest(8), cardinality=10_000)
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))
        f = bt.family("f", gc=bt.max_versions(1))
        pulse: int = bt.column("pulse", f)
        of_device = bt.query("device", between="minute")

    return Beat


@bad("A global counter row: every request increments the same row", "KEY013", verdict="error")
def site_total_of_service() -> object:
    class SiteTotal(bt.Model, table="site_total", events="40000/s"):
        """How many requests the whole site has had, per product; there are four products."""

        product: str = bt.key(bt.Text(max_length=10), cardinality=4)
        c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
        requests: int | None = bt.counter("requests", c, increments="10000/s")
        one = bt.query("product")

    return SiteTotal


@good("Feature store: features of an entity with few versions")
def driver_features_of_service() -> object:
    class DriverFeatures(bt.Model, table="driver_features", events="1500/s"):
        """Features of a driver for online predictions, the newest value counts."""

        driver: str = bt.key(bt.HexDigest(16), cardinality=900_000)
        stats = bt.family("stats", gc=bt.max_versions(1))
        emb = bt.family("emb", gc=bt.max_versions(1))
        rating: float = bt.column("rating", stats)
        trips_7d: int = bt.column("trips7", stats)
        vector: bytes = bt.column("v", emb, size=1_024, max_size=1_024)
        one = bt.query("driver")

    return DriverFeatures


@bad(
    "Feature history kept for ever with a write every minute: keep_all family of history grows without bound in the row",
    "ROW003",
    verdict="error",
)
def sensor_features_of_service() -> object:
    class SensorFeatures(bt.Model, table="sensor_features", events="5000/s"):
        """Features of a sensor; models are trained on all the values that there were."""

        sensor: str = bt.key(bt.HexDigest(16), cardinality=300_000)
        f = bt.family("f", gc=bt.keep_all())
        load: bt.History[float] = bt.history("load", f, every="1min")
        one = bt.query("sensor")

    return SensorFeatures


@bad(
    "Date in front: month partition leads key of high rate telemetry (leading time though coarse)",
    "KEY001",
    verdict="error",
)
def telemetry_of_service() -> object:
    class Telemetry(bt.Model, table="telemetry", events="60000/s"):
        """What vehicles send; the month stands in front, so that old months can be dropped by prefix."""

        month: date = bt.key(bt.DateText("%Y%m"))
        at: datetime = bt.key(bt.EpochMillis())
        vehicle: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        f = bt.family("f", gc=bt.max_age(days=365))
        speed: int = bt.column("speed", f)
        in_month = bt.query("month", between="at")

    return Telemetry


@good("Vehicle telemetry")
def telemetry_2_of_service() -> object:
    class Telemetry(bt.Model, table="telemetry", events="60000/s"):
        """What vehicles send."""

        vehicle: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        f = bt.family("f", gc=bt.max_age(days=365))
        speed: int = bt.column("speed", f)
        of_vehicle = bt.query("vehicle", between="at", span="1day")

    return Telemetry


@bad(
    "Leaderboard: score not reversed/ordered... top players query reads by game between score but player first",
    asked=("QRY005",),
)
def score_of_service() -> object:
    class Score(bt.Model, table="score", events="300/s"):
        """The best score of a player in a game; the ten best players of a game are asked for."""

        game: str = bt.key(bt.HexDigest(4), cardinality=2_000)
        player: str = bt.key(bt.HexDigest(8), cardinality=5_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        points: int = bt.column("points", f)
        best = bt.query("game", where=["points"])

    return Score


@good("Graph adjacency: followers a row each")
def follow_of_service() -> object:
    class Follow(bt.Model, table="follow", events="700/s"):
        """Who follows whom, a row for each."""

        followed: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)
        follower: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        since: datetime = bt.column("since", f)
        of_followed = bt.query("followed")
        one = bt.query("followed", "follower")

    return Follow


@bad(
    "TTL family shorter than the query's reach: reports of 90 days over a family with an age of 30 days",
    "FAM006",
    says=("bt.max_age(days=90)",),
    verdict="error",
)
def reading_of_service() -> object:
    class Reading(bt.Model, table="reading", events="2000/s"):
        """A reading of a meter; a report shows the last ninety days."""

        meter: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        at: datetime = bt.key(bt.EpochSeconds())
        f = bt.family("f", gc=bt.max_age(days=30))
        kwh: float = bt.column("kwh", f)
        report = bt.query("meter", between="at", span="90day")

    return Reading


@good("Multi tenant documents")
def doc_of_service() -> object:
    class Doc(bt.Model, table="doc", events="250/s"):
        """A document of a tenant."""

        tenant: str = bt.key(bt.HexDigest(4), cardinality=4_000, tenant=True)
        doc: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)
        meta = bt.family("meta", gc=bt.max_versions(1))
        body = bt.family("body", gc=bt.max_versions(3))
        title: str = bt.column("title", meta, size=60)
        text: bytes = bt.column("text", body, size=20_000, max_size=2_000_000)
        of_tenant = bt.query("tenant", only=["title"])
        one = bt.query("tenant", "doc")

    return Doc


@bad("Cells of up to 150 MB in a column (over the limit of 100 MB)", "ROW001", verdict="error")
def video_of_service() -> object:
    class Video(bt.Model, table="video", events="2/s"):
        """A clip that users upload, in one cell."""

        clip: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        data: bytes = bt.column("data", f, size=40_000_000, max_size=150_000_000)
        one = bt.query("clip")

    return Video


@good("Orders of a customer by time with id")
def customer_order_of_service() -> object:
    class CustomerOrder(bt.Model, table="customer_order", events="90/s"):
        """An order of a customer."""

        customer: str = bt.key(bt.HexDigest(8), cardinality=6_000_000)
        placed: date = bt.key(bt.DateText("%Y%m%d"))
        order: str = bt.key(bt.HexDigest(8), cardinality=900_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("cents", f)
        status: str = bt.column("status", f, size=8)
        of_customer = bt.query("customer", between="placed")

    return CustomerOrder


@bad(
    "Salt of random choice in front makes point lookup by id impossible / needless: digest already spreads",
    "KEY005",
    says=("leave out `shard`: `{id}`",),
    verdict="warning",
)
def profile_of_service() -> object:
    class Profile(bt.Model, table="profile", events="1200/s"):
        """A profile, looked up by its id, which is a random digest."""

        shard = bt.salt("id", buckets=64)
        id: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("name", f, size=30)
        one = bt.query("id")
        all_of = bt.query(starting="id")

    return Profile


@good("Idempotency keys that expire")
def idempotency_of_service() -> object:
    class Idempotency(bt.Model, table="idempotency", events="3000/s"):
        """The answer to a request that may be sent again within a day."""

        client: str = bt.key(bt.HexDigest(4), cardinality=3_000)
        request: str = bt.key(bt.HexDigest(16), cardinality=300_000_000)
        f = bt.family("f", gc=bt.max_age(days=1))
        answer: bytes = bt.column("a", f, size=500, max_size=60_000)
        one = bt.query("client", "request")

    return Idempotency


@bad("Low cardinality enum and time: four statuses in front of time at high rate", "KEY003", verdict="error")
def job_of_service() -> object:
    class Job(bt.Model, table="job", events="15000/s"):
        """A finished job by how it ended: ok, failed, cancelled."""

        outcome: str = bt.key(bt.Text(max_length=9), cardinality=3, skew="95%:1")
        finished: datetime = bt.key(bt.EpochMillis())
        job: str = bt.key(bt.HexDigest(16), cardinality=4_000_000_000)
        f = bt.family("f", gc=bt.max_age(days=30))
        seconds: int = bt.column("s", f)
        ended = bt.query("outcome", between="finished")

    return Job


@good("Energy meter day rows with slots")
def meter_day_of_service() -> object:
    class MeterDay(bt.Model, table="meter_day", bucket="day", events="6000/s"):
        """The quarter hours of a meter on a day."""

        meter: str = bt.key(bt.HexDigest(8), cardinality=5_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        q = bt.family("q", gc=bt.max_age(days=730))
        used: bt.Slots[int] = bt.slots(q, every="15min", qualifier="%H%M")
        of_meter = bt.query("meter", between="day", span="30day")

    return MeterDay


@bad(
    "Crawled URL raw as key: scheme and host in front, all pages of https://www... hot prefix/ not reversed domain",
    asked=("KEY011",),
    says=("bt.ReversedDomain(253)",),
    never=("surrogate",),
)
def crawled_of_service() -> object:
    class Crawled(bt.Model, table="crawled", events="4000/s"):
        """A page that was fetched; all pages of a site are read together."""

        address: str = bt.key(bt.Text(max_length=800), cardinality=2_000_000_000)
        f = bt.family("f", gc=bt.max_versions(3))
        html: bytes = bt.column("html", f, size=30_000, max_size=4_000_000)
        of_site = bt.query(starting="address")

    return Crawled


@good("IP geo blocks by padded range end")
def geo_block_of_service() -> object:
    class GeoBlock(bt.Model, table="geo_block", events="1/h"):
        """The country of a block of addresses, under the last address of the block."""

        last: int = bt.key(bt.PaddedInt(10), cardinality=4_000_000, sequential=False)
        f = bt.family("f", gc=bt.max_versions(1))
        country: str = bt.column("c", f, size=2)
        at = bt.query(between="last")

    return GeoBlock


@bad(
    "Sessions by user with last_active time in key, that changes with each request",
    "KEY021",
    says=("keep `last_request` in a column: `{user}`",),
    verdict="warning",
)
def session_of_service() -> object:
    class Session(bt.Model, table="session", events="7000/s"):
        """A session of a user; the time of its last request stands in the key, to find idle ones."""

        user: str = bt.key(bt.HexDigest(8), cardinality=9_000_000)
        last_request: datetime = bt.key(bt.EpochSeconds())
        f = bt.family("f", gc=bt.max_versions(1))
        agent: str = bt.column("agent", f, size=80)
        of_user = bt.query("user")

    return Session


@good("Audit trail per object")
def audit_of_service() -> object:
    class Audit(bt.Model, table="audit", events="900/s"):
        """Who did what to an object; kept for seven years."""

        object: str = bt.key(bt.HexDigest(16), cardinality=50_000_000)
        at: datetime = bt.key(bt.EpochMicros())
        actor: str = bt.key(bt.HexDigest(8), cardinality=200_000)
        f = bt.family("f", gc=bt.max_age(days=2_557))
        action: str = bt.column("a", f, size=12)
        of_object = bt.query("object", between="at")

    return Audit


@bad("ULID / time-ordered id leads the key at a high rate", "KEY002", verdict="error")
def event_of_service() -> object:
    class Event(bt.Model, table="event", events="25000/s"):
        """An event of the bus. Its id is a ULID, which begins with the millisecond of its making."""

        id: str = bt.key(bt.Text(width=26), cardinality=10_000_000_000)
        f = bt.family("f", gc=bt.max_age(days=7))
        payload: bytes = bt.column("p", f, size=700, max_size=60_000)
        one = bt.query("id")

    return Event


@good("Random UUID v4 leads")
def event_2_of_service() -> object:
    class Event(bt.Model, table="event", events="25000/s"):
        """An event of the bus, under a random id (UUID version 4)."""

        id: UUID = bt.key(bt.UuidRaw(), cardinality=10_000_000_000)
        f = bt.family("f", gc=bt.max_age(days=7))
        payload: bytes = bt.column("p", f, size=700, max_size=60_000)
        one = bt.query("id")

    return Event


@bad(
    "A family per customer's tag: columns at run time per tenant? -> table per day named at run time (too many tables over retention)",
    "TAB002",
    verdict="warning",
)
def click_of_service() -> object:
    class Click(bt.Model, table="CLICK_{day}", events="8000/s"):
        """A click; a table for each day, dropped after three years."""

        page: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        visitor: str = bt.key(bt.HexDigest(16), cardinality=70_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        target: str = bt.column("t", f, size=50)
        of_page = bt.query("page", between="at")

    return Click


@bad(
    "Counter kept by read-modify-write as plain column incremented often in the row",
    "KEY013",
    verdict="warning",
)
def article_of_service() -> object:
    class Article(bt.Model, table="article", events="10/s"):
        """An article and how often it was read."""

        article: str = bt.key(bt.HexDigest(8), cardinality=3_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        title: str = bt.column("title", f, size=60)
        reads: int | None = bt.column("reads", f, default=None, increments="2000/s")
        one = bt.query("article")

    return Article


@good("Article with separate sharded counter rows in an aggregate family")
def article_reads_of_service() -> object:
    class ArticleReads(bt.Model, table="article_reads", events="3000/s"):
        """How often an article was read, divided among 64 rows, which a reader adds up."""

        article: str = bt.key(bt.HexDigest(8), cardinality=3_000_000)
        shard: int = bt.key(bt.PaddedInt(2), cardinality=64, sequential=False)
        c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
        reads: int | None = bt.counter("reads", c, increments="40/s")
        of_article = bt.query("article")

    return ArticleReads


@bad("Reverse timestamp leads: newest rows all at the front, one hot tablet", "KEY001", verdict="error")
def notice_of_service() -> object:
    class Notice(bt.Model, table="notice", events="12000/s"):
        """A notice of the monitoring; a wall shows the newest of all."""

        newest: datetime = bt.key(bt.ReversedMillis())
        host: str = bt.key(bt.Text(max_length=30), cardinality=40_000, domain=False)
        f = bt.family("f", gc=bt.max_age(days=3))
        text: str = bt.column("t", f, size=120, max_size=2_000)
        wall = bt.query(between="newest")

    return Notice


@bad("Delimiter in values: file path with '/' as delimiter ambiguous", "KEY008", "QRY001", verdict="error")
def blob_of_service() -> object:
    class Blob(bt.Model, table="blob", events="300/s", delimiter="/"):
        """A file of a bucket by its path, such as photos/2024/cat.jpg, and its generation."""

        bucket: str = bt.key(bt.Text(max_length=60), cardinality=9_000)
        path: str = bt.key(bt.Text(max_length=500, holds_delimiter=True), cardinality=800_000_000, size=60)
        generation: str = bt.key(bt.Text(max_length=20), cardinality=20)
        f = bt.family("f", gc=bt.max_versions(1))
        bytes_: int = bt.column("n", f)
        under = bt.query("bucket", starting="path")

    return Blob


@good("Files by bucket and path")
def blob_2_of_service() -> object:
    class Blob(bt.Model, table="blob", events="300/s"):
        """A file of a bucket by its path."""

        bucket: str = bt.key(bt.Text(max_length=60), cardinality=9_000)
        path: str = bt.key(bt.Text(max_length=500, holds_delimiter=True), cardinality=800_000_000, size=60)
        f = bt.family("f", gc=bt.max_versions(1))
        length: int = bt.column("n", f)
        under = bt.query("bucket", starting="path")
        one = bt.query("bucket", "path")

    return Blob


@good("Geohash cells")
def shop_of_service() -> object:
    class Shop(bt.Model, table="shop", events="1/min"):
        """A shop on a map, under the geohash of its place; a view of the map reads nine cells by their prefix."""

        geohash: str = bt.key(bt.Text(width=9), cardinality=1_500_000)
        shop: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("name", f, size=20)
        in_cell = bt.query(starting="geohash")

    return Shop


@bad(
    "Versions as event log: events collected as versions with max_versions(1) keeps one",
    "FAM006",
    says=("how many are read, only you know", "a year has 105,120"),
    verdict="warning",
)
def door_of_service() -> object:
    class Door(bt.Model, table="door", events="50/s"):
        """All openings of a door within a year, as versions of one column."""

        door: str = bt.key(bt.HexDigest(8), cardinality=20_000)
        f = bt.family("f", gc=bt.max_versions(1))
        opened: bt.History[str] = bt.history("o", f, every="5min")
        of_door = bt.query("door")

    return Door


@good("A door's day in a row, enough versions")
def door_day_of_service() -> object:
    class DoorDay(bt.Model, table="door_day", bucket="day", events="50/s"):
        """Openings of a door on a day."""

        door: str = bt.key(bt.HexDigest(8), cardinality=20_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        f = bt.family("f", gc=bt.max_age(days=365))
        opened: bt.History[str] = bt.history("o", f, every="5min", size=8)
        of_door = bt.query("door", between="day")

    return DoorDay


@bad(
    "Status first low-cardinality work queue polled: pending rows are deleted constantly; hot key: priority + created time",
    "KEY003",
    "ROW009",
    verdict="warning",
)
def task_of_service() -> object:
    class Task(bt.Model, table="task", events="6000/s"):
        """A task that waits; workers take the oldest of the highest priority, and delete it."""

        priority: int = bt.key(bt.PaddedInt(1), cardinality=3, sequential=False)
        created: datetime = bt.key(bt.EpochMillis())
        task: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        body: bytes = bt.column("b", f, size=300, max_size=10_000)
        oldest = bt.query("priority", between="created")

    return Task


@good("Queue with 64 random lanes")
def task_2_of_service() -> object:
    class Task(bt.Model, table="task", events="6000/s"):
        """A task that waits in one of 64 lanes, of which each worker has one; it takes the oldest, and deletes it."""

        lane: int = bt.key(bt.PaddedInt(2), cardinality=64, sequential=False)
        created: datetime = bt.key(bt.EpochMillis())
        task: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        body: bytes = bt.column("b", f, size=300, max_size=10_000)
        oldest = bt.query("lane", between="created")

    return Task


@bad(
    "Fan-out: salt with 1,000 buckets for a range query reads 1,000 ranges for small traffic",
    "KEY005",
    says=("leave it out",),
    verdict="warning",
)
def order_of_service() -> object:
    class Order(bt.Model, table="orders", events="40/s"):
        """An order of a shop; the back office lists the orders of a day."""

        salt = bt.salt("order", buckets=1000)
        placed: date = bt.key(bt.DateText("%Y%m%d"))
        order: str = bt.key(bt.HexDigest(8), cardinality=90_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("cents", f)
        on_day = bt.query("placed")

    return Order


@good("Orders by shop and day")
def order_2_of_service() -> object:
    class Order(bt.Model, table="orders", events="40/s"):
        """An order of a shop; the shop lists the orders of a day."""

        shop: str = bt.key(bt.HexDigest(4), cardinality=12_000)
        placed: date = bt.key(bt.DateText("%Y%m%d"))
        order: str = bt.key(bt.HexDigest(8), cardinality=90_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("cents", f)
        of_day = bt.query("shop", "placed")

    return Order


@bad(
    "Required identity columns in a family with an age: rows lose their owner after 30 days while the rest stays",
    "FAM005",
    verdict="warning",
)
def account_of_service() -> object:
    class Account(bt.Model, table="account", events="5/s"):
        """An account, which is kept for as long as its owner wants."""

        account: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        profile = bt.family("profile", gc=bt.max_age(days=30))
        state = bt.family("state", gc=bt.max_versions(1))
        owner: str = bt.column("owner", profile, size=30)
        cents: int = bt.column("cents", state)
        one = bt.query("account")

    return Account


@good("Session token hashed, expires")
def token_of_service() -> object:
    class Token(bt.Model, table="token", events="2000/s"):
        """A token of a session, found by its digest, gone after twelve hours."""

        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=60), stored=False, cardinality=40_000_000)
        f = bt.family("f", gc=bt.max_age(hours=12))
        account: str = bt.column("a", f, size=16)
        one = bt.query("token")

    return Token


@bad(
    "Stocks: symbol before time with zipf skew: one symbol takes most of a very high rate",
    "KEY003",
    "KEY017",
    verdict="error",
)
def tick_of_service() -> object:
    class Tick(bt.Model, table="tick", events="120000/s"):
        """A tick of a coin pair; most of the trade is in a few pairs."""

        pair: str = bt.key(bt.Text(max_length=12), cardinality=900, skew="70%:1")
        at: datetime = bt.key(bt.EpochMicros())
        f = bt.family("f", gc=bt.max_age(days=30))
        price: float = bt.column("p", f)
        of_pair = bt.query("pair", between="at")

    return Tick


@good("Genome variants by position")
def variant_of_service() -> object:
    class Variant(bt.Model, table="variant", events="2000/s"):
        """A variant of a sample at a position of a chromosome; loaded sample by sample."""

        sample: str = bt.key(bt.HexDigest(8), cardinality=500_000)
        chromosome: str = bt.key(bt.Text(width=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9), cardinality=250_000_000, sequential=False)
        f = bt.family("f", gc=bt.max_versions(1))
        alleles: str = bt.column("a", f, size=4, max_size=500)
        within = bt.query("sample", "chromosome", between="position")

    return Variant


@bad(
    "Data of one shopping cart split over rows though it must change at once",
    "ROW004",
    says=("under the key `{cart}`",),
    verdict="warning",
)
def cart_line_of_service() -> object:
    class CartLine(bt.Model, table="cart_line", events="300/s", atomic="cart"):
        """A line of a shopping cart; total and lines must change together."""

        cart: str = bt.key(bt.HexDigest(16), cardinality=8_000_000)
        line: int = bt.key(bt.PaddedInt(3), cardinality=40)
        f = bt.family("f", gc=bt.max_versions(1))
        article: str = bt.column("article", f, size=12)
        of_cart = bt.query("cart")

    return CartLine


@good("Cart as one row with lines as entries")
def cart_of_service() -> object:
    class Cart(bt.Model, table="cart", events="300/s", atomic="cart"):
        """A shopping cart; its lines change together."""

        cart: str = bt.key(bt.HexDigest(16), cardinality=8_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        of = bt.family("l", gc=bt.max_versions(1))
        total: int = bt.column("total", f)
        lines: dict[str, int] = bt.mapping(of, bt.Text(max_length=12), entries=40)
        one = bt.query("cart")

    return Cart


@bad(
    "Hour of the day in front of a meter: 24 values, all writes of an hour go to one place",
    "KEY001",
    says=("`{transformer}#{hour}#{at}`",),
    verdict="warning",
)
def load_of_service() -> object:
    class Load(bt.Model, table="load", events="30000/s"):
        """The load of a transformer, every few seconds."""

        hour: int = bt.key(bt.PaddedInt(2), cardinality=24)
        transformer: str = bt.key(bt.HexDigest(6), cardinality=200_000)
        at: datetime = bt.key(bt.EpochSeconds())
        f = bt.family("f", gc=bt.max_age(days=90))
        kw: float = bt.column("kw", f)
        at_hour = bt.query("hour", "transformer", between="at")

    return Load


@good("Load by transformer")
def load_2_of_service() -> object:
    class Load(bt.Model, table="load", events="30000/s"):
        """The load of a transformer, every few seconds."""

        transformer: str = bt.key(bt.HexDigest(6), cardinality=200_000)
        at: datetime = bt.key(bt.EpochSeconds())
        f = bt.family("f", gc=bt.max_age(days=90))
        kw: float = bt.column("kw", f)
        of_transformer = bt.query("transformer", between="at", span="1day")

    return Load


@bad("Search by phone: phone number as key field", "KEY010", verdict="warning")
def caller_of_service() -> object:
    class Caller(bt.Model, table="caller", events="60/s"):
        """What we know about who calls, by number."""

        phone: str = bt.key(bt.Text(max_length=16), cardinality=8_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        notes: str = bt.column("n", f, size=200)
        one = bt.query("phone")

    return Caller


@bad(
    "Document body up to 400 MB of versions per row: row limit 256 MB: 50 versions of 8 MB",
    "ROW002",
    verdict="error",
)
def drawing_of_service() -> object:
    class Drawing(bt.Model, table="drawing", events="3/s"):
        """A drawing with its last fifty states."""

        drawing: str = bt.key(bt.HexDigest(16), cardinality=300_000)
        f = bt.family("f", gc=bt.max_versions(50))
        state: bt.History[bytes] = bt.history("s", f, every="10min", size=6_000_000, max_size=9_000_000)
        one = bt.query("drawing")

    return Drawing


@good("Drawing states a row each in a key")
def drawing_state_of_service() -> object:
    class DrawingState(bt.Model, table="drawing_state", events="3/s"):
        """A state of a drawing; clients read the newest, or one by its number."""

        drawing: str = bt.key(bt.HexDigest(16), cardinality=300_000)
        number: int = bt.key(bt.Descending(bt.PaddedInt(6)), cardinality=2_000)
        f = bt.family("f", gc=bt.max_versions(1))
        state: bytes = bt.column("s", f, size=6_000_000, max_size=9_000_000)
        of_drawing = bt.query("drawing")
        one = bt.query("drawing", "number")

    return DrawingState


@bad(
    "Tenant not first: user ids in front of tenant, queries by tenant",
    "QRY001",
    "KEY018",
    says=("`{customer}#{member}`",),
    verdict="error",
)
def member_of_service() -> object:
    class Member(bt.Model, table="member", events="30/s"):
        """A member of a workspace of a customer."""

        member: str = bt.key(bt.HexDigest(8), cardinality=9_000_000)
        customer: str = bt.key(bt.HexDigest(4), cardinality=20_000, tenant=True)
        f = bt.family("f", gc=bt.max_versions(1))
        role: str = bt.column("role", f, size=6)
        of_customer = bt.query("customer")

    return Member


@bad("Weekday text range query: Friday sorts before Monday", "KEY007", verdict="warning")
def opening_of_service() -> object:
    class Opening(bt.Model, table="opening", events="1/min"):
        """When a shop opens on a day of the week."""

        shop: str = bt.key(bt.HexDigest(4), cardinality=50_000)
        weekday: str = bt.key(bt.Text(max_length=9), cardinality=7)
        f = bt.family("f", gc=bt.max_versions(1))
        opens: str = bt.column("o", f, size=5)
        from_to = bt.query("shop", between="weekday")

    return Opening


@good("Settings of an application under a constant key")
def settings_of_service() -> object:
    class Settings(bt.Model, table="settings"):
        """The settings of the application, in one row, which programs read when they start."""

        kind = bt.constant("settings")
        f = bt.family("f", gc=bt.max_versions(5))
        text: str = bt.column("t", f, size=2_000, max_size=60_000)

    return Settings


@bad(
    "Too many families read: whole row queries though one family is large images", "QRY005", verdict="warning"
)
def product_of_service() -> object:
    class Product(bt.Model, table="product", events="20/s"):
        """A product with its pictures; the list of a shop shows name and price of all products."""

        shop: str = bt.key(bt.HexDigest(4), cardinality=5_000)
        product: str = bt.key(bt.HexDigest(8), cardinality=40_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("name", f, size=30)
        cents: int = bt.column("cents", f)
        picture: bytes = bt.column("picture", f, size=900_000, max_size=4_000_000)
        of_shop = bt.query("shop", only=["name", "cents"])

    return Product


@good("Pictures in a table of their own")
def picture_of_service() -> object:
    class Picture(bt.Model, table="picture", events="2/s"):
        """The picture of a product."""

        product: str = bt.key(bt.HexDigest(8), cardinality=40_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        data: bytes = bt.column("d", f, size=900_000, max_size=4_000_000)
        one = bt.query("product")

    return Picture


@bad(
    "Month as a number leads: PaddedInt YYYYMM period constant for a month",
    "KEY001",
    says=("`{account}#{period}#{line}`",),
    verdict="warning",
)
def statement_of_service() -> object:
    class Statement(bt.Model, table="statement", events="18000/s"):
        """A line of a statement of account, by period (202401)."""

        period: int = bt.key(bt.PaddedInt(6), cardinality=120)
        account: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)
        line: str = bt.key(bt.HexDigest(8), cardinality=2_000_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("cents", f)
        of_account = bt.query("period", "account")

    return Statement


@good("Statement by account and period")
def statement_2_of_service() -> object:
    class Statement(bt.Model, table="statement", events="18000/s"):
        """A line of a statement of account, by account and month."""

        account: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)
        month: date = bt.key(bt.DateText("%Y%m"))
        line: str = bt.key(bt.HexDigest(8), cardinality=2_000_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("cents", f)
        of_month = bt.query("account", "month")

    return Statement


@bad(
    "Events arrive two days late but family keeps one day by age of event time",
    "FAM006",
    says=("bt.max_age(days=3)",),
    verdict="warning",
)
def ride_of_service() -> object:
    class Ride(bt.Model, table="ride", events="900/s", timestamp="at", lateness="2d"):
        """A ride of a rented scooter; scooters send theirs when they are back in a net, up to two days later."""

        scooter: str = bt.key(bt.HexDigest(6), cardinality=70_000)
        at: datetime = bt.key(bt.EpochMillis())
        f = bt.family("f", gc=bt.max_age(days=1))
        metres: int = bt.column("m", f)
        of_scooter = bt.query("scooter", between="at")

    return Ride


@good("Rides kept long enough")
def ride_2_of_service() -> object:
    class Ride(bt.Model, table="ride", events="900/s", timestamp="at", lateness="2d"):
        """A ride of a rented scooter; scooters send theirs when they are back in a net, up to two days later."""

        scooter: str = bt.key(bt.HexDigest(6), cardinality=70_000)
        at: datetime = bt.key(bt.EpochMillis())
        f = bt.family("f", gc=bt.max_age(days=120))
        metres: int = bt.column("m", f)
        of_scooter = bt.query("scooter", between="at")

    return Ride


@bad(
    "Hash in front makes a declared range query over the time of all impossible: digest of device+time in front",
    "QRY001",
    "KEY004",
    says=("leave out `spread`",),
    verdict="error",
)
def probe_of_service() -> object:
    class Probe(bt.Model, table="probe", events="4000/s"):
        """A measurement of a probe; a chart shows a probe's last hour."""

        spread = bt.digest("probe", "at")
        probe: str = bt.key(bt.HexDigest(6), cardinality=50_000)
        at: datetime = bt.key(bt.EpochMillis())
        f = bt.family("f", gc=bt.max_age(days=30))
        value: float = bt.column("v", f)
        of_probe = bt.query("probe", between="at")

    return Probe


@bad(
    "Friend list of a celebrity: members set unbounded in a row",
    "ROW002",
    says=("`{artist}#{followers_key}`",),
    verdict="error",
)
def fans_of_service() -> object:
    class Fans(bt.Model, table="fans", events="2000/s"):
        """Who follows an artist; the greatest have tens of millions of followers."""

        artist: str = bt.key(bt.HexDigest(8), cardinality=4_000_000)
        m = bt.family("m", gc=bt.max_versions(1))
        followers: set[str] = bt.members(m, bt.HexDigest(8), entries=50_000_000)
        of_artist = bt.query("artist")

    return Fans


@good("Exchange rates history few per day")
def rate_of_service() -> object:
    class Rate(bt.Model, table="rate", events="200/h"):
        """The rate of a currency pair at a time, fixed once an hour."""

        pair: str = bt.key(bt.Text(width=6), cardinality=200)
        at: datetime = bt.key(bt.EpochSeconds())
        f = bt.family("f", gc=bt.keep_all())
        rate: Decimal = bt.column("r", f, size=8)
        of_pair = bt.query("pair", between="at")

    return Rate


@good("News feed, small table leading date fine")
def headline_of_service() -> object:
    class Headline(bt.Model, table="headline", events="300/day"):
        """A headline of our paper, of which a page shows those of a day."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        number: int = bt.key(bt.PaddedInt(3), cardinality=400)
        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f, size=80)
        of_day = bt.query("day")

    return Headline


@bad(
    "LittleEndian binary counter with range query: bytes do not sort",
    "KEY007",
    "QRY001",
    says=("bt.PaddedInt(20)",),
    verdict="error",
)
def block_of_service() -> object:
    class Block(bt.Model, table="block", events="100/s"):
        """A block of a file by its offset; readers want the blocks of a range."""

        file: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        offset: int = bt.key(bt.LittleEndian(8), cardinality=100_000)
        f = bt.family("f", gc=bt.max_versions(1))
        data: bytes = bt.column("d", f, size=65_536, max_size=65_536)
        part = bt.query("file", between="offset")

    return Block


@good("Blocks big endian")
def block_2_of_service() -> object:
    class Block(bt.Model, table="block", events="100/s"):
        """A block of a file by its offset; readers want the blocks of a range."""

        file: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        offset: int = bt.key(bt.PaddedInt(12), cardinality=100_000)
        f = bt.family("f", gc=bt.max_versions(1))
        data: bytes = bt.column("d", f, size=65_536, max_size=65_536)
        part = bt.query("file", between="offset")

    return Block


@bad(
    "Claims under one hash of policy and day, though the days of a policy are asked for as a range",
    "QRY001",
    verdict="error",
    says=('`id = bt.digest("policy")`', "`{id}#{filed}`"),
    never=("second table",),
)
def claim_of_service() -> object:
    class Claim(bt.Model, table="claim", events="30/s"):
        """An insurance claim, hashed for an even spread."""

        id = bt.digest("policy", "filed")
        policy: str | None = bt.key(bt.Text(max_length=14), stored=False, cardinality=20_000_000)
        filed: date | None = bt.key(bt.DateText("%d%m%Y"), stored=False)
        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("cents", f)
        one = bt.query("policy", "filed")
        of_policy = bt.query("policy", between="filed")

    return Claim


@bad(
    "Days that do not sort, and copies that no key finds: the members keep the key, as only their days are written wrong",
    "KEY007",
    "QRY001",
    verdict="error",
    says=("encode `due` as `bt.DateText()`", "a second table, whose key `{barcode}#{member}#{due}`"),
    never=("order the fields",),
)
def loan_of_service() -> object:
    class Loan(bt.Model, table="loan", events="120/s"):
        """Who has borrowed which copy."""

        member: int = bt.key(bt.PaddedInt(9), cardinality=3_000_000, sequential=False)
        due: date = bt.key(bt.DateText("%d%m%Y"))
        barcode: str = bt.key(bt.Text(width=14), cardinality=40_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        renewed: int | None = bt.column("ren", f, default=None)
        of_member = bt.query("member", between="due")
        of_copy = bt.query("barcode")

    return Loan


@bad(
    "The time in front, and numbers that do not sort: one key serves both queries, with another codec",
    "KEY001",
    "KEY007",
    "QRY001",
    verdict="error",
    says=("encode `robot` as `bt.PaddedInt(4)`: `{warehouse}#{robot}#{at}`",),
    never=("second table", "backwards"),
)
def pose_of_service() -> object:
    class Pose(bt.Model, table="pose", events="8000/s"):
        """Where a robot of a warehouse is."""

        at: datetime = bt.key(bt.EpochMillis())
        warehouse: str = bt.key(bt.Text(width=4), cardinality=25)
        robot: int = bt.key(bt.Int(4), cardinality=800)
        f = bt.family("f", gc=bt.max_age(days=3))
        x: float = bt.column("x", f)
        y: float = bt.column("y", f)
        of_robot = bt.query("warehouse", "robot", between="at", span="10min")
        of_numbers = bt.query("warehouse", between="robot")

    return Pose


@good("Seats of a train on a day, booked and released: a row is a state that is filled in")
def seat_of_service() -> object:
    class Seat(bt.Model, table="seat", events="900/s"):
        """A seat of a train: who has booked it."""

        train: str = bt.key(bt.Text(max_length=8), cardinality=9_000)
        day: date = bt.key(bt.DateText())
        coach: int = bt.key(bt.PaddedInt(2), cardinality=14)
        seat: int = bt.key(bt.PaddedInt(3), cardinality=90)
        f = bt.family("f", gc=bt.max_versions(1))
        ticket: str | None = bt.column("tk", f, size=12, default=None)
        held_until: datetime | None = bt.column("hold", f, default=None)
        of_train = bt.query("train", "day")
        days = bt.query("train", between="day", span="7d")

    return Seat


@bad(
    "Each heartbeat of four million users leaves an old version that nobody reads: rows are not too large, the table is",
    "ROW003",
    verdict="warning",
    says=("keep the newest",),
)
def presence_of_service() -> object:
    class Presence(bt.Model, table="presence", events="100000/s"):
        """Whether a user of a chat is there."""

        user: int = bt.key(bt.PaddedInt(12), cardinality=4_000_000, sequential=False)
        f = bt.family("f", gc=bt.keep_all())
        state: str = bt.column("st", f, size=6)
        seen: datetime = bt.column("seen", f)
        one = bt.query("user")

    return Presence


@bad(
    "The state of a bed in its key: what finds one bed needs no second table, only the list of free beds does",
    "KEY021",
    verdict="warning",
    says=('`one = bt.query("hospital", "ward", "bed")` then finds the row', "`free_ones` needs it in a key"),
)
def bed_of_service() -> object:
    class Bed(bt.Model, table="bed", events="50/s"):
        """A bed of a hospital."""

        hospital: str = bt.key(bt.Text(max_length=12), cardinality=900)
        status: str = bt.key(bt.Text(max_length=10), cardinality=3)
        ward: str = bt.key(bt.Text(max_length=10), cardinality=40)
        bed: int = bt.key(bt.PaddedInt(4), cardinality=60)
        f = bt.family("f", gc=bt.max_versions(1))
        patient: str | None = bt.column("pt", f, size=12, default=None)
        free_ones = bt.query("hospital", "status")
        one = bt.query("hospital", "status", "ward", "bed")

    return Bed
