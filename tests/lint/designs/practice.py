"""Published designs that a panel calls good, with its verdicts from before any review."""

from datetime import date, datetime
from uuid import UUID

from published import good

import btmodel as bt


@good(
    "audit-log designs after Google's Bigtable schema-design page (the warning about timestamps in front); a platform team's change log"
)
def config_change() -> object:
    class ConfigChange(bt.Model, table="config_change", events="300/day"):
        at: datetime = bt.key(bt.EpochMillis())
        service: str = bt.key(bt.Text(max_length=40), cardinality=120)
        c = bt.family("c", gc=bt.max_versions(1))
        old: str | None = bt.column("old", c, size=200, max_size=20_000, default=None)
        new: str = bt.column("new", c, size=200, max_size=20_000)
        during = bt.query(between="at", span="7d")

    return ConfigChange


@good(
    "reference-data tables beside a fact store; HBase mailing-list advice that small dimension tables need no key tricks"
)
def country() -> object:
    class Country(bt.Model, table="country", events="10/day"):
        code: str = bt.key(bt.Text(width=2), cardinality=250)
        d = bt.family("d", gc=bt.max_versions(1))
        name: str = bt.column("name", d, size=20, max_size=100)
        currency: str = bt.column("cur", d, size=3, max_size=3)
        vat: int | None = bt.column("vat", d, default=None)
        of_code = bt.query("code")
        everything = bt.query(scan="each server loads all countries when it starts")

    return Country


@good("Stack Overflow discussions on sequential keys in HBase ('does my ticket number hotspot?')")
def ticket() -> object:
    class Ticket(bt.Model, table="ticket", events="2/s"):
        number: int = bt.key(bt.PaddedInt(9), sequential=True)
        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("subject", t, size=60, max_size=500)
        state: str = bt.column("state", t, size=8, max_size=20)
        body: str = bt.column("body", t, size=2_000, max_size=200_000)
        one = bt.query("number")
        around = bt.query(between="number")

    return Ticket


@good("billing close runs, as in DynamoDB modelling books (invoice lines by period and customer)")
def invoice_line() -> object:
    class InvoiceLine(bt.Model, table="invoice_line", events="15000/day"):
        month: date = bt.key(bt.DateText("%Y%m"))
        account: int = bt.key(bt.PaddedInt(7), cardinality=40_000)
        line: int = bt.key(bt.PaddedInt(4))
        i = bt.family("i", gc=bt.max_versions(1))
        cents: int = bt.column("cents", i)
        text: str = bt.column("text", i, size=60, max_size=400)
        of_account = bt.query("month", "account")
        of_month = bt.query("month")

    return InvoiceLine


@good("Discord's posts on storing messages (Cassandra, later ScyllaDB); Snowflake ids within a channel")
def chat_message() -> object:
    class ChatMessage(bt.Model, table="chat_message", events="50000/s"):
        channel_id: int = bt.key(bt.HexInt(16), cardinality=20_000_000)
        message_id: int = bt.key(bt.Descending(bt.PaddedInt(19), greatest=2**63 - 1), sequential=True)
        m = bt.family("m", gc=bt.max_versions(1))
        author: int = bt.column("a", m)
        text: str = bt.column("t", m, size=120, max_size=8_000)
        of_channel = bt.query("channel_id", between="message_id")

    return ChatMessage


@good("Google's Bigtable schema-design page on reversed timestamps; notification inboxes in DynamoDB talks")
def notification() -> object:
    class Notification(bt.Model, table="notification", events="15000/s"):
        user: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        id: str = bt.key(bt.HexDigest(4))
        n = bt.family("n", gc=bt.max_age(days=90))
        kind: str = bt.column("k", n, size=10, max_size=30)
        text: str = bt.column("t", n, size=150, max_size=2_000)
        inbox = bt.query("user", between="at", newest=True)

    return Notification


@good("HBaseWD (Sematext) and Google's salting section: a global, time-ordered stream with a salt in front")
def fraud_signal() -> object:
    class FraudSignal(bt.Model, table="fraud_signal", events="100000/s", nodes=20):
        shard = bt.salt("event", buckets=20)
        at: datetime = bt.key(bt.EpochMillis())
        event: str = bt.key(bt.HexDigest(8))
        s = bt.family("s", gc=bt.max_age(days=3))
        score: float = bt.column("score", s)
        features: bytes = bt.column("f", s, size=300, max_size=2_000)
        window = bt.query(between="at", span="1min")

    return FraudSignal


@good("delayed-job designs in DynamoDB talks (due-time index with write sharding)")
def reminder() -> object:
    class Reminder(bt.Model, table="reminder", events="400/s"):
        shard = bt.salt("id", buckets=8)
        due: datetime = bt.key(bt.EpochSeconds())
        id: str = bt.key(bt.HexDigest(8), cardinality=50_000_000)
        r = bt.family("r", gc=bt.max_versions(1))
        user: str = bt.column("u", r, size=16, max_size=16)
        text: str = bt.column("t", r, size=80, max_size=500)
        due_now = bt.query(between="due", span="1min")

    return Reminder


@good(
    "the sharded-counter pattern of Google's Datastore and Firestore documentation, moved to Bigtable aggregates"
)
def like_shard() -> object:
    class LikeShard(bt.Model, table="like_shard"):
        post: str = bt.key(bt.HexDigest(8), cardinality=80_000_000)
        shard: int = bt.key(bt.PaddedInt(2), cardinality=64)
        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        likes: int | None = bt.counter("likes", n, increments="100/s")
        of_post = bt.query("post")

    return LikeShard


@good(
    "Google's own social-graph example of column qualifiers as data; Twitter-like follow lists with a product limit"
)
def following() -> object:
    class Following(bt.Model, table="following", events="2000/s"):
        user: str = bt.key(bt.HexDigest(8), cardinality=40_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        follows: set[bytes] = bt.members(f, bt.Bytes(width=8), entries=5_000)
        of_user = bt.query("user")

    return Following


@good("Google's time-series page (time buckets, new cells for new events), with a wearable's heart rate")
def heart_day() -> object:
    class HeartDay(bt.Model, table="heart_day", bucket="day", events="200000/s"):
        user: str = bt.key(bt.HexDigest(8), cardinality=1_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        h = bt.family("h", gc=bt.max_age(days=365))
        bpm: bt.History[int] = bt.history("b", h, codec=bt.IntBytes(2), every="5s")
        of_user = bt.query("user", between="day", span="7d")

    return HeartDay


@good(
    "Google's advice to put columns with different retention into different families; a media site's user store"
)
def visitor() -> object:
    class Visitor(bt.Model, table="visitor", events="4000/s"):
        visitor: str = bt.key(bt.HexDigest(16), cardinality=25_000_000)
        p = bt.family("p", gc=bt.max_versions(1))
        language: str | None = bt.column("lang", p, default=None, size=2, max_size=8, keep=bt.max_versions(1))
        consent: datetime | None = bt.column("consent", p, default=None, keep=bt.max_versions(1))
        c = bt.family("c", gc=bt.max_age(days=30))
        section: str | None = bt.column(
            "section", c, default=None, size=12, max_size=40, keep=bt.max_age(days=30)
        )
        of_visitor = bt.query("visitor")

    return Visitor


@good("smart-meter head-end systems, in HBase conference talks by utilities")
def meter_reading() -> object:
    class MeterReading(bt.Model, table="meter_reading", events="11111/s"):
        meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds())
        r = bt.family("r", gc=bt.max_age(days=1100))
        wh: int = bt.column("wh", r)
        of_meter = bt.query("meter", between="at", span="1day")

    return MeterReading


@good("Feast-like online feature stores; idempotent backfills in public discussions of Bigtable timestamps")
def merchant_features() -> object:
    class MerchantFeatures(bt.Model, table="merchant_features", events="3000/s", timestamp=0):
        merchant: str = bt.key(bt.HexDigest(8), cardinality=6_000_000)
        f = bt.family("f", gc=bt.max_versions(1))
        chargebacks: float = bt.column("cb30", f)
        volume: float = bt.column("vol7", f)
        embedding: bytes | None = bt.column("emb", f, default=None, size=512, max_size=512)
        of_merchant = bt.query("merchant")

    return MerchantFeatures


@good("fleet telematics with buffered uploads; Google's page on garbage collection by the cell's timestamp")
def truck_point() -> object:
    class TruckPoint(bt.Model, table="truck_point", events="6000/s", timestamp="at"):
        truck: str = bt.key(bt.Text(width=17), cardinality=90_000)
        at: datetime = bt.key(bt.EpochSeconds())
        g = bt.family("g", gc=bt.max_age(days=730))
        lat: float = bt.column("lat", g)
        lon: float = bt.column("lon", g)
        fuel: int | None = bt.column("fuel", g, default=None)
        trip = bt.query("truck", between="at", span="1day")

    return TruckPoint


@good("DynamoDB single-table talks (a KSUID as the sort key behind the account)")
def payment() -> object:
    class Payment(bt.Model, table="payment", events="12000/s"):
        account: str = bt.key(bt.HexDigest(8), cardinality=9_000_000)
        ulid: str = bt.key(bt.Text(width=26))
        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("cents", p)
        currency: str = bt.column("cur", p, size=3, max_size=3)
        one = bt.query("account", "ulid")
        of_account = bt.query("account")

    return Payment


@good("UUIDv7 as the default id of new frameworks, in public discussions on database locality")
def contract() -> object:
    class Contract(bt.Model, table="contract", events="5/s"):
        id: UUID = bt.key(bt.UuidRaw(), sequential=True)
        c = bt.family("c", gc=bt.max_versions(1))
        party: str = bt.column("party", c, size=40, max_size=200)
        document: str = bt.column("doc", c, size=100, max_size=1_000)
        one = bt.query("id")

    return Contract


@good("Google's advice against personal data in row keys; login tables of identity services")
def login() -> object:
    class Login(bt.Model, table="login", events="300/s"):
        who = bt.digest("email")
        a = bt.family("a", gc=bt.max_versions(1))
        email: str = bt.column("email", a, size=25, max_size=254)
        user: int = bt.column("user", a)
        password: bytes = bt.column("pw", a, size=60, max_size=200)
        of_email = bt.query("email")

    return Login
