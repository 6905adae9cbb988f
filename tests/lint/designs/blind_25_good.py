"""A twenty-fifth set of designs by people who had not read the rules: the good ones, half of them close to a fault."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from published import good

import btmodel as bt


@good("snowflakes whose last digit is written first")
def twentyfifth_good_attachment() -> object:
    class Attachment(bt.Model, table="attachments", events="25000/s"):
        """A file that was sent in a chat. Ids are snowflakes from our id service, written with the last digit first."""

        id: int = bt.key(bt.ReversedDigits(19), cardinality=40_000_000_000, sequential=True)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f, size=30, max_size=260)
        blob: str = bt.column("b", f, size=80, max_size=120)
        bytes_: int = bt.column("s", f)

    return Attachment


@good("the days of flights, months ahead, at a rate that one tablet takes")
def twentyfifth_good_seat() -> object:
    class Seat(bt.Model, table="seats", events="900/s"):
        """Reserved seats of the flights of the coming eleven months. Load planning asks for the flights of a day."""

        day: date = bt.key(bt.DateText(), cardinality=330, sequential=False)
        flight: str = bt.key(bt.Text(max_length=7), cardinality=12_000)
        seat: str = bt.key(bt.Text(max_length=3))

        s = bt.family("s", gc=bt.max_versions(1))
        booking: str = bt.column("b", s, max_size=6)

        of_flight = bt.query("day", "flight")
        of_day = bt.query("day")

    return Seat


@good("numbers that count up, at four in a second")
def twentyfifth_good_receipt() -> object:
    class Receipt(bt.Model, table="receipts", events="4/s"):
        """A receipt of the museum shops. The number is given by the fiscal service, e.g. `R26-0004711815`."""

        number: str = bt.key(bt.Text(width=14), cardinality=30_000_000, sequential=True)

        r = bt.family("r", gc=bt.max_age(days=3650))
        shop: str = bt.column("shop", r, size=8, max_size=12)
        lines: list[dict[str, Any]] = bt.column("lines", r, size=900, max_size=60_000)
        cents: int = bt.column("total", r)

    return Receipt


@good("four regions, and behind them 400,000 cars")
def twentyfifth_good_ride_ping() -> object:
    class Ping(bt.Model, table="pings", events="80000/s"):
        """GPS pings of all cars. Operations follows a car; planning reads a region at night."""

        region: str = bt.key(bt.Text(width=4), cardinality=4)
        car: str = bt.key(bt.HexDigest(12), cardinality=400_000)
        at: datetime = bt.key(bt.EpochMillis())

        p = bt.family("p", gc=bt.max_age(days=14))
        lat: float = bt.column("lat", p)
        lon: float = bt.column("lon", p)

        track = bt.query("region", "car", between="at", span="1h")
        of_region = bt.query("region")

    return Ping


@good("a scan that runs once a month")
def twentyfifth_good_account() -> object:
    class Account(bt.Model, table="accounts", events="300/s"):
        """A customer account."""

        id: UUID = bt.key(bt.UuidText(), cardinality=60_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        nickname: str = bt.column("nick", a, size=12, max_size=40)
        created: datetime = bt.column("created", a)
        visited: datetime | None = bt.column("seen", a, default=None)

        of_id = bt.query("id")
        dormant = bt.query(scan="once a month, accounts that were not used for three years are closed")

    return Account


@good("a room with no more than 500 people")
def twentyfifth_good_room() -> object:
    class Room(bt.Model, table="rooms", events="400/s"):
        """A chat room and who is in it, with the message that each has read last. A room has up to 500 people."""

        room: UUID = bt.key(bt.UuidRaw(), cardinality=500_000)

        m = bt.family("m", gc=bt.max_versions(1))
        r = bt.family("r", gc=bt.max_versions(1))
        read_up_to: dict[UUID, int] = bt.mapping(m, bt.UuidRaw(), entries=500)
        topic: str = bt.column("t", r, max_size=200)

    return Room


@good("tiles under their quadkeys")
def twentyfifth_good_tile() -> object:
    class Tile(bt.Model, table="tiles", events="2000/s"):
        """A vector tile of the map under its quadkey: tiles that are near on the map are near in the table."""

        style: str = bt.key(bt.Text(max_length=12), cardinality=6)
        quadkey: str = bt.key(bt.Text(max_length=18), cardinality=300_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        mvt: bytes = bt.column("d", t, size=30_000, max_size=500_000)

        of_tile = bt.query("style", "quadkey")
        below = bt.query("style", starting="quadkey")

    return Tile


@good("an intersection, which keeps the newest plan")
def twentyfifth_good_plan() -> object:
    class Subscription(bt.Model, table="subscriptions", events="40/s"):
        """The plan that a customer is on. The current one must always be there; former ones are kept for 90 days for disputes."""

        customer: UUID = bt.key(bt.UuidText(), cardinality=12_000_000)

        s = bt.family("s", gc=bt.max_versions(1) & bt.max_age(days=90))
        plan: bt.History[str] = bt.history("plan", s, size=12, max_size=30)

    return Subscription


@good("prices under the time from which they are valid")
def twentyfifth_good_price() -> object:
    class Price(bt.Model, table="prices", events="500/s"):
        """The shelf prices of an article in a shop, each under the time from which it is valid. Head office loads them up to six weeks before."""

        shop: int = bt.key(bt.PaddedInt(5), cardinality=4_000, sequential=False)
        ean: str = bt.key(bt.Text(width=13), cardinality=300_000)
        valid_from: datetime = bt.key(bt.ReversedSeconds())

        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("c", p)
        promotion: str | None = bt.column("x", p, default=None, max_size=40)

        of_article = bt.query("shop", "ean", between="valid_from", newest=True)

    return Price


@good("two families, each with its lifetime")
def twentyfifth_good_driver() -> object:
    class Driver(bt.Model, table="drivers", events="6000/s"):
        """A driver: who they are, as given at sign-up, and the last position that the app has sent. Positions must go after 30 days."""

        driver: UUID = bt.key(bt.UuidText(), cardinality=900_000)

        d = bt.family("d", gc=bt.max_versions(1))
        name: str = bt.column("name", d, max_size=120)
        licence: str = bt.column("lic", d, max_size=30)
        signed_up: date = bt.column("since", d)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=30))
        lat: float | None = bt.column("lat", p, default=None)
        lon: float | None = bt.column("lon", p, default=None)

    return Driver


@good("an id behind the time, and 30,000 campaigns")
def twentyfifth_good_click() -> object:
    class Click(bt.Model, table="clicks", events="9000/s"):
        """Every click on an ad, for billing."""

        campaign: int = bt.key(bt.ReversedDigits(7), cardinality=30_000)
        at: datetime = bt.key(bt.EpochMillis())
        click: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000_000)

        c = bt.family("c", gc=bt.max_age(days=400))
        publisher: int = bt.column("p", c)
        micros: int = bt.column("m", c)

        of_campaign = bt.query("campaign", between="at", span="1day")

    return Click


@good("versions in padded parts")
def twentyfifth_good_release() -> object:
    class Release(bt.Model, table="releases", events="20/s"):
        """A release of a package. Resolvers ask for the versions of a package from one to another, as in `>=1.9,<2`."""

        package: str = bt.key(bt.Text(max_length=80), cardinality=600_000)
        version: tuple[int, ...] = bt.key(bt.Repeated(bt.PaddedInt(5), ".", least=3, most=3))

        r = bt.family("r", gc=bt.max_versions(1))
        sha256: bytes = bt.column("h", r, max_size=32)
        requires: list[str] = bt.column("req", r, size=300, max_size=20_000)

        between = bt.query("package", between="version")

    return Release


@good("features with their times, of random ids")
def twentyfifth_good_features() -> object:
    class Features(bt.Model, table="features", events="12000/s"):
        """The features of a user for the ranking models: one column each, the newest value with the time that it was computed for."""

        user: UUID = bt.key(bt.UuidRaw(), cardinality=90_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        values: dict[str, bt.Timed[float]] = bt.timed(f, bt.Text(max_length=24), entries=300)

    return Features


@good("the agent in a column, and an index by agent")
def twentyfifth_good_ticket() -> object:
    class Ticket(bt.Model, table="tickets", events="150/s"):
        """A support ticket. Supervisors move tickets between agents when a shift ends."""

        ticket: UUID = bt.key(bt.UuidText(), cardinality=80_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        agent: int = bt.column("a", t, codec=bt.AsInKey(bt.PaddedInt(7)), cardinality=20_000)
        subject: str = bt.column("s", t, max_size=300)
        body: str = bt.column("b", t, size=2_000, max_size=100_000)

    class Inbox(bt.Index, of=Ticket, view="inbox"):
        """What an agent works on."""

        agent: int = bt.key(bt.PaddedInt(7), cardinality=20_000, sequential=False)
        ticket: UUID = bt.covered()

        subject: str = bt.covered()

        of_agent = bt.query("agent")

    return Ticket, Inbox


@good("hosts that are reversed")
def twentyfifth_good_backlink() -> object:
    class Backlink(bt.Model, table="backlinks", events="5000/s"):
        """Who links to a site. Customers ask for one host, or for a whole registered name with all that is below it."""

        target: str = bt.key(bt.ReversedDomain(100), cardinality=40_000_000)
        source = bt.digest("page")

        links = bt.family("l", gc=bt.max_versions(1))
        page: str = bt.column("p", links, size=90, max_size=2_000)
        anchor: str = bt.column("a", links, size=30, max_size=500)

        of_target = bt.query("target")
        below = bt.query(starting="target")

    return Backlink


@good("the digest of a plate that is not stored")
def twentyfifth_good_plate_read() -> object:
    class PlateRead(bt.Model, table="plate_reads", events="1200/s"):
        """What the cameras of the car parks have read: which vehicle came by when. The number itself is not kept."""

        vehicle = bt.digest("plate")
        at: datetime = bt.key(bt.EpochMillis(round=True))
        plate: str | None = bt.key(bt.Text(max_length=12), stored=False, cardinality=30_000_000, pii=True)

        r = bt.family("r", gc=bt.max_age(days=30))
        camera: int = bt.column("c", r)
        confidence: float = bt.column("q", r)

        of_plate = bt.query("plate", between="at", span="1day")

    return PlateRead


@good("mailboxes, and the newest mail first")
def twentyfifth_good_mailbox() -> object:
    class Mail(bt.Model, table="mails", events="7000/s"):
        """A message in a folder of a mailbox, the newest first."""

        mailbox: UUID = bt.key(bt.UuidRaw(), cardinality=25_000_000)
        folder: int = bt.key(bt.PaddedInt(3), cardinality=200, sequential=False)
        received: datetime = bt.key(bt.ReversedMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=90_000_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        b = bt.family("b", gc=bt.max_versions(1))
        subject: str = bt.column("s", h, size=60, max_size=1_000)
        flags: set[str] = bt.members(h, bt.Text(max_length=12), prefix="flag:", entries=20)
        body: bytes = bt.column("b", b, size=9_000, max_size=900_000)

        of_folder = bt.query("mailbox", "folder", newest=True)

    return Mail


@good("answers that expire after a day")
def twentyfifth_good_idempotency() -> object:
    class Request(bt.Model, table="requests", events="15000/s"):
        """Payments that a merchant may send twice: the answer of the first, under the key that the merchant chose, for a day."""

        merchant: str = bt.key(bt.HexDigest(12), cardinality=200_000)
        key: str = bt.key(bt.Text(max_length=64), cardinality=1_200_000_000)
        until: datetime = bt.expires(round=True)

        r = bt.family("r", gc=bt.max_age(seconds=1))
        status: int = bt.column("s", r)
        answer: str = bt.column("a", r, size=600, max_size=20_000)

        of_key = bt.query("merchant", "key")

    return Request


@good("16 salts in front of the time")
def twentyfifth_good_firehose() -> object:
    class Firehose(bt.Model, table="firehose", events="60000/s"):
        """All posts of the network in order of time, for the partners who replay spans of it."""

        lane = bt.salt("id", buckets=16)
        at: datetime = bt.key(bt.EpochMicros())
        id: UUID = bt.key(bt.UuidRaw(), cardinality=50_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=7))
        author: int = bt.column("a", p)
        text: str = bt.column("t", p, size=140, max_size=1_200)

        replay = bt.query(between="at", span="10min")

    return Firehose


@good("positions of a genome, padded, in no order of time")
def twentyfifth_good_variant() -> object:
    class Variant(bt.Model, table="variants", events="3000/s"):
        """A variant of the genome and how often it was seen. Browsers ask for a region of a chromosome."""

        chromosome: str = bt.key(bt.Text(width=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9), cardinality=250_000_000, sequential=False)
        change: str = bt.key(bt.Text(max_length=60))

        v = bt.family("v", gc=bt.max_versions(1))
        samples: int = bt.column("n", v)
        annotation: dict[str, str] = bt.mapping(
            v, bt.Text(max_length=30), prefix="a:", size=40, max_size=400, entries=40
        )

        region = bt.query("chromosome", between="position")

    return Variant


@good("a column for each quarter of an hour")
def twentyfifth_good_feed_in() -> object:
    class FeedIn(bt.Model, table="feed_in", bucket="day", events="900/s", lateness="1d"):
        """What a solar plant fed into the grid in each quarter of an hour, settled the day after."""

        plant: int = bt.key(bt.PaddedInt(9), cardinality=800_000, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        k = bt.family("k", gc=bt.max_versions(1))
        kwh: bt.Slots[Decimal] = bt.slots(k, every="15min", qualifier="%H%M")

        of_plant = bt.query("plant", between="day", span="31days")

    return FeedIn


@good("the time in front, at two in a second")
def twentyfifth_good_deploy() -> object:
    class Deploy(bt.Model, table="deploys", events="2/s"):
        """What was deployed, by time: whoever is on call looks at the last hour of all services."""

        at: datetime = bt.key(bt.ReversedMillis(round=True))
        service: str = bt.key(bt.Text(max_length=40), cardinality=3_000)

        d = bt.family("d", gc=bt.max_age(days=90))
        revision: str = bt.column("r", d, max_size=40)
        by_bot: bool = bt.column("b", d)

        lately = bt.query(between="at", newest=True, span="1h")

    return Deploy
