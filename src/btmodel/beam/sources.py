"""Sources: the rows, stored rows and columns of a read, whose parts workers read and give away."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import apache_beam as beam
from apache_beam.io.iobase import RestrictionProgress, RestrictionTracker
from apache_beam.metrics.metric import Metrics
from apache_beam.pvalue import PBegin, PCollection
from apache_beam.transforms.core import RestrictionProvider

from btmodel.beam.connection import Address, Connected, refuse_unimportable
from btmodel.beam.rows import register
from btmodel.declare import Model
from btmodel.errors import QueryRefused, refuse_no_number
from btmodel.repository import Part, Rows
from btmodel.repository.parts import What
from btmodel.rows import Stored

if TYPE_CHECKING:
    from typing import Self

    from apache_beam.pipeline import Pipeline
    from pyarrow import RecordBatch

M = TypeVar("M", bound=Model)
T = TypeVar("T")
SIZE = 64 * 2**20


class Root(beam.PTransform[PBegin, PCollection[T]], Generic[T]):
    """A source: ``pipeline | source`` and ``pipeline | "label" >> source`` are collections of ``T`` for type checkers.

    Beam's own operators have no types.
    """

    if TYPE_CHECKING:

        def __ror__(self, left: Pipeline | PBegin, label: str | None = None) -> PCollection[T]: ...

        def __rrshift__(self, label: str) -> Self: ...


class _PartsSource(Root[T], Generic[T]):
    """What sources have in common: the parts of a read, which workers make and read."""

    def __init__(self, read: Rows[Any, Any, Any], *, size: int = SIZE) -> None:
        super().__init__()
        where = type(self).__name__
        if not isinstance(read, Rows):
            raise TypeError(f"{where}: expected a read of a repository of connect(...), got {read!r}")
        if read._handler is not None or read._parallel is not None:
            raise QueryRefused(
                f"{where}: expected a read without on_error(...) and parallel(...): the runner spreads it, and no handler reaches "
                "other machines"
            )
        refuse_no_number(f"{where}: size", "bytes", size)
        self._address = Address.of(read._db, where)
        self._part = Part.whole(type(read), read._reader, read._asked, read._selection)
        refuse_unimportable(where, self._part.model, type(read))
        self._size = size

    def _parts(self, begin: Any) -> Any:
        divide = beam.ParDo(_Divide(self._address, self._part, self._size))
        return begin | beam.Impulse() | "parts" >> divide


class ReadRows(_PartsSource[M], Generic[M]):
    """The rows of a read: ``pipeline | ReadRows(quotes.by_symbol("NYSE", "IBM").only("bid"))``.

    Workers read the parts of it, of about ``size`` bytes each, and give away what they have not read yet when the runner asks for it. Nothing is
    sent before the pipeline runs. Rows come in no order.

    Raises :class:`QueryRefused` for a read with a limit, backwards, or with an ``on_error``, for a ``size`` below 1, and for a model that
    workers could not import.
    A row that cannot be decoded fails its bundle.
    """

    def __init__(self, read: Rows[M, Any, Any], *, size: int = SIZE) -> None:
        super().__init__(read, size=size)

    def expand(self, begin: Any) -> "PCollection[M]":
        """The rows."""
        model = self._part.model
        register(model)
        read = beam.ParDo(_ReadPart(self._address, ("rows",))).with_output_types(model)
        rows: PCollection[M] = self._parts(begin) | "rows" >> read
        return rows


class ReadStored(_PartsSource[Stored[M]], Generic[M]):
    """The same rows as :class:`btmodel.rows.Stored`: with their row keys, and the newest timestamps of their cells.

    For backfills: what :class:`WriteRows` writes as ``(row, timestamp)`` never covers what an application has written since.
    """

    def __init__(self, read: Rows[M, Any, Any], *, size: int = SIZE) -> None:
        super().__init__(read, size=size)

    def expand(self, begin: Any) -> "PCollection[Stored[M]]":
        """The stored rows."""
        register(self._part.model)
        read = beam.ParDo(_ReadPart(self._address, ("stored",)))
        rows: PCollection[Stored[M]] = self._parts(begin) | "rows" >> read
        return rows


class ReadColumns(_PartsSource["RecordBatch"]):
    """The rows of a read as record batches of Arrow, of about ``rows`` rows each, as ``arrow_batches`` gives them.

    A part is not divided any more once it is read: choose ``size`` so that there are some for each worker.
    """

    def __init__(
        self,
        read: Rows[Any, Any, Any],
        columns: Sequence[str] | None = None,
        *,
        rows: int = 65_536,
        size: int = SIZE,
    ) -> None:
        super().__init__(read, size=size)
        refuse_no_number("ReadColumns: rows", "rows", rows)
        read._columns(columns)  # which refuses unknown names
        self._columns, self._rows = columns, rows

    def expand(self, begin: Any) -> "PCollection[RecordBatch]":
        """The batches."""
        read = beam.ParDo(_ReadPartColumns(self._address, self._columns, self._rows))
        batches: PCollection[RecordBatch] = self._parts(begin) | beam.Reshuffle() | "columns" >> read
        return batches


#: what is claimed once no row is left: no row key
END = None


class PartTracker(RestrictionTracker):
    """The claims of the reader of a part: the row keys that it has come to, in order."""

    def __init__(self, part: Part[Any]) -> None:
        self._part = part
        self._cut: bytes | None = None  # the first key that was given away
        self._last: bytes | None = None  # the last one that was claimed
        self._ended = False

    def current_restriction(self) -> Part[Any]:
        """What is left of the part, rows that were read included."""
        return self._part

    def try_claim(self, position: bytes | None) -> bool:
        """Whether the row of this key, or the end of the rows, is the reader's: it is not where it was given away."""
        if position is None:
            self._ended = True
            return True
        if self._cut is not None and position >= self._cut:
            self._ended = True
            return False
        self._last = position
        return True

    def try_split(self, fraction_of_remainder: float) -> tuple[Part[Any], Part[Any]] | None:
        """Keep a share of what is not read yet, and give away the rest; None where no key is known between its rows."""
        if self._ended:
            return None
        done = 0.0 if self._last is None else self._part.share_below(self._last)
        share = done + (1 - done) * fraction_of_remainder
        found = self._part.split(share) if 0 < share < 1 else None
        if found is None and self._last is not None and fraction_of_remainder == 0:
            found = self._part.cut(self._last + b"\0")
        if found is None:
            return None
        cut = found[1].plan.ranges[0].start
        if self._last is not None and cut <= self._last:
            return None
        self._part, self._cut = found[0], cut
        return found

    def current_progress(self) -> RestrictionProgress:
        """The bytes of the table that were read, and those that are left, as far as they can be known."""
        size = float(max(self._part.size, 1))
        done = 0.0 if self._last is None else self._part.share_below(self._last)
        done = size if self._ended else size * done
        return RestrictionProgress(completed=done, remaining=size - done)

    def check_done(self) -> None:
        """Raise ValueError where the reader left off before the end."""
        if not self._ended:
            raise ValueError(
                f"{self._part!r} was not read to its end: the last row was that of {self._last!r}"
            )

    def is_bounded(self) -> bool:
        """Yes: a part has an end."""
        return True


class Parts(RestrictionProvider):
    """Parts as restrictions of themselves."""

    def initial_restriction(self, element: Part[Any]) -> Part[Any]:
        """The whole part."""
        return element

    def create_tracker(self, restriction: Part[Any]) -> PartTracker:
        """The claims of its reader."""
        return PartTracker(restriction)

    def restriction_size(self, element: Part[Any], restriction: Part[Any]) -> int:
        """About how many bytes of the table lie in it."""
        return max(restriction.size, 1)


class _Divide(Connected):
    def __init__(self, address: Address, part: Part[Any], size: int) -> None:
        super().__init__(address)
        self._part, self._size = part, size

    def process(self, element: Any) -> Iterator[Any]:
        """The parts of a read, as the table is divided now."""
        rows: Rows[Any, Any, Any] = self._part.read(self._db)
        yield from rows.parts(self._size)


class _ReadPart(Connected):
    def __init__(self, address: Address, what: What) -> None:
        super().__init__(address)
        self._what = what
        self._count = Metrics.counter("btmodel", "rows_read")

    def process(self, element: Any, tracker: Any = beam.DoFn.RestrictionParam(Parts())) -> Iterator[Any]:
        """What is read of the part that is left of an element, as far as it is not given away."""
        rows: Rows[Any, Any, Any] = tracker.current_restriction().read(self._db)
        plan, decoder = rows._asked_for(self._what)
        claim = tracker.try_claim
        with closing(self._db.read_batches(plan, decoder)) as batches:
            for batch in batches:
                count = 0
                for key, row in zip(batch.keys, batch.rows, strict=True):
                    if not claim(key):
                        self._count.inc(count)
                        return
                    count += 1
                    yield row
                self._count.inc(count)
        claim(END)


class _ReadPartColumns(Connected):
    def __init__(self, address: Address, columns: Sequence[str] | None, rows: int) -> None:
        super().__init__(address)
        self._columns, self._rows = columns, rows
        self._count = Metrics.counter("btmodel", "rows_read")

    def process(self, element: Any) -> Iterator[Any]:
        """The batches of a part."""
        rows: Rows[Any, Any, Any] = element.read(self._db)
        for batch in rows.arrow_batches(self._columns, rows=self._rows):
            self._count.inc(batch.num_rows)
            yield batch
