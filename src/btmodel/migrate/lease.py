"""The lease: the right of one run to change an instance, kept in the instance's journal.

No two machines have to agree on the time. Who has it renews it; a waiting run sees that, and takes it once it saw, for the whole
of its time, by nothing but the waiting run's own count of seconds, that it was not renewed. A run that lost it finds out before it writes
again.
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
from types import TracebackType
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from btmodel.errors import MigrationError, NotAllowed, ServerError, Unanswered, Unavailable
from btmodel.migrate.backoff import Backoff
from btmodel.migrate.journal import Journal, Lease, UnreadableRecord
from btmodel.migrate.waiting import LONGEST, Patience

if TYPE_CHECKING:
    from typing import Self

LASTS = timedelta(seconds=30)  # of a lease that is not renewed
_STEP = timedelta(milliseconds=1)
_RENEWED = 10.0  # seconds from one renewal to the next
_CERTAIN = 1.0  # seconds for which a renewal is proof enough
_PATIENCE = 600.0  # seconds of waiting for another's lease
_SILENCE = LONGEST  # seconds of waiting for a server that does not answer
_LOOKED = 2.0  # seconds from one look to the next, at most


class LeaseLost(Exception):
    """A lease that another has taken, or that could not be renewed in its time; the message says which."""


def me() -> str:
    """Who this process is, for people: ``user@host:pid``."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may run as a number without a name
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}:{os.getpid()}"


class Held:
    """A lease that this process has; in its ``with`` block a thread renews it, and the end of it gives it back."""

    def __init__(self, journal: Journal, lease: Lease, asked: float) -> None:
        """``lease``, which was asked for at ``asked``: a run may be paused before it is told that it has it."""
        self._journal = journal
        self._lease = lease
        self._renewed = asked
        self._lost: str | None = None
        self._unrenewed: str | None = None  # why it could not be, when that was tried last
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._renew_on, name="btmodel lease", daemon=True)

    @property
    def id(self) -> str:
        """What tells this taking of it from all others."""
        return self._lease.id

    @property
    def owner(self) -> str:
        """Who has it."""
        return self._lease.owner

    def check(self) -> None:
        """Raise :class:`LeaseLost` where it is not ours any more."""
        if _seconds() - self._renewed > _CERTAIN:
            self._renew()
        over = _seconds() - self._renewed > LASTS.total_seconds()
        lost = self._lost or (self._unrenewed if over else None)
        if lost is not None:
            raise LeaseLost(lost)

    def left(self) -> float:
        """The seconds for which nobody else takes it, from now on; raises :class:`LeaseLost` as :meth:`check` does."""
        self.check()
        return max(0.0, self._renewed + LASTS.total_seconds() - _seconds())

    def __enter__(self) -> "Self":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        with self._lock, contextlib.suppress(ServerError):  # it runs out by itself
            self._journal.swap_lease(self._lease, None)

    def _renew_on(self) -> None:
        while self._lost is None and not self._over.wait(_RENEWED):
            self._renew()

    def _renew(self) -> None:
        with self._lock:
            if self._lost is not None or self._over.is_set():
                return
            asked = _seconds()
            # Another value each time, also by a clock that stands or was put back: by that a waiting run knows that it is alive.
            later = evolve(self._lease, expires=max(_now() + LASTS, self._lease.expires + _STEP))
            try:
                ours = self._journal.swap_lease(self._lease, later) or self._swapped(later)
            except ServerError as error:
                self._unrenewed = f"the lease could not be renewed: {error}"
                return
            if ours:
                # Nobody took it meanwhile, however long that was: it goes on.
                self._lease, self._renewed, self._unrenewed = later, asked, None
            else:
                self._lost = "the lease was taken away by another, with --force-unlock or as it had run out"

    def _swapped(self, later: Lease) -> bool:
        """Renew what an earlier try renewed, where its answer was lost; false where the lease is another's."""
        there = self._journal.lease()
        return there is not None and there.id == later.id and self._journal.swap_lease(there, later)


class Others:
    """What is seen of leases that others have."""

    def __init__(self) -> None:
        self.seen: Lease | None = None
        self._since = 0.0

    def holds(self, lease: Lease) -> bool:
        """Whether ``lease``, as it is now, may be alive: whether it was seen renewed within its time.

        What it says of when it expires is by the clock of another machine.
        """
        if lease != self.seen:
            self.seen, self._since = lease, _seconds()
        return _seconds() - self._since < LASTS.total_seconds()


def acquire(
    journal: Journal,
    owner: str,
    *,
    needed: Callable[[], bool] = lambda: True,
    waiting: Callable[[Lease], None] = lambda lease: None,
    force: bool = False,
) -> Held | None:
    """The lease, for ``owner``, once it can be had.

    Where another has it, ``waiting`` is called with his, and it is waited for. Once he has
    ended, ``needed`` says whether there is anything left to do; None is returned where there is not.
    ``force`` takes it from whoever has it. Raises :class:`MigrationError` where another has it for
    ten minutes, or it cannot be taken.
    """
    taking = _Taking(journal, owner, needed, waiting, force)
    backoff = Backoff(_PATIENCE, most=_LOOKED)
    while not _answered(taking):
        if not backoff.wait():
            raise MigrationError(
                f"nothing was applied: after {_PATIENCE:.0f} s another run still has the lease ({taking.whose}); "
                "try again when it has ended, or say --force-unlock, if you know that it has"
            )
    return taking.held


def _answered(taking: "_Taking") -> bool:
    """Try until the server answers; true where the lease is held then, or not needed any more."""
    with Patience(_SILENCE) as patience:
        while True:
            try:
                return taking.ended()
            except (Unavailable, Unanswered) as error:
                if not patience.wait(error):
                    raise MigrationError(
                        f"nothing was applied, because the lease cannot be taken: {error}; run it again when it answers"
                    ) from error
            except ServerError as error:
                raise _refused(error) from error
            except KeyboardInterrupt:
                taking.give_back()
                raise


def take(journal: Journal, owner: str, *, force: bool = False) -> Held | None:
    """The lease, for ``owner``, if nobody has it now, or by ``force``; None, at once, where another has it."""
    there = _seen(journal, force=force)
    mine = _lease(owner)
    if there is not None and not force:
        return None
    asked = _seconds()
    return Held(journal, mine, asked) if journal.swap_lease(there, mine) else None


def is_taken(journal: Journal) -> bool:
    """Whether anybody has the lease, be it one that cannot be read."""
    try:
        return journal.lease() is not None
    except UnreadableRecord:
        return True


def _seen(journal: Journal, *, force: bool) -> Lease | None:
    """The lease that is there; by ``force``, one that cannot be read is ended."""
    try:
        return journal.lease()
    except UnreadableRecord:
        if not force:
            raise
        journal.drop_lease()
        return None


@define
class _Taking:
    """The tries of one process to take the lease."""

    _journal: Journal
    _owner: str
    _needed: Callable[[], bool]
    _waiting: Callable[[Lease], None]
    _force: bool
    held: Held | None = None
    _mine: Lease | None = None
    _asked: float = 0.0
    _others: Others = field(factory=Others)

    @property
    def whose(self) -> str:
        """Who has it, as seen last."""
        return told(self._others.seen) if self._others.seen else "always a new one"

    def ended(self) -> bool:
        """Try once; true where it is ``held`` then, or not needed any more."""
        there = _seen(self._journal, force=self._force)
        if there is not None and self._mine is not None and there.id == self._mine.id:
            self.held = Held(
                self._journal, there, self._asked
            )  # an earlier try took it, and its answer was lost
            return True
        if there is not None and not self._force:
            known = self._others.seen and self._others.seen.id
            if self._others.holds(there):
                if there.id != known:
                    self._waiting(there)
                return False
        if self._others.seen is not None and not self._needed():
            return True
        self._mine, self._asked = _lease(self._owner), _seconds()
        if self._journal.swap_lease(there, self._mine, unrenewed=not self._force):
            self.held = Held(self._journal, self._mine, self._asked)
        return self.held is not None

    def give_back(self) -> None:
        """End what a try may have taken without having been told so."""
        if self._mine is not None:
            with contextlib.suppress(ServerError):
                self._journal.swap_lease(self._mine, None)


def told(lease: Lease) -> str:
    """Who has a lease, and since when."""
    return f"{lease.owner}, since {lease.since:%Y-%m-%d %H:%M:%S} UTC"


def _lease(owner: str) -> Lease:
    """A new lease, from now on."""
    return Lease(uuid.uuid4().hex, owner, _now(), _now() + LASTS)


def _refused(error: ServerError) -> MigrationError:
    if isinstance(error, NotAllowed):
        return MigrationError(
            f"nothing was applied, because the lease, which is a row of the instance, cannot be written: {error}"
        )
    return MigrationError(
        f"nothing was applied, because the lease cannot be taken ({error}): it needs the right to write rows, and "
        "an app profile with single-cluster routing and single-row transactions; --without-lock goes without it, "
        "where nobody else migrates at the same time"
    )


def _seconds() -> float:
    """A count of seconds that nobody sets; those for which a machine was suspended count, too, where it can tell."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def _now() -> datetime:
    return datetime.now(UTC)
