"""A fifteenth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import bad

import btmodel as bt


@bad(
    "Positions of ships, as coastal stations hear them",
    "KEY001",
    verdict="error",
    says=("`{mmsi}#{window}#{heard}`",),
)
def fifteenth_ship_sightings() -> object:
    class Hull(StrEnum):
        CARGO = "c"
        TANKER = "t"
        FERRY = "f"
        OTHER = "o"

    class Sighting(bt.Model, table="AIS", events="9000/s"):
        """A decoded AIS message. The map asks for the track of one vessel over the last hours."""

        window: datetime = bt.key(bt.TimeText("%Y%m%d%H"))
        mmsi: int = bt.key(bt.PaddedInt(9), cardinality=310_000)
        heard: datetime = bt.key(bt.EpochMillis(round=True))

        p = bt.family("p", gc=bt.max_age(days=45))
        lat: float = bt.column("la", p)
        lon: float = bt.column("lo", p)
        hull: Hull = bt.column("h", p)

        track = bt.query("window", "mmsi", between="heard")

    return Sighting


@bad(
    "Double-entry bookings of the clearing house",
    "KEY002",
    verdict="error",
    says=("bt.ReversedDigits(14)",),
)
def fifteenth_clearing_bookings() -> object:
    class Booking(bt.Model, table="BOOKING", events="12000/s"):
        """One leg of a transfer.

        The sequencer stamps every booking with the number after the last one, without gaps, so auditors can see that none is missing.
        Services look a booking up by its number; nothing reads ranges.
        """

        number: int = bt.key(bt.PaddedInt(14))

        b = bt.family("b", gc=bt.keep_all())
        debit: str = bt.column("d", b, max_size=24)
        credit: str = bt.column("c", b, max_size=24)
        amount: Decimal = bt.column("a", b, size=8, max_size=20)

    return Booking


@bad(
    "Requests at a content delivery network",
    "KEY003",
    verdict="error",
    says=("bt.salt(",),
)
def fifteenth_cdn_requests() -> object:
    class Tier(StrEnum):
        EDGE = "edge"
        SHIELD = "shield"
        ORIGIN = "origin"

    class Request(bt.Model, table="cdn_requests", events="40000/s"):
        """Access log. The on-call board shows a tier's last five minutes, nothing else reads it."""

        tier: Tier = bt.key(bt.EnumText(Tier))
        at: datetime = bt.key(bt.EpochMicros())
        ray: str = bt.key(bt.HexDigest(16))

        log = bt.family("l", gc=bt.max_age(days=3))
        status: int = bt.column("s", log)
        millis: int = bt.column("ms", log)

        board = bt.query("tier", between="at", span="5min")

    return Request


@bad(
    "Calls of a sequencing centre: which sample differs from the reference, and where",
    "QRY001",
    verdict="error",
    says=("`{sample}#{chromosome}#{position}`",),
)
def fifteenth_variant_calls() -> object:
    class Call(bt.Model, table="VARIANT_CALL", events="20000/s"):
        """A genotype of a sample at a position of a chromosome.

        A region of the genome is compared over all samples; a clinician opens one sample and walks along a chromosome.
        """

        chromosome: str = bt.key(bt.Text(max_length=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9), cardinality=90_000_000, sequential=False)
        sample: str = bt.key(bt.HexDigest(6), cardinality=60_000)

        g = bt.family("g", gc=bt.max_versions(1))
        genotype: str = bt.column("gt", g, max_size=7)
        quality: int = bt.column("q", g)

        region = bt.query("chromosome", between="position")
        of_sample = bt.query("sample", "chromosome", between="position")

    return Call


@bad(
    "Rooms in which people talk",
    "ROW003",
    verdict="warning",
    says=("`{room}#{lines_key}`",),
)
def fifteenth_rooms() -> object:
    class Room(bt.Model, table="ROOM", events="2000/s"):
        room: str = bt.key(bt.HexDigest(10), cardinality=40_000)

        said = bt.family("s", gc=bt.max_versions(1))
        meta = bt.family("m", gc=bt.max_versions(1))
        title: str | None = bt.column("t", meta, default=None, max_size=120)
        # ULID -> text; everything that was ever said in here
        lines: dict[str, str] = bt.mapping(said, bt.Text(width=26), size=90, max_size=4_000)

    return Room


@bad(
    "Search box of a pharmacy wholesaler",
    "QRY001",
    "KEY004",
    verdict="error",
    says=("`{name}#{pzn}`",),
    never=("{name}#{slot}#{pzn}",),
)
def fifteenth_product_search() -> object:
    class Product(bt.Model, table="product", events="15/s"):
        """A product in the wholesale list.

        Clerks type the first letters of a name, and the box offers what begins with them.
        """

        slot = bt.digest("name", size=8)
        pzn: int = bt.key(bt.PaddedInt(8), cardinality=400_000, sequential=False)

        d = bt.family("d", gc=bt.max_versions(1))
        name: str = bt.column("n", d, size=25, max_size=60, cardinality=250_000)
        price: Decimal = bt.column("p", d, max_size=10)

        suggest = bt.query(starting="name")

    return Product


@bad(
    "Clicks on partner links, for paying commissions",
    "FAM010",
    verdict="warning",
    says=('give `ip`, `browser` a family of their own: `bt.family("c2", gc=bt.max_age(days=14))`',),
)
def fifteenth_partner_clicks() -> object:
    class Click(bt.Model, table="click", events="700/s"):
        """A click that may earn a commission.

        The commission is kept for good. The visitor's IP address and browser have to be gone 14 days after the click: that is what our
        privacy notice promises.
        """

        partner: str = bt.key(bt.HexDigest(6), cardinality=52_000)
        clicked: datetime = bt.key(bt.ReversedMillis())
        nonce: str = bt.key(bt.HexDigest(4))

        c = bt.family("c", gc=bt.max_versions(1))
        commission: Decimal = bt.column("eur", c, max_size=12)
        ip: str | None = bt.column("ip", c, default=None, max_size=45)
        browser: str | None = bt.column("ua", c, default=None, max_size=300)

        of_partner = bt.query("partner", between="clicked")

    return Click


@bad(
    "What nurses see at the bedside",
    "COL005",
    verdict="warning",
    says=("`gc=bt.max_versions(5) | bt.max_age(days=90)`",),
    never=("one row per event",),
)
def fifteenth_infusions() -> object:
    class Dose(bt.Model, table="DOSE", events="35/s"):
        """The rate of an infusion pump, as it was set.

        The display shows how the rate was changed: never more than five settings, and none that is older than ninety days.
        """

        ward: str = bt.key(bt.Text(max_length=12), cardinality=900)
        pump: str = bt.key(bt.HexDigest(8), cardinality=70_000)

        s = bt.family("s", gc=bt.max_versions(5) & bt.max_age(days=90))
        rate: bt.History[Decimal] = bt.history("r", s, every="20min", size=4, max_size=8)

        of_ward = bt.query("ward")

    return Dose


@bad(
    "Tips of drivers, and what the tax office wants to know of them",
    "FAM006",
    verdict="warning",
    says=("bt.max_age(days=732)",),
)
def fifteenth_tips() -> object:
    class Tip(bt.Model, table="TIP", events="60/s"):
        """A tip that a passenger gave in the app. Drivers see those of the last three months."""

        driver: str = bt.key(bt.HexDigest(8), cardinality=180_000)
        given: datetime = bt.key(bt.ReversedMillis(round=True))
        ride: str = bt.key(bt.HexDigest(8))

        t = bt.family("t", gc=bt.max_age(days=92))
        cents: int = bt.column("c", t)
        at: datetime = bt.column("at", t)

        of_driver = bt.query("driver", between="given")

    class TipsOfYear(bt.Rollup, of=Tip, view="TIPS_OF_YEAR"):
        """What a driver got in a calendar year, for the tax statement in the spring after it."""

        driver: str = bt.key(bt.HexDigest(8), cardinality=180_000)
        year: date = bt.key(bt.DateText("%Y"), of="at")

        cents: int = bt.sum_of("cents")
        tips: int = bt.count()

        statement = bt.query("driver", "year")

    return Tip, TipsOfYear


@bad(
    "Elevators of buildings",
    "FAM010",
    verdict="warning",
    says=(
        'give `serial`, `maker`, `load_kg` a family of their own: `bt.family("once", gc=bt.max_versions(1))`',
    ),
)
def fifteenth_elevators() -> object:
    class Elevator(bt.Model, table="ELEVATOR", events="3000/s"):
        """An elevator: where its cabin is, and what it is.

        The controller reports the cabin every few seconds, and two days of that are plenty. The serial number, the maker and the load are
        entered once, by the fitter on the day of the installation.
        """

        building: str = bt.key(bt.HexDigest(5), cardinality=16_000)
        shaft: int = bt.key(bt.PaddedInt(2), cardinality=40)

        e = bt.family("e", gc=bt.max_age(hours=48))
        floor: int | None = bt.column("floor", e, default=None)
        doors: bool | None = bt.column("doors", e, default=None)
        reported: datetime | None = bt.column("rep", e, default=None)
        serial: str | None = bt.column("serial", e, default=None, max_size=30)
        maker: str | None = bt.column("maker", e, default=None, max_size=40)
        load_kg: int | None = bt.column("load", e, default=None)

        of_building = bt.query("building")

    return Elevator


@bad(
    "Vaccinations, by patient",
    "KEY010",
    verdict="warning",
    says=("bt.digest(",),
)
def fifteenth_vaccinations() -> object:
    class Jab(bt.Model, table="JAB", events="25/s"):
        """A vaccination. Practices look up all of a patient's, by the NHS number on the card."""

        nhs_number: int = bt.key(bt.PaddedInt(10), cardinality=60_000_000, sequential=False)
        given: date = bt.key(bt.DateText())
        batch: str = bt.key(bt.Text(max_length=16))

        v = bt.family("v", gc=bt.keep_all())
        vaccine: str = bt.column("v", v, max_size=60)
        site: str | None = bt.column("s", v, default=None, max_size=12)

        of_patient = bt.query("nhs_number", between="given")

    return Jab


@bad(
    "Callers of an API, by their keys",
    "KEY010",
    verdict="warning",
    says=("`api_key: str | None = bt.key(bt.Text(width=40), cardinality=90_000, stored=False)`",),
)
def fifteenth_callers() -> object:
    class Caller(bt.Model, table="callers", events="200/min"):
        api_key: str = bt.key(bt.Text(width=40), cardinality=90_000)

        c = bt.family("c", gc=bt.max_versions(1))
        plan: str = bt.column("plan", c, max_size=12)
        scopes: list[str] = bt.column("scopes", c, size=80, max_size=600)
        last_seen: datetime = bt.column("seen", c)

    return Caller


@bad(
    "Parcels on their way",
    "KEY021",
    verdict="warning",
    says=("`{carrier}#{barcode}`", "bt.twins(Parcel, ParcelInHub, owned=True)"),
)
def fifteenth_hub_parcels() -> object:
    class Parcel(bt.Model, table="PARCEL", events="4000/s"):
        """A parcel, below the hub in which it lies right now.

        Scanners put a parcel when it comes in; a parcel passes through four to nine hubs until it is at the door.
        """

        carrier: str = bt.key(bt.Text(max_length=8), cardinality=120)
        hub: str = bt.key(bt.Text(width=5), cardinality=2_200)
        barcode: str = bt.key(bt.Text(width=18), cardinality=80_000_000)

        s = bt.family("s", gc=bt.max_age(days=60))
        weight: int = bt.column("g", s)
        scanned: datetime = bt.column("at", s)

        in_hub = bt.query("carrier", "hub")
        one = bt.query("carrier", "hub", "barcode")

    return Parcel


@bad(
    "Turnstiles of the stadiums",
    "KEY017",
    verdict="warning",
    says=("`{stadium}#{gate}#{second}#{ticket}`",),
    never=("brings another fault",),
)
def fifteenth_turnstiles() -> object:
    class Entry(bt.Model, table="ENTRY", events="1500/s"):
        """Somebody came in. Before a match, each gate lets through two or three people a second."""

        stadium: str = bt.key(bt.Text(width=4), cardinality=38)
        gate: int = bt.key(bt.PaddedInt(3), cardinality=120)
        second: datetime = bt.key(bt.EpochSeconds(round=True))

        e = bt.family("e", gc=bt.max_age(days=400))
        ticket: str = bt.column("t", e, max_size=22)
        season_pass: bool = bt.column("sp", e)

        passed = bt.query("stadium", "gate", between="second")

    return Entry


@bad(
    "Stock of a diamond exchange",
    "KEY007",
    "QRY001",
    verdict="error",
    says=("`carats: Decimal = bt.key(bt.mapped(bt.PaddedInt(9), to=hundredths",),
    never=("NUL", "width of"),
)
def fifteenth_diamonds() -> object:
    class Stone(bt.Model, table="STONE", events="90/s"):
        """A cut stone with its certificate.

        Jewellers set a least and a greatest weight. Weights stand as on the certificate: "0.5", "1.25", "10.02".
        """

        shape: str = bt.key(bt.Text(max_length=12), cardinality=14)
        grade: str = bt.key(bt.Text(width=1), cardinality=10)
        carats: str = bt.key(bt.Text(max_length=6), cardinality=2_000)
        certificate: int = bt.key(bt.PaddedInt(10), cardinality=5_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        clarity: str = bt.column("cl", s, max_size=4)
        lab: str = bt.column("lab", s, max_size=20)

        weighing = bt.query("shape", "grade", between="carats")

    return Stone


@bad(
    "Frequency caps: how often somebody has seen a campaign",
    "FAM001",
    verdict="warning",
    says=(
        '`bt.family("data", gc=bt.max_age(days=8), aggregate="sum")`, with `campaign` in the key: `{campaign}#{device}`',
    ),
)
def fifteenth_frequency_caps() -> object:
    class Seen(bt.Model, table="SEEN", events="30000/s"):
        """Per device. A family for each campaign, so a campaign's cells go when its family is dropped. About 2,600 campaigns run at a time."""

        device: str = bt.key(bt.HexDigest(16), cardinality=300_000_000)

        f = bt.family("c{campaign}", gc=bt.max_age(days=8), aggregate="sum")
        shown: bt.History[int] = bt.counter("n", f, every="1day")

    return Seen


@bad(
    "Scans of building permits",
    "ROW001",
    verdict="error",
    says=("object store",),
)
def fifteenth_permit_scans() -> object:
    class Permit(bt.Model, table="PERMIT", events="900/day"):
        """A permit, as the office scanned it."""

        office: str = bt.key(bt.Text(width=6), cardinality=430)
        file_no: str = bt.key(bt.Text(max_length=20), cardinality=9_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        s = bt.family("s", gc=bt.max_versions(1))
        issued: date = bt.column("issued", m)
        pages: int = bt.column("n", m)
        pdf: bytes = bt.column("pdf", s, size=14_000_000, max_size=180_000_000)

        of_office = bt.query("office")

    return Permit


@bad(
    "Live figures of a radio app",
    "KEY013",
    verdict="warning",
    says=("bt.counter(",),
)
def fifteenth_radio_stations() -> object:
    class Station(bt.Model, table="station", events="5000/s"):
        """A station. Each time somebody tunes in, `tuned_in` goes up by one; a popular one gets a few hundred in a minute."""

        country: str = bt.key(bt.Text(width=2), cardinality=190)
        station: str = bt.key(bt.HexDigest(8), cardinality=45_000)

        s = bt.family("s", gc=bt.max_versions(1))
        name: str | None = bt.column("n", s, default=None, max_size=80)
        tuned_in: int | None = bt.column("ti", s, default=None, increments="400/min")

        of_country = bt.query("country")

    return Station


@bad(
    "Fares that a travel agent was quoted",
    "FAM006",
    verdict="warning",
    says=('leave out `timestamp="departs"`',),
    never=("lateness",),
)
def fifteenth_quoted_fares() -> object:
    class Fare(bt.Model, table="FARE", events="450/s", timestamp="departs"):
        """A fare that an airline quoted us, up to eleven months ahead of the flight.

        A quote holds for 30 days and must not be shown to anybody after that.
        """

        agency: str = bt.key(bt.HexDigest(4), cardinality=8_500)
        route: str = bt.key(bt.Text(width=6), cardinality=60_000)
        departs: datetime = bt.key(bt.EpochSeconds(), sequential=False)
        carrier: str = bt.key(bt.Text(width=2), cardinality=300)

        q = bt.family("q", gc=bt.max_age(days=30))
        price: Decimal = bt.column("p", q, max_size=10)
        seats: int = bt.column("s", q)

        flights = bt.query("agency", "route", between="departs")

    return Fare


@bad(
    "Soil probes in vineyards",
    "KEY005",
    verdict="warning",
    says=("`{probe}#{at}`",),
)
def fifteenth_vineyard_moisture() -> object:
    class Moisture(bt.Model, table="MOISTURE", events="2500/s"):
        """A measurement. The grower's page draws the last two weeks of one probe; there is no other reader."""

        lane = bt.salt("at", buckets=96)
        probe: str = bt.key(bt.HexDigest(8), cardinality=1_400_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        m = bt.family("m", gc=bt.max_age(days=500))
        percent: float = bt.column("p", m)
        celsius: float = bt.column("c", m)

        of_probe = bt.query("probe", between="at", span="14day")

    return Moisture


@bad(
    "Heat meters in apartment buildings",
    "TAB002",
    verdict="warning",
    says=("`{landlord}#{flat}#{radiator}#{day}`",),
)
def fifteenth_heat_meters() -> object:
    class HeatDay(bt.Model, table="HEAT_{landlord}", events="4/min"):
        """What a radiator used on a day.

        Every landlord has a table of their own, so that we can drop it when the contract ends. At present that is 4,500 landlords.
        """

        flat: str = bt.key(bt.HexDigest(6), cardinality=1_500)
        radiator: int = bt.key(bt.PaddedInt(2), cardinality=15)
        day: date = bt.key(bt.DateText())

        h = bt.family("h", gc=bt.max_age(days=1_100))
        units: Decimal = bt.column("u", h, max_size=8)

        of_flat = bt.query("flat")

    return HeatDay


@bad(
    "Claims that wait for a decision",
    "QRY005",
    verdict="warning",
    says=('where={"waits": True}',),
)
def fifteenth_waiting_claims() -> object:
    class Claim(bt.Model, table="CLAIM", events="40/s"):
        """An insurance claim.

        Ten million of them lie with a large insurer, of which some forty wait for a decision. The work list of an insurer shows those forty,
        and is loaded anew every five seconds.
        """

        insurer: str = bt.key(bt.Text(max_length=12), cardinality=70)
        claim: str = bt.key(bt.HexDigest(10), cardinality=200_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        waits: bool = bt.column("w", c)
        filed: datetime = bt.column("f", c)
        cents: int = bt.column("a", c)
        cause: str = bt.column("y", c, size=200, max_size=3_000)

        work_list = bt.query("insurer", where=["waits"])

    return Claim
