"""What a person reads of migrations on the terminal, from the commands themselves."""

import json
import sys
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from google.api_core.exceptions import PermissionDenied
from google.cloud.bigtable_admin_v2 import BigtableTableAdminClient
from some_tables import ONE, WEEK, table

from btmodel import server as local_server
from btmodel.cli import COMMANDS
from btmodel.cli.group import group
from btmodel.client.admin import Admin
from btmodel.client.call import CHECK_AND_MUTATE_ROW, MUTATE_ROW, Calls
from btmodel.client.target import LOCAL, Target
from btmodel.errors import MigrationError, SettingsError
from btmodel.rows import Cell, Mutation
from btmodel.schema import Table, TableSettings

Run = Callable[..., Result]

MODELS = """
import btmodel as bt

class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(width=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
"""
AS_TEXT = MODELS.replace("bid: int", "bid: str")
PROTECTED = TableSettings(deletion_protection=True, change_stream=timedelta(days=3))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Run]:
    """Runs ``btmodel migrate`` in a project with these models, and an instance in ``dev.db``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BIGTABLE_EMULATOR_HOST", raising=False)
    monkeypatch.setattr(sys, "path", sys.path[:])
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)

    def with_models(text: str) -> Run:
        module = f"models_{uuid.uuid4().hex}"
        (tmp_path / f"{module}.py").write_text(text)
        (tmp_path / "pyproject.toml").write_text(
            f'[tool.btmodel]\nmodels = ["{module}"]\ninstance = "local:dev.db"\n'
        )
        return lambda *arguments: CliRunner().invoke(group, ["migrate", *arguments])

    return with_models


@pytest.fixture
def live(project: object, tmp_path: Path) -> Callable[..., None]:
    """Makes tables in ``dev.db`` by hand."""

    def make(*made: Table) -> None:
        with local_server.start(tmp_path / "dev.db") as server, Admin(Target(LOCAL, server.host)) as admin:
            for one in made:
                admin.create_table(one)

    return make


def refused(result: Result) -> str:
    """The one sentence of a refusal."""
    assert isinstance(result.exception, MigrationError)
    return str(result.exception)


def write_a_row() -> None:
    """A row of QUOTE, so that codecs matter."""
    import btmodel as bt

    with bt.connect("local:dev.db") as db:
        db.write(Mutation("QUOTE", b"GOOGL", (Cell("MD", b"BID", 1000, bytes(8)),)))


def test_what_was_refused_and_is_allowed(project: Callable[[str], Run]) -> None:
    """It stands under a heading of its own, with what it was refused for, and not among what loses nothing."""
    assert project(MODELS)("--yes").exit_code == 0
    write_a_row()
    run = project(AS_TEXT)
    assert "refused unless you allow it by name (1):\n  ~ change-codec" in run("plan").output
    said = run("plan", "--allow", "change-codec:QUOTE.MD:BID").output
    assert "loses no data" not in said
    assert (
        "allowed by name (1):\n  ~ change-codec:QUOTE.MD:BID  another codec: existing cells could not be read"
        in said
    )
    assert "you promise that all cells are rewritten" in said


def test_what_a_drop_of_a_protected_table_loses(
    project: Callable[[str], Run], live: Callable[..., None]
) -> None:
    """Only what loses data is said to, and protection is a part of the drop."""
    run = project(MODELS)
    live(Table("USED", (), PROTECTED))
    assert refused(run("--yes", "--allow", "drop-table:USED")) == (
        "nothing was applied, because data would be lost (USED no change stream, instead of 3d of changes), and "
        "the deletion protection of USED goes off first, as a part of drop-table:USED: use --allow unprotect:USED "
        "--allow disable-change-stream:USED if you mean that"
    )
    result = run("--yes", "--allow", "drop-table:USED", "--allow", "disable-change-stream:USED")
    assert refused(result) == (
        "nothing was applied, because the deletion protection of USED goes off first, as a part of drop-table:USED: "
        "use --allow unprotect:USED if you mean that"
    )
    assert (
        "- drop-table:USED  no families  [allowed by name]\n      lost: every row of the table"
        in result.output
    )


def test_drift_alone(project: Callable[[str], Run], live: Callable[..., None]) -> None:
    """Where all that is declared is there, and more, the first line says both."""
    run = project(MODELS)
    assert run("--yes").exit_code == 0
    live(table("T10", f=ONE), table("T2", f=WEEK))
    lines = run("plan").stdout.splitlines()
    assert lines[:2] == [
        f"{LOCAL} (dev.db): everything declared is there; 2 things in the instance are not declared",
        "in the instance but not declared, left alone (2):",
    ]
    assert [line.split()[1] for line in lines[2:]] == ["undeclared-table:T2", "undeclared-table:T10"]
    assert (
        "**everything declared is there; 2 things in the instance are not declared**"
        in run("plan", "--format", "github").output
    )
    assert run("--yes", "--allow", "drop-table:T2").exit_code == 0
    assert "there; 1 thing in the instance is not declared\n" in run().output


def test_a_wrong_allow_shows_what_it_could_be(
    project: Callable[[str], Run], live: Callable[..., None]
) -> None:
    """A name that allows nothing is refused below the plan, with the instance and the nearest name that does."""
    run = project(MODELS)
    live(table("QUOTE", MD=ONE, OLD=WEEK))
    for arguments in (("plan",), ("--yes",)):
        result = run("--allow", "drop-famly:QUOTE.OLD", *arguments)
        assert refused(result) == (
            f"--allow drop-famly:QUOTE.OLD: nothing in {LOCAL} needs that (did you mean --allow drop-family:QUOTE.OLD?)"
        )
        assert "? undeclared-family:QUOTE.OLD  keeps younger than 7d  [drop with" in result.output
    result = run("plan", "--json", "--allow", "what:ever")
    assert "what can be allowed: drop-family:QUOTE.OLD" in refused(result)
    assert json.loads(result.stdout) == {"error": refused(result)}
    assert "undeclared-family:QUOTE.OLD" in result.stderr
    live(table("USED", f=ONE))
    result = run("--json", "--yes", "--allow", "drop-table:NONE")
    assert json.loads(result.stdout) == {"error": refused(result)}


def test_a_wrong_allow_with_revisions(project: Callable[[str], Run], live: Callable[..., None]) -> None:
    """The same, where revisions are applied or rolled back."""
    run = project(MODELS)
    live(table("QUOTE", MD=ONE, OLD=WEEK))
    assert run("new", "quotes").exit_code == 0
    result = run("--yes", "--allow", "drop-famly:QUOTE.OLD")
    assert refused(result).endswith(" (did you mean --allow drop-family:QUOTE.OLD?)")
    assert "? undeclared-family:QUOTE.OLD" in result.output
    assert run("--yes").exit_code == 0
    result = run("rollback", "--allow", "drop-tabel:QUOTE")
    assert refused(result).endswith(" (did you mean --allow drop-table:QUOTE?)")
    assert "? undeclared-table:QUOTE" in result.output


def test_a_new_file_is_told(project: Callable[[str], Run], tmp_path: Path) -> None:
    """A file that was not there is a new database for what writes: that is said once, with the file that may have been meant."""
    run = project(MODELS)
    first = run("--yes")
    assert first.stderr.startswith("note: dev.db did not exist: created as a new, empty database\n")
    assert "note: dev.db" not in run("--yes").stderr
    wrong = run("--yes", "--instance", "local:dve.db")
    assert (
        "note: dve.db did not exist (did you mean dev.db?): created as a new, empty database\n"
        in wrong.stderr
    )
    assert run("plan", "--instance", "local:").exit_code == 2  # in memory nothing is mistyped


@pytest.mark.parametrize(
    "command", [["plan"], ["preview"], ["status"], ["schema", "local:dev.db"], ["plan", "--out", "plan.json"]]
)
def test_a_look_at_a_new_project_makes_no_file(
    project: Callable[[str], Run], tmp_path: Path, command: list[str]
) -> None:
    """A look at a new project left a database in its folder."""
    run = project(MODELS)
    result = run(*command)
    if command == ["schema", "local:dev.db"]:
        assert result.exit_code == 1  # what is typed may be mistyped
    else:
        assert result.stderr.startswith(
            "note: dev.db does not exist: read as an empty database, and not created\n"
        )
        assert "a local server in memory, in the place of dev.db" in result.stderr
    assert not (tmp_path / "dev.db").exists()
    if "--out" in command:
        assert run("--yes", "--plan", "plan.json").exit_code == 0
        assert (tmp_path / "dev.db").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["plan"],
        ["status"],
        ["verify"],
        ["rollback", "--yes"],
        ["unlock", "--yes"],
        ["diff", "models"],
        ["schema"],
    ],
)
def test_what_only_reads_makes_no_file(
    project: Callable[[str], Run], live: Callable[..., None], tmp_path: Path, command: list[str]
) -> None:
    """A mistyped file is refused, with the file that may have been meant and what makes a new one; nothing is made."""
    run = project(MODELS)
    live(table("QUOTE", MD=ONE))
    if command[0] in ("verify", "rollback"):
        assert run("new", "quotes").exit_code == 0
    for wrong, hint in (("dve.db", " (did you mean dev.db?)"), (str(tmp_path / "nowhere" / "x.db"), "")):
        there = ["local:" + wrong] if command[0] in ("diff", "schema") else ["--instance", "local:" + wrong]
        error = run(*command, *there).exception
        assert isinstance(error, SettingsError)
        assert str(error).endswith(
            f"{wrong}: there is no such file{hint}, and this command makes none: `btmodel migrate` and `btmodel serve` make a "
            "new database"
        )
        assert not Path(wrong).exists()
    assert not (tmp_path / "nowhere").exists()


def test_a_table_made_by_hand(project: Callable[[str], Run], live: Callable[..., None]) -> None:
    """What is live and was never recorded is taken to be as declared: once, and not in silence."""
    run = project(MODELS)
    live(table("QUOTE", MD=ONE))
    note = (
        "note: QUOTE is in the instance, but it has no record of how its rows are written: btmodel assumes that keys and cells "
        "are as declared (`btmodel inspect` shows how they look)\n"
    )
    assert note in run("plan").output
    assert note in run().output
    assert "note: " not in run("plan").output


def test_a_saved_plan_says_what_moved(project: Callable[[str], Run], live: Callable[..., None]) -> None:
    """A plan that does not fit any more is refused with what became of its tables since."""
    run = project(MODELS)
    live()
    assert run("plan", "--out", "plan.json").exit_code == 2
    live(table("QUOTE", MD=WEEK))
    assert refused(run("--plan", "plan.json", "--yes")) == (
        "plan.json: the instance is not what it was when the plan was made: table QUOTE is new: nothing was applied; make the plan again"
    )


@pytest.mark.parametrize(
    ("client", "call", "told"),
    [
        (
            BigtableTableAdminClient,
            "list_tables",
            f"nothing was applied, because the instance cannot be read: {LOCAL}: not permitted to these credentials, "
            "which need bigtable.tables.list (role roles/bigtable.viewer)",
        ),
        (
            BigtableTableAdminClient,
            "get_table",
            f"nothing was applied, because the instance cannot be read: table 'QUOTE' of {LOCAL}: not permitted to "
            "these credentials, which need bigtable.tables.get (role roles/bigtable.viewer)",
        ),
        (
            BigtableTableAdminClient,
            "create_table",
            "nothing was applied, because the lock, which is a row of the instance, cannot be written: table "
            f"'btmodel_migrations' of {LOCAL}: not permitted to these credentials, which need bigtable.tables.create "
            "(role roles/bigtable.admin)",
        ),
        (
            Calls,
            CHECK_AND_MUTATE_ROW,
            "nothing was applied, because the lock, which is a row of the instance, cannot be written: table "
            f"'btmodel_migrations' in {LOCAL}: not permitted to these credentials, which need bigtable.tables.mutateRows",
        ),
        (
            Calls,
            MUTATE_ROW,
            f"table 'btmodel_migrations' in {LOCAL}: not permitted to these credentials, which need bigtable.tables.mutateRows",
        ),
        (
            BigtableTableAdminClient,
            "modify_column_families",
            f"table 'QUOTE' of {LOCAL}: not permitted to these credentials, which need bigtable.tables.update (role "
            "roles/bigtable.admin)",
        ),
    ],
)
def test_no_permission(
    client: type,
    call: str,
    told: str,
    project: Callable[[str], Run],
    live: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever call is not permitted, one sentence says what is known to have happened, and the role that mends it."""
    run = project(MODELS)
    live(table("QUOTE"))

    def deny(*arguments: object, **options: object) -> None:
        raise PermissionDenied("no")  # type: ignore[no-untyped-call]

    if client is Calls:
        unary = Calls.unary
        monkeypatch.setattr(
            Calls, "unary", lambda self, method: deny if method == call else unary(self, method)
        )
    else:
        monkeypatch.setattr(client, call, deny)
    sentence = refused(run("--yes"))
    assert sentence.startswith(told)
    assert (
        sentence.startswith("nothing was applied")
        or "done: nothing; not done: add-family:QUOTE.MD" in sentence
    )
