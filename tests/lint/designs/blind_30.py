"""A thirtieth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


class Stage(StrEnum):
    ARRIVED = "arrived"
    SORTED = "sorted"
    LOADED = "loaded"
    OUT = "out"
    DELIVERED = "delivered"
    RETURNED = "returned"


class Urgency(StrEnum):
    NOW = "1"
    TODAY = "2"
    LATER = "3"


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@bad(
    "Receipts under their hour behind a constant",
    "KEY001",
    says=("`R#{store}#{hour}#{receipt}`",),
    verdict="error",
)
def thirtieth_receipts_under_their_hour_behind_a_constant() -> object:
    class Receipt(bt.Model, table="receipts", events="7000/s"):
        """A receipt, written the moment the till prints it. Finance closes the books hour by hour, store by store."""

        kind = bt.constant("R")
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H", round=True))
        store: str = bt.key(bt.Text(width=5), cardinality=2_300)
        receipt: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)

        head = bt.family("h", gc=bt.max_age(days=400) | bt.max_versions(1))
        total: Decimal = bt.column("total", head, size=6, max_size=12)
        lines: int = bt.column("n", head)
        card: bool = bt.column("card", head)

        of_store = bt.query("hour", "store")

    return Receipt


@bad("Sessions under an old sequence", "KEY002", says=("bt.ReversedDigits(14)",), verdict="warning")
def thirtieth_sessions_under_an_old_sequence() -> object:
    class ChargingSession(bt.Model, table="charging_session", events="6000/s"):
        """One data session of a prepaid SIM.

        The session number comes from the CHARGE_SEQ sequence of the old Oracle system, so each new
        session has the next number. A session is written when it opens and again when it closes, seconds
        later; afterwards customer care looks single sessions up by their number.
        """

        number: int = bt.key(bt.PaddedInt(14), cardinality=10_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=180) | bt.max_versions(1))
        sim: str = bt.column("sim", s, size=20, max_size=20)
        opened: datetime = bt.column("o", s)
        closed: datetime | None = bt.column("c", s, default=None)
        octets: int | None = bt.column("b", s, default=None)

    return ChargingSession


@bad("A farm without its probe", "QRY001", says=("`{farm}#{at}#{probe}`",), verdict="error")
def thirtieth_a_farm_without_its_probe() -> object:
    class SoilReading(bt.Model, table="soil", events="400/s"):
        """What a probe measured. Plots are drawn per probe; the agronomist also opens 'everything on this farm today'."""

        farm: str = bt.key(bt.Text(max_length=16), cardinality=3_000)
        probe: str = bt.key(bt.HexDigest(8), cardinality=240_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        m = bt.family("m", gc=bt.max_age(days=730) | bt.max_versions(1))
        moisture: float = bt.column("vwc", m)
        kelvin: float = bt.column("k", m)

        of_probe = bt.query("farm", "probe", between="at", span="14d")
        of_farm = bt.query("farm", between="at", span="1d")

    return SoilReading


@bad("A week that keeps a day", "FAM006", says=("bt.max_versions(1_008)",), verdict="error")
def thirtieth_a_week_that_keeps_a_day() -> object:
    class FermenterWeek(bt.Model, table="fermenter_week", bucket="week", events="60/min"):
        """A week of a fermenter, a reading every ten minutes.

        144 readings a day. (We began with a row for each day; since the spring a row is a week, as a batch takes five to seven days
        and is looked at as a whole.)
        """

        fermenter: str = bt.key(bt.Text(max_length=12), cardinality=600)
        week: date = bt.key(bt.IsoWeek("%G-W%V"))

        probe = bt.family("p", gc=bt.max_versions(144))
        oxygen: bt.History[float] = bt.history("do", probe, every="10min")
        ph: bt.History[float] = bt.history("ph", probe, every="10min")

        of_fermenter = bt.query("fermenter", between="week")

    return FermenterWeek


@bad("Five years of a silo in one row", "ROW002", says=("`{silo}#{at}`",), verdict="error")
def thirtieth_five_years_of_a_silo_in_one_row() -> object:
    class Silo(bt.Model, table="silo", events="200/s"):
        """A silo with all it has reported, every ten seconds. Insurance wants five years."""

        silo: str = bt.key(bt.Text(max_length=10), cardinality=2_000)

        r = bt.family("r", gc=bt.max_age(days=1826))
        level: bt.History[float] = bt.history("lvl", r, every="10s")
        celsius: bt.History[float] = bt.history("tmp", r, every="10s")
        humidity: bt.History[float] = bt.history("hum", r, every="10s")

        place = bt.family("p", gc=bt.max_versions(1))
        operator: str | None = bt.column("op", place, size=30, max_size=80, default=None)

    return Silo


@bad("Votes on twelve rows", "KEY013", says=("shard",), verdict="warning")
def thirtieth_votes_on_twelve_rows() -> object:
    class Contestant(bt.Model, table="contestants", events="60000/s"):
        """How many votes each of the twelve contestants has. Every vote that comes in from app or SMS is one `add`.

        Lines are open for eight minutes, and then about 60,000 votes arrive in a second. The numbers are deleted before the next show.
        """

        contestant: str = bt.key(bt.Text(max_length=20), cardinality=12)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        app: int | None = bt.counter("app", v)
        sms: int | None = bt.counter("sms", v)

    return Contestant


@bad(
    "Entries of one gate in one second",
    "KEY017",
    says=("`{stadium}#{gate}#{at}#{ticket}`",),
    verdict="warning",
)
def thirtieth_entries_of_one_gate_in_one_second() -> object:
    class Entry(bt.Model, table="entries", events="3000/s"):
        """A ticket that was let in: one row for each.

        On a match day a gate with its six lanes lets in three or four people a second.
        """

        stadium: str = bt.key(bt.Text(width=3), cardinality=20)
        gate: str = bt.key(bt.Text(max_length=6), cardinality=800)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        e = bt.family("e", gc=bt.max_age(days=365) | bt.max_versions(1))
        ticket: str = bt.column("t", e, size=24, max_size=24)
        block: str = bt.column("b", e, size=4, max_size=8)

        of_gate = bt.query("stadium", "gate", between="at", span="3h")

    return Entry


@bad("A season that is deleted after two weeks", "FAM006", says=("bt.max_age(days=90)",), verdict="error")
def thirtieth_a_season_that_is_deleted_after_two_weeks() -> object:
    class CellQuality(bt.Model, table="cell_quality", events="800/s", lateness="15min"):
        """Each minute of each radio cell. The planners' seasonal view compares a whole quarter of a cell."""

        cell: str = bt.key(bt.HexDigest(10), cardinality=48_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        q = bt.family("q", gc=bt.max_age(days=14) | bt.max_versions(1))
        dropped: float = bt.column("drop", q)
        prb: float = bt.column("prb", q)
        users: int = bt.column("ue", q)

        last_hours = bt.query("cell", between="at", span="6h", newest=True)
        season = bt.query("cell", between="at", span="90d", only=["prb", "users"])

    return CellQuality


@bad("A marketplace of most hits", "KEY003", says=("bt.salt",), verdict="error")
def thirtieth_a_marketplace_of_most_hits() -> object:
    class Hit(bt.Model, table="hits", events="30000/s"):
        """A page hit of an account's site. One account, the marketplace, sends 85 % of all hits."""

        account: str = bt.key(bt.Text(max_length=12), cardinality=900, skew="85%:1", tenant=True)
        at: datetime = bt.key(bt.EpochMicros())
        visit: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)

        h = bt.family("h", gc=bt.max_age(days=30) | bt.max_versions(1))
        path: str = bt.column("p", h, size=60, max_size=1_000)
        referrer: str | None = bt.column("r", h, size=60, max_size=1_000, default=None)

        of_account = bt.query("account", between="at", span="1h")

    return Hit


@bad("Robots that keep every position", "ROW003", says=("bt.max_versions(1)",), verdict="warning")
def thirtieth_robots_that_keep_every_position() -> object:
    class Robot(bt.Model, table="robots", events="5000/s"):
        """The present state of a robot, which is written over with every report, two or three times a second.

        The floor map reads the robots of a warehouse. Nobody asks for earlier states: those go to BigQuery.
        """

        warehouse: str = bt.key(bt.Text(width=4), cardinality=12)
        robot: str = bt.key(bt.HexDigest(8), cardinality=2_000)

        s = bt.family("s", gc=bt.keep_all())
        x: float = bt.column("x", s)
        y: float = bt.column("y", s)
        battery: int = bt.column("bat", s)
        task: str | None = bt.column("task", s, size=12, max_size=24, default=None)
        reported: datetime = bt.column("at", s)

        floor = bt.query("warehouse")

    return Robot


@bad(
    "Parcels under their stage",
    "KEY021",
    says=("bt.twins(Parcel, ParcelBoard, owned=True)",),
    verdict="warning",
)
def thirtieth_parcels_under_their_stage() -> object:
    class Parcel(bt.Model, table="parcels", events="900/s"):
        """A parcel at a depot. The shift leader's board lists the parcels of a stage.

        A parcel passes through the stages one after the other, usually four or five of them within a day.
        """

        depot: str = bt.key(bt.Text(width=4), cardinality=420)
        stage: Stage = bt.key(bt.EnumText(Stage))
        parcel: str = bt.key(bt.HexDigest(14), cardinality=80_000_000)

        p = bt.family("p", gc=bt.max_age(days=120) | bt.max_versions(1))
        grams: int = bt.column("g", p)
        route: str = bt.column("r", p, size=8, max_size=12)
        scanned: datetime = bt.column("at", p)

        board = bt.query("depot", "stage")

    return Parcel


@bad("Vaccinations under a personal number", "KEY010", says=("person_id",), verdict="warning")
def thirtieth_vaccinations_under_a_personal_number() -> object:
    class Vaccination(bt.Model, table="vaccination", events="60/s"):
        """A dose that a person was given.

        The key begins with the personal number that every resident has from birth; it is printed on the
        health card, and pharmacies type it in.
        """

        personal_no: str = bt.key(bt.Text(width=11), cardinality=12_000_000)
        vaccine: str = bt.key(bt.Text(width=7), cardinality=60)
        dose: int = bt.key(bt.PaddedInt(2), sequential=False)

        v = bt.family("v", gc=bt.max_versions(1))
        given: date = bt.column("d", v)
        batch: str = bt.column("b", v, size=10, max_size=20)
        clinic: str = bt.column("c", v, size=8, max_size=8)

        card = bt.query("personal_no")

    return Vaccination


@bad("Pictures of welds in cells", "ROW001", "QRY005", says=("object store",), verdict="warning")
def thirtieth_pictures_of_welds_in_cells() -> object:
    class Weld(bt.Model, table="welds", events="4/min"):
        """A weld of a pipe with the X-ray picture that the inspector judged."""

        pipe: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)
        seam: int = bt.key(bt.PaddedInt(2), sequential=False)

        f = bt.family("f", gc=bt.max_versions(1))
        inspected: datetime = bt.column("at", f)
        passed: bool = bt.column("ok", f)
        remark: str | None = bt.column("rem", f, size=80, max_size=2_000, default=None)
        picture: bytes = bt.column("xray", f, size=22_000_000, max_size=64_000_000)

        of_pipe = bt.query("pipe", only=["inspected", "passed"])

    return Weld


@bad("One family for two retentions", "FAM005", says=("bt.max_age(days=3_653)",), verdict="error")
def thirtieth_one_family_for_two_retentions() -> object:
    class CardPayment(bt.Model, table="card_payment", events="2500/s"):
        """A payment. What we know of the device goes after 90 days (privacy); the booking stays for ten years (commercial law)."""

        card: str = bt.key(bt.HexDigest(24), cardinality=9_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        payment: str = bt.key(bt.HexDigest(12), cardinality=1_000_000_000)

        d = bt.family("d", gc=bt.max_age(days=90) | bt.max_versions(1))
        device: str = bt.column("dev", d, size=40, max_size=64, keep=bt.max_age(days=90))
        address: str = bt.column("ip", d, size=15, max_size=45, keep=bt.max_age(days=90))
        amount: Decimal = bt.column("amt", d, size=6, max_size=14, keep=bt.max_age(days=3653))
        merchant: str = bt.column("mer", d, size=12, max_size=15, keep=bt.max_age(days=3653))

        of_card = bt.query("card", between="at", newest=True, only=["amount", "merchant"])

    return CardPayment


@bad("A union that forgets calibrations", "FAM010", says=("&",), verdict="warning")
def thirtieth_a_union_that_forgets_calibrations() -> object:
    class Instrument(bt.Model, table="instrument", events="150/day"):
        """A scale, pipette or spectrometer.

        ISO 17025: the last five calibrations must always be on file, however old they are, and all of the past year besides.
        An instrument is calibrated about every half year.
        """

        site: str = bt.key(bt.Text(width=3), cardinality=14)
        instrument: str = bt.key(bt.Text(max_length=16), cardinality=26_000)

        about = bt.family("a", gc=bt.max_versions(1))
        model: str = bt.column("m", about, size=20, max_size=80)

        cal = bt.family("c", gc=bt.max_versions(5) | bt.max_age(days=365))
        offset: bt.History[float] = bt.history("off", cal, every="180d")
        slope: bt.History[float] = bt.history("slo", cal, every="180d")

        of_site = bt.query("site")

    return Instrument


@bad("Nights that do not sort", "KEY007", "QRY001", says=("%Y-%m-%d",), verdict="error")
def thirtieth_nights_that_do_not_sort() -> object:
    class Night(bt.Model, table="nights", events="120/s"):
        """A night of a room type in a hotel, booked up to a year ahead. The date is written as our travel agents write it: 24-12-2026."""

        hotel: str = bt.key(bt.Text(max_length=10), cardinality=7_500)
        room: str = bt.key(bt.Text(max_length=8), cardinality=30)
        night: date = bt.key(bt.DateText("%d-%m-%Y"), sequential=False)

        n = bt.family("n", gc=bt.max_versions(1))
        left: int = bt.column("left", n)
        cents: int = bt.column("rate", n)

        stay = bt.query("hotel", "room", between="night", span="7d")

    return Night


@bad("An index under three urgencies", "KEY003", says=("bt.salt",), verdict="warning")
def thirtieth_an_index_under_three_urgencies() -> object:
    class Report(bt.Model, table="outage_report", events="9000/s"):
        """A report that the light is out. In a storm, 9,000 arrive in a second."""

        id: str = bt.key(bt.HexDigest(20), cardinality=400_000_000)

        r = bt.family("r", gc=bt.max_age(days=60) | bt.max_versions(1))
        urgency: Urgency = bt.column("u", r)
        reported: datetime = bt.column("at", r)
        feeder: str = bt.column("fd", r, codec=bt.AsInKey(bt.Text(width=8)), cardinality=31_000)
        text: str | None = bt.column("txt", r, size=120, max_size=1_000, default=None)

    class ReportByUrgency(bt.Index, of=Report, view="outage_report_by_urgency"):
        """The wall display of the control room: the most urgent first, and of these the newest."""

        urgency: Urgency = bt.key(bt.EnumText(Urgency))
        newest: datetime = bt.key(bt.ReversedMicros(), of="reported")
        id: str = bt.covered()

        feeder: str = bt.covered()

        wall = bt.query("urgency", between="newest")

    return (Report, ReportByUrgency)


@bad("Sums of a month over two weeks", "FAM006", says=("bt.max_age(days=62)",), verdict="warning")
def thirtieth_sums_of_a_month_over_two_weeks() -> object:
    class HeatReading(bt.Model, table="heat", events="1500/s", lateness="6h"):
        """A reading of a heat meter; the raw ones are kept for two weeks."""

        meter: str = bt.key(bt.HexDigest(10), cardinality=450_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        h = bt.family("h", gc=bt.max_age(days=14) | bt.max_versions(1))
        watt_hours: int = bt.column("wh", h)
        read_at: datetime = bt.column("at", h)
        flow: float = bt.column("fl", h)

        of_meter = bt.query("meter", between="at", span="1d")

    class HeatOfMonth(bt.Rollup, of=HeatReading, view="heat_of_month"):
        """What a flat used in a month: the invoice is made from it after the month's end."""

        meter: str = bt.key(bt.HexDigest(10), cardinality=450_000)
        month: date = bt.key(bt.DateText("%Y%m"), of="read_at")

        watt_hours: int = bt.sum_of("watt_hours")
        readings: int = bt.count()

        of_meter = bt.query("meter", between="month")

    return (HeatReading, HeatOfMonth)


@bad("A table for each fleet", "TAB002", says=("`{customer}#{vehicle}#{at}`",), verdict="warning")
def thirtieth_a_table_for_each_fleet() -> object:
    class Trackpoint(bt.Model, table="trackpoints_{customer}", events="15/s"):
        """Where a truck was. Each customer gets a table when the contract is signed: there are 4,800 of them, and 60 more every month.

        All tables have the same families, the same rules and the same readers.
        """

        vehicle: str = bt.key(bt.Text(max_length=17), cardinality=150)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        t = bt.family("t", gc=bt.max_age(days=365) | bt.max_versions(1))
        lat: float = bt.column("lat", t)
        lon: float = bt.column("lon", t)
        speed: int | None = bt.column("v", t, default=None)

        of_vehicle = bt.query("vehicle", between="at", span="1d")

    return Trackpoint


@bad("A policy in several rows", "ROW004", says=("`{policy}`",), verdict="warning")
def thirtieth_a_policy_in_several_rows() -> object:
    class Cover(bt.Model, table="policy", events="80/s", atomic="policy"):
        """A cover of a policy (liability, glass, theft, ...), with its share of the premium.

        An endorsement changes several covers, and all of them or none must be in force: the regulator
        fined us for policies that were half changed.
        """

        policy: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)
        cover: str = bt.key(bt.Text(max_length=12), cardinality=25)

        c = bt.family("c", gc=bt.max_versions(10))
        premium: Decimal = bt.column("pr", c, size=6, max_size=12)
        deductible: Decimal = bt.column("de", c, size=5, max_size=12)

        of_policy = bt.query("policy")

    return Cover


@bad("All followers in a row", "ROW002", says=("{profile}#{followers_key}",), verdict="error")
def thirtieth_all_followers_in_a_row() -> object:
    class Profile(bt.Model, table="profiles", events="3500/s"):
        """A profile, and the set of its followers' ids. The national team has eighteen million."""

        profile: str = bt.key(bt.HexDigest(12), cardinality=70_000_000)

        about = bt.family("a", gc=bt.max_versions(1))
        bio: str | None = bt.column("bio", about, size=80, max_size=600, default=None)
        avatar: str | None = bt.column("av", about, size=60, max_size=200, default=None)

        fans = bt.family("f", gc=bt.max_versions(1))
        followers: set[str] = bt.members(fans, bt.HexDigest(12), entries=18_000_000)

    return Profile


@bad("A queue that is scanned", "QRY001", says=("bt.Index",), verdict="warning")
def thirtieth_a_queue_that_is_scanned() -> object:
    class RenderJob(bt.Model, table="render_jobs", events="40/s"):
        """A clip to render; finished ones stay for 60 days, so that customers can ask for them.

        At any time a few thousand wait, and about two hundred million are done.
        """

        id: UUID = bt.key(bt.UuidText(), cardinality=200_000_000)

        j = bt.family("j", gc=bt.max_age(days=60) | bt.max_versions(1))
        state: State = bt.column("st", j)
        queued: datetime = bt.column("q", j)
        script: str = bt.column("sc", j, size=3_000, max_size=60_000)

        waiting = bt.query(scan="each dispatcher looks for waiting jobs every five seconds", where=["state"])

    return RenderJob
