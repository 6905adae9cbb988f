"""Rollbacks below a step that has rewritten cells in another codec, all of them or some, and the way that is shown in their place."""

import os
from pathlib import Path

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there

from btmodel import emulator
from btmodel.rows import Cell
from tests.forked_commands import Commands

HERE = Path(__file__).parent
QUOTE = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("BID", md, codec=bt.IntBytes(4), default=None)
"""
BOTH = QUOTE.replace("bt.IntBytes(4)", "bt.Either(bt.Int64(), bt.IntBytes(4))")
BACK = QUOTE.replace("bt.IntBytes(4)", "bt.Either(bt.IntBytes(4), bt.Int64())")
DEPLOYED = "deployed:0002_wider_bids"
BELOW = ("rollback", "--yes", "--force-unlock", "--to", "0001_quotes")
ALLOW = ("--allow", "change-codec:QUOTE.MD:BID", "--allow", "data-step:rewrite_quote")
INSTEAD = (
    "declare MD:BID of Quote with Either(new=IntBytes(size=4), old=(Int64())), and `btmodel migrate new MESSAGE --rewrite Quote` writes the step that "
    "rewrites them back"
)
ROWS = 700


def bids(size: int) -> dict[bytes, set[Cell]]:
    return {b"%05d" % row: {Cell("MD", b"BID", 1_000, row.to_bytes(size))} for row in range(ROWS)}


@pytest.fixture
def quotes(project: Project, there: Site) -> Project:
    """A project with quotes in the old codec, and a revision that is to rewrite them."""
    project.declare(QUOTE)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", bids(4))
    project.declare(BOTH)
    project.done("new", "wider bids", "--rewrite", "Quote")
    return project


def sizes(there: Site) -> set[int]:
    return {len(cell.value) for cells in there.cells("QUOTE").values() for cell in cells}


def kill_half_way(quotes: Project, there: Site, commands: Commands) -> None:
    """Kill runs, each later than the one before, until one has written some of the cells."""
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[1])}
    for calls in range(26, 60):
        arguments = [quotes.instance, str(calls), DEPLOYED]
        run = commands.program(HERE / "killed_once.py", arguments, quotes.folder, environment)
        assert run.stdout == "-9\n", run.stderr[-3_000:]
        if len(sizes(there)) == 2:
            return
    raise AssertionError("no run wrote some of the cells")


def rewritten_back(quotes: Project, there: Site) -> None:
    """What is shown in place of a rollback, to the letter."""
    quotes.declare(BACK)
    quotes.done("new", "narrow bids", "--rewrite", "Quote")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_narrow_bids")
    assert there.cells("QUOTE") == bids(4)
    quotes.declare(QUOTE)
    quotes.done("new", "narrow alone")
    quotes.done("apply", "--yes")
    assert quotes.run("verify").exit_code == 0


def test_a_rollback_below_a_rewriting_that_was_killed_says_so(
    quotes: Project, there: Site, commands: Commands, server: emulator.Emulator
) -> None:
    """It said that cells which were not rewritten would not be read, where it is the rewritten ones, and showed no way."""
    kill_half_way(quotes, there, commands)
    before = there.cells("QUOTE")
    refused = quotes.refused(*BELOW)
    assert (
        "the step of 0002_wider_bids has rewritten some of the cells of QUOTE.MD:BID as Int64(), until it was interrupted, and the models of 0001_quotes read "
        "IntBytes(size=4): in place of a rollback, let it run to its end with `btmodel migrate apply --to 0002_wider_bids`, and then "
        + INSTEAD
    ) in refused
    assert "what the data step rewrite_quote of 0002_wider_bids wrote stays" in refused
    assert f"use {' '.join(ALLOW)} if you mean that" in refused
    assert there.cells("QUOTE") == before
    quotes.done("apply", "--yes", "--force-unlock", "--to", "0002_wider_bids")
    assert there.cells("QUOTE") == bids(8)
    rewritten_back(quotes, there)


def test_a_rollback_below_a_rewriting_that_was_killed_is_allowed_by_name(
    quotes: Project, there: Site, commands: Commands
) -> None:
    """Repeated, it is no error; and the step that is applied again begins at the first row, and rewrites all cells."""
    kill_half_way(quotes, there, commands)
    before = there.cells("QUOTE")
    quotes.done(*BELOW, *ALLOW)
    assert there.cells("QUOTE") == before
    quotes.done(*BELOW, *ALLOW)
    quotes.done(*BELOW)
    there.write("QUOTE", {b"00000": [Cell("MD", b"BID", 2_000, (9).to_bytes(4))]})
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    assert sizes(there) == {8}
    assert {key: len(cells) for key, cells in there.cells("QUOTE").items()} == {
        key: 2 if key == b"00000" else 1 for key in bids(8)
    }


@pytest.mark.parametrize("alone", [False, True])
def test_a_rollback_below_a_whole_rewriting_says_so(quotes: Project, there: Site, alone: bool) -> None:
    """Also where the new codec is declared alone by then."""
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    if alone:
        quotes.declare(BOTH.replace("bt.Either(bt.Int64(), bt.IntBytes(4))", "bt.Int64()"))
        quotes.done("new", "wide alone")
        quotes.done("apply", "--yes")
        quotes.done("rollback", "--yes")
    refused = quotes.refused(*BELOW)
    assert (
        f"a step has rewritten the cells of QUOTE.MD:BID as Int64(), and the models of 0001_quotes read IntBytes(size=4): in place of a rollback, {INSTEAD}"
    ) in refused
    for file in quotes.migrations.glob("0003*"):
        file.unlink()
    rewritten_back(quotes, there)


def test_a_rollback_below_two_rewritings_of_which_the_second_undid_the_first_asks_for_no_third(
    quotes: Project, there: Site
) -> None:
    """The cells are as the models of the target revision read them."""
    quotes.done("apply", "--yes", "--allow", DEPLOYED)
    quotes.declare(BACK)
    quotes.done("new", "narrow bids", "--rewrite", "Quote")
    quotes.done("apply", "--yes", "--allow", "deployed:0003_narrow_bids")
    assert "rewritten the cells" not in quotes.refused(*BELOW)


OFFER = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_versions(3))
    bid: int | None = bt.column("OFFER", md, codec=bt.Either(bt.Int64(), bt.IntBytes(4)), default=None, renamed_from="BID")
"""


@pytest.mark.parametrize("at_once", [True, False])
def test_a_rollback_below_cells_that_were_rewritten_and_moved_shows_a_way_that_holds(
    quotes: Project, there: Site, at_once: bool
) -> None:
    """It said to move them back, and nothing of their codec: the model then read numbers of eight bytes as some of four."""
    if at_once:
        for file in quotes.migrations.glob("0002*"):
            file.unlink()
        ids = ["0002_offer"]
    else:
        quotes.done("apply", "--yes", "--allow", DEPLOYED)
        ids = ["0002_wider_bids", "0003_offer"]
    quotes.declare(OFFER)
    quotes.done("new", "offer")
    quotes.done("apply", "--yes", "--allow", f"deployed:{ids[-1]}")
    assert {cell.qualifier for cells in there.cells("QUOTE").values() for cell in cells} == {b"OFFER"}
    assert sizes(there) == {8}
    refused = quotes.refused(*BELOW, "--allow", "data-step:rewrite_quote")
    assert (
        "a step has moved the cells of QUOTE.MD:BID to MD:OFFER, and written them as Int64(), and the models of 0001_quotes would find none there, and read "
        'IntBytes(size=4): in place of a rollback, declare MD:BID with renamed_from="OFFER" and the codec Either(new=IntBytes(size=4), old=(Int64())), and '
        "`btmodel migrate new` writes the step that moves them back and rewrites them"
    ) in refused
    quotes.declare(BACK.replace("default=None", 'default=None, renamed_from="OFFER"'))
    quotes.done("new", "bid again")
    back = quotes.ids()[-1]
    quotes.done("apply", "--yes", "--allow", f"deployed:{back}")
    assert there.cells("QUOTE") == bids(4)
    quotes.declare(QUOTE)
    quotes.done("new", "narrow alone")
    quotes.done("apply", "--yes")
    assert quotes.run("verify").exit_code == 0
