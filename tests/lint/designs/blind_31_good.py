"""A thirty-first set of designs by people who had not read the rules: the good ones."""

import hashlib
import hmac
import os
from datetime import date, datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from published import good

import btmodel as bt


class Verdict(StrEnum):
    PAID = "paid"
    PARTLY = "partly"
    REFUSED = "refused"


@good("Few rows a minute by their time")
def thirtyfirst_few_rows_a_minute_by_their_time() -> object:
    class Deployment(bt.Model, table="deployment", events="3/min"):
        """A deployment to production, by time. The incident page asks "what went out between
        14:00 and 15:00?", over all services. A few thousand a day at the very most."""

        at: datetime = bt.key(bt.EpochMillis(round=True))
        service: str = bt.key(bt.Text(max_length=40), cardinality=900)

        d = bt.family("d", gc=bt.max_age(days=730))
        commit: str = bt.column("commit", d, size=40, max_size=40)
        pipeline: str = bt.column("pipeline", d, size=30, max_size=100)

        during = bt.query(between="at", span="1h")

    return Deployment


@good("Consecutive numbers where all write")
def thirtyfirst_consecutive_numbers_where_all_write() -> object:
    class VehicleNow(bt.Model, table="vehicle_now", events="18000/s"):
        """The present position of a vehicle. Every vehicle that is on duty overwrites its row each
        five seconds. Numbers were handed out one after the other over 20 years, but old vehicles
        write as often as new ones. Late messages must not cover newer ones."""

        vehicle: int = bt.key(bt.PaddedInt(7), cardinality=90_000, sequential=False)
        measured: datetime = bt.timestamp(round=True)

        p = bt.family("p", gc=bt.max_versions(1))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)
        speed: int = bt.column("kmh", p, codec=bt.IntBytes(2, "big"))

    return VehicleNow


@good("Skew at a low rate")
def thirtyfirst_skew_at_a_low_rate() -> object:
    class ShopOrder(bt.Model, table="shop_order", events="150/s"):
        """An order of a shop on our platform, the newest first. Two shops make most of the orders, we know."""

        shop: str = bt.key(bt.Text(max_length=16), cardinality=11_000, skew="70%:2", tenant=True)
        placed: datetime = bt.key(bt.ReversedMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=800_000_000)

        o = bt.family("o", gc=bt.max_age(days=1100))
        cents: int = bt.column("cents", o)
        basket: bytes = bt.column("basket", o, size=500, max_size=20_000)

        of_shop = bt.query("shop", between="placed", newest=True, span="1day")

    return ShopOrder


@good("A ledger that is written once")
def thirtyfirst_a_ledger_that_is_written_once() -> object:
    class Entry(bt.Model, table="ledger_entry", events="600/s"):
        """An entry of an account in the ledger.

        Written once and never changed: a mistake is corrected by another entry. The law lets us
        delete nothing, so nothing is deleted.
        """

        account: str = bt.key(bt.HexDigest(16), cardinality=2_500_000)
        booked: datetime = bt.key(bt.EpochMicros())
        entry: UUID = bt.key(bt.UuidRaw(), cardinality=50_000_000_000)

        e = bt.family("e", gc=bt.keep_all())
        cents: int = bt.column("c", e)
        text: str = bt.column("t", e, size=40, max_size=140)

        of_account = bt.query("account", between="booked", span="31days")

    return Entry


@good("Buckets of a day and late events")
def thirtyfirst_buckets_of_a_day_and_late_events() -> object:
    class StationDay(bt.Model, table="air_station_day", bucket="day", events="500/s", lateness="6h"):
        """A day of a station that measures the air, once a minute. Modems buffer for up to six hours.
        We publish three years."""

        station: str = bt.key(bt.Text(width=8), cardinality=30_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        a = bt.family("a", gc=bt.max_age(days=1096))
        ozone: bt.History[float] = bt.history("o3", a, every="1min")
        dust: bt.History[float] = bt.history("pm10", a, every="1min")

        of_station = bt.query("station", between="day", span="7days")

    return StationDay


@good("A final verdict in the key")
def thirtyfirst_a_final_verdict_in_the_key() -> object:
    class ClosedClaim(bt.Model, table="closed_claim", events="25/s"):
        """A claim that is closed for good. The closing job writes it once, on the day on which the verdict
        becomes final; a claim that's opened again gets a new number."""

        insurer: str = bt.key(bt.Text(width=4), cardinality=300)
        verdict: Verdict = bt.key(bt.EnumText(Verdict), changes=False)
        closed: date = bt.key(bt.DateText("%Y%m%d"))
        claim: str = bt.key(bt.HexDigest(12), cardinality=400_000_000)

        c = bt.family("c", gc=bt.max_age(days=3653))
        paid_cents: int = bt.column("paid", c)
        reason: str = bt.column("why", c, size=80, max_size=1_000)

        of_insurer = bt.query("insurer", "verdict", between="closed", span="31days")

    return ClosedClaim


@good("A keyed hash of a person")
def thirtyfirst_a_keyed_hash_of_a_person() -> object:
    PEPPER = os.environ.get("CARD_PEPPER", "test").encode()

    def mark_of(card: str) -> str:
        return hmac.new(PEPPER, card.strip().encode(), hashlib.sha256).hexdigest()[:32]

    class PatientByCard(bt.Model, table="patient_by_card", events="40/s"):
        """Which record belongs to a health card. The card number itself is not stored, only its keyed hash."""

        mark = bt.derived(bt.HexDigest(32), "card", by=mark_of)
        card: str | None = bt.key(bt.Text(max_length=20), stored=False, cardinality=9_000_000, pii=True)

        p = bt.family("p", gc=bt.max_versions(1))
        record: str = bt.column("record", p, size=36, max_size=36)

        of_card = bt.query("card")

    return PatientByCard


@good("A scan of 400 rows")
def thirtyfirst_a_scan_of_400_rows() -> object:
    class Flag(bt.Model, table="feature_flag", events="10/day"):
        """A feature flag. There are about 400. Each of our sixty pods reads them all when it starts and once a minute after that."""

        name: str = bt.key(bt.Text(max_length=60), cardinality=400)

        f = bt.family("f", gc=bt.max_versions(1))
        percent: int = bt.column("pct", f, codec=bt.IntBytes(1, "big"))
        note: str | None = bt.column("note", f, size=50, max_size=300, default=None)

        every = bt.query(scan="400 small rows, all of which a pod keeps in memory")

    return Flag


@good("Padded versions")
def thirtyfirst_padded_versions() -> object:
    class Version(NamedTuple):
        """Major, minor, patch."""

        major: int
        minor: int
        patch: int

    class Firmware(bt.Model, table="firmware", events="20/day"):
        """A firmware of a router model; the updater asks for all versions above the one it runs, up to the newest."""

        router: str = bt.key(bt.Text(max_length=20), cardinality=150)
        version: Version = bt.key(
            bt.Joined((bt.PaddedInt(3), bt.PaddedInt(3), bt.PaddedInt(4)), ".", Version), cardinality=5_000
        )

        f = bt.family("f", gc=bt.max_versions(1))
        url: str = bt.column("url", f, size=90, max_size=300)
        sha256: bytes = bt.column("sum", f, size=32, max_size=32)
        built: date = bt.column("built", f)

        above = bt.query("router", between="version")

    return Firmware


@good("Cells of 2 MB with an age")
def thirtyfirst_cells_of_2_mb_with_an_age() -> object:
    class Thumbnail(bt.Model, table="thumbnail", events="350/s"):
        """A rendered preview of a document page. 90 kB on average, 2 MB where somebody embeds a photo. If it is missing we render it again,
        so it may go a month after it was made."""

        document: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)
        page: int = bt.key(bt.PaddedInt(4), cardinality=2_000, sequential=False)

        t = bt.family("t", gc=bt.max_age(days=30) | bt.max_versions(1))
        webp: bytes = bt.column("webp", t, size=90_000, max_size=2_000_000)

    return Thumbnail


@good("Counters flushed from memory")
def thirtyfirst_counters_flushed_from_memory() -> object:
    class Downloads(bt.Model, table="podcast_downloads", events="900/s"):
        """How often an episode was downloaded in each hour of the last 60 days.

        The edge servers add up in memory. One collector sends the sum of an episode every
        fifteen seconds, so even the most popular episode gets four additions a minute.
        """

        episode: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

        h = bt.family("h", gc=bt.max_age(days=60), aggregate="sum")
        hours: bt.History[int] = bt.counter("n", h, every="1h", increments="4/min")

    return Downloads


@good("A list of ten")
def thirtyfirst_a_list_of_ten() -> object:
    class RecentSearches(bt.Model, table="recent_searches", events="1200/s"):
        """The last ten things somebody searched for, newest first. The session service is the only writer: it
        drops the eleventh and writes the list whole. If one gets lost, nobody minds."""

        user: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)

        s = bt.family("s", gc=bt.max_age(days=90) | bt.max_versions(1))
        terms: list[str] = bt.column("terms", s, size=250, max_size=1_500)

    return RecentSearches


@good("A salted list of work with a kept mark")
def thirtyfirst_a_salted_list_of_work_with_a_kept_mark() -> object:
    class Retry(bt.Model, table="webhook_retry", events="16000/s"):
        """A webhook to call again, by the time at which it is due. We make 200,000 calls a second, and 8 % fail.

        The scheduler looks each ten seconds at what became due since the mark that it has kept, never
        at the beginning of the table. Each attempt is a row of its own, written once: if it fails too, the
        next one is another row with another id. We give up after two days.
        """

        lane = bt.salt("id", buckets=8)
        due: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=2_000_000_000)

        w = bt.family("w", gc=bt.max_age(days=7) | bt.max_versions(1))
        url: str = bt.column("url", w, size=80, max_size=1_000)
        body: bytes = bt.column("body", w, size=900, max_size=50_000)
        attempt: int = bt.column("n", w, codec=bt.IntBytes(1, "big"))

        due_between = bt.query(between="due", span="1min")

    return Retry


@good("A reading each quarter hour under its second")
def thirtyfirst_a_reading_each_quarter_hour_under_its_second() -> object:
    class HeatReading(bt.Model, table="heat_reading", events="550/s"):
        """A reading of a heat meter, at each full quarter of an hour, never two at once. Sent again = the same reading, and may overwrite."""

        meter: str = bt.key(bt.Text(width=10), cardinality=500_000)
        at: datetime = bt.key(bt.EpochSeconds())

        r = bt.family("r", gc=bt.max_age(days=1200))
        kilowatt_hours: float = bt.column("kwh", r)
        flow: float = bt.column("flow", r)

        of_meter = bt.query("meter", between="at", span="1day")

    return HeatReading


@good("An index by agent")
def thirtyfirst_an_index_by_agent() -> object:
    class Ticket(bt.Model, table="ticket", events="30/s"):
        """A support ticket. It goes from agent to agent, that's why the agent is a column."""

        id: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        agent: str = bt.column("agent", t, codec=bt.AsInKey(bt.Text(width=8)), cardinality=6_000)
        opened: datetime = bt.column("opened", t)
        subject: str = bt.column("subject", t, size=60, max_size=200)

    class TicketOfAgent(bt.Index, of=Ticket, view="ticket_of_agent"):
        """The tickets that an agent has, for the inbox. Some seconds of delay don't matter there."""

        agent: str = bt.key(bt.Text(width=8))
        opened: datetime = bt.key(bt.EpochMicros())
        id: UUID = bt.covered()

        subject: str = bt.covered()

        of_agent = bt.query("agent", between="opened")

    return (Ticket, TicketOfAgent)


@good("A daily rollup within its age")
def thirtyfirst_a_daily_rollup_within_its_age() -> object:
    class Ride(bt.Model, table="ride", events="90/s"):
        """A ride that was paid."""

        driver: str = bt.key(bt.HexDigest(10), cardinality=70_000)
        ended: datetime = bt.key(bt.EpochMicros())
        id: UUID = bt.key(bt.UuidText(), cardinality=3_000_000_000)

        r = bt.family("r", gc=bt.max_age(days=800))
        cents: int = bt.column("cents", r)
        metres: int = bt.column("m", r)

        of_driver = bt.query("driver", between="ended", span="1day")

    class DriverDay(bt.Rollup, of=Ride, view="driver_day"):
        """What a driver has made on a day; shown for the last two years."""

        driver: str = bt.key(bt.HexDigest(10), cardinality=70_000)
        day: date = bt.key(bt.DateText("%Y%m%d"), of="ended")

        rides: int = bt.count()
        cents: int = bt.sum_of("cents")

        of_driver = bt.query("driver", between="day")

    return (Ride, DriverDay)


@good("Twins with whole keys")
def thirtyfirst_twins_with_whole_keys() -> object:
    class Message(bt.Model, table="room_message", events="2200/s"):
        """A message in a room, kept for a year."""

        room: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidText(), cardinality=60_000_000_000)

        m = bt.family("m", gc=bt.max_age(days=365))
        author: UUID = bt.column("author", m)
        text: str = bt.column("text", m, size=90, max_size=4_000)

        of_room = bt.query("room", between="at", span="1day", newest=True)

    class MessageOf(bt.Model, table="author_message", events="2200/s"):
        """The same messages by author. We need it complete at once when somebody exports or erases
        their account, so it's written with the message and not an index. A year as well."""

        author: UUID = bt.key(bt.UuidText(), cardinality=20_000_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        room: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)
        id: UUID = bt.key(bt.UuidText(), cardinality=60_000_000_000)

        m = bt.family("m", gc=bt.max_age(days=365))
        here: bool = bt.column("h", m, codec=bt.Present(), default=True)

        of_author = bt.query("author", between="at", span="31days")

    return (Message, MessageOf)


@good("A lease that expires")
def thirtyfirst_a_lease_that_expires() -> object:
    class TileLease(bt.Model, table="tile_lease", events="200/s"):
        """A renderer takes the tile for a minute. If two render the same tile, we have wasted a minute of CPU, that's all."""

        tile: str = bt.key(bt.HexDigest(12), cardinality=8_000_000)
        until: datetime = bt.expires(round=True)

        lines = bt.family("l", gc=bt.max_age(seconds=1))
        renderer: str = bt.column("who", lines, size=20, max_size=60)

    return TileLease


@good("A union that is meant")
def thirtyfirst_a_union_that_is_meant() -> object:
    class OfferPrice(bt.Model, table="offer_price", events="800/s"):
        """The prices that a shop asked for an article: no more than the last 20, and none that is older
        than a year, even if it is the only one (then the offer counts as gone)."""

        article: str = bt.key(bt.Text(width=13), cardinality=15_000_000)
        shop: str = bt.key(bt.Text(max_length=16), cardinality=4_000)

        p = bt.family("p", gc=bt.max_versions(20) | bt.max_age(days=365))
        cents: bt.History[int] = bt.history("c", p, every="3days")

        of_article = bt.query("article")

    return OfferPrice


@good("Old dates in front in no order")
def thirtyfirst_old_dates_in_front_in_no_order() -> object:
    class NewspaperPage(bt.Model, table="newspaper_page", events="600/s"):
        """The text of a page of an old newspaper, 1850 to 1950, by the day of its issue. Readers pick a day and see all papers of
        it. The scanning stations work on 200 boxes at once, from all decades, in no order."""

        issue: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, cardinality=36_500)
        paper: str = bt.key(bt.Text(max_length=10), cardinality=700)
        page: int = bt.key(bt.PaddedInt(3), cardinality=120, sequential=False)

        t = bt.family("t", gc=bt.max_versions(1))
        text: str = bt.column("text", t, size=18_000, max_size=120_000)

        of_day = bt.query("issue")
        of_paper = bt.query("issue", "paper")

    return NewspaperPage


@good("A history of few events")
def thirtyfirst_a_history_of_few_events() -> object:
    class Lift(bt.Model, table="lift", events="9000/day"):
        """A lift and the results of its inspections. Twice a year for the 40 years or so that a lift runs: one row holds it all,
        and the inspector wants all of it on one page."""

        lift: str = bt.key(bt.Text(width=9), cardinality=1_600_000)

        i = bt.family("i", gc=bt.max_versions(100))
        report: bt.History[str] = bt.history("report", i, every="180days", size=400, max_size=5_000)

        m = bt.family("m", gc=bt.max_versions(1))
        maker: str = bt.column("maker", m, size=15, max_size=60)

    return Lift


@good("Three versions of a crawl")
def thirtyfirst_three_versions_of_a_crawl() -> object:
    class CrawledPage(bt.Model, table="crawled_page", events="1500/s"):
        """A page of the web, with the three latest versions that we fetched.

        We fetch at most one page a second of any site, and come back to a page after a week or more.
        """

        site: str = bt.key(bt.ReversedDomain(80), cardinality=3_000_000, domain=True)
        page = bt.digest("url")

        u = bt.family("u", gc=bt.max_versions(1))
        url: str = bt.column("url", u, size=70, max_size=1_500)

        c = bt.family("c", gc=bt.max_versions(3))
        html: bt.History[bytes] = bt.history(
            "html", c, codec=bt.Compressed(bt.Raw()), every="7days", size=25_000, max_size=1_500_000
        )

        of_site = bt.query("site")

    return CrawledPage
