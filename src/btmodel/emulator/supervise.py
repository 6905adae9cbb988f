"""A supervisor process that stops the emulator when the program dies.

Run as ``python supervise.py PROGRAM``, with pipes as its stdin and stdout. It starts the
emulator and writes one line, ``running HOST:PORT`` or ``failed WHY``. It then waits for
a line, or the end, of its stdin. The kernel closes that pipe however the process at
its other end ended, so this needs nothing of the platform. Only the standard library
is used here.
"""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections import deque

RUNNING = "running"
FAILED = "failed"

_PATIENCE = 30.0  # seconds until the emulator must have said where it listens
_GRACE = 5.0  # seconds between asking it to end and killing it
_ADDRESS = re.compile(rb"running on (\S+:[0-9]+)")


class _WatchedEmulator:
    """The emulator, and the thread that reads what it prints, so that it never waits for a reader."""

    def __init__(self, program: str) -> None:
        self.ending = False
        self.known = threading.Event()
        self.address = ""
        self.last: deque[str] = deque(maxlen=40)
        self.process = subprocess.Popen(
            [program, "-host", "127.0.0.1", "-port", "0"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = None if self.address else _ADDRESS.search(line)
            if found:
                self.address = found[1].decode()
                self.known.set()
            else:
                self.last.append(line.decode(errors="replace").strip())
        code = self.process.wait()
        self.known.set()
        if self.address and not self.ending:
            _say(sys.stderr.fileno(), f"btmodel: the Bigtable emulator ended ({code}): {self.why()}")
            os._exit(1)

    def why(self) -> str:
        """The line that says what went wrong: that of the panic, or else the last one."""
        lines = [line for line in self.last if line]
        panics = [line for line in lines if line.startswith(("panic:", "fatal error:"))]
        return (panics or lines[-1:] or ["it said nothing"])[0]

    def end(self) -> None:
        """End the emulator, and wait until it is gone."""
        self.ending = True
        self.process.terminate()
        try:
            self.process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def main(program: str) -> int:
    """Run ``program`` until stdin says something or ends; 0 where it ran."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        watch = _WatchedEmulator(program)
    except OSError as error:
        _say(sys.stdout.fileno(), f"{FAILED} {error.strerror or error}")
        return 1
    try:
        return _attend(watch)
    finally:
        watch.end()


def _attend(watch: _WatchedEmulator) -> int:
    watch.known.wait(_PATIENCE)
    if not watch.address:
        _say(sys.stdout.fileno(), f"{FAILED} {watch.why()}")
        return 1
    _say(sys.stdout.fileno(), f"{RUNNING} {watch.address}")
    os.read(sys.stdin.fileno(), 1)
    return 0


def _say(file: int, line: str) -> None:
    with contextlib.suppress(OSError):
        os.write(file, f"{line}\n".encode())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
