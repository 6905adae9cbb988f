"""Reads as serialized requests to the service, and what is left to ask for when an answer breaks off."""

from typing import Any

from attrs import evolve
from google.cloud.bigtable_v2.types import ReadRowsRequest

from btmodel.client.calls import Calls
from btmodel.client.filters import filter_bytes
from btmodel.rows import ReadPlan, RowRange

_Request: Any = ReadRowsRequest.pb()


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
        table_name=calls.name,
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
    if plan.filter:
        request.filter.MergeFromString(filter_bytes(plan.filter, plan.table))
    serialized: bytes = request.SerializeToString()
    return serialized


def rest(plan: ReadPlan, last: bytes | None, given: int) -> ReadPlan:
    """What is left of ``plan`` once it was read up to the key ``last``, and ``given`` rows have come."""
    if last is None:
        return plan
    if given == plan.limit:
        return evolve(plan, ranges=())
    # What is not read yet: below the last key, or from the one after it on.
    left = RowRange(b"", last) if plan.backwards else RowRange(last + b"\0", b"")
    ranges = tuple(_overlap(span, left) for span in plan.ranges)
    return evolve(plan, ranges=ranges, limit=plan.limit and plan.limit - given)


def _overlap(one: RowRange, other: RowRange) -> RowRange:
    ends = [span.end for span in (one, other) if span.end]
    return RowRange(max(one.start, other.start), min(ends, default=b""))
