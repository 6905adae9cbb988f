"""What is assumed of the service: all of it holds on the local server, and on the emulator all but what is known."""

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner
from google.cloud.bigtable.data import BigtableDataClient

from btmodel import emulator
from btmodel import server as local_server
from btmodel.cli.verify_service import PREFIX, verify_service
from btmodel.client.admin import Admin
from btmodel.client.assumptions import ASSUMPTIONS, Trial, TrialDiffers, refused, same
from btmodel.client.target import Target

ROOT = Path(__file__).parents[2]
DOCUMENTED = re.findall(
    r"^\| `([a-z0-9-]+)` \| (.*) \| (.*) \| (yes|no) \|$", (ROOT / "docs" / "production.md").read_text(), re.M
)


@pytest.mark.skipif(
    find_spec("zetasql") is None or not hasattr(BigtableDataClient, "get_materialized_view"),
    reason="SQL and views need newer libraries",
)
@pytest.mark.both_servers
def test_what_holds(
    server: emulator.Emulator, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report names each assumption, what differs and why; the table is gone at the end."""
    monkeypatch.setenv(emulator.VARIABLE, server.host)
    instance = "projects/btmodel/instances/verified"
    done = CliRunner().invoke(verify_service, ["--instance", instance, "--json"])
    report = json.loads(done.stdout)
    differs = {one["name"] for one in report["assumptions"] if one["came"] is not None}
    known = (
        {name for name, _, _, holds in DOCUMENTED if holds == "no"}
        if request.node.callspec.params["server"] == "emulator"
        else set()
    )
    assert differs == known
    assert done.exit_code == bool(known)
    assert [one["name"] for one in report["assumptions"]] == [one.name for one in ASSUMPTIONS]
    with Admin(Target(instance, server.host)) as admin:
        assert [table.id for table in admin.read_tables() if table.id.startswith(PREFIX)] == []


def test_the_documentation_lists_them() -> None:
    """The table of the page has each with its words."""
    assert [(one.name, one.says, one.for_) for one in ASSUMPTIONS] == [row[:3] for row in DOCUMENTED]


def test_a_case_that_does_not_hold_says_what_came() -> None:
    """Both ways in which a case can fail do."""
    with pytest.raises(TrialDiffers, match=r"^expected \[1\], got \[2\]$"):
        same([1], [2])
    with pytest.raises(TrialDiffers, match=r"^expected a refusal, got the answer 5$"):
        refused(lambda: 5)


def test_the_report_for_people(server: emulator.Emulator, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for each, and one that counts."""
    monkeypatch.setenv(emulator.VARIABLE, server.host)

    def wrong(trial: Trial) -> None:
        same(1, len(trial.rows()))

    broken = [ASSUMPTIONS[0], type(ASSUMPTIONS[0])("no-rows", "It rains.", "umbrellas", wrong)]
    monkeypatch.setattr("btmodel.client.trials.ASSUMPTIONS", broken)
    done = CliRunner().invoke(verify_service, ["--instance", "projects/btmodel/instances/verified"])
    assert done.exit_code == 1
    assert "differs  no-rows        It rains." in done.stdout
    assert "expected 1, got 0. What depends on it: umbrellas" in done.stdout
    assert f"1 of 2 assumptions hold at {server.host}" in done.stdout


@pytest.mark.usefixtures("own_servers")  # a fork of a server has loaded it already
def test_sql_is_not_tried_where_the_local_server_lacks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the extra is not installed: that says nothing of the assumptions, and the whole is not verified."""
    hidden = "import importlib.util as u; real = u.find_spec; u.find_spec = lambda name, *more: None if name == 'zetasql' else real(name, *more)\n"
    (tmp_path / "sitecustomize.py").write_text(hidden)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    about_sql = [one for one in ASSUMPTIONS if one.name.startswith("sql-")]
    monkeypatch.setattr("btmodel.client.trials.ASSUMPTIONS", [ASSUMPTIONS[0], *about_sql])
    with local_server.start() as running:
        monkeypatch.setenv(emulator.VARIABLE, running.host)
        arguments = ["--instance", "projects/btmodel/instances/verified"]
        done = CliRunner(env={"COLUMNS": "200"}).invoke(verify_service, arguments)
        report = json.loads(CliRunner().invoke(verify_service, [*arguments, "--json"]).stdout)
    assert (done.exit_code, len(about_sql)) == (1, 3)
    assert [line.split()[:5] for line in done.stdout.splitlines()[1:4]] == [
        ["not", "tried:", "needs", "btmodel[sql]", one.name] for one in about_sql
    ]
    assert f"1 of 4 assumptions hold at {running.host}; 3 not tried" in done.stdout
    assert [one["untried"] for one in report["assumptions"]] == [None, *["needs btmodel[sql]"] * 3]
    assert {one["came"] for one in report["assumptions"]} == {None}


def test_the_service_is_not_touched_without_an_answer(tmp_path: Path) -> None:
    """Where nobody can be asked, and --yes is not said, nothing is sent; without an instance, it says how to name one."""
    command = [sys.executable, "-m", "btmodel", "verify-service"]
    environment = {"PATH": "/usr/bin", "PYTHONPATH": str(ROOT / "src"), "HOME": str(tmp_path)}
    for arguments, message in (
        (
            ["--instance", "projects/p/instances/i"],
            "this command asks before it creates a table on the service: use --yes",
        ),
        ([], "no instance given: use --instance projects/PROJECT/instances/INSTANCE"),
    ):
        done = subprocess.run(
            [*command, *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
            check=False,
        )
        assert done.returncode == 1
        assert message in done.stderr
