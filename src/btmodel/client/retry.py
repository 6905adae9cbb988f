"""How long a read waits for an answer, and when it is sent again."""

from collections.abc import Iterator
from time import monotonic

from attrs import define, field
from google.api_core.exceptions import RetryError
from google.api_core.retry import exponential_sleep_generator

from btmodel.client.calls import google_error
from btmodel.client.failures import broken_off

_FIRST_PAUSE = 0.01  # seconds before an answer that broke off is asked for again


@define
class Patience:
    """The clock of one read, which starts again whenever the read has come further.

    So it runs only while a server is waited for, however long the reader of the rows takes
    for them. ``budget`` is the time for which nothing need come, ``attempt`` that of one
    request, both in seconds. Requests that follow each other without a row may take
    twice as long each: what is slow to find must be found at last.
    """

    budget: float
    attempt: float
    _mark: object = field(init=False, default=None)
    _since: float = field(init=False, factory=monotonic)
    _limit: float = field(init=False)
    _pauses: Iterator[float] | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self._limit = self.attempt

    def reached(self, mark: object) -> None:
        """The read has come to ``mark``, and waits from now on for what lies behind it."""
        if mark != self._mark:
            self._mark, self._since, self._limit, self._pauses = mark, monotonic(), self.attempt, None

    def limit(self) -> float:
        """The seconds that the next request may take: no more than what is left."""
        return max(0.0, min(self._limit, self._left()))

    def broke_off(self, error: Exception) -> float:
        """A request failed; the seconds to wait before the next one.

        Raises :class:`RetryError` where there is no time left for another.
        """
        if self._pauses is None:
            # A tenth, so that the last request is made close to the end of the time.
            self._pauses = exponential_sleep_generator(_FIRST_PAUSE, self.budget / 10)
        pause = next(self._pauses)
        self._limit = min(2 * self._limit, self.budget)
        left = self._left()
        if pause >= left:
            why = f"nothing came for {self.budget - left:.1f} s"
            raise RetryError(why, error) from error  # type: ignore[no-untyped-call]
        return pause

    def _left(self) -> float:
        return self._since + self.budget - monotonic()


def pause_after(error: Exception, patience: Patience) -> float:
    """The seconds to wait before a request that failed with ``error`` is made again; raises it where that would not help."""
    told = google_error(error)
    if broken_off(told):
        return patience.broke_off(told)
    if told is error:
        raise error
    raise told from error


_FIRST_TRY, _LONGEST_PAUSE = 0.01, 60.0  # seconds


@define
class Tries:
    """The clock of one write: ``budget`` is the time for all of its tries, ``attempt`` that for one, in seconds."""

    budget: float
    attempt: float | None
    _since: float = field(init=False, factory=monotonic)
    _pauses: Iterator[float] | None = field(init=False, default=None)

    def limit(self) -> float:
        """The seconds that the next try may take: no more than what is left."""
        left = self._left()
        return max(0.0, left if self.attempt is None else min(self.attempt, left))

    def pause(self) -> float | None:
        """The seconds to wait before the next try; None where there is no time for one."""
        if self._pauses is None:
            self._pauses = exponential_sleep_generator(_FIRST_TRY, _LONGEST_PAUSE)
        pause = next(self._pauses)
        return pause if pause < self._left() else None

    def _left(self) -> float:
        return self._since + self.budget - monotonic()
