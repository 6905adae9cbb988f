"""The base of generated repositories: reads and writes of one model."""

from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, Unpack

from attrs import evolve

from btmodel.client.options import CallOptions
from btmodel.client.target import AsyncMixed
from btmodel.declare import Fields, Model, schema_of
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.repository._async.changes import AsyncFollowed
from btmodel.repository._async.edits import AsyncEdited
from btmodel.repository._async.rows import AsyncRows
from btmodel.repository.lazy import (
    EntryNames,
    OnError,
    Skipped,
    Times,
    refuse_other_many,
    refuse_other_many_async,
    skipping,
    tell,
)
from btmodel.repository.model_codecs import At, Reader, of_values, refuse_stale, times_of
from btmodel.repository.rows_in_part import refuse_in_part
from btmodel.repository.tally import AsyncMany, Progress, all_made_async
from btmodel.rows import (
    Condition,
    Delete,
    Edits,
    Entry,
    Mutation,
    Planner,
    ReadPlan,
    Selection,
    if_absent,
    when,
)
from btmodel.rows.cells import now_micros
from btmodel.schema import Query

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._async.writing import AsyncWriter
    from btmodel.columnar.libraries import RecordBatch, Table

M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")
T = TypeVar("T")
R = TypeVar("R", bound=AsyncRows[Any, Any, Any])

READ_AT_ONCE = 1_000


class AsyncRepository(AsyncEdited[M, K], AsyncFollowed[M, K], Generic[M, K, R]):
    """Rows of one model in a database. ``btmodel generate`` writes its subclasses.

    ``key`` is the named tuple of the fields that a row key is made of, ``rows`` the lazy read that queries
    give. ``parameters`` complete the ids of the table and its families, where they are declared with names
    in braces.
    """

    model: ClassVar[type[Any]]
    key: ClassVar[type[Any]]
    rows: ClassVar[type[Any]] = AsyncRows
    _outline: ClassVar[str | None] = None  # of the model that it was generated for

    def __init__(self, db: "AsyncDatabase", /, **parameters: str) -> None:
        if not isinstance(db, AsyncMixed):
            raise TypeError(f"{type(self).__name__}: expected a connection of connect_async(...), got {db!r}")
        self._db = db
        refuse_stale(type(self), schema_of(self.model))
        self._aim(Reader(self.model, self.key, parameters))

    def _aim(self, reader: Reader[M, K]) -> None:
        self._reader = reader
        self._codec = reader.codec
        self._schema = reader.schema
        self._planner = Planner(self._schema)
        self._edits = Edits(self._schema, self._codec)

    def _through(self, view: str) -> Self:
        other = copy(self)
        other._aim(self._reader.through(view))
        return other

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._schema.place} in {self._db.target}>"

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """The same repository, whose calls have other options: ``quotes.with_options(deadline=0.2).get(...)``.

        It costs next to nothing, so it may be made for a single call. Raises :class:`SettingsError` for an option
        that is wrong, or that belongs to the connection.
        """
        other = copy(self)
        other._db = self._db.with_options(**options)
        return other

    async def put(self, row: M) -> None:
        """Write one row. An attribute that is None leaves its cell in the table as it is.

        Of two writes of a cell the one with the later time is read, by the clocks of those who
        wrote: ``put_if`` and ``replace`` are read whatever the clocks show.
        Raises :class:`ValueRefused` before anything is sent, :class:`MissingTable`,
        :class:`MissingFamily` and :class:`ServerError`. Writing again is safe.
        """
        await self._db.write(self._mutation(row))

    async def put_many(
        self,
        rows: Iterable[M] | AsyncIterable[M],
        *,
        at: At[M] | None = None,
        progress: Progress | None = None,
    ) -> int:
        """Write any number of rows in batches and return how many; memory stays flat.

        Each row is written whole or not at all. Rows that fail do not stop the others:
        :class:`WriteFailed` lists each one with its reason, at the end or after 1,000 of
        them. ``progress`` is called with the number of rows written so far, after each batch.

        ``at`` is the time that cells get instead of this moment: one for all rows, a function of a row, or as many times as
        rows; aware, or in microseconds since 1970, in whole milliseconds. Writing the same at the same times again changes
        nothing. Raises :class:`QueryRefused` for a model that declares the times of its cells itself.
        """
        return await self._write_many(self._entries(at), rows, progress)

    async def put_arrow(
        self, table: "Table | RecordBatch", *, at: At[M] | None = None, progress: Progress | None = None
    ) -> int:
        """Write the rows of a table of Arrow, as ``put_many`` writes rows; return how many.

        Its columns are named and typed as ``to_arrow`` of a read gives them, and what is written are the
        same bytes; a ``RecordBatchReader`` is taken as well, batch by batch. Columns of counters are left
        out, as rows are put without them, and a null is an attribute that is None.

        Needs ``btmodel[arrow]``. Raises :class:`QueryRefused` where columns are unknown, lacking or given twice,
        and :class:`ValueRefused` for a column of another type, both before anything is sent. A row with a value other than
        ``to_arrow`` gives is one that fails: :class:`WriteFailed` lists it.
        """
        from btmodel.columnar import rows_of

        rows = rows_of(self._schema, table)
        return await self._write_many(of_values(self.model, self._entries, at), rows, progress)

    async def put_cells(self, cells: "Table | RecordBatch", *, progress: Progress | None = None) -> int:
        """Write the cells that ``cells_arrow`` of a read gave, exactly as they were, with their times; return how many rows.

        A ``RecordBatchReader`` is taken as well, batch by batch. Cells that are there stay, but for those of the same column and
        time, which are replaced, amounts of counters too. Writing them again changes nothing. Needs
        ``btmodel[arrow]``. Raises :class:`QueryRefused` for other columns, :class:`ValueRefused` for a cell that lacks a value, and :class:`WriteFailed`.
        """
        from btmodel.columnar import cells_of

        sums = [family.id for family in self._schema.families if family.aggregate is not None]
        mutations = cells_of(self._schema.table, sums, cells)
        return await self._db.write_many(self._schema.table, mutations, progress)

    def writer(self, *, at: At[M] | None = None, progress: Progress | None = None) -> "AsyncWriter[M]":
        """A writer that is given rows one by one: ``async with repository.writer() as w: await w.put(row)``.

        It writes them in batches, as ``put_many`` does; ``at`` and ``progress`` are those of it.
        """
        return self._db.writer(self._schema.table, self._entries(at), progress)

    async def replace(self, row: M) -> None:
        """Write one row in the place of the one that is there: what ``row`` does not hold is gone, but for counters.

        Every cell goes, those that the model does not know, too; the deletion and the writing are one step. In a model with
        counters or sketches, to which rows are only added, their families stay, as do families that the model does not know: ``delete`` resets
        them. Raises what ``put`` does, and :class:`QueryRefused` for a row of which a read has left out entries, versions or times.
        """
        await self._db.write(self._replacement(row))

    async def replace_many(
        self, rows: Iterable[M] | AsyncIterable[M], *, progress: Progress | None = None
    ) -> int:
        """Replace any number of rows, as ``put_many`` writes them; return how many."""
        return await self._write_many(self._replacement, rows, progress)

    async def put_if_absent(self, row: M) -> bool:
        """Write one row if there is none of its key, and say whether it was written.

        The server looks and writes in one step. A row counts as absent where it has no
        cell that this model reads.
        """
        return await self._db.write_if(if_absent(self._schema, self._mutation(row)))

    async def get_many(self, keys: Iterable[K], *, on_error: OnError | None = None) -> list[M | None]:
        """The rows of these keys in their order, with None for each that is not there.

        A key that cannot be encoded is refused before anything is sent. The error of a row
        that cannot be decoded is raised, or given to ``on_error``, with None in its place.
        """
        return await self._get_many(keys, None, None, None, on_error)

    async def delete_many(
        self, keys: Iterable[K] | AsyncIterable[K], *, progress: Progress | None = None
    ) -> int:
        """Delete the rows of these keys, as ``put_many`` writes rows; return how many keys there were."""
        refuse_other_many_async(f"{type(self).__name__}.delete_many", keys, self.key, "delete(...)")
        return await self._write_many(self._deletion, keys, progress)

    async def _get(
        self,
        key: K,
        only: Sequence[str] | None = None,
        times: Times | None = None,
        entries: EntryNames | None = None,
        versions: int | None = None,
    ) -> M | None:
        plan = self._planner.row(self._reader.raw(key))
        if only is None and times is None and entries is None and versions is None:
            return await self._db.read_first(plan, self._reader.whole)
        selection = self._planner.whole.narrowed(only, times, entries, versions)
        return None if selection is None else await self._rows(plan, selection).first()

    async def _get_many(
        self,
        keys: Iterable[K],
        only: Sequence[str] | None,
        times: Times | None,
        entries: EntryNames | None,
        on_error: OnError | None,
        versions: int | None = None,
    ) -> list[M | None]:
        refuse_other_many(f"{type(self).__name__}.get_many", keys, self.key, "get(...)")
        raws = [self._reader.raw(key) for key in keys]
        asked = list(dict.fromkeys(raws))
        selection = self._planner.whole.narrowed(only, times, entries, versions)
        if selection is None:
            return [None] * len(raws)
        decoder = skipping(self._reader.selected(selection))
        found: dict[bytes, M] = {}
        for at in range(0, len(asked), READ_AT_ONCE):
            plan = evolve(self._planner.keys(asked[at : at + READ_AT_ONCE]), filter=selection.filter)
            async with aclosing(self._db.read_batches(plan, decoder)) as batches:
                async for batch in batches:
                    for raw, row in zip(batch.keys, batch.rows, strict=True):
                        if isinstance(row, Skipped):
                            tell(row.error, on_error)
                        else:
                            found[raw] = row
        return [found.get(raw) for raw in raws]

    async def _exists(
        self,
        key: K,
        only: Sequence[str] | None = None,
        times: Times | None = None,
        entries: EntryNames | None = None,
    ) -> bool:
        plan = self._planner.row(self._reader.raw(key))
        selection = self._planner.whole.narrowed(only, times, entries, alone=True)
        return selection is not None and await self._rows(plan, selection).count() > 0

    async def _put_if(self, row: M, given: Sequence[Any], expected: Mapping[str, Any]) -> bool:
        mutation, time = self._mutation(row), self._codec.own_time(Fields(row))
        if time is None:
            mutation = self._codec.uncovered(mutation)
        test = when(self._schema, given, expected, "put_if").test
        return await self._write_when(test, mutation, None, time)

    def _when(self, given: Sequence[Any], expected: Mapping[str, Any]) -> Condition:
        return when(self._schema, given, expected)

    async def _delete(self, key: K) -> None:
        await self._db.delete(self._schema.table, self._reader.raw(key))

    async def _delete_prefix(
        self, progress: Progress | None, on_error: OnError | None, fields: Mapping[str, Any]
    ) -> int:
        if not fields:
            leading = " and ".join(part.name for part in self._schema.key.asked[:2])
            raise QueryRefused(
                f"{self._schema.name}: delete_prefix: expected leading fields of the rows to delete ({leading}), got "
                "none: for all rows, declare a query with scan=, and call delete() of what it gives"
            )
        plan = self._planner.query(Query("delete_prefix", tuple(fields)), fields)
        rows = self._rows(plan, Selection(self._schema, every_cell=True))
        return await (rows if on_error is None else rows.on_error(on_error)).delete(progress)

    def _query(self, query: Query, values: Mapping[str, Any]) -> R:
        served = self._planner.served(query)
        return self._rows(self._planner.plan(served, values), served.selection)

    def _newest(self, rows: int, time: str, values: Mapping[str, Any]) -> R:
        return self._query(Query("newest", tuple(values), time, newest=True), values).limit(rows)

    def _rows(self, plan: ReadPlan, selection: Selection) -> R:
        rows: R = self.rows(self._db, self._reader, plan, selection)
        return rows

    def _mutation(self, row: M, now: int | None = None) -> Mutation:
        if type(row) is not self.model:
            raise ValueRefused(f"an instance of {self.model.__name__}", row, where=type(self).__name__)
        return self._codec.encode(Fields(row), now_micros() if now is None else now)

    def _entries(self, at: At[M] | None = None) -> Callable[[M], Entry | Mutation]:
        """The function that does the same as :meth:`_mutation`, ready to send where there is a fast way."""
        model, write = self.model, self._codec.compiled_writer
        time = None if at is None else times_of(self._schema, at)

        def entry(row: M) -> Entry | Mutation:
            now = now_micros() if time is None else time(row)
            made = write(row, now) if write is not None and type(row) is model else None
            return self._mutation(row, now) if made is None else made

        return entry

    def _replacement(self, row: M) -> Mutation:
        refuse_in_part(row, "replace")
        return evolve(self._mutation(row), deletes=self._codec.replaced)

    def _deletion(self, key: K) -> Mutation:
        return Mutation(self._schema.table, self._reader.raw(key), deletes=(Delete(),))

    async def _write_many(
        self, made: Callable[[Any], Entry | Mutation], things: AsyncMany, progress: Progress | None
    ) -> int:
        refuse_other_many_async(f"{type(self).__name__}: a write of many", things, self.model, "put(...)")
        return await self._db.write_many(self._schema.table, all_made_async(made, things), progress)
