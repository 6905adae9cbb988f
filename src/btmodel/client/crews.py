"""Workers that read on behalf of a loop, and are gone when it ends."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakSet

from attrs import frozen

from btmodel.client.calls import Calls

AsyncCondition = asyncio.Condition
Condition = threading.Condition


class AsyncCrew:
    """Workers that are tasks of the running event loop."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, work: Callable[[], Awaitable[None]]) -> None:
        """Begin to do ``work``, which raises nothing."""
        self._tasks.add(asyncio.ensure_future(_done(work)))

    def watched(self, calls: Calls) -> Calls:
        """The same calls, which end where the workers do."""
        return calls  # a task that is cancelled ends its own

    async def pause(self, seconds: float) -> None:
        """Wait before a request is made again."""
        await asyncio.sleep(seconds)

    async def stop(self) -> None:
        """End all work, and wait until it has ended."""
        told_to_stop = False
        for task in self._tasks:
            task.cancel()
        while any(not task.done() for task in self._tasks):
            try:
                await asyncio.wait(self._tasks)
            except asyncio.CancelledError:
                told_to_stop = True  # which is what is being done, and is not left half done
        if told_to_stop:
            raise asyncio.CancelledError


class Crew:
    """The same in threads. They end with the process, too, where a loop was left standing."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._calls: WeakSet[Any] = WeakSet()
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def start(self, work: Callable[[], None]) -> None:
        """Begin to do ``work``, which raises nothing."""
        # Not those of an executor: Python waits for them before it ends, and they for a loop that has been forgotten.
        thread = threading.Thread(target=work, name="btmodel-read", daemon=True)
        thread.start()
        self._threads.append(thread)

    def watched(self, calls: Calls) -> Calls:
        """The same calls, which end where the workers do."""
        return WatchedCalls(calls.table, calls.name, calls.app_profile, calls.metadata, self._watch)

    def pause(self, seconds: float) -> None:
        """Wait before a request is made again."""
        self._stop.wait(seconds)

    def stop(self) -> None:
        """End all work, and wait until it has ended."""
        with self._lock:
            self._stop.set()
            calls = list(self._calls)
        for call in calls:
            call.cancel()
        for thread in self._threads:
            thread.join()

    def _watch(self, call: Any) -> Any:
        with self._lock:
            self._calls.add(call)
            if self._stop.is_set():
                call.cancel()
        return call


@frozen
class WatchedCalls(Calls):
    """Calls of which somebody is told."""

    watch: Callable[[Any], Any]

    def stream(self, method: str) -> Any:
        """A method that gives many answers."""
        begin = super().stream(method)

        def watched(*request: Any, **settings: Any) -> Any:
            return self.watch(begin(*request, **settings))

        return watched


async def _done(work: Callable[[], Awaitable[None]]) -> None:
    await work()
