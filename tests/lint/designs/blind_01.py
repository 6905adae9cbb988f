"""Designs with faults, written by somebody who had not read the rules, with verdicts from before the review saw them."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Core banking: the postings of the general ledger. The posting service draws numbers from one sequence: 4,000/s under one climbing number: every write at the end of the table",
    "KEY002",
)
def blind_posting() -> object:
    class Posting(bt.Model, table="posting", events="4000/s"):
        """A posting, found by the number that is printed on the statement."""

        posting_no: int = bt.key(bt.PaddedInt(14), sequential=True)

        p = bt.family("p", gc=bt.max_versions(1))
        account: str = bt.column("acc", p, size=12, max_size=12)
        amount: Decimal = bt.column("amt", p, size=8, max_size=24)
        currency: str = bt.column("cur", p, size=3, max_size=3)
        booked: datetime = bt.column("at", p)

        one = bt.query("posting_no")

    return Posting


@bad(
    "Fleet of smart thermostats: a row for each report: The day leads, so at 20,000/s each midnight all devices move to one new, unsplit end of the table, and the rest of the cluster never writes again",
    "KEY001",
)
def blind_report() -> object:
    class Report(bt.Model, table="report", events="20000/s"):
        """What a thermostat sent. The day leads, so that a day is easy to export and to delete."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        device: str = bt.key(bt.Text(width=12), cardinality=150_000)
        at: datetime = bt.key(bt.EpochMillis())

        m = bt.family("m", gc=bt.max_age(days=90))
        target: float = bt.column("t", m)
        measured: float = bt.column("c", m)
        heating: bool = bt.column("h", m)

        of_device = bt.query("day", "device", between="at", span="6h")

    return Report


@bad(
    "Parcel logistics: where each parcel is: The stage of a parcel is in its key: each move makes another row, the old one stays, and who asks for one parcel must know its stage",
    "KEY021",
)
def blind_parcel() -> object:
    class Stage(StrEnum):
        LABELLED = "labelled"
        COLLECTED = "collected"
        IN_HUB = "in_hub"
        OUT = "out"
        DELIVERED = "delivered"

    class Parcel(bt.Model, table="parcel", events="900/s"):
        """A parcel of a carrier. The dispatchers' screen lists the parcels of a carrier that are out for delivery."""

        carrier: str = bt.key(bt.Text(max_length=8), cardinality=40)
        stage: Stage = bt.key(bt.EnumText(Stage))
        parcel: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

        p = bt.family("p", gc=bt.max_age(days=60))
        depot: str = bt.column("depot", p, size=8, max_size=20)
        seen: datetime = bt.column("seen", p)

        in_stage = bt.query("carrier", "stage")
        one = bt.query("carrier", "stage", "parcel")

    return Parcel


@bad(
    "Television: votes of the audience during a live show: 8,000 additions a second to a single row, which no split can divide",
    "KEY013",
)
def blind_ballot() -> object:
    class Ballot(bt.Model, table="ballot", events="8000/s"):
        """How many voted for each act. One poll is open at a time."""

        poll: str = bt.key(bt.Text(max_length=20), cardinality=300, skew="95%:1")

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: dict[str, int] = bt.counters(v, bt.Text(max_length=20), entries=10, increments="8000/s")

        of_poll = bt.query("poll")

    return Ballot


@bad(
    "Mobile games: final standings of tournaments that are over: Int writes numbers without zeros, so scores do not sort and above reads no range",
    "KEY007",
    "QRY001",
)
def blind_standing() -> object:
    class Standing(bt.Model, table="standing", events="300/s"):
        """What a player had at the end. The page shows everybody from a score up."""

        tournament: str = bt.key(bt.HexDigest(12), cardinality=200_000)
        score: int = bt.key(bt.Int(8), cardinality=5_000_000, changes=False, sequential=False)
        player: UUID = bt.key(bt.UuidRaw(), cardinality=30_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        prize: int | None = bt.column("prize", s, default=None)
        country: str = bt.column("c", s, size=2, max_size=2)

        above = bt.query("tournament", between="score")

    return Standing


@bad(
    "Social network: who follows whom: 90 million columns in a row: over 2 GB, never readable",
    "ROW002",
)
def blind_account() -> object:
    class Account(bt.Model, table="account", events="5000/s"):
        """An account and its followers, one column each. A singer has 90 million."""

        id: UUID = bt.key(bt.UuidRaw(), cardinality=300_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[UUID] = bt.members(f, bt.UuidRaw(), entries=90_000_000)

        of_account = bt.query("id")

    return Account


@bad(
    "Genomics as a service: variants that sequencing laboratories upload: a table for each of 3,000 laboratories",
    "TAB002",
)
def blind_variant() -> object:
    class Variant(bt.Model, table="variant_{lab}", events="2000/s"):
        """A variant in a sample. Each of our 3,000 laboratories gets a table of its own, so that none sees another's."""

        sample: str = bt.key(bt.HexDigest(12), cardinality=3_000)
        chromosome: str = bt.key(bt.Text(max_length=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9), cardinality=250_000_000, sequential=False)

        v = bt.family("v", gc=bt.max_versions(1))
        reference: str = bt.column("ref", v, size=1, max_size=500)
        alternative: str = bt.column("alt", v, size=1, max_size=500)
        quality: float = bt.column("q", v)

        of_region = bt.query("sample", "chromosome", between="position")

    return Variant


@bad(
    "Hosted log search: what the programs of our customers log: one customer has 85 % of 30,000/s, and behind it comes the time: 25,500/s at one place",
    "KEY003|KEY013",
)
def blind_line() -> object:
    class Line(bt.Model, table="line", events="30000/s"):
        """A line of a customer's log. One of the customers, a bank, sends most of them."""

        customer: str = bt.key(bt.Text(max_length=24), cardinality=400, tenant=True, skew="85%:1")
        at: datetime = bt.key(bt.EpochMicros())
        line: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=30))
        text: str = bt.column("t", b, size=300, max_size=16_000)
        level: int = bt.column("l", b)

        of_customer = bt.query("customer", between="at", span="15min")

    return Line


@bad(
    "Ride hailing: where each driver is now: keep_all() on cells that are overwritten every four seconds: 21,600 versions a day of each, for ever",
    "ROW003",
)
def blind_driver() -> object:
    class Driver(bt.Model, table="driver", events="100000/s"):
        """The place of a driver, whose phone reports it every four seconds. Only the newest one is ever read."""

        driver: UUID = bt.key(bt.UuidRaw(), cardinality=400_000)

        p = bt.family("p", gc=bt.keep_all())
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)
        heading: int = bt.column("h", p)

        one = bt.query("driver")

    return Driver


@bad(
    "Radiology: the images of a hospital trust: two: cells of 25 to 40 MB; a personal number in the key",
    "ROW001",
    "KEY010",
)
def blind_image() -> object:
    class Image(bt.Model, table="image", events="2/s"):
        """An image of a study, found by the patient's number in the national health service."""

        nhs_number: str = bt.key(bt.Text(width=10), cardinality=2_000_000)
        study: str = bt.key(bt.HexDigest(16), cardinality=12_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        modality: str = bt.column("mod", i, size=2, max_size=8)
        taken: datetime = bt.column("at", i)
        pixels: bytes = bt.column("px", i, size=25_000_000, max_size=40_000_000)

        of_patient = bt.query("nhs_number")

    return Image


@bad(
    "Video streaming: starts of videos, for the dashboard of the last minutes: the salt hashes the hour, so all of an hour, 25,000/s, lands in one of twelve shards, at its end",
    "KEY001|KEY005",
)
def blind_start() -> object:
    class Start(bt.Model, table="start", events="25000/s", nodes=6):
        """Somebody started a video. Twelve shards keep the newest rows from piling up in one place."""

        shard = bt.salt("hour", buckets=12)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))
        at: datetime = bt.key(bt.EpochMillis())
        viewer: UUID = bt.key(bt.UuidRaw(), cardinality=50_000_000)

        s = bt.family("s", gc=bt.max_age(days=3))
        video: str = bt.column("v", s, size=11, max_size=11)
        country: str = bt.column("c", s, size=2, max_size=2)

        of_time = bt.query("hour", between="at", span="10min")

    return Start


@bad(
    "Feature store: the online features of a recommender: the salt is of a value that changes (the day of writing), so a lookup reads 16 keys, and yesterday's row of the same entity stays in another shard beside today's; the entity is random and needs no salt",
    "KEY001|KEY005",
)
def blind_features() -> object:
    class Features(bt.Model, table="features", events="15000/s"):
        """The newest features of an entity, one row a feature view. A shard by the day spreads the nightly load."""

        shard = bt.salt("written_on", buckets=16)
        entity: UUID = bt.key(bt.UuidRaw(), cardinality=80_000_000)
        view: str = bt.key(bt.Text(max_length=30), cardinality=25)

        f = bt.family("f", gc=bt.max_versions(1))
        written_on: date = bt.column("on", f)
        values: dict[str, float] = bt.column("v", f, size=400, max_size=4_000)

        of_entity = bt.query("entity", "view")

    return Features


@bad(
    "Distributed tracing: the spans that services report: a query of every day scans a table of 20,000/s for 14 days",
    "QRY001",
)
def blind_span() -> object:
    class Span(bt.Model, table="span", events="20000/s"):
        """A span, by the service that it is of."""

        service: str = bt.key(bt.Text(max_length=30), cardinality=3_000)
        at: datetime = bt.key(bt.EpochMicros())
        span: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=14))
        trace: str = bt.column("trace", s, size=32, max_size=32, cardinality=1_000_000_000)
        name: str = bt.column("n", s, size=30, max_size=200)
        duration: int = bt.column("d", s)

        of_service = bt.query("service", between="at", span="30min")
        of_trace = bt.query(
            scan="support opens a trace by its id, a few hundred times a day", where=["trace"]
        )

    return Span


@bad(
    "Shipping: engine temperatures of vessels: the age counts from the event, events come up to 20 days late, and live 14 days: what comes latest is expired as it is written",
    "FAM006",
)
def blind_vessel_day() -> object:
    class VesselDay(bt.Model, table="vessel_day", bucket="day", events="100/s", lateness="20d"):
        """A vessel's day. At sea there is no uplink: a ship sends what it has when it is in port. The crew looks at two weeks."""

        vessel: str = bt.key(bt.Text(width=9), cardinality=60_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        e = bt.family("e", gc=bt.max_age(days=14))
        temperature: bt.History[float] = bt.history("t", e, every="10min")

        of_vessel = bt.query("vessel", between="day", span="14d")

    return VesselDay


@bad(
    "Web shop: orders: a ULID begins with the milliseconds of its making: 12,000/s at the end of the table",
    "KEY002",
)
def blind_order() -> object:
    class Order(bt.Model, table="order", events="12000/s"):
        """An order, under the ULID that the checkout gave it, so that no two are the same."""

        ulid: str = bt.key(bt.Text(width=26), cardinality=5_000_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        customer: str = bt.column("cust", o, size=12, max_size=12)
        cents: int = bt.column("cents", o)
        placed: datetime = bt.column("at", o)

        one = bt.query("ulid")

    return Order


@bad(
    "Web shop: shopping carts: atomic='cart', but a row for each line",
    "ROW004",
)
def blind_cart_line() -> object:
    class CartLine(bt.Model, table="cart_line", events="3000/s", atomic="cart"):
        """A line of a cart. Checkout swaps all lines of a cart at once, or none."""

        cart: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000)
        sku: str = bt.key(bt.Text(max_length=20), cardinality=500_000)

        c = bt.family("c", gc=bt.max_age(days=30))
        quantity: int = bt.column("q", c)
        cents: int = bt.column("p", c)

        of_cart = bt.query("cart")

    return CartLine
