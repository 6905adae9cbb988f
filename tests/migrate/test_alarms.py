"""Alarms: one thread calls what is to be called later, and is there again after an error and after a fork."""

import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from btmodel.migrate.alarms import Alarms

LONG = 30.0  # seconds


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads that are started in the test."""
    threads: list[threading.Thread] = []
    start = threading.Thread.start

    def noted(thread: threading.Thread) -> None:
        threads.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", noted)
    return threads


def rings(alarms: Alarms, seconds: float = 0.0) -> None:
    """Wait until an alarm rings."""
    rung = threading.Event()
    alarms.after(seconds, rung.set)
    assert rung.wait(LONG)


def test_one_thread_for_all(started: list[threading.Thread]) -> None:
    """Alarms that are cancelled before their time ring never, and take no thread of their own."""
    alarms, rung = Alarms(), list[int]()
    for number in range(100):
        alarms.after(0.05, lambda number=number: rung.append(number)).cancel()  # type: ignore[misc]
    rings(alarms, 0.2)
    assert rung == []
    assert len(started) == 1
    started[0].join(LONG)
    assert not started[0].is_alive()  # nothing is left to wait for
    rings(alarms)


def test_the_order_is_that_of_their_times() -> None:
    """A later alarm with an earlier time wakes the thread, and two of one time ring in turn."""
    alarms, rung, over = Alarms(), list[str](), threading.Event()

    def noted(name: str) -> Callable[[], None]:
        return lambda: rung.append(name)

    alarms.after(LONG, noted("never")).cancel()
    alarms.after(0.3, over.set)
    alarms.after(0.2, noted("second"))
    alarms.after(0.0, noted("first"))
    assert over.wait(LONG / 2)
    assert rung == ["first", "second"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_error_ends_no_other_alarm() -> None:
    """A function may raise, as where the terminal is gone: later alarms ring all the same."""
    alarms = Alarms()

    def fail() -> None:
        raise BrokenPipeError

    rung = threading.Event()
    alarms.after(0.0, fail)
    alarms.after(0.1, rung.set)
    rings(alarms)
    assert rung.wait(LONG)


FORKED = """
import os, sys, threading, warnings
from btmodel.migrate import alarms
warnings.simplefilter("ignore")
alarms.alarm_after(0.5, lambda: os.write(1, b"parent "))
alarms._alarms._changed.acquire()  # as another thread may hold it
child = os.fork()
if child:
    alarms._alarms._changed.release()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    rung = threading.Event()
    alarms.alarm_after(0.6, rung.set)
    sys.exit(0 if rung.wait(30) else 1)
rung = threading.Event()
alarms.alarm_after(0.1, rung.set)
os._exit(0 if rung.wait(30) else 1)
"""


def test_a_forked_child_has_alarms_of_its_own() -> None:
    """The parent's thread is not there, and its lock may have been held by a thread that is not there, either."""
    done = subprocess.run(
        [sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "parent "), done.stderr
