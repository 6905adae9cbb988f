"""A twenty-third set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import bad

import btmodel as bt


@bad("Points booking", "KEY002", says=("`booking` as `bt.ReversedDigits(19)`",), verdict="error")
def twentythird_points_booking() -> object:
    class PointsBooking(bt.Model, table="points_booking", events="18000/s"):
        """A booking of loyalty points, found by the Snowflake id that the till got from the id service."""

        booking: int = bt.key(bt.PaddedInt(19), cardinality=40_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=730))
        member: str = bt.column("member", b, size=10)
        points: int = bt.column("points", b)
        shop: str = bt.column("shop", b, size=6)

        by_booking = bt.query("booking")

    return PointsBooking


@bad("Intraday bid", "KEY001", says=("`{bid}#{delivery}`",), verdict="error")
def twentythird_intraday_bid() -> object:
    class IntradayBid(bt.Model, table="intraday_bid", events="16000/s"):
        """A bid for the delivery hour that is traded at present."""

        spread = bt.salt("delivery", buckets=12)
        delivery: datetime = bt.key(bt.TimeText("%Y%m%d%H"), cardinality=50_000)
        bid: int = bt.key(bt.PaddedInt(14), cardinality=20_000_000_000, sequential=True)

        b = bt.family("b", gc=bt.max_age(days=400))
        participant: str = bt.column("who", b, size=12)
        megawatts: Decimal = bt.column("mw", b, size=5)
        price: Decimal = bt.column("price", b, size=7)

        one = bt.query("delivery", "bid")

    return IntradayBid


@bad("Tissue sample", "QRY005", says=("`{biobank}#{patient}#{sample}`",), verdict="warning")
def twentythird_tissue_sample() -> object:
    class TissueSample(bt.Model, table="tissue_sample", events="3/s"):
        """A sample in the freezer of a biobank."""

        biobank: str = bt.key(bt.Text(width=5), cardinality=14)
        sample: str = bt.key(bt.HexDigest(16), cardinality=84_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        patient: str = bt.column("patient", s, size=12, cardinality=7_000_000)
        tissue: str = bt.column("tissue", s, size=20)
        rack: str = bt.column("rack", s, size=9)

        one = bt.query("biobank", "sample")
        of_patient = bt.query("biobank", where=["patient"])

    return TissueSample


@bad(
    "Transponder",
    "ROW003",
    says=(
        "`{satellite}#{at}`",
        "`{satellite}#{hour}`",
    ),
    verdict="error",
)
def twentythird_transponder() -> object:
    class Transponder(bt.Model, table="transponder", events="120/s"):
        """What a satellite tells of its transponder, from its launch on."""

        satellite: int = bt.key(bt.PaddedInt(5), cardinality=120)

        t = bt.family("t", gc=bt.keep_all())
        watts: bt.History[float] = bt.history("w", t, every="1s")
        kelvin: bt.History[float] = bt.history("k", t, every="1s")

        of_satellite = bt.query("satellite")

    return Transponder


@bad("Gauge entry", "FAM006", says=("bt.max_age(days=105)",), verdict="warning")
def twentythird_gauge_entry() -> object:
    class GaugeEntry(bt.Model, table="gauge_entry", events="200/s", timestamp="read_at", lateness="60d"):
        """What a river warden read off a gauge and wrote on paper; sheets are typed in when they arrive."""

        gauge: str = bt.key(bt.Text(width=7), cardinality=9_000)
        read_at: datetime = bt.key(bt.EpochSeconds())

        g = bt.family("g", gc=bt.max_age(days=45))
        centimetres: int = bt.column("cm", g)
        warden: str = bt.column("warden", g, size=4)

        of_gauge = bt.query("gauge", between="read_at")

    return GaugeEntry


@bad("Visitor badge", "FAM005", says=("bt.max_age(days=30)",), verdict="warning")
def twentythird_visitor_badge() -> object:
    class VisitorBadge(bt.Model, table="visitor_badge", events="40/s"):
        """Who went through which door of the ministry; it must be deleted after 30 days."""

        badge: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        v = bt.family("v", gc=bt.max_versions(1) & bt.max_age(days=30))
        door: str = bt.column("door", v, size=8)
        host: str = bt.column("host", v, size=24)

        of_badge = bt.query("badge", between="at")

    return VisitorBadge


@bad("Auction lot", "KEY007", says=("`lot_number: int = bt.key(bt.PaddedInt(5))`",), verdict="warning")
def twentythird_auction_lot() -> object:
    class AuctionLot(bt.Model, table="auction_lot", events="5/s"):
        """A lot of a sale; the catalogue is leafed through from one lot number to another."""

        house: str = bt.key(bt.Text(width=4), cardinality=60)
        sale: int = bt.key(bt.PaddedInt(6), cardinality=200_000)
        lot_number: str = bt.key(bt.Text(max_length=5), cardinality=9_999)

        c = bt.family("c", gc=bt.max_versions(1))
        title: str = bt.column("title", c, size=80, max_size=400)
        estimate: int = bt.column("est", c)

        leaf = bt.query("house", "sale", between="lot_number")

    return AuctionLot


class Stage(StrEnum):
    FILED = "filed"
    HEARD = "heard"
    DECIDED = "decided"
    CLOSED = "closed"


@bad(
    "Court file",
    "KEY021",
    says=(
        "`{court}#{file}`",
        "owned=True",
    ),
    verdict="warning",
)
def twentythird_court_file() -> object:
    class CourtFile(bt.Model, table="court_file", events="2/s"):
        """A file of a court, under the stage that the case has reached."""

        court: str = bt.key(bt.Text(width=6), cardinality=700)
        stage: Stage = bt.key(bt.EnumText(Stage))
        file: str = bt.key(bt.HexDigest(10), cardinality=30_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        judge: str = bt.column("judge", f, size=30)
        heard: date | None = bt.column("heard", f, default=None)

        at_stage = bt.query("court", "stage")

    return CourtFile


@bad("Library shelf mark", "KEY008", says=('`ends="#"`',), verdict="error")
def twentythird_shelf_mark() -> object:
    class ScannedPage(bt.Model, table="scanned_page", events="30/s"):
        """A page of a bound newspaper that was scanned."""

        title: str = bt.key(bt.Text(width=8), cardinality=3_000)
        volume: int = bt.key(bt.Int(4), cardinality=900, ends=b"")
        page: int = bt.key(bt.Int(4), cardinality=2_500)

        p = bt.family("p", gc=bt.max_versions(1))
        image: str = bt.column("image", p, size=60)
        scanned: datetime = bt.column("scanned", p)

        one = bt.query("title", "volume", "page")

    return ScannedPage


@bad("Cellar and bottle", "TAB005", says=("`cellar#{name}`",), verdict="error")
def twentythird_cellar_and_bottle() -> object:
    class Cellar(bt.Model, table="wine"):
        """A cellar of wine."""

        name: str = bt.key(bt.Text(max_length=24), cardinality=8_000)

        c = bt.family("c", gc=bt.max_versions(1))
        owner: str = bt.column("owner", c, size=20)
        celsius: float = bt.column("celsius", c)

    class Bottle(bt.Model, table="wine", events="1/s"):
        """A bottle, by what is on its label."""

        label: str = bt.key(bt.Text(max_length=40), cardinality=900_000)

        c = bt.family("c", gc=bt.max_versions(1))
        vintage: int = bt.column("vintage", c)
        bought: date = bt.column("bought", c)

    return Cellar, Bottle


@bad(
    "Turnstiles",
    "KEY013",
    says=(
        "`network#{shard}`",
        "about 1 row",
    ),
    verdict="warning",
)
def twentythird_turnstiles() -> object:
    class Turnstiles(bt.Model, table="turnstiles", events="9000/s"):
        """How many passengers went through the turnstiles of the network, for the board in the lobby."""

        what = bt.constant("network")

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        passed: int | None = bt.counter("passed", n, increments="9000/s")

    return Turnstiles


@bad("Tolls of a month", "FAM006", says=("bt.max_age(days=62)",), verdict="warning")
def twentythird_tolls_of_month() -> object:
    class Toll(bt.Model, table="toll", events="600/s"):
        """A lorry passed a gantry."""

        lorry: str = bt.key(bt.Text(width=10), cardinality=400_000)
        at: datetime = bt.key(bt.EpochMillis())

        t = bt.family("t", gc=bt.max_age(days=14))
        gantry: str = bt.column("gantry", t, size=6)
        cents: int = bt.column("cents", t)

        of_lorry = bt.query("lorry", between="at")

    class TollOfMonth(bt.Rollup, of=Toll, view="toll_of_month"):
        """What a lorry owes for a month."""

        lorry: str = bt.key(bt.Text(width=10), cardinality=400_000)
        month: date = bt.key(bt.DateText("%Y%m"), of="at")

        cents: int = bt.sum_of("cents")

        of_lorry = bt.query("lorry", between="month")

    return Toll, TollOfMonth


@bad("Open loans", "TAB008", says=("`piece: str = bt.covered()`",), verdict="warning")
def twentythird_open_loans() -> object:
    class Loan(bt.Model, table="museum_loan", events="1/min"):
        """An object that was lent to another museum."""

        loan: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

        f = bt.family("l", gc=bt.max_versions(1))
        borrower: str = bt.column("borrower", f, codec=bt.AsInKey(bt.Text(max_length=30)), cardinality=4_000)
        piece: str = bt.column("piece", f, size=40)
        returned: date | None = bt.column("returned", f, default=None)

    class LoanOfBorrower(bt.Index, of=Loan, view="loan_of_borrower"):
        """The loans of a borrower, to see which are still out."""

        borrower: str = bt.key(bt.Text(max_length=30), cardinality=4_000)
        loan: str = bt.covered()

        returned: date | None = bt.covered()

        of_borrower = bt.query("borrower")

    return Loan, LoanOfBorrower


@bad("Calls of a room", "KEY023", says=("`{room}#{taken}#{call}`",), verdict="warning")
def twentythird_calls_of_room() -> object:
    class EmergencyCall(bt.Model, table="emergency_call", events="50/s"):
        """A call to one of the control rooms of the ambulances of a country."""

        call: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)

        a = bt.family("a", gc=bt.max_age(days=3650))
        room: str = bt.column("room", a, size=8)
        taken: datetime = bt.column("taken", a)
        line: str = bt.column("line", a, size=4)

    class CallOfRoom(bt.Model, table="call_of_room", events="50/s"):
        """The calls of a control room by time."""

        room: str = bt.key(bt.Text(width=8), cardinality=40)
        taken: datetime = bt.key(bt.EpochSeconds(round=True))

        a = bt.family("a", gc=bt.max_age(days=3650))
        call: str = bt.column("call", a, size=16)
        line: str = bt.column("line", a, size=4)

        of_room = bt.query("room", between="taken")

    bt.twins(EmergencyCall, CallOfRoom)
    return EmergencyCall, CallOfRoom


@bad("Charging session", "KEY003", says=("`{salt}#{operator}#{at}#{charger}`",), verdict="error")
def twentythird_charging() -> object:
    class ChargeSample(bt.Model, table="charge_sample", events="48000/s"):
        """A charger at the road tells its current."""

        operator: str = bt.key(bt.Text(width=4), cardinality=90, skew="85%:2")
        at: datetime = bt.key(bt.EpochMillis())
        charger: int = bt.key(bt.PaddedInt(7), cardinality=200_000)

        c = bt.family("c", gc=bt.max_age(days=20))
        amperes: float = bt.column("a", c)
        volts: float = bt.column("v", c)

        of_operator = bt.query("operator", between="at", span="5min")

    return ChargeSample


@bad(
    "Verdict draft",
    "FAM005",
    says=("leave out `timestamp=`, and cells get the time of writing; or, if only the newest is wanted",),
    verdict="warning",
)
def twentythird_verdict_draft() -> object:
    class VerdictDraft(bt.Model, table="verdict_draft", events="4/s", timestamp=0):
        """The text of a verdict while it is written; judges go back to one of the last ten versions."""

        draft: str = bt.key(bt.HexDigest(12), cardinality=600_000)

        d = bt.family("d", gc=bt.max_versions(10))
        text: str = bt.column("text", d, size=20_000, max_size=400_000)
        author: str = bt.column("author", d, size=20)

        one = bt.query("draft")

    return VerdictDraft


@bad("Lift inspection", "FAM010", says=("bt.max_age(days=3_653)",), verdict="warning")
def twentythird_lift_inspection() -> object:
    class LiftInspection(bt.Model, table="lift_inspection", events="20/min"):
        """The inspection of a lift. Reports are kept for ten years, as the safety act demands."""

        lift: str = bt.key(bt.Text(width=9), cardinality=800_000)
        day: date = bt.key(bt.DateText())

        i = bt.family("i", gc=bt.max_age(days=365))
        passed: bool = bt.column("passed", i)
        inspector: str = bt.column("inspector", i, size=20)
        report: str = bt.column("report", i, size=3_000, max_size=60_000)

        of_lift = bt.query("lift", between="day")

    return LiftInspection


@bad("Late trains", "QRY001", says=("`{station}#{signal}#{at}`",), verdict="warning")
def twentythird_late_trains() -> object:
    class Passing(bt.Model, table="signal_passing", events="2500/s"):
        """A train passed a signal."""

        signal: str = bt.key(bt.Text(width=8), cardinality=70_000)
        at: datetime = bt.key(bt.EpochMillis())

        p = bt.family("p", gc=bt.max_age(days=90))
        train: str = bt.column("train", p, size=8, cardinality=30_000)
        delay: int = bt.column("delay", p)
        station: str = bt.column("station", p, size=6, cardinality=5_000)

        of_signal = bt.query("signal", between="at")
        late = bt.query(
            where=["station", "delay"],
            scan="the board of a platform shows the trains that are late, every 10 s",
        )

    return Passing


@bad("Beehive", "KEY005", says=("`{hive}#{at}`",), verdict="warning")
def twentythird_beehive() -> object:
    class Beehive(bt.Model, table="beehive", events="30/s"):
        """The weight of a beehive."""

        spread = bt.salt("at", buckets=900)
        hive: int = bt.key(bt.PaddedInt(6), cardinality=40_000)
        at: datetime = bt.key(bt.EpochSeconds())

        h = bt.family("h", gc=bt.max_age(days=800))
        grams: int = bt.column("g", h)
        celsius: float = bt.column("c", h)

        of_hive = bt.query("hive", between="at")

    return Beehive


@bad("Bridge strain", "ROW002", says=("`{gauge}#{hour}`",), verdict="error")
def twentythird_bridge_strain() -> object:
    class BridgeStrain(bt.Model, table="bridge_strain", bucket="year", events="3000/s"):
        """The strain that a gauge in a bridge measures."""

        gauge: int = bt.key(bt.PaddedInt(5), cardinality=300)
        year: date = bt.key(bt.DateText("%Y"))

        s = bt.family("s", gc=bt.max_age(days=1100))
        strain: bt.History[float] = bt.history("e", s, every="100ms")

        of_gauge = bt.query("gauge", between="year")

    return BridgeStrain


@bad("Sequencer read", "KEY017", says=("`{lane}#{at}#{id}`",), verdict="error")
def twentythird_sequencer_read() -> object:
    class SequencerRead(bt.Model, table="sequencer_read", events="16000/s"):
        """A read that came out of a lane of a sequencer."""

        lane: str = bt.key(bt.HexDigest(6), cardinality=800)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        r = bt.family("r", gc=bt.max_age(days=60))
        bases: str = bt.column("bases", r, size=150, max_size=300)
        quality: bytes = bt.column("q", r, size=150, max_size=300)

        of_lane = bt.query("lane", between="at")

    return SequencerRead


@bad(
    "Planned departure", "COL009", says=('`departs: datetime = bt.column("departs", p)`',), verdict="warning"
)
def twentythird_planned_departure() -> object:
    class PlannedDeparture(bt.Model, table="planned_departure", events="90/s"):
        """When a ferry is planned to leave; the plan is moved to an earlier or a later time as the tide allows."""

        sailing: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)
        departs: datetime = bt.timestamp()

        p = bt.family("p", gc=bt.max_versions(1))
        berth: str = bt.column("berth", p, size=6)
        captain: str = bt.column("captain", p, size=20)

        one = bt.query("sailing")

    return PlannedDeparture


@bad("Vaccination", "KEY010", says=("`{country}#{person_id}#{at}`",), verdict="warning")
def twentythird_vaccination() -> object:
    class Vaccination(bt.Model, table="vaccination", events="9000/s"):
        """A vaccination, by the country and the hash of the pass."""

        country: str = bt.key(bt.Text(width=2), cardinality=27)
        passport: str = bt.key(bt.HexDigest(32), cardinality=400_000_000)
        at: datetime = bt.key(bt.EpochSeconds())

        v = bt.family("v", gc=bt.max_age(days=3650))
        vaccine: str = bt.column("vac", v, size=10)
        lot: str = bt.column("lot", v, size=12)

        of_pass = bt.query("country", "passport", between="at")

    return Vaccination
