"""``btmodel check --live``, on real servers."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from user_project import Run

from btmodel import emulator
from btmodel import server as local_server
from btmodel.client.admin import Admin
from btmodel.client.target import LOCAL, Target
from btmodel.schema import Aggregate, Family, KeepAll, MaxAge, MaxVersions, Table

ONE = MaxVersions(1)
GOOD = Table("QUOTE", (Family("MD", ONE), Family("N", ONE | MaxAge(timedelta(days=7)), Aggregate.SUM)))
NO_RULE = Table("TRADE", (Family("MD", KeepAll()),))


@pytest.fixture
def admin(served: str, server: emulator.Emulator) -> Iterator[Admin]:
    """An empty instance that the command reaches by its path."""
    with Admin(Target(served, server.host)) as connected:
        yield connected


def test_the_tables_that_are_there_are_reviewed(run: Run, admin: Admin) -> None:
    """Each finding names the table, the family and the instance; a warning fails with --strict alone."""
    admin.create_table(GOOD)
    admin.create_table(NO_RULE)
    checked = run("check", "--live", admin.instance)
    assert checked.returncode == 0, checked.stderr
    assert f"TRADE  {admin.instance}" in checked.stdout
    assert "2 tables reviewed: 0 errors, 1 warning" in checked.stdout
    assert "warning FAM004 no-gc-rule  TRADE.MD" in checked.stdout
    assert "QUOTE" not in checked.stdout
    assert run("check", "--live", admin.instance, "--strict").returncode == 1
    document = json.loads(run("check", "--live", admin.instance, "--json").stdout)
    assert (document["models"], document["problems"]) == (2, [])
    (finding,) = document["findings"]
    assert (finding["module"], finding["model"], finding["field"]) == (admin.instance, "TRADE", "MD")
    assert (finding["file"], finding["line"]) == (None, None)


def test_the_design_of_a_live_table_is_advice(run: Run, admin: Admin) -> None:
    """A table of 101 families is information with the cost of another design, exit code 0 also with --strict."""
    many = tuple(Family(f"f{number:03}", ONE) for number in range(101))
    admin.create_table(Table("MANY", many))
    checked = run("check", "--live", admin.instance, "--select", "FAM001", "--strict")
    assert checked.returncode == 0
    assert "    FAM001 too-many-families  MANY\n" in checked.stdout
    assert "    cost  a new table, and a copy of every row\n" in checked.stdout


def test_no_module_is_imported(run: Run, project: Path, admin: Admin) -> None:
    """Models that cannot be are no matter of the tables; an instance is found by its name in the settings."""
    admin.create_table(GOOD)
    (project / "shop" / "models.py").write_text("1 / 0\n")
    with (project / "pyproject.toml").open("a") as settings:
        settings.write(f'[tool.btmodel.instances]\nhere = "{admin.instance}"\n')
    checked = run("check", "--live", "here")
    assert checked.returncode == 0
    assert checked.stderr.startswith("server: ")
    assert checked.stderr.endswith(f", which BIGTABLE_EMULATOR_HOST names, for {admin.instance}\n")
    for named in (
        ("check", "--live", "here", "shop.models"),
        ("-m", "shop.models", "check", "--live", "here"),
    ):
        refused = run(*named)
        assert refused.returncode == 2
        assert "it cannot be combined with a module" in refused.stderr


def test_a_file_is_reviewed(run: Run, project: Path) -> None:
    """``local:`` serves the file for the length of the review, and leaves it."""
    running = local_server.start(str(project / "dev.db"))
    try:
        with Admin(Target(LOCAL, running.host)) as admin:
            admin.create_table(NO_RULE)
    finally:
        running.stop()
    for _ in range(2):
        checked = run("check", "--live", "local:dev.db", BIGTABLE_EMULATOR_HOST="")
        assert checked.returncode == 0, checked.stderr
        assert "TRADE.MD" in checked.stdout


@pytest.mark.parametrize(
    ("instance", "host", "told"),
    [
        ("nowhere", "", "instance 'nowhere' is not in the settings ("),
        ("projects/p", "", "instance 'projects/p': expected projects/PROJECT/instances/INSTANCE"),
        (
            "projects/p/instances/i",
            "127.0.0.1:1",
            "BIGTABLE_EMULATOR_HOST=127.0.0.1:1: nothing answers there",
        ),
        ("local:", "", "no table is in projects/btmodel/instances/local on "),
    ],
)
def test_an_instance_that_cannot_be_reviewed_is_one_error(
    run: Run, instance: str, host: str, told: str
) -> None:
    """A wrong name, a server that is gone and an instance without tables are one error on stderr, exit code 1."""
    checked = run("check", "--live", instance, BIGTABLE_EMULATOR_HOST=host)
    assert (checked.returncode, checked.stdout) == (1, "")
    [error] = [line for line in checked.stderr.splitlines() if not line.startswith("server: ")]
    assert error.startswith(f"error: {told}")
