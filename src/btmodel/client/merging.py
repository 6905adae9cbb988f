"""Rows of several reads, merged in the order of their keys without the leads."""

from bisect import insort
from typing import Generic, TypeVar

from attrs import Factory, define

from btmodel.client.streams import RowBatch
from btmodel.rows import ReadPlan

T = TypeVar("T")


@define
class Merging(Generic[T]):
    """The reads that ``plan`` is made of, as far as they have come: a batch of each is held.

    Of rows whose keys differ in nothing but the lead, that of the earlier part comes first;
    backwards, last.
    """

    _plan: ReadPlan
    _held: dict[int, tuple[RowBatch[T], int]] = Factory(dict)  # of each part, and how far it was given
    _heads: list[tuple[bytes, int]] = Factory(list)  # keys without leads, sorted
    _given: int = 0

    def put(self, part: int, batch: RowBatch[T] | None) -> None:
        """Take in the next rows of a part, None where it has ended."""
        if batch is not None:
            self._hold(part, batch, 0)

    def next_rows(self) -> tuple[RowBatch[T], int | None]:
        """The rows that come next, and the part that must be read on then; None at the end."""
        keys: list[bytes] = []
        rows: list[T] = []
        first = -1 if self._plan.backwards else 0
        while self._heads:
            _, part = self._heads.pop(first)
            batch, at = self._held[part]
            # Where no other part has rows left, all of this one follow.
            end = at + 1 if self._heads else len(batch.keys)
            if self._plan.limit is not None:
                end = min(end, at + self._plan.limit - self._given)
            keys += batch.keys[at:end]
            rows += batch.rows[at:end]
            self._given += end - at
            if self._given == self._plan.limit:
                break
            if end == len(batch.keys):
                return RowBatch(keys, rows), part
            self._hold(part, batch, end)
        return RowBatch(keys, rows), None

    def _hold(self, part: int, batch: RowBatch[T], at: int) -> None:
        self._held[part] = batch, at
        insort(self._heads, (batch.keys[at][self._plan.leads[part] :], part))
