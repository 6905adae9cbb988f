"""A sixteenth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import bad

import btmodel as bt


@bad("Alarms of the power grid", "KEY003", verdict="warning")
def sixteenth_alarm() -> object:
    class Alarm(bt.Model, table="scada_alarm", events="30000/s"):
        """Breaker and relay messages of the transmission grid, as they come from the four control areas."""

        area: str = bt.key(bt.Text(width=4), cardinality=4)
        raised: datetime = bt.key(bt.EpochMicros())
        device: str = bt.key(bt.Text(max_length=24), cardinality=220_000)

        a = bt.family("a", gc=bt.max_age(days=90))
        code: int = bt.column("code", a)
        value: float = bt.column("value", a)

        of_area = bt.query("area", between="raised", span="5min")

    return Alarm


@bad(
    "Visits of clinical trials",
    "FAM010",
    verdict="warning",
    says=('`bt.family("obs", gc=bt.max_versions(1))`',),
    never=("5_475",),
)
def sixteenth_visit() -> object:
    class Visit(bt.Model, table="trial_visit", events="40/min"):
        """A subject's visit in a clinical trial.

        ICH-GCP: every value has to stay readable for at least 15 years after the trial ends.
        """

        trial: str = bt.key(bt.Text(max_length=12), cardinality=300)
        subject: int = bt.key(bt.PaddedInt(6), cardinality=90_000, sequential=False)
        visit: date = bt.key(bt.DateText())

        obs = bt.family("obs", gc=bt.max_versions(1) | bt.max_age(days=730))
        systolic: int | None = bt.column("sys", obs, default=None)
        diastolic: int | None = bt.column("dia", obs, default=None)
        weight: float | None = bt.column("kg", obs, default=None)

        of_subject = bt.query("trial", "subject", between="visit")

    return Visit


@bad(
    "A feature store",
    "FAM010",
    verdict="warning",
    says=("gc=bt.max_versions(1) & bt.max_age(days=90)",),
    never=("max_versions(1) | ",),
)
def sixteenth_user_features() -> object:
    class UserFeatures(bt.Model, table="features_user", events="2500/s"):
        """Feature store. Serving takes the newest values; the trainer joins labels of the last 90 days
        with the values *as they were at the label's time* (get(..., times=(None, label_time)))."""

        entity: str = bt.key(bt.HexDigest(16), cardinality=12_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        clicks_7d: int = bt.column("clicks_7d", f)
        spend_30d: float = bt.column("spend_30d", f)
        churn_score: float = bt.column("churn", f)

        of_entity = bt.query("entity")

    return UserFeatures


@bad("Payslip", "KEY010", "KEY017", verdict="warning")
def sixteenth_payslip() -> object:
    class Payslip(bt.Model, table="payslip", events="50000/day"):
        """One payslip."""

        national_insurance_number: str = bt.key(bt.Text(width=9), cardinality=600_000)
        paid: date = bt.key(bt.DateText("%Y%m"))

        p = bt.family("p", gc=bt.max_age(days=7 * 365))
        gross: Decimal = bt.column("gross", p)
        tax: Decimal = bt.column("tax", p)
        net: Decimal = bt.column("net", p)

        of_employee = bt.query("national_insurance_number", between="paid")

    return Payslip


@bad("Ride", "KEY021", verdict="warning")
def sixteenth_ride() -> object:
    class Phase(StrEnum):
        REQUESTED = "req"
        ASSIGNED = "asg"
        ON_BOARD = "brd"
        DONE = "don"

    class Ride(bt.Model, table="ride", events="1200/s"):
        """A ride of a city. Dispatch moves it from REQUESTED over ASSIGNED and ON_BOARD to DONE."""

        city: str = bt.key(bt.Text(width=3), cardinality=700)
        phase: Phase = bt.key(bt.EnumText(Phase))
        ride: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)

        r = bt.family("r", gc=bt.max_age(days=60))
        driver: str | None = bt.column("drv", r, default=None)
        pickup: str = bt.column("pu", r)

        waiting = bt.query("city", "phase")

    return Ride


@bad("Card authorizations", "KEY017", verdict="warning", says=("`{card}#{at}#{id}`",))
def sixteenth_authorization() -> object:
    class Authorization(bt.Model, table="card_auth", events="20000/s"):
        """Card authorizations for velocity checks. Toll gates and vending rigs fire several per second on one card."""

        card: str = bt.key(bt.HexDigest(16), cardinality=40_000_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        x = bt.family("x", gc=bt.max_age(days=35))
        amount: Decimal = bt.column("amt", x)
        merchant: str = bt.column("mid", x)
        approved: bool = bt.column("ok", x)

        of_card = bt.query("card", between="at")

    return Authorization


@bad("Firmware", "KEY007", verdict="warning")
def sixteenth_firmware() -> object:
    class Firmware(bt.Model, table="firmware", events="30/day"):
        """Builds per device type.

        `release` is like 1.9.0 or 1.10.2. The updater asks for everything from the installed release up.
        """

        device_type: str = bt.key(bt.Text(max_length=16), cardinality=900)
        release: str = bt.key(bt.Text(max_length=12), cardinality=400)

        b = bt.family("b", gc=bt.max_versions(1))
        url: str = bt.column("url", b)
        sha256: bytes = bt.column("sha", b)

        newer = bt.query("device_type", between="release")

    return Firmware


@bad("Match stats", "QRY002", "COL001", "FAM003", verdict="warning")
def sixteenth_match_stats() -> object:
    class MatchStats(bt.Model, table="match_stats", events="300/min"):
        match: str = bt.key(bt.HexDigest(10), cardinality=80_000)
        player: int = bt.key(bt.PaddedInt(7), cardinality=60_000, sequential=False)

        passing = bt.family("passing_statistics", gc=bt.max_versions(1))
        shooting = bt.family("shooting_statistics", gc=bt.max_versions(1))
        tackling = bt.family("tackling_statistics", gc=bt.max_versions(1))
        dribbling = bt.family("dribbling_statistics", gc=bt.max_versions(1))
        keeping = bt.family("goalkeeping_statistics", gc=bt.max_versions(1))
        fouls_f = bt.family("discipline_statistics", gc=bt.max_versions(1))
        running = bt.family("running_statistics", gc=bt.max_versions(1))
        passes: int = bt.column("number_of_passes", passing)
        shots: int = bt.column("number_of_shots", shooting)
        tackles: int = bt.column("number_of_tackles", tackling)
        dribbles: int = bt.column("number_of_dribbles", dribbling)
        saves: int = bt.column("number_of_saves", keeping)
        fouls: int = bt.column("number_of_fouls", fouls_f)
        metres: int = bt.column("metres_run", running)

        of_match = bt.query("match")

    return MatchStats


@bad("Scene", "ROW001", verdict="warning")
def sixteenth_scene() -> object:
    class Scene(bt.Model, table="scene", events="15000/day"):
        """Sentinel scenes: the catalogue entry and the full-resolution GeoTIFF next to it."""

        tile: str = bt.key(bt.Text(width=5), cardinality=56_000)
        taken: datetime = bt.key(bt.ReversedSeconds(round=True))

        meta = bt.family("m", gc=bt.max_versions(1))
        cloud: float = bt.column("cloud", meta)
        px = bt.family("px", gc=bt.max_versions(1))
        geotiff: bytes = bt.column("tif", px, size=45_000_000, max_size=80_000_000)

        of_tile = bt.query("tile", between="taken", newest=True, only=["cloud"])

    return Scene


@bad("A chat room in one row", "ROW002", verdict="error", says=("`{room}#{messages_key}`",))
def sixteenth_room() -> object:
    class Room(bt.Model, table="chat_room", events="4000/s"):
        """A chat room with everything that was ever said in it; message ids are snowflakes."""

        room: str = bt.key(bt.HexDigest(12), cardinality=200_000)

        msg = bt.family("msg", gc=bt.max_versions(1))
        messages: dict[int, str] = bt.mapping(
            msg, bt.PaddedInt(19), entries=2_000_000, size=300, max_size=4_000
        )

        of_room = bt.query("room")

    return Room


@bad("Story", "KEY013", verdict="warning")
def sixteenth_story() -> object:
    class Story(bt.Model, table="story", events="5/s"):
        """A story on the site. `views` goes up by one for each reader: increment(key, "views")."""

        story: str = bt.key(bt.HexDigest(10), cardinality=900_000)

        s = bt.family("s", gc=bt.max_versions(1))
        headline: str = bt.column("h", s)
        views: int = bt.column("v", s, increments="120000/min")

        of_story = bt.query("story")

    return Story


@bad("Page", "FAM006", verdict="warning")
def sixteenth_page() -> object:
    class Page(bt.Model, table="newspaper_page", events="20/s", timestamp="issue"):
        """Scanned pages of the regional press, 1848 to 1996, as the digitisation line delivers them.

        OCR text is kept for ten years after scanning, then it is recognised anew.
        """

        title: str = bt.key(bt.Text(max_length=16), cardinality=1_200)
        issue: datetime = bt.key(bt.TimeText("%Y%m%d"), sequential=False)
        page: int = bt.key(bt.PaddedInt(3), cardinality=120, sequential=False)

        ocr = bt.family("ocr", gc=bt.max_age(days=3650))
        text: str = bt.column("t", ocr, max_size=60_000)

        of_title = bt.query("title", between="issue")

    return Page


@bad("Tick", "KEY003", verdict="error")
def sixteenth_tick() -> object:
    class Tick(bt.Model, table="bet_tick", events="60000/s"):
        """Odds changes of a league, in time order. Five leagues; sharded so that no node melts."""

        shard = bt.salt("league", buckets=16)
        league: str = bt.key(bt.Text(max_length=8), cardinality=5)
        at: datetime = bt.key(bt.EpochMicros())
        market: str = bt.key(bt.HexDigest(8), cardinality=400_000)

        o = bt.family("o", gc=bt.max_age(days=10))
        odds: int = bt.column("o", o)

        of_league = bt.query("league", between="at", span="1min")

    return Tick


@bad("Door", "KEY005", verdict="warning")
def sixteenth_door() -> object:
    class Door(bt.Model, table="door_event", events="6/s"):
        """Badge readers of an office. The guard's screen refreshes the last minute, twice a second."""

        shard = bt.salt("at", "reader", buckets=400)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        reader: int = bt.key(bt.PaddedInt(4), cardinality=800, sequential=False)

        d = bt.family("d", gc=bt.max_age(days=30))
        opened: bool = bt.column("o", d)

        lately = bt.query(between="at", span="1min")

    return Door


@bad("Trip", "FAM006", verdict="warning")
def sixteenth_trip() -> object:
    class Trip(bt.Model, table="scooter_trip", events="90/s"):
        id: str = bt.key(bt.HexDigest(16), cardinality=50_000_000)

        t = bt.family("t", gc=bt.max_age(days=21))
        operator: str = bt.column("op", t)
        metres: int = bt.column("m", t)
        started: datetime = bt.column("st", t)

    class MonthOfOperator(bt.Rollup, of=Trip, view="trip_month"):
        """What the city invoices: trips and metres of an operator, a full month, sent on the 10th of the next."""

        operator: str = bt.key(bt.Text(max_length=16), cardinality=30)
        month: date = bt.key(bt.DateText("%Y%m"), of="started")

        trips: int = bt.count()
        metres: int = bt.sum_of("metres")

        of_operator = bt.query("operator", between="month")

    return Trip, MonthOfOperator


@bad("Ticket", "TAB002", verdict="warning")
def sixteenth_ticket() -> object:
    class Ticket(bt.Model, table="tickets_{tenant}", events="2/min"):
        """Helpdesk tickets. Each of our 40,000 customers gets a table of their own when they sign up."""

        queue: str = bt.key(bt.Text(max_length=20), cardinality=12)
        opened: datetime = bt.key(bt.ReversedMillis(round=True))

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("s", t)
        body: str = bt.column("b", t, max_size=40_000)

        of_queue = bt.query("queue", between="opened", newest=True)

    return Ticket


@bad(
    "Calls of subscribers, by cell",
    "QRY001",
    verdict="error",
    says=("`{imsi}#{cell}#{day}`",),
)
def sixteenth_call_day() -> object:
    class CallDay(bt.Model, table="cdr_day", events="900/s"):
        """Billing: the totals of a subscriber, a day, and the cell that carried the calls.

        Customer care asks for one subscriber on one cell over a month, all day long.
        """

        imsi: str = bt.key(bt.Text(width=15), cardinality=40_000_000, pii=False)
        day: date = bt.key(bt.DateText())
        cell: str = bt.key(bt.Text(max_length=12), cardinality=60_000)

        c = bt.family("c", gc=bt.max_age(days=400))
        seconds: int = bt.column("s", c)
        calls: int = bt.column("n", c)

        on_cell = bt.query("imsi", "cell", between="day", span="31days")

    return CallDay


@bad(
    "Prices that won an auction",
    "ROW003",
    verdict="error",
    says=("gc=bt.max_age(hours=1)",),
)
def sixteenth_campaign() -> object:
    class Campaign(bt.Model, table="campaign", events="6000/s"):
        """Clearing prices of a campaign's auctions. The pacing job looks at the last ten minutes."""

        campaign: str = bt.key(bt.HexDigest(12), cardinality=30_000)

        won = bt.family("won", gc=bt.keep_all())
        price: bt.History[Decimal] = bt.history("p", won, every="5s")

        m = bt.family("m", gc=bt.max_versions(1))
        budget: Decimal = bt.column("b", m, max_size=16)

        of_campaign = bt.query("campaign")

    return Campaign


@bad(
    "Rounds of a game, of which few are perfect",
    "QRY005",
    verdict="warning",
    says=('where={"perfect": True}',),
)
def sixteenth_round() -> object:
    class Round(bt.Model, table="round", events="3000/s"):
        """A finished round of a player.

        The profile page shows the perfect rounds (about 1 in 5,000) of all time; a player has up to 60,000 rounds.
        """

        player: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)
        ended: datetime = bt.key(bt.ReversedMillis(round=True))

        g = bt.family("g", gc=bt.keep_all())
        score: int = bt.column("sc", g)
        perfect: bool = bt.column("pf", g)
        replay: bytes = bt.column("rp", g, size=20_000, max_size=90_000)

        perfect_rounds = bt.query("player", where=["perfect"])

    return Round


@bad(
    "Points of interest, by coordinates",
    "KEY007",
    verdict="warning",
    says=("bt.PaddedInt(9)",),
)
def sixteenth_poi() -> object:
    def as_text(x: float) -> str:
        return repr(x)

    DEGREES = bt.mapped(bt.Text(max_length=24), to=as_text, from_=float)

    class Poi(bt.Model, table="poi", events="200/min"):
        """Points of interest by coordinates. The app writes and looks up the exact pair it computed."""

        lat: float = bt.key(DEGREES, cardinality=9_000_000)
        lon: float = bt.key(DEGREES, cardinality=9_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        label: str = bt.column("l", p)
        category: str = bt.column("c", p)

        at_place = bt.query("lat", "lon")

    return Poi


@bad(
    "Pings of lorries, hashed",
    "QRY001",
    verdict="warning",
    says=("`{lorry}#{at}`",),
)
def sixteenth_ping() -> object:
    class Ping(bt.Model, table="ping", events="8000/s"):
        """GPS pings of lorries. The track of a lorry (last two hours) is drawn on the dispatcher's map, all day."""

        id = bt.digest("lorry", "at")

        g = bt.family("g", gc=bt.max_age(days=14))
        lorry: str = bt.column("lorry", g, cardinality=25_000)
        at: datetime = bt.column("at", g)
        lat: float = bt.column("lat", g)
        lon: float = bt.column("lon", g)

        track = bt.query(scan="the map filters lorry and time itself, every 30 s for each open dispatcher")

    return Ping


@bad(
    "A log that a device keeps for its life",
    "ROW003",
    verdict="warning",
    says=("`{serial}#{at}`",),
)
def sixteenth_device() -> object:
    class Device(bt.Model, table="thermostat", events="1500/s"):
        """A thermostat. `log` gets an entry for each change of the set point, for the life of the device (10 years, 40 a day);
        the whole list is read, appended to and put back."""

        serial: str = bt.key(bt.HexDigest(10), cardinality=3_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        log: list[dict[str, float]] = bt.column("log", d)
        set_point: float = bt.column("sp", d)

        of_device = bt.query("serial")

    return Device
