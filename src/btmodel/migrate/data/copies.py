"""Copy the cells of a family or the rows of a table, and compare both places.

Bigtable renames neither tables nor families, so a renaming is a copy. Cells keep their timestamps, so a repeated copy
changes nothing. Applications keep writing meanwhile, so the copy is compared until no difference is found.
"""

from bisect import bisect_left
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timedelta

from attrs import field, frozen

from btmodel.errors import LONGEST, shown
from btmodel.migrate.data.walks import Progress, Recorded, Row, RowAccess, walk, whole
from btmodel.migrate.history.records import copy_step
from btmodel.rows import Cell, Families, Mutation
from btmodel.rows.mutations import shown_bytes
from btmodel.schema import Family, GcRule, KeepAll
from btmodel.words import counted

# Cells that one mutation sets in a row; the service accepts 100,000, and the size of a request is limited too.
_CELLS = 10_000
_SHOWN = 3
# The service's time in microseconds since 1970, or earlier; None where it is unknown.
Clock = Callable[[], int | None]


def unknown() -> None:
    """A clock that does not know the time; no cell is left out because of its age."""


def keeps_less(new: Family, old: Family) -> bool:
    """Whether the GC rule of ``new`` deletes cells that the rule of ``old`` keeps."""
    return (new.gc or KeepAll()).compared_to(old.gc or KeepAll()).deletes_kept_cells


@frozen
class Copy:
    """What to copy, from where to where.

    ``families`` maps each family of the old table to its id in the new one; both tables are the same for a renamed
    family. ``rules`` are the GC rules of the new families, by id: cells that they delete are left out.
    """

    old_table: str
    new_table: str
    families: Mapping[str, str]
    rules: Mapping[str, GcRule | None] = field(factory=dict)

    @property
    def step(self) -> str:
        """The name of its progress record: ``copy QUOTE.MD to QUOTE.market``, or with tables only."""
        if self.old_table != self.new_table:
            return copy_step(self.old_table, self.new_table)
        [(old, new)] = self.families.items()
        return copy_step(f"{self.old_table}.{old}", f"{self.new_table}.{new}")

    def lacking(
        self, old: Sequence[Cell], new: Sequence[Cell], now: int | None
    ) -> tuple[list[Cell], list[Cell]]:
        """The cells of row ``old`` that its counterpart ``new`` lacks: those to copy, and those to leave out.

        A cell with the same column and time but another value counts as lacking. A cell is left out if the GC rule of
        its new family deletes it at the time ``now``, beside the cells that are there; without ``now``, none is left
        out because of its age.
        """
        there = {cell[:3]: cell.value for cell in new}
        wanted = {cell: self.moved(cell) for cell in old if cell.family in self.families}
        lacking = {cell: moved for cell, moved in wanted.items() if there.get(moved[:3]) != moved.value}
        if not lacking:
            return [], []
        deleted = self._deleted(lacking.values(), [*wanted.values(), *new], now)
        return [cell for cell, moved in lacking.items() if moved not in deleted], [
            cell for cell, moved in lacking.items() if moved in deleted
        ]

    def moved(self, cell: Cell) -> Cell:
        """``cell`` with the family of the new place."""
        return cell._replace(family=self.families[cell.family])

    def _deleted(self, cells: Iterable[Cell], beside: Sequence[Cell], now: int | None) -> set[Cell]:
        """The cells among ``cells`` that the GC rules of their families delete."""
        times_of: dict[tuple[str, bytes], set[int]] = {}
        for cell in beside:
            times_of.setdefault(cell[:2], set()).add(cell.timestamp)
        columns = {column: sorted(times) for column, times in times_of.items()}
        deleted: set[Cell] = set()
        for cell in cells:
            rule = self.rules.get(cell.family)
            times = columns[cell[:2]]
            rank = len(times) - bisect_left(times, cell.timestamp)
            age = timedelta(microseconds=0 if now is None else max(now - cell.timestamp, 0))
            if rule is not None and rule.deletes(age, rank):
                deleted.add(cell)
        return deleted


@frozen
class ExampleCells:
    """A count of cells and their rows, with the first few as examples."""

    rows: int = 0
    cells: int = 0
    first: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.cells > 0

    def __str__(self) -> str:
        return (
            f"{counted(self.cells, 'cell')} in {counted(self.rows, 'row')}, such as {'; '.join(self.first)}"
        )

    def with_row(self, key: bytes, cells: Sequence[Cell]) -> "ExampleCells":
        """This sample with the given cells of a row added."""
        if not cells:
            return self
        first = self.first
        if len(first) < _SHOWN:
            cell = cells[0]
            column = f"{cell.family}:{_short(cell.qualifier)}"
            first = (*first, f"{_short(key)} {column} of {cell.time:%Y-%m-%dT%H:%M:%S.%f}Z")
        return ExampleCells(self.rows + 1, self.cells + len(cells), first)

    def with_others(self, others: "ExampleCells") -> "ExampleCells":
        """This sample with the cells of another one added."""
        first = (*self.first, *others.first)[:_SHOWN]
        return ExampleCells(self.rows + others.rows, self.cells + others.cells, first)


def _short(raw: bytes) -> str:
    return shown_bytes(raw) if len(raw) <= LONGEST else shown(raw)


@frozen
class CopyDifference:
    """What the new place lacks: ``missing`` cells, some of them ``late``, those ``left_out`` as its GC rules delete them, and ``others``, which it has with another value at the same time."""

    missing: ExampleCells = ExampleCells()
    left_out: ExampleCells = ExampleCells()
    late: int = 0
    others: ExampleCells = ExampleCells()

    def __bool__(self) -> bool:
        return bool(self.missing or self.others)

    def __str__(self) -> str:
        return str(self.missing)


def copy(
    db: RowAccess,
    history: Recorded,
    what: Copy,
    progress: Progress = lambda rows, key: None,
    clock: Clock = unknown,
) -> int:
    """Copy all cells that the new GC rules keep, and return the number of rows with copied cells.

    An interrupted copy resumes after its recorded progress, and the result counts its rows too. ``clock`` gives the
    time for the GC rules. The progress stays recorded until the caller removes it. Raises
    :class:`btmodel.errors.ServerError`.
    """

    def write(batch: Sequence[Row]) -> int:
        kept = [(key, what.lacking(cells, (), clock())[0]) for key, cells in batch]
        db.write_many(what.new_table, _mutations(what, kept))
        return sum(bool(cells) for _, cells in kept)

    return walk(
        db,
        history,
        what.step,
        what.old_table,
        write,
        filter=Families(tuple(what.families)),
        progress=progress,
    ).written


def compare(
    db: RowAccess,
    what: Copy,
    *,
    fix: bool = False,
    since: datetime | None = None,
    progress: Progress = lambda rows, key: None,
    clock: Clock = unknown,
) -> CopyDifference:
    """Compare both places, and return what the new one lacks; with ``fix``, copy it on the way.

    Missing cells with timestamps from ``since`` on count as late. Cells that the new GC rules delete by ``clock`` are
    left out. Both places are read once, side by side, in key order. Raises :class:`btmodel.errors.ServerError`.
    """
    difference = CopyDifference()
    pending: list[tuple[bytes, list[Cell]]] = []
    for count, (key, old, new) in enumerate(_side_by_side(db, what), 1):
        missing, left_out = what.lacking(old, new, clock())
        if missing or left_out:
            late = 0 if since is None else sum(cell.time >= since for cell in missing)
            difference = CopyDifference(
                difference.missing.with_row(key, missing),
                difference.left_out.with_row(key, left_out),
                difference.late + late,
            )
        if missing:
            pending.append((key, missing))
        if count % 1_000 == 0:
            progress(count, key)
        if fix and len(pending) == 500:
            db.write_many(what.new_table, _mutations(what, pending))
            pending = []
    if fix and pending:
        db.write_many(what.new_table, _mutations(what, pending))
    return difference


def _side_by_side(db: RowAccess, what: Copy) -> Iterator[tuple[bytes, list[Cell], list[Cell]]]:
    """Each row of the old place with its cells there and in the new place."""
    if what.old_table == what.new_table:
        both = Families((*what.families, *what.families.values()))
        with closing(db.read(whole(what.old_table, both))) as rows:
            for key, cells in rows:
                old = [cell for cell in cells if cell.family in what.families]
                if old:
                    yield key, old, [cell for cell in cells if cell.family not in what.families]
        return
    old_plan = whole(what.old_table, Families(tuple(what.families)))
    new_plan = whole(what.new_table, Families(tuple(what.families.values())))
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


def _mutations(what: Copy, rows: Iterable[tuple[bytes, list[Cell]]]) -> Iterator[Mutation]:
    """The mutations that set cells of the old place in the new one."""
    for key, cells in rows:
        for start in range(0, len(cells), _CELLS):
            moved = [what.moved(cell) for cell in cells[start : start + _CELLS]]
            yield Mutation(what.new_table, key, moved)
