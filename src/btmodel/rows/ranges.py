"""Ranges of row keys: half-open, in byte order."""

from datetime import date, datetime
from typing import NoReturn

from attrs import frozen

from btmodel.errors import QueryRefused, ValueRefused, shown
from btmodel.rows.cells import range_end
from btmodel.value import Value


@frozen(eq=False, repr=False)
class RowRange(Value):
    """The keys from ``start`` up to, and without, ``end``; an empty ``end`` is the end of the table."""

    start: bytes
    end: bytes

    @classmethod
    def of_prefix(cls, prefix: bytes) -> "RowRange":
        """The keys that begin with ``prefix``; all keys where it is empty."""
        return cls(prefix, successor(prefix))

    @classmethod
    def of_key(cls, key: bytes) -> "RowRange":
        """One key."""
        return cls(key, key + b"\0")

    @property
    def key(self) -> bytes | None:
        """The one key of the range, or None where it may hold more."""
        return self.start if self.end == self.start + b"\0" else None

    @property
    def empty(self) -> bool:
        """Whether no key can lie in the range."""
        return bool(self.end) and self.start >= self.end

    def holds(self, key: bytes) -> bool:
        """Whether ``key`` lies in the range."""
        return key >= self.start and (not self.end or key < self.end)

    def since(self, key: bytes) -> "RowRange":
        """The part of it from ``key`` on."""
        return RowRange(max(self.start, key), self.end)

    def before(self, key: bytes) -> "RowRange":
        """The part of it below ``key``."""
        return RowRange(self.start, min(self.end, key) if self.end else key)

    def __str__(self) -> str:
        return f"[{self.start!r}, {self.end!r})" if self.end else f"[{self.start!r}, end of the table]"


def overlap(one: RowRange, other: RowRange) -> RowRange:
    """The keys of both."""
    ends = [span.end for span in (one, other) if span.end]
    return RowRange(max(one.start, other.start), min(ends, default=b""))


def refuse_reversed(where: str, start: object, end: object, *, of_rows: bool = True) -> NoReturn:
    """Say that a range was given from its end to its start, in which nothing could ever lie."""
    raise QueryRefused(
        f"{where}: expected a start that is not after the end, got from {_plain(start)} to {_plain(end)}: write the "
        f"lower one first{'; `backwards()` reverses the order of the rows' if of_rows else ''}"
    )


def timestamps(where: str, start: datetime | None, end: datetime | None) -> tuple[int, int] | None:
    """The timestamps of ``[start, end)``, in microseconds, of which an end of 0 is open; None where none lies in it.

    Raises :class:`ValueRefused`, and :class:`QueryRefused` for a range from its end to its start.
    """
    try:
        low = 0 if start is None else range_end(start)
        high = None if end is None else range_end(end)
    except ValueRefused as error:
        raise error.at(where) from None
    if start is not None and high is not None and low > high:
        refuse_reversed(where, start, end, of_rows=False)
    low = max(low, 0)
    return None if high is not None and low >= high else (low, high or 0)


def _plain(value: object) -> str:
    """A time as people write it; other values as in any message."""
    return str(value) if isinstance(value, date) else shown(value)


def successor(prefix: bytes) -> bytes:
    """The least key above every key that begins with ``prefix``; empty where there is none."""
    stem = prefix.rstrip(b"\xff")
    return stem[:-1] + bytes([stem[-1] + 1]) if stem else b""
