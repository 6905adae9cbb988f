"""One read: the rows of some ranges in the order of their keys, or in the opposite order."""

from collections.abc import Callable
from contextlib import aclosing
from typing import Any

from google.api_core.exceptions import Aborted, DeadlineExceeded, MethodNotImplemented, ServiceUnavailable
from google.api_core.retry import exponential_sleep_generator, if_exception_type, retry_target_stream_async

from btmodel.client.chunks import Chunks
from btmodel.client.failures import said, translated
from btmodel.client.requests import backwards_request, forwards_query, rest_below
from btmodel.client.streams import AsyncStream, Row
from btmodel.client.target import Target
from btmodel.errors import ServerError
from btmodel.rows import Cell, ReadPlan

_AGAIN = if_exception_type(Aborted, DeadlineExceeded, ServiceUnavailable)


async def forwards(open_table: Callable[[str], Any], plan: ReadPlan, target: Target) -> AsyncStream[Row]:
    """The rows of ``plan`` in the order of their keys."""
    query = forwards_query(plan)
    if query is None:
        return
    with translated(plan.table, target):
        stream = await open_table(plan.table).read_rows_stream(query)
        async with aclosing(stream):
            async for row in stream:
                cells = row.cells
                yield (
                    row.row_key,
                    [Cell(cell.family, cell.qualifier, cell.timestamp_micros, cell.value) for cell in cells],
                )


async def backwards(open_table: Callable[[str], Any], plan: ReadPlan, target: Target) -> AsyncStream[Row]:
    """The rows of ``plan`` from the last to the first.

    Google's data client takes keys that fall for a broken answer, so this asks the
    service itself, and goes on below the last row where an answer breaks off.
    """
    last: bytes | None = None
    given = 0

    async def attempt() -> AsyncStream[Row]:
        nonlocal last, given
        async with aclosing(_answer(table, rest_below(plan, last, given))) as rows:
            async for row in rows:
                last = row[0]
                given += 1
                yield row

    with translated(plan.table, target):
        table = open_table(plan.table)
        pauses = exponential_sleep_generator(0.01, 60)
        limit = table.default_read_rows_operation_timeout
        try:
            stream: Any = retry_target_stream_async(attempt, _AGAIN, pauses, limit)
            async with aclosing(stream) as rows:
                async for row in rows:
                    yield row
        except MethodNotImplemented as error:
            server = target.host or "the service"
            raise ServerError(
                f"table {plan.table!r}: {server} does not support reversed reads, from the last row to the "
                f"first (it says: {said(error)}); the service and the local server do"
            ) from error


async def _answer(table: Any, plan: ReadPlan) -> AsyncStream[Row]:
    """The rows of one request."""
    request = backwards_request(plan, table.table_name, table.app_profile_id)
    if request is None:
        return
    limit = table.default_read_rows_attempt_timeout
    answer = await table.client._gapic_client.read_rows(request, timeout=limit, retry=None)
    try:
        chunks = Chunks()
        async for response in answer:
            for chunk in response._pb.chunks:
                row = chunks.add(chunk)
                if row is not None:
                    yield row
    finally:
        answer.cancel()
