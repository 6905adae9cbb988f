"""Reads that go on after failures: the rows of some ranges in the order of their keys or backwards, several such reads at once, and the changes of a partition.

Google's data client takes several times as long, cannot read backwards, mixes up rows that go on
in the next message, and its asynchronous half does not end the request of a stream that is left
early. So the service is asked here, through that client's connection.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, aclosing
from datetime import datetime
from typing import Any, Generic, TypeVar

import grpc
from attrs import define, field
from google.api_core.exceptions import InvalidArgument
from google.cloud.bigtable.data import ReadRowsQuery
from google.cloud.bigtable.data import RowRange as ClientRange
from google.cloud.bigtable_v2.types import SampleRowKeysRequest, SampleRowKeysResponse

from btmodel.client.call import (
    INITIAL_PARTITIONS,
    READ_CHANGE_STREAM,
    READ_ROWS,
    SAMPLE_ROW_KEYS,
    ActiveCall,
    InstanceAccess,
)
from btmodel.client.change_messages import (
    Closed,
    Event,
    Joiner,
    initial_partition,
    initial_request,
    stream_request,
)
from btmodel.client.channels import leave_async, next_message_async
from btmodel.client.chunks import ReadProgress, read_call
from btmodel.client.failures import google_error
from btmodel.client.filter_messages import sendable_filter
from btmodel.client.row_streams import (
    AsyncBatches,
    AsyncPause,
    AsyncStream,
    Merging,
    RowBatch,
    first_of_each_async,
    pause_async,
)
from btmodel.client.tasks import AsyncCondition, AsyncTasks, SyncHome
from btmodel.rows import Cell, RangeOrder, ReadPlan, RowDecoder
from btmodel.rows.changes import Partition, Tokens, since_of

T = TypeVar("T")

HELD = 8  # items of a stream that wait to be given, of each worker


async def read(
    access: InstanceAccess,
    plan: ReadPlan,
    decoder: RowDecoder[T],
    pause: AsyncPause = pause_async,
) -> AsyncBatches[T]:
    """What ``decoder`` makes of the rows of ``plan``, whose ranges are joined in the order of keys.

    Where an answer breaks off, the rest is asked for again behind the last row, or behind
    the key up to which the server says that it has looked; ``pause`` waits before.
    """
    if not plan.ranges:
        return
    home = SyncHome()
    with read_call(access, plan) as call:
        calls = access.open(plan.table)
        progress = ReadProgress(plan, calls, decoder, call)
        while (request := progress.request()) is not None:
            # The deadline of a request runs on while the rows are used. That ends it at times, but not
            # the read: a row has come then, so the rest is asked for anew with all the time there is.
            limit = call.clock.begin()
            answer = calls.stream(READ_ROWS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := await next_message_async(answer)) is not None:
                    batch = progress.take(message)
                    if batch.keys:
                        yield batch
                        home.check()  # what used the rows may have forked: gRPC would hang in the child, or give both the rest
                    progress.taken()
                progress.end()
                return
            except Exception as error:
                wait = progress.pause_after(error)
            finally:
                if home.here:
                    leave_async(answer)
            await pause(wait)


async def read_first(access: InstanceAccess, plan: ReadPlan, decoder: RowDecoder[T]) -> T | None:
    """What ``decoder`` makes of the first row of ``plan``, as :func:`read` would; None where there is none.

    Of a single row, to be a stream costs as much as all else that is done here for it.
    """
    if not plan.ranges:
        return None
    plan = plan.limited(1)
    with read_call(access, plan) as call:
        calls = access.open(plan.table)
        progress = ReadProgress(plan, calls, decoder, call)
        while (request := progress.request()) is not None:
            limit = call.clock.begin()
            answer = calls.stream(READ_ROWS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := await next_message_async(answer)) is not None:
                    batch = progress.take(message)
                    if batch.keys:
                        return batch.rows[0]
                    progress.taken()
                progress.end()
                return None
            except Exception as error:
                wait = progress.pause_after(error)
            finally:
                leave_async(answer)
            await pause_async(wait)
    return None


# Google's data client can be asked, too, but where its task is cancelled at the wrong moment the request stays open.

_SAMPLE = SampleRowKeysResponse.pb()


async def samples(access: InstanceAccess, table: str) -> list[tuple[bytes, int]]:
    """The keys that the service samples of a table, in order, with the bytes in front of each; that of the table's end is empty."""
    with ActiveCall(access, "read", SAMPLE_ROW_KEYS, table) as call:
        calls = access.open(table)
        asked = SampleRowKeysRequest({**calls.address, "app_profile_id": calls.app_profile})
        request = SampleRowKeysRequest.serialize(asked)
        while True:
            found: list[tuple[bytes, int]] = []
            limit = call.clock.begin()
            answer = calls.stream(SAMPLE_ROW_KEYS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := await next_message_async(answer)) is not None:
                    sample = _SAMPLE.FromString(message)
                    found.append((sample.row_key, sample.offset_bytes))
                return found
            except Exception as error:
                wait = call.clock.read_again(error)
            finally:
                leave_async(answer)
            await pause_async(wait)


def joined(plan: ReadPlan, read: Callable[[ReadPlan], AsyncBatches[T]]) -> AsyncBatches[T]:
    """The rows of ``plan``, of which ``read`` reads each part."""
    match plan.joined:
        case RangeOrder.KEY_ORDER:
            return read(plan)
        case RangeOrder.IN_TURN:
            return _in_turn(plan, read)
        case RangeOrder.MERGED:
            return _merged(plan, read)


async def _in_turn(plan: ReadPlan, read: Callable[[ReadPlan], AsyncBatches[T]]) -> AsyncBatches[T]:
    """The rows of one part after those of another; a part is read when the one before it has ended."""
    left = plan.limit
    for part in plan.parts:
        async with aclosing(read(part.limited(left))) as batches:
            async for batch in batches:
                yield batch
                if left is not None:
                    left -= len(batch.keys)
        if left == 0:
            return


async def _merged(plan: ReadPlan, read: Callable[[ReadPlan], AsyncBatches[T]]) -> AsyncBatches[T]:
    """The rows of all parts in the order of their keys without the leads: a message of each is held."""
    merging: Merging[T] = Merging(plan)
    async with AsyncExitStack() as opened:
        streams = [await opened.enter_async_context(aclosing(read(part))) for part in plan.parts]
        for at, first in enumerate(await first_of_each_async(streams)):
            merging.put(at, first)
        while True:
            batch, read_on = merging.next_rows()
            if batch.keys:
                yield batch
            if read_on is None:
                return
            merging.put(read_on, await anext(streams[read_on], None))


async def read_with_client(
    access: InstanceAccess,
    plan: ReadPlan,
    decoder: RowDecoder[T],
    pause: object = None,
) -> AsyncBatches[T]:
    """What ``decoder`` makes of the rows of ``plan``, each as a batch of its own.

    That client knows no reads from the last row to the first, and pauses by itself.
    """
    spans = [span for span in plan.ranges if not span.empty]
    if not spans:
        return
    query = ReadRowsQuery(
        row_keys=[span.key for span in spans if span.key],
        row_ranges=[ClientRange(span.start or None, span.end or None) for span in spans if not span.key],
        limit=plan.limit,
        row_filter=sendable_filter(plan.sent, plan.table) if plan.sent else None,
    )
    home = SyncHome()
    with read_call(access, plan) as call:
        limit = call.clock.begin()
        rows: Any = await access.open(plan.table).table.read_rows_stream(
            query,
            operation_timeout=call.clock.policy.deadline,
            attempt_timeout=limit,
            retryable_errors=[grpc.StatusCode[code] for code in call.clock.policy.codes],
        )
        try:
            async for row in rows:
                cells = [
                    Cell(cell.family, cell.qualifier, cell.timestamp_micros, cell.value) for cell in row.cells
                ]
                call.rows += 1
                yield RowBatch([row.row_key], [decoder.strict(row.row_key, cells)])
                home.check()
        finally:
            if home.here:
                async with aclosing(rows):
                    pass


@define
class AsyncGathering(Generic[T]):
    """The items of all ``streams``, of which at most ``workers`` are open.

    ``ordered`` is whether the items of one come behind all those of the streams before it, or as they
    arrive. Not more than ``workers * HELD`` items wait. Where a stream raises, what came
    before is given first, then all others end. So they do where the loop is left.
    """

    streams: Sequence[Callable[[], AsyncStream[T]]]
    tasks: AsyncTasks
    workers: int
    ordered: bool
    _changed: AsyncCondition = field(init=False, factory=AsyncCondition)
    _held: dict[int, deque[T]] = field(init=False, factory=dict)
    _ended: dict[int, Exception | None] = field(init=False, factory=dict)
    _next: int = field(init=False, default=0)  # stream to open
    _given: int = field(init=False, default=0)  # streams, of which nothing is left
    _stopped: bool = field(init=False, default=False)

    async def items(self) -> AsyncStream[T]:
        """The items. To be iterated once, and closed."""
        try:
            for _ in range(min(self.workers, len(self.streams))):
                self.tasks.start(self._work)
            while self._given < len(self.streams):
                self.tasks.home.check()
                async with self._changed:
                    while (at := self._ready()) is None:
                        await self._changed.wait()
                    some, error = list(self._held[at]), None
                    self._held[at].clear()
                    if at in self._ended:
                        error = self._ended.pop(at)
                        del self._held[at]
                        self._given += 1
                    self._changed.notify_all()
                for item in some:
                    yield item
                if error is not None:
                    raise error
        finally:
            await self._stop()

    async def _stop(self) -> None:
        if not self.tasks.home.here:
            return  # in a fork, where the workers are not, and would be waited for
        try:
            async with self._changed:
                self._stopped = True
                self._changed.notify_all()
        finally:
            await self.tasks.stop()

    def _ready(self) -> int | None:
        """The stream whose turn it is, if something of it can be given."""
        candidates = (self._given,) if self.ordered else self._held
        return next((at for at in candidates if self._held.get(at) or at in self._ended), None)

    async def _work(self) -> None:
        """Open one stream after the other."""
        while (at := await self._begun()) is not None:
            error = None
            try:
                async with aclosing(self.streams[at]()) as stream:
                    async for item in stream:
                        if not await self._put(at, item):
                            return
            except Exception as failed:
                error = failed
            async with self._changed:
                self._ended[at] = error
                self._changed.notify_all()

    async def _begun(self) -> int | None:
        """The stream to open, once there is room for what it gives; None where there is none."""
        async with self._changed:
            # What waits of streams that have ended counts as well.
            while not self._stopped and self._next < len(self.streams) and len(self._held) >= self.workers:
                await self._changed.wait()
            if self._stopped or self._next == len(self.streams):
                return None
            at = self._next
            self._next += 1
            self._held[at] = deque()
            return at

    async def _put(self, at: int, item: T) -> bool:
        """Hold an item until it is taken; False if the reader has stopped."""
        async with self._changed:
            while not self._stopped and len(self._held[at]) >= HELD:
                await self._changed.wait()
            self._held[at].append(item)
            self._changed.notify_all()
            return not self._stopped


SKEW = 60.0  # seconds by which this machine's clock may be ahead of the service's
_ENDED = 0.1  # seconds until the rest is asked for where the service ends an answer without a word
_AGAIN = 0.5  # seconds until a time that the service takes for the future is asked for again


async def initial_partitions(access: InstanceAccess, table: str) -> list[Partition]:
    """The partitions of the change stream of a table, in the order of their keys."""
    with ActiveCall(access, "read", INITIAL_PARTITIONS, table) as call:
        calls = access.open(table)
        request = initial_request(calls)
        while True:
            found: list[Partition] = []
            limit = call.clock.begin()
            answer = calls.stream(INITIAL_PARTITIONS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := await next_message_async(answer)) is not None:
                    found.append(initial_partition(message))
                return sorted(found)
            except Exception as error:
                wait = call.clock.read_again(error)
            finally:
                leave_async(answer)
            await pause_async(wait)


async def changes(
    access: InstanceAccess,
    table: str,
    partition: Partition,
    tokens: Tokens,
    *,
    heartbeat: float,
    until: datetime | None = None,
    pause: AsyncPause = pause_async,
) -> AsyncStream[Event]:
    """The events of a partition behind its tokens; the last one is its end.

    Where the stream breaks off, it goes on behind the last event. A request ends by its timeout now and then, and goes on likewise.
    """
    home = SyncHome()
    with ActiveCall(access, "scan", READ_CHANGE_STREAM, table) as call:
        calls = access.open(table)
        while True:
            request = stream_request(calls, partition, tokens, heartbeat, until)
            limit = max(call.clock.begin(), 2 * heartbeat)
            answer = calls.stream(READ_CHANGE_STREAM)(request, timeout=limit, metadata=calls.metadata)
            joiner = Joiner()
            try:
                while (message := await next_message_async(answer)) is not None:
                    for event in joiner.take(message):
                        if not isinstance(event, Closed):
                            tokens = {partition: event.token}
                        yield event
                        home.check()
                        if isinstance(event, Closed):
                            return
                    call.clock.reached((tokens, time.monotonic()))
                wait = _ENDED
            except Exception as error:
                wait = _AGAIN if _is_ahead(error, tokens) else call.clock.read_again(error)
            finally:
                if home.here:
                    leave_async(answer)
            await pause(wait)


def _is_ahead(error: Exception, tokens: Tokens) -> bool:
    """Whether the service takes the time of the beginning for the future, which passes by."""
    start = next((since_of(token) for token in tokens.values()), None)
    fresh = start is not None and abs(time.time() - start / 1e6) < SKEW
    return fresh and isinstance(google_error(error), InvalidArgument)
