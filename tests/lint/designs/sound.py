"""Sound designs of twenty domains that look like faults, with what makes them look so."""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID, uuid4

from published import good

import btmodel as bt


@good("Telemetry of a fleet of scooters: reversed time, but behind 500,000 evenly spread scooters")
def scooter_pings() -> object:
    class ScooterPing(bt.Model, table="SCOOTER_PING", events="50000/s"):
        """A message of a scooter, the newest first."""

        scooter: str = bt.key(bt.HexDigest(12), cardinality=500_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=90))
        lat: float = bt.column("lat", p)
        lon: float = bt.column("lon", p)
        charge: int = bt.column("ch", p)

        of_scooter = bt.query("scooter", between="at", span="1h")

    return ScooterPing


@good(
    "Who changed what in the admin console of a small company: time first, but 3 rows a minute and queries by time only"
)
def admin_changes() -> object:
    class AdminChange(bt.Model, table="ADMIN_CHANGE", events="3/min"):
        """A change, by its time."""

        at: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidText(), default_factory=uuid4)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=730))
        admin: str = bt.column("a", f, size=8, max_size=40)
        change: str = bt.column("c", f, size=120, max_size=4_000)

        during = bt.query(between="at", span="7d")

    return AdminChange


@good(
    "Invoices of a wholesaler: sequential number first, but 2 rows a minute and ranges of numbers are asked"
)
def numbered_invoices() -> object:
    class Invoice(bt.Model, table="INVOICE", events="2/min"):
        """An invoice, by its number."""

        number: int = bt.key(bt.PaddedInt(9), cardinality=10_000_000, sequential=True)

        i = bt.family("i", gc=bt.max_versions(1) | bt.max_age(days=3653))
        customer: str = bt.column("c", i, size=10, max_size=20)
        cents: int = bt.column("amt", i)
        due: date = bt.column("due", i)
        pdf: bytes | None = bt.column("pdf", i, size=60_000, max_size=900_000, default=None)

        numbers = bt.query(between="number")

    return Invoice


@good(
    "Fraud alerts of all card transactions, replayed by time: time behind a salt of 20 from a random id, for replays of all cards"
)
def fraud_alerts() -> object:
    class FraudAlert(bt.Model, table="FRAUD_ALERT", events="8000/s"):
        """An alert, by its time."""

        shard = bt.salt("alert", buckets=20)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        alert: str = bt.key(bt.HexDigest(16), cardinality=20_000_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=30))
        score: float = bt.column("s", f)
        card: str = bt.column("c", f, size=16, max_size=24)
        reason: str = bt.column("r", f, size=40, max_size=300)

        replay = bt.query(between="at", span="10min")

    return FraudAlert


@good("Previews of links that users post: hash in front, links are only looked up")
def link_previews() -> object:
    class LinkPreview(bt.Model, table="LINK_PREVIEW", events="600/s"):
        """The preview of a link, by the hash of its address."""

        id = bt.digest("link")

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=7))
        link: str = bt.column("l", p, size=90, max_size=2_000)
        title: str | None = bt.column("t", p, size=60, max_size=300, default=None)
        image: bytes | None = bt.column("i", p, size=12_000, max_size=200_000, default=None)

        of_link = bt.query("link")

    return LinkPreview


@good("Thermostats in four regions: only 4 regions in front, but 2,000,000 hashed devices before the day")
def thermostat_days() -> object:
    class Region(StrEnum):
        EU = "eu"
        US = "us"
        ASIA = "as"
        LATAM = "la"

    class ThermostatDay(bt.Model, table="THERMOSTAT_DAY", bucket="day", events="6700/s"):
        """A day of a thermostat."""

        region: Region = bt.key(bt.EnumText(Region), cardinality=4)
        device: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        day: date = bt.key(bt.DateText())

        t = bt.family("t", gc=bt.max_age(days=400))
        celsius: bt.History[float] = bt.history("c", t, every="5min")

        of_device = bt.query("region", "device", between="day", span="30d")

    return ThermostatDay


@good("Measurements of feeders in substations: 48,000 feeders before the time")
def phasors() -> object:
    class Phasor(bt.Model, table="PHASOR", events="2400/s"):
        """A phasor of a feeder."""

        substation: str = bt.key(bt.Text(width=6), cardinality=1_200)
        feeder: int = bt.key(bt.PaddedInt(2), cardinality=40)
        at: datetime = bt.key(bt.EpochMillis(round=True))

        m = bt.family("m", gc=bt.max_versions(1) | bt.max_age(days=366))
        volts: float = bt.column("v", m)
        amperes: float = bt.column("a", m)
        angle: float = bt.column("phi", m)

        of_feeder = bt.query("substation", "feeder", between="at", span="1h")

    return Phasor


@good("Loyalty accounts of a supermarket chain: sequential, but its digits are reversed")
def loyalty_accounts() -> object:
    class LoyaltyAccount(bt.Model, table="LOYALTY_ACCOUNT", events="9000/s"):
        """An account, by its number."""

        number: int = bt.key(bt.ReversedDigits(12), cardinality=60_000_000, sequential=True)

        a = bt.family("a", gc=bt.max_versions(1))
        points: int = bt.column("pts", a, default=0)
        tier: str = bt.column("tier", a, size=6, max_size=12, default="basic")
        shopped: datetime | None = bt.column("t", a, default=None)

        of_account = bt.query("number")

    return LoyaltyAccount


@good(
    "Messages of a messenger: kept for good, a row per message, reversed time behind 50,000,000 conversations"
)
def conversation_messages() -> object:
    class Message(bt.Model, table="MESSAGE", events="35000/s"):
        """A message of a conversation, the newest first."""

        conversation: UUID = bt.key(bt.UuidText(), cardinality=50_000_000, sequential=False)
        sent: datetime = bt.key(bt.ReversedMillis(round=True))
        sender: str = bt.key(bt.HexDigest(8), cardinality=100_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        text: str = bt.column("t", m, size=80, max_size=8_000)
        edited: datetime | None = bt.column("e", m, default=None)

        of_conversation = bt.query("conversation", between="sent")

    return Message


@good(
    "Features of users for a recommender: rewritten a lot, but one version is kept, and an age for unused features"
)
def user_features() -> object:
    class UserFeatures(bt.Model, table="USER_FEATURES", events="30000/s"):
        """The newest features of a user."""

        user: str = bt.key(bt.HexDigest(16), cardinality=80_000_000, pii=False)

        e = bt.family("e", gc=bt.max_versions(1) | bt.max_age(days=30))
        embedding: bytes | None = bt.column("v", e, size=512, max_size=1_024, default=None)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=30))
        scores: dict[str, float] = bt.mapping(s, bt.Text(max_length=30), entries=120)

        of_user = bt.query("user")

    return UserFeatures


@good(
    "Quarter-hours of electricity meters, for the invoices of two years: append only with many versions, bounded by bucket (96 a day) and age; lateness far below the age"
)
def load_days() -> object:
    class LoadDay(bt.Model, table="LOAD_DAY", bucket="day", events="4500/s", lateness="3d"):
        """A day of a meter."""

        meter: int = bt.key(bt.PaddedInt(10), cardinality=4_000_000, sequential=False)
        day: date = bt.key(bt.DateText())

        q = bt.family("q", gc=bt.max_age(days=800))
        kilowatts: bt.History[float] = bt.history("kw", q, every="15min")

        of_meter = bt.query("meter", between="day", span="31d")

    return LoadDay


@good(
    "How often a video was watched, by the hour and by the day: counters with an end in families with an age; 20/s on the hottest row"
)
def video_views() -> object:
    class VideoViews(bt.Model, table="VIDEO_VIEWS", events="2000/s"):
        """The views of a video."""

        video: str = bt.key(bt.Text(width=11), cardinality=3_000_000, sequential=False)

        h = bt.family("h", gc=bt.max_age(days=30), aggregate="sum")
        d = bt.family("d", gc=bt.max_age(days=730), aggregate="sum")
        hours: bt.History[int] = bt.counter("v", h, every="1h", increments="20/s")
        days: bt.History[int] = bt.counter("v", d, every="1day", increments="20/s")

        of_video = bt.query("video")

    return VideoViews


@good("Leases on the cranes of a container terminal: age of 1 s, but the timestamps are the end of life")
def crane_leases() -> object:
    class CraneLease(bt.Model, table="CRANE_LEASE", events="6/s"):
        """Who controls a crane, and until when."""

        crane: str = bt.key(bt.Text(max_length=12), cardinality=60)
        until: datetime = bt.expires(round=True)

        f = bt.family("f", gc=bt.max_age(seconds=1))
        controller: str = bt.column("c", f, size=36, max_size=36)
        reason: str | None = bt.column("r", f, size=20, max_size=80, default=None)

        of_crane = bt.query("crane")

    return CraneLease


@good("Builds of a CI service: sequential downward number, but behind 400,000 repositories")
def repository_builds() -> object:
    class Build(bt.Model, table="BUILD", events="300/s"):
        """A build of a repository, the newest first."""

        repository: int = bt.key(bt.PaddedInt(9), cardinality=400_000, sequential=False)
        number: int = bt.key(bt.Descending(bt.PaddedInt(8)), cardinality=100_000, sequential=True)

        b = bt.family("b", gc=bt.max_versions(1) | bt.max_age(days=365))
        sha: str = bt.column("sha", b, size=40, max_size=40)
        passed: bool = bt.column("ok", b)
        ended: datetime = bt.column("end", b)

        of_repository = bt.query("repository", between="number")

    return Build


@good(
    "Variant calls of a biobank, one row per variant: low-cardinality chromosome and many rows, but behind the hashed sample; one row per variant"
)
def variant_rows() -> object:
    class Variant(bt.Model, table="VARIANT", events="90000/s"):
        """A variant of a sample at a place of its genome."""

        sample: str = bt.key(bt.HexDigest(16), cardinality=5_000)
        chromosome: str = bt.key(bt.Text(width=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9), cardinality=250_000_000, sequential=False)
        alleles: str = bt.key(bt.Text(max_length=60), cardinality=500, size=3)

        v = bt.family("v", gc=bt.max_versions(1))
        genotype: str = bt.column("gt", v, size=3, max_size=8)
        quality: int = bt.column("q", v)
        depth: int = bt.column("dp", v)

        region = bt.query("sample", "chromosome", between="position")

    return Variant


@good(
    "Sessions of an online bank: secret token is not stored, only its hash; an age of a day is what a session has"
)
def bank_sessions() -> object:
    class BankSession(bt.Model, table="BANK_SESSION", events="2500/s"):
        """A session, by the hash of its token."""

        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=64), stored=False, cardinality=200_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=1))
        customer: str = bt.column("c", f, size=16, max_size=16)
        began: datetime = bt.column("b", f)
        second_factor: bool = bt.column("mfa", f, default=False)

        of_token = bt.query("token")

    return BankSession


@good(
    "Bookings of hotel rooms, with an index by hotel and a rollup per hotel and day: query by hotel is served by an index, kept for good with its rollup"
)
def hotel_bookings() -> object:
    class Booking(bt.Model, table="BOOKING", events="90/s"):
        """A booking."""

        code: str = bt.key(bt.HexDigest(16), cardinality=400_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        hotel: str = bt.column("h", b, size=8, max_size=8, cardinality=200_000)
        arrival: date = bt.column("in", b)
        nights: int = bt.column("n", b)
        cents: int = bt.column("amt", b)

        of_code = bt.query("code")

    class ArrivalOfHotel(bt.Index, of=Booking, view="ARRIVAL_OF_HOTEL"):
        """The bookings of a hotel, by the day of arrival."""

        hotel: str = bt.key(bt.Text(width=8), cardinality=200_000)
        arrival: date = bt.key(bt.DateText())
        code: str = bt.covered()
        nights: int = bt.covered()

        of_hotel = bt.query("hotel", between="arrival")

    class RevenueOfDay(bt.Rollup, of=Booking, view="REVENUE_OF_DAY"):
        """What the guests of a hotel pay who arrive on a day."""

        hotel: str = bt.key(bt.Text(width=8), cardinality=200_000)
        arrival: date = bt.key(bt.DateText())

        bookings: int = bt.count()
        cents: int = bt.sum_of("cents")

        of_hotel = bt.query("hotel", between="arrival")

    return Booking, ArrivalOfHotel, RevenueOfDay


@good("Backlinks found by a crawler: domains reversed, pages hashed behind")
def backlink_pages() -> object:
    class BacklinkPage(bt.Model, table="BACKLINK_PAGE", events="5000/s"):
        """A page and how many links it has, by the reversed domain of its host."""

        host: str = bt.key(bt.ReversedDomain(100), cardinality=60_000_000, size=18)
        page: str = bt.key(bt.HexDigest(32), cardinality=20_000_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=180))
        path: str = bt.column("p", f, size=60, max_size=2_000)
        links: int = bt.column("n", f)
        seen: datetime = bt.column("t", f)

        of_domain = bt.query(starting="host")

    return BacklinkPage


@good("Flags of a website that operators change by hand: one row, but it is written 10 times a day")
def site_flags() -> object:
    class SiteFlags(bt.Model, table="SITE_FLAGS", events="10/day"):
        """All flags of the website, in one row."""

        name = bt.constant("flags")

        f = bt.family("f", gc=bt.max_versions(1))
        flags: dict[str, bool] = bt.mapping(f, bt.Text(max_length=40), entries=200)

        m = bt.family("m", gc=bt.max_versions(1))
        changed_by: str | None = bt.column("by", m, size=12, max_size=40, default=None)
        changed: datetime | None = bt.column("at", m, default=None)

    return SiteFlags


@good("Scanned newspapers of 150 years: date first, but of the newspaper and in no order of writing, at 20/s")
def scanned_pages() -> object:
    class ScannedPage(bt.Model, table="SCANNED_PAGE", events="20/s"):
        """A page of a newspaper of a day."""

        day: date = bt.key(bt.DateText(), cardinality=55_000, sequential=False)
        paper: str = bt.key(bt.Text(width=6), cardinality=900)
        page: int = bt.key(bt.PaddedInt(3), cardinality=80)

        t = bt.family("t", gc=bt.max_versions(1))
        text: str = bt.column("ocr", t, size=9_000, max_size=60_000)
        scan: str = bt.column("scan", t, size=70, max_size=200)

        of_day = bt.query("day")
        of_paper = bt.query("day", "paper")

    return ScannedPage


@good("Places in car parks: a sentence about what is so now, which the car park in front of it is not")
def places_of_car_parks() -> object:
    class Free(StrEnum):
        FREE = "free"
        TAKEN = "taken"

    class Place(bt.Model, table="PLACE", events="400/s"):
        """A place of a car park and whether a car stands in it now. The signs at the ramps read a level at a time."""

        park: str = bt.key(bt.Text(max_length=10), cardinality=2_600)
        level: int = bt.key(bt.PaddedInt(2), cardinality=9, sequential=False)
        place: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1))
        state: Free = bt.column("state", p, max_size=7)
        since: datetime = bt.column("since", p)

        of_level = bt.query("park", "level")

    return Place


@good("Water bills: one a month and connection, with the rate of the nights in which they are made")
def water_bills() -> object:
    class WaterBill(bt.Model, table="WATER_BILL", events="40/s"):
        """The water that a connection used in a month, and what it costs."""

        connection: str = bt.key(bt.Text(width=10), cardinality=3_000_000)
        month: date = bt.key(bt.DateText("%Y%m"))

        b = bt.family("b", gc=bt.max_versions(1))
        litres: int = bt.column("l", b)
        cents: int = bt.column("c", b)

        of_connection = bt.query("connection", between="month", span="365day")

    return WaterBill
