"""Every command says which server it talks to, and changes none that the environment put instead of the service unasked."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve
from memory_history import MemoryHistory
from memory_instance import MemoryInstance
from revised_project import TRADE, Project
from saving import save
from some_tables import QUOTE, WEEK, table

import btmodel as bt
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError
from btmodel.migrate import read_plan
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.planning.saved import SeenTables, concerned_by, load, saved_text
from btmodel.rows import Cell, Mutation


@pytest.fixture
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone: nothing here depends on the server."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def production(project: Project) -> Project:
    """A project whose instance is one of the service, by its name; the environment names another server."""
    path = project.folder / "pyproject.toml"
    text = path.read_text().replace('emulated = ["projects/*"]\n', "")
    path.write_text(f'{text}[tool.btmodel.instances]\nproduction = "{project.instance}"\n')
    return project


TO = ("--instance", "production")


@pytest.mark.parametrize(
    "command", [["--yes"], ["apply", "--yes"], ["rollback", "--yes"], ["baseline"], ["unlock", "--yes"], []]
)
def test_an_emulator_in_the_place_of_the_service(
    command: list[str], production: Project, server: local_server.RunningServer
) -> None:
    """With --yes, and where there is no terminal, it is refused before anything is read, with the ways out."""
    production.done("new", "quotes")
    told = production.refused(*command, *TO)
    assert told.startswith(f"nothing was applied: {production.instance} on {server.host} is not the service")
    assert "BIGTABLE_EMULATOR_HOST" in told
    assert "--emulated" in told
    with Admin(Target(production.instance, server.host)) as admin:
        assert admin.read_tables() == ()


def test_an_emulator_that_is_meant(production: Project, server: local_server.RunningServer) -> None:
    """By an option, before the command or after it, or by a setting, with the name or the path; and to look is free."""
    assert production.run("plan", *TO).exit_code == 2
    production.done("--yes", "--emulated", *TO)
    production.done("new", "quotes")
    production.done("--emulated", "apply", "--yes", *TO)
    production.done("status", *TO)
    path = production.folder / "pyproject.toml"
    text = path.read_text()
    for known in ("production", "projects/test/instances/*"):
        path.write_text(text.replace("[tool.btmodel.inst", f'emulated = ["{known}"]\n[tool.btmodel.inst'))
        production.done("--yes", *TO)


def test_the_server_is_named(
    project: Project, server: local_server.RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command that reaches an instance says on stderr which server it is, and what chose it."""
    named = f"server: {server.host}, which BIGTABLE_EMULATOR_HOST names, for {project.instance}\n"
    for command in (["plan"], ["--yes"], ["unlock"], ["schema", project.instance], ["plan", "--json"]):
        assert named in project.run(*command).stderr
    project.done("new", "quotes")
    for command in (["apply", "--yes"], ["status"], ["verify"], ["baseline"]):
        assert named in project.run(*command).stderr
    monkeypatch.delenv("BIGTABLE_EMULATOR_HOST")
    (project.folder / "dev.db").touch()  # else it is refused as mistyped
    assert ", a local server of dev.db\n" in project.run("plan", "--instance", "local:dev.db").stderr


def test_a_plan_for_another_file(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files have one path as instances; a plan is of the file that it was made for."""
    monkeypatch.delenv("BIGTABLE_EMULATOR_HOST")
    (project.folder / "x.db").touch()  # else it is refused as mistyped
    assert project.run("plan", "--out", "plan.json", "--instance", "local:x.db").exit_code == 2
    told = project.refused("--plan", "plan.json", "--yes", "--instance", "local:y.db")
    assert f"it was made on {project.folder / 'x.db'}, and this is {project.folder / 'y.db'}" in told
    assert "nothing was applied" in told
    project.done("--plan", "plan.json", "--yes", "--instance", "local:./x.db")


def test_a_table_that_was_dropped_and_made_anew(project: Project, server: local_server.RunningServer) -> None:
    """A plan is not applied to another table of the same name and families: without its rows, or migrated since."""
    project.done("--yes")
    with bt.Database(Target(project.instance, server.host, lambda: None)) as db:
        db.write(Mutation("QUOTE", b"AAAAA", [Cell("MD", b"BID", 1000, bytes(8))]))
    project.declare(TRADE)
    assert project.run("plan", "--out", "plan.json", "--allow", "drop-table:QUOTE").exit_code == 2
    with Admin(Target(project.instance, server.host)) as admin:
        quote = admin.table("QUOTE")
        assert quote is not None
        admin.delete_table("QUOTE")
        admin.create_table(evolve(quote, layouts=()))
    assert "table 'QUOTE' held rows, and holds none now" in project.refused("--plan", "plan.json", "--yes")


def test_what_is_seen() -> None:
    """Another server, another migration, rows that are gone, and rows that came to what is dropped: each is said."""
    then = SeenTables("a", frozenset({"T", "U"}), {"T": "1", "V": "1"})
    now = SeenTables("b", frozenset({"U", "V", "W"}), {"T": "2", "W": "1"})
    assert list(then.moved(now, {"V"})) == [
        "it was made on a, and this is b",
        "table 'T' was migrated since",
        "table 'V' was migrated since",
        "table 'W' was migrated since",
        "table 'T' held rows, and holds none now: it may have been dropped and made anew",
        "table 'V' held no row, and holds some now",
    ]
    assert list(then.moved(then, {"T"})) == []


def test_a_table_that_was_migrated_since(tmp_path: Path) -> None:
    """The migration history tells of a table that btmodel made anew meanwhile, whatever it holds."""
    history, instance = MemoryHistory(), MemoryInstance((table("QUOTE", MD=WEEK),), filled=["QUOTE"])
    plan = read_plan(instance, (QUOTE,), history=history)
    text = saved_text(plan, SeenTables.of("here", instance, history, concerned_by(plan)))
    path = tmp_path / "plan.json"
    path.write_text(text)
    assert load(path).read_again(instance, history, "here").changes == plan.changes
    RunRecord(history, "another").begin("QUOTE", ["drop-table:QUOTE"])
    with pytest.raises(MigrationError, match="table 'QUOTE' was migrated since: nothing was applied"):
        load(path).read_again(instance, history, "here")


def test_a_plan_of_an_earlier_version(tmp_path: Path) -> None:
    """It says nothing of its server, and is read and applied as before."""
    instance, path = MemoryInstance((table("QUOTE", MD=WEEK),)), tmp_path / "plan.json"
    plan = read_plan(instance, (QUOTE,))
    save(plan, path)
    assert json.loads(path.read_text())["format"] == 1
    assert load(path).read_again(instance, MemoryHistory(), "anywhere").changes == plan.changes
