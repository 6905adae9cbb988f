"""A twenty-fourth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Shown advertisements by a UUID of version 7",
    "KEY002",
    says=("`{salt}#{impression}`",),
    verdict="error",
)
def twentyfourth_impression() -> object:
    class Impression(bt.Model, table="impression", events="60000/s"):
        """An advertisement that was shown. The edge makes the id, a UUID of version 7, and the click carries it."""

        impression: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000_000)

        i = bt.family("i", gc=bt.max_age(days=14))
        placement: str = bt.column("pl", i, size=10)
        campaign: int = bt.column("ca", i)
        bid_micros: int = bt.column("bid", i)
        country: str = bt.column("co", i, size=2)

        for_click = bt.query("impression")

    return Impression


@bad(
    "Features of users, of which some are written once",
    "FAM010",
    says=("give `country`, `language`, `signed_up` a family of their own",),
    verdict="warning",
)
def twentyfourth_user_features() -> object:
    class UserFeatures(bt.Model, table="user_features", events="9000/s"):
        """What the ranking models know of a user when a page is built.

        The counts are computed anew every hour from the stream. Country, language and the date of signing up are written
        once, when the account is made.
        """

        user: str = bt.key(bt.HexDigest(16), cardinality=300_000_000)

        f = bt.family("f", gc=bt.max_age(days=45))
        clicks_7d: int | None = bt.column("c7", f, default=None)
        buys_30d: int | None = bt.column("b30", f, default=None)
        country: str | None = bt.column("co", f, size=2, default=None)
        language: str | None = bt.column("la", f, size=5, default=None)
        signed_up: date | None = bt.column("su", f, default=None)

        online = bt.query("user")

    return UserFeatures


@bad(
    "Clicks of an hour as versions of a column",
    "KEY013",
    "KEY017",
    says=("`{ad}#{at}#{id}`",),
    verdict="warning",
)
def twentyfourth_ad_clicks() -> object:
    class AdClicks(bt.Model, table="ad_clicks", bucket="hour", events="20000/s"):
        """The clicks of an hour on an advertisement: each with the visitor who clicked."""

        ad: str = bt.key(bt.HexDigest(12), cardinality=3_000, skew="50%:5")
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        c = bt.family("c", gc=bt.max_age(days=7))
        visitor: bt.History[str] = bt.history("v", c, size=16)

        of_ad = bt.query("ad", between="hour")

    return AdClicks


@bad("Messages of a room by the second", "KEY017", says=("`{room}#{sent}#{id}`",), verdict="warning")
def twentyfourth_room_message() -> object:
    class RoomMessage(bt.Model, table="room_message", events="25000/s"):
        """A message in a group chat."""

        room: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)
        sent: datetime = bt.key(bt.ReversedSeconds(round=True))

        m = bt.family("m", gc=bt.keep_all())
        author: str = bt.column("by", m, size=16)
        text: str = bt.column("t", m, size=80, max_size=4_000)

        latest = bt.query("room", between="sent")

    return RoomMessage


@bad(
    "The last payments of a card as a list that grows",
    "COL009",
    says=('`bt.family("w2", gc=bt.max_versions(200))`',),
    verdict="warning",
)
def twentyfourth_card_window() -> object:
    class CardWindow(bt.Model, table="card_window", events="12000/s"):
        """The last 200 payments of a card, to which each new payment is appended and the oldest dropped, for the velocity checks."""

        card: str = bt.key(bt.HexDigest(16), cardinality=80_000_000)

        w = bt.family("w", gc=bt.max_versions(1))
        payments: list[dict[str, str]] = bt.column("p", w, size=12_000, max_size=40_000)
        blocked: bool | None = bt.column("b", w, default=None)

        check = bt.query("card")

    return CardWindow


@bad(
    "Experiments of a user, by a scan for each page",
    "QRY001",
    says=(
        'give `user`, `of_user = bt.query("user")`, and order the fields by what queries give: `{user}#{experiment}`',
    ),
    verdict="warning",
)
def twentyfourth_assignment() -> object:
    class Assignment(bt.Model, table="assignment", events="3000/s"):
        """Which variant of an experiment a user sees."""

        experiment: str = bt.key(bt.Text(max_length=40), cardinality=900, size=18)
        user: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        variant: str = bt.column("v", a, size=8)
        since: datetime = bt.column("s", a)

        is_in = bt.query("experiment", "user")
        of_user = bt.query(scan="every page load asks in which experiments its user is", where=["user"])

    return Assignment


@bad(
    "Searches of a member behind 256 salts",
    "KEY005",
    says=("leave out `shard`: `{member}#{at}`",),
    verdict="warning",
)
def twentyfourth_search_history() -> object:
    class SearchHistory(bt.Model, table="search_history", events="1500/s"):
        """What a member searched for; shown below the search box whenever it is opened."""

        shard = bt.salt("at", "member", buckets=256)
        member: str = bt.key(bt.HexDigest(16), cardinality=120_000_000)
        at: datetime = bt.key(bt.ReversedMillis())

        s = bt.family("s", gc=bt.max_age(days=180))
        words: str = bt.column("w", s, size=24, max_size=400)
        hits: int = bt.column("h", s)

        of_member = bt.query("member", between="at")

    return SearchHistory


@bad(
    "Ten versions of a list of which the newest is shown",
    "ROW002",
    says=('keep the newest version: `bt.family("r", gc=bt.max_versions(1))`',),
    verdict="warning",
)
def twentyfourth_recommendation() -> object:
    class Recommendation(bt.Model, table="recommendation", events="5000/s"):
        """What we recommend to a viewer, computed every night; the page shows what was computed last."""

        viewer: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

        r = bt.family("r", gc=bt.max_versions(10))
        ranked: dict[str, float] = bt.column("r", r, size=90_000, max_size=200_000)
        model: str = bt.column("m", r, size=12)

        of_viewer = bt.query("viewer")

    return Recommendation


@bad("Logins by telephone number", "KEY010", says=("`{person_id}#{at}`",), verdict="warning")
def twentyfourth_login() -> object:
    class Login(bt.Model, table="login", events="4000/s"):
        """The logins of an account, found by the telephone number that the person typed."""

        phone: str = bt.key(bt.Text(max_length=16), cardinality=150_000_000, size=12)
        at: datetime = bt.key(bt.ReversedMillis())

        o = bt.family("o", gc=bt.max_age(days=90))
        address: str = bt.column("ip", o, size=14)
        agent: str = bt.column("ua", o, size=120, max_size=600)
        ok: bool = bt.column("ok", o)

        of_phone = bt.query("phone", between="at")

    return Login


@bad(
    "A change stream of a day that is read once a week",
    "TAB011",
    says=('`change_stream="7d"`',),
    verdict="warning",
)
def twentyfourth_listing() -> object:
    class Listing(
        bt.Model, table=bt.table("listing", change_stream="1d", deletion_protection=True), events="700/s"
    ):
        """An article that is for sale. A job follows the changes of this table once a week, on Sundays, and brings them to the search index."""

        listing: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        title: str = bt.column("t", s, size=60, max_size=200)
        cents: int = bt.column("c", s)
        seller: str = bt.column("by", s, size=16)

        by_id = bt.query("listing")

    return Listing


@bad(
    "An audit log that the law wants for seven years, kept for one",
    "FAM010",
    says=('`bt.family("e", gc=bt.max_age(days=2_557))`',),
    verdict="warning",
)
def twentyfourth_admin_action() -> object:
    class AdminAction(bt.Model, table="admin_action", events="300/s"):
        """What an employee did in the back office. The law obliges us to keep each entry for seven years."""

        account: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)
        at: datetime = bt.key(bt.ReversedMicros())
        entry: str = bt.key(bt.HexDigest(8))

        e = bt.family("e", gc=bt.max_age(days=365))
        employee: str = bt.column("by", e, size=10)
        action: str = bt.column("do", e, size=20)
        before: str | None = bt.column("old", e, size=300, max_size=4_000, default=None)

        of_account = bt.query("account", between="at")

    return AdminAction


@bad("All values of a motor in one row", "ROW002", says=("`{lift}#{day}`",), verdict="error")
def twentyfourth_lift_motor() -> object:
    class LiftMotor(bt.Model, table="lift_motor", events="15000/s"):
        """The motor of a lift; its controller reports every two seconds."""

        lift: str = bt.key(bt.HexDigest(10), cardinality=30_000)

        v = bt.family("v", gc=bt.max_age(days=730))
        i = bt.family("i", gc=bt.max_versions(1))
        amperes: bt.History[float] = bt.history("a", v, every="2s")
        site: str | None = bt.column("site", i, size=30, default=None)

        of_lift = bt.query("lift")

    return LiftMotor


@bad("A counter of a final in one row", "KEY013", says=("`{stream}#{shard}`",), verdict="warning")
def twentyfourth_live_viewers() -> object:
    class LiveViewers(bt.Model, table="live_viewers", events="30000/s"):
        """How many joined a live stream; in a final, the stream is joined 8,000 times a second."""

        stream: str = bt.key(bt.HexDigest(12), cardinality=50_000)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        joined: int | None = bt.counter("j", n, increments="8000/s")

        of_stream = bt.query("stream")

    return LiveViewers


@bad(
    "A ladder by points, which change",
    "KEY021",
    says=("`bt.twins(Ladder, LadderTop, owned=True)`",),
    verdict="warning",
)
def twentyfourth_ladder() -> object:
    class Ladder(bt.Model, table="ladder", events="900/s"):
        """The players of a season, the best first. After each match the player's points are raised or lowered."""

        season: str = bt.key(bt.Text(width=6), cardinality=40)
        points: int = bt.key(bt.Descending(bt.PaddedInt(6)), cardinality=5_000)
        player: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        name: str = bt.column("n", p, size=14, max_size=40)
        wins: int = bt.column("w", p)

        top = bt.query("season")

    return Ladder


@bad(
    "Crossings of eight cities by time", "KEY003", says=("`{salt}#{city}#{at}#{vehicle}`",), verdict="warning"
)
def twentyfourth_fence_crossing() -> object:
    class FenceCrossing(bt.Model, table="fence_crossing", events="70000/s"):
        """A vehicle crossed the border of a zone of a city."""

        city: str = bt.key(bt.Text(width=3), cardinality=8)
        at: datetime = bt.key(bt.EpochMicros())
        vehicle: str = bt.key(bt.HexDigest(12), cardinality=2_500_000)

        c = bt.family("c", gc=bt.max_age(days=30))
        zone: int = bt.column("z", c)
        inward: bool = bt.column("in", c)

        in_city = bt.query("city", between="at", span="5min")

    return FenceCrossing


@bad(
    "A rollup of a month over rows of ten days",
    "FAM006",
    says=('`bt.family("u", gc=bt.max_age(days=62))`',),
    verdict="warning",
)
def twentyfourth_usage() -> object:
    class Usage(bt.Model, table="usage", events="8000/s"):
        """What a customer of the platform used, one row a request; the raw rows are needed for ten days."""

        customer: str = bt.key(bt.HexDigest(10), cardinality=60_000)
        at: datetime = bt.key(bt.EpochMicros())
        request: str = bt.key(bt.HexDigest(8))

        u = bt.family("u", gc=bt.max_age(days=10))
        tokens: int = bt.column("tok", u)
        customer_again: str = bt.column("cu", u, codec=bt.AsInKey(bt.HexDigest(10)))
        used: datetime = bt.column("at", u)

        raw = bt.query("customer", between="at", span="1h")

    class UsageOfMonth(bt.Rollup, of=Usage, view="usage_of_month"):
        """What the invoice of a month says."""

        customer: str = bt.key(bt.HexDigest(10), cardinality=60_000, of="customer_again")
        month: date = bt.key(bt.DateText("%Y%m"), of="used")

        tokens: int = bt.sum_of("tokens")

        invoice = bt.query("customer", "month")

    return Usage, UsageOfMonth


@bad(
    "A copy of rows whose changes come in any order",
    "ROW008",
    says=("`committed: datetime = bt.timestamp()`",),
    verdict="warning",
)
def twentyfourth_replica() -> object:
    class AccountReplica(bt.Model, table="account_replica", events="6000/s", lateness="20min"):
        """A row of the table `account` in Postgres as it is now. Workers take the changes from partitions of a log, in any order."""

        account: UUID = bt.key(bt.UuidText(), cardinality=70_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        balance: Decimal = bt.column("bal", r, size=8)
        status: str = bt.column("st", r, size=8)
        committed: datetime = bt.column("lsn_at", r)

        by_id = bt.query("account")

    return AccountReplica


@bad("Facts by three addresses", "KEY009", says=('`object_hash = bt.digest("object")`',), verdict="warning")
def twentyfourth_triple() -> object:
    class Triple(bt.Model, table="triple", delimiter="\x1f", events="4000/s"):
        """A fact: subject, predicate and object, each by its IRI."""

        subject: str = bt.key(bt.Text(max_length=900), cardinality=60_000_000, size=150)
        predicate: str = bt.key(bt.Text(max_length=900), cardinality=8_000, size=120)
        object: str = bt.key(bt.Text(max_length=900), cardinality=200_000_000, size=170)

        t = bt.family("t", gc=bt.max_versions(1))
        sure: float = bt.column("s", t)

        of_subject = bt.query("subject")
        of_predicate = bt.query("subject", "predicate")

    return Triple


@bad(
    "A list of products with their pictures and vectors",
    "QRY005",
    says=("give `picture`, `vector` a family of their own",),
    verdict="warning",
)
def twentyfourth_product() -> object:
    class Product(bt.Model, table="product", events="200/s"):
        """A product of a shop, with the vector for similar ones. The shop's page lists title and price of all."""

        shop: str = bt.key(bt.HexDigest(10), cardinality=80_000)
        product: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        title: str = bt.column("t", p, size=60, max_size=200)
        cents: int = bt.column("c", p)
        vector: bytes = bt.column("v", p, size=6_144, max_size=6_144)
        picture: bytes = bt.column("pic", p, size=300_000, max_size=2_000_000)

        shop_page = bt.query("shop")
        one = bt.query("shop", "product")

    return Product


@bad(
    "Lines of a cart that must change at once", "ROW004", says=("under the key `{cart}`",), verdict="warning"
)
def twentyfourth_cart_line() -> object:
    class CartLine(bt.Model, table="cart_line", events="2500/s", atomic="cart"):
        """A line of a cart. Moving the cart to an order takes all its lines or none."""

        cart: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)
        article: str = bt.key(bt.HexDigest(10), cardinality=5_000_000)

        n = bt.family("l", gc=bt.max_age(days=60))
        pieces: int = bt.column("n", n)
        cents: int = bt.column("c", n)

        of_cart = bt.query("cart")

    return CartLine


@bad("A table for each of 20,000 shops", "TAB002", says=("`{shop}#{visitor}#{at}`",), verdict="warning")
def twentyfourth_shop_event() -> object:
    class ShopEvent(bt.Model, table="events_{shop}", events="2/s"):
        """What happened in a shop. Each of our 20,000 shops has its own table, so that it can be dropped when the shop leaves."""

        visitor: str = bt.key(bt.HexDigest(16), cardinality=500_000)
        at: datetime = bt.key(bt.EpochMicros())

        e = bt.family("e", gc=bt.max_age(days=90))
        action: str = bt.column("a", e, size=10)
        page: str = bt.column("p", e, size=40, max_size=300)

        of_visitor = bt.query("visitor", between="at")

    return ShopEvent


class Channel(StrEnum):
    SMS = "sms"
    MAIL = "mail"


@bad(
    "Codes of a day under an intersection",
    "FAM010",
    says=('let the GC rule do it: `bt.family("c", gc=bt.max_age(days=1))`',),
    verdict="warning",
)
def twentyfourth_one_time_code() -> object:
    class OneTimeCode(bt.Model, table="one_time_code", events="2000/s"):
        """The code that was sent to an account, by each channel. A code is deleted after a day."""

        account: str = bt.key(bt.HexDigest(16), cardinality=150_000_000)
        channel: Channel = bt.key(bt.EnumText(Channel))

        c = bt.family("c", gc=bt.max_versions(1) & bt.max_age(days=1))
        code: str = bt.column("c", c, size=64)
        tries: int = bt.column("n", c)

        check = bt.query("account", "channel")

    return OneTimeCode
