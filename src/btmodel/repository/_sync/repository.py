# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""What generated repositories stand on: the reads and writes of one model."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from btmodel.client.streams import Stream
from btmodel.declare import Fields, Model, codec_of, schema_of
from btmodel.errors import BtmodelError, ValueRefused
from btmodel.repository.clock import now_micros
from btmodel.rows import EventCodec, Mutation, Planner, ReadPlan
from btmodel.schema import Query

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database

M = TypeVar("M", bound=Model)
E = TypeVar("E")


class Repository(Generic[M]):
    """Rows of one model in a database. ``btmodel generate`` writes its subclasses."""

    model: ClassVar[type[Any]]

    def __init__(self, db: "Database") -> None:
        if not hasattr(db, "__enter__"):
            raise TypeError(f"{type(self).__name__}: wanted a connection of connect(...), got {db!r}")
        self._db = db
        self._codec = codec_of(self.model)
        self._schema = schema_of(self.model)
        self._planner = Planner(self._schema)

    def put(self, row: M) -> None:
        """Write one row. An attribute that is None leaves its cell in the table as it is.

        Raises :class:`ValueRefused` before anything is sent, :class:`MissingTable`,
        :class:`MissingFamily` and :class:`ServerError`. Writing again is safe.
        """
        self._db.write(self._mutation(row))

    def put_many(self, rows: Iterable[M], *, progress: Callable[[int], object] | None = None) -> int:
        """Write any number of rows in batches and return how many; memory stays flat.

        Each row is written whole or not at all. Rows that fail do not stop the others:
        :class:`WriteFailed` lists each one with its reason, at the end or after 1,000 of
        them. ``progress`` is told the number of rows written so far, after each batch.
        """
        return self._db.write_many(self._schema.table, self._mutations(rows), progress)

    def _mutation(self, row: M) -> Mutation:
        if type(row) is not self.model:
            raise ValueRefused(f"an instance of {self.model.__name__}", row, where=type(self).__name__)
        return self._codec.encode(Fields(row), now_micros())

    def _mutations(self, rows: Iterable[M]) -> Iterator[Mutation | BtmodelError]:
        for row in rows:
            try:
                yield self._mutation(row)
            except BtmodelError as error:
                yield error

    def _get(self, **key: Any) -> M | None:
        with closing(self._read(self._planner.row(key))) as rows:
            for row in rows:
                return row
        return None

    def _delete(self, **key: Any) -> None:
        self._db.delete(self._schema.table, self._codec.keys.encode(key))

    def _query(self, query: Query, values: Mapping[str, Any], limit: int | None) -> Stream[M]:
        return self._read(self._planner.query(query, values).limited(limit))

    def _read(self, plan: ReadPlan) -> Stream[M]:
        decode = self._codec.decode
        with closing(self._db.read(plan)) as rows:
            for key, cells in rows:
                yield decode(key, cells)


class EventRepository(Repository[M], Generic[M, E]):
    """Rows of a model whose rows are time buckets, and the events in them."""

    event: ClassVar[type[Any]]

    def __init__(self, db: "Database") -> None:
        super().__init__(db)
        self._events_of: EventCodec[E] = EventCodec(self._schema, type(self).event)

    def append_many(self, events: Iterable[E], *, progress: Callable[[int], object] | None = None) -> int:
        """Append any number of events, as ``put_many`` writes rows; return how many."""
        mutations = self._appended_all(events)
        return self._db.write_many(self._schema.table, mutations, progress)

    def _appended_all(self, events: Iterable[E]) -> Iterator[Mutation | BtmodelError]:
        for event in events:
            try:
                if not isinstance(event, type(self).event):
                    raise ValueRefused(f"a {type(self).event.__name__}", event, where=type(self).__name__)
                yield self._events_of.mutation(event, now_micros())
            except BtmodelError as error:
                yield error

    def _append(self, at: datetime, **values: Any) -> None:
        self._db.write(self._events_of.append(at, values, now_micros()))

    def _events(self, start: datetime, end: datetime, **values: Any) -> Stream[E]:
        with closing(self._db.read(self._events_of.plan(values, start, end))) as rows:
            for key, cells in rows:
                for event in self._events_of.decode(key, cells, start, end):
                    yield event
