"""Our filters as those of the data client."""

import re
from datetime import UTC, datetime
from typing import Any

from google.cloud.bigtable.data import row_filters

from btmodel.errors import QueryRefused
from btmodel.rows import (
    Chain,
    Families,
    Filter,
    FirstCells,
    Interleave,
    KeyMatches,
    QualifierRange,
    Qualifiers,
    Rows,
    RowsWithout,
    Times,
    Value,
    ValueEnds,
    Versions,
    Within,
    WithoutValues,
)
from btmodel.schema.figures import FILTER_BYTES

_NOTHING = row_filters.BlockAllFilter(True)
_EVERYTHING = row_filters.PassAllFilter(True)


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


def sendable_filter(ours: Filter, table: str) -> Any:
    """The client's filter that lets through what ``ours`` does; raises :class:`QueryRefused` for one that is too large."""
    found = client_filter(ours)
    size = found._to_pb()._pb.ByteSize()
    if size > FILTER_BYTES:
        raise QueryRefused(
            f"table {table!r}: wanted a filter of at most {FILTER_BYTES:,} bytes, which is what Bigtable takes, "
            f"got {size:,}: compare fewer or shorter values (each counts twice), or ask for fewer columns"
        )
    return found


def client_filter(ours: Filter, now: datetime | None = None) -> Any:
    """The client's filter that lets through what ``ours`` does; ages count from ``now``."""
    now = now or datetime.now(UTC)
    match ours:
        case Within():
            return _TimestampRange(ours.start(now), 0)
        case Rows(found, then):
            passing = _EVERYTHING if then is None else client_filter(then, now)
            return row_filters.ConditionalRowFilter(client_filter(found, now), true_filter=passing)
        case RowsWithout(found, then):
            passing = client_filter(then, now)
            return row_filters.ConditionalRowFilter(client_filter(found, now), false_filter=passing)
        case Chain(filters):
            return _chain([client_filter(part, now) for part in filters])
        case Interleave(filters):
            return _interleave([client_filter(part, now) for part in filters])
        case _:
            return _simple(ours)


def _simple(ours: Filter) -> Any:
    """The client's filter for one of ours that holds no other and does not know the time."""
    match ours:
        case Families(ids):
            # Not one expression for all: of a plain name the service says that there is no such family.
            return _interleave([row_filters.FamilyNameRegexFilter(re.escape(id)) for id in ids])
        case Qualifiers(family, qualifiers):
            # Each as a range of one: names are any bytes, and a range needs no quoting as an expression does.
            names = dict.fromkeys(qualifiers)
            return _interleave([row_filters.ColumnRangeFilter(family, name, name) for name in names])
        case QualifierRange(family, start, end):
            return _qualifiers(family, start, end)
        case Value(value):
            return row_filters.ValueRangeFilter(value, value)
        case ValueEnds(start, end):
            # Only \C is any byte at all: a dot leaves out the end of a line.
            return row_filters.ValueRegexFilter(_quoted(start) + rb"\C*" + _quoted(end))
        case KeyMatches(pattern):
            return row_filters.RowKeyRegexFilter(pattern)
        case Versions(newest):
            return row_filters.CellsColumnLimitFilter(newest)
        case FirstCells(count):
            return row_filters.CellsRowLimitFilter(count)
        case Times(start, end):
            return _TimestampRange(start, end)
        case WithoutValues():
            return row_filters.StripValueTransformerFilter(True)
        case _:
            raise TypeError(f"unknown filter {ours!r}")


def _quoted(raw: bytes) -> bytes:
    """``raw`` as an expression of RE2 for just these bytes. RE2 knows no backslash in front of NUL, or of bytes above ASCII."""
    return re.sub(rb"[^\w\0\x80-\xff]", rb"\\\g<0>", raw).replace(b"\0", rb"\x00")


def _qualifiers(family: str, start: bytes, end: bytes) -> Any:
    if not end:
        return row_filters.ColumnRangeFilter(family, start)
    if start >= end:
        return _NOTHING  # the service refuses a range that is upside down
    return row_filters.ColumnRangeFilter(family, start, end, inclusive_end=False)


def _chain(filters: list[Any]) -> Any:
    """A chain of any number of filters: the service takes one of two or more."""
    if len(filters) < 2:
        return filters[0] if filters else _EVERYTHING
    return row_filters.RowFilterChain(filters)


def _interleave(filters: list[Any]) -> Any:
    """An interleave of any number of filters: the service takes one of two or more."""
    if len(filters) < 2:
        return filters[0] if filters else _NOTHING
    return row_filters.RowFilterUnion(filters)
