"""A twenty-sixth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Events by the number of their minute",
    "KEY001",
    says=("`{salt}#{epoch_minute}#{campaign}#{event_id}`",),
    verdict="warning",
)
def twentysixth_minute_number() -> object:
    class AdEvent(bt.Model, table="ad_event", events="45000/s"):
        epoch_minute: int = bt.key(bt.PaddedInt(10))
        campaign: str = bt.key(bt.HexDigest(8), cardinality=30_000)
        event_id: UUID = bt.key(bt.UuidText(), cardinality=4_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=14))
        kind: str = bt.column("k", e, size=6, max_size=12)
        price_micros: int = bt.column("p", e)

        in_minutes = bt.query(between="epoch_minute")

    return AdEvent


@bad(
    "Parcels by the next free number of a national range, as text",
    "KEY002",
    says=("`{salt}#{shipment_no}`", "if its values are not counted up"),
    verdict="error",
)
def twentysixth_depot_numbers() -> object:
    class Shipment(bt.Model, table="shipments", events="16000/s"):
        """A parcel and where it was scanned last. The label printer takes the next free number of the national range."""

        shipment_no: str = bt.key(bt.Text(width=14), cardinality=900_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        depot: str = bt.column("depot", s, size=5, max_size=8)
        weight_g: int = bt.column("w", s)
        receiver_postcode: str = bt.column("zip", s, size=5, max_size=10)

        of_number = bt.query("shipment_no")

    return Shipment


@bad(
    "Trips of a transponder, by a scan that its owner waits for",
    "QRY001",
    says=("`{transponder}#{gate}#{passed}`",),
    verdict="warning",
)
def twentysixth_toll_booth_scan() -> object:
    class Crossing(bt.Model, table="crossings", events="900/s"):
        """A vehicle that passed a toll gate."""

        gate: str = bt.key(bt.Text(width=5), cardinality=400)
        passed: datetime = bt.key(bt.EpochMillis())
        transponder: str = bt.key(bt.HexDigest(10), cardinality=18_000_000)

        c = bt.family("c", gc=bt.max_age(days=400))
        lane: int = bt.column("lane", c)
        toll_cents: int = bt.column("cents", c)

        of_gate = bt.query("gate", between="passed", span="1h")
        of_transponder = bt.query(
            scan="the customer portal shows the trips of a transponder when its owner signs in",
            where=["transponder"],
        )

    return Crossing


@bad(
    "All vital signs of a patient in one row, as in HBase",
    "ROW003",
    says=("`{record}#{at}`",),
    verdict="error",
)
def twentysixth_patient_row() -> object:
    class Patient(bt.Model, table="patient", events="12000/s"):
        """Everything of a patient in one row, as our HBase cluster has it: each vital sign is a column named by its time."""

        record: UUID = bt.key(bt.UuidRaw(), cardinality=3_000_000)

        v = bt.family("v", gc=bt.keep_all())
        vitals: dict[datetime, str] = bt.mapping(v, bt.EpochSeconds(), size=180, max_size=600)

        of_patient = bt.query("record")

    return Patient


@bad(
    "A year of a sensor in the versions of one cell",
    "ROW002",
    says=("`{engine}#{sensor}#{week}`",),
    verdict="warning",
)
def twentysixth_engine_history() -> object:
    class EngineSensor(bt.Model, table="engine_sensor", events="20000/s"):
        engine: str = bt.key(bt.Text(width=9), cardinality=4_000)
        sensor: str = bt.key(bt.Text(width=6), cardinality=25)

        r = bt.family("r", gc=bt.max_age(days=365))
        reading: bt.History[float] = bt.history("v", r, every="5s")

        of_engine = bt.query("engine")

    return EngineSensor


@bad(
    "Forty photos in one row",
    "ROW002",
    says=("`{car}#{returned}#{photos_key}`",),
    verdict="warning",
)
def twentysixth_inspection_photos() -> object:
    class Inspection(bt.Model, table="inspection", events="3/s"):
        """A rental car that came back: the report, and the photos of the app, up to forty."""

        car: str = bt.key(bt.Text(width=17), cardinality=120_000, pii=False)
        returned: datetime = bt.key(bt.ReversedSeconds())

        r = bt.family("r", gc=bt.max_versions(1))
        p = bt.family("p", gc=bt.max_versions(1))
        mileage: int = bt.column("km", r)
        photos: dict[int, bytes] = bt.mapping(
            p, bt.PaddedInt(2), size=3_500_000, max_size=9_000_000, entries=40
        )

        of_car = bt.query("car", between="returned", newest=True)

    return Inspection


@bad(
    "Thirteen months of statements, of which ninety days are kept",
    "FAM006",
    says=('`bt.family("p", gc=bt.max_age(days=395))`',),
    verdict="error",
)
def twentysixth_statement_shorter_than_asked() -> object:
    class Posting(bt.Model, table="posting", events="2500/s"):
        """A booking on an account. The app shows statements of thirteen months."""

        account: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)
        booked: datetime = bt.key(bt.EpochMillis())
        posting_id: UUID = bt.key(bt.UuidRaw(), cardinality=2_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=90))
        amount: Decimal = bt.column("amt", p, size=8, max_size=20)
        text: str = bt.column("txt", p, size=60, max_size=140)

        statement = bt.query("account", between="booked", span="395day")

    return Posting


@bad(
    "One-time codes that are kept for ever",
    "FAM010",
    says=("`expires_at: datetime = bt.expires(round=True)`",),
    verdict="warning",
)
def twentysixth_one_time_codes() -> object:
    class OneTimeCode(bt.Model, table="otp", events="1500/s"):
        challenge: UUID = bt.key(bt.UuidText(), cardinality=5_000_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        code_hash: bytes = bt.column("h", c, size=32, max_size=32)
        attempts: int = bt.column("a", c)
        expires_at: datetime = bt.column("exp", c)

        of_challenge = bt.query("challenge")

    return OneTimeCode


@bad(
    "The price of next week as the newest cell",
    "COL009",
    says=("`{store}#{article}#{valid_from}`",),
    verdict="warning",
)
def twentysixth_price_of_next_week() -> object:
    class ShelfPrice(bt.Model, table="shelf_price", events="400/s"):
        """What an article costs in a store. Head office enters prices up to three weeks before they become valid."""

        store: str = bt.key(bt.Text(width=5), cardinality=2_200)
        article: str = bt.key(bt.Text(width=13), cardinality=60_000)
        valid_from: datetime = bt.timestamp()

        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("c", p)
        promo: str | None = bt.column("promo", p, default=None, size=12, max_size=40)

        of_store = bt.query("store")

    return ShelfPrice


@bad(
    "The track of a day in a family of one version",
    "FAM006",
    says=('`bt.family("p", gc=bt.max_age(days=60))`',),
    verdict="warning",
)
def twentysixth_tracker_one_version() -> object:
    class Truck(bt.Model, table="truck", events="3000/s"):
        """The track of a truck on a day, a position each ten seconds."""

        truck: str = bt.key(bt.HexDigest(8), cardinality=30_000)
        day: date = bt.key(bt.DateText())

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=60))
        position: bt.History[bytes] = bt.history("pos", p, every="10s", size=16, max_size=16)

        of_truck = bt.query("truck", between="day")

    return Truck


@bad(
    "A profile in the family of what goes after thirty days",
    "FAM010",
    says=("give `display_name`, `plan`, `member_since` a family of their own",),
    verdict="warning",
)
def twentysixth_profile_thirty_days() -> object:
    class Subscriber(bt.Model, table="subscriber", events="800/s"):
        """A subscriber of the streaming service, with what the start page needs of the last sessions (kept for 30 days)."""

        subscriber: UUID = bt.key(bt.UuidRaw(), cardinality=40_000_000)

        d = bt.family("d", gc=bt.max_age(days=30))
        display_name: str = bt.column("name", d, size=20, max_size=80)
        plan: str = bt.column("plan", d, size=8, max_size=16)
        member_since: date = bt.column("since", d)
        last_title: str | None = bt.column("last", d, default=None, size=12, max_size=24)
        last_position_s: int | None = bt.column("pos", d, default=None)

        of_subscriber = bt.query("subscriber")

    return Subscriber


@bad(
    "A manual of megabytes beside price and stock",
    "QRY005",
    says=("give `manual_pdf` a family of its own",),
    verdict="warning",
)
def twentysixth_manual_beside_stock() -> object:
    class Article(bt.Model, table="article", events="4000/s"):
        sku: str = bt.key(bt.HexDigest(10), cardinality=800_000)

        a = bt.family("a", gc=bt.max_versions(1))
        price_cents: int = bt.column("price", a)
        on_stock: int = bt.column("stock", a)
        manual_pdf: bytes | None = bt.column("manual", a, default=None, size=2_500_000, max_size=8_000_000)

        tile = bt.query("sku", only=["price_cents", "on_stock"])

    return Article


@bad(
    "Addresses with colons in a key with colons",
    "KEY020",
    says=("holds_delimiter=True", '`delimiter="#"`'),
    verdict="warning",
)
def twentysixth_ipv6_with_colons() -> object:
    class FlowLog(bt.Model, table="flow_log", delimiter=":", events="20000/s"):
        """A flow of the VPC. Keys have colons, as all keys of our old Redis cache had."""

        vpc: str = bt.key(bt.Text(width=12), cardinality=900)
        source_ip: str = bt.key(bt.Text(max_length=39), cardinality=4_000_000, pii=False)
        started: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=30))
        octets: int = bt.column("b", f)
        verdict: str = bt.column("v", f, size=6, max_size=6)

        of_source = bt.query("vpc", "source_ip", between="started")

    return FlowLog


@bad(
    "Later versions of a firmware, as text",
    "KEY007",
    says=("bt.Joined((bt.PaddedInt(5)",),
    verdict="warning",
)
def twentysixth_version_as_text() -> object:
    class FirmwareImage(bt.Model, table="firmware", events="5/min"):
        board: str = bt.key(bt.Text(max_length=16), cardinality=120)
        version: str = bt.key(bt.Text(max_length=12), cardinality=900)

        i = bt.family("i", gc=bt.max_versions(1))
        image_uri: str = bt.column("uri", i, size=90, max_size=300)
        sha256: bytes = bt.column("sha", i, size=32, max_size=32)

        later_than = bt.query("board", between="version")

    return FirmwareImage


@bad(
    "Pallets that are moved from bin to bin, by the bin",
    "KEY021",
    says=("`bt.twins(Pallet, PalletInBin, owned=True)`",),
    verdict="warning",
)
def twentysixth_pallet_in_bin() -> object:
    class Pallet(bt.Model, table="pallet", events="300/s"):
        """A pallet in the high-bay store. The crane moves a pallet to another bin several times a day."""

        bin: str = bt.key(bt.Text(width=8), cardinality=90_000)
        sscc: str = bt.key(bt.Text(width=18), cardinality=4_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        article: str = bt.column("art", p, size=13, max_size=13)
        cartons: int = bt.column("n", p)

        in_bin = bt.query("bin")

    return Pallet


@bad(
    "Prescriptions by the number of an insurer",
    "KEY010",
    says=("`{person_id}#{issued}#{rx}`",),
    verdict="warning",
)
def twentysixth_health_number() -> object:
    class Prescription(bt.Model, table="prescription", events="150/s"):
        medicare_no: str = bt.key(bt.Text(width=11), cardinality=9_000_000)
        issued: datetime = bt.key(bt.ReversedSeconds())
        rx: UUID = bt.key(bt.UuidText(), cardinality=500_000_000)

        r = bt.family("r", gc=bt.max_age(days=3_650))
        drug: str = bt.column("drug", r, size=12, max_size=20)
        dose_mg: int = bt.column("dose", r)

        of_patient = bt.query("medicare_no", between="issued", newest=True)

    return Prescription


@bad(
    "Addresses of pages with all that a browser sends",
    "KEY010",
    says=('`landing_page_hash = bt.digest("landing_page")`',),
    verdict="warning",
)
def twentysixth_landing_page() -> object:
    class LandingView(bt.Model, table="landing_view", events="6000/s"):
        """Views of a landing page an hour, with the query string as the browser sent it."""

        landing_page: str = bt.key(bt.EscapedText(2_000), cardinality=40_000_000, size=240)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        n = bt.family("n", gc=bt.max_age(days=90))
        views: int = bt.column("v", n)
        bounces: int = bt.column("b", n)

        of_page = bt.query("landing_page", between="hour")

    return LandingView


@bad(
    "Money in a counter to which additions are sent again",
    "COL008",
    says=("write each event under its id",),
    verdict="warning",
)
def twentysixth_wallet_counter() -> object:
    class Wallet(bt.Model, table="wallet", events="700/s"):
        """A player's wallet: purchases and refunds in cents are added to the balance; the payment worker retries until it has an answer."""

        player: UUID = bt.key(bt.UuidRaw(), cardinality=15_000_000)

        b = bt.family("b", gc=bt.keep_all(), aggregate="sum")
        balance_cents: int | None = bt.counter("bal", b)

        of_player = bt.query("player")

    return Wallet


@bad(
    "Orders of a merchant by the day",
    "KEY017",
    says=("`{merchant}#{day}#{order_id}`",),
    verdict="warning",
)
def twentysixth_orders_of_a_day_twin() -> object:
    class Order(bt.Model, table="order", events="600/s"):
        order_id: UUID = bt.key(bt.UuidText(), cardinality=800_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        merchant: str = bt.column("m", o, size=10, max_size=20, cardinality=5_000)
        placed: datetime = bt.column("at", o)
        cents: int = bt.column("c", o)

    class OrderOfMerchant(bt.Model, table="order_of_merchant", events="600/s"):
        """The orders of a merchant, by day, for the merchant's dashboard."""

        merchant: str = bt.key(bt.Text(max_length=20), cardinality=5_000)
        day: date = bt.key(bt.DateText())

        o = bt.family("o", gc=bt.max_versions(1))
        order_id: UUID = bt.column("id", o)
        cents: int = bt.column("c", o)

        of_merchant = bt.query("merchant", between="day")

    return Order, OrderOfMerchant


@bad(
    "Telemetry of a fleet behind three salts",
    "KEY003",
    says=('`shard = bt.salt("vehicle", "at", buckets=48)`',),
    verdict="error",
)
def twentysixth_three_salts() -> object:
    class Telemetry(bt.Model, table="telemetry", events="180000/s", nodes=24):
        """All telemetry of the fleet in order of time, for the stream processor that catches up."""

        shard = bt.salt("vehicle", "at", buckets=3)
        at: datetime = bt.key(bt.EpochMillis())
        vehicle: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)

        t = bt.family("t", gc=bt.max_age(days=3))
        frame: bytes = bt.column("f", t, size=120, max_size=400)

        since = bt.query(between="at", span="5min")

    return Telemetry


@bad(
    "The inbox of a user behind 64 salts",
    "KEY005",
    says=("leave out `shard`: `{user}#{sent}#{notification}`",),
    verdict="warning",
)
def twentysixth_needless_salt() -> object:
    class Notification(bt.Model, table="notification", events="9000/s"):
        """Notifications of a user, newest first. Salted, since a talk said that Bigtable hotspots without it."""

        shard = bt.salt("notification", buckets=64)
        user: UUID = bt.key(bt.UuidRaw(), cardinality=60_000_000)
        sent: datetime = bt.key(bt.ReversedMillis())
        notification: UUID = bt.key(bt.UuidRaw(), cardinality=8_000_000_000)

        n = bt.family("n", gc=bt.max_age(days=60))
        body: str = bt.column("b", n, size=160, max_size=1_000)

        inbox = bt.query("user", between="sent", newest=True)

    return Notification
