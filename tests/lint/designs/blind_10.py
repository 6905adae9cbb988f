"""A tenth set of designs by people who had not read the rules: those on which the review was wrong, and the good ones."""

from datetime import date, datetime
from enum import StrEnum

from published import bad, good

import btmodel as bt


@bad(
    "A page of herbarium sheets that comes with all scans",
    "QRY005",
    says=('only=["species", "year"]', "give `scan` a family of its own"),
    verdict="warning",
)
def tenth_herbarium() -> object:
    class HerbariumSheet(bt.Model, table="HERBARIUM_SHEET", events="4000/day"):
        """A sheet of a collection: its label, and the scan that botanists zoom into.

        The catalogue page lists the species and the year of all sheets of a collection; a click opens the scan of one.
        """

        collection: str = bt.key(bt.Text(max_length=12), cardinality=900)
        sheet: int = bt.key(bt.PaddedInt(7), cardinality=2_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        species: str = bt.column("sp", s, size=30, max_size=120)
        year: int | None = bt.column("yr", s, default=None)
        scan: bytes | None = bt.column("jpg", s, default=None, size=3_500_000, max_size=8_000_000)

        of_collection = bt.query("collection")

    return HerbariumSheet


@bad(
    "A chart of a year that reads every second of it",
    "QRY005",
    says=("`bt.Rollup`",),
    verdict="warning",
)
def tenth_heat_pumps() -> object:
    class PumpSample(bt.Model, table="PUMP_SAMPLE", events="5000/s", nodes=3):
        """What a pump drew and gave in one second; 5,000 pumps are connected.

        The owner's app opens with a chart of the past year, a point for each day.
        """

        pump: str = bt.key(bt.HexDigest(8), cardinality=5_000)
        at: datetime = bt.key(bt.EpochSeconds())

        s = bt.family("s", gc=bt.max_age(days=400))
        watts_in: int = bt.column("i", s)
        watts_out: int = bt.column("o", s)

        of_pump = bt.query("pump", between="at", span="365days")

    return PumpSample


@bad(
    "Tests of which no more than twenty are promised, and none for longer than 90 days, under an intersection",
    "FAM010",
    says=('let the GC rule do it: `bt.family("t", gc=bt.max_versions(20) | bt.max_age(days=90))`',),
    never=('bt.family("b"',),
    verdict="warning",
)
def tenth_interlocks() -> object:
    class Interlock(bt.Model, table="INTERLOCK", events="8/s"):
        """A bus and the results of its breath tests.

        The works agreement lets the operator hold the last 20 tests of a bus, and no test for longer than 90 days. Buses may stand still for months.
        """

        bus: int = bt.key(bt.PaddedInt(7), cardinality=90_000, sequential=False)

        b = bt.family("b", gc=bt.max_versions(1))
        depot: str | None = bt.column("depot", b, default=None, size=10, max_size=40)

        t = bt.family("t", gc=bt.max_versions(20) & bt.max_age(days=90))
        permille: bt.History[float] = bt.history("bac", t, every="3h")

    return Interlock


@bad("A table for each of six countries", asked=("TAB002",), verdict="info")
def tenth_soil_samples() -> object:
    class SoilSample(bt.Model, table="SOIL_{country}", events="200/day"):
        """What a laboratory found in a sample of a field.

        Each of the six countries of the programme has a table, so that its agency can be given access to it, and can have it deleted.
        """

        farm: str = bt.key(bt.HexDigest(10), cardinality=90_000)
        field: int = bt.key(bt.PaddedInt(3), cardinality=200, sequential=False)
        taken: date = bt.key(bt.DateText("%Y%m%d"))

        s = bt.family("s", gc=bt.max_versions(1))
        acidity: float = bt.column("ph", s)
        phosphorus: int | None = bt.column("p", s, default=None)
        potassium: int | None = bt.column("k", s, default=None)

        of_field = bt.query("farm", "field", between="taken")

    return SoilSample


@good("Movements of the doors of trams, to replace drives before they fail")
def tenth_tram_doors() -> object:
    class DoorCycle(bt.Model, table="DOOR_CYCLE", events="600/s"):
        """A door opened and closed: how long it took, and the highest current of its drive."""

        tram: int = bt.key(bt.PaddedInt(4), cardinality=700, sequential=False)
        door: int = bt.key(bt.PaddedInt(2), cardinality=12, sequential=False)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=180))
        millis: int = bt.column("ms", c)
        amperes: float = bt.column("a", c)

        of_door = bt.query("tram", "door", between="at", span="1day")

    return DoorCycle


@good("Calls of a county's volunteer fire brigades")
def tenth_dispatches() -> object:
    class Dispatch(bt.Model, table="DISPATCH", events="40/day"):
        """A call-out, numbered within its day. The duty officer reads through the week."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        number: int = bt.key(bt.PaddedInt(3), cardinality=300)

        d = bt.family("d", gc=bt.max_versions(1))
        brigade: str = bt.column("brigade", d, size=20, max_size=60)
        alarmed: datetime = bt.column("at", d)
        report: str | None = bt.column("report", d, default=None, size=1_000, max_size=8_000)

        of_days = bt.query(between="day", span="7days")

    return Dispatch


@good("Pulses that a radio telescope detects, before they are matched with known pulsars")
def tenth_pulses() -> object:
    class Pulse(bt.Model, table="PULSE", events="48000/s", nodes=8):
        """A candidate pulse. The matcher asks for all pulses of a second of the sky, whatever the beam."""

        shard = bt.salt("pulse", buckets=24)
        at: datetime = bt.key(bt.EpochMicros())
        pulse: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=10))
        beam: int = bt.column("beam", p)
        dispersion: float = bt.column("dm", p)
        strength: float = bt.column("snr", p)

        of_time = bt.query(between="at", span="1s")

    return Pulse


@good("Taps of fare cards in a city's buses and trains")
def tenth_fare_cards() -> object:
    class Tap(bt.Model, table="TAP", events="9000/s", nodes=4):
        """A tap of a card at a reader, the newest first. Cards are numbered as they are issued, and the newest are used most."""

        card: int = bt.key(bt.ReversedDigits(10), cardinality=60_000_000, sequential=True)
        at: datetime = bt.key(bt.ReversedMillis())

        t = bt.family("t", gc=bt.max_age(days=120))
        reader: int = bt.column("r", t)
        cents: int | None = bt.column("c", t, default=None)

        of_card = bt.query("card", between="at", span="30days", newest=True)

    return Tap


@good("Ice cream cabinets in kiosks: what they measured, and how they are now")
def tenth_ice_cream_cabinets() -> object:
    class CabinetReading(bt.Model, table="CABINET_READING", events="670/s"):
        """What a cabinet measured at a time; each of 40,000 measures once a minute."""

        cabinet: str = bt.key(bt.HexDigest(10), cardinality=40_000)
        at: datetime = bt.key(bt.EpochSeconds())

        r = bt.family("r", gc=bt.max_age(days=90))
        celsius: float = bt.column("t", r)
        door_open: bool = bt.column("d", r)

        of_cabinet = bt.query("cabinet", between="at", span="1day")

    class CabinetNow(bt.Model, table="CABINET_NOW", events="670/s"):
        """The latest reading of a cabinet. A reading that comes late never hides a newer one."""

        cabinet: str = bt.key(bt.HexDigest(10), cardinality=40_000)
        at: datetime = bt.timestamp()

        n = bt.family("n", gc=bt.max_versions(1))
        celsius: float = bt.column("t", n)
        door_open: bool = bt.column("d", n)

    bt.twins(CabinetReading, CabinetNow)

    return CabinetReading, CabinetNow


@good("Sentences that translators have translated before")
def tenth_translation_memory() -> object:
    class Translation(bt.Model, table="TRANSLATION", events="500/s"):
        """What a sentence is in another language. The editor looks up each sentence of a new document."""

        target: str = bt.key(bt.Text(width=2), cardinality=45)
        id = bt.digest("source")

        t = bt.family("t", gc=bt.max_versions(1))
        source: str = bt.column("src", t, size=120, max_size=4_000)
        text: str = bt.column("txt", t, size=130, max_size=6_000)
        rating: int | None = bt.column("r", t, default=None)

        of_sentence = bt.query("target", "source")

    return Translation


@good("Choirs of a federation and who sings in them in a season")
def tenth_choirs() -> object:
    class ChoirSeason(bt.Model, table="CHOIR_SEASON", events="2000/day"):
        """A choir in a season: its conductor, and the numbers of its members; the largest choir has 220."""

        choir: int = bt.key(bt.PaddedInt(5), cardinality=8_000, sequential=False)
        season: int = bt.key(bt.PaddedInt(4), cardinality=30)

        c = bt.family("c", gc=bt.max_versions(1))
        conductor: int | None = bt.column("cond", c, default=None)

        m = bt.family("m", gc=bt.max_versions(1))
        members: set[int] = bt.members(m, bt.PaddedInt(8), entries=220)

        of_choir = bt.query("choir", between="season")

    return ChoirSeason


@good("Units of blood in the banks of a transfusion service")
def tenth_blood_units() -> object:
    class UnitState(StrEnum):
        FREE = "free"
        RESERVED = "reserved"
        USED = "used"
        DISCARDED = "discarded"

    class BloodUnit(bt.Model, table="BLOOD_UNIT", events="30/s"):
        """A unit, its group, where it lies, and what became of it."""

        unit: str = bt.key(bt.HexDigest(14), cardinality=5_000_000)

        u = bt.family("u", gc=bt.max_versions(1))
        bank: str = bt.column("bank", u, size=6, max_size=10, cardinality=120)
        group: str = bt.column("grp", u, size=3, max_size=4, cardinality=8)
        state: UnitState = bt.column("state", u)
        expires: datetime = bt.column("exp", u)

        of_unit = bt.query("unit")

    class FreeUnit(bt.Index, of=BloodUnit, view="FREE_UNIT", where={"state": UnitState.FREE}):
        """The free units of a bank and a group, those that expire first in front. Before one is taken, its row in the table counts."""

        bank: str = bt.key(bt.Text(max_length=10), cardinality=120)
        group: str = bt.key(bt.Text(max_length=4), cardinality=8)
        expires: datetime = bt.key(bt.EpochSeconds())
        unit: str = bt.covered()
        state: UnitState = bt.covered()

        of_group = bt.query("bank", "group", between="expires")

    return BloodUnit, FreeUnit


@good("Housekeeping data of small satellites")
def tenth_satellites() -> object:
    class SatelliteDay(bt.Model, table="SATELLITE_DAY", bucket="day", events="120/s", lateness="12h"):
        """A day of a satellite: three values each second. They are received when it passes a ground station, half a day later at most."""

        satellite: int = bt.key(bt.PaddedInt(4), cardinality=120, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        h = bt.family("h", gc=bt.max_age(days=90))
        panel: bt.History[float] = bt.history("pan", h, every="1s")
        battery: bt.History[float] = bt.history("bat", h, every="1s")
        wheel: bt.History[float] = bt.history("whl", h, every="1s")

        of_satellite = bt.query("satellite", between="day", span="1day")

    return SatelliteDay


@good("Pets in the practices of a chain of veterinarians")
def tenth_pets() -> object:
    class Pet(bt.Model, table="PET", events="25/s"):
        """A pet by the number of its chip, with its weights of a lifetime: about four a year, and no pet has had 200."""

        chip: int = bt.key(bt.PaddedInt(15), cardinality=8_000_000, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1))
        species: str = bt.column("sp", p, size=6, max_size=30)
        born: date | None = bt.column("born", p, default=None)

        w = bt.family("w", gc=bt.max_versions(200))
        grams: bt.History[int] = bt.history("g", w, every="90days")

    return Pet


@good("Signatures of public petitions, counted live")
def tenth_petitions() -> object:
    class SignatureCount(bt.Model, table="SIGNATURE_COUNT", events="2000/s"):
        """A part of the count of a petition. A writer adds to one of 32 parts at random; the page adds the parts up.

        On most days three petitions get more than half of all signatures.
        """

        petition: str = bt.key(bt.HexDigest(8), cardinality=5_000, skew="60%:3")
        part: int = bt.key(bt.PaddedInt(2), cardinality=32, sequential=False)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        signatures: int | None = bt.counter("n", n, increments="750/min")

        of_petition = bt.query("petition")

    return SignatureCount


@good("Who changed what in a planning software, for the customers' own auditors")
def tenth_audit_trail() -> object:
    class Change(bt.Model, table="CHANGE", events="20000/s", nodes=8):
        """A change that an account made. Auditors go through the accounts of their company, one after the other.

        One customer, a railway, makes more than half of all changes, from a quarter of a million accounts.
        """

        customer: str = bt.key(bt.Text(max_length=16), cardinality=900, skew="60%:1", tenant=True)
        account: str = bt.key(bt.HexDigest(10), cardinality=400_000, pii=False)
        at: datetime = bt.key(bt.EpochMicros())

        c = bt.family("c", gc=bt.max_age(days=60))
        what: str = bt.column("w", c, size=40, max_size=200)
        before: str | None = bt.column("b", c, default=None, size=60, max_size=10_000)
        after: str | None = bt.column("a", c, default=None, size=60, max_size=10_000)

        of_account = bt.query("customer", "account", between="at", span="1day")

    return Change


@good("Market pitches that traders hold for a while")
def tenth_pitches() -> object:
    class Pitch(bt.Model, table="PITCH", events="20/s"):
        """A pitch of a market square that is taken, and until when. It is free again when its time is over."""

        square: str = bt.key(bt.Text(max_length=12), cardinality=400)
        pitch: int = bt.key(bt.PaddedInt(3), cardinality=120, sequential=False)
        until: datetime = bt.expires(round=True)

        p = bt.family("p", gc=bt.max_age(seconds=1))
        trader: str = bt.column("t", p, size=12, max_size=12)
        goods: str | None = bt.column("g", p, default=None, size=15, max_size=60)

        of_square = bt.query("square")

    return Pitch


@good("Formulas from which shops mix wall paint")
def tenth_paint_colours() -> object:
    class Colour(bt.Model, table="COLOUR", events="50/day"):
        """The formula of a colour of a maker's fan: drops of each pigment. There are 30,000 in all."""

        maker: str = bt.key(bt.Text(max_length=12), cardinality=25)
        code: str = bt.key(bt.Text(max_length=10), cardinality=30_000)

        c = bt.family("c", gc=bt.max_versions(1))
        name: str = bt.column("name", c, size=15, max_size=60)
        drops: dict[str, int] = bt.column("drops", c, size=120, max_size=400)

        of_maker = bt.query("maker")
        everything = bt.query(scan="once a night all 30,000 formulas are copied to the tills, 9 MB")

    return Colour


@good("Knitting patterns that designers sell")
def tenth_knitting_patterns() -> object:
    class Pattern(bt.Model, table="PATTERN", events="600/day"):
        """A pattern of a designer: what the list shows, and the booklet that buyers download one at a time."""

        designer: str = bt.key(bt.HexDigest(8), cardinality=40_000, pii=False)
        pattern: str = bt.key(bt.Text(max_length=40), cardinality=900_000)

        p = bt.family("p", gc=bt.max_versions(1))
        title: str = bt.column("title", p, size=30, max_size=120)
        published: date | None = bt.column("on", p, default=None)
        needles: str | None = bt.column("mm", p, default=None, size=8, max_size=30)

        b = bt.family("b", gc=bt.max_versions(1))
        booklet: bytes | None = bt.column("pdf", b, default=None, size=900_000, max_size=6_000_000)

        of_designer = bt.query("designer", only=["title", "published", "needles"])

    return Pattern


@good("Wind instruments that music schools rent out, and their inspections")
def tenth_instruments() -> object:
    class Instrument(bt.Model, table="INSTRUMENT", events="3/s"):
        """An instrument and the grades of its inspections.

        The workshop wants the newest five grades however old they are, and in busy times every grade of the last 90 days.
        """

        instrument: str = bt.key(bt.HexDigest(10), cardinality=250_000)

        i = bt.family("i", gc=bt.max_versions(1))
        kind: str = bt.column("kind", i, size=10, max_size=40)
        school: int | None = bt.column("school", i, default=None)

        g = bt.family("g", gc=bt.max_versions(5) & bt.max_age(days=90))
        grade: bt.History[int] = bt.history("grade", g, every="7days")

    return Instrument


@good("How often the chargers for electric cars are used")
def tenth_chargers() -> object:
    class Charger(bt.Model, table="CHARGER", events="60/s"):
        """A charger, when it was built, and how many charges began in each hour of the past year; charts show a few weeks."""

        charger: int = bt.key(bt.PaddedInt(9), cardinality=80_000, sequential=False)

        u = bt.family("u", gc=bt.max_age(days=370), aggregate="sum")
        charges: bt.History[int] = bt.counter("n", u, every="1h", increments="10/h")
        watt_hours: bt.History[int] = bt.counter("wh", u, every="1h", increments="10/h")

        c = bt.family("c", gc=bt.max_versions(1))
        built: date | None = bt.column("built", c, default=None)

    return Charger


@good("Seats of long-distance trains")
def tenth_train_seats() -> object:
    class TrainRun(bt.Model, table="TRAIN_RUN", events="300/s", atomic=("train", "day")):
        """A train on a day and which booking has which seat, of 940 at most. A family's seats are booked all at once or not at all."""

        train: int = bt.key(bt.PaddedInt(5), cardinality=1_500, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"), sequential=False)

        r = bt.family("r", gc=bt.max_versions(1))
        version: int | None = bt.column("v", r, default=None)

        s = bt.family("s", gc=bt.max_versions(1))
        seats: dict[str, str] = bt.mapping(s, bt.Text(max_length=7), size=12, entries=940)

        of_train = bt.query("train", between="day", span="7days")

    return TrainRun


@good("Reports of mail receivers on who sends in the name of a domain")
def tenth_mail_reports() -> object:
    class DomainReport(bt.Model, table="DOMAIN_REPORT", events="30/s"):
        """What a receiver reported of a domain for a day. Administrators look at a domain, or at one with all of its subdomains."""

        domain: str = bt.key(bt.ReversedDomain(120), cardinality=2_000_000, domain=True)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        receiver: int = bt.key(bt.PaddedInt(5), cardinality=3_000, sequential=False)

        r = bt.family("r", gc=bt.max_age(days=200))
        passed: int = bt.column("ok", r)
        failed: int = bt.column("bad", r)

        of_domain = bt.query("domain", between="day", span="30days")
        below = bt.query(starting="domain")

    return DomainReport
