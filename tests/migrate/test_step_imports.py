"""What the code of data steps imports: it is found in the project, whichever command loads it, and a step that cannot be loaded stops the command."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from renamed_models import Site
from test_data_steps import there as there

from btmodel import server as local_server
from btmodel.rows import Cell
from tests.forked_commands import Commands

MODELS = """
from enum import StrEnum
import btmodel as bt

class Base(StrEnum):
    "A base of its own, so that code of a revision imports the enum."

class State(Base):
    NEW = "new"

class Parcel(bt.Model, table="p"):
    "A parcel."
    id: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    state: State = bt.column("s", f)
"""
RENAMED = MODELS.replace('"s", f', '"t", f, renamed_from="s"')
DEPLOYED = ("--allow", "deployed:0002_two")
GUARD = "a step has moved the cells of p.f:s to f:t, and the models of 0001_one would find none"


class Parcels:
    """A project in whose folder the command runs as in a shell: nothing of the project is on the import path."""

    def __init__(self, folder: Path, instance: str, commands: Commands) -> None:
        self.folder, self._commands = folder, commands
        (folder / "app").mkdir()
        (folder / "app/__init__.py").touch()
        settings = f'models = ["app.models"]\ninstance = "{instance}"\nemulated = ["projects/*"]\n'
        (folder / "btmodel.toml").write_text(settings)
        self.declare(MODELS)

    def declare(self, text: str) -> None:
        """Write the models."""
        (self.folder / "app/models.py").write_text(text)

    def run(self, *arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        """Run ``btmodel migrate`` with these arguments."""
        given = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environment}
        return self._commands.run(["migrate", *arguments], self.folder, given)

    def done(self, *arguments: str, **environment: str) -> str:
        """The same, of a command that goes through; its output."""
        result = self.run(*arguments, **environment)
        assert result.returncode in (0, 2), result.stderr
        return result.stdout


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone: nothing here depends on the server."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def parcels(
    tmp_path: Path,
    instance: str,
    server: local_server.RunningServer,
    commands: Commands,
    monkeypatch: pytest.MonkeyPatch,
) -> Parcels:
    """A project whose column was renamed: the first revision is applied, and the second has a step that imports an enum of the project."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # models are written anew within a second
    made = Parcels(tmp_path, instance, commands)
    made.done("new", "one")
    made.done("apply", "--yes")
    made.declare(RENAMED)
    made.done("new", "two")
    assert "from app.models import State" in (tmp_path / "migrations/0002_two.py").read_text()
    return made


def write_row(there: Site) -> None:
    there.write("p", {b"a": [Cell("f", b"t", 1_000, b"new")]})


def test_steps_import_from_the_project_in_all_commands(parcels: Parcels, there: Site) -> None:
    """Also where the command needs no models, so that it imports none before."""
    for command in (["status"], ["plan"], ["preview"], ["new", "--check"]):
        parcels.done(*command)
    assert "applied 0002_two" in parcels.done("apply", "--yes", *DEPLOYED)
    write_row(there)
    assert GUARD in parcels.run("rollback", "--yes", "--allow", "data-step:rewrite_parcel").stderr
    allow = ("data-step:rewrite_parcel", "unread-cells:p.f:t", "require-column:p.f:s")
    parcels.done("rollback", "--yes", *(part for name in allow for part in ("--allow", name)))
    for command in (["status"], ["verify"], ["plan"]):
        parcels.done(*command)


@pytest.mark.parametrize("listed", ["nowhere", "behind"])
def test_the_project_goes_before_an_installed_copy(
    parcels: Parcels, there: Site, tmp_path: Path, listed: str
) -> None:
    """The copy lacks the enum; also where the folder of the project is on the path, behind the copy."""
    copy = tmp_path / "copies"
    (copy / "app").mkdir(parents=True)
    (copy / "app/__init__.py").touch()
    (copy / "app/models.py").write_text("raise ImportError('a copy of the project')\n")
    path = os.pathsep.join([str(copy), *([str(tmp_path)] if listed == "behind" else [])])
    assert "applied 0002_two" in parcels.done("apply", "--yes", *DEPLOYED, PYTHONPATH=path)
    write_row(there)
    refused = parcels.run("rollback", "--yes", "--allow", "data-step:rewrite_parcel", PYTHONPATH=path)
    assert GUARD in refused.stderr


def test_a_step_that_cannot_be_loaded_stops_a_rollback(parcels: Parcels, there: Site) -> None:
    """What it has moved cannot be known without it, so nothing is rolled back, whatever is allowed."""
    parcels.done("apply", "--yes", *DEPLOYED)
    write_row(there)
    parcels.declare(
        RENAMED.replace("State", "Status")
    )  # the enum that the step imports has another name by now
    for allow in ((), ("--allow", "data-step:rewrite_parcel"), ("--allow", "unread-cells:p.f:t")):
        refused = parcels.run("rollback", "--yes", *allow)
        assert refused.returncode == 1
        assert "0002_two.py:10: ImportError: cannot import name 'State' from 'app.models'" in refused.stderr
        assert "the data steps of 0002_two cannot be loaded" in refused.stderr
    assert "0002_two" in parcels.done("status")
    parcels.declare(RENAMED)
    assert GUARD in parcels.run("rollback", "--yes").stderr


def test_a_step_that_cannot_be_loaded_stops_a_plan_that_depends_on_it(parcels: Parcels) -> None:
    """What is left of a renaming is forgotten because a step has moved it: without the step, no command takes it for a column that is gone."""
    parcels.done("apply", "--yes", *DEPLOYED)
    parcels.declare(MODELS.replace('"s", f', '"t", f').replace("State", "Status"))
    refused = parcels.run("new", "three")
    assert (refused.returncode, "cannot be loaded" in refused.stderr) == (1, True), refused
    assert not list((parcels.folder / "migrations").glob("0003*"))


def test_another_import_is_accepted_of_an_applied_revision(parcels: Parcels, there: Site) -> None:
    """What the file says of itself: a class of the application gets another name, and the file its import, on instances that have it and on new ones."""
    step = parcels.folder / "migrations/0002_two.py"
    assert (
        "The file imports app.models.State: where that is renamed or moved, correct its import"
        in " ".join(step.read_text().split())
    )
    parcels.done("apply", "--yes", *DEPLOYED)
    write_row(there)
    parcels.declare(RENAMED.replace("State", "Status"))
    refused = parcels.run("plan")
    assert "another import is accepted also of a revision that is applied" in " ".join(refused.stderr.split())
    text = step.read_text()
    step.write_text(text.replace("import State", "import Status as State"))
    for command in (["status"], ["verify"]):
        parcels.done(*command)
    assert "edited" not in parcels.done("status")
    step.write_text(text.replace("return row", "return bt.replace(row)"))
    assert "edited" in parcels.run("verify").stdout + parcels.run("verify").stderr
