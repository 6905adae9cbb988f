"""A rollback of a revision that was applied without its data step, which has written nothing."""

import pytest
from test_data_steps import there as there
from test_merged_columns import OFFER, REWRITE, SEVEN, SHORT, WIDER, Branches
from test_merged_columns import branches as branches


@pytest.mark.parametrize(("left", "right"), [(OFFER, SHORT), (SHORT, WIDER)], ids=["moved", "rewritten"])
def test_a_skipped_step_has_moved_and_rewritten_nothing(branches: Branches, left: str, right: str) -> None:
    """It was said that its cells are elsewhere, or written otherwise, and that they have to be brought back."""
    branches.write("left", left, *REWRITE)
    branches.write("right", right)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_right")
    branches.project.done("apply", "--yes", "--allow", "skip-step:0002_left/rewrite_quote")
    assert branches.cells() == {b"BID": SEVEN}
    back = ("rollback", "--yes", "--to", "0002_right")
    branches.project.done(*back)
    assert branches.cells() == {b"BID": SEVEN}
    branches.project.done(
        *back, "--allow", "data-step:rewrite_quote"
    )  # which an earlier version has asked for
    assert [record.id for record in branches.there.history.revisions()] == ["0001_base", "0002_right"]


def test_a_step_that_was_begun_before_it_was_skipped_is_asked_about(
    branches: Branches, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may have written some rows."""
    branches.write("left", OFFER, *REWRITE)
    branches.write("right", SHORT)
    code = branches.project.migrations / "0002_left.py"
    written = code.read_text()
    code.write_text(written.replace("    return row", "    raise ValueError"))
    assert "ValueError" in branches.project.refused(
        "apply", "--yes", "--to", "0002_left", "--allow", "deployed:0002_left"
    )
    code.write_text(written)
    branches.project.done("merge", "--no-rewrite", "--take", "0002_right")
    skip = ("skip-step:0002_left/rewrite_quote", "data-step:rewrite_quote")
    branches.project.done("apply", "--yes", *(word for name in skip for word in ("--allow", name)))
    assert "what the data step rewrite_quote of 0002_left wrote stays" in branches.project.refused(
        "rollback", "--yes", "--to", "0002_right"
    )
