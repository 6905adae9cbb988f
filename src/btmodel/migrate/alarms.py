"""Alarms: functions that are called at a later time unless they are cancelled before, by one thread for all of them."""

import os
import threading
import time
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count


class Alarm:
    """A function to be called later."""

    __slots__ = ("_ring",)

    def __init__(self, ring: Callable[[], None]) -> None:
        self._ring: Callable[[], None] | None = ring

    @property
    def is_cancelled(self) -> bool:
        """Whether it will not ring."""
        return self._ring is None

    def cancel(self) -> None:
        """Do not ring; no effect on one that rings already."""
        self._ring = None

    def ring(self) -> None:
        """Call the function, unless it was cancelled."""
        ring = self._ring
        if ring is not None:
            ring()


class Alarms:
    """The alarms of a process, and the daemon thread that waits for the next of them; it ends when none is left.

    An operation takes milliseconds and sets an alarm seconds ahead, so nearly all are cancelled. To cancel one takes
    no lock and wakes no thread: the thread drops it when its turn comes.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._set: list[tuple[float, int, Alarm]] = []  # a heap
        self._numbers = count()  # two alarms for one time ring in the order in which they were set
        self._thread: threading.Thread | None = None

    def after(self, seconds: float, ring: Callable[[], None]) -> Alarm:
        """Call ``ring`` in another thread after ``seconds``, unless the alarm returned is cancelled before."""
        alarm = Alarm(ring)
        with self._changed:
            heappush(self._set, (time.monotonic() + seconds, next(self._numbers), alarm))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="btmodel alarms", daemon=True)
                self._thread.start()
            elif self._set[0][2] is alarm:
                self._changed.notify()
        return alarm

    def _run(self) -> None:
        while (alarm := self._next()) is not None:
            try:
                alarm.ring()
            except Exception as error:  # reported as of any thread, and the others are called all the same
                thread = threading.current_thread()
                threading.excepthook(
                    threading.ExceptHookArgs((type(error), error, error.__traceback__, thread))
                )

    def _next(self) -> Alarm | None:
        """The next alarm, at its time; None if none is left, and then this thread counts as ended."""
        with self._changed:
            while self._set:
                at, _, alarm = self._set[0]
                left = at - time.monotonic()
                if left > 0:  # also for one that was cancelled: a thread for each read would be dearer
                    self._changed.wait(left)
                    continue
                heappop(self._set)
                if not alarm.is_cancelled:
                    return alarm
            self._thread = None
            return None


_alarms = Alarms()


def _forked() -> None:
    """A child has no thread but the one that forked it, and a lock may be held by one that it has not."""
    global _alarms
    _alarms = Alarms()


os.register_at_fork(after_in_child=_forked)


def alarm_after(seconds: float, ring: Callable[[], None]) -> Alarm:
    """Call ``ring`` in the process's alarm thread after ``seconds``, unless the alarm returned is cancelled before.

    ``ring`` must be short, as the others wait for it. A forked child keeps no alarm of its parent.
    """
    return _alarms.after(seconds, ring)
