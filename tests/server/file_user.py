"""A process that uses a file, for tests of several at once: it does what each line of its input says, and answers with a line.

``FileUser`` starts one, and asks it.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from btmodel.server import Use, join


def lives(pid: int) -> bool:
    """Whether there is such a process, which has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def server_of(file: Path) -> int:
    """The process that serves a file."""
    return int(Path(f"{file}.lock").read_text().split()[0])


def killed(file: Path) -> None:
    """Kill the server of a file."""
    server = server_of(file)
    os.kill(server, signal.SIGKILL)
    until(lambda: not lives(server))


def until(holds: Callable[[], object], seconds: float = 15.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def taken(port: int) -> socket.socket:
    """A program that listens on a port, as soon as a process that was killed has let go of it: its threads end one by one."""
    end = time.monotonic() + 5
    while True:
        try:
            return socket.create_server(("127.0.0.1", port))
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.01)


class FileUser:
    """The process, as its tests see it; it is killed at the end of its block."""

    def __init__(self, file: Path, before: Sequence[str] = (), **settings: Any) -> None:
        command = [*before, sys.executable, __file__, str(file)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **settings
        )
        self.pid = self.process.pid

    def tell(self, command: str) -> None:
        """Have something done, without waiting for it."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        """What has come of it."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ask(self, command: str) -> str:
        """Have something done, and wait for what comes of it."""
        self.tell(command)
        return self.answer()

    def kill(self) -> None:
        """End it at once: `kill -9`."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> FileUser:
        return self

    def __exit__(self, *error: object) -> None:
        self.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


class _Commands:
    """What the process can be told to do."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.use: Use | None = None
        self.db: Any = None
        self.over = threading.Event()
        self.writing: threading.Thread | None = None
        self.failures: list[str] = []

    def join(self) -> str:
        """Use the file, without a connection."""
        self.use = join(self.file)
        return self.use.host

    def release(self) -> str:
        """Use it no more."""
        assert self.use is not None
        self.use.release()
        return "released"

    def come_and_go(self, times: str) -> str:
        """Use the file for a moment, again and again; each time its server must be there all the while."""
        hosts = set()
        for _ in range(int(times)):
            use = join(self.file)
            for _ in range(3):
                time.sleep(random.random() / 500)
                socket.create_connection(("127.0.0.1", int(use.host.rpartition(":")[2])), 5).close()
            hosts.add(use.host)
            use.release()
            time.sleep(random.random() / 50)
        return str(len(hosts))

    def descriptors(self) -> str:
        """How many it has open."""
        return str(len(os.listdir("/proc/self/fd")))

    def zombies(self) -> str:
        """How many of its children have ended and are not waited for."""
        states = [
            Path(stat).read_text().rpartition(")")[2].split() for stat in Path("/proc").glob("[0-9]*/stat")
        ]
        return str(sum(state[:2] == ["Z", str(os.getpid())] for state in states))

    def fork(self) -> str:
        """Leave a child behind that does nothing."""
        child = os.fork()
        if child == 0:
            time.sleep(600)
        return str(child)

    def release_in_child(self) -> str:
        """Have a child give up what its parent uses."""
        assert self.use is not None
        if (child := os.fork()) == 0:
            self.use.release()
            self.use.address()
            os._exit(0)
        return str(os.waitpid(child, 0)[1])

    def connect(self) -> str:
        """Connect, and stay connected."""
        from btmodel import connect

        self.db = connect(f"local:{self.file}")
        return str(self.db.target.host)

    def rows(self) -> str:
        """How many rows the table has, over that connection."""
        return str(sum(1 for _ in self.db.cells("t")))

    def die_as_owner(self) -> None:
        """Be elected in the place of the server that was killed, and be killed as well, before another one is there."""
        from btmodel.server.running import Owner

        while Owner.elected(Path(self.file), shared=True) is None:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGKILL)

    def write(self, keys: str, kind: str = "sync") -> str:
        """Begin to write rows, and note each in the file ``keys`` as soon as it is acknowledged."""
        acknowledged = os.open(keys, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        work = self._write if kind == "sync" else self._write_async
        self.writing = threading.Thread(target=work, args=[acknowledged])
        self.writing.start()
        return "begun"

    def stop(self) -> str:
        """Write no more; answers what went wrong."""
        assert self.writing is not None
        self.over.set()
        self.writing.join()
        return " ".join(self.failures)

    def _write(self, acknowledged: int) -> None:
        from btmodel import connect

        with connect(f"local:{self.file}") as db:
            number = 0
            while not self.over.is_set():
                key, number = b"%d-%d" % (os.getpid(), number), number + 1
                try:
                    db.write(_row(key))
                    os.write(acknowledged, key + b"\n")
                except Exception as error:
                    self.failures.append(repr(error))

    def _write_async(self, acknowledged: int) -> None:
        asyncio.run(self._written(acknowledged))

    async def _written(self, acknowledged: int) -> None:
        from btmodel import connect_async

        async with connect_async(f"local:{self.file}") as db:
            number = 0
            while not self.over.is_set():
                key, number = b"%d-%d" % (os.getpid(), number), number + 1
                try:
                    await db.write(_row(key))
                    os.write(acknowledged, key + b"\n")
                except Exception as error:
                    self.failures.append(repr(error))


def _row(key: bytes) -> Any:
    from btmodel.rows import Cell, Mutation

    return Mutation("t", key, [Cell("cf", b"q", 1000, b"v")])


def _main() -> None:
    commands = _Commands(sys.argv[1])
    for line in sys.stdin:
        name, *arguments = line.split()
        try:
            answer = getattr(commands, name)(*arguments)
        except Exception as error:
            answer = f"{type(error).__name__}: {error}"
        print(answer, flush=True)


if __name__ == "__main__":
    _main()
