"""A second set of designs by somebody who had not read the rules: those on which the review was wrong, with verdicts from before it saw them."""

from datetime import date, datetime
from enum import StrEnum

from published import bad, good

import btmodel as bt


@bad(
    "Elevators: the newest faults of a building, with the elevator in front of the time",
    refused="give elevator, too, or move at in front of elevator",
)
def again_elevator_faults() -> object:
    class ElevatorFault(bt.Model, table="elevator_fault", events="150/s"):
        """A fault code of an elevator."""

        building: str = bt.key(bt.Text(max_length=12), cardinality=90_000)
        elevator: int = bt.key(bt.PaddedInt(2), cardinality=40)
        at: datetime = bt.key(bt.EpochMillis())

        f = bt.family("f", gc=bt.max_age(days=730))
        code: str = bt.column("c", f, size=5, max_size=8)
        floor: int = bt.column("fl", f)

        latest = bt.query("building", newest=True)
        of_elevator = bt.query("building", "elevator", between="at")

    return ElevatorFault


@bad(
    "Subscriptions that are due: the key begins with the day, and the job reads a whole day",
    "KEY001",
    says=("{salt}#{renews_on}#{subscription}",),
)
def again_renewals_of_a_day() -> object:
    class Due(bt.Model, table="due", events="1200/s"):
        """A subscription, by the day that it renews on. A renewal moves it a month on."""

        renews_on: date = bt.key(bt.DateText())
        subscription: str = bt.key(bt.HexDigest(16), cardinality=120_000_000)

        s = bt.family("s", gc=bt.max_versions(1))
        plan: str = bt.column("p", s, size=6, max_size=12)
        cents: int = bt.column("c", s)

        on_day = bt.query("renews_on")

    return Due


@bad(
    "Who takes part in an experiment: millions of users in two sets of a row",
    "KEY013",
    "ROW002",
    says=("{name}#{control_key}", "{name}#{treated_key}"),
    never=("{name}#{at}",),
)
def again_experiment_members() -> object:
    class Experiment(bt.Model, table="experiment", events="2000/s"):
        """An experiment and the users in each of its two arms."""

        name: str = bt.key(bt.Text(max_length=40), cardinality=800)

        a = bt.family("a", gc=bt.max_versions(1))
        b = bt.family("b", gc=bt.max_versions(1))
        control: set[str] = bt.members(a, bt.HexDigest(16), entries=4_000_000)
        treated: set[str] = bt.members(b, bt.HexDigest(16), entries=4_000_000)

    return Experiment


@bad(
    "A translation memory: texts of 3,900 bytes in the key, each NUL of which takes two",
    "KEY009",
    says=("limit `source` to 2,031 bytes", "max_size=3_900"),
)
def again_translation_memory() -> object:
    class Segment(bt.Model, table="segment", events="700/s"):
        """A segment and its translations."""

        project: str = bt.key(bt.Text(max_length=24), cardinality=9_000)
        pair: str = bt.key(bt.Text(width=5), cardinality=400)
        source: str = bt.key(bt.EscapedText(3_900), size=110, cardinality=200_000_000)

        t = bt.family("t", gc=bt.max_versions(5))
        target: str = bt.column("t", t, size=120, max_size=5_000)
        confirmed: datetime | None = bt.column("c", t, default=None)

        exact = bt.query("project", "pair", "source")

    return Segment


@bad(
    "Parking: an index of sessions by one of three kinds of bay, then the time",
    "KEY003",
    says=("in place of the view, declare a second table", "{salt}#{kind}#{started}#{bay}"),
    never=("begin the key with another field",),
)
def again_parking_sessions() -> object:
    class Bay(StrEnum):
        STREET = "street"
        GARAGE = "garage"
        CHARGER = "charger"

    class ParkingSession(bt.Model, table="parking_session", events="9000/s"):
        """A vehicle stood in a bay."""

        bay: str = bt.key(bt.HexDigest(8), cardinality=2_000_000)
        started: datetime = bt.key(bt.ReversedMillis())

        s = bt.family("s", gc=bt.max_age(days=90))
        kind: Bay = bt.column("k", s)
        minutes: int = bt.column("m", s)

        of_bay = bt.query("bay", between="started")

    class SessionOfKind(bt.Index, of=ParkingSession, view="SESSION_OF_KIND"):
        """The latest sessions of a kind of bay."""

        kind: Bay = bt.key(bt.EnumText(Bay))
        started: datetime = bt.covered()
        bay: str = bt.covered()
        minutes: int = bt.covered()

        of_kind = bt.query("kind", between="started")

    return ParkingSession, SessionOfKind


@good("Satellite tiles by their quadkey, of which a map reads an area")
def again_satellite_tiles() -> object:
    class Tile(bt.Model, table="tile", events="250/s"):
        """A tile of a pass: a small image, and how cloudy it is."""

        quadkey: str = bt.key(bt.Text(max_length=18), size=14, cardinality=80_000_000)
        product: str = bt.key(bt.Text(width=4), cardinality=9)
        taken: date = bt.key(bt.DateText())

        i = bt.family("i", gc=bt.max_versions(1))
        image: bytes = bt.column("i", i, size=45_000, max_size=400_000)
        m = bt.family("m", gc=bt.max_versions(1))
        clouds: int = bt.column("c", m)

        of_tile = bt.query("quadkey", "product", between="taken")
        of_area = bt.query(starting="quadkey", only=["clouds"])

    return Tile


@bad(
    "The gold of a guild, in a plain cell that is added to five times a second",
    "KEY013",
    asked=("COL006",),
    says=("let the service add",),
    never=("shards",),
)
def again_guild_bank() -> object:
    class GuildBank(bt.Model, table="guild_bank", events="2000/s"):
        """What a guild has. Every deposit adds to it; nobody needs the sum back at once."""

        guild: str = bt.key(bt.HexDigest(8), cardinality=60_000)

        b = bt.family("b", gc=bt.max_versions(1))
        name: str | None = bt.column("n", b, default=None, size=14, max_size=40)
        gold: int | None = bt.column("g", b, default=None, increments="300/min")

    return GuildBank
