"""The service's clock, by which GC rules delete: this machine's own may be wrong by any amount."""

from collections.abc import Callable
from datetime import timedelta
from time import monotonic

from attrs import frozen

from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.errors import MigrationError, NotAllowed, ServerError, Unanswered, Unavailable
from btmodel.migrate.journal import Journal
from btmodel.rows.clock import now_micros

MOST_SKEW = timedelta(minutes=1)


@frozen
class ServiceClock:
    """The service's time, counted on from one reading of it; it is never ahead of the service's own.

    ``time`` is what was read, in microseconds since 1970, or None where the service did not tell, and ``read`` when that was, by
    this machine's monotonic clock.
    """

    time: int | None
    read: float

    def now(self) -> int | None:
        """The time in microseconds since 1970; None where it is unknown."""
        return None if self.time is None else self.time + int((monotonic() - self.read) * 1_000_000)

    def __str__(self) -> str:
        now = self.now()
        return "an unknown time" if now is None else f"{from_micros(now):%Y-%m-%d %H:%M:%S} UTC"


def read_clock(journal: Journal, now: Callable[[], int] = now_micros) -> ServiceClock:
    """The service's clock, as a cell of ``journal`` shows it that the service stamps.

    ``now`` is this machine's clock. Raises :class:`MigrationError` where the two differ by more than a minute, and where the server does
    not answer. A service that stamps no cell, as where no app profile allows transactions on rows, has an unknown time.
    """
    before = now()
    try:
        time = micros_since_epoch(journal.service_time())
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
