"""Data steps of revisions: the worked examples of the documentation, and what can be wrong with them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from renamed_models import Site, site
from test_revision_commands import Project, project  # noqa: F401  (a fixture)

from btmodel import emulator
from btmodel.errors import MigrationFailed
from btmodel.rows import Cell

PAGE = (Path(__file__).parents[2] / "docs" / "migrations.md").read_text()
MODEL = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(1))
    bid: int | None = bt.column("BID", md, default=None)
"""
TEXT = MODEL.replace("int", "str").replace('"BID"', '"BID_TEXT"')


def example(place: str) -> str:
    """The code of the documentation that is to stand in a file."""
    found = re.search(rf"```python\n# {re.escape(place)}.*?\n(.*?)```", PAGE, re.DOTALL)
    assert found, place
    return found[1]


@pytest.fixture
def there(server: emulator.Emulator, instance: str) -> Iterator[Site]:
    with site(instance, server.host) as found:
        yield found


@pytest.fixture
def quotes(project: Project, there: Site) -> Project:  # noqa: F811
    """A project with a revision that is applied, and three quotes."""
    project.declare(MODEL)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    rows = ((b"A", 7), (b"B", -1), (b"C", 2**40))
    there.write(
        "QUOTE", {key: [Cell("MD", b"BID", 5_000, bid.to_bytes(8, "big", signed=True))] for key, bid in rows}
    )
    return project


def values(there: Site, table: str, qualifier: bytes) -> dict[bytes, bytes]:
    return {
        key: cell.value
        for key, cells in there.cells(table).items()
        for cell in sorted(cells, key=lambda one: one.timestamp)
        if cell.qualifier == qualifier
    }


def test_a_codec_changes_and_then_a_key(quotes: Project, there: Site) -> None:
    """The examples of the page, one behind the other: numbers become text in a new column, then move to another table."""
    quotes.declare(TEXT)
    told = quotes.done("new", "bids as text", "--data-step", "bids_as_text")
    assert "wrote migrations/0002_bids_as_text.py, which does nothing yet: fill in bids_as_text\n" in told
    (quotes.migrations / "0002_bids_as_text.py").write_text(example("migrations/0002_bids_as_text.py"))
    told = quotes.done("apply", "--yes")
    assert "then its data steps are run: bids_as_text\n" in told
    assert told.endswith("applied 0002_bids_as_text\n")
    assert values(there, "QUOTE", b"BID_TEXT") == {b"A": b"7", b"B": b"-1", b"C": b"%d" % 2**40}
    listed = TEXT.replace('"QUOTE"', '"LISTED"').replace('"BID_TEXT"', '"BID"')
    quotes.declare(
        listed.replace("    symbol", "    exchange: str = bt.key(bt.Text(max_length=4))\n    symbol")
    )
    quotes.done("new", "by exchange", "--data-step", "by_exchange")
    (quotes.migrations / "0003_by_exchange.py").write_text(example("migrations/0003_by_exchange.py"))
    quotes.done("apply", "--yes")
    assert values(there, "LISTED", b"BID") == {b"XNYS#A": b"7", b"XNYS#B": b"-1", b"XNYS#C": b"%d" % 2**40}
    quotes.done("apply", "--yes", "--allow", "drop-table:QUOTE")
    assert json.loads(quotes.done("status", "--json"))["data_steps"] == {}
    assert there.admin.table("QUOTE") is None


def test_a_family_is_renamed(quotes: Project, there: Site) -> None:
    """The example of the page: copied by one run, dropped by another; every command tells where it is."""
    quotes.declare(example("models.py"))
    told = quotes.done("new", "market")
    assert "> copy-family:QUOTE.market  copies the cells of QUOTE.MD" in told
    told = quotes.done("apply", "--yes")
    assert (
        "done copy-family:QUOTE.market\n  then deploy what reads and writes QUOTE.market, then btmodel"
        in told
    )
    status = json.loads(quotes.done("status", "--json"))
    assert [(one["old"], one["new"]) for one in status["copies"]] == [("QUOTE.MD", "QUOTE.market")]
    assert "  copied " in quotes.done("status")
    assert "renamed to QUOTE.market, and copied on" in quotes.done("plan")
    told = quotes.done("apply", "--yes", "--allow", "drop-family:QUOTE.MD")
    assert "done drop-family:QUOTE.MD\n" in told
    assert {cell.family for cells in there.cells("QUOTE").values() for cell in cells} == {"market"}
    assert quotes.run("verify").exit_code == 0


def test_the_skeleton_runs(quotes: Project, there: Site) -> None:
    """What is written for a step to be filled in does nothing, also where no table changes, and says so."""
    before = there.cells("QUOTE")
    told = json.loads(quotes.done("new", "fill", "--data-step", "one", "--data-step", "two", "--json"))
    assert told["id"] == "0002_fill"
    assert quotes.run("new", "x", "--data-step", "no name").exit_code == 1
    quotes.done("apply", "--yes")
    assert [one.id for one in there.journal.revisions()] == ["0001_quotes", "0002_fill"]
    assert there.cells("QUOTE") == before


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (
            "import nothing_of_this_name\ndef fill(row): ...\n",
            r"0002_fill\.py:1: ModuleNotFoundError: No module",
        ),
        ("x = 1\n\ny = 1 / 0\ndef fill(row): ...\n", r"0002_fill\.py:3: ZeroDivisionError: division by zero"),
        (
            "def fill(row): ...\n",
            r"0002_fill\.py: fill: wanted a function with @data_step\(Model\) or .*, got <function",
        ),
        (
            "from btmodel.migrate import data_step\n@data_step(3)\ndef fill(row): ...\n",
            r"0002_fill\.py:2: DeclarationError: data_step: wanted a model or the id of a table, got 3",
        ),
    ],
)
def test_a_file_that_cannot_be_loaded(quotes: Project, there: Site, code: str, why: str) -> None:
    """It is told with its line, before anything is applied."""
    quotes.declare(MODEL, MODEL.replace("Quote", "Trade").replace("QUOTE", "TRADE"))
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(code)
    assert re.search(why, quotes.refused("apply", "--yes"))
    assert there.admin.table("TRADE") is None


FAILS = """
from btmodel.migrate import data_step

def broken(row):
    return row.nothing

@data_step("QUOTE")
def fill(row):
    return broken(row) if row.key == b"B" else None
"""


def test_a_step_that_fails(quotes: Project, there: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """File, line and row are told; the revision is not recorded; mended, it goes on at the batch at which it failed."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 1)
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(FAILS)
    error = quotes.run("apply", "--yes").exception
    assert isinstance(error, MigrationFailed)
    assert re.search(r"0002_fill\.py:5: fill: raised AttributeError at row b'B' of 'QUOTE'", str(error))
    assert error.undone == ("0002_fill/fill",)
    assert [one.id for one in there.journal.revisions()] == ["0001_quotes"]
    told = quotes.run("status")
    assert "running   0002_fill/fill  up to row b'A': `btmodel migrate` goes on with it" in told.output
    seen = FAILS.replace("return broken(row) if", "assert row.key != b'A'\n    return None if")
    (quotes.migrations / "0002_fill.py").write_text(seen)
    assert quotes.done("apply", "--yes").endswith("applied 0002_fill\n")
    assert there.journal.progress("0002_fill/fill") is None


def test_applied_again_it_begins_anew(quotes: Project, there: Site) -> None:
    """After a rollback, a step sees all rows again."""
    quotes.declare(TEXT)
    quotes.done("new", "bids as text", "--data-step", "bids_as_text")
    (quotes.migrations / "0002_bids_as_text.py").write_text(example("migrations/0002_bids_as_text.py"))
    quotes.done("apply", "--yes")
    quotes.done("rollback", "--yes", "--allow", "data-step:bids_as_text")
    there.write("QUOTE", {b"A": [Cell("MD", b"BID", 9_000, (8).to_bytes(8, "big"))]})
    quotes.done("apply", "--yes")
    assert values(there, "QUOTE", b"BID_TEXT")[b"A"] == b"8"


def test_models_of_the_past_are_none_of_the_application(quotes: Project) -> None:
    """A model that a step declares changes no revision."""
    quotes.declare(TEXT)
    quotes.done("new", "bids as text", "--data-step", "bids_as_text")
    code = (
        example("migrations/0003_by_exchange.py")
        .replace("by_exchange", "bids_as_text")
        .replace("return New", "New")
    )
    (quotes.migrations / "0002_bids_as_text.py").write_text(code)
    quotes.done("apply", "--yes")
    assert "nothing to write" in quotes.done("new", "more")
