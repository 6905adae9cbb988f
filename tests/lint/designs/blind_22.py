"""A twenty-second set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import bad

import btmodel as bt


@bad("Parcel label", "KEY002", says=("`bt.ReversedDigits(12)`",), verdict="error")
def twentysecond_parcel_label() -> object:
    class ParcelLabel(bt.Model, table="parcel_label", events="4000/s"):
        """One printed label, found by its number."""

        label_no: int = bt.key(bt.PaddedInt(12), cardinality=5_000_000_000, sequential=True)

        r = bt.family("r", gc=bt.max_versions(1))
        depot: str = bt.column("depot", r, size=6)
        weight_grams: int = bt.column("w", r)
        postcode: str = bt.column("pc", r, size=8)
        printed: datetime = bt.column("printed", r)

        by_number = bt.query("label_no")

    return ParcelLabel


@bad("Authorisation", "KEY001", says=("`{salt}#{business_day}#{merchant}#{auth}`",), verdict="error")
def twentysecond_authorisation() -> object:
    class Authorisation(bt.Model, table="card_auth", events="6000/s"):
        """An authorisation of a card payment; written when it happens."""

        business_day: date = bt.key(bt.DateText("%Y%m%d"))
        merchant: str = bt.key(bt.Text(width=10), cardinality=400_000)
        auth: str = bt.key(bt.HexDigest(12), cardinality=10_000_000_000)

        a = bt.family("a", gc=bt.max_age(days=180))
        amount: Decimal = bt.column("amt", a, size=7)
        currency: str = bt.column("cur", a, size=3)
        approved: bool = bt.column("ok", a)

        settle = bt.query("business_day")
        settle_merchant = bt.query("business_day", "merchant")

    return Authorisation


@bad("Tank", "ROW001", says=("`{tank}#{at}`",), verdict="error")
def twentysecond_tank() -> object:
    class Tank(bt.Model, table="tank", events="40/s"):
        """A tank and everything that was ever written down about it."""

        tank: str = bt.key(bt.HexDigest(10), cardinality=3_000)

        d = bt.family("d", gc=bt.max_versions(1))
        species: str = bt.column("species", d, size=40)
        litres: int = bt.column("litres", d)
        entries: list[dict[str, str]] = bt.column("entries", d, size=30_000_000, max_size=140_000_000)

        by_tank = bt.query("tank")

    return Tank


@bad("Translation job", "KEY021", says=("`{tenant}#{job}`",), verdict="warning")
def twentysecond_translation_job() -> object:
    class Status(StrEnum):
        NEW = "new"
        ASSIGNED = "assigned"
        REVIEW = "review"
        DELIVERED = "delivered"

    class TranslationJob(bt.Model, table="translation_job", events="50/s"):
        """A text to be translated, and how far it is."""

        tenant: str = bt.key(bt.Text(max_length=16), cardinality=900, tenant=True)
        status: Status = bt.key(bt.EnumText(Status))
        job: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)

        j = bt.family("j", gc=bt.max_versions(1))
        source_language: str = bt.column("src", j, size=5)
        target_language: str = bt.column("dst", j, size=5)
        words: int = bt.column("words", j)
        translator: str | None = bt.column("tr", j, size=16, default=None)

        worklist = bt.query("tenant", "status")

    return TranslationJob


@bad("Rider account", "FAM005", says=('bt.family("acc2", gc=bt.max_versions(1))',), verdict="error")
def twentysecond_rider_account() -> object:
    class RiderAccount(bt.Model, table="rider_account", events="80/s"):
        """A rider: the plan, the balance, and the code of the login that is under way."""

        rider: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)

        acc = bt.family("acc", gc=bt.max_age(minutes=10))
        plan: str = bt.column("plan", acc, size=12, keep=bt.max_versions(1))
        balance_cents: int = bt.column("balance", acc, keep=bt.max_versions(1))
        joined: date = bt.column("joined", acc, keep=bt.max_versions(1))
        login_code: str | None = bt.column("code", acc, size=6, default=None, keep=bt.max_age(minutes=10))

        by_rider = bt.query("rider")

    return RiderAccount


@bad("Song tally", "KEY013", says=("add up in memory",), verdict="warning")
def twentysecond_song_tally() -> object:
    class SongTally(bt.Model, table="song_tally", events="4000/s"):
        """How many votes a song has."""

        contest: str = bt.key(bt.Text(width=6), cardinality=1)
        song: str = bt.key(bt.Text(width=2), cardinality=14)

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("votes", t, increments="90000/min")

        of_contest = bt.query("contest")

    return SongTally


@bad("Booked seat", "ROW004", says=("one row for each `booking`",), verdict="warning")
def twentysecond_booked_seat() -> object:
    class BookedSeat(bt.Model, table="booked_seat", events="300/s", atomic="booking"):
        """One seat of a booking."""

        booking: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)
        seat: str = bt.key(bt.Text(width=4), cardinality=2_000)

        s = bt.family("s", gc=bt.max_versions(1))
        performance: str = bt.column("perf", s, size=12)
        price: Decimal = bt.column("price", s, size=6)
        concession: str | None = bt.column("conc", s, size=8, default=None)

        of_booking = bt.query("booking")

    return BookedSeat


@bad("Claim", "QRY005", says=("`{bank}#{state}#{claim}`",), verdict="warning")
def twentysecond_claim() -> object:
    class Claim(bt.Model, table="chargeback", events="40/s"):
        """A claim that a card holder made."""

        bank: str = bt.key(bt.Text(width=8), cardinality=20)
        claim: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        state: str = bt.column("state", c, size=10, cardinality=8)
        reason: str = bt.column("reason", c, size=60)
        amount: Decimal = bt.column("amount", c, size=7)

        open_claims = bt.query("bank", where=["state"])
        one = bt.query("bank", "claim")

    return Claim


@bad("Spare part", "QRY001", says=("`{part_no}#{maker}`",), verdict="error")
def twentysecond_spare_part() -> object:
    class SparePart(bt.Model, table="spare_part", events="20/s"):
        """A part in the catalogue of a maker."""

        maker: str = bt.key(bt.Text(max_length=12), cardinality=700)
        part_no: str = bt.key(bt.Text(max_length=24), cardinality=9_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        title: str = bt.column("title", p, size=50)
        list_price: Decimal = bt.column("price", p, size=7)
        replaces: str | None = bt.column("repl", p, size=24, default=None)

        of_maker = bt.query("maker")
        like = bt.query(starting="part_no")

    return SparePart


@bad("Series", "ROW002", says=("`{series}#{week}`",), verdict="error")
def twentysecond_series() -> object:
    class Series(bt.Model, table="greenhouse_series", events="3000/s"):
        """All points of a series such as humidity,house=12,bench=4."""

        series: str = bt.key(bt.Text(max_length=80), cardinality=30_000)

        pt = bt.family("pt", gc=bt.max_age(days=1825))
        value: bt.History[float] = bt.history("v", pt, every="10s")

        of_series = bt.query("series")

    return Series


@bad("Passage", "KEY017", says=("`{gate}#{passed_at}#{id}`",), verdict="error")
def twentysecond_passage() -> object:
    class Passage(bt.Model, table="passage", events="2000/s"):
        """Somebody went through a gate."""

        gate: str = bt.key(bt.Text(width=4), cardinality=40)
        passed_at: datetime = bt.key(bt.EpochSeconds(round=True))

        g = bt.family("g", gc=bt.max_age(days=90))
        ticket: str = bt.column("ticket", g, size=16)
        lane: int = bt.column("lane", g)

        of_gate = bt.query("gate", between="passed_at", span="1h")

    return Passage


@bad("Lift state", "ROW003", says=('bt.family("now", gc=bt.max_versions(1))',), verdict="warning")
def twentysecond_lift_state() -> object:
    class LiftState(bt.Model, table="lift_state", events="3000/s"):
        """The present floor, direction and load of a lift."""

        lift: str = bt.key(bt.HexDigest(12), cardinality=6_000)

        now = bt.family("now", gc=bt.keep_all())
        floor: int = bt.column("floor", now)
        direction: str = bt.column("dir", now, size=4)
        load_kg: int = bt.column("load", now)

        by_lift = bt.query("lift")

    return LiftState


@bad("Camera shot", "KEY001", says=("`{rest}#{taken}`, where `taken` is last",), verdict="error")
def twentysecond_camera_shot() -> object:
    class CameraShot(bt.Model, table="camera_shot", events="2500/s"):
        """A picture: where it is stored and what the classifier saw."""

        taken: datetime = bt.key(bt.TimeBytes("second", 4, round=True), ends=b"")
        rest: bytes = bt.key(bt.Bytes(width=8), cardinality=10_000_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        camera: str = bt.column("camera", s, size=12)
        path: str = bt.column("path", s, size=70)
        species: str | None = bt.column("species", s, size=20, default=None)

        by_id = bt.query("taken", "rest")

    return CameraShot


@bad("Trip", "KEY003", says=("`{salt}#{country}#{began}#{trip}`",), verdict="warning")
def twentysecond_trip() -> object:
    class Trip(bt.Model, table="trip", events="20000/s"):
        """A trip that began."""

        country: str = bt.key(bt.Text(width=2), cardinality=4)
        began: datetime = bt.key(bt.EpochMillis(round=True))
        trip: str = bt.key(bt.HexDigest(12), cardinality=5_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=60))
        driver: str = bt.column("driver", t, size=12)
        from_cell: str = bt.column("from", t, size=9)
        fare_cents: int | None = bt.column("fare", t, default=None)

        lately = bt.query("country", between="began", span="5min")

    return Trip


@bad("Turbine alarm", "KEY003", says=("`{salt}#{region}#{raised}#{turbine}`",), verdict="warning")
def twentysecond_turbine_alarm() -> object:
    class TurbineAlarm(bt.Model, table="turbine_alarm", events="24000/s"):
        """A message of a turbine's controller."""

        shard = bt.salt("region", buckets=16)
        region: str = bt.key(bt.Text(width=3), cardinality=4)
        raised: datetime = bt.key(bt.EpochMillis(round=True))
        turbine: str = bt.key(bt.HexDigest(8), cardinality=40_000)

        m = bt.family("m", gc=bt.max_age(days=30))
        code: int = bt.column("code", m)
        text: str = bt.column("text", m, size=60)

        of_region = bt.query("region", between="raised", span="10min")

    return TurbineAlarm


@bad("Comic page", "KEY007", "QRY001", says=("`bt.PaddedInt(5)`",), verdict="error")
def twentysecond_comic_page() -> object:
    class ComicPage(bt.Model, table="comic_page", events="5/s"):
        """A scanned page: where its picture is."""

        series: str = bt.key(bt.HexDigest(12), cardinality=40_000)
        issue: int = bt.key(bt.Int(5), cardinality=2_000)
        page: int = bt.key(bt.Int(3), cardinality=300)

        p = bt.family("p", gc=bt.max_versions(1))
        image: str = bt.column("img", p, size=60)
        width: int = bt.column("w", p)
        height: int = bt.column("h", p)

        issues = bt.query("series", between="issue")

    return ComicPage


@bad("Rain day", "KEY007", "QRY001", says=('bt.DateText("%Y.%m.%d")',), verdict="error")
def twentysecond_rain_day() -> object:
    class RainDay(bt.Model, table="rain_day", events="9000/day"):
        """The rain of a day at a station."""

        station: str = bt.key(bt.Text(width=6), cardinality=9_000)
        day: date = bt.key(bt.DateText("%d.%m.%Y"))

        r = bt.family("r", gc=bt.max_versions(1))
        millimetres: Decimal = bt.column("mm", r, size=4)
        remark: str | None = bt.column("remark", r, size=30, default=None)

        of_station = bt.query("station", between="day")

    return RainDay


@bad("Board card", "KEY021", says=("`{board}#{card}`",), verdict="warning")
def twentysecond_board_card() -> object:
    class BoardCard(bt.Model, table="board_card", events="600/s"):
        """A card: the one that was edited last comes first."""

        board: str = bt.key(bt.HexDigest(16), cardinality=800_000)
        updated_at: datetime = bt.key(bt.ReversedMillis(round=True), changes=True)
        card: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        title: str = bt.column("title", c, size=60)
        body: str | None = bt.column("body", c, size=800, max_size=20_000, default=None)
        assignee: str | None = bt.column("who", c, size=16, default=None)

        recent = bt.query("board", between="updated_at")

    return BoardCard


@bad("Vaccination", "KEY010", says=("`{person_id}#{given}#{vaccine}`",), verdict="warning")
def twentysecond_vaccination() -> object:
    class Vaccination(bt.Model, table="vaccination", events="150/s"):
        """A dose that a person was given."""

        insurance_no: str = bt.key(bt.Text(width=10), cardinality=70_000_000, pii=True)
        given: date = bt.key(bt.DateText("%Y%m%d"))
        vaccine: str = bt.key(bt.Text(max_length=12), cardinality=300)

        v = bt.family("v", gc=bt.max_versions(1))
        batch: str = bt.column("batch", v, size=10)
        practice: str = bt.column("practice", v, size=9)

        of_person = bt.query("insurance_no", between="given")

    return Vaccination


@bad("Charging station", "QRY005", says=("geohash",), verdict="warning")
def twentysecond_charging_station() -> object:
    class ChargingStation(bt.Model, table="charging_station", events="30/s"):
        """A station, by its place."""

        latitude: int = bt.key(bt.PaddedInt(6), cardinality=120_000, sequential=False)
        longitude: int = bt.key(bt.PaddedInt(6), cardinality=300_000, sequential=False)
        station: str = bt.key(bt.HexDigest(8), cardinality=6_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        kilowatts: int = bt.column("kw", s)
        operator: str = bt.column("op", s, size=20)

        in_box = bt.query(between="latitude", where=["longitude"])

    return ChargingStation


@bad("Bed day", "FAM006", says=("bt.max_versions(1_440)",), verdict="error")
def twentysecond_bed_day() -> object:
    class BedDay(bt.Model, table="bed_day", bucket="day", events="500/min"):
        """A day of a bed: the pulse, once a minute."""

        bed: str = bt.key(bt.HexDigest(8), cardinality=500)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        p = bt.family("p", gc=bt.max_versions(500))
        pulse: bt.History[int] = bt.history("pulse", p, every="1min")

        of_bed = bt.query("bed", between="day")

    return BedDay


@bad("Freight quote", "FAM010", says=("bt.expires(round=True)",), verdict="warning")
def twentysecond_freight_quote() -> object:
    class FreightQuote(bt.Model, table="freight_quote", events="900/s"):
        """A price for a shipment, until it expires."""

        shipper: str = bt.key(bt.HexDigest(12), cardinality=50_000)
        quote: str = bt.key(bt.HexDigest(16), cardinality=2_000_000_000)

        q = bt.family("q", gc=bt.max_versions(1))
        price: Decimal = bt.column("price", q, size=8)
        lane: str = bt.column("lane", q, size=14)
        expires_at: int = bt.column("ttl", q)

        of_shipper = bt.query("shipper")

    return FreightQuote
