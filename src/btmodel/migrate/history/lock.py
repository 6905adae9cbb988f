"""The lock: one run changes an instance at a time.

No two machines have to agree on the time. The run that has the lock renews it; a waiting run sees that, and takes it once it
saw, for the whole of its time, by nothing but its own count of seconds, that it was not renewed. A run that lost the lock finds
out before it writes again.
"""

import contextlib
import getpass
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

from attrs import Factory, define, evolve, field, frozen

from btmodel.codecs.time import from_micros, micros_since_epoch
from btmodel.errors import MigrationError, NotAllowed, ServerError, Unanswered, Unavailable
from btmodel.migrate.history import History, Lock, Step, UnreadableRecord
from btmodel.migrate.waiting import LONGEST, Backoff, until_answered
from btmodel.rows.cells import now_micros
from btmodel.schema import Layout

if TYPE_CHECKING:
    from typing import Self

LASTS = timedelta(seconds=30)  # of a lock that is not renewed
_STEP = timedelta(milliseconds=1)
_RENEWED = 10.0  # seconds from one renewal to the next
_CERTAIN = 1.0  # seconds for which a renewal is proof enough
_PATIENCE = 600.0  # seconds of waiting for another run's lock
_SILENCE = LONGEST  # seconds of waiting for a server that does not answer
_LOOKED = 2.0  # seconds from one look to the next, at most


class LockLost(Exception):
    """A lock that another run has taken, or that could not be renewed in its time; the message says which."""


def me() -> str:
    """What names this process, for people: ``user@host:pid``."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a number without a name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}:{os.getpid()}"


class HeldLock:
    """A lock that this process has; in its ``with`` block a thread renews it, and the end of it gives it back."""

    def __init__(self, history: History, lock: Lock, asked: float) -> None:
        """``lock``, which was asked for at ``asked``: a run may be paused before it gets the answer."""
        self._history = history
        self._lock = lock
        self._renewed = asked
        self._lost: str | None = None
        self._unrenewed: str | None = None  # why it could not be, when that was tried last
        self._mutex = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew_on, name="btmodel lock", daemon=True)

    @property
    def id(self) -> str:
        """What distinguishes this taking of it from all others."""
        return self._lock.id

    @property
    def owner(self) -> str:
        """The process that has it."""
        return self._lock.owner

    def check(self) -> None:
        """Raise :class:`LockLost` where it is not ours any more."""
        if _seconds() - self._renewed > _CERTAIN:
            self._renew()
        over = _seconds() - self._renewed > LASTS.total_seconds()
        lost = self._lost or (self._unrenewed if over else None)
        if lost is not None:
            raise LockLost(lost)

    def left(self) -> float:
        """The seconds for which no other run takes it, from now on; raises :class:`LockLost` as :meth:`check` does."""
        self.check()
        return max(0.0, self._renewed + LASTS.total_seconds() - _seconds())

    def __enter__(self) -> "Self":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with self._mutex, contextlib.suppress(ServerError):  # it runs out by itself
            self._history.swap_lock(self._lock, None)

    def _renew_on(self) -> None:
        while self._lost is None and not self._over.wait(_RENEWED):
            self._renew()

    def _renew(self) -> None:
        with self._mutex:
            if self._lost is not None or self._over.is_set():
                return
            asked = _seconds()
            # Another value each time, also by a clock that stands or was put back: by that a waiting run knows that it is alive.
            later = evolve(self._lock, expires=max(_now() + LASTS, self._lock.expires + _STEP))
            try:
                ours = self._history.swap_lock(self._lock, later) or self._swapped(later)
            except ServerError as error:
                self._unrenewed = f"the lock could not be renewed: {error}"
                return
            if ours:
                # No run took it meanwhile, however long that was: it goes on.
                self._lock, self._renewed, self._unrenewed = later, asked, None
            else:
                self._lost = "another run took the lock, with --force-unlock or because it had expired"

    def _swapped(self, later: Lock) -> bool:
        """Renew what an earlier try renewed, where its answer was lost; false where the lock is another run's."""
        there = self._history.lock()
        return there is not None and there.id == later.id and self._history.swap_lock(there, later)


class Others:
    """What is seen of locks that other runs have."""

    def __init__(self) -> None:
        self.seen: Lock | None = None
        self._since = 0.0

    def holds(self, lock: Lock) -> bool:
        """Whether ``lock``, as it is now, may be alive: whether it was seen renewed within its time.

        What it says of when it expires is by the clock of another machine.
        """
        if lock != self.seen:
            self.seen, self._since = lock, _seconds()
        return _seconds() - self._since < LASTS.total_seconds()


def acquire(
    history: History,
    owner: str,
    *,
    needed: Callable[[], bool] = lambda: True,
    waiting: Callable[[Lock], None] = lambda lock: None,
    force: bool = False,
) -> HeldLock | None:
    """The lock, for ``owner``, once it can be had.

    Where another run has it, ``waiting`` is called with its lock, and it is waited for. Once that run has
    ended, ``needed`` says whether there is anything left to do; None is returned where there is not.
    ``force`` takes it from whatever run has it. Raises :class:`MigrationError` where another run has it for
    ten minutes, or it cannot be taken.
    """
    taking = _Taking(history, owner, needed, waiting, force)
    if not Backoff(_PATIENCE, most=_LOOKED).until(partial(_answered, taking)):
        raise MigrationError(
            f"nothing was applied: after {_PATIENCE:.0f} s another run still has the lock ({taking.whose}); "
            "try again when it has ended, or use --force-unlock, if you know that it has"
        )
    return taking.held


def _answered(taking: "_Taking") -> bool:
    """Try until the server answers; true where the lock is held then, or not needed any more."""
    try:
        return until_answered(taking.ended, total=_SILENCE)
    except (Unavailable, Unanswered) as error:
        raise MigrationError(
            f"nothing was applied, because the lock cannot be taken: {error}; run it again when it answers"
        ) from error
    except ServerError as error:
        raise _refused(error) from error
    except KeyboardInterrupt:
        taking.give_back()
        raise


def take(history: History, owner: str, *, force: bool = False) -> HeldLock | None:
    """The lock, for ``owner``, if no run has it now, or by ``force``; None, at once, where another has it."""
    there = _seen(history, force=force)
    mine = _new_lock(owner)
    if there is not None and not force:
        return None
    asked = _seconds()
    return HeldLock(history, mine, asked) if history.swap_lock(there, mine) else None


def is_taken(history: History) -> bool:
    """Whether any run has the lock, be it one that cannot be read."""
    try:
        return history.lock() is not None
    except UnreadableRecord:
        return True


def _seen(history: History, *, force: bool) -> Lock | None:
    """The lock that is there; by ``force``, one that cannot be read is ended."""
    try:
        return history.lock()
    except UnreadableRecord:
        if not force:
            raise
        history.drop_lock()
        return None


@define
class _Taking:
    """The tries of one process to take the lock."""

    _history: History
    _owner: str
    _needed: Callable[[], bool]
    _waiting: Callable[[Lock], None]
    _force: bool
    held: HeldLock | None = None
    _mine: Lock | None = None
    _asked: float = 0.0
    _others: Others = field(factory=Others)

    @property
    def whose(self) -> str:
        """The process that has it, as seen last."""
        return str(self._others.seen or "always a new one")

    def ended(self) -> bool:
        """Try once; true where it is ``held`` then, or not needed any more."""
        there = _seen(self._history, force=self._force)
        if there is not None and self._mine is not None and there.id == self._mine.id:
            # An earlier try took it, and its answer was lost.
            self.held = HeldLock(self._history, there, self._asked)
            return True
        if there is not None and not self._force:
            known = self._others.seen and self._others.seen.id
            if self._others.holds(there):
                if there.id != known:
                    self._waiting(there)
                return False
        if self._others.seen is not None and not self._needed():
            return True
        self._mine, self._asked = _new_lock(self._owner), _seconds()
        if self._history.swap_lock(there, self._mine, unrenewed=not self._force):
            self.held = HeldLock(self._history, self._mine, self._asked)
        return self.held is not None

    def give_back(self) -> None:
        """End what a try may have taken, though its answer did not arrive."""
        if self._mine is not None:
            with contextlib.suppress(ServerError):
                self._history.swap_lock(self._mine, None)


def _new_lock(owner: str) -> Lock:
    """A new lock, from now on."""
    return Lock(uuid.uuid4().hex, owner, _now(), _now() + LASTS)


def _refused(error: ServerError) -> MigrationError:
    if isinstance(error, NotAllowed):
        return MigrationError(
            f"nothing was applied, because the lock, which is a row of the instance, cannot be written: {error}"
        )
    return MigrationError(
        f"nothing was applied, because the lock cannot be taken ({error}): it needs the right to write rows, and "
        "an app profile with single-cluster routing and single-row transactions; --without-lock goes without it, "
        "where no other run migrates at the same time"
    )


def _seconds() -> float:
    """A count of seconds that nobody sets; those for which a machine was suspended count, too, where it can."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _now() -> datetime:
    return datetime.now(UTC)


MOST_SKEW = timedelta(minutes=1)


@frozen
class ServiceClock:
    """The service's time, counted on from one reading of it; it is never ahead of the service's own.

    ``time`` is what was read, in microseconds since 1970, or None where the service did not say, and ``read`` when that was, by
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


def read_clock(history: History, now: Callable[[], int] = now_micros) -> ServiceClock:
    """The service's clock, as a cell of ``history`` shows it that the service stamps.

    ``now`` is this machine's clock. Raises :class:`MigrationError` where the two differ by more than a minute, and where the server does
    not answer. A service that stamps no cell, as where no app profile allows transactions on rows, has an unknown time.
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


def _patient(history: History) -> History:
    return history.patient()


@define
class Books:
    """The steps of one apply, written down in ``history`` before and after each table, by ``by``.

    With a lock, nothing is begun that it does not cover. ``unfinished`` holds the steps of runs that were
    killed. Raises :class:`MigrationError` where these cannot be read.
    """

    history: History = field(converter=_patient)
    by: str
    held: HeldLock | None = None
    unfinished: dict[str, Step] = field(
        init=False, default=Factory(lambda books: _unfinished(books.history), takes_self=True)
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
            self._clock = read_clock(self.history)
        return self._clock

    def now(self) -> datetime:
        """The time by the service's clock, or this machine's where that is unknown; raises what ``clock`` does."""
        now = self.clock.now()
        return datetime.now(UTC) if now is None else from_micros(now)

    def check(self) -> None:
        """Raise :class:`LockLost` where another may be at it."""
        if self.held:
            self.held.check()

    def begin(self, table: str, changes: Sequence[str]) -> None:
        """Write down, before a table is changed, what is about to be, beside what this run did to it before.

        Raises :class:`LockLost` where another may be at it, and :class:`ServerError`.
        """
        self.check()
        self._names[table] = tuple(dict.fromkeys((*self._names.get(table, ()), *changes)))
        self.unfinished[table] = Step(table, self._names[table], self.by, datetime.now(UTC))
        self.history.record_step(self.unfinished[table])

    def end(self, table: str, layouts: tuple[Layout, ...] | None = None) -> None:
        """Write down that a table is as it should be, and ``layouts``, where they are given, as how its rows lie.

        Raises :class:`ServerError`.
        """
        if layouts is not None:
            self.history.record_layouts(table, layouts)
        step = self.unfinished.pop(table, None)
        if step is not None:
            self.history.record_step(evolve(step, ended=datetime.now(UTC)))


def _unfinished(history: History) -> dict[str, Step]:
    try:
        return {id: step for id, step in history.steps().items() if step.ended is None}
    except ServerError as error:
        raise MigrationError(
            f"nothing was applied, because what the instance remembers cannot be read: {error}"
        ) from error
