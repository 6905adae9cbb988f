"""A twelfth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import bad

import btmodel as bt


@bad(
    "Free-flow tolls of three bridges and a tunnel",
    "FAM006",
    "FIG002",
    says=("gc=bt.keep_all()",),
    never=("max_versions(31)",),
    verdict="error",
)
def twelfth_bridge_tolls() -> object:
    class TagMonth(bt.Model, table="toll_months", bucket="month", events="140/s"):
        """The crossings of a tag in a month: the fee of each at its time. The monthly invoice lists all of them."""

        tag: str = bt.key(bt.HexDigest(10), cardinality=3_500_000)
        month: date = bt.key(bt.DateText("%Y-%m"))

        crossing = bt.family("crossing", gc=bt.max_versions(1))
        fee: bt.History[Decimal] = bt.history("fee", crossing, every="1day")

        of_tag = bt.query("tag", between="month", span="90days")

    class Tag(bt.Model, table="toll_tags", events="4000/day"):
        """A transponder, and the account that pays for it."""

        tag: str = bt.key(bt.HexDigest(10), cardinality=3_500_000)

        a = bt.family("a", gc=bt.max_versions(1))
        account: str = bt.column("account", a, max_size=16)
        category: int = bt.column("class", a, codec=bt.DecimalText())

        of_tag = bt.query("tag")

    return TagMonth, Tag


@bad(
    "Building permits of a state: applications, plans and decisions",
    "ROW001",
    verdict="warning",
)
def twelfth_building_permits() -> object:
    class Permit(bt.Model, table="permits", events="3000/day"):
        parcel: str = bt.key(bt.Text(max_length=20), cardinality=5_000_000)
        filed: date = bt.key(bt.DateText("%Y%m%d"))
        number: str = bt.key(bt.Text(width=9), cardinality=8_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        purpose: str = bt.column("purpose", p, size=120, max_size=2_000)
        decision: str | None = bt.column("decision", p, default=None, max_size=20)

        of_parcel = bt.query("parcel", between="filed")

    class Plan(bt.Model, table="plans", events="20000/day"):
        """A drawing of a permit as the architect uploaded it, as PDF or TIFF."""

        permit: str = bt.key(bt.Text(width=9), cardinality=8_000_000)
        sheet: int = bt.key(bt.PaddedInt(3), cardinality=300)

        f = bt.family("f", gc=bt.max_versions(1))
        name: str = bt.column("name", f, size=30, max_size=100)
        drawing: bytes = bt.column("drawing", f, size=35_000_000, max_size=95_000_000)

        of_permit = bt.query("permit")

    return Permit, Plan


@bad(
    "Access log of a CDN's edge nodes",
    "KEY003",
    verdict="error",
)
def twelfth_cdn_edge() -> object:
    class EdgeHit(bt.Model, table="edge_hits", events="180000/s"):
        """A request at a point of presence.

        A salt keeps the writes apart. The five big PoPs (FRA, IAD, SJC, SIN, GRU) have most of the traffic.
        """

        salt = bt.salt("pop", buckets=24)
        pop: str = bt.key(bt.Text(width=3), cardinality=42, skew="80%:5")
        at: datetime = bt.key(bt.EpochMicros())
        request: str = bt.key(bt.HexDigest(12))

        h = bt.family("h", gc=bt.max_age(days=3))
        host: str = bt.column("host", h, size=24, max_size=253)
        path: str = bt.column("path", h, size=60, max_size=2_000)
        status_code: int = bt.column("sc", h, codec=bt.IntBytes(2, "big"))
        sent: int = bt.column("bytes", h)

        of_pop = bt.query("pop", between="at", span="1min")

    return EdgeHit


@bad(
    "Logs of CI builds",
    "KEY002",
    verdict="error",
)
def twelfth_ci_build_logs() -> object:
    class Build(bt.Model, table="ci_builds", events="30000/day"):
        repo: str = bt.key(bt.Text(max_length=60), cardinality=4_000, size=22)
        build: int = bt.key(bt.PaddedInt(10), cardinality=40_000_000, sequential=True)

        m = bt.family("m", gc=bt.max_age(days=400))
        commit: str = bt.column("commit", m, max_size=40)
        started: datetime = bt.column("started", m)
        result: str | None = bt.column("result", m, default=None, max_size=12)

        of_repo = bt.query("repo")

    class LogChunk(bt.Model, table="ci_log_chunks", events="9000/s"):
        """A chunk of output of a build's step, at most 32 KiB. About 700 builds run at any time."""

        build: int = bt.key(bt.PaddedInt(10), cardinality=40_000_000, sequential=True)
        step: int = bt.key(bt.PaddedInt(3), cardinality=60)
        chunk: int = bt.key(bt.PaddedInt(6), cardinality=100_000)

        log = bt.family("log", gc=bt.max_age(days=30))
        text: bytes = bt.column("t", log, size=1_500, max_size=32_768)

        of_build = bt.query("build")
        of_step = bt.query("build", "step", between="chunk")

    return Build, LogChunk


@bad(
    "Hearings of the district courts, for the notice boards and the press",
    "KEY007",
    "QRY001",
    verdict="error",
)
def twelfth_court_hearings() -> object:
    class Hearing(bt.Model, table="hearings", events="18000/day"):
        """A hearing in a court room. The press asks for a court's hearings of the coming fortnight."""

        court: str = bt.key(bt.Text(max_length=10), cardinality=640)
        day: date = bt.key(bt.DateText("%d%m%Y"), sequential=False)
        room: str = bt.key(bt.Text(max_length=6), cardinality=4_000)
        case: str = bt.key(bt.Text(max_length=16), cardinality=9_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        starts: str = bt.column("starts", h, max_size=5)
        subject: str = bt.column("subject", h, size=40, max_size=300)
        public: bool = bt.column("public", h)

        of_court = bt.query("court", between="day", span="14days")

    return Hearing


@bad(
    "Crowns, bridges and aligners: orders that dentists place with our labs",
    "QRY005",
    says=(
        'where={"shipped": bt.absent()}',
        "`{lab}#{due}#{order}`",
        'bt.query("lab", between="due")',
    ),
    never=("bt.present()",),
    verdict="warning",
)
def twelfth_dental_lab() -> object:
    class Order(bt.Model, table="orders", events="45000/day"):
        """An order of a practice. A lab has made some 900,000 orders since 2011; about 700 are open at a time.

        The technicians' board, refreshed every few seconds in every lab, shows the open orders by due date.
        """

        lab: str = bt.key(bt.Text(width=4), cardinality=75)
        order: str = bt.key(bt.HexDigest(12), cardinality=70_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        practice: str = bt.column("practice", o, max_size=10)
        work: str = bt.column("work", o, size=20, max_size=200)
        due: date = bt.column("due", o)
        shipped: datetime | None = bt.column("shipped", o, default=None)

        board = bt.query("lab", where=["due", "shipped"])
        one = bt.query("lab", "order")

    return Order


@bad(
    "Query log of our public DNS resolvers, for the abuse desk",
    "KEY001",
    verdict="error",
)
def twelfth_dns_resolver_log() -> object:
    class RecordType(StrEnum):
        A = "A"
        AAAA = "AAAA"
        MX = "MX"
        TXT = "TXT"
        OTHER = "OTHER"

    class Lookup(bt.Model, table="dns_lookups", events="40000/s"):
        """One lookup that a resolver answered. Kept for two weeks."""

        at: datetime = bt.key(bt.EpochMicros())
        resolver: str = bt.key(bt.Text(width=5), cardinality=180)
        query: str = bt.key(bt.HexDigest(6))

        q = bt.family("q", gc=bt.max_age(days=14))
        name: str = bt.column("name", q, size=28, max_size=255)
        kind: RecordType = bt.column("type", q)
        rcode: int = bt.column("rcode", q, codec=bt.DecimalText())
        took_us: int = bt.column("took", q, codec=bt.DecimalText())

        in_window = bt.query(between="at", span="5min")

    return Lookup


@bad(
    "Theory course of a driving school franchise, on phones",
    "FAM010",
    says=("bt.max_age(days=558)",),
    verdict="warning",
)
def twelfth_driving_school() -> object:
    class Progress(bt.Model, table="progress", events="1200/s"):
        """How a learner did at a question, last time. A learner takes four to eighteen months to the exam, with long breaks.

        The trainer picks the questions that went badly, whenever the learner comes back.
        """

        learner: str = bt.key(bt.HexDigest(16), cardinality=900_000)
        question: int = bt.key(bt.PaddedInt(5), cardinality=2_300, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=45))
        right: bool = bt.column("right", p)
        streak: int = bt.column("streak", p, codec=bt.DecimalText())
        answered: datetime = bt.column("at", p)

        of_learner = bt.query("learner")

    class Question(bt.Model, table="questions", events="200/day"):
        question: int = bt.key(bt.PaddedInt(5), cardinality=2_300, sequential=False)

        q = bt.family("q", gc=bt.max_versions(3))
        text: str = bt.column("text", q, size=220, max_size=2_000)
        choices: list[str] = bt.column("choices", q, size=300, max_size=2_000)

        of_question = bt.query("question")

    return Progress, Question


@bad(
    "Escalators of a city's underpasses and malls: motor current and step speed",
    "ROW003",
    says=("leave `current`, `speed` out of this one: `{escalator}#{at}`",),
    verdict="error",
)
def twelfth_escalators() -> object:
    class Escalator(bt.Model, table="escalators", events="2600/s"):
        """Everything about one escalator: what it is, and what its controller measured since installation."""

        escalator: str = bt.key(bt.Text(max_length=14), cardinality=2_600)

        about = bt.family("about", gc=bt.max_versions(1))
        maker: str = bt.column("maker", about, size=12, max_size=40)
        rise_cm: int = bt.column("rise", about, codec=bt.DecimalText())

        run = bt.family("run", gc=bt.keep_all())
        current: bt.History[float] = bt.history("current", run, every="1s")
        speed: bt.History[float] = bt.history("speed", run, every="1s")

        of_escalator = bt.query("escalator")

    return Escalator


@bad(
    "Restoration of films: what was found on each scanned frame",
    "KEY007",
    "QRY001",
    verdict="error",
)
def twelfth_film_frames() -> object:
    class Frame(bt.Model, table="frames", events="600/s"):
        """A scanned frame of a reel, with its defects. The player asks for the frames of a scene, in order."""

        reel: str = bt.key(bt.HexDigest(12), cardinality=45_000)
        frame: int = bt.key(bt.Int(7), cardinality=250_000)

        d = bt.family("d", gc=bt.max_versions(1))
        scratches: int = bt.column("scr", d)
        dust: int = bt.column("dust", d)
        flicker: float = bt.column("flk", d)
        scan_uri: str = bt.column("uri", d, size=70, max_size=200)

        of_scene = bt.query("reel", between="frame")

    class ReelNote(bt.Model, table="reel_notes", events="900/day"):
        """What a restorer wrote about a reel."""

        reel: str = bt.key(bt.HexDigest(12), cardinality=45_000)
        written: datetime = bt.key(bt.EpochMillis())

        n = bt.family("n", gc=bt.max_versions(1))
        text: str = bt.column("text", n, size=240, max_size=4_000)

        of_reel = bt.query("reel", between="written")

    return Frame, ReelNote


@bad(
    "CNC machine shop: spindle data of each machining run, and its inspection record",
    "FAM005",
    says=("give `serial`, `gauge` a family of their own",),
    verdict="error",
)
def twelfth_machine_shop() -> object:
    class Run(bt.Model, table="runs", events="800/s"):
        """A machining run, one row for each ten seconds of it.

        Spindle data are for the maintenance people, who look back a few days. The inspection
        record (serial number of the part, gauge result) is kept for 15 years: aviation parts.
        """

        machine: str = bt.key(bt.Text(max_length=10), cardinality=8_000)
        at: datetime = bt.key(bt.EpochSeconds())

        data = bt.family("data", gc=bt.max_age(days=10))
        load: float = bt.column("load", data, keep=bt.max_age(days=10))
        vibration: float = bt.column("vib", data, keep=bt.max_age(days=10))
        serial: str | None = bt.column("serial", data, default=None, max_size=24, keep=bt.max_age(days=5500))
        gauge: str | None = bt.column("gauge", data, default=None, max_size=200, keep=bt.max_age(days=5500))

        of_machine = bt.query("machine", between="at", span="1day")

    return Run


@bad(
    "Queues in theme parks: how long guests waited",
    "FAM007",
    says=('aggregate="max"',),
    verdict="warning",
)
def twelfth_park_queues() -> object:
    class RideDay(bt.Model, table="ride_days", events="900/s"):
        """A ride's day. Edge computers add what they saw; the evening report has one line a ride.

        guests        how many boarded
        minutes       the minutes that all of them waited
        longest_wait  the longest wait of any guest, in minutes
        """

        park: str = bt.key(bt.Text(max_length=8), cardinality=22)
        ride: str = bt.key(bt.Text(max_length=16), cardinality=900)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        sums = bt.family("sums", gc=bt.keep_all(), aggregate="sum")
        guests: int | None = bt.counter("guests", sums, increments="1/s")
        minutes: int | None = bt.counter("minutes", sums, increments="1/s")
        longest_wait: int | None = bt.counter("longest_wait", sums, increments="1/s")

        of_ride = bt.query("park", "ride", between="day", span="30days")

    return RideDay


@bad(
    "Passport applications: where each one is in the process of its office",
    "KEY021",
    verdict="warning",
)
def twelfth_passport_applications() -> object:
    class Stage(StrEnum):
        RECEIVED = "received"
        CHECKED = "checked"
        PRINTING = "printing"
        READY = "ready"
        COLLECTED = "collected"

    class Application(bt.Model, table="applications", events="70000/day"):
        """An application. It passes through all stages within about three weeks.

        The clerk's work list is "all that are in stage X at my office".
        """

        office: str = bt.key(bt.Text(width=4), cardinality=620)
        stage: Stage = bt.key(bt.EnumText(Stage), cardinality=5)
        number: str = bt.key(bt.Text(width=10), cardinality=20_000_000)

        a = bt.family("a", gc=bt.max_age(days=730))
        lodged: datetime = bt.column("lodged", a)
        express: bool = bt.column("express", a)
        photo_uri: str = bt.column("photo", a, size=80, max_size=200)

        worklist = bt.query("office", "stage")
        one = bt.query("office", "stage", "number")

    return Application


@bad(
    "Plagiarism checker for theses: fingerprints of passages, and where they occur",
    "ROW002|COL003",
    verdict="warning",
)
def twelfth_plagiarism() -> object:
    class Fingerprint(bt.Model, table="fingerprints", events="15000/s"):
        """A hash of seven words, and every document that contains it, with the offset.

        The commonest phrases ("the results of this study show that") are in most of the documents.
        """

        hash: str = bt.key(bt.HexDigest(16), cardinality=9_000_000_000)

        docs = bt.family("docs", gc=bt.max_versions(1))
        offsets: dict[str, int] = bt.mapping(docs, bt.Text(width=12), entries=6_000_000)

        of_hash = bt.query("hash")

    class Document(bt.Model, table="documents", events="60000/day"):
        doc: str = bt.key(bt.Text(width=12), cardinality=40_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        university: str = bt.column("uni", d, size=24, max_size=120)
        title: str = bt.column("title", d, size=80, max_size=500)
        words: int = bt.column("words", d)

        of_doc = bt.query("doc")

    return Fingerprint, Document


@bad(
    "Podcast hosting: downloads of episodes, for the shows' statistics pages",
    "FAM006",
    verdict="error",
)
def twelfth_podcasts() -> object:
    class EpisodeDay(bt.Model, table="episode_days", events="2000000/day"):
        """Downloads of an episode on a day by country. A nightly job writes yesterday's row of each episode, once.

        The statistics page plots the last twelve months.
        """

        show: str = bt.key(bt.HexDigest(10), cardinality=120_000)
        episode: str = bt.key(bt.HexDigest(10), cardinality=9_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        d = bt.family("d", gc=bt.max_age(days=90))
        countries: dict[str, int] = bt.mapping(d, bt.Text(width=2), entries=200)

        of_episode = bt.query("show", "episode", between="day", span="365days")

    return EpisodeDay


@bad(
    "Repeat prescriptions of an online pharmacy",
    "KEY010",
    says=(
        "keep `surname`, `born` in columns: `{person_id}#{redeemed}#{number}`",
        '`of_person = bt.query("person_id", between="redeemed")`',
    ),
    verdict="warning",
)
def twelfth_prescriptions() -> object:
    class Prescription(bt.Model, table="prescriptions", events="260000/day"):
        """A prescription as it was redeemed. Support looks a person up by the surname and the date of birth."""

        surname: str = bt.key(bt.Text(max_length=40), cardinality=600_000, size=9, pii=True)
        born: date = bt.key(bt.DateText("%Y%m%d"), cardinality=36_000, sequential=False, pii=True)
        redeemed: date = bt.key(bt.DateText("%Y%m%d"))
        number: str = bt.key(bt.Text(width=12), cardinality=400_000_000)

        rx = bt.family("rx", gc=bt.max_age(days=3650))
        product: str = bt.column("pzn", rx, max_size=8)
        packs: int = bt.column("packs", rx, codec=bt.DecimalText())
        dose: str = bt.column("dose", rx, size=20, max_size=200)

        of_person = bt.query("surname", "born", between="redeemed")

    return Prescription


@bad(
    "Print accounting of a university: who printed how many pages of what",
    "KEY017",
    says=("`{account}#{day}#{id}`",),
    never=("printer",),
    verdict="warning",
)
def twelfth_print_accounting() -> object:
    class PrintJob(bt.Model, table="print_jobs", events="2000000/day"):
        """A job that came out of a printer; a member prints thirty of them on a busy day. One row each."""

        account: str = bt.key(bt.Text(width=8), cardinality=65_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        j = bt.family("j", gc=bt.max_versions(1) | bt.max_age(days=400))
        printer: str = bt.column("printer", j, max_size=12)
        title: str = bt.column("title", j, size=30, max_size=120)
        pages: int = bt.column("pages", j, codec=bt.DecimalText())
        colour: bool = bt.column("colour", j)

        of_account = bt.query("account", between="day", span="30days")

    return PrintJob


@bad(
    "Bookings of a chain of hair salons, 1,900 branches",
    "QRY001",
    verdict="error",
)
def twelfth_salon_bookings() -> object:
    class Booking(bt.Model, table="bookings", events="120000/day"):
        """One appointment. The branch's calendar shows a week of all stylists; a stylist's phone shows their own."""

        branch: int = bt.key(bt.PaddedInt(5), cardinality=1_900, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"), cardinality=800)
        slot: str = bt.key(bt.Text(width=4), cardinality=60)
        stylist: int = bt.key(bt.PaddedInt(6), cardinality=14_000, sequential=False)

        b = bt.family("b", gc=bt.max_age(days=800))
        customer_ref: str = bt.column("cust", b, max_size=16)
        service: str = bt.column("service", b, size=18, max_size=60)
        minutes: int = bt.column("min", b, codec=bt.DecimalText())

        of_branch = bt.query("branch", between="day", span="7days")
        of_stylist = bt.query("stylist", between="day", span="7days")

    return Booking


@bad(
    "Fill levels in a sewer network, for the storm control room",
    "KEY003",
    verdict="warning",
)
def twelfth_sewer_levels() -> object:
    class Level(bt.Model, table="sewer_levels", events="12000/s"):
        """What a level probe reported. 9 districts, 12,000 probes, each once a second."""

        district: str = bt.key(bt.Text(width=2), cardinality=9)
        at: datetime = bt.key(bt.EpochMillis())
        probe: str = bt.key(bt.Text(width=7), cardinality=12_000)

        v = bt.family("v", gc=bt.max_age(days=60))
        level_mm: int = bt.column("lvl", v, codec=bt.DecimalText())
        flow: float = bt.column("flow", v)

        of_district = bt.query("district", between="at", span="10min")

    return Level


@bad(
    "A shortener of links, used on posters, packaging and QR codes",
    "KEY013",
    verdict="warning",
)
def twelfth_short_links() -> object:
    class Link(bt.Model, table="links", events="25000/s"):
        """Where a code leads to, and how often it was followed. The most popular one is a worldwide soda campaign."""

        code: str = bt.key(bt.Text(width=7), cardinality=300_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        target: str = bt.column("target", t, size=90, max_size=2_000)
        made: datetime = bt.column("made", t)
        # Every redirect adds one, so the dashboard is exact.
        followed: int = bt.column("n", t, increments="3500/s")

        of_code = bt.query("code")

    return Link


@bad(
    "Turnstiles of stadiums and arenas",
    "FAM010",
    verdict="warning",
)
def twelfth_stadium_gates() -> object:
    class Passage(bt.Model, table="passages", events="3500/s"):
        """A ticket at a turnstile. Privacy law: passages must be gone 30 days after the event, without anybody's doing."""

        venue: str = bt.key(bt.Text(max_length=12), cardinality=140)
        gate: int = bt.key(bt.PaddedInt(3), cardinality=160, sequential=False)
        at: datetime = bt.key(bt.EpochMillis())
        ticket: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        admitted: bool = bt.column("ok", p)
        seat: str = bt.column("seat", p, max_size=12)

        at_gate = bt.query("venue", "gate", between="at", span="3h")

    class Ticket(bt.Model, table="tickets", events="400000/day"):
        """What the turnstiles ask for. A ticket is for one event, and useless a year later."""

        ticket: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        t = bt.family("t", gc=bt.max_age(days=365))
        event: str = bt.column("event", t, max_size=14)
        seat: str = bt.column("seat", t, max_size=12)
        used: datetime | None = bt.column("used", t, default=None)

        of_ticket = bt.query("ticket")

    return Passage, Ticket


@bad(
    "Structural monitoring of motorway bridges",
    "KEY017",
    says=("bt.EpochMillis(round=True)",),
    never=("{id}",),
    verdict="error",
)
def twelfth_strain_gauges() -> object:
    class Strain(bt.Model, table="strain", events="60000/s"):
        """A sample of a strain gauge: 600 gauges on 31 bridges, sampled at 100 Hz each. Fatigue analysis needs every sample."""

        bridge: str = bt.key(bt.Text(width=5), cardinality=31)
        gauge: str = bt.key(bt.Text(width=6), cardinality=600)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=180))
        microstrain: float = bt.column("e", s, codec=bt.FloatBytes(4, round=True))
        celsius: float = bt.column("c", s, codec=bt.FloatBytes(4, round=True))

        of_gauge = bt.query("bridge", "gauge", between="at", span="1h")

    return Strain


@bad(
    "A white-label survey tool: customers make questionnaires, respondents answer them",
    "TAB002",
    says=('`export = bt.query("survey")`',),
    verdict="warning",
)
def twelfth_surveys() -> object:
    class Answer(bt.Model, table="answers_{survey}", events="300/day"):
        """One respondent's answers to a survey."""

        respondent: str = bt.key(bt.HexDigest(12), cardinality=400)

        a = bt.family("a", gc=bt.max_versions(1))
        answers: dict[str, str] = bt.mapping(
            a, bt.Text(max_length=8), prefix="q:", entries=80, size=24, max_size=2_000
        )
        sent: datetime = bt.column("sent", a)

        of_respondent = bt.query("respondent")
        export = bt.query(scan="the customer downloads all answers of a survey, a few hundred rows")

    return Answer


@bad(
    "Archive of the national web: captures of pages",
    "KEY022",
    verdict="warning",
)
def twelfth_web_archive() -> object:
    class Capture(bt.Model, table="captures", events="2500/s"):
        """A page at a time of capture; the body lies in a WARC file. 3 billion addresses so far."""

        page = bt.digest("url", size=4)
        at: datetime = bt.key(bt.ReversedSeconds())

        c = bt.family("c", gc=bt.max_versions(1))
        url: str = bt.column("url", c, size=80, max_size=4_000, cardinality=3_000_000_000)
        warc: str = bt.column("warc", c, size=60, max_size=120)
        offset: int = bt.column("off", c)
        status_code: int = bt.column("sc", c, codec=bt.DecimalText())

        of_page = bt.query("url", between="at", newest=True)

    return Capture
