"""The good designs of the seventh and the eighth set by people who had not read the rules: nothing is wrong with them."""

from datetime import date, datetime
from uuid import UUID

from attrs import frozen
from published import good

import btmodel as bt


@good("An observatory: the log of the dome, kept by the night assistants")
def seventh_observatory_log() -> object:
    class LogEntry(bt.Model, table="dome_log", events="3/day"):
        """An entry: dome opened, closed, or a fault. There is one dome, so the entries are read by time; ten years make 11,000 rows."""

        at: datetime = bt.key(bt.EpochSeconds(round=True))

        e = bt.family("e", gc=bt.max_versions(1))
        what: str = bt.column("what", e, size=12, max_size=20)
        remark: str | None = bt.column("rem", e, default=None, size=100, max_size=2_000)

        during = bt.query(between="at")

    return LogEntry


@good("Cosmic rays: the hits of 1,700 detectors, which are searched for coincidences")
def seventh_cosmic_rays() -> object:
    class Hit(bt.Model, table="hit", events="90000/s"):
        """A hit. A shower is what many detectors see within microseconds, so the only question is: all hits, of all detectors, in a second."""

        shard = bt.salt("detector", "at", buckets=24)
        at: datetime = bt.key(bt.EpochMicros())
        detector: int = bt.key(bt.PaddedInt(4), cardinality=1_700, sequential=False)

        h = bt.family("h", gc=bt.max_age(days=7))
        charge: int = bt.column("q", h)
        saturated: bool = bt.column("sat", h)

        during = bt.query(between="at", span="1s")

    return Hit


@good("Cadastral maps: scans of the sheets of the land register")
def seventh_cadastral_maps() -> object:
    class Sheet(bt.Model, table="sheet", events="250/day"):
        """The scan of a sheet, of which only the newest is kept. The scanner's program cuts the quality until it has at most 8 MB."""

        county: str = bt.key(bt.Text(width=5), cardinality=410)
        sheet: str = bt.key(bt.Text(width=8), cardinality=900_000)

        s = bt.family("s", gc=bt.max_versions(1))
        scan: bytes = bt.column("img", s, size=4_500_000, max_size=8_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        scanned: date = bt.column("on", m)
        surveyed: int = bt.column("year", m)

        of_sheet = bt.query("county", "sheet")
        index_of_county = bt.query("county", only=["scanned", "surveyed"])

    return Sheet


@good("Charities: the yearly returns that the public register shows")
def seventh_charity_returns() -> object:
    class Return(bt.Model, table="charity_return", events="1200/day"):
        """The return of a charity for a year of account. The tax number is that of the organization, and printed in the public register."""

        tax_number: str = bt.key(bt.Text(width=9), cardinality=190_000, pii=False)
        year: int = bt.key(bt.PaddedInt(4), cardinality=80, changes=False, sequential=False)

        r = bt.family("r", gc=bt.max_versions(1))
        income: int = bt.column("in", r)
        spending: int = bt.column("out", r)
        employees: int = bt.column("staff", r)
        report: str | None = bt.column("text", r, default=None, size=5_000, max_size=60_000)

        of_charity = bt.query("tax_number", between="year")

    return Return


@good("Forestry: bands around trees that measure how a trunk grows and shrinks, every quarter of an hour")
def seventh_tree_girths() -> object:
    class TreeDay(bt.Model, table="tree_day", bucket="day", events="3334/s", lateness="3h"):
        """A day of a tree. Tags are numbered in the order in which trees were banded, years ago; all trees report, and not the last ones alone."""

        tree: int = bt.key(bt.PaddedInt(8), cardinality=3_000_000, sequential=False)
        day: date = bt.key(bt.DateText())

        g = bt.family("g", gc=bt.max_age(days=1_500))
        micrometres: bt.Slots[int] = bt.slots(g, every="15min", qualifier="%H%M")

        of_tree = bt.query("tree", between="day", span="30d")

    return TreeDay


@good("Patents: what the patent offices publish")
def seventh_patent_publications() -> object:
    class Publication(bt.Model, table="publication", events="12000/day"):
        """A publication. Office, number and kind together are its name: an application (A1) and the granted patent (B1) are two publications, and neither ever changes its kind."""

        office: str = bt.key(bt.Text(width=2), cardinality=100)
        number: int = bt.key(bt.PaddedInt(12), cardinality=150_000_000)
        kind: str = bt.key(bt.Text(width=2), cardinality=20, changes=False)

        p = bt.family("p", gc=bt.max_versions(1))
        published: date = bt.column("on", p)
        title: str = bt.column("title", p, size=90, max_size=1_000)
        abstract: str | None = bt.column("abs", p, default=None, size=1_200, max_size=10_000)
        classes: list[str] = bt.column("cpc", p, size=120, max_size=4_000)

        of_number = bt.query("office", "number")

    return Publication


@good("Trade in explosives: what dealers sold, as the law of four jurisdictions wants it kept")
def seventh_explosives_trade() -> object:
    class Sale(bt.Model, table="sale_{jurisdiction}", events="30000/day"):
        """A sale. The four jurisdictions, and there will be no fifth, want sales kept for five, seven, ten and twelve years, and destroyed then.

        Backups are made of whole tables, and the authority of a jurisdiction gets those of its own sales, so each has a table, with its age.
        """

        dealer: str = bt.key(bt.Text(width=8), cardinality=6_000)
        at: datetime = bt.key(bt.EpochMillis())
        receipt: str = bt.key(bt.Text(width=6), cardinality=900_000)

        s = bt.family("s", gc=bt.max_age("{keep}"))
        product: str = bt.column("un", s, size=4, max_size=4)
        grams: int = bt.column("g", s)
        permit: str = bt.column("permit", s, size=12, max_size=20)

        of_dealer = bt.query("dealer", between="at", span="30d")

    return Sale


@good("Freight trains: which wagon stands where in a train")
def seventh_train_consists() -> object:
    class Consist(bt.Model, table="consist", events="90000/day", atomic="run"):
        """The wagons of a train run, by their position. Shunting swaps and moves wagons, and a train must never be seen with one twice or without one."""

        run: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)

        w = bt.family("w", gc=bt.max_versions(1))
        wagons: dict[int, str] = bt.mapping(w, bt.PaddedInt(3), size=12, max_size=12, entries=120)

        t = bt.family("t", gc=bt.max_versions(1))
        brake_weight: int | None = bt.column("brake", t, default=None)
        checked_by: str | None = bt.column("by", t, default=None, size=6, max_size=6)

        of_run = bt.query("run")

    return Consist


@good("Glaciers: the temperature in boreholes, measured by loggers that are visited once a year")
def seventh_glacier_loggers() -> object:
    class BoreholeMonth(bt.Model, table="borehole_month", bucket="month", events="4/s", lateness="400d"):
        """A month of a logger, with a reading every ten minutes. An expedition brings the readings of up to thirteen months; they are kept until fifteen years after they were measured."""

        logger: str = bt.key(bt.Text(width=6), cardinality=2_400)
        month: date = bt.key(bt.DateText("%Y%m"))

        t = bt.family("t", gc=bt.max_age(days=5_500))
        degrees: bt.History[float] = bt.history("c", t, every="10min")

        of_logger = bt.query("logger", between="month")

    return BoreholeMonth


@good("Elevators: inspections, by elevator; and, for the monthly statistics, by the firm that made them")
def seventh_elevator_inspections() -> object:
    class Inspection(bt.Model, table="inspection", events="9000/day"):
        """An inspection of an elevator. The control room reads the last one before it releases the elevator."""

        elevator: str = bt.key(bt.Text(width=9), cardinality=800_000)
        day: date = bt.key(bt.DateText())

        i = bt.family("i", gc=bt.max_age(days=4_000))
        firm: str = bt.column("firm", i, size=6, max_size=6, cardinality=700)
        passed: bool = bt.column("ok", i)
        defects: str | None = bt.column("def", i, default=None, size=200, max_size=8_000)

        of_elevator = bt.query("elevator", between="day", newest=True)

    class InspectionOfFirm(bt.Index, of=Inspection, view="inspection_of_firm"):
        """The inspections of a firm. A report reads last month's in the second week of the month, so it may be hours behind."""

        firm: str = bt.key(bt.Text(width=6), cardinality=700)
        day: date = bt.covered()
        elevator: str = bt.covered()

        passed: bool = bt.covered()

        of_firm = bt.query("firm", between="day", span="31d")

    return Inspection, InspectionOfFirm


@good("Parking garages: how many cars went in and out in each hour")
def seventh_parking_garages() -> object:
    class Garage(bt.Model, table="garage", events="800/s"):
        """The traffic of a garage. Its gate computer adds up what its gates saw, and sends one sum every ten seconds."""

        garage: int = bt.key(bt.PaddedInt(6), cardinality=8_000, sequential=False)

        h = bt.family("h", gc=bt.max_age(days=400), aggregate="sum")
        came: bt.History[int] = bt.counter("in", h, every="1h", increments="6/min")
        left: bt.History[int] = bt.counter("out", h, every="1h", increments="6/min")

        of_garage = bt.query("garage")

    return Garage


@good("Hearing aids: the firmware of each model, in the order of its versions")
def seventh_hearing_aids() -> object:
    class Build(bt.Model, table="build", events="30/day"):
        """A build. Versions have three numbers of up to four digits, so 2.9.1 is stored as 0002.0009.0001 and lies before 2.10.0."""

        product: str = bt.key(bt.Text(width=6), cardinality=160)
        version: tuple[int, ...] = bt.key(
            bt.Repeated(bt.PaddedInt(4), ".", least=3, most=3), cardinality=4_000, changes=False
        )

        b = bt.family("b", gc=bt.max_versions(1))
        released: date = bt.column("on", b)
        sha256: bytes = bt.column("sha", b, size=32, max_size=32)
        address: str = bt.column("obj", b, size=70, max_size=200)

        since = bt.query("product", between="version")

    return Build


@good("Combine harvesters: what a machine cuts, every ten seconds while it works")
def seventh_combine_harvesters() -> object:
    class Cut(bt.Model, table="cut", events="2000/s", lateness="12h"):
        """What a machine cut in ten seconds. Farmers look at a day of a machine, for up to three seasons."""

        machine: str = bt.key(bt.Text(width=10), cardinality=20_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        c = bt.family("c", gc=bt.max_age(days=1_100))
        latitude: float = bt.column("lat", c)
        longitude: float = bt.column("lon", c)
        kilograms: float = bt.column("kg", c)
        moisture: float = bt.column("h2o", c)

        of_machine = bt.query("machine", between="at", span="1day")

    return Cut


@good("Sign languages: what linguists have noted about the videos of a corpus")
def seventh_sign_language() -> object:
    class Annotation(bt.Model, table="annotation", events="15000/day"):
        """A note on a tier of a video, such as that of the left hand, by the millisecond that it begins at; on one tier no two begin at once. One that was put in the wrong place is deleted, and made anew."""

        corpus: str = bt.key(bt.Text(width=4), cardinality=60)
        video: str = bt.key(bt.Text(width=8), cardinality=90_000)
        tier: str = bt.key(bt.Text(max_length=12), cardinality=14)
        begins_ms: int = bt.key(bt.PaddedInt(8), cardinality=7_200_000, sequential=False, changes=False)

        a = bt.family("a", gc=bt.max_versions(1))
        ends_ms: int = bt.column("end", a)
        gloss: str = bt.column("gloss", a, size=14, max_size=100)
        remark: str | None = bt.column("rem", a, default=None, size=60, max_size=2_000)

        of_video = bt.query("corpus", "video")
        of_tier = bt.query("corpus", "video", "tier", between="begins_ms")

    return Annotation


@good("Opera: the surtitles of a production, which the operator shows cue by cue")
def seventh_surtitles() -> object:
    class Cue(bt.Model, table="cue", events="4000/day"):
        """A cue of an act, with its words in each language of the house. Cues are numbered in tens, so that a new one can go between two."""

        production: str = bt.key(bt.Text(width=8), cardinality=12_000)
        act: int = bt.key(bt.PaddedInt(1), cardinality=6, sequential=False)
        cue: int = bt.key(bt.PaddedInt(4), cardinality=1_500, sequential=False)

        w = bt.family("w", gc=bt.max_versions(1))
        words: dict[str, str] = bt.mapping(w, bt.Text(width=2), size=60, max_size=200, entries=12)

        of_act = bt.query("production", "act", between="cue")

    return Cue


@good("A biobank's freezers: which tube stands where in a box")
def seventh_sample_freezers() -> object:
    class Box(bt.Model, table="box", events="40000/day"):
        """A box of up to 196 tubes, by freezer and the barcode of the box: the tubes by their position, A01 to N14. A tube is named by a random number.

        A box stays in its freezer, and a tube in its box, until they are thrown away; within a box tubes are moved.
        """

        freezer: str = bt.key(bt.Text(width=4), cardinality=350, changes=False)
        box: str = bt.key(bt.Text(width=10), cardinality=600_000, changes=False)

        t = bt.family("t", gc=bt.max_versions(1))
        tubes: dict[str, str] = bt.mapping(t, bt.Text(width=3), size=10, max_size=10, entries=196)

        b = bt.family("b", gc=bt.max_versions(1))
        kind: str | None = bt.column("kind", b, default=None, size=8, max_size=20)

        of_freezer = bt.query("freezer")
        of_box = bt.query("freezer", "box")

    return Box


@good("Trams: what the displays at the stops show")
def seventh_tram_departures() -> object:
    class Departure(bt.Model, table="departure", events="900/s"):
        """A departure from a stop, by the time of the timetable, which stays when the tram is late. It is gone from the displays ten minutes after the tram is."""

        stop: int = bt.key(bt.PaddedInt(6), cardinality=30_000, sequential=False)
        scheduled: datetime = bt.key(bt.EpochSeconds(round=True), changes=False)
        trip: str = bt.key(bt.Text(width=8), cardinality=200_000)
        gone: datetime = bt.expires(round=True)

        d = bt.family("d", gc=bt.max_age(seconds=1))
        line: str = bt.column("line", d, size=3, max_size=6)
        towards: str = bt.column("to", d, size=20, max_size=60)
        expected: datetime = bt.column("exp", d)

        of_stop = bt.query("stop", between="scheduled", span="1h")

    return Departure


@good("Proteins: what has been computed for a sequence, whoever asks for it again")
def seventh_protein_sequences() -> object:
    class Fold(bt.Model, table="fold", events="5/s"):
        """The result for a sequence of amino acids. Programs have a whole sequence in hand and ask for just that one; nothing is listed or compared."""

        id = bt.digest("sequence", size=32)

        f = bt.family("f", gc=bt.max_versions(1))
        sequence: str = bt.column("seq", f, size=400, max_size=36_000)
        confidence: float = bt.column("conf", f)
        angles: bytes = bt.column("ang", f, size=3_200, max_size=300_000)
        computed: date = bt.column("on", f)

        of_sequence = bt.query("sequence")

    return Fold


@good("Charging points for electric cars: the energy that each has given, every five minutes")
def eighth_ev_charging() -> object:
    class ChargerDay(bt.Model, table="CHARGER_DAY", bucket="day", events="140/s", lateness="6h"):
        """The watt-hours that a charging point gave in a day, as a value for each five minutes: 288 of them.

        The supervisors want all days for good.
        """

        charger: str = bt.key(bt.Text(width=9), cardinality=42_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        e = bt.family("e", gc=bt.max_versions(300))
        watt_hours: bt.History[int] = bt.history("wh", e, every="5min")

        of_charger = bt.query("charger", between="day", span="31days")

    return ChargerDay


@good("Toll gantries over motorways, and the tags that passed below them")
def eighth_toll_gantries() -> object:
    class Passage(bt.Model, table="PASSAGE", events="9000/s"):
        """One passage of one tag, which is written once. By law it goes after 60 days.

        A driver who asks sees the passages of the tag, the newest first.
        """

        tag: str = bt.key(bt.HexDigest(16), cardinality=14_000_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))

        p = bt.family("p", gc=bt.max_age(days=60))
        gantry: str = bt.column("g", p, size=6, max_size=6)
        lane: int = bt.column("l", p)
        cents: int = bt.column("c", p)

        of_tag = bt.query("tag", between="at", newest=True, span="30days")

    return Passage


@good("Mountain shelters for hikers, found by the place where the hiker is")
def eighth_shelters() -> object:
    class Shelter(bt.Model, table="SHELTER", events="200/day"):
        """A shelter. Its geohash leads the key, so what is near lies together.

        The app asks for the cell of the hiker, in five characters, and for the eight cells around it.
        """

        geohash: str = bt.key(bt.Text(width=9), cardinality=60_000)
        id: str = bt.key(bt.Text(max_length=8), cardinality=60_000)

        s = bt.family("s", gc=bt.max_versions(1))
        name: str = bt.column("name", s, size=20, max_size=80)
        beds: int = bt.column("beds", s)
        open: bool = bt.column("open", s)

        near = bt.query(starting="geohash")

    return Shelter


@good("Firmware that was released for devices, by its version")
def eighth_firmware() -> object:
    class Release(bt.Model, table="FIRMWARE", events="50/day"):
        """A release. Versions are three numbers, padded, so 2.10.0 lies behind 2.9.4.

        The updater asks for all releases of a product from the version on that a device has.
        """

        product: str = bt.key(bt.Text(max_length=20), cardinality=3_000)
        version: tuple[int, int, int] = bt.key(
            bt.Joined((bt.PaddedInt(3), bt.PaddedInt(3), bt.PaddedInt(3)), "."),
            cardinality=200,
            sequential=False,
        )

        r = bt.family("r", gc=bt.max_versions(1))
        released: date = bt.column("on", r)
        image: str = bt.column("image", r, size=90, max_size=300)
        notes: str = bt.column("notes", r, size=1_500, max_size=20_000)

        of_product = bt.query("product", between="version")

    return Release


@good("Orders of a chain of laundries, and which of them a branch still has")
def eighth_laundry() -> object:
    class Order(bt.Model, table="LAUNDRY_ORDER", events="5/s"):
        """An order, by its number. The numbers come from a counter, so the last digit is in front.

        It is always written with `replace`, which also deletes the entry of the branch.
        """

        number: int = bt.key(bt.ReversedDigits(9), cardinality=300_000_000, sequential=True)

        o = bt.family("o", gc=bt.max_versions(1))
        branch: str = bt.column("branch", o, size=5, max_size=5, cardinality=900)
        stage: str = bt.column("stage", o, size=8, max_size=12)
        due: datetime = bt.column("due", o)
        pieces: list[str] = bt.column("pieces", o, size=200, max_size=4_000)

    class Open(bt.Model, table="LAUNDRY_OPEN", events="5/s"):
        """An order that a branch has not given out yet, about 600 in each. It is deleted when it is given out."""

        branch: str = bt.key(bt.Text(width=5), cardinality=900)
        number: int = bt.key(bt.PaddedInt(9), cardinality=300_000_000, sequential=True)

        o = bt.family("o", gc=bt.max_versions(1))
        stage: str = bt.column("stage", o, size=8, max_size=12)
        due: datetime = bt.column("due", o)

        of_branch = bt.query("branch")

    def open_of(order: Order) -> Open | None:
        """The entry of the branch, as long as the order is there."""
        if order.stage == "given out":
            return None
        return Open(branch=order.branch, number=order.number, stage=order.stage, due=order.due)

    bt.twins(Order, (Open, open_of), owned=True)

    return Order, Open


@good("Incidents in the parking garages of a country: barriers that are stuck, and the like")
def eighth_parking() -> object:
    class Incident(bt.Model, table="PARKING_INCIDENT", events="6/min"):
        """An incident, by its time: the control room shows those of all garages of the last hours together.

        There are six in a minute, in 700 garages.
        """

        at: datetime = bt.key(bt.EpochMillis(round=True))
        garage: str = bt.key(bt.Text(width=5), cardinality=700)

        i = bt.family("i", gc=bt.max_age(days=365))
        kind: str = bt.column("kind", i, size=8, max_size=16)
        text: str = bt.column("text", i, size=80, max_size=1_000)

        in_time = bt.query(between="at", span="8h")

    return Incident


@good("Ships, and where they are: by the radio of the ships themselves")
def eighth_ships() -> object:
    class Position(bt.Model, table="SHIP_POSITION", events="10000/s"):
        """A position of a ship, which tells one every few seconds. The chart draws its course of the last day."""

        mmsi: int = bt.key(bt.PaddedInt(9), cardinality=120_000, sequential=False)
        at: datetime = bt.key(bt.EpochMillis())

        p = bt.family("p", gc=bt.max_age(days=90))
        latitude: float = bt.column("la", p)
        longitude: float = bt.column("lo", p)
        course: int = bt.column("c", p)

        of_ship = bt.query("mmsi", between="at", span="1day")

    class Latest(bt.Model, table="SHIP_LATEST", events="10000/s"):
        """The newest position of a ship. A radio message that arrives late never replaces a newer one."""

        mmsi: int = bt.key(bt.PaddedInt(9), cardinality=120_000, sequential=False)
        at: datetime = bt.timestamp()

        p = bt.family("p", gc=bt.max_versions(1))
        latitude: float = bt.column("la", p)
        longitude: float = bt.column("lo", p)
        course: int = bt.column("c", p)

        of_ship = bt.query("mmsi")

    bt.twins(Position, Latest)

    return Position, Latest


@good("Flashcards for learning words")
def eighth_flashcards() -> object:
    @frozen
    class Card:
        """When a card is due next, and how well it is known."""

        due: str
        ease: int
        lapses: int

    class Deck(bt.Model, table="DECK", events="3000/s"):
        """A deck of a learner. A deck has at most 5,000 cards, and the app reads all of it when it opens.

        An answer writes the entry of its card alone.
        """

        learner: str = bt.key(bt.HexDigest(12), cardinality=2_500_000)
        deck: str = bt.key(bt.Text(max_length=12), cardinality=200_000)

        d = bt.family("d", gc=bt.max_versions(1))
        begun: date = bt.column("begun", d)

        c = bt.family("c", gc=bt.max_versions(1))
        cards: dict[str, Card] = bt.mapping(c, bt.Text(max_length=12), size=45, max_size=60, entries=5_000)

        of_learner = bt.query("learner", only=["begun"])

    return Deck


@good("Lessons of driving schools")
def eighth_driving_school() -> object:
    class InstructorDay(bt.Model, table="INSTRUCTOR_DAY", events="30/s", atomic=("instructor", "day")):
        """The day of an instructor: who has which lesson.

        Two pupils must never get the same lesson, and a lesson is moved within the day in one step. All of a
        day is one row, so a condition on it decides that.
        """

        instructor: str = bt.key(bt.HexDigest(8), cardinality=25_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        s = bt.family("s", gc=bt.max_versions(1))
        lessons: dict[str, str] = bt.mapping(s, bt.Text(width=4), size=10, max_size=12, entries=16)

        of_instructor = bt.query("instructor", between="day", span="7days")

    return InstructorDay


@good("Pictures of roofs, which drones take for roofers")
def eighth_roof_surveys() -> object:
    class Picture(bt.Model, table="ROOF_PICTURE", events="60/s"):
        """A picture of a survey. The picture itself is an object in a bucket; here are its path and a thumbnail.

        The list of a survey, up to 400 pictures, shows numbers and times; thumbnails come page by page.
        """

        survey: str = bt.key(bt.HexDigest(10), cardinality=900_000)
        number: int = bt.key(bt.PaddedInt(4), cardinality=400)

        p = bt.family("p", gc=bt.max_versions(1))
        taken: datetime = bt.column("at", p)
        path: str = bt.column("path", p, size=70, max_size=200)

        t = bt.family("t", gc=bt.max_versions(1))
        thumbnail: bytes = bt.column("jpeg", t, size=12_000, max_size=40_000)

        of_survey = bt.query("survey", only=["taken", "path"])
        thumbnails = bt.query("survey", between="number", only=["thumbnail"])

    return Picture


@good("Coupons with codes, each of which can be used once")
def eighth_coupons() -> object:
    class Coupon(bt.Model, table="COUPON", events="150/s"):
        """A coupon, under a hash of its code. The till gives the code and nothing else.

        Codes themselves are not stored. A till redeems under the condition that nobody has.
        Used and old coupons stay for good, because customers dispute them.
        """

        id = bt.digest("code")
        code: str | None = bt.key(bt.Text(max_length=24), stored=False, cardinality=80_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        percent: int = bt.column("percent", c)
        until: date = bt.column("until", c)
        till: str | None = bt.column("till", c, size=10, max_size=12, default=None)

        of_code = bt.query("code")

    return Coupon


@good("Applications for jobs, at the companies that use the service")
def eighth_recruiting() -> object:
    class Application(bt.Model, table="APPLICATION", events="25/s"):
        """Who applied for a vacancy, and how far it is. The stage changes; it is in a cell, and not in the key.

        When a company leaves, or a vacancy is closed for half a year, all rows below it are deleted.
        """

        company: str = bt.key(bt.Text(max_length=20), cardinality=6_000, tenant=True)
        vacancy: str = bt.key(bt.HexDigest(8), cardinality=400_000)
        applicant: UUID = bt.key(bt.UuidText(), cardinality=60_000_000, pii=False)

        a = bt.family("a", gc=bt.max_versions(1))
        name: str = bt.column("name", a, size=20, max_size=120)
        stage: str = bt.column("stage", a, size=9, max_size=16)
        since: date = bt.column("since", a)
        letter: str = bt.column("letter", a, size=70, max_size=200)

        of_vacancy = bt.query("company", "vacancy")
        of_company = bt.query("company", only=["stage"])

    return Application


@good("Family trees that people put together")
def eighth_family_trees() -> object:
    class Ancestor(bt.Model, table="ANCESTOR", events="120/s"):
        """Somebody in a tree, with all relatives: their ids, and what they are to each other.

        Nobody has more than 300 of them. The page of a person shows them all.
        """

        tree: str = bt.key(bt.HexDigest(8), cardinality=700_000)
        person: int = bt.key(bt.PaddedInt(5), cardinality=40_000, sequential=True, pii=False)

        p = bt.family("p", gc=bt.max_versions(1))
        name: str = bt.column("name", p, size=24, max_size=160)
        lived: str | None = bt.column("lived", p, size=9, max_size=20, default=None)

        r = bt.family("r", gc=bt.max_versions(1))
        relatives: dict[int, str] = bt.mapping(r, bt.PaddedInt(5), size=8, max_size=16, entries=300)

        of_tree = bt.query("tree", only=["name"])

    return Ancestor


@good("Watches that count the beats of the heart, and send them when the phone is near")
def eighth_wearables() -> object:
    class HeartDay(bt.Model, table="HEART_DAY", bucket="day", events="35000/s", lateness="5d"):
        """The beats of a day, one number a minute. A day has 1,440, and the app draws a week.

        A watch that was away sends up to five days at once.
        """

        wearer: str = bt.key(bt.HexDigest(12), cardinality=2_100_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        h = bt.family("h", gc=bt.max_age(days=400))
        beats: bt.History[int] = bt.history("b", h, every="1min")

        of_wearer = bt.query("wearer", between="day", span="7days")

    return HeartDay


@good("Forest harvesters, and what they do now")
def eighth_harvesters() -> object:
    class Harvester(bt.Model, table="HARVESTER", events="60/s"):
        """A machine: what the dealer enters once, and what the machine tells every minute, in place of the last.

        What a machine told goes when it has been silent for 30 days; what the dealer entered stays.
        """

        machine: str = bt.key(bt.Text(width=10), cardinality=3_600)

        about = bt.family("a", gc=bt.max_versions(1))
        model: str = bt.column("model", about, size=10, max_size=30)
        sold: date = bt.column("sold", about)

        now = bt.family("n", gc=bt.max_versions(1) | bt.max_age(days=30))
        litres: float | None = bt.column("l", now, default=None)
        trees: int | None = bt.column("t", now, default=None)

        of_machine = bt.query("machine")
        everything = bt.query(scan="the map shows all 3,600 machines, one small row each")

    return Harvester


@good("Postal codes, with the place and the round that each belongs to")
def eighth_postcodes() -> object:
    class Postcode(bt.Model, table="POSTCODE", events="400/day"):
        """A postal code of one of 30 countries; 1,500,000 in all, and a few hundred change in a day.

        Forms look up one code, or those that begin as what was typed so far.
        """

        country: str = bt.key(bt.Text(width=2), cardinality=30)
        code: str = bt.key(bt.Text(max_length=10), cardinality=50_000)

        p = bt.family("p", gc=bt.max_versions(1))
        place: str = bt.column("place", p, size=12, max_size=80)
        round: int | None = bt.column("round", p, default=None)

        typed = bt.query("country", starting="code")

    return Postcode


@good("Customs declarations, as a feed that risk analysis reads in the order of time")
def eighth_customs() -> object:
    class Declared(bt.Model, table="CUSTOMS_FEED", events="24000/s"):
        """A declaration at the time when it came in.

        The only reader takes all of the country, five minutes at a time. No field divides them so that this
        would be one range, and in order of time alone they would all go to one place: hence 16 salts,
        which are read side by side.
        """

        shard = bt.salt("declaration", buckets=16)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        declaration: UUID = bt.key(bt.UuidText())

        d = bt.family("d", gc=bt.max_age(days=7))
        office: str = bt.column("office", d, size=6, max_size=6)
        goods: str = bt.column("goods", d, size=10, max_size=12)
        cents: int = bt.column("cents", d)

        in_time = bt.query(between="at", span="5min")

    return Declared
