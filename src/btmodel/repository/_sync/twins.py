# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Writing rows together with their twins."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from btmodel.declare import Fields, Model, Twins, schema_of
from btmodel.errors import BtmodelError, FailedRow, QueryRefused, TwinsFailed, ValueRefused, WriteFailed
from btmodel.repository.reader import bound
from btmodel.rows import Mutation, RowCodec
from btmodel.rows.clock import now_micros

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database

M = TypeVar("M", bound=Model)
# Rows that are encoded, and written to one table after the other, at a time.
ROWS = 1_000
MOST_FAILURES = 1_000


class TwinRepository(Generic[M]):
    """Writes the rows of a model to its table and to those of its twins.

    ``parameters`` complete the ids of their tables and families, each those that it has.
    """

    def __init__(self, db: "Database", twins: Twins[M], **parameters: str) -> None:
        self._db = db
        self._twins = twins
        models: list[type[Model]] = [twins.source, *(twin.model for twin in twins.others)]
        unknown = parameters.keys() - {name for model in models for name in schema_of(model).parameters}
        if unknown:
            raise QueryRefused(f"{type(self).__name__}: no model has the parameter {min(unknown)!r}")
        self._tables: list[str] = []
        self._codecs: dict[type[Model], RowCodec[Any]] = {}
        for model in models:
            named = {name: parameters[name] for name in schema_of(model).parameters if name in parameters}
            schema, self._codecs[model] = bound(model, named)
            self._tables.append(schema.table)

    def put(self, row: M) -> None:
        """Write a row and its twins, each atomic on its own, in the declared order.

        A row of which one twin cannot be encoded is refused before anything is sent.
        Where the function of a twin gives None, nothing is written to that table. Raises
        :class:`TwinsFailed`, which says what is in which table; writing again is safe.
        """
        self._encoded(row, now_micros())
        self.put_many([row])

    def put_many(self, rows: Iterable[M], *, progress: Callable[[int], object] | None = None) -> int:
        """Write any number of rows, each with its twins, and return how many; memory stays flat.

        A row that fails in a table is not tried in the later ones. Rows that fail do not
        stop the others: :class:`TwinsFailed` lists each one, by table, at the end or after
        1,000 of them. ``progress`` is told the number of rows that were tried, after each batch.
        """
        written = [0] * len(self._tables)
        failures: list[list[FailedRow]] = [[] for _ in self._tables]
        pending = iter(rows)
        first = 0
        try:
            while chunk := list(islice(pending, ROWS)):
                if sum(map(len, failures)) >= MOST_FAILURES:
                    raise self._failed(written, failures, stopped=True)
                self._write(first, chunk, written, failures)
                first += len(chunk)
                if progress is not None:
                    progress(first)
        except TwinsFailed:
            raise
        except Exception as error:
            counts = ", ".join(
                f"{done} to {table}" for table, done in zip(self._tables, written, strict=True)
            )
            error.add_note(
                f"batches that were finished before this wrote {counts}; writing all rows again is safe"
            )
            raise
        if any(failures):
            raise self._failed(written, failures, stopped=False)
        return first

    def _write(
        self, first: int, chunk: Sequence[M], written: list[int], failures: list[list[FailedRow]]
    ) -> None:
        """Write a batch to one table after the other; a row that failed is left out of the later ones."""
        now = now_micros()
        encoded: dict[int, Sequence[Mutation | None]] = {}
        for at, row in enumerate(chunk, first):
            try:
                encoded[at] = self._encoded(row, now)
            except BtmodelError as error:
                for failed in failures:
                    failed.append(FailedRow(at, None, error))
        for index, table in enumerate(self._tables):
            mutations = {at: made for at, of in encoded.items() if (made := of[index]) is not None}
            rows = list(mutations)
            try:
                self._db.write_many(table, mutations.values())
                written[index] += len(rows)
            except WriteFailed as error:
                written[index] += error.written
                for one in error.failures:
                    at = rows[one.index]
                    self._give_up(at, index, one, encoded.pop(at), failures)

    def _give_up(
        self,
        at: int,
        index: int,
        failed: FailedRow,
        mutations: Sequence[Mutation | None],
        failures: list[list[FailedRow]],
    ) -> None:
        failures[index].append(FailedRow(at, failed.key, failed.cause))
        untried = TwinsFailed([WriteFailed(self._tables[index], 0, [failures[index][-1]], stopped=False)])
        for later in range(index + 1, len(self._tables)):
            mutation = mutations[later]
            if mutation is not None:
                failures[later].append(FailedRow(at, mutation.key, untried))

    def _encoded(self, row: M, now: int) -> Sequence[Mutation | None]:
        if type(row) is not self._twins.source:
            wanted = f"an instance of {self._twins.source.__name__}"
            raise ValueRefused(wanted, row, where=type(self).__name__)
        rows = self._twins.rows(row)
        return [None if one is None else self._codecs[type(one)].encode(Fields(one), now) for one in rows]

    def _failed(self, written: list[int], failures: list[list[FailedRow]], *, stopped: bool) -> TwinsFailed:
        counts = zip(self._tables, written, failures, strict=True)
        return TwinsFailed([WriteFailed(table, done, lost, stopped=stopped) for table, done, lost in counts])
