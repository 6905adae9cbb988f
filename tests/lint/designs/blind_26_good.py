"""A twenty-sixth set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import good

import btmodel as bt


@good("Minutes of an inverter behind its id")
def twentysixth_minutes_of_a_device() -> object:
    class LoadMinute(bt.Model, table="load_minute", events="45000/s"):
        inverter: str = bt.key(bt.HexDigest(8), cardinality=2_700_000)
        epoch_minute: int = bt.key(bt.PaddedInt(10))

        e = bt.family("e", gc=bt.max_age(days=400))
        watts: int = bt.column("w", e)
        volts: float = bt.column("v", e)

        of_inverter = bt.query("inverter", between="epoch_minute")

    return LoadMinute


@good("Parcels by a number whose digits are turned around")
def twentysixth_numbers_backwards() -> object:
    class Shipment(bt.Model, table="shipments", events="16000/s"):
        """A parcel and where it was scanned last. Numbers are given in order, so their digits are written backwards."""

        shipment_no: int = bt.key(bt.ReversedDigits(12), cardinality=900_000_000, sequential=True)

        s = bt.family("s", gc=bt.max_versions(1))
        depot: str = bt.column("depot", s, size=5, max_size=8)
        weight_g: int = bt.column("w", s)

        of_number = bt.query("shipment_no")

    return Shipment


@good("The branches of a bank, all read at night")
def twentysixth_nightly_export() -> object:
    class Branch(bt.Model, table="branch", events="20/day"):
        """A branch of the bank, with its opening hours."""

        branch: str = bt.key(bt.Text(width=6), cardinality=1_900)

        b = bt.family("b", gc=bt.max_versions(3))
        town: str = bt.column("town", b, size=14, max_size=60)
        hours: dict[str, str] = bt.column("hours", b, size=300, max_size=1_200)

        everything = bt.query(scan="the nightly export to the website takes all branches")

    return Branch


@good("The vital signs of a day")
def twentysixth_patient_day() -> object:
    class VitalsDay(bt.Model, table="vitals_day", events="12000/s"):
        """The vital signs of a patient on a day: a column a minute at most."""

        patient: UUID = bt.key(bt.UuidRaw(), cardinality=3_000_000)
        day: date = bt.key(bt.DateText())

        v = bt.family("v", gc=bt.max_versions(1))
        vitals: dict[int, str] = bt.mapping(v, bt.PaddedInt(4), size=180, max_size=600, entries=1_440)

        of_patient = bt.query("patient", between="day")

    return VitalsDay


@good("A day of a sensor, for a year")
def twentysixth_engine_day() -> object:
    class EngineDay(bt.Model, table="engine_day", bucket="day", events="20000/s", lateness="6h"):
        engine: str = bt.key(bt.Text(width=9), cardinality=4_000)
        sensor: str = bt.key(bt.Text(width=6), cardinality=25)
        day: date = bt.key(bt.DateText())

        r = bt.family("r", gc=bt.max_age(days=365))
        reading: bt.History[float] = bt.history("v", r, every="5s")

        of_sensor = bt.query("engine", "sensor", between="day", span="7day")

    return EngineDay


@good("One-time codes that end by themselves")
def twentysixth_codes_that_expire() -> object:
    class OneTimeCode(bt.Model, table="otp", events="1500/s"):
        challenge: UUID = bt.key(bt.UuidText(), cardinality=5_000_000_000)
        until: datetime = bt.expires(round=True)

        c = bt.family("c", gc=bt.max_age(seconds=1))
        code_hash: bytes = bt.column("h", c, size=32, max_size=32)
        attempts: int = bt.column("a", c)

        of_challenge = bt.query("challenge")

    return OneTimeCode


@good("Prices by the time from which they hold")
def twentysixth_prices_by_validity() -> object:
    class ShelfPrice(bt.Model, table="shelf_price", events="400/s"):
        """The prices of an article in a store, the one that becomes valid last in front. The till reads the first one from now on."""

        store: str = bt.key(bt.Text(width=5), cardinality=2_200)
        article: str = bt.key(bt.Text(width=13), cardinality=60_000)
        valid_from: datetime = bt.key(bt.ReversedSeconds())

        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("c", p)
        promo: str | None = bt.column("promo", p, default=None, size=12, max_size=40)

        of_article = bt.query("store", "article", between="valid_from", newest=True)

    return ShelfPrice


@good("Routes of a peer, with colons in a key of another delimiter")
def twentysixth_router_addresses() -> object:
    class Route(bt.Model, table="bgp_route", events="5000/s"):
        """What a BGP peer announces. Peers are routers; the prefix is written as in the message, such as 2001:db8::/32."""

        peer: str = bt.key(bt.Text(max_length=39), cardinality=3_000, pii=False)
        prefix: str = bt.key(bt.Text(max_length=43), cardinality=1_200_000)

        r = bt.family("r", gc=bt.max_versions(1))
        as_path: str = bt.column("p", r, size=40, max_size=400)
        med: int | None = bt.column("med", r, default=None)

        of_peer = bt.query("peer", starting="prefix")

    return Route


@good("Versions of a firmware by their numbers")
def twentysixth_version_in_parts() -> object:
    class FirmwareImage(bt.Model, table="firmware", events="5/min"):
        board: str = bt.key(bt.Text(max_length=16), cardinality=120)
        major: int = bt.key(bt.PaddedInt(3), cardinality=20, sequential=False)
        minor: int = bt.key(bt.PaddedInt(3), cardinality=60, sequential=False)
        patch: int = bt.key(bt.PaddedInt(4), cardinality=90, sequential=False)

        i = bt.family("i", gc=bt.max_versions(1))
        image_uri: str = bt.column("uri", i, size=90, max_size=300)
        sha256: bytes = bt.column("sha", i, size=32, max_size=32)

        of_board = bt.query("board", between="major")
        of_major = bt.query("board", "major", between="minor")

    return FirmwareImage


@good("Orders of a merchant by the day and their id")
def twentysixth_orders_of_a_day_with_ids() -> object:
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
        order_id: UUID = bt.key(bt.UuidText(), cardinality=800_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        cents: int = bt.column("c", o)

        of_merchant = bt.query("merchant", between="day")

    return Order, OrderOfMerchant


@good("Telemetry of a fleet behind 48 salts")
def twentysixth_enough_salts() -> object:
    class Telemetry(bt.Model, table="telemetry", events="180000/s", nodes=24):
        """All telemetry of the fleet in order of time, for the stream processor that catches up."""

        shard = bt.salt("vehicle", "at", buckets=48)
        at: datetime = bt.key(bt.EpochMillis())
        vehicle: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)

        t = bt.family("t", gc=bt.max_age(days=3))
        frame: bytes = bt.column("f", t, size=120, max_size=400)

        since = bt.query(between="at", span="5min")

    return Telemetry


@good("A leaflet in a family of its own")
def twentysixth_manual_apart() -> object:
    class Article(bt.Model, table="article", events="4000/s"):
        sku: str = bt.key(bt.HexDigest(10), cardinality=800_000)

        a = bt.family("a", gc=bt.max_versions(1))
        m = bt.family("m", gc=bt.max_versions(1))
        price_cents: int = bt.column("price", a)
        on_stock: int = bt.column("stock", a)
        leaflet: bytes | None = bt.column("leaflet", m, default=None, size=80_000, max_size=600_000)

        tile = bt.query("sku", only=["price_cents", "on_stock"])
        download = bt.query("sku", only=["leaflet"])

    return Article


@good("Hours of pumps that report each second")
def twentysixth_estimates_agree() -> object:
    class PumpHour(bt.Model, table="pump_hour", bucket="hour", events="100000/s", lateness="10min"):
        pump: str = bt.key(bt.Text(width=7), cardinality=50_000)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        s = bt.family("s", gc=bt.max_age(days=180))
        pressure: bt.History[float] = bt.history("p", s, every="1s")
        flow: bt.History[float] = bt.history("f", s, every="1s")

        of_pump = bt.query("pump", between="hour", span="1day")

    return PumpHour


@good("What a character carries, item by item")
def twentysixth_inventory() -> object:
    class Inventory(bt.Model, table="inventory", events="8000/s"):
        """What a character carries: a column for each kind of item, with the number of them."""

        character: UUID = bt.key(bt.UuidRaw(), cardinality=22_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        items: dict[str, int] = bt.mapping(i, bt.Text(max_length=24), codec=bt.DecimalText(), entries=400)

        of_character = bt.query("character")

    return Inventory


@good("Advertisements that a browser was shown")
def twentysixth_impressions_of_a_browser() -> object:
    class Impression(bt.Model, table="impression", events="60000/s"):
        """Which ads a browser was shown, for frequency capping; the cookie is a random id that lives for a month."""

        browser: UUID = bt.key(bt.UuidRaw(), cardinality=300_000_000)
        shown: datetime = bt.key(bt.ReversedMillis())
        auction: UUID = bt.key(bt.UuidRaw(), cardinality=100_000_000_000)

        i = bt.family("i", gc=bt.max_age(days=30))
        campaign: int = bt.column("c", i)
        cpm_micros: int = bt.column("p", i)

        recent = bt.query("browser", between="shown", newest=True, span="7day")

    return Impression


@good("Clicks of a campaign by the hour")
def twentysixth_clicks_by_hour() -> object:
    class CampaignClicks(bt.Model, table="campaign_clicks", events="3000/s"):
        """Clicks of a campaign by hour. Workers add up in memory and write every ten seconds."""

        campaign: str = bt.key(bt.HexDigest(8), cardinality=30_000)

        h = bt.family("h", gc=bt.max_age(days=35), aggregate="sum")
        clicks: bt.History[int] = bt.counter("c", h, every="1h", increments="6/min")

        of_campaign = bt.query("campaign")

    return CampaignClicks


@good("Trades of an instrument")
def twentysixth_trades() -> object:
    class Trade(bt.Model, table="trade", events="25000/s"):
        venue: str = bt.key(bt.Text(width=4), cardinality=30)
        instrument: str = bt.key(bt.Text(width=12), cardinality=40_000)
        executed: datetime = bt.key(bt.EpochMicros())
        trade_id: str = bt.key(bt.Text(max_length=20), cardinality=5_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=1_825))
        price: Decimal = bt.column("px", t, size=7, max_size=20)
        quantity: int = bt.column("q", t)

        of_instrument = bt.query("venue", "instrument", between="executed", span="1day")

    return Trade


@good("Flags of an app, with their last states")
def twentysixth_feature_flags() -> object:
    class FeatureFlag(bt.Model, table="feature_flag", events="50/day"):
        """A flag of an app in an environment; the last five states are kept for the audit page."""

        app: str = bt.key(bt.Text(max_length=30), cardinality=80)
        environment: str = bt.key(bt.Text(max_length=10), cardinality=4)
        flag: str = bt.key(bt.Text(max_length=60), cardinality=3_000)

        f = bt.family("f", gc=bt.max_versions(5))
        state: bt.History[str] = bt.history("state", f, every="7day", size=40, max_size=400)

        of_app = bt.query("app", "environment")

    return FeatureFlag


@good("Documents of a tenant, in an object store")
def twentysixth_documents_of_a_tenant() -> object:
    class Document(bt.Model, table="document", events="200/s"):
        tenant: str = bt.key(bt.Text(max_length=24), cardinality=3_500, tenant=True)
        document: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=40, max_size=250)
        object_path: str = bt.column("gcs", d, size=90, max_size=300)
        pages: int | None = bt.column("pages", d, default=None)

        of_tenant = bt.query("tenant")

    return Document


@good("Readings that were in Cassandra, without the day of their partition")
def twentysixth_from_cassandra() -> object:
    class Reading(bt.Model, table="reading", events="18000/s"):
        """Was PRIMARY KEY ((device_id, day), at) in Cassandra; the day was only there to keep partitions small."""

        device_id: UUID = bt.key(bt.UuidText(), cardinality=1_100_000)
        at: datetime = bt.key(bt.EpochMillis())

        r = bt.family("r", gc=bt.max_age(days=730))
        celsius: float = bt.column("t", r)
        humidity: int = bt.column("h", r, codec=bt.DecimalText())

        of_device = bt.query("device_id", between="at", span="1day")

    return Reading


@good("Answers to payment requests, for a day")
def twentysixth_idempotency_keys() -> object:
    class Idempotency(bt.Model, table="idempotency", events="3500/s"):
        """The answer to a payment request, so that a repeated request gets the same one. After a day the key may be used again."""

        merchant: str = bt.key(bt.HexDigest(8), cardinality=200_000)
        request_key: str = bt.key(bt.Text(max_length=64), cardinality=300_000_000)

        a = bt.family("a", gc=bt.max_age(days=1))
        status: int = bt.column("status", a)
        body: str = bt.column("body", a, size=700, max_size=16_000)

        answer = bt.query("merchant", "request_key")

    return Idempotency


@good("Charging points by their geohash")
def twentysixth_places_by_geohash() -> object:
    class Charger(bt.Model, table="charger", events="900/s"):
        """A charging point, found by a prefix of its geohash. Points do not move."""

        geohash: str = bt.key(bt.Text(width=9), cardinality=700_000)
        point: str = bt.key(bt.Text(max_length=36), cardinality=900_000)

        c = bt.family("c", gc=bt.max_versions(1))
        plug: str = bt.column("plug", c, size=6, max_size=12)
        free: bool = bt.column("free", c)
        kilowatts: int = bt.column("kw", c)

        near = bt.query(starting="geohash")

    return Charger
