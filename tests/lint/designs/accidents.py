"""More published designs with faults that a panel named before any review."""

from datetime import date, datetime

from published import bad

import btmodel as bt


@bad(
    "Google's advice to reverse domain names, against the host as the browser writes it",
    "KEY011",
    verdict="warning",
    says=("bt.ReversedDomain(253)",),
)
def certificate_seen() -> object:
    class CertificateSeen(bt.Model, table="certificate_seen", events="1500/s"):
        host: str = bt.key(bt.Text(max_length=253), cardinality=90_000_000, domain=True)
        fingerprint: str = bt.key(bt.HexDigest(16))
        c = bt.family("c", gc=bt.max_age(days=400))
        issuer: str = bt.column("iss", c, size=40, max_size=200)
        of_domain = bt.query(starting="host")

    return CertificateSeen


@bad(
    "'HBase in Action' on why latitude then longitude does not serve a box; OpenStreetMap nodes",
    "QRY005",
    verdict="warning",
    says=("geohash",),
)
def map_node() -> object:
    class MapNode(bt.Model, table="map_node", events="200/s"):
        lat: int = bt.key(bt.PaddedInt(9), cardinality=180_000_000, sequential=False)
        lon: int = bt.key(bt.PaddedInt(9), cardinality=360_000_000, sequential=False)
        node: int = bt.key(bt.PaddedInt(12), cardinality=500_000_000, sequential=False)
        n = bt.family("n", gc=bt.max_versions(1))
        tags: dict[str, str] = bt.column("tags", n, size=60, max_size=2_000)
        in_box = bt.query(between="lat", where=["lon"])

    return MapNode


@bad(
    "retail reporting on wide-column stores: one table asked in two orders",
    "QRY001",
    verdict="error",
    says=("{store}#{sku}#{day}",),
)
def stock_level() -> object:
    class StockLevel(bt.Model, table="stock_level", events="900/s"):
        store: int = bt.key(bt.PaddedInt(5), cardinality=2_600, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        sku: int = bt.key(bt.PaddedInt(9), cardinality=30_000, sequential=False)
        s = bt.family("s", gc=bt.max_age(days=400))
        pieces: int = bt.column("pcs", s)
        of_store = bt.query("store", between="day", span="1day")
        of_article = bt.query("store", "sku", between="day", span="90d")

    return StockLevel


@bad(
    "artefact registries (npm, Maven mirrors) with build numbers as text in the key",
    "KEY007",
    "QRY001",
    verdict="error",
    says=("bt.PaddedInt(7)",),
)
def build() -> object:
    class Build(bt.Model, table="build", events="30/s"):
        project: str = bt.key(bt.Text(max_length=60), cardinality=50_000)
        build: int = bt.key(bt.Int(7))
        b = bt.family("b", gc=bt.max_versions(1))
        result: str = bt.column("result", b, size=8, max_size=16)
        log_uri: str = bt.column("log", b, size=80, max_size=400)
        between_builds = bt.query("project", between="build")

    return Build


@bad(
    "single-tenant products made multi-tenant later, in SaaS migration talks: the tenant is appended",
    "QRY001",
    "KEY018",
    verdict="error",
    says=("{tenant}#{collection}#{document}",),
)
def document() -> object:
    class Document(bt.Model, table="document", events="250/s"):
        collection: str = bt.key(bt.Text(max_length=30), cardinality=40)
        document: str = bt.key(bt.HexDigest(8), cardinality=90_000_000)
        tenant: str = bt.key(bt.Text(max_length=24), cardinality=6_000, tenant=True)
        d = bt.family("d", gc=bt.max_versions(1))
        body: bytes = bt.column("body", d, size=4_000, max_size=900_000)
        of_tenant = bt.query("tenant", "collection")
        one = bt.query("tenant", "collection", "document")

    return Document


@bad(
    "gateway telemetry in HBase user threads ('we lose rows when devices send quickly')",
    "KEY017",
    verdict="error",
)
def packet() -> object:
    class Packet(bt.Model, table="packet", events="50000/s"):
        gateway: str = bt.key(bt.Text(max_length=16), cardinality=1_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=7))
        source: bytes = bt.column("src", p, size=4, max_size=16)
        size: int = bt.column("len", p)
        of_gateway = bt.query("gateway", between="at", span="1h")

    return Packet


@bad(
    "Google's page on aggregate families and garbage collection; a lifetime total in a family with an age",
    refused="leave the age out of the rule, or count spans of time",
)
def creator_totals() -> object:
    class CreatorTotals(bt.Model, table="creator_totals", events="6000/s"):
        creator: str = bt.key(bt.HexDigest(8), cardinality=3_000_000)
        t = bt.family("t", gc=bt.max_age(days=90), aggregate="sum")
        views: int | None = bt.counter("views", t)
        minutes: int | None = bt.counter("minutes", t)
        one = bt.query("creator")

    return CreatorTotals


@bad(
    "ride-hailing schemas that promote the region (low cardinality) as the documentation's field promotion",
    "KEY003",
    verdict="error",
    says=("salt",),
)
def trip_event() -> object:
    class TripEvent(bt.Model, table="trip_event", events="60000/s"):
        region: str = bt.key(bt.Text(width=4), cardinality=5)
        at: datetime = bt.key(bt.EpochMillis())
        trip: str = bt.key(bt.HexDigest(8))
        t = bt.family("t", gc=bt.max_age(days=14))
        kind: str = bt.column("k", t, size=10, max_size=30)
        of_region = bt.query("region", between="at", span="2min")

    return TripEvent


@bad(
    "web caches and link graphs that use whole addresses as keys; Google's limit of 4 KB for a row key",
    "KEY009",
    verdict="error",
    says=("digest",),
)
def referral() -> object:
    class Referral(bt.Model, table="referral", events="800/s"):
        url: str = bt.key(bt.Text(max_length=4_000), cardinality=200_000_000, domain=False)
        referrer: str = bt.key(bt.Text(max_length=2_000), cardinality=80_000_000, domain=False)
        r = bt.family("r", gc=bt.max_versions(1))
        visits: int = bt.column("n", r)
        one = bt.query("url", "referrer")

    return Referral


@bad(
    "Google's quotas page (cells of at most 100 MB, better below 10); mail archives that keep attachments in line",
    "ROW001",
    verdict="error",
)
def mail_item() -> object:
    class MailItem(bt.Model, table="mail_item", events="40/s"):
        mailbox: str = bt.key(bt.HexDigest(8), cardinality=400_000)
        message: str = bt.key(bt.HexDigest(16))
        m = bt.family("m", gc=bt.max_age(days=3650))
        headers: str = bt.column("h", m, size=3_000, max_size=60_000)
        attachments: bytes | None = bt.column("att", m, default=None, size=8_000_000, max_size=120_000_000)
        one = bt.query("mailbox", "message")

    return MailItem


@bad(
    "Stack Overflow questions on date ranges in HBase keys with local date formats",
    "KEY007",
    "QRY001",
    verdict="error",
)
def appointment() -> object:
    class Appointment(bt.Model, table="appointment", events="25/s"):
        clinic: int = bt.key(bt.PaddedInt(5), cardinality=3_000, sequential=False)
        day: date = bt.key(bt.DateText("%d-%m-%Y"))
        slot: int = bt.key(bt.PaddedInt(3), sequential=False)
        a = bt.family("a", gc=bt.max_versions(1))
        room: str | None = bt.column("room", a, default=None, size=4, max_size=20)
        calendar = bt.query("clinic", between="day", span="7d")

    return Appointment


@bad(
    "OpenTSDB-like concatenation without delimiters, copied for values that have no fixed width",
    "KEY008",
    "QRY001",
    verdict="error",
)
def stored_object() -> object:
    class StoredObject(bt.Model, table="stored_object", events="3500/s"):
        bucket_name: str = bt.key(bt.Text(max_length=63), cardinality=120_000, ends=b"")
        object_name: str = bt.key(bt.Text(max_length=200))
        o = bt.family("o", gc=bt.max_versions(1))
        location: str = bt.column("loc", o, size=60, max_size=300)
        length: int = bt.column("len", o)
        one = bt.query("bucket_name", "object_name")
        of_bucket = bt.query("bucket_name")

    return StoredObject


@bad(
    "single-table designs without the kind in front of the key (DynamoDB talks stress the prefix)",
    "TAB005",
    verdict="error",
)
def driver() -> object:
    class Driver(bt.Model, table="fleet", events="20/s"):
        driver: str = bt.key(bt.HexDigest(8), cardinality=200_000)
        d = bt.family("d", gc=bt.max_versions(1))
        licence: str = bt.column("lic", d, size=10, max_size=30)
        one = bt.query("driver")

    class Vehicle(bt.Model, table="fleet", events="20/s"):
        vehicle: str = bt.key(bt.HexDigest(8), cardinality=150_000)
        v = bt.family("v", gc=bt.max_versions(1))
        plate: str = bt.column("plate", v, size=8, max_size=16)
        one = bt.query("vehicle")

    return (Driver, Vehicle)


@bad(
    "change-log archives by topic and offset, with the partition left out",
    "KEY003",
    verdict="error",
    says=("salt",),
)
def change_record() -> object:
    class ChangeRecord(bt.Model, table="change_record", events="100000/s"):
        topic: str = bt.key(bt.Text(max_length=30), cardinality=4)
        offset: int = bt.key(bt.PaddedInt(19), sequential=True)
        c = bt.family("c", gc=bt.max_age(days=7))
        after: bytes = bt.column("after", c, size=500, max_size=500_000)
        replay = bt.query("topic", between="offset")

    return ChangeRecord


@bad(
    "session stores that use the end of life as the timestamp, with the wrong rule beside it",
    "FAM005",
    verdict="warning",
    says=("bt.max_age(seconds=1)",),
)
def web_session() -> object:
    class WebSession(bt.Model, table="web_session", events="2000/s"):
        session: str = bt.key(bt.HexDigest(16))
        until: datetime = bt.expires(round=True)
        s = bt.family("s", gc=bt.max_versions(1))
        user: str = bt.column("u", s, size=16, max_size=16)
        basket: bytes | None = bt.column("b", s, default=None, size=300, max_size=20_000)
        one = bt.query("session")

    return WebSession


@bad(
    "Google's page on union and intersection of garbage-collection rules, confused",
    "ROW002",
    verdict="error",
    says=("{sensor}#{day}",),
)
def bridge_sensor() -> object:
    class BridgeSensor(bt.Model, table="bridge_sensor", events="5000/s"):
        sensor: str = bt.key(bt.Text(width=12), cardinality=5_000)
        s = bt.family("s", gc=bt.max_versions(100) & bt.max_age(days=90))
        state: bt.History[bytes] = bt.history("state", s, every="1s", size=60, max_size=80)
        of_sensor = bt.query("sensor")

    return BridgeSensor


@bad(
    "OpenTSDB before salting: the well-known region hotspot of popular metrics",
    "KEY003",
    verdict="error",
    says=("salt",),
)
def host_metric_hour() -> object:
    class HostMetricHour(bt.Model, table="host_metric_hour", bucket="hour", events="600000/s", nodes=60):
        metric: bytes = bt.key(bt.Hex(3), cardinality=50, skew="60%:3")
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))
        host: bytes = bt.key(bt.Hex(3), cardinality=120_000)
        t = bt.family("t", gc=bt.max_age(days=30))
        value: bt.History[float] = bt.history("v", t, every="1s")
        of_metric = bt.query("metric", between="hour", span="1h")

    return HostMetricHour
