"""Migrations of instances on a real emulator, some changed by hand with ``cbt``."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from some_tables import ONE, QUOTE, TRADE, WEEK, as_live, table, table_sets

from btmodel import emulator
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError, MigrationFailed
from btmodel.migrate import AddFamily, ChangeGc, CreateTable, apply, diff, read_plan
from btmodel.schema import Family, MaxVersions, Table
from tests.googles_tools import NO_CREDENTIALS

pytestmark = pytest.mark.both_servers

DECLARED = (QUOTE, TRADE)


@pytest.fixture
def admin(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


@pytest.fixture
def cbt(server: emulator.Emulator, instance: str) -> Callable[..., None]:
    """Google's own command, at this test's instance."""
    program = shutil.which("cbt")
    if program is None:
        pytest.skip("no cbt on PATH: `gcloud components install cbt`")
    _, project, _, name = instance.split("/")
    environment = {**os.environ, **NO_CREDENTIALS, "BIGTABLE_EMULATOR_HOST": server.host}

    def run(*arguments: str) -> None:
        command = [program, "-project", project, "-instance", name, *arguments]
        subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)

    return run


def migrate(admin: Admin, *declared: Table, allow: tuple[str, ...] = ()) -> None:
    apply(read_plan(admin, declared, allow), admin)


def test_an_empty_instance(admin: Admin) -> None:
    """Both tables are created with all they declare, and a second run finds nothing."""
    plan = read_plan(admin, DECLARED)
    assert plan.changes == (CreateTable(QUOTE), CreateTable(TRADE))
    apply(plan, admin)
    assert admin.read_tables() == as_live(*DECLARED)
    assert read_plan(admin, DECLARED).changes == ()


def test_a_half_applied_instance(admin: Admin) -> None:
    """What is there is kept, what is missing is added, in one table and the next."""
    admin.create_table(table("TRADE", MD=ONE))
    assert read_plan(admin, DECLARED).changes == (
        CreateTable(QUOTE),
        AddFamily("TRADE", Family("STAT", WEEK)),
    )
    migrate(admin, *DECLARED)
    assert admin.read_tables() == as_live(*DECLARED)


def test_an_instance_changed_by_hand(admin: Admin, cbt: Callable[..., None]) -> None:
    """What cbt did by hand is found: a family dropped, one added, a rule changed, a table made."""
    migrate(admin, *DECLARED)
    cbt("deletefamily", "TRADE", "STAT")
    cbt("createfamily", "TRADE", "EXTRA")
    cbt("setgcpolicy", "QUOTE", "MD", "maxversions=5")
    cbt("createtable", "HAND", "families=f:maxage=3d||maxversions=2")
    plan = read_plan(admin, DECLARED)
    assert [change.name for change in plan.changes] == ["add-family:TRADE.STAT", "tighten-gc:QUOTE.MD"]
    assert [change.requires for change in plan.drift] == ["drop-family:TRADE.EXTRA", "drop-table:HAND"]
    migrate(admin, *DECLARED, allow=("tighten-gc:QUOTE.MD",))
    assert read_plan(admin, DECLARED).changes == ()
    migrate(admin, *DECLARED, allow=("drop-family:TRADE.EXTRA", "drop-table:HAND"))
    assert admin.read_tables() == as_live(*DECLARED)


def test_changed_by_hand_between_plan_and_apply(admin: Admin, cbt: Callable[..., None]) -> None:
    """A table that cbt made since the plan is found, and gets what it lacks; what nobody agreed to stops the run."""
    migrate(admin, QUOTE)
    plan = read_plan(admin, DECLARED)
    cbt("createtable", "TRADE", "families=MD:maxversions=1")
    assert [one.found for one in apply(plan, admin)] == [True]
    assert admin.read_tables() == as_live(*DECLARED)
    plan = read_plan(admin, (QUOTE, table("TRADE", MD=ONE, STAT=WEEK, NEW=ONE)))
    cbt("setgcpolicy", "TRADE", "MD", "maxversions=5")
    with pytest.raises(MigrationFailed, match=r"changed by another.*now needs tighten-gc:TRADE\.MD"):
        apply(plan, admin)
    assert admin.read_tables() == as_live(QUOTE, table("TRADE", MD=MaxVersions(5), STAT=WEEK))


def test_a_rule_that_cbt_wrote_another_way(admin: Admin, cbt: Callable[..., None]) -> None:
    """Other order, other units and a rule said twice mean the same: no change."""
    both = table("T", f=WEEK | MaxVersions(2), g=WEEK & MaxVersions(2))
    cbt("createtable", "T", "families=f:maxversions=2||maxage=168h,g:maxversions=2&&maxage=7d")
    assert read_plan(admin, (both,)).changes == ()


def test_a_rule_set_by_hand_to_keep_everything(admin: Admin, cbt: Callable[..., None]) -> None:
    """A family whose rule cbt removed is tightened again only by name; until then nothing is applied."""
    migrate(admin, QUOTE)
    cbt("setgcpolicy", "QUOTE", "MD", "never")
    plan = read_plan(admin, DECLARED)
    assert [type(change) for change in plan.changes] == [CreateTable, ChangeGc]
    with pytest.raises(MigrationError, match=r"--allow tighten-gc:QUOTE\.MD"):
        apply(plan, admin)
    assert admin.table("TRADE") is None
    migrate(admin, *DECLARED, allow=("tighten-gc:QUOTE.MD",))
    assert admin.read_tables() == as_live(*DECLARED)


def test_a_drop_needs_its_name(admin: Admin) -> None:
    """A model that is gone leaves its table live, until the drop is asked for by name."""
    migrate(admin, *DECLARED)
    migrate(admin, QUOTE)
    assert admin.read_tables() == as_live(*DECLARED)
    with pytest.raises(MigrationError, match=r"drop-table:TRADE"):
        migrate(admin, QUOTE, allow=("drop-table:TRADES",))
    migrate(admin, QUOTE, allow=("drop-table:TRADE",))
    assert admin.read_tables() == as_live(QUOTE)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(declared=table_sets, live=table_sets)
def test_a_plan_leads_to_what_is_declared(
    admin: Admin, declared: tuple[Table, ...], live: tuple[Table, ...]
) -> None:
    """From any tables to any others, on the real thing."""
    for there in admin.read_tables():
        admin.delete_table(there.id)
    for made in live:
        admin.create_table(made)
    names = [change.requires for change in diff(declared, live) if change.requires]
    migrate(admin, *declared, allow=tuple(names))
    assert diff(declared, admin.read_tables()) == ()
