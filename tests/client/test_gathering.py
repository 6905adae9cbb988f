"""Several streams as one: bounded, ordered where that is asked for, and gone with the loop."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from threading import Lock

import pytest

from btmodel.client._sync.reading import HELD, Gathering
from btmodel.client.tasks import Tasks


class Source:
    """Streams of numbers, and how many of them are open, and how many numbers were taken."""

    def __init__(self, fails: int = -1) -> None:
        self.lock = Lock()
        self.open = self.most = self.taken = 0
        self.fails = fails

    def stream(self, at: int, length: int = 30) -> Iterator[int]:
        """Some numbers."""
        with self.lock:
            self.open += 1
            self.most = max(self.most, self.open)
        try:
            for number in range(length):
                if at == self.fails and number == 20:
                    raise ValueError("as meant")
                with self.lock:
                    self.taken += 1
                yield at * length + number
        finally:
            with self.lock:
                self.open -= 1

    def gathering(self, workers: int, ordered: bool, streams: int = 20) -> Gathering[int]:
        """All streams, gathered."""
        return Gathering([partial(self.stream, at) for at in range(streams)], Tasks(), workers, ordered)


@pytest.mark.parametrize("ordered", [True, False])
def test_no_more_is_open_or_waits_than_was_said(ordered: bool) -> None:
    """While the loop takes its time, the workers fill what may wait, and stop there."""
    source = Source()
    items = source.gathering(4, ordered).items()
    given = [next(items)]
    for _ in range(5):
        time.sleep(0.02)
        given.append(next(items))
        # One item of each worker is on its way, and what was handed over is in the hands of the loop.
        assert source.taken <= 4 * (HELD + 1) + HELD + len(given)
    given += items
    assert sorted(given) == list(range(600))
    assert not ordered or given == sorted(given)
    assert source.most <= 4
    assert source.open == 0


@pytest.mark.parametrize("ordered", [True, False])
def test_what_came_before_a_failure_is_given_first(ordered: bool) -> None:
    """Then it is raised, and no stream is open any more."""
    source = Source(fails=3)
    came: list[int] = []
    with pytest.raises(ValueError, match="as meant"):
        came.extend(source.gathering(4, ordered).items())
    assert set(range(90, 110)) <= set(came)
    assert not ordered or came == list(range(110))
    assert source.open == 0
    assert not [thread for thread in threading.enumerate() if thread.name == "btmodel-task"]


def test_a_loop_that_stands_still_does_not_keep_the_process() -> None:
    """A program ends although an iterator of it was never taken to the end."""
    code = """
from btmodel.client._sync.reading import Gathering
from btmodel.client.tasks import Tasks
def stream():
    for number in range(1000):
        yield number
items = Gathering([stream] * 9, Tasks(), 4, True).items()
print(next(items))
"""
    environment = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, "Traceback" in done.stderr) == (0, "0\n", False)
