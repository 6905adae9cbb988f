"""Workers: what fails in them, as the command reports it, and the processes of this machine, which print what they log from some level on.

The command reports an error of a step in one line, in the words of a local run, where Beam's own processes print it with two tracebacks, and each
connection that they open. And where one of them is killed, Beam prints tracebacks of its threads and waits for it forever, where the command ends the pipeline.
"""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import json
import logging
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, SimpleNamespace
from typing import Any, NamedTuple, TextIO, cast
from unittest.mock import patch

from apache_beam.options.pipeline_options import PipelineOptions, WorkerOptions
from apache_beam.portability.api import beam_fn_api_pb2
from apache_beam.runners.portability import local_job_service
from apache_beam.runners.portability.fn_api_runner.worker_handlers import ControlConnection
from apache_beam.runners.portability.local_job_service import SubprocessSdkWorker
from apache_beam.transforms.environments import SubprocessSDKEnvironment

from btmodel.errors import SettingsError, reason

_MARK = "btmodel failed: "
_LASTING = "as each time: "
_TEXT = json.JSONDecoder()


class WorkerError(NamedTuple):
    """An error of a worker: its text, and whether the same run fails again."""

    text: str
    lasting: bool


def marked(error: Exception, *, lasting: bool) -> RuntimeError:
    """``error`` as a worker raises it, so that :func:`worker_error` finds it in the report of a runner; ``lasting`` is whether the same run fails again."""
    return RuntimeError(_MARK + (_LASTING if lasting else "") + json.dumps(str(error)))


def worker_error(report: str) -> WorkerError | None:
    """The first error of a worker in the report of a runner, which may be a traceback; None without one."""
    _, mark, rest = report.partition(_MARK)
    if not mark:
        return None
    lasting, rest = rest.startswith(_LASTING), rest.removeprefix(_LASTING)
    for decode in (_json, _quoted_json):
        try:
            return WorkerError(decode(rest), lasting)
        except ValueError:  # of the other form, or cut off
            continue
    return WorkerError(rest.partition("\n")[0].lstrip('\\"'), lasting)


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


QUIET = "ERROR"
_PATIENCE = 5.0  # seconds that a runner has to fail once a worker has died
# Beam logs while it is loaded, so levels are set before that. What a step imports is found where this process finds it. Ctrl-C goes to all processes of a
# terminal: the command ends the pipeline, and that its workers. Where the command is killed before a worker has reached it, Beam would try to reach it forever.
_PROCESS = """
import logging, os, signal, sys, threading, time
sys.path[:] = {path!r}
signal.signal(signal.SIGINT, signal.SIG_IGN)
def orphaned():
    while os.getppid() == {command}:
        time.sleep(1)
    os._exit(1)
threading.Thread(target=orphaned, daemon=True).start()
logging.basicConfig()
logging.root.handlers[0].setLevel({level})
from btmodel.beam.worker import main
main()
"""


def level_of(flags: Sequence[str]) -> int:
    """The level that an option of Beam asks for, as a name or a number; raises :class:`SettingsError` for another one."""
    asked = PipelineOptions(list(flags)).view_as(WorkerOptions).default_sdk_harness_log_level
    name = (asked or QUIET).upper()
    level = int(name) if name.isdigit() else logging.getLevelNamesMapping().get(name)
    if level is None:
        raise SettingsError(
            f"{flags[0]}: --default_sdk_harness_log_level: expected a level of logging, such as INFO, got {asked!r}"
        )
    return level


class Processes:
    """The worker processes of a block; ``died`` says how one of them ended that the runner had not ended."""

    def __init__(self) -> None:
        self.died: list[str] = []
        self.ended = False
        self._over = threading.Event()
        self._started: list[subprocess.Popen[Any]] = []

    def start(self, *arguments: Any, **options: Any) -> "subprocess.Popen[Any]":
        """Start one, as Popen does."""
        self._started.append(subprocess.Popen(*arguments, **options))
        return self._started[-1]

    def end(self) -> None:
        """End all of them, and so what the runner has given them: it waits for that, which may take hours."""
        self.ended = True
        for process in self._started:
            process.terminate()

    def lost(self, error: RuntimeError) -> None:
        """End the others where one has died, as the runner would wait for all of them."""
        if not self.ended:
            self.died.append(_end_of(str(error)))
            self.end()
            threading.Thread(target=self._urge, daemon=True).start()

    def over(self) -> None:
        """The block is over."""
        self._over.set()

    def _urge(self) -> None:
        """Interrupt a runner that waits all the same, as for the connection of a worker that never comes."""
        main = threading.main_thread().ident
        assert main is not None
        while not self._over.wait(_PATIENCE):
            signal.pthread_kill(main, signal.SIGTERM)


@contextmanager
def our_workers(level: int) -> Iterator[Processes]:
    """Have runners that start worker processes in this block start those that print what they log from ``level`` on.

    Where one of them dies, the runner fails, which would wait for it forever.
    """
    processes = Processes()
    if sys.platform == "win32":  # whose shell quotes otherwise
        yield processes
        return
    made, run = SubprocessSDKEnvironment.from_command_string, SubprocessSdkWorker.run
    read, push = ControlConnection._read, ControlConnection.push
    lost: dict[ControlConnection, str] = {}
    # A shell runs it, which Ctrl-C would end in front of the worker.
    path = [os.path.abspath(folder) for folder in sys.path]
    program = _PROCESS.format(level=level, command=os.getpid(), path=path)
    ours = f"exec {shlex.join([sys.executable, '-c', program])}"

    def watched(self: SubprocessSdkWorker) -> None:
        try:
            run(self)
        except RuntimeError as error:
            processes.lost(error)

    def answered(connection: ControlConnection, future: Any) -> None:
        future.set(
            beam_fn_api_pb2.InstructionResponse(instruction_id=future.instruction_id, error=lost[connection])
        )

    def listened(self: ControlConnection) -> None:
        try:
            read(self)
        except Exception as error:
            lost[self] = f"a worker has gone: {reason(error)}"
            for future in list(self._futures_by_id.values()):
                answered(self, future)
            raise

    def pushed(self: ControlConnection, request: Any) -> Any:
        future = push(self, request)
        if self in lost and future is not None:
            answered(self, future)
        return future

    with (
        patch.object(SubprocessSDKEnvironment, "from_command_string", lambda command_string: made(ours)),
        patch.object(SubprocessSdkWorker, "run", watched),
        patch.object(ControlConnection, "_read", listened),
        patch.object(ControlConnection, "push", pushed),
        patch.object(local_job_service, "subprocess", SimpleNamespace(Popen=processes.start)),
        _held_back(processes),
    ):
        try:
            yield processes
        finally:
            processes.over()


def _end_of(error: str) -> str:
    """How a worker process ended, from the error of Beam that ends with its return code."""
    code = error.rpartition(" ")[2]
    try:
        name = signal.Signals(-int(code)).name
    except ValueError:  # it ended by itself
        return f"a worker process ended with exit code {code}: what it printed says why"
    short = ", as the system does where memory is short" if name == "SIGKILL" else ""
    return f"a worker process was ended by {name}{short}"


@contextmanager
def _held_back(processes: Processes) -> Iterator[None]:
    """Print the tracebacks of lost connections only where they do not come from ``processes`` that have ended."""
    held: list[Callable[[], object]] = []
    shown = threading.excepthook

    def hook(args: threading.ExceptHookArgs) -> None:
        if is_of_connection(args.exc_value):
            held.append(lambda: shown(args))
        else:
            shown(args)

    def hold(record: logging.LogRecord) -> bool:
        lost = record.exc_info is not None and is_of_connection(record.exc_info[1])
        if lost:
            held.append(lambda: logging.getLogger(record.name).handle(record))
        return not lost

    handlers = [handler for handler in (*logging.root.handlers, logging.lastResort) if handler is not None]
    threading.excepthook = hook
    for handler in handlers:
        handler.addFilter(hold)
    try:
        yield
    finally:
        threading.excepthook = shown
        for handler in handlers:
            handler.removeFilter(hold)
        for show in held if not processes.ended else ():
            show()


def is_of_connection(error: BaseException | None) -> bool:
    """Whether it is the error of gRPC, which only the client imports, for a connection that has ended."""
    return any(kind.__module__.startswith("grpc") for kind in type(error).__mro__)


def main() -> None:
    """Work until the runner has no more work."""
    from apache_beam.runners.worker import sdk_worker_main  # which only worker processes need

    logging.root.handlers[0].addFilter(REPORTED)
    sys.stderr = cast("TextIO", Unmarked(sys.stderr))
    sdk_worker_main.main([])
