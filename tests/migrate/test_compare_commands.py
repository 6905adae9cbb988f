"""The commands around plans: ``plan --out``, ``migrate --plan``, ``plan --format github``, ``diff`` and ``schema``."""

import json
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from some_tables import QUOTE, table
from test_command import MODELS

from btmodel import emulator
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.cli.migrate import pending
from btmodel.cli.migrate.scope import OpenInstance
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import BtmodelError, MigrationError
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.history.run_record import RunRecord
from btmodel.schema import MaxVersions

Run = Callable[..., Result]


@pytest.fixture
def admin(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


@pytest.fixture
def run(server: emulator.Emulator, instance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``btmodel migrate`` with these arguments, in a project with models of QUOTE and TRADE."""
    module = f"models_{uuid.uuid4().hex}"
    (tmp_path / f"{module}.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.btmodel]\nmodels = ["{module}"]\ninstance = "here"\nemulated = ["projects/*"]\n'
        f'[tool.btmodel.instances]\nhere = "{instance}"\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    return lambda *arguments: CliRunner().invoke(group, ["migrate", *arguments])


def test_a_saved_plan_is_applied(run: Run, admin: Admin) -> None:
    """What plan --out wrote is applied with what it was allowed, once, and by itself: no module is imported."""
    admin.create_table(table("QUOTE", MD=MaxVersions(3)))
    assert run("plan", "--out", "plan.json", "--allow", "tighten-gc:QUOTE.MD").exit_code == 2
    Path("pyproject.toml").write_text(Path("pyproject.toml").read_text().replace("models_", "none_"))
    applied = run("--plan", "plan.json", "--yes")
    assert applied.exit_code == 0, applied
    assert "done tighten-gc:QUOTE.MD" in applied.output
    again = run("--plan", "plan.json", "--yes")
    assert isinstance(again.exception, MigrationError)
    assert "the instance is not what it was when the plan was made" in str(again.exception)


def test_a_run_while_a_plan_is_saved(run: Run, admin: Admin, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file says when each table was migrated last as the plan saw it: a run that came in between makes the plan stale."""
    admin.create_table(table("QUOTE", MD=MaxVersions(3)))
    real = pending.look

    def look(there: OpenInstance, *arguments: Any, **options: Any) -> pending.Pending:
        made = real(there, *arguments, **options)
        RunRecord(MigrationHistory(there.instance, there.rows), "another").begin(
            "QUOTE", ["drop-table:QUOTE"]
        )
        return made

    monkeypatch.setattr(pending, "look", look)
    assert run("plan", "--out", "plan.json", "--allow", "tighten-gc:QUOTE.MD").exit_code == 2
    with pytest.raises(MigrationError, match="table 'QUOTE' was migrated since"):
        raise run("--plan", "plan.json", "--yes").exception or AssertionError


def test_a_saved_plan_has_its_own_allowances(run: Run) -> None:
    """--allow beside --plan is wrong usage, and says where it goes."""
    result = run("--plan", "plan.json", "--allow", "drop-table:QUOTE")
    assert (result.exit_code, "plan --out" in result.stderr) == (1, True)


def test_github(run: Run) -> None:
    """--format github prints Markdown, and the exit code says whether there is anything in it."""
    result = run("plan", "--format", "github")
    assert result.exit_code == 2
    assert result.stdout.startswith("**btmodel migrate**, `projects/test/instances/")
    assert "| `+` | `create-table:QUOTE` | `MD keeps newest 1 version` |  |" in result.output


def test_schemas_are_compared(run: Run, admin: Admin, instance: str) -> None:
    """Models, an instance by name or path, and files, in any order; nothing is applied."""
    admin.create_table(QUOTE)
    assert run("schema", "--out", "models.json").exit_code == 0
    assert run("schema", "here", "--out", "live.json").exit_code == 0
    for first, second in (
        ("models", "models.json"),
        ("models.json", "models"),
        ("here", "live.json"),
        ("here", instance),
    ):
        same = run("diff", first, second)
        assert (same.exit_code, same.stdout) == (0, f"{first} to {second}: no difference\n")
    for first in ("here", "live.json", instance):
        for second in ("models", "models.json"):
            found = run("diff", first, second)
            assert found.exit_code == 2
            assert (
                "  + create-table:TRADE  MD keeps newest 1 version, STAT keeps younger than 7d\n"
                in found.output
            )
    back = run("diff", "models", "here")
    assert back.exit_code == 2
    assert back.stdout.startswith("models to here: 2 differences\nonly in the first (2):\n")
    assert "  ? undeclared-table:TRADE  MD keeps newest 1 version" in back.output
    assert "--allow" not in back.output
    as_json = json.loads(run("diff", "here", "models", "--json").stdout)
    assert as_json["changes"][0]["name"] == "create-table:TRADE"
    assert [one.id for one in admin.read_tables()] == ["QUOTE"]


def test_a_schema_is_printed(run: Run) -> None:
    """Without --out it is printed, as JSON; TOML is read as well."""
    printed = json.loads(run("schema").output)
    assert list(printed["tables"]) == ["QUOTE", "TRADE"]
    Path("one.toml").write_text("[tables.QUOTE.families.MD]\ngc = { max_versions = 1 }\n")
    found = run("diff", "one.toml", "models", "--format", "github")
    assert found.exit_code == 2
    assert "`create-table:TRADE`" in found.output
    assert "relax" not in found.output


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (("diff", "none.json", "models"), "none.json cannot be read: No such file"),
        (("diff", "broken.json", "models"), "broken.json is not a schema file"),
        (("diff", "list.json", "models"), 'expected "tables"'),
        (("diff", "wrong.toml", "models"), "table 'Q': expected names and values, got 1"),
        (("diff", "twice.toml", "models"), "twice.toml: table 'Q': renamed_from: 'P' is also declared"),
        (("diff", "elsewhere", "models"), "elsewhere"),
        (("diff", "revision:1", "models"), "there are no revisions in"),
        (("schema", "--out", "models.toml"), "ends in .json"),
        (("schema", "--out", "none/models.json"), "cannot be written: there is no folder"),
        (("plan", "--out", "none/plan.json"), "cannot be written: there is no folder"),
        (("--plan", "none.json"), "none.json cannot be read"),
    ],
)
def test_what_cannot_be_read(arguments: tuple[str, ...], match: str, run: Run) -> None:
    """Each thing that cannot be read or written is named in one sentence, with exit code 1."""
    Path("broken.json").write_text("{")
    Path("list.json").write_text("[]")
    Path("wrong.toml").write_text("[tables]\nQ = 1\n")
    Path("twice.toml").write_text('[tables.Q]\nrenamed_from = "P"\n[tables.P]\n')
    result = run(*arguments)
    assert isinstance(result.exception, BtmodelError)
    assert result.exception.exit_code == 1
    assert match in str(result.exception)


def test_wrong_usage(run: Run) -> None:
    """Wrong usage is an error, not a difference."""
    for arguments in (("diff", "models"), ("plan", "--format", "html"), ("diff",), ("schema", "a", "b")):
        assert run(*arguments).exit_code == 1
