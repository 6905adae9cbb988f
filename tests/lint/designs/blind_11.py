"""An eleventh set of designs by people who had not read the rules: those on which the review was wrong, and the good ones."""

from datetime import date, datetime
from uuid import UUID

from published import bad, good

import btmodel as bt


@bad(
    "A page of a title that reads all copies of all libraries",
    "QRY001",
    says=('give `title`, `of_title = bt.query("title")`', "`{title}#{branch}#{barcode}`"),
    verdict="warning",
)
def eleventh_library_copies() -> object:
    class Copy(bt.Model, table="library_copies", events="40/s"):
        """A copy of a book, where it stands, and until when it is lent. The page of a title shows readers which branches
        have a copy of it."""

        branch: str = bt.key(bt.Text(width=5), cardinality=3_000)
        barcode: int = bt.key(bt.PaddedInt(14), cardinality=60_000_000, sequential=False)

        c = bt.family("c", gc=bt.max_versions(1))
        title: str = bt.column("title", c, size=13, max_size=20, cardinality=5_000_000)
        due: date | None = bt.column("due", c, default=None)

        of_title = bt.query(scan="the page of a title lists the copies of it in all branches")
        of_copy = bt.query("branch", "barcode")

    return Copy


@bad(
    "Today's arrivals of a port, picked by their time among those of ten years",
    "QRY005",
    says=('`{port}#{at}#{vessel}` serves `bt.query("port", between="at")`',),
    verdict="warning",
)
def eleventh_port_calls() -> object:
    class PortCall(bt.Model, table="port_calls", events="30000/day"):
        """The arrival of a vessel at a port, kept for ten years. The harbour master's board shows today's arrivals of the
        port; now and then somebody asks for the earlier calls of one vessel there."""

        port: str = bt.key(bt.Text(width=5), cardinality=900)
        vessel: int = bt.key(bt.PaddedInt(7), cardinality=90_000, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds())

        c = bt.family("c", gc=bt.max_age(days=3_653))
        berth: str = bt.column("berth", c, size=6, max_size=12)
        draught_cm: int = bt.column("draught", c)

        board = bt.query("port", where=["at"])
        of_vessel = bt.query("port", "vessel", between="at")

    return PortCall


@bad(
    "A catalogue of works that comes with the scans of them",
    "QRY005",
    says=('only=["title", "key", "year"]',),
    verdict="warning",
)
def eleventh_sheet_music() -> object:
    class Score(bt.Model, table="sheet_music", events="500/day"):
        """A work with the scan of its first edition. The catalogue page lists title, key and year of all works of a
        composer, up to a thousand; the viewer opens one of them."""

        composer: str = bt.key(bt.Text(max_length=30), cardinality=4_000)
        work: str = bt.key(bt.Text(max_length=24), cardinality=240_000)

        s = bt.family("s", gc=bt.max_versions(1))
        title: str = bt.column("title", s, size=50, max_size=300)
        key: str = bt.column("key", s, size=8, max_size=20)
        year: int = bt.column("year", s)
        scan: bytes = bt.column("scan", s, size=900_000, max_size=6_000_000)

        of_composer = bt.query("composer")
        opened = bt.query("composer", "work")

    return Score


@bad(
    "Records of fields that inspectors ask for longer than they are kept",
    "FAM010",
    says=("gc=bt.max_age(days=1_096)",),
    verdict="warning",
)
def eleventh_pesticide_records() -> object:
    class Application(bt.Model, table="pesticide_records", events="30000/day"):
        """What was sprayed on a field, as the farmer reports it. Inspectors may ask for the records of the last three
        years of a field."""

        field: str = bt.key(bt.Text(width=12), cardinality=900_000)
        at: datetime = bt.key(bt.EpochSeconds())

        a = bt.family("a", gc=bt.max_age(days=365))
        product: str = bt.column("product", a, size=9, max_size=20)
        grams: int = bt.column("g", a)

        of_field = bt.query("field", between="at")

    return Application


@bad(
    "Positions that an agreement ends, under an intersection that keeps the newest",
    "FAM010",
    says=("gc=bt.max_age(days=7)",),
    verdict="warning",
)
def eleventh_hiker_beacons() -> object:
    class Beacon(bt.Model, table="hiker_beacons", events="300/s"):
        """Where a rented beacon was last. Mountain rescue needs the newest position; by the privacy agreement, positions
        are gone seven days after they were sent."""

        beacon: str = bt.key(bt.HexDigest(16), cardinality=90_000)

        p = bt.family("p", gc=bt.max_versions(1) & bt.max_age(days=7))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)

        of_beacon = bt.query("beacon")

    return Beacon


@good("Water levels at tide gauges")
def eleventh_tide_gauges() -> object:
    class Level(bt.Model, table="tide_gauges", events="50/s"):
        """The water level at a gauge, once a minute at 3,000 gauges. Pilots look at the last day of a gauge."""

        gauge: str = bt.key(bt.Text(width=6), cardinality=3_000)
        at: datetime = bt.key(bt.EpochSeconds())

        w = bt.family("w", gc=bt.max_age(days=730))
        centimetres: int = bt.column("cm", w)

        of_gauge = bt.query("gauge", between="at", span="1day")

    return Level


@good("Night log of an observatory")
def eleventh_observing_log() -> object:
    class Entry(bt.Model, table="observing_log", events="300/day"):
        """What the night assistants of our domes noted: clouds, failures, targets. Astronomers read the log of all domes
        of a night in the order of time."""

        at: datetime = bt.key(bt.EpochMillis())
        dome: str = bt.key(bt.Text(max_length=8), cardinality=9)

        e = bt.family("e", gc=bt.max_versions(1))
        text: str = bt.column("t", e, size=150, max_size=4_000)

        of_night = bt.query(between="at", span="14h")

    return Entry


@good("Waybills of a rail freight company")
def eleventh_waybills() -> object:
    class Waybill(bt.Model, table="waybills", events="4000/s"):
        """A consignment, numbered by the booking system from a counter. Customers look one up by its number; the state
        changes at each yard."""

        number: int = bt.key(bt.ReversedDigits(10), cardinality=3_000_000_000, sequential=True)

        w = bt.family("w", gc=bt.max_versions(1))
        state: str = bt.column("state", w, size=10, max_size=20)
        yard: str = bt.column("yard", w, size=5, max_size=8)

        of_number = bt.query("number")

    return Waybill


@good("Reports of phishing from a mail service")
def eleventh_phishing_reports() -> object:
    class Report(bt.Model, table="phishing_reports", events="18000/s"):
        """A report of a suspicious mail by a user. The classifier takes the reports of all users, minute by minute, and
        has no other question."""

        shard = bt.salt("at", "report", buckets=8)
        at: datetime = bt.key(bt.EpochMillis())
        report: UUID = bt.key(bt.UuidRaw(), cardinality=10_000_000_000)

        r = bt.family("r", gc=bt.max_age(days=7))
        headers: str = bt.column("h", r, size=1_500, max_size=30_000)

        arrived = bt.query(between="at", span="1min")

    return Report


@good("Positions of players in football matches")
def eleventh_match_tracking() -> object:
    class Track(bt.Model, table="match_tracking", events="460/s"):
        """Where a player was in a second, as 25 points, in up to 20 matches of 23 tracked people at a time. Analysts
        replay a part of a match of one player."""

        match: str = bt.key(bt.HexDigest(16), cardinality=40_000)
        player: int = bt.key(bt.PaddedInt(2), cardinality=99, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds())

        p = bt.family("p", gc=bt.max_age(days=1_100))
        points: bytes = bt.column("p", p, size=100, max_size=100)

        of_player = bt.query("match", "player", between="at", span="10min")

    return Track


@good("Weights of beehives")
def eleventh_beehives() -> object:
    class Hive(bt.Model, table="beehives", events="20/s"):
        """A hive on a scale that reports every hour. The app of the beekeeper draws the last eight weeks, and nobody asks
        for more."""

        hive: str = bt.key(bt.HexDigest(16), cardinality=70_000)

        h = bt.family("h", gc=bt.max_age(days=56))
        grams: bt.History[int] = bt.history("g", h, every="1h")

        of_hive = bt.query("hive")

    return Hive


@good("Volunteers who maintain hiking trails")
def eleventh_trail_volunteers() -> object:
    class Trail(bt.Model, table="trail_volunteers", events="20000/day"):
        """A trail and the volunteers who have signed up for it: up to five thousand on the longest. The coordinator mails
        all of them."""

        trail: str = bt.key(bt.Text(max_length=20), cardinality=12_000)

        t = bt.family("t", gc=bt.max_versions(1))
        kilometres: float = bt.column("km", t)
        v = bt.family("v", gc=bt.max_versions(1))
        volunteers: set[bytes] = bt.members(v, bt.Bytes(width=16), entries=5_000)

        of_trail = bt.query("trail")

    return Trail


@good("Subtitle tracks of a film archive")
def eleventh_subtitles() -> object:
    class Subtitles(bt.Model, table="subtitles", events="6000/day"):
        """A subtitle file in a language. Translators can go back to one of the last ten states."""

        film: str = bt.key(bt.HexDigest(16), cardinality=80_000)
        language: str = bt.key(bt.Text(max_length=7), cardinality=60)

        s = bt.family("s", gc=bt.max_versions(10))
        file: bt.History[bytes] = bt.history("srt", s, size=90_000, max_size=400_000)

        of_language = bt.query("film", "language")

    return Subtitles


@good("Sensors of tunnel boring machines")
def eleventh_tunnel_borer() -> object:
    class BorerHour(bt.Model, table="tunnel_borers", bucket="hour", events="15/s"):
        """An hour of a tunnel boring machine: a sample of 60 channels every second, from 15 machines. Engineers go through
        a shift."""

        machine: str = bt.key(bt.Text(width=4), cardinality=15)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        c = bt.family("c", gc=bt.max_age(days=1_500))
        sample: bt.History[bytes] = bt.history("s", c, size=480, max_size=480, every="1s")

        of_machine = bt.query("machine", between="hour", span="8h")

    return BorerHour


@good("Inspections of lifts")
def eleventh_lift_inspections() -> object:
    class Inspection(bt.Model, table="lift_inspections", events="8000/day"):
        """What an inspector found at a lift. The ordinance asks for the findings of ten years; after eleven they are to be
        deleted."""

        lift: str = bt.key(bt.Text(width=10), cardinality=1_200_000)
        at: datetime = bt.key(bt.EpochSeconds())

        i = bt.family("i", gc=bt.max_age(days=4_018))
        passed: bool = bt.column("ok", i)
        findings: str = bt.column("text", i, size=600, max_size=20_000)

        of_lift = bt.query("lift", between="at")

    return Inspection


@good("Positions of meal couriers")
def eleventh_bike_courier_positions() -> object:
    class Courier(bt.Model, table="courier_positions", events="6000/s"):
        """Where a courier is now. Only the newest position counts, and labour law wants it gone a day after it was
        sent."""

        courier: UUID = bt.key(bt.UuidRaw(), cardinality=200_000)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=1))
        place: list[float] = bt.column("p", p, size=24, max_size=60)

        of_courier = bt.query("courier")

    return Courier


@good("Buoys in rivers")
def eleventh_river_buoys() -> object:
    class Buoy(bt.Model, table="river_buoys", events="7/s"):
        """A buoy with a turbidity probe that reports every ten minutes, kept for 30 days; and what the crew entered when
        they anchored it."""

        buoy: int = bt.key(bt.PaddedInt(5), cardinality=4_000, sequential=False)

        about = bt.family("about", gc=bt.max_versions(1))
        river: str = bt.column("river", about, size=12, max_size=60)
        anchored: date = bt.column("anchored", about)
        t = bt.family("t", gc=bt.max_age(days=30))
        turbidity: bt.History[float] = bt.history("ntu", t, every="10min")

        of_buoy = bt.query("buoy")

    return Buoy


@good("Hearing tests of a chain of audiologists")
def eleventh_hearing_tests() -> object:
    class HearingTest(bt.Model, table="hearing_tests", events="12000/day"):
        """An audiogram of a customer, who has a random number in our system; the customer register, elsewhere, knows whose
        number it is."""

        customer: UUID = bt.key(bt.UuidRaw(), cardinality=2_500_000)
        at: datetime = bt.key(bt.EpochSeconds())

        a = bt.family("a", gc=bt.max_versions(1))
        audiogram: dict[str, int] = bt.column("a", a, size=180, max_size=600)

        of_customer = bt.query("customer", between="at")

    return HearingTest


@good("Editions of a registry of machine-readable building codes")
def eleventh_standard_editions() -> object:
    class Edition(bt.Model, table="standard_editions", events="900/day"):
        """An edition of a building code, such as 3.10. Tools ask for the editions of a code from one major and minor
        number up to another, in their order."""

        code: str = bt.key(bt.Text(max_length=16), cardinality=25_000)
        edition: tuple[int, int] = bt.key(
            bt.Repeated(bt.PaddedInt(3), ".", least=2, most=2), cardinality=4_000
        )

        e = bt.family("e", gc=bt.max_versions(1))
        published: date = bt.column("published", e)
        link: str = bt.column("link", e, size=90, max_size=500)

        between_editions = bt.query("code", between="edition")

    return Edition


@good("Passages of tagged birds at antennas")
def eleventh_bird_detections() -> object:
    class Detection(bt.Model, table="bird_detections", events="800/s"):
        """A tag that an antenna heard. Colonies are dense, and many tags are heard in the same second; a tag sends once in
        five seconds."""

        antenna: str = bt.key(bt.Text(width=5), cardinality=600)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        tag: str = bt.key(bt.HexDigest(16), cardinality=250_000)

        d = bt.family("d", gc=bt.max_age(days=1_830))
        strength: int = bt.column("rssi", d)

        of_antenna = bt.query("antenna", between="at", span="1h")

    return Detection


@good("Pitches of camp sites")
def eleventh_camp_sites() -> object:
    class SiteNight(bt.Model, table="camp_sites", events="40/s", atomic=("site", "night")):
        """The pitches of a camp site in a night and who booked them. A group books several pitches of a night in one step,
        all or none; each night is a booking of its own."""

        site: str = bt.key(bt.Text(width=6), cardinality=9_000)
        night: date = bt.key(bt.DateText("%Y%m%d"))

        p = bt.family("p", gc=bt.max_versions(1))
        pitches: dict[str, str] = bt.mapping(p, bt.Text(max_length=5), entries=400, size=16, max_size=16)

        of_site = bt.query("site", between="night", span="14days")

    return SiteNight


@good("Feature switches of a game studio")
def eleventh_feature_switches() -> object:
    class Switch(bt.Model, table="feature_switches", events="50/day"):
        """A switch and the share of players who see the feature. A game server loads all of them when it starts; there are
        some three hundred."""

        name: str = bt.key(bt.Text(max_length=40), cardinality=300)

        s = bt.family("s", gc=bt.max_versions(1))
        percent: int = bt.column("pct", s)
        note: str | None = bt.column("note", s, size=80, max_size=500, default=None)

        of_name = bt.query("name")
        all_of_them = bt.query(scan="three hundred small rows, which a server loads once when it starts")

    return Switch


@good("Performances of opera houses")
def eleventh_opera_archive() -> object:
    class Performance(bt.Model, table="opera_performances", events="600/day"):
        """A performance with its cast. Visitors of the archive browse a season of a house."""

        house: str = bt.key(bt.Text(max_length=12), cardinality=700)
        evening: date = bt.key(bt.DateText("%Y%m%d"))
        number: int = bt.key(bt.PaddedInt(1), cardinality=6, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1))
        title: str = bt.column("title", p, size=30, max_size=200)
        cast: dict[str, str] = bt.column("cast", p, size=700, max_size=8_000)

        of_house = bt.query("house", between="evening", span="300days")

    return Performance


@good("Use of public drinking fountains")
def eleventh_drinking_fountains() -> object:
    class Fountain(bt.Model, table="drinking_fountains", events="550/s"):
        """How many bottles a fountain filled in each hour of the last 60 days, counted as they are filled. The water works
        look at one fountain."""

        fountain: str = bt.key(bt.Text(width=7), cardinality=16_000)

        c = bt.family("c", gc=bt.max_age(days=60), aggregate="sum")
        fills: bt.History[int] = bt.counter("n", c, every="1h", increments="2/min")

        of_fountain = bt.query("fountain")

    return Fountain


@good("Sheets of a herbarium")
def eleventh_herbarium() -> object:
    class Sheet(bt.Model, table="herbarium_sheets", events="3000/day"):
        """A pressed plant, found by the code on the sheet."""

        sheet: str = bt.key(bt.Text(width=9), cardinality=7_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        expedition: str = bt.column("exp", s, size=20, max_size=40, cardinality=9_000)
        taxon: str = bt.column("taxon", s, size=24, max_size=80, cardinality=300_000)
        label: str = bt.column("label", s, size=200, max_size=2_000)

        of_sheet = bt.query("sheet")

    class SheetOfExpedition(bt.Model, table="herbarium_by_expedition", events="3000/day"):
        """The sheets that an expedition brought home, which curators browse; written together with the sheet, whose
        expedition never changes."""

        expedition: str = bt.key(bt.Text(max_length=40), cardinality=9_000, changes=False)
        sheet: str = bt.key(bt.Text(width=9), cardinality=7_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        collected: date = bt.column("d", s)

        of_expedition = bt.query("expedition")

    return Sheet, SheetOfExpedition


@good("Irrigation of farms of many cooperatives")
def eleventh_irrigation() -> object:
    class ValveDay(bt.Model, table="irrigation", bucket="day", events="700/s"):
        """The litres that a valve let through in each quarter of an hour of a day, for the cooperatives that use our
        service. A farmer sees a week of a valve."""

        cooperative: str = bt.key(bt.Text(max_length=10), cardinality=350, tenant=True)
        valve: int = bt.key(bt.PaddedInt(6), cardinality=600_000, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        v = bt.family("v", gc=bt.max_age(days=1_100))
        litres: bt.Slots[int] = bt.slots(v, every="15min", qualifier="%H%M")

        of_valve = bt.query("cooperative", "valve", between="day", span="7days")

    return ValveDay


@good("Messages of street light controllers")
def eleventh_street_lights() -> object:
    class LampMessage(bt.Model, table="street_lights", events="2500/s"):
        """A message of the controller of a street light. The dispatcher sees the newest messages of a controller first."""

        controller: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)
        at: datetime = bt.key(bt.ReversedMillis())

        m = bt.family("m", gc=bt.max_age(days=90))
        code: int = bt.column("code", m)
        text: str | None = bt.column("text", m, size=60, max_size=400, default=None)

        of_controller = bt.query("controller", between="at", newest=True)

    return LampMessage
