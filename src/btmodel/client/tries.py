"""How long a write is tried, and when it is tried again."""

from collections.abc import Iterator
from time import monotonic

from attrs import define, field
from google.api_core.retry import exponential_sleep_generator

_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 60.0  # seconds


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
            self._pauses = exponential_sleep_generator(_FIRST_PAUSE, _LONGEST_PAUSE)
        pause = next(self._pauses)
        return pause if pause < self._left() else None

    def _left(self) -> float:
        return self._since + self.budget - monotonic()
