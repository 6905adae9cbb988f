"""More published designs that a panel calls good, with its verdicts from before any review."""

from datetime import date, datetime

from published import good

import btmodel as bt


@good("the Webtable of the Bigtable paper and of Google's documentation, with paths behind reversed hosts")
def crawled_page() -> object:
    class CrawledPage(bt.Model, table="crawled_page", events="5000/s"):
        host: str = bt.key(bt.ReversedDomain(100), cardinality=4_000_000)
        path: str = bt.key(bt.Text(max_length=400))
        c = bt.family("c", gc=bt.max_versions(3))
        html: bytes = bt.column("html", c, size=30_000, max_size=2_000_000)
        m = bt.family("m", gc=bt.max_versions(1))
        status: int = bt.column("status", m)
        page = bt.query("host", "path")
        of_site = bt.query(starting="host")

    return CrawledPage


@good("geohash talks for HBase ('HBase in Action', chapter on GIS): nearest Wi-Fi spots by prefix")
def charger() -> object:
    class Charger(bt.Model, table="charger", events="20/s"):
        geohash: str = bt.key(bt.Text(width=9))
        id: str = bt.key(bt.Text(max_length=20), cardinality=3_000_000)
        c = bt.family("c", gc=bt.max_versions(1))
        plugs: int = bt.column("plugs", c)
        operator: str = bt.column("op", c, size=15, max_size=80)
        near = bt.query(starting="geohash")

    return Charger


@good("leaderboard designs in Redis-to-Bigtable and DynamoDB game posts")
def daily_rank() -> object:
    class DailyRank(bt.Model, table="daily_rank", events="8000000/day"):
        game: str = bt.key(bt.Text(max_length=20), cardinality=400)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        score: int = bt.key(bt.Descending(bt.PaddedInt(10)), changes=False)
        player: str = bt.key(bt.HexDigest(8), cardinality=5_000_000)
        r = bt.family("r", gc=bt.max_age(days=60))
        nickname: str = bt.column("nick", r, size=12, max_size=30)
        top = bt.query("game", "day", between="score")

    return DailyRank


@good("document stores with revisions (CouchDB-like), newest revision first")
def revision() -> object:
    class Revision(bt.Model, table="revision", events="700/s"):
        page: str = bt.key(bt.HexDigest(8), cardinality=12_000_000)
        revision: int = bt.key(bt.Descending(bt.PaddedInt(6)), sequential=True)
        r = bt.family("r", gc=bt.max_versions(1))
        text: str = bt.column("text", r, size=6_000, max_size=2_000_000)
        author: int = bt.column("author", r)
        history_of = bt.query("page", between="revision")

    return Revision


@good("multi-tenant SaaS audit trails; the usual question whether one large customer needs its own table")
def audit_event() -> object:
    class AuditEvent(bt.Model, table="audit_event", events="50/s"):
        tenant: str = bt.key(bt.Text(max_length=24), cardinality=200, tenant=True, skew="80%:1")
        at: datetime = bt.key(bt.EpochMicros())
        id: str = bt.key(bt.HexDigest(4))
        a = bt.family("a", gc=bt.max_age(days=400))
        action: str = bt.column("act", a, size=20, max_size=60)
        detail: str = bt.column("d", a, size=300, max_size=10_000)
        of_tenant = bt.query("tenant", between="at", span="1day")

    return AuditEvent


@good("USGS-like earthquake catalogues; sensor-network tables in HBase tutorials")
def quake() -> object:
    class Quake(bt.Model, table="quake", events="30/min"):
        network: str = bt.key(bt.Text(width=2), cardinality=6)
        at: datetime = bt.key(bt.EpochMillis())
        id: str = bt.key(bt.Text(max_length=12))
        q = bt.family("q", gc=bt.max_versions(1))
        magnitude: float = bt.column("mag", q)
        depth: float | None = bt.column("depth", q, default=None)
        of_network = bt.query("network", between="at", span="30d")

    return Quake


@good("ad-serving dashboards with hourly aggregates; Google's page on aggregate (counter) cells")
def ad_hours() -> object:
    class AdHours(bt.Model, table="ad_hours", events="50000/s"):
        ad: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        h = bt.family("h", gc=bt.max_age(days=35), aggregate="sum")
        views: bt.History[int] = bt.counter("v", h, every="1h")
        clicks: bt.History[int] = bt.counter("c", h, every="1h")
        of_ad = bt.query("ad")

    return AdHours


@good("OpenTSDB's HBase schema with salting enabled (since 2.2)")
def metric_hour() -> object:
    class MetricHour(bt.Model, table="metric_hour", bucket="hour", events="200000/s", nodes=30):
        shard = bt.salt("metric", "host", buckets=20)
        metric: bytes = bt.key(bt.Hex(3), cardinality=5_000, skew="40%:2")
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))
        host: bytes = bt.key(bt.Hex(3), cardinality=40_000)
        t = bt.family("t", gc=bt.max_age(days=90))
        value: bt.History[float] = bt.history("v", t, every="1s")
        of_metric = bt.query("metric", between="hour", span="6h")

    return MetricHour


@good("JanusGraph's edge store and the tall-table alternative that HBase books give for adjacency lists")
def edge() -> object:
    class Edge(bt.Model, table="edge", events="9000/s"):
        source: str = bt.key(bt.HexDigest(8), cardinality=300_000_000)
        label: str = bt.key(bt.Text(max_length=24), cardinality=150)
        target: str = bt.key(bt.HexDigest(8), cardinality=300_000_000)
        e = bt.family("e", gc=bt.max_versions(1))
        weight: float | None = bt.column("w", e, default=None)
        since: int | None = bt.column("s", e, default=None)
        one = bt.query("source", "label", "target")
        out_of = bt.query("source")
        labelled = bt.query("source", "label")

    return Edge


@good(
    "HBase in Action and Google's schema page: reversed digits of a counter; a second table for the second question"
)
def order() -> object:
    class Order(bt.Model, table="order", events="8000/s"):
        number: int = bt.key(bt.ReversedDigits(12), sequential=True)
        o = bt.family("o", gc=bt.max_versions(1))
        customer: str = bt.column("cust", o, size=16, max_size=16)
        placed: datetime = bt.column("at", o)
        cents: int = bt.column("cents", o)
        one = bt.query("number")

    class OrderOfCustomer(bt.Model, table="order_of_customer", events="8000/s"):
        customer: str = bt.key(bt.HexDigest(8), cardinality=20_000_000)
        placed: datetime = bt.key(bt.EpochMicros())
        number: int = bt.key(bt.PaddedInt(12), sequential=True)
        o = bt.family("o", gc=bt.max_versions(1))
        cents: int = bt.column("cents", o)
        of_customer = bt.query("customer", between="placed")

    bt.twins(Order, OrderOfCustomer)

    return (Order, OrderOfCustomer)


@good("archives of Kafka topics in HBase and Bigtable (offset as the key), in streaming talks")
def archived_record() -> object:
    class ArchivedRecord(bt.Model, table="archived_record", events="200000/s"):
        topic: str = bt.key(bt.Text(max_length=30), cardinality=30)
        partition: int = bt.key(bt.PaddedInt(3), cardinality=64)
        offset: int = bt.key(bt.PaddedInt(19), sequential=True)
        r = bt.family("r", gc=bt.max_age(days=14))
        payload: bytes = bt.column("p", r, size=700, max_size=900_000)
        replay = bt.query("topic", "partition", between="offset")

    return ArchivedRecord


@good("nightly batch outputs served from Bigtable (price lists, recommendations), in retail case studies")
def nightly_price() -> object:
    class NightlyPrice(bt.Model, table="nightly_price", events="500000/day"):
        run: date = bt.key(bt.DateText("%Y%m%d"))
        article: str = bt.key(bt.HexDigest(6), cardinality=500_000)
        p = bt.family("p", gc=bt.max_age(days=21))
        cents: int = bt.column("cents", p)
        reason: str | None = bt.column("why", p, default=None, size=20, max_size=60)
        one = bt.query("run", "article")
        whole_run = bt.query("run")

    return NightlyPrice


@good("digitised newspapers (Europeana, Chronicling America) loaded into a key-value store")
def newspaper_page() -> object:
    class NewspaperPage(bt.Model, table="newspaper_page", events="4000/s"):
        issued: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, cardinality=65_000)
        paper: str = bt.key(bt.Text(max_length=30), cardinality=6_000)
        page: int = bt.key(bt.PaddedInt(3), sequential=False)
        o = bt.family("o", gc=bt.max_versions(1))
        ocr: str = bt.column("ocr", o, size=12_000, max_size=300_000)
        of_days = bt.query(between="issued", span="1day")
        of_paper = bt.query("issued", "paper")

    return NewspaperPage


@good(
    "lease tables of schedulers (DynamoDB lock client, Chubby-like leases); Bigtable's trick of ends as timestamps"
)
def lease() -> object:
    class Lease(bt.Model, table="lease", events="150/s"):
        shard: str = bt.key(bt.Text(max_length=40), cardinality=20_000)
        until: datetime = bt.expires(round=True)
        s = bt.family("l", gc=bt.max_age(seconds=1))
        owner: str = bt.column("owner", s, size=20, max_size=60)
        epoch: int = bt.column("epoch", s)
        of_shard = bt.query("shard")

    return Lease


@good("thumbnail services on Bigtable (many small media objects), in Google Cloud case studies")
def thumbnail() -> object:
    class Thumbnail(bt.Model, table="thumbnail", events="1500/s"):
        sha: str = bt.key(bt.HexDigest(32))
        t = bt.family("t", gc=bt.max_age(days=180))
        small: bytes = bt.column("s", t, size=8_000, max_size=100_000)
        large: bytes | None = bt.column("l", t, default=None, size=80_000, max_size=1_000_000)
        one = bt.query("sha")

    return Thumbnail


@good("DynamoDB single-table design; Google's advice to store related kinds in one table under prefixes")
def workspace() -> object:
    class Workspace(bt.Model, table="app", events="5/s"):
        kind = bt.constant("ws")
        workspace: str = bt.key(bt.HexDigest(8), cardinality=300_000)
        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=30, max_size=200)
        one = bt.query("workspace")

    class Member(bt.Model, table="app", events="60/s"):
        kind = bt.constant("member")
        workspace: str = bt.key(bt.HexDigest(8), cardinality=300_000)
        user: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        d = bt.family("d", gc=bt.max_versions(1))
        role: str = bt.column("role", d, size=6, max_size=20)
        of_workspace = bt.query("workspace")
        one = bt.query("workspace", "user")

    return (Workspace, Member)


@good(
    "feature-flag services that show the last changes of a flag; Google's page on combined garbage-collection rules"
)
def flag() -> object:
    class Flag(bt.Model, table="flag"):
        project: str = bt.key(bt.Text(max_length=30), cardinality=4_000)
        flag: str = bt.key(bt.Text(max_length=60), cardinality=90_000)
        v = bt.family("v", gc=bt.max_versions(1) & bt.max_age(days=365))
        rule: bt.History[str] = bt.history("rule", v, every="1day", size=150, max_size=4_000)
        of_project = bt.query("project")
        one = bt.query("project", "flag")

    return Flag
