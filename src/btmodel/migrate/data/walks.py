"""Walking through the rows of a table in the order of their keys, so that a walk that is killed goes on."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Protocol

from btmodel.migrate.journal import Reached
from btmodel.rows import Cell, Mutation, ReadPlan, RowRange
from btmodel.rows.filters import Filter

Row = tuple[bytes, list[Cell]]
# Told how many rows were dealt with so far, and the key of the last one.
Progress = Callable[[int, bytes], None]

# Rows that are dealt with, written and recorded at a time: what a killed walk does again.
BATCH_ROWS = 500
BATCH_BYTES = 4 * 1024 * 1024


class Recorded(Protocol):
    """Where the progress of steps is recorded: a journal, or a part of one."""

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
    journal: Recorded,
    step: str,
    table: str,
    work: Callable[[Sequence[Row]], None],
    *,
    filter: Filter | None = None,
    code: str = "",
    progress: Progress = lambda rows, key: None,
) -> int:
    """Give all rows of ``table`` to ``work``, a batch at a time, and return how many there were, in this and earlier runs.

    How far it has come is recorded in ``journal`` as the progress of ``step`` once ``work`` is done
    with a batch, with the checksum of its ``code``; a walk of the same step goes on behind it, so ``work`` sees a batch again where
    it was killed before that. The caller ends the progress, once he has recorded what the walk was for.
    """
    done = journal.progress(step)
    rest = RowRange(done.key + b"\0" if done else b"", b"")
    count = done.rows if done else 0
    with closing(db.read(ReadPlan(table, (rest,), filter))) as rows:
        for batch in _batches(rows):
            work(batch)
            count += len(batch)
            last = batch[-1][0]
            journal.record_progress(step, Reached(last, count, code))
            progress(count, last)
    return count


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
