"""Data steps of revisions: the worked examples of the documentation, and what can be wrong with them."""

import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from renamed_models import Site, site
from revised_project import Project

from btmodel import emulator
from btmodel.errors import MigrationFailed
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.steps import load
from btmodel.rows import Cell
from tests.forked_commands import Commands

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
def quotes(project: Project, there: Site) -> Project:
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
    """The examples of the page, one after the other: numbers become text in a new column, then move to another table."""
    quotes.declare(TEXT)
    told = quotes.done("new", "bids as text", "--data-step", "bids_as_text")
    assert (
        "wrote migrations/0002_bids_as_text.py: fill in bids_as_text; btmodel applies nothing before you do\n"
        in told
    )
    (quotes.migrations / "0002_bids_as_text.py").write_text(example("migrations/0002_bids_as_text.py"))
    told = quotes.done("apply", "--yes")
    assert "then it runs its data steps: bids_as_text\n" in told
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


def test_what_was_never_filled_in_is_refused(quotes: Project, there: Site) -> None:
    """A step as it was written for somebody to fill it in stops the run before anything is applied, also where no row is."""
    told = json.loads(quotes.done("new", "fill", "--data-step", "one", "--data-step", "two", "--json"))
    assert told["id"] == "0002_fill"
    assert quotes.run("new", "x", "--data-step", "no name").exit_code == 1
    path = quotes.migrations / "0002_fill.py"
    line = 1 + path.read_text().split("\n").index("def one(row: StoredRow) -> Mutation | None:")
    error = quotes.refused("apply", "--yes")
    assert (
        f"0002_fill.py:{line}: nothing was applied, because the data step one is still to be written" in error
    )
    path.write_text(path.read_text().replace('raise NotImplementedError("fill in one")', "return None"))
    assert "the data step two is still to be written" in quotes.refused("apply", "--yes")
    assert [one.id for one in there.history.revisions()] == ["0001_quotes"]
    path.write_text(path.read_text().replace('raise NotImplementedError("fill in two")', "return None"))
    before = there.cells("QUOTE")
    quotes.done("apply", "--yes")
    assert [one.id for one in there.history.revisions()] == ["0001_quotes", "0002_fill"]
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
            "import sys\nsys.exit(0)\ndef fill(row): ...\n",
            r"0002_fill\.py:2: SystemExit: 0",
        ),
        (
            "raise GeneratorExit('closed')\ndef fill(row): ...\n",
            r"0002_fill\.py:1: GeneratorExit: closed",
        ),
        (
            "class Own(BaseException): ...\nraise Own('x')\ndef fill(row): ...\n",
            r"0002_fill\.py:2: Own: x",
        ),
        (
            "from btmodel.migrate import data_step\n@data_step('btmodel_migrations')\ndef fill(row): ...\n",
            r"0002_fill\.py:2: DeclarationError: data_step: expected one of your tables",
        ),
        (
            "def fill(row): ...\n",
            r"0002_fill\.py: fill: expected a function with @data_step\(Model\) or .*, got <function",
        ),
        (
            "from btmodel.migrate import data_step\n@data_step(3)\ndef fill(row): ...\n",
            r"0002_fill\.py:2: DeclarationError: data_step: expected a model or the id of a table, got 3",
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


WRAPPED = """
from btmodel.migrate import Cell, Mutation, data_step

def timed(function):
    def wrapper(row):
        return function(row)
    return wrapper

@data_step("QUOTE")
@timed
def one(row):
    return Mutation("QUOTE", row.key, [Cell("MD", b"ONE", 5_000, b"")])

@data_step("QUOTE")
@timed
def two(row):
    return Mutation("QUOTE", row.key, [Cell("MD", b"TWO", 5_000, b"")])
"""


def test_steps_whose_functions_have_one_name(quotes: Project, there: Site) -> None:
    """Steps are called as the revision calls them, whatever a decorator has made of the names of their functions."""
    quotes.done("new", "fill", "--data-step", "one", "--data-step", "two")
    (quotes.migrations / "0002_fill.py").write_text(WRAPPED)
    told = quotes.done("apply", "--yes")
    assert told.endswith("ran 0002_fill/one over 3 rows\nran 0002_fill/two over 3 rows\napplied 0002_fill\n")
    assert [len(values(there, "QUOTE", name)) for name in (b"ONE", b"TWO")] == [3, 3]


LEAVES = """
import sys
from btmodel.migrate import data_step

@data_step("QUOTE")
def fill(row):
    sys.exit(0)
"""


def test_a_step_that_ends_the_program(quotes: Project, there: Site) -> None:
    """sys.exit() in a step is an error of the step, with file, line and row, and nothing is recorded."""
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(LEAVES)
    error = quotes.refused("apply", "--yes")
    assert "0002_fill.py:7: fill: raised SystemExit at row b'A' of 'QUOTE': 0" in error
    assert [one.id for one in there.history.revisions()] == ["0001_quotes"]


TALKATIVE = """
class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no text")
"""


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        ("GeneratorExit", "raised GeneratorExit at row b'B' of 'QUOTE'; 0002_fill/fill has come to row b'A'"),
        ("ValueError()", "raised ValueError at row b'B' of 'QUOTE'; 0002_fill/fill has come to"),
        ("Mute", "raised Mute at row b'B' of 'QUOTE': its text cannot be read: RuntimeError; 0002_fill/fill"),
    ],
)
def test_an_exception_without_text_that_ends_a_step(
    quotes: Project, there: Site, raised: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence has its class, and no colon before nothing."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 1)
    quotes.done("new", "fill", "--data-step", "fill")
    code = TALKATIVE + LEAVES.replace("sys.exit(0)", f"if row.key == b'B': raise {raised}")
    (quotes.migrations / "0002_fill.py").write_text(code)
    error = quotes.refused("apply", "--yes")
    assert said in error
    assert ": ;" not in error


def test_a_file_that_ends_by_an_exception_without_text(quotes: Project) -> None:
    """Its class is the whole reason."""
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(LEAVES + "\nraise GeneratorExit\n")
    assert quotes.refused("apply", "--yes").startswith(
        "migrations/0002_fill.py:9: GeneratorExit; the data steps"
    )


@pytest.mark.parametrize(
    "body", ["1 / 0", "return 5", 'return Mutation("QUOTE", row.key, [Cell("XX", b"A", 5_000, b"")])']
)
def test_a_long_row_key_is_cut_in_messages(quotes: Project, there: Site, body: str) -> None:
    """A key of 4 KiB with control bytes is a few characters of a message."""
    key = b"\x1b[31m" + b"\0" * 4_000 + b"Z"
    there.write("QUOTE", {key: [Cell("MD", b"BID", 5_000, b"7")]})
    quotes.done("new", "fill", "--data-step", "fill")
    code = LEAVES.replace("import data_step", "import Cell, Mutation, data_step")
    (quotes.migrations / "0002_fill.py").write_text(code.replace("sys.exit(0)", body))
    error = quotes.refused("apply", "--yes")
    assert r"row b'\x1b[31m\x00" in error
    assert len(error) < 1_000
    assert error.isprintable()


FAILS = """
from btmodel.migrate import Cell, Mutation, data_step

def broken(row):
    return row.nothing

SEEN = Cell("MD", b"SEEN", 5_000, b"")

@data_step("QUOTE")
def fill(row):
    return broken(row) if row.key == b"B" and not any(one.qualifier == b"MENDED" for one in row.cells) else []

@data_step("QUOTE")
def more(row):
    return None
"""


@pytest.fixture
def failed(quotes: Project, there: Site, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A step that failed at its second row, of batches of one row."""
    monkeypatch.setattr("btmodel.migrate.data.walks.BATCH_ROWS", 1)
    quotes.done("new", "fill", "--data-step", "fill", "--data-step", "more")
    (quotes.migrations / "0002_fill.py").write_text(FAILS)
    error = quotes.run("apply", "--yes").exception
    assert isinstance(error, MigrationFailed)
    assert re.search(r"0002_fill\.py:5: fill: raised AttributeError at row b'B' of 'QUOTE'", str(error))
    assert (
        "; 0002_fill/fill has come to row b'A', after 1 row, and goes on after that; not done: 0002_fill/fill, "
        "0002_fill/more; correct the row or the step, then run it again to continue" in str(error)
    )
    assert "done: nothing" not in str(error)
    assert error.undone == ("0002_fill/fill", "0002_fill/more")
    return quotes


def test_a_failed_step_is_reported_in_short_lines(failed: Project, commands: Commands) -> None:
    """What failed and where, how far it came, what is not done, and what to do: a line for each."""
    done = commands.run(["migrate", "apply", "--yes"], failed.folder, os.environ)
    assert done.returncode == 1
    lines = done.stderr[done.stderr.index("error: ") :].splitlines()
    assert lines[0] == "error: the tables of 0002_fill are there, and its data steps are not done:"
    assert lines[1].startswith(
        "  migrations/0002_fill.py:5: fill: raised AttributeError at row b'B' of 'QUOTE': "
    )
    assert lines[2:] == [
        "  0002_fill/fill has come to row b'A', after 1 row, and goes on after that",
        "  not done: 0002_fill/fill, 0002_fill/more",
        "  correct the row or the step, then run it again to continue",
    ]


def test_a_step_that_fails(failed: Project, there: Site) -> None:
    """File, line, row and how far it came are told; the revision is not recorded; the next run says from where it goes on."""
    assert [one.id for one in there.history.revisions()] == ["0001_quotes"]
    told = failed.run("status")
    assert (
        "running   0002_fill/fill  up to row b'A', after 1 row: run `btmodel migrate` to continue it"
        in told.output
    )
    status = json.loads(failed.run("status", "--json").stdout)["data_steps"]
    assert status == {"0002_fill/fill": {"up_to": "b'A'", "rows": 1, "edited": False, "ran": False}}
    there.write("QUOTE", {b"B": [Cell("MD", b"MENDED", 5_000, b"")]})
    told = failed.done("apply", "--yes")
    assert "then it runs its data steps: fill (goes on after row b'A', after 1 row), more\n" in told
    assert "running 0002_fill/fill goes on after row b'A', after 1 row\n" in told
    assert told.endswith(
        "ran 0002_fill/fill over 3 rows\nran 0002_fill/more over 3 rows\napplied 0002_fill\n"
    )
    assert there.history.progress("0002_fill/fill") is None


def test_a_step_that_ran_is_not_under_way(failed: Project, there: Site) -> None:
    """Once the next step of the revision has begun, status tells the one before as run."""
    path = failed.migrations / "0002_fill.py"
    more = "return broken(row) if row.key == b'B' else None"
    path.write_text(FAILS.replace("    return None", f"    {more}"))
    there.write("QUOTE", {b"B": [Cell("MD", b"MENDED", 5_000, b"")]})
    assert isinstance(failed.run("apply", "--yes").exception, MigrationFailed)
    told = failed.run("status")
    assert re.findall(r"^  (\w+) +0002_fill/(\w+)  up to (.*)$", told.output, re.M) == [
        ("ran", "fill", "row b'C', after 3 rows: the next step has started"),
        ("running", "more", "row b'A', after 1 row: run `btmodel migrate` to continue it"),
    ]
    steps = json.loads(failed.run("status", "--json").stdout)["data_steps"]
    assert {name: one["ran"] for name, one in steps.items()} == {
        "0002_fill/fill": True,
        "0002_fill/more": False,
    }


@pytest.mark.parametrize(("name", "seen"), [("restart-step:fill", 3), ("resume-step:fill", 2)])
def test_a_step_that_was_edited_half_way(failed: Project, there: Site, name: str, seen: int) -> None:
    """Other code does not go on at the row of the old one unasked: it is put back, begun again, or gone on with by name."""
    path = failed.migrations / "0002_fill.py"
    path.write_text(FAILS.replace("broken(row) if", "Mutation('QUOTE', row.key, [SEEN]) if True or"))
    error = failed.refused("apply", "--yes")
    assert re.search(
        r"^migrations/0002_fill\.py: fill was edited since it came to row b'A', after 1 row: put its code back as it "
        r"was, or use --allow restart-step:fill to begin at the first row again, or --allow resume-step:fill to go",
        error,
    )
    assert "edited since it came to row b'A'" in failed.run("plan").output
    assert "was edited since" in failed.run("status").output
    both = ("--allow", "restart-step:fill", "--allow", "resume-step:fill")
    assert failed.refused("apply", "--yes", *both).endswith("name one of them")
    assert "what can be allowed: restart-step:fill, resume-step:fill" in failed.refused(
        "apply", "--allow", "x"
    )
    assert failed.done("apply", "--yes", "--allow", name).endswith("applied 0002_fill\n")
    found = [
        key for key, cells in there.cells("QUOTE").items() if any(one.qualifier == b"SEEN" for one in cells)
    ]
    assert len(found) == seen
    assert there.history.progress("0002_fill/fill") is None


def test_what_is_no_edit_of_a_step(failed: Project, there: Site) -> None:
    """Blank lines, and the functions of other steps, are none of its code; and who says a name in vain is not refused."""
    there.write("QUOTE", {b"B": [Cell("MD", b"MENDED", 5_000, b"")]})
    path = failed.migrations / "0002_fill.py"
    path.write_text(FAILS.replace("\n\n", "\n\n\n").replace("return None", "return []"))
    told = failed.done("apply", "--yes", "--allow", "restart-step:fill")
    assert "running 0002_fill/fill goes on after row b'A', after 1 row\n" in told


def test_a_step_that_writes_to_no_family(quotes: Project, there: Site) -> None:
    """File, function, row, how many others, table and family are told, each once."""
    quotes.done("new", "fill", "--data-step", "fill")
    (quotes.migrations / "0002_fill.py").write_text(
        "from btmodel.migrate import Cell, Mutation, data_step\n\n\n@data_step('QUOTE')\ndef fill(row):\n"
        "    return Mutation('QUOTE', row.key, [Cell('nope', b'X', 5_000, b'')])\n"
    )
    error = quotes.refused("apply", "--yes")
    assert (
        "migrations/0002_fill.py:4: fill: row b'A' and 2 others of 'QUOTE' could not be written: the table lacks some of "
        "the families that were written: nope; not done: 0002_fill/fill" in error
    )
    assert not there.history.progress("0002_fill/fill")


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


SLOW = """
import time
from btmodel.migrate import data_step

time.sleep(0.02)


@data_step("QUOTE")
def fill(row):
    return None
"""


def test_threads_of_one_process_load_a_revision_at_once(tmp_path: Path) -> None:
    """The workers of a runner may be threads; each gets the step."""
    revision = Revision("0001_first", "first", (), (), ("fill",), SLOW)
    with ThreadPoolExecutor(8) as threads:
        loaded = list(threads.map(lambda _: load(revision, tmp_path), range(24)))
    assert [[step.name for step in steps] for steps in loaded] == [["fill"]] * 24
