"""Designs of many domains, each with a fault that was named before the review saw it."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import bad

import btmodel as bt


@bad(
    "Motorway tolls: every vehicle that passes a gantry: the key begins with the time of the passage at 3,000/s: every write goes to the last tablet",
    "KEY001",
    verdict="error",
)
def passage() -> object:
    class Passage(bt.Model, table="PASSAGE", events="3000/s"):
        """A passage under a gantry. 300 plazas of 12 lanes send 3,000 passages a second, as they happen, day and night.

        The operator's screen shows the last minutes of the whole network; disputes are looked up within 60 days.
        """

        passed_at: datetime = bt.key(bt.EpochMillis(round=True))
        plaza: str = bt.key(bt.Text(width=4), cardinality=300)
        lane: int = bt.key(bt.PaddedInt(2), cardinality=12)
        passage: str = bt.key(bt.HexDigest(12), cardinality=10_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=60))
        axles: int = bt.column("axles", p, codec=bt.IntBytes(1))
        cents: int = bt.column("cents", p)

        lately = bt.query(between="passed_at", span="5min")

    return Passage


@bad(
    "Results of the analyzers of a group of hospital laboratories: GC deletes results after 30 days, but the query drift reads 365 days",
    "FAM006",
    verdict="error",
)
def assay_result() -> object:
    class AssayResult(bt.Model, table="ASSAY_RESULT", events="40/s"):
        """One measured value of one sample; it never changes. 30 laboratories measure 400 analytes, 40 results a second in all.

        The quality officer draws, for each analyte of a laboratory, the drift of the last twelve months.
        """

        lab: str = bt.key(bt.Text(width=5), cardinality=30)
        analyte: str = bt.key(bt.Text(max_length=12), cardinality=400)
        measured: datetime = bt.key(bt.EpochMillis(round=True))
        sample: str = bt.key(bt.HexDigest(12), cardinality=100_000_000)

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=30))
        value: Decimal = bt.column("v", r, size=6, max_size=20)
        analyzer: str = bt.column("a", r, size=8, max_size=12)

        drift = bt.query("lab", "analyte", between="measured", span="365d")

    return AssayResult


@bad(
    "Coin-less laundry rooms in blocks of flats: the e-mail address of a person is in the row key: personal data in keys (logs, metrics, Key Visualizer), and it can change, and with it every key",
    "KEY010",
    verdict="warning",
)
def wash_by_resident() -> object:
    class WashByResident(bt.Model, table="WASH_BY_RESIDENT", events="5/s"):
        """A wash that a resident has paid in the app. 1,200 houses, 90,000 residents, five washes a second.

        The app lists the washes of the person who is signed in, the newest first, for two years. A resident may change
        the address that they sign in with in the settings of the app, and may ask to be forgotten.
        """

        house: str = bt.key(bt.Text(width=6), cardinality=1_200)
        resident_email: str = bt.key(bt.Text(max_length=80), cardinality=90_000)
        started: datetime = bt.key(bt.ReversedMillis(round=True))

        w = bt.family("w", gc=bt.max_versions(1) | bt.max_age(days=730))
        machine: int = bt.column("machine", w, codec=bt.IntBytes(2))
        cents: int = bt.column("cents", w)

        of_resident = bt.query("house", "resident_email")

    return WashByResident


@bad(
    "Downloads of podcasts: one counter row takes 9,000 increments a second (three hot rows in the whole table)",
    "KEY013",
    says=("NETWORK_TOTAL_SHARDS", "{network}#{shard}"),
)
def network_total() -> object:
    class NetworkTotal(bt.Model, table="NETWORK_TOTAL", events="27000/s"):
        """How often episodes of a podcast network were downloaded since its beginning.

        Three networks host all of our shows. Each download adds one to the total of its network at once, so the number
        on the home page runs live: 9,000 a second for each network.
        """

        network: str = bt.key(bt.Text(max_length=20), cardinality=3)

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        downloads: int | None = bt.counter("downloads", t, increments="9000/s")

        n = bt.family("n", gc=bt.max_versions(1))
        title: str | None = bt.column("title", n, default=None, size=30, max_size=100)

        of_network = bt.query("network")

    return NetworkTotal


@bad(
    "The count of an election, ballot box by ballot box: two million entries of 300 bytes make a row of about 600 MiB, over the limit of a row",
    "ROW002",
    "KEY013",
    verdict="error",
)
def election_count() -> object:
    class ElectionCount(bt.Model, table="ELECTION_COUNT", events="400/s"):
        """All ballot boxes of an election in one row: the signed protocol of each, by the number of the box.

        A national election has two million boxes, and a protocol is a JSON text of about 300 bytes. The results page
        reads the row every ten seconds during the night.
        """

        election: str = bt.key(bt.Text(max_length=20), cardinality=12)

        c = bt.family("c", gc=bt.max_versions(1))
        protocols: dict[str, dict[str, int]] = bt.mapping(
            c, bt.Text(width=12), codec=bt.Json(dict[str, int]), size=300, max_size=900, entries=2_000_000
        )

        of_election = bt.query("election")

    return ElectionCount


@bad(
    "What the controllers of elevators report: the time is rounded to seconds and nothing else tells events apart: a car reports five to ten a second, so steps overwrite one another",
    "KEY017",
)
def car_event() -> object:
    class Step(StrEnum):
        DOOR_OPEN = "door_open"
        DOOR_CLOSED = "door_closed"
        CALL = "call"
        FLOOR = "floor"
        OVERLOAD = "overload"

    class CarEvent(bt.Model, table="CAR_EVENT", events="60000/s"):
        """A step of an elevator car. After an accident, the inspector replays each single step in its order.

        4,000 buildings have about 8 cars each. A car in motion reports five to ten steps a second, one row each.
        """

        building: str = bt.key(bt.HexDigest(8), cardinality=4_000)
        car: int = bt.key(bt.PaddedInt(2), cardinality=8)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=90))
        step: Step = bt.column("step", s)
        floor: int = bt.column("floor", s, codec=bt.IntBytes(2))

        of_car = bt.query("building", "car", between="at", span="1h")

    return CarEvent


@bad(
    "Which devices have finished which release of their firmware: releases as text do not sort as versions: 10.0.2 lies before 9.4.1, so between=release gives the wrong rows, or none",
    "KEY007",
    verdict="warning",
    says=("bt.Joined(",),
)
def install() -> object:
    class Install(bt.Model, table="INSTALL", events="20/s"):
        """A finished installation, written once and never changed: 80 products, some 60 releases each, 20 a second.

        Releases are named as the vendor prints them: 9.4.1, 9.12.0, 10.0.2. When a hole is found to have come with a release, support
        asks for all installations from that release on, up to the one that closes it, such as 9.4.1 to 10.0.2.
        """

        product: str = bt.key(bt.Text(max_length=16), cardinality=80)
        release: str = bt.key(bt.Text(width=12), cardinality=60)
        device: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        finished: datetime = bt.column("finished", i)
        seconds: int = bt.column("seconds", i, codec=bt.IntBytes(4))

        affected = bt.query("product", between="release")

    return Install


@bad(
    "The inventory of a group of museums: the current room is in the key and changes six times a year: each move is a copy, write and delete of the record, and the object cannot be found without the room",
    "KEY021",
    verdict="warning",
)
def exhibit() -> object:
    class Exhibit(bt.Model, table="EXHIBIT", events="200/day"):
        """An object of the collection, where it is now, and what the restorers know of it.

        25 museums, 900,000 objects. An object moves to another room, or to the depot, six times a year on average; its
        record, with ten years of notes, stays the same record.
        """

        museum: str = bt.key(bt.Text(width=3), cardinality=25)
        current_room: str = bt.key(bt.Text(max_length=12), cardinality=400)
        object: int = bt.key(bt.PaddedInt(8), cardinality=900_000)

        o = bt.family("o", gc=bt.max_versions(1))
        title: str = bt.column("title", o, size=40, max_size=400)
        acquired: date | None = bt.column("acquired", o, default=None)
        notes: dict[str, str] = bt.mapping(
            o, bt.Text(max_length=10), prefix="n:", size=500, max_size=5_000, entries=40
        )

        in_room = bt.query("museum", "current_room")
        one = bt.query("museum", "current_room", "object")

    return Exhibit


@bad(
    "Remote reading of water meters: readings come up to 10 days late, but the family deletes by event time after 7 days: late readings are dead on arrival",
    "FAM006",
)
def water_day() -> object:
    class WaterDay(bt.Model, table="WATER_DAY", bucket="day", events="440/s", lateness="10d"):
        """The readings of a meter in a day, one each quarter of an hour, by the time that the meter took them.

        400,000 meters. Meters in deep cellars send only when the van drives by: up to ten days after the reading. The
        leak search needs every reading, also the late ones, of the last days.
        """

        meter: int = bt.key(bt.PaddedInt(9), cardinality=400_000, sequential=False)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        r = bt.family("r", gc=bt.max_age(days=7))
        litres: bt.History[int] = bt.history("l", r, every="15min")

        of_meter = bt.query("meter", between="day", span="5d")

    return WaterDay


@bad(
    "A seed bank: what lies in the vault: passport columns that must be kept for good lie in a family with max_age of 400 days: written once at intake, they are deleted",
    "FAM005",
    verdict="error",
    says=("`species`, `collected`, `site`",),
)
def accession() -> object:
    class Accession(bt.Model, table="ACCESSION", events="2000/day"):
        """A sample of seeds in the vault. 40 banks, 1,200,000 accessions.

        The passport (species, where and when it was collected) is written once, at intake, and is the legal record of
        the sample for as long as the vault stands. The figures of the yearly germination test are written anew each year; if none
        has come for 400 days, they should vanish, so that nobody trusts them.
        """

        bank: str = bt.key(bt.Text(width=6), cardinality=40)
        accession: int = bt.key(bt.PaddedInt(8), cardinality=1_200_000)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=400))
        species: str | None = bt.column(
            "species", s, default=None, size=25, max_size=80, keep=bt.max_versions(1)
        )
        collected: date | None = bt.column("collected", s, default=None, keep=bt.max_versions(1))
        site: str | None = bt.column("site", s, default=None, size=60, max_size=300, keep=bt.max_versions(1))
        germinated: int | None = bt.column("germinated", s, default=None, codec=bt.IntBytes(2))
        tested: int | None = bt.column("tested", s, default=None, codec=bt.IntBytes(2))

        one = bt.query("bank", "accession")

    return Accession


@bad(
    "A radio telescope: the power that each antenna receives in each channel: the hour has 3,600 samples in a column but the family keeps 1,000 versions: most of each hour is deleted",
    "FAM006",
    verdict="error",
)
def spectrum_hour() -> object:
    class SpectrumHour(bt.Model, table="SPECTRUM_HOUR", bucket="hour", events="8192/s"):
        """An hour of one channel of one antenna, a sample each second. 64 antennas, 128 channels.

        Astronomers read whole hours, at full resolution, weeks after the observation.
        """

        antenna: int = bt.key(bt.PaddedInt(3), cardinality=64)
        channel: int = bt.key(bt.PaddedInt(4), cardinality=128)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        p = bt.family("p", gc=bt.max_versions(1_000) | bt.max_age(days=120))
        power: bt.History[float] = bt.history("p", p, every="1s", codec=bt.FloatBytes(4, round=True))

        of_channel = bt.query("antenna", "channel", between="hour", span="1d")

    return SpectrumHour


@bad(
    "Stock-keeping for plant nurseries, as a service: the tenant is second in the key, behind 30,000 species: a tenant's rows are scattered, no prefix reads, exports, isolates or deletes them",
    "KEY018",
    verdict="warning",
)
def bed() -> object:
    class Bed(bt.Model, table="BED", events="150/s"):
        """What stands in a bed of a nursery. 2,000 nurseries, competitors of each other, share the table; each knows 30,000 species.

        A program acts for one nursery at a time, and must never read the rows of another. When a contract ends, all rows of that
        nursery have to be deleted within the day, and before that they are exported for it.
        """

        species: str = bt.key(bt.Text(max_length=12), cardinality=30_000)
        nursery: str = bt.key(bt.Text(width=8), cardinality=2_000, tenant=True)
        bed: int = bt.key(bt.PaddedInt(5), cardinality=500)

        b = bt.family("b", gc=bt.max_versions(1))
        plants: int = bt.column("plants", b)
        sown: date | None = bt.column("sown", b, default=None)

        of_species = bt.query("species", "nursery")
        one = bt.query("species", "nursery", "bed")

    return Bed


@bad(
    "Refrigerators of blood banks: cells have the time of writing, reports come up to six hours late and out of order: an old backlog report covers the live state, and the alarm sees stale values",
    "ROW008",
    verdict="warning",
    says=("bt.timestamp()",),
)
def fridge_now() -> object:
    class FridgeNow(bt.Model, table="FRIDGE_NOW", events="500/s", lateness="6h"):
        """The latest state of each refrigerator; the alarm looks at nothing else. 30,000 of them report once a minute.

        Each report overwrites the one before it. Gateways that lose the network keep reports for up to six hours, then
        send the backlog in parallel with the live reports, in no particular order.
        """

        hospital: str = bt.key(bt.Text(width=6), cardinality=1_500)
        fridge: int = bt.key(bt.PaddedInt(3), cardinality=20)

        s = bt.family("s", gc=bt.max_versions(1))
        measured: datetime = bt.column("measured", s)
        degrees: float = bt.column("degrees", s, codec=bt.FloatBytes(4, round=True))
        door_open: bool = bt.column("door", s)

        of_hospital = bt.query("hospital")

    return FridgeNow


@bad(
    "Passes for ski lifts, bought on the phone: the turnstile must see a pass two seconds after payment, but reads only an index view, whose delay has no bound",
    "QRY006",
    verdict="warning",
    says=("bt.twins",),
)
def ski_pass() -> object:
    class Pass(bt.Model, table="PASS", events="30/s"):
        """A pass that was bought: 30 a second on a Saturday morning. It is loaded onto a card that the skier has already."""

        order: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=500))
        card: str = bt.column("card", p, size=16, max_size=16, cardinality=3_000_000)
        valid_from: datetime = bt.column("from", p)
        valid_until: datetime = bt.column("until", p)

    class PassOfCard(bt.Index, of=Pass, view="PASS_OF_CARD"):
        """The passes of a card. The turnstile asks this and nothing else: it opens only if the pass is in it.

        Most skiers buy in the queue, so a pass must open the turnstile at the latest two seconds after it was paid.
        """

        card: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)
        until: datetime = bt.key(bt.ReversedMillis(), of="valid_until")
        order: str = bt.covered()

        valid_from: datetime = bt.covered()

        of_card = bt.query("card")

    return Pass, PassOfCard


@bad(
    "Lifts under contract: what the fitter enters once is required, and its family deletes it after 90 days, while what the controller reports stays",
    "FAM005",
    verdict="warning",
    says=("for as long as the row", 'bt.family("u", gc=bt.max_versions(1))'),
)
def lift_under_contract() -> object:
    class Lift(bt.Model, table="LIFT", events="400/s"):
        """A lift under contract. The fitter who hands it over enters what it is; the controller reports every minute."""

        unit: str = bt.key(bt.Text(max_length=16), cardinality=25_000)

        u = bt.family("u", gc=bt.max_versions(1) | bt.max_age(days=90))
        make: str = bt.column("make", u, max_size=40)
        opened: date = bt.column("opened", u)

        live = bt.family("live", gc=bt.max_versions(1))
        cycles: int | None = bt.column("cycles", live, default=None)
        floor: int | None = bt.column("floor", live, default=None)

        of_unit = bt.query("unit")

    return Lift


@bad(
    "Levels of sewers: loggers are read out once a month, but the rule keeps fourteen days from the time of measuring, and a query reads thirty",
    "FAM006",
    verdict="error",
    says=("keep as much as is read, and what is late", "bt.max_age(days=45)"),
    never=("brings another fault",),
)
def sewer_levels() -> object:
    class SewerLevel(bt.Model, table="SEWER_LEVEL", bucket="day", events="500/s", lateness="30d"):
        """The levels that a logger in a manhole measured in a day. Half of them are read out by a van on its monthly round."""

        manhole: str = bt.key(bt.Text(max_length=12), cardinality=30_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        m = bt.family("m", gc=bt.max_age(days=14))
        level_mm: bt.History[int] = bt.history("mm", m, codec=bt.IntBytes(4), every="1min")

        of_manhole = bt.query("manhole", between="day", span="30d")

    return SewerLevel


@bad(
    "Votes for the acts of a show: a plain cell that 4,000 votes a second are added to",
    "KEY013",
    asked=("COL006",),
    verdict="warning",
    says=("let the service add", "shards"),
    never=("no other schema",),
)
def votes_of_acts() -> object:
    class Tally(bt.Model, table="TALLY", events="20000/s"):
        """The votes for an act on the night of a show. Every accepted vote adds one to its act."""

        show: str = bt.key(bt.Text(max_length=12), cardinality=30)
        act: str = bt.key(bt.Text(max_length=30), cardinality=26)

        v = bt.family("v", gc=bt.max_versions(1))
        votes: int | None = bt.column("n", v, default=None, increments="4000/s")

        of_show = bt.query("show")

    return Tally


@bad(
    "Calls under the radio cell where they began: about every second one begins in a cell, by chance, and the key holds the second alone",
    "KEY017",
    verdict="warning",
    says=("#{id}`",),
)
def calls_of_cells() -> object:
    class CallRecord(bt.Model, table="CALL_RECORD", events="9000/s"):
        """A call of the mobile network, under the radio cell where it began."""

        cell: str = bt.key(bt.Text(width=10), cardinality=20_000)
        began: datetime = bt.key(bt.EpochSeconds(round=True))

        c = bt.family("c", gc=bt.max_age(days=180))
        seconds: int = bt.column("s", c)

        of_cell = bt.query("cell", between="began", span="1h")

    return CallRecord


@bad(
    "A web archive: a site is asked for with all its subdomains, and its hosts are written as people read them",
    "KEY011",
    verdict="warning",
    says=("bt.ReversedDomain(253)",),
)
def captured_pages() -> object:
    class Capture(bt.Model, table="CAPTURE", events="4000/s"):
        """A page as the crawler saw it. Requests to take something down name a site and mean all of its subdomains."""

        host: str = bt.key(bt.Text(max_length=253), cardinality=30_000_000)
        page = bt.digest("address")
        at: datetime = bt.key(bt.EpochMillis(round=True))

        c = bt.family("c", gc=bt.max_versions(1))
        address: str = bt.column("a", c, size=90, max_size=8_000)
        status: int = bt.column("s", c)

        of_site = bt.query(starting="host")
        of_page = bt.query("host", "address", between="at")

    return Capture


@bad(
    "Alerts of a telescope: a pipeline numbers them as it emits them, and the number alone is the key",
    "KEY002",
    verdict="warning",
    says=("bt.ReversedDigits(12)",),
)
def survey_alerts() -> object:
    class Alert(bt.Model, table="ALERT", events="9000/s"):
        """One alert per changed source and exposure. The pipeline numbers alerts as it emits them."""

        alert_number: int = bt.key(bt.PaddedInt(12), cardinality=20_000_000_000)

        a = bt.family("a", gc=bt.max_age(days=90))
        magnitude: float = bt.column("mag", a)

        one = bt.query("alert_number")

    return Alert


@bad(
    "Blocks of a mushroom farm: the stage is in the key, and a column says since when a block has it",
    "KEY021",
    verdict="warning",
    says=("`{farm}#{block}`",),
)
def mushroom_blocks() -> object:
    class Stage(StrEnum):
        SPAWN = "spawn"
        FRUIT = "fruit"
        DONE = "done"

    class Block(bt.Model, table="BLOCK", events="15/s"):
        """A block of substrate, from inoculation to the last flush."""

        farm: str = bt.key(bt.Text(max_length=16), cardinality=40)
        stage: Stage = bt.key(bt.EnumText(Stage))
        block: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        strain: str = bt.column("strain", f, size=10, max_size=40)
        entered_stage: datetime = bt.column("entered", f)

        at_stage = bt.query("farm", "stage")

    return Block


@bad(
    "Certificates of hosts: names of up to 253 bytes are those of domains, and zones are read by a prefix",
    "KEY011",
    verdict="warning",
    says=("bt.ReversedDomain(253)",),
)
def certificates_of_hosts() -> object:
    class Certificate(bt.Model, table="CERTIFICATE", events="1500/s"):
        """A certificate that was logged for a host. Customers watch whole zones: example.com and all hosts in it."""

        host: str = bt.key(bt.Text(max_length=253), cardinality=400_000_000)
        logged: datetime = bt.key(bt.EpochMillis())
        serial: str = bt.key(bt.HexDigest(16), cardinality=1_000_000_000)

        c = bt.family("c", gc=bt.max_age(days=825))
        issuer: str = bt.column("issuer", c, size=40, max_size=200)

        of_host = bt.query("host", between="logged")
        of_zone = bt.query(starting="host")

    return Certificate


@bad(
    "Permissions to open doors: the end of one is declared as the time of an event, so it never ends, and one that is shortened stays hidden",
    "FAM005",
    verdict="warning",
    says=("bt.expires()", "moved forward"),
)
def door_permissions() -> object:
    class DoorGrant(bt.Model, table="DOOR_GRANT", events="20/s"):
        """Who may open a door, and until when. Reception shortens or extends a grant by writing it again."""

        badge: str = bt.key(bt.HexDigest(12), cardinality=80_000)
        door: str = bt.key(bt.Text(max_length=20), cardinality=900)
        valid_until: datetime = bt.timestamp()

        g = bt.family("g", gc=bt.max_versions(1))
        granted_by: str = bt.column("by", g, size=12, max_size=40)

        one = bt.query("badge", "door")

    return DoorGrant


@bad(
    "Trees of a city by metres east and north: a map wants a range of both, and no order of the two serves it",
    "QRY005",
    verdict="warning",
    says=("the cell of a grid", 'starting="cell"'),
    never=('bt.query("north"',),
)
def trees_of_a_city() -> object:
    class CityTree(bt.Model, table="CITY_TREE", events="5/s"):
        """A tree, by its place in the national grid. The map asks for the trees of what it shows."""

        east: int = bt.key(bt.PaddedInt(7), cardinality=60_000, sequential=False)
        north: int = bt.key(bt.PaddedInt(7), cardinality=60_000, sequential=False)
        tag: int = bt.key(bt.PaddedInt(8), cardinality=3_000_000, sequential=False)

        t = bt.family("t", gc=bt.max_versions(1))
        species: str = bt.column("species", t, size=16, max_size=60)

        in_view = bt.query(between="east", where=["north"])

    return CityTree


@bad(
    "Collars of reindeer: late fixes cover newer ones, and the column with the time of the fix is there already",
    "ROW008",
    verdict="warning",
    says=("`fixed_at: datetime = bt.timestamp()` in the place of the column",),
)
def collars() -> object:
    class LastFix(bt.Model, table="LAST_FIX", events="250/s", lateness="12h"):
        """Where an animal is now. Collars without coverage store their fixes and send them half a day later."""

        collar: str = bt.key(bt.HexDigest(8), cardinality=150_000)

        f = bt.family("f", gc=bt.max_versions(1))
        fixed_at: datetime = bt.column("at", f)
        lat: float = bt.column("lat", f)
        lon: float = bt.column("lon", f)

        of_collar = bt.query("collar")

    return LastFix
