"""Published designs of stores that run, and of books: as they should be, written down before the review saw them."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import good

import btmodel as bt


@good(
    "Guazi IM message storage (cloud.tencent.cn/developer/article/1525569): hash(conversation) | conversation | reversed message id"
)
def im_messages() -> object:
    class Message(bt.Model, table="im_message", events="5000/s"):
        shard = bt.salt("conversation", buckets=128)
        conversation: int = bt.key(bt.PaddedInt(19), cardinality=20_000_000, sequential=True)
        message: int = bt.key(bt.Descending(bt.PaddedInt(19)), cardinality=5_000_000_000, sequential=True)

        m = bt.family("m", gc=bt.max_versions(1))
        body: str = bt.column("b", m, size=120, max_size=8_000)
        sender: int = bt.column("s", m)

        of_conversation = bt.query("conversation", between="message")

    return Message


@good("imspm.com/dev/742631.html, 'chat history in HBase': reverse(user1)-user2-inverse(time)")
def chat_history() -> object:
    class ChatLine(bt.Model, table="chat_line", events="2000/s"):
        owner: int = bt.key(bt.ReversedDigits(10), cardinality=3_000_000, sequential=True, pii=False)
        peer: int = bt.key(bt.PaddedInt(10), cardinality=3_000_000, sequential=True, pii=False)
        at: datetime = bt.key(bt.ReversedMillis())

        m = bt.family("m", gc=bt.max_versions(1))
        body: str = bt.column("b", m, size=80, max_size=2_000)

        of_pair = bt.query("owner", "peer", between="at", newest=True)
        of_owner = bt.query("owner")

    return ChatLine


@good(
    "Hadoop: The Definitive Guide, HBase chapter (what-when-how.com ... Hadoop-The-Definitive-Guide-732): station id of fixed length + reverse timestamp"
)
def observations() -> object:
    class Observation(bt.Model, table="observations", events="3/s"):
        station: str = bt.key(bt.Text(width=12), cardinality=10_000)
        at: datetime = bt.key(bt.ReversedMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        air_temperature: int = bt.column("airtemp", data)

        of_station = bt.query("station", between="at")

    return Observation


@good("Hadoop: The Definitive Guide, HBase chapter: stations by their id, one small table")
def stations() -> object:
    class Station(bt.Model, table="stations", events="10/day"):
        station: str = bt.key(bt.Text(width=12), cardinality=10_000)

        info = bt.family("info", gc=bt.max_versions(1))
        name: str = bt.column("name", info, size=20)
        location: str = bt.column("location", info, size=30)
        description: str | None = bt.column("description", info, size=100, default=None)

    return Station


@good("YARN Timeline Service v.2, application table: cluster!user!flow!inverted run id!application")
def yarn_applications() -> object:
    class Application(bt.Model, table="timeline_application", delimiter="!", events="60/s"):
        cluster: str = bt.key(bt.Text(max_length=20), cardinality=2)
        user: str = bt.key(bt.Text(max_length=30), cardinality=2_000, pii=False)
        flow: str = bt.key(bt.Text(max_length=60), cardinality=100)
        run: datetime = bt.key(bt.ReversedMillis())
        application: str = bt.key(bt.Text(max_length=40), cardinality=50_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        m = bt.family("m", gc=bt.max_age(days=30))
        created: datetime = bt.column("created", i)
        metrics: dict[str, int] = bt.mapping(m, bt.Text(max_length=40), entries=80)

        of_flow = bt.query("cluster", "user", "flow", between="run")
        of_user = bt.query("cluster", "user")

    return Application


@good(
    "pinpoint-apm/pinpoint issue 12936, new ApplicationTraceIndex: salt, application name, service, type, timestamp, slot of elapsed time; TTL 60 days (issue 5401)"
)
def pinpoint_trace_index() -> object:
    class TraceIndex(bt.Model, table="trace_index", events="40000/s", nodes=8):
        shard = bt.salt("span", buckets=32)
        application: str = bt.key(bt.Text(max_length=254), size=24, cardinality=500, skew="60%:3")
        service_type: int = bt.key(bt.PaddedInt(5), cardinality=40)
        at: datetime = bt.key(bt.ReversedMillis())
        span: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        i = bt.family("I", gc=bt.max_age(days=60) | bt.max_versions(1))
        elapsed: int = bt.column("e", i)
        agent: str = bt.column("a", i, size=24, max_size=254)

        of_application = bt.query("application", "service_type", between="at", newest=True)

    return TraceIndex


@good("solana-labs/solana storage-bigtable (PR 11222): table tx, the key is the signature in base58")
def transactions() -> object:
    class Transaction(bt.Model, table="tx", events="3000/s"):
        signature: bytes = bt.key(bt.Base58(64), cardinality=400_000_000_000)

        x = bt.family("x", gc=bt.max_versions(1))
        slot: int = bt.column("slot", x)
        index: int = bt.column("index", x)
        memo: str | None = bt.column("memo", x, size=40, max_size=600, default=None)

    return Transaction


@good("solana-labs/solana storage-bigtable: table tx-by-addr, address / inverted slot in hexadecimal")
def by_address() -> object:
    class ByAddress(bt.Model, table="tx_by_addr", delimiter="/", events="6000/s"):
        address: bytes = bt.key(bt.Base58(32), cardinality=200_000_000)
        slot: int = bt.key(bt.Descending(bt.HexInt(16)), cardinality=500_000_000, sequential=True)

        x = bt.family("x", gc=bt.max_versions(1))
        signatures: bytes = bt.column("proto", x, size=300, max_size=200_000)

        of_address = bt.query("address", between="slot")

    return ByAddress


@good(
    "gobitfly/eth2-beaconchain-explorer bigtable_config.md: table machine_metrics, family mm, max age 31 days; the key is user, machine, reversed time (varied: field widths are ours)"
)
def machine_metrics() -> object:
    class MachineMetric(bt.Model, table="machine_metrics", events="400/s"):
        user: UUID = bt.key(bt.UuidText(), cardinality=20_000)
        machine: str = bt.key(bt.Text(max_length=40), size=12, cardinality=24_000)
        at: datetime = bt.key(bt.ReversedSeconds())

        mm = bt.family("mm", gc=bt.max_age(days=31))
        values: bytes = bt.column("v", mm, size=400, max_size=5_000)

        of_machine = bt.query("user", "machine", between="at", newest=True)
        of_user = bt.query("user")

    return MachineMetric


@good(
    "feast-dev/feast, online store for Bigtable (docs.feast.dev/reference/online-stores/bigtable): one row an entity and feature view, columns are features (one name shortened)"
)
def features_of_drivers() -> object:
    class DriverStats(bt.Model, table="driver_hourly_stats", events="1500/s"):
        entity: str = bt.key(bt.HexDigest(32), cardinality=2_000_000)
        view: str = bt.key(bt.Text(max_length=40), cardinality=3)

        features = bt.family("features", gc=bt.max_versions(1))
        conversion_rate: float = bt.column("conv_rate", features)
        acceptance_rate: float = bt.column("acc_rate", features)
        trips_per_day: int = bt.column("daily_trips", features)
        event_time: datetime = bt.column("event_ts", features)

        of_driver = bt.query("entity")

    return DriverStats


@good("killrvideo.github.io/concepts/data-modeling: comments of a video, newest first, by a time-based UUID")
def comments() -> object:
    class Comment(bt.Model, table="comments_by_video", events="50/s"):
        video: UUID = bt.key(bt.UuidRaw(), cardinality=2_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        comment: UUID = bt.key(bt.UuidRaw(), cardinality=300_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        user: UUID = bt.column("u", c)
        text: str = bt.column("t", c, size=200, max_size=4_000)

        of_video = bt.query("video", between="at", newest=True)

    return Comment


@good(
    "Accumulo (O'Reilly), chapter 8, figure 8-1: account, folder, newest message first (varied: an account number instead of the e-mail address)"
)
def mailbox() -> object:
    class Mail(bt.Model, table="mail", events="800/s"):
        account: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)
        folder: int = bt.key(bt.PaddedInt(4), cardinality=20)
        received: datetime = bt.key(bt.ReversedMillis())
        message: str = bt.key(bt.HexDigest(16), cardinality=1_000_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        b = bt.family("b", gc=bt.max_versions(1))
        subject: str = bt.column("s", h, size=60, max_size=1_000)
        body: bytes = bt.column("b", b, size=30_000, max_size=5_000_000)

        of_folder = bt.query("account", "folder", between="received", only=["subject"], newest=True)

    return Mail


@good(
    "NextBio, HBaseCon 2012 (slideshare cloudera/7-leveraging-h-base): bioset id + display order, pages of 100"
)
def variants() -> object:
    class Variant(bt.Model, table="variant_by_order", events="4000/s"):
        bioset: str = bt.key(bt.HexDigest(8), cardinality=100_000)
        order: int = bt.key(bt.PaddedInt(8), cardinality=10_000_000, sequential=False)

        v = bt.family("v", gc=bt.max_versions(1))
        snp: str = bt.column("snp", v, size=12)
        score: float = bt.column("score", v)

        page = bt.query("bioset", between="order")

    return Variant


@good(
    "'Cloning Twitter with HBase' (Fumarola, slides 47866117), and HBase: one row an edge, user then follower"
)
def followers() -> object:
    class Follows(bt.Model, table="follows", events="300/s"):
        user: int = bt.key(bt.ReversedDigits(12), cardinality=80_000_000, sequential=True, pii=False)
        followed: int = bt.key(bt.PaddedInt(12), cardinality=80_000_000, sequential=True, pii=False)

        f = bt.family("f", gc=bt.max_versions(1))
        since: datetime = bt.column("s", f)

        of_user = bt.query("user")

    return Follows


@good(
    "How Discord stores billions of messages (channel_id, bucket, message_id), varied for Bigtable: no bucket is needed because a range of rows splits between tablets"
)
def discord() -> object:
    class ChannelMessage(bt.Model, table="messages", events="20000/s", nodes=4):
        channel: int = bt.key(bt.BigEndian(8), cardinality=50_000_000, sequential=False)
        message: int = bt.key(bt.Descending(bt.BigEndian(8)), cardinality=4_000_000_000_000, sequential=True)

        m = bt.family("m", gc=bt.max_versions(1))
        author: int = bt.column("a", m)
        content: str = bt.column("c", m, size=80, max_size=16_000)

        of_channel = bt.query("channel", between="message")

    return ChannelMessage


@good(
    "cloud.google.com/bigtable/docs/gc-cell-level 'one-second expiration', for keys of requests (the use is ours)"
)
def answers_to_requests() -> object:
    class Request(bt.Model, table="idempotency", events="900/s"):
        key: str = bt.key(bt.HexDigest(32), cardinality=200_000_000)
        until: datetime = bt.expires(round=True)

        r = bt.family("r", gc=bt.max_age(seconds=1))
        status: int = bt.column("s", r)
        answer: bytes = bt.column("a", r, size=500, max_size=50_000)

    return Request


@good("ours; a slow table with the day in front (cf. 'rates bound severity')")
def price_audit() -> object:
    class PriceChange(bt.Model, table="price_change", events="3/day"):
        day: date = bt.key(bt.DateText())
        number: int = bt.key(bt.PaddedInt(3), cardinality=3, sequential=True)

        p = bt.family("p", gc=bt.keep_all())
        who: str = bt.column("w", p, size=10)
        count: int = bt.column("c", p)

        during = bt.query(between="day")

    return PriceChange


@good(
    "solana-labs/solana storage-bigtable lib.rs: table blocks, the slot in 16 hexadecimal digits, sequential, about 2.5 blocks/s of 100 kB compressed"
)
def blocks() -> object:
    class Block(bt.Model, table="blocks", events="2.5/s"):
        slot: int = bt.key(bt.HexInt(16), cardinality=400_000_000, sequential=True)

        x = bt.family("x", gc=bt.max_versions(1))
        block: bytes = bt.column("proto", x, size=100_000, max_size=4_000_000)

        during = bt.query(between="slot")

    return Block


@good(
    "rdfgroup.com 'Storing and querying geospatial and temporal data': geohash then time, live train movements in HBase"
)
def train_positions() -> object:
    class Movement(bt.Model, table="movement", events="60/s"):
        cell: str = bt.key(bt.Text(width=5), cardinality=8_000)
        at: datetime = bt.key(bt.EpochMillis())
        train: str = bt.key(bt.Text(width=10), cardinality=25_000)

        m = bt.family("m", gc=bt.max_age(days=90))
        late: int = bt.column("l", m)

        in_cell = bt.query("cell", between="at", span="30min")

    return Movement


@good(
    "Mozilla Socorro on HBase (twobraids.com/2013/01): an index table of crashes by their signature (varied: signature hashed because it holds any characters)"
)
def crash_signatures() -> object:
    class BySignature(bt.Model, table="crash_by_signature", events="30/s"):
        hashed = bt.digest("signature")
        day: date = bt.key(bt.DateText())
        crash: UUID = bt.key(bt.UuidText(), cardinality=100_000_000)

        i = bt.family("i", gc=bt.max_age(days=365))
        signature: str = bt.column("s", i, size=80, max_size=4_000, cardinality=500_000)

        of_signature = bt.query("signature", between="day")

    return BySignature


@good(
    "ours, after the currency table of cloud.google.com/bigtable (time series); low cardinality and low rate"
)
def exchange_rates() -> object:
    class Rate(bt.Model, table="rate", events="150/day"):
        pair: str = bt.key(bt.Text(width=6), cardinality=150)
        day: date = bt.key(bt.DateText())

        r = bt.family("r", gc=bt.max_versions(1))
        close: Decimal = bt.column("c", r, size=8)

        of_pair = bt.query("pair", between="day", span="365day")

    return Rate


@good("cloud.google.com/bigtable/docs/writes (aggregates) and counters of ads; the design is ours")
def ad_clicks() -> object:
    class AdClicks(bt.Model, table="ad_clicks", events="8000/s"):
        ad: str = bt.key(bt.HexDigest(16), cardinality=400_000)

        h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
        shown: bt.History[int] = bt.counter("s", h, every="1h")
        clicked: bt.History[int] = bt.counter("c", h, every="1h")

    return AdClicks


@good(
    "HBase leaderboard questions (rank in the key), varied: a batch job writes the final ranks of a day once"
)
def leaderboard_of_a_day() -> object:
    class Ranking(bt.Model, table="ranking", events="400000/day"):
        board: str = bt.key(bt.Text(width=4), cardinality=40)
        day: date = bt.key(bt.DateText())
        rank: int = bt.key(bt.PaddedInt(5), cardinality=10_000, sequential=False, changes=False)

        r = bt.family("r", gc=bt.max_versions(1))
        player: UUID = bt.column("p", r)
        score: int = bt.column("s", r)

        of_day = bt.query("board", "day", between="rank")

    return Ranking


@good(
    "Phoenix multi-tenancy (palashc.github.io/blog/phoenix-features/views-and-multi-tenancy): tenant id first, shared table"
)
def invoices() -> object:
    class Invoice(bt.Model, table="invoice", events="20/s"):
        tenant: UUID = bt.key(bt.UuidText(), cardinality=6_000, tenant=True)
        year: int = bt.key(bt.PaddedInt(4), cardinality=10, sequential=True)
        number: int = bt.key(bt.PaddedInt(7), cardinality=1_000_000, sequential=True)

        i = bt.family("i", gc=bt.keep_all())
        total: Decimal = bt.column("t", i, size=8)
        document: bytes = bt.column("d", i, size=20_000, max_size=900_000)

        of_year = bt.query("tenant", "year", between="number")

    return Invoice


@good(
    "Nutch/webtable designs: links to a page, by the reversed domain of the page (variation: host and path apart)"
)
def webgraph_links() -> object:
    class Inlink(bt.Model, table="inlink", events="700/s"):
        host: str = bt.key(bt.ReversedDomain(120), cardinality=3_000_000, size=20, domain=True)
        page: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)
        source: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)

        f = bt.family("l", gc=bt.max_versions(1))
        anchor: str = bt.column("a", f, size=30, max_size=1_000)
        address: str = bt.column("u", f, size=70, max_size=2_000)

        of_page = bt.query("host", "page")
        of_domain = bt.query(starting="host")

    return Inlink


@good(
    "rate limiting and quotas in wide-column stores (DynamoDB write sharding pages); ours: a row a client and minute, expiring with the family"
)
def shared_locks() -> object:
    class Quota(bt.Model, table="quota", events="5000/s"):
        client: UUID = bt.key(bt.UuidText(), cardinality=300_000)

        q = bt.family("q", gc=bt.max_age(days=1), aggregate="sum")
        requests: bt.History[int] = bt.counter("r", q, every="1min")

    return Quota
