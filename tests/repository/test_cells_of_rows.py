"""Exact cells of rows: a backup holds all of them, and is written back as they were."""

import asyncio
import hashlib
import pickle
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from notes import Note, generated

import btmodel as bt
from btmodel.errors import QueryRefused, WriteFailed
from btmodel.rows import Add, Cell, Mutation
from btmodel.testing import instances
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes

NOTES = generated(Note)
TIMES = st.sampled_from([0, 1_000, 5_000, 1_784_000_000_000_000, 2**62 // 1_000 * 1_000])
CELLS = st.builds(Cell, st.sampled_from(["d", "t"]), st.binary(max_size=5), TIMES, st.binary(max_size=40))


def digest(db: bt.Database) -> str:
    """A hash of every cell of the table."""
    found = hashlib.sha256()
    for row in db.cells("notes"):
        found.update(pickle.dumps([row[0], *map(tuple, row[1])]))
    return found.hexdigest()


def emptied(db: bt.Database) -> None:
    """No row is left."""
    for key, _ in list(db.cells("notes")):
        db.delete("notes", key)


@given(
    rows=st.lists(instances(Note), max_size=4),
    cells=st.dictionaries(
        st.binary(min_size=1, max_size=6), st.lists(CELLS, min_size=1, max_size=9), max_size=4
    ),
    counts=st.lists(st.integers(-(2**62), 2**62), max_size=3),
    size=st.integers(1, 20),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
def test_a_table_comes_back_byte_for_byte(
    rows: list[Any], cells: dict[bytes, list[Cell]], counts: list[int], size: int, database: Any
) -> None:
    """With all versions and times, cells that no model knows, keys that no model has, and counters, by way of a file."""
    db = database(Note)
    emptied(db)
    notes = NOTES.NoteRepository(db)
    notes.put_many(rows)
    for key, several in cells.items():
        db.write(
            Mutation(
                "notes", key, several, adds=[Add("c", b"l", 1_000 * at, one) for at, one in enumerate(counts)]
            )
        )
    before = digest(db)
    batches = list(notes.all_notes().cells_arrow(cells=size))
    assume(batches)
    table = pa.Table.from_batches(batches)
    file = pa.BufferOutputStream()
    pq.write_table(table, file)
    emptied(db)
    assert notes.put_cells(pq.read_table(pa.BufferReader(file.getvalue()))) >= len(list(db.cells("notes")))
    assert digest(db) == before
    notes.put_cells(table)  # again
    assert digest(db) == before


@pytest.fixture
def notes(database: Callable[..., bt.Database]) -> Any:
    """A table with two rows, of which the model knows one cell."""
    db = database(Note)
    for key, number in ((b"a#x", 1), (b"b#y", 2)):
        cells = [
            Cell("d", b"t", 1_000 * number, b"title"),
            Cell("d", b"t", 500_000, b"old"),
            Cell("d", b"?", 7_000, b""),
        ]
        db.write(Mutation("notes", key, cells))
    return NOTES.NoteRepository(db)


def test_cells_are_read_as_they_are_stored(notes: Any) -> None:
    """In the order of the server, of rows that a query asks for; in parallel and with await as well."""
    stored = list(notes._db.cells("notes"))
    assert [key for key, _ in stored] == [b"a#x", b"b#y"]
    assert list(notes.all_notes().cells()) == list(notes.all_notes().parallel(2).cells()) == stored
    assert list(notes.of_tenant("b").cells()) == stored[1:]
    assert list(notes.all_notes().matching("a.*").limit(5).cells()) == stored[:1]

    async def reading() -> list[Any]:
        async with bt.connect_async(notes._db.target.instance) as db:
            read = NOTES.AsyncNoteRepository(db).all_notes()
            batches = [batch async for batch in read.cells_arrow()]
            assert await NOTES.AsyncNoteRepository(db).put_cells(pa.Table.from_batches(batches)) == 2
            return [row async for row in read.cells()]

    assert asyncio.run(reading()) == stored
    [batch] = notes.all_notes().cells_arrow()
    assert batch.schema.names == ["key", "family", "qualifier", "timestamp", "value"]
    assert batch.num_rows == 6
    assert [one.num_rows for one in notes.all_notes().cells_arrow(cells=3)] == [3, 3]


def test_reads_that_choose_cells_and_tables_of_other_columns_are_refused(notes: Any) -> None:
    """Before anything is sent."""
    for read in (
        notes.all_notes().only("title"),
        notes.all_notes().where(title="x"),
        notes.all_notes().entries("tags", "a"),
    ):
        with pytest.raises(QueryRefused, match="expected a read of whole rows"):
            read.cells()
        with pytest.raises(QueryRefused, match="expected a read of whole rows"):
            read.cells_arrow()
    [batch] = notes.all_notes().cells_arrow()
    with pytest.raises(QueryRefused, match="expected the columns key, family"):
        notes.put_cells(batch.drop_columns(["key"]))
    with pytest.raises(QueryRefused, match="value: expected a column of binary"):
        notes.put_cells(pa.Table.from_batches([batch]).set_column(4, "value", pa.array([1] * 6)))
    with pytest.raises(QueryRefused, match="expected a Table"):
        notes.put_cells([batch])
    wrong = pa.Table.from_batches([batch]).set_column(1, "family", pa.array(["nowhere"] + ["d"] * 5))
    with pytest.raises(WriteFailed) as failed:
        notes.put_cells(wrong)
    assert [row.key for row in failed.value.failures] == [b"a#x"]


def test_a_wide_row_is_written_in_several_mutations(notes: Any) -> None:
    """More cells than the service takes at once."""
    cells = [Cell("d", b"%05d" % at, 1_000, b"x") for at in range(25_000)]
    for at in range(0, 25_000, 5_000):
        notes._db.write(Mutation("notes", b"wide", cells[at : at + 5_000]))
    before = digest(notes._db)
    batches = list(notes.all_notes().cells_arrow(cells=1_000))
    emptied(notes._db)
    notes.put_cells(pa.Table.from_batches(batches))
    assert digest(notes._db) == before


@pytest.mark.usefixtures("preloaded_processes")
def test_other_processes_read_cells(bigtable: Callable[..., bt.Database]) -> None:
    """And send them as Arrow."""
    quotes = QuoteRepository(bigtable(Quote))
    quotes.put_many(made_up_quotes(500))
    read = quotes.by_symbol(["NYSE", "NASDAQ"], ["IBM", "ZXZZT"])
    apart = read.parallel(processes=2)
    assert list(apart.cells()) == list(read.cells())
    assert pa.Table.from_batches(apart.cells_arrow()) == pa.Table.from_batches(read.cells_arrow())
