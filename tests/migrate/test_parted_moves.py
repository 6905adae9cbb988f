"""Two branches, one of which moves the rows of a table to another one: no merge goes on without what was written there."""

from renamed_models import Site
from test_data_steps import there as there
from test_merged_columns import ASK, OFFER, QUOTE, Branches
from test_merged_columns import branches as branches

LISTED = QUOTE.replace('table="QUOTE"', 'table=bt.table("LISTED", moved_from="QUOTE")').replace(
    "width=5", "width=7"
)
SALTED = QUOTE.replace('table="QUOTE"', 'table=bt.table("SALTED", moved_from="QUOTE")').replace(
    "    symbol", '    salt = bt.salt("symbol", buckets=4)\n    symbol'
)


def test_two_moves_of_the_same_rows_are_refused(branches: Branches) -> None:
    """Each has rows that the other one lacks, once the application writes it alone."""
    branches.write("left", LISTED)
    branches.write("right", SALTED)
    why = branches.project.refused("merge")
    assert (
        "nothing was written: 0003_left_backfill moves the rows of QUOTE to LISTED, and 0003_right_backfill moves them to SALTED, so that what is written to one of these tables "
        "alone would not be in the other one: keep one of the two moves, go back before the other one with `btmodel migrate rollback`"
        in why
    )
    assert branches.project.ids() == [
        "0001_base",
        *(
            f"000{n}_{side}{stage}"
            for n, stage in ((2, ""), (3, "_backfill"), (4, "_switch"))
            for side in ("left", "right")
        ),
    ]


def test_the_same_move_of_both_branches_is_merged(branches: Branches) -> None:
    """Whichever was applied, the rows are in the one table."""
    branches.write("left", LISTED)
    branches.write("right", LISTED)
    assert "wrote" in branches.project.done("merge")


def test_a_table_whose_rows_have_moved_is_not_taken_again(branches: Branches, there: Site) -> None:
    """The other branch changed it: the move is taken, and the change is written for the new table."""
    branches.write("left", LISTED)
    branches.write("right", OFFER)
    project = branches.project
    project.done("apply", "--yes", "--to", "0002_left")
    for id in ("0003_left_backfill", "0004_left_switch"):
        project.done("apply", "--yes", "--to", id, "--allow", f"deployed:{id}")
    why = project.refused("merge", "--take", "0002_right")
    assert (
        "0003_left_backfill moves the rows of QUOTE to LISTED, where instances that have applied it write them, and --take 0002_right would go on with QUOTE, which lacks what was "
        "written to LISTED alone: use --take 0004_left_switch, and declare in LISTED what 0002_right changes"
        in why
    )
    project.done("merge", "--take", "0004_left_switch")
    project.done("apply", "--yes", "--allow", "run-step:rewrite_quote", "--allow", "deployed:0002_right")
    assert {key: {cell.qualifier for cell in cells} for key, cells in there.cells("LISTED").items()} == {
        b"A      ": {b"BID"}
    }


def test_a_column_beside_a_move_is_merged_without_a_conflict_before_the_switch(branches: Branches) -> None:
    """As long as both tables are declared, each branch has changed another one."""
    branches.write("left", LISTED)
    for path in branches.project.migrations.glob("0004_*"):
        path.unlink()
    branches.write("right", ASK)
    assert "wrote" in branches.project.done("merge")
