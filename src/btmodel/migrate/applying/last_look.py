"""The last look before a drop: what was written to a table while it was compared, and since, is compared by itself."""

from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import islice

from attrs import evolve, frozen

from btmodel.migrate.data.walks import BATCH_ROWS, PassedRows, Row, whole
from btmodel.rows import Chain, FirstCells, ReadPlan, RowRange, Times, WithoutValues

_ALL = (RowRange(b"", b""),)


@frozen
class RecentRows(PassedRows):
    """Access to rows for which a walk over all of ``table`` finds those alone that have a cell with a time from ``since`` on, in microseconds."""

    table: str
    since: int

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        """The rows of ``plan``."""
        if plan.table != self.table or plan.ranges != _ALL:
            yield from self.rows.read(plan)
            return
        keys = self._keys()
        while some := tuple(RowRange.of_key(key) for key in islice(keys, BATCH_ROWS)):
            yield from self.rows.read(evolve(plan, ranges=some))

    def has_any(self) -> bool:
        """Whether there is such a row. Raises :class:`btmodel.errors.ServerError`."""
        return any(True for _ in self._keys())

    def _keys(self) -> Iterator[bytes]:
        recent = Chain((Times(self.since, 0), FirstCells(1), WithoutValues()))
        with closing(self.rows.read(whole(self.table, recent))) as rows:
            for key, _ in rows:
                yield key
