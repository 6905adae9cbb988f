"""An eighth set of designs by people who had not read the rules: those on which the review was wrong, with verdicts from before it saw them."""

from datetime import date, datetime
from uuid import UUID

from attrs import frozen
from published import bad, good

import btmodel as bt


@bad(
    "Reports of scooters by time alone, of which a reader picks those of one",
    "KEY001",
    "QRY005",
    says=('`{scooter}#{at}`, with `last_hour = bt.query("scooter", between="at", span="1h")`',),
    never=("bt.salt(",),
    verdict="error",
)
def eighth_scooters() -> object:
    class Ping(bt.Model, table="PING", events="15000/s"):
        """One report of one scooter. The operations desk opens a scooter and looks at its ride of the last hour."""

        at: datetime = bt.key(bt.EpochMillis(round=True))
        scooter: str = bt.key(bt.Text(width=8), cardinality=30_000)

        p = bt.family("p", gc=bt.max_age(days=30))
        latitude: float = bt.column("la", p)
        longitude: float = bt.column("lo", p)
        charge: int = bt.column("c", p)

        last_hour = bt.query(between="at", where=["scooter"], span="1h")

    return Ping


@bad(
    "Changes of a drawing in a list that each save writes again",
    "ROW003",
    says=("write one row per event to a second table, and leave `changes` out of this one",),
    verdict="warning",
)
def eighth_drawings() -> object:
    @frozen
    class Change:
        """One saved change: who made it, when, and the elements that it touched."""

        author: str
        at: str
        elements: list[str]

    class Drawing(bt.Model, table="DRAWING", events="40/s"):
        """A drawing. Each save adds a change to the end of the list; the viewer shows the last twenty.

        A drawing of a large building has some hundred thousand changes.
        """

        project: str = bt.key(bt.Text(max_length=16), cardinality=4_000)
        sheet: str = bt.key(bt.Text(max_length=16), cardinality=300)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=40, max_size=200)
        saved: datetime = bt.column("saved", d)

        c = bt.family("c", gc=bt.max_versions(1))
        changes: list[Change] = bt.column("changes", c, size=3_000_000, max_size=60_000_000)

        of_project = bt.query("project", only=["title", "saved"])

    return Drawing


@bad(
    "Progress under a hash of student and lesson, of which a page shows those of a student",
    "KEY004",
    "QRY001",
    says=('`{student}#{lesson}`, with `of_student = bt.query("student")`',),
    verdict="warning",
)
def eighth_courses() -> object:
    class Progress(bt.Model, table="PROGRESS", events="900/s"):
        """How far a student is in a lesson. 3,000,000 students, about 80 lessons each.

        The player saves the place in a lesson. The front page of a student shows all their lessons.
        """

        id = bt.digest("student", "lesson")

        p = bt.family("p", gc=bt.max_versions(1))
        student: str = bt.column("student", p, size=10, max_size=12, cardinality=3_000_000)
        lesson: str = bt.column("lesson", p, size=8, max_size=12, cardinality=20_000)
        seconds: int = bt.column("sec", p)
        seen: datetime = bt.column("seen", p)

        of_student = bt.query(scan="the front page finds the lessons of one student", where=["student"])

    return Progress


@bad(
    "A petition that gets most of all signatures, whose title stands beside the sum",
    "KEY013",
    says=("divide each row among 43 shards",),
    never=("; then divide",),
    verdict="warning",
)
def eighth_petitions() -> object:
    class Petition(bt.Model, table="PETITION", events="6000/s"):
        """A petition with the number of its signatures, which its page shows.

        Signatures themselves are kept elsewhere. When a petition is in the news, it gets most of what is
        signed anywhere, for hours.
        """

        petition: str = bt.key(bt.HexDigest(10), cardinality=800_000, skew="80%:1")

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        signatures: int | None = bt.counter("signed", n, increments="4800/s")

        t = bt.family("t", gc=bt.max_versions(1))
        title: str | None = bt.column("title", t, size=60, max_size=200, default=None)

        of_petition = bt.query("petition")

    return Petition


@bad(
    "A list of jobs that comes with the machine code of each",
    "QRY005",
    says=('only=["name", "state", "minutes"]',),
    verdict="warning",
)
def eighth_print_jobs() -> object:
    class PrintJob(bt.Model, table="PRINT_JOB", events="4/s"):
        """A job and the machine code that the printer runs.

        The page of a printer lists the names and the states of its jobs of the last 30 days, some 300.
        The printer itself gets one job by its key.
        """

        printer: str = bt.key(bt.Text(width=8), cardinality=30_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))

        j = bt.family("j", gc=bt.max_versions(1))
        name: str = bt.column("name", j, size=30, max_size=120)
        state: str = bt.column("state", j, size=8, max_size=12)
        minutes: int = bt.column("min", j)
        code: bytes = bt.column("code", j, size=5_000_000, max_size=9_000_000)

        of_printer = bt.query("printer", between="at", newest=True, span="30days")

    return PrintJob


@bad(
    "Checks of which the last five stay, however old, under a union that ends them",
    "FAM010",
    says=('`bt.family("c", gc=bt.max_versions(5) & bt.max_age(days=365))`',),
    verdict="warning",
)
def eighth_pipettes() -> object:
    class Pipette(bt.Model, table="PIPETTE", events="3000/day"):
        """A pipette and its checks.

        Auditors ask for all checks of the last year. In addition the last five are always there, however
        old: a pipette that lay in a drawer for two years must still show how it did before. Busy ones are
        checked every week, most of them twice a year.
        """

        pipette: str = bt.key(bt.Text(max_length=14), cardinality=250_000)

        about = bt.family("a", gc=bt.max_versions(1))
        maker: str = bt.column("maker", about, size=12, max_size=40)
        microlitres: int = bt.column("ul", about)

        checks = bt.family("c", gc=bt.max_versions(5) | bt.max_age(days=365))
        error_percent: bt.History[float] = bt.history("err", checks, every="7days")

        of_pipette = bt.query("pipette")

    return Pipette


@bad(
    "What is entered once in a family whose values end after a month",
    "FAM010",
    says=("give `place`, `model`, `started` a family of their own",),
    verdict="warning",
)
def eighth_inverters() -> object:
    class Inverter(bt.Model, table="INVERTER", events="500/s"):
        """An inverter. The fitter enters its place, its model and the day when it is put in operation, once.

        From then on it sends its power and its temperature every quarter of an hour, each in place of the
        one before. Values of an inverter that has been silent for 30 days are not shown any more, but its
        place and model are, so that somebody can be sent there.
        """

        inverter: str = bt.key(bt.HexDigest(12), cardinality=450_000)

        d = bt.family("d", gc=bt.max_versions(1) | bt.max_age(days=30))
        place: str = bt.column("place", d, size=40, max_size=200)
        model: str = bt.column("model", d, size=12, max_size=30)
        started: date = bt.column("started", d)
        watts: int | None = bt.column("w", d, default=None)
        celsius: float | None = bt.column("c", d, default=None)

        of_inverter = bt.query("inverter")

    return Inverter


@bad(
    "Time sheets under numbers that each company gives to its own employees",
    "KEY018",
    says=("`{company}#{employee}#{day}`, and give `company` to `of_employee`, too",),
    verdict="warning",
)
def eighth_time_sheets() -> object:
    class Day(bt.Model, table="TIME_SHEET", events="40/s"):
        """When an employee came and went on a day.

        3,000 companies use the service. Each numbers its own employees from 1 on, the largest up to 38,000,
        and signs its people in by that number. The company is in a column, for the invoice.
        """

        employee: int = bt.key(bt.PaddedInt(6), cardinality=38_000, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        t = bt.family("t", gc=bt.max_versions(1))
        company: str = bt.column("company", t, size=10, max_size=20, cardinality=3_000)
        came: int = bt.column("came", t)
        went: int | None = bt.column("went", t, default=None)
        note: str | None = bt.column("note", t, size=30, max_size=500, default=None)

        of_employee = bt.query("employee", between="day", span="31days")

    return Day


@bad(
    "Pages that are paid for, from reports that come twice now and then",
    "COL008",
    says=("write each event under its id",),
    verdict="warning",
)
def eighth_copiers() -> object:
    class CopierMonth(bt.Model, table="COPIER_MONTH", events="40/s"):
        """The pages that a copier made in a month.

        A copier reports the pages since its last report every two hours. If its modem gets no answer in time
        it sends the report again, with the same number, so the collector gets one in fifty twice; it adds
        what it gets. The customer pays by these sums, to the page.
        """

        copier: str = bt.key(bt.Text(width=10), cardinality=280_000)
        month: date = bt.key(bt.DateText("%Y-%m"))

        p = bt.family("p", gc=bt.keep_all(), aggregate="sum")
        black: int | None = bt.counter("b", p, increments="12/day")
        colour: int | None = bt.counter("c", p, increments="12/day")

        of_copier = bt.query("copier", between="month")

    return CopierMonth


@bad(
    "Texts of old newspapers whose age counts from the day of the issue",
    "FAM006",
    says=('leave out `timestamp="issued"`',),
    verdict="warning",
)
def eighth_newspapers() -> object:
    class Page(bt.Model, table="NEWSPAPER_PAGE", events="30/s", timestamp="issued"):
        """The text of a page, as the reading machine made it.

        Scanning goes on for years, in no order of the issues. A text is thrown away two years after it was
        made, because a better reading machine makes it anew from the scan by then.
        """

        paper: str = bt.key(bt.Text(max_length=12), cardinality=90)
        issued: datetime = bt.key(bt.TimeText("%Y%m%d"), sequential=False)
        page: int = bt.key(bt.PaddedInt(3), cardinality=120, sequential=False)

        t = bt.family("t", gc=bt.max_age(days=730))
        text: str = bt.column("text", t, size=12_000, max_size=90_000)
        sure_percent: int = bt.column("sure", t)

        of_paper = bt.query("paper", between="issued", span="7days")

    return Page


@bad("Changes of companies, of which one has almost half, behind a salt", asked=("QRY004",), verdict="info")
def eighth_audit_trails() -> object:
    class Change(bt.Model, table="AUDIT", events="12000/s"):
        """One change. An auditor of a company reads all changes of it in an hour.

        One company makes 45 % of all changes. Its rows would be written at one place, in the order of time,
        so eight salts follow the company.
        """

        company: str = bt.key(bt.Text(max_length=20), cardinality=5_000, tenant=True, skew="45%:1")
        shard = bt.salt("change", buckets=8)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        change: UUID = bt.key(bt.UuidText())

        c = bt.family("c", gc=bt.max_age(days=400))
        actor: str = bt.column("actor", c, size=12, max_size=12)
        object: str = bt.column("object", c, size=24, max_size=120)
        action: str = bt.column("action", c, size=8, max_size=16)

        of_company = bt.query("company", between="at", span="1h")

    return Change


@good("Downloads of podcasts, counted about right")
def eighth_podcasts() -> object:
    class Episode(bt.Model, table="EPISODE_FETCHES", events="2500/s"):
        """The fetches of an episode in each hour of the last 90 days.

        These are for a curve on a page, not for anybody's invoice. The most popular episode of all is
        fetched 20 times in a second on the morning when it comes out.
        """

        show: str = bt.key(bt.HexDigest(8), cardinality=400_000)
        episode: str = bt.key(bt.HexDigest(8), cardinality=12_000_000)

        h = bt.family("h", gc=bt.max_age(days=90), aggregate="sum")
        fetches: bt.History[int] = bt.counter("n", h, every="1h", increments="20/s")

        of_episode = bt.query("show", "episode")

    return Episode


@good("Locks of which the last three openings stay, and all of 90 days")
def eighth_smart_locks() -> object:
    class Lock(bt.Model, table="FLAT_LOCK", events="2/s"):
        """A lock and the fingerprints of its codes.

        If a code leaks, the landlord sees every code of the last 90 days; and the last three in any case,
        however old. A code is changed once a week at most.
        """

        lock: str = bt.key(bt.HexDigest(12), cardinality=1_200_000)

        about = bt.family("a", gc=bt.max_versions(1))
        model: str = bt.column("model", about, size=10, max_size=30)

        codes = bt.family("c", gc=bt.max_versions(3) & bt.max_age(days=90))
        code: bt.History[bytes] = bt.history("code", codes, every="7days", size=32, max_size=32)

        of_lock = bt.query("lock")

    return Lock
