"""Wait for a server, another run or the creation of a view, and print one notice."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from attrs import frozen

from btmodel.errors import ServerError, Unanswered, Unavailable, WriteFailed
from btmodel.migrate.alarms import Alarm, alarm_after

if TYPE_CHECKING:
    from typing import Self

FIRST = 0.05  # seconds
MOST = 10.0  # seconds


class Backoff:
    """The pauses between tries, for ``total`` seconds from now on.

    Each pause is a random time below a limit that doubles up to ``most`` seconds, so that runs which failed together
    do not retry together.
    """

    def __init__(self, total: float, most: float = MOST) -> None:
        self._end = time.monotonic() + total
        self._most = most
        self._bound = FIRST

    def until(self, done: Callable[[], bool]) -> bool:
        """Call ``done`` until it returns true; return false if the time is over first."""
        while not done():
            if not self.wait():
                return False
        return True

    def wait(self, asked: float | None = None) -> bool:
        """Sleep, for at least ``asked`` seconds; return false at once if the time would be over then."""
        pause = max(random.uniform(self._bound / 2, self._bound), asked or 0.0)
        if time.monotonic() + pause > self._end:
            return False
        time.sleep(pause)
        self._bound = min(2 * self._bound, self._most)
        return True


T = TypeVar("T")
LONGEST = 300.0  # seconds of retries for a server that does not answer
_SOON = 1.5  # seconds of failing until a wait is reported
_SLOW = 5.0  # seconds without an answer until a wait is reported


@frozen
class Watch:
    """The receiver of notices about waits: ``report`` is called with a line; ``server`` names the instance's server."""

    server: str
    report: Callable[[str], None]


_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)
_PATIENCE: ContextVar["Patience | None"] = ContextVar("patience", default=None)  # the innermost


@contextmanager
def watched(server: str, report: Callable[[str], None]) -> Iterator[None]:
    """Call ``report`` with a line for each long wait in this block, and another when it ends."""
    token = _WATCH.set(Watch(server, report))
    try:
        yield
    finally:
        _WATCH.reset(token)


def passes(error: ServerError) -> bool:
    """Whether an operation that failed with ``error`` may succeed on another try, if it is safe to repeat."""
    if isinstance(error, WriteFailed):
        causes = [failure.cause for failure in error.failures]
        return bool(causes) and all(isinstance(cause, Unavailable | Unanswered) for cause in causes)
    return isinstance(error, Unavailable | Unanswered)


def until_answered(
    work: Callable[[], T],
    *,
    passing: Callable[[ServerError], bool] = passes,
    total: float | None = None,
    long: bool = False,
) -> T:
    """Return the result of ``work``, repeating it after each error for which ``passing`` is true.

    ``work`` must be safe to repeat. Raises the last :class:`ServerError` when the time is over. ``total`` and
    ``long`` mean what they mean for :class:`Patience`.
    """
    with Patience(total, long=long) as patience:
        while True:
            try:
                return work()
            except ServerError as error:
                if not passing(error) or not patience.wait(error):
                    raise


class Patience:
    """The tries of one operation, for up to ``total`` seconds.

    Use it in a ``with`` block. Inside :func:`watched` it reports that it waits. A ``long`` operation, such as a copy
    of many rows, resumes where a try failed: its time counts from the first failure after a stretch without any, and
    it reports no wait before a failure.
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
        self._reported = False
        self._alarm: Alarm | None = None

    def wait(self, error: ServerError) -> bool:
        """Sleep after a try that failed with ``error``, as long as it asks; return false at once if the time is over."""
        if self._long:
            self._begin_anew()
        self._error = error
        if self._long:
            self._report()
        elif self._watch is not None and self._alarm is None:
            self._look_after(_SOON)
        return self._backoff.wait(error.retry_after)

    def answered(self) -> None:
        """Report that the server answers, if a wait for it was reported, and report none before the next failure."""
        if self._alarm is not None:
            self._alarm.cancel()
        self._error = self._alarm = None
        if self._reported and self._watch is not None:
            self._watch.report(f"{self._watch.server} answers: going on")
        self._reported = False

    def __enter__(self) -> "Self":
        self._token = _PATIENCE.set(self)
        if self._watch is not None and not self._long:
            self._look_after(_SOON)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _PATIENCE.reset(self._token)
        if kind is None:
            self.answered()
        elif self._alarm is not None:
            self._alarm.cancel()

    def _begin_anew(self) -> None:
        """Restart the time, if the last failure is so long ago that much must have succeeded since."""
        now = time.monotonic()
        if self._failed is None or now - self._failed > self._total:
            self._backoff = Backoff(self._total, self._most)
            self._until = datetime.now(UTC) + timedelta(seconds=self._total)
            self._reported = False
        self._failed = now

    def _look_after(self, seconds: float, *, last: bool = False) -> None:
        self._alarm = alarm_after(seconds, partial(self._look, last))

    def _look(self, last: bool) -> None:
        if self._error is not None or last:
            self._report()
        else:
            self._look_after(_SLOW - _SOON, last=True)

    def _report(self) -> None:
        if self._watch is None or self._reported:
            return
        self._reported = True
        why = f"{self._watch.server} has not answered yet" if self._error is None else str(self._error)
        self._watch.report(f"waiting until {self._until:%H:%M:%S} UTC: {why}")


_CREATION = 7200.0  # seconds until a view is created, as Terraform waits
_POLL = 1.0  # seconds between two questions at least


def until_created(thing: str, created: Callable[[], bool]) -> None:
    """Return once ``created``, which asks the service whether it has created ``thing``, returns true.

    Inside :func:`watched` it reports that it waits, and when it goes on. Raises :class:`ServerError`, also after
    waiting for two hours.
    """
    patience, watch, backoff = _PATIENCE.get(), _WATCH.get(), Backoff(_CREATION)
    until = datetime.now(UTC) + timedelta(seconds=_CREATION)
    if patience is not None:
        patience.answered()  # or it would report that the server has not answered
    report = (lambda line: None) if watch is None else watch.report
    if until_answered(created):
        return
    report(f"waiting until {until:%H:%M:%S} UTC: {thing} is being created, which takes hours for terabytes")
    while backoff.wait(_POLL):
        if until_answered(created):
            report(f"{thing} is created: going on")
            return
    raise ServerError(
        f"{thing}: expected the service to create it within {_CREATION:,.0f} s, and it has not finished: it goes on "
        "creating and filling the view, so run `btmodel migrate` again, which finds the view and goes on"
    )
