"""Designs of many domains, made for this table: a fault each, as an expert would state it, and a twin without it."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad, good

import btmodel as bt


@bad(
    "Ferry bookings: the sailing date leads, 3,000 bookings a second come for today",
    "KEY001",
    verdict="error",
)
def ferry_bookings() -> object:
    class Booking(bt.Model, table="ferry_booking", events="3000/s"):
        sailing: date = bt.key(bt.DateText())
        ship: str = bt.key(bt.Text(width=6), cardinality=40)
        booking: UUID = bt.key(bt.UuidText())

        b = bt.family("b", gc=bt.max_age(days=400))
        cabin: str = bt.column("c", b, max_size=6)

        of_sailing = bt.query("sailing", "ship")

    return Booking


@good("Ferry bookings by ship and sailing, a few a second")
def ferry_bookings_by_ship() -> object:
    class Booking(bt.Model, table="ferry_booking", events="20/s"):
        ship: str = bt.key(bt.Text(width=6), cardinality=40)
        sailing: date = bt.key(bt.DateText())
        booking: UUID = bt.key(bt.UuidText())

        b = bt.family("b", gc=bt.max_age(days=400))
        cabin: str = bt.column("c", b, max_size=6)

        of_sailing = bt.query("ship", "sailing")

    return Booking


@bad("Seismograms: two samples of one station within a second have one key", "KEY017", verdict="error")
def seismograms() -> object:
    class Sample(bt.Model, table="seismogram", events="200000/s"):
        station: str = bt.key(bt.Text(width=5), cardinality=2_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        s = bt.family("s", gc=bt.max_age(days=90))
        counts: int = bt.column("c", s)

        of_station = bt.query("station", between="at", span="10min")

    return Sample


@good("Seismograms: a row a station and minute, with the samples as one packed cell")
def seismogram_minutes() -> object:
    class Minute(bt.Model, table="seismogram_minute", events="2000/min"):
        station: str = bt.key(bt.Text(width=5), cardinality=2_000)
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        s = bt.family("s", gc=bt.max_age(days=90))
        samples: bytes = bt.column("p", s, size=24_000, max_size=40_000)

        of_station = bt.query("station", between="minute", span="1h")

    return Minute


@bad(
    "A museum's guest book: 80 % of visitors are of one country, and the country leads at a high rate",
    "KEY003",
)
def visits_by_country() -> object:
    class Visit(bt.Model, table="museum_visit", events="30000/s"):
        country: str = bt.key(bt.Text(width=2), cardinality=190, skew="80%:1")
        at: datetime = bt.key(bt.EpochMillis(round=True))
        visit: UUID = bt.key(bt.UuidText())

        v = bt.family("v", gc=bt.max_age(days=60))
        hall: str = bt.column("h", v, max_size=10)

        of_country = bt.query("country", between="at", span="10min")

    return Visit


@bad(
    "Container terminals: the number of a yard slot is text, and ranges of it are read",
    "KEY007",
    verdict="warning",
)
def yard_slots() -> object:
    class Slot(bt.Model, table="yard_slot", events="50/s"):
        terminal: str = bt.key(bt.Text(width=5), cardinality=30)
        slot_number: str = bt.key(bt.Text(max_length=6), cardinality=20_000)

        y = bt.family("y", gc=bt.max_versions(1))
        container: str | None = bt.column("c", y, default=None, max_size=11)

        stretch = bt.query("terminal", between="slot_number")

    return Slot


@good("Container terminals: slots as padded numbers")
def yard_slots_padded() -> object:
    class Slot(bt.Model, table="yard_slot", events="50/s"):
        terminal: str = bt.key(bt.Text(width=5), cardinality=30)
        slot_number: int = bt.key(bt.PaddedInt(6), cardinality=20_000, sequential=False)

        y = bt.family("y", gc=bt.max_versions(1))
        container: str | None = bt.column("c", y, default=None, max_size=11)

        stretch = bt.query("terminal", between="slot_number")

    return Slot


class Day(StrEnum):
    """Days in the order of a week."""

    MONDAY = "monday"
    TUESDAY = "tuesday"
    WEDNESDAY = "wednesday"
    THURSDAY = "thursday"
    FRIDAY = "friday"


@bad("School timetables: a range of weekdays, whose names sort otherwise", "KEY007", verdict="warning")
def lessons_of_days() -> object:
    class Lesson(bt.Model, table="lesson", events="5/s"):
        school: str = bt.key(bt.HexDigest(8), cardinality=30_000)
        day: Day = bt.key(bt.EnumText(Day))
        hour: int = bt.key(bt.PaddedInt(2), cardinality=12)
        room: str = bt.key(bt.Text(max_length=8), cardinality=80)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("s", t, max_size=30)

        of_days = bt.query("school", between="day")

    return Lesson


@good("School timetables: the days one by one")
def lessons_of_a_day() -> object:
    class Lesson(bt.Model, table="lesson", events="5/s"):
        school: str = bt.key(bt.HexDigest(8), cardinality=30_000)
        day: Day = bt.key(bt.EnumText(Day))
        hour: int = bt.key(bt.PaddedInt(2), cardinality=12)
        room: str = bt.key(bt.Text(max_length=8), cardinality=80)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("s", t, max_size=30)

        of_day = bt.query("school", "day")

    return Lesson


@bad("A courier's parcels by the hub where they are at present", "KEY021", verdict="warning")
def parcels_at_hubs() -> object:
    class Parcel(bt.Model, table="parcel_at_hub", events="900/s"):
        """Parcels in the network, listed for each hub. The hub changes with every scan."""

        hub: str = bt.key(bt.Text(width=5), cardinality=400)
        parcel: str = bt.key(bt.Text(width=18), cardinality=400_000_000, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1))
        weight: int = bt.column("w", p)

        at_hub = bt.query("hub")

    return Parcel


@good("Scans of parcels: a row each, by the hub where it was")
def scans_at_hubs() -> object:
    class Scan(bt.Model, table="parcel_scan", events="900/s"):
        """Scans of parcels. A parcel moves on, and its scans stay where they were made."""

        hub: str = bt.key(bt.Text(width=5), cardinality=400)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        parcel: str = bt.key(bt.Text(width=18), cardinality=400_000_000, sequential=False)

        p = bt.family("p", gc=bt.max_age(days=60))
        weight: int = bt.column("w", p)

        at_hub = bt.query("hub", between="at", span="1h")

    return Scan


@bad(
    "Loans of a library by reader: those not returned are picked by a flag in the key",
    "KEY021",
    verdict="warning",
)
def loans_by_returned() -> object:
    class Loan(bt.Model, table="loan", events="40/s"):
        branch: str = bt.key(bt.Text(width=4), cardinality=200)
        is_closed: bool = bt.key(bt.Boolean())
        loan: UUID = bt.key(bt.UuidText(), cardinality=80_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        due: date = bt.column("d", f)

        open_ones = bt.query("branch", "is_closed")

    return Loan


@bad(
    "Consent records that must end after two years, which an intersection never deletes",
    "FAM005",
    verdict="warning",
)
def consents() -> object:
    class Consent(bt.Model, table="consent", events="300/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=50_000_000)
        given: datetime = bt.key(bt.ReversedMillis(round=True))

        c = bt.family("c", gc=bt.max_age(days=730) & bt.max_versions(2))
        text: str = bt.column("t", c, max_size=20)

        of_user = bt.query("user", between="given", newest=True)

    return Consent


@good("Consent records that end after two years")
def consents_that_end() -> object:
    class Consent(bt.Model, table="consent", events="300/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=50_000_000)
        given: datetime = bt.key(bt.ReversedMillis(round=True))

        c = bt.family("c", gc=bt.max_age(days=730))
        text: str = bt.column("t", c, max_size=20)

        of_user = bt.query("user", between="given", newest=True)

    return Consent


@good("Settings that are kept for good, and what they were for a month")
def settings_with_a_past() -> object:
    class Settings(bt.Model, table="setting", events="50/s"):
        user: str = bt.key(bt.HexDigest(16), cardinality=50_000_000)

        s = bt.family("s", gc=bt.max_age(days=30) & bt.max_versions(1))
        language: str = bt.column("l", s, max_size=5)
        theme: str = bt.column("t", s, max_size=10)

        of_user = bt.query("user")

    return Settings


@bad(
    "Elevators: what is known of one from the start, in the family of its trips", "FAM005", verdict="warning"
)
def elevators() -> object:
    class Elevator(bt.Model, table="elevator", events="300/s"):
        building: str = bt.key(bt.HexDigest(8), cardinality=40_000)
        elevator: int = bt.key(bt.PaddedInt(3), cardinality=60, sequential=False)

        e = bt.family("e", gc=bt.max_age(days=7))
        maker: str = bt.column("m", e, max_size=30)
        floors: int = bt.column("f", e)

        t = bt.family("t", gc=bt.max_age(days=7), aggregate="sum")
        trips: bt.History[int] = bt.counter("n", t, every="1h", increments="3/min")

        of_building = bt.query("building")

    return Elevator


@good("Elevators: what is known of one from the start is kept")
def elevators_kept() -> object:
    class Elevator(bt.Model, table="elevator", events="300/s"):
        building: str = bt.key(bt.HexDigest(8), cardinality=40_000)
        elevator: int = bt.key(bt.PaddedInt(3), cardinality=60, sequential=False)

        e = bt.family("e", gc=bt.max_versions(1))
        maker: str = bt.column("m", e, max_size=30)
        floors: int = bt.column("f", e)

        t = bt.family("t", gc=bt.max_age(days=7), aggregate="sum")
        trips: bt.History[int] = bt.counter("n", t, every="1h", increments="3/min")

        of_building = bt.query("building")

    return Elevator


@bad(
    "X-rays of a clinic: a list of names reads the images beside them",
    "QRY005",
    verdict="warning",
    says=("family of its own",),
)
def x_rays() -> object:
    class XRay(bt.Model, table="x_ray", events="5/s"):
        clinic: str = bt.key(bt.Text(width=5), cardinality=120)
        image: UUID = bt.key(bt.UuidText(), cardinality=40_000_000)

        x = bt.family("x", gc=bt.max_versions(1))
        body_part: str = bt.column("b", x, max_size=20)
        dicom: bytes = bt.column("d", x, size=8_000_000, max_size=9_000_000)

        parts = bt.query("clinic", only=["body_part"])
        one = bt.query("clinic", "image")

    return XRay


@good("X-rays of a clinic: the images in a family of their own")
def x_rays_apart() -> object:
    class XRay(bt.Model, table="x_ray", events="5/s"):
        clinic: str = bt.key(bt.Text(width=5), cardinality=120)
        image: UUID = bt.key(bt.UuidText(), cardinality=40_000_000)

        x = bt.family("x", gc=bt.max_versions(1))
        body_part: str = bt.column("b", x, max_size=20)

        d = bt.family("d", gc=bt.max_versions(1))
        dicom: bytes = bt.column("d", d, size=8_000_000, max_size=9_000_000)

        parts = bt.query("clinic", only=["body_part"])
        one = bt.query("clinic", "image")

    return XRay


@bad("Court files: pages as entries of one row, each a scan", "ROW002", verdict="error")
def court_files() -> object:
    class CourtFile(bt.Model, table="court_file", events="2/s"):
        court: str = bt.key(bt.Text(width=5), cardinality=600)
        number: str = bt.key(bt.Text(max_length=16), cardinality=30_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        pages: dict[int, bytes] = bt.mapping(
            p, bt.PaddedInt(5), entries=4_000, size=200_000, max_size=900_000
        )

        one = bt.query("court", "number")

    return CourtFile


@good("Court files: a row a page")
def court_pages() -> object:
    class CourtPage(bt.Model, table="court_page", events="400/s"):
        court: str = bt.key(bt.Text(width=5), cardinality=600)
        number: str = bt.key(bt.Text(max_length=16), cardinality=30_000_000)
        page: int = bt.key(bt.PaddedInt(5), cardinality=4_000, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1))
        scan: bytes = bt.column("s", p, size=200_000, max_size=900_000)

        one = bt.query("court", "number", between="page")

    return CourtPage


@bad(
    "Pharmacies: patients are found by their insurance card's number, which is in the key",
    "KEY010",
    verdict="warning",
)
def prescriptions() -> object:
    class Prescription(bt.Model, table="prescription", events="100/s"):
        patient_phone: str = bt.key(bt.Text(max_length=16), cardinality=40_000_000, sequential=False)
        at: datetime = bt.key(bt.ReversedMillis(round=True))

        p = bt.family("p", gc=bt.max_age(days=3_650))
        drug: str = bt.column("d", p, max_size=12)

        of_patient = bt.query("patient_phone", between="at", newest=True)

    return Prescription


@bad(
    "A club's members by their surname, of which the beginning is asked for",
    "KEY010",
    asked=("KEY019",),
    verdict="warning",
)
def members_by_surname() -> object:
    class Member(bt.Model, table="member", events="1/s"):
        club: str = bt.key(bt.HexDigest(8), cardinality=20_000)
        surname: str = bt.key(bt.Text(max_length=40), cardinality=500_000)
        member: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        since: date = bt.column("s", m)

        of_club = bt.query("club", starting="surname")

    return Member


@bad("Tenants of an accounting service: the tenant stands behind the account", "KEY018", verdict="warning")
def ledger_of_tenants() -> object:
    class Entry(bt.Model, table="ledger", events="800/s"):
        account: str = bt.key(bt.Text(width=6), cardinality=2_000)
        tenant: str = bt.key(bt.HexDigest(8), cardinality=90_000, tenant=True)
        entry: UUID = bt.key(bt.UuidText())

        e = bt.family("e", gc=bt.keep_all())
        cents: int = bt.column("c", e)

        of_account = bt.query("account", "tenant")

    return Entry


@good("Tenants of an accounting service first")
def ledger_by_tenant() -> object:
    class Entry(bt.Model, table="ledger", events="800/s"):
        tenant: str = bt.key(bt.HexDigest(8), cardinality=90_000, tenant=True)
        account: str = bt.key(bt.Text(width=6), cardinality=2_000)
        entry: UUID = bt.key(bt.UuidText())

        e = bt.family("e", gc=bt.max_versions(1))
        cents: int = bt.column("c", e)

        of_account = bt.query("tenant", "account")

    return Entry


@bad("A table for each customer of a logging service", "TAB002", verdict="warning")
def table_of_a_customer() -> object:
    class Line(bt.Model, table="log_{customer}", events="9000/s"):
        host: str = bt.key(bt.HexDigest(8), cardinality=90_000)
        at: datetime = bt.key(bt.EpochMicros())

        f = bt.family("l", gc=bt.max_age(days=14))
        text: str = bt.column("t", f, size=200, max_size=8_000)

        of_host = bt.query("host", between="at", span="1h")

    return Line


@bad("Votes of a song contest: one row a song takes them all", "KEY013", verdict="warning")
def song_votes() -> object:
    class Song(bt.Model, table="song_votes", events="20000/s"):
        contest: int = bt.key(bt.PaddedInt(4), cardinality=70)
        song: int = bt.key(bt.PaddedInt(2), cardinality=26, sequential=False)

        v = bt.family("v", gc=bt.max_versions(1), aggregate="sum")
        votes: int | None = bt.counter("n", v, increments="900/s")

        of_contest = bt.query("contest")

    return Song


@good("Votes of a song contest in 64 rows a song, summed when they are read")
def song_votes_in_shards() -> object:
    class Song(bt.Model, table="song_votes", events="100/s"):
        contest: int = bt.key(bt.PaddedInt(4), cardinality=70)
        song: int = bt.key(bt.PaddedInt(2), cardinality=26, sequential=False)
        shard: int = bt.key(bt.PaddedInt(3), cardinality=64, sequential=False)

        v = bt.family("v", gc=bt.max_versions(1), aggregate="sum")
        votes: int | None = bt.counter("n", v, increments="12/min")

        of_contest = bt.query("contest")

    return Song


@bad("Tides: a range of a negative number that is written as text", "KEY007", "QRY001", verdict="error")
def tides() -> object:
    class Tide(bt.Model, table="tide", events="100/min"):
        harbour: str = bt.key(bt.Text(width=5), cardinality=3_000)
        height: str = bt.key(bt.Text(max_length=7), cardinality=2_000)
        at: datetime = bt.key(bt.EpochSeconds())

        t = bt.family("t", gc=bt.max_age(days=365))
        moon: str = bt.column("m", t, max_size=10)

        of_heights = bt.query("harbour", between="height")

    return Tide


@bad(
    "Recipes: an ingredient may hold the delimiter, and stands in front of another text",
    "KEY008",
    "QRY001",
    verdict="error",
)
def recipes() -> object:
    class Recipe(bt.Model, table="recipe", events="5/s"):
        ingredient: str = bt.key(bt.Text(max_length=60, holds_delimiter=True), cardinality=40_000)
        recipe: str = bt.key(bt.Text(max_length=80, holds_delimiter=True), cardinality=2_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        minutes: int = bt.column("m", r)

        of_ingredient = bt.query("ingredient")

    return Recipe


@bad(
    "Chess: games of a player are asked for by opening, which only a column holds", "QRY001", verdict="error"
)
def chess_games() -> object:
    class Game(bt.Model, table="chess_game", events="3000/s"):
        player: str = bt.key(bt.HexDigest(12), cardinality=90_000_000)
        at: datetime = bt.key(bt.ReversedSeconds(round=True))
        game: str = bt.key(bt.HexDigest(8), cardinality=4_000_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        opening: str = bt.column("o", g, max_size=3, cardinality=500)
        moves: bytes = bt.column("m", g, size=120, max_size=2_000)

        of_player = bt.query("player", between="at", newest=True)
        of_opening = bt.query("opening", between="at")

    return Game


@bad(
    "Weather of cells of a grid: the row of a cell takes a reading a second, for ever",
    "ROW003",
    verdict="error",
)
def grid_cells() -> object:
    class Cell(bt.Model, table="grid_cell", events="60000/s"):
        cell: str = bt.key(bt.Text(width=9), cardinality=60_000, sequential=False)

        w = bt.family("w", gc=bt.keep_all())
        wind: bt.History[float] = bt.history("w", w, every="1s")

        of_cell = bt.query("cell")

    return Cell


@bad("Bakeries: a week's sales in versions, of which a day's are kept", "FAM006", verdict="error")
def bakery_weeks() -> object:
    class Week(bt.Model, table="bakery_week", bucket="week", events="300/s"):
        bakery: str = bt.key(bt.HexDigest(6), cardinality=18_000)
        week: date = bt.key(bt.IsoWeek())

        s = bt.family("s", gc=bt.max_age(days=1))
        sold: bt.History[int] = bt.history("n", s, every="1min")

        of_bakery = bt.query("bakery", between="week")

    return Week


@good("Bakeries: a week's sales for two years")
def bakery_weeks_kept() -> object:
    class Week(bt.Model, table="bakery_week", bucket="week", events="300/s"):
        bakery: str = bt.key(bt.HexDigest(6), cardinality=18_000)
        week: date = bt.key(bt.IsoWeek())

        s = bt.family("s", gc=bt.max_age(days=730))
        sold: bt.History[int] = bt.history("n", s, every="1min")

        of_bakery = bt.query("bakery", between="week", span="28d")

    return Week


@bad(
    "Avalanche sensors in huts without a net: data come days after the rule deletes them",
    "FAM006",
    verdict="warning",
)
def avalanche_sensors() -> object:
    class Reading(bt.Model, table="avalanche", events="300/s", lateness="5d"):
        sensor: str = bt.key(bt.Text(width=8), cardinality=900)
        at: datetime = bt.timestamp()

        r = bt.family("r", gc=bt.max_age(days=2))
        snow: int = bt.column("s", r)

        of_sensor = bt.query("sensor")

    return Reading


@bad(
    "Orders of a canteen: a digest of four values in front spreads nothing, and keeps a query from its rows",
    "QRY001",
    "KEY003",
    "KEY004",
    never=("`salt`, `menu`",),
    verdict="error",
)
def canteen_orders() -> object:
    class Order(bt.Model, table="canteen_order", events="40000/s"):
        spread = bt.digest("menu", size=4)
        at: datetime = bt.key(bt.EpochMicros())
        menu: str = bt.key(bt.Text(width=1), cardinality=4)
        till: str = bt.key(bt.Text(width=6), cardinality=900)

        o = bt.family("o", gc=bt.max_age(days=30))
        cents: int = bt.column("c", o)

        of_menu = bt.query("menu", between="at", span="1min")

    return Order


@bad("Bus tickets: a salt of far more values than nodes", asked=("KEY005",))
def bus_tickets() -> object:
    class Ticket(bt.Model, table="bus_ticket", events="200/s"):
        shard = bt.salt("number", buckets=16)
        number: int = bt.key(bt.PaddedInt(10), sequential=True)

        t = bt.family("t", gc=bt.max_age(days=400))
        line: str = bt.column("l", t, max_size=5, cardinality=3_000)

        numbers = bt.query(between="number")

    return Ticket


@bad(
    "Genealogy: people of a family as columns, whose number nothing bounds", "ROW002|COL003", verdict="error"
)
def family_trees() -> object:
    class Tree(bt.Model, table="family_tree", events="20/s"):
        tree: str = bt.key(bt.HexDigest(10), cardinality=3_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        people: dict[str, str] = bt.mapping(
            p, bt.Text(max_length=36), entries=2_000_000, size=200, max_size=900
        )

        of_tree = bt.query("tree")

    return Tree


@bad(
    "Auctions: bids of a day in one row of all auctions, a bucket too large",
    "ROW002",
    verdict="error",
)
def bids_of_days() -> object:
    class Bids(bt.Model, table="bids_of_day", bucket="day", events="2000/s"):
        house: str = bt.key(bt.Text(width=4), cardinality=25)
        day: date = bt.key(bt.DateText())

        b = bt.family("b", gc=bt.max_age(days=90))
        bids: bt.History[str] = bt.history("b", b, size=60, max_size=200)

        of_house = bt.query("house", between="day")

    return Bids


@good("Auctions: a row a bid, by lot")
def bids_of_lots() -> object:
    class Bid(bt.Model, table="bid", events="2000/s"):
        lot: str = bt.key(bt.HexDigest(10), cardinality=5_000_000)
        at: datetime = bt.key(bt.ReversedMicros())
        bidder: str = bt.key(bt.HexDigest(8), cardinality=900_000)

        b = bt.family("b", gc=bt.max_age(days=90))
        cents: Decimal = bt.column("c", b)

        of_lot = bt.query("lot", between="at", newest=True)

    return Bid


@bad("Locks of hotel doors by the millisecond of their making, a number", "KEY001", verdict="warning")
def door_locks() -> object:
    class Lock(bt.Model, table="door_lock", events="2500/s"):
        created_ms: int = bt.key(bt.PaddedInt(13), cardinality=10_000_000_000)
        door: str = bt.key(bt.HexDigest(8), cardinality=4_000_000)

        k = bt.family("k", gc=bt.max_age(days=2))
        guest: str = bt.column("g", k, max_size=36)

        lately = bt.query(between="created_ms")

    return Lock


@bad("Star catalogues: a hash in front of what is asked for in ranges", "QRY001", "KEY004", verdict="error")
def stars() -> object:
    class Star(bt.Model, table="star", events="100/s"):
        h = bt.digest("declination", size=2)
        declination: int = bt.key(bt.PaddedInt(9), cardinality=600_000_000, sequential=False)
        star: int = bt.key(bt.PaddedInt(19), cardinality=1_800_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        magnitude: float = bt.column("m", s)

        belt = bt.query(between="declination")

    return Star


@good("Star catalogues by the tile of the sky")
def stars_of_tiles() -> object:
    class Star(bt.Model, table="star", events="100/s"):
        tile: int = bt.key(bt.PaddedInt(8), cardinality=12_000_000, sequential=False)
        star: int = bt.key(bt.PaddedInt(19), cardinality=1_800_000_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        magnitude: float = bt.column("m", s)

        of_tile = bt.query("tile")

    return Star


@bad("Ships: a history of which one version is kept", "FAM006", verdict="warning")
def ship_states() -> object:
    class Ship(bt.Model, table="ship_states", events="10/s"):
        ship: str = bt.key(bt.HexDigest(8), cardinality=10_000)

        f = bt.family("f", gc=bt.max_versions(1))
        status: bt.History[str] = bt.history("s", f, max_size=20)

        of_ship = bt.query("ship")

    return Ship


@bad(
    "Orders as entries of the customer's row, of which nothing says how many there may be",
    "ROW003",
    verdict="warning",
)
def orders_as_entries() -> object:
    class Orders(bt.Model, table="orders_as_entries", events="500/s"):
        customer: str = bt.key(bt.HexDigest(8), cardinality=10_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        orders: dict[UUID, str] = bt.mapping(f, bt.UuidText(), size=200, max_size=2000)

        of_customer = bt.query("customer")

    return Orders


@bad(
    "Payments by a UUID that begins with the time, as only the description says", "KEY002", verdict="warning"
)
def payments_by_uuid7() -> object:
    class Payment(bt.Model, table="payments_by_uuid7", events="9000/s"):
        """Payments, by their id, a UUID of version 7."""

        payment: UUID = bt.key(bt.UuidText(), cardinality=10_000_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("c", f)

        one = bt.query("payment")

    return Payment


@bad("Invoices by numbers that climb, as only the description says", "KEY002", verdict="warning")
def invoices_in_order() -> object:
    class Invoice(bt.Model, table="invoices_in_order", events="9000/s"):
        """Invoices by number. Numbers are given one after the other, without gaps, as the law wants."""

        invoice: int = bt.key(bt.PaddedInt(12), cardinality=10_000_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("c", f)

        one = bt.query("invoice")

    return Invoice


@bad("Payments by the number of a card", "KEY010", verdict="warning")
def payments_by_card() -> object:
    class Payment(bt.Model, table="payments_by_card", events="900/s"):
        card_number: str = bt.key(bt.Text(width=16), cardinality=10_000_000_000, sequential=False)
        at: datetime = bt.key(bt.ReversedMillis(round=True))

        f = bt.family("f", gc=bt.max_age(days=90))
        cents: int = bt.column("c", f)

        of_card = bt.query("card_number", between="at", newest=True)

    return Payment


@bad("Patients by their names", "KEY010", verdict="warning")
def patients_by_name() -> object:
    class Patient(bt.Model, table="patients_by_name", events="90/s"):
        clinic: str = bt.key(bt.Text(width=4), cardinality=300)
        patient_name: str = bt.key(bt.EscapedText(60), cardinality=10_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        blood: str = bt.column("b", f, max_size=3)

        one = bt.query("clinic", "patient_name")

    return Patient


@bad("Prices that a start page finds by reading the whole table", "QRY001", verdict="warning")
def start_page_by_scan() -> object:
    class Start(bt.Model, table="start_page_by_scan", events="900/s"):
        sku: str = bt.key(bt.HexDigest(8), cardinality=200_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        price: int = bt.column("p", f)
        changed: datetime = bt.column("c", f)

        lately = bt.query(scan="the start page shows what was changed in the last hour")

    return Start


@bad("Documents in front of the tenant that has them", "KEY018", verdict="warning")
def documents_of_tenants() -> object:
    class Document(bt.Model, table="documents_of_tenants", events="900/s"):
        """Rows of all tenants of a service."""

        document: str = bt.key(bt.HexDigest(8), cardinality=20_000_000)
        tenant_id: str = bt.key(bt.HexDigest(4), cardinality=20_000)

        f = bt.family("f", gc=bt.max_versions(1))
        title: str = bt.column("t", f, max_size=100)

        of_tenant = bt.query("document", "tenant_id")

    return Document


@bad("A row for each reading, of which a query reads those of a year", "ROW006", verdict="warning")
def minutes_of_meters() -> object:
    class Minute(bt.Model, table="minutes_of_meters", bucket="minute", events="1000/s"):
        meter: str = bt.key(bt.HexDigest(8), cardinality=60_000)
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        f = bt.family("f", gc=bt.max_age(days=900))
        kwh: bt.History[float] = bt.history("k", f, every="1min")

        of_meter = bt.query("meter", between="minute", span="365d")

    return Minute


@bad("All prices of a market in one row", "KEY013", verdict="warning")
def prices_of_a_market() -> object:
    class Price(bt.Model, table="prices_of_a_market", events="4000/s"):
        market: str = bt.key(bt.Text(width=4), cardinality=3)

        f = bt.family("f", gc=bt.max_versions(1))
        prices: dict[str, int] = bt.mapping(f, bt.Text(max_length=12), entries=5000, size=8)

        one = bt.query("market")

    return Price


@good("Orders of a customer: a row each")
def orders_in_rows() -> object:
    class Order(bt.Model, table="orders_in_rows", events="500/s"):
        customer: str = bt.key(bt.HexDigest(8), cardinality=10_000_000)
        order: UUID = bt.key(bt.UuidText())

        f = bt.family("f", gc=bt.max_versions(1))
        text: str = bt.column("t", f, size=200, max_size=2_000)

        of_customer = bt.query("customer")

    return Order


@good("Devices of a user: a few entries named by ids")
def devices_of_users() -> object:
    class Devices(bt.Model, table="devices_of_users", events="50/s"):
        user: str = bt.key(bt.HexDigest(8), cardinality=10_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        devices: dict[UUID, str] = bt.mapping(f, bt.UuidText(), entries=20, size=30, max_size=100)

        of_user = bt.query("user")

    return Devices


@good("Invoices by numbers in order, written backwards")
def invoices_backwards() -> object:
    class Invoice(bt.Model, table="invoices_backwards", events="9000/s"):
        """Invoices by number. Numbers are given one after the other, without gaps, as the law wants."""

        invoice: int = bt.key(bt.ReversedDigits(12), cardinality=10_000_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        cents: int = bt.column("c", f)

        one = bt.query("invoice")

    return Invoice


@good("Prices that a nightly job reads in whole")
def prices_by_night() -> object:
    class Price(bt.Model, table="prices_by_night", events="900/s"):
        sku: str = bt.key(bt.HexDigest(8), cardinality=200_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        price: int = bt.column("p", f)

        all_of_them = bt.query(scan="the nightly export")

    return Price
