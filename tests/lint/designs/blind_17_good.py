"""A seventeenth set of designs by people who had not read the rules: those that are as they should be."""

from datetime import date, datetime
from uuid import UUID

from published import good

import btmodel as bt


@good("Cinema tickets")
def seventeenth_cinema_ticket() -> object:
    class Ticket(bt.Model, table="cinema_tickets", events="3000/s"):
        """A ticket. The box office numbers tickets one after the other, so the digits stand in reverse; scanners at the door look up one number."""

        number: int = bt.key(bt.ReversedDigits(12), sequential=True, cardinality=3_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=400))
        show: str = bt.column("show", t, size=12, max_size=20)
        seat: str = bt.column("seat", t, size=4, max_size=8)
        bought: datetime = bt.column("bought", t)

        of_number = bt.query("number")

    return Ticket


@good("Deployments of a company's services")
def seventeenth_deployment() -> object:
    class Deployment(bt.Model, table="deployments", events="400/day"):
        """A deployment to production, by its time. The page of an incident shows everything that was deployed in the hours before it."""

        at: datetime = bt.key(bt.EpochMillis())
        service: str = bt.key(bt.Text(max_length=40), cardinality=900)

        d = bt.family("d", gc=bt.max_versions(1))
        commit: str = bt.column("commit", d, size=40, max_size=40)
        by: str = bt.column("by", d, size=10, max_size=40)

        during = bt.query(between="at", span="6h")

    return Deployment


@good("Card payments under watch for fraud")
def seventeenth_card_payment() -> object:
    class CardPayment(bt.Model, table="card_payments", events="8000/s", nodes=8):
        """A card payment, for models of fraud that read all payments of the last ten seconds, whatever the card."""

        shard = bt.salt("at", "card", buckets=8)
        at: datetime = bt.key(bt.EpochMillis())
        card: str = bt.key(bt.HexDigest(16), cardinality=80_000_000, pii=False)

        c = bt.family("c", gc=bt.max_age(days=2))
        cents: int = bt.column("cents", c)
        shop: str = bt.column("shop", c, size=8, max_size=15)

        during = bt.query(between="at", span="10s")

    return CardPayment


@good("Bank statements")
def seventeenth_entry() -> object:
    class Entry(bt.Model, table="statement_entries", events="3000/s", nodes=6):
        """An entry of a statement. Account numbers are given one after the other and new accounts are the busy ones, so the salt of the number stands in front; every query gives the account."""

        shard = bt.salt("account", buckets=6)
        account: int = bt.key(bt.PaddedInt(10), sequential=True, cardinality=20_000_000)
        day: date = bt.key(bt.DateText())
        line: int = bt.key(bt.PaddedInt(5), cardinality=2_000)

        e = bt.family("e", gc=bt.keep_all())
        cents: int = bt.column("cents", e)
        purpose: str = bt.column("purpose", e, size=60, max_size=280)

        of_account = bt.query("account", between="day", span="30days")

    return Entry


@good("Votes of a television show")
def seventeenth_tally() -> object:
    class Tally(bt.Model, table="tallies"):
        """How many votes a candidate has. Each voting server adds to one of 64 parts, which it draws at random; the studio sums the parts of a candidate."""

        candidate: str = bt.key(bt.Text(width=4), cardinality=20)
        part: int = bt.key(bt.PaddedInt(2), cardinality=64, sequential=False)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("votes", v, increments="15/s")

        of_candidate = bt.query("candidate")

    return Tally


@good("Clicks on newsletters")
def seventeenth_click() -> object:
    class Click(bt.Model, table="newsletter_clicks", events="20000/s"):
        """A click on a newsletter. One sender has most of them, but from forty million readers, whose rows spread over all of the sender's range."""

        sender: str = bt.key(bt.Text(max_length=20), cardinality=2_000, skew="70%:1", tenant=True)
        reader: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=90))
        link: str = bt.column("link", c, size=80, max_size=1_000)

        of_reader = bt.query("sender", "reader", between="at", span="90days")

    return Click


@good("Tide gauges")
def seventeenth_tide_day() -> object:
    class TideDay(bt.Model, table="tide_days", bucket="day", events="400/min"):
        """The level of the water at a gauge, each minute of a day: 1,440 values."""

        gauge: str = bt.key(bt.Text(width=6), cardinality=400)
        day: date = bt.key(bt.DateText())

        levels = bt.family("l", gc=bt.max_versions(1_500))
        metres: bt.History[float] = bt.history("m", levels, every="1min")

        of_gauge = bt.query("gauge", between="day", span="7days")

    return TideDay


@good("Fitness trackers")
def seventeenth_pulse_day() -> object:
    class PulseDay(bt.Model, table="pulse_days", bucket="day", events="25000/s", lateness="14d"):
        """The pulse of a wearer on a day. Trackers synchronize when their phone is near, two weeks late at most; charts go back 90 days."""

        tracker: str = bt.key(bt.HexDigest(12), cardinality=1_500_000)
        day: date = bt.key(bt.DateText())

        p = bt.family("p", gc=bt.max_age(days=120))
        beats: bt.History[int] = bt.history("bpm", p, every="1min")

        of_tracker = bt.query("tracker", between="day", span="7days")

    return PulseDay


@good("Parking garages")
def seventeenth_passage() -> object:
    class Passage(bt.Model, table="passages", events="300/s"):
        """A car that passes a barrier, which takes seconds to open and close: a barrier lets through one car in four seconds at most."""

        garage: str = bt.key(bt.Text(width=5), cardinality=2_500)
        barrier: int = bt.key(bt.PaddedInt(2), cardinality=12, sequential=False)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        p = bt.family("p", gc=bt.max_age(days=30))
        inward: bool = bt.column("in", p)
        ticket: str = bt.column("ticket", p, size=10, max_size=10)

        of_barrier = bt.query("garage", "barrier", between="at", span="1day")

    return Passage


@good("A registry of packages")
def seventeenth_release() -> object:
    class Release(bt.Model, table="releases", events="2/s"):
        """A release of a package, such as 9.12.0 or 10.2.1. Each part of a version has four digits in the key, so versions sort as numbers."""

        package: str = bt.key(bt.Text(max_length=60), cardinality=500_000)
        major: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)
        minor: int = bt.key(bt.PaddedInt(4), cardinality=500, sequential=False)
        patch: int = bt.key(bt.PaddedInt(4), cardinality=2_000, sequential=False)

        r = bt.family("r", gc=bt.max_versions(1))
        sha256: bytes = bt.column("sha", r, size=32, max_size=32)
        published: datetime = bt.column("published", r)

        of_package = bt.query("package", between="major")
        of_major = bt.query("package", "major", between="minor")

    return Release


@good("Members of a blood donation service")
def seventeenth_donor() -> object:
    class Donor(bt.Model, table="donors", events="2/s"):
        """A donor, under a random id that says nothing of the person. The address for letters is in a cell, which is deleted on request."""

        donor: UUID = bt.key(bt.UuidRaw(), cardinality=6_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        email: str | None = bt.column("email", d, default=None, size=24, max_size=254)
        group: str = bt.column("group", d, size=3, max_size=3)
        last: date | None = bt.column("last", d, default=None)

        of_donor = bt.query("donor")

    return Donor


@good("Inspections of vehicles")
def seventeenth_inspection() -> object:
    class Inspection(bt.Model, table="inspections", events="15/s"):
        """A finished inspection. Its result is signed and never changes: a car that failed is inspected again, in a row of its own."""

        station: str = bt.key(bt.Text(width=6), cardinality=4_000)
        result: str = bt.key(bt.Text(width=4), cardinality=2, changes=False)
        day: date = bt.key(bt.DateText())
        certificate: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)

        i = bt.family("i", gc=bt.max_age(days=3_650))
        faults: list[str] = bt.column("faults", i, size=120, max_size=4_000)

        of_result = bt.query("station", "result", between="day", span="30days")

    return Inspection


@good("Tax returns of a payroll provider")
def seventeenth_return() -> object:
    class Return(bt.Model, table="tax_returns_{country}", events="5/s"):
        """A tax return. The laws of the eleven countries that we work in demand that returns of each lie apart, so each country has a table."""

        employer: str = bt.key(bt.HexDigest(10), cardinality=90_000)
        period: date = bt.key(bt.DateText("%Y%m%d"))
        number: int = bt.key(bt.PaddedInt(4), cardinality=3_000)

        r = bt.family("r", gc=bt.max_age(days=3_650))
        document: str = bt.column("doc", r, size=3_000, max_size=60_000)

        of_employer = bt.query("employer", between="period", span="365days")

    return Return


@good("Appointments of dental practices")
def seventeenth_appointment() -> object:
    class Appointment(bt.Model, table="appointments", events="50/s"):
        """An appointment. The reception shows those of a day, some sixty, and hides the cancelled ones."""

        practice: str = bt.key(bt.HexDigest(8), cardinality=30_000, tenant=True)
        day: date = bt.key(bt.DateText(), sequential=False)
        id: str = bt.key(bt.HexDigest(8), cardinality=100_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        begins: datetime = bt.column("begins", a)
        reason: str = bt.column("reason", a, size=20, max_size=200)
        cancelled: bool = bt.column("cancelled", a)

        of_day = bt.query("practice", "day", where=["cancelled"])

    return Appointment


@good("Trams")
def seventeenth_stop() -> object:
    class Stop(bt.Model, table="tram_stops", events="150/s"):
        """A tram that stopped. The day is the one of operation in the city, which lasts until four in the morning; the instant behind it is in UTC, so no two stops are one."""

        line: str = bt.key(bt.Text(width=3), cardinality=90)
        operating_day: date = bt.key(bt.DateText())
        at: datetime = bt.key(bt.TimeText("%Y%m%d%H%M%S%3f"))
        tram: int = bt.key(bt.PaddedInt(5), cardinality=2_000, sequential=False)

        s = bt.family("s", gc=bt.max_age(days=365))
        station: str = bt.column("station", s, size=6, max_size=8)
        delay: int = bt.column("delay", s)

        of_day = bt.query("line", "operating_day")

    return Stop


@good("Photos of flats for rent")
def seventeenth_photo() -> object:
    class Photo(bt.Model, table="flat_photos", events="20/s"):
        """A photo of a flat: what the list of a flat's photos shows in one family, the picture in another, which is read one at a time."""

        flat: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)
        position: int = bt.key(bt.PaddedInt(2), cardinality=40, sequential=False)

        m = bt.family("m", gc=bt.max_versions(1))
        title: str = bt.column("title", m, size=20, max_size=200)
        taken: datetime = bt.column("taken", m)

        i = bt.family("i", gc=bt.max_versions(1))
        jpeg: bytes = bt.column("jpeg", i, size=300_000, max_size=2_000_000)

        listed = bt.query("flat", only=["title", "taken"])
        one = bt.query("flat", "position")

    return Photo


@good("A crawler of the web")
def seventeenth_seen() -> object:
    class Seen(bt.Model, table="seen_addresses", events="9000/s"):
        """Whether an address was fetched, and when. The crawler asks for single addresses and never for those of a site."""

        id = bt.digest("address", size=16)

        s = bt.family("s", gc=bt.max_versions(1))
        address: str = bt.column("address", s, size=90, max_size=2_000)
        fetched: datetime = bt.column("fetched", s)
        status: int = bt.column("status", s)

        of_address = bt.query("address")

    return Seen


@good("Artifacts of builds")
def seventeenth_artifact() -> object:
    class Artifact(bt.Model, table="build_artifacts", events="700/s"):
        """A file that a build made, by its folder and its name, which never change after the build. Both may hold any character, also the delimiter, and are escaped."""

        build: str = bt.key(bt.HexDigest(16), cardinality=12_000_000)
        folder: str = bt.key(bt.EscapedText(200), size=30, cardinality=200_000_000)
        name: str = bt.key(bt.EscapedText(120), size=20, cardinality=900_000_000)

        f = bt.family("f", gc=bt.max_age(days=180))
        blob: str = bt.column("blob", f, size=40, max_size=80)
        size: int = bt.column("size", f)
        made: datetime = bt.column("made", f)

        of_folder = bt.query("build", "folder")

    return Artifact


@good("Tariffs of energy contracts")
def seventeenth_contract() -> object:
    class Contract(bt.Model, table="energy_contracts"):
        """A contract with all prices that it ever had. A price changes once a year, and courts ask for old ones, so none is deleted."""

        contract: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)

        p = bt.family("p", gc=bt.keep_all())
        cents: dict[str, bt.History[int]] = bt.histories(
            p, bt.Text(max_length=16), entries=4, every="365days"
        )

        of_contract = bt.query("contract")

    return Contract


@good("High scores of an arcade")
def seventeenth_best() -> object:
    class Best(bt.Model, table="best_scores"):
        """The best score of a player in a game. Messages may be delivered twice, which does not change a maximum."""

        player: str = bt.key(bt.HexDigest(16), cardinality=8_000_000)
        game: str = bt.key(bt.Text(max_length=20), cardinality=300)

        b = bt.family("b", gc=bt.keep_all(), aggregate="max")
        score: int | None = bt.counter("score", b, increments="2/min")

        of_player = bt.query("player")

    return Best


@good("Orders of spare parts")
def seventeenth_part_order() -> object:
    class PartOrder(bt.Model, table="part_orders", events="60/s"):
        """An order of a spare part."""

        id: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        workshop: str = bt.column("workshop", o, size=8, max_size=12, cardinality=70_000)
        part: str = bt.column("part", o, size=10, max_size=20)
        ordered: datetime = bt.column("ordered", o)

        of_id = bt.query("id")

    class OrderOfWorkshop(bt.Index, of=PartOrder, view="ORDER_OF_WORKSHOP"):
        """A workshop's orders, the newest first, for the monthly overview. A few minutes of delay do not matter; the page after an order reads the order by its id."""

        workshop: str = bt.key(bt.Text(max_length=12), cardinality=70_000)
        newest: datetime = bt.key(bt.ReversedMillis(), of="ordered")
        id: str = bt.covered()

        part: str = bt.covered()

        of_workshop = bt.query("workshop", between="newest", span="30days")

    return (PartOrder, OrderOfWorkshop)


@good("Seats that a theatre holds for a customer who is about to pay")
def seventeenth_hold() -> object:
    class Hold(bt.Model, table="seat_holds", events="100/s"):
        """Who holds a seat, and until when. The time of its cells is the end of the hold, so an age of one second deletes it then and not before."""

        performance: str = bt.key(bt.HexDigest(8), cardinality=20_000)
        seat: str = bt.key(bt.Text(width=5), cardinality=3_000)
        until: datetime = bt.expires(round=True)

        h = bt.family("h", gc=bt.max_age(seconds=1))
        customer: str = bt.column("customer", h, size=16, max_size=16)

        of_performance = bt.query("performance")

    return Hold
