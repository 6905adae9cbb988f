"""A column that rows must have is not required of rows that lack it."""

from collections.abc import Iterator

import pytest
from attrs import evolve
from revised_project import ASK, QUOTE, Project
from settled_tables import layout
from some_tables import QUOTE as QUOTE_TABLE

import btmodel as bt
from btmodel import server as local_server
from btmodel.client.target import Target
from btmodel.migrate import Effect, diff, make_plan
from btmodel.recorded.tables import as_data, from_data
from btmodel.rows import Cell, Delete, Mutation
from btmodel.schema import Layout, Table, layout_of

BID = '    bid: int | None = bt.column("BID", md, default=None)\n'
REQUIRED = ASK.replace("int | None", "int").replace(", default=None", "")


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone: nothing here depends on the server."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def filled(project: Project, server: local_server.RunningServer) -> Project:
    """The project, migrated, with one row."""
    project.done("--yes")
    write(project, server)
    return project


def write(project: Project, server: local_server.RunningServer, id: str = "QUOTE") -> None:
    """Write a row with a bid alone."""
    with bt.Database(Target(project.instance, server.host, lambda: None)) as db:
        db.write(Mutation(id, b"AAAAA", [Cell("MD", b"BID", 1000, bytes(8))]))


def blocked(project: Project, cell: str, table: str = "QUOTE") -> None:
    """It is refused until it is allowed by name, and nothing of it is left to do then."""
    name = f"require-column:{table}.{cell}"
    assert name in project.refused("--yes")
    assert project.run("plan").exit_code == 2
    assert name in project.done("--yes", "--allow", name)
    assert project.run("plan").exit_code == 0


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        (BID + REQUIRED, "MD:ASK"),
        (BID.replace("int | None", "int").replace(", default=None", ""), "MD:BID"),
        (BID.replace("int | None", "int").replace(", default=None", "").replace('"BID"', '"B"'), "MD:B"),
    ],
    ids=["new", "was optional", "new qualifier"],
)
def test_rows_that_lack_a_column(filled: Project, column: str, cell: str) -> None:
    """A new column, an optional one and one of a new qualifier are not required of rows that are there."""
    filled.declare(QUOTE.replace(BID, column))
    told = filled.run("plan").output
    assert "rows that lack it could not be read" in told
    assert "default=None" in told
    assert "`btmodel migrate new MESSAGE --rewrite Quote`" in told
    blocked(filled, cell)


def test_a_column_in_another_family(filled: Project) -> None:
    """One that moves to a family that is new is required of rows that have it elsewhere."""
    moved = REQUIRED.replace("ask", "bid").replace("ASK", "BID").replace("md", "other")
    filled.declare(QUOTE.replace(BID, '    other = bt.family("OTHER", gc=bt.max_versions(1))\n' + moved))
    blocked(filled, "OTHER:BID")


def test_a_renamed_family_has_what_the_old_one_had(
    project: Project, server: local_server.RunningServer
) -> None:
    """What is copied is there, also while the copy is under way; another column beside it is not."""
    required = QUOTE.replace(BID, BID.replace("int | None", "int").replace(", default=None", ""))
    project.declare(required)
    project.done("--yes")
    write(project, server)
    project.declare(required.replace('"MD", ', '"market", renamed_from="MD", '))
    project.done("--yes")
    project.declare(required.replace('"MD", ', '"market", renamed_from="MD", ') + REQUIRED)
    blocked(project, "market:ASK")


VIEW = QUOTE.replace("class Quote", "class View")


def test_another_model_of_the_same_rows(filled: Project) -> None:
    """A further model with the key of one that was recorded reads its rows, and requires nothing that they may lack."""
    filled.declare(QUOTE, VIEW + REQUIRED)
    blocked(filled, "MD:ASK")
    third = QUOTE.replace("class Quote", "class Third")
    filled.declare(QUOTE, VIEW + REQUIRED, third + REQUIRED)
    assert "require-column" not in filled.done("--yes")  # by the promise that all rows have it


def test_another_model_requires_what_was_optional(filled: Project) -> None:
    """What the recorded model declares as optional is none that another model of the same key can require."""
    filled.declare(QUOTE, VIEW.replace(BID, REQUIRED.replace("ask", "bid").replace("ASK", "BID")))
    assert "was optional" in filled.run("plan").output
    blocked(filled, "MD:BID")


@pytest.mark.parametrize(
    ("key", "is_blocked"),
    [
        ('    of: str = bt.key(bt.Constant("view"))\n    symbol: str = bt.key(bt.Text(width=5))\n', False),
        ("    symbol: str = bt.key(bt.Text(width=6))\n", False),
        ("    symbol: str = bt.key(bt.Text(max_length=5))\n", True),
        ("    number: int = bt.key(bt.PaddedInt(5))\n", True),
    ],
    ids=["constant", "other width", "longer", "digits"],
)
def test_another_model_of_another_key(filled: Project, key: str, is_blocked: bool) -> None:
    """Columns are required of the rows that are there where a row may be of both keys, and only there."""
    view = VIEW.replace("    symbol: str = bt.key(bt.Text(width=5))\n", key)
    filled.declare(QUOTE, view + REQUIRED)
    assert ("require-column:QUOTE.MD:ASK" in filled.run("plan").output) is is_blocked


def test_a_renamed_table(filled: Project) -> None:
    """Rows that are copied from another table lack what they lacked there."""
    table = 'table=bt.table("PRICE", renamed_from="QUOTE")'
    filled.declare(QUOTE.replace('table="QUOTE"', table) + REQUIRED)
    blocked(filled, "MD:ASK", "PRICE")


def test_a_table_without_rows(project: Project, server: local_server.RunningServer) -> None:
    """Nothing is blocked, and it is looked at again before it is recorded."""
    project.done("--yes")
    project.declare(QUOTE + REQUIRED)
    assert "the table holds no row" in project.done("--yes")
    assert project.run("plan").exit_code == 0


def test_a_column_that_went_and_comes_back(project: Project, server: local_server.RunningServer) -> None:
    """Rows that were written in between lack it, whatever it was before."""
    project.declare(QUOTE + REQUIRED)
    project.done("--yes")
    project.declare(QUOTE)
    project.done("--yes")
    write(project, server)
    project.declare(QUOTE + REQUIRED)
    blocked(project, "MD:ASK")


def test_a_column_that_was_optional_in_between(project: Project, server: local_server.RunningServer) -> None:
    """It is recorded without a question that rows may lack it from now on."""
    project.declare(QUOTE + REQUIRED)
    project.done("--yes")
    project.declare(QUOTE + ASK)
    project.done("--yes")
    write(project, server)
    project.declare(QUOTE + REQUIRED)
    blocked(project, "MD:ASK")


def test_a_table_without_a_record(filled: Project, server: local_server.RunningServer) -> None:
    """It is taken to be as declared, once, as with keys and codecs."""
    with bt.Database(Target(filled.instance, server.host, lambda: None)) as db:
        db.write(Mutation("btmodel_migrations", b"layout#QUOTE", deletes=(Delete(),)))
    filled.declare(QUOTE + REQUIRED)
    filled.done("--yes")


def test_revisions(filled: Project) -> None:
    """A revision that requires a column says so in its header, and is blocked; one that makes it optional is a change."""
    filled.done("new", "quotes")
    filled.done("--yes")
    filled.declare(QUOTE + REQUIRED)
    assert "require-column:QUOTE.MD:ASK" in filled.done("new", "ask")
    assert '"MD:ASK" = "required value Int64()"' in (filled.migrations / "0002_ask.toml").read_text()
    assert "use --allow require-column:QUOTE.MD:ASK" in filled.refused("--yes")
    filled.declare(QUOTE + ASK)
    assert "wrote" in filled.done("new", "ask may be absent")
    assert "nothing to write" in filled.done("new", "nothing")


class Both(bt.Model, table="QUOTE"):
    """A model with a column of each kind."""

    symbol: str = bt.key(bt.Text(width=5), mirror="MD:SYMBOL")
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int = bt.column("BID", md)
    ask: int | None = bt.column("ASK", md, default=None)


def lying(*layouts: Layout) -> Table:
    """The table QUOTE whose rows lie so."""
    return evolve(QUOTE_TABLE, layouts=layouts)


def test_what_an_older_version_recorded() -> None:
    """It did not say what is required: that is taken to be as declared, and recorded without a question."""
    (cell,) = layout("Both", BID="value Int64()").cells
    old, new = (
        layout("Both", BID="value Int64()"),
        evolve(layout("Both"), cells=(evolve(cell, required=True),)),
    )
    assert diff((lying(new),), (lying(old),)) == ()
    plan = make_plan("i", (lying(new),), (lying(old),))
    assert [one.name for one in plan.changes] == ["record-layouts:QUOTE"]
    back = make_plan("i", (lying(old),), (lying(new),))
    assert back.changes == ()


def test_what_is_recorded_comes_back() -> None:
    """Whether a column is required is written with it, and read; what a mirror repeats is in the key."""
    found = from_data(as_data([lying(layout_of(bt.schema_of(Both)))]), "here")
    (read,) = found[0].layouts
    assert {one.cell: one.required for one in read.cells} == {
        "MD:ASK": False,
        "MD:BID": True,
        "MD:SYMBOL": False,
    }
    assert Effect.BLOCKED in {one.effect for one in diff(found, (lying(evolve(read, cells=())),))}
