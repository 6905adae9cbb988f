"""A thirtieth set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import good

import btmodel as bt


class Progress(StrEnum):
    REPORTED = "reported"
    FETCHED = "fetched"
    REPAIRED = "repaired"
    BACK = "back"


class State(StrEnum):
    OPEN = "open"
    SENT = "sent"
    CANCELLED = "cancelled"


@good("Rows of vendors under their day")
def thirtieth_rows_of_vendors_under_their_day() -> object:
    class Advisory(bt.Model, table="advisories", events="300/day"):
        """An advisory. The bulletin lists them by the time of publication, across all vendors; a busy day has three hundred."""

        published: datetime = bt.key(bt.ReversedSeconds(round=True))
        advisory: str = bt.key(bt.Text(max_length=24))

        a = bt.family("a", gc=bt.max_versions(1))
        title: str = bt.column("t", a, size=90, max_size=400)
        score: float = bt.column("cvss", a)
        text: str = bt.column("x", a, size=3_000, max_size=60_000)

        bulletin = bt.query(between="published", span="7d", newest=True)

    return Advisory


@good("Sequential numbers, written backwards")
def thirtieth_sequential_numbers_written_backwards() -> object:
    class Invoice(bt.Model, table="invoices", events="4000/s"):
        """An invoice. Numbers come from a sequence, and the bill run writes them in their order; they are looked up one at a time."""

        number: int = bt.key(bt.ReversedDigits(12), cardinality=3_000_000_000, sequential=True)

        i = bt.family("i", gc=bt.max_versions(1))
        account: str = bt.column("acc", i, size=12, max_size=16)
        due: date = bt.column("due", i)
        total: Decimal = bt.column("tot", i, size=6, max_size=14)
        lines: dict[str, str] = bt.column("lines", i, size=1_500, max_size=200_000)

    return Invoice


@good("A ship and its reversed time")
def thirtieth_a_ship_and_its_reversed_time() -> object:
    class ShipPosition(bt.Model, table="ship_positions", events="5000/s"):
        """Where a ship was, for 30 days. The map asks for the newest position of a ship, the track page for a day."""

        mmsi: int = bt.key(bt.PaddedInt(9), cardinality=300_000, sequential=False)
        at: datetime = bt.key(bt.ReversedMillis())

        p = bt.family("p", gc=bt.max_age(days=30) | bt.max_versions(1))
        lat: float = bt.column("lat", p)
        lon: float = bt.column("lon", p)
        knots: float | None = bt.column("sog", p, default=None)

        track = bt.query("mmsi", between="at", span="1d", newest=True)

    return ShipPosition


@good("A week with all its readings")
def thirtieth_a_week_with_all_its_readings() -> object:
    class IncubatorWeek(bt.Model, table="incubator_week", bucket="week", events="20/min", lateness="1h"):
        """A week of an incubator: a reading every ten minutes, 1,008 of them, with some room for repeated ones. For two years."""

        incubator: str = bt.key(bt.Text(max_length=12), cardinality=200)
        week: date = bt.key(bt.IsoWeek("%G-W%V"))

        m = bt.family("m", gc=bt.max_versions(1_200) | bt.max_age(days=730))
        celsius: bt.History[float] = bt.history("t", m, every="10min")
        co2: bt.History[float] = bt.history("co2", m, every="10min")

        of_incubator = bt.query("incubator", between="week")

    return IncubatorWeek


@good("The state of now")
def thirtieth_the_state_of_now() -> object:
    class Excavator(bt.Model, table="excavators", events="900/s"):
        """The present state of an excavator, which is written over with each report, about every ten seconds. A late report never hides a newer one."""

        site: str = bt.key(bt.Text(max_length=10), cardinality=1_400)
        excavator: str = bt.key(bt.HexDigest(8), cardinality=9_000)
        reported: datetime = bt.timestamp(round=True)

        s = bt.family("s", gc=bt.max_versions(1))
        lat: float = bt.column("lat", s)
        lon: float = bt.column("lon", s)
        litres: int | None = bt.column("fuel", s, default=None)
        driver: str | None = bt.column("drv", s, size=12, max_size=24, default=None)

        of_site = bt.query("site")

    return Excavator


@good("Counters of hours and days")
def thirtieth_counters_of_hours_and_days() -> object:
    class SongPlays(bt.Model, table="song_plays", events="3000/s"):
        """How often a song was played, per hour for six weeks and per day for three years.

        The players' backends add up for ten seconds and send one addition for each song.
        """

        song: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)

        h = bt.family("h", gc=bt.max_age(days=42), aggregate="sum")
        d = bt.family("d", gc=bt.max_age(days=1096), aggregate="sum")
        hours: bt.History[int] = bt.counter("n", h, every="1h")
        days: bt.History[int] = bt.counter("n", d, every="1day")

    return SongPlays


@good("People of one second")
def thirtieth_people_of_one_second() -> object:
    class TapIn(bt.Model, table="tap_in", events="3000/s"):
        """A card that was held to a reader: one row for each. Several lanes share a gate, and in the rush hour several people pass in a second."""

        station: str = bt.key(bt.Text(width=4), cardinality=290)
        gate: str = bt.key(bt.Text(max_length=4), cardinality=2_600)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        card: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

        t = bt.family("t", gc=bt.max_age(days=90) | bt.max_versions(1))
        fare: int = bt.column("f", t)
        lane: int = bt.column("l", t)

        of_gate = bt.query("station", "gate", between="at", span="1h")

    return TapIn


@good("A span within its age")
def thirtieth_a_span_within_its_age() -> object:
    class TurbineTen(bt.Model, table="turbine_10min", events="40/s", lateness="2d"):
        """Ten minutes of a turbine. Reports go back one quarter; turbines at sea send theirs up to two days late."""

        park: str = bt.key(bt.Text(max_length=12), cardinality=220)
        turbine: str = bt.key(bt.Text(width=4), cardinality=24_000)
        at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        s = bt.family("s", gc=bt.max_age(days=120) | bt.max_versions(1))
        kilowatts: float = bt.column("kw", s)
        wind: float = bt.column("ms", s)
        yaw: float = bt.column("yaw", s)

        of_turbine = bt.query("park", "turbine", between="at", span="92d")

    return TurbineTen


@good("A justified salt in front of the time")
def thirtieth_a_justified_salt_in_front_of_the_time() -> object:
    class AuditEntry(bt.Model, table="audit", events="6000/s"):
        """What somebody did in the console. Investigators ask for minutes: 'all that happened between 03:10 and 03:15', whoever did it.

        There is no field that every question gives but the time, so a salt spreads the writes over sixteen ranges.
        """

        lane = bt.salt("id", buckets=16)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw(), cardinality=10_000_000_000)

        a = bt.family("a", gc=bt.max_age(days=400) | bt.max_versions(1))
        actor: str = bt.column("who", a, size=24, max_size=60)
        action: str = bt.column("what", a, size=30, max_size=80)
        detail: str | None = bt.column("det", a, size=200, max_size=8_000, default=None)

        between_times = bt.query(between="at", span="5min")

    return AuditEntry


@good("Two orders of the same rows")
def thirtieth_two_orders_of_the_same_rows() -> object:
    class Climate(bt.Model):
        """What both tables hold."""

        c = bt.family("c", gc=bt.max_age(days=365) | bt.max_versions(1))
        celsius: float = bt.column("t", c)
        humidity: float = bt.column("h", c)

    class SensorClimate(Climate, table="climate_by_sensor", events="500/s"):
        """The course of one sensor."""

        house: str = bt.key(bt.Text(max_length=12), cardinality=4_000)
        sensor: str = bt.key(bt.HexDigest(8), cardinality=150_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        of_sensor = bt.query("house", "sensor", between="at", span="7d")

    class HouseClimate(Climate, table="climate_by_house", events="500/s"):
        """All sensors of a greenhouse over some hours."""

        house: str = bt.key(bt.Text(max_length=12), cardinality=4_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        sensor: str = bt.key(bt.HexDigest(8), cardinality=150_000)

        of_house = bt.query("house", between="at", span="6h")

    return SensorClimate, HouseClimate


@good("What changes is a column")
def thirtieth_what_changes_is_a_column() -> object:
    class Repair(bt.Model, table="repairs", events="30/s"):
        """A repair of a bicycle. Its progress changes, so it is a column; the board of a workshop reads the index."""

        workshop: str = bt.key(bt.Text(width=3), cardinality=180)
        repair: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)

        r = bt.family("r", gc=bt.max_age(days=730) | bt.max_versions(1))
        progress: Progress = bt.column("pr", r)
        bicycle: str = bt.column("bi", r, size=10, max_size=12)
        since: datetime = bt.column("at", r)

        of_workshop = bt.query("workshop")

    class RepairBoard(bt.Index, of=Repair, view="repair_board"):
        """The repairs of a workshop by their progress."""

        workshop: str = bt.key(bt.Text(width=3), cardinality=180)
        progress: Progress = bt.key(bt.EnumText(Progress))
        repair: str = bt.covered()

        bicycle: str = bt.covered()
        since: datetime = bt.covered()

        board = bt.query("workshop", "progress")

    return (Repair, RepairBoard)


@good("A digest of a number")
def thirtieth_a_digest_of_a_number() -> object:
    class Prescription(bt.Model, table="prescriptions", events="120/s"):
        """A prescription. The key shows a one-way hash of the insured person's number; the number itself is in a cell.

        Pharmacies always ask with the whole number.
        """

        person = bt.digest("insurance_no")
        day: date = bt.key(bt.DateText("%Y%m%d"))
        prescription: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)

        p = bt.family("p", gc=bt.max_age(days=1096) | bt.max_versions(1))
        insurance_no: str = bt.column("ino", p, size=10, max_size=10, cardinality=40_000_000)
        drug: str = bt.column("drug", p, size=12, max_size=20)
        doses: int = bt.column("n", p)

        of_person = bt.query("insurance_no", between="day", span="90d")

    return Prescription


@good("A picture elsewhere")
def thirtieth_a_picture_elsewhere() -> object:
    class BoardCheck(bt.Model, table="board_checks", events="90/s"):
        """A board at a station: the verdict, a thumbnail for the line display, and where the full picture is."""

        board: str = bt.key(bt.HexDigest(14), cardinality=800_000_000)
        station: str = bt.key(bt.Text(width=3), cardinality=40)

        f = bt.family("f", gc=bt.max_age(days=1096) | bt.max_versions(1))
        checked: datetime = bt.column("at", f)
        passed: bool = bt.column("ok", f)
        picture: str = bt.column("gs", f, size=70, max_size=200)

        t = bt.family("t", gc=bt.max_age(days=30) | bt.max_versions(1))
        thumbnail: bytes | None = bt.column("tn", t, size=18_000, max_size=120_000, default=None)

        of_board = bt.query("board", only=["checked", "passed", "picture"])

    return BoardCheck


@good("Two families of two retentions")
def thirtieth_two_families_of_two_retentions() -> object:
    class Bet(bt.Model, table="bets", events="2200/s"):
        """A bet. What we know of the device goes after 60 days; stake and odds stay for the ten years that the law asks for."""

        player: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        bet: str = bt.key(bt.HexDigest(12), cardinality=1_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=3653) | bt.max_versions(1))
        stake: Decimal = bt.column(
            "st", b, size=5, max_size=12, keep=bt.max_age(days=3653) | bt.max_versions(1)
        )
        odds: Decimal = bt.column(
            "od", b, size=4, max_size=10, keep=bt.max_age(days=3653) | bt.max_versions(1)
        )

        d = bt.family("d", gc=bt.max_age(days=60) | bt.max_versions(1))
        device: str | None = bt.column(
            "dv", d, size=40, max_size=64, default=None, keep=bt.max_age(days=60) | bt.max_versions(1)
        )
        address: str | None = bt.column(
            "ip", d, size=15, max_size=45, default=None, keep=bt.max_age(days=60) | bt.max_versions(1)
        )

        of_player = bt.query("player", between="at", newest=True, span="30d")

    return Bet


@good("The newest and two years")
def thirtieth_the_newest_and_two_years() -> object:
    class Lift(bt.Model, table="lifts", events="400/day"):
        """A lift. The three newest checks stay on file however old they are, and all of the last two years besides. Checks are quarterly."""

        region: str = bt.key(bt.Text(width=2), cardinality=16)
        lift: str = bt.key(bt.Text(max_length=12), cardinality=36_000)

        about = bt.family("a", gc=bt.max_versions(1))
        maker: str = bt.column("mk", about, size=20, max_size=60)

        check = bt.family("c", gc=bt.max_versions(3) & bt.max_age(days=730))
        braking: bt.History[float] = bt.history("br", check, every="90d")
        rope: bt.History[float] = bt.history("ro", check, every="90d")

        of_region = bt.query("region")

    return Lift


@good("A sortable date")
def thirtieth_a_sortable_date() -> object:
    class ReferenceRate(bt.Model, table="reference_rates", events="170/day"):
        """The reference rate of a pair of currencies on a day, kept for good. Charts show any span of days."""

        base: str = bt.key(bt.Text(width=3), cardinality=3)
        quote: str = bt.key(bt.Text(width=3), cardinality=170)
        day: date = bt.key(bt.DateText("%Y-%m-%d"))

        r = bt.family("r", gc=bt.max_versions(1))
        rate: Decimal = bt.column("rate", r, size=8, max_size=16)

        of_pair = bt.query("base", "quote", between="day", span="365d")

    return ReferenceRate


@good("A filtered index")
def thirtieth_a_filtered_index() -> object:
    class PharmacyOrder(bt.Model, table="pharmacy_orders", events="350/s"):
        """An order, found by its id."""

        id: str = bt.key(bt.HexDigest(16), cardinality=600_000_000)

        o = bt.family("o", gc=bt.max_age(days=1096) | bt.max_versions(1))
        pharmacy: str = bt.column("ph", o, codec=bt.AsInKey(bt.Text(width=7)), cardinality=19_000)
        state: State = bt.column("st", o)
        placed: datetime = bt.column("at", o)
        cents: int = bt.column("ct", o)

    class OpenOrder(bt.Index, of=PharmacyOrder, view="open_pharmacy_orders", where={"state": State.OPEN}):
        """The open orders of a pharmacy, the oldest first."""

        pharmacy: str = bt.key(bt.Text(width=7), cardinality=19_000)
        placed: datetime = bt.key(bt.EpochMillis(round=True))
        id: str = bt.covered()

        cents: int = bt.covered()

        of_pharmacy = bt.query("pharmacy", between="placed")

    return (PharmacyOrder, OpenOrder)


@good("Sums of a day with their events")
def thirtieth_sums_of_a_day_with_their_events() -> object:
    class Charge(bt.Model, table="charges", events="150/s", lateness="12h"):
        """A charge of a car, kept for fourteen months."""

        point: str = bt.key(bt.HexDigest(10), cardinality=220_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        charge: str = bt.key(bt.HexDigest(12), cardinality=1_000_000_000)

        c = bt.family("c", gc=bt.max_age(days=425) | bt.max_versions(1))
        watt_hours: int = bt.column("wh", c)
        ended: datetime = bt.column("end", c)

        of_point = bt.query("point", between="at", span="30d")

    class ChargeOfDay(bt.Rollup, of=Charge, view="charge_of_day"):
        """What a point delivered on a day; the operator's page shows the last 90 days."""

        point: str = bt.key(bt.HexDigest(10), cardinality=220_000)
        day: date = bt.key(bt.DateText("%Y%m%d"), of="ended")

        watt_hours: int = bt.sum_of("watt_hours")
        charges: int = bt.count()

        of_point = bt.query("point", between="day", span="90d")

    return (Charge, ChargeOfDay)


@good("Tenants in one table")
def thirtieth_tenants_in_one_table() -> object:
    NORDWIND = bt.authorized_view("nordwind", where={"tenant": "t00017"})

    HARBOUR = bt.authorized_view("harbour", where={"tenant": "t00342"})

    class DoorEvent(
        bt.Model,
        table=bt.table("door_events", authorized_views=[NORDWIND, HARBOUR], deletion_protection=True),
        events="4000/s",
    ):
        """A badge at a door. Two customers read their own rows through views; all others use our API. The largest three send a tenth of it."""

        tenant: str = bt.key(bt.Text(width=6), cardinality=5_200, tenant=True, skew="10%:3")
        door: str = bt.key(bt.HexDigest(8), cardinality=900_000)
        at: datetime = bt.key(bt.ReversedMillis())

        e = bt.family("e", gc=bt.max_age(days=180) | bt.max_versions(1))
        badge: str = bt.column("b", e, size=16, max_size=16)
        opened: bool = bt.column("ok", e)

        of_door = bt.query("tenant", "door", between="at", newest=True)

    return DoorEvent


@good("An entity in one row")
def thirtieth_an_entity_in_one_row() -> object:
    class Policy(bt.Model, table="household_policy", events="60/s", atomic="policy"):
        """A policy with all of its covers. An endorsement changes several of them in one mutation, so all change or none."""

        policy: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        begins: date = bt.column("b", p)
        ends: date | None = bt.column("e", p, default=None)

        c = bt.family("c", gc=bt.max_versions(10))
        premiums: dict[str, Decimal] = bt.mapping(c, bt.Text(max_length=12), size=6, max_size=12, entries=25)

    return Policy


@good("A bounded set and its other direction")
def thirtieth_a_bounded_set_and_its_other_direction() -> object:
    class Member(bt.Model, table="members", events="200/s"):
        """A member, and whom they follow: at most 3,000, which the app enforces."""

        member: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        follows: set[str] = bt.members(f, bt.HexDigest(12), entries=3_000)

    class Follower(bt.Model, table="followers", events="200/s"):
        """A follower of a member, a row each: stars have millions."""

        member: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)
        follower: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        since: datetime = bt.column("s", f)

        of_member = bt.query("member")

    return (Member, Follower)


@good("A table that is read whole")
def thirtieth_a_table_that_is_read_whole() -> object:
    class Flag(bt.Model, table="flags", events="50/day"):
        """A flag and its rollout. There are about 800; each service reads them all when it starts."""

        service: str = bt.key(bt.Text(max_length=30), cardinality=60)
        flag: str = bt.key(bt.Text(max_length=40), cardinality=800)

        f = bt.family("f", gc=bt.max_versions(5))
        rollout: int = bt.column("pct", f)
        changed_by: str = bt.column("by", f, size=12, max_size=40)
        changed_at: datetime = bt.column("at", f)

        of_service = bt.query("service")
        everything = bt.query(scan="a service reads all 800 flags once, when it starts")

    return Flag
