"""Requests that are under way at the same time, and none of them once they are stopped."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator
from concurrent import futures
from contextlib import contextmanager, suppress
from threading import Event, Lock
from typing import Any

AT_ONCE = 8  # requests

AsyncFlight = asyncio.Task[None]
Flight = futures.Future[None]


class AsyncFlights:
    """Work that goes on in tasks of the running event loop."""

    def __init__(self) -> None:
        self._tasks: set[AsyncFlight] = set()
        self._stopped = False

    def stopped(self) -> bool:
        """Whether all work is to end."""
        return self._stopped

    def start(self, work: Callable[[], Awaitable[None]]) -> AsyncFlight:
        """Begin to do ``work``."""
        task = asyncio.ensure_future(_done(work))
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def step(self) -> None:
        """Let the work go on for a step, and others in the event loop: encoding rows never waits."""
        await asyncio.sleep(0)

    async def landed(self, flights: Collection[AsyncFlight]) -> None:
        """Wait until one of them is done."""
        await asyncio.wait(flights, return_when=asyncio.FIRST_COMPLETED)

    @contextmanager
    def calling(self, call: Any) -> Iterator[Any]:
        """Use the answer of ``call``, which ends with this block, or where all work is stopped."""
        try:
            yield call
        finally:
            call.cancel()

    async def pause(self, seconds: float) -> None:
        """Wait before a request is made again."""
        await asyncio.sleep(seconds)

    async def end(self) -> None:
        """Wait until all work is done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        """End all work, and wait until it has ended."""
        self._stopped = True
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            # Whoever waits here may be told to stop once more, which is what is being done.
            with suppress(asyncio.CancelledError):
                await asyncio.wait(self._tasks)

    def _ended(self, task: AsyncFlight) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # asyncio would complain of one that nobody has looked at


class Flights:
    """The same in threads; there are as many as there is work at once, up to ``AT_ONCE``."""

    def __init__(self) -> None:
        self._threads: futures.ThreadPoolExecutor | None = None
        self._calls: set[Any] = set()
        self._lock = Lock()
        self._stop = Event()

    def stopped(self) -> bool:
        """Whether all work is to end."""
        return self._stop.is_set()

    def start(self, work: Callable[[], None]) -> Flight:
        """Begin to do ``work``."""
        if self._threads is None:
            self._threads = futures.ThreadPoolExecutor(AT_ONCE, "btmodel-write")
        return self._threads.submit(work)

    def step(self) -> None:
        """Threads go on by themselves."""

    def landed(self, flights: Collection[Flight]) -> None:
        """Wait until one of them is done."""
        futures.wait(flights, return_when=futures.FIRST_COMPLETED)

    @contextmanager
    def calling(self, call: Any) -> Iterator[Any]:
        """Use the answer of ``call``, which ends with this block, or where all work is stopped."""
        with self._lock:
            self._calls.add(call)
        try:
            if self.stopped():
                call.cancel()
            yield call
        finally:
            with self._lock:
                self._calls.discard(call)
            call.cancel()

    def pause(self, seconds: float) -> None:
        """Wait before a request is made again."""
        self._stop.wait(seconds)

    def end(self) -> None:
        """Wait until all work is done."""
        if self._threads is not None:
            self._threads.shutdown()

    def stop(self) -> None:
        """End all work, and wait until it has ended."""
        self._stop.set()
        with self._lock:
            calls = list(self._calls)
        for call in calls:
            call.cancel()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)


async def _done(work: Callable[[], Awaitable[None]]) -> None:
    await work()
