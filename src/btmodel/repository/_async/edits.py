"""Edits of rows: a row's steps in one mutation, counters and values that are added to, and what is written under a condition."""

from collections.abc import AsyncIterable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar, overload

from attrs import evolve, frozen

from btmodel.declare import Model, schema_of
from btmodel.errors import LaterRow, MissingRow, QueryRefused, ValueRefused, shown
from btmodel.repository.lazy import (
    refuse_other_begin,
    refuse_other_many_async,
)
from btmodel.repository.model_codecs import Reader, of_otherwise
from btmodel.repository.tally import MOST_TRIES, AsyncMany, EditTally, Progress, all_made_async, given, outrun
from btmodel.rows import (
    DELETED,
    RAW,
    Cell,
    CheckedChange,
    Condition,
    Conditional,
    Edits,
    FirstCells,
    Mutation,
    ReadModifyWrite,
    ReadPlan,
    RowCodec,
    RowEdit,
    RowRange,
    WithoutValues,
    conditional,
    missing_row,
    when,
)
from btmodel.rows.cells import now_micros
from btmodel.rows.conditions import All, Not, Test, asked, later_than, negated
from btmodel.rows.edits import EditStep
from btmodel.rows.filters import chain
from btmodel.schema import ModelSchema

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._async.database import AsyncDatabase


M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")
T = TypeVar("T")


@frozen(eq=False)
class AsyncEdit(Generic[M]):
    """What is to be done to one row, step by step, in one atomic mutation. ``edit`` of a repository gives it.

    It is a value: each method gives a new edit, with one step more, and leaves this one as it is. Nothing is
    sent before ``apply``. Its steps are done in their order. Applying one twice is safe, unless it adds to counters.
    """

    _repository: "AsyncEdited[M, Any]"
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


class AsyncEdited(Generic[M, K]):
    """The part of a repository that changes rows by edits, and by what it finds in them."""

    model: ClassVar[type[Any]]
    _db: "AsyncDatabase"
    _reader: Reader[M, K]
    _codec: RowCodec[M]
    _schema: ModelSchema
    _edits: Edits

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
