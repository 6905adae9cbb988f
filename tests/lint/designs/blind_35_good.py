"""A thirty-fifth set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid4

from published import good

import btmodel as bt


@good("Exchange rates by day, forty rows a day")
def thirtyfifth_exchange_rates_by_day_forty_rows_a_day() -> object:
    class ReferenceRate(bt.Model, table="reference_rates", events="40/day"):
        """The reference rate of a currency against the euro on a day, copied from the central bank once each afternoon. Reports read all currencies of some days."""

        day: date = bt.key(bt.DateText("%Y%m%d"))
        currency: str = bt.key(bt.Text(width=3), cardinality=40)

        r = bt.family("r", gc=bt.max_versions(1))
        rate: Decimal = bt.column("r", r, size=8)

        of_day = bt.query("day")
        between_days = bt.query(between="day", span="30days")

    return ReferenceRate


@good("Counters in twenty parts")
def thirtyfifth_counters_in_twenty_parts() -> object:
    class StreamReactions(bt.Model, table="stream_reactions", events="30000/s"):
        """How often viewers of a stream reacted, in twenty parts.

        A writer picks a part at random for each addition, and the stream's page adds the parts up. The totals are small, and stay as long as the page of the stream.
        """

        stream: str = bt.key(bt.HexDigest(12), cardinality=3_000_000, skew="5%:1")
        part: int = bt.key(bt.PaddedInt(2), cardinality=20)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        hearts: int | None = bt.counter("h", n, increments="50/s")
        laughs: int | None = bt.counter("l", n, increments="25/s")

        of_stream = bt.query("stream")

    return StreamReactions


@good("Hosts reversed, a few rows a second")
def thirtyfifth_hosts_reversed_a_few_rows_a_second() -> object:
    class FetchedPage(bt.Model, table="fetched", events="3000/s"):
        """The last three fetches of a page; the change detector compares them. The crawler asks a host at most once in two seconds, and takes the hosts in random order.

        Analysts read a site with its subdomains.
        """

        host: str = bt.key(bt.ReversedDomain(80), cardinality=20_000_000)
        path: str = bt.key(bt.Text(max_length=500))

        c = bt.family("c", gc=bt.max_versions(3))
        code: bt.History[int] = bt.history("s", c, codec=bt.IntBytes(2, "big"), round=True, every="30days")
        body: bt.History[bytes] = bt.history(
            "b", c, round=True, every="30days", size=16_000, max_size=1_000_000
        )

        of_page = bt.query("host", "path")
        of_host = bt.query("host")
        of_site = bt.query(starting="host")

    return FetchedPage


@good("The seats of a performance in one row")
def thirtyfifth_the_seats_of_a_performance_in_one_row() -> object:
    class Performance(bt.Model, table="performances", events="120/s"):
        """An evening in a theatre, with the order that each sold seat belongs to. The largest house has 2,800 seats.

        All seats of an order are taken in one change of the row, so that nobody gets half of them; the seat plan reads the row as a whole. Past performances stay, for the statistics.
        """

        house: str = bt.key(bt.Text(width=5), cardinality=900)
        performance: str = bt.key(bt.HexDigest(12), cardinality=400_000)

        about = bt.family("a", gc=bt.max_versions(1))
        title: str = bt.column("t", about, size=40)

        sold = bt.family("s", gc=bt.max_versions(1))
        seats: dict[str, str] = bt.mapping(sold, bt.Text(max_length=8), entries=2_800, size=12, max_size=12)

        one = bt.query("house", "performance")

    return Performance


@good("Scooters behind their ids, and where they are now")
def thirtyfifth_scooters_behind_their_ids_and_where_they_are_now() -> object:
    class ScooterTrack(bt.Model, table="scooter_track", events="8000/s"):
        """Where a rented scooter was. The lock reports every ten seconds, with the second at which it measured; the trip page reads the track of one scooter during a trip."""

        scooter: str = bt.key(bt.Text(width=8), cardinality=80_000)
        at: datetime = bt.key(bt.EpochSeconds())

        t = bt.family("t", gc=bt.max_age(days=60))
        lat: float = bt.column("a", t)
        lon: float = bt.column("o", t)
        charge: int = bt.column("c", t, codec=bt.IntBytes(1, "big"))

        of_trip = bt.query("scooter", between="at", span="30min")

    class ScooterNow(bt.Model, table="scooter_now", events="8000/s"):
        """The newest report of a scooter. A report that comes late does not replace a newer one."""

        scooter: str = bt.key(bt.Text(width=8), cardinality=80_000)
        at: datetime = bt.timestamp()

        t = bt.family("t", gc=bt.max_versions(1))
        lat: float = bt.column("a", t)
        lon: float = bt.column("o", t)
        charge: int = bt.column("c", t, codec=bt.IntBytes(1, "big"))

        one = bt.query("scooter")

    bt.twins(ScooterTrack, ScooterNow)

    return (ScooterTrack, ScooterNow)


@good("Counters of an hour that end by themselves")
def thirtyfifth_counters_of_an_hour_that_end_by_themselves() -> object:
    class BannerHours(bt.Model, table="banner_hours", events="20000/s"):
        """Impressions and clicks of a banner in each hour of the last five weeks, for the campaign's chart.

        Delivery is paced, so no banner has more than sixty impressions a second. Invoices are made from the logs, not from these numbers.
        """

        campaign: str = bt.key(bt.HexDigest(8), cardinality=40_000)
        banner: str = bt.key(bt.HexDigest(8), cardinality=500_000)

        h = bt.family("h", gc=bt.max_age(days=35), aggregate="sum")
        impressions: bt.History[int] = bt.counter("i", h, every="1h", increments="60/s")
        clicks: bt.History[int] = bt.counter("c", h, every="1h", increments="1/s")

        of_campaign = bt.query("campaign")
        of_banner = bt.query("campaign", "banner")

    return BannerHours


@good("Random ids read one by one")
def thirtyfifth_random_ids_read_one_by_one() -> object:
    class PaymentIntent(bt.Model, table="payment_intents", events="8000/s"):
        """A payment that a shop began. The gateway makes a random id for it, and every later step finds it by this id. After 180 days it lies in the archive instead."""

        id: UUID = bt.key(bt.UuidText(), cardinality=100_000_000_000, default_factory=uuid4)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=180))
        merchant: str = bt.column("m", p, size=10)
        amount: Decimal = bt.column("a", p, size=7)
        currency: str = bt.column("c", p, size=3)
        begun: datetime = bt.column("b", p)
        result: str | None = bt.column("r", p, size=10, default=None)

        one = bt.query("id")

    return PaymentIntent


@good("An offer as one document")
def thirtyfifth_an_offer_as_one_document() -> object:
    class Offer(bt.Model, table="offers", events="60/s"):
        """An offer as it was calculated for a customer: a document that is written once and always shown as a whole. It is valid for 90 days."""

        offer: UUID = bt.key(bt.UuidText(), cardinality=500_000_000)

        o = bt.family("o", gc=bt.max_age(days=90))
        document: dict[str, Any] = bt.column("d", o, size=5_000, max_size=60_000)

        one = bt.query("offer")

    return Offer


@good("A digest of a token, with an expiry")
def thirtyfifth_a_digest_of_a_token_with_an_expiry() -> object:
    class LoginSession(bt.Model, table="login_sessions", events="2500/s"):
        """A session of the web shop, until it ends. The key is a hash of the token in the cookie, so nobody who sees keys can take a session over."""

        id = bt.digest("token")
        token: str | None = bt.key(bt.Text(max_length=64), stored=False, cardinality=40_000_000)
        ends: datetime = bt.expires(round=True)

        s = bt.family("s", gc=bt.max_age(seconds=1))
        customer: str = bt.column("c", s, size=16)
        basket: str | None = bt.column("b", s, size=16, default=None)

        of_token = bt.query("token")

    return LoginSession


@good("Few values in front of sixty million ids")
def thirtyfifth_few_values_in_front_of_sixty_million_ids() -> object:
    class Platform(StrEnum):
        IOS = "i"
        ANDROID = "a"
        WEB = "w"

    class AppUsage(bt.Model, table="app_usage", events="15000/s"):
        """What an installation of the app did on a day; the app sends the totals of the day so far, now and then, and they replace those before."""

        platform: Platform = bt.key(bt.EnumText(Platform))
        installation: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        u = bt.family("u", gc=bt.max_versions(1) | bt.max_age(days=90))
        seconds: int = bt.column("s", u)
        screens: int = bt.column("n", u)
        crashes: int = bt.column("c", u)

        of_installation = bt.query("platform", "installation", between="day")

    return AppUsage


@good("Events of tenants, the newest first")
def thirtyfifth_events_of_tenants_the_newest_first() -> object:
    class WorkOrder(bt.Model, table="work_orders", events="40/s"):
        """A work order of one of our customers, the newest first. A customer sees its own orders only. They are kept for as long as it stays, and when it leaves, its rows are deleted by the prefix."""

        tenant: str = bt.key(bt.Text(max_length=24), cardinality=800)
        created: datetime = bt.key(bt.ReversedMillis())
        order: UUID = bt.key(bt.UuidText(), cardinality=400_000_000)

        w = bt.family("w", gc=bt.max_versions(1))
        site: str = bt.column("s", w, size=20)
        task: str = bt.column("t", w, size=300, max_size=8_000)
        done: bool = bt.column("d", w, default=False)

        of_tenant = bt.query("tenant", between="created", newest=True, span="7days")
        one = bt.query("tenant", "created", "order")

    return WorkOrder


@good("All wordings of a clause")
def thirtyfifth_all_wordings_of_a_clause() -> object:
    class ContractClause(bt.Model, table="clauses", events="3/s"):
        """A clause of a contract. Lawyers amend a clause some ten times while they negotiate, and each wording that ever was must be kept and can be shown."""

        contract: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        clause: int = bt.key(bt.PaddedInt(4))

        w = bt.family("w", gc=bt.keep_all())
        wording: bt.History[str] = bt.history("t", w, every="7days", size=900, max_size=20_000)

        a = bt.family("a", gc=bt.max_versions(1))
        agreed: date | None = bt.column("g", a, default=None)

        of_contract = bt.query("contract")
        one = bt.query("contract", "clause")

    return ContractClause


@good("Positions of a chromosome, padded")
def thirtyfifth_positions_of_a_chromosome_padded() -> object:
    class Variant(bt.Model, table="variants", events="3000/s"):
        """A place where a sample differs from the reference genome. The loader writes it; loading a sample again gives the same rows. Geneticists read a region of a chromosome of a sample."""

        sample: str = bt.key(bt.HexDigest(12), cardinality=20_000)
        chromosome: str = bt.key(bt.Text(width=2), cardinality=25)
        position: int = bt.key(bt.PaddedInt(9))
        alternative: str = bt.key(bt.Text(max_length=60))

        v = bt.family("v", gc=bt.max_versions(1))
        reference: str = bt.column("r", v, size=2, max_size=60)
        genotype: str = bt.column("g", v, size=3, max_size=3)
        quality: float = bt.column("q", v, codec=bt.FloatBytes(4, round=True))
        depth: int = bt.column("d", v, codec=bt.IntBytes(4, "big"))

        of_region = bt.query("sample", "chromosome", between="position")

    return Variant


@good("A digest where rows are read one by one")
def thirtyfifth_a_digest_where_rows_are_read_one_by_one() -> object:
    class StoredPhoto(bt.Model, table="photo_index", events="4000/s"):
        """Where a photo lies in the object store. The key is the SHA-256 of its bytes: an upload asks whether the same photo is there already. Nothing else is asked."""

        sha256: str = bt.key(bt.HexDigest(64), cardinality=20_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        object: str = bt.column("o", p, size=60, max_size=200)
        length: int = bt.column("n", p)
        first_seen: datetime = bt.column("f", p)

        one = bt.query("sha256")

    return StoredPhoto


@good("A salt where an order of all is asked")
def thirtyfifth_a_salt_where_an_order_of_all_is_asked() -> object:
    class JournalEntry(bt.Model, table="journal", events="60000/s", nodes=20):
        """A message that went over the bus, for a replay. A replay takes all messages of some seconds, in the order of their time, and no other question is asked of the table."""

        lane = bt.salt("message", buckets=20)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        message: UUID = bt.key(bt.UuidText(), cardinality=15_000_000_000)

        j = bt.family("j", gc=bt.max_age(days=3))
        topic: str = bt.column("t", j, size=24)
        payload: bytes = bt.column("p", j, size=350, max_size=64_000)

        replay = bt.query(between="at", span="5s")

    return JournalEntry


@good("Map tiles by quadkey")
def thirtyfifth_map_tiles_by_quadkey() -> object:
    class RenderedTile(bt.Model, table="tiles", events="250/s"):
        """A rendered tile of the map, by its quadkey. It is rendered again when the map changes; one that is older than thirty days is not served any more, but rendered on demand.

        The map reads one tile; the offline package takes all tiles below one.
        """

        quadkey: str = bt.key(bt.Text(max_length=18), cardinality=90_000_000)

        t = bt.family("t", gc=bt.max_versions(1) | bt.max_age(days=30))
        image: bytes = bt.column("i", t, size=18_000, max_size=120_000)
        etag: bytes = bt.column("e", t, size=16, max_size=16)

        one = bt.query("quadkey")
        below = bt.query(starting="quadkey")

    return RenderedTile


@good("Covers in a family of their own")
def thirtyfifth_covers_in_a_family_of_their_own() -> object:
    class Episode(bt.Model, table="episodes", events="3/s"):
        """An episode of a podcast. The list of a show has titles and lengths only; the page of one episode has the cover as well. The audio lies in the object store."""

        show: str = bt.key(bt.HexDigest(12), cardinality=400_000)
        episode: int = bt.key(bt.PaddedInt(5))

        m = bt.family("m", gc=bt.max_versions(1))
        title: str = bt.column("t", m, size=60, max_size=300)
        published: date = bt.column("p", m)
        seconds: int = bt.column("s", m, codec=bt.IntBytes(4, "big"))
        audio: str = bt.column("a", m, size=70)

        c = bt.family("c", gc=bt.max_versions(1))
        cover: bytes | None = bt.column("i", c, size=150_000, max_size=800_000, default=None)

        of_show = bt.query("show", only=["title", "published", "seconds"])
        one = bt.query("show", "episode")

    return Episode


@good("Chapters by padded numbers")
def thirtyfifth_chapters_by_padded_numbers() -> object:
    class Chapter(bt.Model, table="chapters", events="1/s"):
        """A chapter of a textbook; a new edition has another ISBN. The publisher's import writes it; the reader app loads the open chapter and the next two."""

        book: str = bt.key(bt.Text(width=13), cardinality=150_000)
        chapter: int = bt.key(bt.PaddedInt(4))

        c = bt.family("c", gc=bt.max_versions(1))
        heading: str = bt.column("h", c, size=40, max_size=200)
        html: str = bt.column("x", c, size=40_000, max_size=700_000)

        of_book = bt.query("book", between="chapter")

    return Chapter


@good("A day of a gauge in a row")
def thirtyfifth_a_day_of_a_gauge_in_a_row() -> object:
    class GaugeDay(bt.Model, table="gauge_day", bucket="day", events="20/s", lateness="2d"):
        """A day of a river gauge, with a level every ten minutes. A gauge without a connection sends its levels up to two days late. Levels are kept for two years."""

        gauge: str = bt.key(bt.Text(width=7), cardinality=12_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        g = bt.family("g", gc=bt.max_age(days=732))
        level: bt.History[float] = bt.history("l", g, every="10min")

        of_gauge = bt.query("gauge", between="day")

    return GaugeDay


@good("What a turbine is, and its state of today")
def thirtyfifth_what_a_turbine_is_and_its_state_of_today() -> object:
    class WindTurbine(bt.Model, table="turbines", events="400/s"):
        """A wind turbine: what was built, which is needed for as long as it stands, and the newest state, which its controller overwrites every ten seconds.

        A state that is older than a day would mislead, and is left out.
        """

        turbine: str = bt.key(bt.Text(width=9), cardinality=4_000)

        built = bt.family("b", gc=bt.max_versions(1))
        maker: str = bt.column("m", built, size=12)
        rated_kw: int = bt.column("r", built)
        since: date = bt.column("s", built)

        now = bt.family("n", gc=bt.max_versions(1) | bt.max_age(days=1))
        kw: float | None = bt.column("k", now, default=None)
        wind: float | None = bt.column("w", now, default=None)
        fault: str | None = bt.column("f", now, size=6, default=None)

        one = bt.query("turbine")

    return WindTurbine


@good("A small table that is read whole")
def thirtyfifth_a_small_table_that_is_read_whole() -> object:
    class Depot(bt.Model, table="depots", events="50/day"):
        """A depot of the parcel service: address, hours, capacity. Planners change it by hand, and the last five values of each field stay, to undo a mistake. The router loads all 3,000 of them when it starts."""

        depot: str = bt.key(bt.Text(width=6), cardinality=3_000)

        d = bt.family("d", gc=bt.max_versions(5))
        town: str = bt.column("t", d, size=16)
        street: str = bt.column("s", d, size=24)
        hours: str = bt.column("h", d, size=40)
        parcels_a_day: int = bt.column("c", d)

        one = bt.query("depot")
        all = bt.query(scan="the router loads all 3,000 depots when it starts")

    return Depot


@good("Ticks of a symbol behind the exchange")
def thirtyfifth_ticks_of_a_symbol_behind_the_exchange() -> object:
    class Trade(bt.Model, table="trades", events="40000/s"):
        """A trade as the feed reports it. The number counts the trades of the feed within a day, so two trades of the same microsecond are two rows. Charts read a few minutes of a symbol."""

        exchange: str = bt.key(bt.Text(width=4), cardinality=20)
        symbol: str = bt.key(bt.Text(width=8), cardinality=12_000, skew="40%:200")
        at: datetime = bt.key(bt.EpochMicros())
        number: int = bt.key(bt.PaddedInt(10))

        t = bt.family("t", gc=bt.max_age(days=400))
        price: Decimal = bt.column("p", t, size=7)
        quantity: int = bt.column("q", t, codec=bt.IntBytes(4, "big"))
        side: str = bt.column("s", t, size=1)
        conditions: str | None = bt.column("c", t, size=3, default=None)

        of_symbol = bt.query("exchange", "symbol", between="at", span="5min")

    return Trade


@good("Counted ids with reversed digits")
def thirtyfifth_counted_ids_with_reversed_digits() -> object:
    class Subscriber(bt.Model, table="subscribers", events="900/s"):
        """A subscriber of the mobile network, by the number that the billing system counts up. The charging system writes the row, and finds it by the number alone. The digits are written backwards, so new subscribers do not lie side by side."""

        subscriber: int = bt.key(bt.ReversedDigits(10), cardinality=80_000_000, sequential=True)

        s = bt.family("s", gc=bt.max_versions(1))
        tariff: str = bt.column("t", s, size=8)
        since: date = bt.column("d", s)
        roaming: bool = bt.column("r", s)
        megabytes_left: int = bt.column("m", s)

        one = bt.query("subscriber")

    return Subscriber


@good("The newest of thirty million accounts first")
def thirtyfifth_the_newest_of_thirty_million_accounts_first() -> object:
    class Notification(bt.Model, table="notifications", events="12000/s"):
        """A notification for a fan, about a goal or a transfer. The bell shows the newest twenty of a fan; after 45 days they go."""

        fan: str = bt.key(bt.HexDigest(16), cardinality=30_000_000)
        sent: datetime = bt.key(bt.ReversedMillis(round=True))
        id: UUID = bt.key(bt.UuidText(), cardinality=50_000_000_000)

        n = bt.family("n", gc=bt.max_age(days=45))
        kind: str = bt.column("k", n, size=4)
        text: str = bt.column("t", n, size=90, max_size=500)
        link: str = bt.column("l", n, size=50, max_size=300)

        of_fan = bt.query("fan", between="sent", newest=True, span="7days")

    return Notification
