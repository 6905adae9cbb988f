"""The emulator's life: it ends with us, however we end."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from btmodel import emulator

pytestmark = pytest.mark.usefixtures("startable")

# Starts an emulator, tells where it is and who supervises it, and waits to be ended.
# A shell's background jobs ignore SIGINT, and so would their children.
PARENT = """
import signal, sys, time
from btmodel import emulator
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
it = emulator.start()
print(it.host, it._supervisor.pid, flush=True)
sys.stdin.readline()
"""


def answers(host: str) -> bool:
    name, _, port = host.rpartition(":")
    try:
        socket.create_connection((name, int(port)), 1).close()
    except OSError:
        return False
    return True


def processes() -> dict[int, tuple[int, str]]:
    """Parent and command of each process that is not a zombie, by its id."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True
    )
    rows = (line.split(None, 3) for line in listed.stdout.splitlines())
    return {int(row[0]): (int(row[1]), row[3]) for row in rows if len(row) == 4 and "Z" not in row[2]}


def child(supervisor: int) -> int:
    return next(id for id, (parent, _) in processes().items() if parent == supervisor)


def soon(true: Callable[[], bool]) -> bool:
    """Whether it becomes true within ten seconds."""
    deadline = time.monotonic() + 10
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def ended_after(end: Callable[[subprocess.Popen[str]], object], code: str = PARENT) -> bool:
    """Whether nothing of an emulator is left once ``end`` was done to the process that started it."""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        host, supervisor = parent.stdout.readline().split()
        family = {int(supervisor), child(int(supervisor))}
        assert answers(host)
        end(parent)
        parent.wait(10)
        return soon(lambda: not (family & processes().keys()) and not answers(host))


def test_it_ends_with_a_process_that_ends() -> None:
    """A process that ends without a word takes its emulator along."""
    assert ended_after(lambda parent: parent.communicate("\n"))


def test_it_ends_with_a_process_that_is_killed() -> None:
    """After kill -9, which nothing can catch, neither emulator nor supervisor is left."""
    assert ended_after(lambda parent: parent.kill())


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_it_ends_with_a_signal_to_the_group(name: str) -> None:
    """After Ctrl-C, a terminal that closes, or a stop, none is left."""
    assert ended_after(lambda parent: os.killpg(parent.pid, getattr(signal, name)))


def test_it_ends_with_a_crash() -> None:
    """After an exception that nobody caught, none is left."""
    assert ended_after(lambda parent: parent.communicate("\n"), PARENT + "raise RuntimeError\n")


def test_it_ends_although_a_fork_holds_its_pipe() -> None:
    """stop() works where a forked process still holds the pipe whose end is the usual sign."""
    forked = PARENT + "import os\nif os.fork() == 0: time.sleep(15); os._exit(0)\nit.stop()\n"

    def say(parent: subprocess.Popen[str]) -> None:
        assert parent.stdin is not None
        parent.stdin.write("\n")
        parent.stdin.flush()

    assert ended_after(say, forked)


def test_stop() -> None:
    """stop() returns when the emulator is gone; and again does nothing."""
    with emulator.running() as one, emulator.running() as other:
        assert one.host != other.host
        assert answers(one.host)
        one.stop()
        assert not answers(one.host)
        one.stop()
        assert answers(other.host)
    assert not answers(other.host)


def test_one_that_runs_already_is_used_and_left_alone(
    server: emulator.Emulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BIGTABLE_EMULATOR_HOST is used as it is, and not stopped."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    with emulator.running() as used:
        assert used.host == server.host
    assert answers(server.host)


def test_one_that_dies_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    """An emulator that crashes says so on our stderr, once, and stop() still returns."""
    with emulator.running() as crashing:
        supervisor = crashing._supervisor
        assert supervisor is not None
        os.kill(child(supervisor.pid), signal.SIGKILL)
        assert soon(lambda: supervisor.poll() is not None)
        assert not answers(crashing.host)
    assert capfd.readouterr().err.startswith("btmodel: the Bigtable emulator ended (-9)")
