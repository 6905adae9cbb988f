"""Rehearse work on rows: read a sample of a table, let the work run on it elsewhere, and count what it does."""

import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import Protocol

from attrs import define, evolve, field, frozen

from btmodel.migrate.data.walks import Recorded, Row, RowAccess, whole
from btmodel.migrate.history import Reached
from btmodel.rows import Cell, Conditional, Mutation, ReadPlan, RowRange
from btmodel.rows.filters import Chain, FirstCells, WithoutValues
from btmodel.schema.limits import NODE_ROW_WRITES, NODE_SCAN_BYTES, TIMESTAMP_BYTES

# Rows of a sample, their bytes, and the places of the table from which they come.
_ROWS, _BYTES, _PLACES = 2_000, 32 * 2**20, 8
# Tables of up to so many bytes are counted, key by key, which takes the service less than a second.
_COUNTED = 64 * 2**20
# A row that is so many times as large as the mean of at least so many others, and has at least such a part of all their bytes, says nothing of rows in general.
_LARGER, _OTHERS, _PART = 10, 10, 0.1
# Reads of one row, of which the fastest says how long the instance takes to answer.
_ANSWERS = 3


class SampledRows(RowAccess, Protocol):
    """Rows of an instance whose tables can be sampled."""

    def samples(self, table: str) -> list[tuple[bytes, int]]:
        """Keys of ``table`` in order, each with the bytes in front of it; the last one is empty, and ends the table."""
        ...


def cell_bytes(cell: Cell) -> int:
    """The bytes of a cell: its family, its qualifier, its timestamp and its value."""
    return len(cell.family) + len(cell.qualifier) + TIMESTAMP_BYTES + len(cell.value)


def _row_bytes(row: Row) -> int:
    return len(row[0]) + sum(map(cell_bytes, row[1]))


@frozen
class RowSample:
    """Some rows of a table, and how many ``rows`` it has: exactly, or about as many.

    ``answer`` is how many seconds the instance takes to answer a small read. ``huge`` are the keys and bytes of rows that were read and are not ``taken``, as all figures would
    follow from them.
    """

    taken: tuple[Row, ...] = ()
    rows: int = 0
    exact: bool = True
    answer: float = 0.0
    huge: tuple[tuple[bytes, int], ...] = ()

    @classmethod
    def of(cls, db: SampledRows, table: str, progress: Callable[[int], None]) -> "RowSample":
        """Sample ``table``: its keys, and up to 2,000 rows from eight places. Raises :class:`btmodel.errors.ServerError`."""
        samples = db.samples(table)
        keys = [b"", *(key for key, _ in samples if key)]
        starts = keys[:: -(-len(keys) // _PLACES)]
        most = _ROWS // len(starts)
        taken: list[Row] = []
        whole = True
        for start, end in zip(starts, [*starts[1:], b""], strict=True):
            part, ended = _first(db, table, RowRange(start, end), most, _BYTES // len(starts))
            taken += part
            whole = whole and ended and len(part) < most
            progress(len(taken))
        if whole:
            return cls(tuple(taken), len(taken), True, _answer(db, table, taken))
        usual, huge = _without_huge(taken)
        stored, size = samples[-1][1] if samples else 0, sum(map(_row_bytes, usual))
        exact = stored <= _COUNTED
        rest = stored - sum(bytes for _, bytes in huge)
        rows_there = _count(db, table) if exact else round(max(rest / size, 1) * len(usual)) + len(huge)
        return cls(tuple(usual), rows_there, exact, _answer(db, table, usual), huge)


def _without_huge(rows: list[Row]) -> tuple[list[Row], tuple[tuple[bytes, int], ...]]:
    """The ``rows`` without those that say nothing of the others, and the keys and bytes of these."""
    sizes = {key: _row_bytes((key, cells)) for key, cells in rows}
    huge: list[tuple[bytes, int]] = []
    total = sum(sizes.values())
    for key in sorted(sizes, key=lambda key: -sizes[key]):
        size, others = sizes[key], len(rows) - len(huge) - 1
        usual = (total - size) / others if others else size
        if others < _OTHERS or size < _LARGER * usual or size < _PART * total:
            break
        huge.append((key, size))
        total -= size
    left_out = dict(huge)
    return [row for row in rows if row[0] not in left_out], tuple(huge)


def _first(db: RowAccess, table: str, range: RowRange, rows: int, most: int) -> tuple[list[Row], bool]:
    """The first ``rows`` of a ``range`` of ``table`` up to ``most`` bytes, and whether these are all of them: one row that has most of these bytes is read beyond them."""
    found: list[Row] = []
    with closing(db.read(ReadPlan(table, (range,), None).limited(rows))) as there:
        left, may_pass = most, True
        for row in there:
            found.append(row)
            size = _row_bytes(row)
            if may_pass and size > most // 2:
                may_pass = False
                continue
            left -= size
            if left < 0:
                return found, False
    return found, True


def _count(db: RowAccess, table: str) -> int:
    """How many rows ``table`` has, by its keys."""
    keys_alone = Chain((FirstCells(1), WithoutValues()))
    with closing(db.read(whole(table, keys_alone))) as rows:
        return sum(1 for _ in rows)


def _answer(db: RowAccess, table: str, rows: list[Row]) -> float:
    taken = []
    for key, _ in rows[:_ANSWERS]:
        began = time.perf_counter()
        with closing(db.read(ReadPlan(table, (RowRange.of_key(key),), None))) as found:
            next(found, None)
        taken.append(time.perf_counter() - began)
    return min(taken, default=0.0)


@frozen
class MeasuredWork:
    """What is read and written in how many requests, and the seconds that this takes here."""

    rows_read: float = 0
    bytes_read: float = 0
    rows_written: float = 0
    bytes_written: float = 0
    requests: float = 0
    seconds: float = 0

    def plus(self, other: "MeasuredWork", times: float = 1) -> "MeasuredWork":
        """This work, and ``other`` so many ``times``; nothing of it falls below zero."""
        return MeasuredWork(
            max(self.rows_read + times * other.rows_read, 0),
            max(self.bytes_read + times * other.bytes_read, 0),
            max(self.rows_written + times * other.rows_written, 0),
            max(self.bytes_written + times * other.bytes_written, 0),
            max(self.requests + times * other.requests, 0),
            max(self.seconds + times * other.seconds, 0),
        )

    @property
    def node_seconds(self) -> float:
        """How long one node of the service is busy with it, by the figures that Google documents."""
        return self.bytes_read / NODE_SCAN_BYTES + self.rows_written / NODE_ROW_WRITES


@define
class _Counted:
    """Rows that count what is read and written; ``written`` has the tables."""

    rows: RowAccess
    work: MeasuredWork = MeasuredWork()
    written: set[str] = field(factory=set)

    def read(self, plan: ReadPlan) -> Generator[Row, None, None]:
        rows = size = 0
        try:
            with closing(self.rows.read(plan)) as found:
                for row in found:
                    rows += 1
                    size += _row_bytes(row)
                    yield row
        finally:
            self.work = self.work.plus(MeasuredWork(rows_read=rows, bytes_read=size, requests=1))

    def write_many(
        self, table: str, mutations: Iterable[Mutation], *, permit: Callable[[], float] | None = None
    ) -> int:
        sent = list(mutations)
        self._count(sent)
        return self.rows.write_many(table, sent, permit=permit)

    def write_if(self, conditional: Conditional) -> bool:
        self._count([conditional.mutation])
        return self.rows.write_if(conditional)

    def _count(self, sent: list[Mutation]) -> None:
        self.written |= {mutation.table for mutation in sent}
        size = sum(len(mutation.key) + sum(map(cell_bytes, mutation.cells)) for mutation in sent)
        self.work = self.work.plus(MeasuredWork(rows_written=len(sent), bytes_written=size, requests=1))


@define
class _ProgressInMemory:
    """Progress that stays in memory; each record would be a request."""

    db: _Counted
    reached: dict[str, Reached] = field(factory=dict)

    def progress(self, step: str) -> Reached | None:
        return self.reached.get(step)

    def sections(self, step: str) -> dict[str, Reached]:
        return {}

    def record_progress(self, step: str, reached: Reached) -> None:
        self.reached[step] = reached
        self.db.work = self.db.work.plus(MeasuredWork(requests=1))


@frozen
class Rehearsal:
    """What a run did on a sample: the ``walk`` over its rows, which an interrupted run goes on with, and what ``every`` run repeats.

    ``written`` has the tables to which it wrote.
    """

    walk: MeasuredWork
    every: MeasuredWork
    written: frozenset[str]


def rehearse(db: RowAccess, run: Callable[[RowAccess, Recorded], object]) -> Rehearsal:
    """Let ``run`` do its work on ``db``, which holds a sample, and then once more, when only what each run repeats is left.

    Raises what ``run`` raises.
    """
    counted = _Counted(db)
    progress = _ProgressInMemory(counted)
    whole = _measured(counted, progress, run)
    every = _measured(counted, progress, run)
    return Rehearsal(whole.plus(every, -1), every, frozenset(counted.written))


def _measured(
    db: _Counted, progress: _ProgressInMemory, run: Callable[[RowAccess, Recorded], object]
) -> MeasuredWork:
    db.work, began = MeasuredWork(), time.perf_counter()
    run(db, progress)
    return evolve(db.work, seconds=time.perf_counter() - began)
