"""Columns that a view reads and that are renamed: the new view first, then its readers, then the cells; and revisions that no instance could apply are not written."""

import re
import shlex
from collections.abc import Iterator

import pytest
from attrs import evolve
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

from btmodel import server as local_server
from btmodel.migrate.revisions.folder import read_folder, write
from btmodel.migrate.revisions.revision import Revision
from btmodel.rows import Cell
from tests.conftest import ROOT

ORDER = """
class Order(bt.Model, table="ORDER"):
    "An order."
    id: str = bt.key(bt.Text(max_length=20))
    f = bt.family("f", gc=bt.max_versions(1))
    customer: str = bt.column("customer", f)
"""
INDEX = """
class OfCustomer(bt.Index, of=Order, view="OF_CUSTOMER"):
    "The orders of a customer."
    customer: str = bt.key(bt.Text(max_length=20))
    id: str = bt.covered()
    name: str = bt.covered("customer")
"""
RENAMED = ORDER.replace('"customer", f', '"cust", f, renamed_from="customer"')
RENAMED_FOR_GOOD = ORDER.replace('"customer", f', '"cust", f')
NEW_INDEX = INDEX.replace("OF_CUSTOMER", "OF_CUSTOMER_2")
DEPLOYED = "deployed:0003_cust_rewrite"


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone, as Google's emulator has no views."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def orders(project: Project, there: Site) -> Project:
    """A project whose first revision is applied, and two orders."""
    project.declare(ORDER, INDEX)
    project.done("new", "orders")
    project.done("apply", "--yes")
    there.write(
        "ORDER", {b"a": [Cell("f", b"customer", 1_000, b"jo")], b"b": [Cell("f", b"customer", 1_000, b"ann")]}
    )
    return project


def rows(there: Site, view: str) -> list[bytes]:
    return sorted(there.cells(f"materializedViews/{view}"))


def views(there: Site) -> list[str]:
    table = there.admin.table("ORDER")
    assert table is not None
    return [view.id for view in table.views]


def test_a_view_that_keeps_its_id_is_no_revision(orders: Project) -> None:
    """`new` writes no revision that no instance could apply, and names an id that no view has."""
    other = INDEX.replace("OfCustomer", "Other").replace("OF_CUSTOMER", "OF_CUSTOMER_2")
    orders.declare(RENAMED, INDEX, other)
    said = orders.refused("new", "cust")
    assert (
        "nothing was written: no instance that has 0001_orders could apply a revision with these models"
        in said
    )
    assert "change-view:ORDER.OF_CUSTOMER" in said
    assert 'view="OF_CUSTOMER_3"' in said
    assert orders.ids() == ["0001_orders"]
    assert orders.run("new", "--check").exit_code == 1


def test_a_revision_that_cannot_be_applied_fails_the_check(orders: Project) -> None:
    """One that somebody wrote all the same is named by `new --check`, though the models match it."""
    graph = read_folder(orders.migrations)
    head = graph.head
    assert head is not None
    [table] = head.tables
    changed = evolve(
        table, views=tuple(evolve(view, query=view.query.replace("ANY_VALUE", "MAX")) for view in table.views)
    )
    write(orders.migrations, Revision("0002_by_hand", "by hand", (head.parent_link,), (changed,)))
    said = orders.refused("new", "--check")
    assert (
        "0002_by_hand.toml: no instance that has 0001_orders can apply it: change-view:ORDER.OF_CUSTOMER"
        in said
    )
    assert "delete 0002_by_hand" in said


def test_a_column_that_an_index_reads_is_renamed(orders: Project, there: Site) -> None:
    """The new view is made first; the step waits for the deployment and is refused while the old view is there; afterwards no view changes again."""
    orders.declare(RENAMED, NEW_INDEX)
    said = orders.done("new", "cust")
    assert orders.ids() == ["0001_orders", "0002_cust", "0003_cust_rewrite"]
    assert "create-view:ORDER.OF_CUSTOMER_2" in said
    assert "reads OF_CUSTOMER_2" in said
    orders.done("new", "--check")
    orders.done("apply", "--yes")
    assert views(there) == ["OF_CUSTOMER", "OF_CUSTOMER_2"]
    # New processes write the new qualifier; both are found in the new view.
    there.write("ORDER", {b"c": [Cell("f", b"cust", 1_000, b"jo")]})
    assert rows(there, "OF_CUSTOMER_2") == [b"ann#b", b"jo#a", b"jo#c"]
    said = orders.refused("apply", "--yes", "--allow", DEPLOYED)
    assert "moves the cells of f:customer to f:cust, where view OF_CUSTOMER does not look" in said
    assert "--allow drop-view:ORDER.OF_CUSTOMER" in said
    assert "--allow empty-view:ORDER.OF_CUSTOMER" in said
    assert rows(there, "OF_CUSTOMER") == [b"ann#b", b"jo#a"]
    orders.done("apply", "--yes", "--allow", DEPLOYED, "--allow", "drop-view:ORDER.OF_CUSTOMER")
    assert views(there) == ["OF_CUSTOMER_2"]
    assert rows(there, "OF_CUSTOMER_2") == [b"ann#b", b"jo#a", b"jo#c"]
    orders.declare(RENAMED_FOR_GOOD, NEW_INDEX)
    said = orders.done("new", "cust alone")
    assert "view" not in said
    assert "view" not in orders.done("apply", "--yes")
    orders.done("verify")
    assert rows(there, "OF_CUSTOMER_2") == [b"ann#b", b"jo#a", b"jo#c"]
    # Another column takes the old qualifier: the view would show its cells as those of the first.
    orders.declare(
        RENAMED_FOR_GOOD + '    note: str | None = bt.column("customer", f, default=None)\n', NEW_INDEX
    )
    orders.done("new", "note")
    assert "ORDER.OF_CUSTOMER_2 another query" in orders.refused("apply", "--yes")


def test_a_view_is_emptied_where_that_is_allowed(orders: Project, there: Site) -> None:
    """Its name lets the step run, and is no error in a run that is repeated."""
    orders.declare(RENAMED, NEW_INDEX)
    orders.done("new", "cust")
    orders.done("apply", "--yes")
    allow = ("--allow", DEPLOYED, "--allow", "empty-view:ORDER.OF_CUSTOMER")
    orders.done("apply", "--yes", *allow)
    assert rows(there, "OF_CUSTOMER") == []
    assert rows(there, "OF_CUSTOMER_2") == [b"ann#b", b"jo#a"]
    orders.done("apply", "--yes", *allow)


def test_the_page_renames_a_column_that_an_index_reads(project: Project, there: Site) -> None:
    """The models, the changed lines and the commands of docs/views.md do what the page says, in their order."""
    page = (ROOT / "docs" / "views.md").read_text()
    [models] = re.findall(r"```python\n(from datetime.*?)\n\nnoon = ", page, re.DOTALL)
    models = models.replace("import btmodel as bt\n", "")
    section = page.partition("## Renaming a column that a view reads")[2].partition("\n## ")[0]
    column, index = re.findall(r"```py\n(.*?)\n```", section, re.DOTALL)
    for_good = re.search(r"`(customer: str = bt.column\([^`]*)`", section)
    assert for_good is not None
    commands = [
        shlex.split(line, comments=True)[2:]
        for block in re.findall(r"```sh\n(.*?)\n```", section, re.DOTALL)
        for line in block.splitlines()
    ]
    changed = models.replace('customer: str = bt.column("customer", f)', column)
    changed = changed.replace('class OrderOfCustomer(bt.Index, of=Order, view="ORDER_OF_CUSTOMER"):', index)
    assert index in changed
    project.declare(models)
    project.done("new", "orders")
    project.done("--yes")
    there.write("ORDER", {b"%016x" % 1: [*_order(b"customer")]})
    project.declare(changed)
    said = [_run(project, arguments) for arguments in commands[:3]]
    assert project.ids() == ["0001_orders", "0002_cust", "0003_cust_rewrite"]
    assert "0003_cust_rewrite: nothing was applied" not in said[1]
    assert views(there) == ["ORDER_OF_CUSTOMER_2"]
    assert len(rows(there, "ORDER_OF_CUSTOMER_2")) == 1
    project.declare(changed.replace(column, for_good[1]))
    said = [_run(project, arguments) for arguments in commands[3:]]
    assert len(said) == 2
    assert project.ids()[-1] == "0004_cust_alone"
    assert "view" not in "".join(said)
    assert len(rows(there, "ORDER_OF_CUSTOMER_2")) == 1
    project.done("verify")


def _run(project: Project, arguments: list[str]) -> str:
    return project.done(*arguments, *([] if arguments[:1] == ["new"] else ["--yes"]))


def _order(qualifier: bytes) -> Iterator[Cell]:
    values = {
        qualifier: b"jo",
        b"status": b"open",
        b"cents": (5).to_bytes(8),
        b"placed": (1_000_000).to_bytes(8),
    }
    return (Cell("f", name, 1_000, value) for name, value in values.items())
