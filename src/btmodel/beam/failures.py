"""What fails in a worker, and how the command reports it: in the words of a local run, without the tracebacks of Beam."""

import json
import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TextIO, cast

_MARK = "btmodel failed: "
_TEXT = json.JSONDecoder()


def marked(error: Exception) -> RuntimeError:
    """``error`` as a worker raises it, so that :func:`worker_error` finds its text in the report of a runner."""
    return RuntimeError(_MARK + json.dumps(str(error)))


def worker_error(report: str) -> str | None:
    """The text of the first error of a worker in the report of a runner, which may be a traceback; None without one."""
    _, mark, rest = report.partition(_MARK)
    if not mark:
        return None
    for decode in (_json, _quoted_json):
        try:
            return decode(rest)
        except ValueError:  # of the other form, or cut off
            continue
    return rest.partition("\n")[0].lstrip('\\"')


def _json(text: str) -> str:
    decoded: str = _TEXT.raw_decode(text)[0]
    return decoded


def _quoted_json(text: str) -> str:
    """The same in a report that is quoted itself, as gRPC quotes the details of an error."""
    return _json(text.encode("ascii", "backslashreplace").decode("unicode_escape"))


# Loggers that tell again what is said elsewhere: what worker processes print themselves, and how often a bundle was tried that the error is of.
_AGAIN = ("apache_beam.runners.portability.local_job_service", "apache_beam.runners.direct.executor")


class _Reported(logging.Filter):
    """Leaves out what the command reports by itself: the failures of workers, and all that Beam logs after a signal to end."""

    signals: Sequence[int] = ()

    def filter(self, record: logging.LogRecord) -> bool:
        raised = record.exc_info[1] if record.exc_info else None
        again = record.name in _AGAIN
        return not self.signals and not again and _MARK not in f"{record.getMessage()} {raised}"


REPORTED = _Reported()


class Unmarked:
    """A stream that leaves out the failures of workers, which Beam prints where it does not log them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._left_out = False

    def write(self, text: str) -> int:
        """Print text, unless it is one of them."""
        self._left_out = _MARK in text or (self._left_out and text == "\n")  # which print writes by itself
        return len(text) if self._left_out else self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def unlogged(signals: Sequence[int]) -> Iterator[None]:
    """Have this process print no failure that the command reports, and log nothing in this block once ``signals`` has any.

    Where the block fails, that stays so: workers in this process fail behind it, as the lock is gone then.
    """
    for handler in (*logging.root.handlers, logging.lastResort):
        if handler is not None:
            handler.addFilter(REPORTED)
    before, REPORTED.signals = sys.stderr, signals
    sys.stderr = cast("TextIO", Unmarked(before))
    try:
        yield
    finally:
        REPORTED.signals = ()
    sys.stderr = before


@contextmanager
def interrupts(end: Callable[[], None]) -> Iterator[list[int]]:
    """The signals to end that come in this block, which have the effect that they have outside of it, behind ``end``.

    A runner that works in this process may take the KeyboardInterrupt for a failure of the step.
    """
    signals: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        end()
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    handled = [number for number, handler in before.items() if callable(handler)]
    for number in handled:
        signal.signal(number, note)
    try:
        yield signals
    finally:
        for number in handled:
            signal.signal(number, before[number])
