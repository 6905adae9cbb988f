# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Repositories of time buckets: events written and read."""

from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from btmodel.client.row_streams import Stream
from btmodel.errors import ValueRefused
from btmodel.repository._sync.repository import K, M, R, Repository
from btmodel.repository.lazy import UNDECODABLE, Items, OnError, refuse_other_many, tell
from btmodel.repository.tally import all_made
from btmodel.rows import EventCodec, Mutation, ReadPlan
from btmodel.rows.cells import now_micros
from btmodel.words import one

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._sync.database import Database

E = TypeVar("E")


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
