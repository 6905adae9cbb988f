"""The command ``btmodel migrate``, on a real emulator."""

import contextlib
import json
import os
import pty
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from some_tables import ONE, QUOTE, TRADE, WEEK, as_live, table

from btmodel import emulator
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError, ServerError, SettingsError
from btmodel.schema import MaxVersions
from tests.forked_commands import COMMAND, Commands

Run = Callable[..., Result]

MODELS = """
import btmodel as bt

class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)

class Trade(bt.Model, table="TRADE"):
    "A trade."
    symbol: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    stat = bt.family("STAT", gc=bt.max_age(days=7))
    price: int | None = bt.column("PRICE", md, default=None)
    count: int | None = bt.column("COUNT", stat, default=None)
"""


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


def test_plan_then_migrate_then_nothing(run: Run, instance: str) -> None:
    """plan exits 2 where something differs, migrate applies it, and then both find nothing."""
    plan = run("plan", "--instance", "here")
    assert plan.exit_code == 2
    assert plan.stdout == (
        f"{instance}: 2 changes\n"
        "note: the key and cell encodings of 2 tables will also be recorded\n"
        "loses no data (2):\n"
        "  + create-table:QUOTE  MD keeps newest 1 version\n"
        "  + create-table:TRADE  MD keeps newest 1 version, STAT keeps younger than 7d\n"
    )
    applied = run("--yes")
    assert applied.exit_code == 0
    assert applied.stdout == plan.stdout + "done create-table:QUOTE\ndone create-table:TRADE\n"
    for arguments in (("plan",), (), ("--yes",)):
        second = run(*arguments)
        assert (second.exit_code, second.stdout) == (0, f"{instance}: nothing to do\n")


def test_json(run: Run, instance: str, admin: Admin) -> None:
    """--json prints one JSON document on stdout, whatever else is told on stderr."""
    admin.create_table(table("USED"))
    plan = run("--json", "plan")
    assert plan.exit_code == 2
    assert json.loads(plan.stdout)["instance"] == instance
    assert [change["requires"] for change in json.loads(plan.stdout)["drift"]] == ["drop-table:USED"]
    applied = run("--yes", "--json")
    assert json.loads(applied.stdout)["done"] == ["create-table:QUOTE", "create-table:TRADE"]
    nothing = run("plan", "--json")
    assert (nothing.exit_code, json.loads(nothing.stdout)["changes"]) == (0, [])


def test_no_terminal_to_ask_at(run: Run, admin: Admin) -> None:
    """Without --yes and without a terminal nothing is applied; the error says what to say."""
    result = run()
    assert isinstance(result.exception, MigrationError)
    assert "nothing was applied: 2 changes waiting for an answer" in str(result.exception)
    assert admin.read_tables() == ()


def test_yes_is_not_enough_to_lose_data(run: Run, admin: Admin) -> None:
    """--yes applies nothing while one change loses data; its --allow is what lets it through."""
    admin.create_table(table("QUOTE", MD=MaxVersions(2)))
    result = run("--yes")
    assert isinstance(result.exception, MigrationError)
    assert "[needs --allow tighten-gc:QUOTE.MD]" in result.output
    assert admin.table("TRADE") is None
    assert run("--yes", "--allow", "tighten-gc:QUOTE.MD").exit_code == 0
    assert admin.read_tables() == as_live(QUOTE, TRADE)


def test_a_drop_by_name(run: Run, admin: Admin) -> None:
    """An undeclared family stays through --yes, and goes when its drop is allowed."""
    admin.create_table(table("QUOTE", MD=ONE, OLD=WEEK))
    assert run("--yes").exit_code == 0
    assert admin.table("QUOTE") == as_live(table("QUOTE", MD=ONE, OLD=WEEK))[0]
    assert run("--allow", "drop-family:QUOTE.OLD", "plan").exit_code == 2
    assert run("--yes", "--allow", "drop-family:QUOTE.OLD").exit_code == 0
    assert admin.table("QUOTE") == as_live(QUOTE)[0]


@pytest.mark.parametrize(("answer", "code", "live"), [("y", 0, (QUOTE, TRADE)), ("n", 2, ())])
@pytest.mark.usefixtures("run")
def test_it_asks_at_a_terminal(
    answer: str, code: int, live: object, admin: Admin, tmp_path: Path, commands: Commands
) -> None:
    """At a terminal the plan is in colour, and applied or not by the answer."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = commands.started([COMMAND, "migrate"], tmp_path, environment, [theirs] * 3)
    os.close(theirs)
    os.write(ours, f"{answer}\n".encode())
    said = b""
    with contextlib.suppress(OSError):  # Linux's way to say that the terminal was closed
        while more := os.read(ours, 4096):
            said += more
    os.close(ours)
    assert b"\x1b[32mloses no data" in said
    assert b"apply 2 changes? [y/N]" in said
    assert (command.wait(60), admin.read_tables()) == (code, as_live(*live))


def test_nothing_answers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is not there is an error that names its address."""
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", "127.0.0.1:1")
    assert isinstance(error := run("plan").exception, ServerError)
    assert "127.0.0.1:1" in str(error)


def test_no_instance(run: Run, tmp_path: Path) -> None:
    """Without an instance in the settings and on the command line, the error says where to name one."""
    path = tmp_path / "pyproject.toml"
    path.write_text(path.read_text().replace('instance = "here"', ""))
    assert isinstance(error := run("plan").exception, SettingsError)
    assert "--instance" in str(error)
    assert run("plan", "--instance", "here").exit_code == 2


def test_help_loads_no_grpc() -> None:
    """The command's help needs no client library."""
    code = "import sys, btmodel.cli.migrate; sys.exit('grpc' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)


def test_usage_errors_exit_with_1(run: Run) -> None:
    """A wrong option is no difference: it exits with 1, not with click's 2."""
    for arguments in (("--bogus",), ("plan", "--bogus"), ("plan", "--instance")):
        result = run(*arguments)
        assert (result.exit_code, result.stderr.count("Error: ")) == (1, 1)


@pytest.mark.usefixtures("run")
def test_errors_exit_with_1_and_one_message(tmp_path: Path, commands: Commands) -> None:
    """An error is one line on stderr, and exit code 1."""
    ended = commands.run(["migrate"], tmp_path, os.environ)
    assert ended.returncode == 1
    assert "error: nothing was applied: 2 changes waiting" in ended.stderr
    assert ended.stderr.count("\n") == 2
