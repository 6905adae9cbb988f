"""A twenty-seventh set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


class ClaimState(StrEnum):
    RECEIVED = "received"
    IN_REVIEW = "in_review"
    PAID = "paid"
    REJECTED = "rejected"


@bad(
    "Calls under their day",
    "KEY001",
    says=('`salt = bt.salt("call", buckets=10)`',),
    verdict="error",
)
def twentyseventh_calls_under_their_day() -> object:
    class CallRecord(bt.Model, table="cdr", events="40000/s"):
        """Call detail records. Billing picks up a whole day after midnight, fraud looks at single towers."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        tower: int = bt.key(bt.PaddedInt(6), cardinality=45_000, sequential=False)
        call: UUID = bt.key(bt.UuidText(), cardinality=3_000_000_000)

        d = bt.family("d", gc=bt.max_age(days=180))
        seconds: int = bt.column("sec", d)
        kind: str = bt.column("kind", d, size=5, max_size=10)

        of_day = bt.query("day")
        of_tower = bt.query("day", "tower")

    return CallRecord


@bad(
    "Orders under a number from a sequence",
    "KEY002",
    says=("`number`",),
    verdict="error",
)
def twentyseventh_orders_under_a_number_from_a_sequence() -> object:
    class Order(bt.Model, table="orders", events="18000/s"):
        """One row an order line event of the checkout.

        The number is drawn from the checkout's Oracle sequence, so it is unique and customers
        can read it out on the phone.
        """

        number: int = bt.key(bt.PaddedInt(12), cardinality=2_000_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        total: Decimal = bt.column("total", o, size=7, max_size=12)
        lines: int = bt.column("lines", o)

    return Order


@bad(
    "Views in the order of few countries",
    "KEY003",
    says=('`salt = bt.salt("at", buckets=4)`',),
    verdict="warning",
)
def twentyseventh_views_in_the_order_of_few_countries() -> object:
    class ListingView(bt.Model, table="listing_views", events="30000/s"):
        """Page views of listings, read per country for the trend charts.

        Germany makes up about 70 % of our traffic, Austria and Switzerland most of the rest.
        """

        country: str = bt.key(bt.Text(width=2), cardinality=30)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        view: UUID = bt.key(bt.UuidRaw(), cardinality=5_000_000_000)

        v = bt.family("v", gc=bt.max_age(days=60))
        listing: int = bt.column("l", v)

        of_country = bt.query("country", between="at")

    return ListingView


@bad(
    "Calls of a cell, which is a column",
    "QRY001",
    says=("`cell`",),
    verdict="error",
)
def twentyseventh_calls_of_a_cell_which_is_a_column() -> object:
    class Attach(bt.Model, table="attach", events="9000/s"):
        subscriber: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        a = bt.family("a", gc=bt.max_age(days=30))
        cell: int = bt.column("cell", a)
        cause: int = bt.column("cause", a)

        of_subscriber = bt.query("subscriber", between="at")
        of_cell = bt.query("cell", between="at")

    return Attach


@bad(
    "A column for each click",
    "ROW003",
    says=("`{member}#{at}`",),
    verdict="error",
)
def twentyseventh_a_column_for_each_click() -> object:
    class MemberActivity(bt.Model, table="member_activity", events="4000/s"):
        """Everything a member does in the portal, one row a member; each click adds a column under its time."""

        member: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        clicks: dict[datetime, str] = bt.mapping(a, bt.EpochMillis(), size=60, max_size=400)

    return MemberActivity


@bad(
    "A version every ten seconds in one row",
    "ROW003",
    says=("`{antenna}#{at}`",),
    verdict="error",
)
def twentyseventh_a_version_every_ten_seconds_in_one_row() -> object:
    class Antenna(bt.Model, table="antenna", events="6000/s"):
        antenna: int = bt.key(bt.PaddedInt(6), cardinality=60_000, sequential=False)

        s = bt.family("s", gc=bt.keep_all())
        power: bt.History[float] = bt.history("dbm", s, every="10s")

    return Antenna


@bad(
    "Ten years by law, and an age of three",
    "FAM010",
    says=('`bt.family("i", gc=bt.max_age(days=3_653))`',),
    verdict="warning",
)
def twentyseventh_ten_years_by_law_and_an_age_of_three() -> object:
    class Invoice(bt.Model, table="invoices", events="40/s"):
        """Invoices of providers. We have to keep them for ten years by law; auditors ask for a provider's year."""

        provider: str = bt.key(bt.HexDigest(8), cardinality=120_000)
        issued: date = bt.key(bt.DateText())
        id: UUID = bt.key(bt.UuidText(), cardinality=2_000_000_000)

        i = bt.family("i", gc=bt.max_age(days=1095))
        amount: Decimal = bt.column("amount", i, size=7, max_size=14)

        of_provider = bt.query("provider", between="issued")

    return Invoice


@bad(
    "Nothing older than 30 days, and the newest version for ever",
    "FAM010",
    says=('`bt.family("p", gc=bt.max_age(days=30))`',),
    verdict="warning",
)
def twentyseventh_nothing_older_than_30_days_and_the_newest_version_for_ever() -> object:
    class LastPlace(bt.Model, table="last_place", events="5000/s"):
        """Where a subscriber was seen last. Privacy office: nothing older than 30 days may be left in it."""

        subscriber: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)

        p = bt.family("p", gc=bt.max_versions(1) & bt.max_age(days=30))
        cell: int = bt.column("cell", p)

    return LastPlace


@bad(
    "Five prices in a family of one version",
    "FAM006",
    says=("gc=bt.max_versions(5)",),
    verdict="warning",
)
def twentyseventh_five_prices_in_a_family_of_one_version() -> object:
    class Offer(bt.Model, table="offers", events="1500/s"):
        """The price of an article at a merchant; the page draws the last five prices as a small chart."""

        article: int = bt.key(bt.ReversedDigits(10), cardinality=60_000_000, sequential=True)
        merchant: str = bt.key(bt.HexDigest(8), cardinality=20_000)

        o = bt.family("o", gc=bt.max_versions(1))
        price: bt.History[int] = bt.history("cents", o, every="1day")

        of_article = bt.query("article")

    return Offer


@bad(
    "A contract beside measurements of two weeks",
    "FAM010",
    says=("`tariff`",),
    verdict="warning",
)
def twentyseventh_a_contract_beside_measurements_of_two_weeks() -> object:
    class Line(bt.Model, table="lines", events="3000/s"):
        """A telephone line.

        Tariff and contract date stay as long as the line exists. The measured quality (jitter, loss)
        is only of interest for two weeks and should then go.
        """

        line: str = bt.key(bt.HexDigest(12), cardinality=25_000_000)

        d = bt.family("d", gc=bt.max_age(days=14))
        tariff: str = bt.column("tariff", d, size=12, max_size=40)
        contract: date = bt.column("contract", d)
        jitter: float | None = bt.column("jitter", d, default=None)
        loss: float | None = bt.column("loss", d, default=None)

    return Line


@bad(
    "Claims under their state",
    "KEY021",
    says=("`state`",),
    verdict="warning",
)
def twentyseventh_claims_under_their_state() -> object:
    class Claim(bt.Model, table="claims", events="200/s"):
        office: int = bt.key(bt.PaddedInt(3), cardinality=150, sequential=False)
        state: ClaimState = bt.key(bt.EnumText(ClaimState))
        claim: UUID = bt.key(bt.UuidText(), cardinality=500_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        amount: Decimal = bt.column("amount", c, size=7, max_size=14)

        open_ones = bt.query("office", "state")

    return Claim


@bad(
    "Calls under telephone numbers",
    "KEY010",
    says=("`person_id: UUID = bt.key(bt.UuidText(), cardinality=",),
    verdict="warning",
)
def twentyseventh_calls_under_telephone_numbers() -> object:
    class Message(bt.Model, table="sms", events="7000/s"):
        msisdn: str = bt.key(bt.Text(max_length=15), cardinality=40_000_000)
        at: datetime = bt.key(bt.ReversedMillis())

        m = bt.family("m", gc=bt.max_age(days=7))
        status: int = bt.column("st", m)
        length: int = bt.column("len", m)

        of_number = bt.query("msisdn", between="at", newest=True)

    return Message


@bad(
    "Handovers under whole seconds",
    "KEY017",
    says=("`at: datetime = bt.key(bt.EpochMillis(round=True))`",),
    verdict="error",
)
def twentyseventh_handovers_under_whole_seconds() -> object:
    class Handover(bt.Model, table="handover", events="60000/s"):
        """A phone goes from one cell to the next."""

        cell: int = bt.key(bt.PaddedInt(6), cardinality=20_000, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        h = bt.family("h", gc=bt.max_age(days=14))
        target: int = bt.column("to", h)
        cause: int = bt.column("cause", h)

        of_cell = bt.query("cell", between="at")

    return Handover


@bad(
    "Two thousand additions a second to one row",
    "KEY013",
    says=('`increments="1/s"`',),
    verdict="warning",
)
def twentyseventh_two_thousand_additions_a_second_to_one_row() -> object:
    class Kpi(bt.Model, table="kpi", events="25000/s"):
        """Live totals of the marketplace for the wall screen."""

        name: str = bt.key(bt.Text(max_length=20), cardinality=12)

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        total: int | None = bt.counter("total", t, increments="120000/min")

    return Kpi


@bad(
    "A salt of a merchant that has most of the traffic",
    "KEY003",
    says=("`shard`",),
    verdict="error",
)
def twentyseventh_a_salt_of_a_merchant_that_has_most_of_the_traffic() -> object:
    class Payment(bt.Model, table="payments", events="28000/s"):
        """Payments of merchants."""

        shard = bt.salt("merchant", buckets=20)
        merchant: str = bt.key(bt.HexDigest(8), cardinality=4_000, skew="75%:1")
        at: datetime = bt.key(bt.EpochMillis())
        id: UUID = bt.key(bt.UuidRaw(), cardinality=3_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=400))
        cents: int = bt.column("c", p)

        of_merchant = bt.query("merchant", between="at")

    return Payment


@bad(
    "Two hundred salts for 300 a second",
    "KEY005",
    says=("`buckets=3`",),
    verdict="warning",
)
def twentyseventh_two_hundred_salts_for_300_a_second() -> object:
    class Alarm(bt.Model, table="alarms", events="300/s"):
        shard = bt.salt("id", buckets=200)
        at: datetime = bt.key(bt.EpochMillis())
        id: UUID = bt.key(bt.UuidRaw(), cardinality=500_000_000)

        a = bt.family("a", gc=bt.max_age(days=30))
        element: int = bt.column("ne", a)
        severity: int = bt.column("sev", a)

        during = bt.query(between="at")

    return Alarm


@bad(
    "A range of days that do not sort",
    "KEY007",
    "QRY001",
    says=("`day`",),
    verdict="error",
)
def twentyseventh_a_range_of_days_that_do_not_sort() -> object:
    class Treatment(bt.Model, table="treatments", events="250/s"):
        insured: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        day: date = bt.key(bt.DateText("%d%m%Y"))
        number: int = bt.key(bt.PaddedInt(3), cardinality=200)

        t = bt.family("t", gc=bt.max_versions(1))
        code: str = bt.column("code", t, size=6, max_size=8)

        of_insured = bt.query("insured", between="day")

    return Treatment


@bad(
    "A month of a company, filtered by the program",
    "QRY005",
    says=("`{company}#{at}#{sim}`",),
    verdict="warning",
)
def twentyseventh_a_month_of_a_company_filtered_by_the_program() -> object:
    class Usage(bt.Model, table="usage", events="12000/s"):
        """Data sessions of a company's SIM cards; the invoice run reads one month of a company."""

        company: str = bt.key(bt.HexDigest(8), cardinality=3_000)
        sim: str = bt.key(bt.HexDigest(20), cardinality=15_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        u = bt.family("u", gc=bt.max_age(days=760))
        volume: int = bt.column("bytes", u)

        of_month = bt.query("company", where=["at"])
        of_sim = bt.query("company", "sim", between="at")

    return Usage


@bad(
    "Positions by the time of writing",
    "ROW008",
    says=("`measured: datetime = bt.timestamp()`",),
    verdict="warning",
)
def twentyseventh_positions_by_the_time_of_writing() -> object:
    class Courier(bt.Model, table="couriers", events="2000/s", lateness="1h"):
        """The current position of a courier.

        Phones without coverage send their positions up to an hour late, and a late one must not
        move the courier back on the map.
        """

        courier: str = bt.key(bt.HexDigest(8), cardinality=60_000)

        p = bt.family("p", gc=bt.max_versions(1))
        lat: float = bt.column("lat", p)
        lon: float = bt.column("lon", p)
        measured: datetime = bt.column("at", p)

    return Courier


@bad(
    "ULIDs in front",
    "KEY002",
    says=('`salt = bt.salt("ulid", buckets=6)`',),
    verdict="error",
)
def twentyseventh_ulids_in_front() -> object:
    class Bid(bt.Model, table="bids", events="22000/s"):
        ulid: str = bt.key(bt.Text(width=26), cardinality=10_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=90))
        auction: int = bt.column("a", b)
        cents: int = bt.column("c", b)

    return Bid
