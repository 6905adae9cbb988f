"""A thirty-sixth set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import good

import btmodel as bt


@good("Observatory nights by date")
def thirtysixth_observatory_nights_by_date() -> object:
    class NightLog(bt.Model, table="NIGHT_LOG", events="3/day"):
        """One entry for each dome and night, written by the observer in the morning. The archive is read by date."""

        night: date = bt.key(bt.DateText("%Y%m%d"))
        dome: str = bt.key(bt.Text(max_length=8), cardinality=3)

        n = bt.family("n", gc=bt.max_versions(1))
        observer: str = bt.column("o", n, size=10, max_size=40)
        seeing: float | None = bt.column("s", n, default=None)
        remarks: str | None = bt.column("r", n, size=800, max_size=20_000, default=None)

        between_nights = bt.query(between="night")

    return NightLog


@good("Property portal as it should be")
def thirtysixth_property_portal_as_it_should_be() -> object:
    class Listing(bt.Model, table="LISTING", events="40/s"):
        """A flat or a house that an agency offers. The asking price and the state change often, the agency of a listing never does."""

        agency: UUID = bt.key(bt.UuidText(), cardinality=60_000)
        listing: UUID = bt.key(bt.UuidText(), cardinality=9_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        price: Decimal = bt.column("p", d)
        state: str = bt.column("s", d, size=6, max_size=12)
        "open, reserved or sold"
        title: str = bt.column("t", d, size=60, max_size=300)
        text: str | None = bt.column("x", d, size=1_500, max_size=20_000, default=None)

        of_agency = bt.query("agency")
        one = bt.query("agency", "listing")

    return Listing


@good("Running as it should be")
def thirtysixth_running_as_it_should_be() -> object:
    class Finish(bt.Model, table="FINISH", events="30/s"):
        """A runner crossed the finish line. The list of a race is shown fastest first.

        A row is written after the jury has signed the time, and a signed time never changes.
        """

        race: UUID = bt.key(bt.UuidText(), cardinality=80_000)
        net_ms: int = bt.key(bt.PaddedInt(9), sequential=False)
        "Net time in milliseconds, from the start mat to the finish mat."
        bib: int = bt.key(bt.PaddedInt(6), cardinality=60_000, sequential=False)

        r = bt.family("r", gc=bt.max_versions(1))
        club: str | None = bt.column("c", r, size=20, max_size=80, default=None)
        category: str = bt.column("k", r, size=4, max_size=8)
        signed_at: datetime = bt.column("s", r)

        of_race = bt.query("race")
        faster = bt.query("race", between="net_ms")

    return Finish


@good("District heating as it should be")
def thirtysixth_district_heating_as_it_should_be() -> object:
    class HeatDay(bt.Model, table="HEAT_DAY", bucket="day", events="400/s", lateness="3d"):
        """A day of a heat meter, a column for each quarter of an hour. Readings are kept for the three years of a billing dispute."""

        meter: str = bt.key(bt.HexDigest(12), cardinality=350_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        h = bt.family("h", gc=bt.max_versions(1) | bt.max_age(days=1_110))
        kwh: bt.Slots[Decimal] = bt.slots(h, every="15min", qualifier="%H%M")

        of_meter = bt.query("meter", between="day", span="31day")

    return HeatDay


@good("Vaccinations as it should be")
def thirtysixth_vaccinations_as_it_should_be() -> object:
    class Vaccination(bt.Model, table="VACCINATION", events="25/s"):
        """A dose that a patient got. Records stay for good; a dose that was entered by mistake is deleted by the head nurse."""

        patient: UUID = bt.key(bt.UuidText(), cardinality=12_000_000)
        "Random id, the name is in the master index only."
        given_on: date = bt.key(bt.DateText("%Y%m%d"))
        dose: UUID = bt.key(bt.UuidText())

        v = bt.family("v", gc=bt.max_versions(1))
        vaccine: str = bt.column("c", v, size=5, max_size=10)
        lot: str = bt.column("l", v, size=8, max_size=20)
        clinic: str = bt.column("k", v, size=6, max_size=10)

        of_patient = bt.query("patient", between="given_on")

    return Vaccination


@good("Messenger as it should be")
def thirtysixth_messenger_as_it_should_be() -> object:
    class GroupMessage(bt.Model, table="GROUP_MESSAGE", events="5000/s"):
        """A message in a group of at most fifty members; opening a group loads the last forty messages.

        Messages are deleted after two years.
        """

        group: UUID = bt.key(bt.UuidText(), cardinality=4_000_000)
        sent_at: datetime = bt.key(bt.ReversedMillis(round=True))
        message: UUID = bt.key(bt.UuidText())

        m = bt.family("m", gc=bt.max_versions(1) | bt.max_age(days=730))
        sender: UUID = bt.column("s", m)
        text: str = bt.column("t", m, size=90, max_size=4_000)

        latest = bt.query("group", between="sent_at", newest=True)

    return GroupMessage


@good("Ad line items as it should be")
def thirtysixth_ad_line_items_as_it_should_be() -> object:
    class LineItem(bt.Model, table="LINE_ITEM", events="900/s"):
        """Impressions and clicks of a line item in each hour of the last 90 days.

        One aggregator owns a line item, adds up in memory and flushes once in ten seconds.
        """

        line_item: str = bt.key(bt.HexDigest(12), cardinality=9_000)

        h = bt.family("h", gc=bt.max_age(days=90), aggregate="sum")
        impressions: bt.History[int] = bt.counter("i", h, every="1h", increments="6/min")
        clicks: bt.History[int] = bt.counter("c", h, every="1h", increments="6/min")

        of_line_item = bt.query("line_item")

    return LineItem


@good("Irrigation as it should be")
def thirtysixth_irrigation_as_it_should_be() -> object:
    class IrrigationSettings(bt.Model, table="IRRIGATION_SETTINGS", events="20/day"):
        """The default thresholds for all fields: a single row. Controllers read it when they start."""

        kind = bt.constant("DEFAULTS")

        s = bt.family("s", gc=bt.max_versions(5))
        dry_below_percent: int = bt.column("d", s)
        stop_above_percent: int = bt.column("w", s)
        changed_at: datetime = bt.column("t", s)
        changed_by: str = bt.column("by", s, size=8, max_size=20)

    return IrrigationSettings


@good("Prints as it should be")
def thirtysixth_prints_as_it_should_be() -> object:
    class Sheet(bt.Model, table="SHEET", events="500/day"):
        """A sheet with its small preview. The master scan of 200 MB lies in Cloud Storage, here is only its path."""

        sheet: UUID = bt.key(bt.UuidText(), cardinality=700_000)
        view: str = bt.key(bt.Text(max_length=8), cardinality=4)
        "recto, verso, detail or raking"

        m = bt.family("m", gc=bt.max_versions(1))
        title: str = bt.column("t", m, size=60, max_size=500)
        scanned_on: date = bt.column("on", m)
        master: str = bt.column("gs", m, size=60, max_size=200)

        p = bt.family("p", gc=bt.max_versions(1))
        preview: bytes = bt.column("jpg", p, size=40_000, max_size=120_000)

        of_sheet = bt.query("sheet")

    return Sheet


@good("Cricket as it should be")
def thirtysixth_cricket_as_it_should_be() -> object:
    class Delivery(bt.Model, table="DELIVERY", events="15/s"):
        """A ball that was bowled. The outcome is corrected now and then after a review, under the same key."""

        match: UUID = bt.key(bt.UuidText(), cardinality=50_000)
        innings: int = bt.key(bt.PaddedInt(1), cardinality=4, sequential=False)
        over: int = bt.key(bt.PaddedInt(3), cardinality=120, sequential=False)
        ball: int = bt.key(bt.PaddedInt(2), cardinality=15, sequential=False)
        "Counts wides and no-balls too, so each ball has a number of its own."

        d = bt.family("d", gc=bt.max_versions(1))
        outcome: str = bt.column("o", d, size=4, max_size=12)
        runs: int = bt.column("r", d)
        text: str = bt.column("t", d, size=120, max_size=1_000)
        bowled_at: datetime = bt.column("at", d)

        of_match = bt.query("match")
        of_innings = bt.query("match", "innings", between="over")

    return Delivery


@good("Libraries as it should be")
def thirtysixth_libraries_as_it_should_be() -> object:
    class Member(bt.Model, table="MEMBER", events="300/s"):
        """A library card and what its holder may do. Cards are numbered one after the other when they are printed."""

        card: int = bt.key(bt.ReversedDigits(9), cardinality=30_000_000, sequential=True)

        m = bt.family("m", gc=bt.max_versions(1))
        branch: str = bt.column("b", m, size=4, max_size=8)
        valid_until: date = bt.column("v", m)
        max_loans: int = bt.column("l", m, default=12)

        one = bt.query("card")

    return Member


@good("Elevators as it should be")
def thirtysixth_elevators_as_it_should_be() -> object:
    class CabinSample(bt.Model, table="CABIN_SAMPLE", events="70000/s"):
        """One sample of a cabin, every two seconds. The maintenance desk draws the last hours of an elevator; after 60 days
        samples are thrown away.
        """

        elevator: UUID = bt.key(bt.UuidRaw(), cardinality=140_000)
        at: datetime = bt.key(bt.TimeBytes("millisecond"))

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=60))
        floor: int = bt.column("f", s)
        load_kg: int = bt.column("l", s)
        door_open: bool = bt.column("d", s)
        motor_amps: float = bt.column("a", s)

        of_elevator = bt.query("elevator", between="at", span="6h")

    return CabinSample


@good("Bridges as it should be")
def thirtysixth_bridges_as_it_should_be() -> object:
    class StrainMinute(bt.Model, table="STRAIN_MINUTE", bucket="minute", events="30000/s", lateness="10min"):
        """A minute of a gauge at 50 Hz. Engineers look at a few minutes while a heavy transport passes. Kept for 120 days."""

        gauge: str = bt.key(bt.HexDigest(8), cardinality=600)
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        g = bt.family("g", gc=bt.max_age(days=120))
        microstrain: bt.History[int] = bt.history("u", g, every="20ms")

        of_gauge = bt.query("gauge", between="minute", span="30min")

    return StrainMinute


@good("Ledger as it should be")
def thirtysixth_ledger_as_it_should_be() -> object:
    class LedgerEntry(bt.Model, table="LEDGER_ENTRY", events="2500/s"):
        """A booking on an account; corrections are new bookings. Statements are kept for ten years and then deleted."""

        account: UUID = bt.key(bt.UuidText(), cardinality=7_000_000)
        booked_at: datetime = bt.key(bt.EpochMillis(round=True))
        entry: UUID = bt.key(bt.UuidText())

        e = bt.family("e", gc=bt.max_versions(1) | bt.max_age(days=3_655))
        cents: int = bt.column("c", e)
        currency: str = bt.column("u", e, size=3, max_size=3)
        purpose: str | None = bt.column("p", e, size=40, max_size=140, default=None)

        statement = bt.query("account", between="booked_at", span="31day")

    return LedgerEntry


@good("Seat holds as it should be")
def thirtysixth_seat_holds_as_it_should_be() -> object:
    class SeatHold(bt.Model, table="SEAT_HOLD", events="400/s"):
        """A seat in somebody's basket. A hold ends ten minutes after the last click, and the seat is free again."""

        show: UUID = bt.key(bt.UuidText(), cardinality=40_000)
        seat: str = bt.key(bt.Text(max_length=10), cardinality=200_000)
        until: datetime = bt.expires(round=True)

        h = bt.family("h", gc=bt.max_age(seconds=1))
        basket: UUID = bt.column("b", h)

        of_show = bt.query("show")
        one = bt.query("show", "seat")

    return SeatHold


@good("Link checks as it should be")
def thirtysixth_link_checks_as_it_should_be() -> object:
    class LinkCheck(bt.Model, table="LINK_CHECK", events="3000/s"):
        """What the crawler found at an address. Customers list their host with all subdomains, and the checks of one page."""

        host: str = bt.key(bt.ReversedDomain(120), cardinality=2_000_000)
        path: str = bt.key(bt.EscapedText(900), cardinality=800_000_000)
        checked_at: datetime = bt.key(bt.EpochMillis(round=True))

        c = bt.family("c", gc=bt.max_versions(1) | bt.max_age(days=180))
        status: int = bt.column("s", c)
        millis: int = bt.column("ms", c)
        target: str | None = bt.column("to", c, size=80, max_size=2_000, default=None)

        of_host = bt.query(starting="host")
        of_page = bt.query("host", "path", between="checked_at")

    return LinkCheck


@good("Alarms as it should be")
def thirtysixth_alarms_as_it_should_be() -> object:
    class Alarm(bt.Model, table="ALARM", events="20000/s"):
        """An alarm of any network element. The correlator takes everything of the last ten seconds, again and again."""

        lane = bt.salt("id", buckets=16)
        raised_at: datetime = bt.key(bt.EpochMillis(round=True))
        id: UUID = bt.key(bt.UuidRaw())

        a = bt.family("a", gc=bt.max_versions(1) | bt.max_age(days=14))
        element: str = bt.column("e", a, size=14, max_size=24)
        severity: int = bt.column("s", a)
        text: str = bt.column("t", a, size=80, max_size=500)

        latest = bt.query(between="raised_at", span="10s")

    return Alarm


@good("Podcasts as it should be")
def thirtysixth_podcasts_as_it_should_be() -> object:
    class Subscription(bt.Model, table="SUBSCRIPTION", events="600/s"):
        """A listener subscribed to a show: a row each, because the big shows have millions of listeners."""

        listener: UUID = bt.key(bt.UuidText(), cardinality=25_000_000)
        show: UUID = bt.key(bt.UuidText(), cardinality=900_000)

        s = bt.family("s", gc=bt.max_versions(1))
        since: datetime = bt.column("t", s)
        notify: bool = bt.column("n", s, default=True)

        of_listener = bt.query("listener")
        one = bt.query("listener", "show")

    return Subscription


@good("Helpdesk as it should be")
def thirtysixth_helpdesk_as_it_should_be() -> object:
    class Ticket(bt.Model, table="TICKET", events="150/s"):
        """A support ticket of one of our 6,400 customers, who all share this table. When a customer leaves, its rows go by prefix."""

        tenant: str = bt.key(bt.HexDigest(10), cardinality=6_400)
        ticket: UUID = bt.key(bt.UuidText(), cardinality=200_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("s", t, size=50, max_size=300)
        state: str = bt.column("st", t, size=7, max_size=12)
        "Moves from new over open to solved."
        opened_at: datetime = bt.column("at", t)

        c = bt.family("c", gc=bt.max_versions(1))
        custom: dict[str, str] = bt.mapping(c, bt.Text(max_length=30), entries=40, size=20, max_size=500)

        one = bt.query("tenant", "ticket")
        of_tenant = bt.query("tenant")

    return Ticket


@good("Delivery fees as it should be")
def thirtysixth_delivery_fees_as_it_should_be() -> object:
    class CityFee(bt.Model, table="CITY_FEE", events="100/day"):
        """The delivery fee of a city, 420 rows in all."""

        country: str = bt.key(bt.Text(width=2), cardinality=11)
        city: str = bt.key(bt.Text(max_length=30), cardinality=420)

        f = bt.family("f", gc=bt.max_versions(3))
        base: Decimal = bt.column("b", f)
        per_km: Decimal = bt.column("k", f)

        of_country = bt.query("country")
        everything = bt.query(scan="each price server loads all cities when it starts")

    return CityFee


@good("Air freight as it should be")
def thirtysixth_air_freight_as_it_should_be() -> object:
    class FreightScan(bt.Model, table="FREIGHT_SCAN", events="900/s"):
        """A scan of a piece of freight anywhere on its way. Tracking shows all scans of a piece, which are kept for a year."""

        piece: UUID = bt.key(bt.UuidText(), cardinality=300_000_000)
        scanned_at: datetime = bt.key(bt.EpochSeconds(round=True))
        scanner: str = bt.key(bt.Text(max_length=8), cardinality=9_000)
        "A scanner locks itself for three seconds after each beep."

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=365))
        airport: str = bt.column("a", s, size=3, max_size=3)
        step: str = bt.column("st", s, size=6, max_size=12)

        of_piece = bt.query("piece", between="scanned_at")

    return FreightScan


@good("Ticket machine as it should be")
def thirtysixth_ticket_machine_as_it_should_be() -> object:
    class HelpText(bt.Model, table="HELP_TEXT", events="5000/day"):
        """A help text in up to 115 languages, an entry for each in one family. Machines read a text in the language of the traveller."""

        product: str = bt.key(bt.Text(max_length=12), cardinality=300)
        text: str = bt.key(bt.Text(max_length=40), cardinality=90_000)

        t = bt.family("t", gc=bt.max_versions(3))
        languages: dict[str, str] = bt.mapping(
            t, bt.Text(max_length=8), entries=115, size=300, max_size=5_000
        )

        of_product = bt.query("product")
        one = bt.query("product", "text")

    return HelpText
