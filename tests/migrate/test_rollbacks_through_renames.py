"""A rollback through the renaming of a table or a family misses no cells that a step has moved since."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import QUOTE
from test_old_columns import BID, RENAMED, number, recorded

NOW = {"family": "QUOTE.market:OFFER", "table": "PRICE.MD:OFFER"}


@pytest.mark.parametrize("kind", ["family", "table"])
def test_moved_cells_are_found_under_their_former_names(project: Project, there: Site, kind: str) -> None:
    """The rollback copied them back to their table and family, where no model read them."""
    quotes = recorded(project, there, QUOTE, BID=7)
    old, drop = ('table="QUOTE"', "drop-table:QUOTE") if kind == "table" else ('"MD"', "drop-family:QUOTE.MD")
    new = (
        'table=bt.table("PRICE", renamed_from="QUOTE")' if kind == "table" else '"market", renamed_from="MD"'
    )
    quotes.declare(QUOTE.replace(old, new).replace(BID, RENAMED))
    quotes.done("new", "renamed")
    quotes.done("apply", "--yes")
    quotes.done("new", "step")
    quotes.done("apply", "--yes", "--to", "0002_renamed", "--allow", drop)
    quotes.done("apply", "--yes", "--allow", "deployed:0003_step")
    wrote = ("--allow", "data-step:rewrite_quote")
    refused = quotes.refused("rollback", "--yes", "--to", "0001_quotes", *wrote)
    family = NOW[kind].partition(".")[2].partition(":")[0]
    assert f"moved the cells of QUOTE.MD:BID to MD:OFFER, which is {NOW[kind]} now" in refused
    assert f'declare {family}:BID with renamed_from="OFFER"' in refused
    assert "use --allow unread-cells:QUOTE.MD:OFFER" in refused
    quotes.done("rollback", "--yes", "--to", "0001_quotes", *wrote, "--allow", "unread-cells:QUOTE.MD:OFFER")


def renamed_with_its_table(project: Project, there: Site) -> Project:
    """A project whose second revision renames its table, and whose third has a step that moves cells of it."""
    quotes = recorded(project, there, QUOTE, BID=7)
    quotes.declare(
        QUOTE.replace('table="QUOTE"', 'table=bt.table("PRICE", renamed_from="QUOTE")').replace(BID, RENAMED)
    )
    quotes.done("new", "renamed")
    quotes.done("apply", "--yes")
    quotes.done("new", "step")
    quotes.done("apply", "--yes", "--to", "0002_renamed", "--allow", "drop-table:QUOTE")
    return quotes


MOVED = "a step has moved the cells of QUOTE.MD:BID to MD:OFFER, which is PRICE.MD:OFFER now"
UNREAD = ("--allow", "unread-cells:QUOTE.MD:OFFER")


def test_cells_of_a_step_that_an_earlier_rollback_has_undone_are_found(project: Project, there: Site) -> None:
    """The first rollback leads to models that read both places, and removed what the second one has to know."""
    quotes = renamed_with_its_table(project, there)
    quotes.done("apply", "--yes", "--allow", "deployed:0003_step")
    quotes.done("rollback", "--yes", "--allow", "data-step:rewrite_quote")
    assert "0003_step/rewrite_quote" not in quotes.run("status").output
    for _ in range(2):
        refused = quotes.refused("rollback", "--yes")
        assert MOVED in refused
        assert "use --allow unread-cells:QUOTE.MD:OFFER" in refused
        assert "data-step" not in refused
        quotes.done("rollback", "--yes", *UNREAD)
        quotes.done("apply", "--yes", "--to", "0001_quotes", "--allow", "drop-table:PRICE")
        quotes.done("apply", "--yes", "--to", "0002_renamed")
        quotes.done("apply", "--yes", "--to", "0002_renamed", "--allow", "drop-table:QUOTE")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_step")
    assert "to MD:OFFER" in quotes.refused(
        "rollback", "--yes", "--to", "0001_quotes", "--allow", "data-step:rewrite_quote"
    )


def test_what_a_rollback_knows_of_moved_cells_goes_with_their_table(project: Project, there: Site) -> None:
    """Other rows of a table of that name were never moved."""
    quotes = renamed_with_its_table(project, there)
    quotes.done("apply", "--yes", "--allow", "deployed:0003_step")
    quotes.done("rollback", "--yes", "--allow", "data-step:rewrite_quote")
    quotes.done("rollback", "--yes", *UNREAD)
    quotes.done("apply", "--yes", "--to", "0001_quotes", "--allow", "drop-table:PRICE")
    quotes.done("rollback", "--yes", "--allow", "drop-table:QUOTE")
    quotes.done("apply", "--yes", "--to", "0001_quotes")
    there.write("QUOTE", {b"A": [number(7)]})
    quotes.done("apply", "--yes", "--to", "0002_renamed")
    quotes.done("apply", "--yes", "--to", "0002_renamed", "--allow", "drop-table:QUOTE")
    quotes.done("rollback", "--yes")
    assert there.cells("QUOTE") == {b"A": {number(7)}}


@pytest.mark.parametrize("kind", ["family", "table"])
def test_a_renaming_that_the_target_has_too_is_not_followed_back(
    project: Project, there: Site, kind: str
) -> None:
    """Later revisions declare `renamed_from=` still, and the rollback looked for the cells under the name before."""
    quotes = recorded(project, there, QUOTE, BID=7)
    old, drop = ('table="QUOTE"', "drop-table:QUOTE") if kind == "table" else ('"MD"', "drop-family:QUOTE.MD")
    new = (
        'table=bt.table("PRICE", renamed_from="QUOTE")' if kind == "table" else '"market", renamed_from="MD"'
    )
    renamed = QUOTE.replace(old, new)
    quotes.declare(renamed)
    quotes.done("new", "renamed")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", drop)
    quotes.declare(renamed.replace(BID, RENAMED))
    quotes.done("new", "step")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_step")
    refused = quotes.refused("rollback", "--yes", "--allow", "data-step:rewrite_quote")
    place = ("PRICE", "MD") if kind == "table" else ("QUOTE", "market")
    assert (
        f"moved the cells of {place[0]}.{place[1]}:BID to {place[1]}:OFFER, and the models of 0002_renamed would find none"
        in refused
    )
    assert f"use --allow unread-cells:{place[0]}.{place[1]}:OFFER" in refused
