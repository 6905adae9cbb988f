"""Runs of revisions as processes: many at once, and killed at any call."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest
from some_revisions import BOTH, FIRST, OTHER, SECOND, folder_of

from btmodel import emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from tests.examples_tried import THOROUGH
from tests.forked_commands import Commands

HERE = Path(__file__).parent
# Four processes, forked from one that has loaded what they load.
MANY = """
import sys
from killed_revisions import command
from killed_runs import forked_at_once, load_for_migrations

load_for_migrations()
sys.exit(forked_at_once(lambda _: command(sys.argv[1]), range(4)))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with two branches that were merged, and no models: applying needs none."""
    folder_of(tmp_path / "migrations", FIRST, SECOND, OTHER, BOTH)
    (tmp_path / "pyproject.toml").write_text('[tool.btmodel]\nemulated = ["projects/*"]\n')
    return tmp_path


def environment(server: emulator.Emulator) -> dict[str, str]:
    path = os.pathsep.join([*sys.path, str(HERE)])
    return {**os.environ, "PYTHONPATH": path, emulator.VARIABLE: server.host}


def test_one_of_many_applies(
    server: emulator.Emulator, instance: str, project: Path, commands: Commands
) -> None:
    """Of four runs at once one makes each table, every run ends well, and each revision is recorded once."""
    (project / "many.py").write_text(MANY)
    ran = commands.program(project / "many.py", [instance], project, environment(server), timeout=240)
    assert ran.returncode == 0, ran.stderr
    for name in ("0001_quotes", "0002_trades", "0002_users", "0003_merge"):
        assert ran.stderr.count(f"applied {name}\n") == 1
    with Admin(Target(instance, server.host)) as admin:
        assert [one.id for one in admin.read_tables()] == ["QUOTE", "TRADE", "USER"]


def test_a_killed_run_is_finished(server: emulator.Emulator, project: Path, commands: Commands) -> None:
    """Killed behind any call, a run leaves what the next one finishes: all tables, each revision recorded once.

    It is killed at calls of each kind, and with ``--thorough`` at all.
    """
    arguments = [server.host, "all" if THOROUGH else "some"]
    ran = commands.program(HERE / "killed_revisions.py", arguments, project, environment(server), timeout=400)
    assert ran.returncode == 0, ran.stderr
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    assert len(found) > 5
    assert [one["codes"] for one in found] == [*[[-signal.SIGKILL, 0]] * (len(found) - 1), [0, 0]], ran.stderr
    for one in found:
        assert one["tables"] == ["QUOTE", "TRADE", "USER"], one
        assert one["revisions"] == ["0001_quotes", "0002_trades", "0002_users", "0003_merge"], one
        assert not one["locked"]
