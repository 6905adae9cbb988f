"""Designs of many domains, with faults that were named before the review saw them."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from published import bad

import btmodel as bt


@bad(
    "Sensors of a factory group: one gateway of the largest plant has six tenths of 60,000 events a second, and its rows lie side by side by time",
    "KEY003|KEY013",
)
def gateway_sample() -> object:
    class GatewaySample(bt.Model, table="GATEWAY_SAMPLE", events="60000/s"):
        """What a gateway sends. 20 plants have 2,000 gateways; the rolling mill's has 60 % of all samples."""

        plant: str = bt.key(bt.Text(width=3), cardinality=20)
        gateway: str = bt.key(bt.Text(max_length=12), cardinality=2_000, skew="60%:1")
        at: datetime = bt.key(bt.EpochMicros())

        v = bt.family("v", gc=bt.max_age(days=30))
        value: float = bt.column("value", v)

        of_gateway = bt.query("plant", "gateway", between="at", span="10min")

    return GatewaySample


@bad(
    "The journal of a payment system: entries are spread by account, but the index of the day begins with the day of booking, and 15,000 entries a second go to today",
    "KEY001",
)
def journal_entry() -> object:
    class JournalEntry(bt.Model, table="JOURNAL_ENTRY", events="15000/s"):
        """A booking on an account. 40 million accounts."""

        account: str = bt.key(bt.HexDigest(12), cardinality=40_000_000)
        entry: str = bt.key(bt.HexDigest(16), cardinality=10_000_000_000)

        j = bt.family("j", gc=bt.max_versions(1))
        booked: datetime = bt.column("booked", j)
        cents: int = bt.column("cents", j)

        of_account = bt.query("account")

    class JournalOfDay(bt.Index, of=JournalEntry, view="JOURNAL_OF_DAY"):
        """The entries of a day, for the nightly control."""

        booked_on: date = bt.key(bt.DateText(), of="booked")
        account: str = bt.covered()
        entry: str = bt.covered()
        cents: int = bt.covered()

        of_day = bt.query("booked_on")

    return JournalEntry, JournalOfDay


@bad(
    "Matches of a shooter: the key is the number that the matchmaker counts up, padded, 4,000 matches a second: each goes behind the last",
    "KEY002",
)
def match_result() -> object:
    class MatchResult(bt.Model, table="MATCH_RESULT", events="4000/s"):
        """How a match ended. The matchmaker numbers the matches of all regions one after the other."""

        match_no: int = bt.key(bt.PaddedInt(12), cardinality=50_000_000_000, sequential=True)

        m = bt.family("m", gc=bt.max_age(days=90) | bt.max_versions(1))
        winner: str = bt.column("winner", m, size=8, max_size=16)
        seconds: int = bt.column("seconds", m)

        of_match = bt.query("match_no")

    return MatchResult


@bad(
    "Rooms of a chat: all messages of a room are entries of one row, which are never deleted and which nobody bounds",
    "ROW003|ROW002|COL003",
)
def chat_room() -> object:
    class ChatRoom(bt.Model, table="CHAT_ROOM", events="900/s"):
        """A room with everything that was ever said in it, by the time of the message."""

        room: str = bt.key(bt.HexDigest(12), cardinality=200_000)

        about = bt.family("a", gc=bt.max_versions(1))
        title: str | None = bt.column("title", about, default=None, size=20, max_size=80)

        said = bt.family("s", gc=bt.max_versions(1))
        lines: dict[datetime, str] = bt.mapping(said, bt.EpochMillis(), size=120, max_size=4_000)

        of_room = bt.query("room")

    return ChatRoom


@bad(
    "Scooters on a map: the cell of the map that a scooter stands in is in front of its key, and changes with each ride: the old row stays behind",
    "KEY021",
)
def parked_scooter() -> object:
    class ParkedScooter(bt.Model, table="PARKED_SCOOTER", events="300/s"):
        """Where a scooter stands now; it reports each minute. 18,000 scooters."""

        cell: str = bt.key(bt.Text(width=6), cardinality=60_000, changes=True)
        scooter: str = bt.key(bt.HexDigest(8), cardinality=18_000)

        s = bt.family("s", gc=bt.max_versions(1))
        battery: int = bt.column("battery", s, codec=bt.IntBytes(1))

        nearby = bt.query(starting="cell")

    return ParkedScooter


@bad(
    "Impressions of a campaign: every impression adds one to the row of its campaign, and the campaign of a final is added to 12,000 times a second",
    "KEY013",
)
def campaign_count() -> object:
    class CampaignCount(bt.Model, table="CAMPAIGN_COUNT", events="30000/s"):
        """How often a campaign was shown."""

        campaign: str = bt.key(bt.HexDigest(8), cardinality=5_000)

        n = bt.family("n", gc=bt.keep_all(), aggregate="sum")
        shown: int | None = bt.counter("shown", n, increments="12000/s")

        of_campaign = bt.query("campaign")

    return CampaignCount


@bad(
    "Variants of genomes: positions without zeros on the left do not sort as numbers, and the viewer reads a stretch of a chromosome",
    "KEY007|QRY001",
    verdict="error",
)
def variant_call() -> object:
    class VariantCall(bt.Model, table="VARIANT_CALL", events="2000/s"):
        """A place where the genome of a sample differs from the reference."""

        sample: str = bt.key(bt.HexDigest(12), cardinality=100_000)
        chromosome: str = bt.key(bt.Text(max_length=2), cardinality=25)
        position: int = bt.key(bt.Int(9), cardinality=250_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        alternative: str = bt.column("alt", c, size=1, max_size=200)

        stretch = bt.query("sample", "chromosome", between="position")

    return VariantCall


@bad(
    "Positions of trains: every second is kept for ever as a version of one column of the train's row",
    "ROW003|ROW002|COL005",
)
def train_track() -> object:
    class TrainTrack(bt.Model, table="TRAIN_TRACK", events="1200/s"):
        """Where a train is and was. 1,200 trains report each second."""

        train: str = bt.key(bt.Text(max_length=10), cardinality=1_200)

        p = bt.family("p", gc=bt.keep_all())
        place: bt.History[bytes] = bt.history("place", p, every="1s", size=16, max_size=16)

        of_train = bt.query("train")

    return TrainTrack


@bad(
    "Transfers of a fast chain: the key begins with the height of the block, which climbs; 6,000 transfers a second go to the newest block",
    "KEY002|KEY001",
)
def transfer_of_block() -> object:
    class TransferOfBlock(bt.Model, table="TRANSFER_OF_BLOCK", events="6000/s"):
        """A transfer of tokens in a block; a block comes every 400 milliseconds."""

        height: int = bt.key(bt.BigEndian(8), cardinality=500_000_000)
        index: int = bt.key(bt.BigEndian(4), cardinality=5_000)

        t = bt.family("t", gc=bt.max_versions(1))
        sender: bytes = bt.column("from", t, size=20, max_size=20)
        receiver: bytes = bt.column("to", t, size=20, max_size=20)

        of_block = bt.query("height")

    return TransferOfBlock


@bad(
    "Log lines of a cluster: the newest first, by a reversed time in front of the key: the hotspot is at the other end, and as hot",
    "KEY001",
    verdict="error",
)
def log_line() -> object:
    class LogLine(bt.Model, table="LOG_LINE", events="25000/s"):
        """A line of a log of one of 900 services."""

        newest: datetime = bt.key(bt.ReversedMicros())
        service: str = bt.key(bt.Text(max_length=30), cardinality=900)
        line: str = bt.key(bt.HexDigest(8), cardinality=1_000_000_000)

        f = bt.family("l", gc=bt.max_age(days=14))
        text: str = bt.column("text", f, size=180, max_size=8_000)

        lately = bt.query(between="newest", span="1min")

    return LogLine


@bad(
    "Products of a shop: a family keeps one version, but the prices of the last twelve changes are wanted by law, beside a stock of which one counts",
    "FAM005",
)
def product_offer() -> object:
    class ProductOffer(bt.Model, table="PRODUCT_OFFER", events="400/s"):
        """What a product costs, and how many there are."""

        product: str = bt.key(bt.HexDigest(10), cardinality=3_000_000)

        o = bt.family("o", gc=bt.max_versions(1))
        price: Decimal = bt.column("price", o, size=6, max_size=12, keep=bt.max_versions(12))
        stock: int = bt.column("stock", o, keep=bt.max_versions(1))

        of_product = bt.query("product")

    return ProductOffer


@bad(
    "Monitors of a hospital: ten waves of a bed are written each second, and the key ends with the second: nine of ten overwrite each other",
    "KEY017",
)
def wave_sample() -> object:
    class WaveSample(bt.Model, table="WAVE_SAMPLE", events="4000/s"):
        """What a monitor measures. 400 beds send ten samples a second each."""

        bed: str = bt.key(bt.Text(width=6), cardinality=400)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        w = bt.family("w", gc=bt.max_age(days=7))
        millivolts: float = bt.column("mv", w)

        of_bed = bt.query("bed", between="at", span="5min")

    return WaveSample


@bad(
    "Refresh tokens of an identity provider: a ULID begins with the time, and 15,000 a second go to the end; a reader who looks for a token does not know its user",
    "KEY002",
    says=('bt.salt("token_id"',),
    never=("{token_id}#{user}", "{user}#{token_id}"),
    verdict="error",
)
def refresh_token() -> object:
    class RefreshToken(bt.Model, table="REFRESH_TOKEN", events="15000/s"):
        """A token that was given out; its id is a ULID."""

        token_id: str = bt.key(bt.Text(width=26), cardinality=2_000_000_000)

        t = bt.family("t", gc=bt.max_age(days=60))
        user: UUID = bt.column("user", t)
        client: str = bt.column("client", t, size=20)
        revoked: bool = bt.column("revoked", t, default=False)

    return RefreshToken
