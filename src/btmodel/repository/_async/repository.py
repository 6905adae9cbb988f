"""The base of generated repositories: reads and writes of one model."""

from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar, Unpack, overload

from attrs import evolve, frozen

from btmodel.client.options import CallOptions
from btmodel.client.target import AsyncMixed
from btmodel.declare import Fields, Model, schema_of
from btmodel.errors import LaterRow, MissingRow, QueryRefused, ValueRefused, shown
from btmodel.repository._async.changes import AsyncFollowed
from btmodel.repository._async.rows import AsyncRows
from btmodel.repository.lazy import (
    EntryNames,
    OnError,
    Skipped,
    Times,
    refuse_other_begin,
    refuse_other_many,
    refuse_other_many_async,
    skipping,
    tell,
)
from btmodel.repository.model_codecs import At, Reader, of_otherwise, of_values, refuse_stale, times_of
from btmodel.repository.rows_in_part import refuse_in_part
from btmodel.repository.tally import MOST_TRIES, AsyncMany, EditTally, Progress, all_made_async, given, outrun
from btmodel.rows import (
    DELETED,
    RAW,
    Cell,
    CheckedChange,
    Condition,
    Conditional,
    Delete,
    Edits,
    Entry,
    FirstCells,
    Mutation,
    Planner,
    ReadModifyWrite,
    ReadPlan,
    RowEdit,
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
from btmodel.rows.edits import EditStep
from btmodel.rows.filters import chain
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


@frozen(eq=False)
class AsyncEdit(Generic[M]):
    """What is to be done to one row, step by step, in one atomic mutation. ``edit`` of a repository gives it.

    It is a value: each method gives a new edit, with one step more, and leaves this one as it is. Nothing is
    sent before ``apply``. Its steps are done in their order. Applying one twice is safe, unless it adds to counters.
    """

    _repository: "AsyncRepository[M, Any, Any]"
    _row: RowEdit

    def __repr__(self) -> str:
        steps = self._row.steps
        shown = f"\n{self._row.mutation(now_micros())}" if steps else ""
        return f"{type(self).__name__}, {'not applied yet' if steps else 'without a step'}{shown}"

    def delete(self) -> Self:
        """Delete the row, with every cell in it. What is set in later steps of the edit begins it anew."""
        return self._with(DELETED)

    @overload
    async def apply(self, *, begin: bool | None = None) -> None: ...
    @overload
    async def apply(
        self, *, when: Condition, otherwise: "Self | None" = None, begin: Literal[True] | None = None
    ) -> bool: ...
    async def apply(
        self, *, when: Condition | None = None, otherwise: "Self | None" = None, begin: bool | None = None
    ) -> bool | None:
        """Make the edit: all of its steps at once, or nothing of it.

        A row that is not there begins with it, unless it would lack what the model requires: then the row must be
        there, and it is a :class:`MissingRow` where it is not. ``begin=False`` wants that of every row, and
        ``begin=True`` writes without a look, also a row that no read can decode before the rest is put.

        With ``when``, a condition that ``when`` of the repository gives, the edit is made only if it holds, and
        ``otherwise``, another edit of the same row, if it does not: the server looks and writes in one step. Says
        whether the condition held, and nothing else. What is set is then read, whatever clock wrote the row before.
        Where it could begin a row that no read can decode, it is a :class:`QueryRefused`, but for ``begin=True``. Raises :class:`QueryRefused` for an edit without steps, :class:`LaterRow` where a row of a time of its own
        comes late, and what ``put`` raises.
        """
        repository = self._repository
        if when is None and otherwise is None:
            await repository._apply(self._row, begin)
            return None
        where = f"{self._row.edits.model.name}: apply"
        if when is None:
            raise QueryRefused(
                f"{where}: expected a condition, when=, that chooses between the edit and otherwise=, got none"
            )
        if begin is not None and begin is not True:
            raise QueryRefused(
                f"{where}: expected when= without begin=False: make it a part of the condition that the row is there, "
                "`& repository.when(bt.present())`"
            )
        other = None if otherwise is None else repository._own(otherwise)
        return await repository._apply_when(self._row, when, other, begin=begin is True)

    def _with(self, step: EditStep) -> Self:
        return evolve(self, row=self._row.then(step))

    def _set(self, values: Mapping[str, Any]) -> Self:
        return self._with(self._row.edits.set(self._row.fields, values))

    def _clear(self, columns: Sequence[str], start: datetime | None, end: datetime | None) -> Self:
        return self._with(self._row.edits.clear(columns, start, end))

    def _clear_family(self, families: Sequence[str]) -> Self:
        return self._with(self._row.edits.clear_families(map(self._repository._family, families)))

    def _remove(
        self,
        entries: Mapping[str, Iterable[Any] | None],
        start: datetime | None = None,
        end: datetime | None = None,
    ) -> Self:
        return self._with(self._row.edits.remove(given(entries), start, end))

    def _add(self, amounts: Mapping[str, Any], at: datetime | None = None) -> Self:
        return self._with(self._row.edits.add(given(amounts), at))


class AsyncRepository(AsyncFollowed[M, K], Generic[M, K, R]):
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
        """Write one row in the place of the one that is there: what ``row`` does not hold is gone.

        Every cell goes, those that the model does not know and counters too; the deletion
        and the writing are one step. Raises what ``put`` does, and :class:`QueryRefused` for a row
        of which a read has left out entries, versions or times.
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
        raise outrun(self._schema, mutation.key)

    async def _holds(self, key: bytes, test: Test) -> bool:
        filter, present = asked(test)
        one = chain([filter, FirstCells(1), WithoutValues()])
        plan = ReadPlan(self._schema.table, (RowRange.of_key(key),), one, limit=1)
        return (await self._db.read_first(plan, RAW) is not None) is present

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

    async def _increment(self, key: K, column: str, by: int, *entry: Any) -> int:
        change = self._edits.increment(self._reader.raw(key), column, by, *entry)
        value: int = await self._modified(change, column, *entry)
        return value

    async def _extend(self, key: K, column: str, value: T) -> T:
        extended: T = await self._modified(self._edits.extend(self._reader.raw(key), column, value), column)
        return extended

    async def _add(self, key: K, amounts: Mapping[str, Any], at: datetime | None = None) -> None:
        await self._apply(self._edit(key).then(self._edits.add(given(amounts), at)))

    async def _clear(self, key: K, columns: Sequence[str]) -> None:
        await self._apply(self._edit(key).then(self._edits.clear(columns)))

    async def _remove(self, key: K, entries: Mapping[str, Iterable[Any] | None]) -> None:
        await self._apply(self._edit(key).then(self._edits.remove(given(entries))))

    async def _update(self, key: K, values: Mapping[str, Any], begin: bool | None) -> None:
        await self._apply(self._edit(key).then(self._set(key, values)), begin)

    async def _update_many(self, rows: AsyncMany, begin: bool | None, progress: Progress | None) -> int:
        def made(row: tuple[K, Any]) -> Mutation | Conditional:
            if not (isinstance(row, tuple) and len(row) == 2 and isinstance(row[1], Mapping)):
                wanted = "a pair of a key and the values of columns, by their names"
                raise ValueRefused(wanted, row, where=f"{type(self).__name__}.update_many")
            return self._edited(self._edit(row[0]).then(self._set(*row)), begin)

        refuse_other_begin(self._schema.name, begin)
        return await self._apply_many(made, rows, progress)

    async def apply_many(
        self,
        edits: "Iterable[AsyncEdit[M]] | AsyncIterable[AsyncEdit[M]]",
        *,
        begin: bool | None = None,
        progress: Progress | None = None,
    ) -> int:
        """Apply any number of edits, each of one row, in their order; return how many.

        They go in batches, as ``put_many`` writes rows, but for those whose row must be there: each of these is a
        request of its own (``CheckAndMutate``), of which as many are under way as ``requests_in_flight`` says, none of
        them of the same row, and a row that is not there is a :class:`MissingRow` among the failures. ``begin`` is that of ``apply``. Raises :class:`WriteFailed` as
        ``put_many`` does.
        """

        def made(edit: AsyncEdit[M]) -> Mutation | Conditional:
            return self._edited(self._own(edit), begin)

        refuse_other_begin(self._schema.name, begin)
        refuse_other_many_async(f"{type(self).__name__}.apply_many", edits, AsyncEdit, "edit.apply()")
        return await self._apply_many(made, edits, progress)

    def _own(self, edit: "AsyncEdit[M]") -> RowEdit:
        if not isinstance(edit, AsyncEdit) or edit._row.edits.model != self._schema:
            wanted = f"an edit of this repository, as edit(...) gives it, of the table {self._schema.table}"
            raise ValueRefused(wanted, edit, where=type(self).__name__)
        return edit._row

    async def _apply_many(
        self, made: Callable[[Any], Mutation | Conditional], things: AsyncMany, progress: Progress | None
    ) -> int:
        from btmodel.repository._async.many_edits import AsyncManyEdits

        tally = EditTally(self._schema.table, progress)
        return await AsyncManyEdits(self._db, tally, self._missing).apply(all_made_async(made, things))

    def _family(self, id: str) -> str:
        """The id of a family in the table, of the one that is declared."""
        ids = [family.id for family in schema_of(self.model).families]
        return self._schema.families[ids.index(id)].id if id in ids else id

    def _edit(self, key: K) -> RowEdit:
        return RowEdit(self._edits, self._reader.fields(key), self._reader.raw(key))

    def _set(self, key: K, values: Mapping[str, Any]) -> EditStep:
        return self._edits.set(self._reader.fields(key), values, "update")

    async def _apply(self, edit: RowEdit, begin: bool | None = None) -> None:
        """Apply an edit, where its row is there if it has to be."""
        refuse_other_begin(self._schema.name, begin)
        write = self._edited(edit, begin)
        if isinstance(write, Mutation):
            if write.count:  # nothing is left to do where no entry was named
                await self._db.write(write)
        elif not await self._db.write_if(write):
            raise self._missing(edit.key)

    def _missing(self, key: bytes) -> MissingRow:
        return missing_row(self._schema, key)

    def _edited(self, edit: RowEdit, begin: bool | None) -> Mutation | Conditional:
        """What an edit sends: under the condition that its row is there, where it must not begin one."""
        mutation = edit.mutation(now_micros())
        conditional = None if begin else edit.if_there(mutation, whole=begin is False)
        return mutation if conditional is None or not mutation.count else conditional

    async def _apply_when(
        self, edit: RowEdit, condition: Condition, otherwise: RowEdit | None, *, begin: bool
    ) -> bool:
        """Apply one of two edits of a row, by whether a condition holds of it; whether it held."""
        test = when(self._schema, (condition,), {}).test
        if not begin:
            edit.refuse_beginning(test)
        mutations = [self._uncovered(edit)]
        if otherwise is not None:
            with of_otherwise():
                mutations.append(self._other(edit, otherwise, test, begin=begin))
        return await self._write_when(test, mutations[0], mutations[1] if otherwise else None, edit.time)

    def _other(self, edit: RowEdit, otherwise: RowEdit, test: Test, *, begin: bool) -> Mutation:
        """What is sent for the case that the condition of ``edit`` does not hold."""
        name = self._schema.name
        if otherwise.key != edit.key:
            raise QueryRefused(
                f"{name}: expected an edit of the same row, {shown(edit.key)}, got one of {shown(otherwise.key)}: "
                "the service changes one row at once"
            )
        if not begin:
            otherwise.refuse_beginning(negated(test))
        if otherwise.time is not None:
            raise QueryRefused(
                f"{name}: expected an edit that brings no time of the row's own, which may be late"
            )
        return self._uncovered(otherwise)

    def _uncovered(self, edit: RowEdit) -> Mutation:
        mutation = edit.mutation(now_micros())
        return mutation if edit.time is not None else self._codec.uncovered(mutation)

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
        return evolve(self._mutation(row), deletes=(Delete(),))

    def _deletion(self, key: K) -> Mutation:
        return Mutation(self._schema.table, self._reader.raw(key), deletes=(Delete(),))

    async def _write_many(
        self, made: Callable[[Any], Entry | Mutation], things: AsyncMany, progress: Progress | None
    ) -> int:
        refuse_other_many_async(f"{type(self).__name__}: a write of many", things, self.model, "put(...)")
        return await self._db.write_many(self._schema.table, all_made_async(made, things), progress)

    async def _modified(self, change: ReadModifyWrite, column: str, *entry: Any) -> Any:
        codec = self._edits.cell(column, *entry)
        if checked := self._edits.checked(change, codec):
            return codec.value(change.key, await self._compared_and_set(checked))
        [cell] = await self._db.modify(change)
        return codec.value(change.key, cell)

    async def _compared_and_set(self, change: CheckedChange) -> Cell:
        for _ in range(MOST_TRIES):
            async with aclosing(self._db.read(change.plan)) as rows:
                found = [cell async for _, cells in rows for cell in cells]
            conditional, cell = change.attempt(found, now_micros())
            if await self._db.write_if(conditional):
                return cell
        raise outrun(self._schema, change.key)
