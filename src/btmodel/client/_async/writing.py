"""One request that writes, or one batch of rows, tried again where nothing is lost by it."""

from collections.abc import AsyncIterable, Callable, Iterable
from contextlib import aclosing
from functools import partial
from types import TracebackType
from typing import Generic, Self, TypeVar

import grpc
from attrs import define, field

from btmodel.client.call import MUTATE_ROWS, ActiveCall, Calls, InstanceAccess
from btmodel.client.failures import google_error
from btmodel.client.row_streams import pause_async
from btmodel.client.tasks import AsyncFlight, AsyncTasks
from btmodel.client.write_requests import (
    TAKEN,
    Acknowledged,
    Batch,
    BatchSource,
    Encoded,
    Signal,
    batches_async,
    bulk_request,
)
from btmodel.errors import FailedRow, ServerError, WriteFailed
from btmodel.words import counted


async def ask(call: ActiveCall, calls: Calls, method: str, request: bytes) -> bytes:
    """The answer to one request, which is made again where that is safe, while there is time."""
    while True:
        try:
            limit = call.clock.begin(once=call.once)
            answer: bytes = await calls.unary(method)(request, timeout=limit, metadata=calls.metadata)
            call.rows, call.bytes = 1, len(request)
            return answer
        except grpc.RpcError as failed:
            error = google_error(failed)
            wait = call.clock.pause(error, once=call.once)
            if wait is None:
                raise call.clock.last(error, once=call.once) from failed
        await pause_async(wait)


async def write_batch(
    access: InstanceAccess,
    table: str,
    state: Acknowledged,
    tasks: AsyncTasks,
    permit: Callable[[], float] | None = None,
) -> None:
    """Write the rows of a batch, those that failed again and again while they may be and there is time.

    ``state`` takes in all that the service says, and so knows at any time what is written. ``permit`` is called before
    each request, and gives the seconds that it may take; what it raises ends the write.
    """
    pace = access.open(table).pace
    if pace is not None:
        await tasks.pause(pace.wait(len(state.open)))
    with ActiveCall(access, "bulk", MUTATE_ROWS, table) as call:
        call.batch, call.bytes = len(state.batch.raws), state.batch.size
        while state.open and not tasks.stopped():
            error = None
            calls = tasks.watched(access.open(table))
            request = bulk_request(calls, state.raws)
            method = calls.stream(MUTATE_ROWS)
            limit = call.clock.begin()
            if permit is not None:
                limit = min(permit(), limit)
            try:
                answers = method(request, timeout=limit, metadata=calls.metadata)
                try:
                    async for answer in answers:
                        state.take(answer)
                finally:
                    answers.cancel()
            except grpc.RpcError as failed:
                error = google_error(failed)
            if pace is not None and state.asked is not None:
                pace.adjust(*state.asked)
            if tasks.stopped():
                return  # what was not answered by now stays open
            again = state.end(error, call.clock.policy.codes)
            call.rows, call.error = state.written, state.failure
            if again is not None:
                wait = call.clock.pause(again)
                if wait is None:
                    return state.give_up()
                await tasks.pause(wait)


MOST_FAILURES = 1_000


@define
class AsyncBulk:
    """One bulk write to ``table``: ``written`` rows are acknowledged so far."""

    table: str
    access: InstanceAccess
    progress: Callable[[int], object] | None
    permit: Callable[[], float] | None = None
    written: int = field(init=False, default=0)
    _landed: int = field(init=False, default=0)  # batches
    _failures: list[FailedRow] = field(init=False, factory=list)
    _tasks: AsyncTasks = field(init=False)
    _under_way: dict[AsyncFlight, Acknowledged] = field(init=False, factory=dict)
    _next: Acknowledged | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._tasks = AsyncTasks()

    async def write(self, given: Iterable[Encoded] | AsyncIterable[Encoded]) -> int:
        """Write the rows that are ``given``, and return how many; raises :class:`WriteFailed`."""
        try:
            tried = await self._try_all(given)
        except BaseException as error:
            await self.broken_off(error)
            raise
        finally:
            await self.end()
        if (failed := self.failed(stopped=not tried)) is not None:
            raise failed
        return self.written

    async def _try_all(self, given: Iterable[Encoded] | AsyncIterable[Encoded]) -> bool:
        """Whether all rows were tried, and not so many of them failed that the rest were better not."""
        async with aclosing(batches_async(self.table, given)) as found:
            async for batch in found:
                if not await self.send(batch):
                    return False
        await self.land_all()
        return True

    async def send(self, batch: Batch) -> bool:
        """Send ``batch`` once there is room; False, and nothing is under way, where so many rows failed that it was better not sent."""
        await self._room(batch)
        if len(self._failures) >= MOST_FAILURES:
            await self.land_all()
            return False
        await self._send(batch)
        return True

    async def _room(self, batch: Batch) -> None:
        """Wait until ``batch`` may be sent: it is not to be too much, nor to overtake what it may change again.

        The first goes alone, so that a table which is not there, say, is noticed at once.
        """
        self._land()
        while self._under_way:
            others = [state.batch for state in self._under_way.values()]
            size = batch.size + sum(other.size for other in others)
            options = self.access.options
            most = min(options.requests_in_flight, 1 + self._landed)
            free = len(others) < most and size <= options.bytes_in_flight
            if free and not any(map(batch.overlaps, others)):
                return
            await self._tasks.landed(self._under_way)
            self._land()

    async def _send(self, batch: Batch) -> None:
        # Known before it begins: an interrupt may come at any time.
        self._next = state = Acknowledged(batch)
        work = partial(write_batch, self.access, self.table, state, self._tasks, self.permit)
        if batch.last and not self._under_way:
            await work()  # nothing else is left to do meanwhile
            self._next = None
            self._tell(state)
        else:
            self._under_way[self._tasks.start(work)] = state
            self._next = None
            await self._tasks.step()

    async def land_all(self) -> None:
        """Wait until nothing is under way."""
        while self._under_way:
            await self._tasks.landed(self._under_way)
            self._land()

    def _land(self) -> None:
        """Take note of what is done."""
        for flight in [flight for flight in self._under_way if flight.done()]:
            flight.result()
            self._tell(self._under_way.pop(flight))

    def _tell(self, state: Acknowledged) -> None:
        self._landed += 1
        self.written += state.written
        self._failures += state.failed(self.table, self.access.target)
        if self.progress is not None:
            self.progress(self.written)

    def failed(self, *, stopped: bool) -> WriteFailed | None:
        """The error of the rows that failed since this was last asked; None where none did."""
        failures, self._failures = sorted(self._failures, key=lambda row: row.index), []
        return WriteFailed(self.table, self.written, failures, stopped=stopped) if failures else None

    async def end(self) -> None:
        """End whatever is under way."""
        await self._tasks.stop()

    async def broken_off(self, error: BaseException, untried: int = 0) -> None:
        """Say with ``error`` what is written all the same, and how many rows were not tried; nothing is under way after it."""
        self.progress = None
        try:
            # Where the rows' source failed, or a callback, what is under way can be waited for.
            if isinstance(error, Exception):
                await self._tasks.end()
        finally:
            try:
                await self._tasks.stop()
            finally:
                self._note(error, untried)

    def _note(self, error: BaseException, untried: int) -> None:
        states = list(self._under_way.values())
        if self._next is not None and not any(state is self._next for state in states):
            states.append(self._next)
        for state in states:
            self._tell(state)
        unknown = sum(state.unknown for state in states)
        open_ = f"; {unknown} more may have been" if unknown else ""
        lost = f"; {len(self._failures)} failed" if self._failures else ""
        written = counted(self.written, "row")
        left = f"; {counted(untried, 'row')} not tried" if untried else ""
        error.add_note(f"table {self.table!r}: {written} written before this{lost}{open_}{left}")


T = TypeVar("T")


@define(repr=False)
class AsyncWriter(Generic[T]):
    """Writes the rows that it is given, one by one, in batches, as ``put_many`` writes those of an iterable.

    ``writer`` of a repository gives it, to be used in an ``async with`` block. Batches of 1,000 rows or 4 MiB are sent when they are full, the rest with
    ``flush`` and at the end of the block, so memory stays flat. One task at a time may use it.
    """

    _bulk: AsyncBulk
    _encoded: Callable[[T], Encoded]
    _given: int = field(init=False, default=0)
    _failed: int = field(init=False, default=0)
    _source: BatchSource = field(init=False)
    _closed: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        self._source = BatchSource(self._bulk.table)

    @property
    def written(self) -> int:
        """How many rows the service has acknowledged so far."""
        return self._bulk.written

    @property
    def failed(self) -> int:
        """How many rows failed so far, of which ``flush`` raised the errors, or will."""
        return self._failed + len(self._bulk._failures)

    @property
    def pending(self) -> int:
        """How many rows are neither written nor failed: they wait, or are under way. Of a writer that has ended, they were not tried."""
        return self._given - self.written - self.failed

    async def put(self, row: T) -> None:
        """Take a row, and wait where too much is under way.

        Raises :class:`ValueRefused` for a row that cannot be encoded, which the others do not notice; and :class:`WriteFailed`
        once 1,000 rows have failed: the rest is not tried, and the writer has ended.
        """
        if self._closed:
            raise ServerError(
                f"table {self._bulk.table!r}: this writer has ended: ask the repository for another one"
            )
        encoded = self._encoded(row)
        self._given += 1
        self._source.waiting.append(encoded)
        if len(self._source.waiting) >= TAKEN:
            await self._send()

    async def flush(self) -> None:
        """Send what waits, and wait until all rows that were given are written.

        Raises :class:`WriteFailed` with each row that failed since the last flush, by its number among all that were given; the writer goes on.
        """
        self._source.waiting.append(Signal.FLUSH)
        await self._send()
        await self._bulk.land_all()
        self._raise(stopped=False)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None and not self._closed:
                await self.flush()
            elif error is not None and not self._closed:
                await self._bulk.broken_off(error, self._untried)
        finally:
            self._closed = True
            await self._bulk.end()

    @property
    def _untried(self) -> int:
        under_way = sum(len(state.batch) for state in self._bulk._under_way.values())
        return self.pending - under_way

    async def _send(self) -> None:
        for batch in self._source.full():
            if not await self._bulk.send(batch):
                self._closed = True
                self._raise(stopped=True)

    def _raise(self, *, stopped: bool) -> None:
        failed = self._bulk.failed(stopped=stopped)
        if failed is not None:
            self._failed += len(failed.failures)
            raise failed
