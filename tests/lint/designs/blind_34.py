"""A thirty-fourth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import bad

import btmodel as bt


@bad("A month of seconds in a row", "ROW002", says=("`{turbine}#{hour}`",))
def thirtyfourth_a_month_of_seconds_in_a_row() -> object:
    class TurbineMonth(bt.Model, table="turbine_month", bucket="month", events="9600/s"):
        """What the control unit of a turbine measured in a month, four channels once a second.
        The gateway of the farm appends the values as they come; engineers read ten minutes to an hour of one turbine when they look into an alarm."""

        turbine: str = bt.key(bt.Text(width=9), cardinality=2_400)
        """Farm and number, as NSE02-041."""
        month: date = bt.key(bt.DateText("%Y%m"))

        m = bt.family("m", gc=bt.max_age(days=730))
        power_kw: bt.History[float] = bt.history("p", m, every="1s", size=8)
        wind_ms: bt.History[float] = bt.history("w", m, every="1s", size=8)
        rotor_rpm: bt.History[float] = bt.history("r", m, every="1s", size=8)
        gearbox_c: bt.History[float] = bt.history("g", m, every="1s", size=8)

        of_turbine = bt.query("turbine", between="month")

    return TurbineMonth


@bad("Receipts of shops that number alike", "KEY018", says=("`{shop}#{number}`",))
def thirtyfourth_receipts_of_shops_that_number_alike() -> object:
    class Receipt(bt.Model, table="receipts", events="9/s"):
        """A receipt of one of the 340 shops, with its lines. The till of the shop numbers its receipts from 1 on, and sends each when it is printed.
        It is read when a customer brings goods back and the number on the paper is typed in at the desk."""

        number: int = bt.key(bt.PaddedInt(9), sequential=False)
        """The number that is printed at the bottom of the receipt."""

        r = bt.family("r", gc=bt.max_age(days=1100))
        shop: str = bt.column("shop", r, size=4, max_size=4, cardinality=340)
        total: Decimal = bt.column("total", r, size=6, max_size=12)
        printed: datetime = bt.column("printed", r)
        lines: list[dict[str, str]] = bt.column("lines", r, size=900, max_size=12_000)

        by_number = bt.query("number")

    return Receipt


@bad("Thirty flows in one packet", "KEY017", says=("`{router}#{exported}#{id}`",))
def thirtyfourth_thirty_flows_in_one_packet() -> object:
    class Protocol(StrEnum):
        TCP = "tcp"
        UDP = "udp"
        ICMP = "icmp"

    class FlowRecord(bt.Model, table="flows", events="9000/s"):
        """A flow that a router exported. The collectors write each record as it arrives; the security team reads the flows of a router for some minutes around an alarm.
        A router sends its records in packets of up to thirty, and all records of a packet bear the time at which the packet was sent."""

        router: str = bt.key(bt.Text(width=8), cardinality=300)
        exported: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=14))
        protocol: Protocol = bt.column("proto", f)
        source: str = bt.column("src", f, size=13, max_size=39)
        target: str = bt.column("dst", f, size=13, max_size=39)
        port: int = bt.column("port", f)
        packets: int = bt.column("packets", f)
        octets: int = bt.column("octets", f)

        of_router = bt.query("router", between="exported", span="10min")

    return FlowRecord


@bad("A band that a job sets anew", "KEY021", says=("`{programme}#{member}`",))
def thirtyfourth_a_band_that_a_job_sets_anew() -> object:
    class Band(StrEnum):
        BASE = "base"
        PLUS = "plus"
        PRIME = "prime"

    class Member(bt.Model, table="members", events="600/s"):
        """A member of one of our partner programmes, with what the apps show of them. Campaigns read all members of a band;
        the apps read one member, whose band they have from the session.
        Every night a job adds up the spending of the last twelve months and gives each member the band that follows from it."""

        programme: str = bt.key(bt.Text(max_length=12), cardinality=25)
        band: Band = bt.key(bt.EnumText(Band))
        member: str = bt.key(bt.HexDigest(12), cardinality=12_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        points: int = bt.column("points", m)
        joined: date = bt.column("joined", m)
        language: str = bt.column("lang", m, size=2, max_size=5)

        one = bt.query("programme", "band", "member")
        of_band = bt.query("programme", "band")

    return Member


@bad("A table read twelve times an hour", "QRY001")
def thirtyfourth_a_table_read_twelve_times_an_hour() -> object:
    class Offer(bt.Model, table="offers", events="4000/s"):
        """What a seller asks for an article now. Sellers' programs write it anew when the price or the stock changes;
        the page of an article reads all of its offers, and the search keeps a copy of each."""

        article: str = bt.key(bt.HexDigest(12), cardinality=250_000_000)
        seller: str = bt.key(bt.HexDigest(8), cardinality=400_000)

        o = bt.family("o", gc=bt.max_versions(1))
        cents: int = bt.column("cents", o)
        stock: int = bt.column("stock", o)
        ships_from: str = bt.column("from", o, size=2, max_size=2, cardinality=60)
        changed: datetime = bt.column("changed", o)

        of_article = bt.query("article")
        changed_lately = bt.query(
            scan="every five minutes the search picks the offers with a `changed` since its last run, some 1.2 million of 800 million"
        )

    return Offer


@bad("Hearts for one stream", "KEY013", asked=("COL006",))
def thirtyfourth_hearts_for_one_stream() -> object:
    class LiveStream(bt.Model, table="live_streams", events="20000/s"):
        """A live stream and what the player shows below it. Every tap on the heart adds one to `hearts`, with an increment of that row,
        and two dozen page servers read the row every two seconds and pass it on to the players. In a final, nearly all taps go to the one stream of it."""

        stream: str = bt.key(bt.HexDigest(16), cardinality=60_000)

        s = bt.family("s", gc=bt.max_versions(1))
        title: str | None = bt.column("title", s, default=None, size=40, max_size=200)
        began: datetime | None = bt.column("began", s, default=None)
        hearts: int | None = bt.column("hearts", s, default=None, increments="6000/s")

        by_id = bt.query("stream")

    return LiveStream


@bad("Calls that are billed and may come twice", "COL008")
def thirtyfourth_calls_that_are_billed_and_may_come_twice() -> object:
    class ApiUsage(bt.Model, table="api_usage", events="4000/s"):
        """How many units a customer used of an endpoint on a day. The gateways publish a message for each call, and the worker that gets it adds its units here.
        The subscription delivers each message at least once. The invoice at the end of the month is drawn up from these numbers."""

        customer: str = bt.key(bt.HexDigest(10), cardinality=80_000)
        day: date = bt.key(bt.DateText())
        endpoint: str = bt.key(bt.Text(max_length=40), cardinality=120)

        u = bt.family("u", gc=bt.keep_all(), aggregate="sum")
        units: int | None = bt.counter("units", u, increments="10/s")
        """Units of the price list; one call is one to fifty of them."""

        of_customer = bt.query("customer", between="day", span="31days")

    return ApiUsage


@bad("Scans of ninety megabytes", "ROW001", "ROW002")
def thirtyfourth_scans_of_ninety_megabytes() -> object:
    class Scan(bt.Model, table="radiology", events="15000/day"):
        """A series of a radiological study with its pixel data. The scanner's gateway writes it when the series is complete, and again if a radiologist corrects it.
        A workstation opens all series of a study."""

        hospital: str = bt.key(bt.Text(width=4), cardinality=60)
        study: str = bt.key(bt.HexDigest(16), cardinality=20_000_000)
        series: int = bt.key(bt.PaddedInt(3), cardinality=200)

        meta = bt.family("meta", gc=bt.max_versions(1))
        modality: str = bt.column("modality", meta, size=2, max_size=6)
        taken: date = bt.column("taken", meta)

        px = bt.family("px", gc=bt.max_versions(5))
        pixels: bytes = bt.column("data", px, size=30_000_000, max_size=95_000_000)
        """The compressed frames of the series."""

        of_study = bt.query("hospital", "study")

    return Scan


@bad("A table for each company", "TAB002", says=("`{company}#{user}#{at}`",))
def thirtyfourth_a_table_for_each_company() -> object:
    class AuditEntry(bt.Model, table="AUDIT_{company}", events="5/s"):
        """What somebody did in the account of a company. Each company that signs up, 6,500 so far and a hundred more a month, gets a table,
        so that its administrators see nothing else and all is gone when the table is dropped. The console shows the newest entries of a user."""

        user: str = bt.key(bt.HexDigest(12), cardinality=2_000)
        at: datetime = bt.key(bt.ReversedMicros())

        a = bt.family("a", gc=bt.max_age(days=400))
        action: str = bt.column("action", a, size=20, max_size=60)
        target: str | None = bt.column("target", a, default=None, size=40, max_size=300)
        address: str = bt.column("ip", a, size=13, max_size=39)

        of_user = bt.query("user", between="at", newest=True)

    return AuditEntry


@bad("Six million followers in a row", "ROW002", says=("`{account}#{followers_key}`",))
def thirtyfourth_six_million_followers_in_a_row() -> object:
    class Followers(bt.Model, table="followers", events="3000/s"):
        """An account and who follows it. A follow adds a member and an unfollow removes it;
        the fan-out of new posts reads the followers, and the profile shows some of them."""

        account: str = bt.key(bt.HexDigest(12), cardinality=90_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        opened: date | None = bt.column("opened", p, default=None)

        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[str] = bt.members(f, bt.HexDigest(12), entries=6_000_000)
        """Ids of the accounts that follow this one."""

        of_account = bt.query("account")

    return Followers


@bad("A rectangle of a map", "QRY005", asked=("KEY010",), says=("geohash",))
def thirtyfourth_a_rectangle_of_a_map() -> object:
    class AddressPoint(bt.Model, table="address_points", events="20000/day"):
        """An address with its position, 60 million over the continent, fairly evenly where people live. The post offices send corrections, some thousands a day.
        The delivery app asks for the addresses within 300 metres of the courier, 900 times a second."""

        latitude: int = bt.key(bt.PaddedInt(8), cardinality=30_000_000, sequential=False)
        """Millionths of a degree, counted from the equator."""
        longitude: int = bt.key(bt.PaddedInt(9), cardinality=50_000_000, sequential=False)
        """Millionths of a degree, counted eastward from 30 degrees west."""
        address: str = bt.key(bt.HexDigest(10), cardinality=60_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        street: str = bt.column("street", a, size=22, max_size=120)
        house: str = bt.column("house", a, size=3, max_size=12)
        postcode: str = bt.column("postcode", a, size=6, max_size=10)

        near = bt.query(between="latitude", where=["longitude"])

    return AddressPoint


@bad("Gravest findings that are read first", "KEY007")
def thirtyfourth_gravest_findings_that_are_read_first() -> object:
    class Severity(StrEnum):
        SEVERE = "severe"
        HIGH = "high"
        MEDIUM = "medium"
        LOW = "low"

    class Finding(bt.Model, table="findings", events="1500/s"):
        """A finding of a scan, written when the scan ends and never changed; a scan has up to 40,000.
        The page of a scan reads its first fifty rows, so that the gravest findings are seen first, and goes on as the user scrolls."""

        customer: str = bt.key(bt.HexDigest(8), cardinality=9_000)
        scan: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)
        severity: Severity = bt.key(bt.EnumText(Severity), changes=False)
        finding: str = bt.key(bt.HexDigest(12))

        f = bt.family("f", gc=bt.max_age(days=365))
        title: str = bt.column("title", f, size=60, max_size=300)
        package: str = bt.column("package", f, size=18, max_size=120)
        published: date | None = bt.column("published", f, default=None)

        of_scan = bt.query("customer", "scan")

    return Finding


@bad("Five hundred salts for forty comments a second", "KEY005", says=("`{article}#{at}#{comment}`",))
def thirtyfourth_five_hundred_salts_for_forty_comments_a_second() -> object:
    class Comment(bt.Model, table="comments", events="40/s"):
        """A comment of a reader below an article. Each opening of an article, 3,000 a second at noon, reads its newest twenty comments;
        most articles have fewer than a hundred."""

        shard = bt.salt("article", "at", "comment", buckets=500)
        article: str = bt.key(bt.HexDigest(10), cardinality=4_000_000)
        at: datetime = bt.key(bt.ReversedMillis())
        comment: str = bt.key(bt.HexDigest(10), cardinality=900_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        author: str = bt.column("author", c, size=24, max_size=24)
        """The id of the account."""
        text: str = bt.column("text", c, size=240, max_size=4_000)

        of_article = bt.query("article", between="at", newest=True)

    return Comment


@bad("Pockets that change together", "ROW004", says=("`{account}`",))
def thirtyfourth_pockets_that_change_together() -> object:
    class Pocket(bt.Model, table="pockets", events="900/s", atomic="account"):
        """What an account holds in one currency; an account has one to thirty. An exchange takes from one pocket and adds to another of the same account.
        The app reads all pockets of an account."""

        account: str = bt.key(bt.HexDigest(12), cardinality=5_000_000)
        currency: str = bt.key(bt.Text(width=3), cardinality=30)

        b = bt.family("b", gc=bt.max_versions(1))
        balance: Decimal = bt.column("balance", b, size=8, max_size=20)
        changed: datetime = bt.column("changed", b)

        of_account = bt.query("account")
        one = bt.query("account", "currency")

    return Pocket


@bad("A season of seconds on a page", "QRY005", says=("`bt.Rollup`",))
def thirtyfourth_a_season_of_seconds_on_a_page() -> object:
    class Moisture(bt.Model, table="moisture", events="5000/s"):
        """The moisture of the soil at one probe, written every second by the controller of the greenhouse.
        The grower's page draws the season of a probe, each time it is opened, and the alarm looks at the last minutes."""

        probe: str = bt.key(bt.HexDigest(8), cardinality=5_000)
        at: datetime = bt.key(bt.EpochSeconds())

        m = bt.family("m", gc=bt.max_age(days=400))
        percent: float = bt.column("p", m, size=8)

        season = bt.query("probe", between="at", span="240days")
        lately = bt.query("probe", between="at", span="10min")

    return Moisture


@bad("Documents read for a list", "QRY005", says=("only=",))
def thirtyfourth_documents_read_for_a_list() -> object:
    class Document(bt.Model, table="documents", events="40/s"):
        """A document in a folder. The app lists a folder by title and date, 1,500 times a second over all customers,
        and opens a document now and then. A folder has about 150 documents."""

        customer: str = bt.key(bt.HexDigest(8), cardinality=12_000)
        folder: str = bt.key(bt.HexDigest(10), cardinality=3_000_000)
        document: str = bt.key(bt.HexDigest(10), cardinality=450_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("title", d, size=40, max_size=300)
        saved: datetime = bt.column("saved", d)
        owner: str = bt.column("owner", d, size=24, max_size=24)
        content: bytes = bt.column("content", d, size=2_500_000, max_size=9_000_000)
        """The file itself, as it was uploaded."""

        listing = bt.query("customer", "folder")
        one = bt.query("customer", "folder", "document")

    return Document


@bad("Viewings that are erased with an account", "QRY008", says=("`{viewer}#{title}#{day}#{began}`",))
def thirtyfourth_viewings_that_are_erased_with_an_account() -> object:
    class Viewing(bt.Model, table="viewings", events="6000/s"):
        """A viewing of a title, written when the player stops; rights holders are paid by the viewings of a title and day.
        Viewers may close their account at any time: all their viewings are erased while they wait on the page, which happens some thousand times a day."""

        title: str = bt.key(bt.HexDigest(10), cardinality=70_000)
        day: date = bt.key(bt.DateText())
        viewer: str = bt.key(bt.HexDigest(16), cardinality=25_000_000)
        """A random id of the account."""
        began: datetime = bt.key(bt.EpochMillis())

        v = bt.family("v", gc=bt.max_age(days=800))
        seconds: int = bt.column("seconds", v)
        device: str = bt.column("device", v, size=8, max_size=20, cardinality=40)

        of_title = bt.query("title", between="day", span="31days")

    return Viewing


@bad("A queue whose head is deleted", "ROW009")
def thirtyfourth_a_queue_whose_head_is_deleted() -> object:
    class Task(bt.Model, table="tasks", events="800/s"):
        """A task that waits for a worker, in one of the forty queues. Each of the 300 workers asks twenty times a second for the first ten rows of its queue,
        claims one with a conditional write, does it, and deletes its row. A queue is seldom longer than a hundred tasks."""

        queue: str = bt.key(bt.Text(max_length=20), cardinality=40)
        at: datetime = bt.key(bt.EpochMicros())
        task: str = bt.key(bt.HexDigest(12))

        t = bt.family("t", gc=bt.max_versions(1))
        kind: str = bt.column("kind", t, size=12, max_size=40)
        payload: bytes = bt.column("payload", t, size=700, max_size=20_000)
        worker: str | None = bt.column("worker", t, default=None, size=10, max_size=30)

        of_queue = bt.query("queue")

    return Task


@bad("A last position that stays for ever", "FAM010", asked=("COL005",), says=("gc=bt.max_age(days=30)",))
def thirtyfourth_a_last_position_that_stays_for_ever() -> object:
    class CourierPosition(bt.Model, table="courier_positions", events="500/s"):
        """Where a courier is and was: each report of the phone is another version of the same cells, one every twenty seconds during a tour of at most two hours a day.
        Dispatch reads where a courier is now, and complaints look a month back. The works council agreed that no position is kept for longer than thirty days,
        nor the last one of somebody who has left."""

        courier: str = bt.key(bt.HexDigest(10), cardinality=120_000)

        p = bt.family("p", gc=bt.max_versions(1) & bt.max_age(days=30))
        latitude: bt.History[float] = bt.history("lat", p, every="4min", size=8)
        longitude: bt.History[float] = bt.history("lon", p, every="4min", size=8)

        of_courier = bt.query("courier")

    return CourierPosition


@bad("Messages that come late and in no order", "ROW008", says=("`measured: datetime = bt.timestamp()`",))
def thirtyfourth_messages_that_come_late_and_in_no_order() -> object:
    class Container(bt.Model, table="containers", events="700/s"):
        """The present state of a container, which the tracking page shows: every message of its transmitter overwrites the row.
        Messages come over satellite and over the radio of ports, some at once and some after hours, in no particular order."""

        container: str = bt.key(bt.Text(width=11), cardinality=1_500_000)
        """The number on the doors, as MSKU4071238."""

        s = bt.family("s", gc=bt.max_versions(1))
        latitude: float = bt.column("lat", s)
        longitude: float = bt.column("lon", s)
        celsius: float | None = bt.column("temp", s, default=None)
        measured: datetime = bt.column("at", s)
        """By the clock of the transmitter."""

        one = bt.query("container")

    return Container


@bad("A handle that is looked up before it is taken", "QRY006", says=("`{handle}`",))
def thirtyfourth_a_handle_that_is_looked_up_before_it_is_taken() -> object:
    class Account(bt.Model, table="accounts", events="60/s"):
        """An account of the network, under a random id. It is written when somebody signs up, and when a profile is edited."""

        account: str = bt.key(bt.HexDigest(12), cardinality=80_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        handle: str = bt.column(
            "handle",
            a,
            codec=bt.AsInKey(bt.Text(max_length=24)),
            size=11,
            max_size=24,
            cardinality=80_000_000,
        )
        """Chosen once, lower case; never changed."""
        opened: datetime = bt.column("opened", a)
        about: str | None = bt.column("about", a, default=None, size=80, max_size=500)

        one = bt.query("account")

    class AccountOfHandle(bt.Index, of=Account, view="account_of_handle"):
        """The account of a handle. Sign-up looks here whether the handle is still free before it writes the account, as no two accounts may have the same;
        the page of a profile finds its account here."""

        handle: str = bt.key(bt.Text(max_length=24), ends="\0", cardinality=80_000_000, pii=False)
        account: str = bt.covered()
        opened: datetime = bt.covered()

        of_handle = bt.query("handle")

    return (Account, AccountOfHandle)


@bad("Rates that are asked for as they were", "KEY017")
def thirtyfourth_rates_that_are_asked_for_as_they_were() -> object:
    class RoomRate(bt.Model, table="room_rates", events="1200/s"):
        """What a kind of room costs in one night. The revenue team's program sets it anew up to ten times a day, and the site reads it for each search.
        When a guest disputes a bill, the desk looks up the rate that was shown at the time of the booking, up to a year before."""

        hotel: str = bt.key(bt.HexDigest(8), cardinality=45_000)
        night: date = bt.key(bt.DateText())
        room: str = bt.key(bt.Text(max_length=12), cardinality=60)
        """The kind of room, as TWIN-SEA."""

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=800))
        cents: int = bt.column("cents", r)
        currency: str = bt.column("currency", r, size=3, max_size=3)
        left: int = bt.column("left", r)
        """Rooms that are still free."""

        of_hotel = bt.query("hotel", between="night", span="14days")

    return RoomRate


@bad("ULIDs, as the string under the field says", "KEY002")
def thirtyfourth_ulids_as_the_string_under_the_field_says() -> object:
    class ParcelScan(bt.Model, table="parcel_scans", events="25000/s"):
        """One scan of a parcel in a sorting centre. The backend writes it once, when it takes it in from the scanner,
        and publishes its id. The routing and billing services take the id from the message and fetch the row; nobody lists scans."""

        scan: str = bt.key(bt.Text(width=26), cardinality=130_000_000_000)
        """A ULID that the backend gives to the scan as it takes it in."""

        s = bt.family("s", gc=bt.max_age(days=60))
        parcel: str = bt.column("parcel", s, size=18, max_size=20)
        """The number on the label."""
        centre: str = bt.column("centre", s, size=5, max_size=5, cardinality=140)
        belt: int = bt.column("belt", s)
        grams: int | None = bt.column("grams", s, default=None)
        """Weight, if the belt has scales."""
        scanned: datetime = bt.column("at", s)

        by_id = bt.query("scan")

    return ParcelScan


@bad("Parts of a recording numbered as texts, by the string under the field", "KEY007")
def thirtyfourth_parts_of_a_recording_numbered_as_texts_by_the_string_under_the_field() -> object:
    class RecordingPart(bt.Model, table="recording_parts", events="400/s"):
        """A part of the recording of a flight, about 200 KB of telemetry; a flight has up to 900 of them.
        The drone uploads the parts one after the other. The player reads a flight from its first part on and strings the parts together as they come."""

        flight: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)
        part: str = bt.key(bt.Text(max_length=4))
        """Counted by the drone from 1, and written here as it sends it: 1, 2, and so on to 900."""

        d = bt.family("d", gc=bt.max_age(days=365))
        telemetry: bytes = bt.column("t", d, size=200_000, max_size=400_000)
        seconds: int = bt.column("s", d)

        of_flight = bt.query("flight")

    return RecordingPart
