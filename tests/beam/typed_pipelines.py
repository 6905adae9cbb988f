"""What mypy knows of pipelines, stated by `assert_type`: a test gives this module to mypy."""

from typing import assert_type

import apache_beam as beam
from apache_beam.pvalue import PCollection

import btmodel as bt
from btmodel.beam import FailedWrite, ReadRows, ReadStored, RunStep, WriteResult, WriteRows
from btmodel.migrate import DataStep
from btmodel.rows import Stored
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote


def begun(made: beam.Pipeline, quotes: QuoteRepository, step: DataStep, db: bt.Database) -> None:
    """What begins a pipeline has the type of its rows, with a label and without one."""
    read = quotes.by_symbol("NYSE", "IBM")
    assert_type(made | ReadRows(read), PCollection[Quote])
    assert_type(made | "rows" >> ReadRows(read.only("bid")), PCollection[Quote])
    assert_type(made | ReadStored(read), PCollection[Stored[Quote]])
    assert_type(made | RunStep(step, db), PCollection[int])


def failed(rows: PCollection[Quote], quotes: QuoteRepository) -> PCollection[FailedWrite]:
    """Beam's operator between a collection and a transform has no type: what comes of it is annotated."""
    result: WriteResult = rows | WriteRows(quotes, failed="output")
    assert_type(result.written, PCollection[int])
    return result.failed
