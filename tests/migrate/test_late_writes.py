"""Rows of a moved table that differ for a while, as the second write of a writer is late."""

import threading
import time

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, SWITCH, bid
from test_key_moves import quotes as quotes

from btmodel.migrate.data import comparison
from btmodel.rows import Cell, Delete, Mutation

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
    assert "compared QUOTE with LISTED: 2 rows equal" in told
    assert there.cells("LISTED").keys() == {b"XNAS#B", b"XNYS#C"}


def test_writers_whose_second_writes_are_always_late_stop_no_comparison(
    moved: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any time some row is written to the old table and not yet to the new one: each pass copied such rows, and after ten the run was refused."""
    monkeypatch.setattr(comparison, "LONGER", (1, 2, 4))
    over = threading.Event()

    def write(symbol: bytes) -> None:
        while not over.is_set():
            now = time.time_ns() // 1_000_000 * 1_000
            there.write("QUOTE", {symbol: [bid(8, now), Cell("MD", b"EXCHANGE", now, b"XNYS")]})
            over.wait(6)
            there.write("LISTED", {b"XNYS#" + symbol: [bid(8, now)]})

    writers = [threading.Thread(target=write, args=(b"R%d" % at,)) for at in range(12)]
    for writer in writers:
        writer.start()
        time.sleep(0.5)  # so that there is always one that has just begun
    try:
        assert "15 rows equal" in moved.done("apply", "--yes", "--allow", SWITCH)
    finally:
        over.set()
        for writer in writers:
            writer.join()
