"""A twenty-eighth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


class Region(StrEnum):
    EUROPE = "eu"
    AMERICA = "am"
    ASIA = "as"


class Level(StrEnum):
    INFO = "i"
    WARNING = "w"
    ERROR = "e"


class Status(StrEnum):
    OPEN = "open"
    PENDING = "pending"
    SOLVED = "solved"


class Step(StrEnum):
    ACCEPTED = "a"
    SORTED = "s"
    ON_THE_ROAD = "r"
    DELIVERED = "d"


@bad("Clicks under their hour", "KEY001", says=("`{shop}#{hour}#{click}`",), verdict="error")
def twentyeighth_clicks_under_their_hour() -> object:
    class Click(bt.Model, table="clicks", events="25000/s"):
        """One click on a page of a shop, kept for 30 days.

        The hour is the partition, as it was in our data lake: analysts open one shop and one hour at a time.
        """

        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H", round=True))
        shop: str = bt.key(bt.Text(max_length=24), cardinality=6_000, size=10)
        click: UUID = bt.key(bt.UuidText())

        c = bt.family("c", gc=bt.max_age(days=30))
        path: str = bt.column("path", c, size=60, max_size=2_000)
        referrer: str | None = bt.column("ref", c, size=80, max_size=2_000, default=None)
        clicked: datetime = bt.column("at", c)

        of_shop = bt.query("hour", "shop")

    return Click


@bad("Payments under snowflake ids", "KEY002", says=("bt.ReversedDigits(19)",), verdict="error")
def twentyeighth_payments_under_snowflake_ids() -> object:
    class CardPayment(bt.Model, table="card_payments", events="22000/s"):
        """A confirmed payment by card, kept for seven years.

        `payment` is handed out by our id service in the manner of Snowflake: the millisecond in the upper bits, then the
        machine and a counter. Support looks a payment up by it, nothing else is asked here.
        """

        payment: int = bt.key(bt.PaddedInt(19), cardinality=4_800_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=2_557))
        account: str = bt.column("acc", p, size=12, max_size=20)
        cents: int = bt.column("cents", p)
        currency: str = bt.column("cur", p, size=3, max_size=3)
        merchant: str = bt.column("mer", p, size=15, max_size=40)
        confirmed: datetime = bt.column("conf", p)

        by_number = bt.query("payment")

    return CardPayment


@bad("Three regions in front of the time", "KEY003", says=("bt.salt",), verdict="error")
def twentyeighth_three_regions_in_front_of_the_time() -> object:
    class GameAction(bt.Model, table="game_actions", events="60000/s"):
        """An action of a player. Operations watch one region for the last minutes; after a week nobody needs it."""

        region: Region = bt.key(bt.EnumText(Region), cardinality=3)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        player: str = bt.key(bt.Text(width=10), cardinality=5_000_000)

        a = bt.family("a", gc=bt.max_age(days=7))
        action: str = bt.column("act", a, size=12, max_size=30)
        weapon: int | None = bt.column("wpn", a, default=None)
        x: float = bt.column("x", a)
        y: float = bt.column("y", a)

        of_region = bt.query("region", between="at", span="5min")

    return GameAction


@bad(
    "Ten years of a monitor in one row",
    "ROW002",
    says=(
        "{monitor}#{at}",
        'bucket="hour"',
    ),
    verdict="error",
)
def twentyeighth_ten_years_of_a_monitor_in_one_row() -> object:
    class Monitor(bt.Model, table="monitors", events="4000/s"):
        """A bedside monitor and all that it has measured, once a second.

        The rules of the hospital group ask for ten years. The chart at the bed shows an hour, the ward round looks at a day.
        """

        monitor: str = bt.key(bt.Text(width=8), cardinality=4_000)

        v = bt.family("v", gc=bt.max_age(days=3_650))
        heart_rate: bt.History[int] = bt.history("hr", v, every="1s")
        oxygen: bt.History[int] = bt.history("o2", v, every="1s")

        of_monitor = bt.query("monitor")

    return Monitor


@bad("A third of the versions of a day", "FAM006", says=("bt.max_versions(288)",), verdict="error")
def twentyeighth_a_third_of_the_versions_of_a_day() -> object:
    class InverterDay(bt.Model, table="inverter_days", bucket="day", events="200/s"):
        """A day of an inverter. The app draws the curve of a whole day; days are kept for the life of the roof.

        Since the firmware of last autumn an inverter reports every five minutes, before that it was every quarter of an hour.
        """

        inverter: str = bt.key(bt.Text(width=12), cardinality=60_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        w = bt.family("w", gc=bt.max_versions(96))
        watts: bt.History[int] = bt.history("w", w, every="5min")
        volts: bt.History[float] = bt.history("v", w, every="5min")

        of_inverter = bt.query("inverter", between="day")

    return InverterDay


@bad(
    "A limit that needs both rules",
    "COL005",
    says=("bt.max_versions(500) | bt.max_age(days=30)",),
    verdict="warning",
)
def twentyeighth_a_limit_that_needs_both_rules() -> object:
    class Trace(bt.Model, table="traces", events="3400/s"):
        """The squares of the map (geohash) in which a phone was seen, about every ten minutes.

        Our privacy notice promises: nothing older than 30 days is left, and never more than the last 500 squares of a phone.
        `phone` is the random id that the app makes when it is installed.
        """

        phone: str = bt.key(bt.HexDigest(16), cardinality=2_000_000, pii=False)

        t = bt.family("t", gc=bt.max_versions(500) & bt.max_age(days=30))
        square: bt.History[str] = bt.history("sq", t, size=8, max_size=12, every="10min")

        of_phone = bt.query("phone")

    return Trace


@bad("Log lines that nothing deletes", "FAM010", says=("bt.max_age(days=14)",), verdict="warning")
def twentyeighth_log_lines_that_nothing_deletes() -> object:
    class LogLine(bt.Model, table="log_lines", events="15000/s"):
        """A line of a log. Lines are kept for fourteen days, as the data processing agreement with our customers says."""

        service: str = bt.key(bt.Text(max_length=30), cardinality=900, size=14)
        pod: str = bt.key(bt.Text(width=10), cardinality=20_000)
        at: datetime = bt.key(bt.EpochMicros())

        line = bt.family("l", gc=bt.keep_all())
        level: Level = bt.column("lvl", line)
        message: str = bt.column("msg", line, size=300, max_size=8_000)

        of_pod = bt.query("service", "pod", between="at", span="1h")

    return LogLine


@bad("Days that begin with the day", "KEY007|QRY001", says=("%Y.%m.%d",), verdict="error")
def twentyeighth_days_that_begin_with_the_day() -> object:
    class DailyUsage(bt.Model, table="daily_usage", events="350/s"):
        """What an account has used of an article on a day. The invoice run reads the days of a billing period.

        Days are written as on the invoice. Usage is kept for ten years.
        """

        account: str = bt.key(bt.Text(width=10), cardinality=500_000)
        day: date = bt.key(bt.DateText("%d.%m.%Y"))
        article: str = bt.key(bt.Text(max_length=16), cardinality=300)

        u = bt.family("u", gc=bt.max_age(days=3_653))
        units: int = bt.column("n", u)
        amount: Decimal = bt.column("amt", u, size=8, max_size=20)

        of_period = bt.query("account", between="day", span="31days")

    return DailyUsage


@bad(
    "Tickets under their status",
    "KEY021",
    says=(
        "`{company}#{ticket}`",
        "bt.Index",
    ),
    verdict="warning",
)
def twentyeighth_tickets_under_their_status() -> object:
    class Ticket(bt.Model, table="tickets", events="20/s"):
        """A ticket. Agents begin their day with the open tickets of their company, answer, set them to pending, and solve them.

        Tickets stay as long as the company is a customer.
        """

        company: str = bt.key(bt.Text(max_length=30), cardinality=12_000, tenant=True)
        status: Status = bt.key(bt.EnumText(Status), cardinality=3)
        ticket: str = bt.key(bt.HexDigest(12), cardinality=90_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("sub", t, size=60, max_size=400)
        agent: str | None = bt.column("agt", t, size=12, max_size=40, default=None)
        opened: datetime = bt.column("opened", t)

        with_status = bt.query("company", "status")

    return Ticket


@bad("The newest of a channel at its end", asked=("KEY015",), says=("bt.ReversedMillis(round=True)",))
def twentyeighth_the_newest_of_a_channel_at_its_end() -> object:
    class Upload(bt.Model, table="uploads", events="30/s"):
        """A video of a channel. The page of a channel shows the newest thirty, and that is all that this table is read for."""

        channel: str = bt.key(bt.Text(width=11), cardinality=3_000_000)
        published: datetime = bt.key(bt.EpochMillis(round=True))
        video: str = bt.key(bt.Text(width=11), cardinality=4_000_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        title: str = bt.column("title", m)
        seconds: int = bt.column("secs", m)
        picture: str = bt.column("pic", m)

        newest_of_channel = bt.query("channel", newest=True)

    return Upload


@bad("Results under the number on a card", "KEY010", says=("person_id",), verdict="warning")
def twentyeighth_results_under_the_number_on_a_card() -> object:
    class LabResult(bt.Model, table="lab_results", events="30/s"):
        """A result of a blood test, kept for ten years.

        `insured` is the number on the patient's health insurance card, which practices type in to see the results.
        """

        insured: str = bt.key(bt.Text(width=10), cardinality=9_000_000)
        taken: datetime = bt.key(bt.ReversedSeconds(round=True))
        test: str = bt.key(bt.Text(max_length=12), cardinality=1_800)

        r = bt.family("r", gc=bt.max_age(days=3_653))
        value: Decimal = bt.column("v", r, size=5, max_size=20)
        unit: str = bt.column("u", r, size=5, max_size=12)

        of_patient = bt.query("insured", between="taken", newest=True)

    return LabResult


@bad("All parcels each minute", "QRY001", says=("bt.Rollup",), verdict="warning")
def twentyeighth_all_parcels_each_minute() -> object:
    class Parcel(bt.Model, table="parcels", events="130/s"):
        """A parcel and where it is. Customers look it up by its code. It is deleted half a year after its last scan."""

        code: str = bt.key(bt.HexDigest(20), cardinality=400_000_000)

        p = bt.family("p", gc=bt.max_age(days=180))
        step: Step = bt.column("step", p, cardinality=4)
        depot: str = bt.column("depot", p, size=6, max_size=6, cardinality=240)
        scanned: datetime = bt.column("scan", p)

        by_code = bt.query("code")
        on_the_road = bt.query(
            scan="the board of the control room counts, each minute, the parcels that are on the road from each depot"
        )

    return Parcel


@bad(
    "One actor among all events of a tenant",
    "QRY005",
    says=("`{tenant}#{actor}#{at}#{event}`",),
    verdict="warning",
)
def twentyeighth_one_actor_among_all_events_of_a_tenant() -> object:
    class AuditEvent(bt.Model, table="audit_events", events="6000/s"):
        """Who did what in a tenant. Administrators see the newest events, and often open the page of one actor. 400 days."""

        tenant: str = bt.key(bt.Text(max_length=24), cardinality=300, tenant=True)
        at: datetime = bt.key(bt.ReversedMillis(round=True))
        event: UUID = bt.key(bt.UuidText())

        e = bt.family("e", gc=bt.max_age(days=400))
        actor: str = bt.column("actor", e, size=16, max_size=40, cardinality=2_000_000)
        action: str = bt.column("act", e, size=20, max_size=60)
        target: str = bt.column("tgt", e, size=24, max_size=120)

        newest_of_tenant = bt.query("tenant", between="at", newest=True, span="1day")
        of_actor = bt.query("tenant", where=["actor"])

    return AuditEvent


@bad("Followers in one cell", "ROW003", says=("`{handle}#{joined}`",), verdict="warning")
def twentyeighth_followers_in_one_cell() -> object:
    class Profile(bt.Model, table="profiles", events="900/s"):
        """An account of the network, with the ids of those who follow it, in the order in which they came.

        A new follower is added at the end of the list. Most accounts have some two hundred, the known ones three million.
        `handle` is the random id of an account, not the name that is shown.
        """

        handle: str = bt.key(bt.HexDigest(16), cardinality=50_000_000, pii=False)

        p = bt.family("p", gc=bt.max_versions(1))
        shown: str = bt.column("name", p, size=15, max_size=80)
        joined: datetime = bt.column("join", p)
        followers: list[str] = bt.column("flw", p, size=4_000, max_size=60_000_000)

        by_handle = bt.query("handle")

    return Profile


@bad("Auctions of one second", "KEY017", says=("`{campaign}#{won}#{id}`",), verdict="error")
def twentyeighth_auctions_of_one_second() -> object:
    class WonAuction(bt.Model, table="won_auctions", events="40000/s"):
        """An auction that was won, one row each, for the settlement with the exchanges. Kept for 45 days."""

        campaign: str = bt.key(bt.Text(width=8), cardinality=5_000)
        won: datetime = bt.key(bt.EpochSeconds(round=True))

        a = bt.family("a", gc=bt.max_age(days=45))
        auction: str = bt.column("auc", a, size=22)
        micros: int = bt.column("mic", a)
        exchange: str = bt.column("exch", a)

        of_campaign = bt.query("campaign", between="won", span="1h")

    return WonAuction


@bad("A budget that is read and put", "KEY013", says=("bt.counter",), verdict="warning")
def twentyeighth_a_budget_that_is_read_and_put() -> object:
    class Budget(bt.Model, table="budgets", events="9000/s"):
        """The budget of a running campaign and what is spent of it.

        Forty bidders run at the same time. After an impression the bidder gets the row, adds the price to `spent`, and puts
        the row again.
        """

        campaign: str = bt.key(bt.Text(width=8), cardinality=450)

        b = bt.family("b", gc=bt.max_versions(1))
        limit: int = bt.column("lim", b)
        spent: int = bt.column("spent", b, increments="1200/min")
        currency: str = bt.column("cur", b, size=3, max_size=3)

        of_campaign = bt.query("campaign")

    return Budget


@bad("Previews beside plays", "QRY005", says=('bt.family("t2"',), verdict="warning")
def twentyeighth_previews_beside_plays() -> object:
    class Track(bt.Model, table="tracks", events="2500/s"):
        """A track of an album.

        The page of an album reads the plays and the popularity of its twenty tracks at each visit, and both are written
        again every few hours. The preview is uploaded once, and fetched when somebody presses play.
        """

        album: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)
        track: int = bt.key(bt.PaddedInt(3), cardinality=200, sequential=False)

        t = bt.family("t", gc=bt.max_versions(1))
        title: str = bt.column("title", t, size=25, max_size=300)
        plays: int = bt.column("plays", t)
        popularity: float = bt.column("pop", t)
        preview: bytes = bt.column("prev", t, size=4_000_000, max_size=9_000_000)

        of_album = bt.query("album", only=["title", "plays", "popularity"])

    return Track


@bad("A queue from its head", "ROW009", says=('between="submitted"',), verdict="warning")
def twentyeighth_a_queue_from_its_head() -> object:
    class Work(bt.Model, table="work", events="5000/s"):
        """Something to convert. A worker reads the ten oldest of its queue and deletes each when it is done, after seconds."""

        queue: str = bt.key(bt.Text(max_length=20), cardinality=40)
        submitted: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidText())

        w = bt.family("w", gc=bt.max_age(days=7))
        source: str = bt.column("src", w, size=60, max_size=300)
        profile: str = bt.column("prof", w, size=12, max_size=40)

        oldest = bt.query("queue")

    return Work


@bad("Mentions of messages that disappear", "TAB010", says=("bt.max_age(days=30)",), verdict="warning")
def twentyeighth_mentions_of_messages_that_disappear() -> object:
    class Message(bt.Model, table="messages", events="8000/s"):
        """A message in a room. Messages disappear after 30 days, for everybody."""

        room: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)
        sent: datetime = bt.key(bt.ReversedMillis(round=True))
        message: str = bt.key(bt.HexDigest(12), cardinality=20_000_000_000)

        m = bt.family("m", gc=bt.max_age(days=30))
        author: str = bt.column("by", m, size=16, max_size=16)
        mentioned: str | None = bt.column("men", m, size=16, max_size=16, default=None)
        text: str = bt.column("txt", m, size=120, max_size=8_000)

        newest_of_room = bt.query("room", between="sent", newest=True)

    class Mention(bt.Model, table="mentions", events="800/s"):
        """The messages that mention somebody, for the list of mentions, with the text so that the app reads nothing else."""

        mentioned: str = bt.key(bt.HexDigest(16), cardinality=50_000_000, pii=False)
        sent: datetime = bt.key(bt.ReversedMillis(round=True))
        message: str = bt.key(bt.HexDigest(12), cardinality=2_000_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        room: str = bt.column("room", m, size=16, max_size=16)
        author: str = bt.column("by", m, size=16, max_size=16)
        text: str = bt.column("txt", m, size=120, max_size=8_000)

        newest_mentions = bt.query("mentioned", between="sent", newest=True)

    return Message, Mention


@bad(
    "Deeds of long ago that are scanned today", "FAM006", says=('bt.column("signed", d)',), verdict="warning"
)
def twentyeighth_deeds_of_long_ago_that_are_scanned_today() -> object:
    class Deed(bt.Model, table="deeds", events="1/s"):
        """The text of a deed that was scanned. We keep it for ten years after the scan; then the state archive has it.

        Deeds were signed between 1971 and last week. A plot has one row for each deed; the time of the signature comes with it.
        """

        plot: str = bt.key(bt.Text(width=14), cardinality=20_000_000)
        deed: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)
        signed: datetime = bt.timestamp(round=True)

        d = bt.family("d", gc=bt.max_age(days=3_653))
        notary: str = bt.column("not", d, size=20, max_size=80)
        text: str = bt.column("txt", d, size=12_000, max_size=400_000)

        of_plot = bt.query("plot")

    return Deed


@bad("A quota of the month that never restarts", "COL010", says=('every="1day"',), verdict="warning")
def twentyeighth_a_quota_of_the_month_that_never_restarts() -> object:
    class Quota(bt.Model, table="quotas", events="3000/s"):
        """How often a customer has called an API in the present month: the gateway refuses calls beyond 100,000 a month."""

        customer: str = bt.key(bt.HexDigest(12), cardinality=80_000)
        api: str = bt.key(bt.Text(max_length=24), cardinality=60)

        q = bt.family("q", gc=bt.keep_all(), aggregate="sum")
        calls: int | None = bt.counter("calls", q)

        of_customer = bt.query("customer")

    return Quota


@bad("One workspace of most events", "KEY003", says=("bt.salt",), verdict="error")
def twentyeighth_one_workspace_of_most_events() -> object:
    class TrackedEvent(bt.Model, table="tracked_events", events="50000/s"):
        """An event of an application. The largest workspace sends more than all others together. 90 days."""

        workspace: str = bt.key(bt.Text(max_length=16), cardinality=9_000, skew="60%:1", tenant=True)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        event: UUID = bt.key(bt.UuidRaw())

        e = bt.family("e", gc=bt.max_age(days=90))
        name: str = bt.column("name", e, size=18, max_size=80)
        device: str = bt.column("dev", e, size=16, max_size=40)
        properties: dict[str, str] = bt.column("props", e, size=250, max_size=10_000)

        of_workspace = bt.query("workspace", between="at", span="1h")

    return TrackedEvent
