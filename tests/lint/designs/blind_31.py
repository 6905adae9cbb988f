"""A thirty-first set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from published import bad

import btmodel as bt


class Mode(StrEnum):
    HEAT = "heat"
    COOL = "cool"
    OFF = "off"


class Lane(StrEnum):
    NEW = "new"
    PHONE = "phone"
    ONSITE = "onsite"
    OFFER = "offer"
    CLOSED = "closed"


class State(StrEnum):
    READY = "ready"
    LOADED = "loaded"
    OUT = "out"
    DONE = "done"
    FAILED = "failed"


@bad("Receipts of a chain under their hour", "KEY001", says=("`{store}#{hour}#{receipt}`",), verdict="error")
def thirtyfirst_receipts_of_a_chain_under_their_hour() -> object:
    class Receipt(bt.Model, table="pos_receipts", events="15000/s"):
        """One receipt of a till, written as it is printed.

        The loss-prevention tool opens one store and one hour of it.
        """

        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H", round=True))
        store: str = bt.key(bt.Text(width=5), cardinality=4_200)
        receipt: UUID = bt.key(bt.UuidText(), cardinality=2_000_000_000)

        r = bt.family("r", gc=bt.max_age(days=120))
        cents: int = bt.column("total", r)
        till: int = bt.column("till", r, codec=bt.IntBytes(2, "big"))
        lines: bytes = bt.column("lines", r, size=600, max_size=20_000)

        of_store = bt.query("hour", "store")

    return Receipt


@bad("Impressions under snowflakes", "KEY002", says=("bt.ReversedDigits(19)",), verdict="error")
def thirtyfirst_impressions_under_snowflakes() -> object:
    class Impression(bt.Model, table="ad_impression", events="25000/s"):
        """An ad that was shown.

        The id is a Snowflake: 41 bits of milliseconds, then the worker, then a counter. The ad
        server hands it out when it answers the request, and the click tracker comes back with
        that id to find out what was shown. Nothing else is ever asked of this table.
        """

        impression_id: int = bt.key(bt.PaddedInt(19), cardinality=90_000_000_000)

        i = bt.family("i", gc=bt.max_age(days=45))
        campaign: int = bt.column("c", i)
        placement: str = bt.column("p", i, size=24, max_size=60)
        price_micros: int = bt.column("m", i)
        shown_at: datetime = bt.column("t", i)

    return Impression


@bad("A trace by the second field", "QRY001", says=("`{tracking}#{scanned}#{carrier}`",), verdict="error")
def thirtyfirst_a_trace_by_the_second_field() -> object:
    class ScanEvent(bt.Model, table="scan_event", events="3500/s"):
        """A scan of a parcel on its way.

        Customers type the tracking number into the web site and get the list of scans. They do
        not know which carrier has it (we buy from 60 of them), and the tracking number alone is
        unique with us.
        """

        carrier: str = bt.key(bt.Text(max_length=8), cardinality=60)
        tracking: str = bt.key(bt.Text(max_length=22), cardinality=400_000_000)
        scanned: datetime = bt.key(bt.EpochMillis(round=True))

        s = bt.family("s", gc=bt.max_age(days=180))
        place: str = bt.column("place", s, size=20, max_size=80)
        code: str = bt.column("code", s, size=4, max_size=8)

        trace = bt.query("tracking", between="scanned")

    return ScanEvent


@bad("Thermostats that keep every version", "ROW003", says=("bt.max_versions(1)",), verdict="warning")
def thirtyfirst_thermostats_that_keep_every_version() -> object:
    class Thermostat(bt.Model, table="thermostat_state", events="9000/s"):
        """The state that a thermostat last told us. It reports every five or six minutes, and each
        report overwrites all four values. The app shows the current ones; we have no screen
        and no job that looks at earlier ones."""

        serial: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        s = bt.family("s", gc=bt.keep_all())
        mode: Mode = bt.column("mode", s)
        target: float = bt.column("target", s)
        measured: float = bt.column("measured", s)
        firmware: str = bt.column("fw", s, size=8, max_size=16)

    return Thermostat


@bad("Thirteen months that end after three", "FAM010", says=("bt.max_age(days=403)",), verdict="warning")
def thirtyfirst_thirteen_months_that_end_after_three() -> object:
    class DoorEvent(bt.Model, table="door_event", events="250/s"):
        """A badge at a door. Auditors may ask for any day of the past 13 months, so that
        is how long events stay; after that they go by themselves."""

        door: str = bt.key(bt.Text(max_length=12), cardinality=30_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        badge: str = bt.key(bt.HexDigest(10), cardinality=220_000)

        e = bt.family("e", gc=bt.max_age(days=90))
        granted: bool = bt.column("ok", e)
        reader: int = bt.column("rd", e, codec=bt.IntBytes(1, "big"))

        of_door = bt.query("door", between="at", span="1day")

    return DoorEvent


@bad("Chat lines that stay", "FAM010", says=("bt.max_age(days=30)",), verdict="warning")
def thirtyfirst_chat_lines_that_stay() -> object:
    class ChatLine(bt.Model, table="helpdesk_chat", events="400/s"):
        """A line of a help desk chat, agent or customer.

        We promised the works council and the data protection officer that a line is deleted
        30 days after it was written. There is no clean-up job: the table takes care of it.
        """

        chat: UUID = bt.key(bt.UuidText(), cardinality=80_000_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        side: str = bt.key(bt.Text(width=1), cardinality=2)

        c = bt.family("c", gc=bt.max_versions(1))
        text: str = bt.column("t", c, size=120, max_size=4_000)

        of_chat = bt.query("chat", between="at")

    return ChatLine


@bad(
    "Ten revisions that go by their age",
    "FAM010",
    says=("bt.max_versions(10) & bt.max_age(days=90)",),
    verdict="warning",
)
def thirtyfirst_ten_revisions_that_go_by_their_age() -> object:
    class FareRule(bt.Model, table="fare_rule", events="20/s"):
        """A fare rule and its revisions.

        Revenue accounting must always find the latest ten revisions of a rule, even if the
        oldest of these was filed years ago. Beyond those ten we hold everything that was filed
        within the last 90 days, which for a lively rule is about 60 revisions.
        """

        airline: str = bt.key(bt.Text(width=2), cardinality=300)
        rule: str = bt.key(bt.Text(max_length=12), cardinality=900_000)

        f = bt.family("f", gc=bt.max_versions(10) | bt.max_age(days=90))
        filed: bt.History[bytes] = bt.history("doc", f, every="36h", size=900, max_size=8_000)

        of_airline = bt.query("airline", starting="rule")

    return FareRule


@bad("Applicants under their lane", "KEY021", says=("`{posting}#{applicant}`",), verdict="warning")
def thirtyfirst_applicants_under_their_lane() -> object:
    class Applicant(bt.Model, table="applicant", events="15/s"):
        """An applicant for a posting, as a card on the board.

        Recruiters drag a card from lane to lane until it is closed. The board draws one lane
        after another. A posting has a few hundred applicants.
        """

        posting: UUID = bt.key(bt.UuidText(), cardinality=200_000)
        lane: Lane = bt.key(bt.EnumText(Lane))
        applicant: UUID = bt.key(bt.UuidText(), cardinality=30_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        summary: str = bt.column("s", a, size=300, max_size=4_000)
        rating: int | None = bt.column("r", a, default=None)

        of_posting = bt.query("posting")
        of_lane = bt.query("posting", "lane")

    return Applicant


@bad("Usage under a phone number", "KEY010", says=("person_id",), verdict="warning")
def thirtyfirst_usage_under_a_phone_number() -> object:
    class DailyUsage(bt.Model, table="daily_usage", events="2500/s"):
        """What a line used on a day. `line` is the subscriber's phone number in E.164 without the
        plus, e.g. 4915112345678, because that's what comes in the call records."""

        line: str = bt.key(bt.Text(max_length=15), cardinality=12_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        u = bt.family("u", gc=bt.max_age(days=200))
        megabytes: int = bt.column("mb", u)
        minutes: int = bt.column("min", u)

        of_line = bt.query("line", between="day", span="31days")

    return DailyUsage


@bad("Versions as text in a range", "KEY007", says=("bt.PaddedInt(5)",), verdict="warning")
def thirtyfirst_versions_as_text_in_a_range() -> object:
    class Release(bt.Model, table="release", events="4/s"):
        """A release of a package.

        The resolver asks for the releases between two versions, such as from 1.9.0 up to
        1.12.0, in the order of versions. Versions are three plain numbers with dots.
        """

        package: str = bt.key(bt.Text(max_length=60), cardinality=600_000)
        version: str = bt.key(bt.Text(max_length=14))

        r = bt.family("r", gc=bt.max_versions(1))
        sha256: bytes = bt.column("sum", r, size=32, max_size=32)
        published: datetime = bt.column("at", r)
        requires: str = bt.column("req", r, size=200, max_size=10_000)

        between_versions = bt.query("package", between="version")

    return Release


@bad("Order lines by a foreign key", "QRY001", says=("`{order_id}#{id}`",), verdict="warning")
def thirtyfirst_order_lines_by_a_foreign_key() -> object:
    class PurchaseOrder(bt.Model, table="purchase_order", events="60/s"):
        """Header of a purchase order."""

        id: UUID = bt.key(bt.UuidText(), cardinality=150_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        supplier: str = bt.column("supplier", h, size=12, max_size=20)
        placed: datetime = bt.column("placed", h)

    class OrderLine(bt.Model, table="order_line", events="500/s"):
        """A line of a purchase order. Has its own id; order_id points to the header. The order page loads
        the header and then the lines with that order_id, usually eight of them."""

        id: UUID = bt.key(bt.UuidText(), cardinality=1_200_000_000)

        lines = bt.family("l", gc=bt.max_versions(1))
        order_id: UUID = bt.column("order_id", lines, cardinality=150_000_000)
        article: str = bt.column("article", lines, size=13, max_size=20)
        quantity: int = bt.column("qty", lines)

        of_order = bt.query(scan="the lines of the order on the order page", where=["order_id"])

    return (PurchaseOrder, OrderLine)


@bad("Contracts of 180 MB in cells", "ROW001", says=("object store",), verdict="error")
def thirtyfirst_contracts_of_180_mb_in_cells() -> object:
    class ScannedContract(bt.Model, table="contract_scan"):
        """A signed contract as the scanner made it: one PDF, usually 25 MB, the thick ones 180 MB.

        The viewer downloads the whole file.
        """

        contract: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        signed: date = bt.column("signed", d)
        pdf: bytes = bt.column("pdf", d, size=25_000_000, max_size=180_000_000)

    return ScannedContract


@bad("Votes of a final", "KEY013", says=("shard",), verdict="warning")
def thirtyfirst_votes_of_a_final() -> object:
    class Tally(bt.Model, table="tally", events="40000/s"):
        """Votes for a contestant of the live show. Every vote is added the moment it arrives;
        the director's screen reads the twelve rows each second."""

        show: str = bt.key(bt.Text(max_length=20), cardinality=30)
        contestant: int = bt.key(bt.PaddedInt(2), cardinality=12)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("n", v, increments="3500/s")

        of_show = bt.query("show")

    return Tally


@bad("Comments in one cell", "COL009", "ROW003", says=("one row",), verdict="warning")
def thirtyfirst_comments_in_one_cell() -> object:
    class Discussion(bt.Model, table="discussion", events="700/s"):
        """The discussion of an article.

        To post, the service reads `comments`, appends {author, time, text} and writes the list
        back. Most articles have a dozen comments. Election nights had 60,000 on one article. The
        page shows 20 at a time, the newest first.
        """

        article: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=60, max_size=200)
        comments: list[dict[str, Any]] = bt.column("comments", d, size=4_000)

    return Discussion


@bad("Mails from the head of a queue", "ROW009", "KEY003", says=("Pub/Sub",), verdict="warning")
def thirtyfirst_mails_from_the_head_of_a_queue() -> object:
    class OutgoingMail(bt.Model, table="outgoing_mail", events="3000/s"):
        """A mail that waits to be sent.

        Each of the 40 senders reads the first rows of its queue from the beginning five times
        a second, sends them and deletes them. A mail is here for two seconds or so.
        """

        queue: str = bt.key(bt.Text(max_length=10), cardinality=4)
        enqueued: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=10_000_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        body: bytes = bt.column("body", m, size=8_000, max_size=200_000)

        head = bt.query("queue")

    return OutgoingMail


@bad("A salt of the skewed customer", "KEY003", says=("bt.salt",), verdict="error")
def thirtyfirst_a_salt_of_the_skewed_customer() -> object:
    class TelemetryEvent(bt.Model, table="telemetry", events="50000/s"):
        """An event that a customer's software sent home.

        We know that one customer (the bank) makes 60 % of all traffic, hence the salt.
        Support looks at a customer's last few minutes.
        """

        salt = bt.salt("customer", buckets=32)
        customer: str = bt.key(bt.Text(max_length=16), cardinality=900, skew="60%:1", tenant=True)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=14))
        kind: str = bt.column("k", e, size=16, max_size=40)
        payload: bytes = bt.column("p", e, size=350, max_size=8_000)

        of_customer = bt.query("customer", between="at", span="10min", newest=True)

    return TelemetryEvent


@bad("Trades of one second", "KEY017", says=("`{symbol}#{at}#{id}`",), verdict="error")
def thirtyfirst_trades_of_one_second() -> object:
    class Trade(bt.Model, table="trade", events="12000/s"):
        """Every single trade of the session, one row each, for the tape and for best-execution reports."""

        symbol: str = bt.key(bt.Text(width=6), cardinality=900)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        t = bt.family("t", gc=bt.max_age(days=400))
        price: Decimal = bt.column("px", t, size=8, max_size=16)
        shares: int = bt.column("sz", t)
        venue: str = bt.column("v", t, size=4, max_size=4)

        tape = bt.query("symbol", between="at", span="1h")

    return Trade


@bad("An index under five states", "KEY003", says=("bt.salt",), verdict="warning")
def thirtyfirst_an_index_under_five_states() -> object:
    class Delivery(bt.Model, table="delivery", events="22000/s"):
        """A delivery. Each step of it, and each position of its van, updates the row."""

        id: UUID = bt.key(bt.UuidText(), cardinality=500_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        depot: str = bt.column("depot", d, codec=bt.AsInKey(bt.Text(width=4)), cardinality=900)
        state: State = bt.column("state", d)
        updated: datetime = bt.column("updated", d)
        address: str = bt.column("address", d, size=60, max_size=200)

    class DeliveryByState(bt.Index, of=Delivery, view="delivery_by_state"):
        """What a dispatcher sees: the deliveries of their depot in one state, by their last update."""

        state: State = bt.key(bt.EnumText(State))
        updated: datetime = bt.key(bt.EpochMicros())
        id: UUID = bt.covered()

        depot: str = bt.covered()

        of_state = bt.query("state", between="updated", where=["depot"])

    return (Delivery, DeliveryByState)


@bad(
    "Invoices in a table for each tenant", "TAB002", says=("`{tenant}#{issued}#{number}`",), verdict="warning"
)
def thirtyfirst_invoices_in_a_table_for_each_tenant() -> object:
    class Invoice(bt.Model, table="invoice_{tenant}", events="1/s"):
        """An invoice that a tenant has issued.

        Every tenant has a table of its own, so leaving is a drop of the table. 6,200 tenants
        today, about fifty new ones a month, the same rules and the same access for all of them.
        """

        issued: date = bt.key(bt.DateText("%Y%m%d"))
        number: str = bt.key(bt.Text(max_length=20), cardinality=100_000)

        i = bt.family("i", gc=bt.max_versions(1))
        cents: int = bt.column("cents", i)
        body: bytes = bt.column("body", i, size=3_000, max_size=60_000)

        issued_between = bt.query(between="issued", span="31days")

    return Invoice


@bad(
    "A twin without what tells payments apart", "KEY017", says=("`{merchant}#{day}#{id}`",), verdict="warning"
)
def thirtyfirst_a_twin_without_what_tells_payments_apart() -> object:
    class Payment(bt.Model, table="payment", events="1800/s"):
        """A card payment, for the statement of an account."""

        account: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=5_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=730))
        merchant: str = bt.column("m", p, size=10, max_size=10)
        cents: int = bt.column("c", p)

        of_account = bt.query("account", between="at", span="31days")

    class MerchantPayment(bt.Model, table="merchant_payment", events="1800/s"):
        """The same payments once more, for the merchant: the portal lists all single payments of a day.
        A merchant has some 200 of them a day."""

        merchant: str = bt.key(bt.Text(max_length=10), cardinality=800_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        p = bt.family("p", gc=bt.max_age(days=730))
        id: UUID = bt.column("id", p)
        at: datetime = bt.column("at", p)
        cents: int = bt.column("c", p)

        of_merchant = bt.query("merchant", between="day", span="7days")

    return (Payment, MerchantPayment)


@bad("Cuttings older than their age", "FAM006", says=('bt.column("printed", c)',), verdict="warning")
def thirtyfirst_cuttings_older_than_their_age() -> object:
    class Cutting(bt.Model, table="cutting", events="80/s"):
        """An article about a company.

        Cells carry the time at which the article was printed. We load agencies' archives, many
        of them from the 1990s, next to today's press. A customer can read a cutting for two
        years after we have loaded it.
        """

        company: str = bt.key(bt.HexDigest(8), cardinality=500_000)
        source: str = bt.key(bt.Text(max_length=12), cardinality=4_000)
        article: str = bt.key(bt.HexDigest(16), cardinality=700_000_000)
        printed: datetime = bt.timestamp()

        c = bt.family("c", gc=bt.max_age(days=730))
        headline: str = bt.column("h", c, size=80, max_size=300)
        text: str = bt.column("t", c, size=3_000, max_size=100_000)

        of_company = bt.query("company")
        of_source = bt.query("company", "source")

    return Cutting


@bad(
    "Five years of seconds in one row", "ROW002", "COL005", says=("`{park}#{turbine}#{at}`",), verdict="error"
)
def thirtyfirst_five_years_of_seconds_in_one_row() -> object:
    class Turbine(bt.Model, table="turbine", events="4000/s"):
        """All measurements of a turbine. One a second, kept for five years; the analysts
        usually pull a day."""

        park: str = bt.key(bt.Text(max_length=12), cardinality=80)
        turbine: int = bt.key(bt.PaddedInt(4), cardinality=4_000, sequential=False)

        m = bt.family("m", gc=bt.max_age(days=1826))
        rpm: bt.History[float] = bt.history("rpm", m, every="1s")
        kilowatts: bt.History[float] = bt.history("kw", m, every="1s")
        wind: bt.History[float] = bt.history("wind", m, every="1s")

        of_park = bt.query("park")
        of_turbine = bt.query("park", "turbine")

    return Turbine
