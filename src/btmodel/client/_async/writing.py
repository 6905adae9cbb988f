"""One request that writes, or one batch of rows, tried again where nothing is lost by it."""

from collections.abc import Callable

import grpc

from btmodel.client.acknowledged import RETRIED, Acknowledged
from btmodel.client.calls import MUTATE_ROWS, Calls, google_error
from btmodel.client.changes import bulk_request
from btmodel.client.flights import AsyncFlights
from btmodel.client.streams import pause_async
from btmodel.client.tries import Tries


async def ask(calls: Calls, method: str, request: bytes, *, once: bool) -> bytes:
    """The answer to one request; one that is not to be made just ``once`` is made again while there is time."""
    table = calls.table
    limit = table.default_operation_timeout
    tries = Tries(limit, limit if once else table.default_attempt_timeout)
    while True:
        try:
            answer: bytes = await calls.unary(method)(request, timeout=tries.limit(), metadata=calls.metadata)
            return answer
        except grpc.RpcError as failed:
            error = google_error(failed)
            wait = tries.pause() if isinstance(error, RETRIED) and not once else None
            if wait is None:
                raise error from failed
        await pause_async(wait)


async def write_batch(
    opened: Callable[[], Calls],
    state: Acknowledged,
    flights: AsyncFlights,
    permit: Callable[[], float] | None = None,
) -> None:
    """Write the rows of a batch, those that failed again and again while they may be and there is time.

    ``state`` is told all that the service says, and so knows at any time what is written. ``permit`` is called before each
    request, and gives the seconds that it may take; what it raises ends the write.
    """
    table = opened().table
    tries = Tries(table.default_mutate_rows_operation_timeout, table.default_mutate_rows_attempt_timeout)
    while state.open and not flights.stopped():
        error = None
        calls = opened()
        request = bulk_request(calls, state.raws)
        method = calls.stream(MUTATE_ROWS)
        limit = tries.limit() if permit is None else min(permit(), tries.limit())
        try:
            with flights.calling(method(request, timeout=limit, metadata=calls.metadata)) as answers:
                async for answer in answers:
                    state.take(answer)
        except grpc.RpcError as failed:
            error = google_error(failed)
        if flights.stopped():
            return  # what was not answered by now stays open
        state.end(error)
        if state.open:
            wait = tries.pause()
            if wait is None:
                return state.give_up()
            await flights.pause(wait)
