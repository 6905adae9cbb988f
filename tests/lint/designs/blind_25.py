"""A twenty-fifth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Files of a chat by snowflakes",
    "KEY002",
    says=("`bt.ReversedDigits(19)`",),
    verdict="error",
)
def twentyfifth_attachment() -> object:
    class Attachment(bt.Model, table="attachments", events="25000/s"):
        """A file that was sent in a chat. Ids are snowflakes from our id service, like those of messages."""

        id: int = bt.key(bt.PaddedInt(19), cardinality=40_000_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f, size=30, max_size=260)
        blob: str = bt.column("b", f, size=80, max_size=120)
        bytes_: int = bt.column("s", f)

    return Attachment


@bad(
    "Impressions by the number of a week",
    "KEY001",
    says=("`{placement}#{part}#{id}`",),
    verdict="warning",
)
def twentyfifth_impression() -> object:
    class Impression(bt.Model, table="impressions", events="60000/s"):
        """Ad impressions. `part` is the ISO week as the warehouse partitions it, e.g. 202617."""

        part: int = bt.key(bt.PaddedInt(6), cardinality=110)
        placement: int = bt.key(bt.PaddedInt(8), cardinality=900_000)
        id: UUID = bt.key(bt.UuidRaw(), cardinality=30_000_000_000)

        i = bt.family("i", gc=bt.max_age(days=730))
        creative: int = bt.column("c", i)
        micros: int = bt.column("p", i)

        of_placement = bt.query("part", "placement")

    return Impression


@bad(
    "Receipts by their fiscal number",
    "KEY002",
    says=("`{salt}#{number}`",),
    verdict="warning",
)
def twentyfifth_receipt() -> object:
    class Receipt(bt.Model, table="receipts", events="9000/s"):
        """A receipt of the tills of all shops. The number is given by the fiscal service, e.g. `R26-0004711815`."""

        number: str = bt.key(bt.Text(width=14), cardinality=3_000_000_000)

        r = bt.family("r", gc=bt.max_age(days=3650))
        shop: str = bt.column("shop", r, size=8, max_size=12)
        lines: list[dict[str, Any]] = bt.column("lines", r, size=900, max_size=60_000)
        cents: int = bt.column("total", r)

    return Receipt


@bad(
    "Pings of cars behind one of four regions",
    "KEY003",
    says=("`{salt}#{region}#{at}#{car}`",),
    verdict="error",
)
def twentyfifth_ride_ping() -> object:
    class Ping(bt.Model, table="pings", events="80000/s"):
        """GPS pings of all cars. Operations looks at one region of the last minutes."""

        region: str = bt.key(bt.Text(width=4), cardinality=4)
        at: datetime = bt.key(bt.EpochMillis())
        car: str = bt.key(bt.HexDigest(12), cardinality=400_000)

        p = bt.family("p", gc=bt.max_age(days=14))
        lat: float = bt.column("lat", p)
        lon: float = bt.column("lon", p)

        live = bt.query("region", between="at", span="5min")

    return Ping


@bad(
    "A login that reads all accounts",
    "QRY001",
    says=('`email_hash = bt.digest("email")`', "`{email_hash}#{id}`"),
    verdict="warning",
)
def twentyfifth_account() -> object:
    class Account(bt.Model, table="accounts", events="300/s"):
        """A customer account."""

        id: UUID = bt.key(bt.UuidText(), cardinality=60_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        email: str = bt.column("email", a, size=25, max_size=254)
        password: bytes = bt.column("pw", a, size=60, max_size=100)
        created: datetime = bt.column("created", a)

        login = bt.query(scan="the login page knows the address only", where=["email"])

    return Account


@bad(
    "A room with all of its messages",
    "ROW003",
    says=("`{room}#{messages_key}`",),
    verdict="warning",
)
def twentyfifth_room() -> object:
    class Room(bt.Model, table="rooms", events="4000/s"):
        """A chat room, with everything that was said in it, so that opening a room is one read."""

        room: UUID = bt.key(bt.UuidRaw(), cardinality=500_000)

        m = bt.family("m", gc=bt.keep_all())
        r = bt.family("r", gc=bt.max_versions(1))
        messages: dict[UUID, str] = bt.mapping(m, bt.UuidRaw(), size=120, max_size=4_000)
        topic: str = bt.column("t", r, max_size=200)

    return Room


@bad(
    "An album with all of its previews",
    "ROW002",
    says=("`{album}#{previews_key}`",),
    verdict="error",
)
def twentyfifth_album() -> object:
    class Album(bt.Model, table="albums", events="200/s"):
        """A photo album and the previews of its pictures, keyed by file name."""

        album: UUID = bt.key(bt.UuidText(), cardinality=8_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        m = bt.family("m", gc=bt.max_versions(1))
        title: str = bt.column("t", m, max_size=200)
        previews: dict[str, bytes] = bt.mapping(
            p, bt.Text(max_length=60), size=180_000, max_size=400_000, entries=2_000
        )

    return Album


@bad(
    "A plan whose rule is a union",
    "FAM006",
    says=("gc=bt.max_versions(1) & bt.max_age(days=90)",),
    verdict="warning",
)
def twentyfifth_plan() -> object:
    class Subscription(bt.Model, table="subscriptions", events="40/s"):
        """The plan that a customer is on. The current one must always be there; former ones are kept for 90 days for disputes."""

        customer: UUID = bt.key(bt.UuidText(), cardinality=12_000_000)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=90))
        plan: bt.History[str] = bt.history("plan", s, size=12, max_size=30)

    return Subscription


@bad(
    "Prices at the time from which they are valid",
    "COL009",
    says=("`{shop}#{ean}#{valid_from}`",),
    verdict="warning",
)
def twentyfifth_price() -> object:
    class Price(bt.Model, table="prices", events="500/s"):
        """The shelf price of an article in a shop. Head office loads prices up to six weeks before they come into force."""

        shop: int = bt.key(bt.PaddedInt(5), cardinality=4_000, sequential=False)
        ean: str = bt.key(bt.Text(width=13), cardinality=300_000)
        valid_from: datetime = bt.timestamp()

        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("c", p)
        promotion: str | None = bt.column("x", p, default=None, max_size=40)

        of_shop = bt.query("shop")

    return Price


@bad(
    "Drivers in the family of their positions",
    "FAM010",
    says=("give `name`, `licence`, `signed_up` a family of their own",),
    verdict="warning",
)
def twentyfifth_driver() -> object:
    class Driver(bt.Model, table="drivers", events="6000/s"):
        """A driver: who they are, as given at sign-up, and the last position that the app has sent. Positions must go after 30 days."""

        driver: UUID = bt.key(bt.UuidText(), cardinality=900_000)

        d = bt.family("d", gc=bt.max_age(days=30))
        name: str = bt.column("name", d, max_size=120)
        licence: str = bt.column("lic", d, max_size=30)
        signed_up: date = bt.column("since", d)
        lat: float | None = bt.column("lat", d, default=None)
        lon: float | None = bt.column("lon", d, default=None)

    return Driver


@bad(
    "Clicks of a millisecond",
    "KEY017",
    says=("`{campaign}#{at}#{id}`",),
    verdict="warning",
)
def twentyfifth_click() -> object:
    class Click(bt.Model, table="clicks", events="45000/s"):
        """Every click on an ad, for billing."""

        campaign: int = bt.key(bt.ReversedDigits(7), cardinality=3_000)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=400))
        publisher: int = bt.column("p", c)
        micros: int = bt.column("m", c)

        of_campaign = bt.query("campaign", between="at", span="1day")

    return Click


@bad(
    "Versions of packages as text",
    "KEY007",
    says=("bt.Joined((bt.PaddedInt(5), bt.PaddedInt(5), bt.PaddedInt(5))",),
    verdict="warning",
)
def twentyfifth_release() -> object:
    class Release(bt.Model, table="releases", events="20/s"):
        """A release of a package. Resolvers ask for the versions of a package from one to another, as in `>=1.9,<2`."""

        package: str = bt.key(bt.Text(max_length=80), cardinality=600_000)
        version: str = bt.key(bt.Text(max_length=24))

        r = bt.family("r", gc=bt.max_versions(1))
        sha256: bytes = bt.column("h", r, max_size=32)
        requires: list[str] = bt.column("req", r, size=300, max_size=20_000)

        between = bt.query("package", between="version")

    return Release


def _text_of(degrees: float) -> str:
    return repr(degrees)


def _degrees(text: str) -> float:
    return float(text)


@bad(
    "Depths whose codec says that it sorts",
    "KEY007",
    says=("bt.PaddedInt(9)",),
    verdict="error",
)
def twentyfifth_well() -> object:
    depth = bt.mapped(bt.Text(max_length=12), to=_text_of, from_=_degrees, ordered=True)

    class WellLog(bt.Model, table="well_logs", events="300/s"):
        """A logging run of a borehole: what the probe measured at each depth, in metres."""

        well: str = bt.key(bt.Text(max_length=20), cardinality=40_000)
        run: int = bt.key(bt.PaddedInt(3))
        depth_m: float = bt.key(depth, cardinality=60_000)

        v = bt.family("v", gc=bt.max_versions(1))
        gamma: float = bt.column("gr", v)
        porosity: float = bt.column("phi", v)

        section = bt.query("well", "run", between="depth_m")

    return WellLog


@bad(
    "Tickets below the agent who has them",
    "KEY021",
    says=("keep `agent` in a column: `{desk}#{ticket}`",),
    verdict="warning",
)
def twentyfifth_ticket() -> object:
    class Ticket(bt.Model, table="tickets", events="150/s"):
        """A support ticket in the inbox of the agent who works on it. Supervisors move tickets between agents when a shift ends."""

        desk: str = bt.key(bt.Text(max_length=20), cardinality=300)
        agent: int = bt.key(bt.PaddedInt(7), cardinality=20_000, sequential=False)
        ticket: UUID = bt.key(bt.UuidText(), cardinality=80_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("s", t, max_size=300)
        body: str = bt.column("b", t, size=2_000, max_size=100_000)

        inbox = bt.query("desk", "agent")

    return Ticket


@bad(
    "Backlinks by hosts that are not reversed",
    "KEY011",
    says=("`bt.ReversedDomain(100)`",),
    verdict="warning",
)
def twentyfifth_backlink() -> object:
    class Backlink(bt.Model, table="backlinks", events="5000/s"):
        """Who links to a site. Customers ask for one host, or for a whole registered name with all that is below it."""

        target: str = bt.key(bt.Text(max_length=100), cardinality=40_000_000)
        source = bt.digest("page")

        links = bt.family("l", gc=bt.max_versions(1))
        page: str = bt.column("p", links, size=90, max_size=2_000)
        anchor: str = bt.column("a", links, size=30, max_size=500)

        of_target = bt.query("target")
        below = bt.query(starting="target")

    return Backlink


@bad(
    "Number plates in keys",
    "KEY010",
    says=('`bt.digest("plate")`',),
    verdict="warning",
)
def twentyfifth_plate_read() -> object:
    class PlateRead(bt.Model, table="plate_reads", events="1200/s"):
        """What the cameras of the car parks have read: which vehicle came by when."""

        plate: str = bt.key(bt.Text(max_length=12), cardinality=30_000_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))

        r = bt.family("r", gc=bt.max_age(days=30))
        camera: int = bt.column("c", r)
        confidence: float = bt.column("q", r)

        of_plate = bt.query("plate", between="at", span="1day")

    return PlateRead


@bad(
    "Twelve totals of all servers",
    "KEY013",
    says=("add up in memory",),
    verdict="warning",
)
def twentyfifth_totals() -> object:
    class Totals(bt.Model, table="totals", events="24000/s"):
        """The big numbers on the wall: orders, baskets, page views and so on, counted by every web server at each request."""

        metric: str = bt.key(bt.Text(max_length=30), cardinality=12)

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        total: int | None = bt.counter("n", t)

    return Totals


class ParcelState(StrEnum):
    ANNOUNCED = "announced"
    MOVING = "moving"
    DELIVERED = "delivered"


@bad(
    "Parcels by state and time",
    "KEY003",
    "KEY021",
    says=("`{salt}#{state}#{scanned}#{barcode}`",),
    verdict="warning",
)
def twentyfifth_parcel() -> object:
    class Parcel(bt.Model, table="parcels", events="18000/s"):
        """A parcel, by its barcode."""

        barcode: str = bt.key(bt.HexDigest(20), cardinality=2_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=120))
        state: ParcelState = bt.column("s", p)
        scanned: datetime = bt.column("t", p)
        depot: str = bt.column("d", p, codec=bt.AsInKey(bt.Text(width=6)))

        of_barcode = bt.query("barcode")

    class ByState(bt.Model, table="parcels_by_state", events="18000/s"):
        """The same parcels for the control room: what has been scanned lately in each state."""

        state: ParcelState = bt.key(bt.EnumText(ParcelState))
        scanned: datetime = bt.key(bt.EpochMillis(round=True))
        barcode: str = bt.key(bt.HexDigest(20), cardinality=2_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=120))
        depot: str = bt.column("d", p, codec=bt.AsInKey(bt.Text(width=6)))

        of_state = bt.query("state", between="scanned")

    return Parcel, ByState


@bad(
    "A firehose with four salts",
    "KEY003",
    says=("buckets=32",),
    verdict="error",
)
def twentyfifth_firehose() -> object:
    class Firehose(bt.Model, table="firehose", events="150000/s"):
        """All posts of the network in order of time, for the partners who replay spans of it."""

        lane = bt.salt("id", buckets=4)
        at: datetime = bt.key(bt.EpochMicros())
        id: UUID = bt.key(bt.UuidRaw(), cardinality=50_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=7))
        author: int = bt.column("a", p)
        text: str = bt.column("t", p, size=140, max_size=1_200)

        replay = bt.query(between="at", span="10min")

    return Firehose


@bad(
    "Watches behind a salt of the second",
    "KEY001",
    says=("leave out `salt`: `{watch}#{at}`",),
    verdict="error",
)
def twentyfifth_heart_rate() -> object:
    class HeartRate(bt.Model, table="heart_rates", events="30000/s"):
        """Samples of watches. We salt all our keys, as we did in HBase."""

        salt = bt.salt("at", buckets=32)
        watch: str = bt.key(bt.HexDigest(16), cardinality=6_000_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        h = bt.family("h", gc=bt.max_age(days=365))
        bpm: int = bt.column("b", h, codec=bt.IntBytes(2))

        of_watch = bt.query("watch", between="at", span="1day")

    return HeartRate


@bad(
    "A salt of the zone in front of the zone",
    "KEY003",
    says=("leave out `shard`",),
    verdict="warning",
)
def twentyfifth_grid() -> object:
    class GridEvent(bt.Model, table="grid_events", events="50000/s"):
        """Events of the substations of a grid operator's zone, by time."""

        shard = bt.salt("zone", buckets=16)
        zone: str = bt.key(bt.Text(width=3), cardinality=9)
        at: datetime = bt.key(bt.EpochMillis())
        station: int = bt.key(bt.PaddedInt(6), cardinality=120_000, sequential=False)

        e = bt.family("e", gc=bt.max_age(days=60))
        code: int = bt.column("c", e)
        value: float = bt.column("v", e)

        of_zone = bt.query("zone", between="at", span="15min")

    return GridEvent


@bad(
    "The trail of a container in one cell",
    "ROW003",
    "COL009",
    says=("`{container}#{at}`",),
    verdict="warning",
)
def twentyfifth_shipment() -> object:
    class Shipment(bt.Model, table="shipments", events="800/s"):
        """A container on its way. `trail` is the list of positions so far: the tracker reads it, appends one every minute, and writes it back."""

        container: str = bt.key(bt.Text(width=11), cardinality=2_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        vessel: str = bt.column("v", s, max_size=60)
        trail: list[tuple[str, float, float]] = bt.column("trail", s)

    return Shipment
