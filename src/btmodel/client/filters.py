"""Our filters as those of the data client."""

import re
from datetime import UTC, datetime
from typing import Any

from google.cloud.bigtable.data import row_filters

from btmodel.rows import Chain, Families, Filter, Interleave, Times, Versions, Within


class _TimestampRange(row_filters.RowFilter):
    """A range of cell timestamps, in exact microseconds.

    The client's own filter takes a datetime through a float, which can miss a
    millisecond by a microsecond; the service refuses such a bound.
    """

    def __init__(self, start: int, end: int) -> None:
        self._range = {"start_timestamp_micros": start, "end_timestamp_micros": end}

    def _to_dict(self) -> dict[str, Any]:
        return {"timestamp_range_filter": self._range}

    def __repr__(self) -> str:
        return f"_TimestampRange({self._range})"


def client_filter(ours: Filter, now: datetime | None = None) -> Any:
    """The client's filter that lets through what ``ours`` does; ages count from ``now``."""
    now = now or datetime.now(UTC)
    match ours:
        case Families((id,)):
            return row_filters.FamilyNameRegexFilter(re.escape(id))
        case Families(ids):
            # Not one expression for all: of a plain name the service says that there is no such family.
            return row_filters.RowFilterUnion([client_filter(Families((id,)), now) for id in ids])
        case Versions(newest):
            return row_filters.CellsColumnLimitFilter(newest)
        case Within():
            return _TimestampRange(ours.start(now), 0)
        case Times(start, end):
            return _TimestampRange(start, end)
        case Chain(filters):
            return row_filters.RowFilterChain([client_filter(part, now) for part in filters])
        case Interleave(filters):
            return row_filters.RowFilterUnion([client_filter(part, now) for part in filters])
        case _:
            raise TypeError(f"unknown filter {ours!r}")
