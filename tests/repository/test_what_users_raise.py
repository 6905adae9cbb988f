"""Functions and codecs of users that raise, and rows that cannot be decoded: told with their place, never in the way."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.codecs.cell import CellCodec
from btmodel.repository import TwinRepository
from btmodel.rows import Cell, Mutation

Open = Callable[..., bt.Database]
SHARDS = {"a": 1, "b": 2} | {f"{number:04}": 1 for number in range(1_500)}


class Moody(CellCodec[str]):
    """A codec that knows no ``x``."""

    python_type = str
    typical_size = 1
    meaning = "a letter that is not x"

    def encode(self, value: str) -> bytes:
        return {"y": b"y", "z": b"z"}[value]

    def decode(self, raw: bytes) -> str:
        return {b"y": "y", b"z": "z"}[raw]


class Sharded(bt.Model, table="sharded"):
    """A row whose shard is looked up."""

    shard = bt.derived(bt.PaddedInt(1), "name", by=lambda name: SHARDS[name])
    name: str = bt.key(bt.Text(max_length=5), cardinality=1_000)

    d = bt.family("d", gc=bt.max_versions(1))
    mood: str | None = bt.column("m", d, codec=Moody(), default=None)
    count: int | None = bt.column("c", d, default=None)

    every = bt.query(scan="the tests")


class Copy(bt.Model, table="copy"):
    """The same by name."""

    name: str = bt.key(bt.Text(max_length=5), cardinality=1_000)

    d = bt.family("d", gc=bt.max_versions(1))
    count: int | None = bt.column("c", d, default=None)


SHARDED = generated(Sharded)


@pytest.fixture
def rows(database: Open) -> Any:
    """Two rows, and beside them three that no reader of the model understands."""
    repository = SHARDED.ShardedRepository(database(Sharded))
    repository.put_many([Sharded(name="a", mood="y"), Sharded(name="b", count=2)])
    for key, value in ((b"1#zz", b"y"), (b"2#c", b"y"), (b"1#a\x00", b"y")):
        repository._db.write(Mutation("sharded", key, [Cell("d", b"m", 0, value)]))
    return repository


def test_a_function_that_raises_is_told_with_its_field(rows: Any) -> None:
    """A key that a function of the user's cannot make is refused with the place and what was raised."""
    with pytest.raises(bt.ValueRefused, match=r"Sharded\.shard: expected values of name .* KeyError: 'zz'"):
        rows.put(Sharded(name="zz", count=1))
    with pytest.raises(
        bt.ValueRefused, match=r"Sharded\.mood: expected a value that its codec takes .*KeyError"
    ):
        rows.put(Sharded(name="a", mood="x"))


def test_a_bulk_write_goes_on_past_what_users_raise(rows: Any) -> None:
    """Rows of which a function or a codec raises are among the failures; the others are in."""
    given = [Sharded(name="zz", count=1), Sharded(name="a", mood="x"), Sharded(name="a", count=7)]
    with pytest.raises(bt.WriteFailed) as failed:
        rows.put_many(given)
    assert [one.index for one in failed.value.failures] == [0, 1]
    assert rows.get("a").count == 7


def test_rows_that_raise_are_given_to_on_error(rows: Any) -> None:
    """Whatever a codec or a function raises, a read with ``on_error`` goes on, and the errors name the rows."""
    errors: list[Any] = []
    rows._db.write(Mutation("sharded", b"2#b", [Cell("d", b"m", 5_000_000, b"x")]))
    assert [row.name for row in rows.every().on_error(errors.append)] == ["a"]
    assert sorted(error.key for error in errors) == [b"1#a\x00", b"1#zz", b"2#b", b"2#c"]
    with pytest.raises(bt.UndecodableCell, match=r"row b'2#b', cell d:m: expected a letter that is not x"):
        rows.get("b")
    errors.clear()
    keys = [SHARDED.ShardedKey("b"), SHARDED.ShardedKey("a")]
    found = rows.get_many(keys, on_error=errors.append)
    assert [row and row.name for row in found] == [None, "a"]
    assert [error.key for error in errors] == [b"2#b"]
    with pytest.raises(bt.QueryRefused, match="on_error: expected a function"):
        rows.every().on_error(1)


def test_a_twin_that_raises_is_a_failure_of_its_row(database: Open) -> None:
    """What a function of twins raises is told by row; the rest is written to both tables."""

    def copied(row: Sharded) -> Copy:
        return Copy(name=row.name, count=10 // (row.count or 0))

    db = database(Sharded, Copy)
    with pytest.raises(bt.TwinsFailed, match="ZeroDivisionError") as failed:
        TwinRepository(db, bt.twins(Sharded, (Copy, copied))).put_many(
            [Sharded(name="a", count=0), Sharded(name="b", count=5)]
        )
    assert [(one.table, one.written, len(one.failures)) for one in failed.value.tables] == [
        ("sharded", 1, 1),
        ("copy", 1, 1),
    ]


def test_rows_that_cannot_be_had_tell_how_many_twins_are_in(database: Open) -> None:
    """Where the rows themselves raise, a note says what the finished batches wrote to each table."""

    def given() -> Any:
        for number in range(1_500):
            yield Sharded(name=f"{number:04}", count=number + 1)
        raise RuntimeError("no more")

    db = database(Sharded, Copy)
    with pytest.raises(RuntimeError) as error:
        TwinRepository(db, bt.twins(Sharded, Copy)).put_many(given())
    assert any("1000 to sharded, 1000 to copy" in note for note in error.value.__notes__)


class Day(bt.Model, table="days", bucket="day"):
    """A day of readings."""

    name: str = bt.key(bt.Text(max_length=5), cardinality=1_000)
    day: datetime = bt.key(bt.TimeText("%Y%m%d"))

    d = bt.family("d", gc=bt.keep_all())
    temp: bt.History[int] = bt.history("t", d)


DAYS = generated(Day)


def test_events_go_on_past_rows_that_cannot_be_decoded(database: Open) -> None:
    """An unreadable reading is told with its time; with ``on_error`` the other days are read."""
    days = DAYS.DayRepository(database(Day))
    start, day = datetime(2020, 1, 1, tzinfo=UTC), timedelta(days=1)
    for count in range(3):
        days.append(name="a", at=start + count * day, temp=count)
    days._db.write(Mutation("days", b"a#20200102", [Cell("d", b"t", 1_577_966_400_000_000, b"?")]))
    with pytest.raises(bt.UndecodableCell, match=r"d:t @ 2020-01-02T12:00:00\.000000Z"):
        list(days.events("a", start, start + 3 * day))
    errors: list[Exception] = []
    read = days.events("a", start, start + 3 * day, on_error=errors.append)
    assert [event.temp for event in read] == [0, 2]
    assert len(errors) == 1


def test_a_timestamp_behind_the_year_9999_is_told(database: Open) -> None:
    """A cell whose time Python cannot hold is an error with its place, which ``on_error`` gets."""
    days = DAYS.DayRepository(database(Day))
    days._db.write(Mutation("days", b"a#20200102", [Cell("d", b"t", 253_402_300_800_000_000, b"\0" * 8)]))
    with pytest.raises(bt.UndecodableCell, match="a timestamp up to the year 9999"):
        days.get("a", datetime(2020, 1, 2, tzinfo=UTC))


class Fixed(bt.Model, table="fixed", timestamp=0):
    """A row whose cells lie at timestamp 0."""

    name: str = bt.key(bt.Text(max_length=5))
    d = bt.family("d", gc=bt.max_versions(1))
    count: int | None = bt.column("c", d, default=None)
    text: str | None = bt.column("t", d, default=None)


FIXED = generated(Fixed)


def test_what_the_server_would_stamp_has_no_method() -> None:
    """An increment would hide later puts of a model that says which time its cells have, so there is none."""
    offered = set(dir(FIXED.FixedRepository)) & {"increment", "extend", "clear"}
    assert offered == {"clear"}


class Mixed(bt.Model, table="mixed"):
    """A catch-all mapping beside a column of the same family, and a column in two encodings."""

    name: str = bt.key(bt.Text(max_length=5))
    d = bt.family("d", gc=bt.max_versions(1))
    born: int | None = bt.column("born", d, default=None)
    more: dict[str, int] = bt.mapping(d, bt.Text(max_length=9))
    e = bt.family("e", gc=bt.max_versions(1))
    age: int | None = bt.column("age", e, codec=bt.Either(bt.Int64(), bt.DecimalText()), default=None)

    every = bt.query(scan="the tests")


MIXED = generated(Mixed)


def test_a_row_without_an_entry_is_not_found_by_its_other_columns(database: Open) -> None:
    """A read of a catch-all mapping alone skips rows that have other columns of its family only."""
    mixed = MIXED.MixedRepository(database(Mixed))
    mixed.put_many(
        [
            Mixed(name="a", born=1, more={}),
            Mixed(name="b", more={"a": 1, "c": 2}),
            Mixed(name="c", born=3, more={"z": 1}),
        ]
    )
    assert [(row.name, row.more) for row in mixed.every().only("more")] == [
        ("b", {"a": 1, "c": 2}),
        ("c", {"z": 1}),
    ]
    assert mixed.every().only("more").entries("more", "a", "c").count() == 1
    assert [(row.name, row.born, row.more) for row in mixed.every().entries("more", "a", "c")] == [
        ("a", 1, {}),
        ("b", None, {"a": 1}),
        ("c", 3, {}),
    ]
    assert [row.born for row in mixed.every().only("more", "born")] == [1, None, 3]


def test_a_value_is_found_in_the_old_encoding_too(database: Open) -> None:
    """Of a column in two encodings, conditions and compare-and-set find a value in either."""
    mixed = MIXED.MixedRepository(database(Mixed))
    mixed.put(Mixed(name="new", age=5, more={}))
    mixed._db.write(Mutation("mixed", b"old", [Cell("e", b"age", 0, b"5")]))
    assert [row.name for row in mixed.every().where(age=5)] == ["new", "old"]
    assert mixed.put_if(Mixed(name="old", age=6, more={}), age=5) is True
    assert mixed.get("old").age == 6
