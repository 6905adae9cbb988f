"""The service's clock: ages and times of cells are judged by it, and never by this machine's."""

from collections.abc import Callable
from datetime import timedelta
from time import monotonic

from attrs import frozen

from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.errors import MigrationError, NotAllowed, ServerError, Unanswered, Unavailable
from btmodel.migrate.history import MigrationHistory
from btmodel.rows.cells import now_micros

MOST_SKEW = timedelta(minutes=1)


@frozen
class ServiceClock:
    """The service's time, extrapolated from one reading; it is never ahead of the service's clock.

    ``time`` is what was read, in microseconds since 1970; None if the service gave no time. ``read`` is the time of
    the reading by this machine's monotonic clock.
    """

    time: int | None
    read: float

    def now(self) -> int | None:
        """The time in microseconds since 1970; None if unknown."""
        return None if self.time is None else self.time + int((monotonic() - self.read) * 1_000_000)

    def __str__(self) -> str:
        now = self.now()
        return "an unknown time" if now is None else f"{from_micros(now):%Y-%m-%d %H:%M:%S} UTC"


def read_clock(history: MigrationHistory, now: Callable[[], int] = now_micros) -> ServiceClock:
    """Read the service's clock from a cell of ``history`` that the service stamps.

    ``now`` is this machine's clock. Raises :class:`MigrationError` if both differ by more than a minute, and if the
    server does not answer. The time is unknown if the service stamps no cell, for example because no app profile
    allows single-row transactions.
    """
    before = now()
    try:
        time = micros_since_epoch(history.service_time())
    except (NotAllowed, Unanswered, Unavailable) as error:
        raise MigrationError(
            f"nothing was applied, because the service's clock cannot be read: {error}"
        ) from error
    except ServerError:
        return ServiceClock(None, monotonic())
    after = now()
    ahead = timedelta(microseconds=before - time if before > time else min(after - time, 0))
    if abs(ahead) > MOST_SKEW:
        raise MigrationError(
            f"nothing was applied, because the clock of this machine shows {from_micros(after):%Y-%m-%d %H:%M:%S} UTC, and "
            f"that of the service {from_micros(time):%Y-%m-%d %H:%M:%S} UTC: expected less than "
            f"{MOST_SKEW.seconds} s between them, got {abs(ahead).total_seconds():,.0f} s; set the clock of this "
            "machine, and run it again"
        )
    return ServiceClock(time, monotonic())
