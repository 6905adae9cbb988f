"""The good designs of a twelfth set by people who had not read the rules."""

from datetime import date, datetime
from decimal import Decimal

from published import good

import btmodel as bt


@good("Calls of a call-centre provider with 300 clients; the recordings are in Cloud Storage")
def twelfth_call_centre() -> object:
    class AgentCall(bt.Model, table="calls_by_agent", events="220/s"):
        """A finished call, among those of the agent."""

        client: str = bt.key(bt.Text(max_length=12), cardinality=300, tenant=True)
        agent: str = bt.key(bt.Text(width=6), cardinality=28_000)
        began: datetime = bt.key(bt.EpochMillis())
        call: str = bt.key(bt.HexDigest(12), cardinality=900_000_000)

        c = bt.family("c", gc=bt.max_age(days=180))
        seconds: int = bt.column("sec", c, codec=bt.DecimalText())
        queue: str = bt.column("queue", c, size=12, max_size=40)
        recording: str | None = bt.column("rec", c, default=None, size=80, max_size=200)

        of_agent = bt.query("client", "agent", between="began", span="1day")

    class QueueCall(bt.Model, table="calls_by_queue", events="220/s"):
        """The same call, among those of its queue."""

        client: str = bt.key(bt.Text(max_length=12), cardinality=300, tenant=True)
        queue: str = bt.key(bt.Text(max_length=40), cardinality=2_500, size=12)
        began: datetime = bt.key(bt.EpochMillis())
        call: str = bt.key(bt.HexDigest(12), cardinality=900_000_000)

        c = bt.family("c", gc=bt.max_age(days=180))
        agent: str = bt.column("agent", c, max_size=6)
        seconds: int = bt.column("sec", c, codec=bt.DecimalText())

        of_queue = bt.query("client", "queue", between="began", span="1h")

    bt.twins(AgentCall, QueueCall)

    return AgentCall, QueueCall


@good("Monitor of Certificate Transparency logs")
def twelfth_certificate_log() -> object:
    class Entry(bt.Model, table="ct_entries", events="6000/s"):
        """A certificate as it appeared in any log. Consumers replay all of a span of time, in the order of time.

        No field comes before the time in what they ask, so a salt of the fingerprint does.
        """

        shard = bt.salt("fingerprint", buckets=16)
        seen: datetime = bt.key(bt.EpochMillis())
        fingerprint: str = bt.key(bt.HexDigest(32), cardinality=20_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=30))
        names: list[str] = bt.column("names", e, size=120, max_size=60_000)
        issuer: str = bt.column("issuer", e, size=40, max_size=200)

        replay = bt.query(between="seen", span="10min")

    class NameEntry(bt.Model, table="ct_names", events="14000/s"):
        """Certificates of a name and all names below it."""

        name: str = bt.key(bt.ReversedDomain(253), cardinality=2_000_000_000, size=24, domain=True)
        fingerprint: str = bt.key(bt.HexDigest(32), cardinality=20_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=400))
        issuer: str = bt.column("issuer", e, size=40, max_size=200)
        until: datetime = bt.column("until", e)

        exact = bt.query("name")
        below = bt.query(starting="name")

    return Entry, NameEntry


@good("Index of an EVM chain: token transfers by account, and blocks by number")
def twelfth_chain_index() -> object:
    class Transfer(bt.Model, table="transfers", events="400/s"):
        """A token transfer of an account, the newest block first. Each is written twice: for the sender and the receiver."""

        account: bytes = bt.key(bt.Hex(20), cardinality=280_000_000)
        block: int = bt.key(bt.Descending(bt.PaddedInt(10)), sequential=True)
        log_index: int = bt.key(bt.PaddedInt(5), cardinality=2_000, sequential=False)

        t = bt.family("t", gc=bt.max_versions(1))
        token: bytes = bt.column("token", t, max_size=20)
        other: bytes = bt.column("other", t, max_size=20)
        amount: bytes = bt.column("amount", t, max_size=32)
        incoming: bool = bt.column("in", t)

        of_account = bt.query("account", between="block")

    class Block(bt.Model, table="blocks", events="5/min"):
        """A block: one every twelve seconds, so its number may lead the key as it is."""

        block: int = bt.key(bt.PaddedInt(10), sequential=True, cardinality=25_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        hash: bytes = bt.column("hash", b, max_size=32)
        transactions: int = bt.column("txs", b)
        gas: int = bt.column("gas", b)

        some = bt.query(between="block")

    return Transfer, Block


@good("Seat maps of cinemas")
def twelfth_cinema_seats() -> object:
    class Showing(bt.Model, table="showings", events="900/s", atomic="showing"):
        """One showing with all of its seats in one row: two, three or ten seats are taken together or not at all.

        The largest hall has 620 seats. Rows of a showing change some hundred times in all.
        """

        showing: str = bt.key(bt.HexDigest(10), cardinality=4_000_000)

        seats = bt.family("seats", gc=bt.max_versions(1) | bt.max_age(days=400))
        taken: dict[str, str] = bt.mapping(seats, bt.Text(max_length=5), entries=620, size=14, max_size=14)

        about = bt.family("about", gc=bt.max_versions(1) | bt.max_age(days=400))
        hall: str | None = bt.column("hall", about, default=None, max_size=12)
        starts: datetime | None = bt.column("starts", about, default=None)

        of_showing = bt.query("showing")

    class Programme(bt.Model, table="programme", events="9000/day"):
        """What a cinema shows, by the time that it starts. Entered two weeks ahead."""

        cinema: str = bt.key(bt.Text(max_length=8), cardinality=1_300)
        starts: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"), sequential=False)
        showing: str = bt.key(bt.HexDigest(10), cardinality=4_000_000)

        p = bt.family("p", gc=bt.max_age(days=90))
        film: str = bt.column("film", p, size=24, max_size=200)

        of_cinema = bt.query("cinema", between="starts", span="1day")

    return Showing, Programme


@good("Go to definition: where identifiers are defined in all repositories of the company")
def twelfth_code_symbols() -> object:
    class Definition(bt.Model, table="definitions", events="8000/s"):
        """The definitions of a symbol in a file. The indexer rewrites those of a changed file, and deletes what is gone.

        The box completes while one types, hence the prefix of the symbol.
        """

        symbol: str = bt.key(bt.Text(max_length=120), cardinality=90_000_000, size=16)
        repo: str = bt.key(bt.Text(max_length=60), cardinality=25_000, size=20)
        at = bt.digest("path", size=8)

        d = bt.family("d", gc=bt.max_versions(1))
        path: str = bt.column("path", d, size=50, max_size=1_000)
        lines: list[int] = bt.column("lines", d, size=10, max_size=2_000)
        kind: str = bt.column("kind", d, max_size=12)
        blob: str = bt.column("blob", d, max_size=40)

        exact = bt.query("symbol")
        in_repo = bt.query("symbol", "repo")
        completions = bt.query(starting="symbol")

    return Definition


@good("Pledges of a crowdfunding site")
def twelfth_crowdfunding() -> object:
    class Pledge(bt.Model, table="pledges", events="5000/s"):
        """A pledge to a campaign. On launch days one campaign gets nearly all, so each campaign is spread over 16 shards.

        A campaign's page merges the 16 ranges.
        """

        campaign: str = bt.key(bt.HexDigest(6), cardinality=400_000, skew="85%:3")
        shard = bt.salt("pledge", buckets=16)
        at: datetime = bt.key(bt.EpochMillis())
        pledge: str = bt.key(bt.HexDigest(12), cardinality=300_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        backer: str = bt.column("backer", p, max_size=16)
        amount: Decimal = bt.column("amount", p)
        reward: str | None = bt.column("reward", p, default=None, max_size=12)

        of_campaign = bt.query("campaign", between="at", span="1h")

    class Backer(bt.Model, table="pledges_by_backer", events="5000/s"):
        """The same pledges, for a backer's own page."""

        backer: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        pledge: str = bt.key(bt.HexDigest(12), cardinality=300_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        campaign: str = bt.column("campaign", p, max_size=12)
        amount: Decimal = bt.column("amount", p)

        of_backer = bt.query("backer", newest=True)

    bt.twins(Pledge, Backer)

    return Pledge, Backer


@good("A registry's view of domain names: delegations, with their name servers")
def twelfth_domain_registry() -> object:
    class Delegation(bt.Model, table="delegations", events="150/s"):
        """A name below our top-level domains, and what it is delegated to.

        Abuse desk: "all names below example.co.zz", so the labels are reversed.
        """

        name: str = bt.key(bt.ReversedDomain(253), cardinality=18_000_000, size=20, domain=True)

        d = bt.family("d", gc=bt.max_versions(10))
        servers: bt.History[list[str]] = bt.history("ns", d, size=90, max_size=1_500)

        r = bt.family("r", gc=bt.max_versions(1))
        registrar: str = bt.column("registrar", r, max_size=12)
        expires_on: datetime = bt.column("expires", r)

        exact = bt.query("name")
        below = bt.query(starting="name")

    return Delegation


@good("Escape rooms: the best times")
def twelfth_escape_rooms() -> object:
    class BestTime(bt.Model, table="best_times", events="700/day"):
        """A group that got out, the fastest first. Seconds are padded, so they sort."""

        room: str = bt.key(bt.Text(max_length=20), cardinality=60)
        seconds: int = bt.key(bt.PaddedInt(4), cardinality=3_600, sequential=False)
        group: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        name: str = bt.column("name", g, size=14, max_size=60)
        players: int = bt.column("players", g, codec=bt.DecimalText())
        hints: int = bt.column("hints", g, codec=bt.DecimalText())
        played: datetime = bt.column("played", g)

        fastest = bt.query("room")
        faster_than = bt.query("room", between="seconds")

    return BestTime


@good("Feature flags: their definitions, and how often each variant was served")
def twelfth_feature_flags() -> object:
    class Flag(bt.Model, table="flags", events="3000/day"):
        """A flag as the SDKs fetch it. The last 20 versions can be rolled back to."""

        project: str = bt.key(bt.Text(max_length=30), cardinality=6_000)
        flag: str = bt.key(bt.Text(max_length=60), cardinality=250_000)

        f = bt.family("f", gc=bt.max_versions(20))
        rules: bt.History[dict[str, str]] = bt.history("rules", f, size=600, max_size=20_000)

        of_project = bt.query("project")

    class Exposure(bt.Model, table="flag_exposures", events="9000/s"):
        """How often the variants of a flag were served on a day.

        Edge workers count in memory and flush once a minute; 40 workers serve the busiest flag. Days are kept
        for good: product managers compare launches of different years.
        """

        project: str = bt.key(bt.Text(max_length=30), cardinality=6_000)
        flag: str = bt.key(bt.Text(max_length=60), cardinality=250_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        variants: dict[str, int] = bt.counters(n, bt.Text(max_length=20), entries=12, increments="40/min")

        of_flag = bt.query("project", "flag", between="day", span="14days")

    return Flag, Exposure


@good("Cameras on masts that look out for forest fires")
def twelfth_fire_watch() -> object:
    class Look(bt.Model, table="looks", events="160/s"):
        """One picture of a camera's sweep, the newest first. The full picture is in Cloud Storage; a thumbnail is here."""

        camera: str = bt.key(bt.Text(width=6), cardinality=800)
        at: datetime = bt.key(bt.ReversedMillis())

        thumb = bt.family("thumb", gc=bt.max_age(days=14))
        jpeg: bytes | None = bt.column("jpeg", thumb, default=None, size=35_000, max_size=120_000)

        verdict = bt.family("verdict", gc=bt.max_age(days=730))
        smoke: float = bt.column("smoke", verdict)
        bearing: int = bt.column("bearing", verdict, codec=bt.DecimalText())

        of_camera = bt.query("camera", between="at", newest=True, only=["smoke", "bearing"], span="1day")
        pictures = bt.query("camera", between="at", newest=True, span="30min")

    class Alarm(bt.Model, table="alarms", events="500/day"):
        """An alarm that somebody has to look at, in the order of time: 500 a day at the worst of summer."""

        at: datetime = bt.key(bt.ReversedMillis())
        camera: str = bt.key(bt.Text(width=6), cardinality=800)

        a = bt.family("a", gc=bt.max_versions(1))
        smoke: float = bt.column("smoke", a)
        answer: str | None = bt.column("answer", a, default=None, max_size=200)

        newest_alarms = bt.query(between="at", newest=True)

    return Look, Alarm


@good("Spaced repetition of vocabulary")
def twelfth_flashcards() -> object:
    class Card(bt.Model, table="cards", events="5000/s"):
        """How well a learner knows a card. Kept as long as the account: people come back after years."""

        learner: str = bt.key(bt.HexDigest(16), cardinality=7_000_000)
        deck: str = bt.key(bt.HexDigest(6), cardinality=300_000)
        card: int = bt.key(bt.PaddedInt(5), cardinality=20_000, sequential=False)

        c = bt.family("c", gc=bt.max_versions(1))
        ease: float = bt.column("ease", c)
        interval_days: int = bt.column("int", c, codec=bt.DecimalText())
        due: date = bt.column("due", c)
        lapses: int = bt.column("lapses", c, codec=bt.DecimalText())

        # A deck has 400 cards or so; the app takes all of them and sorts by due date itself.
        of_deck = bt.query("learner", "deck", where=["due"])

    class Review(bt.Model, table="reviews", events="5000/s"):
        """An answer, for the scheduler's nightly fit of the last year."""

        learner: str = bt.key(bt.HexDigest(16), cardinality=7_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        r = bt.family("r", gc=bt.max_age(days=400))
        deck: str = bt.column("deck", r, max_size=12)
        card: int = bt.column("card", r, codec=bt.DecimalText())
        grade: int = bt.column("grade", r, codec=bt.DecimalText())

        of_learner = bt.query("learner", between="at", span="365days")

    return Card, Review


@good("Inspection certificates of lifts, issued by the technical inspectorate")
def twelfth_lift_certificates() -> object:
    class Issued(bt.Model, table="certificates_by_day", events="350/day"):
        """The day book: what was issued, by the day. Some 350 a day in the whole country, so the day leads."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        certificate: str = bt.key(bt.HexDigest(10), cardinality=2_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        lift: str = bt.column("lift", c, max_size=12)
        inspector: str = bt.column("insp", c, max_size=8)
        passed: bool = bt.column("passed", c)

        between_days = bt.query(between="day", span="7days")

    class OfLift(bt.Model, table="certificates_by_lift", events="350/day"):
        """The same certificates by lift."""

        lift: str = bt.key(bt.Text(width=12), cardinality=700_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        certificate: str = bt.key(bt.HexDigest(10), cardinality=2_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        inspector: str = bt.column("insp", c, max_size=8)
        passed: bool = bt.column("passed", c)

        of_lift = bt.query("lift", between="day", newest=True)

    def of_lift(row: Issued) -> OfLift:
        return OfLift(
            lift=row.lift,
            day=row.day,
            certificate=row.certificate,
            inspector=row.inspector,
            passed=row.passed,
        )

    bt.twins(Issued, (OfLift, of_lift))

    return Issued, OfLift


@good("Digitised newspapers, 1780 to 1995")
def twelfth_newspaper_archive() -> object:
    class Page(bt.Model, table="newspaper_pages", events="200/s"):
        """A page of an issue: its text as recognised, and where its image lies.

        Volumes are scanned in the order of the shelves.
        """

        title: str = bt.key(bt.Text(max_length=12), cardinality=3_400)
        issue: date = bt.key(bt.DateText("%Y%m%d"), sequential=False)
        edition: int = bt.key(bt.PaddedInt(1), cardinality=4)
        page: int = bt.key(bt.PaddedInt(3), cardinality=120)

        image = bt.family("image", gc=bt.max_versions(1))
        uri: str = bt.column("uri", image, size=70, max_size=200)

        # A better recogniser runs over all pages every other year; the one before is kept to compare.
        ocr = bt.family("ocr", gc=bt.max_versions(2))
        text: bt.History[str] = bt.history("text", ocr, size=25_000, max_size=200_000)

        of_title = bt.query("title", between="issue")
        of_issue = bt.query("title", "issue")

    return Page


@good("Patent applications, as the office publishes them")
def twelfth_patents() -> object:
    class Patent(bt.Model, table="patents", events="2500/day"):
        """An application under its number. Numbers count up, but there are 2,500 a day in all, and examiners leaf through them in order."""

        number: int = bt.key(bt.PaddedInt(9), cardinality=60_000_000, sequential=True)

        b = bt.family("b", gc=bt.max_versions(1))
        title: str = bt.column("title", b, size=80, max_size=1_000)
        filed: date = bt.column("filed", b)
        classes: set[str] = bt.members(b, bt.Text(max_length=16), prefix="ipc:", entries=60)

        t = bt.family("t", gc=bt.max_versions(1))
        abstract: str | None = bt.column("abstract", t, default=None, size=900, max_size=8_000)
        claims: str | None = bt.column("claims", t, default=None, size=12_000, max_size=900_000)

        some = bt.query(between="number", only=["title", "filed"])
        one = bt.query("number")

    class Citation(bt.Model, table="citations", events="30000/day"):
        """Which later application cites one."""

        cited: int = bt.key(bt.PaddedInt(9), cardinality=40_000_000, sequential=False)
        citing: int = bt.key(bt.PaddedInt(9), cardinality=60_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        category: str = bt.column("cat", c, max_size=2)

        of_cited = bt.query("cited")

    return Patent, Citation


@good("Stock of a chain of pharmacies, and the batches that have to leave the shelf in time")
def twelfth_pharmacy_stock() -> object:
    class Stock(bt.Model, table="stock", events="2000/s"):
        """How many packs of a product a pharmacy has. Each sale sets the new number under a condition on the old one."""

        pharmacy: int = bt.key(bt.PaddedInt(5), cardinality=6_500, sequential=False)
        product: str = bt.key(bt.Text(width=8), cardinality=110_000)

        s = bt.family("s", gc=bt.max_versions(1))
        packs: int = bt.column("packs", s, increments="2/h")
        minimum: int = bt.column("min", s)

        of_pharmacy = bt.query("pharmacy")
        one = bt.query("pharmacy", "product")

    class Batch(bt.Model, table="batches", events="900000/day"):
        """A batch on the shelf, the first to expire in front. The date of a batch is printed on the pack and never changes."""

        pharmacy: int = bt.key(bt.PaddedInt(5), cardinality=6_500, sequential=False)
        use_by: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, changes=False)
        product: str = bt.key(bt.Text(width=8), cardinality=110_000)
        batch: str = bt.key(bt.Text(max_length=20), cardinality=5_000_000)

        b = bt.family("b", gc=bt.max_age(days=2200))
        received: int = bt.column("received", b)

        expiring = bt.query("pharmacy", between="use_by", span="60days")

    class Recall(bt.Model, table="recalls", events="20/day"):
        """A recall of a product, for all pharmacies, by day: each of them asks every morning for what is new."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        product: str = bt.key(bt.Text(width=8), cardinality=110_000)

        r = bt.family("r", gc=bt.max_versions(1))
        reason: str = bt.column("reason", r, size=120, max_size=2_000)
        batches: list[str] = bt.column("batches", r, size=60, max_size=4_000)

        since = bt.query(between="day")

    return Stock, Batch, Recall


@good("A farm of 3D printers: temperatures of every print, and the wall display")
def twelfth_print_farm() -> object:
    class Sample(bt.Model, table="print_samples", events="4200/s", timestamp="at"):
        """What a printer reported, once a second."""

        printer: str = bt.key(bt.Text(width=6), cardinality=4_200)
        at: datetime = bt.key(bt.EpochMillis())

        s = bt.family("s", gc=bt.max_age(days=30))
        nozzle: float = bt.column("nozzle", s)
        bed: float = bt.column("bed", s)
        layer: int = bt.column("layer", s)
        job: str = bt.column("job", s, max_size=16)

        of_printer = bt.query("printer", between="at", span="2h")

    class Now(bt.Model, table="print_now", events="4200/s"):
        """The latest sample of each printer, for the wall: one small row each."""

        printer: str = bt.key(bt.Text(width=6), cardinality=4_200)
        at: datetime = bt.timestamp()

        s = bt.family("s", gc=bt.max_versions(1))
        nozzle: float = bt.column("nozzle", s)
        bed: float = bt.column("bed", s)
        layer: int = bt.column("layer", s)
        job: str = bt.column("job", s, max_size=16)

        of_all = bt.query(scan="the wall shows all printers, 4,200 short rows")
        one = bt.query("printer")

    bt.twins(Sample, Now)

    return Sample, Now


@good("Configurations of routers and switches, as the backup job collects them every night")
def twelfth_router_configs() -> object:
    class Config(bt.Model, table="configs", events="45000/day"):
        """A device's running configuration; the last 60 nights, compressed. A diff of two nights reads two versions."""

        device: str = bt.key(bt.Text(max_length=40), cardinality=45_000, domain=False)

        c = bt.family("c", gc=bt.max_versions(60))
        running: bt.History[str] = bt.history(
            "running", c, codec=bt.Compressed(bt.Utf8()), size=9_000, max_size=150_000, every="1day"
        )

        of_device = bt.query("device")

    class Change(bt.Model, table="config_changes", events="3000/day"):
        """A change that somebody made, from the device's own syslog."""

        device: str = bt.key(bt.Text(max_length=40), cardinality=45_000, domain=False)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=730))
        by: str = bt.column("by", c, max_size=30)
        lines: int = bt.column("lines", c, codec=bt.DecimalText())

        of_device = bt.query("device", between="at", newest=True)

    return Config, Change


@good("Waveforms of a seismic network: 1,100 channels at 100 samples a second")
def twelfth_seismographs() -> object:
    class Packet(bt.Model, table="waveforms", events="110/s", timestamp="start"):
        """Ten seconds of a channel, as the digitizer packs them (miniSEED): 1,000 samples in one cell.

        Network, station, location and channel are one code, such as ``CH.BALST..HHZ``.
        """

        channel: str = bt.key(bt.Text(max_length=16), cardinality=1_100)
        start: datetime = bt.key(bt.EpochMillis())

        w = bt.family("w", gc=bt.max_age(days=1100))
        samples: bytes = bt.column("s", w, size=1_800, max_size=4_096)

        of_channel = bt.query("channel", between="start", span="5min")

    class Pick(bt.Model, table="picks", events="6000/day"):
        """The arrival of a wave, found by the detector."""

        channel: str = bt.key(bt.Text(max_length=16), cardinality=1_100)
        at: datetime = bt.key(bt.EpochMillis())
        phase: str = bt.key(bt.Text(width=1), cardinality=2)

        p = bt.family("p", gc=bt.max_versions(1))
        confidence: float = bt.column("conf", p)

        of_channel = bt.query("channel", between="at", span="1day")

    return Packet, Pick


@good("Gates at ski lifts: where a pass was used, and how busy a lift is")
def twelfth_ski_gates() -> object:
    class PassUse(bt.Model, table="pass_uses", events="900/s"):
        """A pass at a gate. The key has a digest of the card's number; the number itself is not stored."""

        holder = bt.digest("card")
        card: str | None = bt.key(bt.Text(max_length=20), stored=False, cardinality=3_000_000)
        at: datetime = bt.key(bt.EpochSeconds())

        u = bt.family("u", gc=bt.max_age(days=200))
        lift: str = bt.column("lift", u, max_size=8)

        of_card = bt.query("card", between="at", span="1day")

    class LiftMinute(bt.Model, table="lift_minutes", events="20/s"):
        """How many entered a lift in each minute; the gate controller of the lift sends the sum once a minute."""

        lift: str = bt.key(bt.Text(max_length=8), cardinality=1_200)
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        n = bt.family("n", gc=bt.max_age(days=730))
        entered: int = bt.column("entered", n, codec=bt.DecimalText())

        of_lift = bt.query("lift", between="minute", span="1day")

    return PassUse, LiftMinute


@good("Subtitles of a video archive")
def twelfth_subtitles() -> object:
    class Cue(bt.Model, table="cues", events="1500/s"):
        """A subtitle of a video in a language, by the millisecond that it appears at.

        The player asks for the next two minutes. Cues may overlap: ``line`` tells them apart.
        A corrected track is not edited: its rows are deleted, and it is written whole.
        """

        video: str = bt.key(bt.HexDigest(8), cardinality=6_000_000)
        language: str = bt.key(bt.Text(max_length=8), cardinality=90)
        appears: int = bt.key(bt.PaddedInt(8), cardinality=30_000_000, sequential=False)
        line: int = bt.key(bt.PaddedInt(1), cardinality=4)

        c = bt.family("c", gc=bt.max_versions(1))
        text: str = bt.column("text", c, size=45, max_size=1_000)
        ms: int = bt.column("ms", c, codec=bt.DecimalText())

        of_part = bt.query("video", "language", between="appears")
        of_language = bt.query("video", "language")
        of_video = bt.query("video")

    return Cue


@good("Income tax returns: the figures of each declared year")
def twelfth_tax_returns() -> object:
    class TaxReturn(bt.Model, table="tax_returns", events="1500/s"):
        """A taxpayer's return for a year. It can be amended, a handful of times; every filed version is kept by law.

        The number of a taxpayer is our own serial number, without meaning outside; it is written backwards.
        """

        taxpayer: int = bt.key(bt.ReversedDigits(10), cardinality=45_000_000, sequential=True)
        year: int = bt.key(bt.PaddedInt(4), cardinality=40)

        r = bt.family("r", gc=bt.keep_all())
        income: bt.History[Decimal] = bt.history("income", r, every="90days")
        deductions: bt.History[Decimal] = bt.history("deductions", r, every="90days")

        s = bt.family("s", gc=bt.max_versions(1))
        assessed: Decimal | None = bt.column("assessed", s, default=None)
        office: str | None = bt.column("office", s, default=None, max_size=4)

        of_taxpayer = bt.query("taxpayer", between="year")

    return TaxReturn


@good("Queue tickets of town halls: kiosks hand them out, counters call them")
def twelfth_town_hall_queue() -> object:
    class Settings(bt.Model, table="queue_settings", events="5/day"):
        """The settings of the whole system: one row, changed now and then."""

        only = bt.constant("settings")

        s = bt.family("s", gc=bt.max_versions(1))
        languages: list[str] = bt.column("languages", s, max_size=200)
        closing_note: str | None = bt.column("note", s, default=None, max_size=500)

    class QueueTicket(bt.Model, table="queue_tickets", events="15/s"):
        """A ticket of a day. The kiosk numbers them per hall and service, from 1 each morning; a hall has one kiosk."""

        hall: str = bt.key(bt.Text(width=5), cardinality=480)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        service: str = bt.key(bt.Text(width=1), cardinality=12)
        number: int = bt.key(bt.PaddedInt(4), cardinality=9_999)

        t = bt.family("t", gc=bt.max_age(days=90))
        printed: datetime = bt.column("printed", t)
        called: datetime | None = bt.column("called", t, default=None)
        counter: str | None = bt.column("counter", t, default=None, max_size=4)

        of_day = bt.query("hall", "day")
        of_service = bt.query("hall", "day", "service", between="number")

    return Settings, QueueTicket


@good("Translation memory of an agency: sentences, and how they were translated before")
def twelfth_translation_memory() -> object:
    class Segment(bt.Model, table="segments", events="700/s"):
        """A source sentence of a client in a pair of languages, and its translations by target hash.

        Lookups have the whole sentence, normalised; the key holds a digest of it as it may be long.
        """

        client: str = bt.key(bt.Text(max_length=12), cardinality=1_800)
        pair: str = bt.key(bt.Text(width=5), cardinality=340)
        id = bt.digest("source")

        s = bt.family("s", gc=bt.max_versions(1))
        source: str = bt.column("src", s, size=110, max_size=5_000, cardinality=600_000_000)
        targets: dict[str, str] = bt.mapping(
            s, bt.Text(max_length=16), prefix="t:", entries=20, size=130, max_size=6_000
        )

        exact = bt.query("client", "pair", "source")
        export = bt.query("client", "pair")

    return Segment


@good("Soil probes in vineyards: moisture at three depths, every half hour")
def twelfth_vineyards() -> object:
    class ProbeMonth(bt.Model, table="probe_months", bucket="month", events="22/s", lateness="3d"):
        """A month of a probe: at most 1,488 versions of each depth. The growers compare vintages, so nothing is deleted."""

        estate: str = bt.key(bt.Text(max_length=16), cardinality=1_900)
        probe: str = bt.key(bt.Text(width=6), cardinality=40_000)
        month: date = bt.key(bt.DateText("%Y-%m"))

        m = bt.family("m", gc=bt.keep_all())
        at30cm: bt.History[float] = bt.history("30", m, every="30min")
        at60cm: bt.History[float] = bt.history("60", m, every="30min")
        at90cm: bt.History[float] = bt.history("90", m, every="30min")

        of_probe = bt.query("estate", "probe", between="month", span="365days")

    return ProbeMonth
