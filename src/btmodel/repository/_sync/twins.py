# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Dual writes: a row and its twins, written together."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, Unpack

from attrs import evolve

from btmodel.client.options import CallOptions
from btmodel.client.target import Mixed
from btmodel.declare import Fields, Model, Twins, schema_of
from btmodel.errors import (
    BtmodelError,
    QueryRefused,
    UndecodableCell,
    UndecodableKey,
    ValueRefused,
    WriteFailed,
)
from btmodel.repository.lazy import refuse_other_many
from btmodel.repository.model_codecs import bound
from btmodel.repository.rows_in_part import refuse_in_part
from btmodel.repository.tally import Repair, Tally, lists
from btmodel.rows import (
    RAW,
    Cell,
    Delete,
    Mutation,
    Planner,
    ReadPlan,
    RowCodec,
    RowDecoder,
    RowRange,
    Stored,
)
from btmodel.rows.cells import now_micros

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database
    from btmodel.client.row_streams import Stream
    from btmodel.repository._sync.changes import Changes

M = TypeVar("M", bound=Model)
# Rows that are encoded, and written to one table after the other, at a time.
ROWS = 1_000


def _whole_row(table: str, key: bytes) -> ReadPlan:
    return ReadPlan(table, (RowRange(key, key + b"\0"),), None)


def _is_there(wanted: Cell, newest: Cell | None) -> bool:
    """Whether a cell holds what it should, or what a later writer put there."""
    return newest is not None and (newest.value == wanted.value or newest.timestamp > wanted.timestamp)


class TwinRepository(Generic[M]):
    """Writes the rows of a model to its table and to those of its twins. ``btmodel generate`` writes its subclasses.

    ``parameters`` complete the ids of their tables and families, each those that it has.
    """

    def __init__(self, db: "Database", twins: Twins[M], /, **parameters: str) -> None:
        if not isinstance(db, Mixed):
            raise TypeError(f"{type(self).__name__}: expected a connection of connect(...), got {db!r}")
        self._db = db
        self._twins = twins
        unknown = parameters.keys() - {name for model in twins.models for name in schema_of(model).parameters}
        if unknown:
            raise QueryRefused(f"{type(self).__name__}: no model has the parameter {min(unknown)!r}")
        self._tables: list[str] = []
        self._codecs: dict[type[Model], RowCodec[Any]] = {}
        for model in twins.models:
            named = {name: parameters[name] for name in schema_of(model).parameters if name in parameters}
            schema, self._codecs[model] = bound(model, named)
            self._tables.append(schema.table)
            if model is twins.source:
                self._planner = Planner(schema)

    def with_options(self, **options: Unpack[CallOptions]) -> Self:
        """The same repository, whose calls have other options: ``quotes.with_options(deadline=0.2).get(...)``.

        It costs next to nothing, so it may be made for a single call. Raises :class:`SettingsError` for an option
        that is wrong, or that belongs to the connection.
        """
        other = copy(self)
        other._db = self._db.with_options(**options)
        return other

    def put(self, row: M) -> None:
        """Write a row and its twins, each atomic on its own, in the declared order.

        A row of which one twin cannot be encoded is refused before anything is sent.
        Where the function of a twin gives None, nothing is written to that table; of several
        rows each is written. Raises
        :class:`TwinsFailed`, which says what is in which table; writing again is safe.
        """
        self._refuse_parts("put")
        self._change(self._encoded(row), Tally(self._tables))

    def put_many(self, rows: Iterable[M], *, progress: Callable[[int], object] | None = None) -> int:
        """Write any number of rows, each with its twins, and return how many; memory stays flat.

        A row that fails in a table is not tried in the later ones. Rows that fail do not
        stop the others: :class:`TwinsFailed` lists each one, by table, at the end or after
        1,000 of them. ``progress`` is called with the number of rows that were tried, after each batch.
        """
        self._refuse_parts("put_many")
        return self._change_many(self._encoded, rows, Tally(self._tables), progress)

    def repair(self, changes: "Changes[Any]") -> "Stream[Repair]":
        """Follow the ``changes`` of the source and write the twins that its rows lack, as a writer that died left them; give each that was written.

        Each changed row is read, and its twins: one that is missing, or that lacks or has other cells than the row makes, is written
        with the time of the stored row, so that it covers nothing of a later writer. A row that is gone is left; one that cannot be
        decoded, or has no such twin, is given with its error. Give ``changes`` of a repository of the source, and iterate for as long as it is to go on. Raises what ``changes`` raises, :class:`QueryRefused` for those of another model or twins that write the source last,
        and what ``put`` raises.
        """
        source = schema_of(self._twins.source)
        if self._twins.source_last:
            raise QueryRefused(
                f"{type(self).__name__}.repair: the twins are written before {source.name}, so that its stream says nothing of a writer that "
                "died between: expected twins that are written after their source"
            )
        if changes.table != self._tables[0]:
            raise QueryRefused(
                f"{type(self).__name__}.repair: expected the changes of {source.name}, of table {self._tables[0]}, got those of table {changes.table}"
            )
        with changes:
            for change in changes:
                try:
                    lacking = self._lacking(change.raw_key)
                except (UndecodableCell, UndecodableKey, ValueRefused) as error:
                    yield Repair(change.raw_key, error=error)
                    continue
                for twin in lacking:
                    self._db.write(twin)
                    yield Repair(change.raw_key, twin.table, twin.key)

    def _lacking(self, key: bytes) -> list[Mutation]:
        """What is to be written to the twins of a stored row: those of whose cells one is not there."""
        codec = self._codecs[self._twins.source]
        stored: Stored[Any] | None = self._db.read_first(self._planner.row(key), codec.stored_rows())
        if stored is None:
            return []
        lacking = []
        for row in self._twins.rows(stored.row):
            if type(row) is self._twins.source:
                continue
            twin = self._codecs[type(row)].encode(Fields(row), stored.timestamp)
            there = self._db.read_first(_whole_row(twin.table, twin.key), RAW)
            newest: dict[tuple[str, bytes], Cell] = {}
            for cell in there or ():
                newest.setdefault(cell[:2], cell)
            wanted = [cell for cell in twin.cells if not _is_there(cell, newest.get(cell[:2]))]
            if wanted:
                lacking.append(evolve(twin, cells=wanted, deletes=()))
        return lacking

    def _refuse_parts(self, method: str) -> None:
        """Raise :class:`QueryRefused` where a row moves to a key that is made of columns, which a put may change."""
        if not self._twins.moving:
            return
        source, target = (schema_of(model) for model in self._twins.models)
        known = {field.name for field in source.key.asked}
        taken = [field.name for field in target.key.asked if field.name not in known]
        if taken:
            raise QueryRefused(
                f"{type(self).__name__}.{method}: the key of {target.name} is made of {', '.join(taken)}, which {source.name} holds in "
                "columns: a put would leave the row of an earlier value behind; use replace"
            )

    def _delete_key(self, fields: Mapping[str, Any]) -> bool:
        row = self._stored(self._codecs[self._twins.source].keys.encode(fields))
        if row is not None:
            self._delete(row)
        return row is not None

    def _stored(self, key: bytes) -> M | None:
        """The row of the source that is there."""
        codec = self._codecs[self._twins.source]
        row: M | None = self._db.read_first(
            self._planner.row(key), RowDecoder(codec.decode, codec.compiled_reader())
        )
        return row

    def _replace(self, row: M) -> None:
        """Write a row and its twins in the place of those that are there, and delete twins that it no longer has.

        Those go first: the stored row names them, and an interrupted call that is run again finds it as it was.
        """
        refuse_in_part(row, "replace")
        new = [
            [evolve(made, deletes=codec.replaced) for made in several]
            for codec, several in zip(self._codecs.values(), self._encoded(row), strict=True)
        ]
        kept = {(made.table, made.key) for several in new for made in several}
        stored = self._stored(self._codecs[self._twins.source].keys.of_row(row))
        if stored is not None:
            gone = [
                [mutation for mutation in several if (mutation.table, mutation.key) not in kept]
                for several in self._deletions(stored)
            ]
            if self._twins.moving:  # the source comes first, whatever happens to its twin
                new = [[*old, *made] for old, made in zip(gone, new, strict=True)]
            else:
                self._change(gone, Tally(self._back))
        self._change(new, Tally(self._tables))

    def _delete(self, row: M) -> None:
        self._change(self._deletions(row), Tally(self._back))

    def _delete_many(self, rows: Iterable[M], progress: Callable[[int], object] | None) -> int:
        return self._change_many(self._deletions, rows, Tally(self._back), progress)

    def _change(self, mutations: Sequence[Sequence[Mutation]], tally: Tally) -> None:
        with tally.noting():
            self._send({0: mutations}, tally)
        tally.check()

    def _change_many(
        self,
        made: Callable[[M], Sequence[Sequence[Mutation]]],
        rows: Iterable[M],
        tally: Tally,
        progress: Callable[[int], object] | None,
    ) -> int:
        refuse_other_many(f"{type(self).__name__}: a write of many", rows, self._twins.source, "put(...)")
        tried = 0
        with tally.noting():
            for chunk in lists(rows, ROWS):
                if tally.full:
                    tally.check(stopped=True)
                encoded: dict[int, Sequence[Sequence[Mutation]]] = {}
                for at, row in enumerate(chunk, tried):
                    try:
                        encoded[at] = made(row)
                    except BtmodelError as error:
                        tally.refused(at, error)
                self._send(encoded, tally)
                tried += len(chunk)
                if progress is not None:
                    progress(tried)
        tally.check()
        return tried

    def _send(self, encoded: dict[int, Sequence[Sequence[Mutation]]], tally: Tally) -> None:
        """Write a batch to one table after the other; a row that failed is left out of the later ones."""
        for index, table in enumerate(tally.tables):
            rows = [(at, made) for at, of in encoded.items() for made in of[index]]
            try:
                self._db.write_many(table, (made for _, made in rows))
                tally.written[index] += len(rows)
            except WriteFailed as error:
                tally.written[index] += error.written
                for failure in error.failures:
                    at, _ = rows[failure.index]
                    tally.failed(at, index, failure, encoded.pop(at, ()))

    def _encoded(self, row: M) -> Sequence[Sequence[Mutation]]:
        if type(row) is not self._twins.source:
            wanted = f"an instance of {self._twins.source.__name__}"
            raise ValueRefused(wanted, row, where=type(self).__name__)
        now = now_micros()
        rows = self._twins.by_model(row)
        return [[self._codecs[type(one)].encode(Fields(one), now) for one in several] for several in rows]

    def _deletions(self, row: M) -> Sequence[Sequence[Mutation]]:
        """The deletions of a row and its twins, in the order of deleting; raises :class:`QueryRefused` for a row that was read in part, which does not name all its twins."""
        refuse_in_part(row, "delete")
        encoded = self._encoded(row)
        return [
            [Mutation(made.table, made.key, deletes=(Delete(),)) for made in several]
            for several in (encoded if self._twins.moving else reversed(encoded))
        ]

    @property
    def _back(self) -> list[str]:
        """The tables in the order of deleting: that of writing backwards, unless rows move."""
        return self._tables if self._twins.moving else self._tables[::-1]


class OwnedTwinRepository(TwinRepository[M]):
    """The same of twins that no two rows share, whose rows can be replaced and deleted with them.

    Of such twins, the classes that ``btmodel generate`` writes have these methods as well, with the fields of the key as parameters. Raises
    :class:`QueryRefused` for twins of which two rows may have the same.
    """

    def __init__(self, db: "Database", twins: Twins[M], /, **parameters: str) -> None:
        super().__init__(db, twins, **parameters)
        if not twins.one_to_one:
            raise QueryRefused(
                f"{type(self).__name__}: expected twins that no two rows share, so that each goes with its row: twins whose keys have all that the key of "
                f"{twins.source.__name__} is made of, or bt.twins(..., owned=True)"
            )

    def replace(self, row: M) -> None:
        """Write a row and its twins in the place of those that are there.

        The stored row is read, and its twins that ``row`` does not have are deleted. Then all rows are written whole, but
        for counters, which stay. Raises :class:`TwinsFailed`,
        which says what is done in which table; replacing again is safe, and completes it.
        """
        self._replace(row)

    def delete(self, row: M) -> None:
        """Delete a row and its twins.

        The row must be as it was written, for the keys of its twins follow from its attributes. Raises :class:`TwinsFailed`, which says what
        is done in which table; deleting again is safe.
        """
        self._delete(row)

    def delete_many(self, rows: Iterable[M], *, progress: Callable[[int], object] | None = None) -> int:
        """Delete any number of rows, each with its twins, and return how many; they are as :meth:`delete` takes them.

        Rows that fail do not stop the others: :class:`TwinsFailed` lists each one, by table, at the end or after 1,000 of them. ``progress``
        is called with the number of rows that were tried, after each batch.
        """
        return self._delete_many(rows, progress)

    def delete_key(self, **fields: Any) -> bool:
        """Delete the row of this key and its twins, whose keys follow from the stored row; return whether there was one.

        Raises what :meth:`delete` does, and :class:`QueryRefused` unless ``fields`` are those of the key.
        """
        return self._delete_key(fields)
