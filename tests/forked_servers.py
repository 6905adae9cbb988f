"""Local servers in forks of one process that has loaded what they load: starting takes longer than most tests use one.

``python forked_servers.py SOCKET`` is that process. It has one thread, and forks for each connection to its socket; the
connection tells the number of the process, and how it ended. Tests of the server itself start real ones.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from btmodel.server import running
from tests.forked_commands import become, ended, quiet, received

LAUNCHED = running._launched
OF_THE_SERVER = "tests/server/"


class Servers:
    """The process that forks servers. It is started with the first of them."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="servers")
        self.path = str(Path(self._folder.name) / "socket")
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self) -> None:
        """Start it, unless it runs."""
        if self._process is None:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind(self.path)
                listening.listen(64)
                program = [sys.executable, "-m", "tests.forked_servers", str(listening.fileno())]
                self._process = subprocess.Popen(
                    program,
                    pass_fds=[listening.fileno()],
                    cwd=Path(__file__).parents[1],
                    stdin=subprocess.PIPE,
                )

    def launched(self, options: list[str], *, stdin: int, keep: tuple[int, ...] = ()) -> Any:
        """What ``running._launched`` gives."""
        if os.environ.get("PYTEST_CURRENT_TEST", "").startswith(OF_THE_SERVER):
            return LAUNCHED(options, stdin=stdin, keep=keep)
        self.begin()
        return launcher(self.path)(options, stdin=stdin, keep=keep)

    def close(self) -> None:
        """End it; servers that run end with those who started them."""
        if self._process is not None:
            self._process.communicate()
        self._folder.cleanup()


def launcher(path: str) -> Callable[..., Any]:
    """Has the process at ``path`` start servers, in any process."""

    def launched(options: list[str], *, stdin: int, keep: tuple[int, ...] = ()) -> Any:
        return Forked(path, options, stdin == subprocess.PIPE, keep)

    return launched


class Forked:
    """As much of :class:`subprocess.Popen` as who starts a server uses, of a process that is another one's child."""

    def __init__(self, path: str, options: list[str], pipe: bool, keep: tuple[int, ...]) -> None:
        self.returncode: int | None = None
        theirs, ours = os.pipe()
        answers, told = os.pipe()
        self.stdin: IO[bytes] | None = os.fdopen(ours, "wb", 0) if pipe else None
        self.stdout: IO[bytes] = os.fdopen(answers, "rb")
        if not pipe:
            os.close(ours)  # its input has ended, as that of the null device has
        self._connection = socket.socket(socket.AF_UNIX)
        try:
            self._connection.connect(path)
            request = json.dumps([options, os.getcwd(), running._environment()]).encode()
            files = [theirs, told, 2, *keep]
            socket.send_fds(self._connection, [len(request).to_bytes(4, "big")], files)
            self._connection.sendall(request)
        finally:
            os.close(theirs)
            os.close(told)
        self.pid = self._number(60)

    def wait(self, timeout: float | None = None) -> int:
        """How it ended, as soon as it has."""
        if self.returncode is None:
            try:
                self.returncode = self._number(timeout)
            except TimeoutError:
                raise subprocess.TimeoutExpired("btmodel.server", timeout or 0) from None
            self._connection.close()
        return self.returncode

    def poll(self) -> int | None:
        """How it ended; None while it runs."""
        if self.returncode is None and select.select([self._connection], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Tell it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def communicate(self) -> tuple[bytes, None]:
        """End its input, and wait for it: the rest of what it prints."""
        if self.stdin:
            self.stdin.close()
        rest = self.stdout.read()
        self.stdout.close()
        self.wait()
        return rest, None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stdout.close()
        if self.stdin:
            self.stdin.close()
        self.wait()

    def _number(self, timeout: float | None) -> int:
        self._connection.settimeout(timeout)
        found = received(self._connection, 4)
        if not found:
            raise EOFError("the process that forks servers has ended")
        return int.from_bytes(found, "big", signed=True)


def serve(listening: socket.socket) -> tuple[list[str], str, dict[str, str], list[int]] | None:
    """Fork for each connection, and tell it about the fork. Returns the request in the fork, and nothing at the end of the input."""
    woken, wakes = os.pipe()
    for end in (woken, wakes):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes)
    connections: dict[int, socket.socket] = {}
    while True:
        ready, _, _ = select.select([listening, woken, 0], [], [])
        if 0 in ready:
            return None
        if woken in ready:
            os.read(woken, 4096)
            tell_ends(connections)
        if listening not in ready:
            continue
        connection, _ = listening.accept()
        head, files, _, _ = socket.recv_fds(connection, 4, 8)
        request = received(connection, int.from_bytes(head, "big"))
        child = os.fork() if request else None  # none of who was killed meanwhile
        if child == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for open_one in (listening, connection, *connections.values()):
                open_one.close()
            os.close(woken)
            os.close(wakes)
            options, folder, environment = json.loads(request)
            return options, folder, environment, files
        for file in files:
            os.close(file)
        if child is None:
            connection.close()
            continue
        connections[child] = connection
        with suppress(OSError):
            connection.sendall(child.to_bytes(4, "big"))


def tell_ends(connections: dict[int, socket.socket]) -> None:
    """Tell how forks have ended to who waits for that."""
    while connections:
        child, status = os.waitpid(-1, os.WNOHANG)
        if child == 0:
            return
        code = os.waitstatus_to_exitcode(status)
        with connections.pop(child) as connection, suppress(OSError):  # where nobody waits any more
            connection.sendall(code.to_bytes(4, "big", signed=True))


def be_a_server(options: list[str], folder: str, environment: dict[str, str], files: list[int]) -> None:
    """Make this fork what ``python -m btmodel.server`` is."""
    from btmodel.server.process import main

    os.setsid()
    if "--shared" in options:
        if os.fork():
            os._exit(0)
        options[options.index("--shared") + 1] = str(files[3])
    become(["btmodel.server", *options], folder, environment, files[:3])
    ended(lambda: sys.exit(main()))


def program() -> None:
    """Load, serve, and in each fork be a server."""

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    quiet()
    with socket.socket(fileno=int(sys.argv[1])) as listening:
        request = serve(listening)
    if request is not None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        be_a_server(*request)


if __name__ == "__main__":
    program()
