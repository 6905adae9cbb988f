"""A seventeenth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from zoneinfo import ZoneInfo

from published import bad

import btmodel as bt


@bad("Snowflakes behind a constant", "KEY002", verdict="error", says=("bt.ReversedDigits(19)",))
def seventeenth_post() -> object:
    class Post(bt.Model, table="posts", events="4000/s"):
        """A post of the network. Ids come from our snowflake service: milliseconds in the upper bits, then worker and sequence."""

        kind = bt.constant("post")
        post_id: int = bt.key(bt.PaddedInt(19), sequential=True, cardinality=20_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        author: str = bt.column("author", p, size=12, max_size=24)
        text: str = bt.column("text", p, size=180, max_size=4_000)
        posted: datetime = bt.column("posted", p)

        of_id = bt.query("post_id")

    return Post


@bad("Log lines of a large tenant", "KEY003", verdict="error", says=("`{account}#{salt}#{at}#{host}`",))
def seventeenth_log_line() -> object:
    class LogLine(bt.Model, table="log_lines", events="30000/s"):
        """Log lines that customers ship to us. One of them is a marketplace that sends most of the traffic."""

        account: str = bt.key(bt.Text(max_length=24), cardinality=3_000, skew="70%:1", tenant=True)
        at: datetime = bt.key(bt.EpochMicros())
        host: str = bt.key(bt.Text(max_length=40), cardinality=60_000)

        levels = bt.family("l", gc=bt.max_age(days=14))
        level: str = bt.column("lvl", levels, size=5, max_size=8)
        message: str = bt.column("msg", levels, size=220, max_size=16_000)

        tail = bt.query("account", between="at", span="10min")

    return LogLine


@bad("Blocks of numbers in front", "KEY002", verdict="error", says=("leave out `block`: `{city}#{number}`",))
def seventeenth_ride() -> object:
    def block_of(number: int) -> int:
        return number // 100_000

    class Ride(bt.Model, table="rides", events="5000/s"):
        """A ride. The booking database numbers rides one after the other; the block of a number stands in front to keep the rides of a block together."""

        block = bt.derived(bt.PaddedInt(7), "number", by=block_of)
        city: str = bt.key(bt.Text(width=3), cardinality=300)
        number: int = bt.key(bt.PaddedInt(12), sequential=True, cardinality=100_000_000_000)

        r = bt.family("r", gc=bt.max_age(days=400))
        driver: str = bt.column("driver", r, size=12, max_size=20)
        started: datetime = bt.column("started", r)
        cents: int | None = bt.column("cents", r, default=None)

        of_number = bt.query("number", "city")

    return Ride


@bad("A salt of the day", "KEY001", verdict="error", says=("`{salt}#{day}#{at}#{meter}`",))
def seventeenth_alarm() -> object:
    class Alarm(bt.Model, table="alarms", events="20000/s", nodes=8):
        """Alarms that meters raise, salted so that writes spread over the cluster."""

        shard = bt.salt("day", buckets=16)
        day: date = bt.key(bt.DateText())
        at: datetime = bt.key(bt.EpochMillis())
        meter: int = bt.key(bt.PaddedInt(10), cardinality=9_000_000, sequential=False)

        a = bt.family("a", gc=bt.max_age(days=60))
        code: int = bt.column("code", a)
        volts: float = bt.column("volts", a)

        of_day = bt.query("day", between="at", span="5min")

    return Alarm


@bad(
    "Hearts of live streams",
    "KEY013",
    verdict="warning",
    says=('`increments="138/s"` of each, read by `of_stream = bt.query("stream")`',),
    never=("takes the `events`",),
)
def seventeenth_stream() -> object:
    class Stream(bt.Model, table="streams"):
        """A running live stream and how many hearts its viewers have sent. In a final, viewers send thousands of hearts each second."""

        stream: str = bt.key(bt.HexDigest(16), cardinality=400_000)

        s = bt.family("s", gc=bt.max_versions(1))
        title: str | None = bt.column("title", s, default=None, size=60, max_size=200)
        hearts: int | None = bt.column("hearts", s, default=None, increments="4000/s")

        of_stream = bt.query("stream")

    return Stream


@bad(
    "Followers of podcasts",
    "ROW002",
    verdict="error",
    says=("`{show}#{followers_key}`", 'read by `of_show = bt.query("show")`'),
)
def seventeenth_show() -> object:
    class Show(bt.Model, table="shows"):
        """A podcast with the listeners who follow it. The largest shows have thirty million followers, and a new episode notifies all of them."""

        show: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str | None = bt.column("title", d, default=None, size=50, max_size=300)

        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[str] = bt.members(f, bt.HexDigest(16), entries=30_000_000)

        of_show = bt.query("show")

    return Show


@bad("Gauges on glaciers", "FAM006", verdict="error", says=("gc=bt.max_versions(96)",))
def seventeenth_glacier_day() -> object:
    class GlacierDay(bt.Model, table="glacier_days", bucket="day", events="20/min"):
        """What a gauge measured on a day, every quarter of an hour. The yearly melt is computed from all of it."""

        gauge: str = bt.key(bt.Text(width=5), cardinality=300)
        day: date = bt.key(bt.DateText())

        g = bt.family("g", gc=bt.max_versions(50))
        depth: bt.History[float] = bt.history("depth", g, every="15min")
        celsius: bt.History[float] = bt.history("c", g, every="15min")

        of_gauge = bt.query("gauge", between="day", span="365days")

    return GlacierDay


@bad("Trucks without a network", "FAM006", verdict="warning", says=("gc=bt.max_age(days=10)",))
def seventeenth_truck_day() -> object:
    class TruckDay(bt.Model, table="truck_days", bucket="day", events="600/s", lateness="5d"):
        """Fuel and speed of a truck on a day. Trucks in the outback have no network, and send when they are back, up to five days later."""

        truck: str = bt.key(bt.Text(width=8), cardinality=36_000)
        day: date = bt.key(bt.DateText())

        t = bt.family("t", gc=bt.max_age(days=4))
        litres: bt.History[float] = bt.history("litres", t, every="1min")
        speed: bt.History[float] = bt.history("speed", t, every="1min")

        of_truck = bt.query("truck", between="day", span="2days")

    return TruckDay


@bad("Receipts of shops", "KEY017", verdict="error")
def seventeenth_receipt() -> object:
    class Receipt(bt.Model, table="receipts", events="2000/s"):
        """A receipt of one of the tills of a shop. Large shops have sixty tills."""

        shop: str = bt.key(bt.Text(width=5), cardinality=120)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        r = bt.family("r", gc=bt.max_versions(1))
        till: int = bt.column("till", r)
        total: Decimal = bt.column("total", r, size=6, max_size=12)
        lines: list[str] = bt.column("lines", r, size=400, max_size=20_000)

        of_shop = bt.query("shop", between="at", span="1day")

    return Receipt


@bad("Firmware of routers", "KEY007", verdict="warning")
def seventeenth_firmware() -> object:
    class Firmware(bt.Model, table="firmware", events="10/day"):
        """A firmware release for a board, by its version, such as 9.12.0 or 10.2.1. A router asks for all releases from its own version up to the newest."""

        board: str = bt.key(bt.Text(width=6), cardinality=80)
        version: str = bt.key(bt.Text(max_length=12), cardinality=900)

        f = bt.family("f", gc=bt.max_versions(1))
        url: str = bt.column("url", f, size=80, max_size=400)
        sha256: bytes = bt.column("sha", f, size=32, max_size=32)

        newer = bt.query("board", between="version")

    return Firmware


@bad("Prescriptions", "KEY010", verdict="warning", says=("`stored=False`",))
def seventeenth_prescription() -> object:
    class Prescription(bt.Model, table="prescriptions", events="40/s"):
        """A prescription, by the national insurance number of the patient."""

        insured: str = bt.key(bt.Text(width=11), cardinality=30_000_000, pii=True)
        issued: date = bt.key(bt.DateText())
        number: int = bt.key(bt.PaddedInt(3), cardinality=50)

        p = bt.family("p", gc=bt.max_age(days=3_650))
        drug: str = bt.column("drug", p, size=20, max_size=80)
        packs: int = bt.column("packs", p)

        of_patient = bt.query("insured", between="issued", span="365days")

    return Prescription


@bad("Applications for jobs", "KEY021", verdict="warning")
def seventeenth_application() -> object:
    class Application(bt.Model, table="applications", events="30/s"):
        """An application for a job. It moves from new to screened, invited and offered, as recruiters decide; candidates follow it by a link with its id."""

        employer: str = bt.key(bt.Text(max_length=24), cardinality=40_000, tenant=True)
        stage: str = bt.key(bt.Text(max_length=10), cardinality=6, changes=True)
        id: str = bt.key(bt.HexDigest(16), cardinality=80_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        name: str = bt.column("name", a, size=18, max_size=120)
        letter: str = bt.column("letter", a, size=1_800, max_size=40_000)
        sent: datetime = bt.column("sent", a)

        of_stage = bt.query("employer", "stage")

    return Application


@bad(
    "A table for each of six thousand shops", "TAB002", verdict="warning", says=("`{shop}#{form}#{visitor}`",)
)
def seventeenth_answer() -> object:
    class Answer(bt.Model, table="answers_{shop}", events="50/hour"):
        """What a visitor filled into a form. Each of our six thousand shops has its own table, made when the shop signs up."""

        form: str = bt.key(bt.HexDigest(8), cardinality=20)
        visitor: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)

        a = bt.family("a", gc=bt.max_age(days=365))
        given: dict[str, str] = bt.mapping(a, bt.Text(max_length=30), entries=40, size=30, max_size=2_000)
        at: datetime | None = bt.column("@", a, default=None)

        of_form = bt.query("form")

    return Answer


@bad("A help desk", "QRY005", verdict="warning", says=("`{company}#{agent}#{id}`",))
def seventeenth_ticket() -> object:
    class Ticket(bt.Model, table="tickets", events="200/s"):
        """A ticket of a company's customers. Each agent's start page shows the twenty or so open tickets that are assigned to them."""

        company: str = bt.key(bt.Text(max_length=20), cardinality=200, tenant=True)
        id: str = bt.key(bt.HexDigest(16), cardinality=400_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("subject", t, size=60, max_size=400)
        agent: str = bt.column("agent", t, size=12, max_size=40, cardinality=50_000)
        open: bool = bt.column("open", t)
        updated: datetime = bt.column("updated", t)

        mine = bt.query("company", where=["agent", "open"])
        one = bt.query("company", "id")

    return Ticket


@bad("Minutes of a local clock", "KEY024", verdict="error", says=("`{turbine}#{at}`",))
def seventeenth_output() -> object:
    def local_minute(at: datetime) -> str:
        return at.astimezone(ZoneInfo("Europe/Berlin")).strftime("%Y%m%d%H%M")

    class Output(bt.Model, table="turbine_output", events="100/s"):
        """What a turbine delivered in a minute, by the minute of the clock on the wall in Germany, as the grid operator reports it."""

        turbine: str = bt.key(bt.Text(width=8), cardinality=6_000)
        minute = bt.derived(bt.Text(width=12), "at", by=local_minute)

        o = bt.family("o", gc=bt.max_versions(1))
        at: datetime = bt.column("at", o)
        kilowatts: float = bt.column("kw", o)

        of_minute = bt.query("turbine", "at")

    return Output


@bad(
    "Hearing aids",
    "FAM005",
    verdict="error",
    says=('`bt.family("h2", gc=bt.max_versions(1))`',),
    never=("is to end when",),
)
def seventeenth_hearing_aid() -> object:
    class HearingAid(bt.Model, table="hearing_aids", events="300/s"):
        """A hearing aid: what was registered when it was sold, which the warranty needs for five years, and what it last reported."""

        serial: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)

        h = bt.family("h", gc=bt.max_age(days=14))
        model: str = bt.column("model", h, size=10, max_size=40, keep=bt.max_versions(1))
        sold: datetime = bt.column("sold", h, keep=bt.max_versions(1))
        shop: str = bt.column("shop", h, size=8, max_size=20, keep=bt.max_versions(1))
        battery: int | None = bt.column("battery", h, default=None)
        seen: datetime | None = bt.column("seen", h, default=None)

        of_serial = bt.query("serial")

    return HearingAid


@bad(
    "Phone calls under a hash",
    "KEY004",
    "QRY001",
    verdict="warning",
    says=('`of_line = bt.query("line", between="at")`',),
    never=('bt.query("line", "at")',),
)
def seventeenth_call() -> object:
    class Call(bt.Model, table="calls", events="15000/s"):
        """A call. A hash of the line and the time stands in front so that writes spread; the app of a customer lists the calls of this month."""

        spread = bt.digest("line", "at", size=4)
        line: int = bt.key(bt.PaddedInt(12), cardinality=40_000_000, sequential=False)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=90))
        seconds: int = bt.column("s", c)
        cell: str = bt.column("cell", c, size=10, max_size=16)

        of_line = bt.query(scan="the list of calls in the app", where=["line", "at"])
        one = bt.query("line", "at")

    return Call


@bad("Slugs of two names", "KEY008", verdict="error", says=("`{owner}#{project}`",), never=("is a hash",))
def seventeenth_repo() -> object:
    def slug_of(owner: str, project: str) -> str:
        return f"{owner}-{project}".lower()

    class Repo(bt.Model, table="repos", events="5/s"):
        """A repository, under the slug of its address. Names of owners and projects are letters, digits and hyphens."""

        slug = bt.derived(bt.Text(max_length=81), "owner", "project", by=slug_of)

        r = bt.family("r", gc=bt.max_versions(1))
        owner: str = bt.column("owner", r, size=10, max_size=40)
        project: str = bt.column("project", r, size=14, max_size=40)
        private: bool = bt.column("private", r)
        pushed: datetime | None = bt.column("pushed", r, default=None)

        of_names = bt.query("owner", "project")

    return Repo


@bad("Vending machines", "ROW003", verdict="warning", says=("gc=bt.max_versions(1)",))
def seventeenth_machine() -> object:
    class Machine(bt.Model, table="machines", events="2500/s"):
        """The present state of a vending machine, which it reports every ten seconds. The dashboard shows what it reported last."""

        machine: str = bt.key(bt.Text(width=8), cardinality=25_000)

        m = bt.family("m", gc=bt.keep_all())
        state: dict[str, int] = bt.column("state", m, size=900, max_size=4_000)
        celsius: float = bt.column("c", m)
        reported: datetime = bt.column("at", m)

        of_machine = bt.query("machine")

    return Machine


@bad("Usage for invoices", "COL008", verdict="warning")
def seventeenth_usage() -> object:
    class Usage(bt.Model, table="usage"):
        """Seconds of processors that a project used in each hour, as it is invoiced. A subscriber of Pub/Sub, which delivers at least once, adds each message as it comes."""

        project: str = bt.key(bt.Text(max_length=30), cardinality=500_000, tenant=True)
        product: str = bt.key(bt.Text(max_length=20), cardinality=120)

        u = bt.family("u", gc=bt.max_age(days=400), aggregate="sum")
        seconds: bt.History[int] = bt.counter("cpu", u, every="1h", increments="10/min")

        of_project = bt.query("project")

    return Usage


@bad("Nicknames of players", "QRY006", verdict="warning", says=("put_if_absent",))
def seventeenth_player() -> object:
    class Player(bt.Model, table="players", events="80/s"):
        """A player of the game."""

        id: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        nick: str = bt.column("nick", p, size=10, max_size=20, cardinality=60_000_000)
        joined: datetime = bt.column("joined", p)
        level: int | None = bt.column("level", p, default=None)

        of_id = bt.query("id")

    class PlayerOfNick(bt.Index, of=Player, view="PLAYER_OF_NICK"):
        """Players by nickname. Sign-up reads it to see whether a nickname is free, so that no two players have the same."""

        nick: str = bt.key(bt.Text(max_length=20), cardinality=60_000_000)
        id: str = bt.covered()

        joined: datetime = bt.covered()

        of_nick = bt.query("nick")

    return (Player, PlayerOfNick)


@bad("Photo books to be rendered", "ROW009", verdict="warning")
def seventeenth_task() -> object:
    class Task(bt.Model, table="render_tasks", events="300/s"):
        """Photo books that wait to be rendered. Workers poll the queue of their printer ten times a second, take the first rows and delete them when they are done."""

        printer: str = bt.key(bt.Text(width=6), cardinality=40)
        due: datetime = bt.key(bt.EpochMillis())
        book: str = bt.key(bt.HexDigest(16), cardinality=500_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        pages: int = bt.column("pages", t)
        source: str = bt.column("src", t, size=80, max_size=300)

        waiting = bt.query("printer")

    return Task
