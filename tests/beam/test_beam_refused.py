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
from btmodel.errors import QueryRefused
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
