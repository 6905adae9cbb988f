"""A twenty-first set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


@bad("Passage", "KEY001", says=("`{gantry}#{toll_day}#{seen}#{lane}`",), verdict="error")
def twentyfirst_passage() -> object:
    class Passage(bt.Model, table="passage", events="12000/s"):
        """One vehicle seen by one gantry. Billing closes one day after the other, so the passages of a day lie together.
        A passage is written as it happens and kept for four months, the time to object to a bill."""

        toll_day: date = bt.key(bt.DateText("%Y%m%d"))
        gantry: str = bt.key(bt.Text(width=7), cardinality=900)
        seen: datetime = bt.key(bt.EpochMillis(round=True))
        lane: int = bt.key(bt.PaddedInt(1), cardinality=6)

        p = bt.family("p", gc=bt.max_age(days=120))
        transponder: str | None = bt.column("tr", p, default=None, size=16, max_size=16)
        vehicle_class: int = bt.column("cl", p)
        speed: float = bt.column("sp", p)

        of_gantry = bt.query("toll_day", "gantry", between="seen")

    return Passage


@bad("Switch message", "KEY002", says=("`bt.ReversedDigits(14)`",), verdict="error")
def twentyfirst_switch_message() -> object:
    class SwitchMessage(bt.Model, table="switch_message", events="9000/s"):
        """A message that went through the switch. The trace number comes from the sequence of the core database and is
        printed on every slip; support finds a message by it. Kept for thirteen months, as the card schemes demand."""

        kind = bt.constant("msg")
        trace_no: int = bt.key(bt.PaddedInt(14), sequential=True)

        m = bt.family("m", gc=bt.max_age(days=395))
        acquirer: str = bt.column("acq", m, size=6, max_size=11)
        issuer: str = bt.column("iss", m, size=6, max_size=11)
        amount: int = bt.column("amt", m)
        response: str | None = bt.column("rc", m, default=None, size=2, max_size=2)

        of_trace = bt.query("trace_no")

    return SwitchMessage


@bad("Fastening", "KEY003", says=("`{salt}#{plant}#{driven}#{robot}`",), verdict="warning")
def twentyfirst_fastening() -> object:
    class Fastening(bt.Model, table="fastening", events="18000/s"):
        """One screw, as the robot drove it. The load is spread over 20 shards; the plant's quality office
        reads half a minute of its own plant. Kept for three months."""

        shard = bt.salt("plant", buckets=20)
        plant: str = bt.key(bt.Text(width=3), cardinality=5)
        driven: datetime = bt.key(bt.EpochMillis(round=True))
        robot: str = bt.key(bt.Text(width=6), cardinality=7_500)

        t = bt.family("t", gc=bt.max_age(days=92))
        peak: float = bt.column("pk", t)
        angle: float = bt.column("an", t)
        ok: bool = bt.column("ok", t)

        of_plant = bt.query("plant", between="driven", span="30s")

    return Fastening


@bad("Bid", "KEY003", says=("buckets=32",), verdict="error")
def twentyfirst_bid() -> object:
    class Bid(bt.Model, table="bid", events="120000/s", nodes=16):
        """A bid that was won for a publisher's page. One large video portal makes most of our traffic, the other 6,000
        publishers share the rest. Reports read a minute of one publisher; after nine days everything is in the warehouse."""

        publisher: str = bt.key(bt.Text(width=8), cardinality=6_000, skew="85%:1")
        won: datetime = bt.key(bt.EpochMicros())
        auction: str = bt.key(bt.HexDigest(12), cardinality=1_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=9))
        price: int = bt.column("pr", b)
        buyer: int = bt.column("by", b)

        of_publisher = bt.query("publisher", between="won", span="1min")

    return Bid


@bad("Glucose day", "FAM006", says=("bt.max_versions(1_440)",), verdict="error")
def twentyfirst_glucose_day() -> object:
    class GlucoseDay(bt.Model, table="glucose_day", bucket="day", events="1000/s"):
        """The readings of one wearer and one day, one each minute. The physician sees complete days, of the last year at most."""

        wearer: str = bt.key(bt.HexDigest(12), cardinality=60_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        g = bt.family("g", gc=bt.max_versions(1000) | bt.max_age(days=400))
        mmol: bt.History[float] = bt.history("v", g, every="1min")

        of_wearer = bt.query("wearer", between="day")

    return GlucoseDay


@bad("Portal login", "FAM010", says=("gc=bt.max_age(days=14)",), verdict="warning")
def twentyfirst_portal_login() -> object:
    class PortalLogin(bt.Model, table="portal_login", events="60/s"):
        """A device that was let in by the captive portal. We promise the guests in the terms of use that the entry is gone
        two weeks after the login; the rule of the family does that, there is no job that deletes."""

        ticket: UUID = bt.key(bt.UuidRaw(), cardinality=100_000_000)

        s = bt.family("s", gc=bt.max_versions(1) & bt.max_age(days=14))
        hotel: str = bt.column("ho", s, size=5, max_size=5)
        room: str = bt.column("ro", s, size=4, max_size=8)
        device_address: str = bt.column("mac", s, size=17, max_size=17)

        of_ticket = bt.query("ticket")

    return PortalLogin


@bad("Float day", "FAM006", says=("bt.max_age(days=26)",), verdict="warning")
def twentyfirst_float_day() -> object:
    class FloatDay(bt.Model, table="float_day", bucket="day", events="400/min", lateness="15d"):
        """What a float measured under water on a day. A float stays down for up to two weeks, then it surfaces and sends
        all of it at once. The map shows the whole last dive of each float."""

        buoy: str = bt.key(bt.Text(width=7), cardinality=4_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        w = bt.family("w", gc=bt.max_age(days=10))
        salinity: bt.History[float] = bt.history("sal", w, every="10min")
        kelvin: bt.History[float] = bt.history("tmp", w, every="10min")

        of_buoy = bt.query("buoy", between="day")

    return FloatDay


@bad("Claim", "QRY005", says=("`{insurer}#{state}#{claim}`",), verdict="warning")
def twentyfirst_claim() -> object:
    class Claim(bt.Model, table="claim", events="3/s"):
        """A claim, from the first call to the last payment; closed ones stay, for the actuaries. The start page of each clerk shows
        what is open at the insurer: some hundreds, of the millions that were ever filed."""

        insurer: str = bt.key(bt.Text(width=4), cardinality=12)
        claim: str = bt.key(bt.HexDigest(16), cardinality=80_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        state: str = bt.column("st", c, size=6, max_size=12, cardinality=5)
        filed: datetime = bt.column("fi", c)
        cents: int = bt.column("ce", c)

        open_of = bt.query("insurer", where=["state"])
        one = bt.query("insurer", "claim")

    return Claim


@bad("Cold reading", "KEY005", says=("`buckets=3`",), verdict="warning")
def twentyfirst_cold_reading() -> object:
    class ColdReading(bt.Model, table="cold_reading", events="300/s"):
        """A reading of a logger. The shards make sure that it scales. The alarm panel asks all of them
        for the last minute, every ten seconds. Kept for sixty days."""

        shard = bt.salt("logger", "read", buckets=400)
        read: datetime = bt.key(bt.EpochMillis(round=True))
        logger: str = bt.key(bt.Text(width=8), cardinality=9_000)

        r = bt.family("r", gc=bt.max_age(days=60))
        celsius: float = bt.column("c", r)
        door_open: bool = bt.column("d", r)

        lately = bt.query(between="read", span="1min")

    return ColdReading


@bad("Thermometer", "KEY013", says=("`{campaign}#{shard}`",), verdict="warning")
def twentyfirst_thermometer() -> object:
    class Thermometer(bt.Model, table="thermometer", events="6000/s"):
        """How much was given to a campaign, and by how many. Each donation adds to it at once, from all call centres;
        the studio shows the sum live. There are three campaigns a year."""

        campaign: str = bt.key(bt.Text(max_length=20), cardinality=3)

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        cents: int | None = bt.counter("ce", t, increments="6000/s")
        gifts: int | None = bt.counter("n", t, increments="6000/s")

        of_campaign = bt.query("campaign")

    return Thermometer


@bad("Picture", "KEY022", says=('`id = bt.digest("address")`',), verdict="warning")
def twentyfirst_picture() -> object:
    class Picture(bt.Model, table="picture", events="2500/s"):
        """What we know of a picture on the web, one row each. The key is a short hash of its address, which saves much space
        with so many rows. A picture that was not seen again for a year goes."""

        id = bt.digest("address", size=4)

        p = bt.family("p", gc=bt.max_age(days=365))
        address: str = bt.column("ad", p, size=90, max_size=2_000, cardinality=900_000_000)
        width: int = bt.column("w", p)
        height: int = bt.column("h", p)
        licence: str | None = bt.column("li", p, default=None, size=8, max_size=40)

        of_address = bt.query("address")

    return Picture


@bad("Lift", "ROW003", says=("`{lift}#{at}`",), verdict="error")
def twentyfirst_lift() -> object:
    class Lift(bt.Model, table="lift", events="700/s"):
        """A lift with all door cycles since it was put into service: how many milliseconds the door needed, under the time of the cycle.
        A lift makes about 1,500 cycles a day and runs for thirty years; the rule keeps one version, so nothing piles up.
        The technician's tablet shows the last week."""

        lift: str = bt.key(bt.HexDigest(8), cardinality=40_000)

        d = bt.family("d", gc=bt.max_versions(1))
        cycles: dict[datetime, int] = bt.mapping(d, bt.EpochMillis(), size=8, max_size=8)

        of_lift = bt.query("lift")

    return Lift


@bad(
    "Draft",
    "ROW002",
    says=(
        "`{draft}#{at}`",
        "gc=bt.max_versions(1)",
    ),
    verdict="error",
)
def twentyfirst_draft() -> object:
    class Draft(bt.Model, table="draft", events="40/s"):
        """A draft contract with the states that the editor saved, so that one can go back. The editor saves every few seconds.
        A draft has its pictures inside."""

        draft: UUID = bt.key(bt.UuidText(), cardinality=300_000)

        b = bt.family("b", gc=bt.max_versions(500))
        body: bt.History[bytes] = bt.history("b", b, size=900_000, max_size=4_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        title: str = bt.column("t", h, size=40, max_size=200)

        of_draft = bt.query("draft")

    return Draft


@bad("Posting", "ROW004", says=("one row for each `transfer`",), verdict="warning")
def twentyfirst_posting() -> object:
    class Posting(bt.Model, table="posting", events="20/s", atomic="transfer"):
        """Points given or taken. Families may pool their points: a transfer is one posting at the giver
        and one at the taker, and there must never be one without the other, because the sum of all points is audited. Postings are kept as long as the programme runs."""

        holder: UUID = bt.key(bt.UuidText(), cardinality=9_000_000)
        transfer: UUID = bt.key(bt.UuidText(), cardinality=500_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        points: int = bt.column("pt", p)
        reason: str = bt.column("rs", p, size=10, max_size=60)

        of_holder = bt.query("holder")

    return Posting


@bad("Studio invoice", "TAB002", says=("`{studio}#{year}#{number}`",), verdict="warning")
def twentyfirst_studio_invoice() -> object:
    class StudioInvoice(bt.Model, table="invoice_{studio}", events="1/min"):
        """The invoices of one studio. When a studio signs up it gets a table of its own, which is dropped when it leaves.
        14,000 studios use us today, most with a few hundred invoices a year."""

        year: int = bt.key(bt.PaddedInt(4), cardinality=10)
        number: int = bt.key(bt.PaddedInt(6), sequential=True)

        i = bt.family("i", gc=bt.max_versions(1))
        cents: int = bt.column("ce", i)
        issued: date = bt.column("is", i)
        paid: date | None = bt.column("pd", i, default=None)

        of_year = bt.query("year", between="number")

    return StudioInvoice


@bad("Firmware release", "KEY007", says=("bt.Joined(",), verdict="warning")
def twentyfirst_firmware_release() -> object:
    class FirmwareRelease(bt.Model, table="firmware", events="20/day"):
        """A release of the firmware of a product, such as 4.9.3 or 4.12.0. A robot says which release it has, and gets the list
        of those that came after it, in order."""

        product: str = bt.key(bt.Text(max_length=12), cardinality=60)
        release: str = bt.key(bt.Text(max_length=11), cardinality=400)

        r = bt.family("r", gc=bt.max_versions(1))
        digest: bytes = bt.column("sha", r, size=32, max_size=32)
        mandatory: bool = bt.column("man", r)
        notes: str | None = bt.column("no", r, default=None, size=400, max_size=8_000)

        since = bt.query("product", between="release")

    return FirmwareRelease


@bad("Top up", "KEY010", says=("`{person_id}#{loaded}`",), verdict="warning")
def twentyfirst_top_up() -> object:
    class TopUp(bt.Model, table="topup", events="800/s"):
        """A top-up of a prepaid card, for the app and the hotline, of the last eighteen months."""

        msisdn: str = bt.key(bt.Text(max_length=15, min_length=8), cardinality=22_000_000)
        loaded: datetime = bt.key(bt.ReversedMillis(round=True))

        t = bt.family("t", gc=bt.max_age(days=550))
        cents: int = bt.column("ce", t)
        channel: str = bt.column("ch", t, size=4, max_size=10)

        of_card = bt.query("msisdn", between="loaded")

    return TopUp


@bad("Repair job", "KEY021", says=("`{depot}#{job}`",), verdict="warning")
def twentyfirst_repair_job() -> object:
    class Stage(StrEnum):
        RECEIVED = "received"
        DIAGNOSED = "diagnosed"
        WAITING = "waiting"
        REPAIRED = "repaired"
        RELEASED = "released"

    class RepairJob(bt.Model, table="repair_job", events="5/s"):
        """A bogie or a motor in repair. The foreman looks at all jobs of his depot which are in one stage, and moves a
        job on when it is done. A job passes all five stages within days."""

        depot: str = bt.key(bt.Text(width=4), cardinality=85)
        stage: Stage = bt.key(bt.EnumText(Stage))
        job: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)

        j = bt.family("j", gc=bt.max_age(days=1100))
        part: str = bt.column("pa", j, size=12, max_size=20)
        fault: str | None = bt.column("fa", j, default=None, size=60, max_size=2_000)
        hours: float | None = bt.column("hr", j, default=None)

        in_stage = bt.query("depot", "stage")

    return RepairJob


@bad("Reefer now", "ROW008", says=("`measured: datetime = bt.timestamp()`",), verdict="warning")
def twentyfirst_reefer_now() -> object:
    class ReeferNow(bt.Model, table="reefer_now", events="1500/s", lateness="3d"):
        """The last known state of a container, for the map. Below deck a modem has no reception; it keeps what was measured and sends it
        when it can, often after fresher values have already come through another gateway."""

        container: str = bt.key(bt.Text(width=11), cardinality=700_000)

        n = bt.family("n", gc=bt.max_versions(1))
        measured: datetime = bt.column("at", n)
        latitude: float = bt.column("la", n)
        longitude: float = bt.column("lo", n)
        celsius: float = bt.column("c", n)

        of_container = bt.query("container")

    return ReeferNow


@bad("Authorisation", "TAB010", says=('bt.family("a", gc=bt.max_age(days=45))',), verdict="warning")
def twentyfirst_authorisation() -> object:
    class Authorisation(bt.Model, table="authorisation", events="3000/s"):
        """An authorisation at a merchant. After 45 days it is settled or void, and nobody asks for it any more."""

        merchant: str = bt.key(bt.Text(width=10), cardinality=400_000)
        asked: datetime = bt.key(bt.EpochMillis(round=True))
        reference: str = bt.key(bt.HexDigest(16), cardinality=5_000_000_000)

        a = bt.family("a", gc=bt.max_age(days=45))
        cents: int = bt.column("ce", a)
        approved: bool = bt.column("ok", a)

        of_merchant = bt.query("merchant", between="asked")

    class AuthorisationByReference(bt.Model, table="authorisation_ref", events="3000/s"):
        """The same authorisation by its reference, for the hotline: it leads to the row above."""

        reference: str = bt.key(bt.HexDigest(16), cardinality=5_000_000_000)
        merchant: str = bt.key(bt.Text(width=10), cardinality=400_000)
        asked: datetime = bt.key(bt.EpochMillis(round=True))

        a = bt.family("a", gc=bt.max_versions(1))
        cents: int = bt.column("ce", a)

        of_reference = bt.query("reference")

    bt.twins(Authorisation, AuthorisationByReference)

    return Authorisation, AuthorisationByReference


@bad("Redemption", "QRY006", says=("put_if_absent",), verdict="warning")
def twentyfirst_redemption() -> object:
    class Redemption(bt.Model, table="redemption", events="90/s"):
        """A voucher that was used at a till."""

        receipt: UUID = bt.key(bt.UuidText(), cardinality=50_000_000)

        r = bt.family("r", gc=bt.max_age(days=800))
        voucher: str = bt.column("vo", r, codec=bt.AsInKey(bt.Text(max_length=16)), cardinality=40_000_000)
        store: int = bt.column("sh", r)
        used: datetime = bt.column("us", r)

    class RedemptionOfVoucher(bt.Index, of=Redemption, view="REDEMPTION_OF_VOUCHER"):
        """Whether a voucher was used. The till asks here first, and if there is no row it grants the discount and writes the redemption:
        so that no voucher is used twice, even at two tills at the same minute."""

        voucher: str = bt.key(bt.Text(max_length=16), ends="\0", cardinality=40_000_000)
        receipt: UUID = bt.covered()

        used: datetime = bt.covered()
        store: int = bt.covered()

        of_voucher = bt.query("voucher")

    return Redemption, RedemptionOfVoucher


@bad("Bin level", "TAB011", says=('change_stream="7d"',), verdict="warning")
def twentyfirst_bin_level() -> object:
    class BinLevel(bt.Model, table=bt.table("bin_level", change_stream="1d"), events="250/s"):
        """How many pieces are in a bin. On Sunday night the warehouse job follows the changes of the week and adds each one to the
        ledger of movements, which the auditors use; it goes on where it ended the Sunday before."""

        site: str = bt.key(bt.Text(width=3), cardinality=40)
        bin: str = bt.key(bt.Text(width=8), cardinality=2_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        article: str = bt.column("ar", b, size=10, max_size=18)
        pieces: int = bt.column("pc", b)

        of_bin = bt.query("site", "bin")

    return BinLevel
