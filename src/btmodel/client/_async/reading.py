"""One read: the rows of some ranges in the order of their keys, or from the last to the first.

Google's data client takes several times as long, cannot read backwards, mixes up rows that go on
in the next message, and its asynchronous half does not end the request of a stream that is left
early. So the service is asked here, through that client's connection.
"""

from collections.abc import Callable
from typing import TypeVar

from btmodel.client.calls import READ_ROWS, Calls
from btmodel.client.channels import leave_async
from btmodel.client.chunks import Chunks
from btmodel.client.decoding import decoded
from btmodel.client.failures import translated
from btmodel.client.patience import Patience, pause_after
from btmodel.client.requests import read_request, rest
from btmodel.client.streams import AsyncBatches, AsyncPause, pause_async
from btmodel.client.target import Target
from btmodel.rows import ReadPlan, RowDecoder

T = TypeVar("T")


async def read(
    open_table: Callable[[str], Calls],
    plan: ReadPlan,
    target: Target,
    decoder: RowDecoder[T],
    pause: AsyncPause = pause_async,
) -> AsyncBatches[T]:
    """What ``decoder`` makes of the rows of ``plan``, whose ranges are joined in the order of keys.

    Where an answer breaks off, the rest is asked for again behind the last row, or behind
    the key up to which the server says that it has looked; ``pause`` waits before.
    """
    if not plan.ranges:
        return
    with translated(plan.table, target):
        calls = open_table(plan.table)
        chunks = Chunks(plan)
        patience = Patience(
            calls.table.default_read_rows_operation_timeout, calls.table.default_read_rows_attempt_timeout
        )
        while True:
            request = read_request(rest(plan, chunks.furthest, chunks.rows), calls)
            if request is None:
                return
            # The deadline of a request runs on while the rows are used. That ends it at times, but not
            # the read: a row has come then, so the rest is asked for anew with all the time there is.
            answer = calls.stream(READ_ROWS)(request, timeout=patience.limit(), metadata=calls.metadata)
            try:
                async for message in answer:
                    batch, failed = decoded(message, chunks, decoder)
                    if batch.keys:
                        yield batch
                    if failed is not None:
                        raise failed
                    patience.reached(chunks.furthest)
                chunks.end()
                return
            except Exception as error:
                wait = pause_after(error, patience)
            finally:
                leave_async(answer)
            chunks.drop()
            await pause(wait)
