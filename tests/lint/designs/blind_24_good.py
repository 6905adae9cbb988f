"""A twenty-fourth set of designs by people who had not read the rules: the good ones, each close to a fault."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import good

import btmodel as bt


@good("a UUID of version 7 in the key, and a placement of a million in front of it")
def twentyfourth_shown_banner() -> object:
    class ShownBanner(bt.Model, table="shown_banner", events="60000/s"):
        """An advertisement that was shown. The edge makes the id, a UUID of version 7, so the newest of a placement come last."""

        placement: str = bt.key(bt.HexDigest(10), cardinality=1_000_000)
        impression: UUID = bt.key(bt.UuidRaw())

        i = bt.family("i", gc=bt.max_age(days=14))
        campaign: int = bt.column("ca", i)
        bid_micros: int = bt.column("bid", i)

        for_click = bt.query("placement", "impression")
        of_placement = bt.query("placement")

    return ShownBanner


@good("the time in front, at a rate of two in a minute")
def twentyfourth_rollout() -> object:
    class Rollout(bt.Model, table="rollout", events="2/min"):
        """A deployment of any service; the room for incidents shows those of the last hour."""

        at: datetime = bt.key(bt.ReversedMillis())
        service: str = bt.key(bt.Text(max_length=40), cardinality=3_000, size=16)

        r = bt.family("r", gc=bt.max_age(days=400))
        version: str = bt.column("v", r, size=20)
        by: str = bt.column("by", r, size=12)

        lately = bt.query(between="at", span="1h")

    return Rollout


@good("a date in front that is no time of writing: the days of old newspapers, digitised in no order")
def twentyfourth_newspaper_page() -> object:
    class NewspaperPage(bt.Model, table="newspaper_page", events="400/s"):
        """A page of an old newspaper; libraries scan what they have, in any order."""

        printed: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, cardinality=80_000)
        paper: str = bt.key(bt.HexDigest(8), cardinality=9_000)
        page: int = bt.key(bt.PaddedInt(3), cardinality=120)

        p = bt.family("p", gc=bt.max_versions(1))
        text: str = bt.column("t", p, size=9_000, max_size=60_000)

        of_day = bt.query("printed")
        one = bt.query("printed", "paper")

    return NewspaperPage


@good(
    "all features are computed anew every night, so an age of five days deletes only those of users who are gone"
)
def twentyfourth_nightly_features() -> object:
    class NightlyFeatures(bt.Model, table="nightly_features", events="15000/s"):
        """What the models know of a user. A job writes every column of every user each night."""

        user: str = bt.key(bt.HexDigest(16), cardinality=300_000_000)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=5))
        clicks_7d: int = bt.column("c7", f)
        country: str = bt.column("co", f, size=2)
        signed_up: date = bt.column("su", f)

        online = bt.query("user")

    return NightlyFeatures


@good("numbers given one after the other, with their digits reversed")
def twentyfourth_invoice() -> object:
    class Invoice(bt.Model, table="invoice", events="3000/s"):
        """An invoice, by its number."""

        number: int = bt.key(bt.ReversedDigits(12), cardinality=4_000_000_000, sequential=True)

        i = bt.family("i", gc=bt.max_age(days=3_653))
        customer: str = bt.column("c", i, size=10)
        total: Decimal = bt.column("t", i, size=7)
        issued: date = bt.column("d", i)

        by_number = bt.query("number")

    return Invoice


@good("seconds in the key, and the id of the message behind them")
def twentyfourth_direct_message() -> object:
    class DirectMessage(bt.Model, table="direct_message", events="40000/s"):
        """A message between two people."""

        talk: str = bt.key(bt.HexDigest(16), cardinality=900_000_000)
        sent: datetime = bt.key(bt.ReversedSeconds(round=True))
        message: str = bt.key(bt.HexDigest(12))

        m = bt.family("m", gc=bt.keep_all())
        author: str = bt.column("by", m, size=16)
        text: str = bt.column("t", m, size=60, max_size=4_000)

        latest = bt.query("talk", between="sent")

    return DirectMessage


@good("five regions in front, and behind each a digest that spreads: nothing grows at an end")
def twentyfourth_regional_profile() -> object:
    class RegionalProfile(bt.Model, table="regional_profile", events="50000/s"):
        """What is known of a user, kept apart by region; the region is that of the contract and stays."""

        region: str = bt.key(bt.Text(width=2), cardinality=5, changes=False)
        user: str = bt.key(bt.HexDigest(16), cardinality=400_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        name: str = bt.column("n", p, size=20, max_size=80)
        interests: str = bt.column("in", p, size=200, max_size=2_000)

        one = bt.query("region", "user")

    return RegionalProfile


@good("one tenant has 70 % of the events, and the random document behind it spreads them")
def twentyfourth_tenant_document() -> object:
    class TenantDocument(bt.Model, table="tenant_document", events="18000/s"):
        """A document of a customer of the search service."""

        tenant: str = bt.key(bt.Text(max_length=12), cardinality=2_000, skew="70%:1", tenant=True, size=8)
        document: str = bt.key(bt.HexDigest(16), cardinality=600_000_000)

        d = bt.family("d", gc=bt.max_versions(1))
        body: str = bt.column("b", d, size=3_000, max_size=200_000)
        changed: datetime = bt.column("ch", d)

        one = bt.query("tenant", "document")
        reindex = bt.query("tenant")

    return TenantDocument


@good("a count that is spread over 64 rows of a stream, chosen by chance")
def twentyfourth_viewer_shard() -> object:
    class ViewerShard(bt.Model, table="viewer_shard", events="30000/s"):
        """How many joined a live stream, in 64 parts. A server adds to a part by chance; the sum of all is shown."""

        part: int = bt.key(bt.PaddedInt(2), cardinality=64, sequential=False)
        stream: str = bt.key(bt.HexDigest(12), cardinality=50_000)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        joined: int | None = bt.counter("j", n, increments="100/s")

        one = bt.query("part", "stream")

    return ViewerShard


@good("versions of a value of each two seconds, in a row of a day")
def twentyfourth_escalator_day() -> object:
    class EscalatorDay(bt.Model, table="escalator_day", bucket="day", events="15000/s"):
        """A day of an escalator's motor, which reports every two seconds."""

        escalator: str = bt.key(bt.HexDigest(10), cardinality=30_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        v = bt.family("v", gc=bt.max_age(days=730))
        amperes: bt.History[float] = bt.history("a", v, every="2s")

        of_escalator = bt.query("escalator", between="day", span="1day")

    return EscalatorDay


@good("the newest is kept for ever and older ones for thirty days, which is what the docstring says")
def twentyfourth_device_shadow() -> object:
    class DeviceShadow(bt.Model, table="device_shadow", events="5000/s"):
        """What a device last reported. The last state stays as long as the device; older states for thirty days, for support."""

        device: str = bt.key(bt.HexDigest(12), cardinality=20_000_000)

        s = bt.family("s", gc=bt.max_versions(1) & bt.max_age(days=30))
        state: bt.History[str] = bt.history("st", s, every="1h", size=120, max_size=900)

        of_device = bt.query("device")

    return DeviceShadow


@good("changes out of order, and the time of the commit as the timestamp of the cells")
def twentyfourth_order_replica() -> object:
    class OrderReplica(bt.Model, table="order_replica", events="6000/s", lateness="20min"):
        """A row of the table `orders` in Postgres as it is now. Workers take the changes in any order."""

        order: UUID = bt.key(bt.UuidText(), cardinality=700_000_000)
        committed: datetime = bt.timestamp(round=True)

        r = bt.family("r", gc=bt.max_versions(1))
        total: Decimal = bt.column("tot", r, size=8)
        status: str = bt.column("st", r, size=8)

        by_id = bt.query("order")

    return OrderReplica


@good("the rank is the key, and its row is replaced: no row moves")
def twentyfourth_board_place() -> object:
    class BoardPlace(bt.Model, table="board_place", events="100/s"):
        """The hundred best of a game. A job computes the board every minute and writes all places anew."""

        game: str = bt.key(bt.Text(max_length=20), cardinality=60, size=9)
        place: int = bt.key(bt.PaddedInt(3), cardinality=100, sequential=False)

        b = bt.family("b", gc=bt.max_versions(1))
        player: str = bt.column("p", b, size=12)
        points: int = bt.column("pts", b)

        board = bt.query("game")

    return BoardPlace


@good("the mail address is not stored: the key is a digest of it")
def twentyfourth_mail_lookup() -> object:
    class MailLookup(bt.Model, table="mail_lookup", events="500/s"):
        """The account of a mail address; the address itself is nowhere in the table."""

        id = bt.digest("email")
        email: str | None = bt.key(bt.Text(max_length=120), stored=False, cardinality=150_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        account: str = bt.column("a", m, size=16)

        of_mail = bt.query("email")

    return MailLookup


@good("seven years are promised and kept")
def twentyfourth_ledger_entry() -> object:
    class LedgerEntry(bt.Model, table="ledger_entry", events="2000/s"):
        """What was booked on an account. The law obliges us to keep each entry for seven years."""

        account: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)
        at: datetime = bt.key(bt.ReversedMicros())
        entry: str = bt.key(bt.HexDigest(8))

        e = bt.family("e", gc=bt.max_age(days=2_557))
        amount: Decimal = bt.column("a", e, size=8)
        text: str = bt.column("t", e, size=60, max_size=300)

        of_account = bt.query("account", between="at")

    return LedgerEntry


@good("large vectors and pictures in families of their own, and a listing that reads two columns")
def twentyfourth_catalogue_item() -> object:
    class CatalogueItem(bt.Model, table="catalogue_item", events="200/s"):
        """A product of a shop, with the vector for similar ones. The shop's page lists title and price of all."""

        shop: str = bt.key(bt.HexDigest(10), cardinality=80_000)
        product: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        v = bt.family("v", gc=bt.max_versions(1))
        title: str = bt.column("t", p, size=60, max_size=200)
        cents: int = bt.column("c", p)
        vector: bytes = bt.column("e", v, size=6_144, max_size=6_144)
        picture: bytes = bt.column("pic", v, size=300_000, max_size=2_000_000)

        shop_page = bt.query("shop", only=["title", "cents"])
        one = bt.query("shop", "product")

    return CatalogueItem


@good("the whole table is read once a night for an export, and requests are served by the key")
def twentyfourth_variant() -> object:
    class Variant(bt.Model, table="variant", events="3000/s"):
        """Which variants of all running experiments a user sees."""

        user: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)
        experiment: str = bt.key(bt.Text(max_length=40), cardinality=900, size=18)

        a = bt.family("a", gc=bt.max_age(days=120))
        variant: str = bt.column("v", a, size=8)
        since: datetime = bt.column("s", a)

        of_user = bt.query("user")
        export = bt.query(scan="the nightly export to BigQuery takes all rows")

    return Variant


@good("zones that stay where they are, in the order of the geohash")
def twentyfourth_zone_cell() -> object:
    class ZoneCell(bt.Model, table="zone_cell", events="20/s"):
        """A cell of the earth and a zone that covers it: zones are drawn by people, and do not move."""

        geohash: str = bt.key(bt.Text(width=7), cardinality=50_000_000)
        zone: str = bt.key(bt.HexDigest(8), cardinality=400_000)

        z = bt.family("z", gc=bt.max_versions(1))
        kind: str = bt.column("k", z, size=8)
        cover: int = bt.column("c", z)

        near = bt.query(starting="geohash")
        at_cell = bt.query("geohash")

    return ZoneCell


@good("eight salts for a stream that is read in the order of time by one consumer, five minutes at a time")
def twentyfourth_firehose() -> object:
    class Firehose(bt.Model, table="firehose", events="30000/s"):
        """All page views of the last two days in their order; a consumer replays five minutes at a time."""

        shard = bt.salt("view", buckets=8)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        view: str = bt.key(bt.HexDigest(16))

        f = bt.family("f", gc=bt.max_age(days=2))
        page: str = bt.column("p", f, size=50, max_size=500)
        visitor: str = bt.column("v", f, size=16)

        replay = bt.query(between="at", span="5min")

    return Firehose


@good("a rollup by the day of what is kept for 400 days")
def twentyfourth_metered_call() -> object:
    class MeteredCall(bt.Model, table="metered_call", events="800/s"):
        """A call of the platform by a customer, kept for 400 days."""

        call: str = bt.key(bt.HexDigest(16), cardinality=30_000_000_000)

        u = bt.family("u", gc=bt.max_age(days=400))
        customer: str = bt.column("cu", u, codec=bt.AsInKey(bt.HexDigest(10)), cardinality=60_000)
        tokens: int = bt.column("tok", u)
        used: datetime = bt.column("at", u)

        one = bt.query("call")

    class CallsOfDay(bt.Rollup, of=MeteredCall, view="calls_of_day"):
        """What a customer used on a day."""

        customer: str = bt.key(bt.HexDigest(10), cardinality=60_000)
        day: date = bt.key(bt.DateText("%Y%m%d"), of="used")

        calls: int = bt.count()
        tokens: int = bt.sum_of("tokens")

        invoice = bt.query("customer", between="day")

    return MeteredCall, CallsOfDay


@good("a table for each of four regions")
def twentyfourth_region_event() -> object:
    class RegionEvent(bt.Model, table="events_{region}", events="3000/s"):
        """What happened in a game. Each of the four regions has its own table, as the data must not leave it."""

        player: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)
        at: datetime = bt.key(bt.EpochMicros())

        e = bt.family("e", gc=bt.max_age(days=90))
        action: str = bt.column("a", e, size=10)
        level: int = bt.column("l", e)

        of_player = bt.query("player", between="at")

    return RegionEvent


class Result(StrEnum):
    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"


@good("the result in the key is that of a match that is over, and never changes")
def twentyfourth_finished_match() -> object:
    class FinishedMatch(bt.Model, table="finished_match", events="1500/s"):
        """A match that is over, by what the player made of it; a row is written when the match has ended, and never again."""

        player: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)
        result: Result = bt.key(bt.EnumText(Result), changes=False)
        ended: datetime = bt.key(bt.ReversedMillis(round=True))
        match: str = bt.key(bt.HexDigest(8))

        m = bt.family("m", gc=bt.max_age(timedelta(days=730)))
        seconds: int = bt.column("s", m)
        opponent: str = bt.column("o", m, size=12)

        won_or_lost = bt.query("player", "result", between="ended")
        all_of = bt.query("player")

    return FinishedMatch
