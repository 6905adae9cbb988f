"""What cannot be done in a pipeline is refused while it is made, and rows that fail are accounted for."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, cast

import apache_beam as beam
import pytest
from apache_beam.testing.util import assert_that, equal_to
from attrs import evolve
from failing_proxy import failing
from fake_bigtable import answering
from grpc import StatusCode
from pipelines import pipeline

import btmodel as bt
import btmodel.beam
from btmodel.beam import ReadColumns, ReadRows, ReadStored, WriteRows
from btmodel.beam.connection import Address
from btmodel.beam.sinks import _Place, _Write
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import FailedRow, NotAllowed, QueryRefused, shown
from btmodel.rows import Stored
from btmodel.schema import Table
from btmodel.server import RunningServer
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.public_counts import numbers
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


def no_table(db: bt.Database, host: str) -> Iterator[bt.Database]:
    """An instance without the table."""
    yield db


def no_family(db: bt.Database, host: str) -> Iterator[bt.Database]:
    """A table without the family."""
    with Admin(db.target) as admin:
        admin.create_table(Table("QUOTE", ()))
    yield db


def no_permission(db: bt.Database, host: str) -> Iterator[bt.Database]:
    """A service that refuses each row."""
    with failing(host, lambda path: (StatusCode.PERMISSION_DENIED, False)) as address:
        yield connected(db, address)


def no_app_profile(db: bt.Database, host: str) -> Iterator[bt.Database]:
    """A service that refuses the request."""

    def refuse(path: str, request: bytes, call: Any) -> Iterator[bytes]:
        yield call.abort(StatusCode.NOT_FOUND, "App profile 'batch' not found")

    with answering(refuse) as target:
        yield connected(db, str(target.host))


def no_server(db: bt.Database, host: str) -> Iterator[bt.Database]:
    """A server that has ended."""
    with answering(lambda path, request, call: iter(())) as target:
        address = str(target.host)
    yield connected(db, address)


def connected(db: bt.Database, address: str) -> bt.Database:
    """A connection to the same instance through another address, which tries once."""
    return bt.Database(Target(db.target.instance, address, options=evolve(db.target.options, attempts=1)))


@pytest.mark.parametrize(
    ("lacking", "said"),
    [
        (no_table, "3 x table 'QUOTE' is not in"),
        (no_family, "3 x table 'QUOTE' in .* lacks a column family"),
        (no_permission, "3 x table 'QUOTE' in .*: not permitted to these credentials"),
        (no_app_profile, "3 x table 'QUOTE' in .*App profile 'batch' not found"),
        (no_server, "3 x table 'QUOTE' in .*: no answer from"),
    ],
)
def test_what_makes_every_row_fail_is_no_row_that_fails(
    bigtable: Callable[..., bt.Database],
    bigtable_server: RunningServer,
    lacking: Callable[[bt.Database, str], Iterator[bt.Database]],
    said: str,
) -> None:
    """The bundle fails with one error, so that a pipeline whose rows are all lost does not end well."""
    with contextmanager(lacking)(bigtable(Note), bigtable_server.host) as db:
        made = pipeline()
        made | beam.Create(ROWS[:3]) | WriteRows(QuoteRepository(db), failed="output")
        with pytest.raises(Exception, match=f"table 'QUOTE': 0 rows written, 3 failed: {said}"):
            made.run()


def test_a_row_outside_of_an_authorized_view_fails_alone(bigtable: Callable[..., bt.Database]) -> None:
    """Through a view the service denies rows one by one; without one, what it denies is the table."""
    address = Address.of(bigtable(Quote), "here")
    denied = FailedRow(0, b"key", NotAllowed("not in the view"))
    for view in ("", "ACME"):
        place = _Place(QuoteRepository, {}, view)
        assert _Write(address, place, None, own=False, output=True)._is_of_all(denied) is not bool(view)


def wrong_elements() -> list[Any]:
    """What is neither a row nor a pair of a row and a time."""
    row = ROWS[0]
    return [(row, 1_000, 3), (row,), (), Stored(b"key", row, 1_000), "text", (1_000, row), [row, 1_000], None]


@pytest.mark.parametrize(
    "element",
    wrong_elements(),
    ids=["triple", "single", "empty", "stored", "text", "time first", "list", "none"],
)
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
    checked = {"ReadRows(size)", "ReadStored(size)", "ReadColumns(size)", "ReadColumns(rows)"}
    assert numbers([btmodel.beam]) == checked


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
        (lambda: WriteRows(QuoteRepository(db), failed=cast(Any, "no")), 'expected "raise" or "output"'),
    ):
        with pytest.raises(QueryRefused, match=said):
            wrong()
    assert WriteRows(QuoteRepository(db), at=datetime(2026, 1, 5, tzinfo=UTC))
