"""One read: the rows of some ranges in the order of their keys, or from the last to the first.

Google's data client takes several times as long, cannot read backwards, mixes up rows that go on
in the next message, and its asynchronous half does not end the request of a stream that is left
early. So the service is asked here, through that client's connection.
"""

from collections.abc import Callable
from typing import TypeVar

from btmodel.client.calls import READ_ROWS, Calls
from btmodel.client.channels import leave_async, next_message_async
from btmodel.client.failures import translated
from btmodel.client.progress import Progress
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
    with translated(plan.table, target, filter=plan.filter):
        calls = open_table(plan.table)
        progress = Progress(plan, calls, decoder)
        while (request := progress.request()) is not None:
            # The deadline of a request runs on while the rows are used. That ends it at times, but not
            # the read: a row has come then, so the rest is asked for anew with all the time there is.
            answer = calls.stream(READ_ROWS)(request, timeout=progress.limit(), metadata=calls.metadata)
            try:
                while (message := await next_message_async(answer)) is not None:
                    batch = progress.take(message)
                    if batch.keys:
                        yield batch
                    progress.taken()
                progress.end()
                return
            except Exception as error:
                wait = progress.pause_after(error)
            finally:
                leave_async(answer)
            await pause(wait)


async def read_first(
    open_table: Callable[[str], Calls], plan: ReadPlan, target: Target, decoder: RowDecoder[T]
) -> T | None:
    """What ``decoder`` makes of the first row of ``plan``, as :func:`read` would; None where there is none.

    Of a single row, to be a stream costs as much as all else that is done here for it.
    """
    if not plan.ranges:
        return None
    with translated(plan.table, target, filter=plan.filter):
        calls = open_table(plan.table)
        progress = Progress(plan.limited(1), calls, decoder)
        while (request := progress.request()) is not None:
            answer = calls.stream(READ_ROWS)(request, timeout=progress.limit(), metadata=calls.metadata)
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
