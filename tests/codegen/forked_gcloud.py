"""``gcloud`` in forks of one process that has loaded it: starting it takes most of the time that a command takes.

Where `folder` is on the PATH, scripts find a `gcloud` there that gives its arguments, environment and streams to that process. It
forks for each command, and the fork calls the main function of the real gcloud, so each command begins as a new one would.
`python forked_gcloud.py serve SOCKET LIB` is that process, run by the Python of gcloud; `... ask SOCKET WORDS` asks it.
"""

import json
import os
import shlex
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

HEAD = 4  # bytes of the length of a request, and of an exit code
WARM_UP = ["bigtable", "instances", "tables", "list", "--instance=warm-up", "--project=warm-up"]


class ForkedGcloud:
    """The process, and the folder of the `gcloud` that asks it."""

    def __init__(self, environment: "dict[str, str]") -> None:
        """Start it; ``environment`` is that of a command to warm up with, which may fail."""
        asked = ["gcloud", "info", "--format=value(basic.python_location,installation.sdk_root)"]
        python, root = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.split()
        self._place = tempfile.TemporaryDirectory()
        self.folder = Path(self._place.name)
        path = self.folder / "socket"
        program = [python, "-S", __file__, "serve", str(path), str(Path(root) / "lib")]
        self._process = subprocess.Popen(program, stdout=subprocess.PIPE, env=environment)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        words = " ".join(shlex.quote(word) for word in (sys.executable, "-IS", __file__, "ask", str(path)))
        command = self.folder / "gcloud"
        command.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        command.chmod(0o755)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()
        self._place.cleanup()


def ask(path: str, words: "list[str]") -> int:
    """Have the command run with these words; its exit code."""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(path)
        request = json.dumps([words, dict(os.environ), os.getcwd()]).encode()
        socket.send_fds(asking, [len(request).to_bytes(HEAD, "big")], [0, 1, 2])
        asking.sendall(request)
        return int.from_bytes(asking.recv(HEAD, socket.MSG_WAITALL), "big")


def serve(path: str, lib: str) -> None:
    """Load gcloud and what a command of it loads, and run a command in a fork for each connection."""
    sys.path.insert(0, lib)
    import gcloud  # type: ignore[import-not-found]

    for name in loaded_by(gcloud, WARM_UP):
        with suppress(Exception):  # some modules load only within a command
            __import__(name)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        print("ready", flush=True)
        while True:
            asking, _ = listening.accept()
            with asking:
                head, streams, _, _ = socket.recv_fds(asking, HEAD, 3)
                request = asking.recv(int.from_bytes(head, "big"), socket.MSG_WAITALL)
                child = os.fork()
                if not child:
                    run(gcloud, streams, *json.loads(request))
                for stream in streams:
                    os.close(stream)
                _, status = os.waitpid(child, 0)
                code = os.waitstatus_to_exitcode(status) & 0xFF  # that of a signal is negative
                asking.sendall(code.to_bytes(HEAD, "big"))


def run(
    gcloud: object, streams: "list[int]", words: "list[str]", environment: "dict[str, str]", cwd: str
) -> None:
    """Be the command."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    code = called(gcloud, words)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def called(gcloud: object, words: "list[str]") -> int:
    """Call the main function of gcloud; the exit code of the command."""
    sys.argv = ["gcloud", *words]
    try:
        gcloud.main()  # type: ignore[attr-defined]
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def loaded_by(gcloud: object, words: "list[str]") -> "list[str]":
    """The modules that a command loads, which a fork runs for that."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        silent = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(silent, number)
        called(gcloud, words)
        with open(writing, "w") as told:
            told.write(" ".join(name for name in sys.modules if name != "__main__"))
        os._exit(0)
    os.close(writing)
    with open(reading) as told:
        names = told.read().split()
    os.waitpid(child, 0)
    return names


if __name__ == "__main__":
    if sys.argv[1] == "ask":
        sys.exit(ask(sys.argv[2], sys.argv[3:]))
    serve(*sys.argv[2:])
