"""The record of a run in the migration history: what it is about to do to each table, and what it has done."""

from collections.abc import Sequence
from datetime import UTC, datetime

from attrs import Factory, define, evolve, field

from btmodel.codecs.time import from_micros
from btmodel.errors import MigrationError, ServerError
from btmodel.migrate.history import MigrationHistory, Step
from btmodel.migrate.history.clock import ServiceClock, read_clock
from btmodel.migrate.history.lock import HeldLock
from btmodel.schema import Layout


def _patient(history: MigrationHistory) -> MigrationHistory:
    return history.patient()


@define
class RunRecord:
    """The record of one run of ``by``: what it does to each table, written to ``history`` before and after.

    If the run holds a lock, nothing begins without it. ``unfinished`` are the steps that interrupted runs left open.
    Raises :class:`MigrationError` if they cannot be read.
    """

    history: MigrationHistory = field(converter=_patient)
    by: str
    held: HeldLock | None = None
    unfinished: dict[str, Step] = field(
        init=False, default=Factory(lambda run_record: _unfinished(run_record.history), takes_self=True)
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
        self.check()
        self._names[table] = tuple(dict.fromkeys((*self._names.get(table, ()), *changes)))
        self.unfinished[table] = Step(table, self._names[table], self.by, datetime.now(UTC))
        self.history.record_step(self.unfinished[table])

    def end(self, table: str, layouts: tuple[Layout, ...] | None = None) -> None:
        """Record that a table is finished, and its ``layouts``, if given.

        Raises :class:`ServerError`.
        """
        if layouts is not None:
            self.history.record_layouts(table, layouts)
        step = self.unfinished.pop(table, None)
        if step is not None:
            self.history.record_step(evolve(step, ended=datetime.now(UTC)))


def _unfinished(history: MigrationHistory) -> dict[str, Step]:
    try:
        return {id: step for id, step in history.steps().items() if step.ended is None}
    except ServerError as error:
        raise MigrationError(
            f"nothing was applied, because what the instance remembers cannot be read: {error}"
        ) from error
