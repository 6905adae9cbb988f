"""Four more sets of designs by people who had not read the rules: those on which the review was wrong, with verdicts from before it saw them."""

from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from published import bad, good

import btmodel as bt


@bad(
    "Stories that are seen for a day: their end stands in a column, and no GC rule goes by it",
    "FAM010",
    says=("`expires_at: datetime = bt.expires(round=True)`", "`gc=bt.max_age(seconds=1)` for `s`"),
    verdict="warning",
)
def third_stories() -> object:
    class Story(bt.Model, table="STORY", events="2500/s"):
        """A picture or a clip that followers see for 24 hours."""

        author: UUID = bt.key(bt.UuidText(), cardinality=60_000_000)
        posted: datetime = bt.key(bt.ReversedMillis())

        s = bt.family("s", gc=bt.max_versions(1))
        media: str = bt.column("m", s, size=80)
        caption: str | None = bt.column("c", s, size=60, default=None)
        expires_at: datetime = bt.column("x", s)

        of_author = bt.query("author", between="posted", span="1day", newest=True)

    return Story


@bad(
    "Recommendations: indexes that copy a document of 60 KB with every write",
    "TAB007",
    says=(
        "leave `candidates` out of the view, and read it from `RecProfile`",
        ": cover `country` in its place",
    ),
    verdict="warning",
)
def third_recommendations() -> object:
    class RecProfile(bt.Model, table="REC_PROFILE", events="200/s"):
        """What a shopper may like: the candidates, scored, with everything the page shows of them."""

        shopper: UUID = bt.key(bt.UuidText(), cardinality=25_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        segment: str = bt.column("seg", f, size=10, max_size=20, cardinality=500)
        country: str = bt.column("cc", f, size=2, max_size=2, cardinality=60)
        computed: datetime = bt.column("at", f)
        candidates: dict[str, Any] = bt.column("cand", f, size=60_000, max_size=600_000)

        of_shopper = bt.query("shopper")

    class RecBySegment(bt.Index, of=RecProfile, view="REC_BY_SEGMENT"):
        """The profiles of a segment."""

        segment: str = bt.key(bt.Text(max_length=20))
        shopper: UUID = bt.covered()
        candidates: dict[str, Any] = bt.covered()

        of_segment = bt.query("segment")

    class RecByCountry(bt.Index, of=RecProfile, view="REC_BY_COUNTRY"):
        """The profiles of a country, small as it covers a time alone."""

        country: str = bt.key(bt.Text(max_length=2))
        shopper: UUID = bt.covered()
        computed: datetime = bt.covered()

        of_country = bt.query("country")

    return RecProfile, RecBySegment, RecByCountry


@bad(
    "Air freight: a range of a weight that is text",
    "KEY007",
    says=("`from_kg: Decimal = bt.key(bt.mapped(bt.PaddedInt(9)",),
    verdict="warning",
)
def third_air_rates() -> object:
    class AirRate(bt.Model, table="AIR_RATE", events="20/s"):
        """What a kilogram costs from one airport to another, by the weight of the whole: from 45, 100, 250, 500, 1000 kg on."""

        origin: str = bt.key(bt.Text(width=3), cardinality=900)
        destination: str = bt.key(bt.Text(width=3), cardinality=900)
        carrier: str = bt.key(bt.Text(width=2), cardinality=250)
        from_kg: str = bt.key(bt.Text(max_length=5), cardinality=12)

        r = bt.family("r", gc=bt.max_versions(1))
        per_kg: Decimal = bt.column("p", r, size=5)

        up_to = bt.query("origin", "destination", "carrier", between="from_kg")

    return AirRate


@bad(
    "Prices that riders were shown: a snowflake leads the key, which the model does not say",
    "KEY002",
    says=("`quote_id` as `bt.ReversedDigits(19)`", "else declare `sequential=False`"),
    verdict="warning",
)
def third_ride_quotes() -> object:
    class RideQuote(bt.Model, table="RIDE_QUOTE", events="25000/s"):
        """A price that a rider was shown. The booking looks it up by the id that the app sends back."""

        quote_id: int = bt.key(bt.PaddedInt(19), cardinality=6_000_000_000)

        q = bt.family("q", gc=bt.max_age(days=3))
        cents: int = bt.column("c", q)
        shown: datetime = bt.column("t", q)

        of_quote = bt.query("quote_id")

    return RideQuote


@bad(
    "Gift cards: the balance is checked and written with each movement, and each movement is a row",
    "ROW004",
    says=(
        "one row for each `card`, under the key `{card}`",
        "`of_card` then reads the whole row, without `at`",
    ),
    verdict="warning",
)
def third_gift_cards() -> object:
    class CardEntry(bt.Model, table="GIFT_CARD", events="400/s", atomic="card"):
        """A movement on a gift card. The balance after it is checked and written with it, so that nobody spends a card twice."""

        card: UUID = bt.key(bt.UuidText(), cardinality=20_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        e = bt.family("e", gc=bt.keep_all())
        cents: int = bt.column("c", e)
        balance: int = bt.column("b", e)
        till: str | None = bt.column("t", e, size=12, default=None)

        of_card = bt.query("card", between="at")

    return CardEntry


# A fourth set, in other domains.


@bad(
    "Pictures by a hash of their pixels of 32 bits, of which there are 400 million",
    "KEY022",
    says=("`fingerprint` as `bt.HexDigest(32)`",),
    verdict="warning",
)
def fourth_pictures() -> object:
    class PhotoPrint(bt.Model, table="PHOTO_PRINT", events="700/s"):
        """The first upload of a picture, by the hash of its pixels, so that a second upload is not stored again."""

        fingerprint: str = bt.key(bt.HexDigest(8), cardinality=400_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        photo: UUID = bt.column("p", p)
        uploaded: datetime = bt.column("u", p)

        of_picture = bt.query("fingerprint")

    return PhotoPrint


@bad(
    "Routes that peers announce: an address of IPv6 in front of a colon",
    "KEY020",
    says=("holds_delimiter=True",),
    verdict="warning",
)
def fourth_routes() -> object:
    class Announcement(bt.Model, table="ANNOUNCEMENT", delimiter=":", events="2500/s"):
        """An update message of a peer of a collector, over IPv4 or IPv6, with the routes that it announces."""

        collector: str = bt.key(bt.Text(max_length=8), cardinality=40)
        peer: str = bt.key(bt.Text(max_length=39), cardinality=1_400)
        at: datetime = bt.key(bt.EpochMicros())

        r = bt.family("r", gc=bt.max_age(days=365))
        path: str = bt.column("a", r, size=40)

        of_peer = bt.query("collector", "peer", between="at")

    return Announcement


@bad("Strokes of a whiteboard by an ObjectId, which begins with a time", "KEY002", verdict="error")
def fourth_strokes() -> object:
    class Stroke(bt.Model, table="STROKE", events="12000/s"):
        """A stroke on a whiteboard. Its id is the ObjectId that the drawing service mints when the pen is lifted."""

        id: bytes = bt.key(bt.Hex(12), cardinality=3_000_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        board: UUID = bt.column("b", s)
        points: bytes = bt.column("p", s, size=900, max_size=40_000)

        of_id = bt.query("id")

    return Stroke


@bad("Crossings of a border by the line of a passport that machines read", "KEY010", verdict="warning")
def fourth_crossings() -> object:
    class Crossing(bt.Model, table="CROSSING", events="80/s"):
        """A traveller at an e-gate. The gate reads the second line of the machine readable zone."""

        mrz: str = bt.key(bt.Text(width=44), cardinality=30_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=730))
        gate: int = bt.column("g", c)

        of_document = bt.query("mrz", between="at")

    return Crossing


@bad(
    "Refresh tokens: what was written at the login is deleted by age while the token is used",
    "FAM010",
    says=("write the whole row whenever `last_used` is",),
    verdict="warning",
)
def fourth_tokens() -> object:
    class RefreshToken(bt.Model, table="REFRESH_TOKEN", events="1200/s"):
        """A refresh token of a login. It ends 30 days after its last use; each use updates `last_used` alone."""

        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=80), stored=False, cardinality=90_000_000)

        t = bt.family("t", gc=bt.max_age(days=30))
        account: UUID = bt.column("a", t)
        last_used: datetime = bt.column("u", t)

    return RefreshToken


@bad(
    "Builds by a number that is text, in ranges of which nothing is found",
    "KEY007",
    "QRY001",
    says=("write its number with as many digits always",),
    never=("a fixed width",),
)
def fourth_builds() -> object:
    class BuildStep(bt.Model, table="BUILD_STEP", events="300/s"):
        """A step of a build, with its log. Builds of a repository are numbered by the CI server: 1, 2, and so on."""

        repository: str = bt.key(bt.Text(max_length=60), cardinality=20_000)
        build: str = bt.key(bt.Text(max_length=7), cardinality=100_000)
        step: int = bt.key(bt.PaddedInt(3))

        b = bt.family("b", gc=bt.max_age(days=120))
        title: str = bt.column("t", b, size=30)

        of_build = bt.query("repository", "build")
        builds = bt.query("repository", between="build")

    return BuildStep


@good("Answers that are kept for clients who ask twice, by the UUID that they send")
def fourth_answers() -> object:
    class Answer(bt.Model, table="ANSWER", events="4000/s"):
        """The answer to a call, for a client that repeats it within a day."""

        client: int = bt.key(bt.PaddedInt(6), cardinality=200_000, sequential=False)
        token: UUID = bt.key(bt.UuidRaw())

        a = bt.family("a", gc=bt.max_age(days=1))
        status: int = bt.column("s", a)

    return Answer


@good("A table for each of 14 contracts, each of which says how long its rows are kept")
def fourth_spins() -> object:
    class Spin(bt.Model, table="SPIN_{licensee}", events="5/s"):
        """A song on air. Each of our 14 licensees has a table, because contracts set how long its data is kept."""

        station: str = bt.key(bt.Text(max_length=8), cardinality=900)
        at: datetime = bt.key(bt.EpochMillis())

        s = bt.family("s", gc=bt.max_age("{ttl}"))
        isrc: str = bt.column("i", s, size=12)

        of_station = bt.query("station", between="at", span="1day")

    return Spin


# A fifth set.


@bad(
    "Prescriptions: a job reads the whole table every ten minutes for those that are due",
    "QRY001",
    says=('`find_due = bt.query("due")`', "`{due}#{pharmacy}#{number}`"),
    verdict="warning",
)
def fifth_prescriptions() -> object:
    class Prescription(bt.Model, table="PRESCRIPTION", events="150/s"):
        """A repeat prescription; every ten minutes a job looks for those that are due."""

        pharmacy: str = bt.key(bt.Text(width=7), cardinality=18_000)
        number: UUID = bt.key(bt.UuidText(), cardinality=800_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        drug: str = bt.column("d", p, size=12, max_size=60)
        due: date = bt.column("u", p)

        find_due = bt.query(scan="every ten minutes, the due ones of all pharmacies", where=["due"])
        of_pharmacy = bt.query("pharmacy")

    return Prescription


@bad(
    "Whether hosts answer: those below a domain are read together, and the domain is not reversed",
    "KEY011",
    says=("bt.ReversedDomain(120)",),
    verdict="warning",
)
def fifth_uptime() -> object:
    class Probe(bt.Model, table="PROBE", events="3000/s"):
        """Whether a host answered; a customer looks at all hosts below example.com together."""

        host: str = bt.key(bt.Text(max_length=120), cardinality=200_000)
        at: datetime = bt.key(bt.EpochMillis())

        p = bt.family("p", gc=bt.max_age(days=30))
        ok: bool = bt.column("o", p)

        below = bt.query(starting="host")
        of_host = bt.query("host", between="at")

    return Probe


@bad(
    "Saved games: a list of four megabytes is written again with each move",
    "ROW003",
    says=("write one row per event to a second table, and leave `moves` out of this one",),
    verdict="warning",
)
def fifth_games() -> object:
    class Player(bt.Model, table="PLAYER", events="700/s"):
        """A player, with the list of all moves so far; each move is added at its end and the list written again."""

        player: UUID = bt.key(bt.UuidText(), cardinality=3_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        name: str = bt.column("n", g, size=12, max_size=40)
        moves: list[str] = bt.column("m", g, size=4_000_000, max_size=60_000_000)

        of_player = bt.query("player")

    return Player


# A sixth set.


@bad(
    "Sessions of browsers: their end stands in a column, and no GC rule goes by it",
    "FAM010",
    says=("`expires_at: datetime = bt.expires(round=True)`",),
    verdict="warning",
)
def sixth_sessions() -> object:
    class WebSession(bt.Model, table="WEB_SESSION", events="3000/s"):
        """A signed-in browser. The application refuses a session after expires_at, 24 hours after the sign-in."""

        id: str = bt.key(bt.HexDigest(16))

        s = bt.family("s", gc=bt.max_versions(1))
        user: str = bt.column("u", s, size=12)
        expires_at: datetime = bt.column("exp", s)

        one = bt.query("id")

    return WebSession


@good("A subscription is renewed again and again, and its row stays")
def sixth_subscriptions() -> object:
    class Subscription(bt.Model, table="SUBSCRIPTION", events="20/s"):
        """A subscription, which is paid for a month."""

        customer: str = bt.key(bt.HexDigest(16), cardinality=3_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        plan: str = bt.column("p", s, size=8)
        expires_at: datetime = bt.column("exp", s)

        of_customer = bt.query("customer")

    return Subscription


@bad(
    "Heartbeats of cash machines that are read by time alone, behind a salt of two values",
    "KEY003",
    asked=("QRY004",),
    says=('give `shard` more values, `shard = bt.salt("at", "terminal", buckets=18)`',),
    never=("the salt `shard` spreads the rows", "second table"),
    verdict="error",
)
def sixth_heartbeats() -> object:
    class Heartbeat(bt.Model, table="ATM_HEARTBEAT", events="80000/s"):
        """Heartbeats of all cash machines; the control room reads the last minutes of all of them."""

        shard = bt.salt("at", "terminal", buckets=2)
        at: datetime = bt.key(bt.EpochMillis())
        terminal: str = bt.key(bt.Text(width=8), cardinality=800_000)

        h = bt.family("h", gc=bt.max_age(days=3))
        cash: int = bt.column("cash", h)

        recent = bt.query(between="at", span="5min")

    return Heartbeat


@bad(
    "A paper and millions of cells that cite it, under a hash of its name",
    "ROW002",
    asked=("KEY004",),
    says=("`{doi}#{cited_by_key}`, with `name` in it, too, as its key is made from it",),
    never=("brings another fault",),
    verdict="error",
)
def sixth_citations() -> object:
    class Paper(bt.Model, table="PAPER", events="300/s"):
        """A paper, and everything that cites it."""

        doi = bt.digest("name")
        m = bt.family("m", gc=bt.max_versions(1))
        name: str = bt.column("n", m, size=30)

        c = bt.family("c", gc=bt.max_versions(1))
        cited_by: dict[str, str] = bt.mapping(c, bt.Text(max_length=40), entries=4_000_000, size=60)

        one = bt.query("name")

    return Paper


@bad(
    "Scans of whole scores as files of 80 MB",
    "ROW001",
    asked=("KEY004",),
    says=("store `pdf` in an object store, and its address in `p:pdf`; or split it into 8 cells",),
    verdict="warning",
)
def sixth_scores() -> object:
    class Score(bt.Model, table="SHEET_MUSIC", events="2/s"):
        """Scans of sheet music, as one PDF each."""

        work = bt.digest("title")

        s = bt.family("s", gc=bt.max_versions(1))
        title: str = bt.column("title", s, size=40)
        p = bt.family("p", gc=bt.max_versions(1))
        pdf: bytes = bt.column("pdf", p, size=18_000_000, max_size=80_000_000)

        one = bt.query("title")

    return Score


@bad(
    "The dies of a wafer, each in a row of its own, released all at once",
    "ROW004",
    says=("one row for each `wafer`, under the key `{wafer}`, with `x`, `y` in the qualifiers",),
    verdict="warning",
)
def sixth_dies() -> object:
    class Die(bt.Model, table="WAFER_DIE", events="1200/s", atomic="wafer"):
        """The test result of a die. A wafer is released or blocked with all of its dies at once."""

        wafer: str = bt.key(bt.HexDigest(12), cardinality=8_000_000)
        x: int = bt.key(bt.PaddedInt(3), cardinality=40)
        y: int = bt.key(bt.PaddedInt(3), cardinality=40)

        d = bt.family("d", gc=bt.max_versions(1))
        released: bool = bt.column("rel", d)
        yield_class: int = bt.column("bin", d)

        of_wafer = bt.query("wafer")

    return Die


@bad(
    "A table for each pool, whose key is the time alone",
    "TAB002",
    "KEY001",
    says=(
        'one table, `table="POOL"`, with `pool` in the key: `{pool}#{at}`, and give `pool` to `during`, too',
    ),
    never=("second table",),
    verdict="error",
)
def sixth_pools() -> object:
    class PoolReading(bt.Model, table="POOL_{pool}"):
        """Chlorine and pH of a swimming pool, each of our 40,000 pools in a table of its own, so that we can drop it."""

        at: datetime = bt.key(bt.EpochSeconds())

        r = bt.family("r", gc=bt.max_age(days=365))
        ph: float = bt.column("ph", r)
        chlorine: float = bt.column("cl", r)

        during = bt.query(between="at")

    return PoolReading


@bad(
    "Accesses by random ids, of which a page shows those of one secret",
    "QRY001",
    asked=("KEY006",),
    says=('give `secret`, `of_secret = bt.query("secret")`', "`{secret}#{id}`"),
    never=("no other schema serves it",),
    verdict="warning",
)
def sixth_accesses() -> object:
    class SecretAccess(bt.Model, table="SECRET_ACCESS", events="900/s"):
        """Who read which secret. The page of a secret shows its accesses of the last days."""

        id: UUID = bt.key(bt.UuidRaw(), cardinality=2_000_000_000)

        a = bt.family("a", gc=bt.max_age(days=90))
        secret: str = bt.column("secret", a, size=40, cardinality=200_000)
        actor: str = bt.column("actor", a, size=20)
        at: datetime = bt.column("at", a)

        of_secret = bt.query(scan="the page of a secret", where=["secret"])

    return SecretAccess
