"""A nineteenth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from enum import StrEnum

from published import bad

import btmodel as bt


@bad("Claim", "KEY001", verdict="error")
def nineteenth_claim() -> object:
    class Claim(bt.Model, table="CLAIM", events="9000/s"):
        """A claim against a travel insurance, filed by an app or an agency."""

        claim: str = bt.key(bt.HexDigest(16), cardinality=400_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        policy: str = bt.column("policy", c, size=12, max_size=20)
        filed: datetime = bt.column("filed", c)
        amount: int = bt.column("amount", c)

        one = bt.query("claim")

    class ClaimByFiling(bt.Index, of=Claim, view="CLAIM_BY_FILING"):
        """The claims of all policies, the newest first, for the page of the fraud desk."""

        newest: datetime = bt.key(bt.ReversedMillis(), of="filed")
        claim: str = bt.covered()

        amount: int = bt.covered()

        lately = bt.query(between="newest", span="10min")

    return Claim, ClaimByFiling


@bad("Ledger entry", "KEY002", verdict="error")
def nineteenth_ledger_entry() -> object:
    class LedgerEntry(bt.Model, table="LEDGER_ENTRY", events="6000/s"):
        """An entry of the ledger of a wallet app. The numbers are handed out by one sequence of the core system."""

        number: int = bt.key(bt.PaddedInt(14), cardinality=50_000_000_000, sequential=True)

        e = bt.family("e", gc=bt.max_versions(1))
        wallet: str = bt.column("wallet", e, size=16, max_size=16)
        cents: int = bt.column("cents", e)
        booked: datetime = bt.column("booked", e)

        one = bt.query("number")

    return LedgerEntry


@bad("Log line", "KEY003", verdict="error")
def nineteenth_log_line() -> object:
    class Level(StrEnum):
        DEBUG = "debug"
        INFO = "info"
        WARN = "warn"
        ERROR = "error"

    class LogLine(bt.Model, table="LOG_LINE", events="12000/s"):
        """A line that a service of our platform logged."""

        level: Level = bt.key(bt.EnumText(Level), cardinality=4, skew="85%:1")
        at: datetime = bt.key(bt.EpochMicros())
        line: str = bt.key(bt.HexDigest(16), cardinality=5_000_000_000)

        data = bt.family("l", gc=bt.max_age(days=14))
        service: str = bt.column("service", data, size=15, max_size=40)
        text: str = bt.column("text", data, size=250, max_size=8_000)

        of_level = bt.query("level", between="at", span="1min")

    return LogLine


@bad("Chat message", "KEY003", verdict="error")
def nineteenth_chat_message() -> object:
    class ChatMessage(bt.Model, table="CHAT_MESSAGE", events="40000/s"):
        """A message in the chat beside a live stream. On the evening of a final nearly everybody writes in one room."""

        room: str = bt.key(bt.Text(max_length=24), cardinality=60_000, skew="70%:1")
        at: datetime = bt.key(bt.ReversedMillis())
        message: str = bt.key(bt.HexDigest(16), cardinality=4_000_000_000)

        m = bt.family("m", gc=bt.max_age(days=30))
        author: str = bt.column("author", m, size=12, max_size=30)
        text: str = bt.column("text", m, size=60, max_size=1_200)

        of_room = bt.query("room", between="at", span="1min")

    return ChatMessage


@bad("Bid", "KEY017", verdict="error")
def nineteenth_bid() -> object:
    class Bid(bt.Model, table="BID", events="3000/s"):
        """A bid for a lot of an online auction. All of them are kept for disputes, also those that came in the last second."""

        lot: str = bt.key(bt.HexDigest(12), cardinality=400)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        b = bt.family("b", gc=bt.max_versions(1))
        bidder: str = bt.column("bidder", b, size=16, max_size=16)
        cents: int = bt.column("cents", b)

        of_lot = bt.query("lot", between="at", span="1h")

    return Bid


@bad("Audit trail", "ROW003", verdict="error")
def nineteenth_audit_trail() -> object:
    class AuditTrail(bt.Model, table="AUDIT_TRAIL", events="1500/s"):
        """What the administrators and the API keys of a tenant did, for as long as we have the tenant."""

        tenant: str = bt.key(bt.HexDigest(10), cardinality=3_000, tenant=True)

        a = bt.family("a", gc=bt.keep_all())
        action: bt.History[str] = bt.history("action", a, every="2s", size=300, max_size=2_000)

        of_tenant = bt.query("tenant")

    return AuditTrail


@bad("Fans", "ROW002", verdict="error")
def nineteenth_fans() -> object:
    class Fans(bt.Model, table="FANS", events="4000/s"):
        """Who follows an artist on our music service. A page of followers is shown under the profile."""

        artist: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[str] = bt.members(f, bt.HexDigest(16), entries=60_000_000)

        of_artist = bt.query("artist")

    return Fans


@bad("Contest tally", "KEY013", verdict="error")
def nineteenth_contest_tally() -> object:
    class ContestTally(bt.Model, table="CONTEST_TALLY", events="18000/s"):
        """The votes for the acts of a song contest that viewers cast in the app, summed as they come in."""

        contest: str = bt.key(bt.Text(max_length=20), cardinality=3)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("votes", v, increments="18000/s")

        tally = bt.query("contest")

    return ContestTally


@bad("Patient day", "FAM006", verdict="error")
def nineteenth_patient_day() -> object:
    class PatientDay(bt.Model, table="PATIENT_DAY", bucket="day", events="2000/min"):
        """The vital signs of a patient in intensive care, once a minute. The ward scrolls back through the whole day."""

        patient: str = bt.key(bt.HexDigest(12), cardinality=2_000, pii=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        v = bt.family("v", gc=bt.max_versions(100))
        pulse: bt.History[int] = bt.history("pulse", v, every="1min")
        oxygen: bt.History[int] = bt.history("oxygen", v, every="1min")

        of_patient = bt.query("patient", between="day", span="1day")

    return PatientDay


@bad("Catch day", "FAM006", verdict="warning")
def nineteenth_catch_day() -> object:
    class CatchDay(bt.Model, table="CATCH_DAY", bucket="day", events="500/min", lateness="30d"):
        """What a fishing vessel caught on a day. Vessels on the high seas send their log when they are back in port."""

        vessel: str = bt.key(bt.Text(width=9), cardinality=20_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        c = bt.family("c", gc=bt.max_age(days=14))
        kilos: bt.History[float] = bt.history("kg", c, every="40min")

        of_vessel = bt.query("vessel", between="day", span="7day")

    return CatchDay


@bad("Flag setting", "FAM006", verdict="warning")
def nineteenth_flag_setting() -> object:
    class FlagSetting(bt.Model, table="FLAG_SETTING", events="1/s"):
        """The setting of a feature flag. The present value always stays; older ones are kept for 30 days, to roll back to."""

        app: str = bt.key(bt.Text(max_length=30), cardinality=400)
        flag: str = bt.key(bt.Text(max_length=60), cardinality=20_000)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=30))
        setting: bt.History[str] = bt.history("setting", s, every="20day", size=80, max_size=2_000)

        of_app = bt.query("app")

    return FlagSetting


@bad("Ticket", "KEY021", verdict="warning")
def nineteenth_ticket() -> object:
    class State(StrEnum):
        NEW = "new"
        OPEN = "open"
        WAITING = "waiting"
        SOLVED = "solved"

    class Ticket(bt.Model, table="TICKET", events="60/s"):
        """A ticket of a help desk. Agents work through the open ones of their team and set the state."""

        team: str = bt.key(bt.Text(max_length=16), cardinality=900)
        state: State = bt.key(bt.EnumText(State), cardinality=4, changes=True)
        opened: datetime = bt.key(bt.EpochMillis())
        ticket: str = bt.key(bt.HexDigest(12), cardinality=50_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("subject", t, size=60, max_size=250)
        agent: str | None = bt.column("agent", t, default=None, size=10, max_size=20)

        of_team = bt.query("team", "state", between="opened", span="7day")

    return Ticket


@bad("Subscriber", "KEY010", verdict="warning")
def nineteenth_subscriber() -> object:
    class Subscriber(bt.Model, table="SUBSCRIBER", events="30/s"):
        """Who gets our newsletters, and which of them. People can ask us to be forgotten."""

        email: str = bt.key(bt.Text(max_length=120), cardinality=25_000_000, pii=True)

        s = bt.family("s", gc=bt.max_versions(1))
        topics: set[str] = bt.members(s, bt.Text(max_length=20), entries=30)
        confirmed: datetime | None = bt.column("confirmed", s, default=None)

        one = bt.query("email")

    return Subscriber


@bad("Render job", "QRY005", verdict="warning")
def nineteenth_render_job() -> object:
    class RenderJob(bt.Model, table="RENDER_JOB", events="200/s"):
        """A frame that a studio wants rendered. The dispatcher asks every second for what is still waiting."""

        studio: str = bt.key(bt.Text(max_length=16), cardinality=50)
        job: str = bt.key(bt.HexDigest(16), cardinality=3_000_000_000)

        j = bt.family("j", gc=bt.max_age(days=365))
        state: str = bt.column("state", j, size=7, max_size=10, cardinality=4)
        scene: str = bt.column("scene", j, size=120, max_size=400)

        waiting = bt.query("studio", where=["state"])

    return RenderJob


@bad("Deed", "ROW001", verdict="warning")
def nineteenth_deed() -> object:
    class Deed(bt.Model, table="DEED", events="1/s"):
        """A notarial deed as it was scanned, with its register number."""

        deed: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        office: str = bt.column("office", d, size=20, max_size=60)
        scan: bytes = bt.column("scan", d, size=25_000_000, max_size=90_000_000)

        one = bt.query("deed")

    return Deed


@bad("Loan", "KEY005", verdict="warning")
def nineteenth_loan() -> object:
    class Loan(bt.Model, table="LOAN", events="15/s"):
        """A book that was lent by one of the city's libraries. The front desk lists the loans of the last minutes."""

        shard = bt.salt("loan", buckets=500)
        at: datetime = bt.key(bt.EpochMillis())
        loan: str = bt.key(bt.HexDigest(12), cardinality=400_000_000)

        data = bt.family("l", gc=bt.max_age(days=730))
        book: str = bt.column("book", data, size=13, max_size=13)
        branch: str = bt.column("branch", data, size=10, max_size=20)

        lately = bt.query(between="at", span="5min")

    return Loan


@bad("Checkout", "KEY003", verdict="warning")
def nineteenth_checkout() -> object:
    class Checkout(bt.Model, table="CHECKOUT", events="9000/s"):
        """An order that was paid in the web shop of one of our sales regions."""

        shard = bt.salt("region", buckets=20)
        region: str = bt.key(bt.Text(width=4), cardinality=4, skew="60%:1")
        at: datetime = bt.key(bt.EpochMillis())
        order: str = bt.key(bt.HexDigest(12), cardinality=5_000_000_000)

        o = bt.family("o", gc=bt.max_age(days=90))
        cents: int = bt.column("cents", o)
        items: int = bt.column("items", o)

        of_region = bt.query("region", between="at", span="1min")

    return Checkout


@bad("Statement line", "QRY001", verdict="warning")
def nineteenth_statement_line() -> object:
    class StatementLine(bt.Model, table="STATEMENT_LINE", events="800/s"):
        """A line of a customer's bank statement."""

        line: str = bt.key(bt.HexDigest(16), cardinality=20_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=3650))
        customer: str = bt.column("customer", s, size=16, max_size=16, cardinality=9_000_000)
        booked: datetime = bt.column("booked", s)
        cents: int = bt.column("cents", s)

        statement = bt.query(scan="the app shows a customer the lines of the account", where=["customer"])

    return StatementLine


@bad("Room rate", "ROW008", verdict="warning")
def nineteenth_room_rate() -> object:
    class RoomRate(bt.Model, table="ROOM_RATE", events="5000/s", lateness="2h"):
        """The latest rate of a room type of a hotel. Channel managers send the rates out of order, some two hours after they were set."""

        hotel: str = bt.key(bt.HexDigest(8), cardinality=900_000)
        room: str = bt.key(bt.Text(max_length=10), cardinality=9_000)

        r = bt.family("r", gc=bt.max_versions(1))
        cents: int = bt.column("cents", r)
        since: datetime = bt.column("since", r)

        of_hotel = bt.query("hotel")

    return RoomRate


@bad("Order line", "ROW004", verdict="warning")
def nineteenth_order_line() -> object:
    class OrderLine(bt.Model, table="ORDER_LINE", events="700/s", atomic="order"):
        """A line of a wholesale order. An order is released with all of its lines, or not at all."""

        order: str = bt.key(bt.HexDigest(12), cardinality=80_000_000)
        line: int = bt.key(bt.PaddedInt(4), cardinality=600, sequential=False)

        data = bt.family("l", gc=bt.max_versions(1))
        sku: str = bt.column("sku", data, size=14, max_size=20)
        count: int = bt.column("count", data)
        released: bool = bt.column("released", data)

        of_order = bt.query("order")

    return OrderLine


@bad("Player", "FAM010", verdict="warning")
def nineteenth_player() -> object:
    class Player(bt.Model, table="PLAYER", events="2500/s"):
        """A player of a mobile game. The nickname is set at the first start; the level and the last visit are written at each visit."""

        player: str = bt.key(bt.HexDigest(16), cardinality=30_000_000, pii=False)

        p = bt.family("p", gc=bt.max_age(days=90))
        nickname: str = bt.column("nick", p, size=10, max_size=40)
        level: int = bt.column("level", p)
        last_visit: datetime = bt.column("visit", p)

        one = bt.query("player")

    return Player


@bad("Holiday home", "QRY005", verdict="warning")
def nineteenth_holiday_home() -> object:
    class HolidayHome(bt.Model, table="HOLIDAY_HOME", events="20/s"):
        """A holiday home, listed by district on the page of a city."""

        city: str = bt.key(bt.Text(max_length=24), cardinality=400)
        district: str = bt.key(bt.Text(max_length=24), cardinality=6_000)
        home: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        title: str = bt.column("title", h, size=60, max_size=200)
        night_cents: int = bt.column("night", h)
        photo: bytes = bt.column("photo", h, size=180_000, max_size=800_000)

        of_district = bt.query("city", "district")

    return HolidayHome
