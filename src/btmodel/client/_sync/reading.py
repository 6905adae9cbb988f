# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""One read: the rows of some ranges in the order of their keys, or from the last to the first.

Google's data client cannot read backwards, and its asynchronous half does not end the
request of a stream that is left early. So the service is asked here, through that client's
connection.
"""

from collections.abc import Callable
from contextlib import closing
from typing import Any

from google.api_core.retry import retry_target_stream

from btmodel.client.chunks import Chunks
from btmodel.client.failures import broken_off, translated
from btmodel.client.patience import Patience
from btmodel.client.requests import METADATA, read_request, rest
from btmodel.client.streams import Row, Stream
from btmodel.client.target import Target
from btmodel.rows import ReadPlan


def read(open_table: Callable[[str], Any], plan: ReadPlan, target: Target) -> Stream[Row]:
    """The rows of ``plan``, whose ranges are joined in the order of keys.

    Where an answer breaks off, the rest is asked for again behind the last row, or behind
    the key up to which the server says that it has looked.
    """
    if not plan.ranges:
        return
    with translated(plan.table, target):
        table = open_table(plan.table)
        chunks = Chunks(plan)
        patience = Patience(
            table.default_read_rows_operation_timeout, table.default_read_rows_attempt_timeout
        )

        def attempt() -> Stream[Row]:
            return _answer(table, rest(plan, chunks.furthest, chunks.rows), chunks, patience)

        stream: Any = retry_target_stream(attempt, broken_off, patience.pauses(), on_error=patience.broke_off)
        with closing(stream) as rows:
            for row in rows:
                yield row


def _answer(table: Any, plan: ReadPlan, chunks: Chunks, patience: Patience) -> Stream[Row]:
    """The rows of one request."""
    request = read_request(plan, table.table_name, table.app_profile_id)
    if request is None:
        return
    service = table.client._gapic_client
    chunks.drop()
    # The deadline of a request runs on while the rows are used. That ends it at times, but not
    # the read: a row has come then, so the rest is asked for anew with all the time there is.
    answer = service.read_rows(request, timeout=patience.limit(), retry=None, metadata=METADATA)
    try:
        for response in answer:
            message = response._pb
            for chunk in message.chunks:
                row = chunks.add(chunk)
                if row is not None:
                    yield row
            if message.last_scanned_row_key:
                chunks.scanned(message.last_scanned_row_key)
            patience.reached(chunks.furthest)
        chunks.end()
    finally:
        answer.cancel()
