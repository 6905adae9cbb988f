"""An eighteenth set of designs by people who had not read the rules: the faulty ones."""

import os
import time
from datetime import UTC, date, datetime
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Card payments of a payment provider",
    "KEY002",
    verdict="error",
    says=("`{salt}#{id}`",),
    never=("{merchant}#{id}",),
)
def eighteenth_payment() -> object:
    def new_id() -> UUID:
        """A UUID of version 7: 48 bits of milliseconds since 1970, then random bits."""
        millis = time.time_ns() // 1_000_000
        rest = int.from_bytes(os.urandom(10), "big")
        value = (millis << 80) | rest
        value = (value & ~(0xF << 76)) | (7 << 76)
        value = (value & ~(0x3 << 62)) | (2 << 62)
        return UUID(int=value)

    class Payment(bt.Model, table="PAYMENTS", events="12000/s"):
        """A payment by card. It gets its id from our gateway as it arrives, and is looked up by that id."""

        id: UUID = bt.key(bt.UuidRaw(), default_factory=new_id, cardinality=30_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        merchant: str = bt.column("m", p, size=12, max_size=20)
        cents: int = bt.column("c", p)
        received: datetime = bt.column("r", p, default_factory=lambda: datetime.now(UTC))

        of_id = bt.query("id")

    return Payment


@bad("Visits to the pages of a travel portal, by date and country", "KEY001", verdict="error")
def eighteenth_visit() -> object:
    class Visit(bt.Model, table="VISITS", events="50000/s"):
        """A visit to a page. Reports ask for a country and a day, so the key names the day, then the country."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        country: str = bt.key(bt.Text(width=2), cardinality=60, skew="70%:3")
        at: datetime = bt.key(bt.EpochMillis())
        visitor: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

        v = bt.family("v", gc=bt.max_age("180d"))
        city: str = bt.column("city", v, size=10, max_size=60)
        page: str = bt.column("page", v, size=40, max_size=500)

        of_country = bt.query("day", "country")

    return Visit


@bad(
    "Vibrations of wind turbines",
    "ROW003",
    verdict="error",
    says=('bucket="minute"', '`of_turbine = bt.query("turbine", between="minute")`'),
)
def eighteenth_turbine() -> object:
    class Turbine(bt.Model, table="TURBINE", events="40000/s"):
        """A turbine with everything that its vibration sensor has measured since it was built."""

        turbine: str = bt.key(bt.Text(width=8), cardinality=4_000)

        about = bt.family("a", gc=bt.max_versions(1))
        model: str = bt.column("model", about, size=12, max_size=40)
        v = bt.family("v", gc=bt.keep_all())
        vibration: bt.History[float] = bt.history("x", v, every="100ms")

        of_turbine = bt.query("turbine")

    return Turbine


@bad("Likes of posts in a social network", "KEY013", verdict="warning")
def eighteenth_post() -> object:
    class Post(bt.Model, table="POSTS", events="60000/s"):
        """A post and how often it is liked. When a celebrity posts, thousands of people like it at the same second."""

        post: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        likes: int | None = bt.column("likes", p, default=None, increments="4000/s")
        text: str | None = bt.column("text", p, default=None, size=120, max_size=2_000)

        of_post = bt.query("post")

    return Post


@bad("Parcels in the depots of a delivery service", "KEY021", verdict="warning")
def eighteenth_parcel() -> object:
    class Status(StrEnum):
        ARRIVED = "arrived"
        SORTED = "sorted"
        LOADED = "loaded"
        LEFT = "left"

    class Parcel(bt.Model, table="PARCELS", events="900/s"):
        """A parcel in a depot. A screen shows the parcels of a depot that have a status; a parcel goes through four of them."""

        depot: str = bt.key(bt.Text(width=4), cardinality=300)
        status: Status = bt.key(bt.EnumText(Status), changes=True)
        parcel: str = bt.key(bt.HexDigest(12), cardinality=400_000_000)

        f = bt.family("f", gc=bt.max_age("60d"))
        weight: int = bt.column("w", f)
        since: datetime = bt.column("s", f)

        of_status = bt.query("depot", "status")

    return Parcel


@bad(
    "Places on a map",
    "QRY005",
    verdict="warning",
    says=("keep the exact values as columns, `latitude`, `longitude`", "a prefix of fewer is a larger cell"),
)
def eighteenth_place() -> object:
    class Place(bt.Model, table="PLACES", events="20/s"):
        """A place, such as a restaurant or a bus stop, and where it is. The map of the app shows the places in a rectangle of ten by ten
        kilometres each time that somebody moves it. Latitude and longitude are in millionths of a degree, counted from -90 and -180 degrees.
        """

        latitude: int = bt.key(bt.PaddedInt(9), cardinality=100_000_000, sequential=False)
        id: str = bt.key(bt.HexDigest(12), cardinality=200_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        longitude: int = bt.column("lon", f, cardinality=150_000_000)
        name: str = bt.column("name", f, size=25, max_size=100)

        on_map = bt.query(between="latitude", where=["longitude"])

    return Place


@bad("Requests to the servers of a content delivery network", "KEY001", verdict="error")
def eighteenth_request() -> object:
    class Request(bt.Model, table="REQUESTS", events="30000/s"):
        """A request to an edge server. The days are salted, so that the requests are spread over twenty parts of the table."""

        shard = bt.salt("day", buckets=20)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        at: datetime = bt.key(bt.EpochMillis())
        request: str = bt.key(bt.HexDigest(16), cardinality=70_000_000_000)

        r = bt.family("r", gc=bt.max_age("30d"))
        status: int = bt.column("s", r)
        path: str = bt.column("p", r, size=60, max_size=2_000)

        of_day = bt.query("day", between="at", span="1min")

    return Request


@bad(
    "Thermostats of a heating company",
    "FAM006",
    "FIG002",
    verdict="error",
    says=("gc=bt.max_versions(1) & bt.max_age(days=90)",),
    never=("max_versions(8)", " | bt.max_age"),
)
def eighteenth_thermostat() -> object:
    class Thermostat(bt.Model, table="THERMOSTATS", events="5/s"):
        """A thermostat and the temperatures that were set on it: the last one counts until somebody sets another, and for
        support we keep at least those of the last 30 days.
        """

        thermostat: str = bt.key(bt.HexDigest(10), cardinality=2_000_000)

        t = bt.family("t", gc=bt.max_versions(1) | bt.max_age("30d"))
        target: bt.History[float] = bt.history("set", t, every="60d")

        of_thermostat = bt.query("thermostat")

    return Thermostat


@bad("Blood glucose of patients", "FAM006", verdict="error")
def eighteenth_glucose_day() -> object:
    class GlucoseDay(bt.Model, table="GLUCOSE", bucket="day", events="8000/min"):
        """What the sensor of a patient measured on a day: a doctor looks at the whole curve of the day."""

        patient: str = bt.key(bt.HexDigest(12), cardinality=40_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        g = bt.family("g", gc=bt.max_versions(96))
        glucose: bt.History[int] = bt.history("mg", g, every="5min")

        of_patient = bt.query("patient", between="day", span="14days")

    return GlucoseDay


@bad("Where the trucks of a haulier are", "ROW008", verdict="warning")
def eighteenth_position() -> object:
    class Position(bt.Model, table="POSITIONS", events="3000/s", lateness="6h"):
        """A position of a truck. A truck without a network keeps its positions, and sends them up to six hours later."""

        truck: str = bt.key(bt.Text(width=10), cardinality=60_000)
        at: datetime = bt.key(bt.EpochMillis())

        p = bt.family("p", gc=bt.max_age("90d"))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)

        of_truck = bt.query("truck", between="at", span="1day")

    class LastPosition(bt.Model, table="LAST_POSITIONS", events="3000/s", lateness="6h"):
        """Where a truck is now, for the map of the dispatchers."""

        truck: str = bt.key(bt.Text(width=10), cardinality=60_000)

        p = bt.family("p", gc=bt.max_versions(1))
        at: datetime = bt.column("at", p)
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)

        of_truck = bt.query("truck")

    bt.twins(Position, LastPosition)

    return Position, LastPosition


@bad("Clicks in web shops", "KEY017", verdict="error")
def eighteenth_click() -> object:
    class Click(bt.Model, table="CLICKS", events="20000/s"):
        """A click in a shop. Every click counts: the shop pays for them."""

        shop: str = bt.key(bt.Text(width=8), cardinality=500)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        c = bt.family("c", gc=bt.max_versions(1))
        article: str = bt.column("a", c, size=10, max_size=20)
        visitor: str = bt.column("v", c, size=16, max_size=16)

        of_shop = bt.query("shop", between="at", span="1h")

    return Click


@bad("Releases in a registry of packages", "KEY007", verdict="warning")
def eighteenth_release() -> object:
    class Release(bt.Model, table="RELEASES", events="2/s"):
        """A release of a package, such as 1.9.0 or 1.12.0. An installer asks for the releases from one version up to another one."""

        package: str = bt.key(bt.Text(max_length=60), cardinality=600_000)
        version: str = bt.key(bt.Text(max_length=20), cardinality=50_000)

        r = bt.family("r", gc=bt.max_versions(1))
        uploaded: datetime = bt.column("u", r)
        digest: bytes = bt.column("d", r, size=32, max_size=32)

        between_versions = bt.query("package", between="version")

    return Release


@bad(
    "Mails that a newsletter service has to send",
    "ROW009",
    verdict="warning",
    says=("remember how far each reader came",),
)
def eighteenth_outgoing() -> object:
    class Outgoing(bt.Model, table="OUTGOING", events="3000/s"):
        """A mail that waits to be sent. Workers poll a shard for its oldest mails ten times a second, send them, and delete their rows."""

        shard = bt.salt("mail", buckets=16)
        at: datetime = bt.key(bt.EpochMillis())
        mail: str = bt.key(bt.HexDigest(16), cardinality=1_000_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        to: str = bt.column("to", m, size=25, max_size=254)
        template: str = bt.column("t", m, size=10, max_size=20)

        oldest = bt.query(between="at")

    return Outgoing


@bad("Stock of the shops of a franchise", "FAM001", verdict="warning")
def eighteenth_stock() -> object:
    class Stock(bt.Model, table="STOCK", events="700/s"):
        """How many pieces of an article a shop has. Each of the 6,000 shops has a column family, so that its stock can be read alone."""

        article: str = bt.key(bt.Text(width=13), cardinality=300_000)

        shop = bt.family("shop_{shop}", gc=bt.max_versions(1))
        pieces: int = bt.column("n", shop)
        shelf: str | None = bt.column("s", shop, default=None, size=4, max_size=8)

        of_article = bt.query("article")

    return Stock


@bad(
    "Shopping carts of a supermarket that delivers",
    "COL009",
    verdict="warning",
    says=("`articles: dict[str, dict[str, str]] = bt.mapping(c",),
)
def eighteenth_cart() -> object:
    class Cart(bt.Model, table="CARTS", events="1500/s"):
        """The cart of a household. Its members fill it at the same time from their phones: a phone reads the cart, adds an article to the list
        and puts the row.
        """

        household: str = bt.key(bt.HexDigest(12), cardinality=8_000_000)

        c = bt.family("c", gc=bt.max_versions(1) | bt.max_age("60d"))
        articles: list[dict[str, str]] = bt.column("articles", c, size=12_000, max_size=80_000)
        changed: datetime = bt.column("changed", c)

        of_household = bt.query("household")

    return Cart


@bad("Teams and people of an intranet", "TAB005", verdict="error")
def eighteenth_team() -> object:
    class Team(bt.Model, table="DIRECTORY", events="1/s"):
        """A team, by its short name, such as `ops` or `anna`."""

        team: str = bt.key(bt.Text(max_length=20), cardinality=9_000)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("name", f, size=20, max_size=80)
        head: str = bt.column("head", f, size=8, max_size=20)

        of_team = bt.query("team")

    class Person(bt.Model, table="DIRECTORY", events="5/s"):
        """Somebody who works here, by the short name that the person chose."""

        login: str = bt.key(bt.Text(max_length=20), cardinality=120_000)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("name", f, size=20, max_size=80)
        room: str = bt.column("room", f, size=6, max_size=10)

        of_person = bt.query("login")

    return Team, Person


@bad(
    "The ledger of a bank",
    "ROW004",
    verdict="warning",
    says=("under the key `{transfer}`", "write a copy of each part to a second table"),
    never=("each row changes for itself",),
)
def eighteenth_entry() -> object:
    class Entry(bt.Model, table="LEDGER", events="4000/s", atomic="transfer"):
        """An entry of an account. A transfer has one in each of its two accounts, and both are booked or none is."""

        account: str = bt.key(bt.Text(width=22), cardinality=30_000_000)
        transfer: str = bt.key(bt.HexDigest(16), cardinality=20_000_000_000)

        e = bt.family("e", gc=bt.keep_all())
        cents: int = bt.column("c", e)
        booked: datetime = bt.column("b", e)

        of_account = bt.query("account")

    return Entry


@bad("Bookings of a chain of hotels", "KEY004", "QRY001", verdict="warning")
def eighteenth_booking() -> object:
    class Booking(bt.Model, table="BOOKINGS", events="60/s"):
        """A stay that a guest has booked. Keys are hashes, so that the table is spread; the page "my bookings" shows the stays of a guest."""

        id = bt.digest("guest", "hotel", "arrival")

        b = bt.family("b", gc=bt.keep_all())
        guest: str = bt.column("guest", b, size=12, max_size=12, cardinality=50_000_000)
        hotel: str = bt.column("hotel", b, size=6, max_size=6, cardinality=4_000)
        arrival: date = bt.column("arrival", b)
        nights: int = bt.column("nights", b)

        my_bookings = bt.query(scan="the page of a guest", where=["guest"])
        of_booking = bt.query("guest", "hotel", "arrival")

    return Booking


@bad("Pages that a crawler has fetched", "KEY011", verdict="warning")
def eighteenth_fetched() -> object:
    class Fetched(bt.Model, table="FETCHED", events="2500/s"):
        """A page of a host. A report lists the pages of a registered domain with those of its subdomains: example.com, shop.example.com, ..."""

        host: str = bt.key(bt.Text(max_length=80), cardinality=40_000_000, domain=True)
        path: str = bt.key(bt.Text(max_length=400), size=40)

        f = bt.family("f", gc=bt.max_versions(1))
        at: datetime = bt.column("at", f)
        status: int = bt.column("s", f)

        of_domain = bt.query(starting="host")

    return Fetched


@bad("Players of a mobile game", "FAM005", "FAM005|FAM010", verdict="error")
def eighteenth_player() -> object:
    class Player(bt.Model, table="PLAYERS", events="2000/s"):
        """A player. The name is written once, when the player registers; scores are of no interest after a month."""

        player: str = bt.key(bt.HexDigest(12), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_age("30d"))
        name: str = bt.column("name", p, size=10, max_size=30, keep=bt.max_versions(1))
        registered: datetime = bt.column("reg", p, keep=bt.max_versions(1))
        score: int | None = bt.column("score", p, default=None)

        of_player = bt.query("player")

    return Player


@bad("Electricity that customers are billed for", "FAM006", verdict="warning")
def eighteenth_consumption() -> object:
    class Consumption(bt.Model, table="CONSUMPTION", events="7000/s"):
        """What a meter has counted in fifteen minutes."""

        meter: str = bt.key(bt.Text(width=14), cardinality=6_000_000)
        at: datetime = bt.key(bt.EpochSeconds())

        c = bt.family("c", gc=bt.max_age("10d"))
        watt_hours: int = bt.column("wh", c)

        of_meter = bt.query("meter", between="at", span="1day")

    class Bill(bt.Rollup, of=Consumption, view="BILL"):
        """What a customer has used in a month. The bill is written on the first day of the next one."""

        meter: str = bt.key(bt.Text(width=14))
        month: date = bt.key(bt.DateText("%Y%m"), of="at")

        watt_hours: int = bt.sum_of("watt_hours")

        of_meter = bt.query("meter", "month")

    return Consumption, Bill


@bad(
    "Tickets of a help desk",
    "TAB008",
    verdict="warning",
    says=("a column that each row has", '`where={"resolution": bt.present()}`'),
)
def eighteenth_ticket() -> object:
    class Ticket(bt.Model, table="TICKETS", events="80/s"):
        """A ticket. It has a resolution once it is closed."""

        id: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        customer: str = bt.column("customer", t, size=10, max_size=20)
        opened: datetime = bt.column("opened", t)
        subject: str = bt.column("subject", t, size=50, max_size=200)
        resolution: str | None = bt.column("resolution", t, default=None, size=100, max_size=1_000)

    class TicketOfCustomer(bt.Index, of=Ticket, view="TICKET_OF_CUSTOMER"):
        """All tickets of a customer, open and closed ones, the newest first."""

        customer: str = bt.key(bt.Text(max_length=20), cardinality=2_000_000)
        newest: datetime = bt.key(bt.ReversedMillis(), of="opened")
        id: str = bt.covered()

        resolution: str | None = bt.covered()

        of_customer = bt.query("customer")

    return Ticket, TicketOfCustomer
