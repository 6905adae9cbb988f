"""A ninth set of designs by people who had not read the rules: those on which the review was wrong, and the good ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad, good

import btmodel as bt


@bad(
    "Wheels of cheese under the stage at which they are",
    "KEY021",
    says=("keep `stage` in a column: `{dairy}#{wheel}`",),
    verdict="warning",
)
def ninth_cheese_cellars() -> object:
    class Stage(StrEnum):
        """How far a wheel is."""

        SALTED = "salted"
        RIPENING = "ripening"
        READY = "ready"

    class Wheel(bt.Model, table="WHEEL", events="200000/day"):
        """A wheel of cheese on its way from the salt bath to the shop; the row is deleted when it is sold. The cellar
        master looks at the wheels of a dairy that are at one stage.
        """

        dairy: str = bt.key(bt.Text(width=4), cardinality=350)
        stage: Stage = bt.key(bt.EnumText(Stage))
        wheel: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)

        w = bt.family("w", gc=bt.max_versions(1))
        made: date = bt.column("m", w)
        grams: int = bt.column("g", w)
        turned: date | None = bt.column("t", w, default=None)
        grade: str | None = bt.column("q", w, default=None, size=2, max_size=4)

        at_stage = bt.query("dairy", "stage")

    return Wheel


@bad(
    "Dictations of which at most twenty are promised to be kept, for a month, under an intersection",
    "FAM010",
    asked=("KEY006",),
    says=("gc=bt.max_versions(20) | bt.max_age(days=30))",),
    verdict="warning",
)
def ninth_dictation() -> object:
    class Dictation(bt.Model, table="DICTATION", events="5/s"):
        """The last dictations of an account, to be pasted again. We promise in the contract that we hold twenty at most,
        and none for longer than 30 days.
        """

        account: UUID = bt.key(bt.UuidRaw(), cardinality=60_000)

        d = bt.family("d", gc=bt.max_versions(20) & bt.max_age(days=30))
        text: bt.History[str] = bt.history("t", d, size=700, max_size=12_000, every="3h")

        of_account = bt.query("account")

    return Dictation


@bad(
    "Latest positions that come days late, of animals that are counted by district, too",
    "ROW008",
    says=("`fixed: datetime = bt.timestamp()` in the place of the column",),
    verdict="warning",
)
def ninth_reindeer() -> object:
    class LastFix(bt.Model, table="LAST_FIX", events="60/s", lateness="3d"):
        """The latest position of an animal, as its collar sent it. Collars without coverage store their positions and send
        them, the newest first, once they hear a mast again.
        """

        district: str = bt.key(bt.Text(width=4), cardinality=90)
        animal: str = bt.key(bt.Text(width=9), cardinality=220_000)

        f = bt.family("f", gc=bt.max_versions(1))
        latitude: float = bt.column("la", f)
        longitude: float = bt.column("lo", f)
        fixed: datetime = bt.column("at", f)
        volts: float = bt.column("v", f)

        of_district = bt.query("district")

    return LastFix


@bad(
    "What an extinguisher is, entered when it is hung up, beside checks that are to go",
    "FAM010",
    says=("give `filling`, `serial`, `hung` a family of their own",),
    verdict="warning",
)
def ninth_extinguishers() -> object:
    class Filling(StrEnum):
        """What is in an extinguisher."""

        FOAM = "foam"
        POWDER = "powder"
        GAS = "gas"

    class Extinguisher(bt.Model, table="EXTINGUISHER", events="30000/day"):
        """An extinguisher of a building. What it is gets entered when it is hung up, for the twenty years that it may
        hang; each year's check is written by the fitter, and is to be gone after two years and a half.
        """

        building: str = bt.key(bt.Text(width=8), cardinality=400_000)
        number: int = bt.key(bt.PaddedInt(4), cardinality=500)

        e = bt.family("e", gc=bt.max_versions(1) | bt.max_age(days=900))
        filling: Filling = bt.column("f", e)
        serial: str = bt.column("s", e, size=12, max_size=20)
        hung: date = bt.column("h", e)
        checked: date | None = bt.column("c", e, default=None)
        bar: float | None = bt.column("b", e, default=None)
        fitter: int | None = bt.column("w", e, default=None)

        of_building = bt.query("building")

    return Extinguisher


@bad(
    "Kayaks that are lent if an index has no loan of them",
    "QRY006",
    says=("in a table with the key `{kayak}`: a writer takes it by `put_if_absent`",),
    verdict="warning",
)
def ninth_kayaks() -> object:
    class State(StrEnum):
        """Whether a kayak is still out."""

        OUT = "out"
        BACK = "back"

    class Loan(bt.Model, table="LOAN", events="3/s"):
        """A kayak that was handed to somebody."""

        loan: str = bt.key(bt.HexDigest(16), cardinality=300_000_000)

        f = bt.family("l", gc=bt.max_versions(1))
        kayak: str = bt.column("k", f, size=7, max_size=7, cardinality=9_000)
        state: State = bt.column("s", f)
        taken: datetime = bt.column("t", f)
        stage: int = bt.column("g", f)

    class OutNow(bt.Index, of=Loan, view="OUT_NOW", where={"state": State.OUT}):
        """The loan of a kayak that is out. The machine at the stage looks here when a card is held to it, and unlocks the
        kayak only if there is none, so that no kayak is lent twice.
        """

        kayak: str = bt.key(bt.Text(width=7), cardinality=9_000)
        loan: str = bt.covered()

        taken: datetime = bt.covered()

        of_kayak = bt.query("kayak")

    return Loan, OutNow


@bad(
    "Fish that are added up from a queue that delivers some messages again",
    "COL008",
    says=("write each event under its id",),
    verdict="warning",
)
def ninth_fish_ladder() -> object:
    class Ladder(bt.Model, table="LADDER", events="25/s"):
        """How many fish of each kind went up a ladder in an hour; the fishing quota is computed from it. The camera puts a
        message into a queue for every fish, and the queue delivers a message again if our worker was slow to confirm it.
        """

        ladder: str = bt.key(bt.Text(width=5), cardinality=130)
        species: str = bt.key(bt.Text(max_length=24), cardinality=40, size=10)

        n = bt.family("n", gc=bt.max_age(days=1825), aggregate="sum")
        climbed: bt.History[int] = bt.counter("up", n, every="1h", increments="1/s")

        of_ladder = bt.query("ladder")

    return Ladder


@bad("Totals of a day, which are set again and again", asked=("KEY017",), verdict="info")
def ninth_mail_relays() -> object:
    class SenderDay(bt.Model, table="SENDER_DAY", events="900/s"):
        """How the mail of a domain fared on a day. Analysts look at a domain together with all domains below it; the relays
        write their totals of the day every ten minutes.
        """

        domain: str = bt.key(bt.ReversedDomain(100), cardinality=500_000, domain=True, size=16)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        relay: str = bt.key(bt.Text(width=4), cardinality=36)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=180))
        taken: int = bt.column("t", s)
        refused: int = bt.column("r", s)

        below = bt.query(starting="domain")
        of_domain = bt.query("domain", between="day", span="30days")

    return SenderDay


@good("Pages to engineers on call, of a company with forty teams")
def ninth_on_call() -> object:
    class Page(bt.Model, table="PAGE", events="3/min", timestamp="at"):
        """An alarm that called an engineer. The morning meeting goes through the pages of all teams since yesterday."""

        at: datetime = bt.key(bt.EpochMillis())
        page: str = bt.key(bt.HexDigest(16), cardinality=8_000_000)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=1095))
        team: str = bt.column("t", p, size=10, max_size=24, cardinality=40)
        what: str = bt.column("w", p, size=80, max_size=500)
        answered: datetime | None = bt.column("a", p, default=None)

        in_time = bt.query(between="at", span="1day")

    return Page


@good("Updates of internet routes, from collectors all over the world")
def ninth_route_updates() -> object:
    class Update(bt.Model, table="UPDATE", events="30000/s"):
        """A route that a peer announced or withdrew. Outages show when the updates of all peers are read together, a
        few minutes at a time.
        """

        shard = bt.salt("peer", "prefix", buckets=12)
        at: datetime = bt.key(bt.EpochMicros())
        peer: int = bt.key(bt.PaddedInt(5), cardinality=1_400, sequential=False)
        prefix: bytes = bt.key(bt.Hex(5), cardinality=1_100_000)

        u = bt.family("u", gc=bt.max_versions(1) | bt.max_age(days=30))
        withdrawn: bool = bt.column("w", u)
        path: bytes | None = bt.column("p", u, default=None, size=20, max_size=400)

        in_time = bt.query(between="at", span="5min")

    return Update


@good("Posts that count bicycles beside the cycle paths of a county")
def ninth_bicycle_posts() -> object:
    class PostDay(bt.Model, table="POST_DAY", bucket="day", events="45/s", lateness="7d"):
        """A day of a counting post: how many bicycles passed in each quarter of an hour. A post sends the total of a
        quarter until it is confirmed, so the same total may come several times, and up to a week late.
        The numbers are kept for good.
        """

        post: int = bt.key(bt.PaddedInt(5), cardinality=40_000, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        n = bt.family("n", gc=bt.max_versions(1))
        passed: bt.Slots[int] = bt.slots(n, every="15min", qualifier="%H%M")

        of_post = bt.query("post", between="day", span="7days")

    return PostDay


@good("Where the forklifts of a logistics company are")
def ninth_forklifts() -> object:
    class Position(bt.Model, table="POSITION", events="900/s", lateness="1h"):
        """The latest position of a forklift. In dead corners of a hall a truck keeps its positions and sends them later,
        in any order.
        """

        hall: str = bt.key(bt.Text(width=5), cardinality=310)
        truck: str = bt.key(bt.Text(width=6), cardinality=9_000)
        at: datetime = bt.timestamp()

        p = bt.family("p", gc=bt.max_versions(1))
        x: float = bt.column("x", p)
        y: float = bt.column("y", p)
        lifted: int = bt.column("kg", p)

        of_hall = bt.query("hall")

    return Position


@good("Drawers of a seed bank, and the bags in them")
def ninth_seed_bank() -> object:
    class Drawer(bt.Model, table="DRAWER", events="4000/day"):
        """A drawer of a cold room: how many grams of each accession lie in it. A drawer holds 600 bags at most, and the
        picking list shows a drawer as a whole.
        """

        room: str = bt.key(bt.Text(width=3), cardinality=24)
        drawer: int = bt.key(bt.PaddedInt(4), cardinality=2_000)

        b = bt.family("b", gc=bt.max_versions(1))
        d = bt.family("d", gc=bt.max_versions(1))
        grams: dict[str, float] = bt.mapping(b, bt.Text(max_length=12), entries=600)
        degrees: int | None = bt.column("t", d, default=None)
        sorted_on: date = bt.column("s", d)

        of_room = bt.query("room", only=["degrees", "sorted_on"])

    return Drawer


@good("Fermentation tanks of a group of breweries")
def ninth_fermenters() -> object:
    class TankDay(bt.Model, table="TANK_DAY", bucket="day", events="3100/min", lateness="12h"):
        """A day of a tank, with a reading of its gravity and its temperature each minute. Brewers draw the curve of a brew,
        which takes two weeks, and compare it with brews of the last year.
        """

        tank: str = bt.key(bt.Text(width=7), cardinality=3_100)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        t = bt.family("t", gc=bt.max_versions(1_500) | bt.max_age(days=400))
        gravity: bt.History[float] = bt.history("g", t, every="1min")
        degrees: bt.History[float] = bt.history("c", t, every="1min")

        of_tank = bt.query("tank", between="day", span="14days")

    return TankDay


@good("Which access point a badge was last heard by, in the buildings of a company")
def ninth_roaming() -> object:
    class Badge(bt.Model, table="BADGE", events="700/s"):
        """The last places of a badge, for the guards who look for a colleague. The works council allowed us ten places,
        and none that is older than two days.
        """

        badge: str = bt.key(bt.HexDigest(12), cardinality=42_000)

        b = bt.family("b", gc=bt.max_versions(10) | bt.max_age(days=2))
        point: bt.History[str] = bt.history("p", b, size=8, max_size=8, every="1min")

        of_badge = bt.query("badge")

    return Badge


@good("Animals of veterinary practices, and their visits")
def ninth_vets() -> object:
    class Animal(bt.Model, table="ANIMAL", events="20000/day"):
        """An animal of a practice."""

        practice: int = bt.key(bt.PaddedInt(5), cardinality=3_000, sequential=False)
        animal: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)
        kind = bt.constant("a")

        a = bt.family("a", gc=bt.max_versions(1))
        species: str = bt.column("s", a, size=8, max_size=30, cardinality=200)
        born: date | None = bt.column("b", a, default=None)
        chip: str | None = bt.column("c", a, default=None, size=15, max_size=15)

        of_animal = bt.query("practice", "animal", together=["Visit"])

    class Visit(bt.Model, table="ANIMAL", events="90000/day"):
        """What was done to an animal on a day. The vet opens an animal with all of its visits."""

        practice: int = bt.key(bt.PaddedInt(5), cardinality=3_000, sequential=False)
        animal: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)
        kind = bt.constant("v")
        day: date = bt.key(bt.DateText())
        visit: str = bt.key(bt.HexDigest(8), cardinality=300_000_000)

        v = bt.family("v", gc=bt.max_versions(1))
        finding: str = bt.column("f", v, size=300, max_size=4_000)
        kilos: Decimal | None = bt.column("kg", v, default=None, size=4, max_size=7)

        of_animal = bt.query("practice", "animal", between="day", newest=True)

    return Animal, Visit


@good("Claims under the warranty of kitchen machines")
def ninth_warranty() -> object:
    class Status(StrEnum):
        """How far a claim is."""

        NEW = "new"
        CHECKED = "checked"
        CLOSED = "closed"

    class Claim(bt.Model, table="CLAIM", events="15000/day"):
        """A claim that a shop sent in for a machine. The shop asks for its claim by the number on the receipt."""

        claim: str = bt.key(bt.HexDigest(12), cardinality=20_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        shop: str = bt.column("sh", c, size=6, max_size=6, cardinality=5_000)
        status: Status = bt.column("st", c)
        machine: str = bt.column("m", c, size=12, max_size=20)
        bought: date = bt.column("b", c)
        received: datetime = bt.column("r", c)
        decision: str | None = bt.column("d", c, default=None, size=120, max_size=2_000)

    class ClaimOfShop(bt.Index, of=Claim, view="CLAIM_OF_SHOP"):
        """The claims of a shop by their status, for its monthly overview; a few minutes of delay do no harm there."""

        shop: str = bt.key(bt.Text(width=6), cardinality=5_000)
        status: Status = bt.key(bt.EnumText(Status))
        claim: str = bt.covered()

        machine: str = bt.covered()
        received: datetime = bt.covered()

        of_shop = bt.query("shop")
        at_status = bt.query("shop", "status")

    return Claim, ClaimOfShop


@good("Files that an antivirus scanned on the computers of its customers")
def ninth_virus_verdicts() -> object:
    class Verdict(bt.Model, table="VERDICT_{region}", events="6000/s"):
        """What the scanner made of a file on a computer. There are three regions, the EU, the USA and Japan; each has its
        own instance and its own time by law after which verdicts are gone.
        """

        computer: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        file: str = bt.key(bt.HexDigest(16), cardinality=400_000_000)

        v = bt.family("v", gc=bt.max_versions(1) | bt.max_age("{ttl}"))
        family: str | None = bt.column("f", v, default=None, size=20, max_size=60)
        score: int = bt.column("s", v)

        of_computer = bt.query("computer", between="at", span="1day")

    return Verdict


@good("Eggs on the grading lines of packing stations")
def ninth_egg_grading() -> object:
    class Size(StrEnum):
        """The weight class."""

        S = "s"
        M = "m"
        L = "l"
        XL = "xl"

    class Egg(bt.Model, table="EGG", events="4300/s"):
        """An egg that was weighed and candled. A line has eighteen lanes and weighs an egg on each of them twice a second;
        a lane numbers its eggs of a second.
        """

        line: str = bt.key(bt.Text(width=5), cardinality=120)
        second: datetime = bt.key(bt.EpochSeconds())
        lane: int = bt.key(bt.PaddedInt(2), cardinality=18)
        number: int = bt.key(bt.PaddedInt(1), cardinality=4)

        e = bt.family("e", gc=bt.max_versions(1) | bt.max_age(days=14))
        size: Size = bt.column("s", e)
        decigrams: int = bt.column("g", e, codec=bt.IntBytes(2))
        cracked: bool = bt.column("c", e)

        of_line = bt.query("line", between="second", span="1h")

    return Egg


@good("Pictures of insulators on power lines, taken by drones")
def ninth_insulators() -> object:
    class Damage(StrEnum):
        """What an inspector saw."""

        NONE = "none"
        CHIPPED = "chipped"
        BROKEN = "broken"

    class Picture(bt.Model, table="PICTURE", events="6000/day"):
        """A picture of an insulator. The list of a line shows what was found; the small picture opens with a click, and the
        full one lies in the object store.
        """

        line: str = bt.key(bt.Text(width=6), cardinality=4_200)
        mast: int = bt.key(bt.PaddedInt(4), cardinality=900)
        at: datetime = bt.key(bt.EpochMillis())

        m = bt.family("m", gc=bt.max_versions(1) | bt.max_age(days=730))
        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=730))
        damage: Damage = bt.column("d", m)
        stored: str = bt.column("u", m, size=70, max_size=200)
        small: bytes = bt.column("jpg", s, size=120_000, max_size=900_000)

        of_line = bt.query("line", only=["damage", "stored"])
        of_mast = bt.query("line", "mast", only=["damage", "stored"])

    return Picture


@good("Fittings of hearing aids")
def ninth_hearing_aids() -> object:
    class Fitting(bt.Model, table="FITTING", events="9000/day"):
        """How a hearing aid was set for a patient on a day. The patient is a number that is drawn at random; name, email
        and address are in the customer system, and only there.
        """

        patient: UUID = bt.key(bt.UuidText(), cardinality=2_500_000)
        day: date = bt.key(bt.DateText())
        fitting: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=3650))
        left: list[int] | None = bt.column("l", f, default=None, size=40, max_size=120)
        right: list[int] | None = bt.column("r", f, default=None, size=40, max_size=120)
        model: str = bt.column("m", f, size=10, max_size=20, cardinality=400)

        of_patient = bt.query("patient", between="day", newest=True)

    return Fitting


@good("Lists of wedding presents, in the twelve countries of a department store")
def ninth_gift_lists() -> object:
    class GiftList(bt.Model, table="GIFT_LIST", events="300/s"):
        """A couple's list with the number that is still wanted of each article. Guests open a list by the number on the
        invitation, which is drawn at random.
        """

        country: str = bt.key(bt.Text(width=2), cardinality=12)
        number: str = bt.key(bt.HexDigest(10), cardinality=4_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        a = bt.family("a", gc=bt.max_versions(1))
        wedding: date = bt.column("w", g)
        wanted: dict[str, int] = bt.mapping(a, bt.Text(max_length=10), entries=400)

        of_number = bt.query("country", "number")

    return GiftList


@good("Formulas of a perfume maker")
def ninth_perfumes() -> object:
    class Formula(bt.Model, table="FORMULA", events="500/day"):
        """What a perfume is made of, in parts per thousand. Perfumers change a formula at times and want to see its last
        thirty states.
        """

        house: str = bt.key(bt.Text(max_length=20), cardinality=60, size=10)
        formula: str = bt.key(bt.HexDigest(8), cardinality=80_000)

        f = bt.family("f", gc=bt.max_versions(30))
        m = bt.family("m", gc=bt.max_versions(1))
        parts: bt.History[dict[str, Decimal]] = bt.history("p", f, size=1_500, max_size=6_000, every="160d")
        title: str = bt.column("t", m, size=20, max_size=80)

        of_house = bt.query("house", only=["title"])

    return Formula


@good("Orders to the electronic price labels on the shelves of supermarkets")
def ninth_shelf_labels() -> object:
    class LabelOrder(bt.Model, table="LABEL_ORDER", events="4000/s"):
        """A new picture for a label. Orders are numbered by one counter, and a label that drew its picture confirms its
        order by the number.
        """

        order: int = bt.key(bt.ReversedDigits(12), cardinality=10_000_000_000, sequential=True)

        o = bt.family("o", gc=bt.max_versions(1) | bt.max_age(days=30))
        label: str = bt.column("l", o, size=12, max_size=12)
        price: int = bt.column("p", o)
        confirmed: datetime | None = bt.column("c", o, default=None)

        of_order = bt.query("order")

    return LabelOrder


@good("Quotas of the clients of an interface")
def ninth_api_quotas() -> object:
    class Quota(bt.Model, table="QUOTA", events="1500/s", atomic="client"):
        """What a client may still call this month, and its plan. A gateway reserves calls in portions of a thousand; the
        portion and what remains change at once, and only if enough remains.
        """

        client: str = bt.key(bt.HexDigest(16), cardinality=250_000)

        q = bt.family("q", gc=bt.max_versions(1))
        plan: str = bt.column("p", q, size=8, max_size=20, cardinality=12)
        left: int = bt.column("l", q)
        reserved: int = bt.column("r", q)
        renews: datetime = bt.column("n", q)

        of_client = bt.query("client")

    return Quota


@good("Logs of timber, from the forest road to the sawmill")
def ninth_timber() -> object:
    class Log(bt.Model, table="LOG", events="2/s"):
        """A log by the forest lot that it was cut in. Foresters settle a lot when it is cleared."""

        lot: str = bt.key(bt.HexDigest(8), cardinality=300_000)
        log: str = bt.key(bt.HexDigest(12), cardinality=400_000_000)

        f = bt.family("l", gc=bt.max_versions(1) | bt.max_age(days=2190))
        mill: str = bt.column("m", f, size=4, max_size=4, cardinality=900)
        cut: date = bt.column("c", f)
        litres: int = bt.column("v", f)

        of_lot = bt.query("lot")

    class MillLog(bt.Model, table="MILL_LOG", events="2/s"):
        """The same log by the mill that bought it, and the day it was cut. The mill plans its saws with the logs of a few
        days, and has to see at once what the forester has entered; a log is never sold twice.
        """

        mill: str = bt.key(bt.Text(width=4), cardinality=900)
        cut: date = bt.key(bt.DateText("%Y%m%d"))
        log: str = bt.key(bt.HexDigest(12), cardinality=400_000_000)

        f = bt.family("l", gc=bt.max_versions(1) | bt.max_age(days=2190))
        litres: int = bt.column("v", f)

        of_mill = bt.query("mill", between="cut", span="3days")

    bt.twins(Log, MillLog)

    return Log, MillLog


@good("How often the layers of a map service are asked for")
def ninth_map_layers() -> object:
    class Layer(bt.Model, table="LAYER", events="600/s"):
        """Requests for a layer in each hour, for the chart of its owner. The servers add up in memory and write every five
        seconds; a request that is counted twice, or not at all, changes nothing.
        """

        owner: str = bt.key(bt.HexDigest(8), cardinality=9_000)
        layer: str = bt.key(bt.HexDigest(8), cardinality=70_000)

        h = bt.family("h", gc=bt.max_age(days=120), aggregate="sum")
        requests: bt.History[int] = bt.counter("r", h, every="1h", increments="4/s")
        octets: bt.History[int] = bt.counter("o", h, every="1h", increments="4/s")

        of_owner = bt.query("owner")

    return Layer


@good("Folders of scanned letters, read by machines")
def ninth_scan_workers() -> object:
    class Claimed(bt.Model, table="CLAIMED", events="40/s"):
        """The machine that reads a folder, for five minutes from its last sign of life; then another may take it."""

        folder: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        until: datetime = bt.expires(round=True)

        c = bt.family("c", gc=bt.max_age(seconds=1))
        machine: str = bt.column("m", c, size=12, max_size=40)
        attempt: int = bt.column("a", c)

        of_folder = bt.query("folder")

    return Claimed


@good("Features of machines in a factory, for a model that foresees breakdowns")
def ninth_features() -> object:
    class Features(bt.Model, table="FEATURES", events="250/s"):
        """The features of a machine that the model asks for when it predicts: one row, within milliseconds. Each run of the
        pipeline, once in five minutes, writes the whole vector anew.
        """

        plant: str = bt.key(bt.Text(width=4), cardinality=130)
        machine: str = bt.key(bt.Text(width=8), cardinality=75_000)
        at: datetime = bt.timestamp()

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=7))
        values: dict[str, float] = bt.mapping(f, bt.Text(max_length=8), entries=180)

        of_machine = bt.query("plant", "machine")

    return Features


@good("Tools of rental companies that share one software")
def ninth_tool_rental() -> object:
    class Rental(bt.Model, table="RENTAL", events="5/s"):
        """A tool that a company lent. A company sees only its own rows, and when it leaves us all of them are deleted."""

        company: str = bt.key(bt.HexDigest(6), cardinality=2_600, tenant=True)
        tool: str = bt.key(bt.HexDigest(8), cardinality=1_500_000)
        taken: datetime = bt.key(bt.ReversedMillis())

        r = bt.family("r", gc=bt.max_versions(1))
        due: date = bt.column("d", r)
        back: datetime | None = bt.column("b", r, default=None)
        deposit: int = bt.column("c", r)

        of_tool = bt.query("company", "tool", between="taken", newest=True)
        of_company = bt.query("company")

    return Rental


@good("Vectors of passages of text, kept so that no passage is embedded twice")
def ninth_passages() -> object:
    class Vector(bt.Model, table="VECTOR", events="700/s"):
        """The vector of a passage. Whoever wants one has the passage, and looks it up by the hash of its words and the
        version of the model.
        """

        words: str = bt.key(bt.HexDigest(32), cardinality=900_000_000)
        version: int = bt.key(bt.PaddedInt(3), cardinality=20)

        v = bt.family("v", gc=bt.max_versions(1))
        vector: bytes = bt.column("f", v, size=3_072, max_size=3_072)
        tokens: int = bt.column("n", v)

        of_passage = bt.query("words", "version")

    return Vector
