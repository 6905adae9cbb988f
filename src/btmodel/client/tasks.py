"""Background tasks and threads of reads and writes, each ended with the call that started it."""

import asyncio
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Collection
from concurrent import futures
from typing import Any, ClassVar
from weakref import WeakSet

from attrs import Factory, define, field, frozen

from btmodel.client.call import Calls
from btmodel.errors import ServerError

AsyncCondition = asyncio.Condition
Condition = threading.Condition


AsyncFlight = asyncio.Task[None]
Flight = futures.Future[None]


class AsyncTasks:
    """The work of one call that goes on beside it in tasks of the running event loop; each piece is a flight."""

    def __init__(self) -> None:
        self.home = SyncHome()
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

    def watched(self, calls: Calls) -> Calls:
        """The same calls, whose streams end where the work does."""
        return calls  # a task that is cancelled ends its own

    def watch(self, call: Any) -> Any:
        """A call that ends where the work does."""
        return call  # likewise

    async def step(self) -> None:
        """Let the work go on for a step, and others in the event loop: encoding rows never waits."""
        await asyncio.sleep(0)

    async def landed(self, flights: Collection[AsyncFlight]) -> None:
        """Wait until one of them is done."""
        await asyncio.wait(flights, return_when=asyncio.FIRST_COMPLETED)

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
        told_to_stop = False
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            try:
                await asyncio.wait(self._tasks)
            except asyncio.CancelledError:
                told_to_stop = True  # which is what is being done, and is not left half done
        if told_to_stop:
            raise asyncio.CancelledError

    def _ended(self, task: AsyncFlight) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # asyncio would complain about an exception that was never retrieved


async def _done(work: Callable[[], Awaitable[None]]) -> None:
    await work()


class Tasks:
    """The same in threads. They end with the process, too, where a loop was left standing."""

    def __init__(self) -> None:
        self.home = SyncHome()
        self._threads: list[threading.Thread] = []
        self._calls: WeakSet[Any] = WeakSet()
        self._lock = threading.Lock()
        self._stop = threading.Event()

    def stopped(self) -> bool:
        """Whether all work is to end."""
        return self._stop.is_set()

    def start(self, work: Callable[[], None]) -> Flight:
        """Begin to do ``work``."""
        flight: Flight = futures.Future()
        # Not a thread of an executor: Python waits for those before it ends, and they for a loop that has been forgotten.
        thread = threading.Thread(target=_fly, args=[flight, work], name="btmodel-task", daemon=True)
        self._threads = [*filter(threading.Thread.is_alive, self._threads), thread]
        thread.start()
        return flight

    def watched(self, calls: Calls) -> Calls:
        """The same calls, whose streams end where the work does."""
        return WatchedCalls(
            calls.table, calls.name, calls.app_profile, calls.metadata, calls.pace, watch=self.watch
        )

    def step(self) -> None:
        """Threads go on by themselves."""

    def landed(self, flights: Collection[Flight]) -> None:
        """Wait until one of them is done."""
        futures.wait(flights, return_when=futures.FIRST_COMPLETED)

    def pause(self, seconds: float) -> None:
        """Wait before a request is made again."""
        self._stop.wait(seconds)

    def end(self) -> None:
        """Wait until all work is done."""
        if sys.is_finalizing():
            return  # daemon threads have ended by now, and from Python 3.13 on, joining one waits for ever
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def stop(self) -> None:
        """End all work, and wait until it has ended."""
        with self._lock:
            self._stop.set()
            calls = list(self._calls)
        for call in calls:
            call.cancel()
        self.end()

    def watch(self, call: Any) -> Any:
        """A call, which has ``cancel``, that ends where the work does."""
        with self._lock:
            self._calls.add(call)
            if self._stop.is_set():
                call.cancel()
        return call


def _fly(flight: Flight, work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException as error:
        flight.set_exception(error)
    else:
        flight.set_result(None)
    finally:
        del flight  # which has the error, which has this frame


@frozen
class WatchedCalls(Calls):
    """Calls that hooks observe."""

    watch: Callable[[Any], Any] = field(kw_only=True)

    def stream(self, method: str) -> Any:
        """A method that gives many answers."""
        begin = super().stream(method)

        def watched(*request: Any, **settings: Any) -> Any:
            return self.watch(begin(*request, **settings))

        return watched


_FORKED = (
    "this connection was opened in process {opened}, and process {here} was forked from it: connect in each process, "
    "after the fork (gunicorn: in post_fork; Celery: at worker_process_init)"
)


@define
class SyncHome:
    """Where a connection belongs: the process that opened it, whose threads may all use it."""

    _opened: int = Factory(os.getpid)

    @property
    def here(self) -> bool:
        """Whether this is the process that opened it."""
        return self._opened == os.getpid()

    def check(self) -> None:
        """Raise :class:`ServerError` in any other process."""
        if not self.here:
            raise ServerError(_FORKED.format(opened=self._opened, here=os.getpid()))


@define
class AsyncHome(SyncHome):
    """The same for a connection of asyncio, which belongs to the event loop in which it is first used as well."""

    # The process that first used gRPC for asyncio: a fork of it hangs or crashes as soon as it does so, too.
    _process: ClassVar[int | None] = None
    _loop: asyncio.AbstractEventLoop | None = None

    def check(self) -> None:
        """Raise :class:`ServerError` in any other process, and in any other loop, where Google's client would break in its middle."""
        super().check()
        loop = asyncio.get_running_loop()
        if self._loop is None:
            if AsyncHome._process not in (None, self._opened):
                raise ServerError(
                    f"process {self._opened} was forked from process {AsyncHome._process}, which had used a connection of "
                    "connect_async: gRPC hangs or crashes in such a process. Connect in the workers alone, or start "
                    "them by spawn"
                )
            AsyncHome._process = self._opened
            self._loop = loop
        elif self._loop is not loop:
            raise ServerError(
                "this connection belongs to another event loop, in which it was first used: "
                "open one with connect_async in each loop (each asyncio.run makes a new one)"
            )
