"""Rows of a moved table that differ for a while, as the second write of a writer is late."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from renamed_models import MARKET, QUOTE, Site, some_rows
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, SWITCH, bid
from test_key_moves import quotes as quotes
from test_key_moves import switched as switched

from btmodel.errors import MigrationFailed
from btmodel.migrate.applying import run
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


DROP, COPY = (
    ("apply", "--yes", "--allow", "drop-table:QUOTE"),
    ("apply", "--yes", "--allow", "copy-and-drop-table:QUOTE"),
)


@pytest.fixture
def late(there: Site, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, dict[bytes, list[Cell]]], None]:
    """Rows that a process of an old version writes to a table when the comparison before a drop has passed them."""
    writes: list[tuple[str, dict[bytes, list[Cell]]]] = []
    real = run.refuse_difference

    def refuse_difference(*arguments: Any, **options: Any) -> None:
        real(*arguments, **options)
        while writes:
            there.write(*writes.pop())

    monkeypatch.setattr(run, "refuse_difference", refuse_difference)
    return lambda table, rows: writes.append((table, rows))


def now() -> int:
    return time.time_ns() // 1_000_000 * 1_000


def test_what_is_written_behind_a_comparison_stops_the_drop(
    switched: Project, there: Site, late: Any
) -> None:
    """A write of an old version to a row that was compared already went with the table."""
    late("QUOTE", {b"A": [bid(8, now())]})
    assert "QUOTE have 1 cell in 1 row, such as A MD:BID" in switched.refused(*DROP)
    assert len(there.cells("QUOTE")) == 3
    late("QUOTE", {b"D": [bid(9, now()), Cell("MD", b"EXCHANGE", now(), b"XNYS")]})
    assert "QUOTE have 1 cell in 1 row, such as D MD:BID" in switched.refused(*COPY)
    assert "done copy-and-drop-table:QUOTE" in switched.done(*COPY)
    listed = there.cells("LISTED")
    assert {
        cell.value[-1] for key in (b"XNYS#A", b"XNYS#D") for cell in listed[key] if cell.timestamp > 5_000
    } == {8, 9}


def test_what_both_tables_have_stops_no_drop(switched: Project, there: Site, late: Any) -> None:
    """Also where it is young: it was written to both, or has the time of a plan."""
    for at in (now(), now() + 3_600_000_000):
        there.write("QUOTE", {b"B": [bid(8, at)]})
        there.write("LISTED", {b"XNAS#B": [bid(8, at)]})
    switched.done(*COPY)
    assert "QUOTE" not in [table.id for table in there.admin.read_tables()]


def test_what_is_written_to_a_renamed_family_or_table_stops_its_drop(there: Site, late: Any) -> None:
    """A family cannot be undeleted."""
    there.apply(QUOTE)
    there.write("QUOTE", some_rows(3))
    there.apply(MARKET)
    late("QUOTE", {b"00000": [Cell("MD", b"BID", now(), b"late")]})
    with pytest.raises(MigrationFailed, match=r"QUOTE.MD has 1 cell in 1 row, .* that QUOTE.market lacks"):
        there.apply(MARKET, allow=("drop-family:QUOTE.MD",))
    assert {cell.family for cell in there.cells("QUOTE")[b"00000"]} == {"MD", "market"}


def test_what_is_written_to_the_new_table_stops_its_drop_by_a_rollback(
    switched: Project, there: Site, late: Any
) -> None:
    """It has the only copy."""
    switched.done("rollback", "--yes")
    switched.done("rollback", "--yes", "--allow", "data-step:move_quote")
    late("LISTED", {b"XNYS#D": [bid(9, now())]})
    assert "LISTED has 1 cell in 1 row, such as XNYS#D" in switched.refused(
        "rollback", "--yes", "--allow", "drop-table:LISTED"
    )
    assert len(there.cells("LISTED")) == 4
