"""How long to wait before something is tried again."""

import random
import time

FIRST = 0.05  # seconds
MOST = 10.0  # seconds


class Backoff:
    """The pauses between tries, for ``total`` seconds from now on.

    Each pause is drawn from below a bound that doubles up to ``most`` seconds, so that many who were
    refused together do not come back together.
    """

    def __init__(self, total: float, most: float = MOST) -> None:
        self._end = time.monotonic() + total
        self._most = most
        self._bound = FIRST

    def wait(self, asked: float | None = None) -> bool:
        """Sleep, and for ``asked`` seconds at least; false, at once, where the time would be over then."""
        pause = max(random.uniform(self._bound / 2, self._bound), asked or 0.0)
        if time.monotonic() + pause > self._end:
            return False
        time.sleep(pause)
        self._bound = min(2 * self._bound, self._most)
        return True
