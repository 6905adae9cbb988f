"""Lazy reads of rows."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar, overload

from attrs import evolve, field, frozen

from btmodel.client.options import Call
from btmodel.client.row_streams import AsyncStream, Row
from btmodel.columnar import Cells, pandas, polars, pyarrow
from btmodel.declare import Model
from btmodel.errors import BtmodelError, QueryRefused, refuse_no_number
from btmodel.repository._async.column_read import AsyncColumnRead
from btmodel.repository.lazy import (
    AsyncItems,
    AsyncLazy,
    AsyncText,
    EntryNames,
    OnError,
    Page,
    Skipped,
    analysis,
    skipping,
    tell,
)
from btmodel.repository.model_codecs import Reader
from btmodel.repository.parts import ANY_CELL, KEY, Part, What
from btmodel.rows import (
    CELLS,
    Conditional,
    Delete,
    Mutation,
    Parallel,
    ReadPlan,
    RowDecoder,
    Selection,
    Stored,
    cursor_of,
    resumed,
)
from btmodel.words import counted

if TYPE_CHECKING:
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.columnar.libraries import PandasFrame, PolarsFrame, RecordBatch, Table


M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")
F = TypeVar("F", bound=str)  # the names of the fields of the key and of the columns
T = TypeVar("T")


DELETED_AT_ONCE = 1_000
BATCH = 65_536  # rows of Arrow


@frozen(repr=False, eq=False)
class AsyncRows(AsyncLazy, Generic[M, K, F]):
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
    _parallel: Parallel | None = field(default=None)

    def __attrs_post_init__(self) -> None:
        if self._parallel is not None:
            self._parallel.check(self._asked)

    def limit(self, rows: int) -> Self:
        """At most so many rows. A limit never widens: of several, that of ``newest`` among them, the least holds."""
        return evolve(self, asked=self._asked.at_most(rows))

    def backwards(self) -> Self:
        """The read's own order turned round: of one that gives the newest first, the oldest; twice is as before.

        To be called before ``limit``: raises :class:`QueryRefused` for a read that is limited,
        as ``newest`` gives one, for it would give the rows of the other end.
        """
        return evolve(self, asked=self._asked.turned())

    def after(self, key: K) -> Self:
        """The rows behind the one of ``key``, in the read's own order, whether that row is there or not.

        Where the newest come first, these are the older ones: the page that a caller asks for with the id of the last row that it
        has. Raises :class:`QueryRefused` for a key that the query does not ask for.
        """
        try:
            return evolve(self, asked=self._asked.after(self._reader.raw(key)))
        except QueryRefused as refused:
            raise QueryRefused(f"{self._selection.model.name}: after: {refused}") from None

    def matching(self, pattern: bytes | str) -> Self:
        """Rows whose whole key matches an expression of RE2: a scan of the range with the filter on the server.

        Raises :class:`QueryRefused` for what is no such expression.
        """
        from btmodel.client.filter_messages import refuse_pattern  # here: it loads Google's client

        selection = self._selection.matching(pattern)
        refuse_pattern(f"{selection.model.name}: matching", selection.patterns[-1].pattern)
        return evolve(self, selection=selection)

    def sample(self, share: float) -> Self:
        """A random share of the rows, ``0.01`` for one of a hundred: the server draws each row by itself, anew for every loop.

        It reads the whole range for it, and sends only what is drawn. Raises :class:`QueryRefused` for a share
        that is not between 0 and 1.
        """
        return evolve(self, selection=self._selection.sampled(share))

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
                f"on_error: expected a function of the error, such as errors.append, got {handler!r}"
            )
        return evolve(self, handler=handler)

    def parallel(self, workers: int = 8, *, ordered: bool = True, processes: int | None = None) -> Self:
        """The same rows, read by up to so many requests at once, each for another part of the table.

        The service says where its table divides; a small table is one part. With ``ordered=False`` rows
        come as they arrive, which is faster: in order, the requests behind the first one read ahead
        a little, and wait. Either way a few messages of each request are in memory at most. ``keys``,
        ``count``, ``delete`` and what gives columns go on in parallel, too; ``first`` and ``page`` do not.

        With ``processes``, so many other processes read and decode the :meth:`parts`, each with a connection of its own, and
        send the rows or columns here; they end with the loop. ``count`` and ``delete`` stay in this process.

        Raises :class:`QueryRefused` for a limit with ``ordered=False``, which would leave it to chance which
        rows come, and for rows of a salted table in their order: the parts of that are read at once as it is.
        """
        many = workers if processes is None else processes
        return evolve(self, parallel=Parallel(many, ordered, processes is not None))

    async def parts(self, size: int | None = None) -> "list[Part[Self]]":
        """The read in parts, in the order of their rows: values without a connection, which other processes and machines may read.

        They end where the service says that its table divides, or where about ``size`` bytes end, as far as its samples and the
        codecs of the row key show. Rows of a salted table come in the order of their keys. Handlers of ``on_error``, and
        ``parallel``, belong to no part: ask for them of ``part.read(db)``.

        Raises :class:`QueryRefused` for a read that is limited, or goes backwards.
        """
        if size is not None:
            refuse_no_number("parts", "bytes", size)
        return await self._parts(size, 1)

    async def _parts(self, size: int | None, least: int) -> "list[Part[Self]]":
        whole = Part.whole(type(self), self._reader, self._asked, self._selection)
        ends = []
        for backwards in (False, True):
            any_row = evolve(whole.plan, filter=ANY_CELL, limit=1, backwards=backwards)
            ends.append(await self._db.read_first(any_row, KEY))
        if ends[0] is None or ends[1] is None:
            return [whole]
        samples = await self._db.samples(self._asked.table)
        return whole.with_rows_seen(ends[0], ends[1]).divided(samples, size, least)

    @property
    def plan(self) -> ReadPlan:
        """What will be asked."""
        return evolve(self._asked, filter=self._selection.filter)

    @overload
    def explain(self, *, analyze: Literal[False] = False) -> str: ...
    @overload
    def explain(self, *, analyze: Literal[True]) -> AsyncText: ...
    def explain(self, *, analyze: bool = False) -> str | AsyncText:
        """What will be asked, as text, for which no server is asked.

        With ``analyze`` the read is made, its rows are counted and dropped, and the text says what it took: rows,
        bytes, requests, times, and the parts of the table that were read at once.
        """
        return self._analyzed() if analyze else str(self.plan)

    def __repr__(self) -> str:
        return f"{type(self).__name__}, not read yet\n{self.plan}"

    def __aiter__(self) -> AsyncIterator[M]:
        """The rows as they arrive; memory does not grow with their number."""
        return self._each(("rows",), self._parallel)

    def keys(self) -> AsyncItems[K]:
        """The keys of the rows alone, which is all that is sent of them."""
        stream = partial(self._each, ("keys",), self._parallel)
        return AsyncItems(stream, type(self).__name__, ".keys()", "key", "`read.limit({n}).keys()`")

    def stored(self) -> AsyncItems[Stored[M]]:
        """The rows with their row keys, and the newest timestamps of the cells that their attributes come from.

        For backfills and copies: ``for key, row, timestamp in read.stored()``. What is written at the time of its source
        (``put_many(rows, at=...)``) never covers what an application has written since.
        """
        stream = partial(self._each, ("stored",), self._parallel)
        return AsyncItems(stream, type(self).__name__, ".stored()", "row", "`read.limit({n}).stored()`")

    def cells(self) -> AsyncItems[Row]:
        """Every cell of the rows as it is stored, undecoded: their row keys, each with its cells, of all versions and families.

        Raises :class:`QueryRefused` for a read that is narrowed by what lies in cells.
        """
        self._asked_for(("cells",))
        stream = partial(self._each, ("cells",), self._parallel)
        return AsyncItems(stream, type(self).__name__, ".cells()", "row", "`read.limit({n}).cells()`")

    def cells_arrow(self, *, cells: int = BATCH) -> AsyncItems["RecordBatch"]:
        """The same as record batches of Arrow, of about so many cells each: an exact backup, which ``put_cells`` writes back.

        Columns are ``key``, ``family``, ``qualifier``, ``timestamp`` and ``value``. Needs ``btmodel[arrow]``.
        """
        refuse_no_number("cells_arrow: cells", "cells", cells)
        self._asked_for(("cells",))
        stream = partial(self._cell_batches, cells)
        return AsyncItems(stream, type(self).__name__, ".cells_arrow()", "batch", "`read.cells()`")

    def arrow_batches(
        self, columns: Sequence[F] | None = None, *, rows: int = BATCH
    ) -> AsyncItems["RecordBatch"]:
        """The rows as record batches of Arrow, of about so many rows each; memory does not grow with their number.

        ``columns`` are names of key fields and columns, in the order that is wanted; of those that
        lie in cells the server sends no others, and no row that has a cell in none of them. Types follow
        from the model: text, 64-bit numbers, booleans, bytes, times in microseconds and UTC, dates;
        members of an enum as a dictionary of their names; Decimals, with all of their digits, and JSON as text. Columns of many are lists and
        maps. Anything else is the bytes that its codec writes. Absent values are null.

        Values come straight from the bytes that were sent where all columns are plain. Needs
        ``btmodel[arrow]``. Raises :class:`QueryRefused` without it and for unknown names, and
        :class:`ValueRefused` for a value that its type of Arrow cannot hold.
        """
        refuse_no_number("arrow_batches: rows", "rows", rows)
        self._columns(columns)  # which refuses unknown names
        stream, whole = partial(self._batches, columns, rows), "`{awaited}read.to_arrow()`"
        return AsyncItems(stream, type(self).__name__, ".arrow_batches()", "batch", whole)

    async def to_arrow(self, columns: Sequence[F] | None = None) -> "Table":
        """All rows as one table of Arrow. As :meth:`arrow_batches`."""
        found: list[Any] = []
        async with aclosing(self._batches(columns, BATCH)) as batches:
            async for batch in batches:
                found.append(batch)
        return pyarrow().Table.from_batches(found, self._columns(columns).fields.schema)

    async def to_pandas(self, columns: Sequence[F] | None = None) -> "PandasFrame":
        """All rows as a data frame of pandas, whose types are those of Arrow, so that numbers with gaps stay whole.

        As :meth:`arrow_batches`. Needs ``btmodel[pandas]``.
        """
        library = pandas()
        return (await self.to_arrow(columns)).to_pandas(types_mapper=library.ArrowDtype)

    async def to_polars(self, columns: Sequence[F] | None = None) -> "PolarsFrame":
        """All rows as a data frame of polars. As :meth:`arrow_batches`. Needs ``btmodel[polars]``."""
        frame: PolarsFrame = polars().from_arrow(await self.to_arrow(columns))
        return frame

    async def first(self) -> M | None:
        """The first row, or None where there is none."""
        if self._handler is None:
            return await self._db.read_first(self.plan, self._row)
        async with aclosing(self._each(("rows",))) as rows:
            async for row in rows:
                return row  # type: ignore[no-any-return]
        return None

    async def count(self) -> int:
        """How many rows there are. Their keys are read, so it takes as long as they are many."""
        count, parallel = 0, self._parallel
        if parallel is not None and self._asked.limit is None:
            parallel = parallel.unordered
        keys = skipping(self._reader.raw_keys)
        async with aclosing(self._db.read_batches(self._least, keys, parallel)) as batches:
            async for batch in batches:
                count += len(self._without_skipped(batch.rows))
        return count

    async def page(self, size: int, cursor: str | None = None) -> Page[M]:
        """The first ``size`` rows, or those behind the ``next`` of the page before: for web pages.

        The pages of a limited read, as ``newest`` gives one, end where the limit does. Rows
        that ``on_error`` skips count too.

        A cursor is good for the same query with the same arguments, order and limit: raises
        :class:`QueryRefused` for any other, and for one that was changed. It is not secret,
        and proves nothing: it holds the key of a row, readable by everyone who gets it, and can
        be made up for another row of this query. It never leads to rows of another one. So
        ask what a user may see with the arguments of the query, for every page anew.
        """
        plan = self.plan if cursor is None else resumed(self.plan, cursor)
        refuse_no_number("page", "rows", size, 2**63 - 2)
        rows, raws, more = await self._some(plan, size, self._row)
        left = None if plan.limit is None else plan.limit - len(raws)
        return Page(rows, cursor_of(self.plan, raws[-1], left) if more else None)

    async def delete(self, progress: Callable[[int], object] | None = None) -> int:
        """Delete the rows, with every cell in them, and return how many; no admin right is needed.

        Their keys are read and deleted in batches, so memory stays flat; ``progress`` is
        called with the number of rows deleted so far. What was interrupted can be run again.

        Where ``where``, ``times`` or ``only`` choose the rows by what lies in them, each row is
        deleted by a request of its own (``CheckAndMutate``), and only if it is still one of them:
        what others wrote since it was read stays. Other reads mean all rows of
        their keys, and delete them whatever lies in them by then.
        Raises :class:`QueryRefused` for ``entries`` and ``versions``, which leave out cells and choose no rows, unless ``only`` names their columns;
        :class:`WriteFailed`; and :class:`UndecodableKey` where a key in the range is
        none of the model and no ``on_error`` says to leave such rows.
        """
        self._selection.refuse_unchosen()
        deleted = 0
        try:
            async with aclosing(self._deletions()) as counts:
                async for count in counts:
                    deleted += count
                    if progress is not None:
                        progress(deleted)
        except BtmodelError as error:
            error.add_note(
                f"table {self._asked.table!r}: {counted(deleted, 'row')} deleted before this batch"
            )
            raise
        return deleted

    def _deletions(self) -> AsyncStream[int]:
        """Delete the rows, and give how many it were each time."""
        if self._parallel is None or self._asked.limit is not None:
            return self._deleted(self._least)
        return self._deleted_at_once(self._parallel)

    async def _deleted_at_once(self, parallel: Parallel) -> AsyncStream[int]:
        parts = parallel.parts(self._least, await self._db.splits(self._asked.table))
        streams = [partial(self._deleted, part) for part in parts]
        async with aclosing(self._db.gathered(streams, parallel.unordered)) as counts:
            async for count in counts:
                yield count

    async def _deleted(self, plan: ReadPlan) -> AsyncStream[int]:
        """Delete the rows of ``plan`` in batches, and give how many it were each time."""
        while True:
            keys, raws, more = await self._some(plan, DELETED_AT_ONCE, self._reader.raw_keys)
            if keys:
                yield await self._delete(keys)
            if not more:
                return
            left = None if plan.limit is None else plan.limit - len(raws)
            plan = plan.after(raws[-1]).limited(left)

    async def _delete(self, keys: Sequence[bytes]) -> int:
        """Delete the rows of these keys, those that are no longer chosen left out; how many it were."""
        table, condition = self._asked.table, self._selection.chosen
        gone = (Mutation(table, key, deletes=(Delete(),)) for key in keys)
        if condition is None or not self._selection.looks:
            return await self._db.write_many(table, gone)
        deleted = 0
        for mutation in gone:
            deleted += await self._db.write_if(Conditional(mutation, condition, present=True))
        return deleted

    async def _analyzed(self) -> str:
        calls: list[Call] = []
        plan, begun = self.plan, perf_counter()
        db = self._db.with_options(on_call=calls.append)
        async with aclosing(db.read_batches(plan, skipping(self._row), self._parallel)) as batches:
            async for _ in batches:
                pass
        return f"{plan}\n{analysis(calls, perf_counter() - begun)}"

    def _only(self, columns: Sequence[str]) -> Self:
        return evolve(self, selection=self._selection.only(columns))

    def _entries(self, column: str | EntryNames, start: Any = None, end: Any = None) -> Self:
        if isinstance(column, Mapping):
            selection = self._selection.named(column)
        else:
            selection = self._selection.entries(column, start, end)
        if selection is None:
            return evolve(self, asked=evolve(self._asked, ranges=(), leads=()))
        return evolve(self, selection=selection)

    def _versions(self, newest: int, offset: int) -> Self:
        return evolve(self, selection=self._selection.versions(newest, offset))

    def _where(self, values: Mapping[str, Any], given: Sequence[Any] = ()) -> Self:
        return evolve(self, selection=self._selection.where(values, given))

    def _columns(self, names: Sequence[str] | None) -> AsyncColumnRead:
        return AsyncColumnRead.of(
            self._db, self._reader, self._asked, self._selection, self._handler, self._parallel, names
        )

    @property
    def _least(self) -> ReadPlan:
        return evolve(self._asked, filter=self._selection.one_cell)

    @property
    def _row(self) -> RowDecoder[M]:
        return self._reader.selected(self._selection)

    def _asked_for(self, what: What) -> tuple[ReadPlan, RowDecoder[Any]]:
        if what[0] == "keys":
            return evolve(self._asked, filter=self._selection.keys), self._reader.keys
        if what[0] == "cells":
            return evolve(self._asked, filter=self._selection.every), CELLS
        return self.plan, self._reader.stored(self._selection) if what[0] == "stored" else self._row

    def _batches(self, names: Sequence[str] | None, most: int) -> AsyncStream[Any]:
        if self._parallel is None or not self._parallel.apart:
            return self._columns(names).batches(most)
        return self._apart(("arrow", names, most, self._handler is not None), self._parallel)

    async def _cell_batches(self, most: int) -> AsyncStream[Any]:
        apart = self._parallel is not None and self._parallel.apart
        collected = Cells(most)
        async with aclosing(
            self._each(("cells_arrow", most) if apart else ("cells",), self._parallel)
        ) as rows:
            async for row in rows:
                if apart or (row := collected.add(row)) is not None:
                    yield row
        if len(collected):
            yield collected.batch()

    def _apart(self, what: What, parallel: Parallel) -> AsyncStream[Any]:
        from btmodel.repository._async.processes import from_processes  # here: few reads have some

        return from_processes(self, self._db, what, parallel, self._handler)

    async def _each(self, what: What, parallel: Parallel | None = None) -> AsyncStream[Any]:
        if parallel is not None and parallel.apart:
            async with aclosing(self._apart(what, parallel)) as found:
                async for row in found:
                    yield row
            return
        plan, decoder = self._asked_for(what)
        if self._handler is None:
            async with aclosing(self._db.read_batches(plan, decoder, parallel)) as batches:
                async for batch in batches:
                    for row in batch.rows:
                        yield row
            return
        async with aclosing(self._db.read_batches(plan, skipping(decoder), parallel)) as tried:
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
                found += self._without_skipped(batch.rows[:left])
                if len(batch.keys) > left:
                    return found, raws, True
        return found, raws, False

    def _without_skipped(self, rows: Sequence[T | Skipped]) -> list[T]:
        found: list[T] = []
        for row in rows:
            if isinstance(row, Skipped):
                tell(row.error, self._handler)
            else:
                found.append(row)
        return found
