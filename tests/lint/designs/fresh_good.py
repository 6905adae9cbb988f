"""Designs of many domains that are as they should be, judged before the review saw them."""

from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from published import good

import btmodel as bt


@good("Meters of a city: the id is a digest, the time is last, and a read is a range of one meter")
def city_meter() -> object:
    class CityMeter(bt.Model, table="CITY_METER", events="8000/s"):
        """A reading of a meter each minute; 480,000 meters."""

        meter: str = bt.key(bt.HexDigest(8), cardinality=480_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        r = bt.family("r", gc=bt.max_age(days=400))
        watts: int = bt.column("w", r)

        of_meter = bt.query("meter", between="at", span="1day")

    return CityMeter


class Side(StrEnum):
    """Which way money goes."""

    IN = "in"
    OUT = "out"


@good("Postings by account, with an index of the other side that leaves out what came in")
def posting() -> object:
    class Posting(bt.Model, table="POSTING", events="6000/s"):
        """A posting; 30 million accounts."""

        account: str = bt.key(bt.HexDigest(12), cardinality=30_000_000)
        newest: datetime = bt.key(bt.ReversedMicros())
        posting: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        partner: str = bt.column("partner", p, size=12, max_size=12)
        side: Side = bt.column("side", p)
        cents: int = bt.column("cents", p)

        of_account = bt.query("account", between="newest", span="30d")

    class PaidTo(bt.Index, of=Posting, view="PAID_TO", where={"side": Side.OUT}):
        """What was paid to a partner."""

        partner: str = bt.key(bt.Text(width=12), cardinality=30_000_000)
        newest: datetime = bt.covered()
        account: str = bt.covered()
        posting: str = bt.covered()
        cents: int = bt.covered()

        to_partner = bt.query("partner", between="newest", span="30d")

    return Posting, PaidTo


@good(
    "Scores of players: the player is in front, the number of the season follows it; it climbs once a quarter"
)
def season_score() -> object:
    class SeasonScore(bt.Model, table="SEASON_SCORE", events="5000/s"):
        """What a player reached in a season."""

        player: UUID = bt.key(bt.UuidRaw(), cardinality=20_000_000)
        season: int = bt.key(bt.PaddedInt(3), cardinality=12)

        s = bt.family("s", gc=bt.max_versions(1))
        points: int = bt.column("points", s)
        rank: int | None = bt.column("rank", s, default=None)

        of_player = bt.query("player", between="season")

    return SeasonScore


@good("Messages of a channel, one row each, the newest first; channels differ, but a node bears the largest")
def channel_message() -> object:
    class ChannelMessage(bt.Model, table="CHANNEL_MESSAGE", events="3000/s"):
        """A message in a channel; a million channels, the largest hundred have a tenth of it."""

        channel: str = bt.key(bt.HexDigest(12), cardinality=1_000_000, skew="10%:100")
        newest: datetime = bt.key(bt.ReversedMicros())
        message: str = bt.key(bt.HexDigest(8), cardinality=1_000_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        author: str = bt.column("author", m, size=16, max_size=24)
        text: str = bt.column("text", m, size=120, max_size=4_000)

        of_channel = bt.query("channel", newest=True)

    return ChannelMessage


@good(
    "Tiles of a map by zoom, column and row in numbers of fixed width; they are drawn again every few weeks"
)
def map_tile() -> object:
    class MapTile(bt.Model, table="MAP_TILE", events="200/s"):
        """A drawn tile."""

        zoom: int = bt.key(bt.PaddedInt(2), cardinality=15)
        column: int = bt.key(bt.PaddedInt(6), cardinality=100_000)
        row: int = bt.key(bt.PaddedInt(6), cardinality=100_000)

        t = bt.family("t", gc=bt.max_versions(1))
        image: bytes = bt.column("png", t, size=12_000, max_size=200_000)

        tile = bt.query("zoom", "column", "row")
        strip = bt.query("zoom", "column", between="row")

    return MapTile


@good(
    "Clicks of campaigns: each counter is divided among twenty shards, and sixteen hundred increments a second reach the busiest one"
)
def click_count() -> object:
    class ClickCount(bt.Model, table="CLICK_COUNT", events="30000/s"):
        """How often the banners of a campaign were clicked on a day."""

        campaign: str = bt.key(bt.HexDigest(8), cardinality=50_000)
        day: date = bt.key(bt.DateText())
        shard: int = bt.key(bt.PaddedInt(2), cardinality=20)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        clicks: int | None = bt.counter("clicks", n, increments="100/s")

        of_day = bt.query("campaign", "day")
        of_campaign = bt.query("campaign", between="day", span="30d")

    return ClickCount


@good("Coverage of genomes: sample, chromosome and a padded position, read by stretches")
def coverage() -> object:
    class Coverage(bt.Model, table="COVERAGE", events="20000/s"):
        """How often a window of a thousand bases was read."""

        sample: str = bt.key(bt.HexDigest(12), cardinality=50_000)
        chromosome: str = bt.key(bt.Text(width=2), cardinality=25)
        window: int = bt.key(bt.PaddedInt(6), cardinality=250_000)

        c = bt.family("c", gc=bt.max_versions(1))
        depth: float = bt.column("d", c, codec=bt.FloatBytes(4))

        stretch = bt.query("sample", "chromosome", between="window")

    return Coverage


@good("Journeys of trains: a row for each train and day, with a place every half minute in slots")
def train_day() -> object:
    class TrainDay(bt.Model, table="TRAIN_DAY", bucket="day", events="40/s"):
        """A day of a train; 1,200 trains."""

        train: str = bt.key(bt.Text(max_length=10), cardinality=1_200)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        p = bt.family("p", gc=bt.max_age(days=370) | bt.max_versions(1))
        speed: bt.Slots[float] = bt.slots(p, every="30s", qualifier="%H%M%S")

        of_train = bt.query("train", between="day", span="7d")

    return TrainDay


@good(
    "Blocks of a slow chain by their height: a block comes every ten minutes, and no node minds the end of the table"
)
def block_header() -> object:
    class BlockHeader(bt.Model, table="BLOCK_HEADER", events="6/h"):
        """The header of a block."""

        height: int = bt.key(bt.PaddedInt(9), cardinality=1_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        digest: bytes = bt.column("digest", h, size=32, max_size=32)
        mined: datetime = bt.column("mined", h)

        of_height = bt.query("height")
        heights = bt.query(between="height")

    return BlockHeader


@good("Records of a broker: topic and partition in front, the offset last: 600 places are written at once")
def broker_record() -> object:
    class BrokerRecord(bt.Model, table="BROKER_RECORD", events="12000/s"):
        """A record that a consumer could not handle."""

        partition: str = bt.key(bt.HexDigest(4), cardinality=600)
        offset: int = bt.key(bt.PaddedInt(19), sequential=True)

        r = bt.family("r", gc=bt.max_age(days=7))
        value: bytes = bt.column("value", r, size=300, max_size=20_000)

        of_partition = bt.query("partition", between="offset")

    return BrokerRecord


@good(
    "Baskets of a shop: a row for each customer, of two hundred lines at most, with what is in it and since when"
)
def basket() -> object:
    class Basket(bt.Model, table="BASKET", events="1500/s"):
        """What a customer wants to buy."""

        customer: str = bt.key(bt.HexDigest(12), cardinality=8_000_000)

        b = bt.family("b", gc=bt.max_versions(1))
        lines: dict[str, int] = bt.mapping(b, bt.HexDigest(10), codec=bt.IntBytes(2), entries=200)

        c = bt.family("c", gc=bt.max_versions(1))
        changed: datetime | None = bt.column("at", c, default=None)

        of_customer = bt.query("customer")

    return Basket


@good("Findings of patients under a pseudonym, the newest first, with the number of the device at the end")
def patient_finding() -> object:
    class PatientFinding(bt.Model, table="PATIENT_FINDING", events="150/s"):
        """A finding of a device."""

        pseudonym: str = bt.key(bt.HexDigest(16), cardinality=2_000_000)
        newest: datetime = bt.key(bt.ReversedMillis(round=True))
        device: int = bt.key(bt.PaddedInt(5), cardinality=4_000)

        f = bt.family("f", gc=bt.max_versions(1))
        code: str = bt.column("code", f, size=7, max_size=12)
        value: float = bt.column("value", f)

        of_patient = bt.query("pseudonym", between="newest", span="365d")

    return PatientFinding


@good(
    "Refresh tokens of an identity provider: a salt in front of a ULID, by which alone a token is looked for, so that each read knows its salt"
)
def salted_refresh_token() -> object:
    class RefreshToken(bt.Model, table="REFRESH_TOKEN", events="15000/s"):
        """A token that was given out; its id is a ULID."""

        salt = bt.salt("token_id", buckets=6)
        token_id: str = bt.key(bt.Text(width=26), cardinality=2_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=60))
        user: UUID = bt.column("user", t)
        client: str = bt.column("client", t, size=20)
        revoked: bool = bt.column("revoked", t, default=False)

    return RefreshToken
