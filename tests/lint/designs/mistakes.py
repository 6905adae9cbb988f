"""Published designs with faults that a panel named before any review, of hotspots and of rules that keep too little or too much."""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


class State(StrEnum):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@bad(
    "HBase and Cassandra users who carry a 'partition by month' habit over (month buckets as partition keys)",
    "KEY001",
    "QRY001",
    verdict="error",
    says=("`{player}#{at}",),
    never=("{month}#{at}",),
)
def play_event() -> object:
    class PlayEvent(bt.Model, table="play_event", events="30000/s"):
        month: date = bt.key(bt.DateText("%Y%m"))
        player: str = bt.key(bt.HexDigest(8), cardinality=15_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        e = bt.family("e", gc=bt.max_age(days=180))
        action: str = bt.column("a", e, size=12, max_size=40)
        of_player = bt.query("player", between="at", span="14d")

    return PlayEvent


@bad(
    "queue tables in HBase and DynamoDB discussions (a global index on the status)",
    "KEY003",
    "KEY021",
    verdict="error",
    says=("salt",),
)
def job() -> object:
    class Job(bt.Model, table="job", events="40000/s"):
        status: State = bt.key(bt.EnumText(State), changes=True)
        queued_at: datetime = bt.key(bt.EpochMillis())
        job: str = bt.key(bt.HexDigest(8))
        j = bt.family("j", gc=bt.max_age(days=7))
        source: str = bt.column("src", j, size=100, max_size=1_000)
        attempts: int = bt.column("n", j)
        pending = bt.query("status", between="queued_at")

    return Job


@bad(
    "ULID adopters' posts ('sortable ids for free') applied to a Bigtable row key",
    "KEY002",
    verdict="error",
    says=("salt",),
)
def order_rows() -> object:
    class Order(bt.Model, table="grocery_order", events="20000/s"):
        ulid: str = bt.key(bt.Text(width=26))
        o = bt.family("o", gc=bt.max_versions(1))
        shop: str = bt.column("shop", o, size=12, max_size=40)
        cents: int = bt.column("cents", o)
        one = bt.query("ulid")

    return Order


@bad(
    "public discussions of UUIDv7 as a primary key in distributed stores (CockroachDB, Spanner, HBase)",
    "KEY002",
    verdict="error",
    says=("salt",),
)
def impression() -> object:
    class Impression(bt.Model, table="impression", events="40000/s"):
        id: UUID = bt.key(bt.UuidRaw(), sequential=True)
        i = bt.family("i", gc=bt.max_age(days=2))
        campaign: int = bt.column("c", i)
        price: int = bt.column("p", i)
        one = bt.query("id")

    return Impression


@bad(
    "the frequent misreading of Google's page that a reversed timestamp cures the hotspot",
    "KEY001",
    verdict="error",
    says=("salt",),
    never=("{author}#{at}`",),
)
def feed_item() -> object:
    class FeedItem(bt.Model, table="feed_item", events="25000/s"):
        at: datetime = bt.key(bt.ReversedMillis())
        author: str = bt.key(bt.HexDigest(8), cardinality=4_000_000)
        f = bt.family("f", gc=bt.max_age(days=30))
        text: str = bt.column("t", f, size=200, max_size=2_000)
        latest = bt.query(between="at", newest=True, span="5min")

    return FeedItem


@bad(
    "salting posts for HBase where the bucket count is copied from a small example",
    "KEY003",
    verdict="error",
    says=("buckets=",),
)
def call_record() -> object:
    class CallRecord(bt.Model, table="call_record", events="120000/s", nodes=12):
        shard = bt.salt("call", buckets=2)
        at: datetime = bt.key(bt.EpochMillis())
        call: str = bt.key(bt.HexDigest(8))
        c = bt.family("c", gc=bt.max_age(days=10))
        seconds: int = bt.column("s", c)
        cell: int = bt.column("cell", c)
        window = bt.query(between="at", span="1min")

    return CallRecord


@bad(
    "'hash the key' advice (MD5 prefixes in HBase tutorials) with the time inside the hash",
    "QRY001",
    "KEY004",
    verdict="error",
    says=("`{device}#{at}`",),
)
def vibration() -> object:
    class Vibration(bt.Model, table="vibration", events="70000/s"):
        spread = bt.digest("device", "at", size=4)
        device: str = bt.key(bt.Text(max_length=24), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        v = bt.family("v", gc=bt.max_age(days=90))
        rms: float = bt.column("rms", v)
        of_device = bt.query("device", between="at", span="1day")

    return Vibration


@bad(
    "over-salted HBase tables ('we used 1000 regions to be safe') in user-list threads",
    "KEY005",
    verdict="warning",
)
def door_event() -> object:
    class DoorEvent(bt.Model, table="door_event", events="200/s"):
        shard = bt.salt("door", "at", buckets=1000)
        at: datetime = bt.key(bt.EpochMillis())
        door: str = bt.key(bt.Text(max_length=12), cardinality=8_000)
        d = bt.family("d", gc=bt.max_age(days=60))
        open: bool = bt.column("open", d)
        last_minute = bt.query(between="at", span="1min")

    return DoorEvent


@bad(
    "noisy-neighbour talks of SaaS vendors (one customer is most of the traffic), for DynamoDB and HBase",
    "KEY003",
    verdict="error",
    says=("{tenant}#{salt}#{at}#{event}",),
)
def telemetry_event() -> object:
    class TelemetryEvent(bt.Model, table="telemetry_event", events="50000/s"):
        tenant: str = bt.key(bt.Text(max_length=24), cardinality=500, tenant=True, skew="60%:1")
        at: datetime = bt.key(bt.EpochMillis())
        event: str = bt.key(bt.HexDigest(8))
        e = bt.family("e", gc=bt.max_age(days=45))
        body: bytes = bt.column("b", e, size=400, max_size=20_000)
        of_tenant = bt.query("tenant", between="at", span="10min")

    return TelemetryEvent


@bad(
    "like and view counters in DynamoDB and Cassandra discussions (a single counter row of a viral item)",
    "KEY013",
    verdict="error",
    says=("{show}#{evening}#{candidate}#{shard}",),
)
def vote_tally() -> object:
    class VoteTally(bt.Model, table="vote_tally"):
        show: str = bt.key(bt.Text(max_length=20), cardinality=40)
        evening: date = bt.key(bt.DateText("%Y%m%d"))
        candidate: int = bt.key(bt.PaddedInt(2), cardinality=12, sequential=False)
        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("votes", v, increments="20000/s")
        of_evening = bt.query("show", "evening")

    return VoteTally


@bad(
    "follower lists of celebrities in social-network design talks; Google's limit of 256 MB for a row",
    "ROW002",
    verdict="error",
)
def followers_rows() -> object:
    class Followers(bt.Model, table="followers", events="3000/s"):
        user: str = bt.key(bt.HexDigest(8), cardinality=80_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[bytes] = bt.members(f, bt.Bytes(width=8), entries=50_000_000)
        of_user = bt.query("user")

    return Followers


@bad(
    "first drafts of IoT schemas (a row for each device, a version for each reading), criticised in Google's time-series page",
    "ROW003",
    verdict="error",
)
def turbine() -> object:
    class Turbine(bt.Model, table="turbine", events="12000/s"):
        turbine: str = bt.key(bt.Text(width=10), cardinality=12_000)
        p = bt.family("p", gc=bt.keep_all())
        kilowatts: bt.History[float] = bt.history("kw", p, every="1s")
        of_turbine = bt.query("turbine")

    return Turbine


@bad(
    "Google's page on garbage collection (rules are of families), and the usual accident with a 'data' family",
    "FAM005",
    verdict="error",
)
def customer() -> object:
    class Customer(bt.Model, table="customer", events="900/s"):
        customer: str = bt.key(bt.HexDigest(8), cardinality=7_000_000)
        data = bt.family("data", gc=bt.max_age(days=30))
        address: str = bt.column("address", data, size=60, max_size=300, keep=bt.max_versions(1))
        birthday: date = bt.column("birthday", data, keep=bt.max_versions(1))
        last_page: str | None = bt.column(
            "last_page", data, default=None, size=40, max_size=200, keep=bt.max_age(days=30)
        )
        one = bt.query("customer")

    return Customer


@bad(
    "Stack Overflow, 'why does my Bigtable only grow although max versions is 1'",
    "FAM005",
    verdict="warning",
    says=("gc=bt.max_age(days=30)",),
)
def page_view() -> object:
    class PageView(bt.Model, table="page_view", events="40000/s"):
        visitor: str = bt.key(bt.HexDigest(8), cardinality=60_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        v = bt.family("v", gc=bt.max_versions(1))
        page: str = bt.column("page", v, size=40, max_size=500, keep=bt.max_age(days=30))
        dwell: int | None = bt.column("dwell", v, default=None, keep=bt.max_age(days=30))
        of_visitor = bt.query("visitor", between="at")

    return PageView


@bad(
    "Google's time-bucket pattern with versions, where the version limit is a guess",
    "FAM006",
    verdict="error",
    says=("bt.max_versions(1_440)",),
)
def greenhouse_day() -> object:
    class GreenhouseDay(bt.Model, table="greenhouse_day", bucket="day", events="500/s"):
        house: str = bt.key(bt.Text(max_length=16), cardinality=30_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        h = bt.family("h", gc=bt.max_versions(100))
        humidity: bt.History[float] = bt.history("rh", h, every="1min")
        of_house = bt.query("house", between="day", span="7d")

    return GreenhouseDay


@bad(
    "idempotent pipelines (Dataflow retries) that write a constant timestamp, in Beam and Bigtable discussions",
    refused="leave the age out of the rule",
)
def recommendation() -> object:
    class Recommendation(bt.Model, table="recommendation", events="2500/s", timestamp=0):
        listener: str = bt.key(bt.HexDigest(8), cardinality=35_000_000)
        r = bt.family("r", gc=bt.max_age(days=30))
        tracks: list[str] = bt.column("tracks", r, size=800, max_size=8_000)
        model: str = bt.column("model", r, size=10, max_size=30)
        one = bt.query("listener")

    return Recommendation


@bad(
    "mobile apps with offline buffers; Google's note that age counts from the cell's timestamp",
    "FAM006",
    verdict="error",
    says=("bt.max_age(days=7",),
)
def glucose_value() -> object:
    class GlucoseValue(bt.Model, table="glucose_value", events="7000/s", timestamp="recorded"):
        sensor: str = bt.key(bt.HexDigest(8), cardinality=2_100_000)
        recorded: datetime = bt.key(bt.EpochSeconds())
        g = bt.family("g", gc=bt.max_age(hours=6))
        value: int = bt.column("mgdl", g)
        week = bt.query("sensor", between="recorded", span="7d")

    return GlucoseValue


@bad(
    "Google's schema-design page: no personal data in row keys, table ids or column names",
    "KEY010",
    verdict="warning",
)
def preference() -> object:
    class Preference(bt.Model, table="preference", events="80/s"):
        email: str = bt.key(bt.Text(max_length=200), cardinality=5_000_000, pii=True)
        list_id: str = bt.key(bt.Text(max_length=20), cardinality=300)
        p = bt.family("p", gc=bt.max_versions(1))
        subscribed: bool = bt.column("sub", p)
        frequency: str = bt.column("freq", p, size=6, max_size=12)
        of_person = bt.query("email")

    return Preference
