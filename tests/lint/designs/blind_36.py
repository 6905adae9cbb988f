"""A thirty-sixth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from uuid import UUID

from published import bad

import btmodel as bt


@bad("Final standings by an unpadded rank", "KEY007", asked=("KEY021",))
def thirtysixth_final_standings_by_an_unpadded_rank() -> object:
    class Standing(bt.Model, table="STANDING", events="40/s"):
        """The final score of a team in a tournament.

        Written once, after the last match. The results page shows the fifty lowest ranks of a tournament, starting with rank 1.
        """

        tournament: UUID = bt.key(bt.UuidText(), cardinality=300_000)
        rank: int = bt.key(bt.Int(6), cardinality=5_000, sequential=False)
        "1 is the winner. Open qualifiers go up to a few thousand."
        team: UUID = bt.key(bt.UuidText(), cardinality=2_000_000)

        r = bt.family("r", gc=bt.max_versions(1))
        prize: Decimal | None = bt.column("pz", r, default=None)
        wins: int = bt.column("w", r)
        losses: int = bt.column("l", r)

        of_tournament = bt.query("tournament")

    return Standing


@bad("A column each ten seconds for ever", "ROW003")
def thirtysixth_a_column_each_ten_seconds_for_ever() -> object:
    class Inverter(bt.Model, table="INVERTER", events="12000/s"):
        """An inverter with the power it reported."""

        serial: str = bt.key(bt.HexDigest(12), cardinality=120_000)

        p = bt.family("p", gc=bt.max_versions(1))
        watts_by_second: dict[int, float] = bt.mapping(p, bt.BigEndian(4))
        "Epoch second of the reading, one every ten seconds."

        of_inverter = bt.query("serial")

    return Inverter


@bad("Laboratory results that end too soon", "FAM010")
def thirtysixth_laboratory_results_that_end_too_soon() -> object:
    class LabResult(bt.Model, table="LAB_RESULT", events="60/s"):
        """One measured value of a sample.

        Doctors open the curve of an analyte for a patient. The hospital has to be able to show every result for ten years.
        """

        patient: UUID = bt.key(bt.UuidText(), cardinality=3_000_000)
        "Pseudonym from the identity service, never the insurance number."
        analyte: str = bt.key(bt.Text(max_length=12), cardinality=900)
        "LOINC code."
        taken_at: datetime = bt.key(bt.EpochMillis(round=True))
        sample: UUID = bt.key(bt.UuidText())

        v = bt.family("v", gc=bt.max_age(days=90))
        value: Decimal = bt.column("v", v)
        unit: str = bt.column("u", v, size=6, max_size=16)
        flag: str | None = bt.column("f", v, max_size=4, default=None)

        curve = bt.query("patient", "analyte", between="taken_at")

    return LabResult


@bad("Roadside assistance by telephone number", "KEY010", asked=("KEY015",))
def thirtysixth_roadside_assistance_by_telephone_number() -> object:
    class AssistanceCall(bt.Model, table="ASSISTANCE_CALL", events="30/s"):
        """A call to the breakdown hotline; the agent sees the earlier calls of the same driver when the phone rings."""

        phone_number: str = bt.key(bt.Text(max_length=16), cardinality=8_000_000)
        "Caller id in E.164, +4915112345678."
        called_at: datetime = bt.key(bt.EpochMillis(round=True))

        c = bt.family("c", gc=bt.max_age(days=730))
        agent: str = bt.column("a", c, size=8, max_size=12)
        kind: str = bt.column("k", c, size=10, max_size=20)
        notes: str | None = bt.column("n", c, size=300, max_size=4_000, default=None)

        earlier = bt.query("phone_number", between="called_at", newest=True)

    return AssistanceCall


@bad("Messages of an author in all channels", "QRY008")
def thirtysixth_messages_of_an_author_in_all_channels() -> object:
    class Message(bt.Model, table="MESSAGE", events="3000/s"):
        """A message in a channel.

        Opening a channel loads its latest messages. Moderators review all messages of an author across the channels,
        dozens of times an hour.
        """

        channel: UUID = bt.key(bt.UuidText(), cardinality=400_000)
        sent_at: datetime = bt.key(bt.ReversedMillis(round=True))
        message: UUID = bt.key(bt.UuidText())

        m = bt.family("m", gc=bt.max_versions(1) | bt.max_age(days=1095))
        author: str = bt.column("a", m, size=16, max_size=24, cardinality=6_000_000)
        text: str = bt.column("t", m, size=120, max_size=8_000)
        edited: bool = bt.column("e", m, default=False)

        of_channel = bt.query("channel", between="sent_at", newest=True)

    return Message


@bad("Ad pacing by read-modify-write", "KEY013", asked=("COL006",))
def thirtysixth_ad_pacing_by_read_modify_write() -> object:
    class CampaignDay(bt.Model, table="CAMPAIGN_DAY", events="45000/s"):
        """What a campaign delivered on a day. The pacer reads it before it bids."""

        campaign: str = bt.key(bt.HexDigest(12), cardinality=9_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        d = bt.family("d", gc=bt.max_versions(1) | bt.max_age(days=400))
        impressions: int = bt.column("i", d, default=0, increments="300/s")
        clicks: int = bt.column("c", d, default=0, increments="5/s")
        spend_micros: int = bt.column("s", d, default=0, increments="300/s")

        of_campaign = bt.query("campaign", between="day")

    return CampaignDay


@bad("A dairy's totals in one row", "KEY013")
def thirtysixth_a_dairy_s_totals_in_one_row() -> object:
    class ParlourTotals(bt.Model, table="PARLOUR_TOTALS", events="6000/s"):
        """Litres and visits over all farms, for the big screen in the hall."""

        kind = bt.constant("TOTALS")

        t = bt.family("t", gc=bt.keep_all(), aggregate="sum")
        millilitres: int | None = bt.counter("ml", t, increments="6000/s")
        visits: int | None = bt.counter("v", t, increments="6000/s")

    return ParlourTotals


@bad("Museum scans of 48 MB", "ROW001")
def thirtysixth_museum_scans_of_48_mb() -> object:
    class Scan(bt.Model, table="SCAN", events="2000/day"):
        """A page or an object as it came from the scanner, with the derivative for the web."""

        inventory_no: str = bt.key(bt.Text(max_length=24), cardinality=900_000)
        "Such as 1937-41-1209a; given out by the registrar of each department."
        side: str = bt.key(bt.Text(max_length=8), cardinality=6)

        i = bt.family("i", gc=bt.max_versions(1))
        tiff: bytes = bt.column("tif", i, size=48_000_000, max_size=90_000_000)
        jpeg: bytes = bt.column("jpg", i, size=180_000, max_size=600_000)
        scanned_on: date = bt.column("on", i)

        of_object = bt.query("inventory_no")

    return Scan


@bad("Fixtures by their status", "KEY021")
def thirtysixth_fixtures_by_their_status() -> object:
    class Status(StrEnum):
        SCHEDULED = "scheduled"
        LIVE = "live"
        POSTPONED = "postponed"
        FINAL = "final"

    class Fixture(bt.Model, table="FIXTURE", events="50/s"):
        """A fixture of a league. The app has one tab for each status."""

        league: str = bt.key(bt.Text(max_length=16), cardinality=4_000)
        status: Status = bt.key(bt.EnumText(Status))
        fixture: UUID = bt.key(bt.UuidText(), cardinality=2_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        home: str = bt.column("h", f, size=14, max_size=60)
        away: str = bt.column("a", f, size=14, max_size=60)
        kickoff: datetime = bt.column("k", f)
        score: str | None = bt.column("s", f, size=5, max_size=10, default=None)

        tab = bt.query("league", "status")
        of_league = bt.query("league")

    return Fixture


@bad("Trips by a sequence number", "KEY002")
def thirtysixth_trips_by_a_sequence_number() -> object:
    class Trip(bt.Model, table="TRIP", events="9000/s"):
        """A trip, from the request to the receipt. Support looks trips up by the number on the receipt."""

        trip_no: int = bt.key(bt.PaddedInt(12), cardinality=20_000_000_000)
        "Next value of the booking sequence."

        t = bt.family("t", gc=bt.max_versions(1))
        rider: UUID = bt.column("r", t)
        driver: UUID | None = bt.column("d", t, default=None)
        requested_at: datetime = bt.column("q", t)
        fare_cents: int | None = bt.column("f", t, default=None)

        of_trip = bt.query("trip_no")

    return Trip


@bad("A family for each locale", "FAM001", asked=("KEY020",))
def thirtysixth_a_family_for_each_locale() -> object:
    class Phrase(bt.Model, table="PHRASE", events="200/s"):
        """A phrase of a project and what the translators made of it.

        A family is created whenever a customer adds a locale. At present we have 230 locales in this table.
        """

        project: str = bt.key(bt.HexDigest(10), cardinality=12_000)
        phrase: str = bt.key(bt.Text(max_length=80), cardinality=15_000_000)

        source = bt.family("src", gc=bt.max_versions(1))
        text: str | None = bt.column("t", source, size=60, max_size=4_000, default=None)

        locale = bt.family("l_{locale}", gc=bt.max_versions(5))
        translation: str | None = bt.column("t", locale, size=70, max_size=4_000, default=None)
        translator: str | None = bt.column("by", locale, size=12, max_size=20, default=None)

        one = bt.query("project", "phrase")
        of_project = bt.query("project")

    return Phrase


@bad("Call records with long names", "COL001", "FAM003", asked=("KEY006",))
def thirtysixth_call_records_with_long_names() -> object:
    class CallRecord(bt.Model, table="CALL_RECORD", events="150000/s"):
        """A record of the switch: one leg of a call."""

        subscriber: UUID = bt.key(bt.UuidRaw(), cardinality=40_000_000)
        started_at: datetime = bt.key(bt.TimeBytes("millisecond"))
        leg: int = bt.key(bt.BigEndian(2), cardinality=4, sequential=False)

        cdr = bt.family("call_detail_record_attributes", gc=bt.max_versions(1) | bt.max_age(days=180))
        duration: int = bt.column("call_duration_in_milliseconds", cdr)
        cell: int = bt.column("originating_radio_cell_identifier", cdr)
        last_cell: int = bt.column("terminating_radio_cell_identifier", cdr)
        trunk: int = bt.column("outgoing_interconnect_trunk_group_number", cdr)
        cause: int = bt.column("release_cause_value_as_sent_by_the_switch", cdr)
        roaming: bool = bt.column("subscriber_was_roaming_in_a_foreign_network", cdr)
        octets_up: int = bt.column("signalling_octets_transferred_uplink", cdr)
        octets_down: int = bt.column("signalling_octets_transferred_downlink", cdr)

        of_subscriber = bt.query("subscriber", between="started_at")

    return CallRecord


@bad("A day of 100 Hz in a row", "ROW002")
def thirtysixth_a_day_of_100_hz_in_a_row() -> object:
    class Waveform(bt.Model, table="WAVEFORM", bucket="day", events="40000/s"):
        """Ground velocity at a station, sampled at 100 Hz. Analysts cut out a few minutes around an event."""

        station: str = bt.key(bt.Text(width=5), cardinality=400)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        w = bt.family("w", gc=bt.max_age(days=365))
        counts: bt.History[int] = bt.history("z", w, every="10ms")

        of_station = bt.query("station", between="day")

    return Waveform


@bad("Door events that stay", "FAM010")
def thirtysixth_door_events_that_stay() -> object:
    class DoorEvent(bt.Model, table="DOOR_EVENT", events="80/s"):
        """A door that a guest opened with the phone. By our privacy notice these events are deleted after 30 days."""

        hotel: int = bt.key(bt.PaddedInt(5), cardinality=1_400, sequential=False)
        stay: UUID = bt.key(bt.UuidText(), cardinality=30_000_000)
        opened_at: datetime = bt.key(bt.EpochMillis(round=True))

        d = bt.family("d", gc=bt.max_versions(1))
        door: str = bt.column("d", d, size=5, max_size=12)
        lock_battery: int | None = bt.column("b", d, default=None)

        of_stay = bt.query("hotel", "stay", between="opened_at")

    return DoorEvent


@bad("Article reads by the hour", "KEY001")
def thirtysixth_article_reads_by_the_hour() -> object:
    class ArticleRead(bt.Model, table="ARTICLE_READ", events="18000/s"):
        """Someone read an article to the end. An editor asks for the reads of one article in one hour."""

        hour: str = bt.key(bt.Text(width=10))
        "Such as 2024051013, so that a job can pick up the finished one."
        article: int = bt.key(bt.PaddedInt(9), cardinality=3_000_000, sequential=False)
        id: UUID = bt.key(bt.UuidText())

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=35))
        at: datetime = bt.column("t", r)
        seconds: int = bt.column("s", r)
        referrer: str | None = bt.column("f", r, size=20, max_size=300, default=None)

        of_article = bt.query("hour", "article")
        of_hour = bt.query("hour")

    return ArticleRead


@bad("Pen days that come late", "FAM006")
def thirtysixth_pen_days_that_come_late() -> object:
    class PenDay(bt.Model, table="PEN_DAY", bucket="day", events="500/s", lateness="21d"):
        """Readings of the probe in a pen. Farms without a link bring theirs on a disk with the supply boat."""

        pen: str = bt.key(bt.Text(width=8), cardinality=30_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        o = bt.family("o", gc=bt.max_age(days=14))
        oxygen: bt.History[float] = bt.history("o", o, every="1min")
        celsius: bt.History[float] = bt.history("c", o, every="1min")

        of_pen = bt.query("pen", between="day", span="3day")

    return PenDay


@bad("All followers in one row", "ROW003")
def thirtysixth_all_followers_in_one_row() -> object:
    class Profile(bt.Model, table="PROFILE", events="2500/s"):
        """A profile with its followers, of which the most popular ones have tens of millions."""

        profile: UUID = bt.key(bt.UuidText(), cardinality=90_000_000)

        f = bt.family("f", gc=bt.max_versions(1))
        followers: set[UUID] = bt.members(f, bt.UuidRaw())

        p = bt.family("p", gc=bt.max_versions(1))
        bio: str | None = bt.column("b", p, size=80, max_size=600, default=None)

        one = bt.query("profile")

    return Profile


@bad("A table for each shop", "TAB002")
def thirtysixth_a_table_for_each_shop() -> object:
    class Basket(bt.Model, table="BASKET_{shop}", events="2/s"):
        """An open basket of a shop.

        Each of our 6,400 shops gets its own table when it signs up, all in the one production instance.
        """

        basket: UUID = bt.key(bt.UuidText(), cardinality=500_000)

        b = bt.family("b", gc=bt.max_versions(1) | bt.max_age(days=45))
        items: dict[str, int] = bt.mapping(b, bt.Text(max_length=20), prefix="i:", entries=200)
        touched_at: datetime = bt.column("t", b)
        voucher: str | None = bt.column("v", b, size=8, max_size=24, default=None)

        one = bt.query("basket")

    return Basket


@bad("A courier's orders by a full scan", "QRY001")
def thirtysixth_a_courier_s_orders_by_a_full_scan() -> object:
    class Order(bt.Model, table="ORDER", events="700/s"):
        """An order, and where it is."""

        restaurant: UUID = bt.key(bt.UuidText(), cardinality=250_000)
        ordered_at: datetime = bt.key(bt.EpochMillis(round=True))
        order: UUID = bt.key(bt.UuidText())

        o = bt.family("o", gc=bt.max_versions(1) | bt.max_age(days=1100))
        courier: UUID | None = bt.column("c", o, default=None)
        state: str = bt.column("s", o, size=9, max_size=16)
        total_cents: int = bt.column("t", o)

        of_restaurant = bt.query("restaurant", between="ordered_at")
        of_courier = bt.query(
            scan="the courier app polls for the orders assigned to its courier every 15 seconds"
        )

    return Order
