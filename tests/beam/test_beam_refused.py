"""What cannot be done in a pipeline is refused while it is made, and rows that fail are accounted for."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to
from pipelines import pipeline

import btmodel as bt
from btmodel.beam import ReadColumns, ReadRows, ReadStored, WriteRows
from btmodel.errors import QueryRefused, shown
from btmodel.rows import Stored
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.repository.notes import Note, generated

ROWS = sorted(made_up_quotes(9_000), key=bt.key_of)


def test_rows_that_fail_are_an_output(
    bigtable: Callable[..., bt.Database], caplog: pytest.LogCaptureFixture
) -> None:
    """Each with its reason; the others are written, and both are counted, also where more than one batch fails. Beam warns of nothing."""
    quotes = QuoteRepository(bigtable(Quote))
    wrong = [bt.replace(row, symbol="x" * 9) for row in ROWS[:1_500]]
    made = pipeline()
    result = made | beam.Create([*wrong, *ROWS]) | WriteRows(quotes, failed="output")
    assert_that(result.written | beam.CombineGlobally(sum), equal_to([len(ROWS)]))
    failed = result.failed | beam.Map(lambda one: one.row.symbol) | beam.combiners.Count.PerElement()
    assert_that(failed, equal_to([("x" * 9, 1_500)]), label="failed")
    made.run().wait_until_finish()
    assert "type" not in caplog.text


def wrong_elements() -> list[Any]:
    """What is neither a row nor a pair of a row and a time."""
    row = ROWS[0]
    return [(row, 1_000, 3), (row,), (), Stored(b"key", row, 1_000), "text", (1_000, row), [row, 1_000], None]


@pytest.mark.parametrize("element", wrong_elements(), ids=["triple", "single", "empty", "stored", "text", "time first", "list", "none"])
def test_an_element_that_is_no_row_is_named(bigtable: Callable[..., bt.Database], element: Any) -> None:
    """With what was expected: it fails the bundle, or is a row that was not written; ``at`` never sees it."""
    quotes = QuoteRepository(bigtable(Quote))
    said = f"WriteRows: expected a row of Quote, or a pair of one and a time, got {shown(element)}"
    raising = pipeline()
    raising | beam.Create([element]) | WriteRows(quotes, at=lambda row: row.quote_time)
    with pytest.raises(Exception, match=re.escape(said)):
        raising.run()
    made = pipeline()
    result = made | beam.Create([element, ROWS[1]]) | WriteRows(quotes, failed="output")
    assert_that(result.failed | beam.Map(lambda one: (one.key, one.reason)), equal_to([(None, said)]))
    assert_that(result.written, equal_to([1]), label="written")
    made.run()


@pytest.mark.parametrize("size", [0, -1, 1.5, True, "64 MiB", None])
def test_a_size_of_no_bytes_is_refused_where_it_is_given(
    bigtable: Callable[..., bt.Database], size: Any
) -> None:
    """By each source, before a worker divides the table by it; likewise the rows of a record batch."""
    read = QuoteRepository(bigtable(Quote)).by_symbol("NYSE", "IBM")
    for source in (ReadRows, ReadStored, ReadColumns):
        said = f"^{source.__name__}: size: expected a number of bytes from 1 on, got {re.escape(repr(size))}$"
        with pytest.raises(QueryRefused, match=said):
            source(read, size=size)
    with pytest.raises(QueryRefused, match=r"^ReadColumns: rows: expected a number of rows from 1 on, got "):
        ReadColumns(read, rows=size)


def test_what_workers_could_not_do_is_refused(bigtable: Callable[..., bt.Database]) -> None:
    """With what to write instead."""
    db = bigtable(Quote, Note)
    read: Any = QuoteRepository(db).by_symbol("NYSE", "IBM")
    notes = generated(Note).NoteRepository(db)
    for wrong, said in (
        (lambda: ReadRows(read.limit(3)), "without a limit"),
        (lambda: ReadRows(read.backwards()), "order of its keys"),
        (lambda: ReadRows(read.on_error(print)), "without on_error"),
        (lambda: ReadRows(notes.all_notes()), "does not reach workers"),
        (lambda: WriteRows(notes, leave_counters=True), "does not reach workers"),
        (lambda: WriteRows(QuoteRepository(db), failed="no"), 'expected "raise" or "output"'),
    ):
        with pytest.raises(QueryRefused, match=said):
            wrong()
    assert WriteRows(QuoteRepository(db), at=datetime(2026, 1, 5, tzinfo=UTC))
