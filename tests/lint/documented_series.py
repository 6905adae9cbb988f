"""Time series that Bigtable's documentation calls bad."""

from datetime import date, datetime
from decimal import Decimal

from documented import case

import btmodel as bt

AT = bt.TimeText("%Y%m%d%H%M%S%3f")


def battery_by_user() -> object:
    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        at: datetime = bt.key(AT)

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        percentage: int = bt.column("PERCENTAGE", metric, codec=bt.DecimalText())

    return Battery


@case(
    "a word and a timestamp as the key send all writes to one node: promote the user into the key",
    "KEY001",
    "`BATTERY#{user}#{at}`",
    fixed=battery_by_user,
)
def battery_by_time() -> object:
    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        at: datetime = bt.key(AT)

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        user: str = bt.column("USER", metric, cardinality=1_000_000)
        percentage: int = bt.column("PERCENTAGE", metric, codec=bt.DecimalText())

    return Battery


@case(
    "salting is for where promoting a field does not help; by default, promotion is preferred",
    "KEY005",
    "`BATTERY#{user}#{at}`",
    fixed=battery_by_user,
)
def battery_by_salt() -> object:
    class Battery(bt.Model, table="BATTERY", events="2000/s"):
        battery = bt.constant("BATTERY")
        salt = bt.salt("at", buckets=3)
        at: datetime = bt.key(AT)

        metric = bt.family("METRIC", gc=bt.max_versions(1))
        user: str = bt.column("USER", metric, cardinality=1_000_000)
        percentage: int = bt.column("PERCENTAGE", metric, codec=bt.DecimalText())

    return Battery


def games_by_player() -> object:
    class Score(bt.Model, table="GAME", events="10000/day"):
        game = bt.constant("LoL")
        player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        win: bool = bt.column("WIN", results)

        of_player = bt.query("player", between="day")

    return Score


@case(
    "how many games a player won in a month is not served by game and date: put the player in front of the date",
    "QRY001",
    "`LoL#{player}#{day}`",
    fixed=games_by_player,
)
def games_of_player_by_day() -> object:
    class Score(bt.Model, table="GAME", events="10000/day"):
        game = bt.constant("LoL")
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        player: str = bt.column("PLAYER", results, cardinality=100_000)
        win: bool = bt.column("WIN", results)

        of_player = bt.query("player", between="day")

    return Score


@case(
    "two players on one day have one key of game and date, and a row can be there only once",
    "KEY017",
    "`LoL#{player}#{day}`",
    fixed=games_by_player,
)
def games_that_collide() -> object:
    class Score(bt.Model, table="GAME", events="10000/day"):
        game = bt.constant("LoL")
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        player: str = bt.column("PLAYER", results, cardinality=100_000)
        win: bool = bt.column("WIN", results)

    return Score


def games_in_two_tables() -> object:
    class DayScore(bt.Model, table="GAME_BY_DAY", events="10000/day"):
        game = bt.constant("LoL")
        day: date = bt.key(bt.DateText())
        player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)

        results = bt.family("GAME", gc=bt.max_versions(1))
        win: bool = bt.column("WIN", results)

        of_all = bt.query(between="day")

    return games_by_player(), DayScore


@case(
    "all games of a month are no range of a key by player: write them to a second table, whose key serves it",
    "QRY001",
    "also write the rows to a second table, whose key `LoL#{day}#{player}` serves it",
    fixed=games_in_two_tables,
)
def games_of_all_by_player() -> object:
    class Score(bt.Model, table="GAME", events="10000/day"):
        game = bt.constant("LoL")
        player: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
        day: date = bt.key(bt.DateText())

        results = bt.family("GAME", gc=bt.max_versions(1))
        win: bool = bt.column("WIN", results)

        of_all = bt.query(between="day")

    return Score


def meters_by_meter() -> object:
    class Sensor(bt.Model, table="SENSOR", bucket="day", events="11111/s"):
        meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, sequential=False)
        day: date = bt.key(bt.DateText())

        readings = bt.family("METER", gc=bt.max_versions(1))
        used: bt.Slots[Decimal] = bt.slots(readings, every="15min", qualifier="%H%M", max_size=8)

        of_meter = bt.query("meter", between="day")

    return Sensor


@case(
    "with the date in front of the meter one node is hot after every midnight: put the meter in front",
    "KEY001",
    "`{meter}#{day}`",
    fixed=meters_by_meter,
)
def meters_by_day() -> object:
    class Sensor(bt.Model, table="SENSOR", bucket="day", events="11111/s"):
        day: date = bt.key(bt.DateText())
        meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, sequential=False)

        readings = bt.family("METER", gc=bt.max_versions(1))
        used: bt.Slots[Decimal] = bt.slots(readings, every="15min", qualifier="%H%M", max_size=8)

    return Sensor


def meters_of_a_day() -> object:
    class SensorOfDay(
        bt.Model, table="SENSOR_{day}", allow={"TAB002": "written once, by a batch job of the night"}
    ):
        meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, sequential=False)
        day: date = bt.key(bt.DateText())

        readings = bt.family("METER", gc=bt.max_versions(1))
        used: bt.Slots[Decimal] = bt.slots(readings, every="15min", qualifier="%H%M", max_size=8)

        of_all = bt.query(scan="the table is the answer: all meters of its day")

    return SensorOfDay


@case(
    "all meters of one day are no range of the meter's key: a batch job copies each day to a table of its own",
    "QRY001",
    '`table="SENSOR_{day}"`',
    fixed=meters_by_meter,
)
def day_of_all_meters() -> object:
    class Sensor(bt.Model, table="SENSOR", bucket="day", events="11111/s"):
        meter: int = bt.key(bt.PaddedInt(10), cardinality=10_000_000, sequential=False)
        day: date = bt.key(bt.DateText())

        readings = bt.family("METER", gc=bt.max_versions(1))
        used: bt.Slots[Decimal] = bt.slots(readings, every="15min", qualifier="%H%M", max_size=8)

        on_day = bt.query("day")

    return Sensor


def memory_by_time() -> object:
    class Memory(bt.Model, table="DEVICE", events="100000/s"):
        device: str = bt.key(bt.HexDigest(8), cardinality=100_000)
        metric = bt.constant("memusage")
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        used: int = bt.column("used", data)

    return Memory


@case(
    "one row for a value that changes every second wears out its tablet: write a row for each reading",
    "KEY013",
    "`{device}#memusage#{at}`",
    fixed=memory_by_time,
)
def memory_in_one_row() -> object:
    class Memory(bt.Model, table="DEVICE", events="100000/s"):
        device: str = bt.key(bt.HexDigest(8), cardinality=100_000)
        metric = bt.constant("memusage")

        data = bt.family("data", gc=bt.max_versions(1))
        used: int = bt.column("used", data)

    return Memory


def balloon_weeks(versions: int, bucket: str = "week") -> object:
    class BalloonWeek(bt.Model, table="balloon", bucket="week", events="5000/min"):
        balloon: int = bt.key(bt.PaddedInt(6), cardinality=5_000, sequential=False)
        week: date = bt.key(bt.Week("week{n:04}", origin=date(2021, 3, 1)))

        measurements = bt.family("m", gc=bt.max_versions(versions))
        pressure: bt.History[int] = bt.history("pressure", measurements, every="1min")

    return BalloonWeek


@case(
    "a week holds 10,080 cells of each column, if the rule of garbage collection allows them",
    "FAM006",
    "gc=bt.max_versions(10_080)",
    fixed=lambda: balloon_weeks(10_080),
)
def balloon_weeks_cut_short() -> object:
    return balloon_weeks(1_000)


def pictures(bucket: str) -> object:
    codec = {"hour": bt.TimeText("%Y%m%d%H"), "minute": bt.TimeText("%Y%m%d%H%M")}[bucket]

    class Picture(bt.Model, table="picture", bucket=bucket, events="5000/s"):
        balloon: int = bt.key(bt.PaddedInt(6), cardinality=5_000, sequential=False)
        during: datetime = bt.key(codec)

        data = bt.family("d", gc=bt.max_versions(3_600))
        picture: bt.History[bytes] = bt.history("p", data, every="1s", size=50_000)

    return Picture


@case(
    "where the row of an hour outgrows 100 MB, the row of a minute fits",
    "ROW002",
    '`bucket="minute"`',
    fixed=lambda: pictures("minute"),
)
def pictures_of_an_hour() -> object:
    return pictures("hour")
