"""What is known to have gone elsewhere is compared before its drop, or dropped by a name that says that it was not compared."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, QUOTE, bid
from test_key_moves import quotes as quotes
from test_key_moves import switched as switched

from btmodel.rows import Cell

LATE = {b"D": [bid(4, 1_000), Cell("MD", b"EXCHANGE", 1_000, b"XNAS")]}
DROP = ("apply", "--yes", "--allow", "drop-table:QUOTE")
ABANDON = ("apply", "--yes", "--allow", "abandon-table:QUOTE")
SKIP = tuple(
    word
    for step in ("0003_by_exchange_backfill/move_quote", "0004_by_exchange_switch/compare_quote")
    for word in ("--allow", f"skip-step:{step}")
)


def test_a_squashed_move_is_not_forgotten(switched: Project, there: Site) -> None:
    """The code that compares both tables is gone, so that only the user can say that the old one may go."""
    said = switched.done("squash", "0004_by_exchange_switch")
    assert "warning: 0003_by_exchange_backfill moved the rows of QUOTE to LISTED" in said
    there.write("QUOTE", LATE)
    status = switched.done("status")
    assert "  moved     QUOTE" in status
    assert "run `btmodel migrate --allow abandon-table:QUOTE` to drop the old one" in status
    assert "they cannot be compared before a drop" in switched.done("plan")
    assert "(what can be allowed: abandon-table:QUOTE)" in switched.refused(*DROP)
    assert len(there.cells("QUOTE")) == 4
    assert switched.run("verify").exit_code == 0
    switched.done(*ABANDON)
    assert there.admin.table("QUOTE") is None


def test_a_squash_below_the_switch_leaves_what_compares_both_tables(switched: Project, there: Site) -> None:
    """The revision that compares them before the reads are switched has the code for it."""
    assert "warning" not in switched.done("squash", "0003_by_exchange_backfill")
    there.write("QUOTE", LATE)
    assert "that LISTED lacks" in switched.refused(*DROP)
    switched.done("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    assert len(there.cells("LISTED")) == 4


def test_a_squash_of_a_squash_keeps_the_moves(switched: Project) -> None:
    """Until an instance has no old table any more, which the revisions cannot know."""
    switched.done("squash", "0004_by_exchange_switch")
    switched.done("new", "empty", "--data-step", "fill")
    said = switched.done("squash", "0005_empty")
    assert "warning: 0003_by_exchange_backfill moved the rows of QUOTE to LISTED" in said
    (path,) = switched.migrations.glob("*.toml")
    assert '    { old = "QUOTE", new = "LISTED", by = "0003_by_exchange_backfill" },\n' in path.read_text()
    path.write_text(path.read_text().replace('old = "QUOTE", ', ""))
    assert "moves: expected old, new and by" in switched.refused("status")


def test_a_table_that_is_declared_anew_has_other_rows(switched: Project, there: Site) -> None:
    """The move of those that it had says nothing of them."""
    switched.done(*DROP)
    switched.declare(QUOTE.replace("Quote", "Other"))
    switched.done("new", "anew")
    switched.declare(QUOTE.replace("Quote", "Third").replace("QUOTE", "THIRD"))
    switched.done("new", "third")
    switched.done("squash", "0006_third")
    (path,) = switched.migrations.glob("*.toml")
    assert "moves" not in path.read_text()


def test_a_move_whose_code_cannot_be_loaded_is_not_forgotten(switched: Project, there: Site) -> None:
    """As what it imports is not installed any more: the file says what it moved all the same."""
    files = [*switched.migrations.glob("*_by_exchange_*.py")]
    for path in files:
        path.write_text(f"import no_such_module\n{path.read_text()}")
    switched.done("baseline", "0004_by_exchange_switch")
    refused = switched.refused(*DROP)
    assert "(what can be allowed: abandon-table:QUOTE)" in refused
    assert "No module named 'no_such_module'" in switched.done("plan")
    switched.done(*ABANDON)


def test_an_edited_move_that_a_baseline_records_is_compared(switched: Project, there: Site) -> None:
    """The error about the edit advises that, after which the old table was dropped like any other."""
    for path in switched.migrations.glob("*_by_exchange_*.py"):
        path.write_text(path.read_text().replace("    return NewQuote", "    _ = 1\n    return NewQuote"))
    assert "btmodel migrate baseline" in switched.refused("plan")
    switched.done("baseline", "0004_by_exchange_switch")
    there.write("QUOTE", LATE)
    refused = switched.refused(*DROP)
    assert "that LISTED lacks, and no record says that 0003_by_exchange_backfill has moved them" in refused
    switched.done("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    assert len(there.cells("LISTED")) == 4


@pytest.mark.parametrize("begun", [False, True])
def test_a_baseline_says_which_steps_have_not_run(quotes: Project, there: Site, begun: bool) -> None:
    """It recorded a move as done of which no row was moved, and QUOTE could be dropped."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    if begun:
        there.write("QUOTE", {b"B": [bid(4, 9_000), Cell("MD", b"EXCHANGE", 9_000, b"\xff")]})
        assert quotes.run("apply", "--yes", "--allow", BACKFILL).exit_code == 1
    refused = quotes.refused("baseline")
    said = "a run of it has " if begun else "no record says that it has run"
    assert f"0003_by_exchange_backfill/move_quote: {said}" in refused
    assert "0004_by_exchange_switch/compare_quote: no record says that it has run" in refused
    assert " ".join(SKIP) in refused
    assert "no revision up to 0004_by_exchange_switch has such a data step" in quotes.refused(
        "baseline", "--allow", "skip-step:0003_other/move_quote"
    )
    quotes.done("baseline", *SKIP)
    quotes.done("baseline", *SKIP)
    if begun:
        return
    assert "of which no record says that it has run" in quotes.done("plan")
    assert "that LISTED lacks" in quotes.refused(*DROP)
    assert len(there.cells("QUOTE")) == 3


def test_a_step_that_has_begun_is_not_lost_with_its_revision(quotes: Project, there: Site) -> None:
    """A run that ends within its first rows has recorded none of them, though their cells may have gone to the new column."""
    offer = '"OFFER", md, default=None, renamed_from="BID"'
    quotes.declare(QUOTE.replace('"BID", md, default=None', offer))
    quotes.done("new", "offer")
    there.write("QUOTE", {b"B": [Cell("MD", b"BID", 9_000, b"odd")]})
    assert quotes.run("apply", "--yes", "--allow", "deployed:0002_offer").exit_code == 1
    for path in quotes.migrations.glob("0002*"):
        path.unlink()
    quotes.declare(QUOTE)
    said = "it may have written for its first rows, and no revision here has this step"
    assert f"  lost      0002_offer/rewrite_quote  {said}\n" in quotes.done("status")
    quotes.done("new", "nothing", "--data-step", "fill")
    assert "0002_offer/rewrite_quote has begun, it may have written" in quotes.run("plan").output
