"""Reads as requests: what a plan asks of the data client, forwards, and of the service itself, backwards."""

from attrs import evolve
from google.cloud.bigtable.data import ReadRowsQuery
from google.cloud.bigtable.data import RowRange as ClientRange
from google.cloud.bigtable_v2.types import ReadRowsRequest, RowSet
from google.cloud.bigtable_v2.types import RowRange as RangeMessage

from btmodel.client.filters import client_filter
from btmodel.rows import ReadPlan, RowRange


def spans(plan: ReadPlan) -> tuple[list[bytes], list[RowRange]]:
    """The single keys and the ranges that ``plan`` asks for, without the ranges that can hold nothing."""
    wanted = [span for span in plan.ranges if not span.empty]
    keys = [span.key for span in wanted if span.key]
    return keys, [span for span in wanted if not span.key]


def forwards_query(plan: ReadPlan) -> ReadRowsQuery | None:
    """The query of the data client; None where nothing can match."""
    keys, ranges = spans(plan)
    if not keys and not ranges:
        return None
    return ReadRowsQuery(
        row_keys=list(keys),
        row_ranges=[ClientRange(span.start or None, span.end or None) for span in ranges],
        row_filter=client_filter(plan.filter) if plan.filter else None,
        limit=plan.limit,
    )


def backwards_request(plan: ReadPlan, table_name: str, app_profile: str | None) -> ReadRowsRequest | None:
    """The request for the rows of ``plan`` from the last to the first; None where nothing can match."""
    keys, ranges = spans(plan)
    if not keys and not ranges:
        return None
    rows = RowSet(row_keys=keys, row_ranges=[_message(span) for span in ranges])
    return ReadRowsRequest(
        table_name=table_name,
        app_profile_id=app_profile,
        rows=rows,
        filter=client_filter(plan.filter)._to_pb() if plan.filter else None,
        rows_limit=plan.limit or 0,
        reversed=True,
    )


def rest_below(plan: ReadPlan, last: bytes | None, given: int) -> ReadPlan:
    """What is left of a read backwards once ``given`` rows have come, ``last`` the key of the last of them."""
    if last is None:
        return plan
    if given == plan.limit:
        return evolve(plan, ranges=())
    ranges = tuple(
        evolve(span, end=min(span.end, last) if span.end else last)
        for span in plan.ranges
        if span.start < last
    )
    return evolve(plan, ranges=ranges, limit=plan.limit and plan.limit - given)


def _message(span: RowRange) -> RangeMessage:
    bounds = {"start_key_closed": span.start, "end_key_open": span.end}
    return RangeMessage({name: key for name, key in bounds.items() if key})
