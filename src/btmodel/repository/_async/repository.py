"""The base of generated repositories: reads and writes of one model."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, Unpack

from attrs import evolve

from btmodel.client.options import CallOptions
from btmodel.client.target import AsyncMixed
from btmodel.declare import Fields, Model, schema_of
from btmodel.errors import BtmodelError, LaterRow, QueryRefused, ServerError, ValueRefused
from btmodel.repository._async.rows import AsyncRows
from btmodel.repository.lazy import (
    EntryNames,
    NoCollection,
    OnError,
    Skipped,
    Times,
    refuse_other_many,
    skipping,
    tell,
)
from btmodel.repository.reader import Reader, refuse_stale
from btmodel.rows import (
    RAW,
    Cell,
    CheckedChange,
    Condition,
    Delete,
    Edits,
    Entry,
    FirstCells,
    Mutation,
    Planner,
    ReadModifyWrite,
    ReadPlan,
    RowRange,
    Selection,
    WithoutValues,
    conditional,
    if_absent,
    missing_row,
    when,
)
from btmodel.rows.cells import now_micros
from btmodel.rows.conditions import All, Not, Test, asked, later_than, negated
from btmodel.rows.filters import chain
from btmodel.schema import Query

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.columnar.libraries import RecordBatch, Table

M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")
T = TypeVar("T")
R = TypeVar("R", bound=AsyncRows[Any, Any, Any])

READ_AT_ONCE = 1_000
# Of writers that compete for a cell one wins each time, so that a hundred losses in a row tell of a hot row.
MOST_TRIES = 100


class AsyncRepository(NoCollection, Generic[M, K, R]):
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
            raise TypeError(f"{type(self).__name__}: wanted a connection of connect_async(...), got {db!r}")
        self._db = db
        refuse_stale(type(self), schema_of(self.model))
        self._reader: Reader[M, K] = Reader(self.model, self.key, parameters)
        self._codec = self._reader.codec
        self._schema = self._reader.schema
        self._planner = Planner(self._schema)
        self._edits = Edits(self._schema, self._codec.columns)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of table {self._schema.table} in {self._db.target}>"

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

    async def put_many(self, rows: Iterable[M], *, progress: Callable[[int], object] | None = None) -> int:
        """Write any number of rows in batches and return how many; memory stays flat.

        Each row is written whole or not at all. Rows that fail do not stop the others:
        :class:`WriteFailed` lists each one with its reason, at the end or after 1,000 of
        them. ``progress`` is told the number of rows written so far, after each batch.
        """
        return await self._write_many(self._entries(), rows, progress)

    async def put_arrow(
        self, table: "Table | RecordBatch", *, progress: Callable[[int], object] | None = None
    ) -> int:
        """Write the rows of a table of Arrow, as ``put_many`` writes rows; return how many.

        Its columns are named and typed as ``to_arrow`` of a read gives them, and what is written are the
        same bytes; a ``RecordBatchReader`` is taken as well, batch by batch. Columns of counters are left
        out, as rows are put without them, and a null is an attribute that is None.

        Needs ``btmodel[arrow]``. Raises :class:`QueryRefused` where columns are unknown, lacking or given twice,
        and :class:`ValueRefused` for a column of another type, both before anything is sent; and
        :class:`ValueRefused` for a value other than ``to_arrow`` gives.
        """
        from btmodel.columnar import rows_of

        rows = rows_of(self._schema, table)
        return await self.put_many((self.model(**values) for values in rows), progress=progress)

    async def replace(self, row: M) -> None:
        """Write one row in the place of the one that is there: what ``row`` does not hold is gone.

        Every cell goes, those that the model does not know and counters too; the deletion
        and the writing are one step. Raises what ``put`` does.
        """
        await self._db.write(self._replacement(row))

    async def replace_many(
        self, rows: Iterable[M], *, progress: Callable[[int], object] | None = None
    ) -> int:
        """Replace any number of rows, as ``put_many`` writes them; return how many."""
        return await self._write_many(self._replacement, rows, progress)

    async def put_if_absent(self, row: M) -> bool:
        """Write one row if there is none of its key, and say whether it was written.

        The server looks and writes in one step. A row counts as absent where it has no
        cell that this model reads.
        """
        return await self._db.write_if(if_absent(self._schema, self._mutation(row)))

    async def delete_many(self, keys: Iterable[K], *, progress: Callable[[int], object] | None = None) -> int:
        """Delete the rows of these keys, as ``put_many`` writes rows; return how many keys there were."""
        refuse_other_many(f"{type(self).__name__}.delete_many", keys, self.key, "delete(...)")
        return await self._write_many(self._deletion, keys, progress)

    async def _get(
        self,
        key: K,
        only: Sequence[str] | None = None,
        times: Times | None = None,
        entries: EntryNames | None = None,
    ) -> M | None:
        plan = self._planner.row(self._reader.raw(key))
        if only is None and times is None and entries is None:
            return await self._db.read_first(plan, self._reader.whole)
        selection = self._planner.whole.narrowed(only, times, entries)
        return None if selection is None else await self._rows(plan, selection).first()

    async def _get_many(
        self,
        keys: Iterable[K],
        only: Sequence[str] | None,
        times: Times | None,
        entries: EntryNames | None,
        on_error: OnError | None,
    ) -> list[M | None]:
        refuse_other_many(f"{type(self).__name__}.get_many", keys, self.key, "get(...)")
        raws = [self._reader.raw(key) for key in keys]
        asked = list(dict.fromkeys(raws))
        selection = self._planner.whole.narrowed(only, times, entries)
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
        selection = self._planner.whole.narrowed(only, times, entries)
        return selection is not None and await self._rows(plan, selection).count() > 0

    async def _put_if(self, row: M, given: Sequence[Any], expected: Mapping[str, Any]) -> bool:
        mutation, time = self._mutation(row), self._codec.own_time(Fields(row))
        if time is None:
            mutation = self._codec.uncovered(mutation)
        test = when(self._schema, given, expected, "put_if").test
        return await self._write_when(test, mutation, None, time)

    def _when(self, given: Sequence[Any], expected: Mapping[str, Any]) -> Condition:
        return when(self._schema, given, expected)

    async def _write_when(
        self, test: Test, mutation: Mutation, otherwise: Mutation | None, time: int | None
    ) -> bool:
        """Apply one of two mutations, by whether ``test`` holds; whether it held.

        A row of a time of its own, in microseconds, is not written over a later one. The service says only whether
        all that it was asked for holds: so the rest is asked for by itself, until one of them is certain.
        """
        if time is None:
            return await self._db.write_if(conditional(mutation, test, otherwise))
        later = later_than(self._schema, time)
        for _ in range(MOST_TRIES):
            if await self._db.write_if(conditional(mutation, All((test, Not(later))))):
                return True
            if otherwise is not None:
                if await self._db.write_if(conditional(otherwise, negated(test))):
                    return False
            elif not await self._holds(mutation.key, test):
                return False
            if await self._holds(mutation.key, All((test, later))):
                raise LaterRow(self._schema.name, self._schema.table, mutation.key)
        raise self._outrun(mutation.key)

    async def _holds(self, key: bytes, test: Test) -> bool:
        filter, present = asked(test)
        one = chain([filter, FirstCells(1), WithoutValues()])
        plan = ReadPlan(self._schema.table, (RowRange.of_key(key),), one, limit=1)
        return (await self._db.read_first(plan, RAW) is not None) is present

    async def _delete(self, key: K) -> None:
        await self._db.delete(self._schema.table, self._reader.raw(key))

    async def _delete_prefix(
        self,
        progress: Callable[[int], object] | None,
        on_error: OnError | None,
        fields: Mapping[str, Any],
    ) -> int:
        if not fields:
            leading = " and ".join(part.name for part in self._schema.key.asked[:2])
            raise QueryRefused(
                f"{self._schema.name}: delete_prefix: wanted leading fields of the rows to delete ({leading}), got "
                "none: for all rows, declare a query with scan=, and call delete() of what it gives"
            )
        plan = self._planner.query(Query("delete_prefix", tuple(fields)), fields)
        rows = self._rows(plan, Selection(self._schema, every_cell=True))
        return await (rows if on_error is None else rows.on_error(on_error)).delete(progress)

    async def _increment(self, key: K, column: str, by: int) -> int:
        value: int = await self._modified(column, self._edits.increment(self._reader.raw(key), column, by))
        return value

    async def _extend(self, key: K, column: str, value: T) -> T:
        extended: T = await self._modified(column, self._edits.extend(self._reader.raw(key), column, value))
        return extended

    async def _add(self, key: K, amounts: Mapping[str, int | None]) -> None:
        mutation = self._edits.add(self._reader.raw(key), _given(amounts))
        # Where a time of the row lies in the timestamps of its mirrors, writing them would move it.
        if not self._schema.stamp.stored:
            fields = self._reader.fields(key)
            mirrors = self._codec.mirrors(fields, self._codec.stamp(fields, now_micros()))
            mutation = evolve(mutation, cells=mirrors)
        conditional = self._edits.if_there(mutation)
        if conditional is None:
            await self._db.write(mutation)
        elif not await self._db.write_if(conditional):
            raise missing_row(self._schema, mutation.key)

    async def _clear(self, key: K, columns: Sequence[str]) -> None:
        await self._db.write(self._edits.clear(self._reader.raw(key), columns))

    async def _remove(self, key: K, entries: Mapping[str, Iterable[Any] | None]) -> None:
        mutation = self._edits.remove(self._reader.raw(key), _given(entries))
        if mutation.deletes:
            await self._db.write(mutation)

    def _query(self, query: Query, values: Mapping[str, Any]) -> R:
        served = self._planner.served(query)
        return self._rows(self._planner.plan(served, values), served.selection)

    def _newest(self, rows: int, time: str, values: Mapping[str, Any]) -> R:
        return self._query(Query("newest", tuple(values), time, newest=True), values).limit(rows)

    def _rows(self, plan: ReadPlan, selection: Selection) -> R:
        rows: R = self.rows(self._db, self._reader, plan, selection)
        return rows

    def _mutation(self, row: M) -> Mutation:
        if type(row) is not self.model:
            raise ValueRefused(f"an instance of {self.model.__name__}", row, where=type(self).__name__)
        return self._codec.encode(Fields(row), now_micros())

    def _entries(self) -> Callable[[M], Entry | Mutation]:
        """The function that does the same as :meth:`_mutation`, ready to send where there is a fast way."""
        model, write = self.model, self._codec.compiled_writer
        if write is None:
            return self._mutation

        def entry(row: M) -> Entry | Mutation:
            made = write(row, now_micros()) if type(row) is model else None
            return self._mutation(row) if made is None else made

        return entry

    def _replacement(self, row: M) -> Mutation:
        return evolve(self._mutation(row), deletes=(Delete(),))

    def _deletion(self, key: K) -> Mutation:
        return Mutation(self._schema.table, self._reader.raw(key), deletes=(Delete(),))

    async def _write_many(
        self,
        made: Callable[[Any], Entry | Mutation],
        things: Iterable[Any],
        progress: Callable[[int], object] | None,
    ) -> int:
        refuse_other_many(f"{type(self).__name__}: a write of many", things, self.model, "put(...)")
        return await self._db.write_many(self._schema.table, _each(made, things), progress)

    async def _modified(self, column: str, change: ReadModifyWrite) -> Any:
        checked = self._edits.checked(change, column)
        if checked is None:
            [cell] = await self._db.modify(change)
        else:
            cell = await self._compared_and_set(checked)
        return self._codec.columns[column].value(change.key, cell)

    async def _compared_and_set(self, change: CheckedChange) -> Cell:
        for _ in range(MOST_TRIES):
            async with aclosing(self._db.read(change.plan)) as rows:
                found = [cell async for _, cells in rows for cell in cells]
            conditional, cell = change.attempt(found, now_micros())
            if await self._db.write_if(conditional):
                return cell
        raise self._outrun(change.key)

    def _outrun(self, key: bytes) -> ServerError:
        return ServerError(
            f"{self._schema.name}: row {key!r} of table {self._schema.table}: other writers came first "
            f"{MOST_TRIES} times in a row, and nothing was changed: use a counter for what is written so often"
        )


def _given(values: Mapping[str, T | None]) -> dict[str, T]:
    """What was given of some values that are None otherwise."""
    return {name: value for name, value in values.items() if value is not None}


def _each(
    made: Callable[[Any], Entry | Mutation], things: Iterable[Any]
) -> Iterator[Entry | Mutation | BtmodelError]:
    """The mutation of each thing; of one that has none, the error."""
    for thing in things:
        try:
            yield made(thing)
        except BtmodelError as error:
            yield error
