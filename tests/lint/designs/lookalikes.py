"""Sound designs of many domains, each with something that looks like a fault and is none."""

from datetime import date, datetime
from enum import StrEnum

from published import good

import btmodel as bt


@good("Motorway tolls: the passages of each lane: unique id behind the time, many lanes in front")
def lane_passage() -> object:
    class LanePassage(bt.Model, table="LANE_PASSAGE", events="3000/s"):
        """A passage through a lane. 300 plazas of 12 lanes send 3,000 a second in all, evenly.

        Two vehicles may pass in the same millisecond (motorcycles), so the key ends with the passage's own number. Disputes are looked up by
        lane and time, for 60 days.
        """

        plaza: str = bt.key(bt.Text(width=4), cardinality=300)
        lane: int = bt.key(bt.PaddedInt(2), cardinality=12)
        passed_at: datetime = bt.key(bt.EpochMillis(round=True))
        passage: str = bt.key(bt.HexDigest(12), cardinality=10_000_000_000)

        p = bt.family("p", gc=bt.max_versions(1) | bt.max_age(days=60))
        axles: int = bt.column("axles", p, codec=bt.IntBytes(1))
        cents: int = bt.column("cents", p)

        of_lane = bt.query("plaza", "lane", between="passed_at", span="1h")

    return LanePassage


@good(
    "The calendar of hearings of the courts of a country: begins with a date, but 400 writes a day in no order"
)
def hearing() -> object:
    class Hearing(bt.Model, table="HEARING", events="400/day"):
        """A hearing. 400 a day are entered, for any day of the coming year, so they do not come in the order of the days.

        The clerk's page shows the hearings of a day, or of a week, of all 120 courts together. A hearing that is put off is deleted and
        entered again.
        """

        day: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, changes=False)
        court: str = bt.key(bt.Text(width=5), cardinality=120)
        docket: str = bt.key(bt.Text(max_length=16), cardinality=2_000_000)

        h = bt.family("h", gc=bt.max_versions(1))
        room: str | None = bt.column("room", h, default=None, size=6, max_size=20)
        minutes: int | None = bt.column("minutes", h, default=None, codec=bt.IntBytes(2))

        of_days = bt.query(between="day", span="7d")
        of_court = bt.query("day", "court")

    return Hearing


@good(
    "A radio telescope: the power that each antenna receives in each channel, every ten seconds: max_versions on a history, but 400 is more than the 360 of an hour"
)
def power_hour() -> object:
    class PowerHour(bt.Model, table="POWER_HOUR", bucket="hour", events="6553/s"):
        """An hour of one channel of one antenna: 360 samples, one each ten seconds, none twice. 64 antennas, 1,024 channels.

        The number of versions is a guard against a correlator that runs wild; the age decides what is kept.
        """

        antenna: int = bt.key(bt.PaddedInt(3), cardinality=64)
        channel: int = bt.key(bt.PaddedInt(4), cardinality=1_024)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        p = bt.family("p", gc=bt.max_versions(400) | bt.max_age(days=180))
        power: bt.History[float] = bt.history("p", p, every="10s", codec=bt.FloatBytes(4, round=True))

        of_channel = bt.query("antenna", "channel", between="hour", span="1d")

    return PowerHour


@good("The count of an election, by constituency: late writes, but timed entries")
def constituency() -> object:
    class Constituency(bt.Model, table="CONSTITUENCY", events="50/s"):
        """The votes that were counted in each polling place of a constituency: at most 800 places, one number each.

        A place may correct its number. Each entry carries the time of its protocol, so a protocol that arrives late never covers a
        newer one. 40 elections, 500 constituencies; the results are kept.
        """

        election: str = bt.key(bt.Text(max_length=16), cardinality=40)
        constituency: int = bt.key(bt.PaddedInt(3), cardinality=500)

        v = bt.family("v", gc=bt.max_versions(1))
        votes: dict[str, bt.Timed[int]] = bt.timed(v, bt.Text(width=6), entries=800)

        of_election = bt.query("election")
        one = bt.query("election", "constituency")

    return Constituency


@good(
    "A live feed of esports, for the casters: time first behind a salt, skewed match; the salt spreads also one match"
)
def feed_item_row() -> object:
    class FeedItem(bt.Model, table="FEED_ITEM", events="5000/s"):
        """What happened in any match, by time. 5,000 a second; the casters' tool reads all of the last seconds, of all matches.

        The salt is made of time, match and number, so one millisecond of one match lies in all 20 parts, and a read asks 20 ranges. There are
        no reads of single matches here.
        """

        shard = bt.salt("at", "match", "number", buckets=20)
        at: datetime = bt.key(bt.EpochMillis(round=True))
        match: str = bt.key(bt.HexDigest(8), cardinality=300, skew="90%:1")
        number: int = bt.key(bt.PaddedInt(9), cardinality=1_000_000_000, sequential=True)

        f = bt.family("f", gc=bt.max_versions(1) | bt.max_age(days=14))
        text: str = bt.column("t", f, size=80, max_size=400)

        during = bt.query(between="at", span="30s")

    return FeedItem


@good(
    "Payments at laundry machines: sequential numbers first, but their digits reversed, and only point reads"
)
def wash() -> object:
    class Wash(bt.Model, table="WASH", events="2000/s"):
        """A wash that was paid. The bank numbers the payments one after the other, 2,000 a second, and asks for them by number only.

        The digits are written in reverse, so payments in a row lie far apart. Written once, never changed, deleted after two years.
        """

        payment: int = bt.key(bt.ReversedDigits(12), cardinality=120_000_000_000, sequential=True)

        w = bt.family("w", gc=bt.max_versions(1) | bt.max_age(days=730))
        machine: str = bt.column("machine", w, size=10, max_size=12)
        paid_at: datetime = bt.column("paid", w)
        cents: int = bt.column("cents", w)

        of_payment = bt.query("payment")

    return Wash


@good("Friends of the museum: the members of its society: e-mail, in a cell and not in the key")
def member() -> object:
    class Member(bt.Model, table="MEMBER", events="3/s"):
        """A member, under a random number that says nothing about them; 300,000 members.

        Name, address of e-mail and birthday are cells, so they can be corrected in place. To forget a person is to delete one row.
        """

        member: str = bt.key(bt.HexDigest(16), cardinality=300_000, pii=False)

        p = bt.family("p", gc=bt.max_versions(1))
        name: str = bt.column("name", p, size=18, max_size=120)
        email: str = bt.column("email", p, size=24, max_size=120)
        birthday: date | None = bt.column("birthday", p, default=None)
        paid_until: date | None = bt.column("paid", p, default=None)

        one = bt.query("member")

    return Member


@good("Closed cases of the courts: a status in the key, that cannot change")
def closed_case() -> object:
    class Outcome(StrEnum):
        CONVICTED = "convicted"
        ACQUITTED = "acquitted"
        DISMISSED = "dismissed"

    class ClosedCase(bt.Model, table="CLOSED_CASE", events="300/day"):
        """A case that has ended, written once when its file is sealed. 120 courts, 300 cases a day, kept forever.

        The final status of a sealed file cannot change: a retrial is a new case with a new docket.
        """

        court: str = bt.key(bt.Text(width=5), cardinality=120)
        final_status: Outcome = bt.key(bt.EnumText(Outcome), changes=False)
        closed: date = bt.key(bt.DateText("%Y%m%d"), changes=False)
        docket: str = bt.key(bt.Text(max_length=16), cardinality=2_000_000)

        c = bt.family("c", gc=bt.max_versions(1))
        title: str = bt.column("title", c, size=60, max_size=400)
        pages: int = bt.column("pages", c, codec=bt.IntBytes(4))

        of_status = bt.query("court", "final_status", between="closed", span="30d")

    return ClosedCase


@good("Prices of hotel nights: reversed time behind many values")
def night_rate() -> object:
    class NightRate(bt.Model, table="NIGHT_RATE", events="4000/s"):
        """The price of a night, each time that we saw it change: 400,000 hotels, up to 60 rate plans, a year of nights ahead.

        A crawler looks at a plan once in ten minutes at most. Pages show the newest price, and a chart of how it came to that.
        """

        hotel: int = bt.key(bt.PaddedInt(7), cardinality=400_000, sequential=False)
        plan: str = bt.key(bt.Text(max_length=12), cardinality=60, changes=False)
        night: date = bt.key(bt.DateText("%Y%m%d"), sequential=False, changes=False)
        seen: datetime = bt.key(bt.ReversedMillis(round=True))

        r = bt.family("r", gc=bt.max_versions(1) | bt.max_age(days=400))
        cents: int = bt.column("cents", r)
        rooms_left: int | None = bt.column("left", r, default=None, codec=bt.IntBytes(2))

        of_night = bt.query("hotel", "plan", "night")
        since = bt.query("hotel", "plan", "night", between="seen", span="90d")

    return NightRate


@good(
    "Downloads of podcasts, by episode: counters at 9,000/s with an age, but 40/s in a row at most and spans of time"
)
def episode_downloads() -> object:
    class EpisodeDownloads(bt.Model, table="EPISODE_DOWNLOADS", events="9000/s"):
        """How often an episode was downloaded in each hour of the last 90 days, and in each day of the last three years.

        9,000 downloads a second over 600,000 episodes; the most popular one has 40 a second. The numbers are for a chart: if a retry counts
        a download twice, nobody minds, as royalties are counted from the logs.
        """

        show: str = bt.key(bt.HexDigest(8), cardinality=20_000)
        episode: int = bt.key(bt.PaddedInt(4), cardinality=2_000)

        h = bt.family("h", gc=bt.max_age(days=90), aggregate="sum")
        d = bt.family("d", gc=bt.max_age(days=1_096), aggregate="sum")
        hours: bt.History[int] = bt.counter("n", h, every="1h", increments="40/s")
        days: bt.History[int] = bt.counter("n", d, every="1day", increments="40/s")

        one = bt.query("show", "episode")

    return EpisodeDownloads


@good("Water meters: readings for some months, bills for good: two retentions, in two families")
def water_month() -> object:
    class WaterMonth(bt.Model, table="WATER_MONTH", bucket="month", events="111/s"):
        """A month of a meter: a reading each hour, and what was billed. 400,000 meters.

        Readings may be kept for 100 days by law, bills must be kept, so they lie in families of their own.
        """

        meter: int = bt.key(bt.PaddedInt(9), cardinality=400_000, sequential=False)
        month: date = bt.key(bt.DateText("%Y%m"))

        r = bt.family("r", gc=bt.max_age(days=100))
        litres: bt.History[int] = bt.history("l", r, every="1h")

        b = bt.family("b", gc=bt.max_versions(1))
        billed_litres: int | None = bt.column("litres", b, default=None)
        billed_cents: int | None = bt.column("cents", b, default=None)

        of_meter = bt.query("meter", between="month", span="60d")

    return WaterMonth


@good("Vibration of elevators, for maintenance ahead of time: five days late, but 45 are kept and 14 read")
def vibration_day() -> object:
    class VibrationDay(bt.Model, table="VIBRATION_DAY", bucket="day", events="530/s", lateness="5d"):
        """A day of one elevator: a figure each minute, by the time that it was measured. 32,000 elevators.

        Some sites are offline over a long weekend and send their figures up to five days late. The model of wear reads 14 days, once a night;
        45 days are kept, so late figures have 40 days left.
        """

        elevator: str = bt.key(bt.HexDigest(10), cardinality=32_000)
        day: date = bt.key(bt.DateText("%Y%m%d"))

        v = bt.family("v", gc=bt.max_age(days=45))
        level: bt.History[float] = bt.history("v", v, every="1min", codec=bt.FloatBytes(4, round=True))

        of_elevator = bt.query("elevator", between="day", span="14d")

    return VibrationDay


@good("Which devices have finished which release of their firmware: versions, as padded numbers")
def installed() -> object:
    class Installed(bt.Model, table="INSTALLED", events="20/s"):
        """A finished installation, written once and never changed: 80 products, 20 installations a second.

        The three numbers of a release are fields of three digits, so that 9.4.1 lies before 9.12.0 and 10.0.2. A device installs a
        release once.
        """

        product: str = bt.key(bt.Text(max_length=16), cardinality=80, changes=False)
        major: int = bt.key(bt.PaddedInt(3), cardinality=15, sequential=False)
        minor: int = bt.key(bt.PaddedInt(3), cardinality=20, sequential=False)
        patch: int = bt.key(bt.PaddedInt(3), cardinality=10, sequential=False)
        device: str = bt.key(bt.HexDigest(16), cardinality=5_000_000)

        i = bt.family("i", gc=bt.max_versions(1))
        finished: datetime = bt.column("finished", i)
        seconds: int = bt.column("seconds", i, codec=bt.IntBytes(4))

        of_majors = bt.query("product", between="major")
        of_release = bt.query("product", "major", "minor", "patch")

    return Installed


@good("Samples that a hospital laboratory has received: an index with a delay, that nobody minds")
def lab_sample() -> object:
    class LabSample(bt.Model, table="LAB_SAMPLE", events="15/s"):
        """A tube with its barcode, which is random. Doctors read it by the barcode, from this table. 15 tubes a second."""

        barcode: str = bt.key(bt.HexDigest(16), cardinality=100_000_000)

        s = bt.family("s", gc=bt.max_versions(1) | bt.max_age(days=90))
        ward: str = bt.column("ward", s, size=6, max_size=12, cardinality=800)
        received: datetime = bt.column("received", s)
        tube: str = bt.column("tube", s, size=8, max_size=20)

    class SampleOfWard(bt.Index, of=LabSample, view="SAMPLE_OF_WARD"):
        """The samples of a ward, the newest first, for the screen in its corridor.

        The screen may be some minutes behind, and says so; nothing is decided by it.
        """

        ward: str = bt.key(bt.Text(max_length=12), cardinality=800)
        newest: datetime = bt.key(bt.ReversedMillis(), of="received")
        barcode: str = bt.covered()

        tube: str = bt.covered()

        of_ward = bt.query("ward", between="newest", span="1d")

    return LabSample, SampleOfWard


@good(
    "A translation memory in the cloud: what it saved lately: a rollup over a family with an age, by day, 30 of 40 days read"
)
def hit() -> object:
    class Hit(bt.Model, table="HIT", events="300/s"):
        """A segment that was taken from the memory, written when it is taken. Kept for 40 days; invoices come from another system."""

        id: str = bt.key(bt.HexDigest(16), cardinality=1_000_000_000)

        u = bt.family("u", gc=bt.max_versions(1) | bt.max_age(days=40))
        agency: str = bt.column("agency", u, size=10, max_size=20, cardinality=4_000)
        words: int = bt.column("words", u)
        at: datetime = bt.column("at", u)

    class SavedOnDay(bt.Rollup, of=Hit, view="SAVED_ON_DAY"):
        """The words that an agency saved on each of the last 30 days, for a chart. That days older than 40 go away is wanted."""

        agency: str = bt.key(bt.Text(max_length=20), cardinality=4_000)
        day: date = bt.key(bt.DateText("%Y%m%d"), of="at")

        segments: int = bt.count()
        words: int = bt.sum_of("words")

        of_agency = bt.query("agency", between="day", span="30d")

    return Hit, SavedOnDay


@good("Plants of nurseries, each with a tag: 80 % of writes to one tenant, but random ids behind it")
def plant() -> object:
    class Plant(bt.Model, table="PLANT", events="3000/s"):
        """A plant with its tag. 2,000 nurseries share the table, and the largest of them has four of five plants.

        Tags are random numbers, so the writes to the largest one are spread over all of its many rows. A nursery that leaves is deleted by
        its prefix. The row holds the present state, 80 million rows in all.
        """

        nursery: str = bt.key(bt.Text(width=8), cardinality=2_000, tenant=True, skew="80%:1", changes=False)
        tag: str = bt.key(bt.HexDigest(16), cardinality=80_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        species: str = bt.column("species", p, size=12, max_size=40)
        bed: int | None = bt.column("bed", p, default=None, codec=bt.IntBytes(4))
        watered: date | None = bt.column("watered", p, default=None)

        one = bt.query("nursery", "tag")

    return Plant
