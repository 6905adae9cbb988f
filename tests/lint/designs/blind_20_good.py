"""A twentieth set of designs by people who had not read the rules: those that are as they should be."""

import hashlib
import hmac
import os
from datetime import date, datetime
from enum import StrEnum

from published import good

import btmodel as bt


@good("Zone tariff")
def twentieth_zone_tariff() -> object:
    class ZoneTariff(bt.Model, table="zone_tariff", events="18000/day"):
        """The tariff of a grid zone for a day. One job writes all zones of the next day, and billing reads a whole day."""

        delivery: date = bt.key(bt.DateText())
        zone: str = bt.key(bt.Text(width=8), cardinality=18_000)

        t = bt.family("t", gc=bt.max_age(days=1_100))
        per_mwh: int = bt.column("mwh", t)
        peak_per_mwh: int = bt.column("peak", t)

        of_day = bt.query("delivery")
        one = bt.query("delivery", "zone")

    return ZoneTariff


@good("Building permit")
def twentieth_building_permit() -> object:
    class Permit(bt.Model, table="building_permit", events="120/day"):
        """A permit of the building office. Numbers are given one after the other, about a hundred a day; kept for good."""

        number: int = bt.key(bt.PaddedInt(9), cardinality=2_000_000, sequential=True)

        p = bt.family("p", gc=bt.max_versions(1))
        parcel: str = bt.column("parcel", p, size=18, max_size=40)
        granted: date = bt.column("granted", p)
        purpose: str = bt.column("purpose", p, size=90, max_size=1_000)

        one = bt.query("number")
        since = bt.query(between="number")

    return Permit


@good("Consignment")
def twentieth_consignment() -> object:
    class Consignment(bt.Model, table="consignment", events="20000/s"):
        """The latest scan of a parcel. Labels have running numbers, so a hash of the number leads; nobody asks for a range of numbers."""

        spread = bt.digest("label", size=6)
        label: int = bt.key(bt.PaddedInt(12), cardinality=900_000_000, sequential=True)

        c = bt.family("c", gc=bt.max_versions(1) | bt.max_age(days=200))
        depot: str = bt.column("depot", c, size=6, max_size=6)
        scanned: datetime = bt.column("scanned", c)
        grams: int | None = bt.column("g", c, default=None)

        one = bt.query("label")

    return Consignment


@good("Print job")
def twentieth_print_job() -> object:
    class PrintJob(bt.Model, table="print_job", events="9000/s"):
        """A print job. A printer fetches it by its number alone."""

        job: int = bt.key(bt.ReversedDigits(12), cardinality=5_000_000_000, sequential=True)

        j = bt.family("j", gc=bt.max_age(days=7))
        pages: int = bt.column("pages", j)
        options: dict[str, str] = bt.column("opt", j, size=150, max_size=3_000)
        document: str = bt.column("doc", j, size=90, max_size=500)

        one = bt.query("job")

    return PrintJob


@good("Hall plan")
def twentieth_hall_plan() -> object:
    class Hall(bt.Model, table="hall_plan", events="60/s"):
        """A performance and its seats, 24,000 in the largest arena. The box office shows the whole plan, and sells a seat with a write that requires it to be free."""

        venue: str = bt.key(bt.Text(max_length=16), cardinality=900)
        evening: date = bt.key(bt.DateText(), sequential=False)
        performance: int = bt.key(bt.PaddedInt(2), cardinality=4, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        seats: dict[str, str] = bt.mapping(s, bt.Text(max_length=10), entries=24_000, size=16, max_size=16)

        plan = bt.query("venue", "evening", "performance")

    return Hall


@good("Deed register")
def twentieth_deed_register() -> object:
    class Deed(bt.Model, table="deed_register", events="15000/day"):
        """The fingerprint of a deed, written once with `put_if_absent`, and kept by law."""

        fingerprint: str = bt.key(bt.HexDigest(64), cardinality=200_000_000)

        d = bt.family("d", gc=bt.keep_all())
        chamber: int = bt.column("chamber", d)
        entered: datetime = bt.column("entered", d)
        signature: bytes = bt.column("sig", d, size=72, max_size=72)

        one = bt.query("fingerprint")

    return Deed


@good("Door code")
def twentieth_door_code() -> object:
    class DoorCode(bt.Model, table="door_code", events="400/s"):
        """A code for a door that a guest asked for. It ends at `until`: reads leave it out from then on, and the service removes it."""

        lock: str = bt.key(bt.HexDigest(16), cardinality=1_500_000)
        until: datetime = bt.expires(round=True)

        c = bt.family("c", gc=bt.max_age(seconds=1))
        code: str = bt.column("code", c, size=8, max_size=8)
        tries_left: int = bt.column("left", c)

        of_lock = bt.query("lock")

    return DoorCode


@good("Bid stream")
def twentieth_bid_stream() -> object:
    class Bid(bt.Model, table="bid_stream", events="24000/s", nodes=8):
        """A bid. Only the fraud job reads this table: eight ranges every five minutes, one for each salt, merged by time."""

        lane = bt.salt("bid", buckets=8)
        placed: datetime = bt.key(bt.EpochMillis(round=True))
        bid: str = bt.key(bt.HexDigest(32), cardinality=10_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=10))
        lot: str = bt.column("lot", b, size=12, max_size=20)
        bidder: str = bt.column("bidder", b, size=16, max_size=16)
        cents: int = bt.column("cents", b)

        window = bt.query(between="placed", span="5min")

    return Bid


@good("Field track")
def twentieth_field_track() -> object:
    class Machine(StrEnum):
        TRACTOR = "tractor"
        COMBINE = "combine"
        SPRAYER = "sprayer"

    class FieldTrack(bt.Model, table="field_track", events="15000/s"):
        """A report of a farm machine, every ten seconds. The sort leads, and the chassis behind it spreads the writes."""

        sort: Machine = bt.key(bt.EnumText(Machine), cardinality=3)
        chassis: str = bt.key(bt.Text(width=17), cardinality=150_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        t = bt.family("t", gc=bt.max_age(days=730))
        latitude: float = bt.column("lat", t)
        longitude: float = bt.column("lon", t)
        litres_per_hour: float = bt.column("lph", t, codec=bt.FloatBytes(4, round=True))

        track = bt.query("sort", "chassis", between="at", span="1day")

    return FieldTrack


@good("Volcano bulletin")
def twentieth_volcano_bulletin() -> object:
    class Bulletin(bt.Model, table="volcano_bulletin", events="250/day"):
        """A bulletin of an observatory. The front page shows the newest twenty of all; there are ten in an hour at most."""

        issued: datetime = bt.key(bt.ReversedSeconds(round=True))
        volcano: str = bt.key(bt.Text(max_length=24), cardinality=1_400)

        b = bt.family("b", gc=bt.max_versions(1))
        level: int = bt.column("level", b, codec=bt.IntBytes(1))
        text: str = bt.column("text", b, size=900, max_size=9_000)

        lately = bt.query(between="issued", span="1day")

    return Bulletin


@good("Charging point day")
def twentieth_charging_point_day() -> object:
    class PointDay(bt.Model, table="charge_point_day", bucket="day", events="1300/s", lateness="3d"):
        """The day of a charging point. Points without a signal send up to three days later; complaints arrive within 60 days."""

        point: str = bt.key(bt.Text(width=9), cardinality=80_000)
        day: date = bt.key(bt.DateText())

        c = bt.family("c", gc=bt.max_age(days=75))
        milliamperes: bt.History[int] = bt.history("ma", c, every="1min", codec=bt.IntBytes(4), round=True)

        of_point = bt.query("point", between="day", span="60day")

    return PointDay


@good("Closed sample")
def twentieth_closed_sample() -> object:
    class Grade(StrEnum):
        FIT = "fit"
        UNFIT = "unfit"
        HARMFUL = "harmful"

    class ClosedSample(bt.Model, table="closed_sample", events="9000/day"):
        """A sample of food, written once when its report is signed. An inspector asks for the harmful samples of a plant."""

        plant: str = bt.key(bt.Text(max_length=14), cardinality=22_000)
        status: Grade = bt.key(bt.EnumText(Grade), cardinality=3, changes=False)
        signed: date = bt.key(bt.DateText())
        sample: str = bt.key(bt.Text(width=11), cardinality=30_000_000)

        s = bt.family("s", gc=bt.max_age(days=3_650))
        germs: int = bt.column("cfu", s)
        matrix: str = bt.column("matrix", s, size=20, max_size=80)

        of_plant = bt.query("plant", "status", between="signed", span="365day")

    return ClosedSample


@good("Lift malfunction")
def twentieth_lift_malfunction() -> object:
    class Malfunction(bt.Model, table="lift_malfunction", events="900/day"):
        """A malfunction of a cable car, as the controller reports it."""

        lift: str = bt.key(bt.Text(max_length=18), cardinality=64, skew="92%:1")
        at: datetime = bt.key(bt.EpochMillis(round=True))

        m = bt.family("m", gc=bt.max_age(days=2_000))
        error: int = bt.column("error", m)
        detail: str | None = bt.column("detail", m, size=60, max_size=600, default=None)

        of_lift = bt.query("lift", between="at", span="30day")

    return Malfunction


@good("Fountain")
def twentieth_fountain() -> object:
    class Fountain(bt.Model, table="fountain_use", events="50/s"):
        """A public fountain. Each filling adds to its hour; a number is in the cell of its hour, and goes 400 days later."""

        fountain: str = bt.key(bt.Text(width=8), cardinality=6_500)

        h = bt.family("h", gc=bt.max_age(days=400), aggregate="sum")
        millilitres: bt.History[int] = bt.counter("ml", h, every="1h", increments="2/min")
        fillings: bt.History[int] = bt.counter("n", h, every="1h", increments="2/min")

        one = bt.query("fountain")

    return Fountain


@good("Appeal sum")
def twentieth_appeal_sum() -> object:
    class AppealShare(bt.Model, table="appeal_sum", events="6000/s"):
        """One of 128 parts of the sum of an appeal; a donation adds to the part that its receipt hashes to. The screen reads 128 rows every two seconds."""

        appeal: str = bt.key(bt.Text(max_length=12), cardinality=40)
        part: int = bt.key(bt.PaddedInt(3), cardinality=128, sequential=False)

        a = bt.family("a", gc=bt.keep_all(), aggregate="sum")
        cents: int | None = bt.counter("cents", a, increments="47/s")
        gifts: int | None = bt.counter("gifts", a, increments="47/s")

        of_appeal = bt.query("appeal")

    return AppealShare


@good("Loans of a card")
def twentieth_loans_of_a_card() -> object:
    class Loan(bt.Model, table="loan", events="35/s"):
        """A loan, written when the book leaves the building."""

        loan: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        f = bt.family("f", gc=bt.max_age(days=400))
        card: str = bt.column("card", f, codec=bt.AsInKey(bt.HexDigest(16)), cardinality=800_000)
        lent: datetime = bt.column("lent", f)
        volume: int = bt.column("volume", f)

        one = bt.query("loan")

    class LoanOfCard(bt.Index, of=Loan, view="LOAN_OF_CARD"):
        """The loans of a card, the newest first."""

        card: str = bt.key(bt.HexDigest(16), cardinality=800_000)
        lent: datetime = bt.key(bt.ReversedMillis())
        loan: str = bt.covered()

        volume: int = bt.covered()

        of_card = bt.query("card", between="lent")

    return Loan, LoanOfCard


@good("Bath day")
def twentieth_bath_day() -> object:
    class Entry(bt.Model, table="bath_entry", events="40/s"):
        """A person through a turnstile, kept for 500 days."""

        bath: str = bt.key(bt.Text(width=5), cardinality=700)
        turnstile: int = bt.key(bt.PaddedInt(2), cardinality=30, sequential=False)
        passed: datetime = bt.key(bt.EpochMillis(round=True))

        e = bt.family("e", gc=bt.max_age(days=500))
        ticket: str = bt.column("ticket", e, size=12, max_size=20)

        of_turnstile = bt.query("bath", "turnstile", between="passed", span="1day")

    class BathDay(bt.Rollup, of=Entry, view="BATH_DAY"):
        """Entries of a bath on a day; compared with the same day of last year."""

        bath: str = bt.key(bt.Text(width=5), cardinality=700)
        day: date = bt.key(bt.DateText(), of="passed")

        entries: int = bt.count()

        of_bath = bt.query("bath", between="day")

    return Entry, BathDay


@good("Ballot")
def twentieth_ballot() -> object:
    class Ballot(bt.Model, table="ballots_{year}", events="200000/day"):
        """A shareholder's vote on one item of an agenda. There are never more than eleven of these tables; the oldest is dropped when the law allows it."""

        issuer: str = bt.key(bt.Text(width=12), cardinality=3_000)
        item: int = bt.key(bt.PaddedInt(3), cardinality=200, sequential=False)
        proxy: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)

        v = bt.family("v", gc=bt.max_versions(1))
        shares: int = bt.column("shares", v)
        cast: datetime = bt.column("cast", v)

        of_item = bt.query("issuer", "item")
        one = bt.query("issuer", "item", "proxy")

    return Ballot


@good("Ferry fare")
def twentieth_ferry_fare() -> object:
    class Fare(bt.Model, table="ferry_fare", events="30/day"):
        """The fare of a route for one kind of passenger."""

        route: str = bt.key(bt.Text(width=6), cardinality=60)
        passenger: str = bt.key(bt.Text(max_length=10), cardinality=5)

        f = bt.family("f", gc=bt.max_versions(3))
        cents: int = bt.column("cents", f)
        luggage_cents: int = bt.column("bag", f)

        of_route = bt.query("route")
        everything = bt.query(
            scan="a machine loads the whole list, about three hundred rows, at three in the night"
        )

    return Fare


@good("Suppressed address")
def twentieth_suppressed_address() -> object:
    def keyed(email: str) -> str:
        secret = os.environ.get("SUPPRESSION_SECRET", "").encode()
        return hmac.new(secret, email.casefold().encode(), hashlib.sha256).hexdigest()[:32]

    class Suppressed(bt.Model, table="suppressed", events="4/s"):
        """An address that unsubscribed. The address itself is stored nowhere; a sender asks for one at a time."""

        mac = bt.derived(bt.HexDigest(32), "email", by=keyed)
        email: str | None = bt.key(bt.Text(max_length=254), stored=False, cardinality=8_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        since: datetime = bt.column("since", s)

        one = bt.query("email")

    return Suppressed


@good("Blood fridge")
def twentieth_blood_fridge() -> object:
    class Fridge(bt.Model, table="blood_fridge", events="25/s", atomic="fridge"):
        """A fridge of a ward with up to 300 bags of blood, and the revision that an edit must have read. All is in one row, so the bags of an operation are promised in one write."""

        fridge: str = bt.key(bt.HexDigest(16), cardinality=40_000)

        b = bt.family("b", gc=bt.max_versions(1))
        bags: dict[str, str] = bt.mapping(
            b, bt.Text(max_length=13), entries=300, size=11, max_size=11, prefix="bag:"
        )
        revision: int = bt.column("rev", b)
        counted: datetime | None = bt.column("counted", b, default=None)

        one = bt.query("fridge")

    return Fridge


@good("Parking bay")
def twentieth_parking_bay() -> object:
    class Bay(bt.Model, table="parking_bay", events="3000/s"):
        """A parking bay now. Sensors never move; an app asks for the squares around a driver, each a prefix of the geohash."""

        square: str = bt.key(bt.Text(width=8), cardinality=350_000)
        sensor: str = bt.key(bt.HexDigest(12), cardinality=1_800_000)

        o = bt.family("o", gc=bt.max_versions(1))
        taken: bool = bt.column("taken", o)
        since: datetime = bt.column("since", o)

        around = bt.query(starting="square")
        one = bt.query("square", "sensor")

    return Bay
