"""Rewrite cells in place: what a model reads in more than one way becomes what it writes.

Each value of a codec that is declared to read what it does not write, an ``Either`` or an enum that finds members for other values, is
written again, and its cell is rewritten where the bytes differ. A cell is rewritten at its own timestamp, and only if it is still as it was read and nothing has come to the place that it is
written to, in one atomic request of its row. So a cell that was written, deleted or replaced meanwhile stays as its writer
left it, and a run that is killed has rewritten each cell whole or not at all.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import Any, TypeVar

from attrs import frozen

from btmodel.declare import Fields, Model, codec_of, schema_of
from btmodel.errors import (
    DeclarationError,
    MigrationError,
    ValueRefused,
    refuse_no_number,
    shown,
)
from btmodel.migrate.data.sections import Spread
from btmodel.migrate.data.steps import DataStep, WrongRow
from btmodel.migrate.data.walks import READS, Progress, Recorded, Row, RowAccess, read_keys, walk, whole
from btmodel.migrate.history import Reached
from btmodel.rows import Cell, Conditional, Delete, Families, Mutation
from btmodel.rows.cells import MILLISECOND
from btmodel.rows.columns import ColumnCodec
from btmodel.rows.conditions import All, Found, Not, conditional
from btmodel.rows.filters import Chain, ExactValue, Filter, Qualifiers, Times, ValueEnds
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.schema.names import placeholders
from btmodel.words import counted

# A longer value is compared by its ends; the service takes conditions of up to 20 KiB.
_LONGEST, _END = 2_000, 1_000


@frozen
class OtherRows:
    """The rows of another ``model`` of the table: their keys, and the names of the cells that each of them has."""

    model: str
    keys: RowKeyCodec
    required: frozenset[str]

    def has(self, key: bytes, cells: Sequence[Cell]) -> bool:
        """Whether a row is one of them."""
        return self.keys.fits(key) and self.required <= {_cell_name(cell) for cell in cells}


def _cell_name(cell: Cell) -> str:
    return f"{cell.family}:{cell.qualifier.decode(errors='backslashreplace')}"


@frozen
class _Left:
    """How many rows are still as before, and the key of the first; of many rows, memory does not grow with them."""

    rows: int = 0
    first: bytes = b""


@frozen
class RewriteStep(DataStep):
    """The step of a revision that rewrites the cells of a model in place, and fills in columns that rows lack.

    ``requests`` are under way at a time: each rewrites one cell, and waits for the service. The rows of ``others`` stay as
    they are: those that the model cannot read, as their keys or the columns that they lack show, and one of the others can.
    """

    requests: int = 16
    others: tuple[OtherRows, ...] = ()

    def __attrs_post_init__(self) -> None:
        refuse_no_number("RewriteStep", "requests", self.requests, error=DeclarationError)

    def unspread(self, rows: RowAccess) -> str | None:
        """None: workers can run it."""
        return None

    def run(
        self,
        db: RowAccess,
        history: Recorded,
        name: str,
        progress: Progress = lambda rows, key: None,
        code: str = "",
        say: Callable[[str], None] = lambda words: None,
        allow: Collection[str] = (),
        spread: Spread | None = None,
    ) -> int:
        """Rewrite all rows, then read them once more; the number of rows that this and interrupted runs have seen.

        Raises :class:`MigrationError` if cells are left that something has written in the old way since, and
        :class:`btmodel.errors.ServerError`.
        """
        reached = self._over(db, history, name, progress, code, spread)
        left, others, lacking = self._left(db)
        if left.rows:
            history.record_progress(name, Reached(b"", 0, code))  # the next run begins with the first row
            raise MigrationError(
                f"{self.name}: {counted(left.rows, 'row')} of {self.table!r}, such as {shown(left.first)}, were written in the old way since: find out "
                "which process does that, and run this again"
            )
        if others:
            names = " and ".join(one.model for one in self.others)
            say(
                f"left {counted(others, 'row')} of {names} in {self.table} as {'it is' if others == 1 else 'they are'}"
            )
        say(f"rewrote {counted(reached.written, 'row')} of {self.table}; no row is left that needs it")
        if lacking:
            counts = ", ".join(f"{name} {count:,}" for name, count in sorted(lacking.items()))
            say(f"rows of {self.table} that lack optional columns: {counts}")
        return reached.rows

    def walked(
        self,
        db: RowAccess,
        history: Recorded,
        name: str,
        progress: Progress = lambda rows, key: None,
        code: str = "",
    ) -> Reached:
        """Rewrite all rows of ``db``, and return how far this and earlier runs have come."""

        def work(batch: Sequence[Row]) -> int:
            # A row that is refused is found before anything of its batch is written.
            needed = [(row, changes) for row in batch if (changes := self.changes(row))]
            if self.requests == 1:
                return sum(self._rewritten(db, *one) for one in needed)
            with ThreadPoolExecutor(self.requests) as requests:
                return sum(requests.map(lambda one: self._rewritten(db, *one), needed))

        return walk(db, history, name, self.table, work, code=code, progress=progress)

    def _left(self, db: RowAccess) -> tuple[_Left, int, Counter[str]]:
        """The rows that would have to be rewritten, the number of rows of other models, and of those that lack an optional column."""
        left, others, lacking = _Left(), 0, Counter[str]()
        with closing(db.read(whole(self.table))) as rows:
            for row in rows:
                if self._is_of_others(row):
                    others += 1
                    continue
                lacking.update(self._lacking(row[1], required=False))
                if self.changes(row):
                    left = _Left(left.rows + 1, left.first or row[0])
        return left, others, lacking

    def _is_of_others(self, row: Row) -> bool:
        """Whether the model cannot read a row, and another one of the table can."""
        key, cells = row
        assert self.model is not None
        codec = codec_of(self.model)
        if not self.others or (codec.keys.fits(key) and not self._lacks(cells)):
            return False
        return any(other.has(key, cells) for other in self.others)

    def _lacks(self, cells: Sequence[Cell]) -> bool:
        """Whether a row lacks a cell that the model requires."""
        return any(True for _ in self._lacking(cells, required=True))

    def _lacking(self, cells: Sequence[Cell], *, required: bool) -> Iterator[str]:
        """The columns of one value that a row lacks, of those that the model requires, or of the optional ones."""
        there = {cell[:2] for cell in cells}
        assert self.model is not None
        for codec in codec_of(self.model).columns.values():
            column = codec.column
            wanted = column.shape.plain and not column.shape.summed and column.required is required
            if wanted and there.isdisjoint((column.family, place.qualifier) for place in column.places):
                yield column.name

    def _rewritten(self, db: RowAccess, row: Row, changes: Sequence[Conditional]) -> bool:
        """Make the ``changes`` that a row needs, or those that it needs by then if it has changed meanwhile; true."""
        for _ in range(READS):
            if all(db.write_if(change) for change in changes):
                return True
            again = read_keys(db, self.table, [row[0]])
            if not again:
                return True
            changes = self.changes(again[0])
        raise MigrationError(
            f"{self.name}: row {shown(row[0])} of {self.table!r} has changed before each of {READS} writes: run this again"
        )

    def changes(self, row: Row) -> list[Conditional]:
        """The writes that a row needs, each under the condition that the cell it comes from is as it was read.

        Raises :class:`MigrationError`, which names the row.
        """
        with self.blamed(row[0]):
            return [] if self._is_of_others(row) else [*self._moves(row), *self._fills(row)]

    def _moves(self, row: Row) -> Iterator[Conditional]:
        """The writes of cells that are there, as the model writes them."""
        key, cells = row
        assert self.model is not None
        codec = codec_of(self.model)
        there = {cell[:3] for cell in cells}
        for cell in cells:
            new = self._as_written(codec.column_of(cell), key, cell)
            if new is None or new == cell:
                continue
            if new[:3] == cell[:3]:
                yield conditional(Mutation(self.table, key, [new]), _is_there(cell))
            elif new[:3] in there:
                # Of two cells of one time, the one under the qualifier that is written counts.
                only = Mutation(self.table, key, [], [_exactly(cell)])
                yield conditional(only, All((_is_there(cell), _has_place(new))))
            else:
                moved = Mutation(self.table, key, [new], [_exactly(cell)])
                yield conditional(moved, All((_is_there(cell), Not(_has_place(new)))))

    def _fills(self, row: Row) -> Iterator[Conditional]:
        """The write of what the row lacks and the function gives."""
        key, cells = row
        made = list(self._filled(key, cells))
        if made:
            newest = max(cells, key=lambda cell: cell.timestamp)
            lacking = (Not(Found(Qualifiers(cell.family, (cell.qualifier,)))) for cell in made)
            yield conditional(Mutation(self.table, key, made), All((_is_there(newest), *lacking)))

    def _as_written(self, codec: ColumnCodec | None, key: bytes, cell: Cell) -> Cell | None:
        """``cell`` of the row ``key`` as the column of ``codec`` writes it; None if no column reads it.

        Raises :class:`WrongRow` and :class:`btmodel.errors.UndecodableCell`.
        """
        if codec is None:
            return None
        try:
            return codec.rewritten(key, cell)
        except ValueRefused as refused:
            raise WrongRow(
                f"{self.name}: row {shown(key)} of {self.table!r} has a cell that cannot be rewritten: {refused}: give that attribute a codec "
                "that writes what the rows hold, or correct the row"
            ) from refused

    def _filled(self, key: bytes, cells: Sequence[Cell]) -> Iterator[Cell]:
        """The cells of columns that the row lacks and the function gives, a millisecond before its newest cell."""
        assert self.model is not None
        codec = codec_of(self.model)
        before = codec.decode(key, cells)
        after = self.function(before)
        if after is before:  # which it may have changed
            before = codec.decode(key, cells)
        if not isinstance(after, Model) or type(after) is not self.model or codec.keys.of_row(after) != key:
            raise WrongRow(
                f"{self.name}: expected row {shown(key)} as a {self.model.__name__} with the same key, got {shown(after)}"
            )
        values, newest = Fields(after), max(cell.timestamp for cell in cells)
        for name, column in codec.columns.items():
            value, was = values[name], getattr(before, name)
            if _is_same(column, value, was):
                continue
            if not column.column.shape.plain or was is not None:
                raise WrongRow(
                    f"{self.name}: row {shown(key)} has {name}={shown(was)}: a rewritten row may get what it lacks, and what it has stays as it is"
                )
            yield from column.cells(value, max(newest - MILLISECOND, 0))


def _is_same(column: ColumnCodec, value: Any, was: Any) -> bool:
    """Whether two values of a column are the same: NaN equals nothing, and arrays compare item by item, so their cells are compared."""
    with suppress(ValueError):
        if value is was or bool(value == was):
            return True
    if value is None or was is None or column.column.shape.summed:
        return False
    return list(column.cells(value, 0)) == list(column.cells(was, 0))


def _exactly(cell: Cell) -> Delete:
    return Delete(cell.family, cell.qualifier, start=cell.timestamp, end=cell.timestamp + MILLISECOND)


def _is_there(cell: Cell) -> Found:
    """Holds where the row has just this cell."""
    value = cell.value
    same = ExactValue(value) if len(value) <= _LONGEST else ValueEnds(value[:_END], value[-_END:])
    return Found(Chain((*_place(cell), same)))


def _has_place(cell: Cell) -> Found:
    """Holds where the row has a cell in the place of this one, whatever its value."""
    return Found(Chain(_place(cell)))


def _place(cell: Cell) -> tuple[Filter, ...]:
    time = Times(cell.timestamp, cell.timestamp + MILLISECOND)
    return (Families((cell.family,)), Qualifiers(cell.family, (cell.qualifier,)), time)


M = TypeVar("M", bound=Model)


def rewrite(model: type[M]) -> Callable[[Callable[[M], M]], RewriteStep]:
    """Declare a function of a revision that rewrites rows in place: ``@rewrite(Quote)``.

    Each cell that ``model`` reads by an older codec of an :class:`Either`, or by ``_missing_`` of an enum, and each that it reads from a
    qualifier of ``also=``, is written as the model writes it. The function gets each row and returns it, with values for optional columns that it lacks.
    Declare the model beside it. Raises :class:`DeclarationError` for what is no model, and for a table that is named at run
    time.
    """
    if not isinstance(model, type) or not issubclass(model, Model):
        raise DeclarationError(f"rewrite: expected a model, got {model!r}")
    if placeholders(schema_of(model).table):
        raise DeclarationError(
            f"rewrite: expected a model of one table, and {schema_of(model).table!r} is named at run time"
        )

    def declare(function: Callable[[M], M]) -> RewriteStep:
        name = getattr(function, "__name__", type(function).__name__)
        return RewriteStep(name, schema_of(model).table, model, function)

    return declare
