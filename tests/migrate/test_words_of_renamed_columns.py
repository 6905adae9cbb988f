"""What commands say of a column with `renamed_from=` is true also after a squash, and of tables that never had its former name."""

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import LISTED, QUOTE
from test_old_columns import BID, RENAMED, moved, recorded

READY = "declare it without renamed_from="


def said(project: Project) -> str:
    """What `new --check` says, and that `plan` says the same."""
    checked = project.run("new", "--check").output
    (line,) = [one.strip() for one in checked.splitlines() if "Quote.bid: " in one]
    assert line in project.run("plan").output
    return line


def test_a_squashed_step_is_known(project: Project, there: Site) -> None:
    """It said that no revision moved the cells, and wrote a step that waits for a deployment, for nothing."""
    quotes = recorded(project, there, QUOTE, BID=7)
    quotes.declare(QUOTE.replace(BID, RENAMED))
    quotes.done("new", "offer")
    quotes.done("apply", "--yes", "--allow", "deployed:0002_offer")
    assert "warning" not in quotes.done("squash", "0002", "all")
    ready = f"Quote.bid: once 0002_offer, which is part of 0002_all, has run on every instance, {READY}"
    assert said(quotes) == ready
    assert quotes.run("new", "--check").exit_code == 0
    quotes.declare(QUOTE.replace(BID, RENAMED) + '    ask: int | None = bt.column("ASK", md, default=None)\n')
    quotes.done("new", "ask")
    quotes.done("apply", "--yes")
    quotes.done("squash", "0003", "again")
    assert said(quotes) == ready.replace("0002_all", "0003_again")


def test_a_baseline_of_a_squash_skips_no_step_unasked(project: Project, there: Site) -> None:
    """The instance has one of the revisions that were squashed: the step of another one has never moved its cells."""
    quotes = recorded(project, there, QUOTE, BID=7)
    quotes.declare(QUOTE.replace(BID, RENAMED))
    quotes.done("new", "offer")
    quotes.declare(QUOTE.replace(BID, RENAMED).replace(', renamed_from="BID"', ""))
    quotes.done("new", "alone")
    quotes.done("squash", "0003", "all")
    refused = quotes.refused("baseline")
    assert (
        "data steps would never run: 0003_all replaces 0002_offer, 0003_alone, which the instance lacks, and has none of their data steps: apply those with the "
        "files from before they were squashed" in refused
    )
    assert refused.endswith("where the rows are as they would leave them, use --allow skip-step:0003_all")
    assert [one.id for one in there.history.revisions()] == ["0001_quotes"]
    assert "recorded 0003_all" in quotes.done("baseline", "--allow", "skip-step:0003_all")
    assert [one.id for one in there.history.revisions()] == ["0003_all"]


def test_a_squashed_step_that_another_one_has_undone_is_not_taken_for_one(
    project: Project, there: Site
) -> None:
    """The cells are where they were before both."""
    quotes = recorded(project, there, QUOTE, BID=7)
    for models, id in (
        (QUOTE.replace(BID, RENAMED), "0002_offer"),
        (QUOTE.replace(BID, BID.replace("default=None", 'default=None, renamed_from="OFFER"')), "0003_bid"),
    ):
        quotes.declare(models)
        quotes.done("new", id.partition("_")[2])
        quotes.done("apply", "--yes", "--allow", f"deployed:{id}")
    quotes.done("squash", "0003", "all")
    assert (
        said(quotes)
        == f"Quote.bid: once 0003_bid, which is part of 0003_all, has run on every instance, {READY}"
    )
    quotes.declare(QUOTE.replace(BID, RENAMED))
    assert "which writes one that moves them" in quotes.run("plan").output
    assert quotes.run("new", "--check").exit_code == 1


@pytest.mark.parametrize("had", [False, True])
def test_a_moved_table_that_never_had_the_former_name_asks_for_no_step(
    project: Project, there: Site, had: bool
) -> None:
    """Only a move whose rows have the cells behind the new name brings some."""
    quotes = recorded(project, there, QUOTE.replace(BID, RENAMED) if had else QUOTE, BID=7)
    moved(quotes, LISTED.replace(BID, RENAMED))
    if not had:
        quotes.declare(LISTED.replace(BID, RENAMED).replace(', moved_from="QUOTE"', ""))
    line = said(quotes)
    if had:
        assert "no revision moves" in line or "reads both" in line
    else:
        assert line == (
            "Quote.bid: 0002_by_exchange makes LISTED with MD:OFFER, and no revision brings cells of MD:BID to it: "
            + READY
        )
        assert quotes.run("new", "--check").exit_code == 0


def test_a_first_revision_that_reads_both_names_leaves_the_choice(project: Project) -> None:
    """The instance may be older than its revisions, as behind a baseline, or may never have had the former name."""
    project.declare(QUOTE.replace(BID, RENAMED))
    project.done("new", "quotes")
    assert said(project) == (
        "Quote.bid: 0001_quotes is the first revision here, and reads both MD:BID and MD:OFFER: where no instance has cells of MD:BID, declare it without "
        "renamed_from=; otherwise keep renamed_from=, and run `btmodel migrate new MESSAGE`, which writes one that moves them"
    )
