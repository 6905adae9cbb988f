"""Published designs with faults that their sources name, or that were made from them, written down before the review saw them."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


class Status(StrEnum):
    NEW = "new"
    SEEN = "seen"
    READ = "read"


def region(caller: str, at: datetime) -> int:
    return (int(caller[-4:]) ^ (at.year * 12 + at.month)) % 6


def month_of(at: datetime) -> str:
    return at.strftime("%Y%m")


def month_hash(at: datetime) -> str:
    import hashlib

    return hashlib.md5(month_of(at).encode()).hexdigest()[:4]


def hour_of(at: datetime) -> int:
    return at.hour


@bad(
    "gobitfly/eth2-beaconchain-explorer, PRs 643 and 1756 (validator balances by epoch); varied: the epoch in front as a plain number",
    "KEY001",
    "QRY001",
    says=("{validator}#{epoch}",),
)
def validator_balances() -> object:
    class Balance(bt.Model, table="validator_balance", events="1300/s"):
        epoch: int = bt.key(bt.PaddedInt(9), cardinality=300_000, sequential=True)
        validator: int = bt.key(bt.PaddedInt(8), cardinality=500_000, sequential=False)

        vb = bt.family("vb", gc=bt.max_versions(1))
        balance: int = bt.column("b", vb)

        of_validator = bt.query("validator", between="epoch")
        of_epoch = bt.query("epoch")

    return Balance


@bad(
    "'The right Cloud Bigtable index makes all the difference' (medium.com/@duhroach): key 33.749#-84.388, queries of an area",
    "QRY001",
    "KEY007",
    says=("geohash",),
)
def lat_long() -> object:
    class Sample(bt.Model, table="uff_sample", events="30000/s"):
        latitude: str = bt.key(bt.Text(max_length=9), cardinality=3_000_000)
        longitude: str = bt.key(bt.Text(max_length=9), cardinality=5_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        sensor: UUID = bt.key(bt.UuidRaw(), cardinality=2_000_000)

        s = bt.family("s", gc=bt.max_age(days=30))
        value: float = bt.column("v", s)

        in_area = bt.query(between="latitude", where=["longitude"])

    return Sample


@bad(
    "Stack Overflow 8983503, 'Designing HBase schema to best support specific queries': userId, status, reverse time",
    "QRY001",
    asked=("KEY021",),
    says=("{user}#{at}#{id}",),
)
def notification_status() -> object:
    class Notification(bt.Model, table="notification", events="600/s"):
        user: UUID = bt.key(bt.UuidText(), cardinality=4_000_000)
        status: Status = bt.key(bt.EnumText(Status))
        at: datetime = bt.key(bt.ReversedMillis())
        id: UUID = bt.key(bt.UuidText(), cardinality=900_000_000)

        n = bt.family("n", gc=bt.max_versions(1))
        text: str = bt.column("t", n, size=120, max_size=2_000)

        of_user = bt.query("user", between="at")
        new_of_user = bt.query("user", "status")

    return Notification


@bad(
    "Stack Overflow 21279217, 'HBase schema design in storing query log': query text then time",
    "QRY001",
    asked=("KEY020",),
)
def query_log() -> object:
    class SearchLog(bt.Model, table="search_log", events="2000/s"):
        search_text: str = bt.key(bt.Text(max_length=500), size=25, cardinality=40_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        cookie: UUID = bt.key(bt.UuidText(), cardinality=30_000_000)

        s = bt.family("s", gc=bt.max_age(days=180))
        results: int = bt.column("n", s)

        of_text = bt.query("search_text", between="at")
        during = bt.query(between="at")

    return SearchLog


@bad(
    "ShareChat, 'Bigtable: from hero, to villain, back to hero' (medium.com/sharechat): ReadModifyWrite of a counter, 'reached maximum allowed row size'",
    "ROW003",
    "KEY013",
    asked=("COL006",),
    says=("aggregate",),
)
def action_counter() -> object:
    class ActionCount(bt.Model, table="key_value", events="12000/s"):
        action: str = bt.key(bt.Text(max_length=60), size=30, cardinality=200)

        c = bt.family("c", gc=bt.keep_all())
        count: int = bt.column("n", c, increments="60/s")

    return ActionCount


@bad(
    "a CDR course (e-com-net.com/article/1735584451955580928): region number from phone and month, then phone, then time",
    "KEY005",
    "KEY010",
    says=("leave out `region_number`",),
)
def cdr_regions() -> object:
    class Call(bt.Model, table="cdr", delimiter="_", events="9000/s"):
        region_number = bt.derived(bt.PaddedInt(2), "caller_phone", "at", by=region, values=range(6))
        caller_phone: str = bt.key(bt.Text(width=11), cardinality=30_000_000)
        at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M%S"))
        called: str = bt.key(bt.HexDigest(8), cardinality=60_000_000)

        c = bt.family("c", gc=bt.max_age(days=400))
        seconds: int = bt.column("s", c)

        of_caller = bt.query("caller_phone", between="at")

    return Call


@bad(
    "'Cloning Twitter with HBase' and the wide-row timelines of early Cassandra (doanduyhai.com, 2012): a row a user, a column a tweet",
    "ROW002",
    says=("{user}#{tweets_key}",),
)
def timeline_row() -> object:
    class Timeline(bt.Model, table="timeline", events="5000/s"):
        user: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        tweets: dict[str, str] = bt.mapping(t, bt.Text(max_length=26), entries=3_000_000, size=140)

    return Timeline


@bad(
    "docs.amazonaws.cn, DynamoDB 'designing partition keys': status code bad",
    "QRY001",
    "KEY003",
    "KEY021",
    says=("{customer}#{placed_at}",),
)
def orders_of_a_status() -> object:
    class OrderStatus(StrEnum):
        PLACED = "placed"
        PAID = "paid"
        PACKED = "packed"
        SENT = "sent"
        DONE = "done"

    class Order(bt.Model, table="orders", events="3000/s"):
        status: OrderStatus = bt.key(bt.EnumText(OrderStatus), changes=True)
        placed_at: datetime = bt.key(bt.EpochMillis())
        customer: UUID = bt.key(bt.UuidText(), cardinality=8_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        total: Decimal = bt.column("t", o, size=8)

        with_status = bt.query("status", between="placed_at")
        of_customer = bt.query("customer", between="placed_at")

    return Order


@bad(
    "docs.amazonaws.cn, DynamoDB: 'item creation date, rounded to the nearest time period: bad'",
    "KEY001",
    "QRY001",
    says=("{device}#{day}#{at}",),
)
def day_device() -> object:
    class DeviceDay(bt.Model, table="device_day", events="20000/s", nodes=4):
        day: date = bt.key(bt.DateText())
        device: UUID = bt.key(bt.UuidText(), cardinality=3_000_000)
        at: datetime = bt.key(bt.EpochMicros())

        e = bt.family("e", gc=bt.max_age(days=60))
        value: float = bt.column("v", e)

        of_device = bt.query("device", between="day")

    return DeviceDay


@bad(
    "gamblehub.io/wiki/architecture/id-generation and systemoverflow.com 'time ordering vs randomization': ULID, UUIDv7 have a hot tail",
    "KEY002",
    says=("salt",),
)
def ulid() -> object:
    class Event(bt.Model, table="event_store", events="15000/s", nodes=3):
        ulid: str = bt.key(bt.Text(width=26), cardinality=10_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=30))
        payload: bytes = bt.column("p", e, size=300, max_size=20_000)

    return Event


@bad(
    "log4net.Azure (github.com/leelu611/log4net.Azure): partition = logger name, then reversed ticks",
    "KEY003",
    says=("salt",),
)
def hot_logger() -> object:
    class LogLine(bt.Model, table="log_line", events="25000/s", nodes=5):
        logger: str = bt.key(bt.Text(max_length=80), size=30, cardinality=30, skew="80%:1")
        at: datetime = bt.key(bt.ReversedMicros())
        instance: str = bt.key(bt.Text(max_length=40), size=20, cardinality=400)

        f = bt.family("l", gc=bt.max_age(days=14))
        level: str = bt.column("v", f, size=5)
        text: str = bt.column("t", f, size=200, max_size=10_000)

        of_logger = bt.query("logger", between="at")

    return LogLine


@bad(
    "ApacheCon 'HBase schema design' slides (yumpu 39497142, page 36): key = MD5(customerID), 'counter productive for range scans'",
    "QRY001",
    "KEY004",
    says=("leave out `hashed`",),
)
def hashed_account() -> object:
    class Account(bt.Model, table="account", events="700/s"):
        hashed = bt.digest("account")
        account: str = bt.key(bt.Text(max_length=34), size=22, cardinality=9_000_000, pii=False)

        a = bt.family("a", gc=bt.max_versions(1))
        balance: Decimal = bt.column("b", a, size=10)

        of_bank = bt.query(starting="account")

    return Account


@bad(
    "leaderboards in HBase (score in the key); what an update means: delete and insert (sunxboy.com/hbase, 'immutability of rowkeys')",
    "KEY007",
    "QRY001",
    asked=("KEY021",),
    says=("PaddedInt(9)",),
)
def leaderboard_live() -> object:
    class Score(bt.Model, table="score", events="1500/s"):
        game: str = bt.key(bt.Text(max_length=20), size=10, cardinality=5_000)
        score: int = bt.key(bt.Int(9), cardinality=100_000)
        player: UUID = bt.key(bt.UuidText(), cardinality=20_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        since: datetime = bt.column("t", s)

        top = bt.query("game", between="score")

    return Score


@bad(
    "Accumulo 1.4 user manual, 'Table design': age, address, balance each a column family; against HBase's 'two or three families' and Bigtable's 'one family for what is read together'",
    "QRY002",
)
def family_each() -> object:
    class UserData(bt.Model, table="userdata", events="80/s"):
        userid: UUID = bt.key(bt.UuidText(), cardinality=2_000_000)

        age_f = bt.family("age", gc=bt.max_versions(1))
        address_f = bt.family("address", gc=bt.max_versions(1))
        balance_f = bt.family("balance", gc=bt.max_versions(1))
        phone_f = bt.family("phone", gc=bt.max_versions(1))
        city_f = bt.family("city", gc=bt.max_versions(1))
        plan_f = bt.family("plan", gc=bt.max_versions(1))
        since_f = bt.family("since", gc=bt.max_versions(1))
        note_f = bt.family("note", gc=bt.max_versions(1))
        age: int = bt.column("", age_f)
        address: str = bt.column("", address_f, size=60)
        balance: int = bt.column("", balance_f)
        phone: str = bt.column("", phone_f, size=12)
        city: str = bt.column("", city_f, size=15)
        plan: str = bt.column("", plan_f, size=6)
        since: date = bt.column("", since_f)
        note: str = bt.column("", note_f, size=100)

        whole = bt.query("userid")

    return UserData


@bad(
    "Bigtable 'avoid creating a large number of tables'; Azure multitenant table storage (learn.microsoft.com/azure/architecture/guide/multitenant/service/table-storage), a table for each tenant",
    "TAB002",
    says=(
        "{tenant}#{source}#{at}",
        "`of_source`",
    ),
)
def table_per_tenant() -> object:
    class TenantEvent(bt.Model, table="events_{tenant}", events="2/s"):
        source: UUID = bt.key(bt.UuidText(), cardinality=500)
        at: datetime = bt.key(bt.ReversedMillis())

        e = bt.family("e", gc=bt.max_age(days=90))
        value: bytes = bt.column("v", e, size=200, max_size=2_000)

        of_source = bt.query("source", between="at")

    return TenantEvent


@bad(
    "wide rows of a day (KairosDB, OpenTSDB style); nodejs-bigtable issue 122 advises a GC policy, here a wrong one",
    "FAM006",
    says=("max_versions(1_440)",),
)
def history_lost() -> object:
    class MeterDay(bt.Model, table="meter_minutes", bucket="day", events="20000/s", nodes=3):
        meter: UUID = bt.key(bt.UuidText(), cardinality=1_200_000)
        day: date = bt.key(bt.DateText())

        m = bt.family("m", gc=bt.max_versions(100))
        watts: bt.History[int] = bt.history("w", m, every="1min")

        of_meter = bt.query("meter", between="day")

    return MeterDay


@bad(
    "Discord ('created_at did not make a great clustering key because two messages can have the same creation time'); seconds as in CDR keys",
    "KEY017",
    says=(" id",),
)
def colliding_clicks() -> object:
    class Click(bt.Model, table="click", events="50000/s", nodes=6):
        account: UUID = bt.key(bt.UuidText(), cardinality=10_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        c = bt.family("c", gc=bt.max_age(days=7))
        page: str = bt.column("p", c, size=60, max_size=2_000)

        of_account = bt.query("account", between="at")

    return Click


@bad(
    "gcpstudyhub.com (reverse domain names), varied: a mail gateway's log by the sending host",
    asked=("KEY011",),
    says=("ReversedDomain",),
)
def mail_hosts() -> object:
    class Delivery(bt.Model, table="delivery", events="2500/s"):
        host: str = bt.key(bt.Text(max_length=200), size=24, cardinality=900_000)
        at: datetime = bt.key(bt.ReversedMillis())
        id: UUID = bt.key(bt.UuidText(), cardinality=10_000_000_000)

        d = bt.family("d", gc=bt.max_age(days=30))
        accepted: bool = bt.column("a", d)

        of_host = bt.query("host", between="at")
        of_domain = bt.query(starting="host")

    return Delivery


@bad(
    "the CDR course (hash of the year and month as a partition), varied: a digest of the month alone in front",
    "KEY001",
)
def hash_of_month() -> object:
    class Posting(bt.Model, table="posting", events="6000/s"):
        partition = bt.derived(bt.Text(width=4), "at", by=month_hash)
        at: datetime = bt.key(bt.EpochMillis())
        account: UUID = bt.key(bt.UuidText(), cardinality=700_000)

        p = bt.family("p", gc=bt.keep_all())
        cents: int = bt.column("c", p)

        at_time = bt.query("at")

    return Posting


@bad(
    "'HBaseWD: avoid regionserver hotspotting despite sequential keys' applied where the key does not need it (cf. community.mapr.com 21859)",
    "KEY005",
    says=("leave out `shard`",),
)
def salt_of_time() -> object:
    class Telemetry(bt.Model, table="telemetry", events="10000/s", nodes=3):
        shard = bt.salt("at", buckets=50)
        device: UUID = bt.key(bt.UuidText(), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        t = bt.family("t", gc=bt.max_age(days=30))
        value: float = bt.column("v", t)

        of_device = bt.query("device", between="at")

    return Telemetry


@bad(
    "azure-table-streamer (npmjs.com/package/azure-table-streamer): 'row keys in ascending order (using a timestamp)'; as a plain number",
    "KEY001",
    "QRY001",
    says=("{source}#{ts_ms}",),
)
def ts_ms() -> object:
    class Record(bt.Model, table="records", events="8000/s"):
        ts_ms: int = bt.key(bt.PaddedInt(13))
        source: UUID = bt.key(bt.UuidText(), cardinality=20_000)

        r = bt.family("r", gc=bt.max_age(days=30))
        line: str = bt.column("l", r, size=100, max_size=5_000)

        of_source = bt.query("source", between="ts_ms")

    return Record


@bad(
    "object stores on wide columns (listing by prefix, delimiter /); delimiter inside of text",
    "KEY020",
    says=('ends="\\0"',),
)
def object_paths() -> object:
    class StoredObject(bt.Model, table="object", delimiter="/", events="500/s"):
        bucket: str = bt.key(bt.Text(max_length=40), size=15, cardinality=20_000)
        path: str = bt.key(bt.Text(max_length=300), size=60, cardinality=2_000_000_000)
        version: int = bt.key(bt.Descending(bt.PaddedInt(10)), cardinality=1_000, sequential=True)

        o = bt.family("o", gc=bt.max_versions(1))
        size: int = bt.column("s", o)
        etag: str = bt.column("e", o, size=32)

        below = bt.query("bucket", starting="path")

    return StoredObject


@bad(
    "docs.axonops.com anti-patterns (time bucket as the partition), varied: a year as a number in front",
    "KEY001",
    "QRY001",
    says=("{plate}",),
)
def year_first() -> object:
    class Passage(bt.Model, table="passage", events="4000/s"):
        year: int = bt.key(bt.PaddedInt(4), cardinality=10)
        month: int = bt.key(bt.PaddedInt(2), cardinality=12)
        number: int = bt.key(bt.PaddedInt(12), cardinality=1_000_000_000, sequential=True)

        p = bt.family("p", gc=bt.max_age(days=90))
        camera: str = bt.column("c", p, size=6, cardinality=3_000)
        plate: str = bt.column("n", p, size=8, cardinality=20_000_000)

        of_month = bt.query("year", "month")
        of_plate = bt.query("plate")

    return Passage


@bad(
    "cruxible.dev 'Cassandra wide rows': one partition for all sensors of a day",
    "KEY001",
    "ROW002",
    says=("{readings_key}#{day}",),
)
def all_devices_in_a_row() -> object:
    class AllDevices(bt.Model, table="all_devices", events="6000/s"):
        day: date = bt.key(bt.DateText())

        d = bt.family("d", gc=bt.max_versions(1440))
        readings: dict[str, bt.History[float]] = bt.histories(
            d, bt.Text(max_length=36), entries=400_000, every="1min"
        )

    return AllDevices


@bad(
    "beaconcha.in bigtable_config.md, table data: family c with max age 1 day beside family f that is kept",
    "FAM005",
)
def required_ages_out() -> object:
    class Tx(bt.Model, table="data", events="150/s"):
        hash: str = bt.key(bt.HexDigest(32), cardinality=2_000_000_000)

        c = bt.family("c", gc=bt.max_age(days=1))
        f = bt.family("f", gc=bt.max_versions(1))
        amount: Decimal = bt.column("a", f, size=10)
        block_time: datetime = bt.column("t", c)

    return Tx


@bad(
    "GoogleCloudPlatform/DataflowTemplates issue 188: rows above 256 MiB because of old versions that nobody deletes",
    "ROW003",
    says=("max_versions(1)",),
)
def state_keep_all() -> object:
    class DeviceState(bt.Model, table="device_state", events="20000/s", nodes=3):
        device: UUID = bt.key(bt.UuidText(), cardinality=100_000)

        s = bt.family("s", gc=bt.keep_all())
        state: str = bt.column("s", s, size=400, max_size=2_000)

    return DeviceState


@bad(
    "packtpub HBase Design Patterns ch. 6 and killrvideo users_by_email; Bigtable's 'personal data not in keys'",
    "KEY010",
    says=('bt.digest("email")',),
)
def email_key() -> object:
    class UserByEmail(bt.Model, table="users_by_email", events="15/s"):
        email: str = bt.key(bt.Text(max_length=254), size=24, cardinality=10_000_000)

        u = bt.family("u", gc=bt.max_versions(1))
        user: UUID = bt.column("i", u)
        password: bytes = bt.column("p", u, size=60, max_size=100)

    return UserByEmail


@bad(
    "learn.microsoft.com/rest/api/storageservices partitioning strategy; sharding by the hour (ours)",
    "KEY001",
    says=("salt",),
)
def log_shard_of_hour() -> object:
    class AccessLog(bt.Model, table="access_log", events="12000/s", nodes=3):
        slot = bt.derived(bt.PaddedInt(2), "at", by=hour_of, values=range(24))
        at: datetime = bt.key(bt.EpochMillis())
        host_id: UUID = bt.key(bt.UuidText(), cardinality=5_000)

        f = bt.family("l", gc=bt.max_age(days=14))
        line: str = bt.column("l", f, size=150, max_size=5_000)

        during = bt.query(between="at")

    return AccessLog
