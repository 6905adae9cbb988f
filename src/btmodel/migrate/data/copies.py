"""Copying the cells of a family, or the rows of a table, to another, and telling whether all of it is there.

A copy is what a renaming comes to: Bigtable renames neither tables nor families. Cells keep their
timestamps, so copying again changes nothing; and writers go on meanwhile, so what is copied is
compared, until nothing is found that differs.
"""

from bisect import bisect_left
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta

from attrs import evolve, field, frozen

from btmodel.counted import counted
from btmodel.migrate.data.walks import Progress, Recorded, Row, Rows, walk
from btmodel.migrate.journal.protocol import copy_step
from btmodel.rows import Cell, Families, Mutation, ReadPlan, RowRange
from btmodel.rows.clock import now_micros
from btmodel.rows.mutations import shown_bytes
from btmodel.schema import GcRule

# Cells that one mutation of a row sets; the service takes 100,000, and a request has a size, too.
_CELLS = 10_000
_SHOWN = 3


@frozen
class Copy:
    """From where to where cells are copied.

    ``families`` are those of the old table that are copied, each with its id in the new one; the tables
    are the same where a family is renamed. ``rules`` are the GC rules of the new families, by their ids: what
    they delete is not missed.
    """

    old_table: str
    new_table: str
    families: Mapping[str, str]
    rules: Mapping[str, GcRule | None] = field(factory=dict)

    @property
    def step(self) -> str:
        """The name of its progress: ``copy QUOTE.MD to QUOTE.market``, or of tables alone."""
        if self.old_table != self.new_table:
            return copy_step(self.old_table, self.new_table)
        [(old, new)] = self.families.items()
        return copy_step(f"{self.old_table}.{old}", f"{self.new_table}.{new}")

    def missing(self, old: Sequence[Cell], new: Sequence[Cell]) -> list[Cell]:
        """The cells of a row that should be in the new place, with their new families, and are not there.

        A cell of the same column and time with another value counts as missing; one that the GC rule
        of its new family would delete, beside those that are there, does not.
        """
        there = {cell[:3]: cell.value for cell in new}
        wanted = [
            evolve_family(cell, self.families[cell.family]) for cell in old if cell.family in self.families
        ]
        lacking = [cell for cell in wanted if there.get(cell[:3]) != cell.value]
        return list(self._kept(lacking, [*wanted, *new])) if lacking else lacking

    def _kept(self, cells: Sequence[Cell], beside: Sequence[Cell]) -> Iterator[Cell]:
        found: dict[tuple[str, bytes], set[int]] = {}
        for cell in beside:
            found.setdefault(cell[:2], set()).add(cell.timestamp)
        columns = {column: sorted(times) for column, times in found.items()}
        now = now_micros()
        for cell in cells:
            rule = self.rules.get(cell.family)
            times = columns[cell[:2]]
            rank = len(times) - bisect_left(times, cell.timestamp)
            age = timedelta(microseconds=max(now - cell.timestamp, 0))
            if rule is None or not rule.deletes(age, rank):
                yield cell


@frozen
class Difference:
    """What the new place lacks: how many cells in how many rows, the first few, and how many are of late."""

    rows: int = 0
    cells: int = 0
    first: tuple[str, ...] = ()
    late: int = 0

    def __bool__(self) -> bool:
        return self.cells > 0

    def __str__(self) -> str:
        return (
            f"{counted(self.cells, 'cell')} in {counted(self.rows, 'row')}, such as {'; '.join(self.first)}"
        )

    def with_row(self, key: bytes, cells: Sequence[Cell], late: int = 0) -> "Difference":
        """The difference with a row of which ``cells`` are missing, some of which are ``late``."""
        first = self.first
        if len(first) < _SHOWN:
            one = cells[0]
            column = f"{one.family}:{shown_bytes(one.qualifier)}"
            first = (*first, f"{shown_bytes(key)} {column} of {one.time:%Y-%m-%dT%H:%M:%S.%f}Z")
        return evolve(
            self, rows=self.rows + 1, cells=self.cells + len(cells), first=first, late=self.late + late
        )


def copy(db: Rows, journal: Recorded, what: Copy, progress: Progress = lambda rows, key: None) -> int:
    """Copy all cells that the new GC rules keep, from where an earlier copy was killed, and return how many rows both read.

    Its progress stays recorded until the caller ends it. Raises :class:`btmodel.errors.ServerError`.
    """

    def write(batch: Sequence[Row]) -> None:
        moved = ((key, what.missing(cells, ())) for key, cells in batch)
        db.write_many(what.new_table, _mutations(what.new_table, moved))

    return walk(
        db,
        journal,
        what.step,
        what.old_table,
        write,
        filter=Families(tuple(what.families)),
        progress=progress,
    )


def compare(
    db: Rows,
    what: Copy,
    *,
    mend: bool = False,
    since: datetime | None = None,
    progress: Progress = lambda rows, key: None,
) -> Difference:
    """What of the old place is not in the new one; where ``mend`` is true, it is copied as it is found.

    Cells with times from ``since`` on count as late. Both are read once, side by side, in the order of their keys. Raises :class:`btmodel.errors.ServerError`.
    """
    found = Difference()
    pending: list[tuple[bytes, list[Cell]]] = []
    for count, (key, old, new) in enumerate(_side_by_side(db, what), 1):
        missing = what.missing(old, new)
        if missing:
            late = 0 if since is None else sum(cell.time >= since for cell in missing)
            found = found.with_row(key, missing, late)
            pending.append((key, missing))
        if count % 1_000 == 0:
            progress(count, key)
        if mend and len(pending) == 500:
            db.write_many(what.new_table, _mutations(what.new_table, iter(pending)))
            pending = []
    if mend and pending:
        db.write_many(what.new_table, _mutations(what.new_table, iter(pending)))
    return found


def _side_by_side(db: Rows, what: Copy) -> Iterator[tuple[bytes, list[Cell], list[Cell]]]:
    """Each row of the old place, with its cells there and in the new place."""
    everything = (RowRange(b"", b""),)
    if what.old_table == what.new_table:
        both = Families((*what.families, *what.families.values()))
        with closing(db.read(ReadPlan(what.old_table, everything, both))) as rows:
            for key, cells in rows:
                old = [cell for cell in cells if cell.family in what.families]
                if old:
                    yield key, old, [cell for cell in cells if cell.family not in what.families]
        return
    old_plan = ReadPlan(what.old_table, everything, Families(tuple(what.families)))
    new_plan = ReadPlan(what.new_table, everything, Families(tuple(what.families.values())))
    with closing(db.read(old_plan)) as olds, closing(db.read(new_plan)) as news:
        yield from _joined(olds, news)


def _joined(
    olds: Generator[Row, None, None], news: Generator[Row, None, None]
) -> Iterator[tuple[bytes, list[Cell], list[Cell]]]:
    new = next(news, None)
    for key, cells in olds:
        while new is not None and new[0] < key:
            new = next(news, None)
        yield key, cells, new[1] if new is not None and new[0] == key else []


def evolve_family(cell: Cell, family: str) -> Cell:
    """``cell`` in another family."""
    return cell._replace(family=family)


def _mutations(table: str, rows: Iterator[tuple[bytes, list[Cell]]]) -> Iterator[Mutation]:
    for key, cells in rows:
        for start in range(0, len(cells), _CELLS):
            yield Mutation(table, key, cells[start : start + _CELLS])
