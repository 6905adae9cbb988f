"""Reads in parallel: a read cut into parts that are asked for at the same time."""

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from btmodel.errors import QueryRefused
from btmodel.rows.ranges import RowRange
from btmodel.rows.read import Joined, ReadPlan

MOST_WORKERS = 64


@frozen
class Parallel:
    """How a read goes on in parallel: at most ``workers`` parts at once.

    ``ordered`` is whether rows come in the order of the read, or as they arrive.
    """

    workers: int
    ordered: bool

    def __attrs_post_init__(self) -> None:
        if type(self.workers) is not int or not 1 <= self.workers <= MOST_WORKERS:
            raise QueryRefused(f"parallel: wanted from 1 to {MOST_WORKERS} workers, got {self.workers!r}")

    @property
    def unordered(self) -> "Parallel":
        """The same, with what comes given as it arrives."""
        return evolve(self, ordered=False)

    def check(self, plan: ReadPlan) -> None:
        """Raise :class:`QueryRefused` for a read of which the rows could not be told."""
        if self.ordered and plan.joined is not Joined.KEY_ORDER:
            raise QueryRefused(
                "parallel: this read merges the parts of a salted table in their order, and reads them at once "
                "as it is; with ordered=False its rows come as they arrive"
            )
        if not self.ordered and plan.limit is not None:
            raise QueryRefused(
                "parallel: wanted a read without a limit, as rows come in no order and its limit would leave it to "
                "chance which of them do: leave out ordered=False, or stop the loop yourself"
            )

    def parts(self, plan: ReadPlan, splits: Iterable[bytes]) -> list[ReadPlan]:
        """The reads that ``plan`` is cut into at the keys ``splits``, in its order; those without rows are left out."""
        whole = evolve(plan, joined=Joined.KEY_ORDER, leads=())
        spans = (_within(plan.ranges, section) for section in _sections(splits))
        parts = [evolve(whole, ranges=ranges) for ranges in spans if ranges]
        return parts[::-1] if plan.backwards else parts


def _sections(splits: Iterable[bytes]) -> Iterator[RowRange]:
    """All keys, cut at ``splits``."""
    start = b""
    for key in sorted(set(splits) - {b""}):
        yield RowRange(start, key)
        start = key
    yield RowRange(start, b"")


def _within(ranges: Iterable[RowRange], section: RowRange) -> tuple[RowRange, ...]:
    cuts = (span.since(section.start) for span in ranges)
    found = (span.before(section.end) if section.end else span for span in cuts)
    return tuple(span for span in found if not span.empty)
