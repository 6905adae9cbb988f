"""Walks over all rows of a table that continue after a kill."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Protocol

from attrs import evolve, frozen

from btmodel.migrate.history import Reached
from btmodel.migrate.history.lock import Books, LockLost
from btmodel.rows import Cell, Mutation, ReadPlan, RowRange
from btmodel.rows.filters import Filter

Row = tuple[bytes, list[Cell]]
# Told how many rows were dealt with so far, and the key of the last one.
Progress = Callable[[int, bytes], None]

# Rows that are dealt with, written and recorded at a time: what a killed walk does again.
BATCH_ROWS = 500
BATCH_BYTES = 4 * 1024 * 1024


class Recorded(Protocol):
    """Where the progress of steps is recorded: a migration history, or a part of one."""

    def progress(self, step: str) -> Reached | None:
        """How far ``step`` has come; None where it begins."""
        ...

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record how far ``step`` has come."""
        ...


class Rows(Protocol):
    """What a migration of data needs of a connection; each method raises :class:`btmodel.errors.ServerError`."""

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        """The rows of ``plan``, in the order of their keys."""
        ...

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        """Apply the mutations, each row atomic on its own.

        ``permit`` is called right before each request, and gives the seconds that it may take; what it raises ends the write.
        """
        ...


def walk(
    db: Rows,
    history: Recorded,
    step: str,
    table: str,
    work: Callable[[Sequence[Row]], int],
    *,
    filter: Filter | None = None,
    code: str = "",
    progress: Progress = lambda rows, key: None,
) -> Reached:
    """Give all rows of ``table`` to ``work``, a batch at a time, and return how far it has come, in this and earlier runs.

    ``work`` returns of how many of its rows it wrote something. How far it has come is recorded in ``history`` as the progress of ``step`` once ``work`` is done
    with a batch, with the checksum of its ``code``; a walk of the same step goes on after it, so ``work`` sees a batch again where
    it was killed before that. The caller ends the progress, once it has recorded what the walk was for.
    """
    done = history.progress(step)
    rest = RowRange(done.key + b"\0" if done else b"", b"")
    reached = evolve(done or Reached(b"", 0), code=code)
    with closing(db.read(ReadPlan(table, (rest,), filter))) as rows:
        for batch in _batches(rows):
            written = work(batch)
            last = batch[-1][0]
            reached = Reached(last, reached.rows + len(batch), code, written=reached.written + written)
            history.record_progress(step, reached)
            progress(reached.rows, last)
    return reached


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """The rows in batches that are bounded in rows and, but for one large row, in bytes."""
    for first in rows:
        batch, size = [first], _size(first)
        for row in islice(rows, BATCH_ROWS - 1):
            batch.append(row)
            size += _size(row)
            if size > BATCH_BYTES:
                break
        yield batch


def _size(row: Row) -> int:
    return sum(len(cell.qualifier) + len(cell.value) for cell in row[1])


# A run may be paused at any point, and go on when another has taken its lock. So the lock is looked at right before each
# request, also one that is made again, which may take no longer than the lock lasts. The service has no write to many rows that
# depends on another row: a run that is paused between that look and the sending of the request still sends that one, of at most one batch,
# once it goes on. Progress is compared with the row in which it is recorded as well, in one step: a run takes over what
# another has recorded, and from then on nothing that the other one records is taken any more.


@frozen
class FencedRows:
    """The rows of an instance, written while the lock of ``books`` is held; raises :class:`LockLost` else.

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
        """Apply the mutations; whatever the ``permit`` is, the lock's counts."""
        self.books.check()
        held = self.books.held
        return self.rows.write_many(table, mutations, permit=permit if held is None else held.left)


@frozen
class FencedProgress:
    """The progress of steps, recorded while the lock of ``books`` is held; raises :class:`LockLost` else.

    Without a lock it is recorded as it is: the user sees to it that no other run is at it.
    """

    books: Books

    def progress(self, step: str) -> Reached | None:
        """How far ``step`` has come, taken over from whoever recorded it; None where it begins."""
        there = self.books.history.progress(step)
        if self.books.held is not None:
            there = Reached(b"", 0) if there is None else there
            there = self._swap(step, there, there)
        return there or None

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record how far ``step`` has come, which this run has taken over before."""
        if self.books.held is None:
            self.books.history.record_progress(step, reached)
        else:
            self._swap(step, evolve(reached, run=self.books.held.id), reached)

    def _swap(self, step: str, old: Reached, new: Reached) -> Reached:
        held = self.books.held
        assert held is not None
        held.check()
        mine = evolve(new, run=held.id)
        if not self.books.history.swap_progress(step, old, mine):
            raise LockLost(f"another run has taken over {step}")
        return mine
