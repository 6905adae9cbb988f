"""``btmodel``, and programs that use it, in forks of one process that has loaded it: starting takes longer than most of them run.

``python forked_commands.py SOCKET SERVERS`` is that process. It has one thread, and forks for each request on its socket, so a
command finds what a shell would give it: arguments, folder, environment and streams. Servers that it starts are forks, too,
of the process that ``SERVERS`` leads to. What Python reads when it starts cannot be
given to a fork; commands whose environment changes that are started anew. Of a program's environment, a fork gets PYTHONPATH.
"""

import atexit
import gc
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn

COMMAND = str(Path(sys.executable).with_name("btmodel"))
READ_AT_START = ("PYTHON", "LC_", "LANG")
# What no command loads (``child`` is a process of its own), or what takes long and few commands load.
NOT_LOADED = ("__main__", "beam", "child", "columnar", "pytest_plugin", "testing", "png")


class Commands:
    """Runs ``btmodel`` as :func:`subprocess.run` does, its output as text."""

    def __init__(self, servers: str) -> None:
        # numpy's threads would be threads of the process that forks.
        alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        self._socket, theirs = socket.socketpair()
        with theirs:
            program = [sys.executable, __file__, str(theirs.fileno()), servers]
            self._process = subprocess.Popen(program, pass_fds=[theirs.fileno()], env=alone)
        self._last: Started | None = None

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self._process.wait()

    def run(
        self,
        arguments: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        timeout: float = 60,
        *,
        merged: bool = False,
    ) -> "subprocess.CompletedProcess[str]":
        """Run the command in a folder, to its end; ``merged`` has stdout take what it writes to stderr, too."""
        command = [COMMAND, *arguments]
        if at_start(environment) != at_start(os.environ):
            return subprocess.run(
                command,
                cwd=cwd,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if merged else subprocess.PIPE,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=timeout,
            )
        return self._to_its_end(command, cwd, environment, timeout, merged=merged)

    def program(
        self,
        file: Path,
        arguments: Sequence[str],
        cwd: Path,
        environment: Mapping[str, str],
        timeout: float = 60,
        *,
        merged: bool = False,
    ) -> "subprocess.CompletedProcess[str]":
        """Run a program of Python in a folder, to its end: what it imports of ours is loaded already."""
        return self._to_its_end([str(file), *arguments], cwd, environment, timeout, merged=merged)

    def started(
        self, command: list[str], cwd: Path, environment: Mapping[str, str], streams: list[int]
    ) -> "Started":
        """Start ``COMMAND``, or a program of Python, on these three streams. It ends before the next one is started."""
        if self._last and self._last.code is None:
            with suppress(subprocess.TimeoutExpired):
                self._last.wait(0.01)
        request = json.dumps([command, str(cwd), dict(environment)]).encode()
        socket.send_fds(self._socket, [len(request).to_bytes(4, "big")], streams)
        self._socket.sendall(request)
        self._last = Started(self._number(60), self._number, command)
        return self._last

    def _to_its_end(
        self,
        command: list[str],
        cwd: Path,
        environment: Mapping[str, str],
        timeout: float,
        *,
        merged: bool = False,
    ) -> "subprocess.CompletedProcess[str]":
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, open(os.devnull, "rb") as none:
            streams = [none.fileno(), out.fileno(), (out if merged else err).fileno()]
            code = self.started(command, cwd, environment, streams).wait(timeout)
            return subprocess.CompletedProcess(command, code, text_of(out.fileno()), text_of(err.fileno()))

    def _number(self, timeout: float) -> int:
        self._socket.settimeout(timeout)
        return int.from_bytes(received(self._socket, 4), "big", signed=True)


class Started:
    """A command that runs in a fork."""

    def __init__(self, pid: int, number: Callable[[float], int], command: list[str]) -> None:
        self.pid = pid
        self.code: int | None = None
        self._number = number
        self._command = command

    def wait(self, timeout: float) -> int:
        """How it ended; it is killed when it takes longer."""
        try:
            self.code = self._number(timeout)
            return self.code
        except TimeoutError:
            os.kill(self.pid, signal.SIGKILL)
            self.code = self._number(60)
            raise subprocess.TimeoutExpired(self._command, timeout) from None


def at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """What of an environment Python reads when it starts."""
    return {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}


def text_of(file: int) -> str:
    """What was written to a file, as :mod:`subprocess` would give it."""
    with open(os.dup(file), encoding="locale") as stream:
        stream.seek(0)
        return stream.read()


def received(stream: socket.socket, size: int) -> bytes:
    """So many bytes; none at the end of the stream."""
    parts = b""
    while len(parts) < size:
        part = stream.recv(size - len(parts))
        if not part:
            return b""
        parts += part
    return parts


def load(*without: str) -> None:
    """Import what commands import, and hold it: but for packages that none of the commands to come needs."""
    import btmodel_codegen

    import btmodel

    left_out = {*NOT_LOADED, *without}
    for package in (btmodel, btmodel_codegen):
        # It also imports packages that are left out, to look into them: those may need what is not installed.
        found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.", onerror=lambda name: None)
        for module in found:
            if not left_out & set(module.name.split(".")):
                import_module(module.name)
    quiet()


def quiet() -> None:
    """Have forks look for garbage seldom, and never among what is loaded: they live for a moment, and share those pages."""
    gc.freeze()
    gc.set_threshold(20_000)


def serve(stream: socket.socket) -> tuple[list[str], str, dict[str, str], list[int]] | None:
    """Answer each request by a fork with its exit code. Returns the request in that fork, and nothing at the end."""
    while True:
        head, files, _, _ = socket.recv_fds(stream, 4, 3)
        if not head:
            return None
        command, folder, environment = json.loads(received(stream, int.from_bytes(head, "big")))
        child = os.fork()
        if child == 0:
            return command, folder, environment, files
        for file in files:
            os.close(file)
        stream.sendall(child.to_bytes(4, "big"))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        stream.sendall(code.to_bytes(4, "big", signed=True))


def become(command: list[str], folder: str, environment: dict[str, str], files: list[int]) -> None:
    """Make this fork the process that a shell would have started."""
    for target, file in enumerate(files):
        os.dup2(file, target)
        os.close(file)
    # Those of the process that forked know its files: whether one can be sought, say.
    sys.stdin = sys.__stdin__ = os.fdopen(0, closefd=False)
    sys.stdout = sys.__stdout__ = os.fdopen(1, "w", closefd=False, buffering=1 if os.isatty(1) else -1)
    sys.stderr = sys.__stderr__ = os.fdopen(2, "w", closefd=False, buffering=1, errors="backslashreplace")
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    sys.argv = command
    path = environment.get("PYTHONPATH", "").split(os.pathsep) if command[0] != COMMAND else []
    sys.path[:1] = [str(Path(command[0]).parent), *filter(None, path)]


def launcher_of(servers: str) -> Callable[..., object]:
    """What starts servers; a command finds no package of tests because of that."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.forked_servers import launcher

    del sys.path[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    return launcher(servers)


def program() -> None:
    """Load, serve, and in each fork run the command."""
    from btmodel.cli import main
    from btmodel.server import running

    load()
    running._launched = launcher_of(sys.argv[2])
    with socket.socket(fileno=int(sys.argv[1])) as stream:
        request = serve(stream)
    if request is not None:
        become(*request)
        ended(main if sys.argv[0] == COMMAND else lambda: runpy.run_path(sys.argv[0], run_name="__main__"))


def ended(main: Callable[[], object]) -> NoReturn:
    """Run ``main`` and end as Python does, but for taking all that is loaded apart, which takes longer than most commands."""
    code = 1
    try:
        main()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError as error:
            code = 120
            print(f"Exception ignored in: {stream!r}\n{type(error).__name__}: {error}", file=sys.__stderr__)
    os._exit(code)


if __name__ == "__main__":
    program()
