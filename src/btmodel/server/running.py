"""Starting the server as a child process, so that it and its clients do not share one interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Literal

from attrs import define, field

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
