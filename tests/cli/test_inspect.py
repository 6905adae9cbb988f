"""``btmodel inspect``: live tables to a module, whose declaration changes nothing."""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel import emulator
from btmodel.cli.inspect import inspect as command
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import BtmodelError
from btmodel.guess import SampledRow, TableSample
from btmodel.migrate import read_plan
from btmodel.migrate.applying.run import apply
from btmodel.rows import Add, Cell, Mutation
from btmodel.schema import AuthorizedView, Family, FamilySubset, MaxVersions, Table, tables
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.server import start
from examples.market import Quote, made_up_quotes
from tests.conftest import Server
from tests.examples_tried import THOROUGH
from tests.guess.live_tables import live_tables, written
from tests.guess.test_what_is_guessed_holds import reads

INSTANCE = "projects/p/instances/authorized"
ONE = MaxVersions(1)
TABLES = 1_000 if THOROUGH else 300


def inspect(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


@pytest.fixture
def quotes(migrated: Callable[..., str]) -> str:
    """An instance with quotes."""
    path = migrated(Quote)
    with bt.connect(path) as db:
        db.write_many("QUOTE", [bt.mutation_of(quote) for quote in made_up_quotes(500)])
    return path


def test_the_classes_are_printed(quotes: str, server: Server, tmp_path: Path) -> None:
    """What is printed is a module; with it, a migration has nothing to do, and every row is read."""
    done = inspect(quotes)
    assert (done.exit_code, done.stderr.count("\n")) == (0, 1)
    assert done.stderr.startswith("server: ")
    [model] = written(tmp_path, "printed", done.stdout)
    assert repr(model) == "<model Quote: table QUOTE, row key {exchange}#{symbol}#{quotetime}>"
    assert "# 500 of 500 rows: decimal numbers as text, up to 5 digits" in done.stdout
    with Admin(Target(quotes, server.host)) as admin:
        assert read_plan(admin, tables([bt.schema_of(model)])).changes == ()


def test_few_rows_are_read(quotes: str) -> None:
    """--rows bounds what is read, and the class says how many rows that was."""
    assert "80 rows were read from 8 places" in inspect(quotes, "--rows", "80").stdout
    bare = inspect(quotes, "--rows", "0").stdout
    assert "    # none was read\n" in bare
    assert "key: bytes = bt.key(bt.Bytes(max_length=4096))" in bare


def test_a_file_is_written_and_written_anew(quotes: str, tmp_path: Path) -> None:
    """--out writes the same text each time, but never over a file of somebody else's."""
    out = tmp_path / "models.py"
    assert inspect(quotes, "--out", str(out)).stdout == f"wrote {out}: 1 model of 1 table\n"
    text = out.read_text()
    assert inspect(quotes, "--out", str(out)).exit_code == 0
    assert out.read_text() == text
    assert text.startswith(inspect(quotes).stdout)
    out.write_text("mine = 1\n")
    refused = inspect(quotes, "--out", str(out))
    assert isinstance(refused.exception, BtmodelError)
    assert "btmodel did not write it" in str(refused.exception)
    assert out.read_text() == "mine = 1\n"


def test_json_has_guesses_and_evidence(quotes: str) -> None:
    """--json tells of each attribute its code, and what was seen."""
    document = json.loads(inspect(quotes, "QUOTE", "--json").stdout)
    [model] = document["tables"][0]["models"]
    assert document["instance"] == quotes
    assert model["row_key"] == "{exchange}#{symbol}#{quotetime}"
    assert model["columns"][0]["cell"] == "MD:ASK"
    assert model["columns"][0]["evidence"].startswith("500 of 500 rows: ")


def test_the_table_of_migrations_is_left_out(served: str, server: Server) -> None:
    """The table that btmodel makes for itself is nobody's to declare."""
    with Admin(Target(served, server.host)) as admin:
        for id in ("A", HISTORY_TABLE):
            admin.create_table(Table(id, (Family("f", ONE),)))
    assert "btmodel_migrations" not in inspect(served).stdout


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "no table is in "),
        (["NONE"], "no table 'NONE' is in "),
    ],
)
def test_what_is_not_there(served: str, arguments: Sequence[str], why: str) -> None:
    """An instance without tables, and a table that is not there, are one sentence each."""
    done = inspect(served, *arguments)
    assert done.exit_code == 1
    assert why in str(done.exception)
    assert "\n" not in str(done.exception)


def test_an_instance_that_is_none() -> None:
    """A path that names no instance is said to be none."""
    assert "expected projects/PROJECT/instances/INSTANCE" in str(inspect("a/b").exception)


def write(admin: Admin, samples: Sequence[TableSample]) -> None:
    """Make the tables, with their rows."""
    for sample in samples:
        admin.create_table(sample.table)
    with bt.connect(admin.instance) as db:
        for sample in samples:
            summed = {family.id for family in sample.table.families if family.aggregate}
            rows = []
            for row in sample.rows:
                cells = [cell for cell in row.cells if cell.family not in summed]
                adds = [
                    Add(cell.family, cell.qualifier, cell.timestamp, int.from_bytes(cell.value, signed=True))
                    for cell in row.cells
                    if cell.family in summed
                ]
                rows.append(Mutation(sample.table.id, row.key, cells, adds=adds))
            db.write_many(sample.table.id, rows)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(samples=st.lists(live_tables(), min_size=1, max_size=3, unique_by=lambda one: one.table.id))
def test_any_instance(tmp_path: Path, served: str, server: Server, samples: list[TableSample]) -> None:
    """Of any tables with any rows: declaring what is written changes nothing, and every row is read by it."""
    with Admin(Target(served, server.host)) as admin:
        for there in admin.read_tables():
            admin.delete_table(there.id)
        write(admin, samples)
        done = inspect(served)
        assert done.exit_code == 0, done.exception
        models = written(tmp_path, "inspected", done.stdout)
        assert read_plan(admin, tables(map(bt.schema_of, models))).changes == ()
    for sample in samples:
        own = [model for model in models if bt.schema_of(model).table == sample.table.id]
        for row in sample.rows:
            assert any(reads(model, row) for model in own)


def test_many_tables(served: str, server: Server) -> None:
    """Hundreds of tables, with ``--thorough`` a thousand, are inspected with three calls each: one list, a get and a read of each table."""
    if type(server).__module__.startswith("btmodel.emulator"):
        pytest.skip("one server is enough")
    with Admin(Target(served, server.host)) as admin, bt.connect(served) as db:
        for number in range(TABLES):
            admin.create_table(Table(f"T{number:04}", (Family("f", ONE),)))
        db.write(bt.mutation_of(Seven(id=1, c="x")))
    start = time.monotonic()
    done = inspect(served)
    assert done.stdout.count("\nclass ") == TABLES
    assert time.monotonic() - start < 0.12 * TABLES


class Seven(bt.Model, table="T0007"):
    """One of a thousand."""

    id: int = bt.key(bt.PaddedInt(4))
    f = bt.family("f", gc=bt.max_versions(1))
    c: str = bt.column("c", f)


def test_authorized_views_are_declared_again(tmp_path: Path) -> None:
    """Of rows that nothing is recorded about, too: the views of an instance are declared, and a migration has nothing to do."""
    views = (
        AuthorizedView("ACME", (b"acme#",), (FamilySubset("f", (), (b"",)),), True),
        AuthorizedView("NAMES", (b"",), (FamilySubset("f", (b"name",)),)),
        AuthorizedView("OTHERS", (b"",), (FamilySubset("f", (b"elsewhere",)),)),
    )
    wanted = Table("T", (Family("f", ONE),), authorized=views)
    rows = tuple(
        SampledRow(b"%s#x%d" % (tenant, at), (Cell("f", b"name", 0, b"a"), Cell("f", b"size", 0, b"7")))
        for tenant in (b"acme", b"other")
        for at in range(9)
    )
    with (
        start() as local,
        pytest.MonkeyPatch.context() as patch,
        Admin(Target(INSTANCE, local.host)) as admin,
    ):
        patch.setenv(emulator.VARIABLE, local.host)
        write(admin, [TableSample(evolve(wanted, authorized=()), rows, whole=True, said="")])
        apply(read_plan(admin, [wanted]), admin)
        done = inspect(INSTANCE)
        [model] = written(tmp_path, "shown", done.stdout)
        assert [view.id for view in bt.schema_of(model).authorized] == ["ACME", "NAMES"]
        assert "authorized view 'OTHERS' shows all rows with f:{elsewhere}" in done.stdout.replace(
            "\n# ", " "
        )
        assert read_plan(admin, tables([bt.schema_of(model)])).changes == ()
