"""Pipelines of Apache Beam against btmodel alone and Beam's own sink: rows/s, and CPU of this process per row.

``python -m tests.bench.beam_bench 10000 100000 1000000`` in the environment of `make test-beam`, against a local server in a process of its own. Runners
are in memory; CPU is that of this process, server aside. A pipeline of no rows is measured as well: its time is that of starting up.
"""

import logging
import os
import sys
from collections.abc import Callable, Iterator

import apache_beam as beam
from apache_beam.io.gcp.bigtableio import WriteToBigTable
from apache_beam.options.pipeline_options import PipelineOptions
from google.cloud.bigtable.row import DirectRow

import btmodel as bt
from btmodel import create_tables
from btmodel.beam import ReadRows, RunStep, WriteRows
from btmodel.beam.steps import _FEW_COLLECTIONS, _place_of, _RunStep, _Sections, _Unrecorded
from btmodel.beam.worker import Address
from btmodel.emulator import VARIABLE
from btmodel.migrate import DataStep
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.beam.steps_of_quotes import Moved, doubled_size, moved
from tests.bench.rates import Work, measured


def run(build: Callable[[beam.Pipeline], object]) -> Work:
    """A pipeline in memory."""

    def work() -> None:
        with beam.Pipeline(options=PipelineOptions(["--runner=FnApiRunner"])) as pipeline:
            build(pipeline)

    return work


def ignored(row: object) -> None:
    """Nothing."""


def direct(row: Quote) -> DirectRow:
    """A row for Beam's sink."""
    made = bt.mutation_of(row)
    found = DirectRow(row_key=made.key)
    for cell in made.cells:
        found.set_cell(cell.family, cell.qualifier, cell.value)
    return found


def here(step: DataStep, db: bt.Database) -> Work:
    """A step as `btmodel migrate apply` runs it, without its records."""

    def work() -> None:
        with _FEW_COLLECTIONS:
            step.walked(db, _Unrecorded(), "bench")

    return work


def in_sections(given: beam.Pipeline, step: DataStep, db: bt.Database) -> None:
    """The same by the workers of a runner; RunStep itself leaves moves to the command."""
    work = _RunStep(Address.of(db, "bench"), *_place_of(step))
    _ = given | beam.Impulse() | beam.ParDo(_Sections(work)) | beam.Reshuffle() | beam.ParDo(work)


def writes(db: bt.Database, count: int) -> Iterator[tuple[str, Work]]:
    """The writes that are measured, in this order."""
    quotes = QuoteRepository(db)
    rows = list(made_up_quotes(count))
    place = db.target
    yield "write: put_many", lambda: quotes.put_many(rows)
    yield "write: Create | WriteRows", run(lambda given: given | beam.Create(rows) | WriteRows(quotes))
    yield (
        "write: FlatMap | WriteRows",
        run(lambda given: given | beam.Create([count]) | beam.FlatMap(made_up_quotes) | WriteRows(quotes)),
    )
    sink = WriteToBigTable(place.project, place.instance_id, "QUOTE")
    if count <= 100_000:
        yield (
            "write: Create | Beam's own sink",
            run(lambda given: given | beam.Create(rows) | beam.Map(direct) | sink),
        )


def reads(db: bt.Database, count: int) -> Iterator[tuple[str, Work]]:
    """What is measured of rows that were written once, as each write is another version of a cell."""
    quotes = QuoteRepository(db)
    quotes.put_many(made_up_quotes(count))
    read = quotes.by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"])
    yield "read: a loop", lambda: sum(1 for _ in read)
    yield "read: ReadRows", run(lambda given: given | ReadRows(read) | beam.Map(ignored))
    yield "data step: in this process", here(doubled_size, db)
    yield "data step: RunStep", run(lambda given: given | RunStep(doubled_size, db))
    yield "key move: in this process", here(moved, db)
    yield "key move: in a pipeline", run(lambda given: in_sections(given, moved, db))


def main() -> None:
    """Measure for each number of rows."""
    logging.disable(logging.WARNING)
    for count in map(int, sys.argv[1:] or ["10000", "100000"]):
        for ways in (writes, reads):
            with bt.connect("local:") as db:
                create_tables(db, Quote, Moved)
                os.environ[VARIABLE] = db.target.address or ""  # by which Beam's own sink finds the server
                if ways is writes:
                    measured(
                        "start-up: a pipeline of one row", 1, run(lambda given: given | beam.Create([1]))
                    )
                for name, work in ways(db, count):
                    measured(name, count, work)


if __name__ == "__main__":
    main()
