"""Aggregate families: made, read back, and never changed in place."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from btmodel_codegen import cbt, create_requests
from google.cloud.bigtable_admin_v2.types import ColumnFamily, CreateTableRequest, Type
from memory_instance import MemoryInstance
from some_tables import ONE, QUOTE, WEEK, as_live, model

from btmodel import emulator
from btmodel.client.admin import Admin
from btmodel.client.admin_messages import family_message, family_of
from btmodel.client.target import Target
from btmodel.errors import DeclarationError, MigrationError
from btmodel.migrate import ChangeAggregate, apply, as_json, as_text, bring, diff, make_plan, read_plan
from btmodel.schema import Aggregate, Family, KeepAll, Table, tables
from btmodel.schema.column import OtherAggregate
from tests.googles_tools import NO_CREDENTIALS

pytestmark = pytest.mark.both_servers

COUNTS = Table(
    "COUNTS",
    (
        Family("least", ONE | WEEK, Aggregate.MIN),
        Family("most", KeepAll(), Aggregate.MAX),
        Family("plain", ONE),
        Family("sums", ONE, Aggregate.SUM),
    ),
)
PLAIN = Table("COUNTS", (Family("sums", ONE),))
SUMS = Table("COUNTS", (Family("sums", ONE, Aggregate.SUM),))


@pytest.fixture
def admin(server: emulator.Emulator, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as connected:
        yield connected


def test_aggregates_are_made_and_read_back(admin: Admin) -> None:
    """Families made with their table, and added to it, come back with their aggregates; a new rule keeps them."""
    admin.create_table(COUNTS)
    assert admin.table("COUNTS") == as_live(COUNTS)[0]
    admin.create_table(QUOTE)
    admin.modify_families("QUOTE", create=[Family("n", WEEK, Aggregate.SUM)])
    admin.modify_families("QUOTE", update=[Family("n", KeepAll(), Aggregate.SUM)])
    found = admin.table("QUOTE")
    assert found is not None
    assert found.family("n") == Family("n", KeepAll(), Aggregate.SUM)


@pytest.mark.parametrize("aggregate", [None, *Aggregate])
def test_there_and_back(aggregate: Aggregate | None) -> None:
    """A family that went through a message is the same."""
    family = Family("f", ONE, aggregate)
    assert family_of("f", family_message(family)) == family


def test_a_live_aggregate_that_cannot_be_declared() -> None:
    """A family that counts unique values is none of ours, so a declared one differs from it."""
    kind = Type.Aggregate(hllpp_unique_count={}, input_type=Type(int64_type={}))
    live = family_of("f", ColumnFamily(value_type=Type(aggregate_type=kind)))
    assert live.aggregate == OtherAggregate("hllpp_unique_count")  # type: ignore[comparison-overlap]
    (change,) = diff([Table("T", (Family("f", KeepAll()),))], [Table("T", (live,))])
    assert "plain cells, instead of aggregates (hllpp_unique_count)" in change.summary


@pytest.mark.parametrize(("declared", "live"), [(PLAIN, SUMS), (SUMS, PLAIN)])
def test_a_changed_aggregate_is_refused(admin: Admin, declared: Table, live: Table) -> None:
    """It is shown, cannot be allowed, stops every other change, and the message says what to do."""
    admin.create_table(live)
    plan = read_plan(admin, (declared, QUOTE))
    assert ChangeAggregate("COUNTS", declared.families[0], live.families[0]) in plan.changes
    with pytest.raises(
        MigrationError, match=r"COUNTS\.sums holds .* instead of .*declare a family with a new id"
    ):
        apply(plan, admin)
    with pytest.raises(MigrationError, match="this cannot be allowed: holds"):
        read_plan(admin, (declared, QUOTE), ["change-aggregate:COUNTS.sums"])
    with pytest.raises(MigrationError, match="declare a family with a new id"):
        bring(admin, (declared, QUOTE))
    assert admin.read_tables() == as_live(live)


def test_how_a_changed_aggregate_reads() -> None:
    """A plan shows it under a heading of its own, and its JSON says that it may not be made."""
    plan = make_plan("projects/p/instances/i", (SUMS,), (PLAIN,))
    assert as_text(plan) == (
        "projects/p/instances/i: 1 change\n"
        "cannot be done to the instance as it is (1):\n"
        "  ! change-aggregate:COUNTS.sums  holds aggregates (sum), instead of plain cells: that is fixed when a "
        "family is made, so declare a family with a new id and write to that"
    )
    (record,) = as_json(plan)["changes"]
    assert (record["effect"], record["requires"], record["allowed"]) == ("impossible", None, False)
    (created,) = make_plan("projects/p/instances/i", (SUMS,), ()).changes
    assert created.summary == "sums keeps newest 1 version (aggregate: sum)"


def test_models_of_one_table_state_one_aggregate() -> None:
    """Two models that say different things of a family are refused, and the error names both."""
    with pytest.raises(
        DeclarationError, match=r"Counts declares plain cells, Counts declares aggregates \(sum\)"
    ):
        tables([model(PLAIN), model(SUMS)])
    assert tables([model(SUMS), model(SUMS)]) == (SUMS,)


def test_the_cbt_script_makes_them(server: emulator.Emulator, instance: str, tmp_path: Path) -> None:
    """cbt, told in its own words, makes what ``btmodel migrate`` makes."""
    if shutil.which("cbt") is None:
        pytest.skip("cbt is not installed (gcloud components install cbt)")
    script = tmp_path / cbt.FILE
    script.write_text(cbt.files([model(COUNTS)])[cbt.FILE])
    _, project, _, id = instance.split("/")
    environment = {**os.environ, **NO_CREDENTIALS, emulator.VARIABLE: server.host}
    environment |= {"PROJECT": project, "INSTANCE": id}
    subprocess.run(["sh", str(script)], env=environment, check=True, capture_output=True)
    with Admin(Target(instance, server.host)) as admin:
        assert diff([COUNTS], admin.read_tables()) == ()


def test_the_json_asks_for_them() -> None:
    """The JSON request is the message that btmodel itself sends."""
    text = create_requests.files([model(COUNTS)])[create_requests.FILE]

    (request,) = json.loads(text)["requests"]
    found = CreateTableRequest.from_json(json.dumps(request)).table.column_families
    assert {id: family_of(id, family) for id, family in found.items()} == {
        family.id: family_of(family.id, family_message(family)) for family in COUNTS.families
    }
    assert {id: family.value_type for id, family in found.items()} == {
        family.id: family_message(family).value_type for family in COUNTS.families
    }


def test_another_process_made_plain_cells() -> None:
    """A family that another made without its aggregate, meanwhile, is not taken for ours."""

    def race(instance: MemoryInstance, method: str, _: str) -> None:
        if method == "create_table":
            instance.tables["COUNTS"] = PLAIN

    with pytest.raises(MigrationError, match=r"now needs change-aggregate:COUNTS\.sums"):
        bring(MemoryInstance((), race), (SUMS,))
