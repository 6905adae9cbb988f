"""The progress of one read over all its requests."""

from time import perf_counter
from typing import Any, Generic, TypeVar

from attrs import evolve
from google.cloud.bigtable_v2.types import ReadRowsRequest

from btmodel.client.call import READ_ROWS, ActiveCall, Calls, InstanceAccess
from btmodel.client.chunks import Chunks
from btmodel.client.filter_messages import filter_bytes
from btmodel.client.row_streams import RowBatch
from btmodel.rows import ReadPlan, RowDecoder, RowRange
from btmodel.rows.ranges import overlap
from btmodel.rows.serialized import text

_Request: Any = ReadRowsRequest.pb()
_FILTER = b"\x1a"  # the tag of its filter, which is kept serialized


def read_request(plan: ReadPlan, calls: Calls) -> bytes | None:
    """The request for the rows of ``plan``; None where nothing can match."""
    keys: list[bytes] = []
    spans: list[RowRange] = []
    for span in plan.ranges:
        # A multi-get has a thousand of these: what a range says of itself is asked for once.
        start, end = span.start, span.end
        if start and end == start + b"\0":
            keys.append(start)
        elif not end or start < end:
            spans.append(span)
    if not keys and not spans:
        return None  # a request without rows would be for the whole table
    request = _Request(
        **calls.address,
        app_profile_id=calls.app_profile,
        rows_limit=plan.limit or 0,
        reversed=plan.backwards,
    )
    request.rows.row_keys.extend(keys)
    for span in spans:
        asked = request.rows.row_ranges.add()
        if span.start:
            asked.start_key_closed = span.start
        if span.end:
            asked.end_key_open = span.end
    serialized: bytes = request.SerializeToString()
    return serialized + text(_FILTER, filter_bytes(plan.sent, plan.table)) if plan.sent else serialized


def read_call(access: InstanceAccess, plan: ReadPlan) -> ActiveCall:
    """The call that reads the rows of ``plan``: rows by their keys are waited for less long than those of a range."""
    single = plan.limit == 1 or all(span.key for span in plan.ranges)
    return ActiveCall(
        access,
        "read" if single else "scan",
        READ_ROWS,
        plan.table,
        filter=plan.sent,
        ranges=len(plan.ranges),
    )


def rest(plan: ReadPlan, last: bytes | None, given: int) -> ReadPlan:
    """What is left of ``plan`` once it was read up to the key ``last``, and ``given`` rows have come."""
    if last is None:
        return plan
    if given == plan.limit:
        return evolve(plan, ranges=())
    # What is not read yet: below the last key, or from the one after it on.
    left = RowRange(b"", last) if plan.backwards else RowRange(last + b"\0", b"")
    ranges = tuple(overlap(span, left) for span in plan.ranges)
    return evolve(plan, ranges=ranges, limit=plan.limit and plan.limit - given)


T = TypeVar("T")


def decoded(message: bytes, chunks: Chunks, decoder: RowDecoder[T]) -> tuple[RowBatch[T], Exception | None]:
    """What is made of the rows that ``message`` ends, and what went wrong behind them, if anything."""
    if decoder.fast is None or not chunks.forward:
        batch: RowBatch[T] = RowBatch([], [])
    else:
        at, keys, rows = decoder.fast(message, 0, chunks.furthest or b"")
        taken = chunks.passed(keys)
        if taken < len(keys):
            return RowBatch(keys[:taken], rows[:taken]), chunks.too_many(keys[taken])
        batch = RowBatch(keys, rows)
        if at == len(message):
            return batch, None
        message = message[at:]
    try:
        chunks.take(message, decoder.strict, batch)
    except Exception as error:
        return batch, error
    return batch, None


def decoded_plainly(message: bytes, decoder: RowDecoder[T]) -> list[T]:
    """What is made of the rows of a message that holds whole ones, in order, without the fast way."""
    batch: RowBatch[T] = RowBatch([], [])
    Chunks(ReadPlan("", (), None)).take(message, decoder.strict, batch)
    return batch.rows


class ReadProgress(Generic[T]):
    """A read of ``plan``: what it asks for next, and what it makes of the answers.

    What the answers hold is counted in ``call``. Where one breaks off, the rest is asked for from the row after the last
    one on, or from the key up to which the server says that it has looked.
    """

    def __init__(self, plan: ReadPlan, calls: Calls, decoder: RowDecoder[T], call: ActiveCall) -> None:
        self._plan = plan
        self._calls = calls
        self._decoder = decoder
        self._chunks = Chunks(plan)
        self._call = call
        self._failed: Exception | None = None

    def request(self) -> bytes | None:
        """The request for what has not come yet; None where nothing can follow."""
        return read_request(rest(self._plan, self._chunks.furthest, self._chunks.rows), self._calls)

    def take(self, message: bytes) -> RowBatch[T]:
        """The rows that a message ends."""
        call, began = self._call, perf_counter()
        batch, self._failed = decoded(message, self._chunks, self._decoder)
        call.decode_seconds += perf_counter() - began
        call.rows += len(batch.keys)
        call.bytes += len(message)
        return batch

    def taken(self) -> None:
        """Those rows were given; raises what is wrong after them, and waits from now on for the next ones."""
        if self._failed is not None:
            raise self._failed
        self._call.clock.reached(self._chunks.furthest)

    def end(self) -> None:
        """The answer ended; raises where that broke it off inside a row."""
        self._chunks.end()

    def pause_after(self, error: Exception) -> float:
        """The seconds to wait before the rest is asked for, as ``error`` broke off the answer; raises what ends the read."""
        wait = self._call.clock.read_again(error)
        self._chunks.drop()
        return wait
