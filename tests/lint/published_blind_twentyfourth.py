"""A twenty-fourth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from blind24_form import fault

import btmodel as bt


@fault(
    wrong="the key begins with a UUID of version 7, whose first 48 bits are the time: all 60,000 writes/s go to the end of the table",
    fix="put the placement in front, `{placement}#{impression}`, and give it in the query; or a salt/digest of the id in front",
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


@fault(
    wrong="country, language and the date of signing up are written once, when the user signs up, and share a family with an age of 45 days: they vanish",
    fix="a family of its own for them, with `bt.max_versions(1)`",
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


@fault(
    wrong="the clicks on one of the five large ads come at 2,000/s, into one column of one row, whose versions are whole milliseconds: clicks of the same millisecond overwrite one another, and the row is hot",
    fix="a row per click: `{ad}#{at}#{click id}`, or a count with an aggregate",
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


@fault(
    wrong="two messages of a room in the same second have the same key: the second replaces the first",
    fix="add the id of the message (or its sender and sequence) to the end of the key",
)
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


@fault(
    wrong="every payment reads the list, adds itself and writes it back: two payments at once lose one, and each rewrites 12 KB",
    fix="a row a payment, `{card}#{at}`, or a history/mapping with one cell a payment",
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


@fault(
    wrong="the assignments of a user are looked for at every page load by a scan of the whole table, which is ordered by experiment",
    fix="`{user}#{experiment}` (or a second table / an index in that order), and a query with `user` given",
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


@fault(
    wrong="256 salts for 1,500 rows a second: each reading of a member's history is 256 reads, and the member in front would spread by itself",
    fix="drop the salt: `{member}#{at}`",
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


@fault(
    wrong="each day's list is a plain column of which reads give the newest alone, and ten versions of 90 KB of it are kept",
    fix="`bt.max_versions(1)`",
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


@fault(
    wrong="the telephone number of a person is the row key: personal data in keys shows up in logs and metrics, and cannot be changed",
    fix="a keyed digest of it, `bt.digest('phone')` with `stored=False`, or an id",
)
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


@fault(
    wrong="the changes can be read for a day, and the job that follows them runs on Sundays: six of seven days are lost",
    fix="`change_stream='7d'` is the most and leaves no margin: let the job run daily (and keep the stream some days)",
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


@fault(
    wrong="auditors are promised seven years, and the family deletes after one",
    fix="`bt.max_age(days=2557)`",
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


@fault(
    wrong="a row holds all values of a lift for two years, one every two seconds: 31 million versions in one row, about a GB",
    fix="a bucket: `{lift}#{day}`",
)
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


@fault(
    wrong="one row counts the viewers of a stream, and a final is added to 8,000 times a second: one row is one node's work at most",
    fix="spread the count of a stream over shards: `{stream}#{shard}` and add them up when read",
)
def twentyfourth_live_viewers() -> object:
    class LiveViewers(bt.Model, table="live_viewers", events="30000/s"):
        """How many joined a live stream; in a final, the stream is joined 8,000 times a second."""

        stream: str = bt.key(bt.HexDigest(12), cardinality=50_000)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        joined: int | None = bt.counter("j", n, increments="8000/s")

        of_stream = bt.query("stream")

    return LiveViewers


@fault(
    wrong="the points are in the key and change with every match: each match leaves the old row of the player standing, and the board shows a player many times",
    fix="a row a player with the points as a column, the board as an index/ a rebuilt snapshot; or delete the old row with the write (twins)",
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


@fault(
    wrong="eight cities in front of the time: 70,000 writes a second go to eight places, one of them a third of all",
    fix="put the vehicle in front of the time, `{city}#{vehicle}#{at}`, or a salt in front",
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


@fault(
    wrong="the rollup groups by month what the table keeps for ten days: what garbage collection deletes is gone from the sums",
    fix="an age of the table of more than a month and some days, or a rollup by day; or counters of the month",
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

    return [Usage, UsageOfMonth]


@fault(
    wrong="changes of a row come out of order by up to 20 minutes, and the last that is written wins: an old state replaces a newer one for good",
    fix="the commit time as the timestamp of the cells, `bt.timestamp()`",
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


@fault(
    wrong="keys of 440 bytes for edges without a value of note: subject, predicate and object are whole addresses, stored and sent with each of 900 million rows",
    fix="ids of the entities (digests of 16 bytes) in the key and the addresses in a table of their own",
)
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


@fault(
    wrong="the list of a shop's products shows title and price, and each row of it brings 6 KB of embedding and 300 KB of picture from the same family",
    fix="`only=['title', 'cents']` in the listing and the large columns in a family (or table) of their own",
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


@fault(
    wrong="the lines of a cart must change at once, and each is a row: Bigtable has no transaction over rows",
    fix="one row a cart, the lines as a mapping: `{cart}`",
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


@fault(
    wrong="a table for each of 20,000 shops: an instance has at most 1,000 tables",
    fix="one table with the shop in front of the key",
)
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


@fault(
    wrong="the rule deletes only what is old AND not the newest: the newest code of everyone is kept for ever, though it is to be gone after a day",
    fix="`bt.max_age(days=1)`, or `bt.max_versions(1) | bt.max_age(days=1)`",
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
