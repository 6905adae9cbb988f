"""Repositories through authorized views: what is read, written and refused, against the local server, sync and async."""

import asyncio
import pickle
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from btmodel_codegen import generate
from google.protobuf.timestamp_pb2 import Timestamp
from notes import generated

import btmodel as bt
from btmodel.client.call import Calls, opened
from btmodel.errors import DeclarationError, MissingTable, QueryRefused
from btmodel.schema import tables
from tests.test_docs import blocks, run
from tests.written_repositories import forget_repositories

ROOT = Path(__file__).parents[2]


class Order(
    bt.Model,
    table=bt.table(
        "ORDER",
        authorized_views=[
            bt.authorized_view("ACME", where={"tenant": "acme"}),
            bt.authorized_view("SUPPORT", where={"tenant": ["acme", "beta"]}, only=["status", "notes"]),
        ],
    ),
    events="1/s",
):
    tenant: str = bt.key(bt.Text(max_length=20), cardinality=100)
    id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
    f = bt.family("f", gc=bt.max_versions(1))
    n = bt.family("n", gc=bt.max_versions(1))
    status: str = bt.column("s", f)
    cents: int = bt.column("c", f)
    note: str | None = bt.column("t", f, default=None)
    notes: dict[str, str] = bt.mapping(n, bt.Text(max_length=20), entries=10)
    of_tenant = bt.query("tenant")
    all_orders = bt.query(scan="a test")


class Shelf(
    bt.Model,
    table=bt.table("SHELF", authorized_views=[bt.authorized_view("TITLES", only=["title", "prices"])]),
):
    """A shelf."""

    id: str = bt.key(bt.Text(max_length=9))
    f = bt.family("f", gc=bt.max_versions(1))
    title: str = bt.column("t", f)
    prices: dict[str, int] = bt.mapping(f, bt.Text(max_length=9), prefix="p:")
    tags: set[str] = bt.members(f, bt.Text(max_length=9), prefix="m:")
    every = bt.query(scan="a test")


ORDERS: Any = generated(Order)
SHELVES: Any = generated(Shelf)


def order(tenant: str, id: int = 1, status: str = "open") -> Order:
    return Order(tenant=tenant, id=f"{id:08x}", status=status, cents=5, note="n", notes={"a": "b"})


@pytest.fixture
def db(bigtable: Any) -> bt.Database:
    opened: bt.Database = bigtable(Order)
    return opened


def test_entries_that_a_view_hides_are_refused(bigtable: Any) -> None:
    """They are not there to be read, and would look like a row without any."""
    shelves: Any = SHELVES.ShelfRepository(bigtable(Shelf))
    shelves.put(Shelf(id="a", title="A", prices={"tea": 1, "rum": 2}, tags={"x"}))
    through = shelves.through("TITLES")
    seen = through.get("a", entries={"prices": ["tea"]})
    assert (seen.title, seen.prices) == ("A", {"tea": 1})
    assert [row.prices for row in through.every().entries("prices", "r", "s")] == [{"rum": 2}]
    for read in (
        lambda: through.get("a", entries={"tags": ["x"]}),
        lambda: through.exists("a", entries={"tags": ["x"]}),
        lambda: through.every().entries({"tags": ["x"]}),
        lambda: through.every().entries("tags", "a", "z"),
    ):
        with pytest.raises(QueryRefused, match=r"entries: expected .*\(prices\), got 'tags'"):
            read()


def test_a_view_shows_its_rows_and_takes_its_writes(db: bt.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that the repository has goes through the view of all columns of a tenant: reads, writes one by one and many, edits, deletions."""
    monkeypatch.setitem(sys.modules, "Order", ORDERS)
    whole = ORDERS.OrderRepository(db)
    whole.put_many([order("acme"), order("acme2"), order("beta")])
    acme = whole.through("ACME")
    assert [row.tenant for row in acme.all_orders()] == ["acme"]
    assert acme.get("acme", "00000001") == order("acme")
    assert acme.get("beta", "00000001") is None
    assert acme.get_many([ORDERS.OrderKey("beta", "00000001"), ORDERS.OrderKey("acme", "00000001")]) == [
        None,
        order("acme"),
    ]
    assert [row.tenant for row in acme.of_tenant(["acme2", "acme"])] == ["acme"]
    assert acme.put_many([order("acme", 2), order("acme", 3)]) == 2
    acme.update("acme", "00000002", status="paid")
    assert acme.put_if_absent(order("acme", 2)) is False
    assert [row.status for row in acme.all_orders().where(status="paid")] == ["paid"]
    with acme.writer() as writer:
        writer.put(order("acme", 4))
    parts = pickle.loads(pickle.dumps(acme.all_orders().parts()))
    assert [row.id for part in parts for row in part.read(db)] == [f"{id:08x}" for id in (1, 2, 3, 4)]
    acme.replace(order("acme", 3, "new"))
    acme.delete("acme", "00000004")
    assert acme.delete_prefix(tenant="acme") == 3
    assert [row.tenant for row in whole.all_orders()] == ["acme2", "beta"]


def test_a_write_outside_of_a_view_is_not_allowed(db: bt.Database) -> None:
    """The error names the view and the permission; of many rows, those outside fail and the others are written."""
    whole = ORDERS.OrderRepository(db)
    acme, support = whole.through("ACME"), whole.through("SUPPORT")
    with pytest.raises(
        bt.NotAllowed, match=r"through the authorized view 'ACME'.*bigtable\.authorizedViews\.mutateRows"
    ):
        acme.put(order("beta"))
    with pytest.raises(bt.WriteFailed) as raised:
        acme.put_many([order("acme"), order("beta")])
    assert [failure.key for failure in raised.value.failures] == [b"beta#00000001"]
    for write in (
        lambda: acme.put_if_absent(order("beta")),
        lambda: acme.update("beta", "00000001", status="x"),
        lambda: support.put(order("acme")),
        lambda: support.update("acme", "00000001", cents=6),
        lambda: support.delete("acme", "00000001"),
        lambda: support.replace(order("acme")),
    ):
        with pytest.raises(bt.NotAllowed):
            write()
    support.update("acme", "00000001", status="paid")
    assert [(row.status, row.cents) for row in whole.all_orders()] == [("paid", 5)]


def test_columns_that_a_view_does_not_show_are_not_set(db: bt.Database) -> None:
    """A read through a view of some columns asks for those alone, and refuses to narrow or to compare by others."""
    whole = ORDERS.OrderRepository(db)
    whole.put_many([order("acme"), order("beta"), order("other")])
    support = whole.through("SUPPORT")
    rows = [
        support.get("acme", "00000001"),
        *support.all_orders(),
        *support.get_many([ORDERS.OrderKey("beta", "00000001")]),
    ]
    assert [(row.tenant, row.status, row.notes) for row in rows] == [
        (tenant, "open", {"a": "b"}) for tenant in ("acme", "acme", "beta", "beta")
    ]
    for row in rows:
        for name in ("cents", "note"):
            with pytest.raises(AttributeError):
                getattr(row, name)
    assert [row.status for row in support.all_orders().only("status")] == ["open", "open"]
    assert support.all_orders().count() == 2
    assert support.exists("acme", "00000001")
    assert not support.exists("other", "00000001")
    for ask in (
        lambda: support.all_orders().only("cents"),
        lambda: support.all_orders().where(cents=5),
        lambda: support.when(note=None),
        lambda: support.get("acme", "00000001", only=["cents"]),
    ):
        with pytest.raises(QueryRefused, match="status, notes"):
            ask()


def test_the_same_of_async_repositories(db: bt.Database) -> None:
    """The async repository reads and writes through the view, too."""
    ORDERS.OrderRepository(db).put_many([order("acme"), order("beta")])

    async def main() -> None:
        async with bt.connect_async(db.target) as other:
            acme = ORDERS.AsyncOrderRepository(other).through("ACME")
            assert [row.tenant async for row in acme.all_orders()] == ["acme"]
            with pytest.raises(bt.NotAllowed):
                await acme.put(order("beta"))

    asyncio.run(main())


def test_what_no_view_can_do_is_said(db: bt.Database) -> None:
    """An unknown view, a change stream, and a view that was not migrated."""
    whole = ORDERS.OrderRepository(db)
    with pytest.raises(
        QueryRefused, match=r"expected an authorized view of the model \(ACME, SUPPORT\), got 'NO'"
    ):
        whole.through("NO")
    with pytest.raises(QueryRefused, match="through an authorized view, which has no change stream"):
        whole.through("ACME").changes()
    with pytest.raises(MissingTable, match="table 'ORDER', or its authorized view 'NO' is not in"):
        list(db.cells("ORDER/authorizedViews/NO"))


def test_requests_through_a_view_are_routed_by_the_table(db: bt.Database) -> None:
    """The header names the table, and the requests the view."""
    calls = Calls.of(opened(db._connection._client or _client(db), "i", "T/authorizedViews/V", "p"), None)
    name = f"projects/{db.target.project}/instances/i/tables/T"
    assert calls.address == {"authorized_view_name": f"{name}/authorizedViews/V"}
    assert ("x-goog-request-params", f"table_name={name}&app_profile_id=p") in list(calls.metadata)


def _client(db: bt.Database) -> Any:
    list(db.cells("ORDER"))
    return db._connection._client


def test_what_a_view_cannot_be_is_refused_where_it_is_declared() -> None:
    """Fields that are not the first of the key or all of it, people, unknown names, and tables that are named at run time."""

    def declared(table: str = "T", **options: Any) -> None:
        view = bt.authorized_view("V", **options)

        class Made(bt.Model, table=bt.table(table, authorized_views=[view]), events="1/s"):
            person: str = bt.key(
                bt.Text(max_length=20), cardinality=100, pii=options.get("where", {}).get("person") == "p"
            )
            day: str = bt.key(bt.Text(max_length=20), cardinality=100)
            id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
            f = bt.family("f", gc=bt.max_versions(1))
            status: str = bt.column("s", f)

    for options, said in (
        ({"where": {"day": "x"}}, r"authorized view 'V': where: .*the key does not serve this query"),
        ({"where": {"person": "a", "day": "x", "id": "00000001"}}, "expected fewer leading fields"),
        ({"where": {"person": "p"}}, r"identifies a person \(pii=True\)"),
        ({"where": {"persn": "p"}}, "has no key field 'persn'"),
        ({"where": {"person": "#"}}, "where: Made.person: expected a value without the delimiter '#'"),
        ({"where": "x"}, "where: expected leading key fields with values"),
        ({"only": ["stats"]}, "only: Made has no column 'stats'"),
        ({"only": "status"}, "only: expected names of columns in a list"),
        ({"only": []}, "only: expected names of columns in a list"),
        ({"table": "T_{day}"}, "completed at run time"),
        ({"deletion_protection": "yes"}, "deletion_protection: expected True or False"),
    ):
        with pytest.raises(DeclarationError, match=said):
            declared(**options)
    with pytest.raises(DeclarationError, match="expected its id"):
        bt.authorized_view("no id")
    same = bt.authorized_view("V")
    with pytest.raises(DeclarationError, match="got 'V' twice"):
        bt.table("T", authorized_views=[same, same])
    with pytest.raises(DeclarationError, match=r"expected a list of bt\.authorized_view"):
        bt.table("T", authorized_views=["V"])  # type: ignore[list-item]
    with pytest.raises(DeclarationError, match="schema_bundle: expected the id"):
        bt.table("T", schema_bundle="no id")
    with pytest.raises(DeclarationError, match=r"expected a model with columns of bt\.Protobuf"):

        class NoMessages(bt.Model, table=bt.table("T", schema_bundle="B"), events="1/s"):
            id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
            f = bt.family("f", gc=bt.max_versions(1))
            status: str = bt.column("s", f)


def test_salts_and_several_values_make_a_prefix_each() -> None:
    """The rows of a value lie under each salt, so the view has a prefix for each."""

    class Salted(
        bt.Model,
        table=bt.table(
            "T",
            authorized_views=[bt.authorized_view("V", where={"tenant": ["a", "b"]}), bt.authorized_view("W")],
        ),
        events="1/s",
        allow={"KEY005": "a test"},
    ):
        part = bt.salt("id", buckets=2)
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=100)
        id: str = bt.key(bt.HexDigest(8), cardinality=1_000)
        f = bt.family("f", gc=bt.max_versions(1))
        status: str = bt.column("s", f)

    [table] = tables([bt.schema_of(Salted)])
    assert [view.row_prefixes for view in table.authorized] == [(b"0#a#", b"0#b#", b"1#a#", b"1#b#"), (b"",)]


def test_the_page_runs(bigtable: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Every Python block of the page runs, prints the text block after it, and reads and writes through the views."""
    page = (ROOT / "docs" / "authorized-views.md").read_text()
    module = run("authorized_views_page", page)
    assert module.printed == "".join(blocks("text", page))
    (tmp_path / "generated").mkdir()
    for name, text in generate([bt.schema_of(module.Order)], ["repository"]).items():
        (tmp_path / "generated" / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    forget_repositories()
    db = bigtable(module.Order, module.Shipment)
    assert module.settle(db.target.instance) == ["paid"]
    assert re.search(r"refused: True", capsys.readouterr().out)
    [table] = tables([bt.schema_of(module.Shipment)])
    assert str(table.bundles[0]) == Timestamp.DESCRIPTOR.full_name
