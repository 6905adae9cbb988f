"""Many edits of one call: in batches, or, under a condition, as requests of their own, several of them at once."""

from collections.abc import AsyncIterable, Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from attrs import define, field

from btmodel.client.tasks import AsyncFlight, AsyncTasks
from btmodel.errors import BtmodelError, MissingRow
from btmodel.repository.tally import EditTally, each_async
from btmodel.rows import Conditional, Mutation
from btmodel.words import counted

if TYPE_CHECKING:
    from btmodel.client._async.database import AsyncDatabase

_AT_ONCE = 1_000  # edits in a batch
Write = Mutation | Conditional | BtmodelError


@define
class _Checked:
    """An edit under a condition that is under way: its place among all, and whether its row was there."""

    at: int
    write: Conditional
    there: bool | None = None

    async def send(self, db: "AsyncDatabase") -> None:
        self.there = await db.write_if(self.write)


@define
class AsyncManyEdits:
    """The edits of one call to a table, of which ``tally`` takes note.

    Edits of one row are made in their order: one waits for what is under way of its row, and a batch for all.
    """

    db: "AsyncDatabase"
    tally: EditTally
    missing: Callable[[bytes], MissingRow]
    _landed: int = field(init=False, default=0)
    _tasks: AsyncTasks = field(init=False)
    _under_way: dict[AsyncFlight, _Checked] = field(init=False, factory=dict)
    _batch: list[Mutation | BtmodelError] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self._tasks = AsyncTasks()

    async def apply(self, writes: Iterable[Write] | AsyncIterable[Write]) -> int:
        """Make the edits and return how many; raises :class:`WriteFailed`."""
        try:
            tried = await self._try_all(writes)
        except BaseException as error:
            await self._broken_off(error)
            raise
        finally:
            await self._tasks.stop()
        self.tally.check(stopped=not tried)
        return self.tally.written

    async def _try_all(self, writes: Iterable[Write] | AsyncIterable[Write]) -> bool:
        """Whether all were tried, and not so many of them failed that the rest were better not."""
        async for write in each_async(writes):
            if isinstance(write, Conditional):
                await self._send_batch()
                await self._room(write.mutation.key)
                if not self.tally.full:
                    self._start(write)
                    await self._tasks.step()
            else:
                self._batch.append(write)
                if len(self._batch) == _AT_ONCE:
                    await self._send_batch()
            if self.tally.full:
                await self._land_all()
                return False
        await self._send_batch()
        await self._land_all()
        return True

    async def _send_batch(self) -> None:
        if self._batch:
            await self._land_all()
            batch, self._batch = self._batch, []
            with self.tally.taking(self.tally.next(len(batch)), len(batch)):
                await self.db.write_many(self.tally.table, batch)

    async def _room(self, key: bytes) -> None:
        """Wait until another request may be made, of the row of this key. The first goes alone, as a table may be missing."""
        self._land()
        while self._under_way:
            most = min(self.db.options.requests_in_flight, 1 + self._landed)
            same = any(one.write.mutation.key == key for one in self._under_way.values())
            if len(self._under_way) < most and not same:
                return
            await self._tasks.landed(self._under_way)
            self._land()

    def _start(self, write: Conditional) -> None:
        checked = _Checked(self.tally.next(1), write)
        self._under_way[self._tasks.start(partial(checked.send, self.db))] = checked

    async def _land_all(self) -> None:
        while self._under_way:
            await self._tasks.landed(self._under_way)
            self._land()

    def _land(self) -> None:
        """Take note of what is done."""
        for flight in [flight for flight in self._under_way if flight.done()]:
            checked = self._under_way.pop(flight)
            self._landed += 1
            key = checked.write.mutation.key
            with self.tally.taking(checked.at, 1, key):
                flight.result()
                if not checked.there:
                    raise self.missing(key)

    async def _broken_off(self, error: BaseException) -> None:
        """Say with ``error`` what is done all the same."""
        self.tally.progress = None
        try:
            # Where the source of the edits failed, or a callback, what is under way can be waited for.
            if isinstance(error, Exception):
                await self._land_all()
        finally:
            under_way, tally = len(self._under_way), self.tally
            unknown = f"; {under_way} more may have been" if under_way else ""
            lost = f"; {len(tally.failures)} failed" if tally.failures else ""
            error.add_note(
                f"table {tally.table!r}: {counted(tally.written, 'edit')} made before this{lost}{unknown}"
            )
