"""A twentieth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from published import bad

import btmodel as bt


@bad("Gantry passage", "KEY003", verdict="warning")
def twentieth_gantry_passage() -> object:
    class Axles(StrEnum):
        CAR = "car"
        VAN = "van"
        LORRY = "lorry"
        COACH = "coach"

    class Passage(bt.Model, table="gantry_passage", events="9000/s"):
        """A vehicle below a gantry. The clearing house fetches each class in windows of a few minutes."""

        axles: Axles = bt.key(bt.EnumText(Axles), cardinality=4)
        passed: datetime = bt.key(bt.EpochMillis(round=True))
        gantry: int = bt.key(bt.PaddedInt(4), cardinality=2_600, sequential=False)
        transponder: str = bt.key(bt.Text(width=12), cardinality=6_000_000)

        p = bt.family("p", gc=bt.max_age(days=120))
        toll_cents: int = bt.column("toll", p)
        camera: str = bt.column("cam", p, size=8)

        of_class = bt.query("axles", between="passed", span="5min")

    return Passage


@bad("Heating setpoint", "FAM010", says=('bt.family("w", gc=bt.max_versions(1))',), verdict="warning")
def twentieth_heating_setpoint() -> object:
    class Setpoint(bt.Model, table="setpoint", events="20000/day"):
        """The temperature that a flat wants now. Most tenants turn the dial twice a year, and the substation reads its flats every minute."""

        substation: str = bt.key(bt.Text(width=6), cardinality=16_000)
        flat: str = bt.key(bt.Text(max_length=10), cardinality=4_000_000)

        w = bt.family("w", gc=bt.max_versions(1) | bt.max_age(days=30))
        tenths_of_celsius: int = bt.column("t", w, codec=bt.IntBytes(2))
        turned: datetime = bt.column("turned", w)

        of_substation = bt.query("substation")
        one = bt.query("substation", "flat")

    return Setpoint


@bad("Card authorisation", "KEY002", verdict="error")
def twentieth_card_authorisation() -> object:
    class Authorisation(bt.Model, table="card_auth", events="14000/s"):
        """An authorisation of a card, under the ULID that the switch makes when the request arrives."""

        ulid: str = bt.key(bt.Text(width=26), cardinality=20_000_000_000)

        a = bt.family("a", gc=bt.max_age(days=550))
        merchant: int = bt.column("merchant", a)
        cents: int = bt.column("cents", a)
        currency: str = bt.column("cur", a, size=3, max_size=3)
        answered: datetime | None = bt.column("answered", a, default=None)
        answer: str | None = bt.column("answer", a, size=2, max_size=2, default=None)

        one = bt.query("ulid")

    return Authorisation


@bad("Dialysis treatment", "FAM006", verdict="error")
def twentieth_dialysis_treatment() -> object:
    class Treatment(bt.Model, table="dialysis", events="40/s", timestamp="started"):
        """A treatment on one chair. The doctor compares those of the last twelve months."""

        case: str = bt.key(bt.HexDigest(16), cardinality=90_000)
        started: datetime = bt.key(bt.EpochSeconds(round=True))

        m = bt.family("m", gc=bt.max_age(days=60))
        blood_flow: int = bt.column("qb", m)
        venous_pressure: int = bt.column("vp", m)
        clearance: float = bt.column("ktv", m)

        year_of_case = bt.query("case", between="started", span="365day")

    return Treatment


@bad("Escalator drive", "ROW003", says=("bt.max_versions(1)",), verdict="warning")
def twentieth_escalator_drive() -> object:
    class Drive(bt.Model, table="escalator_drive", events="4000/s"):
        """The present state of an escalator's drive. Its controller writes the whole row every two seconds, for years."""

        line: str = bt.key(bt.Text(max_length=12), cardinality=11)
        drive: str = bt.key(bt.Text(width=8), cardinality=8_000)

        now = bt.family("now", gc=bt.keep_all())
        rpm: int = bt.column("rpm", now)
        motor_celsius: float = bt.column("mc", now)
        handrail_slip: float = bt.column("slip", now)
        sent: datetime = bt.column("sent", now)

        of_line = bt.query("line")
        one = bt.query("line", "drive")

    return Drive


@bad("Podcast show", "ROW002", verdict="error")
def twentieth_podcast_show() -> object:
    class Show(bt.Model, table="podcast_show", events="900/s"):
        """A podcast and its subscribers; the largest have thirty million."""

        show: str = bt.key(bt.HexDigest(16), cardinality=700_000)

        about = bt.family("about", gc=bt.max_versions(1))
        title: str | None = bt.column("title", about, size=40, max_size=400, default=None)

        subs = bt.family("subs", gc=bt.max_versions(1))
        subscribers: set[str] = bt.members(subs, bt.HexDigest(16), entries=30_000_000)

        one = bt.query("show")

    return Show


@bad(
    "Spare part",
    "ROW002",
    says=("give `manual` a family of its own", "gc=bt.max_versions(1)"),
    verdict="warning",
)
def twentieth_spare_part() -> object:
    class SparePart(bt.Model, table="spare_part", events="400000/day"):
        """A part of a lift. The nightly import puts whole rows; the shop draws the last 60 prices, and serves the newest manual."""

        maker: str = bt.key(bt.Text(max_length=14), cardinality=90)
        part: str = bt.key(bt.Text(max_length=20), cardinality=400_000)

        d = bt.family("d", gc=bt.max_versions(60))
        cents: int = bt.column("cents", d)
        stock: int = bt.column("stock", d)
        manual: bytes = bt.column("manual", d, size=1_200_000, max_size=3_000_000)

        one = bt.query("maker", "part")

    return SparePart


@bad("Breakdown job", "QRY005", asked=("FAM010",), says=("{depot}#{progress}#{job}",), verdict="warning")
def twentieth_breakdown_job() -> object:
    class Progress(StrEnum):
        WAITING = "waiting"
        DRIVING = "driving"
        DONE = "done"

    class Breakdown(bt.Model, table="breakdown", events="30/s"):
        """A job of the roadside assistance, kept for seven years. The board of a depot asks every five seconds for the few dozen that are not done."""

        depot: str = bt.key(bt.Text(width=4), cardinality=60)
        job: str = bt.key(bt.HexDigest(16), cardinality=250_000_000)

        j = bt.family("j", gc=bt.max_versions(1))
        progress: Progress = bt.column("progress", j, cardinality=3)
        reported: datetime = bt.column("reported", j)
        position: str = bt.column("pos", j, size=24)
        remark: str | None = bt.column("remark", j, size=180, default=None)

        board = bt.query("depot", where=["progress"])
        one = bt.query("depot", "job")

    return Breakdown


@bad("Heat pump firmware", "KEY007", verdict="warning")
def twentieth_heat_pump_firmware() -> object:
    class Firmware(bt.Model, table="firmware", events="50/day"):
        """A released firmware, such as `2.9.4` or `2.10.0`. An updater asks for all versions from its own on, in order."""

        product: str = bt.key(bt.Text(max_length=16), cardinality=140)
        version: str = bt.key(bt.Text(max_length=12), cardinality=3_000)

        f = bt.family("f", gc=bt.max_versions(1))
        sha256: bytes = bt.column("sha", f, size=32, max_size=32)
        released: date = bt.column("rel", f)
        notes: str = bt.column("notes", f, size=2_000, max_size=40_000)

        since = bt.query("product", between="version")
        one = bt.query("product", "version")

    return Firmware


@bad(
    "Lighthouse log",
    "FAM006",
    says=('let the age count from the writing: leave out `timestamp="watch"`',),
    verdict="warning",
)
def twentieth_lighthouse_log() -> object:
    class WatchEntry(bt.Model, table="keeper_log", events="5000/day", timestamp="watch", lateness="20000d"):
        """A watch in the log book of a lighthouse, typed in by volunteers. Transcriptions stay for ten years, until the archive has them."""

        light: str = bt.key(bt.Text(max_length=30), cardinality=900)
        watch: datetime = bt.key(bt.TimeText("%Y%m%d%H"), sequential=False)

        t = bt.family("t", gc=bt.max_age(days=3650))
        visibility: int = bt.column("vis", t)
        wind: str = bt.column("wind", t, size=6)
        weather: str | None = bt.column("wx", t, size=120, max_size=4_000, default=None)

        of_light = bt.query("light", between="watch", span="90day")

    return WatchEntry


@bad("Song contest tally", "KEY013", says=("shard",), verdict="warning")
def twentieth_song_contest_tally() -> object:
    class Tally(bt.Model, table="contest_tally", events="22000/s"):
        """The votes for one act of the final, counted as they arrive by phone and app."""

        edition: int = bt.key(bt.PaddedInt(4), cardinality=70, sequential=False)
        act: int = bt.key(bt.PaddedInt(2), cardinality=26, sequential=False)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("votes", v, increments="6000/s")

        of_edition = bt.query("edition")

    return Tally


@bad("Miles pot", "ROW004", says=("`{member}`",), verdict="warning")
def twentieth_miles_pot() -> object:
    class Pot(bt.Model, table="miles_pot", events="300/s", atomic="member"):
        """A pot of miles of a member. A payment takes miles from several pots of the member in one step."""

        member: str = bt.key(bt.Text(width=10), cardinality=20_000_000)
        pot: str = bt.key(bt.Text(max_length=10), cardinality=6)

        b = bt.family("b", gc=bt.max_versions(1))
        miles: int = bt.column("miles", b)
        touched: datetime = bt.column("touched", b)

        of_member = bt.query("member")

    return Pot


@bad("Trips by outcome", "KEY003", verdict="warning")
def twentieth_trips_by_outcome() -> object:
    class Outcome(StrEnum):
        RIDDEN = "ridden"
        NO_SHOW = "noshow"
        CALLED_OFF = "calledoff"

    class Trip(bt.Model, table="trip", events="6000/s"):
        """A trip, written when it is over."""

        trip: str = bt.key(bt.HexDigest(32), cardinality=5_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=180))
        outcome: Outcome = bt.column("outcome", t, cardinality=3)
        over: datetime = bt.column("over", t)
        fare_cents: int = bt.column("fare", t)

        one = bt.query("trip")

    class TripByOutcome(bt.Index, of=Trip, view="TRIP_BY_OUTCOME"):
        """The trips of one outcome, the newest first."""

        outcome: Outcome = bt.key(bt.EnumText(Outcome), cardinality=3)
        over: datetime = bt.key(bt.ReversedMillis())
        trip: str = bt.covered()

        fare_cents: int = bt.covered()

        newest_of = bt.query("outcome", between="over")

    return Trip, TripByOutcome


@bad("Pump month", "FAM006", says=("bt.max_age(days=396)",), verdict="warning")
def twentieth_pump_month() -> object:
    class PumpUse(bt.Model, table="pump_use", events="20/s"):
        """A use of a bicycle pump. Single uses are interesting for two weeks only."""

        pump: str = bt.key(bt.Text(width=6), cardinality=4_000)
        begun: datetime = bt.key(bt.EpochMillis(round=True))

        u = bt.family("u", gc=bt.max_age(days=14))
        strokes: int = bt.column("strokes", u)

        of_pump = bt.query("pump", between="begun", span="1day")

    class PumpMonth(bt.Rollup, of=PumpUse, view="PUMP_MONTH"):
        """Uses and strokes of a pump in a month, for the yearly bill of the maintenance contract."""

        pump: str = bt.key(bt.Text(width=6), cardinality=4_000)
        month: date = bt.key(bt.DateText("%Y%m"), of="begun")

        uses: int = bt.count()
        strokes: int = bt.sum_of("strokes")

        of_pump = bt.query("pump", between="month")

    return PumpUse, PumpMonth


@bad("Avalanche tremor", "KEY005", says=("leave it out",), verdict="warning")
def twentieth_avalanche_tremor() -> object:
    class Tremor(bt.Model, table="tremor", events="6/s"):
        """A tremor that a geophone heard. Every phone with the map asks several times a minute for the last ten minutes."""

        lane = bt.salt("heard", "geophone", buckets=256)
        heard: datetime = bt.key(bt.EpochMillis(round=True))
        geophone: str = bt.key(bt.Text(width=6), cardinality=1_200)

        s = bt.family("s", gc=bt.max_age(days=365))
        amplitude: float = bt.column("a", s)
        slope: str = bt.column("slope", s, size=12)

        lately = bt.query(between="heard", span="10min")

    return Tremor


@bad("Message queue", "ROW009", verdict="warning")
def twentieth_message_queue() -> object:
    class Outgoing(bt.Model, table="sms_queue", events="3000/s"):
        """A message to send. The worker of a lane polls its head ten times a second, sends what is due, and deletes the rows."""

        lane: int = bt.key(bt.PaddedInt(2), cardinality=32, sequential=False)
        due: datetime = bt.key(bt.EpochMillis(round=True))
        message: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)

        q = bt.family("q", gc=bt.max_versions(1))
        text: str = bt.column("text", q, size=140, max_size=1_600)
        tries: int = bt.column("tries", q)

        head = bt.query("lane", between="due", span="1s")

    return Outgoing


@bad("Taxi hail", "KEY001", verdict="error")
def twentieth_taxi_hail() -> object:
    def hour_of_week(hailed: datetime) -> int:
        return hailed.weekday() * 24 + hailed.hour

    class Hail(bt.Model, table="taxi_hail", events="11000/s"):
        """A hail of a taxi from the app. Training reads one hour of the week after the other, over all weeks."""

        slot = bt.derived(bt.PaddedInt(3), "hailed", by=hour_of_week, values=range(168))
        hailed: datetime = bt.key(bt.EpochMillis(round=True))
        cab_zone: int = bt.key(bt.PaddedInt(5), cardinality=14_000, sequential=False)
        hail: str = bt.key(bt.HexDigest(16), cardinality=1_000_000_000)

        h = bt.family("h", gc=bt.max_age(days=400))
        wait_seconds: int | None = bt.column("wait", h, default=None)
        seats: int = bt.column("seats", h, codec=bt.IntBytes(1))

        window = bt.query(between="hailed", span="1h")

    return Hail


@bad("Roaming session", "KEY010", verdict="warning")
def twentieth_roaming_session() -> object:
    class Roaming(bt.Model, table="roaming", events="2500/s"):
        """A data session abroad, under the phone number of the subscriber."""

        phone_number: str = bt.key(bt.Text(max_length=15), cardinality=30_000_000)
        attached: datetime = bt.key(bt.ReversedSeconds(round=True))

        r = bt.family("r", gc=bt.max_age(days=180))
        network: str = bt.column("plmn", r, size=6, max_size=6)
        kilobytes: int = bt.column("kb", r)

        of_subscriber = bt.query("phone_number", between="attached", span="30day")

    return Roaming


@bad("Chess rung", "KEY021", verdict="warning")
def twentieth_chess_rung() -> object:
    class Rung(bt.Model, table="chess_ladder", events="700/s"):
        """A player's place on the ladder. After each game, the player's new rating is written."""

        control: str = bt.key(bt.Text(max_length=10), cardinality=40)
        rating: int = bt.key(bt.Descending(bt.PaddedInt(4)), cardinality=3_000, changes=True)
        handle: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        deviation: float = bt.column("rd", r)
        last_game: datetime = bt.column("last", r)

        top = bt.query("control")
        at_strength = bt.query("control", between="rating")

    return Rung


@bad("Bakery journal", "TAB002", says=('table="journal"',), verdict="warning")
def twentieth_bakery_journal() -> object:
    class Posting(bt.Model, table="journal_{bakery}", events="2000/day"):
        """A posting in the journal of a bakery. Each of the 4,200 bakeries has a table, made when it signs up."""

        account: int = bt.key(bt.PaddedInt(5), cardinality=300, sequential=False)
        posted: date = bt.key(bt.DateText())
        voucher: str = bt.key(bt.Text(max_length=12), cardinality=500_000)

        p = bt.family("p", gc=bt.keep_all())
        amount: Decimal = bt.column("amount", p, size=8)
        wording: str | None = bt.column("wording", p, size=40, max_size=200, default=None)

        of_account = bt.query("account", between="posted", span="31day")

    return Posting


@bad("Stream reaction", "KEY003", verdict="error")
def twentieth_stream_reaction() -> object:
    class Reaction(bt.Model, table="stream_reaction", events="45000/s"):
        """A reaction of a viewer. On match days, two or three broadcasts have almost all of them."""

        broadcast: str = bt.key(bt.HexDigest(12), cardinality=60_000, skew="85%:2")
        at: datetime = bt.key(bt.EpochMillis(round=True))
        viewer: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)

        r = bt.family("r", gc=bt.max_age(days=60))
        emoji: str = bt.column("e", r, size=4, max_size=16)

        replay = bt.query("broadcast", between="at", span="30s")

    return Reaction


@bad("Whiteboard", "ROW003", verdict="warning")
def twentieth_whiteboard() -> object:
    class Stroke(NamedTuple):
        pen: str
        points: list[int]

    class Board(bt.Model, table="whiteboard", events="2500/s"):
        """A whiteboard of a school. With each new stroke, the server writes the list of all strokes so far."""

        board: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        strokes: list[Stroke] = bt.column("strokes", b, size=700_000, max_size=6_000_000)
        revision: int = bt.column("rev", b)

        one = bt.query("board")

    return Board
