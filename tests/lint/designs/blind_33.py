"""A thirty-third set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime

from published import bad

import btmodel as bt


@bad("Pulses under a window of five minutes", "KEY001", says=("`{counter}#{cycle}#{seq}`",))
def thirtythird_pulses_under_a_window_of_five_minutes() -> object:
    class AxlePulse(bt.Model, table="AXLE_PULSE", events="26000/s"):
        """A wheel that went over an axle counter.

        `cycle` is what the interlocking calls its five-minute window, for example 250211T1435. `seq` starts at zero for each
        counter in each cycle, so a pulse never gets the number of another one. When a section fails to clear, the control
        centre pulls all pulses that one counter saw within one cycle.
        """

        cycle: str = bt.key(bt.Text(width=11))
        counter: str = bt.key(bt.Text(width=8), cardinality=9_000)
        seq: int = bt.key(bt.PaddedInt(6))

        p = bt.family("p", gc=bt.max_age(days=30))
        millivolts: int = bt.column("mv", p)
        outbound: bool = bt.column("out", p)

        of_counter = bt.query("cycle", "counter")

    class AxleCounter(bt.Model, table="AXLE_COUNTER"):
        """Master data of the counters; edited by hand, a few times a week."""

        counter: str = bt.key(bt.Text(width=8), cardinality=9_000)

        m = bt.family("m", gc=bt.max_versions(1))
        line: str = bt.column("line", m, size=20)
        installed: date = bt.column("inst", m)

    return (AxlePulse, AxleCounter)


@bad("A table for each apiary", "TAB002", says=("`{apiary}#{hive}#{week}`",))
def thirtythird_a_table_for_each_apiary() -> object:
    class HiveScale(bt.Model, table="HIVE_{apiary}", bucket="week"):
        """Weights of the hives of one apiary, every quarter of an hour.

        Each beekeeper who signs up gets a table of their own when the first scale comes online. We have some 14,000 apiaries
        at the end of this season, and sales plans on twice as many. A typical apiary has twelve hives. Weights are kept for
        two years.
        """

        hive: int = bt.key(bt.PaddedInt(3), cardinality=12)
        week: date = bt.key(bt.IsoWeek("%G-W%V"))

        w = bt.family("w", gc=bt.max_age(days=731))
        grams: bt.History[int] = bt.history("g", w, every="15min")

        of_hive = bt.query("hive", between="week")

    return HiveScale


@bad("Crane samples under their terminal", "KEY003", "KEY017")
def thirtythird_crane_samples_under_their_terminal() -> object:
    class CraneSample(bt.Model, table="CRANE_SAMPLE", events="30000/s"):
        """What the PLCs of our ship-to-shore cranes report, kept for three weeks.

        There are four terminals, of about the same size, and some sixty cranes at each. After an incident the safety
        people replay a few minutes of the whole terminal, which is why the terminal and the time come first.
        """

        terminal: str = bt.key(bt.Text(width=3), cardinality=4)
        at: datetime = bt.key(bt.EpochMillis())
        crane: str = bt.key(bt.Text(width=4), cardinality=240)

        s = bt.family("s", gc=bt.max_age(days=21))
        load_kg: int = bt.column("load", s)
        wind_dms: int = bt.column("wind", s)
        trolley_mm: int = bt.column("trolley", s)

        replay = bt.query("terminal", between="at")

    return CraneSample


@bad("Readings of a pitch of yeast", "QRY008", says=("`{pitch}#{tank}#{at}`",))
def thirtythird_readings_of_a_pitch_of_yeast() -> object:
    class FermenterReading(bt.Model, table="FERMENTER_READING", events="40/s"):
        """Gravity, temperature and pressure of a fermenter, once a minute and tank.

        The brewers look at the curve of a tank, usually the last two weeks. First thing in the morning the lab opens a
        pitch of yeast by its number and wants all readings of the beers that were made with it; a pitch goes through up to
        ten tanks, here and at the contract breweries, and lives for three months or so. Readings stay for three years.
        """

        tank: str = bt.key(bt.Text(max_length=12), cardinality=2_400)
        at: datetime = bt.key(bt.EpochSeconds())

        r = bt.family("r", gc=bt.max_age(days=1100))
        pitch: str = bt.column("pitch", r, size=10, cardinality=30_000)
        plato: float = bt.column("plato", r)
        celsius: float = bt.column("c", r)
        millibar: int = bt.column("mbar", r)

        curve = bt.query("tank", between="at")

    return FermenterReading


@bad("Rides of a pass behind the lift", "QRY005")
def thirtythird_rides_of_a_pass_behind_the_lift() -> object:
    class LiftRide(bt.Model, table="LIFT_RIDE", events="350/s"):
        """Somebody went through the gate of a ski lift.

        The help desk types in the number of a pass and gets the rides of a day, or of the season when a refund is claimed.
        That is the only thing that reads the table; queues and lift usage are the turnstile vendor's business. Rides are
        thrown away after 200 days.
        """

        lift: str = bt.key(bt.Text(max_length=8), cardinality=85)
        at: datetime = bt.key(bt.EpochMillis())
        ski_pass: str = bt.key(bt.HexDigest(16), cardinality=900_000)

        g = bt.family("g", gc=bt.max_age(days=200))
        gate: int = bt.column("gate", g)
        fare: str = bt.column("fare", g, size=6)

        rides = bt.query("lift", between="at", where=["ski_pass"])

    return LiftRide


@bad("Every bid of a buyer in one row", "ROW003")
def thirtythird_every_bid_of_a_buyer_in_one_row() -> object:
    class Buyer(bt.Model, table="FISH_BUYER", events="600/s"):
        """A buyer of the fish auctions, with all of the bids that they have placed since they were admitted.

        The clock room looks a buyer up by number, and reads a single bid by its id or the credit line. Wholesalers bid two
        to three thousand times on a market day, and some have been with us since 2009; bids are never removed.
        """

        buyer: int = bt.key(bt.ReversedDigits(7), cardinality=40_000)

        c = bt.family("c", gc=bt.max_versions(1))
        credit_cents: int = bt.column("credit", c)
        blocked: bool = bt.column("blocked", c)

        b = bt.family("b", gc=bt.max_versions(1))
        bids: dict[str, int] = bt.mapping(b, bt.Text(max_length=24))

    return Buyer


@bad("Five years that the inspectorate asks for", "FAM010")
def thirtythird_five_years_that_the_inspectorate_asks_for() -> object:
    class FridgeLog(bt.Model, table="FRIDGE_LOG", bucket="day", events="300/s"):
        """Temperatures of the medicine fridges in pharmacies, each minute.

        The pharmacist sees the last week. The health inspectorate may come at any time and ask for any day of the past five
        years, and a gap in the log costs the pharmacy its licence for vaccines.
        """

        fridge: str = bt.key(bt.Text(width=10), cardinality=18_000)
        day: date = bt.key(bt.DateText())

        t = bt.family("t", gc=bt.max_age(days=400))
        celsius: bt.History[float] = bt.history("c", t, every="1min")

        of_fridge = bt.query("fridge", between="day")

    return FridgeLog


@bad("A mobile number under another name", "KEY010", says=("`{hotel}#{guest_id}#{at}#{shelf}`",))
def thirtythird_a_mobile_number_under_another_name() -> object:
    class MinibarCharge(bt.Model, table="MINIBAR_CHARGE", events="15/s"):
        """Something that was taken from a minibar, as the shelf sensor saw it.

        `guest` is what the person gave us at the desk to be reached at, a mobile number with the country code as a rule.
        Checkout reads all charges of a guest since arrival. Charges are deleted after ninety days, when no one can dispute
        them any more.
        """

        hotel: str = bt.key(bt.Text(width=5), cardinality=600)
        guest: str = bt.key(bt.Text(max_length=20), cardinality=4_000_000)
        at: datetime = bt.key(bt.EpochMillis())
        shelf: int = bt.key(bt.PaddedInt(2))

        c = bt.family("c", gc=bt.max_age(days=90))
        item: str = bt.column("item", c, size=16)
        cents: int = bt.column("cents", c)

        at_checkout = bt.query("hotel", "guest", between="at")

    return MinibarCharge


@bad("Pallets under their bay", "KEY021", says=("`{store}#{pallet}`",))
def thirtythird_pallets_under_their_bay() -> object:
    class Pallet(bt.Model, table="PALLET", events="120/s"):
        """A pallet in one of our cold stores, with what is on it and how cold it has been.

        `bay` is where it stands: forklift drivers put pallets elsewhere about three times a day to get at others, and the
        truck terminal sends us the new bay. The stock screen lists the pallets of an aisle or of one bay. A pallet stays
        for five weeks on average.
        """

        store: str = bt.key(bt.Text(width=4), cardinality=90)
        bay: str = bt.key(bt.Text(width=6), cardinality=200_000)
        pallet: str = bt.key(bt.Text(width=18), cardinality=3_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        article: str = bt.column("article", d, size=13)
        cartons: int = bt.column("cartons", d)
        best_before: date = bt.column("bbd", d)
        warmest: float | None = bt.column("warmest", d, default=None)

        of_bay = bt.query("store", "bay")
        of_aisle = bt.query("store", starting="bay")

    return Pallet


@bad("Steps with the same stamp", "KEY017", says=("`{robot}#{at}#{id}`",))
def thirtythird_steps_with_the_same_stamp() -> object:
    class MilkingStep(bt.Model, table="MILKING_STEP", events="900/s"):
        """A step of a milking robot: a cup attached, kicked off, rinsed, a quarter finished, the gate opened.

        The controller stamps steps with whole seconds. In the first moments of a milking it brings four cups on and starts
        four flow meters, so half a dozen steps with the same stamp are nothing unusual. The vet reads a robot's steps of
        a night and must see every single one, since a missing kick hides a sick udder.
        """

        robot: str = bt.key(bt.Text(width=8), cardinality=11_000)
        at: datetime = bt.key(bt.EpochSeconds())

        s = bt.family("s", gc=bt.max_age(days=60))
        cow: int = bt.column("cow", s)
        step: str = bt.column("step", s, size=12)
        grams: int | None = bt.column("g", s, default=None)

        of_robot = bt.query("robot", between="at")

    return MilkingStep


@bad("Votes in three rows", "KEY013")
def thirtythird_votes_in_three_rows() -> object:
    class ShowVote(bt.Model, table="SHOW_VOTE"):
        """How many called in for each finalist of tonight's show.

        There are three finalists. When the lines open, the telephone bridges add one for each call as it is accepted; last
        year's peak was a little over six thousand calls in a second. The graphics computer reads the three rows every
        second.
        """

        finalist: int = bt.key(bt.PaddedInt(1), cardinality=3)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        calls: int | None = bt.counter("calls", v, increments="2000/s")

    class ShowResult(bt.Model, table="SHOW_RESULT"):
        """The certified result of a finished show, written once by the notary's program."""

        show: str = bt.key(bt.Text(max_length=16), cardinality=400)
        finalist: int = bt.key(bt.PaddedInt(1))

        r = bt.family("r", gc=bt.max_versions(1))
        calls: int = bt.column("calls", r)

        of_show = bt.query("show")

    return (ShowVote, ShowResult)


@bad(
    "Removals of a part that overwrite one another", "KEY023", says=("`{part_number}#{day}#{tail}#{serial}`",)
)
def thirtythird_removals_of_a_part_that_overwrite_one_another() -> object:
    class Removal(bt.Model, table="REMOVAL", events="3/s"):
        """A component that was taken off an aircraft. Part of the aircraft's records, which are never deleted."""

        tail: str = bt.key(bt.Text(max_length=8), cardinality=7_000)
        day: date = bt.key(bt.DateText())
        serial: str = bt.key(bt.Text(max_length=20), cardinality=20_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        part_number: str = bt.column("pn", r, size=12, cardinality=90_000)
        reason: str = bt.column("why", r, size=60)

        of_tail = bt.query("tail", between="day")

    class RemovalOfPart(bt.Model, table="REMOVAL_OF_PART", events="3/s"):
        """The same by part number, for the reliability engineers: they count removals of a part over months, with the tails.

        Common parts, the fuel filters above all, come off on dozens of aircraft in a night.
        """

        part_number: str = bt.key(bt.Text(max_length=16), cardinality=90_000)
        day: date = bt.key(bt.DateText())

        r = bt.family("r", gc=bt.max_versions(1))
        tail: str = bt.column("tail", r, size=7)
        serial: str = bt.column("sn", r, size=12)
        reason: str = bt.column("why", r, size=60)

        of_part = bt.query("part_number", between="day")

    def of_part(removal: Removal) -> RemovalOfPart:
        return RemovalOfPart(
            part_number=removal.part_number,
            day=removal.day,
            tail=removal.tail,
            serial=removal.serial,
            reason=removal.reason,
        )

    bt.twins(Removal, (RemovalOfPart, of_part))

    return (Removal, RemovalOfPart)


@bad("Volumes of a blade beside the verdict", "ROW001", says=("object store",))
def thirtythird_volumes_of_a_blade_beside_the_verdict() -> object:
    class BladeScan(bt.Model, table="BLADE_SCAN", events="20/min"):
        """The ultrasonic volume of one section of a rotor blade, taken when it leaves the mould.

        The scanner hands over one file per section. Older heads gave 40 MB, the new phased array gives around 180 MB, packed.
        We put the file next to its verdict so that the inspector's viewer needs only one read. Scans have to be there for as
        long as the blade turns.
        """

        blade: str = bt.key(bt.Text(width=12), cardinality=60_000)
        section: int = bt.key(bt.PaddedInt(2))

        s = bt.family("s", gc=bt.max_versions(1))
        verdict: str = bt.column("verdict", s, size=8)
        inspector: int = bt.column("insp", s)
        volume: bytes = bt.column("vol", s)

        of_blade = bt.query("blade")

    return BladeScan


@bad("A digest of valve and time", "KEY004", says=("`{valve}#{at}`",))
def thirtythird_a_digest_of_valve_and_time() -> object:
    class ValveState(bt.Model, table="VALVE_STATE", events="4000/s"):
        """A valve of the district heating network reported its position.

        Keys are hashed because an earlier table became hot. The duty engineer opens a valve on the map and gets its
        positions over the last hour or so; the report of a leak does the same for a given night.
        """

        id = bt.digest("valve", "at")

        v = bt.family("v", gc=bt.max_age(days=45))
        valve: str = bt.column("valve", v, size=11, cardinality=52_000)
        at: datetime = bt.column("at", v)
        percent: int = bt.column("pct", v)
        return_celsius: float | None = bt.column("ret", v, default=None)

    return ValveState


@bad("Hosts below a registered name", "KEY011", says=("`bt.ReversedDomain(120)`",))
def thirtythird_hosts_below_a_registered_name() -> object:
    class Capture(bt.Model, table="CAPTURE", events="250/s"):
        """A page that the national archive's crawler fetched; its body is in a bucket.

        The archivists open one host and a span of days. Once a week they also walk through all that was captured below one
        registered name, such as stadt-weimar.de with www, bibliothek, rats-info and whatever else the town runs there, to
        see what the crawler missed. Captures stay for good.
        """

        host: str = bt.key(bt.Text(max_length=120), cardinality=700_000)
        at: datetime = bt.key(bt.EpochMillis())
        page: str = bt.key(bt.HexDigest(16))

        c = bt.family("c", gc=bt.max_versions(1))
        status: int = bt.column("status", c)
        object_name: str = bt.column("obj", c, size=60)

        of_host = bt.query("host", between="at")

    return Capture


@bad("A peak that is added up", "FAM007", says=('aggregate="max"',))
def thirtythird_a_peak_that_is_added_up() -> object:
    class ChargePoint(bt.Model, table="CHARGE_POINT", events="1500/s"):
        """What a charge point for electric trucks draws.

        The meter reports every ten seconds. For the grid operator we hold the highest draw of each hour, in watts, and the
        energy of the hour, both for thirteen months; it bills us by the highest.
        """

        point: str = bt.key(bt.Text(width=9), cardinality=15_000)

        e = bt.family("e", gc=bt.max_age(days=400), aggregate="sum")
        watt_hours: bt.History[int] = bt.counter("wh", e, every="1h")
        peak_watts: bt.History[int] = bt.counter("pk", e, every="1h")

        m = bt.family("m", gc=bt.max_versions(1))
        site: str | None = bt.column("site", m, size=12, default=None)

    return ChargePoint


@bad("Sixty-four salts before even machines", "KEY005", says=("`{machine}#{at}`",))
def thirtythird_sixty_four_salts_before_even_machines() -> object:
    class LaundryCycle(bt.Model, table="LAUNDRY_CYCLE", events="45/s"):
        """A programme that a coin laundry machine finished.

        300,000 machines in Europe, none much busier than the others. The app of the owner shows a machine's cycles of the
        last days each time that it is opened, and this should take no more than 20 ms. We salted the table so that it will
        not get hot. After two years cycles go.
        """

        shard = bt.salt("at", buckets=64)
        machine: str = bt.key(bt.Text(width=10), cardinality=300_000)
        at: datetime = bt.key(bt.EpochSeconds())

        c = bt.family("c", gc=bt.max_age(days=731))
        programme: int = bt.column("prog", c)
        litres: float = bt.column("l", c)
        cents: int = bt.column("cents", c)

        of_machine = bt.query("machine", between="at")

    return LaundryCycle


@bad("Elevations as signed text", "KEY007")
def thirtythird_elevations_as_signed_text() -> object:
    class CoreSample(bt.Model, table="CORE_SAMPLE"):
        """A drill core section and what the assay found in it.

        `elevation` is metres above sea level as the survey tool prints it: -12.4, 3.05, 118.9. Geologists draw a section
        of a hole between two elevations, for the ore body mostly from thirty metres below the sea to some two hundred above.
        """

        hole: str = bt.key(bt.Text(max_length=10), cardinality=1_200)
        elevation: str = bt.key(bt.Text(max_length=8))

        a = bt.family("a", gc=bt.max_versions(1))
        copper_ppm: int = bt.column("cu", a)
        gold_ppb: int = bt.column("au", a)
        rock: str = bt.column("rock", a, size=14)

        section = bt.query("hole", between="elevation")

    return CoreSample
