"""A rollback through the renaming of a table or a family misses no cells that a step has moved since."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import QUOTE
from test_old_columns import BID, RENAMED, recorded

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
