"""A thirty-second set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime

from published import good

import btmodel as bt


@good("A hundred and fifty rows a day")
def thirtysecond_a_hundred_and_fifty_rows_a_day() -> object:
    class Disruption(bt.Model, table="DISRUPTION", events="150/day"):
        """A ferry was late or did not sail, as the harbour office typed it in.

        By time on purpose: there are about 150 a day in a bad winter, and the one question is what happened on all routes
        between two times. Three years are kept.
        """

        at: datetime = bt.key(bt.EpochMillis(round=True))
        route: str = bt.key(bt.Text(width=5), cardinality=60)

        d = bt.family("d", gc=bt.max_age(days=1095))
        reason: str = bt.column("reason", d, size=60, max_size=400)
        minutes: int | None = bt.column("min", d, default=None)

        during = bt.query(between="at")

    return Disruption


@good("Salts of a span of time")
def thirtysecond_salts_of_a_span_of_time() -> object:
    class Stroke(bt.Model, table="STROKE", events="20000/s"):
        """A lightning stroke that the receivers have located, anywhere on earth.

        The map draws all strokes of a span of some minutes, without any other condition, so time has to come early. The
        shard spreads the writes; the map merges its sixteen ranges and we are fine with that. Ten days are kept.
        """

        shard = bt.salt("stroke", buckets=16)
        at: datetime = bt.key(bt.EpochMicros())
        stroke: str = bt.key(bt.HexDigest(16), cardinality=17_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=10))
        latitude: float = bt.column("lat", s)
        longitude: float = bt.column("lon", s)
        kiloamperes: float | None = bt.column("ka", s, default=None)

        during = bt.query(between="at")

    return Stroke


@good("Valves behind a region")
def thirtysecond_valves_behind_a_region() -> object:
    class ValveEvent(bt.Model, table="VALVE_EVENT", events="12000/s"):
        """A drip irrigation valve opened or closed.

        Only four regions stand in front, but behind each are some 500,000 valves, all of about the same activity, and a
        region's rows lie in many tablets. The grower's app shows the latest events of a valve; the regional office exports
        one region as a batch, once a season. Kept for 100 days.
        """

        region: str = bt.key(bt.Text(width=2), cardinality=4)
        valve: int = bt.key(bt.PaddedInt(9), cardinality=2_000_000, sequential=False)
        at: datetime = bt.key(bt.ReversedMillis(round=True))

        v = bt.family("v", gc=bt.max_age(days=100))
        opened: bool = bt.column("open", v)
        bar: float | None = bt.column("bar", v, default=None)

        of_valve = bt.query("region", "valve", between="at")
        of_region = bt.query("region")

    return ValveEvent


@good("Numbers written backwards")
def thirtysecond_numbers_written_backwards() -> object:
    class Garment(bt.Model, table="GARMENT", events="3000/s"):
        """A hotel towel or uniform with a sewn-in chip, and where the laundry saw it last.

        Chip numbers are handed out one after the other by the sewing room, which is why they are written backwards: today's
        chips do not end up next to each other. The tunnel looks chips up one by one; nobody asks for a run of numbers.
        The row is overwritten at each pass and lives as long as the piece.
        """

        chip: int = bt.key(bt.ReversedDigits(12), cardinality=400_000_000, sequential=True)

        g = bt.family("g", gc=bt.max_versions(1))
        tunnel: str = bt.column("tunnel", g, size=6)
        seen: datetime = bt.column("seen", g)
        washes: int = bt.column("washes", g)

    return Garment


@good("Elevations as shifted digits")
def thirtysecond_elevations_as_shifted_digits() -> object:
    def above_floor(centimetres: int) -> int:
        return centimetres + 1_200_000

    def from_floor(shifted: int) -> int:
        return shifted - 1_200_000

    ELEVATION = bt.mapped(bt.PaddedInt(7), to=above_floor, from_=from_floor, ordered=True)

    class CoreLayer(bt.Model, table="CORE_LAYER", events="2/s"):
        """A layer of rock in a drill core, at its elevation in centimetres above the sea.

        Elevations are negative in most holes. In the key they are counted from twelve kilometres below the sea, deeper
        than any hole we log, so that a range from -40000 to 500 comes back in one piece. Cores are kept for good.
        """

        hole: str = bt.key(bt.Text(width=10), cardinality=80_000)
        elevation: int = bt.key(ELEVATION, cardinality=1_500_000)

        c = bt.family("c", gc=bt.max_versions(1))
        lithology: str = bt.column("lith", c, size=12)
        grain: float | None = bt.column("grain", c, default=None)

        of_hole = bt.query("hole", between="elevation")

    return CoreLayer


@good("Sixty-one entries")
def thirtysecond_sixty_one_entries() -> object:
    class Rank(bt.Model, table="ORGAN_RANK"):
        """A rank of pipes of a church organ, and how far each pipe is off, in hundredths of a cent.

        An entry per key of the manual. There can be no more than 61 of them, and a new tuning writes over the old one;
        only the latest matters. Tuners read one rank or the whole organ.
        """

        organ: str = bt.key(bt.Text(width=8), cardinality=9_000)
        rank: int = bt.key(bt.PaddedInt(3), cardinality=200, sequential=False)

        o = bt.family("o", gc=bt.max_versions(1))
        p = bt.family("p", gc=bt.max_versions(1))
        stop: str = bt.column("stop", o, size=16)
        deviation: dict[int, int] = bt.mapping(p, bt.PaddedInt(2), entries=61)

        of_organ = bt.query("organ")

    return Rank


@good("Ninety-six versions")
def thirtysecond_ninety_six_versions() -> object:
    class SubstationDay(bt.Model, table="SUBSTATION_DAY", bucket="day", events="3840000/day", lateness="6h"):
        """Flow temperature of a district heating substation, with the quarter hours of a day in one row.

        Values are cell versions, and that is all right here: a day closes at 96 of them and another row begins. Kept for
        800 days, which is two heating seasons and the time to settle the bill.
        """

        substation: str = bt.key(bt.Text(width=9), cardinality=40_000)
        day: date = bt.key(bt.DateText())

        f = bt.family("f", gc=bt.max_age(days=800))
        flow: bt.History[float] = bt.history("flow", f, every="15min")

        of_substation = bt.query("substation", between="day")

    return SubstationDay


@good("Retentions in two families")
def thirtysecond_retentions_in_two_families() -> object:
    class Weld(bt.Model, table="WELD", events="500/s"):
        """A spot weld on a car body.

        The result must be there for fifteen years, as the product liability people say; the current curve is of interest to
        the welding engineers for three weeks. Hence the two families. Both are looked up by body, in the order of the
        spots.
        """

        body: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)
        spot: int = bt.key(bt.PaddedInt(4), cardinality=6_000, sequential=False)

        r = bt.family("r", gc=bt.max_age(days=5480))
        c = bt.family("c", gc=bt.max_age(days=21))
        passed: bool = bt.column("ok", r)
        gun: str = bt.column("gun", r, size=7)
        curve: bytes | None = bt.column("curve", c, size=6_000, max_size=12_000, default=None)

        of_body = bt.query("body")

    return Weld


@good("A pseudonym of a subject")
def thirtysecond_a_pseudonym_of_a_subject() -> object:
    class SleepEpoch(bt.Model, table="SLEEP_EPOCH", events="900/s"):
        """Half a minute of a sleep study.

        `subject` is a random number that the study's vault draws at enrolment. It is derived from nothing about the
        person, and who is behind it is known to the vault alone. Researchers read a subject's night. Kept for 400 days
        after recording.
        """

        subject: str = bt.key(bt.HexDigest(16), cardinality=50_000, pii=False)
        at: datetime = bt.key(bt.EpochSeconds())

        e = bt.family("e", gc=bt.max_age(days=400))
        stage: str = bt.column("stage", e, size=2)
        arousals: int = bt.column("arousals", e)

        of_subject = bt.query("subject", between="at")

    return SleepEpoch


@good("A state of the country")
def thirtysecond_a_state_of_the_country() -> object:
    class LiftTrip(bt.Model, table="LIFT_TRIP", events="4000/s"):
        """A trip of an elevator car.

        `state` is the US state whose inspectors licensed the shaft, not the condition of the car. A shaft does not move, so
        it is the same for ever. Inspectors of a state go through single units, mostly one month of trips. Trips are kept
        for 400 days.
        """

        state: str = bt.key(bt.Text(width=2), cardinality=50, changes=False)
        unit: int = bt.key(bt.PaddedInt(7), cardinality=700_000, sequential=False)
        at: datetime = bt.key(bt.EpochMillis(round=True))

        t = bt.family("t", gc=bt.max_age(days=400))
        floors: int = bt.column("floors", t)
        kilograms: int | None = bt.column("kg", t, default=None)

        of_unit = bt.query("state", "unit", between="at")

    return LiftTrip


@good("Seconds with a sequence")
def thirtysecond_seconds_with_a_sequence() -> object:
    class YarnBreak(bt.Model, table="YARN_BREAK", events="200/s"):
        """A yarn broke on a loom.

        The controller has a clock of whole seconds, and several yarns may go in the same second. So it numbers the breaks
        of a second, from 0, and the number is part of the key: no break is lost. The weaver reads those of a loom during
        a shift. Kept for 90 days.
        """

        loom: str = bt.key(bt.Text(width=7), cardinality=14_000)
        at: datetime = bt.key(bt.EpochSeconds())
        nth: int = bt.key(bt.PaddedInt(3), cardinality=200, sequential=False)

        b = bt.family("b", gc=bt.max_age(days=90))
        warp: bool = bt.column("warp", b)
        position: int = bt.column("pos", b)

        of_loom = bt.query("loom", between="at")

    return YarnBreak


@good("A row for each turnstile")
def thirtysecond_a_row_for_each_turnstile() -> object:
    class GateCount(bt.Model, table="GATE_COUNT"):
        """How many people went through a turnstile, by the minute.

        A row for each turnstile, since one person at a time is all that it lets through. The control room adds the 180
        of a fixture up as it reads, which is one short range. Minutes are deleted after 400 days.
        """

        fixture: str = bt.key(bt.Text(width=10), cardinality=2_000)
        gate: int = bt.key(bt.PaddedInt(3), cardinality=180, sequential=False)

        n = bt.family("n", gc=bt.max_age(days=400), aggregate="sum")
        entered: bt.History[int] = bt.counter("in", n, every="1min", increments="1/s")

        of_fixture = bt.query("fixture")

    return GateCount


@good("Even trucks behind two companies")
def thirtysecond_even_trucks_behind_two_companies() -> object:
    class AxleLoad(bt.Model, table="AXLE_LOAD", events="9000/s"):
        """An axle that rolled over a weigh-in-motion plate.

        Two of the companies own nine tenths of the trucks on this road, but a company's rows go on with the truck, and
        each of the two has some forty thousand trucks that drive about equally much. A company looks at one of its trucks, over
        a day or a month. Kept for 180 days.
        """

        company: str = bt.key(bt.Text(width=8), cardinality=600, skew="90%:2")
        truck: str = bt.key(bt.Text(width=10), cardinality=90_000)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        axle: int = bt.key(bt.PaddedInt(2), cardinality=12, sequential=False)

        w = bt.family("w", gc=bt.max_age(days=180))
        kilograms: int = bt.column("kg", w)

        of_truck = bt.query("company", "truck", between="at")

    return AxleLoad


@good("An index that may lag")
def thirtysecond_an_index_that_may_lag() -> object:
    class VaultClimate(bt.Model, table="VAULT_CLIMATE", events="50/s"):
        """Temperature around a violin in the bank vault, every two minutes. Three years are kept."""

        chamber: str = bt.key(bt.Text(width=8), cardinality=6_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        c = bt.family("c", gc=bt.max_age(days=1095))
        insurer: str = bt.column("insurer", c, codec=bt.AsInKey(bt.Text(width=10)), cardinality=70)
        celsius: float = bt.column("t", c)

        of_chamber = bt.query("chamber", between="at")

    class ClimateOfInsurer(bt.Index, of=VaultClimate, view="CLIMATE_OF_INSURER"):
        """What was measured around the instruments of an insurer, for the letter that goes out every Monday.

        Nobody minds if the last minutes are not there yet: the letter is about the week before, and nothing is decided or
        deleted by it.
        """

        insurer: str = bt.key(bt.Text(width=10), cardinality=70)
        at: datetime = bt.key(bt.EpochSeconds())
        chamber: str = bt.covered()

        celsius: float = bt.covered()

        of_insurer = bt.query("insurer", between="at")

    return (VaultClimate, ClimateOfInsurer)


@good("Images in chunks")
def thirtysecond_images_in_chunks() -> object:
    class ScrollPart(bt.Model, table="SCROLL_PART", events="2/s"):
        """A piece of the multispectral image of a scroll.

        An image has up to 90 MB, so it is cut into pieces of at most 512 KiB, one row each, and no row holds a whole
        image. The viewer takes single pieces within a few milliseconds, which object
        storage did not give us, or streams those of an image in order. Images are kept for good and are written
        once.
        """

        image: str = bt.key(bt.HexDigest(16), cardinality=600_000)
        part: int = bt.key(bt.PaddedInt(3), cardinality=180, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1))
        pixels: bytes = bt.column("px", p, size=400_000, max_size=524_288)

        of_image = bt.query("image")

    return ScrollPart


@good("A hash of a path")
def thirtysecond_a_hash_of_a_path() -> object:
    class BuildOutput(bt.Model, table="BUILD_OUTPUT", events="1500/s"):
        """What a compiler step of the game studio made of its inputs: where the result lies in object storage.

        The build tool has the complete path in hand and wants that one row, or nothing. Paths are long and begin all
        alike, so the key is their hash. There is no listing of a directory; that is done in version control. An output is
        forgotten 30 days after it was written.
        """

        id = bt.digest("path")

        o = bt.family("o", gc=bt.max_age(days=30))
        path: str = bt.column("path", o, size=140, max_size=900)
        blob: str = bt.column("blob", o, size=64)

        of_path = bt.query("path")

    return BuildOutput


@good("Domains backwards")
def thirtysecond_domains_backwards() -> object:
    class CertSeen(bt.Model, table="CERT_SEEN", events="50/s"):
        """The last TLS certificate that the probe met on a host on a day; the probe calls at each host at most once a day.

        Hosts are kept from the right, `uk.co.example.shop`, so that a company and all of its subdomains lie together; the
        analyst asks for those as a whole, and for the days of a single host. 400 days are kept.
        """

        host: str = bt.key(bt.ReversedDomain(253), cardinality=5_000_000, domain=True)
        day: date = bt.key(bt.DateText())

        c = bt.family("c", gc=bt.max_age(days=400))
        issuer: str = bt.column("issuer", c, size=40)
        expires: date = bt.column("exp", c)

        below = bt.query(starting="host")
        of_host = bt.query("host", between="day")

    return CertSeen


@good("Late with a margin")
def thirtysecond_late_with_a_margin() -> object:
    class TagDay(bt.Model, table="TAG_DAY", bucket="day", events="60/s", lateness="10d"):
        """The depths of a tagged seal during a day.

        A tag only sends from the surface and near a mast, so its values come in up to ten days late. Biologists need
        them for a month after they arrived; we keep 60 days by the time of the dive, which leaves them fifty at the least.
        """

        tag: str = bt.key(bt.Text(width=8), cardinality=10_000)
        day: date = bt.key(bt.DateText())

        d = bt.family("d", gc=bt.max_age(days=60))
        depth: bt.History[float] = bt.history("depth", d, every="3min")

        of_tag = bt.query("tag", between="day")

    return TagDay


@good("A small table each morning")
def thirtysecond_a_small_table_each_morning() -> object:
    class Pigment(bt.Model, table="PIGMENT", events="5/day"):
        """A recipe of the paint works.

        All in all 3,500 recipes of less than a kilobyte, edited by hand by the chemists. Each mixing machine loads the
        whole list when it is switched on in the morning and then works offline.
        """

        family_code: str = bt.key(bt.Text(width=3), cardinality=40, changes=False)
        number: int = bt.key(bt.PaddedInt(5), cardinality=3_500, sequential=False)

        r = bt.family("r", gc=bt.max_versions(1))
        label: str = bt.column("label", r, size=30)
        parts: dict[str, float] = bt.mapping(r, bt.Text(width=6), prefix="p:", entries=24)

        everything = bt.query(scan="3,500 small rows, once a morning for each machine")
        of_family = bt.query("family_code")

    return Pigment


@good("Three tables by contract")
def thirtysecond_three_tables_by_contract() -> object:
    class Assay(bt.Model, table="ASSAY_{lab}", events="20/s"):
        """The accepted assay of an element in an ore sample; a repeat takes its place. A table for each of our three refiners' labs.

        That number is fixed by contract: each refiner demands its own backups, its own access rights and proof that
        nobody else's rows are in the same table. A geologist reads the assays of a sample. Kept for twelve years.
        """

        sample: str = bt.key(bt.HexDigest(12), cardinality=8_000_000)
        element: str = bt.key(bt.Text(width=2), cardinality=60)

        a = bt.family("a", gc=bt.max_age(days=4383))
        ppm: float = bt.column("ppm", a)
        method: str = bt.column("method", a, size=8)

        of_sample = bt.query("sample")

    return Assay


@good("The date of old books")
def thirtysecond_the_date_of_old_books() -> object:
    class LogEntry(bt.Model, table="LOG_ENTRY", events="600/s"):
        """An entry of a ship's logbook, from 1750 to 1910, as volunteers transcribe it.

        The date is that in the book. Boxes come from eleven archives in no order at all, so on any afternoon entries from
        all over the 160 years are written. Climate people read spans of dates over all ships. Kept for good.
        """

        day: date = bt.key(bt.DateText(), cardinality=58_000, sequential=False)
        ship: str = bt.key(bt.Text(width=8), cardinality=9_000)
        watch: int = bt.key(bt.PaddedInt(1), cardinality=7, sequential=False)

        e = bt.family("e", gc=bt.max_versions(1))
        wind: str = bt.column("wind", e, size=12)
        barometer: float | None = bt.column("baro", e, default=None)

        during = bt.query(between="day")

    return LogEntry


@good("A second table written at once")
def thirtysecond_a_second_table_written_at_once() -> object:
    class GliderFlight(bt.Model, table="GLIDER_FLIGHT", events="5/s"):
        """A flight of a glider, by the glider: its logbook. Kept for good."""

        glider: str = bt.key(bt.Text(width=7), cardinality=35_000)
        start: datetime = bt.key(bt.ReversedSeconds(round=True))

        f = bt.family("f", gc=bt.max_versions(1))
        club: str = bt.column("club", f, codec=bt.AsInKey(bt.Text(width=5)), cardinality=2_200)
        minutes: int = bt.column("min", f)

        of_glider = bt.query("glider", between="start")

    class ClubFlight(bt.Model, table="CLUB_FLIGHT", events="5/s"):
        """The same flights by the club that flew, for the board in the club house: the newest first.

        The board must show a flight as soon as the winch driver has saved it, so we write it here ourselves.
        """

        club: str = bt.key(bt.Text(width=5), cardinality=2_200)
        start: datetime = bt.key(bt.ReversedSeconds(round=True))
        glider: str = bt.key(bt.Text(width=7), cardinality=35_000)

        f = bt.family("f", gc=bt.max_versions(1))
        minutes: int = bt.column("min", f)

        of_club = bt.query("club", between="start")

    bt.twins(GliderFlight, ClubFlight)

    return (GliderFlight, ClubFlight)
