"""Reads as values: what a query asks of the server."""

from enum import Enum

from attrs import evolve, frozen

from btmodel.errors import QueryRefused
from btmodel.rows.filters import Filter
from btmodel.rows.ranges import RowRange


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
        return evolve(self, limit=limit)

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
        lines += [f"limit   {self.limit} rows"] if self.limit is not None else []
        lines += ["order   from the last row to the first"] if self.backwards else []
        return "\n".join(lines)

    def _repr_pretty_(self, printer: object, cycle: bool) -> None:
        """What a notebook shows."""
        printer.text(str(self))  # type: ignore[attr-defined]
