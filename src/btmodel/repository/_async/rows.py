"""Lazy reads: rows that are asked for when they are iterated."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from attrs import evolve, field, frozen

from btmodel.client.streams import AsyncStream
from btmodel.counted import counted
from btmodel.declare import Model
from btmodel.errors import BtmodelError, QueryRefused
from btmodel.repository.page import Page
from btmodel.repository.reader import Reader
from btmodel.repository.telling import OnError, Skipped, skipping, tell
from btmodel.rows import Conditional, Delete, Mutation, ReadPlan, RowDecoder, Selection, cursor_of, resumed

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._async.database import AsyncDatabase

M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")
T = TypeVar("T")

DELETED_AT_ONCE = 1_000


@frozen(repr=False, eq=False)
class AsyncRows(Generic[M, K]):
    """The rows of a query. Nothing is sent before they are iterated, and every iteration reads them anew.

    A method that narrows gives a new read and leaves this one as it is, so that they can
    be chained: ``quotes.by_symbol("NYSE", "IBM").where(bid_size=500).limit(3)``. Those that
    name columns are generated for each model.
    """

    _db: "AsyncDatabase"
    _reader: Reader[M, K]
    _asked: ReadPlan
    _selection: Selection
    _handler: OnError | None = field(default=None)

    def limit(self, rows: int) -> Self:
        """At most so many rows. A limit never widens: of several, that of ``newest`` among them, the least holds."""
        return evolve(self, asked=self._asked.at_most(rows))

    def backwards(self) -> Self:
        """The read's own order turned round: of one that gives the newest first, the oldest; twice is as before.

        To be called before ``limit``: raises :class:`QueryRefused` for a read that is limited,
        as ``newest`` gives one, for it would give the rows of the other end.
        """
        return evolve(self, asked=self._asked.turned())

    def matching(self, pattern: bytes | str) -> Self:
        """Rows whose whole key matches an expression of RE2: a scan of the range with the filter on the server."""
        return evolve(self, selection=self._selection.matching(pattern))

    def times(self, start: datetime | None, end: datetime | None) -> Self:
        """Cells with timestamps in ``[start, end)``, of those that garbage collection keeps; None leaves an end open.

        A plain column has the newest value that lies there; a required one without any is
        left unset, and reading it is an AttributeError. A row that has no such cell is
        not returned.
        """
        selection = self._selection.between(start, end)
        if selection is None:
            return evolve(self, asked=evolve(self._asked, ranges=(), leads=()))
        return evolve(self, selection=selection)

    def on_error(self, handler: OnError) -> Self:
        """Rows that cannot be decoded are skipped and their errors given to ``handler``, instead of raised.

        ``errors: list[Exception] = []; rows.on_error(errors.append)`` collects them.
        """
        if not callable(handler):
            raise QueryRefused(
                f"on_error: wanted a function of the error, such as errors.append, got {handler!r}"
            )
        return evolve(self, handler=handler)

    @property
    def plan(self) -> ReadPlan:
        """What will be asked."""
        return evolve(self._asked, filter=self._selection.filter)

    def explain(self) -> str:
        """What will be asked, as text. No server is asked."""
        return str(self.plan)

    def __repr__(self) -> str:
        return f"{type(self).__name__}, not read yet\n{self.plan}"

    def __aiter__(self) -> AsyncIterator[M]:
        """The rows as they arrive; memory does not grow with their number."""
        return self._each(self.plan, self._row)

    def keys(self) -> AsyncStream[K]:
        """The keys of the rows alone, which is all that is sent of them."""
        return self._each(evolve(self._asked, filter=self._selection.keys), self._reader.keys)

    async def first(self) -> M | None:
        """The first row, or None where there is none."""
        plan = self.plan if self._handler else self.plan.limited(1)
        async with aclosing(self._each(plan, self._row)) as rows:
            async for row in rows:
                return row
        return None

    async def count(self) -> int:
        """How many rows there are. Their keys are read, so it takes as long as they are many."""
        count = 0
        async with aclosing(self._db.read_batches(self._least, skipping(self._reader.raw_keys))) as batches:
            async for batch in batches:
                count += len(self._told(batch.rows))
        return count

    async def page(self, size: int, cursor: str | None = None) -> Page[M]:
        """The first ``size`` rows, or those behind the ``next`` of the page before: for web pages.

        The pages of a limited read, as ``newest`` gives one, end where the limit does. Rows
        that ``on_error`` skips count too.

        A cursor is good for the same query with the same arguments, order and limit: raises
        :class:`QueryRefused` for any other, and for one that was changed. It is not secret,
        and proves nothing: it holds the key of a row, readable by whoever gets it, and can
        be made up for another row of this query. It never leads to rows of another one. So
        ask what somebody may see with the arguments of the query, for every page anew.
        """
        plan = self.plan if cursor is None else resumed(self.plan, cursor)
        rows, raws, more = await self._some(plan, size, self._row)
        left = None if plan.limit is None else plan.limit - len(raws)
        return Page(rows, cursor_of(self.plan, raws[-1], left) if more else None)

    async def delete(self, progress: Callable[[int], object] | None = None) -> int:
        """Delete the rows, with every cell in them, and return how many; no admin right is needed.

        Their keys are read and deleted in batches, so memory stays flat; ``progress`` is
        told the number of rows deleted so far. What was interrupted can be run again.

        Where ``where``, ``times``, ``only`` or ``entries`` choose the rows by what lies in them, each row is
        deleted by a request of its own (``CheckAndMutate``), and only if it is still one of them:
        what somebody wrote since it was read stays. Other reads mean all rows of
        their keys, and delete them whatever lies in them by then.
        Raises :class:`WriteFailed`, and :class:`UndecodableKey` where a key in the range is
        none of the model and no ``on_error`` says to leave such rows.
        """
        plan, deleted = self._least, 0
        table = plan.table
        while True:
            keys, raws, more = await self._some(plan, DELETED_AT_ONCE, self._reader.raw_keys)
            if keys:
                try:
                    deleted += await self._delete(keys)
                except BtmodelError as error:
                    error.add_note(f"table {table!r}: {counted(deleted, 'row')} deleted before this batch")
                    raise
                if progress is not None:
                    progress(deleted)
            if not more:
                return deleted
            left = None if plan.limit is None else plan.limit - len(raws)
            plan = plan.after(raws[-1]).limited(left)

    async def _delete(self, keys: Sequence[bytes]) -> int:
        """Delete the rows of these keys, those that are no longer chosen left out; how many it were."""
        table, condition = self._asked.table, self._selection.filter
        gone = (Mutation(table, key, deletes=(Delete(),)) for key in keys)
        if condition is None or not self._selection.looks:
            return await self._db.write_many(table, gone)
        deleted = 0
        for one in gone:
            deleted += await self._db.write_if(Conditional(one, condition, present=True))
        return deleted

    def _only(self, columns: Sequence[str]) -> Self:
        return evolve(self, selection=self._selection.only(columns))

    def _entries(self, column: str, start: Any, end: Any) -> Self:
        selection = self._selection.entries(column, start, end)
        if selection is None:
            return evolve(self, asked=evolve(self._asked, ranges=(), leads=()))
        return evolve(self, selection=selection)

    def _where(self, values: Mapping[str, Any]) -> Self:
        return evolve(self, selection=self._selection.where(values))

    @property
    def _least(self) -> ReadPlan:
        """The read of one cell of each row, without its value."""
        return evolve(self._asked, filter=self._selection.one_cell)

    @property
    def _row(self) -> RowDecoder[M]:
        return self._reader.rows(self._selection.columns, whole=self._selection.times is None)

    async def _each(self, plan: ReadPlan, decoder: RowDecoder[T]) -> AsyncStream[T]:
        if self._handler is None:
            async with aclosing(self._db.read_batches(plan, decoder)) as batches:
                async for batch in batches:
                    for row in batch.rows:
                        yield row
            return
        async with aclosing(self._db.read_batches(plan, skipping(decoder))) as tried:
            async for some in tried:
                for one in some.rows:
                    if isinstance(one, Skipped):
                        tell(one.error, self._handler)
                    else:
                        yield one

    async def _some(
        self, plan: ReadPlan, size: int, decoder: RowDecoder[T]
    ) -> tuple[list[T], list[bytes], bool]:
        """What the first ``size`` rows decode to, their keys, and whether more follow."""
        found: list[T] = []
        raws: list[bytes] = []
        with_next = plan.limited(size).limited(size + 1)
        ends_before = plan.limit is not None and plan.limit <= size
        asked = plan if ends_before else with_next
        async with aclosing(self._db.read_batches(asked, skipping(decoder))) as batches:
            async for batch in batches:
                left = size - len(raws)
                raws += batch.keys[:left]
                found += self._told(batch.rows[:left])
                if len(batch.keys) > left:
                    return found, raws, True
        return found, raws, False

    def _told(self, rows: Sequence[T | Skipped]) -> list[T]:
        """The rows that were decoded; of the others, somebody is told."""
        found: list[T] = []
        for row in rows:
            if isinstance(row, Skipped):
                tell(row.error, self._handler)
            else:
                found.append(row)
        return found
