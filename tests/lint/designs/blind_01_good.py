"""Designs as they should be, each close to one with a fault, written by somebody who had not read the rules."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import good

import btmodel as bt


@good(
    "Core banking: the postings of the general ledger. The posting service draws numbers from one sequence: the number climbs, but its last digit leads, and it is only looked for alone; on the statement the random account leads"
)
def blind_good_posting() -> object:
    class Posting(bt.Model, table="posting", events="4000/s"):
        """A posting, found by the number that is printed on the statement. Its last digit comes first."""

        posting_no: int = bt.key(bt.ReversedDigits(14), sequential=True)

        p = bt.family("p", gc=bt.max_versions(1))
        account: str = bt.column("acc", p, size=12, max_size=12)
        amount: Decimal = bt.column("amt", p, size=8, max_size=24)
        currency: str = bt.column("cur", p, size=3, max_size=3)

        one = bt.query("posting_no")

    class AccountPosting(bt.Model, table="account_posting", events="4000/s"):
        """The same posting on the statement of its account."""

        account: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)
        booked: datetime = bt.key(bt.EpochMillis())
        posting_no: int = bt.key(bt.PaddedInt(14), sequential=True)

        p = bt.family("p", gc=bt.max_versions(1))
        amount: Decimal = bt.column("amt", p, size=8, max_size=24)
        currency: str = bt.column("cur", p, size=3, max_size=3)

        statement = bt.query("account", between="booked", span="30d")

    return Posting, AccountPosting


@good(
    "Clearing house: the net positions that three settlement banks confirm each evening: three rows a day never heat a node, and reading days over all banks is the point"
)
def blind_good_settlement() -> object:
    class Settlement(bt.Model, table="settlement", events="3/day"):
        """A bank's net position of a day. The back office reads whole days and months, over all banks."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        bank: str = bt.key(bt.Text(width=8), cardinality=3)

        s = bt.family("s", gc=bt.max_versions(1))
        net: Decimal = bt.column("net", s, size=10, max_size=24)
        confirmed_by: str = bt.column("by", s, size=12, max_size=40)

        of_days = bt.query(between="day", span="31d")

    return Settlement


@good(
    "Television: votes of the audience during a live show, counted in 32 parts: 32 parts for the row that gets 8,000/s: 250/s each; a prefix reads them together"
)
def blind_good_ballot() -> object:
    class Ballot(bt.Model, table="ballot", events="8000/s"):
        """A part of the votes of a poll. The board adds up the parts, which stand together."""

        poll: str = bt.key(bt.Text(max_length=20), cardinality=300, skew="95%:1")
        part = bt.salt("voter", buckets=32)
        voter: UUID | None = bt.key(bt.UuidRaw(), stored=False, cardinality=10_000_000)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: dict[str, int] = bt.counters(v, bt.Text(max_length=20), entries=10, increments="250/s")

        of_poll = bt.query("poll")

    return Ballot


@good(
    "Mobile games: final standings of tournaments that are over: final scores never change, and are written downward so the best come first"
)
def blind_good_standing() -> object:
    class Standing(bt.Model, table="standing", events="300/s"):
        """What a player had at the end, the best first. Written once, when the tournament ends."""

        tournament: str = bt.key(bt.HexDigest(12), cardinality=200_000)
        score: int = bt.key(
            bt.Descending(bt.PaddedInt(9)), cardinality=5_000_000, changes=False, sequential=False
        )
        player: UUID = bt.key(bt.UuidRaw(), cardinality=30_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        prize: int | None = bt.column("prize", s, default=None)
        country: str = bt.column("c", s, size=2, max_size=2)

        above = bt.query("tournament", between="score")
        best = bt.query("tournament")

    return Standing


@good(
    "Chat for teams: the messages of a channel, a row for each day: a row a channel and day, at most 5,000 messages (20 MB at the very most, 1 MB usual)"
)
def blind_good_channel_day() -> object:
    class ChannelDay(bt.Model, table="channel_day", events="3000/s"):
        """The messages of a day, by the time that the server gave them. They are never deleted."""

        channel: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        m = bt.family("m", gc=bt.max_versions(1))
        messages: dict[datetime, str] = bt.mapping(
            m, bt.EpochMicros(), entries=5_000, size=200, max_size=4_000
        )

        of_channel = bt.query("channel", between="day", newest=True, span="3d")

    return ChannelDay


@good(
    "Genomics as a service: variants that sequencing laboratories upload, and what is known of each position: one table, the tenant leads; in annotation only 25 chromosomes lead, but 200/s spread over the positions"
)
def blind_good_variant() -> object:
    class Variant(bt.Model, table="variant", events="2000/s"):
        """A variant in a sample of a laboratory."""

        lab: str = bt.key(bt.Text(max_length=20), cardinality=3_000, tenant=True)
        sample: str = bt.key(bt.HexDigest(12), cardinality=9_000_000)
        chromosome: str = bt.key(bt.Text(max_length=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9), cardinality=250_000_000, sequential=False)

        v = bt.family("v", gc=bt.max_versions(1))
        reference: str = bt.column("ref", v, size=1, max_size=500)
        alternative: str = bt.column("alt", v, size=1, max_size=500)
        quality: float = bt.column("q", v)

        of_region = bt.query("lab", "sample", "chromosome", between="position")

    class Annotation(bt.Model, table="annotation", events="200/s"):
        """What is known of a position. Curators edit positions all over the genome."""

        chromosome: str = bt.key(bt.Text(max_length=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9), cardinality=250_000_000, sequential=False)

        a = bt.family("a", gc=bt.max_versions(1))
        gene: str | None = bt.column("gene", a, default=None, size=8, max_size=40)
        note: str | None = bt.column("note", a, default=None, size=200, max_size=4_000)

        of_region = bt.query("chromosome", between="position")

    return Variant, Annotation


@good(
    "Hosted log search: what the programs of our customers log: 85 % in one tenant, salted behind it in as many parts as nodes"
)
def blind_good_line() -> object:
    class Line(bt.Model, table="line", events="30000/s", nodes=8):
        """A line of a customer's log. A bank sends most of them, so each customer's lines lie in eight parts."""

        customer: str = bt.key(bt.Text(max_length=24), cardinality=400, tenant=True, skew="85%:1")
        part = bt.salt("line", buckets=8)
        at: datetime = bt.key(bt.EpochMicros())
        line: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=30))
        text: str = bt.column("t", b, size=300, max_size=16_000)
        level: int = bt.column("l", b)

        of_customer = bt.query("customer", between="at", span="15min")

    return Line


@good(
    "Ride hailing: where each driver is now, and where they were in the last half hour: one version of the place, and half an hour of trail, bounded twice"
)
def blind_good_driver() -> object:
    class Driver(bt.Model, table="driver", events="100000/s"):
        """The place of a driver, whose phone reports it every four seconds; a late report replaces no newer one."""

        driver: UUID = bt.key(bt.UuidRaw(), cardinality=400_000)
        at: datetime = bt.timestamp(round=True)

        p = bt.family("p", gc=bt.max_versions(1))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)

        t = bt.family("t", gc=bt.max_versions(500) | bt.max_age(minutes=30))
        trail: bt.History[str] = bt.history("trail", t, every="4s", size=18, max_size=24)

        one = bt.query("driver")

    return Driver


@good(
    "Radiology: the images of a hospital trust, in tiles: cells under 1 MB, the personal number only hashed"
)
def blind_good_tile() -> object:
    class Tile(bt.Model, table="tile", events="800/s"):
        """A tile of an image. The patient's number is in no key and no cell: a hash of it leads."""

        patient = bt.digest("nhs_number")
        nhs_number: str | None = bt.key(bt.Text(width=10), stored=False, cardinality=2_000_000, pii=True)
        study: str = bt.key(bt.HexDigest(16), cardinality=12_000_000)
        tile: int = bt.key(bt.PaddedInt(4), cardinality=400, sequential=False)

        i = bt.family("i", gc=bt.max_versions(1))
        pixels: bytes = bt.column("px", i, size=250_000, max_size=900_000)

        of_study = bt.query("nhs_number", "study")
        of_patient = bt.query("nhs_number")

    return Tile


@good(
    "Video streaming: starts of videos, for the dashboard of the last minutes: time over everybody is the only question, and six shards on six nodes divide 25,000/s"
)
def blind_good_start() -> object:
    class Start(bt.Model, table="start", events="25000/s", nodes=6):
        """Somebody started a video. The dashboard reads the last minutes over everybody, from six shards."""

        shard = bt.salt("viewer", buckets=6)
        at: datetime = bt.key(bt.EpochMillis())
        viewer: UUID = bt.key(bt.UuidRaw(), cardinality=50_000_000)

        s = bt.family("s", gc=bt.max_age(days=3))
        video: str = bt.column("v", s, size=11, max_size=11)
        country: str = bt.column("c", s, size=2, max_size=2)

        of_time = bt.query(between="at", span="10min")

    return Start


@good(
    "Feature store: the online features of a recommender, by the customer's number: hash of a climbing number leads, and only equality is asked"
)
def blind_good_features() -> object:
    class Features(bt.Model, table="features", events="15000/s"):
        """The newest features of a customer. Customers are numbered as they sign up, and a hash of the number leads."""

        hash = bt.digest("customer", size=4)
        customer: int = bt.key(bt.PaddedInt(12), cardinality=80_000_000, sequential=True)
        view: str = bt.key(bt.Text(max_length=30), cardinality=25)

        f = bt.family("f", gc=bt.max_versions(1))
        values: dict[str, float] = bt.column("v", f, size=400, max_size=4_000)

        one = bt.query("customer", "view")
        of_customer = bt.query("customer")

    return Features


@good("Distributed tracing: the spans that services report, and an index by trace: each query has its table")
def blind_good_span() -> object:
    class Span(bt.Model, table="span", events="20000/s"):
        """A span, by the service that it is of."""

        service: str = bt.key(bt.Text(max_length=30), cardinality=3_000)
        at: datetime = bt.key(bt.EpochMicros())
        span: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=14))
        trace: str = bt.column("trace", s, size=32, max_size=32, cardinality=1_000_000_000)
        name: str = bt.column("n", s, size=30, max_size=200)
        duration: int = bt.column("d", s)

        of_service = bt.query("service", between="at", span="30min")

    class SpanOfTrace(bt.Model, table="span_of_trace", events="20000/s"):
        """The same span, by its trace."""

        trace: str = bt.key(bt.HexDigest(32), cardinality=1_000_000_000)
        at: datetime = bt.key(bt.EpochMicros())
        span: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        s = bt.family("s", gc=bt.max_age(days=14))
        service: str = bt.column("svc", s, size=12, max_size=30)
        name: str = bt.column("n", s, size=30, max_size=200)
        duration: int = bt.column("d", s)

        of_trace = bt.query("trace")

    bt.twins(Span, SpanOfTrace)

    return Span, SpanOfTrace


@good(
    "Shipping: engine temperatures of vessels: ages hold event + lateness with ease; 144 versions a day kept by age"
)
def blind_good_vessel_day() -> object:
    class VesselDay(bt.Model, table="vessel_day", bucket="day", events="100/s", lateness="20d"):
        """A vessel's day. At sea there is no uplink: a ship sends what it has when it is in port."""

        vessel: str = bt.key(bt.Text(width=9), cardinality=60_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        e = bt.family("e", gc=bt.max_age(days=400))
        temperature: bt.History[float] = bt.history("t", e, every="10min")

        of_vessel = bt.query("vessel", between="day", span="14d")

    return VesselDay


@good(
    "Operations: incidents, in the order in which they were opened: a ULID climbs, 40 rows a day do not matter, and the order is asked for"
)
def blind_good_incident() -> object:
    class Incident(bt.Model, table="incident", events="40/day"):
        """An incident, under a ULID: the review of the week reads a range of them."""

        ulid: str = bt.key(bt.Text(width=26), cardinality=100_000)

        i = bt.family("i", gc=bt.max_versions(1))
        title: str = bt.column("t", i, size=60, max_size=300)
        severity: int = bt.column("s", i)
        opened: datetime = bt.column("at", i)

        one = bt.query("ulid")
        of_week = bt.query(between="ulid")

    return Incident


@good(
    "Web shop: shopping carts, and the sessions that they belong to: a row a cart is changed at once; sessions end by the time in their cells"
)
def blind_good_cart() -> object:
    class Cart(bt.Model, table="cart", events="3000/s", atomic="cart"):
        """A cart with all of its lines, which checkout changes at once."""

        cart: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000)

        c = bt.family("c", gc=bt.max_versions(1) | bt.max_age(days=30))
        lines: dict[str, int] = bt.mapping(c, bt.Text(max_length=20), entries=200)

        one = bt.query("cart")

    class Session(bt.Model, table="session", events="500/s"):
        """A session, which ends at a time of its own. Only a hash of the token is stored."""

        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=64), stored=False, cardinality=50_000_000)
        until: datetime = bt.expires(round=True)

        s = bt.family("s", gc=bt.max_age(seconds=1))
        cart: UUID = bt.column("cart", s)

        one = bt.query("token")

    return Cart, Session
