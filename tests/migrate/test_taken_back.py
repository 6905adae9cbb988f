"""What a comparison finds in the new table alone is deleted only by its name, and not where the old table has lost its rows."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, SWITCH, bid
from test_key_moves import quotes as quotes

from btmodel.rows import Cell, Delete, Mutation

TAKE_BACK = ("--allow", "take-back:compare_quote")
SKIP = "skip-step:0004_by_exchange_switch/compare_quote"


def row(value: int) -> list[Cell]:
    return [bid(value, 9_000), Cell("MD", b"EXCHANGE", 9_000, b"XASE")]


@pytest.fixture
def created_again(quotes: Project, there: Site) -> Project:
    """A project whose rows were moved, and whose old table was dropped and created again then."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    table = there.admin.table("QUOTE")
    assert table is not None
    there.admin.delete_table("QUOTE")
    there.admin.create_table(table)
    return quotes


def test_most_rows_are_not_taken_back_from_a_table_whose_old_one_was_created_again(
    created_again: Project, there: Site
) -> None:
    """The advice was to delete them, which were their only copy."""
    there.write("QUOTE", {b"Z": row(1)})
    for allowed in ((), TAKE_BACK):
        refused = created_again.refused("apply", "--yes", "--allow", SWITCH, *allowed)
        assert "3 rows of 'LISTED' stand against 1 that follow from 'QUOTE', and none was removed" in refused
        assert "take-back" not in refused
        assert (
            f"`btmodel migrate baseline ID --allow {SKIP.replace('0004_by_exchange_switch', 'ID')}`"
            in refused
        )
        assert "0004_by_exchange_switch.py" in refused
        assert len(there.cells("LISTED")) == 3
    created_again.done("baseline", "0004_by_exchange_switch", "--allow", SKIP)
    created_again.done("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    assert len(there.cells("LISTED")) == 4


def test_all_causes_are_named_before_rows_are_taken_back(created_again: Project, there: Site) -> None:
    """Where the table that was created again has about as many rows, only its owner knows which are wanted."""
    there.write("QUOTE", {key: row(1) for key in (b"V", b"W", b"X", b"Y", b"Z")})
    refused = created_again.refused("apply", "--yes", "--allow", SWITCH)
    causes = (
        "something writes 'LISTED' alone",
        "a process ended between its two deletions",
        "'QUOTE' was dropped and created again since rows were moved, and 'LISTED' has the only copy of these",
        "the function compare_quote was edited since",
    )
    at = [refused.index(cause) for cause in causes]
    assert (
        max(at)
        < refused.index("Only if you have looked")
        < refused.index("--allow take-back:compare_quote deletes all cells")
    )
    assert "also of rows that are not named here" in refused
    created_again.done("baseline", "0004_by_exchange_switch", "--allow", SKIP)
    created_again.done("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE")
    assert len(there.cells("LISTED")) == 8


def test_an_edited_function_that_is_put_back_takes_nothing_back(quotes: Project, there: Site) -> None:
    """The same rows follow again."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    step = quotes.migrations / "0004_by_exchange_switch.py"
    code = step.read_text()
    assert "return NewQuote(" in code, code
    step.write_text(
        code.replace(
            "    return NewQuote(", '    if row.symbol == "A":\n        return None\n    return NewQuote('
        )
    )
    refused = quotes.refused("apply", "--yes", "--allow", SWITCH)
    assert "if the function was edited, put it back as it was" in refused
    step.write_text(code)
    quotes.done("apply", "--yes", "--allow", SWITCH)
    assert len(there.cells("LISTED")) == 3


def test_a_row_whose_key_does_not_parse_is_named_with_a_way_on(quotes: Project, there: Site) -> None:
    """It was written by hand, and follows from no old row; the comparison ended with the error of its key alone."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    there.write("LISTED", {b"nothing": [bid(1, 9_000)]})
    refused = quotes.refused("apply", "--yes", "--allow", SWITCH)
    assert (
        "'LISTED' has at least 1 cell in 1 row that do not follow from 'QUOTE', such as b'nothing'" in refused
    )
    refused = quotes.refused("apply", "--yes", "--allow", SWITCH, *TAKE_BACK)
    assert "row b'nothing' of 'LISTED' does not say which row of 'QUOTE' it comes from: look at it" in refused
    there.rows.write_many("LISTED", [Mutation("LISTED", b"nothing", deletes=(Delete(),))])
    assert "3 rows equal" in quotes.done("apply", "--yes", "--allow", SWITCH)
