"""The good designs of a fifteenth set by people who had not read the rules."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import good

import btmodel as bt


@good("Annual accounts that companies hand in at the register")
def fifteenth_filings() -> object:
    class Filing(bt.Model, table="FILING", events="40/day"):
        """A set of accounts. Clerks work through a month's filings, all companies together."""

        month: date = bt.key(bt.DateText("%Y%m"))
        company: str = bt.key(bt.Text(width=8), cardinality=9_000)
        number: int = bt.key(bt.PaddedInt(2), cardinality=20)

        f = bt.family("f", gc=bt.keep_all())
        turnover: int | None = bt.column("t", f, default=None)
        auditor: str | None = bt.column("a", f, default=None, max_size=80)

        of_month = bt.query("month")

    return Filing


@good("Codes that we text to a phone")
def fifteenth_passcodes() -> object:
    class Passcode(bt.Model, table="PASSCODE", events="300/s"):
        """A code of six digits. Five minutes after it was sent it is void, and a read must not find it any more."""

        who = bt.digest("number", size=16)
        number: str | None = bt.key(bt.Text(max_length=16), stored=False, cardinality=20_000_000)

        c = bt.family("c", gc=bt.max_age(minutes=5) | bt.max_versions(1))
        code: str = bt.column("c", c, max_size=6)
        language: str = bt.column("l", c, max_size=5)

    return Passcode


@good("Chunks of a backup, found by their hashes")
def fifteenth_chunks() -> object:
    class Chunk(bt.Model, table="chunks", events="1100/s"):
        """In which container of the backup a chunk lies, by what is in it."""

        sha256: str = bt.key(bt.HexDigest(64), cardinality=400_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        container: str = bt.column("c", b, max_size=24)
        offset: int = bt.column("o", b)

    return Chunk


@good("Statements of accounts")
def fifteenth_entries() -> object:
    class Entry(bt.Model, table="LEDGER", events="3500/s"):
        """A movement on an account. The supervisor demands that each is there for as long as the bank is, so nothing ever goes away."""

        account: str = bt.key(bt.HexDigest(10), cardinality=2_600_000)
        booked: datetime = bt.key(bt.ReversedMillis())
        id: UUID = bt.key(bt.UuidRaw())

        e = bt.family("e", gc=bt.keep_all())
        amount: Decimal = bt.column("a", e, max_size=20)
        purpose: str | None = bt.column("p", e, default=None, size=60, max_size=140)

        statement = bt.query("account", between="booked", span="31day")

    return Entry


@good("Bids of an ad exchange")
def fifteenth_bids() -> object:
    class Bid(bt.Model, table="BID", events="30000/s"):
        """A bid that lost. Fraud detection replays all bids of the last minute, whoever made them."""

        part = bt.salt("auction", buckets=16)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        auction: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)
        bidder: int = bt.key(bt.PaddedInt(3), cardinality=240, sequential=False)

        b = bt.family("b", gc=bt.max_age(hours=6))
        micros: int = bt.column("m", b)

        last_minute = bt.query(between="at", span="1min")

    return Bid


@good("Tissue types of donors and patients")
def fifteenth_tissue_types() -> object:
    class Side(StrEnum):
        DONOR = "d"
        PATIENT = "p"

    class Typing(bt.Model, table="HLA", events="600/s"):
        """Tissue type of somebody on one of two lists."""

        side: Side = bt.key(bt.EnumText(Side))
        person: UUID = bt.key(bt.UuidText(), cardinality=41_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        alleles: list[str] = bt.column("al", t, size=150, max_size=900)
        typed: date = bt.column("on", t)

        one = bt.query("side", "person")

    return Typing


@good("Where a book can be had")
def fifteenth_availabilities() -> object:
    class Availability(bt.Model, table="AVAILABILITY", events="300/s"):
        """A title at a shop. Updates come for any of the titles, old and new: ISBNs are given out in blocks to publishers."""

        isbn: int = bt.key(bt.PaddedInt(13), cardinality=12_000_000, sequential=False)
        shop: str = bt.key(bt.Text(width=4), cardinality=2_900)

        a = bt.family("a", gc=bt.max_versions(1))
        copies: int = bt.column("n", a)
        price: Decimal = bt.column("p", a, max_size=8)

        shops = bt.query("isbn")

    return Availability


@good("Features of the recommendation model")
def fifteenth_features() -> object:
    class Features(bt.Model, table="FEATURES", events="900/s"):
        """All features of a listener. Some thirty jobs write theirs, each at its own pace; the ranker reads them all at once."""

        listener: str = bt.key(bt.HexDigest(16), cardinality=75_000_000)

        v = bt.family("v", gc=bt.max_versions(1))
        values: dict[str, float] = bt.mapping(
            v, bt.Text(max_length=12), codec=bt.FloatBytes(4, round=True), entries=400
        )

    return Features


@good("Couriers on bicycles")
def fifteenth_ship_trails() -> object:
    class Trail(bt.Model, table="TRAIL", events="6000/s"):
        """Where a courier has just been: the fifty last points, which the customer's map draws as a tail."""

        courier: str = bt.key(bt.HexDigest(8), cardinality=30_000)

        g = bt.family("g", gc=bt.max_versions(50))
        point: bt.History[bytes] = bt.history("p", g, every="5s", size=8, max_size=8)

    return Trail


@good("Defects of rolling stock")
def fifteenth_defects() -> object:
    class Stage(StrEnum):
        REPORTED = "reported"
        IN_WORKSHOP = "in_workshop"
        CLOSED = "closed"

    class Defect(bt.Model, table="DEFECT", events="3/s"):
        """A defect of a wagon, and how far its repair is."""

        wagon: str = bt.key(bt.Text(width=12), cardinality=190_000)
        defect: str = bt.key(bt.HexDigest(8), cardinality=30_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        stage: Stage = bt.column("s", d)
        seen: datetime = bt.column("on", d)
        depot: str = bt.column("depot", d, max_size=6, cardinality=85)
        what: str = bt.column("w", d, size=120, max_size=1_000)

        of_wagon = bt.query("wagon")

    class InWorkshop(bt.Index, of=Defect, view="IN_WORKSHOP", where={"stage": Stage.IN_WORKSHOP}):
        """What stands in a depot."""

        depot: str = bt.key(bt.Text(max_length=6), cardinality=85)
        wagon: str = bt.covered()
        defect: str = bt.covered()

        seen: datetime = bt.covered()
        what: str = bt.covered()

        of_depot = bt.query("depot")

    return Defect, InWorkshop


@good("Paint recipes, with a count of how often each was mixed")
def fifteenth_paint_recipes() -> object:
    class Recipe(bt.Model, table="RECIPE", events="9/min"):
        """A paint recipe; `mixed` says how often a customer had it mixed."""

        customer: str = bt.key(bt.HexDigest(6), cardinality=20_000)
        shade: str = bt.key(bt.Text(max_length=16), cardinality=7_000)

        r = bt.family("r", gc=bt.max_versions(1))
        pigments: dict[str, int] | None = bt.column("p", r, default=None, size=90, max_size=700)
        mixed: int | None = bt.column("n", r, default=None, increments="2/day")

        of_customer = bt.query("customer")

    return Recipe


@good("Transfers on a public blockchain")
def fifteenth_token_transfers() -> object:
    class Transfer(bt.Model, table="TRANSFER", events="900/s"):
        """A token transfer, below the contract address that emitted it, in the order of the chain."""

        address: str = bt.key(bt.HexDigest(40), cardinality=1_700_000)
        block: int = bt.key(bt.BigEndian(8))
        index: int = bt.key(bt.BigEndian(4))

        t = bt.family("t", gc=bt.keep_all())
        sender: bytes = bt.column("s", t, size=20, max_size=20)
        to: bytes = bt.column("r", t, size=20, max_size=20)
        value: bytes = bt.column("v", t, size=9, max_size=32)

        of_contract = bt.query("address", between="block")

    return Transfer


@good("Parking by app")
def fifteenth_parking_permits() -> object:
    class Permit(bt.Model, table="PERMIT", events="80/s"):
        """A car may stand in a zone until then. Wardens scan plates, and want to know yes or no."""

        zone: int = bt.key(bt.PaddedInt(5), cardinality=6_400, sequential=False)
        plate = bt.digest("number_plate", size=8)
        number_plate: str | None = bt.key(bt.Text(max_length=12), stored=False, cardinality=11_000_000)
        until: datetime = bt.expires(round=True)

        p = bt.family("p", gc=bt.max_age(seconds=1))
        tariff: str = bt.column("t", p, max_size=3)

    return Permit


@good("What grows on American fields")
def fifteenth_crops_of_states() -> object:
    class Crop(bt.Model, table="CROP", events="12/s"):
        """What a field bears in a year, seen from satellites."""

        state: str = bt.key(bt.Text(width=2), cardinality=50)
        county: int = bt.key(bt.PaddedInt(3), cardinality=254, sequential=False)
        field: str = bt.key(bt.HexDigest(8), cardinality=9_400_000)
        year: int = bt.key(bt.PaddedInt(4), cardinality=20)

        c = bt.family("c", gc=bt.max_versions(1))
        crop: str = bt.column("c", c, max_size=24)
        confidence: float = bt.column("p", c)

        of_county = bt.query("state", "county")
        of_field = bt.query("state", "county", "field", between="year")

    return Crop


@good("Files of a source forge")
def fifteenth_blames() -> object:
    class Blame(bt.Model, table="BLAME", events="250/s", delimiter="\x00"):
        """Who wrote the lines of a file, at the tip of a branch."""

        repo: str = bt.key(bt.HexDigest(8), cardinality=3_000_000)
        path: tuple[str, ...] = bt.key(
            bt.Repeated(bt.Text(max_length=60), "/", most=12), cardinality=900_000_000
        )

        b = bt.family("b", gc=bt.max_versions(1))
        authors: dict[str, int] = bt.column("a", b, size=300, max_size=20_000)

        of_repo = bt.query("repo")
        folder = bt.query("repo", starting="path")

    return Blame


@good("Final standings of fishing contests")
def fifteenth_contest_placings() -> object:
    class Placing(bt.Model, table="PLACING", events="2000/min"):
        """Final standings of a fishing contest, written when it is over and the judges have signed."""

        contest: str = bt.key(bt.HexDigest(5), cardinality=120_000)
        score: int = bt.key(bt.Descending(bt.PaddedInt(7)), cardinality=50_000)
        angler: str = bt.key(bt.HexDigest(6), cardinality=800_000)

        p = bt.family("p", gc=bt.max_versions(1))
        catch_kg: Decimal = bt.column("kg", p, max_size=7)

        standings = bt.query("contest")

    return Placing


@good("Switches of the control room")
def fifteenth_interlocks() -> object:
    class Interlock(bt.Model, table="INTERLOCK", events="30/day"):
        """An interlock of the plant. There are 240; each controller loads them all when it starts.

        After an incident, the inspector reads how it was set before: ten settings are enough for that.
        """

        tag: str = bt.key(bt.Text(max_length=14), cardinality=240)

        i = bt.family("i", gc=bt.max_versions(10))
        closed: bool = bt.column("c", i)
        why: str | None = bt.column("w", i, default=None, max_size=200)

        all = bt.query(scan="240 rows, read whenever a controller starts")

    return Interlock


@good("Load of charging stations")
def fifteenth_plugs() -> object:
    class Plug(bt.Model, table="PLUG", events="4500/s"):
        """Energy that a plug gave in each hour. The display shows today and yesterday; billing has its own books."""

        site: str = bt.key(bt.HexDigest(6), cardinality=21_000)
        plug: int = bt.key(bt.PaddedInt(2), cardinality=48, sequential=False)

        w = bt.family("w", gc=bt.max_age(hours=49), aggregate="sum")
        watt_hours: bt.History[int] = bt.counter("wh", w, every="1h")

        of_site = bt.query("site")

    return Plug


@good("Water wells")
def fifteenth_wells() -> object:
    class Well(bt.Model, table="WELL", events="20/min"):
        """The level of a well. Some are measured every hour and some once in five years.

        The map shows all of the last 400 days, and of wells that are measured seldom at least the last three levels, however old.
        """

        basin: int = bt.key(bt.PaddedInt(3), cardinality=320, sequential=False)
        well: str = bt.key(bt.HexDigest(6), cardinality=14_000)

        levels = bt.family("l", gc=bt.max_versions(3) & bt.max_age(days=400))
        level: bt.History[float] = bt.history("m", levels, every="12h")

        of_basin = bt.query("basin")

    return Well


@good("Attendance")
def fifteenth_school_years() -> object:
    class SchoolYear(bt.Model, table="ATTENDANCE", events="60/s"):
        """The days on which a pupil was absent in a school year, which has at most 200 days of classes."""

        school: int = bt.key(bt.PaddedInt(6), cardinality=33_000, sequential=False)
        year: int = bt.key(bt.PaddedInt(4), cardinality=8, sequential=False)
        pupil: str = bt.key(bt.HexDigest(8), cardinality=12_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        absent: set[date] = bt.members(a, bt.DateText(), entries=200)

        of_school = bt.query("school", "year")

    return SchoolYear


@good("The register of voters")
def fifteenth_voters() -> object:
    class RollEntry(bt.Model, table="ROLL_{election}", events="2000/s"):
        """Who may vote where. An election has a table of its own, which a batch job fills once and the court orders to be destroyed as a whole;
        there is one every two years, and at most three tables exist."""

        precinct: str = bt.key(bt.Text(width=7), cardinality=88_000)
        voter: str = bt.key(bt.HexDigest(8), cardinality=61_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        since: date = bt.column("s", r)
        by_mail: bool = bt.column("m", r)

        of_precinct = bt.query("precinct")

    return RollEntry


@good("Radiology viewer")
def fifteenth_radiology() -> object:
    class Slice(bt.Model, table="SLICE", events="30/s"):
        """A slice of a scan, as the viewer shows it. The originals lie in the archive."""

        study = bt.digest("study_uid", size=12)
        series: int = bt.key(bt.PaddedInt(3), cardinality=40)
        slice: int = bt.key(bt.PaddedInt(4), cardinality=2_000)

        px = bt.family("p", gc=bt.max_age(days=10))
        study_uid: str = bt.column("uid", px, max_size=64, cardinality=900_000)
        jpeg: bytes = bt.column("j", px, size=220_000, max_size=6_000_000)

        of_series = bt.query("study_uid", "series")

    return Slice
