"""A thirty-fourth set of designs by people who had not read the rules: the good ones."""

from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from published import good

import btmodel as bt


@good("Forty releases a day by their time")
def thirtyfourth_forty_releases_a_day_by_their_time() -> object:
    class Release(bt.Model, table="releases", events="40/day"):
        """A release of one of our services, some forty a day over all of them, kept for good. The pipeline writes it when it has rolled out.
        The on-call page shows the newest of all services, since an outage is seldom in the service that complains."""

        at: datetime = bt.key(bt.ReversedMillis())
        service: str = bt.key(bt.Text(max_length=40), cardinality=180)

        r = bt.family("r", gc=bt.max_versions(1))
        version: str = bt.column("version", r, size=10, max_size=40)
        commit: str = bt.column("commit", r, size=40, max_size=40)
        by: str = bt.column("by", r, size=12, max_size=40)

        newest_of_all = bt.query(between="at", newest=True, span="2days")

    return Release


@good("A table of trips for each month, the oldest dropped")
def thirtyfourth_a_table_of_trips_for_each_month_the_oldest_dropped() -> object:
    class Trip(bt.Model, table="TRIPS_{month}", events="120/s"):
        """A trip of a rental car, in the table of the month in which it began. There are 25 such tables at any time: on the first of a month, a job creates the new one
        and drops the oldest, which costs nothing. The fleet page reads the trips of a car in one month."""

        car: str = bt.key(bt.Text(width=17), cardinality=400_000)
        """The number of the chassis."""
        began: datetime = bt.key(bt.EpochSeconds())

        t = bt.family("t", gc=bt.max_versions(1))
        metres: int = bt.column("m", t)
        seconds: int = bt.column("s", t)
        litres: float | None = bt.column("l", t, default=None)

        of_car = bt.query("car", between="began")

    return Trip


@good("A sum for each counting server")
def thirtyfourth_a_sum_for_each_counting_server() -> object:
    class LiveVotes(bt.Model, table="live_votes", events="720/s"):
        """How many voted for a candidate, as one of sixty counting servers has it. Each server sums up the votes that it takes, and adds the sum once a second to a row of its own.
        The studio adds up the sixty rows of a candidate for the bar on the screen; the result itself is made from the ballots, which are in another table,
        so a sum that is added twice does no harm."""

        show: int = bt.key(bt.PaddedInt(4), cardinality=200, sequential=False)
        candidate: int = bt.key(bt.PaddedInt(2), cardinality=12, sequential=False)
        server: int = bt.key(bt.PaddedInt(2), cardinality=60, sequential=False)

        v = bt.family("v", gc=bt.keep_all(), aggregate="sum")
        votes: int | None = bt.counter("n", v, increments="1/s")

        of_candidate = bt.query("show", "candidate")
        of_show = bt.query("show")

    return LiveVotes


@good("A year of fifty-three cells")
def thirtyfourth_a_year_of_fifty_three_cells() -> object:
    class DetectorYear(bt.Model, table="detector_year", bucket="year", events="5/s"):
        """The self-tests of a smoke detector in a year, one a week. The insurer wants all of them for as long as the detector hangs,
        and an inspector reads those of one detector over all its years."""

        detector: str = bt.key(bt.HexDigest(10), cardinality=3_000_000)
        year: date = bt.key(bt.DateText("%Y"))

        t = bt.family("t", gc=bt.keep_all())
        battery_mv: bt.History[int] = bt.history("mv", t, every="7days", size=8)
        sensor_ok: bt.History[bool] = bt.history("ok", t, every="7days", size=1)

        of_detector = bt.query("detector", between="year")

    return DetectorYear


@good("A hash before numbers that are read alone")
def thirtyfourth_a_hash_before_numbers_that_are_read_alone() -> object:
    class Payment(bt.Model, table="payments", events="3000/s"):
        """A payment of a customer. The ledger gives out the numbers, one after the other, and every reader comes with a number:
        the receipt page, refunds, and the bank's messages. Lists of payments are made in the warehouse, from the change stream."""

        spread = bt.digest("number", size=4)
        number: int = bt.key(bt.PaddedInt(14), cardinality=100_000_000_000, sequential=True)

        p = bt.family("p", gc=bt.max_versions(1))
        amount: Decimal = bt.column("amount", p, size=6, max_size=16)
        currency: str = bt.column("currency", p, size=3, max_size=3)
        payer: str = bt.column("payer", p, size=24, max_size=24)
        paid: datetime = bt.column("paid", p)

        by_number = bt.query("number")

    return Payment


@good("Postings that are never deleted")
def thirtyfourth_postings_that_are_never_deleted() -> object:
    class Posting(bt.Model, table="postings", events="300/s"):
        """An entry in the account of a player: a stake, a prize, a payment. It is written once, with `put_if_absent`, and never changed; a mistake is corrected by another entry.
        The gaming authority may ask for any entry ever made, so nothing is deleted. The site shows an account month by month."""

        account: str = bt.key(bt.HexDigest(12), cardinality=4_000_000)
        day: date = bt.key(bt.DateText())
        posting: str = bt.key(bt.HexDigest(12), cardinality=50_000_000_000)
        """A random id, which the caller makes before the first attempt and keeps for the others."""

        p = bt.family("p", gc=bt.keep_all())
        kind: str = bt.column("kind", p, size=6, max_size=20, cardinality=9)
        amount: Decimal = bt.column("amount", p, size=6, max_size=16)
        draw: int | None = bt.column("draw", p, default=None)

        of_account = bt.query("account", between="day", span="31days")

    return Posting


@good("A minute a slot")
def thirtyfourth_a_minute_a_slot() -> object:
    class ChargerDay(bt.Model, table="charger_day", bucket="day", events="1500/s"):
        """A day of a charging point: what it drew in each minute. The station sends a value a minute, and again what it is not sure to have sent;
        the same minute goes to the same column. The operator's page draws a day or a week of a point."""

        point: str = bt.key(bt.Text(max_length=24), cardinality=90_000)
        """As DE*ABC*E0471."""
        day: date = bt.key(bt.DateText())

        w = bt.family("w", gc=bt.max_versions(1) | bt.max_age(days=800))
        watts: bt.Slots[int] = bt.slots(w, every="1min", qualifier="%H%M", codec=bt.IntBytes(4), size=4)

        of_point = bt.query("point", between="day", span="7days")

    return ChargerDay


@good("A playlist of bounded length")
def thirtyfourth_a_playlist_of_bounded_length() -> object:
    class Playlist(bt.Model, table="playlists", events="4000/s"):
        """A playlist with its tracks. The app reads it whole when it is opened. The service refuses the 10,001st track;
        the usual playlist has sixty."""

        playlist: str = bt.key(bt.HexDigest(12), cardinality=700_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        title: str | None = bt.column("title", p, default=None, size=20, max_size=200)
        owner: str | None = bt.column("owner", p, default=None, size=24, max_size=24)
        opened: datetime | None = bt.column("opened", p, default=None)

        t = bt.family("t", gc=bt.max_versions(1))
        tracks: dict[str, int] = bt.mapping(t, bt.HexDigest(12), entries=10_000, size=8)
        """The place of each track in the list."""

        one = bt.query("playlist")

    return Playlist


@good("An outcome that is final")
def thirtyfourth_an_outcome_that_is_final() -> object:
    class Outcome(StrEnum):
        GRANTED = "granted"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    class Permit(bt.Model, table="permits", events="3000/day"):
        """A building permit on which the county has decided; it comes here from the county's register a night after the decision, which is final.
        Surveyors read the permits of a county with one outcome. The state is one of the United States, not a stage of the proceedings."""

        state: str = bt.key(bt.Text(width=2), cardinality=51, changes=False)
        county: str = bt.key(bt.Text(max_length=30), cardinality=3_100)
        status: Outcome = bt.key(bt.EnumText(Outcome), changes=False)
        permit: str = bt.key(bt.Text(max_length=20), cardinality=12_000_000)
        """The number in the county's register, which counts through all years."""

        p = bt.family("p", gc=bt.max_versions(1))
        parcel: str = bt.column("parcel", p, size=14, max_size=30)
        decided: date = bt.column("decided", p)
        square_feet: int | None = bt.column("sqft", p, default=None)

        of_county = bt.query("state", "county", "status")

    return Permit


@good("Links that end by themselves")
def thirtyfourth_links_that_end_by_themselves() -> object:
    class ResetLink(bt.Model, table="reset_links", events="30/s"):
        """A link by which somebody sets a new password, good for an hour. The table has a hash of the token in place of the token itself,
        so that nobody who reads the table can use one. The page looks the link up once, and deletes it."""

        id = bt.digest("token", size=32)
        token: str | None = bt.key(bt.Text(max_length=43), stored=False, cardinality=3_000_000)
        until: datetime = bt.expires(round=True)

        r = bt.family("r", gc=bt.max_age(seconds=1))
        account: str = bt.column("account", r, size=24, max_size=24)

        of_token = bt.query("token")

    return ResetLink


@good("Settings in one row")
def thirtyfourth_settings_in_one_row() -> object:
    class DispatchSettings(bt.Model, table="settings", events="10/day"):
        """What all thirty dispatch servers go by: one row. Each server reads it once a minute and keeps it in memory.
        The shift leader changes it some times a day, with `put_if` on the version; the last fifty versions are kept, and the page of the shift leader reads them by their times to go back."""

        what = bt.constant("dispatch")

        s = bt.family("s", gc=bt.max_versions(50))
        radius_m: int = bt.column("radius", s)
        surcharge_percent: int = bt.column("surcharge", s)
        version: int = bt.column("version", s)
        changed: datetime = bt.column("changed", s)
        by: str = bt.column("by", s, size=12, max_size=60)

        one = bt.query()

    return DispatchSettings


@good("Twelve salts read by one loader")
def thirtyfourth_twelve_salts_read_by_one_loader() -> object:
    class OutgoingEvent(bt.Model, table="outgoing", events="20000/s"):
        """An event of the shop that the warehouse has not taken yet. One loader takes each minute when it is over, and reads no other way;
        should the warehouse be down, it has three days to catch up. Rows are not deleted one by one: they go with their age."""

        shard = bt.salt("event", buckets=12)
        at: datetime = bt.key(bt.EpochMillis())
        event: str = bt.key(bt.HexDigest(16))

        e = bt.family("e", gc=bt.max_age(days=4))
        kind: str = bt.column("kind", e, size=14, max_size=40, cardinality=70)
        body: bytes = bt.column("body", e, size=600, max_size=30_000)

        of_minute = bt.query(between="at", span="1min")

    return OutgoingEvent


@good("Three thousand stations read each minute")
def thirtyfourth_three_thousand_stations_read_each_minute() -> object:
    class Station(bt.Model, table="bike_stations", events="50/s"):
        """How many bikes stand at each of the 3,000 stations of the city now. A station overwrites its row when a bike comes or goes.
        A job reads all stations each minute and writes the file that the app draws its map from; the table has about half a megabyte."""

        station: int = bt.key(bt.PaddedInt(4), cardinality=3_000, sequential=False)

        s = bt.family("s", gc=bt.max_versions(1))
        bikes: int = bt.column("bikes", s)
        docks: int = bt.column("docks", s)
        latitude: float = bt.column("lat", s)
        longitude: float = bt.column("lon", s)
        changed: datetime = bt.column("at", s)
        """By the station's clock; a station has one line, so its messages come in order."""

        one = bt.query("station")
        of_all = bt.query(scan="the map shows all 3,000 stations, once a minute for everybody")

    return Station


@good("One tenant with most of the contracts")
def thirtyfourth_one_tenant_with_most_of_the_contracts() -> object:
    class Contract(bt.Model, table="contracts", events="8000/s"):
        """A contract of a tenant, as text with some facts about it; the editor writes it anew each few seconds while somebody works on it. The largest tenant, an insurer, writes more than all others together; its contracts have random ids as those of the others,
        so that they fill many tablets. Services read a contract by its id, a tenant's export goes through all of its contracts once a month, and the rows of a tenant go as one prefix when it leaves."""

        tenant: str = bt.key(bt.HexDigest(8), cardinality=400, tenant=True, skew="60%:1")
        contract: str = bt.key(bt.HexDigest(16), cardinality=900_000_000, sequential=False)

        c = bt.family("c", gc=bt.max_versions(3))
        text: str = bt.column("text", c, size=9_000, max_size=400_000)
        signed: datetime | None = bt.column("signed", c, default=None)
        parties: list[str] = bt.column("parties", c, size=80, max_size=2_000)

        one = bt.query("tenant", "contract")
        of_tenant = bt.query("tenant")

    return Contract


@good("Two hundred pieces a day by number")
def thirtyfourth_two_hundred_pieces_a_day_by_number() -> object:
    class Piece(bt.Model, table="inventory", events="200/day"):
        """A piece of the collection. The registrar gives it the next number when it comes into the house, some two hundred a day since the digitisation began,
        and adds to it for a year or two. Curators page through the numbers of a bequest, which follow one another."""

        number: int = bt.key(bt.PaddedInt(8), cardinality=2_500_000, sequential=True)

        i = bt.family("i", gc=bt.max_versions(1))
        title: str = bt.column("title", i, size=50, max_size=400)
        material: str | None = bt.column("material", i, default=None, size=20, max_size=200)
        acquired: date = bt.column("acquired", i)

        w = bt.family("w", gc=bt.max_versions(20))
        place: bt.History[str] = bt.history("place", w, every="300days", size=10, max_size=40)
        """Where it stands, and the nineteen places before."""

        one = bt.query("number")
        numbers = bt.query(between="number")

    return Piece


@good("Water meters three weeks late")
def thirtyfourth_water_meters_three_weeks_late() -> object:
    class WaterMeterDay(bt.Model, table="water_meter_day", bucket="day", events="500/s", lateness="21d"):
        """A day of a water meter in a cellar, with a reading an hour. Meters without reception keep their readings, for up to three weeks, and send them when the van passes;
        each reading has the time at which the meter took it. The bill looks at the thirteen months before it is written."""

        meter: str = bt.key(bt.Text(width=10), cardinality=1_800_000)
        day: date = bt.key(bt.DateText())

        r = bt.family("r", gc=bt.max_age(days=450))
        litres: bt.History[int] = bt.history("l", r, every="1h", size=8)
        """What the meter shows, counted since it was built in."""

        bill = bt.query("meter", between="day", span="396days")

    return WaterMeterDay


@good("Switches of which the last stays")
def thirtyfourth_switches_of_which_the_last_stays() -> object:
    class FeatureSwitch(bt.Model, table="feature_switches", events="500/day"):
        """Who sees a feature of a product. A switch that nobody has touched for years must still be there, so the newest value stays however old it is;
        of the others we want those of the last thirty days, to see what was on when something broke. Servers load the switches of their product when they start and every five minutes."""

        product: str = bt.key(bt.Text(max_length=20), cardinality=60)
        feature: str = bt.key(bt.Text(max_length=60), cardinality=9_000)

        s = bt.family("s", gc=bt.max_versions(1) & bt.max_age(days=30))
        percent: bt.History[int] = bt.history("percent", s, every="7days", size=8)
        by: bt.History[str] = bt.history("by", s, every="7days", size=12, max_size=60)

        of_product = bt.query("product")
        one = bt.query("product", "feature")

    return FeatureSwitch


@good("Presence that vanishes")
def thirtyfourth_presence_that_vanishes() -> object:
    class Presence(bt.Model, table="presence", events="150000/s"):
        """That a user is online. The app of the user writes the row once a minute for as long as it is open, and nothing else ever does;
        a row that was not written for five minutes is to vanish, as the user is then offline. Friends' apps ask for the rows of the people whom they show."""

        user: str = bt.key(bt.HexDigest(12), cardinality=60_000_000)

        p = bt.family("p", gc=bt.max_age(minutes=5) | bt.max_versions(1))
        since: datetime = bt.column("since", p)
        device: str = bt.column("device", p, size=3, max_size=10, cardinality=6)

        one = bt.query("user")

    return Presence


@good("Pictures beside what a list shows")
def thirtyfourth_pictures_beside_what_a_list_shows() -> object:
    class FlatPhoto(bt.Model, table="flat_photos", events="15/s"):
        """A photo of an advertisement, with a picture that was scaled down for the web; the original lies in object storage. An advertisement has at most thirty.
        The page of an advertisement lists its photos without their bytes, and fetches each picture when it comes into view."""

        advertisement: str = bt.key(bt.HexDigest(10), cardinality=8_000_000)
        place: int = bt.key(bt.PaddedInt(2), cardinality=30, sequential=False)
        """A place among the thirty, taken when the photo is uploaded and kept."""

        meta = bt.family("meta", gc=bt.max_versions(1))
        caption: str = bt.column("caption", meta, size=30, max_size=200)
        width: int = bt.column("w", meta)
        height: int = bt.column("h", meta)
        uploaded: datetime = bt.column("at", meta)

        img = bt.family("img", gc=bt.max_versions(1))
        picture: bytes = bt.column("jpeg", img, size=250_000, max_size=1_500_000)

        listing = bt.query("advertisement", only=["caption", "width", "height", "uploaded"])
        one = bt.query("advertisement", "place")

    return FlatPhoto


@good("Duties in two tables")
def thirtyfourth_duties_in_two_tables() -> object:
    class Duty(bt.Model, table="duties_of_crew", events="8000/day"):
        """A duty of a crew member on a day: a person has one at most. Planning writes it some weeks before, and again on each change, together with its copy in `duties_of_base`.
        The app of the person shows the month."""

        person: str = bt.key(bt.HexDigest(8), cardinality=9_000)
        day: date = bt.key(bt.DateText())

        d = bt.family("d", gc=bt.max_versions(1))
        base: str = bt.column("base", d, codec=bt.AsInKey(bt.Text(width=3)), cardinality=14)
        """The person's base; who moves to another one gets another number."""
        flights: list[str] = bt.column("flights", d, size=40, max_size=300)
        begins: str = bt.column("begins", d, size=4, max_size=4)
        ends: str = bt.column("ends", d, size=4, max_size=4)

        of_person = bt.query("person", between="day", span="31days")

    class DutyOfBase(bt.Model, table="duties_of_base", events="8000/day"):
        """The same duty, for the people who look after a base: they read all duties of it on a day."""

        base: str = bt.key(bt.Text(width=3), cardinality=14)
        day: date = bt.key(bt.DateText())
        person: str = bt.key(bt.HexDigest(8), cardinality=9_000)

        d = bt.family("d", gc=bt.max_versions(1))
        flights: list[str] = bt.column("flights", d, size=40, max_size=300)
        begins: str = bt.column("begins", d, size=4, max_size=4)
        ends: str = bt.column("ends", d, size=4, max_size=4)

        of_day = bt.query("base", "day")

    bt.twins(Duty, DutyOfBase)

    return (Duty, DutyOfBase)


@good("An index for a desk that waits")
def thirtyfourth_an_index_for_a_desk_that_waits() -> object:
    class Warranty(bt.Model, table="warranties", events="25/s"):
        """A warranty that a customer registered; it has a random id, which is in the link of the confirmation. It is written once."""

        warranty: str = bt.key(bt.HexDigest(16), cardinality=90_000_000)

        w = bt.family("w", gc=bt.max_versions(1))
        serial: str = bt.column("serial", w, codec=bt.AsInKey(bt.Text(width=12)), cardinality=90_000_000)
        """From the plate of the machine; it may be registered again by a second owner."""
        model: str = bt.column("model", w, size=10, max_size=20, cardinality=900)
        bought: date = bt.column("bought", w)
        until: date = bt.column("until", w)

        one = bt.query("warranty")

    class WarrantyOfSerial(bt.Index, of=Warranty, view="warranty_of_serial"):
        """The warranties of a machine, for the service desk, which reads the serial number off the plate, as a rule months after the registration.
        It is told that a registration of the same day may be missing here."""

        serial: str = bt.key(bt.Text(width=12), cardinality=90_000_000, sequential=False)
        warranty: str = bt.covered()
        model: str = bt.covered()
        until: date = bt.covered()

        of_serial = bt.query("serial")

    return (Warranty, WarrantyOfSerial)


@good("Pages by host and path")
def thirtyfourth_pages_by_host_and_path() -> object:
    class FetchedPage(bt.Model, table="fetched_pages", events="12000/s"):
        """The last two fetches of a page. The crawler writes pages in the order of its frontier, which goes round among millions of hosts and takes a host at most once a second.
        Analysts read a registered domain with all hosts below it, and the crawler reads a page by host and path."""

        host: str = bt.key(bt.ReversedDomain(253), cardinality=40_000_000, domain=True)
        page = bt.digest("path", size=12)

        f = bt.family("f", gc=bt.max_versions(2))
        path: str = bt.column("path", f, size=50, max_size=2_000)
        status: int = bt.column("status", f)
        fetched: datetime = bt.column("at", f)

        body = bt.family("body", gc=bt.max_versions(2))
        html: str = bt.column("html", body, codec=bt.Compressed(bt.Utf8()), size=18_000, max_size=900_000)

        one = bt.query("host", "path")
        of_domain = bt.query(starting="host", only=["path", "status", "fetched"])

    return FetchedPage


@good("One position a minute on purpose")
def thirtyfourth_one_position_a_minute_on_purpose() -> object:
    class ShipMinute(bt.Model, table="ship_minutes", events="25000/s"):
        """Where a ship was in a minute. Ships report every two to ten seconds, and one position a minute is all that we want to keep:
        the later reports of a minute replace the earlier ones, on purpose, and the last one stays; the receiver passes on the reports of a ship in their order. The map draws the way of a ship over some days."""

        ship: str = bt.key(bt.Text(width=9), cardinality=120_000, sequential=False)
        """The MMSI number."""
        minute: datetime = bt.key(bt.TimeText("%Y%m%d%H%M", round=True))

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=400))
        latitude: float = bt.column("lat", p)
        longitude: float = bt.column("lon", p)
        knots: float | None = bt.column("sog", p, default=None)

        of_ship = bt.query("ship", between="minute", span="3days")

    return ShipMinute
