"""Reads as requests to the service, and what is left to ask for when an answer breaks off."""

import base64

from attrs import evolve
from google.cloud.bigtable_v2.types import FeatureFlags, ReadRowsRequest, RowSet
from google.cloud.bigtable_v2.types import RowRange as RangeMessage

from btmodel.client.filters import sendable_filter
from btmodel.rows import ReadPlan, RowRange

_FLAGS = FeatureFlags.serialize(FeatureFlags(reverse_scans=True))
# Servers read backwards only for a client that says that it can take such an answer.
METADATA = (("bigtable-features", base64.urlsafe_b64encode(_FLAGS).decode()),)


def read_request(plan: ReadPlan, table_name: str, app_profile: str | None) -> ReadRowsRequest | None:
    """The request for the rows of ``plan``; None where nothing can match."""
    spans = [span for span in plan.ranges if not span.empty]
    if not spans:
        return None  # a request without rows would be for the whole table
    return ReadRowsRequest(
        table_name=table_name,
        app_profile_id=app_profile,
        rows=RowSet(
            row_keys=[span.key for span in spans if span.key],
            row_ranges=[_message(span) for span in spans if not span.key],
        ),
        filter=sendable_filter(plan.filter, plan.table)._to_pb() if plan.filter else None,
        rows_limit=plan.limit or 0,
        reversed=plan.backwards,
    )


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


def _message(span: RowRange) -> RangeMessage:
    bounds = {"start_key_closed": span.start, "end_key_open": span.end}
    return RangeMessage({name: key for name, key in bounds.items() if key})
