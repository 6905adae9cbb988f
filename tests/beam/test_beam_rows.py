"""Pipelines read rows once and write rows once, whoever runs them."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to
from pipelines import RUNNERS, counters, pipeline, written

import btmodel as bt
from btmodel.beam import ReadColumns, ReadRows, ReadStored, WriteRows
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes

ROWS = sorted(made_up_quotes(3_000), key=bt.key_of)
NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture
def quotes(bigtable: Callable[..., bt.Database]) -> QuoteRepository:
    """An empty table."""
    return QuoteRepository(bigtable(Quote))


def every(quotes: QuoteRepository) -> Any:
    """All of the rows: a read of two ranges and two that are empty."""
    return quotes.by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"])


def doubled(row: Quote) -> list[Quote]:
    """As where a bundle runs twice."""
    return [row, row]


@pytest.mark.parametrize("flags", RUNNERS.values(), ids=RUNNERS)
def test_rows_go_into_a_table_and_come_out_of_it(quotes: QuoteRepository, flags: tuple[str, ...]) -> None:
    """All of them, once, and counted."""
    made = pipeline(flags)
    result = made | beam.Create(ROWS) | WriteRows(quotes)
    assert_that(result.written | beam.CombineGlobally(sum), equal_to([len(ROWS)]))
    ran = made.run()
    ran.wait_until_finish()
    assert counters(ran)["rows_written"] == len(ROWS)
    assert list(every(quotes)) == ROWS

    other = pipeline(flags)
    keys = other | ReadRows(every(quotes), size=20_000) | beam.Reshuffle() | beam.Map(bt.key_of)
    assert_that(keys, equal_to([bt.key_of(row) for row in ROWS]))
    ran = other.run()
    ran.wait_until_finish()
    assert counters(ran)["rows_read"] == len(ROWS)


def test_what_runs_twice_writes_the_same_cells(quotes: QuoteRepository) -> None:
    """Each row twice, and the whole pipeline again: the bytes of the table stay as they are, times included."""
    made = pipeline()
    made | beam.Create(ROWS) | beam.FlatMap(doubled) | WriteRows(quotes)
    made.run().wait_until_finish()
    once = written(quotes._db, "QUOTE")
    assert len(once) == len(ROWS)
    assert len({cell.timestamp for _, cells in once for cell in cells}) == 1
    made.run().wait_until_finish()
    assert written(quotes._db, "QUOTE") == once


def test_a_backfill_covers_nothing_that_is_newer(quotes: QuoteRepository) -> None:
    """Stored rows are written at the times of their source: what an application wrote since then stays."""
    quotes.put_many(ROWS, at=NOON)
    read = pipeline()
    stored = read | ReadStored(every(quotes))
    newer = bt.replace(ROWS[7], bid_size=1)
    quotes.put(newer)
    stored | beam.MapTuple(lambda key, row, time: (bt.replace(row, bid_size=2), NOON)) | WriteRows(quotes)
    read.run().wait_until_finish()
    found = list(every(quotes))
    assert [row for row in found if row.bid_size != 2] == [newer]
    assert len(found) == len(ROWS)


def test_columns_come_as_record_batches(quotes: QuoteRepository) -> None:
    """Those that are asked for, of all rows."""
    quotes.put_many(ROWS)
    made = pipeline()
    batches = made | ReadColumns(every(quotes), ["symbol", "bid_size"], size=20_000)
    sums = batches | beam.Map(lambda one: sum(one.column("bid_size").to_pylist())) | beam.CombineGlobally(sum)
    assert_that(sums, equal_to([sum(row.bid_size or 0 for row in ROWS)]))
    made.run().wait_until_finish()


def test_narrowed_rows_keep_what_was_read(quotes: QuoteRepository) -> None:
    """Columns that were not read are unset behind a shuffle, too."""
    quotes.put_many(ROWS)
    made = pipeline()
    rows = made | ReadRows(every(quotes).only("bid").where(bid_size=500)) | beam.Reshuffle()
    found = rows | beam.Map(lambda row: (row.bid, hasattr(row, "ask")))
    assert_that(found, equal_to([(row.bid, False) for row in ROWS if row.bid_size == 500]))
    made.run().wait_until_finish()
