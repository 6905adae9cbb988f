"""The old table of a key move is not dropped while a revision still reads it, nor created without its rows unnamed."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, LISTED, QUOTE, SWITCH
from test_key_moves import quotes as quotes


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


def test_a_move_whose_old_table_is_gone_says_the_ways_out(moved: Project, there: Site) -> None:
    """The comparison said that a table was not found, and an empty one was created as if that lost nothing."""
    there.admin.delete_table("QUOTE")
    refused = moved.refused("apply", "--yes", "--allow", SWITCH)
    assert "compare_quote reads QUOTE, which is not in the instance" in refused
    assert "`gcloud bigtable instances tables undelete QUOTE`" in refused
    assert "`btmodel migrate baseline 0004_by_exchange_switch`" in refused
    for way in (
        ("apply", "--yes", "--to", "0003_by_exchange_backfill"),
        ("rollback", "--yes", "--allow", "data-step:move_quote"),
    ):
        refused = moved.refused(*way)
        assert "QUOTE, which was dropped, would be created empty" in refused
        assert "use --allow empty-table:QUOTE if you mean that" in refused
    assert there.admin.table("QUOTE") is None
    moved.done("baseline", "0004_by_exchange_switch")
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
