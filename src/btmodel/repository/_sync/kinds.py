# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Repositories of time buckets, whose events are written and read; and of views, which only read, and lead from a row to that of the table which it was made of."""

from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, TypeVar

from btmodel.client.row_streams import Stream
from btmodel.declare import Model, codec_of, schema_of
from btmodel.errors import ValueRefused
from btmodel.repository._sync.repository import READ_AT_ONCE, K, M, R, Repository
from btmodel.repository._sync.rows import Rows
from btmodel.repository.lazy import UNDECODABLE, Items, OnError, refuse_other_many, tell
from btmodel.repository.tally import all_made
from btmodel.rows import EventCodec, Mutation, Planner, ReadPlan, RowDecoder
from btmodel.rows.cells import now_micros
from btmodel.words import one

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database


E = TypeVar("E")
F = TypeVar("F", bound=str)
S = TypeVar("S", bound=Model)


class EventRepository(Repository[M, K, R], Generic[M, K, R, E]):
    """Rows of a model whose rows are time buckets, and the events in them."""

    event: ClassVar[type[Any]]

    def __init__(self, db: "Database", /, **parameters: str) -> None:
        super().__init__(db, **parameters)
        self._events_of: EventCodec[E] = EventCodec(self._schema, type(self).event)

    def append_many(
        self,
        events: Iterable[E],
        *,
        progress: Callable[[int], object] | None = None,
    ) -> int:
        """Append any number of events, as ``put_many`` writes rows; return how many."""
        where = f"{type(self).__name__}.append_many"
        refuse_other_many(where, events, type(self).event, "append(...)")
        mutations = all_made(self._appended, events)
        return self._db.write_many(self._schema.table, mutations, progress)

    def _appended(self, event: E) -> Mutation:
        if not isinstance(event, type(self).event):
            raise ValueRefused(one(type(self).event.__name__), event, where=type(self).__name__)
        return self._events_of.mutation(event, now_micros())

    def _append(self, at: datetime, **values: Any) -> None:
        self._db.write(self._events_of.append(at, values, now_micros()))

    def _events(self, start: datetime, end: datetime, on_error: OnError | None, **values: Any) -> Items[E]:
        return self._lazy("events", partial(self._read_events, start, end, on_error, **values))

    def _newest_events(
        self,
        most: int,
        start: datetime | None,
        end: datetime | None,
        on_error: OnError | None,
        /,
        **values: Any,
    ) -> Items[E]:
        plan = self._events_of.newest(values, start, end, most)
        return self._lazy("newest_events", partial(self._read_newest, plan, most, start, end, on_error))

    def _lazy(self, method: str, stream: Callable[[], Stream[E]]) -> Items[E]:
        """The events of a stream, which is made anew for each loop over them."""
        return Items(
            stream,
            type(self).__name__,
            f".{method}(...)",
            "event",
            "",  # a loop that ends early reads no further
            "`{all} != []`",
            "`len({all})`",
            "repository",
        )

    def _read_events(
        self, start: datetime, end: datetime, on_error: OnError | None, /, **values: Any
    ) -> Stream[E]:
        with closing(self._db.read(self._events_of.plan(values, start, end))) as rows:
            for key, cells in rows:
                try:
                    events = list(self._events_of.decode(key, cells, start, end))
                except UNDECODABLE as error:
                    tell(error, on_error)
                    continue
                for event in events:
                    yield event

    def _read_newest(
        self,
        plan: ReadPlan,
        most: int,
        start: datetime | None,
        end: datetime | None,
        on_error: OnError | None,
    ) -> Stream[E]:
        left = most
        with closing(self._db.read(plan)) as rows:
            for key, cells in rows:
                try:
                    events = list(self._events_of.decode(key, cells, start, end))
                except UNDECODABLE as error:
                    tell(error, on_error)
                    continue
                for event in reversed(events):
                    yield event
                    left -= 1
                    if not left:
                        return


class _NoWriter:
    """Stands where repositories of tables have a method that writes."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise AttributeError(
            f"{owner.__name__} has no {self._name}: nothing is written to a view, which the service keeps of a table: write to that"
        )


# For type checkers None, which cannot be called.
_NONE: Any = _NoWriter


class ViewRows(Rows[M, K, F]):
    """Rows of a view, which are read when they are iterated."""

    delete: None = _NONE()  # type: ignore[assignment]


class ViewRepository(Repository[M, K, R]):
    """Rows of one view. ``btmodel generate`` writes its subclasses. A view lags behind its table."""

    put: None = _NONE()  # type: ignore[assignment]
    put_many: None = _NONE()  # type: ignore[assignment]
    put_arrow: None = _NONE()  # type: ignore[assignment]
    put_cells: None = _NONE()  # type: ignore[assignment]
    writer: None = _NONE()  # type: ignore[assignment]
    put_if_absent: None = _NONE()  # type: ignore[assignment]
    replace: None = _NONE()  # type: ignore[assignment]
    replace_many: None = _NONE()  # type: ignore[assignment]
    delete_many: None = _NONE()  # type: ignore[assignment]
    changes: None = _NONE()  # type: ignore[assignment]
    apply_many: None = _NONE()  # type: ignore[assignment]

    def _sources(self, source: type[S], rows: Iterable[M]) -> list[S | None]:
        """The rows of the table of ``source`` that ``rows`` were made of, in their order."""
        view = self._schema.view
        names = {of: name for name, of in view.fields} if view else {}
        codec, schema = codec_of(source), schema_of(source)
        decoder = RowDecoder(partial(codec.decode, only=None, whole=True), codec.compiled_reader(None))
        asked = [part.name for part in schema.key.asked]
        raws = []
        for row in rows:
            if not isinstance(row, self.model):
                raise ValueRefused(
                    f"a row of {self._schema.name}", row, where=f"{type(self).__name__}.sources"
                )
            raws.append(codec.keys.encode({name: getattr(row, names[name]) for name in asked}))
        wanted = list(dict.fromkeys(raws))
        found: dict[bytes, S] = {}
        for at in range(0, len(wanted), READ_AT_ONCE):
            plan = Planner(schema).keys(wanted[at : at + READ_AT_ONCE])
            with closing(self._db.read_batches(plan, decoder)) as batches:
                for batch in batches:
                    found.update(zip(batch.keys, batch.rows, strict=True))
        return [found.get(raw) for raw in raws]
