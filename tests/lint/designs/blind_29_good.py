"""A twenty-ninth set of designs by people who had not read the rules: the good ones."""

import hmac
import os
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

from published import good

import btmodel as bt


@good("A few rows a day under their date")
def twentyninth_a_few_rows_a_day_under_their_date() -> object:
    class ReferenceRate(bt.Model, table="reference_rates", events="160/day"):
        """What a euro cost in a currency on a day. Kept for good. Reports take all currencies of a day, or of a quarter."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        currency: str = bt.key(bt.Text(width=3), cardinality=160)

        r = bt.family("r", gc=bt.max_versions(1))
        rate: Decimal = bt.column("rate", r, size=8, max_size=20)

        of_days = bt.query(between="day")
        of_day = bt.query("day")

    return ReferenceRate


@good("Numbers of a sequence, written backwards")
def twentyninth_numbers_of_a_sequence_written_backwards() -> object:
    class Parcel(bt.Model, table="parcels", events="16000/s"):
        """Where a parcel is. Its number comes from a counter, and is written with the last digit first.

        Each scan writes the whole row again; 120 days after the last scan it goes.
        """

        number: int = bt.key(bt.ReversedDigits(12), cardinality=8_000_000_000, sequential=True)

        p = bt.family("p", gc=bt.max_age(days=120) | bt.max_versions(1))
        place: str = bt.column("place", p, size=6, max_size=12)
        scanned: datetime = bt.column("scan", p)
        grams: int | None = bt.column("g", p, default=None)

    return Parcel


@good("States of a union in front")
def twentyninth_states_of_a_union_in_front() -> object:
    class Precinct(bt.Model, table="precincts", events="60/s"):
        """The count of a precinct. It belongs to a county and a state of the union. Corrections overwrite it."""

        state: str = bt.key(bt.Text(width=2), cardinality=51)
        county: str = bt.key(bt.Text(max_length=30), cardinality=3_100)
        precinct: str = bt.key(bt.Text(max_length=20), cardinality=176_000)

        c = bt.family("c", gc=bt.max_versions(1))
        counted: int = bt.column("n", c)
        votes: dict[str, int] = bt.mapping(c, bt.Text(max_length=30), prefix="v:", entries=25)

        of_state = bt.query("state")
        of_county = bt.query("state", "county")

    return Precinct


@good("Random UUIDs in front")
def twentyninth_random_uuids_in_front() -> object:
    class Checkout(bt.Model, table="checkouts", events="25000/s"):
        """A checkout in progress, under a random id (UUID version 4). Each step saves it whole.

        It is gone two days after the last step."""

        id: UUID = bt.key(bt.UuidRaw(), cardinality=4_000_000_000, default_factory=uuid4)

        c = bt.family("c", gc=bt.max_age(days=2) | bt.max_versions(1))
        step: str = bt.column("step", c, size=8, max_size=20)
        total_cents: int = bt.column("cents", c)
        began: datetime = bt.column("began", c)

    return Checkout


@good("A skewed tenant behind a salt")
def twentyninth_a_skewed_tenant_behind_a_salt() -> object:
    class PageView(bt.Model, table="page_views", events="30000/s"):
        """A page view that a customer's site sent us, for 90 days.

        One customer has most of the traffic, so a salt spreads it; a report of one customer reads all salts.
        """

        salt = bt.salt("view", buckets=16)
        customer: str = bt.key(bt.Text(max_length=24), cardinality=3_000, tenant=True, skew="80%:1")
        at: datetime = bt.key(bt.EpochMillis(round=True))
        view: UUID = bt.key(bt.UuidText(), cardinality=200_000_000_000)

        v = bt.family("v", gc=bt.max_age(days=90))
        path: str = bt.column("p", v, size=40, max_size=2_000)
        visitor: str = bt.column("v", v, size=20, max_size=36)

        of_customer = bt.query("customer", between="at", span="1h")

    return PageView


@good("A row for each message")
def twentyninth_a_row_for_each_message() -> object:
    class ChatMessage(bt.Model, table="chat_messages", events="3000/s"):
        """A message in a room, a row each, the newest first. Messages stay until the room is deleted; an edit overwrites the text."""

        room: UUID = bt.key(bt.UuidText(), cardinality=400_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))
        message: UUID = bt.key(bt.UuidText(), cardinality=3_000_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        author: str = bt.column("by", m, size=16, max_size=36)
        text: str = bt.column("text", m, size=120, max_size=8_000)

        of_room = bt.query("room", between="at", newest=True)

    return ChatMessage


@good("Histories in buckets of a day")
def twentyninth_histories_in_buckets_of_a_day() -> object:
    class TurbineDay(bt.Model, table="turbine_days", bucket="day", events="1200/s", lateness="6h"):
        """A day of a turbine, with a reading every ten seconds. Readings are kept for 400 days."""

        park: str = bt.key(bt.Text(width=5), cardinality=600)
        turbine: str = bt.key(bt.Text(width=4), cardinality=12_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        s = bt.family("s", gc=bt.max_age(days=400))
        rpm: bt.History[float] = bt.history("rpm", s, every="10s", round=True)
        watts: bt.History[int] = bt.history("w", s, every="10s", round=True)

        of_turbine = bt.query("park", "turbine", between="day")

    return TurbineDay


@good("Versions that are wanted")
def twentyninth_versions_that_are_wanted() -> object:
    class ShelfPrice(bt.Model, table="shelf_prices", events="100/s"):
        """What an article costs in a branch, with its last twenty prices: a manager can look back, and undo a change."""

        branch: int = bt.key(bt.PaddedInt(4), cardinality=1_400, sequential=False)
        article: str = bt.key(bt.Text(width=13), cardinality=45_000)

        p = bt.family("p", gc=bt.max_versions(20))
        price: bt.History[Decimal] = bt.history("price", p, every="7days", round=True)

        of_branch = bt.query("branch")

    return ShelfPrice


@good("Seven years by law")
def twentyninth_seven_years_by_law() -> object:
    class OrderRecord(bt.Model, table="order_records", events="2000/s"):
        """An order that a client gave. It is written once, and the law wants it for seven years."""

        client: str = bt.key(bt.HexDigest(16), cardinality=1_500_000)
        given: datetime = bt.key(bt.EpochMicros())
        order: UUID = bt.key(bt.UuidText(), cardinality=4_000_000_000)

        o = bt.family("o", gc=bt.max_age(days=2_600))
        isin: str = bt.column("isin", o, size=12, max_size=12)
        pieces: int = bt.column("n", o)
        limit_micros: int | None = bt.column("lim", o, default=None)

        of_client = bt.query("client", between="given")

    return OrderRecord


@good("Claims with an index")
def twentyninth_claims_with_an_index() -> object:
    class Claim(bt.Model, table="claims", events="40/s"):
        """A claim, by its id. Claims stay for good."""

        id: UUID = bt.key(bt.UuidText(), cardinality=30_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        policy: int = bt.column("policy", c, codec=bt.AsInKey(bt.PaddedInt(10)), cardinality=6_000_000)
        reported: datetime = bt.column("rep", c)
        reserve_cents: int = bt.column("reserve", c)

    class ClaimOfPolicy(bt.Index, of=Claim, view="CLAIM_OF_POLICY"):
        """The claims of a policy, for the customer portal. It may lag by some seconds."""

        policy: int = bt.key(bt.PaddedInt(10), cardinality=6_000_000, sequential=False)
        id: UUID = bt.covered()

        reported: datetime = bt.covered()
        reserve_cents: int = bt.covered()

        of_policy = bt.query("policy")

    return (Claim, ClaimOfPolicy)


@good("From coarse to fine")
def twentyninth_from_coarse_to_fine() -> object:
    class Vital(bt.Model, table="vitals", events="9000/s"):
        """One sample of a monitor, for 30 days. Charts show a bed over some hours; a consultant downloads a whole ward."""

        hospital: str = bt.key(bt.Text(width=6), cardinality=300)
        ward: str = bt.key(bt.Text(max_length=8), cardinality=1_500)
        bed: int = bt.key(bt.PaddedInt(2), cardinality=40)
        at: datetime = bt.key(bt.EpochMillis(round=True))

        v = bt.family("v", gc=bt.max_age(days=30))
        pulse: int | None = bt.column("hr", v, default=None)
        oxygen: int | None = bt.column("o2", v, default=None)
        pressure: float | None = bt.column("bp", v, default=None)

        of_bed = bt.query("hospital", "ward", "bed", between="at", span="8h")
        of_ward = bt.query("hospital", "ward")

    return Vital


@good("A nightly scan of few rows")
def twentyninth_a_nightly_scan_of_few_rows() -> object:
    class Book(bt.Model, table="books", events="200/day"):
        """A book that is or was in print, 90,000 in all. The shop reads one at a time."""

        isbn: str = bt.key(bt.Text(width=13), cardinality=90_000)

        b = bt.family("b", gc=bt.max_versions(1))
        title: str = bt.column("title", b, size=40, max_size=300)
        authors: list[str] = bt.column("authors", b, size=40, max_size=1_000)
        published: date | None = bt.column("pub", b, default=None)
        cents: int = bt.column("cents", b)

        everything = bt.query(scan="the export for the book trade, once a night, takes all books")

    return Book


@good("A stage in a column")
def twentyninth_a_stage_in_a_column() -> object:
    class Application(bt.Model, table="applications", events="25/s"):
        """Somebody applied for a position. How far the application got is a column that changes; the key never does.

        A position has some hundred applications, of which the page shows those of one stage. They stay until the company deletes the position.
        """

        company: str = bt.key(bt.HexDigest(8), cardinality=20_000)
        position: int = bt.key(bt.PaddedInt(6), cardinality=600_000)
        application: UUID = bt.key(bt.UuidText(), cardinality=60_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        stage: str = bt.column("stage", a, size=8, max_size=16, cardinality=7)
        received: datetime = bt.column("recv", a)
        note: str | None = bt.column("note", a, size=200, max_size=4_000, default=None)

        of_position = bt.query("company", "position", where=["stage"])

    return Application


@good("A document that is written once")
def twentyninth_a_document_that_is_written_once() -> object:
    class Delivery(bt.Model, table="deliveries", events="1500/s"):
        """What a partner posted to an endpoint, as it came. It is written once and read for debugging, for 14 days."""

        endpoint: str = bt.key(bt.HexDigest(16), cardinality=70_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))
        delivery: UUID = bt.key(bt.UuidText(), cardinality=2_000_000_000)

        d = bt.family("d", gc=bt.max_age(days=14))
        status: int = bt.column("st", d)
        payload: dict[str, Any] = bt.column("json", d, size=3_000, max_size=60_000)

        of_endpoint = bt.query("endpoint", between="at", newest=True)

    return Delivery


@good("A keyed hash of a number")
def twentyninth_a_keyed_hash_of_a_number() -> object:
    SECRET = os.environ.get("CONSENT_SECRET", "for tests alone").encode()

    def pseudonym(phone: str) -> str:
        """A keyed hash: without the secret, nobody can try all numbers."""
        return hmac.new(SECRET, phone.encode(), "sha256").hexdigest()[:32]

    class Consent(bt.Model, table="consents", events="200/s"):
        """Whether the owner of a phone number wants advertising. The number itself is stored nowhere: the key has a keyed hash of it."""

        id = bt.derived(bt.HexDigest(32), "phone", by=pseudonym)
        phone: str | None = bt.key(bt.Text(max_length=16), stored=False, cardinality=15_000_000, pii=True)

        c = bt.family("c", gc=bt.max_versions(1))
        granted: bool = bt.column("yes", c)
        decided: datetime = bt.column("at", c)

    return Consent


@good("Counters of an hour in spans")
def twentyninth_counters_of_an_hour_in_spans() -> object:
    class ArticleReads(bt.Model, table="article_reads", events="4000/s"):
        """How often an article was read in each hour of the last 60 days. The web servers add up for ten seconds before they write."""

        article: str = bt.key(bt.HexDigest(10), cardinality=250_000)

        h = bt.family("h", gc=bt.max_age(days=60), aggregate="sum")
        reads: bt.History[int] = bt.counter("reads", h, every="1h", increments="120/min")

    return ArticleReads


@good("A bounded set")
def twentyninth_a_bounded_set() -> object:
    class Watchlist(bt.Model, table="watchlists", events="800/s"):
        """The titles that a profile has put aside: at most 500, each a cell of its own, so adding one reads nothing."""

        profile: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)

        w = bt.family("w", gc=bt.max_versions(1))
        titles: set[str] = bt.members(w, bt.Text(max_length=12), entries=500)

    return Watchlist


@good("Reservations that end by themselves")
def twentyninth_reservations_that_end_by_themselves() -> object:
    class Reservation(bt.Model, table="reservations", events="150/s"):
        """Who has reserved a plug, and until when. After that the plug is free again, whether the driver came or not."""

        operator: str = bt.key(bt.Text(width=6), cardinality=200)
        plug: str = bt.key(bt.Text(max_length=16), cardinality=300_000)
        until: datetime = bt.expires(round=True)

        r = bt.family("r", gc=bt.max_age(seconds=1))
        contract: str = bt.column("contract", r, size=14, max_size=20)
        vehicle: str | None = bt.column("vehicle", r, size=10, max_size=20, default=None)

        of_operator = bt.query("operator")

    return Reservation


@good("Previews of a bounded size")
def twentyninth_previews_of_a_bounded_size() -> object:
    class Preview(bt.Model, table="previews", events="600/s"):
        """The previews of a photo in two sizes, as WebP, with the address of the original. Kept as long as the photo."""

        photo: UUID = bt.key(bt.UuidText(), cardinality=700_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        original: str = bt.column("uri", m, size=80, max_size=300)

        p = bt.family("p", gc=bt.max_versions(1))
        small: bytes = bt.column("s", p, size=6_000, max_size=30_000)
        large: bytes = bt.column("l", p, size=60_000, max_size=250_000)

    return Preview


@good("A leaderboard of final scores")
def twentyninth_a_leaderboard_of_final_scores() -> object:
    class FinalScore(bt.Model, table="final_scores", events="120/s"):
        """The points of a player when a tournament was over, the best first. They are written once, and are final."""

        tournament: UUID = bt.key(bt.UuidText(), cardinality=400_000)
        points: int = bt.key(bt.Descending(bt.PaddedInt(6)), cardinality=20_000, changes=False)
        player: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        wins: int = bt.column("w", s)
        draws: int = bt.column("d", s)
        losses: int = bt.column("l", s)

        table_of = bt.query("tournament")
        between_points = bt.query("tournament", between="points")

    return FinalScore


@good("ISO dates behind a route")
def twentyninth_iso_dates_behind_a_route() -> object:
    class Sailing(bt.Model, table="sailings", events="80/s"):
        """How much of a sailing is left. Customers look through a fortnight of a route. Each booking overwrites the row;
        past sailings stay for statistics."""

        route: str = bt.key(bt.Text(max_length=12), cardinality=450)
        day: date = bt.key(bt.DateText("%Y-%m-%d"), sequential=False)
        departure: int = bt.key(bt.PaddedInt(4), cardinality=1_440)

        s = bt.family("s", gc=bt.max_versions(1))
        metres_left: int = bt.column("m", s)
        cents: int = bt.column("cents", s)

        of_route = bt.query("route", between="day")
        of_day = bt.query("route", "day")

    return Sailing


@good("Reports of which the newest wins")
def twentyninth_reports_of_which_the_newest_wins() -> object:
    class CabNow(bt.Model, table="cab_now", events="7000/s"):
        """The last known place of a cab. Reports overtake one another in the mobile net, so the time of the report is the
        timestamp of its cells: a late one never replaces a newer one."""

        city: str = bt.key(bt.Text(max_length=12), cardinality=80)
        cab: str = bt.key(bt.Text(max_length=10), cardinality=70_000)
        reported: datetime = bt.timestamp(round=True)

        p = bt.family("p", gc=bt.max_versions(1))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)
        free: bool = bt.column("free", p)

        of_city = bt.query("city")

    return CabNow
