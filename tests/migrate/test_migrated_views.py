"""Views in migrations: created after families, never changed in place, dropped before families and tables."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from counted import Counted

import btmodel as bt
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.errors import MigrationError, SchemaConflict, ServerError
from btmodel.migrate import CreateView, Plan, as_text, read_plan
from btmodel.migrate.applying.run import apply
from btmodel.migrate.planning.text import as_json, plan_text
from btmodel.migrate.revisions.folder import as_text as as_file
from btmodel.migrate.revisions.folder import read
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.tables.view_queries import columns, differences
from btmodel.recorded.tables import as_data, from_data
from btmodel.schema import Table, tables
from btmodel.server import RunningServer, start


class Order(bt.Model, table="ORDER", events="1/s"):
    id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
    f = bt.family("f", gc=bt.max_versions(1))
    customer: str = bt.column("c", f)
    total: int = bt.column("t", f)


class OfCustomer(bt.Index, of=Order, view="OF_CUSTOMER"):
    customer: str = bt.key(bt.Text(max_length=20), cardinality=100)
    id: str = bt.covered()
    total: int = bt.covered()
    of_customer = bt.query("customer")


class Protected(bt.Rollup, of=Order, view="TOTALS", deletion_protection=True):
    customer: str = bt.key(bt.Text(max_length=20), cardinality=100)
    orders: int = bt.count()
    of_customer = bt.query("customer")


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with start() as running:
        yield running


@pytest.fixture
def admin(server: RunningServer, instance: str) -> Iterator[Admin]:
    with Admin(Target(instance, server.host)) as opened:
        yield opened


def declared(*models: type[bt.Model]) -> tuple[Table, ...]:
    return tables(map(bt.schema_of, models))


def planned(admin: Admin, *models: type[bt.Model], allow: tuple[str, ...] = ()) -> Plan:
    return read_plan(admin, declared(*models), allow)


def migrated(admin: Admin, *models: type[bt.Model], allow: tuple[str, ...] = ()) -> list[str]:
    plan = planned(admin, *models, allow=allow)
    apply(plan, admin)
    return [change.name for change in plan.changes]


def test_views_come_after_families_and_are_read_back(admin: Admin) -> None:
    """A view is created after its table, and what is read back is what was declared, so that nothing is left to do."""
    assert migrated(admin, Order, OfCustomer, Protected) == [
        "create-table:ORDER",
        "create-view:ORDER.OF_CUSTOMER",
        "create-view:ORDER.TOTALS",
    ]
    assert planned(admin, Order, OfCustomer, Protected).changes == ()
    table = admin.table("ORDER")
    assert table is not None
    assert [(view.id, view.deletion_protection) for view in table.views] == [
        ("OF_CUSTOMER", False),
        ("TOTALS", True),
    ]
    # One that is declared later comes alone.
    assert migrated(admin, Order, OfCustomer, Protected) == []


def test_the_plan_says_that_a_view_takes_long(admin: Admin) -> None:
    """Its creation is slow, as the service fills it, and shows its columns, and its query as JSON."""
    migrated(admin, Order)
    plan = planned(admin, Order, OfCustomer)
    [change] = plan.changes
    assert isinstance(change, CreateView)
    assert change.effect.value == "loses no data, but takes long"
    text = as_text(plan)
    assert "create-view:ORDER.OF_CUSTOMER" in text
    assert "      columns: total\n" in f"{text}\n"
    assert "REGEXP" not in text
    [shown] = as_json(plan)["changes"]
    assert shown["sql"] == {"declared": declared(Order, OfCustomer)[0].views[0].query}
    assert plan_text(plan).tally


def test_a_changed_query_is_refused_with_the_way_to_go(admin: Admin) -> None:
    """The query of a view is fixed: the plan refuses another one under the same id, and says to declare a new one beside it."""
    migrated(admin, Order, OfCustomer)
    [table] = declared(Order, OfCustomer)
    [view] = table.views
    other = evolve(
        table, views=(evolve(view, query=view.query.replace("`t`", "`c`").replace("b't'", "b'c'")),)
    )
    plan = read_plan(admin, [other])
    [change] = plan.refused
    assert change.name == "change-view:ORDER.OF_CUSTOMER"
    assert 'declare it under another id, such as view="OF_CUSTOMER_2"' in change.summary
    assert "--allow drop-view:ORDER.OF_CUSTOMER" in change.summary
    assert change.details == ("makes otherwise: total", "reads no longer: f:t")
    with pytest.raises(MigrationError, match="another query"):
        apply(plan, admin)
    # Spaces make no other query.
    spaced = evolve(table, views=(evolve(view, query=view.query.replace("\n", "\n   ")),))
    assert read_plan(admin, [spaced]).changes == ()


def test_an_undeclared_view_stays_until_its_drop_is_allowed(admin: Admin) -> None:
    """A view that nothing declares is drift; with its name it is dropped, after its protection is switched off."""
    migrated(admin, Order, OfCustomer, Protected)
    plan = planned(admin, Order, OfCustomer)
    assert plan.changes == ()
    assert [one.name for one in plan.drift] == ["undeclared-view:ORDER.TOTALS"]
    assert migrated(admin, Order, OfCustomer, allow=("drop-view:ORDER.TOTALS",)) == ["drop-view:ORDER.TOTALS"]
    table = admin.table("ORDER")
    assert table is not None
    assert [view.id for view in table.views] == ["OF_CUSTOMER"]


def test_views_are_dropped_before_their_table(admin: Admin) -> None:
    """The drop of a table needs that of its views, each by its name, and comes after them: the service drops nothing that a view reads."""
    migrated(admin, Order, OfCustomer, Protected)
    with pytest.raises(ServerError, match=r"materialized view .* reads it"):
        admin.delete_table("ORDER")
    with pytest.raises(
        MigrationError, match=r"--allow drop-view:ORDER.OF_CUSTOMER --allow drop-view:ORDER.TOTALS"
    ):
        migrated(admin, allow=("drop-table:ORDER",))
    names = ["drop-view:ORDER.OF_CUSTOMER", "drop-view:ORDER.TOTALS", "drop-table:ORDER"]
    assert migrated(admin, allow=tuple(names)) == names
    assert admin.read_tables() == ()


def test_views_are_dropped_before_a_family(admin: Admin) -> None:
    """The drop of a family that an allowed drop of a view frees comes after it."""
    migrated(admin, Order, OfCustomer)

    class Left(bt.Model, table="ORDER", events="1/s"):
        id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
        g = bt.family("g", gc=bt.max_versions(1))
        note: str = bt.column("n", g)

    names = migrated(admin, Left, allow=("drop-view:ORDER.OF_CUSTOMER", "drop-family:ORDER.f"))
    assert names == ["drop-view:ORDER.OF_CUSTOMER", "add-family:ORDER.g", "drop-family:ORDER.f"]


def test_protection_is_switched_as_declared(admin: Admin) -> None:
    """Protection that is declared is switched on; what is protected is not deleted by any other program."""
    migrated(admin, Order, OfCustomer)
    [table] = declared(Order, OfCustomer)
    on = evolve(table, views=tuple(evolve(view, deletion_protection=True) for view in table.views))
    plan = read_plan(admin, [on])
    assert [change.name for change in plan.changes] == ["protect-view:ORDER.OF_CUSTOMER"]
    apply(plan, admin)
    with pytest.raises(ServerError, match="deletion protection"):
        admin.delete_view("OF_CUSTOMER")
    off = evolve(table, views=tuple(evolve(view, deletion_protection=False) for view in table.views))
    assert [change.name for change in read_plan(admin, [off]).refused] == ["unprotect-view:ORDER.OF_CUSTOMER"]
    apply(read_plan(admin, [off], ("unprotect-view:ORDER.OF_CUSTOMER",)), admin)
    admin.delete_view("OF_CUSTOMER")


def test_a_view_that_another_run_has_made_is_no_error(admin: Admin) -> None:
    """Creating a view that is there is a conflict for the admin API, and nothing to do for a plan made before."""
    migrated(admin, Order)
    plan = planned(admin, Order, OfCustomer)
    migrated(admin, Order, OfCustomer)
    [table] = declared(Order, OfCustomer)
    with pytest.raises(SchemaConflict):
        admin.create_view(table.views[0])
    apply(plan, admin)


def test_records_keep_views() -> None:
    """Revisions and schema files hold the views of a table, and give them back."""
    found = declared(Order, OfCustomer, Protected)
    data: Any = as_data(found)
    assert set(data["ORDER"]["views"]) == {"OF_CUSTOMER", "TOTALS"}
    assert from_data(data, "here") == found


def test_a_revision_shows_the_query_as_it_is(tmp_path: Path) -> None:
    """Its lines stand in the file without escapes, whatever their line ends become, and are read back."""
    found = declared(Order, OfCustomer)
    revision = Revision("0001_orders", "orders", (), found)
    text = as_file(revision)
    assert "[tables.ORDER.views.OF_CUSTOMER]\nquery = '''\n" + found[0].views[0].query + "'''\n" in text
    for ends in ("\n", "\r\n"):
        (tmp_path / "0001_orders.toml").write_bytes(text.replace("\n", ends).encode())
        again = read(tmp_path / "0001_orders.toml")
        assert (again.tables, again.checksum) == (found, revision.checksum)


def test_views_are_listed_once_where_there_are_none(admin: Admin) -> None:
    """One list has the views of all tables, so where there is none, reading single tables asks for no more; a view that is made later is seen."""
    migrated(admin, Order)
    calls: Counter[str] = Counter()
    vars(admin._services)["instances"] = Counted(admin._services.instances, calls)
    assert [table.id for table in admin.read_tables()] == ["ORDER"]
    for _ in range(3):
        assert admin.table("ORDER") is not None
    assert calls["list_materialized_views"] == 1
    migrated(admin, Order, OfCustomer)
    table = admin.table("ORDER")
    assert table is not None
    assert [view.id for view in table.views] == ["OF_CUSTOMER"]


def test_a_changed_view_is_told_in_words() -> None:
    """A plan says which columns, row keys and conditions differ; texts with commas and brackets in the SQL are no columns."""

    class Changed(bt.Index, of=Order, view="OF_CUSTOMER", where={"total": 5}):
        total: int = bt.key(bt.PaddedInt(9))
        id: str = bt.covered()
        customer: str = bt.covered()

    class Only(bt.Index, of=Order, view="OF_CUSTOMER", where={"total": 5}):
        customer: str = bt.key(bt.Text(max_length=20), cardinality=100)
        id: str = bt.covered()
        total: int = bt.covered()

    views = [declared(Order, model)[0].views[0] for model in (OfCustomer, Changed, Only)]
    assert list(columns(views[0])) == ["_key", "total"]
    assert list(differences(views[1], views[0])) == [
        "has in addition: customer",
        "has no longer: total",
        "makes its row keys otherwise",
    ]
    assert list(differences(views[2], views[0])) == ["has rows by another condition"]
    other = evolve(views[0], query="SELECT 1")
    assert list(differences(views[0], other)) == ["the query in the instance is not one that btmodel writes"]
