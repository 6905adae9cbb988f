"""What an apply writes down of itself, in the instance that it changes."""

from collections.abc import Sequence
from datetime import UTC, datetime

from attrs import Factory, define, evolve, field

from btmodel.codecs.time import from_micros
from btmodel.errors import MigrationError, ServerError
from btmodel.migrate.clock import ServiceClock, read_clock
from btmodel.migrate.journal import Journal, Step
from btmodel.migrate.lease import Held
from btmodel.schema import Layout


def _patient(journal: Journal) -> Journal:
    return journal.patient()


@define
class Books:
    """The steps of one apply, written down in ``journal`` before and after each table, by ``by``.

    With a lease, nothing is begun that it does not cover. ``unfinished`` holds the steps of runs that were
    killed. Raises :class:`MigrationError` where these cannot be read.
    """

    journal: Journal = field(converter=_patient)
    by: str
    held: Held | None = None
    unfinished: dict[str, Step] = field(
        init=False, default=Factory(lambda books: _unfinished(books.journal), takes_self=True)
    )

    # What a killed run had made is made no more by the next one, and its command names it all the same.
    _names: dict[str, tuple[str, ...]] = field(
        init=False,
        default=Factory(
            lambda books: {id: step.changes for id, step in books.unfinished.items()}, takes_self=True
        ),
    )

    _clock: ServiceClock | None = field(init=False, default=None)

    @property
    def clock(self) -> ServiceClock:
        """The service's clock, read once; raises :class:`MigrationError` as :func:`read_clock` does."""
        if self._clock is None:
            self._clock = read_clock(self.journal)
        return self._clock

    def now(self) -> datetime:
        """The time by the service's clock, or this machine's where that is unknown; raises what ``clock`` does."""
        now = self.clock.now()
        return datetime.now(UTC) if now is None else from_micros(now)

    def check(self) -> None:
        """Raise :class:`LeaseLost` where another may be at it."""
        if self.held:
            self.held.check()

    def begin(self, table: str, changes: Sequence[str]) -> None:
        """Write down, before a table is changed, what is about to be, beside what this run did to it before.

        Raises :class:`LeaseLost` where another may be at it, and :class:`ServerError`.
        """
        self.check()
        self._names[table] = tuple(dict.fromkeys((*self._names.get(table, ()), *changes)))
        self.unfinished[table] = Step(table, self._names[table], self.by, datetime.now(UTC))
        self.journal.record_step(self.unfinished[table])

    def end(self, table: str, layouts: tuple[Layout, ...] | None = None) -> None:
        """Write down that a table is as it should be, and ``layouts``, where they are given, as how its rows lie.

        Raises :class:`ServerError`.
        """
        if layouts is not None:
            self.journal.record_layouts(table, layouts)
        step = self.unfinished.pop(table, None)
        if step is not None:
            self.journal.record_step(evolve(step, ended=datetime.now(UTC)))


def _unfinished(journal: Journal) -> dict[str, Step]:
    try:
        return {id: step for id, step in journal.steps().items() if step.ended is None}
    except ServerError as error:
        raise MigrationError(
            f"nothing was applied, because what the instance remembers cannot be read: {error}"
        ) from error
