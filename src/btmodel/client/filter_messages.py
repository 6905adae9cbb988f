"""Filters as serialized messages; Google's own classes take a hundred times as long."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from google.cloud.bigtable.data import row_filters
from google.cloud.bigtable_v2.types import RowFilter

from btmodel.errors import QueryRefused, shown
from btmodel.rows import (
    Before,
    Chain,
    ExactValue,
    Families,
    Filter,
    FirstCells,
    Interleave,
    KeyLength,
    KeyMatches,
    QualifierRange,
    Qualifiers,
    Rows,
    RowsWithout,
    Sample,
    Times,
    Unexpired,
    ValueEnds,
    Values,
    Versions,
    Within,
    WithoutFirst,
    WithoutValues,
)
from btmodel.schema.limits import FILTER_BYTES

_KEPT = 256  # filters whose bytes are kept; those of a model are the same in every read
_Message: Any = RowFilter.pb()


class _Sendable(row_filters.RowFilter):
    """A filter of the data client that is a message already."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def _to_pb(self) -> Any:
        return RowFilter.deserialize(self._raw)

    def _to_dict(self) -> dict[str, Any]:
        raise NotImplementedError  # what the base class makes its message from

    def __repr__(self) -> str:
        return f"_Sendable({self._raw!r})"


def sendable_filter(ours: Filter, table: str) -> Any:
    """The client's filter that lets through what ``ours`` does; raises :class:`QueryRefused` for one that is too large."""
    return _Sendable(filter_bytes(ours, table))


def filter_bytes(ours: Filter, table: str) -> bytes:
    """The same as a serialized message."""
    raw = _ageless(ours) or _aged(ours)
    if len(raw) > FILTER_BYTES:
        raise QueryRefused(
            f"table {table!r}: expected a filter of at most {FILTER_BYTES:,} bytes, which is what Bigtable takes, "
            f"got {len(raw):,}: compare fewer or shorter values (each counts twice), or ask for fewer columns"
        )
    return raw


def _aged(ours: Filter) -> bytes:
    raw: bytes = _message(ours, datetime.now(UTC)).SerializeToString()
    return raw


@lru_cache(_KEPT)
def _ageless(ours: Filter) -> bytes | None:
    """The bytes of a filter that are the same at any time; None where there are none."""
    return None if _ages(ours) else _aged(ours)


def _ages(ours: Filter) -> bool:
    """Whether what a filter lets through depends on the time at which it is asked."""
    match ours:
        case Within() | Before() | Unexpired():
            return True
        case Chain(filters) | Interleave(filters):
            return any(map(_ages, filters))
        case Rows(found, then) | RowsWithout(found, then):
            return _ages(found) or (then is not None and _ages(then))
        case _:
            return False


def _message(ours: Filter, now: datetime) -> Any:
    """The message of ``ours``, whose ages count from ``now``."""
    match ours:
        case Within() | Unexpired():
            return _times(ours.start(now), 0)
        case Before():
            end = ours.end(now)
            return _times(0, end) if end else _Message(block_all_filter=True)
        case Rows(found, then) | RowsWithout(found, then):
            passing = _Message(pass_all_filter=True) if then is None else _message(then, now)
            branch = "true_filter" if isinstance(ours, Rows) else "false_filter"
            return _Message(condition={"predicate_filter": _message(found, now), branch: passing})
        case Chain(filters):
            return _chain([_message(part, now) for part in filters])
        case Interleave(filters):
            return _interleave(_message(part, now) for part in filters)
        case _:
            return _simple(ours)


def _simple(ours: Filter) -> Any:
    """The message of a filter that holds no other and does not know the time."""
    match ours:
        case Families(ids):
            # Each as the range of all its columns. Of an expression for several the service would not say that there is
            # no such family, and Google's emulator compiles expressions anew for each cell: half the time of a scan.
            return _interleave(_Message(column_range_filter={"family_name": id}) for id in ids)
        case Qualifiers(family, qualifiers):
            # Each as a range of one: names are any bytes, and a range needs no quoting as an expression does.
            return _interleave(_column(family, name) for name in dict.fromkeys(qualifiers))
        case QualifierRange(family, start, end):
            return _qualifiers(family, start, end)
        case ExactValue(value):
            return _Message(value_range_filter={"start_value_closed": value, "end_value_closed": value})
        case Values(start, end):
            ends = {
                f"{name}_value_{'closed' if closed else 'open'}": value
                for name, value, closed in (("start", start, ours.with_start), ("end", end, ours.with_end))
                if value is not None
            }
            return _Message(value_range_filter=ends)
        case ValueEnds(start, end):
            # Only \C is any byte at all: a dot leaves out the end of a line.
            return _Message(value_regex_filter=_quoted(start) + rb"\C*" + _quoted(end))
        case KeyMatches(pattern):
            return _Message(row_key_regex_filter=pattern)
        case KeyLength(size):
            # RE2 repeats nothing more than 1,000 times.
            whole, rest = divmod(size, 1_000)
            return _Message(row_key_regex_filter=rb"\C{1000}" * whole + (b"\\C{%d}" % rest if rest else b""))
        case Sample(share):
            return _Message(row_sample_filter=share)
        case Versions(newest):
            return _Message(cells_per_column_limit_filter=newest)
        case FirstCells(count):
            return _Message(cells_per_row_limit_filter=count)
        case WithoutFirst(count):
            return _Message(cells_per_row_offset_filter=count)
        case Times(start, end):
            return _times(start, end)
        case WithoutValues():
            return _Message(strip_value_transformer=True)
        case _:
            raise TypeError(f"unknown filter {ours!r}")


def refuse_pattern(where: str, pattern: bytes) -> None:
    """Raise :class:`QueryRefused` for what RE2 does not take, with its reason: Python's ``re`` takes other expressions."""
    from btmodel.server.re2 import parse  # the local server's; few reads have a pattern
    from btmodel.server.request_errors import RequestError

    try:
        parse(pattern)
    except RequestError as error:
        raise QueryRefused(
            f"{where}: expected a regular expression of RE2, got {shown(pattern)}: {error.text}"
        ) from None


def _quoted(raw: bytes) -> bytes:
    """``raw`` as an expression of RE2 for just these bytes. RE2 knows no backslash in front of NUL, or of bytes above ASCII."""
    return re.sub(rb"[^\w\0\x80-\xff]", rb"\\\g<0>", raw).replace(b"\0", rb"\x00")


def _times(start: int, end: int) -> Any:
    """A range of cell timestamps, in exact microseconds."""
    return _Message(timestamp_range_filter={"start_timestamp_micros": start, "end_timestamp_micros": end})


def _column(family: str, name: bytes) -> Any:
    ends = {"start_qualifier_closed": name, "end_qualifier_closed": name}
    return _Message(column_range_filter={"family_name": family, **ends})


def _qualifiers(family: str, start: bytes, end: bytes) -> Any:
    if end and start >= end:
        return _Message(block_all_filter=True)  # the service refuses a range that is upside down
    ends = {"start_qualifier_closed": start} | ({"end_qualifier_open": end} if end else {})
    return _Message(column_range_filter={"family_name": family, **ends})


def _chain(filters: list[Any]) -> Any:
    """A chain of any number of filters: the service takes one of two or more."""
    if len(filters) < 2:
        return filters[0] if filters else _Message(pass_all_filter=True)
    return _Message(chain={"filters": filters})


def _interleave(filters: Iterable[Any]) -> Any:
    """An interleave of any number of filters: the service takes one of two or more."""
    several = list(filters)
    if len(several) < 2:
        return several[0] if several else _Message(block_all_filter=True)
    return _Message(interleave={"filters": several})
