"""The lock on the command line: waiting, unlocking, going without, and ending when told to."""

import contextlib
import os
import pty
import signal
import sys
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from some_tables import QUOTE

from btmodel import Database, emulator
from btmodel import server as local_server
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError, ServerError
from btmodel.migrate.history import Lock, MigrationHistory, UnreadableRecord
from btmodel.migrate.history import lock as locks
from btmodel.rows import Cell, Mutation
from btmodel.schema.limits import HISTORY_TABLE
from tests.forked_commands import COMMAND, Commands

Run = Callable[..., Result]

MODEL = """
import btmodel as bt

class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
"""


def held(owner: str = "ann@here:1") -> Lock:
    now = datetime.now(UTC)
    return Lock(uuid.uuid4().hex, owner, now, now + timedelta(minutes=1))


@pytest.fixture
def run(instance: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``btmodel migrate`` with these arguments, in a project with a model of QUOTE."""
    module = f"models_{uuid.uuid4().hex}"
    (tmp_path / f"{module}.py").write_text(MODEL)
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.btmodel]\nmodels = ["{module}"]\ninstance = "{instance}"\nemulated = ["projects/*"]\n'
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)
    return lambda *arguments: CliRunner().invoke(group, ["migrate", *arguments])


@pytest.fixture
def admin(server: emulator.Emulator, instance: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Admin]:
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
    with Admin(Target(instance, server.host)) as connected:
        yield connected


@pytest.fixture
def history(admin: Admin, server: emulator.Emulator, instance: str) -> Iterator[MigrationHistory]:
    with Database(Target(instance, server.host, lambda: None)) as database:
        yield MigrationHistory(admin, database)


def test_a_run_gives_it_back(run: Run, history: MigrationHistory) -> None:
    """After a run no run has the lock, its step is written down with its end, and by whom."""
    assert run("--yes").exit_code == 0
    assert history.lock() is None
    step = history.steps()["QUOTE"]
    assert step.ended is not None
    assert step.by == locks.me()
    assert step.changes[0] == "create-table:QUOTE"


def test_another_has_it(run: Run, history: MigrationHistory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits says for whom, and in the end what can be done; nothing was applied."""
    monkeypatch.setattr(locks, "_PATIENCE", 0.5)
    history.swap_lock(None, held())
    result = run("--yes")
    assert "waiting for ann@here:1, since " in result.stderr
    assert result.stderr.count("waiting") == 1
    assert isinstance(result.exception, MigrationError)
    assert "nothing was applied: after 0 s another run still has the lock (ann@here:1" in str(
        result.exception
    )
    assert "QUOTE" not in history.steps()


def test_nothing_to_do_waits_for_nobody(run: Run, history: MigrationHistory) -> None:
    """A run that has nothing to do ends at once, whoever has the lock, and leaves it to him."""
    assert run("--yes").exit_code == 0
    history.swap_lock(None, lock := held())
    result = run("--yes")
    assert (result.exit_code, "waiting" in result.output) == (0, False)
    assert history.lock() == lock


@pytest.mark.parametrize("option", ["--force-unlock", "--without-lock"])
def test_past_the_lock(run: Run, history: MigrationHistory, admin: Admin, option: str) -> None:
    """With --force-unlock a run takes the lock from who has it; with --without-lock it does not look."""
    history.swap_lock(None, lock := held())
    assert run("--yes", option).exit_code == 0
    assert admin.table("QUOTE") is not None
    assert history.lock() == (lock if option == "--without-lock" else None)


def test_unlock(run: Run, history: MigrationHistory) -> None:
    """unlock shows whose lock it is, asks, and ends it; at once with --yes."""
    assert run("unlock").stdout == "no run has the lock\n"
    history.swap_lock(None, lock := held())
    unasked = run("unlock")
    assert isinstance(unasked.exception, MigrationError)
    assert "ann@here:1, since " in str(unasked.exception)
    assert "--yes" in str(unasked.exception)
    assert history.lock() == lock
    ended = run("unlock", "--yes")
    assert (ended.exit_code, ended.stdout.startswith("released the lock of ann@here:1, since")) == (0, True)
    assert history.lock() is None


def test_a_flag_in_front_of_the_command(run: Run, history: MigrationHistory) -> None:
    """--yes and the flags of the lock mean the same before a command as after it."""
    history.swap_lock(None, held())
    assert run("--yes", "unlock").exit_code == 0
    assert history.lock() is None
    assert run("new", "make QUOTE").exit_code == 0
    history.swap_lock(None, lock := held())
    assert run("--yes", "--without-lock", "apply").exit_code == 0
    assert history.lock() == lock


@pytest.fixture
def garbage(
    run: Run, server: emulator.Emulator, instance: str, history: MigrationHistory
) -> MigrationHistory:
    """A migration history whose lock nobody can read."""
    history.swap_lock(None, held())
    with Database(Target(instance, server.host, lambda: None)) as database:
        database.write(Mutation(HISTORY_TABLE, b"lease", (Cell("data", b"since", 4 * 10**15, b"\xff"),)))
    return history


def test_unlock_ends_what_cannot_be_read(run: Run, garbage: MigrationHistory) -> None:
    """A lock that cannot be read is shown as that, and ended where that is said."""
    with pytest.raises(UnreadableRecord, match="end the lock with `btmodel migrate unlock`"):
        garbage.lock()
    unasked = run("unlock")
    assert isinstance(unasked.exception, MigrationError)
    assert str(unasked.exception).startswith(
        "the lock cannot be read, so its owner is unknown (a record that this btmodel"
    )
    assert str(unasked.exception).endswith("; use --yes to release it")
    assert run("unlock", "--yes").stdout == "released a lock that could not be read\n"
    assert garbage.lock() is None


@pytest.mark.parametrize("before", [0, 1])
def test_force_unlock_ends_what_cannot_be_read(run: Run, garbage: MigrationHistory, before: int) -> None:
    """--force-unlock goes on past it, where something is to be applied and where nothing is; without it that is refused."""
    for _ in range(before):
        assert run("--yes", "--without-lock").exit_code == 0
    if not before:
        assert isinstance(run("--yes").exception, UnreadableRecord)
    assert run("--yes", "--force-unlock").exit_code == 0
    assert garbage.lock() is None


def test_the_table_of_the_history_is_no_drift(run: Run, admin: Admin, instance: str) -> None:
    """What btmodel makes for itself is neither in a plan nor among the tables that are reviewed."""
    run("--yes")
    assert admin.table(HISTORY_TABLE) is not None
    assert run("plan").stdout == f"{instance}: nothing to do\n"
    reviewed = CliRunner().invoke(group, ["check", "--live", instance])
    assert HISTORY_TABLE not in reviewed.output
    assert [table.id for table in admin.read_tables()] == ["QUOTE"]


def test_an_instance_without_transactions(run: Run, instance: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no app profile allows transactions, one sentence says so, and how to go on; --without-lock does."""
    with local_server.start(replicated=True) as server, Admin(Target(instance, server.host)) as admin:
        monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", server.host)
        result = run("--yes")
        assert isinstance(result.exception, MigrationError)
        said = str(result.exception)
        assert said.startswith(
            f"nothing was applied, because no app profile of {instance} routes to a single"
        )
        assert "gcloud bigtable app-profiles create btmodel --project=test" in said
        assert "--without-lock" in said
        assert admin.read_tables() == ()
        assert run("--yes", "--without-lock").exit_code == 0
        assert [table.id for table in admin.read_tables()] == ["QUOTE"]


def test_books_that_cannot_be_written(
    run: Run, admin: Admin, history: MigrationHistory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where everything is live, and only the recording fails, that is told, and is no error."""
    admin.create_table(QUOTE)

    def refuse(*_: object) -> None:
        raise ServerError("not permitted")

    monkeypatch.setattr(MigrationHistory, "record_layouts", refuse)
    result = run("--yes")
    assert (result.exit_code, "not written down: not permitted" in result.stderr) == (0, True)


# Ends itself by SIGTERM at its first change.
TERMINATED = """
import os, signal
from btmodel.cli import main
from btmodel.client.admin import Admin

def end(*_, **__):
    os.kill(os.getpid(), signal.SIGTERM)

Admin.modify_families = end
main()
"""


@pytest.mark.usefixtures("run")
def test_told_to_end(admin: Admin, history: MigrationHistory, tmp_path: Path, commands: Commands) -> None:
    """A pod that is told to end says what is done and what is not, and gives the lock back."""
    admin.create_table(type(QUOTE)("QUOTE", ()))
    (tmp_path / "terminated.py").write_text(TERMINATED)
    ended = commands.program(tmp_path / "terminated.py", ["migrate", "--yes"], tmp_path, os.environ)
    assert ended.returncode == 1 != -signal.SIGTERM
    said = (
        "error: interrupted\n  done: nothing\n  not done: add-family:QUOTE.MD\n  run it again to continue\n"
    )
    assert said in ended.stderr
    assert history.lock() is None
    assert history.steps()["QUOTE"].ended is None


MANY = """
import btmodel as bt

for number in range(25):
    class Row(bt.Model, table=f"T{number:02}", events="1/day"):
        "A row of one table of many."
        id: str = bt.key(bt.Text(width=5))
        data = bt.family("data", gc=bt.max_versions(1))
        cell: str = bt.column("cell", data)

    globals()[f"Row{number}"] = Row
"""


def test_a_bar_shows_how_far_it_is(admin: Admin, instance: str, tmp_path: Path, commands: Commands) -> None:
    """At a terminal a bar counts the changes of many tables, in the place of a line each."""
    (tmp_path / "many_models.py").write_text(MANY)
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.btmodel]\nmodels = ["many_models"]\ninstance = "{instance}"\nemulated = ["projects/*"]\n'
    )
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    command = commands.started([COMMAND, "migrate", "--yes"], tmp_path, environment, [theirs] * 3)
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # Linux's way to say that the terminal was closed
        while more := os.read(ours, 4096):
            said += more
    os.close(ours)
    assert command.wait(60) == 0
    assert b"25/25" in said
    assert b"done create-table" not in said
    assert len(admin.read_tables()) == 25
