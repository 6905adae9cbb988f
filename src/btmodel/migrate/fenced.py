"""Rows and progress that a run writes for as long as it has the lease, and not a moment longer.

A run may be paused at any point, and go on when another has taken its lease. So the lease is looked at right before each
request, also one that is made again, which may take no longer than the lease lasts. The service has no write to many rows that
depends on another row: a run that is paused between that look and the sending of the request still sends that one, of at most one batch,
once it goes on. Progress is held against the row in which it is recorded as well, in one step: a run takes over what
another has recorded, and from then on nothing that the other one records is taken any more.
"""

from collections.abc import Callable, Generator, Iterable

from attrs import evolve, frozen

from btmodel.migrate.books import Books
from btmodel.migrate.data import Row, Rows
from btmodel.migrate.journal import Reached
from btmodel.migrate.lease import LeaseLost
from btmodel.rows import Mutation, ReadPlan


@frozen
class FencedRows:
    """The rows of an instance, written while the lease of ``books`` is held; raises :class:`LeaseLost` else.

    Of a run that is paused, no more than one request comes late.
    """

    rows: Rows
    books: Books

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        """The rows of ``plan``."""
        return self.rows.read(plan)

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        """Apply the mutations; whatever the ``permit`` is, the lease's counts."""
        self.books.check()
        held = self.books.held
        return self.rows.write_many(table, mutations, permit=permit if held is None else held.left)


@frozen
class FencedProgress:
    """The progress of steps, recorded while the lease of ``books`` is held; raises :class:`LeaseLost` else.

    Without a lease it is recorded as it is: who goes without sees to it that nobody else is at it.
    """

    books: Books

    def progress(self, step: str) -> Reached | None:
        """How far ``step`` has come, taken over from whoever recorded it; None where it begins."""
        there = self.books.journal.progress(step)
        if self.books.held is not None:
            there = Reached(b"", 0) if there is None else there
            there = self._swap(step, there, there)
        return there or None

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record how far ``step`` has come, which this run has taken over before."""
        if self.books.held is None:
            self.books.journal.record_progress(step, reached)
        else:
            self._swap(step, evolve(reached, run=self.books.held.id), reached)

    def _swap(self, step: str, old: Reached, new: Reached) -> Reached:
        held = self.books.held
        assert held is not None
        held.check()
        mine = evolve(new, run=held.id)
        if not self.books.journal.swap_progress(step, old, mine):
            raise LeaseLost(f"another run has taken over {step}")
        return mine
