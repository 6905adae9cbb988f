"""Resumable walks over all rows of a table."""

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from typing import Protocol

from attrs import evolve, frozen

from btmodel.migrate.history import Reached
from btmodel.migrate.history.lock import LockLost
from btmodel.migrate.history.run_record import RunRecord
from btmodel.rows import Cell, Conditional, Mutation, ReadPlan, RowRange
from btmodel.rows.filters import Filter

Row = tuple[bytes, list[Cell]]
# A cell of a table: row key, family, qualifier and timestamp.
Position = tuple[bytes, str, bytes, int]
Cells = dict[Position, bytes]
# Reads of a row that changes each time, under a step that writes it or its like; by then something else is wrong.
READS = 50
# Called with the number of rows handled so far, and the key of the last one.
Progress = Callable[[int, bytes], None]

# The rows that are processed, written and recorded together; an interrupted walk repeats them.
BATCH_ROWS = 500
BATCH_BYTES = 4 * 1024 * 1024


class Recorded(Protocol):
    """A place to record the progress of steps: a migration history, or a part of one."""

    def progress(self, step: str) -> Reached | None:
        """The progress of ``step``; None if it has not begun."""
        ...

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record the progress of ``step``."""
        ...

    def sections(self, step: str) -> Mapping[str, Reached]:
        """The progress of the sections of ``step``, by name."""
        ...


class RowAccess(Protocol):
    """The access to rows that migrations of data need; each method raises :class:`btmodel.errors.ServerError`."""

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        """The rows of ``plan``, in the order of their keys."""
        ...

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        """Apply the mutations, each row atomically, and return how many.

        ``permit`` is called right before each request, and returns the seconds that it may take. If it raises, the
        write ends.
        """
        ...

    def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds, and return whether it did."""
        ...


def walk(
    db: RowAccess,
    history: Recorded,
    step: str,
    table: str,
    work: Callable[[Sequence[Row]], int],
    *,
    filter: Filter | None = None,
    code: str = "",
    progress: Progress = lambda rows, key: None,
    adds: Callable[[], bool] = lambda: False,
) -> Reached:
    """Call ``work`` with all rows of ``table`` in batches, and return how far this and earlier runs have come.

    ``work`` returns the number of its rows for which it wrote something. After each batch, the progress is recorded
    in ``history`` under ``step`` with the checksum ``code``, and a later walk of the same step resumes there. So
    ``work`` sees a batch again if it was interrupted before the record. ``adds`` says whether it has added to aggregates. The caller removes the progress once it has
    recorded the result of the walk.
    """
    done = history.progress(step)
    rest = RowRange(done.key + b"\0" if done else b"", b"")
    reached = evolve(done or Reached(b"", 0), code=code)
    with closing(db.read(ReadPlan(table, (rest,), filter))) as rows:
        for batch in batches(rows):
            written = work(batch)
            last = batch[-1][0]
            reached = Reached(
                last,
                reached.rows + len(batch),
                code,
                written=reached.written + written,
                adds=reached.adds or adds(),
            )
            history.record_progress(step, reached)
            progress(reached.rows, last)
    return reached


def whole(table: str, filter: Filter | None = None) -> ReadPlan:
    """A read of all rows of ``table``."""
    return ReadPlan(table, (RowRange(b"", b""),), filter)


def read_keys(db: RowAccess, table: str, keys: Collection[bytes]) -> list[Row]:
    """The rows of ``table`` with these keys that are there."""
    if not keys:
        return []
    plan = ReadPlan(table, tuple(map(RowRange.of_key, sorted(keys))), None)
    with closing(db.read(plan)) as rows:
        return list(rows)


def seen_batches(db: RowAccess, plan: ReadPlan, progress: Progress) -> Generator[list[Row], None, None]:
    """The rows of ``plan`` in batches; ``progress`` is called when the next one is asked for."""
    seen = 0
    with closing(db.read(plan)) as rows:
        for batch in batches(rows):
            yield batch
            seen += len(batch)
            progress(seen, batch[-1][0])


def batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    """The rows in batches of limited row count and size; a single larger row is a batch of its own."""
    for first in rows:
        batch, size = [first], size_of(first)
        for row in islice(rows, BATCH_ROWS - 1):
            batch.append(row)
            size += size_of(row)
            if size > BATCH_BYTES:
                break
        yield batch


def size_of(row: Row) -> int:
    """The bytes of its qualifiers and values."""
    return sum(len(cell.qualifier) + len(cell.value) for cell in row[1])


# A run may be paused at any point, and resume when another run has its lock. So the lock is checked right before each
# request and each retry, and a request may take no longer than the lock lasts. The service cannot make a write to many
# rows depend on another row: a run that is paused between the check and the request still sends that request, of at most
# one batch, when it resumes. Progress is swapped atomically with the row in which it is recorded: once a run has taken
# over the progress of another, nothing that the other one records is accepted.


@frozen
class PassedRows:
    """The base of access to rows that passes calls on to other ``rows``, and changes some of them on the way."""

    rows: RowAccess

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        """The rows of ``plan``."""
        return self.rows.read(plan)

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        """Apply the mutations."""
        return self.rows.write_many(table, mutations, permit=permit)

    def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds."""
        return self.rows.write_if(conditional)


@frozen
class FencedRows(PassedRows):
    """Rows that can be written only while the lock of ``run_record`` is held; raises :class:`LockLost` otherwise.

    A paused run sends at most one request too late.
    """

    run_record: RunRecord

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        """Apply the mutations; the lock replaces ``permit``."""
        self.run_record.check()
        held = self.run_record.held
        return self.rows.write_many(table, mutations, permit=permit if held is None else held.left)

    def write_if(self, conditional: Conditional) -> bool:
        """Apply a mutation if its condition holds."""
        self.run_record.check()
        return self.rows.write_if(conditional)


@frozen
class FencedProgress:
    """Progress that can be recorded only while the lock of ``run_record`` is held, and no other run has taken it over; raises :class:`LockLost` otherwise.

    Without a lock, the user makes sure that no other run is active.
    """

    run_record: RunRecord

    def progress(self, step: str) -> Reached | None:
        """The progress of ``step``, which this run takes over; None if it has not begun."""
        there = self.run_record.history.progress(step)
        if self.run_record.held is not None:
            there = Reached(b"", 0) if there is None else there
            there = self._swap(step, there, there)
        return there or None

    def record_progress(self, step: str, reached: Reached) -> None:
        """Record the progress of ``step``, which this run has taken over."""
        if self.run_record.held is None:
            self.run_record.history.record_progress(step, reached)
        else:
            self._swap(step, evolve(reached, run=self.run_record.held.id), reached)

    def sections(self, step: str) -> Mapping[str, Reached]:
        """The progress of its sections, whichever run has them."""
        return self.run_record.history.sections(step)

    def _swap(self, step: str, old: Reached, new: Reached) -> Reached:
        held = self.run_record.held
        assert held is not None
        mine = evolve(new, run=held.id)
        if not self.run_record.history.swap_progress(step, old, mine):
            raise LockLost(f"another run has taken over {step}")
        return mine
