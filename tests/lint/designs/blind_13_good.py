"""The good designs of a thirteenth set by people who had not read the rules."""

from datetime import date, datetime
from decimal import Decimal
from enum import IntEnum, StrEnum
from uuid import UUID

from published import good

import btmodel as bt


@good("Avalanche bulletins of the mountain regions of a country")
def thirteenth_avalanche_bulletins() -> object:
    class Level(IntEnum):
        LOW = 1
        MODERATE = 2
        CONSIDERABLE = 3
        HIGH = 4
        VERY_HIGH = 5

    class Bulletin(bt.Model, table="bulletin", events="60/day"):
        """A bulletin of a region. The map shows what was issued since yesterday, for all regions."""

        issued: datetime = bt.key(bt.EpochSeconds(round=True))
        region: str = bt.key(bt.Text(width=5), cardinality=45)

        b = bt.family("b", gc=bt.max_versions(1))
        level: Level = bt.column("level", b)
        text: str = bt.column("text", b, size=1_500, max_size=8_000)

        lately = bt.query(between="issued", span="1day")

    return Bulletin


@good("Donations of blood. Donors have a random number; names are in another system, behind other doors")
def thirteenth_blood_bank() -> object:
    class Group(StrEnum):
        O_NEG = "O-"
        O_POS = "O+"
        A_NEG = "A-"
        A_POS = "A+"
        B_NEG = "B-"
        B_POS = "B+"
        AB_NEG = "AB-"
        AB_POS = "AB+"

    class Donation(bt.Model, table="donation", events="10/s"):
        """A donation of a donor, the newest first: when may they come again?"""

        donor: str = bt.key(bt.HexDigest(16), cardinality=6_000_000, pii=False)
        day: date = bt.key(bt.Descending(bt.DateText("%Y%m%d")))

        d = bt.family("d", gc=bt.max_versions(1))
        bag: int = bt.column("bag", d)
        group: Group = bt.column("group", d)
        millilitres: int = bt.column("ml", d)

        of_donor = bt.query("donor", between="day")

    class Bag(bt.Model, table="bag", events="30/s"):
        """A bag in a fridge."""

        number: int = bt.key(bt.ReversedDigits(10), cardinality=40_000_000, sequential=True)

        b = bt.family("b", gc=bt.max_versions(1))
        group: Group = bt.column("group", b)
        fridge: str = bt.column("fridge", b, size=6, max_size=12)
        ends: date = bt.column("ends", b)

        one = bt.query("number")

    return Donation, Bag


@good("Inspections of bridges. Three motorway agencies own most of them")
def thirteenth_bridge_inspections() -> object:
    class Finding(bt.Model, table="bridge_finding", events="5/s"):
        """A defect that an inspector saw, the newest first."""

        agency: str = bt.key(bt.Text(width=3), cardinality=60, skew="80%:3")
        bridge: int = bt.key(bt.PaddedInt(6), cardinality=140_000, sequential=False)
        day: date = bt.key(bt.Descending(bt.DateText("%Y%m%d")))
        number: int = bt.key(bt.PaddedInt(3), cardinality=400, sequential=False)

        f = bt.family("f", gc=bt.max_versions(1))
        part: str = bt.column("part", f, size=12, max_size=60)
        grade: int = bt.column("grade", f)
        text: str = bt.column("text", f, size=300, max_size=3_000)

        of_bridge = bt.query("agency", "bridge", between="day")

    return Finding


@good("Wheels of cheese in an ageing cellar")
def thirteenth_cheese_ageing() -> object:
    class Wheel(bt.Model, table="wheel", events="6/s"):
        """A wheel. The turner weighs it once a week, for three years at most."""

        dairy: int = bt.key(bt.PaddedInt(4), cardinality=320, sequential=False)
        made: date = bt.key(bt.DateText("%Y%m%d"))
        number: int = bt.key(bt.PaddedInt(3), cardinality=200, sequential=False)

        a = bt.family("a", gc=bt.max_versions(1))
        milk: str | None = bt.column("milk", a, default=None, size=6, max_size=20)
        shelf: int | None = bt.column("shelf", a, default=None)

        w = bt.family("w", gc=bt.max_versions(170))
        grams: bt.History[int] = bt.history("g", w, every="7day")

        of_dairy = bt.query("dairy", between="made", span="30day")
        one = bt.query("dairy", "made", "number")

    return Wheel


@good("Coffee roasters: the curve of each roast")
def thirteenth_coffee_roasting() -> object:
    class Roast(bt.Model, table="roast", events="800/s"):
        """A roast and its curve, a value a second. No roast takes longer than half an hour: the drum stops by itself."""

        roaster: int = bt.key(bt.PaddedInt(5), cardinality=4_000, sequential=False)
        began: datetime = bt.key(bt.ReversedSeconds(round=True))

        a = bt.family("a", gc=bt.max_versions(1))
        bean: str | None = bt.column("bean", a, default=None, size=20, max_size=60)
        colour: float | None = bt.column("agtron", a, default=None)

        c = bt.family("c", gc=bt.max_versions(1_800))
        degrees: bt.History[float] = bt.history("t", c, codec=bt.FloatBytes(4, round=True), every="1s")

        newest_of = bt.query("roaster", between="began", newest=True, only=["bean", "colour"])
        one = bt.query("roaster", "began")

    return Roast


@good("Scans of container images for known vulnerabilities")
def thirteenth_container_scans() -> object:
    class Scan(bt.Model, table="scan", events="120/s"):
        """The latest scan of an image: each finding with its severity. Each scan replaces the row."""

        image: str = bt.key(bt.HexDigest(64), cardinality=40_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        scanned: datetime = bt.column("at", s)
        tool: str = bt.column("tool", s, size=12, max_size=40)

        v = bt.family("v", gc=bt.max_versions(1))
        findings: dict[str, int] = bt.mapping(v, bt.Text(max_length=20), entries=2_500)

        one = bt.query("image")
        summary = bt.query("image", only=["scanned"])

    class Affected(bt.Model, table="affected", events="2500/s"):
        """The images that a vulnerability was found in: a row for each pair, because some are in millions of images."""

        vulnerability: str = bt.key(bt.Text(max_length=20), cardinality=250_000)
        image: str = bt.key(bt.HexDigest(64), cardinality=40_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        severity: int = bt.column("s", a)

        of_vulnerability = bt.query("vulnerability")

    return Scan, Affected


@good("Enrolment in courses of a university: by student and by course")
def thirteenth_course_enrolment() -> object:
    class ByStudent(bt.Model, table="enrolment_by_student", events="50/s"):
        """The courses of a student in a term."""

        student: int = bt.key(bt.PaddedInt(8), cardinality=600_000, sequential=False, pii=False)
        term: str = bt.key(bt.Text(width=5), cardinality=40)
        course: str = bt.key(bt.Text(width=8), cardinality=12_000)

        e = bt.family("e", gc=bt.max_versions(1))
        on: date = bt.column("on", e)
        waiting: bool = bt.column("w", e)

        of_student = bt.query("student", "term")

    class ByCourse(bt.Model, table="enrolment_by_course", events="50/s"):
        """Those who are enrolled in a course."""

        course: str = bt.key(bt.Text(width=8), cardinality=12_000)
        term: str = bt.key(bt.Text(width=5), cardinality=40)
        student: int = bt.key(bt.PaddedInt(8), cardinality=600_000, sequential=False, pii=False)

        e = bt.family("e", gc=bt.max_versions(1))
        on: date = bt.column("on", e)
        waiting: bool = bt.column("w", e)

        of_course = bt.query("course", "term")

    bt.twins(ByStudent, ByCourse)

    return ByStudent, ByCourse


@good("The customs tariff: commodity codes and their duties")
def thirteenth_customs_tariff() -> object:
    class Duty(bt.Model, table="duty", events="50/day"):
        """The duty of a commodity code, as of today."""

        code: str = bt.key(bt.Text(width=10), cardinality=12_000)

        d = bt.family("d", gc=bt.max_versions(1))
        percent: Decimal = bt.column("pct", d, size=4, max_size=10)
        text: str = bt.column("text", d, size=120, max_size=600)
        since: date = bt.column("since", d)

        one = bt.query("code")
        below = bt.query(starting="code")
        everything = bt.query(
            scan="each night a job loads all 12,000 codes into the memory of the declaration service"
        )

    return Duty


@good("Reverse vending: machines that take back deposit bottles")
def thirteenth_deposit_bottles() -> object:
    class Bottle(bt.Model, table="bottle", events="6000/s"):
        """A bottle that a machine took. `slot` counts the bottles of the same second, so none covers another."""

        machine: int = bt.key(bt.PaddedInt(6), cardinality=45_000, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        slot: int = bt.key(bt.PaddedInt(2), cardinality=20, sequential=False)

        b = bt.family("b", gc=bt.max_versions(1) | bt.max_age(days=120))
        ean: int = bt.column("ean", b)
        cents: int = bt.column("c", b)

        of_machine = bt.query("machine", between="at", span="1day")

    class Machine(bt.Model, table="deposit_machine", events="2/s"):
        """A machine, and the shop in which it stands."""

        machine: int = bt.key(bt.PaddedInt(6), cardinality=45_000, sequential=False)

        m = bt.family("m", gc=bt.max_versions(1))
        shop: str = bt.column("shop", m, size=25, max_size=100)
        full: bool = bt.column("full", m)

        one = bt.query("machine")

    return Bottle, Machine


@good("Sittings of state exams, planned up to two years ahead, and who is entered for them")
def thirteenth_exam_sittings() -> object:
    class Entry(bt.Model, table="exam_entry", events="300/s"):
        """A candidate's entry. Schools enter theirs for any sitting of the coming two years, through all of spring."""

        day: date = bt.key(bt.DateText("%Y%m%d"), cardinality=420, sequential=False)
        hall: int = bt.key(bt.PaddedInt(5), cardinality=6_000, sequential=False)
        candidate: int = bt.key(bt.PaddedInt(8), cardinality=4_000_000, sequential=False, pii=False)
        subject: str = bt.key(bt.Text(width=4), cardinality=90)

        e = bt.family("e", gc=bt.max_versions(1))
        extra_minutes: int = bt.column("x", e)
        desk: int | None = bt.column("d", e, default=None)

        of_hall = bt.query("day", "hall")

    return Entry


@good("Flats to let")
def thirteenth_flat_rentals() -> object:
    class Flat(bt.Model, table="flat", events="25/s"):
        """An offer. Agents edit it under its id; visitors search by town."""

        id: UUID = bt.key(bt.UuidRaw(), cardinality=8_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        town: str = bt.column("town", f, size=10, max_size=40, cardinality=11_000)
        rent: int = bt.column("rent", f)
        rooms: int = bt.column("rooms", f)
        title: str = bt.column("title", f, size=50, max_size=200)
        text: str = bt.column("text", f, size=1_200, max_size=10_000)
        offered: datetime = bt.column("on", f)

        one = bt.query("id")

    class FlatOfTown(bt.Index, of=Flat, view="FLAT_OF_TOWN"):
        """The offers of a town, the newest first, with what the list of results shows."""

        town: str = bt.key(bt.Text(max_length=40), cardinality=11_000)
        offered: datetime = bt.key(bt.ReversedMillis(), of="offered")
        id: UUID = bt.covered()

        rent: int = bt.covered()
        rooms: int = bt.covered()
        title: str = bt.covered()

        of_town = bt.query("town", between="offered", newest=True)

    return Flat, FlatOfTown


@good("Gift cards of a chain of book shops. The code on the card is as good as cash, so it is stored nowhere")
def thirteenth_gift_cards() -> object:
    class Card(bt.Model, table="gift_card", events="40/s"):
        """A card, found by the code that the cashier scans."""

        id = bt.digest("code", size=16)
        code: str | None = bt.key(bt.Text(width=16), stored=False, cardinality=50_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        cents: int = bt.column("cents", c)
        sold: date = bt.column("sold", c)
        shop: int = bt.column("shop", c)

        one = bt.query("code")

    return Card


@good("Honeypots: what attackers try on machines that nobody uses")
def thirteenth_honeypots() -> object:
    class Attempt(bt.Model, table="attempt", events="7000/s"):
        """An attempt on any honeypot. Analysts follow what is going on all over the network, minute by minute."""

        lane = bt.salt("id", buckets=10)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000_000)

        a = bt.family("a", gc=bt.max_versions(1) | bt.max_age(days=30))
        pot: int = bt.column("pot", a)
        source: bytes = bt.column("ip", a, size=4, max_size=16)
        payload: bytes = bt.column("raw", a, size=300, max_size=16_000)

        lately = bt.query(between="at", span="1min")

    return Attempt


@good("Beds of youth hostels")
def thirteenth_hostel_beds() -> object:
    class Night(bt.Model, table="hostel_night", events="70/s", atomic=("hostel", "night")):
        """A night of a hostel: who has which bed. A group gets its beds together or not at all, so they are one row."""

        hostel: int = bt.key(bt.PaddedInt(5), cardinality=9_000, sequential=False)
        night: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, cardinality=700)

        b = bt.family("b", gc=bt.max_versions(1))
        beds: dict[int, str] = bt.mapping(b, bt.PaddedInt(3), entries=240, size=16, max_size=16)

        stay = bt.query("hostel", between="night", span="14day")

    return Night


@good("Results of load tests of web services")
def thirteenth_load_tests() -> object:
    class Run(bt.Model, table="run", events="200/day"):
        """A run of a test, by when it began."""

        team: str = bt.key(bt.Text(max_length=30), cardinality=120)
        began: datetime = bt.key(bt.ReversedSeconds(round=True))
        run: UUID = bt.key(bt.UuidRaw(), cardinality=200_000)

        r = bt.family("r", gc=bt.max_versions(1))
        target: str = bt.column("target", r, size=40, max_size=200)
        passed: bool | None = bt.column("ok", r, default=None)

        of_team = bt.query("team", between="began", newest=True, span="30day")

    class Sample(bt.Model, table="sample", events="30000/s"):
        """What a worker of a run measured in a second, of one route."""

        worker: int = bt.key(bt.PaddedInt(4), cardinality=2_000, sequential=False)
        run: UUID = bt.key(bt.UuidRaw(), cardinality=200_000)
        second: datetime = bt.key(bt.EpochSeconds(round=True))
        route: int = bt.key(bt.PaddedInt(3), cardinality=300, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=60))
        requests: int = bt.column("n", s)
        p50: float = bt.column("p50", s)
        p99: float = bt.column("p99", s)

        of_worker = bt.query("worker", "run", between="second", span="15min")

    return Run, Sample


@good("A weaving mill: how many picks each loom makes")
def thirteenth_looms() -> object:
    class LoomDay(bt.Model, table="loom_day", bucket="day", events="4/s", lateness="6h"):
        """A day of a loom, in steps of five minutes."""

        mill: str = bt.key(bt.Text(width=3), cardinality=9)
        loom: int = bt.key(bt.PaddedInt(4), cardinality=1_200, sequential=False)
        day: date = bt.key(bt.DateText())

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=400))
        picks: bt.Slots[int] = bt.slots(p, every="5min", qualifier="%H%M")

        of_loom = bt.query("mill", "loom", between="day", span="7day")

    return LoomDay


@good("Vector tiles of a map of the world")
def thirteenth_map_tiles() -> object:
    class Tile(bt.Model, table="tile", events="3000/s"):
        """A tile of a style, drawn again where the map has changed. Neighbours in a column are fetched in one range."""

        style: str = bt.key(bt.Text(width=6), cardinality=4)
        zoom: int = bt.key(bt.PaddedInt(2), cardinality=17, sequential=False)
        x: int = bt.key(bt.PaddedInt(6), cardinality=65_536, sequential=False)
        y: int = bt.key(bt.PaddedInt(6), cardinality=65_536, sequential=False)

        t = bt.family("t", gc=bt.max_versions(1))
        data: bytes = bt.column("mvt", t, size=25_000, max_size=500_000)
        drawn: datetime = bt.column("at", t)

        strip = bt.query("style", "zoom", "x", between="y")
        one = bt.query("style", "zoom", "x", "y")

    return Tile


@good("Royalties: how often radio stations played a work, by quarter")
def thirteenth_music_royalties() -> object:
    class Work(bt.Model, table="work", events="30/min"):
        """A registered work, and the shares of its authors in percent."""

        iswc: str = bt.key(bt.Text(width=11), cardinality=70_000_000)

        w = bt.family("w", gc=bt.max_versions(1))
        title: str = bt.column("title", w, size=25, max_size=200)
        shares: dict[int, int] = bt.mapping(w, bt.PaddedInt(11), prefix="ipi:", entries=40)

        one = bt.query("iswc")

    class Plays(bt.Model, table="plays", events="150/s"):
        """The plays of a work in a quarter, station by station. Logs of stations arrive as one sum for each work and day."""

        iswc: str = bt.key(bt.Text(width=11), cardinality=70_000_000)
        quarter: date = bt.key(bt.DateText("%Y%m"))

        p = bt.family("p", gc=bt.keep_all(), aggregate="sum")
        stations: dict[int, int] = bt.counters(p, bt.PaddedInt(5), entries=4_000, increments="5/min")

        of_work = bt.query("iswc", between="quarter", span="365day")

    return Work, Plays


@good("Blank passports, as the printer numbers them")
def thirteenth_passport_books() -> object:
    class Book(bt.Model, table="passport_book", events="2/s"):
        """A blank book. Boxes hold five hundred in a row, and are stocktaken from the first number to the last."""

        number: int = bt.key(bt.PaddedInt(9), cardinality=60_000_000, sequential=True)

        b = bt.family("b", gc=bt.max_versions(1))
        box: int = bt.column("box", b)
        office: str | None = bt.column("office", b, default=None, size=4, max_size=8)
        issued: date | None = bt.column("issued", b, default=None)

        box_of = bt.query(between="number")
        one = bt.query("number")

    return Book


@good("Arrivals of waves at seismometers, as pickers find them")
def thirteenth_seismic_picks() -> object:
    class Phase(StrEnum):
        P = "P"
        S = "S"

    class Pick(bt.Model, table="pick", events="9000/s"):
        """A pick. The associator reads all picks of a network over half a minute, every few seconds."""

        lane = bt.salt("station", "at", buckets=12)
        network: str = bt.key(bt.Text(width=2), cardinality=5)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        station: str = bt.key(bt.Text(width=5), cardinality=7_000)
        phase: Phase = bt.key(bt.EnumText(Phase), cardinality=2)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=20))
        sigma: float = bt.column("s", p)
        quality: int = bt.column("q", p)

        of_network = bt.query("network", between="at", span="30s")

    return Pick


@good("The audit trail of SSH logins to servers")
def thirteenth_ssh_audit() -> object:
    class Login(bt.Model, table="ssh_login", events="1500/s"):
        """A login on a host, the newest first. Auditors ask for a year back."""

        host: str = bt.key(bt.Text(max_length=60), cardinality=90_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))
        pid: int = bt.key(bt.PaddedInt(7), cardinality=4_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=400))
        account: str = bt.column("acct", s, size=8, max_size=32)
        key_id: str = bt.column("key", s, size=43, max_size=64)
        accepted: bool = bt.column("ok", s)

        of_host = bt.query("host", between="at", newest=True, span="7day")

    class Host(bt.Model, table="ssh_host", events="10/s"):
        """A host, with the keys that may log in."""

        host: str = bt.key(bt.Text(max_length=60), cardinality=90_000)

        h = bt.family("h", gc=bt.max_versions(1))
        owner: str | None = bt.column("owner", h, default=None, size=10, max_size=60)
        keys: set[str] = bt.members(h, bt.Text(max_length=64), prefix="key:", entries=150)

        one = bt.query("host")

    return Login, Host


@good("A telethon: pledges that come in during one long evening, and the total on the big screen")
def thirteenth_telethon() -> object:
    class Pledge(bt.Model, table="pledge", events="900/s"):
        """A pledge. The row is what counts in the end; the screen may lag by some seconds."""

        id: UUID = bt.key(bt.UuidRaw(), cardinality=5_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        cents: int = bt.column("cents", p)
        at: datetime = bt.column("at", p)

        one = bt.query("id")

    class Total(bt.Model, table="total", events="12/min"):
        """The figure on the screen. One collector adds up what was pledged, and writes a sum every five seconds."""

        evening: str = bt.key(bt.Text(width=8), cardinality=30)

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        cents: int | None = bt.counter("cents", t, increments="12/min")
        pledges: int | None = bt.counter("n", t, increments="12/min")

        of_evening = bt.query("evening")

    return Pledge, Total


@good("The prop store of a theatre")
def thirteenth_theatre_props() -> object:
    class Production(bt.Model, table="production", events="20/day"):
        """A production, with all props that it needs."""

        season: str = bt.key(bt.Text(width=4), cardinality=60)
        title: str = bt.key(bt.Text(max_length=60), cardinality=900)

        p = bt.family("p", gc=bt.max_versions(1))
        opens: date | None = bt.column("opens", p, default=None)
        props: set[int] = bt.members(p, bt.PaddedInt(6), prefix="prop:", entries=300)

        of_season = bt.query("season")

    class Prop(bt.Model, table="prop", events="100/day"):
        """A thing on a shelf of the store."""

        number: int = bt.key(bt.PaddedInt(6), cardinality=80_000, sequential=True)

        p = bt.family("p", gc=bt.max_versions(1))
        what: str = bt.column("what", p, size=30, max_size=200)
        shelf: str = bt.column("shelf", p, size=5, max_size=10)

        one = bt.query("number")

    return Production, Prop


@good("Decisions about visas. A decision is final: an appeal is another case, with another number")
def thirteenth_visa_decisions() -> object:
    class Status(StrEnum):
        GRANTED = "granted"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    class Decision(bt.Model, table="visa_decision", events="25/s"):
        """A closed case. Embassies list what they granted, or refused, on a day."""

        embassy: str = bt.key(bt.Text(width=4), cardinality=180)
        status: Status = bt.key(bt.EnumText(Status), cardinality=3, changes=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        case: int = bt.key(bt.PaddedInt(10), cardinality=100_000_000, sequential=False)

        d = bt.family("d", gc=bt.max_versions(1))
        kind: str = bt.column("kind", d, size=2, max_size=6)
        officer: int = bt.column("officer", d)

        listed = bt.query("embassy", "status", between="day", span="7day")

    return Decision
