"""Designs of twenty domains with a fault each, as a reviewer stated it before any review."""

from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Smart water valves report pressure and flow: key begins with the time of writing at 40,000/s: one tablet takes every write",
    "KEY001",
    verdict="error",
)
def valve_reports() -> object:
    class ValveReport(bt.Model, table="VALVE_REPORT", events="40000/s"):
        """One report of a valve."""

        at: datetime = bt.key(bt.EpochMillis(round=True))
        valve: str = bt.key(bt.HexDigest(12), cardinality=400_000)

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=30))
        pressure: float = bt.column("p", r)
        flow: float = bt.column("fl", r)
        battery: int | None = bt.column("b", r, default=None)

        lately = bt.query(between="at", span="10min")

    return ValveReport


@bad(
    "Global totals of an ad exchange, shown on the wall of the office: one row (constant key) has counters that 13,000 increments a second go to: a hot row that no tablet split can spread",
    "KEY013",
)
def ad_exchange_totals() -> object:
    class ExchangeTotals(bt.Model, table="TOTALS", events="13000/s"):
        """The totals of the exchange."""

        scope = bt.constant("exchange")

        c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
        bids: int | None = bt.counter("bids", c, increments="9000/s")
        impressions: int | None = bt.counter("imps", c, increments="4000/s")
        clicks: int | None = bt.counter("clicks", c, increments="40/s")

    return ExchangeTotals


@bad(
    "Card payments of a bank: key is a sequential number at 12,000/s: all inserts at the end of the table",
    "KEY002",
    verdict="error",
)
def card_payments() -> object:
    class CardPayment(bt.Model, table="CARD_PAYMENT", events="12000/s"):
        """A card payment, by its number."""

        payment: int = bt.key(bt.PaddedInt(15), cardinality=500_000_000_000, sequential=True)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=2557))
        card: str = bt.column("card", p, size=19, max_size=19)
        merchant: str = bt.column("m", p, size=15, max_size=32)
        cents: int = bt.column("c", p)
        currency: str = bt.column("cur", p, size=3, max_size=3)
        paid: datetime = bt.column("t", p)

        of_payment = bt.query("payment")

    return CardPayment


@bad(
    "Logs of all containers of a cluster: four levels, one of them with 85 %, in front of the time at 60,000/s: a write hotspot behind each level",
    "KEY003",
    verdict="error",
)
def log_lines() -> object:
    class Level(StrEnum):
        DEBUG = "D"
        INFO = "I"
        WARN = "W"
        ERROR = "E"

    class LogLine(bt.Model, table="LOG_LINE", events="60000/s"):
        """A line of a container's log."""

        level: Level = bt.key(bt.EnumText(Level), cardinality=4, skew="85%:1")
        at: datetime = bt.key(bt.EpochMicros())
        container: str = bt.key(bt.HexDigest(12), cardinality=80_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=14))
        line: str = bt.column("l", f, size=180, max_size=16_000)
        pod: str = bt.column("p", f, size=40, max_size=253)

        of_level = bt.query("level", between="at", span="15min")

    return LogLine


@bad(
    "Parcels in a carrier's network: query `tracking` gives the parcel only, and the key begins with the depot: a scan of the whole table",
    "QRY001",
    verdict="error",
)
def parcel_scans() -> object:
    class Scan(bt.Model, table="SCAN", events="3000/s"):
        """A scan of a parcel at a depot."""

        depot: str = bt.key(bt.Text(width=5), cardinality=900)
        at: datetime = bt.key(bt.EpochMillis())
        parcel: str = bt.key(bt.Text(width=14), cardinality=400_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=120))
        event: str = bt.column("e", s, size=8, max_size=20)
        weight: int | None = bt.column("w", s, default=None)

        tracking = bt.query("parcel", newest=True)
        of_depot = bt.query("depot", between="at", span="1day")

    return Scan


@bad(
    "Images of a radiology department: cells of 60 MB, up to 180 MB: more than the 100 MB that the service accepts, and far more than the 10 MB it advises",
    "ROW001",
    verdict="error",
)
def image_series() -> object:
    class Series(bt.Model, table="SERIES", events="6/min"):
        """A series of a study with its file."""

        study: UUID = bt.key(bt.UuidText(), cardinality=8_000_000)
        series: int = bt.key(bt.PaddedInt(3), cardinality=40)

        meta = bt.family("m", gc=bt.max_versions(1))
        modality: str = bt.column("mod", meta, size=2, max_size=16)
        frames: int = bt.column("n", meta)

        image = bt.family("i", gc=bt.max_versions(1))
        dicom: bytes = bt.column("dcm", image, size=60_000_000, max_size=180_000_000)

        of_study = bt.query("study")

    return Series


@bad(
    "Signalling events of a mobile network, for the operations centre: a reversed time in front is as sequential as a plain one: 25,000/s go to the start of the table",
    "KEY001",
    verdict="error",
)
def cell_signals() -> object:
    class Signal(bt.Model, table="SIGNAL", events="25000/s"):
        """A signalling event of a radio cell."""

        at: datetime = bt.key(bt.ReversedMicros())
        cell: int = bt.key(bt.PaddedInt(9), cardinality=90_000, sequential=False)

        e = bt.family("e", gc=bt.max_versions(1) | bt.max_age(days=5))
        code: int = bt.column("c", e)
        detail: str | None = bt.column("d", e, size=60, max_size=400, default=None)

        newest_first = bt.query(between="at", span="5min")

    return Signal


@bad(
    "The queue of a CI system: state of a job is in the key and changes: each change is a delete and a new row, not atomic, and pool#waiting is a queue full of tombstones",
    "KEY021",
    verdict="warning",
)
def ci_jobs() -> object:
    class State(StrEnum):
        WAITING = "waiting"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"

    class CiJob(bt.Model, table="CI_JOB", events="700/s"):
        """A job of a pipeline."""

        pool: str = bt.key(bt.Text(max_length=24), cardinality=3_000)
        state: State = bt.key(bt.EnumText(State), cardinality=4, changes=True)
        job: UUID = bt.key(bt.UuidText(), cardinality=3_000_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=60))
        commit: str = bt.column("sha", f, size=40, max_size=40)
        image: str = bt.column("img", f, size=60, max_size=300)
        queued: datetime = bt.column("q", f)
        runner: str | None = bt.column("r", f, size=20, max_size=64, default=None)

        in_state = bt.query("pool", "state")

    return CiJob


@bad(
    "Messages of chat rooms: all messages of a room, one of 600 bytes every 2 s, kept for good in one row without a bucket: the row passes 256 MB within weeks",
    "ROW003",
    verdict="error",
)
def rooms_of_messages() -> object:
    class Room(bt.Model, table="ROOM", events="40000/s"):
        """A room with all of its messages."""

        room: str = bt.key(bt.HexDigest(16), cardinality=80_000)

        about = bt.family("a", gc=bt.max_versions(1))
        title: str | None = bt.column("t", about, size=20, max_size=120, default=None)
        topic: str | None = bt.column("tp", about, size=60, max_size=400, default=None)

        m = bt.family("m", gc=bt.keep_all())
        messages: bt.History[str] = bt.history("msg", m, every="2s", size=600, max_size=4_000)

        of_room = bt.query("room")

    return Room


@bad(
    "Positions of players in a match, for replays and for the anti-cheat team: history with an event a second in a family that keeps the newest 1 version: all but the last position of the hour are deleted",
    "FAM006",
    verdict="error",
)
def player_hours() -> object:
    class Place(NamedTuple):
        """Where a player stands and looks."""

        x: float
        y: float
        yaw: float

    class PlayerHour(bt.Model, table="PLAYER_HOUR", bucket="hour", events="120000/s"):
        """An hour of a player's positions."""

        player: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        p = bt.family("p", gc=bt.max_versions(1))
        place: bt.History[Place] = bt.history("xyz", p, codec=bt.Packed(Place, ">fff"), every="1s")

        replay = bt.query("player", between="hour")

    return PlayerHour


@bad(
    "What the controllers of milling machines do, one row an event: key is controller and second, but each controller sends 2.5 events a second: events overwrite one another",
    "KEY017",
    verdict="error",
)
def mill_events() -> object:
    class MillEvent(bt.Model, table="MILL_EVENT", events="50000/s"):
        """What happened in a controller at a time."""

        controller: str = bt.key(bt.HexDigest(20), cardinality=20_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        e = bt.family("e", gc=bt.max_versions(1) | bt.max_age(days=90))
        action: str = bt.column("a", e, size=10, max_size=30)
        detail: str = bt.column("t", e, size=40, max_size=200)

        of_controller = bt.query("controller", between="at", span="1h")

    return MillEvent


@bad(
    "Genotypes of a biobank: 4,800,000 entries of 60 bytes and more in one row: over 400 MB, more than a row may have (256 MB)",
    "ROW002",
    verdict="error",
)
def genome_calls() -> object:
    class Genome(bt.Model, table="GENOME", events="2/min"):
        """The variants of a sample, by chromosome, position and alleles."""

        sample: str = bt.key(bt.HexDigest(16), cardinality=300_000)

        about = bt.family("a", gc=bt.max_versions(1))
        cohort: str = bt.column("c", about, size=8, max_size=30)

        v = bt.family("v", gc=bt.max_versions(1))
        calls: dict[str, str] = bt.mapping(
            v, bt.Text(max_length=40), entries=4_800_000, size=60, max_size=200
        )

        of_sample = bt.query("sample")

    return Genome


@bad(
    "Where the vehicles of a delivery service are now: present position is overwritten every 3 s in a family that keeps everything: 28,800 versions a day in each of four columns, without bound, and only the newest is read",
    "ROW003",
    verdict="warning",
)
def vehicle_nows() -> object:
    class VehicleNow(bt.Model, table="VEHICLE_NOW", events="20000/s"):
        """The present position of a vehicle."""

        vehicle: str = bt.key(bt.HexDigest(12), cardinality=60_000)

        pos = bt.family("p", gc=bt.keep_all())
        lat: float = bt.column("lat", pos)
        lon: float = bt.column("lon", pos)
        speed: float | None = bt.column("v", pos, default=None)
        fixed: datetime = bt.column("t", pos)

        of_vehicle = bt.query("vehicle")

    return VehicleNow


@bad(
    "Audit events of a SaaS for its tenants: one tenant has 90 % of 30,000/s, and the time follows the tenant: 27,000/s go to the end of one tenant's range",
    "KEY003",
    verdict="error",
)
def audit_events() -> object:
    class AuditEvent(bt.Model, table="AUDIT_EVENT", events="30000/s"):
        """An event of a tenant."""

        tenant: str = bt.key(bt.HexDigest(8), cardinality=3_500, tenant=True, skew="90%:1")
        at: datetime = bt.key(bt.EpochMicros())
        event: str = bt.key(bt.HexDigest(8), cardinality=4_000_000_000)

        a = bt.family("a", gc=bt.max_versions(1) | bt.max_age(days=400))
        actor: str = bt.column("act", a, size=16, max_size=64)
        action: str = bt.column("do", a, size=20, max_size=80)
        target: str = bt.column("on", a, size=40, max_size=300)

        of_tenant = bt.query("tenant", between="at", span="1day")

    return AuditEvent


@bad(
    "Trades of a power exchange, in time order for settlement: the salt is a hash of `area`, which has 3 values and follows it in the key: at most 3 salts are used, each area's 6,000/s still go to one ascending range; the salt spreads nothing",
    "KEY003",
)
def area_trades() -> object:
    class AreaTrade(bt.Model, table="AREA_TRADE", events="18000/s"):
        """A trade in a market area."""

        shard = bt.salt("area", buckets=24)
        area: str = bt.key(bt.Text(width=4), cardinality=3)
        at: datetime = bt.key(bt.EpochMicros())
        trade: str = bt.key(bt.HexDigest(12), cardinality=2_000_000_000)

        t = bt.family("t", gc=bt.max_versions(1) | bt.max_age(days=730))
        price: int = bt.column("p", t)
        volume: int = bt.column("v", t)

        of_area = bt.query("area", between="at", span="1h")

    return AreaTrade


@bad(
    "Orders of a food delivery platform: a ULID begins with its time of creation: the key is sequential at 9,000/s",
    "KEY002",
    verdict="warning",
)
def food_orders() -> object:
    class FoodOrder(bt.Model, table="FOOD_ORDER", events="9000/s"):
        """An order, by its ULID."""

        ulid: str = bt.key(bt.Text(width=26), cardinality=80_000_000_000)

        o = bt.family("o", gc=bt.max_versions(1) | bt.max_age(days=1096))
        customer: str = bt.column("c", o, size=16, max_size=36)
        kitchen: str = bt.column("k", o, size=16, max_size=36)
        cents: int = bt.column("amt", o)
        eta: datetime | None = bt.column("eta", o, default=None)
        basket: bytes = bt.column("b", o, size=700, max_size=20_000)

        of_order = bt.query("ulid")

    return FoodOrder


@bad(
    "Engine data of ships at sea: events come up to 35 days late, and the family deletes what is older than 30 days by the time of the event: late ones are written and never read",
    "FAM006",
    verdict="warning",
)
def engine_days() -> object:
    class EngineDay(bt.Model, table="ENGINE_DAY", bucket="day", events="150/s", lateness="35d"):
        """A day of a ship's engine."""

        ship: int = bt.key(bt.PaddedInt(7), cardinality=9_000, sequential=False)
        day: date = bt.key(bt.DateText())

        e = bt.family("e", gc=bt.max_age(days=30))
        rpm: bt.History[float] = bt.history("rpm", e, every="1min")
        fuel: bt.History[float] = bt.history("fuel", e, every="1min")

        of_ship = bt.query("ship", between="day", span="7d")

    return EngineDay


@bad(
    "Minutes that customers of a telephone company spoke, and the bill of a month: the rollup sums calls by month, but calls are deleted after 14 days and leave the sums: the bill of a month has less than half of it",
    "FAM006",
    verdict="warning",
)
def calls_and_bills() -> object:
    class Call(bt.Model, table="CALL", events="2000/s"):
        """A call of a customer."""

        customer: int = bt.key(bt.PaddedInt(10), cardinality=12_000_000, sequential=False)
        began: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_versions(1) | bt.max_age(days=14))
        seconds: int = bt.column("s", c)
        cents: int = bt.column("ct", c)

        of_customer = bt.query("customer", between="began")

    class BillOfMonth(bt.Rollup, of=Call, view="BILL_OF_MONTH"):
        """What a customer spoke and owes in a calendar month."""

        customer: int = bt.key(bt.PaddedInt(10), cardinality=12_000_000)
        month: date = bt.key(bt.DateText("%Y%m"), of="began")

        calls: int = bt.count()
        seconds: int = bt.sum_of("seconds")
        cents: int = bt.sum_of("cents")

        of_customer = bt.query("customer", between="month")

    return Call, BillOfMonth


@bad(
    'Double-entry bookkeeping of a payment firm: legs of a transfer must change at once (atomic="transfer"), but each leg is a row of its own, and Bigtable is atomic within a row only',
    "ROW004",
)
def transfer_legs() -> object:
    class Leg(bt.Model, table="LEG", events="2400/s", atomic="transfer"):
        """A leg of a transfer: what is booked on an account."""

        transfer: UUID = bt.key(bt.UuidRaw(), cardinality=250_000_000_000)
        leg: int = bt.key(bt.PaddedInt(1), cardinality=6)

        b = bt.family("b", gc=bt.max_versions(1) | bt.max_age(days=3653))
        account: str = bt.column("acc", b, size=22, max_size=34)
        cents: int = bt.column("amt", b)
        credit: bool = bt.column("cr", b)

        of_transfer = bt.query("transfer")

    return Leg


@bad(
    "Hosts that a web crawler knows: hosts are stored as they are read (shop.example.com): a prefix finds no subdomains, and the hosts of a site are spread over the table",
    "KEY011",
    verdict="warning",
)
def crawled_hosts() -> object:
    class CrawledHost(bt.Model, table="CRAWLED_HOST", events="1500/s"):
        """A host and how the crawler treats it."""

        host: str = bt.key(bt.Text(max_length=120), cardinality=70_000_000, size=18, domain=True)

        h = bt.family("h", gc=bt.max_versions(1))
        crawled: datetime | None = bt.column("c", h, default=None)
        delay: int = bt.column("d", h, default=1_000)
        robots: str | None = bt.column("r", h, size=400, max_size=500_000, default=None)

        of_site = bt.query(starting="host")

    return CrawledHost
