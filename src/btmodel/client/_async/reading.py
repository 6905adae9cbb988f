"""One read: the rows of some ranges in the order of their keys, or from the last to the first.

Google's data client cannot read backwards, and its asynchronous half does not end the
request of a stream that is left early. So the service is asked here, through that client's
connection.
"""

from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from google.api_core.retry import exponential_sleep_generator, retry_target_stream_async

from btmodel.client.chunks import Chunks
from btmodel.client.failures import broken_off, translated
from btmodel.client.requests import METADATA, read_request, rest
from btmodel.client.streams import AsyncStream, Row
from btmodel.client.target import Target
from btmodel.rows import ReadPlan

_PAUSES = (
    0.01,
    60.0,
)  # seconds: the first pause before an answer that broke off is asked for again, and the longest


async def read(open_table: Callable[[str], Any], plan: ReadPlan, target: Target) -> AsyncStream[Row]:
    """The rows of ``plan``, whose ranges are joined in the order of keys.

    Where an answer breaks off, the rest is asked for again behind the last row.
    """
    last: bytes | None = None
    given = 0

    async def attempt() -> AsyncStream[Row]:
        nonlocal last, given
        async with aclosing(_answer(table, rest(plan, last, given))) as rows:
            async for row in rows:
                last = row[0]
                given += 1
                yield row

    if not plan.ranges:
        return
    with translated(plan.table, target):
        table = open_table(plan.table)
        pauses = exponential_sleep_generator(*_PAUSES)
        limit = table.default_read_rows_operation_timeout
        stream: Any = retry_target_stream_async(attempt, broken_off, pauses, limit)
        async with aclosing(stream) as rows:
            async for row in rows:
                yield row


async def _answer(table: Any, plan: ReadPlan) -> AsyncStream[Row]:
    """The rows of one request."""
    request = read_request(plan, table.table_name, table.app_profile_id)
    if request is None:
        return
    limit = table.default_read_rows_attempt_timeout
    service = table.client._gapic_client
    answer = await service.read_rows(request, timeout=limit, retry=None, metadata=METADATA)
    try:
        chunks = Chunks()
        async for response in answer:
            for chunk in response._pb.chunks:
                row = chunks.add(chunk)
                if row is not None:
                    yield row
    finally:
        answer.cancel()
