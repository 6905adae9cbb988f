"""A thirty-second set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime

from published import bad

import btmodel as bt


@bad("A ticket that counts up", "KEY002", says=("`bt.ReversedDigits(12)`",))
def thirtysecond_a_ticket_that_counts_up() -> object:
    class SortScan(bt.Model, table="SORT_SCAN", events="6000/s"):
        """A parcel seen by a tunnel scanner.

        The hub controller stamps each scan with a ticket, counting up by one for the whole country since the last
        migration; the ticket is printed on the reject slip, and the clerk types it in to see what went wrong. Scans are
        always looked up one at a time. Dropped after 45 days.
        """

        ticket: int = bt.key(bt.PaddedInt(12), cardinality=23_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=45))
        tunnel: str = bt.column("tunnel", s, size=6)
        barcode: str = bt.column("barcode", s, size=22)
        grams: int = bt.column("grams", s)

    return SortScan


@bad("Three species before the time", "KEY003")
def thirtysecond_three_species_before_the_time() -> object:
    class GateRead(bt.Model, table="GATE_READ", events="8000/s"):
        """One read of an ear tag at a feeding gate.

        We keep cattle, sheep and goats on the platform. The vets' board draws all reads of a species over a span of
        minutes, and that is the only way the table is read. Two months of reads are kept.
        """

        species: str = bt.key(bt.Text(max_length=6), cardinality=3)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        tag: str = bt.key(bt.Text(width=15), cardinality=12_000_000)

        r = bt.family("r", gc=bt.max_age(days=60))
        gate: str = bt.column("gate", r, size=8)
        feed_grams: int | None = bt.column("feed", r, default=None)

        window = bt.query("species", between="at")

    return GateRead


@bad("Moves of a container behind the time", "QRY005", says=("`{yard}#{container}#{at}`",))
def thirtysecond_moves_of_a_container_behind_the_time() -> object:
    class Move(bt.Model, table="YARD_MOVE", events="300/s"):
        """A crane has moved a container from one stack to another.

        Asked all day long by the planners: the moves of this container in this yard, of the last days. A yard has about
        thirty thousand containers. Moves are deleted after 120 days.
        """

        yard: str = bt.key(bt.Text(width=5), cardinality=140)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        container: str = bt.key(bt.Text(width=11), cardinality=4_000_000)

        m = bt.family("m", gc=bt.max_age(days=120))
        source: str = bt.column("from", m, size=9)
        target: str = bt.column("to", m, size=9)

        of_container = bt.query("yard", between="at", where=["container"], span="3days")

    return Move


@bad("Seven years that an inspector asks for", "FAM010")
def thirtysecond_seven_years_that_an_inspector_asks_for() -> object:
    class FridgeReading(bt.Model, table="FRIDGE_READING", events="120/s"):
        """Core temperature of a blood fridge.

        The alarm desk draws the last day of a fridge. An inspector may ask for any excursion of the past seven years, and
        there is no other copy of these values.
        """

        fridge: str = bt.key(bt.Text(width=10), cardinality=7_200)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        t = bt.family("t", gc=bt.max_age(days=90))
        core: float = bt.column("core", t)
        door_open: bool = bt.column("door", t)

        of_fridge = bt.query("fridge", between="at")

    return FridgeReading


@bad("An insurance number as the key", "KEY010", says=("`{member_id}#{at}`",))
def thirtysecond_an_insurance_number_as_the_key() -> object:
    class Cast(bt.Model, table="CAST", events="3/s"):
        """A dental cast that the lab has milled.

        `member` is what is punched on the patient's card, that is their national insurance number; practices send it with
        the order and ask for all casts under it, the newest first. Casts are kept for good.
        """

        member: str = bt.key(bt.Text(width=11), cardinality=5_000_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))

        c = bt.family("c", gc=bt.max_versions(1))
        material: str = bt.column("material", c, size=10)
        shade: str = bt.column("shade", c, size=3)

        of_member = bt.query("member", between="at")

    return Cast


@bad("Needles that break in one second", "KEY017", says=("`{machine}#{at}#{id}`",))
def thirtysecond_needles_that_break_in_one_second() -> object:
    class NeedleBreak(bt.Model, table="NEEDLE_BREAK", events="200/s"):
        """A needle of a knitting machine broke.

        The machine tells us the bed position and the time to the second. When the yarn jams, three or four needles go
        within the same second, and the mill is paid back per needle. Ninety days are kept; the foreman reads the breaks
        of a machine during his shift.
        """

        machine: str = bt.key(bt.Text(width=7), cardinality=14_000)
        at: datetime = bt.key(bt.EpochSeconds())

        n = bt.family("n", gc=bt.max_age(days=90))
        bed_position: int = bt.column("pos", n)
        yarn: str | None = bt.column("yarn", n, size=12, default=None)

        of_machine = bt.query("machine", between="at")

    return NeedleBreak


@bad("Admissions in one cell", "KEY013")
def thirtysecond_admissions_in_one_cell() -> object:
    class Admission(bt.Model, table="ADMISSION"):
        """How many people are inside the stadium for a fixture.

        All the turnstiles of the ground add one to the fixture's number as people go through, and the control room polls
        it every second. There is one fixture a day at most; in the last half hour before kick-off it is 1,500 a second.
        """

        fixture: str = bt.key(bt.Text(width=10), cardinality=2_000)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        inside: int | None = bt.counter("in", n, increments="1500/s")

    return Admission


@bad("Meshes of a hull", "ROW001", says=("object store",))
def thirtysecond_meshes_of_a_hull() -> object:
    class HullSurvey(bt.Model, table="HULL_SURVEY", events="400/day"):
        """A dry-dock survey of a hull, with the mesh that the laser scanner made.

        Viewers open one survey of a ship, or the list of its surveys. Surveys are kept for good.
        """

        imo: str = bt.key(bt.Text(width=7), cardinality=60_000)
        day: date = bt.key(bt.DateText())

        s = bt.family("s", gc=bt.max_versions(1))
        m = bt.family("m", gc=bt.max_versions(1))
        dock: str = bt.column("dock", s, size=12)
        plates: int = bt.column("plates", s)
        mesh: bytes = bt.column("mesh", m, size=35_000_000, max_size=80_000_000)

        of_ship = bt.query("imo", between="day")

    return HullSurvey


@bad("Publishers and their hosts", "KEY011", says=("`bt.ReversedDomain(253)`",))
def thirtysecond_publishers_and_their_hosts() -> object:
    class AdPlacement(bt.Model, table="AD_PLACEMENT", events="30/s"):
        """What our classifier said of a page on which an ad would be shown, one row a host and day.

        Hosts come as the exchange sends them: `m.recipes.example.co.uk`, `forum.example.co.uk`. A publisher's account
        manager reviews everything under the publisher's name, so all of its subdomains side by side, and now and then a
        single host. Half a year is kept.
        """

        host: str = bt.key(bt.Text(max_length=253), cardinality=3_000_000)
        day: date = bt.key(bt.DateText())

        a = bt.family("a", gc=bt.max_age(days=183))
        label: str = bt.column("label", a, size=10)
        score: float = bt.column("score", a)

        of_host = bt.query("host", between="day")

    return AdPlacement


@bad("Five hundred salts", "KEY005", says=("`{lock}#{at}#{vessel}`",))
def thirtysecond_five_hundred_salts() -> object:
    class LockPassage(bt.Model, table="LOCK_PASSAGE", events="25/s"):
        """A vessel went through a canal lock.

        The lock keeper's tablet shows the passages of the lock today and refreshes every few seconds. Spread wide
        because we expect the table to be large one day. Five years are kept.
        """

        shard = bt.salt("at", "vessel", buckets=500)
        lock: str = bt.key(bt.Text(width=6), cardinality=1_100)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        vessel: str = bt.key(bt.Text(width=8), cardinality=70_000)

        p = bt.family("p", gc=bt.max_age(days=1826))
        upstream: bool = bt.column("up", p)
        tons: int | None = bt.column("tons", p, default=None)

        of_lock = bt.query("lock", between="at")

    return LockPassage


@bad("A table for each customer site", "TAB002", says=("`{site}#{boiler}#{at}`",))
def thirtysecond_a_table_for_each_customer_site() -> object:
    class FlueSample(bt.Model, table="FLUE_{site}"):
        """The flue gas of a boiler. Each site that signs up gets a table of its own, so that an offboarding is one drop.

        Sales says that we pass 7,500 sites this spring. A site has between two and forty boilers with a sample a minute;
        its engineers draw one boiler over some days. Kept for two years.
        """

        boiler: str = bt.key(bt.Text(width=6), cardinality=40)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        f = bt.family("f", gc=bt.max_age(days=730))
        co_ppm: float = bt.column("co", f)
        celsius: float = bt.column("c", f)

        of_boiler = bt.query("boiler", between="at")

    return FlueSample
