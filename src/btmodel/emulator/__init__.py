"""Google's emulator: the one that BIGTABLE_EMULATOR_HOST names, or a child process, found, started and stopped."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from btmodel.emulator import supervise
from btmodel.errors import ServerError, Unavailable

_NAME = "cbtemulator"
VARIABLE = "BIGTABLE_EMULATOR_HOST"
_PATIENCE = 3.0  # seconds


def named(without: str = "have one started") -> str | None:
    """The ``host:port`` of the environment, once something answered there; None where it names none.

    ``without`` says what comes of unsetting the variable.

    Raises :class:`ServerError` where the name is malformed, or nothing answers.
    """
    host = os.environ.get(VARIABLE, "").strip()
    if not host:
        return None
    why = silence(host)
    if why is not None:
        raise Unavailable(
            f"{VARIABLE}={host}: nothing answers there ({why}): start that server, "
            f"or unset the variable to {without}"
        )
    return host


def silence(host: str) -> str | None:
    """Why nothing answers at ``host:port``; None where something does.

    Raises :class:`ServerError` where ``host`` is malformed.
    """
    try:
        socket.create_connection(_parts(host), _PATIENCE).close()
    except OSError as error:
        return error.strerror or str(error) or "no answer"
    return None


def _parts(host: str) -> tuple[str, int]:
    name, colon, port = host.rpartition(":")
    if not (name and colon and port.isascii() and port.isdigit() and 0 < int(port) < 65_536):
        raise ServerError(f"{VARIABLE}: expected host:port, such as 127.0.0.1:8086, got {host!r}")
    return name.strip("[]"), int(port)


def find() -> Path:
    """The emulator's program: on PATH, or in the Cloud SDK that ``gcloud`` belongs to.

    Raises :class:`ServerError` that says what to install where there is none.
    """
    found = shutil.which(_NAME) or _in_cloud_sdk()
    if found is None:
        raise ServerError(
            f"no Bigtable emulator: {_NAME} is neither on PATH nor in a Cloud SDK; install it with "
            "`gcloud components install bigtable`, or set BIGTABLE_EMULATOR_HOST to one that runs"
        )
    return Path(found)


def _in_cloud_sdk() -> str | None:
    """The component ``bigtable`` of the Cloud SDK, which is not on PATH when it is installed."""
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        return None
    sdk = Path(gcloud).resolve().parent.parent
    return shutil.which(_NAME, path=str(sdk / "platform" / "bigtable-emulator"))


class Emulator:
    """A Bigtable emulator that answers at ``host`` (``127.0.0.1:41621``), without TLS.

    What it holds is in memory, and gone when it stops. One that already ran when
    it was found is used and left alone: stopping it does nothing.
    """

    def __init__(self, host: str, supervisor: "subprocess.Popen[bytes] | None" = None) -> None:
        self.host = host
        self._supervisor = supervisor

    def stop(self) -> None:
        """Stop it, if we started it, and wait until it is gone. Twice is as good as once."""
        supervisor, self._supervisor = self._supervisor, None
        if supervisor is not None:
            _dismiss(supervisor)

    def __repr__(self) -> str:
        return f"Emulator({self.host!r})"


def start() -> Emulator:
    """The emulator that BIGTABLE_EMULATOR_HOST names, else a new one on a free loopback port.

    A new one ends with :meth:`Emulator.stop`, and when this process ends in any way:
    also by a crash, by Ctrl-C, or killed.

    Raises :class:`ServerError` where there is none, where the one named does not
    answer, and where a new one does not start.
    """
    host = named()
    return Emulator(host) if host else _started(find())


@contextlib.contextmanager
def running() -> Iterator[Emulator]:
    """The emulator of :func:`start`, stopped at the end of the block."""
    emulator = start()
    try:
        yield emulator
    finally:
        emulator.stop()


def _started(program: Path) -> Emulator:
    # By its path and isolated: the supervisor needs nothing that this process has
    # imported, and starts in a few milliseconds.
    command = [sys.executable, "-I", "-S", supervise.__file__, str(program)]
    supervisor = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,  # so that Ctrl-C in our terminal does not reach it before us
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # the same on Windows
    )
    try:
        return Emulator(_address(supervisor, program), supervisor)
    except BaseException:
        _dismiss(supervisor)
        raise


def _address(supervisor: "subprocess.Popen[bytes]", program: Path) -> str:
    """The address that the supervisor reports, which has its own deadline."""
    assert supervisor.stdout is not None
    word, _, rest = supervisor.stdout.readline().decode(errors="replace").strip().partition(" ")
    if word != supervise.RUNNING:
        raise ServerError(f"the Bigtable emulator {program} did not start: {rest or 'it ended at once'}")
    return rest


def _dismiss(supervisor: "subprocess.Popen[bytes]") -> None:
    """Tell the supervisor to end. A word, not only the end of the pipe: a fork may hold it open."""
    assert supervisor.stdin is not None
    assert supervisor.stdout is not None
    with contextlib.suppress(OSError):
        supervisor.stdin.write(b"stop\n")
        supervisor.stdin.flush()
    with contextlib.suppress(OSError):
        supervisor.stdin.close()
    supervisor.wait()
    supervisor.stdout.close()
