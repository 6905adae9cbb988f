"""Sinks: rows are written, and every one of them is accounted for."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import apache_beam as beam
from apache_beam.metrics.metric import Metrics
from apache_beam.pvalue import PCollection, TaggedOutput
from apache_beam.utils.windowed_value import WindowedValue
from attrs import frozen

from btmodel.beam.connection import Address, Connected, refuse_unimportable
from btmodel.beam.rows import register
from btmodel.declare import Model
from btmodel.errors import (
    FailedRow,
    MissingFamily,
    MissingTable,
    NotAllowed,
    QueryRefused,
    ValueRefused,
    WriteFailed,
)
from btmodel.repository import Repository
from btmodel.repository.model_codecs import times_of
from btmodel.rows.cells import now_micros
from btmodel.schema.names import AUTHORIZED
from btmodel.words import quoted

M = TypeVar("M", bound=Model)
Time = datetime | int
AT_ONCE = 8_000  # rows that are kept until it is known whether they were written
FAILED = "failed"


class FailedWrite(NamedTuple):
    """A row that was not written, the row key where it has one, and why."""

    row: Any
    key: bytes | None
    reason: str


class WriteResult(NamedTuple):
    """What became of the rows of a sink: ``written`` holds numbers of rows, whose sum is all of them; ``failed`` each row that was not written."""

    written: "PCollection[int]"
    failed: "PCollection[FailedWrite]"


class WriteRows(beam.PTransform[PCollection[Any], WriteResult], Generic[M]):
    """Write rows through a repository, as its ``put_many`` does: ``rows | WriteRows(quotes)``.

    Elements are rows, or pairs of a row and the time of its cells: an aware time, or microseconds since 1970. ``at`` is the time of rows without one: one
    for all, or a function of a row. By default it is the time when the pipeline was made, and a model that declares the times of its cells keeps
    them. So a bundle that runs twice writes the same cells, and what an application writes meanwhile is newer.

    With ``failed="raise"`` a row that fails is a :class:`WriteFailed`, or a :class:`ValueRefused` for an element that is no row, and its
    bundle runs again; with ``"output"`` it is an element of ``failed`` of the :class:`WriteResult`. What makes every row fail fails the
    bundle in any case: a lacking table, family or permission, or a server that does not answer.

    Raises :class:`QueryRefused` for an unbounded collection without times; for a model with counters, which are added to and never
    put, unless ``leave_counters`` says that they stay as they are; and for a model that workers could not import.
    """

    def __init__(
        self,
        repository: Repository[M, Any, Any],
        *,
        at: Time | Callable[[M], Time] | None = None,
        failed: Literal["raise", "output"] = "raise",
        leave_counters: bool = False,
    ) -> None:
        super().__init__()
        if not isinstance(repository, Repository):
            raise TypeError(f"WriteRows: expected a repository of connect(...), got {repository!r}")
        if failed not in ("raise", "output"):
            raise QueryRefused(f'WriteRows: failed: expected "raise" or "output", got {failed!r}')
        repository.writer  # noqa: B018  # a view says here that it has none
        schema = repository._schema
        refuse_unimportable("WriteRows", repository.model, type(repository))
        counters = [column.name for column in schema.columns if column.shape.summed]
        if counters and not leave_counters:
            raise QueryRefused(
                f"WriteRows: {schema.name} has counters ({quoted(counters)}), which a bundle that runs twice would add to twice, and "
                "no row is put with: write leave_counters=True to leave those of the table as they are"
            )
        if at is not None:
            times_of(schema, at)  # which refuses what is no time
        own = schema.stamp.attribute is not None or schema.stamp.fixed is not None
        self._dated = own or at is not None
        time = at if self._dated else now_micros()
        self._model = repository.model
        view = schema.table.partition(AUTHORIZED)[2]
        place = _Place(type(repository), repository._reader.parameters, view)
        self._step = _Write(Address.of(repository._db, "WriteRows"), place, time, own, failed == "output")

    # Beam warns of an annotation that is no collection, and does not read one in quotes.
    def expand(self, rows: Any) -> "WriteResult":
        """Write the rows of a collection."""
        if not (rows.is_bounded or self._dated):
            raise QueryRefused(
                "WriteRows: a collection without an end needs the times of its rows, by which a bundle that runs twice writes the "
                "same cells: give at= a function of a row"
            )
        register(self._model)
        result = rows | "write" >> beam.ParDo(self._step).with_outputs(FAILED, main="written")
        return WriteResult(result.written, result[FAILED])


@frozen
class _Place:
    """A repository without its connection."""

    kind: type[Repository[Any, Any, Any]]
    parameters: Any
    view: str

    def open(self, db: Any) -> Repository[Any, Any, Any]:
        made = self.kind(db, **self.parameters)
        return made._through(self.view) if self.view else made


class _Given(NamedTuple):
    row: Any
    time: Any
    at: Any  # the time and the window of the element
    window: Any


class _Write(Connected):
    """Writes the rows of bundles. Those that the writer has taken are kept until it says what became of them."""

    def __init__(self, address: Address, place: _Place, at: Any, own: bool, output: bool) -> None:
        super().__init__(address)
        self._place, self._at, self._own, self._output = place, at, own, output
        self._succeeded = Metrics.counter("btmodel", "rows_written")
        self._failed = Metrics.counter("btmodel", "rows_failed")

    def setup(self) -> None:
        super().setup()
        self._repository = self._place.open(self._db)

    def start_bundle(self) -> None:
        self._written: Counter[Any] = Counter()  # rows of each window
        self._begin()

    def process(
        self, element: Any, at: Any = beam.DoFn.TimestampParam, window: Any = beam.DoFn.WindowParam
    ) -> "Iterator[TaggedOutput[str, Any]]":  # in quotes, as that of expand
        """Take a row; what comes are those that are known to have failed."""
        try:
            row, time = self._row_and_time(element)
        except ValueRefused as refused:
            yield self._refused(_Given(element, None, at, window), None, refused)
            return
        if time is None:
            time = self._at(row) if callable(self._at) else self._at
        yield from self._put(_Given(row, time, at, window))
        if len(self._given) >= AT_ONCE:
            yield from self._settle()

    def _row_and_time(self, element: Any) -> tuple[Any, Any]:
        """What an element holds; no time for a row without one. Raises :class:`ValueRefused` for any other element."""
        model = self._repository.model
        pair = isinstance(element, tuple) and len(element) == 2
        row, time = element if pair else (element, None)
        if not isinstance(row, model):
            wanted = f"a row of {model.__name__}{'' if self._own else ', or a pair of one and a time'}"
            raise ValueRefused(wanted, element, where="WriteRows")
        if time is not None and self._own:
            raise ValueRefused("a row without a time, as its model declares it", element, where="WriteRows")
        return row, time

    def finish_bundle(self) -> Iterator[Any]:
        """Wait for the rest, and say how many rows of each window are written."""
        yield from self._settle()
        for window, count in self._written.items():
            yield WindowedValue(count, window.max_timestamp(), (window,))

    def _begin(self) -> None:
        self._given: list[_Given] = []
        self._writer = self._repository.writer(at=None if self._own else lambda row: self._time)

    def _put(self, one: _Given) -> Iterator[TaggedOutput[str, Any]]:
        self._time = one.time
        try:
            self._writer.put(one.row)
        except ValueRefused as refused:
            yield self._refused(one, None, refused)
        except WriteFailed as failed:  # so many that the writer has ended
            self._given.append(one)
            yield from self._settle(failed)
        else:
            self._given.append(one)

    def _settle(self, failed: WriteFailed | None = None) -> Iterator[TaggedOutput[str, Any]]:
        """Wait until it is known of each row what became of it; what was not tried is put again."""
        while self._given:
            given, writer = self._given, self._writer
            failures = {failure.index: failure for failure in self._failures(writer, failed)}
            failed = None
            tried = len(given) - writer.pending
            self._begin()
            for index, one in enumerate(given[:tried]):
                if index in failures:
                    yield self._refused(one, failures[index].key, failures[index].cause)
                else:
                    self._written[one.window] += 1
            self._succeeded.inc(tried - len(failures))
            for one in given[tried:]:
                yield from self._put(one)

    def _failures(self, writer: Any, failed: WriteFailed | None) -> Iterable[FailedRow]:
        """The failures of a writer that is closed by this. Raises :class:`WriteFailed` where they are no output."""
        try:
            writer.__exit__(None, None, None)
        except WriteFailed as error:
            failed = error
        if failed is None:
            return ()
        if not self._output or any(map(self._is_of_all, failed.failures)):
            self._failed.inc(len(failed.failures))
            raise failed
        return failed.failures

    def _is_of_all(self, failure: FailedRow) -> bool:
        """Whether a row failed for a reason that is none of its own; an authorized view denies rows that it does not show."""
        denied = isinstance(failure.cause, NotAllowed) and not self._place.view
        return failure.of_request or denied or isinstance(failure.cause, MissingTable | MissingFamily)

    def _refused(self, one: _Given, key: bytes | None, cause: Exception) -> TaggedOutput[str, Any]:
        self._failed.inc()
        if not self._output:
            raise cause
        return TaggedOutput(
            FAILED, WindowedValue(FailedWrite(one.row, key, str(cause)), one.at, (one.window,))
        )
