"""A connection to an instance: rows in, rows out. Admin rights are not needed."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from functools import partial
from threading import Lock
from types import TracebackType
from typing import Any, Self, TypeVar

from google.cloud.bigtable.data import BigtableDataClientAsync

from btmodel.client._async.gathering import AsyncGathering
from btmodel.client._async.reading import joined, read, read_first, read_with_client, samples
from btmodel.client._async.writing import AsyncBulk, ask
from btmodel.client.batches import Encoded
from btmodel.client.calls import CHECK_AND_MUTATE_ROW, MUTATE_ROW, READ_MODIFY_WRITE_ROW, Calls
from btmodel.client.changes import changed, conditional_request, found, modify_request, write_request
from btmodel.client.channels import fast_streams_async, served_at
from btmodel.client.failures import translated
from btmodel.client.streams import AsyncBatches, AsyncStream, Row, RowBatch
from btmodel.client.target import AsyncMixed, DataPlane, Target, checked_plane, checked_profile, resolve
from btmodel.client.tasks import AsyncCrew, AsyncHome
from btmodel.errors import ServerError
from btmodel.rows import (
    RAW,
    Cell,
    Conditional,
    Delete,
    Joined,
    Mutation,
    Parallel,
    ReadModifyWrite,
    ReadPlan,
    RowDecoder,
    RowRange,
)

T = TypeVar("T")

# A server on this machine answers soon or never; the service may be worth waiting for.
LOCAL_TIMEOUT = 30.0  # seconds
TIMEOUTS = (
    "default_operation_timeout",
    "default_read_rows_operation_timeout",
    "default_read_rows_attempt_timeout",
    "default_mutate_rows_operation_timeout",
)


class AsyncDatabase(AsyncMixed):
    """An instance that rows are read from and written to; made by ``connect_async``.

    ``target`` is what ``connect_async`` takes. Close it, or use it in a ``with`` block: a server that connecting started is stopped then.
    ``app_profile`` is the id of the app profile that requests go by; None is the instance's default.
    ``data_plane`` as for ``connect_async``. Raises :class:`SettingsError` and :class:`ServerError` as that does.
    """

    def __init__(
        self, target: Target | str, app_profile: str | None = None, data_plane: DataPlane = "btmodel"
    ) -> None:
        self._app_profile = checked_profile(app_profile)
        self._data_plane = checked_plane(data_plane)
        # Last, as it may start a server, which somebody has to stop.
        self.target = target if isinstance(target, Target) else resolve(target)
        self._client: Any = None
        self._home = AsyncHome()
        self._tables: dict[str, Calls] = {}
        self._lock = Lock()
        self._closed = False

    async def read(self, plan: ReadPlan) -> AsyncStream[Row]:
        """The rows of ``plan`` as they arrive: row key and cells, newest cell of a column first.

        Rows are not collected: memory does not grow with their number. Ranges that are
        MERGED are read at the same time, and a message of each is held. Closing the stream
        ends its requests.

        Take as long for the rows as you like: only the time in which a server is waited for
        counts, and it counts anew from each row on. A request ends 20 seconds after it was
        made (30 on a server on this machine); the rest is then asked for behind the last
        row. Where no row comes for 10 minutes (30 seconds on this machine), and the server does
        not say that it is looking further either, the read fails. Raises
        :class:`MissingTable` and :class:`ServerError`, also for an answer that is not valid.
        """
        async with aclosing(self.read_batches(plan, RAW)) as batches:
            async for batch in batches:
                for row in zip(batch.keys, batch.rows, strict=True):
                    yield row

    def read_batches(
        self, plan: ReadPlan, decoder: RowDecoder[T], parallel: Parallel | None = None
    ) -> AsyncBatches[T]:
        """What ``decoder`` makes of the rows of ``plan``, in batches: those that one message of the server ends.

        All that is said of ``read`` holds. What the decoder raises ends the read, behind the rows
        in front of that one. With ``parallel``, parts of the table are read at the same time.
        """
        theirs = self._data_plane == "client" and not plan.backwards
        one = read_with_client if theirs else read
        if parallel is not None:
            return self._read_parts(one, plan, decoder, parallel)
        return joined(plan, partial(one, self._calls, target=self.target, decoder=decoder))

    async def read_first(self, plan: ReadPlan, decoder: RowDecoder[T]) -> T | None:
        """What ``decoder`` makes of the first row of ``plan``; None where there is none. Raises what ``read`` does."""
        if self._data_plane == "btmodel" and plan.joined is Joined.KEY_ORDER:
            return await read_first(self._calls, plan, self.target, decoder)
        async with aclosing(self.read_batches(plan.limited(1), decoder)) as batches:
            async for batch in batches:
                return batch.rows[0]
        return None

    def gathered(self, streams: Sequence[Callable[[], AsyncStream[T]]], parallel: Parallel) -> AsyncStream[T]:
        """What several streams give, of which so many are open at once; those still open end with this one."""
        return AsyncGathering(streams, AsyncCrew(), parallel.workers, parallel.ordered).items()

    async def _read_parts(
        self, one: Callable[..., AsyncBatches[T]], plan: ReadPlan, decoder: RowDecoder[T], parallel: Parallel
    ) -> AsyncBatches[T]:
        crew = AsyncCrew()
        parts = parallel.parts(plan, await self.splits(plan.table))
        streams = [
            partial(one, partial(self._watched, crew), part, self.target, decoder, crew.pause)
            for part in parts
        ]
        gathering = AsyncGathering(streams, crew, parallel.workers, parallel.ordered)
        left = plan.limit
        async with aclosing(gathering.items()) as batches:
            async for batch in batches:
                if left is not None and len(batch.keys) >= left:
                    yield RowBatch(batch.keys[:left], batch.rows[:left])
                    return
                yield batch
                left = left and left - len(batch.keys)

    def _watched(self, crew: AsyncCrew, table: str) -> Calls:
        return crew.watched(self._calls(table))

    def cells(self, table: str, prefix: bytes = b"") -> AsyncStream[Row]:
        """The raw rows of a table whose keys begin with ``prefix``: every cell that is there, undecoded.

        Nothing is left out, so this shows what garbage collection has not reached yet, and
        cells of models that nobody declares any more.
        """
        return self.read(ReadPlan(table, (RowRange.of_prefix(prefix),), None))

    async def splits(self, table: str) -> list[bytes]:
        """Keys that divide the table into parts of about the same size, in order; none of a small table.

        Raises :class:`MissingTable` and :class:`ServerError`.
        """
        with translated(table, self.target):
            return [key for key in await samples(self._calls(table)) if key]

    async def write(self, mutation: Mutation) -> None:
        """Apply one mutation, all of it or nothing: its deletes, then its cells, then its adds.

        A mutation without adds may be sent again where no answer comes, which changes
        nothing that it had done. One that adds is sent once: where the answer is lost,
        the error says that it may have been applied. Raises :class:`MissingTable`,
        :class:`MissingFamily` and :class:`ServerError`.
        """
        once = bool(mutation.adds)
        with translated(mutation.table, self.target, once=once):
            calls = self._calls(mutation.table)
            await ask(calls, MUTATE_ROW, write_request(calls, mutation), once=once)

    async def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds, both at once; whether it was applied.

        Of several that compete for one row, each sees what those before it wrote. Sent
        once: after a lost answer its own write could make the condition fail. The error
        says then that it may have been applied; read the row to know. Raises
        :class:`QueryRefused` for a condition too large to send, :class:`MissingTable`,
        :class:`MissingFamily` and :class:`ServerError`.
        """
        table = conditional.mutation.table
        with translated(table, self.target, once=True, filter=conditional.found):
            calls = self._calls(table)
            request = conditional_request(calls, conditional)
            answer = await ask(calls, CHECK_AND_MUTATE_ROW, request, once=True)
            return found(answer) is conditional.present

    async def modify(self, change: ReadModifyWrite) -> list[Cell]:
        """Increment and append to cells where they are; the cells as they are now.

        Sent once: where the answer is lost, the error says that it may have been applied.
        Raises :class:`MissingTable`, :class:`MissingFamily` and :class:`ServerError`, also for an
        increment of a cell that does not hold 8 bytes.
        """
        with translated(change.table, self.target, once=True):
            calls = self._calls(change.table)
            return changed(await ask(calls, READ_MODIFY_WRITE_ROW, modify_request(calls, change), once=True))

    async def delete(self, table: str, key: bytes) -> None:
        """Delete one row, if it is there."""
        await self.write(Mutation(table, key, deletes=(Delete(),)))

    async def write_many(
        self,
        table: str,
        mutations: Iterable[Encoded],
        progress: Callable[[int], object] | None = None,
        permit: Callable[[], float] | None = None,
    ) -> int:
        """Apply any number of mutations, each row atomic on its own, and return how many.

        They go in batches of at most 1,000 rows and 4 MiB, of which up to 8 and 32 MiB are under way at
        a time, so memory stays flat. Of two writes of a cell the later one counts. What failed is
        sent again, row by row, where the server may take it; as with ``write``, a mutation that adds is
        sent once, and fails where its answer is lost.

        ``progress`` is told the number of rows acknowledged so far after each batch. Raises
        :class:`WriteFailed`, with every row that is not known to be written, once all were tried; after
        1,000 failures the rest is not tried. Whatever else ends the write, an error of the source
        of the mutations or an interrupt, has a note of how many rows were written before, and
        how many may have been; nothing is under way after it.

        ``permit`` is called right before each request, those that are made again included, and gives the seconds that
        it may take; what it raises ends the write.
        """
        bulk = AsyncBulk(table, self.target, partial(self._calls, table), progress, permit)
        return await bulk.write(mutations)

    async def close(self) -> None:
        """Close the connection, and stop the server that it started, if any."""
        with self._lock:
            self._closed = True
            client, self._client = self._client, None
            self._tables.clear()
        try:
            if client is not None:
                self._home.check()
                await client.close()
        finally:
            self.target.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _calls(self, id: str) -> Calls:
        self._home.check()
        calls = self._tables.get(id)
        return self._opened(id) if calls is None else calls

    def _opened(self, id: str) -> Calls:
        with self._lock:
            if self._closed:
                raise ServerError(f"the connection to {self.target} is closed")
            if self._client is None:
                options = fast_streams_async() if self._data_plane == "btmodel" else ()
                client = served_at(BigtableDataClientAsync, self.target.host, options)
                self._client = client(project=self.target.project)
            if id not in self._tables:
                limits = dict.fromkeys(TIMEOUTS, LOCAL_TIMEOUT) if self.target.host else {}
                table = self._client.get_table(
                    self.target.instance_id, id, app_profile_id=self._app_profile, **limits
                )
                self._tables[id] = Calls.of(table)
            return self._tables[id]
