"""A command that is told to end by SIGTERM, or by Ctrl-C, says so, whatever it is doing, and what it was asked to change is as it was."""

import json
import os
import pty
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from revised_project import QUOTE, Project

from btmodel.client.admin import Admin

INTERRUPTED = "error: interrupted; only what is printed as done was done; run the command again to continue"
# The command, which ends itself as soon as a module is imported.
IMPORTING = """
import os, signal, sys
from btmodel.cli import main

class Ending:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), {number})

sys.meta_path.insert(0, Ending())
sys.argv[0] = "btmodel"
main()
"""


def run(*command: str, **options: object) -> subprocess.Popen[str]:
    """A command of its own."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [sys.executable, *command],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    """The exit code, and the lines of stderr but for which server it is."""
    _, err = process.communicate(timeout=60)
    return process.returncode, [line for line in err.splitlines() if not line.startswith("server: ")]


ENDING = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])


def importing(module: str, number: signal.Signals = signal.SIGTERM) -> str:
    """The code of the command that ends itself so."""
    return IMPORTING.format(module=module, number=int(number))


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("btmodel.cli.migrate.apply", signal.SIGTERM),
        ("btmodel.client.admin", signal.SIGINT),
        ("btmodel.migrate", signal.SIGTERM),
        ("btmodel.beam", signal.SIGINT),
        ("btmodel.beam", signal.SIGTERM),
    ],
)
def test_while_it_is_loaded(project: Project, admin: Admin, module: str, number: signal.Signals) -> None:
    """With the line and the exit code of a run; in the instance, nothing has changed. Apache Beam takes seconds to load."""
    project.done("new", "quotes")
    process = run("-c", importing(module, number), "migrate", "apply", "--yes", "--runner=FnApiRunner")
    assert ended(process) == (1, [INTERRUPTED])
    assert admin.table("QUOTE") is None


@pytest.mark.parametrize(("command", "end"), [("migrate", (1, [INTERRUPTED])), ("check", (143, []))])
def test_while_models_are_imported(project: Project, command: str, end: tuple[int, list[str]]) -> None:
    """Which is no failure of a module, as sys.exit() in it would be: no other one is imported, and nothing is reviewed."""
    project.declare("import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n", QUOTE)
    assert ended(run("-m", "btmodel", command)) == end


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes connections, and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def test_while_it_connects(project: Project, silent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To a server that does not answer."""
    project.done("new", "quotes")
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", silent)
    process = run("-m", "btmodel", "migrate", "apply", "--yes")
    assert process.stderr is not None
    assert process.stderr.readline().startswith("server: ")
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (1, [INTERRUPTED])


@ENDING
def test_at_the_question(project: Project, admin: Admin, number: signal.Signals) -> None:
    """Where nobody has answered yet."""
    project.done("new", "quotes")
    with ExitStack() as open_files:
        ours, theirs = map(os.fdopen, pty.openpty(), ("wb", "rb"), (0, 0))
        open_files.enter_context(ours)
        open_files.enter_context(theirs)
        process = run("-m", "btmodel", "migrate", "apply", stdin=theirs)
        assert process.stderr is not None
        asked = ""
        while not asked.endswith("? [y/N]: "):
            asked += process.stderr.read(1)
        time.sleep(0.5)  # until it waits for the answer
        process.send_signal(number)
        code, lines = ended(process)
    assert (code, lines[-1]) == (1, INTERRUPTED)
    assert "Aborted!" not in lines
    assert admin.table("QUOTE") is None


def test_in_json(project: Project) -> None:
    """As every error."""
    project.done("new", "quotes")
    process = run("-c", importing("btmodel.client.admin"), "migrate", "--json", "plan")
    out, _ = process.communicate(timeout=60)
    assert json.loads(out) == {"error": INTERRUPTED.removeprefix("error: ")}
