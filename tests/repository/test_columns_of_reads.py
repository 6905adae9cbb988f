"""Reads as columns, against a real server: the values of the rows, with the types of the model."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest
from notes import Note, Seen, Spread, generated

import btmodel as bt
from btmodel.errors import QueryRefused, UndecodableCell
from btmodel.rows import Cell, Mutation
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import Quote, made_up_quotes

Open = Callable[..., bt.Database]
NOTES, SPREAD, SEEN = generated(Note), generated(Spread), generated(Seen)


@pytest.fixture
def quotes(database: Open) -> QuoteRepository:
    """A thousand quotes."""
    repository = QuoteRepository(database(Quote))
    repository.put_many(made_up_quotes(1_000))
    return repository


def test_a_table_holds_the_values_of_the_rows(quotes: QuoteRepository) -> None:
    """As table, as batches of any size, in parallel and backwards, and as data frames."""
    read = quotes.by_symbol("NASDAQ", "ZXZZT")
    rows = list(read)
    names = ["symbol", "quote_time", "bid", "bid_size"]
    wanted = {name: [getattr(row, name) for row in rows] for name in names}
    wanted["bid"] = [str(bid) for bid in wanted["bid"]]  # with the digits that it has, as in its cell
    table = read.to_arrow(names)
    assert table.to_pydict() == wanted
    assert table.schema.field("quote_time").type == pa.timestamp("us", tz="UTC")
    assert table.schema.field("bid_size").type == pa.int64()
    assert read.to_arrow().select(names).to_pydict() == wanted
    batches = list(read.arrow_batches(names, rows=1))
    assert pa.Table.from_batches(batches).equals(table)
    assert read.parallel(4).to_arrow(names).equals(table)
    assert read.backwards().to_arrow(names).to_pydict() == {k: v[::-1] for k, v in wanted.items()}
    assert read.limit(3).to_arrow(names).equals(table.slice(0, 3))
    assert read.only("bid").to_arrow().column_names[-1] == "bid"
    frame = read.to_pandas(["quote_time", "bid_size"])
    assert frame["bid_size"].tolist() == wanted["bid_size"]
    assert str(frame["bid_size"].dtype) == "int64[pyarrow]"
    assert read.to_polars(names).to_dict(as_series=False) == wanted


def test_keys_alone_are_columns_too(quotes: QuoteRepository) -> None:
    """Where none but fields of the key are named, nothing else is sent, and the rest of a row does not count."""
    read = quotes.by_symbol("NASDAQ", "ZXZZT")
    keys = list(read.keys())
    found = read.to_arrow(["symbol", "quote_time"])
    assert found.to_pydict() == {
        "symbol": [key.symbol for key in keys],
        "quote_time": [key.quote_time for key in keys],
    }


def test_nothing_is_an_empty_table(quotes: QuoteRepository) -> None:
    """With the same schema."""
    found = quotes.by_symbol("NYSE", "NONE").to_arrow()
    assert found.num_rows == 0
    assert found.schema == quotes.by_symbol("NASDAQ", "ZXZZT").to_arrow().schema


def test_columns_of_many_are_lists_and_maps(database: Open) -> None:
    """Members and mappings, counters, and rows that lack them."""
    notes = NOTES.NoteRepository(database(Note))
    notes.put(Note(tenant="a", name="b", title="c", tags={"y", "x"}, scores={"s": 3}))
    notes.put(Note(tenant="a", name="c", title="d", tags=set(), scores={}))
    notes.add(NOTES.NoteKey("a", "b"), likes=2)
    assert notes.all_notes().to_arrow(["name", "title", "tags", "scores", "likes"]).to_pylist() == [
        {"name": "b", "title": "c", "tags": ["x", "y"], "scores": [("s", 3)], "likes": 2},
        {"name": "c", "title": "d", "tags": [], "scores": [], "likes": None},
    ]


def test_merged_rows_and_times_of_rows(database: Open) -> None:
    """Of a salted table in its order, and in parallel in any; times that lie in timestamps are columns."""
    db = database(Spread, Seen)
    spread = SPREAD.SpreadRepository(db)
    spread.put_many(Spread(number=number, user=f"u{number % 7}", value=number) for number in range(50))
    read = spread.numbered(None, None)
    assert read.to_arrow(["number", "value"]).to_pydict() == {
        "number": list(range(50)),
        "value": list(range(50)),
    }
    found = read.parallel(3, ordered=False).to_arrow(["value"])
    assert sorted(found["value"].to_pylist()) == list(range(50))
    seen = SEEN.SeenRepository(db)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    seen.put(Seen(page="p", at=at, title="t"))
    one = seen._rows(seen._planner.row(b"p"), read._selection.__class__(seen._schema))
    assert one.to_arrow().to_pylist() == [{"page": "p", "at": at, "title": "t", "times": None}]
    assert one.to_arrow(["at"]).to_pylist() == [{"at": at}]


def test_a_cell_that_cannot_be_decoded_is_told(database: Open) -> None:
    """The rows in front of it are given first; with a handler the others behind it, too."""
    db = database(Note)
    notes = NOTES.NoteRepository(db)
    notes.put_many(
        Note(tenant="a", name=f"n{number}", title="t", visits=number, tags=set(), scores={})
        for number in range(9)
    )
    db.write(Mutation("notes", b"a#n4", [Cell("d", b"v", 2_000_000_000_000_000, b"short")]))
    read = notes.all_notes()
    came: list[Any] = []
    with pytest.raises(UndecodableCell, match="n4"):
        came.extend(name for batch in read.arrow_batches() for name in batch["name"].to_pylist())
    assert came == ["n0", "n1", "n2", "n3"]
    errors: list[Exception] = []
    assert read.on_error(errors.append).to_arrow(["name", "visits"])["visits"].to_pylist() == [
        0, 1, 2, 3, 5, 6, 7, 8,
    ]  # fmt: skip
    assert len(errors) == 1


def test_wrong_names_are_refused(quotes: QuoteRepository) -> None:
    """Unknown ones, none, text in the place of a list, and columns that the read leaves out."""
    read = quotes.by_symbol("NASDAQ", "ZXZZT")
    for wrong in (["nothing"], [], "bid"):
        with pytest.raises(QueryRefused, match="Quote: columns: expected"):
            read.to_arrow(wrong)
    with pytest.raises(QueryRefused, match="unknown: ask"):
        read.only("bid").to_arrow(["ask"])


def test_asynchronous_reads_are_columns_too(migrated: Callable[..., str]) -> None:
    """With await, and in an async loop that may be left."""

    async def main() -> None:
        async with bt.connect_async(migrated(Quote)) as db:
            quotes = AsyncQuoteRepository(db)
            await quotes.put_many(made_up_quotes(300))
            read = quotes.by_symbol("NASDAQ", "ZXZZT")
            bids = [str(row.bid) async for row in read]
            assert (await read.to_arrow(["bid"]))["bid"].to_pylist() == bids
            assert (await read.to_pandas(["bid"]))["bid"].tolist() == bids
            assert (await read.parallel().to_polars(["bid"]))["bid"].to_list() == bids
            async for batch in read.arrow_batches(rows=2):
                assert batch.num_rows
                break

    asyncio.run(main())


@pytest.mark.parametrize(("library", "extra", "way"), [
    ("pyarrow", "arrow", "to_arrow"), ("pandas", "pandas", "to_pandas"), ("polars", "polars", "to_polars"),
])  # fmt: skip
def test_a_missing_library_is_named_with_its_extra(library: str, extra: str, way: str) -> None:
    """Nothing is asked of a server then."""
    code = f"""
import sys
sys.modules[{library!r}] = None
import btmodel as bt
from examples.generated.quote_repository import QuoteRepository
with bt.connect("projects/p/instances/i") as db:
    try:
        QuoteRepository(db).by_symbol("NYSE", "IBM").{way}()
    except bt.QueryRefused as error:
        print(error)
"""
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == f'a read of columns needs {library}: pip install "btmodel[{extra}]"', (
        done.stderr
    )
