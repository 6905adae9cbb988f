"""The old table of a key move is not dropped while a revision still reads it, nor created without its rows unnamed."""

import re
import time
from collections.abc import Iterator
from functools import partial

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, COUNTS, LISTED, QUOTE, SWITCH, bid
from test_key_moves import quotes as quotes

from btmodel import server as local_server
from btmodel.rows import Cell

# Copies the cells of one family to another one.
RAW_STEP = """from btmodel.migrate import Cell, Mutation, data_step


@data_step("QUOTE")
def fill(row):
    cells = [Cell("market", *cell[1:]) for cell in row.cells if cell.family == "MD"]
    return Mutation("QUOTE", row.key, tuple(cells))
"""


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone, as Google's emulator has no views."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def moved(quotes: Project) -> Project:
    """A project whose rows are moved; the switch is pending."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    return quotes


@pytest.mark.parametrize("drop", ["drop-table", "copy-and-drop-table", "abandon-table"])
def test_the_old_table_is_not_dropped_before_the_last_comparison(
    moved: Project, there: Site, drop: str
) -> None:
    """It was dropped before that, which failed for ever."""
    refused = moved.refused("apply", "--yes", "--allow", SWITCH, "--allow", f"{drop}:QUOTE")
    assert f"{drop}:QUOTE would drop QUOTE before 0004_by_exchange_switch is applied" in refused
    assert f"first run `btmodel migrate apply --to 0004_by_exchange_switch --allow {SWITCH}`" in refused
    assert "is not in the instance" not in refused
    assert len(there.cells("QUOTE")) == 3
    moved.done("apply", "--yes", "--to", "0004_by_exchange_switch", "--allow", SWITCH)
    moved.done("apply", "--yes", "--allow", f"{drop}:QUOTE")
    assert there.admin.table("QUOTE") is None


def test_nothing_is_dropped_in_the_run_that_moves_the_rows(quotes: Project, there: Site) -> None:
    """As one run would do the whole way."""
    quotes.done("new", "by exchange")
    names = [word for name in (BACKFILL, SWITCH, "drop-table:QUOTE") for word in ("--allow", name)]
    assert "would drop QUOTE before 0004_by_exchange_switch is applied" in (
        quotes.refused("apply", "--yes", *names)
    )
    assert there.admin.table("LISTED") is None


def test_a_table_that_a_pending_data_step_reads_is_not_dropped(project: Project, there: Site) -> None:
    """Also where the table is only left over, and no move reads it."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.declare(LISTED.replace(', moved_from="QUOTE"', ""))
    project.done("new", "other")
    project.done("apply", "--yes")
    project.done("new", "fill", "--data-step", "fill")
    file = project.migrations / "0003_fill.py"
    file.write_text(
        'from btmodel.migrate import data_step\n\n\n@data_step("QUOTE")\ndef fill(row):\n    return None\n'
    )
    refused = project.refused("apply", "--yes", "--allow", "drop-table:QUOTE")
    assert (
        "drop-table:QUOTE would drop QUOTE before 0003_fill is applied, whose step fill reads it" in refused
    )
    project.done("apply", "--yes")
    project.done("apply", "--yes", "--allow", "drop-table:QUOTE")


def test_a_family_that_a_pending_data_step_reads_is_not_dropped(project: Project, there: Site) -> None:
    """The step would find rows without the cells that it is about."""
    more = """    x = bt.family("X", gc=bt.max_versions(1))
    note: str | None = bt.column("NOTE", x, default=None)
"""
    project.declare(QUOTE + more)
    project.done("new", "quotes")
    project.declare(QUOTE)
    project.done("new", "without notes")
    project.done("apply", "--yes")
    project.done("new", "count", "--data-step", "count")
    head = "import btmodel as bt\nfrom btmodel.migrate import data_step\n\n"
    step = "\n\n@data_step(Quote)\ndef count(row):\n    return None\n"
    (project.migrations / "0003_count.py").write_text(head + QUOTE + more + step)
    drop = ("apply", "--yes", "--allow", "drop-family:QUOTE.X")
    refused = project.refused(*drop)
    assert (
        "drop-family:QUOTE.X would drop QUOTE.X before 0003_count is applied, whose step count reads"
        in refused
    )
    project.done("apply", "--yes")
    project.done(*drop)


@pytest.mark.parametrize("later", [False, True])
def test_no_family_is_dropped_before_a_pending_step_read_its_stored_rows(
    project: Project, there: Site, later: bool
) -> None:
    """A step of stored rows may read every family of its table, whatever models declare."""
    quote = QUOTE.replace("exchange: str =", "exchange: str | None =").replace(
        '"EXCHANGE", md', '"EXCHANGE", md, default=None'
    )
    project.declare(quote)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"a": [Cell("MD", b"BID", 1_000, b"1")]})
    project.declare(quote.replace('"MD"', '"market"'))
    if later:
        project.done("new", "market")
    project.done("new", "fill", "--data-step", "fill")
    revision = "0003_fill" if later else "0002_fill"
    (project.migrations / f"{revision}.py").write_text(RAW_STEP)
    drop = ("apply", "--yes", "--allow", "drop-family:QUOTE.MD")
    refused = project.refused(*drop)
    assert (
        f"drop-family:QUOTE.MD would drop QUOTE.MD before {revision} is applied, whose step fill reads it"
        in refused
    )
    assert f"first run `btmodel migrate apply --to {revision}`" in refused
    project.done("apply", "--yes", "--to", revision)
    project.done(*drop)
    assert {cell.family for cell in there.cells("QUOTE")[b"a"]} == {"market"}


def test_a_move_whose_old_table_is_gone_says_the_ways_out(moved: Project, there: Site) -> None:
    """The comparison said that a table was not found, and an empty one was created as if that lost nothing."""
    there.admin.delete_table("QUOTE")
    refused = moved.refused("apply", "--yes", "--allow", SWITCH)
    assert "compare_quote reads QUOTE, which is not in the instance" in refused
    assert "`gcloud bigtable instances tables undelete QUOTE`" in refused
    skip = ("--allow", "skip-step:0004_by_exchange_switch/compare_quote")
    assert f"`btmodel migrate baseline 0004_by_exchange_switch {' '.join(skip)}`" in refused
    for way in (
        ("apply", "--yes", "--to", "0003_by_exchange_backfill"),
        ("rollback", "--yes", "--allow", "data-step:move_quote"),
    ):
        refused = moved.refused(*way)
        assert "QUOTE, which was dropped, would be created empty" in refused
        assert "use --allow empty-table:QUOTE if you mean that" in refused
    assert there.admin.table("QUOTE") is None
    moved.done("baseline", "0004_by_exchange_switch", *skip)
    assert len(there.cells("LISTED")) == 3
    assert moved.run("verify").exit_code == 0


def test_an_empty_table_is_created_by_name(moved: Project, there: Site) -> None:
    """As a rollback does it."""
    there.admin.delete_table("QUOTE")
    way = ("apply", "--yes", "--to", "0003_by_exchange_backfill", "--allow", "empty-table:QUOTE")
    moved.done(*way)
    assert there.cells("QUOTE") == {}
    moved.done(*way)


def test_the_plan_names_the_revision_that_moved_the_rows(moved: Project) -> None:
    """The last one only compared them."""
    moved.done("apply", "--yes", "--allow", SWITCH)
    assert "its rows were moved to LISTED by 0003_by_exchange_backfill, and compared on" in (
        moved.run("verify").output
    )


def back_to_the_new_table(moved: Project) -> None:
    """Roll back until the next rollback would drop the new table."""
    moved.done("apply", "--yes", "--allow", SWITCH)
    moved.done("rollback", "--yes")
    moved.done("rollback", "--yes", "--allow", "data-step:move_quote")


def test_a_rollback_compares_before_it_drops_the_new_table(moved: Project, there: Site) -> None:
    """What the application had written to that alone was lost."""
    back_to_the_new_table(moved)
    there.write("LISTED", {b"XNYS#A": [bid(8, 9_000)], b"XNYS#Z": [bid(1, 9_000)]})
    assert "new-table:LISTED  rows of QUOTE were moved to it" in moved.run("rollback", "--yes").output
    error = str(moved.run("rollback", "--yes", "--allow", "drop-table:LISTED").exception)
    assert (
        "LISTED has 2 cells in 2 rows, such as XNYS#A MD:BID of 1970-01-01T00:00:00.009000Z; XNYS#Z" in error
    )
    assert "that do not follow from QUOTE, and would be lost" in error
    assert "use --allow abandon-table:LISTED to drop LISTED all the same" in error
    assert len(there.cells("LISTED")) == 4
    moved.done("rollback", "--yes", "--allow", "abandon-table:LISTED")
    assert there.admin.table("LISTED") is None


def test_a_rollback_drops_a_new_table_that_follows_from_the_old_one(moved: Project, there: Site) -> None:
    """Rows that were replaced and deleted in both tables, and older cells of the old one, are no difference."""
    back_to_the_new_table(moved)
    there.write("QUOTE", {b"A": [bid(8, 9_000)], b"B": [bid(2, 9_000)]})
    there.write("LISTED", {b"XNYS#A": [bid(8, 9_000)]})
    moved.done("rollback", "--yes", "--allow", "drop-table:LISTED")
    assert there.admin.table("LISTED") is None
    assert len(there.cells("QUOTE")) == 3


def test_a_rollback_of_the_switch_says_what_is_not_read_any_more(moved: Project, there: Site) -> None:
    """The application may have written the new table alone already."""
    moved.done("apply", "--yes", "--allow", SWITCH)
    there.write("LISTED", {b"XNYS#Z": [bid(1, 9_000)]})
    told = moved.done("rollback", "--yes")
    assert "LISTED has 1 cell in 1 row, such as XNYS#Z MD:BID of" in told
    assert "what reads QUOTE does not see them" in told
    assert "rolled back 0004_by_exchange_switch" in told


def test_a_new_table_that_is_kept_is_not_compared(moved: Project, there: Site) -> None:
    """It stays undeclared, with all that it has."""
    back_to_the_new_table(moved)
    there.write("LISTED", {b"XNYS#Z": [bid(1, 9_000)]})
    moved.done("rollback", "--yes", "--allow", "keep-table:LISTED")
    assert len(there.cells("LISTED")) == 4


def test_what_drops_the_old_table_names_its_views_too(project: Project, there: Site) -> None:
    """The line that `status` and a plan suggest is all that it takes, for an old table with a view."""
    project.declare(QUOTE, COUNTS)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"A": [Cell("MD", b"EXCHANGE", 1_000, b"NYSE"), bid(1, 1_000)]})
    project.declare(LISTED, COUNTS.replace("COUNTS", "COUNTS_2"))
    project.done("new", "by exchange")
    project.done("apply", "--yes")
    for name in (BACKFILL, SWITCH):
        project.done("apply", "--yes", "--allow", name)
    said = project.run("status").output
    found = re.search(r"run `btmodel migrate (apply )?(--allow [^`]*)`", said)
    assert found is not None, said
    assert found[2] == "--allow drop-table:QUOTE --allow drop-view:QUOTE.COUNTS"
    assert f"drop with {found[2]}" in project.run("plan").output
    project.done("apply", "--yes", *found[2].split())
    assert there.admin.table("QUOTE") is None


def test_a_value_replaced_at_its_own_time_in_the_old_table_alone_stops_its_drop(
    moved: Project, there: Site
) -> None:
    """It was dropped as if the new table had all of it; nothing says which value is right, so none is copied either."""
    moved.done("apply", "--yes", "--allow", SWITCH)
    there.write("QUOTE", {b"A": [bid(777, 5_000)]})
    for drop in ("drop-table", "copy-and-drop-table"):
        error = str(moved.run("apply", "--yes", "--allow", f"{drop}:QUOTE").exception)
        assert "rows of QUOTE have 1 cell in 1 row, such as A MD:BID of 1970-01-01T00:00:00.005000Z" in error
        assert "with other values than LISTED has at the same times" in error
        assert "--allow abandon-table:QUOTE" in error
    there.write("LISTED", {b"XNYS#A": [bid(777, 6_000)]})  # the right value, at a later time
    moved.done("apply", "--yes", "--allow", "drop-table:QUOTE")
    assert there.admin.table("QUOTE") is None


@pytest.mark.parametrize("seconds", [40 * 86_400.0, -3_600.0])
def test_a_machine_whose_clock_is_wrong_neither_compares_nor_drops(
    moved: Project, there: Site, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """By its clock, cells that are there would count as deleted by age."""
    real = time.time_ns
    ahead = partial(monkeypatch.setattr, time, "time_ns")
    ahead(lambda: real() + int(seconds * 1e9))
    assert "the clock of this machine shows" in moved.refused("apply", "--yes", "--allow", SWITCH)
    ahead(real)
    moved.done("apply", "--yes", "--allow", SWITCH)
    ahead(lambda: real() + int(seconds * 1e9))
    assert "set the clock of this machine" in (moved.refused("apply", "--yes", "--allow", "drop-table:QUOTE"))
    ahead(real)
    moved.done("apply", "--yes", "--allow", "drop-table:QUOTE")
