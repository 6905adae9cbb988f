"""A twenty-eighth set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from published import good

import btmodel as bt


class Region(StrEnum):
    EUROPE = "eu"
    AMERICA = "am"
    ASIA = "as"


class Speaker(StrEnum):
    VISITOR = "v"
    ASSISTANT = "a"


class Happened(StrEnum):
    SENT = "sent"
    OPENED = "opened"
    CLICKED = "clicked"
    BOUNCED = "bounced"


@good("A few events a day by their time")
def twentyeighth_a_few_events_a_day_by_their_time() -> object:
    class Deployment(bt.Model, table="deployments", events="300/day"):
        """A deployment of any service. On call, people ask for all deployments between two times. Kept for two years."""

        at: datetime = bt.key(bt.EpochMillis(round=True))
        service: str = bt.key(bt.Text(max_length=30), cardinality=900)

        d = bt.family("d", gc=bt.max_age(days=730))
        version: str = bt.column("ver", d, size=10, max_size=40)
        author: str = bt.column("by", d, size=12, max_size=40)
        rolled_back: bool = bt.column("back", d)

        in_time = bt.query(between="at", span="1day")

    return Deployment


@good("Numbers of a slow sequence")
def twentyeighth_numbers_of_a_slow_sequence() -> object:
    class PurchaseOrder(bt.Model, table="purchase_orders", events="4/s"):
        """An order, under the number that our ERP gives: one after the other.

        The warehouse looks orders up by their number, and the export reads the numbers since its last run. Orders are kept
        for good.
        """

        number: int = bt.key(bt.PaddedInt(10), cardinality=200_000_000, sequential=True)

        o = bt.family("o", gc=bt.max_versions(1))
        buyer: str = bt.column("buyer", o, size=9, max_size=12)
        total: Decimal = bt.column("total", o, size=8, max_size=16)
        due: date = bt.column("due", o)

        by_number = bt.query("number")
        since = bt.query(between="number")

    return PurchaseOrder


@good("Players between a region and a time")
def twentyeighth_players_between_a_region_and_a_time() -> object:
    class PlayerAction(bt.Model, table="player_actions", events="60000/s"):
        """An action of a player. Game masters look at one player for some minutes. Deleted after a week.

        A player has one session at a time, and a session sends at most one action a millisecond.
        """

        region: Region = bt.key(bt.EnumText(Region), cardinality=3, changes=False)
        player: str = bt.key(bt.Text(width=10), cardinality=5_000_000, pii=False)
        at: datetime = bt.key(bt.EpochMillis(round=True))

        a = bt.family("a", gc=bt.max_age(days=7))
        action: str = bt.column("act", a, size=12, max_size=30)
        x: float = bt.column("x", a)
        y: float = bt.column("y", a)

        of_player = bt.query("region", "player", between="at", span="5min")

    return PlayerAction


@good("A history of few versions")
def twentyeighth_a_history_of_few_versions() -> object:
    class GlucoseSensor(bt.Model, table="glucose_sensors", events="3000/s"):
        """A sensor and its last 288 values, a day of them. None is shown that is older than two weeks.

        The archive for doctors is another system.

        `sensor` is the serial number of the device, which is thrown away after two weeks.
        """

        sensor: str = bt.key(bt.HexDigest(12), cardinality=900_000, pii=False)

        g = bt.family("g", gc=bt.max_versions(288) | bt.max_age(days=14))
        milligrams: bt.History[int] = bt.history("mg", g, codec=bt.IntBytes(2), every="5min")

        of_sensor = bt.query("sensor")

    return GlucoseSensor


@good("Versions that cover their day")
def twentyeighth_versions_that_cover_their_day() -> object:
    class PumpDay(bt.Model, table="pump_days", bucket="day", events="200/s"):
        """A day of a heat pump, with a reading every five minutes. Days are kept for the life of the pump, for warranty."""

        pump: str = bt.key(bt.Text(width=12), cardinality=60_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        t = bt.family("t", gc=bt.max_versions(320))
        inlet: bt.History[float] = bt.history("in", t, every="5min")
        outlet: bt.History[float] = bt.history("out", t, every="5min")

        of_pump = bt.query("pump", between="day", span="7days")

    return PumpDay


@good("Both rules, as it is said")
def twentyeighth_both_rules_as_it_is_said() -> object:
    class AppSetting(bt.Model, table="app_settings", events="20/s"):
        """A setting. The present value always stays, however old; beside it, whatever was set within the last 30 days."""

        app: str = bt.key(bt.HexDigest(12), cardinality=400_000)
        name: str = bt.key(bt.Text(max_length=40), cardinality=600)

        s = bt.family("s", gc=bt.max_versions(1) & bt.max_age(days=30))
        value: bt.History[dict[str, Any]] = bt.history(
            "v", s, codec=bt.Json(dict[str, Any]), size=120, max_size=4_000, every="10days"
        )

        of_app = bt.query("app")

    return AppSetting


@good("Kept by law")
def twentyeighth_kept_by_law() -> object:
    class JournalEntry(bt.Model, table="journal", events="900/s"):
        """An entry of the journal of an account. Entries are written once: a correction is another entry.

        By law nothing of the journal may be deleted, so nothing is collected. `account` is the internal number of an account,
        drawn at random; no customer ever sees it.
        """

        account: str = bt.key(bt.HexDigest(16), cardinality=30_000_000, pii=False)
        posted: datetime = bt.key(bt.EpochMicros())
        entry: str = bt.key(bt.HexDigest(12), cardinality=100_000_000_000)

        j = bt.family("j", gc=bt.keep_all())
        amount: Decimal = bt.column("amt", j, size=8, max_size=20)
        text: str = bt.column("txt", j, size=40, max_size=280)

        of_account = bt.query("account", between="posted", span="31days")

    return JournalEntry


@good("Final scores in the key")
def twentyeighth_final_scores_in_the_key() -> object:
    class Standing(bt.Model, table="standings", events="10/s"):
        """The result of a player in a tournament that has ended, the best first. Results are final and kept for ever."""

        tournament: str = bt.key(bt.HexDigest(12), cardinality=2_000_000)
        score: int = bt.key(
            bt.Descending(bt.PaddedInt(9)), cardinality=1_000_000, changes=False, sequential=False
        )
        player: str = bt.key(bt.HexDigest(12), cardinality=40_000_000, pii=False)

        r = bt.family("r", gc=bt.max_versions(1))
        nickname: str = bt.column("nick", r, size=12, max_size=60)
        prize: int | None = bt.column("prize", r, default=None)

        best = bt.query("tournament")
        from_score = bt.query("tournament", between="score")

    return Standing


@good("States that are places")
def twentyeighth_states_that_are_places() -> object:
    class Lot(bt.Model, table="lots", events="3/s"):
        """A lot of land. The job that draws maps reads a county at a time. `state` is where the lot lies, such as TX."""

        state: str = bt.key(bt.Text(width=2), cardinality=50, changes=False)
        county: str = bt.key(bt.Text(width=3), cardinality=3_100, changes=False)
        lot: str = bt.key(bt.Text(max_length=20), cardinality=20_000_000)

        g = bt.family("g", gc=bt.max_versions(1))
        outline: bytes = bt.column("geo", g, size=600, max_size=40_000)
        acres: float = bt.column("ac", g)

        of_county = bt.query("state", "county")

    return Lot


@good("A chat that is replayed")
def twentyeighth_a_chat_that_is_replayed() -> object:
    class Turn(bt.Model, table="turns", events="2000/s"):
        """A turn of a conversation, numbered from 1 by the server that holds it. Reviewers replay a conversation from its beginning.

        So the oldest turn comes first. Turns are kept for 90 days.
        """

        conversation: str = bt.key(bt.HexDigest(16), cardinality=1_000_000_000)
        number: int = bt.key(bt.PaddedInt(5), cardinality=2_000, sequential=False)

        t = bt.family("t", gc=bt.max_age(days=90))
        said: datetime = bt.column("at", t)
        speaker: Speaker = bt.column("who", t)
        text: str = bt.column("txt", t, size=400, max_size=20_000)

        replay = bt.query("conversation")

    return Turn


@good("Mails under random ids")
def twentyeighth_mails_under_random_ids() -> object:
    class EmailEvent(bt.Model, table="email_events", events="4000/s"):
        """Something that happened to one e-mail. `email` is the random id that we give to an e-mail, and tells nothing about
        who gets it. Kept for 60 days.
        """

        email: str = bt.key(bt.HexDigest(16), cardinality=7_000_000_000, pii=False)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        happened: Happened = bt.key(bt.EnumText(Happened), cardinality=4, changes=False)

        e = bt.family("e", gc=bt.max_age(days=60))
        client: str = bt.column("ua", e, size=60, max_size=400)

        of_email = bt.query("email")

    return EmailEvent


@good("A scan of few rows")
def twentyeighth_a_scan_of_few_rows() -> object:
    class Store(bt.Model, table="stores", events="200/day"):
        """A store, its address and its hours. There are 3,000; the website loads all of them each night."""

        store: str = bt.key(bt.Text(width=5), cardinality=3_000)

        s = bt.family("s", gc=bt.max_versions(1))
        address: str = bt.column("addr", s, size=50)
        latitude: float = bt.column("lat", s)
        longitude: float = bt.column("lon", s)
        opening: str = bt.column("open", s, size=40)

        by_number = bt.query("store")
        all_stores = bt.query(scan="the website is built from all 3,000 stores, once a night")

    return Store


@good("A filter of thirty rows")
def twentyeighth_a_filter_of_thirty_rows() -> object:
    class Visit(bt.Model, table="visits", events="2/s"):
        """A visit of an animal. An animal has some thirty in its life; the program picks the vaccinations among them.

        Visits are kept for as long as the animal lives.
        """

        animal: str = bt.key(bt.HexDigest(12), cardinality=12_000_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        visit: str = bt.key(bt.HexDigest(8), cardinality=400_000_000)

        v = bt.family("v", gc=bt.max_versions(1))
        reason: str = bt.column("why", v, size=12, max_size=40, cardinality=30)
        notes: str = bt.column("notes", v, size=300, max_size=10_000)

        of_animal = bt.query("animal")
        vaccinations = bt.query("animal", where=["reason"])

    return Visit


@good("Friends in a row")
def twentyeighth_friends_in_a_row() -> object:
    class Friends(bt.Model, table="friends", events="400/s"):
        """The friends of an account, an empty cell each. The app refuses the 1,001st friend.

        Both are random ids. A friend is added and removed without reading the others.
        """

        account: str = bt.key(bt.HexDigest(16), cardinality=40_000_000, pii=False)

        f = bt.family("f", gc=bt.max_versions(1))
        friends: set[str] = bt.members(f, bt.HexDigest(16), entries=1_000)

        of_account = bt.query("account")

    return Friends


@good("A reading each quarter of an hour")
def twentyeighth_a_reading_each_quarter_of_an_hour() -> object:
    class WaterReading(bt.Model, table="water_readings", events="230/s"):
        """A reading of a meter, one every quarter of an hour, to the second. Kept for 400 days, for the yearly bill."""

        meter: str = bt.key(bt.Text(width=10), cardinality=200_000)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        w = bt.family("w", gc=bt.max_age(days=400))
        litres: int = bt.column("l", w)

        of_meter = bt.query("meter", between="at", span="1day")

    return WaterReading


@good("Counters of an hour")
def twentyeighth_counters_of_an_hour() -> object:
    class Impressions(bt.Model, table="impressions", events="8000/s"):
        """How often a campaign was shown in each hour, and what that cost, in micros. The servers add; nobody reads to write."""

        campaign: str = bt.key(bt.HexDigest(8), cardinality=8_000)

        h = bt.family("h", gc=bt.max_age(days=92), aggregate="sum")
        shown: bt.History[int] = bt.counter("n", h, every="1h", increments="60/min")
        micros: bt.History[int] = bt.counter("mic", h, every="1h", increments="60/min")

        of_campaign = bt.query("campaign")

    return Impressions


@good("Pictures in a table of their own")
def twentyeighth_pictures_in_a_table_of_their_own() -> object:
    class Thumbnail(bt.Model, table="thumbnails", events="20/s"):
        """A picture of an offer, made small. A page shows all pictures of an offer, twelve as a rule.

        Prices and visits, which change all day, are in another table; so the pictures lie here alone.
        """

        offer: str = bt.key(bt.HexDigest(12), cardinality=9_000_000)
        picture: int = bt.key(bt.PaddedInt(2), cardinality=40, sequential=False)

        t = bt.family("t", gc=bt.max_versions(1))
        jpeg: bytes = bt.column("jpg", t, size=40_000, max_size=200_000)

        of_offer = bt.query("offer")

    return Thumbnail


@good("A log that is followed")
def twentyeighth_a_log_that_is_followed() -> object:
    class PriceNotice(bt.Model, table="price_notices", events="5000/s"):
        """A notice. A follower keeps the time of the last notice that it saw, and reads on from there, every second.

        Nobody deletes notices: they go by themselves after three days. The publisher chooses the partition by the article.
        """

        partition: int = bt.key(bt.PaddedInt(2), cardinality=64, sequential=False)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        notice: UUID = bt.key(bt.UuidText())

        n = bt.family("n", gc=bt.max_age(days=3))
        article: str = bt.column("art", n, size=12, max_size=20)
        cents: int = bt.column("c", n)

        after = bt.query("partition", between="at", span="1s")

    return PriceNotice


@good("A copy of the same age")
def twentyeighth_a_copy_of_the_same_age() -> object:
    class Shipment(bt.Model, table="shipments", events="50/s"):
        """A shipment of an order, written when it was loaded and not changed again. Gone after 120 days."""

        order: str = bt.key(bt.HexDigest(12), cardinality=300_000_000)
        shipment: int = bt.key(bt.PaddedInt(2), cardinality=40, sequential=False)

        s = bt.family("s", gc=bt.max_age(days=120))
        vehicle: str = bt.column("veh", s, size=8, max_size=8)
        loaded: datetime = bt.column("load", s)
        weight: int = bt.column("kg", s)

        of_order = bt.query("order")

    class VehicleLoad(bt.Model, table="vehicle_loads", events="50/s"):
        """The same shipments by the vehicle, for the driver's list. Written along with them, and gone when they are."""

        vehicle: str = bt.key(bt.Text(width=8), cardinality=30_000)
        loaded: datetime = bt.key(bt.EpochMillis(round=True))
        order: str = bt.key(bt.HexDigest(12), cardinality=300_000_000)
        shipment: int = bt.key(bt.PaddedInt(2), cardinality=40, sequential=False)

        s = bt.family("s", gc=bt.max_age(days=120))
        weight: int = bt.column("kg", s)

        of_vehicle = bt.query("vehicle", between="loaded", span="1day")

    return Shipment, VehicleLoad


@good("The newest event wins")
def twentyeighth_the_newest_event_wins() -> object:
    class UserFeatures(bt.Model, table="user_features", events="6000/s"):
        """The newest features of a user. Two pipelines compute them, late and out of order, so they have the time that they are
        for: older ones that come later never replace newer ones. `user` is a pseudonym.
        """

        user: str = bt.key(bt.HexDigest(16), cardinality=70_000_000, pii=False)
        computed: datetime = bt.timestamp(round=True)

        f = bt.family("f", gc=bt.max_versions(1))
        clicks: float = bt.column("clk", f, codec=bt.FloatBytes(4, round=True))
        purchases: float = bt.column("buy", f, codec=bt.FloatBytes(4, round=True))
        embedding: bytes = bt.column("emb", f, size=512, max_size=512)

        of_user = bt.query("user")

    return UserFeatures


@good("A total of a life")
def twentyeighth_a_total_of_a_life() -> object:
    class SongPlays(bt.Model, table="song_plays", events="9000/s"):
        """The plays and the seconds of a song since it was published: the number below the title, which only ever grows."""

        song: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        p = bt.family("p", gc=bt.keep_all(), aggregate="sum")
        plays: int | None = bt.counter("n", p)
        seconds: int | None = bt.counter("s", p)

        of_song = bt.query("song")

    return SongPlays


@good("A large tenant of few events")
def twentyeighth_a_large_tenant_of_few_events() -> object:
    class WebhookCall(bt.Model, table="webhook_calls", events="120/s"):
        """A call of a webhook. One merchant has four fifths of them. Kept for 30 days, for the merchant's log page."""

        merchant: str = bt.key(bt.Text(max_length=20), cardinality=15_000, skew="80%:1", tenant=True)
        sent: datetime = bt.key(bt.ReversedMillis(round=True))
        call: UUID = bt.key(bt.UuidText())

        c = bt.family("c", gc=bt.max_age(days=30))
        kind: str = bt.column("kind", c, size=18, max_size=40)
        code: int = bt.column("code", c, codec=bt.IntBytes(2))
        millis: int = bt.column("ms", c, codec=bt.IntBytes(4))

        newest_of_merchant = bt.query("merchant", between="sent", newest=True, span="1day")

    return WebhookCall
