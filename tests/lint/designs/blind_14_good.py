"""The good designs of a fourteenth set by people who had not read the rules."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import good

import btmodel as bt


@good("Applications for building permits of a county, in the order of their filing")
def fourteenth_building_permits() -> object:
    class Application(bt.Model, table="permit_application", events="400/day"):
        """The clerks page through what was filed in a week."""

        filed_at: datetime = bt.key(bt.EpochSeconds(round=True))
        application: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        parcel: str = bt.column("parcel", a, size=12, max_size=20)
        summary: str = bt.column("summary", a, size=200, max_size=2_000)

        filed = bt.query(between="filed_at", span="7d")

    return Application


@good("Raffles of village fairs, numbered as they are registered. A prize goes to the number of a ticket")
def fourteenth_raffles() -> object:
    class Raffle(bt.Model, table="raffle", events="60/day"):
        number: int = bt.key(bt.PaddedInt(7), cardinality=400_000, sequential=True)

        r = bt.family("r", gc=bt.max_versions(1))
        village: str = bt.column("village", r, size=14, max_size=60)
        drawn_on: date | None = bt.column("drawn", r, default=None)
        prizes: dict[str, int] = bt.column("prizes", r, size=300, max_size=5_000)

        by_number = bt.query("number")

    return Raffle


@good("The access log of an API gateway")
def fourteenth_gateway_log() -> object:
    class Access(bt.Model, table="gateway_access", events="20000/s"):
        """A request. The on-call engineer looks at everything of some seconds."""

        shard = bt.salt("request", buckets=16)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        request: str = bt.key(bt.HexDigest(32), cardinality=1_000_000_000)

        a = bt.family("a", gc=bt.max_age(days=7))
        route: str = bt.column("route", a, size=30, max_size=200)
        code: int = bt.column("code", a, codec=bt.IntBytes(2, "big"))
        millis: int = bt.column("ms", a)

        around = bt.query(between="at", span="10s")

    return Access


@good("Jobs of a video transcoder")
def fourteenth_transcodes() -> object:
    class Transcode(bt.Model, table="transcode", events="8000/s"):
        """A job. Its id is random, so that the three kinds of jobs spread over their parts of the table."""

        kind: str = bt.key(bt.Text(max_length=8), cardinality=3)
        job: str = bt.key(bt.HexDigest(32), cardinality=900_000_000)

        j = bt.family("j", gc=bt.max_versions(1) | bt.max_age(days=45))
        source: str = bt.column("src", j, size=80, max_size=500)
        done: datetime | None = bt.column("done", j, default=None)
        percent: int = bt.column("pct", j, codec=bt.IntBytes(1, "big"))

        one = bt.query("kind", "job")

    return Transcode


@good("Published judgments. A row is written once, when a case is closed for good")
def fourteenth_verdicts_of_courts() -> object:
    class Outcome(StrEnum):
        UPHELD = "upheld"
        DISMISSED = "dismissed"
        SETTLED = "settled"

    class Judgment(bt.Model, table="judgment", events="9000/day"):
        court: str = bt.key(bt.Text(max_length=12), cardinality=900)
        outcome: Outcome = bt.key(bt.EnumText(Outcome), changes=False)
        delivered: date = bt.key(bt.DateText("%Y%m%d"))
        case: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)

        j = bt.family("j", gc=bt.max_versions(1))
        judges: int = bt.column("judges", j)
        abstract: str = bt.column("abstract", j, size=900, max_size=10_000)
        text_uri: str = bt.column("uri", j, size=70, max_size=300)

        of_court = bt.query("court", "outcome", between="delivered", span="90d")

    return Judgment


@good(
    "A link shortener. Our twenty redirect servers add up the hits in memory; each writes its sums twice a minute"
)
def fourteenth_short_links() -> object:
    class ShortLink(bt.Model, table="short_link", events="700/s"):
        """A short link, and how often it was followed in each day of a year."""

        code: str = bt.key(bt.HexDigest(16), cardinality=80_000_000)

        n = bt.family("n", gc=bt.max_age(days=365), aggregate="sum")
        hits: bt.History[int] = bt.counter("hits", n, every="1day", increments="40/min")

        t = bt.family("t", gc=bt.max_versions(1))
        target: str | None = bt.column("to", t, size=90, max_size=2_000, default=None)
        made: datetime | None = bt.column("made", t, default=None)

        by_code = bt.query("code")

    return ShortLink


@good(
    "Check-ins at climbing walls, by phone number. The gateway gives a keyed hash of it, so the number itself is nowhere"
)
def fourteenth_climbing_walls() -> object:
    class CheckIn(bt.Model, table="climb_check_in", events="60000/day"):
        who = bt.digest("phone_token")
        at: datetime = bt.key(bt.ReversedMillis(round=True))
        phone_token: str | None = bt.key(bt.Text(max_length=64), stored=False, cardinality=700_000, pii=True)

        c = bt.family("c", gc=bt.max_age(days=400))
        wall: str = bt.column("wall", c, size=8, max_size=30)
        ticket: str = bt.column("ticket", c, size=6, max_size=20)

        of_climber = bt.query("phone_token", between="at", newest=True)

    return CheckIn


@good(
    "Repairs that tenants of flats ask for. One housing company has most of the flats, and that is fine at this rate"
)
def fourteenth_property_repairs() -> object:
    class Repair(bt.Model, table="repair", events="25/s"):
        company: str = bt.key(bt.HexDigest(16), cardinality=350, tenant=True, skew="80%:1")
        asked: datetime = bt.key(bt.EpochMillis(round=True))
        repair: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        r = bt.family("r", gc=bt.max_age(days=1825))
        flat: str = bt.column("flat", r, size=10, max_size=30)
        what: str = bt.column("what", r, size=120, max_size=2_000)

        of_company = bt.query("company", between="asked", span="1day")

    return Repair


@good("Menus of restaurants. A menu has about sixty dishes")
def fourteenth_menus() -> object:
    class Dish(bt.Model, table="dish", events="3/s"):
        restaurant: str = bt.key(bt.HexDigest(16), cardinality=40_000)
        dish: str = bt.key(bt.HexDigest(16), cardinality=2_400_000)

        d = bt.family("d", gc=bt.max_versions(1))
        name: str = bt.column("name", d, size=25, max_size=120)
        cents: int = bt.column("cents", d)
        vegan: bool = bt.column("vegan", d)

        of_menu = bt.query("restaurant")
        vegan_of_menu = bt.query("restaurant", where=["vegan"])

    return Dish


@good("Strain gauges in the walls of dams: a row holds an hour of a gauge, a version for each second")
def fourteenth_dam_walls() -> object:
    class GaugeHour(bt.Model, table="gauge_hour", bucket="hour", events="9000/s", lateness="1h"):
        dam: str = bt.key(bt.Text(max_length=10), cardinality=150)
        gauge: int = bt.key(bt.PaddedInt(4), cardinality=9_000, sequential=False)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        g = bt.family("g", gc=bt.max_age(days=120))
        strain: bt.History[float] = bt.history("s", g, every="1s")

        of_gauge = bt.query("dam", "gauge", between="hour", span="6h")

    return GaugeHour


@good("How far readers are in their e-books, and what they have underlined")
def fourteenth_reading_progress() -> object:
    class Progress(bt.Model, table="progress", events="2500/s"):
        """The place in a book: written whenever the app goes to the background."""

        reader: str = bt.key(bt.HexDigest(16), cardinality=15_000_000)
        book: str = bt.key(bt.Text(width=13), cardinality=900_000)

        p = bt.family("p", gc=bt.max_versions(1))
        place: int = bt.column("place", p)
        device: str = bt.column("dev", p, size=12, max_size=40)
        at: datetime = bt.column("at", p)

        of_reader = bt.query("reader")
        of_book = bt.query("reader", "book")

    class Highlight(bt.Model, table="highlight", events="90/s"):
        reader: str = bt.key(bt.HexDigest(16), cardinality=15_000_000)
        book: str = bt.key(bt.Text(width=13), cardinality=900_000)
        place: int = bt.key(bt.PaddedInt(8), cardinality=5_000_000, sequential=False)

        h = bt.family("h", gc=bt.max_versions(1))
        text: str = bt.column("text", h, size=180, max_size=3_000)

        of_book = bt.query("reader", "book", between="place")

    return Progress, Highlight


@good("Photo albums of families. The pictures lie in Cloud Storage; this is what the album page lists")
def fourteenth_photo_albums() -> object:
    class Photo(bt.Model, table="photo", events="1500/s"):
        album: str = bt.key(bt.HexDigest(16), cardinality=25_000_000)
        added: datetime = bt.key(bt.ReversedMillis(round=True))
        sha: str = bt.key(bt.HexDigest(32), cardinality=2_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        object_name: str = bt.column("obj", p, size=60, max_size=300)
        width: int = bt.column("w", p, codec=bt.IntBytes(4, "big"))
        height: int = bt.column("h", p, codec=bt.IntBytes(4, "big"))
        caption: str | None = bt.column("cap", p, size=30, max_size=500, default=None)

        newest_of_album = bt.query("album", between="added", newest=True)

    return Photo


@good("What our crawler last saw of each page, for the link checker")
def fourteenth_crawler() -> object:
    class CrawledPage(bt.Model, table="crawled_page", events="1800/s"):
        """A page, overwritten at each visit. Domains lie next to their subdomains; visits are in random order."""

        domain: str = bt.key(bt.ReversedDomain(100), cardinality=12_000_000, domain=True)
        path: str = bt.key(bt.HexDigest(32), cardinality=900_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        path_text: str = bt.column("path", c, size=40, max_size=2_000)
        fetched: datetime = bt.column("fetched", c)
        code: int = bt.column("code", c, codec=bt.IntBytes(2, "big"))
        body_uri: str | None = bt.column("body", c, size=70, max_size=200, default=None)

        below = bt.query(starting="domain")
        page = bt.query("domain", "path")

    return CrawledPage


@good("Doses given in clinical trials. Subjects have pseudonyms that only the trial centre can resolve")
def fourteenth_trial_doses() -> object:
    class Dose(bt.Model, table="dose", events="3/s"):
        trial: str = bt.key(bt.Text(max_length=12), cardinality=700)
        subject: str = bt.key(bt.HexDigest(16), cardinality=400_000, pii=False)
        given: datetime = bt.key(bt.EpochSeconds(round=True))
        vial: str = bt.key(bt.Text(max_length=12), cardinality=20_000_000)

        # Doses are kept for good: the law asks for it.
        d = bt.family("d", gc=bt.max_versions(1))
        micrograms: int = bt.column("ug", d)
        nurse: str = bt.column("nurse", d, size=8, max_size=12)

        of_subject = bt.query("trial", "subject", between="given")
        of_trial = bt.query("trial")

    return Dose


@good("Test results of chips on wafers")
def fourteenth_wafers() -> object:
    class WaferTest(bt.Model, table="wafer_test", events="6000/s"):
        """A die, as it was tested last. Lots are named by a random id, so the twenty testers write all over the table."""

        lot: str = bt.key(bt.HexDigest(16), cardinality=300_000)
        wafer: int = bt.key(bt.PaddedInt(2), cardinality=25, sequential=False)
        x: int = bt.key(bt.PaddedInt(3), cardinality=60, sequential=False)
        y: int = bt.key(bt.PaddedInt(3), cardinality=60, sequential=False)

        t = bt.family("t", gc=bt.max_versions(1) | bt.max_age(days=540))
        bin_no: int = bt.column("bin", t, codec=bt.IntBytes(1, "big"))
        leakage: float = bt.column("leak", t)
        volts: dict[str, float] = bt.mapping(t, bt.Text(max_length=8), prefix="v:", entries=40)

        of_wafer = bt.query("lot", "wafer")
        of_lot = bt.query("lot")

    return WaferTest


@good("Brightness of stars, as a survey telescope measures it")
def fourteenth_observatory() -> object:
    class Brightness(bt.Model, table="brightness", events="4000/s"):
        """A measurement. Star numbers are a hash of the position, of the catalogue."""

        star: str = bt.key(bt.HexDigest(32), cardinality=800_000_000)
        at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M%S", round=True))
        filter_name: str = bt.key(bt.Text(width=1), cardinality=6)

        b = bt.family("b", gc=bt.max_versions(1))
        magnitude: float = bt.column("mag", b, codec=bt.FloatBytes(4, round=True))
        error: float = bt.column("err", b, codec=bt.FloatBytes(4, round=True))

        light_curve = bt.query("star", between="at", span="365d")

    class Star(bt.Model, table="star", events="100/s"):
        star: str = bt.key(bt.HexDigest(32), cardinality=800_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        ra: float = bt.column("ra", s)
        dec: float = bt.column("dec", s)

        one = bt.query("star")

    return Brightness, Star


@good("The tool crib of a large workshop: who has which tool")
def fourteenth_tool_crib() -> object:
    class LoanOfTool(bt.Model, table="loan_of_tool", events="5/s"):
        """The loans of a tool, the newest first."""

        tool: str = bt.key(bt.HexDigest(16), cardinality=120_000)
        lent: datetime = bt.key(bt.ReversedMillis(round=True))
        badge: str = bt.key(bt.HexDigest(16), cardinality=9_000)

        n = bt.family("n", gc=bt.max_age(days=1095))
        due: datetime = bt.column("due", n)

        of_tool = bt.query("tool", between="lent", newest=True)

    class LoanOfBadge(bt.Model, table="loan_of_badge", events="5/s"):
        """The same loans by the badge of the worker."""

        badge: str = bt.key(bt.HexDigest(16), cardinality=9_000)
        lent: datetime = bt.key(bt.ReversedMillis(round=True))
        tool: str = bt.key(bt.HexDigest(16), cardinality=120_000)

        n = bt.family("n", gc=bt.max_age(days=1095))
        due: datetime = bt.column("due", n)

        of_badge = bt.query("badge", between="lent", newest=True)

    bt.twins(LoanOfTool, LoanOfBadge)

    return LoanOfTool, LoanOfBadge


@good("Metrics of machine learning runs")
def fourteenth_training_runs() -> object:
    class Step(bt.Model, table="training_step", events="12000/s"):
        """A value of a metric at a step of a run; a chart is one range."""

        run: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)
        metric: str = bt.key(bt.Text(max_length=40), cardinality=2_000)
        step: int = bt.key(bt.PaddedInt(9), cardinality=10_000_000)

        v = bt.family("v", gc=bt.max_versions(1) | bt.max_age(days=365))
        value: float = bt.column("v", v)

        chart = bt.query("run", "metric", between="step")
        of_run = bt.query("run")

    return Step


@good("The dictionary behind a spelling checker, one row a headword and language")
def fourteenth_lexicon() -> object:
    class Headword(bt.Model, table="headword", events="20/s"):
        language: str = bt.key(bt.Text(width=3), cardinality=60)
        word: str = bt.key(bt.Text(max_length=60), cardinality=9_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        forms: list[str] = bt.column("forms", h, codec=bt.Json(list[str]), size=90, max_size=3_000)
        rank: int = bt.column("rank", h)

        completions = bt.query("language", starting="word")
        one = bt.query("language", "word")

    return Headword


@good("Closing prices of bonds. A price is amended a few times at most; the amendments are kept as versions")
def fourteenth_bond_prices() -> object:
    class BondDay(bt.Model, table="bond_day", events="300000/day"):
        isin: str = bt.key(bt.Text(width=12), cardinality=300_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        p = bt.family("p", gc=bt.max_versions(20))
        price: bt.History[Decimal] = bt.history("px", p, size=8, max_size=20)

        of_bond = bt.query("isin", between="day", span="365d")

    return BondDay


@good("Street lights that are broken, and the lists of the repair crews")
def fourteenth_street_lights() -> object:
    class LightFault(bt.Model, table="light_fault", events="4/s"):
        """A reported fault, looked up by the number on the slip."""

        slip: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=1825))
        crew: str = bt.column("crew", f, size=6, max_size=10, cardinality=180)
        light: str = bt.column("light", f, size=10, max_size=20)
        reported: datetime = bt.column("reported", f)
        note: str | None = bt.column("note", f, size=60, max_size=1_000, default=None)

        by_slip = bt.query("slip")

    class FaultOfCrew(bt.Index, of=LightFault, view="fault_of_crew"):
        """A crew's faults, the newest first; some minutes of delay do not matter."""

        crew: str = bt.key(bt.Text(max_length=10), cardinality=180)
        newest: datetime = bt.key(bt.ReversedMillis(), of="reported")
        slip: str = bt.covered()

        light: str = bt.covered()

        of_crew = bt.query("crew", between="newest")

    return LightFault, FaultOfCrew


@good("Notes as they are now, and the revisions of the last year, a row each")
def fourteenth_shared_notes() -> object:
    class Revision(bt.Model, table="note_revision", events="1100/s"):
        note: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)
        saved: datetime = bt.key(bt.ReversedMillis(round=True))
        author: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

        r = bt.family("r", gc=bt.max_age(days=365))
        patch: bytes = bt.column("patch", r, size=400, max_size=200_000)

        of_note = bt.query("note", between="saved", newest=True)

    class NoteNow(bt.Model, table="note", events="1100/s"):
        note: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        n = bt.family("n", gc=bt.max_versions(1))
        body: str = bt.column("body", n, size=5_000, max_size=1_000_000)
        saved: datetime = bt.column("saved", n)

        one = bt.query("note")

    return Revision, NoteNow
