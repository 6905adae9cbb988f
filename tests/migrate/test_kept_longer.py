"""A new table that keeps more than the old one has cells that the old one has lost to its GC rule: they are no difference."""

import time

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, LISTED, QUOTE, SWITCH, bid

from btmodel.rows import Cell, Delete, Mutation

pytestmark = pytest.mark.both_servers

ONE, DAY = "bt.max_versions(1)", 86_400 * 10**6
RULES = {
    "versions": (ONE, "bt.max_versions(3)"),
    "all versions": (ONE, "bt.keep_all()"),
    "age": ("bt.max_age(days=1)", "bt.max_age(days=30)"),
}


def row(time: int, value: int = 7) -> list[Cell]:
    return [bid(value, time), Cell("MD", b"EXCHANGE", time, b"XNYS")]


@pytest.fixture(params=RULES)
def moved(project: Project, there: Site, request: pytest.FixtureRequest) -> tuple[Project, int]:
    """A project whose rows are moved, and the time of their cells."""
    old, new = RULES[request.param]
    now = time.time_ns() // 10**6 * 1_000
    kept = now - 1_000_000
    project.declare(QUOTE.replace(ONE, old))
    project.done("new", "quotes")
    project.done("apply", "--yes")
    there.write("QUOTE", {b"A": row(kept), b"B": row(kept)})
    project.declare(LISTED.replace(ONE, new))
    project.done("new", "by exchange")
    project.done("apply", "--yes")
    project.done("apply", "--yes", "--allow", BACKFILL)
    return project, kept


def test_what_the_old_table_has_lost_is_no_difference(moved: tuple[Project, int], there: Site) -> None:
    """Writers put a row twice, and the service has deleted the first cell of the old row; or that is as old as the old table keeps it."""
    project, kept = moved
    there.write("LISTED", {b"XNYS#A": [bid(6, kept - 2 * DAY)]})
    before = there.cells("LISTED")
    assert "2 rows equal" in project.done("apply", "--yes", "--allow", SWITCH)
    assert there.cells("LISTED") == before


def test_what_the_old_table_would_have_kept_is_a_difference(moved: tuple[Project, int], there: Site) -> None:
    """A newer cell, a row, a missing cell: named, or copied, as before."""
    project, kept = moved
    there.write("LISTED", {b"XNYS#A": [bid(8, kept + 1_000)]})
    told = "1 cell in 1 row that do not follow from 'QUOTE', such as b'XNYS#A'"
    assert told in project.refused("apply", "--yes", "--allow", SWITCH)
    deletes = (Delete("MD", b"BID", start=kept + 1_000),)
    there.rows.write_many("LISTED", [Mutation("LISTED", b"XNYS#A", deletes=deletes)])
    there.write("LISTED", {b"XNYS#Z": row(kept)[:1]})
    assert "such as b'XNYS#Z'" in project.refused("apply", "--yes", "--allow", SWITCH)
    gone = [Mutation("LISTED", key, deletes=(Delete(),)) for key in (b"XNYS#Z", b"XNYS#B")]
    there.rows.write_many("LISTED", gone)
    assert "1 row copied" in project.done("apply", "--yes", "--allow", SWITCH)
    assert bid(7, kept) in there.cells("LISTED")[b"XNYS#B"]
