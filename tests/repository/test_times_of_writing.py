"""Rows that are written at given times, and read with the times at which they were written."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest
from notes import generated

import btmodel as bt
from btmodel.client.row_streams import Row
from btmodel.columnar import ArrowFields
from btmodel.errors import QueryRefused, WriteFailed
from btmodel.rows import Cell, Mutation, Stored

Open = Callable[..., bt.Database]
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)
MICROS = 1_767_614_400_000_000  # noon
SECOND = 1_000_000


class Part(bt.Model, table="part"):
    """A row of plain cells, and versions with times of their own."""

    name: str = bt.key(bt.Text(max_length=20))

    d = bt.family("d", gc=bt.max_versions(2))
    v = bt.family("v", gc=bt.max_versions(9))
    size: int = bt.column("s", d)
    note: str | None = bt.column("n", d, default=None)
    prices: bt.History[int] = bt.history("p", v)

    every = bt.query(scan="the tests")


class Seen(bt.Model, table="seen"):
    """Rows that say their own time."""

    name: str = bt.key(bt.Text(max_length=20))
    at: datetime | None = bt.timestamp(default=None)
    d = bt.family("d", gc=bt.max_versions(1))
    size: int = bt.column("s", d)


class Fixed(bt.Model, table="fixed", timestamp=0):
    """Rows that have no time."""

    name: str = bt.key(bt.Text(max_length=20))
    d = bt.family("d", gc=bt.max_versions(1))
    size: int = bt.column("s", d)


PARTS = generated(Part)
ROWS = [
    Part(name=name, size=at, note="x" if at else None, prices=bt.History()) for at, name in enumerate("abc")
]


@pytest.fixture
def db(database: Open) -> bt.Database:
    """An empty table."""
    return database(Part)


def times(rows: list[Row]) -> dict[bytes, set[int]]:
    """The timestamps of each row."""
    return {key: {cell.timestamp for cell in cells} for key, cells in rows}


@pytest.mark.parametrize(
    ("at", "wanted"),
    [
        (NOON, [0, 0, 0]),
        (MICROS, [0, 0, 0]),
        (lambda row: NOON + timedelta(seconds=row.size), [0, 1, 2]),
        ((MICROS + SECOND * at for at in (5, 6, 7)), [5, 6, 7]),
        ([NOON, MICROS, NOON + timedelta(seconds=9), NOON], [0, 0, 9]),
    ],
    ids=["time", "microseconds", "function", "generator", "list"],
)
def test_rows_are_written_at_given_times(db: bt.Database, at: Any, wanted: list[int]) -> None:
    """One time for all, a function of the row, or one for each."""
    assert PARTS.PartRepository(db).put_many(ROWS, at=at) == 3
    expected = [{MICROS + SECOND * seconds} for seconds in wanted]
    assert times(list(db.cells("part"))) == dict(zip([b"a", b"b", b"c"], expected, strict=True))


def test_versions_keep_the_times_of_their_events(db: bt.Database) -> None:
    """And a stored row has the newest time of all that it was read from."""
    parts = PARTS.PartRepository(db)
    row = Part(
        name="a", size=1, prices=bt.History({NOON + timedelta(days=1): 5, NOON - timedelta(days=1): 4})
    )
    parts.put_many([row], at=NOON)
    [(_, cells)] = db.cells("part")
    day = 24 * 3600 * SECOND
    assert {(cell.qualifier, cell.timestamp) for cell in cells} == {
        (b"s", MICROS),
        (b"p", MICROS + day),
        (b"p", MICROS - day),
    }
    assert list(parts.every().stored()) == [Stored(b"a", row, MICROS + day)]
    [plain] = parts.every().only("size").stored()
    assert (plain.row.size, plain.time) == (1, NOON)


def test_a_row_that_lacks_a_time_fails_alone(db: bt.Database) -> None:
    """Because times have ended, or one of them is wrong: the others are written."""
    with pytest.raises(WriteFailed, match="a time for each row, and at= has none for this one") as failed:
        PARTS.PartRepository(db).put_many(ROWS, at=[NOON, NOON])
    assert [row.index for row in failed.value.failures] == [2]
    wrong: Any = {0: NOON.replace(tzinfo=None), 1: MICROS + 1, 2: "noon"}
    with pytest.raises(WriteFailed) as failed:
        PARTS.PartRepository(db).put_many(ROWS, at=lambda row: wrong[row.size])
    assert [row.index for row in failed.value.failures] == [0, 1, 2]
    assert times(list(db.cells("part"))) == {b"a": {MICROS}, b"b": {MICROS}}


@pytest.mark.parametrize("at", ["noon", 1.5, True, -1000, 2**63, MICROS + 7, NOON.replace(tzinfo=None)])
def test_what_is_no_time_is_refused_before_anything_is_sent(db: bt.Database, at: Any) -> None:
    """With the name of the argument."""
    with pytest.raises(bt.BtmodelError, match="Part: at: expected"):
        PARTS.PartRepository(db).put_many(ROWS, at=at)
    assert list(db.cells("part")) == []


@pytest.mark.parametrize("model", [Seen, Fixed])
def test_a_model_that_declares_its_times_is_refused(database: Open, model: Any) -> None:
    """Both would say the time of one cell."""
    repository = getattr(generated(model), f"{model.__name__}Repository")(database(model))
    with pytest.raises(QueryRefused, match="leave out at="):
        repository.put_many([model(name="a", size=1)], at=NOON)


def test_columns_are_written_at_given_times(db: bt.Database) -> None:
    """``put_arrow`` takes them, too."""
    batch = ArrowFields.of(bt.schema_of(Part), None, None).of_rows(ROWS)
    assert PARTS.PartRepository(db).put_arrow(batch, at=[NOON, MICROS + SECOND, NOON]) == 3
    assert [one.timestamp - MICROS for one in PARTS.PartRepository(db).every().stored()] == [0, SECOND, 0]


def test_the_time_of_a_row_that_is_refused_is_no_other_rows(db: bt.Database) -> None:
    """As many times as rows are given, those with a wrong value among them."""
    batch = ArrowFields.of(bt.schema_of(Part), None, None).of_rows(ROWS)
    columns = batch.to_pydict()
    columns["name"][1] = None
    table = pa.table(columns, batch.schema)
    parts = PARTS.PartRepository(db)
    for times in ([NOON, NOON, MICROS + SECOND], (time for time in (NOON, NOON, MICROS + SECOND))):
        with pytest.raises(bt.WriteFailed, match=r"2 rows written, 1 failed: 1 x Part\.name"):
            parts.put_arrow(table, at=times)
        assert [one.timestamp - MICROS for one in parts.every().stored()] == [0, SECOND]
    with pytest.raises(bt.WriteFailed, match="2 rows written"):
        parts.put_arrow(table, at=lambda row: NOON)
    with pytest.raises(QueryRefused, match="got 'noon'"):
        parts.put_arrow(table, at="noon")


def test_stored_rows_are_read_as_others_are(database: Open) -> None:
    """In parallel, limited, with errors collected, by a condition, and with ``await``."""
    db = database(Part)
    parts = PARTS.PartRepository(db)
    parts.put_many(ROWS, at=NOON)
    stored = [Stored(bt.key_of(row), row, MICROS) for row in ROWS]
    read = parts.every()
    assert list(read.stored()) == list(read.parallel(2).stored()) == stored
    assert list(read.limit(1).stored()) == stored[:1]
    assert list(read.where(note="x").stored()) == stored[1:]
    errors: list[Exception] = []
    db.write(Mutation("part", b"\xff", [Cell("d", b"s", MICROS, b"1")]))
    assert list(read.on_error(errors.append).stored()) == stored
    assert len(errors) == 1

    async def reading() -> list[Any]:
        async with bt.connect_async(db.target) as other:
            rows = PARTS.AsyncPartRepository(other)
            await rows.put_many(ROWS[:1], at=NOON + timedelta(seconds=1))
            return [one async for one in rows.every().limit(2).stored()]

    assert asyncio.run(reading()) == [stored[0]._replace(timestamp=MICROS + SECOND), stored[1]]


def test_a_stored_row_is_not_put_as_a_row(db: bt.Database) -> None:
    """It is refused, as anything else that is no row."""
    parts = PARTS.PartRepository(db)
    parts.put_many(ROWS[:1])
    with pytest.raises(WriteFailed, match="expected an instance of Part"):
        parts.put_many(parts.every().stored())
