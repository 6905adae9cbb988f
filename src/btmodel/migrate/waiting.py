"""Waiting for a server that does not answer, or for another change to pass, and telling so: once, and until when."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from btmodel.errors import ServerError, Unanswered, Unavailable, WriteFailed
from btmodel.migrate.backoff import MOST, Backoff

if TYPE_CHECKING:
    from typing import Self

T = TypeVar("T")
LONGEST = 300.0  # seconds in which a server that does not answer is tried again
_SOON = 1.5  # seconds of failing until it is told: what passes by itself is nobody's matter
_SLOW = 5.0  # seconds without an answer until it is told


@frozen
class Watch:
    """Who is told what is waited for; ``server`` is where the instance is served."""

    server: str
    tell: Callable[[str], None]


_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(server: str, tell: Callable[[str], None]) -> Iterator[None]:
    """Call ``tell`` with a line for each wait in this block that takes longer than a moment, and for its end."""
    token = _WATCH.set(Watch(server, tell))
    try:
        yield
    finally:
        _WATCH.reset(token)


def passes(error: ServerError) -> bool:
    """Whether what failed with ``error`` may go well when it is done again, which must be safe."""
    if isinstance(error, WriteFailed):
        causes = [failure.cause for failure in error.failures]
        return bool(causes) and all(isinstance(one, Unavailable | Unanswered) for one in causes)
    return isinstance(error, Unavailable | Unanswered)


def until_answered(work: Callable[[], T], *, long: bool = False) -> T:
    """What ``work`` gives, which may be done twice, once the server answers; raises its :class:`ServerError` in the end.

    ``long`` as for :class:`Patience`.
    """
    with Patience(long=long) as patience:
        while True:
            try:
                return work()
            except ServerError as error:
                if not passes(error) or not patience.wait(error):
                    raise


class Patience:
    """The tries of one thing, for up to ``total`` seconds.

    Use it in a ``with`` block. In one that is :func:`watched`, it is told that it waits. What is ``long``,
    such as a copy of many rows, goes on where a try has failed: there the time is that since something failed
    after all went well, and nothing is told before.
    """

    def __init__(self, total: float | None = None, most: float = MOST, *, long: bool = False) -> None:
        total = LONGEST if total is None else total
        self._total = total
        self._most = most
        self._long = long
        self._backoff = Backoff(total, most)
        self._failed: float | None = None
        self._until = datetime.now(UTC) + timedelta(seconds=total)
        self._error: ServerError | None = None
        self._watch = _WATCH.get()
        self._told = False
        self._timer: threading.Timer | None = None

    def wait(self, error: ServerError) -> bool:
        """Sleep after a try that failed with ``error``, as long as it asks; false, at once, where the time is over."""
        if self._long:
            self._begin_anew()
        self._error = error
        if self._long:
            self._tell()
        return self._backoff.wait(error.retry_after)

    def __enter__(self) -> "Self":
        if self._watch is not None and not self._long:
            self._look_after(_SOON)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if kind is None and self._told and self._watch is not None:
            self._watch.tell(f"{self._watch.server} answers: going on")

    def _begin_anew(self) -> None:
        """Give all the time again, where the last failure is so long ago that much must have gone well since."""
        now = time.monotonic()
        if self._failed is None or now - self._failed > self._total:
            self._backoff = Backoff(self._total, self._most)
            self._until = datetime.now(UTC) + timedelta(seconds=self._total)
            self._told = False
        self._failed = now

    def _look_after(self, seconds: float, *, last: bool = False) -> None:
        self._timer = threading.Timer(seconds, self._look, [last])
        self._timer.daemon = True
        self._timer.start()

    def _look(self, last: bool) -> None:
        if self._error is not None or last:
            self._tell()
        else:
            self._look_after(_SLOW - _SOON, last=True)

    def _tell(self) -> None:
        if self._watch is None or self._told:
            return
        self._told = True
        why = f"{self._watch.server} has not answered yet" if self._error is None else str(self._error)
        self._watch.tell(f"waiting until {self._until:%H:%M:%S} UTC: {why}")
