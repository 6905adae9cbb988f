"""A thirty-fifth set of designs by people who had not read the rules: the faulty ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

from published import bad

import btmodel as bt


@bad("Truck positions: reversed time in front, and what is older than a week stays", "KEY001", "FAM010")
def thirtyfifth_truck_positions_reversed_time_in_front_and_what_is_older_than_a_week_stays() -> object:
    class TruckPosition(bt.Model, table="truck_positions", events="9000/s"):
        """One position report of a truck, sent by its on-board unit every five seconds.

        The dispatch screen shows the newest reports of all carriers. Reports that are older than a week are of no use to anybody and should go.
        """

        at: datetime = bt.key(bt.ReversedMillis())
        truck: str = bt.key(bt.Text(width=10), cardinality=45_000)

        p = bt.family("p", gc=bt.max_versions(1))
        lat: float = bt.column("lat", p)
        lon: float = bt.column("lon", p)
        speed_kmh: int = bt.column("v", p, codec=bt.IntBytes(2, "big"))
        heading: int = bt.column("h", p, codec=bt.IntBytes(2, "big"))

        newest_of_all = bt.query(between="at", newest=True, span="10s")

    return TruckPosition


@bad("A ULID in front, asked for one by one", "KEY002")
def thirtyfifth_a_ulid_in_front_asked_for_one_by_one() -> object:
    class AdBid(bt.Model, table="bids", events="18000/s"):
        """A bid that we made in an ad auction. The bidders write it, and the win notice looks it up by its id a few seconds later."""

        ulid: str = bt.key(bt.Text(width=26), cardinality=50_000_000_000)

        b = bt.family("b", gc=bt.max_age(days=3))
        campaign: str = bt.column("c", b, size=12)
        price: Decimal = bt.column("p", b, size=8)
        slot: str = bt.column("s", b, size=20)
        features: bytes = bt.column("f", b, size=400, max_size=2_000)

        of_id = bt.query("ulid")

    return AdBid


@bad("Crawled pages by a host that is not reversed", "KEY011")
def thirtyfifth_crawled_pages_by_a_host_that_is_not_reversed() -> object:
    class CrawledPage(bt.Model, table="pages", events="400/s"):
        """The last fetch of a page of the web, by the crawler.

        Analysts read all pages of a site together with those of its subdomains: `example.org`, `shop.example.org` and `blog.example.org`.
        """

        host: str = bt.key(bt.Text(max_length=90), cardinality=6_000_000)
        path: str = bt.key(bt.Text(max_length=600))

        c = bt.family("c", gc=bt.max_versions(1))
        fetched: datetime = bt.column("at", c)
        http_status: int = bt.column("st", c, codec=bt.IntBytes(2, "big"))
        text: str = bt.column("t", c, size=18_000, max_size=900_000)

        of_site = bt.query(starting="host")
        of_page = bt.query("host", "path")

    return CrawledPage


@bad("Calls by one of four regions and the time, which must be gone after 90 days", "KEY003", "FAM010")
def thirtyfifth_calls_by_one_of_four_regions_and_the_time_which_must_be_gone_after_90_days() -> object:
    class Region(StrEnum):
        NORTH = "n"
        EAST = "e"
        SOUTH = "s"
        WEST = "w"

    class CallRecord(bt.Model, table="cdr", events="40000/s"):
        """A call detail record, written by the mediation system when a call ends.

        Fraud detection reads the last quarter of an hour of a region. Records must be gone after 90 days.
        """

        region: Region = bt.key(bt.EnumText(Region))
        ended: datetime = bt.key(bt.EpochMillis())
        call: str = bt.key(bt.HexDigest(16))

        r = bt.family("r", gc=bt.max_versions(1))
        line: str = bt.column("ln", r, size=12)
        peer: str = bt.column("pr", r, size=12)
        seconds: int = bt.column("s", r, codec=bt.IntBytes(4, "big"))
        cell: int = bt.column("cl", r, codec=bt.IntBytes(4, "big"))

        of_region = bt.query("region", between="ended", span="15min")

    return CallRecord


@bad("The readings of a machine behind the time of its plant", "QRY005")
def thirtyfifth_the_readings_of_a_machine_behind_the_time_of_its_plant() -> object:
    class MachineReading(bt.Model, table="MACHINE_READING", events="8000/s"):
        """A vibration reading of a machine in one of our customers' plants, one every fifty seconds. The maintenance app draws a day of one machine."""

        plant: str = bt.key(bt.Text(width=6), cardinality=1_000)
        at: datetime = bt.key(bt.EpochMillis())
        machine: str = bt.key(bt.Text(width=8), cardinality=400_000)

        m = bt.family("m", gc=bt.max_age(days=180))
        rms: float = bt.column("r", m)
        peak: float = bt.column("k", m)
        temperature: float = bt.column("t", m)

        day_of_machine = bt.query("plant", between="at", where=["machine"], span="1day")

    return MachineReading


@bad("All messages of a chat room in one row", "ROW003")
def thirtyfifth_all_messages_of_a_chat_room_in_one_row() -> object:
    class ChatRoom(bt.Model, table="rooms", events="25000/s"):
        """A room of the chat, with what was said in it. Clients write to it through the gateway, and read the newest fifty messages when they join."""

        room: UUID = bt.key(bt.UuidText(), cardinality=300_000)

        msg = bt.family("m", gc=bt.keep_all())
        messages: bt.History[str] = bt.history("t", msg, every="12s", size=180, max_size=4_000)

        about = bt.family("a", gc=bt.max_versions(1))
        title: str = bt.column("t", about, size=40)
        owner: str = bt.column("o", about, size=12)

    return ChatRoom


@bad("Images of up to 400 MB in a cell", "ROW001")
def thirtyfifth_images_of_up_to_400_mb_in_a_cell() -> object:
    class ScanSeries(bt.Model, table="series", events="600/h"):
        """A series of a CT or MR study, with all of its slices in one file. The scanners' gateway writes it, and the viewer opens one series at a time."""

        study: str = bt.key(bt.HexDigest(16), cardinality=4_000_000)
        series: int = bt.key(bt.PaddedInt(4))

        head = bt.family("h", gc=bt.max_versions(1))
        modality: str = bt.column("m", head, size=2)
        taken: datetime = bt.column("t", head)

        pixels = bt.family("p", gc=bt.max_versions(1))
        dicom: bytes = bt.column("d", pixels, size=60_000_000, max_size=400_000_000)

        of_study = bt.query("study", only=["modality", "taken"])
        one = bt.query("study", "series")

    return ScanSeries


@bad("Statements that can be shown for ten years, in a family of two", "FAM010")
def thirtyfifth_statements_that_can_be_shown_for_ten_years_in_a_family_of_two() -> object:
    class AccountStatement(bt.Model, table="statements", events="60/s"):
        """The monthly statement of an account, written once by the batch of the night after the month.

        Customers read the last year of it in the app. The regulator demands that we can show each statement for ten years.
        """

        account: str = bt.key(bt.HexDigest(16), cardinality=9_000_000)
        closed: date = bt.key(bt.DateText("%Y%m%d"))

        s = bt.family("s", gc=bt.max_age(days=730))
        opening: Decimal = bt.column("o", s, size=9)
        closing: Decimal = bt.column("c", s, size=9)
        lines: bytes = bt.column("l", s, size=6_000, max_size=300_000)

        of_account = bt.query("account", between="closed")

    return AccountStatement


@bad("What was written at the installation, beside the state of 14 days", "FAM010")
def thirtyfifth_what_was_written_at_the_installation_beside_the_state_of_14_days() -> object:
    class Elevator(bt.Model, table="elevators", events="1500/s"):
        """An elevator that we maintain. Its controller overwrites the status every minute, and a status is worthless after two weeks.

        The commissioning data are written on the day of the installation, and the mechanics need them for as long as the elevator runs.
        """

        elevator: str = bt.key(bt.Text(width=9), cardinality=90_000)

        e = bt.family("e", gc=bt.max_versions(1) | bt.max_age(days=14))
        floor: int | None = bt.column("fl", e, codec=bt.IntBytes(2, "big"), default=None)
        door: str | None = bt.column("dr", e, size=6, default=None)
        fault: str | None = bt.column("ft", e, size=8, default=None)
        commissioned: date = bt.column("cd", e)
        rated_load_kg: int = bt.column("rl", e)
        rope_type: str = bt.column("rt", e, size=12)

        one = bt.query("elevator")

    return Elevator


@bad("Qualifiers of up to 62 bytes for values of four", "COL001", "FAM003")
def thirtyfifth_qualifiers_of_up_to_62_bytes_for_values_of_four() -> object:
    class FieldReading(bt.Model, table="field_readings", events="60000/s"):
        """What a field station measured, one row for each of its reports (one a second). The irrigation planner reads the last hours of a station."""

        station: str = bt.key(bt.Text(width=8), cardinality=60_000)
        at: datetime = bt.key(bt.EpochSeconds())

        measurements = bt.family("environmental_measurements", gc=bt.max_age(days=60))
        air: float = bt.column(
            "average_ambient_air_temperature_in_degrees_celsius",
            measurements,
            codec=bt.FloatBytes(4, round=True),
        )
        soil: float = bt.column(
            "average_soil_temperature_at_ten_centimetres_in_degrees_celsius",
            measurements,
            codec=bt.FloatBytes(4, round=True),
        )
        moisture: float = bt.column(
            "volumetric_soil_moisture_content_in_percent", measurements, codec=bt.FloatBytes(4, round=True)
        )
        radiation: float = bt.column(
            "photosynthetically_active_radiation_in_micromoles",
            measurements,
            codec=bt.FloatBytes(4, round=True),
        )
        leaf_wetness: float = bt.column(
            "leaf_wetness_duration_since_midnight_in_minutes",
            measurements,
            codec=bt.FloatBytes(4, round=True),
        )

        of_station = bt.query("station", between="at", span="6h")

    return FieldReading


@bad("Hearts of a live show, added to one row", "KEY013")
def thirtyfifth_hearts_of_a_live_show_added_to_one_row() -> object:
    class LiveShow(bt.Model, table="live_shows", events="6000/s"):
        """A show that is on the air. Each heart of a viewer adds one to `hearts` with ReadModifyWriteRow; the presenters see the number."""

        show: str = bt.key(bt.HexDigest(12), cardinality=2_000, skew="90%:1")

        s = bt.family("s", gc=bt.max_versions(1))
        title: str = bt.column("t", s, size=50)
        hearts: int = bt.column("h", s, default=0, increments="5000/s")

        one = bt.query("show")

    return LiveShow


@bad("Block heights as texts, of which ranges are asked", "KEY007")
def thirtyfifth_block_heights_as_texts_of_which_ranges_are_asked() -> object:
    class Block(bt.Model, table="blocks", events="30/s"):
        """A block of one of the chains that we index.

        The height is the text that the node's RPC returns, such as `98123` or `104550`. The explorer pages through blocks from one height to another.
        """

        chain: str = bt.key(bt.Text(max_length=12), cardinality=40)
        height: str = bt.key(bt.Text(max_length=12))

        b = bt.family("b", gc=bt.max_versions(1))
        hash: bytes = bt.column("h", b, size=32, max_size=32)
        mined: datetime = bt.column("at", b)
        transactions: int = bt.column("n", b)

        of_chain = bt.query("chain", between="height")

    return Block


@bad("Tickets behind the agent to whom they are assigned", "KEY021")
def thirtyfifth_tickets_behind_the_agent_to_whom_they_are_assigned() -> object:
    class SupportTicket(bt.Model, table="tickets", events="80/s"):
        """A ticket of the help desk, in the list of the agent who has it. A ticket is handed from agent to agent until it is solved, three times on average."""

        agent: str = bt.key(bt.Text(max_length=12), cardinality=4_000)
        ticket: str = bt.key(bt.HexDigest(16), cardinality=60_000_000)

        t = bt.family("t", gc=bt.max_versions(1))
        subject: str = bt.column("s", t, size=60, max_size=300)
        opened: datetime = bt.column("o", t)
        text: str = bt.column("x", t, size=900, max_size=20_000)

        of_agent = bt.query("agent")
        one = bt.query("agent", "ticket")

    return SupportTicket


@bad("Passages of a station in one second", "KEY017")
def thirtyfifth_passages_of_a_station_in_one_second() -> object:
    class GatePassage(bt.Model, table="passages", events="2000/s"):
        """Somebody went through a gate of a station. All gates of a station report; planners read the passages of a station between two times."""

        station: str = bt.key(bt.Text(width=4), cardinality=300)
        at: datetime = bt.key(bt.EpochSeconds(round=True))

        g = bt.family("g", gc=bt.max_versions(1) | bt.max_age(days=400))
        gate: int = bt.column("g", g, codec=bt.IntBytes(2, "big"))
        ticket_kind: str = bt.column("k", g, size=3)
        inward: bool = bt.column("i", g)

        of_station = bt.query("station", between="at", span="1h")

    return GatePassage


@bad("A table for each of 2,500 schools", "TAB002")
def thirtyfifth_a_table_for_each_of_2_500_schools() -> object:
    class Attendance(bt.Model, table="attendance_{school}", events="200/h"):
        """Who was present in which lesson. Each of our 2,500 schools has a table of its own, which is created when the school signs up."""

        pupil: str = bt.key(bt.HexDigest(12), cardinality=900)
        day: date = bt.key(bt.DateText("%Y%m%d"))
        lesson: int = bt.key(bt.PaddedInt(2))

        a = bt.family("a", gc=bt.max_age(days=1200))
        present: bool = bt.column("p", a)
        minutes_late: int | None = bt.column("l", a, codec=bt.IntBytes(2, "big"), default=None)
        remark: str | None = bt.column("r", a, size=40, default=None)

        of_pupil = bt.query("pupil", between="day")

    return Attendance


@bad("Members by their e-mail address, which they may change", "KEY010")
def thirtyfifth_members_by_their_e_mail_address_which_they_may_change() -> object:
    class LoyaltyMember(bt.Model, table="members", events="300/s"):
        """A member of the loyalty programme, found by the address that they log in with. Members can change their address on the profile page."""

        email: str = bt.key(bt.Text(max_length=120), cardinality=12_000_000)

        m = bt.family("m", gc=bt.max_versions(1))
        name: str = bt.column("n", m, size=20)
        joined: date = bt.column("j", m)
        points: int = bt.column("p", m)
        level: str = bt.column("l", m, size=6)

        one = bt.query("email")

    return LoyaltyMember


@bad("A saved game of 150 KB, of which only the balance changes", "COL009")
def thirtyfifth_a_saved_game_of_150_kb_of_which_only_the_balance_changes() -> object:
    class PlayerState(bt.Model, table="player_state", events="2500/s"):
        """The state of a player: balance, inventory, quests, map, all in one JSON document.

        At almost every write only the balance of coins in it changes, when a player picks one up, and the shop reads nothing but the balance.
        """

        player: str = bt.key(bt.HexDigest(16), cardinality=8_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        state: dict[str, Any] = bt.column("doc", s, size=150_000, max_size=900_000)

        one = bt.query("player")

    return PlayerState


@bad("A list of 600 documents that brings their PDFs", "QRY005")
def thirtyfifth_a_list_of_600_documents_that_brings_their_pdfs() -> object:
    class CourtFile(bt.Model, table="court_files", events="4/s"):
        """A document of a legal matter. The list of a matter, some 600 documents, shows titles and dates; a lawyer then opens one of the documents."""

        matter: str = bt.key(bt.HexDigest(12), cardinality=80_000)
        document: int = bt.key(bt.PaddedInt(6))

        d = bt.family("d", gc=bt.max_versions(1))
        title: str = bt.column("t", d, size=70)
        filed: date = bt.column("f", d)
        court: str = bt.column("c", d, size=25)
        pdf: bytes = bt.column("p", d, size=4_000_000, max_size=9_000_000)

        of_matter = bt.query("matter")
        one = bt.query("matter", "document")

    return CourtFile


@bad("Where a courier is, with every earlier version", "ROW003", "KEY013")
def thirtyfifth_where_a_courier_is_with_every_earlier_version() -> object:
    class Courier(bt.Model, table="couriers", events="20000/s"):
        """Where a courier is now. The phone of the courier overwrites it once a second, and the customer's map reads the present position only."""

        courier: str = bt.key(bt.HexDigest(12), cardinality=20_000)

        now = bt.family("n", gc=bt.keep_all())
        lat: float = bt.column("a", now)
        lon: float = bt.column("o", now)
        battery: int = bt.column("b", now, codec=bt.IntBytes(1, "big"))

        one = bt.query("courier")

    return Courier


@bad("Fixes that come up to 200 days late, in a family of 90", "FAM006")
def thirtyfifth_fixes_that_come_up_to_200_days_late_in_a_family_of_90() -> object:
    class CollarFix(bt.Model, table="collar_fixes", events="40/s", timestamp="at", lateness="200d"):
        """A GPS fix of an animal, at most one a minute. A collar keeps its fixes and sends them when it comes near a base station; researchers read them by animal."""

        collar: str = bt.key(bt.Text(width=7), cardinality=6_000)
        at: datetime = bt.key(bt.EpochSeconds())

        f = bt.family("f", gc=bt.max_age(days=90))
        lat: float = bt.column("a", f)
        lon: float = bt.column("o", f)
        dop: float = bt.column("d", f, codec=bt.FloatBytes(4, round=True))

        of_collar = bt.query("collar", between="at", span="30days")

    return CollarFix


@bad("A salt in front of random account ids", "KEY005")
def thirtyfifth_a_salt_in_front_of_random_account_ids() -> object:
    class Charge(bt.Model, table="charges", events="150/s", nodes=3):
        """A charge of a subscription. The billing page reads the last year of one account, about twelve charges, thousands of times a second."""

        salt = bt.salt("at", buckets=200)
        account: UUID = bt.key(bt.UuidText(), cardinality=5_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        c = bt.family("c", gc=bt.max_age(days=2600))
        amount: Decimal = bt.column("a", c, size=7)
        currency: str = bt.column("u", c, size=3)
        invoice: str = bt.column("i", c, size=14)

        of_account = bt.query("account", between="at", span="365days")

    return Charge


@bad("A hash of a geohash, of which prefixes are asked", "KEY004")
def thirtyfifth_a_hash_of_a_geohash_of_which_prefixes_are_asked() -> object:
    class ChargingPoint(bt.Model, table="charging_points", events="100/s"):
        """A charging point for cars and its state. Operators write it.

        The map asks for the points whose geohash begins with that of the visible square, say `u33d`, at every move of the finger.
        """

        place = bt.digest("geohash", size=8)
        point: str = bt.key(bt.Text(width=10), cardinality=700_000)

        p = bt.family("p", gc=bt.max_versions(1))
        geohash: str = bt.column("g", p, size=9, cardinality=600_000)
        operator: str = bt.column("o", p, size=12)
        free: bool = bt.column("f", p)
        kilowatts: int = bt.column("k", p, codec=bt.IntBytes(2, "big"))

        at_place = bt.query("geohash")

    return ChargingPoint


@bad("The newest of each pump by a scan of two years", "QRY001")
def thirtyfifth_the_newest_of_each_pump_by_a_scan_of_two_years() -> object:
    class PumpReading(bt.Model, table="pump_readings", events="3000/s"):
        """A reading of a water pump, one every ten seconds. Engineers read the history of a pump, and the wall display shows the newest reading of each."""

        pump: str = bt.key(bt.Text(width=8), cardinality=30_000)
        at: datetime = bt.key(bt.EpochSeconds())

        r = bt.family("r", gc=bt.max_age(days=730))
        pressure: float = bt.column("p", r)
        flow: float = bt.column("f", r)
        power: float = bt.column("w", r)

        newest_of_each = bt.query(
            scan="the wall display takes the newest reading of each pump, every 30 seconds"
        )
        of_pump = bt.query("pump", between="at", span="7days")

    return PumpReading


@bad("Forty million followers in a row", "ROW002")
def thirtyfifth_forty_million_followers_in_a_row() -> object:
    class Profile(bt.Model, table="profiles", events="1200/s"):
        """A profile of the network. Following somebody adds the follower to the set of the one who is followed; the largest accounts have forty million."""

        user: str = bt.key(bt.HexDigest(16), cardinality=200_000_000)

        a = bt.family("a", gc=bt.max_versions(1))
        handle: str = bt.column("h", a, size=14)
        joined: date = bt.column("j", a)

        fo = bt.family("fo", gc=bt.max_versions(1))
        followers: set[str] = bt.members(fo, bt.HexDigest(16), entries=40_000_000)

        one = bt.query("user")

    return Profile
