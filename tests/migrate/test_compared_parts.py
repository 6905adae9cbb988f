"""Comparisons of moves on workers, in parts of both tables: they find, copy and refuse what a comparison in one process does."""

from collections.abc import Sequence

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, SWITCH, bid
from test_key_moves import quotes as quotes
from workers_here import WorkersHere, run_on

from btmodel.rows import Cell

APPLY = ("apply", "--yes", "--allow", SWITCH)
RUNNER = "--runner=SomeRunner"
STEP = "0004_by_exchange_switch/compare_quote"
# Between the rows of both tables, at one of each, and in one of them alone.
CUTS = ([], [b"B"], [b"A", b"B", b"XASE#B", b"XNAS"], [bytes([first]) for first in range(64, 96)])


def row(value: int, exchange: bytes = b"XASE") -> list[Cell]:
    return [bid(value, 9_000), Cell("MD", b"EXCHANGE", 9_000, exchange)]


@pytest.fixture
def moved(quotes: Project) -> Project:
    """A project whose rows are moved; the switch, which compares both tables, is pending."""
    quotes.done("new", "by exchange")
    quotes.done("apply", "--yes")
    quotes.done("apply", "--yes", "--allow", BACKFILL)
    return quotes


@pytest.mark.parametrize("times", [1, 2], ids=["once", "bundles that run twice"])
@pytest.mark.parametrize("keys", CUTS, ids=len)
def test_what_is_missing_is_copied_and_counted(
    moved: Project, there: Site, monkeypatch: pytest.MonkeyPatch, keys: Sequence[bytes], times: int
) -> None:
    """Whatever the sections are; a pass that has copied something is followed by another one."""
    there.write("QUOTE", {b"AA": row(1), b"ZZ": row(2, b"XNAS")})
    workers = WorkersHere(there, keys, times=times)
    run_on(workers, monkeypatch)
    told = moved.done(*APPLY, RUNNER)
    assert "compared QUOTE with LISTED: 5 rows equal" in told
    assert "2 rows copied, as cells of the old table were missing" in told
    assert len(there.cells("LISTED")) == 5
    assert workers.compared[0] == f"{STEP}/compared/0/0"
    assert len(workers.compared) == 2 * (len(keys) + 1)
    assert there.history.sections(STEP) == {}


def test_what_is_beyond_is_refused_as_here_and_taken_back_by_its_name(
    moved: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the file and the line; the next run begins the comparison again."""
    there.write("LISTED", {b"XASE#Y": [bid(5, 9_000)]})
    here = moved.refused(*APPLY)
    assert "1 cell in 1 row that do not follow from 'QUOTE', such as b'XASE#Y'" in here
    workers = WorkersHere(there, [b"A", b"XASE#Y"])
    run_on(workers, monkeypatch)
    assert moved.refused(*APPLY, RUNNER) == here
    assert there.history.sections(STEP)
    told = moved.done(*APPLY, RUNNER, "--allow", "take-back:compare_quote")
    assert "1 row with cells removed, which the old table does not have" in told
    assert len(there.cells("LISTED")) == 3


def test_what_of_old_rows_is_not_moved_is_said_as_here(
    moved: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From all sections together."""
    for key in (b"A", b"B", b"C"):
        there.write("QUOTE", {key: [Cell("MD", b"UNKNOWN", 9_000, b"1")]})
    run_on(WorkersHere(there, [b"B"]), monkeypatch)
    told = moved.done(*APPLY, RUNNER)
    there.history.remove_revision("0004_by_exchange_switch")
    [line] = [one for one in moved.done(*APPLY).splitlines() if one.startswith("compared ")]
    assert line in told


class Idle(WorkersHere):
    """Workers whose runner says that it has ended, and has done nothing."""

    def compare(self, job: object, sections: object, remove: bool, number: int) -> None:
        pass


def test_a_pipeline_that_has_compared_nothing_is_no_equality(
    moved: Project, there: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The switch is not recorded, and the next run compares."""
    run_on(Idle(there), monkeypatch)
    refused = moved.refused(*APPLY, RUNNER)
    assert f"its part {STEP}/compared/0/0 was not compared: run this again" in refused
    assert "compared QUOTE with LISTED: 3 rows equal" in moved.done(*APPLY)
    assert there.history.sections(STEP) == {}
