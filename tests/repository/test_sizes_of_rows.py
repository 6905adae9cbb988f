"""The computed sizes of rows, held against the bytes that come back from a server."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

import btmodel as bt
from btmodel.estimates import cells_of_row, key_size, missing, row_size
from tests.repository.notes import generated

pytestmark = pytest.mark.both_servers

DAY = datetime(2020, 5, 31, tzinfo=UTC)


class Account(bt.Model, table="account"):
    """Wide: plain cells of fixed size, and cells that repeat the key, without its padding."""

    bank: str = bt.key(bt.Text(width=6), mirror="about:bank")
    number: int = bt.key(bt.PaddedInt(12), mirror="about:number")

    about = bt.family("about", gc=bt.max_versions(1))
    money = bt.family("m", gc=bt.max_versions(1))
    opened: date = bt.column("opened", about)
    closed: bool = bt.column("closed", about)
    balance: int = bt.column("balance", money)
    limit: float = bt.column("limit", money)


class Weather(bt.Model, table="weather", bucket="day", events="240/day"):
    """Histories in a bucket: 24 events a day of each of ten stations."""

    station: str = bt.key(bt.Text(width=3), cardinality=10)
    day: date = bt.key(bt.DateText())

    w = bt.family("w", gc=bt.max_versions(24))
    temperature: bt.History[float] = bt.history("temp", w)
    clouds: bt.History[int] = bt.history("clouds", w)


class Meter(bt.Model, table="meter", bucket="month"):
    """Slots: a column for every day of a month."""

    meter: int = bt.key(bt.PaddedInt(8))
    month: date = bt.key(bt.DateText("%Y%m"))

    d = bt.family("d", gc=bt.max_versions(1))
    used: bt.Slots[int] = bt.slots(d, every="1day", qualifier="d%d")


class Crowd(bt.Model, table="crowd"):
    """Open columns: a mapping and a set, with names and values of fixed size; a long key."""

    place: bytes = bt.key(bt.Hex(600))

    f = bt.family("f", gc=bt.max_versions(1))
    scores: dict[int, float] = bt.mapping(f, bt.PaddedInt(4), prefix="s:", entries=300)
    guests: set[int] = bt.members(f, bt.PaddedInt(5), prefix="g:", entries=200)


class Balloon(bt.Model, table="balloon", bucket="hour"):
    """Marks: an event a minute, whose value is the name of its column."""

    balloon: int = bt.key(bt.PaddedInt(4))
    hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

    p = bt.family("p", gc=bt.max_versions(60))
    pressure: bt.History[int] = bt.marks(p, bt.PaddedInt(6), every="1min")


def hours(count: int) -> list[datetime]:
    return [DAY + hour * timedelta(hours=1) for hour in range(count)]


ROWS: list[bt.Model] = [
    Account(bank="ACMEUS", number=10**12 - 1, opened=date(2020, 5, 1), closed=False, balance=-5, limit=0.5),
    Weather(
        station="JFK",
        day=DAY.date(),
        temperature=bt.History(dict.fromkeys(hours(24), 20.5)),
        clouds=bt.History({at: at.hour for at in hours(24)}),
    ),
    Meter(
        meter=5,
        month=date(2020, 5, 1),
        used=bt.Slots({datetime(2020, 5, day, tzinfo=UTC): day for day in range(1, 32)}),
    ),
    Crowd(place=bytes(600), scores=dict.fromkeys(range(300), 0.5), guests=set(range(200))),
    Balloon(
        balloon=1,
        hour=DAY,
        pressure=bt.History(
            {DAY + minute * timedelta(minutes=1): 94_000 + minute % 7 for minute in range(60)}
        ),
    ),
]


class Post(bt.Model, table="post"):
    """Text of declared sizes, a key of variable width, and a number as text."""

    user: str = bt.key(bt.Text(max_length=20))
    id: str = bt.key(bt.EscapedText(6))

    f = bt.family("f", gc=bt.max_versions(1))
    title: str = bt.column("title", f, size=20, max_size=40)
    body: str | None = bt.column("body", f, size=300, max_size=2_000, default=None)
    price: float | None = bt.column("price", f, codec=bt.FloatText(), default=None)
    tags: set[str] = bt.members(f, bt.Text(max_length=8), prefix="t:", entries=3)


def put(db: bt.Database, row: bt.Model) -> None:
    """Write a row through the repository that is generated for its model."""
    name = type(row).__name__
    getattr(generated(type(row)), f"{name}Repository")(db).put(row)


def came_back(db: bt.Database, row: bt.Model) -> tuple[int, int, int]:
    """The bytes of the key, of the row, and its cells, of the one row in the table of ``row``, read raw."""
    ((key, cells),) = db.cells(bt.schema_of(type(row)).table)
    size = sum(len(one.family) + len(one.qualifier) + 8 + len(one.value) for one in cells)
    return len(key), len(key) + size, len(cells)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: type(row).__name__)
def test_a_full_row_of_fixed_sizes_has_just_the_bytes_that_are_computed(
    database: Callable[..., bt.Database], row: bt.Model
) -> None:
    """Where nothing varies, the usual row, the largest one and the one in the table have the same bytes."""
    model = bt.schema_of(type(row))
    db = database(type(row))
    put(db, row)
    key, size, cells = came_back(db, row)
    assert missing(model) == ()
    assert (key_size(model.key).usual.value, key_size(model.key).largest.value) == (key, key)
    assert (row_size(model).usual.value, row_size(model).largest.value) == (size, size)
    assert cells_of_row(model).largest.value == cells


@pytest.mark.parametrize(
    "row",
    [
        Post(user="jo", id="7", title="Tea", tags=set()),
        Post(user="j" * 20, id="\0" * 6, title="T" * 40, body="b" * 2_000, price=-2.2250738585072014e-308,
             tags={"a" * 8, "b" * 8, "c" * 8}),
    ],
    ids=["small", "largest"],
)  # fmt: skip
def test_no_row_has_more_bytes_than_the_largest(database: Callable[..., bt.Database], row: Post) -> None:
    """Where sizes vary, every row that keeps to the declared figures stays within the largest, and one reaches it."""
    db = database(Post)
    put(db, row)
    _, size, cells = came_back(db, row)
    model = bt.schema_of(Post)
    largest, most = row_size(model).largest.value, cells_of_row(model).largest.value
    assert largest is not None
    assert most is not None
    assert (size == largest) is (row.body is not None)
    assert size <= largest
    assert cells <= most
