"""What went on from table to table is compared step by step, in that order, and nothing is dropped before all of it is."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import LISTED, QUOTE, bid
from test_key_moves import quotes as quotes
from test_key_moves import switched as switched
from test_key_moves import twice as twice

from btmodel.rows import Cell, Delete, Mutation

ALONE = {b"D": [bid(4, 1_000), Cell("MD", b"EXCHANGE", 1_000, b"XNAS")]}
MARKET = QUOTE.replace('bt.family("MD"', 'bt.family("market", renamed_from="MD"')
Q2 = QUOTE.replace('table="QUOTE"', 'table=bt.table("Q2", renamed_from="QUOTE")')
TO_FIRST = ("rollback", "--yes", "--to", "0001_quotes", "--allow", "data-step:move_quote")


def apply(project: Project, *names: str) -> str:
    """Apply what is pending, with these names allowed."""
    return project.done("apply", "--yes", *(word for name in names for word in ("--allow", name)))


def refused(project: Project, *names: str) -> str:
    """Why what is pending is not applied with these names allowed."""
    result = project.run("apply", "--yes", *(word for name in names for word in ("--allow", name)))
    assert result.exit_code == 1, result.output
    return str(result.exception)


def move(project: Project, model: str) -> None:
    """Move the rows of a project to the table of ``model``, through all stages."""
    project.declare(model)
    project.done("new", "move")
    apply(project)
    stages = [id for id in project.ids() if id.endswith(("_move_backfill", "_move_switch"))]
    apply(project, *(f"deployed:{id}" for id in stages))


def test_a_renamed_table_is_compared_though_its_new_one_was_moved(quotes: Project, there: Site) -> None:
    """It was dropped like any other table, with what was written to it alone."""
    quotes.declare(Q2)
    quotes.done("new", "renamed")
    apply(quotes)
    move(quotes, LISTED.replace('moved_from="QUOTE"', 'moved_from="Q2"'))
    there.write("QUOTE", ALONE)
    assert "run `btmodel migrate --allow drop-table:QUOTE` to compare both" in quotes.done("status")
    assert "QUOTE has 2 cells in 1 row" in refused(quotes, "drop-table:QUOTE")
    assert "first drop QUOTE, with --allow drop-table:QUOTE" in refused(quotes, "drop-table:Q2")
    apply(quotes, "copy-table:Q2")
    apply(quotes, "drop-table:QUOTE")
    apply(quotes, "copy-and-drop-table:Q2")
    assert [key for key in there.cells("LISTED") if key.endswith(b"#D")] == [b"XNAS#D"]


def test_a_renamed_table_whose_new_one_is_gone_is_dropped_by_its_name(quotes: Project, there: Site) -> None:
    """Nothing can be compared with it, as somebody has dropped the other one."""
    quotes.declare(Q2)
    quotes.done("new", "renamed")
    apply(quotes)
    move(quotes, LISTED.replace('moved_from="QUOTE"', 'moved_from="Q2"'))
    there.admin.delete_table("Q2")
    assert "(what can be allowed: abandon-table:QUOTE)" in refused(quotes, "drop-table:QUOTE")
    plan = quotes.done("plan")
    assert "QUOTE was copied to Q2 on " in plan
    assert "which is not there any more" in plan
    apply(quotes, "abandon-table:QUOTE")
    assert there.admin.table("QUOTE") is None


@pytest.mark.parametrize("gone", [False, True])
def test_a_renamed_family_of_a_moved_table_is_compared(quotes: Project, there: Site, gone: bool) -> None:
    """The move knows the new family alone: the old one was dropped at once."""
    quotes.declare(MARKET)
    quotes.done("new", "market")
    apply(quotes)
    move(quotes, LISTED.replace('"MD"', '"market"'))
    there.write("QUOTE", {b"A": [bid(9, 9_000)]})
    if gone:
        there.admin.modify_families("QUOTE", drop=("market",))
        assert "abandon-family:QUOTE.MD" in refused(quotes, "drop-family:QUOTE.MD")
        apply(quotes, "abandon-family:QUOTE.MD")
        return
    assert "QUOTE.MD has 1 cell in 1 row" in refused(quotes, "drop-family:QUOTE.MD")
    assert "first drop QUOTE.MD" in refused(quotes, "drop-table:QUOTE")
    apply(quotes, "copy-family:QUOTE.market")
    assert "that LISTED lacks" in refused(quotes, "drop-family:QUOTE.MD", "drop-table:QUOTE")
    apply(quotes, "drop-family:QUOTE.MD", "copy-and-drop-table:QUOTE")
    assert there.admin.table("QUOTE") is None


@pytest.mark.parametrize("drop", ["drop-table", "copy-and-drop-table", "abandon-table"])
def test_a_table_is_kept_while_another_one_is_compared_with_it(
    twice: Project, there: Site, drop: str
) -> None:
    """QUOTE could not be compared with anything once LISTED was gone."""
    said = refused(twice, f"{drop}:LISTED")
    assert f"{drop}:LISTED would drop LISTED, with which QUOTE is compared before that is dropped" in said
    assert "first drop QUOTE, with --allow drop-table:QUOTE" in said
    assert there.admin.table("LISTED") is not None
    apply(twice, f"{drop}:LISTED", "copy-and-drop-table:QUOTE")
    assert (there.admin.table("QUOTE"), there.admin.table("LISTED")) == (None, None)


def test_what_an_old_table_alone_has_goes_along_the_chain_in_one_run(twice: Project, there: Site) -> None:
    """The first one is copied to the second, which is then copied to the third."""
    there.write("QUOTE", ALONE)
    assert "that LISTED lacks" in refused(twice, "drop-table:LISTED", "drop-table:QUOTE")
    assert len(there.cells("LISTED")) == 3
    apply(twice, "copy-and-drop-table:LISTED", "copy-and-drop-table:QUOTE")
    assert len(there.cells("THIRD")) == 4


def test_a_family_is_kept_while_an_old_table_is_compared_with_it(switched: Project, there: Site) -> None:
    """As that of the new table of a move which was renamed since."""
    switched.declare(
        LISTED.replace(', moved_from="QUOTE"', "").replace('"MD", ', '"market", renamed_from="MD", ')
    )
    switched.done("new", "market")
    apply(switched)
    said = refused(switched, "drop-family:LISTED.MD")
    assert "would drop LISTED.MD, with which QUOTE is compared before that is dropped" in said
    apply(switched, "drop-table:QUOTE")
    apply(switched, "drop-family:LISTED.MD")


@pytest.mark.parametrize("kept", [False, True])
def test_a_rollback_compares_every_table_with_the_one_before(twice: Project, there: Site, kept: bool) -> None:
    """It dropped the third table uncompared, with what only that one had."""
    there.write("THIRD", {b"N#XNAS": [bid(4, 9_000)]})
    names = ("--allow", f"{'keep' if kept else 'drop'}-table:LISTED", "--allow", "drop-table:THIRD")
    error = str(twice.run(*TO_FIRST, *names).exception)
    assert "THIRD has 1 cell in 1 row, such as N#XNAS MD:BID" in error
    assert "do not follow from LISTED" in error
    assert "use --allow abandon-table:THIRD" in error
    assert there.admin.table("LISTED") is not None
    there.rows.write(_deletion("THIRD", b"N#XNAS"))
    there.write("LISTED", {b"XNAS#N": [bid(4, 9_000)]})
    names = ("--allow", "drop-table:LISTED", "--allow", "drop-table:THIRD")
    error = str(twice.run(*TO_FIRST, *names).exception)
    assert "LISTED has 1 cell in 1 row, such as XNAS#N" in error
    assert there.admin.table("THIRD") is not None, "nothing is dropped before all is compared"
    there.rows.write(_deletion("LISTED", b"XNAS#N"))
    twice.done(*TO_FIRST, *names)
    assert [there.admin.table(id) for id in ("LISTED", "THIRD")] == [None, None]
    assert len(there.cells("QUOTE")) == 3


def _deletion(table: str, key: bytes) -> Mutation:
    return Mutation(table, key, deletes=(Delete(),))


def test_a_renamed_table_is_compared_though_nothing_declares_its_new_one(
    quotes: Project, there: Site
) -> None:
    """As its model was removed: the old one is compared with the new one as long as that is there."""
    quotes.declare(Q2)
    quotes.done("new", "renamed")
    apply(quotes)
    quotes.declare(LISTED.replace(', moved_from="QUOTE"', ""))
    quotes.done("new", "other")
    apply(quotes)
    assert "first drop QUOTE" in refused(quotes, "drop-table:Q2")
    there.write("QUOTE", ALONE)
    assert "QUOTE has 2 cells in 1 row" in refused(quotes, "drop-table:QUOTE", "drop-table:Q2")
    assert len(there.cells("Q2")) == 3
    apply(quotes, "abandon-table:QUOTE", "drop-table:Q2")


def test_a_rollback_asks_for_a_table_whose_former_one_is_gone_by_its_name(
    twice: Project, there: Site
) -> None:
    """Its rows are nowhere else, and it was dropped like any other table."""
    apply(twice, "drop-table:LISTED", "drop-table:QUOTE")
    names = ("--allow", "drop-table:THIRD", "--allow", "empty-table:QUOTE")
    error = str(twice.run(*TO_FIRST, *names).exception)
    assert (
        "THIRD cannot be compared with LISTED, which is not there: use --allow abandon-table:THIRD" in error
    )
    assert len(there.cells("THIRD")) == 3


PRICES = LISTED.replace('"LISTED", moved_from="QUOTE"', '"PRICES", renamed_from="LISTED"')


def test_a_comparison_goes_on_to_the_new_name_of_a_table(switched: Project, there: Site) -> None:
    """The renaming says what has to be dropped first, and what the first table alone has comes to the new name."""
    switched.declare(PRICES)
    switched.done("new", "prices")
    note = (
        "LISTED is renamed to PRICES, and stays as long as QUOTE, whose rows are compared with it: drop QUOTE first, with --allow drop-table:QUOTE, then LISTED, "
        "which is compared with PRICES"
    )
    assert note in switched.run("plan").output
    there.write("QUOTE", ALONE)
    assert note in apply(switched)
    assert note not in switched.run("plan").output
    assert "first drop QUOTE" in refused(switched, "drop-table:LISTED")
    assert "that LISTED lacks" in refused(switched, "drop-table:QUOTE", "drop-table:LISTED")
    apply(switched, "copy-and-drop-table:QUOTE")
    assert "that PRICES lacks" in refused(switched, "drop-table:LISTED")
    apply(switched, "copy-table:PRICES")
    apply(switched, "drop-table:LISTED")
    assert b"XNAS#D" in there.cells("PRICES")


def test_a_new_table_that_a_rollback_keeps_is_still_compared_before_its_drop(
    twice: Project, there: Site
) -> None:
    """It was a table like any other that nothing declares, and its drop compared nothing."""
    there.write("THIRD", {b"N#XNAS": [bid(4, 9_000)]})
    keep = ("--allow", "keep-table:THIRD", "--allow", "keep-table:LISTED")
    twice.done(*TO_FIRST, *keep)
    plan = twice.run("plan").output
    assert "? new-table:THIRD  rows of LISTED were moved to it  [drop with --allow drop-table:THIRD]" in plan
    first = ("apply", "--yes", "--to", "0001_quotes", "--allow")
    assert "THIRD has 1 cell in 1 row, such as N#XNAS MD:BID" in str(
        twice.run(*first, "drop-table:THIRD").exception
    )
    twice.done(*first, "abandon-table:THIRD")
    assert "new-table:LISTED" in twice.run("status").output
    twice.done(*first, "drop-table:LISTED")
    assert len(there.cells("QUOTE")) == 3
