"""A thirty-third set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from published import good

import btmodel as bt


@good("Sixty rows a day by their time")
def thirtythird_sixty_rows_a_day_by_their_time() -> object:
    class GateOrder(bt.Model, table="GATE_ORDER", events="60/day"):
        """An order to open or close a gate of the tidal barrier.

        The log is read as the harbour master's journal: everything that happened between two times, at all gates. About
        sixty orders a day, so the time may well come first. The law wants them for ever.
        """

        at: datetime = bt.key(bt.EpochMillis())
        gate: str = bt.key(bt.Text(width=3), cardinality=38)

        o = bt.family("o", gc=bt.max_versions(1))
        open: bool = bt.column("open", o)
        officer: int = bt.column("off", o)

        journal = bt.query(between="at")

    return GateOrder


@good("Even looms behind five mills")
def thirtythird_even_looms_behind_five_mills() -> object:
    class LoomStop(bt.Model, table="LOOM_STOP", events="2500/s"):
        """A loom stopped or went on.

        There are just five mills, but each has four thousand looms and they stop independently of one another; weavers look
        at one loom's day. Two stops of a loom are at least a second apart, since it has to slow down first.
        """

        mill: str = bt.key(bt.Text(width=2), cardinality=5)
        loom: int = bt.key(bt.PaddedInt(5), cardinality=20_000, sequential=False)
        at: datetime = bt.key(bt.EpochMillis())

        s = bt.family("s", gc=bt.max_age(days=180))
        reason: str = bt.column("why", s, size=10)

        of_loom = bt.query("mill", "loom", between="at")

    return LoomStop


@good("The evening of a performance")
def thirtythird_the_evening_of_a_performance() -> object:
    class Seat(bt.Model, table="SEAT", events="80/s"):
        """A seat of an opera house on an evening, sold or held.

        `evening` is when the curtain rises, not when somebody buys: sales open fourteen months ahead and go across all
        evenings of the season, with a rush of perhaps two hundred a second when a premiere is announced. The seat plan reads
        one house on one evening.
        """

        evening: date = bt.key(bt.DateText(), sequential=False)
        house: str = bt.key(bt.Text(width=4), cardinality=70)
        seat: str = bt.key(bt.Text(max_length=8))

        s = bt.family("s", gc=bt.max_versions(1))
        taken: bool = bt.column("taken", s)
        order: UUID | None = bt.column("order", s, default=None)

        plan = bt.query("evening", "house")

    return Seat


@good("A question that BigQuery answers")
def thirtythird_a_question_that_bigquery_answers() -> object:
    class KilnReading(bt.Model, table="KILN_READING", events="200/s"):
        """Moisture and temperature in a timber kiln, one row a minute and probe.

        Operators see the curve of one probe over a drying run, which takes one to five weeks. How a species of wood dries
        across all of the kilns is asked by the research group once a quarter; they have that in BigQuery, where a nightly
        export puts it, and do not read this table.
        """

        probe: str = bt.key(bt.Text(width=9), cardinality=12_000)
        at: datetime = bt.key(bt.EpochSeconds())

        k = bt.family("k", gc=bt.max_age(days=120))
        species: str = bt.column("sp", k, size=10)
        moisture: float = bt.column("m", k)
        celsius: float = bt.column("c", k)

        curve = bt.query("probe", between="at")

    return KilnReading


@good("Readings of a day as versions")
def thirtythird_readings_of_a_day_as_versions() -> object:
    class TideDay(bt.Model, table="TIDE_DAY", bucket="day", events="5/s"):
        """Water levels at a gauge: 144 in a day, one each ten minutes, as versions of one cell.

        With 3,000 gauges that is a small table, but the curve of a month is drawn all day long, and thirty rows are read
        faster than 4,320. Levels are kept for good, so no version may go.
        """

        gauge: str = bt.key(bt.Text(width=6), cardinality=3_000)
        day: date = bt.key(bt.DateText())

        w = bt.family("w", gc=bt.keep_all())
        centimetres: bt.History[int] = bt.history("cm", w, every="10min")

        month = bt.query("gauge", between="day")

    return TideDay


@good("A mapping of sixty-four entries")
def thirtythird_a_mapping_of_sixty_four_entries() -> object:
    class CoachTrip(bt.Model, table="COACH_TRIP", events="30/s"):
        """A departure of a night coach, with a column for each occupied berth.

        The largest double-decker has 64 berths, and a berth is an entry that is overwritten when it changes hands, so a row
        ends at 64. The driver's tablet reads one trip.
        """

        trip: str = bt.key(bt.HexDigest(12), cardinality=800_000)

        b = bt.family("b", gc=bt.max_versions(1))
        berths: dict[int, str] = bt.mapping(b, bt.PaddedInt(2), entries=64, size=12)

        t = bt.family("t", gc=bt.max_versions(1))
        leaves: datetime | None = bt.column("leaves", t, default=None)
        line: str | None = bt.column("line", t, size=8, default=None)

    return CoachTrip


@good("Thirteen months")
def thirtythird_thirteen_months() -> object:
    class RadonDay(bt.Model, table="RADON_DAY", bucket="day", events="70/s"):
        """Radon in the galleries of show mines, one value a minute.

        The radiation office may look back a full year and demands that we can still show the day a year ago while its letter
        is in the post, so values are kept for thirteen months: 400 days.
        """

        detector: str = bt.key(bt.Text(width=8), cardinality=4_200)
        day: date = bt.key(bt.DateText())

        r = bt.family("r", gc=bt.max_age(days=400))
        becquerel: bt.History[int] = bt.history("bq", r, every="1min")

        of_detector = bt.query("detector", between="day")

    return RadonDay


@good("A pseudonym in the key")
def thirtythird_a_pseudonym_in_the_key() -> object:
    class Donation(bt.Model, table="DONATION", events="4/s"):
        """A bag of plasma that a donor gave.

        `donor` is drawn at random when somebody registers, 128 bits, and stands on the donor card. Who is behind it only
        the registry knows, which is another system under another key; if it forgets a donor, nothing here leads to
        the person. The centre asks for all donations of a donor, to keep the pauses between them. Records are kept for
        thirty years by law.
        """

        donor: str = bt.key(bt.HexDigest(32), cardinality=2_000_000, pii=False)
        day: date = bt.key(bt.DateText())
        bag: str = bt.key(bt.Text(width=13))

        d = bt.family("d", gc=bt.max_age(days=10_958))
        millilitres: int = bt.column("ml", d)
        centre: str = bt.column("centre", d, size=5)

        of_donor = bt.query("donor", between="day")

    return Donation


@good("A grade that never changes")
def thirtythird_a_grade_that_never_changes() -> object:
    class HideGrade(StrEnum):
        PRIME = "A"
        SECOND = "B"
        SPLIT = "C"

    class Hide(bt.Model, table="HIDE", events="20/min"):
        """A hide in the tannery's stock book.

        The grade is stamped into the leather when the hide is sorted, before it gets its number and this row, and stays with
        it; a hide that someone grades anew gets another number and another row. Cutters list a drum's hides of one grade.
        Drums are numbered by machine and hold a few hundred hides each. The book is never thinned out; ten million small rows a
        year are no burden.
        """

        drum: str = bt.key(bt.HexDigest(8), cardinality=90_000)
        grade: HideGrade = bt.key(bt.EnumText(HideGrade), changes=False)
        hide: int = bt.key(bt.PaddedInt(9))

        h = bt.family("h", gc=bt.max_versions(1))
        square_decimetres: int = bt.column("dm2", h)
        tenth_mm: int = bt.column("mm", h)

        of_grade = bt.query("drum", "grade")

    return Hide


@good("Seconds with a number of the controller")
def thirtythird_seconds_with_a_number_of_the_controller() -> object:
    class HoistEvent(bt.Model, table="HOIST_EVENT", events="1200/s"):
        """What a theatre hoist did: brake on, brake off, limit reached, overload.

        Stamps are whole seconds and a show cue starts many motions within one, so the controller adds a number of its own,
        which it counts up with each event of the hoist and wraps at a million, a matter of months. The stage manager reads a
        hoist's evening.
        """

        hoist: str = bt.key(bt.Text(width=9), cardinality=16_000)
        at: datetime = bt.key(bt.EpochSeconds())
        number: int = bt.key(bt.PaddedInt(6))

        e = bt.family("e", gc=bt.max_age(days=90))
        kind: str = bt.column("kind", e, size=10)
        newton: int | None = bt.column("n", e, default=None)

        evening = bt.query("hoist", between="at")

    return HoistEvent


@good("Sixteen rows for a counter")
def thirtythird_sixteen_rows_for_a_counter() -> object:
    class Applause(bt.Model, table="APPLAUSE"):
        """Claps that the audience at home taps in during a broadcast, spread over 16 rows.

        A hit song gets 1,200 taps in a second, nothing for a node but too much for one row. So each tap goes to the row of
        a `part` that the gateway draws at random from 0 to 15, which leaves about 75 for a row. The studio wall reads all parts of a song, one short range, each
        second and adds them up.
        """

        song: str = bt.key(bt.HexDigest(8), cardinality=20_000)
        part: int = bt.key(bt.PaddedInt(2), cardinality=16, sequential=False)

        c = bt.family("c", gc=bt.keep_all(), aggregate="sum")
        claps: int | None = bt.counter("claps", c, increments="75/s")

        of_song = bt.query("song")

    return Applause


@good("The busiest press")
def thirtythird_the_busiest_press() -> object:
    class PrintPage(bt.Model, table="PRINT_PAGE", events="6000/s"):
        """A page that went through a digital press, with its ink.

        2,600 presses. The busiest one, in the Leipzig book factory, prints forty pages a second, which is well below one in
        a hundred of all. The shop floor screen shows a press from one time to another.
        """

        press: str = bt.key(bt.Text(width=7), cardinality=2_600)
        at: datetime = bt.key(bt.EpochMillis())
        page: int = bt.key(bt.PaddedInt(8))

        p = bt.family("p", gc=bt.max_age(days=14))
        job: str = bt.column("job", p, size=12)
        ink_microlitres: int = bt.column("ink", p)

        screen = bt.query("press", between="at")

    return PrintPage


@good("A second table with the whole identity")
def thirtythird_a_second_table_with_the_whole_identity() -> object:
    class Delivery(bt.Model, table="OLIVE_DELIVERY", events="10/s"):
        """A load of olives that a grower brought to a mill. Growers go by a number drawn at random."""

        grower: str = bt.key(bt.HexDigest(10), cardinality=300_000)
        day: date = bt.key(bt.DateText())
        load: str = bt.key(bt.Text(width=10))

        d = bt.family("d", gc=bt.max_versions(1))
        mill: str = bt.column("mill", d, size=6, cardinality=1_900)
        kilograms: int = bt.column("kg", d)
        acidity: float = bt.column("acid", d)

        of_grower = bt.query("grower", between="day")

    class DeliveryAtMill(bt.Model, table="OLIVE_DELIVERY_AT_MILL", events="10/s"):
        """The same loads by mill and day, for the millers' list. A load's number alone tells loads apart, across growers.

        Both tables are written by the scale's program; loads are never changed afterwards.
        """

        mill: str = bt.key(bt.Text(max_length=8), cardinality=1_900)
        day: date = bt.key(bt.DateText())
        load: str = bt.key(bt.Text(width=10))
        grower: str = bt.key(bt.HexDigest(10), cardinality=300_000)

        d = bt.family("d", gc=bt.max_versions(1))
        kilograms: int = bt.column("kg", d)

        of_mill = bt.query("mill", between="day")

    def at_mill(delivery: Delivery) -> DeliveryAtMill:
        return DeliveryAtMill(
            mill=delivery.mill,
            day=delivery.day,
            load=delivery.load,
            grower=delivery.grower,
            kilograms=delivery.kilograms,
        )

    bt.twins(Delivery, (DeliveryAtMill, at_mill))

    return (Delivery, DeliveryAtMill)


@good("Files in Cloud Storage")
def thirtythird_files_in_cloud_storage() -> object:
    class Painting(bt.Model, table="PAINTING_XRAY", events="2/min"):
        """An X-ray of a painting, for the restorers.

        The plates are up to 900 MB and lie in Cloud Storage; the row has only the name of the object, its checksum and a
        preview, which the program scales down until it is below 60 kB. A museum's list is read by the inventory number's
        beginning. Nothing is ever removed.
        """

        museum: str = bt.key(bt.Text(width=4), cardinality=120)
        inventory: str = bt.key(bt.Text(max_length=16), cardinality=50_000)
        plate: int = bt.key(bt.PaddedInt(3))

        x = bt.family("x", gc=bt.max_versions(1))
        object_name: str = bt.column("obj", x, size=70, max_size=200)
        sha256: bytes = bt.column("sha", x, size=32, max_size=32)
        preview: bytes = bt.column("pre", x, size=45_000, max_size=60_000)

        of_painting = bt.query("museum", "inventory")
        beginning = bt.query("museum", starting="inventory")

    return Painting


@good("The digest of an address")
def thirtythird_the_digest_of_an_address() -> object:
    class FontLicence(bt.Model, table="FONT_LICENCE", events="5/s"):
        """Whether a web page may load our typefaces.

        The delivery servers know the exact address of the page and look up that one; addresses are long, come in any form
        and are never listed, neither by site nor otherwise (customers are counted from the invoices). Hence the digest.
        """

        id = bt.digest("address")

        f = bt.family("f", gc=bt.max_versions(1))
        address: str = bt.column("addr", f, size=90, max_size=4_000)
        licence: str = bt.column("lic", f, size=12)

        of_address = bt.query("address")

    return FontLicence


@good("A reversed domain")
def thirtythird_a_reversed_domain() -> object:
    class MailReport(bt.Model, table="MAIL_REPORT", events="40/s"):
        """What a mail provider says about mail that came in the name of a domain.

        Postmasters look at one domain over some weeks, or at a domain with all names under it. The largest customers have
        two hundred names below theirs, with one or two reports a day each, so that is some sixty thousand small
        rows at worst. Reports are kept for half a year.
        """

        domain: str = bt.key(bt.ReversedDomain(120), cardinality=2_000_000, domain=True)
        day: date = bt.key(bt.DateText())
        report: str = bt.key(bt.HexDigest(16))

        r = bt.family("r", gc=bt.max_age(days=190))
        provider: str = bt.column("prov", r, size=12)
        passed: int = bt.column("ok", r)
        failed: int = bt.column("bad", r)

        of_domain = bt.query("domain", between="day")
        below = bt.query(starting="domain")

    return MailReport


@good("The hottest and the sum")
def thirtythird_the_hottest_and_the_sum() -> object:
    class Transformer(bt.Model, table="TRANSFORMER", events="2200/s"):
        """The hottest oil temperature and the number of alarms of each hour, of a distribution transformer.

        Sent in every minute or so and folded into the hour by the server. Hours are kept for thirteen months, that is some
        9,600 small cells for each number, and never more.
        """

        transformer: str = bt.key(bt.Text(width=10), cardinality=130_000)

        x = bt.family("x", gc=bt.max_age(days=400), aggregate="max")
        tenth_celsius: bt.History[int] = bt.counter("oil", x, every="1h")

        n = bt.family("n", gc=bt.max_age(days=400), aggregate="sum")
        alarms: bt.History[int] = bt.counter("alarms", n, every="1h")

    return Transformer


@good("Two lives in two families")
def thirtythird_two_lives_in_two_families() -> object:
    class Weld(bt.Model, table="PIPE_WELD", events="20/min"):
        """A weld of a pipeline.

        The result of the inspection stays as long as the pipe is in the ground. The current curve that the machine recorded
        is for the welding engineer, who is through with it within a month; it has a family of its own, which drops it after
        45 days.
        """

        line: str = bt.key(bt.Text(width=5), cardinality=400)
        weld: int = bt.key(bt.PaddedInt(7))

        i = bt.family("i", gc=bt.max_versions(1))
        passed: bool = bt.column("ok", i)
        inspector: int = bt.column("insp", i)

        c = bt.family("c", gc=bt.max_age(days=45))
        curve: bytes | None = bt.column("curve", c, size=18_000, max_size=40_000, default=None)

        of_line = bt.query("line", between="weld")

    return Weld


@good("Nine days late")
def thirtythird_nine_days_late() -> object:
    class BuoyDay(bt.Model, table="WAVE_BUOY_DAY", bucket="day", events="20/s", lateness="9d"):
        """Wave heights at a buoy, every minute.

        Buoys without a satellite over them keep up to nine days of values and send them later. The swell model reads back
        sixty days from now; with the time that late ones lose, seventy-five days is enough for all.
        """

        buoy: str = bt.key(bt.Text(width=5), cardinality=1_200)
        day: date = bt.key(bt.DateText())

        h = bt.family("h", gc=bt.max_age(days=75))
        centimetres: bt.History[int] = bt.history("cm", h, every="1min")

        of_buoy = bt.query("buoy", between="day")

    return BuoyDay


@good("A salt for a rate")
def thirtythird_a_salt_for_a_rate() -> object:
    class LightningImpulse(bt.Model, table="LIGHTNING_IMPULSE", events="24000/s"):
        """A radio impulse of lightning that an antenna of the worldwide net heard, at the peak in the northern summer.

        The locating program takes all impulses of a second or two, from whatever antenna, over and over; the archive copies
        an hour at a time. The time has to lead for that, and 16 buckets in front of it keep any node from getting more than it can write. A window is
        thus sixteen short reads side by side, which the program is made for.
        """

        bucket_no = bt.salt("at", "impulse", buckets=16)
        at: datetime = bt.key(bt.EpochMicros())
        impulse: str = bt.key(bt.HexDigest(12), cardinality=40_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=20))
        antenna: int = bt.column("ant", s)
        amplitude: float = bt.column("amp", s)
        rise_ns: int = bt.column("rise", s)

        window = bt.query(between="at")

    return LightningImpulse


@good("Heights below zero")
def thirtythird_heights_below_zero() -> object:
    def above_bottom(centimetres: int) -> int:
        return centimetres + 1_200_000

    def above_sea(stored: int) -> int:
        return stored - 1_200_000

    DEPTH = bt.mapped(bt.PaddedInt(7), to=above_bottom, from_=above_sea, ordered=True)

    class Sounding(bt.Model, table="SOUNDING", events="150/s"):
        """Salinity and temperature along the wire of a research ship's probe.

        Heights are centimetres relative to the sea level, so nearly all are below zero, down to 12 km; we add 12 km before
        they are written so that the order of the bytes is the order of the heights. A profile reads a cast between two
        heights. Casts have random ids.
        """

        cast: str = bt.key(bt.HexDigest(12), cardinality=400_000)
        height: int = bt.key(DEPTH)

        s = bt.family("s", gc=bt.max_versions(1))
        salinity: float = bt.column("psu", s)
        celsius: float = bt.column("c", s)

        profile = bt.query("cast", between="height")

    return Sounding


@good("Four tables for four authorities")
def thirtythird_four_tables_for_four_authorities() -> object:
    class Spin(bt.Model, table="SPIN_{authority}", events="1800/s"):
        """A game that a slot machine played.

        We hold licences of four gaming authorities, and each of them insists on a table that it can lock and have exported
        without touching the others'; a fifth is not planned. An auditor reads a machine from one time to another, and the
        machine numbers its games without a gap. Five years.
        """

        machine: str = bt.key(bt.Text(width=9), cardinality=28_000)
        at: datetime = bt.key(bt.EpochMillis())
        game: int = bt.key(bt.PaddedInt(10))

        g = bt.family("g", gc=bt.max_age(days=1_830))
        stake_cents: int = bt.column("stake", g)
        win_cents: int = bt.column("win", g)

        of_machine = bt.query("machine", between="at")

    return Spin
