"""The record of a run in the migration history: what it is about to do to each table, and what it has done, by the clock of the service.

Ages and times of cells are judged by that clock, and never by the clock of this machine.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic

from attrs import Factory, define, evolve, field, frozen

from btmodel.codecs.aware_times import from_micros, micros_since_epoch
from btmodel.errors import MigrationError, NotAllowed, ServerError, Unanswered, Unavailable
from btmodel.migrate.history import MigrationHistory, Step
from btmodel.migrate.history.lock import HeldLock
from btmodel.rows.cells import now_micros
from btmodel.schema import Layout

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


def _patient(history: MigrationHistory) -> MigrationHistory:
    return history.patient()


@define
class RunRecord:
    """The record of one run of ``by``: what it does to each table, written to ``history`` before and after.

    If the run holds a lock, nothing begins without it, and ``history`` takes no record once it is lost: those of the run that took over stay. ``before`` is the history as the run found it when it began, with
    the lock; ``unfinished`` are the steps that interrupted runs left open.
    Raises :class:`MigrationError` if they cannot be read.
    """

    history: MigrationHistory = field(converter=_patient)
    by: str
    held: HeldLock | None = None
    before: MigrationHistory = field(
        init=False, default=Factory(lambda run_record: _found(run_record.history), takes_self=True)
    )
    unfinished: dict[str, Step] = field(
        init=False, default=Factory(lambda run_record: _unfinished(run_record.before), takes_self=True)
    )

    # The next run does not repeat what an interrupted one made, although its command still names that.
    _names: dict[str, tuple[str, ...]] = field(
        init=False,
        default=Factory(
            lambda run_record: {id: step.changes for id, step in run_record.unfinished.items()},
            takes_self=True,
        ),
    )

    _clock: ServiceClock | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        if self.held is not None:
            self.history = self.history.fenced(self.check)

    @property
    def clock(self) -> ServiceClock:
        """The service's clock, read once; raises :class:`MigrationError` like :func:`read_clock`."""
        if self._clock is None:
            self._clock = read_clock(self.history)
        return self._clock

    def now(self) -> datetime:
        """The time by the service's clock, or by this machine's if that is unknown; raises what ``clock`` raises."""
        now = self.clock.now()
        return datetime.now(UTC) if now is None else from_micros(now)

    def check(self) -> None:
        """Raise :class:`LockLost` if another run may hold the lock."""
        if self.held:
            self.held.check()

    def begin(self, table: str, changes: Sequence[str]) -> None:
        """Record which changes of a table are about to be made, together with earlier changes of this run.

        Raises :class:`LockLost` if another run may hold the lock, and :class:`ServerError`.
        """
        self._names[table] = tuple(dict.fromkeys((*self._names.get(table, ()), *changes)))
        self.unfinished[table] = Step(table, self._names[table], self.by, datetime.now(UTC))
        self.history.record_step(self.unfinished[table])

    def end(self, table: str, layouts: tuple[Layout, ...] | None = None) -> None:
        """Record that a table is finished, and its ``layouts``, if given.

        Raises :class:`LockLost` if another run may hold the lock, and :class:`ServerError`.
        """
        if layouts is not None:
            self.history.record_layouts(table, layouts)
        step = self.unfinished.pop(table, None)
        if step is not None:
            self.history.record_step(evolve(step, ended=datetime.now(UTC)))


def _unfinished(history: MigrationHistory) -> dict[str, Step]:
    return {id: step for id, step in history.steps().items() if step.ended is None}


def _found(history: MigrationHistory) -> MigrationHistory:
    try:
        return history.snapshot()
    except ServerError as error:
        raise MigrationError(
            f"nothing was applied, because what the instance remembers cannot be read: {error}"
        ) from error
