"""Reads as values: what a query asks of the server."""

from enum import Enum
from typing import Any, Literal

from attrs import evolve, frozen

from btmodel.counted import counted
from btmodel.errors import QueryRefused, shown
from btmodel.printable import printable
from btmodel.rows.filters import Filter
from btmodel.rows.ranges import RowRange

# Which ends belong to a range, as in mathematics.
Closed = Literal["[)", "[]", "()", "(]"]


class Joined(Enum):
    """How the rows of several ranges follow one another."""

    KEY_ORDER = "in the order of their keys"
    IN_TURN = "one range after the other"
    MERGED = "merged in the order of their keys, the salt left out"


@frozen
class ReadPlan:
    """One read: the ranges of row keys that it asks for, its filter, its limit of rows.

    No ranges at all means that nothing can match, and nothing is asked. Ranges that are
    joined IN_TURN or MERGED are a read each. Of keys that are MERGED the first
    ``leads`` bytes, one number for each range, do not count in the order.
    ``backwards`` reads from the last row to the first.
    """

    table: str
    ranges: tuple[RowRange, ...]
    filter: Filter | None
    limit: int | None = None
    joined: Joined = Joined.KEY_ORDER
    leads: tuple[int, ...] = ()
    backwards: bool = False

    def limited(self, limit: int | None) -> "ReadPlan":
        """The same read of at most ``limit`` rows."""
        if limit is not None and (type(limit) is not int or not 1 <= limit < 2**63):
            raise QueryRefused(f"limit: wanted a number of rows from 1 on, got {limit!r}")
        return self if limit == self.limit else evolve(self, limit=limit)

    def at_most(self, rows: int) -> "ReadPlan":
        """The same read of at most ``rows`` rows, and of no more than it is limited to already."""
        limited = self.limited(rows)
        return limited if self.limit is None or rows < self.limit else self

    def turned(self) -> "ReadPlan":
        """The same read in the opposite order.

        Raises :class:`QueryRefused` for one that is limited: it would not give its rows, but those at the
        other end.
        """
        if self.limit is not None:
            raise QueryRefused(
                f"backwards: wanted a read without a limit, got one of at most {counted(self.limit, 'row')}, which "
                "would give the rows of the other end: call backwards() before limit(...), or take these rows "
                "as a list and turn that round, rows[::-1]"
            )
        return evolve(self, backwards=not self.backwards)

    def after(self, key: bytes) -> "ReadPlan":
        """What is left of the read once the row of ``key`` has come, in the read's own order.

        Ranges that are joined IN_TURN or MERGED must not overlap. Raises
        :class:`QueryRefused` for a key that lies in no range.
        """
        at = next((index for index, span in enumerate(self.ranges) if span.holds(key)), None)
        if at is None:
            raise QueryRefused(f"wanted a key in the ranges of the read, got {shown(key)}")
        cuts = [self._cut(index, at, key) for index in range(len(self.ranges))]
        left = [index for index, span in enumerate(cuts) if span is not None and not span.empty]
        return evolve(
            self,
            ranges=tuple(span for span in cuts if span is not None and not span.empty),
            leads=tuple(self.leads[index] for index in left) if self.leads else (),
        )

    def _cut(self, index: int, at: int, key: bytes) -> RowRange | None:
        """What is left of one range once ``key``, of the range ``at``, has come; None where nothing is."""
        span = self.ranges[index]
        earlier = index > at if self.backwards else index < at
        if self.joined is Joined.IN_TURN and index != at:
            return None if earlier else span
        if self.joined is Joined.MERGED:
            key = span.start[: self.leads[index]] + key[self.leads[at] :]
        # Of rows that are equal but for the salt, the one of the earlier range has come before.
        come = earlier or index == at or self.joined is Joined.KEY_ORDER
        if self.backwards:
            return span.before(key if come else key + b"\0")
        return span.since(key + b"\0" if come else key)

    @property
    def parts(self) -> tuple["ReadPlan", ...]:
        """The reads that it is made of, each of which gives its rows in the order of their keys."""
        if self.joined is Joined.KEY_ORDER:
            return (self,)
        ranges = self.ranges[::-1] if self.backwards and self.joined is Joined.IN_TURN else self.ranges
        return tuple(evolve(self, ranges=(span,), joined=Joined.KEY_ORDER, leads=()) for span in ranges)

    def __str__(self) -> str:
        lines = [f"table   {self.table}"]
        lines += [f"rows    {span}" for span in self.ranges] or ["rows    none: the range is empty"]
        lines += [f"joined  {self.joined.value}"] if self.joined is not Joined.KEY_ORDER else []
        lines += [f"filter  {self.filter or 'none'}"]
        lines += [f"limit   {counted(self.limit, 'row')}"] if self.limit is not None else []
        lines += ["order   from the last row to the first"] if self.backwards else []
        return printable("\n".join(lines))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows."""
        printer.text(str(self))
