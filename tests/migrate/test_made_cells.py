"""Cells of a new row that the function of a move makes have no history in the old table: several versions of them, or another time, are no difference."""

import time

import pytest
from renamed_models import Site
from revised_project import Project
from test_data_steps import there as there
from test_key_moves import BACKFILL, SWITCH, bid

from btmodel.rows import Cell, Delete, Mutation

pytestmark = pytest.mark.both_servers

OLD = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    exchange: str = bt.key(bt.Text(max_length=4))
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc={md})
    ref = bt.family("REF", gc={ref})
    name: str = bt.column("NAME", ref)
    bid: int | None = bt.column("BID", md, default=None)
"""
# The exchange is a column of the new rows, which the function makes of the old key.
NEW = """
class Quote(bt.Model, table=bt.table("LISTED", moved_from="QUOTE")):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc={md})
    ref = bt.family("REF", gc={ref})
    exchange: str = bt.column("EXCHANGE", ref)
    name: str = bt.column("NAME", ref)
    bid: int | None = bt.column("BID", md, default=None)
"""
THREE, EVER = "bt.max_versions(3)", "bt.keep_all()"


def name(time: int) -> Cell:
    return Cell("REF", b"NAME", time, b"Acme")


def exchange(time: int, value: bytes = b"XNYS") -> Cell:
    return Cell("REF", b"EXCHANGE", time, value)


def put(there: Site, time: int) -> None:
    """What dual writes leave of a quote that is put: one version more of each column, in both tables."""
    there.write("QUOTE", {b"XNYS#A": [name(time), bid(7, time)]})
    there.write("LISTED", {b"A": [name(time), bid(7, time), exchange(time)]})


def expire(there: Site, table: str, key: bytes, time: int) -> None:
    """Delete the bid of a time, as the garbage collection of its family does."""
    deletes = (Delete("MD", b"BID", start=time, end=time + 1_000),)
    there.rows.write_many(table, [Mutation(table, key, deletes=deletes)])


@pytest.fixture(params=[THREE, EVER], ids=["three versions", "all versions"])
def moved(project: Project, there: Site, request: pytest.FixtureRequest) -> Project:
    """A project whose rows are moved, and written to both tables."""
    rules = {"md": request.param, "ref": request.param}
    project.declare(OLD.format(**rules))
    project.done("new", "quotes")
    project.done("apply", "--yes")
    for at in (5_000, 6_000):
        there.write("QUOTE", {b"XNYS#A": [name(at), bid(7, at)]})
    project.declare(NEW.format(**rules))
    project.done("new", "by exchange", "--dual-writes", "dual.py")
    project.done("apply", "--yes")
    project.done("apply", "--yes", "--allow", BACKFILL)
    assert exchange(6_000) in there.cells("LISTED")[b"A"]
    assert exchange(5_000) not in there.cells("LISTED")[b"A"]
    return project


def test_versions_that_writers_leave_of_a_made_column_are_no_difference(moved: Project, there: Site) -> None:
    """Each put leaves one, and only the newest follows from the old row."""
    for at in (7_000, 8_000):
        put(there, at)
    before = there.cells("LISTED")
    assert "compared QUOTE with LISTED: 1 row equal" in moved.done("apply", "--yes", "--allow", SWITCH)
    assert there.cells("LISTED") == before


def test_a_made_cell_stays_where_the_newest_old_cell_expires(moved: Project, there: Site) -> None:
    """It follows at an earlier time then; and a rollback sees no cells that the new table has alone."""
    put(there, 7_000)
    there.write("QUOTE", {b"XNYS#A": [bid(8, 9_000)]})
    there.write("LISTED", {b"A": [bid(8, 9_000), exchange(9_000)]})
    for table, key in (("QUOTE", b"XNYS#A"), ("LISTED", b"A")):
        expire(there, table, key, 9_000)
    before = there.cells("LISTED")
    assert "compared QUOTE with LISTED: 1 row equal" in moved.done("apply", "--yes", "--allow", SWITCH)
    assert there.cells("LISTED") == before
    moved.done("rollback", "--yes")
    moved.done("rollback", "--yes", "--allow", "data-step:move_quote")
    moved.done("rollback", "--yes", "--allow", "drop-table:LISTED")


def test_the_old_table_is_dropped_where_its_newest_cells_have_expired(moved: Project, there: Site) -> None:
    """What is made at an earlier time is not missing in the new table, which has it at a later one."""
    moved.done("apply", "--yes", "--allow", SWITCH)
    put(there, 9_000)
    for table, key in (("QUOTE", b"XNYS#A"), ("LISTED", b"A")):
        expire(there, table, key, 9_000)
    cells = (Delete("REF", b"NAME", start=9_000, end=10_000),)
    for table, key in (("QUOTE", b"XNYS#A"), ("LISTED", b"A")):
        there.rows.write_many(table, [Mutation(table, key, deletes=cells)])
    moved.done("apply", "--yes", "--allow", "drop-table:QUOTE")
    assert there.admin.table("QUOTE") is None


def test_a_made_cell_with_another_value_is_a_difference(moved: Project, there: Site) -> None:
    """At a later time it is what readers see, and named; at an earlier one it is hidden, and the one that follows is copied."""
    there.write("LISTED", {b"A": [exchange(7_000, b"XNAS")]})
    told = "cells in 1 row that do not follow from 'QUOTE', such as b'A'"
    assert told in moved.refused("apply", "--yes", "--allow", SWITCH)
    told = moved.done("apply", "--yes", "--allow", SWITCH, "--allow", "take-back:compare_quote")
    assert "1 row with cells removed, which the old table does not have" in told
    newest = max(cell for cell in there.cells("LISTED")[b"A"] if cell.qualifier == b"EXCHANGE")
    assert newest == exchange(6_000)


def test_a_made_cell_at_an_earlier_time_is_copied(moved: Project, there: Site) -> None:
    """A process wrote the old row alone: the made cell is to live as long as the row."""
    there.write("QUOTE", {b"XNYS#A": [name(8_000), bid(7, 8_000)]})
    assert "1 row copied" in moved.done("apply", "--yes", "--allow", SWITCH)
    assert exchange(8_000) in there.cells("LISTED")[b"A"]


EXPIRING = """
class Quote(bt.Model, table="QUOTE"):
    "A quote."
    exchange: str = bt.key(bt.Text(max_length=4))
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc=bt.max_age(days=1))
    name: str = bt.column("NAME", md)
"""
LASTING = """
class Quote(bt.Model, table=bt.table("LISTED", moved_from="QUOTE")):
    "A quote."
    symbol: str = bt.key(bt.Text(max_length=5))
    md = bt.family("MD", gc={md})
    ref = bt.family("REF", gc={ref})
    exchange: str = bt.column("EXCHANGE", ref)
    name: str = bt.column("NAME", md)
"""
DAY = 86_400 * 10**6


@pytest.mark.parametrize(
    ("md", "ref"),
    [("bt.max_age(days=1)", EVER), ("bt.max_age(days=30)", "bt.max_age(days=30)")],
    ids=["the family of the made column keeps longer", "the new table keeps longer"],
)
def test_what_outlives_a_row_that_has_expired_is_no_difference(
    project: Project, there: Site, md: str, ref: str
) -> None:
    """The old row is gone, and the new one has the cell that the function made of its key. One that is younger, or a cell that was copied, is a difference."""
    project.declare(EXPIRING)
    project.done("new", "quotes")
    project.done("apply", "--yes")
    now = time.time_ns() // 10**6 * 1_000
    there.write("QUOTE", {b"XNYS#A": [Cell("MD", b"NAME", now, b"Acme")]})
    project.declare(LASTING.format(md=md, ref=ref))
    project.done("new", "by exchange")
    project.done("apply", "--yes")
    project.done("apply", "--yes", "--allow", BACKFILL)
    left = {b"OLD%d" % row: [exchange(now - 2 * DAY)] for row in range(5)}
    there.write("LISTED", left | {b"YOUNG": [exchange(now)]})
    told = "1 cell in 1 row that do not follow from 'QUOTE', such as b'YOUNG'"
    assert told in project.refused("apply", "--yes", "--allow", SWITCH)
    there.rows.write_many("LISTED", [Mutation("LISTED", b"YOUNG", deletes=(Delete(),))])
    assert "compared QUOTE with LISTED: 1 row equal" in project.done("apply", "--yes", "--allow", SWITCH)
    assert there.cells("LISTED").keys() == {b"A", *left}
    project.done("rollback", "--yes")
    project.done("rollback", "--yes", "--allow", "data-step:move_quote")
    project.done("rollback", "--yes", "--allow", "drop-table:LISTED")


def test_an_old_row_of_which_only_what_is_made_follows_is_compared(project: Project, there: Site) -> None:
    """What it is made of is in a family without an age, so that nothing of it has expired."""
    both = EXPIRING + '    ref = bt.family("REF", gc=bt.keep_all())\n    note: str = bt.column("NOTE", ref)\n'
    project.declare(both.replace('name: str = bt.column("NAME", md)', NAME_OR_NONE))
    project.done("new", "quotes")
    project.done("apply", "--yes")
    old = time.time_ns() // 10**6 * 1_000 - 2 * DAY
    there.write("QUOTE", {b"XNYS#A": [Cell("REF", b"NOTE", old, b"x")]})
    new = LASTING.format(md="bt.max_age(days=1)", ref=EVER)
    project.declare(new.replace('name: str = bt.column("NAME", md)', NAME_OR_NONE))
    project.done("new", "by exchange")
    project.done("apply", "--yes")
    project.done("apply", "--yes", "--allow", BACKFILL)
    assert there.cells("LISTED") == {b"A": {exchange(old)}}
    there.rows.write_many("LISTED", [Mutation("LISTED", b"A", deletes=(Delete(),))])
    assert "1 row equal, 1 row copied" in project.done("apply", "--yes", "--allow", SWITCH)
    assert there.cells("LISTED") == {b"A": {exchange(old)}}


NAME_OR_NONE = 'name: str | None = bt.column("NAME", md, default=None)'
