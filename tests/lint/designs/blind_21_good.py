"""A twenty-first set of designs by people who had not read the rules: those that are as they should be."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import good

import btmodel as bt


@good("Setting change")
def twentyfirst_setting_change() -> object:
    class SettingChange(bt.Model, table="setting_change", events="300/day"):
        """Who changed what on a switch. The weekly review reads all changes of a week in their order; there are few of them. Kept for five years."""

        changed: datetime = bt.key(bt.EpochMillis(round=True))
        switch: str = bt.key(bt.Text(max_length=24), cardinality=1_800)

        c = bt.family("c", gc=bt.max_age(days=1830))
        setting: str = bt.column("se", c, size=20, max_size=80)
        before: str | None = bt.column("b", c, default=None, size=20, max_size=500)
        after: str | None = bt.column("a", c, default=None, size=20, max_size=500)

        of_time = bt.query(between="changed", span="7d")

    return SettingChange


@good("Cleared invoice")
def twentyfirst_cleared_invoice() -> object:
    class ClearedInvoice(bt.Model, table="cleared_invoice", events="1500/s"):
        """An invoice that was cleared. Numbers are given one after the other, as the law demands; they are stored with their last digit first.
        Everyone asks for one number, never for a range. Kept for ten years."""

        number: int = bt.key(bt.ReversedDigits(13), sequential=True)

        i = bt.family("i", gc=bt.max_age(days=3660))
        seller: str = bt.column("se", i, size=11, max_size=14)
        buyer: str = bt.column("bu", i, size=11, max_size=14)
        cents: int = bt.column("ce", i)

        of_number = bt.query("number")

    return ClearedInvoice


@good("Heartbeat")
def twentyfirst_heartbeat() -> object:
    class Heartbeat(bt.Model, table="heartbeat", events="40000/s", nodes=6):
        """A terminal is alive. In an outage the control room looks at what the terminals of the whole country
        sent in ten seconds, across the shards, some times a day. After three days it is of no use."""

        shard = bt.salt("terminal", "sent", buckets=12)
        sent: datetime = bt.key(bt.EpochMillis(round=True))
        terminal: str = bt.key(bt.HexDigest(10), cardinality=1_200_000)

        h = bt.family("h", gc=bt.max_age(days=3))
        battery: int = bt.column("ba", h)
        signal: int = bt.column("si", h)

        lately = bt.query(between="sent", span="10s")

    return Heartbeat


@good("Booked night")
def twentyfirst_booked_night() -> object:
    class BookedNight(bt.Model, table="booked_night", events="40/s"):
        """A room booked for one night, up to 400 nights ahead: writes come for all nights of the coming year, not for today's.
        The desk reads a night of its hotel. Deleted 800 days after it was booked, which is a year after the night at the earliest."""

        night: date = bt.key(bt.DateText("%Y%m%d"), sequential=False)
        hotel: str = bt.key(bt.Text(width=5), cardinality=2_300)
        booking: str = bt.key(bt.HexDigest(12), cardinality=60_000_000)

        b = bt.family("b", gc=bt.max_age(days=800))
        room_type: str = bt.column("rt", b, size=3, max_size=3)
        cents: int = bt.column("ce", b)

        of_hotel = bt.query("night", "hotel")

    return BookedNight


@good("Thermostat")
def twentyfirst_thermostat() -> object:
    class Thermostat(bt.Model, table="thermostat", events="60/s"):
        """What a thermostat is set to. The last setting counts for as long as nobody touches it, even for years; what was set before it can be seen for 30 days."""

        thermostat: str = bt.key(bt.HexDigest(12), cardinality=350_000)

        s = bt.family("s", gc=bt.max_versions(1) & bt.max_age(days=30))
        target: bt.History[float] = bt.history("tg", s, every="2h", round=True)

        of_thermostat = bt.query("thermostat")

    return Thermostat


@good("Locker code")
def twentyfirst_locker_code() -> object:
    class LockerCode(bt.Model, table="locker_code", events="30/s"):
        """The code that opens a compartment. It holds for 72 hours from when the parcel is laid in; the cells carry the end of that time,
        so the short age deletes nothing too early."""

        locker: str = bt.key(bt.Text(width=6), cardinality=12_000)
        compartment: int = bt.key(bt.PaddedInt(3), cardinality=200)
        until: datetime = bt.expires(round=True)

        c = bt.family("c", gc=bt.max_age(seconds=1))
        code: str = bt.column("co", c, size=6, max_size=6)
        parcel: str = bt.column("pa", c, size=14, max_size=20)

        of_compartment = bt.query("locker", "compartment")

    return LockerCode


@good("Rain day")
def twentyfirst_rain_day() -> object:
    class RainDay(bt.Model, table="rain_day", bucket="day", events="30/s"):
        """The rain at a gauge on one day, one value in five minutes: 288 a day. A gauge that repeats a value sends it with the same time,
        so it replaces itself. Twenty years are kept."""

        gauge: str = bt.key(bt.Text(width=6), cardinality=9_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        r = bt.family("r", gc=bt.max_versions(300) | bt.max_age(days=7305))
        millimetres: bt.History[float] = bt.history("mm", r, every="5min")

        of_gauge = bt.query("gauge", between="day")

    return RainDay


@good("Sniff day")
def twentyfirst_sniff_day() -> object:
    class SniffDay(bt.Model, table="sniff_day", bucket="day", events="900/min", lateness="4d"):
        """What the detector of a van smelled on a day. Vans send when they are back at the depot, which can take a long weekend.
        The age has room for that: the office plans with the last 90 days."""

        van: str = bt.key(bt.Text(width=5), cardinality=450)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        m = bt.family("m", gc=bt.max_age(days=100))
        methane: bt.History[float] = bt.history("ch4", m, every="30s")

        of_van = bt.query("van", between="day", span="30d")

    return SniffDay


@good("Tariff line")
def twentyfirst_tariff_line() -> object:
    class TariffLine(bt.Model, table="tariff_line", events="20/day"):
        """The duty on a kind of goods from a region. There are 16,000 lines, of a hundred bytes. Each pricing server reads all of them when it starts
        and once every night, and then answers from memory."""

        heading: str = bt.key(bt.Text(width=8), cardinality=5_000)
        region: str = bt.key(bt.Text(width=2), cardinality=4)

        t = bt.family("t", gc=bt.max_versions(1))
        percent: Decimal = bt.column("pc", t, size=4, max_size=8)
        since: date = bt.column("si", t)

        one = bt.query("heading", "region")
        everything = bt.query(scan="a pricing server loads the whole tariff, 16,000 short rows, once a night")

    return TariffLine


@good("Applause")
def twentyfirst_applause() -> object:
    class Applause(bt.Model, table="applause", events="20000/s", nodes=3):
        """How often viewers clapped. Each gateway takes one of 64 lanes by chance for each batch, so even the final of the cup, with 2,500 claps a second,
        adds about 40 a second to one row. The player reads the 64 lanes of a stream and adds them up. A stream's rows are deleted with the stream."""

        stream: str = bt.key(bt.HexDigest(12), cardinality=5_000)
        lane: int = bt.key(bt.PaddedInt(2), cardinality=64, sequential=False)

        a = bt.family("a", gc=bt.keep_all(), aggregate="sum")
        claps: int | None = bt.counter("n", a, increments="40/s")

        of_stream = bt.query("stream")

    return Applause


@good("Menu")
def twentyfirst_menu() -> object:
    class Menu(bt.Model, table="menu", events="2/s"):
        """The menu of a restaurant, and the nineteen before it, so that the owner can undo. It is one document, because it is shown and saved as a whole,
        a few times a week."""

        restaurant: UUID = bt.key(bt.UuidText(), cardinality=220_000)

        m = bt.family("m", gc=bt.max_versions(20))
        document: bt.History[bytes] = bt.history("d", m, size=12_000, max_size=100_000, round=True)

        of_restaurant = bt.query("restaurant")

    return Menu


@good("Door month")
def twentyfirst_door_month() -> object:
    class DoorMonth(bt.Model, table="door_month", events="350/s"):
        """The openings of a door in one month: a column for each, under its time, with the badge that opened it. Only one badge opens a door at a time.
        A busy door has 20,000 in a month. After 400 days they are deleted, as agreed with the works council."""

        door: str = bt.key(bt.HexDigest(8), cardinality=70_000)
        month: date = bt.key(bt.DateText("%Y%m"), changes=False)

        o = bt.family("o", gc=bt.max_age(days=400))
        openings: dict[datetime, int] = bt.mapping(o, bt.TimeBytes("millisecond", round=True), entries=20_000)

        of_door = bt.query("door", between="month")

    return DoorMonth


@good("Sheet")
def twentyfirst_sheet() -> object:
    class Sheet(bt.Model, table="sheet", events="15/s"):
        """What is written on a sheet. Lists of an expedition read only this table; the picture is in the other one."""

        expedition: str = bt.key(bt.Text(max_length=30), cardinality=14_000)
        sheet: str = bt.key(bt.HexDigest(12), cardinality=25_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        species: str = bt.column("sp", s, size=14, max_size=60)
        place: str | None = bt.column("pl", s, default=None, size=40, max_size=300)

        of_expedition = bt.query("expedition")

    class SheetPicture(bt.Model, table="sheet_picture", events="15/s"):
        """The picture of a sheet, at most six megabytes, read one at a time when a botanist opens it."""

        sheet: str = bt.key(bt.HexDigest(12), cardinality=25_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        jpeg: bytes = bt.column("j", p, size=2_500_000, max_size=6_000_000)

        of_sheet = bt.query("sheet")

    return Sheet, SheetPicture


@good("Energy wallet")
def twentyfirst_energy_wallet() -> object:
    class EnergyWallet(bt.Model, table="energy_wallet", events="150/s", atomic="household"):
        """The purses of a household, for light, heat and car. Moving money from one to the other changes both in one row, under a version that is compared first,
        so nothing is lost between them."""

        household: UUID = bt.key(bt.UuidText(), cardinality=1_500_000)

        w = bt.family("w", gc=bt.max_versions(1))
        version: int | None = bt.column("v", w, default=None)
        purses: dict[str, int] = bt.mapping(w, bt.Text(max_length=10), prefix="p:", entries=6)

        of_household = bt.query("household")

    return EnergyWallet


@good("Engine report")
def twentyfirst_engine_report() -> object:
    class EngineReport(bt.Model, table="engine_report", events="5000/s", nodes=3):
        """A report of an engine in flight. Three airlines have most of the fleet that we serve, but each has hundreds of aircraft, and no aircraft sends
        more than two reports a second. When a contract ends, the rows of that airline are deleted. Three months are kept."""

        airline: str = bt.key(bt.Text(width=3), cardinality=60, tenant=True, skew="50%:3")
        tail: str = bt.key(bt.Text(width=6), cardinality=4_200)
        engine: int = bt.key(bt.PaddedInt(1), cardinality=4, sequential=False)
        sent: datetime = bt.key(bt.EpochMillis(round=True))

        e = bt.family("e", gc=bt.max_age(days=92))
        egt: float = bt.column("egt", e)
        fuel: float = bt.column("ff", e)
        vibration: float = bt.column("vib", e)

        of_engine = bt.query("airline", "tail", "engine", between="sent", span="1h")

    return EngineReport


@good("Machine build")
def twentyfirst_machine_build() -> object:
    class MachineBuild(bt.Model, table="machine_build", events="15/day"):
        """A build of the software of a ticket machine. A version such as 3.12.0 is stored as 0003.0012.0000, so 3.9.1 comes before it. Machines ask for what came
        after their own."""

        line: str = bt.key(bt.Text(max_length=10), cardinality=25)
        version: tuple[int, ...] = bt.key(bt.Repeated(bt.PaddedInt(4), ".", least=3, most=3), changes=False)

        b = bt.family("b", gc=bt.max_versions(1))
        digest: bytes = bt.column("sha", b, size=32, max_size=32)
        url: str = bt.column("u", b, size=60, max_size=300)

        since = bt.query("line", between="version")

    return MachineBuild


@good("Reader preference")
def twentyfirst_reader_preference() -> object:
    class ReaderPreference(bt.Model, table="reader_preference", events="70/s"):
        """What a reader chose. The key is a random number from the sign-in service, which alone can say whose it is; the address for newsletters is a cell, and is
        deleted with the row when a reader asks for it."""

        reader_ref: UUID = bt.key(bt.UuidRaw(), cardinality=6_000_000, pii=False)

        p = bt.family("p", gc=bt.max_versions(1))
        email: str | None = bt.column("em", p, default=None, size=24, max_size=254)
        topics: set[str] = bt.members(p, bt.Text(max_length=16), prefix="t:", entries=40)
        dark: bool | None = bt.column("dk", p, default=None)

        of_reader = bt.query("reader_ref")

    return ReaderPreference


@good("Signed game")
def twentyfirst_signed_game() -> object:
    class Outcome(StrEnum):
        WHITE = "1-0"
        BLACK = "0-1"
        DRAW = "draw"

    class SignedGame(bt.Model, table="signed_game", events="3/s"):
        """A game whose result both players and the arbiter have signed. It is written once, after that, and no result is ever changed: an appeal
        makes another game. Statistics read the games of a season with one outcome."""

        league: str = bt.key(bt.Text(width=4), cardinality=600)
        season: int = bt.key(bt.PaddedInt(4), cardinality=30, changes=False)
        outcome: Outcome = bt.key(bt.EnumText(Outcome), changes=False)
        game: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        opening: str = bt.column("eco", g, size=3, max_size=3)
        moves: int = bt.column("mv", g)

        with_outcome = bt.query("league", "season", "outcome")

    return SignedGame


@good("Ambulance now")
def twentyfirst_ambulance_now() -> object:
    class AmbulanceNow(bt.Model, table="ambulance_now", events="800/s", lateness="20min"):
        """The last known place of an ambulance. In tunnels and valleys messages wait and come late and out of order; each brings the time that it was measured at,
        so an old one never hides a newer one."""

        vehicle: str = bt.key(bt.Text(width=7), cardinality=5_500)
        measured: datetime = bt.timestamp(round=True)

        n = bt.family("n", gc=bt.max_versions(1))
        latitude: float = bt.column("la", n)
        longitude: float = bt.column("lo", n)
        siren: bool = bt.column("si", n)

        of_vehicle = bt.query("vehicle")

    return AmbulanceNow


@good("Deal of trader")
def twentyfirst_deal_of_trader() -> object:
    class DealOfTrader(bt.Model, table="deal_of_trader", events="700/s"):
        """A deal in the book of a trader. Two years, then the archive has it."""

        desk: str = bt.key(bt.Text(width=6), cardinality=1_400)
        struck: datetime = bt.key(bt.EpochMillis(round=True))
        deal: str = bt.key(bt.HexDigest(12), cardinality=3_000_000_000)
        contract: str = bt.key(bt.Text(width=9), cardinality=9_000)

        d = bt.family("d", gc=bt.max_age(days=730))
        megawatts: int = bt.column("mw", d)
        cents: int = bt.column("ce", d)

        of_desk = bt.query("desk", between="struck")

    class DealOfContract(bt.Model, table="deal_of_contract", events="700/s"):
        """The same deals by contract, for the chart, which a trader must see at once after his own deal. They live as long as those of the other table."""

        contract: str = bt.key(bt.Text(width=9), cardinality=9_000)
        struck: datetime = bt.key(bt.EpochMillis(round=True))
        deal: str = bt.key(bt.HexDigest(12), cardinality=3_000_000_000)
        desk: str = bt.key(bt.Text(width=6), cardinality=1_400)

        d = bt.family("d", gc=bt.max_age(days=730))
        megawatts: int = bt.column("mw", d)
        cents: int = bt.column("ce", d)

        of_contract = bt.query("contract", between="struck")

    bt.twins(DealOfTrader, DealOfContract)

    return DealOfTrader, DealOfContract


@good("Shipment")
def twentyfirst_shipment() -> object:
    class Shipment(bt.Model, table="shipment", events="25/s"):
        """A shipment at the border. The scanner reads and writes it by its number."""

        shipment: str = bt.key(bt.HexDigest(14), cardinality=90_000_000)

        s = bt.family("s", gc=bt.max_age(days=1100))
        office: str = bt.column("of", s, codec=bt.AsInKey(bt.Text(width=5)), cardinality=140)
        verdict: str = bt.column("ve", s, size=4, max_size=8, cardinality=4)
        arrived: datetime = bt.column("ar", s)
        kilos: int = bt.column("kg", s)

    class HeldShipment(bt.Index, of=Shipment, view="HELD_SHIPMENT", where={"verdict": "held"}):
        """What an office holds, the newest first, for the wall display, which may be some minutes behind. An inspector who acts on a shipment opens the row of the table."""

        office: str = bt.key(bt.Text(width=5), cardinality=140)
        latest: datetime = bt.key(bt.ReversedMillis(), of="arrived")
        shipment: str = bt.covered()

        kilos: int = bt.covered()

        of_office = bt.query("office", between="latest")

    return Shipment, HeldShipment


@good("Loan")
def twentyfirst_loan() -> object:
    class Loan(bt.Model, table=bt.table("loan", change_stream="7d"), events="35/s"):
        """Where a copy is. A service follows the changes all day and tells the search which copies are free; if it is down for a weekend it goes on where it was, which
        seven days leave room for. The table holds the present state only."""

        copy_no: str = bt.key(bt.HexDigest(10), cardinality=3_500_000)

        c = bt.family("c", gc=bt.max_versions(1))
        branch: str = bt.column("br", c, size=3, max_size=3)
        due: date | None = bt.column("du", c, default=None)
        renewals: int | None = bt.column("rn", c, default=None)

        of_copy = bt.query("copy_no")

    return Loan
