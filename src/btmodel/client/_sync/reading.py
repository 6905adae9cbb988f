# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""One read: the rows of some ranges in the order of their keys, or from the last to the first.

Google's data client takes several times as long, cannot read backwards, mixes up rows that go on
in the next message, and its asynchronous half does not end the request of a stream that is left
early. So the service is asked here, through that client's connection.
"""

from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any, TypeVar

import grpc
from google.cloud.bigtable.data import ReadRowsQuery
from google.cloud.bigtable.data import RowRange as ClientRange
from google.cloud.bigtable_v2.types import SampleRowKeysRequest, SampleRowKeysResponse

from btmodel.client.call import ActiveCall
from btmodel.client.calls import READ_ROWS, SAMPLE_ROW_KEYS, Access
from btmodel.client.channels import leave, next_message
from btmodel.client.filters import sendable_filter
from btmodel.client.progress import Progress, read_call
from btmodel.client.streams import (
    Batches,
    Merging,
    Pause,
    RowBatch,
    first_of_each,
    pause,
)
from btmodel.client.tasks import SyncHome
from btmodel.rows import Cell, Joined, ReadPlan, RowDecoder

T = TypeVar("T")


def read(
    access: Access,
    plan: ReadPlan,
    decoder: RowDecoder[T],
    pause: Pause = pause,
) -> Batches[T]:
    """What ``decoder`` makes of the rows of ``plan``, whose ranges are joined in the order of keys.

    Where an answer breaks off, the rest is asked for again behind the last row, or behind
    the key up to which the server says that it has looked; ``pause`` waits before.
    """
    if not plan.ranges:
        return
    home = SyncHome()
    with read_call(access, plan) as call:
        calls = access.open(plan.table)
        progress = Progress(plan, calls, decoder, call)
        while (request := progress.request()) is not None:
            # The deadline of a request runs on while the rows are used. That ends it at times, but not
            # the read: a row has come then, so the rest is asked for anew with all the time there is.
            limit = call.clock.begin()
            answer = calls.stream(READ_ROWS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := next_message(answer)) is not None:
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
                    leave(answer)
            pause(wait)


def read_first(access: Access, plan: ReadPlan, decoder: RowDecoder[T]) -> T | None:
    """What ``decoder`` makes of the first row of ``plan``, as :func:`read` would; None where there is none.

    Of a single row, to be a stream costs as much as all else that is done here for it.
    """
    if not plan.ranges:
        return None
    plan = plan.limited(1)
    with read_call(access, plan) as call:
        calls = access.open(plan.table)
        progress = Progress(plan, calls, decoder, call)
        while (request := progress.request()) is not None:
            limit = call.clock.begin()
            answer = calls.stream(READ_ROWS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := next_message(answer)) is not None:
                    batch = progress.take(message)
                    if batch.keys:
                        return batch.rows[0]
                    progress.taken()
                progress.end()
                return None
            except Exception as error:
                wait = progress.pause_after(error)
            finally:
                leave(answer)
            pause(wait)
    return None


# Google's data client can be asked, too, but where its task is cancelled at the wrong moment the request stays open.

_SAMPLE = SampleRowKeysResponse.pb()


def samples(access: Access, table: str) -> list[bytes]:
    """The keys that the service samples of a table, in order; what it says of the table's end is an empty one."""
    with ActiveCall(access, "read", SAMPLE_ROW_KEYS, table) as call:
        calls = access.open(table)
        asked = SampleRowKeysRequest(table_name=calls.name, app_profile_id=calls.app_profile)
        request = SampleRowKeysRequest.serialize(asked)
        while True:
            found: list[bytes] = []
            limit = call.clock.begin()
            answer = calls.stream(SAMPLE_ROW_KEYS)(request, timeout=limit, metadata=calls.metadata)
            try:
                while (message := next_message(answer)) is not None:
                    found.append(_SAMPLE.FromString(message).row_key)
                return found
            except Exception as error:
                wait = call.clock.read_again(error)
            finally:
                leave(answer)
            pause(wait)


def joined(plan: ReadPlan, read: Callable[[ReadPlan], Batches[T]]) -> Batches[T]:
    """The rows of ``plan``, of which ``read`` reads each part."""
    match plan.joined:
        case Joined.KEY_ORDER:
            return read(plan)
        case Joined.IN_TURN:
            return _in_turn(plan, read)
        case Joined.MERGED:
            return _merged(plan, read)


def _in_turn(plan: ReadPlan, read: Callable[[ReadPlan], Batches[T]]) -> Batches[T]:
    """The rows of one part after those of another; a part is read when the one before it has ended."""
    left = plan.limit
    for part in plan.parts:
        with closing(read(part.limited(left))) as batches:
            for batch in batches:
                yield batch
                if left is not None:
                    left -= len(batch.keys)
        if left == 0:
            return


def _merged(plan: ReadPlan, read: Callable[[ReadPlan], Batches[T]]) -> Batches[T]:
    """The rows of all parts in the order of their keys without the leads: a message of each is held."""
    merging: Merging[T] = Merging(plan)
    with ExitStack() as opened:
        streams = [opened.enter_context(closing(read(part))) for part in plan.parts]
        for at, first in enumerate(first_of_each(streams)):
            merging.put(at, first)
        while True:
            batch, read_on = merging.next_rows()
            if batch.keys:
                yield batch
            if read_on is None:
                return
            merging.put(read_on, next(streams[read_on], None))


def read_with_client(
    access: Access,
    plan: ReadPlan,
    decoder: RowDecoder[T],
    pause: object = None,
) -> Batches[T]:
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
        rows: Any = access.open(plan.table).table.read_rows_stream(
            query,
            operation_timeout=call.clock.policy.deadline,
            attempt_timeout=limit,
            retryable_errors=[grpc.StatusCode[code] for code in call.clock.policy.codes],
        )
        try:
            for row in rows:
                cells = [
                    Cell(cell.family, cell.qualifier, cell.timestamp_micros, cell.value) for cell in row.cells
                ]
                call.rows += 1
                yield RowBatch([row.row_key], [decoder.strict(row.row_key, cells)])
                home.check()
        finally:
            if home.here:
                with closing(rows):
                    pass
