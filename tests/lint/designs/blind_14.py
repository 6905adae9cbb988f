"""A fourteenth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from published import bad

import btmodel as bt


@bad(
    "Crash reports of mobile apps, as our SDK uploads them",
    "KEY001",
    verdict="error",
)
def fourteenth_crash_reports() -> object:
    class CrashReport(bt.Model, table="crash_report", events="9000/s"):
        """One uploaded report. Never changed after the upload."""

        received_at: datetime = bt.key(bt.EpochMillis(round=True))
        install: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)

        c = bt.family("c", gc=bt.max_age(days=30))
        app: str = bt.column("app", c, size=25, max_size=80, cardinality=3_000)
        stack: bytes = bt.column("stk", c, size=1_800, max_size=60_000)
        os: str = bt.column("os", c, size=10, max_size=40)

        recent = bt.query(between="received_at", span="5min")

    return CrashReport


@bad(
    "Gift cards. Serial numbers come from the sequence of the issuing service",
    "KEY002",
    verdict="error",
)
def fourteenth_gift_cards() -> object:
    class GiftCard(bt.Model, table="gift_cards", events="5000/s"):
        """A card: written when it is issued (most writes, in the weeks before Christmas), once more when redeemed."""

        serial: int = bt.key(bt.PaddedInt(12), cardinality=500_000_000, sequential=True)

        card = bt.family("card", gc=bt.max_versions(1))
        cents: int = bt.column("cents", card)
        expires_on: date = bt.column("exp", card)
        redeemed: datetime | None = bt.column("red", card, default=None)

        by_serial = bt.query("serial")

    return GiftCard


@bad(
    "Events of our four Kubernetes clusters (pod scheduled, image pulled, probe failed, ...)",
    "KEY003",
    verdict="warning",
)
def fourteenth_cluster_events() -> object:
    class ClusterEvent(bt.Model, table="k8s_event", events="16000/s"):
        cluster: str = bt.key(bt.Text(max_length=12), cardinality=4)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        uid: str = bt.key(bt.HexDigest(32), cardinality=1_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=14))
        namespace: str = bt.column("ns", e, size=15, max_size=63)
        reason: str = bt.column("reason", e, size=12, max_size=60)
        message: str = bt.column("msg", e, size=140, max_size=1_024)

        of_cluster = bt.query("cluster", between="at", span="1min")

    return ClusterEvent


@bad(
    "University enrolments: which student takes which course",
    "QRY001",
    verdict="error",
)
def fourteenth_enrolments() -> object:
    class Enrolment(bt.Model, table="enrolment", events="200/s"):
        student: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)
        course: str = bt.key(bt.Text(max_length=12), cardinality=40_000)

        f = bt.family("f", gc=bt.max_versions(1))
        since: datetime = bt.column("since", f)
        group: int | None = bt.column("grp", f, default=None)

        of_student = bt.query("student")
        of_course = bt.query("course")

    class Course(bt.Model, table="course", events="500/day"):
        code: str = bt.key(bt.Text(max_length=12), cardinality=40_000)

        f = bt.family("f", gc=bt.max_versions(1))
        title: str = bt.column("title", f, size=40, max_size=200)
        room: str | None = bt.column("room", f, size=6, max_size=20, default=None)

        by_code = bt.query("code")

    return Enrolment, Course


@bad(
    "Laboratory results of river water",
    "QRY001",
    verdict="error",
)
def fourteenth_river_quality() -> object:
    class Result(bt.Model, table="river_result", events="600/s"):
        """One measured parameter (nitrate, pH, lead, ...) of the sample of a day."""

        basin: str = bt.key(bt.Text(max_length=10), cardinality=120)
        station: int = bt.key(bt.PaddedInt(6), cardinality=25_000, sequential=False)
        parameter: str = bt.key(bt.Text(max_length=16), cardinality=60)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        r = bt.family("r", gc=bt.max_versions(1))
        value: Decimal = bt.column("v", r, size=6, max_size=20)
        method: str | None = bt.column("m", r, size=10, max_size=30, default=None)

        # The report of a station: all parameters of some weeks.
        of_station = bt.query("basin", "station", between="day", span="28d")

    return Result


@bad(
    "Tickets of restaurant kitchens. Two years are kept for the accountants",
    "QRY005",
    says=(
        "it moves a row when `state` changes",
        "bt.twins(Ticket, TicketNotServed, owned=True)",
        'span="1h"',
    ),
    verdict="warning",
)
def fourteenth_kitchen_tickets() -> object:
    class State(StrEnum):
        OPEN = "open"
        COOKING = "cooking"
        SERVED = "served"

    class Ticket(bt.Model, table="kitchen_ticket", events="900/s"):
        restaurant: str = bt.key(bt.HexDigest(16), cardinality=8_000)
        ordered: datetime = bt.key(bt.ReversedMillis(round=True))
        number: str = bt.key(bt.HexDigest(32), cardinality=1_000_000_000)

        t = bt.family("t", gc=bt.max_versions(1) | bt.max_age(days=730))
        state: State = bt.column("state", t)
        items: dict[str, int] = bt.column("items", t, size=200, max_size=4_000)
        table_no: int = bt.column("table", t)

        # The screen in the kitchen, refreshed every five seconds: what is not served yet.
        not_served = bt.query("restaurant", where=["state"])

    return Ticket


@bad(
    "Ground water levels in boreholes",
    "ROW003",
    verdict="error",
)
def fourteenth_boreholes() -> object:
    class Borehole(bt.Model, table="borehole", events="1200/s"):
        """A borehole with its levels. A pressure probe reports every ten seconds; nothing is ever thrown away."""

        borehole: str = bt.key(bt.HexDigest(16), cardinality=12_000)

        lv = bt.family("lv", gc=bt.keep_all())
        level: bt.History[float] = bt.history("mm", lv, every="10s")

        m = bt.family("m", gc=bt.max_versions(1))
        owner: str | None = bt.column("owner", m, size=30, max_size=100, default=None)
        depth_cm: int | None = bt.column("depth", m, default=None)

        by_id = bt.query("borehole")

    return Borehole


@bad(
    "Podcasts, their episodes and who follows them",
    "ROW002|COL003",
    verdict="warning",
)
def fourteenth_podcasts() -> object:
    class Podcast(bt.Model, table="podcast", events="800/s"):
        """A show. The largest have a few million followers."""

        show: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)

        about = bt.family("about", gc=bt.max_versions(1))
        title: str = bt.column("title", about, size=40, max_size=300)

        fol = bt.family("fol", gc=bt.max_versions(1))
        followers: set[str] = bt.members(fol, bt.HexDigest(16), entries=4_000_000)

        by_show = bt.query("show")

    class Episode(bt.Model, table="episode", events="30/s"):
        show: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        published: datetime = bt.key(bt.ReversedSeconds(round=True))
        guid: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)

        e = bt.family("e", gc=bt.max_versions(1))
        title: str = bt.column("title", e, size=60, max_size=300)
        audio_uri: str = bt.column("uri", e, size=80, max_size=500)

        newest = bt.query("show", between="published", newest=True)

    return Podcast, Episode


@bad(
    "Deeds of the land registry, scanned",
    "ROW001",
    verdict="error",
)
def fourteenth_deeds() -> object:
    class Deed(bt.Model, table="deed", events="15000/day"):
        district: str = bt.key(bt.Text(max_length=8), cardinality=420)
        parcel: str = bt.key(bt.Text(max_length=14), cardinality=11_000_000)
        signed: date = bt.key(bt.DateText("%Y%m%d"))
        deed: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        kind: str = bt.column("kind", d, size=8, max_size=20)
        pages: int = bt.column("pages", d)

        s = bt.family("s", gc=bt.max_versions(1))
        scan: bytes = bt.column("pdf", s, size=9_000_000, max_size=180_000_000)

        of_parcel = bt.query("district", "parcel", between="signed", only=["kind", "pages"])
        one = bt.query("district", "parcel", "signed", "deed")

    return Deed


@bad(
    "Daily exchange rates of a bureau de change",
    "FAM005",
    verdict="error",
)
def fourteenth_exchange_rates() -> object:
    class DayRate(bt.Model, table="fx_day", events="2000/day"):
        """The rate of a day. It is corrected up to a dozen times, and the auditors ask for every correction."""

        pair: str = bt.key(bt.Text(width=6), cardinality=900)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        r = bt.family("r", gc=bt.max_versions(1))
        rate: bt.History[Decimal] = bt.history("rate", r, size=8, max_size=20, keep=bt.max_versions(20))

        of_pair = bt.query("pair", between="day", span="90d")

    return DayRate


@bad(
    "What the docks of a bike hire scheme hold at the moment",
    "ROW003",
    verdict="warning",
)
def fourteenth_bike_docks() -> object:
    class Dock(bt.Model, table="dock_now", events="2000/s"):
        """The present state of a dock. Each dock overwrites its row every 15 seconds; only the last state is ever shown."""

        city: str = bt.key(bt.Text(max_length=12), cardinality=40)
        dock: str = bt.key(bt.HexDigest(16), cardinality=30_000)

        now = bt.family("now", gc=bt.keep_all())
        bikes: int = bt.column("bikes", now)
        free: int = bt.column("free", now)
        seen: datetime = bt.column("seen", now)

        of_city = bt.query("city")
        of_dock = bt.query("city", "dock")

    return Dock


@bad(
    "Temperatures inside vaccine boxes",
    "FAM006",
    verdict="warning",
)
def fourteenth_cold_chain() -> object:
    class BoxDay(bt.Model, table="box_day", bucket="day", events="5000/s", lateness="21d"):
        """A day of a box. Loggers are read out when the box returns to the depot, up to three weeks later."""

        box: str = bt.key(bt.HexDigest(16), cardinality=1_500_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        t = bt.family("t", gc=bt.max_age(days=14))
        celsius: bt.History[float] = bt.history("c", t, every="5min")

        of_box = bt.query("box", between="day", span="7d")

    return BoxDay


@bad(
    "Workouts of gym members; many train in the morning and again after work",
    "KEY017",
    verdict="warning",
)
def fourteenth_gym_workouts() -> object:
    class Workout(bt.Model, table="workout", events="900000/day"):
        """One workout, written when the member taps 'finish'."""

        member: str = bt.key(bt.HexDigest(16), cardinality=250_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        w = bt.family("w", gc=bt.max_versions(1))
        started: datetime = bt.column("start", w)
        seconds: int = bt.column("sec", w)
        machine: str = bt.column("machine", w, size=10, max_size=30)
        kcal: int | None = bt.column("kcal", w, default=None)

        of_member = bt.query("member", between="day", span="30d")

    return Workout


@bad(
    "Warranty claims of household appliances",
    "KEY021",
    verdict="warning",
)
def fourteenth_warranty_claims() -> object:
    class Stage(StrEnum):
        RECEIVED = "received"
        INSPECTED = "inspected"
        ACCEPTED = "accepted"
        REFUSED = "refused"

    class Claim(bt.Model, table="claim", events="300/s"):
        """A claim moves from stage to stage within some weeks. A retailer works through one stage at a time."""

        retailer: str = bt.key(bt.HexDigest(16), cardinality=20_000)
        stage: Stage = bt.key(bt.EnumText(Stage), changes=True)
        claim: str = bt.key(bt.HexDigest(16), cardinality=80_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        appliance: str = bt.column("what", c, size=20, max_size=80)
        opened: datetime = bt.column("opened", c)
        complaint: str = bt.column("text", c, size=300, max_size=4_000)

        in_stage = bt.query("retailer", "stage")

    return Claim


@bad(
    "Crowd-funding: pledges, and the bar that shows how far a campaign has come",
    "KEY013",
    verdict="warning",
)
def fourteenth_crowdfunding() -> object:
    class CampaignTotal(bt.Model, table="campaign_total", events="5000/s"):
        """The bar. Every pledge adds to it at once; on a launch day one campaign has most of them."""

        campaign: str = bt.key(bt.HexDigest(16), cardinality=60_000, skew="70%:1")

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        cents: int | None = bt.counter("cents", n, increments="3500/s")

        by_campaign = bt.query("campaign")

    class Pledge(bt.Model, table="pledge", events="5000/s"):
        backer: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))
        campaign: str = bt.key(bt.HexDigest(16), cardinality=60_000)

        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("cents", p)

        of_backer = bt.query("backer", between="at", newest=True)

    return CampaignTotal, Pledge


@bad(
    "Predicted tides of harbours, computed once a year",
    "KEY007",
    "QRY001",
    verdict="error",
)
def fourteenth_tide_tables() -> object:
    class TideDay(bt.Model, table="tide_day", events="20000/day"):
        harbour: str = bt.key(bt.Text(max_length=20), cardinality=3_500)
        day: date = bt.key(bt.DateText("%d%m%Y"))

        t = bt.family("t", gc=bt.max_versions(1))
        high_cm: int = bt.column("hi", t)
        low_cm: int = bt.column("lo", t)

        # The printed calendar: a month of a harbour.
        of_harbour = bt.query("harbour", between="day", span="31d")

    return TideDay


@bad(
    "Swimming pools: how busy they get",
    "FAM007",
    verdict="warning",
)
def fourteenth_swimming_pools() -> object:
    class PoolBusy(bt.Model, table="pool_busy", events="40/s"):
        """For each hour the highest number of swimmers that were in the water at the same time.

        The turnstile program gives the present number every minute.
        """

        pool: str = bt.key(bt.HexDigest(16), cardinality=2_400)

        b = bt.family("b", gc=bt.max_age(days=90), aggregate="sum")
        swimmers: bt.History[int] = bt.counter("n", b, every="1h", increments="1/min")

        by_pool = bt.query("pool")

    return PoolBusy


@bad(
    "Visits of a food bank",
    "KEY010",
    says=("newest=True",),
    verdict="warning",
)
def fourteenth_food_bank() -> object:
    class Visit(bt.Model, table="food_bank_visit", events="40000/day"):
        """A visit. Volunteers look up when somebody was last here; a person comes once a day at most."""

        national_id: str = bt.key(bt.Text(max_length=14), cardinality=900_000, pii=True)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        v = bt.family("v", gc=bt.max_age(days=730))
        site: str = bt.column("site", v, size=8, max_size=20)
        parcels: int = bt.column("parcels", v)
        household: int = bt.column("hh", v)

        of_person = bt.query("national_id", between="day", newest=True)

    return Visit


@bad(
    "Spans of distributed traces. We drop the table of the oldest day every night",
    "TAB002",
    says=("gc=bt.max_versions(1) | bt.max_age(days=...)",),
    verdict="warning",
)
def fourteenth_request_spans() -> object:
    class Span(bt.Model, table="SPAN_{day}", events="25000/s"):
        """A span; a trace is read as a whole."""

        trace: str = bt.key(bt.HexDigest(32), cardinality=400_000_000)
        span: str = bt.key(bt.HexDigest(16), cardinality=4_000_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        service: str = bt.column("svc", s, size=12, max_size=60, cardinality=800)
        micros: int = bt.column("us", s)
        tags: dict[str, str] = bt.column("tags", s, size=150, max_size=8_000)

        of_trace = bt.query("trace")

    return Span


@bad(
    "Noise complaints of residents, all of the country",
    "KEY005",
    verdict="warning",
)
def fourteenth_noise_complaints() -> object:
    class Complaint(bt.Model, table="noise_complaint", events="30/s"):
        """The duty office lists the complaints of the last hour, every minute."""

        spread = bt.salt("complaint", buckets=400)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        complaint: str = bt.key(bt.HexDigest(16), cardinality=50_000_000)

        c = bt.family("c", gc=bt.max_age(days=1095))
        place: str = bt.column("place", c, size=40, max_size=200)
        decibel: int | None = bt.column("db", c, default=None)
        text: str = bt.column("text", c, size=150, max_size=2_000)

        latest = bt.query(between="at", span="1h")

    return Complaint


@bad(
    "What learners do in online courses (play, pause, answer); one database for all schools",
    "KEY003",
    verdict="error",
)
def fourteenth_lesson_events() -> object:
    class LessonEvent(bt.Model, table="lesson_event", events="24000/s"):
        """The two national academies produce most of it."""

        school: str = bt.key(bt.HexDigest(16), cardinality=600, tenant=True, skew="85%:2")
        at: datetime = bt.key(bt.EpochMillis(round=True))
        learner: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)

        e = bt.family("e", gc=bt.max_age(days=60))
        lesson: str = bt.column("lesson", e, size=12, max_size=40)
        what: str = bt.column("what", e, size=6, max_size=20)

        of_school = bt.query("school", between="at", span="1min")

    return LessonEvent


@bad(
    "Shared whiteboards: everybody draws, everybody sees",
    "ROW003",
    says=("write one row per event", "a column for each item"),
    never=("object store", "split it into"),
    verdict="warning",
)
def fourteenth_whiteboards() -> object:
    class Board(bt.Model, table="board", events="3000/s"):
        """A board. Each new stroke is appended to the list, and the list is written back."""

        board: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        strokes: list[dict[str, Any]] = bt.column(
            "strokes", b, codec=bt.Json(list[dict[str, Any]]), size=900_000, max_size=45_000_000
        )
        title: str = bt.column("title", b, size=20, max_size=100)
        touched: datetime = bt.column("touched", b)

        by_board = bt.query("board")

    return Board
