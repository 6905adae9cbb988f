"""Writers that are given rows one by one, and account for each of them."""

import asyncio
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from notes import generated

import btmodel as bt
from btmodel.client.options import Call
from btmodel.errors import ServerError, ValueRefused, WriteFailed
from examples.generated.quote_repository import AsyncQuoteRepository, QuoteRepository
from examples.market import Quote, made_up_quotes

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


class Half(bt.Model, table="half"):
    """A table of an earlier version, which lacks a family."""

    name: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    size: int = bt.column("s", f)
    every = bt.query(scan="the tests")


class Whole(bt.Model, table="half"):
    """The same with one family more."""

    name: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    g = bt.family("g", gc=bt.max_versions(1))
    size: int = bt.column("s", f)
    note: str | None = bt.column("n", g, default=None)


@pytest.fixture
def halves(bigtable: Callable[..., bt.Database]) -> Any:
    """Rows that fail where they have a note."""
    return generated(Whole).WholeRepository(bigtable(Half))


def row(at: int, *, fails: bool = False) -> Whole:
    """A row."""
    return Whole(name=f"n{at:06}", size=at, note="x" if fails else None)


def test_rows_are_written_in_batches(bigtable: Callable[..., bt.Database]) -> None:
    """In as few requests as by put_many, at the given time; nothing is sent before a batch is full, or flushed."""
    calls: list[Call] = []
    quotes = QuoteRepository(bigtable(Quote)).with_options(on_call=calls.append)
    rows = list(made_up_quotes(2_500))
    told: list[int] = []
    with quotes.writer(at=NOON, progress=told.append) as writer:
        for one in rows[:900]:
            writer.put(one)
        assert (writer.written, writer.failed, writer.pending, calls) == (0, 0, 900, [])
        writer.flush()
        assert (writer.written, writer.failed, writer.pending) == (900, 0, 0)
        writer.flush()
        for one in rows[900:]:
            writer.put(one)
    assert (writer.written, writer.pending, told[-1]) == (2_500, 0, 2_500)
    assert sorted(call.batch for call in calls) == [600, 900, 1_000]
    stored = [
        one
        for symbol in {(one.exchange, one.symbol) for one in rows}
        for one in quotes.by_symbol(*symbol).stored()
    ]
    assert sorted(bt.key_of(one.row) for one in stored) == sorted(map(bt.key_of, rows))
    assert {one.time for one in stored} == {NOON}


def test_of_two_writes_of_a_row_the_later_one_counts(halves: Any) -> None:
    """As where they are given at once."""
    with halves.writer() as writer:
        for at in range(2_500):
            writer.put(Whole(name=f"n{at % 7}", size=at))
    found = list(generated(Half).HalfRepository(halves._db).every())
    assert [one.size for one in found] == [2499 - (2499 - name) % 7 for name in range(7)]


def test_rows_that_fail_are_told_by_their_numbers(halves: Any) -> None:
    """At each flush and at the end; the others are written."""
    writer = halves.writer()
    for at in range(1_500):
        writer.put(row(at, fails=at in (3, 1_400)))
    with pytest.raises(WriteFailed) as failed:
        writer.flush()
    assert [(one.index, one.key) for one in failed.value.failures] == [(3, b"n000003"), (1_400, b"n001400")]
    assert (failed.value.written, failed.value.stopped) == (1_498, False)
    assert (writer.written, writer.failed, writer.pending) == (1_498, 2, 0)
    writer.flush()
    writer.put(row(1_500, fails=True))
    writer.put(row(1_501))
    with pytest.raises(WriteFailed) as last, writer:
        pass
    assert [one.index for one in last.value.failures] == [1_500]
    assert (writer.written, writer.failed, writer.pending) == (1_499, 3, 0)


def test_a_row_that_cannot_be_encoded_is_refused_alone(halves: Any) -> None:
    """At once, and not counted."""
    with halves.writer() as writer:
        writer.put(row(1))
        with pytest.raises(ValueRefused):
            writer.put(Whole(name="x" * 30, size=1))
        writer.put(row(2))
    assert (writer.written, writer.failed, writer.pending) == (2, 0, 0)


def put_all(writer: Any, count: int, *, fails: bool = False) -> None:
    """Put so many rows."""
    for at in range(count):
        writer.put(row(at, fails=fails))


def test_after_a_thousand_failures_the_rest_is_not_tried(halves: Any) -> None:
    """Said by the error, and counted."""
    with pytest.raises(WriteFailed) as failed, halves.writer() as writer:
        put_all(writer, 20_000, fails=True)
    assert failed.value.stopped
    assert len(failed.value.failures) == writer.failed >= 1_000
    assert (writer.written, writer.pending > 0) == (0, True)
    with pytest.raises(ServerError, match="this writer has ended"):
        writer.put(row(1))


def test_what_ends_the_block_says_what_was_written(halves: Any) -> None:
    """And how many rows were not tried; what was under way is waited for."""

    def writing(writer: Any) -> None:
        put_all(writer, 1_250)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError) as raised, halves.writer() as writer:
        writing(writer)
    assert raised.value.__notes__ == ["table 'half': 1,000 rows written before this; 250 rows not tried"]
    assert (writer.written, writer.pending) == (1_000, 250)


def test_memory_stays_flat(halves: Any) -> None:
    """However many rows are put."""
    tracemalloc.start()
    with halves.writer() as writer:
        for at in range(5_000):
            writer.put(row(at))
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        for at in range(30_000):
            writer.put(row(at))
        peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak - before < 8 * 2**20


def test_an_asynchronous_writer_does_the_same(bigtable: Callable[..., bt.Database]) -> None:
    """With ``await``."""
    db = bigtable(Quote)
    rows = list(made_up_quotes(1_200))

    async def writing() -> tuple[int, int]:
        other = bt.connect_async(db.target.instance)
        async with other, AsyncQuoteRepository(other).writer() as writer:
            for one in rows:
                await writer.put(one)
            await writer.flush()
            return writer.written, writer.pending

    assert asyncio.run(writing()) == (1_200, 0)
    assert sum(1 for _ in db.cells("QUOTE")) == 1_200
