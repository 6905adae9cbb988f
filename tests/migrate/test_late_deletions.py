"""Rows of a moved table that differ for a while, as the second write of a writer is late."""

import threading
import time

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, SWITCH
from test_key_moves import quotes as quotes

from btmodel.migrate.data import comparison
from btmodel.rows import Delete, Mutation

WHOLE_ROW = (Delete(),)


@pytest.fixture
def moved(quotes: Project) -> Project:
    """A project whose rows are moved."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    return quotes


def test_a_deletion_whose_second_half_is_late_is_waited_for(
    moved: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old row is gone, and the deletion of the new one is sent again, which takes seconds: nothing is refused."""
    monkeypatch.setattr(comparison, "LONGER", (1, 2, 4))
    there.rows.write_many("QUOTE", [Mutation("QUOTE", b"A", deletes=WHOLE_ROW)])

    def second() -> None:
        time.sleep(4)
        there.rows.write_many("LISTED", [Mutation("LISTED", b"XNYS#A", deletes=WHOLE_ROW)])

    late = threading.Thread(target=second)
    late.start()
    told = moved.done("apply", "--yes", "--allow", SWITCH)
    late.join()
    assert "compared QUOTE with LISTED: 3 rows equal" in told
    assert there.cells("LISTED").keys() == {b"XNAS#B", b"XNYS#C"}
