"""Repositories of time buckets: events written and read."""

from collections.abc import AsyncIterable, Callable, Iterable
from contextlib import aclosing
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from btmodel.client.row_streams import AsyncStream
from btmodel.errors import ValueRefused
from btmodel.repository._async.repository import AsyncRepository, K, M, R
from btmodel.repository.lazy import UNDECODABLE, AsyncItems, OnError, refuse_other_many_async, tell
from btmodel.repository.tally import all_made_async
from btmodel.rows import EventCodec, Mutation, ReadPlan
from btmodel.rows.cells import now_micros
from btmodel.words import one

if TYPE_CHECKING:
    # Not at run time: importing a repository should not load Google's client.
    from btmodel.client._async.database import AsyncDatabase

E = TypeVar("E")


class AsyncEventRepository(AsyncRepository[M, K, R], Generic[M, K, R, E]):
    """Rows of a model whose rows are time buckets, and the events in them."""

    event: ClassVar[type[Any]]

    def __init__(self, db: "AsyncDatabase", /, **parameters: str) -> None:
        super().__init__(db, **parameters)
        self._events_of: EventCodec[E] = EventCodec(self._schema, type(self).event)

    async def append_many(
        self,
        events: Iterable[E] | AsyncIterable[E],
        *,
        progress: Callable[[int], object] | None = None,
    ) -> int:
        """Append any number of events, as ``put_many`` writes rows; return how many."""
        where = f"{type(self).__name__}.append_many"
        refuse_other_many_async(where, events, type(self).event, "append(...)")
        mutations = all_made_async(self._appended, events)
        return await self._db.write_many(self._schema.table, mutations, progress)

    def _appended(self, event: E) -> Mutation:
        if not isinstance(event, type(self).event):
            raise ValueRefused(one(type(self).event.__name__), event, where=type(self).__name__)
        return self._events_of.mutation(event, now_micros())

    async def _append(self, at: datetime, **values: Any) -> None:
        await self._db.write(self._events_of.append(at, values, now_micros()))

    def _events(
        self, start: datetime, end: datetime, on_error: OnError | None, **values: Any
    ) -> AsyncItems[E]:
        return self._lazy("events", partial(self._read_events, start, end, on_error, **values))

    def _newest_events(
        self,
        most: int,
        start: datetime | None,
        end: datetime | None,
        on_error: OnError | None,
        /,
        **values: Any,
    ) -> AsyncItems[E]:
        plan = self._events_of.newest(values, start, end, most)
        return self._lazy("newest_events", partial(self._read_newest, plan, most, start, end, on_error))

    def _lazy(self, method: str, stream: Callable[[], AsyncStream[E]]) -> AsyncItems[E]:
        """The events of a stream, which is made anew for each loop over them."""
        return AsyncItems(
            stream,
            type(self).__name__,
            f".{method}(...)",
            "event",
            "",  # a loop that ends early reads no further
            "`{all} != []`",
            "`len({all})`",
            "repository",
        )

    async def _read_events(
        self, start: datetime, end: datetime, on_error: OnError | None, /, **values: Any
    ) -> AsyncStream[E]:
        async with aclosing(self._db.read(self._events_of.plan(values, start, end))) as rows:
            async for key, cells in rows:
                try:
                    events = list(self._events_of.decode(key, cells, start, end))
                except UNDECODABLE as error:
                    tell(error, on_error)
                    continue
                for event in events:
                    yield event

    async def _read_newest(
        self,
        plan: ReadPlan,
        most: int,
        start: datetime | None,
        end: datetime | None,
        on_error: OnError | None,
    ) -> AsyncStream[E]:
        left = most
        async with aclosing(self._db.read(plan)) as rows:
            async for key, cells in rows:
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
