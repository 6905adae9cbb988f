"""A thirteenth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Finds of excavations",
    "KEY007",
    "QRY001",
    verdict="error",
)
def thirteenth_archaeology() -> object:
    class Dig(bt.Model, table="dig", events="1/min"):
        """An excavation."""

        dig: str = bt.key(bt.Text(width=6), cardinality=900)

        d = bt.family("d", gc=bt.max_versions(1))
        place: str = bt.column("place", d, size=20, max_size=100)
        began: date = bt.column("began", d)

    class Find(bt.Model, table="find", events="2/s"):
        """A find, by its number in the book of the excavation. Drawers are labelled `400 to 449`, and opened as a list."""

        dig: str = bt.key(bt.Text(width=6), cardinality=900)
        number: int = bt.key(bt.Int(6), cardinality=200_000)

        f = bt.family("f", gc=bt.max_versions(1))
        what: str = bt.column("what", f, size=40, max_size=400)
        layer: str = bt.column("layer", f, size=4, max_size=12)
        grams: int | None = bt.column("g", f, default=None)

        drawer = bt.query("dig", between="number")
        one = bt.query("dig", "number")

    return Dig, Find


@bad(
    "Certificates seen in public transparency logs",
    "KEY003",
    verdict="warning",
)
def thirteenth_certificate_log() -> object:
    class Entry(bt.Model, table="ct_entry", events="15000/s"):
        """An entry of a log. Monitors follow each log from where they stopped."""

        shard = bt.salt("log", buckets=16)
        log: str = bt.key(bt.Text(width=12), cardinality=8)
        seen: datetime = bt.key(bt.EpochMillis(round=True))
        serial: str = bt.key(bt.HexDigest(32), cardinality=10_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=45))
        issuer: str = bt.column("i", e, size=60, max_size=300)
        subject: str = bt.column("s", e, size=80, max_size=2_000)
        der: bytes = bt.column("d", e, size=1_800, max_size=30_000)

        follow = bt.query("log", between="seen", span="1min")

    return Entry


@bad(
    "A guide book of climbing routes",
    "ROW007",
    says=(
        "declare `french`, `stars`, `day`, `party` in Route",
        "`| None`",
    ),
    verdict="warning",
)
def thirteenth_climbing_routes() -> object:
    class Route(bt.Model, table="route", events="5/s"):
        """A route: its name and its length."""

        crag: int = bt.key(bt.PaddedInt(6), cardinality=90_000, sequential=False)
        route: int = bt.key(bt.PaddedInt(4), cardinality=3_000, sequential=False)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("name", f, size=18, max_size=100)
        metres: int = bt.column("m", f)

        page = bt.query("crag", "route", together=["Grade", "FirstAscent"])

    class Grade(bt.Model, table="route_grade", events="5/s"):
        """How hard a route is."""

        crag: int = bt.key(bt.PaddedInt(6), cardinality=90_000, sequential=False)
        route: int = bt.key(bt.PaddedInt(4), cardinality=3_000, sequential=False)

        f = bt.family("f", gc=bt.max_versions(1))
        french: str = bt.column("fr", f, size=3, max_size=6)
        stars: int = bt.column("st", f)

        page = bt.query("crag", "route", together=["Route", "FirstAscent"])

    class FirstAscent(bt.Model, table="route_first_ascent", events="5/s"):
        """When a route was first climbed."""

        crag: int = bt.key(bt.PaddedInt(6), cardinality=90_000, sequential=False)
        route: int = bt.key(bt.PaddedInt(4), cardinality=3_000, sequential=False)

        f = bt.family("f", gc=bt.max_versions(1))
        day: date = bt.column("day", f)
        party: str = bt.column("party", f, size=30, max_size=200)

        page = bt.query("crag", "route", together=["Route", "Grade"])

    return Route, Grade, FirstAscent


@bad(
    "Doses of subjects of clinical trials, under pseudonyms",
    "FAM005|FAM006",
    verdict="error",
)
def thirteenth_clinical_trials() -> object:
    class Subject(bt.Model, table="subject", events="20/s"):
        """A subject of a trial. Inspectors read each dose that was ever set."""

        trial: str = bt.key(bt.Text(width=8), cardinality=600)
        subject: int = bt.key(bt.PaddedInt(6), cardinality=400_000, sequential=False, pii=False)

        d = bt.family("d", gc=bt.max_versions(1))
        arm: str | None = bt.column("arm", d, default=None, size=2, max_size=8)
        site: int | None = bt.column("site", d, default=None)
        dose: bt.History[int] = bt.history("dose", d, every="14day", keep=bt.keep_all())

        of_trial = bt.query("trial")
        one = bt.query("trial", "subject")

    return Subject


@bad(
    "Crash reports of desktop applications, as their crash handler uploads them",
    "KEY001",
    verdict="error",
)
def thirteenth_crash_reports() -> object:
    class CrashReport(bt.Model, table="crash_report", events="8000/s"):
        """One upload. The on-call engineer pages through what came in lately; support opens one report."""

        received: datetime = bt.key(bt.ReversedMillis(round=True))
        report: UUID = bt.key(bt.UuidRaw(), cardinality=2_000_000_000)

        meta = bt.family("m", gc=bt.max_age(days=60))
        app: str = bt.column("app", meta, size=20, max_size=60)
        version: str = bt.column("ver", meta, size=8, max_size=20)
        signature: str = bt.column("sig", meta, size=120, max_size=500)
        stack: str = bt.column("stack", meta, size=6_000, max_size=60_000)

        lately = bt.query(between="received", newest=True, span="15min")
        one = bt.query("received", "report")

    return CrashReport


@bad(
    "Parish registers, transcribed: persons and the index of surnames",
    "ROW002|COL003",
    verdict="error",
)
def thirteenth_genealogy() -> object:
    class Person(bt.Model, table="parish_person", events="200/s"):
        """A person of a register. They died long ago."""

        id: str = bt.key(bt.HexDigest(16), cardinality=900_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        surname: str = bt.column("sn", p, size=8, max_size=60)
        given: str = bt.column("gn", p, size=12, max_size=80)
        baptised: date | None = bt.column("b", p, default=None)

        one = bt.query("id")

    class Surname(bt.Model, table="surname", events="200/s"):
        """All persons of a surname."""

        surname: str = bt.key(bt.Text(max_length=60), cardinality=2_000_000, pii=False)

        m = bt.family("m", gc=bt.max_versions(1))
        persons: set[str] = bt.members(m, bt.HexDigest(16), entries=11_000_000)

        of_surname = bt.query("surname")

    return Person, Surname


@bad(
    "Room rates that hotels publish to booking channels, for each night of the coming year",
    "QRY005",
    verdict="warning",
)
def thirteenth_hotel_rates() -> object:
    class Rate(bt.Model, table="rate", events="2500/s"):
        """The rate of a hotel for a night. The calendar of a hotel's page is the one hot read."""

        channel: str = bt.key(bt.Text(width=4), cardinality=30)
        night: date = bt.key(bt.DateText("%Y%m%d"), cardinality=500, sequential=False)
        hotel: int = bt.key(bt.PaddedInt(7), cardinality=40_000, sequential=False)

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=500))
        cents: int = bt.column("c", r)
        rooms: int = bt.column("n", r)
        closed: bool = bt.column("x", r)

        calendar = bt.query("channel", between="night", where=["hotel"], span="365day")
        one = bt.query("channel", "night", "hotel")

    return Rate


@bad(
    "Applicants for jobs, and where each stands",
    "KEY021",
    verdict="warning",
)
def thirteenth_job_applications() -> object:
    class Stage(StrEnum):
        APPLIED = "applied"
        SCREENED = "screened"
        INTERVIEW = "interview"
        OFFER = "offer"
        CLOSED = "closed"

    class Application(bt.Model, table="application", events="80/s"):
        """An application. The board of a recruiter shows one column for each stage."""

        employer: int = bt.key(bt.PaddedInt(6), cardinality=20_000, sequential=False, tenant=True)
        stage: Stage = bt.key(bt.EnumText(Stage), cardinality=5, changes=True)
        id: UUID = bt.key(bt.UuidRaw(), cardinality=60_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        job: str = bt.column("job", a, size=20, max_size=40)
        applied: date = bt.column("on", a)
        letter: str | None = bt.column("letter", a, default=None, size=2_000, max_size=20_000)

        column_of_board = bt.query("employer", "stage", only=["job", "applied"])

    class Note(bt.Model, table="application_note", events="100/s"):
        """What a recruiter wrote about an application."""

        application: UUID = bt.key(bt.UuidRaw(), cardinality=60_000_000)
        note: UUID = bt.key(bt.UuidRaw(), cardinality=300_000_000)

        n = bt.family("n", gc=bt.max_versions(1))
        text: str = bt.column("t", n, size=300, max_size=5_000)

        of_application = bt.query("application")

    return Application, Note


@bad(
    "The land registry: parcels, their owners, and what burdens them",
    "QRY001",
    says=(
        "bt.key(bt.PaddedInt(19))",
        "if `owner` may change",
    ),
    verdict="warning",
)
def thirteenth_land_registry() -> object:
    class Parcel(bt.Model, table="parcel", events="15/s"):
        """A parcel as it stands today."""

        district: int = bt.key(bt.PaddedInt(4), cardinality=900, sequential=False)
        parcel: int = bt.key(bt.PaddedInt(8), cardinality=30_000_000, sequential=False)

        f = bt.family("f", gc=bt.max_versions(1))
        owner: int = bt.column("owner", f, cardinality=12_000_000)
        area: Decimal = bt.column("area", f, size=8, max_size=20)
        since: date = bt.column("since", f)

        one = bt.query("district", "parcel")
        of_district = bt.query("district")
        of_owner = bt.query(
            scan="the clerk at the counter types the number of an owner, some hundred times an hour",
            where=["owner"],
        )

    class Burden(bt.Model, table="burden", events="5/s"):
        """A mortgage or a right of way on a parcel."""

        district: int = bt.key(bt.PaddedInt(4), cardinality=900, sequential=False)
        parcel: int = bt.key(bt.PaddedInt(8), cardinality=30_000_000, sequential=False)
        rank: int = bt.key(bt.PaddedInt(3), cardinality=40, sequential=False)

        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("text", f, size=300, max_size=4_000)

        of_parcel = bt.query("district", "parcel")

    return Parcel, Burden


@bad(
    "Licences of a CAD program, and the machines that they are activated on",
    "FAM010",
    verdict="warning",
)
def thirteenth_licences() -> object:
    class Licence(bt.Model, table="licence", events="2/s"):
        """A licence. It is written once, when it is sold, and the program asks for it until it ends three years later."""

        id: str = bt.key(bt.HexDigest(20), cardinality=8_000_000)

        f = bt.family("f", gc=bt.max_age(days=90))
        edition: str = bt.column("e", f, size=6, max_size=20)
        seats: int = bt.column("n", f)
        ends: date = bt.column("u", f)

        one = bt.query("id")

    class Activation(bt.Model, table="activation", events="300/s"):
        """A machine that runs under a licence; renewed with each start of the program."""

        licence: str = bt.key(bt.HexDigest(20), cardinality=8_000_000)
        machine: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=30))
        started: datetime = bt.column("s", f)

        of_licence = bt.query("licence")

    return Licence, Activation


@bad(
    "Download figures of a registry of open source packages",
    "KEY013",
    says=('about `events="17000/s"`, at most',),
    verdict="warning",
)
def thirteenth_package_downloads() -> object:
    class Release(bt.Model, table="release", events="3/s"):
        """A published release."""

        package: str = bt.key(bt.Text(max_length=80), cardinality=500_000)
        version: str = bt.key(bt.Text(max_length=30))

        f = bt.family("f", gc=bt.max_versions(1))
        published: date = bt.column("p", f)
        sha256: bytes = bt.column("h", f, size=32, max_size=32)

        of_package = bt.query("package")

    class Downloads(bt.Model, table="downloads", events="40000/s"):
        """How often a package was fetched, in each hour. Edge servers add one as each download ends.

        The most fetched packages are installed by every build in the world.
        """

        package: str = bt.key(bt.Text(max_length=80), cardinality=500_000, skew="zipf:0.99")

        h = bt.family("h", gc=bt.max_age(days=90), aggregate="sum")
        hours: bt.History[int] = bt.counter("n", h, every="1h", increments="3000/s")

        of_package = bt.query("package")

    return Release, Downloads


@bad(
    "Public baths: how full they are",
    "FAM007",
    says=('bt.average_of("present")',),
    verdict="warning",
)
def thirteenth_pool_visitors() -> object:
    class Headcount(bt.Model, table="headcount", events="7/s"):
        """How many people are in a bath at a moment: the camera at the ceiling counts all heads, twice a minute."""

        bath: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        h = bt.family("h", gc=bt.max_versions(1) | bt.max_age(days=400))
        present: int = bt.column("n", h)
        taken: datetime = bt.column("t", h)

        of_bath = bt.query("bath", between="at", span="1day")

    class HeadcountOfHour(bt.Rollup, of=Headcount, view="HEADCOUNT_OF_HOUR"):
        """How full a bath was in an hour, for the chart on its web page."""

        bath: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"), of="taken")

        present: int = bt.sum_of("present")

        of_bath = bt.query("bath", between="hour", span="7day")

    return Headcount, HeadcountOfHour


@bad(
    "How long one waits at the rides of theme parks",
    "ROW003",
    says=("give family `w` an age",),
    verdict="error",
)
def thirteenth_queue_times() -> object:
    class Ride(bt.Model, table="ride", events="150/s"):
        """A ride and its waiting times, as its camera estimates them."""

        park: str = bt.key(bt.Text(width=4), cardinality=40)
        ride: int = bt.key(bt.PaddedInt(4), cardinality=1_500, sequential=False)

        about = bt.family("a", gc=bt.max_versions(1))
        name: str | None = bt.column("name", about, default=None, size=20, max_size=80)

        w = bt.family("w", gc=bt.keep_all())
        wait: bt.History[int] = bt.history("wait", w, every="10s")

        of_park = bt.query("park", only=["name"])
        of_ride = bt.query("park", "ride")

    return Ride


@bad(
    "Amateur radio: skimmers hear call signs and report them",
    "KEY017",
    verdict="error",
)
def thirteenth_radio_contest() -> object:
    class Spot(bt.Model, table="spot", events="4000/s"):
        """A call sign that a skimmer heard: a row for each report."""

        skimmer: str = bt.key(bt.Text(width=8), cardinality=250)
        heard: datetime = bt.key(bt.EpochSeconds(round=True))

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=14))
        call: str = bt.column("call", s, size=6, max_size=12)
        hertz: int = bt.column("hz", s)
        snr: int = bt.column("snr", s)

        of_skimmer = bt.query("skimmer", between="heard", span="1min")

    return Spot


@bad(
    "Appointments of hair salons",
    "KEY010",
    verdict="warning",
)
def thirteenth_salon_bookings() -> object:
    class Visit(bt.Model, table="visit", events="60/s"):
        """A visit of a customer. The salon types the telephone number and sees what colour it was last time."""

        salon: int = bt.key(bt.PaddedInt(6), cardinality=25_000, sequential=False, tenant=True)
        phone: str = bt.key(bt.Text(max_length=16), cardinality=9_000_000, pii=True)
        at: datetime = bt.key(bt.ReversedSeconds(round=True))

        v = bt.family("v", gc=bt.max_versions(1) | bt.max_age(days=1_100))
        what: str = bt.column("what", v, size=20, max_size=200)
        colour: str | None = bt.column("colour", v, default=None, size=12, max_size=60)
        minutes: int = bt.column("min", v)

        of_customer = bt.query("salon", "phone")

    return Visit


@bad(
    "Delivery receipts of an SMS gateway",
    "KEY002",
    verdict="error",
)
def thirteenth_sms_receipts() -> object:
    class Outcome(StrEnum):
        DELIVERED = "delivered"
        EXPIRED = "expired"
        REJECTED = "rejected"

    class Receipt(bt.Model, table="sms_receipt", events="12000/s"):
        """What became of a message. The number comes from the sequence of the gateway's database."""

        message: int = bt.key(bt.PaddedInt(14), cardinality=9_000_000_000, sequential=True)

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=30))
        outcome: Outcome = bt.column("o", r)
        carrier: str = bt.column("c", r, size=6, max_size=12)
        at: datetime = bt.column("t", r)

        of_message = bt.query("message")

    return Receipt


@bad(
    "Monitoring of the radio spectrum: receivers listen to one frequency each",
    "ROW002",
    verdict="error",
)
def thirteenth_spectrum_monitoring() -> object:
    class ReceiverYear(bt.Model, table="receiver_year", bucket="year", events="300/s"):
        """The level that a receiver measures, each second, in a row for each year."""

        receiver: int = bt.key(bt.PaddedInt(4), cardinality=300, sequential=False)
        year: date = bt.key(bt.DateText("%Y"))

        lv = bt.family("lv", gc=bt.max_age(days=730))
        level: bt.History[float] = bt.history("dbm", lv, codec=bt.FloatBytes(4, round=True), every="1s")

        of_receiver = bt.query("receiver", between="year", span="365day")

    return ReceiverYear


@bad(
    "Stock photos that a crawler finds used on the web",
    "KEY022",
    verdict="warning",
)
def thirteenth_stock_photos() -> object:
    class Use(bt.Model, table="photo_use", events="700/s"):
        """A picture of a page, with the stock photo that it shows. Looked up by the address."""

        id = bt.digest("address", size=4)
        address: str | None = bt.key(bt.Text(max_length=2_000), stored=False, cardinality=600_000_000)

        u = bt.family("u", gc=bt.max_versions(1))
        photo: int = bt.column("p", u)
        width: int = bt.column("w", u)
        height: int = bt.column("h", u)
        found: datetime = bt.column("f", u)

        one = bt.query("address")

    return Use


@bad(
    "Time clocks: employees badge in and out, for the payroll of some hundred employers",
    "KEY003",
    verdict="warning",
)
def thirteenth_time_clock() -> object:
    class Direction(StrEnum):
        IN = "in"
        OUT = "out"

    class Punch(bt.Model, table="punch", events="6000/s"):
        """A badge at a clock. One warehouse company is by far our largest customer."""

        employer: int = bt.key(bt.PaddedInt(5), cardinality=300, sequential=False, tenant=True, skew="65%:1")
        at: datetime = bt.key(bt.EpochMillis(round=True))
        badge: int = bt.key(bt.PaddedInt(8), cardinality=3_000_000, sequential=False, pii=False)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=800))
        direction: Direction = bt.column("d", p)
        clock: str = bt.column("c", p, size=8, max_size=16)

        of_employer = bt.query("employer", between="at", span="1h")

    return Punch


@bad(
    "Minutes of meetings: what was said, and who said it",
    "ROW001",
    verdict="error",
)
def thirteenth_transcripts() -> object:
    class Meeting(bt.Model, table="meeting", events="40/s"):
        """A meeting with its recording, which the page plays while the text scrolls along."""

        team: int = bt.key(bt.PaddedInt(6), cardinality=80_000, sequential=False)
        id: UUID = bt.key(bt.UuidRaw(), cardinality=50_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        began: datetime = bt.column("began", m)
        title: str = bt.column("title", m, size=40, max_size=200)

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=180))
        recording: bytes | None = bt.column("audio", r, default=None, size=38_000_000, max_size=190_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        lines: dict[int, str] = bt.mapping(t, bt.PaddedInt(6), entries=5_000, size=90, max_size=1_000)

        of_team = bt.query("team", only=["began", "title"])
        one = bt.query("team", "id")

    return Meeting


@bad(
    "The television panel: which channel a household's box is tuned to, minute by minute",
    "FAM006",
    verdict="warning",
)
def thirteenth_tv_ratings() -> object:
    class PanelDay(bt.Model, table="panel_day", bucket="day", events="500/s", lateness="10d"):
        """A day of a household. Boxes dial in when they can, the last ones after ten days."""

        household: int = bt.key(bt.PaddedInt(6), cardinality=30_000, sequential=False, pii=False)
        day: date = bt.key(bt.DateText())

        v = bt.family("v", gc=bt.max_age(days=7))
        channel: bt.History[int] = bt.history("ch", v, every="1min")

        of_household = bt.query("household", between="day", span="1day")

    class Household(bt.Model, table="household", events="1/s"):
        """What is known of a household: its size and its weight in the panel."""

        household: int = bt.key(bt.PaddedInt(6), cardinality=30_000, sequential=False, pii=False)

        h = bt.family("h", gc=bt.max_versions(1))
        heads: int = bt.column("n", h)
        weight: float = bt.column("w", h)

        one = bt.query("household")

    return PanelDay, Household


@bad(
    "Sales of snack vending machines in six countries",
    "KEY003",
    verdict="warning",
)
def thirteenth_vending_sales() -> object:
    class Sale(bt.Model, table="vending_sale", events="9000/s"):
        """A sale, for the screens of the head office."""

        country: str = bt.key(bt.Text(width=2), cardinality=6)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        machine: int = bt.key(bt.PaddedInt(7), cardinality=400_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=400))
        product: int = bt.column("p", s)
        cents: int = bt.column("c", s)
        card: bool = bt.column("k", s)

        in_country = bt.query("country", between="at", span="5min")

    return Sale


@bad(
    "Sessions of a company VPN provider, for its abuse desk",
    "FAM005",
    verdict="warning",
)
def thirteenth_vpn_sessions() -> object:
    KEEP = bt.max_age(days=90)

    class Connection(bt.Model, table="vpn_connection", events="20000/s"):
        """A connection through a gateway. The law lets us keep ninety days."""

        gateway: int = bt.key(bt.PaddedInt(5), cardinality=6_000, sequential=False)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        port: int = bt.key(bt.PaddedInt(5), cardinality=60_000, sequential=False)

        c = bt.family("c", gc=bt.keep_all())
        account: int = bt.column("a", c, keep=KEEP)
        target: bytes = bt.column("t", c, size=16, max_size=16, keep=KEEP)
        sent: int = bt.column("s", c, keep=KEEP)

        of_gateway = bt.query("gateway", between="at", span="10min")

    return Connection


@bad(
    "Seating plans of weddings",
    "ROW004",
    verdict="warning",
)
def thirteenth_wedding_seating() -> object:
    class Seat(bt.Model, table="seat", events="30/s", atomic="wedding"):
        """Who sits where. Two guests swap places in one step; planners on several phones never see half of a swap."""

        wedding: str = bt.key(bt.HexDigest(12), cardinality=400_000)
        guest: int = bt.key(bt.PaddedInt(3), cardinality=400, sequential=False, pii=False)

        s = bt.family("s", gc=bt.max_versions(1))
        table_no: int = bt.column("t", s)
        chair: int = bt.column("c", s)

        plan = bt.query("wedding")

    return Seat
