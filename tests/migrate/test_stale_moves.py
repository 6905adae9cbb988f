"""A move of one branch beside a step of another one that moves cells which the old model of the move reads."""

import re

from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import LISTED, QUOTE
from test_old_columns import BID, RENAMED, number, recorded

SHORT = BID.replace("md, ", "md, codec=bt.Either(bt.IntBytes(2), bt.Int64()), ")


def parted(project: Project, there: Site, move: str = LISTED, renamed: str = RENAMED) -> Project:
    """A project with rows, and two branches: one moves QUOTE, one declares the column BID of it otherwise, and rewrites it in place; merged."""
    quotes = recorded(project, there, QUOTE, BID=7)
    quotes.declare(move)
    quotes.done("new", "by exchange")
    files = {file: file.read_bytes() for file in quotes.migrations.glob("*_by_exchange*.*")}
    for file in files:
        file.unlink()
    quotes.declare(QUOTE.replace(BID, renamed))
    quotes.done("new", "an offer", "--rewrite", "Quote")
    for file, content in files.items():
        file.write_bytes(content)
    quotes.declare(move)
    quotes.done("merge", "--take", "0004_by_exchange_switch")
    return quotes


def test_a_move_whose_cells_another_branch_has_moved_is_refused(project: Project, there: Site) -> None:
    """A step of another branch that ran before took the cells away, and the new rows would have no bid."""
    quotes = parted(project, there)
    said = (
        "0003_by_exchange_backfill.py: nothing was applied, because move_quote would not find bid: OldQuote reads it from MD:BID, and 0002_an_offer, which another branch wrote, moves "
        "these cells to MD:OFFER before it"
    )
    quotes.done("apply", "--yes", "--to", "0002_an_offer", "--allow", "deployed:0002_an_offer")
    quotes.done("apply", "--yes")
    assert said in quotes.run("plan").output
    assert said in quotes.run("preview").output
    allowed = ("--allow", "deployed:0003_by_exchange_backfill")
    refused = quotes.refused("apply", "--yes", *allowed)
    assert said in refused
    assert there.cells("LISTED") == {}
    way = 'declare bid of OldQuote in this file, and in those of the steps on it, as "OFFER" with also="BID"'
    assert way in refused
    for file in quotes.migrations.glob("*_by_exchange_*.py"):
        code = file.read_text()
        file.write_text(
            re.sub(
                r'bt.column\("BID", md, default=None\)',
                'bt.column("OFFER", md, default=None, also="BID")',
                code,
                count=1,
            )
        )
    quotes.done("apply", "--yes", *allowed)
    quotes.done("apply", "--yes", "--allow", "deployed:0004_by_exchange_switch")
    assert there.cells("LISTED") == {b"XNYS#A": {number(7)}, b"XNYS#B": {number(7)}}


def test_a_move_whose_cells_another_branch_has_rewritten_is_refused(project: Project, there: Site) -> None:
    """A step of another branch that ran before wrote them in a codec that the old model does not read."""
    quotes = parted(project, there, renamed=SHORT)
    quotes.done("apply", "--yes", "--to", "0002_an_offer", "--allow", "deployed:0002_an_offer")
    quotes.done("apply", "--yes")
    allowed = ("--allow", "deployed:0003_by_exchange_backfill")
    refused = quotes.refused("apply", "--yes", *allowed)
    assert (
        "0003_by_exchange_backfill.py: nothing was applied, because move_quote could not read bid: OldQuote reads MD:BID as Int64(), and 0002_an_offer, which another branch wrote, "
        "rewrites it as IntBytes(size=2) before it: declare bid of OldQuote in this file, and in those of the steps on it, with the codec "
        "Either(new=IntBytes(size=2), old=(Int64()))" in refused
    )
    for file in quotes.migrations.glob("*_by_exchange_*.py"):
        old, new = (
            'column("BID", md, default=None)',
            'column("BID", md, codec=bt.Either(bt.IntBytes(2), bt.Int64()), default=None)',
        )
        file.write_text(file.read_text().replace(old, new, 1))
    quotes.done("apply", "--yes", *allowed)
    quotes.done("apply", "--yes", "--allow", "deployed:0004_by_exchange_switch")
    assert there.cells("LISTED") == {b"XNYS#A": {number(7)}, b"XNYS#B": {number(7)}}


def test_a_move_that_the_merge_takes_runs_before_the_step_of_the_other_branch(
    project: Project, there: Site
) -> None:
    """The branches contradict each other, and the one that the merge takes is applied first: the move finds all cells."""
    quotes = parted(project, there)
    quotes.done("apply", "--yes")
    for deployed in ("0003_by_exchange_backfill", "0004_by_exchange_switch", "0002_an_offer"):
        quotes.done("apply", "--yes", "--allow", f"deployed:{deployed}")
    assert there.cells("LISTED") == {b"XNYS#A": {number(7)}, b"XNYS#B": {number(7)}}
