"""The versions of a column as a value."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeVar

from btmodel.codecs.time import in_utc
from btmodel.errors import ValueRefused
from btmodel.rows.ranges import refuse_reversed

T = TypeVar("T")


class History(dict[datetime, T]):
    """The versions of a column: a dict from the time of a version to its value.

    Read from a table, it goes from the newest to the oldest. Times are aware and in
    whole milliseconds.
    """

    @property
    def newest(self) -> T | None:
        """The value of the latest time, or None where there is no version."""
        return self[max(self)] if self else None

    def between(self, start: datetime, end: datetime) -> "History[T]":
        """The versions of ``[start, end)``. Raises :class:`QueryRefused` for a start that is after the end."""
        if start > end:
            refuse_reversed("History.between", start, end)
        return History({time: value for time, value in self.items() if start <= in_utc(time) < end})

    def __repr__(self) -> str:
        return f"History({dict(self)!r})"


def as_history(value: Mapping[datetime, T]) -> History[T]:
    """``value`` as a history."""
    if isinstance(value, History):
        return value
    if not isinstance(value, Mapping):
        raise ValueRefused("a mapping from times to values, such as History({...})", value)
    return History(value)
