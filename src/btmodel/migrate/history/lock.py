"""The lock: only one run changes an instance at a time.

The machines need not agree on the time. The run that holds the lock renews it. A waiting run sees these renewals, and
takes the lock once it has seen none for the whole lifetime of a lock, counted by its own monotonic clock. A run that
lost the lock notices before its next write.
"""

import contextlib
import getpass
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from btmodel.errors import MigrationError, NotAllowed, ServerError, Unanswered, Unavailable
from btmodel.migrate.history import Lock, MigrationHistory, UnreadableRecord
from btmodel.migrate.waiting import LONGEST, Backoff, until_answered

if TYPE_CHECKING:
    from typing import Self

LASTS = timedelta(seconds=30)  # lifetime of a lock that is not renewed
_STEP = timedelta(milliseconds=1)
_RENEWED = 10.0  # seconds from one renewal to the next
_CERTAIN = 1.0  # seconds after a renewal in which the lock is not checked again
_PATIENCE = 600.0  # seconds to wait for another run's lock
_SILENCE = LONGEST  # seconds to wait for a server that does not answer
_LOOKED = 2.0  # maximal seconds between two looks at the lock


class LockLost(Exception):
    """The lock was taken by another run, or could not be renewed in time; the message says which."""


def me() -> str:
    """A readable name of this process: ``user@host:pid``."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a number without a name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}:{os.getpid()}"


class HeldLock:
    """A lock that this process holds; in its ``with`` block a thread renews it, and the end of the block releases it."""

    def __init__(self, history: MigrationHistory, lock: Lock, asked: float) -> None:
        """``lock`` was requested at the time ``asked``; the run may have been paused before the answer arrived."""
        self._history = history
        self._lock = lock
        self._renewed = asked
        self._lost: str | None = None
        self._unrenewed: str | None = None  # why the last renewal failed
        self._mutex = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew_on, name="btmodel lock", daemon=True)

    @property
    def id(self) -> str:
        """An id that distinguishes this lock from all others."""
        return self._lock.id

    @property
    def owner(self) -> str:
        """The process that holds it."""
        return self._lock.owner

    def check(self) -> None:
        """Raise :class:`LockLost` if this process does not hold it any more."""
        if _seconds() - self._renewed > _CERTAIN:
            self._renew()
        over = _seconds() - self._renewed > LASTS.total_seconds()
        lost = self._lost or (self._unrenewed if over else None)
        if lost is not None:
            raise LockLost(lost)

    def left(self) -> float:
        """The seconds for which no other run can take it; raises :class:`LockLost` like :meth:`check`."""
        self.check()
        return max(0.0, self._renewed + LASTS.total_seconds() - _seconds())

    def __enter__(self) -> "Self":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with self._mutex, contextlib.suppress(ServerError):  # it expires by itself
            self._history.swap_lock(self._lock, None)

    def _renew_on(self) -> None:
        while self._lost is None and not self._over.wait(_RENEWED):
            self._renew()

    def _renew(self) -> None:
        with self._mutex:
            if self._lost is not None or self._over.is_set():
                return
            asked = _seconds()
            # The value changes each time, even if the clock stands still or was set back: the change shows waiting runs that this one is alive.
            later = evolve(self._lock, expires=max(_now() + LASTS, self._lock.expires + _STEP))
            try:
                ours = self._history.swap_lock(self._lock, later) or self._swapped(later)
            except ServerError as error:
                self._unrenewed = f"the lock could not be renewed: {error}"
                return
            if ours:
                # It may have expired long ago; as no other run took it since, this one may go on.
                self._lock, self._renewed, self._unrenewed = later, asked, None
            else:
                self._lost = "another run took the lock, with --force-unlock or because it had expired"

    def _swapped(self, later: Lock) -> bool:
        """Renew a lock that an earlier try renewed without getting the answer; false if the lock is another run's."""
        there = self._history.lock()
        return there is not None and there.id == later.id and self._history.swap_lock(there, later)


class Others:
    """Observations of locks that other runs hold."""

    def __init__(self) -> None:
        self.seen: Lock | None = None
        self._since = 0.0

    def holds(self, lock: Lock) -> bool:
        """Whether the run of ``lock`` may be alive: whether a renewal was seen within the lifetime of a lock.

        The expiry time in the lock does not count, because another machine's clock wrote it.
        """
        if lock != self.seen:
            self.seen, self._since = lock, _seconds()
        return _seconds() - self._since < LASTS.total_seconds()


def acquire(
    history: MigrationHistory,
    owner: str,
    *,
    needed: Callable[[], bool] = lambda: True,
    waiting: Callable[[Lock], None] = lambda lock: None,
    force: bool = False,
) -> HeldLock | None:
    """Wait for the lock and return it, held by ``owner``.

    While another run holds the lock, this waits, and calls ``waiting`` with that lock. After that run has ended,
    ``needed`` says whether anything is left to do; if not, the result is None. ``force`` takes the lock from any run.
    Raises :class:`MigrationError` if another run holds it for ten minutes, or if it cannot be taken.
    """
    taking = _LockAttempts(history, owner, needed, waiting, force)
    if not Backoff(_PATIENCE, most=_LOOKED).until(partial(_answered, taking)):
        raise MigrationError(
            f"nothing was applied: after {_PATIENCE:.0f} s another run still has the lock ({taking.whose}); "
            "try again when it has ended, or use --force-unlock, if you know that it has"
        )
    return taking.held


def _answered(taking: "_LockAttempts") -> bool:
    """Try until the server answers; true if the lock is now held or no longer needed."""
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


def take(history: MigrationHistory, owner: str, *, force: bool = False) -> HeldLock | None:
    """Take the lock for ``owner`` if it is free, or by ``force``; otherwise return None at once."""
    there = _seen(history, force=force)
    mine = _new_lock(owner)
    if there is not None and not force:
        return None
    asked = _seconds()
    return HeldLock(history, mine, asked) if history.swap_lock(there, mine) else None


def is_held_by(history: MigrationHistory, run: str) -> bool:
    """Whether the lock is that of ``run``, which may be alive, or have been killed less than a lock's lifetime ago."""
    try:
        lock = history.lock()
    except UnreadableRecord:
        return False
    return lock is not None and lock.id == run


def is_taken(history: MigrationHistory) -> bool:
    """Whether any run holds the lock, even one that this version cannot read."""
    try:
        return history.lock() is not None
    except UnreadableRecord:
        return True


def _seen(history: MigrationHistory, *, force: bool) -> Lock | None:
    """The existing lock, or None; ``force`` removes one that cannot be read."""
    try:
        return history.lock()
    except UnreadableRecord:
        if not force:
            raise
        history.drop_lock()
        return None


@define
class _LockAttempts:
    """The attempts of one process to take the lock."""

    _history: MigrationHistory
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
        """The process that holds it, as last seen."""
        return str(self._others.seen or "always a new one")

    def ended(self) -> bool:
        """Try once; true if it is now ``held`` or no longer needed."""
        there = _seen(self._history, force=self._force)
        if there is not None and self._mine is not None and there.id == self._mine.id:
            # An earlier try took it, but its answer was lost.
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
        """Release a lock that a try may have taken although its answer did not arrive."""
        if self._mine is not None:
            with contextlib.suppress(ServerError):
                self._history.swap_lock(self._mine, None)


def _new_lock(owner: str) -> Lock:
    """A new lock that starts now."""
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
    """A monotonic clock in seconds, which also counts while the machine is suspended, if the platform supports that."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _now() -> datetime:
    return datetime.now(UTC)
