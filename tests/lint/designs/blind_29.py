"""A twenty-ninth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID

from published import bad

import btmodel as bt


class Level(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@bad("Impressions under their hour", "KEY001", says=("bt.salt",), verdict="error")
def twentyninth_impressions_under_their_hour() -> object:
    class Impression(bt.Model, table="impressions", events="40000/s"):
        """One served ad, kept for 45 days.

        The billing job takes a finished hour at a time; the portal shows an hour of one campaign.
        """

        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H", round=True))
        campaign: str = bt.key(bt.Text(max_length=12), cardinality=60_000)
        impression: UUID = bt.key(bt.UuidText(), cardinality=4_000_000_000)

        i = bt.family("i", gc=bt.max_age(days=45))
        placement: str = bt.column("pl", i, size=16, max_size=40)
        price_micros: int = bt.column("pm", i)
        country: str = bt.column("c", i, size=2, max_size=2)

        of_hour = bt.query("hour")
        of_campaign = bt.query("hour", "campaign")

    return Impression


@bad("Postings under a BIGSERIAL", "KEY002", says=("bt.ReversedDigits(13)",), verdict="error")
def twentyninth_postings_under_a_bigserial() -> object:
    class Posting(bt.Model, table="postings", events="18000/s"):
        """One line of the journal.

        `posting_no` is the BIGSERIAL of the old journal table and goes on counting where Postgres
        stopped. Services look a posting up by its number. Postings are written once and never deleted.
        """

        posting_no: int = bt.key(bt.PaddedInt(13), cardinality=5_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        debit: str = bt.column("dr", p, size=22, max_size=34)
        credit: str = bt.column("cr", p, size=22, max_size=34)
        cents: int = bt.column("cents", p)
        booked: datetime = bt.column("booked", p)

    return Posting


@bad("Log lines under four levels", "KEY003", says=("bt.salt",), verdict="warning")
def twentyninth_log_lines_under_four_levels() -> object:
    class LogLine(bt.Model, table="loglines", events="35000/s"):
        """A line that a service logged, for ten days. On-call filters by level first, then by time."""

        level: Level = bt.key(bt.EnumText(Level))
        at: datetime = bt.key(bt.EpochMillis(round=True))
        line: UUID = bt.key(bt.UuidText(), cardinality=30_000_000_000)

        log = bt.family("l", gc=bt.max_age(days=10))
        service: str = bt.column("svc", log, size=14, max_size=40, cardinality=900)
        text: str = bt.column("txt", log, size=180, max_size=8_000)

        of_level = bt.query("level", between="at", span="15min")

    return LogLine


@bad("Notifications under ULIDs", "KEY002", says=("bt.salt",), verdict="error")
def twentyninth_notifications_under_ulids() -> object:
    class Notification(bt.Model, table="notifications", events="22000/s"):
        """A notification that was sent to a phone, for 30 days.

        The id is a ULID that the gateway makes when it accepts the notification, so that ids list in
        the order of sending. Receipts come back with the id, and are written to its row.
        """

        id: str = bt.key(bt.Text(width=26))

        n = bt.family("n", gc=bt.max_age(days=30))
        title: str = bt.column("title", n, size=40)
        device: str = bt.column("dev", n, size=20)
        delivered: datetime | None = bt.column("dlv", n, default=None)

    return Notification


@bad("A workspace of most tracked events", "KEY003", says=("bt.salt",), verdict="error")
def twentyninth_a_workspace_of_most_tracked_events() -> object:
    class TrackedEvent(bt.Model, table="tracked", events="30000/s"):
        """A click or a page view that a workspace sent us, for 90 days.

        Since the marketplace signed, its workspace alone sends four fifths of everything.
        """

        workspace: str = bt.key(bt.Text(max_length=24), cardinality=3_000, tenant=True, skew="80%:1")
        at: datetime = bt.key(bt.EpochMillis(round=True))
        event: UUID = bt.key(bt.UuidText(), cardinality=200_000_000_000)

        e = bt.family("e", gc=bt.max_age(days=90))
        name: str = bt.column("n", e, size=14, max_size=60)
        visitor: str = bt.column("v", e, size=20, max_size=36, cardinality=40_000_000)
        url: str = bt.column("u", e, size=70, max_size=2_000)

        of_workspace = bt.query("workspace", between="at", span="1h")

    return TrackedEvent


@bad("All messages of a channel in a mapping", "ROW002", says=("{channel}#{messages_key}",), verdict="error")
def twentyninth_all_messages_of_a_channel_in_a_mapping() -> object:
    class Message(NamedTuple):
        """What somebody wrote."""

        author: str
        text: str
        at: datetime

    class Channel(bt.Model, table="channels", events="3000/s"):
        """A channel with everything that was ever said in it.

        Messages are never removed. Busy channels get a few thousand a day, for years. The client shows the last fifty.
        """

        channel: UUID = bt.key(bt.UuidText(), cardinality=400_000)

        info = bt.family("i", gc=bt.max_versions(1))
        topic: str | None = bt.column("topic", info, size=30, max_size=250, default=None)

        m = bt.family("m", gc=bt.max_versions(1))
        messages: dict[UUID, Message] = bt.mapping(
            m, bt.UuidRaw(), entries=3_000_000, size=220, max_size=8_000
        )

    return Channel


@bad("A turbine of 25 years in one row", "ROW003", says=("{park}#{turbine}#{at}",), verdict="error")
def twentyninth_a_turbine_of_25_years_in_one_row() -> object:
    class Turbine(bt.Model, table="turbines", events="12000/s"):
        """The measurements of a turbine over its whole life, which is planned as 25 years.

        The manufacturer wants the full series for warranty questions, so nothing is deleted.
        """

        park: str = bt.key(bt.Text(width=5), cardinality=600)
        turbine: int = bt.key(bt.PaddedInt(3), cardinality=240)

        s = bt.family("s", gc=bt.keep_all())
        rpm: bt.History[float] = bt.history("rpm", s, every="1s")
        pitch: bt.History[float] = bt.history("pitch", s, every="1s")
        watts: bt.History[int] = bt.history("w", s, every="1s")

        of_park = bt.query("park")

    return Turbine


@bad("Parking bays that keep every version", "ROW003", says=("bt.max_versions(1)",), verdict="warning")
def twentyninth_parking_bays_that_keep_every_version() -> object:
    class Bay(bt.Model, table="bays", events="4000/s"):
        """Whether a bay is taken. The sensor of a bay overwrites it every 15 seconds.

        The signs and the app show the present state; earlier ones are of no use to anybody.
        """

        garage: str = bt.key(bt.Text(max_length=12), cardinality=350)
        bay: int = bt.key(bt.PaddedInt(4), cardinality=1_200)

        b = bt.family("b", gc=bt.keep_all())
        taken: bool = bt.column("taken", b)
        battery: int = bt.column("bat", b)
        seen: datetime = bt.column("seen", b)

        of_garage = bt.query("garage")

    return Bay


@bad("Transfers of ten years for 400 days", "FAM010", says=("bt.max_age(days=3_653)",), verdict="warning")
def twentyninth_transfers_of_ten_years_for_400_days() -> object:
    class Transfer(bt.Model, table="transfers", events="900/s"):
        """A transfer of an account, the newest first.

        Auditors may ask for any transfer of the last ten years, and must get it from this table.
        """

        account: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        at: datetime = bt.key(bt.ReversedMillis(round=True))
        transfer: UUID = bt.key(bt.UuidText(), cardinality=2_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=400))
        amount: Decimal = bt.column("amt", t, size=8, max_size=20)
        currency: str = bt.column("cur", t, size=3, max_size=3)
        other: str = bt.column("other", t, size=22, max_size=34)
        purpose: str | None = bt.column("purp", t, size=40, max_size=140, default=None)

        of_account = bt.query("account", between="at", newest=True)

    return Transfer


@bad(
    "Claims by a foreign key",
    "QRY001",
    says=("{policy_id}#{id}",),
    verdict="error",
)
def twentyninth_claims_by_a_foreign_key() -> object:
    class Claim(bt.Model, table="claim", events="40/s"):
        """A claim. `policy_id` was a foreign key with an index.

        A clerk opens a claim by its id; the customer portal lists the claims of a policy.
        """

        id: UUID = bt.key(bt.UuidText(), cardinality=30_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        policy_id: str = bt.column("policy", c, size=12, max_size=14, cardinality=6_000_000)
        happened: date = bt.column("happened", c)
        reserve_cents: int = bt.column("reserve", c)
        description: str = bt.column("descr", c, size=300, max_size=4_000)

        of_policy = bt.query("policy_id")

    return Claim


@bad("A route behind the time", "QRY001", says=("`{depot}#{truck}#{at}`",), verdict="error")
def twentyninth_a_route_behind_the_time() -> object:
    class Waypoint(bt.Model, table="waypoints", events="700/s"):
        """A position that a truck sent, for 180 days. The dispatcher draws the route of a truck on a map."""

        depot: str = bt.key(bt.Text(width=4), cardinality=220)
        at: datetime = bt.key(bt.EpochSeconds(round=True))
        truck: str = bt.key(bt.Text(max_length=10), cardinality=21_000)

        w = bt.family("w", gc=bt.max_age(days=180))
        latitude: float = bt.column("lat", w)
        longitude: float = bt.column("lon", w)
        litres: int = bt.column("fuel", w)

        route = bt.query("depot", "truck", between="at", span="10h")

    return Waypoint


@bad("A start page that scans all tickets", "QRY001", says=("`{assignee}#{ticket}`",), verdict="warning")
def twentyninth_a_start_page_that_scans_all_tickets() -> object:
    class Ticket(bt.Model, table="tickets", events="60/s"):
        """A request of a customer: six million are stored, and closed ones stay.

        Each of our 400 agents has a start page with the open tickets that are assigned to them. It reloads every 20 seconds.
        """

        ticket: UUID = bt.key(bt.UuidText(), cardinality=6_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("subj", t, size=50, max_size=200)
        assignee: str = bt.column("asgn", t, size=8, max_size=20, cardinality=400)
        open: bool = bt.column("open", t)
        changed: datetime = bt.column("chg", t)

        start_page = bt.query(
            scan="the start page of an agent lists the open tickets assigned to them",
            where=["assignee", "open"],
        )

    return Ticket


@bad("Deals under their stage", "KEY021", says=("`{team}#{deal}`",), verdict="warning")
def twentyninth_deals_under_their_stage() -> object:
    class Deal(bt.Model, table="deals", events="30/s"):
        """A deal of a sales team. It begins as a lead and moves on through five more stages until it is won or lost."""

        team: str = bt.key(bt.Text(max_length=20), cardinality=2_500)
        stage: str = bt.key(bt.Text(max_length=12), cardinality=6)
        deal: UUID = bt.key(bt.UuidText(), cardinality=8_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d)
        cents: int = bt.column("cents", d)
        closes: date | None = bt.column("closes", d, default=None)

        of_stage = bt.query("team", "stage")

    return Deal


@bad("A farm in one document", "COL009", says=("a cell for each item",), verdict="warning")
def twentyninth_a_farm_in_one_document() -> object:
    class Farm(bt.Model, table="farms", events="6000/s"):
        """The farm of a player as one document: fields, animals, barn, quests, decorations.

        Every action in the game (water a field, sell an egg) loads the document, changes a number or two, and
        saves the whole document again.
        """

        player: UUID = bt.key(bt.UuidText(), cardinality=11_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        farm: dict[str, Any] = bt.column("doc", f, size=180_000, max_size=900_000)

    return Farm


@bad("Messages under a mobile number", "KEY010", says=("person_id",), verdict="warning")
def twentyninth_messages_under_a_mobile_number() -> object:
    class Sms(bt.Model, table="sms", events="5000/s"):
        """That a message was sent, for 180 days, by the mobile number of the subscriber who sent it."""

        msisdn: str = bt.key(bt.Text(max_length=15), cardinality=20_000_000)
        sent: datetime = bt.key(bt.ReversedMillis(round=True))

        s = bt.family("s", gc=bt.max_age(days=180))
        cell: str = bt.column("cell", s, size=10, max_size=16)
        parts: int = bt.column("parts", s)
        roaming: bool = bt.column("roam", s)

        of_subscriber = bt.query("msisdn", between="sent", newest=True)

    return Sms


@bad("A tally of a whole nation", "KEY013", says=("shard",), verdict="warning")
def twentyninth_a_tally_of_a_whole_nation() -> object:
    class Tally(bt.Model, table="tally", events="20000/s"):
        """How many votes an act has. In the ten minutes of voting everybody votes at once, mostly for two acts."""

        show: str = bt.key(bt.Text(max_length=16), cardinality=40)
        act: int = bt.key(bt.PaddedInt(2), cardinality=12)

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("votes", t, increments="8000/s")

        of_show = bt.query("show")

    return Tally


@bad("Followers appended to one cell", "ROW003", verdict="warning")
def twentyninth_followers_appended_to_one_cell() -> object:
    class Profile(bt.Model, table="profiles"):
        """A member, with the list of those who follow them.

        Whoever follows is appended to `followers`. Most members have a few dozen; celebrities have some millions.
        """

        member: str = bt.key(bt.HexDigest(16), cardinality=50_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        bio: str | None = bt.column("bio", p, default=None)
        followers: list[str] = bt.column("followers", p, default_factory=list)

    return Profile


@bad("Tasks polled from the front", "ROW009", says=("Pub/Sub",), verdict="warning")
def twentyninth_tasks_polled_from_the_front() -> object:
    class Task(bt.Model, table="tasks", events="2500/s"):
        """A frame that waits to be rendered.

        A worker reads the first rows of its pool every half a second, takes the oldest task and deletes its row.
        """

        pool: str = bt.key(bt.Text(max_length=12), cardinality=60)
        queued: datetime = bt.key(bt.EpochMillis(round=True))
        task: UUID = bt.key(bt.UuidText(), cardinality=5_000_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        scene: str = bt.column("scene", t, size=60, max_size=200)
        frame: int = bt.column("frame", t)

        of_pool = bt.query("pool")

    return Task


@bad("Whole studies in cells", "ROW001", says=("object store",), verdict="warning")
def twentyninth_whole_studies_in_cells() -> object:
    class Study(bt.Model, table="studies", events="3/s"):
        """The images of an examination, as the DICOM file that the scanner wrote. Kept as long as the archive exists."""

        patient: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        day: date = bt.key(bt.DateText())
        number: int = bt.key(bt.PaddedInt(3))

        s = bt.family("s", gc=bt.max_versions(1))
        modality: str = bt.column("mod", s, size=2, max_size=16)
        dicom: bytes = bt.column("dcm", s, size=25_000_000, max_size=80_000_000)

        of_patient = bt.query("patient", between="day")

    return Study


@bad("Prices as text in a range", "QRY001", "KEY007", "KEY021", says=("bt.PaddedInt(9)",), verdict="error")
def twentyninth_prices_as_text_in_a_range() -> object:
    class Listing(bt.Model, table="listings", events="20/s"):
        """A car for sale in a city, cheapest first. A dealer who changes a price makes a new listing.

        Prices are in euros, as text, the way they come in the feeds: 950, 12900, 7499.50.
        """

        city: str = bt.key(bt.Text(max_length=30), cardinality=8_000)
        price: str = bt.key(bt.Text(max_length=10), cardinality=60_000)
        listing: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        c = bt.family("c", gc=bt.max_age(days=90))
        make: str = bt.column("make", c, size=8, max_size=30)
        model: str = bt.column("model", c, size=10, max_size=40)
        kilometres: int = bt.column("km", c)

        in_price_range = bt.query("city", between="price")

    return Listing


@bad("Nights that begin with the day", "KEY007", "QRY001", says=("%Y.%m.%d",), verdict="error")
def twentyninth_nights_that_begin_with_the_day() -> object:
    class Night(bt.Model, table="nights"):
        """How many rooms of a hotel are left in a night. The search asks from the day of arrival to the day of departure."""

        hotel: str = bt.key(bt.Text(max_length=10), cardinality=40_000)
        night: date = bt.key(bt.DateText("%d.%m.%Y"))

        n = bt.family("n", gc=bt.max_versions(1))
        left: int = bt.column("left", n)
        cents: int = bt.column("cents", n)

        stay = bt.query("hotel", between="night")

    return Night


@bad(
    "Readings of paper, older than their age", "FAM006", says=('bt.column("read_at", r)',), verdict="warning"
)
def twentyninth_readings_of_paper_older_than_their_age() -> object:
    class OldReading(bt.Model, table="old_readings", events="50/s"):
        """A reading of a water meter, typed in from the books of 1975 to 1999.

        The researchers of the university work with this table for two years after a book was typed in.
        """

        district: str = bt.key(bt.Text(max_length=20), cardinality=90)
        meter: int = bt.key(bt.PaddedInt(7), cardinality=400_000)
        page: int = bt.key(bt.PaddedInt(4))
        read_at: datetime = bt.timestamp()

        r = bt.family("r", gc=bt.max_age(days=730))
        litres: int = bt.column("l", r)
        clerk: str | None = bt.column("clerk", r, size=12, max_size=40, default=None)

        of_meter = bt.query("district", "meter")

    return OldReading
