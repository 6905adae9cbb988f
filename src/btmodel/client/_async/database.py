"""A connection to an instance: rows in, rows out. Admin rights are not needed."""

from collections.abc import Callable, Iterable
from contextlib import aclosing
from threading import Lock
from types import TracebackType
from typing import Any, Self

from google.api_core.exceptions import GoogleAPICallError
from google.cloud.bigtable.data import (
    BigtableDataClientAsync,
    DeleteAllFromRow,
    MutationsExceptionGroup,
    ReadRowsQuery,
    RowMutationEntry,
    RowRange,
    SetCell,
)
from google.cloud.bigtable.data import Mutation as ClientMutation

from btmodel.client.batches import Batch, Encoded, batches
from btmodel.client.failures import translate, translated
from btmodel.client.filters import client_filter
from btmodel.client.served import served_at
from btmodel.client.streams import AsyncStream
from btmodel.client.target import Target
from btmodel.errors import FailedRow, ServerError, WriteFailed
from btmodel.rows import Cell, Mutation, ReadPlan

MOST_FAILURES = 1_000
# A server on this machine answers soon or never; the service may be worth waiting for.
LOCAL_TIMEOUT = 30.0  # seconds
TIMEOUTS = (
    "default_operation_timeout",
    "default_read_rows_operation_timeout",
    "default_mutate_rows_operation_timeout",
)


class AsyncDatabase:
    """An instance that rows are read from and written to; made by ``connect_async``.

    Close it, or use it in a ``with`` block: a server that connecting started is stopped then.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self._client: Any = None
        self._tables: dict[str, Any] = {}
        self._lock = Lock()
        self._closed = False

    async def read(self, plan: ReadPlan) -> AsyncStream[tuple[bytes, list[Cell]]]:
        """The rows of ``plan`` as they arrive: row key and cells, newest cell of a column first.

        Rows are not collected: memory does not grow with their number. Raises
        :class:`MissingTable` and :class:`ServerError`.
        """
        if not plan.ranges:
            return
        query = ReadRowsQuery(
            row_ranges=[RowRange(span.start or None, span.end or None) for span in plan.ranges],
            row_filter=client_filter(plan.filter) if plan.filter else None,
            limit=plan.limit,
        )
        with translated(plan.table, self.target):
            stream = await self._table(plan.table).read_rows_stream(query)
            async with aclosing(stream):
                async for row in stream:
                    cells = row.cells
                    yield (
                        row.row_key,
                        [
                            Cell(cell.family, cell.qualifier, cell.timestamp_micros, cell.value)
                            for cell in cells
                        ],
                    )

    async def write(self, mutation: Mutation) -> None:
        """Apply one mutation. Raises :class:`MissingTable`, :class:`MissingFamily`, :class:`ServerError`."""
        with translated(mutation.table, self.target):
            await self._table(mutation.table).mutate_row(mutation.key, _set_cells(mutation))

    async def delete(self, table: str, key: bytes) -> None:
        """Delete one row, if it is there."""
        with translated(table, self.target):
            await self._table(table).mutate_row(key, DeleteAllFromRow())

    async def write_many(
        self, table: str, mutations: Iterable[Encoded], progress: Callable[[int], object] | None = None
    ) -> int:
        """Apply any number of mutations, each row atomic on its own, and return how many.

        ``progress`` is told the number of rows written so far after each batch. Raises
        :class:`WriteFailed`, with every row that failed, once all were tried; after
        1,000 failures the rest is not tried.
        """
        written = 0
        failures: list[FailedRow] = []
        try:
            for batch in batches(mutations):
                if len(failures) >= MOST_FAILURES:
                    raise WriteFailed(table, written, failures, stopped=True)
                failed = await self._write_batch(table, batch)
                failures += failed
                written += len(batch) - len(failed)
                if progress is not None:
                    progress(written)
        except WriteFailed:
            raise
        except Exception as error:
            error.add_note(f"table {table!r}: {written} rows were written before this")
            raise
        if failures:
            raise WriteFailed(table, written, failures, stopped=False)
        return written

    async def close(self) -> None:
        """Close the connection, and stop the server that it started, if any."""
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
            self._tables.clear()
        try:
            if client is not None:
                await client.close()
        finally:
            self.target.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _write_batch(self, table: str, batch: Batch) -> list[FailedRow]:
        failed = [FailedRow(index, None, item) for index, item in batch if not isinstance(item, Mutation)]
        sent = [(index, item) for index, item in batch if isinstance(item, Mutation)]
        if not sent:
            return failed
        entries = [RowMutationEntry(mutation.key, _set_cells(mutation)) for _, mutation in sent]
        try:
            await self._table(table).bulk_mutate_rows(entries)
        except MutationsExceptionGroup as group:
            for entry in group.exceptions:
                index, mutation = sent[entry.index]
                cause = translate(_root(entry), table, self.target)
                failed.append(FailedRow(index, mutation.key, cause))
        return sorted(failed, key=lambda row: row.index)

    def _table(self, id: str) -> Any:
        table = self._tables.get(id)
        return self._opened(id) if table is None else table

    def _opened(self, id: str) -> Any:
        with self._lock:
            if self._closed:
                raise ServerError(f"the connection to {self.target} is closed")
            if self._client is None:
                client = served_at(BigtableDataClientAsync, self.target.host)
                self._client = client(project=self.target.project)
            if id not in self._tables:
                limits = dict.fromkeys(TIMEOUTS, LOCAL_TIMEOUT) if self.target.host else {}
                self._tables[id] = self._client.get_table(self.target.instance_id, id, **limits)
            return self._tables[id]


def _set_cells(mutation: Mutation) -> list[ClientMutation]:
    return [
        SetCell(cell.family, cell.qualifier, cell.value, timestamp_micros=cell.timestamp)
        for cell in mutation.cells
    ]


def _root(error: BaseException) -> Exception:
    """The server's own words: the client wraps them once for the entry and once for its retries."""
    while not isinstance(error, GoogleAPICallError):
        inner = error.__cause__ or (getattr(error, "exceptions", None) or [None])[-1]
        if inner is None:
            return error if isinstance(error, Exception) else RuntimeError(str(error))
        error = inner
    return error
