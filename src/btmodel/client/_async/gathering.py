"""Several streams at the same time, given as one."""

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Generic, TypeVar

from attrs import define, field

from btmodel.client.streams import AsyncStream
from btmodel.client.tasks import AsyncCondition, AsyncTasks

T = TypeVar("T")

HELD = 8  # items of a stream that wait to be given, of each worker


@define
class AsyncGathering(Generic[T]):
    """The items of all ``streams``, of which at most ``workers`` are open.

    ``ordered`` is whether the items of one come behind all those of the streams before it, or as they
    arrive. Not more than ``workers * HELD`` items wait. Where a stream raises, what came
    before is given first, then all others end. So they do where the loop is left.
    """

    streams: Sequence[Callable[[], AsyncStream[T]]]
    tasks: AsyncTasks
    workers: int
    ordered: bool
    _changed: AsyncCondition = field(init=False, factory=AsyncCondition)
    _held: dict[int, deque[T]] = field(init=False, factory=dict)
    _ended: dict[int, Exception | None] = field(init=False, factory=dict)
    _next: int = field(init=False, default=0)  # stream to open
    _given: int = field(init=False, default=0)  # streams, of which nothing is left
    _stopped: bool = field(init=False, default=False)

    async def items(self) -> AsyncStream[T]:
        """The items. To be iterated once, and closed."""
        try:
            for _ in range(min(self.workers, len(self.streams))):
                self.tasks.start(self._work)
            while self._given < len(self.streams):
                self.tasks.home.check()
                async with self._changed:
                    while (at := self._ready()) is None:
                        await self._changed.wait()
                    some, error = list(self._held[at]), None
                    self._held[at].clear()
                    if at in self._ended:
                        error = self._ended.pop(at)
                        del self._held[at]
                        self._given += 1
                    self._changed.notify_all()
                for item in some:
                    yield item
                if error is not None:
                    raise error
        finally:
            await self._stop()

    async def _stop(self) -> None:
        if not self.tasks.home.here:
            return  # in a fork, where the workers are not, and would be waited for
        try:
            async with self._changed:
                self._stopped = True
                self._changed.notify_all()
        finally:
            await self.tasks.stop()

    def _ready(self) -> int | None:
        """The stream whose turn it is, if something of it can be given."""
        candidates = (self._given,) if self.ordered else self._held
        return next((at for at in candidates if self._held.get(at) or at in self._ended), None)

    async def _work(self) -> None:
        """Open one stream after the other."""
        while (at := await self._begun()) is not None:
            error = None
            try:
                async with aclosing(self.streams[at]()) as stream:
                    async for item in stream:
                        if not await self._put(at, item):
                            return
            except Exception as failed:
                error = failed
            async with self._changed:
                self._ended[at] = error
                self._changed.notify_all()

    async def _begun(self) -> int | None:
        """The stream to open, once there is room for what it gives; None where there is none."""
        async with self._changed:
            # What waits of streams that have ended counts as well.
            while not self._stopped and self._next < len(self.streams) and len(self._held) >= self.workers:
                await self._changed.wait()
            if self._stopped or self._next == len(self.streams):
                return None
            at = self._next
            self._next += 1
            self._held[at] = deque()
            return at

    async def _put(self, at: int, item: T) -> bool:
        """Hold an item until it is given; False where nobody wants it."""
        async with self._changed:
            while not self._stopped and len(self._held[at]) >= HELD:
                await self._changed.wait()
            self._held[at].append(item)
            self._changed.notify_all()
            return not self._stopped
