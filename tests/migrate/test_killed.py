"""Runs that are killed: whatever call it was at, the same command, given again, ends where one undisturbed run does."""

import json
import os
import signal
import sys
from pathlib import Path

from killed_runs import MODELS

from btmodel import emulator
from btmodel import server as local_server
from tests.examples_tried import THOROUGH
from tests.forked_commands import Commands


def test_killed_at_any_call(tmp_path: Path, commands: Commands) -> None:
    """With SIGKILL after some of all calls, and then again: the same tables, the same history, and no lock.

    With ``--thorough`` after each.
    """
    (tmp_path / "killed_models.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.btmodel]\nmodels = ["killed_models"]\nemulated = ["projects/*"]\n'
    )
    program = Path(__file__).with_name("killed_runs.py")
    with local_server.start() as server:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([*sys.path, str(program.parents[2])]),
            emulator.VARIABLE: server.host,
        }
        arguments = [server.host, "all" if THOROUGH else "some"]
        ended = commands.program(program, arguments, tmp_path, environment, timeout=120)
    assert ended.returncode == 0, ended.stderr
    runs = [json.loads(line) for line in ended.stdout.splitlines()]
    *killed, lived = runs
    assert len(killed) > 10
    assert [run["codes"] for run in killed] == [[-signal.SIGKILL, 0]] * len(killed), ended.stderr
    assert lived["codes"] == [0, 0]
    for run in killed:
        assert {**run, "calls": 0, "codes": 0} == {**lived, "calls": 0, "codes": 0}
    assert lived["tables"].keys() == {"FRESH", "KEPT", "OTHER"}
    assert (lived["unfinished"], lived["locked"]) == ([], False)
