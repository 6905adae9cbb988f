"""The server as a child process of a program."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Literal

from attrs import define, field, frozen

from btmodel.errors import ServerError

# What this process and its child must agree on.
READY_LINE = "btmodel.server ready on "
LOCAL = "projects/btmodel/instances/local"  # what `local:` names; the server has every instance
COLLECT_GARBAGE = "/btmodel.server.Local/CollectGarbage"
COUNT_SCANS = "/btmodel.server.Local/CountScans"

_STOP_SECONDS = 10.0


@define
class RunningServer:
    """A server in a child process. It ends with `stop`, with its `with` block, or with this process."""

    host: str  #: host:port, as BIGTABLE_EMULATOR_HOST wants it
    file: Path | None  #: the file that is served; None for one in memory
    _process: subprocess.Popen[bytes] = field(repr=False, alias="process")

    @property
    def pid(self) -> int:
        """The number of the child process."""
        return self._process.pid

    def stop(self) -> None:
        """End the server and wait for it; does nothing when it has ended."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()

    def kill(self) -> None:
        """End the server at once, as a crash would: `kill -9`."""
        self._process.kill()
        self._process.wait()
        self.stop()

    def collect_garbage(self) -> None:
        """Let the server delete, now, every cell that the rules of its family let go.

        Raises grpc.RpcError when the server cannot be reached.
        """
        self._call(COLLECT_GARBAGE)

    def count_scans(self) -> int:
        """How many reads clients have open: more than zero after all of them ended would be a leak.

        Raises grpc.RpcError when the server cannot be reached.
        """
        return int(self._call(COUNT_SCANS))

    def _call(self, path: str) -> bytes:
        import grpc

        with grpc.insecure_channel(self.host) as channel:
            call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
            return call(b"", wait_for_ready=True)

    def __enter__(self) -> RunningServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def start(
    file: str | os.PathLike[str] | None = None,
    *,
    port: int = 0,
    replicated: bool = False,
    gc: Literal["lazy", "eager"] = "lazy",
    gc_period: float = 3600.0,
) -> RunningServer:
    """Start a server on loopback and return once it serves.

    Without a file everything is in memory and goes with the server. *port* 0 takes a free one. *gc_period* is
    in seconds, 0 for never. Raises ServerError when the file or the port cannot be had.
    """
    # -P: a file of the working folder that is called signal.py must not stand in for Python's own.
    command = [sys.executable, "-P", "-m", "btmodel.server", "--until-eof", "--port", str(port), "--gc", gc]
    command += ["--gc-period", str(gc_period)]
    command += ["--file", os.fspath(file)] if file is not None else []
    command += ["--replicated"] if replicated else []
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=_environment(),
        start_new_session=True,  # so that Ctrl-C in our terminal does not reach it before us
    )
    assert process.stdout is not None
    line = process.stdout.readline().decode().strip()
    if not line.startswith(READY_LINE):
        process.communicate()
        complaint = line.removeprefix("btmodel.server: ") or "it ended without a word"
        raise ServerError(f"the local server did not start: {complaint}")
    return RunningServer(
        host=line.removeprefix(READY_LINE), file=Path(file) if file is not None else None, process=process
    )


def _environment() -> dict[str, str]:
    """This process's environment, with the folder of this package on the child's path where it is not installed."""
    environment = dict(os.environ)
    root = Path(__file__).parents[2]
    if root.name != "site-packages":
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [str(root), environment.get("PYTHONPATH", "")])
        )
    return environment


# SQLite's own locks would be lost if the process closed the file once.

_ROOM = 512  # bytes for the number of the process and the address


@frozen
class Owner:
    """This process as the only owner of a file, until it is released or ends."""

    _descriptor: int = field(alias="descriptor")
    _made: Path | None = field(default=None, alias="made")  # the file beside it, where there was none

    @classmethod
    def of(cls, path: Path) -> Owner:
        """The owner of ``path``, a real path; ServerError when another process owns it."""
        lock = _lock(path)
        made = None if lock.exists() else lock
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise ServerError(f"cannot serve {path}: cannot write {lock}: {error.strerror}") from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            refused = _refusal(path, descriptor)
            os.close(descriptor)
            raise refused from None
        owner = cls(descriptor, made)
        try:
            owner.tell("")
        except OSError as error:
            owner.release()
            raise ServerError(f"cannot serve {path}: cannot write {lock}: {error.strerror}") from error
        return owner

    def tell(self, address: str) -> None:
        """Write down where the file is served, for who finds it owned; all of the room is taken the first time."""
        os.pwrite(self._descriptor, f"{os.getpid()} {address}\n".encode().ljust(_ROOM), 0)

    def discard(self) -> None:
        """Give up a file that is none of ours, and leave nothing beside it that was not there."""
        if self._made is not None:
            self._made.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Give the file up."""
        os.close(self._descriptor)


def refuse_served(path: Path) -> None:
    """Raise ServerError when another process owns ``path``; this writes nothing."""
    try:
        descriptor = os.open(_lock(path.resolve()), os.O_RDONLY)
    except OSError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        raise _refusal(path, descriptor) from None
    finally:
        os.close(descriptor)


def served_at(path: Path, host: str) -> bool:
    """Whether a process of this machine serves ``path`` at ``host``, right now.

    The lock is what tells: the address of a process that was killed may be another's by now.
    """
    try:
        descriptor = os.open(_lock(path.resolve()), os.O_RDONLY)
    except (OSError, RuntimeError):  # a ring of links is a RuntimeError, before Python 3.13
        return False
    try:
        if _read(descriptor)[1] != host:
            return False  # without a try of the lock, which would be in the way of who wants to own it
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _read(descriptor)[1] == host
    finally:
        os.close(descriptor)
    return False


def _lock(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _read(descriptor: int) -> tuple[str, str]:
    """The process that owns a file, and its address, as far as they are written down."""
    pid, _, address = os.pread(descriptor, _ROOM, 0).decode(errors="replace").strip().partition(" ")
    return pid, address


def _refusal(path: Path, descriptor: int) -> ServerError:
    """What is said to who finds the file owned."""
    pid, address = _read(descriptor)
    return ServerError(f"{path} is already being served by process {pid or 'unknown'}{_way(address)}")


def _way(address: str) -> str:
    """How to reach a file that another serves."""
    if not address:
        return ""
    return f" at {address}: export BIGTABLE_EMULATOR_HOST={address}, and the instance {LOCAL} is that file"
