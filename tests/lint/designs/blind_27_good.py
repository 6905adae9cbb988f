"""A twenty-seventh set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID, uuid4

from published import good

import btmodel as bt


class ClaimState(StrEnum):
    RECEIVED = "received"
    IN_REVIEW = "in_review"
    PAID = "paid"
    REJECTED = "rejected"


@good("Calls of a day behind their tower")
def twentyseventh_calls_of_a_day_behind_their_tower() -> object:
    class CallRecord(bt.Model, table="cdr", events="40000/s"):
        """Call detail records, read by tower and day by the fraud team."""

        tower: int = bt.key(bt.PaddedInt(6), cardinality=45_000, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        call: UUID = bt.key(bt.UuidText(), cardinality=3_000_000_000)

        d = bt.family("d", gc=bt.max_age(days=180))
        seconds: int = bt.column("sec", d)
        kind: str = bt.column("kind", d, size=5, max_size=10)

        of_tower = bt.query("tower", between="day")

    return CallRecord


@good("Numbers of a sequence, written backwards")
def twentyseventh_numbers_of_a_sequence_written_backwards() -> object:
    class Order(bt.Model, table="orders", events="18000/s"):
        """An order. The number is drawn from the checkout's sequence, so its digits are written backwards."""

        number: int = bt.key(bt.ReversedDigits(12), cardinality=2_000_000_000, sequential=True)

        o = bt.family("o", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", o, size=7, max_size=12)
        lines: int = bt.column("lines", o)

    return Order


@good("Two views a second")
def twentyseventh_two_views_a_second() -> object:
    class Report(bt.Model, table="reported_listings", events="2/s"):
        """Listings that were reported as forbidden, read per country by its moderators.

        Germany makes up about 70 % of them.
        """

        country: str = bt.key(bt.Text(width=2), cardinality=30)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        report: UUID = bt.key(bt.UuidRaw(), cardinality=50_000_000)

        v = bt.family("v", gc=bt.max_age(days=60))
        listing: int = bt.column("l", v)

        of_country = bt.query("country", between="at")

    return Report


@good("Deliveries under a digest of the number")
def twentyseventh_deliveries_under_a_digest_of_the_number() -> object:
    class DeliveryOfPhone(bt.Model, table="deliveries_by_phone", events="600/s"):
        """The parcels of a phone number, for the call centre, whose agents ask for the number of the caller.

        The key has a hash of the number, and the number itself is a cell.
        """

        caller = bt.digest("phone")
        id: UUID = bt.key(bt.UuidRaw(), cardinality=800_000_000)

        p = bt.family("p", gc=bt.max_age(days=400))
        phone: str = bt.column("phone", p, size=13, max_size=16, cardinality=40_000_000)
        depot: int = bt.column("depot", p)

        of_phone = bt.query("phone")

    return DeliveryOfPhone


@good("Clicks of a day, few and aged")
def twentyseventh_clicks_of_a_day_few_and_aged() -> object:
    class MemberDay(bt.Model, table="member_day", events="4000/s"):
        """What a member does in the portal on a day, one column a click; robots are cut off at 2,000 clicks."""

        member: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        day: date = bt.key(bt.DateText())

        a = bt.family("a", gc=bt.max_age(days=90))
        clicks: dict[datetime, str] = bt.mapping(a, bt.EpochMillis(), size=60, max_size=400, entries=2_000)

        of_member = bt.query("member", between="day")

    return MemberDay


@good("An age longer than ten years")
def twentyseventh_an_age_longer_than_ten_years() -> object:
    class Invoice(bt.Model, table="invoices", events="40/s"):
        """Invoices of providers. We have to keep them for ten years by law; auditors ask for a provider's year."""

        provider: str = bt.key(bt.HexDigest(8), cardinality=120_000)
        issued: date = bt.key(bt.DateText())
        id: UUID = bt.key(bt.UuidText(), cardinality=2_000_000_000)

        i = bt.family("i", gc=bt.max_age(days=3_720))
        amount: Decimal = bt.column("amount", i, size=7, max_size=14)

        of_provider = bt.query("provider", between="issued")

    return Invoice


@good("A union that deletes by age")
def twentyseventh_a_union_that_deletes_by_age() -> object:
    class LastPlace(bt.Model, table="last_place", events="5000/s"):
        """Where a subscriber was seen last. Privacy office: nothing older than 30 days may be left in it."""

        subscriber: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=30))
        cell: int = bt.column("cell", p)

    return LastPlace


@good("Two families for two lifetimes")
def twentyseventh_two_families_for_two_lifetimes() -> object:
    class Line(bt.Model, table="lines", events="3000/s"):
        """A telephone line.

        Tariff and contract date stay as long as the line exists. The measured quality (jitter, loss)
        is only of interest for two weeks and should then go.
        """

        line: str = bt.key(bt.HexDigest(12), cardinality=25_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        tariff: str = bt.column("tariff", d, size=12, max_size=40)
        contract: date = bt.column("contract", d)

        q = bt.family("q", gc=bt.max_versions(1) | bt.max_age(days=14))
        jitter: float | None = bt.column("jitter", q, default=None)
        loss: float | None = bt.column("loss", q, default=None)

    return Line


@good("Positions by the time of measurement")
def twentyseventh_positions_by_the_time_of_measurement() -> object:
    class Courier(bt.Model, table="couriers", events="2000/s", lateness="1h"):
        """The current position of a courier.

        Phones without coverage send their positions up to an hour late, and a late one must not
        move the courier back on the map.
        """

        courier: str = bt.key(bt.HexDigest(8), cardinality=60_000)
        measured: datetime = bt.timestamp(round=True)

        p = bt.family("p", gc=bt.max_versions(1))
        lat: float = bt.column("lat", p)
        lon: float = bt.column("lon", p)

    return Courier


@good("A salt of the payment")
def twentyseventh_a_salt_of_the_payment() -> object:
    class Payment(bt.Model, table="payments", events="28000/s"):
        """Payments of merchants."""

        shard = bt.salt("id", buckets=10)
        merchant: str = bt.key(bt.HexDigest(8), cardinality=4_000, skew="75%:1")
        at: datetime = bt.key(bt.EpochMillis())
        id: UUID = bt.key(bt.UuidRaw(), cardinality=3_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=400))
        cents: int = bt.column("c", p)

        of_merchant = bt.query("merchant", between="at")

    return Payment


@good("A counter of a day")
def twentyseventh_a_counter_of_a_day() -> object:
    class ListingStats(bt.Model, table="listing_stats", events="900/s"):
        """Numbers beside a listing: how often it was viewed this month, and how often it was put on a watch list."""

        listing: int = bt.key(bt.ReversedDigits(10), cardinality=80_000_000, sequential=True)

        v = bt.family("v", gc=bt.max_age(days=40), aggregate="sum")
        views: bt.History[int] = bt.counter("v", v, every="1day")

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        watched: int | None = bt.counter("w", n)

    return ListingStats


@good("Five hundred rows a day under their day")
def twentyseventh_five_hundred_rows_a_day_under_their_day() -> object:
    class Tariff(bt.Model, table="rate_sheets", events="500/day"):
        """The rate sheet that is in force on a day, imported at night; the price engine loads all of a day."""

        day: date = bt.key(bt.DateText())
        article: int = bt.key(bt.PaddedInt(6), cardinality=500)

        r = bt.family("r", gc=bt.max_versions(1))
        cents: int = bt.column("c", r)

        of_day = bt.query("day")

    return Tariff


@good("Rows that expire")
def twentyseventh_rows_that_expire() -> object:
    class Session(bt.Model, table="sessions", events="3000/s"):
        id: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000, default_factory=uuid4)
        until: datetime = bt.expires(round=True)

        s = bt.family("s", gc=bt.max_age(seconds=1))
        account: int = bt.column("a", s)
        basket: list[str] = bt.column("b", s, size=300, max_size=20_000)

    return Session


@good("Rows of tenants")
def twentyseventh_rows_of_tenants() -> object:
    class Sensor(bt.Model, table="sensors", events="150/s"):
        tenant: str = bt.key(bt.Text(max_length=30), cardinality=2_000, tenant=True)
        id: str = bt.key(bt.HexDigest(8), cardinality=5_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("n", f, size=20, max_size=200)
        firmware: str = bt.column("fw", f, size=8, max_size=20)

        of_tenant = bt.query("tenant")

    return Sensor


@good("Reversed domains")
def twentyseventh_reversed_domains() -> object:
    class Crawled(bt.Model, table="crawl", events="700/s"):
        """Pages of web shops that we compare prices with; the last three copies of each."""

        domain: str = bt.key(bt.ReversedDomain(80), cardinality=50_000)
        path: str = bt.key(bt.EscapedText(400), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_versions(3))
        body: bytes = bt.column("b", p, size=40_000, max_size=400_000)

        of_domain = bt.query(starting="domain")

    return Crawled


@good("Buckets of a day")
def twentyseventh_buckets_of_a_day() -> object:
    class CellDay(bt.Model, table="cell_day", bucket="day", events="1000/s", lateness="2h"):
        cell: int = bt.key(bt.PaddedInt(6), cardinality=60_000, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        m = bt.family("m", gc=bt.max_age(days=400))
        load: bt.History[float] = bt.history("l", m, every="1min")

        of_cell = bt.query("cell", between="day")

    return CellDay


@good("A stock of an article")
def twentyseventh_a_stock_of_an_article() -> object:
    class Stock(bt.Model, table="stock", events="400/s"):
        article: str = bt.key(bt.HexDigest(8), cardinality=3_000_000)
        warehouse: str = bt.key(bt.Text(width=4), cardinality=40)

        s = bt.family("s", gc=bt.max_versions(1))
        pieces: int = bt.column("n", s)
        shelf: str = bt.column("sh", s, size=6, max_size=12)

        of_article = bt.query("article")

    return Stock


@good("A list of work")
def twentyseventh_a_list_of_work() -> object:
    class Dunning(bt.Model, table="dunning", events="300/s"):
        lane = bt.salt("id", buckets=4)
        due: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=200_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        step: int = bt.column("step", f)
        worker: str | None = bt.column("w", f, size=12, max_size=40, default=None)

        by_time = bt.query(between="due")

    return Dunning


@good("Pages of a claim")
def twentyseventh_pages_of_a_claim() -> object:
    class Document(bt.Model, table="claim_documents", events="30/s"):
        claim: UUID = bt.key(bt.UuidText(), cardinality=200_000_000)
        page: int = bt.key(bt.PaddedInt(3), cardinality=100)

        d = bt.family("d", gc=bt.max_versions(1))
        scan: bytes = bt.column("s", d, size=150_000, max_size=4_000_000)
        mime: str = bt.column("m", d, size=10, max_size=40)

        of_claim = bt.query("claim", between="page")

    return Document


@good("Five prices in five versions")
def twentyseventh_five_prices_in_five_versions() -> object:
    class Offer(bt.Model, table="offers", events="1500/s"):
        """The price of an article at a merchant; the page draws the last five prices as a small chart."""

        article: int = bt.key(bt.ReversedDigits(10), cardinality=60_000_000, sequential=True)
        merchant: str = bt.key(bt.HexDigest(8), cardinality=20_000)

        o = bt.family("o", gc=bt.max_versions(5))
        price: bt.History[int] = bt.history("cents", o, every="1day")

        of_article = bt.query("article")

    return Offer


@good("Days that sort")
def twentyseventh_days_that_sort() -> object:
    class Treatment(bt.Model, table="treatments", events="250/s"):
        insured: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        number: int = bt.key(bt.PaddedInt(3), cardinality=200)

        t = bt.family("t", gc=bt.max_versions(1))
        code: str = bt.column("code", t, size=6, max_size=8)

        of_insured = bt.query("insured", between="day")

    return Treatment


@good("The state of a claim in a cell")
def twentyseventh_the_state_of_a_claim_in_a_cell() -> object:
    class Claim(bt.Model, table="claims", events="200/s"):
        """A claim; where it stands is a cell, as it changes."""

        office: int = bt.key(bt.PaddedInt(3), cardinality=150, sequential=False)
        claim: UUID = bt.key(bt.UuidText(), cardinality=500_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        state: ClaimState = bt.column("state", c)
        amount: Decimal = bt.column("amount", c, size=7, max_size=14)

        of_office = bt.query("office")

    return Claim
