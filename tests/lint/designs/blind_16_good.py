"""A sixteenth set of designs by people who had not read the rules: those that are as they should be."""

from datetime import date, datetime
from decimal import Decimal

from published import good

import btmodel as bt


@good("Departure")
def sixteenth_departure() -> object:
    class Departure(bt.Model, table="departure_board", events="9000/day"):
        """The timetable of an airline. Loaded once a night for the day after; the crew app lists a day."""

        day: date = bt.key(bt.DateText())
        flight: str = bt.key(bt.Text(max_length=8), cardinality=2_400)

        f = bt.family("f", gc=bt.max_age(days=400))
        origin: str = bt.column("o", f)
        destination: str = bt.column("d", f)

        on_day = bt.query("day")

    return Departure


@good("Parcel")
def sixteenth_parcel() -> object:
    class Parcel(bt.Model, table="land_parcel", events="200/day"):
        """Parcels of the land register. `state` is the federal state (16), which a parcel never leaves."""

        state: str = bt.key(bt.Text(width=2), cardinality=16, changes=False)
        district: str = bt.key(bt.Text(max_length=24), cardinality=11_000)
        parcel: int = bt.key(bt.PaddedInt(7), cardinality=6_000_000, sequential=False)

        p = bt.family("p", gc=bt.max_versions(1))
        square_metres: int = bt.column("m2", p)
        use: str = bt.column("use", p)

        of_district = bt.query("state", "district")

    return Parcel


@good("Audit entry")
def sixteenth_audit_entry() -> object:
    class AuditEntry(bt.Model, table="audit", events="4/s"):
        """Who changed which setting. The security page shows the newest fifty of everybody."""

        at: datetime = bt.key(bt.ReversedMicros())
        node: int = bt.key(bt.PaddedInt(3), cardinality=12, sequential=False)

        a = bt.family("a", gc=bt.max_age(days=3 * 365))
        actor: str = bt.column("who", a)
        setting: str = bt.column("set", a)

        newest = bt.query(between="at", newest=True)

    return AuditEntry


@good("Ledger line")
def sixteenth_ledger_line() -> object:
    class LedgerLine(bt.Model, table="ledger", events="80/s"):
        """Booked lines are never changed and, by law, never deleted: archived abroad after 30 years by hand."""

        account: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)
        booked: date = bt.key(bt.DateText())
        line: str = bt.key(bt.HexDigest(16), cardinality=9_000_000_000)

        b = bt.family("b", gc=bt.keep_all())
        amount: Decimal = bt.column("amt", b)
        text: str = bt.column("txt", b, max_size=140)

        of_account = bt.query("account", between="booked")

    return LedgerLine


@good("Contact")
def sixteenth_contact() -> object:
    class Contact(bt.Model, table="contact", events="50/s"):
        """Address book. `numbers` has five at most (the form has five lines)."""

        owner: str = bt.key(bt.HexDigest(12), cardinality=20_000_000)
        contact: str = bt.key(bt.HexDigest(8), cardinality=2_000_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        label: str = bt.column("l", c, max_size=80)
        numbers: list[str] = bt.column("n", c, max_size=150)

        of_owner = bt.query("owner")

    return Contact


@good("Thumbnail")
def sixteenth_thumbnail() -> object:
    class Thumbnail(bt.Model, table="scene_preview", events="15000/day"):
        """Previews of satellite scenes, JPEG of 2 MB and in rare cases 7. The full scene is in Cloud Storage, under `uri`."""

        tile: str = bt.key(bt.Text(width=5), cardinality=56_000)
        scene: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        uri: str = bt.column("uri", m)
        i = bt.family("i", gc=bt.max_versions(1))
        jpeg: bytes = bt.column("jpg", i, size=2_000_000, max_size=7_000_000)

        uris = bt.query("tile", only=["uri"])

    return Thumbnail


@good("Subscriber")
def sixteenth_subscriber() -> object:
    class Subscriber(bt.Model, table="subscriber", events="400/s"):
        """One row a line; each family has its own lifetime."""

        line: str = bt.key(bt.HexDigest(12), cardinality=60_000_000)

        contract = bt.family("c", gc=bt.max_versions(1))
        usage = bt.family("u", gc=bt.max_age(days=45))
        location = bt.family("l", gc=bt.max_age(days=1) | bt.max_versions(1))
        consent = bt.family("k", gc=bt.max_versions(20))
        tariff: str = bt.column("tariff", contract)
        megabytes: bt.History[int] = bt.history("mb", usage, every="1day")
        cell: str | None = bt.column("cell", location, default=None)
        marketing: bt.History[bool] = bt.history("mk", consent, every="180days")

        of_line = bt.query("line")

    return Subscriber


@good("Invite")
def sixteenth_invite() -> object:
    class Invite(bt.Model, table="invite", events="15/s"):
        id = bt.digest("code")
        code: str | None = bt.key(bt.Text(max_length=40), stored=False, cardinality=3_000_000)

        i = bt.family("i", gc=bt.max_age(days=30))
        team: str = bt.column("t", i)
        role: str = bt.column("r", i)

        of_code = bt.query("code")

    return Invite


@good("Bid")
def sixteenth_bid() -> object:
    class Bid(bt.Model, table="bid_log", events="70000/s"):
        """Every bid response. The fraud job reads five minutes of all exchanges at a time, once per five minutes."""

        shard = bt.salt("bid", buckets=24)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        bid: str = bt.key(bt.HexDigest(16), cardinality=900_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=3))
        cents: int = bt.column("c", b)
        buyer: str = bt.column("by", b)

        during = bt.query(between="at", span="5min")

    return Bid


@good("Trade")
def sixteenth_trade() -> object:
    class Trade(bt.Model, table="trade", events="25000/s"):
        """Prints of the tape; several per second and symbol, told apart by the exchange's match number."""

        symbol: str = bt.key(bt.Text(width=6), cardinality=11_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        match_no: int = bt.key(bt.PaddedInt(12), cardinality=9_000_000_000, sequential=True)

        t = bt.family("t", gc=bt.max_age(days=30))
        price: int = bt.column("p", t)
        shares: int = bt.column("q", t)

        of_symbol = bt.query("symbol", between="at", span="1h")

    return Trade


@good("Turbine minute")
def sixteenth_turbine_minute() -> object:
    class TurbineMinute(bt.Model, table="turbine", events="8000/min"):
        """A mean per minute and turbine, written by its controller (one each); a repeated send writes the same again. Kept for the life of the wind farm."""

        turbine: str = bt.key(bt.Text(width=8), cardinality=8_000)
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M"))

        w = bt.family("w", gc=bt.max_versions(1))
        kilowatts: float = bt.column("kw", w)
        wind: float = bt.column("ws", w)

        of_turbine = bt.query("turbine", between="minute", span="1day")

    return TurbineMinute


@good("Booking")
def sixteenth_booking() -> object:
    class Booking(bt.Model, table="booking", events="3000/s"):
        """Bookings, by the number of the reservation system, which counts up by one. Always looked up by the whole number."""

        number: int = bt.key(bt.ReversedDigits(12), cardinality=4_000_000_000, sequential=True)

        b = bt.family("b", gc=bt.max_versions(1))
        fare: str = bt.column("fare", b)
        seats: int = bt.column("seats", b)

        of_number = bt.query("number")

    return Booking


@good("Loan copy")
def sixteenth_loan_copy() -> object:
    class LoanCopy(bt.Model, table="library_copy", events="6000/day"):
        """Copies of a city library by accession number (a counter since 1911), and who has each now."""

        accession: int = bt.key(bt.PaddedInt(8), cardinality=2_600_000, sequential=True)

        c = bt.family("c", gc=bt.max_versions(1))
        shelf: str = bt.column("shelf", c)
        due: str | None = bt.column("due", c, default=None)

        between_numbers = bt.query(between="accession")

    return LoanCopy


@good("Reader")
def sixteenth_reader() -> object:
    class Reader(bt.Model, table="newsletter_reader", events="20/s"):
        """Found by the whole address only; support pastes it."""

        reader = bt.digest("email")

        r = bt.family("r", gc=bt.max_versions(1))
        email: str = bt.column("email", r, cardinality=4_000_000)
        lists: set[str] = bt.members(r, bt.Text(max_length=20), prefix="l:", entries=40)

        of_email = bt.query("email")

    return Reader


@good("Heart day")
def sixteenth_heart_day() -> object:
    class HeartDay(bt.Model, table="heart_day", bucket="day", events="500000/s"):
        """Pulse of a wearable, one sample a minute, 1,440 a day; kept 60 days."""

        device: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)
        day: date = bt.key(bt.DateText())

        h = bt.family("h", gc=bt.max_age(days=60))
        pulse: bt.History[int] = bt.history("p", h, every="1min")

        of_device = bt.query("device", between="day")

    return HeartDay


@good("Settlement")
def sixteenth_settlement() -> object:
    class Settlement(bt.Model, table="settlement_{region}", events="300/s"):
        """Settlements. Three regions, eu, us and apac, whose regulators ask for tables (and backups) of their own."""

        merchant: str = bt.key(bt.HexDigest(10), cardinality=500_000)
        batch: str = bt.key(bt.HexDigest(16), cardinality=900_000_000)

        s = bt.family("s", gc=bt.max_age(days=3650))
        amount: Decimal = bt.column("amt", s)

        of_merchant = bt.query("merchant")

    return Settlement


@good("Seat hold")
def sixteenth_seat_hold() -> object:
    class SeatHold(bt.Model, table="seat_hold", events="700/s"):
        """A seat in somebody's basket, for eight minutes."""

        show: str = bt.key(bt.HexDigest(8), cardinality=40_000)
        seat: str = bt.key(bt.Text(max_length=6), cardinality=2_000)
        until: datetime = bt.expires(round=True)

        h = bt.family("h", gc=bt.max_age(seconds=1))
        basket: str = bt.column("b", h)

        of_show = bt.query("show")

    return SeatHold


@good("Video")
def sixteenth_video() -> object:
    class Video(bt.Model, table="video_likes", events="9000/s"):
        """Likes and plays of a clip: sums that only ever get added to, per day for 90 days and for ever."""

        clip: str = bt.key(bt.HexDigest(12), cardinality=80_000_000)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        d = bt.family("d", gc=bt.max_age(days=90), aggregate="sum")
        likes: int | None = bt.counter("likes", n, increments="200/min")
        plays: bt.History[int] = bt.counter("plays", d, every="1day")

        m = bt.family("m", gc=bt.max_versions(1))
        caption: str | None = bt.column("cap", m, default=None)

        of_clip = bt.query("clip")

    return Video


@good("Consignment")
def sixteenth_consignment() -> object:
    class Consignment(bt.Model, table="consignment", events="30/s"):
        """Consignments by their random id."""

        id: str = bt.key(bt.HexDigest(16), cardinality=80_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        shipper: str = bt.column("shp", c, cardinality=90_000)
        accepted: datetime = bt.column("acc", c)
        kilos: int = bt.column("kg", c)

    class ConsignmentOfShipper(bt.Index, of=Consignment, view="consignment_of_shipper"):
        """The portal: a shipper's consignments, newest first. A minute late is fine."""

        shipper: str = bt.key(bt.Text(max_length=20))
        newest: datetime = bt.key(bt.ReversedMillis(), of="accepted")
        id: str = bt.covered()
        kilos: int = bt.covered()

        of_shipper = bt.query("shipper", between="newest")

    return Consignment, ConsignmentOfShipper


@good("Contract")
def sixteenth_contract() -> object:
    class Contract(bt.Model, table="token_transfer", events="500/s"):
        """Transfers of a blockchain token. An address here is that of a smart contract, not of a person."""

        contract_address: bytes = bt.key(bt.Hex(20), cardinality=900_000, pii=False)
        block: int = bt.key(bt.PaddedInt(10), cardinality=30_000_000)
        log_index: int = bt.key(bt.PaddedInt(5), cardinality=2_000)

        t = bt.family("t", gc=bt.max_versions(1))
        amount: str = bt.column("a", t)
        token_name: str = bt.column("n", t)

        of_contract = bt.query("contract_address", between="block")

    return Contract


@good("Parish entry")
def sixteenth_parish_entry() -> object:
    class ParishEntry(bt.Model, table="parish_register", events="900/day"):
        """Baptisms, marriages and burials as volunteers transcribe them, in no order of years: 1560 to 1875.

        The last five transcripts of an entry stay, so that a correction can be undone. The only list that is asked for is that of a day of history, over all parishes.
        """

        day: date = bt.key(bt.DateText("%Y%m%d"), sequential=False)
        parish: int = bt.key(bt.PaddedInt(5), cardinality=11_000, sequential=False)
        folio: str = bt.key(bt.Text(max_length=12), cardinality=4_000_000)

        e = bt.family("e", gc=bt.max_versions(5))
        transcript: str = bt.column("t", e, max_size=4_000)

        on_day = bt.query(between="day")

    return ParishEntry


@good("Feature flag")
def sixteenth_feature_flag() -> object:
    class FeatureFlag(bt.Model, table="flag", events="10/day"):
        flag: str = bt.key(bt.Text(max_length=60), cardinality=250)

        f = bt.family("f", gc=bt.max_versions(1))
        percent: int = bt.column("pct", f)
        changed_by: str = bt.column("by", f)

        everything = bt.query(scan="each server loads all 250 flags when it starts")

    return FeatureFlag
